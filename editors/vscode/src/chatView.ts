/** The chat panel: a page that shows the conversation, and does nothing on its own. */
import * as vscode from 'vscode';
import type { Chat } from './chat';
import type { FromPage, ToPage, Words } from './chatProtocol';
import type { Drafts } from './drafts';
import { nonce, page } from './page';
import { open } from './search';
import { termNames } from './sideView';

/** Where the page lives; made anew by the editor whenever it comes into view. */
export class ChatView implements vscode.WebviewViewProvider, vscode.Disposable {
  static readonly id = 'mindnetUi.chat';
  private view: vscode.WebviewView | undefined;
  private waiting: ToPage | undefined;
  private readonly listener: vscode.Disposable;

  constructor(
    private readonly extension: vscode.Uri,
    private readonly chat: Chat,
    private readonly drafts: Drafts,
  ) {
    this.listener = chat.onChange(change => {
      if (!change) {
        this.all();
      } else if (change.added !== undefined) {
        this.tell({ kind: 'delta', id: change.turn.id, text: change.added });
      } else {
        this.tell({ kind: 'turn', turn: change.turn });
      }
    });
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    this.view = view;
    view.onDidDispose(() => (this.view = undefined));
    view.webview.onDidReceiveMessage(message => this.hear(message as FromPage));
    const web = vscode.Uri.joinPath(this.extension, 'dist', 'web');
    view.webview.options = { enableScripts: true, localResourceRoots: [web] };
    view.webview.html = page(view.webview, web, 'chat', vscode.l10n.t('Chat'), nonce());
  }

  /** Bring the chat into view, with something written already; nothing is sent. */
  async compose(text: string): Promise<void> {
    const message: ToPage = { kind: 'compose', text };
    this.waiting = message;
    await vscode.commands.executeCommand(`${ChatView.id}.focus`);
    this.tell(message);
  }

  dispose(): void {
    this.listener.dispose();
  }

  private tell(message: ToPage): void {
    void this.view?.webview.postMessage(message);
  }

  private all(): void {
    this.tell({ kind: 'all', turns: this.chat.turns, words: words() });
  }

  private hear(message: FromPage): unknown {
    switch (message.kind) {
      case 'ready':
        this.all();
        if (this.waiting) {
          this.tell(this.waiting);
          this.waiting = undefined;
        }
        return undefined;
      case 'send':
        this.waiting = undefined;
        return this.chat.send(message.text);
      case 'stop':
        return this.chat.stop();
      case 'open':
        return open(message);
      case 'draft': {
        const draft = this.chat.draftOf(message.id);
        return draft && this.drafts.show(draft);
      }
      case 'rate':
        return this.chat.rate(message.id, message.node, message.score, message.comment);
    }
  }
}


function words(): Words {
  const t = vscode.l10n.t;
  return {
    ask: t('Ask your notes'),
    send: t('Send'),
    stop: t('Stop'),
    empty: t('Ask what your notes know, or say what note you want to write.'),
    you: t('You'),
    notes: t('Your notes'),
    thinking: t('Looking and thinking …'),
    stopped: t('Stopped.'),
    sources: t('Sources'),
    why: t('Why'),
    good: t('Helpful'),
    bad: t('Not helpful'),
    comment: t('What was wrong or missing? (may stay empty)'),
    thanks: t('Thank you.'),
    openDraft: t('Open the draft {0}'),
    intents: {
      FACT: t('Fact'),
      DECISION: t('Decision'),
      EMPATHY: t('Listening'),
      INTERVIEW: t('New note'),
    },
    terms: termNames(),
  };
}

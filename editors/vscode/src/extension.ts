/** Where VS Code starts and ends the extension. */
import * as vscode from 'vscode';
import type MarkdownIt from 'markdown-it';
import { Chat } from './chat';
import type { Turn } from './chatProtocol';
import { ChatView } from './chatView';
import { Connection } from './client';
import { register } from './commands';
import { Drafts } from './drafts';
import { GraphPanel } from './graphPanel';
import { Log } from './log';
import type { Status } from './payloads';
import { Preview } from './preview';
import { Server } from './server';
import { needsRestart, SECTION, serverKeys } from './settings';
import type { Line } from './sideTree';
import { SideView } from './sideView';
import { StatusView } from './status';

let connection: Connection | undefined;

/** What other extensions, and the tests, can get hold of. */
export interface Api {
  /** What the server last said about the vault that is looked at. */
  status(): Status | undefined;
  /** The lines of the side view. */
  side(): Line[];
  /** The turns of the chat. */
  turns(): Turn[];
  /** Called by the Markdown preview. */
  extendMarkdownIt(markdown: MarkdownIt): MarkdownIt;
}

/** Put everything together and start the server, without waiting for it. */
export function activate(context: vscode.ExtensionContext): Api {
  const log = new Log();
  const server = new Server(context, log);
  const status = new StatusView();
  const keys = serverKeys(context.extension.packageJSON as Parameters<typeof serverKeys>[0]);
  const started = (connection = new Connection(server, log, keys));
  const tools = { connection: started, log };
  const side = new SideView(tools);
  const chat = new Chat(tools);
  const drafts = new Drafts(tools);
  const chatView = new ChatView(context.extensionUri, chat, drafts);
  const graphPanel = new GraphPanel(context.extensionUri, tools);
  const preview = new Preview(tools);
  context.subscriptions.push(
    log,
    status,
    started,
    side,
    chat,
    drafts,
    chatView,
    graphPanel,
    preview,
    register(tools, server, { status, side, chat, chatView, graphPanel, drafts }),
    vscode.window.registerWebviewViewProvider(ChatView.id, chatView),
    started.onPhase(phase => status.setPhase(phase)),
    started.onPhase(phase => phase === 'running' && side.later()),
    started.onStatus(said => {
      status.accept(said as Status);
      side.accept(said as Status);
    }),
    vscode.workspace.onDidChangeConfiguration(change => {
      if (needsRestart(change)) {
        void started.restart();
      } else if (change.affectsConfiguration(SECTION)) {
        void started.settingsChanged();
      }
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => void started.restart()),
  );
  void started.restart();
  return {
    status: () => status.shown,
    side: () => side.lines,
    turns: () => chat.turns,
    extendMarkdownIt: markdown => preview.extend(markdown),
  };
}

/** End the server in order before the window closes. */
export async function deactivate(): Promise<void> {
  await connection?.stop();
  connection = undefined;
}

/** Drafts: notes as unsaved editors, until a person saves them with one action. */
import * as vscode from 'vscode';
import { ask, vaultUri, type Tools } from './asking';
import type { Draft } from './payloads';

/** Unsaved editors that hold a draft, and the code lenses above them. */
export class Drafts implements vscode.CodeLensProvider, vscode.Disposable {
  private readonly open = new Map<string, Draft>();
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.changed.event;
  private readonly parts: vscode.Disposable;

  constructor(private readonly tools: Tools) {
    const selector = { scheme: 'untitled', language: 'markdown' };
    this.parts = vscode.Disposable.from(
      this.changed,
      vscode.languages.registerCodeLensProvider(selector, this),
      vscode.window.onDidChangeActiveTextEditor(() => this.tellContext()),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.open.delete(uri.toString())),
    );
  }

  /** Show a draft in an editor of its own. Nothing is written. */
  async show(draft: Draft): Promise<void> {
    const { markdown } = draft;
    const document = await vscode.workspace.openTextDocument({
      language: 'markdown',
      content: markdown,
    });
    this.open.set(document.uri.toString(), draft);
    await vscode.window.showTextDocument(document, { preview: false });
    this.tellContext();
    this.changed.fire();
  }

  /** Save the draft in the active editor as a note; the server opens it. */
  async save(): Promise<void> {
    const document = vscode.window.activeTextEditor?.document;
    const draft = document && this.open.get(document.uri.toString());
    if (!document || !draft) {
      void vscode.window.showInformationMessage(vscode.l10n.t('This editor holds no draft.'));
      return;
    }
    const { version } = document;
    const saved = await ask<{ uri: string }>(
      this.tools,
      'mindnet.saveDraft',
      { markdown: document.getText(), file_name: draft.file_name, open: false },
      vscode.l10n.t('Saving the note'),
    );
    if (!saved) {
      return;
    }
    if (document.version === version) {
      // the unsaved editor would ask whether to keep it; its text is in the note
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    }
    await vscode.window.showTextDocument(vscode.Uri.parse(saved.uri), { preview: false });
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const draft = this.open.get(document.uri.toString());
    if (!draft) {
      return [];
    }
    const t = vscode.l10n.t;
    const top = new vscode.Range(0, 0, 0, 0);
    const title = t('Save as {0}', draft.file_name);
    const missing = draft.missing_fields.map(({ field }) => field).join(', ');
    const hints = draft.missing_fields.map(({ field, hint }) => `${field}: ${hint}`).join('\n');
    const save = new vscode.CodeLens(top, { command: 'mindnetUi.saveDraft', title });
    const lacks = { command: '', title: t('Still missing: {0}', missing), tooltip: hints };
    return missing ? [save, new vscode.CodeLens(top, lacks)] : [save];
  }

  dispose(): void {
    this.parts.dispose();
  }

  private tellContext(): void {
    const uri = vscode.window.activeTextEditor?.document.uri.toString() ?? '';
    const is = this.open.has(uri);
    void vscode.commands.executeCommand('setContext', 'mindnetUi.isDraft', is);
  }
}

/** Ask what to write about, unless it is told, and show the draft that the server makes of it. */
export async function draftNote(tools: Tools, drafts: Drafts, wish: unknown): Promise<void> {
  const message = typeof wish === 'string' ? wish : await askWish();
  if (!message?.trim()) {
    return;
  }
  const writing = vscode.l10n.t('Writing the draft');
  const draft = await ask<Draft>(tools, 'mindnet.draft', { message, ...vaultUri() }, writing);
  if (draft) {
    await drafts.show(draft);
  }
}

function askWish(): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title: vscode.l10n.t('Draft a Note'),
    prompt: vscode.l10n.t('What should the note be about?'),
    placeHolder: vscode.l10n.t('New project: rebuild the mill wheel until May'),
  });
}

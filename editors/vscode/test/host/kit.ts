/** What all tests in the extension host share: the vault, waiting, commands of the editor. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';

const PATIENCE = 90_000;

/** The URI of a file of the vault. */
export function at(path: string): vscode.Uri {
  const root = vscode.workspace.workspaceFolders?.[0];
  assert.ok(root, 'a folder is open');
  return vscode.Uri.joinPath(root.uri, path);
}

/** Wait until `look` gives something that is not empty; what it gave last is in the error. */
export async function until<T>(
  what: string,
  look: () => T | PromiseLike<T>,
): Promise<Exclude<NonNullable<T>, false>> {
  const end = Date.now() + PATIENCE;
  for (;;) {
    const found = await look();
    const there = Array.isArray(found) ? found.length > 0 : Boolean(found);
    if (there) {
      return found as Exclude<NonNullable<T>, false>;
    }
    if (Date.now() > end) {
      throw new Error(`waited in vain: ${what}; last: ${JSON.stringify(found)}`);
    }
    await new Promise(done => setTimeout(done, 50));
  }
}

/** Write a file and wait for nothing: the server hears of it from the editor's watcher. */
export async function write(path: string, text: string): Promise<vscode.Uri> {
  await vscode.workspace.fs.writeFile(at(path), Buffer.from(text, 'utf8'));
  return at(path);
}

/** What lies on the disk. */
export async function read(path: string): Promise<string> {
  return Buffer.from(await vscode.workspace.fs.readFile(at(path))).toString('utf8');
}

/** Whether there is such a file. */
export async function exists(path: string): Promise<boolean> {
  return vscode.workspace.fs.stat(at(path)).then(
    () => true,
    () => false,
  );
}

/** Open a note in the editor. */
export async function show(path: string): Promise<vscode.TextEditor> {
  return vscode.window.showTextDocument(await vscode.workspace.openTextDocument(at(path)), {
    preview: false,
  });
}

/** The position of the first `text` in a document, moved on by `by` units. */
export function find(document: vscode.TextDocument, text: string, by = 0): vscode.Position {
  const offset = document.getText().indexOf(text);
  assert.ok(offset >= 0, `“${text}” is in the text`);
  return document.positionAt(offset + by);
}

/** Run a command of the editor. */
export function call<T>(command: string, ...args: unknown[]): Thenable<T> {
  return vscode.commands.executeCommand<T>(command, ...args);
}

/** The codes of the findings in a note, with the text each is on. */
export function findings(document: vscode.TextDocument): string[] {
  return vscode.languages
    .getDiagnostics(document.uri)
    .filter(one => one.source === 'mindnet')
    .map(one => `${codeOf(one)} ${document.getText(one.range)}`)
    .sort();
}

/** The code of a finding. */
export function codeOf({ code }: vscode.Diagnostic): string {
  return String(typeof code === 'object' ? code.value : code);
}

/** Give an editor's document another text, as one edit. */
export async function retype(editor: vscode.TextEditor, text: string): Promise<void> {
  const { document } = editor;
  const all = new vscode.Range(0, 0, document.lineCount, 0);
  assert.ok(await editor.edit(edit => edit.replace(all, text)));
}

/** Close all editors; unsaved text is given up. */
export async function closeAll(): Promise<void> {
  for (const document of vscode.workspace.textDocuments) {
    if (document.isDirty && document.uri.scheme === 'file') {
      await vscode.window.showTextDocument(document);
      await call('workbench.action.files.revert');
    }
  }
  await call('workbench.action.closeAllEditors');
}

/** Type as a person does, one key after the other: brackets close, lists of proposals open. */
export async function type(text: string): Promise<void> {
  for (const key of text) {
    await call('type', { text: key });
  }
}

/** Accept the proposal that is selected, as soon as the list is there. */
export async function accept(editor: vscode.TextEditor): Promise<void> {
  const before = editor.document.version;
  await until('a proposal to accept', async () => {
    await call('acceptSelectedSuggestion');
    return editor.document.version !== before;
  });
}

/** Put the cursor somewhere. */
export function cursor(editor: vscode.TextEditor, position: vscode.Position): void {
  editor.selection = new vscode.Selection(position, position);
}

/** Wait until the server has read the vault. */
export async function ready(): Promise<void> {
  const extension = vscode.extensions.getExtension('mindnet.mindnet');
  assert.ok(extension, 'the extension is installed');
  const api = (await extension.activate()) as { status(): { index: { state: string } } | undefined };
  await until('the index', () => api.status()?.index.state === 'ready');
}

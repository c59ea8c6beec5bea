/** Names that change: notes, headings, tags, files and folders; links follow, once. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { at, call, closeAll, exists, find, findings, ready, read, retype, show, until, write } from './kit';

describe('names that change', () => {
  before(ready);
  afterEach(closeAll);

  /** The text of a note as the editor has it, else as it is on the disk. */
  async function text(path: string): Promise<string> {
    const uri = at(path).toString();
    return vscode.workspace.textDocuments.find(one => one.uri.toString() === uri)?.getText()
      ?? read(path);
  }

  /** Wait until the server knows a note. */
  async function known(...paths: string[]): Promise<void> {
    for (const path of paths) {
      const name = path.split('/').at(-1)!.replace('.md', '');
      await until(`the server knows ${path}`, async () => {
        const all = await call<vscode.SymbolInformation[]>(
          'vscode.executeWorkspaceSymbolProvider', name);
        return all.some(one => one.location.uri.toString() === at(path).toString());
      });
    }
  }

  /**
   * Rename as the editor does: text first, then the file. (The command that gives the edit to
   * extensions puts the operations on files in front.)
   */
  async function rename(
    document: vscode.TextDocument,
    on: string,
    to: string,
    file?: { from: string; to: string },
  ): Promise<void> {
    const found = await call<vscode.WorkspaceEdit>(
      'vscode.executeDocumentRenameProvider', document.uri, find(document, on, 2), to);
    const edit = new vscode.WorkspaceEdit();
    for (const [uri, edits] of found.entries()) {
      if (edits.length) {
        edit.set(uri, edits);
      }
    }
    if (file) {
      edit.renameFile(at(file.from), at(file.to));
    }
    assert.ok(await vscode.workspace.applyEdit(edit), 'the editor takes the edit');
  }

  it('a note: its file, and every link to it; alias texts stay', async () => {
    await write('r1/Ahle.md', '# Ahle\n');
    await write('r1/from.md', '# F\n\n[[Ahle]] and [[Ahle|the tool]]\n');
    await write('r1/closed.md', '# C\n\n[[r1/Ahle#Ahle]]\n');
    const { document } = await show('r1/from.md');
    await known('r1/Ahle.md', 'r1/from.md', 'r1/closed.md');
    await rename(document, '[[Ahle]]', 'Pfriem',
      { from: 'r1/Ahle.md', to: 'r1/Pfriem.md' });
    assert.ok(await exists('r1/Pfriem.md'));
    assert.ok(!(await exists('r1/Ahle.md')));
    assert.equal(document.getText(), '# F\n\n[[Pfriem]] and [[Pfriem|the tool]]\n');
    assert.match(await text('r1/closed.md'), /\[\[r1\/Pfriem#/);
    await until('no finding', () => findings(document).length === 0 && 'none');
  });

  it('a note, while documents with unsaved text are open', async () => {
    await write('r2/Beitel.md', '# Beitel\n');
    await write('r2/from.md', '# F\n\n[[Beitel]]\n');
    await known('r2/Beitel.md', 'r2/from.md');
    const target = await show('r2/Beitel.md');
    await retype(target, '# Beitel\n\nunsaved words\n');
    const from = await show('r2/from.md');
    await retype(from, 'new first line\n\n# F\n\n[[Beitel]] [[Beitel]]\n');
    await rename(from.document, '[[Beitel]]', 'Stechbeitel',
      { from: 'r2/Beitel.md', to: 'r2/Stechbeitel.md' });
    assert.equal(
      from.document.getText(), 'new first line\n\n# F\n\n[[Stechbeitel]] [[Stechbeitel]]\n');
    assert.ok(await exists('r2/Stechbeitel.md'));
    assert.match(await text('r2/Stechbeitel.md'), /unsaved words/, 'nothing typed is lost');
  });

  it('a heading, with the links to it in other notes', async () => {
    await write('r3/Holz.md', '# Holz\n\n## Eiche\n\n[[#Eiche]]\n');
    await write('r3/from.md', '# F\n\n[[Holz#Eiche]]\n');
    const { document } = await show('r3/Holz.md');
    await known('r3/Holz.md', 'r3/from.md');
    await rename(document, '## Eiche', 'Eichenholz');
    assert.match(document.getText(), /## Eichenholz\n\n\[\[#Eichenholz\]\]/);
    assert.match(await text('r3/from.md'), /\[\[Holz#Eichenholz\]\]/);
  });

  it('a tag, in the text and in the frontmatter', async () => {
    await write('r4/a.md', '---\ntags: [werkzeug, x]\n---\n# A\n\n#werkzeug\n');
    await write('r4/b.md', '# B\n\n#werkzeug/klein\n');
    const { document } = await show('r4/a.md');
    await known('r4/a.md', 'r4/b.md');
    await rename(document, '#werkzeug', 'tool');
    assert.match(document.getText(), /tags: \[tool, x\][\s\S]*#tool\n/);
    assert.match(await text('r4/b.md'), /#tool\/klein/);
  });

  it('a file that is moved: links follow, not twice', async () => {
    await write('m1/Zange.md', '# Zange\n\n[k](Kneif.md)\n');
    await write('m1/Kneif.md', '# Kneif\n\n[z](Zange.md)\n');
    await write('m1/from.md', '# F\n\n[[m1/Zange]] [z](Zange.md) [z](./Zange.md#zange)\n');
    await known('m1/Zange.md', 'm1/Kneif.md', 'm1/from.md');
    const { document } = await show('m1/from.md');
    const edit = new vscode.WorkspaceEdit();
    edit.renameFile(at('m1/Zange.md'), at('m1/deep/Zange.md'));
    assert.ok(await vscode.workspace.applyEdit(edit));
    await until('links', () => !document.getText().includes('m1/Zange]]'));
    assert.equal(
      document.getText(),
      '# F\n\n[[m1/deep/Zange]] [z](deep/Zange.md) [z](./deep/Zange.md#zange)\n');
    assert.match(await text('m1/deep/Zange.md'), /\[k\]\(\.\.\/Kneif\.md\)/);
    assert.match(await text('m1/Kneif.md'), /\[z\]\(deep\/Zange\.md\)/);
    await until('no finding', () => findings(document).length === 0 && 'none');
  });

  it('a folder that is renamed', async () => {
    await write('m2/alt/Feile.md', '# Feile\n\n[[m2/alt/Raspel]]\n');
    await write('m2/alt/Raspel.md', '# Raspel\n');
    await write('m2/from.md', '# F\n\n[[m2/alt/Feile]] [r](alt/Raspel.md)\n');
    await known('m2/alt/Feile.md', 'm2/alt/Raspel.md', 'm2/from.md');
    const { document } = await show('m2/from.md');
    const edit = new vscode.WorkspaceEdit();
    edit.renameFile(at('m2/alt'), at('m2/neu'));
    assert.ok(await vscode.workspace.applyEdit(edit));
    await until('links', () => document.getText().includes('neu'));
    assert.equal(document.getText(), '# F\n\n[[m2/neu/Feile]] [r](neu/Raspel.md)\n');
    assert.match(await text('m2/neu/Feile.md'), /\[\[m2\/neu\/Raspel\]\]/);
  });
});

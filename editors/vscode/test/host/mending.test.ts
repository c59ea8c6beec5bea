/** Findings and what is done about them. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { at, call, closeAll, exists, find, findings, ready, read, retype, show, until, write } from './kit';

describe('findings and fixes', () => {
  before(ready);
  afterEach(closeAll);

  /** The actions offered at a place, with their edits. */
  async function actions(
    document: vscode.TextDocument,
    range: vscode.Range,
    kind?: string,
  ): Promise<vscode.CodeAction[]> {
    const found = await call<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider', document.uri, range, kind, 40);
    return found;
  }

  it('each link that leads nowhere is told once', async () => {
    await write('d1.md', '# D\n\n[[Nirgends]] [[Nirgends]] [[Wasserrad#Nix]]\n');
    const { document } = await show('d1.md');
    await until('findings', () => findings(document));
    // not more when they are asked for again
    await retype(vscode.window.activeTextEditor!, `${document.getText()}\n`);
    await until('again', () => findings(document).length === 3);
    const all = vscode.languages.getDiagnostics(document.uri);
    assert.deepEqual(findings(document), [
      'unresolved-heading Nix', 'unresolved-link Nirgends', 'unresolved-link Nirgends',
    ]);
    assert.equal(all.length, 3, 'nobody else tells of them');
    assert.ok(all.every(one => typeof one.code === 'object'), 'the code links to its page');
  });

  it('a finding goes away when another note changes', async () => {
    await write('d2.md', '# D\n\n[[Neuland]]\n');
    const { document } = await show('d2.md');
    await until('the finding', () => findings(document));
    await write('Neuland.md', '# Neuland\n');
    await until('its end', () => findings(document).length === 0);
    await vscode.workspace.fs.delete(at('Neuland.md'));
    await until('it again', () => findings(document).length === 1);
  });

  it('unsaved text of another note counts', async () => {
    await write('d3a.md', '# Aaa\n\n[[d3b#Neu]]\n');
    await write('d3b.md', '# Bbb\n');
    const { document } = await show('d3a.md');
    await until('the finding', () => findings(document));
    const other = await show('d3b.md');
    await retype(other, '# Bbb\n\n## Neu\n');
    await until('its end', () => findings(document).length === 0);
  });

  it('the missing note is created', async () => {
    await write('d4.md', '# D\n\n[[Frisch gedacht]]\n');
    const { document } = await show('d4.md');
    const [finding] = await until('the finding', () =>
      vscode.languages.getDiagnostics(document.uri).filter(one => one.source === 'mindnet'));
    const offered = await actions(document, finding!.range);
    const create = offered.find(one => /Create/.test(one.title) && /Frisch gedacht/.test(one.title));
    assert.ok(create, offered.map(one => one.title).join('\n'));
    assert.ok(create.edit ? await vscode.workspace.applyEdit(create.edit) : false, 'with an edit');
    await until('no finding', () => findings(document).length === 0);
    assert.ok(await exists('Frisch gedacht.md'));
  });

  it('a selection becomes a note', async () => {
    await write('d5.md', '# D\n\n## Teil\n\nEin Gedanke.\n\n## Rest\n');
    const { document } = await show('d5.md');
    const from = find(document, '## Teil');
    const to = find(document, '## Rest');
    const offered = await until('actions', async () => {
      const all = await actions(document, new vscode.Range(from, to), 'refactor.extract');
      return all.filter(one => /note/i.test(one.title));
    });
    const { edit } = offered[0]!;
    assert.ok(edit && (await vscode.workspace.applyEdit(edit)));
    assert.match(document.getText(), /\[\[.*Teil.*\]\]/);
    assert.doesNotMatch(document.getText(), /Ein Gedanke/);
  });

  it('what is certain is fixed on saving, if it is wanted', async () => {
    const settings = vscode.workspace.getConfiguration('editor');
    const wanted = { 'source.fixAll.mindnet': 'explicit' };
    await settings.update('codeActionsOnSave', wanted, vscode.ConfigurationTarget.Global);
    await write('d6.md', '# D\n\nalt\n');
    const editor = await show('d6.md');
    await retype(editor, '# D\n\n[[Kalkmoertel]]\n');
    await until('the finding', () => findings(editor.document));
    await until('the fix', async () => {
      await editor.document.save();
      return (await read('d6.md')).includes('[[Kalkmörtel]]');
    });
    assert.equal(await read('d6.md'), '# D\n\n[[Kalkmörtel]]\n');
    await settings.update('codeActionsOnSave', undefined, vscode.ConfigurationTarget.Global);
  });
});

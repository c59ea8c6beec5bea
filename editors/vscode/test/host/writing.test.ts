/** What a writer does, key by key: proposals, and the line as it is after one was accepted. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { accept, at, call, closeAll, cursor, ready, read, retype, show, type, until, write } from './kit';

const END = new vscode.Position(2, 0);

describe('writing a note', () => {
  let editor: vscode.TextEditor;
  before(async () => {
    await write('t/writing.md', '# Writing\n\n\n');
    await write('t/blocks.md', '# Blocks\n\nFirst thought.\n\nSecond thought.\n');
    editor = await show('t/writing.md');
    await ready();
    await until('the new note', async () =>
      (await labels('[[Blo')).some(label => label === 'Blocks' || label === 'blocks'));
  });
  beforeEach(async () => {
    await retype(editor, '# Writing\n\n\n');
    cursor(editor, END);
  });
  after(closeAll);

  /** The labels proposed at the end of a line. */
  async function labels(line: string): Promise<string[]> {
    await retype(editor, `# Writing\n\n${line}\n`);
    const list = await call<vscode.CompletionList>(
      'vscode.executeCompletionItemProvider', editor.document.uri, END.translate(0, line.length));
    return list.items.map(one => (typeof one.label === 'string' ? one.label : one.label.label));
  }

  /** Type, accept the first proposal, and give the whole line. */
  async function typed(text: string): Promise<string> {
    await type(text);
    await accept(editor);
    return editor.document.lineAt(2).text;
  }

  it('a note behind [[, whose closing brackets came by themselves', async () => {
    assert.equal(await typed('[[Restore the M'), '[[Restore the Mill Wheel]]');
  });

  it('the same where the brackets did not come', async () => {
    await retype(editor, '# Writing\n\nsee [[Wasserr\n');
    cursor(editor, new vscode.Position(2, 13));
    await call('editor.action.triggerSuggest');
    await accept(editor);
    assert.equal(editor.document.lineAt(2).text, 'see [[Wasserrad]]');
  });

  it('a heading of a note', async () => {
    assert.equal(
      await typed('[[Hybrid Search#Fus'), '[[Hybrid Search#Fusing two rankings]]');
  });

  it('a block with an id', async () => {
    assert.equal(
      await typed('[[Abfluss und Pegel#^schl'), '[[Abfluss und Pegel#^schluesselkurve]]');
  });

  it('a block without an id gets one, in the other file', async () => {
    const line = await typed('[[blocks#^Second');
    const id = /^\[\[blocks#\^([\w-]+)\]\]$/.exec(line)?.[1];
    assert.ok(id, line);
    const other = await until('the id in the other note', async () => {
      const open = vscode.workspace.textDocuments.find(
        one => one.uri.toString() === at('t/blocks.md').toString());
      const text = open?.getText() ?? (await read('t/blocks.md'));
      return text.includes(`^${id}`) && text;
    });
    assert.equal(other, `# Blocks\n\nFirst thought.\n\nSecond thought. ^${id}\n`);
  });

  it('a relation kind behind [[rel:, then a note', async () => {
    const kind = await typed('[[rel:supp');
    assert.match(kind, /^\[\[rel:supports ?\]\]$/);
    await type('Wasserr');
    await accept(editor);
    assert.equal(editor.document.lineAt(2).text, '[[rel:supports Wasserrad]]');
  });

  it('kinds, callouts and tags are proposed where they are meant', async () => {
    assert.ok((await labels('[[rel:')).includes('supports'));
    assert.ok((await labels('> [!e')).some(label => label.includes('edge')));
    assert.ok((await labels('#müh')).some(label => label.includes('mühle')));
  });

  it('a heading and its links in the note are edited together', async () => {
    await retype(editor, '# Writing\n\n## Eins\n\n[[#Eins]]\n');
    const place = new vscode.Position(2, 4);
    const ranges = await until('linked ranges', async () => {
      const found = await call<{ ranges: vscode.Range[] } | undefined>(
        '_executeLinkedEditingProvider', editor.document.uri, place).then(
          one => one, () => undefined);
      return found?.ranges ?? [];
    });
    assert.equal(ranges.length, 2);
  });
});

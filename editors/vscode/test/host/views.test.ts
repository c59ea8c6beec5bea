/** The side view, the chat, drafts, the graph panel and the preview, in the running editor. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Turn } from '../../src/chatProtocol';
import type { Line } from '../../src/sideTree';
import { at, call, closeAll, exists, read, ready, show, until, write } from './kit';

interface Api {
  side(): Line[];
  turns(): Turn[];
}
let api: Api;
const labels = (line: Line | undefined): string[] => (line?.children ?? []).map(one => one.label);
const group = (id: string): Line | undefined => api.side().find(one => one.id === id);

describe('the views', () => {
  before(async () => {
    await ready();
    api = (await vscode.extensions.getExtension<Api>('mindnet.mindnet')!.activate()) as Api;
  });
  afterEach(closeAll);

  it('the side view shows backlinks by kind, and follows the editor', async () => {
    await write('v1.md', '# V eins\n');
    await write('v2.md', '# V zwei\n\n[[V eins]]\n\nsupports:: [[V eins]]\n');
    await call('mindnetUi.note.focus');
    await show('v1.md');
    const kinds = await until('backlinks', () => {
      const found = labels(group('backlinks'));
      return found.includes('supports') && found;
    });
    assert.ok(kinds.includes('references'), String(kinds));
    await show('v2.md');
    await until('none of the other note', () => !labels(group('backlinks')).includes('supports'));
    // nothing was typed, so nothing may be unsaved
    assert.deepEqual(vscode.workspace.textDocuments.filter(one => one.isDirty), []);
  });

  it('a suggested link is inserted from the side view', async () => {
    await write('Zeitzeichen Nord.md', '# Zeitzeichen Nord\n\nEin Funkturm an der Küste.\n');
    await write('v3.md', '# V drei\n\nGestern am Zeitzeichen Nord gewesen.\n');
    await call('mindnetUi.note.focus');
    const editor = await show('v3.md');
    const line = await until('the suggestion', () =>
      group('suggestions')?.children.find(one => one.label === 'Zeitzeichen Nord'),
    );
    await call('mindnetUi.sideInsert', line);
    await until('the link', () => editor.document.getText().includes('[[Zeitzeichen Nord]]'));
  });

  it('a suggestion that is dismissed stays away', async () => {
    await write('Lichtbake Süd.md', '# Lichtbake Süd\n\nEin Zeichen an der Küste.\n');
    await write('v4.md', '# V vier\n\nDie Lichtbake Süd war dunkel.\n');
    await call('mindnetUi.note.focus');
    await show('v4.md');
    const line = await until('the suggestion', () =>
      group('suggestions')?.children.find(one => one.label === 'Lichtbake Süd'),
    );
    // not waited for: it ends when the message with “Undo” is answered
    void call('mindnetUi.sideDismiss', line);
    const uri = at('v4.md').toString();
    await until('that the server knows', async () => {
      const found = await call<{ suggestions: { title: string }[] }>('mindnet.suggestEdges', { uri });
      return found.suggestions.every(one => one.title !== 'Lichtbake Süd');
    });
    assert.equal(labels(group('suggestions')).includes('Lichtbake Süd'), false);
  });

  it('a chat without a model says why there is no answer', async () => {
    await call('mindnetUi.chatOpen', '');
    await call('mindnetUi.chatNew');
    await call('mindnetUi.chatSend', 'Was hält das Wasserrad auf?');
    const turn = await until('the end of the turn', () => {
      const last = api.turns().at(-1);
      return last && last.state !== 'waiting' && last;
    });
    assert.equal(turn.state, 'failed');
    assert.match(turn.failure, /Ollama/);
    await call('mindnetUi.chatNew');
    assert.deepEqual(api.turns(), []);
  });

  it('a draft is an unsaved editor until it is saved', async () => {
    await call('mindnetUi.draft', 'Neues Projekt: Turmuhr richten');
    const draft = await until('the draft', () => {
      const document = vscode.window.activeTextEditor?.document;
      return document?.isUntitled && document.getText().includes('Turmuhr') && document;
    });
    const lenses = await until('the lenses', () =>
      call<vscode.CodeLens[]>('vscode.executeCodeLensProvider', draft.uri),
    );
    assert.equal(lenses[0]!.command!.command, 'mindnetUi.saveDraft');
    await call('mindnetUi.saveDraft');
    const saved = await until('the note', () => {
      const uri = vscode.window.activeTextEditor?.document.uri;
      return uri?.scheme === 'file' && uri;
    });
    assert.match(saved.path, /\.md$/);
    assert.match(await read(vscode.workspace.asRelativePath(saved)), /Turmuhr/);
    assert.equal(vscode.workspace.textDocuments.some(one => one.isUntitled && !one.isClosed), false);
  });

  it('the graph panel opens beside the note', async () => {
    await show('v2.md');
    await call('mindnetUi.graphPanel');
    await until('the panel', () =>
      vscode.window.tabGroups.all
        .flatMap(one => one.tabs)
        .some(tab => tab.input instanceof vscode.TabInputWebview && tab.label.includes('V zwei')),
    );
  });

  it('the preview renders links where they lead', async () => {
    await write('v5.md', '# V fünf\n\nsupports:: [[V eins]] und [[Nirgends]]\n');
    assert.ok(await exists('v1.md'));
    const document = await vscode.workspace.openTextDocument(at('v5.md'));
    const html = await until('the link', async () => {
      const text = await call<string>('markdown.api.render', document);
      return text.includes('mindnet-link') && text;
    });
    assert.match(html, /<span class="mindnet-kind">supports<\/span><a href="v1.md"/);
    assert.match(html, /<span class="mindnet-nowhere">Nirgends<\/span>/);
  });
});

/** What a reader sees: hover, jumps, references, outline, folding, colours. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { at, call, closeAll, find, ready, show, until, write } from './kit';

const MILL = '30_projects/Restore the Mill Wheel.md';

describe('reading a note', () => {
  let editor: vscode.TextEditor;
  let document: vscode.TextDocument;
  before(async () => {
    editor = await show('Start hier.md');
    document = editor.document;
    await ready();
  });
  after(closeAll);

  it('hovers over a link: the note it leads to and who links there', async () => {
    const place = find(document, '[[Wasserrad|', 4);
    const [shown, ...more] = await call<vscode.Hover[]>(
      'vscode.executeHoverProvider', document.uri, place);
    const text = shown!.contents.map(one => (one as vscode.MarkdownString).value).join('\n');
    assert.match(text, /\*\*Wasserrad\*\*/);
    assert.match(text, /\d backlinks/);
    assert.deepEqual(more, []);
    assert.equal(document.getText(shown!.range), '[[Wasserrad|Wie das Rad arbeitet]]');
  });

  it('goes to the definition of a link, down to the heading', async () => {
    const [found, ...more] = await call<vscode.LocationLink[]>(
      'vscode.executeDefinitionProvider', document.uri, find(document, 'Hybrid Search#', 16));
    assert.deepEqual(more, []);
    assert.equal(found!.targetUri.toString(), at('20_concepts/Hybrid Search.md').toString());
    const target = await vscode.workspace.openTextDocument(found!.targetUri);
    assert.match(target.lineAt(found!.targetSelectionRange!.start).text, /## Fusing two rankings/);
  });

  it('finds the references of a note from a link to it', async () => {
    const found = await call<vscode.Location[]>(
      'vscode.executeReferenceProvider', document.uri, find(document, '[[Wasserrad|', 4));
    const files = new Set(found.map(one => vscode.workspace.asRelativePath(one.uri)));
    assert.ok(files.has(MILL), [...files].join());
    assert.ok(files.has('Start hier.md'));
  });

  it('links can be followed, with the line of a heading in the address', async () => {
    const links = await call<vscode.DocumentLink[]>(
      'vscode.executeLinkProvider', document.uri, 100);
    const of = (text: string) => links.filter(one => document.getText(one.range).includes(text));
    const [heading] = of('Hybrid Search');
    assert.match(heading!.target!.toString(true), /Hybrid Search\.md#L?\d+/);
    assert.equal(of('Wasserrad').length, 1, 'each link once');
  });

  it('has an outline', async () => {
    const [top] = await call<vscode.DocumentSymbol[]>(
      'vscode.executeDocumentSymbolProvider', document.uri);
    assert.ok(top);
    const names = top.children.map(one => one.name).join('|');
    assert.match(names, /Die Mühle\|The software/);
  });

  it('finds notes and headings of the whole vault by name', async () => {
    const found = await call<vscode.SymbolInformation[]>(
      'vscode.executeWorkspaceSymbolProvider', 'Mill Whe');
    assert.ok(found.some(one => one.location.uri.toString() === at(MILL).toString()));
  });

  it('folds sections and the frontmatter', async () => {
    const folds = await call<vscode.FoldingRange[]>(
      'vscode.executeFoldingRangeProvider', document.uri);
    const lines = folds.map(one => document.lineAt(one.start).text);
    assert.ok(lines.includes('---'));
    assert.ok(lines.includes('## Die Mühle'));
  });

  it('widens the selection from the name to the link', async () => {
    const place = find(document, '[[Wasserrad|', 4);
    const [range] = await call<vscode.SelectionRange[]>(
      'vscode.executeSelectionRangeProvider', document.uri, [place]);
    const texts: string[] = [];
    for (let one: vscode.SelectionRange | undefined = range; one; one = one.parent) {
      texts.push(document.getText(one.range));
    }
    const link = texts.indexOf('[[Wasserrad|Wie das Rad arbeitet]]');
    assert.ok(link > 0, texts.slice(0, 6).join('\n'));
    assert.ok(texts.indexOf('Wasserrad') < link);
  });

  it('colours missing targets otherwise than notes', async () => {
    const { uri } = await write('t/colour.md', '# C\n\n[[Wasserrad]] and [[Nirgendwo]]\n').then(
      one => vscode.workspace.openTextDocument(one));
    const found = await until('tokens', async () => {
      const legend = await call<vscode.SemanticTokensLegend>(
        'vscode.provideDocumentSemanticTokensLegend', uri);
      const tokens = await call<vscode.SemanticTokens>(
        'vscode.provideDocumentSemanticTokens', uri);
      const kinds = [...tokens.data].filter((_, i) => i % 5 === 3);
      const names = kinds.map(kind => legend.tokenTypes[kind]);
      return names.length >= 2 && names;
    });
    assert.deepEqual(found, ['class', 'comment']);
  });

  it('shows the callers of a note: who links to it, by kind', async () => {
    const target = await vscode.workspace.openTextDocument(at('20_concepts/Wasserrad.md'));
    const [item] = await call<vscode.CallHierarchyItem[]>(
      'vscode.prepareCallHierarchy', target.uri, find(target, '# Wasserrad', 3));
    assert.equal(item!.name, 'Wasserrad');
    const incoming = await call<vscode.CallHierarchyIncomingCall[]>(
      'vscode.provideIncomingCalls', item);
    assert.ok(incoming.some(one => one.from.name === 'Restore the Mill Wheel'));
    const outgoing = await call<vscode.CallHierarchyOutgoingCall[]>(
      'vscode.provideOutgoingCalls', item);
    assert.ok(outgoing.length > 0);
  });

  it('tells the title behind an id', async () => {
    await write('t/k-2031.md', '---\nid: k-2031\ntitle: Deichwacht\n---\n# Deichwacht\n');
    const uri = await write('t/hint.md', '# H\n\n[[k-2031]]\n');
    await vscode.workspace.openTextDocument(uri);
    const hints = await until('hints', () => call<vscode.InlayHint[]>(
      'vscode.executeInlayHintProvider', uri, new vscode.Range(0, 0, 3, 0)));
    const labels = hints.map(one =>
      typeof one.label === 'string' ? one.label : one.label.map(part => part.value).join(''));
    assert.deepEqual(labels, ['Deichwacht']);
  });

  it('a code lens opens the references', async () => {
    const target = await show('20_concepts/Wasserrad.md');
    const lenses = await until('lenses', () => call<vscode.CodeLens[]>(
      'vscode.executeCodeLensProvider', target.document.uri, 10));
    const { command } = lenses[0]!;
    const answer = await call<{ locations: unknown[] }>(
      command!.command, ...(command!.arguments ?? []));
    assert.equal(command!.title, `${answer.locations.length} backlinks`);
    assert.ok(answer.locations.length >= 7);
  });
});

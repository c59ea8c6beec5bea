/** Palette: ask the notes, and the links that a note does not have yet. */
import * as vscode from 'vscode';
import { activeNote, ask, vaultUri, type Tools } from './asking';
import { toLocation } from './middleware';
import type { Hit, Suggestion } from './payloads';
import { excerpt, scoreText } from './wording';

interface HitItem extends vscode.QuickPickItem {
  hit: Hit;
}

/** Ask, show the hits with score and reasons, open the chosen one at its place. */
export async function askNotes(tools: Tools): Promise<void> {
  const title = vscode.l10n.t('Ask My Notes');
  const query = await vscode.window.showInputBox({
    title,
    prompt: vscode.l10n.t('A question, or words that you remember'),
    value: selectedText(),
  });
  if (!query?.trim()) {
    return;
  }
  const searching = vscode.l10n.t('Searching');
  const answer = await ask<{ hits: Hit[] }>(
    tools,
    'mindnet.query',
    { query, ...vaultUri() },
    searching,
  );
  if (!answer) {
    return;
  }
  if (answer.hits.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('No note fits “{0}”.', query));
    return;
  }
  const chosen = await vscode.window.showQuickPick(answer.hits.map(hitItem), {
    title: `${title}: ${query}`,
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (chosen) {
    await open(chosen.hit);
  }
}

function hitItem(hit: Hit): HitItem {
  const section = hit.section && hit.section !== hit.title ? ` › ${hit.section}` : '';
  return {
    hit,
    label: `${hit.title}${section}`,
    description: [scoreText(hit.score), hit.type].filter(Boolean).join(' · '),
    detail: hit.reasons.length ? hit.reasons.join(' · ') : excerpt(hit.text),
  };
}

/** Insert one or more of the edges that the server suggests for the active note. */
export async function suggestEdges(tools: Tools): Promise<void> {
  const editor = activeNote();
  if (!editor) {
    return;
  }
  const { document, selection } = editor;
  const { start, end } = selection;
  const range = selection.isEmpty ? {} : { range: { start, end } };
  const { version } = document;
  const answer = await ask<{ suggestions: Suggestion[] }>(
    tools,
    'mindnet.suggestEdges',
    { uri: document.uri.toString(), ...range },
    vscode.l10n.t('Looking for related notes'),
  );
  if (!answer) {
    return;
  }
  if (answer.suggestions.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('No link to suggest here.'));
    return;
  }
  const items = answer.suggestions.map(suggestion => ({
    suggestion,
    label: suggestion.title,
    description: `${suggestion.kind} · ${scoreText(suggestion.score)}`,
    detail: suggestion.reasons.join(' · '),
  }));
  const chosen = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Insert Suggested Links'),
    canPickMany: true,
    matchOnDetail: true,
  });
  if (chosen?.length) {
    await insert(
      document,
      version,
      chosen.map(one => one.suggestion),
    );
  }
}

/** Write suggested edges into a note, unless it is another text by now. */
export async function insert(
  document: vscode.TextDocument,
  version: number,
  suggestions: Suggestion[],
): Promise<void> {
  if (document.version !== version) {
    void vscode.window.showWarningMessage(
      vscode.l10n.t('The note was changed in the meantime; nothing was inserted.'),
    );
    return;
  }
  const edit = new vscode.WorkspaceEdit();
  for (const one of suggestions) {
    const { range } = toLocation({ uri: one.uri, range: one.range });
    edit.replace(document.uri, range, one.new_text);
  }
  await vscode.workspace.applyEdit(edit);
}

/** Open a place of a note, its lines in view. */
export async function open(place: Pick<Hit, 'uri' | 'range'>): Promise<void> {
  const { uri, range } = toLocation(place);
  const selection = new vscode.Range(range.start, range.start);
  const editor = await vscode.window.showTextDocument(uri, { selection });
  editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

function selectedText(): string {
  const editor = vscode.window.activeTextEditor;
  const { selection } = editor ?? {};
  return editor && selection?.isSingleLine ? editor.document.getText(selection) : '';
}

/** Palette: ask the chat about a selection, and ask an earlier question again. */
import * as vscode from 'vscode';
import { ask, vaultUri, type Tools } from './asking';
import type { ChatView } from './chatView';
import type { HistoryEntry } from './payloads';

const ENTRIES = 100;

/** Bring the selected text into the chat as a quote; the person writes what to ask about it. */
export async function askSelection(chat: ChatView): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const text = editor?.document.getText(editor.selection).trim() ?? '';
  const quote = text.replace(/^/gm, '> ');
  await chat.compose(text ? `${quote}\n\n` : '');
}

/** Choose among the questions that were asked before; it can be changed before it is sent. */
export async function askAgain(tools: Tools, chat: ChatView): Promise<void> {
  const title = vscode.l10n.t('Earlier Questions');
  const answer = await ask<{ entries: HistoryEntry[] }>(
    tools,
    'mindnet.history',
    { limit: ENTRIES, ...vaultUri() },
    title,
  );
  if (!answer) {
    return;
  }
  const items = answer.entries.map(({ query, mode, timestamp }) => ({
    label: query,
    description: mode,
    detail: new Date(timestamp).toLocaleString(vscode.env.language),
  }));
  if (items.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('Nothing was asked yet.'));
    return;
  }
  const chosen = await vscode.window.showQuickPick(items, { title, matchOnDetail: true });
  if (chosen) {
    await chat.compose(chosen.label);
  }
}

/** Palette: new notes, reading everything again, and what state the server is in. */
import * as vscode from 'vscode';
import { ask, vaultUri, type Tools } from './asking';
import type { Status } from './payloads';
import type { StatusView } from './status';

/** Ask for a title and make a note of it; the server chooses folder and template, and opens it. */
export async function newNote(tools: Tools): Promise<void> {
  const title = await vscode.window.showInputBox({
    title: vscode.l10n.t('New Note'),
    prompt: vscode.l10n.t('Title of the note'),
    validateInput: text => (text.trim() ? undefined : vscode.l10n.t('A note needs a title.')),
  });
  if (title) {
    const creating = vscode.l10n.t('Creating the note');
    await ask(tools, 'mindnet.newNote', { title, ...vaultUri() }, creating);
  }
}

interface Reindexed {
  notes: number;
  changed: number;
  failed: { uri: string; reason: string }[];
}

/** Read all notes of the vault again, for links and for the search. */
export async function reindex(tools: Tools): Promise<void> {
  const title = vscode.l10n.t('Reading all notes again');
  const answer = await ask<Reindexed>(tools, 'mindnet.reindex', vaultUri(), title);
  if (!answer) {
    return;
  }
  for (const { uri, reason } of answer.failed) {
    tools.log.own.error(`${uri}: ${reason}`);
  }
  const { notes, changed, failed } = answer;
  if (failed.length) {
    await tools.log.failed(vscode.l10n.t('{0} notes could not be read.', failed.length));
  } else {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('{0} notes read, {1} changed.', notes, changed),
    );
  }
}

interface StatusLine extends vscode.QuickPickItem {
  run?: string;
}

/** Show the state of the vault, and what can be done about it. */
export async function showStatus(tools: Tools, view: StatusView): Promise<void> {
  const title = vscode.l10n.t('Asking the server');
  const running = tools.connection.client !== undefined;
  const status = running
    ? await ask<Status>(tools, 'mindnet.status', vaultUri(), title)
    : view.shown;
  const chosen = await vscode.window.showQuickPick([...lines(status), ...actions(running)], {
    title: status ? `mindnet ${status.version} · ${status.vault}` : 'mindnet',
  });
  if (chosen?.run) {
    await vscode.commands.executeCommand(chosen.run);
  }
}

function lines(status: Status | undefined): StatusLine[] {
  if (!status) {
    return [{ label: `$(circle-slash) ${vscode.l10n.t('The mindnet server is not running.')}` }];
  }
  const { index, store, embedding, llm } = status;
  const t = vscode.l10n.t;
  return [
    {
      label: `$(book) ${t('{0} notes, {1} links lead nowhere', status.notes, status.unresolved)}`,
      description: index.last_error ?? index.state,
    },
    {
      label: `$(database) ${t('{0} chunks, {1} edges', status.chunks, status.edges)}`,
      description: `${store.mode}: ${store.state}`,
    },
    {
      label: `$(symbol-array) ${t('Meaning')}`,
      description: [embedding.provider, embedding.model, embedding.state].join(' '),
    },
    { label: `$(comment) ${t('Language model')}`, description: `${llm.model} ${llm.state}` },
  ];
}

function actions(running: boolean): StatusLine[] {
  const t = vscode.l10n.t;
  const { Separator } = vscode.QuickPickItemKind;
  return [
    { label: '', kind: Separator },
    ...(running
      ? [{ label: `$(refresh) ${t('Index All Notes Again')}`, run: 'mindnetUi.reindex' }]
      : []),
    { label: `$(debug-restart) ${t('Restart the Server')}`, run: 'mindnetUi.restart' },
    { label: `$(cloud-download) ${t('Install or Update the Server')}`, run: 'mindnetUi.install' },
    { label: `$(output) ${t('Show the Log')}`, run: 'mindnetUi.showLog' },
  ];
}

/** Calling the server's commands, with its expected failures shown to the person. */
import * as vscode from 'vscode';
import type { Connection } from './client';
import type { Log } from './log';
import { isFailure } from './payloads';

/** What commands of the palette work with. */
export interface Tools {
  connection: Connection;
  log: Log;
}

/**
 * Call a command of the server and wait for its result, with progress that can be cancelled.
 * Undefined where it failed or was cancelled; the person has been told why.
 */
export async function ask<T>(
  { connection, log }: Tools,
  command: string,
  argument: object,
  title: string,
): Promise<T | undefined> {
  const { client } = connection;
  if (!client) {
    await log.failed(vscode.l10n.t('The mindnet server is not running.'));
    return undefined;
  }
  const location = vscode.ProgressLocation.Notification;
  try {
    const answer = await vscode.window.withProgress(
      { location, title, cancellable: true },
      (_progress, token) =>
        client.sendRequest<T>(
          'workspace/executeCommand',
          { command, arguments: [argument] },
          token,
        ),
    );
    if (!isFailure(answer)) {
      return answer;
    }
    const { code, message, hint } = answer.error;
    if (code !== 'cancelled') {
      await log.failed(hint ? `${message}. ${hint}` : message);
    }
  } catch (error) {
    if (!isCancelled(error)) {
      await log.failed(error instanceof Error ? error.message : String(error));
    }
  }
  return undefined;
}

/**
 * Call a command of the server without a word to the person: for what is shown by the way.
 * Undefined where it failed, was cancelled, or there is no server.
 */
export async function askQuietly<T>(
  { connection, log }: Tools,
  command: string,
  argument: object,
  token: vscode.CancellationToken,
): Promise<T | undefined> {
  try {
    const answer = await connection.client?.sendRequest<T>(
      'workspace/executeCommand',
      { command, arguments: [argument] },
      token,
    );
    if (!isFailure(answer)) {
      return answer;
    }
    log.own.info(`${command}: ${answer.error.code}: ${answer.error.message}`);
  } catch (error) {
    if (!isCancelled(error)) {
      log.own.warn(`${command}: ${String(error)}`);
    }
  }
  return undefined;
}

/** -32800 and -32802: the request was cancelled, by the client or by the server. */
export function isCancelled(error: unknown): boolean {
  const code = (error as { code?: number } | undefined)?.code;
  return code === -32800 || code === -32802;
}

/** The note in the active editor; undefined, and the person is told, where there is none. */
export function activeNote(): vscode.TextEditor | undefined {
  const editor = vscode.window.activeTextEditor;
  if (editor?.document.languageId === 'markdown' && editor.document.uri.scheme === 'file') {
    return editor;
  }
  void vscode.window.showInformationMessage(vscode.l10n.t('Open a note first.'));
  return undefined;
}

/** The active note if there is one, else the first folder: says which vault is meant. */
export function vaultUri(): { uri?: string } {
  const uri = vscode.window.activeTextEditor?.document.uri;
  const inFolder = uri && vscode.workspace.getWorkspaceFolder(uri);
  return inFolder ? { uri: uri.toString() } : {};
}

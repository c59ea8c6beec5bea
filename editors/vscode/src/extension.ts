/** Where VS Code starts and ends the extension. */
import * as vscode from 'vscode';
import { Connection } from './client';
import { register } from './commands';
import { Log } from './log';
import type { Status } from './payloads';
import { Server } from './server';
import { needsRestart, SECTION, serverKeys } from './settings';
import { StatusView } from './status';

let connection: Connection | undefined;

/** What other extensions, and the tests, can get hold of. */
export interface Api {
  /** What the server last said about the vault that is looked at. */
  status(): Status | undefined;
}

/** Put everything together and start the server, without waiting for it. */
export function activate(context: vscode.ExtensionContext): Api {
  const log = new Log();
  const server = new Server(context, log);
  const status = new StatusView();
  const keys = serverKeys(context.extension.packageJSON as Parameters<typeof serverKeys>[0]);
  const started = (connection = new Connection(server, log, keys));
  context.subscriptions.push(
    log,
    status,
    started,
    register({ connection: started, log }, server, status),
    started.onPhase(phase => status.setPhase(phase)),
    started.onStatus(said => status.accept(said as Status)),
    vscode.workspace.onDidChangeConfiguration(change => {
      if (needsRestart(change)) {
        void started.restart();
      } else if (change.affectsConfiguration(SECTION)) {
        void started.settingsChanged();
      }
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => void started.restart()),
  );
  void started.restart();
  return { status: () => status.shown };
}

/** End the server in order before the window closes. */
export async function deactivate(): Promise<void> {
  await connection?.stop();
  connection = undefined;
}

/**
 * The commands of the palette. Their ids begin with `mindnetUi.`: those with `mindnet.` are the
 * server's, and the language client registers them itself.
 */
import * as vscode from 'vscode';
import type { Tools } from './asking';
import { backlinks, graph, pathBetween } from './graph';
import { askNotes, suggestEdges } from './search';
import type { Server } from './server';
import type { StatusView } from './status';
import { newNote, reindex, showStatus } from './upkeep';

/** Register all commands; they end with what is returned. */
export function register(tools: Tools, server: Server, status: StatusView): vscode.Disposable {
  const { connection, log } = tools;
  const commands: Record<string, () => unknown> = {
    ask: () => askNotes(tools),
    suggestEdges: () => suggestEdges(tools),
    backlinks: () => backlinks(tools),
    graph: () => graph(tools),
    path: () => pathBetween(tools),
    newNote: () => newNote(tools),
    reindex: () => reindex(tools),
    status: () => showStatus(tools, status),
    restart: () => connection.restart(),
    install: async () => {
      // on some systems files of a running program cannot be replaced
      await connection.stop();
      await server.install();
      await connection.restart();
    },
    showLog: () => log.show(),
  };
  return vscode.Disposable.from(
    ...Object.entries(commands).map(([name, run]) =>
      vscode.commands.registerCommand(`mindnetUi.${name}`, run),
    ),
  );
}

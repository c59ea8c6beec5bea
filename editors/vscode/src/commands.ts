/**
 * The commands of the palette. Their ids begin with `mindnetUi.`: those with `mindnet.` are the
 * server's, and the language client registers them itself.
 */
import * as vscode from 'vscode';
import type { Tools } from './asking';
import type { Chat } from './chat';
import type { ChatView } from './chatView';
import { draftNote, type Drafts } from './drafts';
import { backlinks, graph, pathBetween } from './graph';
import type { GraphPanel } from './graphPanel';
import { askAgain, askSelection } from './talking';
import { askNotes, suggestEdges } from './search';
import type { Server } from './server';
import type { SideView } from './sideView';
import type { Line } from './sideTree';
import type { StatusView } from './status';
import { newNote, reindex, showStatus } from './upkeep';

/** The views that commands act on. */
export interface Views {
  status: StatusView;
  side: SideView;
  chat: Chat;
  chatView: ChatView;
  graphPanel: GraphPanel;
  drafts: Drafts;
}

/** Register all commands; they end with what is returned. */
export function register(tools: Tools, server: Server, views: Views): vscode.Disposable {
  const { connection, log } = tools;
  const { status, side, chat, chatView, graphPanel, drafts } = views;
  const commands: Record<string, (given?: unknown) => unknown> = {
    chatOpen: text => chatView.compose(typeof text === 'string' ? text : ''),
    chatSend: text => (typeof text === 'string' ? chat.send(text) : chatView.compose('')),
    chatNew: () => chat.clear(),
    chatStop: () => chat.stop(),
    chatHistory: () => askAgain(tools, chatView),
    askSelection: () => askSelection(chatView),
    draft: wish => draftNote(tools, drafts, wish),
    saveDraft: () => drafts.save(),
    graphPanel: () => graphPanel.show(),
    sideRefresh: () => side.later(),
    sideInsert: line => side.insert(line as Line | undefined),
    sideDismiss: line => side.dismiss(line as Line | undefined),
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

/** Palette: backlinks, the notes around one, and the ways between two. */
import * as path from 'node:path';
import * as vscode from 'vscode';
import { activeNote, ask, type Tools } from './asking';
import { toLocation } from './middleware';
import type { Backlink, GraphEdge, GraphNode, Step } from './payloads';
import { neighbours, wayText } from './wording';

/** Show the links to the active note in the references view. */
export async function backlinks(tools: Tools): Promise<void> {
  const editor = activeNote();
  if (!editor) {
    return;
  }
  const { uri } = editor.document;
  const answer = await ask<{ backlinks: Backlink[] }>(
    tools,
    'mindnet.backlinks',
    { uri: uri.toString() },
    vscode.l10n.t('Looking for backlinks'),
  );
  if (!answer) {
    return;
  }
  if (answer.backlinks.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('No note links here.'));
    return;
  }
  await vscode.commands.executeCommand(
    'editor.action.showReferences',
    uri,
    editor.selection.active,
    answer.backlinks.map(toLocation),
  );
}

/** Walk through the graph: the neighbours of a note, then those of the chosen one. */
export async function graph(tools: Tools): Promise<void> {
  const editor = activeNote();
  let uri = editor?.document.uri.toString();
  while (uri) {
    uri = await around(tools, uri);
  }
}

const DEEPER: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon('type-hierarchy'),
  tooltip: vscode.l10n.t('Show the Notes around This One'),
};

/** Show the neighbours of one note; its URI if the person wants to go on from another. */
async function around(tools: Tools, uri: string): Promise<string | undefined> {
  const answer = await ask<{ nodes: GraphNode[]; edges: GraphEdge[] }>(
    tools,
    'mindnet.graph',
    { uri, hops: 1 },
    vscode.l10n.t('Reading the graph'),
  );
  if (!answer) {
    return undefined;
  }
  const here = answer.nodes.find(node => node.uri === uri)?.title ?? path.basename(uri);
  const items = neighbours(answer.nodes, answer.edges, uri).map(({ node, relations }) => ({
    node,
    label: node.title,
    description: relations,
    detail: vscode.l10n.t('{0} · linked with {1} notes', node.type, node.degree),
    buttons: [DEEPER],
  }));
  if (items.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('“{0}” has no neighbours.', here));
    return undefined;
  }
  const picker = vscode.window.createQuickPick<(typeof items)[number]>();
  picker.title = vscode.l10n.t('Around “{0}”', here);
  picker.items = items;
  picker.matchOnDescription = true;
  return new Promise(resolve => {
    picker.onDidTriggerItemButton(({ item }) => {
      resolve(item.node.uri);
      picker.hide();
    });
    picker.onDidAccept(() => {
      const chosen = picker.selectedItems[0];
      picker.hide();
      if (chosen) {
        void vscode.window.showTextDocument(vscode.Uri.parse(chosen.node.uri));
      }
    });
    picker.onDidHide(() => {
      resolve(undefined);
      picker.dispose();
    });
    picker.show();
  });
}

/** Choose another note and show the shortest ways to it. */
export async function pathBetween(tools: Tools): Promise<void> {
  const editor = activeNote();
  if (!editor) {
    return;
  }
  const { uri } = editor.document;
  const title = vscode.l10n.t('Find the Way to Another Note');
  const target = await pickNote(title, uri);
  if (!target) {
    return;
  }
  const answer = await ask<{ paths: Step[][] }>(
    tools,
    'mindnet.path',
    { from_uri: uri.toString(), to_uri: target.toString() },
    vscode.l10n.t('Reading the graph'),
  );
  if (!answer) {
    return;
  }
  if (answer.paths.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('No way leads there.'));
    return;
  }
  const items = answer.paths.map(steps => ({ steps, label: wayText(steps) }));
  const way = await vscode.window.showQuickPick(items, { title });
  if (!way) {
    return;
  }
  const steps = way.steps.map(step => ({ step, label: step.title, description: step.kind }));
  const chosen = await vscode.window.showQuickPick(steps, { title: way.label });
  if (chosen) {
    await vscode.window.showTextDocument(vscode.Uri.parse(chosen.step.uri));
  }
}

/** A note of the folder that `near` is in; undefined where none was chosen. */
async function pickNote(title: string, near: vscode.Uri): Promise<vscode.Uri | undefined> {
  const folder = vscode.workspace.getWorkspaceFolder(near);
  if (!folder) {
    return undefined;
  }
  const files = await vscode.workspace.findFiles(new vscode.RelativePattern(folder, '**/*.md'));
  const items = files
    .filter(uri => uri.toString() !== near.toString())
    .map(uri => ({
      uri,
      label: path.basename(uri.path, '.md'),
      description: path.dirname(vscode.workspace.asRelativePath(uri, false)),
    }))
    .sort((a, b) => a.label.localeCompare(b.label) || a.description.localeCompare(b.description));
  const chosen = await vscode.window.showQuickPick(items, { title, matchOnDescription: true });
  return chosen?.uri;
}

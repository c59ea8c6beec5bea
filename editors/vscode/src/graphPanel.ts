/** The graph panel: the notes around the open one, drawn; follows the editor. */
import * as vscode from 'vscode';
import { askQuietly, type Tools } from './asking';
import { nonce, page } from './page';
import { MAX_HOPS, type FromGraph, type Neighbourhood } from './graphProtocol';
import type { GraphEdge, GraphNode } from './payloads';

/** Most notes that are drawn; the nearest and most linked ones come first from the server. */
const LIMIT = 500;

/** One panel for a window. */
export class GraphPanel implements vscode.Disposable {
  private panel: vscode.WebviewPanel | undefined;
  private uri: string | undefined;
  private hops = 1;
  private asked: vscode.CancellationTokenSource | undefined;
  private readonly parts: vscode.Disposable;

  constructor(
    private readonly extension: vscode.Uri,
    private readonly tools: Tools,
  ) {
    this.parts = vscode.Disposable.from(
      vscode.window.onDidChangeActiveTextEditor(editor => this.follow(editor)),
      vscode.workspace.onDidSaveTextDocument(() => void this.draw()),
    );
  }

  /** Show the panel beside the open note. */
  show(): void {
    this.follow(vscode.window.activeTextEditor);
    if (this.panel) {
      this.panel.reveal(undefined, true);
      return;
    }
    const web = vscode.Uri.joinPath(this.extension, 'dist', 'web');
    const title = vscode.l10n.t('Graph');
    const column = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
    const panel = (this.panel = vscode.window.createWebviewPanel('mindnetUi.graph', title, column, {
      enableScripts: true,
      localResourceRoots: [web],
    }));
    panel.iconPath = vscode.Uri.joinPath(this.extension, 'media', 'mindnet.svg');
    panel.onDidDispose(() => (this.panel = undefined));
    panel.webview.onDidReceiveMessage(message => this.hear(message as FromGraph));
    panel.webview.html = page(panel.webview, web, 'graph', title, nonce());
  }

  dispose(): void {
    this.asked?.cancel();
    this.parts.dispose();
    this.panel?.dispose();
  }

  private follow(editor: vscode.TextEditor | undefined): void {
    const document = editor?.document;
    const uri = document?.uri.toString();
    if (document?.languageId === 'markdown' && document.uri.scheme === 'file' && uri !== this.uri) {
      this.uri = uri;
      void this.draw();
    }
  }

  private hear(message: FromGraph): unknown {
    switch (message.kind) {
      case 'ready':
        return this.draw();
      case 'hops':
        this.hops = Math.min(Math.max(Math.trunc(message.hops), 1), MAX_HOPS);
        return this.draw();
      case 'open':
        return vscode.window.showTextDocument(vscode.Uri.parse(message.uri), {
          viewColumn: vscode.ViewColumn.One,
        });
    }
  }

  private async draw(): Promise<void> {
    const { uri, hops, panel } = this;
    if (!panel?.visible || !uri) {
      return;
    }
    this.asked?.cancel();
    const { token } = (this.asked = new vscode.CancellationTokenSource());
    const answer = await askQuietly<{ nodes: GraphNode[]; edges: GraphEdge[] }>(
      this.tools,
      'mindnet.graph',
      { uri, hops, limit: LIMIT },
      token,
    );
    if (!answer || token.isCancellationRequested) {
      return;
    }
    const { nodes, edges } = answer;
    const centre = nodes.find(node => node.uri === uri);
    panel.title = vscode.l10n.t('Graph: {0}', centre?.title ?? '');
    const t = vscode.l10n.t;
    const shown: Neighbourhood = {
      centre: centre?.id ?? '',
      hops,
      nodes,
      edges,
      cut: nodes.length >= LIMIT,
      words: {
        hops: t('Steps'),
        kinds: t('Kinds of relation'),
        list: t('Notes as a list'),
        empty: t('This note has no neighbours.'),
        cut: t('Only the nearest {0} notes are drawn.', LIMIT),
      },
    };
    await panel.webview.postMessage(shown);
  }
}

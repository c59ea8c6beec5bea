/** The Markdown preview: wikilinks lead where the server says that they lead. */
import * as path from 'node:path';
import type MarkdownIt from 'markdown-it';
import * as vscode from 'vscode';
import type { Tools } from './asking';
import type { Phase } from './client';
import { extend } from './previewSyntax';

interface DocumentLink {
  range: { start: { line: number; character: number }; end: { line: number; character: number } };
  target?: string;
  data?: { target?: string };
}

/**
 * The preview renders at once and cannot wait, so links are asked for meanwhile, and the preview
 * is drawn again when they came out otherwise than before.
 */
export class Preview implements vscode.Disposable {
  private readonly known = new Map<string, Map<string, string>>();
  private readonly asking = new Set<string>();
  private readonly parts: vscode.Disposable;

  constructor(private readonly tools: Tools) {
    this.parts = vscode.Disposable.from(
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.known.delete(uri.toString())),
      tools.connection.onPhase((phase: Phase) => phase === 'running' && this.refresh()),
    );
  }

  /** What the editor calls with its Markdown engine. */
  extend(markdown: MarkdownIt): MarkdownIt {
    return extend(markdown, (inner, env) => this.address(inner, env));
  }

  dispose(): void {
    this.parts.dispose();
  }

  private address(inner: string, env: unknown): string | undefined {
    const document = (env as { currentDocument?: vscode.Uri } | undefined)?.currentDocument;
    if (!document) {
      return undefined;
    }
    void this.ask(document);
    const target = this.known.get(document.toString())?.get(inner);
    return target && relative(document, vscode.Uri.parse(target));
  }

  private async ask(document: vscode.Uri): Promise<void> {
    const uri = document.toString();
    const { client } = this.tools.connection;
    if (!client || this.asking.has(uri)) {
      return;
    }
    this.asking.add(uri);
    try {
      const text = await vscode.workspace.openTextDocument(document);
      const found = await client.sendRequest<DocumentLink[] | null>('textDocument/documentLink', {
        textDocument: { uri },
      });
      const links = new Map<string, string>();
      for (const { range, target, data } of found ?? []) {
        const { start, end } = range;
        const inner = text.getText(
          new vscode.Range(start.line, start.character, end.line, end.character),
        );
        links.set(inner, target ?? data?.target ?? '');
      }
      if (!same(links, this.known.get(uri))) {
        this.known.set(uri, links);
        this.refresh();
      }
    } catch (error) {
      this.tools.log.own.info(`preview of ${uri}: ${String(error)}`);
    } finally {
      this.asking.delete(uri);
    }
  }

  private refresh(): void {
    void vscode.commands.executeCommand('markdown.preview.refresh');
  }
}

/** The address of a file as one writes it in a note beside it. */
function relative(from: vscode.Uri, to: vscode.Uri): string {
  const way = path.posix.relative(path.posix.dirname(from.path), to.path);
  const address = way.split('/').map(encodeURIComponent).join('/');
  return to.fragment ? `${address}#${to.fragment.replace(/,.*/, '')}` : address;
}

function same(one: Map<string, string>, other: Map<string, string> | undefined): boolean {
  return one.size === other?.size && [...one].every(([key, value]) => other.get(key) === value);
}

/** The side view "Note": backlinks, related notes and suggested links of the note looked at. */
import * as vscode from 'vscode';
import { askQuietly, type Tools } from './asking';
import { toLocation } from './middleware';
import type { Backlink, Hit, Status, Suggestion } from './payloads';
import { insert } from './search';
import { treeOf, type Line, type NoteFacts, type TermNames } from './sideTree';

const VIEW = 'mindnetUi.note';
/** Milliseconds without another move before a note is asked for. */
const QUIET = 200;
const TYPING = 1_000;
const RELATED = 8;

/** Follows the active note while it is visible; an answer that comes too late is dropped. */
export class SideView implements vscode.TreeDataProvider<Line>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.changed.event;
  private readonly view: vscode.TreeView<Line>;
  private readonly parts: vscode.Disposable;
  private shown: { uri: string; version: number } | undefined;
  private facts: NoteFacts = {};
  private asked: vscode.CancellationTokenSource | undefined;
  private timer: NodeJS.Timeout | undefined;
  private settled = false;

  constructor(private readonly tools: Tools) {
    this.view = vscode.window.createTreeView(VIEW, { treeDataProvider: this });
    this.parts = vscode.Disposable.from(
      this.view,
      this.changed,
      this.view.onDidChangeVisibility(() => this.later()),
      vscode.window.onDidChangeActiveTextEditor(editor => editor && this.later()),
      vscode.workspace.onDidSaveTextDocument(({ uri }) => this.later(QUIET, uri)),
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.later(TYPING, document.uri)),
    );
    this.later();
  }

  /** What the server says of its index: when it comes to rest, there may be more to show. */
  accept({ index, store }: Status): void {
    const settled = index.state === 'ready' && index.pending === 0 && store.state === 'ready';
    if (settled && !this.settled) {
      this.later();
    }
    this.settled = settled;
  }

  /** Look again, soon; of another note than the one looked at only if it is that. */
  later(quiet = QUIET, uri?: vscode.Uri): void {
    if (uri && uri.toString() !== this.shown?.uri) {
      return;
    }
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.load(), quiet);
  }

  /** The lines that are shown, for tests: the label, and what stands below. */
  get lines(): Line[] {
    const t = vscode.l10n.t;
    return treeOf(this.facts, {
      backlinks: t('Backlinks'),
      related: t('Related Notes'),
      suggestions: t('Suggested Links'),
      score: t('Score'),
      terms: termNames(),
    });
  }

  getChildren(line?: Line): Line[] {
    return line ? line.children : this.lines;
  }

  getTreeItem(line: Line): vscode.TreeItem {
    const { None, Expanded } = vscode.TreeItemCollapsibleState;
    const item = new vscode.TreeItem(line.label, line.children.length ? Expanded : None);
    item.id = line.id;
    item.description = line.description;
    item.iconPath = new vscode.ThemeIcon(line.icon);
    if (line.detail.length) {
      item.tooltip = [line.label, ...line.detail].join('\n');
    }
    if (line.suggestion) {
      item.contextValue = 'suggestion';
    }
    const { suggestion, place } = line;
    const target = suggestion ? vscode.Uri.parse(suggestion.uri) : place && toLocation(place).uri;
    if (target) {
      const { start } = place?.range ?? { start: { line: 0, character: 0 } };
      const at = new vscode.Position(start.line, start.character);
      const options = { selection: new vscode.Range(at, at), preserveFocus: true };
      item.command = { command: 'vscode.open', title: '', arguments: [target, options] };
    }
    return item;
  }

  /** Write the suggested link of a line into the note. */
  async insert(line: Line | undefined): Promise<void> {
    const document = this.document;
    if (line?.suggestion && document && this.shown) {
      await insert(document, this.shown.version, [line.suggestion]);
      this.without(line.suggestion);
      this.later();
    }
  }

  /** Never suggest this link in this note again; can be undone from the message. */
  async dismiss(line: Line | undefined): Promise<void> {
    const uri = this.shown?.uri;
    if (!line?.suggestion || !uri) {
      return;
    }
    const { target_note_id, title } = line.suggestion;
    const what = { uri, target_note_id };
    this.without(line.suggestion);
    await this.command('mindnet.dismissSuggestion', what);
    const undo = vscode.l10n.t('Undo');
    const told = vscode.l10n.t('“{0}” is not suggested here any more.', title);
    if ((await vscode.window.showInformationMessage(told, undo)) === undo) {
      await this.command('mindnet.restoreSuggestion', what);
      this.later();
    }
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.asked?.cancel();
    this.parts.dispose();
  }

  private get document(): vscode.TextDocument | undefined {
    return vscode.workspace.textDocuments.find(one => one.uri.toString() === this.shown?.uri);
  }

  private command(name: string, what: object): Promise<unknown> {
    const { token } = new vscode.CancellationTokenSource();
    return askQuietly(this.tools, name, what, token);
  }

  private without(suggestion: Suggestion): void {
    const { suggestions } = this.facts;
    this.show({ ...this.facts, suggestions: suggestions?.filter(one => one !== suggestion) });
  }

  private show(facts: NoteFacts): void {
    this.facts = facts;
    // an empty message takes no room
    this.view.message = this.lines.length === 0 ? this.emptyText() : '';
    this.changed.fire();
  }

  private emptyText(): string {
    return this.shown
      ? vscode.l10n.t('No note links here, and no link is suggested.')
      : vscode.l10n.t('Open a note first.');
  }

  private async load(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    const isNote = editor?.document.languageId === 'markdown' && editor.document.uri.scheme === 'file';
    if (!this.view.visible || !this.tools.connection.client || (editor && !isNote)) {
      return;
    }
    this.asked?.cancel();
    const asked = (this.asked = new vscode.CancellationTokenSource());
    if (!editor) {
      this.shown = undefined;
      this.show({});
      return;
    }
    const uri = editor.document.uri.toString();
    const { version } = editor.document;
    if (uri !== this.shown?.uri) {
      this.view.description = vscode.workspace.asRelativePath(editor.document.uri, false);
    }
    const call = <T>(command: string, more: object = {}): Promise<T | undefined> =>
      askQuietly<T>(this.tools, command, { uri, ...more }, asked.token);
    await vscode.window.withProgress({ location: { viewId: VIEW } }, async () => {
      const links = call<{ backlinks: Backlink[] }>('mindnet.backlinks');
      const meaning = Promise.all([
        call<{ hits: Hit[] }>('mindnet.related', { top_k: RELATED }),
        call<{ suggestions: Suggestion[] }>('mindnet.suggestEdges'),
      ]);
      const { backlinks } = (await links) ?? {};
      if (!asked.token.isCancellationRequested) {
        // links are there at once; of another note nothing may stand beside them
        const same = uri === this.shown?.uri;
        this.shown = { uri, version };
        this.show({ ...(same ? this.facts : {}), backlinks });
      }
      const [related, suggested] = await meaning;
      if (!asked.token.isCancellationRequested) {
        const { hits } = related ?? {};
        this.show({ backlinks, related: hits, suggestions: suggested?.suggestions });
      }
    });
  }
}

/** The terms of `score_breakdown` in the person's language. */
export function termNames(): TermNames {
  const t = vscode.l10n.t;
  return {
    semantic: t('meaning'),
    lexical: t('words'),
    title: t('title'),
    edge_bonus: t('links'),
    centrality: t('position'),
    type_weight: t('type'),
  };
}

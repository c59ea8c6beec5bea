/** The status bar item and the language status item, from what the server says. */
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { Phase } from './client';
import type { Status } from './payloads';
import { severityOf } from './wording';

const SELECTOR: vscode.DocumentSelector = { language: 'markdown', scheme: 'file' };

/** Shows the vault of the active editor, else the first one. */
export class StatusView implements vscode.Disposable {
  private readonly bar = vscode.window.createStatusBarItem(
    'mindnet.status',
    vscode.StatusBarAlignment.Right,
    90,
  );
  private readonly item = vscode.languages.createLanguageStatusItem('mindnet.status', SELECTOR);
  private readonly vaults = new Map<string, Status>();
  private readonly listener: vscode.Disposable;
  private phase: Phase = 'stopped';

  constructor() {
    this.bar.name = this.item.name = 'mindnet';
    this.bar.command = 'mindnetUi.status';
    this.listener = vscode.window.onDidChangeActiveTextEditor(() => this.draw());
    this.bar.show();
    this.draw();
  }

  /** The connection is in another phase; what was known of the vaults is old. */
  setPhase(phase: Phase): void {
    this.phase = phase;
    if (phase !== 'running') {
      this.vaults.clear();
    }
    this.draw();
  }

  /** Take a status of the server. */
  accept(status: Status): void {
    this.vaults.set(status.vault, status);
    this.draw();
  }

  /** What is known of the vault that a person is looking at. */
  get shown(): Status | undefined {
    const file = vscode.window.activeTextEditor?.document.uri.fsPath ?? '';
    const all = [...this.vaults.values()];
    return all.find(({ vault }) => file.startsWith(vault + path.sep)) ?? all[0];
  }

  dispose(): void {
    this.listener.dispose();
    this.bar.dispose();
    this.item.dispose();
  }

  private draw(): void {
    const { icon, text, detail, severity } = this.look();
    this.bar.text = `${icon} mindnet`;
    this.bar.tooltip = detail ? `mindnet: ${text}\n${detail}` : `mindnet: ${text}`;
    this.bar.backgroundColor =
      severity === vscode.LanguageStatusSeverity.Error
        ? new vscode.ThemeColor('statusBarItem.errorBackground')
        : undefined;
    this.bar.accessibilityInformation = { label: `mindnet: ${text}` };
    this.item.text = text;
    this.item.detail = detail;
    this.item.severity = severity;
    this.item.busy = icon.includes('spin');
    this.item.command = { command: 'mindnetUi.status', title: vscode.l10n.t('Details') };
  }

  private look(): Look {
    const { Error, Information, Warning } = vscode.LanguageStatusSeverity;
    const t = vscode.l10n.t;
    switch (this.phase) {
      case 'missing':
        return look('$(circle-slash)', t('server not installed'), '', Error);
      case 'crashed':
        return look('$(error)', t('server not running'), '', Error);
      case 'stopped':
        return look('$(circle-slash)', t('stopped'), '', Warning);
      case 'starting':
        return look('$(loading~spin)', t('starting'), '', Information);
      case 'running':
        break;
    }
    const status = this.shown;
    if (!status) {
      return look('$(type-hierarchy)', t('ready'), '', Information);
    }
    const text = t('{0} notes, {1} links lead nowhere', status.notes, status.unresolved);
    switch (severityOf(status)) {
      case 'error':
        return look('$(error)', status.index.last_error ?? t('error'), text, Error);
      case 'busy':
        return look('$(loading~spin)', t('reading notes'), text, Information);
      case 'fine':
        return look('$(type-hierarchy)', text, searchText(status), Information);
    }
  }
}

interface Look {
  icon: string;
  text: string;
  detail: string;
  severity: vscode.LanguageStatusSeverity;
}

function look(
  icon: string,
  text: string,
  detail: string,
  severity: vscode.LanguageStatusSeverity,
): Look {
  return { icon, text, detail, severity };
}

function searchText({ store, embedding, chunks }: Status): string {
  return vscode.l10n.t(
    'search: {0} ({1} chunks), meaning: {2}',
    store.state,
    chunks,
    `${embedding.provider} ${embedding.state}`,
  );
}

/** The output channels: the extension's own words, and what the server says. */
import * as vscode from 'vscode';

/** One channel for each, made once and kept over restarts. */
export class Log implements vscode.Disposable {
  readonly own = vscode.window.createOutputChannel('mindnet', { log: true });
  readonly server = vscode.window.createOutputChannel('mindnet Server', { log: true });
  readonly trace = vscode.window.createOutputChannel('mindnet Trace', { log: true });

  /** Show the server's channel, or the extension's where no server has said anything. */
  show(which: 'own' | 'server' = 'own'): void {
    this[which].show(true);
  }

  /** Tell of something that went wrong, with a button to the log, and buttons of the caller. */
  async failed(message: string, ...buttons: string[]): Promise<string | undefined> {
    this.own.error(message);
    const toLog = vscode.l10n.t('Show Log');
    const chosen = await vscode.window.showErrorMessage(message, ...buttons, toLog);
    if (chosen === toLog) {
      this.show();
    }
    return chosen;
  }

  dispose(): void {
    this.own.dispose();
    this.server.dispose();
    this.trace.dispose();
  }
}

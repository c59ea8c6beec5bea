/** One connection to the server for all folders of the window: start, stop, crash, settings. */
import * as vscode from 'vscode';
import {
  CloseAction,
  ErrorAction,
  LanguageClient,
  RevealOutputChannelOn,
  State,
  type LanguageClientOptions,
} from 'vscode-languageclient/node';
import { Backoff } from './backoff';
import type { Log } from './log';
import { middleware, editorCommands } from './middleware';
import type { Server } from './server';

/** Where the connection is, for the status. */
export type Phase = 'stopped' | 'starting' | 'running' | 'missing' | 'crashed';

/**
 * Owns the language client. A start makes a new one, so that another program can take the place
 * of the old; starts and stops run one behind the other.
 */
export class Connection implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<Phase>();
  readonly onPhase = this.changed.event;
  private readonly told = new vscode.EventEmitter<unknown>();
  /** What the server says in `mindnet/status`. */
  readonly onStatus = this.told.event;

  private current: LanguageClient | undefined;
  private queue: Promise<void> = Promise.resolve();
  private waiting: NodeJS.Timeout | undefined;
  private readonly backoff = new Backoff();

  constructor(
    private readonly server: Server,
    private readonly log: Log,
    private readonly keys: string[],
  ) {}

  /** The client, if the server is running. */
  get client(): LanguageClient | undefined {
    return this.current?.state === State.Running ? this.current : undefined;
  }

  /** Start the server anew; earlier crashes do not count any more. */
  restart(): Promise<void> {
    this.backoff.reset();
    return this.again();
  }

  /** Tell the server that settings changed; it asks for them. */
  async settingsChanged(): Promise<void> {
    await this.client?.sendNotification('workspace/didChangeConfiguration', { settings: null });
  }

  /** End the server in order. */
  stop(): Promise<void> {
    clearTimeout(this.waiting);
    return this.enqueue(() => this.end());
  }

  dispose(): void {
    clearTimeout(this.waiting);
    this.changed.dispose();
    this.told.dispose();
  }

  private again(): Promise<void> {
    clearTimeout(this.waiting);
    return this.enqueue(async () => {
      await this.end();
      await this.begin();
    });
  }

  private enqueue(work: () => Promise<void>): Promise<void> {
    this.queue = this.queue.then(work).catch(error => this.log.own.error(String(error)));
    return this.queue;
  }

  private async begin(): Promise<void> {
    this.changed.fire('starting');
    const found = await this.server.find();
    if (!found) {
      this.changed.fire('missing');
      void this.server.offer().then(there => (there ? this.restart() : undefined));
      return;
    }
    const { command, args } = found;
    // the folder of the vault would be on Python's search path
    const options = { cwd: this.server.folder };
    const client = new LanguageClient(
      'mindnet',
      'mindnet',
      { command, args, options },
      this.options(() => this.ended(client)),
    );
    client.registerFeature(editorCommands());
    client.onNotification('mindnet/status', status => this.told.fire(status));
    this.current = client;
    try {
      await client.start();
      this.changed.fire('running');
    } catch (error) {
      this.log.own.error(`the server did not start: ${String(error)}`);
      this.ended(client);
    }
  }

  private async end(): Promise<void> {
    const client = this.current;
    this.current = undefined;
    if (!client) {
      return;
    }
    try {
      await client.dispose();
    } catch (error) {
      // it is gone already, or does not answer and is killed by the library
      this.log.own.info(`stopping: ${String(error)}`);
    }
    this.changed.fire('stopped');
  }

  /** The server ended by itself: start it again after a while, or tell that it is no use. */
  private ended(client: LanguageClient): void {
    if (this.current !== client) {
      return; // we ended it, or know already
    }
    this.current = undefined;
    // when the client itself has taken notice
    setTimeout(() => void client.dispose().catch(() => undefined));
    this.changed.fire('crashed');
    const delay = this.backoff.next();
    if (delay === undefined) {
      void this.giveUp();
      return;
    }
    this.log.own.warn(`the server ended by itself; it starts again in ${delay / 1000} s`);
    this.waiting = setTimeout(() => void this.again(), delay);
  }

  private async giveUp(): Promise<void> {
    const restart = vscode.l10n.t('Restart');
    const message = vscode.l10n.t('The mindnet server ended by itself again and again.');
    if ((await this.log.failed(message, restart)) === restart) {
      await this.restart();
    }
  }

  private options(onClosed: () => void): LanguageClientOptions {
    return {
      documentSelector: [{ scheme: 'file', language: 'markdown' }],
      outputChannel: this.log.server,
      traceOutputChannel: this.log.trace,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      progressOnInitialization: false,
      middleware: middleware(this.keys),
      errorHandler: {
        error: (_error, _message, count) => ({
          action: (count ?? 0) <= 3 ? ErrorAction.Continue : ErrorAction.Shutdown,
          handled: true,
        }),
        closed: () => {
          onClosed();
          return { action: CloseAction.DoNotRestart, handled: true };
        },
      },
      initializationFailedHandler: () => false,
    };
  }
}

/** The conversation: asks the server, keeps the turns, and tells of each change. */
import * as vscode from 'vscode';
import { ProgressType } from 'vscode-languageclient/node';
import { isCancelled, vaultUri, type Tools } from './asking';
import { newTurn, type Turn } from './chatProtocol';
import { isFailure, type ChatAnswer, type ChatProgress, type Draft, type Failure } from './payloads';

/** What changed: a whole turn, or text that was added to its answer. */
export type Change = { turn: Turn; added?: string };

/** One conversation at a time; a new one forgets the old here and in the server. */
export class Chat implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<Change | undefined>();
  /** A turn changed; undefined: all of them. */
  readonly onChange = this.changed.event;
  turns: Turn[] = [];
  private readonly drafts = new Map<number, Draft>();
  private session: string | undefined;
  private running: vscode.CancellationTokenSource | undefined;
  private count = 0;

  constructor(private readonly tools: Tools) {}

  /** Ask, and follow the answer as it is written. A question that still runs is stopped. */
  async send(question: string): Promise<void> {
    const { client } = this.tools.connection;
    this.stop();
    const turn = newTurn(this.count++, question);
    this.turns.push(turn);
    this.changed.fire({ turn });
    if (!client) {
      this.end(turn, 'failed', vscode.l10n.t('The mindnet server is not running.'));
      return;
    }
    const running = (this.running = new vscode.CancellationTokenSource());
    const stream_token = `chat-${turn.id}-${Date.now()}`;
    const written = client.onProgress(new ProgressType<ChatProgress>(), stream_token, progress =>
      this.progress(turn, progress),
    );
    const session = this.session ? { session_id: this.session } : {};
    const argument = { message: question, stream_token, ...session, ...vaultUri() };
    try {
      const answer = await client.sendRequest<ChatAnswer>(
        'workspace/executeCommand',
        { command: 'mindnet.chat', arguments: [argument] },
        running.token,
      );
      this.take(turn, answer);
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      this.end(turn, isCancelled(error) ? 'stopped' : 'failed', text);
    } finally {
      written.dispose();
      running.dispose();
      if (this.running === running) {
        this.running = undefined;
      }
    }
  }

  /** Stop the answer that is being written; what is there of it stays. */
  stop(): void {
    this.running?.cancel();
  }

  /** Begin a new conversation. */
  clear(): void {
    this.stop();
    this.turns = [];
    this.drafts.clear();
    this.session = undefined;
    this.changed.fire(undefined);
  }

  /** The draft that a turn made. */
  draftOf(id: number): Draft | undefined {
    return this.drafts.get(id);
  }

  /** Send a mark from 1 (bad) to 5 (good) for a note among the sources, or for the answer. */
  async rate(id: number, node_id: string, score: number, comment: string): Promise<void> {
    const turn = this.turns.find(one => one.id === id);
    const { client } = this.tools.connection;
    if (!turn || !client) {
      return;
    }
    const said = comment ? { comment } : {};
    const argument = { query_id: turn.queryId, node_id, score, ...said, ...vaultUri() };
    const answer = await client.sendRequest('workspace/executeCommand', {
      command: 'mindnet.feedback',
      arguments: [argument],
    });
    if (isFailure(answer)) {
      await this.tools.log.failed(answer.error.message);
      return;
    }
    turn.rated[node_id] = score;
    this.changed.fire({ turn });
  }

  dispose(): void {
    this.stop();
    this.changed.dispose();
  }

  private progress(turn: Turn, progress: ChatProgress): void {
    if (turn.state !== 'waiting') {
      return;
    }
    if (progress.kind === 'delta') {
      turn.answer += progress.text;
      this.changed.fire({ turn, added: progress.text });
    } else if (progress.kind === 'sources') {
      turn.sources = progress.sources;
      this.changed.fire({ turn });
    }
  }

  private take(turn: Turn, given: Partial<ChatAnswer> | (Partial<ChatAnswer> & Failure)): void {
    this.session = given.session_id ?? this.session;
    // what was streamed is raw; the answer is checked, with the numbers that do not exist left
    // out. One that broke off comes with its error, and with what there is of it
    turn.answer = given.answer ?? turn.answer;
    turn.sources = given.sources ?? turn.sources;
    turn.intent = given.intent ?? '';
    turn.intentSource = given.intent_source ?? '';
    turn.queryId = given.query_id ?? '';
    if (given.draft) {
      this.drafts.set(turn.id, given.draft);
      turn.draft = given.draft.file_name;
    }
    if (isFailure(given)) {
      const { code, message, hint } = given.error;
      this.end(turn, code === 'cancelled' ? 'stopped' : 'failed', hint ? `${message} ${hint}` : message);
    } else {
      this.end(turn, 'done', '');
    }
  }

  private end(turn: Turn, state: Turn['state'], failure: string): void {
    turn.state = state;
    turn.failure = failure;
    this.changed.fire({ turn });
  }
}

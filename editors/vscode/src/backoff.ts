/** How long to wait before a server that ended by itself is started again. Knows no editor. */

const DELAYS = [0, 1_000, 5_000, 20_000];
const CALM = 5 * 60_000;

/** Counts crashes that follow each other; five minutes without one are a new start. */
export class Backoff {
  private crashes: number[] = [];

  constructor(private readonly now: () => number = Date.now) {}

  /** Note a crash; the milliseconds to wait, or undefined to give up. */
  next(): number | undefined {
    const at = this.now();
    if (at - (this.crashes.at(-1) ?? at) > CALM) {
      this.crashes = [];
    }
    this.crashes.push(at);
    return DELAYS[this.crashes.length - 1];
  }

  /** A person asked for a start: earlier crashes do not count. */
  reset(): void {
    this.crashes = [];
  }
}

/** Running other programs: to their end, without a shell. Knows no editor. */
import { spawn } from 'node:child_process';

/** What a program said and how it ended; `code` is null where it was not started or was stopped. */
export interface Ended {
  code: number | null;
  output: string;
}

/** What may be said about a run. */
export interface Options {
  /** The working folder. Never a vault: programs look for their parts there. */
  cwd: string;
  /** Milliseconds after which the program is stopped. */
  timeout?: number;
  /** Stops the program. */
  signal?: AbortSignal;
  /** Gets each line as it comes. */
  onLine?: (line: string) => void;
}

/** Run a program; output and errors come as one text. Never rejects. */
export function run(command: string, args: string[], options: Options): Promise<Ended> {
  return new Promise(resolve => {
    let output = '';
    let rest = '';
    const child = spawn(command, args, {
      cwd: options.cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
      ...(options.timeout === undefined ? {} : { timeout: options.timeout }),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    });
    const take = (text: string): void => {
      output += text;
      const lines = (rest + text).split(/\r?\n/);
      rest = lines.pop() ?? '';
      lines.forEach(line => options.onLine?.(line));
    };
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', take);
    }
    child.on('error', error => resolve({ code: null, output: `${output}\n${error.message}` }));
    child.on('close', code => {
      if (rest) {
        options.onLine?.(rest);
      }
      resolve({ code, output });
    });
  });
}

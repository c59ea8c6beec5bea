/** Where the server may be, and which of the places has one that works. Knows no editor. */
import * as path from 'node:path';

/** Why a place is looked at. */
export type Origin = 'setting' | 'own' | 'python' | 'path';

/** How a server is started. */
export interface Candidate {
  command: string;
  args: string[];
  origin: Origin;
}

/** A candidate that answered, with its version. */
export interface Found extends Candidate {
  version: string;
}

/** A candidate that did not, and why. */
export interface Tried extends Candidate {
  reason: string;
}

/** Runs a program to its end; `code` is null where it could not be started or took too long. */
export type Run = (
  command: string,
  args: string[],
) => Promise<{ code: number | null; output: string }>;

/** What is known before anything is tried. */
export interface Places {
  /** Setting `mindnet.server.path`; empty for none. */
  configured: string;
  /** The Python of the extension's own environment. */
  own: string;
  /** Pythons that the user has, best first. */
  pythons: string[];
}

/**
 * Starts the module without the working folder on Python's search path: a vault with a folder
 * `mindnet_lsp` would run as the server. Pythons before 3.11 do not know `-P`, and could not run
 * the server anyway.
 */
export const MODULE = ['-P', '-m', 'mindnet_lsp'];

const PYTHON = /^(python|pypy|py)[\d.]*(\.exe)?$/i;
const VERSION = /^mindnet-lsp (\S+)/m;

/** The places in the order in which they are tried. A path that is set is the only one. */
export function candidates(places: Places): Candidate[] {
  const { configured } = places;
  if (configured) {
    const args = PYTHON.test(path.basename(configured)) ? MODULE : [];
    return [{ command: configured, args, origin: 'setting' }];
  }
  return [
    { command: places.own, args: MODULE, origin: 'own' },
    ...places.pythons.map((command): Candidate => ({ command, args: MODULE, origin: 'python' })),
    { command: 'mindnet-lsp', args: [], origin: 'path' },
  ];
}

/** The first candidate that tells its version, and those before it that did not. */
export async function firstWorking(
  from: Candidate[],
  run: Run,
): Promise<{ found: Found | undefined; tried: Tried[] }> {
  const tried: Tried[] = [];
  for (const candidate of from) {
    const { code, output } = await run(candidate.command, [...candidate.args, '--version']);
    const version = code === 0 ? VERSION.exec(output)?.[1] : undefined;
    if (version) {
      return { found: { ...candidate, version }, tried };
    }
    tried.push({ ...candidate, reason: lastLine(output) || `exit code ${code}` });
  }
  return { found: undefined, tried };
}

/** The Python inside a virtual environment. */
export function pythonOf(environment: string, platform: NodeJS.Platform): string {
  return platform === 'win32'
    ? path.win32.join(environment, 'Scripts', 'python.exe')
    : path.posix.join(environment, 'bin', 'python');
}

/** A path that starts with `~`, in full. */
export function expanded(setting: string, home: string): string {
  const text = setting.trim();
  return text === '~' || /^~[\\/]/.test(text) ? path.join(home, text.slice(1)) : text;
}

/** The last line that says something; Python's errors have their reason there. */
export function lastLine(output: string): string {
  return output.trimEnd().split(/\r?\n/).at(-1)?.trim() ?? '';
}

/** The extension's own environment: made with venv, filled by pip. */
import * as fs from 'node:fs/promises';
import * as vscode from 'vscode';
import { lastLine, pythonOf } from './find';
import type { Log } from './log';
import { run } from './run';

const SUPPORTED = 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))';

/** What to install, and where. */
export interface Plan {
  /** Folder of the environment. */
  environment: string;
  /** A folder that is no vault, in which programs run. */
  cwd: string;
  /** Pythons to make it from, best first. */
  pythons: string[];
  /** What pip is asked for. */
  package: string;
}

/**
 * Make the environment if it is missing and install or update the server in it. Shows progress,
 * can be cancelled; each line goes to the log. An environment that was made only now and could
 * not be filled is removed. Returns whether the server is there now.
 */
export async function install(plan: Plan, log: Log): Promise<boolean> {
  const title = vscode.l10n.t('Installing the mindnet server');
  const location = vscode.ProgressLocation.Notification;
  try {
    return await vscode.window.withProgress({ location, title, cancellable: true }, (to, token) => {
      const stop = new AbortController();
      token.onCancellationRequested(() => stop.abort());
      return steps(plan, log, stop.signal, message => to.report({ message }));
    });
  } catch (error) {
    if (error instanceof Cancelled) {
      log.own.info('installation cancelled');
      return false;
    }
    const reason = error instanceof Error ? error.message : String(error);
    const retry = vscode.l10n.t('Try Again');
    const message = vscode.l10n.t('The mindnet server could not be installed: {0}', reason);
    return (await log.failed(message, retry)) === retry ? install(plan, log) : false;
  }
}

class Cancelled extends Error {}

async function steps(
  plan: Plan,
  log: Log,
  signal: AbortSignal,
  report: (message: string) => void,
): Promise<boolean> {
  const call = async (command: string, args: string[]): Promise<void> => {
    log.own.info(`$ ${[command, ...args].join(' ')}`);
    const onLine = (line: string): void => log.own.info(line);
    const ended = await run(command, args, { cwd: plan.cwd, signal, onLine });
    if (signal.aborted) {
      throw new Cancelled();
    }
    if (ended.code !== 0) {
      throw new Error(reason(ended.output) || `exit code ${ended.code}`);
    }
  };
  const python = pythonOf(plan.environment, process.platform);
  const isNew = !(await exists(python));
  try {
    if (isNew) {
      report(vscode.l10n.t('making an environment'));
      await call(await supported(plan), ['-m', 'venv', '--clear', plan.environment]);
    }
    report(vscode.l10n.t('downloading and installing'));
    const pip = ['-m', 'pip', 'install', '--disable-pip-version-check', '--no-input', '--upgrade'];
    await call(python, [...pip, plan.package]);
    await call(python, ['-P', '-m', 'mindnet_lsp', '--version']);
  } catch (error) {
    if (isNew) {
      await fs.rm(plan.environment, { recursive: true, force: true });
    }
    throw error;
  }
  return true;
}

/** The first Python that is new enough and can make environments. */
async function supported(plan: Plan): Promise<string> {
  for (const python of plan.pythons) {
    const { code } = await run(python, ['-c', SUPPORTED], { cwd: plan.cwd, timeout: 20_000 });
    if (code === 0) {
      return python;
    }
  }
  throw new Error(
    vscode.l10n.t('Python 3.11 or newer with venv is needed; say where in mindnet.server.python'),
  );
}

/** What pip says went wrong: its first line of the kind, else its last line. */
function reason(output: string): string {
  const errors = output.split(/\r?\n/).filter(line => line.startsWith('ERROR: '));
  return errors.at(-1)?.slice('ERROR: '.length) ?? lastLine(output);
}

async function exists(file: string): Promise<boolean> {
  return fs.access(file).then(
    () => true,
    () => false,
  );
}

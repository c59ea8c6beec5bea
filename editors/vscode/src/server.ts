/** Which server to start: finds one, or offers to install it. */
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { candidates, firstWorking, pythonOf, type Found } from './find';
import { install } from './install';
import type { Log } from './log';
import { run } from './run';
import { serverSettings } from './settings';

const PROBE_TIMEOUT = 30_000;

/** The places of one installation of the extension. */
export class Server {
  /** A folder that is no vault, for programs to run in. */
  readonly folder: string;
  private asked = false;

  constructor(
    context: vscode.ExtensionContext,
    private readonly log: Log,
  ) {
    this.folder = context.globalStorageUri.fsPath;
  }

  /** Install or update the server in the extension's own environment. */
  async install(): Promise<boolean> {
    await fs.mkdir(this.folder, { recursive: true });
    const { package: source } = serverSettings();
    const pythons = await this.pythons();
    return install(
      { environment: this.environment, cwd: this.folder, pythons, package: source },
      this.log,
    );
  }

  /** The first place with a server that works; what the others said is in the log. */
  async find(): Promise<Found | undefined> {
    await fs.mkdir(this.folder, { recursive: true });
    const places = {
      configured: serverSettings().path,
      own: pythonOf(this.environment, process.platform),
      pythons: await this.pythons(),
    };
    const { found, tried } = await firstWorking(candidates(places), (command, args) =>
      run(command, args, { cwd: this.folder, timeout: PROBE_TIMEOUT }),
    );
    for (const one of tried) {
      this.log.own.info(`no server: ${[one.command, ...one.args].join(' ')}: ${one.reason}`);
    }
    if (found) {
      this.log.own.info(`server ${found.version}: ${[found.command, ...found.args].join(' ')}`);
      found.args = [...found.args, ...serverSettings().arguments];
    }
    return found;
  }

  /**
   * No server was found: ask, once in a session, whether to install it. Waits for the person, so
   * nothing may wait for this. Whether there is a server now.
   */
  async offer(): Promise<boolean> {
    if (this.asked) {
      return false;
    }
    this.asked = true;
    const { path: configured, package: source } = serverSettings();
    const settings = vscode.l10n.t('Open Settings');
    const install = vscode.l10n.t('Install');
    const chosen = configured
      ? await this.log.failed(
          vscode.l10n.t('mindnet.server.path: {0} is no mindnet server', configured),
          settings,
        )
      : await vscode.window.showInformationMessage(
          vscode.l10n.t(
            'mindnet needs its server, {0}. Install it into an environment of its own?',
            source,
          ),
          install,
          settings,
        );
    if (chosen === settings) {
      await vscode.commands.executeCommand('workbench.action.openSettings', 'mindnet.server');
    }
    return chosen === install && this.install();
  }

  private get environment(): string {
    return path.join(this.folder, 'server');
  }

  /** The user's Pythons. In a folder that is not trusted only those that it cannot choose. */
  private async pythons(): Promise<string[]> {
    const { python } = serverSettings();
    const selected = vscode.workspace.isTrusted ? await selectedPython(this.log) : undefined;
    const usual = process.platform === 'win32' ? ['python', 'py'] : ['python3', 'python'];
    return [python, selected, ...usual].filter((one): one is string => Boolean(one));
  }
}

interface PythonApi {
  environments?: {
    getActiveEnvironmentPath(): { path: string };
    resolveEnvironment(of: unknown): Promise<{ executable: { uri?: vscode.Uri } } | undefined>;
  };
}

/** The interpreter that is selected in the Python extension, if that is there and answers. */
async function selectedPython(log: Log): Promise<string | undefined> {
  const extension = vscode.extensions.getExtension<PythonApi>('ms-python.python');
  try {
    const found = (await extension?.activate())?.environments;
    const active = await found?.resolveEnvironment(found.getActiveEnvironmentPath());
    return active?.executable.uri?.fsPath;
  } catch (error) {
    log.own.warn(`the Python extension does not say its interpreter: ${String(error)}`);
    return undefined;
  }
}

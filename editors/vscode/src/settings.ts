/** The settings: what the extension reads itself, and what it tells the server. */
import * as os from 'node:os';
import * as vscode from 'vscode';
import { expanded } from './find';

export const SECTION = 'mindnet';
/** Settings of the extension itself; the server does not know them. */
const OWN = 'server.';

/** How the server is found and installed. */
export interface ServerSettings {
  path: string;
  arguments: string[];
  python: string;
  package: string;
}

/** What `inspect` knows of one setting, strongest last. */
type Inspected = Partial<
  Record<
    | 'globalValue'
    | 'workspaceValue'
    | 'workspaceFolderValue'
    | 'globalLanguageValue'
    | 'workspaceLanguageValue'
    | 'workspaceFolderLanguageValue',
    unknown
  >
>;

/** The extension's own settings, paths in full. */
export function serverSettings(): ServerSettings {
  const found = vscode.workspace.getConfiguration(`${SECTION}.server`);
  const full = (name: string): string => expanded(found.get<string>(name, ''), os.homedir());
  return {
    path: full('path'),
    arguments: found.get<string[]>('arguments', []),
    python: full('python'),
    package: full('package') || 'mindnet-lsp',
  };
}

/** Whether a change needs the server to be looked for again. */
export function needsRestart(change: vscode.ConfigurationChangeEvent): boolean {
  return change.affectsConfiguration(`${SECTION}.server`);
}

/** The keys of the server's settings, without the section, as the manifest declares them. */
export function serverKeys(manifest: { contributes: { configuration: unknown } }): string[] {
  const parts = manifest.contributes.configuration as { properties: Record<string, unknown> }[];
  return parts
    .flatMap(part => Object.keys(part.properties))
    .map(key => key.slice(SECTION.length + 1))
    .filter(key => !key.startsWith(OWN));
}

/**
 * What the user has set for a folder, as flat keys such as `hover.max_backlinks`. Defaults are
 * left out: the server has its own, and the user's `config/*.yaml` and environment must not lose
 * against a default of the editor.
 */
export function explicit(keys: string[], inspect: (key: string) => Inspected | undefined): object {
  const set = keys.map((key): [string, unknown] => [key, strongest(inspect(key))]);
  return Object.fromEntries(set.filter(([, value]) => value !== undefined));
}

function strongest(found: Inspected | undefined): unknown {
  return (
    found?.workspaceFolderLanguageValue ??
    found?.workspaceFolderValue ??
    found?.workspaceLanguageValue ??
    found?.workspaceValue ??
    found?.globalLanguageValue ??
    found?.globalValue
  );
}

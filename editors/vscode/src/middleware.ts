/** Where the extension stands between the editor and the language client. */
import * as vscode from 'vscode';
import type {
  ClientCapabilities,
  FeatureState,
  Location,
  Middleware,
  Position,
  StaticFeature,
} from 'vscode-languageclient/node';
import { explicit, SECTION } from './settings';

/** The command of code lenses: the server answers with the places, we show them. */
export const SHOW_REFERENCES = 'mindnet.showReferences';

/** Commands of the editor that the server may put into its answers. */
export const EDITOR_COMMANDS = ['editor.action.triggerSuggest'];

/** The middleware; `keys` are the settings that the server knows. */
export function middleware(keys: string[]): Middleware {
  return {
    // the client registers the server's command ids itself, so this is the place to look at them
    executeCommand: async (command, args, next) => {
      const answer: unknown = await next(command, args);
      if (command === SHOW_REFERENCES && answer) {
        await showReferences(answer as References);
      }
      return answer;
    },
    workspace: {
      configuration: (params, token, next) =>
        params.items.every(item => item.section === SECTION)
          ? params.items.map(item => settingsOf(keys, item.scopeUri))
          : next(params, token),
    },
  };
}

interface References {
  uri: string;
  position: Position;
  locations: Location[];
}

/** Open the editor's references view on places that the server found. */
async function showReferences(found: References): Promise<void> {
  const { line, character } = found.position;
  await vscode.commands.executeCommand(
    'editor.action.showReferences',
    vscode.Uri.parse(found.uri),
    new vscode.Position(line, character),
    found.locations.map(toLocation),
  );
}

/** A place of the protocol as the editor has it: lines and UTF-16 units in both. */
export function toLocation({ uri, range }: Location): vscode.Location {
  const { start, end } = range;
  return new vscode.Location(
    vscode.Uri.parse(uri),
    new vscode.Range(start.line, start.character, end.line, end.character),
  );
}

function settingsOf(keys: string[], scope: string | undefined): object {
  const resource = scope === undefined ? undefined : vscode.Uri.parse(scope);
  const found = vscode.workspace.getConfiguration(SECTION, resource);
  return explicit(keys, key => found.inspect(key));
}

/** Says in `initialize` which commands of the editor this client runs, as rust-analyzer does. */
export function editorCommands(): StaticFeature {
  return {
    fillClientCapabilities(capabilities: ClientCapabilities): void {
      const given = capabilities.experimental as object | undefined;
      capabilities.experimental = { ...given, commands: { commands: EDITOR_COMMANDS } };
    },
    initialize: () => undefined,
    getState: (): FeatureState => ({ kind: 'static' }),
    clear: () => undefined,
  };
}

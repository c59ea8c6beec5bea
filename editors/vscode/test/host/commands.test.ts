/** The extension itself: settings that apply at once, commands, a server that ends. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { call, closeAll, findings, ready, show, until, write } from './kit';

describe('the extension', () => {
  before(ready);
  afterEach(closeAll);

  it('all its commands are there, and none of the server has its id', async () => {
    const all = await vscode.commands.getCommands(true);
    const manifest = vscode.extensions.getExtension('mindnet.mindnet')!.packageJSON as {
      contributes: { commands: { command: string }[] };
    };
    const missing = manifest.contributes.commands.filter(one => !all.includes(one.command));
    assert.deepEqual(missing, []);
    assert.ok(all.includes('mindnet.query'), 'those of the server are registered too');
  });

  it('a setting applies without a restart', async () => {
    await write('e1.md', '# E\n\n[[Nirgends]]\n');
    const { document } = await show('e1.md');
    await until('the finding', () => findings(document));
    const settings = vscode.workspace.getConfiguration('mindnet');
    const target = vscode.ConfigurationTarget.Workspace;
    await settings.update('diagnostics.unresolved-link', 'off', target);
    await until('silence', () => findings(document).length === 0);
    await settings.update('diagnostics.unresolved-link', undefined, target);
    await until('the finding again', () => findings(document));
  });

  it('the server can be restarted, and works on', async () => {
    const { document } = await show('e1.md');
    await until('the finding', () => findings(document));
    await call('mindnetUi.restart');
    await ready();
    await until('the finding again', () => findings(document));
    assert.deepEqual(findings(document), ['unresolved-link Nirgends']);
  });
});

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { explicit, serverKeys } from '../../src/settings';

declare const EXTENSION: string;
const MANIFEST = JSON.parse(readFileSync(path.join(EXTENSION, 'package.json'), 'utf8'));

test('only what the user has set is sent, the nearest first', () => {
  const set: Record<string, object> = {
    'hover.max_backlinks': { globalValue: 3, workspaceFolderValue: 0 },
    'completion.max_items': { defaultValue: 60 },
    'code_lens.enabled': { globalValue: true, workspaceValue: false },
  };
  const sent = explicit(Object.keys(set), key => set[key]);
  assert.deepEqual(sent, { 'hover.max_backlinks': 0, 'code_lens.enabled': false });
});

test("the server's keys are those of the manifest without the extension's own", () => {
  const keys = serverKeys(MANIFEST);
  assert.ok(keys.includes('diagnostics.unresolved-link'));
  assert.ok(keys.includes('store.api_key'));
  assert.deepEqual(
    keys.filter(key => key.startsWith('server.')),
    [],
  );
});

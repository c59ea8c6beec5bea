import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

declare const EXTENSION: string;
const read = (...names: string[]): string => readFileSync(path.join(EXTENSION, ...names), 'utf8');
const MANIFEST = JSON.parse(read('package.json'));
const SOURCES = readdirSync(path.join(EXTENSION, 'src')).map(name => read('src', name));

test('every word of the manifest is there in both languages', () => {
  const used = [...read('package.json').matchAll(/"%([^%"]+)%"/g)].map(found => found[1]);
  for (const file of ['package.nls.json', 'package.nls.de.json']) {
    const words = Object.keys(JSON.parse(read(file)));
    assert.deepEqual(words.sort(), [...new Set(used)].sort(), file);
  }
});

test('every message has a German one, and no German one is left over', () => {
  const said = SOURCES.flatMap(text =>
    [...text.matchAll(/\bt\(\s*'((?:[^'\\]|\\.)*)'/g)].map(found => found[1]!.replace(/\\'/g, "'")),
  );
  assert.ok(said.length > 40);
  const german = JSON.parse(read('l10n', 'bundle.l10n.de.json')) as Record<string, string>;
  assert.deepEqual(Object.keys(german).sort(), [...new Set(said)].sort());
  for (const [english, text] of Object.entries(german)) {
    const places = (words: string): string[] => [...words.matchAll(/\{\d\}/g)].map(m => m[0]).sort();
    assert.deepEqual(places(text), places(english));
  }
});

test("no command has an id of the server's, and each is registered", () => {
  const declared = MANIFEST.contributes.commands.map((one: { command: string }) => one.command);
  const registered = [...read('src', 'commands.ts').matchAll(/^ {4}(\w+): /gm)].map(m => m[1]);
  assert.deepEqual(declared.sort(), registered.map(name => `mindnetUi.${name}`).sort());
});

test('the lock file names no registry', () => {
  assert.doesNotMatch(read('package-lock.json'), /"resolved"|https?:\/\/registry/);
});

test('no source file is longer than 300 lines', () => {
  assert.ok(SOURCES.every(text => text.split('\n').length <= 300));
});

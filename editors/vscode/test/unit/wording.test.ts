import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Backoff } from '../../src/backoff';
import type { Status } from '../../src/payloads';
import { excerpt, neighbours, scoreText, severityOf, wayText } from '../../src/wording';

const node = (id: string) => ({ id, title: id.toUpperCase(), type: 'note', uri: `u:${id}`, degree: 1 });

test('neighbours say how they are related, in both directions', () => {
  const edges = [
    { source: 'a', target: 'b', kind: 'supports' },
    { source: 'a', target: 'b', kind: 'supports' },
    { source: 'b', target: 'a', kind: 'blocks' },
    { source: 'c', target: 'a', kind: 'part_of' },
  ];
  const found = neighbours([node('a'), node('b'), node('c')], edges, 'u:a');
  assert.deepEqual(
    found.map(one => [one.node.id, one.relations]),
    [
      ['b', '→ supports  ← blocks'],
      ['c', '← part_of'],
    ],
  );
});

test('a way is one line', () => {
  const step = (title: string, kind: string, forward = true) => ({ title, kind, forward, uri: '' });
  const steps = [step('A', ''), step('B', 'supports'), step('C', 'part_of', false)];
  assert.equal(wayText(steps), 'A —supports→ B ←part_of— C');
});

test('an excerpt is one line and never cuts a letter in two', () => {
  assert.equal(excerpt('one\n\n two '), 'one two');
  assert.equal(excerpt('🧊🧊🧊🧊', 3), '🧊🧊…');
  assert.equal(scoreText(0.5), '0.50');
});

test('a vault is fine only when nothing is left to do', () => {
  const status = (state: string, pending = 0, last_error: string | null = null): Status =>
    ({ index: { state, pending, last_error } }) as Status;
  assert.equal(severityOf(status('ready')), 'fine');
  assert.equal(severityOf(status('ready', 2)), 'busy');
  assert.equal(severityOf(status('indexing')), 'busy');
  assert.equal(severityOf(status('ready', 0, 'disk full')), 'error');
});

test('crashes that follow each other wait longer, then there is an end', () => {
  let now = 0;
  const backoff = new Backoff(() => now);
  assert.deepEqual(
    [1, 2, 3, 4, 5].map(() => backoff.next()),
    [0, 1_000, 5_000, 20_000, undefined],
  );
  now += 6 * 60_000;
  assert.equal(backoff.next(), 0);
  backoff.reset();
  assert.equal(backoff.next(), 0);
});

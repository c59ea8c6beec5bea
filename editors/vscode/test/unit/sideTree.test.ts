import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Backlink, Hit, Suggestion } from '../../src/payloads';
import { termTexts, treeOf, type Line } from '../../src/sideTree';

const NAMES = {
  backlinks: 'Backlinks',
  related: 'Related',
  suggestions: 'Suggested',
  score: 'Score',
  terms: { semantic: 'meaning', lexical: 'words' },
};
const range = { start: { line: 3, character: 0 }, end: { line: 3, character: 5 } };
const back = (title: string, kind: string): Backlink =>
  ({ uri: `u:${title}`, range, title, kind, context: `about  ${title}\n` });
const hit = (title: string): Hit => ({
  note_id: title,
  title,
  type: 'concept',
  uri: `u:${title}`,
  range,
  section: '',
  text: '',
  score: 0.75,
  score_breakdown: { semantic: 0.5, lexical: 0.25, edge_bonus: 0, type_weight: 0.9, total: 0.75 },
  reasons: ['both mention the mill'],
});
const suggestion = (title: string, kind: string): Suggestion => ({
  target_note_id: title,
  title,
  uri: `u:${title}`,
  kind,
  score: 0.5,
  reasons: ['named here'],
  range,
  new_text: `[[${title}]]`,
});
const drawn = (lines: Line[], depth = 0): string[] =>
  lines.flatMap(one => [
    `${'  '.repeat(depth)}${one.label} (${one.description})`,
    ...drawn(one.children, depth + 1),
  ]);

test('backlinks stand under their kind, most links first', () => {
  const backlinks = [back('A', 'supports'), back('B', 'references'), back('C', 'references')];
  assert.deepEqual(drawn(treeOf({ backlinks }, NAMES)), [
    'Backlinks (3)',
    '  references (2)',
    '    B (about B)',
    '    C (about C)',
    '  supports (1)',
    '    A (about A)',
  ]);
});

test('related notes and suggestions say their score, and why', () => {
  const tree = treeOf({ related: [hit('A')], suggestions: [suggestion('B', 'supports')] }, NAMES);
  assert.deepEqual(drawn(tree), [
    'Suggested (1)',
    '  B (supports · 0.50)',
    'Related (1)',
    '  A (0.75 · concept)',
  ]);
  assert.deepEqual(tree[1]!.children[0]!.detail, [
    'both mention the mill',
    'Score: 0.75 = meaning 0.50 + words 0.25',
  ]);
  assert.equal(tree[0]!.children[0]!.suggestion?.new_text, '[[B]]');
});

test('nothing known is an empty tree', () => {
  assert.deepEqual(treeOf({ backlinks: [], related: undefined }, NAMES), []);
  assert.deepEqual(termTexts(undefined, {}), []);
});

test('ids differ, whatever is there twice', () => {
  const facts = {
    backlinks: [back('A', 'supports'), back('A', 'supports')],
    related: [hit('A'), hit('A')],
    suggestions: [suggestion('A', 'supports'), suggestion('A', 'supports')],
  };
  const ids = (lines: Line[]): string[] => lines.flatMap(one => [one.id, ...ids(one.children)]);
  const all = ids(treeOf(facts, NAMES));
  assert.equal(new Set(all).size, all.length);
});

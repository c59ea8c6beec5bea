import assert from 'node:assert/strict';
import { test } from 'node:test';
import { colour, distinct, kindsOf } from '../../web/colours';
import { rendered } from '../../web/markdown';

const SOURCES = new Set([1, 2]);
const cite = (n: number): string =>
  `<button type="button" class="cite" data-source="${n}">${n}</button>`;
const cases: [string, string, string][] = [
  ['a citation', 'It turns [1].', `<p>It turns ${cite(1)}.</p>`],
  ['two of them', 'So [1][2]', `<p>So ${cite(1)}${cite(2)}</p>`],
  ['one that does not exist', 'So [3]', '<p>So [3]</p>'],
  ['not in code', '`a[1]`', '<p><code>a[1]</code></p>'],
  ['no HTML', '<img src=x onerror=alert(1)>', '<p>&lt;img src=x onerror=alert(1)&gt;</p>'],
  ['no picture', '![x](https://a.example/?q=secret)', '<p>![x](https://a.example/?q=secret)</p>'],
  ['no link', '[x](command:run)', '<p>[x](command:run)</p>'],
  ['no address', '<https://a.example>', '<p>&lt;https://a.example&gt;</p>'],
  ['no definition', '[x]: https://a.example', '<p>[x]: https://a.example</p>'],
  ['lists', '- a\n- b', '<ul>\n<li>a</li>\n<li>b</li>\n</ul>'],
];
for (const [name, text, html] of cases) {
  test(`answer: ${name}`, () => assert.equal(rendered(text, SOURCES).trim(), html));
}

test('one edge of a kind is drawn, and the most used kind has the first colour', () => {
  const edge = (source: string, target: string, kind: string) => ({ source, target, kind });
  const edges = distinct([
    edge('a', 'b', 'blocks'),
    edge('a', 'b', 'supports'),
    edge('a', 'b', 'supports'),
    edge('b', 'a', 'supports'),
  ]);
  assert.deepEqual(kindsOf(edges), [
    ['supports', 2],
    ['blocks', 1],
  ]);
  assert.equal(colour(0, name => name), '--vscode-charts-blue');
  assert.equal(colour(1, name => (name === '--vscode-foreground' ? 'text' : '')), 'text');
});

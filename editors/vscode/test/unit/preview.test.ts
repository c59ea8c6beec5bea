import assert from 'node:assert/strict';
import { test } from 'node:test';
import MarkdownIt from 'markdown-it';
import { extend } from '../../src/previewSyntax';

const KNOWN: Record<string, string> = {
  'Mill': 'mill.md',
  'Mill|the wheel': 'mill.md',
  'Mill#Water': 'mill.md#L7',
  'rel:depends_on Mill': 'mill.md',
  'wheel.png': 'files/wheel.png',
};
const markdown = extend(new MarkdownIt(), inner => KNOWN[inner]);
const cases: [string, string, string][] = [
  ['a link', 'see [[Mill]].', '<p>see <a href="mill.md" class="mindnet-link">Mill</a>.</p>'],
  ['an alias', '[[Mill|the wheel]]', '<p><a href="mill.md" class="mindnet-link">the wheel</a></p>'],
  ['a heading', '[[Mill#Water]]', '<p><a href="mill.md#L7" class="mindnet-link">Mill › Water</a></p>'],
  ['nowhere', '[[Gone]]', '<p><span class="mindnet-nowhere">Gone</span></p>'],
  ['a picture', '![[wheel.png]]', '<p><img src="files/wheel.png" alt="wheel.png"></p>'],
  [
    'a relation',
    '[[rel:depends_on Mill]]',
    '<p><span class="mindnet-kind">depends_on</span><a href="mill.md" class="mindnet-link">Mill</a></p>',
  ],
  [
    'a field',
    'supports:: [[Mill]]',
    '<p><span class="mindnet-kind">supports</span><a href="mill.md" class="mindnet-link">Mill</a></p>',
  ],
  [
    'a relation before its links',
    'so rel: supports [[Mill]]',
    '<p>so <span class="mindnet-kind">supports</span><a href="mill.md" class="mindnet-link">Mill</a></p>',
  ],
  [
    'an edge callout',
    '> [!edge] supports: [[Mill]]\n> blocks: [[Gone]]',
    '<blockquote class="mindnet-edges">\n<p><span class="mindnet-kind">supports</span>' +
      '<a href="mill.md" class="mindnet-link">Mill</a><br>\n' +
      '<span class="mindnet-kind">blocks</span><span class="mindnet-nowhere">Gone</span></p>\n</blockquote>',
  ],
  ['code stays', '`[[Mill]]`', '<p><code>[[Mill]]</code></p>'],
  ['no brackets close', '[[Mill', '<p>[[Mill</p>'],
  ['an empty one', '[[ ]]', '<p>[[ ]]</p>'],
  ['a plain link', '[a](b.md)', '<p><a href="b.md">a</a></p>'],
  ['HTML in a name', '[[<b>x</b>]]', '<p><span class="mindnet-nowhere">&lt;b&gt;x&lt;/b&gt;</span></p>'],
];

for (const [name, written, html] of cases) {
  test(`preview: ${name}`, () => assert.equal(markdown.render(written).trim(), html));
}

/** The notes that an answer rests on, each with what its score is made of. */
import { BAD, GOOD, type FromPage, type Turn, type Words } from '../src/chatProtocol';
import type { Breakdown, Source } from '../src/payloads';
import { FACTOR, termsOf } from '../src/sideTree';
import { scoreText } from '../src/wording';
import { button, element, thumb } from './host';

/** The list below an answer. */
export function sourceList(turn: Turn, said: Words, send: (message: FromPage) => void): HTMLElement {
  const items = turn.sources.map(source => item(turn, source, said, send));
  const list = element('ol', { class: 'sources' }, ...items);
  return element('section', { 'aria-label': said.sources }, element('h3', {}, said.sources), list);
}

function item(turn: Turn, source: Source, said: Words, send: (message: FromPage) => void): HTMLElement {
  const { n, title, uri, range, score, reasons, score_breakdown: breakdown } = source;
  const open = button(title, title, () => send({ kind: 'open', uri, range }));
  open.className = 'title';
  const number = element('span', { class: 'number' }, `[${n}]`);
  const head = element('div', { class: 'head' }, number, open, element('span', { class: 'score' }, scoreText(score)));
  const why = element('details', {}, element('summary', {}, said.why), ...bars(breakdown, said));
  why.append(element('ul', {}, ...reasons.map(reason => element('li', {}, reason))));
  const node = source.note_id;
  if (node && turn.queryId) {
    const given = turn.rated[node];
    const mark = (score: number): void => send({ kind: 'rate', id: turn.id, node, score, comment: '' });
    head.append(
      ...(given === undefined
        ? [button(thumb(true), said.good, () => mark(GOOD)), button(thumb(false), said.bad, () => mark(BAD))]
        : [element('span', { role: 'status', title: said.thanks }, thumb(given > 2))]),
    );
  }
  return element('li', { value: String(n) }, head, why);
}

/** One bar for each term of the score, as long as its share of the largest; the factor as a number. */
function bars(breakdown: Breakdown | undefined, said: Words): HTMLElement[] {
  const terms = termsOf(breakdown);
  const most = Math.max(...terms.map(([, value]) => Math.abs(value)), 1e-9);
  const drawn = terms.map(([name, value]) => {
    const bar = element('meter', { min: '0', max: '1', value: String(Math.abs(value) / most) });
    return row(said.terms[name] ?? name, bar, scoreText(value));
  });
  const factor = breakdown?.[FACTOR];
  return factor === undefined
    ? drawn
    : [...drawn, row(said.terms[FACTOR] ?? FACTOR, element('span'), `×${scoreText(factor)}`)];
}

function row(name: string, bar: HTMLElement, text: string): HTMLElement {
  bar.setAttribute('aria-label', `${name} ${text}`);
  return element('div', { class: 'bar' }, element('span', {}, name), bar, element('span', {}, text));
}

/** What Obsidian and mindnet write and Markdown does not know, for markdown-it. Knows no editor. */
import type MarkdownIt from 'markdown-it';
import type { StateCore, StateInline, Token } from 'markdown-it';

/** Where the text between two brackets leads in a document: an address, or undefined for nowhere. */
export type Resolve = (inner: string, env: unknown) => string | undefined;

/** A wikilink: `[[target#anchor|alias]]`, `![[embed]]`, `[[rel:kind target]]`. */
export interface Written {
  embed: boolean;
  inner: string;
  kind: string;
  shown: string;
}

const RELATION = /^rel:\s?([\p{L}\p{N}_]+)\s+/u;
/** A kind before its links: `rel: kind`, `kind::`. */
const LEADING = /(?:rel:\s?([\p{L}\p{N}_]+)|([\p{L}\p{N}_]+)::)\s*$/u;
const EDGES = /^\[!edges?\][+-]?\s*/i;
const LINE_KIND = /^([\p{L}\p{N}_]+):\s*$/u;
const PICTURE = /\.(?:png|jpe?g|gif|svg|webp|avif|bmp)$/i;

/** Read the wikilink that begins at `at`; undefined if none does. */
export function wikilinkAt(text: string, at: number): (Written & { end: number }) | undefined {
  const embed = text[at] === '!';
  const start = at + (embed ? 1 : 0);
  if (!text.startsWith('[[', start)) {
    return undefined;
  }
  const end = text.indexOf(']]', start + 2);
  const inner = text.slice(start + 2, end);
  if (end < 0 || !inner.trim() || inner.includes('\n') || inner.includes('[[')) {
    return undefined;
  }
  const relation = RELATION.exec(inner);
  const rest = inner.slice(relation?.[0].length ?? 0);
  const bar = rest.indexOf('|');
  const target = (bar < 0 ? rest : rest.slice(0, bar)).replace(/\\$/, '').trim();
  const alias = bar < 0 ? '' : rest.slice(bar + 1).trim();
  const shown = alias || target.replace(/#\^?/g, ' › ').replace(/^ › /, '');
  return { embed, inner, kind: relation?.[1] ?? '', shown, end: end + 2 };
}

/**
 * Make a markdown-it render wikilinks, kinds of relations and edge callouts. Where a link leads is
 * asked when it is drawn: an editor keeps what was parsed.
 */
export function extend(markdown: MarkdownIt, resolve: Resolve): MarkdownIt {
  markdown.inline.ruler.before('link', LINK, wikilink);
  markdown.core.ruler.push('mindnet_kinds', state => kinds(state));
  markdown.core.ruler.push('mindnet_edges', state => edgeCallouts(state));
  markdown.renderer.rules[LINK] = (tokens, at, options, env: unknown, self) => {
    const { inner, shown, embed } = tokens[at]!.meta as Written;
    const text = markdown.utils.escapeHtml(shown);
    const address = resolve(inner, env);
    if (address === undefined) {
      return `<span class="mindnet-nowhere">${text}</span>`;
    }
    const { Token: New } = new markdown.core.State('', markdown, {});
    const draw = (token: Token): string => {
      const rule = self.rules[token.type];
      return rule ? rule([token], 0, options, env, self) : self.renderToken([token], 0, options);
    };
    if (embed && PICTURE.test(address)) {
      const image = new New('image', 'img', 0);
      image.attrs = [['src', address], ['alt', '']];
      image.children = [Object.assign(new New('text', '', 0), { content: shown })];
      return draw(image);
    }
    const opened = new New('link_open', 'a', 1);
    opened.attrs = [['href', address], ['class', 'mindnet-link']];
    return `${draw(opened)}${text}</a>`;
  };
  return markdown;
}

const LINK = 'mindnet_link';

function wikilink(state: StateInline, silent: boolean): boolean {
  const found = wikilinkAt(state.src, state.pos);
  if (!found || found.end > state.posMax) {
    return false;
  }
  if (!silent) {
    if (found.kind) {
      badge((type, tag, nesting) => state.push(type, tag, nesting), found.kind);
    }
    state.push(LINK, '', 0).meta = found;
  }
  state.pos = found.end;
  return true;
}

type Push = (type: string, tag: string, nesting: 0 | 1 | -1) => Token;

function badge(push: Push, kind: string): void {
  push('mindnet_kind_open', 'span', 1).attrs = [['class', 'mindnet-kind']];
  push('text', '', 0).content = kind;
  push('mindnet_kind_close', 'span', -1);
}

/** Turn what stands before a link and names its kind into a badge. */
function kinds(state: StateCore): void {
  for (const block of state.tokens) {
    if (block.type === 'inline' && block.children) {
      block.children = block.children.flatMap((token, at, all) =>
        token.type === 'text' && all[at + 1]?.type === LINK ? split(state, token, LEADING) : [token],
      );
    }
  }
}

function split(state: StateCore, token: Token, pattern: RegExp): Token[] {
  const found = pattern.exec(token.content);
  if (!found) {
    return [token];
  }
  const before = new state.Token('text', '', 0);
  before.content = token.content.slice(0, found.index);
  const made: Token[] = [before];
  badge(
    (type, tag, nesting) => {
      const part = new state.Token(type, tag, nesting);
      made.push(part);
      return part;
    },
    found[1] ?? found[2] ?? '',
  );
  return made;
}

/** `> [!edge] kind: [[A]]`: the mark goes, the kinds become badges, the quote gets a class. */
function edgeCallouts(state: StateCore): void {
  state.tokens.forEach((token, at) => {
    const [paragraph, inline] = state.tokens.slice(at + 1, at + 3);
    if (token.type !== 'blockquote_open' || paragraph?.type !== 'paragraph_open' || !inline?.children) {
      return;
    }
    const first = inline.children[0];
    if (first?.type !== 'text' || !EDGES.test(first.content)) {
      return;
    }
    token.attrJoin('class', 'mindnet-edges');
    first.content = first.content.replace(EDGES, '');
    const children = first.content ? inline.children : inline.children.slice(1);
    if (!first.content && children[0]?.type === 'softbreak') {
      children.shift();
    }
    inline.children = children.flatMap((child, place) => {
      const begins = place === 0 || ['softbreak', 'hardbreak'].includes(children[place - 1]!.type);
      const lines = child.type === 'softbreak' ? [new state.Token('hardbreak', 'br', 0)] : [child];
      return begins && child.type === 'text' ? split(state, child, LINE_KIND) : lines;
    });
  });
}

/** What the side view shows of a note, as a tree. Knows no editor; words of a language are given. */
import type { Backlink, Breakdown, Hit, Suggestion } from './payloads';
import { excerpt, scoreText } from './wording';

/** What is known of the note that is looked at; undefined parts were not to be had. */
export interface NoteFacts {
  backlinks?: Backlink[] | undefined;
  related?: Hit[] | undefined;
  suggestions?: Suggestion[] | undefined;
}

/** A line of the tree. `place` opens on a click; `suggestion` can be inserted or dismissed. */
export interface Line {
  id: string;
  label: string;
  description: string;
  detail: string[];
  icon: string;
  children: Line[];
  place?: Pick<Hit, 'uri' | 'range'>;
  suggestion?: Suggestion;
}

/** What the terms of a score are called. */
export type TermNames = Record<string, string>;

/** The words of the three groups, and of scores. */
export interface GroupNames {
  backlinks: string;
  related: string;
  suggestions: string;
  score: string;
  terms: TermNames;
}

/** The groups that hold something: suggestions, backlinks by their kind, related notes. */
export function treeOf(facts: NoteFacts, names: GroupNames): Line[] {
  const groups = [
    group('suggestions', names.suggestions, 'lightbulb', suggestionLines(facts, names)),
    group('backlinks', names.backlinks, 'references', backlinkLines(facts.backlinks ?? [])),
    group('related', names.related, 'sparkle', relatedLines(facts, names)),
  ];
  return groups.filter(one => one.children.length > 0);
}

/** What a score is multiplied with before it is shown; all other terms are added. */
export const FACTOR = 'type_weight';

/** The terms that add up to a score, in the order of the server, without total and factor. */
export function termsOf(breakdown: Breakdown | undefined): [string, number][] {
  return Object.entries(breakdown ?? {}).filter(([name]) => name !== 'total' && name !== FACTOR);
}

/** The terms of a score that count, largest first, by the person's words for them. */
export function termTexts(breakdown: Breakdown | undefined, words: TermNames): string[] {
  return termsOf(breakdown)
    .filter(([, value]) => Math.abs(value) >= 0.005)
    .sort(([, a], [, b]) => b - a)
    .map(([name, value]) => `${words[name] ?? name} ${scoreText(value)}`);
}

function group(id: string, label: string, icon: string, children: Line[]): Line {
  return { id, label, description: String(leaves(children)), detail: [], icon, children };
}

function leaves(lines: Line[]): number {
  return lines.reduce((sum, line) => sum + (line.children.length ? leaves(line.children) : 1), 0);
}

/** One line for each kind, most links first, then by name; a single kind needs no line. */
function backlinkLines(backlinks: Backlink[]): Line[] {
  const byKind = new Map<string, Backlink[]>();
  for (const one of backlinks) {
    byKind.set(one.kind, [...(byKind.get(one.kind) ?? []), one]);
  }
  const kinds = [...byKind].sort(
    ([a, some], [b, others]) => others.length - some.length || (a < b ? -1 : 1),
  );
  return kinds.map(([kind, links]) =>
    group(`backlinks/${kind}`, kind, 'link', numbered(links.map(one => backlinkLine(one)))),
  );
}

function backlinkLine({ uri, range, title, kind, context }: Backlink): Line {
  const text = excerpt(context);
  const detail = text ? [text] : [];
  const id = `backlinks/${kind}/${uri}#${range.start.line}:${range.start.character}`;
  return { ...leaf(id, title, text, detail, 'file'), place: { uri, range } };
}

function relatedLines({ related }: NoteFacts, names: GroupNames): Line[] {
  const lines = (related ?? []).map(hit => {
    const description = [scoreText(hit.score), hit.type].filter(Boolean).join(' · ');
    const detail = why(hit.reasons, names, hit.score, hit.score_breakdown);
    return {
      ...leaf(`related/${hit.uri}`, hit.title, description, detail, 'file'),
      place: { uri: hit.uri, range: hit.range },
    };
  });
  return numbered(lines);
}

function suggestionLines({ suggestions }: NoteFacts, names: GroupNames): Line[] {
  const lines = (suggestions ?? []).map(one => {
    const description = `${one.kind} · ${scoreText(one.score)}`;
    const detail = [...why(one.reasons, names, one.score), one.new_text.trim()];
    const id = `suggestions/${one.target_note_id}/${one.kind}`;
    return { ...leaf(id, one.title, description, detail, 'add'), suggestion: one };
  });
  return numbered(lines);
}

function why(reasons: string[], names: GroupNames, score: number, breakdown?: Breakdown): string[] {
  const terms = termTexts(breakdown, names.terms);
  const sum = `${names.score}: ${scoreText(score)}`;
  return [...reasons, terms.length ? `${sum} = ${terms.join(' + ')}` : sum];
}

function leaf(id: string, label: string, description: string, detail: string[], icon: string): Line {
  return { id, label, description, detail, icon, children: [] };
}

/** Ids of a tree must differ: the second of its name gets a number. */
function numbered(lines: Line[]): Line[] {
  const seen = new Map<string, number>();
  return lines.map(line => {
    const count = (seen.get(line.id) ?? 0) + 1;
    seen.set(line.id, count);
    return count === 1 ? line : { ...line, id: `${line.id}~${count}` };
  });
}

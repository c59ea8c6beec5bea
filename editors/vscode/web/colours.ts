/** Which colour a kind of relation has: the theme's chart colours, most used kind first. */
import type { GraphEdge } from '../src/payloads';

/** One edge for each kind between two notes, however often it is written. */
export function distinct(edges: GraphEdge[]): GraphEdge[] {
  const found = new Map(edges.map(edge => [[edge.source, edge.kind, edge.target].join('\0'), edge]));
  return [...found.values()];
}

const NAMES = ['blue', 'orange', 'green', 'purple', 'red', 'yellow'];

/** The kinds of some edges, most used first, then by name. */
export function kindsOf(edges: GraphEdge[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const { kind } of edges) {
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return [...counts].sort(([a, some], [b, others]) => others - some || (a < b ? -1 : 1));
}

/** The colour at a place of that order, as the theme has it now. */
export function colour(index: number, read: (variable: string) => string): string {
  const name = NAMES[index % NAMES.length]!;
  return read(`--vscode-charts-${name}`) || read('--vscode-foreground');
}

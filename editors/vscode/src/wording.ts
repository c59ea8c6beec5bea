/** Answers of the server as short texts. Knows no editor; words that need a language are given. */
import type { GraphEdge, GraphNode, Status, Step } from './payloads';

/** One neighbour in a graph: the kinds that lead to it (→) and from it (←). */
export interface Neighbour {
  node: GraphNode;
  relations: string;
}

/** The neighbours of the note at `uri`, in the order of the graph, with how they are related. */
export function neighbours(nodes: GraphNode[], edges: GraphEdge[], uri: string): Neighbour[] {
  const centre = nodes.find(node => node.uri === uri);
  const near = nodes.filter(node => node !== centre);
  return near.map(node => {
    const to = kinds(edges, centre?.id, node.id).map(kind => `→ ${kind}`);
    const from = kinds(edges, node.id, centre?.id).map(kind => `← ${kind}`);
    return { node, relations: [...to, ...from].join('  ') };
  });
}

function kinds(edges: GraphEdge[], source: string | undefined, target: string | undefined) {
  const found = edges.filter(edge => edge.source === source && edge.target === target);
  return [...new Set(found.map(edge => edge.kind))].sort();
}

/** A way as one line: `A —supports→ B ←part_of— C`. */
export function wayText(steps: Step[]): string {
  return steps
    .map(({ title, kind, forward }, at) => {
      if (at === 0) {
        return title;
      }
      return forward ? `—${kind}→ ${title}` : `←${kind}— ${title}`;
    })
    .join(' ');
}

/** A score between 0 and 1 with two digits. */
export function scoreText(score: number): string {
  return score.toFixed(2);
}

/** The first words of a text of several lines. */
export function excerpt(text: string, length = 120): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const letters = [...line];
  return letters.length <= length ? line : `${letters.slice(0, length - 1).join('')}…`;
}

/** How bad the state of a vault is, for a colour and an icon. */
export function severityOf(status: Status): 'error' | 'busy' | 'fine' {
  if (status.index.state === 'error' || status.index.last_error) {
    return 'error';
  }
  return status.index.state === 'ready' && status.index.pending === 0 ? 'fine' : 'busy';
}

/** What the graph's page and the extension say to each other. Knows no editor. */
import type { GraphEdge, GraphNode } from './payloads';

/** The furthest that a neighbourhood reaches. */
export const MAX_HOPS = 3;

/** The words of the page, in the person's language. */
export interface GraphWords {
  hops: string;
  kinds: string;
  list: string;
  empty: string;
  cut: string;
}

/** From the extension to the page: the neighbourhood of the note `centre`. */
export interface Neighbourhood {
  centre: string;
  hops: number;
  nodes: GraphNode[];
  edges: GraphEdge[];
  /** Whether there are more notes than are shown. */
  cut: boolean;
  words: GraphWords;
}

/** From the page to the extension. */
export type FromGraph =
  | { kind: 'ready' }
  | { kind: 'open'; uri: string }
  | { kind: 'hops'; hops: number };

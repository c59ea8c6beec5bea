/**
 * What the server's workspace commands answer with, as far as it is used here. The contract is
 * the server's; positions and ranges are LSP's, keys are snake_case.
 */
import type { Range } from 'vscode-languageclient/node';

/** An expected failure: any command may answer with it in place of its result. */
export interface Failure {
  error: { code: string; message: string; hint?: string | null };
}

/** The terms that make up a score; they add up to `total`. */
export type Breakdown = Record<string, number>;

/** One hit of `mindnet.query` and `mindnet.related`. */
export interface Hit {
  note_id: string;
  title: string;
  type: string;
  uri: string;
  range: Range;
  section: string;
  text: string;
  score: number;
  score_breakdown?: Breakdown;
  reasons: string[];
}

/** One edge of `mindnet.suggestEdges`, with the edit that writes it. */
export interface Suggestion {
  target_note_id: string;
  title: string;
  uri: string;
  kind: string;
  score: number;
  reasons: string[];
  range: Range;
  new_text: string;
}

/** One link of `mindnet.backlinks`. */
export interface Backlink {
  uri: string;
  range: Range;
  title: string;
  kind: string;
  context: string;
}

/** A note of `mindnet.graph`. */
export interface GraphNode {
  id: string;
  title: string;
  type: string;
  uri: string;
  degree: number;
}

/** An edge of `mindnet.graph`, between ids of notes. */
export interface GraphEdge {
  source: string;
  target: string;
  kind: string;
}

/** One note of a way of `mindnet.path`; `kind` leads to it, written in this direction or not. */
export interface Step {
  title: string;
  kind: string;
  forward: boolean;
  uri: string;
}

/** A note that an answer of `mindnet.chat` rests on; `n` is its number in the text. */
export interface Source {
  n: number;
  note_id?: string;
  title: string;
  uri: string;
  range: Range;
  score: number;
  score_breakdown?: Breakdown;
  reasons: string[];
}

/** `mindnet.draft`: a note that nobody has written to the disk. */
export interface Draft {
  type: string;
  title: string;
  file_name: string;
  uri: string;
  markdown: string;
  missing_fields: { field: string; hint: string }[];
}

/** `mindnet.chat`. */
export interface ChatAnswer {
  query_id: string;
  session_id: string;
  intent: string;
  intent_source: string;
  answer: string;
  sources: Source[];
  draft?: Draft | null;
}

/** What `mindnet.chat` sends while it writes. */
export type ChatProgress = { kind: 'delta'; text: string } | { kind: 'sources'; sources: Source[] };

/** One question of `mindnet.history`. */
export interface HistoryEntry {
  query_id: string;
  query: string;
  mode: string;
  timestamp: string;
}

/** `mindnet.status` and the notification `mindnet/status`. */
export interface Status {
  version: string;
  vault: string;
  notes: number;
  chunks: number;
  edges: number;
  unresolved: number;
  index: { state: string; pending: number; last_error: string | null };
  store: { mode: string; state: string };
  embedding: { provider: string; model: string; dim: number; state: string };
  llm: { model: string; state: string };
}

/** Whether an answer is an expected failure. */
export function isFailure(answer: unknown): answer is Failure {
  return typeof answer === 'object' && answer !== null && 'error' in answer;
}

/** What the chat's page and the extension say to each other. Knows no editor. */
import type { Range } from 'vscode-languageclient/node';
import type { Source } from './payloads';

/** One question and what came of it. */
export interface Turn {
  id: number;
  question: string;
  state: 'waiting' | 'done' | 'failed' | 'stopped';
  answer: string;
  /** Why there is no answer, in the person's language. */
  failure: string;
  intent: string;
  intentSource: string;
  queryId: string;
  sources: Source[];
  /** File name of the draft that this turn made. */
  draft: string;
  /** What was rated already: a note id or `generated_answer`, and the mark. */
  rated: Record<string, number>;
}

/** From the extension to the page. */
export type ToPage =
  | { kind: 'all'; turns: Turn[]; words: Words }
  | { kind: 'turn'; turn: Turn }
  | { kind: 'delta'; id: number; text: string }
  | { kind: 'compose'; text: string };

/** From the page to the extension. */
export type FromPage =
  | { kind: 'ready' }
  | { kind: 'send'; text: string }
  | { kind: 'stop' }
  | { kind: 'open'; uri: string; range: Range }
  | { kind: 'draft'; id: number }
  | { kind: 'rate'; id: number; node: string; score: number; comment: string };

/** The words of the page, in the person's language. */
export interface Words {
  ask: string;
  send: string;
  stop: string;
  empty: string;
  you: string;
  notes: string;
  thinking: string;
  stopped: string;
  sources: string;
  why: string;
  good: string;
  bad: string;
  comment: string;
  thanks: string;
  openDraft: string;
  intents: Record<string, string>;
  terms: Record<string, string>;
}

/** What the mark of an answer as a whole belongs to, in the feedback file. */
export const ANSWER = 'generated_answer';
/** The marks that thumbs up and down stand for, on the scale from 1 to 5. */
export const GOOD = 5;
export const BAD = 1;

/** A turn that waits for its answer. */
export function newTurn(id: number, question: string): Turn {
  return {
    id,
    question,
    state: 'waiting',
    answer: '',
    failure: '',
    intent: '',
    intentSource: '',
    queryId: '',
    sources: [],
    draft: '',
    rated: {},
  };
}

/** The chat's page: turns above, a field to write in below. All it knows comes in messages. */
import { ANSWER, BAD, GOOD, type FromPage, type ToPage, type Turn, type Words } from '../src/chatProtocol';
import { sourceList } from './sources';
import { button, connect, element, thumb } from './host';
import { rendered } from './markdown';

let words: Words | undefined;
const turns = new Map<number, Turn>();
const boxes = new Map<number, HTMLElement>();
const root = document.getElementById('root')!;
const log = element('div', { id: 'log', role: 'log', 'aria-live': 'polite', tabindex: '0' });
const field = element('textarea', { rows: '3' });
const go = element('button', { type: 'submit' });
const form = element('form', {}, field, go);
root.append(log, form);

const send = connect<ToPage, FromPage>(message => {
  switch (message.kind) {
    case 'all':
      words = message.words;
      all(message.turns);
      break;
    case 'turn':
      turns.set(message.turn.id, message.turn);
      draw(message.turn);
      controls();
      break;
    case 'delta':
      added(message.id, message.text);
      break;
    case 'compose':
      if (message.text) {
        field.value = message.text;
      }
      field.focus();
      field.setSelectionRange(field.value.length, field.value.length);
      break;
  }
});

form.addEventListener('submit', event => {
  event.preventDefault();
  if (running()) {
    send({ kind: 'stop' });
  } else if (field.value.trim()) {
    send({ kind: 'send', text: field.value.trim() });
    field.value = '';
  }
});
field.addEventListener('keydown', event => {
  if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    if (!running()) {
      form.requestSubmit();
    }
  } else if (event.key === 'Escape' && running()) {
    send({ kind: 'stop' });
  }
});
send({ kind: 'ready' });

function running(): boolean {
  return [...turns.values()].some(turn => turn.state === 'waiting');
}

function all(given: Turn[]): void {
  turns.clear();
  boxes.clear();
  log.replaceChildren();
  given.forEach(turn => turns.set(turn.id, turn));
  given.forEach(turn => draw(turn));
  controls();
}

function controls(): void {
  if (!words) {
    return;
  }
  field.placeholder = words.ask;
  field.setAttribute('aria-label', words.ask);
  go.textContent = running() ? words.stop : words.send;
  log.dataset.empty = turns.size ? '' : words.empty;
}

/** Text came: drawn at most once a frame, however fast the model is. */
const due = new Set<number>();
function added(id: number, text: string): void {
  const turn = turns.get(id);
  if (!turn) {
    return;
  }
  turn.answer += text;
  if (due.size === 0) {
    requestAnimationFrame(() => {
      due.forEach(one => draw(turns.get(one)!));
      due.clear();
    });
  }
  due.add(id);
}

function draw(turn: Turn): void {
  if (!words) {
    return;
  }
  const atEnd = log.scrollHeight - log.scrollTop - log.clientHeight < 40;
  const box = element('article', { class: `turn ${turn.state}` }, ...parts(turn, words));
  const old = boxes.get(turn.id);
  if (old) {
    old.replaceWith(box);
  } else {
    log.append(box);
  }
  boxes.set(turn.id, box);
  if (atEnd || !old) {
    log.scrollTop = log.scrollHeight;
  }
}

function parts(turn: Turn, said: Words): HTMLElement[] {
  const found: HTMLElement[] = [
    element('h2', {}, said.you),
    element('p', { class: 'question' }, turn.question),
  ];
  const head = element('h2', {}, said.notes);
  if (turn.intent) {
    head.append(badge(turn, said));
  }
  found.push(head);
  if (turn.answer) {
    found.push(answer(turn));
  } else if (turn.state === 'waiting') {
    found.push(element('p', { class: 'waiting' }, said.thinking));
  }
  if (turn.state === 'failed') {
    found.push(element('p', { class: 'failure', role: 'alert' }, turn.failure));
  } else if (turn.state === 'stopped') {
    found.push(element('p', { class: 'waiting' }, said.stopped));
  }
  if (turn.draft) {
    const open = said.openDraft.replace('{0}', turn.draft);
    found.push(button(open, open, () => send({ kind: 'draft', id: turn.id })));
  }
  if (turn.sources.length) {
    found.push(sourceList(turn, said, send));
  }
  if (turn.state === 'done' && turn.answer && turn.queryId) {
    found.push(thumbs(turn, said));
  }
  return found;
}

function badge(turn: Turn, said: Words): HTMLElement {
  const name = said.intents[turn.intent] ?? turn.intent;
  return element('span', { class: 'badge', title: turn.intentSource }, name);
}

function answer(turn: Turn): HTMLElement {
  const made = element('div', { class: 'answer' });
  made.innerHTML = rendered(turn.answer, new Set(turn.sources.map(({ n }) => n)));
  made.querySelectorAll<HTMLButtonElement>('.cite').forEach(one => {
    const source = turn.sources.find(({ n }) => n === Number(one.dataset.source))!;
    one.title = source.title;
    one.addEventListener('click', () => {
      send({ kind: 'open', uri: source.uri, range: source.range });
    });
  });
  return made;
}

function thumbs(turn: Turn, said: Words): HTMLElement {
  const given = turn.rated[ANSWER];
  if (given !== undefined) {
    return element('p', { class: 'thumbs', role: 'status' }, thumb(given > 2), said.thanks);
  }
  const comment = element('input', {
    type: 'text',
    placeholder: said.comment,
    'aria-label': said.comment,
  });
  const rate = (score: number): void =>
    send({ kind: 'rate', id: turn.id, node: ANSWER, score, comment: comment.value.trim() });
  const good = button(thumb(true), said.good, () => rate(GOOD));
  const bad = button(thumb(false), said.bad, () => rate(BAD));
  return element('div', { class: 'thumbs' }, good, bad, comment);
}

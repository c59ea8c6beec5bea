/** The page's side of its connection with the extension. */

interface Host {
  postMessage(message: unknown): void;
}
declare function acquireVsCodeApi(): Host;

/** Connect: `hear` gets what the extension says; returned is what sends to it. */
export function connect<To, From>(hear: (message: To) => void): (message: From) => void {
  const host = acquireVsCodeApi();
  window.addEventListener('message', ({ data }) => hear(data as To));
  return message => host.postMessage(message);
}

/** An element with classes, attributes and children; texts become text, never HTML. */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Record<string, string> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

/** A button that does something, with a name for those who cannot see it. */
export function button(label: Node | string, name: string, run: () => void): HTMLButtonElement {
  const made = element('button', { type: 'button', title: name, 'aria-label': name }, label);
  made.addEventListener('click', run);
  return made;
}

const SVG = 'http://www.w3.org/2000/svg';

/** A thumb up or down; not every system has letters for it. */
export function thumb(up: boolean): SVGElement {
  const picture = document.createElementNS(SVG, 'svg');
  picture.setAttribute('viewBox', '0 0 16 16');
  picture.setAttribute('class', up ? 'thumb' : 'thumb down');
  picture.setAttribute('aria-hidden', 'true');
  const hand = document.createElementNS(SVG, 'path');
  hand.setAttribute('d', 'M2 7h2.5v7H2zM6 7.2 8.6 2c1.2 0 1.9.9 1.6 2.1L9.6 6.5H14L12.7 14H6z');
  picture.append(hand);
  return picture;
}

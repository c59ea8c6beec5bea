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
export function button(label: string, name: string, run: () => void): HTMLButtonElement {
  const made = element('button', { type: 'button', title: name, 'aria-label': name }, label);
  made.addEventListener('click', run);
  return made;
}

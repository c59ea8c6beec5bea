/** The graph's page: a drawing, a filter by kind, and the same notes as a list. */
import cytoscape, { type Core, type StylesheetJson } from 'cytoscape';
import { MAX_HOPS, type FromGraph, type Neighbourhood } from '../src/graphProtocol';
import { colour, distinct, kindsOf } from './colours';
import { button, connect, element } from './host';

const root = document.getElementById('root')!;
const drawing = element('div', { id: 'drawing', role: 'img' });
const side = element('aside');
root.append(drawing, side);
const hidden = new Set<string>();
let shown: Neighbourhood | undefined;
let graph: Core | undefined;

const send = connect<Neighbourhood, FromGraph>(message => {
  shown = { ...message, edges: distinct(message.edges) };
  draw();
});
new MutationObserver(() => graph?.style(styles())).observe(document.body, {
  attributeFilter: ['class'],
});
send({ kind: 'ready' });

function draw(): void {
  if (!shown) {
    return;
  }
  const { nodes, edges, words, cut, centre } = shown;
  drawing.setAttribute('aria-label', nodes.map(node => node.title).slice(0, 20).join(', '));
  const notes = [nodes.length < 2 ? words.empty : '', cut ? words.cut : ''].filter(Boolean);
  side.replaceChildren(
    hopsSlider(),
    kindsFilter(),
    ...notes.map(text => element('p', { role: 'status' }, text)),
    list(),
  );
  graph?.destroy();
  graph = cytoscape({
    container: drawing,
    elements: {
      nodes: nodes.map(({ id, title, uri, degree }) => ({
        data: { id, title, uri, size: 10 + 2.5 * Math.min(Math.log2(degree + 1), 6), main: id === centre ? 1 : 0 },
      })),
      edges: edges.map(({ source, target, kind }, at) => ({
        data: { id: `e${at}`, source, target, kind, colour: colourOf(kind) },
      })),
    },
    style: styles(),
    minZoom: 0.1,
    maxZoom: 4,
  });
  graph.on('tap', 'node', ({ target }) => send({ kind: 'open', uri: target.data('uri') as string }));
  graph.on('mouseover mouseout', 'edge', ({ type, target }) => {
    target.toggleClass('pointed', type === 'mouseover');
  });
  filter();
  arrange(graph, centre);
}

/** Rings by distance: no chance decides, and 500 notes take no longer than a moment. */
function arrange(of: Core, centre: string): void {
  const steps = distances(of, centre);
  of.layout({
    name: 'concentric',
    animate: false,
    concentric: node => -(steps.get(node.id()) ?? MAX_HOPS + 1),
    levelWidth: () => 1,
    minNodeSpacing: 70,
    padding: 24,
    fit: true,
  }).run();
}

function distances(of: Core, centre: string): Map<string, number> {
  const found = new Map<string, number>();
  const from = of.getElementById(centre);
  if (from.nonempty()) {
    of.elements().bfs({ roots: from, visit: (node, _edge, _before, _at, depth) => void found.set(node.id(), depth) });
  }
  return found;
}

function hopsSlider(): HTMLElement {
  const { hops, words } = shown!;
  const slider = element('input', { type: 'range', min: '1', max: String(MAX_HOPS), value: String(hops) });
  slider.addEventListener('change', () => send({ kind: 'hops', hops: Number(slider.value) }));
  return element('label', {}, `${words.hops}: ${hops} `, slider);
}

function kindsFilter(): HTMLElement {
  const { edges, words } = shown!;
  const boxes = kindsOf(edges).map(([kind, count]) => {
    const box = element('input', { type: 'checkbox' });
    box.checked = !hidden.has(kind);
    box.addEventListener('change', () => {
      if (box.checked) {
        hidden.delete(kind);
      } else {
        hidden.add(kind);
      }
      filter();
    });
    const swatch = element('span', { class: 'swatch', 'aria-hidden': 'true' });
    swatch.style.background = colourOf(kind);
    return element('label', {}, box, swatch, ` ${kind} (${count})`);
  });
  return element('fieldset', {}, element('legend', {}, words.kinds), ...boxes);
}

function list(): HTMLElement {
  const { nodes, words } = shown!;
  const items = nodes.map(({ title, type, uri }) =>
    element('li', {}, button(title, `${title}, ${type}`, () => send({ kind: 'open', uri }))),
  );
  return element('details', {}, element('summary', {}, words.list), element('ul', {}, ...items));
}

/** Hide the kinds that are not wanted, and the notes that only they hold. */
function filter(): void {
  graph?.batch(() => {
    graph!.edges().forEach(edge => void edge.toggleClass('off', hidden.has(edge.data('kind') as string)));
    graph!.nodes().forEach(node => {
      const linked = node.connectedEdges().not('.off').nonempty();
      node.toggleClass('off', !linked && node.data('main') === 0);
    });
  });
}

function colourOf(kind: string): string {
  const at = kindsOf(shown!.edges).findIndex(([name]) => name === kind);
  return colour(at, themed);
}

function themed(variable: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(variable).trim();
}

function styles(): StylesheetJson {
  const text = themed('--vscode-foreground');
  const accent = themed('--vscode-focusBorder') || text;
  return [
    {
      selector: 'node',
      style: {
        label: 'data(title)',
        width: 'data(size)',
        height: 'data(size)',
        color: text,
        'background-color': themed('--vscode-descriptionForeground') || text,
        'font-size': 12,
        'font-family': themed('--vscode-font-family') || 'sans-serif',
        'text-valign': 'bottom',
        'text-margin-y': 3,
        'text-wrap': 'ellipsis',
        'text-max-width': '110px',
        'text-background-color': themed('--vscode-editor-background'),
        'text-background-opacity': 0.75,
        'min-zoomed-font-size': 7,
      },
    },
    { selector: 'node[main = 1]', style: { 'background-color': accent, 'font-weight': 'bold' } },
    {
      selector: 'edge',
      style: {
        width: 1.5,
        'line-color': 'data(colour)',
        'target-arrow-color': 'data(colour)',
        'target-arrow-shape': 'triangle',
        'arrow-scale': 0.8,
        'curve-style': 'bezier',
        opacity: 0.75,
      },
    },
    {
      selector: 'edge.pointed',
      style: {
        label: 'data(kind)',
        width: 3,
        opacity: 1,
        color: text,
        'font-size': 12,
        'text-background-color': themed('--vscode-editor-background'),
        'text-background-opacity': 0.9,
      },
    },
    { selector: '.off', style: { display: 'none' } },
  ];
}

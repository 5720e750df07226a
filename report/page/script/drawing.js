// Draws what is in the window, and only that.
import { byId, plural, svg, svgText } from './elements.js';
import { columns, firstIndex, kindNumber, processOf, processes } from './data.js';
import { state } from './state.js';
import { actionsOf, rowOf } from './rows.js';
import { FOLD_HEIGHT, items, pictureHeight, placeItems } from './items.js';
import { lanes, leftMargin, pictureWidth, placeLanes } from './lanes.js';
import { buildEdges } from './edges.js';
import { addOption, mainLayers, picture } from './picture.js';
import { drawRow } from './row.js';
import { drawEdges, drawLives } from './lines.js';
import { highlight } from './highlight.js';

// Pixels above and below the window that are drawn as well.
const ABOVE = 300;
const BELOW = 600;

// Where the picture begins in the document.
export let plotTop = 0;
let drawnFrom = -1;
let drawnTo = -1;

// Gives all that is shown its place.
export function arrange() {
  placeItems();
  placeLanes();
  buildEdges();
}

export function findPlotTop() {
  plotTop = byId('plot').getBoundingClientRect().top + scrollY;
}

function foldText({ from, to }) {
  const receives = kindNumber('rec');
  const inProcesses = new Set();
  let actionCount = 0;
  let messages = 0;
  for (let row = from; row < to; row++) {
    for (const action of actionsOf(row)) {
      actionCount++;
      inProcesses.add(processOf(action));
      if (columns.kind[action] === receives) messages++;
    }
  }
  const [first] = inProcesses;
  const who = inProcesses.size === 1 ? processes[first].name : plural(inProcesses.size, 'process');
  const text = `${plural(actionCount, 'action')}${messages ? ', ' + plural(messages, 'message') : ''} in ${who}`;
  return { text, inProcesses };
}

function drawFold(item, layers) {
  item.said ??= foldText(item);
  const { text, inProcesses } = item.said;
  const { from, y } = item;
  const group = svg('g', { class: 'fold', 'data-f': from });
  addOption(layers, 'f' + from, text + ', folded', false);
  group.append(svg('rect', { x: 0, y: y + 2, width: pictureWidth, height: FOLD_HEIGHT - 4 }));
  // Which of the shown processes act in it.
  for (const { all, x } of lanes) {
    if (!all.some(process => inProcesses.has(process))) continue;
    group.append(svg('rect', { class: 'act', x: x - 1.5, y: y + 5, width: 3, height: FOLD_HEIGHT - 10, rx: 1.5 }));
  }
  group.append(svgText({ x: leftMargin + 4, y: y + FOLD_HEIGHT / 2 + 4, class: 'lb w q' }, '⋯  ' + text));
  return group;
}

function drawPartingLine({ y }) {
  const line = svg('line', { x1: 0, x2: pictureWidth, y1: y + 4, y2: y + 4 });
  return svg('g', { class: 'sepr' }, line, svgText({ x: leftMargin + 4, y: y + 22 }, 'Not causes'));
}

export function drawItems(layers, from, to) {
  const top = from < items.length ? items[from].y : 0;
  const bottom = to > 0 ? items[to - 1].y + items[to - 1].height : 0;
  drawLives(layers, top, bottom);
  drawEdges(layers, top, bottom);
  for (const item of items.slice(from, to)) {
    const drawItem = item.parts ? drawPartingLine : item.row >= 0 ? drawRow : drawFold;
    layers.rows.append(drawItem(item, layers));
  }
}

// The first item whose end is below a height.
const itemBelow = y => firstIndex(items.length, at => items[at].y + items[at].height >= y);

// Nothing to do if the same items are drawn, unless it is forced.
export function draw(isForced) {
  const top = scrollY - plotTop - ABOVE;
  const from = itemBelow(top);
  const to = Math.min(items.length, itemBelow(top + ABOVE + innerHeight + BELOW) + 1);
  if (!isForced && from === drawnFrom && to === drawnTo) return;
  [drawnFrom, drawnTo] = [from, to];
  picture.setAttribute('width', pictureWidth);
  picture.setAttribute('height', pictureHeight);
  for (const layer of Object.values(mainLayers)) layer.replaceChildren();
  drawItems(mainLayers, from, to);
  const selected = state.selected >= 0 ? 'r' + rowOf[state.selected] : '';
  if (selected && byId(selected)) byId('plot').setAttribute('aria-activedescendant', selected);
  else byId('plot').removeAttribute('aria-activedescendant');
  highlight();
}

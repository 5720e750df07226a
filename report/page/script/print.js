// On paper: the same picture in sheets that are not cut in the middle of a row, each with the names of its lanes.
import { byId, element, svg, svgText } from './elements.js';
import { processes } from './data.js';
import { state } from './state.js';
import { items } from './items.js';
import { lanes, pictureWidth } from './lanes.js';
import { newLayers } from './picture.js';
import { arrange, drawItems } from './drawing.js';
import { shortName } from './heads.js';
import { render } from './view.js';
import { showPanel } from './panel.js';

const SHEET_HEIGHT = 900;
const HEAD_HEIGHT = 34;
const MOST_SHEETS = 40;

const bottomOf = item => item.y + item.height;

function laneNames({ process, all, x }, top) {
  const name = process < 0 ? 'others' : shortName(process);
  const below = process < 0 ? '' : all.length > 1 ? '×' + all.length : processes[process].pid;
  return [
    svgText({ class: 'lb w', x, y: top - 20, 'text-anchor': 'middle' }, name),
    svgText({ class: 'wh', x: x + 16, y: top - 8 }, below),
  ];
}

function sheet(from, to) {
  const layers = newLayers();
  const top = items[from].y;
  const height = bottomOf(items[to - 1]) - top;
  const viewBox = `0 ${top - HEAD_HEIGHT} ${pictureWidth} ${height + HEAD_HEIGHT}`;
  drawItems(layers, from, to);
  const names = lanes.flatMap(lane => laneNames(lane, top));
  return svg('svg', { viewBox }, ...names, layers.back, layers.lives, layers.edges, layers.rows);
}

export function printSheets() {
  state.printing = true;
  arrange();
  const sheets = element('div', 'sheets');
  for (let from = 0; from < items.length && sheets.children.length < MOST_SHEETS;) {
    let to = from + 1;
    while (to < items.length && bottomOf(items[to]) - items[from].y <= SHEET_HEIGHT) to++;
    sheets.append(sheet(from, to));
    from = to;
  }
  byId('plot').after(sheets);
  state.hovered = -1;
  state.tab = 'why';
  showPanel();
}

export function afterPrint() {
  state.printing = false;
  for (const sheets of document.querySelectorAll('.sheets')) sheets.remove();
  render();
}

// Colours of what led to the hovered or selected action, and of what follows from it.
import { byId, svg } from './elements.js';
import { processOf } from './data.js';
import { cone } from './graph.js';
import { state } from './state.js';
import { lateOf, racesAt } from './story.js';
import { actionsOf, isInRow, rowOf } from './rows.js';
import { yOf } from './items.js';
import { xOf } from './lanes.js';
import { mainLayers, picture } from './picture.js';

const CONE_CLASSES = ['pa', 'fu', 'dim'];
const ring = svg('circle', { class: 'me', r: 10 });

export function highlight() {
  const action = state.hovered >= 0 ? state.hovered : state.selected;
  const focus = action >= 0 ? { action, ...cone(action), kin: kinOf(action) } : null;
  picture.classList.toggle('cone', Boolean(focus));
  for (const group of mainLayers.rows.children) if (group.dataset.r != null) highlightRow(group, focus);
  for (const group of mainLayers.edges.children) highlightEdge(group, focus);
  const [hovered, selected] = [state.hovered, state.selected].map(one => (one >= 0 ? rowOf[one] : -1));
  for (const band of mainLayers.back.children) {
    band.classList.toggle('sel', Number(band.dataset.b) === selected);
    band.classList.toggle('hov', Number(band.dataset.b) === hovered);
  }
  if (selected >= 0) {
    ring.setAttribute('cx', xOf(state.selected));
    ring.setAttribute('cy', yOf(state.selected));
    if (!ring.isConnected) picture.append(ring);
  } else ring.remove();
  for (const name of byId('heads').children) {
    name.classList.toggle('on', action >= 0 && Number(name.dataset.p) === processOf(action));
  }
}

// What could have come first instead of it, and what came too late with it.
function kinOf(action) {
  const late = lateOf.get(action);
  const rivals = (racesAt.get(action) || []).map(race => race.rival);
  return new Set([...rivals, ...(late ? [late.asked, late.timeout, late.late] : [])]);
}

function actionClass(one, { action, kin, past, future }) {
  if (one === action) return 'is';
  if (kin.has(one)) return 'rv';
  if (past.marks[one]) return 'pa';
  return future.marks[one] ? 'fu' : 'dim';
}

function highlightRow(group, focus) {
  const row = Number(group.dataset.r);
  group.classList.remove(...CONE_CLASSES, 'sel', 'hov');
  if (focus) {
    const classes = actionsOf(row).map(one => actionClass(one, focus));
    const isNear = classes.includes('is') || classes.includes('rv');
    const best = isNear ? null : CONE_CLASSES.find(one => classes.includes(one));
    if (best) group.classList.add(best);
    if (classes.includes('is')) group.classList.add(state.hovered >= 0 ? 'hov' : 'sel');
  }
  const isSelected = isInRow(row, state.selected);
  byId('r' + row)?.setAttribute('aria-selected', String(isSelected));
  if (isSelected) group.classList.add('sel');
}

function edgeClass(from, to, { action, kin, past, future }) {
  const isPast = one => one === action || past.marks[one];
  const isFuture = one => one === action || future.marks[one];
  const led = to < 0 ? from !== action && !isFuture(from) : isPast(to);
  if (isPast(from) && led) return 'pa';
  if (isFuture(from) && (to < 0 || isFuture(to))) return 'fu';
  return kin.has(from) ? 'rv' : 'dim';
}

function highlightEdge(group, focus) {
  const [from, to] = group.dataset.e.split(',').map(Number);
  group.classList.remove(...CONE_CLASSES, 'rv');
  for (const line of group.children) line.classList.remove('pa', 'fu');
  if (!focus) return;
  const className = edgeClass(from, to, focus);
  group.classList.add(className);
  if (className !== 'pa' && className !== 'fu') return;
  for (const line of group.children) if (!line.classList.contains('race')) line.classList.add(className);
}

// Lines between rows that are shown: messages, writes and their reads, signals, and what could have come first.
import { counts, head, kindOf, peerOf, processOf } from './data.js';
import { receiver, sender, writersFor } from './graph.js';
import { itemAt, items, yOf } from './items.js';
import { laneStep, laneX } from './lanes.js';
import { actionsOf, rowOf } from './rows.js';
import { state } from './state.js';
import { isKey } from './story.js';

// Messages. `action`, `receive` (or -1); the processes `from` and `to`; the heights `fromY` and `toY`; `top` and `bottom` of the whole.
// `isFlat`: in one row; `isLost`: no receive is drawn; `isHidden`: there is one; `race`, `raceY`: the race that it could have won;
// `side` (1: right) and `track`: where it goes down beside the lane of its receiver.
export let edges = [];
// Writes and reads, and signals: `action`, the later `other`, `fromY`, `toY`, `isSignal`.
export let curves = [];
// By receive: its edge, if that goes down.
export let edgeInto = new Map();

const isShown = action => action >= 0 && rowOf[action] >= 0;
const isRow = action => itemAt(action).row >= 0;

export function buildEdges() {
  edges = [];
  curves = [];
  edgeInto = new Map();
  const known = new Set();
  for (const item of items) {
    if (item.row < 0) continue;
    for (const action of actionsOf(item.row)) {
      addMessage(action, known);
      if (isShown(sender[action])) addMessage(sender[action], known);
      addWrites(action);
      addSignal(action, item);
    }
  }
  for (const race of head.races) addRace(race);
  giveTracks();
  edges.sort((a, b) => a.top - b.top);
  for (const edge of edges) if (edge.receive >= 0 && !edge.isFlat) edgeInto.set(edge.receive, edge);
}

function addMessage(action, known) {
  if (known.has(action) || kindOf(action) !== 'send') return;
  known.add(action);
  const taken = receiver(action);
  const receive = isShown(taken) ? taken : -1;
  const item = itemAt(action);
  const other = receive >= 0 ? itemAt(receive) : null;
  const from = processOf(action);
  const to = peerOf(action) >= 0 ? peerOf(action) : receive >= 0 ? processOf(receive) : -1;
  if (to < 0) return;
  const fromY = yOf(action);
  if (other === item) {
    if (item.row >= 0) edges.push({ action, receive, from, to, fromY, toY: fromY, isFlat: true });
    return;
  }
  if (item.row < 0 && (!other || other.row < 0)) return;
  const isLost = receive < 0;
  // Received in a row that is not shown, or perhaps outside the page: it did arrive, as far as is known.
  const isHidden = isLost && (taken >= 0 || counts.heldActions < counts.runActions);
  edges.push({ action, receive, from, to, fromY, toY: isLost ? fromY : yOf(receive), isLost, isHidden });
}

function addCurve(action, other, isSignal) {
  curves.push({ action, other, fromY: yOf(action), toY: yOf(other), isSignal });
}

function addWrites(action) {
  for (const writer of writersFor(action)) {
    if (!isShown(writer) || !isRow(writer) || processOf(writer) === processOf(action)) continue;
    const isTold = isKey[action] && isKey[writer];
    if (isTold || state.selected === action || state.selected === writer) addCurve(writer, action, false);
  }
}

// An exit signal, and the news of an end.
function addSignal(action, item) {
  const cause = sender[action];
  if (!isShown(cause) || kindOf(cause) === 'send' || !isRow(cause)) return;
  if (itemAt(cause) !== item && processOf(cause) !== processOf(action)) addCurve(cause, action, true);
}

function addRace(race) {
  const { at, rival } = race;
  if (rival < 0 || rowOf[at] < 0 || rowOf[rival] < 0) return;
  let edge = edges.find(one => one.action === rival);
  // The end of a process, or its exit signal.
  if (!edge && kindOf(rival) !== 'send' && isRow(rival) && processOf(rival) !== processOf(at)) {
    const y = yOf(rival);
    const [from, to] = [processOf(rival), processOf(at)];
    edge = { action: rival, receive: -1, from, to, fromY: y, toY: y, isLost: true };
    edges.push(edge);
  }
  if (!edge || edge.race) return;
  edge.race = race;
  edge.raceY = yOf(at);
  if (edge.isLost && edge.raceY > edge.fromY) edge.toY = edge.raceY;
}

// Lines that go down on one side of a lane at one height are beside each other.
function giveTracks() {
  const sides = new Map();
  for (const edge of edges) {
    edge.top = Math.min(edge.fromY, edge.race ? edge.raceY : edge.fromY);
    edge.bottom = Math.max(edge.toY, edge.race ? edge.raceY : edge.toY);
    if ((edge.isFlat && !edge.race) || edge.bottom <= edge.top) continue;
    edge.side = laneX[edge.from] >= laneX[edge.to] ? 1 : -1;
    const side = `${edge.to}:${edge.side}`;
    if (sides.has(side)) sides.get(side).push(edge);
    else sides.set(side, [edge]);
  }
  for (const list of sides.values()) {
    list.sort((a, b) => a.top - b.top || b.bottom - a.bottom);
    const freeFrom = [];
    for (const edge of list) {
      edge.track = 0;
      while (freeFrom[edge.track] > edge.top - 2) edge.track++;
      freeFrom[edge.track] = edge.bottom;
    }
  }
}

const mostTracks = () => Math.max(3, Math.min(8, Math.floor((laneStep - 40) / 6)));
const trackDistance = edge => 10 + 6 * Math.min(edge.track, mostTracks());
export const trackX = edge => laneX[edge.to] + edge.side * trackDistance(edge);

// How far lines reach that run down beside a lane here, on its right (1) or left (-1); 0: there are none.
export function linesBeside(process, y, side) {
  let far = 0;
  for (const edge of edges) {
    if (edge.top > y) break;
    const isBeside = edge.to === process && edge.side === side && edge.track != null && edge.bottom >= y - 12;
    if (isBeside) far = Math.max(far, trackDistance(edge));
  }
  return far;
}

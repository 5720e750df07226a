// Lines of the picture: the lives of processes, and the edges.
import { svg, svgPath } from './elements.js';
import { head, isCause, kindOf } from './data.js';
import { before, birth, lastOf } from './graph.js';
import { inStory, racesAt } from './story.js';
import { rowOf } from './rows.js';
import { pictureHeight, yOf } from './items.js';
import { laneX, lanes, xOf } from './lanes.js';
import { curves, edges, trackX } from './edges.js';
import { arrowHead } from './marks.js';

const storyClass = (one, other) => (inStory[one] && inStory[other] ? ' st' : '');

// From height `top` to height `bottom`.
export function drawLives(layers, top, bottom) {
  const line = (className, x, from, to) => {
    if (to > from) layers.lives.append(svgPath(className, `M${x} ${from}V${to}`));
  };
  const end = head.target >= 0 ? yOf(head.target) : pictureHeight - 10;
  for (const { process, all, x } of lanes) {
    if (all.length !== 1) {
      line('life rest', x, top, bottom);
      continue;
    }
    const isBorn = birth[process] >= 0 && rowOf[birth[process]] >= 0;
    const from = isBorn ? yOf(birth[process]) : 6;
    let last = lastOf[process];
    while (last >= 0 && rowOf[last] < 0) last = before[last];
    const to = last >= 0 ? yOf(last) : from;
    const hasEnded = last >= 0 && ['exit', 'signal', 'halt'].includes(kindOf(last));
    line('life', x, Math.max(from, top), Math.min(to, bottom));
    if (!hasEnded) line('life rest', x, Math.max(to, top) + 4, Math.min(Math.max(end, to + 22), bottom));
  }
}

export function drawEdges(layers, top, bottom) {
  for (const edge of edges) {
    if (edge.top > bottom) break;
    if ((edge.isFlat && !edge.race) || edge.bottom < top) continue;
    const className = 'ed' + (!isCause(edge.action) && !edge.race ? ' ng' : '');
    const group = svg('g', { 'data-e': `${edge.action},${edge.receive}`, class: className });
    layers.edges.append(group);
    if (edge.isLost && !edge.race) group.append(...lostMessage(edge));
    else if (edge.side) group.append(...messageDown(edge));
  }
  for (const curve of curves) {
    if (curve.fromY <= bottom && curve.toY >= top) layers.edges.append(drawCurve(curve));
  }
}

// To its receiver's lane, and no further: an arrow if it is received in a row that is not shown, else a ring.
function lostMessage({ from, to, fromY: y, isHidden }) {
  const [fromX, toX] = [laneX[from], laneX[to]];
  const direction = toX > fromX ? 1 : -1;
  const line = gap => svgPath('e', `M${fromX} ${y}H${toX - direction * gap}`);
  if (isHidden) return [line(13), arrowHead(toX - direction * 4, y, direction, ' hid')];
  return [line(10), svg('circle', { class: 'm', cx: toX - direction * 7, cy: y, r: 3 })];
}

// Across, down beside the lane of its receiver, and into it.
function messageDown(edge) {
  const { side, race, raceY, isLost, fromY, toY } = edge;
  const fromX = laneX[edge.from];
  const toX = laneX[edge.to];
  const x = trackX(edge);
  const direction = x > fromX ? 1 : -1;
  const radius = Math.min(7, Math.abs(x - fromX));
  const story = edge.receive >= 0 ? storyClass(edge.action, edge.receive) : '';
  const across = `M${fromX} ${fromY}H${x - direction * radius}Q${x} ${fromY} ${x} ${fromY + radius}`;
  const into = (start, gap, headGap) => [
    svgPath('e' + story, `${start}V${toY - 6}Q${x} ${toY} ${x - side * 4} ${toY}H${toX + side * gap}`),
    arrowHead(toX + side * headGap, toY, -side, story),
  ];
  if (!race) return racesAt.has(edge.receive) ? into(across, 9, 5) : into(across, 8, 4);
  if (raceY < fromY) {
    // It came after what it could have come before: it goes its way down, and the dashed line shows where it could have been.
    const start = isLost ? `M${fromX} ${fromY}H${x}` : `M${x} ${fromY}`;
    const dashed = [svgPath('e race', `${start}V${raceY + 9}`), svgPath('hd race', `M${x} ${raceY + 3}l-3.6 7h7.2z`)];
    return isLost || edge.isFlat ? dashed : [...into(across, 8, 4), ...dashed];
  }
  const dashed = [svgPath('e race', `${across}V${raceY - 9}`), svgPath('hd race', `M${x} ${raceY - 3}l-3.6 -7h7.2z`)];
  return !isLost && toY > raceY ? [...dashed, ...into(`M${x} ${raceY}`, 8, 4)] : dashed;
}

function drawCurve({ action, other, fromY, toY, isSignal }) {
  const [fromX, toX] = [xOf(action), xOf(other)];
  const story = storyClass(action, other);
  const bend = Math.min(60, (toY - fromY) / 2);
  const control = `C${fromX} ${fromY + bend} ${toX} ${toY - bend} ${toX} ${toY - 8}`;
  const group = svg('g', { 'data-e': `${action},${other}`, class: 'ed' });
  group.append(svgPath('e acc' + story, `M${fromX} ${fromY + 6}${control}`));
  if (isSignal) group.append(svgPath('hd' + story, `M${toX} ${toY - 5}l-3.4 -6h6.8z`));
  return group;
}

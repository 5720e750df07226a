// One row of the picture.
import { svg, svgPath, svgText } from './elements.js';
import { actorText, content, head, isCause, isFailure, kindOf, label, peerOf, processOf, processes } from './data.js';
import { titleText } from './data.js';
import { describe } from './words.js';
import { sender } from './graph.js';
import { state } from './state.js';
import { inStory, racesAt, rivals, stepOf } from './story.js';
import { actionsOf, firstAction, foldedSteps, isInRow, secondAction } from './rows.js';
import { isNarrow, laneX, leftMargin, ownFileCount, pictureWidth, placeInSources, rightMargin } from './lanes.js';
import { sharesLane, xOf } from './lanes.js';
import { linesBeside } from './edges.js';
import { arrow, charWidth, cutText, markOf } from './marks.js';
import { addOption } from './picture.js';
import { drawBadges } from './badges.js';

const MOST_TICKS = 4;

export function drawRow(item, layers) {
  const { row, y: top, height } = item;
  const actions = actionsOf(row);
  const y = top + 20;
  const isTarget = isInRow(row, head.target);
  const classes = ['row'];
  if (actions.some(action => inStory[action])) classes.push('st');
  if (isTarget) classes.push('fail');
  if (!actions.some(action => isCause(action) || rivals.has(action))) classes.push('ng');
  const group = svg('g', { class: classes.join(' '), 'data-r': row });
  const said = actions.map(action => `${actorText(action)} ${describe(action)}`).join('; ');
  addOption(layers, 'r' + row, said, isInRow(row, state.selected));
  const whole = { x: 0, y: top, width: pictureWidth, height };
  group.append(svg('rect', { class: 'ha', ...whole }));
  layers.back.append(svg('rect', { class: 'rb' + (isTarget ? ' fail' : ''), 'data-b': row, ...whole }));
  if (state.hitSet && actions.some(action => state.hitSet.has(action))) {
    group.append(svg('rect', { class: 'hit', x: 0, y: top + 2, width: 4, height: height - 4 }));
  }
  const stepNumber = actions.map(action => stepOf[action]).find(Boolean);
  if (stepNumber || isTarget) drawStepNumber(group, isTarget ? '!' : stepNumber, y, isTarget ? ' f' : '');
  for (const [process, count] of foldedSteps.get(row) || []) {
    for (let k = 0; k < Math.min(count, MOST_TICKS); k++) {
      group.append(svgPath('tick', `M${laneX[process] - 4} ${top + 2 + k * 3}h8`));
    }
  }
  const reach = drawActions(group, row, y);
  drawBadges(group, { actions, y, stepNumber, ...reach });
  drawPlace(group, actions, y, top + height);
  return group;
}

function drawStepNumber(group, text, y, className) {
  const x = isNarrow ? 15 : 22;
  group.append(
    svg('circle', { class: 'bd' + className, cx: x, cy: y, r: 9 }),
    svgText({ class: 'bt' + className, x, y: y + 3.8 }, text)
  );
}

// In a shared lane, the pid tells which process it is.
const pidIfShared = action => (sharesLane(processOf(action)) ? processes[processOf(action)].pid + ' ' : '');
// Where texts end, before the places.
const rightEnd = () => pictureWidth - (isNarrow ? 6 : rightMargin);
const raceClass = action => (rivals.has(action) ? ' race' : '');

function drawText(group, text, x, y, anchor, className) {
  group.append(svgText({ class: 'lb' + className, x, y, 'text-anchor': anchor }, text));
}

// Returns how far the texts reach: `leftX` to the left, `endX` to the right.
function drawActions(group, row, y) {
  const action = firstAction[row];
  const receive = secondAction[row];
  if (receive >= 0) return drawMessage(group, action, receive, y);
  if (kindOf(action) === 'spawn' && peerOf(action) >= 0) return drawSpawn(group, action, y);
  if (kindOf(action) === 'send') return drawSend(group, action, y);
  return drawOther(group, action, y);
}

// Along an arrow: from its left end on, else up to its right end; never beyond both.
function drawAlong(group, actions, text, fromX, toX, y, className) {
  const beside = actions
    .filter(action => xOf(action) === fromX)
    .map(action => linesBeside(processOf(action), y - 10, 1) - 6);
  const start = fromX + Math.max(0, ...beside);
  const need = text.length * charWidth;
  const roomBefore = toX - 18 - leftMargin;
  const roomBehind = rightEnd() - start - 10;
  const isBehind = need <= roomBehind || (need > roomBefore && roomBehind >= roomBefore);
  if (isBehind) drawText(group, cutText(text, roomBehind), start + 10, y - 6, 'start', className);
  else drawText(group, cutText(text, roomBefore), toX - 10, y - 6, 'end', className);
}

function drawMessage(group, action, receive, y) {
  const [fromX, toX] = [xOf(action), xOf(receive)];
  const [low, high] = [Math.min(fromX, toX), Math.max(fromX, toX)];
  const isRace = racesAt.has(receive);
  const to = sharesLane(processOf(receive)) ? ' → ' + processes[processOf(receive)].pid : '';
  const className = inStory[receive] && inStory[action] ? ' st' : raceClass(action);
  group.append(...arrow(fromX, toX, y, className, isRace ? 5 : 4));
  drawAlong(group, [action, receive], pidIfShared(action) + label(action) + to, low, high, y, raceClass(action));
  group.append(markOf(action, fromX, y), markOf(receive, toX, y));
  return { leftX: fromX, endX: isRace ? toX : high };
}

function drawSpawn(group, action, y) {
  const child = peerOf(action);
  const [x, childX] = [xOf(action), laneX[child]];
  if (childX !== x) group.append(...arrow(x, childX, y, ' sp', 3));
  group.append(markOf(action, x, y), svgPath('life', `M${childX - 6} ${y}h12`));
  drawText(group, cutText(processes[child].name, rightEnd() - x - 12), x + 10, y - 6, 'start', ' w q');
  return { leftX: x, endX: Math.max(x, childX) };
}

// The receive of it is in another row, or nowhere.
function drawSend(group, action, y) {
  const to = peerOf(action);
  const x = xOf(action);
  const toX = to >= 0 ? laneX[to] : x + 30;
  const [low, high] = [Math.min(x, toX), Math.max(x, toX)];
  const lines = toX < x && to >= 0 ? Math.max(12, linesBeside(to, y, 1) - 4) : 0;
  drawAlong(group, [action], pidIfShared(action) + label(action), low + lines, high, y, raceClass(action));
  group.append(markOf(action, x, y));
  return { leftX: x, endX: x };
}

// The text and its class.
function textBesideMark(action) {
  const text = content(action);
  switch (kindOf(action)) {
    case 'rec': {
      const isFromOutside = sender[action] < 0 && peerOf(action) >= 0;
      return [label(action) + (isFromOutside ? `  from ${processes[peerOf(action)].pid}` : ''), ' q'];
    }
    case 'exit':
      return [text || 'ends', isFailure(action) ? '' : ' w q'];
    case 'output':
      return [text, ' q'];
    case 'after':
      return ['times out', ' w'];
    case 'test':
      return [action === head.target ? titleText : describe(action), ' w'];
    default:
      return [describe(action), ' w'];
  }
}

// Texts go where there is room: right of the mark, else left of it.
function drawOther(group, action, y) {
  const x = xOf(action);
  const [beside, kindClass] = textBesideMark(action);
  const text = pidIfShared(action) + beside;
  const className = kindClass + raceClass(action);
  const gap = kindOf(action) === 'rec' ? 12 : 14;
  const need = text.length * charWidth;
  const lines = linesBeside(processOf(action), y, 1);
  const right = rightEnd();
  const leftStart = x - gap;
  const roomLeft = leftStart - leftMargin;
  const rightStart = lines ? Math.max(x + gap, x + lines + 6) : x + gap;
  const roomRight = right - rightStart;
  group.append(markOf(action, x, y));
  // Left of lines only if it fits there as a whole: two texts that are cut look the same.
  if (lines && need < roomLeft + 4) {
    drawText(group, text, leftStart, y + 4, 'end', className);
    return { leftX: leftStart - need, endX: x };
  }
  if (!text) return { leftX: x, endX: x };
  if (need > roomRight && roomLeft > roomRight) {
    drawText(group, cutText(text, roomLeft), leftStart, y + 4, 'end', className);
    return { leftX: leftStart - Math.min(need, roomLeft), endX: x };
  }
  drawText(group, cutText(text, roomRight), rightStart, y + 4, 'start', className);
  return { leftX: x, endX: rightStart + Math.min(need, roomRight) };
}

function drawPlace(group, actions, y, bottom) {
  const [file, line] = placeInSources(actions);
  if (!file) return;
  const text = file + line;
  if (isNarrow) {
    const shown = ownFileCount() === 1 || text.length > 14 ? line : text;
    group.append(svgText({ class: 'wh n', x: pictureWidth - 4, y: bottom - 2 }, shown));
    return;
  }
  const most = Math.floor((rightMargin - 32) / 6.6);
  const shown = text.length > most ? '…' + text.slice(1 - most) : text;
  group.append(svgText({ class: 'wh', x: pictureWidth - 16, y: y + 4 }, shown));
}

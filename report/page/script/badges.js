// Badges beside the marks of a row: races, what decided, what is likely.
import { svg, svgText } from './elements.js';
import { kindOf, peerOf, processOf } from './data.js';
import { edgeInto, linesBeside } from './edges.js';
import { isNarrow, laneX, pictureWidth, rightMargin, xOf } from './lanes.js';
import { badgeOf, racesAt } from './story.js';

const widthOf = text => text.length * 6 + 14;
// Beside a line that goes down on the right.
const rightOfLine = action => xOf(action) + (edgeInto.get(action)?.side > 0 ? 38 : 14);

// The text of the row reaches from `leftX` to `endX`.
export function drawBadges(group, { actions, y, leftX, endX, stepNumber }) {
  const isPlain = actions.length < 2 && !['send', 'spawn'].includes(kindOf(actions[0]));
  const middle = isPlain ? y : y + 3;
  const leftEdge = isNarrow ? (stepNumber ? 26 : 2) : 36;
  const rightEdge = pictureWidth - (isNarrow ? 4 : rightMargin - 22);
  const placed = [];
  const fitsLeft = (text, x) => x - widthOf(text) > leftEdge;
  const draw = (text, isStrong, markX, x, toLeft) => {
    const width = widthOf(text);
    const strong = isStrong ? ' d' : '';
    let left = toLeft ? x - width : x;
    // Where it would cover the place, it goes to the other side, beyond the text that is there.
    const other = (leftX < markX ? leftX : markX - 4) - 8 - width;
    if (left + width > rightEdge && other > leftEdge) left = other;
    left = Math.max(leftEdge, Math.min(left, pictureWidth - width - 4));
    for (const [from, to] of placed) if (left < to && from < left + width) left = to + 4;
    placed.push([left, left + width]);
    group.append(
      svg('rect', { class: 'chip' + strong, x: left, y: middle - 8, width, height: 16, rx: 8 }),
      svgText({ class: 'ct' + strong, x: left + 6.5, y: middle + 3.7 }, text)
    );
  };
  const row = { actions, y, leftX, endX, draw, fitsLeft };
  drawRaces(row);
  for (const action of actions) if (badgeOf.has(action)) drawBadge(row, action);
}

function drawRaces({ actions, y, leftX, endX, draw, fitsLeft }) {
  const races = actions.flatMap(action => racesAt.get(action) || []);
  if (!races.length) return;
  const isDecisive = races.some(race => race.decisive);
  const text = isDecisive ? 'decisive race' : 'race';
  const at = actions[actions.length - 1];
  const x = xOf(at);
  if (actions.length > 1) {
    const fromRight = xOf(actions[0]) > x;
    const side = fromRight ? -1 : 1;
    const far = linesBeside(processOf(at), y, side);
    draw(text, isDecisive, x, x + side * (far ? far + 8 : 10), fromRight);
  } else if (leftX >= x) draw(text, isDecisive, x, endX + 8, false);
  else if (fitsLeft(text, leftX - 8)) draw(text, isDecisive, x, leftX - 8, true);
  else draw(text, isDecisive, x, rightOfLine(at), false);
}

function drawBadge({ actions, leftX, endX, draw, fitsLeft }, action) {
  const [text, isStrong] = badgeOf.get(action);
  const x = xOf(action);
  const isSingle = actions.length < 2;
  if (isSingle && kindOf(action) !== 'send') {
    draw(text, isStrong, x, leftX < x ? rightOfLine(action) : endX + 8, false);
    return;
  }
  // Beside the mark, away from the line.
  const receiverX = peerOf(action) >= 0 ? laneX[peerOf(action)] : x + 1;
  const otherX = isSingle ? receiverX : xOf(actions[0] === action ? actions[1] : actions[0]);
  const toLeft = otherX >= x;
  if (toLeft && !fitsLeft(text, x - 10)) draw(text, isStrong, x, Math.max(x, otherX) + 10, false);
  else draw(text, isStrong, x, x + (toLeft ? -10 : 10), toLeft);
}

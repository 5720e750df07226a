// The rail beside a long picture: where in it the window is, and what is worth a look.
import { byId, svg } from './elements.js';
import { head } from './data.js';
import { state } from './state.js';
import { badgeOf, racesAt, stepOf } from './story.js';
import { isInRow, someInRow } from './rows.js';
import { items, pictureHeight } from './items.js';
import { plotTop } from './drawing.js';

let windowMark = null;
const scale = () => (innerHeight - 100) / pictureHeight;

function railClass(row) {
  const isDecisive = action => racesAt.get(action)?.some(race => race.decisive) || badgeOf.get(action)?.[1];
  if (isInRow(row, head.target)) return 'x';
  if (someInRow(row, isDecisive)) return 'r';
  if (someInRow(row, action => state.hitSet?.has(action))) return 'h';
  return someInRow(row, action => stepOf[action]) ? 's' : '';
}

export function showRail() {
  byId('rail').replaceChildren();
  windowMark = null;
  if (pictureHeight < innerHeight * 1.2) return;
  windowMark = svg('rect', { class: 'v', x: 0, width: 9, rx: 2 });
  const rail = svg('svg', {}, windowMark);
  for (const { row, y } of items) {
    const className = row >= 0 ? railClass(row) : '';
    if (className) rail.append(svg('rect', { class: className, x: 1, width: 7, y: y * scale(), height: 3 }));
  }
  rail.onclick = event => {
    const y = (event.clientY - rail.getBoundingClientRect().top) / scale();
    scrollTo({ top: y + plotTop - innerHeight / 2 });
  };
  byId('rail').append(rail);
  moveRail();
}

export function moveRail() {
  if (!windowMark) return;
  windowMark.setAttribute('y', Math.max(0, (scrollY - plotTop + 90) * scale()));
  windowMark.setAttribute('height', Math.max(8, (innerHeight - 90) * scale()));
}

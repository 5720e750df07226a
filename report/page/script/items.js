// What stands below each other in the picture: rows that are shown, folds of others, and a line that parts causes from what is none.
import { head, isCause, peerOf, processOf } from './data.js';
import { MOST_ROWS, rowCount, rowOf, someInRow } from './rows.js';
import { state } from './state.js';
import { isKey, told } from './story.js';

const ROW_HEIGHT = 30;
const LINE_HEIGHT = 34;
export const FOLD_HEIGHT = 26;
// A view with no more rows than this is shown as a whole.
const MOST_CAUSES_UNFOLDED = 64;
const MOST_UNFOLDED = 240;

// Each has `y` and `height`. `row`: its row, or -1; `from`, `to`: the rows of a fold; `parts`: the line.
export let items = [];
export let pictureHeight = 0;
// By row: its item.
let itemOf;

export const itemAt = action => (rowOf[action] < 0 ? null : items[itemOf[rowOf[action]]]);
// The height of the mark of an action, or -1.
export function yOf(action) {
  const item = itemAt(action);
  if (!item) return -1;
  return item.row >= 0 ? item.y + 20 : item.y + FOLD_HEIGHT / 2;
}
export const openableFold = row => items.find(one => one.from > row) || items.find(one => one.from != null);

const isFiltered = () => state.onlyHits || state.onlyProcesses.size > 0;

function isWanted(action) {
  if (state.onlyHits && !state.hitSet?.has(action)) return false;
  const chosen = state.onlyProcesses;
  return !chosen.size || chosen.has(processOf(action)) || (peerOf(action) >= 0 && chosen.has(peerOf(action)));
}

// Marks of the rows that are shown.
function chooseRows() {
  const shown = new Uint8Array(rowCount);
  const isStory = state.view === 'story';
  const most = state.view === 'causes' ? MOST_CAUSES_UNFOLDED : MOST_UNFOLDED;
  if (isFiltered()) {
    for (let row = 0, n = 0; row < rowCount && n < MOST_ROWS; row++) {
      if (!someInRow(row, isWanted)) continue;
      shown[row] = 1;
      n++;
    }
  } else if ((state.unfolded || (!isStory && rowCount <= most)) && rowCount <= MOST_ROWS) shown.fill(1);
  else {
    const marks = isStory ? isKey : told;
    const near = isStory ? 0 : 1;
    for (let row = 0; row < rowCount; row++) {
      if (someInRow(row, action => marks[action])) shown.fill(1, Math.max(0, row - near), row + near + 1);
    }
  }
  if (rowCount) shown[head.target >= 0 ? rowOf[head.target] : rowCount - 1] = 1;
  fillGaps(shown, isFiltered() ? 1 : isStory ? 3 : 4);
  for (const row of state.openRows) if (row < rowCount) shown[row] = 1;
  return shown;
}

// Fewer rows than `least` are no fold.
function fillGaps(shown, least) {
  for (let row = 0; row < rowCount; row++) {
    if (shown[row]) continue;
    let end = row;
    while (end < rowCount && !shown[end]) end++;
    if (end - row < least) shown.fill(1, row, end);
    row = end;
  }
}

export function placeItems() {
  const shown = chooseRows();
  const last = head.target >= 0 ? rowOf[head.target] : -1;
  const isBelow = row => last >= 0 && row > last && someInRow(row, action => !isCause(action));
  items = [];
  itemOf = new Int32Array(rowCount);
  let y = 10;
  let parted = false;
  const add = (item, height) => {
    items.push({ ...item, y, height });
    y += height;
  };
  for (let row = 0; row < rowCount;) {
    if (!parted && isBelow(row)) {
      parted = true;
      add({ row: -1, parts: true }, LINE_HEIGHT);
    }
    const from = row;
    do itemOf[row++] = items.length;
    while (!shown[from] && row < rowCount && !shown[row] && (parted || !isBelow(row)));
    if (shown[from]) add({ row: from }, ROW_HEIGHT);
    else add({ row: -1, from, to: row }, FOLD_HEIGHT);
  }
  pictureHeight = y + 14;
}

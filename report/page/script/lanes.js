// Lanes: where each process stands in the picture. They are in the order of the spawn tree.
import { byId } from './elements.js';
import { columns, counts, head, kindOf, peerOf, placeOf, processOf, processes } from './data.js';
import { items } from './items.js';
import { actionsOf } from './rows.js';
import { state } from './state.js';
import { badgeOf } from './story.js';

const PRINTED_WIDTH = 1000;
// A picture that is less wide than this is for a phone.
const NARROW = 560;
// Children that only get a spawn have a lane if there are no more processes than this.
const MOST_WITH_CHILDREN = 14;

// Each has `x`; `all`, its processes; `process`, the first of them, or -1 in the lane of those that are not in this view; `family`,
// the same for children of one parent with one name.
export let lanes = [];
// By process.
export let laneX = [];
let shared;
export let laneStep = 100;
export let pictureWidth = 0;
// What is left of the lanes and right of them, where the places are.
export let leftMargin = 44;
export let rightMargin = 0;
export let isNarrow = false;

export const xOf = action => laneX[processOf(action)];
export const sharesLane = process => shared[process] > 0;

// The place of a row, in the program's own sources: the name of its file and its line, or an empty list.
export function placeInSources(actions) {
  const own = actions.map(placeOf).map(place => (place?.file.own ? place : null));
  const place = own[0] || own[1];
  if (!place) return [];
  const [first, second] = own;
  const isTwo = first && second && first.file === second.file && first.line !== second.line;
  return [place.file.name, `:${place.line}${isTwo ? '→' + second.line : ''}`];
}

// Processes that act in the rows that are shown, or are acted on.
function usedProcesses() {
  const used = new Uint8Array(processes.length);
  const kinds = ['send', 'rec', ...(processes.length <= MOST_WITH_CHILDREN ? ['spawn'] : [])];
  for (const { row } of items) {
    if (row < 0) continue;
    for (const action of actionsOf(row)) {
      used[processOf(action)] = 1;
      if (peerOf(action) >= 0 && kinds.includes(kindOf(action))) used[peerOf(action)] = 1;
    }
  }
  return [...used.keys()].filter(process => used[process]);
}

// Processes that the story names.
function namedProcesses() {
  const decisive = head.races.filter(race => race.decisive);
  const actions = [
    head.target,
    ...head.steps.flatMap(({ a, s }) => [a, s]),
    ...decisive.flatMap(({ at, rival }) => [at, rival]),
    ...badgeOf.keys(),
  ];
  return new Set(actions.filter(action => action >= 0).map(processOf));
}

// Children of one parent with one name share a lane, unless the story names them.
function sharedLanes(used) {
  const named = namedProcesses();
  const families = new Map();
  const made = [];
  for (const process of used) {
    const family = `${processes[process].parent} ${processes[process].name}`;
    const known = families.get(family);
    const isAlone = named.has(process) || state.onlyProcesses.has(process) || state.apart.has(family);
    if (!isAlone && known) {
      known.all.push(process);
      continue;
    }
    const lane = { process, all: [process], family };
    if (!isAlone) families.set(family, lane);
    made.push(lane);
  }
  return made;
}

export function placeLanes() {
  const used = usedProcesses();
  const room = state.printing ? PRINTED_WIDTH : byId('plot').clientWidth;
  setMargins(room);
  const free = room - leftMargin - rightMargin;
  const least = isNarrow ? 46 : used.length > 12 ? 54 : 66;
  const isTight = (used.length + 1) * least > free;
  lanes = isTight ? sharedLanes(used) : used.map(process => ({ process, all: [process] }));
  if (counts.runProcesses > used.length) lanes.push({ process: -1, all: [] });
  spreadLanes(room, free, least);
}

// Places are cut only if they would take more than a quarter.
function setMargins(room) {
  const longest = items.reduce(
    (most, { row }) => (row < 0 ? most : Math.max(most, placeInSources(actionsOf(row)).join('').length)),
    0
  );
  isNarrow = room < NARROW;
  leftMargin = isNarrow ? 30 : 44;
  rightMargin = isNarrow ? 10 : Math.max(108, Math.min(longest * 6.65 + 34, Math.max(136, room * 0.27)));
}

function spreadLanes(room, free, least) {
  const count = lanes.length;
  const lead = isNarrow ? Math.min(free / count / 2, 40) : Math.max(50, Math.min((free / count) * 0.62, 104));
  const firstX = leftMargin + lead;
  laneStep = Math.max(least, Math.min(176, free / count));
  const overlaps = laneStep * count + lead - laneStep / 2 > free;
  if (!isNarrow && count > 1 && laneStep > least && overlaps) {
    laneStep = Math.max(least, (free - lead - 40) / (count - 1));
  }
  const lastX = firstX + (count - 1) * laneStep;
  laneX = new Float64Array(processes.length).fill(lastX);
  shared = new Uint8Array(processes.length);
  lanes.forEach((lane, k) => {
    lane.x = firstX + k * laneStep;
    for (const process of lane.all) {
      laneX[process] = lane.x;
      shared[process] = Number(lane.all.length > 1);
    }
  });
  pictureWidth = Math.max(room, lastX + (isNarrow ? 20 : 40) + rightMargin);
}

export const ownFileCount = () => columns.files.filter(file => file.own).length;

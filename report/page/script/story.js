// What is told of: the steps, what decided and what is likely, by action.
import { actionCount, columns, head, isCause, processOf, processes } from './data.js';
import { before, birth, lastOf, receiver, sender } from './graph.js';

// Marks of actions. Named in the story; shown in the story view; drawn in its colour; no cause, but shown with what it led to.
export let told;
export let isKey;
export let inStory;
export let isGhost;
// By action: the number of its step, or 0.
export let stepOf;
// By action: the races of a receive; a race that it could have won; [text, is it strong?]; an answer that came too late.
export const racesAt = new Map();
export const rivals = new Map();
export const badgeOf = new Map();
export const lateOf = new Map();
const byTarget = new Map();

// An action that a target names, or -1.
export function findTarget(name) {
  if (byTarget.has(name)) return byTarget.get(name);
  const event = /^event:<?([\d.]+)>?\/(\d+)$/.exec(name);
  if (event) {
    const [, pid, number] = event;
    for (let action = 0; action < actionCount; action++) {
      if (columns.number[action] === Number(number) && processes[processOf(action)].pid === pid) return action;
    }
  }
  const end = /^(?:end|exit):<?([\d.]+)>?$/.exec(name) || /^sent:<?([\d.]+)>?\/end\//.exec(name);
  const process = end ? processes.findIndex(one => one.pid === end[1]) : -1;
  if (process < 0) return -1;
  return lastOf[process] >= 0 ? lastOf[process] : birth[process];
}

function tell(action) {
  if (action >= 0) told[action] = isKey[action] = 1;
}

function colour(action) {
  if (action >= 0) told[action] = inStory[action] = 1;
}

function badge(action, text, isStrong) {
  if (action < 0) return;
  tell(action);
  if (!badgeOf.has(action)) badgeOf.set(action, [text, isStrong]);
}

export function mapStory() {
  const marks = () => new Uint8Array(actionCount);
  [told, isKey, inStory, isGhost] = [marks(), marks(), marks(), marks()];
  stepOf = new Int32Array(actionCount);
  colour(head.target);
  tell(head.target);
  head.steps.forEach(mapStep);
  for (const race of head.races) mapRace(race);
  for (const action of head.alone) badge(action, 'decisive', true);
  for (let k = 0; k + 1 < head.order.length; k += 2) {
    badge(head.order[k], 'decisive: came first', true);
    badge(head.order[k + 1], 'decisive: came after', true);
  }
  for (const answer of head.late) mapLate(answer);
  for (let action = 0; action < actionCount; action++) {
    if (columns.target[action] >= 0) byTarget.set(columns.texts[columns.target[action]], action);
  }
  mapLikely();
  mapGhosts();
}

function mapStep({ a: action, s: sent, asked = [] }, k) {
  if (action >= 0) stepOf[action] ||= k + 1;
  for (const one of [action, sent]) {
    colour(one);
    tell(one);
  }
  // The question that was answered belongs to the step.
  for (const one of asked) colour(one);
}

function mapRace(race) {
  tell(race.at);
  tell(race.rival);
  racesAt.set(race.at, [...(racesAt.get(race.at) || []), race]);
  if (!rivals.has(race.rival)) rivals.set(race.rival, race);
  if (race.decisive) tell(sender[race.at]);
}

function mapLate(answer) {
  const { late, timeout, asked } = answer;
  badge(late, 'too late', true);
  badge(timeout, 'gives up', true);
  tell(asked);
  if (asked >= 0) tell(receiver(asked));
  for (const action of [late, timeout, asked]) lateOf.set(action, answer);
}

// What the likely cause names.
function mapLikely() {
  for (const action of head.lead.flatMap(({ actions = [] }) => actions)) {
    if (!racesAt.has(action) && action !== head.target) badge(action, 'likely cause', false);
  }
}

// What decided or is likely is shown with what led to it, even if it is no cause.
function mapGhosts() {
  const named = [...head.races.flatMap(({ at, rival }) => [at, rival]), ...badgeOf.keys()];
  for (let action of named) {
    for (; action >= 0 && !isCause(action); action = before[action]) {
      isGhost[action] = 1;
      if (sender[action] >= 0) isGhost[sender[action]] = 1;
    }
  }
}

// What explains most of what decided: an action, or -1.
export function mostDecisive() {
  const first = head.late.find(one => one.first);
  if (first) return first.late;
  const others = [...head.order, ...head.alone];
  if (head.races.length && (head.races[0].decisive || !others.length)) return head.races[0].at;
  return others.length ? others[0] : -1;
}

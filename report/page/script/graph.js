// Which action is before which: in its process, along messages and signals, and from what is written to who reads it.
import { actionCount, columns, kindNumber, kindOf, peerOf, processOf, processes } from './data.js';

// Cones are forgotten when they take more bytes than this.
const MOST_CONES = 4e7;

// By action: the one before and after it in its process; what sent the message or signal that it takes.
export let before;
export let after;
export let sender;
// By process: the action that spawned it, its first and its last.
export let birth;
export let firstOf;
export let lastOf;
// By action: who takes what it sends; whose writes it reads; who reads what it wrote.
let takers;
let writers;
let readers;

// By key, the values: as one list, and where each key's part begins.
function grouped(keys, values) {
  const starts = new Int32Array(actionCount + 1);
  for (const key of keys) starts[key + 1]++;
  for (let i = 0; i < actionCount; i++) starts[i + 1] += starts[i];
  const next = starts.slice();
  const list = new Int32Array(keys.length);
  for (let k = 0; k < keys.length; k++) list[next[keys[k]]++] = values[k];
  return { list, starts };
}

const groupOf = ({ list, starts }, action) => list.subarray(starts[action], starts[action + 1]);
export const writersFor = action => groupOf(writers, action);
export const readersOf = action => groupOf(readers, action);

const none = count => new Int32Array(count).fill(-1);

export function buildGraph() {
  [before, after, sender] = [none(actionCount), none(actionCount), none(actionCount)];
  [birth, firstOf, lastOf] = [none(processes.length), none(processes.length), none(processes.length)];
  const spawn = kindNumber('spawn');
  const sends = [];
  const taken = [];
  for (let action = 0; action < actionCount; action++) {
    const process = processOf(action);
    if (lastOf[process] >= 0) {
      before[action] = lastOf[process];
      after[lastOf[process]] = action;
    } else firstOf[process] = action;
    lastOf[process] = action;
    if (columns.kind[action] === spawn && peerOf(action) >= 0) birth[peerOf(action)] = action;
    if (columns.signal[action] >= 0) {
      sender[action] = action - columns.signal[action];
      sends.push(sender[action]);
      taken.push(action);
    }
  }
  takers = grouped(sends, taken);
  writers = grouped(columns.reader, columns.writer);
  readers = grouped(columns.writer, columns.reader);
}

// The action that receives what is sent here.
export function receiver(action) {
  for (const taker of groupOf(takers, action)) if (['rec', 'signal'].includes(kindOf(taker))) return taker;
  return -1;
}

const cones = new Map();

// The causes and the consequences of an action, each as marks of actions, their number and their processes.
export function cone(action) {
  const known = cones.get(action);
  if (known) return known;
  const made = { past: causesOf(action), future: consequencesOf(action) };
  if (cones.size * actionCount > MOST_CONES) cones.clear();
  cones.set(action, made);
  return made;
}

const beforeOrBirth = action => (before[action] >= 0 ? before[action] : birth[processOf(action)]);

// The actions are in causal order, so one pass back finds all causes, and one on all consequences.
function causesOf(action) {
  const marks = new Uint8Array(actionCount);
  const inProcesses = new Set();
  let count = 0;
  marks[action] = 1;
  for (let at = action; at >= 0; at--) {
    if (!marks[at]) continue;
    if (at !== action) {
      count++;
      inProcesses.add(processOf(at));
    }
    const previous = beforeOrBirth(at);
    if (previous >= 0 && previous < at) marks[previous] = 1;
    if (sender[at] >= 0) marks[sender[at]] = 1;
    for (let k = writers.starts[at]; k < writers.starts[at + 1]; k++) marks[writers.list[k]] = 1;
  }
  marks[action] = 0;
  return { marks, count, processes: inProcesses.size };
}

function consequencesOf(action) {
  const marks = new Uint8Array(actionCount);
  const inProcesses = new Set();
  let count = 0;
  marks[action] = 1;
  for (let at = action + 1; at < actionCount; at++) {
    const previous = beforeOrBirth(at);
    let follows = (previous >= 0 && marks[previous]) || (sender[at] >= 0 && marks[sender[at]]);
    for (let k = writers.starts[at]; !follows && k < writers.starts[at + 1]; k++) follows = marks[writers.list[k]];
    if (!follows) continue;
    marks[at] = 1;
    count++;
    inProcesses.add(processOf(at));
  }
  marks[action] = 0;
  return { marks, count, processes: inProcesses.size };
}

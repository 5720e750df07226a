// The facts of the page: the head, which is told at once, and the bulk, the columns of all actions, unpacked after the head is shown.
// An action is a number: its place in the columns, in causal order. A process is a number: its place in `processes`. None is -1.
import { byId } from './elements.js';

// Bits of the column `flags`.
const NO_CAUSE = 1;
const ROUTINE = 2;
const FAILURE = 16;
const WRITE = 32;

export const head = JSON.parse(byId('head').textContent);
export const counts = {
  runActions: head.counts[0],
  causes: head.counts[1],
  heldActions: head.counts[2],
  runProcesses: head.counts[3],
  causingProcesses: head.counts[4],
  // Of several processes that wait, all waits are explained: these are the causes of the one that the title names.
  ownCauses: head.counts[5],
};
// What happened, in a line.
export const titleText = [head.about.title.pid, head.about.title.name, head.about.title.happened]
  .filter(Boolean)
  .join(' ');
export let columns = {};
export let processes = [];
export let actionCount = 0;

export async function unpackBulk() {
  const packed = Uint8Array.from(atob(byId('bulk').textContent), c => c.charCodeAt(0));
  byId('bulk').textContent = '';
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const base = 4 + new DataView(bytes.buffer).getUint32(0, true);
  const decoder = new TextDecoder();
  const unpacked = {};
  for (const [name, kind, offset, length] of JSON.parse(decoder.decode(bytes.subarray(4, base)))) {
    const part = bytes.subarray(base + offset, base + offset + length);
    unpacked[name] = kind === 'json' ? JSON.parse(decoder.decode(part)) : unpackColumn(part, Number(kind[1]));
  }
  columns = unpacked;
  processes = columns.lanes.map(([pid, name, parent, actions, node]) => ({
    pid,
    ...namesOf(name),
    parent,
    actions,
    node,
  }));
  actionCount = columns.lane.length;
}

// A function that a process runs is in parts, so that it can be made shorter: `shorter` is without the arity.
function namesOf(given) {
  if (typeof given === 'string')
    return { name: given || 'process', short: given || 'process', shorter: given || 'process' };
  const [madeOf, name, arity] = given;
  const shorter = (madeOf && 'λ ') + name;
  return { name: (madeOf && madeOf + ' in ') + name + arity, short: shorter + arity, shorter };
}

// Numbers of `width` bytes, the lowest bytes of all numbers first; each is one more than what it means.
function unpackColumn(bytes, width) {
  const length = bytes.length / width;
  const out = new Int32Array(length).fill(-1);
  for (let byte = 0; byte < width; byte++) {
    for (let i = 0, from = byte * length; i < length; i++, from++) out[i] += bytes[from] << (8 * byte);
  }
  return out;
}

const textOf = at => (at < 0 ? '' : columns.texts[at]);

export const kindOf = action => columns.kinds[columns.kind[action]];
export const kindNumber = kind => columns.kinds.indexOf(kind);
export const isEnd = action => ['exit', 'signal'].includes(kindOf(action));
export const isCause = action => !(columns.flags[action] & NO_CAUSE);
export const isRoutine = action => (columns.flags[action] & ROUTINE) > 0;
export const processOf = action => columns.lane[action];
// The other process: a receiver, sender or child.
export const peerOf = action => columns.peer[action];
export const content = action => textOf(columns.content[action]);
export const label = action => (columns.label[action] < 0 ? content(action) : columns.texts[columns.label[action]]);
export const isFailure = action => (columns.flags[action] & FAILURE) > 0;
export const isWrite = action => (columns.flags[action] & WRITE) > 0;

// What it used of shared things, as places of texts; `brief`: without who left it so.
function usesIn(column, action) {
  const list = columns.uses[action];
  if (list < 0) return [];
  return [...column.subarray(columns.use_start[list], columns.use_start[list + 1])].filter(at => at >= 0);
}
export const useTexts = action => usesIn(columns.use_text, action);
export const uses = action => useTexts(action).map(textOf);
export const briefUses = action => [...new Set(usesIn(columns.use_brief, action))].map(textOf);

// The name of an action, as a person types it.
export function targetName(action) {
  if (columns.target[action] >= 0) return columns.texts[columns.target[action]];
  return `event:${processes[processOf(action)].pid}/${columns.number[action]}`;
}

export function placeOf(action) {
  if (columns.place[action] < 0) return null;
  const [file, line, module, fun] = columns.places[columns.place[action]];
  return { file: columns.files[file], line, module, fun };
}

export function placeText(action) {
  const place = placeOf(action);
  return place ? `${place.file.name}:${place.line}` : '';
}

export function variablesAt(action) {
  if (action === head.target && head.variables.length) return head.variables;
  const list = [];
  let at = firstIndex(columns.variable_at.length, k => columns.variable_at[k] >= action);
  for (; columns.variable_at[at] === action; at++) {
    list.push([columns.texts[columns.variable_name[at]], columns.texts[columns.variable_value[at]]]);
  }
  return list;
}

// The first of `count` numbers with a property that all after it have as well.
export function firstIndex(count, test) {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (test(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

export const processText = process => `${processes[process].pid} ${processes[process].name}`;
export const actorText = action => processText(processOf(action));
export const replayCommand = action => `replay --until ${targetName(action)} ${head.about.file}`;

// Keys: walks along processes, messages and the story.
import { byId } from './elements.js';
import { actionCount, head, kindOf, peerOf, processOf, replayCommand } from './data.js';
import { after, before, birth, firstOf, readersOf, receiver, sender, writersFor } from './graph.js';
import { state } from './state.js';
import { mostDecisive } from './story.js';
import { firstAction, isInRow, rowCount, rowOf } from './rows.js';
import { openableFold } from './items.js';
import { copyText } from './rich_text.js';
import { isReady } from './panel_parts.js';
import { openFold, renderChosen, setView, toggleProcess } from './view.js';
import { select } from './selection.js';
import { nextHit } from './search.js';

export const KEYS = [
  ['↑ ↓', 'previous, next action of the process'],
  ['← →', 'along a message: to its sending, to its receipt; to the parent, to the child'],
  ['j k', 'next, previous row'],
  ['[ ]', 'previous, next step of the story'],
  ['e', 'what is explained'],
  ['r', 'the decisive race'],
  ['/  n N', 'search; next, previous hit'],
  ['1 2 3', 'story, causes, all'],
  ['o', 'open the next fold'],
  ['f', 'unfold, fold'],
  ['p', 'only this process, all processes'],
  ['c', 'copy the command to replay up to here'],
  ['t', 'dark, light'],
  ['Esc', 'back to the story'],
];

const isWalkable = action => action >= 0 && rowOf[action] >= 0 && isInRow(rowOf[action], action);

// The next action in its process that is shown; `next`: by action, the one beside it.
function along(action, next) {
  let at = next[action];
  while (at >= 0 && !isWalkable(at)) at = next[at];
  return at;
}

function leftOf(action) {
  if (sender[action] >= 0) return sender[action];
  const [writer = -1] = writersFor(action);
  if (writer >= 0) return writer;
  return along(action, before) < 0 ? birth[processOf(action)] : -1;
}

function rightOf(action) {
  if (kindOf(action) === 'spawn' && peerOf(action) >= 0) {
    const first = firstOf[peerOf(action)];
    return first < 0 || isWalkable(first) ? first : along(first, after);
  }
  if (receiver(action) >= 0) return receiver(action);
  const [reader = -1] = readersOf(action);
  return reader;
}

// The action of the row that is `step` rows further on, or -1.
function rowFrom(action, step) {
  const row = rowOf[action] + step;
  return row >= 0 && row < rowCount ? firstAction[row] : -1;
}

// Keys that walk: from an action to another one. Nothing selected: what is explained, then.
const WALKS = {
  ArrowUp: action => along(action, before),
  ArrowDown: action => along(action, after),
  ArrowLeft: leftOf,
  ArrowRight: rightOf,
  j: action => rowFrom(action, 1),
  k: action => rowFrom(action, -1),
};

function walk(key) {
  const isNone = state.selected < 0;
  const start = isNone ? (head.target >= 0 ? head.target : actionCount - 1) : state.selected;
  if (key === 'e') return head.target;
  if (key === 'r') return mostDecisive();
  if (!isNone) return WALKS[key](start);
  return key.startsWith('Arrow') ? start : rowFrom(start, 0);
}

function walkStory(step) {
  const actions = [...new Set(head.steps.map(one => one.a).filter(action => action >= 0))];
  const at = actions.indexOf(state.selected);
  const next = at < 0 ? actions[0] : actions[at + step];
  if (next != null) select(next, { tab: 'why' });
}

function openNextFold() {
  const fold = openableFold(state.selected >= 0 ? rowOf[state.selected] : -1);
  if (fold) openFold(fold, false);
}

function chooseProcess() {
  if (state.onlyProcesses.size) {
    state.onlyProcesses.clear();
    renderChosen();
  } else if (state.selected >= 0) toggleProcess(processOf(state.selected));
}

function copyCommand() {
  copyText(byId('command').lastChild, state.selected >= 0 ? replayCommand(state.selected) : head.about.command);
}

const ACTS = {
  '/': event => {
    event.preventDefault();
    byId('query').focus();
  },
  '[': () => walkStory(-1),
  ']': () => walkStory(1),
  n: () => nextHit(1),
  N: () => nextHit(-1),
  1: () => setView('story'),
  2: () => setView('causes'),
  3: () => setView('all'),
  o: openNextFold,
  f: () => {
    if (!byId('unfold').hidden) byId('unfold').click();
  },
  p: chooseProcess,
  c: copyCommand,
  t: () => byId('theme').click(),
  '?': () => byId('help').click(),
  Escape: () => select(-1),
};

export function onKey(event) {
  const { key } = event;
  if (!isReady() || event.ctrlKey || event.metaKey || event.altKey) return;
  if (byId('legend').open || event.target.tagName === 'INPUT') return;
  if (Object.hasOwn(ACTS, key)) {
    ACTS[key](event);
    return;
  }
  if (!Object.hasOwn(WALKS, key) && key !== 'e' && key !== 'r') return;
  const next = walk(key);
  if (next >= 0) select(next);
  if (next >= 0 || key.startsWith('Arrow')) event.preventDefault();
}

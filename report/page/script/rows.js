// Rows of the picture: one action each, or a send with its receive.
import { actionCount, columns, isCause, isRoutine, kindNumber, kindOf, processOf } from './data.js';
import { sender } from './graph.js';
import { state } from './state.js';
import { isGhost, told } from './story.js';

// More rows are not drawn in one view.
export const MOST_ROWS = 20000;

export let rowCount = 0;
// By row: its action; the receive of it in the same row, or -1.
export let firstAction;
export let secondAction;
// By action: its row, or -1.
export let rowOf;
// By row: [process, how many steps of it are folded into this row].
export let foldedSteps = new Map();

export const isInRow = (row, action) => action >= 0 && [firstAction[row], secondAction[row]].includes(action);
export const actionsOf = row => (secondAction[row] >= 0 ? [firstAction[row], secondAction[row]] : [firstAction[row]]);
export const someInRow = (row, test) => test(firstAction[row]) || (secondAction[row] >= 0 && test(secondAction[row]));

function isKept(action) {
  if (state.view === 'all') return true;
  if (!isCause(action) && !isGhost[action]) return false;
  return !isRoutine(action) || told[action] || state.hitSet?.has(action);
}

export function buildRows() {
  firstAction = new Int32Array(actionCount);
  secondAction = new Int32Array(actionCount).fill(-1);
  rowOf = new Int32Array(actionCount).fill(-1);
  rowCount = 0;
  foldedSteps = new Map();
  // By process, steps that wait for its next row.
  const pending = new Map();
  const send = kindNumber('send');
  const settle = (action, row) => {
    const process = processOf(action);
    const steps = pending.get(process);
    rowOf[action] = row;
    if (!steps) return;
    pending.delete(process);
    foldedSteps.set(row, [...(foldedSteps.get(row) || []), [process, steps.length]]);
    for (const step of steps) rowOf[step] = row;
  };
  const isReceived = (action, next) =>
    columns.kind[action] === send &&
    sender[next] === action &&
    kindOf(next) === 'rec' &&
    processOf(action) !== processOf(next);
  for (let action = 0; action < actionCount; action++) {
    if (isKept(action)) {
      const row = rowCount++;
      const next = action + 1;
      firstAction[row] = action;
      settle(action, row);
      if (next < actionCount && isReceived(action, next) && isKept(next)) {
        secondAction[row] = next;
        settle(next, row);
        action = next;
      }
    } else if (isCause(action)) {
      const steps = pending.get(processOf(action));
      if (steps) steps.push(action);
      else pending.set(processOf(action), [action]);
    }
  }
}

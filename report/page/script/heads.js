// The names of processes above their lanes.
import { button, byId, element, number, plural, visible } from './elements.js';
import { counts, head, processOf, processText, processes } from './data.js';
import { commands, state } from './state.js';
import { laneStep, lanes } from './lanes.js';

const WIDE = 110;
const VERY_NARROW = 80;

export function shortName(process) {
  const { name, short, shorter } = processes[process];
  if (laneStep >= WIDE) return name;
  return laneStep < VERY_NARROW ? shorter : short;
}

function othersHead() {
  const shown = lanes.reduce((sum, lane) => sum + lane.all.length, 0);
  const made = button('', null, () => commands.setView(state.view === 'story' ? 'causes' : 'all'));
  made.append(element('b', '', '+' + number(counts.runProcesses - shown)), element('span', '', 'others'));
  made.title = 'Processes that are not in this view';
  made.dataset.p = -1;
  return made;
}

function sharedHead({ process, all, family }) {
  const { name } = processes[process];
  const made = button('', null, () => commands.showApart(family));
  made.append(element('b', '', shortName(process)), element('span', '', '×' + number(all.length)));
  made.title = visible(`${all.length} processes ${name}, in one lane because all do not fit. Click: a lane for each`);
  return made;
}

function processHead({ process }) {
  const { pid, node, actions } = processes[process];
  const made = button('', null, () => commands.toggleProcess(process));
  const on = node ? ' on ' + node : '';
  made.append(element('b', '', shortName(process)), element('span', '', pid + (node ? ' ' + node : '')));
  made.title = visible(`${processText(process)}${on}, ${plural(actions, 'action')} in the run. Click: only its rows`);
  made.setAttribute('aria-pressed', String(state.onlyProcesses.has(process)));
  made.dataset.p = process;
  if (head.target >= 0 && processOf(head.target) === process) made.className = 'failed';
  return made;
}

export function showHeads() {
  const made = lanes.map(lane => {
    const headOf = lane.process < 0 ? othersHead : lane.all.length > 1 ? sharedHead : processHead;
    const shown = headOf(lane);
    shown.style.left = lane.x + 'px';
    shown.style.width = Math.max(40, Math.min(laneStep - 4, 150)) + 'px';
    return shown;
  });
  byId('heads').replaceChildren(...made);
  slideHeads();
}

// The names move sideways with the picture.
export function slideHeads() {
  const x = byId('plot').scrollLeft;
  for (const name of byId('heads').children) name.style.marginLeft = -x + 'px';
}

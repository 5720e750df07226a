// The toolbar, and what shows the page anew.
import { button, byId, element, number } from './elements.js';
import { counts, processText } from './data.js';
import { commands, state } from './state.js';
import { MOST_ROWS, buildRows, rowCount, rowOf } from './rows.js';
import { items } from './items.js';
import { arrange, draw, findPlotTop } from './drawing.js';
import { showHeads } from './heads.js';
import { showRail } from './rail.js';

// A fold with more rows opens by a part of them.
const LONG_FOLD = 60;
const FOLD_PART = 40;

export function showTools() {
  const { causes, heldActions } = counts;
  const views = [
    ['story', 'Story', 0],
    ['causes', 'Causes', Math.min(causes, heldActions)],
    heldActions > causes || state.view === 'all' ? ['all', 'All', heldActions] : ['all', 'With library steps', 0],
  ];
  const viewButtons = views.map(([view, name, actions]) => {
    const made = button('', name, () => setView(view));
    if (actions) made.append(element('i', '', number(actions)));
    made.setAttribute('aria-pressed', String(state.view === view));
    return made;
  });
  const chosen = [...state.onlyProcesses].map(process => {
    const made = button('', `${processText(process)}  ✕`, () => toggleProcess(process));
    made.title = 'Show all processes again';
    return made;
  });
  const hasFolds = items.some(item => item.from != null);
  const isFiltered = state.onlyHits || state.onlyProcesses.size > 0;
  byId('views').replaceChildren(...viewButtons);
  byId('chips').replaceChildren(...chosen);
  byId('unfold').hidden = !(hasFolds || state.unfolded) || rowCount > MOST_ROWS || isFiltered;
  byId('unfold').textContent = state.unfolded ? 'Fold' : 'Unfold';
  byId('only').hidden = !state.hits.length;
  byId('only').setAttribute('aria-pressed', String(state.onlyHits));
}

export function render() {
  arrange();
  showTools();
  showHeads();
  findPlotTop();
  showRail();
  draw(true);
}

function renderRows() {
  state.openRows.clear();
  buildRows();
  render();
}

// After another choice of hits or processes.
export function renderChosen() {
  renderRows();
  if (state.selected >= 0 && rowOf[state.selected] < 0) state.selected = -1;
}

export function setView(view) {
  state.view = view;
  state.unfolded = false;
  renderRows();
  if (state.selected >= 0 && rowOf[state.selected] < 0) commands.select(-1);
}

export function toggleProcess(process) {
  if (!state.onlyProcesses.delete(process)) state.onlyProcesses.add(process);
  renderChosen();
}

export function toggleUnfolded() {
  state.unfolded = !state.unfolded;
  state.openRows.clear();
  render();
}

// A long fold opens some rows at a time, from its end: what is nearer to the next shown row.
export function openFold({ from, to }, isWhole) {
  const isLong = to - from > LONG_FOLD && !isWhole;
  for (let row = isLong ? to - FOLD_PART : Math.max(from, to - MOST_ROWS); row < to; row++) state.openRows.add(row);
  render();
}

commands.setView = setView;
commands.toggleProcess = toggleProcess;
commands.showApart = family => {
  state.apart.add(family);
  render();
};

// The panel beside the picture, with its tabs.
import { button, byId } from './elements.js';
import { state } from './state.js';
import { hint, isReady } from './panel_parts.js';
import { whyPanel } from './why_panel.js';
import { outputPanel, sourcePanel } from './source_panel.js';
import { actionPanel } from './action_panel.js';

const TABS = [
  ['why', 'Why'],
  ['action', 'Action'],
  ['source', 'Source'],
  ['output', 'Output'],
];

function tabButton([tab, name]) {
  const made = button('', name, () => {
    state.tab = tab;
    showPanel();
  });
  made.setAttribute('role', 'tab');
  made.setAttribute('aria-selected', String(state.tab === tab));
  return made;
}

function panelOf(tab) {
  if (!isReady() || tab === 'why') return whyPanel();
  if (tab === 'output') return outputPanel();
  if (tab === 'source') return sourcePanel();
  return state.selected >= 0 ? actionPanel(state.selected) : hint('Click an action, or walk with the arrow keys.');
}

export function showPanel() {
  const isAction = state.tab === 'action' && state.selected >= 0;
  byId('tabs').replaceChildren(...TABS.map(tabButton));
  byId('side').classList.toggle('act', isAction);
  document.body.classList.toggle('sheet', isAction);
  byId('body').replaceChildren(panelOf(state.tab));
}

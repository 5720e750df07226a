// Selects and points at actions.
import { byId, visible } from './elements.js';
import { actionCount, actorText, isCause, isRoutine, targetName } from './data.js';
import { describe } from './words.js';
import { commands, state } from './state.js';
import { findTarget, isGhost } from './story.js';
import { buildRows, isInRow, rowCount, rowOf } from './rows.js';
import { itemAt, yOf } from './items.js';
import { xOf } from './lanes.js';
import { buildEdges } from './edges.js';
import { highlight } from './highlight.js';
import { arrange, draw, plotTop } from './drawing.js';
import { render } from './view.js';
import { showPanel } from './panel.js';

// Rows on each side of a selected one that come out of its fold with it.
const ROWS_AROUND = 2;
// In a window that is less wide, the panel is a sheet over the lower half.
const SHEET_WIDTH = 860;

// Makes an action visible: in the view that has it, out of its fold.
function reveal(action) {
  const isOutside = !isCause(action) && state.view !== 'all' && !isGhost[action];
  if (rowOf[action] < 0 || isOutside || (isRoutine(action) && !isInRow(rowOf[action], action))) {
    state.view = 'all';
    buildRows();
    arrange();
  }
  if (itemAt(action).row >= 0) return;
  const row = rowOf[action];
  for (let near = Math.max(0, row - ROWS_AROUND); near <= Math.min(rowCount - 1, row + ROWS_AROUND); near++) {
    state.openRows.add(near);
  }
  render();
}

function scrollToAction(action) {
  const isSheet = innerWidth <= SHEET_WIDTH;
  const y = yOf(action) + plotTop;
  const isInWindow = y >= scrollY + 130 && y <= scrollY + innerHeight - (isSheet ? innerHeight * 0.55 : 90);
  if (!isInWindow) scrollTo({ top: y - innerHeight * (isSheet ? 0.25 : 0.38) });
  const x = xOf(action);
  const plot = byId('plot');
  const isInPlot = x >= plot.scrollLeft + 40 && x <= plot.scrollLeft + plot.clientWidth - 40;
  if (!isInPlot) plot.scrollLeft = x - plot.clientWidth / 2;
}

// `action`: -1 for none.
export function select(action, { tab = 'action', scroll = true } = {}) {
  state.selected = action;
  state.hovered = -1;
  state.tab = action >= 0 ? tab : 'why';
  if (action >= 0) {
    reveal(action);
    if (scroll) scrollToAction(action);
    byId('live').textContent = visible(`${actorText(action)} ${describe(action)}`);
    try {
      history.replaceState(null, '', '#' + encodeURIComponent(targetName(action)));
    } catch {
      // An address that cannot be changed.
    }
  }
  buildEdges();
  draw(true);
  showPanel();
}

export function hover(action) {
  if (action === state.hovered || !actionCount) return;
  state.hovered = action;
  highlight();
}

// `from`: the link, which says so if the action is not here.
function goTo(name, from) {
  const action = actionCount ? findTarget(name) : -1;
  if (action >= 0) {
    select(action, { tab: state.tab === 'why' ? 'why' : 'action' });
    return;
  }
  byId('live').textContent = visible(name) + ' is not in this page';
  if (from.dataset.missing) return;
  from.dataset.missing = '1';
  from.append(' (not in this page)');
}

commands.select = select;
commands.hover = hover;
commands.goTo = goTo;

// Starts the page: what the head tells, then the bulk and its picture, then the mouse, the keys and the toolbar.
import { byId, element } from './elements.js';
import { unpackBulk } from './data.js';
import { buildGraph } from './graph.js';
import { state } from './state.js';
import { findTarget, mapStory } from './story.js';
import { actionsOf, buildRows, rowCount } from './rows.js';
import { items } from './items.js';
import { xOf } from './lanes.js';
import { measureText } from './marks.js';
import { picture } from './picture.js';
import { draw } from './drawing.js';
import { slideHeads } from './heads.js';
import { moveRail } from './rail.js';
import { showHeadline } from './headline.js';
import { showPanel } from './panel.js';
import { openFold, render, renderChosen, toggleUnfolded } from './view.js';
import { hover, select } from './selection.js';
import { nextHit, search } from './search.js';
import { onKey } from './keys.js';
import { showLegend } from './legend.js';
import { afterPrint, printSheets } from './print.js';

// A run with more rows opens with its story.
const MOST_ROWS_AT_START = 200;
// Milliseconds without a change of size before the page is shown anew.
const RESIZE_PAUSE = 60;

const TOO_OLD =
  'This browser is too old for the diagram. Chrome 103, Firefox 113, Safari 16.4 and newer show it. ' +
  'The story beside it is complete.';

const started = performance.now();

function isDark() {
  const { theme } = document.documentElement.dataset;
  return theme ? theme === 'dark' : matchMedia('(prefers-color-scheme:dark)').matches;
}

function nameTheme() {
  byId('theme').textContent = isDark() ? 'Light' : 'Dark';
}

function listenToHead() {
  byId('theme').onclick = () => {
    document.documentElement.dataset.theme = isDark() ? 'light' : 'dark';
    nameTheme();
  };
  byId('help').onclick = () => byId('legend').showModal();
  byId('shut').onclick = () => byId('legend').close();
  byId('legend').onclick = event => {
    if (event.target === byId('legend')) byId('legend').close();
  };
}

// The action of a row whose mark is nearest, or -1.
function actionAt(event) {
  const group = event.target.closest?.('[data-r]');
  if (!group) return -1;
  const [action, other = -1] = actionsOf(Number(group.dataset.r));
  const x = event.clientX - picture.getBoundingClientRect().left;
  return other < 0 || Math.abs(x - xOf(action)) <= Math.abs(x - xOf(other)) ? action : other;
}

function onClick(event) {
  const fold = event.target.closest('[data-f]');
  if (fold) {
    const from = Number(fold.dataset.f);
    openFold(
      items.find(item => item.from === from),
      event.shiftKey
    );
    return;
  }
  const action = actionAt(event);
  if (action >= 0) select(action, { scroll: false });
}

function onQueryKey(event) {
  if (event.key === 'Enter') {
    event.preventDefault();
    nextHit(event.shiftKey ? -1 : 1);
  }
  if (event.key === 'Escape') {
    event.target.value = '';
    state.onlyHits = false;
    search('');
    renderChosen();
    byId('plot').focus();
  }
  event.stopPropagation();
}

function listen() {
  picture.addEventListener('pointermove', event => {
    if (event.pointerType !== 'touch') hover(actionAt(event));
  });
  picture.addEventListener('pointerleave', () => hover(-1));
  picture.addEventListener('click', onClick);
  byId('unfold').onclick = toggleUnfolded;
  byId('only').onclick = () => {
    state.onlyHits = !state.onlyHits;
    renderChosen();
  };
  byId('query').oninput = event => search(event.target.value);
  byId('query').onkeydown = onQueryKey;
  byId('close').onclick = () => select(-1, { scroll: false });
  byId('plot').addEventListener('scroll', slideHeads, { passive: true });
  addEventListener('keydown', onKey);
  addEventListener('scroll', onScroll, { passive: true });
  addEventListener('resize', onResize);
  addEventListener('beforeprint', printSheets);
  addEventListener('afterprint', afterPrint);
}

function onScroll() {
  draw(false);
  moveRail();
}

let resizeTimer;
function onResize() {
  clearTimeout(resizeTimer);
  resizeTimer = setTimeout(render, RESIZE_PAUSE);
}

async function showPicture() {
  // The head is painted first.
  await new Promise(done => setTimeout(done));
  await unpackBulk();
  buildGraph();
  mapStory();
  measureText();
  buildRows();
  if (rowCount > MOST_ROWS_AT_START) {
    state.view = 'story';
    buildRows();
  }
  render();
  listen();
  const name = decodeURIComponent(location.hash.slice(1));
  const action = name ? findTarget(name) : -1;
  showPanel();
  if (action >= 0) select(action);
  document.documentElement.dataset.ready = Math.round(performance.now() - started);
}

showHeadline();
listenToHead();
nameTheme();
showLegend();
showPanel();
showPicture().catch(error => {
  const isOld = typeof DecompressionStream === 'undefined';
  const text = isOld ? TOO_OLD : `The diagram cannot be shown: ${error.message}`;
  byId('plot').append(element('p', 'note', text));
});

// Search: words, patterns of terms, and fields such as kind:rec.
import { byId, number, plural, visible } from './elements.js';
import { actionCount, actorText, columns, content, kindOf, placeOf, placeText, processOf, processes } from './data.js';
import { targetName, useTexts } from './data.js';
import { VERBS } from './words.js';
import { state } from './state.js';
import { draw } from './drawing.js';
import { showRail } from './rail.js';
import { renderChosen, showTools } from './view.js';
import { select } from './selection.js';

// Other names of kinds.
const KIND_NAMES = {
  receive: 'rec',
  timeout: 'after',
  times: 'after',
  end: 'exit',
  ends: 'exit',
  print: 'output',
  prints: 'output',
  read: 'access',
  write: 'access',
  use: 'access',
  exit_signal: 'signal',
};
// A variable or _ where a term can stand.
const VARIABLE = /(^|[{[(,|])[A-Z_][\w@]*(?=[,}\])|]|$)/g;

let unknownKind = '';

// A test of actions: all words of a query hold.
function queryTest(query) {
  unknownKind = '';
  const words = query.match(/[^\s"]*"[^"]*"|\S+/g) || [];
  const tests = words.map(wordTest);
  return action => tests.every(test => test(action));
}

function wordTest(word) {
  const [, field, value = word] = /^(kind|process|pid|module|file|line):(.*)$/i.exec(word) || [];
  const given = value.replace(/"/g, '');
  const text = given.toLowerCase();
  switch (field?.toLowerCase()) {
    case 'kind':
      return kindTest(given);
    case 'process':
    case 'pid':
      return action => actorText(action).toLowerCase().includes(text);
    case 'module':
      return action => (placeOf(action)?.module || '').toLowerCase().includes(text);
    case 'file':
    case 'line':
      return action => placeText(action).toLowerCase().includes(text);
    default:
      return textTest(given);
  }
}

function kindTest(given) {
  const isKnown = start => columns.kinds.some(kind => kind.startsWith(start));
  const text = given.toLowerCase();
  const start = isKnown(text) ? text : KIND_NAMES[text] || text;
  if (!isKnown(start)) unknownKind = given;
  return action => kindOf(action).startsWith(start);
}

// _ and variables stand for any term: {put,_}, {put,Key}.
function textTest(given) {
  const withoutVariables = given.replace(VARIABLE, (found, start) => {
    return found === given && found !== '_' ? found : start + '_';
  });
  const text = withoutVariables.toLowerCase();
  const expression = /[{[(,]_|_[,}\])]/.test(text) ? patternOf(text) : null;
  if (expression) return action => expression.test(content(action).toLowerCase());
  const known = new Map();
  const hasText = at => {
    if (!known.has(at)) known.set(at, columns.texts[at].toLowerCase().includes(text));
    return known.get(at);
  };
  return action =>
    (columns.content[action] >= 0 && hasText(columns.content[action])) ||
    useTexts(action).some(hasText) ||
    processes[processOf(action)].name.toLowerCase().includes(text) ||
    targetName(action).includes(text) ||
    VERBS[kindOf(action)]?.includes(text);
}

// Null if it is none: then it is searched as text.
function patternOf(text) {
  const escaped = text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  try {
    return new RegExp(escaped.replace(/(^|[{[(,\\])_(?=$|[\\,)])/g, '$1.*?'));
  } catch {
    return null;
  }
}

export function search(given) {
  const query = given.trim();
  state.hits = [];
  state.hit = -1;
  if (query) {
    const test = queryTest(query);
    for (let action = 0; action < actionCount; action++) if (test(action)) state.hits.push(action);
  }
  state.hitSet = state.hits.length ? new Set(state.hits) : null;
  byId('hits').textContent = query ? plural(state.hits.length, 'hit') : '';
  byId('kinds').hidden = !unknownKind || !query;
  if (unknownKind) {
    const kinds = [...columns.kinds].sort().join(', ');
    byId('kinds').textContent = visible(`No kind ${unknownKind} is here. There are: ${kinds}`);
  }
  if (!state.hits.length) state.onlyHits = false;
  if (state.onlyHits) {
    renderChosen();
    return;
  }
  showTools();
  showRail();
  draw(true);
}

// `step`: 1 for the next, -1 for the previous.
export function nextHit(step) {
  const { hits } = state;
  if (!hits.length) return;
  state.hit = (state.hit + step + hits.length) % hits.length;
  select(hits[state.hit]);
  byId('hits').textContent = `${number(state.hit + 1)} of ${number(hits.length)}`;
}

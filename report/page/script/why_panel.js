// The panel that tells why, backwards.
import { brief, button, element } from './elements.js';
import { actorText, head, placeText, titleText } from './data.js';
import { noun, nounFrom } from './words.js';
import { commands, state } from './state.js';
import { richText } from './rich_text.js';
import { hint, isReady, pointer, subtitle } from './panel_parts.js';

const MOST_CHANGES = 3;
const MOST_BEFORE = 60;
const MOST_AFTER = 80;
// What was done where a line below a step says.
const DEEDS = { sent: 'sent', written: 'written', done: 'done', own_call: 'caused by its own call' };

function selects(made, action) {
  if (!isReady() || action < 0) return made;
  made.onclick = () => commands.select(action, { tab: 'why' });
  return pointer(made, action);
}

const isSelected = action => action >= 0 && action === state.selected;
const stepButton = action => button('stp' + (isSelected(action) ? ' on' : ''), null);

function targetStep() {
  const made = stepButton(head.target);
  richText(brief(titleText), made, false);
  const place = isReady() && head.target >= 0 ? placeText(head.target) : '';
  if (place) made.append(element('span', 'ev', place));
  return element('li', '', null, element('span', 'no f', '!'), selects(made, head.target));
}

function changeText(change) {
  const name = element('code', '', change.name + ' ');
  const was = element('s', 'mono', change.before.slice(0, MOST_BEFORE));
  return element('span', 'chg', null, name, was, ' → ', element('code', '', change.after.slice(0, MOST_AFTER)));
}

function evidence({ kind, place, text }) {
  const shown = element('span', 'ev');
  if (kind === 'fact') return richText(brief(text), shown, false);
  const at = DEEDS[kind] + ' at ';
  if (text == null) shown.append(at + place);
  else shown.append(at, element('span', '', place + ' '), element('code', '', brief(text)));
  return shown;
}

function storyStep({ a: action, text, evidence: below, changes = [] }, k) {
  const made = stepButton(action);
  richText(brief(text), made, false);
  made.append(...changes.slice(0, MOST_CHANGES).map(changeText));
  made.append(...below.map(evidence));
  return element('li', '', null, element('span', 'no', k + 1), selects(made, action));
}

function raceButton(name, isStrong, action, text) {
  const made = button('rc' + (isStrong ? ' d' : ''), null);
  made.append(element('em', '', name));
  richText(text, made, false);
  return selects(made, action);
}

function lateButton({ asked, late, first }) {
  const gaveUp = `${actorText(asked)} gave up waiting for the answer to ${noun(asked)}`;
  return raceButton('too late', first, late, `${gaveUp}; ${actorText(late)} sent ${noun(late)} after that`);
}

function openRaceButton(race) {
  const name = race.decisive ? 'decisive race' : 'race';
  return raceButton(name, race.decisive, race.at, `${nounFrom(race.rival)} before ${noun(race.at)}`);
}

// Are these paragraphs shown as buttons?
function isShownAbove(kind) {
  if (kind === 'races') return head.races.length > 0;
  return kind === 'late' && head.late.length > 0;
}

export function whyPanel() {
  const out = document.createDocumentFragment();
  out.append(subtitle('Why, told backwards'), element('ol', 'story', null, targetStep(), ...head.steps.map(storyStep)));
  if (isReady()) {
    out.append(...head.late.map(lateButton));
    if (head.races.length)
      out.append(subtitle('Messages that could have come first'), ...head.races.map(openRaceButton));
  }
  for (const { kind, title, lines } of head.beside) {
    if (isReady() && isShownAbove(kind)) continue;
    out.append(subtitle(title), ...lines.map(line => richText(line, element('p', 'para'))));
  }
  out.append(...head.notes.map(note => richText(note, hint())));
  return out;
}

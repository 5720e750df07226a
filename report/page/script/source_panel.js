// Sources with their executed lines, and what was printed.
import { element, number, plural, visible } from './elements.js';
import { columns, head, placeOf } from './data.js';
import { state } from './state.js';
import { box, hint, subtitle } from './panel_parts.js';

// Lines before and after a place.
const LINES_AROUND = 5;
// Pixels above the line to which the source is scrolled.
const ABOVE_LINE = 120;

function sourceLine(text, at, times, className) {
  const ran = times > 0 ? 'ran' : times === 0 ? 'not' : '';
  const line = element('span', ran + className, null, element('i', '', at), visible(text) || ' ');
  if (times != null) line.title = times ? `executed ${plural(times, 'time')}` : 'not executed';
  return line;
}

// A bar tells executed lines from others. `from`, `to`: the first and last line.
function sourceLines({ file, line }, isTarget, from, to) {
  const shown = box('src');
  const timesOf = new Map(file.ran);
  const chosen = ' h' + (isTarget ? ' fail' : '');
  for (let at = from; at <= to; at++) {
    const text = file.text[at - 1];
    if (text != null) shown.append(sourceLine(text, at, timesOf.get(at), at === line ? chosen : ''));
    // Of a long source, only some lines are here.
    else if (file.text[at] != null) shown.append(element('span', 'not', '⋯'));
  }
  return shown;
}

export function sourceAround(place, isTarget) {
  const { file, line } = place;
  return sourceLines(
    place,
    isTarget,
    Math.max(1, line - LINES_AROUND),
    Math.min(file.text.length, line + LINES_AROUND)
  );
}

function wholeSource(file, place) {
  const executed = file.ran.filter(([, times]) => times > 0).length;
  const isChosen = place?.file === file;
  const isTarget = state.selected === head.target;
  const shown = sourceLines({ file, line: isChosen ? place.line : 0 }, isTarget, 1, file.text.length);
  if (isChosen) {
    requestAnimationFrame(() => {
      const line = shown.querySelector('.h');
      if (line) shown.scrollTop = line.offsetTop - shown.offsetTop - ABOVE_LINE;
    });
  }
  return [subtitle(`${file.name}: ${executed} of ${plural(file.ran.length, 'line')} executed`), shown];
}

export function sourcePanel() {
  const out = document.createDocumentFragment();
  const place = state.selected >= 0 ? placeOf(state.selected) : null;
  // The file of the selected action first.
  const files = columns.files.filter(file => file.text);
  files.sort((a, b) => Number(b === place?.file) - Number(a === place?.file));
  for (const file of files) out.append(...wholeSource(file, place));
  const bars = 'A green bar marks lines that this replay executed, a grey one lines that it did not.';
  out.append(hint(files.length ? bars : 'No source of the program is in this page.'));
  return out;
}

export function outputPanel() {
  const out = document.createDocumentFragment();
  if (!columns.output.length) out.append(hint('Nothing was printed.'));
  for (const { pid, name, text, left_out: leftOut } of columns.output) {
    const printer = element('div', 'out', null, element('b', '', `${pid} ${name || ''}`));
    if (leftOut) printer.append(element('span', 'hint', ` … ${number(leftOut)} bytes before this`));
    printer.append(box('', text));
    out.append(printer);
  }
  return out;
}

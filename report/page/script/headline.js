// What stands above the picture: the outcome, what failed, and what is said of it first.
import { brief, byId, element, number, plural, visible } from './elements.js';
import { counts, head, titleText } from './data.js';
import { commandWithCopy, richText } from './rich_text.js';

const MOST_TITLE = 180;
// What is said of delays is said in few words.
const MINOR = ['stall', 'delivery'];

function causesText(pid) {
  const { runActions, causes, runProcesses, causingProcesses, ownCauses } = counts;
  // Of several that wait, all waits are explained.
  const are = ownCauses !== causes ? 'led to these waits' : causes === 1 ? 'is a cause' : 'are causes';
  const own = ownCauses !== causes && pid ? `; ${number(ownCauses)} to that of ${pid}` : '';
  const inProcesses = `in ${number(causingProcesses)} of ${plural(runProcesses, 'process')}`;
  return `${number(causes)} of ${plural(runActions, 'action')} ${are}, ${inProcesses}${own}`;
}

export function showHeadline() {
  const { about, lead, left_out: leftOut } = head;
  // The name first: a pid says little. A process without a name is called by its pid.
  const { pid, name, happened } = about.title;
  const seed = about.seed != null ? ', seed ' + about.seed : '';
  document.documentElement.classList.toggle('calm', about.calm);
  byId('eyebrow').append(
    element('span', 'pill', about.outcome),
    element('span', '', about.file),
    ...(about.target ? [element('span', '', 'explains ' + about.target)] : []),
    element('span', '', causesText(pid)),
    element('span', 'more', `schedule ${about.schedule}${seed}`),
    element('span', 'more', 'recorded ' + about.recorded)
  );
  const title = byId('title');
  const who = name ? name + ' ' : pid ? `Process ${pid} ` : '';
  richText(brief(who + happened, MOST_TITLE), title, false);
  if (name) title.append(' ', element('span', 'pid', pid));
  document.title = visible(`${about.file} · ${titleText}`);
  for (const { kind, title: leadTitle, text } of lead) {
    const paragraph = element('p', MINOR.includes(kind) ? 'minor' : '');
    if (leadTitle) paragraph.append(element('b', '', leadTitle + ': '));
    byId('lead').append(richText(text, paragraph));
  }
  byId('command').append(...commandWithCopy(about.command));
  byId('left-out').hidden = !leftOut.length;
  byId('left-out').append(...leftOut.map(text => richText(text, element('p'))));
}

// The panel of one action: with whom, its value, variables and source, and the command that replays up to it.
import { button, element, plural, visible } from './elements.js';
import {
  actorText,
  content,
  counts,
  head,
  isCause,
  isEnd,
  isFailure,
  kindOf,
  peerOf,
  placeOf,
  processOf,
} from './data.js';
import { processText, processes, replayCommand, targetName, uses, variablesAt } from './data.js';
import { VERBS, nounFrom } from './words.js';
import { cone, firstOf, lastOf, receiver, sender, writersFor } from './graph.js';
import { commands } from './state.js';
import { racesAt } from './story.js';
import { commandWithCopy, richText } from './rich_text.js';
import { actionLink, box, hint, subtitle } from './panel_parts.js';
import { sourceAround } from './source_panel.js';

const VALUE_TITLES = { exit: 'Reason', output: 'Text', rec: 'Message', send: 'Message', wait: 'State' };

// What became of a message that nobody receives.
function fateOf(action) {
  const peer = peerOf(action);
  if (peer < 0) return 'nobody: there was no such process';
  const isWhole = counts.heldActions >= counts.runActions;
  const last = lastOf[peer];
  const hasEnded = last >= 0 && isEnd(last);
  if (hasEnded && (isWhole || isCause(last))) return 'never received: the receiver ended';
  return isWhole && !hasEnded ? 'never received: it stayed in the mailbox' : 'not received in what is shown';
}

function senderOf(action) {
  if (sender[action] >= 0) return actionLink(sender[action]);
  return peerOf(action) >= 0 ? visible(`${processText(peerOf(action))}, not in this page`) : 'the runtime';
}

function receiverOf(action) {
  if (receiver(action) >= 0) return actionLink(receiver(action));
  return peerOf(action) >= 0 ? visible(processText(peerOf(action))) : 'nobody';
}

function childOf(action) {
  const child = peerOf(action);
  return firstOf[child] >= 0 ? actionLink(firstOf[child]) : visible(processText(child));
}

// Pairs of a name and a value.
function factsOf(action) {
  const kind = kindOf(action);
  const process = processOf(action);
  const { node } = processes[process];
  const facts = [['process', visible(processText(process))]];
  if (node) facts.push(['node', visible(node)]);
  if (kind === 'rec' || kind === 'signal') facts.push(['from', senderOf(action)]);
  if (kind === 'send') {
    facts.push(['to', receiverOf(action)]);
    if (receiver(action) < 0) facts.push(['then', fateOf(action)]);
  }
  if (kind === 'spawn' && peerOf(action) >= 0) facts.push(['child', childOf(action)]);
  facts.push(...uses(action).map(one => ['uses', visible(one)]));
  for (const writer of writersFor(action)) {
    facts.push(['written by', actionLink(writer, `${actorText(writer)} [${targetName(writer)}]`)]);
  }
  const { past, future } = cone(action);
  const inProcesses = ({ count, processes: n }) => `${plural(count, 'action')} in ${plural(n, 'process')}`;
  facts.push(['causes', inProcesses(past)], ['led to', future.count ? inProcesses(future) : 'nothing']);
  if (!isCause(action)) facts.push(['', 'no cause of what is explained']);
  return facts;
}

function rivalButton(race) {
  const made = button('rc' + (race.decisive ? ' d' : ''), null, () => commands.select(race.rival));
  made.append(element('em', '', race.decisive ? 'decisive race' : 'race'));
  return richText(`${nounFrom(race.rival)} could have come first`, made, false);
}

function sourceOf(action) {
  const place = placeOf(action);
  if (!place) return [];
  const { file, line, fun } = place;
  const title = subtitle(`${file.name}:${line}, ${fun}`);
  if (file.text) return [title, sourceAround(place, action === head.target)];
  return [title, hint(file.own ? 'This source is too long for the page.' : 'A module of the library.')];
}

const terms = pairs => pairs.flatMap(([name, value]) => [element('dt', '', name), element('dd', '', null, value)]);

export function actionPanel(action) {
  const out = document.createDocumentFragment();
  const kind = kindOf(action);
  const text = content(action);
  const { name } = processes[processOf(action)];
  out.append(element('h2', '', `${name} ${kind === 'exit' && isFailure(action) ? 'fails' : VERBS[kind]}`));
  out.append(element('dl', '', null, ...terms(factsOf(action))));
  out.append(...(racesAt.get(action) || []).map(rivalButton));
  if (text) out.append(subtitle(VALUE_TITLES[kind] || 'Value'), box('', text));
  const variables = variablesAt(action).map(([variable, value]) => [variable, visible(value)]);
  if (variables.length) out.append(subtitle('Variables there'), element('dl', 'v', null, ...terms(variables)));
  out.append(...sourceOf(action));
  out.append(subtitle('Replay up to here'), element('div', 'cmd', null, ...commandWithCopy(replayCommand(action))));
  return out;
}

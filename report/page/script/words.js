// What is said of an action.
import { actorText, briefUses, content, isEnd, kindOf, label, peerOf, processText, processes } from './data.js';

export const VERBS = {
  spawn: 'spawns',
  spawn_failed: 'fails to spawn',
  send: 'sends',
  rec: 'receives',
  after: 'times out',
  signal: 'is ended by a signal',
  drop: 'drops',
  access: 'uses',
  version: 'sees new code',
  start: 'starts a node',
  nodes: 'lists nodes',
  observe: 'observes',
  input: 'reads',
  output: 'prints',
  halt: 'halts',
  exit: 'ends',
  wait: 'waits',
  test: 'notes a test',
};

export function describe(action) {
  const kind = kindOf(action);
  const peer = peerOf(action);
  const text = content(action);
  switch (kind) {
    case 'send':
      return `sends ${label(action)}${peer >= 0 ? ' to ' + processes[peer].pid : ''}`;
    case 'rec':
      return `receives ${label(action)}${peer >= 0 ? ' from ' + processes[peer].pid : ''}`;
    case 'spawn':
      return `spawns ${peer >= 0 ? processText(peer) : ''}`;
    case 'access':
    case 'nodes':
    case 'version':
      return briefUses(action).join(', ') || 'uses something shared';
    case 'exit':
      return text ? `ends: ${text}` : 'ends';
    case 'wait':
      return text;
    default:
      return VERBS[kind] + (text ? ' ' + text : '');
  }
}

// What was sent, as a noun: the end of a process also tells others. Quotes of code (\x60) do not nest.
export function noun(action) {
  if (isEnd(action)) return `the end of ${actorText(action)}`;
  if (kindOf(action) === 'after') return 'the timeout';
  return '\x60' + label(action).replace(/\x60/g, '\u2019') + '\x60';
}

export const nounFrom = action => (isEnd(action) ? noun(action) : `${noun(action)} from ${actorText(action)}`);

// The legend: all marks and keys.
import { byId, element, svg, svgPath } from './elements.js';
import { KEYS } from './keys.js';
import { arrowHead, mark } from './marks.js';

// Pairs of what is drawn, in a square of 18, and what it means.
function samples() {
  const plain = (kind, text, how) => [mark(kind, 9, 9, how), text];
  const neverReceived = svg('g', {}, svgPath('e', 'M0 9h10'), svg('circle', { class: 'm', cx: 13, cy: 9, r: 3 }));
  const received = svg('g', {}, svgPath('e', 'M0 9h10'), arrowHead(17, 9, 1, ' hid'));
  const inFold = svg('g', { class: 'fold' }, svg('rect', { class: 'act', x: 7, y: 3, width: 3, height: 12, rx: 1.5 }));
  return [
    plain('spawn', 'spawns'),
    plain('send', 'sends'),
    plain('rec', 'receives'),
    plain('after', 'a receive times out'),
    plain('access', 'reads something shared'),
    plain('output', 'prints'),
    plain('signal', 'ended by an exit signal'),
    plain('exit', 'ends'),
    plain('wait', 'waits for ever'),
    plain('access', 'writes something shared', { writes: true }),
    plain('exit', 'fails', { hasFailed: true }),
    plain('observe', 'another step, such as looking at a process'),
    [neverReceived, 'message that is never received'],
    [received, 'message that is received in a row that is not shown'],
    [inFold, 'in a fold: this process acts there'],
    [svgPath('e', 'M0 9h18'), 'message; down along a process: sent, not yet received'],
    [svgPath('e st', 'M0 9h18'), 'step of the story'],
    [svgPath('e race', 'M0 9h18'), 'could have come first'],
    [svgPath('e acc', 'M0 9h18'), 'wrote what was read; ended it'],
    [svgPath('tick', 'M5 6h8M5 9h8M5 12h8'), 'steps of the library, folded'],
  ];
}

export function showLegend() {
  for (const [drawn, text] of samples()) {
    const picture = svg('svg', { width: 18, height: 18, 'aria-hidden': 'true' }, drawn);
    byId('marks').append(element('div', '', null, picture, text));
  }
  for (const [keys, text] of KEYS) {
    const names = keys.split(/ +/).flatMap(key => [element('kbd', '', key), ' ']);
    byId('keys').append(element('dt', '', null, ...names), element('dd', '', text));
  }
}

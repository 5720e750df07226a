// Marks of actions, arrows, and texts that are cut to their room.
import { svg, svgPath } from './elements.js';
import { head, isFailure, isWrite, kindOf } from './data.js';
import { inStory, racesAt } from './story.js';

const FONT = '11.5px ';

export let charWidth = 7;

export function measureText() {
  const canvas = document.createElement('canvas').getContext('2d');
  canvas.font = FONT + getComputedStyle(document.documentElement).getPropertyValue('--mono');
  charWidth = canvas.measureText('mmmmmmmmmm').width / 10 || 7;
}

// Terms are cut in the middle: two that differ at their ends stay apart.
export function cutText(text, pixels) {
  const room = Math.max(3, Math.floor(pixels / charWidth));
  if (text.length <= room) return text;
  const end = /[\]})>]$/.test(text) && room > 12 ? Math.min(8, room >> 2) : 0;
  return text.slice(0, room - 1 - end) + '…' + (end ? text.slice(-end) : '');
}

export function mark(kind, x, y, { isStory, isRace, isTarget, hasFailed, writes } = {}) {
  const group = svg('g', { class: 'nd' });
  const story = isStory ? ' st' : '';
  const put = (tag, className, attributes) => group.append(svg(tag, { class: className, ...attributes }));
  const path = (className, d) => group.append(svgPath(className, d));
  const circle = (className, r) => put('circle', className, { cx: x, cy: y, r });
  const box = (className, radius, rx) => {
    put('rect', className, { x: x - radius, y: y - radius, width: 2 * radius, height: 2 * radius, rx });
  };
  const failing = isTarget ? 'm fl' : 'm';
  const inFailing = isTarget ? 'mx' : 'm';
  switch (kind) {
    case 'send':
      circle('m f' + story, 2.6);
      break;
    case 'rec':
      circle('m' + (isRace ? ' rc' : ' f') + story, isRace ? 5 : 4);
      break;
    case 'spawn':
      path('m f' + story, `M${x - 4.5} ${y}h9M${x} ${y - 4.5}v9`);
      break;
    case 'exit':
    case 'halt':
    case 'test':
      if (isTarget || hasFailed) {
        box(failing, 7, 3);
        path(inFailing, `M${x - 3} ${y - 3}l6 6m0 -6l-6 6`);
      } else path('m' + story, `M${x - 6} ${y}h12`);
      break;
    case 'wait':
      box(failing, 7, 7);
      path(inFailing, `M${x - 2} ${y - 3}v6m4 -6v6`);
      break;
    case 'after':
      circle('m' + story, 5.5);
      path('m' + story, `M${x} ${y - 3}v3l2.4 1.6`);
      break;
    case 'signal':
      path(failing + story, `M${x} ${y - 6}l6 6l-6 6l-6 -6z`);
      break;
    case 'output':
      path('m' + story, `M${x - 5} ${y - 4}h10v8h-10z`);
      path('m', `M${x - 2.5} ${y}h5`);
      break;
    case 'access':
    case 'nodes':
    case 'start':
    case 'version':
      box('m' + (writes ? ' f' : '') + story, 4, 1);
      break;
    default:
      path('m' + story, `M${x} ${y - 4.5}l4.5 8h-9z`);
  }
  return group;
}

export function markOf(action, x, y) {
  return mark(kindOf(action), x, y, {
    isStory: inStory[action],
    isRace: racesAt.has(action),
    isTarget: action === head.target,
    hasFailed: isFailure(action),
    writes: isWrite(action),
  });
}

// `direction`: 1 to the right, -1 to the left.
export function arrowHead(x, y, direction, className) {
  return svgPath('hd' + className, `M${x} ${y}l${-6 * direction} -3.4v6.8z`);
}

// Across, from one lane to another; `gap`: how far it stays from the middle of the mark.
export function arrow(fromX, toX, y, className, gap) {
  const direction = toX > fromX ? 1 : -1;
  return [
    svgPath('e' + className, `M${fromX} ${y}H${toX - direction * (gap + 4)}`),
    arrowHead(toX - direction * gap, y, direction, className),
  ];
}

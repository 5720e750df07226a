// Parts of the panels.
import { button, element } from './elements.js';
import { actionCount, actorText } from './data.js';
import { commands } from './state.js';

// The bulk is unpacked after the head is shown.
export const isReady = () => actionCount > 0;

export const subtitle = text => element('h2', 'sub', text);
export const hint = text => element('p', 'hint', text);

// A box that can be scrolled, also by keys.
export function box(className, text, ...children) {
  const made = element('pre', className, text, ...children);
  made.tabIndex = 0;
  return made;
}

// Points at an action in the picture.
export function pointer(made, action) {
  made.onmouseenter = () => commands.hover(action);
  made.onmouseleave = () => commands.hover(-1);
  return made;
}

export function actionLink(action, text = actorText(action)) {
  return pointer(
    button('lnk', text, () => commands.select(action)),
    action
  );
}

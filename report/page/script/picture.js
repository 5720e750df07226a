// The picture: an SVG in layers, and options for screen readers, one for each row.
import { byId, element, svg } from './elements.js';

// `options` is there where rows are announced as well.
export const newLayers = options => ({ back: svg('g'), lives: svg('g'), edges: svg('g'), rows: svg('g'), options });

const options = element('div', 'sr');
options.setAttribute('role', 'presentation');
export const mainLayers = newLayers(options);
export const picture = svg(
  'svg',
  { 'aria-hidden': 'true' },
  mainLayers.back,
  mainLayers.lives,
  mainLayers.edges,
  mainLayers.rows
);
byId('plot').append(picture, options);

export function addOption({ options: list }, id, text, isSelected) {
  if (!list) return;
  const option = element('div', '', text);
  option.id = id;
  option.setAttribute('role', 'option');
  option.setAttribute('aria-selected', String(isSelected));
  list.append(option);
}

// What the reader of the page has chosen, and what buttons ask for.

export const state = {
  // story, causes or all.
  view: 'causes',
  // Rows that were unfolded; all of them.
  openRows: new Set(),
  unfolded: false,
  selected: -1,
  hovered: -1,
  tab: 'why',
  // What a search found, and the place among it.
  hits: [],
  hit: -1,
  hitSet: null,
  onlyHits: false,
  // Only rows of these processes, if there are any.
  onlyProcesses: new Set(),
  // Processes of one parent and one name that have a lane each, although they do not fit.
  apart: new Set(),
  printing: false,
};

// Filled in by the parts that do it, which stand further down: what is drawn need not know them.
export const commands = Object.seal({
  goTo: null,
  hover: null,
  select: null,
  setView: null,
  showApart: null,
  toggleProcess: null,
});

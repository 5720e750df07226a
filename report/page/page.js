'use strict';
/* The page in three parts: what is told at once (the head), the columns of all actions (the bulk, unpacked when the head is shown), and the
   diagram over them. Texts of the trace reach the document through textContent only. */
const $ = id => document.getElementById(id);
const started = performance.now();
const SVG = 'http://www.w3.org/2000/svg';

/* ---------- building blocks ---------- */
// What a terminal or the bidi algorithm would obey is shown instead.
const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g;
const visible = text => String(text ?? '').replace(HIDDEN, c => '\\x{' + c.codePointAt(0).toString(16) + '}');
const el = (tag, cls, text, ...children) => {
  const e = document.createElement(tag);
  if (cls) e.className = cls;
  if (text != null) e.textContent = visible(text);
  e.append(...children);
  return e;
};
const svgEl = (tag, attributes, ...children) => {
  const e = document.createElementNS(SVG, tag);
  for (const name in attributes) if (attributes[name] != null) e.setAttribute(name, attributes[name]);
  e.append(...children);
  return e;
};
const svgText = (attributes, text) => {
  const e = svgEl('text', attributes);
  e.textContent = visible(text);
  return e;
};
const button = (cls, text, act) => {
  const b = el('button', cls, text);
  b.type = 'button';
  b.onclick = act;
  return b;
};
const number = n => n.toLocaleString('en');
const plural = (n, noun) => `${number(n)} ${noun}${n === 1 ? '' : noun.endsWith('s') ? 'es' : 's'}`;

/* ---------- the head ---------- */
// The whole term is one click away.
const brief = (text, most = 280) => text.length > most ? text.slice(0, most - 1) + '…' : text;
const H = JSON.parse($('head').textContent);
// The end of a term that begins here: brackets in texts do not count, and a term that was cut ends at its ….
function termEnd(text, from) {
  let depth = 0, quote = '';
  for (let end = from; end < text.length; end++) {
    const c = text[end];
    if (c === '…' && !/[\]},|>"']/.test(text[end + 1] || ' ')) return end + 1;
    if (quote) { if (c === '\\') end++; else if (c === quote) quote = ''; }
    else if (c === '"' || c === "'") quote = c;
    else if (c === '{' || c === '[') depth++;
    else if ((c === '}' || c === ']') && !--depth) return end + 1;
  }
  return text.length;
}
// Target names in a text, [rec:12, bank.erl:7], become links; terms and pids are set as code.
function rich(text, parent, linked = true) {
  const tokens = /`([^`]+)`|\[((?:rec|send|sent|spawn|exit|signal|timeout|output|event|end|start|halt|test)(?::[^\],\s]+)?)(, [^\]]*)?\]|(#Ref<[\d.]+>|<?\d+\.\d+\.\d+(?:\/\d+)?>?)|([{[])|("(?:[^"\\]|\\.)*"|(?<![\w>)\]}])'(?:[^'\\]|\\.)+')|\b((?:rec|send|sent|spawn|exit|signal|timeout|output|event|end):(?:<?\d+\.\d+\.\d+>?(?:\/\d+)?|\d+\b))/g;
  let at = 0, found;
  const plain = upto => { if (upto > at) parent.append(visible(text.slice(at, upto))); };
  while ((found = tokens.exec(text))) {
    const from = found.index;
    plain(from);
    at = tokens.lastIndex;
    if (found[1] != null) parent.append(el('code', '', found[1]));
    else if (found[2] != null) {
      const name = found[2], b = button('lnk mono', found[3] ? found[3].slice(2) : name, event => { event.stopPropagation(); goTo(name, event.currentTarget); });
      b.title = visible(name);
      parent.append(linked ? b : el('code', '', b.textContent));
    } else if (found[7] != null) {
      const name = found[7];
      parent.append(linked ? button('lnk mono', name, event => { event.stopPropagation(); goTo(name, event.currentTarget); }) : el('code', '', name));
    } else if (found[4] != null || found[6] != null) parent.append(el('code', '', found[0]));
    else {
      at = tokens.lastIndex = termEnd(text, from);
      parent.append(el('code', '', text.slice(from, at)));
    }
  }
  plain(text.length);
  return parent;
}
function copyText(b, text) {
  const label = b.textContent;
  const done = () => { b.textContent = 'Copied'; setTimeout(() => { b.textContent = label; }, 1200); };
  const old = () => {
    const area = document.createElement('textarea');
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand('copy');
    area.remove();
    done();
  };
  if (navigator.clipboard) navigator.clipboard.writeText(text).then(done, old); else old();
}
function command(text) {
  const c = el('code', '', text);
  c.tabIndex = 0;
  return [c, button('', 'Copy', event => copyText(event.currentTarget, text))];
}
function showHead() {
  document.documentElement.classList.toggle('calm', H.about.calm);
  const { about, counts } = H, [actions, causes, , processes, causing, own] = counts;
  // The name first: a pid says little. A process without a name is called by its pid.
  const said = /^(\d+\.\d+\.\d+) (.*)$/s.exec(about.title), title = $('title');
  const named = said && !/^(ends|waits|halts|is ended|times out|receives|sends|spawns|prints|reads|writes|observes|sees|takes)\b/.test(said[2]);
  // Of several that wait, all waits are explained.
  const are = own !== causes ? 'led to these waits' : causes === 1 ? 'is a cause' : 'are causes';
  $('eyebrow').append(
    el('span', 'pill', about.outcome), el('span', '', about.file),
    ...(about.target ? [el('span', '', 'explains ' + about.target)] : []),
    el('span', '', `${number(causes)} of ${plural(actions, 'action')} ${are}, in ${number(causing)} of ${plural(processes, 'process')}` + (own !== causes && said ? `; ${number(own)} to that of ${said[1]}` : '')),
    el('span', 'more', `schedule ${about.schedule.replace(/:$/, '')}${about.seed != null ? ', seed ' + about.seed : ''}`),
    el('span', 'more', 'recorded ' + about.recorded));
  rich(brief(!said ? about.title : named ? said[2] : 'Process ' + about.title, 180), title, false);
  if (named) title.append(' ', el('span', 'pid', said[1]));
  document.title = visible(`${about.file} · ${about.title}`);
  for (const [name, text] of H.lead) {
    const p = el('p', /^(Stall|Delivery)$/.test(name) ? 'minor' : '');
    if (name) p.append(el('b', '', name + ': '));
    $('lead').append(rich(text, p));
  }
  $('command').append(...command(about.command));
  if (H.left_out.length) { $('left-out').hidden = false; $('left-out').append(...H.left_out.map(text => rich(text, el('p')))); }
}
showHead();

/* ---------- the bulk ---------- */
let N = 0, L = [], FILES = [], PLACES = [], TEXTS = [], KINDS = [], OUTPUT = [], A = {};
async function unpack() {
  const packed = Uint8Array.from(atob($('bulk').textContent), c => c.charCodeAt(0));
  $('bulk').textContent = '';
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const size = new DataView(bytes.buffer).getUint32(0, true), base = 4 + size, decoder = new TextDecoder();
  const values = {};
  for (const [name, kind, offset, length] of JSON.parse(decoder.decode(bytes.subarray(4, base)))) {
    const part = bytes.subarray(base + offset, base + offset + length);
    values[name] = kind === 'json' ? JSON.parse(decoder.decode(part)) : column(part, +kind[1]);
  }
  A = values;
  N = A.lane.length;
  L = A.lanes.map(([pid, name, parent, actions, node]) => ({ pid, name: name.replace(/^a (fun|comprehension) in /, '$1 in ') || 'process', parent, actions, node }));
  ({ files: FILES, places: PLACES, texts: TEXTS, kinds: KINDS, output: OUTPUT } = A);
}
function column(bytes, width) {
  const n = bytes.length / width, out = new Int32Array(n).fill(-1);
  for (let b = 0; b < width; b++) for (let i = 0, k = b * n; i < n; i++, k++) out[i] += bytes[k] << (8 * b);
  return out;
}
const kindOf = i => KINDS[A.kind[i]];
const content = i => A.content[i] < 0 ? '' : TEXTS[A.content[i]];
const label = i => A.label[i] < 0 ? content(i) : TEXTS[A.label[i]];
const uses = i => A.uses[i] < 0 ? '' : TEXTS[A.uses[i]];
const target = i => A.target[i] < 0 ? `event:${L[A.lane[i]].pid}/${A.number[i]}` : TEXTS[A.target[i]];
const isCause = i => !(A.flags[i] & 1);
const isRoutine = i => (A.flags[i] & 2) > 0;
const placeOf = i => A.place[i] < 0 ? null : { file: FILES[PLACES[A.place[i]][0]], line: PLACES[A.place[i]][1], fun: PLACES[A.place[i]][2] };
const placeText = i => { const p = placeOf(i); return p ? `${p.file.name}:${p.line}` : ''; };
const who = lane => `${L[lane].pid} ${L[lane].name}`;
const WORD = { spawn: 'spawns', spawn_failed: 'fails to spawn', send: 'sends', rec: 'receives', after: 'times out', signal: 'is ended by a signal', drop: 'drops', access: 'uses', version: 'sees new code', start: 'starts a node', nodes: 'lists nodes', observe: 'observes', input: 'reads', output: 'prints', halt: 'halts', exit: 'ends', wait: 'waits', test: 'notes a test' };
function describe(i) {
  switch (kindOf(i)) {
    case 'send': return `sends ${label(i)}${A.peer[i] >= 0 ? ' to ' + L[A.peer[i]].pid : ''}`;
    case 'rec': return `receives ${label(i)}${A.peer[i] >= 0 ? ' from ' + L[A.peer[i]].pid : ''}`;
    case 'spawn': return `spawns ${A.peer[i] >= 0 ? who(A.peer[i]) : ''}`;
    case 'access': case 'nodes': case 'version': return useText(i);
    case 'exit': return content(i) ? `ends: ${content(i)}` : 'ends';
    case 'wait': return content(i);
    default: return WORD[kindOf(i)] + (content(i) ? ' ' + content(i) : '');
  }
}
// That a table was found by its name goes without saying where a key of it is used.
function useText(i) {
  const list = uses(i).replace(/, last written by [^,;]+/g, '').replace(/, which ended with [^,;]+/g, ', which had ended').split('; ');
  const keyed = list.flatMap(one => /(?:table|contents)\(([^,)]+), key /.exec(one)?.[1] ?? []);
  const said = [...new Set(list.filter(one => !keyed.some(table => one === `reads table(${table})`)))];
  return said.join(', ') || 'uses something shared';
}
// What was sent, as a noun: the end of a process also tells others.
const noun = i => /^(exit|signal)$/.test(kindOf(i)) ? `the end of ${who(A.lane[i])}` : kindOf(i) === 'after' ? 'the timeout' : '`' + label(i).replace(/`/g, '\u2019') + '`';
const nounFrom = i => /^(exit|signal)$/.test(kindOf(i)) ? noun(i) : `${noun(i)} from ${who(A.lane[i])}`;

/* ---------- the graph ---------- */
let before, after, birth, firstOf, lastOf, sender, receivers, receiverAt, readFrom, readAt, writeTo, writeAt;
// By key, the values: as one list, and where each key's part begins.
function grouped(keys, values) {
  const at = new Int32Array(N + 1);
  for (const key of keys) at[key + 1]++;
  for (let i = 0; i < N; i++) at[i + 1] += at[i];
  const next = at.slice(), list = new Int32Array(keys.length);
  for (let k = 0; k < keys.length; k++) list[next[keys[k]]++] = values[k];
  return [list, at];
}
function buildGraph() {
  before = new Int32Array(N).fill(-1); after = new Int32Array(N).fill(-1); sender = new Int32Array(N).fill(-1);
  birth = new Int32Array(L.length).fill(-1); firstOf = new Int32Array(L.length).fill(-1); lastOf = new Int32Array(L.length).fill(-1);
  const spawn = KINDS.indexOf('spawn'), from = [], to = [];
  for (let i = 0; i < N; i++) {
    const lane = A.lane[i];
    if (lastOf[lane] >= 0) { before[i] = lastOf[lane]; after[lastOf[lane]] = i; } else firstOf[lane] = i;
    lastOf[lane] = i;
    if (A.kind[i] === spawn && A.peer[i] >= 0) birth[A.peer[i]] = i;
    if (A.signal[i] >= 0) { sender[i] = i - A.signal[i]; from.push(sender[i]); to.push(i); }
  }
  [receivers, receiverAt] = grouped(from, to);
  [readFrom, readAt] = grouped(A.reader, A.writer);
  [writeTo, writeAt] = grouped(A.writer, A.reader);
}
const receiver = i => { for (let k = receiverAt[i]; k < receiverAt[i + 1]; k++) if (/^(rec|signal)$/.test(kindOf(receivers[k]))) return receivers[k]; return -1; };
const cones = new Map();
// The actions are in causal order, so one pass back and one on find all causes and consequences.
function cone(i) {
  const known = cones.get(i);
  if (known) return known;
  const past = new Uint8Array(N), future = new Uint8Array(N), pastLanes = new Set(), futureLanes = new Set();
  let pastCount = 0, futureCount = 0;
  past[i] = future[i] = 1;
  for (let j = i; j >= 0; j--) {
    if (!past[j]) continue;
    if (j !== i) { pastCount++; pastLanes.add(A.lane[j]); }
    const b = before[j] >= 0 ? before[j] : birth[A.lane[j]];
    if (b >= 0 && b < j) past[b] = 1;
    if (sender[j] >= 0) past[sender[j]] = 1;
    for (let k = readAt[j]; k < readAt[j + 1]; k++) past[readFrom[k]] = 1;
  }
  for (let j = i + 1; j < N; j++) {
    const b = before[j] >= 0 ? before[j] : birth[A.lane[j]];
    let on = (b >= 0 && future[b]) || (sender[j] >= 0 && future[sender[j]]);
    for (let k = readAt[j]; !on && k < readAt[j + 1]; k++) on = future[readFrom[k]];
    if (on) { future[j] = 1; futureCount++; futureLanes.add(A.lane[j]); }
  }
  past[i] = future[i] = 0;
  const made = { past, future, pastCount, futureCount, pastLanes: pastLanes.size, futureLanes: futureLanes.size };
  if (cones.size * N > 4e7) cones.clear();
  cones.set(i, made);
  return made;
}

/* ---------- what is told of ---------- */
let told, key, step, inStory, raceAt = new Map(), rivals = new Map(), chipOf = new Map(), lateOf = new Map(), byTarget = new Map();
function mapStory() {
  told = new Uint8Array(N); step = new Int32Array(N); inStory = new Uint8Array(N);
  // What the story view shows: the steps, the races, and what the likely cause names.
  key = new Uint8Array(N);
  const tell = i => { if (i >= 0) told[i] = key[i] = 1; };
  const colour = i => { if (i >= 0) { told[i] = inStory[i] = 1; } };
  colour(H.target);
  tell(H.target);
  H.steps.forEach(({ a, s }, k) => {
    if (a >= 0) step[a] ||= k + 1;
    colour(a); colour(s); tell(a); tell(s);
    // The question that was answered belongs to the step: the last message from there that the answering process had taken.
    if (a >= 0 && s >= 0 && kindOf(a) === 'rec' && /, (in reply to|to its call) /.test(H.steps[k].lines[0])) {
      for (let j = before[s], n = 0; j >= 0 && n < 50; j = before[j], n++) {
        if (kindOf(j) !== 'rec') continue;
        if (sender[j] >= 0 && A.lane[sender[j]] === A.lane[a]) { colour(j); colour(sender[j]); }
        break;
      }
    }
  });
  for (const race of H.races) {
    tell(race.at); tell(race.rival);
    raceAt.set(race.at, [...(raceAt.get(race.at) || []), race]);
    if (!rivals.has(race.rival)) rivals.set(race.rival, race);
    if (race.decisive) tell(sender[race.at]);
  }
  const chip = (i, text, strong) => { if (i >= 0) { tell(i); if (!chipOf.has(i)) chipOf.set(i, [text, strong]); } };
  for (const i of H.alone) chip(i, 'decisive', true);
  for (let k = 0; k + 1 < H.order.length; k += 2) { chip(H.order[k], 'decisive: came first', true); chip(H.order[k + 1], 'decisive: came after', true); }
  for (const one of H.late) {
    chip(one.late, 'too late', true); chip(one.timeout, 'gives up', true); tell(one.asked);
    if (one.asked >= 0) tell(receiver(one.asked));
    for (const i of [one.late, one.timeout, one.asked]) lateOf.set(i, one);
  }
  for (let i = 0; i < N; i++) if (A.target[i] >= 0) byTarget.set(TEXTS[A.target[i]], i);
  // What the likely cause names.
  const likely = (H.lead.find(([name]) => /^(Likely cause|So|Also likely|Seen)$/.test(name)) || [])[1] || '';
  for (const [, name] of likely.matchAll(/\[([a-z]+:[^\],\s]+)/g)) {
    const i = indexOf(name);
    if (i >= 0 && !raceAt.has(i) && i !== H.target) chip(i, 'likely cause', false);
  }
}
function indexOf(name) {
  if (byTarget.has(name)) return byTarget.get(name);
  const event = /^event:<?([\d.]+)>?\/(\d+)$/.exec(name);
  if (event) for (let i = 0; i < N; i++) if (A.number[i] === +event[2] && L[A.lane[i]].pid === event[1]) return i;
  const end = /^(?:end|exit):<?([\d.]+)>?$/.exec(name) || /^sent:<?([\d.]+)>?\/end\//.exec(name);
  if (end) { const lane = L.findIndex(l => l.pid === end[1]); if (lane >= 0) return lastOf[lane] >= 0 ? lastOf[lane] : birth[lane]; }
  return -1;
}
function goTo(name, from) {
  const i = N ? indexOf(name) : -1;
  if (i >= 0) { select(i, { tab: S.tab === 'why' ? 'why' : 'action' }); return; }
  $('live').textContent = visible(name) + ' is not in this page';
  if (from && !from.dataset.missing) { from.dataset.missing = '1'; from.append(' (not in this page)'); }
}

/* ---------- rows: one step each, or a send with its receive ---------- */
const S = { view: 'causes', open: new Set(), all: false, sel: -1, hov: -1, tab: 'why', hits: [], hit: -1, hitSet: null, only: false, lanes: new Set(), families: new Set() };
let rowA, rowB, rowCount = 0, rowOf, ticks = new Map(), ghost;
// What decided or is likely is shown with what led to it, even if it is no cause.
function findGhosts() {
  ghost = new Uint8Array(N);
  for (const named of [...H.races.flatMap(({ at, rival }) => [at, rival]), ...chipOf.keys()]) {
    for (let j = named; j >= 0 && !isCause(j); j = before[j]) { ghost[j] = 1; if (sender[j] >= 0) ghost[sender[j]] = 1; }
  }
}
function buildRows() {
  rowA = new Int32Array(N); rowB = new Int32Array(N).fill(-1); rowOf = new Int32Array(N).fill(-1); rowCount = 0; ticks = new Map();
  const all = S.view === 'all', pending = new Map(), send = KINDS.indexOf('send');
  const kept = i => all || ((isCause(i) || ghost[i]) && (!isRoutine(i) || told[i] || S.hitSet?.has(i)));
  const settle = (i, row) => {
    const list = pending.get(A.lane[i]);
    if (!list) return;
    pending.delete(A.lane[i]);
    ticks.set(row, [...(ticks.get(row) || []), [A.lane[i], list.length]]);
    for (const j of list) rowOf[j] = row;
  };
  for (let i = 0; i < N; i++) {
    if (!kept(i)) {
      if (isCause(i)) { const list = pending.get(A.lane[i]); if (list) list.push(i); else pending.set(A.lane[i], [i]); }
      continue;
    }
    const row = rowCount++;
    rowA[row] = i; rowOf[i] = row;
    settle(i, row);
    const j = i + 1;
    if (j < N && A.kind[i] === send && sender[j] === i && kindOf(j) === 'rec' && A.lane[i] !== A.lane[j] && kept(j)) {
      rowB[row] = j; rowOf[j] = row;
      settle(j, row);
      i++;
    }
  }
}
const inRow = (row, i) => rowA[row] === i || rowB[row] === i;
const rowSome = (row, test) => test(rowA[row]) || (rowB[row] >= 0 && test(rowB[row]));
const rowActs = row => rowB[row] >= 0 ? [rowA[row], rowB[row]] : [rowA[row]];

/* ---------- items: shown rows and folds, with their heights ---------- */
const ROW = 30, FOLD = 26, MOST = 20000;
let items = [], itemOf, lanes = [], laneX = [], laneStep = 100, height = 0, width = 0, rightX = 0, gutter = 44, narrow = false;
function chooseRows() {
  const shown = new Uint8Array(rowCount), story = S.view === 'story', limit = story ? 0 : S.view === 'causes' ? 64 : 240;
  const filtering = S.only || S.lanes.size > 0;
  if (filtering) {
    const wanted = i => (!S.only || S.hitSet?.has(i)) && (!S.lanes.size || S.lanes.has(A.lane[i]) || (A.peer[i] >= 0 && S.lanes.has(A.peer[i])));
    for (let k = 0, n = 0; k < rowCount && n < MOST; k++) if (rowSome(k, wanted)) { shown[k] = 1; n++; }
  } else if ((S.all || (!story && rowCount <= limit)) && rowCount <= MOST) shown.fill(1);
  else {
    const near = story ? 0 : 1;
    for (let k = 0; k < rowCount; k++) if (rowSome(k, i => (story ? key : told)[i])) for (let d = -near; d <= near; d++) if (k + d >= 0 && k + d < rowCount) shown[k + d] = 1;
  }
  if (rowCount) shown[H.target >= 0 ? rowOf[H.target] : rowCount - 1] = 1;
  const least = filtering ? 1 : story ? 3 : 4;
  for (let k = 0; k < rowCount;) {
    if (shown[k]) { k++; continue; }
    let end = k;
    while (end < rowCount && !shown[end]) end++;
    if (end - k < least) shown.fill(1, k, end);
    k = end;
  }
  for (const k of S.open) if (k < rowCount) shown[k] = 1;
  return shown;
}
function layout() {
  const shown = chooseRows(), last = H.target >= 0 ? rowOf[H.target] : -1;
  items = []; itemOf = new Int32Array(rowCount);
  let y = 10, parted = false;
  for (let k = 0; k < rowCount;) {
    if (!parted && last >= 0 && k > last && rowSome(k, i => !isCause(i))) { parted = true; items.push({ part: 1, row: -1, y, h: 34 }); y += 34; }
    const it = { row: k, y, h: ROW };
    if (shown[k]) itemOf[k++] = items.length;
    else {
      it.h = FOLD; it.row = -1; it.from = k;
      do itemOf[k++] = items.length; while (k < rowCount && !shown[k] && (parted || last < 0 || k <= last || !rowSome(k, i => !isCause(i))));
      it.to = k;
    }
    items.push(it);
    y += it.h;
  }
  height = y + 14;
  layoutLanes();
  buildEdges();
}
// Lanes in the order of the spawn tree. If they do not fit, children of one parent with one name share a lane, unless the story names them.
function layoutLanes() {
  const used = new Uint8Array(L.length), named = new Uint8Array(L.length), decisive = H.races.filter(race => race.decisive);
  for (const i of [H.target, ...H.steps.flatMap(({ a, s }) => [a, s]), ...decisive.flatMap(({ at, rival }) => [at, rival]), ...chipOf.keys()]) if (i >= 0) named[A.lane[i]] = 1;
  for (const it of items) if (it.row >= 0) for (const i of rowActs(it.row)) {
    used[A.lane[i]] = 1;
    if (A.peer[i] >= 0 && (kindOf(i) === 'send' || kindOf(i) === 'rec' || (kindOf(i) === 'spawn' && L.length <= 14))) used[A.peer[i]] = 1;
  }
  const all = [];
  for (let p = 0; p < L.length; p++) if (used[p]) all.push(p);
  const room = printing ? 1000 : $('plot').clientWidth;
  narrow = room < 560; gutter = narrow ? 30 : 44;
  // Places are cut only if they would take more than a quarter.
  let longest = 0;
  for (const it of items) if (it.row >= 0) longest = Math.max(longest, placeIn(rowActs(it.row)).length);
  rightX = narrow ? 10 : Math.max(108, Math.min(longest * 6.65 + 34, Math.max(136, room * 0.27)));
  const free = room - gutter - rightX, least = narrow ? 46 : all.length > 12 ? 54 : 66;
  lanes = all.map(p => ({ p, all: [p] }));
  if ((all.length + 1) * least > free) {
    const families = new Map();
    lanes = [];
    for (const p of all) {
      const family = `${L[p].parent} ${L[p].name}`, known = families.get(family);
      if (named[p] || S.lanes.has(p) || S.families.has(family)) lanes.push({ p, all: [p] });
      else if (known) known.all.push(p);
      else { const lane = { p, all: [p], family }; families.set(family, lane); lanes.push(lane); }
    }
  }
  const missing = L.length - all.length, more = H.counts[3] - L.length;
  if (missing + more > 0) lanes.push({ p: -1, all: [] });
  const count = lanes.length, lead = narrow ? Math.min(free / count / 2, 40) : Math.max(50, Math.min(free / count * 0.62, 104)), x0 = gutter + lead;
  laneStep = Math.max(least, Math.min(176, free / count));
  if (!narrow && count > 1 && laneStep > least && laneStep * count + lead - laneStep / 2 > free) laneStep = Math.max(least, (free - lead - 40) / (count - 1));
  laneX = new Float64Array(L.length).fill(x0 + (count - 1) * laneStep);
  lanes.forEach((lane, k) => { lane.x = x0 + k * laneStep; for (const p of lane.all) { laneX[p] = lane.x; L[p].shared = lane.all.length > 1; } });
  width = Math.max(room, x0 + (count - 1) * laneStep + (narrow ? 20 : 40) + rightX);
}
const itemAt = i => rowOf[i] < 0 ? null : items[itemOf[rowOf[i]]];
const yOf = i => { const it = itemAt(i); return !it ? -1 : it.row >= 0 ? it.y + 20 : it.y + FOLD / 2; };

/* ---------- edges of shown rows ---------- */
let edges = [], edgeTo = new Map(), reads = [];
function buildEdges() {
  edges = []; reads = []; edgeTo = new Map();
  const known = new Set(), tracks = new Map();
  const add = i => {
    if (known.has(i) || kindOf(i) !== 'send') return;
    known.add(i);
    const j = receiver(i), r = j >= 0 && rowOf[j] >= 0 ? j : -1, from = itemAt(i), to = r >= 0 ? itemAt(r) : null;
    const peer = A.peer[i] >= 0 ? A.peer[i] : r >= 0 ? A.lane[r] : -1;
    if (peer < 0) return;
    if (to === from) { if (from.row >= 0) edges.push({ i, j: r, y1: yOf(i), y2: yOf(i), flat: true, p: A.lane[i], q: peer }); return; }
    if (from.row < 0 && (!to || to.row < 0)) return;
    const y1 = yOf(i);
    // Received in a row that is not shown, or perhaps outside the page: it did arrive, as far as is known.
    const hidden = r < 0 && (j >= 0 || H.counts[2] < H.counts[0]);
    edges.push({ i, j: r, y1, y2: r >= 0 ? yOf(r) : y1, p: A.lane[i], q: peer, lost: r < 0, hidden });
  };
  for (const it of items) if (it.row >= 0) for (const i of rowActs(it.row)) {
    add(i);
    if (sender[i] >= 0 && rowOf[sender[i]] >= 0) add(sender[i]);
    for (let k = readAt[i]; k < readAt[i + 1]; k++) {
      const w = readFrom[k];
      if (rowOf[w] >= 0 && itemAt(w).row >= 0 && A.lane[w] !== A.lane[i] && ((key[i] && key[w]) || S.sel === i || S.sel === w)) reads.push({ i: w, j: i, y1: yOf(w), y2: yOf(i) });
    }
    // An exit signal, and the news of an end.
    const s = sender[i];
    if (s >= 0 && kindOf(s) !== 'send' && rowOf[s] >= 0 && itemAt(s).row >= 0 && itemAt(s) !== it && A.lane[s] !== A.lane[i]) reads.push({ i: s, j: i, y1: yOf(s), y2: yOf(i), signal: true });
  }
  for (const race of H.races) {
    if (race.rival < 0 || rowOf[race.at] < 0 || rowOf[race.rival] < 0) continue;
    let e = edges.find(one => one.i === race.rival);
    // The end of a process, or its exit signal.
    if (!e && kindOf(race.rival) !== 'send' && itemAt(race.rival).row >= 0 && A.lane[race.rival] !== A.lane[race.at]) {
      e = { i: race.rival, j: -1, y1: yOf(race.rival), y2: yOf(race.rival), p: A.lane[race.rival], q: A.lane[race.at], lost: true, end: true };
      edges.push(e);
    }
    if (e && !e.race) { e.race = race; e.yr = yOf(race.at); if (e.lost && e.yr > e.y1) e.y2 = e.yr; }
  }
  for (const e of edges) {
    e.top = Math.min(e.y1, e.race ? e.yr : e.y1); e.bottom = Math.max(e.y2, e.race ? e.yr : e.y2);
    if (e.flat && !e.race || e.bottom <= e.top) continue;
    e.side = laneX[e.p] >= laneX[e.q] ? 1 : -1;
    const key = e.q + ':' + e.side;
    if (tracks.has(key)) tracks.get(key).push(e); else tracks.set(key, [e]);
  }
  for (const list of tracks.values()) {
    list.sort((a, b) => a.top - b.top || b.bottom - a.bottom);
    const free = [];
    for (const e of list) { let t = 0; while (free[t] > e.top - 2) t++; free[t] = e.bottom; e.track = t; }
  }
  edges.sort((a, b) => a.top - b.top);
  for (const e of edges) if (e.j >= 0 && !e.flat) edgeTo.set(e.j, e);
}
const most = () => Math.max(3, Math.min(8, Math.floor((laneStep - 40) / 6)));
const trackX = e => laneX[e.q] + e.side * (10 + 6 * Math.min(e.track, most()));

/* ---------- drawing: only what is in the window ---------- */
const canvas = document.createElement('canvas').getContext('2d');
let charWidth = 7, drawnFrom = -1, drawnTo = -1, printing = false, plotTop = 0;
// Terms are cut in the middle: two that differ at their ends stay apart.
const cut = (text, px) => {
  const n = Math.max(3, Math.floor(px / charWidth)), end = /[\]})>]$/.test(text) && n > 12 ? Math.min(8, n >> 2) : 0;
  return text.length <= n ? text : text.slice(0, n - 1 - end) + '…' + (end ? text.slice(-end) : '');
};
const layer = () => ({ back: svgEl('g'), life: svgEl('g'), edge: svgEl('g'), row: svgEl('g') });
const picture = svgEl('svg', { 'aria-hidden': 'true' }), options = el('div', 'sr'), main = layer(), ring = svgEl('circle', { class: 'me', r: 10 });
options.setAttribute('role', 'presentation');
picture.append(main.back, main.life, main.edge, main.row);
$('plot').append(picture, options);

function glyph(kind, x, y, { story = false, race = false, failing = false, bad = false, writes = false } = {}) {
  const st = story ? ' st' : '', g = svgEl('g', { class: 'nd' }), put = (tag, cls, attributes) => g.append(svgEl(tag, { class: cls, ...attributes }));
  switch (kind) {
    case 'send': put('circle', 'm f' + st, { cx: x, cy: y, r: 2.6 }); break;
    case 'rec': put('circle', 'm' + (race ? ' rc' : ' f') + st, { cx: x, cy: y, r: race ? 5 : 4 }); break;
    case 'spawn': put('path', 'm f' + st, { d: `M${x - 4.5} ${y}h9M${x} ${y - 4.5}v9` }); break;
    case 'exit': case 'halt': case 'test':
      if (failing || bad) { put('rect', 'm' + (failing ? ' fl' : ''), { x: x - 7, y: y - 7, width: 14, height: 14, rx: 3 }); put('path', failing ? 'mx' : 'm', { d: `M${x - 3} ${y - 3}l6 6m0 -6l-6 6` }); }
      else put('path', 'm' + st, { d: `M${x - 6} ${y}h12` });
      break;
    case 'wait': put('rect', 'm' + (failing ? ' fl' : ''), { x: x - 7, y: y - 7, width: 14, height: 14, rx: 7 }); put('path', failing ? 'mx' : 'm', { d: `M${x - 2} ${y - 3}v6m4 -6v6` }); break;
    case 'after': put('circle', 'm' + st, { cx: x, cy: y, r: 5.5 }); put('path', 'm' + st, { d: `M${x} ${y - 3}v3l2.4 1.6`, fill: 'none' }); break;
    case 'signal': put('path', 'm' + (failing ? ' fl' : '') + st, { d: `M${x} ${y - 6}l6 6l-6 6l-6 -6z` }); break;
    case 'output': put('path', 'm' + st, { d: `M${x - 5} ${y - 4}h10v8h-10z` }); put('path', 'm', { d: `M${x - 2.5} ${y}h5` }); break;
    case 'access': case 'nodes': case 'start': case 'version': put('rect', 'm' + (writes ? ' f' : '') + st, { x: x - 4, y: y - 4, width: 8, height: 8, rx: 1 }); break;
    default: put('path', 'm' + st, { d: `M${x} ${y - 4.5}l4.5 8h-9z` });
  }
  return g;
}
const glyphOf = (i, x, y) => glyph(kindOf(i), x, y, { story: inStory[i], race: raceAt.has(i), failing: i === H.target, bad: /^(error|exit|throw) |failed/.test(content(i)), writes: /write/.test(uses(i)) });
const arrowHead = (x, y, d, cls) => svgEl('path', { class: 'hd' + cls, d: `M${x} ${y}l${-6 * d} -3.4v6.8z` });
function arrow(x1, x2, y, cls, gap) {
  const d = x2 > x1 ? 1 : -1;
  return [svgEl('path', { class: 'e' + cls, d: `M${x1} ${y}H${x2 - d * (gap + 4)}` }), arrowHead(x2 - d * gap, y, d, cls)];
}
function option(id, text, selected) {
  const o = el('div', '', text);
  o.id = id;
  o.setAttribute('role', 'option');
  o.setAttribute('aria-selected', String(selected));
  options.append(o);
}
// One row. Texts go where there is room: right of the mark, else left of it.
function drawRow(it, layers) {
  const row = it.row, i = rowA[row], j = rowB[row], acts = rowActs(row), y = it.y + 20, kind = kindOf(i), x1 = laneX[A.lane[i]], failing = inRow(row, H.target);
  const story = acts.some(a => inStory[a]), noCause = acts.every(a => !isCause(a)) && !acts.some(a => rivals.has(a));
  const g = svgEl('g', { class: 'row' + (story ? ' st' : '') + (failing ? ' fail' : '') + (noCause ? ' ng' : ''), 'data-r': row });
  if (layers === main) option('r' + row, acts.map(a => `${who(A.lane[a])} ${describe(a)}`).join('; '), inRow(row, S.sel));
  g.append(svgEl('rect', { class: 'ha', x: 0, y: it.y, width, height: it.h }));
  layers.back.append(svgEl('rect', { class: 'rb' + (failing ? ' fail' : ''), 'data-b': row, x: 0, y: it.y, width, height: it.h }));
  if (S.hitSet && acts.some(a => S.hitSet.has(a))) g.append(svgEl('rect', { class: 'hit', x: 0, y: it.y + 2, width: 4, height: it.h - 4 }));
  const stepNumber = acts.map(a => step[a]).find(Boolean);
  if (stepNumber || failing) {
    const bx = narrow ? 15 : 22, f = failing ? ' f' : '';
    g.append(svgEl('circle', { class: 'bd' + f, cx: bx, cy: y, r: 9 }), svgText({ class: 'bt' + f, x: bx, y: y + 3.8 }, failing ? '!' : stepNumber));
  }
  for (const [lane, count] of ticks.get(row) || []) for (let k = 0; k < Math.min(count, 4); k++) g.append(svgEl('path', { class: 'tick', d: `M${laneX[lane] - 4} ${it.y + 2 + k * 3}h8` }));
  // In a shared lane, the pid tells which process it is.
  const of = a => (L[A.lane[a]].shared ? L[A.lane[a]].pid + ' ' : '');
  const right = width - (narrow ? 6 : rightX), text = (s, x, ty, anchor, cls) => g.append(svgText({ class: 'lb' + cls, x, y: ty, 'text-anchor': anchor }, s));
  let endX = x1, leftX = x1;
  // Along an arrow: from its left end on, else up to its right end; never beyond both.
  const along = (s, from, hi, cls) => {
    const lo = from + Math.max(0, ...acts.map(a => (laneX[A.lane[a]] === from ? linesAt(A.lane[a], y - 10, 1) - 6 : 0))), w = s.length * charWidth, before = hi - 18 - gutter, behind = right - lo - 10;
    if (w <= behind || (w > before && behind >= before)) text(cut(s, behind), lo + 10, y - 6, 'start', cls); else text(cut(s, before), hi - 10, y - 6, 'end', cls);
  };
  const racing = rivals.has(i) ? ' race' : '';
  if (j >= 0) {
    const x2 = laneX[A.lane[j]], lo = Math.min(x1, x2), hi = Math.max(x1, x2), s = of(i) + label(i) + (L[A.lane[j]].shared ? ' → ' + L[A.lane[j]].pid : '');
    g.append(...arrow(x1, x2, y, inStory[j] && inStory[i] ? ' st' : racing, raceAt.has(j) ? 5 : 4));
    along(s, lo, hi, racing);
    g.append(glyphOf(i, x1, y), glyphOf(j, x2, y));
    endX = raceAt.has(j) ? x2 : hi;
  } else if (kind === 'spawn' && A.peer[i] >= 0) {
    const x2 = laneX[A.peer[i]];
    if (x2 !== x1) g.append(...arrow(x1, x2, y, ' sp', 3));
    g.append(glyphOf(i, x1, y), svgEl('path', { class: 'life', d: `M${x2 - 6} ${y}h12` }));
    text(cut(L[A.peer[i]].name, right - x1 - 12), x1 + 10, y - 6, 'start', ' w q');
    endX = Math.max(x1, x2);
  } else if (kind === 'send') {
    const to = A.peer[i], x2 = to >= 0 ? laneX[to] : x1 + 30, lo = Math.min(x1, x2), s = of(i) + label(i);
    along(s, lo + (x2 < x1 && to >= 0 ? Math.max(12, linesAt(to, y, 1) - 4) : 0), Math.max(x1, x2), racing);
    g.append(glyphOf(i, x1, y));
  } else {
    g.append(glyphOf(i, x1, y));
    let s = '', cls = ' w';
    if (kind === 'rec') { s = label(i); cls = ' q'; if (sender[i] < 0 && A.peer[i] >= 0) s += `  from ${L[A.peer[i]].pid}`; }
    else if (kind === 'exit') { s = content(i) || 'ends'; cls = content(i) && content(i) !== 'normal' ? '' : ' w q'; }
    else if (kind === 'output') { s = content(i); cls = ' q'; }
    else if (kind === 'after') s = 'times out';
    else if (kind === 'test' && failing) s = H.about.title;
    else s = describe(i);
    s = of(i) + s;
    cls += racing;
    const pad = kind === 'rec' ? 12 : 14, need = s.length * charWidth, beside = linesAt(A.lane[i], y, 1);
    let tx = x1 + pad;
    if (beside) {
      // Left of the mark only if it fits there as a whole: two texts that are cut look the same.
      if (x1 - pad - need > gutter - 4) { text(s, x1 - pad, y + 4, 'end', cls); leftX = x1 - pad - need; s = ''; }
      else tx = Math.max(tx, x1 + beside + 6);
    }
    if (s && tx + need > right && x1 - pad - gutter > right - tx) { text(cut(s, x1 - pad - gutter), x1 - pad, y + 4, 'end', cls); leftX = x1 - pad - Math.min(need, x1 - pad - gutter); }
    else if (s) { text(cut(s, right - tx), tx, y + 4, 'start', cls); endX = tx + Math.min(need, right - tx); }
  }
  drawChips(g, { row, acts, y, endX, leftX, stepNumber });
  drawPlace(g, acts, y, it);
  return g;
}
// How far lines reach that run down beside a lane here, on its right (1) or left (-1); 0: there are none.
function linesAt(lane, y, side) {
  let far = 0;
  for (const e of edges) {
    if (e.top > y) break;
    if (e.q === lane && e.side === side && e.track != null && e.bottom >= y - 12) far = Math.max(far, 10 + 6 * Math.min(e.track, most()));
  }
  return far;
}
function drawChips(g, { row, acts, y, endX, leftX, stepNumber }) {
  const widthOf = s => s.length * 6 + 14, low = narrow ? (stepNumber ? 26 : 2) : 36, placed = [], dy = acts.length > 1 || kindOf(acts[0]) === 'send' || kindOf(acts[0]) === 'spawn' ? 3 : 0;
  const chip = (s, strong, mark, x, toLeft) => {
    const w = widthOf(s), d = strong ? ' d' : '', edge = width - (narrow ? 4 : rightX - 22);
    let cx = toLeft ? x - w : x;
    // Where it would cover the place, it goes to the other side, beyond the text that is there.
    const other = (leftX < mark ? leftX : mark - 4) - 8 - w;
    if (cx + w > edge && other > low) cx = other;
    cx = Math.max(low, Math.min(cx, width - w - 4));
    for (const [from, to] of placed) if (cx < to && from < cx + w) cx = to + 4;
    placed.push([cx, cx + w]);
    g.append(svgEl('rect', { class: 'chip' + d, x: cx, y: y + dy - 8, width: w, height: 16, rx: 8 }), svgText({ class: 'ct' + d, x: cx + 6.5, y: y + dy + 3.7 }, s));
  };
  const races = acts.flatMap(a => raceAt.get(a) || []);
  if (races.length) {
    const decisive = races.some(r => r.decisive), s = decisive ? 'decisive race' : 'race', at = acts[acts.length - 1], x = laneX[A.lane[at]];
    if (acts.length < 2) {
      if (leftX < x) { if (leftX - 8 - widthOf(s) > low) chip(s, decisive, x, leftX - 8, true); else chip(s, decisive, x, x + (edgeTo.get(at)?.side > 0 ? 38 : 14), false); }
      else chip(s, decisive, x, endX + 8, false);
    } else {
      const fromRight = laneX[A.lane[acts[0]]] > x;
      const far = linesAt(A.lane[at], y, fromRight ? -1 : 1);
      chip(s, decisive, x, x + (fromRight ? -1 : 1) * (far ? far + 8 : 10), fromRight);
    }
  }
  for (const a of acts) {
    const known = chipOf.get(a);
    if (!known) continue;
    const x = laneX[A.lane[a]], [s, strong] = known, single = acts.length < 2;
    if (single && kindOf(a) !== 'send') chip(s, strong, x, leftX < x ? x + (edgeTo.get(a)?.side > 0 ? 38 : 14) : endX + 8, false);
    else {
      // Beside the mark, away from the line.
      const other = single ? (A.peer[a] >= 0 ? laneX[A.peer[a]] : x + 1) : laneX[A.lane[acts[0] === a ? acts[1] : acts[0]]];
      const toLeft = other >= x, fits = toLeft ? x - 10 - widthOf(s) > low : true;
      if (fits) chip(s, strong, x, x + (toLeft ? -10 : 10), toLeft); else chip(s, strong, x, Math.max(x, other) + 10, false);
    }
  }
}
// The place of a row, in the program's own sources.
function placeIn(acts) {
  const own = a => { const p = placeOf(a); return p && p.file.own ? p : null; };
  const p = own(acts[0]), q = acts.length > 1 ? own(acts[1]) : null, s = p ? `${p.file.name}:${p.line}` : q ? `${q.file.name}:${q.line}` : '';
  return p && q && p.file === q.file && p.line !== q.line ? s + '→' + q.line : s;
}
const ownFiles = () => FILES.filter(file => file.own).length;
function drawPlace(g, acts, y, it) {
  const s = placeIn(acts), most = Math.floor((rightX - 32) / 6.6);
  if (!s) return;
  if (narrow) g.append(svgText({ class: 'wh n', x: width - 4, y: it.y + it.h - 2 }, ownFiles() === 1 || s.length > 14 ? s.slice(s.lastIndexOf(':')) : s));
  else g.append(svgText({ class: 'wh', x: width - 16, y: y + 4 }, s.length > most ? '…' + s.slice(1 - most) : s));
}
function foldText(it) {
  let n = 0, messages = 0, lane = -1;
  const seen = new Set(), rec = KINDS.indexOf('rec');
  for (let k = it.from; k < it.to; k++) for (const i of rowActs(k)) { n++; seen.add(A.lane[i]); lane = A.lane[i]; if (A.kind[i] === rec) messages++; }
  it.lanes = seen;
  return `${plural(n, 'action')}${messages ? ', ' + plural(messages, 'message') : ''} in ${seen.size === 1 ? L[lane].name : plural(seen.size, 'process')}`;
}
function drawFold(it, layers) {
  it.text ??= foldText(it);
  const g = svgEl('g', { class: 'fold', 'data-f': it.from });
  if (layers === main) option('f' + it.from, it.text + ', folded', false);
  g.append(svgEl('rect', { x: 0, y: it.y + 2, width, height: FOLD - 4 }));
  // Which of the shown processes act in it.
  for (const lane of lanes) if (lane.all.some(p => it.lanes.has(p))) g.append(svgEl('rect', { class: 'act', x: lane.x - 1.5, y: it.y + 5, width: 3, height: FOLD - 10, rx: 1.5 }));
  g.append(svgText({ x: gutter + 4, y: it.y + FOLD / 2 + 4, class: 'lb w q' }, '⋯  ' + it.text));
  return g;
}
function drawLives(layers, y0, y1) {
  const line = (cls, x, from, to) => { if (to > from) layers.life.append(svgEl('path', { class: cls, d: `M${x} ${from}V${to}` })); };
  const bottom = H.target >= 0 ? yOf(H.target) : height - 10;
  for (const { p, all, x } of lanes) {
    if (all.length !== 1) { line('life rest', x, y0, y1); continue; }
    const from = birth[p] >= 0 && rowOf[birth[p]] >= 0 ? yOf(birth[p]) : 6;
    let last = lastOf[p];
    while (last >= 0 && rowOf[last] < 0) last = before[last];
    const to = last >= 0 ? yOf(last) : from, ended = last >= 0 && /^(exit|signal|halt)$/.test(kindOf(last));
    line('life', x, Math.max(from, y0), Math.min(to, y1));
    if (!ended) line('life rest', x, Math.max(to, y0) + 4, Math.min(Math.max(bottom, to + 22), y1));
  }
}
function drawEdges(layers, y0, y1) {
  for (const e of edges) {
    if (e.top > y1) break;
    if ((e.flat && !e.race) || e.bottom < y0) continue;
    const x1 = laneX[e.p], x2 = laneX[e.q], st = inStory[e.i] && e.j >= 0 && inStory[e.j] ? ' st' : '';
    const g = svgEl('g', { 'data-e': `${e.i},${e.j}`, class: 'ed' + (!isCause(e.i) && !e.race ? ' ng' : '') });
    layers.edge.append(g);
    if (e.lost && !e.race) {
      const d = x2 > x1 ? 1 : -1;
      if (e.hidden) g.append(svgEl('path', { class: 'e', d: `M${x1} ${e.y1}H${x2 - d * 13}` }), arrowHead(x2 - d * 4, e.y1, d, ' hid'));
      else g.append(svgEl('path', { class: 'e', d: `M${x1} ${e.y1}H${x2 - d * 10}` }), svgEl('circle', { class: 'm', cx: x2 - d * 7, cy: e.y1, r: 3 }));
      continue;
    }
    if (!e.side) continue;
    const x = trackX(e), d = x > x1 ? 1 : -1, r = Math.min(7, Math.abs(x - x1));
    const across = `M${x1} ${e.y1}H${x - d * r}Q${x} ${e.y1} ${x} ${e.y1 + r}`;
    const into = (from, gap) => `${from}V${e.y2 - 6}Q${x} ${e.y2} ${x - e.side * 4} ${e.y2}H${x2 + e.side * gap}`;
    if (e.race && e.yr < e.y1) {
      // It came after what it could have come before: it goes its way down, and the dashed line shows where it could have been.
      if (!e.lost && !e.flat) g.append(svgEl('path', { class: 'e' + st, d: into(across, 8) }), arrowHead(x2 + e.side * 4, e.y2, -e.side, st));
      g.append(svgEl('path', { class: 'e race', d: e.lost ? `M${x1} ${e.y1}H${x}V${e.yr + 9}` : `M${x} ${e.y1}V${e.yr + 9}` }), svgEl('path', { class: 'hd race', d: `M${x} ${e.yr + 3}l-3.6 7h7.2z` }));
    } else if (e.race) {
      g.append(svgEl('path', { class: 'e race', d: `${across}V${e.yr - 9}` }), svgEl('path', { class: 'hd race', d: `M${x} ${e.yr - 3}l-3.6 -7h7.2z` }));
      if (!e.lost && e.y2 > e.yr) g.append(svgEl('path', { class: 'e' + st, d: into(`M${x} ${e.yr}`, 8) }), arrowHead(x2 + e.side * 4, e.y2, -e.side, st));
    } else g.append(svgEl('path', { class: 'e' + st, d: into(across, raceAt.has(e.j) ? 9 : 8) }), arrowHead(x2 + e.side * (raceAt.has(e.j) ? 5 : 4), e.y2, -e.side, st));
  }
  for (const e of reads) {
    if (e.y1 > y1 || e.y2 < y0) continue;
    const x1 = laneX[A.lane[e.i]], x2 = laneX[A.lane[e.j]], st = inStory[e.i] && inStory[e.j] ? ' st' : '', bend = Math.min(60, (e.y2 - e.y1) / 2);
    const g = svgEl('g', { 'data-e': `${e.i},${e.j}`, class: 'ed' });
    g.append(svgEl('path', { class: 'e acc' + st, d: `M${x1} ${e.y1 + 6}C${x1} ${e.y1 + bend} ${x2} ${e.y2 - bend} ${x2} ${e.y2 - 8}` }));
    if (e.signal) g.append(svgEl('path', { class: 'hd' + st, d: `M${x2} ${e.y2 - 5}l-3.4 -6h6.8z` }));
    layers.edge.append(g);
  }
}
function drawItems(layers, from, to) {
  const y0 = from < items.length ? items[from].y : 0, y1 = to > 0 ? items[to - 1].y + items[to - 1].h : 0;
  drawLives(layers, y0, y1);
  drawEdges(layers, y0, y1);
  for (let k = from; k < to; k++) {
    const it = items[k];
    if (it.part) layers.row.append(svgEl('g', { class: 'sepr' }, svgEl('line', { x1: 0, x2: width, y1: it.y + 4, y2: it.y + 4 }), svgText({ x: gutter + 4, y: it.y + 22 }, 'Not causes')));
    else layers.row.append(it.row >= 0 ? drawRow(it, layers) : drawFold(it, layers));
  }
}
// The first item whose end is below a height.
function itemBelow(y) {
  let low = 0, high = items.length;
  while (low < high) { const middle = (low + high) >> 1; if (items[middle].y + items[middle].h < y) low = middle + 1; else high = middle; }
  return low;
}
function draw(force) {
  const top = scrollY - plotTop - 300, from = itemBelow(top), to = Math.min(items.length, itemBelow(top + innerHeight + 900) + 1);
  if (!force && from === drawnFrom && to === drawnTo) return;
  drawnFrom = from; drawnTo = to;
  picture.setAttribute('width', width);
  picture.setAttribute('height', height);
  for (const part of [options, main.back, main.life, main.edge, main.row]) part.replaceChildren();
  drawItems(main, from, to);
  if (S.sel >= 0 && $('r' + rowOf[S.sel])) $('plot').setAttribute('aria-activedescendant', 'r' + rowOf[S.sel]); else $('plot').removeAttribute('aria-activedescendant');
  paint();
}
// Colours the cones of the hovered or selected action.
function paint() {
  const i = S.hov >= 0 ? S.hov : S.sel, c = i >= 0 ? cone(i) : null, late = lateOf.get(i);
  const kin = new Set(i < 0 ? [] : [...(raceAt.get(i) || []).map(r => r.rival), ...(late ? [late.asked, late.timeout, late.late] : [])]);
  const classOf = x => x === i ? 'is' : kin.has(x) ? 'rv' : c.past[x] ? 'pa' : c.future[x] ? 'fu' : 'dim';
  picture.classList.toggle('cone', !!c);
  for (const g of main.row.children) {
    const row = g.dataset.r;
    if (row == null) continue;
    g.classList.remove('pa', 'fu', 'dim', 'sel', 'hov');
    if (c) {
      const list = rowActs(row).map(classOf), best = list.includes('is') || list.includes('rv') ? '' : ['pa', 'fu', 'dim'].find(one => list.includes(one));
      if (best) g.classList.add(best);
      if (list.includes('is')) g.classList.add(S.hov >= 0 ? 'hov' : 'sel');
    }
    const on = S.sel >= 0 && inRow(row, S.sel);
    $('r' + row)?.setAttribute('aria-selected', String(on));
    if (on) g.classList.add('sel');
  }
  for (const g of main.edge.children) {
    const [x, y] = g.dataset.e.split(',').map(Number);
    g.classList.remove('pa', 'fu', 'dim', 'rv');
    for (const e of g.children) e.classList.remove('pa', 'fu');
    if (!c) continue;
    const past = v => v === i || c.past[v], future = v => v === i || c.future[v];
    const cls = past(x) && (y < 0 ? x !== i && !future(x) : past(y)) ? 'pa' : future(x) && (y < 0 || future(y)) ? 'fu' : kin.has(x) ? 'rv' : 'dim';
    g.classList.add(cls);
    if (cls === 'pa' || cls === 'fu') for (const e of g.children) if (!e.classList.contains('race')) e.classList.add(cls);
  }
  const hovered = S.hov >= 0 ? rowOf[S.hov] : -1, selected = S.sel >= 0 ? rowOf[S.sel] : -1;
  for (const b of main.back.children) { b.classList.toggle('sel', +b.dataset.b === selected); b.classList.toggle('hov', +b.dataset.b === hovered); }
  if (S.sel >= 0 && rowOf[S.sel] >= 0) { ring.setAttribute('cx', laneX[A.lane[S.sel]]); ring.setAttribute('cy', yOf(S.sel)); if (!ring.isConnected) picture.append(ring); } else ring.remove();
  for (const h of $('heads').children) h.classList.toggle('on', i >= 0 && +h.dataset.p === A.lane[i]);
}

/* ---------- heads of lanes, the rail, the toolbar ---------- */
const shortName = p => laneStep < 110 ? L[p].name.replace(/^(fun|comprehension) in /, 'λ ').replace(/\/\d+$/, laneStep < 80 ? '' : '$&') : L[p].name;
function showHeads() {
  $('heads').replaceChildren(...lanes.map(({ p, all, family, x }) => {
    const shared = all.length > 1, toAll = () => setView(S.view === 'story' ? 'causes' : 'all'), apart = () => { S.families.add(family); render(); };
    const b = button('', null, p < 0 ? toAll : shared ? apart : () => toggleLane(p));
    b.style.left = x + 'px';
    b.style.width = Math.max(40, Math.min(laneStep - 4, 150)) + 'px';
    b.dataset.p = shared ? '' : p;
    if (p < 0) {
      const shown = lanes.reduce((n, lane) => n + lane.all.length, 0);
      b.append(el('b', '', '+' + number(H.counts[3] - shown)), el('span', '', 'others'));
      b.title = 'Processes that are not in this view';
    } else if (shared) {
      b.append(el('b', '', shortName(p)), el('span', '', '×' + number(all.length)));
      b.title = visible(`${all.length} processes ${L[p].name}, in one lane because all do not fit. Click: a lane for each`);
    } else {
      b.append(el('b', '', shortName(p)), el('span', '', L[p].pid + (L[p].node ? ' ' + L[p].node : '')));
      b.title = visible(`${who(p)}${L[p].node ? ' on ' + L[p].node : ''}, ${plural(L[p].actions, 'action')} in the run. Click: only its rows`);
      b.setAttribute('aria-pressed', String(S.lanes.has(p)));
      if (H.target >= 0 && A.lane[H.target] === p) b.className = 'failed';
    }
    return b;
  }));
  slide();
}
const slide = () => { const x = $('plot').scrollLeft; for (const b of $('heads').children) b.style.marginLeft = -x + 'px'; };
function toggleLane(p) { if (!S.lanes.delete(p)) S.lanes.add(p); refilter(); }
function refilter() { S.open.clear(); buildRows(); render(); if (S.sel >= 0 && rowOf[S.sel] < 0) S.sel = -1; }
let railView = null;
const railScale = () => (innerHeight - 100) / height;
function showRail() {
  $('rail').replaceChildren();
  railView = null;
  if (height < innerHeight * 1.2) return;
  const scale = railScale(), g = svgEl('svg', {}, railView = svgEl('rect', { class: 'v', x: 0, width: 9, rx: 2 }));
  for (const it of items) {
    if (it.row < 0) continue;
    const some = test => rowSome(it.row, test);
    const cls = inRow(it.row, H.target) ? 'x' : some(i => raceAt.get(i)?.some(r => r.decisive) || chipOf.get(i)?.[1]) ? 'r' : some(i => S.hitSet?.has(i)) ? 'h' : some(i => step[i]) ? 's' : '';
    if (cls) g.append(svgEl('rect', { class: cls, x: 1, width: 7, y: it.y * scale, height: 3 }));
  }
  g.onclick = event => scrollTo({ top: (event.clientY - g.getBoundingClientRect().top) / scale + plotTop - innerHeight / 2 });
  $('rail').append(g);
  moveRail();
}
function moveRail() {
  if (!railView) return;
  const scale = railScale();
  railView.setAttribute('y', Math.max(0, (scrollY - plotTop + 90) * scale));
  railView.setAttribute('height', Math.max(8, (innerHeight - 90) * scale));
}
function showTools() {
  const [, causes, held] = H.counts, names = [['story', 'Story', 0], ['causes', 'Causes', Math.min(causes, held)]];
  if (held > causes || S.view === 'all') names.push(['all', 'All', held]); else names.push(['all', 'With library steps', 0]);
  $('views').replaceChildren(...names.map(([view, name, n]) => {
    const b = button('', name, () => setView(view));
    if (n) b.append(el('i', '', number(n)));
    b.setAttribute('aria-pressed', String(S.view === view));
    return b;
  }));
  const folded = items.some(it => it.from != null);
  $('unfold').hidden = !(folded || S.all) || rowCount > MOST || S.only || S.lanes.size > 0;
  $('unfold').textContent = S.all ? 'Fold' : 'Unfold';
  $('chips').replaceChildren(...[...S.lanes].map(p => { const b = button('', `${who(p)}  ✕`, () => toggleLane(p)); b.title = 'Show all processes again'; return b; }));
  $('only').hidden = !S.hits.length;
  $('only').setAttribute('aria-pressed', String(S.only));
}
function render() {
  layout();
  showTools();
  showHeads();
  plotTop = $('plot').getBoundingClientRect().top + scrollY;
  showRail();
  draw(true);
}
function setView(view) { S.view = view; S.open.clear(); S.all = false; buildRows(); render(); if (S.sel >= 0 && rowOf[S.sel] < 0) select(-1); }
// Makes an action visible: in the view that has it, out of its fold.
function reveal(i) {
  if (rowOf[i] < 0 || (!isCause(i) && S.view !== 'all' && !ghost[i]) || (isRoutine(i) && !inRow(rowOf[i], i))) { S.view = 'all'; buildRows(); layout(); }
  const row = rowOf[i];
  if (items[itemOf[row]].row < 0) { for (let k = Math.max(0, row - 2); k <= Math.min(rowCount - 1, row + 2); k++) S.open.add(k); render(); }
}
function select(i, { tab = 'action', scroll = true } = {}) {
  S.sel = i; S.hov = -1;
  if (i >= 0) {
    reveal(i);
    S.tab = tab;
    if (scroll) {
      const y = yOf(i) + plotTop, low = scrollY + 130, high = scrollY + innerHeight - (innerWidth <= 860 ? innerHeight * 0.55 : 90);
      if (y < low || y > high) scrollTo({ top: y - innerHeight * (innerWidth <= 860 ? 0.25 : 0.38) });
      const x = laneX[A.lane[i]], plot = $('plot');
      if (x < plot.scrollLeft + 40 || x > plot.scrollLeft + plot.clientWidth - 40) plot.scrollLeft = x - plot.clientWidth / 2;
    }
    $('live').textContent = visible(`${who(A.lane[i])} ${describe(i)}`);
    try { history.replaceState(null, '', '#' + encodeURIComponent(target(i))); } catch { /* an address that cannot be changed */ }
  } else { S.tab = 'why'; }
  buildEdges();
  draw(true);
  showPanel();
}
const hover = i => { if (i !== S.hov && N) { S.hov = i; paint(); } };

/* ---------- the panel ---------- */
const ready = () => N > 0;
function hoverable(b, i) { b.onmouseenter = () => hover(i); b.onmouseleave = () => hover(-1); return b; }
const link = (i, text) => hoverable(button('lnk', text || who(A.lane[i]), () => select(i)), i);
const sub = text => el('h2', 'sub', text);
function whyPanel() {
  const out = document.createDocumentFragment(), list = el('ol', 'story');
  const go = (b, i) => { if (!ready() || i < 0) return b; b.onclick = () => select(i, { tab: 'why' }); return hoverable(b, i); };
  const failing = button('stp' + (S.sel >= 0 && S.sel === H.target ? ' on' : ''), null);
  rich(brief(H.about.title), failing, false);
  if (ready() && H.target >= 0 && placeText(H.target)) failing.append(el('span', 'ev', placeText(H.target)));
  list.append(el('li', '', null, el('span', 'no f', '!'), go(failing, H.target)));
  H.steps.forEach(({ a, lines, changes }, k) => {
    const b = button('stp' + (a >= 0 && a === S.sel ? ' on' : ''), null), [first, ...more] = lines;
    let text = first.replace(/ \[([^\]]*)\]$/, '');
    if (changes.length) text = text.replace(/: [^:]* (became|was added|was removed).*$/, '');
    rich(brief(text), b, false);
    for (const change of changes.slice(0, 3)) b.append(el('span', 'chg', null, el('code', '', change.name + ' '), el('s', 'mono', change.before.slice(0, 60)), ' → ', el('code', '', change.after.slice(0, 80))));
    for (const line of more) if (!line.startsWith('by sent')) {
      const ev = el('span', 'ev'), at = /^((?:sent|written|done|caused by its own call) at )(\S+?)(: )(.*)$/.exec(line);
      if (at) ev.append(at[1], el('span', '', at[2] + ' '), el('code', '', brief(at[4]))); else rich(brief(line), ev, false);
      b.append(ev);
    }
    list.append(el('li', '', null, el('span', 'no', k + 1), go(b, a)));
  });
  out.append(sub('Why, told backwards'), list);
  if (ready()) {
    const race = (name, strong, i, parts) => { const b = button('rc' + (strong ? ' d' : ''), null); b.append(el('em', '', name)); rich(parts, b, false); out.append(go(b, i)); };
    for (const one of H.late) race('too late', one.first, one.late, `${who(A.lane[one.asked])} gave up waiting for the answer to ${noun(one.asked)}; ${who(A.lane[one.late])} sent ${noun(one.late)} after that`);
    if (H.races.length) out.append(sub('Messages that could have come first'));
    for (const r of H.races) race(r.decisive ? 'decisive race' : 'race', r.decisive, r.at, `${nounFrom(r.rival)} before ${noun(r.at)}`);
  }
  const skip = /^(Repl(?:y|ies) sent after|These messages could have come first)/;
  for (const [title, lines] of H.beside) {
    if (ready() && skip.test(title) && (H.races.length || !/^These/.test(title)) && (H.late.length || !/^Repl/.test(title))) continue;
    out.append(sub(title), ...lines.map(line => rich(line, el('p', 'para'))));
  }
  for (const note of H.notes) out.append(rich(note, el('p', 'hint')));
  return out;
}
function fateOf(i) {
  const q = A.peer[i], whole = H.counts[2] >= H.counts[0], last = q >= 0 ? lastOf[q] : -1;
  if (q < 0) return 'nobody: there was no such process';
  if (last >= 0 && /^(exit|signal)$/.test(kindOf(last))) return whole || isCause(last) ? 'never received: the receiver ended' : 'not received in what is shown';
  return whole ? 'never received: it stayed in the mailbox' : 'not received in what is shown';
}
function actionPanel(i) {
  const out = document.createDocumentFragment(), kind = kindOf(i), lane = A.lane[i], list = el('dl');
  const pair = (name, ...values) => list.append(el('dt', '', name), el('dd', '', null, ...values));
  out.append(el('h2', '', `${L[lane].name} ${kind === 'exit' && content(i) ? 'fails' : WORD[kind]}`));
  pair('process', visible(who(lane)));
  if (L[lane].node) pair('node', visible(L[lane].node));
  if (kind === 'rec' || kind === 'signal') pair('from', sender[i] >= 0 ? link(sender[i]) : A.peer[i] >= 0 ? visible(`${who(A.peer[i])}, not in this page`) : 'the runtime');
  if (kind === 'send') { const r = receiver(i); pair('to', r >= 0 ? link(r) : A.peer[i] >= 0 ? visible(who(A.peer[i])) : 'nobody'); if (r < 0) pair('then', fateOf(i)); }
  if (kind === 'spawn' && A.peer[i] >= 0) pair('child', firstOf[A.peer[i]] >= 0 ? link(firstOf[A.peer[i]]) : visible(who(A.peer[i])));
  for (const one of uses(i) ? uses(i).split('; ') : []) pair('uses', visible(one));
  for (let k = readAt[i]; k < readAt[i + 1]; k++) pair('written by', link(readFrom[k], `${who(A.lane[readFrom[k]])} [${target(readFrom[k])}]`));
  const c = cone(i);
  pair('causes', `${plural(c.pastCount, 'action')} in ${plural(c.pastLanes, 'process')}`);
  pair('led to', c.futureCount ? `${plural(c.futureCount, 'action')} in ${plural(c.futureLanes, 'process')}` : 'nothing');
  if (!isCause(i)) pair('', 'no cause of what is explained');
  out.append(list);
  for (const r of raceAt.get(i) || []) {
    const b = button('rc' + (r.decisive ? ' d' : ''), null, () => select(r.rival));
    b.append(el('em', '', r.decisive ? 'decisive race' : 'race'));
    rich(`${nounFrom(r.rival)} could have come first`, b, false);
    out.append(b);
  }
  const box = (text, cls) => { const p = el('pre', cls, text); p.tabIndex = 0; return p; };
  if (content(i)) out.append(sub({ exit: 'Reason', output: 'Text', rec: 'Message', send: 'Message', wait: 'State' }[kind] || 'Value'), box(content(i)));
  const variables = variablesAt(i);
  if (variables.length) { const v = el('dl', 'v'); for (const [name, value] of variables) v.append(el('dt', '', name), el('dd', '', value)); out.append(sub('Variables there'), v); }
  const place = placeOf(i);
  if (place) out.append(sub(`${place.file.name}:${place.line}, ${place.fun.replace(/^[^:]*:/, '')}`), place.file.text ? sourceBox(place, i === H.target) : el('p', 'hint', place.file.own ? 'This source is too long for the page.' : 'A module of the library.'));
  out.append(sub('Replay up to here'), el('div', 'cmd', null, ...command(replayCommand(i))));
  return out;
}
const replayCommand = i => `replay --until ${target(i)} ${H.about.file}`;
function variablesAt(i) {
  if (i === H.target && H.variables.length) return H.variables;
  const at = A.variable_at, list = [];
  let low = 0, high = at.length;
  while (low < high) { const middle = (low + high) >> 1; if (at[middle] < i) low = middle + 1; else high = middle; }
  for (; low < at.length && at[low] === i; low++) list.push([TEXTS[A.variable_name[low]], TEXTS[A.variable_value[low]]]);
  return list;
}
// The source around a place; a bar tells executed lines from others. `whole`: all of it.
function sourceBox({ file, line }, failing, whole = false) {
  const box = el('pre', 'src'), ran = new Map(file.ran), from = whole ? 1 : Math.max(1, line - 5), to = whole ? file.text.length : Math.min(file.text.length, line + 5);
  box.tabIndex = 0;
  for (let n = from; n <= to; n++) {
    if (file.text[n - 1] == null) { if (file.text[n] != null) box.append(el('span', 'not', '⋯')); continue; }
    const times = ran.get(n), s = el('span', (times > 0 ? 'ran' : times === 0 ? 'not' : '') + (n === line ? ' h' + (failing ? ' fail' : '') : ''));
    if (times != null) s.title = times ? `executed ${plural(times, 'time')}` : 'not executed';
    s.append(el('i', '', n), visible(file.text[n - 1]) || ' ');
    box.append(s);
  }
  return box;
}
function sourcePanel() {
  const out = document.createDocumentFragment(), place = S.sel >= 0 ? placeOf(S.sel) : null;
  const files = FILES.filter(file => file.text), chosen = place && place.file.text ? [place.file] : [];
  for (const file of [...chosen, ...files.filter(one => !chosen.includes(one))]) {
    const ran = file.ran.filter(([, n]) => n > 0).length, box = sourceBox({ file, line: place?.file === file ? place.line : 0 }, S.sel === H.target, true);
    out.append(sub(`${file.name}: ${ran} of ${plural(file.ran.length, 'line')} executed`), box);
    if (place?.file === file) requestAnimationFrame(() => { const h = box.querySelector('.h'); if (h) box.scrollTop = h.offsetTop - box.offsetTop - 120; });
  }
  if (!files.length) out.append(el('p', 'hint', 'No source of the program is in this page.'));
  else out.append(el('p', 'hint', 'A green bar marks lines that this replay executed, a grey one lines that it did not.'));
  return out;
}
function outputPanel() {
  const out = document.createDocumentFragment();
  if (!OUTPUT.length) out.append(el('p', 'hint', 'Nothing was printed.'));
  for (const one of OUTPUT) {
    const box = el('pre', '', one.text);
    box.tabIndex = 0;
    out.append(el('div', 'out', null, el('b', '', `${one.pid} ${one.name || ''}`), ...(one.left_out ? [el('span', 'hint', ` … ${number(one.left_out)} bytes before this`)] : []), box));
  }
  return out;
}
const PANELS = [['why', 'Why'], ['action', 'Action'], ['source', 'Source'], ['output', 'Output']];
function showPanel() {
  $('tabs').replaceChildren(...PANELS.map(([key, name]) => {
    const b = button('', name, () => { S.tab = key; showPanel(); });
    b.setAttribute('role', 'tab');
    b.setAttribute('aria-selected', String(S.tab === key));
    return b;
  }));
  $('side').classList.toggle('act', S.tab === 'action' && S.sel >= 0);
  document.body.classList.toggle('sheet', S.tab === 'action' && S.sel >= 0);
  const made = !ready() || S.tab === 'why' ? whyPanel() : S.tab === 'output' ? outputPanel() : S.tab === 'source' ? sourcePanel() : S.sel >= 0 ? actionPanel(S.sel) : el('p', 'hint', 'Click an action, or walk with the arrow keys.');
  $('body').replaceChildren(made);
}

/* ---------- search ---------- */
const KIND_NAMES = { receive: 'rec', timeout: 'after', times: 'after', end: 'exit', ends: 'exit', print: 'output', prints: 'output', read: 'access', write: 'access', use: 'access', exit_signal: 'signal' };
let unknownKind = '';
function matcher(query) {
  unknownKind = '';
  const tests = query.match(/[^\s"]*"[^"]*"|\S+/g) || [];
  const made = tests.map(word => {
    const field = /^(kind|process|pid|module|file|line):(.*)$/i.exec(word), given = (field ? field[2] : word).replace(/"/g, '');
    let text = given.toLowerCase();
    switch (field?.[1].toLowerCase()) {
      case 'kind':
        if (!KINDS.some(kind => kind.startsWith(text)) && KIND_NAMES[text]) text = KIND_NAMES[text];
        if (!KINDS.some(kind => kind.startsWith(text))) unknownKind = given;
        return i => kindOf(i).startsWith(text);
      case 'process': case 'pid': return i => who(A.lane[i]).toLowerCase().includes(text);
      case 'module': return i => (placeOf(i)?.fun.split(':')[0] || '').toLowerCase().includes(text);
      case 'file': case 'line': return i => placeText(i).toLowerCase().includes(text);
      default: return pattern(field ? text : word.replace(/"/g, ''));
    }
  });
  return i => made.every(test => test(i));
}
// `_` and variables stand for any term: {put,_}, {put,Key}.
function pattern(given) {
  const text = given.replace(/(^|[{[(,|])[A-Z_][\w@]*(?=[,}\])|]|$)/g, (found, start) => found === given && found !== '_' ? found : start + '_').toLowerCase();
  if (/[{[(,]_|_[,}\])]/.test(text)) {
    const source = text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/(^|[{[(,\\])_(?=$|[\\,)])/g, '$1.*?');
    try { const expression = new RegExp(source); return i => expression.test(content(i).toLowerCase()); } catch { /* searched as text */ }
  }
  const inText = new Map();
  const has = at => { let known = inText.get(at); if (known == null) inText.set(at, known = TEXTS[at].toLowerCase().includes(text)); return known; };
  return i => (A.content[i] >= 0 && has(A.content[i])) || (A.uses[i] >= 0 && has(A.uses[i])) || L[A.lane[i]].name.toLowerCase().includes(text) || target(i).includes(text) || WORD[kindOf(i)]?.includes(text);
}
function search(query) {
  S.hits = []; S.hit = -1;
  if (query.trim()) { const test = matcher(query.trim()); for (let i = 0; i < N; i++) if (test(i)) S.hits.push(i); }
  S.hitSet = S.hits.length ? new Set(S.hits) : null;
  $('hits').textContent = query.trim() ? plural(S.hits.length, 'hit') : '';
  $('kinds').hidden = !unknownKind || !query.trim();
  if (unknownKind) $('kinds').textContent = visible(`No kind ${unknownKind} is here. There are: ${[...KINDS].sort().join(', ')}`);
  if (!S.hits.length) S.only = false;
  if (S.only) refilter(); else { showTools(); showRail(); draw(true); }
}
function nextHit(d) {
  if (!S.hits.length) return;
  S.hit = (S.hit + d + S.hits.length) % S.hits.length;
  select(S.hits[S.hit]);
  $('hits').textContent = `${number(S.hit + 1)} of ${number(S.hits.length)}`;
}

/* ---------- keys, mouse, printing ---------- */
const KEYS = [['↑ ↓', 'previous, next action of the process'], ['← →', 'along a message: to its sending, to its receipt; to the parent, to the child'], ['j k', 'next, previous row'], ['[ ]', 'previous, next step of the story'], ['e', 'what is explained'], ['r', 'the decisive race'], ['/  n N', 'search; next, previous hit'], ['1 2 3', 'story, causes, all'], ['o', 'open the next fold'], ['f', 'unfold, fold'], ['p', 'only this process, all processes'], ['c', 'copy the command to replay up to here'], ['t', 'dark, light'], ['Esc', 'back to the story']];
const walkable = i => i >= 0 && rowOf[i] >= 0 && inRow(rowOf[i], i);
function along(i, graph) { do i = graph[i]; while (i >= 0 && !walkable(i)); return i; }
function leftOf(i) {
  if (sender[i] >= 0) return sender[i];
  if (readAt[i + 1] > readAt[i]) return readFrom[readAt[i]];
  return along(i, before) < 0 ? birth[A.lane[i]] : -1;
}
function rightOf(i) {
  if (kindOf(i) === 'spawn' && A.peer[i] >= 0) { const first = firstOf[A.peer[i]]; return first < 0 || walkable(first) ? first : along(first, after); }
  if (receiver(i) >= 0) return receiver(i);
  return writeAt[i + 1] > writeAt[i] ? writeTo[writeAt[i]] : -1;
}
function decisive() {
  const first = H.late.find(one => one.first);
  const order = [...H.order, ...H.alone];
  return first ? first.late : H.races.length && (H.races[0].decisive || !order.length) ? H.races[0].at : order.length ? order[0] : -1;
}
function openFold(row) {
  const it = items.find(one => one.from != null && one.from > row) || items.find(one => one.from != null);
  if (it) openItem(it, false);
}
// A long fold opens forty rows at a time, from its end: what is nearer to the next shown row.
function openItem(it, whole) {
  const many = it.to - it.from > 60 && !whole;
  for (let k = many ? it.to - 40 : Math.max(it.from, it.to - MOST); k < it.to; k++) S.open.add(k);
  render();
}
function storyStep(d) {
  const list = [...new Set(H.steps.map(one => one.a).filter(i => i >= 0))], at = list.indexOf(S.sel), to = at < 0 ? list[0] : list[at + d];
  if (to != null) select(to, { tab: 'why' });
}
function onKey(event) {
  if (!ready() || event.ctrlKey || event.metaKey || event.altKey || $('legend').open || event.target.tagName === 'INPUT') return;
  const none = S.sel < 0, i = none ? (H.target >= 0 ? H.target : N - 1) : S.sel;
  let to = null;
  switch (event.key) {
    case 'ArrowUp': to = none ? i : along(i, before); break;
    case 'ArrowDown': to = none ? i : along(i, after); break;
    case 'ArrowLeft': to = none ? i : leftOf(i); break;
    case 'ArrowRight': to = none ? i : rightOf(i); break;
    case 'j': case 'k': { const row = rowOf[i] + (none ? 0 : event.key === 'j' ? 1 : -1); if (row >= 0 && row < rowCount) to = rowA[row]; break; }
    case ']': storyStep(1); break;
    case '[': storyStep(-1); break;
    case 'e': to = H.target; break;
    case 'r': to = decisive(); break;
    case '/': event.preventDefault(); $('query').focus(); return;
    case 'n': nextHit(1); return;
    case 'N': nextHit(-1); return;
    case '1': setView('story'); return;
    case '2': setView('causes'); return;
    case '3': setView('all'); return;
    case 'o': openFold(S.sel >= 0 ? rowOf[S.sel] : -1); return;
    case 'f': if (!$('unfold').hidden) $('unfold').click(); return;
    case 'p': if (S.lanes.size) { S.lanes.clear(); refilter(); } else if (S.sel >= 0) toggleLane(A.lane[S.sel]); return;
    case 't': $('theme').click(); return;
    case 'c': copyText($('command').lastChild, S.sel >= 0 ? replayCommand(S.sel) : H.about.command); return;
    case '?': $('help').click(); return;
    case 'Escape': select(-1); return;
    default: return;
  }
  if (to != null && to >= 0) { select(to); event.preventDefault(); } else if (event.key.startsWith('Arrow')) event.preventDefault();
}
function actionAt(event) {
  const g = event.target.closest?.('[data-r]');
  if (!g) return -1;
  const [i, j = -1] = rowActs(+g.dataset.r), x = event.clientX - picture.getBoundingClientRect().left;
  return j < 0 || Math.abs(x - laneX[A.lane[i]]) <= Math.abs(x - laneX[A.lane[j]]) ? i : j;
}
const isDark = () => { const theme = document.documentElement.dataset.theme; return theme ? theme === 'dark' : matchMedia('(prefers-color-scheme:dark)').matches; };
const nameTheme = () => { $('theme').textContent = isDark() ? 'Light' : 'Dark'; };
// On paper: the same picture in sheets that are not cut in the middle of a row, each with the names of its lanes.
function printSheets() {
  printing = true;
  layout();
  const box = el('div', 'sheets'), SHEET = 900, HEAD = 34;
  for (let from = 0; from < items.length && box.children.length < 40;) {
    let to = from;
    while (to < items.length && items[to].y + items[to].h - items[from].y <= SHEET) to++;
    to = Math.max(to, from + 1);
    const layers = layer(), y0 = items[from].y, h = items[to - 1].y + items[to - 1].h - y0;
    const sheet = svgEl('svg', { viewBox: `0 ${y0 - HEAD} ${width} ${h + HEAD}` });
    for (const { p, all, x } of lanes) sheet.append(svgText({ class: 'lb w', x, y: y0 - 20, 'text-anchor': 'middle' }, p < 0 ? 'others' : shortName(p)), svgText({ class: 'wh', x: x + 16, y: y0 - 8 }, p < 0 ? '' : all.length > 1 ? '×' + all.length : L[p].pid));
    drawItems(layers, from, to);
    sheet.append(layers.back, layers.life, layers.edge, layers.row);
    box.append(sheet);
    from = to;
  }
  $('plot').after(box);
  S.hov = -1; S.tab = 'why';
  showPanel();
}
function afterPrint() { printing = false; for (const box of document.querySelectorAll('.sheets')) box.remove(); render(); }
function showLegend() {
  const samples = [['spawn', 'spawns'], ['send', 'sends'], ['rec', 'receives'], ['after', 'a receive times out'], ['access', 'reads something shared'], ['output', 'prints'], ['signal', 'ended by an exit signal'], ['exit', 'ends'], ['wait', 'waits for ever']];
  const put = (drawn, text) => $('marks').append(el('div', '', null, svgEl('svg', { width: 18, height: 18, 'aria-hidden': 'true' }, drawn), text));
  for (const [kind, text] of samples) put(glyph(kind, 9, 9), text);
  put(glyph('access', 9, 9, { writes: true }), 'writes something shared');
  put(glyph('exit', 9, 9, { bad: true }), 'fails');
  put(glyph('observe', 9, 9), 'another step, such as looking at a process');
  const line = svgEl('g'), arrives = svgEl('g'), fold = svgEl('rect', { class: 'act', x: 7, y: 3, width: 3, height: 12, rx: 1.5 });
  line.append(svgEl('path', { class: 'e', d: 'M0 9h10' }), svgEl('circle', { class: 'm', cx: 13, cy: 9, r: 3 }));
  arrives.append(svgEl('path', { class: 'e', d: 'M0 9h10' }), arrowHead(17, 9, 1, ' hid'));
  put(line, 'message that is never received');
  put(arrives, 'message that is received in a row that is not shown');
  put(svgEl('g', { class: 'fold' }, fold), 'in a fold: this process acts there');
  for (const [cls, d, text] of [['e', 'M0 9h18', 'message; down along a process: sent, not yet received'], ['e st', 'M0 9h18', 'step of the story'], ['e race', 'M0 9h18', 'could have come first'], ['e acc', 'M0 9h18', 'wrote what was read; ended it'], ['tick', 'M5 6h8M5 9h8M5 12h8', 'steps of the library, folded']]) put(svgEl('path', { class: cls, d }), text);
  for (const [keys, text] of KEYS) { const dt = el('dt'); for (const key of keys.split(/ +/)) dt.append(el('kbd', '', key), ' '); $('keys').append(dt, el('dd', '', text)); }
}
function listen() {
  picture.addEventListener('pointermove', event => { if (event.pointerType !== 'touch') hover(actionAt(event)); });
  picture.addEventListener('pointerleave', () => hover(-1));
  picture.addEventListener('click', event => {
    const fold = event.target.closest('[data-f]');
    if (fold) { openItem(items.find(it => it.from === +fold.dataset.f), event.shiftKey); return; }
    const i = actionAt(event);
    if (i >= 0) select(i, { scroll: false });
  });
  $('unfold').onclick = () => { S.all = !S.all; S.open.clear(); render(); };
  $('only').onclick = () => { S.only = !S.only; refilter(); };
  $('query').oninput = event => search(event.target.value);
  $('query').onkeydown = event => {
    if (event.key === 'Enter') { event.preventDefault(); nextHit(event.shiftKey ? -1 : 1); }
    if (event.key === 'Escape') { event.target.value = ''; S.only = false; search(''); refilter(); $('plot').focus(); }
    event.stopPropagation();
  };
  $('close').onclick = () => select(-1, { scroll: false });
  addEventListener('keydown', onKey);
  addEventListener('scroll', () => { draw(); moveRail(); }, { passive: true });
  $('plot').addEventListener('scroll', slide, { passive: true });
  let timer;
  addEventListener('resize', () => { clearTimeout(timer); timer = setTimeout(render, 60); });
  addEventListener('beforeprint', printSheets);
  addEventListener('afterprint', afterPrint);
}

/* ---------- start ---------- */
$('theme').onclick = () => { document.documentElement.dataset.theme = isDark() ? 'light' : 'dark'; nameTheme(); };
$('help').onclick = () => $('legend').showModal();
$('shut').onclick = () => $('legend').close();
$('legend').onclick = event => { if (event.target === $('legend')) $('legend').close(); };
nameTheme();
showLegend();
showPanel();
async function start() {
  await new Promise(done => setTimeout(done));
  await unpack();
  buildGraph();
  mapStory();
  findGhosts();
  canvas.font = '11.5px ' + getComputedStyle(document.documentElement).getPropertyValue('--mono');
  charWidth = canvas.measureText('mmmmmmmmmm').width / 10 || 7;
  buildRows();
  if (rowCount > 200) { S.view = 'story'; buildRows(); }
  render();
  listen();
  const name = decodeURIComponent(location.hash.slice(1)), at = name ? indexOf(name) : -1;
  showPanel();
  if (at >= 0) select(at);
  document.documentElement.dataset.ready = Math.round(performance.now() - started);
}
start().catch(error => {
  $('plot').append(el('p', 'note', typeof DecompressionStream === 'undefined' ? 'This browser is too old for the diagram. Chrome 103, Firefox 113, Safari 16.4 and newer show it. The story beside it is complete.' : `The diagram cannot be shown: ${error.message}`));
});

// Texts with names of actions, terms and commands in them.
import { button, element, visible } from './elements.js';
import { commands } from './state.js';

const TARGET_KINDS = 'rec|send|sent|spawn|exit|signal|timeout|output|event|end';
// Code in quotes; a target in brackets, [rec:12, bank.erl:7]; a reference or pid; where a term begins; a text or a quoted atom;
// a target.
const TOKENS = new RegExp(
  [
    '\x60(?<code>[^\x60]+)\x60',
    `\\[(?<target>(?:${TARGET_KINDS}|start|halt|test)(?::[^\\],\\s]+)?)(?:, (?<place>[^\\]]*))?\\]`,
    '(?<id>#Ref<[\\d.]+>|<?\\d+\\.\\d+\\.\\d+(?:/\\d+)?>?)',
    '(?<open>[{[])',
    '(?<quoted>"(?:[^"\\\\]|\\\\.)*"|(?<![\\w>)\\]}])\'(?:[^\'\\\\]|\\\\.)+\')',
    `\\b(?<bare>(?:${TARGET_KINDS}):(?:<?\\d+\\.\\d+\\.\\d+>?(?:/\\d+)?|\\d+\\b))`,
  ].join('|'),
  'g'
);

// The end of a term that begins here: brackets in texts do not count, and a term that was cut ends at its ….
function termEnd(text, from) {
  let depth = 0;
  let quote = '';
  for (let end = from; end < text.length; end++) {
    const c = text[end];
    if (c === '…' && !/[\]},|>"']/.test(text[end + 1] || ' ')) return end + 1;
    if (quote) {
      if (c === '\\') end++;
      else if (c === quote) quote = '';
    } else if (c === '"' || c === "'") quote = c;
    else if (c === '{' || c === '[') depth++;
    else if ((c === '}' || c === ']') && !--depth) return end + 1;
  }
  return text.length;
}

// Names of targets become links, if links are wanted; terms and pids are set as code.
export function richText(text, parent, linked = true) {
  const target = (name, shown) => {
    if (!linked) return element('code', '', shown);
    return button('lnk mono', shown, event => {
      event.stopPropagation();
      commands.goTo(name, event.currentTarget);
    });
  };
  let at = 0;
  for (let found; (found = TOKENS.exec(text)); TOKENS.lastIndex = at) {
    const { code, target: name, place, open, bare } = found.groups;
    if (found.index > at) parent.append(visible(text.slice(at, found.index)));
    at = TOKENS.lastIndex;
    if (open != null) {
      at = termEnd(text, found.index);
      parent.append(element('code', '', text.slice(found.index, at)));
    } else if (name != null) {
      const link = target(name, place || name);
      if (linked) link.title = visible(name);
      parent.append(link);
    } else parent.append(bare != null ? target(bare, bare) : element('code', '', code ?? found[0]));
  }
  if (text.length > at) parent.append(visible(text.slice(at)));
  return parent;
}

export function copyText(copyButton, text) {
  const name = copyButton.textContent;
  const done = () => {
    copyButton.textContent = 'Copied';
    setTimeout(() => {
      copyButton.textContent = name;
    }, 1200);
  };
  const copyFromArea = () => {
    const area = document.createElement('textarea');
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand('copy');
    area.remove();
    done();
  };
  if (navigator.clipboard) navigator.clipboard.writeText(text).then(done, copyFromArea);
  else copyFromArea();
}

export function commandWithCopy(text) {
  const code = element('code', '', text);
  code.tabIndex = 0;
  return [code, button('', 'Copy', event => copyText(event.currentTarget, text))];
}

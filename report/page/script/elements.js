// Building blocks of the document. Texts of a trace reach it through textContent only.

const SVG = 'http://www.w3.org/2000/svg';
// What a terminal or the bidi algorithm would obey is shown instead.
const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g;

export const byId = id => document.getElementById(id);
export const visible = text => String(text ?? '').replace(HIDDEN, c => '\\x{' + c.codePointAt(0).toString(16) + '}');

export function element(tag, className, text, ...children) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text != null) made.textContent = visible(text);
  made.append(...children);
  return made;
}

export function svg(tag, attributes, ...children) {
  const made = document.createElementNS(SVG, tag);
  for (const name in attributes) if (attributes[name] != null) made.setAttribute(name, attributes[name]);
  made.append(...children);
  return made;
}

export const svgPath = (className, d) => svg('path', { class: className, d });

export function svgText(attributes, text) {
  const made = svg('text', attributes);
  made.textContent = visible(text);
  return made;
}

export function button(className, text, onClick) {
  const made = element('button', className, text);
  made.type = 'button';
  made.onclick = onClick;
  return made;
}

export const number = n => n.toLocaleString('en');
export const plural = (n, noun) => `${number(n)} ${noun}${n === 1 ? '' : noun.endsWith('s') ? 'es' : 's'}`;
// The whole term is one click away.
export const brief = (text, most = 280) => (text.length > most ? text.slice(0, most - 1) + '…' : text);

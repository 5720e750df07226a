// Parses sequence diagrams with Mermaid.
import { readFileSync } from 'node:fs';
import { JSDOM } from 'jsdom';

const dom = new JSDOM('');
globalThis.window = dom.window;
globalThis.document = dom.window.document;
const mermaid = (await import('mermaid')).default;
for (const file of process.argv.slice(2)) {
  const { diagramType } = await mermaid.parse(readFileSync(file, 'utf8'));
  if (diagramType !== 'sequence') throw new Error(`${file}: ${diagramType}`);
}
console.log(`${process.argv.length - 2} diagrams`);

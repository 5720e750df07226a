// Checks trace events against the types of @tracerbench/trace-event, with TypeScript's compiler; and that arrows begin and end.
import { readFileSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';

const PHASES = { M: 'TRACE_EVENT_PHASE_METADATA', X: 'TRACE_EVENT_PHASE_COMPLETE', s: 'TRACE_EVENT_PHASE_FLOW_BEGIN', f: 'TRACE_EVENT_PHASE_FLOW_END' };
let all = 0;
for (const file of process.argv.slice(2)) {
  const { traceEvents } = JSON.parse(readFileSync(file, 'utf8'));
  all += traceEvents.length;
  const flows = new Map();
  for (const { ph, id } of traceEvents) {
    if (ph === 's' || ph === 'f') flows.set(id, (flows.get(id) ?? '') + ph);
  }
  for (const [id, both] of flows) {
    if (both !== 'sf') throw new Error(`${file}: the arrow ${id} is ${both}`);
  }
  const literal = JSON.stringify(traceEvents).replace(/"ph":"([MXsf])"/g, (_, ph) => `"ph":Constants.${PHASES[ph]}`);
  writeFileSync('events.ts', `import { Constants, type TraceEvent } from '@tracerbench/trace-event';\nexport const events: TraceEvent[] = ${literal};\n`);
  const options = ['--strict', '--noEmit', '--skipLibCheck', '--moduleResolution', 'node', 'events.ts'];
  const { status, stdout } = spawnSync('node', ['node_modules/typescript/bin/tsc', ...options], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${file}: ${stdout.slice(0, 2000)}`);
}
console.log(`${process.argv.length - 2} timelines, ${all} events`);

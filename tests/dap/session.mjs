// A whole session of VS Code's own test client (@vscode/debugadapter-testsupport) with `replay dap`: node session.mjs REPLAY TRACE SOURCE
import { createRequire } from "node:module";
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import path from "node:path";

const require = createRequire(path.join(process.env.TOOLS ?? process.cwd(), "package.json"));
const { DebugClient } = require("@vscode/debugadapter-testsupport");
const [replay, trace, source] = process.argv.slice(2);

// The client would start the adapter without arguments.
const client = new DebugClient(replay, "", "retell");
const adapter = spawn(replay, ["dap"], { stdio: ["pipe", "pipe", "inherit"] });
client.connect(adapter.stdout, adapter.stdin);
client.defaultTimeout = 60_000;

const stopped = (reason) => client.waitForEvent("stopped").then((event) => {
  assert.equal(event.body.reason, reason, JSON.stringify(event.body));
  return event.body;
});
const frames = async (threadId) => (await client.stackTraceRequest({ threadId })).body.stackFrames;
const values = async (frame) => {
  const { scopes } = (await client.scopesRequest({ frameId: frame.id })).body;
  const { variables } = (await client.variablesRequest({ variablesReference: scopes[0].variablesReference })).body;
  return Object.fromEntries(variables.map((one) => [one.name, one.value]));
};

const { body } = await client.initializeRequest();
assert.ok(body.supportsStepBack && body.supportsConditionalBreakpoints);
await Promise.all([client.waitForEvent("initialized"), client.launch({ program: trace })]);
const line = 13;
const set = await client.setBreakpointsRequest({ source: { path: path.resolve(source) }, breakpoints: [{ line }] });
assert.deepEqual(set.body.breakpoints.map((one) => [one.verified, one.line]), [[true, line]]);
await client.setExceptionBreakpointsRequest({ filters: ["error", "exit", "throw"] });
await Promise.all([client.configurationDoneRequest(), stopped("entry")]);

// On to the failure, over each visit of the line, and back the same way.
let visits = 0;
let stop;
for (;;) {
  const [, event] = await Promise.all([client.continueRequest({ threadId: 1 }), client.waitForEvent("stopped")]);
  stop = event.body;
  if (stop.reason !== "breakpoint") break;
  visits += 1;
  const [top] = await frames(stop.threadId);
  assert.equal(top.line, line);
  assert.ok("N" in (await values(top)));
}
assert.equal(stop.reason, "exception");
const [top] = await frames(stop.threadId);
assert.equal((await values(top)).Left, "0");
for (let i = 0; i < visits; i += 1) {
  await Promise.all([client.customRequest("reverseContinue", { threadId: stop.threadId }), stopped("breakpoint")]);
}
await Promise.all([client.customRequest("reverseContinue", { threadId: stop.threadId }), stopped("beginning of the run")]);
await client.disconnectRequest();
console.log(`ok: ${visits} visits, the failure, and back`);
adapter.kill();

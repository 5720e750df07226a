// Starts `replay dap` for VS Code, and gives its own requests a place in the list of commands.
const path = require("node:path");
const vscode = require("vscode");

/** The folder where `tracer test` keeps the traces of failed tests. */
const TRACES = "_traces";

function replay() {
  return vscode.workspace.getConfiguration("retell").get("replay");
}

/** Asks the session for one of our own requests, with a target that a person types. */
async function ask(request, prompt, value) {
  const session = vscode.debug.activeDebugSession;
  if (session?.type !== "retell") return;
  const target = await vscode.window.showInputBox({ prompt, value });
  if (!target) return;
  try {
    await session.customRequest(request, { target });
  } catch (error) {
    vscode.window.showErrorMessage(error.message);
  }
}

async function why() {
  const session = vscode.debug.activeDebugSession;
  if (session?.type !== "retell") return;
  try {
    const { text } = await session.customRequest("retell/why", {});
    const document = await vscode.workspace.openTextDocument({ content: text });
    await vscode.window.showTextDocument(document, { preview: true, viewColumn: vscode.ViewColumn.Beside });
  } catch (error) {
    vscode.window.showErrorMessage(error.message);
  }
}

/** The kept traces, newest first. */
async function traces() {
  const files = await vscode.workspace.findFiles(`**/${TRACES}/**/*.{trace,bin}`, undefined, 1000);
  const dated = await Promise.all(files.map(async (file) => ({ file, when: (await vscode.workspace.fs.stat(file)).mtime })));
  return dated.sort((a, b) => b.when - a.when).map(({ file }) => file);
}

function debug(program) {
  return vscode.debug.startDebugging(undefined, {
    type: "retell",
    request: "launch",
    name: path.basename(program),
    program,
    until: "error",
  });
}

async function choose() {
  const files = await traces();
  if (files.length === 0) {
    vscode.window.showInformationMessage(`There is no trace in a folder ${TRACES}: \`tracer test\` keeps those of failed tests there.`);
    return;
  }
  const items = files.map((file) => ({ label: path.basename(file.fsPath), description: vscode.workspace.asRelativePath(file), file }));
  const chosen = await vscode.window.showQuickPick(items, { placeHolder: "Which run?" });
  if (chosen) await debug(chosen.file.fsPath);
}

/** Over each test that has a trace: "replay the failure". */
const lenses = {
  async provideCodeLenses(document) {
    const files = await traces();
    if (files.length === 0) return [];
    const found = [];
    for (let i = 0; i < document.lineCount; i += 1) {
      const text = document.lineAt(i).text;
      const name = /^([a-z][A-Za-z0-9_@]*_test_?)\(\)/.exec(text)?.[1] ?? /^\s*test "([^"]+)"/.exec(text)?.[1];
      const part = name?.replace(/[^A-Za-z0-9]+/g, "_");
      const file = part && files.find((one) => path.basename(one.fsPath).replace(/[^A-Za-z0-9]+/g, "_").includes(part));
      if (file) {
        const command = { title: "Replay the failure", command: "retell.debug", arguments: [file.fsPath] };
        found.push(new vscode.CodeLens(new vscode.Range(i, 0, i, 0), command));
      }
    }
    return found;
  },
};

exports.activate = (context) => {
  context.subscriptions.push(
    vscode.debug.registerDebugAdapterDescriptorFactory("retell", {
      createDebugAdapterDescriptor: () => new vscode.DebugAdapterExecutable(replay(), ["dap"]),
    }),
    vscode.commands.registerCommand("retell.until", () => ask("retell/until", "Go forward to, with its causes only", "error")),
    vscode.commands.registerCommand("retell.undo", () => ask("retell/undo", "Undo, with its consequences", "rec:1")),
    vscode.commands.registerCommand("retell.why", why),
    vscode.commands.registerCommand("retell.debug", (program) => (program ? debug(program) : choose())),
    vscode.languages.registerCodeLensProvider([{ language: "erlang" }, { language: "elixir" }], lenses),
  );
};

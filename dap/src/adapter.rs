//! Requests, and what is answered. One request is done at a time, in the order in which they come.

use std::path::PathBuf;

use debugger::{Activation, Debugger, Failing, Halt, HeldValue, HitRule, Report, ValueLine, Way, Wish};
use log_format::Pid;
use rustc_hash::FxHashMap;
use serde_json::{Map, Value, json};
use session::conditions::Conditions;
use session::player::places::Reach;
use session::subject::ShownBounds;
use session::{ProcessState, Stopped, Target};

use crate::backend::{Backend, Launch, Options};
use crate::refusal::Refusal;
use crate::sources::ProgramFiles;

/// Limits: processes in the list of threads; activations and values that are sent if the client names no number; signals of a mailbox.
const THREADS: usize = 100;
const FRAMES: usize = 200;
const VALUES: usize = 1000;
const MAILBOX: usize = 1000;
/// Characters of a message in a mailbox.
const CHARS: usize = 500;
/// The number of the thread that stands for all that are not listed.
const MORE_THREADS: i64 = i32::MAX as i64;

/// What a reference to variables stands for.
#[derive(Clone, Copy)]
enum Reference {
    Locals(Pid, usize),
    Mailbox(Pid),
    Dictionary(Pid),
    Process(Pid),
    Inside(HeldValue),
}

/// A session that a client has launched.
struct Launched {
    debugger: Debugger,
    files: ProgramFiles,
    /// Activations and references that the client knows, by number from 1. They are forgotten when the session moves.
    frames: Vec<(Pid, usize)>,
    references: Vec<Reference>,
    /// Lines that the client may go to, by number from 1.
    gotos: Vec<(String, u64)>,
    /// Breakpoints of each file, and the others.
    by_file: FxHashMap<String, Vec<u32>>,
    functions: Vec<u32>,
    /// The reason of the failure that the session stands before.
    failure: Option<String>,
    /// Where the session goes first.
    until: Option<String>,
    stop_on_entry: bool,
    begun: bool,
}

/// The adapter of one client.
pub(crate) struct Adapter<'b> {
    backend: &'b dyn Backend,
    options: &'b Options,
    program: PathBuf,
    seq: u64,
    launched: Option<Launched>,
    over: bool,
    out: Vec<Value>,
}

/// What a request comes to: the body of its response, and what is told after it.
type Done = Result<Answer, Refusal>;

#[derive(Default)]
struct Answer {
    body: Value,
    /// Events after the response: names and bodies.
    after: Vec<(&'static str, Value)>,
}

impl From<Value> for Answer {
    fn from(body: Value) -> Self {
        Self {
            body,
            after: Vec::new(),
        }
    }
}

impl<'b> Adapter<'b> {
    pub(crate) fn new(backend: &'b dyn Backend, options: &'b Options) -> Self {
        Self {
            backend,
            options,
            program: PathBuf::new(),
            seq: 0,
            launched: None,
            over: false,
            out: Vec::new(),
        }
    }

    /// Has the client said that it is done?
    pub(crate) const fn is_over(&self) -> bool {
        self.over
    }

    /// What is said of a message that is not JSON.
    pub(crate) fn not_json(&mut self, why: &str) -> Vec<Value> {
        self.event(
            "output",
            json!({"category": "stderr", "output": format!("a message of the editor is not JSON: {why}\n")}),
        );
        std::mem::take(&mut self.out)
    }

    /// Does a request. Returns the messages to be sent.
    pub(crate) fn handle(&mut self, request: &Value) -> Vec<Value> {
        let command = request["command"].as_str().unwrap_or_default().to_owned();
        let is_request = request["type"].as_str().is_none_or(|kind| kind == "request");
        if !is_request {
            return Vec::new();
        }
        let done = self.request(&command, &request["arguments"]);
        let mut response = json!({
            "type": "response",
            "request_seq": request["seq"].as_u64().unwrap_or(0),
            "command": command,
            "success": done.is_ok(),
        });
        let mut after = Vec::new();
        match done {
            Ok(answer) => {
                if !answer.body.is_null() {
                    response["body"] = answer.body;
                }
                after = answer.after;
            }
            Err(Refusal(message)) => {
                response["message"] = json!(message);
                response["body"] = json!({"error": {"id": 1, "format": message, "showUser": true}});
            }
        }
        self.send(response);
        for (name, body) in after {
            self.event(name, body);
        }
        std::mem::take(&mut self.out)
    }

    fn send(&mut self, mut message: Value) {
        self.seq += 1;
        message["seq"] = json!(self.seq);
        self.out.push(message);
    }

    fn event(&mut self, name: &str, body: Value) {
        let mut event = json!({"type": "event", "event": name});
        if !body.is_null() {
            event["body"] = body;
        }
        self.send(event);
    }

    fn launched(&mut self) -> Result<&mut Launched, Refusal> {
        self.launched.as_mut().ok_or_else(|| "nothing is launched yet".into())
    }

    fn request(&mut self, command: &str, arguments: &Value) -> Done {
        match command {
            "initialize" => Ok(capabilities().into()),
            "launch" => self.launch(arguments),
            "attach" => {
                Err("a replay has no program to attach to: use a launch request, with the trace as `program`".into())
            }
            "disconnect" | "terminate" => {
                self.over = command == "disconnect";
                let mut answer = Answer::default();
                answer.after.push(("terminated", Value::Null));
                Ok(answer)
            }
            "cancel" | "setDebuggerProperty" => Ok(Answer::default()),
            "retell/why" => {
                let target = arguments["target"].as_str().unwrap_or("error").to_owned();
                let why = self.why(&target)?;
                Ok(json!({"text": why}).into())
            }
            "evaluate" => self.evaluate(arguments),
            _ => self.launched()?.request(command, arguments),
        }
    }

    fn launch(&mut self, arguments: &Value) -> Done {
        if let Some(token) = &self.options.token
            && arguments["token"].as_str() != Some(token)
        {
            self.over = true;
            return Err("the launch request has not the token that `replay dap --listen` printed".into());
        }
        let Some(program) = arguments["program"].as_str().or_else(|| arguments["trace"].as_str()) else {
            return Err("expected `program`, the path of a trace or of a FILE.erl".into());
        };
        let launch = Launch {
            program: PathBuf::from(program),
            seed: arguments["seed"].as_u64(),
        };
        let session = self.backend.open(&launch)?;
        let mut roots: Vec<PathBuf> = Vec::new();
        for root in arguments["sourceRoots"]
            .as_array()
            .into_iter()
            .flatten()
            .chain([&arguments["cwd"]])
        {
            roots.extend(root.as_str().map(PathBuf::from));
        }
        roots.extend(std::env::current_dir());
        roots.extend(launch.program.parent().map(PathBuf::from));
        let files = ProgramFiles::of(&session, roots);
        let debugger = Debugger::new(session, self.options.checkpoint_memory)?;
        self.program = launch.program;
        self.launched = Some(Launched {
            debugger,
            files,
            frames: Vec::new(),
            references: Vec::new(),
            gotos: Vec::new(),
            by_file: FxHashMap::default(),
            functions: Vec::new(),
            failure: None,
            until: arguments["until"].as_str().map(str::to_owned),
            stop_on_entry: arguments["stopOnEntry"].as_bool().unwrap_or(true),
            begun: false,
        });
        let mut answer = Answer::default();
        answer.after.push(("initialized", Value::Null));
        Ok(answer)
    }

    fn why(&mut self, target: &str) -> Result<String, Refusal> {
        let (backend, program) = (self.backend, self.program.clone());
        let launched = self.launched()?;
        let target: Target = target.parse()?;
        Ok(backend.why(launched.debugger.session(), &program, &target)?)
    }

    /// An expression, or in the console one of our own commands.
    fn evaluate(&mut self, arguments: &Value) -> Done {
        let typed = arguments["expression"].as_str().unwrap_or_default().trim().to_owned();
        let (word, rest) = typed.split_once(char::is_whitespace).unwrap_or((typed.as_str(), ""));
        let is_console = arguments["context"].as_str() == Some("repl");
        match word {
            "why" if is_console => {
                let why = self.why(if rest.is_empty() { "error" } else { rest.trim() })?;
                Ok(json!({"result": why, "variablesReference": 0}).into())
            }
            "until" | "undo" if is_console && !rest.is_empty() => {
                let target = json!({"target": rest.trim()});
                let mut answer = self.launched()?.request(&format!("retell/{word}"), &target)?;
                answer.body = json!({"result": answer.body["text"], "variablesReference": 0});
                Ok(answer)
            }
            _ => self.launched()?.evaluate(&typed, arguments["frameId"].as_u64()),
        }
    }
}

/// What the adapter can do.
fn capabilities() -> Value {
    let filter = |filter: &str, label: &str, on: bool| json!({"filter": filter, "label": label, "default": on});
    json!({
        "supportsConfigurationDoneRequest": true,
        "supportsFunctionBreakpoints": true,
        "supportsConditionalBreakpoints": true,
        "supportsHitConditionalBreakpoints": true,
        "supportsLogPoints": true,
        "supportsEvaluateForHovers": true,
        "supportsStepBack": true,
        "supportsGotoTargetsRequest": true,
        "supportsCompletionsRequest": true,
        "supportsRestartRequest": true,
        "supportsTerminateRequest": true,
        "supportsDelayedStackTraceLoading": true,
        "supportsLoadedSourcesRequest": true,
        "supportsBreakpointLocationsRequest": true,
        "supportsExceptionInfoRequest": true,
        "exceptionBreakpointFilters": [
            filter("error", "Processes that end by an error", true),
            filter("exit", "Processes that end by exit, with a reason that is a failure", true),
            filter("throw", "Processes that end by a throw", true),
        ],
    })
}

impl Launched {
    fn request(&mut self, command: &str, arguments: &Value) -> Done {
        match command {
            "setBreakpoints" => self.set_breakpoints(arguments),
            "setFunctionBreakpoints" => self.set_function_breakpoints(arguments),
            "setExceptionBreakpoints" => self.set_exception_breakpoints(arguments),
            "breakpointLocations" => self.breakpoint_locations(arguments),
            "configurationDone" => self.begin(),
            "restart" => {
                self.debugger.restart()?;
                self.begun = false;
                self.begin()
            }
            "threads" => self.threads(),
            "stackTrace" => self.stack_trace(arguments),
            "scopes" => self.scopes(arguments),
            "variables" => self.variables(arguments),
            "continue" => {
                let mut answer = self.run(Way::Forward)?;
                answer.body = json!({"allThreadsContinued": true});
                Ok(answer)
            }
            "reverseContinue" => self.run(Way::Back),
            "next" => self.step(arguments, Reach::Over, Way::Forward),
            "stepIn" => self.step(arguments, Reach::Into, Way::Forward),
            "stepOut" => self.step(arguments, Reach::Out, Way::Forward),
            "stepBack" => self.step(arguments, Reach::Over, Way::Back),
            // The session moves only while a request is done.
            "pause" => Ok(self.stopped("pause", None, None)),
            "gotoTargets" => self.goto_targets(arguments),
            "goto" => self.goto(arguments),
            "exceptionInfo" => self.exception_info(),
            "loadedSources" => Ok(json!({"sources": self.files.list()}).into()),
            "source" => self.source(arguments),
            "completions" => self.completions(arguments),
            "retell/until" => self.until(arguments["target"].as_str().unwrap_or_default()),
            "retell/undo" => {
                let target: Target = arguments["target"].as_str().unwrap_or_default().parse()?;
                let report = self.debugger.undo(&target)?;
                let undone: u64 = report.moved.undone.iter().map(|one| one.actions()).sum();
                let mut answer = self.told(report, "goto");
                answer.body = json!({"text": format!("{undone} actions undone")});
                Ok(answer)
            }
            _ => Err(Refusal(format!("`{command}` is not a request that this adapter knows"))),
        }
    }

    // ---- breakpoints ---------------------------------------------------------------------------------------------

    fn add(&mut self, place: &str, wished: &Value, with_line: bool) -> (Value, Option<u32>) {
        let word = |name: &str| {
            wished[name]
                .as_str()
                .filter(|text| !text.trim().is_empty())
                .map(str::to_owned)
        };
        let mut added = || -> Result<(u32, Option<u32>, String), Refusal> {
            let hits = word("hitCondition").map_or(Ok(HitRule::Each), |text| HitRule::parse(&text))?;
            let wish = Wish {
                when: word("condition"),
                hits,
                log: word("logMessage"),
                ..Wish::default()
            };
            let one = self.debugger.add_breakpoint(place, wish)?;
            Ok((one.id, one.line, one.at.clone()))
        };
        match added() {
            Ok((id, line, _)) => {
                let mut told = json!({"id": id, "verified": true});
                if let (Some(line), true) = (line, with_line) {
                    told["line"] = json!(line);
                }
                (told, Some(id))
            }
            Err(Refusal(message)) => (json!({"verified": false, "message": message}), None),
        }
    }

    fn set_breakpoints(&mut self, arguments: &Value) -> Done {
        let file = match self.files.find(&arguments["source"]) {
            Ok(file) => file,
            Err(Refusal(why)) => {
                let none = |_: &Value| json!({"verified": false, "message": why});
                let all: Vec<Value> = arguments["breakpoints"]
                    .as_array()
                    .into_iter()
                    .flatten()
                    .map(none)
                    .collect();
                return Ok(json!({"breakpoints": all}).into());
            }
        };
        for id in self.by_file.remove(&file).unwrap_or_default() {
            self.debugger.remove_breakpoint(id);
        }
        let mut told = Vec::new();
        let mut ids = Vec::new();
        for wished in arguments["breakpoints"].as_array().into_iter().flatten() {
            let line = wished["line"].as_u64().unwrap_or(0);
            let (mut one, id) = self.add(&format!("{file}:{line}"), wished, true);
            one["source"] = self.files.source(&file);
            told.push(one);
            ids.extend(id);
        }
        self.by_file.insert(file, ids);
        Ok(json!({"breakpoints": told}).into())
    }

    fn set_function_breakpoints(&mut self, arguments: &Value) -> Done {
        for id in std::mem::take(&mut self.functions) {
            self.debugger.remove_breakpoint(id);
        }
        let mut told = Vec::new();
        for wished in arguments["breakpoints"].as_array().into_iter().flatten() {
            let (one, id) = self.add(wished["name"].as_str().unwrap_or_default(), wished, false);
            told.push(one);
            self.functions.extend(id);
        }
        Ok(json!({"breakpoints": told}).into())
    }

    fn set_exception_breakpoints(&mut self, arguments: &Value) -> Done {
        let mut failures = Vec::new();
        for filter in arguments["filters"].as_array().into_iter().flatten() {
            failures.push(match filter.as_str() {
                Some("error") => Failing::Error,
                Some("exit") => Failing::Exit,
                Some("throw") => Failing::Throw,
                _ => return Err(Refusal(format!("{filter} is no filter: expected error, exit or throw"))),
            });
        }
        self.debugger.stop_at_failures(failures);
        Ok(Answer::default())
    }

    fn breakpoint_locations(&self, arguments: &Value) -> Done {
        let file = self.files.find(&arguments["source"])?;
        let first = arguments["line"].as_u64().unwrap_or(1);
        let last = arguments["endLine"].as_u64().unwrap_or(first);
        let lines = self.debugger.session().code_lines(&file)?.unwrap_or_default();
        let there = lines
            .into_iter()
            .filter(|line| (first..=last).contains(&u64::from(*line)));
        let told: Vec<Value> = there.map(|line| json!({"line": line})).collect();
        Ok(json!({"breakpoints": told}).into())
    }

    // ---- moving --------------------------------------------------------------------------------------------------

    /// The client has set its breakpoints.
    fn begin(&mut self) -> Done {
        if std::mem::replace(&mut self.begun, true) {
            return Ok(Answer::default());
        }
        if let Some(target) = self.until.clone() {
            return self.until(&target);
        }
        if self.stop_on_entry {
            let report = self.debugger.step(Reach::Into, Way::Forward)?;
            return Ok(self.told(report, "entry"));
        }
        self.run(Way::Forward)
    }

    fn until(&mut self, target: &str) -> Done {
        let target: Target = target.parse()?;
        let report = match &target {
            Target::Error => self.debugger.go_to_failure()?.0,
            _ => self.debugger.go_to(&target, &mut Conditions::default())?.0,
        };
        let done: u64 = report.moved.done.iter().map(|one| one.actions()).sum();
        let mut answer = self.told(report, "goto");
        answer.body = json!({"text": format!("{done} actions done")});
        Ok(answer)
    }

    fn run(&mut self, way: Way) -> Done {
        let report = self.debugger.run(way)?;
        Ok(self.told(report, "step"))
    }

    fn step(&mut self, arguments: &Value, reach: Reach, way: Way) -> Done {
        self.choose(arguments)?;
        let report = self.debugger.step(reach, way)?;
        Ok(self.told(report, "step"))
    }

    /// Makes the process of a request the current one.
    fn choose(&mut self, arguments: &Value) -> Result<(), Refusal> {
        if let Some(pid) = arguments["threadId"].as_u64().map(Pid)
            && pid != self.debugger.pid
        {
            self.debugger.choose_process(&pid.into())?;
        }
        Ok(())
    }

    /// What is told after the session has moved. `reason`: if it is where it was asked to go.
    fn told(&mut self, report: Report, reason: &'static str) -> Answer {
        let pid = self.debugger.pid;
        self.failure = None;
        let mut answer = match report.halt {
            Halt::Breakpoints(ids) => self.stopped("breakpoint", Some(&ids), None),
            Halt::Failure { reason } => {
                self.failure = Some(reason.clone());
                self.stopped("exception", None, Some(reason))
            }
            Halt::There => self.stopped(reason, None, None),
            Halt::End => self.stopped(
                "end of the recorded run",
                None,
                Some("all that was recorded is done; step back, or continue in reverse".to_owned()),
            ),
            Halt::Beginning => self.stopped("beginning of the run", None, None),
            Halt::Rests(stopped) => {
                let why = match stopped {
                    Stopped::EndOfLog if self.debugger.has_ended(pid).unwrap_or(false) => format!("{pid} has ended"),
                    Stopped::EndOfLog => format!("{pid} waits, and nothing more comes to it in the recorded run"),
                    _ => format!("{pid} can go no further"),
                };
                self.stopped("pause", None, Some(why))
            }
        };
        for said in report.said.into_iter().rev() {
            answer.after.insert(
                0,
                ("output", json!({"category": "console", "output": format!("{said}\n")})),
            );
        }
        answer
    }

    fn stopped(&mut self, reason: &str, ids: Option<&[u32]>, description: Option<String>) -> Answer {
        self.frames.clear();
        self.references.clear();
        let mut body = json!({
            "reason": reason,
            "threadId": self.debugger.pid.0,
            "allThreadsStopped": true,
        });
        if let Some(ids) = ids {
            body["hitBreakpointIds"] = json!(ids);
        }
        if let Some(text) = description {
            body["description"] = json!(text);
            body["text"] = json!(text);
        }
        Answer {
            body: Value::Null,
            after: vec![("stopped", body)],
        }
    }

    fn goto_targets(&mut self, arguments: &Value) -> Done {
        let file = self.files.find(&arguments["source"])?;
        let line = arguments["line"].as_u64().unwrap_or(0);
        self.gotos.push((file, line));
        let label = format!(
            "the next time, or else the last time, that {} comes to line {line}",
            self.debugger.pid
        );
        Ok(json!({"targets": [{"id": self.gotos.len(), "label": label, "line": line}]}).into())
    }

    fn goto(&mut self, arguments: &Value) -> Done {
        self.choose(arguments)?;
        let index = arguments["targetId"]
            .as_u64()
            .and_then(|id| usize::try_from(id).ok()?.checked_sub(1));
        let Some((file, line)) = index.and_then(|index| self.gotos.get(index)).cloned() else {
            return Err("there is no such target of goto".into());
        };
        let report = self.debugger.go_to_line(&file, line)?;
        Ok(self.told(report, "goto"))
    }

    // ---- looking -------------------------------------------------------------------------------------------------

    fn threads(&self) -> Done {
        let (listed, more) = self.debugger.processes(THREADS)?;
        let mut threads: Vec<Value> = Vec::new();
        for one in listed {
            let mut name = one.process.pid.to_string();
            if let Some(called) = &one.name {
                name.push(' ');
                name.push_str(called);
            }
            match one.process.state {
                ProcessState::Ended => name.push_str(" (has ended)"),
                ProcessState::Unborn => name.push_str(" (does not exist yet)"),
                ProcessState::Running | ProcessState::Waiting => {}
            }
            threads.push(json!({"id": one.process.pid.0, "name": name}));
        }
        if more > 0 {
            threads.push(json!({"id": MORE_THREADS, "name": format!("… and {more} more processes")}));
        }
        Ok(json!({"threads": threads}).into())
    }

    fn stack_trace(&mut self, arguments: &Value) -> Done {
        let id = arguments["threadId"].as_i64().unwrap_or(0);
        if id == MORE_THREADS {
            return Ok(json!({"stackFrames": [], "totalFrames": 0}).into());
        }
        let pid = Pid(u64::try_from(id).map_err(|_| format!("{id} is no thread"))?);
        let number = |name: &str| arguments[name].as_u64().and_then(|n| usize::try_from(n).ok());
        let from = number("startFrame").unwrap_or(0);
        let levels = number("levels").filter(|n| *n > 0).unwrap_or(FRAMES).min(FRAMES);
        let (found, total) = self.debugger.activations(pid, from, levels)?;
        let frames: Vec<Value> = found.iter().map(|one| self.frame(pid, one)).collect();
        Ok(json!({"stackFrames": frames, "totalFrames": total}).into())
    }

    fn frame(&mut self, pid: Pid, one: &Activation) -> Value {
        self.frames.push((pid, one.number));
        let id = self.frames.len();
        let hint = if one.is_own { "normal" } else { "subtle" };
        match &one.place {
            Some(place) => json!({
                "id": id,
                "name": place.called(),
                "line": place.line,
                "column": place.column.max(1),
                "source": self.files.source(&place.file),
                "presentationHint": hint,
            }),
            None => json!({"id": id, "name": "(no source)", "line": 0, "column": 0, "presentationHint": "subtle"}),
        }
    }

    fn frame_of(&self, id: Option<u64>) -> Option<(Pid, usize)> {
        let index = usize::try_from(id?).ok()?.checked_sub(1)?;
        self.frames.get(index).copied()
    }

    fn refer(&mut self, to: Reference) -> usize {
        self.references.push(to);
        self.references.len()
    }

    fn scopes(&mut self, arguments: &Value) -> Done {
        let Some((pid, number)) = self.frame_of(arguments["frameId"].as_u64()) else {
            return Err("there is no such frame; the session has moved".into());
        };
        let mut scopes = vec![json!({
            "name": "Variables",
            "presentationHint": "locals",
            "variablesReference": self.refer(Reference::Locals(pid, number)),
            "expensive": false,
        })];
        for (name, reference) in [
            ("Mailbox", Reference::Mailbox(pid)),
            ("Process", Reference::Process(pid)),
            ("Process dictionary", Reference::Dictionary(pid)),
        ] {
            scopes.push(json!({"name": name, "variablesReference": self.refer(reference), "expensive": false}));
        }
        Ok(json!({"scopes": scopes}).into())
    }

    fn variables(&mut self, arguments: &Value) -> Done {
        let index = arguments["variablesReference"]
            .as_u64()
            .and_then(|n| usize::try_from(n).ok()?.checked_sub(1));
        let Some(reference) = index.and_then(|index| self.references.get(index)).copied() else {
            return Err("there are no such variables; the session has moved".into());
        };
        let number = |name: &str| arguments[name].as_u64().and_then(|n| usize::try_from(n).ok());
        let from = number("start").unwrap_or(0);
        let count = number("count").filter(|n| *n > 0).unwrap_or(VALUES).min(VALUES);
        let told: Vec<Value> = match reference {
            Reference::Locals(pid, number) => self.shown(pid, self.debugger.variables(pid, number)),
            Reference::Dictionary(pid) => self.shown(pid, self.debugger.dictionary(pid)),
            Reference::Inside(held) => {
                let inside = self.debugger.inside(held, from, count);
                self.shown(held.pid, inside)
            }
            Reference::Mailbox(pid) => self.mailbox(pid)?,
            Reference::Process(pid) => self.process(pid)?,
        };
        Ok(json!({"variables": told}).into())
    }

    fn shown(&mut self, pid: Pid, values: Vec<ValueLine>) -> Vec<Value> {
        let told = values.into_iter().map(|one| {
            let mut told = json!({"name": one.name, "value": one.value, "type": one.kind, "variablesReference": 0, "evaluateName": one.name});
            if let Some(held) = one.held(pid) {
                told["variablesReference"] = json!(self.refer(Reference::Inside(held)));
                let count = if one.by_key { "namedVariables" } else { "indexedVariables" };
                told[count] = json!(one.inside);
            }
            told
        });
        told.collect()
    }

    fn mailbox(&self, pid: Pid) -> Result<Vec<Value>, Refusal> {
        let view = self.view(pid)?;
        let told = view.iter().flat_map(|view| &view.mailbox).map(|one| json!({"name": one.signal, "value": one.content.to_string(), "type": one.kind, "variablesReference": 0}));
        let mut told: Vec<Value> = told.collect();
        let length = view.map_or(0, |view| view.mailbox_length);
        if length > told.len() as u64 {
            told.push(
                json!({"name": "…", "value": format!("{} more", length - told.len() as u64), "variablesReference": 0}),
            );
        }
        Ok(told)
    }

    fn process(&self, pid: Pid) -> Result<Vec<Value>, Refusal> {
        let Some(view) = self.view(pid)? else {
            return Ok(Vec::new());
        };
        let line = |name: &str, value: String| json!({"name": name, "value": value, "variablesReference": 0});
        let mut told = vec![
            line("pid", view.pid.clone()),
            line(
                "state",
                view.reason
                    .clone()
                    .map_or_else(|| view.state.clone(), |reason| format!("{}: {reason}", view.state)),
            ),
            line("actions", format!("{} of {} recorded", view.actions, view.of_actions)),
        ];
        for (name, list) in [
            ("names", &view.names),
            ("links", &view.links),
            ("monitors", &view.monitors),
        ] {
            if !list.is_empty() {
                told.push(line(name, list.join(", ")));
            }
        }
        if view.trap_exit {
            told.push(line("trap_exit", "true".to_owned()));
        }
        if let Some(next) = &view.next {
            told.push(line("next recorded action", next.clone()));
        }
        Ok(told)
    }

    fn view(&self, pid: Pid) -> Result<Option<session::view::ProcessView>, Refusal> {
        let bounds = ShownBounds {
            chars: CHARS,
            frames: 0,
            items: MAILBOX,
        };
        let names = session::called::ProcessNames::default();
        Ok(session::shown::standing(&self.debugger.player, pid, &names, &bounds)?)
    }

    fn evaluate(&mut self, expression: &str, frame: Option<u64>) -> Done {
        let (pid, number) = self.frame_of(frame).unwrap_or_else(|| {
            let pid = self.debugger.pid;
            (pid, self.debugger.own_activation(pid))
        });
        // A variable can be looked into.
        let known = self
            .debugger
            .variables(pid, number)
            .into_iter()
            .find(|one| one.name == expression);
        if let Some(known) = known {
            let mut told = self.shown(pid, vec![known]).remove(0);
            let mut body = Map::new();
            body.insert("result".to_owned(), told["value"].take());
            for name in ["type", "variablesReference", "namedVariables", "indexedVariables"] {
                if !told[name].is_null() {
                    body.insert(name.to_owned(), told[name].take());
                }
            }
            return Ok(Value::Object(body).into());
        }
        let value = self.debugger.evaluate(expression, pid, number)?;
        Ok(json!({"result": value, "variablesReference": 0}).into())
    }

    fn exception_info(&self) -> Done {
        let Some(reason) = &self.failure else {
            return Err("the session does not stand before a failure".into());
        };
        let class = reason.split(' ').next().unwrap_or_default();
        Ok(json!({"exceptionId": class, "description": reason, "breakMode": "unhandled"}).into())
    }

    fn source(&self, arguments: &Value) -> Done {
        let number = arguments["source"]["sourceReference"]
            .as_u64()
            .or_else(|| arguments["sourceReference"].as_u64());
        let path = match number.and_then(|number| self.files.numbered(number)) {
            Some(path) => path.to_owned(),
            None => self.files.find(&arguments["source"])?,
        };
        let sources = self.debugger.session().sources();
        let found = sources.own_texts().find(|(known, _)| *known == path);
        let text = found.map_or_else(String::new, |(_, text)| String::from_utf8_lossy(text).into_owned());
        Ok(json!({"content": text}).into())
    }

    /// Names of variables, and our own commands at the beginning of a line.
    fn completions(&self, arguments: &Value) -> Done {
        let typed = arguments["text"].as_str().unwrap_or_default();
        let column = arguments["column"]
            .as_u64()
            .and_then(|n| usize::try_from(n).ok())
            .unwrap_or(1)
            .saturating_sub(1);
        let before: String = typed.chars().take(column).collect();
        let start = before
            .rfind(|c: char| !(c.is_alphanumeric() || c == '_'))
            .map_or(0, |at| at + before[at..].chars().next().map_or(1, char::len_utf8));
        let word = &before[start..];
        let (pid, number) = self.frame_of(arguments["frameId"].as_u64()).unwrap_or_else(|| {
            let pid = self.debugger.pid;
            (pid, self.debugger.own_activation(pid))
        });
        let mut names: Vec<(String, &str)> = self
            .debugger
            .variables(pid, number)
            .into_iter()
            .map(|one| (one.name, "variable"))
            .collect();
        if start == 0 {
            names.extend(["until ", "undo ", "why "].map(|word| (word.to_owned(), "keyword")));
        }
        let column = before[..start].chars().count();
        let length = word.chars().count();
        let told = names.into_iter().filter(|(name, _)| name.starts_with(word));
        let told: Vec<Value> = told.map(|(name, kind)| json!({"label": name.trim(), "text": name, "type": kind, "start": column, "length": length})).collect();
        Ok(json!({"targets": told}).into())
    }
}

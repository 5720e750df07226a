//! The adapter of one client: requests, and what is answered. One request is done at a time, in the order in which they come.

use std::path::PathBuf;

use debugger::Debugger;
use serde_json::{Value, json};
use session::Target;

use crate::answer::{Answer, Done, Refusal};
use crate::backend::{Backend, Launch, Options};
use crate::launched::Launched;
use crate::sources::ProgramFiles;

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
        self.launched = Some(Launched::new(debugger, files, arguments));
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

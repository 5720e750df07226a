//! A session that a client has launched, and the requests that need one.

mod breakpoints;
mod looking;
mod moving;

use debugger::{Debugger, HeldValue, Way};
use log_format::Pid;
use rustc_hash::FxHashMap;
use serde_json::{Value, json};
use session::Target;
use session::player::places::Reach;

use crate::answer::{Done, Refusal};
use crate::sources::ProgramFiles;

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
pub(crate) struct Launched {
    pub(crate) debugger: Debugger,
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

impl Launched {
    /// At the beginning. `arguments`: those of the launch request.
    pub(crate) fn new(debugger: Debugger, files: ProgramFiles, arguments: &Value) -> Self {
        Self {
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
        }
    }

    pub(crate) fn request(&mut self, command: &str, arguments: &Value) -> Done {
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
}

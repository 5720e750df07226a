//! How to check, and what a check asks of who reads programs.

use std::path::PathBuf;
use std::time::Duration;

use log_format::CompileOption;
use session::Session;
use session::error::Error;
use system::Delivery;
use system::loader::LoadedFile;

use crate::budget::WORK;

/// Milliseconds: no documented bug of those that were looked at needs a longer stall.
const MAX_STALL: u64 = 100;
/// Returns what there is now.
pub type Compile = fn(&WantedProgram<'_>) -> Result<CompiledProgram, Error>;

/// What a program as it is now is read for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Of {
    /// Modules of an installed Elixir and OTP.
    Modules,
    /// A project of mix, which is compiled.
    Mix,
    /// A project, as for its EUnit tests.
    Unit,
    /// A project, as for its Common Test suites.
    Suite,
    /// Files, and what is beside them.
    Files,
}

/// What is to be read.
#[derive(Clone, Copy, Debug)]
pub struct WantedProgram<'a> {
    /// What it is of.
    pub of: Of,
    /// Modules that are wanted besides.
    pub modules: &'a [&'a str],
    /// The recorded command line, of which the options count.
    pub recorded: &'a [String],
    /// With [`Of::Files`]: these.
    pub files: &'a [PathBuf],
    /// Files that take the place of modules.
    pub program: &'a [PathBuf],
    /// Macros.
    pub defined: &'a [CompileOption],
}

/// A program as it is now.
#[derive(Clone, Debug, Default)]
pub struct CompiledProgram {
    /// Its sources.
    pub sources: Vec<LoadedFile>,
    /// What is known of its project, as in the entry of `tracer test`.
    pub words: Vec<String>,
}

/// How to check.
#[derive(Clone, Debug)]
pub struct Options {
    /// Files of the current program, beside those that are found.
    pub program: Vec<PathBuf>,
    /// Folders in which files that the trace names may be read, beside the current one.
    pub folders: Vec<PathBuf>,
    /// The project's own code is not run, not even to compile it.
    pub no_compile: bool,
    /// Macros that are defined in addition to the recorded ones, or instead of them.
    pub defined: Vec<CompileOption>,
    /// The trace need not hold a failure: none may occur now.
    pub expect_ok: bool,
    /// Continue after a choice without a counterpart.
    pub best_effort: bool,
    /// The abnormal end that is the failure, or the end of the log of an entry that waits for ever. `None`: the target `error`, a deadlock, or
    /// a status that is not 0.
    pub target: Option<String>,
    /// Milliseconds: beyond the recorded run's stall, the failure is looked for with delays of at most so long.
    pub max_stall: u64,
    /// Limit of work for a trace, in actions. What was not tried then is told, and nothing but a failure is certain.
    pub work: u64,
    /// For a trace: what is not tried by then is not tried, and the answer depends on the machine.
    pub time: Option<Duration>,
    /// In which order signals of different senders arrive at one process. If the recorded run itself needs free delivery, it has that.
    pub delivery: Delivery,
    /// Where further modules come from, of a program in Elixir.
    pub compile: Option<Compile>,
    /// Called often with a description of the current work.
    pub progress: Option<fn(&str)>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            program: Vec::new(),
            folders: Vec::new(),
            no_compile: false,
            defined: Vec::new(),
            expect_ok: false,
            best_effort: false,
            target: None,
            max_stall: MAX_STALL,
            work: WORK,
            time: None,
            delivery: Delivery::Causal,
            compile: None,
            progress: None,
        }
    }
}

impl Options {
    /// What is asked for in a check of this trace.
    pub(crate) fn wanted<'a>(&'a self, session: &'a Session) -> WantedProgram<'a> {
        WantedProgram {
            of: Of::Modules,
            modules: &[],
            recorded: &session.trace().header().command,
            files: &[],
            program: &self.program,
            defined: &self.defined,
        }
    }

    pub(crate) fn doing(&self, what: &str) {
        if let Some(progress) = self.progress {
            progress(what);
        }
    }
}

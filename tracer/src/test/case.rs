//! How tests ended, and the runs that they are of.

use std::path::PathBuf;

use log_format::Trace;
use serde::Serialize;

use super::shape;
use crate::exit::Exit;

/// How a test ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// It passed.
    Passed,
    /// It raised an exception.
    Failed,
    /// It was skipped on purpose.
    Skipped,
    /// It did not come to its end: its time was up, its process was ended, or its setup failed.
    Cancelled,
    /// The run ended before it came to this test.
    #[serde(rename = "not run")]
    NotRun,
}

impl Status {
    /// Does it make the run a failed one?
    pub const fn is_failure(self) -> bool {
        matches!(self, Self::Failed | Self::Cancelled)
    }
}

/// One test.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Case {
    /// Its name as a target: `bank_tests:transfer_test`, of a generated one with its line.
    pub name: String,
    /// Its module.
    pub module: String,
    /// Its function.
    pub function: String,
    /// The line that a generator gave it; 0: none.
    pub line: u64,
    /// Which one of the tests of this name it is, from 1: a generator can make several.
    pub number: u64,
    /// Its description.
    pub description: String,
    /// How it ended.
    pub status: Status,
    /// How long it took, in milliseconds.
    pub milliseconds: u64,
    /// The class of the exception: error, exit or throw.
    pub class: String,
    /// The reason of the exception, or why it was cancelled or skipped, on one line.
    pub reason: String,
    /// The same as the runner prints it, with the stack.
    pub text: String,
    /// What it printed.
    pub output: String,
    /// The target that names it, if the trace has a note of it.
    #[serde(skip)]
    pub target: Option<String>,
    /// Its file, if a runner has told it.
    #[serde(skip)]
    pub file: Option<String>,
    /// What came of running it again without the others.
    #[serde(skip)]
    pub alone: Option<Alone>,
    /// It stands for how the whole run ended.
    #[serde(skip)]
    pub is_of_the_run: bool,
    /// Does a test before it have the same name and description?
    #[serde(skip)]
    pub is_repeated: bool,
    /// The shape of its causes, if it failed in one of several runs.
    #[serde(skip)]
    pub shape: Option<u64>,
}

impl Case {
    /// A test of which only the name is known.
    pub fn named(name: &str, status: Status, reason: &str) -> Self {
        let (module, rest) = name.split_once(':').unwrap_or((name, name));
        let (function, line) = match rest.rsplit_once(':') {
            Some((function, line)) if line.parse::<u64>().is_ok() => (function, line.parse().unwrap_or_default()),
            _ => (rest, 0),
        };
        Self {
            name: name.to_owned(),
            module: module.to_owned(),
            function: function.to_owned(),
            line,
            number: 1,
            description: String::new(),
            status,
            milliseconds: 0,
            class: String::new(),
            reason: reason.to_owned(),
            text: reason.to_owned(),
            output: String::new(),
            target: None,
            file: None,
            alone: None,
            is_of_the_run: false,
            is_repeated: false,
            shape: None,
        }
    }

    /// The number for its name, if another test before it has the same name and description: `/2`.
    pub fn ordinal(&self) -> String {
        match self.is_repeated {
            true => format!("/{}", self.number),
            false => String::new(),
        }
    }

    /// Its name, told apart from those of other tests: `pay_tests:pay_test_:12/2`.
    pub fn distinct(&self) -> String {
        format!("{}{}", self.name, self.ordinal())
    }

    /// The same, as its runner prints it: `test adds (TotalsTest)`.
    pub fn title(&self) -> String {
        format!("{}{}", causality::test_title(&self.name), self.ordinal())
    }

    /// Did it fail, or was it cancelled?
    pub const fn has_failed(&self) -> bool {
        self.status.is_failure()
    }
}

/// What came of running a failed test again without the others.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Alone {
    /// It failed in the same way; the trace of that.
    Fails(PathBuf),
    /// It did not; how it ended.
    Differs(&'static str),
}

/// The run of one module.
#[derive(Clone, Debug)]
pub struct ModuleRun {
    /// The module.
    pub module: String,
    /// Its file.
    pub path: PathBuf,
    /// Its tests that were known before it ran.
    pub planned: Vec<String>,
    /// Its tests.
    pub cases: Vec<Case>,
    /// Names of tests that were left out because of `-k`.
    pub others: Vec<String>,
    /// Words of `-k` that are in descriptions of groups.
    pub meant: Vec<String>,
    /// How the run ended.
    pub exit: Exit,
    /// The module, or one that it calls, does not compile.
    pub does_not_compile: bool,
    /// Its trace, if it is kept.
    pub trace: Option<PathBuf>,
    /// Why the trace, or a part of it, is lost.
    pub lost: Option<String>,
    /// The seed of the order of its tests, in Elixir.
    pub order: Option<u64>,
    /// How long it took, in seconds.
    pub seconds: f64,
}

impl ModuleRun {
    /// Notes the shape of each failure's causes.
    pub fn shape(&mut self, trace: &Trace) {
        for case in self.cases.iter_mut().filter(|case| case.has_failed()) {
            let target = case.target.as_deref();
            case.shape = target.and_then(|target| shape::of(trace, target));
        }
    }

    /// Did a test fail, or the whole run?
    pub fn has_failed(&self) -> bool {
        self.cases.iter().any(Case::has_failed) || self.does_not_compile
    }

    /// How many tests ended so.
    pub fn count(&self, status: Status) -> usize {
        self.cases.iter().filter(|case| case.status == status).count()
    }

    /// The command that shows the causes of a failed test.
    pub fn why(&self, case: &Case) -> Option<String> {
        if !case.has_failed() {
            return None;
        }
        if let Some(Alone::Fails(trace)) = &case.alone {
            return Some(format!("replay why {}", crate::report::shell(trace)));
        }
        let trace = crate::report::shell(self.trace.as_deref()?);
        Some(match &case.target {
            Some(target) => format!("replay why {} {trace}", log_format::quoted(target.as_ref())),
            None => format!("replay why {trace}"),
        })
    }
}

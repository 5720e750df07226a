//! `replay check` of several failures, of one trace or of several: an answer for each, in their order, and the worst of them as the exit code.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use serde::Serialize;

use crate::cli::shared::Format;
use crate::commands::check::CheckArgs;
use crate::commands::{Out, check};
use crate::exit::Exit;
use crate::render::text::{Layout, wrap};
use crate::store;
use crate::words::{path_argument, safe};
use ::check::Checked;
use session::error::Error;

/// The answer about one of several traces, or one of several failed tests of a trace.
#[derive(Serialize)]
pub(super) struct CheckedTrace {
    trace: String,
    #[serde(flatten)]
    what: CheckResult,
}

/// What a check led to.
#[derive(Serialize)]
#[serde(untagged)]
enum CheckResult {
    Checked(Box<Checked>),
    /// The recorded run did not fail, so there is nothing to check.
    Skipped {
        verdict: &'static str,
        reason: String,
    },
    Failed {
        verdict: &'static str,
        error: String,
        #[serde(skip)]
        exit: Exit,
    },
}

impl CheckedTrace {
    /// The answers about all failures of a trace.
    pub(super) fn all(trace: &Path, may_skip: bool, checked: Result<Vec<Checked>, Error>) -> Vec<Self> {
        let several = match checked {
            Ok(all) => all.into_iter().map(Ok).collect(),
            Err(error) => vec![Err(error)],
        };
        several
            .into_iter()
            .map(|checked| Self::new(trace, may_skip, checked))
            .collect()
    }

    fn new(trace: &Path, may_skip: bool, checked: Result<Checked, Error>) -> Self {
        let what = match checked {
            Ok(checked) => CheckResult::Checked(Box::new(checked)),
            Err(error @ Error::NoTarget(_)) if may_skip => CheckResult::Skipped {
                verdict: "skipped",
                reason: error.to_string(),
            },
            Err(error) => CheckResult::Failed {
                verdict: match error {
                    Error::Trace { .. } | Error::BadInput { .. } => "bad file",
                    Error::Program(_) | Error::Changed(_) => "does not compile",
                    _ => "not checked",
                },
                error: error.to_string(),
                exit: check::exit(&error),
            },
        };
        Self {
            trace: path_argument(trace),
            what,
        }
    }

    const fn exit(&self) -> Exit {
        match &self.what {
            CheckResult::Checked(checked) => check::exit_of(checked.verdict),
            CheckResult::Skipped { .. } => Exit::Success,
            CheckResult::Failed { exit, .. } => *exit,
        }
    }

    const fn word(&self) -> &'static str {
        match &self.what {
            CheckResult::Checked(checked) => check::word(checked.verdict),
            CheckResult::Skipped { verdict, .. } | CheckResult::Failed { verdict, .. } => verdict,
        }
    }

    /// The failed test, if it is about one.
    fn test(&self) -> Option<&str> {
        match &self.what {
            CheckResult::Checked(checked) => checked.test.as_deref(),
            CheckResult::Skipped { .. } | CheckResult::Failed { .. } => None,
        }
    }

    /// What the answer is about: the trace, or a test of it.
    fn of(&self) -> String {
        match self.test() {
            Some(test) => format!("{} in {}", safe(test), self.trace),
            None => self.trace.clone(),
        }
    }

    fn text(&self, out: &mut dyn Write, layout: &Layout) -> io::Result<()> {
        match &self.what {
            // What is fixed needs no attention.
            CheckResult::Checked(checked)
                if check::exit_of(checked.verdict) == Exit::Success && checked.remains.is_empty() =>
            {
                writeln!(out, "{}: {}", layout.paint.strong(self.word()), self.of())
            }
            CheckResult::Checked(checked) => check::answer(out, checked, layout, Some(&self.of())),
            CheckResult::Skipped { .. } => writeln!(out, "{}: {} (its run did not fail)", self.word(), self.trace),
            CheckResult::Failed { error, .. } => {
                writeln!(out, "{}: {}", layout.paint.bad(self.word()), self.trace)?;
                writeln!(out, "{}", wrap(&format!("  {}", safe(error)), layout.width))
            }
        }
    }
}

/// Checks the traces at these places, folders among them.
///
/// # Errors
/// A folder cannot be read or holds no trace; standard output cannot be written.
pub fn run(args: &CheckArgs, target: &str, places: &[&Path], out: &mut Out<'_>) -> Result<Exit, Error> {
    let traces = store::at(places)?;
    let layout = out.layout(args.show);
    let is_text = out.format == Format::Text;
    let mut all = Vec::with_capacity(traces.len());
    let mut sunk = Ok(());
    each(args, target, places, &traces, |answers| {
        if is_text && sunk.is_ok() {
            let told = answers.iter().try_for_each(|answer| answer.text(out.sink, &layout));
            sunk = told.and_then(|()| out.sink.flush());
        }
        all.extend(answers);
    });
    sunk?;
    if is_text {
        writeln!(out.sink, "{}", summary(&all))?;
    } else {
        crate::render::json::write(out.sink, &all)?;
    }
    out.sink.flush()?;
    if let Some(path) = &args.junit {
        let unwritable = |error: String| Error::Output {
            path: path.clone(),
            error,
        };
        let text = junit(&all).map_err(|error| unwritable(error.to_string()))?;
        let file = log_format::NewFile::for_all(path);
        let written = file.and_then(|file| file.handle()?.write_all(text.as_bytes()).and_then(|()| file.keep()));
        written.map_err(|error| unwritable(error.to_string()))?;
    }
    if all
        .iter()
        .all(|answer| matches!(answer.what, CheckResult::Skipped { .. }))
    {
        // A green answer would say that something was checked.
        return Err(Error::NoTarget(format!(
            "nothing was checked: {} failed",
            if all.len() == 1 {
                "the recorded run has not"
            } else {
                "none of the recorded runs has"
            }
        )));
    }
    Ok(worst(all.iter().map(CheckedTrace::exit)))
}

/// Tells the answers about one trace with several failures.
///
/// # Errors
/// Standard output cannot be written.
pub(super) fn of_one(args: &CheckArgs, all: &[CheckedTrace], out: &mut Out<'_>) -> Result<Exit, Error> {
    let layout = out.layout(args.show);
    if out.format == Format::Text {
        for answer in all {
            answer.text(out.sink, &layout)?;
        }
        writeln!(out.sink, "{}", summary(all))?;
    } else {
        crate::render::json::write(out.sink, &all)?;
    }
    out.sink.flush()?;
    Ok(worst(all.iter().map(CheckedTrace::exit)))
}

/// Checks each trace, several at a time, and passes the answers on in the order of the traces.
fn each(args: &CheckArgs, target: &str, places: &[&Path], traces: &[PathBuf], mut tell: impl FnMut(Vec<CheckedTrace>)) {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let jobs = args.jobs.unwrap_or(processors).min(traces.len());
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel();
    // It draws on standard error, and only if that is a terminal.
    let bar = indicatif::ProgressBar::new(traces.len() as u64);
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            let (next, sender) = (&next, sender.clone());
            scope.spawn(move || {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(trace) = traces.get(at) else { break };
                    // One that was named was meant to be checked.
                    let may_skip = target == "error" && !places.contains(&trace.as_path());
                    let answers = CheckedTrace::all(trace, may_skip, check::check(args, target, trace, None));
                    if sender.send((at, answers)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut early = std::collections::BTreeMap::new();
        let mut wanted = 0;
        for (at, answers) in receiver {
            bar.inc(1);
            early.insert(at, answers);
            while let Some(answers) = early.remove(&wanted) {
                bar.suspend(|| tell(answers));
                wanted += 1;
            }
        }
    });
    bar.finish_and_clear();
}

/// JUnit as Jenkins reads it: a test for each failed test of a trace, or for a trace of another failure. One that still fails is a `failure`; one without a verdict is an `error`.
fn junit(all: &[CheckedTrace]) -> Result<String, quick_junit::SerializeError> {
    let mut suite = TestSuite::new("replay check");
    for answer in all {
        let mut status = match answer.exit() {
            Exit::Success if matches!(answer.what, CheckResult::Skipped { .. }) => TestCaseStatus::skipped(),
            // It is fixed; the message says what would bring the failure back.
            Exit::Success | Exit::UnlessDelayed => TestCaseStatus::success(),
            Exit::Different => TestCaseStatus::non_success(NonSuccessKind::Failure),
            _ => TestCaseStatus::non_success(NonSuccessKind::Error),
        };
        if let CheckResult::Skipped { reason, .. } = &answer.what {
            status.set_message(reason.as_str());
        } else if !matches!(answer.exit(), Exit::Success | Exit::UnlessDelayed) {
            let message = match &answer.what {
                CheckResult::Checked(checked) => &checked.now,
                CheckResult::Skipped { reason, .. } => reason,
                CheckResult::Failed { error, .. } => error,
            };
            status.set_type(answer.word()).set_message(message.as_str());
            let target = answer.test().map_or_else(String::new, |test| {
                format!("{} ", log_format::quoted(format!("test:{test}").as_ref()))
            });
            status.set_description(format!("{}\nreplay check {target}{}", answer.word(), answer.trace));
        }
        let mut case = TestCase::new(answer.of(), status);
        case.set_classname("replay check");
        suite.add_test_case(case);
    }
    let mut report = Report::new("replay check");
    report.add_test_suite(suite);
    report.to_string()
}

/// How many answers there are of each kind.
fn summary(all: &[CheckedTrace]) -> String {
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for answer in all {
        match counts.iter_mut().find(|(word, _)| *word == answer.word()) {
            Some((_, n)) => *n += 1,
            None => counts.push((answer.word(), 1)),
        }
    }
    let several = |word| match word {
        "still fails" => "still fail",
        "fails differently" => "fail differently",
        "does not compile" => "do not compile",
        "bad file" => "bad files",
        other => other,
    };
    let counts = counts.iter().map(|&(word, n)| match n {
        1 => format!("1 {word}"),
        n => format!("{n} {}", several(word)),
    });
    let counts: Vec<String> = counts.collect();
    format!("{}: {}", counted(all), counts.join(", "))
}

/// What there are answers about: `2 traces`, or `3 tests in 2 traces`.
fn counted(all: &[CheckedTrace]) -> String {
    let count = crate::words::count;
    let (of_tests, others): (Vec<&CheckedTrace>, Vec<&CheckedTrace>) =
        all.iter().partition(|answer| answer.test().is_some());
    let mut traces: Vec<&str> = of_tests.iter().map(|answer| answer.trace.as_str()).collect();
    traces.dedup();
    let tests = format!(
        "{} in {}",
        count(of_tests.len() as u64, "test"),
        count(traces.len() as u64, "trace")
    );
    match (of_tests.len(), others.len()) {
        (0, n) => count(n as u64, "trace"),
        (_, 0) => tests,
        (_, n) => format!("{tests}, and {}", count(n as u64, "other trace")),
    }
}

/// The exit code of several: that of the answer that needs attention first.
fn worst(exits: impl Iterator<Item = Exit>) -> Exit {
    let urgency = |exit: &Exit| match exit {
        Exit::Success => 0,
        Exit::UnlessDelayed => 1,
        Exit::Undecided => 2,
        Exit::Different => 3,
        _ => 4,
    };
    exits.max_by_key(urgency).unwrap_or(Exit::Success)
}

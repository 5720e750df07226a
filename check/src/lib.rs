//! `check`: does the failure of a trace still occur in the current program?
//!
//! First the recorded program is driven by the recorded choices, to see that this produces its failure again. Then the changed program is
//! driven. If that does not decide, both run under random schedules.

mod again;
mod align;
mod all;
mod answer;
mod beginning;
mod budget;
pub mod choices;
mod current;
mod described;
pub mod drive;
mod failure;
mod ground;
mod inquiry;
pub mod kin;
mod lines;
pub mod listener;
mod missing;
mod mix;
mod names;
mod price;
mod project;
pub mod races;
mod reason;
pub mod received;
mod runs;
mod same;
mod schedules;
mod search;
mod shape;
mod start;
mod tape;
mod texts;
mod tried;
mod universes;

use std::path::{Path, PathBuf};
use std::time::Duration;

use log_format::CompileOption;
use session::Session;
use session::error::Error;
use system::Delivery;
use system::loader::{LoadedFile, Role};

pub use again::{Again, drive_again};
pub use all::check_all;
pub use answer::{CheckVerdict, Checked, Cut, Delay, Remaining, Schedules, Universes, Unvisited};

use choices::Naming;
use drive::Divergence;
use inquiry::check_by;
use missing::AskedModules;
use search::{Searched, SharedChecks};

/// Milliseconds: no documented bug of those that were looked at needs a longer stall.
const MAX_STALL: u64 = 100;
/// Limit: divergences for which the recorded message is added.
const TOLD: usize = 3;
/// Characters of such a message.
const MESSAGE: usize = 200;

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

/// The module of a file that was named; none for a beam file.
///
/// # Errors
/// It cannot be read.
pub fn named_module(path: &Path) -> Result<Option<String>, Error> {
    let text = ground::read_regular(path).map_err(|error| Error::Input {
        path: path.to_path_buf(),
        error: error.to_string(),
    })?;
    Ok((!interpreter::beam::is_beam(&text)).then(|| described::module_named(path, &text)))
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
            work: budget::WORK,
            time: None,
            delivery: Delivery::Causal,
            compile: None,
            progress: None,
        }
    }
}

impl Options {
    /// What is asked for in a check of this trace.
    fn wanted<'a>(&'a self, session: &'a Session) -> WantedProgram<'a> {
        WantedProgram {
            of: Of::Modules,
            modules: &[],
            recorded: &session.trace().header().command,
            files: &[],
            program: &self.program,
            defined: &self.defined,
        }
    }

    fn doing(&self, what: &str) {
        if let Some(progress) = self.progress {
            progress(what);
        }
    }
}

/// Runs a check.
///
/// # Errors
/// The trace is damaged, or holds no failure and that is not expected; a file cannot be read; the program does not compile.
pub fn check(session: &Session, options: &Options) -> Result<Checked, Error> {
    check_after(session, options, &mut SharedChecks::new(options))
}

/// A check of one failure, after those of others of the same trace.
fn check_after(session: &Session, options: &Options, shared: &mut SharedChecks) -> Result<Checked, Error> {
    let mut session = session.clone();
    let mut asked = AskedModules::default();
    loop {
        let mut searched = Searched::after(&asked, shared);
        let checked = check_with(&session, options, &searched)?;
        let checked = searched.budget.judged(checked);
        if let Some(refused) = searched.missing.refused() {
            return Err(Error::Changed(refused));
        }
        *shared = searched.share();
        let missing = asked.not_yet(&searched.missing);
        if options.no_compile && !missing.is_empty() {
            let names: Vec<&str> = missing.iter().map(String::as_str).collect();
            return Ok(Checked {
                verdict: CheckVerdict::Incomplete,
                now: format!(
                    "the program calls modules that the trace does not hold, and with --no-compile they are not looked for: {}",
                    names.join(", ")
                ),
                ..checked
            });
        }
        if missing.is_empty() || options.compile.is_none() {
            return Ok(without_gone(checked, &searched));
        }
        match asked.ask(&missing, &session, options) {
            Ok(Some(more)) => {
                session = more;
                // What the project is asked for has changed.
                shared.forget_compiled();
            }
            Ok(None) if searched.gave_up.get() => {}
            Ok(None) => return Ok(without_gone(checked, &searched)),
            Err(error) => {
                let names: Vec<&str> = missing.iter().map(String::as_str).collect();
                let now = format!(
                    "the program calls modules that the trace does not hold ({}), and replay cannot get them: {error}",
                    names.join(", ")
                );
                return Ok(Checked {
                    verdict: CheckVerdict::Incomplete,
                    now: now.trim_end().to_owned(),
                    ..checked
                });
            }
        }
    }
}

/// Without modules that the project no longer has, nothing can be said of a run that calls them.
fn without_gone(checked: Checked, searched: &Searched) -> Checked {
    let gone = searched.gone.borrow();
    let called: Vec<String> = gone
        .iter()
        .filter(|name| searched.missing.has_called(name))
        .cloned()
        .collect();
    let gone: Vec<String> = gone.iter().cloned().collect();
    if called.is_empty() {
        return Checked { gone, ..checked };
    }
    Checked {
        verdict: CheckVerdict::Incomplete,
        now: format!(
            "the program calls modules that the project no longer has: {}{}",
            called.join(", "),
            renamed(
                &called,
                checked.test.as_deref(),
                searched.compiled.get().map_or(&[][..], |now| &now.sources)
            ),
        ),
        gone,
        ..checked
    }
}

/// What modules that are gone may be called now: the only one with the failed test, or the nearest names.
fn renamed(gone: &[String], test: Option<&str>, now: &[LoadedFile]) -> String {
    const NAMED: usize = 3;
    let modules = now.iter().filter_map(|source| match &source.role {
        Role::Module(name) => Some((name.as_str(), &source.text)),
        _ => None,
    });
    let parts = test.and_then(|test| test.split_once(':'));
    if let Some((_, rest)) = parts.filter(|(module, _)| gone.iter().any(|name| name == module)) {
        let function = rest.split(':').next().unwrap_or(rest);
        let head = format!("{function}(");
        let has_it = |text: &[u8]| {
            String::from_utf8_lossy(text)
                .lines()
                .any(|line| line.starts_with(&head))
        };
        let mut found = modules.clone().filter(|(_, text)| has_it(text)).map(|(name, _)| name);
        if let (Some(other), None) = (found.next(), found.next()) {
            return format!("; {function} is only in {other} now, but a renamed test module is not followed");
        }
    }
    let names: Vec<&str> = modules.map(|(name, _)| name).collect();
    let near = gone
        .iter()
        .flat_map(|name| log_format::nearest(name, names.iter().copied(), NAMED));
    let near: Vec<&str> = near.collect();
    match near.is_empty() {
        true => String::new(),
        false => format!("; the nearest names are {}", near.join(", ")),
    }
}

/// One check with the modules that there are.
fn check_with(session: &Session, options: &Options, searched: &Searched) -> Result<Checked, Error> {
    let mut checked = check_by(session, options, Naming::Place, searched)?;
    if searched.gave_up.get() {
        return Ok(checked);
    }
    // One more message changes the ordinals of those that follow.
    let undecided = checked.verdict == CheckVerdict::Diverged || checked.verdict.is_fixed() && !options.expect_ok;
    if undecided && !checked.same_code && searched.budget.allows("messages named by their shape") {
        let other = check_by(session, options, Naming::Shape, searched)?;
        let better = match (checked.verdict, other.verdict) {
            (CheckVerdict::Diverged, now) if now.is_fixed() => true,
            (then, CheckVerdict::StillFails) if then != CheckVerdict::StillFails => true,
            (CheckVerdict::Fixed, CheckVerdict::FixedUnlessDelayed) => true,
            (then, now) if then == now => checked.other_order && !other.other_order,
            _ => false,
        };
        if better {
            checked = other;
        }
    }
    say_what_was_received(session, &mut checked.divergences)?;
    // A changed program may wait for, or be spared, what a slice leaves out: only a failure is certain.
    if session.trace().is_slice() && !checked.same_code && checked.verdict != CheckVerdict::StillFails {
        checked.verdict = CheckVerdict::Incomplete;
        checked.now += "; but the trace is a slice, which holds only the causes of one action: check the whole trace for a verdict";
    }
    Ok(checked)
}

/// Adds the recorded messages to the first divergences.
fn say_what_was_received(session: &Session, divergences: &mut [Divergence]) -> Result<(), Error> {
    let trace = session.trace();
    let bounds = session::subject::ShownBounds {
        chars: MESSAGE,
        frames: 1,
        items: 1,
    };
    for divergence in divergences.iter_mut().take(TOLD) {
        let Some(found) = recorded_action(trace, &divergence.recorded) else {
            continue;
        };
        let acts = session::scene::acts(session, &[found], &bounds)?;
        let Some(act) = acts.into_iter().flatten().next() else {
            continue;
        };
        if act.kind == session::view::ActKind::Rec {
            divergence.message = act.content;
        } else if divergence.place.is_empty() && !act.accesses.is_empty() {
            // A step that is not made now has its place in the recorded program.
            let at = |place: &session::view::SourcePlace| {
                format!(" (at {}:{} of the recorded program)", place.file, place.line)
            };
            let place = act.place.as_ref().map_or_else(String::new, at);
            divergence.expected = format!("{}{place}", session::shared::joined(&act.accesses));
            divergence.name = act.name.unwrap_or_default();
        }
    }
    Ok(())
}

/// The action of the trace that a target names, if it names one.
fn recorded_action(trace: &log_format::Trace, target: &str) -> Option<log_format::ActionId> {
    let target: causality::Target = target.parse().ok()?;
    Some(target.resolve(trace).ok()?.id())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_that_is_gone_is_told_with_what_it_may_be_now() {
        let module = |name: &str, text: &str| LoadedFile {
            role: Role::Module(name.to_owned()),
            path: format!("test/{name}.erl"),
            text: text.as_bytes().into(),
            options: Vec::new(),
        };
        let now = [
            module("shop_tests", "pay_test() -> ok.\n"),
            module("bank", "pay() -> ok.\n"),
        ];
        let gone = ["store_tests".to_owned()];
        assert_eq!(
            renamed(&gone, Some("store_tests:pay_test"), &now),
            "; pay_test is only in shop_tests now, but a renamed test module is not followed"
        );
        assert_eq!(
            renamed(&["shop_test".to_owned()], None, &now),
            "; the nearest names are shop_tests"
        );
        assert_eq!(renamed(&["other".to_owned()], None, &now), "");
    }
}

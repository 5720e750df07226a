//! What people see on standard error: progress, the commands for failed tests, and the closing line.

use std::ffi::OsString;
use std::io::IsTerminal;
use std::time::Duration;

use system::scheduler::Schedule;

use super::case::{Alone, Case, ModuleRun, Status};
use super::find::Found;
use super::one::Runner;
use crate::report::{plural, tell};

/// A line that says which module runs, if standard error is a terminal and standard output is not: else the tests themselves show it.
pub struct Progress(Option<indicatif::ProgressBar>);

impl Progress {
    /// Progress of so many modules.
    pub fn new(all: u64, quiet: bool) -> Self {
        let is_wanted = !quiet && std::io::stderr().is_terminal() && !std::io::stdout().is_terminal();
        Self(is_wanted.then(|| {
            let bar = indicatif::ProgressBar::new(all);
            if let Ok(style) = indicatif::ProgressStyle::with_template("{pos}/{len} {msg}") {
                bar.set_style(style);
            }
            bar
        }))
    }

    /// This module, or this run, begins.
    pub fn at(&self, what: &str) {
        if let Some(bar) = &self.0 {
            bar.set_message(log_format::safe(what));
            bar.tick();
        }
    }

    /// One has ended; other lines can be printed.
    pub fn done(&self) {
        if let Some(bar) = &self.0 {
            bar.inc(1);
            bar.set_message("");
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}

/// Limit: failed tests of a module whose commands are printed.
pub(super) const MOST_COMMANDS: usize = 10;

/// Limit: names of modules without tests that are told.
const MOST_NAMES: usize = 20;

/// Before the runs: modules that were looked at and have no tests, by name if their own name says that they should have some, or if all is to be shown.
pub fn without(found: &Found, all: bool) {
    let names: Vec<&str> = found.without.iter().map(String::as_str).collect();
    let names: Vec<&str> = names
        .into_iter()
        .filter(|name| all || name.ends_with("_tests"))
        .collect();
    if names.is_empty() {
        return;
    }
    let more = match names.len().saturating_sub(MOST_NAMES) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let shown = &names[..names.len().min(MOST_NAMES)];
    tell(&format!(
        "without tests: {}{more} (no exported function is named *_test or *_test_)",
        shown.join(", ")
    ));
}

/// After the run of a module: the command for each failed test.
pub fn after(run: &ModuleRun, runner: &Runner<'_>) {
    let failed: Vec<&Case> = run.cases.iter().filter(|case| case.has_failed()).collect();
    for case in failed.iter().take(MOST_COMMANDS) {
        let how = match case.status {
            _ if run.does_not_compile && case.is_of_the_run => "does not compile",
            _ if case.is_of_the_run && case.name == run.module => "ended early",
            Status::Cancelled => "was cancelled",
            _ => "failed",
        };
        match run.why(case) {
            Some(command) => {
                let alone = match &case.alone {
                    Some(Alone::Differs(how)) => format!(" (alone, {how}: this trace is of all tests together)"),
                    Some(Alone::Fails(_)) | None => String::new(),
                };
                tell(&format!("{} {how}{alone}; next: {command}", case.title()));
            }
            None => tell(&format!("{} {how}", case.title())),
        }
    }
    // What is left to find the failure by.
    let has_all = |case: &&Case| matches!(case.alone, Some(Alone::Fails(_)));
    if run.trace.is_none()
        && !failed.iter().all(has_all)
        && !run.does_not_compile
        && runner.args.keep != super::Keep::None
    {
        tell(&format!(
            "{}: there is no trace of this run; again: {}",
            run.module,
            again(runner.command, runner.args.running.seed, None, Some(&run.module))
        ));
    }
    let left = run.cases.iter().filter(|case| case.status == Status::NotRun);
    let left: Vec<String> = left.map(Case::title).collect();
    if !left.is_empty() {
        let more = if left.len() > MOST_NAMES { ", …" } else { "" };
        let shown = &left[..left.len().min(MOST_NAMES)];
        tell(&format!("not run: {}{more}", shown.join(", ")));
    }
    if let Some(more) = failed.len().checked_sub(MOST_COMMANDS).filter(|more| *more > 0) {
        let all = run.trace.as_deref().map(crate::report::shell).unwrap_or_default();
        tell(&format!(
            "… and {more} more of {}; next: replay log --kind test {all}",
            run.module
        ));
    }
    if failed.is_empty()
        && let Some(trace) = &run.trace
    {
        tell(&format!(
            "{}: next: replay info {}",
            run.module,
            crate::report::shell(trace)
        ));
    }
}

/// The command that makes a run again: the one that was typed, for one run with this seed, of this module's tests if it is given.
pub fn again(command: &[OsString], seed: Option<u64>, schedule: Option<&Schedule>, module: Option<&str>) -> String {
    let mut words: Vec<String> = vec!["tracer".to_owned()];
    let mut rest = command.iter().skip(1);
    while let Some(word) = rest.next() {
        let text = word.to_string_lossy();
        let (name, value) = text
            .split_once('=')
            .map_or((&*text, None), |(name, value)| (name, Some(value)));
        match name {
            "--from-start" => {}
            "--schedule" if schedule.is_none() => words.push(log_format::quoted(word)),
            "--runs" | "--seed" | "--schedule" | "--output" | "--format" | "--junit" | "--traces" | "-o" => {
                if value.is_none() {
                    let _ = rest.next();
                }
            }
            _ if text.starts_with("-o") => {}
            _ => words.push(log_format::quoted(word)),
        }
    }
    if let Some(seed) = seed {
        words.extend(["--seed".to_owned(), seed.to_string()]);
    }
    if let Some(schedule) = schedule {
        words.extend([
            "--schedule".to_owned(),
            log_format::quoted(schedule.to_string().as_ref()),
        ]);
    }
    let has_selection = command.iter().any(|word| word.to_string_lossy().starts_with("-k"));
    if let Some(module) = module.filter(|_| !has_selection) {
        words.extend(["-k".to_owned(), log_format::quoted(format!("{module}:").as_ref())]);
    }
    words.join(" ")
}

/// The closing lines: the result of all modules, and last what is wrong with traces. `without`: modules without tests; `all`: all tests were to run.
pub fn closing(runs: &[ModuleRun], without: usize, all_wanted: bool, time: Duration) {
    let count = |status| runs.iter().map(|run| run.count(status)).sum::<usize>();
    let all: usize = runs.iter().map(|run| run.cases.len()).sum();
    let (failed, cancelled) = (count(Status::Failed), count(Status::Cancelled));
    let (skipped, passed) = (count(Status::Skipped), count(Status::Passed));
    let line = match all {
        0 => "no test was run".to_owned(),
        1 if passed == 1 => "the test passed".to_owned(),
        _ if passed == all => format!("all {all} tests passed"),
        _ => {
            let parts = [
                (failed, "failed"),
                (cancelled, "cancelled"),
                (skipped, "skipped"),
                (count(Status::NotRun), "not run"),
                (passed, "passed"),
            ];
            let parts = parts.iter().filter(|(number, _)| *number > 0);
            let parts: Vec<String> = parts.map(|(number, word)| format!("{number} {word}")).collect();
            format!("{}: {}", plural(all, "test", "tests"), parts.join(", "))
        }
    };
    // Generators can make no tests.
    let empty = match all_wanted {
        true => runs.iter().filter(|run| run.cases.is_empty()).count(),
        false => 0,
    };
    let others = match without + empty {
        0 => String::new(),
        n => format!(" ({n} without tests)"),
    };
    tell(&format!(
        "{line}; {}{others}, {:.1} s",
        plural(runs.len() - empty, "module", "modules"),
        time.as_secs_f64()
    ));
    let broken: Vec<&str> = runs
        .iter()
        .filter(|run| run.does_not_compile)
        .map(|run| run.module.as_str())
        .collect();
    if !broken.is_empty() {
        tell(&format!(
            "not everything compiles for: {}; standard error shows the place",
            broken.join(", ")
        ));
    }
    for problem in runs.iter().filter_map(|run| run.lost.as_deref()) {
        tell(problem);
    }
}

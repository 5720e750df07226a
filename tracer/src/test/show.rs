//! What people see on standard error: progress, the commands for failed tests, and the closing line.

use std::io::IsTerminal;
use std::time::Duration;

use super::case::{Case, ModuleRun, Status};
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
const MOST_COMMANDS: usize = 10;

/// After the run of a module: the command for each failed test.
pub fn after(run: &ModuleRun) {
    let failed: Vec<&Case> = run.cases.iter().filter(|case| case.has_failed()).collect();
    for case in failed.iter().take(MOST_COMMANDS) {
        let how = match case.status {
            _ if run.does_not_compile && case.is_of_the_run => "does not compile",
            _ if case.is_of_the_run && case.name == run.module => "ended early",
            Status::Cancelled => "was cancelled",
            _ => "failed",
        };
        match run.why(case) {
            Some(command) => tell(&format!("{} {how}; next: {command}", case.name)),
            None => tell(&format!("{} {how}", case.name)),
        }
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

/// The closing lines: the result of all modules, and last what is wrong with traces.
pub fn closing(runs: &[ModuleRun], time: Duration) {
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
                (passed, "passed"),
            ];
            let parts = parts.iter().filter(|(number, _)| *number > 0);
            let parts: Vec<String> = parts.map(|(number, word)| format!("{number} {word}")).collect();
            format!("{}: {}", plural(all, "test", "tests"), parts.join(", "))
        }
    };
    tell(&format!(
        "{line}; {}, {:.1} s",
        plural(runs.len(), "module", "modules"),
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

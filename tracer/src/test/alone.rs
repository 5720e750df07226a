//! Failed tests of a project in Elixir, each run again without the others, for a trace of its own. The order of the tests has the same seed, and what
//! the first run has loaded is there. A test that fails only beside others has the trace of all of them.

use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use system::recorder::Recorder;

use super::case::{Alone, Case, ModuleRun, Status};
use super::one::{Runner, rest};
use super::told::Told;
use super::{Keep, mix, show};
use crate::execute::{self, Loaded};
use crate::exit::Exit;
use crate::options::Running;
use crate::outside::Real;
use crate::report::{self, Reporter};

/// Limit: a test that took longer is not run again.
const LONGEST_TEST: u64 = 10_000;
/// Limit: after this time, no further test is run again.
const LONGEST: Duration = Duration::from_secs(30);

impl Runner<'_> {
    /// Runs failed tests again, if they ran among others. The trace of all tests goes if each has its own.
    pub(super) fn each_alone(&self, loaded: &mut Loaded, running: &Running, run: &mut ModuleRun) {
        let has_run = |case: &&Case| !matches!(case.status, Status::Skipped | Status::NotRun);
        let is_alone = run.cases.iter().filter(has_run).count() < 2;
        if is_alone || self.args.keep == Keep::None || !self.records || run.exit != Exit::TestsFailed {
            return;
        }
        let began = Instant::now();
        let order = run.order;
        let kept = mix::Failures::now();
        let failed = run.cases.iter_mut().filter(|case| case.has_failed());
        for case in failed.take(show::MOST_COMMANDS) {
            let is_long = case.milliseconds > LONGEST_TEST || began.elapsed() > LONGEST;
            case.alone = match &case.file {
                _ if self.signals.interrupted.load(Ordering::Relaxed) => None,
                Some(_) if is_long => Some(Alone::Differs("it was not run again, for that would take long")),
                Some(file) if case.status == Status::Failed => {
                    let file = mix::shown(Path::new(file));
                    let mut arguments = mix::alone(
                        &case.name,
                        &file,
                        order,
                        &self.found.options,
                        &self.args.compiling.stubs,
                    );
                    let before = loaded.arguments.as_ref().and_then(|before| before.first());
                    if before.is_some_and(|word| word == mix::ALIVE) {
                        arguments.insert(0, mix::ALIVE.to_owned());
                    }
                    loaded.arguments = Some(arguments);
                    self.alone(loaded, running, case)
                }
                _ => None,
            };
        }
        kept.put_back();
        let has_own = |case: &Case| !case.has_failed() || matches!(case.alone, Some(Alone::Fails(_)));
        if self.args.keep == Keep::Failed
            && run.cases.iter().all(has_own)
            && let Some(trace) = run.trace.take()
            && let Err(error) = std::fs::remove_file(&trace)
        {
            run.lost = Some(format!("cannot remove the trace {}: {error}", trace.display()));
        }
    }

    /// Runs one test. `None`: nothing can be said.
    fn alone(&self, loaded: &mut Loaded, running: &Running, case: &Case) -> Option<Alone> {
        let told: Arc<Mutex<Told>> = Arc::default();
        let interrupted = Arc::clone(&self.signals.interrupted);
        let mut outside = Box::new(Real::new(interrupted, running.seed, running.most_memory()));
        outside.hears(Arc::clone(&told));
        outside.prints_nothing();
        let (recorder, names) = self
            .recorder(loaded, running, &case.name, Reporter::new(true))
            .ok()
            .flatten()?;
        self.signals.begins();
        let (mut system, end, read) = execute::run(running, loaded, rest(), outside, recorder);
        self.signals.ended();
        let verdict = report::verdict(&system, &end);
        let written = Recorder::finish(&mut system, &read, &verdict.run);
        drop(system);
        let told = std::mem::take(&mut *told.lock().unwrap_or_else(PoisonError::into_inner));
        let cases = told.into_cases(&case.module, None, Vec::new());
        let again = cases.iter().find(|again| again.name == case.name);
        let result = match again {
            Some(again) if is_same(again, case) && written.is_ok_and(|written| written.complete) => {
                std::fs::rename(&names.aside, &names.place).ok()?;
                return Some(Alone::Fails(names.place));
            }
            Some(again) if again.has_failed() => Some(Alone::Differs("it fails in another way")),
            Some(again) if again.status == Status::Passed => Some(Alone::Differs("it passes")),
            _ => None,
        };
        let aside: PathBuf = names.aside;
        let _removed_by_the_next_run = std::fs::remove_file(aside);
        result
    }
}

/// Is it the same failure? Values can be those of another order. Other processes have run by then, so pids, references and ports differ.
fn is_same(again: &Case, case: &Case) -> bool {
    let reason = |case: &Case| without_identities(&case.reason);
    again.status == case.status && again.class == case.class && reason(again) == reason(case)
}

/// A text without what is in pids, references and ports: `#PID<0.105.0>`, `<0.105.0>`, `#Reference<0.1.2.3>`, `#Port<0.6>`.
fn without_identities(text: &str) -> String {
    let mut made = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        let (before, after) = rest.split_at(at + 1);
        made.push_str(before);
        let end = after
            .find(|c: char| !c.is_ascii_digit() && c != '.')
            .unwrap_or(after.len());
        let is_identity = after[end..].starts_with('>') && after[..end].contains('.');
        rest = if is_identity { &after[end..] } else { after };
    }
    made + rest
}

#[cfg(test)]
mod tests {
    use super::without_identities;

    #[test]
    fn failures_are_compared_without_pids_references_and_ports() {
        for (text, made) in [
            ("left: #PID<0.105.0>", "left: #PID<>"),
            ("{noproc,<0.1.0>} #Ref<0.4.1.0> a", "{noproc,<>} #Ref<> a"),
            ("#Reference<0.1.2.3>#Port<0.6>", "#Reference<>#Port<>"),
            (
                "#Function<6.38/1 in M.f/0> 1 < 2.5 x<3>",
                "#Function<6.38/1 in M.f/0> 1 < 2.5 x<3>",
            ),
            ("<<1, 2>> <0.1", "<<1, 2>> <0.1"),
        ] {
            assert_eq!(without_identities(text), made);
        }
    }
}

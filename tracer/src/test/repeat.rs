//! `--runs N`: how often each test fails under other schedules, and one trace of each distinct failure.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use serde::Serialize;
use system::outside::Outside as _;
use system::scheduler::Schedule;

use super::case::{Case, ModuleRun, Status};
use super::copies::{Copies, Made, Outcome};
use super::find::Unit;
use super::meant::Reached;
use super::one::Runner;
use super::{Keep, TestArgs, rates, show};
use crate::exit::Exit;
use crate::options::Running;
use crate::outside::Real;
use crate::report::{plural, tell};

/// The results of one test.
#[derive(Clone, Debug, Default)]
pub(super) struct Tally {
    /// The module of the test.
    pub(super) module: String,
    pub(super) runs: u64,
    pub(super) failed: u64,
    /// Distinct failures, by what they have in common.
    pub(super) failures: BTreeMap<String, Failure>,
}

/// Runs in which a test failed in the same way.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Failure {
    pub(super) runs: u64,
    pub(super) reason: String,
    /// The first such run, from 1.
    pub(super) first_run: u64,
    /// Its seed, if it has one.
    pub(super) seed: Option<u64>,
    /// Its schedule, if that is not the one that was typed.
    pub(super) schedule: Option<String>,
    pub(super) trace: Option<PathBuf>,
    pub(super) why: Option<String>,
    /// The command that makes the run again, if there is no trace of it.
    pub(super) again: Option<String>,
}

/// All tests, by name.
pub(super) type Tallies = BTreeMap<String, Tally>;

/// Runs everything so many times. `all`: also those modules that `-k` does not mean.
pub fn repeat(runner: &Runner<'_>, all: &[Unit], times: u64) -> Exit {
    let Runner {
        args, found, signals, ..
    } = *runner;
    let mut tallies = Tallies::new();
    let mut problems = Problems::default();
    // So many runs of a module; of the last one, if there was an interruption.
    let mut made = 0;
    let progress = show::Progress::new(times.saturating_mul(found.units.len() as u64), args.quiet);
    let seed = first_seed(args);
    'all: for unit in &found.units {
        let before = tallies.clone();
        let mut copies = seed.map(|seed| Copies::new(runner, unit, seed));
        let mut number = 0;
        while number < times {
            number += 1;
            if signals.interrupted.load(Ordering::Relaxed) {
                break 'all;
            }
            progress.at(&format!("{}, run {number} of {times}", unit.module));
            let is_new = |run: &ModuleRun| match args.keep {
                Keep::All => true,
                Keep::None => false,
                Keep::Failed => run.cases.iter().any(|case| is_new(&tallies, case)),
            };
            let (run, how) = match &mut copies {
                None => {
                    let running = of_run(&args.running, number);
                    let seed = running.seed;
                    (runner.run(unit, &running, is_new), Made { seed, schedule: None })
                }
                Some(Err(run)) => ((**run).clone(), Made { seed, schedule: None }),
                Some(Ok(copies)) => match copies.run(number, is_new) {
                    Outcome::Ran(run, how) => (*run, how),
                    Outcome::BeginAnew => {
                        tallies.clone_from(&before);
                        number = 0;
                        continue;
                    }
                },
            };
            progress.done();
            // How far a test came in an interrupted run says nothing about it.
            if run.exit == Exit::Interrupted {
                break 'all;
            }
            problems.note(&run);
            made = number;
            add(&mut tallies, &run, number, &how, runner);
            if run.does_not_compile {
                break;
            }
        }
    }
    drop(progress);
    if let Some(most) = args.keep_max
        && let Err(error) = super::keep::remove_oldest(&args.traces, most)
    {
        tell(&error.to_string());
    }
    let written = rates::report(args, &tallies);
    closing(args, seed, &tallies, &problems, made);
    if let Err(error) = &written {
        tell(&error.to_string());
    }
    let interrupted = signals.interrupted.load(Ordering::Relaxed);
    let unmeant = problems.reached.unmeant(runner, all).filter(|_| !interrupted);
    if let Some(unmeant) = &unmeant {
        tell(&unmeant.error.to_string());
    }
    let exit = if interrupted {
        Exit::Interrupted
    } else if problems.does_not_compile {
        Exit::Program
    } else if tallies.values().any(|tally| tally.failed > 0) {
        Exit::TestsFailed
    } else if problems.lost.is_some() || written.is_err() {
        Exit::NoOutput
    } else {
        Exit::Success
    };
    unmeant.map_or(exit, |unmeant| unmeant.exit(exit))
}

/// What went wrong beside the tests.
#[derive(Default)]
struct Problems {
    does_not_compile: bool,
    lost: Option<String>,
    reached: Reached,
}

impl Problems {
    fn note(&mut self, run: &ModuleRun) {
        self.reached.note(run);
        self.does_not_compile |= run.does_not_compile;
        if self.lost.is_none() {
            self.lost.clone_from(&run.lost);
        }
    }
}

/// The seed of the first run, if runs are to begin where the first test does; they have a simulated clock, and a seed is drawn if none is given. What a
/// trace is to hold besides can only be said of runs that begin at their start.
fn first_seed(args: &TestArgs) -> Option<u64> {
    if args.from_start || !args.recording.is_usual() {
        return None;
    }
    let drawn = || Real::new(Arc::default(), None, None).entropy() >> 32;
    Some(args.running.seed.unwrap_or_else(drawn))
}

/// The options of one run: another seed, or a schedule drawn at random.
fn of_run(running: &Running, number: u64) -> Running {
    let mut running = running.clone();
    running.seed = running.seed.map(|seed| seed.wrapping_add(number - 1));
    running.schedule.get_or_insert(Schedule::Random);
    running
}

/// What equal failures have in common: the class, the reason, the place of the program, and the shape of the causes.
fn kind(case: &Case) -> String {
    let place = case.text.lines().next().unwrap_or_default();
    format!(
        "{:?} {:x} {} {} {}",
        case.status,
        case.shape.unwrap_or_default(),
        case.class,
        without_numbers(&case.reason),
        without_numbers(place)
    )
}

/// A text without the numbers of pids, references and funs, such as `<0.82.0>`: they differ from run to run.
pub(super) fn without_numbers(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        let (before, after) = rest.split_at(at);
        plain += before;
        let numbers = after[1..].find('>').map(|end| &after[1..=end]);
        // A binary, `<<1>>`, has no dots.
        let is_of_run =
            |text: &&str| text.matches('.').count() >= 2 && text.bytes().all(|b| b.is_ascii_digit() || b == b'.');
        match numbers.filter(is_of_run) {
            Some(numbers) => {
                plain += "<>";
                rest = &after[numbers.len() + 2..];
            }
            None => {
                plain += "<";
                rest = &after[1..];
            }
        }
    }
    plain + rest
}

/// The name of a test, with its description.
fn title(case: &Case) -> String {
    match case.description.as_str() {
        "" => case.distinct(),
        description => format!("{} ({description})", case.distinct()),
    }
}

fn is_new(tallies: &Tallies, case: &Case) -> bool {
    let known = tallies.get(&title(case));
    case.has_failed() && known.is_none_or(|tally| !tally.failures.contains_key(&kind(case)))
}

fn add(tallies: &mut Tallies, run: &ModuleRun, number: u64, how: &Made, runner: &Runner<'_>) {
    let is_told = |case: &&Case| !matches!(case.status, Status::Skipped | Status::NotRun);
    for case in run.cases.iter().filter(is_told) {
        let tally = tallies.entry(title(case)).or_default();
        tally.runs += 1;
        tally.module.clone_from(&case.module);
        if !case.has_failed() {
            continue;
        }
        tally.failed += 1;
        let failure = tally.failures.entry(kind(case)).or_insert_with(|| Failure {
            runs: 0,
            reason: match case.class.as_str() {
                "" => case.reason.clone(),
                class => format!("{class} {}", case.reason),
            },
            first_run: number,
            seed: how.seed,
            schedule: how.schedule.as_ref().map(ToString::to_string),
            trace: run.trace.clone(),
            why: run.why(case),
            again: how.seed.filter(|_| run.trace.is_none()).map(|seed| {
                let only = runner.found.units.len() > 1;
                show::again(
                    runner.command,
                    Some(seed),
                    how.schedule.as_ref(),
                    only.then_some(&run.module),
                )
            }),
        });
        failure.runs += 1;
    }
}

fn closing(args: &TestArgs, seed: Option<u64>, tallies: &Tallies, problems: &Problems, times: u64) {
    if !args.quiet {
        let failing = tallies.values().filter(|tally| tally.failed > 0).count();
        let how = match seed.or(args.running.seed) {
            Some(seed) => format!("seeds {seed} to {}", seed.wrapping_add(times.saturating_sub(1))),
            None => "random schedules on the real clock".to_owned(),
        };
        tell(&format!(
            "{failing} of {} failed at least once in {} ({how})",
            plural(tallies.len(), "test", "tests"),
            plural(times as usize, "run", "runs")
        ));
    }
    if let Some(lost) = &problems.lost {
        tell(lost);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pids_make_no_other_failure() {
        let case = |reason: &str| Case::named("m:a_test", Status::Failed, reason);
        assert_eq!(kind(&case("{down,<0.82.0>}")), kind(&case("{down,<0.9.0>}")));
        assert_eq!(kind(&case("#Ref<0.1.2.3>")), kind(&case("#Ref<0.1.2.4>")));
        assert_ne!(kind(&case("{got,1}")), kind(&case("{got,2}")));
        assert_ne!(kind(&case("<<1>>")), kind(&case("<<2>>")));
    }
}

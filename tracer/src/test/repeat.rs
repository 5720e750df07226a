//! `--runs N`: how often each test fails under other schedules, and one trace of each distinct failure.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::atomic::Ordering;

use serde::Serialize;
use system::scheduler::Schedule;

use super::case::{Case, ModuleRun, Status};
use super::find::Found;
use super::one::{Printing, Runner};
use super::{Format, Keep, TestArgs, show};
use crate::exit::Exit;
use crate::options::Running;
use crate::report::{plural, tell};
use crate::signals::Signals;

/// The results of one test.
#[derive(Clone, Debug, Default)]
struct Tally {
    runs: u64,
    failed: u64,
    /// Distinct failures, by what they have in common.
    failures: BTreeMap<String, Failure>,
}

/// Runs in which a test failed in the same way.
#[derive(Clone, Debug, Serialize)]
struct Failure {
    runs: u64,
    reason: String,
    /// The first such run, from 1.
    first_run: u64,
    /// Its seed, if it has one.
    seed: Option<u64>,
    trace: Option<PathBuf>,
    why: Option<String>,
}

/// All tests, by name.
type Tallies = BTreeMap<String, Tally>;

/// Runs everything so many times.
pub fn repeat(args: &TestArgs, found: &Found, times: u64, signals: &Signals, command: &[OsString]) -> Exit {
    let runner = Runner {
        args,
        found,
        signals,
        command,
        printing: Printing::Silent,
    };
    let mut tallies = Tallies::new();
    let mut problems = Problems::default();
    // So many runs of a module; of the last one, if there was an interruption.
    let mut made = 0;
    let progress = show::Progress::new(times.saturating_mul(found.units.len() as u64), args.quiet);
    'all: for unit in &found.units {
        for number in 1..=times {
            if signals.interrupted.load(Ordering::Relaxed) {
                break 'all;
            }
            progress.at(&format!("{}, run {number} of {times}", unit.module));
            let running = of_run(&args.running, number);
            let is_new = |run: &ModuleRun| match args.keep {
                Keep::All => true,
                Keep::None => false,
                Keep::Failed => run.cases.iter().any(|case| is_new(&tallies, case)),
            };
            let run = runner.run(unit, &running, is_new);
            progress.done();
            // How far a test came in an interrupted run says nothing about it.
            if run.exit == Exit::Interrupted {
                break 'all;
            }
            problems.note(&run);
            made = number;
            add(&mut tallies, &run, number, running.seed);
            if run.does_not_compile {
                break;
            }
        }
    }
    drop(progress);
    if let Some(most) = args.keep_max
        && let Err(text) = super::keep::remove_oldest(&args.traces, most)
    {
        tell(&text);
    }
    let written = report(args, &tallies);
    closing(args, &tallies, &problems, made);
    if let Err(text) = &written {
        tell(text);
    }
    if signals.interrupted.load(Ordering::Relaxed) {
        Exit::Interrupted
    } else if problems.does_not_compile {
        Exit::Program
    } else if tallies.is_empty() {
        tell("no tests were found; look at -k if it is given");
        Exit::NoInput
    } else if tallies.values().any(|tally| tally.failed > 0) {
        Exit::TestsFailed
    } else if problems.lost.is_some() || written.is_err() {
        Exit::NoOutput
    } else {
        Exit::Success
    }
}

/// What went wrong beside the tests.
#[derive(Default)]
struct Problems {
    does_not_compile: bool,
    lost: Option<String>,
}

impl Problems {
    fn note(&mut self, run: &ModuleRun) {
        self.does_not_compile |= run.does_not_compile;
        if self.lost.is_none() {
            self.lost.clone_from(&run.lost);
        }
    }
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
fn without_numbers(text: &str) -> String {
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
        "" => case.name.clone(),
        description => format!("{} ({description})", case.name),
    }
}

fn is_new(tallies: &Tallies, case: &Case) -> bool {
    let known = tallies.get(&title(case));
    case.has_failed() && known.is_none_or(|tally| !tally.failures.contains_key(&kind(case)))
}

fn add(tallies: &mut Tallies, run: &ModuleRun, number: u64, seed: Option<u64>) {
    for case in run.cases.iter().filter(|case| case.status != Status::Skipped) {
        let tally = tallies.entry(title(case)).or_default();
        tally.runs += 1;
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
            seed,
            trace: run.trace.clone(),
            why: run.why(case),
        });
        failure.runs += 1;
    }
}

/// The interval that contains the rate of failure with a probability of 95 % (Wilson, 1927).
fn wilson(failed: u64, runs: u64) -> (f64, f64) {
    /// The quantile of the normal distribution.
    const Z: f64 = 1.959_964;
    let (n, rate) = (runs as f64, failed as f64 / runs as f64);
    let scale = 1.0 + Z * Z / n;
    let middle = (rate + Z * Z / (2.0 * n)) / scale;
    let half = Z * (rate * (1.0 - rate) / n + Z * Z / (4.0 * n * n)).sqrt() / scale;
    ((middle - half).max(0.0), (middle + half).min(1.0))
}

/// One test in a report.
#[derive(Serialize)]
struct Row<'a> {
    name: &'a str,
    runs: u64,
    failed: u64,
    rate: f64,
    /// 95 %, Wilson.
    rate_from: f64,
    rate_to: f64,
    failures: Vec<&'a Failure>,
}

/// The tests, those that fail most often first.
fn rows(tallies: &Tallies) -> Vec<Row<'_>> {
    let mut rows: Vec<Row<'_>> = Vec::new();
    for (name, tally) in tallies {
        let (rate_from, rate_to) = wilson(tally.failed, tally.runs);
        let mut failures: Vec<&Failure> = tally.failures.values().collect();
        failures.sort_by_key(|failure| std::cmp::Reverse(failure.runs));
        rows.push(Row {
            name,
            runs: tally.runs,
            failed: tally.failed,
            rate: tally.failed as f64 / tally.runs as f64,
            rate_from,
            rate_to,
            failures,
        });
    }
    rows.sort_by(|a, b| b.rate.total_cmp(&a.rate).then_with(|| a.name.cmp(b.name)));
    rows
}

/// Writes the report to standard output, or as JSON to a file.
fn report(args: &TestArgs, tallies: &Tallies) -> Result<(), String> {
    use std::io::Write;
    let rows = rows(tallies);
    let json = || {
        serde_json::to_string_pretty(&rows)
            .map(|text| text + "\n")
            .map_err(|error| error.to_string())
    };
    if let Some(path) = &args.output {
        return std::fs::write(path, json()?)
            .map_err(|error| format!("cannot write the report {}: {error}", log_format::safe_path(path)));
    }
    let text = match args.format {
        Format::Json => json()?,
        Format::Text | Format::Junit => table(&rows),
    };
    match std::io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(format!("cannot write the report: {error}"))
        }
        _ => Ok(()),
    }
}

/// Limit: characters of a reason in the table.
const LONGEST_REASON: usize = 160;

fn table(rows: &[Row<'_>]) -> String {
    let mut text = String::new();
    let steady = rows.iter().filter(|row| row.failed == 0).count();
    for row in rows.iter().filter(|row| row.failed > 0) {
        text += &format!(
            "{}: failed in {} of {} ({:.1} %; 95 % interval {:.1} to {:.1} %)\n",
            log_format::safe(row.name),
            row.failed,
            plural(row.runs as usize, "run", "runs"),
            100.0 * row.rate,
            100.0 * row.rate_from,
            100.0 * row.rate_to,
        );
        for failure in &row.failures {
            let reason: String = failure.reason.chars().take(LONGEST_REASON).collect();
            let cut = if reason.len() < failure.reason.len() { "…" } else { "" };
            let seed = failure.seed.map(|seed| format!(", --seed {seed}")).unwrap_or_default();
            text += &format!(
                "  {} × {}{cut} (first in run {}{seed})\n",
                failure.runs,
                log_format::safe(&reason),
                failure.first_run
            );
            if let Some(why) = &failure.why {
                text += &format!("      {why}\n");
            }
        }
    }
    if let Some(row) = rows.iter().find(|row| row.failed == 0) {
        text += &format!(
            "{} never failed (95 % interval: up to {:.1} %)\n",
            plural(steady, "test", "tests"),
            100.0 * row.rate_to
        );
    }
    text
}

fn closing(args: &TestArgs, tallies: &Tallies, problems: &Problems, times: u64) {
    if !args.quiet {
        let failing = tallies.values().filter(|tally| tally.failed > 0).count();
        let how = match args.running.seed {
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
    fn intervals_are_wilsons() {
        // Values of R's `prop.test(x, n, correct = FALSE)`.
        for (failed, runs, from, to) in [
            (0, 100, 0.0, 0.036_99),
            (5, 10, 0.236_59, 0.763_41),
            (1, 50, 0.003_54, 0.104_95),
        ] {
            let (low, high) = wilson(failed, runs);
            assert!(
                (low - from).abs() < 1e-4 && (high - to).abs() < 1e-4,
                "{failed}/{runs}: {low} {high}"
            );
        }
    }

    #[test]
    fn pids_make_no_other_failure() {
        let case = |reason: &str| Case::named("m:a_test", Status::Failed, reason);
        assert_eq!(kind(&case("{down,<0.82.0>}")), kind(&case("{down,<0.9.0>}")));
        assert_eq!(kind(&case("#Ref<0.1.2.3>")), kind(&case("#Ref<0.1.2.4>")));
        assert_ne!(kind(&case("{got,1}")), kind(&case("{got,2}")));
        assert_ne!(kind(&case("<<1>>")), kind(&case("<<2>>")));
    }
}

//! The report of `--runs`: how often each test failed and in which ways, as text, JSON or JUnit.

use std::collections::BTreeMap;

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use serde::Serialize;

use super::repeat::{Failure, Tallies, without_numbers};
use super::{Format, TestArgs, document};
use crate::error::OutputError;
use crate::report::plural;

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
    #[serde(skip)]
    module: &'a str,
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
            module: &tally.module,
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

/// Writes the report to standard output, or to a file.
///
/// # Errors
/// It cannot be written.
pub fn report(args: &TestArgs, tallies: &Tallies) -> Result<(), OutputError> {
    let rows = rows(tallies);
    let text = match document::wanted(args) {
        Format::Json => serde_json::to_string_pretty(&rows)? + "\n",
        Format::Junit => junit(&rows)?,
        Format::Text => table(&rows),
    };
    document::hand_out(args, &text)
}

/// JUnit: a test that failed in one of the runs is a failed one.
fn junit(rows: &[Row<'_>]) -> Result<String, OutputError> {
    let mut suites: BTreeMap<&str, TestSuite> = BTreeMap::new();
    for row in rows {
        let status = if row.failed == 0 {
            TestCaseStatus::success()
        } else {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
            let runs = plural(row.runs as usize, "run", "runs");
            status.set_message(format!(
                "failed in {} of {runs} ({:.1} %)",
                row.failed,
                100.0 * row.rate
            ));
            status.set_type("failed in some runs");
            status.set_description(failed(row));
            status
        };
        let name = row
            .name
            .strip_prefix(row.module)
            .and_then(|rest| rest.strip_prefix(':'));
        let mut case = TestCase::new(name.unwrap_or(row.name), status);
        case.set_classname(row.module);
        let suite = suites.entry(row.module).or_insert_with(|| TestSuite::new(row.module));
        suite.add_test_case(case);
    }
    let mut report = Report::new("tracer test --runs");
    report.add_test_suites(suites.into_values());
    Ok(report.to_string()?)
}

/// Limit: commands for one failure.
const MOST_SORTS: usize = 5;
/// Limit: characters of a reason in the table.
const LONGEST_REASON: usize = 160;

/// A test that failed, and in which ways. Failures with the same words and other causes are told once, with a trace of each.
fn failed(row: &Row<'_>) -> String {
    let mut text = format!(
        "{}: failed in {} of {} ({:.1} %; 95 % interval {:.1} to {:.1} %)\n",
        log_format::safe(&causality::test_title(row.name)),
        row.failed,
        plural(row.runs as usize, "run", "runs"),
        100.0 * row.rate,
        100.0 * row.rate_from,
        100.0 * row.rate_to,
    );
    let mut equal: Vec<(String, Vec<&Failure>)> = Vec::new();
    for &failure in &row.failures {
        let words = without_numbers(&failure.reason);
        match equal.iter_mut().find(|(other, _)| *other == words) {
            Some((_, all)) => all.push(failure),
            None => equal.push((words, vec![failure])),
        }
    }
    for (_, all) in &equal {
        let runs: u64 = all.iter().map(|failure| failure.runs).sum();
        let Some(first) = all.iter().min_by_key(|failure| failure.first_run) else {
            continue;
        };
        let reason: String = first.reason.chars().take(LONGEST_REASON).collect();
        let cut = if reason.len() < first.reason.len() { "…" } else { "" };
        let mut seed = first.seed.map(|seed| format!(", --seed {seed}")).unwrap_or_default();
        if let Some(schedule) = &first.schedule {
            seed += &format!(" --schedule {schedule}");
        }
        text += &format!(
            "  {runs} × {}{cut} (first in run {}{seed})\n",
            log_format::safe(&reason),
            first.first_run
        );
        if all.len() > 1 {
            text += &format!("      {} sorts of causes:\n", all.len());
        }
        for failure in all.iter().take(MOST_SORTS) {
            let times = if all.len() > 1 {
                format!("{} × ", failure.runs)
            } else {
                String::new()
            };
            match (&failure.why, &failure.again) {
                (Some(why), _) => text += &format!("      {times}{why}\n"),
                (None, Some(again)) => text += &format!("      {times}again: {again}\n"),
                (None, None) => {}
            }
        }
        if all.len() > MOST_SORTS {
            text += &format!("      … and {} more sorts\n", all.len() - MOST_SORTS);
        }
    }
    text
}

fn table(rows: &[Row<'_>]) -> String {
    let mut text = String::new();
    let steady = rows.iter().filter(|row| row.failed == 0).count();
    for row in rows.iter().filter(|row| row.failed > 0) {
        text += &failed(row);
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
}

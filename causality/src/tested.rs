//! Tests of a run: what the test runners noted of them.

use log_format::{ActionId, ActionNo, FinalState, Kind, LogStep, Pid, Result, TEST_NATIVE, TestNote, Trace};
use rustc_hash::FxHashMap;

use crate::causes::causes;
use crate::errors::first_errors;
use crate::point::Point;

/// One run of a test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Test {
    /// Its name, `bank_tests:transfer_test`.
    pub name: String,
    /// The process that ran it.
    pub of: Pid,
    /// The action with which it began; `None` for a setup, cleanup or generator that failed.
    pub began: Option<ActionId>,
    /// The action that noted how it ended, and what it noted; `None` if it did not end.
    pub ended: Option<(ActionId, TestNote)>,
}

/// Is it the name of a test of ExUnit, `TotalsTest:test adds`?
#[must_use]
pub fn is_of_exunit(name: &str) -> bool {
    let kind = name.split_once(':').and_then(|(_, rest)| rest.split_once(' '));
    kind.is_some_and(|(kind, _)| !kind.is_empty() && kind.bytes().all(|b| b.is_ascii_lowercase()))
}

/// The name of a test in a sentence, as its runner prints it: `test adds (TotalsTest)`, `the test bank_tests:transfer_test`.
#[must_use]
pub fn test_said(name: &str) -> String {
    match is_of_exunit(name) {
        true => test_title(name),
        false => format!("the test {name}"),
    }
}

/// The name of a test as its runner prints it: `test adds (TotalsTest)`, `bank_tests:transfer_test`.
#[must_use]
pub fn test_title(name: &str) -> String {
    match name.split_once(':') {
        Some((module, test)) if is_of_exunit(name) => format!("{test} ({module})"),
        _ => name.to_owned(),
    }
}

impl Test {
    /// If it failed: the action that noted it, class and reason, and the stack trace.
    #[must_use]
    pub fn failed(&self) -> Option<(ActionId, &str, &str)> {
        match &self.ended {
            Some((action, TestNote::Failed { reason, stack })) => Some((*action, reason, stack)),
            _ => None,
        }
    }

    /// The point of the run that shows how it ended.
    ///
    /// The exception of a failed test is noted by the process that ran the test. If another one noted it, the process was ended: by its keeper
    /// because the time was up (then the point is the receive in which it waited), or by an exit signal (then that is the point).
    ///
    /// # Errors
    /// If the trace is damaged.
    pub fn point(&self, trace: &Trace) -> Result<Point> {
        if let Some((noted, _)) = &self.ended
            && noted.pid == self.of
        {
            return Ok(Point::from(*noted));
        }
        let process = trace.process(self.of)?;
        let last = ActionId {
            pid: self.of,
            number: process.counts.last_action(),
        };
        if !process.ended || last.number == ActionNo(0) {
            let waits = trace
                .outcome(self.of)?
                .is_some_and(|outcome| matches!(outcome.state, FinalState::Waiting { .. }));
            return Ok(Point::rest(last, waits && !process.ended));
        }
        let by = self.ended.as_ref().map(|(noted, _)| noted.pid);
        match trace.action(last.pid, last.number)?.kind {
            Kind::Signal { tag, waiting, .. } if tag.sender() == by && !tag.is_of_an_end() => {
                Ok(Point::rest(ActionId::new(self.of, last.number.0 - 1), waiting))
            }
            _ => Ok(Point::from(last)),
        }
    }
}

/// All tests of a run, by process and in the order in which they began.
///
/// # Errors
/// If the trace is damaged.
pub fn tests(trace: &Trace) -> Result<Vec<Test>> {
    if !may_have_tests(trace)? {
        return Ok(Vec::new());
    }
    let mut found: Vec<Test> = Vec::new();
    // For each process, the test that it runs: its place in `found`.
    let mut runs: FxHashMap<Pid, usize> = FxHashMap::default();
    let mut by_others = Vec::new();
    for process in trace.processes() {
        let pid = process?.pid;
        let mut log = trace.log(pid)?;
        loop {
            let number = ActionNo(log.counts().actions + 1);
            let (of, name, note) = match log.step(u64::MAX)? {
                None => break,
                Some(LogStep::Action(action)) => match &action.kind {
                    Kind::Test { of, name, note } => (*of, trace.text(*name)?.to_owned(), note.clone()),
                    _ => continue,
                },
                Some(LogStep::Sends(_)) => continue,
            };
            let noted = ActionId { pid, number };
            if of != pid {
                by_others.push((of, name, (noted, note)));
            } else if note == TestNote::Began {
                runs.insert(of, found.len());
                found.push(Test {
                    name,
                    of,
                    began: Some(noted),
                    ended: None,
                });
            } else {
                end(&mut found, &mut runs, of, name, (noted, note));
            }
        }
    }
    for (of, name, ended) in by_others {
        end(&mut found, &mut runs, of, name, ended);
    }
    found.sort_by_key(|test| (test.of, test.began.or(test.ended.as_ref().map(|(noted, _)| *noted))));
    Ok(found)
}

/// The runs of a test that a target names, `test:NAME` or `test:NAME/N`, and which one it asks for.
///
/// A name can itself end in `/2` or `/0`; it counts as it is printed, with or without its module.
#[must_use]
pub fn runs_of<'t>(tests: &'t [Test], name: &str, n: Option<u64>) -> (Vec<&'t Test>, Option<u64>) {
    let whole = n.map_or_else(|| name.to_owned(), |n| format!("{name}/{n}"));
    let without = name.strip_suffix("/0").unwrap_or(name);
    for (wanted, n) in [(whole.as_str(), None), (name, n), (without, n)] {
        let is = |found: &str| found == wanted || log_format::safe(found) == wanted;
        let is_it = |test: &&Test| is(&test.name) || test.name.split_once(':').is_some_and(|(_, rest)| is(rest));
        let of_name: Vec<&Test> = tests.iter().filter(is_it).collect();
        if !of_name.is_empty() {
            return (of_name, n);
        }
    }
    (Vec::new(), n)
}

/// A test has ended: the one that its process runs, or one that never began.
fn end(found: &mut Vec<Test>, runs: &mut FxHashMap<Pid, usize>, of: Pid, name: String, ended: (ActionId, TestNote)) {
    if let Some(&at) = runs.get(&of)
        && found[at].name == name
        && found[at].ended.is_none()
    {
        found[at].ended = Some(ended);
        runs.remove(&of);
        return;
    }
    found.push(Test {
        name,
        of,
        began: None,
        ended: Some(ended),
    });
}

/// A trace that lists the natives of its recorder says whether any test was noted; of another one the logs have to be read.
fn may_have_tests(trace: &Trace) -> Result<bool> {
    let program = trace.program()?;
    if program.natives.is_empty() {
        return Ok(true);
    }
    let place = program.natives.iter().position(|native| native.name == TEST_NATIVE);
    Ok(place.is_some_and(|place| program.used.iter().any(|used| *used as usize == place)))
}

/// The failed tests of a run: first those that no other one led to, then the others; in each group in the order of [`tests`].
///
/// In a slice whose actions are the causes of one failed test, that test is the only one.
///
/// # Errors
/// If the trace is damaged.
pub fn failed_tests(trace: &Trace) -> Result<Vec<Test>> {
    let mut failed: Vec<Test> = tests(trace)?;
    failed.retain(|test| test.failed().is_some());
    let noted = |test: &Test| test.failed().map(|(noted, ..)| noted);
    if trace.is_slice() {
        let all = trace.totals().counts.actions;
        for (at, test) in failed.iter().enumerate() {
            if let Some(noted) = noted(test)
                && causes(trace, noted)?.actions() == all
            {
                return Ok(vec![failed.swap_remove(at)]);
            }
        }
    }
    // In one process, the first.
    let mut first: FxHashMap<Pid, ActionId> = FxHashMap::default();
    for noted in failed.iter().filter_map(noted) {
        let one = first.entry(noted.pid).or_insert(noted);
        *one = noted.min(*one);
    }
    let ends: Vec<ActionId> = first.into_values().collect();
    let first = first_errors(trace, &ends)?;
    let (mut before, mut after) = (Vec::new(), Vec::new());
    for test in failed {
        let is_first = noted(&test).is_some_and(|noted| first.contains(&noted));
        if is_first { before.push(test) } else { after.push(test) }
    }
    before.append(&mut after);
    Ok(before)
}

//! What people should know besides the point that a target names, in words.

use causality::{Point, RunFailure, Target};
use log_format::{ActionId, ActionNo, FinalState, Kind, Pid, RunEnd, TestNote, Trace};

use crate::error::Error;
use crate::words::{count, safe};

/// Limit: processes that a note lists.
const NAMED: usize = 5;

/// All notes on a point: other failures first.
///
/// # Errors
/// If the trace is damaged.
pub fn all(trace: &Trace, point: &Point) -> Result<Vec<String>, Error> {
    let mut notes: Vec<String> = other_errors(trace, &point.others)?.into_iter().collect();
    notes.extend(on_point(trace, point)?);
    Ok(notes)
}

/// The notes on a point, without those on other failures.
///
/// # Errors
/// If the trace is damaged.
pub fn on_point(trace: &Trace, point: &Point) -> Result<Vec<String>, Error> {
    if let Some(place) = &point.place {
        return Ok(vec![reached_after(trace, point, place)?]);
    }
    let is_error = point.target == Target::Error;
    let mut notes = match (point.rests, is_error) {
        (false, _) => raised(trace, point.pid, point.action)?.into_iter().collect(),
        (true, true) => waiting(trace, point.pid)?,
        (true, false) => stood(trace, point.pid)?,
    };
    if is_error {
        notes.extend(other_tests(trace)?);
    }
    Ok(notes)
}

/// Between which actions a step or a line is.
fn reached_after(trace: &Trace, point: &Point, place: &Target) -> Result<String, Error> {
    // Before its first action, the point is the creation of the process.
    let of = match place {
        Target::Step(who, _) | Target::Line { who: Some(who), .. } => who.resolve(trace)?,
        _ => point.pid,
    };
    Ok(match trace.process(of)?.parent {
        Some(spawn) if spawn == point.id() => {
            format!("{place} is reached before the first action of {of}; the answer is about its creation")
        }
        _ => format!(
            "{place} is reached after {}; the answer is about that action",
            point.id()
        ),
    })
}

/// A note on abnormal ends that are not causes of the shown one.
///
/// # Errors
/// If the trace is damaged.
pub fn other_errors(trace: &Trace, others: &[ActionId]) -> Result<Option<String>, Error> {
    if others.is_empty() {
        return Ok(None);
    }
    let mut named = Vec::new();
    for end in others.iter().take(NAMED) {
        named.push(end_named(trace, *end)?);
    }
    let more = others.len().saturating_sub(NAMED);
    let rest = if more > 0 {
        format!(" and {}", count(more as u64, "more process"))
    } else {
        String::new()
    };
    Ok(Some(format!(
        "also ended abnormally, and not among the causes: {}{rest}",
        named.join(", ")
    )))
}

/// Where the exception was raised that failed a test: when it is noted, it has left the functions of the program.
fn raised(trace: &Trace, pid: Pid, action: ActionNo) -> Result<Option<String>, Error> {
    if action == ActionNo(0) {
        return Ok(None);
    }
    Ok(match trace.action(pid, action)?.kind {
        Kind::Test {
            note: TestNote::Failed { stack, .. },
            ..
        } => stack
            .lines()
            .next()
            .map(|first| format!("the exception was raised in {}; `why` explains it", safe(first))),
        _ => None,
    })
}

/// For `error`: the failed tests that it does not show, in words.
///
/// # Errors
/// If the trace is damaged.
pub fn other_tests(trace: &Trace) -> Result<Option<String>, Error> {
    let mut tests = causality::failed_tests(trace)?;
    if tests.is_empty() {
        return Ok(None);
    }
    // Otherwise something harder is shown.
    if matches!(causality::failure(trace)?, Some(RunFailure::Tests(_))) {
        tests.remove(0);
    }
    if tests.is_empty() {
        return Ok(None);
    }
    let mut named: Vec<String> = tests.iter().map(|test| format!("test:{}", safe(&test.name))).collect();
    named.dedup();
    let more = named.len().saturating_sub(NAMED);
    named.truncate(NAMED);
    let rest = match more {
        0 => String::new(),
        more => format!(" and {}", count(more as u64, "more test")),
    };
    Ok(Some(format!("also failed: {}{rest}", named.join(", "))))
}

/// Processes of other nodes have two names in the output: in values, and where actions are listed.
pub fn node_note(trace: &Trace) -> Result<Option<String>, Error> {
    let many = trace.nodes()?.len() > 1;
    Ok(many.then(|| {
        "in values, the pid of a process on another node begins with the number of the node: <2.7.0> is process 0.7.0".to_owned()
    }))
}

/// Where a process that was still running stood when the run ended: silent steps after its last action are not replayed.
fn stood(trace: &Trace, pid: Pid) -> Result<Vec<String>, Error> {
    Ok(match trace.outcome(pid)?.map(|outcome| outcome.state) {
        Some(FinalState::Running { location }) if !location.is_empty() => {
            vec![format!(
                "when the run ended, {pid} was running at {}; a replay goes to its last action only",
                safe(&location)
            )]
        }
        _ => Vec::new(),
    })
}

/// In a deadlock: the other waiting processes.
fn waiting(trace: &Trace, shown: Pid) -> Result<Vec<String>, Error> {
    if trace.run_end()? != Some(RunEnd::Deadlock) {
        return Ok(Vec::new());
    }
    let mut named = Vec::new();
    let mut more = 0;
    for outcome in trace.outcomes()? {
        let FinalState::Waiting { location } = &outcome.state else {
            continue;
        };
        if outcome.pid == shown {
            continue;
        }
        if named.len() < NAMED {
            named.push(format!("end:{} at {}", outcome.pid, safe(location)));
        } else {
            more += 1;
        }
    }
    let text = match (named.is_empty(), more) {
        (true, _) => "no other process was left".to_owned(),
        (false, 0) => format!("other waiting processes: {}", named.join(", ")),
        (false, n) => format!(
            "other waiting processes: {} and {}",
            named.join(", "),
            count(n, "more process")
        ),
    };
    Ok(vec![format!("nothing more could happen; {text}")])
}

/// The end of a process as a target, as all answers name it.
///
/// # Errors
/// If the trace is damaged.
pub fn end_named(trace: &Trace, end: ActionId) -> Result<String, Error> {
    let pid = end.pid;
    Ok(match trace.action(pid, end.number)?.kind {
        Kind::Exit { .. } => format!("exit:{pid}"),
        Kind::Signal { .. } => format!("signal:{pid}"),
        _ => end.to_string(),
    })
}

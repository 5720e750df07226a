//! Targets in a trace: finds the process and the action that a typed target names.

use causality::{Failure, NoSuchTarget, Resolved, Target};
use log_format::{ActionId, ActionNo, ErrorKind, FinalState, Kind, Pid, RunEnd, Tag, TestNote, Trace};

use crate::error::Error;
use crate::words::{count, safe};

/// The point that a target names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// The target, in a form that can be pasted.
    pub target: String,
    /// The process.
    pub pid: Pid,
    /// The last of its actions that is replayed; 0: only its creation is.
    pub action: ActionNo,
    /// The process then runs on silently, to its end or to the receive in which it waits.
    pub runs_on: bool,
    /// For `error`: abnormal ends that it does not show, see [`Failure`].
    pub others: Vec<ActionId>,
    /// Notes for the user.
    pub notes: Vec<String>,
}

impl Found {
    /// The last action that is replayed of its process.
    #[must_use]
    pub const fn id(&self) -> ActionId {
        ActionId {
            pid: self.pid,
            number: self.action,
        }
    }

    /// All notes for the user, also those on other failures.
    ///
    /// # Errors
    /// If the trace is damaged.
    pub fn all_notes(&self, trace: &Trace) -> Result<Vec<String>, Error> {
        let mut notes: Vec<String> = other_errors(trace, &self.others)?.into_iter().collect();
        notes.extend(self.notes.iter().cloned());
        Ok(notes)
    }
}

/// Limit: processes that a note lists.
const NAMED: usize = 5;

/// Finds a target.
///
/// # Errors
/// The text is not a target; the trace has no such thing; the trace is damaged.
pub fn resolve(trace: &Trace, text: &str) -> Result<Found, Error> {
    let target: Target = text
        .parse()
        .map_err(|error: causality::TargetError| Error::Usage(error.to_string()))?;
    let resolved = target.resolve(trace).map_err(refused)?;
    let found = |pid, action, runs_on, notes| Found {
        target: target.to_string(),
        pid,
        action,
        runs_on,
        others: Vec::new(),
        notes,
    };
    match resolved {
        Resolved::Action { pid, action, others } => {
            let mut notes: Vec<String> = raised(trace, pid, action)?.into_iter().collect();
            if target == Target::Error {
                notes.extend(other_tests(trace)?);
            }
            Ok(Found {
                others,
                ..found(pid, action, false, notes)
            })
        }
        Resolved::End { pid, action, onward } => {
            let notes = if target == Target::Error {
                let mut notes = waiting(trace, pid)?;
                notes.extend(other_tests(trace)?);
                notes
            } else {
                stood(trace, pid)?
            };
            let mut others = Vec::new();
            if target == Target::Error
                && let Some(Failure::Deadlock { others: ends, .. }) = causality::failure(trace)?
            {
                others = ends;
            }
            Ok(Found {
                others,
                ..found(pid, action, onward, notes)
            })
        }
        Resolved::ByReplay { .. } => Err(Error::Usage(format!(
            "targets such as {target} are not supported yet: name an action, for example one that `replay log` lists"
        ))),
    }
}

/// Finds a process by its pid or a registered name.
///
/// # Errors
/// As [`resolve`].
pub fn process(trace: &Trace, text: &str) -> Result<Pid, Error> {
    let end: Target = format!("end:{text}").parse().map_err(|_| {
        let found = text.escape_debug();
        Error::Usage(format!(
            "`{found}` is not a process: expected a pid such as 0.7.0, or a registered name such as server"
        ))
    })?;
    let of_process = |error: NoSuchTarget| match error {
        // The user named a process, not its end.
        NoSuchTarget::Absent { range, list, .. } => {
            Error::NoTarget(safe(&format!("no process {text} in this trace: {range}; {list}")))
        }
        error => refused(error),
    };
    match end.resolve(trace).map_err(of_process)? {
        Resolved::Action { pid, .. } | Resolved::End { pid, .. } => Ok(pid),
        Resolved::ByReplay { .. } => Err(Error::Bug(format!("{end} does not name a process"))),
    }
}

fn refused(error: NoSuchTarget) -> Error {
    match error {
        absent @ NoSuchTarget::Absent { .. } => Error::NoTarget(safe(&absent.to_string())),
        NoSuchTarget::Trace(error) => error.into(),
    }
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

/// The end of a process as a target, as all answers name it.
///
/// # Errors
/// If the trace is damaged.
pub fn end_named(trace: &Trace, ActionId { pid, number }: ActionId) -> Result<String, Error> {
    Ok(match trace.action(pid, number)?.kind {
        Kind::Exit { .. } => format!("exit:{pid}"),
        Kind::Signal { .. } => format!("signal:{pid}"),
        _ => format!("event:{pid}/{number}"),
    })
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
    if matches!(causality::failure(trace)?, Some(Failure::Tests(_))) {
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

/// The action that sent a signal, if it is in the trace: a slice names messages whose sends it does not contain.
///
/// # Errors
/// If the trace is damaged there.
pub fn sender_of(trace: &Trace, tag: Tag) -> Result<Option<log_format::ActionId>, Error> {
    match trace.find_send(tag) {
        Err(error) if trace.is_slice() && matches!(error.kind, ErrorKind::Absent { .. }) => Ok(None),
        sent => Ok(sent?),
    }
}

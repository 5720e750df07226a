//! The target `error`: the failure of a run, its abnormal ends, and which of them come first.

use log_format::{ActionId, ActionNo, ExitClass, FinalState, Kind, Pid, Result, RunEnd, Trace};

use crate::causes::causes;
use crate::consequences::consequences_of_all;
use crate::handled::{AbnormalExit, Gravity, began_with, weigh};
use crate::target::Target;
use crate::tested::{Test, failed_tests};

/// Up to this many abnormal ends, the past of each is computed; with more, the future of all of them at once.
const FEW_ENDS: usize = 32;

/// The abnormal ends that count, by process: an uncaught `error` or `throw`, and an `exit` or an exit signal whose reason is not `normal`, `shutdown`
/// or `{shutdown, _}`; for the entry, any that is not `normal`. (If the outcome does not tell the reason, any `exit` counts.)
///
/// Only the gravest of them count: if nobody handled the end of some process, then neither those that somebody did, nor those that follow from
/// others, nor those of processes that were killed; see [`Gravity`]. They do not count either if the entry waits for ever.
///
/// In a slice whose actions are the causes of an abnormal end, that end is the only one.
///
/// If the trace has an outcome, only the processes listed there are examined.
///
/// # Errors
/// If the trace is damaged.
pub fn abnormal_ends(trace: &Trace) -> Result<Vec<ActionId>> {
    let mut ends = all_ends(trace)?;
    let gravest = ends.iter().map(|end| end.gravity).max();
    if gravest < Some(Gravity::Failed) && trace.run_end()? == Some(RunEnd::Deadlock) {
        return Ok(Vec::new());
    }
    ends.retain(|end| Some(end.gravity) == gravest);
    Ok(ends.into_iter().map(|end| end.id).collect())
}

/// All abnormal ends, with what they are.
fn all_ends(trace: &Trace) -> Result<Vec<AbnormalExit>> {
    let mut ends = Vec::new();
    if trace.run_end()?.is_some() {
        for outcome in trace.outcomes()? {
            if let FinalState::Ended { reason, .. } = outcome.state {
                ends.extend(abnormal_end(trace, outcome.pid, Some(reason))?);
            }
        }
    } else {
        for process in trace.processes() {
            let process = process?;
            if process.ended {
                ends.extend(abnormal_end(trace, process.pid, None)?);
            }
        }
    }
    if ends.iter().any(|end| !end.is_entry) {
        weigh(trace, &mut ends)?;
    }
    // A slice belongs to the end that it is a slice of; what it leaves out does not matter.
    if trace.is_slice() {
        let all = trace.totals().counts.actions;
        for end in &mut ends {
            if causes(trace, end.id)?.actions() == all {
                end.gravity = Gravity::Failed;
                return Ok(vec![end.clone()]);
            }
        }
    }
    Ok(ends)
}

/// The failure of a run: what `error` means.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RunFailure {
    /// A process ended abnormally.
    Ended {
        /// The abnormal end.
        first: ActionId,
        /// Others that nobody handled, that no other one led to, and that did not lead to this one.
        others: Vec<ActionId>,
        /// If this is false, some process handled it, or another one ended it on purpose: nothing else has failed.
        failed: bool,
    },
    /// Nothing more can happen, and this process, the entry, waits.
    Deadlock {
        /// The entry.
        entry: Pid,
        /// Abnormal ends that nobody handled and that no other one led to.
        others: Vec<ActionId>,
    },
    /// Tests failed, in the order of [`failed_tests`]; at least one.
    Tests(Vec<Test>),
    /// The run was halted with a status that is not 0.
    Halted {
        /// By this action.
        action: ActionId,
        /// Abnormal ends that nobody handled and that no other one led to.
        others: Vec<ActionId>,
    },
    /// The entry returned `{error, Reason}`; its last action.
    ReturnedError(ActionId),
}

/// The failure of a run, if it failed. This is the only definition: all commands use it.
///
/// With failed tests: an end of the entry that no failed test led to; a deadlock; the failed tests. A process that crashed is less than a failed
/// test because tests make processes crash on purpose; if its crash led to the failed test, it is a cause of it.
///
/// Without: an abnormal end of the entry, or a halt with another status than 0; an abnormal end that nobody handled and that no other such end
/// led to; a deadlock; an `{error, Reason}` that the entry returned; any other abnormal end. If the entry was ended by a link, its failure is the
/// end that the link told of. If a script of Elixir failed, its failure is the end of the process that ran it, and not the halt that follows.
///
/// # Errors
/// If the trace is damaged.
pub fn failure(trace: &Trace) -> Result<Option<RunFailure>> {
    let ends = all_ends(trace)?;
    let run_end = trace.run_end()?;
    let entry = trace.processes().next().transpose()?;
    let of_entry = ends.iter().find(|end| end.is_entry);
    let tests = failed_tests(trace)?;
    if !tests.is_empty() {
        return with_tests(trace, tests, of_entry).map(Some);
    }
    let failed: Vec<ActionId> = ends
        .iter()
        .filter(|end| end.gravity == Gravity::Failed)
        .map(|end| end.id)
        .collect();
    if let Some(end) = of_entry {
        let first = began_with(&ends, end);
        let past = causes(trace, end.id)?;
        let others: Vec<ActionId> = failed.into_iter().filter(|id| !past.contains(*id)).collect();
        return Ok(Some(RunFailure::Ended {
            first,
            others: first_errors(trace, &others)?,
            failed: true,
        }));
    }
    let mut unhandled = first_errors(trace, &failed)?;
    match (&run_end, &entry) {
        (Some(RunEnd::Halted(code)), _) if *code != 0 => {
            if let Some(first) = end_of_script(trace, &ends)? {
                unhandled.retain(|id| *id != first);
                return Ok(Some(RunFailure::Ended {
                    first,
                    others: unhandled,
                    failed: true,
                }));
            }
            if let Some(action) = halt(trace)? {
                let past = causes(trace, action)?;
                unhandled.retain(|id| !past.contains(*id));
                return Ok(Some(RunFailure::Halted {
                    action,
                    others: unhandled,
                }));
            }
        }
        _ => {}
    }
    if !unhandled.is_empty() {
        let first = unhandled.remove(0);
        return Ok(Some(RunFailure::Ended {
            first,
            others: unhandled,
            failed: true,
        }));
    }
    // A crash that nobody handled comes first: that the entry waits is nearly always its effect.
    if let (Some(RunEnd::Deadlock), Some(entry)) = (&run_end, &entry) {
        return Ok(Some(RunFailure::Deadlock {
            entry: entry.pid,
            others: Vec::new(),
        }));
    }
    if let (Some(RunEnd::Returned(value)), Some(entry)) = (&run_end, &entry)
        && value.starts_with("{error,")
    {
        return Ok(Some(RunFailure::ReturnedError(ActionId {
            pid: entry.pid,
            number: entry.counts.last_action(),
        })));
    }
    let mut others = first_errors(trace, &abnormal_ends(trace)?)?;
    if others.is_empty() {
        return Ok(None);
    }
    let first = others.remove(0);
    Ok(Some(RunFailure::Ended {
        first,
        others,
        failed: false,
    }))
}

/// The failures of a run that are told and judged one by one, as targets: each failed test by its name, in the order of [`failed_tests`], and
/// `error` for a failure of another kind, which comes first. Only `error` if no test failed, or the only failure is one test. Several runs of a test
/// with one name are one.
///
/// # Errors
/// If the trace is damaged.
pub fn failures(trace: &Trace) -> Result<Vec<Target>> {
    let mut names: Vec<String> = Vec::new();
    for test in failed_tests(trace)? {
        // A name can have characters that no target has; it is found as it is printed.
        let name = log_format::safe(&test.name);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let tests = names.into_iter().map(|name| Target::Test(name, None));
    Ok(match failure(trace)? {
        Some(RunFailure::Tests(_)) if tests.len() > 1 => tests.collect(),
        Some(RunFailure::Tests(_)) | None => vec![Target::Error],
        Some(_) => std::iter::once(Target::Error).chain(tests).collect(),
    })
}

/// Of a script of Elixir: its command line runs it in a process of its own, prints its failure and halts.
fn end_of_script(trace: &Trace, ends: &[AbnormalExit]) -> Result<Option<ActionId>> {
    let Some(entry) = trace.processes().next().transpose()? else {
        return Ok(None);
    };
    if !trace.header().entry.starts_with("retell_script:") {
        return Ok(None);
    }
    let mut last = None;
    for end in ends {
        let process = trace.process(end.id.pid)?;
        if process.parent.is_some_and(|spawn| spawn.pid == entry.pid)
            && last.is_none_or(|other: &AbnormalExit| other.id.pid < end.id.pid)
        {
            last = Some(end);
        }
    }
    Ok(last.map(|end| began_with(ends, end)))
}

/// The failure of a run in which tests failed.
fn with_tests(trace: &Trace, tests: Vec<Test>, of_entry: Option<&AbnormalExit>) -> Result<RunFailure> {
    if let Some(end) = of_entry {
        let past = causes(trace, end.id)?;
        let led_to_it = |test: &Test| test.failed().is_some_and(|(noted, ..)| past.contains(noted));
        if !tests.iter().any(led_to_it) {
            return Ok(RunFailure::Ended {
                first: end.id,
                others: Vec::new(),
                failed: true,
            });
        }
    }
    if let (Some(RunEnd::Deadlock), Some(entry)) = (trace.run_end()?, trace.processes().next().transpose()?) {
        return Ok(RunFailure::Deadlock {
            entry: entry.pid,
            others: Vec::new(),
        });
    }
    Ok(RunFailure::Tests(tests))
}

/// The action that halted the run: the last one of its process, and of the run.
///
/// # Errors
/// If the trace is damaged.
pub fn halt(trace: &Trace) -> Result<Option<ActionId>> {
    for process in trace.processes() {
        let process = process?;
        let number = process.counts.last_action();
        if number > ActionNo(0)
            && !process.ended
            && matches!(trace.action(process.pid, number)?.kind, Kind::Halt { .. })
        {
            return Ok(Some(ActionId {
                pid: process.pid,
                number,
            }));
        }
    }
    Ok(None)
}

fn abnormal_end(trace: &Trace, pid: Pid, reason: Option<String>) -> Result<Option<AbnormalExit>> {
    let process = trace.process(pid)?;
    let last = process.counts.last_action();
    if last == ActionNo(0) {
        return Ok(None);
    }
    let is_entry = process.parent.is_none();
    // Nobody told the entry to end: its `shutdown` is a failure of the run, as the recorder says too.
    let peaceful = reason.as_deref().is_some_and(|reason| match is_entry {
        false => log_format::is_peaceful(reason),
        true => reason == "normal",
    });
    let kind = trace.action(pid, last)?.kind;
    let signal = match &kind {
        Kind::Signal { tag, .. } => Some(*tag),
        _ => None,
    };
    let abnormal = match kind {
        Kind::Exit {
            class: ExitClass::Normal,
        } => false,
        Kind::Exit {
            class: ExitClass::Error | ExitClass::Throw,
        } => true,
        Kind::Exit { class: ExitClass::Exit } | Kind::Signal { .. } => !peaceful,
        _ => false,
    };
    Ok(abnormal.then(|| AbnormalExit {
        id: ActionId { pid, number: last },
        gravity: Gravity::of(pid, signal, is_entry),
        signal,
        reason,
        is_entry,
    }))
}

/// Those of these ends that no other of them is a cause of; by process.
///
/// # Errors
/// If the trace is damaged.
pub fn first_errors(trace: &Trace, ends: &[ActionId]) -> Result<Vec<ActionId>> {
    let mut first = Vec::new();
    if ends.len() <= FEW_ENDS {
        for end in ends {
            let past = causes(trace, *end)?;
            if !ends.iter().any(|other| other.pid != end.pid && past.contains(*other)) {
                first.push(*end);
            }
        }
    } else {
        // An end is a process's last action, so the future of an end reaches another end only from outside its process.
        let mut rest = ends.to_vec();
        let future = ends_reached(trace, &mut rest)?;
        first.extend(ends.iter().filter(|end| !future.contains(end)));
    }
    first.sort_unstable();
    Ok(first)
}

/// The ends that lie in the future of another one.
fn ends_reached(trace: &Trace, ends: &mut [ActionId]) -> Result<Vec<ActionId>> {
    // The future of an end begins with what the end sends. If a process consumes that before its own end, its end is reached.
    ends.sort_unstable();
    let future = consequences_of_all(trace, ends.iter().copied())?;
    let mut reached = Vec::new();
    for end in ends.iter() {
        // Reached before its own end: another end is a cause. Reached only at its end: only what the end itself needs can tell.
        match future.first(end.pid) {
            Some(at) if at < end.number => reached.push(*end),
            _ => {
                let direct = crate::direct::direct_causes(trace, *end)?;
                if direct
                    .iter()
                    .any(|edge| edge.from.pid != end.pid && future.contains(edge.from))
                {
                    reached.push(*end);
                }
            }
        }
    }
    Ok(reached)
}

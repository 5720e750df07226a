//! The target `error`: the failure of a run, its abnormal ends, and which of them come first.

use log_format::{ActionId, ActionNo, ExitClass, FinalState, Kind, Pid, Result, RunEnd, Tag, Trace};

use rustc_hash::FxHashMap;

use crate::causes::causes;
use crate::consequences::consequences_of_all;
use crate::tested::{Test, failed_tests};

/// Up to this many abnormal ends, the past of each is computed; with more, the future of all of them at once.
const FEW_ENDS: usize = 32;

/// The abnormal ends, by process: an uncaught `error` or `throw`, and an `exit` or an exit signal whose reason is not `normal`, `shutdown` or
/// `{shutdown, _}`; for the entry, any that is not `normal`. (If the outcome does not tell the reason, any `exit` counts.)
///
/// A process that another one ended on purpose did not fail. If a process failed by itself, or the entry ended abnormally or waits for ever,
/// then processes that were ended by `exit/2` or by a stop of their node are left out, and so are those linked to one of them. If there are
/// ends by links but no such failure, only those ended by `exit/2` or a node stop are left out. In the same way, an end that its parent
/// expected (see [`Gravity::Expected`]) is left out if something else failed.
///
/// In a slice whose actions are the causes of an abnormal end, that end is the only one.
///
/// If the trace has an outcome, only the processes listed there are examined.
///
/// # Errors
/// If the trace is damaged.
pub fn abnormal_ends(trace: &Trace) -> Result<Vec<ActionId>> {
    let mut ends = Vec::new();
    if trace.run_end()?.is_some() {
        for outcome in trace.outcomes()? {
            if let FinalState::Ended { reason, .. } = &outcome.state {
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
    let deadlock = trace.run_end()? == Some(RunEnd::Deadlock);
    let failed = ends.iter().filter(|(gravity, _)| *gravity == Gravity::Failed).count();
    if failed > 1 || failed > 0 && deadlock {
        find_expected(trace, &mut ends)?;
    }
    let gravest = ends.iter().map(|(gravity, _)| *gravity).max();
    if gravest < Some(Gravity::Failed) && deadlock {
        return Ok(Vec::new());
    }
    // A slice belongs to the end that it is a slice of; what it leaves out does not matter.
    if trace.is_slice() {
        let all = trace.totals().counts.actions;
        for (_, end) in &ends {
            if causes(trace, *end)?.actions() == all {
                return Ok(vec![*end]);
            }
        }
    }
    ends.retain(|(gravity, _)| Some(*gravity) == gravest);
    Ok(ends.into_iter().map(|(_, end)| end).collect())
}

/// How serious an abnormal end is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Gravity {
    /// By `exit/2` of another process, or a stop of its node.
    Killed,
    /// By a link.
    Linked,
    /// The parent, not the entry, received the end and at once started another process, as supervisors do; or it was an `exit` that the parent
    /// awaited as a result.
    Expected,
    /// Any other one.
    Failed,
}

impl Gravity {
    /// The gravity of an abnormal end; `signal` is the signal that ended the process, if any.
    #[must_use]
    pub fn of(pid: Pid, signal: Option<Tag>, is_entry: bool) -> Self {
        match signal {
            _ if is_entry => Self::Failed,
            Some(Tag::Sent { by, .. }) if by != pid => Self::Killed,
            Some(Tag::EndTo { .. }) => Self::Linked,
            _ => Self::Failed,
        }
    }
}

/// Parents with longer logs are not examined: the answer has to come at once.
const MAX_PARENT_ACTIONS: u64 = 1_000_000;

/// Finds the failed processes whose parents expected the failure.
fn find_expected(trace: &Trace, ends: &mut [(Gravity, ActionId)]) -> Result<()> {
    let mut children: FxHashMap<Pid, Vec<usize>> = FxHashMap::default();
    for (i, (gravity, ActionId { pid, .. })) in ends.iter().enumerate() {
        if *gravity == Gravity::Failed
            && let Some(ActionId { pid: parent, .. }) = trace.process(*pid)?.parent
        {
            children.entry(parent).or_default().push(i);
        }
    }
    for (parent, mut children) in children {
        let process = trace.process(parent)?;
        if process.parent.is_none() || process.counts.actions > MAX_PARENT_ACTIONS {
            continue;
        }
        children.sort_unstable_by_key(|&i| ends[i].1.pid);
        // The child that ended last, if nothing else happened since.
        let mut last = None;
        for item in trace.log(parent)?.without_values() {
            match item?.1.kind {
                Kind::Rec(tag) => {
                    let by = tag.sender().filter(|_| tag.is_of_an_end());
                    let at = by.and_then(|by| children.binary_search_by_key(&by, |&i| ends[i].1.pid).ok());
                    last = at.map(|at| children[at]);
                    if let (Some(i), Tag::EndRef { .. }) = (last, tag)
                        && is_exit(trace, ends[i].1)?
                    {
                        ends[i].0 = Gravity::Expected;
                    }
                }
                Kind::Spawn { .. } => {
                    if let Some(i) = last.take() {
                        ends[i].0 = Gravity::Expected;
                    }
                }
                _ => {}
            }
        }
    }
    Ok(())
}

fn is_exit(trace: &Trace, ActionId { pid, number: last }: ActionId) -> Result<bool> {
    Ok(matches!(
        trace.action(pid, last)?.kind,
        Kind::Exit { class: ExitClass::Exit }
    ))
}

/// The failure of a run: what `error` means.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Failure {
    /// A process ended abnormally.
    Ended {
        /// The abnormal end that no other one led to; of several, that of the process with the lowest number.
        first: ActionId,
        /// The others that no other one led to.
        others: Vec<ActionId>,
    },
    /// Nothing more can happen, and this process, the entry, waits.
    Deadlock(Pid),
    /// Tests failed, in the order of [`failed_tests`]; at least one.
    Tests(Vec<Test>),
    /// This action halted the run with a status that is not 0.
    Halted(ActionId),
    /// The entry returned `{error, Reason}`; its last action.
    ReturnedError(ActionId),
}

/// The failure of a run, if it failed.
///
/// In this order: an end of the entry that no failed test led to; a deadlock; failed tests; other abnormal ends; a halt with another status
/// than 0; an `{error, Reason}` that the entry returned. A process that crashed is less than a failed test because tests make processes crash on
/// purpose; if its crash led to the failed test, it is a cause of it.
///
/// # Errors
/// If the trace is damaged.
pub fn failure(trace: &Trace) -> Result<Option<Failure>> {
    let ends = abnormal_ends(trace)?;
    let run_end = trace.run_end()?;
    let entry = trace.processes().next().transpose()?;
    let tests = failed_tests(trace)?;
    if !tests.is_empty() {
        let entry = entry.as_ref().map(|entry| entry.pid);
        if let Some(end) = ends.iter().find(|end| Some(end.pid) == entry) {
            let past = causes(trace, *end)?;
            let led_to_it = |test: &Test| test.failed().is_some_and(|(noted, ..)| past.contains(noted));
            if !tests.iter().any(led_to_it) {
                return Ok(Some(Failure::Ended {
                    first: *end,
                    others: Vec::new(),
                }));
            }
        }
        if let (Some(RunEnd::Deadlock), Some(entry)) = (&run_end, entry) {
            return Ok(Some(Failure::Deadlock(entry)));
        }
        return Ok(Some(Failure::Tests(tests)));
    }
    let mut first = first_errors(trace, &ends)?.into_iter();
    if let Some(one) = first.next() {
        return Ok(Some(Failure::Ended {
            first: one,
            others: first.collect(),
        }));
    }
    let Some(entry) = entry else { return Ok(None) };
    Ok(match run_end {
        Some(RunEnd::Deadlock) => Some(Failure::Deadlock(entry.pid)),
        Some(RunEnd::Halted(code)) if code != 0 => halt(trace)?.map(Failure::Halted),
        Some(RunEnd::Returned(value)) if value.starts_with("{error,") => Some(Failure::ReturnedError(ActionId {
            pid: entry.pid,
            number: entry.counts.last_action(),
        })),
        _ => None,
    })
}

/// The action that halted the run: the last one of its process, and of the run.
///
/// # Errors
/// If the trace is damaged.
pub(crate) fn halt(trace: &Trace) -> Result<Option<ActionId>> {
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

fn abnormal_end(trace: &Trace, pid: Pid, reason: Option<&str>) -> Result<Option<(Gravity, ActionId)>> {
    let process = trace.process(pid)?;
    let last = process.counts.last_action();
    if last == ActionNo(0) {
        return Ok(None);
    }
    // Nobody told the entry to end: its `shutdown` is a failure of the run, as the recorder says too.
    let peaceful = reason.is_some_and(|reason| match process.parent {
        Some(_) => log_format::is_peaceful(reason),
        None => reason == "normal",
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
    let gravity = Gravity::of(pid, signal, process.parent.is_none());
    Ok(abnormal.then_some((gravity, ActionId { pid, number: last })))
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

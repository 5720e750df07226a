//! The target `error`: abnormal ends, and which of them come first.

use log_format::{ActionId, ActionNo, ExitClass, FinalState, Kind, Pid, Result, RunEnd, Tag, Trace};

use rustc_hash::FxHashMap;

use crate::causes::causes;
use crate::consequences::consequences_of_all;

/// With at most so many abnormal ends the past of each is looked at; with more, the future of all of them at once.
const FEW: usize = 32;

/// The abnormal ends, by process: an uncaught `error` or `throw`, and an `exit` or an exit signal whose reason is not `normal`,
/// `shutdown` or `{shutdown, _}` (where the outcome tells the reason; else any).
///
/// Ending another process is a means, not a failure: where a process failed by itself, or the entry ended abnormally, or waits for ever,
/// those that `exit/2` or a stop of their node ended, and those that were linked to such a one, are left out; where there are some that
/// were linked, those that were ended so. In the same way an end that its parent expected (see [`Gravity::Expected`]) is left out where
/// something else failed.
///
/// In a slice whose actions are the causes of an abnormal end, that is the only one.
///
/// Where the trace has an outcome, only the processes listed there are looked at.
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
    // A slice is told by what it is the slice of, and not by what it leaves out.
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

/// How grave an abnormal end is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Gravity {
    /// By `exit/2` of another process, or a stop of its node.
    Killed,
    /// By a link.
    Linked,
    /// Its parent, not the entry, took the end in and at once started another process, as supervisors do; or it was an `exit` that the
    /// parent waited for as for a result.
    Expected,
    /// Any other one.
    Failed,
}

impl Gravity {
    /// Of the abnormal end of a process, with the signal that ended it, if it was one.
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

/// Parents whose logs are longer are not looked at: the answer has to come at once.
const LONG: u64 = 1_000_000;

/// Finds those of the failed processes whose parents expected it.
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
        if process.parent.is_none() || process.counts.actions > LONG {
            continue;
        }
        children.sort_unstable_by_key(|&i| ends[i].1.pid);
        // The child whose end came last, and nothing else since.
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

fn abnormal_end(trace: &Trace, pid: Pid, reason: Option<&str>) -> Result<Option<(Gravity, ActionId)>> {
    let process = trace.process(pid)?;
    let last = process.counts.last_action();
    if last == ActionNo(0) {
        return Ok(None);
    }
    let peaceful = reason.is_some_and(log_format::is_peaceful);
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

/// Of some ends, those that no other of them is a cause of; by process.
///
/// # Errors
/// If the trace is damaged.
pub fn first_errors(trace: &Trace, ends: &[ActionId]) -> Result<Vec<ActionId>> {
    let mut first = Vec::new();
    if ends.len() <= FEW {
        for end in ends {
            let past = causes(trace, *end)?;
            if !ends.iter().any(|other| other.pid != end.pid && past.contains(*other)) {
                first.push(*end);
            }
        }
    } else {
        // An end is a process's last action, so that the future of an end reaches another one only from outside.
        let mut rest = ends.to_vec();
        let future = ends_reached(trace, &mut rest)?;
        first.extend(ends.iter().filter(|end| !future.contains(end)));
    }
    first.sort_unstable();
    Ok(first)
}

/// Those ends that lie in the future of another one.
fn ends_reached(trace: &Trace, ends: &mut [ActionId]) -> Result<Vec<ActionId>> {
    // The future of an end begins with what its end sends: whoever takes that in before its own end is reached by another.
    ends.sort_unstable();
    let future = consequences_of_all(trace, ends.iter().copied())?;
    let mut reached = Vec::new();
    for end in ends.iter() {
        // Reached before the end itself: another end is the cause. At the end: only its own needs can tell.
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

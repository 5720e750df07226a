//! What an action depends on directly (semantics.md §3, rules 1 to 5).

use log_format::{
    Action, ActionId, ActionNo, Error, Kind, Pid, ProcessFacts, Resource, Result, SendNo, Tag, Trace, Version,
};

/// Something that must have happened before an action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CauseNeed {
    /// This action. Number 0: the birth of the process.
    Action(ActionId),
    /// The k-th signal of this process has been sent.
    Sent(Pid, SendNo),
    /// This process has ended.
    End(Pid),
}

impl CauseNeed {
    /// The process that it is about.
    pub const fn pid(self) -> Pid {
        match self {
            Self::Action(action) => action.pid,
            Self::Sent(pid, _) | Self::End(pid) => pid,
        }
    }
}

/// Appends what an action depends on, apart from program order and the birth of its process.
#[inline]
pub(crate) fn needs(action: &Action, into: &mut Vec<CauseNeed>) {
    if let Some(tag) = action.kind.consumed()
        && let Some(need) = need_of(tag)
    {
        into.push(need);
    }
    for access in &action.accesses {
        if let Some(by) = access.by {
            into.push(CauseNeed::Action(by));
        }
    }
    if let Kind::Observe { of: Some(of), .. } = &action.kind {
        into.push(CauseNeed::Action(*of));
    }
}

/// The send of a signal. A kill by the runtime has none.
pub(crate) const fn need_of(tag: Tag) -> Option<CauseNeed> {
    match tag {
        Tag::Sent { by, k } => Some(CauseNeed::Sent(by, k)),
        Tag::EndTo { by, .. } | Tag::EndRef { by, .. } | Tag::EndTable { by, .. } => Some(CauseNeed::End(by)),
        Tag::Limit { .. } => None,
    }
}

/// The number of the last action of a process, which must be an end.
pub(crate) fn end_of(process: &ProcessFacts) -> Result<ActionNo> {
    if process.ended {
        return Ok(process.counts.last_action());
    }
    let found = format_args!("{} that has not ended", process.pid);
    Err(Error::damaged(0, "a process whose end sent a signal", found))
}

/// Why one action comes before another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EdgeKind {
    /// It is the action before, of the same process.
    Program,
    /// It created the process.
    Spawn,
    /// It sent the signal that was received, or took effect, or was dropped.
    Message(Tag),
    /// It wrote the version that was read.
    Write(Resource, Version),
    /// It was the last action of the process that was observed.
    Observed,
}

/// A direct cause of an action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DirectCause {
    /// The cause.
    pub from: ActionId,
    /// Why it is one.
    pub kind: EdgeKind,
}

/// The direct causes of an action: the action before (or the spawn, if it is the first of its process), then the others in the order of the log.
///
/// # Errors
/// If there is no such action, or the trace is damaged.
pub fn direct_causes(trace: &Trace, of: ActionId) -> Result<Vec<DirectCause>> {
    let ActionId { pid, number } = of;
    let action = trace.action(pid, number)?;
    let mut edges = Vec::new();
    if number.0 > 1 {
        edges.push(DirectCause {
            from: ActionId::new(pid, number.0 - 1),
            kind: EdgeKind::Program,
        });
    } else if let Some(from) = trace.process(pid)?.parent {
        edges.push(DirectCause {
            from,
            kind: EdgeKind::Spawn,
        });
    }
    if let Some(tag) = action.kind.consumed()
        && let Some(from) = trace.find_send(tag)?
    {
        edges.push(DirectCause {
            from,
            kind: EdgeKind::Message(tag),
        });
    }
    // If the log names a process that had done nothing, its birth is meant.
    let born = |action: ActionId| match action.number {
        ActionNo(0) => trace.process(action.pid).map(|process| process.parent),
        _ => Ok(Some(action)),
    };
    for access in &action.accesses {
        if let Some(by) = access.by
            && let Some(from) = born(by)?
        {
            let read = if access.write {
                Version(access.version.0.saturating_sub(1))
            } else {
                access.version
            };
            edges.push(DirectCause {
                from,
                kind: EdgeKind::Write(access.resource, read),
            });
        }
    }
    if let Kind::Observe { of: Some(of), .. } = action.kind
        && let Some(from) = born(of)?
    {
        edges.push(DirectCause {
            from,
            kind: EdgeKind::Observed,
        });
    }
    Ok(edges)
}

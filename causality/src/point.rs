//! The point of a run that a target names.

use log_format::{ActionId, ActionNo, Cut, Pid, Trace};

use crate::causes::causes;
use crate::target::Target;

/// The point of a run that a target names: an action that has just been done, or where a process rests after its last action.
///
/// [`Target::resolve`] finds it in a log. Steps and lines are found by a replay (`session`), which makes the same type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Point {
    /// A target that names it: as asked for, or, of a step or a line, the last action of the process before it.
    pub target: Target,
    /// If a step or a line was asked for, which only a replay finds: that target.
    pub place: Option<Target>,
    /// The process.
    pub pid: Pid,
    /// The last of its actions that belongs to the point; 0: only its creation does.
    pub action: ActionNo,
    /// It is not the action, but where the process comes to rest after it: its end, a receive, or where the recording stopped.
    pub rests: bool,
    /// The process has to run on silently to get there. invariant: only if it rests.
    pub runs_on: bool,
    /// For `error`: the other failures that no other one led to.
    pub others: Vec<ActionId>,
}

impl Point {
    /// The last action that belongs to the point; number 0 for the creation of its process.
    #[must_use]
    pub const fn id(&self) -> ActionId {
        ActionId {
            pid: self.pid,
            number: self.action,
        }
    }

    /// Where a process rests after this action. `runs_on`: it has to run on to get there.
    #[must_use]
    pub fn rest(last: ActionId, runs_on: bool) -> Self {
        Self {
            rests: true,
            runs_on,
            ..Self::from(last)
        }
    }

    /// The same point, under the name by which it was asked for.
    #[must_use]
    pub fn named(self, target: Target) -> Self {
        Self { target, ..self }
    }

    /// Do both say that the same process stands at the same place?
    #[must_use]
    pub fn is_at(&self, other: &Self) -> bool {
        (self.id(), self.runs_on) == (other.id(), other.runs_on)
    }

    /// What must be replayed: the causes of the point, its action included.
    ///
    /// # Errors
    /// If the trace is damaged.
    pub fn causes(&self, trace: &Trace) -> log_format::Result<Cut> {
        causes(trace, self.id())
    }
}

impl From<ActionId> for Point {
    /// Right after an action.
    fn from(id: ActionId) -> Self {
        Self {
            target: Target::from(id),
            place: None,
            pid: id.pid,
            action: id.number,
            rests: false,
            runs_on: false,
            others: Vec::new(),
        }
    }
}

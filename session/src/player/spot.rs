//! Spots as data: places where a run is to stop, and processes that have come there.

use std::fmt;
use std::sync::Arc;

use interpreter::atom::Atom;
use interpreter::heap::Fragment;
use interpreter::vm::{self, Program};
use log_format::{ExitClass, Kind, Pid};

use crate::predicate::{Own, Scope};
use crate::program::Sources;

/// Where a run stops.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SpotKind {
    /// Before a process evaluates this line.
    Line {
        /// The file as stack traces show it.
        file: Arc<str>,
        /// From 1.
        line: u32,
    },
    /// At the first expression of a function that was called.
    Function {
        /// The module.
        module: Atom,
        /// The function.
        name: Atom,
        /// Any, without one.
        arity: Option<u8>,
    },
    /// Right after a process has received a message.
    Receive,
    /// Right after a receive has timed out.
    Timeout,
    /// Before a process ends by itself, with one of these classes.
    End(Vec<ExitClass>),
    /// Right after the exit signal of another process has ended it.
    Signal,
}

impl SpotKind {
    /// Does it name the function of this place?
    pub(super) fn is_function(&self, at: vm::SourceLocation<'_>) -> bool {
        let Self::Function { module, name, arity } = self else {
            return false;
        };
        at.module == *module && at.function == *name && arity.is_none_or(|arity| arity == at.arity)
    }

    /// Where a process stands for which this action, its `number`-th, is such a spot.
    pub(super) fn of_action(&self, action: &Kind, number: u64) -> Option<SpotPlace> {
        let after = SpotPlace::Step {
            actions: number,
            steps: 0,
        };
        match (self, action) {
            (Self::Receive, Kind::Rec(_)) | (Self::Timeout, Kind::After) | (Self::Signal, Kind::Signal { .. }) => {
                Some(after)
            }
            (Self::End(classes), Kind::Exit { class }) if classes.contains(class) => Some(SpotPlace::BeforeEnd(number)),
            _ => None,
        }
    }
}

/// What a process is like where it comes to a spot.
pub struct Here<'a> {
    /// The process.
    pub machine: &'a vm::Process,
    /// The code.
    pub program: &'a Program,
    /// The message that it has received, at [`SpotKind::Receive`]; the reason of its end, at [`SpotKind::End`].
    pub carried: Option<&'a Fragment>,
    /// It runs: it has not stopped at an action.
    runs: bool,
}

impl<'a> Here<'a> {
    /// A process that has received nothing. `runs`: it is in the middle of a line.
    pub(super) const fn of(machine: &'a vm::Process, program: &'a Program, runs: bool) -> Self {
        Self {
            machine,
            program,
            carried: None,
            runs,
        }
    }

    /// What an expression evaluated there can use.
    #[must_use]
    pub fn scope(&self, sources: &Sources) -> Scope {
        let variables = match self.runs {
            true => {
                let bound = self.machine.variables_here(self.program);
                let known = crate::named::variables(&bound, self.program.terms());
                let value = |(name, value): (String, Option<_>)| Some((name, self.machine.heap.export_own(value?)));
                known.filter_map(value).collect()
            }
            false => crate::subject::values(self.machine, self.program, |file| sources.owns(file)),
        };
        Scope {
            variables,
            own: Some(Own::of(self.machine)),
        }
    }
}

/// Does it stop there?
pub type Holds = Arc<dyn Fn(&Here<'_>) -> bool + Send + Sync>;

/// A place where a run stops.
#[derive(Clone)]
pub struct Spot {
    /// Which places.
    pub kind: SpotKind,
    /// Only this process.
    pub who: Option<Pid>,
    /// And only where this holds.
    pub holds: Option<Holds>,
}

impl fmt::Debug for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.kind)
    }
}

impl Spot {
    /// Any process, under no condition.
    #[must_use]
    pub const fn of(kind: SpotKind) -> Self {
        Self {
            kind,
            who: None,
            holds: None,
        }
    }

    /// Is this process there, which has come to such a place?
    pub(super) fn takes(&self, pid: Pid, here: &Here<'_>) -> bool {
        self.who.is_none_or(|who| who == pid) && self.holds.as_ref().is_none_or(|holds| holds(here))
    }
}

/// The spots of one search. Two lists are equal if they are the same one.
#[derive(Clone, Debug)]
pub struct Spots(pub Arc<[Spot]>);

impl PartialEq for Spots {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}
impl Eq for Spots {}

/// Where a process stands at a spot: after this many actions, and then this many steps.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum SpotPlace {
    /// At a step.
    Step {
        /// Its actions.
        actions: u64,
        /// Its steps since.
        steps: u64,
    },
    /// Before its end, which would be this action.
    BeforeEnd(u64),
}

/// A process at a spot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SpotVisit {
    /// Which one of the list.
    pub spot: usize,
    /// The process.
    pub pid: Pid,
    /// Where it stands.
    pub place: SpotPlace,
}

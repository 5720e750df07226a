//! A part of a run: a prefix of the log of every process.

use crate::error::Result;
use crate::ids::{ActionId, Pid};
use crate::pids::PidMap;
use crate::trace::Trace;

/// A cut: the first so many actions of each process; of a process that is not named, none.
///
/// It is *consistent* if it holds the causes of each of its actions (closed under `⇒`, semantics.md §3). Functions that make such a cut
/// say so; of any other it is the caller's to know.
///
/// ```
/// use log_format::{ActionId, Cut, Pid};
///
/// let cut: Cut = [ActionId::new(Pid(1), 3), ActionId::new(Pid(7), 2)].into_iter().collect();
/// assert_eq!(cut.get(Pid(7)), 2);
/// assert!(cut.contains(ActionId::new(Pid(1), 3)) && !cut.contains(ActionId::new(Pid(1), 4)));
/// assert_eq!(cut.actions(), 5);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Cut {
    /// invariant: no length is 0.
    lengths: PidMap<u64>,
    /// invariant: their sum, which wraps around in a cut that no trace has.
    actions: u64,
}

impl Cut {
    /// All actions of a trace.
    ///
    /// # Errors
    /// If the index is damaged.
    pub fn whole(trace: &Trace) -> Result<Self> {
        let mut cut = Self::default();
        for process in trace.processes() {
            let process = process?;
            cut.set(process.pid, process.counts.actions);
        }
        Ok(cut)
    }

    /// The number of a process's actions in it.
    #[inline]
    #[must_use]
    pub fn get(&self, pid: Pid) -> u64 {
        self.lengths.get(pid).copied().unwrap_or(0)
    }

    /// Sets the number of a process's actions in it.
    pub fn set(&mut self, pid: Pid, actions: u64) {
        let before = match actions {
            0 => self.lengths.remove(pid),
            _ => self.lengths.insert(pid, actions),
        };
        let others = self.actions.wrapping_sub(before.unwrap_or(0));
        self.actions = others.wrapping_add(actions);
    }

    /// Adds an action, with all earlier ones of its process.
    pub fn extend_to(&mut self, last: ActionId) {
        if last.number.0 > self.get(last.pid) {
            self.set(last.pid, last.number.0);
        }
    }

    /// Does it contain this action? It never contains number 0, the birth of a process.
    #[must_use]
    pub fn contains(&self, action: ActionId) -> bool {
        (1..=self.get(action.pid)).contains(&action.number.0)
    }

    /// The number of actions in it.
    #[must_use]
    pub const fn actions(&self) -> u64 {
        self.actions
    }

    /// The number of processes with an action in it.
    #[must_use]
    pub const fn processes(&self) -> usize {
        self.lengths.len()
    }

    /// Is it empty?
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.lengths.is_empty()
    }

    /// The last action of each process, ascending by process. Processes without an action are left out.
    pub fn iter(&self) -> impl Iterator<Item = ActionId> + '_ {
        self.lengths.iter().map(|(pid, length)| ActionId::new(pid, *length))
    }

    /// The last action of each process whose number of actions can differ in another cut, ascending by process. It passes over what two cuts
    /// share because one was made from the other.
    pub fn besides<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = ActionId> + 'a {
        let lengths = self.lengths.besides(&other.lengths);
        lengths.map(|(pid, length)| ActionId::new(pid, *length))
    }

    /// The actions that are in one of the two.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        let mut both = self.clone();
        both.extend(other.besides(self));
        both
    }

    /// Is all of it in the other?
    #[must_use]
    pub fn is_within(&self, other: &Self) -> bool {
        self.besides(other).all(|last| other.contains(last))
    }
}

impl PartialEq for Cut {
    fn eq(&self, other: &Self) -> bool {
        self.actions == other.actions
            && self.processes() == other.processes()
            && self.besides(other).all(|last| other.get(last.pid) == last.number.0)
    }
}

impl Eq for Cut {}

impl FromIterator<ActionId> for Cut {
    /// The smallest cut that contains these actions.
    fn from_iter<I: IntoIterator<Item = ActionId>>(actions: I) -> Self {
        let mut cut = Self::default();
        cut.extend(actions);
        cut
    }
}

impl Extend<ActionId> for Cut {
    fn extend<I: IntoIterator<Item = ActionId>>(&mut self, actions: I) {
        for action in actions {
            self.extend_to(action);
        }
    }
}

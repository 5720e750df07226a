//! Suffixes of logs.

use log_format::{ActionId, ActionNo, Cut, Pid};
use rustc_hash::FxHashMap;

/// A suffix of some logs: of each of their processes, all actions from a first one on. What is undone together is one, and so is the future of an
/// action.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Suffixes {
    first: FxHashMap<Pid, ActionNo>,
}

impl Suffixes {
    /// The first action of a process that belongs to it.
    #[must_use]
    pub fn first(&self, pid: Pid) -> Option<ActionNo> {
        self.first.get(&pid).copied()
    }

    /// Does an action belong to it?
    #[must_use]
    pub fn contains(&self, action: ActionId) -> bool {
        self.first(action.pid).is_some_and(|first| first <= action.number)
    }

    /// Lets it begin, for the process of this action, at this action, or where it begins already if that is earlier.
    pub fn add(&mut self, action: ActionId) {
        let first = self.first.entry(action.pid).or_insert(action.number);
        *first = action.number.min(*first);
    }

    /// Its first action of each process, in no order.
    pub fn starts(&self) -> impl Iterator<Item = ActionId> + '_ {
        self.first.iter().map(|(&pid, &number)| ActionId { pid, number })
    }

    /// What is left of a cut without it.
    #[must_use]
    pub fn left_of(&self, cut: &Cut) -> Cut {
        let mut left = cut.clone();
        for start in self.starts().filter(|start| cut.contains(*start)) {
            left.set(start.pid, start.number.0.saturating_sub(1));
        }
        left
    }
}

impl FromIterator<ActionId> for Suffixes {
    fn from_iter<I: IntoIterator<Item = ActionId>>(actions: I) -> Self {
        let mut all = Self::default();
        actions.into_iter().for_each(|action| all.add(action));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_ends_before_the_first_action() {
        let id = ActionId::new;
        let cut: Cut = [id(Pid(1), 5), id(Pid(2), 3)].into_iter().collect();
        let suffixes: Suffixes = [id(Pid(1), 4), id(Pid(1), 2), id(Pid(2), 9)].into_iter().collect();
        assert_eq!(suffixes.first(Pid(1)), Some(ActionNo(2)));
        assert!(suffixes.contains(id(Pid(1), 3)) && !suffixes.contains(id(Pid(1), 1)));
        let left = suffixes.left_of(&cut);
        assert_eq!((left.get(Pid(1)), left.get(Pid(2))), (1, 3));
        assert!(suffixes.starts().count() == 2 && Suffixes::default().starts().next().is_none());
    }
}

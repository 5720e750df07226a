//! When a process began to accept signals of some sort, or ceased to. Most often an alias or a monitor ceases, once: each call of `gen_server` is
//! one of these. So each is found by its key, and a copy of the process shares what was noted before.

use interpreter::term::{Pid, Reference};
use rustc_hash::FxHashMap;

use crate::state::map::Map;

/// A process begins to accept signals of some sort, or ceases to. What has arrived by then is not concerned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AcceptTurn {
    /// After so many of its actions.
    pub at: u64,
    /// Are they accepted from now on?
    pub accepts: bool,
    /// Had one arrived by then?
    pub sure: bool,
}

/// Which signals a [`AcceptTurn`] is about.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Sort {
    /// Exit signals, as messages.
    Exits,
    /// Messages to this alias, of the process itself.
    Alias(Reference),
    /// The 'DOWN' of this monitor, of the process itself.
    Monitor(Reference),
    /// The exit signal of this process, to which there was a link.
    Link(Pid),
}

/// All turns of a process.
#[derive(Clone, Debug, Default)]
pub struct Turns {
    /// An alias ceases once.
    aliases: Map<u64, AcceptTurn>,
    /// So does a monitor.
    monitors: Map<u64, AcceptTurn>,
    /// What can turn again.
    others: FxHashMap<Sort, Vec<AcceptTurn>>,
}

impl Turns {
    /// Has none ever turned?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.aliases.is_empty() && self.monitors.is_empty() && self.others.is_empty()
    }

    /// The number of signals' sorts that have turned.
    #[must_use]
    pub fn len(&self) -> usize {
        self.aliases.len() + self.monitors.len() + self.others.len()
    }

    /// Those of a sort, the oldest first.
    #[must_use]
    pub fn of(&self, what: Sort) -> &[AcceptTurn] {
        match what {
            Sort::Alias(of) => self.aliases.get(&of.number).map_or(&[], std::slice::from_ref),
            Sort::Monitor(of) => self.monitors.get(&of.number).map_or(&[], std::slice::from_ref),
            Sort::Exits | Sort::Link(_) => self.others.get(&what).map_or(&[], Vec::as_slice),
        }
    }

    /// After so many actions, signals of a sort begin to be accepted, or cease to; nothing if they were already so.
    pub fn add(&mut self, what: Sort, at: u64, accepts: bool) {
        let now = self.of(what).last().map_or(what != Sort::Exits, |turn| turn.accepts);
        if now == accepts {
            return;
        }
        let sure = false;
        let turn = AcceptTurn { at, accepts, sure };
        match what {
            Sort::Alias(of) => self.aliases.insert(of.number, turn),
            Sort::Monitor(of) => self.monitors.insert(of.number, turn),
            Sort::Exits | Sort::Link(_) => self.others.entry(what).or_default().push(turn),
        }
    }

    /// As [`Turns::add`], for signals that cease to be accepted, where one had arrived.
    pub fn add_after_one(&mut self, what: Sort, at: u64) {
        self.add(what, at, false);
        let last = match what {
            Sort::Alias(of) => self.aliases.get_mut(&of.number),
            Sort::Monitor(of) => self.monitors.get_mut(&of.number),
            Sort::Exits | Sort::Link(_) => self.others.get_mut(&what).and_then(|turns| turns.last_mut()),
        };
        if let Some(turn) = last {
            turn.sure = true;
        }
    }

    /// Before its process is shared: from now on, a copy shares what does not change.
    pub fn settle(&mut self) {
        self.aliases.settle();
        self.monitors.settle();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reference(number: u64) -> Reference {
        let owner = Pid::new(0, 1);
        Reference { owner, number }
    }

    #[test]
    fn each_sort_has_its_own_turns() {
        let mut turns = Turns::default();
        let (alias, monitor) = (Sort::Alias(reference(7)), Sort::Monitor(reference(7)));
        turns.add(alias, 3, false);
        turns.add(alias, 9, false);
        turns.add_after_one(monitor, 5);
        turns.add(Sort::Exits, 6, false);
        turns.add(Sort::Exits, 7, true);
        turns.add(Sort::Exits, 8, false);
        let at = |what| turns.of(what).iter().map(|turn| turn.at).collect::<Vec<_>>();
        assert_eq!(at(alias), [3], "it ceases once");
        assert_eq!(at(monitor), [5]);
        assert!(turns.of(monitor)[0].sure && !turns.of(alias)[0].sure);
        assert_eq!(at(Sort::Exits), [7, 8], "they are not accepted in the beginning");
        assert!(at(Sort::Alias(reference(8))).is_empty());
    }

    #[test]
    fn a_copy_costs_what_has_changed_since_the_last() {
        let mut turns = Turns::default();
        for number in 0..10_000 {
            turns.add(Sort::Alias(reference(number)), number, false);
        }
        turns.settle();
        let mut copy = turns.clone();
        copy.add_after_one(Sort::Alias(reference(10)), 10);
        copy.add(Sort::Alias(reference(20_000)), 1, false);
        assert!(copy.of(Sort::Alias(reference(10))).first().unwrap().sure);
        assert!(!turns.of(Sort::Alias(reference(10))).first().unwrap().sure);
        assert_eq!((turns.len(), copy.len()), (10_000, 10_001));
    }
}

//! Counters: what each version did (see `tallies`).

use std::collections::BTreeMap;

use log_format::{ActionId, ActionNo, Pid};

/// One counter.
#[derive(Clone, Debug, Default)]
pub(crate) struct CounterTally {
    /// The newest version.
    pub(crate) version: u64,
    /// Does the newest version consist of additions that have not been read?
    pub(crate) open: bool,
    /// Its value. Not used in replay, where `versions` has it.
    pub(crate) value: i64,
    /// For each process that wrote it, its last such action and the version. When recording, only writes that are not overwritten.
    pub(crate) writers: BTreeMap<Pid, (ActionNo, u64)>,
    /// Replay: what each version did.
    pub(crate) versions: BTreeMap<u64, CounterChange>,
    /// The newest version in which it was set; 0 if there is none.
    last_set: u64,
}

/// What a version did to a counter.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct CounterChange {
    /// It was set to this.
    pub(crate) set: Option<i64>,
    /// The sum of what was added.
    pub(crate) added: i64,
    /// The value including all earlier versions, once it was read.
    pub(crate) known: Option<i64>,
}

/// What a step does to a counter.
#[derive(Clone, Copy)]
pub(crate) enum Change {
    /// It adds to it, blind.
    Add(i64),
    /// It sets it.
    Set(i64),
}

impl CounterTally {
    pub(crate) fn was_written_by(&self, ActionId { pid, number }: ActionId) -> bool {
        self.writers.get(&pid).is_some_and(|(last, _)| *last >= number)
    }

    /// Replay: the value at a version; all its writes have been done.
    pub(crate) fn at(&mut self, version: u64) -> i64 {
        let value = self.sum_to(version);
        if let Some(made) = self.versions.get_mut(&version) {
            made.known = Some(value);
        }
        value
    }

    fn sum_to(&self, version: u64) -> i64 {
        let mut sum = 0_i64;
        for made in self.versions.range(..=version).rev().map(|(_, made)| made) {
            if let Some(value) = made.known {
                return sum.wrapping_add(value);
            }
            sum = sum.wrapping_add(made.added);
            if let Some(value) = made.set {
                return sum.wrapping_add(value);
            }
        }
        sum
    }

    /// Replay: what a write does to a version.
    pub(crate) fn make(&mut self, version: u64, change: Change) {
        // What is known of later versions is known no longer.
        for (_, made) in self.versions.range_mut(version..) {
            made.known = None;
        }
        let made = self.versions.entry(version).or_default();
        match change {
            Change::Add(n) => made.added = made.added.wrapping_add(n),
            Change::Set(n) => {
                made.set = Some(n);
                self.last_set = self.last_set.max(version);
            }
        }
    }

    /// The last actions that contribute to the current value.
    pub(crate) fn seen(&self, keep: bool) -> Vec<ActionId> {
        let from = if keep { self.last_set } else { 0 };
        let writers = self.writers.iter().filter(|(_, (_, version))| *version >= from);
        writers
            .map(|(pid, (number, _))| ActionId {
                pid: *pid,
                number: *number,
            })
            .collect()
    }
}

//! Checkpoints: consistent cuts that are kept within a memory budget, denser near where the person works.

use std::sync::{Arc, Mutex};

use log_format::{ActionId, Pid};
use rustc_hash::{FxHashMap, FxHashSet};
use system::System;

use super::tracker::Tracker;
use log_format::Cut;

/// A system as it stood.
#[derive(Clone)]
pub struct Checkpoint {
    /// How far each process had come.
    pub cut: Arc<Cut>,
    /// Processes that have gone silently on from their last action.
    pub ahead: Arc<FxHashSet<Pid>>,
    /// Actions of all.
    pub actions: u64,
    /// About how many bytes it takes.
    pub bytes: usize,
    /// The system. It is shared and never run: to go on from it, fork it.
    pub system: Arc<Mutex<System<Tracker>>>,
}

/// Those that are kept, by their number of actions.
#[derive(Clone)]
pub struct Checkpoints {
    kept: Vec<Checkpoint>,
    budget: usize,
}

impl Checkpoints {
    /// None yet; at most so many bytes.
    #[must_use]
    pub const fn new(budget: usize) -> Self {
        Self {
            kept: Vec::new(),
            budget,
        }
    }

    /// How many there are, and how many bytes they take.
    #[must_use]
    pub fn size(&self) -> (usize, usize) {
        (self.kept.len(), self.kept.iter().map(|one| one.bytes).sum())
    }

    /// Is there room for one of this size at all?
    #[must_use]
    pub const fn takes(&self, bytes: usize) -> bool {
        bytes <= self.budget
    }

    /// Keeps one more. What is then too much is dropped: those that help least to get to where the person is now.
    pub fn keep(&mut self, one: Checkpoint, now: u64) {
        if self
            .kept
            .iter()
            .any(|known| known.actions == one.actions && known.cut == one.cut)
        {
            return;
        }
        let at = self.kept.partition_point(|known| known.actions < one.actions);
        self.kept.insert(at, one);
        while self.size().1 > self.budget {
            let Some(worst) = self.worst(now) else { return };
            self.kept.remove(worst);
        }
    }

    /// The one whose loss costs least: a small gap far away.
    fn worst(&self, now: u64) -> Option<usize> {
        let gain = |i: usize| {
            let before = i.checked_sub(1).map_or(0, |i| self.kept[i].actions);
            let after = self
                .kept
                .get(i + 1)
                .map_or(now.max(self.kept[i].actions), |next| next.actions);
            let distance = now.abs_diff(self.kept[i].actions) + 1;
            (after.saturating_sub(before) + 1) as f64 / distance as f64
        };
        (0..self.kept.len()).min_by(|&a, &b| gain(a).total_cmp(&gain(b)))
    }

    /// The furthest one that is within a cut, and before all of some actions. Processes that are to stand right after their last action
    /// in the cut must not have gone on from it.
    #[must_use]
    pub fn within(&self, cut: &Cut, before: &[ActionId], standing: &[Pid]) -> Option<&Checkpoint> {
        let inside = |one: &&Checkpoint| {
            let reached = |pid: &Pid| one.cut.get(*pid);
            let stands = |pid: &Pid| reached(pid) < cut.get(*pid) || !one.ahead.contains(pid);
            standing.iter().all(stands)
                && before.iter().all(|one| reached(&one.pid) < one.number.0)
                && one.cut.is_within(cut)
        };
        self.kept.iter().rev().find(inside)
    }

    /// Drops those that hold any of these actions: a branch took their place.
    pub fn forget(&mut self, from: &FxHashMap<Pid, u64>) {
        self.kept
            .retain(|one| from.iter().all(|(pid, n)| one.cut.get(*pid) < *n));
    }

    /// Drops all.
    pub fn clear(&mut self) {
        self.kept.clear();
    }
}

//! Checkpoints: consistent cuts, kept within a memory budget, denser near the current position.

use std::sync::{Arc, Mutex};

use log_format::{ActionId, Pid};
use rustc_hash::FxHashSet;
use system::{Meter, System};

use super::suffixes::Suffixes;
use super::tracker::Tracker;
use log_format::Cut;

/// A system at some position.
#[derive(Clone)]
pub struct Checkpoint {
    /// How many actions each process had done.
    pub cut: Arc<Cut>,
    /// Processes that had run on silently from their last action.
    pub ahead: Arc<FxHashSet<Pid>>,
    /// Number of actions of all processes.
    pub actions: u64,
    /// Approximate size in bytes of what it does not share with other checkpoints.
    pub bytes: usize,
    /// The system. It is shared and never run: to go on from it, fork it.
    pub system: Arc<Mutex<System<Tracker>>>,
}

/// The kept checkpoints, by their number of actions.
#[derive(Clone)]
pub struct Checkpoints {
    kept: Vec<Checkpoint>,
    budget: usize,
    /// Counts what they share among each other, and with the current system.
    shared: Meter,
    /// Of this, what only the current system has: a checkpoint that was not kept.
    unkept: usize,
    /// What they shared when the last one was kept.
    counted: usize,
}

impl Checkpoints {
    /// No checkpoints; at most this many bytes later.
    #[must_use]
    pub const fn new(budget: usize, shared: Meter) -> Self {
        Self {
            kept: Vec::new(),
            budget,
            shared,
            unkept: 0,
            counted: 0,
        }
    }

    /// The number of checkpoints, and the bytes that they take.
    #[must_use]
    pub fn size(&self) -> (usize, usize) {
        let shared = if self.kept.is_empty() { 0 } else { self.counted };
        (self.kept.len(), self.own() + shared.min(self.shared.bytes()))
    }

    /// Bytes that they do not share.
    fn own(&self) -> usize {
        self.kept.iter().map(|one| one.bytes).sum()
    }

    /// The bytes that they and the current system take now, without a checkpoint that was not kept.
    #[must_use]
    pub fn in_use(&self) -> usize {
        self.own() + self.shared.bytes().saturating_sub(self.unkept)
    }

    /// Is there room for any?
    #[must_use]
    pub const fn is_off(&self) -> bool {
        self.budget == 0
    }

    /// Does one of this size fit at all?
    #[must_use]
    pub const fn takes(&self, bytes: usize) -> bool {
        bytes <= self.budget
    }

    /// A checkpoint was made that is not kept. `bytes`: what it shares with the current system alone.
    pub const fn leave(&mut self, bytes: usize) {
        self.unkept = bytes;
    }

    /// Adds a checkpoint. If there are then too many, those are dropped that help least to get to the current position.
    pub fn keep(&mut self, one: Checkpoint, now: u64) {
        if self
            .kept
            .iter()
            .any(|known| known.actions == one.actions && known.cut == one.cut)
        {
            return;
        }
        self.unkept = 0;
        let at = self.kept.partition_point(|known| known.actions < one.actions);
        self.kept.insert(at, one);
        while self.in_use() > self.budget {
            let Some(worst) = self.worst(now) else { break };
            self.kept.remove(worst);
        }
        self.counted = self.shared.bytes();
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

    /// The furthest checkpoint that is within a cut, and before all of some actions. Processes in `standing` must not have run on in it.
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

    /// The furthest checkpoint within a cut that is not all of it.
    #[must_use]
    pub fn before(&self, cut: &Cut) -> Option<&Checkpoint> {
        let all = cut.actions();
        self.kept
            .iter()
            .rev()
            .find(|one| one.actions < all && one.cut.is_within(cut))
    }

    /// Drops those that contain any of these actions: a branch took their place.
    pub fn forget(&mut self, from: &Suffixes) {
        self.kept
            .retain(|one| from.starts().all(|start| one.cut.get(start.pid) < start.number.0));
    }

    /// Drops all.
    pub fn clear(&mut self) {
        self.kept.clear();
    }
}

//! Signals in flight: sent, and not arrived yet.

use std::collections::VecDeque;

use interpreter::term::Pid;
use log_format::Tag;
use rustc_hash::FxHashMap;

use crate::process::Signal;

/// Signals that were sent and have not arrived: only under schedulers that keep signals in flight.
#[derive(Clone, Default)]
pub struct Flight {
    queues: FxHashMap<(Sender, Pid), VecDeque<(Tag, Signal)>>,
    /// Pairs with signals in flight, in the order in which their queues became non-empty.
    pairs: Vec<(Sender, Pid)>,
    /// Words of the signals.
    words: usize,
}

/// Overhead of a signal in flight, in words.
const FLIGHT_WORDS: usize = std::mem::size_of::<(Tag, Signal)>() / 8;

/// A sender, whose signals keep their order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Sender {
    /// A process.
    Process(Pid),
    /// A timer, by the tag of its message: a sender of its own (semantics.md §2).
    Timer(Tag),
}

impl Flight {
    /// Is nothing in flight?
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }
    /// The pairs with signals in flight, in the order in which their queues became non-empty.
    #[must_use]
    pub fn list(&self) -> &[(Sender, Pid)] {
        &self.pairs
    }
    /// How many pairs have signals in flight.
    #[must_use]
    pub fn pairs(&self) -> usize {
        self.pairs.len()
    }
    /// Does this pair have signals in flight?
    #[must_use]
    pub fn has(&self, from: Sender, to: Pid) -> bool {
        self.queues.contains_key(&(from, to))
    }
    /// Adds a signal after those of its pair.
    pub fn push(&mut self, from: Sender, to: Pid, tag: Tag, signal: Signal) {
        let queue = self.queues.entry((from, to)).or_default();
        if queue.is_empty() {
            self.pairs.push((from, to));
        }
        self.words += FLIGHT_WORDS + signal.words();
        queue.push_back((tag, signal));
    }
    /// Approximate size in words.
    #[must_use]
    pub const fn words(&self) -> usize {
        self.words
    }
    /// Takes the oldest signal of the `i`-th pair.
    pub fn pop(&mut self, i: usize) -> Option<(Pid, Tag, Signal)> {
        let pair = *self.pairs.get(i)?;
        self.pop_pair(pair.0, pair.1)
    }
    /// Takes the message of a timer to this process.
    pub fn pop_timer(&mut self, to: Pid) -> Option<(Pid, Tag, Signal)> {
        let is_timer = |(from, q): &&(Sender, Pid)| *q == to && matches!(from, Sender::Timer(_));
        let (from, to) = *self.pairs.iter().find(is_timer)?;
        self.pop_pair(from, to)
    }
    /// Takes the oldest signal of this pair.
    pub fn pop_pair(&mut self, from: Sender, to: Pid) -> Option<(Pid, Tag, Signal)> {
        let queue = self.queues.get_mut(&(from, to))?;
        let (tag, signal) = queue.pop_front().expect("invariant: queues in the map are not empty");
        self.words -= FLIGHT_WORDS + signal.words();
        if queue.is_empty() {
            self.queues.remove(&(from, to));
            self.pairs.retain(|&p| p != (from, to));
        }
        Some((to, tag, signal))
    }
}

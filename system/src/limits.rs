//! Keeping a run within its limits.

use interpreter::heap::bytes_outside;

use crate::settings::{RunClock, RunEnd};
use crate::state::process::Process;
use crate::world::World;

/// Smaller heaps are not collected before a checkpoint.
pub(crate) const SPARED_WORDS: usize = 8192;

/// Words of a link, monitor or alias.
const RELATION_WORDS: usize = 12;

/// Fixed per-process overhead, in words: its table entries, its log, the slack of its buffers.
const BESIDES_WORDS: usize = 60;

impl World {
    pub(crate) fn check_limits(&mut self) {
        self.ends_if_interrupted();
        if self.end == Some(RunEnd::Interrupted) {
            return;
        }
        if let Some(limit) = self.limits.time
            && self
                .now()
                .saturating_sub(if self.clock == RunClock::Real { self.started } else { 0 })
                >= limit
        {
            self.end = Some(RunEnd::Limit(format!("time ({} s)", limit as f64 / 1e9)));
        }
        if let Some(limit) = self.limits.memory {
            self.table_words = self.tables.values().map(|table| table.contents.words()).sum();
            if self.memory_in_use() > limit {
                self.is_out_of_memory(None);
            }
        }
    }

    pub(crate) fn ends_if_interrupted(&mut self) {
        if self.outside.interrupted() {
            self.end = Some(RunEnd::Interrupted);
        }
    }

    /// Bytes that count for the limit: heaps, stacks and mailboxes, signals in flight, tables, timers, shared resources, and binaries outside
    /// the heaps.
    pub(crate) fn memory_in_use(&self) -> usize {
        self.words_in_use() * 8 + bytes_outside()
    }

    /// Is more in use than the limit, as far as it is counted? Garbage is counted too.
    #[inline]
    pub(crate) fn is_over_memory(&mut self) -> bool {
        let Some(limit) = self.limits.memory else { return false };
        let moving = self.moving_words();
        let besides = match self.besides {
            Some(besides) => besides,
            None => *self.besides.insert(self.words_in_use() - moving),
        };
        (besides + moving) * 8 + bytes_outside() > limit
    }

    /// The words that also plain sends and receives change.
    #[inline]
    const fn moving_words(&self) -> usize {
        self.memory_words + self.flight.words()
    }

    pub(crate) fn words_in_use(&self) -> usize {
        let signals = self.flight.words() + self.timers.words();
        self.memory_words + self.table_words + self.code_words + signals + self.resources.words()
    }

    /// Sets how much the heap of a process that is about to run, and binaries outside the heaps, may grow.
    pub(crate) fn give_room(&mut self, p: &mut Process) {
        if let Some(limit) = self.limits.memory {
            let words = self.words_in_use();
            self.besides = Some(words - self.moving_words());
            let besides = words - p.counted_words + p.machine.words() - p.machine.heap.len();
            p.machine.heap.set_room(limit.saturating_sub(besides * 8));
        }
    }

    /// Is more memory in use than allowed, or was the process that has just run refused more, even after collecting garbage? Then the run ends.
    /// The run also ends if a collection gains almost nothing, because the next slice would collect everything again.
    pub(crate) fn is_out_of_memory(&mut self, mut running: Option<&mut Process>) -> bool {
        let Some(limit) = self.limits.memory else { return false };
        if !running.as_ref().is_some_and(|p| p.machine.heap.has_refused()) {
            let is_large = |p: &Process| {
                let (words, outside) = p.machine.heap.memory();
                p.ending.is_none() && words + outside / 8 > SPARED_WORDS
            };
            let (program, total) = (&self.program, &mut self.memory_words);
            let mut collect = |p: &mut Process| {
                p.machine.collect(program);
                count_words(total, p);
            };
            self.table.each_mut(is_large, &mut collect);
            if let Some(p) = running.as_deref_mut().filter(|p| is_large(p)) {
                collect(p);
            }
            if self.memory_in_use() <= limit - limit / 8 {
                if let Some(p) = running {
                    self.give_room(p);
                }
                return false;
            }
        }
        self.end = Some(RunEnd::Limit(format!("memory ({} MB)", limit >> 20)));
        true
    }

    /// Updates the system's total of memory for a process.
    #[inline]
    pub(crate) fn count_words(&mut self, p: &mut Process) {
        count_words(&mut self.memory_words, p);
    }
}

/// Updates a total of words for a process.
#[inline]
pub(crate) fn count_words(total: &mut usize, p: &mut Process) {
    let words = words_of(p);
    *total = *total + words - p.counted_words;
    p.counted_words = words;
}

/// Approximate size of a process in words.
#[inline]
fn words_of(p: &Process) -> usize {
    std::mem::size_of::<Process>() / 8 + BESIDES_WORDS + p.machine.words() + RELATION_WORDS * p.rare.relations()
}

impl World {
    /// The limit that has ended the run, if any.
    #[must_use]
    pub fn limit(&self) -> Option<&str> {
        match &self.end {
            Some(RunEnd::Limit(which)) => Some(which),
            _ => None,
        }
    }
}

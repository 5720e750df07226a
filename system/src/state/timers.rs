//! Timers: timeouts of receives, and messages at a later time. A timer is a sender of its own for ordering (semantics.md §2).

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use interpreter::heap::Fragment;
use interpreter::term::{Pid, Reference};
use log_format::{Resource, Tag};
use rustc_hash::FxHashMap;

/// The receiver of a timer's message.
#[derive(Clone, Copy, Debug)]
pub enum To {
    /// A process.
    Pid(Pid),
    /// The holder of the name when the timer fires.
    Name(Resource),
}

/// A message to be sent at a later time.
#[derive(Clone, Debug)]
pub struct Message {
    /// Nanoseconds of the run's clock.
    pub deadline: u64,
    /// For whom.
    pub to: To,
    /// Its tag: setting the timer is its send.
    pub tag: Tag,
    /// The message.
    pub message: Fragment,
}

/// A timer that is due.
#[derive(Debug)]
pub enum Due {
    /// A receive of this process times out, if it still has this deadline.
    Wake {
        /// The process.
        pid: Pid,
        /// The deadline that this timer stands for.
        deadline: u64,
    },
    /// A message is to be sent.
    Message(Message),
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Scheduled {
    Wake(Pid),
    Message(Reference),
}

/// All timers, by deadline; with equal deadlines, in the order in which they were set.
#[derive(Clone, Default)]
pub struct Timers {
    heap: BinaryHeap<Reverse<(u64, u64, Scheduled)>>,
    messages: FxHashMap<Reference, Message>,
    count: u64,
    /// Words of the messages.
    words: usize,
}

/// Overhead of a timer, in words.
const TIMER_WORDS: usize = 24;

impl Timers {
    /// Is there a timer whose message has this tag?
    #[must_use]
    pub fn has(&self, tag: Tag) -> bool {
        self.messages.values().any(|message| message.tag == tag)
    }
    /// The deadline of the timer whose message has this tag.
    #[must_use]
    pub fn due(&self, tag: Tag) -> Option<u64> {
        let message = self.messages.values().find(|message| message.tag == tag)?;
        Some(message.deadline)
    }
    /// Removes the timer whose message has this tag.
    pub fn take(&mut self, tag: Tag) -> Option<Message> {
        let (&reference, _) = self.messages.iter().find(|(_, message)| message.tag == tag)?;
        self.cancel(reference)
    }
    fn remove(&mut self, reference: Reference) -> Option<Message> {
        let message = self.messages.remove(&reference)?;
        self.words -= message.message.size() + TIMER_WORDS;
        Some(message)
    }
    /// Approximate size in words.
    #[inline]
    #[must_use]
    pub fn words(&self) -> usize {
        self.words + 3 * self.heap.len()
    }
    /// Is no timer set?
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.heap.is_empty()
    }
    /// The earliest deadline.
    #[must_use]
    pub fn next(&self) -> Option<u64> {
        self.heap.peek().map(|Reverse((deadline, ..))| *deadline)
    }
    /// The next message, if nothing else is due before.
    #[must_use]
    pub fn next_message(&self) -> Option<&Message> {
        match self.heap.peek()? {
            Reverse((_, _, Scheduled::Message(reference))) => self.messages.get(reference),
            Reverse((_, _, Scheduled::Wake(_))) => None,
        }
    }
    /// The message with the earliest deadline, ignoring other timers.
    #[must_use]
    pub fn first_message(&self) -> Option<(u64, Tag)> {
        self.messages
            .values()
            .map(|message| (message.deadline, message.tag))
            .min()
    }
    /// The earliest deadline that matters: of a receive that still `waits`, or of a message that `reaches` a process. Removes all timers before it.
    pub fn next_wanted(&mut self, waits: impl Fn(Pid, u64) -> bool, reaches: impl Fn(&Message) -> bool) -> Option<u64> {
        while let Some(Reverse((deadline, _, what))) = self.heap.peek() {
            let wanted = match what {
                Scheduled::Wake(pid) => waits(*pid, *deadline),
                Scheduled::Message(reference) => self.messages.get(reference).is_some_and(&reaches),
            };
            if wanted {
                return Some(*deadline);
            }
            if let Some(Reverse((_, _, Scheduled::Message(reference)))) = self.heap.pop() {
                self.remove(reference);
            }
        }
        None
    }
    /// Wakes a process whose receive times out.
    pub fn add_wake(&mut self, deadline: u64, pid: Pid) {
        self.count += 1;
        self.heap.push(Reverse((deadline, self.count, Scheduled::Wake(pid))));
    }
    /// Sends a message at its deadline, or `late` nanoseconds after it.
    pub fn add_message(&mut self, reference: Reference, message: Message, late: u64) {
        self.count += 1;
        let due = message.deadline.saturating_add(late);
        self.heap
            .push(Reverse((due, self.count, Scheduled::Message(reference))));
        self.words += message.message.size() + TIMER_WORDS;
        self.messages.insert(reference, message);
    }
    /// Removes a message timer; its entry in the heap is skipped when it comes up.
    pub fn cancel(&mut self, reference: Reference) -> Option<Message> {
        let removed = self.remove(reference);
        // Cancelled entries must not keep the run alive or make the clock jump.
        while let Some(Reverse((_, _, Scheduled::Message(r)))) = self.heap.peek()
            && !self.messages.contains_key(r)
        {
            self.heap.pop();
        }
        removed
    }
    /// A message timer that is still set.
    #[must_use]
    pub fn find(&self, reference: Reference) -> Option<&Message> {
        self.messages.get(&reference)
    }
    /// The next timer that is due at `now`.
    pub fn pop_due(&mut self, now: u64) -> Option<Due> {
        loop {
            let Reverse((deadline, _, what)) = *self.heap.peek()?;
            if deadline > now {
                return None;
            }
            self.heap.pop();
            match what {
                Scheduled::Wake(pid) => return Some(Due::Wake { pid, deadline }),
                Scheduled::Message(reference) => {
                    if let Some(message) = self.remove(reference) {
                        return Some(Due::Message(message));
                    }
                }
            }
        }
    }
}

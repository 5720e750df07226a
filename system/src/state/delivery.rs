//! The order in which messages arrive inside a node.
//!
//! A BEAM node puts a local message into the queue of its receiver when it is sent. So of two messages to one process, the one that was sent
//! *causally before* the other arrives first, also if they come from different senders. What is causally before: the program order of each process,
//! its sends before the receives of what it sent, a spawn before what the new process does, a write to something shared before a read that saw it.
//! The signals of an end (`'DOWN'`, `'EXIT'`) are before nothing that others send: they leave one after the other, after names and tables are free.
//! What the process had sent while it was alive is before all that its end causes.
//!
//! [`Causality`] keeps for each process what it knows: of each other process, how many of its signals had been sent. A signal takes this along, and
//! who receives it knows it, too (vector clocks).

use std::fmt;
use std::str::FromStr;

use log_format::{Action, ActionId, Pid, Tag};

use crate::error::Mistyped;
pub use crate::state::clock::VectorClock;
use crate::state::map::Map;

/// In which order signals of different senders arrive at one process.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Delivery {
    /// Inside a node, what was sent causally before arrives before.
    #[default]
    Causal,
    /// In any order. Only those of one sender keep theirs.
    Free,
}

/// Do others who read what this action wrote know what its process knew?
#[must_use]
pub fn tells_readers(action: &Action) -> bool {
    action.kind.is_end() || action.accesses.iter().any(|access| access.write)
}

impl fmt::Display for Delivery {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Causal => "causal",
            Self::Free => "free",
        })
    }
}

impl FromStr for Delivery {
    type Err = Mistyped;
    fn from_str(text: &str) -> Result<Self, Mistyped> {
        match text {
            "causal" => Ok(Self::Causal),
            "free" => Ok(Self::Free),
            _ => Err(Mistyped::Delivery),
        }
    }
}

/// What each process and each signal on its way knows of the signals that had been sent.
#[derive(Clone, Debug, Default)]
pub struct Causality {
    clocks: Map<Pid, VectorClock>,
    /// Only of those that know something of others.
    signals: Map<Tag, VectorClock>,
    /// What is known to those who read what an action has written.
    written: Map<ActionId, VectorClock>,
    /// Is what consumed signals knew kept, too?
    keeps: bool,
}

impl Causality {
    /// One that also answers for signals that were consumed.
    #[must_use]
    pub fn keeping() -> Self {
        Self {
            keeps: true,
            ..Self::default()
        }
    }

    /// A process sends a signal. `sent`: how many it has sent before, and with it if it has a number.
    pub fn sends(&mut self, by: Pid, tag: Tag, sent: u64) {
        let mut clock = self.clocks.get(&by).cloned().unwrap_or_default();
        if !matches!(tag, Tag::Sent { .. }) && sent > 0 {
            // The signals of an end have no numbers.
            clock.learn(by, sent);
        }
        if !clock.is_empty() {
            self.signals.insert(tag, clock);
        } else if !self.signals.is_empty() {
            self.signals.remove(&tag);
        }
    }

    /// A process consumes a signal: it knows what the sender knew.
    pub fn consumes(&mut self, pid: Pid, tag: Tag) {
        let carried = match self.keeps {
            true => self.signals.get(&tag).cloned(),
            false => self.signals.remove(&tag),
        };
        if let Some(carried) = carried {
            self.clocks.get_or_default(pid).merge(&carried);
        }
        if let Tag::Sent { by, k } = tag
            && by != pid
        {
            self.clocks.get_or_default(pid).learn(by, k.0);
        }
    }

    /// A process that has sent so many signals spawns another one, which knows all that it knows.
    pub fn spawns(&mut self, parent: Pid, sent: u64, child: Pid) {
        let mut clock = self.clocks.get(&parent).cloned().unwrap_or_default();
        if sent > 0 {
            clock.learn(parent, sent);
        }
        if !clock.is_empty() {
            self.clocks.insert(child, clock);
        }
    }

    /// A process that has sent so many signals writes something shared, or ends.
    pub fn writes(&mut self, by: ActionId, sent: u64) {
        let mut clock = self.clocks.get(&by.pid).cloned().unwrap_or_default();
        if sent > 0 {
            clock.learn(by.pid, sent);
        }
        if !clock.is_empty() {
            self.written.insert(by, clock);
        }
    }

    /// A process reads what an action has written. True if it may know more now.
    pub fn reads(&mut self, pid: Pid, from: ActionId) -> bool {
        match self.written.get(&from) {
            Some(clock) if from.pid != pid => {
                self.clocks.get_or_default(pid).merge(clock);
                true
            }
            _ => false,
        }
    }

    /// Does this process know that this numbered signal of another one had been sent?
    #[must_use]
    pub fn knows(&self, pid: Pid, tag: Tag) -> bool {
        self.clocks.get(&pid).is_some_and(|clock| clock.has(tag))
    }

    /// Was one signal sent causally before another one of another sender?
    #[must_use]
    pub fn is_before(&self, one: Tag, other: Tag) -> bool {
        let clock = self.clock_of(other);
        one.sender() != other.sender() && clock.is_some_and(|clock| clock.has(one))
    }

    /// What was known when a signal was sent, besides what its sender had sent before.
    #[must_use]
    pub fn known_at(&self, tag: Tag) -> VectorClock {
        self.clock_of(tag).cloned().unwrap_or_default()
    }

    fn clock_of(&self, tag: Tag) -> Option<&VectorClock> {
        match tag {
            Tag::Sent { .. } => self.signals.get(&tag),
            // Whoever sent it has ended, and learns nothing more.
            Tag::EndTo { by, .. } | Tag::EndRef { by, .. } | Tag::EndTable { by, .. } => self.clocks.get(&by),
            Tag::Limit { .. } => None,
        }
    }

    /// What a signal knows, besides what its sender had sent before.
    #[must_use]
    pub fn known_to_signal(&self, tag: Tag) -> Option<&VectorClock> {
        self.signals.get(&tag)
    }

    /// The clock of a process.
    #[must_use]
    pub fn clock(&self, pid: Pid) -> VectorClock {
        self.clocks.get(&pid).cloned().unwrap_or_default()
    }

    /// From now on, a clone shares what does not change.
    pub fn settle(&mut self) {
        self.clocks.settle();
        self.signals.settle();
        self.written.settle();
    }

    /// Nobody knows anything any more.
    pub fn clear(&mut self) {
        let keeps = self.keeps;
        *self = Self {
            keeps,
            ..Self::default()
        };
    }
}

#[cfg(test)]
mod tests {
    use log_format::SendNo;

    use super::*;

    const fn tag(by: u64, k: u64) -> Tag {
        Tag::Sent {
            by: Pid(by),
            k: SendNo(k),
        }
    }

    #[test]
    fn what_a_sender_knew_goes_with_its_signals() {
        let mut known = Causality::default();
        // 1 sends to 3, then to 2, which sends to 3.
        known.sends(Pid(1), tag(1, 1), 1);
        known.sends(Pid(1), tag(1, 2), 2);
        known.consumes(Pid(2), tag(1, 2));
        known.sends(Pid(2), tag(2, 1), 1);
        assert!(known.is_before(tag(1, 1), tag(2, 1)));
        assert!(!known.is_before(tag(2, 1), tag(1, 1)));
        assert!(!known.is_before(tag(1, 3), tag(2, 1)));
        assert!(!known.knows(Pid(3), tag(1, 1)));
        known.consumes(Pid(3), tag(2, 1));
        assert!(known.knows(Pid(3), tag(1, 1)) && known.knows(Pid(3), tag(2, 1)));
    }

    #[test]
    fn a_new_process_knows_what_its_parent_knew_and_an_end_tells_what_was_sent_before() {
        let mut known = Causality::default();
        known.spawns(Pid(1), 4, Pid(2));
        assert!(known.knows(Pid(2), tag(1, 4)) && !known.knows(Pid(2), tag(1, 5)));
        let down = Tag::EndTo { by: Pid(2), to: Pid(3) };
        known.sends(Pid(2), down, 7);
        known.consumes(Pid(3), down);
        assert!(known.knows(Pid(3), tag(2, 7)) && known.knows(Pid(3), tag(1, 4)));
        // The other signals of this end may still be on their way.
        known.sends(Pid(3), tag(3, 1), 1);
        assert!(!known.is_before(Tag::EndTo { by: Pid(2), to: Pid(4) }, tag(3, 1)));
    }

    #[test]
    fn delivery_is_read_as_it_is_written() {
        for delivery in [Delivery::Causal, Delivery::Free] {
            assert_eq!(delivery.to_string().parse(), Ok(delivery));
        }
        assert!("".parse::<Delivery>().is_err());
    }
}

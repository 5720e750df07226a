//! Signals: what is sent to a process, and who sent it.

use interpreter::heap::Fragment;
use interpreter::term::{Pid, Reference};
use log_format::Tag;

/// A sender, whose signals keep their order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Sender {
    /// A process.
    Process(Pid),
    /// A timer, by the tag of its message: a sender of its own (semantics.md §2).
    Timer(Tag),
}

/// Something that was sent to a process.
#[derive(Clone, Debug)]
pub enum Signal {
    /// A message.
    Message(Fragment),
    /// A message sent to an alias: dropped on arrival if the alias is not active then.
    Aliased {
        /// The alias.
        alias: Reference,
        /// The message.
        message: Fragment,
        /// Was it sent as a priority message? It is one if the alias accepts them.
        urgent: bool,
    },
    /// A 'DOWN' message: dropped on arrival if the monitor has been removed.
    Down {
        /// The monitor.
        monitor: Reference,
        /// The message.
        message: Fragment,
    },
    /// An exit signal.
    Exit {
        /// The process that sent it, or whose end sent it.
        from: Pid,
        /// The reason.
        reason: Fragment,
        /// Did it come over a link? (A reason `kill` is then an ordinary one.)
        link: bool,
        /// The alias that it was sent to: dropped on arrival if the alias is not active then.
        via: Option<Box<Via>>,
    },
}

/// The alias that an exit signal was sent to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Via {
    /// The alias.
    pub alias: Reference,
    /// As in [`Signal::Aliased`].
    pub urgent: bool,
}

impl Signal {
    /// The alias that it was sent to.
    #[must_use]
    pub fn alias(&self) -> Option<Reference> {
        match self {
            Self::Aliased { alias, .. } => Some(*alias),
            Self::Exit { via, .. } => via.as_ref().map(|via| via.alias),
            Self::Message(_) | Self::Down { .. } => None,
        }
    }

    /// Words of its message or reason.
    #[must_use]
    pub fn words(&self) -> usize {
        match self {
            Self::Message(value)
            | Self::Aliased { message: value, .. }
            | Self::Down { message: value, .. }
            | Self::Exit { reason: value, .. } => value.size(),
        }
    }
}

/// An exit signal that has arrived and takes effect at the next point.
#[derive(Clone, Debug)]
pub struct PendingExit {
    /// Its tag.
    pub tag: Tag,
    /// The reason with which the process ends.
    pub reason: Fragment,
    /// For a process that traps exits: the message; `None` if it cannot be trapped.
    pub trapped: Option<Fragment>,
}

//! What can make the next step of a run: a process, a signal on its way, the clock.

use std::fmt;
use std::str::FromStr;

use interpreter::term::Pid;
use log_format::Tag;

use crate::error::Mistyped;
use crate::hash::mix;
use crate::state::signal::Sender;

/// What can make the next step. Its name is the same in every run with the same spawns before it, so that a schedule can be written down.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Actor {
    /// The process `<0.N.0>`: its next action.
    Process(u64),
    /// The arrival of the oldest signal from one process at another. Signals of one pair keep their order.
    Channel {
        /// The sender.
        from: u64,
        /// The receiver.
        to: u64,
    },
    /// The arrival of the message of a timer that has expired. Every timer is a sender of its own (semantics.md §2).
    Timer {
        /// The process that set it.
        by: u64,
        /// Its ordinal among the signals of that process.
        k: u64,
    },
    /// Time passes up to the next deadline.
    Clock,
}

impl Actor {
    /// A number that is spread over all 64 bits, and is another one for another actor or (with luck) seed.
    #[must_use]
    pub(super) const fn spread(self, seed: u64) -> u64 {
        let key = match self {
            Self::Process(n) => mix(n ^ 0x70_726f),
            Self::Channel { from, to } => mix(mix(from ^ 0x6368_616e) ^ to),
            Self::Timer { by, k } => mix(mix(by ^ 0x7469_6d65) ^ k),
            Self::Clock => 0x0063_6c6f_636b,
        };
        mix(seed ^ key)
    }

    /// The actor of a pair with signals in flight.
    #[must_use]
    pub const fn of_pair(from: Sender, to: Pid) -> Self {
        match from {
            Sender::Process(from) => Self::Channel {
                from: from.number(),
                to: to.number(),
            },
            Sender::Timer(Tag::Sent { by, k }) => Self::Timer { by: by.0, k: k.0 },
            // No other tags are those of timers.
            Sender::Timer(_) => Self::Channel {
                from: to.number(),
                to: to.number(),
            },
        }
    }
}

/// As in the words of a schedule: `3`, `3-7`, `3.5`, `clock`.
impl fmt::Display for Actor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Process(pid) => write!(f, "{pid}"),
            Self::Channel { from, to } => write!(f, "{from}-{to}"),
            Self::Timer { by, k } => write!(f, "{by}.{k}"),
            Self::Clock => f.write_str("clock"),
        }
    }
}

impl FromStr for Actor {
    type Err = Mistyped;
    fn from_str(text: &str) -> Result<Self, Mistyped> {
        let number = |text: &str| text.parse::<u64>().ok();
        let found = if text == "clock" {
            Some(Self::Clock)
        } else if let Some((from, to)) = text.split_once('-') {
            number(from)
                .zip(number(to))
                .map(|(from, to)| Self::Channel { from, to })
        } else if let Some((by, k)) = text.split_once('.') {
            number(by).zip(number(k)).map(|(by, k)| Self::Timer { by, k })
        } else {
            number(text).map(Self::Process)
        };
        found.ok_or_else(|| Mistyped::Actor(text.to_owned()))
    }
}

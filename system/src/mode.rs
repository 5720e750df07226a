//! What decides the next step: the [`Mode`] of a process, the `Purpose` of a system.

use log_format::{Action, Kind};

use crate::beyond::Beyond;
use crate::driven::HeldBack;
use crate::feed::{Feed, Plan};

/// What decides the next step of a process.
#[derive(Clone)]
pub enum Mode {
    /// The process decides; its choices are recorded.
    Record,
    /// The log decides.
    Follow(Feed),
    /// The process decides, for the single step beyond its log that the caller has asked for.
    Beyond {
        /// The number of actions it had done before.
        before: u64,
    },
    /// The caller decides when it runs and which signals arrive.
    Driven,
}

impl Mode {
    /// The log that it follows.
    #[inline]
    #[must_use]
    pub const fn feed(&self) -> Option<&Feed> {
        match self {
            Self::Follow(feed) => Some(feed),
            Self::Record | Self::Beyond { .. } | Self::Driven => None,
        }
    }
    /// The log that it follows, to advance in it.
    #[inline]
    pub const fn feed_mut(&mut self) -> Option<&mut Feed> {
        match self {
            Self::Follow(feed) => Some(feed),
            Self::Record | Self::Beyond { .. } | Self::Driven => None,
        }
    }
    /// The next action of the log.
    #[inline]
    #[must_use]
    pub const fn logged(&self) -> Option<&Action> {
        match self.feed() {
            Some(feed) => feed.head(),
            None => None,
        }
    }
    /// Its kind.
    #[inline]
    #[must_use]
    pub fn logged_kind(&self) -> Option<&Kind> {
        self.logged().map(|action| &action.kind)
    }
    /// Does a log decide?
    #[inline]
    #[must_use]
    pub const fn follows(&self) -> bool {
        self.feed().is_some()
    }
    /// Has it done all that was requested? A process without a log never has.
    #[inline]
    #[must_use]
    pub const fn is_done(&self) -> bool {
        match self {
            Self::Follow(feed) => feed.is_done(),
            Self::Record | Self::Beyond { .. } | Self::Driven => false,
        }
    }
    /// Do exit signals that have arrived end the process? If not, the log or the caller says when.
    #[inline]
    #[must_use]
    pub const fn dies_of_signals(&self) -> bool {
        match self {
            Self::Record | Self::Driven => true,
            Self::Follow(_) | Self::Beyond { .. } => false,
        }
    }
}

/// What a system is for.
#[derive(Clone)]
pub(crate) enum Purpose {
    /// To run the program, and perhaps record it.
    Record,
    /// To repeat what was recorded.
    Replay {
        /// The logs of new processes.
        plan: Plan,
        /// How processes go on beyond their logs, once this has been requested.
        beyond: Option<Beyond>,
    },
    /// To run as the caller decides.
    Drive(HeldBack),
}

impl Purpose {
    pub(crate) const fn plan(&self) -> Option<&Plan> {
        match self {
            Self::Replay { plan, .. } => Some(plan),
            Self::Record | Self::Drive(_) => None,
        }
    }
    pub(crate) const fn plan_mut(&mut self) -> Option<&mut Plan> {
        match self {
            Self::Replay { plan, .. } => Some(plan),
            Self::Record | Self::Drive(_) => None,
        }
    }
    pub(crate) const fn beyond(&self) -> Option<&Beyond> {
        match self {
            Self::Replay { beyond, .. } => beyond.as_ref(),
            Self::Record | Self::Drive(_) => None,
        }
    }
    pub(crate) const fn held_back(&self) -> Option<&HeldBack> {
        match self {
            Self::Drive(held) => Some(held),
            Self::Record | Self::Replay { .. } => None,
        }
    }
    #[inline]
    pub(crate) const fn held_back_mut(&mut self) -> Option<&mut HeldBack> {
        match self {
            Self::Drive(held) => Some(held),
            Self::Record | Self::Replay { .. } => None,
        }
    }
    #[inline]
    pub(crate) const fn is_replay(&self) -> bool {
        matches!(self, Self::Replay { .. })
    }
    #[inline]
    pub(crate) const fn is_driven(&self) -> bool {
        matches!(self, Self::Drive(_))
    }
}

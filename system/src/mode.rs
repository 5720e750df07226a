//! Who decides what happens: of a process its [`Mode`], of a whole system its `Purpose`.

use log_format::{Action, Kind};

use crate::beyond::Beyond;
use crate::driven::HeldBack;
use crate::feed::{Feed, Plan};

/// Who decides what a process does next.
#[derive(Clone)]
pub enum Mode {
    /// It does itself, and what it does is recorded.
    Record,
    /// Its log.
    Follow(Feed),
    /// It does itself, for the single step beyond its log that the caller has asked for.
    Beyond {
        /// How many actions it had done before.
        before: u64,
    },
    /// It does itself; the caller says when it goes on, and which signals come.
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
    /// The same, to go on in it.
    #[inline]
    pub const fn feed_mut(&mut self) -> Option<&mut Feed> {
        match self {
            Self::Follow(feed) => Some(feed),
            Self::Record | Self::Beyond { .. } | Self::Driven => None,
        }
    }
    /// The action that the log names next.
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
    /// Has it done all that was asked of it? A process without a log never has.
    #[inline]
    #[must_use]
    pub const fn is_done(&self) -> bool {
        match self {
            Self::Follow(feed) => feed.is_done(),
            Self::Record | Self::Beyond { .. } | Self::Driven => false,
        }
    }
    /// Do exit signals that have arrived end the process by themselves? Else the log says when they do, or the caller.
    #[inline]
    #[must_use]
    pub const fn dies_of_signals(&self) -> bool {
        match self {
            Self::Record | Self::Driven => true,
            Self::Follow(_) | Self::Beyond { .. } => false,
        }
    }
}

/// What a system runs for.
#[derive(Clone)]
pub(crate) enum Purpose {
    /// The program: it decides what happens, and that may be recorded.
    Record,
    /// To do again what was recorded.
    Replay {
        /// What a process that is born follows.
        plan: Plan,
        /// How processes go on beyond their logs, once somebody has asked for that.
        beyond: Option<Beyond>,
    },
    /// The caller, who decides what happens.
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

//! What decides the next step: the [`Mode`] of a process, the `Purpose` of a system.

use log_format::{Action, Kind, Tag};

use crate::state::beyond::Beyond;
use crate::state::feed::{Feed, Plan};
use crate::state::held_back::HeldBack;

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
    /// The next action of the log, if a log decides.
    #[inline]
    #[must_use]
    pub const fn logged(&self) -> Option<&Action> {
        match self {
            Self::Follow(feed) => feed.head(),
            Self::Record | Self::Beyond { .. } | Self::Driven => None,
        }
    }
    /// The kind of the next action of the log, if a log decides.
    #[inline]
    #[must_use]
    pub fn logged_kind(&self) -> Option<&Kind> {
        match self {
            Self::Follow(feed) => feed.head_kind(),
            Self::Record | Self::Beyond { .. } | Self::Driven => None,
        }
    }
    /// The log says that an exit signal ends the process here: its tag, at how many events, and whether the process waits then.
    #[inline]
    #[must_use]
    pub(crate) fn signal_due(&self) -> Option<(Tag, u64, bool)> {
        match self {
            Self::Follow(feed) => feed.signal_due(),
            Self::Record | Self::Beyond { .. } | Self::Driven => None,
        }
    }
    /// An action is done: goes on to the next one of the log.
    #[inline]
    pub(crate) fn advance(&mut self) {
        match self {
            Self::Follow(feed) => feed.advance(),
            Self::Record | Self::Beyond { .. } | Self::Driven => {}
        }
    }
    /// How many events the process may run before the next decision is due, out of `left`.
    #[inline]
    #[must_use]
    pub(crate) fn allowance(&self, events: u64, left: u32) -> u32 {
        match self {
            Self::Follow(feed) => feed.allowance(events, left),
            Self::Record | Self::Beyond { .. } | Self::Driven => left,
        }
    }
    /// Do its effects reach the outside (output, prompts, notes, lines of input)? In a replay, they have happened before.
    #[inline]
    #[must_use]
    pub const fn acts_outside(&self) -> bool {
        match self {
            Self::Record | Self::Beyond { .. } | Self::Driven => true,
            Self::Follow(_) => false,
        }
    }
    /// Does it look at the present state of others? If not, the log holds what it saw.
    #[inline]
    #[must_use]
    pub const fn looks_at_others(&self) -> bool {
        match self {
            Self::Record | Self::Beyond { .. } | Self::Driven => true,
            Self::Follow(_) => false,
        }
    }
    /// Does it change other processes in its own step? If not, their logs hold what came of it.
    #[inline]
    #[must_use]
    pub const fn changes_others(&self) -> bool {
        match self {
            Self::Record | Self::Beyond { .. } | Self::Driven => true,
            Self::Follow(_) => false,
        }
    }
    /// Does a native that waits for messages look into the mailbox? If not, the log says that they have come.
    #[inline]
    #[must_use]
    pub const fn waits_for_messages(&self) -> bool {
        match self {
            Self::Record | Self::Beyond { .. } | Self::Driven => true,
            Self::Follow(_) => false,
        }
    }
    /// Does it matter when others act between two of its steps? Then slices are short, and it can be suspended. If not, the log says what of
    /// others comes before each step.
    #[inline]
    #[must_use]
    pub const fn takes_turns(&self) -> bool {
        match self {
            Self::Record | Self::Beyond { .. } | Self::Driven => true,
            Self::Follow(_) => false,
        }
    }
    /// Can a step have to wait for what others are still to do, because the log says that it depends on it?
    #[inline]
    #[must_use]
    pub const fn waits_for_others(&self) -> bool {
        match self {
            Self::Follow(_) => true,
            Self::Record | Self::Beyond { .. } | Self::Driven => false,
        }
    }
    /// Can the process be rebuilt from what it follows? Not between two steps of a log.
    #[inline]
    #[must_use]
    pub const fn can_be_rebuilt(&self) -> bool {
        match self {
            Self::Follow(_) => true,
            Self::Record | Self::Beyond { .. } | Self::Driven => false,
        }
    }
    /// Has it not done all that was requested? A process without a log has no request.
    #[inline]
    #[must_use]
    pub const fn is_unfinished(&self) -> bool {
        match self {
            Self::Follow(feed) => !feed.is_done(),
            Self::Record | Self::Beyond { .. } | Self::Driven => false,
        }
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
    /// Does it do single steps that a person asked for, after its log?
    #[inline]
    #[must_use]
    pub const fn is_beyond_its_log(&self) -> bool {
        match self {
            Self::Beyond { .. } => true,
            Self::Record | Self::Follow(_) | Self::Driven => false,
        }
    }
    /// Does it stop before natives and timeouts, until the caller lets it go on?
    #[inline]
    #[must_use]
    pub const fn stops_at_gates(&self) -> bool {
        match self {
            Self::Driven => true,
            Self::Record | Self::Follow(_) | Self::Beyond { .. } => false,
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
    /// Does a later step perhaps need what has happened: old contents, how processes ended?
    #[inline]
    pub(crate) const fn keeps_the_past(&self) -> bool {
        match self {
            Self::Replay { .. } => true,
            Self::Record | Self::Drive(_) => false,
        }
    }
    /// Can a signal be there before its receiver is born?
    pub(crate) const fn signals_come_early(&self) -> bool {
        match self {
            Self::Replay { .. } => true,
            Self::Record | Self::Drive(_) => false,
        }
    }
    /// Are messages received from the mailbox? If not, they are taken out of the pool, in the order of the log.
    pub(crate) const fn receives_from_mailbox(&self) -> bool {
        match self {
            Self::Record | Self::Drive(_) => true,
            Self::Replay { .. } => false,
        }
    }
    /// Is a crash reported when it happens? In a replay, it was reported when it was recorded.
    pub(crate) const fn reports_crashes(&self) -> bool {
        match self {
            Self::Record | Self::Drive(_) => true,
            Self::Replay { .. } => false,
        }
    }
    /// Can the scheduler delay a timer that is due?
    pub(crate) const fn delays_timers(&self) -> bool {
        match self {
            Self::Record => true,
            Self::Replay { .. } | Self::Drive(_) => false,
        }
    }
    /// Does time pass when all processes wait? If not, the caller says when.
    #[inline]
    pub(crate) const fn time_passes(&self) -> bool {
        match self {
            Self::Record | Self::Replay { .. } => true,
            Self::Drive(_) => false,
        }
    }
    /// Are signals held back until the caller lets them arrive?
    #[inline]
    pub(crate) const fn holds_signals_back(&self) -> bool {
        match self {
            Self::Drive(_) => true,
            Self::Record | Self::Replay { .. } => false,
        }
    }
}

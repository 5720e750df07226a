//! What decides the next step: the [`Mode`] of a process, the `Purpose` of a system.
//!
//! Only a purpose makes modes, and each makes its own. So a process that follows a log while its system records, or one that its caller drives in
//! a replay, cannot be written.

use log_format::{Action, Error, Kind, Pid, Tag};
use rustc_hash::FxHashSet;

use crate::state::beyond::Beyond;
use crate::state::delivery::Delivery;
use crate::state::feed::{Feed, Plan, Tail};
use crate::state::held_back::HeldBack;
use crate::state::order::LogOrder;

/// What decides the next step of a process; [`Mode::decides`] says it, to `match` on.
#[derive(Clone)]
pub struct Mode(Inner);

#[derive(Clone)]
enum Inner {
    Record,
    Follow(Feed),
    Beyond { before: u64 },
    Driven,
}

/// What decides the next step of a process. A `match` names all four, so a forgotten one does not compile.
#[derive(Clone, Copy)]
pub enum Decides<'a> {
    /// The process decides; its choices are recorded.
    Record,
    /// The log decides.
    Follow(&'a Feed),
    /// The process decides, for the single step beyond its log that the caller has asked for.
    Beyond {
        /// The number of actions it had done before.
        before: u64,
    },
    /// The caller decides when it runs and which signals arrive.
    Driven,
}

impl Mode {
    /// What decides.
    #[inline(always)]
    #[must_use]
    pub const fn decides(&self) -> Decides<'_> {
        match &self.0 {
            Inner::Record => Decides::Record,
            Inner::Follow(feed) => Decides::Follow(feed),
            Inner::Beyond { before } => Decides::Beyond { before: *before },
            Inner::Driven => Decides::Driven,
        }
    }
    /// The log that it follows. Without one, the process (or its caller) decides: it acts outside, looks at others and changes them, waits for
    /// messages, and it matters when others act between two of its steps. With one, all that has happened before: the log holds what it saw
    /// and what came of it, and it waits for what its steps depend on.
    #[inline(always)]
    #[must_use]
    pub const fn log(&self) -> Option<&Feed> {
        match &self.0 {
            Inner::Follow(feed) => Some(feed),
            Inner::Record | Inner::Beyond { .. } | Inner::Driven => None,
        }
    }
    /// The log that it follows, to advance in it.
    #[inline(always)]
    pub const fn log_mut(&mut self) -> Option<&mut Feed> {
        match &mut self.0 {
            Inner::Follow(feed) => Some(feed),
            Inner::Record | Inner::Beyond { .. } | Inner::Driven => None,
        }
    }
    /// If a log decides: what it says about the order of steps.
    #[inline(always)]
    pub(crate) fn order(&self) -> Option<LogOrder<'_>> {
        self.log().map(LogOrder::of)
    }
    /// The next action of the log, if a log decides.
    #[inline]
    #[must_use]
    pub fn logged(&self) -> Option<&Action> {
        self.log()?.head()
    }
    /// The kind of the next action of the log, if a log decides.
    #[inline]
    #[must_use]
    pub fn logged_kind(&self) -> Option<&Kind> {
        self.log()?.head_kind()
    }
    /// Has it not done all that was requested? A process without a log has no request.
    #[inline]
    #[must_use]
    pub fn is_unfinished(&self) -> bool {
        self.log().is_some_and(|feed| !feed.is_done())
    }
    /// Has it done all that was requested? A process without a log never has.
    #[inline]
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.log().is_some_and(Feed::is_done)
    }
    /// Does it do single steps that a person asked for, after its log?
    #[inline]
    #[must_use]
    pub const fn is_beyond_its_log(&self) -> bool {
        match self.decides() {
            Decides::Beyond { .. } => true,
            Decides::Record | Decides::Follow(_) | Decides::Driven => false,
        }
    }
    /// Does it stop before natives and timeouts, until the caller lets it go on?
    #[inline]
    #[must_use]
    pub const fn stops_at_gates(&self) -> bool {
        match self.decides() {
            Decides::Driven => true,
            Decides::Record | Decides::Follow(_) | Decides::Beyond { .. } => false,
        }
    }
    /// Do exit signals that have arrived end the process? If not, the log or the caller says when.
    #[inline]
    #[must_use]
    pub const fn dies_of_signals(&self) -> bool {
        match self.decides() {
            Decides::Record | Decides::Driven => true,
            Decides::Follow(_) | Decides::Beyond { .. } => false,
        }
    }

    /// Leaves a log that is used up for one step, after this many actions; returns the log. `None`, with nothing changed, if it follows none
    /// or has not done all that was requested.
    pub(crate) fn leave_log(&mut self, before: u64) -> Option<Feed> {
        if !self.is_done() {
            return None;
        }
        match std::mem::replace(&mut self.0, Inner::Beyond { before }) {
            Inner::Follow(feed) => Some(feed),
            Inner::Record | Inner::Beyond { .. } | Inner::Driven => None,
        }
    }
    /// After its step beyond the log, it follows the log again.
    pub(crate) fn return_to_log(&mut self, feed: Feed) {
        match self.0 {
            Inner::Beyond { .. } => self.0 = Inner::Follow(feed),
            Inner::Record | Inner::Follow(_) | Inner::Driven => {}
        }
    }
    /// Another process's step beyond its log ends this one, too.
    pub(crate) fn end_beyond_log(&mut self, before: u64) {
        match self.0 {
            Inner::Follow(_) | Inner::Beyond { .. } => self.0 = Inner::Beyond { before },
            Inner::Record | Inner::Driven => {}
        }
    }
}

/// What a system is for.
#[derive(Clone)]
pub(crate) struct Purpose(For);

#[derive(Clone)]
enum For {
    /// To run the program, and perhaps record it.
    Record,
    /// To repeat what was recorded: by the logs of new processes; and how processes go on beyond their logs, once this has been requested.
    Replay { plan: Plan, beyond: Option<Beyond> },
    /// To run as the caller decides.
    Drive(HeldBack),
}

impl Purpose {
    /// To run the program, and perhaps record it; with a plan, to repeat what was recorded.
    pub(crate) fn new(plan: Option<Plan>) -> Self {
        Self(match plan {
            Some(plan) => For::Replay { plan, beyond: None },
            None => For::Record,
        })
    }
    /// The mode of a new process; with the damage of its log, which then has no actions.
    pub(crate) fn mode_of(&self, pid: Pid) -> (Mode, Option<Box<Error>>) {
        let (mode, damage) = match &self.0 {
            For::Record => (Inner::Record, None),
            For::Replay { plan, .. } => match plan.feed(pid) {
                Ok(feed) => (Inner::Follow(feed), None),
                Err(error) => (Inner::Follow(Feed::nothing(Tail::Stop)), Some(error)),
            },
            For::Drive(_) => (Inner::Driven, None),
        };
        (Mode(mode), damage)
    }
    /// From now on the caller decides, for these processes and new ones. Does nothing in a replay, or if it does so already.
    pub(crate) fn drive<'a>(&mut self, delivery: Delivery, processes: impl Iterator<Item = &'a mut Mode>) {
        match self.0 {
            For::Record => {}
            For::Replay { .. } | For::Drive(_) => return,
        }
        self.0 = For::Drive(HeldBack {
            delivery,
            ..HeldBack::default()
        });
        for mode in processes {
            mode.0 = Inner::Driven;
        }
    }
    /// From now on, processes that have used up their logs can be driven.
    pub(crate) fn go_beyond(&mut self, seed: u64) {
        if let For::Replay { plan, beyond } = &mut self.0 {
            beyond.get_or_insert_with(|| Beyond {
                seed,
                last_recorded: plan.last_recorded(),
                births: plan.births(),
                arrived: FxHashSet::default(),
                stands_at_traps: false,
                passes_over_seen: false,
                joins_sums: false,
            });
        }
    }
    /// From now on, processes that are driven stand before they begin to trap exits, or cease to.
    pub(crate) const fn stand_at_traps(&mut self) {
        if let For::Replay {
            beyond: Some(beyond), ..
        } = &mut self.0
        {
            beyond.stands_at_traps = true;
        }
    }
    /// From now on, a call of a module is an action only if the process sees another version of it.
    pub(crate) const fn pass_over_seen(&mut self) {
        if let For::Replay {
            beyond: Some(beyond), ..
        } = &mut self.0
        {
            beyond.passes_over_seen = true;
        }
    }
    /// From now on, additions to a counter share a version.
    pub(crate) const fn join_sums(&mut self) {
        if let For::Replay {
            beyond: Some(beyond), ..
        } = &mut self.0
        {
            beyond.joins_sums = true;
        }
    }
    pub(crate) const fn plan(&self) -> Option<&Plan> {
        match &self.0 {
            For::Replay { plan, .. } => Some(plan),
            For::Record | For::Drive(_) => None,
        }
    }
    pub(crate) const fn plan_mut(&mut self) -> Option<&mut Plan> {
        match &mut self.0 {
            For::Replay { plan, .. } => Some(plan),
            For::Record | For::Drive(_) => None,
        }
    }
    pub(crate) const fn beyond(&self) -> Option<&Beyond> {
        match &self.0 {
            For::Replay { beyond, .. } => beyond.as_ref(),
            For::Record | For::Drive(_) => None,
        }
    }
    /// For the next step beyond the logs, these signals have arrived at these processes.
    pub(crate) fn let_arrive(&mut self, arrived: FxHashSet<(Pid, Tag)>) {
        if let For::Replay {
            beyond: Some(beyond), ..
        } = &mut self.0
        {
            beyond.arrived = arrived;
        }
    }
    pub(crate) const fn held_back(&self) -> Option<&HeldBack> {
        match &self.0 {
            For::Drive(held) => Some(held),
            For::Record | For::Replay { .. } => None,
        }
    }
    #[inline]
    pub(crate) const fn held_back_mut(&mut self) -> Option<&mut HeldBack> {
        match &mut self.0 {
            For::Drive(held) => Some(held),
            For::Record | For::Replay { .. } => None,
        }
    }
    /// Does a later step perhaps need what has happened: old contents, how processes ended?
    #[inline]
    pub(crate) const fn keeps_the_past(&self) -> bool {
        match &self.0 {
            For::Replay { .. } => true,
            For::Record | For::Drive(_) => false,
        }
    }
    /// Can a signal be there before its receiver is born?
    pub(crate) const fn signals_come_early(&self) -> bool {
        match &self.0 {
            For::Replay { .. } => true,
            For::Record | For::Drive(_) => false,
        }
    }
    /// Are messages received from the mailbox? If not, they are taken out of the pool, in the order of the log.
    pub(crate) const fn receives_from_mailbox(&self) -> bool {
        match &self.0 {
            For::Record | For::Drive(_) => true,
            For::Replay { .. } => false,
        }
    }
    /// Is a crash reported when it happens? In a replay, it was reported when it was recorded.
    pub(crate) const fn reports_crashes(&self) -> bool {
        match &self.0 {
            For::Record | For::Drive(_) => true,
            For::Replay { .. } => false,
        }
    }
    /// Can the scheduler delay a signal, or a timer that is due?
    #[inline]
    pub(crate) const fn delays_signals(&self) -> bool {
        match &self.0 {
            For::Record => true,
            For::Replay { .. } | For::Drive(_) => false,
        }
    }
    /// Does time pass when all processes wait? If not, the caller says when.
    #[inline]
    pub(crate) const fn time_passes(&self) -> bool {
        match &self.0 {
            For::Record | For::Replay { .. } => true,
            For::Drive(_) => false,
        }
    }
    /// Are signals held back until the caller lets them arrive?
    #[inline]
    pub(crate) const fn holds_signals_back(&self) -> bool {
        match &self.0 {
            For::Drive(_) => true,
            For::Record | For::Replay { .. } => false,
        }
    }
}

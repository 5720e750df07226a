//! Following a log: the rest of a process's log (its ω), and how far the process is to go.

pub use crate::state::divergence::{Divergence, REDACTED};
pub use crate::state::plan::{Births, Cursor, LogSource, Plan, Quota, Tail};

use std::sync::atomic::{AtomicUsize, Ordering};

use log_format::{Access, Action, ActionNo, Error, Kind, LogStep, Pid, Resource, Tag};

/// What a log holds after all that was requested.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Then {
    /// Nothing more.
    Nothing,
    /// The first sight of a version of this module, after so many counted events.
    Sees(Resource, u64),
    /// Another action.
    Other,
}

/// The rest of the log of one process.
pub struct Feed {
    cursor: Option<Box<dyn Cursor>>,
    /// The next action, if there is one. Its memory is reused for the one after it.
    head: Action,
    /// invariant: false exactly if all that was requested is done.
    ahead: bool,
    /// The number of plain sends from the head on, if the head is one. The cursor is after them. invariant: not beyond the quota.
    sends: u64,
    done: u64,
    quota: u64,
    tail: Tail,
    /// From this action on, the log is not part of the recording.
    recorded: u64,
    /// What [`Feed::then_sees`] has found.
    then: Option<Then>,
    /// The access of the head that was found last: accesses are searched in the order in which they are written.
    next_access: AtomicUsize,
}

impl Clone for Feed {
    fn clone(&self) -> Self {
        Self {
            cursor: self.cursor.as_ref().map(|c| c.boxed_clone()),
            head: self.head.clone(),
            ahead: self.ahead,
            sends: self.sends,
            done: self.done,
            quota: self.quota,
            tail: self.tail,
            recorded: self.recorded,
            then: self.then,
            next_access: AtomicUsize::new(self.next_access.load(Ordering::Relaxed)),
        }
    }
}

impl Feed {
    pub(crate) fn new(
        cursor: Option<Box<dyn Cursor>>,
        quota: u64,
        tail: Tail,
        recorded: u64,
    ) -> Result<Self, Box<Error>> {
        let mut feed = Self {
            cursor,
            quota,
            recorded,
            ..Self::nothing(tail)
        };
        feed.fetch()?;
        Ok(feed)
    }
    /// A log without actions.
    pub(crate) fn nothing(tail: Tail) -> Self {
        Self {
            cursor: None,
            head: Action::new(Kind::After),
            ahead: false,
            sends: 0,
            done: 0,
            quota: 0,
            tail,
            recorded: u64::MAX,
            then: None,
            next_access: AtomicUsize::new(0),
        }
    }
    /// Reads the next action, if more is requested. At damage, the log ends.
    #[inline]
    fn fetch(&mut self) -> Result<(), Box<Error>> {
        self.ahead = false;
        self.then = None;
        *self.next_access.get_mut() = 0;
        if self.done >= self.quota {
            return Ok(());
        }
        let Some(cursor) = &mut self.cursor else { return Ok(()) };
        match cursor.step(self.quota - self.done, &mut self.head).map_err(Box::new)? {
            None => return Ok(()),
            Some(LogStep::Action(())) => {}
            Some(LogStep::Sends(n)) => {
                self.head.kind = Kind::Send;
                self.head.sends = 1;
                self.head.accesses.clear();
                self.sends = n - 1;
            }
        }
        self.ahead = true;
        Ok(())
    }
    /// Requests more (never less than is done), and sets what the process does after that.
    ///
    /// # Errors
    /// The log is damaged there. It ends there, too.
    pub(crate) fn request(&mut self, plan: &Plan, pid: Pid, actions: u64, tail: Tail) -> Result<(), Box<Error>> {
        self.tail = tail;
        self.quota = self.quota.max(actions);
        if !self.ahead && self.done < self.quota {
            if self.cursor.is_none() {
                self.cursor = plan.source.open(pid, ActionNo(self.done))?;
            }
            self.fetch()?;
        }
        Ok(())
    }
    /// Drops a reader that has nothing more to read; it is opened again when more is requested.
    pub(crate) fn park(&mut self) {
        if !self.ahead {
            self.cursor = None;
        }
    }
    /// The feed after this many more actions have been done without it.
    pub(crate) fn moved_by(mut self, actions: u64) -> Self {
        self.recorded = self.recorded.min(self.done);
        self.done += actions;
        self.rest();
        self
    }
    /// Makes this the next action, whatever the log says.
    pub(crate) fn instruct(&mut self, action: Action) {
        self.recorded = self.recorded.min(self.done);
        self.quota = self.done + 1;
        self.cursor = None;
        self.head = action;
        self.ahead = true;
        self.sends = 0;
    }
    /// Follows other logs from now on.
    pub(crate) fn follow(&mut self, plan: &Plan, pid: Pid) {
        self.then = None;
        self.recorded = plan.source.recorded(pid);
        self.cursor = None;
        self.sends = 0;
    }
    /// Would [`Self::follow`] change nothing?
    pub(crate) fn follows(&self, plan: &Plan, pid: interpreter::term::Pid) -> bool {
        let recorded = plan.source.recorded(crate::ids::to_log(pid));
        self.cursor.is_none() && self.sends == 0 && self.recorded == recorded
    }
    pub(crate) const fn set_tail(&mut self, tail: Tail) {
        self.tail = tail;
    }
    /// Is the next action one that was done beyond the recording?
    #[must_use]
    pub const fn is_beyond(&self) -> bool {
        self.done >= self.recorded
    }
    /// Is more requested than this many actions?
    pub(crate) const fn asks_for_more_than(&self, actions: u64) -> bool {
        self.quota > actions
    }
    /// Requests what is done and nothing more.
    pub(crate) fn rest(&mut self) {
        self.quota = self.done;
        self.then = None;
        self.tail = Tail::Stop;
        self.cursor = None;
        self.ahead = false;
        self.sends = 0;
    }
    /// Is all that was requested done?
    #[inline]
    #[must_use]
    pub const fn is_done(&self) -> bool {
        !self.ahead
    }
    /// Is something due at a label, whatever the process does there: the end of the log, an exit signal, or the first sight of a module?
    #[inline(always)]
    pub(crate) const fn is_due_at_labels(&self) -> bool {
        !self.ahead || matches!(self.head.kind, Kind::Signal { .. } | Kind::Version { .. })
    }
    /// Does the process run on silently afterwards?
    #[must_use]
    pub const fn runs_on(&self) -> bool {
        matches!(self.tail, Tail::RunOn)
    }
    /// The next action of the process.
    #[inline]
    #[must_use]
    pub const fn head(&self) -> Option<&Action> {
        if self.ahead { Some(&self.head) } else { None }
    }
    /// Is the next action the first sight of a version of a module? Then this module.
    #[inline]
    #[must_use]
    pub fn sees_module(&self) -> Option<Resource> {
        sees_module(self.head()?)
    }
    /// What the log holds after all that was requested.
    pub(crate) fn then_sees(&mut self, plan: &Plan, pid: Pid) -> Then {
        if self.ahead {
            return Then::Other;
        }
        if let Some(known) = self.then {
            return known;
        }
        let next = match &self.cursor {
            Some(cursor) => cursor.boxed_clone().next(),
            None => match plan.source.open(pid, ActionNo(self.done)) {
                Ok(Some(mut cursor)) => cursor.next(),
                Ok(None) => Ok(None),
                Err(error) => Err(error),
            },
        };
        let found = match next {
            Ok(None) => Then::Nothing,
            // Damage is found where more is requested.
            Err(_) => Then::Other,
            Ok(Some(action)) => match (&action.kind, sees_module(&action)) {
                (&Kind::Version { events }, Some(module)) => Then::Sees(module, events),
                _ => Then::Other,
            },
        };
        self.then = Some(found);
        found
    }
    /// Its kind.
    #[inline]
    #[must_use]
    pub fn head_kind(&self) -> Option<&Kind> {
        self.head().map(|a| &a.kind)
    }
    /// The access of the head to this resource.
    #[must_use]
    pub fn access(&self, resource: Resource) -> Option<Access> {
        let accesses = &self.head()?.accesses;
        // Among few accesses, the first one of the resource counts.
        let start = if accesses.len() > 32 {
            self.next_access.load(Ordering::Relaxed).min(accesses.len())
        } else {
            0
        };
        let (before, after) = accesses.split_at(start);
        let place = match after.iter().position(|a| a.resource == resource) {
            Some(place) => start + place,
            None => before.iter().position(|a| a.resource == resource)?,
        };
        self.next_access.store(place, Ordering::Relaxed);
        Some(accesses[place])
    }
    /// The write of the head to a resource that has only a name.
    #[must_use]
    pub fn other_write(&self) -> Option<Access> {
        let named = |access: &&Access| access.write && matches!(access.resource, Resource::Other(_));
        self.head()?.accesses.iter().find(named).copied()
    }
    /// The exit signal that ends the process: its tag, the counted events until then, and whether the process waits then.
    #[inline]
    #[must_use]
    pub const fn signal_due(&self) -> Option<(Tag, u64, bool)> {
        match self.head() {
            Some(Action {
                kind: Kind::Signal { tag, events, waiting },
                ..
            }) => Some((*tag, *events, *waiting)),
            _ => None,
        }
    }
    /// The head is done.
    ///
    /// # Errors
    /// The next action is damaged. The log ends there, too.
    #[inline]
    pub(crate) fn advance(&mut self) -> Result<(), Box<Error>> {
        self.done += 1;
        if self.sends > 0 {
            self.sends -= 1;
            return Ok(());
        }
        self.fetch()
    }
    /// The head, in words.
    #[must_use]
    pub fn describe_head(&self) -> String {
        match self.head() {
            None => "nothing more".to_owned(),
            Some(action) => action.kind.describe(),
        }
    }
}

/// The module of which an action sees a version.
fn sees_module(action: &Action) -> Option<Resource> {
    match action.kind {
        Kind::Version { .. } => action.accesses.first().map(|access| access.resource),
        _ => None,
    }
}

/// Is it the observation of nobody that stands for an error with this value? Where one call can log only one such observation, its value is known
/// even if it was left out of the trace.
pub(crate) fn is_observed(kind: &Kind, error: &[u8]) -> bool {
    matches!(kind, Kind::Observe { of: None, value } if value == error || value.is_empty())
}

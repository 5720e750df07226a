//! Logs to follow: what remains of the log of a process (its ω), and how far it shall go.

use std::fmt;
use std::sync::Arc;

use log_format::{Access, Action, ActionNo, Cut, Kind, Pid, Resource, Step, Tag};
use rustc_hash::FxHashMap;

/// The log of one process from some action on.
pub trait Cursor: Send {
    /// The next action; `None` at the end of the log.
    fn next(&mut self) -> Option<Action>;
    /// The same without a new action for each, and plain sends counted: at most `max` (at least one).
    fn step(&mut self, max: u64, into: &mut Action) -> Option<Step> {
        let _ = max;
        *into = self.next()?;
        Some(Step::Action(()))
    }
    /// Another cursor at the same place.
    fn boxed_clone(&self) -> Box<dyn Cursor>;
}

/// The logs of a run.
pub trait LogSource: Send + Sync {
    /// The log of a process after its first `done` actions; `None` if the run had no such process.
    fn open(&self, pid: Pid, done: ActionNo) -> Option<Box<dyn Cursor>>;
    /// The largest number of a pid of the run.
    fn last_pid(&self) -> Pid;
    /// The run's list of texts, by [`log_format::TextId`].
    fn texts(&self) -> Vec<String>;
    /// The names of the run's nodes, by [`log_format::Node`].
    fn nodes(&self) -> Vec<String>;
    /// The same as [`LogSource::last_pid`], without what was done beyond the recording.
    fn last_recorded(&self) -> Pid {
        self.last_pid()
    }
    /// After how many actions of a process the recording ends and what was done beyond it begins.
    fn recorded(&self, pid: Pid) -> u64 {
        let _ = pid;
        u64::MAX
    }
}

/// What a process does when it has done all that was asked of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tail {
    /// It stands still right after its last action.
    Stop,
    /// It runs silently on, to its end or to a receive.
    RunOn,
    /// It goes on by itself (user-driven mode).
    HandOver,
}

/// How far each process shall go.
#[derive(Clone, Debug)]
pub enum Quota {
    /// To the end of its log.
    All,
    /// To this many actions; processes that are not named do nothing.
    Some(Arc<Cut>),
}

/// The logs that a replay follows, and how far.
#[derive(Clone)]
pub struct Plan {
    source: Arc<dyn LogSource>,
    quota: Quota,
    /// For all processes that have no own entry in `tails`.
    tail: Tail,
    tails: FxHashMap<Pid, Tail>,
}

impl Plan {
    /// A plan in which every process stops right after the last action asked of it.
    #[must_use]
    pub fn new(source: Arc<dyn LogSource>, quota: Quota) -> Self {
        Self {
            source,
            quota,
            tail: Tail::Stop,
            tails: FxHashMap::default(),
        }
    }
    /// The same with another behaviour after the last action for all.
    #[must_use]
    pub fn with_tail(mut self, tail: Tail) -> Self {
        self.tail = tail;
        self
    }
    /// The same with another behaviour after the last action for one process.
    #[must_use]
    pub fn with_tail_of(mut self, pid: Pid, tail: Tail) -> Self {
        self.tails.insert(pid, tail);
        self
    }
    /// Sets how far a process shall go, and what it does then. Does nothing to a plan in which all go to the end of their logs.
    pub fn aim(&mut self, pid: Pid, actions: u64, tail: Tail) {
        if let Quota::Some(map) = &mut self.quota {
            Arc::make_mut(map).set(pid, actions);
        }
        if tail == self.tail {
            self.tails.remove(&pid);
        } else {
            self.tails.insert(pid, tail);
        }
    }
    /// Asks a process for nothing.
    pub(crate) fn ask_nothing(&mut self, pid: Pid) {
        if let Quota::Some(map) = &mut self.quota
            && map.get(pid) > 0
        {
            Arc::make_mut(map).set(pid, 0);
        }
        self.tails.remove(&pid);
    }
    /// Asks every process for nothing. Those that are living must be told too.
    pub(crate) fn rest(&mut self) {
        self.quota = Quota::Some(Arc::default());
        self.tail = Tail::Stop;
        self.tails.clear();
    }
    /// The first N that no process of the run has.
    #[must_use]
    pub fn first_free_pid(&self) -> u64 {
        self.source.last_pid().0 + 1
    }
    /// Other logs from now on. Those that are living must be told too.
    pub(crate) fn follow(&mut self, source: Arc<dyn LogSource>) {
        self.source = source;
    }
    /// The largest number of a pid of the recording.
    #[must_use]
    pub fn last_recorded(&self) -> u64 {
        self.source.last_recorded().0
    }
    /// The run's list of texts.
    #[must_use]
    pub fn texts(&self) -> Vec<String> {
        self.source.texts()
    }
    /// The names of the run's nodes.
    #[must_use]
    pub fn nodes(&self) -> Vec<String> {
        self.source.nodes()
    }
    /// What a process that is born follows; `None` if the run did not have it.
    #[must_use]
    pub fn feed(&self, pid: Pid) -> Option<Feed> {
        let quota = match &self.quota {
            Quota::All => u64::MAX,
            Quota::Some(map) => map.get(pid),
        };
        let tail = self.tails.get(&pid).copied().unwrap_or(self.tail);
        if quota == 0 {
            return Some(Feed::new(None, quota, tail, self.source.recorded(pid)));
        }
        let Some(cursor) = self.source.open(pid, ActionNo(0)) else {
            // A process that did nothing in the recorded run, or that is none of its processes.
            return (tail != Tail::HandOver).then(|| Feed::new(None, 0, tail, u64::MAX));
        };
        Some(Feed::new(Some(cursor), quota, tail, self.source.recorded(pid)))
    }
}

/// What remains of the log of one process.
pub struct Feed {
    cursor: Option<Box<dyn Cursor>>,
    /// The next action, if there is one. Its memory is used again for the one after it.
    head: Action,
    /// invariant: false exactly when all that was asked is done.
    ahead: bool,
    /// How many plain sends follow the head, which is one then too. The cursor is behind them. invariant: not beyond the quota.
    sends: u64,
    done: u64,
    quota: u64,
    tail: Tail,
    /// From here on it is not the recording.
    recorded: u64,
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
        }
    }
}

impl Feed {
    fn new(cursor: Option<Box<dyn Cursor>>, quota: u64, tail: Tail, recorded: u64) -> Self {
        let mut feed = Self {
            cursor,
            head: Action::new(Kind::After),
            ahead: false,
            sends: 0,
            done: 0,
            quota,
            tail,
            recorded,
        };
        feed.fetch();
        feed
    }
    /// Reads the next action, if more is asked for.
    #[inline]
    fn fetch(&mut self) {
        self.ahead = false;
        if self.done >= self.quota {
            return;
        }
        let Some(cursor) = &mut self.cursor else { return };
        match cursor.step(self.quota - self.done, &mut self.head) {
            None => return,
            Some(Step::Action(())) => {}
            Some(Step::Sends(n)) => {
                self.head.kind = Kind::Send;
                self.head.sends = 1;
                self.head.accesses.clear();
                self.sends = n - 1;
            }
        }
        self.ahead = true;
    }
    /// Asks for more (never for less than is done), and sets what comes after.
    pub(crate) fn aim(&mut self, plan: &Plan, pid: Pid, actions: u64, tail: Tail) {
        self.tail = tail;
        self.quota = self.quota.max(actions);
        if !self.ahead && self.done < self.quota {
            if self.cursor.is_none() {
                self.cursor = plan.source.open(pid, ActionNo(self.done));
            }
            self.fetch();
        }
    }
    /// Lets go of the memory of a reader that has nothing more to read; it is opened again where more is asked for.
    pub(crate) fn park(&mut self) {
        if !self.ahead {
            self.cursor = None;
        }
    }
    /// The same feed when so many more actions have been done without it.
    pub(crate) fn moved_by(mut self, actions: u64) -> Self {
        self.recorded = self.recorded.min(self.done);
        self.done += actions;
        self.rest();
        self
    }
    /// The next action is this one, whatever the log says.
    pub(crate) fn instruct(&mut self, action: Action) {
        self.recorded = self.recorded.min(self.done);
        self.quota = self.done + 1;
        self.cursor = None;
        self.head = action;
        self.ahead = true;
        self.sends = 0;
    }
    /// The logs are other ones from now on.
    pub(crate) fn follow(&mut self, plan: &Plan, pid: Pid) {
        self.recorded = plan.source.recorded(pid);
        self.cursor = None;
        self.sends = 0;
    }
    pub(crate) const fn set_tail(&mut self, tail: Tail) {
        self.tail = tail;
    }
    /// Is the next action one that was done beyond the recording?
    #[must_use]
    pub const fn is_beyond(&self) -> bool {
        self.done >= self.recorded
    }
    /// Is more asked for than so many actions?
    pub(crate) const fn asks_for_more_than(&self, actions: u64) -> bool {
        self.quota > actions
    }
    /// Asks for what is done and for nothing more.
    pub(crate) fn rest(&mut self) {
        self.quota = self.done;
        self.tail = Tail::Stop;
        self.cursor = None;
        self.ahead = false;
        self.sends = 0;
    }
    /// All that was asked is done.
    #[inline]
    #[must_use]
    pub const fn is_done(&self) -> bool {
        !self.ahead
    }
    /// Does it run silently on when done?
    #[must_use]
    pub fn runs_on(&self) -> bool {
        self.tail == Tail::RunOn
    }
    /// Does it go on by itself when done?
    #[must_use]
    pub fn hands_over(&self) -> bool {
        self.tail == Tail::HandOver
    }
    /// The action that the process has to do next.
    #[inline]
    #[must_use]
    pub const fn head(&self) -> Option<&Action> {
        if self.ahead { Some(&self.head) } else { None }
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
        self.head()?.accesses.iter().find(|a| a.resource == resource).copied()
    }
    /// What the head writes of what has a name only.
    #[must_use]
    pub fn other_write(&self) -> Option<Access> {
        let named = |access: &&Access| access.write && matches!(access.resource, Resource::Other(_));
        self.head()?.accesses.iter().find(named).copied()
    }
    /// Is the head waiting for this signal?
    #[inline]
    #[must_use]
    pub fn wants(&self, tag: Tag) -> bool {
        self.ahead && self.head.kind.consumed() == Some(tag)
    }
    /// The exit signal that is to end the process: its tag, the counted events until then, and whether it then waits.
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
    /// How many events it may run: not beyond the point of a signal.
    #[inline]
    #[must_use]
    pub fn allowance(&self, events: u64, left: u32) -> u32 {
        match self.signal_due() {
            Some((_, point, false)) => u32::try_from(point.saturating_sub(events))
                .unwrap_or(u32::MAX)
                .min(left),
            _ => left,
        }
    }
    /// The head is done.
    #[inline]
    pub fn advance(&mut self) {
        self.done += 1;
        if self.sends > 0 {
            self.sends -= 1;
        } else {
            self.fetch();
        }
    }
    /// The head for people.
    #[must_use]
    pub fn describe_head(&self) -> String {
        match self.head() {
            None => "nothing more".to_owned(),
            Some(action) => describe(&action.kind),
        }
    }
}

/// An action for people: what a process was to do.
#[must_use]
pub fn describe(kind: &Kind) -> String {
    match kind {
        Kind::Spawn { child, .. } => format!("spawn {child}"),
        Kind::SpawnFailed { child, .. } => format!("spawn {child} on an absent node"),
        Kind::Send => "send a signal".to_owned(),
        Kind::Rec(tag) => format!("receive the message {tag}"),
        Kind::After => "leave a receive through `after`".to_owned(),
        Kind::Signal { tag, .. } => format!("be ended by the exit signal {tag}"),
        Kind::Drop { tag: Some(tag), .. } => format!("drop the signal {tag}"),
        Kind::Drop { tag: None, .. } => "ask to drop a signal that is not there".to_owned(),
        Kind::Access => "use a shared resource".to_owned(),
        Kind::Start { .. } => "start a node".to_owned(),
        Kind::Nodes => "list the nodes".to_owned(),
        Kind::Observe { .. } => "look at the state of a process".to_owned(),
        Kind::Input { .. } => "obtain a value from outside".to_owned(),
        Kind::Output { .. } => "write to a device".to_owned(),
        Kind::Halt { .. } => "halt the system".to_owned(),
        Kind::Exit { class } => format!("end ({})", class.word()),
    }
}

/// The program is not the one that was recorded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Divergence {
    /// Which process.
    pub pid: Pid,
    /// The action that it was to do.
    pub action: ActionNo,
    /// Where it stands, `file:line:column`.
    pub location: Option<String>,
    /// What the log says.
    pub expected: String,
    /// What the program did.
    pub found: String,
}

/// What a [`Divergence`] says was expected where the trace does not hold the value of an input any more.
pub const REDACTED: &str = "use a value that was left out";

impl Divergence {
    /// Is it no divergence, but the end of what can be replayed, because the value of an input was left out of the trace?
    #[must_use]
    pub fn is_redacted(&self) -> bool {
        self.expected == REDACTED
    }
}

impl fmt::Display for Divergence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Names of files and all the rest come from the trace.
        let [expected, found] = [&self.expected, &self.found].map(|text| log_format::safe_lines(text));
        write!(f, "process {}, action {}", self.pid, self.action)?;
        if let Some(location) = &self.location {
            write!(f, ", at {}", log_format::safe(location))?;
        }
        if self.is_redacted() {
            return write!(f, ": the value obtained here is unknown: {found}");
        }
        write!(f, ": the log says that it should {expected}, but it did this: {found}")
    }
}

impl std::error::Error for Divergence {}

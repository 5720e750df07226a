//! Sources of logs, and how far each process follows its own.

use std::sync::Arc;

use log_format::{Action, ActionNo, Cut, Error, LogStep, Pid};
use rustc_hash::FxHashMap;

use crate::state::feed::Feed;

/// The log of one process from some action on.
pub trait Cursor: Send + Sync {
    /// The next action; `None` at the end of the log.
    ///
    /// # Errors
    /// The log is damaged there.
    fn next(&mut self) -> Result<Option<Action>, Error>;
    /// As [`Cursor::next`], but writes the action to `into`, and counts plain sends: at most `max` (at least one).
    ///
    /// # Errors
    /// The log is damaged there.
    fn step(&mut self, max: u64, into: &mut Action) -> Result<Option<LogStep>, Error> {
        let _ = max;
        let Some(next) = self.next()? else { return Ok(None) };
        *into = next;
        Ok(Some(LogStep::Action(())))
    }
    /// Another cursor at the same position.
    fn boxed_clone(&self) -> Box<dyn Cursor>;
}

/// The children of processes: by the parent and the number among its children, from 1.
pub type Births = FxHashMap<(Pid, u64), Pid>;

/// The logs of a run.
pub trait LogSource: Send + Sync {
    /// The log of a process after its first `done` actions; `None` if the run had no such process.
    ///
    /// # Errors
    /// The log is damaged at its beginning, or before that action.
    fn open(&self, pid: Pid, done: ActionNo) -> Result<Option<Box<dyn Cursor>>, Error>;
    /// The largest number of a pid of the run.
    fn last_pid(&self) -> Pid;
    /// The run's list of texts, by [`log_format::TextId`].
    fn texts(&self) -> Vec<String>;
    /// The names of the run's nodes, by [`log_format::Node`].
    fn nodes(&self) -> Vec<String>;
    /// As [`LogSource::last_pid`], without what was done beyond the recording.
    fn last_recorded(&self) -> Pid {
        self.last_pid()
    }
    /// Processes beyond the logs that have the numbers of recorded ones: the child of a process with this number among its children.
    fn births(&self) -> Option<Arc<Births>> {
        None
    }
    /// The number of actions of a process that belong to the recording; later ones were done beyond it.
    fn recorded(&self, pid: Pid) -> u64 {
        let _ = pid;
        u64::MAX
    }
}

/// What a process does after the last requested action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tail {
    /// It stops right after its last action.
    Stop,
    /// It runs on silently, to its end or to a receive.
    RunOn,
}

/// How far each process is to go.
#[derive(Clone, Debug)]
pub enum Quota {
    /// To the end of its log.
    All,
    /// To this many actions; processes that are not in the cut do nothing.
    Some(Arc<Cut>),
}

/// The logs that a replay follows, and how far.
#[derive(Clone)]
pub struct Plan {
    pub(crate) source: Arc<dyn LogSource>,
    quota: Quota,
    /// For all processes without an entry in `tails`.
    tail: Tail,
    tails: FxHashMap<Pid, Tail>,
}

impl Plan {
    /// A plan in which every process stops right after the last requested action.
    #[must_use]
    pub fn new(source: Arc<dyn LogSource>, quota: Quota) -> Self {
        Self {
            source,
            quota,
            tail: Tail::Stop,
            tails: FxHashMap::default(),
        }
    }
    /// Sets what all processes do after the last requested action.
    #[must_use]
    pub fn with_tail(mut self, tail: Tail) -> Self {
        self.tail = tail;
        self
    }
    /// Sets what one process does after the last requested action.
    #[must_use]
    pub fn with_tail_of(mut self, pid: Pid, tail: Tail) -> Self {
        self.tails.insert(pid, tail);
        self
    }
    /// Sets how far a process is to go, and what it does then. Does nothing if all processes go to the end of their logs.
    pub fn request(&mut self, pid: Pid, actions: u64, tail: Tail) {
        if let Quota::Some(map) = &mut self.quota {
            Arc::make_mut(map).set(pid, actions);
        }
        if tail == self.tail {
            self.tails.remove(&pid);
        } else {
            self.tails.insert(pid, tail);
        }
    }
    /// Requests nothing of a process.
    pub(crate) fn ask_nothing(&mut self, pid: Pid) {
        if let Quota::Some(map) = &mut self.quota
            && map.get(pid) > 0
        {
            Arc::make_mut(map).set(pid, 0);
        }
        self.tails.remove(&pid);
    }
    /// Requests nothing of any process. The caller must also tell living processes.
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
    /// Sets other logs from now on. The caller must also tell living processes.
    pub(crate) fn follow(&mut self, source: Arc<dyn LogSource>) {
        self.source = source;
    }
    /// Processes that have the numbers of recorded ones.
    pub(crate) fn births(&self) -> Option<Arc<Births>> {
        self.source.births()
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
    /// The log that a new process follows.
    ///
    /// # Errors
    /// The log is damaged at its beginning.
    pub fn feed(&self, pid: Pid) -> Result<Feed, Box<Error>> {
        let quota = match &self.quota {
            Quota::All => u64::MAX,
            Quota::Some(map) => map.get(pid),
        };
        let tail = self.tails.get(&pid).copied().unwrap_or(self.tail);
        if quota == 0 {
            return Feed::new(None, quota, tail, self.source.recorded(pid));
        }
        match self.source.open(pid, ActionNo(0))? {
            Some(cursor) => Feed::new(Some(cursor), quota, tail, self.source.recorded(pid)),
            // A process that did nothing in the recorded run, or is not part of it.
            None => Ok(Feed::nothing(tail)),
        }
    }
}

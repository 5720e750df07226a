//! The logs that a session follows: those of the trace, and what was done beyond them.
//!
//! A process that has left its log has a *branch*: its log up to there, and then what it did by itself. What is recorded in a branch can be
//! undone and done again like everything else.

use std::sync::Arc;

use log_format::{Action, ActionNo, Error, Pid, SendNo, Tag, Trace};
use rustc_hash::FxHashMap;
use system::feed::{Ahead, Cursor, LogSource};

use crate::source::TraceLogs;

/// What a process did beyond its log.
#[derive(Clone, Debug, Default)]
pub struct Branch {
    /// So many actions of the trace come first.
    pub kept: u64,
    /// Signals that these put in flight.
    pub sends: u64,
    /// What follows.
    pub beyond: Vec<Action>,
    /// Who created it, where the trace does not hold the process.
    pub parent: Option<(Pid, u64)>,
}

/// The logs of a session.
#[derive(Clone)]
pub struct History {
    logs: Option<TraceLogs>,
    trace: Option<Arc<Trace>>,
    /// invariant: the same in all clones that share it.
    branches: Arc<FxHashMap<Pid, Branch>>,
}

/// An action with the number of signals put in flight up to it.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Its number.
    pub number: u64,
    /// Signals up to and with it.
    pub sends: u64,
    /// It.
    pub action: Action,
}

impl History {
    /// That of a trace.
    #[must_use]
    pub fn of(trace: Arc<Trace>, logs: TraceLogs) -> Self {
        Self {
            logs: Some(logs),
            trace: Some(trace),
            branches: Arc::default(),
        }
    }

    /// That of a program that has not run yet.
    #[must_use]
    pub fn empty() -> Self {
        Self {
            logs: None,
            trace: None,
            branches: Arc::default(),
        }
    }

    /// The trace.
    #[must_use]
    pub const fn trace(&self) -> Option<&Arc<Trace>> {
        self.trace.as_ref()
    }

    /// What was done beyond the trace.
    #[must_use]
    pub fn branches(&self) -> &FxHashMap<Pid, Branch> {
        &self.branches
    }

    /// The same, to be changed.
    pub fn branches_mut(&mut self) -> &mut FxHashMap<Pid, Branch> {
        Arc::make_mut(&mut self.branches)
    }

    /// How many actions the log of a process has; none if there is no such process.
    ///
    /// # Errors
    /// If the trace is damaged.
    pub fn length(&self, pid: Pid) -> Result<Option<u64>, Error> {
        if let Some(branch) = self.branches.get(&pid) {
            return Ok(Some(branch.kept + branch.beyond.len() as u64));
        }
        match &self.trace {
            Some(trace) if trace.has(pid)? => Ok(Some(trace.process(pid)?.counts.actions)),
            _ => Ok(None),
        }
    }

    /// Who created a process, and with which action.
    ///
    /// # Errors
    /// If the trace is damaged.
    pub fn parent(&self, pid: Pid) -> Result<Option<(Pid, u64)>, Error> {
        if let Some(parent) = self.branches.get(&pid).and_then(|branch| branch.parent) {
            return Ok(Some(parent));
        }
        match &self.trace {
            Some(trace) if trace.has(pid)? => Ok(trace.process(pid)?.parent.map(|(parent, spawn)| (parent, spawn.0))),
            _ => Ok(None),
        }
    }

    /// One action.
    ///
    /// # Errors
    /// There is none; the trace is damaged.
    pub fn action(&self, pid: Pid, n: u64) -> Result<Action, Error> {
        if let Some(branch) = self.branches.get(&pid)
            && n > branch.kept
        {
            let at = usize::try_from(n - branch.kept - 1).unwrap_or(usize::MAX);
            let absent = || Error::absent(format!("action {n} of {pid}"), "its log is shorter");
            return branch.beyond.get(at).cloned().ok_or_else(absent);
        }
        match &self.trace {
            Some(trace) => trace.action(pid, ActionNo(n)),
            None => Err(Error::absent(format!("action {n} of {pid}"), "there is no trace")),
        }
    }

    /// The actions of a process after the first `from`, up to the `to`-th.
    ///
    /// # Errors
    /// If the trace is damaged there.
    pub fn stretch(&self, pid: Pid, from: u64, to: u64) -> Result<Vec<Entry>, Error> {
        let mut entries = Vec::new();
        let branch = self.branches.get(&pid);
        let kept = branch.map_or(u64::MAX, |branch| branch.kept);
        if let Some(trace) = &self.trace
            && from < to.min(kept)
        {
            let mut log = trace.log(pid)?.without_values();
            log.seek(ActionNo(from + 1))?;
            while log.counts().actions < to.min(kept) {
                let Some(item) = log.next() else { break };
                let (number, action) = item?;
                entries.push(Entry {
                    number: number.0,
                    sends: log.counts().sends,
                    action,
                });
            }
        }
        if let Some(branch) = branch {
            let mut sends = branch.sends;
            for (i, action) in branch.beyond.iter().enumerate() {
                sends += u64::from(action.sends);
                let number = branch.kept + i as u64 + 1;
                if number > from && number <= to {
                    entries.push(Entry {
                        number,
                        sends,
                        action: action.clone(),
                    });
                }
            }
        }
        Ok(entries)
    }

    /// The action that put a signal in flight; none if nobody did (a kill by the runtime, or not in this history).
    ///
    /// # Errors
    /// If the trace is damaged.
    pub fn find_send(&self, tag: Tag) -> Result<Option<(Pid, u64)>, Error> {
        let Some(by) = tag.sender() else { return Ok(None) };
        if let Some(branch) = self.branches.get(&by) {
            let Tag::Sent { k: SendNo(k), .. } = tag else {
                let last = self.length(by)?.unwrap_or(0);
                let ended = last > 0 && self.action(by, last)?.kind.is_end();
                return Ok(ended.then_some((by, last)));
            };
            if k > branch.sends {
                let mut sends = branch.sends;
                for (i, action) in branch.beyond.iter().enumerate() {
                    sends += u64::from(action.sends);
                    if sends >= k {
                        return Ok(Some((by, branch.kept + i as u64 + 1)));
                    }
                }
                return Ok(None);
            }
        }
        match &self.trace {
            Some(trace) => Ok(trace.find_send(tag)?.map(|(pid, n)| (pid, n.0))),
            None => Ok(None),
        }
    }

    /// The first damage met while replaying.
    #[must_use]
    pub fn damage(&self) -> Option<Error> {
        self.logs.as_ref()?.damage()
    }
}

impl LogSource for History {
    fn open(&self, pid: Pid, done: ActionNo) -> Option<Box<dyn Cursor>> {
        let Some(branch) = self.branches.get(&pid) else {
            return self.logs.as_ref()?.open(pid, done);
        };
        let first = if done.0 < branch.kept {
            self.logs.as_ref().and_then(|logs| logs.open(pid, done))
        } else {
            None
        };
        Some(Box::new(BranchCursor {
            first,
            left: branch.kept.saturating_sub(done.0),
            at: usize::try_from(done.0.saturating_sub(branch.kept)).unwrap_or(usize::MAX),
            branches: Arc::clone(&self.branches),
            pid,
        }))
    }
    fn last_pid(&self) -> Pid {
        let of_trace = self.logs.as_ref().map_or(Pid(0), LogSource::last_pid);
        let beyond = self.branches.values().flat_map(|branch| &branch.beyond);
        let spawned = beyond.filter_map(|action| action.kind.spawned()).max();
        spawned.map_or(of_trace, |pid| pid.max(of_trace))
    }
    fn texts(&self) -> Vec<String> {
        self.logs.as_ref().map_or_else(Vec::new, LogSource::texts)
    }
    fn nodes(&self) -> Vec<String> {
        self.logs.as_ref().map_or_else(Vec::new, LogSource::nodes)
    }
}

struct BranchCursor {
    first: Option<Box<dyn Cursor>>,
    left: u64,
    at: usize,
    branches: Arc<FxHashMap<Pid, Branch>>,
    pid: Pid,
}

impl Cursor for BranchCursor {
    fn next(&mut self) -> Option<Action> {
        if self.left > 0 {
            self.left -= 1;
            return self.first.as_mut()?.next();
        }
        self.at += 1;
        self.branches.get(&self.pid)?.beyond.get(self.at - 1).cloned()
    }
    fn step(&mut self, max: u64, into: &mut Action) -> Ahead {
        let Some(first) = self.first.as_mut().filter(|_| self.left > 0) else {
            let Some(action) = self.next() else { return Ahead::End };
            *into = action;
            return Ahead::Action;
        };
        let ahead = first.step(max.min(self.left), into);
        match ahead {
            Ahead::End => {}
            Ahead::Sends(n) => self.left -= n,
            Ahead::Action => self.left -= 1,
        }
        ahead
    }
    fn boxed_clone(&self) -> Box<dyn Cursor> {
        Box::new(Self {
            first: self.first.as_ref().map(|cursor| cursor.boxed_clone()),
            left: self.left,
            at: self.at,
            branches: Arc::clone(&self.branches),
            pid: self.pid,
        })
    }
}

//! Which of its own actions a process had done in the past of an action of another one: for the order of arrival beyond the logs
//! ([`super::arrival`]).
//!
//! It is derived from the logs, up to a position, and goes along with that: forward, only what is new is read.

use log_format::{Action, ActionId, Cut, Error, Kind, Pid, Tag};
use rustc_hash::FxHashMap;

use super::history::History;
use super::suffixes::Suffixes;

/// The receives of a process, and for each action of the others the last action of the process in its past.
#[derive(Clone, Debug)]
pub(super) struct ReceiveBounds {
    of: Pid,
    /// Its own actions that consumed a message, by number, each with the last of its actions in the past of the send.
    pub(super) consumed: Vec<(u64, Tag, u64)>,
    /// Its own actions that are timeouts, by number.
    pub(super) timeouts: Vec<u64>,
    /// For each other process: its actions where the bound rises, each with the bound from there on.
    rises: FxHashMap<Pid, Vec<(u64, u64)>>,
    done: FxHashMap<Pid, u64>,
    /// The position up to which the logs were read.
    at: Cut,
    /// Processes whose logs were not read that far, because what they need was not there.
    behind: Vec<Pid>,
    /// Of which state of the logs.
    stamp: u64,
}

impl ReceiveBounds {
    /// Of a process; nothing is read yet.
    pub fn of(pid: Pid) -> Self {
        Self {
            of: pid,
            consumed: Vec::new(),
            timeouts: Vec::new(),
            rises: FxHashMap::default(),
            done: FxHashMap::default(),
            at: Cut::default(),
            behind: Vec::new(),
            stamp: 0,
        }
    }

    /// From logs of this stamp, these actions were dropped. If none of them was read, what is known stays.
    pub fn outlives(&self, stamp: u64, dropped: &Suffixes) -> bool {
        self.stamp == stamp
            && dropped
                .starts()
                .all(|start| self.at.get(start.pid) < start.number.0.max(1))
    }

    /// The logs have changed, but not what was read.
    pub const fn renew(&mut self, history: &History) {
        self.stamp = history.stamp();
    }

    /// How many actions of the logs it has read.
    pub fn actions(&self) -> u64 {
        self.at.actions()
    }

    /// Reads the logs up to this position.
    pub fn read_to(&mut self, history: &History, now: &Cut) -> Result<(), Error> {
        let is_within = self.stamp == history.stamp() && self.at.besides(now).all(|last| now.contains(last));
        if !is_within {
            *self = Self {
                stamp: history.stamp(),
                ..Self::of(self.of)
            };
        }
        let mut waiting: FxHashMap<Pid, Vec<Pid>> = FxHashMap::default();
        let mut next: Vec<Pid> = now.besides(&self.at).map(|last| last.pid).collect();
        next.append(&mut self.behind);
        self.at = now.clone();
        while let Some(pid) = next.pop() {
            if let Some(other) = self.read_on(history, pid)? {
                waiting.entry(other).or_default().push(pid);
            }
            // It may have come far enough for others.
            next.extend(waiting.remove(&pid).unwrap_or_default());
        }
        self.behind = waiting.into_values().flatten().collect();
        Ok(())
    }

    /// The last action of the process in the past of this one.
    pub fn before(&self, ActionId { pid, number }: ActionId) -> u64 {
        if pid == self.of {
            return number.0;
        }
        let rises = self.rises.get(&pid).map_or(&[][..], Vec::as_slice);
        let at = rises.partition_point(|(from, _)| *from <= number.0);
        at.checked_sub(1).map_or(0, |last| rises[last].1)
    }

    fn done(&self, pid: Pid) -> u64 {
        self.done.get(&pid).copied().unwrap_or(0)
    }

    /// Reads the log of a process as far as all that it needs has been read. Returns whom it waits for.
    fn read_on(&mut self, history: &History, pid: Pid) -> Result<Option<Pid>, Error> {
        let (from, to) = (self.done(pid), self.at.get(pid));
        if from == 0
            && let Some(birth) = history.parent(pid)?
        {
            if self.is_ahead(pid, birth) {
                return Ok(Some(birth.pid));
            }
            self.rises(pid, 0, birth);
        }
        let found = history.walk(pid, from, to, |number, _, action| {
            let send = match action.kind.consumed().map_or(Ok(None), |tag| history.find_send(tag)) {
                Ok(send) => send,
                Err(error) => return Some(Err(error)),
            };
            let sources: Vec<ActionId> = action.read_from().chain(send).collect();
            if let Some(source) = sources.iter().find(|source| self.is_ahead(pid, **source)) {
                return Some(Ok(source.pid));
            }
            sources.into_iter().for_each(|source| self.rises(pid, number, source));
            self.action(pid, number, action, send);
            None
        })?;
        found.transpose()
    }

    /// Must this action of another process be read first?
    fn is_ahead(&self, pid: Pid, source: ActionId) -> bool {
        let done = self.done(source.pid);
        source.pid != pid && source.pid != self.of && done < source.number.0 && done < self.at.get(source.pid)
    }

    /// An action of a process has another one in its past.
    fn rises(&mut self, pid: Pid, number: u64, source: ActionId) {
        if pid == self.of || source.pid == pid {
            return;
        }
        let bound = self.before(source);
        let rises = self.rises.entry(pid).or_default();
        match rises.last_mut() {
            Some((_, last)) if *last >= bound => {}
            Some((from, last)) if *from == number => *last = bound,
            None if bound == 0 => {}
            _ => rises.push((number, bound)),
        }
    }

    fn action(&mut self, pid: Pid, number: u64, action: &Action, send: Option<ActionId>) {
        self.done.insert(pid, number);
        match action.kind {
            Kind::Rec(tag) if pid == self.of => {
                let bound = send.map_or(0, |send| self.before(send));
                self.consumed.push((number, tag, bound));
            }
            Kind::After if pid == self.of => self.timeouts.push(number),
            _ => {}
        }
    }
}

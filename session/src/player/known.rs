//! What the processes of a session know of the signals that others have sent: which message arrives before another one, where delivery is causal
//! ([`system::delivery`]).
//!
//! It is derived from the logs, up to the current position, and goes along with it: forward, only what is new is read.

use log_format::{Action, ActionId, Cut, Error, Pid, PidMap, SendNo, Tag};
use rustc_hash::FxHashMap;
use system::Since;
use system::delivery::{Causality, tells_readers};

use super::history::History;
use super::suffixes::Suffixes;

/// After so many actions, what was read is made ready for being shared with clones.
const SETTLED: u64 = 1024;

/// See the module.
#[derive(Clone, Debug, Default)]
pub(super) struct KnownSignals {
    causality: Causality,
    done: PidMap<u64>,
    /// The position up to which the logs were read.
    at: Cut,
    /// Processes whose logs were not read that far, because what they need was not there.
    behind: Vec<Pid>,
    /// How many signals each process has sent.
    sent: PidMap<u64>,
    /// Of which state of the logs.
    stamp: u64,
    /// Up to where the changes of the system were read.
    pub(super) since: Since,
    /// The number of actions when it was settled last.
    settled: u64,
    /// Actions that were read so far, however often.
    pub(super) read: u64,
}

impl KnownSignals {
    /// One that also answers for signals that were consumed.
    pub fn keeping() -> Self {
        Self {
            causality: Causality::keeping(),
            ..Self::default()
        }
    }

    /// What processes know at this position.
    pub fn at(&mut self, history: &History, now: &Cut) -> Result<&Causality, Error> {
        let is_within = self.stamp == history.stamp() && self.at.besides(now).all(|last| now.contains(last));
        if !is_within {
            self.causality.clear();
            self.done = PidMap::default();
            self.at = Cut::default();
            self.behind.clear();
            self.sent = PidMap::default();
            self.stamp = history.stamp();
            self.settled = 0;
        }
        let next = now.besides(&self.at).map(|last| last.pid).collect();
        self.at = now.clone();
        self.read_all(history, next)?;
        Ok(&self.causality)
    }

    /// Reads on the logs of these processes, up to these numbers of actions. The logs are the same as before, or longer.
    pub fn follow(&mut self, history: &History, to: &[(Pid, u64)]) -> Result<(), Error> {
        for (pid, actions) in to {
            self.at.set(*pid, *actions);
        }
        self.read_all(history, to.iter().map(|(pid, _)| *pid).collect())
    }

    fn read_all(&mut self, history: &History, mut next: Vec<Pid>) -> Result<(), Error> {
        // Which processes wait for another one to be read on.
        let mut waiting: FxHashMap<Pid, Vec<Pid>> = FxHashMap::default();
        next.append(&mut self.behind);
        while let Some(pid) = next.pop() {
            if let Some(other) = self.read_on(history, pid)? {
                waiting.entry(other).or_default().push(pid);
            }
            // It may have come far enough for others.
            next.extend(waiting.remove(&pid).unwrap_or_default());
        }
        self.behind = waiting.into_values().flatten().collect();
        if self.at.actions() >= self.settled.saturating_add(SETTLED) {
            self.settled = self.at.actions();
            self.causality.settle();
        }
        Ok(())
    }

    /// Is it of these logs as they are, and does this process not stand before what was read?
    pub fn is_of(&self, history: &History, to: &[(Pid, u64)]) -> bool {
        self.stamp == history.stamp() && to.iter().all(|(pid, actions)| *actions >= self.at.get(*pid))
    }

    /// How many actions of a process it knows.
    pub fn actions(&self, pid: Pid) -> u64 {
        self.at.get(pid)
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

    /// From now on, a clone shares what does not change.
    pub fn settle(&mut self) {
        self.causality.settle();
    }

    /// What processes know at the position where it was last asked.
    pub const fn knowledge(&self) -> &Causality {
        &self.causality
    }

    /// Reads the log of a process as far as all that it needs has been read. Returns whom it waits for.
    fn read_on(&mut self, history: &History, pid: Pid) -> Result<Option<Pid>, Error> {
        let (from, to) = (self.read(pid), self.at.get(pid));
        if from == 0
            && let Some(birth) = history.parent(pid)?
            && birth.number.0 > self.read(birth.pid)
            && birth.number.0 <= self.at.get(birth.pid)
        {
            return Ok(Some(birth.pid));
        }
        history.walk(pid, from, to, |number, sends, action| {
            let needs = self.needs(pid, action);
            if needs.is_none() {
                self.action(ActionId::new(pid, number), sends, action);
            }
            needs
        })
    }

    fn read(&self, pid: Pid) -> u64 {
        self.done.get(pid).copied().unwrap_or(0)
    }

    /// Another process whose log has to be read first.
    fn needs(&self, pid: Pid, action: &Action) -> Option<Pid> {
        let is_behind = |other: Pid| other != pid && self.read(other) < self.at.get(other);
        let by = match action.kind.consumed() {
            Some(Tag::Sent { by, k }) if self.sent.get(by).copied().unwrap_or(0) < k.0 => Some(by),
            Some(Tag::EndTo { by, .. } | Tag::EndRef { by, .. } | Tag::EndTable { by, .. }) => Some(by),
            _ => None,
        };
        let reads = action.accesses.iter().filter_map(|access| access.by);
        let written = reads
            .filter(|from| self.read(from.pid) < from.number.0)
            .map(|from| from.pid);
        by.into_iter().chain(written).find(|other| is_behind(*other))
    }

    fn action(&mut self, id: ActionId, sends: u64, action: &Action) {
        let pid = id.pid;
        self.read += 1;
        let before = sends - u64::from(action.sends);
        if let Some(tag) = action.kind.consumed() {
            let numbered = matches!(tag, Tag::Sent { .. });
            if let Some(by) = tag.sender().filter(|_| !numbered) {
                let sent = self.sent.get(by).copied().unwrap_or(0);
                self.causality.sends(by, tag, sent);
            }
            self.causality.consumes(pid, tag);
        }
        for from in action.accesses.iter().filter_map(|access| access.by) {
            self.causality.reads(pid, from);
        }
        if let Some(child) = action.kind.spawned() {
            self.causality.spawns(pid, before, child);
        }
        if tells_readers(action) {
            self.causality.writes(id, before);
        }
        for k in before + 1..=sends {
            let k = SendNo(k);
            self.causality.sends(pid, Tag::Sent { by: pid, k }, k.0);
        }
        self.done.insert(pid, id.number.0);
        self.sent.insert(pid, sends);
    }
}

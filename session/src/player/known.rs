//! What the processes of a session know of the signals that others have sent: which message arrives before another one, where delivery is causal
//! ([`system::delivery`]).
//!
//! It is derived from the logs, up to the current position, and goes along with it: forward, only what is new is read.

use log_format::{ActionId, Cut, Error, Pid, SendNo, Tag};
use rustc_hash::FxHashMap;
use system::delivery::{Causality, tells_readers};

use super::history::{Entry, History};

/// See the module.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    causality: Causality,
    done: FxHashMap<Pid, u64>,
    /// The position up to which the logs were read.
    at: Cut,
    /// Processes whose logs were not read that far, because what they need was not there.
    behind: Vec<Pid>,
    /// How many signals each process has sent.
    sent: FxHashMap<Pid, u64>,
    /// Of which state of the logs.
    stamp: u64,
}

impl Known {
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
            self.done.clear();
            self.at = Cut::default();
            self.behind.clear();
            self.sent.clear();
            self.stamp = history.stamp();
        }
        // Which processes wait for another one to be read on.
        let mut waiting: FxHashMap<Pid, Vec<Pid>> = FxHashMap::default();
        let mut next: Vec<Pid> = now.besides(&self.at).map(|last| last.pid).collect();
        next.append(&mut self.behind);
        self.at = now.clone();
        while let Some(pid) = next.pop() {
            if let Some(other) = self.read_on(history, now, pid)? {
                waiting.entry(other).or_default().push(pid);
            }
            // It may have come far enough for others.
            next.extend(waiting.remove(&pid).unwrap_or_default());
        }
        self.behind = waiting.into_values().flatten().collect();
        Ok(&self.causality)
    }

    /// What processes know at the position where it was last asked.
    pub const fn knowledge(&self) -> &Causality {
        &self.causality
    }

    /// Reads the log of a process as far as all that it needs has been read. Returns whom it waits for.
    fn read_on(&mut self, history: &History, now: &Cut, pid: Pid) -> Result<Option<Pid>, Error> {
        let (from, to) = (self.done.get(&pid).copied().unwrap_or(0), now.get(pid));
        if from == 0
            && let Some(birth) = history.parent(pid)?
            && birth.number.0 > self.read(birth.pid)
            && birth.number.0 <= now.get(birth.pid)
        {
            return Ok(Some(birth.pid));
        }
        for entry in history.stretch(pid, from, to)? {
            if let Some(other) = self.needs(now, pid, &entry) {
                return Ok(Some(other));
            }
            self.action(pid, &entry);
        }
        Ok(None)
    }

    fn read(&self, pid: Pid) -> u64 {
        self.done.get(&pid).copied().unwrap_or(0)
    }

    /// Another process whose log has to be read first.
    fn needs(&self, now: &Cut, pid: Pid, entry: &Entry) -> Option<Pid> {
        let is_behind = |other: Pid| other != pid && self.read(other) < now.get(other);
        let by = match entry.action.kind.consumed() {
            Some(Tag::Sent { by, k }) if self.sent.get(&by).copied().unwrap_or(0) < k.0 => Some(by),
            Some(Tag::EndTo { by, .. } | Tag::EndRef { by, .. } | Tag::EndTable { by, .. }) => Some(by),
            _ => None,
        };
        let reads = entry.action.accesses.iter().filter_map(|access| access.by);
        let written = reads
            .filter(|from| self.read(from.pid) < from.number.0)
            .map(|from| from.pid);
        by.into_iter().chain(written).find(|other| is_behind(*other))
    }

    fn action(&mut self, pid: Pid, entry: &Entry) {
        let action = &entry.action;
        let before = entry.sends - u64::from(action.sends);
        if let Some(tag) = action.kind.consumed() {
            let numbered = matches!(tag, Tag::Sent { .. });
            if let Some(by) = tag.sender().filter(|_| !numbered) {
                let sent = self.sent.get(&by).copied().unwrap_or(0);
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
            self.causality.writes(ActionId::new(pid, entry.number), before);
        }
        for k in before + 1..=entry.sends {
            let k = SendNo(k);
            self.causality.sends(pid, Tag::Sent { by: pid, k }, k.0);
        }
        self.done.insert(pid, entry.number);
        self.sent.insert(pid, entry.sends);
    }
}

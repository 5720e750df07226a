//! Positions of processes in the record, and what is ahead of them.

use super::{ALONE, Drive};
use crate::choices::{RecordedChoice, SignalKey, StepKind};
use crate::kin::Id;
use log_format::Pid;
use session::player::handle;

impl Drive<'_> {
    pub(super) fn id(&self, pid: Pid) -> Option<Id> {
        self.system.observer.inner.ids.get(&pid).copied()
    }

    /// The recorded steps of a process, and its position among them.
    pub(super) fn record(&self, pid: Pid) -> (&[RecordedChoice], usize) {
        let Some(id) = self.id(pid) else { return (&[], 0) };
        let list = self.choices.get(&id).map_or(&[][..], Vec::as_slice);
        (list, self.at.get(&id).copied().unwrap_or(0))
    }

    /// Is this signal to the process ahead in the record?
    pub(super) fn is_ahead(&self, pid: Pid, key: SignalKey) -> bool {
        let ahead = self.id(pid).and_then(|id| self.ahead.get(&id));
        ahead.is_some_and(|keys| keys.contains(&key))
    }

    /// How many actions a process has done in this run.
    pub(super) fn actions(&self, pid: Pid) -> u64 {
        self.system.table().by_pid(handle(pid)).map_or(0, |p| p.actions)
    }

    pub(super) fn choice(&self, pid: Pid, place: usize) -> Option<&RecordedChoice> {
        self.record(pid).0.get(place)
    }

    /// The next recorded choice of a signal or timeout for a process.
    pub(super) fn next(&self, pid: Pid) -> Option<usize> {
        let (list, at) = self.record(pid);
        let id = self.id(pid)?;
        let coming = self.coming.get(&id)?;
        let from = coming.partition_point(|&place| place < at);
        coming[from..].iter().copied().find(|&place| match list[place].what {
            StepKind::Rec(key) => !self.early.contains(&(id, key)),
            _ => true,
        })
    }

    /// A process has reached this position among its recorded steps.
    pub(super) fn come_to(&mut self, pid: Pid, place: usize) {
        let Some(id) = self.id(pid) else { return };
        self.stand.touch(pid);
        self.naps.remove(&pid);
        let from = self.at.get(&id).copied().unwrap_or(0);
        let choices = self.choices;
        let list = choices.get(&id).map_or(&[][..], Vec::as_slice);
        for choice in list.get(from..place).unwrap_or_default() {
            if let StepKind::Rec(key) | StepKind::Signal(key) = choice.what {
                self.set_ahead(pid, id, key, false);
            }
        }
        self.at.insert(id, place);
    }

    /// Has the process not kept going on its own, without a recorded step of any process?
    pub(super) fn is_calm(&self, pid: Pid) -> bool {
        self.alone.get(&pid).is_none_or(|&steps| steps < ALONE)
    }
}

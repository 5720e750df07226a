//! Ends of processes, and processes that have used up their logs.

use super::{BIRTH_NS, Drive, EVENT_NS, Misfit, Own};
use log_format::Pid;
use system::observer::Observer;

impl<O: Observer> Drive<'_, O> {
    /// Do the logs ask for nothing more?
    pub(super) fn is_over(&self) -> bool {
        self.used == self.entries && (!self.logs.finished || self.living == 0)
    }

    /// Fails if the run was given up while processes went on.
    pub(super) fn comes_to_its_end(&self, alive: &[u64]) -> Result<(), Misfit> {
        match alive.first() {
            Some(&pid) if self.exhausted => Err(Misfit {
                pid,
                fitted: self.all.get(&pid).map_or(0, |p| p.at),
                place: None,
                found: "it goes on for ever after its last entry".to_owned(),
            }),
            _ => Ok(()),
        }
    }

    /// Advances the clock of a process, and checks whether it has ended.
    pub(super) fn has_run(&mut self, pid: Pid) {
        if let Some(p) = self.process(pid) {
            let total = p.total_events;
            let now = self.now;
            let new = Own {
                time: now + BIRTH_NS,
                ..Own::default()
            };
            let own = self.own.entry(pid).or_insert(new);
            let ran = total.saturating_sub(own.events);
            own.time = own.time.max(now).saturating_add(ran.saturating_mul(EVENT_NS));
            own.events = total;
        } else {
            self.own.remove(&pid);
            self.untraced.remove(&pid);
            self.stray.remove(&pid);
            self.exits.remove(&pid);
            self.shaken = true;
            self.has_ended(pid);
        }
    }

    pub(super) fn has_ended(&mut self, pid: Pid) {
        if self.names.contains_key(&pid) && self.ended.insert(pid) {
            self.living = self.living.saturating_sub(1);
        }
    }

    /// Delivers the exit signals that were held back until the log of the process was used up. True if there were any.
    pub(super) fn let_die(&mut self, pid: Pid) -> bool {
        if matches!(self.entry(pid), Some(Some(_))) {
            return false;
        }
        let mut any = false;
        for tag in self.exits.remove(&pid).unwrap_or_default() {
            if self.system.is_exit(pid, tag) {
                self.system.release(pid, tag);
                any = true;
            } else if self.system.is_held(pid, tag) {
                // The process traps exits by now.
                self.untraced.entry(pid).or_default().push((tag, self.now));
            }
        }
        any
    }

    /// Checks whether a receive took the message that was given to a process. True if an exit signal is delivered now.
    pub(super) fn look_for_taken(&mut self, pid: Pid) -> bool {
        let Some(tag) = self.progress(pid).and_then(|progress| progress.loose) else {
            return false;
        };
        if self.is_unread(pid, tag) {
            return false;
        }
        if let Some(progress) = self.progress_mut(pid) {
            progress.loose = None;
            progress.refused = false;
        }
        self.entry_is_used(pid)
    }
}

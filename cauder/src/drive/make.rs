//! Makes steps, and notes what follows from them.

use super::{Drive, EntryOutcome, LARGEST_PID, LOGGED_NS, LogMessage, NextStep, POLLING_STEPS, STEP_NS};
use crate::log::LogEntry;
use crate::value;
use interpreter::vm::EndClass;
use log_format::{Pid, SendNo, Tag};
use system::driven::Label;
use system::observer::Observer;
use system::{RunEnd, ids};

impl<O: Observer> Drive<'_, O> {
    /// Lets a process do a step, and then runs all processes until they stop again.
    pub(super) fn make(&mut self, pid: Pid, step: NextStep) -> Option<RunEnd> {
        self.now = self.time_of(pid, step);
        self.system.set_clock(self.now);
        let before = self.actions(pid);
        let takes = match (step, self.entry(pid)) {
            (NextStep::Logged, Some(Some(LogEntry::Send(_)))) => STEP_NS,
            (NextStep::Logged | NextStep::Receive(_), _) => LOGGED_NS,
            _ => STEP_NS,
        };
        if let Some(own) = self.own.get_mut(&pid) {
            own.free += 1;
            own.time = own
                .time
                .max(self.now)
                .saturating_add(takes * (1 + own.free / POLLING_STEPS));
        }
        match step {
            NextStep::Untraced(tag) | NextStep::Foreign(tag) => {
                if let Some(tags) = self.untraced.get_mut(&pid) {
                    tags.retain(|(known, _)| *known != tag);
                }
                self.taken_untraced += u64::from(matches!(step, NextStep::Foreign(_)));
                self.give(pid, tag)
            }
            NextStep::Stray(tag) => {
                if let Some(tags) = self.stray.get_mut(&pid) {
                    tags.retain(|known| *known != tag);
                }
                self.taken_stray += 1;
                self.give(pid, tag)
            }
            NextStep::TimeOut | NextStep::OnwardTimeOut => {
                self.system.time_out(pid);
                self.rest()
            }
            NextStep::Receive(uid) => {
                let tag = self.sent.get(&uid)?.tag;
                if let Some(progress) = self.progress_mut(pid) {
                    progress.loose = Some(tag);
                }
                let end = self.give(pid, tag);
                if let Some(progress) = self.progress_mut(pid) {
                    progress.refused = progress.loose.is_some();
                }
                end
            }
            NextStep::Spin => {
                self.spins += 1;
                self.pass(pid)
            }
            NextStep::LostSend => {
                self.lost += 1;
                if matches!(self.entry(pid), Some(Some(LogEntry::Send(_))))
                    && let Some(nth) = self.nth_send(pid)
                {
                    self.doubtful.push((nth, false));
                }
                self.unlogged_send(pid)
            }
            NextStep::NoName | NextStep::Plain => self.unlogged_send(pid),
            NextStep::Nameless => {
                let uid = match self.entry(pid) {
                    Some(Some(LogEntry::Send(uid))) => *uid,
                    _ => return None,
                };
                self.send_is_done(uid);
                // A send to another node is a send like any other; a send to its own node raises, and there is no message.
                let sends = |drive: &Self| drive.process(pid).map(|p| p.sent);
                let before = sends(self);
                let end = self.unlogged_send(pid);
                match before.map(|k| Tag::Sent {
                    by: pid,
                    k: SendNo(k + 1),
                }) {
                    Some(tag) if sends(self) > before => {
                        self.sent.insert(uid, LogMessage { tag, to: None });
                    }
                    _ => self.nameless += 1,
                }
                if self.entry_is_used(pid) && end.is_none() {
                    return self.rest();
                }
                end
            }
            NextStep::Free | NextStep::Onward => {
                self.shaken |= self.may_concern_others(pid);
                self.outcome_of(pid);
                let fresh = self.system.number_next(self.fresh);
                self.fresh = self.fresh.max(fresh.0);
                self.pass(pid)
            }
            NextStep::Logged | NextStep::Start | NextStep::FailingStart | NextStep::Early(_) => {
                self.make_logged(pid, step, before)
            }
        }
    }

    pub(super) fn pass(&mut self, pid: Pid) -> Option<RunEnd> {
        self.system.permit(pid, None);
        self.rest()
    }

    pub(super) fn give(&mut self, pid: Pid, tag: Tag) -> Option<RunEnd> {
        self.system.release(pid, tag);
        self.rest()
    }

    pub(super) fn unlogged_send(&mut self, pid: Pid) -> Option<RunEnd> {
        if let Some(progress) = self.progress_mut(pid) {
            progress.sends += 1;
        }
        self.pass(pid)
    }

    /// Changes to names or nodes: other processes may have waited for them.
    pub(super) fn may_concern_others(&self, pid: Pid) -> bool {
        match self.system.label(pid) {
            Some(Label::Native(native)) => {
                native.name.contains("register") || native.name.starts_with("$node") || native.name == "unlink"
            }
            Some(Label::End) | None => false,
            Some(Label::Spinning) => true,
        }
    }

    /// Notes how the entry ends, if its end is next.
    pub(super) fn outcome_of(&mut self, pid: Pid) {
        if pid.0 != system::FIRST_PID || !matches!(self.system.label(pid), Some(Label::End)) {
            return;
        }
        let Some(p) = self.process(pid) else { return };
        let Some(end) = &p.ending else { return };
        self.outcome = Some(match end.class {
            EndClass::Normal => {
                EntryOutcome::Returned(value::written(&p.machine.heap, end.reason, &self.system.program))
            }
            _ => EntryOutcome::Raised(self.how_it_ends(p)),
        });
    }

    pub(super) fn make_logged(&mut self, pid: Pid, step: NextStep, before: u64) -> Option<RunEnd> {
        let entry = self.entry(pid)??.clone();
        let mut born = None;
        match &entry {
            LogEntry::Send(uid) => {
                let to = match self.destination(pid) {
                    Some((Some(to), _)) => Some(ids::to_log(to)),
                    _ => None,
                };
                let k = SendNo(self.process(pid)?.sent + 1);
                let tag = Tag::Sent { by: pid, k };
                let receiver = self.logs.receivers.contains_key(uid);
                self.sent.insert(
                    *uid,
                    LogMessage {
                        tag,
                        to: to.filter(|_| receiver),
                    },
                );
                self.sent_at.insert(*uid, self.now);
                self.uids.insert(tag, *uid);
                self.send_is_done(*uid);
                if !receiver {
                    let nth = self.nth_send(pid)?;
                    self.doubtful.push((nth, true));
                }
                self.progress_mut(pid)?.sends += 1;
            }
            LogEntry::Spawn { pid: number, .. } => {
                let wanted = if *number <= LARGEST_PID { *number } else { self.fresh };
                let child = self.system.number_next(wanted);
                if child.0 >= self.fresh {
                    self.fresh = child.0 + 1;
                }
                born = Some((*number, child));
            }
            LogEntry::Start { .. } => self.shaken = true,
            LogEntry::Receive(_) | LogEntry::Nodes(_) => {}
        }
        // A child must be known before it acts: no process has run yet.
        if let Some((number, child)) = born {
            self.born(number, child);
        }
        if step == NextStep::FailingStart {
            self.system.permit_failing_start(pid);
        } else {
            self.system.permit(pid, None);
        }
        let end = self.rest();
        if self.actions(pid) > before {
            let again = self.entry_is_used(pid);
            if let (LogEntry::Spawn { ok: false, .. }, Some((_, child))) = (&entry, born) {
                self.has_ended(child);
            }
            // A process that looked before the node was started has now looked.
            self.shaken |= matches!(entry, LogEntry::Nodes(_) | LogEntry::Spawn { ok: false, .. });
            if again && end.is_none() {
                return self.rest();
            }
        } else if let Some((number, child)) = born {
            self.living = self.living.saturating_sub(1);
            self.all.remove(&number);
            self.names.remove(&child);
        }
        end
    }
}

//! The clocks of processes, and which step comes first by them.

use super::{BARREN_STEPS, BOOT_NS, Drive, NextStep, QueueOf, SEND_NS};
use crate::log::LogEntry;
use log_format::{Pid, Tag};
use system::RunEnd;
use system::observer::Observer;

impl<O: Observer> Drive<'_, O> {
    /// The time of a process's step, by its own clock.
    pub(super) fn time_of(&mut self, pid: Pid, step: NextStep) -> u64 {
        let waits = self.system.timeout(pid);
        let sends = matches!(self.entry(pid), Some(Some(LogEntry::Send(_))));
        let own = self.own.entry(pid).or_default();
        match step {
            NextStep::TimeOut | NextStep::OnwardTimeOut => {
                let Some((ms, deadline)) = waits else { return own.time };
                match own.deadline {
                    Some((known, mine)) if known == deadline => mine,
                    _ => {
                        let mine = own.time.saturating_add(ms.saturating_mul(1_000_000));
                        own.deadline = Some((deadline, mine));
                        mine
                    }
                }
            }
            NextStep::Logged if sends => own.time.saturating_add(SEND_NS),
            NextStep::Start | NextStep::FailingStart => own.time.saturating_add(BOOT_NS),
            NextStep::Receive(uid) => own.time.max(self.sent_at.get(&uid).copied().unwrap_or(0)),
            NextStep::Untraced(tag) | NextStep::Foreign(tag) => {
                let arrived = self
                    .untraced
                    .get(&pid)
                    .and_then(|all| all.iter().find(|(t, _)| *t == tag));
                own.time.max(arrived.map_or(0, |(_, at)| *at))
            }
            _ => own.time,
        }
    }

    /// The next process, its step, and its time if it is in the queue by time.
    pub(super) fn choose(&mut self) -> Option<(Pid, NextStep, Option<u64>)> {
        let mut rechecked = false;
        loop {
            let first = self.queue.first().map(|&(_, pid)| pid);
            let late = self.late.first().map(|&(_, _, pid)| pid);
            let pid = match (first, late) {
                (Some(_), Some(pid)) if self.barren >= BARREN_STEPS => pid,
                (Some(pid), _) => pid,
                (None, _) if !rechecked => {
                    rechecked = true;
                    self.dirty.extend(&self.blocked);
                    self.look_again();
                    continue;
                }
                (None, pid) => pid?,
            };
            // Others may have changed what it can do since it was put into the queue.
            let before = self.places.get(&pid).copied();
            if let Some((step, place)) = self.look(pid)
                && before == Some(place)
            {
                let key = match place {
                    QueueOf::Queue(key) => Some(key),
                    QueueOf::Late(..) | QueueOf::Blocked => None,
                };
                return Some((pid, step, key));
            }
        }
    }

    /// Puts a process into a queue according to its next step.
    pub(super) fn look(&mut self, pid: Pid) -> Option<(NextStep, QueueOf)> {
        let found = self.next_step(pid).map(|step| (step, self.place_of(pid, step)));
        let place = match found {
            Some((_, place)) => Some(place),
            None => self.system.label(pid).map(|_| QueueOf::Blocked),
        };
        let before = match place {
            Some(place) => self.places.insert(pid, place),
            None => self.places.remove(&pid),
        };
        if before != place {
            match before {
                Some(QueueOf::Queue(key)) => self.queue.remove(&(key, pid)),
                Some(QueueOf::Late(rank, key)) => self.late.remove(&(rank, key, pid)),
                Some(QueueOf::Blocked) => self.blocked.remove(&pid),
                None => false,
            };
            match place {
                Some(QueueOf::Queue(key)) => self.queue.insert((key, pid)),
                Some(QueueOf::Late(rank, key)) => self.late.insert((rank, key, pid)),
                Some(QueueOf::Blocked) => self.blocked.insert(pid),
                None => false,
            };
        }
        found
    }

    pub(super) fn look_again(&mut self) {
        if std::mem::take(&mut self.shaken) {
            self.dirty.extend(&self.blocked);
        }
        let mut dirty = std::mem::take(&mut self.dirty);
        dirty.sort_unstable();
        dirty.dedup();
        for pid in dirty {
            self.look(pid);
        }
    }

    /// Its place in the queue. Computing comes before waiting, up to the patience.
    pub(super) fn place_of(&mut self, pid: Pid, step: NextStep) -> QueueOf {
        let time = self.time_of(pid, step);
        match step {
            NextStep::Free | NextStep::Untraced(_) | NextStep::Logged | NextStep::Receive(_) | NextStep::LostSend => {
                QueueOf::Queue(time)
            }
            NextStep::TimeOut | NextStep::Nameless | NextStep::Start | NextStep::FailingStart => {
                QueueOf::Queue(time.saturating_add(self.reading.patience))
            }

            NextStep::Onward | NextStep::OnwardTimeOut if self.barren < BARREN_STEPS => QueueOf::Late(1, time),
            NextStep::Spin => QueueOf::Late(2, time),
            NextStep::Early(uid) => QueueOf::Late(3, uid),
            NextStep::NoName => QueueOf::Late(4, time),
            NextStep::Plain => QueueOf::Late(5, time),
            NextStep::Stray(_) => QueueOf::Late(6, time),
            NextStep::Foreign(_) => QueueOf::Late(7, time),
            NextStep::Onward | NextStep::OnwardTimeOut => QueueOf::Late(8, time),
        }
    }

    /// A timer of the program fires.
    pub(super) fn expire(&mut self, due: u64, tag: Tag) -> Option<RunEnd> {
        self.now = due;
        self.system.set_clock(due);
        self.system.expire(tag);
        self.rest()
    }
}

//! The clocks of processes, and which step comes first by them.

use super::{BARREN_STEPS, BOOT_NS, Drive, Place, SEND_NS, Step};
use crate::log::Entry;
use log_format::{Pid, Tag};
use system::RunEnd;
use system::observer::Observer;

impl<O: Observer> Drive<'_, O> {
    /// The time of a process's step, by its own clock.
    pub(super) fn time_of(&mut self, pid: Pid, step: Step) -> u64 {
        let waits = self.system.timeout(pid);
        let sends = matches!(self.entry(pid), Some(Some(Entry::Send(_))));
        let own = self.own.entry(pid).or_default();
        match step {
            Step::TimeOut | Step::OnwardTimeOut => {
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
            Step::Logged if sends => own.time.saturating_add(SEND_NS),
            Step::Start | Step::FailingStart => own.time.saturating_add(BOOT_NS),
            Step::Receive(uid) => own.time.max(self.sent_at.get(&uid).copied().unwrap_or(0)),
            Step::Untraced(tag) | Step::Foreign(tag) => {
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
    pub(super) fn choose(&mut self) -> Option<(Pid, Step, Option<u64>)> {
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
                    Place::Queue(key) => Some(key),
                    Place::Late(..) | Place::Blocked => None,
                };
                return Some((pid, step, key));
            }
        }
    }

    /// Puts a process into a queue according to its next step.
    pub(super) fn look(&mut self, pid: Pid) -> Option<(Step, Place)> {
        let found = self.next_step(pid).map(|step| (step, self.place_of(pid, step)));
        let place = match found {
            Some((_, place)) => Some(place),
            None => self.system.label(pid).map(|_| Place::Blocked),
        };
        let before = match place {
            Some(place) => self.places.insert(pid, place),
            None => self.places.remove(&pid),
        };
        if before != place {
            match before {
                Some(Place::Queue(key)) => self.queue.remove(&(key, pid)),
                Some(Place::Late(rank, key)) => self.late.remove(&(rank, key, pid)),
                Some(Place::Blocked) => self.blocked.remove(&pid),
                None => false,
            };
            match place {
                Some(Place::Queue(key)) => self.queue.insert((key, pid)),
                Some(Place::Late(rank, key)) => self.late.insert((rank, key, pid)),
                Some(Place::Blocked) => self.blocked.insert(pid),
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
    pub(super) fn place_of(&mut self, pid: Pid, step: Step) -> Place {
        let time = self.time_of(pid, step);
        match step {
            Step::Free | Step::Untraced(_) | Step::Logged | Step::Receive(_) | Step::LostSend => Place::Queue(time),
            Step::TimeOut | Step::Nameless | Step::Start | Step::FailingStart => {
                Place::Queue(time.saturating_add(self.reading.patience))
            }

            Step::Onward | Step::OnwardTimeOut if self.barren < BARREN_STEPS => Place::Late(1, time),
            Step::Spin => Place::Late(2, time),
            Step::Early(uid) => Place::Late(3, uid),
            Step::NoName => Place::Late(4, time),
            Step::Plain => Place::Late(5, time),
            Step::Stray(_) => Place::Late(6, time),
            Step::Foreign(_) => Place::Late(7, time),
            Step::Onward | Step::OnwardTimeOut => Place::Late(8, time),
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

//! Time in a driven run: how long processes wait, and when their timeouts and timers fire.

use log_format::{Pid, Tag};

use super::{ANSWER, Drive, Longer, Move, PATIENT, PAUSE};
use crate::choices::{SignalKey, StepKind};
use session::player::handle;

impl Drive<'_> {
    pub(super) fn note_waits(&mut self) {
        let active: Vec<Pid> = self.stand.active().collect();
        for pid in active {
            if let (Some(id), Some((timeout, _))) = (self.id(pid), self.system.timeout(pid)) {
                let at = self.at.get(&id).copied().unwrap_or(0);
                self.waits.entry((id, at)).or_insert(timeout);
            }
        }
    }

    /// The longest wait of the recorded program at this position of the process in its record.
    pub(super) fn recorded_wait(&self, pid: Pid) -> Option<u64> {
        let id = self.id(pid)?;
        let at = self.at.get(&id).copied().unwrap_or(0);
        self.recorded_waits?.get(&(id, at)).copied()
    }

    /// Is there a receive with another timeout than recorded that times out before this deadline?
    pub(super) fn is_overtaken(&self, pid: Pid, deadline: u64) -> bool {
        self.stand.active().any(|other| {
            let waits = self.system.timeout(other).filter(|(_, until)| *until < deadline);
            other != pid && waits.is_some_and(|(now, _)| self.recorded_wait(other).is_some_and(|then| then != now))
        })
    }

    /// Does it only check its mailbox (`after 0`) where the recorded program waits or does something else?
    pub(super) fn is_new_poll(&self, pid: Pid) -> bool {
        let polls = self.system.timeout(pid).is_some_and(|(now, _)| now == 0);
        polls && self.recorded_waits.is_some() && self.recorded_wait(pid) != Some(0)
    }

    /// Did this timeout come when nothing else could happen and nothing had been sent to the process? Then it was not a choice, and is none now.
    pub(super) fn is_vain(&self, pid: Pid, i: usize) -> bool {
        self.id(pid).is_some_and(|id| self.plan.vain.contains(&(id, i)))
    }

    /// Notes the kind of a recorded timeout.
    pub(super) fn note_timeout(&mut self, pid: Pid, i: usize) {
        let Some(id) = self.id(pid) else { return };
        let mut messages = self
            .held_still(pid)
            .filter(|(_, tag)| !self.system.is_exit(pid, *tag) && !self.is_refused(pid, *tag));
        let nothing = messages.next().is_none();
        drop(messages);
        if self.timeouts_last && nothing {
            self.vain.insert((id, i));
        }
        if self.pauses(pid) {
            self.sleeps.insert((id, i));
        }
    }

    /// A signal that had been sent to a process of the recorded program before its timeout; whether the receive would have taken it has not
    /// been tried.
    pub(super) fn untried(&self, pid: Pid, i: usize) -> Option<(SignalKey, Tag)> {
        let real = self
            .plan
            .real
            .filter(|_| self.timeouts_last && self.recorded_waits.is_none())?;
        if real.contains(&(self.id(pid)?, i)) {
            return None;
        }
        self.comes_after_all(pid)
    }

    /// A signal that has been sent to a process whose recorded receive timed out.
    pub(super) fn comes_after_all(&self, pid: Pid) -> Option<(SignalKey, Tag)> {
        let fits = |one: &(SignalKey, Tag)| {
            let may = !self.is_refused(pid, one.1) && !self.system.is_exit(pid, one.1);
            may && self.is_first_of_pair(pid, *one)
        };
        self.held_still(pid).find(fits)
    }

    /// Is it in a sleep, although the next recorded timeout did not end one?
    pub(super) fn is_new_sleep(&self, pid: Pid, i: usize) -> bool {
        let slept = || self.id(pid).is_some_and(|id| self.plan.sleeps.contains(&(id, i)));
        self.recorded_waits.is_some() && self.pauses(pid) && !slept()
    }

    /// Is its timeout another one than that of the recorded receive?
    pub(super) fn waits_elsewhere(&self, pid: Pid, i: usize) -> bool {
        let recorded = self.id(pid).and_then(|id| self.recorded_waits?.get(&(id, i)).copied());
        let now = self.system.timeout(pid).map(|(ms, _)| ms);
        recorded.is_some() && recorded != now
    }

    /// A timer that runs much longer than recorded: the clock decides.
    pub(super) fn runs_longer(&self, pid: Pid, key: SignalKey) -> Option<Longer> {
        let now = *self.system.observer.inner.lengths.get(&(pid, key))?;
        let recorded = *self.plan.lengths.get(&(self.id(pid)?, key))?;
        (now > recorded && now >= recorded.saturating_mul(PATIENT)).then(|| Longer {
            pid: pid.to_string(),
            place: self.place(pid).unwrap_or_default(),
            timer: true,
            recorded,
            now,
        })
    }

    /// The recorded timeout, as a move of a waiting process.
    pub(super) fn after(&self, pid: Pid, i: usize) -> Option<Move> {
        let (now, deadline) = self.system.timeout(pid)?;
        let recorded = self.recorded_wait(pid).unwrap_or(now);
        if now > recorded && now >= recorded.saturating_mul(PATIENT) {
            let slept = self.id(pid).is_some_and(|id| self.plan.sleeps.contains(&(id, i)));
            let longer = Longer {
                pid: pid.to_string(),
                place: self.place(pid).unwrap_or_default(),
                timer: false,
                recorded,
                now,
            };
            // A process that slept in the record and now waits for something does not wait longer: it is in another wait.
            return Some(Move::Longer(i, (!slept || self.pauses(pid)).then_some(longer)));
        }
        (!self.is_overtaken(pid, deadline)).then_some(Move::After(i))
    }

    /// Is the next receive to time out one that waits for a reply (1 s or more)?
    fn is_for_an_answer(&self) -> bool {
        let next = self.system.next_timeout();
        next.is_some_and(|next| self.system.timeout(next).is_some_and(|(ms, _)| ms >= ANSWER) && !self.pauses(next))
    }

    /// Is a message being withheld from a waiting process that might receive it?
    pub(super) fn withholds(&self) -> bool {
        let withheld = |pid| self.held_still(pid).any(|(_, tag)| !self.is_refused(pid, tag));
        self.waiting_with_held().any(withheld)
    }

    /// Would the next timeout be an unrecorded one, while messages are withheld from waiting processes?
    fn would_give_up(&self) -> bool {
        let Some(next) = self.system.next_timeout().filter(|_| self.recorded_waits.is_some()) else {
            return false;
        };
        let recorded = self.next(next).and_then(|i| self.choice(next, i));
        let polls = self.system.timeout(next).is_none_or(|(ms, _)| ms == 0);
        let again = recorded.is_some_and(|choice| choice.what == StepKind::After);
        !again && !polls && !self.pauses(next) && self.withholds()
    }

    /// Would a pending call time out while messages are withheld from waiting processes? A real run delivers them faster than that.
    pub(super) fn would_lose_patience(&self) -> bool {
        self.is_for_an_answer() && self.withholds()
    }

    /// Would the next timeout be that of a pending call, while a message is withheld from another process because the record has something else
    /// first?
    pub(super) fn is_impatient(&self) -> bool {
        if !self.is_for_an_answer() {
            return false;
        }
        let waits_for_other = |pid: &Pid| {
            self.system.label(*pid).is_none()
                && self.next(*pid).is_some()
                && self.system.timeout(*pid).is_none()
                && self.held_still(*pid).next().is_some()
        };
        self.with_held().iter().any(waits_for_other)
    }

    /// Does this move only take time: the end of a pause, or the timeout of a pending call?
    pub(super) fn takes_time(&self, pid: Pid, next: &Move) -> bool {
        match next {
            Move::Awake => !self.is_new_poll(pid),
            Move::After(i) => {
                let lasts = |least| self.system.timeout(pid).is_some_and(|(ms, _)| ms >= least);
                self.is_vain(pid, *i) || lasts(ANSWER) || lasts(PAUSE) && self.pauses(pid)
            }
            _ => false,
        }
    }

    /// A process in an unrecorded pause that ends before this pending call times out.
    pub(super) fn new_pause(&self, impatient: Pid) -> Option<Pid> {
        let (_, until) = self.system.timeout(impatient)?;
        let is_new = |pid: &Pid| {
            let recorded = self
                .next(*pid)
                .and_then(|i| self.choice(*pid, i))
                .map(|choice| choice.what);
            let ends = self.system.timeout(*pid).is_some_and(|(_, end)| end < until);
            *pid != impatient && self.is_calm(*pid) && ends && recorded != Some(StepKind::After) && self.pauses(*pid)
        };
        self.stand.active().find(is_new)
    }

    /// A process has waited long for a reply, or has slept long. Fires an unrecorded timeout, or a timer whose message is not received later in
    /// the record, if it is due before that.
    pub(super) fn expire_new(&mut self, impatient: Pid) -> bool {
        let Some((_, until)) = self.system.timeout(impatient).filter(|(ms, _)| *ms >= PAUSE) else {
            return false;
        };
        let timers = self.system.observer.inner.timers.iter();
        let mut new: Vec<Tag> = timers
            .filter(|((to, key), _)| !self.is_ahead(*to, *key))
            .map(|(_, tag)| *tag)
            .collect();
        new.sort_unstable();
        if new.into_iter().any(|tag| self.system.expire_by(tag, until)) {
            return true;
        }
        let is_new = |pid: &Pid| {
            let recorded = self.next(*pid).and_then(|i| self.choice(*pid, i));
            *pid != impatient
                && recorded.is_none_or(|choice| choice.what != StepKind::After)
                && self.recorded_wait(*pid).is_none()
        };
        let waiting: Vec<Pid> = self.stand.active().filter(is_new).collect();
        waiting.into_iter().any(|pid| self.system.time_out_by(pid, until))
    }

    /// Lets time pass. A receive that times out then skips the next recorded timeout.
    pub(super) fn pass_time(&mut self) -> bool {
        let due = |drive: &Self, pid: Pid| {
            let i = drive.next(pid).filter(|_| !drive.is_new_poll(pid))?;
            (drive.choice(pid, i)?.what == StepKind::After).then_some((pid, i))
        };
        self.lost_patience |= self.would_lose_patience() || self.would_give_up();
        let waiting: Vec<(Pid, usize)> = self.stand.active().filter_map(|pid| due(self, pid)).collect();
        let passed = self.system.pass_time();
        for (pid, i) in waiting {
            if self.system.table().by_pid(handle(pid)).is_some_and(|p| p.expired) {
                self.come_to(pid, i + 1);
            }
        }
        passed
    }

    /// A process is about to cancel a timer. Those of its timers whose messages are received later in the record had already fired.
    pub(super) fn let_expire(&mut self, pid: Pid) {
        let timers = self.system.observer.inner.timers.iter();
        let mut due: Vec<Tag> = timers
            .filter(|((to, key), tag)| tag.sender() == Some(pid) && self.is_ahead(*to, *key))
            .map(|(_, tag)| *tag)
            .collect();
        due.sort_unstable();
        for tag in due {
            // Does nothing if the timer has fired.
            self.system.expire(tag);
            self.arrived.insert(tag);
        }
    }
}

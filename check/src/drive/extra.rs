//! Messages and signals that are not in the record, or not at this position: their receivers, and when they are given.

use log_format::{Pid, Tag};
use system::driven::Label;
use system::process::ProcessActivity;

use super::{Drive, Move, PAUSE};
use crate::choices::{SignalKey, StepKind};
use crate::kin::Id;
use session::player::handle;

impl Drive<'_> {
    /// Lets an exit signal end a process that has used up its record.
    pub(super) fn let_go_exit(&mut self) -> bool {
        self.look_at_unrecorded();
        let found = self.stand.first_exit();
        debug_assert!(
            self.system.table().living() > 100 || found == self.uncounted(Self::exit_of_all),
            "a process with an exit signal was not looked at"
        );
        let Some((pid, tag)) = found else { return false };
        self.give(pid, tag);
        true
    }

    /// Gives an unrecorded message or exit signal to its receiver; first to processes that have used up their record. They come as late as
    /// possible: perhaps the record does not have them because they came too late.
    pub(super) fn let_go(&mut self) -> bool {
        self.look_at_unrecorded();
        let found = self.stand.first_unrecorded();
        debug_assert!(
            self.system.table().living() > 100 || found == self.uncounted(Self::unrecorded_of_all),
            "a process with an unrecorded signal was not looked at"
        );
        let Some((pid, tag)) = found else { return false };
        self.give(pid, tag);
        true
    }

    /// Finds what can be given to the processes that have changed since. It changes only with what a process does and what comes to it.
    fn look_at_unrecorded(&mut self) {
        for pid in self.stand.take_unseen() {
            let (unrecorded, exit) = (self.unrecorded(pid), self.exit(pid));
            self.stand.set_unrecorded(pid, unrecorded, exit);
        }
    }

    /// The first exit signal for a process that has used up its record.
    fn exit(&self, pid: Pid) -> Option<Tag> {
        let is_over = self.is_standing(pid) && self.next(pid).is_none();
        is_over.then(|| self.held_exits(pid).next()).flatten()
    }

    /// As [`StandingProcesses::first_exit`](super::standing::Standing::first_exit), from all processes.
    fn exit_of_all(&self) -> Option<(Pid, Tag)> {
        let mut all = self.with_held().into_iter();
        all.find_map(|pid| self.exit(pid).map(|tag| (pid, tag)))
    }

    /// The first unrecorded message or exit signal that a process can be given now, and whether its record has more choices.
    fn unrecorded(&self, pid: Pid) -> Option<(bool, Tag)> {
        if !self.is_standing(pid) {
            return None;
        }
        let waits = self.system.label(pid).is_none();
        let mut unknown = self.held_unknown(pid);
        let (_, tag) =
            unknown.find(|one| (waits || self.system.is_exit(pid, one.1)) && self.is_first_of_pair(pid, *one))?;
        Some((self.next(pid).is_some(), tag))
    }

    /// As [`StandingProcesses::first_unrecorded`](super::standing::Standing::first_unrecorded), from all processes.
    fn unrecorded_of_all(&self) -> Option<(Pid, Tag)> {
        let all = self.with_held().into_iter();
        let all = all.filter_map(|pid| self.unrecorded(pid).map(|(has_choices, tag)| (has_choices, pid, tag)));
        all.min_by_key(|(has_choices, pid, _)| (*has_choices, *pid))
            .map(|(_, pid, tag)| (pid, tag))
    }

    /// An unrecorded message is held up by one of the same sender that is received later in the record, and nothing else can happen: gives the
    /// earlier one now.
    pub(super) fn give_early(&mut self) -> bool {
        let mut found = None;
        for pid in self.with_held() {
            if self.id(pid).is_none() || self.system.label(pid).is_some() {
                continue;
            }
            let unknown = self.held_unknown(pid).next();
            if let Some((key, tag)) = unknown.map(|signal| self.first_of_pair(pid, signal)) {
                found = Some((pid, key, tag));
                break;
            }
        }
        let Some((pid, key, tag)) = found else { return false };
        self.give_now(pid, key, tag);
        true
    }

    /// A process whose next step is new and has no recorded step before it, or whose record is used up.
    pub(super) fn new_step(&self) -> Option<Pid> {
        let found = self.stand.active().find(|pid| {
            self.is_calm(*pid)
                && matches!(self.system.label(*pid), Some(Label::Native(_)))
                && matches!(self.next_move(*pid), Some((_, Move::Step(None))))
        });
        found.into_iter().chain(self.stand.first_new()).min()
    }

    /// An unrecorded message for a waiting process, and the receiver. For the pending call, only a message that was not sent in the record:
    /// another one came too late there, too.
    pub(super) fn new_message(&self, impatient: Pid) -> Option<(Pid, SignalKey, Tag)> {
        self.waiting_with_held().find_map(|pid| {
            let one = self.held_still(pid).find(|(key, tag)| {
                let unknown = self.is_new(pid, *key) || pid != impatient && !self.is_ahead(pid, *key);
                unknown && !self.is_refused(pid, *tag)
            })?;
            self.is_first_of_pair(pid, one).then_some((pid, one.0, one.1))
        })
    }

    /// Gives a waiting process a message that it receives later in the record. True if there was one.
    pub(super) fn give_withheld(&mut self) -> bool {
        let found = self.waiting_with_held().find_map(|pid| {
            let fits = |one: &(SignalKey, Tag)| !self.is_refused(pid, one.1) && self.is_first_of_pair(pid, *one);
            let one = self.held_still(pid).find(fits)?;
            Some((pid, one.0, one.1))
        });
        let Some((pid, key, tag)) = found else { return false };
        self.offer(pid, key, tag);
        true
    }

    /// Only a timer can fire, and its message is not the next that its receiver gets in the record. So what has been sent to that process comes
    /// first, although the record has it later. True if there was something.
    pub(super) fn before_a_timer(&mut self) -> bool {
        let Some((pid, timer)) = self.system.next_timer().filter(|_| self.recorded_waits.is_some()) else {
            return false;
        };
        let next = self
            .next(pid)
            .and_then(|i| self.choice(pid, i))
            .map(|choice| choice.what);
        let is_next = matches!(next, Some(StepKind::Rec(key)) if self.system.observer.inner.timers.get(&(pid, key)) == Some(&timer));
        if is_next || self.system.label(pid).is_some() {
            return false;
        }
        let Some((key, tag)) = self.comes_after_all(pid) else {
            return false;
        };
        self.offer(pid, key, tag);
        true
    }

    /// Was this message not sent in the recorded run?
    fn is_new(&self, to: Pid, key: SignalKey) -> bool {
        let SignalKey::Sent(by, nth) = key else { return false };
        let recorded = self.id(to).and_then(|to| self.sent.get(&(by, to, nth.shape)));
        recorded.is_none_or(|&count| nth.n > count)
    }

    /// Skips the recorded receive of a message that cannot come any more: from a monitor that the changed program does not have or has removed;
    /// or from a waiting process to itself that it has not sent. True if there was one.
    pub(super) fn give_up(&mut self) -> bool {
        let active: Vec<Pid> = self.stand.active().collect();
        for pid in active {
            let (Some(id), Some(i)) = (self.id(pid), self.next(pid)) else {
                continue;
            };
            let Some(StepKind::Rec(key)) = self.choice(pid, i).map(|choice| choice.what) else {
                continue;
            };
            if self.held_tag(pid, key).is_some() || !self.is_called_off(pid, key) {
                continue;
            }
            self.pass_over(pid, id, key);
            return true;
        }
        false
    }

    /// Drops the recorded receive of this message from the choices.
    fn pass_over(&mut self, pid: Pid, id: Id, key: SignalKey) {
        self.stand.touch(pid);
        self.set_ahead(pid, id, key, false);
        self.early.insert((id, key));
    }

    fn is_called_off(&self, pid: Pid, key: SignalKey) -> bool {
        let sender = match key {
            SignalKey::Down(sender) => sender,
            SignalKey::Sent(sender, _) => return self.id(pid) == Some(sender) && self.system.label(pid).is_none(),
            _ => return false,
        };
        let Some(sender) = self.system.observer.inner.pid(sender) else {
            return false;
        };
        let process = self.system.table().by_pid(handle(pid));
        let watches = process.is_some_and(|p| p.rare.monitors.values().any(|m| !m.over && m.target == handle(sender)));
        // A waiting process cannot set a monitor before it receives something; an ended one may have been monitored.
        let lives = self.system.table().by_pid(handle(sender)).is_some();
        let never = self.system.label(pid).is_none() && lives;
        (self.unwatched.contains(&(pid, sender)) || never) && !watches
    }

    /// Gives a message that is unrecorded, or that the record has later.
    pub(super) fn give_now(&mut self, pid: Pid, key: SignalKey, tag: Tag) {
        if let Some(id) = self.id(pid).filter(|_| self.is_ahead(pid, key)) {
            self.pass_over(pid, id, key);
        }
        self.give(pid, tag);
    }

    /// Gives such a message, and withdraws it if the receive does not take it.
    pub(super) fn offer(&mut self, pid: Pid, key: SignalKey, tag: Tag) {
        let next = self.next(pid);
        self.instead_of = next.filter(|&i| self.is_vain(pid, i));
        self.give_now(pid, key, tag);
        self.tried = Some((pid, key, tag));
    }

    /// A recorded receive; but earlier messages of the same sender come first.
    pub(super) fn in_order(&self, pid: Pid, i: usize, (key, tag): (SignalKey, Tag)) -> Move {
        let (earlier, first) = self.first_of_pair(pid, (key, tag));
        // The recorded receive skipped a message that the record has later; this receive might take it.
        if first != tag && !self.is_refused(pid, first) {
            Move::Give(earlier, first)
        } else {
            Move::Take(i, tag)
        }
    }

    /// Was this message given to the current receive of a process, and not taken?
    pub(super) fn is_refused(&self, pid: Pid, tag: Tag) -> bool {
        self.refused.contains(&(pid, tag, self.actions(pid)))
    }

    /// Holds back again what was given and not received.
    pub(super) fn take_back(&mut self) {
        let Some((pid, key, tag)) = self.tried.take() else {
            return;
        };
        let instead_of = self.instead_of.take();
        let probing = self.probing.take();
        if self.system.withdraw(pid, tag) {
            self.refused.insert((pid, tag, self.actions(pid)));
            if let Some(id) = self.id(pid)
                && self.early.remove(&(id, key))
            {
                self.set_ahead(pid, id, key, true);
            }
            let sort = self.sort(pid, key, tag);
            self.held.entry(pid).or_default().take_back(key, tag, sort);
            self.stand.touch(pid);
        } else if probing.is_some() {
            self.taken_before_time = probing;
        } else if let Some(i) = instead_of {
            self.come_to(pid, i + 1);
        }
    }

    /// A message that is in the mailbox if the process looks for it: that of a timer which it tried to cancel too late, or of the end of what it has
    /// given up.
    pub(super) fn surely_arrived(&self, pid: Pid) -> Option<(SignalKey, Tag)> {
        let is_there = |(_, tag): &(SignalKey, Tag)| self.arrived.contains(tag) && !self.is_refused(pid, *tag);
        self.held_still(pid).find(is_there)
    }

    /// Is it in `timer:sleep/1`?
    pub(super) fn pauses(&self, pid: Pid) -> bool {
        self.system.table().by_pid(handle(pid)).is_some_and(|p| {
            let frames = p.machine.frames(&self.system.program);
            let innermost = frames.first().and_then(|frame| frame.location.as_ref());
            innermost
                .is_some_and(|location| location.function.as_str() == "sleep" && location.module.as_str() == "timer")
        })
    }

    /// A process waits where the record has it make a step of its own: helps it out of the wait, so that the step comes at its time.
    pub(super) fn through_wait(&self, pid: Pid, order: u64) -> Option<(u64, Move)> {
        let unknown = self.held_unknown(pid).find(|(_, tag)| !self.is_refused(pid, *tag));
        if let Some((key, tag)) = unknown.filter(|signal| self.is_first_of_pair(pid, *signal)) {
            return Some((order, Move::Give(key, tag)));
        }
        // The cheap questions first.
        let may_wake = self.system.can_time_out(pid) && self.is_calm(pid);
        (may_wake && (self.is_new_poll(pid) || self.pauses(pid) || self.waits_for_nobody(pid)))
            .then(|| self.awake(pid, order))
    }

    /// Whether it is in a short unrecorded wait for which no message is on its way: none sent to it, no timer, none sent by it or new, and no
    /// process makes new steps.
    fn waits_for_nobody(&self, pid: Pid) -> bool {
        let short = self.system.timeout(pid).is_some_and(|(ms, _)| ms < PAUSE);
        if !short || self.recorded_waits.is_none() || self.recorded_wait(pid).is_some() {
            return false;
        }
        let timers = &self.system.observer.inner.timers;
        let comes = |((to, _), tag): (&(Pid, SignalKey), &Tag)| match *tag {
            Tag::Sent { by, k } => *to == pid && self.system.timer_is_set(by, k),
            _ => false,
        };
        let on_its_way = |to: &Pid| {
            let held = self.held_still(*to);
            held.filter(|(_, tag)| !self.is_refused(*to, *tag))
                .any(|(key, tag)| *to == pid || tag.sender() == Some(pid) || self.is_new(*to, key))
        };
        !timers.iter().any(comes) && !self.held.keys().any(on_its_way) && self.new_step().is_none()
    }

    /// The first process, by position in the record, that waits where the record has it make a step of its own.
    pub(super) fn hurry(&self) -> Option<(u64, Pid)> {
        let waits = |pid: Pid| {
            let (list, at) = self.record(pid);
            let choice = list.get(at).filter(|choice| matches!(choice.what, StepKind::Do(_)))?;
            (self.system.label(pid).is_none()
                && self.system.table().by_pid(handle(pid))?.state == ProcessActivity::Waiting)
                .then_some((choice.order, pid))
        };
        let active = self.stand.active().filter_map(waits);
        active.chain(self.stand.first_elsewhere()).min()
    }

    /// An unrecorded message from a process that must go on before anything else, and its receiver.
    pub(super) fn request(&self, from: Pid) -> Option<(Pid, SignalKey, Tag)> {
        self.waiting_with_held().find_map(|pid| {
            let mut sent = self.held_from(pid, from);
            let one = sent.find(|(key, tag)| !self.is_ahead(pid, *key) && !self.is_refused(pid, *tag))?;
            self.is_first_of_pair(pid, one).then_some((pid, one.0, one.1))
        })
    }
}

//! The next move of each process, and which of them comes first in the record.

use super::{Drive, Move, NAPS, OVERTIME, Ranked, SPINS};
use crate::choices::{Call, END, StepKind};
use log_format::{Pid, Tag};
use session::player::handle;
use system::driven::Label;

/// After everything in the record.
const BEHIND: u64 = u64::MAX - 1;

impl Drive<'_> {
    /// The next move of a process, with its position in the record.
    pub(super) fn next_move(&self, pid: Pid) -> Option<(u64, Move)> {
        let (list, at) = self.record(pid);
        let next = self.next(pid);
        // The exit signal that ends it comes after all that it did before.
        if let Some(i) = next
            && i == at
            && let StepKind::Signal(key) = list[i].what
        {
            return match self.held_tag(pid, key) {
                Some(tag) => Some((list[i].order, Move::Take(i, tag))),
                // A changed program may do more before that signal, if nothing else can happen.
                None => {
                    let changed = self.recorded_waits.is_some() || self.timeouts_last;
                    let more = changed && self.overtime.get(&pid).is_none_or(|&steps| steps < OVERTIME);
                    let stands = matches!(self.system.label(pid), Some(Label::Native(_) | Label::End));
                    (more && stands).then_some((u64::MAX, Move::Step(None)))
                }
            };
        }
        match self.system.label(pid) {
            Some(Label::Spinning) => (self.spins < SPINS).then_some((u64::MAX, Move::Spin)),
            Some(Label::End) => Some(self.step(pid, None, END)),
            Some(Label::Native(native)) => {
                let machine = &self.system.table().by_pid(handle(pid))?.machine;
                let (listener, program) = (&self.system.observer.inner, &self.system.program);
                // A successful spawn is identified by the child.
                let spawn = listener.spawn(pid, native, machine, program);
                Some(self.step(pid, spawn, listener.call(native, machine)))
            }
            None => self.move_of_waiting(pid, next),
        }
    }

    /// The step before which a process is stopped: the recorded one with that name, if it comes before the next input of the process, or else a
    /// new one.
    fn step(&self, pid: Pid, spawn: Option<Call>, call: Call) -> (u64, Move) {
        let (list, at) = self.record(pid);
        let segment = at..self.next(pid).unwrap_or(list.len());
        let find = |call| segment.clone().find(|&i| list[i].what == StepKind::Do(call));
        let found = spawn.and_then(find).or_else(|| find(call));
        let order = found.map_or_else(|| self.order_of_new(pid), |i| list[i].order);
        (order, Move::Step(found))
    }

    /// The next move of a process that waits in a receive. `next`: its next input in the record.
    fn move_of_waiting(&self, pid: Pid, next: Option<usize>) -> Option<(u64, Move)> {
        let (list, at) = self.record(pid);
        // An unrecorded check of the mailbox.
        if self.is_new_poll(pid) {
            if let Some((key, tag)) = self.surely_arrived(pid) {
                return Some((self.order_of_new(pid), Move::Give(key, tag)));
            }
            if self.eager || next.is_some_and(|i| list[i].what == StepKind::After) {
                return Some((self.order_of_new(pid), Move::Awake));
            }
        }
        let Some(i) = next else {
            return self.through_wait(pid, list.get(at)?.order);
        };
        match list[i].what {
            StepKind::Rec(key) => {
                if let Some(tag) = self.held_tag(pid, key) {
                    return Some((list[i].order, self.in_order(pid, i, (key, tag))));
                }
                if i > at
                    && let Some(through) = self.through_wait(pid, list[at].order)
                {
                    return Some(through);
                }
                let timer = self.system.observer.inner.timers.get(&(pid, key)).copied()?;
                let Tag::Sent { by, k } = timer else { return None };
                let next = || match self.runs_longer(pid, key) {
                    Some(longer) => Move::Longer(i, Some(longer)),
                    None => Move::Expire(timer),
                };
                self.system.timer_is_set(by, k).then(|| (list[i].order, next()))
            }
            // An unrecorded sleep.
            StepKind::After if self.is_new_sleep(pid, i) => {
                (self.is_calm(pid) && self.system.can_time_out(pid)).then_some(self.awake(pid, list[i].order))
            }
            // The recorded timeout is that of a later receive: steps before it have not been done.
            StepKind::After if i > at && self.waits_elsewhere(pid, i) => self.through_wait(pid, list[at].order),
            StepKind::After => Some((list[i].order, self.after(pid, i)?)),
            StepKind::Signal(key) => Some((list[i].order, Move::Take(i, self.held_tag(pid, key)?))),
            StepKind::Do(_) => None,
        }
    }

    /// The end of a pause that is not in the record, and its position in the order of the record. A process that pauses repeatedly is polling
    /// for what others do, so the others come first.
    pub(super) fn awake(&self, pid: Pid, order: u64) -> (u64, Move) {
        let polls = self.naps.get(&pid).is_some_and(|&naps| naps >= NAPS);
        (if polls { BEHIND } else { order }, Move::Awake)
    }

    /// The position that an unrecorded step gets in the record.
    pub(super) fn order_of_new(&self, pid: Pid) -> u64 {
        let (list, at) = self.record(pid);
        // If a process keeps going on its own, others come first.
        if !self.is_calm(pid) {
            return BEHIND;
        }
        match at.checked_sub(1) {
            _ if !self.eager => list.get(at).map_or(u64::MAX, |choice| choice.order),
            None => 0,
            Some(last) => list[last].order,
        }
    }

    /// Of the next moves of these processes, the one that comes first in the record, with its rank.
    pub(super) fn first_move(&self, pids: impl Iterator<Item = Pid>) -> Option<Ranked> {
        let mut best: Option<Ranked> = None;
        for pid in pids {
            let Some((order, next)) = self.next_move(pid) else {
                continue;
            };
            let last = match next {
                Move::After(i) => self.timeouts_last || self.is_vain(pid, i),
                // The same for what the clock decides.
                Move::Longer(..) => true,
                _ => false,
            };
            let rank = (last, order);
            if best.as_ref().is_none_or(|(known, who, _)| (rank, pid) < (*known, *who)) {
                best = Some((rank, pid, next));
            }
        }
        best
    }
}

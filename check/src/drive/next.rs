//! What can be done next: the next move of each process, and which comes first in the record.

use super::{Drive, Move, OVERTIME, Ranked, SPINS};
use crate::choices::{END, What};
use log_format::{Pid, Tag};
use session::player::handle;
use system::driven::Label;

impl Drive<'_> {
    /// The next move of a process, with its place in the order of the record.
    pub(super) fn next_move(&self, pid: Pid) -> Option<(u64, Move)> {
        let (list, at) = self.record(pid);
        let next = self.next(pid);
        // The exit signal that ends it comes when all that it did before is done.
        if let Some(i) = next
            && i == at
            && let What::Signal(key) = list[i].what
        {
            return match self.held_tag(pid, key) {
                Some(tag) => Some((list[i].order, Move::Take(i, tag))),
                // A program that has changed may come to more before that signal, where nothing else can happen.
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
            Some(label) => {
                // A spawn that succeeds is named by the child.
                let (spawn, call) = match label {
                    Label::Native(native) => {
                        let machine = &self.system.table().by_pid(handle(pid))?.machine;
                        let (listener, program) = (&self.system.observer, &self.system.program);
                        let spawn = listener.spawn(pid, native, machine, program);
                        (spawn, listener.call(native, machine))
                    }
                    Label::End | Label::Spinning => (None, END),
                };
                let segment = at..next.unwrap_or(list.len());
                let find = |call| segment.clone().find(|&i| list[i].what == What::Do(call));
                let found = spawn.and_then(find).or_else(|| find(call));
                let order = match found {
                    Some(i) => list[i].order,
                    None => self.order_of_new(pid),
                };
                Some((order, Move::Step(found)))
            }
            None => {
                // A look into the mailbox that the record does not have.
                if self.is_new_poll(pid) {
                    if let Some((key, tag)) = self.too_late_timer(pid) {
                        return Some((self.order_of_new(pid), Move::Give(key, tag)));
                    }
                    if self.eager || next.is_some_and(|i| list[i].what == What::After) {
                        return Some((self.order_of_new(pid), Move::Awake));
                    }
                }
                let Some(i) = next else {
                    return self.through_wait(pid, list.get(at)?.order);
                };
                match list[i].what {
                    What::Rec(key) => match self.held_tag(pid, key) {
                        Some(tag) => Some((list[i].order, self.in_order(pid, i, (key, tag)))),
                        None => {
                            if i > at
                                && let Some(through) = self.through_wait(pid, list[at].order)
                            {
                                return Some(through);
                            }
                            let timer = self.system.observer.timers.get(&(pid, key)).copied()?;
                            let Tag::Sent { by, k } = timer else { return None };
                            let set = self.system.timer_is_set(by, k);
                            let next = || match self.runs_longer(pid, key) {
                                Some(longer) => Move::Longer(i, Some(longer)),
                                None => Move::Expire(timer),
                            };
                            set.then(|| (list[i].order, next()))
                        }
                    },
                    // A sleep that the record does not have here.
                    What::After if self.is_new_sleep(pid, i) => {
                        (self.is_calm(pid) && self.system.can_time_out(pid)).then_some((list[i].order, Move::Awake))
                    }
                    // The timeout is that of a later receive: steps before it have not been done.
                    What::After if i > at && self.waits_elsewhere(pid, i) => self.through_wait(pid, list[at].order),
                    What::After => Some((list[i].order, self.after(pid, i)?)),
                    What::Signal(key) => {
                        let tag = self.held_tag(pid, key)?;
                        Some((list[i].order, Move::Take(i, tag)))
                    }
                    What::Do(_) => None,
                }
            }
        }
    }

    /// The place in the order of the record of a step that is not in it.
    pub(super) fn order_of_new(&self, pid: Pid) -> u64 {
        let (list, at) = self.record(pid);
        // Where a process goes on and on by itself, others come first.
        if !self.is_calm(pid) {
            return u64::MAX - 1;
        }
        match at.checked_sub(1) {
            _ if !self.eager => list.get(at).map_or(u64::MAX, |choice| choice.order),
            None => 0,
            Some(last) => list[last].order,
        }
    }

    /// Of the next moves of these processes the one that comes first in the record, with its rank.
    pub(super) fn first_move(&self, pids: impl Iterator<Item = Pid>) -> Option<Ranked> {
        let mut best: Option<Ranked> = None;
        for pid in pids {
            let Some((order, next)) = self.next_move(pid) else {
                continue;
            };
            let last = match next {
                Move::After(i) => self.timeouts_last || self.is_vain(pid, i),
                // What the clock decides waits for it, too.
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

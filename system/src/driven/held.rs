//! Signals that are held back until the caller lets them arrive.

use interpreter::heap::Fragment;
use interpreter::term::Pid;
use log_format::Tag;

use crate::ids;
use crate::signals::{Settled, is_message};
use crate::state::clock::VectorClock;
use crate::state::delivery::Delivery;
use crate::state::process::{Process, ProcessActivity};
use crate::state::signal::Signal;
use crate::state::table::Lookup;
use crate::world::World;

impl World {
    /// The messages that have arrived since the last call and are held back, with their receivers, in the order of arrival.
    pub fn take_arrived(&mut self) -> Vec<(log_format::Pid, Tag)> {
        let arrived = self
            .purpose
            .held_back_mut()
            .map(|held| std::mem::take(&mut held.arrived));
        let arrived = arrived.unwrap_or_default().into_iter();
        arrived.map(|(pid, tag)| (ids::to_log(pid), tag)).collect()
    }

    /// Is this arriving signal to be held back?
    pub(crate) fn holds(&mut self, q: &Process, tag: Tag, signal: &Signal) -> bool {
        let Some(held) = self.purpose.held_back_mut() else {
            return false;
        };
        let to_itself = tag.sender() == Some(ids::to_log(q.pid)) && matches!(signal, Signal::Exit { link: false, .. });
        let holds = is_message(signal, q.trap_exit) || !to_itself;
        if holds {
            held.arrived.push((q.pid, tag));
        }
        holds
    }

    /// With causal delivery: what the sender of a held signal knew of the signals of others.
    #[must_use]
    pub fn known_to_signal(&self, tag: Tag) -> Option<&VectorClock> {
        let held = self.purpose.held_back();
        held.filter(|held| held.delivery == Delivery::Causal)?
            .causality
            .known_to_signal(tag)
    }

    /// Are these processes, of which some may have ended, on the node of this one?
    #[must_use]
    pub fn is_on_one_node(&self, pid: log_format::Pid, others: [log_format::Pid; 2]) -> bool {
        let node = |pid| self.table.known(pid).map(Pid::node);
        others.into_iter().all(|other| node(other) == node(pid))
    }

    /// Is this held signal an exit signal that is not a message to the process?
    #[must_use]
    pub fn is_exit(&self, pid: log_format::Pid, tag: Tag) -> bool {
        let p = self.table.by_pid(Pid::new(0, pid.0));
        p.is_some_and(|p| p.pool.get(&tag).is_some_and(|signal| !is_message(signal, p.trap_exit)))
    }

    /// Is this held signal an exit signal, which is a message to a process that traps exits?
    #[must_use]
    pub fn is_held_exit(&self, pid: log_format::Pid, tag: Tag) -> bool {
        let p = self.table.by_pid(Pid::new(0, pid.0));
        p.is_some_and(|p| matches!(p.pool.get(&tag), Some(Signal::Exit { .. })))
    }

    /// Lets a held signal arrive. Does nothing if there is no such signal.
    pub fn release(&mut self, pid: log_format::Pid, tag: Tag) {
        let Lookup::Alive(slot) = self.table.find(Pid::new(0, pid.0)) else {
            return;
        };
        let Some(mut q) = self.table.take(slot) else { return };
        if let Some(signal) = q.pool.remove(&tag)
            && self.take_in(&mut q, tag, signal)
            && (q.state == ProcessActivity::Waiting
                || (q.pending.is_some() && matches!(q.state, ProcessActivity::Gated | ProcessActivity::WaitingInput)))
        {
            self.wake_up(slot, &mut q);
        }
        self.table.put(slot, q);
    }

    /// Marks a held signal as arrived. A message stays held back, but the process will find it whatever it does about links, monitors and
    /// aliases from now on. Does nothing for an exit signal that is not a message.
    pub fn let_arrive(&mut self, pid: log_format::Pid, tag: Tag) {
        let Lookup::Alive(slot) = self.table.find(Pid::new(0, pid.0)) else {
            return;
        };
        let Some(mut q) = self.table.take(slot) else { return };
        self.let_arrive_at(&mut q, tag);
        self.table.put(slot, q);
    }

    /// As [`Self::let_arrive`], for a process outside the table.
    pub(crate) fn let_arrive_at(&mut self, q: &mut Process, tag: Tag) {
        if self.purpose.holds_signals_back()
            && q.pool.get(&tag).is_some_and(|signal| is_message(signal, q.trap_exit))
            && let Some(signal) = q.pool.remove(&tag)
            && let Settled::Message(message, _) = self.take_effect(q, tag, signal)
        {
            q.pool.insert(tag, Signal::Message(message));
        }
    }

    /// Removes a held message that has arrived. True if there was one.
    pub(crate) fn unhold(&self, q: &mut Process, tag: Tag) -> bool {
        let arrived = matches!(q.pool.get(&tag), Some(Signal::Message(_)));
        self.purpose.holds_signals_back() && arrived && q.pool.remove(&tag).is_some()
    }

    /// Holds back a message again that has not been received. True if there was one.
    pub fn withdraw(&mut self, pid: log_format::Pid, tag: Tag) -> bool {
        let Some((_, p)) = self.table.by_pid_mut(Pid::new(0, pid.0)) else {
            return false;
        };
        let Some(message) = p.machine.mailbox.remove(ids::pack(tag)) else {
            return false;
        };
        p.pool.insert(tag, Signal::Message(message));
        true
    }

    /// Is this signal still held back?
    #[must_use]
    pub fn is_held(&self, pid: log_format::Pid, tag: Tag) -> bool {
        let p = self.table.by_pid(Pid::new(0, pid.0));
        p.is_some_and(|p| p.pool.get(&tag).is_some())
    }

    /// The contents of a held message, or the reason of a held exit signal.
    #[must_use]
    pub fn held_content(&self, pid: log_format::Pid, tag: Tag) -> Option<&Fragment> {
        let p = self.table.by_pid(Pid::new(0, pid.0))?;
        Some(match p.pool.get(&tag)? {
            Signal::Message(message) | Signal::Aliased { message, .. } | Signal::Down { message, .. } => message,
            Signal::Exit { reason, .. } => reason,
        })
    }
}

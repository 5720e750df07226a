//! Checkpoints.

use std::sync::Arc;

use interpreter::vm;

use crate::limits::SPARED_WORDS;
use crate::loader::Loader;
use crate::observer::Observer;
use crate::scheduler::Scheduler;
use crate::state::process::{Process, State};
use crate::system::System;
use crate::world::World;

impl<O: Observer> System<O> {
    /// A copy of the system between two slices: a checkpoint. It gets its own scheduler, which takes over the processes that can run, and its
    /// own loader. `None` if the outside cannot be copied, or a log has been found to be damaged.
    #[must_use]
    pub fn fork(&self, scheduler: Box<dyn Scheduler>, loader: Box<dyn Loader>) -> Option<Self>
    where
        O: Clone,
        O::Log: Clone,
    {
        Some(Self {
            world: self.world.fork(scheduler, loader)?,
            observer: self.observer.clone(),
            logs: self.logs.clone(),
        })
    }
}

impl World {
    fn fork(&self, mut scheduler: Box<dyn Scheduler>, loader: Box<dyn Loader>) -> Option<Self> {
        if self.damage.is_some() {
            return None;
        }
        let outside = self.outside.snapshot()?;
        for (slot, p) in self.table.slots() {
            if p.state == State::Ready {
                scheduler.ready(slot);
            }
        }
        Some(Self {
            program: Arc::clone(&self.program),
            table: self.table.clone(),
            grain: scheduler.grain(),
            action_cost: scheduler.grain().action_cost(),
            scheduler,
            outside,
            loader,
            clock: self.clock,
            limits: self.limits.clone(),
            arguments: self.arguments.clone(),
            exit_with_entry: self.exit_with_entry,
            flight: self.flight.clone(),
            timers: self.timers.clone(),
            resources: self.resources.clone(),
            purpose: self.purpose.clone(),
            next_pid: self.next_pid,
            nodes: self.nodes.clone(),
            unique: self.unique,
            entry: self.entry,
            entry_end: self.entry_end,
            entry_error: self.entry_error.clone(),
            entry_value: self.entry_value.clone(),
            tests: self.tests,
            silent_nodes: self.silent_nodes.clone(),
            environments: self.environments.clone(),
            crash_hearers: self.crash_hearers.clone(),
            crash_proxies: self.crash_proxies.clone(),
            end: self.end.clone(),
            total_actions: self.total_actions,
            started: self.started,
            memory_words: self.memory_words,
            table_words: self.table_words,
            binary_input: self.binary_input,
            tables: self.tables.clone(),
            counters: self.counters.clone(),
            last_statistics: self.last_statistics,
            answers: self.answers.clone(),
            work: self.work,
            asking: self.asking.clone(),
            waiting: self.waiting.clone(),
            membership: self.membership,
            node_changes: self.node_changes.clone(),
            last_now: self.last_now,
            spare: vm::Spare::default(),
            ended: self.ended.clone(),
            timers_reached: self.timers_reached.clone(),
            damage: None,
            divergence: self.divergence.clone(),
        })
    }

    /// Gives back memory that the processes can spare, before a system is kept as a checkpoint.
    pub fn shrink(&mut self) {
        for p in self.table.iter_mut() {
            if p.machine.heap.len() > SPARED_WORDS {
                p.machine.shrink(&self.program);
            }
        }
    }
}

impl<O: Observer> System<O> {
    /// Approximate size of the processes and of what is in flight, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let each = |p: &Process| {
            let signals = p.pool.len() + p.machine.mailbox.len() + p.rare.links.len() + p.rare.monitors.len();
            let words = p.machine.words() + p.pool.iter().map(|(_, signal)| signal.words()).sum::<usize>();
            size_of::<Process>() + size_of::<O::Log>() + words * 8 + signals * 96
        };
        let processes: usize = self.world.table.iter().map(each).sum();
        let tables: usize = self.world.tables.values().map(|table| table.contents.bytes()).sum();
        let ended: usize = self.world.ended.values().map(crate::state::ended::Ended::bytes).sum();
        processes + tables + ended + self.world.table.born() * 32 + self.world.resources.bytes()
    }
}

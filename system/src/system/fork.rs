//! Checkpoints.

use std::sync::Arc;

use interpreter::vm;

use crate::limits::{SPARED_WORDS, count_words};
use crate::loader::Loader;
use crate::observer::Observer;
use crate::scheduler::Scheduler;
use crate::state::layers::Meter;
use crate::state::process::Process;
use crate::system::System;
use crate::world::World;

impl<O: Observer> System<O> {
    /// A copy of the system between two slices: a checkpoint. It gets its own scheduler, which takes over the processes that can run, and its
    /// own loader. The two share what neither changes, so it costs what has changed since the last copy. `None` if the outside cannot be copied, or
    /// a log has been found to be damaged.
    #[must_use]
    pub fn fork(&mut self, scheduler: Box<dyn Scheduler>, loader: Box<dyn Loader>) -> Option<Self>
    where
        O: Clone,
        O::Log: Clone,
    {
        let observer = self.observer.clone();
        self.fork_with(observer, scheduler, loader)
    }

    /// As [`Self::fork`], with a copy of the observer that the caller has made.
    #[must_use]
    pub fn fork_with(&mut self, observer: O, scheduler: Box<dyn Scheduler>, loader: Box<dyn Loader>) -> Option<Self>
    where
        O::Log: Clone,
    {
        Some(Self {
            world: self.world.fork(scheduler, loader)?,
            observer,
            logs: self.logs.fork(&self.world.meter),
        })
    }
}

impl World {
    /// From now on, copies share what does not change, and it is known what has changed since.
    pub(crate) fn settle(&mut self) {
        let (program, spare) = (&self.program, &mut self.spare);
        let memory = &mut self.memory_words;
        self.table.settle(&self.meter, |p| {
            if p.machine.heap.len() > SPARED_WORDS {
                p.machine.collect(program);
            }
            p.machine.lend_stack(program, spare);
            p.pool.settle();
            p.rare.settle();
            count_words(memory, p);
            bytes_of(p)
        });
    }

    fn fork(&mut self, mut scheduler: Box<dyn Scheduler>, loader: Box<dyn Loader>) -> Option<Self> {
        if self.damage.is_some() {
            return None;
        }
        let outside = self.outside.snapshot()?;
        for slot in self.table.ready() {
            scheduler.ready(slot);
        }
        self.settle();
        let table = self.table.fork();
        Some(Self {
            program: Arc::clone(&self.program),
            table,
            meter: self.meter.clone(),
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
            resources: self.resources.fork(),
            purpose: self.purpose.clone(),
            next_pid: self.next_pid,
            nodes: self.nodes.clone(),
            unique: self.unique,
            entry: self.entry,
            entry_end: self.entry_end,
            entry_error: self.entry_error.clone(),
            entry_value: self.entry_value.clone(),
            tests: self.tests,
            until_test: self.until_test,
            silent_nodes: self.silent_nodes.clone(),
            devices_moved: self.devices_moved,
            is_tracing: self.is_tracing,
            environments: self.environments.clone(),
            crash_hearers: self.crash_hearers.clone(),
            crash_proxies: self.crash_proxies.clone(),
            end: self.end.clone(),
            total_actions: self.total_actions,
            total_events: self.total_events,
            started: self.started,
            memory_words: self.memory_words,
            besides: None,
            table_words: self.table_words,
            code_words: self.code_words,
            may_have_objects: self.may_have_objects,
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
            ended: self.ended.fork(),
            told: self.told.clone(),
            timers_reached: self.timers_reached.clone(),
            damage: None,
            divergence: self.divergence.clone(),
        })
    }
}

/// Approximate size of a process in bytes, with what is in flight to it.
fn bytes_of(p: &Process) -> usize {
    let signals = p.pool.len() + p.machine.mailbox.len() + p.rare.links.len() + p.rare.monitors.len();
    let words = p.machine.words() + p.pool.words();
    let past = p.rare.past.turns.len() + p.rare.past.aliases.len();
    size_of::<Process>() + words * 8 + (signals + past) * 96 + p.reached.bytes()
}

impl<O: Observer> System<O> {
    /// From now on, this scheduler chooses.
    pub fn reschedule(&mut self, mut scheduler: Box<dyn Scheduler>) {
        for slot in self.world.table.ready() {
            scheduler.ready(slot);
        }
        self.world.grain = scheduler.grain();
        self.world.action_cost = scheduler.grain().action_cost();
        self.world.scheduler = scheduler;
    }

    /// From now on, this scheduler chooses, and what the outside draws depends on `draw`, too: also the order of tests that are about to begin. The same
    /// for a system that goes on itself and for one of its copies.
    pub fn goes_on_by(&mut self, scheduler: Box<dyn Scheduler>, draw: u64) {
        self.world.settle();
        self.reschedule(scheduler);
        self.world.outside.draws_anew(draw);
        self.world.tests.is_order_drawn = true;
    }

    /// Before the first copy: counts the bytes of all that this system and its copies share here.
    pub fn count_shared(&mut self, meter: &Meter) {
        self.world.meter = meter.clone();
    }

    /// Approximate size in bytes of what a copy does not share: tables, resources, ends.
    #[must_use]
    pub fn copied_bytes(&self) -> usize {
        let tables: usize = self.world.tables.values().map(|table| table.contents.bytes()).sum();
        let ended = self.world.ended.len() * 128;
        tables + ended + self.world.resources.bytes()
    }
}

//! The run.

use crate::ids::Slot;
use crate::observer::Observer;
use crate::scheduler::{Grain, Moment, ScheduledChoice};
use crate::settings::{RunClock, RunEnd};
use crate::sink::Sink;
use crate::state::process::{Process, ProcessActivity};
use crate::state::table::Lookup;
use crate::step::{After, Step};
use crate::system::System;
use crate::turn::RunningTurn;
use crate::world::World;

/// Virtual nanoseconds of a step of a scheduler that chooses before every action, besides those of counted events. So a process that waits for
/// some milliseconds beside a busy one costs thousands of steps, not hundreds of thousands.
const STEP_NANOSECONDS: u64 = 1000;

/// With more processes than this, a frozen process gives back memory that it needs only to run.
const FROZEN_AT_HAND: usize = 256;

/// With more processes than this, a process that waits gives back such memory, unless its stack is deep. Each time it goes on then costs a
/// little more.
const WAITING_AT_HAND: usize = 4096;

/// When the loop of a run looks up from its slices.
struct Pace {
    turns: u32,
    /// After so many actions in all, the observer is asked whether it wants a cut.
    cut_due: u64,
    /// After so many, the outside is asked whether the run is to end: slices of many actions are long.
    look_due: u64,
}

/// Actions between two such looks.
const LOOK_ACTIONS: u64 = 2048;

impl Pace {
    fn new(watch: &dyn Sink) -> Self {
        Self {
            turns: 0,
            cut_due: watch.cut_due(),
            look_due: 0,
        }
    }
}

impl<O: Observer> System<O> {
    /// Runs until nothing more can happen, or a limit is reached.
    pub fn run(&mut self) -> RunEnd {
        loop {
            if let Some(end) = self.run_until(u64::MAX) {
                return end;
            }
        }
    }

    /// As [`Self::run`], but pauses (and returns `None`) between two slices after about this many actions in all.
    pub fn run_until(&mut self, actions: u64) -> Option<RunEnd> {
        self.run_for(actions, u32::MAX)
    }

    /// As [`Self::run_until`], with at most this many slices.
    pub fn run_for(&mut self, actions: u64, slices: u32) -> Option<RunEnd> {
        self.running(|run| run.run_for(actions, slices))
    }

    /// As [`Self::run_for`], but pauses right after the action with which the first test begins, or before the order of tests is chosen. Of a run that
    /// has not begun.
    pub fn run_to_test(&mut self, slices: u32) -> Option<RunEnd> {
        self.world.until_test = true;
        let end = self.run_for(u64::MAX, slices);
        self.world.until_test = false;
        end
    }

    /// Writes all logs as one consistent cut.
    pub fn cut(&mut self) {
        self.running(|run| run.cut());
    }

    /// What runs, whoever watches it.
    pub(crate) fn running<T>(&mut self, then: impl FnOnce(&mut Running<'_>) -> T) -> T {
        let (world, mut watch) = self.parts();
        then(&mut Running {
            world,
            watch: &mut watch,
        })
    }
}

/// A world that runs, and its observer.
pub(crate) struct Running<'a> {
    pub world: &'a mut World,
    pub watch: &'a mut dyn Sink,
}

impl Running<'_> {
    /// Runs until nothing more can happen, or a limit is reached.
    pub fn run(&mut self) -> RunEnd {
        loop {
            if let Some(end) = self.run_for(u64::MAX, u32::MAX) {
                return end;
            }
        }
    }

    /// See [`System::run_for`].
    fn run_for(&mut self, actions: u64, slices: u32) -> Option<RunEnd> {
        if self.world.grain != Grain::Slices {
            return self.run_exploring(actions, slices);
        }
        let mut left = slices;
        let mut pace = Pace::new(self.watch);
        loop {
            if let Some(over) = self.is_over(&mut pace, actions) {
                return over;
            }
            if !self.world.flight.is_empty()
                && let Some(i) = self.world.scheduler.arrival(self.world.flight.pairs())
            {
                let i = self.world.flight.first_from(i);
                self.world.arrive_pair(self.watch, i);
                continue;
            }
            if !self.world.timers.is_empty() && self.world.purpose.time_passes() {
                self.world.fire_timers(self.watch);
            }
            if left == 0 {
                return None;
            }
            if let Some((slot, budget)) = self.world.scheduler.next() {
                left -= u32::from(slices != u32::MAX);
                let due = actions - self.world.total_actions;
                self.slice(slot, u32::try_from(due).unwrap_or(u32::MAX).min(budget));
            } else if !self.idle() {
                self.world.end = Some(RunEnd::Quiescent);
            }
        }
    }

    /// As [`Self::run_for`], with a scheduler that chooses before every action. A loop of its own: the loop above asks nothing about it.
    #[inline(never)]
    fn run_exploring(&mut self, actions: u64, choices: u32) -> Option<RunEnd> {
        let mut left = choices;
        let mut pace = Pace::new(self.watch);
        loop {
            if let Some(over) = self.is_over(&mut pace, actions) {
                return over;
            }
            if left == 0 {
                return None;
            }
            left -= u32::from(choices != u32::MAX);
            self.explore(actions);
        }
    }

    /// Before each slice: has the run ended (`Some(Some(_))`), or come so far that it pauses? Looks at limits and writes a cut when it is time.
    #[inline(always)]
    fn is_over(&mut self, pace: &mut Pace, actions: u64) -> Option<Option<RunEnd>> {
        if let Some(end) = &self.world.end {
            return Some(Some(end.clone()));
        }
        if self.world.total_actions >= actions || self.world.is_at_test() {
            return Some(None);
        }
        pace.turns = pace.turns.wrapping_add(1);
        if pace.turns.is_multiple_of(64) {
            self.world.check_limits();
            self.world.attend();
        } else if self.world.total_actions >= pace.look_due {
            pace.look_due = self.world.total_actions + LOOK_ACTIONS;
            self.world.ends_if_interrupted();
        }
        if self.world.total_actions >= pace.cut_due || pace.turns.is_multiple_of(64) {
            if self.watch.wants_cut(self.world.total_actions) {
                self.cut();
            }
            pace.cut_due = self.watch.cut_due();
        }
        None
    }

    /// The scheduler chooses what happens next, up to one action. `actions`: pause when so many have been done in all.
    fn explore(&mut self, actions: u64) {
        if !self.world.timers.is_empty() {
            self.world.fire_timers(self.watch);
        }
        let world = &mut self.world;
        if let RunClock::Virtual(now) = &mut world.clock {
            *now += STEP_NANOSECONDS;
        }
        let (now, due) = match world.clock {
            RunClock::Virtual(now) => (now, world.timers.next()),
            RunClock::Real => (0, None),
        };
        let choice = world.scheduler.choose(&Moment {
            now,
            due,
            flight: &world.flight,
            table: &world.table,
            program: &world.program,
        });
        match choice {
            Some(ScheduledChoice::Run(slot, budget)) => {
                let left = u32::try_from(actions - world.total_actions).unwrap_or(u32::MAX);
                self.slice(slot, left.min(budget));
            }
            Some(ScheduledChoice::Arrive(pair)) => {
                self.world.arrive_pair(self.watch, pair);
            }
            Some(ScheduledChoice::Elapse) => {
                if let (RunClock::Virtual(now), Some(due)) = (&mut world.clock, due) {
                    *now = (*now).max(due);
                }
                world.check_limits();
            }
            None => {
                if !self.idle() {
                    self.world.end = Some(RunEnd::Quiescent);
                }
            }
        }
    }

    /// No process is ready: lets a signal arrive, time pass or input come. False if nothing more can happen.
    fn idle(&mut self) -> bool {
        if !self.world.flight.is_empty() {
            let first = self.world.flight.first_from(0);
            self.world.arrive_pair(self.watch, first);
            return true;
        }
        if self.world.divergence.is_some() {
            return false;
        }
        if self.world.let_read(self.watch) || self.world.attend() {
            return true;
        }
        if !self.world.purpose.time_passes() {
            // The caller says when time passes.
            return false;
        }
        // A timeout of a receive that has its message, or whose process is dead, and a message to the dead must not keep the run alive.
        let table = &self.world.table;
        let waits = |pid, deadline| table.by_pid(pid).is_some_and(|p| p.deadline == Some(deadline));
        let reaches = |message: &crate::state::timers::Message| match message.to {
            crate::state::timers::To::Pid(pid) => !matches!(table.find(pid), Lookup::Dead(_)),
            crate::state::timers::To::Name(_) => true,
        };
        let next = self.world.timers.next_wanted(waits, reaches);
        let asked = self.world.asking.anybody(&self.world.table);
        if let RunClock::Virtual(now) = self.world.clock
            && self.world.comes(self.watch, next.map(|next| next.saturating_sub(now)))
        {
            return true;
        }
        match (&mut self.world.clock, next) {
            (RunClock::Real, None) if !asked => return false,
            (RunClock::Virtual(_), None) => return false,
            (RunClock::Virtual(now), Some(next)) => *now = (*now).max(next),
            (RunClock::Real, next) => {
                let now = self.world.outside.monotonic();
                self.world
                    .cut_before_rest(self.watch, next.map(|next| next.saturating_sub(now)));
                self.world.outside.flush();
                let limit = self.world.limits.time.map(|t| self.world.started.saturating_add(t));
                // The expected rest was too short to write a cut, but has become longer: write it now.
                let cut = self.watch.rests_at_most(self.world.total_actions);
                let cut = cut.map(|nanoseconds| now.saturating_add(nanoseconds));
                let until = next.into_iter().chain(limit).chain(cut).min();
                if asked {
                    self.world.outside.rest(until);
                } else {
                    self.world.outside.sleep(until);
                }
            }
        }
        self.world.check_limits();
        true
    }
}

impl World {
    /// Before the system rests for this many nanoseconds, or for an unknown time: writes a cut if the observer wants one.
    pub(crate) fn cut_before_rest(&self, sink: &mut dyn Sink, nanoseconds: Option<u64>) {
        if sink.wants_cut_before_rest(self.total_actions, nanoseconds) {
            self.cut(sink, None);
        }
    }

    /// Writes all logs as one consistent cut. `running`: a process that is out of the table.
    pub(crate) fn cut(&self, sink: &mut dyn Sink, running: Option<Slot>) {
        sink.cut(running, self.resources.texts(), &self.nodes.names());
    }
}

impl Running<'_> {
    /// A step of a process that is out of the table.
    pub(crate) fn step<'a>(&'a mut self, process: &'a mut Process) -> Step<'a> {
        Step::new(self.world, process, self.watch)
    }

    /// Runs a process that is out of the table.
    pub(crate) fn turn(&mut self, process: &mut Process, budget: u32) -> After {
        RunningTurn {
            steps: self.watch.steps(),
            world: self.world,
            process,
            watch: self.watch,
        }
        .run(budget)
    }

    /// Runs one process for one slice.
    fn slice(&mut self, slot: Slot, budget: u32) {
        let Some(mut process) = self.world.table.take(slot) else {
            return;
        };
        // An exit signal also ends a suspended process.
        if process.suspended > 0 && process.pending.is_none() && process.mode.log().is_none() {
            process.held = true;
            self.world.table.put(slot, process);
            return;
        }
        // A process whose heap is limited is checked often.
        let budget = if process.rare.heap_limit().is_some() {
            budget.min(64)
        } else {
            budget
        };
        self.world.note_run(process.pid);
        process.machine.borrow_stack(&self.world.program, &mut self.world.spare);
        self.world.give_room(&mut process);
        let after = self.turn(&mut process, budget);
        self.world.count_words(&mut process);
        // At once: the next slice may double it.
        if self.world.is_over_memory() && !matches!(after, After::Ended) {
            self.world.is_out_of_memory(Some(&mut process));
        }
        match after {
            After::Ready => {
                process.state = ProcessActivity::Ready;
                self.world.table.put(slot, process);
                self.world.scheduler.ready(slot);
            }
            After::Parked(state) => {
                process.at_receive = matches!(state, ProcessActivity::Waiting | ProcessActivity::WaitingInput);
                // A process that has come to wait with a pending exit signal ends there.
                if process.at_receive && process.pending.is_some() && process.mode.dies_of_signals() {
                    process.state = ProcessActivity::Ready;
                    self.world.table.put(slot, process);
                    self.world.scheduler.ready(slot);
                    return;
                }
                process.state = state;
                // Many processes may wait at once.
                let living = self.world.table.living();
                let (program, spare) = (&self.world.program, &mut self.world.spare);
                if state == ProcessActivity::Frozen && living > FROZEN_AT_HAND {
                    process.machine.lend_stack(program, spare);
                    if let Some(feed) = process.mode.log_mut() {
                        feed.park();
                    }
                } else if state != ProcessActivity::Frozen && living > WAITING_AT_HAND {
                    process.machine.lend_shallow_stack(program, spare);
                }
                self.world.table.put(slot, process);
            }
            After::Ended => {
                self.world.remove_ended(self.watch, *process);
            }
        }
    }

    /// Writes all logs as one consistent cut.
    fn cut(&mut self) {
        self.world.cut(self.watch, None);
    }
}

//! Many steps beyond the logs, as a scheduler picks them.

use std::collections::BTreeSet;
use std::ops::Bound::{Excluded, Unbounded};

use interpreter::vm::Timeout;
use log_format::Pid;
use rustc_hash::FxHashMap;
use system::process::Label;

use super::free::Choice;
use super::ready::{Among, Ready};
use super::{Moved, Player, Stopped, cut_of, handle};
use crate::error::Error;

/// Of more processes, those are not drawn first that can do nothing.
const MANY: usize = 512;

/// When a receive times out: its deadline, and how long it waits.
type When = (u64, u64);

/// What can be picked.
#[derive(Default)]
struct Able {
    ready: Ready,
    /// Those that can make a step other than a receive.
    steps: BTreeSet<Pid>,
    /// Those that can do something that is no timeout.
    acts: BTreeSet<Pid>,
    /// The same, for draws.
    acting: Among,
    /// Those that can do anything.
    any: Among,
    timeouts: BTreeSet<(When, Pid)>,
    when: FxHashMap<Pid, When>,
}

impl Able {
    /// Looks at all processes that may have changed.
    fn update(&mut self, player: &mut Player) -> Result<(), Error> {
        for pid in self.ready.update(player)? {
            self.steps.remove(&pid);
            self.acts.remove(&pid);
            self.acting.remove(pid);
            self.any.remove(pid);
            if let Some(when) = self.when.remove(&pid) {
                self.timeouts.remove(&(when, pid));
            }
            let choices = self.ready.choices(pid);
            if choices.is_empty() {
                continue;
            }
            self.any.insert(pid);
            if choices.contains(&Choice::Timeout) {
                let when = player.times_out(pid);
                self.when.insert(pid, when);
                self.timeouts.insert((when, pid));
            }
            if choices.contains(&Choice::Step) {
                self.steps.insert(pid);
            }
            if choices.iter().any(|choice| *choice != Choice::Timeout) {
                self.acts.insert(pid);
                self.acting.insert(pid);
            }
        }
        Ok(())
    }

    /// What a process can do that is no timeout.
    fn act(&self, pid: Pid) -> Option<(Pid, Choice)> {
        let mut choices = self.ready.choices(pid).iter();
        let choice = choices.find(|choice| !matches!(choice, Choice::Timeout))?;
        Some((pid, *choice))
    }

    /// Of the wanted processes whose receives can time out, the one with the earliest deadline; of several, the first one after `last`, in a circle.
    fn due(&self, last: Pid, wanted: impl Fn(Pid) -> bool) -> Option<(Pid, Choice)> {
        let mut all = self.timeouts.iter().filter(|(_, pid)| wanted(*pid)).peekable();
        let (first, _) = **all.peek()?;
        let mut found = None;
        for (_, pid) in all.take_while(|(when, _)| *when == first) {
            found = found.or(Some(*pid));
            if *pid > last {
                found = Some(*pid);
                break;
            }
        }
        found.map(|pid| (pid, Choice::Timeout))
    }

    fn pick(&self, strategy: &mut Strategy) -> Option<(Pid, Choice)> {
        match strategy {
            Strategy::Random { state, patient } => {
                let drawn = self.draw(state, *patient);
                drawn.or_else(|| if *patient { self.due(Pid(0), |_| true) } else { None })
            }
            Strategy::RoundRobin { last } => {
                let next = self.acts.range((Excluded(*last), Unbounded)).next();
                let found = next.or(self.acts.first()).and_then(|pid| self.act(*pid));
                let found = found.or_else(|| self.due(*last, |_| true));
                if let Some((pid, _)) = found {
                    *last = pid;
                }
                found
            }
            Strategy::ProcessesFirst { tired } => {
                let rests = |pid: &Pid| !tired.contains(pid);
                let step = self.steps.iter().copied().find(rests).map(|pid| (pid, Choice::Step));
                let found = step.or_else(|| self.act(self.acts.iter().copied().find(rests)?));
                if let Some(found) = found.or_else(|| self.due(Pid(0), |pid| rests(&pid))) {
                    return Some(found);
                }
                let waiting = std::mem::take(tired);
                let found = self.acts.iter().copied().find(|pid| waiting.contains(pid));
                let found = found.and_then(|pid| self.act(pid));
                found.or_else(|| self.due(Pid(0), |pid| waiting.contains(&pid)))
            }
            Strategy::Normalise { tired } => {
                let step = self.steps.iter().copied().find(|pid| !tired.contains(pid));
                step.map(|pid| (pid, Choice::Step))
            }
        }
    }

    /// A process at random, and any of its choices.
    fn draw(&self, state: &mut u64, patient: bool) -> Option<(Pid, Choice)> {
        let choice_of = |pid: Pid, state: &mut u64| {
            let mut choices = self.ready.choices(pid).to_vec();
            choices.retain(|choice| !patient || !matches!(choice, Choice::Timeout));
            (!choices.is_empty()).then(|| (pid, choices[draw(state, choices.len())]))
        };
        if self.ready.len() > MANY {
            let all = if patient { self.acting.all() } else { self.any.all() };
            let pid = (!all.is_empty()).then(|| all[draw(state, all.len())])?;
            return choice_of(pid, state);
        }
        let mut left: Vec<Pid> = self.ready.living().collect();
        while !left.is_empty() {
            let pid = left.swap_remove(draw(state, left.len()));
            if let Some(found) = choice_of(pid, state) {
                return Some(found);
            }
        }
        None
    }
}

impl Player {
    /// When the receive of a process times out.
    fn times_out(&self, pid: Pid) -> When {
        let when = self.look(|system| {
            let process = system.table().by_pid(handle(pid))?;
            let waits = match process.label {
                Some(Label::Receive(Timeout::Millis(after))) => after,
                _ => 0,
            };
            Some((process.deadline.unwrap_or(waits.saturating_mul(1_000_000)), waits))
        });
        when.unwrap_or_default()
    }

    /// Makes at most this many steps of a scheduler. `until` is called after each step with the process that made it, and can end the run.
    ///
    /// # Errors
    /// The trace is damaged; a repeated step diverges.
    pub fn run_beyond(
        &mut self,
        strategy: &mut Strategy,
        steps: u64,
        mut until: impl FnMut(&mut Self, Pid) -> Result<bool, Error>,
    ) -> Result<Moved, Error> {
        self.stand_still()?;
        let before = self.look(cut_of);
        let mut dropped = Vec::new();
        let mut able = Able {
            ready: Ready::new(true, !matches!(strategy, Strategy::Random { .. })),
            ..Able::default()
        };
        for _ in 0..steps {
            let picked = match self.look(|system| system.observer.halted.is_some()) {
                true => None,
                false => {
                    able.update(self)?;
                    able.pick(strategy)
                }
            };
            let Some((pid, choice)) = picked else {
                let halted = self.look(|system| system.observer.halted);
                let stopped = halted.map_or(Stopped::Quiet, Stopped::Halted);
                return Ok(self.summary(&before, dropped, stopped));
            };
            let stopped = if self.look(|system| system.total_actions) >= self.history.total() {
                self.go_way(pid, choice)?
            } else {
                let moved = self.choose(pid, choice)?;
                dropped.extend(moved.dropped);
                moved.stopped
            };
            if let Stopped::Running = stopped {
                strategy.tire(pid);
            }
            if until(self, pid)? {
                return Ok(self.summary(&before, dropped, Stopped::Reached));
            }
        }
        Ok(self.summary(&before, dropped, Stopped::Reached))
    }

    /// Makes every possible step except receives, until there is none [LNPV18, normalise]; at most `most`.
    ///
    /// # Errors
    /// As [`Player::run_beyond`].
    pub fn normalise(&mut self, most: u64) -> Result<Moved, Error> {
        self.run_beyond(&mut Strategy::Normalise { tired: Vec::new() }, most, |_, _| Ok(false))
    }
}

/// The scheduler beyond the logs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Strategy {
    /// Any process with the same probability, and any of its choices.
    Random {
        /// The state of the random numbers.
        state: u64,
        /// Timeouts only when nothing else can happen.
        patient: bool,
    },
    /// One process after the other, in the order of their pids; timeouts when nothing else can happen.
    RoundRobin {
        /// The last process.
        last: Pid,
    },
    /// Steps other than receives before receives; timeouts when nothing else can happen.
    ProcessesFirst {
        /// Processes that run without an action.
        tired: Vec<Pid>,
    },
    /// Only steps other than receives.
    Normalise {
        /// Processes that run without an action.
        tired: Vec<Pid>,
    },
}

impl Strategy {
    fn tire(&mut self, pid: Pid) {
        if let Self::ProcessesFirst { tired } | Self::Normalise { tired } = self {
            tired.push(pid);
        }
    }
}

fn draw(state: &mut u64, below: usize) -> usize {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let high = (u128::from(system::scheduler::mix(*state)) * below as u128) >> 64;
    usize::try_from(high).unwrap_or(0)
}

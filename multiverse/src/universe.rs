//! A universe as the caller sees it, and what the search by graphs tells.

use std::sync::{Arc, Mutex, PoisonError};

use log_format::{ActionId, Pid};
use rustc_hash::FxHashMap;
use session::Error;
use session::player::Player;
use session::player::free::Choice;

use crate::checks::Checks;
use crate::graphs::{Found, Steps};
use crate::outcome::{self, Names, Outcome};
use crate::summary::{Bound, Bounds, Summary};

/// A universe that was found.
pub struct Universe<'a> {
    /// Its number, from 1.
    pub number: u64,
    /// How many actions it has.
    pub actions: u64,
    /// What it came to.
    pub outcome: Outcome,
    /// In a sample: how many universes it stands for.
    pub weight: f64,
    /// For each invariant that did not hold: the last action of the process by then.
    pub broken: Vec<ActionId>,
    pub(crate) way: WayTo<'a>,
}

/// How a universe was reached.
pub(crate) enum WayTo<'a> {
    /// This player is at its end.
    Player(&'a Player),
    /// By these steps from the start.
    Steps(&'a Player, &'a Found<'a>),
}

impl Universe<'_> {
    /// A player at its end.
    ///
    /// # Errors
    /// The trace is damaged; a repeated step diverges.
    pub fn player(&self) -> Result<Player, Error> {
        match &self.way {
            WayTo::Player(player) => Ok(Player::clone(player)),
            WayTo::Steps(start, found) => repeat(start, found.steps()),
        }
    }
}

/// Does these steps.
fn repeat(start: &Player, steps: Steps) -> Result<Player, Error> {
    let mut player = start.once();
    // A recorded run numbers its processes otherwise.
    let mut pids: FxHashMap<Pid, Pid> = FxHashMap::default();
    for (pid, choice, child) in steps {
        let named = |pid: Pid| pids.get(&pid).copied().unwrap_or(pid);
        let choice = match choice {
            Choice::Message(one) => Choice::Message(one.renamed(named)),
            Choice::Signal(one) => Choice::Signal(one.renamed(named)),
            Choice::Arrived(one) => Choice::Arrived(one.renamed(named)),
            other @ (Choice::Step | Choice::Timeout | Choice::Pick(_)) => other,
        };
        let who = named(pid);
        player.go_way(who, choice)?;
        if let Some(child) = child {
            let action = player.history().action(who, player.done(who))?;
            pids.extend(action.kind.spawned().map(|known| (child, known)));
        }
    }
    Ok(player)
}

/// Tells the universes that the search by graphs finds.
pub(crate) struct Teller {
    start: Player,
    bounds: Bounds,
    pub summary: Summary,
    so_far: Arc<Mutex<Summary>>,
    pub stopped: Option<Bound>,
    /// The children of each process of the recorded run, in the order of their births.
    children: FxHashMap<Pid, Vec<Pid>>,
    pub checks: Checks,
}

impl Teller {
    pub fn of(start: &Player, bounds: Bounds, checks: Checks, so_far: Arc<Mutex<Summary>>) -> Result<Self, Error> {
        let history = start.history();
        let mut births = Vec::new();
        for pid in history.processes()? {
            births.extend(history.parent(pid)?.map(|birth| (birth, pid)));
        }
        births.sort_unstable();
        let mut children: FxHashMap<Pid, Vec<Pid>> = FxHashMap::default();
        for (birth, pid) in births {
            children.entry(birth.pid).or_default().push(pid);
        }
        Ok(Self {
            start: start.clone(),
            bounds,
            summary: Summary::default(),
            so_far,
            stopped: None,
            children,
            checks,
        })
    }

    /// The pids that processes had in the recorded run.
    fn recorded(&self, steps: &Steps) -> FxHashMap<Pid, Pid> {
        let mut known: FxHashMap<Pid, Pid> = FxHashMap::default();
        let mut born: FxHashMap<Pid, usize> = FxHashMap::default();
        for (pid, _, child) in steps {
            let Some(child) = child else { continue };
            let number = born.entry(*pid).or_default();
            let parent = known.get(pid).unwrap_or(pid);
            let recorded = self.children.get(parent).and_then(|children| children.get(*number));
            known.extend(recorded.map(|recorded| (*child, *recorded)));
            *number += 1;
        }
        known
    }

    /// Tells one. False: the search ends. `open`: how many ways are not gone yet.
    pub fn tell(
        &mut self,
        one: &Found<'_>,
        open: usize,
        found: &mut impl FnMut(&Universe<'_>) -> Result<bool, Error>,
    ) -> Result<bool, Error> {
        if self.bounds.preemptions.is_some_and(|most| one.preemptions() > most) {
            self.summary.runs += 1;
            self.summary.preempted += 1;
            return Ok(true);
        }
        let mut names: Box<dyn Names> = match self.children.is_empty() {
            true => Box::new(Same),
            false => Box::new(AsRecorded(self.recorded(&one.steps()))),
        };
        let mut outcome = one.outcome(&self.checks.normal, names.as_mut());
        let broken = one.violations(&mut self.checks, names.as_mut())?;
        let broken: Vec<ActionId> = broken
            .all
            .into_iter()
            .map(|(violation, at)| {
                outcome.violations.push(violation);
                at
            })
            .collect();
        let summary = &mut self.summary;
        summary.universes += 1;
        summary.runs += 1;
        summary.open = open as u64;
        if let Some(why) = outcome.cut {
            *summary.cut.entry(why).or_default() += 1;
        }
        let goes_on = found(&Universe {
            number: summary.universes,
            actions: one.actions(),
            outcome,
            weight: one.weight,
            broken,
            way: WayTo::Steps(&self.start, one),
        })?;
        self.so_far
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone_from(summary);
        if !goes_on {
            self.stopped = Some(Bound::Caller);
        } else if self.bounds.universes.is_some_and(|most| summary.universes >= most) {
            self.stopped = Some(Bound::Universes);
        }
        Ok(self.stopped.is_none())
    }
}

/// Processes have the pids that they had in the recorded run.
struct AsRecorded(FxHashMap<Pid, Pid>);

impl outcome::Names for AsRecorded {
    fn of(&mut self, pid: Pid) -> Pid {
        self.0.get(&pid).copied().unwrap_or(pid)
    }
    fn text(&mut self, text: &str) -> String {
        outcome::renamed(text, |pid| self.of(pid))
    }
}

/// Processes have the same pids in all universes.
struct Same;

impl outcome::Names for Same {
    fn of(&mut self, pid: Pid) -> Pid {
        pid
    }
    fn text(&mut self, text: &str) -> String {
        text.to_owned()
    }
}

//! A universe as the caller sees it, and what the search by graphs tells.

use std::sync::{Arc, Mutex, PoisonError};

use log_format::{ActionId, Pid};
use session::Error;
use session::player::Player;

use crate::checks::Checks;
use crate::graphs::{Found, Steps};
use crate::outcome::{self, Outcome};
use crate::summary::{Bound, Bounds, Summary};

/// A universe that was found.
pub struct Universe<'a> {
    /// Its number, from 1.
    pub number: u64,
    /// How many actions it has.
    pub actions: u64,
    /// What it came to.
    pub outcome: Outcome,
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
pub(crate) fn repeat(start: &Player, steps: Steps) -> Result<Player, Error> {
    let mut player = start.once();
    for (pid, choice) in steps {
        player.go_way(pid, choice)?;
    }
    Ok(player)
}

/// Tells the universes that the search by graphs finds.
pub(crate) struct Teller {
    pub(crate) start: Player,
    bounds: Bounds,
    pub summary: Summary,
    so_far: Arc<Mutex<Summary>>,
    pub stopped: Option<Bound>,
    pub checks: Checks,
}

impl Teller {
    pub fn of(start: &Player, bounds: Bounds, checks: Checks, so_far: Arc<Mutex<Summary>>) -> Result<Self, Error> {
        // What is told is done anew. Processes that the recorded run had, too, have the same numbers.
        let mut start = start.clone();
        start.forget_logs()?;
        start.keep_ends()?;
        Ok(Self {
            start,
            bounds,
            summary: Summary::default(),
            so_far,
            stopped: None,
            checks,
        })
    }

    /// Tells one. False: the search ends. `open`: how many ways are not gone yet.
    pub fn tell(
        &mut self,
        one: &Found<'_>,
        open: usize,
        found: &mut impl FnMut(&Universe<'_>) -> Result<bool, Error>,
    ) -> Result<bool, Error> {
        let mut outcome = one.outcome(&self.checks.normal, &mut Same);
        let broken = one.violations(&mut self.checks, &mut Same)?;
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
        if let outcome::End::Cut(why) = outcome.end {
            *summary.cut.entry(why).or_default() += 1;
        }
        let goes_on = found(&Universe {
            number: summary.universes,
            actions: one.actions(),
            outcome,
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

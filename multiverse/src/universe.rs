//! A universe as the caller sees it, and what the search by graphs tells.

use std::sync::{Arc, Mutex, PoisonError};

use log_format::wire::{WireReader, WireResult, Writer};
use log_format::{Action, ActionId, Kind, Pid};
use rustc_hash::FxHashMap;
use session::player::Player;
use session::{Error, Session};

use crate::acts::{self, Ear};
use crate::checks::Checks;
use crate::graphs::{self, FoundUniverse, Steps, UniverseStep};
use crate::identity::Name;
use crate::outcome::{self, UniverseEnd, UniverseOutcome};
use crate::summary::{Bound, SearchBounds, Summary};

/// A universe that was found.
pub struct Universe<'a> {
    /// Its number, from 1.
    pub number: u64,
    /// How many actions it has.
    pub actions: u64,
    /// What it came to.
    pub outcome: UniverseOutcome,
    /// In a sample: how many universes it stands for.
    pub weight: f64,
    /// For each invariant that did not hold: the last action of the process by then.
    pub broken: Vec<ActionId>,
    pub(crate) way: WayTo<'a>,
    /// The pids that processes have in the outcome, where these are others. Known only if the steps are asked for.
    pub(crate) names: FxHashMap<Pid, Pid>,
}

/// How a universe was reached.
pub(crate) enum WayTo<'a> {
    /// This player is at its end.
    Player(&'a Player),
    /// By these steps from the start.
    Steps(&'a Player, &'a FoundUniverse<'a>),
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

impl Universe<'_> {
    /// Tells what was done, in an order in which it can be done.
    pub(crate) fn acts(&self, ear: &mut impl Ear) -> Result<(), Error> {
        match &self.way {
            WayTo::Player(player) => acts::of_player(player, ear),
            WayTo::Steps(_, found) => {
                found.acts(ear);
                Ok(())
            }
        }
    }

    /// The name of the state at its end. `None`: it is the same as no other one.
    pub(crate) fn standing(&self) -> Option<Name> {
        match (&self.way, &self.outcome.end) {
            (_, UniverseEnd::Cut(_)) => None,
            (_, UniverseEnd::Halted(_)) => Some(Name::default()),
            (WayTo::Player(player), _) => acts::standing(player),
            (WayTo::Steps(_, found), _) => found.standing(),
        }
    }
}

impl Universe<'_> {
    /// The way to it: the process and the choice of each step, as bytes. Of those that were found by taking back, none is known.
    #[must_use]
    pub fn way(&self) -> Option<Vec<u8>> {
        let WayTo::Steps(_, found) = &self.way else { return None };
        let steps = found.steps();
        let mut out = Writer::default();
        out.number(steps.len() as u64);
        for step in steps {
            let drawn = if step.drawn.is_some() { DRAWN } else { 0 };
            let silent = if step.acts { 0 } else { SILENT };
            graphs::put_choice(&mut out, step.pid, step.choice, drawn | silent);
            if let Some(Kind::Input { value }) = step.drawn.map(|action| action.kind) {
                out.counted(&value);
            }
        }
        Some(out.into_bytes())
    }
}

/// The bit of a choice that says that the step gets the value that follows.
const DRAWN: u8 = 8;
/// The bit of one that is not logged.
const SILENT: u8 = 16;

/// Reads a way to a universe.
fn read(way: &[u8]) -> WireResult<Steps> {
    let from = &mut WireReader::at(way, 0);
    let mut steps = Steps::new();
    for _ in 0..from.count("how many steps there are")? {
        let (pid, choice, bits) = graphs::get_choice(from, DRAWN | SILENT)?;
        let drawn = match bits & DRAWN {
            0 => None,
            _ => Some(Action::new(Kind::Input {
                value: from.counted("the value of an input")?.to_vec(),
            })),
        };
        steps.push(UniverseStep {
            pid,
            choice,
            acts: bits & SILENT == 0,
            drawn,
        });
    }
    Ok(steps)
}

/// A player at the end of the universe to which this way leads.
///
/// # Errors
/// These are no steps of this program.
pub fn follow(session: &Session, bounds: SearchBounds, way: &[u8]) -> Result<Player, Error> {
    let steps = read(way).map_err(|error| Error::Usage(format!("this is not the way to a universe: {error}")))?;
    repeat(&anew(&begun(session, bounds)?)?, steps)
}

/// A player at the start of a run.
pub(crate) fn begun(session: &Session, bounds: SearchBounds) -> Result<Player, Error> {
    let mut start = Player::new(session, 0)?;
    start.keep_ends()?;
    start.set_delivery(bounds.delivery);
    start.join_sums();
    Ok(start)
}

/// The same player, for a universe that is done anew. Processes that the recorded run had, too, have the same numbers.
fn anew(start: &Player) -> Result<Player, Error> {
    let mut start = start.clone();
    start.forget_logs()?;
    start.keep_ends()?;
    Ok(start)
}

/// Does these steps.
pub(crate) fn repeat(start: &Player, steps: Steps) -> Result<Player, Error> {
    let mut player = start.once();
    for step in steps {
        match step.drawn {
            _ if !step.acts => player.go_up_to_step(step.pid)?,
            Some(drawn) => _ = player.go_way_with(step.pid, drawn)?,
            None => _ = player.go_way(step.pid, step.choice)?,
        }
    }
    Ok(player)
}

/// Tells the universes that the search by graphs finds.
pub(crate) struct Teller {
    pub(crate) start: Player,
    bounds: SearchBounds,
    pub summary: Summary,
    so_far: Arc<Mutex<Summary>>,
    pub stopped: Option<Bound>,
    pub checks: Checks,
}

impl Teller {
    pub fn of(
        start: &Player,
        bounds: SearchBounds,
        checks: Checks,
        so_far: Arc<Mutex<Summary>>,
    ) -> Result<Self, Error> {
        Ok(Self {
            start: anew(start)?,
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
        one: &FoundUniverse<'_>,
        open: usize,
        found: &mut impl FnMut(&Universe<'_>) -> Result<bool, Error>,
    ) -> Result<bool, Error> {
        if self.bounds.preemptions.is_some_and(|most| one.preemptions() > most) {
            self.summary.runs += 1;
            self.summary.preempted += 1;
            return Ok(true);
        }
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
            names: FxHashMap::default(),
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

//! A universe as the caller sees it, and what the search by graphs tells.

use std::sync::{Arc, Mutex, PoisonError};

use log_format::Pid;
use log_format::wire::{Read, Reader, Writer};
use rustc_hash::FxHashMap;
use session::player::Player;
use session::player::free::Choice;
use session::{Error, Session};

use crate::graphs::{self, Found, Steps};
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

impl Universe<'_> {
    /// The way to it: the process and the choice of each step, as bytes. Of those that were found by taking back, none is known.
    #[must_use]
    pub fn way(&self) -> Option<Vec<u8>> {
        let WayTo::Steps(_, found) = &self.way else { return None };
        let steps = found.steps();
        let mut out = Writer::default();
        out.number(steps.len() as u64);
        for (pid, choice, child) in steps {
            graphs::put_choice(&mut out, pid, choice, if child.is_some() { MAKES } else { 0 });
            if let Some(child) = child {
                out.number(child.0);
            }
        }
        Some(out.into_bytes())
    }
}

/// Of a step: it made a process, whose number follows.
const MAKES: u8 = 8;

/// Reads a way to a universe.
fn read(way: &[u8]) -> Read<Steps> {
    let from = &mut Reader::at(way, 0);
    let mut steps = Steps::new();
    for _ in 0..from.count("how many steps there are")? {
        let (pid, choice, bits) = graphs::get_choice(from, MAKES)?;
        let child = match bits & MAKES {
            0 => None,
            _ => Some(Pid(from.number("the number of a process")?)),
        };
        steps.push((pid, choice, child));
    }
    Ok(steps)
}

/// A player at the end of the universe to which this way leads.
///
/// # Errors
/// These are no steps of this program.
pub fn follow(session: &Session, bounds: Bounds, way: &[u8]) -> Result<Player, Error> {
    let steps = read(way).map_err(|error| Error::Usage(format!("this is not the way to a universe: {error}")))?;
    repeat(&begun(session, bounds)?, steps)
}

/// A player at the start of a run.
pub(crate) fn begun(session: &Session, bounds: Bounds) -> Result<Player, Error> {
    let mut start = Player::new(session, 0)?;
    start.keep_ends()?;
    start.set_delivery(bounds.delivery);
    Ok(start)
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
            other @ (Choice::Step | Choice::Timeout) => other,
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
}

impl Teller {
    pub fn of(start: &Player, bounds: Bounds, so_far: Arc<Mutex<Summary>>) -> Result<Self, Error> {
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
        let outcome = match self.children.is_empty() {
            true => one.outcome(&mut Same),
            false => one.outcome(&mut AsRecorded(self.recorded(&one.steps()))),
        };
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

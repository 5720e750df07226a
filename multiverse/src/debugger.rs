//! A debugger for all universes: they go on from a point until they end or stop at breakpoints (semantics.md §10; [TL19, sections 4 to 6]).
//!
//! A universe stops where a process meets a breakpoint. What has happened there is what that depends on, and nothing else: so two universes that
//! differ only in what comes beside it, or later, are paused as one. Breakpoints add no universe and hide none ([TL19, Theorem 1]).

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use log_format::{Action, Pid};
use rustc_hash::FxHashSet;
use session::player::Player;
use session::player::free::Choice;
use session::{Error, Session};

use crate::checks::Checks;
use crate::graphs::{self, Begin, UniverseStep};
use crate::identity::Name;
use crate::normal::Normal;
use crate::stops::{Doing, Stops};
use crate::summary::{SearchBounds, Summary, late, older_search};
use crate::universe::{Teller, Universe, begun, repeat};

/// One step of a process on the way to a point.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Deed {
    pub pid: Pid,
    pub choice: Choice,
    /// Is it logged?
    pub acts: bool,
    /// In a recorded run: the word for what was done.
    pub word: Option<&'static str>,
    /// The time or the number that it got.
    pub drawn: Option<Action>,
}

/// A process has passed a breakpoint on its way to its next action: after so many events, and so many steps since.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Passed {
    pub pid: Pid,
    pub events: usize,
    pub steps: u64,
}

/// A point of some universes: what has happened there. By default nothing has.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct UniversePoint {
    /// In an order in which it can happen.
    pub(crate) deeds: Vec<Deed>,
    pub(crate) passed: Vec<Passed>,
    /// So many of the first steps belong to every universe from here on, also to one that halts and does not depend on them.
    pub(crate) kept: usize,
}

/// A choice on the way to a point.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Chosen {
    /// The process.
    pub pid: Pid,
    /// The number of this event of the process.
    pub number: u32,
    /// What it chose, as words: `received {add,1} from <0.83.0>, math.erl:5`.
    pub what: String,
}

/// Universes that have stopped at a breakpoint. They are alike up to there.
#[derive(Clone, PartialEq, Debug)]
pub struct Paused {
    /// The number of the breakpoint, from 0.
    pub breakpoint: usize,
    /// The process that meets it.
    pub pid: Pid,
    /// Where it stands, `file:line`.
    pub place: String,
    /// The function.
    pub function: String,
    /// What it is about to do.
    pub doing: Doing,
    /// A name for the point and what is about to happen: equal if they are.
    pub name: Name,
    /// What was chosen on the way.
    pub choices: Vec<Chosen>,
    /// What has happened.
    pub point: UniversePoint,
    pub(crate) next: Option<Deed>,
    pub(crate) stands: Option<Passed>,
    /// Is time a part of it?
    pub(crate) is_timed: bool,
}

impl Paused {
    /// The point after what the process is about to do.
    #[must_use]
    pub fn beyond(&self) -> UniversePoint {
        let mut point = self.point.clone();
        point.deeds.extend(self.next.clone());
        point.passed.extend(self.stands);
        point
    }

    /// At a line: the steps that the process has made since its last action.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.stands.map_or(0, |stand| stand.steps)
    }

    /// How many actions each process has done.
    #[must_use]
    pub fn done(&self) -> BTreeMap<Pid, u64> {
        let mut done = BTreeMap::new();
        for deed in self.point.deeds.iter().filter(|deed| deed.acts) {
            *done.entry(deed.pid).or_default() += 1;
        }
        done
    }

    /// How many events the process has made.
    #[must_use]
    pub fn events(&self) -> u64 {
        self.point.deeds.iter().filter(|deed| deed.pid == self.pid).count() as u64
    }
}

/// What came of going on.
#[derive(Default, Debug)]
pub struct Went {
    /// Where universes have stopped, each point once.
    pub paused: Vec<Paused>,
    /// How many universes have ended without stopping, and how far the search went.
    pub summary: Summary,
}

/// A debugger for all universes of a program.
pub struct Debugger {
    start: Player,
    bounds: SearchBounds,
    jobs: usize,
    interrupted: Arc<AtomicBool>,
    /// Exits that count as normal.
    normal: Normal,
}

impl Debugger {
    /// Of the program of a session. It searches with so many threads, and stops soon after `interrupted` is set.
    ///
    /// # Errors
    /// The trace is damaged.
    pub fn new(
        session: &Session,
        bounds: SearchBounds,
        jobs: usize,
        interrupted: Arc<AtomicBool>,
    ) -> Result<Self, Error> {
        let start = begun(session, bounds)?;
        Ok(Self {
            start: Teller::of(&start, bounds, Checks::default(), Arc::default())?.start,
            bounds,
            jobs,
            interrupted,
            normal: Normal::default(),
        })
    }

    /// Exits with such reasons count as normal.
    #[must_use]
    pub fn with_normal(mut self, normal: Normal) -> Self {
        self.normal = normal;
        self
    }

    /// Lets all universes go on from a point, until each has ended or has stopped at a breakpoint. `ended` is called with each that has ended, and a
    /// name that is equal for equal universes.
    ///
    /// # Errors
    /// The program does what is not explored in this way; an expression of a breakpoint cannot be evaluated; whatever `ended` returns.
    pub fn go_on(
        &self,
        from: &UniversePoint,
        stops: Vec<crate::stops::Breakpoint>,
        mut ended: impl FnMut(Name, &Universe<'_>) -> Result<(), Error> + Send,
    ) -> Result<Went, Error> {
        let session = self.start.session();
        let stops = (!stops.is_empty()).then(|| Arc::new(Stops::new(session, stops)));
        let begin = Begin {
            bounds: self.bounds,
            point: Arc::new(from.clone()),
            stops: stops.clone(),
            tells: false,
        };
        let checks = Checks::new(Vec::new(), self.normal.clone());
        let mut teller = Teller::of(&self.start, self.bounds, checks, Arc::default())?;
        let mut paused: BTreeMap<Name, Paused> = BTreeMap::new();
        let (began, interrupted, time) = (Instant::now(), Arc::clone(&self.interrupted), self.bounds.time);
        let is_late = || late(&interrupted, time, began).is_some();
        let tell = |one: &graphs::FoundUniverse<'_>, open: usize| {
            if one.is_stopped() {
                for one in one.paused(from) {
                    paused.entry(one.name).or_insert(one);
                }
                return Ok(true);
            }
            let name = one.name();
            teller.tell(one, open, &mut |universe: &Universe<'_>| {
                ended(name, universe).map(|()| true)
            })
        };
        let told = graphs::search_together(session, &begin, self.jobs, tell, &is_late)?;
        if let Some(fault) = stops.and_then(|stops| stops.fault()) {
            return Err(fault);
        }
        if told.beyond {
            let place = told.beyond_at.as_deref();
            return Err(older_search(
                "breakpoints in all universes cannot be used here",
                place,
                "without --interactive",
            ));
        }
        let stopped = teller.stopped.or_else(|| match told.open {
            0 => None,
            _ => late(&self.interrupted, time, began),
        });
        let mut went = Went {
            paused: Vec::new(),
            summary: Summary {
                stalled: told.stalled,
                gaps: told.gaps,
                open: told.open,
                stopped,
                ..teller.summary
            },
        };
        for one in paused.into_values() {
            if !self.is_doubtful(&one) || self.has_universe(&one)? {
                went.paused.push(one);
            }
        }
        // In the order of what happened.
        went.paused.sort_by(|a, b| {
            let key = |one: &Paused| (one.point.deeds.len(), one.pid, one.choices.clone(), one.name);
            key(a).cmp(&key(b))
        });
        Ok(went)
    }

    /// Is it not certain that a universe comes there? Others may have waited too long for the process that has stopped.
    fn is_doubtful(&self, one: &Paused) -> bool {
        one.is_timed && self.bounds.stall.is_some()
    }

    /// Is there a universe that comes there?
    fn has_universe(&self, one: &Paused) -> Result<bool, Error> {
        let begin = Begin {
            bounds: SearchBounds {
                universes: Some(1),
                ..self.bounds
            },
            point: Arc::new(one.beyond()),
            stops: None,
            tells: false,
        };
        let mut found = false;
        let interrupted = || self.interrupted.load(Ordering::Relaxed);
        let told = graphs::search(
            self.start.session(),
            &begin,
            |_, _| {
                found = true;
                Ok(false)
            },
            &interrupted,
        )?;
        Ok(found || told.open > 0)
    }

    /// A player at a point.
    ///
    /// # Errors
    /// A repeated step diverges.
    pub fn player(&self, at: &UniversePoint) -> Result<Player, Error> {
        let deeds = at.deeds.iter().filter(|deed| deed.acts || deed.choice == Choice::Step);
        let steps = deeds.map(|deed| UniverseStep {
            pid: deed.pid,
            choice: deed.choice,
            acts: deed.acts,
            drawn: deed.drawn.clone(),
        });
        repeat(&self.start, steps.collect())
    }
}

/// Names of universes that were told.
pub type ToldUniverses = FxHashSet<Name>;

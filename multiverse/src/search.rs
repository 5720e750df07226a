//! The search for all universes.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use delay::{Judged, Measure};
use interpreter::atom::Atom;
use log_format::{ActionId, Kind, Pid};
use rustc_hash::FxHashSet;
use session::player::free::Choice;
use session::player::history::History;
use session::player::{Player, handle};
use session::{Error, Session};
use system::{Delivery, StallLimit};

use crate::alternatives::Logs;
use crate::identity::{Identity, Name};
use crate::outcome::{self, Ended, Numbers, Outcome};
use crate::time::Times;

/// Steps without an action after which a run that does nothing but compute is cut.
const IDLE: u32 = 16;

/// How many activations are searched for one of the program.
const FRAMES: usize = 32;

/// How often the search begins again because runs load modules that it did not know of.
const BEGINNINGS: usize = 16;

/// How far to go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// Stop after this many universes.
    pub universes: Option<u64>,
    /// Stop after this time.
    pub time: Option<Duration>,
    /// Cut a run after this many steps. Each step of a run is an action.
    pub steps: u64,
    /// In which order signals of different senders arrive at one process.
    pub delivery: Delivery,
    /// Leave out what needs a longer stall, in milliseconds.
    pub stall: Option<u64>,
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            universes: None,
            time: None,
            steps: 10_000,
            delivery: Delivery::Causal,
            stall: StallLimit::default().0,
        }
    }
}

/// A universe that was found.
pub struct Universe<'a> {
    /// Its number, from 1.
    pub number: u64,
    /// Its name.
    pub name: Name,
    /// How many actions it has.
    pub actions: u64,
    /// What it came to.
    pub outcome: Outcome,
    /// At its end.
    pub player: &'a Player,
}

/// A kind of thing that a program did, and whose other results were not explored.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Gap {
    /// An input: time, a random number, a file.
    Input,
    /// A look at its own state, which a signal may change: `process_info(self(), message_queue_len)`, for example.
    State,
    /// Perhaps a link to a process that has ended, and to which there was a link: whether that was still there.
    Link,
    /// `cancel_timer`, `demonitor` or `unalias`: whether what it cancels had come before.
    Cancel,
}

/// What the search found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Summary {
    /// How many universes.
    pub universes: u64,
    /// How many runs that took, the first one included.
    pub runs: u64,
    /// Why not all were visited, if so.
    pub stopped: Option<Bound>,
    /// How many universes were cut, and why.
    pub cut: BTreeMap<Cut, u64>,
    /// The actions of the run that was under way when the search was stopped, if it had not ended. It is not counted as a universe.
    pub under_way: Option<u64>,
    /// How many ways are known and not gone yet.
    pub open: u64,
    /// How many runs were left out because they need a longer stall, each at the first choice that needs it.
    pub stalled: u64,
    /// What was not explored, with the place (`file:line`) of the first action that did such a thing.
    pub gaps: BTreeMap<Gap, String>,
}

impl Summary {
    /// Are these all universes, each in full?
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.stopped.is_none() && self.cut.is_empty() && self.gaps.is_empty()
    }
}

/// What ended a search before all ways were tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// So many universes were found.
    Universes,
    /// The time was up.
    Time,
    /// The caller wanted no more, or interrupted it.
    Caller,
}

/// Why a universe was cut.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Cut {
    /// It had made all its steps.
    Steps,
    /// A process computed without an action, again and again.
    Computes,
}

/// A way that has not been gone yet.
struct Way {
    /// The logs of the universe that it parts from.
    logs: Arc<History>,
    kept: log_format::Cut,
    /// Taken back, with all that depends on it.
    action: ActionId,
    pid: Pid,
    choice: Choice,
}

/// Finds all universes of a program, or of what a recorded run could have been.
pub struct Explorer {
    start: Player,
    bounds: Bounds,
    ways: Vec<Way>,
    /// Names of universes.
    seen: FxHashSet<Name>,
    /// Names of what was done in the universes that were told.
    told: FxHashSet<Name>,
    /// The modules that a run has loaded, deleted or purged. Calls of them are choices from the start of each run on.
    touched: FxHashSet<Atom>,
    /// How often the search has begun.
    beginnings: usize,
    /// Names of ways, and of places all of whose ways are known.
    tried: FxHashSet<Name>,
    numbers: Numbers,
    summary: Summary,
    /// The summary after each run, for a caller that stops waiting.
    so_far: Arc<Mutex<Summary>>,
    interrupted: Arc<AtomicBool>,
    began: Instant,
}

/// A player at the start of a run.
fn begun(session: &Session, bounds: Bounds) -> Result<Player, Error> {
    let mut start = Player::new(session, 0)?;
    start.keep_ends()?;
    start.set_delivery(bounds.delivery);
    Ok(start)
}

impl Explorer {
    /// One that begins with the run of this session: with its trace, and what can follow where that ends. It stops soon after `interrupted` is
    /// set.
    ///
    /// # Errors
    /// If the trace is damaged.
    pub fn new(session: &Session, bounds: Bounds, interrupted: Arc<AtomicBool>) -> Result<Self, Error> {
        Ok(Self {
            start: begun(session, bounds)?,
            bounds,
            ways: Vec::new(),
            seen: FxHashSet::default(),
            told: FxHashSet::default(),
            touched: FxHashSet::default(),
            beginnings: 0,
            tried: FxHashSet::default(),
            numbers: Numbers::default(),
            summary: Summary::default(),
            so_far: Arc::default(),
            interrupted,
            began: Instant::now(),
        })
    }

    /// What was found up to the last run that has ended. A single step of a program can take long, so a caller with a limit of time runs the
    /// search on another thread, and takes this if it does not come back.
    #[must_use]
    pub fn so_far(&self) -> Arc<Mutex<Summary>> {
        Arc::clone(&self.so_far)
    }

    /// Visits every universe once. `found` is called with each; the search ends if it returns false.
    ///
    /// # Errors
    /// The trace is damaged; a repeated step diverges; whatever `found` returns.
    pub fn run(mut self, mut found: impl FnMut(&Universe<'_>) -> Result<bool, Error>) -> Result<Summary, Error> {
        while !self.begin(&mut found)? {}
        while self.summary.stopped.is_none()
            && let Some(way) = self.ways.pop()
        {
            let player = self.go(&way)?;
            let Some(times) = self.within(&player)? else {
                continue;
            };
            if !self.visit(player, times, &mut found)? {
                while !self.begin(&mut found)? {}
            }
        }
        Ok(self.summary)
    }

    /// Visits the run that the search begins with. As [`Explorer::visit`].
    fn begin(&mut self, found: &mut impl FnMut(&Universe<'_>) -> Result<bool, Error>) -> Result<bool, Error> {
        self.beginnings += 1;
        let history = self.start.history().clone();
        let mut all = log_format::Cut::default();
        for pid in history.processes()? {
            all.set(pid, history.length(pid)?.unwrap_or(0));
        }
        let first = self.start.at_part(history, &all)?;
        let times = Times::at(&first, Measure::bound(|probe| first.replay_for(probe))?.as_ref())?;
        self.visit(first, times, found)
    }

    /// Did a run load modules that no run before it did? Then calls of them, which no log contains, could have come before the load or after it. So
    /// the search begins again, and these calls are actions.
    fn begins_again(&mut self, player: &Player) -> Result<bool, Error> {
        let mut program = player.look(|system| Arc::clone(&system.program));
        let count = self.touched.len();
        self.touched.extend(program.disturbed());
        if self.touched.len() == count || self.beginnings >= BEGINNINGS {
            return Ok(false);
        }
        let session = self.start.session().clone();
        for &module in &self.touched {
            Arc::make_mut(&mut program).disturb(module);
        }
        session.adopt(program);
        self.start = begun(&session, self.bounds)?;
        self.ways.clear();
        self.seen.clear();
        self.tried.clear();
        self.summary.stalled = 0;
        Ok(true)
    }

    /// Goes a way, up to its choice.
    fn go(&self, way: &Way) -> Result<Player, Error> {
        let mut player = self.part_from(&way.logs, &way.kept, way.action)?;
        player.choose(way.pid, way.choice)?;
        Ok(player)
    }

    /// Goes to a place where a universe could have gone another way.
    fn part_from(&self, logs: &Arc<History>, kept: &log_format::Cut, action: ActionId) -> Result<Player, Error> {
        let mut player = self.start.at_part(History::clone(logs), kept)?;
        player.leave_log(action.pid)?;
        Ok(player)
    }

    /// Judges what was done so far. `None`: nothing that comes of it is a universe within the bounds.
    fn within(&mut self, player: &Player) -> Result<Option<Times>, Error> {
        let judged = Measure::judge(|probe| player.replay_for(probe), true)?;
        Ok(match judged {
            Judged::Impossible => None,
            Judged::TooLong => Some(Times::at(player, None)?),
            Judged::Measured(measure) => match self.allows(&measure) {
                true => Some(Times::at(player, Some(&measure))?),
                false => None,
            },
        })
    }

    fn allows(&mut self, measure: &Measure) -> bool {
        if self.bounds.delivery == Delivery::Causal && measure.needs_free_delivery() == Some(true) {
            return false;
        }
        let stalls = self.bounds.stall.is_some_and(|most| measure.stall(None).ms > most);
        self.summary.stalled += u64::from(stalls);
        !stalls
    }

    /// Is this run, which has ended, a universe within the bounds?
    fn can_be(&mut self, player: &Player) -> Result<bool, Error> {
        Ok(match Measure::judge(|probe| player.replay_for(probe), false)? {
            Judged::Impossible => false,
            Judged::TooLong => true,
            Judged::Measured(measure) => self.allows(&measure),
        })
    }

    /// Runs on to the end of a universe, tells it if it is new, and notes its other ways. False: the search begins again.
    fn visit(
        &mut self,
        mut player: Player,
        times: Times,
        found: &mut impl FnMut(&Universe<'_>) -> Result<bool, Error>,
    ) -> Result<bool, Error> {
        let ended = self.finish(&mut player, times)?;
        self.summary.runs += 1;
        let Some(ended) = ended else {
            self.summary.under_way = Some(player.history().total());
            self.summary.stopped = self.late();
            self.tell();
            return Ok(true);
        };
        if self.begins_again(&player)? {
            return Ok(false);
        }
        let history = Arc::new(player.history().clone());
        let identity = Identity::of(&history)?;
        let name = identity.whole();
        if self.seen.insert(name) {
            if !self.can_be(&player)? {
                // What parts from it can still be a universe.
                if !self.note_ways(&history, &identity)? {
                    self.summary.stopped = self.late();
                }
                return Ok(true);
            }
            let goes_on = match self.told.insert(identity.done()) {
                true => self.tell_universe(&player, &identity, ended, found)?,
                false => true,
            };
            self.tell();
            if !goes_on {
                self.summary.stopped = Some(Bound::Caller);
            } else if !self.note_ways(&history, &identity)? {
                self.summary.stopped = self.late();
            }
        }
        if !self.ways.is_empty() && self.summary.stopped.is_none() {
            self.summary.stopped = self.bound();
        }
        self.tell();
        Ok(true)
    }

    /// Tells a universe that is new. False: the caller wants no more.
    fn tell_universe(
        &mut self,
        player: &Player,
        identity: &Identity,
        ended: Ended,
        found: &mut impl FnMut(&Universe<'_>) -> Result<bool, Error>,
    ) -> Result<bool, Error> {
        self.summary.universes += 1;
        let outcome = outcome::of(player, ended, identity, &mut self.numbers);
        if let outcome::End::Cut(why) = outcome.end {
            *self.summary.cut.entry(why).or_default() += 1;
        }
        found(&Universe {
            number: self.summary.universes,
            name: identity.whole(),
            actions: player.history().total(),
            outcome,
            player,
        })
    }

    /// Makes the summary known.
    fn tell(&mut self) {
        self.summary.open = self.ways.len() as u64;
        self.so_far
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone_from(&self.summary);
    }

    /// Runs until nothing more can happen, or the run is cut. `None`: the search is to stop.
    fn finish(&self, player: &mut Player, mut times: Times) -> Result<Option<Ended>, Error> {
        let left = self.bounds.steps.saturating_sub(player.history().total());
        let (mut idle, mut last) = (0, player.history().total());
        let mut late = self.late().is_some();
        for _ in 0..left {
            if times.step(player)?.is_none() {
                let halted = player.look(|system| system.observer.halted);
                return Ok(Some(halted.map_or(Ended::Quiet, Ended::Halted)));
            }
            let now = player.history().total();
            idle = if now == last { idle + 1 } else { 0 };
            last = now;
            late = self.late().is_some();
            if idle >= IDLE || late {
                break;
            }
        }
        Ok(match idle >= IDLE {
            _ if late => None,
            true => Some(Ended::Cut(Cut::Computes)),
            false => Some(Ended::Cut(Cut::Steps)),
        })
    }

    /// Why the search has to stop now, if it has.
    fn late(&self) -> Option<Bound> {
        if self.interrupted.load(Ordering::Relaxed) {
            return Some(Bound::Caller);
        }
        let time = self.bounds.time?;
        (self.began.elapsed() >= time).then_some(Bound::Time)
    }

    fn bound(&self) -> Option<Bound> {
        if self.bounds.universes.is_some_and(|most| self.summary.universes >= most) {
            return Some(Bound::Universes);
        }
        self.late()
    }

    /// Notes all ways that part from a universe and have not been noted before. False if the search was to stop before all were noted.
    fn note_ways(&mut self, history: &Arc<History>, identity: &Identity) -> Result<bool, Error> {
        let logs = Logs::of(history)?;
        self.note_gaps(history, &logs)?;
        let Some(places) = logs.places(|| self.late().is_some())? else {
            return Ok(false);
        };
        for place in places {
            if self.late().is_some() {
                return Ok(false);
            }
            let choices = match place.choice {
                Some(choice) => {
                    if !self.tried.insert(identity.way(&place.kept, place.pid, choice)) {
                        continue;
                    }
                    let mut player = self.part_from(history, &place.kept, place.action)?;
                    let mut choices = player.choices(place.pid)?;
                    choices.retain(|one| *one == choice);
                    choices
                }
                None => {
                    if !self.tried.insert(identity.place(&place.kept, place.pid)) {
                        continue;
                    }
                    let mut player = self.part_from(history, &place.kept, place.action)?;
                    let mut choices = player.choices(place.pid)?;
                    let made = logs.action(place.action).map(Choice::of);
                    choices.retain(|one| Some(*one) != made);
                    choices
                }
            };
            for choice in choices {
                self.ways.push(Way {
                    logs: Arc::clone(history),
                    kept: place.kept.clone(),
                    action: place.action,
                    pid: place.pid,
                    choice,
                });
            }
        }
        Ok(true)
    }

    fn note_gaps(&mut self, history: &Arc<History>, logs: &Logs<'_>) -> Result<(), Error> {
        for (id, action) in logs.list() {
            let gap = match action.kind {
                Kind::Input { .. } => Gap::Input,
                Kind::Observe { of: None, .. } => Gap::State,
                Kind::Drop { .. } => Gap::Cancel,
                Kind::Access if logs.links_again(id, action) => Gap::Link,
                _ => continue,
            };
            if !self.summary.gaps.contains_key(&gap) {
                let place = self.place_of(history, logs, id)?;
                self.summary.gaps.insert(gap, place);
            }
        }
        Ok(())
    }

    /// Where in the program an action is done.
    fn place_of(&self, history: &Arc<History>, logs: &Logs<'_>, id: ActionId) -> Result<String, Error> {
        let mut player = self.part_from(history, &logs.without(id)?, id)?;
        // It runs on up to the action.
        player.choices(id.pid)?;
        let owns = |file: &str| player.session().sources().owns(file);
        let frames = player.look(|system| {
            let process = system.table().by_pid(handle(id.pid))?;
            Some(session::subject::frames(&process.machine, &system.program, FRAMES, 0).0)
        });
        let frames = frames.unwrap_or_default();
        let mut places = frames.iter().filter_map(|frame| frame.place.as_ref());
        let first = places.clone().next();
        let own = places.find(|place| owns(&place.file)).or(first);
        Ok(own.map_or_else(String::new, |place| format!("{}:{}", place.file, place.line)))
    }
}

//! The search for all universes.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use log_format::{ActionId, Cut, Kind, Pid};
use rustc_hash::FxHashSet;
use session::player::free::{Choice, Strategy};
use session::player::history::History;
use session::player::{Moved, Player, Stopped, handle};
use session::{Error, Session};

use crate::alternatives::Logs;
use crate::identity::{Identity, Name};
use crate::outcome::{self, Numbers, Outcome};

/// Steps without an action after which a run that does nothing but compute is cut.
const IDLE: u32 = 16;

/// How many activations are searched for one of the program.
const FRAMES: usize = 32;

/// How far to go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// Stop after so many universes.
    pub universes: Option<u64>,
    /// Stop after this time.
    pub time: Option<Duration>,
    /// Cut a run after so many actions.
    pub actions: u64,
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            universes: None,
            time: None,
            actions: 10_000,
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
    /// How many universes were cut.
    pub cut: u64,
    /// What was not explored, with the place (`file:line`) of the first action that did such a thing.
    pub gaps: BTreeMap<Gap, String>,
}

impl Summary {
    /// Are these all universes, each in full?
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.stopped.is_none() && self.cut == 0 && self.gaps.is_empty()
    }
}

/// What ended a search before all ways were tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// So many universes were found.
    Universes,
    /// The time was up.
    Time,
    /// The caller wanted no more.
    Caller,
}

/// A way that has not been gone yet.
struct Way {
    /// The logs of the universe that it parts from.
    logs: Arc<History>,
    kept: Cut,
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
    /// Names of ways, and of places all of whose ways are known.
    tried: FxHashSet<Name>,
    numbers: Numbers,
    summary: Summary,
    began: Instant,
}

impl Explorer {
    /// One that begins with the run of this session: with its trace, and what can follow where that ends.
    ///
    /// # Errors
    /// If the trace is damaged.
    pub fn new(session: &Session, bounds: Bounds) -> Result<Self, Error> {
        let mut start = Player::new(session, 0)?;
        start.keep_ends()?;
        Ok(Self {
            start,
            bounds,
            ways: Vec::new(),
            seen: FxHashSet::default(),
            tried: FxHashSet::default(),
            numbers: Numbers::default(),
            summary: Summary::default(),
            began: Instant::now(),
        })
    }

    /// Visits every universe once. `found` is called with each; the search ends if it returns false.
    ///
    /// # Errors
    /// The trace is damaged; a repeated step diverges; whatever `found` returns.
    pub fn run(mut self, mut found: impl FnMut(&Universe<'_>) -> Result<bool, Error>) -> Result<Summary, Error> {
        let history = self.start.history().clone();
        let mut all = Cut::default();
        for pid in history.processes()? {
            all.set(pid, history.length(pid)?.unwrap_or(0));
        }
        let first = self.start.at_part(history, &all)?;
        self.visit(first, &mut found)?;
        while self.summary.stopped.is_none()
            && let Some(way) = self.ways.pop()
        {
            let player = self.go(&way)?;
            self.visit(player, &mut found)?;
        }
        Ok(self.summary)
    }

    /// Goes a way, up to its choice.
    fn go(&self, way: &Way) -> Result<Player, Error> {
        let mut player = self.part_from(&way.logs, &way.kept, way.action)?;
        player.choose(way.pid, way.choice)?;
        Ok(player)
    }

    /// Goes to a place where a universe could have gone another way.
    fn part_from(&self, logs: &Arc<History>, kept: &Cut, action: ActionId) -> Result<Player, Error> {
        let mut player = self.start.at_part(History::clone(logs), kept)?;
        player.leave_log(action.pid)?;
        Ok(player)
    }

    /// Runs on to the end of a universe, tells it if it is new, and notes its other ways.
    fn visit(
        &mut self,
        mut player: Player,
        found: &mut impl FnMut(&Universe<'_>) -> Result<bool, Error>,
    ) -> Result<(), Error> {
        let stopped = self.finish(&mut player)?;
        self.summary.runs += 1;
        let history = Arc::new(player.history().clone());
        let identity = Identity::of(&history)?;
        let name = identity.whole();
        if self.seen.insert(name) {
            self.summary.universes += 1;
            let outcome = outcome::of(&player, &stopped, &identity, &mut self.numbers);
            self.summary.cut += u64::from(outcome.end == outcome::End::Cut);
            let universe = Universe {
                number: self.summary.universes,
                name,
                actions: history.total(),
                outcome,
                player: &player,
            };
            if !found(&universe)? {
                self.summary.stopped = Some(Bound::Caller);
            }
            self.note_ways(&history, &identity)?;
        }
        if !self.ways.is_empty() && self.summary.stopped.is_none() {
            self.summary.stopped = self.bound();
        }
        Ok(())
    }

    /// Runs until nothing more can happen, or a bound is reached.
    fn finish(&self, player: &mut Player) -> Result<Stopped, Error> {
        let left = self.bounds.actions.saturating_sub(player.history().total());
        let (mut idle, mut last) = (0, player.history().total());
        let mut strategy = Strategy::ProcessesFirst { tired: Vec::new() };
        let Moved { stopped, .. } = player.run_beyond(&mut strategy, left, |player, _| {
            let now = player.history().total();
            idle = if now == last { idle + 1 } else { 0 };
            last = now;
            Ok(idle >= IDLE || self.is_late())
        })?;
        Ok(stopped)
    }

    fn is_late(&self) -> bool {
        self.bounds.time.is_some_and(|time| self.began.elapsed() >= time)
    }

    fn bound(&self) -> Option<Bound> {
        if self.bounds.universes.is_some_and(|most| self.summary.universes >= most) {
            return Some(Bound::Universes);
        }
        self.is_late().then_some(Bound::Time)
    }

    /// Notes all ways that part from a universe and have not been noted before.
    fn note_ways(&mut self, history: &Arc<History>, identity: &Identity) -> Result<(), Error> {
        let logs = Logs::of(history)?;
        self.note_gaps(history, &logs)?;
        for place in logs.places()? {
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
        Ok(())
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

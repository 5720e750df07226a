//! The search for all universes.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use delay::{Extent, Judged, Measure};
use interpreter::atom::Atom;
use log_format::{ActionId, InputClass, Kind, Pid, Resource, Tag};
use rustc_hash::FxHashSet;
use session::player::free::Choice;
use session::player::history::History;
use session::player::{Player, Suffixes, handle};
use session::{Error, Session};
use system::Delivery;
use system::beyond::Blind;

use crate::alternatives::{AlternativePlace, UniverseLogs};
use crate::checks::Checks;
use crate::graphs::{self, Begin, FoundUniverse};
use crate::graphs::{FOR_PEOPLE, is_given};
use crate::identity::{Halting, Identity, Name};
use crate::outcome::{self, FRAMES, Numbers, Renumbered, RunEnded};
use crate::recorded::RecordedPoint;
use crate::summary::{Bound, Cut, Gap, IDLE, SearchBounds, Summary, late, older_search};
use crate::time::{Moment, RunTimes};
use crate::universe::{Teller, Universe, WayTo, begun};

/// How often the search begins again because runs load modules that it did not know of.
const BEGINNINGS: usize = 16;

/// A way that has not been gone yet.
struct WaitingWay {
    /// The logs of the universe that it parts from.
    logs: Arc<History>,
    kept: log_format::Cut,
    /// Taken back, with all that depends on it.
    action: ActionId,
    pid: Pid,
    choice: Go,
    /// Signals that were dropped when they arrived, though no log says so, each with the last action that its receiver had done by then.
    lost: Vec<(ActionId, Tag)>,
}

/// What is done on a way, in the place of what the universe did.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Go {
    /// Another choice.
    Choice(Choice),
    /// The message that was received was dropped when it arrived.
    Without(Tag),
}

/// Finds all universes of a program, or of what a recorded run could have been.
pub struct Explorer {
    pub(crate) start: Player,
    pub(crate) bounds: SearchBounds,
    ways: Vec<WaitingWay>,
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
    /// Places where it was seen whether what a process does there has other results.
    looked: FxHashSet<Name>,
    numbers: Numbers,
    summary: Summary,
    /// The summary after each run, for a caller that stops waiting.
    so_far: Arc<Mutex<Summary>>,
    pub(crate) interrupted: Arc<AtomicBool>,
    pub(crate) began: Instant,
    /// Is the search by graphs not used?
    takes_back: bool,
    /// Where it begins, if not at the start.
    from: Option<RecordedPoint>,
    pub(crate) checks: Checks,
    /// Is it asked for the steps of universes?
    tells: bool,
}

impl Explorer {
    /// One that begins with the run of this session: with its trace, and what can follow where that ends. It stops soon after `interrupted` is
    /// set.
    ///
    /// # Errors
    /// If the trace is damaged.
    pub fn new(session: &Session, bounds: SearchBounds, interrupted: Arc<AtomicBool>) -> Result<Self, Error> {
        Ok(Self {
            start: begun(session, bounds)?,
            bounds,
            ways: Vec::new(),
            seen: FxHashSet::default(),
            told: FxHashSet::default(),
            touched: FxHashSet::default(),
            beginnings: 0,
            tried: FxHashSet::default(),
            looked: FxHashSet::default(),
            numbers: Numbers::default(),
            summary: Summary::default(),
            so_far: Arc::default(),
            interrupted,
            began: Instant::now(),
            takes_back: false,
            from: None,
            checks: Checks::default(),
            tells: false,
        })
    }

    /// From a point of the recorded run on: what has happened there has happened in all universes.
    #[must_use]
    pub fn from(mut self, from: RecordedPoint) -> Self {
        self.from = Some(from);
        self
    }

    /// Where the search by graphs begins.
    pub(crate) fn beginning(&self) -> Begin {
        let from = self.from.as_ref().map(|from| Arc::clone(&from.point));
        Begin {
            point: from.unwrap_or_default(),
            tells: self.tells,
            ..Begin::at_start(self.bounds)
        }
    }

    /// Holds each universe against these.
    #[must_use]
    pub fn with_checks(mut self, checks: Checks) -> Self {
        self.checks = checks;
        self
    }

    /// With the steps of universes, for a [`crate::map::Book`].
    #[must_use]
    pub const fn telling(mut self) -> Self {
        self.tells = true;
        self
    }

    /// From universe to universe, by taking back, also where the search by graphs would do: for tests that compare the two.
    #[must_use]
    pub const fn taking_back(mut self) -> Self {
        self.takes_back = true;
        self
    }

    /// What was found up to the last run that has ended. A single step of a program can take long, so a caller with a limit of time runs the
    /// search on another thread, and takes this if it does not come back.
    #[must_use]
    pub fn so_far(&self) -> Arc<Mutex<Summary>> {
        Arc::clone(&self.so_far)
    }

    /// Visits every universe once. `found` is called with each; the search ends if it returns false. If one has the number 1 again, the search has
    /// begun anew, and those before it do not count.
    ///
    /// # Errors
    /// The trace is damaged; a repeated step diverges; whatever `found` returns.
    pub fn run(mut self, mut found: impl FnMut(&Universe<'_>) -> Result<bool, Error>) -> Result<Summary, Error> {
        if !self.takes_back {
            let checks = std::mem::take(&mut self.checks);
            let (session, mut teller) = (
                self.start.session(),
                Teller::of(&self.start, self.bounds, checks, self.so_far())?,
            );
            let late = || self.late().is_some();
            let told = graphs::search(
                session,
                &self.beginning(),
                |one, open| teller.tell(one, open, &mut found),
                &late,
            )?;
            if told.beyond {
                self.checks = teller.checks;
                return self.run_back(&mut found, told.gaps, told.beyond_at);
            }
            return Ok(self.summed_up(teller, told));
        }
        self.run_back(&mut found, BTreeMap::new(), None)
    }

    /// As [`Explorer::run`], with so many threads where that is possible. The universes are the same; their order is not.
    ///
    /// # Errors
    /// As [`Explorer::run`].
    pub fn run_together(
        mut self,
        jobs: usize,
        mut found: impl FnMut(&Universe<'_>) -> Result<bool, Error> + Send,
    ) -> Result<Summary, Error> {
        let checks = std::mem::take(&mut self.checks);
        let (session, mut teller) = (
            self.start.session().clone(),
            Teller::of(&self.start, self.bounds, checks, self.so_far())?,
        );
        let (bounds, began, interrupted) = (self.bounds, self.began, Arc::clone(&self.interrupted));
        let late = move || late(&interrupted, bounds.time, began).is_some();
        let begin = self.beginning();
        let tell = |one: &FoundUniverse<'_>, open| teller.tell(one, open, &mut found);
        let told = graphs::search_together(&session, &begin, jobs, tell, &late)?;
        match told.beyond {
            true => {
                self.checks = teller.checks;
                self.run_back(&mut found, told.gaps, told.beyond_at)
            }
            false => Ok(self.summed_up(teller, told)),
        }
    }

    /// What the search by graphs has found.
    pub(crate) fn summed_up(mut self, teller: Teller, told: graphs::SearchFindings) -> Summary {
        let stopped = match teller.stopped {
            Some(Bound::Universes) if told.open == 0 => None,
            None if told.open > 0 => self.late(),
            stopped => stopped,
        };
        let mut found = teller.summary;
        if told.spent > 0 {
            *found.cut.entry(Cut::Steps).or_default() += told.spent;
        }
        self.summary = Summary {
            stalled: told.stalled,
            delayed: told.bounded,
            gaps: told.gaps,
            open: told.open,
            stopped,
            ..found
        };
        self.so_far
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone_from(&self.summary);
        self.summary
    }

    /// Visits every universe by taking back.
    /// `gaps`: what is known of them. `place`: where the program does what only this search explores.
    fn run_back(
        mut self,
        found: &mut impl FnMut(&Universe<'_>) -> Result<bool, Error>,
        mut gaps: BTreeMap<Gap, String>,
        place: Option<String>,
    ) -> Result<Summary, Error> {
        if self.bounds.at_send {
            return Err(older_search(
                "--delivery at-send cannot be used here",
                place.as_deref(),
                "with another --delivery",
            ));
        }
        if self.bounds.delays.is_some() || self.bounds.preemptions.is_some() {
            return Err(older_search(
                "--bound cannot be used here",
                place.as_deref(),
                "without --bound",
            ));
        }
        // The others are found again, as far as they are gaps here.
        gaps.retain(|gap, _| *gap == Gap::Named);
        self.summary = Summary {
            gaps,
            ..Summary::default()
        };
        while !self.begin(found)? {}
        while self.summary.stopped.is_none()
            && let Some(way) = self.ways.pop()
        {
            let player = self.go(&way)?;
            let Some(times) = self.within(&player)? else {
                continue;
            };
            if !self.visit(player, times, way.lost, found)? {
                while !self.begin(found)? {}
            }
        }
        Ok(self.summary)
    }

    /// Visits the run that the search begins with. As [`Explorer::visit`].
    fn begin(&mut self, found: &mut impl FnMut(&Universe<'_>) -> Result<bool, Error>) -> Result<bool, Error> {
        self.beginnings += 1;
        if let Some(from) = &self.from {
            let first = from.player(&self.start)?;
            let Some(times) = self.within(&first)? else {
                return Err(graphs::misfit());
            };
            return self.visit(first, times, Vec::new(), found);
        }
        let history = self.start.history().clone();
        let mut all = log_format::Cut::default();
        for pid in history.processes()? {
            all.set(pid, history.length(pid)?.unwrap_or(0));
        }
        let first = self.start.at_part(history, &all)?;
        let times = RunTimes::at(&first, Measure::bound(|probe| first.replay_for(probe))?.as_ref())?;
        self.visit(first, times, Vec::new(), found)
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
    fn go(&self, way: &WaitingWay) -> Result<Player, Error> {
        let mut player = self.part_from(&way.logs, &way.kept, way.action)?;
        for (last, tag) in &way.lost {
            player.lose(last.pid, *tag)?;
        }
        if let Go::Choice(choice) = way.choice {
            player.choose(way.pid, choice)?;
        }
        Ok(player)
    }

    /// Goes to a place where a universe could have gone another way.
    fn part_from(&self, logs: &Arc<History>, kept: &log_format::Cut, action: ActionId) -> Result<Player, Error> {
        let mut player = self.start.at_part(History::clone(logs), kept)?;
        player.leave_log(action.pid)?;
        Ok(player)
    }

    /// Judges what was done so far. `None`: nothing that comes of it is a universe within the bounds.
    fn within(&mut self, player: &Player) -> Result<Option<RunTimes>, Error> {
        let judged = Measure::judge(|probe| player.replay_for(probe), Extent::Bound)?;
        Ok(match judged {
            Judged::Impossible => None,
            Judged::TooLong => Some(RunTimes::at(player, None)?),
            Judged::Measured(measure) => match self.allows(&measure) {
                true => Some(RunTimes::at(player, Some(&measure))?),
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
        if !player.look(|system| system.is_sound()) {
            return Ok(false);
        }
        Ok(match Measure::judge(|probe| player.replay_for(probe), Extent::Part)? {
            Judged::Impossible => false,
            Judged::TooLong => true,
            Judged::Measured(measure) => self.allows(&measure),
        })
    }

    /// Runs on to the end of a universe, tells it if it is new, and notes its other ways. False: the search begins again.
    fn visit(
        &mut self,
        player: Player,
        times: RunTimes,
        lost: Vec<(ActionId, Tag)>,
        found: &mut impl FnMut(&Universe<'_>) -> Result<bool, Error>,
    ) -> Result<bool, Error> {
        let ends = self.finish(player, times)?;
        self.summary.runs += 1;
        for (player, ended) in ends {
            let Some(ended) = ended else {
                self.summary.under_way = Some(player.history().total());
                self.summary.stopped = self.late();
                self.tell();
                return Ok(true);
            };
            if self.begins_again(&player)? {
                return Ok(false);
            }
            if self.summary.stopped.is_none() {
                self.visit_end(&player, ended, &lost, found)?;
            }
        }
        if !self.ways.is_empty() && self.summary.stopped.is_none() {
            self.summary.stopped = self.bound();
        }
        self.tell();
        Ok(true)
    }

    /// Tells a universe that was run to its end if it is new, and notes its other ways.
    fn visit_end(
        &mut self,
        player: &Player,
        ended: RunEnded,
        lost: &[(ActionId, Tag)],
        found: &mut impl FnMut(&Universe<'_>) -> Result<bool, Error>,
    ) -> Result<(), Error> {
        let history = Arc::new(player.history().clone());
        let met = player.look(|system| (system.unanswered(), system.raced_link()));
        let identity = Identity::of(&history)?;
        if !self.seen.insert(identity.whole()) {
            return Ok(());
        }
        let halting = Halting::of(&history)?;
        let goes_on = match &halting {
            Some(halting) => self.tell_halted(&history, halting, ended, found)?,
            // What parts from it can be a universe even if it is none.
            None => {
                !self.can_be(player)?
                    || !self.told.insert(identity.done())
                    || self.tell_universe(player, &identity, ended, found)?
            }
        };
        self.tell();
        if !goes_on {
            self.summary.stopped = Some(Bound::Caller);
            return Ok(());
        }
        // Other ways part from what was done without the halt.
        let halt = halting.map(|halting| halting.halt());
        let mut rest = History::clone(&history);
        if let Some(halt) = halt {
            rest.truncate(halt.pid, halt.number.0 - 1)?;
        }
        if !self.note_ways(&Arc::new(rest), &identity, lost, halt, met)? {
            self.summary.stopped = self.late();
        }
        Ok(())
    }

    /// Tells the universes that end with this halt: what comes before it besides its causes are the crashes of some processes. False: the caller
    /// wants no more.
    fn tell_halted(
        &mut self,
        history: &Arc<History>,
        halting: &Halting,
        ended: RunEnded,
        found: &mut impl FnMut(&Universe<'_>) -> Result<bool, Error>,
    ) -> Result<bool, Error> {
        for mut part in halting.parts(history)? {
            // What had happened at the beginning has happened.
            for last in self.from.iter().flat_map(|from| from.cut.iter()) {
                part.set(last.pid, part.get(last.pid).max(last.number.0));
            }
            let identity = Identity::of_part(history, &part)?;
            if self.told.contains(&identity.whole()) {
                continue;
            }
            let mut player = self.start.at_part(History::clone(history), &part)?;
            let mut rest = Suffixes::default();
            for pid in history.processes()? {
                if history.length(pid)?.unwrap_or(0) > part.get(pid) {
                    rest.add(ActionId::new(pid, part.get(pid) + 1));
                }
            }
            player.leave_logs(&rest)?;
            if self.can_be(&player)? {
                self.told.insert(identity.whole());
                if !self.tell_universe(&player, &identity, ended, found)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Tells a universe that is new. False: the caller wants no more.
    fn tell_universe(
        &mut self,
        player: &Player,
        identity: &Identity,
        ended: RunEnded,
        found: &mut impl FnMut(&Universe<'_>) -> Result<bool, Error>,
    ) -> Result<bool, Error> {
        self.summary.universes += 1;
        let mut outcome = outcome::of(player, ended, &self.checks.normal, (identity, &mut self.numbers))?;
        let pids = if self.tells {
            player.history().processes()?
        } else {
            Vec::new()
        };
        let known = pids.into_iter().map(|pid| (pid, self.numbers.of(identity, pid)));
        let known = known.collect();
        let mut names = Renumbered {
            numbers: &mut self.numbers,
            identity,
        };
        let violations = self.checks.look_at(player, &self.start, &mut names)?;
        let (violations, broken) = violations.all.into_iter().unzip();
        outcome.violations = violations;
        if let Some(why) = outcome.cut {
            *self.summary.cut.entry(why).or_default() += 1;
        }
        found(&Universe {
            number: self.summary.universes,
            actions: player.history().total(),
            outcome,
            weight: 1.0,
            broken,
            way: WayTo::Player(player),
            names: known,
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

    /// Runs until nothing more can happen, or the run is cut. Who would halt it waits until nothing else can come first; each of several that wait
    /// could be the first. Returns all these ends; `None` of the last one: the search is to stop.
    fn finish(&mut self, mut player: Player, mut times: RunTimes) -> Result<Vec<(Player, Option<RunEnded>)>, Error> {
        let (mut idle, mut last, mut spent) = (0, player.history().total(), false);
        // The first halt, and how long others can come before it.
        let mut first: Option<(Player, Moment)> = None;
        let mut until = u64::MAX;
        let why = loop {
            if self.late().is_some() {
                return Ok(vec![(player, None)]);
            }
            let moment = times
                .coming(&mut player)?
                .filter(|moment| RunTimes::at_moment(moment) <= until);
            let Some(moment) = moment else {
                break spent.then_some(Cut::Steps);
            };
            if RunTimes::halts(&player, &moment) {
                times.hold(&moment);
                if first.is_none() {
                    until = self
                        .bounds
                        .stall
                        .map_or(u64::MAX, |most| RunTimes::at_moment(&moment).saturating_add(most));
                    first = Some((player.clone(), moment));
                }
                continue;
            }
            if player.done(RunTimes::who(&moment)) >= self.bounds.steps {
                times.hold_for_good(&moment);
                spent = true;
                continue;
            }
            times.step(&mut player, moment)?;
            let now = player.history().total();
            idle = if now == last { idle + 1 } else { 0 };
            last = now;
            if idle >= IDLE {
                break Some(Cut::Computes);
            }
        };
        let ended = |player: &Player| {
            player
                .look(|system| system.observer.halted)
                .map_or(RunEnded::Quiet, RunEnded::Halted)
        };
        let halts: Vec<(Player, Moment)> = match (first, why) {
            (None, why) => {
                let end = why.map_or_else(|| ended(&player), RunEnded::Cut);
                return Ok(vec![(player, Some(end))]);
            }
            // What comes before the halt has no end.
            (Some(first), Some(why)) => {
                *self.summary.cut.entry(why).or_default() += 1;
                times.let_go();
                vec![first]
            }
            (Some((_, moment)), None) => {
                let all = times.let_go().into_iter();
                all.map(|pid| (player.clone(), RunTimes::of_process(moment, pid)))
                    .collect()
            }
        };
        let mut ends = Vec::new();
        for (mut player, moment) in halts {
            let mut times = times.clone();
            times.step(&mut player, moment)?;
            match ended(&player) {
                RunEnded::Halted(status) => ends.push((player, Some(RunEnded::Halted(status)))),
                // It was refused.
                RunEnded::Quiet | RunEnded::Cut(_) => ends.extend(self.finish(player, times)?),
            }
        }
        Ok(ends)
    }

    /// Why the search has to stop now, if it has.
    pub(crate) fn late(&self) -> Option<Bound> {
        late(&self.interrupted, self.bounds.time, self.began)
    }

    fn bound(&self) -> Option<Bound> {
        if self.bounds.universes.is_some_and(|most| self.summary.universes >= most) {
            return Some(Bound::Universes);
        }
        self.late()
    }

    /// Notes all ways that part from a universe and have not been noted before. False if the search was to stop before all were noted.
    fn note_ways(
        &mut self,
        history: &Arc<History>,
        identity: &Identity,
        lost: &[(ActionId, Tag)],
        halt: Option<ActionId>,
        met: Met,
    ) -> Result<bool, Error> {
        let logs = UniverseLogs::of(history)?;
        if !self.note_gaps(history, &logs, identity, met)? {
            return Ok(false);
        }
        let Some(mut places) = logs.places(|| self.late().is_some())? else {
            return Ok(false);
        };
        // Instead of halting the run, the process could be ended.
        places.extend(halt.map(|halt| logs.place_after_all(halt)));
        let is_before =
            |place: &AlternativePlace| self.from.as_ref().is_some_and(|from| from.cut.contains(place.action));
        places.retain(|place| !is_before(place));
        for place in places {
            if self.late().is_some() {
                return Ok(false);
            }
            let lost: Vec<(ActionId, Tag)> = lost
                .iter()
                .filter(|(last, _)| place.kept.contains(*last))
                .copied()
                .collect();
            let name = match place.choice {
                Some(choice) => identity.way(&place.kept, place.pid, choice),
                None => identity.place(&place.kept, place.pid),
            };
            if !self.tried.insert(identity.without(name, &lost)) {
                continue;
            }
            let mut player = self.part_from(history, &place.kept, place.action)?;
            for (last, tag) in &lost {
                player.lose(last.pid, *tag)?;
            }
            let mut choices = player.choices(place.pid)?;
            let action = logs.action(place.action);
            match place.choice {
                Some(choice) => choices.retain(|one| *one == choice),
                None => {
                    let asks = choices.iter().any(|one| matches!(one, Choice::Arrived(_)));
                    let made = action
                        .filter(|action| !asks || !Choice::is_unclear(action))
                        .map(Choice::of);
                    choices.retain(|one| Some(*one) != made);
                }
            }
            let mut all: Vec<Go> = choices.into_iter().map(Go::Choice).collect();
            if place.choice.is_none()
                && let Some(Kind::Rec(tag)) = action.map(|action| &action.kind)
                && player.optional(place.pid)?.contains(tag)
            {
                all.push(Go::Without(*tag));
            }
            for choice in all {
                let mut lost = lost.clone();
                if let Go::Without(tag) = choice {
                    lost.push((ActionId::new(place.pid, place.kept.get(place.pid)), tag));
                }
                self.ways.push(WaitingWay {
                    logs: Arc::clone(history),
                    kept: place.kept.clone(),
                    action: place.action,
                    pid: place.pid,
                    choice,
                    lost,
                });
            }
        }
        Ok(true)
    }

    /// Notes where other results of a look are not tried. False if the search was to stop before all were looked at.
    fn note_gaps(
        &mut self,
        history: &Arc<History>,
        logs: &UniverseLogs<'_>,
        identity: &Identity,
        met: Met,
    ) -> Result<bool, Error> {
        let (unanswered, raced) = met;
        if let Some(id) = raced
            && !self.summary.gaps.contains_key(&Gap::Links)
            && history.length(id.pid)?.is_some_and(|length| id.number.0 <= length)
        {
            let place = self.place_of(history, logs, id)?;
            self.summary.gaps.insert(Gap::Links, place);
        }
        if let Some(tag) = unanswered
            && !self.summary.gaps.contains_key(&Gap::Runtime)
            && let Some(id) = history.find_send(tag)?
        {
            let place = self.place_of(history, logs, id)?;
            self.summary.gaps.insert(Gap::Runtime, place);
        }
        let is_known = self.start.session().around().answers.is_some();
        let is_list = |access: &log_format::Access| !access.write && matches!(access.resource, Resource::Other(_));
        for (id, action) in logs.list() {
            let blind = match action.kind {
                Kind::Input { ref value } if InputClass::picked(value).is_some() => continue,
                Kind::Input { ref value } if is_known && is_given(value) => continue,
                Kind::Input { .. } => Some(Gap::Input),
                Kind::Drop { .. } | Kind::Observe { .. } => None,
                // A list of tables has a name of its own.
                Kind::Access if action.accesses.iter().any(is_list) => None,
                _ => continue,
            };
            let all = [Gap::State, Gap::Other, Gap::Cancel, Gap::Lists]
                .iter()
                .all(|gap| self.summary.gaps.contains_key(gap));
            if blind.map_or(all, |gap| self.summary.gaps.contains_key(&gap)) {
                continue;
            }
            let gap = match blind {
                Some(gap) => gap,
                None => {
                    if self.late().is_some() {
                        return Ok(false);
                    }
                    let kept = logs.without(id)?;
                    if !self.looked.insert(identity.place(&kept, id.pid)) {
                        continue;
                    }
                    let mut player = self.part_from(history, &kept, id)?;
                    player.choices(id.pid)?;
                    let blind = player.look(|system| system.is_blind(id.pid));
                    match blind.filter(|blind| action.kind != Kind::Access || *blind == Blind::Lists) {
                        Some(Blind::State) => Gap::State,
                        Some(Blind::Other) => Gap::Other,
                        Some(Blind::Timer) => Gap::Cancel,
                        Some(Blind::Lists) => Gap::Lists,
                        None => continue,
                    }
                }
            };
            if !self.summary.gaps.contains_key(&gap) {
                let place = self.place_of(history, logs, id)?;
                let is_for_people = |file: &&str| place.split(':').next() == Some(*file);
                if matches!(gap, Gap::Input | Gap::Cancel) && FOR_PEOPLE.iter().any(is_for_people) {
                    continue;
                }
                self.summary.gaps.insert(gap, place);
            }
        }
        Ok(true)
    }

    /// Where in the program an action is done.
    fn place_of(&self, history: &Arc<History>, logs: &UniverseLogs<'_>, id: ActionId) -> Result<String, Error> {
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

/// What a run met that is not explored: a message that nobody answers, and a call about a link that races with one of the partner.
type Met = (Option<Tag>, Option<ActionId>);

//! The search: takes other choices, one at a time, and looks what becomes of the failure.

mod absence;
mod clock;
mod examine;
mod flips;
mod held;
mod limits;
mod note;
mod price;
mod sets;
mod stand;
pub mod whatif;

use std::rc::Rc;
use std::time::Instant;

use causality::Point;
use log_format::{ActionId, Cut, Pid};
use rustc_hash::FxHashSet;
use session::Session;
use session::error::Error;
use session::player::free::{Choice, Knowledge};
use session::player::{CHECKPOINT_MEMORY, Player};
use session::subject::ShownBounds;
use system::Delivery;

use crate::answer::{Answer, Bound};
use crate::failure::{Failure, Outcome, Verdict};
use crate::places::{Next, Places, Window};
use crate::record::Record;

use examine::rank;
pub use limits::Limits;
use limits::Phase;
pub(crate) use note::Tried;

struct Lab<'a> {
    base: Player,
    bounds: ShownBounds,
    record: &'a Record,
    failure: Failure,
    /// What led to this action is looked at, and not what led to the failure.
    from: Option<ActionId>,
    /// What led to the failure, as far as is known, the nearest first.
    near: Vec<ActionId>,
    limits: Limits,
    waited: Option<ActionId>,
    /// Waits that the clock alone decides.
    by_clock: Rc<[ActionId]>,
    until: Option<Instant>,
    /// Work done so far, as [`Limits::work`] counts it, and that of one step.
    work: u64,
    weight: u64,
    /// The work of the whole answer.
    budget: u64,
    answer: Answer,
    tried: Vec<Tried>,
    known: FxHashSet<(ActionId, Pid, Choice)>,
    inputs: u64,
    /// No timeout comes before work in a random run.
    calm: bool,
    /// The choice that was made last is one that waits for a time.
    waits_for_time: bool,
    /// The stall of the recorded run, in milliseconds, once it was needed; `None` inside: it is not known.
    stall: Option<Option<u64>>,
    /// It looks for the rest of a set, in the run that a choice of it has led to.
    nested: bool,
    /// So many continuations were measured.
    measured: u64,
    /// What was known at some places of the recorded order, once it was needed.
    past: Option<Vec<(usize, Knowledge)>>,
    /// How the recorded run ended.
    end: Outcome,
    /// Other choices are tried up to so much work only, and why.
    nearly_over: Option<(u64, Bound)>,
    /// So many choices were looked into as soon as they were found.
    looked_into: usize,
    /// Random runs were made; while other choices were tried, so many steps of them.
    has_run_at_random: bool,
    apart: u64,
}

/// The recorded run, at its end, with checkpoints all over it: the places of a story are everywhere.
fn whole(session: &Session, delivery: Delivery) -> Result<Player, Error> {
    /// So many checkpoints are made, if they are neither nearer to each other than this nor further apart.
    const CHECKPOINTS: u64 = 64;
    const NEAREST: u64 = 128;
    const FURTHEST: u64 = 16_384;
    let apart = session.trace().totals().counts.actions / CHECKPOINTS;
    let apart = apart.clamp(NEAREST, FURTHEST);
    let mut base = Player::new(session, CHECKPOINT_MEMORY / 2)?.with_distances(apart, NEAREST);
    base.keep_ends()?;
    base.set_delivery(delivery);
    base.pass_over_seen();
    base.go_to_cut(&Cut::whole(session.trace())?, &[])?;
    base.keep_no_more();
    Ok(base)
}

/// Tries other choices than the recorded ones, from a failure backwards. `None`: the target is no failure of the run.
///
/// # Errors
/// The trace is damaged; a replay diverges.
pub fn search(session: &Session, found: &Point, limits: Limits, bounds: &ShownBounds) -> Result<Option<Answer>, Error> {
    search_near(session, found, &[], limits, bounds)
}

/// As [`search`]; what led to the failure as far as is known, the nearest first, is looked at first.
///
/// # Errors
/// As [`search`].
pub fn search_near(
    session: &Session,
    found: &Point,
    near: &[ActionId],
    limits: Limits,
    bounds: &ShownBounds,
) -> Result<Option<Answer>, Error> {
    let until = limits.time.map(|time| Instant::now() + time);
    search_until(session, (found, near), limits, bounds, (until, None))
}

/// As [`search_near`]. `stall`: if a choice of a set has led to this run, what is known of the stall that a continuation may need.
fn search_until(
    session: &Session,
    (found, near): (&Point, &[ActionId]),
    limits: Limits,
    bounds: &ShownBounds,
    (until, stall): (Option<Instant>, Option<Option<u64>>),
) -> Result<Option<Answer>, Error> {
    let record = Record::of(session)?;
    let base = whole(session, limits.delivery)?;
    let Some(failure) = Failure::of(&base, found)? else {
        return Ok(None);
    };
    let mut lab = Lab::new(base, &record, failure, limits, *bounds)?;
    lab.near = near.to_vec();
    (lab.until, lab.stall, lab.nested) = (until, stall, stall.is_some());
    if lab.nested {
        // It has what is left of that of the whole answer.
        lab.budget = limits.work;
    }
    let window = lab.window();
    lab.find_waits_by_clock()?;
    lab.waited = lab.absence(true)?;
    lab.look_near_first(window)?;
    if lab.waited.is_none() && lab.answer.verdicts.passes == 0 && lab.answer.stopped.is_none() {
        // Perhaps it waited for something that should have come, and went on without it.
        lab.waited = lab.absence(false)?;
        if lab.waited.is_some() {
            lab.known.clear();
            lab.look(window)?;
        }
    }
    lab.examine()?;
    let together = lab.together(session)?;
    let mut answer = lab.tell(session)?;
    answer.together = together;
    Ok(Some(answer))
}

/// As [`search`], from an action backwards: only choices that led to it are tried. `found`: the failure of the run; without one, the run is gone on
/// with, near the record, and those choices count after which it ends otherwise: fails if it does not fail, or the other way round.
///
/// # Errors
/// As [`search`].
pub fn search_from(
    session: &Session,
    found: Option<&Point>,
    from: ActionId,
    limits: Limits,
    bounds: &ShownBounds,
) -> Result<Answer, Error> {
    let record = Record::of(session)?;
    let base = whole(session, limits.delivery)?;
    let failure = found.map(|found| Failure::of(&base, found)).transpose()?.flatten();
    let unknown = failure.is_none();
    let failure = failure.unwrap_or_else(|| Failure::none(&base));
    let mut lab = Lab::new(base, &record, failure, limits, *bounds)?;
    lab.from = Some(from);
    if unknown {
        let player = lab.base.once();
        lab.answer.fails = lab.run(player, None, None)?.0 == Verdict::Another;
    }
    let window = lab.window();
    lab.find_waits_by_clock()?;
    lab.look(window)?;
    lab.answer.stopped = lab.answer.stopped.or(Some(Bound::From));
    match unknown {
        true => lab.tried.sort_by_key(rank),
        false => lab.examine()?,
    }
    lab.tell(session)
}

/// The work of one step of a run with so many processes: about as many microseconds.
const fn weight(processes: u64) -> u64 {
    /// What a step costs however few there are; more than so many processes are mostly at rest.
    const OWN: u64 = 8;
    const MOST: u64 = 1024;
    OWN + if processes < MOST { processes } else { MOST } / 256
}

impl<'a> Lab<'a> {
    /// Nothing is tried yet. `base`: at the end of the recorded run.
    fn new(
        base: Player,
        record: &'a Record,
        failure: Failure,
        limits: Limits,
        bounds: ShownBounds,
    ) -> Result<Self, Error> {
        let processes = base.session().trace().totals().processes;
        let end = failure.recorded_end(&base, true)?;
        Ok(Self {
            base,
            bounds,
            record,
            failure,
            from: None,
            near: Vec::new(),
            limits,
            waited: None,
            by_clock: Rc::default(),
            until: None,
            work: 0,
            weight: weight(processes),
            budget: limits.budget(record.order.len() as u64),
            answer: Answer {
                fails: true,
                actions: record.order.len() as u64,
                ..Answer::default()
            },
            tried: Vec::new(),
            known: FxHashSet::default(),
            inputs: 0,
            calm: false,
            waits_for_time: false,
            stall: None,
            nested: false,
            measured: 0,
            past: None,
            end,
            nearly_over: None,
            looked_into: 0,
            has_run_at_random: false,
            apart: 0,
        })
    }
}

impl<'r> Lab<'r> {
    /// The part of the run that is looked at.
    fn window(&mut self) -> Window {
        let length = self.record.order.len();
        let last = self.from.unwrap_or(self.failure.action);
        let rank = self.record.rank(last.pid, last.number.0);
        let failed = usize::try_from(rank).unwrap_or(length).min(length);
        if length <= self.limits.window {
            return Window { from: 0, to: length };
        }
        self.answer.stopped = Some(Bound::Window);
        Window {
            from: failed.saturating_sub(self.limits.window),
            to: (failed + self.limits.window / 10).min(length),
        }
    }

    /// Steps of all continuations: of a longer run, a few whole ones.
    fn steps(&self) -> u64 {
        const WHOLE: u64 = 8;
        const MOST: u64 = 600_000;
        match self.nested {
            // The search for the rest of a set has what is left of the steps.
            true => self.limits.steps,
            false => self
                .limits
                .steps
                .max(self.answer.actions.saturating_mul(WHOLE).min(MOST)),
        }
    }

    /// Steps of a continuation from here: it may be half as long again as what is left of the run.
    fn continuation(&self, from: &Player) -> u64 {
        let left = self.answer.actions.saturating_sub(from.history().total());
        self.limits.continuation.max(left.saturating_add(left / 2))
    }

    /// Counts the steps of a continuation.
    const fn count_steps(&mut self, steps: u64) {
        self.answer.steps += steps;
        self.work = self.work.saturating_add(steps.saturating_mul(self.weight));
    }

    /// Counts that a system was copied, to stand at a place.
    const fn count_stand(&mut self) {
        const COPIED: u64 = 64;
        self.work = self.work.saturating_add(COPIED);
    }

    /// Counts actions that were replayed, to come to a place or to measure.
    const fn count_replayed(&mut self, actions: u64) {
        /// To replay so many actions takes a microsecond.
        const REPLAYED: u64 = 2;
        self.work = self.work.saturating_add(actions / REPLAYED);
    }

    /// Counts actions that were looked at to find what depends on others.
    const fn count_looked(&mut self, actions: u64) {
        /// To look at so many actions takes a microsecond.
        const LOOKED: u64 = 8;
        self.work = self.work.saturating_add(actions / LOOKED);
    }

    fn has_time(&mut self) -> bool {
        let late = self.until.is_some_and(|until| Instant::now() >= until);
        if late {
            self.answer.stopped = Some(Bound::Time);
        }
        !late
    }

    /// Where a test failed, what came before it began is looked at only if nothing after that decides.
    fn look_near_first(&mut self, window: Window) -> Result<(), Error> {
        let began = self.failure.test_began();
        let began = began.map_or(0, |began| self.record.rank(began.pid, began.number.0));
        let began = usize::try_from(began)
            .unwrap_or(usize::MAX)
            .clamp(window.from, window.to);
        if began == window.from {
            return self.look(window);
        }
        self.try_places(Window { from: began, ..window }, window.to)?;
        let is_strong = |one: &Tried| one.verdict == Verdict::Passes && one.weak.is_empty();
        if self.tried.iter().any(is_strong) {
            self.answer.stopped = self.answer.stopped.or(Some(Bound::Test));
            return Ok(());
        }
        self.look_before(window, began)
    }

    fn look(&mut self, window: Window) -> Result<(), Error> {
        self.look_before(window, window.to)
    }

    /// What comes from `upto` on has been looked at.
    fn look_before(&mut self, window: Window, upto: usize) -> Result<(), Error> {
        let mut places = self.try_places(window, upto)?;
        if self.found() == 0 && self.answer.verdicts.stalls == 0 && self.has_time() {
            self.hold_back(&mut places)?;
        }
        Ok(())
    }

    /// Tries other choices at the places of a window that come before `upto`.
    fn try_places(&mut self, window: Window, upto: usize) -> Result<Places<'r>, Error> {
        let failed = (!self.failure.waits && self.waited.is_none()).then_some(self.failure.action);
        let ends = self.ends();
        let clock = (self.waited, &self.by_clock);
        let mut places = Places::new(self.record, &ends, self.from.or(failed), clock, window)?;
        places.skip_to(upto);
        if self.from.is_none() && self.failure.is_caught() {
            places.pass_over_effects_of(self.failure.action)?;
        }
        let mut looked_at = 0;
        loop {
            let next = places.next()?;
            self.count_looked(places.take_looked());
            match next {
                Next::End => break,
                Next::NoTurn if self.work < self.work_upto(Phase::Look) => {}
                _ if self.is_enough(looked_at) => break,
                Next::NoTurn => {}
                Next::Turn(turn) => {
                    looked_at += u64::from(turn.waited.is_none());
                    let before = self.tried.len();
                    self.try_place(&mut places, turn)?;
                    if self.limits.soon && self.from.is_none() && self.answer.actions > Limits::LONG {
                        self.look_whether_to_end(before)?;
                    }
                }
            }
        }
        self.answer.places += looked_at;
        Ok(places)
    }

    /// Where the story ends: what failed, who failed before, and what was waited for in vain.
    fn ends(&self) -> Vec<(ActionId, u32)> {
        /// Who failed before is nearly as near.
        const ROOT: u32 = 2;
        if let Some(from) = self.from {
            return vec![(from, 0)];
        }
        let mut ends = vec![(self.failure.action, 0)];
        ends.extend(self.waited.map(|waited| (waited, ROOT)));
        let last = |pid| ActionId::new(pid, self.record.length(pid));
        ends.extend(self.failure.roots().map(|root| (last(root), ROOT)));
        ends.extend(self.near.iter().copied().zip(ROOT..));
        ends
    }

    /// How many flips end otherwise than the run.
    const fn found(&self) -> u64 {
        match self.answer.fails {
            true => self.answer.verdicts.passes,
            false => self.answer.verdicts.another,
        }
    }

    /// Up to how much work a part of the search goes.
    const fn work_upto(&self, phase: Phase) -> u64 {
        phase.upto(self.budget)
    }

    /// Has so much been tried that the rest is left out if it is too much work?
    const fn has_tried(&self, looked_at: u64) -> bool {
        self.answer.flips >= Limits::LEAST || looked_at >= Limits::LEAST_PLACES
    }

    fn is_enough(&mut self, looked_at: u64) -> bool {
        let limits = self.limits;
        let bound = match () {
            () if !self.has_time() => Bound::Time,
            () if self.answer.flips >= limits.flips => Bound::Flips,
            () if self.answer.steps - self.apart >= self.steps() => Bound::Steps,
            () if self.work >= self.work_upto(Phase::Look) && self.has_tried(looked_at) => Bound::Work,
            () if self.work >= self.work_upto(Phase::Nearest) => Bound::Work,
            () if looked_at >= limits.places => Bound::Places,
            () if self.nearly_over.is_some_and(|(most, _)| self.work >= most) => {
                self.nearly_over.map_or(Bound::Found, |(_, bound)| bound)
            }
            () if (self.found() + self.answer.verdicts.stalls / 2) as usize >= limits.enough => Bound::Found,
            () => return false,
        };
        self.answer.stopped = Some(bound);
        true
    }
}

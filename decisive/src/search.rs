//! The search: takes other choices, one at a time, and looks what becomes of the failure.

mod clock;
pub mod whatif;

use std::rc::Rc;
use std::time::{Duration, Instant};

use causality::Point;
use log_format::{Action, ActionId, Cut, Kind, Pid, Tag};
use rustc_hash::FxHashSet;
use session::Session;
use session::error::Error;
use session::player::free::{Choice, Knowledge};
use session::player::{CHECKPOINT_MEMORY, Player, Suffixes};
use session::subject::Bounds;
use session::view::Act;
use system::Delivery;

use crate::answer::{Answer, Bound, Class, Tally, Weak};
use crate::failure::{Failure, Outcome, Verdict};
use crate::guide::{Guide, Held, Plan, wait_of};
use crate::places::{Place, Places, Window};
use crate::record::Record;
use crate::told::Told;
use crate::way::Way;

/// How far to go. All but `time` are counts, so the answer depends on the trace and the seed only.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Other choices that are tried.
    pub flips: u64,
    /// Places that are looked at for other choices.
    pub places: u64,
    /// Steps of all continuations.
    pub steps: u64,
    /// Steps of one continuation.
    pub continuation: u64,
    /// Decisive flips that are enough.
    pub enough: usize,
    /// Random continuations with which a decisive flip is examined, and as many with the recorded choice.
    pub runs: u64,
    /// Of a longer run, only so many actions before the failure are looked at.
    pub window: usize,
    /// The seed of random continuations.
    pub seed: u64,
    /// In which order signals of different senders arrive at one process in a continuation.
    pub delivery: Delivery,
    /// Stop after this time. The answer then depends on the machine.
    pub time: Option<Duration>,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            flips: 150,
            places: 1200,
            steps: 150_000,
            continuation: 20_000,
            enough: 12,
            runs: 10,
            window: 50_000,
            seed: 1,
            delivery: Delivery::Causal,
            time: None,
        }
    }
}

/// Two things are far apart if more milliseconds of waits lie between them.
pub(crate) const FAR: u64 = 15;
/// Of an input, so many other values are tried.
const VALUES: u64 = 3;
/// Flips of inputs that are tried, and reads that are held back.
const INPUTS: u64 = 12;
const LATER: usize = 30;
/// Random runs begin at the beginning if the run has at most so many actions; else so many actions before the failure.
const SHORT: usize = 4_000;
const NEAR: usize = 2_000;
/// So many actions before the end of the run, and twice as many, and so on, what was known is kept.
const SHORTEST: usize = 128;
/// Shown of the flips that are not decisive.
const OTHERS: usize = 12;
/// Of the timeouts of the failing process, its last choices are looked at.
const LAST: usize = 12;
/// So many actions before one are searched for the receive that led to it.
const TURN: usize = 16;
/// The limit of time for which a process ends another one is among its last so many receives.
const SHORTLY: u32 = 4;
/// A wait of so many milliseconds is taken back if nothing else helps.
const WAIT: u64 = 20;

/// A flip that was made.
#[derive(Clone, Debug)]
pub(crate) struct Tried {
    pub(crate) place: Place,
    made: Option<Choice>,
    choice: Choice,
    pub(crate) class: Class,
    pub(crate) verdict: Verdict,
    pub(crate) outcome: Outcome,
    /// What was held back.
    held: Option<Held>,
    pub(crate) otherwise: Tally,
    pub(crate) as_recorded: Tally,
    pub(crate) apart: u64,
    pub(crate) weak: Vec<Weak>,
    /// The actions whose order was changed.
    pub(crate) made_by: Option<ActionId>,
    pub(crate) instead_by: Option<ActionId>,
    pub(crate) made_after: Option<u64>,
    pub(crate) instead_after: Option<u64>,
    /// The receive of the message that could have come first.
    later: Option<ActionId>,
    /// What came instead had been taken already, and the process was ended in that turn.
    pub(crate) taken: bool,
    /// What came first instead, if only the run with the other choice did it.
    pub(crate) then: Option<Act>,
    /// The seed of what is drawn after it.
    seed: u64,
}

impl Tried {
    pub(crate) fn way(&self) -> Way {
        Way::new(
            &self.place,
            self.held.is_none().then_some(self.choice),
            self.held,
            self.seed,
        )
    }

    /// The actions that it is about.
    pub(crate) fn involved(&self) -> Vec<ActionId> {
        let all = [Some(self.place.action), self.made_by, self.instead_by, self.later];
        let mut all: Vec<ActionId> = all.into_iter().flatten().collect();
        all.sort_unstable();
        all.dedup();
        all
    }
}

struct Lab<'a> {
    base: Player,
    bounds: Bounds,
    record: &'a Record,
    failure: Failure,
    /// What led to this action is looked at, and not what led to the failure.
    from: Option<ActionId>,
    limits: Limits,
    waited: Option<ActionId>,
    /// Waits that the clock alone decides.
    by_clock: Rc<[ActionId]>,
    until: Option<Instant>,
    answer: Answer,
    tried: Vec<Tried>,
    known: FxHashSet<(ActionId, Pid, Choice)>,
    inputs: u64,
    /// No timeout comes before work in a random run.
    calm: bool,
    /// What was known at some places of the recorded order, once it was needed.
    past: Option<Vec<(usize, Knowledge)>>,
}

/// What was known at some places of the recorded order, ascending: the nearer to the end, the closer to each other.
fn past(base: &Player, record: &Record) -> Result<Vec<(usize, Knowledge)>, Error> {
    let mut places = Vec::new();
    let mut back = SHORTEST;
    while back < record.order.len() {
        places.push(record.order.len() - back);
        back *= 2;
    }
    let (mut past, mut cut, mut from) = (Vec::new(), Cut::default(), 0);
    for to in places.into_iter().rev() {
        cut.extend(record.order[from..to].iter().copied());
        from = to;
        let earlier = past.last().map(|(_, knowledge)| knowledge);
        let Some(knowledge) = base.knowledge_at(&cut, earlier)? else {
            break;
        };
        past.push((to, knowledge));
    }
    Ok(past)
}

/// The recorded run, at its end.
fn whole(session: &Session, delivery: Delivery) -> Result<Player, Error> {
    let mut base = Player::new(session, CHECKPOINT_MEMORY / 2)?;
    base.keep_ends()?;
    base.set_delivery(delivery);
    base.pass_over_seen();
    base.go_to_cut(&Cut::whole(session.trace())?, &[])?;
    Ok(base)
}

/// Tries other choices than the recorded ones, from a failure backwards. `None`: the target is no failure of the run.
///
/// # Errors
/// The trace is damaged; a replay diverges.
pub fn search(session: &Session, found: &Point, limits: Limits, bounds: &Bounds) -> Result<Option<Answer>, Error> {
    let began = Instant::now();
    let record = Record::of(session)?;
    let base = whole(session, limits.delivery)?;
    let Some(failure) = Failure::of(&base, found)? else {
        return Ok(None);
    };
    let mut lab = Lab::new(base, &record, failure, limits, *bounds);
    lab.until = limits.time.map(|time| began + time);
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
    lab.tell(session).map(Some)
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
    bounds: &Bounds,
) -> Result<Answer, Error> {
    let record = Record::of(session)?;
    let base = whole(session, limits.delivery)?;
    let failure = found.map(|found| Failure::of(&base, found)).transpose()?.flatten();
    let unknown = failure.is_none();
    let failure = failure.unwrap_or_else(|| Failure::none(&base));
    let mut lab = Lab::new(base, &record, failure, limits, *bounds);
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

impl<'a> Lab<'a> {
    /// Nothing is tried yet. `base`: at the end of the recorded run.
    fn new(base: Player, record: &'a Record, failure: Failure, limits: Limits, bounds: Bounds) -> Self {
        Self {
            base,
            bounds,
            record,
            failure,
            from: None,
            limits,
            waited: None,
            by_clock: Rc::default(),
            until: None,
            answer: Answer {
                fails: true,
                actions: record.order.len() as u64,
                ..Answer::default()
            },
            tried: Vec::new(),
            known: FxHashSet::default(),
            inputs: 0,
            calm: false,
            past: None,
        }
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

    fn has_time(&mut self) -> bool {
        let late = self.until.is_some_and(|until| Instant::now() >= until);
        if late {
            self.answer.stopped = Some(Bound::Time);
        }
        !late
    }

    /// A timeout without which it would not have failed: the last choice of the process that failed. `last`: only if it is the last one; else any
    /// wait of some length. The time limit of another process, which ended the failing one when it was up, is one, too.
    fn absence(&self, last: bool) -> Result<Option<ActionId>, Error> {
        let entry = self.failure.first_process();
        // Who failed before, and so led to it, may have waited in vain.
        let roots = self
            .failure
            .roots()
            .filter(|root| ![self.failure.action.pid, entry].contains(root));
        for pid in [self.failure.action.pid, entry].into_iter().chain(roots) {
            let upto = match pid == self.failure.action.pid {
                true => self.failure.action.number.0,
                false => self.record.length(pid),
            };
            // A process that waits for ever is what failed; the signal that ended it then comes after that.
            let after = self.record.action(pid, upto + 1)?.map(|action| action.kind);
            let upto = upto + u64::from(matches!(after, Some(Kind::Signal { waiting: true, .. })));
            let mut looked_at = 0;
            for n in (1..=upto).rev() {
                let id = ActionId::new(pid, n);
                let Some(action) = self.record.action(pid, n)? else {
                    break;
                };
                if !matches!(action.kind, Kind::Rec(_) | Kind::After | Kind::Signal { .. }) {
                    continue;
                }
                let long = self.record.waited(id).is_some_and(|ms| ms >= WAIT);
                if action.kind == Kind::After && (long || last) {
                    return Ok(Some(id));
                }
                if let Kind::Signal { tag, .. } = action.kind
                    && let Some(limit) = self.time_limit(tag)?
                {
                    return Ok(Some(limit));
                }
                looked_at += 1;
                if last || looked_at >= LAST {
                    break;
                }
            }
        }
        Ok(None)
    }

    /// The timeout, or the message of a timer, that another process took shortly before it sent this exit signal.
    fn time_limit(&self, signal: Tag) -> Result<Option<ActionId>, Error> {
        let Some(send) = self.record.history.find_send(signal)? else {
            return Ok(None);
        };
        let mut looked_at = 0;
        for n in (1..send.number.0).rev() {
            let id = ActionId::new(send.pid, n);
            match self.record.action(send.pid, n)?.map(|action| action.kind) {
                Some(Kind::Rec(_) | Kind::After) if self.record.waited(id).is_some_and(|ms| ms >= WAIT) => {
                    return Ok(Some(id));
                }
                Some(Kind::Rec(_) | Kind::After) => looked_at += 1,
                _ => {}
            }
            if looked_at == SHORTLY {
                break;
            }
        }
        Ok(None)
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
        let places = self.try_places(window, upto)?;
        if self.found() == 0 && self.has_time() {
            self.hold_back(&places, window)?;
        }
        Ok(())
    }

    /// Tries other choices at the places of a window that come before `upto`.
    fn try_places(&mut self, window: Window, upto: usize) -> Result<Places<'r>, Error> {
        let failed = (!self.failure.waits && self.waited.is_none()).then_some(self.failure.action);
        let mut places = Places::new(self.record, self.from.or(failed), (self.waited, &self.by_clock), window)?;
        places.skip_to(upto);
        if self.from.is_none() && self.failure.is_caught() {
            places.pass_over_effects_of(self.failure.action)?;
        }
        let mut looked_at = 0;
        while let Some(place) = places.next()? {
            if self.is_enough(looked_at) {
                break;
            }
            looked_at += 1;
            self.try_place(place)?;
        }
        self.answer.looked_at = (window.to - places.left()) as u64;
        Ok(places)
    }

    /// How many flips end otherwise than the run.
    const fn found(&self) -> u64 {
        match self.answer.fails {
            true => self.answer.verdicts.passes,
            false => self.answer.verdicts.another,
        }
    }

    fn is_enough(&mut self, looked_at: u64) -> bool {
        let limits = self.limits;
        let bound = match () {
            () if !self.has_time() => Bound::Time,
            () if self.answer.flips >= limits.flips => Bound::Flips,
            () if self.answer.steps >= limits.steps => Bound::Steps,
            () if looked_at >= limits.places => Bound::Places,
            () if self.found() as usize >= limits.enough => Bound::Found,
            () => return false,
        };
        self.answer.stopped = Some(bound);
        true
    }

    /// Stands at a place, off the logs.
    fn stand(&mut self, place: &Place) -> Result<Player, Error> {
        let rank = |id: ActionId| self.record.rank(id.pid, id.number.0);
        let first = self.waited.map_or(u64::MAX, rank).min(rank(place.action));
        self.off_the_logs(&place.kept, &place.future, first)
    }

    /// Stands at a cut, off the logs. All that comes before the action of this rank is in it.
    fn off_the_logs(&mut self, kept: &Cut, future: &Suffixes, first: u64) -> Result<Player, Error> {
        self.base.go_to_cut(kept, &[])?;
        let mut player = self.base.once();
        if let Some(knowledge) = self.knowledge_before(first)? {
            player.recall(&knowledge)?;
        }
        player.leave_logs(future)?;
        Ok(player)
    }

    /// Stands before the action of this rank, with nothing recorded beyond it.
    fn stand_before(&mut self, first: usize) -> Result<Player, Error> {
        let mut kept = Cut::default();
        for id in &self.record.order[..first] {
            kept.extend_to(*id);
        }
        let mut future = Suffixes::default();
        for pid in self.record.history.processes()? {
            let next = kept.get(pid) + 1;
            if next <= self.record.length(pid).max(1) {
                future.add(ActionId::new(pid, next));
            }
        }
        self.off_the_logs(&kept, &future, first as u64)
    }

    /// What was known before the action of this rank, or some time earlier.
    fn knowledge_before(&mut self, rank: u64) -> Result<Option<Knowledge>, Error> {
        if self.past.is_none() {
            self.past = Some(past(&self.base, self.record)?);
        }
        let past = self.past.as_deref().unwrap_or_default();
        let before = past.iter().rev().find(|(at, _)| *at as u64 <= rank);
        Ok(before.map(|(_, knowledge)| knowledge.clone()))
    }

    fn try_place(&mut self, place: Place) -> Result<(), Error> {
        let Some(action) = self.record.action(place.action.pid, place.action.number.0)? else {
            return Ok(());
        };
        if matches!(action.kind, Kind::Input { .. }) {
            return self.try_input(place);
        }
        if self.follows_failure(&action)? {
            return Ok(());
        }
        let mut standing = self.stand(&place)?;
        let made = Choice::of(&action);
        let choices = standing.choices(place.pid)?;
        let others: Vec<Choice> = match place.choice {
            Some(one) => choices.into_iter().filter(|choice| *choice == one).collect(),
            None => choices.into_iter().filter(|choice| *choice != made).collect(),
        };
        let later = match others.is_empty() {
            true => None,
            false => self.stand_without_later_waits(&place)?,
        };
        for choice in others {
            if !self.known.insert((place.action, place.pid, choice)) {
                continue;
            }
            let (standing, place) = match &later {
                Some((player, place, choices)) if choices.contains(&choice) => (player, place),
                _ => (&standing, &place),
            };
            let mut player = standing.clone();
            player.choose(place.pid, choice)?;
            let (mut guide, (verdict, outcome)) = self.run_to_end(&mut player, None, None)?;
            let took = match made {
                Choice::Signal(_) if verdict == Verdict::Passes => self.took(&mut guide, &player, place)?,
                _ => None,
            };
            self.note(standing, place.clone(), Course::taken(made, choice), verdict, outcome)?;
            let turn = match action.kind {
                Kind::Signal { waiting: false, .. } => self.turn_of(place.action)?,
                _ => None,
            };
            if let Some(one) = self.tried.last_mut().filter(|one| one.class == Class::NoSignal) {
                let made_by = one.made_by;
                let is_other = |by: &ActionId| Some(*by) != made_by;
                one.taken = turn.is_some();
                one.instead_by = turn.or(one.instead_by).or(took).filter(is_other);
            }
        }
        Ok(())
    }

    /// Is the action an end by an exit signal that the failure sent, or an end that the failure led to?
    fn follows_failure(&self, action: &log_format::Action) -> Result<bool, Error> {
        let mut at = action.kind.clone();
        // A chain of links goes back in the record, so it ends.
        while let Kind::Signal { tag, .. } = at {
            let Some(send) = self.record.history.find_send(tag)? else {
                break;
            };
            // Who failed before is a part of the failure, too.
            let root_ends =
                send.number.0 == self.record.length(send.pid) && self.failure.roots().any(|root| root == send.pid);
            if send == self.failure.action || root_ends {
                return Ok(true);
            }
            let Some(before) = self.record.action(send.pid, send.number.0)? else {
                break;
            };
            at = before.kind;
        }
        Ok(false)
    }

    /// The first message of another process that a process took because it was not ended: its send.
    fn took(&self, guide: &mut Guide<'_>, player: &Player, place: &Place) -> Result<Option<ActionId>, Error> {
        let from = place.kept.get(place.pid);
        for entry in player.history().stretch(place.pid, from, player.done(place.pid))? {
            let Kind::Rec(tag) = entry.action.kind else { continue };
            let by = self.cause(guide.tag(player.history(), tag)?)?;
            return Ok(by.filter(|by| by.pid != place.pid));
        }
        Ok(None)
    }

    /// Whose write of a shared thing a process saw because it used it later: an action of the record, or one that only this run has.
    fn wrote(
        &self,
        guide: &mut Guide<'_>,
        player: &Player,
        place: &Place,
        made: &log_format::Action,
    ) -> Result<Option<Wrote>, Error> {
        let n = place.action.number.0;
        if player.done(place.pid) < n {
            return Ok(None);
        }
        let now = player.history().action(place.pid, n)?;
        let is_new = |by: &ActionId| by.pid != place.pid && !made.accesses.iter().any(|access| access.by == Some(*by));
        let seen = now
            .accesses
            .iter()
            .filter(|access| made.accesses.iter().any(|one| one.resource == access.resource));
        let Some(by) = seen.filter_map(|access| access.by).find(is_new) else {
            return Ok(None);
        };
        if guide.recorded(player.history(), by.pid)? != Some(by.pid) {
            return Ok(None);
        }
        let recorded = self.record.action(by.pid, by.number.0)?;
        if recorded.is_some() && recorded == Some(player.history().action(by.pid, by.number.0)?) {
            return Ok(Some(Wrote::Recorded(by)));
        }
        let acts = session::scene::acts(&player.told()?, &[by], &self.bounds)?;
        let act = acts.into_iter().flatten().next().filter(|act| act.place.is_some());
        Ok(act.map(|act| Wrote::Only(Box::new(act))))
    }

    /// Runs on from a place.
    fn run(
        &mut self,
        mut player: Player,
        random: Option<u64>,
        held: Option<Held>,
    ) -> Result<(Verdict, Outcome), Error> {
        let (_, ends) = self.run_to_end(&mut player, random, held)?;
        Ok(ends)
    }

    fn run_to_end(
        &mut self,
        player: &mut Player,
        random: Option<u64>,
        held: Option<Held>,
    ) -> Result<(Guide<'r>, (Verdict, Outcome)), Error> {
        let plan = Plan {
            random,
            calm: self.calm,
            waited: self.waited,
            held,
            entry: self.failure.entry(),
            steps: self.limits.continuation,
        };
        let mut guide = Guide::new(self.record, plan);
        let ended = guide.finish(player)?;
        self.answer.steps += guide.step;
        let verdict = self.failure.judge(player, ended, &mut guide)?;
        let outcome = self.failure.outcome(player, ended, verdict);
        Ok((guide, (verdict, outcome)))
    }

    /// Other values of an input.
    fn try_input(&mut self, place: Place) -> Result<(), Error> {
        if self.inputs >= INPUTS {
            return Ok(());
        }
        self.inputs += 1;
        let standing = self.stand(&place)?;
        for value in 0..VALUES {
            let mut player = standing.clone();
            let seed = self.limits.seed.wrapping_add(value);
            player.set_seed(seed);
            if !player.choices(place.pid)?.contains(&Choice::Step) {
                return Ok(());
            }
            player.choose(place.pid, Choice::Step)?;
            let (verdict, outcome) = self.run(player, None, None)?;
            if verdict == Verdict::Passes || value + 1 == VALUES {
                self.note(
                    &standing,
                    place,
                    Course::taken(Choice::Step, Choice::Step),
                    verdict,
                    outcome,
                )?;
                if let Some(one) = self.tried.last_mut() {
                    one.seed = seed;
                }
                return Ok(());
            }
        }
        Ok(())
    }

    /// Uses of shared things that come only when the others have done all they can.
    fn hold_back(&mut self, places: &Places<'_>, window: Window) -> Result<(), Error> {
        let mut left = LATER;
        for at in (window.from..window.to).rev() {
            let id = self.record.order[at];
            if places.passes_over(id) {
                continue;
            }
            let Some(action) = self.record.action(id.pid, id.number.0)? else {
                continue;
            };
            let uses = action.accesses.iter().any(tells_of);
            let is_failing = id.pid == self.failure.action.pid || id.pid == self.failure.first_process();
            // Of the failing process itself, only what another message would have changed.
            let own_receipt = is_failing && matches!(action.kind, Kind::Rec(_));
            // Nor did it look whether a message was there too early.
            let own_look = is_failing && action.kind == Kind::After;
            if !uses && !own_receipt && !own_look && !matches!(action.kind, Kind::Rec(_)) {
                continue;
            }
            if left == 0 || self.is_enough(0) {
                break;
            }
            left -= 1;
            let (future, kept) = places.without(id)?;
            let last = self.from.unwrap_or(self.failure.action);
            if kept.get(last.pid) >= last.number.0 && self.waited.is_none() {
                continue;
            }
            let place = Place {
                action: id,
                future,
                kept,
                later: None,
                pid: id.pid,
                choice: None,
            };
            let standing = self.stand(&place)?;
            if let Kind::Rec(tag) = action.kind
                && self.hold_message(&standing, &place, tag)?
            {
                continue;
            }
            if own_receipt && !uses {
                continue;
            }
            let held = Held::Process(id.pid);
            let mut player = standing.clone();
            let (mut guide, (verdict, outcome)) = self.run_to_end(&mut player, None, Some(held))?;
            let before = self.conflicting(&place, &action)?;
            let then = match verdict {
                Verdict::Passes => self.wrote(&mut guide, &player, &place, &action)?,
                _ => None,
            };
            self.note(&standing, place, Course::held(held), verdict, outcome)?;
            if let Some(one) = self.tried.last_mut() {
                one.instead_by = before.or(one.instead_by);
                if then.is_some() {
                    // Then it is known whose write came too late.
                    one.weak.retain(|weak| *weak != Weak::Value);
                }
                match then {
                    Some(Wrote::Recorded(by)) => one.instead_by = Some(by),
                    Some(Wrote::Only(act)) => (one.instead_by, one.then) = (None, Some(*act)),
                    None => {}
                }
            }
        }
        Ok(())
    }

    /// Lets a message come last. Is the failure gone, and is it known what came first instead?
    fn hold_message(&mut self, standing: &Player, place: &Place, tag: Tag) -> Result<bool, Error> {
        let held = Held::Message(place.pid, tag);
        let mut player = standing.clone();
        let (mut guide, (verdict, outcome)) = self.run_to_end(&mut player, None, Some(held))?;
        if verdict != Verdict::Passes || player.done(place.pid) <= place.kept.get(place.pid) {
            return Ok(false);
        }
        let first = player.history().action(place.pid, place.kept.get(place.pid) + 1)?;
        let Kind::Rec(came) = first.kind else { return Ok(false) };
        let other = guide.tag(player.history(), came)?;
        let other = self.record.counterpart(place.pid, place.kept.get(place.pid), other)?;
        let taken = self.record.received(place.pid)?.at(other);
        let is_later = taken.is_none_or(|n| n > place.action.number.0);
        let is_other = |by: &ActionId| is_later && other != tag && by.pid != place.pid;
        let by = self.cause(other)?.filter(is_other);
        let only_then = match by {
            // Its sender had not come to it when the run failed.
            None if other != tag => self.send_of(&player, came, place.pid)?,
            _ => None,
        };
        if by.is_none() && only_then.is_none() {
            return Ok(false);
        }
        self.note(standing, place.clone(), Course::held(held), verdict, outcome)?;
        if let Some(one) = self.tried.last_mut() {
            (one.instead_by, one.then) = (by, only_then);
            one.later = taken.map(|n| ActionId::new(place.pid, n));
            let at = |by: Option<ActionId>| by.map_or(0, |by| self.record.time(by));
            one.apart = by.map_or(0, |by| at(one.made_by).abs_diff(at(Some(by))));
            one.weak.retain(|weak| *weak != Weak::Far);
            if one.apart > FAR {
                one.weak.push(Weak::Far);
            }
        }
        Ok(true)
    }

    /// The send of a message that only this run has, by another process than its receiver.
    fn send_of(&self, player: &Player, message: Tag, receiver: Pid) -> Result<Option<Act>, Error> {
        let Some(send) = player.history().find_send(message)?.filter(|send| send.pid != receiver) else {
            return Ok(None);
        };
        let acts = session::scene::acts(&player.told()?, &[send], &self.bounds)?;
        Ok(acts.into_iter().flatten().next().filter(|act| act.place.is_some()))
    }

    /// The first action of another process that comes after this one because both use the same thing.
    fn conflicting(&self, place: &Place, action: &log_format::Action) -> Result<Option<ActionId>, Error> {
        let mut found: Option<ActionId> = None;
        for other in place.future.starts().filter(|start| start.pid != place.action.pid) {
            if let Some(late) = self.record.action(other.pid, other.number.0)?
                && multiverse::alternatives::are_in_conflict((place.action, action), (other, &late))
                && found.is_none_or(|known| other < known)
            {
                found = Some(other);
            }
        }
        Ok(found)
    }

    fn note(
        &mut self,
        standing: &Player,
        place: Place,
        Course { made, choice, held }: Course,
        verdict: Verdict,
        outcome: Outcome,
    ) -> Result<(), Error> {
        self.answer.flips += 1;
        self.answer.verdicts.count(verdict);
        let mut one = Tried {
            class: class(&place, (made, choice, held), self.record)?,
            made,
            choice,
            verdict,
            outcome,
            held,
            otherwise: Tally::default(),
            as_recorded: Tally::default(),
            apart: 0,
            weak: Vec::new(),
            made_by: None,
            instead_by: None,
            made_after: None,
            instead_after: None,
            later: None,
            taken: false,
            then: None,
            seed: self.limits.seed,
            place,
        };
        self.sides(standing, &mut one)?;
        self.weigh(&mut one);
        self.tried.push(one);
        Ok(())
    }

    /// Finds the actions whose order was changed, and when they were done.
    fn sides(&self, standing: &Player, one: &mut Tried) -> Result<(), Error> {
        let action = one.place.action;
        let before = ActionId::new(action.pid, action.number.0 - 1);
        let timed = |tag: Tag| standing.look(|system| system.timed(tag));
        (one.made_by, one.made_after) = match one.made {
            Some(Choice::Message(tag) | Choice::Signal(tag) | Choice::Arrived(tag)) => (self.cause(tag)?, timed(tag)),
            // What it did instead of being ended came of what it had received.
            Some(Choice::Step) if matches!(one.choice, Choice::Signal(_)) => {
                (Some(self.turn_of(action)?.unwrap_or(action)), None)
            }
            Some(Choice::Timeout) => (Some(action), self.record.waited(action)),
            None => match self
                .record
                .action(action.pid, action.number.0)?
                .map(|action| action.kind)
            {
                Some(Kind::Rec(tag)) => (self.cause(tag)?, timed(tag)),
                _ => (Some(action), None),
            },
            Some(Choice::Step | Choice::Pick(_)) => (Some(action), None),
        };
        let made_at = match one.made {
            Some(Choice::Message(_) | Choice::Signal(_) | Choice::Arrived(_)) => {
                one.made_by.map_or(0, |by| self.record.time(by)) + one.made_after.unwrap_or(0)
            }
            _ => self.record.time(action),
        };
        let instead_at;
        (one.instead_by, one.instead_after, instead_at) = match one.choice {
            // What the other one did to the shared thing: it ended.
            Choice::Signal(_) if one.class == Class::Access => {
                let next = ActionId::new(one.place.pid, one.place.kept.get(one.place.pid) + 1);
                (Some(next), None, self.record.time(next))
            }
            Choice::Message(tag) | Choice::Signal(tag) | Choice::Arrived(tag) => {
                let by = self.cause(tag)?;
                let after = timed(tag);
                let taken = self.record.received(one.place.pid)?.at(tag);
                one.later = taken.map(|n| ActionId::new(one.place.pid, n));
                (by, after, by.map_or(0, |by| self.record.time(by)) + after.unwrap_or(0))
            }
            Choice::Timeout => {
                let after = wait_of(standing, one.place.pid);
                (None, after, self.record.time(before) + after.unwrap_or(0))
            }
            Choice::Step if one.place.pid != action.pid => {
                let next = ActionId::new(one.place.pid, one.place.kept.get(one.place.pid) + 1);
                (Some(next), None, self.record.time(next))
            }
            Choice::Step | Choice::Pick(_) => (None, None, made_at),
        };
        one.apart = made_at.abs_diff(instead_at);
        Ok(())
    }

    /// What a signal comes from: its send. What a process is told of the end of another one, because it asked too late, comes from that end.
    fn cause(&self, tag: Tag) -> Result<Option<ActionId>, Error> {
        let Some(send) = self.record.history.find_send(tag)? else {
            return Ok(None);
        };
        let Some(action) = self.record.action(send.pid, send.number.0)? else {
            return Ok(Some(send));
        };
        let end = action.accesses.iter().find_map(|access| match access.resource {
            log_format::Resource::Alive(pid) => access.by.filter(|by| by.pid == pid),
            _ => None,
        });
        Ok(Some(end.unwrap_or(send)))
    }

    /// The send of what a process had received last when it did this.
    fn turn_of(&self, action: ActionId) -> Result<Option<ActionId>, Error> {
        for n in (1..=action.number.0).rev().take(TURN) {
            if let Some(Kind::Rec(tag)) = self.record.action(action.pid, n)?.map(|action| action.kind) {
                return self.cause(tag);
            }
        }
        Ok(None)
    }

    /// Notes why a flip says little.
    fn weigh(&self, one: &mut Tried) {
        let failed = [self.failure.action.pid, self.failure.first_process()];
        let is_failing = |pid: Pid| failed.contains(&pid);
        // That it gives up explains nothing: the message was there. But to look whether one is there is an order: `after 0` comes first or last.
        if one.class == Class::TimeoutForMessage && one.instead_after.is_none_or(|after| after > FAR) {
            one.weak.push(Weak::GivesUp);
        }
        let by_failing = match one.choice {
            Choice::Message(tag) => tag.sender().is_some_and(is_failing) && !is_failing(one.place.action.pid),
            Choice::Timeout => is_failing(one.place.action.pid),
            _ => one.place.choice.is_some() && is_failing(one.place.pid),
        };
        if by_failing {
            one.weak.push(Weak::ByFailing);
        }
        if one.apart > FAR {
            one.weak.push(Weak::Far);
        }
        if matches!(one.class, Class::Later) {
            one.weak.push(Weak::Value);
        }
    }

    /// Runs on at random after the best flips, and after the recorded choices in their places.
    fn examine(&mut self) -> Result<(), Error> {
        self.tried.sort_by_key(rank);
        let budget = self.answer.steps + self.limits.steps;
        let one_decides = self.answer.verdicts.passes > 0;
        if !one_decides {
            self.at_random()?;
        }
        // If no single choice decides, but some orders end well: which choice makes that likely?
        let wanted = |verdict: Verdict| match one_decides {
            true => verdict == Verdict::Passes,
            false => matches!(verdict, Verdict::Moved | Verdict::Same),
        };
        if !one_decides && self.answer.at_random.passed == 0 {
            return Ok(());
        }
        for at in 0..self.tried.len().min(2 * self.limits.enough) {
            if self.answer.steps >= budget || !self.has_time() {
                break;
            }
            if !wanted(self.tried[at].verdict) {
                continue;
            }
            let one = self.tried[at].clone();
            let standing = self.stand(&one.place)?;
            let held = one.held;
            let action = self.record.action(one.place.action.pid, one.place.action.number.0)?;
            let recorded = one.made.or(action.map(|action| Choice::of(&action)));
            let as_made = match recorded {
                _ if one.class == Class::Input => self.stand_with_recorded_input(&standing, &one.place)?,
                Some(made) => self.stand_as_recorded(&standing, &one.place, made)?,
                None => None,
            };
            let (mut otherwise, mut as_recorded) = (Tally::default(), Tally::default());
            for k in 0..self.limits.runs {
                let seed = self.limits.seed.wrapping_add(k.wrapping_mul(7919));
                let mut player = standing.clone();
                if held.is_none() {
                    player.set_seed(one.seed);
                    player.choose(one.place.pid, one.choice)?;
                }
                let (verdict, _) = self.run(player, Some(seed), held)?;
                count(&mut otherwise, verdict);
                if let Some(made) = &as_made {
                    let (verdict, _) = self.run(made.clone(), Some(seed), None)?;
                    count(&mut as_recorded, verdict);
                }
            }
            let one = &mut self.tried[at];
            if otherwise.passed * 10 < otherwise.of * 3 {
                one.weak.push(Weak::Rare);
            }
            let no_gain = as_recorded.of > 0 && as_recorded.passed >= otherwise.passed;
            if as_recorded.passed * 2 > as_recorded.of || no_gain {
                one.weak.push(Weak::Undecided);
            }
            one.otherwise = otherwise;
            one.as_recorded = as_recorded;
        }
        self.tried.sort_by_key(rank);
        Ok(())
    }

    /// Where the recorded input has just been read. `None`: it could not be repeated.
    fn stand_with_recorded_input(&self, standing: &Player, place: &Place) -> Result<Option<Player>, Error> {
        let mut player = standing.clone();
        let input = player.session().trace().action(place.action.pid, place.action.number)?;
        Ok(player
            .go_way_with(place.pid, Action::new(input.kind))
            .is_ok()
            .then_some(player))
    }

    /// Where the recorded choice has just been made, and all that depends on it is still to come. `None`: it could not be repeated.
    fn stand_as_recorded(&mut self, standing: &Player, place: &Place, made: Choice) -> Result<Option<Player>, Error> {
        let pid = place.action.pid;
        let mut player = standing.clone();
        if !player.choices(pid)?.contains(&made) {
            // What was taken depends on the wait that is taken back with every flip.
            let from = usize::try_from(self.record.rank(pid, place.action.number.0)).unwrap_or(usize::MAX);
            let from = from.min(self.record.order.len());
            let (future, kept) = Places::around(self.record, (None, &self.by_clock), from)?.without(place.action)?;
            player = self.stand(&Place {
                future,
                kept,
                ..place.clone()
            })?;
            if !player.choices(pid)?.contains(&made) {
                return Ok(None);
            }
        }
        player.choose(pid, made)?;
        Ok(Some(player))
    }

    /// Runs at random: from the beginning, or from a place before the failure.
    fn at_random(&mut self) -> Result<(), Error> {
        let mut from = 0;
        if self.record.order.len() > SHORT {
            let failed = self.record.rank(self.failure.action.pid, self.failure.action.number.0);
            let failed = usize::try_from(failed).unwrap_or(usize::MAX);
            from = failed.min(self.record.order.len()).saturating_sub(NEAR);
            self.answer.random_from = from as u64;
        }
        let start = self.stand_before(from)?;
        self.calm = true;
        for k in 0..2 * self.limits.runs {
            let seed = self.limits.seed.wrapping_add(k.wrapping_mul(7919));
            match self.run(start.clone(), Some(seed), None)?.0 {
                // How it would have ended is not known.
                Verdict::Cut => {}
                // The same failure at another key.
                Verdict::Moved => count(&mut self.answer.at_random, Verdict::Same),
                verdict => count(&mut self.answer.at_random, verdict),
            }
        }
        self.calm = false;
        Ok(())
    }

    /// The answer, with the actions as people know them.
    fn tell(mut self, session: &Session) -> Result<Answer, Error> {
        self.answer.absence = self.waited.is_some();
        let fails = self.answer.fails;
        let is_decisive = |one: &&Tried| match one.verdict {
            Verdict::Passes | Verdict::Moved => fails,
            Verdict::Another => !fails,
            Verdict::Same | Verdict::Cut => false,
        };
        let gain = |one: &Tried| one.otherwise.passed.saturating_sub(one.as_recorded.passed);
        let leans = |one: &&Tried| one.verdict == Verdict::Same && gain(one) * 10 > one.otherwise.of * 2;
        // If as many continuations end well as recorded, it is a later choice that decides.
        let is_decisive =
            |one: &&Tried| is_decisive(one) && (one.as_recorded.of == 0 || gain(one) > 0 || one.class == Class::Access);
        let mut decisive: Vec<&Tried> = self.tried.iter().filter(is_decisive).collect();
        let others: Vec<&Tried> = self
            .tried
            .iter()
            .filter(|one| !is_decisive(one) && !leans(one))
            .take(OTHERS)
            .collect();
        let mut leaning: Vec<&Tried> = self.tried.iter().filter(leans).collect();
        leaning.sort_by_key(|one| (std::cmp::Reverse(gain(one)), rank(one)));
        let all: Vec<&Tried> = decisive.iter().chain(&leaning).chain(&others).copied().collect();
        let mut told = Told::of(session, &all, &self.bounds)?;
        for one in decisive.iter().filter(|one| one.verdict == Verdict::Passes) {
            told.last_lines(&mut self.base, self.record, one)?;
        }
        // An input of the library is the library's business.
        let hidden = |verdict: Verdict| {
            let one_of = decisive
                .iter()
                .filter(|one| !told.is_own(one) && one.verdict == verdict);
            one_of.count() as u64
        };
        let (passes, another) = (hidden(Verdict::Passes), hidden(Verdict::Another));
        let hidden = passes + another;
        decisive.retain(|one| told.is_own(one));
        self.answer.verdicts.passes -= passes;
        self.answer.verdicts.another -= another;
        self.answer.flips -= hidden;
        self.answer.decisive = decisive.into_iter().filter_map(|one| told.flip(one)).collect();
        self.answer.leaning = leaning.into_iter().filter_map(|one| told.flip(one)).collect();
        self.answer.others = others.into_iter().filter_map(|one| told.flip(one)).collect();
        self.answer.number();
        Ok(self.answer)
    }
}

const fn count(tally: &mut Tally, verdict: Verdict) {
    tally.of += 1;
    match verdict {
        Verdict::Passes => tally.passed += 1,
        Verdict::Same => tally.failed += 1,
        Verdict::Moved | Verdict::Another | Verdict::Cut => {}
    }
}

/// The best first: those that pass, without a weakness, nearest to the failure.
fn rank(one: &Tried) -> (Verdict, u32, bool, std::cmp::Reverse<u64>, ActionId, Pid, Choice) {
    let kept = std::cmp::Reverse(one.place.kept.actions());
    // An order explains more than the value of an input.
    let input = one.class == Class::Input;
    let (all, none) = (one.otherwise.passed == one.otherwise.of, one.as_recorded.passed == 0);
    let measured = one.as_recorded.of > 0;
    let weight = |weak: &Weak| match weak {
        // All continuations end well, and none as recorded: it says more than one of which only some do.
        Weak::ByFailing if measured && all && none => 1,
        _ => weak.weight(),
    };
    // Some end well; nearly as many do as recorded, or might.
    let gain = one.otherwise.passed.saturating_sub(one.as_recorded.passed);
    let slight = if measured {
        gain * 10 < one.otherwise.of * 3
    } else {
        !all
    };
    let weakness = one.weak.iter().map(weight).sum::<u32>() + if slight { 2 } else { 0 };
    (
        one.verdict,
        weakness,
        input,
        kept,
        one.place.action,
        one.place.pid,
        one.choice,
    )
}

/// A write that a process saw only in a run with another choice.
enum Wrote {
    /// The record has it, too.
    Recorded(ActionId),
    /// Only that run has it.
    Only(Box<Act>),
}

/// How another way is taken.
#[derive(Clone, Copy)]
struct Course {
    /// The recorded choice, and the one that is made instead.
    made: Option<Choice>,
    choice: Choice,
    /// Or what is held back.
    held: Option<Held>,
}

impl Course {
    const fn taken(made: Choice, choice: Choice) -> Self {
        Self {
            made: Some(made),
            choice,
            held: None,
        }
    }

    const fn held(held: Held) -> Self {
        Self {
            made: None,
            choice: Choice::Step,
            held: Some(held),
        }
    }
}

fn class(
    place: &Place,
    (made, choice, held): (Option<Choice>, Choice, Option<Held>),
    record: &Record,
) -> Result<Class, Error> {
    let action = record.action(place.action.pid, place.action.number.0)?;
    let is_input = action.is_some_and(|action| matches!(action.kind, Kind::Input { .. }));
    Ok(match (made, choice) {
        _ if matches!(held, Some(Held::Message(..))) => Class::MessageLast,
        (None, _) => Class::Later,
        _ if place.choice.is_some() => Class::Access,
        _ if is_input => Class::Input,
        (_, Choice::Signal(_)) => Class::Signal,
        (Some(Choice::Timeout), Choice::Message(_)) => Class::MessageForTimeout,
        (Some(Choice::Message(_)), Choice::Timeout) => Class::TimeoutForMessage,
        (Some(Choice::Message(_)), Choice::Message(_)) => Class::Message,
        (Some(Choice::Signal(_)), _) => Class::NoSignal,
        _ => Class::Later,
    })
}

/// Does this use tell what others have done?
fn tells_of(access: &log_format::Access) -> bool {
    // What has only a name is used by many for themselves; but a look at it is one at others.
    tells(access.resource) || !access.write && matches!(access.resource, log_format::Resource::Other(_))
}

/// Does a read of this tell what others have done?
const fn tells(resource: log_format::Resource) -> bool {
    use log_format::Resource;
    matches!(
        resource,
        Resource::Table(_)
            | Resource::TableKey { .. }
            | Resource::TableContents(_)
            | Resource::Name(_)
            | Resource::Alive(_)
    )
}

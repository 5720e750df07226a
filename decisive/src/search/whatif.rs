//! One flip, chosen by a person: what could have come at a place instead, and the run after it.

use log_format::{ActionId, Pid, SendNo, Tag};
use serde::Serialize;
use session::view::Act;

use causality::Point;
use session::Session;
use session::error::Error;
use session::player::Player;
use session::player::free::Choice;
use session::subject::ShownBounds;

use super::flips::VALUES;
use super::held::tells;
use super::note::{Came, Course};
use super::{Lab, Limits, Tried, whole};
use crate::answer::{Class, Flip, LongerStall, Side};
use crate::failure::{Failure, Outcome, Verdict};
use crate::guide::{Ended, Guide, Held, Plan};
use crate::places::{Place, Places};
use crate::record::Record;
use crate::told::Told;

/// Actions that are asked for another choice when the nearest one is looked for.
const ASKED: usize = 200;

/// Something that could have come instead.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Alternative {
    /// Its number, from 1: `TARGET=2`.
    pub number: usize,
    /// What sort of choice it is.
    pub class: Class,
    /// What would come first.
    pub instead: Side,
    /// The action that was recorded at the place where the choice is made otherwise.
    pub at: String,
    /// What became of it, if it was tried.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
}

/// A process whose log is another one after the flip.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Departed {
    /// The process of the new run, if there is one.
    pub pid: Option<Pid>,
    /// The recorded process, if there is one.
    pub recorded: Option<Pid>,
    /// The first action that is another one. One of the two may have done less.
    pub number: u64,
}

/// The new run.
pub struct Taken {
    /// The number of the choice.
    pub number: usize,
    /// The choice, and what became of it.
    pub flip: Flip,
    /// Where it was made in the new run.
    pub at: ActionId,
    /// The recorded action in whose place it was made.
    pub recorded: ActionId,
    /// The processes whose logs differ, in the order of the first difference.
    pub departed: Vec<Departed>,
    /// So many processes did as recorded.
    pub equal: u64,
    /// Did it come to rest within the limits?
    pub rests: bool,
    /// The session, at the end of the new run.
    pub player: Player,
}

/// Why no choice was made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NotNamed {
    /// There are several, and none of them decides.
    Several,
    /// None has this name.
    Unknown,
    /// These have it.
    Unclear(Vec<usize>),
}

/// The nearest place with another choice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Nearest {
    /// The action that was asked for.
    pub at: Option<Act>,
    /// Does it choose at all? Then nothing else could have come.
    pub chooses: bool,
    /// The nearest action where something else could have come, and how it is near.
    pub nearest: Option<(Near, Act)>,
}

/// How an action is near another one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Near {
    /// It received what the other one sent.
    Receipt,
    /// It is in its causal past.
    Past,
    /// It comes later in the same process.
    Later,
}

/// What could have come instead.
pub struct WhatIf {
    /// What could have come instead.
    pub choices: Vec<Alternative>,
    /// The one that was taken.
    pub taken: Result<Box<Taken>, NotNamed>,
    /// The failure of the recorded run, as a target.
    pub failure: Option<String>,
    /// The test that failed.
    pub test: Option<String>,
    /// How the recorded run ended.
    pub before: Outcome,
}

/// A choice at a place.
pub(super) struct Candidate {
    pub(super) place: Place,
    pub(super) way: Course,
}

/// Takes another choice at a place: the one that `named` names; without a name, the only one, or the first that decides. `Err`: nothing else could
/// have come there.
///
/// # Errors
/// The trace is damaged; a replay diverges.
pub fn what_if(
    session: &Session,
    found: &Point,
    named: Option<&str>,
    limits: Limits,
    bounds: &ShownBounds,
) -> Result<Result<WhatIf, Nearest>, Error> {
    let record = Record::of(session)?;
    let base = whole(session, limits.delivery)?;
    let (failure, target) = failure(session, &base)?;
    let actions = record.order.len() as u64;
    let limits = Limits {
        continuation: limits.continuation.max(actions.saturating_mul(2)),
        ..limits
    };
    let before = failure.recorded_end(&base, target.is_some())?;
    let mut lab = Lab::new(base, &record, failure, limits, *bounds)?;
    lab.answer.actions = actions;
    lab.find_waits_by_clock()?;
    let later = matches!(named, Some("later" | "last"));
    let mut places = lab.around(&[found.id()])?;
    let candidates = lab.candidates(&mut places, found.id(), later)?;
    if candidates.is_empty() {
        return lab.nearest(session, found.id(), bounds).map(Err);
    }
    // Those of one place follow each other: to go there costs more than to look at one of them.
    let mut standing: Option<(&Place, Player)> = None;
    for one in &candidates {
        let standing = match &mut standing {
            Some((place, standing)) if (place.action, place.pid) == (one.place.action, one.place.pid) => standing,
            other => &mut other.insert((&one.place, lab.stand(&one.place)?)).1,
        };
        let came = Came::to(Verdict::Cut, Outcome::Unknown);
        lab.note(standing, one.place.clone(), one.way, came)?;
    }
    let tried = std::mem::take(&mut lab.tried);
    let told = Told::of(session, &tried.iter().collect::<Vec<_>>(), bounds)?;
    let flips: Vec<Option<Flip>> = tried.iter().map(|one| told.flip(one)).collect();
    let mut choices: Vec<Alternative> = Vec::new();
    for (number, (one, flip)) in (1..).zip(tried.iter().zip(&flips)) {
        choices.extend(flip.as_ref().map(|flip| Alternative {
            number,
            class: one.class,
            instead: flip.instead.clone(),
            at: flip.at.target.clone(),
            verdict: None,
        }));
    }
    let taken = match named {
        Some(name) => match by_name(session, name, &tried, &choices) {
            Ok(at) => Ok((at, lab.take(&candidates[at])?)),
            Err(why) => Err(why),
        },
        None => lab.first_that_decides(&candidates, &mut choices, target.is_some())?,
    };
    let taken = match taken {
        Ok((at, mut run)) => {
            let verdict = run.flip.0;
            choices[at].verdict = Some(verdict);
            let mut flip = flips[at]
                .clone()
                .ok_or_else(|| Error::Bug("a flip without its action".to_owned()))?;
            (flip.verdict, flip.outcome) = run.flip;
            flip.stall = run.stall;
            run.departed.sort_by_key(|one| {
                let old = one.recorded.map_or(u64::MAX, |pid| record.rank(pid, one.number));
                (old, one.recorded, one.pid)
            });
            let place = &candidates[at].place;
            Ok(Box::new(Taken {
                number: at + 1,
                flip,
                at: ActionId::new(place.pid, place.kept.get(place.pid) + 1),
                recorded: place.action,
                departed: run.departed,
                equal: run.equal,
                rests: run.rests,
                player: run.player,
            }))
        }
        Err(why) => Err(why),
    };
    Ok(Ok(WhatIf {
        choices,
        taken,
        test: target.as_ref().and(lab.failure.test()).map(str::to_owned),
        failure: target,
        before,
    }))
}

/// The failure of the run, and its target.
fn failure(session: &Session, base: &Player) -> Result<(Failure, Option<String>), Error> {
    match session.find(causality::Target::Error) {
        Ok(found) => match Failure::of(base, &found)? {
            Some(failure) => Ok((failure, Some(found.target.to_string()))),
            None => Ok((Failure::none(base), None)),
        },
        Err(Error::NoTarget(_)) => Ok((Failure::none(base), None)),
        Err(error) => Err(error),
    }
}

/// The choice that a word names: its number, a target of its action, or a part of its text.
fn by_name(session: &Session, name: &str, tried: &[Tried], choices: &[Alternative]) -> Result<usize, NotNamed> {
    if let Ok(number) = name.parse::<usize>() {
        let at = choices.iter().position(|one| one.number == number);
        return at.ok_or(NotNamed::Unknown);
    }
    let id = name.parse::<causality::Target>().ok();
    let id = id.and_then(|target| session.find(target).ok()).map(|found| found.id());
    let is_it = |one: &&Tried| id.is_some() && (one.instead_by == id || one.later == id);
    let by_id: Vec<usize> = tried
        .iter()
        .zip(1..)
        .filter(|(one, _)| is_it(one))
        .map(|(_, n)| n)
        .collect();
    let small = name.to_lowercase();
    let has = |one: &&Alternative| text(one).to_lowercase().contains(&small);
    let by_text = || choices.iter().filter(has).map(|one| one.number).collect();
    let all: Vec<usize> = if by_id.is_empty() { by_text() } else { by_id };
    match all.as_slice() {
        [] => Err(NotNamed::Unknown),
        [one] => Ok(one - 1),
        _ => Err(NotNamed::Unclear(all)),
    }
}

/// The text by which a choice can be named.
fn text(one: &Alternative) -> String {
    let word = match one.class {
        Class::TimeoutForMessage => "timeout",
        Class::Later => "later",
        Class::MessageLast => "last",
        Class::Input => "another value",
        Class::Signal | Class::NoSignal => "signal",
        Class::Message | Class::MessageForTimeout | Class::Access => "",
    };
    let Some(act) = &one.instead.act else {
        return word.to_owned();
    };
    let content = act.content.as_deref().unwrap_or("");
    let name = act.name.as_deref().unwrap_or("");
    let place = act.place.as_ref().map(|place| format!("{}:{}", place.file, place.line));
    let signal = act.signal.map(|tag| tag.to_string()).unwrap_or_default();
    let uses = session::shared::joined(&act.accesses);
    format!(
        "{word} {content} {} {signal} {} {name} {uses} {}",
        act.target,
        act.pid,
        place.unwrap_or_default()
    )
}

/// A run after a flip.
struct Run {
    flip: (Verdict, Outcome),
    /// If it avoids the failure: the stall that it needs, if that is longer than the recorded one.
    stall: Option<LongerStall>,
    departed: Vec<Departed>,
    equal: u64,
    rests: bool,
    player: Player,
}

impl<'a> Lab<'a> {
    /// Places of these actions, and of those that they read from.
    pub(super) fn around(&self, ids: &[ActionId]) -> Result<Places<'a>, Error> {
        let rank = |id: ActionId| self.record.rank(id.pid, id.number.0);
        let mut first = u64::MAX;
        for &id in ids {
            if let Some(action) = self.record.action(id.pid, id.number.0)? {
                first = action.read_from().map(rank).fold(first.min(rank(id)), u64::min);
            }
        }
        let first = usize::try_from(first)
            .unwrap_or(usize::MAX)
            .min(self.record.order.len());
        Places::around(self.record, (None, &self.by_clock), first)
    }

    /// What could have come instead of an action. `later`: also that it waits for the others, where that is a choice only in name.
    pub(super) fn candidates(
        &mut self,
        places: &mut Places<'_>,
        id: ActionId,
        later: bool,
    ) -> Result<Vec<Candidate>, Error> {
        let Some(action) = self.record.action(id.pid, id.number.0)? else {
            return Ok(Vec::new());
        };
        let sources: Vec<ActionId> = action.read_from().collect();
        let mut all = Vec::new();
        for place in places.at(id)? {
            if place.kept.get(id.pid) + 1 == id.number.0 {
                self.candidates_at(place, &mut all)?;
            }
        }
        // It could have come before what it saw.
        for source in sources {
            for place in places.at(source)? {
                if place.pid == id.pid && place.choice.is_some() && place.kept.get(id.pid) + 1 == id.number.0 {
                    self.candidates_at(place, &mut all)?;
                }
            }
        }
        let uses = action.accesses.iter().any(|access| tells(access.resource));
        if uses || later && matches!(action.kind, log_format::Kind::Rec(_)) {
            let place = places.before(id)?;
            if place.kept.get(id.pid) + 1 == id.number.0 {
                if let log_format::Kind::Rec(tag) = action.kind
                    && later
                {
                    let way = Course::held(Held::Message(id.pid, tag));
                    all.push(Candidate {
                        place: place.clone(),
                        way,
                    });
                }
                let way = Course::held(Held::Process(id.pid));
                all.push(Candidate { place, way });
            }
        }
        Ok(all)
    }

    fn candidates_at(&mut self, place: Place, all: &mut Vec<Candidate>) -> Result<(), Error> {
        let Some(action) = self.record.action(place.action.pid, place.action.number.0)? else {
            return Ok(());
        };
        let made = Choice::of(&action);
        let is_input = matches!(action.kind, log_format::Kind::Input { .. });
        let choices = self.stand(&place)?.choices(place.pid)?;
        let fits = |choice: &Choice| match place.choice {
            _ if is_input && made == Choice::Step => *choice == Choice::Step,
            Some(one) => *choice == one,
            None => *choice != made,
        };
        for choice in choices.into_iter().filter(fits) {
            let known = |one: &Candidate| {
                (one.place.action, one.place.pid, one.way.choice) == (place.action, place.pid, choice)
                    && one.way.made.is_some()
            };
            if !all.iter().any(known) {
                all.push(Candidate {
                    place: place.clone(),
                    way: Course::taken(made, choice),
                });
            }
        }
        Ok(())
    }

    /// Runs with the only choice, or with the first that decides.
    fn first_that_decides(
        &mut self,
        candidates: &[Candidate],
        choices: &mut [Alternative],
        fails: bool,
    ) -> Result<Result<(usize, Run), NotNamed>, Error> {
        if let [one] = candidates {
            return Ok(Ok((0, self.take(one)?)));
        }
        let most = usize::try_from(self.limits.flips).unwrap_or(usize::MAX);
        for (at, one) in candidates.iter().enumerate().take(if fails { most } else { 0 }) {
            let run = self.take(one)?;
            choices[at].verdict = Some(run.flip.0);
            if run.flip.0 == Verdict::Passes {
                return Ok(Ok((at, run)));
            }
        }
        Ok(Err(NotNamed::Several))
    }

    /// Makes a choice, and runs on. If the failure stays: once more without a wait that was recorded before it.
    fn take(&mut self, one: &Candidate) -> Result<Run, Error> {
        let mut run = self.take_once(one, one.place.clone())?;
        if run.flip.0 == Verdict::Passes || self.failure.test().is_some() {
            return Ok(run);
        }
        for last in [true, false] {
            let Some(waited) = self.absence(last)? else { continue };
            let rank = |id: ActionId| self.record.rank(id.pid, id.number.0);
            let from = usize::try_from(rank(one.place.action).min(rank(waited))).unwrap_or(0);
            let (future, kept) =
                Places::around(self.record, (Some(waited), &self.by_clock), from)?.without(one.place.action)?;
            if kept.get(one.place.pid) != one.place.kept.get(one.place.pid) {
                continue;
            }
            self.waited = Some(waited);
            let place = Place {
                future,
                kept,
                ..one.place.clone()
            };
            if one.way.held.is_some() || self.stand(&place)?.choices(place.pid)?.contains(&one.way.choice) {
                let other = self.take_once(one, place)?;
                if other.flip.0 == Verdict::Passes {
                    run = other;
                }
            }
            self.waited = None;
            if run.flip.0 == Verdict::Passes {
                break;
            }
        }
        Ok(run)
    }

    fn take_once(&mut self, one: &Candidate, place: Place) -> Result<Run, Error> {
        if one.way.held.is_some() {
            let standing = self.stand(&place)?;
            return self.run_on(standing, one.way.held);
        }
        let standing = match self.stand_without_later_waits(&place)? {
            Some((player, _, choices)) if choices.contains(&one.way.choice) => player,
            _ => self.stand(&place)?,
        };
        let is_input = self
            .record
            .action(place.action.pid, place.action.number.0)?
            .is_some_and(|action| matches!(action.kind, log_format::Kind::Input { .. }));
        let values = if is_input { VALUES } else { 1 };
        let mut value = 0;
        loop {
            let mut player = standing.clone();
            player.set_seed(self.limits.seed.wrapping_add(value));
            self.choose(&mut player, place.pid, one.way.choice)?;
            let run = self.run_on(player, None)?;
            value += 1;
            if run.flip.0 == Verdict::Passes || value == values {
                return Ok(run);
            }
        }
    }

    /// Runs on near the record; by the clock, if that avoids the failure and needs no longer stall than the record.
    fn run_on(&mut self, player: Player, held: Option<Held>) -> Result<Run, Error> {
        let plan = |strict: bool, waited: Option<ActionId>| Plan {
            waited,
            held,
            strict,
            entry: self.failure.entry(),
            steps: self.limits.continuation,
            ..Plan::default()
        };
        let (near, by_clock) = (plan(false, self.waited), plan(true, self.waited));
        let start = player.clone();
        let run = self.run_by_plan(player, near)?;
        if run.stall.is_some() {
            let other = self.run_by_plan(start, by_clock)?;
            if other.flip.0 == Verdict::Passes && other.stall.is_none() {
                return Ok(other);
            }
        }
        Ok(run)
    }

    fn run_by_plan(&mut self, mut player: Player, plan: Plan) -> Result<Run, Error> {
        let mut guide = Guide::new(self.record, plan);
        let ended = guide.finish(&mut player)?;
        let verdict = self.failure.judge(&player, ended, &mut guide)?;
        let outcome = self.failure.outcome(&player, ended, verdict);
        let stall = match verdict == Verdict::Passes && !self.failure.is_none() {
            true => self.longer_stall(&player, &mut guide)?,
            false => None,
        };
        let mut rests = ended;
        if ended == Ended::Quiet && self.failure.entry().is_some() {
            guide.to_rest(self.limits.continuation);
            rests = guide.finish(&mut player)?;
        }
        self.count_steps(guide.step);
        let (mut departed, mut equal) = (Vec::new(), 0);
        let mut met = rustc_hash::FxHashSet::default();
        for pid in player.history().processes()? {
            let recorded = guide.recorded(player.history(), pid)?;
            met.extend(recorded);
            match guide.departure(player.history(), pid)? {
                None => equal += 1,
                Some((recorded, number)) => departed.push(Departed {
                    pid: Some(pid),
                    recorded,
                    number,
                }),
            }
        }
        for old in self.record.history.processes()? {
            if !met.contains(&old) {
                departed.push(Departed {
                    pid: None,
                    recorded: Some(old),
                    number: 1,
                });
            }
        }
        Ok(Run {
            flip: (verdict, outcome),
            stall,
            departed,
            equal,
            rests: rests != Ended::Cut,
            player,
        })
    }

    /// The nearest action with another choice: the receive of what the action sent, what led to the action, or what its process did later.
    fn nearest(&mut self, session: &Session, id: ActionId, bounds: &ShownBounds) -> Result<Nearest, Error> {
        let mut near: Vec<(Near, ActionId)> = Vec::new();
        let receipts = self.receipts(id)?;
        near.extend(receipts.into_iter().map(|one| (Near::Receipt, one)));
        self.choices_before(id, &mut near)?;
        for n in id.number.0 + 1..=self.record.length(id.pid) {
            if near.len() >= ASKED {
                break;
            }
            let one = ActionId::new(id.pid, n);
            if self.is_choice(one)? {
                near.push((Near::Later, one));
            }
        }
        let here = self.is_choice(id)?;
        let mut nearest = None;
        let all: Vec<ActionId> = near.iter().map(|(_, one)| *one).collect();
        let mut places = self.around(&all)?;
        for (how, one) in near {
            if !self.candidates(&mut places, one, false)?.is_empty() {
                nearest = Some((how, one));
                break;
            }
        }
        let mut ids: Vec<ActionId> = nearest.iter().map(|(_, one)| *one).collect();
        ids.extend((id.number.0 > 0).then_some(id));
        let acts = match ids.is_empty() {
            true => Vec::new(),
            false => session::scene::acts(session, &ids, bounds)?,
        };
        let find = |wanted: ActionId| {
            let mut all = acts.iter().flatten();
            all.find(|act| ActionId::new(act.pid, act.number) == wanted).cloned()
        };
        Ok(Nearest {
            at: find(id),
            chooses: here,
            nearest: nearest.and_then(|(how, one)| Some((how, find(one)?))),
        })
    }

    /// Is it an action at which something else can come: a receive, a timeout, an exit signal, an input?
    fn is_choice(&self, one: ActionId) -> Result<bool, Error> {
        let action = self.record.action(one.pid, one.number.0)?;
        Ok(action.is_some_and(|action| {
            Choice::of(&action) != Choice::Step || matches!(action.kind, log_format::Kind::Input { .. })
        }))
    }

    /// The actions that received what this one sent.
    fn receipts(&self, id: ActionId) -> Result<Vec<ActionId>, Error> {
        let history = &self.record.history;
        if id.number.0 == 0 {
            return Ok(Vec::new());
        }
        let (first, last) = (
            history.sends(id.pid, id.number.0 - 1)?,
            history.sends(id.pid, id.number.0)?,
        );
        let mut found = Vec::new();
        if first == last {
            return Ok(found);
        }
        for to in history.processes()? {
            let received = self.record.received(to)?;
            let tags = (first + 1..=last).map(|k| Tag::Sent {
                by: id.pid,
                k: SendNo(k),
            });
            found.extend(tags.filter_map(|tag| received.at(tag)).map(|n| ActionId::new(to, n)));
        }
        Ok(found)
    }

    /// Adds the choices in the causal past of an action, the nearest first: by the number of actions on the way from cause to effect.
    fn choices_before(&self, id: ActionId, near: &mut Vec<(Near, ActionId)>) -> Result<(), Error> {
        let history = &self.record.history;
        let mut seen = rustc_hash::FxHashSet::default();
        let mut next = std::collections::VecDeque::from([id]);
        while let Some(one) = next.pop_front() {
            if near.len() >= ASKED {
                break;
            }
            if !seen.insert(one) {
                continue;
            }
            if one != id && self.is_choice(one)? {
                near.push((Near::Past, one));
            }
            match one.number.0 {
                0 | 1 => next.extend(history.parent(one.pid)?),
                n => next.push_back(ActionId::new(one.pid, n - 1)),
            }
            if let Some(action) = self.record.action(one.pid, one.number.0)? {
                if let Some(tag) = action.kind.consumed() {
                    next.extend(history.find_send(tag)?);
                }
                next.extend(action.read_from());
            }
        }
        Ok(())
    }
}

//! What trying other choices says of a failure, and how it goes together with what often goes wrong.

use decisive::{Answer, Class, Flip, Verdict, Weak};
use log_format::{ActionId, Resource};
use serde::Serialize;
use session::shared::{NamedResource, SharedUse};

use crate::story::{Diagnosis, Pattern};

/// Earlier decisive choices that are told.
const CHAIN: usize = 3;
/// Other decisive choices that are told.
const ALSO: usize = 1;

/// What is said first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Lead {
    /// A decisive flip.
    Flip,
    /// Choices that decide together.
    Together,
    /// The likely cause.
    Likely,
    /// That it fails in every order that was tried.
    NoRace,
    /// Nothing is known.
    Nothing,
}

/// What trying other choices says.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Decided {
    /// What is said first.
    pub lead: Lead,
    /// The decisive flip that explains most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flip: Option<Flip>,
    /// Decisive flips before that, about the same process or the same shared thing, the nearest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub chain: Vec<Flip>,
    /// Other decisive flips, about something else, after which every continuation ends well, and as recorded none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<Flip>,
    /// What was tried.
    pub answer: Answer,
    /// Why nothing could be tried: the trace lacks a value that a whole replay needs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub untried: Option<String>,
}

impl Decided {
    /// Nothing could be tried.
    pub(crate) fn untried(why: String, likely: Option<&Diagnosis>) -> Self {
        Self {
            lead: likely.map_or(Lead::Nothing, |_| Lead::Likely),
            flip: None,
            chain: Vec::new(),
            also: Vec::new(),
            answer: Answer::default(),
            untried: Some(why),
        }
    }
}

impl Pattern {
    /// Is it about an order? Then a flip must have shown that the order matters.
    pub(crate) const fn is_order(self) -> bool {
        match self {
            Self::Overtaken | Self::LostUpdate | Self::ReplyForAnother | Self::LostWakeup | Self::TimedOutTooEarly => {
                true
            }
            Self::EndedBeforeItSent
            | Self::NoAnswer
            | Self::ReceivedElsewhere
            | Self::Busy
            | Self::TwoWinners
            | Self::WaitCycle
            | Self::StaleTimer
            | Self::NeverGivenBack
            | Self::AlreadyEnded
            | Self::Failed
            | Self::CaughtException
            | Self::DroppedMessage
            | Self::FileUpdate
            | Self::NotWritten
            | Self::NotRemoved => false,
        }
    }

    /// Is it about when something came, even if no single choice of the log could show that? Two clients can run into the same wait cycle, and a
    /// flip takes only one of them out.
    #[must_use]
    pub const fn is_of_time(self) -> bool {
        self.is_order() || {
            matches!(
                self,
                Self::StaleTimer | Self::Busy | Self::TwoWinners | Self::WaitCycle | Self::FileUpdate
            )
        }
    }
}

/// Was all tried that could have come the other way?
fn all_tried(answer: &Answer) -> bool {
    answer.stopped.is_none() && !is_left_out(answer) && answer.verdicts.moved == 0
}

/// Was one left out that avoids the failure, because it needs a longer stall than the recorded run?
const fn is_left_out(answer: &Answer) -> bool {
    answer.verdicts.stalls > 0
}

/// Is it an order of things that were far apart?
fn is_far(flip: &Flip) -> bool {
    flip.weak.contains(&Weak::Far)
}

/// Did it decide, as far as random continuations tell?
fn decides(flip: &Flip) -> bool {
    flip.otherwise.gains_over(flip.as_recorded)
        && !flip
            .weak
            .iter()
            .any(|weak| matches!(weak, Weak::Undecided | Weak::Rare))
}

/// Does every continuation after it end well? Where none does as recorded, it does not matter that the process that failed acts otherwise.
fn is_sure(flip: &Flip) -> bool {
    let none = flip.as_recorded.of > 0 && flip.as_recorded.passed == 0;
    let strong = flip.is_strong() || none && flip.weak.iter().all(|weak| *weak == Weak::ByFailing);
    strong && decides(flip) && flip.otherwise.passed == flip.otherwise.of
}

/// Decides what is said first. A likely cause that is about an order, and that no flip bears out, is not said at all.
///
/// `read`: what the story says that processes had read.
pub(crate) fn decide(mut answer: Answer, likely: &mut Option<Diagnosis>, read: &[ActionId]) -> Decided {
    answer.others.clear();
    // Where other orders end well, it is not what a process was created with.
    let in_doubt = answer.order_matters() || !all_tried(&answer);
    likely.take_if(|known| known.pattern == Pattern::Failed && known.actions.is_empty() && in_doubt);
    // With no better odds than the record, it is no cause. Where one was examined and decides, those that were not say nothing.
    let are_known = answer
        .decisive
        .iter()
        .any(|flip| flip.otherwise.of > 0 && decides(flip));
    // Where runs on from a recorded choice end well, too, a single one that ends well says nothing.
    let is_open = answer.decisive.iter().any(|flip| flip.as_recorded.passed > 0);
    let passes = |flip: &&Flip| {
        flip.verdict == Verdict::Passes
            && match flip.otherwise.of {
                0 => !are_known && !is_open,
                _ => flip.otherwise.passed > 0,
            }
            && flip.otherwise.gains_over(flip.as_recorded)
            // Where most runs end well as recorded, too, a later choice decided.
            && !flip.weak.iter().any(|weak| matches!(weak, Weak::GivesUp | Weak::Undecided))
    };
    let mut passing: Vec<&Flip> = answer.decisive.iter().filter(passes).collect();
    // What needs a longer stall than the recorded run is told only if nothing else avoids the failure.
    if passing.iter().any(|flip| flip.stall.is_none()) {
        passing.retain(|flip| flip.stall.is_none());
    } else if !passing.is_empty() {
        // But one that needs none comes before them, even if most runs end well as recorded, too.
        let needs_none = |flip: &&Flip| {
            let is_open = flip.weak.iter().all(|weak| *weak == Weak::Undecided);
            let all = flip.otherwise.of > 0 && flip.otherwise.passed == flip.otherwise.of;
            flip.verdict == Verdict::Passes
                && flip.stall.is_none()
                && is_open
                && all
                && flip.otherwise.gains_over(flip.as_recorded)
        };
        let open: Vec<&Flip> = answer.decisive.iter().filter(needs_none).collect();
        if !open.is_empty() {
            passing = open;
        }
    }
    // Sets are searched only where no single choice is a good one.
    if answer.together.is_some() {
        passing.clear();
    }
    let left_out = is_left_out(&answer);
    let shares = |flip: &Flip, likely: &Diagnosis| likely.is_about(flip);
    let mut best = passing.first().copied();
    if let Some(known) = likely.as_ref() {
        let shared = || passing.iter().copied().filter(|flip| shares(flip, known));
        // One that leaves nothing open says more than a nearer one.
        let sure = shared().find(|flip| is_sure(flip));
        let shared = sure
            .or_else(|| shared().find(|flip| decides(flip)))
            .or_else(|| shared().next());
        match (shared, best) {
            // Words and a flip that are about the same say more than another flip, even a nearer one.
            // That nothing was sent back is the failure, told again: it says nothing of which flip decided.
            (Some(_), _) if known.pattern.is_fact() => {}
            (Some(shared), Some(first)) if decides(shared) || !first.is_strong() => best = Some(shared),
            (Some(_), _) => {}
            (None, Some(flip)) if decides(flip) && known.pattern.is_order() && !left_out => *likely = None,
            // That what it waits for was not sent is the failure, told again.
            (None, Some(flip)) if decides(flip) && known.pattern.is_fact() => *likely = None,
            // That one voter decided for two is behind the order of their votes. All else that is about other actions yields to a flip that
            // leaves nothing open.
            (None, Some(flip)) if is_sure(flip) && known.pattern != Pattern::TwoWinners => *likely = None,
            (None, None) if known.pattern.is_order() && !answer.order_matters() && all_tried(&answer) => *likely = None,
            (None, _) => {}
        }
    }
    let lead = match (best, likely.as_ref()) {
        (Some(flip), Some(_)) if is_sure(flip) => Lead::Flip,
        // That it failed on what it was created with says little.
        (Some(flip), Some(known)) if known.pattern == Pattern::Failed && !is_far(flip) => Lead::Flip,
        (Some(flip), Some(known)) if !flip.is_strong() && !shares(flip, known) => Lead::Likely,
        (Some(flip), Some(known)) if known.pattern.is_fact() && decides(flip) => Lead::Flip,
        (Some(flip), Some(known)) if !flip.is_strong() && !known.pattern.is_order() => Lead::Likely,
        (Some(_), _) => Lead::Flip,
        (None, _) if answer.together.is_some() => Lead::Together,
        (None, Some(_)) => Lead::Likely,
        (None, None) if answer.order_matters() => Lead::Nothing,
        (None, None) if all_tried(&answer) || answer.is_likely_no_race() => Lead::NoRace,
        (None, None) => Lead::Nothing,
    };
    // What was caught or dropped beside what decided says nothing.
    if matches!(lead, Lead::Flip | Lead::Together) {
        likely.take_if(|known| known.pattern.is_beside() && best.is_none_or(|flip| !shares(flip, known)));
    }
    // What decided is not what a process was created with.
    if lead == Lead::Flip {
        likely.take_if(|known| known.pattern == Pattern::Failed && best.is_none_or(|flip| !shares(flip, known)));
    }
    // Beside a likely cause, that a process could have waited for the others says nothing more.
    let best = best.filter(|flip| lead == Lead::Flip || flip.class != Class::Later);
    let flip = best.cloned();
    let mut chain = flip.as_ref().map_or_else(Vec::new, |flip| chain(flip, &passing));
    if let Some(flip) = flip.as_ref().filter(|_| lead == Lead::Flip && chain.is_empty()) {
        chain.extend(data(flip, &answer.decisive, read));
    }
    let also = match &flip {
        Some(flip) if lead == Lead::Flip && chain.is_empty() => also(flip, &passing),
        _ => Vec::new(),
    };
    Decided {
        lead,
        flip,
        chain,
        also,
        answer,
        untried: None,
    }
}

/// The shared things that a flip's two actions use: a table whatever its key, an array whatever its index.
fn things(flip: &Flip) -> Vec<Resource> {
    let acts = [flip.made.act.as_ref(), flip.instead.act.as_ref()];
    let uses = acts.into_iter().flatten().flat_map(|act| act.accesses.iter());
    let thing = |one: &SharedUse| match one.access.resource {
        Resource::TableKey { table, .. } => Resource::Table(table),
        Resource::Counter { array, .. } => Resource::Counter { array, index: 0 },
        resource => resource,
    };
    uses.map(thing).collect()
}

/// The two actions of a flip. The same two can be told of two places near each other.
fn pair(flip: &Flip) -> (Option<ActionId>, Option<ActionId>) {
    let id = |side: &decisive::Side| side.act.as_ref().map(|act| ActionId::new(act.pid, act.number));
    (id(&flip.made), id(&flip.instead))
}

/// Did the same two processes race before, in the same order?
fn is_parallel(earlier: &Flip, later: &Flip) -> bool {
    let before = |one: Option<ActionId>, other: Option<ActionId>| matches!((one, other), (Some(one), Some(other)) if one.pid == other.pid && one.number < other.number);
    let (one, other) = (pair(earlier), pair(later));
    before(one.0, other.0) && before(one.1, other.1)
}

/// Does the same come first instead, in the same process? That it comes first at another place, too, only implies the other choice.
fn implies(other: &Flip, known: &Flip) -> bool {
    let instead = |flip: &Flip| pair(flip).1;
    known.at.pid == other.at.pid && instead(known).is_some() && instead(known) == instead(other)
}

/// Decisive flips before this one, about the same process, the same shared thing, or between the same two processes.
fn chain(flip: &Flip, passing: &[&Flip]) -> Vec<Flip> {
    let mine = things(flip);
    let same = |other: &Flip| other.at.pid == flip.at.pid || things(other).iter().any(|thing| mine.contains(thing));
    let mut found: Vec<Flip> = Vec::new();
    for other in passing {
        let is_like = |known: &Flip| words(known) == words(other);
        let is_told = std::iter::once(flip)
            .chain(&found)
            .any(|known| pair(known) == pair(other) || is_like(known));
        let is_implied = std::iter::once(flip).chain(&found).any(|known| implies(other, known));
        let much = other.otherwise.passed > other.as_recorded.passed + other.otherwise.of / 4;
        let leads_here = decides(other) && much && same(other) || is_parallel(other, flip);
        if other.kept < flip.kept && leads_here && !is_told && !is_implied && found.len() < CHAIN {
            found.push((*other).clone());
        }
    }
    found
}

/// The value with which it failed had been read before another process wrote it, and with the other order it would not have failed: told even if
/// a later choice could have mended that.
fn data(flip: &Flip, decisive: &[Flip], read: &[ActionId]) -> Option<Flip> {
    let is_read = |other: &&Flip| {
        let (made, _) = pair(other);
        other.verdict == Verdict::Passes
            && other.class == Class::Access
            && (other.stall.is_none() || flip.stall.is_some())
            && made.is_some_and(|made| read.contains(&made))
    };
    let found = decisive
        .iter()
        .filter(is_read)
        .find(|other| !other.otherwise.gains_over(other.as_recorded) && lines(other) != lines(flip))?;
    Some(Flip {
        // What random continuations come to is about the later choice.
        otherwise: decisive::Tally::default(),
        as_recorded: decisive::Tally::default(),
        apart: 0,
        ..found.clone()
    })
}

/// What its uses of shared things are told as.
fn uses(act: &session::view::Act) -> Vec<(NamedResource, bool, Option<ActionId>)> {
    let uses = act.accesses.iter();
    uses.map(|one| (one.resource.clone(), one.access.write, one.access.by))
        .collect()
}

/// What the words of a flip are made of.
fn words(flip: &Flip) -> impl PartialEq {
    let side = |side: &decisive::Side| {
        let act = side.act.as_ref();
        let place = act
            .and_then(|act| act.place.as_ref())
            .map(|place| (place.file.clone(), place.line));
        (
            act.map(|act| (act.pid, act.content.clone(), uses(act))),
            place,
            side.after,
        )
    };
    (flip.class, flip.at.pid, side(&flip.made), side(&flip.instead))
}

/// The lines of a flip's two actions, in one order.
fn lines(flip: &Flip) -> Vec<(String, u32)> {
    let acts = [flip.made.act.as_ref(), flip.instead.act.as_ref()];
    let places = acts.into_iter().flatten().filter_map(|act| act.place.as_ref());
    let mut all: Vec<(String, u32)> = places.map(|place| (place.file.clone(), place.line)).collect();
    all.sort();
    all
}

/// Other flips that are as sure, nearest first. The mirror image of one says nothing new.
fn also(flip: &Flip, passing: &[&Flip]) -> Vec<Flip> {
    let none_as_recorded = |one: &Flip| one.is_strong() && one.as_recorded.of > 0 && one.as_recorded.passed == 0;
    if !none_as_recorded(flip) {
        return Vec::new();
    }
    let mut found: Vec<Flip> = Vec::new();
    for other in passing {
        let is_told = lines(other) == lines(flip) || found.iter().any(|known| lines(known) == lines(other));
        if is_sure(other) && none_as_recorded(other) && !is_told && !implies(other, flip) && found.len() < ALSO {
            found.push((*other).clone());
        }
    }
    found
}

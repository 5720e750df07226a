//! What trying other choices says of a failure, and how it goes together with what often goes wrong.

use decisive::{Answer, Class, Flip, Verdict, Weak};
use serde::Serialize;

use crate::story::{Diagnosis, Pattern};

/// Earlier decisive choices that are told.
const CHAIN: usize = 3;

/// What is said first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Lead {
    /// A decisive flip.
    Flip,
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
            answer: Answer::default(),
            untried: Some(why),
        }
    }
}

impl Pattern {
    /// Is it about an order? Then a flip must have shown that the order matters.
    const fn is_order(self) -> bool {
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
            | Self::Failed => false,
        }
    }

    /// Is it about when something came, even if no single choice of the log could show that? Two clients can run into the same wait cycle, and a
    /// flip takes only one of them out.
    #[must_use]
    pub const fn is_of_time(self) -> bool {
        self.is_order() || matches!(self, Self::StaleTimer | Self::Busy | Self::TwoWinners | Self::WaitCycle)
    }
}

/// Was all tried that could have come the other way?
fn all_tried(answer: &Answer) -> bool {
    answer.stopped.is_none()
}

/// Is it an order of things that were far apart?
fn is_far(flip: &Flip) -> bool {
    flip.weak.contains(&Weak::Far)
}

/// Did it decide, as far as random continuations tell?
fn decides(flip: &Flip) -> bool {
    let gains = flip.as_recorded.of == 0 || flip.otherwise.passed > flip.as_recorded.passed;
    gains
        && !flip
            .weak
            .iter()
            .any(|weak| matches!(weak, Weak::Undecided | Weak::Rare))
}

/// Does every continuation after it end well?
fn is_sure(flip: &Flip) -> bool {
    flip.is_strong() && decides(flip) && flip.otherwise.passed == flip.otherwise.of
}

/// Decides what is said first. A likely cause that is about an order, and that no flip bears out, is not said at all.
pub(crate) fn decide(mut answer: Answer, likely: &mut Option<Diagnosis>) -> Decided {
    answer.others.clear();
    let passes = |flip: &&Flip| {
        flip.verdict == Verdict::Passes
            && (flip.otherwise.of == 0 || flip.otherwise.passed > 0)
            && !flip.weak.contains(&Weak::GivesUp)
    };
    let passing: Vec<&Flip> = answer.decisive.iter().filter(passes).collect();
    let shares = |flip: &Flip, likely: &Diagnosis| likely.actions.iter().any(|id| flip.involved.contains(id));
    let mut best = passing.first().copied();
    if let Some(known) = likely.as_ref() {
        let mut shared = passing.iter().copied().filter(|flip| shares(flip, known));
        let shared = shared.clone().find(|flip| decides(flip)).or_else(|| shared.next());
        match (shared, best) {
            // Words and a flip that are about the same say more than another flip, even a nearer one.
            // That nothing was sent back is the failure, told again: it says nothing of which flip decided.
            (Some(_), _) if known.pattern == Pattern::NoAnswer => {}
            (Some(shared), Some(first)) if decides(shared) || !first.is_strong() => best = Some(shared),
            (Some(_), _) => {}
            (None, Some(flip)) if decides(flip) && known.pattern.is_order() => *likely = None,
            // That what it waits for was not sent is the failure, told again.
            (None, Some(flip)) if decides(flip) && known.pattern == Pattern::NoAnswer => *likely = None,
            // That one voter decided for two is behind the order of their votes. All else that is about other actions yields to a flip that
            // leaves nothing open.
            (None, Some(flip)) if is_sure(flip) && known.pattern != Pattern::TwoWinners => *likely = None,
            (None, None) if known.pattern.is_order() && !answer.order_matters() && all_tried(&answer) => *likely = None,
            (None, _) => {}
        }
    }
    let lead = match (best, likely.as_ref()) {
        // That it failed on what it was created with says little.
        (Some(flip), Some(known)) if known.pattern == Pattern::Failed && !is_far(flip) => Lead::Flip,
        (Some(flip), Some(known)) if !flip.is_strong() && !shares(flip, known) => Lead::Likely,
        (Some(flip), Some(known)) if known.pattern == Pattern::NoAnswer && decides(flip) => Lead::Flip,
        (Some(flip), Some(known)) if !flip.is_strong() && !known.pattern.is_order() => Lead::Likely,
        (Some(_), _) => Lead::Flip,
        (None, Some(_)) => Lead::Likely,
        (None, None) if answer.order_matters() => Lead::Nothing,
        (None, None) if all_tried(&answer) => Lead::NoRace,
        (None, None) => Lead::Nothing,
    };
    // Beside a likely cause, that a process could have waited for the others says nothing more.
    let best = best.filter(|flip| lead == Lead::Flip || flip.class != Class::Later);
    let flip = best.cloned();
    let chain = flip.as_ref().map_or_else(Vec::new, |flip| chain(flip, &passing));
    Decided {
        lead,
        flip,
        chain,
        answer,
        untried: None,
    }
}

/// Decisive flips before this one, about the same process or the same shared thing.
fn chain(flip: &Flip, passing: &[&Flip]) -> Vec<Flip> {
    let things = |flip: &Flip| -> Vec<String> {
        let acts = [flip.made.act.as_ref(), flip.instead.act.as_ref()];
        let uses = acts.into_iter().flatten().flat_map(|act| act.accesses.iter());
        let thing = |text: &String| {
            text.split_once(' ')
                .map(|(_, thing)| thing.split(',').next().unwrap_or(thing).to_owned())
        };
        uses.filter_map(thing).collect()
    };
    let mine = things(flip);
    let same = |other: &Flip| other.at.pid == flip.at.pid || things(other).iter().any(|thing| mine.contains(thing));
    // The same two things can be told of two places near each other.
    let pair = |flip: &Flip| -> (Option<String>, Option<String>) {
        let name = |side: &decisive::Side| side.act.as_ref().map(|act| act.target.clone());
        (name(&flip.made), name(&flip.instead))
    };
    let mut found: Vec<Flip> = Vec::new();
    for other in passing {
        let is_told = pair(other) == pair(flip) || found.iter().any(|known| pair(known) == pair(other));
        let gains = other.otherwise.passed > other.as_recorded.passed + other.otherwise.of / 4;
        if other.kept < flip.kept && decides(other) && gains && same(other) && !is_told && found.len() < CHAIN {
            found.push((*other).clone());
        }
    }
    found
}

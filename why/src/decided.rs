//! What trying other choices says of a failure, and how it goes together with what often goes wrong.

use decisive::{Answer, Flip, Verdict, Weak};
use log_format::ActionId;
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
}

impl Pattern {
    /// Is it about an order? Then a flip must have shown that the order matters.
    const fn is_order(self) -> bool {
        match self {
            Self::Overtaken
            | Self::TwoWinners
            | Self::LostUpdate
            | Self::ReplyForAnother
            | Self::LostWakeup
            | Self::TimedOutTooEarly => true,
            Self::EndedBeforeItSent
            | Self::NoAnswer
            | Self::Busy
            | Self::WaitCycle
            | Self::StaleTimer
            | Self::NeverGivenBack
            | Self::AlreadyEnded
            | Self::Failed => false,
        }
    }
}

/// Did random runs, or flips, show that the order matters?
fn order_matters(answer: &Answer) -> bool {
    answer.verdicts.passes > 0 || answer.at_random.passed > 0
}

/// Was all tried that could have come the other way?
fn all_tried(answer: &Answer) -> bool {
    answer.stopped.is_none()
}

/// Is it only that somebody gives up, or an order of things that were far apart?
fn gives_up(flip: &Flip) -> bool {
    flip.weak.iter().any(|weak| matches!(weak, Weak::GivesUp | Weak::Far))
}

/// Decides what is said first. A likely cause that is about an order, and that no flip bears out, is not said at all.
pub(crate) fn decide(mut answer: Answer, likely: &mut Option<Diagnosis>) -> Decided {
    answer.others.clear();
    let passing: Vec<&Flip> = answer.decisive.iter().filter(|flip| flip.verdict == Verdict::Passes).collect();
    let shares = |flip: &Flip, likely: &Diagnosis| likely.actions.iter().any(|id| flip.involved.contains(id));
    let mut best = passing.first().copied();
    if let Some(known) = likely.as_ref()
        && known.pattern.is_order()
    {
        let shared = passing.iter().copied().find(|flip| shares(flip, known));
        match (shared, best) {
            // A flip that the words fit says more than a weak one.
            (Some(shared), Some(first)) if !first.is_strong() => best = Some(shared),
            (Some(_), _) => {}
            (None, Some(_)) => *likely = None,
            (None, None) if !order_matters(&answer) && all_tried(&answer) => *likely = None,
            (None, None) => {}
        }
    }
    // Beside a strong flip, another explanation is only said if it is about the same.
    if let (Some(flip), Some(known)) = (best, likely.as_ref())
        && flip.is_strong()
        && known.pattern != Pattern::WaitCycle
        && !shares(flip, known)
    {
        *likely = None;
    }
    let lead = match (best, likely.as_ref()) {
        // That it failed on what it was created with says little.
        (Some(flip), Some(known)) if known.pattern == Pattern::Failed && !gives_up(flip) => Lead::Flip,
        (Some(flip), Some(known)) if !known.pattern.is_order() && !flip.is_strong() => Lead::Likely,
        (Some(_), _) => Lead::Flip,
        (None, Some(_)) => Lead::Likely,
        (None, None) if order_matters(&answer) => Lead::Nothing,
        (None, None) if all_tried(&answer) => Lead::NoRace,
        (None, None) => Lead::Nothing,
    };
    let flip = best.cloned();
    let chain = flip.as_ref().map_or_else(Vec::new, |flip| chain(flip, &passing));
    Decided {
        lead,
        flip,
        chain,
        answer,
    }
}

/// Decisive flips before this one, about the same process or the same shared thing.
fn chain(flip: &Flip, passing: &[&Flip]) -> Vec<Flip> {
    let things = |flip: &Flip| -> Vec<String> {
        let acts = [flip.made.act.as_ref(), flip.instead.act.as_ref()];
        let uses = acts.into_iter().flatten().flat_map(|act| act.accesses.iter());
        let thing = |text: &String| text.split_once(' ').map(|(_, thing)| thing.split(',').next().unwrap_or(thing).to_owned());
        uses.filter_map(thing).collect()
    };
    let mine = things(flip);
    let same = |other: &Flip| other.at.pid == flip.at.pid || things(other).iter().any(|thing| mine.contains(thing));
    let pair = |flip: &Flip| -> Vec<ActionId> { flip.involved.clone() };
    let mut found: Vec<Flip> = Vec::new();
    for other in passing {
        let is_told = pair(other) == pair(flip) || found.iter().any(|known| pair(known) == pair(other));
        // If most continuations end well as recorded, too, it decided nothing.
        let decides = !other.weak.iter().any(|weak| matches!(weak, Weak::Undecided | Weak::Rare));
        if other.kept < flip.kept && decides && same(other) && !is_told && found.len() < CHAIN {
            found.push((*other).clone());
        }
    }
    found
}

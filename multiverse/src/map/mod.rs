//! The graph of universes: what can be chosen, and where it leads [TL19, "state graph"].
//!
//! A universe is a set of events with causes, and has no order. A *state* is a set of events that some universes have in common, with nothing that
//! all of them have left out. From there on, these universes differ: one process has not the same next event in all of them. These events are the
//! *choices* there. So each state stands for all universes that contain it, and each of these goes through exactly one of its choices.
//!
//! Two states are one if nothing can tell them apart from there on: they have equal choices, to states that are one; and at the end, the same came
//! of the universes, and the whole system is left in the same state ([`system::World::standing`]). Equal states have equal futures, so this merges
//! every two states that are equal, and two that are not only if the difference shows nowhere in what follows, nor is there at the end. If the
//! exploration is not complete, futures are not known, and only ends are merged.

mod ask;
mod book;
mod fold;
mod unfold;

#[cfg(test)]
mod tests;

pub use ask::{AskedGraph, Decisive, Ends, WayToEnd, WayTurn};
pub use book::Book;
pub use fold::{Fold, Folded, folded};

use log_format::Pid;

/// What a step did.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Deed {
    /// It received a message.
    Receives,
    /// Its receive timed out.
    TimesOut,
    /// It was ended by an exit signal.
    IsEnded,
    /// It called a function, when a signal had arrived.
    Finds,
    /// It called a function that uses something shared.
    Calls,
    /// The program chose one of several values.
    Chooses,
    /// It ended.
    Ends,
    /// It halted the run.
    Halts,
    /// It waits for ever, though something was sent to it. That was dropped.
    IsStuck,
}

impl Deed {
    /// All of them, each with a word.
    pub const ALL: [(Self, &'static str); 9] = [
        (Self::Receives, "receive"),
        (Self::TimesOut, "timeout"),
        (Self::IsEnded, "exit_signal"),
        (Self::Finds, "call_after"),
        (Self::Calls, "call"),
        (Self::Chooses, "choose"),
        (Self::Ends, "end"),
        (Self::Halts, "halt"),
        (Self::IsStuck, "stuck"),
    ];

    /// A word for it.
    #[must_use]
    pub fn word(self) -> &'static str {
        let known = Self::ALL.iter().find(|(deed, _)| *deed == self);
        known.map_or("", |(_, word)| word)
    }
}

/// What a process did. Steps of different universes that look alike are one.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SharedStep {
    /// Who.
    pub pid: Pid,
    /// What.
    pub deed: Deed,
    /// The message, the call, the value that is chosen, or the reason of an end.
    pub text: String,
    /// If a behaviour of OTP has wrapped the message: what its program means, `the call {transfer,5}`.
    pub said: Option<String>,
    /// The sender; or who wrote last what is used.
    pub from: Option<Pid>,
    /// Which of its actions wrote it.
    pub action: Option<u64>,
    /// `file:line`, or nothing.
    pub place: String,
}

/// Steps that follow on a choice: first what leads to the choice, then the choice itself, then all that follows without another choice.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Chain {
    /// Numbers of steps.
    pub steps: Vec<u32>,
    /// Where the choice is.
    pub choice: u32,
}

/// An edge of the graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Edge {
    /// The state where it is chosen.
    pub from: u32,
    /// The state that it leads to.
    pub to: u32,
    /// The number of its chain.
    pub chain: u32,
    /// Its place among the choices of its state: two of them can look alike, and lead to one state.
    pub n: u32,
}

/// What came of universes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ending {
    /// In a line.
    pub headline: String,
    /// More lines.
    pub details: Vec<String>,
    /// Does it fail?
    pub failure: bool,
    /// Endings that differ only in values are one group: its number, from 1.
    pub group: u32,
}

/// How many universes end in a state after so many actions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Length {
    /// The state at their end.
    pub end: u32,
    /// How many actions each has.
    pub actions: u64,
    /// How many universes.
    pub universes: u64,
}

/// The graph. State 0 is the first choice. The edges of each state stand together, and states have larger numbers than those that lead to them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Map {
    /// The program.
    pub program: String,
    /// Are these all universes?
    pub complete: bool,
    /// Why not, and what was left out.
    pub notes: Vec<String>,
    /// Processes and what they run.
    pub processes: Vec<(Pid, String)>,
    /// Steps.
    pub steps: Vec<SharedStep>,
    /// Chains of steps.
    pub chains: Vec<Chain>,
    /// What is done before the first choice.
    pub start: Vec<u32>,
    /// For each state, its first edge; and one more, the number of edges.
    pub first: Vec<u32>,
    /// Choices.
    pub edges: Vec<Edge>,
    /// What came of universes.
    pub endings: Vec<Ending>,
    /// For each state, the ending, if it is an end.
    pub ends: Vec<Option<u32>>,
    /// Endings that are possible from a state though no choice of it leads there: a `halt` that can come at any time.
    pub open: Vec<(u32, u32)>,
    /// How many universes there are. Each is a path: number 1 takes the first choice everywhere, and the last number takes the last one.
    pub universes: u64,
    /// Their lengths.
    pub lengths: Vec<Length>,
}

impl Map {
    /// How many states.
    #[must_use]
    pub const fn states(&self) -> usize {
        self.ends.len()
    }

    /// Fills in [`Map::first`] and the places of edges, which stand in the order of their states.
    pub fn index(&mut self) {
        let mut first = Vec::with_capacity(self.states() + 1);
        let mut at = 0;
        for state in 0..=self.states() as u32 {
            while self.edges.get(at as usize).is_some_and(|edge| edge.from < state) {
                at += 1;
            }
            first.push(at);
        }
        for (edge, at) in self.edges.iter_mut().zip(0_u32..) {
            edge.n = at.saturating_sub(first.get(edge.from as usize).copied().unwrap_or(at));
        }
        self.first = first;
    }

    /// For each state, the fewest choices that lead to it.
    #[must_use]
    pub fn depths(&self) -> Vec<u32> {
        let mut depths = vec![u32::MAX; self.states()];
        if let Some(first) = depths.first_mut() {
            *first = 0;
        }
        for edge in &self.edges {
            let next = depths[edge.from as usize].saturating_add(1);
            depths[edge.to as usize] = depths[edge.to as usize].min(next);
        }
        depths
    }

    /// The choices of a state.
    #[must_use]
    pub fn edges_of(&self, state: u32) -> &[Edge] {
        let at = state as usize;
        match (self.first.get(at), self.first.get(at + 1)) {
            (Some(from), Some(to)) => &self.edges[*from as usize..*to as usize],
            _ => &[],
        }
    }

    /// The steps of a choice.
    pub fn steps_of(&self, edge: Edge) -> impl Iterator<Item = &SharedStep> {
        let chain = &self.chains[edge.chain as usize];
        chain.steps.iter().map(|step| &self.steps[*step as usize])
    }

    /// The step that is chosen. `None`: nothing is, the run comes to its end before.
    #[must_use]
    pub fn choice(&self, edge: Edge) -> Option<&SharedStep> {
        let chain = &self.chains[edge.chain as usize];
        let step = chain.steps.get(chain.choice as usize)?;
        Some(&self.steps[*step as usize])
    }
}

//! The order in which the search tree is gone. Each unit of work stands for a part of it that no other unit has, so any order visits each universe
//! once.
//!
//! Depth first needs the least memory, but its first thousand universes differ only in their last choices, and a program that waits and tries again
//! can go on like that for very long. So the runs after the first one are random walks: at each choice, one of the ways is gone, and the others stay open. After
//! that, most runs go depth first, and a walk comes now and then. With a bound of delays, the runs with the fewest of them come first, in any order. A run that
//! does not end is put off.

use std::sync::Arc;

use session::Error;

use super::super::branch::BranchNode;
use super::super::crew::Crew;
use super::super::state::State;
use super::{Again, Graphs, Unit, Went};

/// So many runs are walks at first, and then each of so many.
const WALKS: u64 = 128;
const RARELY: u64 = 64;
/// Limit: open units, with which no walks begin: each keeps a part of a run.
const OPEN: usize = 2_000;
/// The same with a bound of delays: then they are gone depth first.
const BOUNDED: usize = 4 * OPEN;
/// Of so many units, a walk begins with the one that parts first.
const DRAWN: usize = 4;
/// A run that has done so many steps since it parted is put off.
const PATIENCE: u32 = 1_500;
/// After so many runs that were put off, one of them goes on for longer, to see whether such runs end; then after twice as many, for twice as long.
const TRIED: u32 = 16;
/// A run that goes on after it was put off may do so many times as many steps as it has to repeat.
const MORE: u32 = 8;
/// Limit: how often that is doubled.
const TIMES: u32 = 16;

/// How the tree is gone.
pub(super) struct VisitOrder {
    draws: u64,
    runs: u64,
    /// Is the current run a walk?
    walks: bool,
    /// How many events there were when the current run began, and how many of these it has repeated.
    begun: u32,
    pub repeated: u32,
    /// A run that takes longer is put off: more than [`PATIENCE`] if runs were found to end later.
    patience: u32,
    /// The same for the current run, if it is one that was put off and goes on to see whether it ends.
    tried: u32,
    /// How many were put off since one went on, and how many went on.
    put_off: u32,
    times: u32,
    /// Of a sample: how many universes a walk stands for that comes here. The ways that it does not go are forgotten.
    pub sample: Option<f64>,
}

impl VisitOrder {
    pub fn new(number: usize) -> Self {
        Self {
            draws: number as u64,
            runs: 0,
            walks: false,
            begun: 0,
            repeated: 0,
            patience: PATIENCE,
            tried: 0,
            put_off: 0,
            times: 0,
            sample: None,
        }
    }

    /// A number below this one.
    fn below(&mut self, below: usize) -> usize {
        self.draws = self.draws.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.draws;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        let drawn = u128::from(z ^ (z >> 31)) * below as u128;
        usize::try_from(drawn >> 64).unwrap_or(0)
    }
}

impl Graphs {
    /// The unit to go on with.
    pub(super) fn next_unit(&mut self) -> Option<Unit> {
        let order = &mut self.order;
        order.runs += 1;
        order.tried = 0;
        if order.put_off >= TRIED << order.times && !self.units.is_empty() {
            order.put_off = 0;
            order.times = TIMES.min(order.times + 1);
            order.tried = PATIENCE << order.times;
            order.walks = false;
            return Some(self.units.remove(0));
        }
        if self.most.is_some() {
            return self.next_of_fewest_delays();
        }
        order.walks = self.units.len() < OPEN && (order.runs < WALKS || order.runs.is_multiple_of(RARELY));
        if !order.walks || self.units.len() < 2 {
            return self.units.pop();
        }
        let depth = |unit: &Unit| unit.base.as_ref().map_or(0, |node| node.depth);
        let drawn: Vec<usize> = (0..DRAWN).map(|_| order.below(self.units.len())).collect();
        let first = drawn.into_iter().min_by_key(|at| depth(&self.units[*at]))?;
        Some(self.units.remove(first))
    }

    /// With a bound of delays: any of the units with the fewest. A walk would use them up at its first choices.
    fn next_of_fewest_delays(&mut self) -> Option<Unit> {
        if self.units.len() > BOUNDED {
            return self.units.pop();
        }
        let fewest = self.units.iter().map(|unit| unit.delays).min()?;
        let all = self.units.iter().zip(0..).filter(|(unit, _)| unit.delays == fewest);
        let all: Vec<usize> = all.map(|(_, at)| at).collect();
        let drawn = self.order.below(all.len());
        Some(self.units.remove(all[drawn]))
    }

    /// A run begins here.
    pub(super) fn begins(&mut self) {
        self.order.begun = self.branch.len();
    }

    /// How many events the current run has done since it began.
    fn done(&self) -> u32 {
        self.branch.len() - self.order.begun.min(self.branch.len())
    }

    /// Is the run to be put off, because it has gone on for long? One that was put off before may go on for much longer.
    pub(super) fn is_put_off(&mut self) -> bool {
        let order = &self.order;
        let most = order.patience.max(order.repeated.saturating_mul(MORE)).max(order.tried);
        if order.sample.is_some() || self.units.is_empty() || self.done() <= most {
            return false;
        }
        let rest = self.rest_to_repeat();
        // The first one that is given away, and the last one that is taken.
        self.units.insert(0, rest);
        self.order.put_off += 1;
        true
    }

    /// The current run has come to its end: others as long as it are not put off.
    pub(super) fn ends(&mut self) {
        let length = self.done().saturating_add(self.order.repeated);
        if length > self.order.patience {
            self.order.patience = length.saturating_mul(2);
        }
    }

    /// As [`Self::rest`], for a run that goes on much later: only what it shares with others is kept as a graph, with its states. The rest is repeated.
    fn rest_to_repeat(&self) -> Unit {
        if self.stops.is_some() {
            return self.rest();
        }
        // A node of the path is held by the path, and by the node after it.
        let is_shared = |node: &Arc<BranchNode>| Arc::strong_count(node) > 2 || node.event.is_fixed();
        let path = &self.branch.path;
        let shared = path.iter().rposition(is_shared).map_or(0, |at| at + 1);
        Unit {
            base: shared.checked_sub(1).map(|at| Arc::clone(&path[at])),
            again: path[shared..].iter().map(|node| Again::of(&node.event)).collect(),
            delays: self.delays,
            ..Unit::default()
        }
    }

    /// What is to be done after the current graph.
    pub(super) fn rest(&self) -> Unit {
        Unit {
            base: self.branch.path.last().cloned(),
            delays: self.delays,
            ..Unit::default()
        }
    }

    /// A choice was made, and the other ways were put aside after the first `known` units. In a walk, any of them is gone. `None`: the way that was
    /// gone is a dead end.
    pub(super) fn part_ways(&mut self, mut state: Option<State>, known: usize) -> Result<Option<State>, Error> {
        while self.units.len() > known && (self.order.walks || self.order.sample.is_some()) {
            let ways = self.units.len() - known;
            let alive = state.is_some() && !self.dead;
            let drawn = self.order.below(ways + usize::from(alive));
            if let Some(weight) = &mut self.order.sample {
                *weight *= (ways + usize::from(alive)) as f64;
            }
            if drawn == ways {
                if self.order.sample.is_some() {
                    self.units.truncate(known);
                }
                return Ok(state);
            }
            let unit = self.units.remove(known + drawn);
            match self.order.sample {
                Some(_) => self.units.truncate(known),
                None if alive => {
                    let rest = self.rest();
                    self.units.push(rest);
                }
                None => {}
            }
            self.dead = false;
            drop(state.take());
            state = self.begin(unit)?;
            if self.order.sample.is_none() {
                return Ok(state);
            }
        }
        Ok(state)
    }

    /// Puts a unit aside, which goes another way than the first one, unless that is one too many.
    pub(super) fn aside(&mut self, mut unit: Unit) {
        unit.delays = self.delays + 1;
        match self.most.is_some_and(|most| unit.delays > most) {
            true => self.told.bounded += 1,
            false => self.units.push(unit),
        }
    }

    /// Goes down the tree at random, once, and forgets all other ways [Knuth, *Estimating the efficiency of backtrack programs*, 1975]. Each universe
    /// that is told stands for so many.
    ///
    /// # Errors
    /// As [`Graphs::run`].
    pub fn sample(&mut self, crew: &dyn Crew) -> Result<(), Error> {
        self.units.clear();
        self.dead = false;
        self.delays = 0;
        self.order.sample = Some(1.0);
        self.branch.go_to(None);
        let mut state = self.start()?;
        while let Some(next) = state.take() {
            if let Went::Stop = self.forward(next, crew)? {
                return Ok(());
            }
            // What a halt has put aside.
            state = self.part_ways(None, 0)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_stay_below_the_bound_and_reach_all_of_it() {
        let mut order = VisitOrder::new(0);
        let mut counts = [0_u32; 5];
        for _ in 0..5_000 {
            counts[order.below(5)] += 1;
        }
        assert!(counts.iter().all(|count| (800..1_200).contains(count)), "{counts:?}");
        assert_eq!((order.below(1), order.below(0)), (0, 0));
    }

    #[test]
    fn those_who_search_together_draw_differently_and_each_the_same_again() {
        let draws = |number| {
            let mut order = VisitOrder::new(number);
            (0..20).map(|_| order.below(1_000)).collect::<Vec<_>>()
        };
        assert_eq!(draws(1), draws(1));
        assert_ne!(draws(1), draws(2));
    }
}

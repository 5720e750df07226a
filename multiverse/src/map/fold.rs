//! A large graph, folded: states from which the same endings are possible are one. What is left are the choices that decide something.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::{AskedGraph, Map, SharedStep};

/// States from which the same is possible.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fold {
    /// How many states.
    pub states: u64,
    /// The groups of endings that are possible. Empty: too many kinds of states were left, and these are the others.
    pub groups: Vec<u32>,
    /// How many universes come here.
    pub universes: u64,
    /// How many choices there are between its states, which decide nothing.
    pub within: u64,
}

/// Choices that lead from one to another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bundle {
    /// From this fold.
    pub from: usize,
    /// To this one.
    pub to: usize,
    /// How many choices.
    pub choices: u64,
    /// How many universes go that way.
    pub universes: u64,
    /// The steps that are chosen, each with the number of universes, most frequent first.
    pub steps: Vec<(Option<SharedStep>, u64)>,
}

/// A folded graph. The first fold is where it begins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Folded {
    /// Its nodes.
    pub folds: Vec<Fold>,
    /// Its edges.
    pub bundles: Vec<Bundle>,
}

/// A bundle while it is made.
#[derive(Default)]
struct Gathered<'m> {
    choices: u64,
    universes: u64,
    steps: FxHashMap<Option<&'m SharedStep>, u64>,
}

/// Limit: steps of a bundle.
const STEPS: usize = 8;

/// Folds a graph to at most so many nodes.
#[must_use]
pub fn folded(asked: &AskedGraph<'_>, most: usize) -> Folded {
    let map: &Map = asked.map;
    let sets: Vec<Vec<u32>> = (0..map.states() as u32).map(|state| asked.groups_from(state)).collect();
    let mut sizes: FxHashMap<&[u32], u64> = FxHashMap::default();
    for set in &sets {
        *sizes.entry(set).or_default() += 1;
    }
    let mut kept: Vec<(&[u32], u64)> = sizes.into_iter().collect();
    // The beginning, then ends, then the largest.
    let is_first = |set: &[u32]| sets.first().is_some_and(|first| first == set);
    kept.sort_by(|(a, an), (b, bn)| {
        let rank = |set: &[u32], n: u64| (!is_first(set), set.len() > 1, std::cmp::Reverse(n), set.to_vec());
        rank(a, *an).cmp(&rank(b, *bn))
    });
    let others = kept.len() > most;
    kept.truncate(if others { most.saturating_sub(1) } else { most });
    let numbers: FxHashMap<&[u32], usize> = kept.iter().zip(0..).map(|((set, _), number)| (*set, number)).collect();
    let of = |state: u32| {
        let set: &[u32] = &sets[state as usize];
        numbers.get(set).copied().unwrap_or(kept.len())
    };
    let mut folds: Vec<Fold> = kept
        .iter()
        .map(|(set, states)| Fold {
            states: *states,
            groups: set.to_vec(),
            universes: 0,
            within: 0,
        })
        .collect();
    if others {
        let known: u64 = folds.iter().map(|fold| fold.states).sum();
        folds.push(Fold {
            states: map.states() as u64 - known,
            groups: Vec::new(),
            universes: 0,
            within: 0,
        });
    }
    if let Some(first) = folds.first_mut() {
        first.universes = if map.states() == 0 { 0 } else { asked.from(0) };
    }
    let mut bundles: BTreeMap<(usize, usize), Gathered<'_>> = BTreeMap::new();
    for edge in &map.edges {
        let (from, to) = (of(edge.from), of(edge.to));
        if from == to {
            folds[from].within += 1;
            continue;
        }
        let universes = asked.through_edge(*edge);
        folds[to].universes = folds[to].universes.saturating_add(universes);
        let bundle = bundles.entry((from, to)).or_default();
        bundle.choices += 1;
        bundle.universes = bundle.universes.saturating_add(universes);
        *bundle.steps.entry(map.choice(*edge)).or_default() += universes;
    }
    let bundles = bundles.into_iter().map(|((from, to), gathered)| {
        let steps = gathered.steps.into_iter();
        let mut steps: Vec<(Option<SharedStep>, u64)> = steps.map(|(step, n)| (step.cloned(), n)).collect();
        steps.sort_by(|(a, an), (b, bn)| bn.cmp(an).then_with(|| a.cmp(b)));
        steps.truncate(STEPS);
        Bundle {
            from,
            to,
            choices: gathered.choices,
            universes: gathered.universes,
            steps,
        }
    });
    Folded {
        bundles: bundles.collect(),
        folds,
    }
}

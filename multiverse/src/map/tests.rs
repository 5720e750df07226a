//! Questions to graphs that are written down here.

use log_format::Pid;

use super::*;

/// A step that receives this.
fn step(text: &str) -> SharedStep {
    SharedStep {
        pid: Pid(1),
        deed: Deed::Receives,
        text: text.to_owned(),
        said: None,
        from: None,
        action: None,
        place: String::new(),
    }
}

/// A graph with these edges, in the order of their states; and the ending of each state that is an end. Each ending is a group.
fn map(edges: &[(u32, u32)], ends: &[Option<u32>]) -> Map {
    let endings = ends.iter().flatten().max().map_or(0, |last| last + 1);
    let ending = |n: u32| Ending {
        headline: format!("ending {n}"),
        details: Vec::new(),
        failure: n == 0,
        group: n + 1,
    };
    let mut map = Map {
        complete: true,
        steps: (0..edges.len()).map(|n| step(&n.to_string())).collect(),
        chains: (0..edges.len() as u32)
            .map(|n| Chain {
                steps: vec![n],
                choice: 0,
            })
            .collect(),
        edges: edges
            .iter()
            .zip(0..)
            .map(|((from, to), chain)| Edge {
                from: *from,
                to: *to,
                chain,
                n: 0,
            })
            .collect(),
        endings: (0..endings).map(ending).collect(),
        ends: ends.to_vec(),
        ..Map::default()
    };
    map.index();
    map
}

/// 0 goes to 1 or to 2; 1 fails (ending 0) or goes to 2; from 2, all is well (ending 1), by two choices that look alike.
fn diamond() -> Map {
    map(
        &[(0, 1), (0, 2), (1, 2), (1, 3), (2, 4), (2, 4)],
        &[None, None, None, Some(0), Some(1)],
    )
}

const FAILS: u32 = 1;
const WELL: u32 = 2;

#[test]
fn edges_stand_by_their_states() {
    let map = diamond();
    let to = |state| {
        map.edges_of(state)
            .iter()
            .map(|edge| (edge.to, edge.n))
            .collect::<Vec<_>>()
    };
    assert_eq!(to(0), [(1, 0), (2, 1)]);
    assert_eq!(to(2), [(4, 0), (4, 1)]);
    assert!(to(3).is_empty() && to(4).is_empty() && to(99).is_empty());
    assert_eq!(map.depths(), [0, 1, 1, 2, 2]);
}

#[test]
fn universes_are_paths() {
    let map = diamond();
    let asked = AskedGraph::of(&map);
    // 0-1-2-4 twice, 0-1-3, 0-2-4 twice.
    assert_eq!([0, 1, 2, 3, 4].map(|state| asked.from(state)), [5, 3, 2, 1, 1]);
    assert_eq!([0, 1, 2, 3, 4].map(|state| asked.through(state)), [5, 3, 4, 1, 4]);
    let through: u64 = map.edges_of(0).iter().map(|edge| asked.through_edge(*edge)).sum();
    assert_eq!(through, asked.from(0));
    // Each number is another way, and a way has its number.
    let ways: Vec<WayToEnd> = (1..=5).map(|n| asked.universe(n).unwrap()).collect();
    for (way, n) in ways.iter().zip(1..) {
        assert_eq!(way.universe, n);
        assert!(ways.iter().filter(|other| other.edges == way.edges).count() == 1);
    }
    assert_eq!(asked.universe(0), None);
    assert_eq!(asked.universe(6), None);
    assert_eq!(AskedGraph::shared(&ways[0], &ways[1]), 2);
}

#[test]
fn what_is_possible_and_what_is_certain() {
    let map = diamond();
    let asked = AskedGraph::of(&map);
    assert_eq!(asked.groups_from(0), [FAILS, WELL]);
    assert!(asked.is_possible(1, FAILS) && !asked.is_possible(2, FAILS));
    assert!(asked.is_certain(2, WELL) && !asked.is_certain(1, WELL) && asked.is_certain(3, FAILS));
    // A halt that can come at any time makes it uncertain, though no choice leads there.
    let mut map = diamond();
    map.open.push((2, 0));
    let asked = AskedGraph::of(&map);
    assert!(asked.is_possible(2, FAILS) && !asked.is_certain(2, WELL) && asked.is_possible(0, FAILS));
}

#[test]
fn the_choice_that_decides_is_the_first_after_which_it_is_unavoidable() {
    let map = diamond();
    let asked = AskedGraph::of(&map);
    let decisive = asked.decisive(FAILS).unwrap();
    assert_eq!(decisive.way.edges, [map.edges[0], map.edges[3]]);
    // At both places, another choice would have prevented it; after the second one it is unavoidable.
    assert_eq!(
        (decisive.first, decisive.last, decisive.always),
        (Some(0), Some(1), false)
    );
    assert_eq!(decisive.all, [(map.edges[3], 1)]);
    assert_eq!(decisive.turns[0].before, (1, 5));
    assert_eq!(decisive.turns[0].after, (1, 3));
    assert_eq!(asked.instead(map.edges[3], FAILS), [map.edges[2]]);
    // That all is well is decided in two places, the one with more universes first.
    let well = asked.decisive(WELL).unwrap();
    assert_eq!(well.all, [(map.edges[1], 2), (map.edges[2], 2)]);
    assert_eq!(asked.decisive(9), None);
}

#[test]
fn a_way_around_a_state() {
    let map = diamond();
    let asked = AskedGraph::of(&map);
    assert_eq!(asked.way(WELL, None).unwrap().edges.len(), 2);
    assert_eq!(asked.way(WELL, Some(2)), None);
    assert_eq!(asked.way(FAILS, Some(2)).unwrap().edges.len(), 2);
    let to = asked.to_state(4);
    assert_eq!(to.iter().map(|edge| edge.to).collect::<Vec<_>>(), [2, 4]);
    assert!(asked.to_state(0).is_empty());
}

#[test]
fn a_graph_without_choices_has_one_universe() {
    let one = map(&[], &[Some(0)]);
    let asked = AskedGraph::of(&one);
    assert_eq!(asked.from(0), 1);
    assert_eq!(asked.universe(1).unwrap().edges, []);
    let decisive = asked.decisive(FAILS).unwrap();
    assert!(decisive.always && decisive.first.is_none() && decisive.last.is_none());
    let none = map(&[], &[]);
    assert_eq!(AskedGraph::of(&none).universe(1), None);
}

#[test]
fn a_folded_graph_keeps_what_decides() {
    let map = diamond();
    let asked = AskedGraph::of(&map);
    let whole = folded(&asked, 10);
    let folds: Vec<(u64, &[u32])> = whole.folds.iter().map(|fold| (fold.states, &fold.groups[..])).collect();
    // Where both are possible (0 and 1); where all is well for certain (2 and 4); where it fails.
    assert_eq!(folds, [(2, &[FAILS, WELL][..]), (2, &[WELL]), (1, &[FAILS])]);
    let within: Vec<u64> = whole.folds.iter().map(|fold| fold.within).collect();
    assert_eq!(within, [1, 2, 0]);
    let bundles: Vec<(usize, usize, u64, u64)> = whole
        .bundles
        .iter()
        .map(|one| (one.from, one.to, one.choices, one.universes))
        .collect();
    assert_eq!(bundles, [(0, 1, 2, 4), (0, 2, 1, 1)]);
    // Too many kinds of states: the others are one.
    let few = folded(&asked, 2);
    assert_eq!(few.folds.len(), 2);
    assert_eq!(few.folds.iter().map(|fold| fold.states).sum::<u64>(), 5);
    assert!(few.folds[1].groups.is_empty());
}

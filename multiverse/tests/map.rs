//! The graph of universes: each path of it is a universe, and each universe is one. Answers against what a look at every path says.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use log_format::{Kind, Pid, Trace};
use multiverse::map::{AskedGraph, Book, Chain, Deed, Edge, Ending, Length, Map, SharedStep, WayToEnd, folded};
use multiverse::{Explorer, SearchBounds, Summary, UniverseOutcome};
use session::Session;
use session::player::Player;
use session::record::Text;
use system::Delivery;
use system::scheduler::Draws;

use super::{agree, oracle, text};

/// What each process went through: messages, timeouts, exit signals and a halt, in its order.
type Lives = Vec<Vec<Deed>>;

fn lives(player: &Player) -> Lives {
    let history = player.history();
    let life = |pid: Pid| {
        let log = history.stretch(pid, 0, history.length(pid).unwrap().unwrap()).unwrap();
        let deeds = log.iter().filter_map(|entry| match entry.action.kind {
            Kind::Rec(_) => Some(Deed::Receives),
            Kind::After => Some(Deed::TimesOut),
            Kind::Signal { .. } => Some(Deed::IsEnded),
            Kind::Halt { .. } => Some(Deed::Halts),
            _ => None,
        });
        deeds.collect::<Vec<_>>()
    };
    let mut all: Lives = history.processes().unwrap().into_iter().map(life).collect();
    all.retain(|life| !life.is_empty());
    all.sort();
    all
}

/// The same of a path.
fn spelled(map: &Map, way: &WayToEnd) -> Lives {
    let start = map.start.iter().map(|step| &map.steps[*step as usize]);
    let steps = start.chain(way.edges.iter().flat_map(|edge| map.steps_of(*edge)));
    let mut lives: BTreeMap<Pid, Vec<Deed>> = BTreeMap::new();
    for step in steps.filter(|step| matches!(step.deed, Deed::Receives | Deed::TimesOut | Deed::IsEnded | Deed::Halts))
    {
        lives.entry(step.pid).or_default().push(step.deed);
    }
    let mut all: Lives = lives.into_values().collect();
    all.sort();
    all
}

/// What a search finds.
struct Found {
    book: Book,
    summary: Summary,
    universes: Vec<(Lives, UniverseOutcome)>,
}

fn explored(program: &Text, bounds: SearchBounds, takes_back: bool) -> Found {
    let session = Session::of(Arc::new(Trace::from_bytes(program.blank().unwrap()).unwrap())).unwrap();
    let explorer = Explorer::new(&session, bounds, Arc::default()).unwrap().telling();
    let explorer = if takes_back { explorer.taking_back() } else { explorer };
    let (mut book, mut universes) = (Book::default(), Vec::new());
    let summary = explorer
        .run(|universe| {
            if universe.number == 1 {
                universes.clear();
            }
            book.note(universe)?;
            universes.push((lives(&universe.player()?), universe.outcome.clone()));
            Ok(true)
        })
        .unwrap();
    Found {
        book,
        summary,
        universes,
    }
}

/// An ending for each outcome.
fn ending(known: &mut Vec<UniverseOutcome>, outcome: &UniverseOutcome) -> Ending {
    known.push(outcome.clone());
    Ending {
        headline: format!("{outcome:?}"),
        details: Vec::new(),
        failure: outcome.is_failure(),
        group: known.len() as u32,
    }
}

/// Every path, with its outcome.
fn paths(map: &Map, outcomes: &[UniverseOutcome]) -> Vec<(Lives, UniverseOutcome)> {
    let asked = AskedGraph::of(map);
    let path = |number: u64| {
        let way = asked.universe(number).unwrap();
        assert_eq!(way.universe, number);
        let end = way.edges.last().map_or(0, |edge| edge.to);
        let ending = map.ends[end as usize].unwrap();
        (spelled(map, &way), outcomes[ending as usize].clone())
    };
    assert_eq!(asked.universe(asked.from(0) + 1), None);
    (1..=asked.from(0)).map(path).collect()
}

/// The graph of what was found has exactly these universes, whether equal states are merged or not. Returns how many states merging saves.
fn is_exact(mut found: Found, what: &str) -> usize {
    found.universes.sort();
    let count = found.universes.len();
    assert_eq!(found.book.len(), count, "{what}");
    let alike = found.book.alike();
    if alike > 0 {
        let map = found.book.into_map(false, |outcome| ending(&mut Vec::new(), outcome));
        assert_eq!(AskedGraph::of(&map).from(0) + alike, count as u64, "{what}");
        return 0;
    }
    let mut sizes = Vec::new();
    for merges in [false, true] {
        let mut outcomes = Vec::new();
        let book = std::mem::take(&mut found.book);
        let map = book.clone().into_map(merges, |outcome| ending(&mut outcomes, outcome));
        found.book = book;
        let asked = AskedGraph::of(&map);
        assert_eq!(asked.from(0), count as u64, "paths, merged: {merges}\n{what}");
        assert_eq!(map.universes, count as u64, "{what}");
        let mut paths = paths(&map, &outcomes);
        paths.sort();
        assert!(
            paths == found.universes,
            "the paths are not the universes, merged: {merges}\n{what}"
        );
        assert!(map.edges.iter().all(|edge| edge.from < edge.to), "{what}");
        sizes.push(map.states());
    }
    sizes[0] - sizes[1]
}

#[test]
fn each_path_is_a_universe() {
    let (mut programs, mut universes, mut saved) = (0, 0, 0);
    let bounds = |delivery, stall| SearchBounds {
        universes: Some(200),
        delivery,
        stall,
        ..SearchBounds::default()
    };
    let mut look = |source: &str, bounds: SearchBounds, takes_back: bool| {
        let found = explored(&text(source), bounds, takes_back);
        programs += 1;
        universes += found.universes.len();
        saved += is_exact(found, source);
    };
    for seed in seeds::seeds(15, 500) {
        let delivery = [Delivery::Causal, Delivery::Free][(seed % 2) as usize];
        look(&oracle::program(seed), bounds(delivery, None), seed % 3 == 0);
        for set in agree::SETS {
            look(&agree::program(seed, set), bounds(delivery, Some(100)), seed % 5 == 0);
        }
    }
    println!("{universes} universes of {programs} programs; merging saves {saved} states");
    assert!(programs > 100 && universes > 500 && saved > 100);
}

#[test]
fn both_searches_make_graphs_of_one_size() {
    for body in [
        "main() -> S = self(), [spawn(fun() -> S ! N end) || N <- [1, 2, 3]], [receive N -> N end || _ <- [1, 2, 3]].\n",
        "main() -> S = self(), [spawn(fun() -> S ! N end) || N <- [1, 2, 3]], lists:sum([receive N -> N end || _ <- [1, 2, 3]]).\n",
    ] {
        let size = |takes_back| {
            let found = explored(&text(body), SearchBounds::default(), takes_back);
            let complete = found.summary.is_complete();
            let map = found
                .book
                .into_map(complete, |outcome| ending(&mut Vec::new(), outcome));
            (map.universes, map.states(), map.edges.len())
        };
        assert_eq!(size(false), size(true), "{body}");
    }
}

#[test]
fn what_the_program_chooses_is_a_choice_in_both_searches() {
    for (body, expected) in [
        ("main() -> amb:choose([1, 2, 3]).\n", (3, 4, 3)),
        ("main() -> {amb:choose([a, a]), amb:choose([b, c])}.\n", (4, 4, 4)),
        (
            "main() -> S = self(), [spawn(fun() -> S ! {I, amb:choose([a, b])} end) || I <- [1, 2]], [receive M -> M end || _ <- [1, 2]].\n",
            (8, 15, 14),
        ),
    ] {
        for takes_back in [false, true] {
            let found = explored(&text(body), SearchBounds::default(), takes_back);
            let mut outcomes = Vec::new();
            let map = found
                .book
                .clone()
                .into_map(true, |outcome| ending(&mut outcomes, outcome));
            let mut picks = map.edges.iter().filter_map(|edge| map.choice(*edge));
            assert!(picks.any(|step| step.deed == Deed::Chooses), "{body}");
            let sizes = (map.universes, map.states(), map.edges.len());
            assert_eq!(sizes, expected, "{body} {takes_back}");
            is_exact(found, body);
        }
    }
}

#[test]
fn choices_that_differ_only_in_the_write_that_was_seen_are_told_apart() {
    let body = "main() -> register(boss, self()), spawn(fun() -> case whereis(boss) of undefined -> ok; _ -> ok end end), unregister(boss).\n";
    for takes_back in [false, true] {
        let found = explored(&text(body), SearchBounds::default(), takes_back);
        let map = found.book.into_map(true, |outcome| ending(&mut Vec::new(), outcome));
        assert_eq!((map.universes, map.edges.len()), (2, 2));
        let seen: BTreeSet<_> = map.edges.iter().map(|edge| map.choice(*edge).unwrap().action).collect();
        assert_eq!(seen, BTreeSet::from([Some(1), Some(3)]), "{takes_back}");
    }
}

/// Two choices that look alike, and lead to one state.
#[test]
fn universes_are_told_apart_by_their_choices_and_not_by_texts() {
    let mut map = random_map(1);
    let edge = |n| Edge {
        from: 0,
        to: 1,
        chain: 0,
        n,
    };
    map.edges = vec![edge(0), edge(1)];
    map.ends = vec![None, Some(0)];
    map.index();
    let asked = AskedGraph::of(&map);
    let [one, other] = [1, 2].map(|number| asked.universe(number).unwrap());
    assert_eq!((one.edges[0].n, other.edges[0].n), (0, 1));
    assert_eq!(AskedGraph::shared(&one, &other), 0);
    assert_eq!(asked.universe(3), None);
}

#[test]
fn states_that_are_equal_are_one() {
    // Which two of three came first does not matter, once they are added.
    let body = "main() -> S = self(), [spawn(fun() -> S ! N end) || N <- [1, 2, 3]], go(3, 0).\n\
                go(0, A) -> A;\ngo(K, A) -> receive N -> go(K - 1, A + N) end.\n";
    let found = explored(&text(body), SearchBounds::default(), false);
    let map = found.book.into_map(true, |outcome| ending(&mut Vec::new(), outcome));
    assert_eq!((map.universes, map.states(), map.edges.len()), (6, 5, 9));
    // A process that is there at the end knows the order: the ends differ.
    let body = "main() -> S = spawn(fun() -> wait([]) end), [spawn(fun() -> S ! N end) || N <- [1, 2, 3]], ok.\n\
                wait(L) -> receive N -> wait([N | L]) end.\n";
    let found = explored(&text(body), SearchBounds::default(), false);
    let map = found.book.into_map(true, |outcome| ending(&mut Vec::new(), outcome));
    assert_eq!(map.universes, 6);
    assert_eq!(map.ends.iter().flatten().count(), 6);
    assert_eq!(map.endings.len(), 1);
}

#[test]
fn a_halt_that_can_come_at_any_time_is_never_ruled_out() {
    let body = "main() -> spawn(fun() -> halt(3) end), S = self(), [spawn(fun() -> S ! N end) || N <- [1, 2]],\n    \
                receive N -> receive M -> halt(N - M + 5) end end.\n";
    let found = explored(&text(body), SearchBounds::default(), false);
    let count = found.universes.len() as u64;
    let mut outcomes = Vec::new();
    let map = found.book.into_map(true, |outcome| ending(&mut outcomes, outcome));
    let asked = AskedGraph::of(&map);
    assert_eq!(asked.from(0), count);
    let halts = outcomes
        .iter()
        .position(|outcome| format!("{:?}", outcome.end) == "Halted(3)")
        .unwrap() as u32
        + 1;
    // Wherever a message was taken, somebody can still halt the run.
    for edge in &map.edges {
        let takes = map.choice(*edge).is_some_and(|step| step.deed == Deed::Receives);
        assert!(!takes || map.ends[edge.to as usize].is_some() || asked.is_possible(edge.to, halts));
    }
}

/// A random graph: its states, each with an ending or with choices that lead on.
fn random_map(seed: u64) -> Map {
    let mut draws = Draws::new(seed, 1);
    let states = 2 + draws.below(12) as u32;
    let endings = 1 + draws.below(4) as u32;
    let mut map = Map {
        steps: vec![SharedStep {
            pid: Pid(1),
            deed: Deed::Receives,
            text: "m".to_owned(),
            said: None,
            from: None,
            action: None,
            place: String::new(),
        }],
        endings: (0..endings)
            .map(|number| Ending {
                headline: number.to_string(),
                details: Vec::new(),
                failure: number == 0,
                group: 1 + number / 2,
            })
            .collect(),
        ..Map::default()
    };
    for from in 0..states {
        let is_end = from + 1 == states || from > 0 && draws.below(3) == 0;
        map.ends.push(is_end.then(|| draws.below(u64::from(endings)) as u32));
        if is_end {
            continue;
        }
        for _ in 0..1 + draws.below(3) {
            let to = from + 1 + draws.below(u64::from(states - from - 1)) as u32;
            let chain = map.edges.len() as u32;
            map.edges.push(Edge { from, to, chain, n: 0 });
        }
    }
    let chain = Chain {
        steps: vec![0],
        choice: 0,
    };
    map.chains = vec![chain; map.edges.len()];
    map.index();
    let all = all_paths(&map);
    map.universes = all.len() as u64;
    let mut lengths: BTreeMap<u32, u64> = BTreeMap::new();
    for path in &all {
        *lengths.entry(path.last().map_or(0, |edge| edge.to)).or_default() += 1;
    }
    let length = |(end, universes)| Length {
        end,
        actions: 1,
        universes,
    };
    map.lengths = lengths.into_iter().map(length).collect();
    map
}

/// Every path, in order.
fn all_paths(map: &Map) -> Vec<Vec<Edge>> {
    let mut done = Vec::new();
    let mut work = vec![(0, Vec::new())];
    while let Some((state, path)) = work.pop() {
        if map.ends[state as usize].is_some() {
            done.push(path);
            continue;
        }
        for edge in map.edges_of(state).iter().rev() {
            let mut longer: Vec<Edge> = path.clone();
            longer.push(*edge);
            work.push((edge.to, longer));
        }
    }
    done
}

#[test]
fn answers_are_those_of_a_look_at_every_path() {
    for seed in seeds::seeds(200, 5_000) {
        let map = random_map(seed);
        let asked = AskedGraph::of(&map);
        let all = all_paths(&map);
        let end = |path: &Vec<Edge>| path.last().map_or(0, |edge| edge.to);
        let group = |path: &Vec<Edge>| map.endings[map.ends[end(path) as usize].unwrap() as usize].group;
        let has = |path: &Vec<Edge>, state: u32| state == 0 || path.iter().any(|edge| edge.to == state);
        for (path, number) in all.iter().zip(1..) {
            let way = asked.universe(number).unwrap();
            assert_eq!(way.edges, *path, "seed {seed}");
        }
        for state in 0..map.states() as u32 {
            let through: Vec<_> = all.iter().filter(|path| has(path, state)).collect();
            assert_eq!(asked.through(state), through.len() as u64, "seed {seed}");
            let groups: BTreeSet<u32> = through.iter().map(|path| group(path)).collect();
            if !through.is_empty() {
                assert_eq!(
                    asked.groups_from(state),
                    groups.iter().copied().collect::<Vec<_>>(),
                    "seed {seed}"
                );
            }
            for (of, through, around) in asked.around(state) {
                let count = |is: bool| {
                    all.iter()
                        .filter(|path| group(path) == of && has(path, state) == is)
                        .count()
                };
                assert_eq!(
                    (through, around),
                    (count(true) as u64, count(false) as u64),
                    "seed {seed}"
                );
                let avoiding = all.iter().filter(|path| group(path) == of && !has(path, state));
                let shortest = avoiding.map(Vec::len).min();
                assert_eq!(
                    asked.way(of, Some(state)).map(|way| way.edges.len()),
                    shortest,
                    "seed {seed}"
                );
            }
        }
        for ends in asked.ends() {
            let of: Vec<_> = all.iter().filter(|path| group(path) == ends.group).collect();
            assert_eq!(ends.universes, of.len() as u64, "seed {seed}");
            assert_eq!(
                ends.choices as usize,
                of.iter().map(|path| path.len()).min().unwrap(),
                "seed {seed}"
            );
            decides_as_every_path_says(&map, &asked, ends.group, &all, seed);
        }
        folds_to_as_many_universes(&map, &asked, seed);
    }
}

fn decides_as_every_path_says(map: &Map, asked: &AskedGraph<'_>, wanted: u32, all: &[Vec<Edge>], seed: u64) {
    let group = |path: &Vec<Edge>| {
        let end = path.last().map_or(0, |edge| edge.to);
        map.endings[map.ends[end as usize].unwrap() as usize].group
    };
    let found = asked.decisive(wanted).unwrap();
    // Of the paths that begin so: how many end so, and how many there are.
    let after = |begin: &[Edge]| {
        let begun = all.iter().filter(|path| path.starts_with(begin));
        let (mut so, mut count) = (0, 0);
        for path in begun {
            count += 1;
            so += u64::from(group(path) == wanted);
        }
        (so, count)
    };
    let way = &found.way.edges;
    for (turn, at) in found.turns.iter().zip(1..) {
        assert_eq!(turn.after, after(&way[..at]), "seed {seed}");
        assert_eq!(turn.before, after(&way[..at - 1]), "seed {seed}");
    }
    let certain = |(so, count): (u64, u64)| so == count;
    assert_eq!(found.always, certain(after(&[])), "seed {seed}");
    let last = (1..=way.len()).find(|at| certain(after(&way[..*at])) && !certain(after(&way[..*at - 1])));
    assert_eq!(found.last.map(|at| at + 1), last, "seed {seed}");
    let first = (1..=way.len()).find(|at| {
        let others = map.edges_of(way[at - 1].from).iter();
        let mut others = others.map(|other| [&way[..at - 1], &[*other]].concat());
        others.any(|begin| after(&begin).0 == 0)
    });
    assert_eq!(found.first.map(|at| at + 1), first, "seed {seed}");
    for at in 1..=way.len() {
        let others = map
            .edges_of(way[at - 1].from)
            .iter()
            .filter(|other| **other != way[at - 1]);
        let ends = |other: &Edge| after(&[&way[..at - 1], &[*other]].concat());
        let mut expected: Vec<Edge> = others.clone().copied().filter(|other| ends(other).0 == 0).collect();
        if expected.is_empty() {
            expected = others.copied().filter(|other| !certain(ends(other))).collect();
        }
        assert_eq!(asked.instead(way[at - 1], wanted), expected, "seed {seed}");
    }
}

fn folds_to_as_many_universes(map: &Map, asked: &AskedGraph<'_>, seed: u64) {
    for most in [1, 2, 100] {
        let folded = folded(asked, most);
        assert!(folded.folds.len() <= most.max(2), "seed {seed}");
        let states: u64 = folded.folds.iter().map(|fold| fold.states).sum();
        assert_eq!(states, map.states() as u64, "seed {seed}");
        let within: u64 = folded.folds.iter().map(|fold| fold.within).sum();
        let between: u64 = folded.bundles.iter().map(|bundle| bundle.choices).sum();
        assert_eq!(within + between, map.edges.len() as u64, "seed {seed}");
        if most == 100 {
            let ends = folded.folds.iter().filter(|fold| fold.groups.len() == 1);
            let ends: u64 = ends.map(|fold| fold.universes).sum();
            assert_eq!(ends, map.universes, "seed {seed}");
        }
    }
}

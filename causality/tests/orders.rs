//! Causes, consequences and orders against the brute-force closure, on simulated runs.

#![expect(clippy::unwrap_used, reason = "helpers of tests, outside of test functions")]

use std::collections::{BTreeMap, BTreeSet};

use causality::brute_force::BruteForce;
use causality::{
    CausalOrder, Conflicts, Future, Stretch, WaitTimes, causal_order, causes, causes_of_all, conflict_future,
    conflict_order, conflict_order_in_time, conflict_past, consequences, consequences_of_all, direct_causes,
};
use log_format::simulate::{Plan, SimulatedRun, simulate};
use log_format::{ActionId, Cut, Kind, Trace};
use proptest::prelude::*;

fn plans(most: u64) -> impl Strategy<Value = Plan> {
    (any::<u64>(), 1..most, 1usize..20, 1u64..200).prop_map(|(seed, actions, processes, cut_every)| Plan {
        seed,
        actions,
        processes,
        cut_every,
        messages_only: seed % 4 == 0,
    })
}

fn open(plan: Plan) -> (SimulatedRun, Trace) {
    let run = simulate(plan);
    let trace = Trace::from_bytes(run.bytes.clone()).unwrap();
    (run, trace)
}

fn names(slice: &Cut) -> BTreeSet<ActionId> {
    let all = slice.iter();
    all.flat_map(|last| (1..=last.number.0).map(move |n| ActionId::new(last.pid, n)))
        .collect()
}

fn future_names(future: &Future) -> BTreeSet<ActionId> {
    future.iter().flat_map(|suffix| suffix.iter()).collect()
}

/// Every action of an order, checked to come after its direct predecessors according to `direct`.
fn check_order(order: CausalOrder<'_>, slice: &Cut, direct: impl Fn(ActionId) -> BTreeSet<ActionId>) -> Vec<Stretch> {
    let mut done = BTreeSet::new();
    let mut stretches = Vec::new();
    for stretch in order {
        let stretch = stretch.unwrap();
        stretches.push(stretch);
        for name in stretch.iter() {
            for before in direct(name) {
                assert!(done.contains(&before), "{before:?} comes before {name:?}");
            }
            assert!(done.insert(name), "{name:?} twice");
        }
    }
    assert_eq!(done, names(slice));
    stretches
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn causes_are_the_closure(plan in plans(600), step in 1usize..20) {
        let (run, trace) = open(plan);
        let brute = BruteForce::causes(&trace).unwrap();
        for name in run.order.iter().step_by(step).copied() {
            let slice = causes(&trace, name).unwrap();
            prop_assert_eq!(names(&slice), brute.past(name));
            prop_assert_eq!(slice.actions(), names(&slice).len() as u64);
            prop_assert!(slice.contains(name) && !slice.contains(ActionId::new(name.pid, name.number.0 + 1)));
            let direct: BTreeSet<ActionId> =
                direct_causes(&trace, name).unwrap().into_iter().map(|edge| edge.from).collect();
            // Brute force lists the spawn for every action of a process, not only for its first.
            let mut expected = brute.direct(name);
            if name.number.0 > 1 && let Some(parent) = trace.process(name.pid).unwrap().parent && !direct.contains(&parent) {
                expected.remove(&parent);
            }
            prop_assert_eq!(direct, expected);
        }
    }

    #[test]
    fn consequences_are_the_closure(plan in plans(250), step in 5usize..30) {
        let (run, trace) = open(plan);
        let brute = BruteForce::causes(&trace).unwrap();
        for name in run.order.iter().step_by(step).copied() {
            let future = consequences(&trace, name).unwrap();
            prop_assert_eq!(future_names(&future), brute.future(name));
            prop_assert_eq!(future.actions(), future_names(&future).len() as u64);
        }
    }

    #[test]
    fn futures_of_many_are_the_union(plan in plans(250), every in 2usize..40) {
        let (run, trace) = open(plan);
        let chosen: Vec<ActionId> = run.order.iter().step_by(every).copied().collect();
        let brute = BruteForce::causes(&trace).unwrap();
        let union: BTreeSet<ActionId> = chosen.iter().flat_map(|name| brute.future(*name)).collect();
        prop_assert_eq!(future_names(&consequences_of_all(&trace, chosen.iter().copied()).unwrap()), union);
        let union: BTreeSet<ActionId> = chosen.iter().flat_map(|name| brute.past(*name)).collect();
        prop_assert_eq!(names(&causes_of_all(&trace, chosen.iter().copied()).unwrap()), union);
        let folded = chosen.iter().fold(Cut::default(), |all, ActionId { pid, number: n }| all.union(&causes(&trace, ActionId { pid: *pid, number: *n }).unwrap()));
        prop_assert_eq!(folded, causes_of_all(&trace, chosen).unwrap());
    }

    #[test]
    fn the_conflict_order_is_the_closure(plan in plans(200), step in 5usize..30) {
        let (run, trace) = open(plan);
        let conflicts = Conflicts::scan(&trace).unwrap();
        let brute = BruteForce::conflicts(&trace).unwrap();
        for name in run.order.iter().step_by(step).copied() {
            let past = conflict_past(&trace, &conflicts, name).unwrap();
            prop_assert_eq!(names(&past), brute.past(name));
            let future = conflict_future(&trace, &conflicts, name).unwrap();
            prop_assert_eq!(future_names(&future), brute.future(name));
            for (before, _) in conflicts.direct(&trace, name).unwrap() {
                prop_assert!(brute.direct(name).contains(&before));
            }
        }
        let whole = Cut::whole(&trace).unwrap();
        let order = conflict_order(&trace, &conflicts, &whole).unwrap();
        check_order(order, &whole, |name| brute.direct(name));
        // Whichever actions wait for the clock, the result is an order.
        let waits = |name: &ActionId| name.number.0.is_multiple_of(3).then_some((*name, name.number.0 * 7 % 50));
        let timeouts = run.order.iter().filter_map(waits).collect();
        let times = WaitTimes { timeouts, ..WaitTimes::default() };
        let order = conflict_order_in_time(&trace, &conflicts, &whole, times).unwrap();
        check_order(order, &whole, |name| brute.direct(name));
    }

    #[test]
    fn orders_respect_causes(plan in plans(1500), at in 0.0..1.0f64) {
        let (run, trace) = open(plan);
        if run.order.is_empty() {
            return Ok(());
        }
        let brute = BruteForce::causes(&trace).unwrap();
        let name = run.order[(run.order.len() as f64 * at) as usize];
        for slice in [causes(&trace, name).unwrap(), Cut::whole(&trace).unwrap()] {
            let once = check_order(causal_order(&trace, &slice).unwrap(), &slice, |name| brute.direct(name));
            let again: Vec<Stretch> = causal_order(&trace, &slice).unwrap().map(Result::unwrap).collect();
            prop_assert_eq!(&once, &again);
            // Stretches are as long as the order allows: adjacent ones belong to different processes.
            prop_assert!(once.windows(2).all(|pair| pair[0].pid != pair[1].pid));
        }
    }

    #[test]
    fn the_recorded_order_is_one(plan in plans(1000)) {
        let (run, trace) = open(plan);
        let brute = BruteForce::conflicts(&trace).unwrap();
        let place: BTreeMap<ActionId, usize> = run.order.iter().enumerate().map(|(i, name)| (*name, i)).collect();
        for name in &run.order {
            prop_assert!(brute.direct(*name).iter().all(|before| place[before] < place[name]));
        }
    }
}

#[test]
fn every_kind_of_action_occurs() {
    let mut words = BTreeMap::new();
    let mut tags = BTreeSet::new();
    for seed in 0..40 {
        let run = simulate(Plan {
            seed,
            actions: 500,
            processes: 12,
            cut_every: 100,
            messages_only: false,
        });
        for action in run.actions.values().flatten() {
            *words.entry(action.kind.word()).or_insert(0) += 1;
            if let Kind::Rec(tag) = action.kind {
                tags.insert(
                    tag.to_string()
                        .split('/')
                        .nth(1)
                        .map(|part| part.chars().next().is_some_and(|c| c == 'e')),
                );
            }
        }
    }
    assert_eq!(words.len(), 17, "{words:?}");
    assert_eq!(tags.len(), 2, "signals of ends are received too");
}

#[test]
fn a_slice_that_is_not_closed_is_refused() {
    let (run, trace) = open(Plan {
        seed: 3,
        actions: 400,
        processes: 8,
        cut_every: 50,
        messages_only: true,
    });
    let name = *run.order.last().unwrap();
    let pid = name.pid;
    let slice = causes(&trace, name).unwrap();
    assert!(slice.processes() > 1);
    let without: Cut = slice.iter().filter(|last| last.pid == pid).collect();
    assert!(causal_order(&trace, &without).unwrap().any(|stretch| stretch.is_err()));
    let too_long = Cut::from_iter([ActionId::new(pid, 1_000_000)]);
    assert!(causal_order(&trace, &too_long).is_err());
    assert!(causes(&trace, ActionId::new(pid, 1_000_000)).is_err());
    assert!(consequences(&trace, ActionId::new(pid, 0)).is_err());
}

/// A process was observed before its first action and has no actions: its birth is meant.
#[test]
fn the_future_of_a_birth_holds_who_observed_it() {
    let (run, trace) = open(Plan {
        seed: 15882264264939978449,
        actions: 168,
        processes: 6,
        cut_every: 1,
        messages_only: false,
    });
    let conflicts = Conflicts::scan(&trace).unwrap();
    let brute = BruteForce::conflicts(&trace).unwrap();
    for name in run.order {
        let future = conflict_future(&trace, &conflicts, name).unwrap();
        assert_eq!(future_names(&future), brute.future(name));
    }
}

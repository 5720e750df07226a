//! Record → replay gives the same states (semantics.md §7 and §8): over every fixture and generated programs, with many seeds, in memory.
//!
//! `DEEP=1 cargo test -p retell-tests -p retell-tracer -p retell-replayer record_replay::` runs many times as many programs.

use std::collections::{BTreeMap, BTreeSet};

use log_format::{Action, ActionId, Kind, Pid};
use seeds::{many, seeds};
use system::scheduler::{Random, RoundRobin, Scheduler};
use tests::generate::{self, Level};
use tests::memory::{self, CauseEdge, Prefixes, REPLAYED, RecordedRun, RunSubject, sort_of_resource, sort_of_tag};

fn generated(seed: u64) -> RunSubject {
    let level = match seed % 6 {
        0 | 3 => Level::Messages,
        5 => Level::Edges,
        _ => Level::Everything,
    };
    RunSubject::new("gen", &format!("gen{seed}.erl"), &generate::program(seed, level))
}

/// Different schedules, and so different causal orders.
fn schedules(seed: u64) -> [Box<dyn Scheduler>; 3] {
    [
        Box::new(RoundRobin::default()),
        Box::new(Random::new(seed ^ 0xabcd)),
        Box::new(Random::new(seed.wrapping_mul(31) + 5)),
    ]
}

/// Records a run and replays all of it in several schedules.
fn check_whole(subject: &RunSubject, seed: u64) -> u64 {
    let recorded = memory::record(subject, seed);
    for scheduler in schedules(seed) {
        let replayed = recorded.replay(None, scheduler);
        replayed.unwrap_or_else(|e| panic!("{}", recorded.keep(&e)));
    }
    recorded.actions()
}

/// Replays the causes of every k-th action alone.
fn check_parts(recorded: &RecordedRun, k: usize, first: usize) -> u64 {
    let mut checked = 0;
    for target in recorded.names().into_iter().skip(first % k).step_by(k) {
        let causes = recorded.causes(target, None);
        for scheduler in schedules(checked) {
            let replayed = replay_part(recorded, target, &causes, scheduler);
            replayed.unwrap_or_else(|e| panic!("{}", recorded.keep(&e)));
        }
        checked += 1;
    }
    checked
}

fn replay_part(
    recorded: &RecordedRun,
    target: ActionId,
    causes: &Prefixes,
    scheduler: Box<dyn Scheduler>,
) -> Result<(), String> {
    recorded.replay(Some(causes), scheduler).map_err(|error| {
        let ActionId { pid, number } = target;
        format!(
            "{error}\nafter a replay of the causes of {pid}/{number} alone: {:?}\n{causes:?}",
            recorded.action(target)
        )
    })
}

#[test]
fn every_fixture_replays_to_the_same_states() {
    let chosen = seeds(8, 256);
    for subject in RunSubject::fixtures() {
        for seed in chosen.clone() {
            check_whole(&subject, seed);
        }
    }
}

/// Programs whose output is captured from OTP: names, links, tables, nodes, OTP's behaviours.
#[test]
fn conformance_programs_replay_to_the_same_states() {
    let mut programs = 0;
    let chosen = seeds(1, 64);
    let subjects = REPLAYED.iter().flat_map(|area| RunSubject::conformance(area));
    for subject in seeds::share(subjects, 15) {
        programs += 1;
        let begun = std::time::Instant::now();
        let mut length = 0;
        for (tried, seed) in chosen.clone().enumerate() {
            // Describing every state costs time proportional to its size: long programs get fewer seeds.
            let actions = memory::length(&subject, seed);
            if actions > many(1_000, 20_000) || actions > 2_000 && tried >= 2 {
                continue;
            }
            let recorded = memory::record(&subject, seed);
            for scheduler in schedules(seed).into_iter().take(2) {
                let replayed = recorded.replay(None, scheduler);
                replayed.unwrap_or_else(|e| panic!("{}", recorded.keep(&e)));
            }
            let k = 1 + recorded.actions() as usize / 6;
            check_parts(&recorded, k, seed as usize);
            length = length.max(recorded.actions());
        }
        println!(
            "{:6.1} s {length:6} actions {}",
            begun.elapsed().as_secs_f64(),
            subject.name
        );
    }
    assert!(programs > many(4, 50), "only {programs} programs");
}

#[test]
fn generated_programs_replay_to_the_same_states() {
    let mut actions = 0;
    for seed in seeds(60, 5_000) {
        let subject = generated(seed);
        for schedule in 0..3 {
            actions += check_whole(&subject, seed * 4 + schedule);
        }
    }
    assert!(
        actions > many(1_000, 100_000),
        "the generated programs do too little: {actions} actions"
    );
}

#[test]
fn the_causes_of_an_action_alone_replay_to_the_same_states() {
    let mut checked = 0;
    for seed in seeds(60, 5_000) {
        let recorded = memory::record(&generated(seed), seed * 7);
        checked += check_parts(&recorded, 5, seed as usize);
    }
    let chosen = seeds(2, 64);
    for subject in RunSubject::fixtures() {
        for seed in chosen.clone() {
            let recorded = memory::record(&subject, seed);
            let k = 1 + recorded.actions() as usize / 40;
            checked += check_parts(&recorded, k, seed as usize);
        }
    }
    assert!(checked > many(200, 20_000), "only {checked} targets");
}

#[test]
fn causes_are_those_of_the_rules() {
    for seed in seeds(24, 1_000) {
        let subject = generated(seed);
        let recorded = memory::record(&subject, seed);
        let trace = memory::trace(&subject, seed);
        for (i, target) in recorded.names().into_iter().enumerate() {
            if i % 3 != 0 {
                continue;
            }
            let slice = causality::causes(
                &trace,
                ActionId {
                    pid: target.pid,
                    number: target.number,
                },
            )
            .unwrap_or_else(|e| panic!("{}: {e}", recorded.place));
            let expected: BTreeMap<Pid, u64> = recorded.causes(target, None);
            let found: BTreeMap<Pid, u64> = expected.keys().map(|pid| (*pid, slice.get(*pid))).collect();
            assert_eq!(found, expected, "{}: {target:?}", recorded.place);
            assert_eq!(
                slice.actions(),
                expected.values().sum::<u64>(),
                "{}: {target:?}",
                recorded.place
            );
        }
    }
}

/// Every kind of edge. A process that drops another's message (of a timer) has its reference from that process, so that another edge leads to
/// the send as well: that kind is left out.
const EDGES: &[CauseEdge] = &[
    CauseEdge::Program,
    CauseEdge::Birth,
    CauseEdge::Signal("rec", "sent"),
    CauseEdge::Signal("rec", "link"),
    CauseEdge::Signal("rec", "down"),
    CauseEdge::Signal("rec", "table"),
    CauseEdge::Signal("signal", "sent"),
    CauseEdge::Signal("signal", "link"),
    CauseEdge::Signal("drop", "down"),
    CauseEdge::Access("node"),
    CauseEdge::Access("name"),
    CauseEdge::Access("alive"),
    CauseEdge::Access("table"),
    CauseEdge::Access("key"),
    CauseEdge::Access("contents"),
    CauseEdge::Access("persistent"),
    CauseEdge::Access("env"),
    CauseEdge::Access("counter"),
    CauseEdge::Access("group_leader"),
    CauseEdge::Access("other"),
    CauseEdge::Observed,
];

/// The rules of semantics.md §3: a replay of "causes" without the edges of one kind fails somewhere. (Observations are in the log, so rule 5 is
/// not needed for this; the comparison below covers it.)
#[test]
fn no_kind_of_edge_can_be_left_out() {
    let mut missing: Vec<CauseEdge> = EDGES
        .iter()
        .copied()
        .filter(|edge| *edge != CauseEdge::Observed)
        .collect();
    for seed in 0..600 {
        if missing.is_empty() {
            break;
        }
        let recorded = memory::record(&generated(seed), seed);
        for target in recorded.names().into_iter().step_by(3) {
            let whole = recorded.causes(target, None);
            missing.retain(|edge| {
                let less = recorded.causes(target, Some(*edge));
                less == whole || replay_part(&recorded, target, &less, Box::new(RoundRobin::default())).is_ok()
            });
        }
    }
    assert!(missing.is_empty(), "no replay fails without {missing:?}");
}

/// The comparison with the rules would notice a missing kind of edge.
#[test]
fn the_comparison_of_causes_notices_every_kind_of_edge() {
    let mut missing = EDGES.to_vec();
    for seed in 0..600 {
        if missing.is_empty() {
            break;
        }
        let subject = generated(seed);
        let recorded = memory::record(&subject, seed);
        let trace = memory::trace(&subject, seed);
        for target in recorded.names().into_iter().step_by(5) {
            let slice = causality::causes(
                &trace,
                ActionId {
                    pid: target.pid,
                    number: target.number,
                },
            )
            .expect("a whole trace");
            missing.retain(|edge| {
                let less = recorded.causes(target, Some(*edge));
                slice.actions() == less.values().sum::<u64>() && less.iter().all(|(pid, n)| slice.get(*pid) == *n)
            });
        }
    }
    assert!(missing.is_empty(), "it makes no difference to leave out {missing:?}");
}

/// The kinds of an action, for the statistics.
fn sorts(action: &Action) -> Vec<String> {
    let mut sorts = vec![match &action.kind {
        Kind::Drop { tag, .. } => format!("drop({})", if tag.is_some() { "a signal" } else { "none" }),
        Kind::Start { ok, .. } => format!("start({})", if *ok { "ok" } else { "failed" }),
        Kind::Observe { of, .. } => format!("observe({})", if of.is_some() { "another" } else { "the system" }),
        Kind::Exit { class } => format!("exit({})", class.word()),
        Kind::Signal { waiting, .. } => format!("signal({})", if *waiting { "waiting" } else { "running" }),
        Kind::Rec(tag) => format!("rec({})", sort_of_tag(*tag)),
        other => other.word().to_owned(),
    }];
    for access in &action.accesses {
        let resource = sort_of_resource(access.resource);
        sorts.push(format!("{} {resource}", if access.write { "write" } else { "read" }));
    }
    sorts
}

/// Every kind of action occurs in at least 5 % of the programs of 50 actions or more.
#[test]
fn generated_programs_do_everything() {
    const WANTED: &[&str] = &[
        "spawn",
        "spawn_failed",
        "send",
        "rec(sent)",
        "rec(link)",
        "rec(down)",
        "rec(table)",
        "after",
        "signal(waiting)",
        "signal(running)",
        "drop(a signal)",
        "drop(none)",
        "access",
        "start(ok)",
        "start(failed)",
        "nodes",
        "observe(another)",
        "observe(the system)",
        "input",
        "output",
        "halt",
        "exit(normal)",
        "exit(error)",
        "exit(exit)",
        "exit(throw)",
        "read node",
        "write node",
        "read name",
        "write name",
        "read alive",
        "read table",
        "write table",
        "read key",
        "read contents",
        "write key",
        "read persistent",
        "write persistent",
        "read counter",
        "write counter",
        "read env",
        "write env",
        "read group_leader",
        "write group_leader",
    ];
    let (mut programs, mut actions) = (0_u32, 0);
    let mut found: BTreeMap<String, u32> = BTreeMap::new();
    for seed in 0..600 {
        let recorded = memory::record(
            &RunSubject::new("gen", "gen.erl", &generate::program(seed, Level::Everything)),
            seed,
        );
        if recorded.actions() < 50 {
            continue;
        }
        programs += 1;
        actions += recorded.actions();
        let here: BTreeSet<String> = recorded
            .names()
            .into_iter()
            .flat_map(|name| sorts(recorded.action(name)))
            .collect();
        for sort in here {
            *found.entry(sort).or_default() += 1;
        }
    }
    println!(
        "{programs} programs of 50 actions or more, {} actions each",
        actions / u64::from(programs.max(1))
    );
    for (sort, count) in &found {
        println!("{:5.1} %  {sort}", f64::from(*count) * 100.0 / f64::from(programs));
    }
    assert!(programs > 100, "only {programs} programs have 50 actions or more");
    let rare: Vec<&str> = WANTED
        .iter()
        .copied()
        .filter(|sort| found.get(*sort).copied().unwrap_or(0) * 20 < programs)
        .collect();
    assert!(rare.is_empty(), "in fewer than 5 % of the programs: {rare:?}");
}

//! What can follow a point of a recorded run: the universes of the program that go through this point, and no others.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use log_format::{ActionId, Cut, Pid, Trace};
use multiverse::identity::Identity;
use multiverse::{Explorer, Name, RecordedPoint, SearchBounds};
use session::Session;
use session::player::history::History;
use session::source::TraceLogs;
use system::Delivery;
use system::scheduler::{Draws, Jitter, Schedule};

use super::agree::{SETS, program};
use super::oracle::name_of;
use super::text;

/// Programs with more universes are left out.
const UNIVERSES: u64 = 100;

/// The universes of a session, each as a trace; from a point on, if one is given. `None` if there are too many, or others.
fn universes(session: &Session, from: Option<&RecordedPoint>, takes_back: bool) -> Option<Vec<Vec<u8>>> {
    let bounds = SearchBounds {
        universes: Some(UNIVERSES),
        delivery: Delivery::Free,
        stall: None,
        ..SearchBounds::default()
    };
    let mut explorer = Explorer::new(session, bounds, Arc::default()).unwrap();
    if takes_back {
        explorer = explorer.taking_back();
    }
    if let Some(from) = from {
        explorer = explorer.from(from.clone());
    }
    let mut all = Vec::new();
    let summary = explorer.run(|universe| {
        if universe.number == 1 {
            all.clear();
        }
        all.push(universe.player()?.save(0)?);
        Ok(true)
    });
    summary.unwrap().is_complete().then_some(all)
}

fn history(bytes: &[u8]) -> History {
    let trace = Arc::new(Trace::from_bytes(bytes.to_vec()).unwrap());
    History::of(Arc::clone(&trace), TraceLogs::new(trace).unwrap())
}

/// Processes by their births: that of a child is that of its parent, and its number among the children.
fn births(history: &History) -> BTreeMap<Vec<usize>, Pid> {
    let mut spawned: Vec<(ActionId, Pid)> = Vec::new();
    let mut paths: BTreeMap<Pid, Vec<usize>> = BTreeMap::new();
    for pid in history.processes().unwrap() {
        match history.parent(pid).unwrap() {
            Some(birth) => spawned.push((birth, pid)),
            None => _ = paths.insert(pid, Vec::new()),
        }
    }
    spawned.sort_unstable();
    while paths.len() < spawned.len() + 1 {
        let mut born: BTreeMap<Pid, usize> = BTreeMap::new();
        for (birth, pid) in &spawned {
            let number = born.entry(birth.pid).or_default();
            if let Some(parent) = paths.get(&birth.pid).cloned() {
                paths.insert(*pid, [parent, vec![*number]].concat());
            }
            *number += 1;
        }
    }
    paths.into_iter().map(|(pid, path)| (path, pid)).collect()
}

/// Does a run go through the point of another run where these actions have happened?
fn goes_through(universe: &[u8], recorded: &History, cut: &Cut) -> bool {
    let other = history(universe);
    let (known, own) = (births(recorded), births(&other));
    let mut there = Cut::default();
    for (path, pid) in &known {
        if cut.get(*pid) == 0 {
            continue;
        }
        let Some(pid_there) = own.get(path) else { return false };
        if other.length(*pid_there).unwrap().unwrap_or(0) < cut.get(*pid) {
            return false;
        }
        there.set(*pid_there, cut.get(*pid));
    }
    let trace = Trace::from_bytes(universe.to_vec()).unwrap();
    let conflicts = causality::Conflicts::scan(&trace).unwrap();
    let closed = causality::conflict_past_of_all(&trace, &conflicts, there.iter()).unwrap();
    if closed.actions() != there.actions() {
        return false;
    }
    let part = |history: &History, cut: &Cut| Identity::of_part(history, cut).unwrap().whole();
    part(&other, &there) == part(recorded, cut)
}

#[test]
fn what_can_follow_a_point_goes_through_it() {
    let (mut compared, mut universes_in_all) = (0, 0);
    for seed in seeds::seeds(3, 60) {
        for set in SETS {
            let source = program(seed, set);
            let text = text(&source);
            let (scheduler, _) = Schedule::Walk.scheduler(seed, Jitter::new(seed, 1_000_000_000));
            let (_, bytes) = text.record_under(scheduler, Delivery::Free).unwrap();
            let session = Session::of(Arc::new(Trace::from_bytes(bytes.clone()).unwrap())).unwrap();
            let Some(all) = universes(&session, None, false) else {
                continue;
            };
            let recorded = history(&bytes);
            let names: BTreeSet<Name> = all.iter().map(|one| name_of(one.clone())).collect();
            assert!(
                names.contains(&name_of(bytes.clone())),
                "the recorded run is none: seed {seed} {set}\n{source}"
            );
            let mut draws = Draws::new(seed, 5);
            for before in [true, false] {
                let pids = recorded.processes().unwrap();
                let pid = pids[draws.below(pids.len() as u64) as usize];
                let length = recorded.length(pid).unwrap().unwrap_or(0);
                if length == 0 {
                    continue;
                }
                let target = ActionId::new(pid, 1 + draws.below(length));
                let from = RecordedPoint::of(&session, &causality::Point::from(target), before).unwrap();
                let expected: BTreeSet<Name> = all
                    .iter()
                    .filter(|universe| goes_through(universe, &recorded, from.cut()))
                    .map(|universe| name_of(universe.clone()))
                    .collect();
                for takes_back in [false, true] {
                    let Some(found) = universes(&session, Some(&from), takes_back) else {
                        continue;
                    };
                    let told = found.len();
                    let found: BTreeSet<Name> = found.into_iter().map(name_of).collect();
                    let where_ =
                        format!("seed {seed} {set} {target} before: {before}, takes back: {takes_back}\n{source}");
                    assert_eq!(told, found.len(), "a universe was told twice: {where_}");
                    assert!(found == expected, "{} of {}: {where_}", found.len(), expected.len());
                    compared += 1;
                    universes_in_all += told;
                }
            }
        }
    }
    println!("{compared} points, {universes_in_all} universes");
    assert!(compared > 30);
}

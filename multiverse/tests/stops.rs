//! The debugger for all universes: breakpoints add no universe and hide none ([TL19, Theorem 1]), and every universe that comes to one stops there.

use std::collections::BTreeSet;
use std::sync::Arc;

use log_format::{Kind, Pid, Trace};
use multiverse::debugger::{Debugger, UniversePoint};
use multiverse::stops::{At, Breakpoint};
use multiverse::{Name, SearchBounds};
use session::record::Text;
use session::{Error, Session};
use system::Delivery;
use system::scheduler::Draws;

use super::agree::{SETS, program};
use super::text;

/// Programs with more universes, or more places where they stop, are left out.
const UNIVERSES: u64 = 60;
const PAUSED: usize = 400;

fn debugger(program: &Text, bounds: SearchBounds) -> (Session, Debugger) {
    let session = Session::of(Arc::new(Trace::from_bytes(program.blank().unwrap()).unwrap())).unwrap();
    let debugger = Debugger::new(&session, bounds, 1, Arc::default()).unwrap();
    (session, debugger)
}

/// The universes that end when all go on from a point; and which processes received in them, or ended.
fn ends(debugger: &Debugger, from: &UniversePoint) -> Option<BTreeSet<Name>> {
    let mut names = BTreeSet::new();
    let went = debugger.go_on(from, Vec::new(), |name, _| {
        assert!(names.insert(name), "a universe was told twice");
        Ok(())
    });
    match went {
        Ok(went) if went.summary.stopped.is_none() => Some(names),
        Ok(_) => None,
        // What only the older search explores.
        Err(Error::Usage(_)) => None,
        Err(error) => panic!("{error}"),
    }
}

/// The place of a breakpoint, by a number.
fn at(number: u64) -> At {
    match number {
        0 => At::Receive,
        1 => At::Send,
        2 => At::Action,
        3 => At::Exit,
        4 => At::Timeout,
        number => At::Line {
            file: "m.erl".into(),
            line: number as u32,
        },
    }
}

fn breakpoints(seed: u64, source: &str) -> Vec<Breakpoint> {
    let mut draws = Draws::new(seed, 11);
    let lines = source.lines().count() as u64;
    let one = |draws: &mut Draws| {
        let at = at(draws.below(6 + lines));
        match draws.below(2) {
            0 => Breakpoint::new(at),
            _ => Breakpoint::of(Pid(1 + draws.below(3)), at),
        }
    };
    (0..1 + draws.below(2)).map(|_| one(&mut draws)).collect()
}

#[test]
fn breakpoints_neither_add_nor_hide_universes() {
    let (mut compared, mut stopped) = (0, 0);
    for seed in seeds::seeds(4, 100) {
        for set in SETS {
            for (delivery, stall) in [(Delivery::Causal, Some(100)), (Delivery::Free, None)] {
                let source = program(seed, set);
                let bounds = SearchBounds {
                    universes: Some(UNIVERSES),
                    delivery,
                    stall,
                    ..SearchBounds::default()
                };
                let (_, debugger) = debugger(&text(&source), bounds);
                let Some(all) = ends(&debugger, &UniversePoint::default()) else {
                    continue;
                };
                let stops = || breakpoints(seed, &source);
                let told = format!(
                    "seed {seed} {set} {delivery}:\n{source}\n{:?}",
                    stops().iter().map(|one| (&one.by, &one.at)).collect::<Vec<_>>()
                );
                let mut found = BTreeSet::new();
                let mut open = vec![UniversePoint::default()];
                let mut known = BTreeSet::new();
                while let Some(point) = open.pop() {
                    let went = debugger.go_on(&point, stops(), |name, _| {
                        found.insert(name);
                        Ok(())
                    });
                    for one in went.unwrap().paused {
                        if known.len() < PAUSED && known.insert(one.name) {
                            let come = ends(&debugger, &one.point).unwrap();
                            assert!(!come.is_empty(), "no universe comes there: {one:?}\n{told}");
                            assert!(come.is_subset(&all), "{one:?}\n{told}");
                            open.push(one.beyond());
                        }
                    }
                }
                assert!(found.is_subset(&all), "universes that are none: {told}");
                assert!(
                    found == all || known.len() == PAUSED,
                    "universes are missed: {found:?} of {all:?}, {told}"
                );
                compared += 1;
                stopped += known.len();
            }
        }
    }
    println!("{compared} programs, paused {stopped} times");
    assert!(compared > 30 && stopped > 100, "{compared} {stopped}");
}

/// The universes that end without stopping are those in which nobody does such a thing.
#[test]
fn every_universe_that_comes_to_a_breakpoint_stops_there() {
    let mut compared = 0;
    for seed in seeds::seeds(6, 100) {
        for set in SETS {
            let source = program(seed, set);
            let bounds = SearchBounds {
                universes: Some(UNIVERSES),
                ..SearchBounds::default()
            };
            let (_, debugger) = debugger(&text(&source), bounds);
            if ends(&debugger, &UniversePoint::default()).is_none() {
                continue;
            }
            for number in 0..5 {
                let meets = |kind: &Kind| match at(number) {
                    At::Receive => matches!(kind, Kind::Rec(_)),
                    At::Send => matches!(kind, Kind::Send),
                    At::Exit => matches!(kind, Kind::Exit { .. } | Kind::Signal { .. }),
                    At::Timeout => matches!(kind, Kind::After),
                    _ => true,
                };
                let pid = Pid(1 + seed % 3);
                let mut expected = BTreeSet::new();
                debugger
                    .go_on(&UniversePoint::default(), Vec::new(), |name, universe| {
                        let player = universe.player()?;
                        let length = player.history().length(pid)?.unwrap_or(0);
                        let mut comes = false;
                        for n in 1..=length {
                            comes |= meets(&player.history().action(pid, n)?.kind);
                        }
                        if !comes {
                            expected.insert(name);
                        }
                        Ok(())
                    })
                    .unwrap();
                let mut found = BTreeSet::new();
                let went = debugger.go_on(
                    &UniversePoint::default(),
                    vec![Breakpoint::of(pid, at(number))],
                    |name, _| {
                        found.insert(name);
                        Ok(())
                    },
                );
                let paused = went.unwrap().paused;
                assert!(paused.iter().all(|one| one.pid == pid));
                assert!(
                    found == expected,
                    "seed {seed} {set}, {pid} {:?}:\n{source}",
                    at(number)
                );
                compared += 1;
            }
        }
    }
    assert!(compared > 100);
}

/// A run that halts is told once, whatever else had been done where it was paused.
#[test]
fn breakpoints_and_halts() {
    for (body, universes) in [
        ("main() -> spawn(fun() -> halt(7) end), ok.\n", 1),
        (
            "main() -> Me = self(), spawn(fun() -> Me ! a end), spawn(fun() -> Me ! b end), receive b -> halt(4); a -> ok end.\n",
            2,
        ),
        (
            "main() -> Me = self(), spawn(fun() -> Me ! a end), spawn(fun() -> halt(7) end), spawn(fun() -> exit(bad) end), receive X -> X end.\n",
            2,
        ),
    ] {
        let (_, debugger) = debugger(&text(body), SearchBounds::default());
        let all = ends(&debugger, &UniversePoint::default()).unwrap();
        assert_eq!(all.len(), universes, "{body}");
        for number in 0..4 {
            let stops = || vec![Breakpoint::new(at(number))];
            let (mut found, mut open) = (BTreeSet::new(), vec![UniversePoint::default()]);
            while let Some(point) = open.pop() {
                let went = debugger.go_on(&point, stops(), |name, _| {
                    found.insert(name);
                    Ok(())
                });
                open.extend(went.unwrap().paused.iter().map(multiverse::debugger::Paused::beyond));
            }
            assert!(
                found == all,
                "{:?}: {} of {}: {body}",
                at(number),
                found.len(),
                all.len()
            );
        }
    }
}

/// What an end causes does not stop beside it.
#[test]
fn what_comes_of_a_stop_is_none_of_its_own() {
    let body = "main() -> Me = self(), P = spawn(fun() -> receive x -> ok end end),\n    \
                spawn(fun() -> link(P), Me ! linked, receive y -> ok end end), receive linked -> ok end, exit(P, kill), ok.\n";
    let (_, debugger) = debugger(&text(body), SearchBounds::default());
    let stops = || vec![Breakpoint::of(Pid(2), At::Exit), Breakpoint::of(Pid(3), At::Exit)];
    let nothing = |_: Name, _: &multiverse::Universe<'_>| Ok(());
    let first = debugger
        .go_on(&UniversePoint::default(), stops(), nothing)
        .unwrap()
        .paused;
    assert_eq!(first.iter().map(|one| one.pid).collect::<Vec<_>>(), [Pid(2)]);
    let next = debugger.go_on(&first[0].beyond(), stops(), nothing).unwrap().paused;
    assert_eq!(next.iter().map(|one| one.pid).collect::<Vec<_>>(), [Pid(3)]);
}

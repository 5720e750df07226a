//! In a prefix of a run, times are the same as in the whole, and the stall is not greater.

use std::fmt::Write as _;
use std::sync::Arc;

use causality::{Conflicts, conflict_past};
use delay::Measure;
use log_format::ActionId;
use session::{Error, Goal, Session};
use system::scheduler::Draws;

use super::record;

/// A program with waits: a few processes, each with a few steps, and the main process.
pub(super) fn program(seed: u64) -> String {
    let mut draws = Draws::new(seed, 11);
    let processes = 1 + draws.below(4);
    let mut out = String::from("main() ->\n    S = self(),\n    T = ets:new(t, [public]),\n");
    for p in 1..=processes {
        let spawn = ["spawn", "spawn", "spawn", "spawn_link", "spawn_monitor"][draws.below(5) as usize];
        let pid = if spawn == "spawn_monitor" {
            format!("{{P{p}, _}}")
        } else {
            format!("P{p}")
        };
        let _ = writeln!(out, "    {pid} = {spawn}(fun() ->");
        for i in 0..1 + draws.below(6) {
            let step = step(&mut draws, p - 1, p * 10 + i);
            let _ = writeln!(out, "        {step},");
        }
        out.push_str("        ok end),\n");
    }
    for i in 0..draws.below(8) {
        let step = step(&mut draws, processes, i);
        let _ = writeln!(out, "    {step},");
    }
    out.push_str("    ok.\n");
    out
}

/// One step of a process that knows the main process and the first `known` others.
fn step(draws: &mut Draws, known: u64, n: u64) -> String {
    let to = match draws.below(known + 1) {
        0 => "S".to_owned(),
        p => format!("P{p}"),
    };
    let key = ["a", "b"][draws.below(2) as usize];
    let ms = [0, 1, 10, 50, 300][draws.below(5) as usize];
    match draws.below(24) {
        0..=4 => format!("{to} ! {{{key}, {n}}}"),
        5 | 6 => format!("receive V{n} -> V{n} after {ms} -> none end"),
        7..=9 => format!("receive {{{key}, V{n}}} -> V{n} after {ms} -> late end"),
        10 => format!("receive after {ms} -> ok end"),
        11 => format!("ets:insert(T, {{{key}, {n}}})"),
        12 => format!("ets:lookup(T, {key})"),
        13 => format!("ets:update_counter(T, {key}, 1, {{{key}, 0}})"),
        14 => format!("catch register({key}, self())"),
        15 => format!("case whereis({key}) of undefined -> no; W{n} -> W{n} ! {{{key}, {n}}} end"),
        16 => format!("exit({to}, {})", ["kill", "gone"][draws.below(2) as usize]),
        17 => format!("M{n} = monitor(process, {to}), demonitor(M{n}, [flush])"),
        18 => format!("monitor(process, {to})"),
        19 => "process_flag(trap_exit, true)".to_owned(),
        20 => format!("erlang:send_after({ms}, {to}, {{{key}, {n}}})"),
        21 => format!(
            "C{n} = erlang:send_after({ms}, {to}, {{{key}, {n}}}), receive after 10 -> ok end, erlang:cancel_timer(C{n})"
        ),
        22 => format!("is_process_alive({to})"),
        _ => "ets:tab2list(T)".to_owned(),
    }
}

#[test]
fn what_is_said_of_a_prefix_holds_in_the_whole() {
    let (mut prefixes, mut stalled, mut seed) = (0, 0, 0);
    let wanted = seeds::many(200, 2_000);
    let seeds = seeds::seeds(10_000, 10_000);
    for number in seeds {
        if prefixes >= wanted {
            break;
        }
        seed = number;
        let body = program(number);
        let session = record(&body, number, [0, 20, 1_000][(number % 3) as usize]);
        let trace = Arc::clone(session.trace());
        let whole = goal(&session, &Goal::everything());
        let conflicts = Conflicts::scan(&trace).unwrap();
        let all: Vec<ActionId> = trace
            .processes()
            .flat_map(|process| {
                let process = process.unwrap();
                (1..=process.counts.actions).map(move |n| ActionId::new(process.pid, n))
            })
            .collect();
        let mut draws = Draws::new(number, 13);
        for _ in 0..8 {
            let (one, other) = (
                &all[draws.below(all.len() as u64) as usize],
                &all[draws.below(all.len() as u64) as usize],
            );
            let past = |id| conflict_past(&trace, &conflicts, id).unwrap();
            let cut = past(*one).union(&past(*other));
            // What the logs alone do not determine: a cut that cannot be replayed by itself is none.
            let Some(part) = prefix(&session, &Goal::causes(cut.clone())) else {
                continue;
            };
            for id in all.iter().filter(|id| cut.contains(**id)) {
                assert_eq!(
                    part.time(*id),
                    whole.time(*id),
                    "{id:?} of {one:?} and {other:?}, seed {number}:\n{body}"
                );
            }
            let (least, most) = (part.stall(None).ms, whole.stall(None).ms);
            assert!(
                least <= most,
                "{least} > {most}: {one:?}, {other:?}, seed {number}:\n{body}"
            );
            stalled += u64::from(least > 0);
            prefixes += 1;
        }
    }
    println!("{prefixes} prefixes, {stalled} with a stall; last seed {seed}");
    assert!(prefixes >= wanted && stalled > 0);
}

fn prefix(session: &Session, goal: &Goal) -> Option<Measure> {
    let replay = |probe| Ok::<_, Error>(session.replay(goal, probe)?.into_observer());
    Measure::bound(replay).ok()?
}

fn goal(session: &Session, of: &Goal) -> Measure {
    prefix(session, of).unwrap()
}

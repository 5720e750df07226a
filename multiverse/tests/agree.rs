//! The search by graphs against the search that takes back: both visit the same universes of generated programs.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::Arc;

use log_format::Trace;
use multiverse::{Explorer, Name, SearchBounds};
use session::Session;
use session::player::Player;
use session::record::Text;
use system::Delivery;
use system::scheduler::Draws;

use super::oracle::{name_of, printed};
use super::text;

/// Programs with more universes are left out.
const UNIVERSES: u64 = 300;

/// What processes do, by the first letter of a set: messages always, and timeouts, kills, links, names, keys of a table, persistent terms, calls,
/// choices of `amb`, looks at all of a table (`s`), step by
/// step (`f`), counters (`x`), exit signals to itself (`q`).
pub(super) const SETS: &[&str] = &[
    "", "a", "ka", "kl", "n", "tu", "tum", "tup", "g", "ca", "ck", "cn", "ts", "tsum", "tsk", "x", "xa", "xk", "xts",
    "q", "qk", "ql", "tsf",
];

/// The universes, or `None` if there are too many. No universe is told twice.
fn explored(program: &Text, bounds: SearchBounds, takes_back: bool) -> Option<BTreeSet<Name>> {
    let mut names = BTreeSet::new();
    let all = each(program, bounds, takes_back, |number, name, _| {
        if number == 1 {
            names.clear();
        }
        assert!(names.insert(name), "a universe was told twice");
    });
    all.then_some(names)
}

/// The universes that one search finds, and these names do not have.
fn others(program: &Text, bounds: SearchBounds, takes_back: bool, known: &BTreeSet<Name>) -> String {
    let mut all = String::new();
    each(program, bounds, takes_back, |_, name, player| {
        if !known.contains(&name) {
            let _ = writeln!(
                all,
                "only if taking back is {takes_back}:\n{}",
                printed(player.history())
            );
        }
    });
    all
}

/// Tells each universe. False: there are too many.
fn each(program: &Text, bounds: SearchBounds, takes_back: bool, mut told: impl FnMut(u64, Name, &Player)) -> bool {
    let session = Session::of(Arc::new(Trace::from_bytes(program.blank().unwrap()).unwrap())).unwrap();
    let explorer = Explorer::new(&session, bounds, Arc::default()).unwrap();
    let explorer = if takes_back { explorer.taking_back() } else { explorer };
    let summary = explorer.run(|universe| {
        let player = universe.player()?;
        let name = name_of(player.save(0)?);
        told(universe.number, name, &player);
        Ok(true)
    });
    summary.unwrap().stopped.is_none()
}

/// Does it do something that only the older search explores?
fn is_for_the_older(program: &Text, bounds: SearchBounds) -> bool {
    let session = Session::of(Arc::new(Trace::from_bytes(program.blank().unwrap()).unwrap())).unwrap();
    // The older search does not have this bound.
    let bounds = SearchBounds {
        delays: Some(u32::MAX),
        ..bounds
    };
    let explorer = Explorer::new(&session, bounds, Arc::default()).unwrap();
    explorer.run(|_| Ok(true)).is_err()
}

pub(super) fn program(seed: u64, set: &str) -> String {
    let mut draws = Draws::new(seed, 7);
    let processes = 1 + draws.below(3);
    let mut out = String::from("main() ->\n    S = self(),\n");
    if set.contains('t') {
        out.push_str("    T = ets:new(t, [public]),\n");
    }
    if set.contains('x') {
        out.push_str("    C = atomics:new(2, []),\n");
    }
    for p in 1..=processes {
        let spawn = match set.contains('l') {
            true => ["spawn", "spawn", "spawn_link", "spawn_monitor"][draws.below(4) as usize],
            false => "spawn",
        };
        let pid = match spawn {
            "spawn_monitor" => format!("{{P{p}, _}}"),
            _ => format!("P{p}"),
        };
        let _ = writeln!(out, "    {pid} = {spawn}(fun() ->");
        for i in 0..1 + draws.below(3) {
            let step = step(&mut draws, p - 1, p * 10 + i, set);
            let _ = writeln!(out, "        {step},");
        }
        out.push_str("        ok end),\n");
    }
    for i in 0..draws.below(4) {
        let step = step(&mut draws, processes, i, set);
        let _ = writeln!(out, "    {step},");
    }
    out.push_str("    ok.\n");
    out
}

/// One step of a process that knows the main process and the first `known` others.
fn step(draws: &mut Draws, known: u64, n: u64, set: &str) -> String {
    let to = match draws.below(known + 1) {
        0 => "S".to_owned(),
        p => format!("P{p}"),
    };
    let key = ["a", "b"][draws.below(2) as usize];
    let after = [50, 1000][draws.below(2) as usize];
    let mut kinds = vec!["send", "send", "send", "send", "any", "key"];
    for (letter, more) in [
        ('a', &["poll", "poll", "wait"][..]),
        ('k', &["exit"]),
        ('n', &["register", "whereis", "register", "whereis"]),
        ('u', &["insert", "lookup", "count"]),
        ('m', &["both", "both", "all"]),
        ('p', &["put", "get", "get", "name"]),
        (
            's',
            &[
                "insert", "insert", "lookup", "scan", "scan", "size", "sweep", "empty", "first",
            ],
        ),
        (
            'x',
            &["add", "add", "add", "add", "sum", "sum", "tell", "reset", "swap"],
        ),
        ('q', &["quit"]),
        ('f', &["fold"]),
        ('c', &["choose", "choose", "perhaps"]),
        ('g', &["flush", "info", "call", "call", "reply", "reply"]),
    ] {
        if set.contains(letter) {
            kinds.extend(more);
        }
    }
    match kinds[draws.below(kinds.len() as u64) as usize] {
        "send" => format!("{to} ! {{{key}, {n}}}"),
        "any" => format!("receive V{n} -> V{n} end"),
        "key" => format!("receive {{{key}, V{n}}} -> V{n} end"),
        "poll" => format!("receive V{n} -> V{n} after 0 -> none end"),
        "wait" => format!("receive {{{key}, V{n}}} -> V{n} after {after} -> late end"),
        "exit" => format!("exit({to}, {})", ["kill", "gone"][draws.below(2) as usize]),
        "register" => format!("catch register({key}, self())"),
        "whereis" => format!("case whereis({key}) of undefined -> no; W{n} -> W{n} ! {{{key}, {n}}} end"),
        "insert" => format!("ets:insert(T, {{{key}, {n}}})"),
        "lookup" => format!("ets:lookup(T, {key})"),
        "both" => {
            let other = ["b", "c"][draws.below(2) as usize];
            format!("ets:insert(T, [{{{key}, {n}}}, {{{other}, {n}}}])")
        }
        "all" => "[ets:lookup(T, K) || K <- [a, b, c]]".to_owned(),
        "scan" => ["ets:tab2list(T)", "ets:select(T, [{{'$1', '_'}, [], ['$1']}])"][draws.below(2) as usize].to_owned(),
        "size" => "ets:info(T, size)".to_owned(),
        "sweep" => format!("ets:match_delete(T, {{'_', {}}})", [n, n / 2][draws.below(2) as usize]),
        "empty" => "ets:delete_all_objects(T)".to_owned(),
        "first" => "ets:first(T)".to_owned(),
        "add" => format!("atomics:add(C, {}, {n})", 1 + draws.below(2)),
        "sum" => format!("{to} ! {{{key}, atomics:get(C, {})}}", 1 + draws.below(2)),
        "tell" => format!("atomics:add_get(C, 1, {n})"),
        "reset" => format!("atomics:put(C, {}, {n})", 1 + draws.below(2)),
        "swap" => format!("atomics:compare_exchange(C, 1, 0, {n})"),
        "quit" => format!("exit(self(), {})", ["kill", "gone", "normal"][draws.below(3) as usize]),
        "fold" => format!("ets:foldl(fun(_, N{n}) -> N{n} + 1 end, 0, T)"),
        "count" => format!("ets:update_counter(T, {key}, 1, {{{key}, 0}})"),
        "put" => format!("persistent_term:put({key}, {n})"),
        "get" => format!("persistent_term:get({key}, none)"),
        "name" => format!("catch {key} ! {{{key}, {n}}}"),
        "choose" => format!("{to} ! {{amb:choose([a, b]), {n}}}"),
        "perhaps" => format!("case amb:choose([x, y, z]) of x -> {to} ! {{{key}, {n}}}; _ -> no end"),
        "flush" => format!("begin M{n} = monitor(process, {to}), demonitor(M{n}, [flush]) end"),
        "info" => {
            format!("begin M{n} = monitor(process, {to}), {to} ! {{{key}, {n}}}, demonitor(M{n}, [flush, info]) end")
        }
        "call" => format!(
            "begin A{n} = monitor(process, {to}, [{{alias, demonitor}}]), {to} ! {{{key}, A{n}}}, \
             receive {{A{n}, R{n}}} -> demonitor(A{n}, [flush]), R{n}; {{'DOWN', A{n}, _, _, W{n}}} -> W{n} \
             after {after} -> demonitor(A{n}, [flush]), late end end"
        ),
        _ => format!("receive {{_, X{n}}} when is_reference(X{n}) -> X{n} ! {{X{n}, {n}}} end"),
    }
}

#[test]
fn both_searches_visit_the_same_universes() {
    let (mut compared, mut universes, mut older) = (0, 0, 0_u64);
    for seed in seeds::seeds(6, 150) {
        for set in SETS {
            for (delivery, stall) in [(Delivery::Causal, Some(100)), (Delivery::Free, None)] {
                let source = program(seed, set);
                let program = text(&source);
                let bounds = SearchBounds {
                    universes: Some(UNIVERSES),
                    delivery,
                    stall,
                    ..SearchBounds::default()
                };
                older += u64::from(is_for_the_older(&program, bounds));
                let Some(found) = explored(&program, bounds, false) else {
                    continue;
                };
                let Some(expected) = explored(&program, bounds, true) else {
                    panic!("universes are missed: seed {seed} {set}:\n{source}");
                };
                compared += 1;
                universes += found.len();
                let differ = || {
                    let missed = others(&program, bounds, true, &found);
                    missed + &others(&program, bounds, false, &expected)
                };
                assert!(
                    found == expected,
                    "seed {seed} {set} {delivery}:\n{source}\n{}",
                    differ()
                );
            }
        }
    }
    println!("{universes} universes of {compared} programs; {older} only by the older search");
    assert!(compared > 60);
}

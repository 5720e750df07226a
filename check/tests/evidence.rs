//! What a verdict rests on: what came after the failure, and every universe of the changed program.

use super::*;
use system::scheduler::Schedule;

/// A worker asks its stopper for its environment, which the stopper answers only in the fix. That the worker hears of the stopper's end comes of
/// the failure: the fix need not repeat it.
const SERVE: &str = "-module(serve).\n-export([main/0]).\nmain() ->\n    C = spawn_link(fun() -> ctl() end),\n    Me = self(),\n    \
     P = spawn(fun() -> Me ! up, child(C) end),\n    receive up -> ok end,\n    P ! reload,\n    C ! {stop, P, self()},\n    \
     receive stopped -> ok after 5000 -> exit(timeout) end.\n\
     child(C) ->\n    receive\n        reload ->\n            R = monitor(process, C),\n            C ! {env, self(), R},\n            \
     receive {R, _} -> demonitor(R, [flush]), child(C); {'DOWN', R, _, _, Why} -> exit(Why) end;\n        shutdown -> ok\n    end.\n\
     ctl() ->\n    receive\n        {env, P, R} -> P ! {R, 1}, ctl();\n        \
     {stop, P, From} -> R = monitor(process, P), P ! shutdown, wait(R), From ! stopped\n    end.\n\
     wait(R) ->\n    receive\n        {'DOWN', R, _, _, _} -> ok\n    end.\n";

#[test]
fn what_came_of_the_failure_is_not_waited_for() {
    let session = run_of("serve", SERVE, false);
    let fixed = SERVE.replace(
        "{'DOWN', R, _, _, _} -> ok\n",
        "{'DOWN', R, _, _, _} -> ok;\n        {env, P, Ref} -> P ! {Ref, 1}, wait(R)\n",
    );
    let answer = checked(&session, "serve", &fixed, Options::default());
    assert_eq!(answer.verdict, CheckVerdict::Fixed, "{answer:?}");
    let same = SERVE.replace("wait(R) ->\n", "wait(R) ->\n    ets:new(t, []),\n");
    let answer = checked(&session, "serve", &same, Options::default());
    assert_eq!(answer.verdict, CheckVerdict::StillFails, "{answer:?}");
}

/// A gate that waits for users, and one that comes just then.
const GATE: &str = "-module(gate).\n-export([main/0]).\nmain() ->\n    ets:new(flag, [named_table, public]),\n    Db = ets:new(db, [public]),\n    \
     G = spawn_link(fun() -> gate(0) end),\n    {P, R} = spawn_monitor(fun() -> user(G, Db) end),\n    ets:insert(flag, {quit}),\n    \
     G ! {wait, self()},\n    receive empty -> ok end,\n    ets:delete(Db),\n    receive {'DOWN', R, process, P, Why} -> normal = Why end.\n\
     user(G, Db) ->\n    case ets:member(flag, quit) of\n        true -> ok;\n        \
     false -> G ! add, ets:insert(Db, {x}), G ! done\n    end.\n\
     gate(N) ->\n    receive\n        {wait, From} when N =:= 0 -> From ! empty, gate(N);\n        add -> gate(N + 1);\n        \
     done -> gate(N - 1)\n    end.\n";

/// It fails too rarely for random schedules, and the fix makes other steps than those that raced.
#[test]
fn where_nothing_else_decides_every_universe_is_visited() {
    let program = Text {
        path: "gate.erl".to_owned(),
        source: GATE.as_bytes().into(),
        release: Default::default(),
    };
    let run = (1..600).find_map(|seed| {
        let (scheduler, _) = Schedule::Walk.scheduler(seed, Schedule::Walk.jitter(seed, 0));
        let (end, bytes) = program.record_by(scheduler).unwrap();
        session::record::is_failure(&end).then_some(bytes)
    });
    let session = Session::of(Arc::new(Trace::from_bytes(run.unwrap()).unwrap())).unwrap();
    let asks = "user(G, Db) ->\n    G ! {add, self()},\n    receive added -> ok end,\n";
    let moved = GATE
        .replace("user(G, Db) ->\n", asks)
        .replace("add -> gate(N + 1)", "{add, P} -> P ! added, gate(N + 1)")
        .replace("G ! add, ", "");
    let fixed = moved.replace("true -> ok", "true -> G ! done");
    let answer = checked(&session, "gate", &fixed, Options::default());
    assert_eq!(answer.verdict, CheckVerdict::Fixed, "{answer:?}");
    let universes = answer.universes.as_ref();
    assert!(universes.is_some_and(|all| all.all && all.visited > 1), "{answer:?}");
    // The same steps, but the gate counts the user only afterwards.
    let late = fixed.replace(
        "{add, P} -> P ! added, gate(N + 1)",
        "{add, P} -> P ! added, self() ! {count, 1}, gate(N);\n        {count, M} -> gate(N + M)",
    );
    let answer = checked(&session, "gate", &late, Options::default());
    assert_eq!(answer.verdict, CheckVerdict::StillFails, "{answer:?}");
}

/// A clerk that crashes now and then, as the entry of the changed program always does, for a reason of the same kind.
const CLERK: &str = "-module(clerk).\n-export([main/0]).\nmain() ->\n    T = ets:new(t, [public]),\n    Me = self(),\n    \
     {P, R} = spawn_monitor(fun() -> receive go -> ets:insert(T, {x}) end, Me ! late end),\n    P ! go,\n    spawn(fun() -> Me ! stop end),\n    \
     receive late -> ok; stop -> ets:delete(T) end,\n    receive {'DOWN', R, _, _, Why} -> normal = Why end.\n";

#[test]
fn an_entry_that_always_crashes_is_not_fixed() {
    let session = run_of("clerk", CLERK, false);
    let crashes = CLERK.replace(
        "    T = ets",
        "    register(a, spawn(fun() -> ok end)),\n    register(a, self()),\n    T = ets",
    );
    let answer = checked(&session, "clerk", &crashes, Options::default());
    assert!(!answer.verdict.is_fixed(), "{answer:?}");
}

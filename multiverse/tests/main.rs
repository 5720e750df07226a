//! Numbers of universes, known from the definition or counted by hand.

#![expect(clippy::unwrap_used, reason = "tests")]

mod agree;
mod arrived;
mod from;
mod map;
mod oracle;
mod stops;
mod units;

use std::collections::BTreeMap;
use std::sync::Arc;

use log_format::Trace;
use multiverse::{Explorer, SearchBounds, Summary};
use session::Session;
use session::record::Text;
use system::Delivery;

fn text(body: &str) -> Text {
    Text {
        path: "m.erl".to_owned(),
        source: format!("-module(m).\n-export([main/0]).\n{body}").into_bytes().into(),
        release: Default::default(),
    }
}

/// Every universe, whatever it takes: with free delivery, and stalls of any length.
fn explore(body: &str) -> (Summary, BTreeMap<String, u64>) {
    let bounds = SearchBounds {
        delivery: Delivery::Free,
        stall: None,
        ..SearchBounds::default()
    };
    explore_within(body, bounds)
}

fn explore_within(body: &str, bounds: SearchBounds) -> (Summary, BTreeMap<String, u64>) {
    let text = text(body);
    let session = Session::of(Arc::new(Trace::from_bytes(text.blank().unwrap()).unwrap())).unwrap();
    let mut outcomes = BTreeMap::new();
    let summary = Explorer::new(&session, bounds, Arc::default())
        .unwrap()
        .run(|universe| {
            if universe.number == 1 {
                outcomes.clear();
            }
            *outcomes.entry(format!("{:?}", universe.outcome.end)).or_default() += 1;
            Ok(true)
        })
        .unwrap();
    (summary, outcomes)
}

fn count(body: &str) -> u64 {
    let (summary, outcomes) = explore(body);
    println!("{} universes in {} runs: {outcomes:?}", summary.universes, summary.runs);
    summary.universes
}

fn senders(n: u32, receives: u32) -> String {
    format!(
        "main() -> S = self(), [spawn(fun() -> S ! N end) || N <- lists:seq(1, {n})], [receive N -> N end || _ <- lists:seq(1, {receives})].\n"
    )
}

#[test]
fn senders_and_receives() {
    assert_eq!(count(&senders(2, 2)), 2);
    assert_eq!(count(&senders(3, 3)), 6);
    assert_eq!(count(&senders(4, 4)), 24);
    assert_eq!(count(&senders(5, 1)), 5);
    assert_eq!(count(&senders(5, 0)), 1);
}

/// What is sent after a long computation is revisited like all else.
#[test]
fn who_computes_for_long_has_all_universes() {
    let body = |n: u32| {
        format!(
            "loop(0) -> ok;\nloop(N) -> loop(N - 1).\nmain() ->\n    S = self(),\n    \
             Q = spawn(fun() -> receive A -> S ! {{q, A}} after 10 -> S ! none end end),\n    \
             [spawn(fun() -> T = spawn(fun() -> receive go -> loop({n}), Q ! N end end), loop({n}), T ! go end) || N <- [1, 2]],\n    \
             receive X -> X end.\n"
        )
    };
    assert_eq!(
        explore_within(&body(1), SearchBounds::default()),
        explore_within(&body(9_000_000), SearchBounds::default())
    );
    let killed = |n: i32| {
        format!(
            "loop(0) -> ok;\nloop(N) -> loop(N - 1).\n\
             main() -> P = spawn(fun() -> loop({n}), self() ! x end), exit(P, kill).\n"
        )
    };
    assert_eq!(count(&killed(1)), 3);
    assert_eq!(count(&killed(9_000_000)), 3);
    // It is killed, or it computes for ever.
    assert_eq!(count(&killed(-1)), 2);
}

#[test]
fn selective_receives_have_one_order() {
    assert_eq!(
        count(
            "main() -> S = self(), [spawn(fun() -> S ! {N, x} end) || N <- [1, 2, 3]],\n    \
             receive {1, _} -> ok end, receive {2, _} -> ok end, receive {3, _} -> ok end.\n"
        ),
        1
    );
}

#[test]
fn timeouts_against_messages() {
    for after in ["0", "1000"] {
        let body =
            format!("main() -> S = self(), spawn(fun() -> S ! m end), receive m -> got after {after} -> late end.\n");
        let (summary, outcomes) = explore(&body);
        assert_eq!(summary.universes, 2, "{outcomes:?}");
    }
}

#[test]
fn direct_against_relayed() {
    assert_eq!(
        count(
            "main() -> S = self(), R = spawn(fun() -> receive M -> S ! {relayed, M} end end),\n    \
             spawn(fun() -> S ! direct, R ! m end), receive A -> receive B -> {A, B} end end.\n"
        ),
        2
    );
}

/// `A: register(n, self())`, then it ends; `B: case whereis(n) of undefined -> no; _ -> catch n ! m end`.
#[test]
fn a_name_that_comes_and_goes() {
    assert_eq!(
        count(
            "main() -> spawn(fun() -> register(n, self()) end),\n    \
             spawn(fun() -> case whereis(n) of undefined -> no; _ -> catch n ! m end end), ok.\n"
        ),
        4
    );
}

#[test]
fn a_kill_between_two_sends() {
    assert_eq!(
        count("main() -> M = self(), C = spawn(fun() -> M ! 1, M ! 2 end), exit(C, kill).\n"),
        4
    );
}

#[test]
fn ends_and_messages() {
    assert_eq!(
        count(
            "main() -> {P, R} = spawn_monitor(fun() -> ok end), receive {'DOWN', R, process, P, _} -> down after 0 -> no end.\n"
        ),
        2
    );
    // A reply before its sender's end comes before the 'DOWN'.
    assert_eq!(
        count(
            "main() -> S = self(), {P, R} = spawn_monitor(fun() -> S ! reply end),\n    \
             receive X -> receive {'DOWN', R, process, P, _} -> X; Y -> {X, Y} end end.\n"
        ),
        1
    );
}

/// A 'DOWN' that had arrived before `demonitor` stays; one that had not never comes.
#[test]
fn a_monitor_that_is_removed_when_its_process_has_ended() {
    let (summary, outcomes) = explore(
        "main() -> {_, R} = spawn_monitor(fun() -> ok end), demonitor(R), receive {'DOWN', _, _, _, _} -> exit(stale) after 0 -> ok end.\n",
    );
    assert_eq!(summary.universes, 3, "{outcomes:?}");
    assert_eq!(outcomes.len(), 2, "{outcomes:?}");
}

#[test]
fn impossible_orders_stay_away() {
    assert_eq!(
        count(
            "main() -> P = self(), spawn(fun() -> P ! {x, a1}, P ! {y, a2} end), spawn(fun() -> P ! {y, b1}, P ! {x, b2} end),\n    \
             receive {y, V} -> receive {x, W} -> {V, W} end end.\n"
        ),
        3
    );
    let (summary, outcomes) = explore(
        "main() -> P = self(), spawn(fun() -> P ! {x, 1}, P ! {y, 2} end), receive {y, _} -> ok end, receive {x, _} -> got after 0 -> tmo end.\n",
    );
    assert_eq!(summary.universes, 1, "{outcomes:?}");
    assert_eq!(
        outcomes.keys().map(String::as_str).collect::<Vec<_>>(),
        ["Returned(\"got\")"]
    );
}

#[test]
fn clients_of_a_server() {
    let clients = |n: u32| {
        format!(
            "main() -> S = spawn(fun() -> server({n}) end), [spawn(fun() -> S ! {{self(), N}}, receive R -> R end end) || N <- lists:seq(1, {n})], ok.\n\
             server(0) -> ok;\nserver(N) -> receive {{P, X}} -> P ! {{N, X}} end, server(N - 1).\n"
        )
    };
    assert_eq!(count(&clients(3)), 6);
    assert_eq!(count(&clients(4)), 24);
}

#[test]
fn shared_resources() {
    // Two processes that add one without a lock: one after the other (2), or both read first, and either writes last (2).
    let (summary, outcomes) = explore(
        "main() -> T = ets:new(t, [public]), ets:insert(T, {n, 0}),\n    \
         Ps = [spawn_monitor(fun() -> [{n, N}] = ets:lookup(T, n), ets:insert(T, {n, N + 1}) end) || _ <- [1, 2]],\n    \
         [receive {'DOWN', R, process, P, _} -> ok end || {P, R} <- Ps], ets:lookup(T, n).\n",
    );
    assert_eq!(summary.universes, 4, "{outcomes:?}");
    assert_eq!(outcomes["Returned(\"[{n,2}]\")"], 2);
    assert_eq!(outcomes["Returned(\"[{n,1}]\")"], 2);
}

/// How many universes there are where nothing else is said.
fn usual(body: &str) -> u64 {
    let (summary, outcomes) = explore_within(body, SearchBounds::default());
    println!(
        "{} universes, {} left out: {outcomes:?}",
        summary.universes, summary.stalled
    );
    summary.universes
}

#[test]
fn a_watchdog_that_fires_without_a_stall_is_left_out() {
    let watched = |works: u64, after: u64| {
        format!(
            "main() -> S = self(), spawn(fun() -> receive after {works} -> S ! m end end), receive m -> got after {after} -> late end.\n"
        )
    };
    for (works, after, universes) in [
        (0, 0, 2),
        (0, 50, 2),
        (0, 100, 2),
        (0, 101, 1),
        (400, 500, 2),
        (399, 500, 1),
        (600, 500, 2),
    ] {
        assert_eq!(usual(&watched(works, after)), universes, "{works} {after}");
        assert_eq!(count(&watched(works, after)), 2);
    }
    let (summary, _) = explore_within(&watched(0, 500), SearchBounds::default());
    assert_eq!((summary.stalled, summary.is_complete()), (1, true));
}

#[test]
fn what_is_received_after_its_deadline_is_left_out() {
    // The worker takes 1 s, and main waits for 500 ms: it times out. That it waits on needs a stall of 500 ms.
    let body = "main() -> S = self(), spawn(fun() -> receive after 1000 -> S ! m end end), receive m -> got after 500 -> late end.\n";
    let (_, outcomes) = explore_within(body, SearchBounds::default());
    assert_eq!(outcomes.into_keys().collect::<Vec<_>>(), ["Returned(\"late\")"]);
    let (_, outcomes) = explore(body);
    assert_eq!(outcomes.len(), 2);
}

#[test]
fn a_message_does_not_overtake_its_cause() {
    let relayed = "main() -> S = self(), R = spawn(fun() -> receive M -> S ! {relayed, M} end end),\n    \
         spawn(fun() -> S ! direct, R ! m end), receive A -> receive B -> {A, B} end end.\n";
    assert_eq!(usual(relayed), 1);
    // What must have come is found.
    let look = "main() -> S = self(), R = spawn(fun() -> receive M -> S ! {relayed, M} end end),\n    \
         spawn(fun() -> S ! direct, R ! m end), receive {relayed, m} -> ok end, receive direct -> got after 0 -> missed end.\n";
    assert_eq!((usual(look), count(look)), (1, 2));
}

#[test]
fn what_is_dropped_has_arrived() {
    // The reply was sent before the end whose 'DOWN' is dropped.
    let body = "main() -> S = self(), {P, M} = spawn_monitor(fun() -> receive go -> S ! reply end end),\n    \
         spawn(fun() -> W = monitor(process, P), P ! go, receive {'DOWN', W, _, _, _} -> S ! gone end end),\n    \
         receive gone -> ok end, demonitor(M, [flush]), receive reply -> got after 0 -> missed end.\n";
    // Or it is not dropped: the other 'DOWN' of this end can come first. The reply was sent before, but with free delivery it may be late.
    assert_eq!((usual(body), count(body)), (2, 3));
}

/// How a program can end where nothing else is said, and whether these are all ways.
fn ends(body: &str) -> (Vec<String>, bool) {
    let (summary, outcomes) = explore_within(body, SearchBounds::default());
    println!("{} universes: {outcomes:?}, {:?}", summary.universes, summary.gaps);
    let end = |(end, count): (String, u64)| match count {
        1 => end,
        count => format!("{end} {count} times"),
    };
    (outcomes.into_iter().map(end).collect(), summary.is_complete())
}

fn all(ends: &[&str]) -> (Vec<String>, bool) {
    (ends.iter().map(|end| (*end).to_owned()).collect(), true)
}

/// An exit signal with `normal` is dropped if the process does not trap exits when it arrives.
#[test]
fn normal_exits_against_trap_exit() {
    let late = "main() -> P = spawn_link(fun() -> ok end), erlang:yield(), process_flag(trap_exit, true),\n    \
                receive {'EXIT', P, R} -> R end.\n";
    assert_eq!(
        ends(late),
        all(&["Deadlock([(\"0.1.0\", \"m.erl:4\")])", "Returned(\"normal\")"])
    );
    let sent = "main() -> S = self(),\n    \
                P = spawn(fun() -> process_flag(trap_exit, true), S ! ready, S ! receive {'EXIT', _, R} -> R end end),\n    \
                exit(P, normal), receive ready -> ok end, receive X -> X end.\n";
    assert_eq!(ends(sent).0.len(), 2);
    // It was sent before it is said to be: so it was dropped.
    let told = "main() -> S = self(), P = spawn(fun() -> receive go -> ok end, process_flag(trap_exit, true),\n        \
                S ! receive {'EXIT', _, R} -> R after 0 -> none end end),\n    \
                exit(P, normal), P ! go, receive X -> X end.\n";
    assert_eq!(ends(told), all(&["Returned(\"none\")"]));
    // What came while it trapped exits stays.
    let once = "main() -> process_flag(trap_exit, true), S = self(), P = spawn_link(fun() -> receive go -> ok end, exit(gone) end),\n    \
                spawn(fun() -> M = monitor(process, P), P ! go, receive {'DOWN', M, _, _, _} -> S ! over end end),\n    \
                receive over -> ok end, process_flag(trap_exit, false), receive {'EXIT', P, R} -> R end.\n";
    assert_eq!(ends(once).0, ["Crashed(\"gone\")", "Returned(\"gone\")"]);
}

/// Each halt that can come first is a universe; a crash comes before it or not.
#[test]
fn halts_race() {
    let two = "main() -> spawn(fun() -> halt(0) end), spawn(fun() -> halt(1) end), ok.\n";
    assert_eq!(ends(two), all(&["Halted(0)", "Halted(1)"]));
    let after = "main() -> S = self(), spawn(fun() -> S ! x, halt(0) end), receive x -> halt(1) end.\n";
    assert_eq!(ends(after), all(&["Halted(0)", "Halted(1)"]));
    let crash = "main() -> spawn(fun() -> halt(0) end), error(boom).\n";
    assert_eq!(ends(crash), all(&["Crashed(\"error boom\")", "Halted(0)"]));
    // What has no end, and what comes much later, changes nothing.
    let ticks = "main() -> spawn(fun() -> tick() end), spawn(fun() -> receive after 1000 -> halt(2) end end), receive after 50 -> halt(1) end.\n\
                 tick() -> receive after 1000 -> tick() end.\n";
    assert_eq!(ends(ticks), all(&["Halted(1)"]));
    let one = "main() -> S = self(), [spawn(fun() -> S ! N end) || N <- [1, 2, 3]], receive N -> halt(N) end.\n";
    assert_eq!(ends(one), all(&["Halted(1)", "Halted(2)", "Halted(3)"]));
}

/// A message that was left by an earlier receive and is consumed now has a place in the order, too.
#[test]
fn what_was_left_and_consumed_later_came_later() {
    let body = "main() -> P = self(), spawn(fun() -> P ! {b, 1}, P ! {a, 2} end), spawn(fun() -> P ! {a, 4}, P ! {b, 5} end),\n    \
                B1 = receive {b, X1} -> X1 end, B2 = receive {b, X2} -> X2 end, A1 = receive {a, X3} -> X3 end, {B1, B2, A1}.\n";
    let three = [
        "Returned(\"{1,5,2}\")",
        "Returned(\"{1,5,4}\")",
        "Returned(\"{5,1,4}\")",
    ];
    assert_eq!(ends(body), all(&three));
    assert_eq!(count(body), 3);
}

/// What a process sees of the mailbox of another one: what it sent itself is there.
#[test]
fn mailboxes_of_others() {
    let body = "main() -> P = spawn(fun() -> receive x -> ok end end), P ! y, spawn(fun() -> P ! z end),\n    \
                element(2, process_info(P, message_queue_len)).\n";
    assert_eq!(ends(body), all(&["Returned(\"1\")", "Returned(\"2\")"]));
    let receives = "main() -> S = self(), P = spawn(fun() -> receive x -> ok end, S ! done, receive z -> ok end end), P ! x,\n    \
                    case process_info(P, message_queue_len) of {_, N} -> N; undefined -> gone end.\n";
    assert_eq!(ends(receives).0, ["Returned(\"0\") 2 times", "Returned(\"1\")"]);
    // What was seen in it is there.
    let told = "main() -> S = self(), P = spawn(fun() -> receive go -> ok end, S ! receive z -> got after 0 -> none end end),\n    \
                spawn(fun() -> P ! z end), {_, N} = process_info(P, message_queue_len), P ! go, {N, receive X -> X end}.\n";
    let three = [
        "Returned(\"{0,got}\")",
        "Returned(\"{0,none}\")",
        "Returned(\"{1,got}\")",
    ];
    assert_eq!(ends(told), all(&three));
    // Between two actions, its dictionary changes as it runs: that is said.
    let inside =
        "main() -> P = spawn(fun() -> put(a, 1), put(a, 2), receive x -> ok end end), process_info(P, dictionary).\n";
    assert!(!ends(inside).1);
}

/// Timers and timeouts of one process come in the order of their deadlines.
#[test]
fn timers_against_timeouts() {
    let race = |timer: u64, after: u64| {
        format!("main() -> erlang:send_after({timer}, self(), t), receive t -> t after {after} -> late end.\n")
    };
    assert_eq!(ends(&race(10, 20)), all(&["Returned(\"t\")"]));
    // It can be late to wait.
    assert_eq!(ends(&race(30, 20)), all(&["Returned(\"late\")", "Returned(\"t\")"]));
    assert_eq!(ends(&race(20, 20)), all(&["Returned(\"late\")", "Returned(\"t\")"]));
    let punctual = SearchBounds {
        stall: Some(0),
        ..SearchBounds::default()
    };
    let (_, outcomes) = explore_within(&race(30, 20), punctual);
    assert_eq!(outcomes.into_keys().collect::<Vec<_>>(), ["Returned(\"late\")"]);
    // It has come, though another receive was waiting then.
    let waited = "main() -> erlang:send_after(10, self(), t), receive after 6 -> ok end, receive after 6 -> ok end,\n    \
                  receive t -> t after 0 -> none end.\n";
    assert_eq!(ends(waited), all(&["Returned(\"t\")"]));
}

/// What is cancelled has come before, or not.
#[test]
fn what_is_cancelled() {
    let timer = "main() -> T = erlang:send_after(10, self(), t), L = erlang:cancel_timer(T),\n    \
                 {is_integer(L), receive t -> t after 0 -> none end}.\n";
    assert_eq!(
        ends(timer),
        all(&["Returned(\"{false,t}\")", "Returned(\"{true,none}\")"])
    );
    let reply = "main() -> A = alias([reply]), spawn(fun() -> A ! x end), U = unalias(A), {U, receive x -> x after 0 -> none end}.\n";
    assert_eq!(
        ends(reply),
        all(&["Returned(\"{false,x}\")", "Returned(\"{true,none}\")"])
    );
    // Who has got none has not been sent one either.
    let late = "main() -> A = alias([reply]), P = spawn(fun() -> receive go -> A ! x after 0 -> none end end),\n    \
                P ! go, U = unalias(A), {U, receive x -> x after 0 -> none end}.\n";
    assert_eq!(
        ends(late).0,
        ["Returned(\"{false,x}\")", "Returned(\"{true,none}\") 2 times"]
    );
    let alias = "main() -> A = alias(), spawn(fun() -> A ! x end), unalias(A), receive x -> x after 0 -> none end.\n";
    assert_eq!(ends(alias), all(&["Returned(\"none\")", "Returned(\"x\")"]));
    let down = "main() -> {_, R} = spawn_monitor(fun() -> ok end), D = demonitor(R, [flush, info]),\n    \
                {D, receive {'DOWN', _, _, _, _} -> stale after 0 -> none end}.\n";
    assert_eq!(
        ends(down).0,
        ["Returned(\"{false,none}\")", "Returned(\"{true,none}\")"]
    );
    // A removed monitor whose 'DOWN' was on its way: who waits for it waits for ever.
    let waits =
        "main() -> {_, R} = spawn_monitor(fun() -> ok end), demonitor(R), receive {'DOWN', _, _, _, _} -> down end.\n";
    assert_eq!(ends(waits).0.len(), 2);
}

/// No other way is left out, so nothing is said to be.
#[test]
fn these_are_all() {
    let server = "init(N) -> {ok, N}.\nhandle_call(inc, _, N) -> {reply, N, N + 1}.\nhandle_cast(_, N) -> {noreply, N}.\n\
                  main() -> {ok, P} = gen_server:start(?MODULE, 0, []), gen_server:call(P, inc).\n";
    let server = format!("-behaviour(gen_server).\n-export([init/1, handle_call/3, handle_cast/2]).\n{server}");
    assert_eq!(ends(&server), all(&["Returned(\"0\")"]));
    let alive = "main() -> P = spawn(fun() -> receive x -> ok end end), P ! x, is_process_alive(P).\n";
    assert_eq!(ends(alive), all(&["Returned(\"false\")", "Returned(\"true\")"]));
    let monitors = "main() -> P = spawn(fun() -> receive x -> ok end end), exit(P, normal), P ! x, M = monitor(process, P),\n    \
                    receive {'DOWN', M, _, _, R} -> R end.\n";
    assert_eq!(ends(monitors), all(&["Returned(\"noproc\")", "Returned(\"normal\")"]));
    // Processes of the runtime answer under OTP.
    let init = "main() -> init ! {self(), get_arguments}, receive {init, R} -> is_list(R) after 1000 -> none end.\n";
    assert!(!ends(init).1);
}

/// Several threads find what one finds.
#[test]
fn threads_find_the_same_universes() {
    let server = "main() -> S = spawn(fun() -> server(4) end), [spawn(fun() -> S ! {self(), N}, receive R -> R end end) || N <- [1, 2, 3, 4]], ok.\n\
         server(0) -> ok;\nserver(N) -> receive {P, X} -> P ! {N, X} end, server(N - 1).\n";
    let names = "main() -> [spawn(fun() -> catch register(n, self()), lists:sort([2, 1]) end) || _ <- [1, 2, 3]], whereis(n).\n";
    for body in [senders(5, 5), server.to_owned(), names.to_owned()] {
        let (alone, expected) = explore(&body);
        for jobs in [2, 3] {
            let text = text(&body);
            let session = Session::of(Arc::new(Trace::from_bytes(text.blank().unwrap()).unwrap())).unwrap();
            let bounds = SearchBounds {
                delivery: Delivery::Free,
                stall: None,
                ..SearchBounds::default()
            };
            let mut outcomes = BTreeMap::new();
            let together = Explorer::new(&session, bounds, Arc::default())
                .unwrap()
                .run_together(jobs, |universe| {
                    *outcomes.entry(format!("{:?}", universe.outcome.end)).or_default() += 1;
                    Ok(true)
                })
                .unwrap();
            assert_eq!((together.universes, &outcomes), (alone.universes, &expected));
            assert!(together.is_complete());
        }
    }
}

/// A message to an alias that is closed when it comes is dropped, and does not stand before others.
#[test]
fn messages_to_a_closed_alias() {
    let two = "main() -> S = spawn(fun() -> receive {P, Q} -> P ! one, P ! two, Q ! go end end),\n    \
         R = monitor(process, S, [{alias, reply_demonitor}]), S ! {R, self()},\n    \
         A = receive one -> one end, receive go -> ok end, {A, receive two -> two after 0 -> none end}.\n";
    let (_, outcomes) = explore_within(two, SearchBounds::default());
    assert_eq!(outcomes.into_keys().collect::<Vec<_>>(), ["Returned(\"{one,none}\")"]);
    let late = "main() -> A = alias(), P = spawn(fun() -> receive X -> X ! late end end), P ! A, unalias(A),\n    \
         receive late -> late after 5 -> none end.\n";
    let (_, outcomes) = explore_within(late, SearchBounds::default());
    assert_eq!(outcomes.len(), 2, "{outcomes:?}");
}

/// The outcomes of a program, and whether these are all.
fn outcomes(body: &str) -> (Vec<String>, bool) {
    let (summary, outcomes) = explore(body);
    println!("{} universes: {outcomes:?}, {:?}", summary.universes, summary.gaps);
    (outcomes.into_keys().collect(), summary.is_complete())
}

/// `hibernate` waits for a message, and goes on with the function that it was given.
#[test]
fn who_hibernates_wakes_up_with_a_message() {
    let wakes = "-export([w/1]).\nw(S) -> receive X -> S ! {first, X} after 0 -> S ! none end.\n";
    let returned = |value: &str| format!("Returned({value:?})");
    let (found, all) = outcomes(&format!(
        "{wakes}main() -> self() ! x, erlang:hibernate(?MODULE, w, [self()]).\n"
    ));
    assert_eq!((found, all), (vec![returned("{first,x}")], true));
    let (found, all) = outcomes(&format!("{wakes}main() -> erlang:hibernate(?MODULE, w, [self()]).\n"));
    assert!(found.len() == 1 && found[0].starts_with("Deadlock") && all, "{found:?}");
    // Two that can wake it up: each can be first, and a message is there.
    let two = "main() -> S = self(), P = spawn(fun() -> erlang:hibernate(?MODULE, w, [S]) end),\n    \
               spawn(fun() -> P ! a end), spawn(fun() -> P ! b end), receive X -> X end.\n";
    let (found, all) = outcomes(&format!("{wakes}{two}"));
    assert_eq!((found, all), (vec![returned("{first,a}"), returned("{first,b}")], true));
    assert_eq!(count(&format!("{wakes}{two}")), 2);
    // Who does not send does not wake it up.
    let (found, all) = outcomes(&format!(
        "{wakes}main() -> S = self(), P = spawn(fun() -> erlang:hibernate(?MODULE, w, [S]) end),\n    \
         Q = spawn(fun() -> receive go -> P ! a after 10 -> no end end), spawn(fun() -> Q ! go end),\n    \
         receive X -> X after 100 -> none end.\n"
    ));
    assert_eq!((found, all), (vec![returned("none"), returned("{first,a}")], true));
}

/// Erlang/OTP never gives `{false, N}`.
#[test]
fn a_timer_that_has_fired_cannot_be_cancelled() {
    let (found, _) = outcomes(
        "main() -> T = erlang:send_after(10, self(), x), receive after 10 -> ok end,\n    \
         {is_integer(erlang:read_timer(T)), is_integer(erlang:cancel_timer(T))}.\n",
    );
    let returned: Vec<&str> = found.iter().map(String::as_str).collect();
    let expected = ["{false,false}", "{true,false}", "{true,true}"].map(|value| format!("Returned({value:?})"));
    assert_eq!(returned, expected);
}

/// The called process ends with the answer as its reason.
#[test]
fn the_answer_to_a_call_of_erpc_is_no_crash() {
    let fails = |body: &str| {
        let text = text(body);
        let session = Session::of(Arc::new(Trace::from_bytes(text.blank().unwrap()).unwrap())).unwrap();
        let mut fails = 0;
        Explorer::new(&session, SearchBounds::default(), Arc::default())
            .unwrap()
            .run(|universe| {
                fails += u64::from(universe.outcome.is_failure());
                Ok(true)
            })
            .unwrap();
        fails
    };
    assert_eq!(fails("main() -> erpc:call(node(), fun() -> 1 end, 1000).\n"), 0);
    assert_eq!(
        fails("main() -> catch erpc:call(node(), fun() -> exit(no) end, 1000).\n"),
        0
    );
    assert!(fails("main() -> spawn(fun() -> exit(no) end).\n") > 0);
}

/// Only one state of these lists is seen, so the answer may not say that it is complete.
#[test]
fn lists_of_names_and_tables_are_gaps() {
    for body in [
        "main() -> spawn(fun() -> register(foo, self()), receive x -> ok end end), registered().\n",
        "main() -> spawn(fun() -> ets:new(foo, [named_table]), receive x -> ok end end), ets:all().\n",
    ] {
        let (summary, _) = explore(body);
        assert!(summary.gaps.contains_key(&multiverse::summary::Gap::Lists), "{body}");
    }
}

/// Trapping exits turned off again, while an exit signal is on its way.
#[test]
fn who_ceases_to_trap_exits() {
    let own = "main() -> S = self(), process_flag(trap_exit, true), spawn(fun() -> exit(S, a) end), process_flag(trap_exit, false),\n    \
               receive {'EXIT', _, X} -> X after 5 -> none end.\n";
    let (found, _) = outcomes(own);
    assert!(found.contains(&"Returned(\"a\")".to_owned()), "{found:?}");
    let other = "main() -> S = self(), {P, M} = spawn_monitor(fun() -> process_flag(trap_exit, true), S ! r, process_flag(trap_exit, false),\n    \
                 receive {'EXIT', _, X} -> exit({got, X}) after 5 -> exit(to) end end), receive r -> ok end, exit(P, a),\n    \
                 receive {'DOWN', M, _, _, R} -> R end.\n";
    assert_eq!(
        outcomes(other).0,
        ["Returned(\"a\")", "Returned(\"to\")", "Returned(\"{got,a}\")"]
    );
}

/// A timer that sends to another process, or to a name, is cancelled or fires: not every case is tried, and that is said.
#[test]
fn timers_for_others() {
    let cancelled = "main() -> P = spawn(fun() -> receive X -> X end end), T = erlang:send_after(5, P, hi), is_integer(erlang:cancel_timer(T)).\n";
    let (found, all) = outcomes(cancelled);
    assert!(found.contains(&"Returned(\"true\")".to_owned()) && !all, "{found:?}");
    let named = "main() -> erlang:send_after(5, me, hi), register(me, self()), receive hi -> hi after 10 -> no end.\n";
    assert!(!outcomes(named).1);
}

/// The alias of a monitor of nobody accepts nothing.
#[test]
fn an_alias_that_is_closed_from_the_beginning() {
    let dead = "main() -> {P, M} = spawn_monitor(fun() -> ok end), receive {'DOWN', M, _, _, _} -> ok end,\n    \
                A = monitor(process, P, [{alias, demonitor}]), S = self(), spawn(fun() -> A ! hi, S ! done end),\n    \
                receive done -> ok end, X = receive hi -> hi after 0 -> none end,\n    \
                {X, receive {'DOWN', A, _, _, R} -> R after 0 -> none end}.\n";
    assert_eq!(outcomes(dead), (vec!["Returned(\"{none,noproc}\")".to_owned()], true));
    // It ends while it is used: what comes of that is not tried, and that is said.
    let ends = "main() -> {P, _} = spawn_monitor(fun() -> receive x -> ok end end), A = monitor(process, P, [{alias, demonitor}]),\n    \
                S = self(), spawn(fun() -> A ! hi, S ! done end), P ! x, receive done -> ok end, receive hi -> hi after 0 -> none end.\n";
    let (found, all) = outcomes(ends);
    assert!(found.len() == 2 || !all, "{found:?}");
}

/// The exit signal of a link can come before `unlink`, and links are told of an end before monitors.
#[test]
fn links_that_end() {
    let dies = "main() -> P = spawn_link(fun() -> exit(die) end), unlink(P), ok.\n";
    assert_eq!(
        outcomes(dies),
        (vec!["Crashed(\"die\")".to_owned(), "Returned(\"ok\")".to_owned()], true)
    );
    let both = "main() -> process_flag(trap_exit, true), spawn_opt(fun() -> exit(r) end, [monitor, link]),\n    \
                receive {'DOWN', _, _, _, X} -> X end, receive {'EXIT', _, Y} -> Y after 0 -> none end.\n";
    assert_eq!(outcomes(both), (vec!["Returned(\"r\")".to_owned()], true));
    let noproc = "main() -> process_flag(trap_exit, true), {P, M} = spawn_monitor(fun() -> ok end), receive {'DOWN', M, _, _, _} -> ok end,\n    \
                  link(P), unlink(P), receive {'EXIT', P, R} -> R after 10 -> none end.\n";
    assert_eq!(outcomes(noproc), (vec!["Returned(\"noproc\")".to_owned()], true));
}

/// The order of a `link` against the partner's `unlink` is not tried, so the answer may not say that it is complete. Where only one process calls,
/// there is no such order.
#[test]
fn links_that_both_make_and_break_are_gaps() {
    let gap = multiverse::summary::Gap::Links;
    let (summary, _) = explore(
        "main() -> S = self(), P = spawn(fun() -> catch link(S), exit(gone) end), unlink(P), receive x -> ok after 10 -> ok end.\n",
    );
    assert!(summary.gaps.contains_key(&gap), "{summary:?}");
    let (summary, _) =
        explore("main() -> P = spawn_link(fun() -> receive x -> exit(gone) end end), unlink(P), P ! x, ok.\n");
    assert!(summary.is_complete(), "{summary:?}");
}

/// No run ends with an exit signal that would still end somebody, and none in front of a step.
#[test]
fn nobody_waits_who_is_ended() {
    let kill = "main() -> S = self(), spawn(fun() -> exit(S, kill) end), process_flag(trap_exit, true), receive x -> ok end.\n";
    assert_eq!(outcomes(kill), (vec!["Crashed(\"killed\")".to_owned()], true));
    let child = "main() -> {P, M} = spawn_monitor(fun() -> process_flag(trap_exit, true), receive x -> ok end end),\n    \
                 exit(P, kill), receive {'DOWN', M, _, _, R} -> R end.\n";
    assert_eq!(outcomes(child), (vec!["Returned(\"killed\")".to_owned()], true));
    let crossing = "main() -> M = self(), A = spawn(fun() -> process_flag(trap_exit, true), exit(M, bar) end),\n    \
                    exit(A, foo), monitor(process, A), receive x -> ok end.\n";
    let (found, _) = outcomes(crossing);
    assert!(found.contains(&"Crashed(\"bar\")".to_owned()), "{found:?}");
    let asked = "main() -> P = spawn(fun() -> ok end), A = monitor(process, P, [{alias, demonitor}]),\n    \
                 U = unalias(A), {U, demonitor(A, [info])}.\n";
    let three = ["{false,false}", "{true,false}", "{true,true}"].map(|value| format!("Returned({value:?})"));
    assert_eq!(outcomes(asked), (three.to_vec(), true));
}

/// A reply that came before its alias was given up, although its receiver has ended before the search sees that it was sent.
#[test]
fn replies_to_who_has_ended() {
    let body = "main() -> P = spawn(fun() -> receive {al, X} -> X ! m end end), A = alias([reply]), P ! {al, A}, unalias(A).\n";
    assert_eq!(
        outcomes(body),
        (
            vec!["Returned(\"false\")".to_owned(), "Returned(\"true\")".to_owned()],
            true
        )
    );
}

#[test]
fn a_look_at_a_whole_table_sees_any_set_of_writes() {
    let looks = |look: &str| {
        count(&format!(
            "main() -> S = self(), T = ets:new(t, [public]), [spawn(fun() -> ets:insert(T, {{K, 1}}), S ! {{done, K}} end) || K <- [a, b]],\n    \
             {look}, [receive {{done, K}} -> ok end || K <- [a, b]], ok.\n"
        ))
    };
    // None, one of the two, both. Inserts of different keys have no order.
    for look in [
        "ets:tab2list(T)",
        "ets:info(T, size)",
        "ets:match_object(T, {'_', 1})",
        "ets:first(T)",
    ] {
        assert_eq!(looks(look), 4, "{look}");
    }
    // What removes all depends on what is there, also where nothing is.
    assert_eq!(looks("ets:delete_all_objects(T)"), 4);
    assert_eq!(looks("ets:match_delete(T, {'_', 1})"), 4);
    // Between its two steps, other inserts can come.
    assert_eq!(
        looks("ets:foldl(fun({_, N}, Sum) -> N + Sum end, 0, T)"),
        looks("ets:foldr(fun({_, N}, Sum) -> N + Sum end, 0, T)")
    );
    assert_eq!(looks("ok"), 1);
}

#[test]
fn what_is_added_to_a_counter_has_no_order() {
    let six = |look: &str| {
        count(&format!(
            "main() -> S = self(), C = counters:new(1, []), [spawn(fun() -> counters:add(C, 1, N), S ! {{done, N}} end) || N <- [1, 2, 3]],\n    \
             {look}, [receive {{done, N}} -> ok end || N <- [1, 2, 3]], counters:get(C, 1).\n"
        ))
    };
    assert_eq!(six("ok"), 1);
    // Each is seen or not.
    assert_eq!(six("counters:get(C, 1)"), 8);
    assert_eq!(six("counters:put(C, 1, 0)"), 8);
}

#[test]
fn who_ends_itself_by_an_exit_signal_ends_once() {
    assert_eq!(
        count(
            "main() -> {_, M} = spawn_monitor(fun() -> exit(self(), bye) end), receive {'DOWN', M, _, _, R} -> R end.\n"
        ),
        1
    );
    // Another signal comes before that, or after the end.
    let body = "main() -> {P, M} = spawn_monitor(fun() -> exit(self(), kill) end), exit(P, other), receive {'DOWN', M, _, _, R} -> R end.\n";
    assert_eq!(count(body), 2);
}

#[test]
fn what_is_sent_arrives_in_the_order_of_sending_if_it_arrives_at_once() {
    let within = |body: &str, at_send| {
        let bounds = SearchBounds {
            at_send,
            ..SearchBounds::default()
        };
        let (summary, _) = explore_within(body, bounds);
        assert!(summary.is_complete());
        summary.universes
    };
    let crossed = "main() -> M = self(), X = spawn(fun() -> receive A -> M ! {x, A} end end), Y = spawn(fun() -> receive A -> M ! {y, A} end end),\n    \
                   spawn(fun() -> X ! 1, Y ! 2 end), spawn(fun() -> Y ! 3, X ! 4 end),\n    \
                   {receive {x, A} -> A end, receive {y, B} -> B end}.\n";
    assert_eq!([within(crossed, false), within(crossed, true)], [4, 3]);
    // The writes say in which order the sends were.
    let written = "main() -> T = ets:new(t, [public]), M = self(), spawn(fun() -> M ! a, ets:insert(T, {k, 1}), M ! da end),\n    \
                   spawn(fun() -> ets:insert(T, {k, 2}), M ! b, M ! db end), F = receive a -> a; b -> b end,\n    \
                   receive da -> ok end, receive db -> ok end, {F, ets:lookup(T, k)}.\n";
    assert_eq!([within(written, false), within(written, true)], [4, 3]);
}

/// The time of a restart decides nothing before there are too many of them.
#[test]
fn a_supervisor_that_restarts_is_explored_to_the_end() {
    let of = |intensity: u32| {
        let body = format!(
            "-export([init/1, start/0]).\n\
             main() -> {{ok, S}} = supervisor:start_link(m, []), exit(whereis(w), kill), unlink(S), exit(S, shutdown), ok.\n\
             init([]) -> {{ok, {{#{{intensity => {intensity}}}, [#{{id => w, start => {{m, start, []}}}}]}}}}.\n\
             start() -> {{ok, spawn_link(fun() -> register(w, self()), receive stop -> ok end end)}}.\n"
        );
        explore_within(&body, SearchBounds::default()).0
    };
    assert!(of(1).is_complete());
    assert_eq!(
        of(0).gaps.keys().copied().collect::<Vec<_>>(),
        [multiverse::summary::Gap::Input]
    );
}

/// Ten servers and a hundred calls: one client reads and writes in two calls.
#[test]
fn a_lost_update_is_found_with_one_delay() {
    let body = "client(Ss, 7) -> [begin P = element((7 + K) rem 10 + 1, Ss), case K of 5 -> V = call(P, get), call(P, {set, V + 1}); _ -> call(P, {add, 1}) end end || K <- lists:seq(1, 10)];\n\
                client(Ss, C) -> [call(element((C + K) rem 10 + 1, Ss), {add, 1}) || K <- lists:seq(1, 10)].\n\
                call(P, What) -> P ! {self(), What}, receive {P, R} -> R end.\n\
                server(V) -> receive {C, get} -> C ! {self(), V}, server(V); {C, {add, N}} -> C ! {self(), ok}, server(V + N); {C, {set, N}} -> C ! {self(), ok}, server(N) end.\n\
                main() -> Ss = list_to_tuple([spawn(fun() -> server(0) end) || _ <- lists:seq(1, 10)]),\n    \
                Rs = [element(2, spawn_monitor(fun() -> client(Ss, C) end)) || C <- lists:seq(1, 10)], [receive {'DOWN', R, _, _, _} -> ok end || R <- Rs],\n    \
                100 = lists:sum([call(element(I, Ss), get) || I <- lists:seq(1, 10)]), ok.\n";
    let bounds = SearchBounds {
        delays: Some(1),
        universes: Some(100),
        ..SearchBounds::default()
    };
    let (_, outcomes) = explore_within(body, bounds);
    assert!(outcomes.keys().any(|end| end.contains("badmatch")), "{outcomes:?}");
}

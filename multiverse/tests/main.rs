//! Numbers of universes, known from the definition or counted by hand.

#![expect(clippy::unwrap_used, reason = "tests")]

mod oracle;

use std::collections::BTreeMap;
use std::sync::Arc;

use log_format::Trace;
use multiverse::{Bounds, Explorer, Summary};
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
    let bounds = Bounds {
        delivery: Delivery::Free,
        stall: None,
        ..Bounds::default()
    };
    explore_within(body, bounds)
}

fn explore_within(body: &str, bounds: Bounds) -> (Summary, BTreeMap<String, u64>) {
    let text = text(body);
    let session = Session::of(Arc::new(Trace::from_bytes(text.blank().unwrap()).unwrap())).unwrap();
    let mut outcomes = BTreeMap::new();
    let summary = Explorer::new(&session, bounds, Arc::default())
        .unwrap()
        .run(|universe| {
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
    let (summary, outcomes) = explore_within(body, Bounds::default());
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
    let (summary, _) = explore_within(&watched(0, 500), Bounds::default());
    assert_eq!((summary.stalled, summary.is_complete()), (1, true));
}

#[test]
fn what_is_received_after_its_deadline_is_left_out() {
    // The worker takes 1 s, and main waits for 500 ms: it times out. That it waits on needs a stall of 500 ms.
    let body = "main() -> S = self(), spawn(fun() -> receive after 1000 -> S ! m end end), receive m -> got after 500 -> late end.\n";
    let (_, outcomes) = explore_within(body, Bounds::default());
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

//! What has arrived is seen (semantics.md, Delivery), by both searches.

use std::collections::BTreeSet;
use std::sync::Arc;

use log_format::{Pid, Trace};
use multiverse::{Explorer, SearchBounds};
use session::Session;
use session::player::Player;
use session::player::free::Choice;

use super::text;

/// What the entry can return, by one search.
fn ends(body: &str, takes_back: bool) -> BTreeSet<String> {
    let program = text(body);
    let session = Session::of(Arc::new(Trace::from_bytes(program.blank().unwrap()).unwrap())).unwrap();
    let bounds = SearchBounds {
        stall: None,
        ..SearchBounds::default()
    };
    let explorer = Explorer::new(&session, bounds, Arc::default()).unwrap();
    let explorer = if takes_back { explorer.taking_back() } else { explorer };
    let mut all = BTreeSet::new();
    let summary = explorer.run(|universe| {
        if universe.number == 1 {
            all.clear();
        }
        let end = format!("{:?}", universe.outcome.end);
        let returned = end.strip_prefix("Returned(\"").and_then(|end| end.strip_suffix("\")"));
        // It can be done again.
        universe.player()?;
        all.insert(returned.unwrap_or("no return").to_owned());
        Ok(true)
    });
    assert!(summary.unwrap().stopped.is_none(), "{body}");
    all
}

fn assert_ends(body: &str, expected: &[&str]) {
    for takes_back in [false, true] {
        let found = ends(body, takes_back);
        let found: Vec<&str> = found.iter().map(String::as_str).collect();
        assert_eq!(found, expected, "taking back: {takes_back}\n{body}");
    }
}

#[test]
fn a_timeout_of_0_has_handled_an_exit_signal_that_arrived() {
    let looks = [
        "case is_process_alive(P) of false -> receive after 0 -> ok end, impossible; true -> ok end",
        "case catch link(P) of true -> ok; _ -> receive b -> b after 0 -> impossible end end",
    ];
    for look in looks {
        let body = format!("main() -> M = self(), P = spawn(fun() -> exit(M, boom) end), {look}.\n");
        assert_ends(&body, &["no return", "ok"]);
    }
}

#[test]
fn the_down_messages_of_one_end_come_in_order() {
    let body = |wait: &str| {
        format!(
            "main() ->\n    P = spawn(fun() -> receive go -> ok end end),\n    R1 = monitor(process, P), R2 = monitor(process, P), P ! go,\n    \
         {wait},\n    receive {{'DOWN', R1, _, _, _}} -> ok after 0 -> none end.\n"
        )
    };
    assert_ends(&body("receive {'DOWN', R2, _, _, _} -> ok end"), &["ok"]);
}

/// A process waits for ever, because what was sent to it was dropped. Another one does something before that was sent.
#[test]
fn who_waits_for_ever_is_no_divergence() {
    let body = "main() ->
    M = self(),
    spawn_link(fun() -> process_flag(trap_exit, true), receive {'EXIT', _, _} -> ok end end),
    P = spawn(fun() -> receive a -> ok after 0 -> ok end, unlink(M), receive b -> ok end end),
    exit(P, kill),
    ok.\n";
    assert_ends(body, &["ok"]);
}

/// A process begins to trap exits before the signal comes that another one has sent to it and knows of.
#[test]
fn who_traps_exits_before_a_look_is_alive_then() {
    let body = "main() ->
    M = self(),
    P = spawn(fun() -> process_flag(trap_exit, true), exit(M, away) end),
    exit(P, boom),
    link(P),
    ok.\n";
    assert_ends(body, &["no return", "ok"]);
}

#[test]
fn what_was_seen_in_a_mailbox_and_not_received_is_still_there() {
    let body = |second: &str| {
        format!(
            "main() ->
    M = self(),
    P = spawn(fun() -> receive stop -> ok end end),
    spawn(fun() -> P ! a end),
    {{_, A}} = process_info(P, message_queue_len),
    {second}.\n"
        )
    };
    let expected = ["{0,0}", "{0,1}", "{1,1}"];
    assert_ends(
        &body("{_, B} = process_info(P, message_queue_len), M, {A, B}"),
        &expected,
    );
    let another = "spawn(fun() -> {_, B} = process_info(P, message_queue_len), M ! B end), receive B -> {A, B} end";
    assert_ends(&body(another), &expected);
}

/// The same step by step, where somebody chooses.
#[test]
fn who_must_have_got_an_exit_signal_is_offered_no_timeout() {
    let body = |looks: &str| {
        format!("main() -> M = self(), P = spawn(fun() -> exit(M, boom) end), {looks} receive after 0 -> ok end.\n")
    };
    let times_out = |looks: &str, steps: &[u64]| {
        let program = text(&body(looks));
        let session = Session::of(Arc::new(Trace::from_bytes(program.blank().unwrap()).unwrap())).unwrap();
        let mut player = Player::new(&session, 0).unwrap();
        for pid in steps {
            player.choose(Pid(*pid), Choice::Step).unwrap();
        }
        let choices = player.choices(Pid(1)).unwrap();
        assert!(
            choices.iter().any(|choice| matches!(choice, Choice::Signal(_))),
            "{choices:?}"
        );
        choices.contains(&Choice::Timeout)
    };
    assert!(times_out("P,", &[1, 2, 2]));
    assert!(!times_out("false = is_process_alive(P),", &[1, 2, 2, 1]));
}

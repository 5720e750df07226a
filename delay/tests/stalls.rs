//! Small programs whose stall is known.

use std::collections::BTreeSet;

use delay::What;

use super::{ended, measure, record};

/// The stalls of the whole run, under many schedules with a jitter of 2 s.
fn stalls(body: &str) -> BTreeSet<u64> {
    let seeds = 0..seeds::many(60, 600);
    let one = |seed| {
        let found = measure(&record(body, seed, 2_000));
        assert!(found.is_complete());
        found.stall(None).ms
    };
    seeds.map(one).collect()
}

#[test]
fn a_watchdog_that_fires_needs_a_stall_as_long_as_it_waits() {
    let body = "main() -> Me = self(), spawn(fun() -> Me ! done end), receive done -> ok after 500 -> error(late) end.";
    assert_eq!(stalls(body), BTreeSet::from([0, 500]));
}

#[test]
fn what_takes_its_time_is_not_held_up() {
    // The worker sleeps for 400 ms of the 500 that the watchdog waits.
    let body = "main() -> Me = self(), spawn(fun() -> receive after 400 -> Me ! done end end),
        receive done -> ok after 500 -> error(late) end.";
    assert_eq!(stalls(body), BTreeSet::from([0, 100]));
    // And for longer than it waits.
    let body = "main() -> Me = self(), spawn(fun() -> receive after 600 -> Me ! done end end),
        receive done -> ok after 500 -> error(late) end.";
    assert_eq!(stalls(body), BTreeSet::from([0, 100]));
}

#[test]
fn a_kill_with_a_message_unread_needs_a_stall() {
    // The message was there from the start, so the process would have taken it and ended long before the kill.
    let body = "main() -> W = spawn(fun() -> receive go -> ok end end), W ! go,
        receive after 300 -> ok end, exit(W, kill), receive after 10 -> ok end.";
    let mut killed = 0;
    for seed in 0..seeds::many(200, 2_000) {
        let session = record(body, seed, 2_000);
        let worker = log_format::Pid(2);
        let end = session.trace().process(worker).unwrap().counts.last_action();
        let last = session.trace().action(worker, end).unwrap();
        let by_signal = matches!(last.kind, log_format::Kind::Signal { .. });
        killed += u64::from(by_signal);
        let found = measure(&session).stall(None).ms;
        assert_eq!(found, if by_signal { 300 } else { 0 }, "seed {seed}");
    }
    assert!(killed > 0);
}

#[test]
fn the_order_of_two_messages_costs_what_lies_between_them() {
    let body = "main() -> Me = self(), spawn(fun() -> Me ! a end),
        spawn(fun() -> receive after 30 -> Me ! b end end),
        receive a -> ok; b -> error(b_first) end.";
    assert_eq!(stalls(body), BTreeSet::from([0, 30]));
}

#[test]
fn a_timer_comes_when_it_is_due_unless_it_is_cancelled() {
    let body = "main() -> erlang:send_after(50, self(), tick), T = erlang:send_after(80, self(), tock),
        receive after 20 -> ok end, erlang:cancel_timer(T),
        receive tick -> ok after 100 -> error(late) end.";
    // A cancel after 80 ms came 60 ms late; a receive that waits for 100 ms from then on is not too late for the timer.
    let all = stalls(body);
    assert!(
        all.contains(&0) && all.iter().all(|ms| [0, 60].contains(ms) || *ms < 100),
        "{all:?}"
    );
}

#[test]
fn a_timeout_of_nothing_is_no_stall() {
    let body = "main() -> Me = self(), spawn(fun() -> Me ! done end), receive done -> ok after 0 -> error(late) end.";
    assert_eq!(stalls(body), BTreeSet::from([0]));
}

#[test]
fn tables_and_names_have_an_order_too() {
    let body = "main() -> T = ets:new(t, [public]), spawn(fun() -> ets:insert(T, {k, 1}) end),
        receive after 40 -> ok end, case ets:lookup(T, k) of [] -> error(none); _ -> ok end.";
    assert_eq!(stalls(body), BTreeSet::from([0, 40]));
}

#[test]
fn who_was_held_up_is_told_with_its_action() {
    let body = "main() -> Me = self(), spawn(fun() -> Me ! done end), receive done -> ok after 500 -> error(late) end.";
    let found = (0..400).map(|seed| measure(&record(body, seed, 2_000)));
    let found = found.filter_map(|found| found.stall(None).held).next().unwrap();
    assert_eq!(found.what, What::Signal);
    assert_eq!((found.id.pid.0, found.id.number.0), (2, 1));
    assert_eq!(found.after.map(|id| (id.pid.0, id.number.0)), Some((1, 2)));
}

#[test]
fn a_message_that_overtakes_its_cause_needs_free_delivery() {
    // Main sends `a` to the receiver and then `go` to the relay, which sends `b`.
    let body = "main() -> Me = self(),
        R = spawn(fun() -> receive X -> Me ! {first, X} end end),
        Q = spawn(fun() -> receive go -> R ! b end end),
        R ! a, Q ! go,
        receive {first, a} -> ok; {first, b} -> error(overtaken) end.";
    let mut both = BTreeSet::new();
    for seed in 0..seeds::many(100, 1_000) {
        let session = record(body, seed, 0);
        let crashed = matches!(
            session.trace().run_end().unwrap(),
            Some(log_format::RunEnd::Crashed { .. })
        );
        let found = measure(&session);
        assert_eq!(found.needs_free_delivery(), Some(crashed), "seed {seed}");
        // The message that came too late is of the main process, the other one of the relay.
        let senders = found.overtaken().map(|(late, first)| (late.pid.0, first.pid.0));
        assert_eq!(senders, crashed.then_some((1, 3)), "seed {seed}");
        assert_eq!(found.stall(None).ms, 0);
        both.insert(crashed);
    }
    println!("{both:?}");
    // Without the message to the relay, either may come first.
    let body = body
        .replace("receive go -> R ! b end", "R ! b")
        .replace("Q ! go", "Q ! no");
    for seed in 0..seeds::many(50, 500) {
        assert_eq!(
            measure(&record(&body, seed, 0)).needs_free_delivery(),
            Some(false),
            "seed {seed}"
        );
    }
}

#[test]
fn who_could_have_gone_on_when_the_run_was_stopped_was_held_up() {
    // The watchdog stops the system, so nothing of the other process may be logged.
    let body = "main() -> Me = self(), spawn(fun() -> T = ets:new(t, []), ets:insert(T, {a, 1}), Me ! done end),
        spawn(fun() -> receive never -> ok end end),
        receive done -> ok after 500 -> halt(3) end.";
    let mut places = BTreeSet::new();
    for seed in 0..seeds::many(300, 3_000) {
        let session = record(body, seed, 2_000);
        let halted = matches!(session.trace().run_end().unwrap(), Some(log_format::RunEnd::Halted(3)));
        let found = ended(&session).stall(None);
        assert_eq!(found.ms, if halted { 500 } else { 0 }, "seed {seed}");
        places.extend(found.held.map(|held| (held.what == What::Rest, held.id.number.0)));
    }
    // From its start, after any of its actions, or only its message.
    assert!(places.len() > 2, "{places:?}");
}

#[test]
fn who_waits_for_nothing_that_was_sent_is_not_held_up() {
    let body = "main() -> spawn(fun() -> receive never -> ok end end),
        P = spawn(fun() -> receive {x, _} -> ok end end), P ! other,
        receive after 50 -> halt(3) end.";
    for seed in 0..seeds::many(20, 200) {
        assert_eq!(ended(&record(body, seed, 0)).stall(None).ms, 0, "seed {seed}");
    }
}

#[test]
fn what_would_have_been_dropped_is_not_late() {
    // A reply to an alias that is closed, and the end of a process to which there is no link any more.
    let reply = "A = erlang:alias(), S ! {ask, A}, receive reply -> ok after 20 -> erlang:unalias(A) end";
    let call = "R = erlang:monitor(process, S, [{alias, reply_demonitor}]), S ! {ask, R},
        receive reply -> ok after 20 -> erlang:demonitor(R, [flush]) end";
    let link = "process_flag(trap_exit, true), link(S), S ! {ask, S}, receive reply -> ok after 20 -> unlink(S) end";
    for ask in [reply, call, link] {
        let body = format!(
            "main() -> Me = self(), S = spawn(fun() -> receive {{ask, A}} -> receive after 70 -> A ! reply, exit(gone) end end end),
            spawn(fun() -> receive after 300 -> Me ! stop end end), {ask}, loop().
            loop() -> receive stop -> error(stopped); _ -> loop() end."
        );
        for seed in 0..seeds::many(5, 50) {
            let found = ended(&record(&body, seed, 0)).stall(None);
            assert_eq!(found.ms, 0, "{ask}, seed {seed}: {found:?}");
        }
    }
}

/// The stalls of the runs that fail, and whether all of them need free delivery.
fn failing(body: &str, jitter: u64) -> BTreeSet<(u64, bool)> {
    let mut found = BTreeSet::new();
    for seed in 0..seeds::many(200, 2_000) {
        let session = record(body, seed, jitter);
        let end = session.trace().run_end().unwrap();
        if matches!(end, Some(log_format::RunEnd::Crashed { .. })) {
            let measure = measure(&session);
            found.insert((measure.stall(None).ms, measure.needs_free_delivery() == Some(true)));
        }
    }
    found
}

#[test]
fn an_exit_signal_that_came_too_late_was_held_up() {
    // The process ends by itself after 40 ms; the kill was sent at once.
    let body = "main() -> {P, R} = spawn_monitor(fun() -> receive after 40 -> exit(survived) end end), exit(P, kill),
        receive {'DOWN', R, _, _, killed} -> ok; {'DOWN', R, _, _, survived} -> error(survived) end.";
    assert_eq!(failing(body, 200), BTreeSet::from([(40, false)]));
    // One that traps exits is not ended.
    let body = "main() -> {P, R} = spawn_monitor(fun() -> process_flag(trap_exit, true), receive after 40 -> exit(survived) end end),
        receive after 10 -> ok end, exit(P, gone), receive {'DOWN', R, _, _, survived} -> error(survived); _ -> ok end.";
    assert!(failing(body, 0).iter().all(|(ms, _)| *ms == 0));
}

#[test]
fn a_message_that_overtakes_a_kill_needs_free_delivery() {
    let body = "main() -> S = self(), C = spawn(fun() -> receive m -> S ! got end end), R = monitor(process, C),
        B = spawn(fun() -> receive go -> C ! m end end), spawn(fun() -> exit(C, kill), B ! go end),
        receive {'DOWN', R, _, _, _} -> ok end, receive got -> error(got) after 0 -> ok end.";
    assert_eq!(failing(body, 0), BTreeSet::from([(0, true)]));
}

#[test]
fn a_cancel_by_another_process_that_came_too_late_was_held_up() {
    // The timer is due at 30 ms, and the other process was to cancel it at 10.
    let body = "main() -> M = self(), B = spawn(fun() -> receive {t, T} -> receive after 10 -> ok end, M ! {cancelled, erlang:cancel_timer(T)} end end),
        T = erlang:send_after(30, self(), tick), B ! {t, T},
        receive {cancelled, false} -> error(too_late); {cancelled, _} -> ok end.";
    assert_eq!(failing(body, 200), BTreeSet::from([(20, false)]));
}

#[test]
fn a_monitor_that_is_given_up_after_the_end_was_due_shows_a_stall() {
    let body = "main() -> {_, R} = spawn_monitor(fun() -> receive after 10 -> ok end end), receive after 20 -> ok end,
        case demonitor(R, [flush, info]) of true -> error(alive); false -> ok end.";
    assert_eq!(failing(body, 200), BTreeSet::from([(10, false)]));
}

#[test]
fn a_message_to_a_closed_alias_was_held_up_if_it_was_due_before() {
    let body =
        "main() -> A = alias(), spawn(fun() -> receive after 10 -> ok end, A ! m end), receive after 20 -> ok end,
        unalias(A), receive m -> ok after 0 -> error(lost) end.";
    assert_eq!(failing(body, 200), BTreeSet::from([(10, false)]));
}

#[test]
fn who_reads_a_whole_table_and_changes_it_comes_before_nothing_of_its_own() {
    let body = "main() -> t = ets:new(t, [named_table, public]), ets:insert(t, {a, 1}), S = self(),
        spawn(fun() -> ets:match_delete(t, {'_', 1}), S ! done end), receive done -> ok end, [] = ets:tab2list(t), error(seen).";
    assert_eq!(failing(body, 0), BTreeSet::from([(0, false)]));
}

#[test]
fn a_timer_that_had_expired_when_it_was_read_was_read_late() {
    let body = "main() -> T = erlang:start_timer(20, self(), x), receive after 15 -> ok end,
        case erlang:read_timer(T) of false -> error(late); _ -> ok end.";
    assert_eq!(stalls(body), BTreeSet::from([0, 5]));
}

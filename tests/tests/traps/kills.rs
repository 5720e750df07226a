//! Exit signals, and when they take effect.

use super::*;

#[test]
fn junk_in_the_mailbox_does_not_move_a_kill() {
    let mut running = 0;
    each(
        "main() ->
            V = spawn(fun() -> put(role, victim), victim(0) end),
            [spawn(fun() -> put(role, junk), [V ! {junk, N} || N <- lists:seq(1, 20)] end) || _ <- [1, 2]],
            spawn(fun() -> put(role, killer), spin(200), exit(V, kill) end).
        victim(N) -> self() ! N, receive N -> spin(30), victim(N + 1) end.
        spin(0) -> ok; spin(N) -> spin(N - 1).",
        |recorded| {
            let kills = all(recorded, is_kill);
            assert_eq!(kills.len(), 1);
            let causes = recorded.causes(kills[0], None);
            // Only the entry, the victim and the killer.
            assert_eq!(causes.len(), 3, "{causes:?}");
            running += u32::from(matches!(
                recorded.action(kills[0]).kind,
                Kind::Signal { waiting: false, .. }
            ));
        },
    );
    assert!(running > often(10), "the victim was hit {running} times while it ran");
}

#[test]
fn a_process_is_killed_while_it_waits() {
    let mut waiting = 0;
    each(
        "main() ->
            A = spawn(fun() -> receive never -> ok after 100000 -> late end end),
            B = spawn(fun() -> io:get_line(\"\") end),
            C = spawn(fun() -> receive never -> ok end end),
            spin(60), B ! junk, C ! junk,
            spin(60), exit(A, kill), exit(B, kill), exit(C, bye).
        spin(0) -> ok; spin(N) -> spin(N - 1).",
        |recorded| {
            let kills = all(recorded, is_kill);
            assert_eq!(kills.len(), 3);
            let at_wait = |k: &Kind| matches!(k, Kind::Signal { waiting: true, .. });
            waiting += all(recorded, at_wait).len();
        },
    );
    assert!(
        waiting > often(50),
        "only {waiting} of {} while they waited",
        all_seeds() * 3
    );
}

/// What a process does without logging before it waits (steps of its own, and calls that fail) is done when a signal terminates it there.
#[test]
fn a_process_is_killed_where_it_waits_behind_what_is_not_logged() {
    for wait in [
        "receive never -> ok end",
        "receive never -> ok after 100000 -> late end",
        "erlang:hibernate(erlang, self, [])",
    ] {
        let mut waiting = 0;
        each(
            &format!(
                "main() ->
                P = spawn(fun() ->
                    A = alias(), self() ! x, receive x -> ok end,
                    put(a, unalias(A)), put(b, demonitor(make_ref())), put(c, catch register(5, 6)), put(d, catch exit(5, kill)),
                    put(e, catch erlang:hibernate(5, 6, 7)), put(f, catch os:cmd(5)), {wait}
                end),
                receive after 10 -> ok end,
                exit(P, kill)."
            ),
            |recorded| {
                let end = all(recorded, |k| matches!(k, Kind::Signal { waiting: true, .. }));
                waiting += end.len();
                for known in ["a=true", "b=true"] {
                    assert!(end.is_empty() || shows(recorded, known), "{wait}: {}", recorded.place);
                }
            },
        );
        assert!(
            waiting > often(50),
            "{waiting} of {} while it waited: {wait}",
            all_seeds()
        );
    }
}

#[test]
fn a_kill_of_oneself_takes_effect_at_once() {
    each(
        "main() ->
            spawn(fun() -> exit(self(), kill), self() ! never end),
            spawn(fun() -> exit(self(), bye), self() ! never end),
            spawn(fun() -> process_flag(trap_exit, true), exit(self(), bye), receive {'EXIT', _, W} -> put(w, W) end, exit(self(), kill), self() ! never end),
            spawn(fun() -> link(self()), unlink(self()), exit(self(), normal), self() ! never end).",
        |recorded| {
            assert_eq!(all(recorded, is_kill).len(), 4);
            assert!(!shows(recorded, "never"));
        },
    );
}

#[test]
fn nobody_is_alive_after_a_kill_by_the_one_who_asks() {
    each(
        "main() ->
            P = spawn(fun() -> loop(0) end),
            spin(30),
            exit(P, kill),
            false = is_process_alive(P),
            undefined = process_info(P),
            Q = spawn(fun() -> receive x -> ok end end),
            exit(Q, kill),
            false = is_process_alive(Q),
            R = spawn(fun() -> receive x -> ok end end),
            exit(R, foo),
            undefined = process_info(R, links),
            S = spawn(fun() -> receive x -> ok end end),
            S ! one,
            {message_queue_len, 1} = process_info(S, message_queue_len),
            exit(S, foo),
            badarg = try process_flag(S, save_calls, 1) catch error:Why -> Why end,
            put(asked, well),
            self() ! done.
        loop(N) -> loop(N + 1).
        spin(0) -> ok; spin(N) -> spin(N - 1).",
        |recorded| assert!(shows(recorded, "asked=well")),
    );
}

/// An exit signal that comes just before the process traps exits terminates it, or is received; one of the two always happens.
#[test]
fn an_exit_signal_just_before_exits_are_trapped_is_not_lost() {
    let body = "
        main() ->
            {B, R} = spawn_monitor(fun boss/0),
            receive {'DOWN', R, process, B, Why} -> {result, Why} end.
        boss() ->
            H = spawn_link(fun() -> exit(bad) end),
            ok = f(2),
            false = process_flag(trap_exit, true),
            receive {'EXIT', H, bad} -> exit(got_exit) end.
        f(0) -> ok;
        f(N) -> f(N - 1).
    ";
    let (mut died, mut trapped) = (0, 0);
    each(body, |recorded| {
        let signals = all(recorded, |kind| matches!(kind, Kind::Signal { .. })).len();
        let exits = all(recorded, |kind| matches!(kind, Kind::Exit { class: ExitClass::Exit })).len();
        // The helper's end, and how the boss ends.
        assert_eq!(
            (signals, exits),
            if exits == 2 { (0, 2) } else { (1, 1) },
            "{}",
            recorded.place
        );
        died += signals;
        trapped += exits - 1;
    });
    assert!(died > 0 && trapped > often(8), "{died} died, {trapped} trapped");
}

/// A process that acts in every turn of a loop, without any other call, never ends a slice between two actions: exit signals still terminate
/// it, at the action that it has reached.
#[test]
fn a_process_that_acts_in_every_turn_is_killed() {
    let turns = [
        "receive never -> ok after 0 -> ok end",
        "self() ! x, receive x -> ok end",
        "self() ! {N, x}, self() ! {N, y}, receive {N, _} -> ok after 1 -> ok end",
        "erlang:monotonic_time()",
        "whereis(nobody)",
        "process_info(self(), links)",
        "process_flag(priority, low), erlang:timestamp()",
    ];
    for turn in seeds::share(turns, 3) {
        let mut killed = 0;
        each(
            &format!(
                "main() ->
                    process_flag(trap_exit, true),
                    Me = self(),
                    P = spawn_link(fun() -> Me ! begun, loop(200) end),
                    receive begun -> ok end,
                    exit(P, kill),
                    receive {{'EXIT', P, Why}} -> put(ended, Why) end,
                    self() ! done.
                loop(0) -> ok;
                loop(N) -> {turn}, loop(N - 1)."
            ),
            |recorded| killed += usize::from(shows(recorded, "ended=killed")),
        );
        // In the others it has finished before.
        assert!(killed > often(10), "{turn}: killed in {killed} of {} runs", all_seeds());
    }
}

/// A signal of the running process that terminates another process takes effect within the step: a table that is inherited then is deleted when
/// the heir ends, a monitor on it is gone, and what the step had read before stays part of it.
#[test]
fn what_an_end_within_a_step_leaves_to_the_one_that_runs() {
    each(
        "main() ->
            {K, Ref} = spawn_monitor(fun killer/0),
            receive {'DOWN', Ref, process, K, normal} -> ok end,
            put(left, ets:info(theirs)),
            self() ! done.
        killer() ->
            Me = self(),
            O = spawn(fun() ->
                ets:new(theirs, [named_table, public, {heir, Me, x}]), monitor(process, Me), register(owner, self()), Me ! made, wait() end),
            receive made -> ok end,
            exit(O, kill),
            Down = monitor(process, owner),
            receive {'DOWN', Down, process, _, _} -> ok end,
            receive {'ETS-TRANSFER', theirs, O, x} -> ok end,
            put(watched, process_info(self(), monitored_by)),
            self() ! done,
            receive done -> ok end.
        wait() -> receive never -> ok end.",
        |recorded| {
            assert!(shows(recorded, "left=undefined"), "{}", recorded.place);
            assert!(!shows(recorded, "watched={monitored_by,[<0.2.0>,<0.3.0>]}"), "{}", recorded.place);
        },
    );
}

//! Links, monitors, aliases, and the order of signals.

use super::*;

/// The exit signal of a dead process waits in the mailbox when the link is removed, likewise a 'DOWN': they are still received, although
/// neither `unlink` nor `demonitor` depends on the exit.
#[test]
fn what_came_before_unlink_or_demonitor_is_received() {
    let body = "
        main() ->
            process_flag(trap_exit, true),
            P = spawn_link(fun() -> receive go -> exit(bang) end end),
            P ! go, erlang:yield(), f(300),
            unlink(P),
            A = receive {'EXIT', P, W} -> W after 0 -> none end,
            {Q, M} = spawn_monitor(fun() -> receive go -> exit(bang) end end),
            Q ! go, erlang:yield(), f(300),
            demonitor(M),
            B = receive {'DOWN', M, _, _, V} -> V after 0 -> none end,
            {result, A, B}.
        f(0) -> ok;
        f(N) -> f(N - 1).
    ";
    let mut came = 0;
    each(body, |recorded| {
        let ends = all(recorded, |kind| matches!(kind, Kind::Exit { class: ExitClass::Exit }));
        let consumed = |end: &ActionId| {
            let from = end.pid;
            !all(recorded, |kind| {
                let tag = kind.consumed();
                matches!(tag, Some(Tag::EndTo { by, .. } | Tag::EndRef { by, .. }) if by == from)
            })
            .is_empty()
        };
        came += ends.iter().filter(|end| consumed(end)).count();
    });
    assert!(came > often(8), "{came}");
}

#[test]
fn two_monitors_of_one_dying_process_get_their_own_messages() {
    each(
        "main() ->
            Q = spawn(fun() -> receive go -> exit(gone) end end),
            Main = self(),
            Watch = fun() -> R = monitor(process, Q), receive {'DOWN', R, process, Q, W} -> Main ! {self(), W} end end,
            A = spawn(Watch), B = spawn(Watch),
            Q ! go,
            receive {A, _} -> ok end,
            receive {B, _} -> ok end.",
        |recorded| {
            let downs = all(recorded, |k| matches!(k, Kind::Rec(Tag::EndRef { .. })));
            // A monitor that is set too late gets its message from the runtime.
            assert!(downs.len() <= 2);
            for down in downs {
                let causes = recorded.causes(down, None);
                let other = all(recorded, |k| matches!(k, Kind::Rec(Tag::EndRef { .. })));
                let others = other
                    .into_iter()
                    .filter(|o| o.pid != down.pid)
                    .filter(|o| causes.contains_key(&o.pid));
                assert_eq!(others.count(), 0, "one watcher is a cause of the other's message");
            }
        },
    );
}

#[test]
fn a_monitor_that_is_no_cause_of_an_end_hears_of_it_all_the_same() {
    let mut met = 0;
    each(
        "main() ->
            Q = spawn(fun() -> spin(100), exit(gone) end),
            spawn(fun() -> monitor(process, Q), receive {'DOWN', _, _, _, W} -> put(w, W), self() ! end_of_watch end end),
            spawn(fun() -> process_flag(trap_exit, true), catch link(Q), receive {'EXIT', Q, W} -> put(w, W), self() ! end_of_link end end).
        spin(0) -> ok; spin(N) -> spin(N - 1).",
        |recorded| {
            let end = all(recorded, |k| *k == Kind::Exit { class: ExitClass::Exit });
            assert_eq!(end.len(), 1);
            let until = recorded.causes(end[0], None);
            for rec in all(recorded, |k| matches!(k, Kind::Rec(Tag::EndRef { .. } | Tag::EndTo { .. }))) {
                assert!(!until.contains_key(&rec.pid), "the watcher is a cause of the end");
                // To the end of Q first (it was born first), then on: the order of the eager schedule.
                let mut on: BTreeMap<Pid, u64> = until.clone();
                for (pid, n) in recorded.causes(rec, None) {
                    let reached = on.entry(pid).or_default();
                    *reached = n.max(*reached);
                }
                for highest in [false, true] {
                    let scheduler = Box::new(Eager { ready: BTreeSet::new(), highest });
                    recorded.replay(Some(&on), scheduler).unwrap_or_else(|e| panic!("{e}"));
                }
                met += 1;
            }
        },
    );
    assert!(met > often(20), "only {met} messages");
}

/// The same in one session: `--until exit:Q`, and then on to the messages that were not causes of it.
#[test]
fn a_session_at_an_end_goes_on_to_the_monitors_that_were_no_causes() {
    let text = "-module(onward).
-export([main/0]).
main() ->
    Q = spawn(fun() -> spin(60), exit(gone) end),
    spawn(fun() -> monitor(process, Q), receive {'DOWN', _, _, _, W} -> put(w, W), self() ! end_of_watch end end),
    spawn(fun() -> process_flag(trap_exit, true), catch link(Q), receive {'EXIT', Q, W} -> put(w, W), self() ! end_of_link end end).
spin(0) -> ok; spin(N) -> spin(N - 1).
";
    let program = laws::program("onward.erl", text.as_bytes());
    let mut met = 0;
    for seed in 0..all_seeds() {
        let session = laws::session(&program, seed);
        let trace = session.trace();
        let all = |wanted: &dyn Fn(&Kind) -> bool| {
            let mut found = Vec::new();
            for process in trace.processes() {
                let process = process.expect("a whole trace");
                for n in 1..=process.counts.actions {
                    let action = trace.action(process.pid, ActionNo(n)).expect("a whole trace");
                    found.extend(wanted(&action.kind).then_some((process.pid, n)));
                }
            }
            found
        };
        let ends = all(&|kind| *kind == Kind::Exit { class: ExitClass::Exit });
        let [(q, n)] = ends[..] else {
            panic!("seed {seed}: {ends:?}")
        };
        let until = laws::causes(&session, q, n);
        for (watcher, m) in all(&|kind| matches!(kind, Kind::Rec(Tag::EndRef { .. } | Tag::EndTo { .. }))) {
            assert!(
                until.get(watcher) == 0,
                "seed {seed}: the watcher is a cause of the end"
            );
            let what = format!("seed {seed}: on to event:{watcher}/{m}");
            let mut player = laws::at(&session, &until, &what);
            let moved = player
                .pull(watcher, m)
                .unwrap_or_else(|error| panic!("{error}: {what}"));
            assert!(moved.done.iter().all(|stretch| stretch.pid != q), "{what}: {moved:?}");
            let mut both = until.clone();
            both.extend(laws::causes(&session, watcher, m).iter());
            laws::same(
                &laws::state_of(&laws::at(&session, &both, &what)),
                &laws::state_of(&player),
                &what,
            );
            met += 1;
        }
    }
    assert!(met > often(20), "only {met} messages");
}

#[test]
fn demonitor_with_info_tells_whether_the_message_had_come() {
    let (mut yes, mut no) = (0, 0);
    each(
        "main() ->
            Q = spawn(fun() -> spin(40) end),
            R = monitor(process, Q),
            spin(40),
            put(info, demonitor(R, [info])),
            R2 = monitor(process, Q),
            spin(10),
            put(flushed, demonitor(R2, [flush, info])),
            self() ! done, self() ! done,
            receive {'DOWN', R, _, _, _} -> down; done -> none end,
            receive {'DOWN', _, _, _, _} -> down; done -> none end,
            self() ! last.
        spin(0) -> ok; spin(N) -> spin(N - 1).",
        |recorded| {
            yes += u32::from(shows(recorded, "info=true"));
            no += u32::from(shows(recorded, "info=false"));
        },
    );
    assert!(
        yes > often(16) && no > often(16),
        "in time {yes} times, too late {no} times"
    );
}

#[test]
fn a_demonitor_that_asks_nothing_and_finds_nothing_is_no_drop() {
    each(
        "main() ->
            Q = spawn(fun() -> receive stop -> ok end end),
            R = monitor(process, Q), demonitor(R),
            R2 = monitor(process, Q), demonitor(R2, []),
            demonitor(make_ref()),
            Q ! stop.",
        |recorded| assert_eq!(all(recorded, |k| matches!(k, Kind::Drop { .. })).len(), 0),
    );
}

#[test]
fn a_message_comes_before_the_down_of_its_sender() {
    each(
        "main() ->
            Me = self(),
            {P, R} = spawn_monitor(fun() -> Me ! {last, words}, exit(done) end),
            First = receive M -> M end,
            put(first, First),
            receive {'DOWN', R, process, P, done} -> ok end.",
        |recorded| assert!(shows(recorded, "first={last,words}")),
    );
}

#[test]
fn who_made_or_broke_a_link_last_is_replayed() {
    let (mut killed, mut spared) = (0, 0);
    each(
        "main() ->
            [pair(Steps) || Steps <- [[bu, bu, al], [bl, bu, al], [al, bu, al], [al, au, bl], [bu, al, bu, bl], [al, bu, al, bu]]].
        pair(Steps) ->
            B = spawn(fun() -> receive {partner, A} -> loop(A) end end),
            A = spawn(fun() -> put(role, first), loop(B) end),
            B ! {partner, A},
            Ref = monitor(process, A),
            [case Step of al -> A ! link; au -> A ! unlink; bl -> B ! link; bu -> B ! unlink end || Step <- Steps],
            B ! stop,
            receive {'DOWN', Ref, _, _, _} -> ok after 20 -> exit(A, kill) end.
        loop(P) ->
            receive
                link -> catch link(P), loop(P);
                unlink -> unlink(P), loop(P);
                stop -> receive after 5 -> exit(over) end
            end.",
        |recorded| {
            let linked = all(recorded, |k| matches!(k, Kind::Signal { tag: Tag::EndTo { .. }, .. })).len();
            killed += linked;
            spared += 6 - linked;
        },
    );
    assert!(killed > often(50) && spared > often(50), "{killed} {spared}");
}

#[test]
fn links_and_monitors_of_the_never_born_and_the_dead() {
    each(
        "main() ->
            process_flag(trap_exit, true),
            Never = list_to_pid(\"<0.4711.0>\"),
            link(Never), receive {'EXIT', Never, W1} -> put(w1, W1) end,
            R = monitor(process, Never), receive {'DOWN', R, process, Never, W2} -> put(w2, W2) end,
            Never ! hello, exit(Never, kill), false = is_process_alive(Never), undefined = process_info(Never),
            Dead = spawn(fun() -> ok end), receive after 10 -> ok end,
            Dead ! hello, exit(Dead, kill), unlink(Dead), link(Dead),
            receive {'EXIT', Dead, W3} -> put(w3, W3) end,
            R4 = monitor(process, Dead), true = demonitor(R4, [flush]),
            self() ! done.",
        |recorded| {
            assert!(shows(recorded, "w1=noproc") && shows(recorded, "w2=noproc") && shows(recorded, "w3=noproc"))
        },
    );
}

/// Messages to a deactivated alias are gone: they are in no mailbox of a replay either.
#[test]
fn messages_to_aliases_that_were_given_up_lie_in_no_mailbox() {
    let folder = Folder::new("given-up");
    let text = "-module(given_up).
-export([main/0]).
main() ->
    S = self(),
    R = alias(), unalias(R), R ! gone_own,
    P = spawn(fun() -> receive {A, B, C} -> A ! gone_late, B ! gone_demonitored, C ! one, C ! gone_second, S ! done end end),
    A = alias(), M = monitor(process, P, [{alias, demonitor}]), C = alias([reply]),
    unalias(A), demonitor(M),
    M ! gone_own_too, S ! kept,
    P ! {A, M, C},
    receive done -> ok end,
    io:format(\"~p~n\", [element(2, process_info(self(), messages))]),
    receive never -> ok end.
";
    folder.write("given_up.erl", text);
    for seed in 0..8 {
        let args = ["run".to_owned(), format!("--seed={seed}"), "given_up.erl".to_owned()];
        // It waits for ever: a deadlock.
        assert_eq!(folder.tracer(args).expect(80).out(), "[kept,one]\n", "seed {seed}");
        for command in [&["state", "end:0.1.0", "trace.bin"][..], &["why", "trace.bin"]] {
            let said = folder.replay(command).expect(0).out();
            let mailbox = said.lines().skip_while(|line| !line.contains("mailbox")).take(3);
            let mailbox = mailbox.collect::<Vec<_>>().join("\n");
            assert!(
                mailbox.contains("kept") && mailbox.contains("one") && !mailbox.contains("gone"),
                "{command:?}, seed {seed}: {said}"
            );
        }
    }
}

/// What a process sent before it ended arrives before anybody sees that it has ended, as on one node of OTP.
#[test]
fn nothing_overtakes_the_last_messages_of_the_dead() {
    let folder = Folder::new("last-messages");
    let text = "-module(last).
-export([main/0]).
main() ->
    S = self(),
    P = spawn(fun() -> S ! {self(), a}, exit(b) end),
    M = monitor(process, P),
    io:format(\"~p~n\", [receive {P, a} -> message; {'DOWN', M, _, _, _} -> down end]),
    Q = spawn(fun() -> S ! {self(), a} end),
    wait(Q),
    io:format(\"~p~n\", [receive {Q, a} -> message after 0 -> nothing end]).
wait(P) -> case is_process_alive(P) of true -> erlang:yield(), wait(P); false -> ok end.
";
    folder.write("last.erl", text);
    for seed in 0..40 {
        let args = ["run".to_owned(), format!("--seed={seed}"), "last.erl".to_owned()];
        assert_eq!(folder.tracer(args).expect(0).out(), "message\nmessage\n", "seed {seed}");
        folder.replay(["verify", "trace.bin"]).expect(0);
    }
}

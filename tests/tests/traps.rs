//! Pitfalls of recording and replaying interactions between processes, each with the schedules that trigger it.

use std::collections::{BTreeMap, BTreeSet};

use log_format::{ActionId, ActionNo, ExitClass, Kind, Pid, Resource, Tag};
use seeds::many;
use system::process::Slot;
use system::scheduler::{Random, RoundRobin, Scheduler};
use tests::memory::{self, Prefixes, Recorded, Subject};
use tests::{Folder, laws};

/// Seeds of each test. They are fixed, because each pitfall is known to occur under some of them.
fn all_seeds() -> u64 {
    many(16, 64)
}

/// Scales the number of occurrences required under 64 seeds.
fn often<Count: From<u8>>(of_64: u8) -> Count {
    Count::from(if seeds::deep() { of_64 } else { of_64 / 16 })
}

/// Always runs the process in the lowest or highest slot: the first-born, or the last-born, until it blocks.
struct Eager {
    ready: BTreeSet<Slot>,
    highest: bool,
}

impl Scheduler for Eager {
    fn ready(&mut self, slot: Slot) {
        self.ready.insert(slot);
    }
    fn next(&mut self) -> Option<(Slot, u32)> {
        let slot = if self.highest {
            self.ready.pop_last()
        } else {
            self.ready.pop_first()
        };
        slot.map(|slot| (slot, 4000))
    }
}

fn schedules(seed: u64) -> Vec<Box<dyn Scheduler>> {
    let eager = |highest| {
        Box::new(Eager {
            ready: BTreeSet::new(),
            highest,
        })
    };
    vec![
        eager(false),
        eager(true),
        Box::new(RoundRobin::default()),
        Box::new(Random::new(seed)),
        Box::new(Random::new(!seed)),
    ]
}

fn program(body: &str) -> Subject {
    Subject::new(
        "trap",
        "trap.erl",
        &format!("-module(trap).\n-export([main/0]).\n{body}"),
    )
}

/// Records under many seeds, replays each run completely and every action with its causes alone, and passes each run to `look`.
fn each(body: &str, mut look: impl FnMut(&Recorded)) {
    let subject = program(body);
    for seed in 0..all_seeds() {
        let recorded = memory::record(&subject, seed);
        for scheduler in schedules(seed) {
            recorded.replay(None, scheduler).unwrap_or_else(|e| panic!("{e}"));
        }
        let step = 1 + recorded.actions() as usize / 25;
        for target in recorded.names().into_iter().step_by(step) {
            replay_causes(&recorded, target, seed);
        }
        look(&recorded);
    }
}

fn replay_causes(recorded: &Recorded, target: ActionId, seed: u64) -> Prefixes {
    let causes = recorded.causes(target, None);
    for scheduler in schedules(seed) {
        recorded
            .replay(Some(&causes), scheduler)
            .unwrap_or_else(|e| panic!("{e}\ncauses of {target:?}: {causes:?}"));
    }
    causes
}

/// All actions of some kind.
fn all(recorded: &Recorded, wanted: impl Fn(&Kind) -> bool) -> Vec<ActionId> {
    let mut names = recorded.names();
    names.retain(|name| wanted(&recorded.action(*name).kind));
    names
}

/// The process that last put this into its dictionary or variables, according to its states.
fn who(recorded: &Recorded, words: &str) -> Pid {
    let log = recorded
        .logs
        .iter()
        .find(|(_, log)| log.iter().any(|(_, state)| state.contains(words)));
    *log.unwrap_or_else(|| panic!("{}: nobody shows {words}", recorded.place))
        .0
}

/// Whether a state of this process shows these words.
fn shows(recorded: &Recorded, words: &str) -> bool {
    recorded
        .logs
        .values()
        .any(|log| log.iter().any(|(_, state)| state.contains(words)))
}

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

const fn is_kill(kind: &Kind) -> bool {
    matches!(kind, Kind::Signal { .. })
}

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
fn an_old_version_can_be_read_after_a_newer_one_was_replayed() {
    let mut old = 0;
    each(
        "main() ->
            spawn(fun() -> persistent_term:put(k, 1), persistent_term:put(k, 2), persistent_term:put(k, 3) end),
            spawn(fun() -> put(a, persistent_term:get(k, 0)), put(b, persistent_term:get(k, 0)) end),
            spawn(fun() -> catch register(n, self()), put(c, whereis(n)), catch unregister(n) end),
            spawn(fun() -> put(d, whereis(n)), put(e, whereis(n)) end).",
        |recorded| {
            let reads = recorded
                .names()
                .into_iter()
                .flat_map(|name| recorded.action(name).accesses.clone());
            old += reads
                .filter(|a| matches!(a.resource, Resource::Persistent(_)) && !a.write && a.version.0 < 3)
                .count();
        },
    );
    assert!(old > often(10), "only {old} reads of an old version");
}

#[test]
fn a_timer_for_a_name_reads_it_when_it_fires() {
    let mut read = 0;
    each(
        "main() ->
            [spawn(fun() -> catch register(n, self()), receive {timeout, _, x} -> put(got, it), catch unregister(n) after 3 -> catch unregister(n) end end) || _ <- [1, 2]],
            erlang:start_timer(1, n, x), erlang:start_timer(2, n, x).",
        |recorded| {
            for rec in all(recorded, |k| matches!(k, Kind::Rec(_))) {
                let accesses = &recorded.action(rec).accesses;
                assert!(matches!(accesses[..], [a] if matches!(a.resource, Resource::Name(_)) && !a.write && a.by.is_none()));
                // Only its sender, who spawned it, and itself.
                assert!(recorded.causes(rec, None).len() <= 2);
                read += 1;
            }
        },
    );
    assert!(read > often(30), "{read} timers were received");
}

#[test]
fn additions_to_a_counter_are_not_ordered_and_are_all_causes_of_a_read() {
    let (mut together, mut apart) = (0, 0);
    each(
        "main() ->
            C = counters:new(1, []),
            Add = fun() -> counters:add(C, 1, 3), counters:sub(C, 1, 1), self() ! done end,
            Adders = [spawn_monitor(Add) || _ <- lists:seq(1, 4)],
            spawn(fun() -> put(early, counters:get(C, 1)), counters:add(C, 1, 0) end),
            [receive {'DOWN', R, process, P, normal} -> ok end || {P, R} <- Adders],
            put(sum, {sum, counters:get(C, 1)}).",
        |recorded| {
            assert!(shows(recorded, "{sum,8}"), "{}", recorded.place);
            let of_counter = |name: &ActionId| {
                let accesses = recorded.action(*name).accesses.clone();
                let counter = accesses
                    .into_iter()
                    .find(|a| matches!(a.resource, Resource::Counter { .. }));
                counter.map(|access| (*name, access))
            };
            let uses: Vec<_> = recorded.names().iter().filter_map(of_counter).collect();
            let adders: BTreeSet<Pid> = uses
                .iter()
                .filter(|(_, a)| a.write)
                .map(|(ActionId { pid, .. }, _)| *pid)
                .collect();
            for (name, access) in uses {
                let others = recorded.causes(name, None).into_keys();
                let others = others.filter(|pid| adders.contains(pid) && *pid != name.pid).count();
                if access.write {
                    // Its actions before the addition are in its past, and the reader's past contains what it read.
                    together += usize::from(others == 0);
                } else {
                    apart += others;
                }
            }
        },
    );
    assert!(
        together as u64 > many(60, 500) && apart as u64 > many(30, 200),
        "{together} additions depend on no other, {apart} were read"
    );
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
fn the_crash_of_a_tables_owner_is_not_caused_by_those_who_wrote_into_it() {
    each(
        "main() ->
            spawn(fun() -> put(role, owner), ets:new(tab, [named_table, public]), spin(300), error(crash) end),
            [spawn(fun() -> put(role, writer), [catch ets:insert(tab, {N, W}) || N <- lists:seq(1, 5)] end) || W <- [1, 2]].
        spin(0) -> ok; spin(N) -> spin(N - 1).",
        |recorded| {
            let crash = all(recorded, |k| *k == Kind::Exit { class: ExitClass::Error });
            assert_eq!(crash.len(), 1);
            let causes = recorded.causes(crash[0], None);
            assert_eq!(causes.len(), 2, "only the entry and the owner: {causes:?}");
        },
    );
}

/// Keys of an `ordered_set` that differ only at depth are different resources: the writer of one is not a cause of a write of the other.
#[test]
fn deep_keys_of_an_ordered_table_are_different_resources() {
    each(
        "main() ->
            ets:new(tab, [named_table, public, ordered_set]),
            [spawn(fun() -> put(role, {writer, N}), ets:insert(tab, {{key, {deep, [N]}}, N}), self() ! done end) || N <- [1, 2, 3.0]],
            self() ! done.",
        |recorded| {
            for n in ["1", "2", "3.0"] {
                let writer = who(recorded, &format!("role={{writer,{n}}}"));
                assert_eq!(recorded.causes(ActionId::new(writer, 1), None).len(), 2, "{}", recorded.place);
            }
        },
    );
}

#[test]
fn readers_of_different_keys_depend_on_the_writers_of_theirs() {
    let mut met = 0;
    each(
        "main() ->
            ets:new(tab, [named_table, public]),
            spawn(fun() -> put(role, writer_a), ets:insert(tab, {a, 1}), receive after 50 -> ok end end),
            spawn(fun() -> put(role, writer_b), ets:insert(tab, {b, 1}), receive after 50 -> ok end end),
            spawn(fun() -> put(role, reader_a), put(a, ets:lookup(tab, a)), self() ! done end),
            spawn(fun() -> put(role, reader_b), put(b, ets:lookup(tab, b)), self() ! done end),
            receive after 100 -> ok end.",
        |recorded| {
            for (reader, found, mine, other) in [
                ("role=reader_a", "a=[{a,1}]", "role=writer_a", "role=writer_b"),
                ("role=reader_b", "b=[{b,1}]", "role=writer_b", "role=writer_a"),
            ] {
                let pid = who(recorded, reader);
                let send = recorded.logs[&pid]
                    .iter()
                    .position(|(a, _)| a.kind == Kind::Send)
                    .expect("it sends");
                let causes = recorded.causes(ActionId::new(pid, send as u64 + 1), None);
                let saw = recorded.logs[&pid].iter().any(|(_, state)| state.contains(found));
                assert_eq!(causes.contains_key(&who(recorded, mine)), saw);
                assert!(!causes.contains_key(&who(recorded, other)));
                met += u32::from(saw);
            }
        },
    );
    assert!(met > often(10), "met {met} times");
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

#[test]
fn a_timer_and_a_message_of_one_process_come_in_either_order() {
    let (mut timer, mut direct) = (0, 0);
    each(
        "main() ->
            Me = self(),
            spawn(fun() -> erlang:send_after(1, Me, timer), spin(N0()), Me ! direct end),
            put(first, receive M -> M end),
            receive _ -> ok end.
        N0() -> 1.
        spin(0) -> ok; spin(N) -> spin(N - 1)."
            .replace("N0()", "pause()")
            .replace("pause() -> 1.", "pause() -> 20000.")
            .as_str(),
        |recorded| {
            timer += u32::from(shows(recorded, "first=timer"));
            direct += u32::from(shows(recorded, "first=direct"));
        },
    );
    assert!(timer > 0, "the timer never came first; the message {direct} times");
    let mut early = 0;
    each(
        "main() ->
            Me = self(),
            spawn(fun() -> erlang:send_after(1, Me, timer), Me ! direct end),
            put(first, receive M -> M end),
            receive _ -> ok end.",
        |recorded| early += u32::from(shows(recorded, "first=direct")),
    );
    assert!(early > 0, "the message never came first");
}

#[test]
fn the_crash_of_a_named_server_is_not_caused_by_those_who_only_looked() {
    each(
        "main() ->
            S = spawn(fun() -> put(role, server), receive boom -> error(crash) end end),
            register(server, S),
            [spawn(fun() -> looker(S) end) || _ <- [1, 2, 3]],
            spawn(fun() -> spin(100), server ! boom end).
        looker(S) ->
            put(role, looker), whereis(server), monitor(process, S), catch link(S), is_process_alive(S), process_info(S, links),
            registered(), receive after 5 -> ok end.
        spin(0) -> ok; spin(N) -> spin(N - 1).",
        |recorded| {
            let crash = all(recorded, |k| *k == Kind::Exit { class: ExitClass::Error });
            // The server; a sender that came too late crashes with badarg.
            let server = who(recorded, "role=server");
            let crash = crash.into_iter().find(|ActionId { pid, .. }| *pid == server).expect("the server crashes");
            let causes = recorded.causes(crash, None);
            assert_eq!(causes.len(), 3, "only the entry, the server and the sender: {causes:?}");
        },
    );
}

#[test]
fn names_are_raced_for_and_registered_twice() {
    each(
        "main() ->
            Me = self(),
            Ps = [spawn(fun() -> put(got, (catch register(name, self())) =:= true), catch register(other, self()),
                       catch register(name, Me), receive stop -> ok after 20 -> ok end end) || _ <- lists:seq(1, 4)],
            catch name ! hello,
            spin(50),
            [P ! stop || P <- Ps],
            receive after 30 -> ok end,
            put(left, whereis(name)).
        spin(0) -> ok; spin(N) -> spin(N - 1).",
        |_| {},
    );
}

#[test]
fn who_lists_the_names_depends_on_those_who_registered_and_freed_them() {
    let (mut seen, mut freed) = (0, 0);
    each(
        "main() ->
            spawn(fun() -> put(role, holder), register(foo, self()), receive after 30 -> ok end end),
            spawn(fun() -> put(role, other), register(bar, self()), unregister(bar), receive after 30 -> ok end end),
            spawn(fun() -> put(role, reader), spin(60), put(seen, registered()), self() ! done end).
        spin(0) -> ok; spin(N) -> spin(N - 1).",
        |recorded| {
            let reader = who(recorded, "role=reader");
            let log = &recorded.logs[&reader];
            let send = log.iter().position(|(a, _)| a.kind == Kind::Send).expect("it sends");
            let causes = recorded.causes(ActionId::new(reader, send as u64 + 1), None);
            let sees = |name: &str| {
                let seen = |state: &str| {
                    state
                        .split_once("seen=[")
                        .and_then(|(_, rest)| rest.split_once(']'))
                        .is_some_and(|(names, _)| names.contains(name))
                };
                log.iter().any(|(_, state)| seen(state))
            };
            assert_eq!(causes.contains_key(&who(recorded, "role=holder")), sees("foo"));
            seen += u32::from(sees("foo"));
            let other = causes.get(&who(recorded, "role=other")).copied();
            assert_eq!(other == Some(1), sees("bar"));
            freed += u32::from(other == Some(2));
        },
    );
    assert!(seen > often(5) && freed > often(5), "{seen} {freed}");
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

/// Timers of two processes that are due at about the same time expire in either order, and a late `cancel_timer` finds the message.
#[test]
fn timers_of_two_processes_that_are_due_together_come_in_either_order() {
    let body = "
        main() ->
            Me = self(),
            spawn(fun() -> receive after 10 -> Me ! child end end),
            T = erlang:send_after(10, Me, timer),
            receive child -> ok end,
            case erlang:cancel_timer(T) of
                false -> receive timer -> late after 0 -> exit(no_message) end;
                _ -> cancelled
            end.
    ";
    let (mut late, mut cancelled) = (0, 0);
    each(body, |recorded| {
        assert!(
            all(recorded, |kind| matches!(kind, Kind::Exit { class: ExitClass::Exit })).is_empty(),
            "{}: cancelled too late, and there is no message",
            recorded.place
        );
        let received = all(recorded, |kind| matches!(kind, Kind::Rec(_))).len();
        late += usize::from(received == 2);
        cancelled += usize::from(received == 1);
    });
    assert!(
        late > often(8) && cancelled > often(8),
        "{late} late, {cancelled} cancelled"
    );
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
    for turn in turns {
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

/// An owner and its heir, both terminated by the end of a third process: the table is gone when both are, whichever goes first.
#[test]
fn an_owner_and_its_heir_that_end_together_leave_no_table() {
    each(
        "main() ->
            Me = self(),
            C = spawn(fun() -> receive die -> exit(foo) end end),
            B = spawn(fun() -> link(C), receive {heir, H} -> ets:new(theirs, [named_table, public, {heir, H, x}]) end, Me ! b, wait() end),
            A = spawn(fun() -> link(C), ets:new(ours, [named_table, public, {heir, B, x}]), Me ! a, wait() end),
            B ! {heir, A},
            receive a -> ok end, receive b -> ok end,
            Refs = [monitor(process, P) || P <- [A, B]],
            C ! die,
            [receive {'DOWN', Ref, _, _, foo} -> ok end || Ref <- Refs],
            put(left, {ets:info(ours), ets:info(theirs), catch_delete(ours), catch_delete(theirs)}),
            self() ! done.
        wait() -> receive never -> ok end.
        catch_delete(T) -> try ets:delete(T) catch error:badarg -> badarg end.",
        |recorded| {
            assert!(
                shows(recorded, "left={undefined,undefined,badarg,badarg}"),
                "{}",
                recorded.place
            );
        },
    );
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

/// `ets:delete/1` returns that the table existed: its creator is among the causes.
#[test]
fn the_deletion_of_a_table_is_caused_by_its_making() {
    each(
        "main() ->
            Me = self(),
            spawn(fun() -> put(role, maker), ets:new(tab, [named_table, public]), Me ! made, receive never -> ok end end),
            receive made -> ok end,
            spawn(fun() -> put(role, deleter), true = ets:delete(tab), self() ! done, receive done -> ok end end).",
        |recorded| {
            let (maker, deleter) = (who(recorded, "role=maker"), who(recorded, "role=deleter"));
            let causes = recorded.causes(ActionId::new(deleter, 1), None);
            assert!(causes.contains_key(&maker), "{causes:?}");
        },
    );
}

/// Reading all persistent terms: whoever put one of them is among the causes, and a process that puts another one depends on nobody.
#[test]
fn all_persistent_terms_are_caused_by_those_who_put_them() {
    each(
        "main() ->
            Me = self(),
            [spawn(fun() -> put(role, {putter, N}), persistent_term:put({trap, N}, N), Me ! put end) || N <- [1, 2, 3]],
            receive put -> ok end,
            put(role, reader),
            put(found, lists:sort([N || {{trap, N}, _} <- persistent_term:get()])),
            self() ! done.",
        |recorded| {
            let reader = who(recorded, "role=reader");
            let reads =
                |a: &log_format::Action| a.accesses.iter().any(|a| matches!(a.resource, Resource::Persistent(_)));
            let names = recorded.names();
            let got = names
                .iter()
                .find(|name| name.pid == reader && reads(recorded.action(**name)));
            let causes = recorded.causes(*got.expect("a read of all"), None);
            let seen: usize = [1, 2, 3]
                .iter()
                .filter(|n| causes.contains_key(&who(recorded, &format!("role={{putter,{n}}}"))))
                .count();
            let found = (0..8_u32).find(|set| {
                let list: Vec<String> = (1..4)
                    .filter(|n| set >> (n - 1) & 1 == 1)
                    .map(|n: u32| n.to_string())
                    .collect();
                shows(recorded, &format!("found=[{}]", list.join(",")))
            });
            let found = found.expect("a list");
            assert!(seen >= found.count_ones() as usize, "{causes:?}");
            // A put depends on its own process and that process's causes.
            for n in 1..4 {
                let putter = who(recorded, &format!("role={{putter,{n}}}"));
                assert_eq!(
                    recorded.causes(ActionId::new(putter, 1), None).len(),
                    2,
                    "{}",
                    recorded.place
                );
            }
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

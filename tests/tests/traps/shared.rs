//! Shared resources: tables, counters, names, persistent terms.

use super::*;

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

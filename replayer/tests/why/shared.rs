//! Tables, names and counters: who wrote what was read, and which update was lost.

use super::*;

#[test]
fn a_lost_update_is_told_by_the_state_that_was_read() {
    for session in failures("account", 12) {
        let view = tell(&session, "error");
        let text = text(&view);
        assert_eq!(view.links[0].because, Because::Answered, "{text}");
        assert_eq!(view.links[1].because, Because::State, "{text}");
        assert!(text.contains("in reply to {get,<0.1.0>}"), "{text}");
        assert!(text.contains("Account ! {put, Balance + Amount}."), "{text}");
        assert!(text.contains("Balance became"), "{text}");
    }
}

#[test]
fn who_wrote_what_was_read_from_a_table_is_told() {
    for (name, key) in [("table_race", "hits"), ("ets_lost_update", "apples")] {
        let session = failing_pair(name);
        let view = tell(&session, "error");
        check(&session, &view);
        let text = text(&view);
        assert_eq!(view.links[0].because, Because::Read, "{text}");
        assert!(
            text.contains(&format!("read key {key} of the table 0.1.0/1, last written by ")),
            "{text}"
        );
        assert!(
            text.contains("written at ") && text.contains("ets:insert(Table"),
            "{text}"
        );
        // That the table exists is not mentioned.
        assert!(!text.contains("reads table(0.1.0/1),"), "{text}");
    }
}

#[test]
fn who_took_a_name_is_told() {
    let session = run_of(
        "taken",
        "-export([main/0]).
main() ->
    [{_, A}, {_, B}] = [spawn_monitor(fun claim/0) || _ <- [1, 2]],
    receive {'DOWN', A, _, _, X} -> normal = X end,
    receive {'DOWN', B, _, _, Y} -> normal = Y end.
claim() ->
    register(server, self()),
    receive stop -> ok after 100 -> ok end.
",
    );
    let (view, text) = story(&session, "exit:0.3.0");
    assert_eq!(view.links[0].because, Because::Read, "{text}");
    says(
        &text,
        &[
            "found the name server taken: 0.2.0 server had registered it",
            "at taken.erl:8: register(server, self())",
        ],
    );
    assert!(!text.contains("Also required"), "{text}");
}

#[test]
fn how_the_holder_of_a_name_ended_is_told() {
    let session = run_of(
        "gone",
        "-behaviour(gen_server).
-export([main/0, init/1, handle_call/3, handle_cast/2]).
main() ->
    {ok, _} = gen_server:start({local, counter}, ?MODULE, [], []),
    gen_server:cast(counter, {divide, 0}),
    timer:sleep(10),
    exit(gen_server:call(counter, get)).
init([]) -> {ok, 10}.
handle_call(get, _, S) -> {reply, S, S}.
handle_cast({divide, N}, S) -> {noreply, S div N}.
",
    );
    let (view, text) = story(&session, "exit:0.1.0");
    says(
        &text,
        &[
            "looked for the name counter, but its holder 0.2.0 counter had ended",
            "at gone.erl:11 [exit:0.2.0]: it ends: exit {badarith,",
            "received the cast {divide,0} from 0.1.0 main/0",
            "started 0.2.0: {ok,<0.2.0>}",
        ],
    );
    // How the library starts a server and reports its end is not part of the story.
    assert!(
        !text.contains("proc_lib") && !text.contains("$gen_cast',{divide"),
        "{text}"
    );
    assert!(
        view.required
            .iter()
            .all(|act| !matches!(act.kind, ActKind::Observe | ActKind::Input)),
        "{text}"
    );
    // The place of the failure is shown, though a behaviour caught the error.
    says(
        &story(&session, "exit:0.2.0").1,
        &["in gone:handle_cast/2, gone.erl:11", "{noreply, S div N}"],
    );
}

#[test]
fn a_name_that_nobody_had_registered_yet_is_told() {
    let session = run_of(
        "early",
        "-export([main/0]).
main() ->
    spawn(fun() -> timer:sleep(5), register(late, self()), receive stop -> ok end end),
    late ! hello.
",
    );
    says(
        &story(&session, "error").1,
        &["looked for the name late, which was not registered yet; 0.2.0 registered it later [event:0.2.0/2]"],
    );
}

/// Both read before either writes: the last writer overwrote the other's write without having seen it.
#[test]
fn a_lost_update_of_a_table_names_the_write_that_was_lost() {
    let session = run_of(
        "lost",
        "-export([main/0]).\nmain() ->\n    T = ets:new(stock, [public, named_table]),\n    ets:insert(T, {sold, 0}),\n    Me = self(),\n    \
         [spawn(fun() -> sell(), Me ! done end) || _ <- [1, 2]],\n    [receive done -> ok end || _ <- [1, 2]],\n    \
         [{sold, N}] = ets:lookup(stock, sold),\n    N =:= 2 orelse exit({sold, N}).\nsell() ->\n    \
         [{sold, N}] = ets:lookup(stock, sold),\n    ets:insert(stock, {sold, N + 1}).\n",
    );
    let (view, text) = story(&session, "error");
    let lost = view.links[0].lost.as_ref().unwrap();
    assert_ne!(lost.read.pid, lost.lost.pid);
    says(
        &text,
        &[
            "read key sold of the table stock, last written by ",
            "this write overwrote a value that its process had not seen: ",
            ", then ",
            "ets:insert(stock, {sold, N + 1}).",
        ],
    );
}

/// `register` after `whereis` returned `undefined`.
#[test]
fn who_finds_a_name_taken_had_found_it_free() {
    let session = run_of(
        "twice",
        "-export([main/0]).\nmain() ->\n    [spawn_link(fun start/0) || _ <- [1, 2]],\n    receive after 100 -> ok end.\nstart() ->\n    \
         case whereis(server) of\n        undefined -> register(server, self()), receive stop -> ok end;\n        _ -> ok\n    end.\n",
    );
    let (_, text) = story(&session, "error");
    says(
        &text,
        &[
            "found the name server taken",
            "it had found the name free before [event:0.",
        ],
    );
}

/// The owner of a table has crashed: that is the cause, not an earlier read.
#[test]
fn a_table_that_is_gone_is_told() {
    let session = run_of(
        "owner",
        "-export([main/0]).\nmain() ->\n    Me = self(),\n    O = spawn(fun() -> ets:new(rates, [named_table, public]), ets:insert(rates, {usd, 1}),\n        \
         Me ! up, receive {divide, N} -> 1 / N end end),\n    receive up -> ok end,\n    ets:lookup(rates, usd),\n    O ! {divide, 0},\n    timer:sleep(5),\n    \
         ets:lookup(rates, gbp).\n",
    );
    let (view, text) = story(&session, "exit:0.1.0");
    assert_eq!(view.links[0].because, Because::Read, "{text}");
    says(
        &text,
        &[
            "found the table rates deleted: its owner 0.2.0",
            "[exit:0.2.0]: it ends: error badarith",
        ],
    );
}

/// Both cashiers read the seat and both sold it; the report reads another table.
#[test]
fn a_lost_update_that_no_step_reads_is_told() {
    let session = run_of(
        "cinema",
        "-export([main/0]).\nmain() ->\n    ets:new(seats, [named_table, public]),\n    ets:insert(seats, {b1, free}),\n    \
         Ps = [spawn_monitor(fun() -> sell(b1, Who) end) || Who <- [bert, carl]],\n    \
         Sold = [receive {'DOWN', R, process, P, {sold, W}} -> W; {'DOWN', R, process, P, _} -> none end || {P, R} <- Ps],\n    \
         case [W || W <- Sold, W =/= none] of\n        [_] -> ok;\n        Many -> error({double_booked, b1, Many})\n    end.\nsell(S, Who) ->\n    \
         case ets:lookup(seats, S) of\n        [{S, free}] -> ets:insert(seats, {S, Who}), exit({sold, Who});\n        _ -> ok\n    end.\n",
    );
    let (view, text) = story(&session, "exit:0.1.0");
    let [update] = &view.unseen[..] else { panic!("{text}") };
    assert!(update.spoken && update.first_read.is_some(), "{text}");
    assert_ne!(update.first.pid, update.second.pid);
    says(
        &text,
        &[
            "Lost update:",
            "both read key b1 of the table seats",
            "then both wrote it.",
        ],
    );
}

/// If a value comes from several writers, the last of them is named, not the first.
#[test]
fn of_several_writers_the_last_is_told() {
    let session = run_of(
        "counted",
        "-export([main/0]).
main() ->
    C = counters:new(1, []),
    counters:put(C, 1, 3),
    {B, _} = spawn_monitor(fun() -> receive go -> check(counters:get(C, 1)) end end),
    spawn(fun() -> counters:sub(C, 1, 2), B ! go end),
    receive {'DOWN', _, _, _, R} -> exit(R) end.
check(3) -> ok;
check(N) -> error({low, N}).
",
    );
    let (_, text) = story(&session, "error");
    says(
        &text,
        &[
            "last written by 0.3.0 a fun in main/0, one of 2 writers",
            "counters:sub(C, 1, 2)",
        ],
    );
    let session = run_of(
        "listed",
        "-export([main/0]).
main() ->
    C = ets:new(t, [public]),
    ets:insert(C, {a, 3}),
    {B, _} = spawn_monitor(fun() -> receive go -> check(ets:tab2list(C)) end end),
    spawn(fun() -> ets:insert(C, {b, 4}), B ! go end),
    receive {'DOWN', _, _, _, R} -> exit(R) end.
check([_]) -> ok;
check(L) -> error({gone, L}).
",
    );
    let (_, text) = story(&session, "error");
    says(
        &text,
        &[
            "last written by 0.3.0 a fun in main/0, one of 2 writers",
            "ets:insert(C, {b, 4})",
        ],
    );
}

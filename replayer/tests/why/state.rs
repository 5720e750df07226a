//! Which change of a state led to a failure.

use super::*;

#[test]
fn the_key_that_was_asked_for_is_followed() {
    let session = run_of(
        "store",
        "-export([main/0]).
main() ->
    S = spawn(fun() -> store(#{}, 0) end),
    [S ! {put, K, V} || {K, V} <- [{apples, none}, {pears, 4}, {plums, 7}, {pears, 5}]],
    S ! {get, self(), apples},
    receive {value, N} -> N + 1 end.
store(Map, Count) ->
    receive
        {put, K, V} -> store(Map#{K => V}, Count + 1);
        {get, From, K} -> From ! {value, maps:get(K, Map)}, store(Map, Count)
    end.
",
    );
    let (view, text) = story(&session, "error");
    assert_eq!(view.links[1].because, Because::State, "{text}");
    says(
        &text,
        &[
            "0.2.0 store/2 had received {put,apples,none} from 0.1.0",
            "apples in Map was added: none",
        ],
    );
}

/// A state machine was locked by a timer that was cancelled too late.
#[test]
fn the_state_of_a_state_machine_is_followed() {
    let session = run_of(
        "door",
        "-behaviour(gen_statem).\n-export([main/0, init/1, callback_mode/0, open/3, locked/3]).\nmain() ->\n    {ok, D} = gen_statem:start(?MODULE, [], []),\n    \
         spawn(fun() -> D ! lock end),\n    timer:sleep(5),\n    case gen_statem:call(D, ask) of open -> ok; S -> error({door, S}) end.\n\
         init([]) -> {ok, open, none}.\ncallback_mode() -> state_functions.\nopen(info, lock, D) -> {next_state, locked, D};\n\
         open({call, F}, ask, D) -> {keep_state, D, [{reply, F, open}]}.\nlocked({call, F}, ask, D) -> {keep_state, D, [{reply, F, locked}]}.\n",
    );
    says(
        &story(&session, "error").1,
        &["had received lock", "the state became locked (was open)"],
    );
}

#[test]
fn what_is_missing_is_told_by_who_took_it_away() {
    let session = run_of(
        "keys",
        "-export([main/0]).
main() ->
    S = spawn(fun() -> loop(#{}) end),
    S ! {put, a}, S ! {put, b},
    H = spawn(fun() -> S ! {del, a} end),
    M = monitor(process, H), receive {'DOWN', M, _, _, _} -> ok end,
    S ! {put, c},
    S ! {list, self()},
    receive {keys, L} -> ok end,
    L =:= [a, b, c] orelse error({missing, a, L}).
loop(M) ->
    receive
        {put, K} -> loop(M#{K => true});
        {del, K} -> loop(maps:remove(K, M));
        {list, P} -> P ! {keys, lists:sort(maps:keys(M))}, loop(M)
    end.
",
    );
    let (view, text) = story(&session, "error");
    assert_eq!(view.links[1].because, Because::State, "{text}");
    says(
        &text,
        &["had received {del,a} from 0.3.0", "a in M was removed (was true)"],
    );
}

#[test]
fn the_number_that_a_reason_names_is_dated() {
    let session = run_of(
        "store2",
        "-export([main/0]).
main() ->
    S = spawn_link(fun() -> loop(100, #{}) end),
    S ! {prepare, t1, -70}, S ! {prepare, t2, -60},
    A = self(),
    spawn(fun() -> S ! {commit, t1}, A ! go end),
    receive go -> ok end,
    S ! {commit, t2},
    receive never -> ok end.
loop(Store, Prepared) ->
    receive
        {prepare, T, N} -> loop(Store, Prepared#{T => N});
        {commit, T} -> {N, P1} = maps:take(T, Prepared), loop(add(N, Store), P1)
    end.
add(N, S) -> S + N >= 0 orelse error({overdrawn, S, N}), S + N.
",
    );
    let (view, text) = story(&session, "error");
    let told = |link: &why::story::Link| {
        link.act
            .content
            .as_deref()
            .is_some_and(|text| text.contains("{commit,t1}"))
    };
    assert!(view.links.iter().take(4).any(told), "{text}");
    says(&text, &["Store became 30 (was 100)"]);
}

#[test]
fn what_changed_of_a_record_is_named_by_its_field() {
    let session = run_of(
        "fields",
        "-export([main/0]).
-record(st, {name = 'a rather long name of a server', free = [], % who is free
             busy = #{}}).
main() ->
    S = spawn_link(fun() -> loop(#st{}) end),
    S ! {lend, first, {some, data}}, S ! {lend, second, {some, data}},
    S ! {get, self()},
    receive {busy, B} -> exit({still_busy, B}) end.
loop(S = #st{busy = B}) ->
    receive
        {lend, K, V} -> loop(S#st{busy = B#{K => V}});
        {get, P} -> P ! {busy, map_size(S#st.busy)}, loop(S)
    end.
",
    );
    let (_, text) = story(&session, "exit:0.1.0");
    says(&text, &["second in busy in S was added: {some,data}"]);
}

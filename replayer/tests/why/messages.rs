//! Which messages led to a failure.

use super::*;

#[test]
fn a_message_that_overtook_another_is_told_with_the_other() {
    // If the proxy's message was sent after the server had ended, the trace does not contain its receiver.
    let mut both = 0;
    for session in failures("proxy", 24) {
        let text = text(&tell(&session, "error"));
        assert!(text.contains("ends: error {unexpected,2}"), "{text}");
        assert!(text.contains("server/0 received 2 from 0.1.0 client/2"), "{text}");
        both += u32::from(text.contains("before rec:1: {<0.1.0>,40} from 0.3.0 proxy/0"));
    }
    assert!(both > 0, "the message that was overtaken is never told");
}

#[test]
fn an_answer_of_the_runtime_is_no_message_from_itself() {
    let session = failing_pair("missed_monitor");
    let text = text(&tell(&session, "error"));
    assert!(text.contains("noproc} from the runtime"), "{text}");
    assert!(
        text.contains("caused by its own call at missed_monitor.erl:13"),
        "{text}"
    );
    assert!(text.contains("main/0 found that 0.2.0"), "{text}");
    assert!(text.contains("[exit:0.2.0]: it ends normally"), "{text}");
}

#[test]
fn what_a_server_read_before_it_answered_is_told() {
    let session = run_of(
        "limits",
        "-export([main/0]).
main() ->
    T = ets:new(limits, [public, named_table]),
    ets:insert(T, {max, 10}),
    Main = self(),
    S = spawn(fun server/0),
    spawn(fun() -> ets:insert(limits, {max, none}), Main ! changed end),
    receive changed -> ok end,
    S ! {max, self()},
    receive {max, N} -> N + 1 end.
server() ->
    receive {max, From} -> From ! {max, ets:lookup_element(limits, max, 2)}, server() end.
",
    );
    let (view, text) = story(&session, "error");
    assert_eq!(view.links[1].because, Because::Read, "{text}");
    says(
        &text,
        &[
            "read key max of the table limits, last written by 0.3.0",
            "written at limits.erl:8: spawn(fun() -> ets:insert(limits, {max, none})",
        ],
    );
}

#[test]
fn calls_and_timers_of_behaviours_are_told_as_such() {
    let session = run_of(
        "busy",
        "-behaviour(gen_server).
-export([main/0, init/1, handle_call/3, handle_cast/2]).
main() ->
    {ok, P} = gen_server:start(?MODULE, [], []),
    ok = gen_server:call(P, slow, 50),
    ok.
init([]) -> {ok, 10}.
handle_call(slow, _, S) -> timer:sleep(200), {reply, S, S}.
handle_cast(_, S) -> {noreply, S}.
",
    );
    let (_, told) = story(&session, "error");
    says(
        &told,
        &[
            "timed out in a receive [timeout:0.1.0/1, busy.erl:6]",
            "it had last sent the call slow to 0.2.0 busy",
            "and sent the reply 10, too late [sent:0.2.0/2]",
        ],
    );
    // Checking the mailbox after the timeout is not a wait.
    assert!(!told.contains("timeout:0.1.0/2"), "{told}");

    let session = run_of(
        "tired",
        "-behaviour(gen_statem).
-export([main/0, init/1, callback_mode/0, idle/3, busy/3]).
main() ->
    process_flag(trap_exit, true),
    {ok, P} = gen_statem:start_link(?MODULE, self(), []),
    gen_statem:cast(P, go),
    receive {'EXIT', P, R} -> exit(R) end.
callback_mode() -> state_functions.
init(O) -> {ok, idle, O}.
idle(cast, go, O) -> O ! {please, self()}, {next_state, busy, O, [{state_timeout, 100, tired}]}.
busy(cast, done, O) -> {next_state, idle, O};
busy(state_timeout, tired, _) -> {stop, never_done}.
",
    );
    says(
        &story(&session, "error").1,
        &[
            "0.2.0 tired waited until its timer state_timeout expired",
            "it had last sent {please,<0.2.0>} to 0.1.0",
            "0.1.0 main/0 never received it",
        ],
    );

    let session = run_of(
        "acc",
        "-behaviour(gen_server).
-export([main/0, init/1, handle_call/3, handle_cast/2]).
main() ->
    {ok, A} = gen_server:start_link({local, acc}, ?MODULE, 0, []),
    P = self(),
    [spawn_link(fun() -> V = gen_server:call(A, get), gen_server:call(A, {put, V + N}), P ! done end) || N <- [10, 20, 30]],
    [receive done -> ok end || _ <- [1, 2, 3]],
    60 = gen_server:call(A, get).
init(N) -> {ok, N}.
handle_call(get, _, S) -> {reply, S, S};
handle_call({put, N}, _, _) -> {reply, ok, N}.
handle_cast(_, S) -> {noreply, S}.
",
    );
    let (_, told) = story(&session, "error");
    says(
        &told,
        &[
            " from 0.2.0 acc, to its call get [rec:",
            "had received the call {put,",
            "State became ",
        ],
    );
    assert!(
        !told.contains("alias|") && !told.contains("$gen_call") && !told.contains("{ack,"),
        "{told}"
    );
}

#[test]
fn the_message_that_holds_the_reason_is_followed() {
    let session = run_of(
        "clients",
        "-export([main/0]).
main() ->
    Bad = spawn_monitor(fun() -> exit({out_of, [{apples, 3}]}) end),
    receive {'DOWN', _, _, _, Why} -> Why end,
    spawn_monitor(fun() -> ok end),
    receive {'DOWN', _, _, _, normal} -> Bad end,
    exit({client_failed, Why}).
",
    );
    let (view, text) = story(&session, "exit:0.1.0");
    says(&text, &["  1. 0.1.0 main/0 received {'DOWN',"]);
    assert!(
        view.links[0]
            .act
            .content
            .as_deref()
            .unwrap()
            .contains("{out_of,[{apples,3}]}"),
        "{text}"
    );
    // The entry was told, and failed: that is the trace's failure.
    assert_eq!(tell(&session, "error").happened.pid, Pid(1));
}

/// The counter stops as requested before the last message comes.
#[test]
fn messages_that_came_after_their_receiver_had_ended_are_told() {
    let session = run_of(
        "words",
        "-export([main/0]).\nmain() ->\n    Me = self(),\n    C = spawn(fun() -> count(0) end),\n    \
         spawn(fun() -> C ! {word, only} end),\n    C ! {result, Me},\n    \
         receive {counted, N} -> N =:= 1 orelse exit({missing, 1 - N}) end.\ncount(N) ->\n    \
         receive {word, _} -> count(N + 1); {result, P} -> P ! {counted, N} end.\n",
    );
    let (_, text) = story(&session, "error");
    says(
        &text,
        &[
            "Never received, because the receiver had ended:",
            "to 0.2.0 count/1: {word,only} from 0.3.0",
            "[sent:0.3.0/1]",
        ],
    );
}

/// All of several messages that a failure consists of are followed, not only the last one.
#[test]
fn every_message_that_a_failure_is_made_of_is_told() {
    let session = run_of(
        "gather",
        "-export([main/0]).\nmain() ->\n    Me = self(),\n    [spawn(fun() -> Me ! {part, [N, N + 1]} end) || N <- [1, 5]],\n    \
         All = [receive {part, L} -> L end || _ <- [1, 2]],\n    error({not_one_row, lists:append(All)}).\n",
    );
    let (view, text) = story(&session, "error");
    assert!(
        view.links.iter().any(|link| link.because == Because::Collected),
        "{text}"
    );
    says(&text, &["received {part,[1,2]} from", "received {part,[5,6]} from"]);
}

/// A selective receive takes the later of two messages first.
#[test]
fn a_message_that_passed_an_earlier_one_of_its_sender_is_told() {
    let session = run_of(
        "passed",
        "-export([main/0]).\nmain() ->\n    Me = self(),\n    W = spawn(fun() -> work(Me, []) end),\n    W ! {normal, {order, 1}},\n    W ! {urgent, {cancel, 1}},\n    \
         receive {open, []} -> ok; {open, L} -> error({still_open, L}) end.\nwork(Me, Os) ->\n    receive {urgent, {cancel, N}} -> work(Me, lists:delete(N, Os))\n    \
         after 5 ->\n        receive {normal, {order, N}} -> Me ! {open, [N | Os]} end\n    end.\n",
    );
    let (view, text) = story(&session, "error");
    let [one] = &view.overtaken[..] else { panic!("{text}") };
    assert!(one.received.is_some(), "{text}");
    says(
        &text,
        &[
            "Received out of order:",
            "was received before {normal,{order,1}}, which was sent first",
        ],
    );
}

#[test]
fn the_answer_that_the_reason_speaks_of_is_followed() {
    let session = run_of(
        "cache",
        "-export([main/0]).
main() ->
    S = spawn(fun() -> store(#{}) end),
    [call(S, {put, K}) || K <- [a, b, c]],
    H = spawn(fun() -> S ! {del, a} end),
    M = monitor(process, H),
    receive {'DOWN', M, _, _, _} -> ok end,
    call(S, {put, d}),
    Missing = [K || K <- [a, b, c], call(S, {get, K}) =:= none],
    Size = call(S, size),
    Missing =:= [] orelse exit({lost_entries, Missing}),
    Size.
call(S, Q) -> S ! {self(), Q}, receive {S, A} -> A end.
store(Map) ->
    receive
        {From, {put, K}} -> From ! {self(), ok}, store(Map#{K => true});
        {From, {get, K}} -> From ! {self(), maps:get(K, Map, none)}, store(Map);
        {From, size} -> From ! {self(), map_size(Map)}, store(Map);
        {del, K} -> store(maps:remove(K, Map))
    end.
",
    );
    let (view, text) = story(&session, "error");
    // The last message, then the one that the reason names, then what led to it.
    says(&text, &["in reply to {<0.1.0>,size}", "in reply to {<0.1.0>,{get,a}}"]);
    assert!(
        view.links[2].act.content.as_deref().unwrap().contains("{del,a}"),
        "{text}"
    );
    says(&text, &["a in Map was removed (was true)"]);
}

#[test]
fn the_answer_that_differs_from_its_like_is_told() {
    let session = run_of(
        "votes",
        "-export([main/0]).
main() ->
    Ps = [spawn(fun() -> count(0) end) || _ <- [1, 2, 3]],
    [P ! {add, N} || P <- Ps, N <- [5, 6]],
    [_, Second, _] = Ps,
    Second ! {add, 10},
    Vals = [begin P ! {value, self()}, receive {P, V} -> V end end || P <- Ps],
    case lists:usort(Vals) of
        [_] -> ok;
        Other -> exit({counts_differ, Other})
    end.
count(N) ->
    receive
        {add, M} -> count(N + M);
        {value, From} -> From ! {self(), N}, count(N)
    end.
",
    );
    let (view, text) = story(&session, "error");
    assert!(
        view.links[1].act.content.as_deref().unwrap().contains("{<0.3.0>,21}"),
        "{text}"
    );
    says(&text, &["N became 21 (was 11)", "had received {add,10}"]);
}

#[test]
fn a_message_of_the_program_is_shown_as_it_is() {
    let session = run_of(
        "acks",
        "-export([main/0, init/1, handle_call/3, handle_cast/2, handle_info/2]).
main() ->
    {ok, S} = gen_server:start_link(?MODULE, [], []),
    S ! {ack, self(), 41},
    receive never -> ok end.
init(_) -> {ok, none}.
handle_call(_, _, S) -> {reply, S, S}.
handle_cast(_, S) -> {noreply, S}.
handle_info({ack, P, N}, S) -> error({bad_ack, P, N, S}).
",
    );
    let (_, text) = story(&session, "error");
    says(&text, &["received {ack,<0.1.0>,41} from 0.1.0"]);
}

//! Deadlocks, timeouts, and replies that came too late or never.

use super::*;

#[test]
fn a_deadlock_is_told_by_who_waits() {
    for session in failures("barber", 12) {
        let view = tell(&session, "error");
        let text = text(&view);
        assert!(text.contains("waits for ever: nothing more can happen"), "{text}");
        assert!(view.waits.len() > 1, "{text}");
        assert_eq!(view.waits[0].pid, "0.1.0", "{text}");
    }
}

#[test]
fn a_wait_tells_who_had_ended_and_what_lies_in_the_mailbox() {
    let told = text(&tell(&failing_pair("lost_exit"), "error"));
    assert!(
        told.contains("0.2.0 had been ended by an exit signal: shutdown [signal:0.2.0]"),
        "{told}"
    );
    let mut lying = 0;
    for session in failures("barber", 12) {
        let told = text(&tell(&session, "error"));
        let first = told.split("\nWait").nth(1).unwrap().lines().nth(3).unwrap_or_default();
        lying += u32::from(first.contains("mailbox: {"));
    }
    assert!(lying > 0, "what the entry had not received is never told");
}

#[test]
fn a_look_into_the_mailbox_is_no_timeout() {
    let source = "-export([main/0]).
main() ->
    T = 0,
    self() ! b,
    receive a -> ok after T -> receive after 30 -> error(nothing) end end.
";
    let session = run_of("looks", source);
    let (_, text) = story(&session, "timeout:0.1.0/1");
    says(&text, &["0.1.0 main/0 finds no such message"]);
    let (_, text) = story(&session, "timeout:0.1.0/2");
    says(&text, &["0.1.0 main/0 times out in a receive"]);
    // Neither is a wait for a message.
    let (view, text) = story(&session, "error");
    assert!(
        view.links.iter().all(|link| link.because != Because::TimedOut),
        "{text}"
    );
}

#[test]
fn a_wait_in_vain_tells_what_became_of_the_question() {
    let client = "-export([main/0]).
main() ->
    S = spawn(fun() -> server() end),
    S ! {get, self()},
    receive {value, V} -> V after 50 -> exit(no_answer) end.
";
    let cases: [(&str, &str, &[&str]); 4] = [
        (
            "slow",
            "server() -> receive {get, From} -> timer:sleep(100), From ! {value, 1} end.",
            &[
                "received it [rec:1, slow.erl:7]",
                "and slept",
                "and sent {value,1}, too late [sent:0.2.0/1, slow.erl:7]",
            ],
        ),
        (
            "deaf",
            "server() -> receive {fetch, From} -> From ! {value, 1} end.",
            &[
                "never received it: it waits for ever, with the message in its mailbox, at deaf.erl:7: server() -> receive {fetch, From}",
            ],
        ),
        (
            "astray",
            "server() -> receive {get, _} -> spawn(fun() -> receive X -> X end end) ! {value, 1} end.",
            &["and sent {value,1} to 0.3.0 [sent:0.2.0/1, astray.erl:7]"],
        ),
        (
            "asks",
            "server() -> receive {get, From} -> From ! {who, self()}, receive {me, N} -> From ! {value, N} after 70 -> ok end end.",
            &[
                "and sent {who,<0.2.0>}, too late",
                "and timed out in a receive [timeout:0.2.0/1, asks.erl:7]",
            ],
        ),
    ];
    for (name, server, words) in cases {
        let session = run_of(name, &format!("{client}{server}\n"));
        let (view, text) = story(&session, "error");
        assert_eq!(view.links[0].because, Because::TimedOut, "{text}");
        says(
            &text,
            &[&format!(
                "0.1.0 main/0 timed out in a receive [timeout:0.1.0/1, {name}.erl:6]"
            )],
        );
        says(&text, &["it had last sent {get,<0.1.0>} to 0.2.0"]);
        says(&text, words);
    }
}

#[test]
fn messages_that_others_sent_to_one_who_waited_are_told() {
    let session = run_of(
        "other",
        "-export([main/0]).
main() ->
    Main = self(),
    spawn(fun() -> Main ! {valeu, 1} end),
    timer:sleep(10),
    receive {value, V} -> V after 50 -> exit(no_answer) end.
",
    );
    says(
        &story(&session, "error").1,
        &["also sent to 0.1.0, but not received by then: {valeu,1} from 0.2.0 a fun in main/0 [sent:0.2.0/1]"],
    );
}

#[test]
fn of_a_deadlock_the_circle_comes_first() {
    let session = run_of(
        "circle",
        "-export([main/0]).
main() ->
    A = spawn(fun() -> first() end),
    B = spawn(fun() -> second(A) end),
    A ! {peer, B},
    spawn(fun() -> A ! {q, self()}, receive {a, _} -> ok end end),
    A ! {q, self()},
    receive {a, X} -> X end.
first() -> receive {peer, B} -> B ! {q, self()}, receive {a, X} -> X end end.
second(A) -> A ! {q, self()}, receive {a, X} -> X end.
",
    );
    let (view, text) = story(&session, "error");
    assert!(view.circular, "{text}");
    let circle: Vec<&str> = view
        .waits
        .iter()
        .filter(|wait| wait.in_circle)
        .map(|wait| wait.pid.as_str())
        .collect();
    assert_eq!(circle, ["0.2.0", "0.3.0"], "{text}");
    let (first, rest) = text.split_once("Also waiting:").unwrap();
    assert!(
        !first
            .split("Wait cycle:")
            .nth(1)
            .unwrap()
            .contains("0.1.0 main/0 waits"),
        "{text}"
    );
    says(
        rest,
        &["0.1.0 main/0 waits at circle.erl:9", "0.4.0 a fun in main/0 waits"],
    );
}

/// A reply that was given because another one did not come.
#[test]
fn what_an_answering_process_waited_for_in_vain_is_told() {
    let session = run_of(
        "leader",
        "-export([main/0]).\nmain() ->\n    Far = spawn(fun() -> receive {ask, P} -> timer:sleep(50), P ! up end end),\n    \
         Near = spawn(fun() -> near(Far) end),\n    Near ! {who, self()},\n    receive {leader, L} -> L =:= far orelse exit({wrong_leader, L}) end.\n\
         near(Far) ->\n    receive {who, P} ->\n        Far ! {ask, self()},\n        L = receive up -> far after 10 -> near end,\n        \
         P ! {leader, L}\n    end.\n",
    );
    let (view, text) = story(&session, "error");
    assert!(
        view.links.iter().any(|link| link.because == Because::TimedOut),
        "{text}"
    );
    says(
        &text,
        &["timed out in a receive", "it had last sent {ask,<0.3.0>} to 0.2.0"],
    );
}

/// The second sum is requested from a worker whose logger is dead.
#[test]
fn who_never_answered_is_told_with_its_dead_partner() {
    let session = run_of(
        "stuck",
        "-export([main/0]).\nmain() ->\n    L = spawn(fun() -> receive {log, P, _} -> P ! logged end end),\n    W = spawn(fun() -> work(L) end),\n    \
         W ! {add, self(), [1, 2]},\n    receive {sum, S} -> S after 100 -> exit(no_sum) end.\n\
         work(L) ->\n    receive {add, P, Ns} -> [log(L, N) || N <- Ns], P ! {sum, lists:sum(Ns)} end.\n\
         log(L, N) ->\n    L ! {log, self(), N},\n    receive logged -> ok end.\n",
    );
    let (_, text) = story(&session, "error");
    says(
        &text,
        &[
            "and waited until it received logged",
            "sent nothing back; its last message was {log,<0.3.0>,2} to 0.2.0",
            "never received it: it ended",
            "waits for ever at stuck.erl:12",
        ],
    );
    // A slice does not contain how every process ended.
    let view = tell(&slice_of(&session, "error"), "error");
    let text = self::text(&view);
    assert!(!text.contains("never received") && !text.contains("was at  "), "{text}");
}

/// A reply that was received before the wait is not late.
#[test]
fn an_answer_in_time_is_not_told_as_late() {
    let session = run_of(
        "sirens",
        "-export([main/0]).\nmain() ->\n    Me = self(),\n    Far = spawn(fun() -> receive stop -> ok end end),\n    \
         Near = spawn(fun() -> receive howl -> Me ! {howling, near} end end),\n    Far ! howl,\n    Near ! howl,\n    \
         [receive {howling, W} -> W after 50 -> exit(silent) end || _ <- [1, 2]].\n",
    );
    let (_, text) = story(&session, "error");
    assert!(!text.contains("too late"), "{text}");
    says(
        &text,
        &[
            "it had sent howl to 0.2.0",
            "waits for ever, with the message in its mailbox,",
        ],
    );
}

#[test]
fn an_answer_to_one_who_gave_up_is_told() {
    let session = run_of(
        "leak",
        "-export([main/0, init/1, handle_call/3, handle_cast/2]).
main() ->
    {ok, P} = gen_server:start_link(?MODULE, [], []),
    ok = gen_server:call(P, take),
    Me = self(),
    First = lists:foldl(fun(_, To) -> spawn(fun() -> receive gone -> To ! gone end end) end, Me, lists:seq(1, 10)),
    spawn(fun() -> catch gen_server:call(P, take, 10), First ! gone end),
    receive gone -> ok end,
    gen_server:cast(P, give),
    case gen_server:call(P, stats) of
        {0, []} -> ok;
        Left -> exit({leaked, Left})
    end.
init(_) -> {ok, {0, []}}.
handle_call(take, _, {0, W}) -> {reply, ok, {1, W}};
handle_call(take, From, {1, W}) -> {noreply, {1, W ++ [From]}};
handle_call(stats, _, S) -> {reply, S, S}.
handle_cast(give, {1, [From | W]}) -> gen_server:reply(From, ok), {noreply, {1, W}};
handle_cast(give, {1, []}) -> {noreply, {0, []}}.
",
    );
    let (view, text) = story(&session, "error");
    assert_eq!(view.gave_up.len(), 1, "{text}");
    // The turn in which it was sent is a step of the story, the first one.
    assert!(view.gave_up[0].first && !view.gave_up[0].holds, "{text}");
    assert!(text.find("Reply sent after") < text.find("Because:"), "{text}");
    says(
        &text,
        &[
            "Reply sent after the caller had timed out:",
            "0.3.0",
            "sent the call take",
            "0.2.0 leak sent the reply ok",
        ],
    );
}

#[test]
fn who_lends_to_one_who_gave_up_is_told_first() {
    let session = run_of(
        "pool",
        "-export([main/0, init/1, handle_call/3, handle_cast/2]).
main() ->
    {ok, P} = gen_server:start_link(?MODULE, [], []),
    Me = self(),
    spawn(fun() -> ok = gen_server:call(P, take), Me ! has_it, timer:sleep(50), gen_server:cast(P, {give, self()}), Me ! back end),
    receive has_it -> ok end,
    spawn(fun() -> catch gen_server:call(P, take, 10), Me ! gone, timer:sleep(1000) end),
    receive gone -> ok end,
    receive back -> timer:sleep(10) end,
    gen_server:cast(P, {give, nobody}),
    gen_server:cast(P, {give, nobody}),
    case gen_server:call(P, stats) of
        {free, []} -> ok;
        {Lent, _} -> exit({leaked, Lent})
    end.
init(_) -> {ok, {free, []}}.
handle_call(take, {From, _}, {free, W}) -> {reply, ok, {[From], W}};
handle_call(take, From, {By, W}) -> {noreply, {By, W ++ [From]}};
handle_call(stats, _, {free, W}) -> {reply, {free, W}, {free, W}};
handle_call(stats, _, {By, W}) -> {reply, {length(By), W}, {By, W}}.
handle_cast({give, By}, {[By], [{Next, _} = From | W]}) -> gen_server:reply(From, ok), {noreply, {[Next], W}};
handle_cast({give, By}, {[By], []}) -> {noreply, {free, []}};
handle_cast({give, _}, S) -> {noreply, S}.
",
    );
    let (view, text) = story(&session, "error");
    assert!(view.gave_up.len() == 1 && view.gave_up[0].holds, "{text}");
    assert!(text.find("Reply sent after") < text.find("Because:"), "{text}");
    says(&text, &["0.2.0 pool sent the reply ok", "still has 0.4.0 in its state"]);
}

#[test]
fn a_server_that_has_answered_is_idle() {
    let session = run_of(
        "idle",
        "-export([main/0]).
main() ->
    Server = spawn(fun serve/0),
    {_, Ref} = spawn_monitor(fun() -> Server ! {ask, self()}, receive {answer, _} -> ok end end),
    receive {'DOWN', Ref, _, _, _} -> ok end,
    receive never -> ok end.
serve() -> receive {ask, From} -> From ! {answer, 42}, serve() end.
",
    );
    let (view, text) = story(&session, "error");
    assert!(view.likely.is_none(), "{text}");
}

#[test]
fn a_call_is_no_answer() {
    let session = run_of(
        "cycle",
        "-export([main/0, init/1, handle_call/3, handle_cast/2]).
main() ->
    {ok, One} = gen_server:start(?MODULE, [], []),
    {ok, Two} = gen_server:start(?MODULE, [], []),
    spawn(fun() -> gen_server:call(One, {ask, Two}, infinity) end),
    gen_server:call(Two, {ask, One}, infinity).
init(_) -> {ok, []}.
handle_cast(_, S) -> {noreply, S}.
handle_call({ask, Other}, _, S) -> {reply, gen_server:call(Other, what, infinity), S};
handle_call(what, _, S) -> {reply, S, S}.
",
    );
    let (_, text) = story(&session, "error");
    let words: Vec<&str> = text.split_whitespace().collect();
    assert!(!words.join(" ").contains("answered the call"), "{text}");
}

#[test]
fn a_shutdown_is_no_failure() {
    let session = run_of(
        "leaves",
        "-export([main/0]).
main() ->
    Worker = spawn(fun() -> receive {work, _} -> exit({shutdown, done}) end end),
    Worker ! {work, self()},
    receive {result, R} -> R end.
",
    );
    let (_, text) = story(&session, "error");
    assert!(!text.contains("failed with exit {shutdown"), "{text}");
    says(&text, &["ended with exit {shutdown,done}"]);
}

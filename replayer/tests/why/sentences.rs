//! What the sentences say is so: programs whose first paragraph was false or said little.

use super::*;
use why::story::Pattern;

fn first(view: &Why) -> String {
    let all = replayer::render::why::heading(view);
    all.first().map_or_else(String::new, ToString::to_string)
}

/// A process was joined after its end, and a sum is wrong: the join is no cause.
#[test]
fn a_monitor_of_an_ended_process_is_a_join() {
    let session = run_of(
        "joined",
        "-export([main/0]).\nmain() ->\n    P = spawn(fun() -> ok end),\n    timer:sleep(1),\n    R = monitor(process, P),\n    \
         receive {'DOWN', R, process, P, _} -> ok end,\n    case lists:sum([1, 2, 3]) of 7 -> ok; N -> error({sum, N}) end.\n",
    );
    let (view, text) = story(&session, "error");
    assert_eq!(view.likely, None, "{text}");
    assert!(!text.contains("turned to") && view.links.is_empty(), "{text}");
}

/// The answer of a monitor led to the failure: then it is said.
#[test]
fn who_called_an_ended_process_is_told() {
    let session = run_of(
        "called",
        "-export([main/0]).\nmain() ->\n    P = spawn(fun() -> ok end),\n    timer:sleep(1),\n    gen_server:call(P, hello).\n",
    );
    let (view, text) = story(&session, "error");
    let likely = view.likely.as_ref().unwrap_or_else(|| panic!("{text}"));
    assert_eq!(likely.pattern, Pattern::AlreadyEnded, "{text}");
    assert!(likely.text.contains("turned to 0.2.0"), "{text}");
}

/// The server is killed in the clean-up: that is an effect of the timeout.
#[test]
fn a_call_that_waits_too_short_is_told_by_its_times() {
    let session = run_of(
        "slow_call",
        "-export([main/0, init/1, handle_call/3, handle_cast/2]).\nmain() ->\n    {ok, S} = gen_server:start(?MODULE, [], []),\n    \
         try gen_server:call(S, work, 25) after exit(S, kill) end.\ninit([]) -> {ok, 0}.\n\
         handle_call(work, _, N) -> timer:sleep(30), {reply, ok, N}.\nhandle_cast(_, N) -> {noreply, N}.\n",
    );
    let (view, text) = story(&session, "error");
    let timing = view.timing.as_ref().unwrap_or_else(|| panic!("{text}"));
    assert_eq!(
        (timing.waited_ms, timing.missing_ms, timing.at_least),
        (25, Some(5), true),
        "{text}"
    );
    assert_eq!(
        timing.busy.iter().map(|one| one.working_ms).collect::<Vec<_>>(),
        [30],
        "{text}"
    );
    let first = first(&view);
    assert!(
        first.starts_with("Time (measured): 0.1.0 main/0 waited 25 ms"),
        "{first}"
    );
    assert!(
        first.contains("a wait of more than 30 ms, or 5 ms less work"),
        "{first}"
    );
}

/// An earlier request, a third process, a late start, a late reply.
#[test]
fn what_took_the_time_is_told() {
    let queue = "-export([main/0, init/1, handle_call/3, handle_cast/2]).\nmain() ->\n    {ok, S} = gen_server:start(?MODULE, [], []),\n    \
                 gen_server:cast(S, {rebuild, index}),\n    ok = gen_server:call(S, ping, 50).\ninit([]) -> {ok, 0}.\n\
                 handle_call(ping, _, N) -> {reply, ok, N}.\nhandle_cast({rebuild, _}, N) -> timer:sleep(80), {noreply, N}.\n";
    let chain = "-export([main/0]).\nmain() ->\n    D = spawn(fun db/0),\n    S = spawn(fun() -> front(D) end),\n    S ! {get, self()},\n    \
                 receive {value, V} -> V after 40 -> error(no_value) end.\nfront(D) ->\n    \
                 receive {get, From} -> D ! {query, self()}, receive {row, R} -> From ! {value, R}, front(D) end end.\n\
                 db() -> receive {query, From} -> timer:sleep(60), From ! {row, 1}, db() end.\n";
    let late = "-export([main/0]).\nmain() ->\n    Me = self(),\n    spawn(fun() -> boot(Me) end),\n    \
                receive {ready, W} -> W after 30 -> exit(not_ready) end.\nboot(Me) -> timer:sleep(20), spawn(fun() -> worker(Me) end).\n\
                worker(Me) -> timer:sleep(15), Me ! {ready, self()}.\n";
    for (name, source, missing, words) in [
        (
            "queue",
            queue,
            30,
            ["did not take it for 80 ms", "the cast {rebuild,index}"],
        ),
        (
            "chain",
            chain,
            20,
            ["itself waited for the answer to {query,<0.3.0>}", "a sleep of 60 ms"],
        ),
        (
            "late",
            late,
            5,
            ["was started 20 ms after the wait began", "a sleep of 15 ms"],
        ),
    ] {
        let (view, text) = story(&run_of(name, source), "error");
        let timing = view.timing.as_ref().unwrap_or_else(|| panic!("{name}: {text}"));
        assert_eq!(
            (timing.missing_ms, timing.at_least),
            (Some(missing), false),
            "{name}: {text}"
        );
        says(&timing.text, &words);
        assert!(first(&view).starts_with("Time (measured)"), "{name}: {text}");
    }
}

/// Two requests were before it: each is told with its own time. An earlier stall, which another process caused, changes nothing about that.
#[test]
fn each_request_of_a_queue_has_its_own_time() {
    let rest = "S ! {work, slow, 900}, S ! {work, other, 60}, S ! {ask, self(), 60},\n    \
                receive done -> ok after 1000 -> error(too_late) end.\n\
                server() ->\n    receive\n        {work, _, 0} -> ok;\n        {work, _, T} -> timer:sleep(T);\n        \
                {ask, P, T} -> timer:sleep(T), P ! done\n    end,\n    server().\n\
                spin(0) -> ok;\nspin(N) -> spin(N - 1).\n";
    let plain = format!("-export([main/0, spin/1]).\nmain() ->\n    S = spawn(fun server/0),\n    {rest}");
    let stalled = format!(
        "-export([main/0]).\nmain() ->\n    S = spawn(fun server/0),\n    \
         spawn(fun() -> timer:sleep(1), S ! {{work, early, 0}} end),\n    spin(200000),\n    S ! {{work, late, 0}},\n    \
         timer:sleep(1000),\n    {rest}"
    );
    for (name, source) in [("queue_of_two", plain), ("queue_after_stall", stalled)] {
        let (view, text) = story(&run_of(name, &source), "error");
        let timing = view.timing.as_ref().unwrap_or_else(|| panic!("{name}: {text}"));
        assert_eq!(
            (timing.missing_ms, timing.at_least),
            (Some(20), false),
            "{name}: {text}"
        );
        says(
            &timing.text,
            &[
                "did not take it for 960 ms",
                "with {work,slow,900}",
                "for 900 ms",
                "then with {work,other,60}",
                "for 60 ms",
            ],
        );
    }
}

/// Who never answers would not have answered later: no wait is long enough.
#[test]
fn who_never_answers_is_no_matter_of_time() {
    let session = run_of(
        "never",
        "-export([main/0]).\nmain() ->\n    S = spawn(fun server/0),\n    S ! {get, self(), color},\n    \
         receive {ok, C} -> C after 100 -> error(no_answer) end.\n\
         server() -> receive {get, From, size} -> From ! {ok, 3}, server(); {get, _, _} -> server() end.\n",
    );
    let (view, text) = story(&session, "error");
    assert_eq!(view.timing, None, "{text}");
    assert_eq!(
        view.likely.map(|likely| likely.pattern),
        Some(Pattern::NoAnswer),
        "{text}"
    );
}

/// A registered name that holds a slash is no function, and has its quotes; a process has one name.
#[test]
fn a_process_has_one_name() {
    let session = run_of(
        "slashed",
        "-export([main/0]).\nmain() ->\n    S = spawn(fun() -> register('db/primary', self()), loop(#{}) end),\n    timer:sleep(1),\n    \
         lists:foreach(fun(K) -> spawn(fun() -> [S ! {put, K, V} || V <- [1, 2]] end) end, [a, b]),\n    timer:sleep(1),\n    \
         S ! {get, self(), c},\n    receive {value, {ok, V}} -> V; {value, error} -> error(missing) end.\n\
         loop(M) -> receive {put, K, V} -> loop(M#{K => V}); {get, P, K} -> P ! {value, maps:find(K, M)}, loop(M) end.\n",
    );
    let (_, text) = story(&session, "error");
    says(&text, &["0.2.0 'db/primary'", "0.1.0 main/0 spawned"]);
    assert!(
        !text.contains("0.2.0 loop/1") && !text.contains("0.4.0 main/0"),
        "{text}"
    );
}

/// A use of a table says what was done, with the name of the table.
#[test]
fn an_insert_is_no_read() {
    let session = run_of(
        "early_insert",
        "-export([main/0]).\nmain() ->\n    S = self(),\n    \
         O = spawn_link(fun() -> ets:new(m, [named_table, public]), S ! ready, receive stop -> ok end end),\n    \
         spawn_link(fun() -> S ! {put, catch ets:insert(m, {k, 1})} end),\n    receive ready -> ok end,\n    receive {put, _} -> ok end,\n    \
         R = ets:lookup(m, k),\n    O ! stop,\n    case R of [{k, 1}] -> ok; [] -> error(not_stored) end.\n",
    );
    let (view, text) = story(&session, "error");
    let first = first(&view);
    assert!(
        first.contains("fails to write to the table m, which does not exist"),
        "{text}"
    );
    assert!(first.contains("creates the table m"), "{text}");
    assert!(!text.contains("ets:m") && !text.contains("table(m"), "{text}");
}

/// Each of several lost updates is told with its values.
#[test]
fn lost_updates_are_told_with_their_values() {
    let of_table = "-export([main/0]).\nmain() ->\n    T = ets:new(acc, [public]),\n    ets:insert(T, {sum, 30}),\n    \
                    Ws = [spawn_monitor(fun() -> add(T, I) end) || I <- [10, 20]],\n    \
                    [receive {'DOWN', R, _, _, _} -> ok end || {_, R} <- Ws],\n    [{sum, 60}] = ets:lookup(T, sum).\n\
                    add(T, I) -> [{sum, S}] = ets:lookup(T, sum), erlang:yield(), ets:insert(T, {sum, S + I}).\n";
    let of_term = "-export([main/0]).\nmain() ->\n    persistent_term:put(sum, 30),\n    \
                   Ws = [spawn_monitor(fun() -> add(I) end) || I <- [10, 20]],\n    \
                   [receive {'DOWN', R, _, _, _} -> ok end || {_, R} <- Ws],\n    60 = persistent_term:get(sum).\n\
                   add(I) -> S = persistent_term:get(sum), erlang:yield(), persistent_term:put(sum, S + I).\n";
    for (name, source) in [("of_table", of_table), ("of_term", of_term)] {
        let (view, text) = story(&run_of(name, source), "error");
        let likely = view.likely.as_ref().unwrap_or_else(|| panic!("{name}: {text}"));
        assert_eq!(likely.pattern, Pattern::LostUpdate, "{name}: {text}");
        let told = ["40 over 50", "50 over 40"].map(|pair| format!("wrote {pair} ["));
        assert!(told.iter().any(|words| likely.text.contains(words)), "{name}: {text}");
        says(&likely.text, &["computed from the 30 that it had read"]);
    }
}

/// A process dictionary is a store, too.
#[test]
fn a_lost_update_of_a_dictionary_is_told() {
    let session = run_of(
        "dictionary",
        "-export([main/0]).\nmain() ->\n    S = spawn(fun() -> put(count, 30), serve() end),\n    \
         Ws = [spawn_monitor(fun() -> hit(S, I) end) || I <- [10, 20]],\n    [receive {'DOWN', R, _, _, _} -> ok end || {_, R} <- Ws],\n    \
         60 = ask(S, {get, count}).\nhit(S, I) -> N = ask(S, {get, count}), ask(S, {put, count, N + I}).\n\
         ask(S, Q) -> S ! {self(), Q}, receive {S, A} -> A end.\nserve() ->\n    \
         receive {P, {get, K}} -> P ! {self(), get(K)}; {P, {put, K, V}} -> put(K, V), P ! {self(), ok} end, serve().\n",
    );
    let (view, text) = story(&session, "error");
    let likely = view.likely.as_ref().unwrap_or_else(|| panic!("{text}"));
    assert_eq!(likely.pattern, Pattern::LostUpdate, "{text}");
    says(
        &likely.text,
        &[
            "to count in the process dictionary",
            "computed from the 30 that it had read",
        ],
    );
}

/// The failure is about a value that was received before the process was stopped: the stop is no step.
#[test]
fn the_story_follows_the_value() {
    let session = run_of(
        "stopped",
        "-export([main/0]).\nmain() ->\n    S = spawn(fun() -> loop(0) end),\n    S ! {add, 1},\n    S ! {left, self()},\n    \
         Left = receive {left, L} -> L end,\n    M = monitor(process, S),\n    S ! stop,\n    \
         receive {'DOWN', M, _, _, normal} -> ok end,\n    0 = Left.\n\
         loop(N) -> receive {add, K} -> loop(N + K); {left, P} -> P ! {left, N}, loop(N); stop -> ok end.\n",
    );
    let (view, text) = story(&session, "error");
    let first = view.links.first().unwrap_or_else(|| panic!("{text}"));
    assert_eq!(first.act.content.as_deref(), Some("{left,1}"), "{text}");
    says(&text, &["N became 1 (was 0)"]);
}

/// A child asks its supervisor while that starts it: the two wait for each other.
#[test]
fn a_wait_cycle_through_a_start_is_named() {
    let session = run_of(
        "early_child",
        "-behaviour(supervisor).\n-export([main/0, init/1, start_child/0, child/0]).\nmain() ->\n    \
         supervisor:start_link({local, top}, ?MODULE, []).\ninit([]) ->\n    \
         {ok, {#{}, [#{id => c, start => {?MODULE, start_child, []}}]}}.\nstart_child() -> proc_lib:start_link(?MODULE, child, []).\n\
         child() ->\n    N = supervisor:count_children(top),\n    proc_lib:init_ack({ok, self()}),\n    N.\n",
    );
    let (view, text) = story(&session, "error");
    assert!(view.circular, "{text}");
    says(
        &first(&view),
        &[
            "0.2.0 top and 0.3.0 child/0 wait for each other: 0.2.0 is starting 0.3.0",
            "0.3.0 sent the call count_children to 0.2.0 [",
        ],
    );
}

/// Each of several updates of a server's state that were lost is told.
#[test]
fn lost_updates_of_a_server_are_told_one_by_one() {
    let session = run_of(
        "shelf",
        "-export([main/0, init/1, handle_call/3, handle_cast/2]).\nmain() ->\n    {ok, S} = gen_server:start(?MODULE, 10, []),\n    \
         Ws = [spawn_monitor(fun() -> bump(S, I) end) || I <- [1, 2, 4]],\n    [receive {'DOWN', R, _, _, _} -> ok end || {_, R} <- Ws],\n    \
         17 = gen_server:call(S, get).\nbump(S, I) -> V = gen_server:call(S, get), ok = gen_server:call(S, {set, V + I}).\n\
         init(N) -> {ok, N}.\nhandle_call(get, _, N) -> {reply, N, N};\nhandle_call({set, M}, _, _) -> {reply, ok, M}.\n\
         handle_cast(_, N) -> {noreply, N}.\n",
    );
    let (view, text) = story(&session, "error");
    let likely = view.likely.as_ref().unwrap_or_else(|| panic!("{text}"));
    assert_eq!(likely.pattern, Pattern::LostUpdate, "{text}");
    says(
        &likely.text,
        &[" to State [", "computed from the 10 that it had read ["],
    );
}

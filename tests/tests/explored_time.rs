//! Programs that read the time, draw numbers, stop servers or write crash reports are explored by graphs, and what they find is possible.

use serde_json::Value;

use tests::Folder;

/// Explores a program with a bound that only the search by graphs keeps, and writes its outcomes.
fn explored(folder: &Folder, name: &str, body: &str) -> Value {
    let file = format!("{name}.erl");
    folder.write(&file, format!("-module({name}).\n{body}"));
    let answer = folder.replay(["explore", "--json", "--traces", "u", "--bound", "delay:30", &file]);
    serde_json::from_str(&answer.out()).unwrap_or_else(|error| panic!("{name}: {error}: {}", answer.out()))
}

/// What all outcomes are called. Each is a trace that replays to its end.
fn outcomes(folder: &Folder, answer: &Value) -> Vec<String> {
    let groups = answer["groups"].as_array().expect("a list").iter();
    let outcome = |group: &Value| {
        let trace = group["shortest"]["trace"].as_str().expect("a path");
        folder.replay(["verify", trace]).expect(0);
        group["headline"].as_str().expect("a text").to_owned()
    };
    groups.map(outcome).collect()
}

#[test]
fn time_goes_on_with_timeouts_and_orders_what_knows_of_each_other() {
    let folder = Folder::new("explored_time");
    let body = "-export([main/0]).\n\
        wait(S, D) ->\n    T = erlang:monotonic_time(millisecond),\n    receive after D -> ok end,\n    \
        S ! {erlang:monotonic_time(millisecond) - T >= D, erlang:unique_integer([monotonic])}.\n\
        main() ->\n    S = self(),\n    First = erlang:unique_integer([monotonic]),\n    \
        [spawn(fun() -> wait(S, 10) end) || _ <- [1, 2]],\n    \
        {A, I} = receive M -> M end,\n    {B, J} = receive N -> N end,\n    \
        Last = erlang:unique_integer([monotonic]),\n    \
        {A, B, I =/= J, First < I, First < J, I < Last, J < Last}.\n";
    let answer = explored(&folder, "waits", body);
    assert_eq!(answer["failing"], 0);
    let all = outcomes(&folder, &answer);
    assert_eq!(all, ["returned {true,true,true,true,true,true,true}"]);
    let note = answer["notes"].to_string();
    assert!(note.contains("reads the time") && note.contains("waits.erl:"), "{note}");
}

/// What decides by the time goes the same way in the trace of a universe.
#[test]
fn a_trace_of_a_universe_has_its_times() {
    let folder = Folder::new("explored_times_of_traces");
    let body = "-export([main/0]).\n\
        main() ->\n    S = self(),\n    P = spawn(fun() -> receive go -> S ! erlang:system_time(millisecond) end end),\n    \
        spawn(fun() -> P ! go end),\n    T0 = erlang:system_time(millisecond),\n    receive after 20 -> ok end,\n    \
        P ! go,\n    receive T when T - T0 >= 20 -> late; _ -> early end.\n";
    let answer = explored(&folder, "late", body);
    let mut all = outcomes(&folder, &answer);
    all.sort();
    assert_eq!(all, ["returned early", "returned late"]);
}

/// Reports look at processes, and nothing is decided by that.
#[test]
fn a_server_that_stops_or_crashes_is_explored_to_the_end() {
    let folder = Folder::new("explored_servers");
    let server = "-behaviour(gen_server).\n-export([main/0, init/1, handle_call/3, handle_cast/2]).\n\
        init([]) -> {ok, 0}.\nhandle_cast(inc, N) -> {noreply, N + 1}.\nhandle_call(get, _, N) -> {reply, N, N};\n\
        handle_call(fail, _, N) -> {stop, oops, N}.\n";
    for (name, last) in [
        ("stops", "N = gen_server:call(P, get),\n    gen_server:stop(P),\n    N"),
        (
            "crashes",
            "N = gen_server:call(P, get),\n    catch gen_server:call(P, fail),\n    N",
        ),
    ] {
        let body = format!(
            "{server}main() ->\n    {{ok, P}} = gen_server:start(?MODULE, [], []),\n    spawn(fun() -> gen_server:cast(P, inc) end),\n    {last}.\n"
        );
        let answer = explored(&folder, name, &body);
        assert_eq!(
            (&answer["complete"], &answer["gaps"]),
            (&Value::Bool(true), &Value::Null),
            "{name}: {answer}"
        );
    }
}

/// What is refused is named with its place.
#[test]
fn what_only_the_older_search_explores_is_named() {
    let folder = Folder::new("explored_refused");
    folder.write(
        "table.erl",
        "-module(table).\n-export([main/0]).\nmain() ->\n    spawn(fun() -> ok end),\n    persistent_term:info().\n",
    );
    for options in [&["--sample", "3"][..], &["--bound", "delay:2"]] {
        let refused = folder
            .replay(["explore"].iter().chain(options).chain(&["table.erl"]))
            .expect(2);
        refused.says(&[options[0], "at table.erl:5 that only the older search explores"]);
    }
}

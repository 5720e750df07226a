//! Modules that are loaded, deleted and purged while the program runs: recorded, replayed, gone back over, and limited.

use tests::Folder;

/// A server that is edited and loaded again while it runs. What it prints follows from OTP's rules.
const RELOAD: &str = r#"-module(reload).
-export([main/0]).
main() ->
    P = spawn(srv, loop, [0]),
    io:format("~p ~p~n", [tick(P), tick(P)]),
    write("N + 10"),
    io:format("~p~n", [tick(P)]),
    {module, srv} = c:l(srv),
    io:format("~p ~p~n", [tick(P), tick(P)]),
    io:format("~p ~p~n", [erlang:check_process_code(P, srv), erlang:check_old_code(srv)]),
    write("N + 100"),
    {module, srv} = c:l(srv),
    logger:set_primary_config(level, none),
    io:format("~p ~p~n", [code:load_file(srv), code:soft_purge(srv)]),
    io:format("~p~n", [c:l(no_such)]),
    R = monitor(process, P),
    io:format("~p ~p~n", [erlang:check_process_code(P, srv), code:purge(srv)]),
    receive {'DOWN', R, _, _, Why} -> io:format("~p~n", [Why]) end,
    io:format("~p ~p~n", [code:delete(srv), code:delete(srv)]),
    io:format("~p ~p~n", [code:soft_purge(srv), code:purge(srv)]),
    {module, srv} = code:load_file(srv),
    io:format("~p~n", [srv:step(1)]).

tick(P) -> P ! {tick, self()}, receive N -> N end.
write(Step) ->
    ok = file:write_file("srv.erl", ["-module(srv).\n-export([loop/1, step/1]).\nloop(N) ->\n receive {tick, P} -> M = step(N), P ! M, ?MODULE:loop(M) end.\nstep(N) -> ", Step, ".\n"]).
"#;

const SERVER: &str = "-module(srv).\n-export([loop/1, step/1]).\nloop(N) -> receive {tick, P} -> M = step(N), P ! M, ?MODULE:loop(M) end.\nstep(N) -> N + 1.\n";

fn reload(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("reload.erl", RELOAD);
    folder.write("srv.erl", SERVER);
    folder
}

#[test]
fn a_reload_follows_the_rules_of_otp_and_replays() {
    let folder = reload("loading-reload");
    let run = folder.tracer(["run", "--quiet", "--seed", "1", "reload.erl"]).expect(0);
    let expected = "1 2\n3\n4 14\nfalse true\n{error,not_purged} false\n{error,nofile}\ntrue true\nkilled\ntrue false\ntrue false\n101\n";
    assert_eq!(run.out(), expected);
    // The sources are those of the trace from now on.
    folder.write("srv.erl", "-module(srv).\n");
    let verified = folder.replay(["verify", "trace.bin"]).expect(0);
    assert!(verified.out().contains("as recorded"), "{}", verified.out());
    let info = folder.replay(["info", "trace.bin"]).expect(0);
    assert!(info.out().contains("srv changed by event:0.1.0/"), "{}", info.out());
}

/// Going back over loads and forward again comes to the same state.
#[test]
fn going_back_over_a_load_undoes_it() {
    let folder = reload("loading-back");
    folder.tracer(["run", "--quiet", "--seed", "1", "reload.erl"]).expect(0);
    let states: Vec<String> = ["rec:4", "rec:2", "rec:6", "rec:3", "rec:6", "rec:4"]
        .into_iter()
        .map(|at| folder.replay(["--until", at, "trace.bin"]).expect(0).out())
        // The first line tells the time that it took.
        .map(|out| out.lines().skip(1).collect())
        .collect();
    assert_eq!(states[0], states[5]);
    let script = "until rec:6\nstate 0.2.0\nback rec:4\nstate 0.2.0\nuntil rec:6\nstate 0.2.0\nquit\n";
    let debug = tests::BinaryRun::new("replay", folder.path(), ["debug", "trace.bin"])
        .input(script)
        .run()
        .no_panic();
    assert!(!debug.stderr.contains("diverge"), "{}", debug.stderr);
}

/// A process can name the module that is called for functions that do not exist; its children do not inherit it.
#[test]
fn an_error_handler_is_called_for_what_does_not_exist() {
    let folder = Folder::new("loading-handler");
    let handler = "-module(handler).\n-export([main/0, undefined_function/3]).\nmain() ->\n    error_handler = process_flag(error_handler, ?MODULE),\n    io:format(\"~p ~p~n\", [nowhere:f(1, 2), ?MODULE:g()]),\n    P = self(),\n    spawn(fun() -> P ! (catch nowhere:f(3)) end),\n    receive {'EXIT', {undef, [{M, F, As, _} | _]}} -> io:format(\"~p~n\", [{M, F, As}]) end,\n    handler = process_flag(error_handler, error_handler),\n    {'EXIT', {undef, [{nowhere, f, [], _} | _]}} = (catch nowhere:f()),\n    {'EXIT', {undef, [{nowhere, f, [4], _} | _]}} = (catch error_handler:undefined_function(nowhere, f, [4])),\n    io:format(\"~p~n\", [error_handler:undefined_function(lists, reverse, [[1, 2]])]).\nundefined_function(M, F, As) -> {handled, M, F, As}.\n";
    folder.write("handler.erl", handler);
    let run = folder.tracer(["run", "--quiet", "handler.erl"]).expect(0);
    assert_eq!(
        run.out(),
        "{handled,nowhere,f,[1,2]} {handled,handler,g,[]}\n{nowhere,f,[3]}\n[2,1]\n"
    );
    folder.replay(["verify", "trace.bin"]).expect(0);
}

/// A process calls a module twice while another one loads its next version.
const RACE: &str = r#"-module(race).
-export([main/0]).
main() ->
    load(1),
    file:write_file("lc.erl", v(2)),
    Me = self(),
    {P, R} = spawn_monitor(fun() -> X = lc:f(), Me ! mid, Y = lc:f(), exit({X, Y}) end),
    {module, lc} = c:l(lc),
    receive {'DOWN', R, process, P, O} -> io:format("~p~n", [{O, lc:f()}]) end.
load(N) -> file:write_file("lc.erl", v(N)), {module, lc} = c:l(lc).
v(N) -> ["-module(lc).\n-export([f/0]).\nf() -> ", integer_to_list(N), ".\n"].
"#;

/// Whatever a schedule does, a call takes the version that is current then, and the replay takes it too.
#[test]
fn a_race_between_a_load_and_a_call_is_replayed_as_it_came() {
    let folder = Folder::new("loading-race");
    folder.write("race.erl", RACE);
    let mut outcomes = std::collections::BTreeSet::new();
    for seed in seeds::seeds(8, 60) {
        folder.write("lc.erl", "-module(lc).\n-export([f/0]).\nf() -> 0.\n");
        let run = folder
            .tracer(["run", "--quiet", "--seed", &seed.to_string(), "race.erl"])
            .expect(0);
        folder.replay(["verify", "trace.bin"]).expect(0);
        outcomes.insert(run.out().trim().to_owned());
    }
    let possible = ["{{1,1},2}", "{{1,2},2}", "{{2,2},2}"];
    assert!(
        outcomes.iter().all(|one| possible.contains(&one.as_str())),
        "{outcomes:?}"
    );
}

/// The same race, and that between a purge and a process that leaves old code: all their outcomes under OTP, and no other.
#[test]
fn the_races_of_loads_are_explored() {
    let folder = Folder::new("loading-explore");
    folder.write("race.erl", RACE);
    folder.write("leave.erl", LEAVE);
    for (program, outcomes) in [
        ("race", &["{{1,1},2}", "{{1,2},2}", "{{2,2},2}"][..]),
        ("leave", &["{false,{runs,2}}", "{true,killed}"]),
    ] {
        let explored = folder
            .replay(["explore", "--all", &format!("{program}.erl")])
            .no_panic();
        let explored = explored.out();
        let printed = printed(&explored);
        assert_eq!(printed, outcomes, "{explored}");
    }
}

/// A process in old code leaves it by a call by name, while another one purges.
const LEAVE: &str = r#"-module(leave).
-export([main/0]).
main() ->
    load(1),
    Me = self(),
    {P, R} = spawn_monitor(fun() -> lc:start(Me) end),
    receive ready -> ok end,
    load(2),
    P ! go,
    Purged = code:purge(lc),
    P ! {stop, self()},
    io:format("~p~n", [receive {P, V} -> {Purged, {runs, V}}; {'DOWN', R, process, P, Why} -> {Purged, Why} end]).
load(N) -> ok = file:write_file("lc.erl", v(N)), {module, lc} = c:l(lc).
v(N) -> ["-module(lc).\n-export([start/1, loop/0]).\nstart(P) -> P ! ready, loop().\nloop() -> receive go -> lc:loop(); {stop, P} -> P ! {self(), ", integer_to_list(N), "} end.\n"].
"#;

/// Two processes load the same module: a universe can end with one of them at a question about it.
#[test]
fn two_loads_at_a_time_are_explored() {
    let folder = Folder::new("loading-two");
    folder.write("two.erl", TWO);
    folder.tracer(["run", "--quiet", "two.erl"]).expect(0);
    for what in ["two.erl", "trace.bin"] {
        let explored = folder
            .replay(["explore", "--all", "--universes", "20", what])
            .no_panic();
        assert!(
            explored.out().contains("printed {{other,"),
            "{what}: {}",
            explored.out()
        );
    }
}

const TWO: &str = r#"-module(two).
-export([main/0]).
main() ->
    file:write_file("lc.erl", "-module(lc).\n-export([f/0]).\nf() -> 1.\n"),
    {module, lc} = c:l(lc),
    1 = lc:f(),
    Me = self(),
    spawn(fun() -> L = c:l(lc), Me ! {other, L, lc:f()} end),
    {module, lc} = c:l(lc),
    X = lc:f(),
    receive {other, _, _} = O -> io:format("~p~n", [{O, X}]) end.
"#;

/// Two processes purge and load the same module until it works: all universes end, with each order of the loads.
const BOTH: &str = r#"-module(both).
-export([main/0]).
main() ->
    {ok, lc, One} = compile:forms(forms(1)),
    {ok, lc, Two} = compile:forms(forms(2)),
    {module, lc} = code:load_binary(lc, "lc.erl", One),
    Me = self(),
    spawn(fun() -> Me ! {other, load(One)} end),
    This = load(Two),
    receive {other, Other} -> io:format("~p~n", [{This, Other, lc:f()}]) end.
load(Code) ->
    case code:load_binary(lc, "lc.erl", Code) of
        {module, lc} -> loaded;
        {error, _} -> load(Code)
    end.
forms(N) -> [{attribute, 1, module, lc}, {attribute, 1, export, [{f, 0}]}, {function, 1, f, 0, [{clause, 1, [], [], [{integer, 1, N}]}]}].
"#;

/// A fun is called while another process purges its code.
const FUN: &str = r#"-module(called).
-export([main/0]).
main() ->
    {module, lc} = load(1),
    F = lc:mk(),
    {module, lc} = load(2),
    Me = self(),
    spawn(fun() -> Me ! {called, try F() catch error:{badfun, _} -> badfun end} end),
    Purged = code:purge(lc),
    receive {called, What} -> io:format("~p~n", [{Purged, What}]) end.
load(N) ->
    ok = file:write_file("lc.erl", ["-module(lc).\n-export([mk/0]).\nmk() -> fun() -> ", integer_to_list(N), " end.\n"]),
    c:l(lc).
"#;

#[test]
fn purges_are_explored_against_loads_and_calls_of_funs() {
    let folder = Folder::new("loading-purges");
    folder.write("both.erl", BOTH);
    folder.write("called.erl", FUN);
    folder.write("lc.erl", "-module(lc).\n");
    for (program, outcomes) in [
        ("both", &["{loaded,loaded,1}", "{loaded,loaded,2}"][..]),
        ("called", &["{false,1}", "{false,badfun}"]),
    ] {
        let file = format!("{program}.erl");
        let explored = folder
            .replay(["explore", "--all", "--universes", "40", &file])
            .no_panic()
            .out();
        assert!(!explored.contains("did not end"), "{explored}");
        assert_eq!(printed(&explored), outcomes, "{explored}");
    }
}

/// The call of a fun fails because somebody has purged its code, although the process never looked at the module before: the purge is a cause.
#[test]
fn a_purge_is_a_cause_of_a_bad_fun() {
    let folder = Folder::new("loading-bad-fun");
    folder.write("called.erl", FUN);
    folder.write("lc.erl", "-module(lc).\n");
    let mut bad = 0;
    for seed in 1..=6 {
        let seed = seed.to_string();
        let args = ["run", "--quiet", "--schedule", "walk", "--seed", &seed, "called.erl"];
        let run = folder.tracer(args).expect(0);
        folder.replay(["verify", "trace.bin"]).expect(0);
        if run.out() == "{false,badfun}\n" {
            bad += 1;
            let causes = folder
                .replay(["causes", "--all", "sent:0.2.0/1", "trace.bin"])
                .expect(0)
                .out();
            let purge = causes
                .lines()
                .rfind(|line| line.contains("the module lc") && line.contains("writes it"));
            assert!(purge.is_some() && causes.contains("0.2.0  event:0.2.0/1"), "{causes}");
            let why = folder.replay(["why", "sent:0.2.0/1", "trace.bin"]).expect(0).out();
            assert!(why.contains("met the module lc, last changed by 0.1.0"), "{why}");
        }
    }
    assert!(bad > 0);
}

/// Two processes load one module at the same time; a process calls a module that another one loads. The search ends, with both outcomes.
#[test]
fn loads_are_explored_to_the_end() {
    let folder = Folder::new("loading-all");
    let head = "main() ->\n    {ok, rac, A} = compile:forms(forms(1)),\n    {ok, rac, B} = compile:forms(forms(2)),\n    Me = self(),\n";
    let forms = "forms(N) -> [{attribute, 1, module, rac}, {attribute, 1, export, [{f, 0}]}, {function, 1, f, 0, [{clause, 1, [], [], [{integer, 1, N}]}]}].\n";
    let twice = "    spawn(fun() -> Me ! {1, code:load_binary(rac, \"a\", A)} end),\n    spawn(fun() -> Me ! {2, code:load_binary(rac, \"b\", B)} end),\n    receive {1, _} -> ok end,\n    receive {2, _} -> ok end,\n    io:format(\"~p~n\", [rac:f()]).\n";
    let missed = "    spawn(fun() -> code:load_binary(rac, \"a\", A), Me ! loaded end),\n    X = try rac:f() catch error:undef -> undef end,\n    receive loaded -> ok end,\n    io:format(\"~p~n\", [{X, rac:f(), is_binary(B)}]).\n";
    for (name, body, outcomes) in [
        ("twice", twice, ["1", "2"]),
        ("missed", missed, ["{1,1,true}", "{undef,1,true}"]),
    ] {
        folder.write(
            &format!("{name}.erl"),
            format!("-module({name}).\n-export([main/0]).\n{head}{body}{forms}"),
        );
        let explored = folder
            .replay(["explore", "--all", &format!("{name}.erl")])
            .expect(0)
            .out();
        assert_eq!(printed(&explored), outcomes, "{explored}");
        assert!(!explored.contains("it stopped"), "{explored}");
    }
}

/// Two questions about a module with no action between them are answered differently.
#[test]
fn questions_about_a_module_replay_as_they_were_answered() {
    let folder = Folder::new("loading-questions");
    folder.write("asks.erl", ASKS);
    let mut outs = std::collections::BTreeSet::new();
    for seed in 1..=8 {
        let seed = seed.to_string();
        let args = ["run", "--quiet", "--schedule", "pos", "--seed", &seed, "asks.erl"];
        outs.insert(folder.tracer(args).expect(0).out());
        folder.replay(["verify", "trace.bin"]).expect(0);
    }
    assert!(
        outs.iter().any(|out| out.contains("true,") && out.contains(",false")),
        "{outs:?}"
    );
}

const ASKS: &str = r#"-module(asks).
-export([main/0]).
main() ->
    {ok, m, Code} = compile:forms([{attribute, 1, module, m}, {attribute, 1, export, [{v, 0}]}, {function, 1, v, 0, [{clause, 1, [], [], [{integer, 1, 1}]}]}]),
    {module, m} = code:load_binary(m, "m", Code),
    spawn(fun() -> code:delete(m) end),
    io:format("~p~n", [{erlang:function_exported(m, v, 0), erlang:module_loaded(m), erlang:function_exported(m, v, 0), erlang:module_loaded(m)}]).
"#;

const MANY: &str = r#"-module(many).
-export([main/0]).
main() -> lists:foreach(fun load/1, [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12]).
load(M) ->
    {ok, M, Code} = compile:forms([{attribute, 1, module, M}]),
    {module, M} = code:load_binary(M, "", Code).
"#;

const AGAIN: &str = r#"-module(again).
-export([main/0]).
main() ->
    {ok, one, Code} = compile:forms(forms(one, lists:duplicate(100000, $a))),
    again(Code, 40).
again(_, 0) -> ok;
again(Code, N) -> {module, one} = code:load_binary(one, "", Code), again(Code, N - 1).
forms(M, Text) -> [{attribute, 1, module, M}, {attribute, 1, export, [{f, 0}]}, {function, 1, f, 0, [{clause, 1, [], [], [{string, 1, Text}]}]}].
"#;

#[test]
fn loaded_code_counts_for_the_limit_of_memory() {
    let folder = Folder::new("loading-memory");
    folder.write("again.erl", AGAIN);
    let run = folder
        .tracer(["run", "--no-trace", "--max-memory", "40", "again.erl"])
        .expect(81);
    assert!(run.stderr.contains("memory (40 MB)"), "{}", run.stderr);
}

#[test]
fn info_names_some_of_many_loaded_modules_and_counts_the_others() {
    let folder = Folder::new("loading-many");
    folder.write("many.erl", MANY);
    folder.tracer(["run", "--quiet", "many.erl"]).expect(0);
    let info = folder.replay(["info", "trace.bin"]).expect(0).out();
    assert!(
        info.contains("m10 changed by") && !info.contains("m11 changed by"),
        "{info}"
    );
    assert!(info.contains("and 2 more modules; --all shows them"), "{info}");
    let all = folder.replay(["info", "--all", "trace.bin"]).expect(0).out();
    assert!(all.contains("m12 changed by") && !all.contains("more module"), "{all}");
}

/// What the universes printed, each once.
fn printed(explored: &str) -> Vec<&str> {
    let lines = explored.lines().filter_map(|line| line.split_once(" printed "));
    let mut printed: Vec<&str> = lines.map(|line| line.1).collect();
    printed.sort_unstable();
    printed.dedup();
    printed
}

/// A frame shows the text that its code was made from, not that of the file as it was first or is later.
#[test]
fn frames_show_the_source_of_their_version() {
    let folder = Folder::new("loading-source");
    folder.write("versions.erl", VERSIONS);
    folder.write("srv.erl", server("first"));
    folder.tracer(["run", "--quiet", "versions.erl"]).expect(0);
    // The two processes wait in the old code and in the new one.
    for (at, words) in [("event:0.2.0/1", "{first, X}"), ("event:0.3.0/2", "{second, X}")] {
        let state = folder.replay(["state", at, "trace.bin"]).expect(0);
        assert!(state.out().contains(words), "{at}: {}", state.out());
    }
}

fn server(word: &str) -> String {
    format!(
        "-module(srv).\n-export([loop/1]).\nloop(Me) ->\n    Me ! ready,\n    receive X -> Me ! {{{word}, X}} end.\n"
    )
}

const VERSIONS: &str = r#"-module(versions).
-export([main/0]).
main() ->
    Me = self(),
    spawn(srv, loop, [Me]),
    receive ready -> ok end,
    {ok, Text} = file:read_file("srv.erl"),
    ok = file:write_file("srv.erl", string:replace(Text, "first", "second")),
    {module, srv} = c:l(srv),
    spawn(srv, loop, [Me]),
    receive ready -> ok end.
"#;

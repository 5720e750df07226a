//! Programs that misuse the system: each ends with a clear message under a limit, or by itself, and leaves a usable trace.

use std::time::Duration;

use tests::Folder;

/// The exit code for a limit.
const LIMIT: i32 = 81;

/// How much time of the processor such a program may take. Quadratic time would far exceed it.
const MOST: Duration = Duration::from_secs(20);

/// Runs a program under these options and checks that its trace is complete: it verifies, `info` describes it, and a message can be asked for.
fn run(name: &str, options: &[&str], body: &str, code: i32) -> (Folder, String) {
    let folder = Folder::new("abuse");
    folder.write(
        &format!("{name}.erl"),
        format!("-module({name}).\n-export([main/0]).\n{body}\n"),
    );
    let file = format!("{name}.erl");
    let mut args = vec!["run"];
    args.extend(options);
    args.push(&file);
    let outcome = folder.tracer(args).no_panic().expect(code);
    assert!(outcome.work < MOST, "{name}: {:?}", outcome.work);
    folder.replay(["verify", "trace.bin"]).expect(0);
    let info = folder.replay(["info", "trace.bin"]).expect(0).out();
    folder.replay(["--until", "event:0.1.0/1", "trace.bin"]).expect(0);
    (folder, format!("{}{info}", outcome.stderr))
}

#[test]
fn a_program_that_leaks_processes() {
    let body = "main() -> spawn(fun() -> receive never -> ok end end), main().";
    let (_, text) = run("leak", &["--max-processes", "500"], body, 1);
    assert!(text.contains("system_limit"), "{text}");
    // It may catch the error and continue.
    let body = "main() -> leak(0).
        leak(N) -> try spawn(fun() -> receive {stop, P} -> P ! stopped end end) of P -> put(N, P), leak(N + 1)
                   catch error:system_limit -> io:format(\"~w~n\", [N]), get(0) ! {stop, self()}, receive stopped -> ok end,
                   timer:sleep(1), spawn(fun() -> ok end), ok end.";
    let (folder, text) = run("caught", &["--max-processes", "500", "--seed", "3"], body, 0);
    assert!(text.contains("still waiting"), "{text}");
    folder.replay(["--until", "rec:1", "trace.bin"]).expect(0);
}

#[test]
fn a_mailbox_of_millions() {
    let body = "main() -> P = spawn(fun() -> receive never -> ok end end), flood(P, 0).
        flood(P, N) -> P ! {junk, N}, flood(P, N + 1).";
    let (folder, text) = run("flood", &["--max-memory", "100"], body, LIMIT);
    assert!(text.contains("memory (100 MB)"), "{text}");
    folder.replay(["--until", "sent:0.1.0/1000", "trace.bin"]).expect(0);
    // The same if messages stay in flight.
    let (_, text) = run("adrift", &["--max-memory", "100", "--seed", "1"], body, LIMIT);
    assert!(text.contains("memory (100 MB)"), "{text}");
    // Without a limit: a million messages, and a receive that finds the last of them.
    let body = "main() -> P = self(), [P ! {junk, N} || N <- lists:seq(1, 1000000)], P ! last, receive last -> ok end,
        {message_queue_len, 1000000} = process_info(self(), message_queue_len).";
    run("million", &[], body, 0);
}

/// Memory outside heaps counts too, and a native that would create a huge value at once is refused. The machine has at most a gigabyte for them
/// here.
#[test]
fn memory_that_is_on_no_heap() {
    let programs = [
        (
            "binaries",
            "f([]).\nf(L) -> f([binary:copy(<<\"abcdefgh\">>, 100000) | L]).",
        ),
        ("doubled", "f(<<1>>).\nf(B) -> f(<<B/binary, B/binary>>)."),
        (
            "appended",
            "f(<<>>, binary:copy(<<1>>, 1000000)).\nf(A, B) -> f(<<A/binary, B/binary>>, B).",
        ),
        (
            "sent",
            "P = spawn(fun() -> receive never -> ok end end), f(P).\nf(P) -> P ! binary:copy(<<1>>, 1000000), f(P).",
        ),
        (
            "terms",
            "f(0).\nf(N) -> persistent_term:put({k, N}, lists:seq(1, 100)), f(N + 1).",
        ),
        (
            "timers",
            "f(0).\nf(N) -> erlang:send_after(100000000, self(), lists:seq(1, 100)), f(N + 1).",
        ),
        (
            "monitors",
            "P = spawn(fun() -> receive never -> ok end end), f(P).\nf(P) -> monitor(process, P), f(P).",
        ),
        ("long", "lists:seq(1, 200000000), ok."),
        ("same", "lists:duplicate(200000000, x), ok."),
        ("zeros", "N = 8 * 1500000000, byte_size(<<0:N>>)."),
        ("characters", "length(binary_to_list(binary:copy(<<$x>>, 40000000)))."),
        (
            "unicode",
            "length(unicode:characters_to_list(binary:copy(<<$x>>, 20000000))).",
        ),
        (
            "joined",
            "B = binary:copy(<<0>>, 1000000), byte_size(iolist_to_binary([B || _ <- lists:seq(1, 1500)])).",
        ),
        (
            "parts",
            "length(binary:split(binary:copy(<<$,>>, 20000000), <<$,>>, [global])).",
        ),
        (
            "replaced",
            "byte_size(binary:replace(binary:copy(<<0>>, 1000000), <<0>>, binary:copy(<<1>>, 3000), [global])).",
        ),
        (
            "appended_lists",
            "L = lists:seq(1, 1000000), length(L ++ L ++ L ++ L ++ L ++ L ++ L ++ L ++ L ++ L ++ L ++ L).",
        ),
        (
            "read_back",
            "B = term_to_binary(lists:duplicate(3000000, [])), [binary_to_term(B), binary_to_term(B), binary_to_term(B)].",
        ),
        (
            "padded",
            "length(lists:flatten(io_lib:format(\"~10000000s\", [\"x\"]))).",
        ),
        (
            "copied",
            "try byte_size(binary:copy(<<0>>, 1500000000)) catch _:_ -> io:format(\"caught~n\") end.",
        ),
    ];
    for (name, body) in seeds::share(programs, 3) {
        let folder = Folder::new("off-heap");
        let text = format!("-module({name}).\n-export([main/0]).\nmain() -> self() ! x, receive x -> ok end, {body}\n");
        folder.write(&format!("{name}.erl"), text);
        let tracer = tests::binary("tracer");
        let command = format!(
            "ulimit -v 1000000; exec {} run --max-memory 100 --max-time 600s {name}.erl",
            tracer.display()
        );
        let mut shell = std::process::Command::new("sh");
        shell.args(["-c", &command]).current_dir(folder.path());
        let output = shell.output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(LIMIT), "{name}: {said}");
        assert!(said.contains("memory (100 MB)"), "{name}: {said}");
        assert!(output.stdout.is_empty(), "{name} sees nothing of its end");
        folder.replay(["verify", "trace.bin"]).expect(0);
        folder.replay(["--until", "rec:1", "trace.bin"]).expect(0);
    }
}

/// What OTP does in time independent of the size takes seconds here at most ([`MOST`]).
#[test]
fn one_key_with_many_objects_and_one_mailbox_with_many_messages() {
    let body = "main() -> self() ! x, receive x -> ok end,
        D = ets:new(d, [duplicate_bag]), [ets:insert(D, {k, X, \"text\"}) || X <- lists:seq(1, 20000)],
        20000 = length(ets:lookup(D, k)), 20000 = ets:info(D, size),
        B = ets:new(b, [bag]), [ets:insert(B, {k, X, [Y]}) || Y <- [1, 2], X <- lists:seq(1, 2500)], [ets:insert(B, {k, X, [1]}) || X <- lists:seq(1, 2500)],
        5000 = length(ets:lookup(B, k)),
        ets:delete_object(B, {k, 7, [2]}), 4999 = length(ets:lookup(B, k)).";
    run("objects", &[], body, 0);
    let body = "main() -> self() ! x, receive x -> ok end,
        T = ets:new(t, [ordered_set]), [ets:insert(T, {{X rem 1000, X}, X}) || X <- lists:seq(1, 20000)],
        [20 = length(ets:match(T, {{X rem 1000, '_'}, '$1'})) || X <- lists:seq(1, 4000)],
        [20 = ets:select_count(T, [{{{X, '_'}, '_'}, [], [true]}]) || X <- lists:seq(0, 999)],
        [pages(ets:select_reverse(T, [{{{X, '_'}, '$1'}, [], ['$1']}], 7), []) || X <- lists:seq(1, 999)].
        pages('$end_of_table', All) -> 20 = length(All), All = lists:sort(All);
        pages({Page, Continuation}, All) -> pages(ets:select_reverse(Continuation), lists:reverse(Page) ++ All).";
    run("prefix", &[], body, 0);
    let body = "main() -> S = self(), S ! x, receive x -> ok end,
        P = spawn(fun Loop() -> receive {call, F, R} -> F ! {R, ok}, Loop() end end),
        [S ! {junk, X} || X <- lists:seq(1, 50000)],
        [begin R = make_ref(), P ! {call, S, R}, receive {R, A} -> ok = A end end || _ <- lists:seq(1, 10000)],
        [begin R = monitor(process, P), P ! {call, S, R},
               receive {R, A} -> ok = A, demonitor(R, [flush]); {'DOWN', R, _, _, _} -> exit(down) end end || _ <- lists:seq(1, 10000)],
        R = make_ref(), S ! {late, R}, S ! {early, R},
        receive {early, R} -> ok end, receive {late, R} -> ok end,
        {message_queue_len, 50000} = process_info(S, message_queue_len).";
    run("calls", &[], body, 0);
}

/// Input from outside is not read completely before its size is checked.
#[test]
fn a_line_and_a_file_without_end() {
    let folder = Folder::new("endless");
    folder.write(
        "endless.erl",
        "-module(endless).\n-export([main/0]).\nmain() -> io:format(\"~p ~p~n\", [io:get_line(\"\"), file:read_file(\"/dev/zero\")]).\n",
    );
    let args = ["run", "--quiet", "--max-memory", "20", "endless.erl"];
    let run = tests::BinaryRun::new("tracer", folder.path(), args).input(vec![b'x'; 40 << 20]);
    let outcome = run.run().expect(0);
    assert_eq!(outcome.out(), "{error,enomem} {error,enomem}\n");
    folder.replay(["verify", "trace.bin"]).expect(0);
}

#[test]
fn garbage_and_what_is_shared_do_not_count() {
    let body = "main() -> self() ! x, receive x -> ok end, f(3000), share().
        f(0) -> ok;
        f(N) -> 100000 = byte_size(binary:copy(<<1>>, 100000)), f(N - 1).
        share() -> B = binary:copy(<<1>>, 10000000), Ps = [spawn_monitor(fun() -> hold(B) end) || _ <- lists:seq(1, 50)],
            [P ! B || {P, _} <- Ps], [P ! stop || {P, _} <- Ps], [receive {'DOWN', M, _, _, normal} -> ok end || {_, M} <- Ps],
            ets:new(t, [named_table]), [ets:insert(t, {N, B}) || N <- lists:seq(1, 50)].
        hold(B) -> receive C when byte_size(C) =:= 10000000 -> receive stop -> byte_size(B) end end.";
    run("shared", &["--max-memory", "60"], body, 0);
}

#[test]
fn heaps_and_stacks_that_grow_for_ever() {
    let (_, text) = run(
        "heap",
        &["--max-memory", "50"],
        "main() -> self() ! x, grow([]).\ngrow(L) -> grow([L, L | L]).",
        LIMIT,
    );
    assert!(text.contains("memory (50 MB)"), "{text}");
    let (_, text) = run(
        "stack",
        &["--max-memory", "50"],
        "main() -> self() ! x, deep(0).\ndeep(N) -> 1 + deep(N + 1).",
        LIMIT,
    );
    assert!(text.contains("memory (50 MB)"), "{text}");
}

#[test]
fn programs_that_run_for_ever() {
    for (name, body) in [
        ("busy", "main() -> self() ! x, loop(0).\nloop(N) -> loop(N + 1)."),
        (
            "ring",
            "main() -> P = spawn(fun() -> echo() end), P ! self(), loop(P).\nloop(P) -> receive P -> P ! self(), loop(P) end.\necho() -> receive Q -> Q ! self(), echo() end.",
        ),
        ("sleepy", "main() -> self() ! x, timer:sleep(10), main()."),
        (
            "breeder",
            "main() -> spawn(fun() -> main() end), receive after 1 -> ok end.",
        ),
    ] {
        let (_, text) = run(name, &["--max-time", "100ms"], body, LIMIT);
        assert!(text.contains("time ("), "{text}");
    }
}

/// Every kind of misuse under every limit, and under all limits at once: a clear end, and a usable trace.
#[test]
fn every_misuse_ends_clearly_under_every_limit() {
    let programs = [
        (
            "leaks",
            "main() -> spawn(fun() -> receive never -> ok end end), main().",
        ),
        // Each of them runs for ever itself.
        ("bomb", "main() -> spawn(fun() -> main() end), main()."),
        (
            "floods",
            "main() -> P = spawn(fun() -> receive never -> ok end end), flood(P, 0).
flood(P, N) -> P ! {junk, N}, flood(P, N + 1).",
        ),
        (
            "nobody",
            "main() -> Dead = spawn(fun() -> ok end), nobody([Dead, list_to_pid(\"<0.999999.0>\")]).\n\
             nobody(Ps) -> [begin P ! x, exit(P, kill), monitor(process, P) end || P <- Ps], receive {'DOWN', _, _, _, _} -> nobody(Ps) end.",
        ),
        (
            "oneself",
            "main() -> process_flag(trap_exit, true), again().\nagain() -> link(self()), exit(self(), bye), receive {'EXIT', _, bye} -> again() end.",
        ),
        (
            "suicides",
            "main() -> {P, R} = spawn_monitor(fun() -> exit(self(), kill) end), receive {'DOWN', R, process, P, killed} -> main() end.",
        ),
        (
            "names",
            "main() -> [spawn(fun() -> race() end) || _ <- [1, 2, 3]], race().\n\
             race() -> catch register(contested, self()), catch register(contested, self()), catch contested ! x, catch unregister(contested), race().",
        ),
        ("busy", "main() -> self() ! x, loop(0).\nloop(N) -> loop(N + 1)."),
        ("grows", "main() -> self() ! x, grow([]).\ngrow(L) -> grow([L, L | L])."),
    ];
    let limits = [
        ("--max-processes", "60"),
        ("--max-memory", "40"),
        ("--max-time", "200ms"),
    ];
    for (name, body) in seeds::share(programs, 9) {
        let folder = Folder::new("misuse");
        folder.write(
            &format!("{name}.erl"),
            format!("-module({name}).\n-export([main/0]).\n{body}\n"),
        );
        for number in 0..=limits.len() {
            let mut args = vec!["run".to_owned()];
            for (i, (option, value)) in limits.iter().enumerate() {
                // The time limit ends what the other limit does not.
                if number == i || number == limits.len() || *option == "--max-time" {
                    args.extend([(*option).to_owned(), (*value).to_owned()]);
                }
            }
            args.push(format!("{name}.erl"));
            let outcome = folder.tracer(&args).no_panic();
            let clear = match outcome.code {
                LIMIT => outcome.stderr.contains("limit reached: "),
                // A process that may not spawn crashes.
                1 => outcome.stderr.contains("system_limit"),
                _ => false,
            };
            assert!(clear, "{args:?}: exit code {}\n{}", outcome.code, outcome.stderr);
            folder.replay(["verify", "trace.bin"]).expect(0);
            folder.replay(["info", "trace.bin"]).expect(0);
            folder.replay(["--until", "event:0.1.0/1", "trace.bin"]).expect(0);
        }
    }
}

/// Processes count from their birth, even if many are born before the first of them runs.
#[test]
fn processes_that_have_not_run_yet_count() {
    let body = "main() -> spawn(fun() -> main() end), main().";
    let (_, text) = run("unborn", &["--max-memory", "30", "--max-time", "600s"], body, LIMIT);
    assert!(text.contains("memory (30 MB)"), "{text}");
}

#[test]
fn processes_that_turn_against_themselves() {
    let body = "main() ->
        process_flag(trap_exit, true),
        link(self()), monitor(process, self()), unlink(self()),
        exit(self(), bye), receive {'EXIT', _, bye} -> ok end,
        register(me, self()), true = (catch register(me, self())) =/= true, true = (catch register(you, self())) =/= true,
        me ! hello, receive hello -> ok end,
        unregister(me), true = (catch unregister(me)) =/= true,
        exit(self(), kill).";
    let (_, text) = run("oneself", &[], body, 1);
    assert!(text.contains("killed"), "{text}");
}

#[test]
fn races_on_names() {
    let body = "main() ->
        Ps = [spawn_monitor(fun() -> race(50) end) || _ <- lists:seq(1, 20)],
        [receive {'DOWN', R, process, P, normal} -> ok end || {P, R} <- Ps].
        race(0) -> ok;
        race(N) ->
            case catch register(contested, self()) of
                true -> contested ! N, receive N -> ok end, catch unregister(contested);
                _ -> whereis(contested)
            end,
            race(N - 1).";
    for seed in ["1", "2", "3"] {
        run("names", &["--seed", seed], body, 0);
    }
}

#[test]
fn signals_to_the_dead_and_the_never_born() {
    let body = "main() ->
        Never = list_to_pid(\"<0.999999.0>\"),
        Dead = spawn(fun() -> ok end),
        timer:sleep(5),
        [begin P ! N, exit(P, kill), false = is_process_alive(P), R = monitor(process, P), receive {'DOWN', R, _, _, noproc} -> ok end end
         || N <- lists:seq(1, 1000), P <- [Never, Dead]],
        process_flag(trap_exit, true), link(Never), receive {'EXIT', Never, noproc} -> ok end.";
    run("dead", &["--virtual-time"], body, 0);
}

/// Deeply nested and often repeated code is compiled in time proportional to its length: quadratic time would take minutes.
#[test]
fn deep_and_long_functions_are_compiled_in_time() {
    let numbered =
        |count: usize, text: &str| -> String { (0..count).map(|i| text.replace('#', &i.to_string())).collect() };
    let around = |count: usize, before: &str, inside: &str, behind: &str| {
        format!("{}{inside}{}", before.repeat(count), behind.repeat(count))
    };
    let functions = [
        ("funs", around(20_000, "fun() -> ", "ok", " end")),
        ("comprehensions", around(10_000, "[", "ok", " || _ <- [1]]")),
        ("tries", around(3_000, "try ", "ok", " catch _:_ -> ok end")),
        ("catches", around(3_000, "(catch ", "ok", ")")),
        (
            "variables",
            format!("{}ok{}", numbered(2_000, "fun(Y#) -> X# = Y#, "), " end".repeat(2_000)),
        ),
        ("many", format!("{}ok", numbered(8_000, "F# = fun() -> # end, "))),
    ];
    for (name, body) in functions {
        let folder = Folder::new("deep-code");
        folder.write(
            "deep.erl",
            format!("-module(deep).\n-export([main/0]).\nmain() -> {body}.\n"),
        );
        let outcome = folder.tracer(["run", "--quiet", "--no-trace", "deep.erl"]).expect(0);
        assert!(outcome.work < Duration::from_secs(30), "{name}: {:?}", outcome.work);
    }
}

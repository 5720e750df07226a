//! Programs that misuse the system: each ends clearly under a limit, or by itself, and leaves a trace that can be used.

use tests::Folder;

/// A limit was reached.
const LIMIT: i32 = 81;

/// Runs a program under these options and checks that its trace is whole: it verifies, `info` tells of it, and a message can be asked for.
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
    // It may catch that, and go on.
    let body = "main() -> leak(0).
        leak(N) -> try spawn(fun() -> receive {stop, P} -> P ! stopped end end) of P -> put(N, P), leak(N + 1)
                   catch error:system_limit -> io:format(\"~w~n\", [N]), get(0) ! {stop, self()}, receive stopped -> ok end,
                   timer:sleep(1), spawn(fun() -> ok end), ok end.";
    let (folder, text) = run("caught", &["--max-processes", "500", "--seed", "3"], body, 0);
    assert!(text.contains("left waiting"), "{text}");
    folder.replay(["--until", "rec:1", "trace.bin"]).expect(0);
}

#[test]
fn a_mailbox_of_millions() {
    let body = "main() -> P = spawn(fun() -> receive never -> ok end end), flood(P, 0).
        flood(P, N) -> P ! {junk, N}, flood(P, N + 1).";
    let (folder, text) = run("flood", &["--max-memory", "100"], body, LIMIT);
    assert!(text.contains("memory (100 MB)"), "{text}");
    folder.replay(["--until", "sent:0.1.0/1000", "trace.bin"]).expect(0);
    // Without a limit: a million messages, and a receive that finds the last of them.
    let body = "main() -> P = self(), [P ! {junk, N} || N <- lists:seq(1, 1000000)], P ! last, receive last -> ok end,
        {message_queue_len, 1000000} = process_info(self(), message_queue_len).";
    run("million", &[], body, 0);
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
        let (_, text) = run(name, &["--max-time", "0.3"], body, LIMIT);
        assert!(text.contains("time ("), "{text}");
    }
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

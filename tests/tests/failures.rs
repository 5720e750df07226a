//! The failure of a run is one thing, whichever command is asked: `why`, `--until error`, `check`, and what `hunt` keeps.

use tests::Folder;

/// A program with several failures, or none.
struct Case {
    name: &'static str,
    /// Clauses of `main/0`, and other functions.
    code: &'static str,
    /// The process of the failure.
    pid: &'static str,
    /// What `why` says of it.
    why: &'static str,
    /// What `hunt` says; nothing if it is no failure for it.
    hunt: &'static str,
}

const CASES: [Case; 15] = [
    Case {
        name: "handled_then_entry",
        code: "main() -> {P, R} = spawn_monitor(fun() -> exit(on_purpose) end),\n  receive {'DOWN', R, process, P, _} -> ok end, 1 = length([]).\n",
        pid: "0.1.0",
        why: "error: 0.1.0 main/0 ends: error {badmatch,0}",
        hunt: "error {badmatch,0}",
    },
    Case {
        name: "link_to_the_entry",
        code: "main() -> spawn_link(fun() -> error(worker) end), receive stop -> ok end.\n",
        pid: "0.2.0",
        why: "ends: error worker",
        hunt: "<0.2.0>, to which the entry has a link: error worker",
    },
    Case {
        name: "unhandled",
        code: "main() -> spawn(fun() -> error(worker) end), timer:sleep(1).\n",
        pid: "0.2.0",
        why: "ends: error worker",
        hunt: "<0.2.0>, and no process handled it: error worker",
    },
    Case {
        name: "handled",
        code: "main() -> {_, R} = spawn_monitor(fun() -> error(worker) end), receive {'DOWN', R, _, _, _} -> ok end.\n",
        pid: "0.2.0",
        why: "ends: error worker",
        hunt: "",
    },
    Case {
        name: "kill_on_purpose",
        code: "main() ->\n  S = spawn(fun() -> process_flag(trap_exit, true), spawn_link(fun child/0), receive stop -> ok end end),\n  \
               timer:sleep(1), exit(S, kill), timer:sleep(1).\n\
               child() -> process_flag(trap_exit, true), receive {'EXIT', _, R} -> exit(R) end.\n",
        pid: "0.2.0",
        why: "killed",
        hunt: "",
    },
    Case {
        name: "one_handled_one_not",
        code: "main() -> {_, R} = spawn_monitor(fun() -> error(first) end), receive {'DOWN', R, _, _, _} -> ok end,\n  \
               spawn(fun() -> error(second) end), timer:sleep(1).\n",
        pid: "0.3.0",
        why: "ends: error second",
        hunt: "error second",
    },
    Case {
        name: "halt_after_a_crash",
        code: "main() -> spawn(fun() -> error(worker) end), timer:sleep(1), halt(3).\n",
        pid: "0.1.0",
        why: "Also ended abnormally, and not among the causes: exit:0.2.0",
        hunt: "halted with status 3",
    },
    Case {
        name: "wait_after_a_crash",
        code: "main() -> spawn(fun() -> error(worker) end), receive never -> ok end.\n",
        pid: "0.2.0",
        why: "ends: error worker",
        hunt: "worker",
    },
    Case {
        name: "parent_fails_later",
        code: "main() -> spawn(fun parent/0), timer:sleep(5).\n\
               parent() -> {_, R} = spawn_monitor(fun() -> error(child) end), receive {'DOWN', R, _, _, _} -> ok end, error(parent).\n",
        pid: "0.2.0",
        why: "ends: error parent",
        hunt: "error parent",
    },
    Case {
        name: "parent_passes_it_on",
        code: "main() -> spawn(fun parent/0), timer:sleep(5).\n\
               parent() -> {_, R} = spawn_monitor(fun() -> error(deep) end), receive {'DOWN', R, _, _, Why} -> exit({child, Why}) end.\n",
        pid: "0.3.0",
        why: "ends: error deep",
        hunt: "error deep",
    },
    Case {
        name: "restarted_then_an_error",
        code: "main() -> spawn(fun keeper/0), timer:sleep(5), {error, nothing}.\n\
               keeper() -> process_flag(trap_exit, true), spawn_link(fun() -> error(worker) end),\n  \
               receive {'EXIT', _, _} -> spawn_link(fun() -> receive stop -> ok end end) end, receive stop -> ok end.\n",
        pid: "0.1.0",
        why: "error: 0.1.0",
        hunt: "the entry returned {error,nothing}",
    },
    Case {
        name: "entry_shutdown",
        code: "main() -> spawn(fun() -> exit(worker) end), timer:sleep(1), exit(shutdown).\n",
        pid: "0.1.0",
        why: "ends: exit shutdown",
        hunt: "crashed: exit shutdown",
    },
    Case {
        name: "entry_that_noticed",
        code: "main() ->\n  P = spawn(fun() -> receive {leave, K} -> maps:get(K, #{}) end end), P ! {leave, b}, timer:sleep(5),\n  \
               case is_process_alive(P) of true -> ok; false -> exit(died) end.\n",
        pid: "0.1.0",
        why: "ends: exit died",
        hunt: "exit died",
    },
    Case {
        name: "start_refused",
        code: "-export([init/1]).\nmain() -> {error, not_ready} = gen_server:start(?MODULE, [], []), ok.\ninit([]) -> {stop, not_ready}.\n",
        pid: "0.2.0",
        why: "ends: exit not_ready",
        hunt: "",
    },
    Case {
        name: "fails_after_its_start",
        code: "main() -> {ok, _} = proc_lib:start(erlang, apply, [fun() -> proc_lib:init_ack({ok, self()}), error(later) end, []]),\n  \
               timer:sleep(1).\n",
        pid: "0.2.0",
        why: "ends: exit {later,",
        hunt: "no process handled it: exit {later,",
    },
];

#[test]
fn all_commands_mean_the_same_failure() {
    let folder = Folder::new("all_commands_mean_the_same_failure");
    for case in CASES {
        let file = format!("{}.erl", case.name);
        folder.write(
            &file,
            format!("-module({}).\n-export([main/0]).\n{}", case.name, case.code),
        );
        folder.tracer(["run", "-q", "--seed", "1", &file, "-o", "t.bin"]);
        let of_process = format!("error: {} ", case.pid);
        folder
            .replay(["why", "t.bin"])
            .expect(0)
            .prints(&[&of_process, case.why]);
        let shown = format!("\"pid\": \"{}\"", case.pid);
        let until = folder.replay(["run", "--until", "error", "--json", "t.bin"]).expect(0);
        let pid = until.out().replace("\":\"", "\": \"");
        assert!(pid.contains(&shown), "{}: {}", case.name, until.out());
        let code = i32::from(!case.hunt.is_empty());
        let hunted = folder
            .tracer([
                "hunt",
                &file,
                "--seed",
                "1",
                "--runs",
                "3",
                "--no-shrink",
                "--traces",
                case.name,
            ])
            .expect(code)
            .says(&[case.hunt]);
        if code == 1 {
            // What is printed as the next command explains the failure in the headline.
            let kept = std::fs::read_dir(folder.path().join(case.name))
                .unwrap()
                .next()
                .unwrap()
                .unwrap();
            let next = format!("replay why {}/{}", case.name, kept.file_name().to_str().unwrap());
            hunted.says(&[&next]);
            let path = kept.path();
            folder
                .replay(["why", path.to_str().unwrap()])
                .expect(0)
                .prints(&[&of_process]);
        }
    }
}

#[test]
fn check_judges_by_the_failure_of_the_entry() {
    let folder = Folder::new("check_judges_by_the_failure_of_the_entry");
    let program = |rest: &str| {
        format!(
            "-module(w).\n-export([main/0, init/0]).\nmain() ->\n  S = spawn(?MODULE, init, []), receive after 1 -> ok end,\n  \
             Ref = monitor(process, S), S ! crash, receive {{'DOWN', Ref, process, _, _}} -> ok end,\n  {rest}.\n\
             init() -> register(srv, self()), receive crash -> exit(crashed) end.\n"
        )
    };
    folder.write("w.erl", program("srv ! hello"));
    folder
        .tracer(["run", "-q", "--seed", "1", "w.erl", "-o", "w.bin"])
        .expect(1);
    folder.write(
        "fixed.erl",
        program("T = spawn(?MODULE, init, []), receive after 1 -> ok end, srv ! hello, T ! crash"),
    );
    folder
        .replay(["check", "--program", "fixed.erl", "--max-stall", "0ms", "w.bin"])
        .expect(0)
        .prints(&["fixed", "recorded: 0.1.0 ended"]);
    // The second process has 1 ms to get its name.
    folder
        .replay(["check", "--program", "fixed.erl", "w.bin"])
        .expect(3)
        .prints(&["fixed, but a delay of 1 ms of 0.3.0 srv at w.erl:7 brings it back"]);
}

#[test]
fn an_effect_of_a_failure_is_not_its_cause() {
    let folder = Folder::new("an_effect_of_a_failure_is_not_its_cause");
    let noticed = CASES.iter().find(|case| case.name == "entry_that_noticed").unwrap();
    folder.write("n.erl", format!("-module(n).\n-export([main/0]).\n{}", noticed.code));
    folder
        .tracer(["run", "-q", "--seed", "1", "n.erl", "-o", "n.bin"])
        .expect(1);
    let why = folder.replay(["why", "exit:0.2.0", "n.bin"]).expect(0);
    assert!(!why.out().contains("turned to"), "{}", why.out());
    why.prints(&["received {leave,b} from 0.1.0"]);
}

#[test]
fn one_end_has_one_name_and_one_role() {
    let folder = Folder::new("one_end_has_one_name_and_one_role");
    folder.write(
        "g.erl",
        "-module(g).\n-export([main/0]).\nmain() ->\n  S = spawn(fun() -> loop(#{a => 1}) end), S ! {del, a}, S ! {get, self(), a},\n  \
         receive {value, V} -> V after 100 -> exit(lost) end.\nloop(M) ->\n  receive\n    {del, K} -> loop(maps:remove(K, M));\n    \
         {get, P, K} -> P ! {value, maps:get(K, M)}, loop(M)\n  end.\n",
    );
    folder
        .tracer(["run", "-q", "--seed", "1", "g.erl", "-o", "g.bin"])
        .expect(1);
    let why = folder.replay(["why", "g.bin"]).expect(0);
    for wrong in ["event:0.2.0", "not among the causes"] {
        assert!(!why.out().contains(wrong), "{}", why.out());
    }
    why.prints(&["exit:0.2.0"]);
}

#[test]
fn keys_of_maps_are_read_as_terms() {
    let folder = Folder::new("keys_of_maps_are_read_as_terms");
    folder.write(
        "m.erl",
        "-module(m).\n-export([main/0]).\nmain() ->\n  S = spawn(fun() -> loop(#{<<\"a => b\">> => 0, other => lists:duplicate(30, filler)}) end),\n  \
         S ! {put, 5}, S ! {get, self()}, receive {value, V} -> error({bad_price, V}) end.\nloop(Prices) ->\n  receive\n    \
         {put, V} -> loop(Prices#{<<\"a => b\">> := V});\n    {get, P} -> P ! {value, maps:get(<<\"a => b\">>, Prices)}, loop(Prices)\n  end.\n",
    );
    folder
        .tracer(["run", "-q", "--seed", "1", "m.erl", "-o", "m.bin"])
        .expect(1);
    folder
        .replay(["why", "m.bin"])
        .expect(0)
        .prints(&["<<\"a => b\">> in Prices became 5 (was 0)"]);
}

#[test]
fn a_difference_is_not_two_equal_lines() {
    let folder = Folder::new("a_difference_is_not_two_equal_lines");
    folder.write(
        "d.erl",
        "-module(d).\n-export([main/0]).\nmain() ->\n  S = spawn_link(fun() -> receive a -> receive b -> receive never -> ok end end end end),\n  \
         S ! a, S ! b, exit(no).\n",
    );
    folder.write(
        "e.erl",
        "-module(e).\n-export([main/0, loop/1]).\nmain() ->\n  S = self(), P = spawn(fun() -> loop(S) end),\n  \
         spawn(fun() -> P ! a end), spawn(fun() -> P ! b end),\n  receive done -> P ! stop, timer:sleep(1) end.\n\
         loop(S) -> receive a -> S ! done, loop(S); b -> receive stop -> ok end; stop -> ok end.\n",
    );
    folder.tracer(["run", "-q", "d.erl", "-o", "1.bin"]).expect(1);
    folder
        .tracer(["run", "-q", "--seed", "1", "--schedule", "walk", "d.erl", "-o", "2.bin"])
        .expect(1);
    for seed in ["11", "12"] {
        folder.tracer(["run", "-q", "--seed", seed, "e.erl", "-o", &format!("{seed}.bin")]);
    }
    for (one, other) in [("1.bin", "2.bin"), ("11.bin", "12.bin")] {
        let diff = folder.replay(["diff", one, other]).expect(1);
        let out = diff.out();
        let side = |word: &str| {
            out.lines()
                .find_map(|line| line.trim().strip_prefix(word).map(str::to_owned))
        };
        let (first, second) = (side("first ").unwrap(), side("second ").unwrap());
        assert_ne!(first.trim(), second.trim(), "{out}");
        assert!(out.contains("receives a"), "{out}");
    }
}

#[test]
fn a_timeout_without_a_request_names_who_waits() {
    let folder = Folder::new("a_timeout_without_a_request_names_who_waits");
    folder.write(
        "w.erl",
        "-module(w).\n-export([main/0]).\nmain() ->\n  {P, R} = spawn_monitor(fun stuck/0),\n  \
         receive {'DOWN', R, process, P, _} -> ok\n  after 500 -> exit({frozen, P}) end.\n\
         stuck() -> receive {never, ok} -> ok end.\n",
    );
    folder
        .tracer(["run", "-q", "--seed", "1", "w.erl", "-o", "w.bin"])
        .expect(1);
    folder
        .replay(["why", "w.bin"])
        .expect(0)
        .prints(&["it knew 0.2.0 stuck/0 waits for ever at w.erl:7"]);
}

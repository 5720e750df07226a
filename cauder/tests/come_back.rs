//! Runs that are imported are the runs that happened.

use super::*;

#[test]
fn our_own_runs_come_back() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut runs = 0;
    // Programs that only spawn, send and receive: what CauDEr can trace.
    let fixtures = [
        "account",
        "barber",
        "client_server",
        "philosophers",
        "philosophers_order",
        "proxy",
        "seats",
        "stock",
    ];
    let pairs = [
        "answers_mixed",
        "badmatch_order",
        "barrier",
        "counter_limit",
        "deadlock_wait",
        "divide",
        "double_reply",
        "early_stop",
        "election",
        "log_order",
        "lost_update",
        "pool_empty",
        "pop_empty",
        "stale_answer",
        "sum_type",
        "undefined_key",
        "unexpected_message",
    ];
    let paths = fixtures
        .iter()
        .map(|name| root.join(format!("fixtures/{name}/{name}.erl")))
        .chain(pairs.iter().map(|name| root.join(format!("tests/pairs/{name}.erl"))));
    for path in paths {
        let module = path.file_stem().unwrap().to_str().unwrap().to_owned();
        for seed in 1..=6 {
            let name = format!("{module}, seed {seed}");
            let scratch = Scratch::new(&format!("{module}-{seed}"));
            let program = text(&path);
            let (system, _) = program.run(seed, Tracer::default()).unwrap();
            system.into_observer().write(&scratch, &module);
            let recorded = Trace::from_bytes(program.record_bytes(seed).unwrap().1).unwrap();
            let imported = scratch.import(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
            agrees(&recorded, &imported, &name);
            // It is also an ordinary trace.
            let session = Session::of(Arc::new(imported)).unwrap();
            session.replay(&Goal::everything(), system::observer::Nobody).unwrap();
            runs += 1;
        }
    }
    assert_eq!(runs, 25 * 6);
}

#[test]
fn runs_of_the_real_tracer_come_back() {
    // The import's other messages; a different run (another return value, processes that do not end) would also be a warning.
    let nothing: &[&str] = &[];
    for (name, warnings) in [
        ("sleep_race", nothing),
        ("retry", nothing),
        ("heartbeat", nothing),
        ("sleepers", nothing),
        (
            "nobody_there",
            &["2 sends with a uid to a name that no process held"][..],
        ),
        ("killed_later", nothing),
        ("linked_later", nothing),
        ("early_look", nothing),
        ("late_sends", &["3 sends to processes that had ended have no uid"][..]),
        ("look_then_wait", nothing),
        ("library_helpers", nothing),
        ("plain_sends", nothing),
        ("odd_arguments", nothing),
        ("nodes_again", nothing),
        ("unreachable", nothing),
        ("logged_elsewhere", nothing),
        ("ticks", nothing),
    ] {
        let untraced: &[&str] = if name == "logged_elsewhere" {
            &["plain_logger"]
        } else {
            &[]
        };
        let (imported, trace) = import_traced(name, untraced);
        assert_eq!(
            imported.warnings.len(),
            warnings.len(),
            "{name}: {:?}",
            imported.warnings
        );
        for (said, expected) in imported.warnings.iter().zip(warnings) {
            assert!(said.starts_with(expected), "{name}: {said}");
        }
        assert_eq!(imported.finished, name != "ticks");
        if imported.finished {
            assert_eq!(imported.alive, 0, "{name}");
            assert!(
                matches!(trace.run_end().unwrap(), Some(log_format::RunEnd::Returned(_))),
                "{name}: {:?}",
                trace.run_end()
            );
        }
        let session = Session::of(Arc::new(trace)).unwrap();
        session.replay(&Goal::everything(), system::observer::Nobody).unwrap();
    }
}

#[test]
fn what_was_sent_is_what_the_tracer_saw() {
    // Sends to processes that had ended take no uid, though the log continues with a message that nobody received.
    let (_, trace) = import_traced("late_sends", &[]);
    for (uid, nth) in [(0, 2), (1, 4), (2, 6), (3, 7)] {
        let sent = resolve(&trace, &format!("send:u{uid}")).unwrap();
        let kinds = trace.log(sent.pid).unwrap().map(|item| item.unwrap().1);
        let sends = kinds
            .take(sent.action.0 as usize)
            .filter(|action| action.kind == Kind::Send);
        assert_eq!(sends.count(), nth, "u{uid}");
    }
}

#[test]
fn a_process_that_was_cut_does_nothing_more() {
    // Two messages and a spawn are in the log; output, before and endlessly between them, is not needed.
    let (imported, trace) = import_traced("ticks", &[]);
    assert_eq!((imported.entries, imported.actions), (3, 3));
    let printed = trace.processes().map(|p| p.unwrap().pid);
    let outputs = printed.flat_map(|pid| trace.log(pid).unwrap().map(|item| item.unwrap().1.kind));
    assert_eq!(outputs.filter(|kind| matches!(kind, Kind::Output { .. })).count(), 0);
}

#[test]
fn a_program_that_never_ends_is_refused_where_all_processes_ended() {
    let scratch = Scratch::new("never-ends");
    let program = scratch.write(
        "m.erl",
        "-module(m).\n-export([main/0]).\nmain() -> self() ! a, receive a -> tick() end.\ntick() -> timer:sleep(50), tick().\n",
    );
    scratch.write("trace_result.log", RESULT);
    scratch.write("trace_80.log", "{trace_send,0}.\n{trace_receive,0}.");
    let error = scratch.import(&program).unwrap_err().to_string();
    let expected = "nothing more of process 80, found that process 80: it goes on for ever after its last entry";
    assert!(error.contains(expected), "{error}");
    assert!(!scratch.trace().exists());
}

#[test]
fn another_run_is_told() {
    // The logs fit programs that return something else, do not return, or do not end.
    let scratch = Scratch::new("another-run");
    let run = |returned: &str, value: &str| {
        scratch.write(
            "trace_result.log",
            &format!("{{call,{{m,main,[]}}}}.\n{{node,nonode@nohost}}.\n{{pid,80}}.\n{{return,{returned}}}.\n{{tracing,success}}."),
        );
        scratch.write("trace_80.log", "{trace_send,0}.\n{trace_receive,0}.");
        let text = format!("-module(m).\n-export([main/0]).\nmain() -> self() ! 1, receive X -> {value} end.\n");
        let program = scratch.write("m.erl", &text);
        import(scratch.0.path(), &[program], &[], &scratch.trace(), None)
            .unwrap()
            .warnings
    };
    for (returned, value) in [
        ("{value,2}", "X + 1"),
        ("{value,\"ab\"}", "[96 + X, $b]"),
        ("{value,'\\x{65E5}'}", "list_to_atom([26084 + X])"),
        ("{value,{1.5e3,<<\"a\">>}}", "{1499.0 + X, <<(96 + X)>>}"),
        ("none", "error({bad, X})"),
    ] {
        assert_eq!(run(returned, value), [""; 0], "{returned}, {value}");
    }
    for (returned, value, expected) in [
        ("{value,2}", "X + 2", "the call returned 2, but here it returned 3"),
        ("none", "X", "the call did not return, but here it returned 1"),
        (
            "{value,2}",
            "error({bad, X})",
            "here it did not return: it ends with error {bad,1}",
        ),
        (
            "{value,2}",
            "receive never -> X end",
            "all processes ended in CauDEr's run, but here these have not: 80",
        ),
    ] {
        let warnings = run(returned, value);
        assert!(
            warnings.len() == 1 && warnings[0].contains(expected),
            "{value}: {warnings:?}"
        );
    }
}

#[test]
fn a_module_that_is_not_named_is_named_by_the_error() {
    let (folder, program) = traced("logged_elsewhere");
    let scratch = Scratch::new("not-named");
    let error = import(&folder, &[program], &[], &scratch.trace(), None)
        .unwrap_err()
        .to_string();
    let expected = "it ends with error undef: plain_logger:start/0 (name the file of an instrumented module with --program, that of any \
                    other module with --untraced)";
    assert!(error.contains(expected), "{error}");
    // If it is named as an instrumented one, its sends are missing in the log.
    let (folder, program) = traced("logged_elsewhere");
    let error = import(
        &folder,
        &[program, traced("plain_logger").1],
        &[],
        &scratch.trace(),
        None,
    )
    .unwrap_err();
    assert_eq!(fault(&error), Fault::BadTrace, "{error}");
}

#[test]
fn many_processes_take_little_longer_than_few() {
    // Each process waits for a message of the entry process and replies: n processes, 5 n entries.
    let seconds = |n: u64| {
        let scratch = Scratch::new(&format!("many-{n}"));
        scratch.write(
            "trace_result.log",
            &format!("{{call,{{m,main,[{n}]}}}}.\n{{node,nonode@nohost}}.\n{{pid,80}}.\n{{return,{{value,ok}}}}.\n{{tracing,success}}."),
        );
        let spawns = (0..n).map(|i| format!("{{trace_spawn,nonode@nohost,{},true}}.", 100 + i));
        let talks = (0..n).map(|i| format!("{{trace_send,{}}}.\n{{trace_receive,{}}}.", 2 * i, 2 * i + 1));
        scratch.write("trace_80.log", &spawns.chain(talks).collect::<Vec<_>>().join("\n"));
        for i in 0..n {
            let log = format!("{{trace_receive,{}}}.\n{{trace_send,{}}}.", 2 * i, 2 * i + 1);
            scratch.write(&format!("trace_{}.log", 100 + i), &log);
        }
        let program = scratch.write(
            "m.erl",
            "-module(m).\n-export([main/1]).\nmain(N) ->\n    Me = self(),\n\
             \x20   All = [spawn(fun() -> receive ask -> Me ! {self(), done} end end) || _ <- lists:seq(1, N)],\n\
             \x20   [begin P ! ask, receive {P, done} -> ok end end || P <- All],\n    ok.\n",
        );
        let began = steady::used();
        let imported = import(scratch.0.path(), &[program], &[], &scratch.trace(), None).unwrap();
        assert_eq!((imported.processes as u64, imported.entries as u64), (n + 1, 5 * n));
        (steady::used() - began).as_secs_f64()
    };
    // Not quadratic: eight times the processes would then take sixty-four times as long.
    let (few, many) = (seconds(250).max(0.02), seconds(2000));
    assert!(many < 30.0 * few, "{few} s, {many} s");
}

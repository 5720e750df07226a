//! Logs that lie, damaged logs, and the old format.

use super::*;

/// The content of the logs, and what the error has to contain.
const LIES: [(&str, &str, [&str; 3]); 17] = [
    (
        "trace_80.log",
        "{trace_spawn,nonode@nohost,90,true}.\n{trace_receive,0}.\n{trace_spawn,nonode@nohost,91,true}.\n{trace_receive,7}.",
        ["trace_80.log", "line 2", "spawn"],
    ),
    (
        "trace_90.log",
        "{trace_send,0}.\n{trace_send,5}.",
        ["trace_90.log", "line 2", "it ends"],
    ),
    (
        "trace_91.log",
        "",
        [
            "trace_80.log",
            "line 4",
            "expected a message that some log says was sent",
        ],
    ),
    (
        "trace_91.log",
        "{trace_send,0}.",
        ["trace_91.log", "line 1", "each uid to be sent once"],
    ),
    (
        "trace_91.log",
        "{trace_receive,0}.\n{trace_send,7}.",
        ["trace_91.log", "line 1", "each uid to be received once"],
    ),
    (
        "trace_91.log",
        "{trace_spawn,nonode@nohost,90,true}.",
        ["trace_91.log", "line 1", "each process to be spawned once"],
    ),
    (
        "trace_91.log",
        "{trace_spawn,nonode@nohost,80,true}.",
        ["trace_91.log", "line 1", "any process but 80"],
    ),
    (
        "trace_99.log",
        "{trace_send,99}.",
        ["trace_99.log", "the file", "trace_spawn,_,99"],
    ),
    (
        "trace_91.log",
        "{trace_send,7}.\n{trace_sned,8}.",
        ["trace_91.log", "line 2", "{trace_sned,8}"],
    ),
    (
        "trace_91.log",
        "{trace_send,seven}.",
        ["trace_91.log", "line 1", "{trace_send,seven}"],
    ),
    (
        "trace_91.log",
        "{trace_send,7}.\n{trace_send",
        ["trace_91.log", "line 2", "the end of the file"],
    ),
    (
        "trace_91.log",
        "\u{0}\u{1}",
        ["trace_91.log", "line 1", "expected a term"],
    ),
    (
        "trace_99999999999999999999.log",
        "",
        ["trace_99999999999999999999.log", "the number of a process", ""],
    ),
    (
        "trace_result.log",
        "{call,{m,main,[]}}.",
        ["trace_result.log", "the end of the file", "{node,Name}"],
    ),
    (
        "trace_result.log",
        "{call,{m,main,[<0.1.0>]}}.",
        ["trace_result.log", "line 1", "<0.1.0>"],
    ),
    (
        "trace_result.log",
        "{pid,-1}.",
        ["trace_result.log", "line 1", "{pid,N}"],
    ),
    ("trace_result.log", "hello.", ["trace_result.log", "line 1", "a pair"]),
];

#[test]
fn a_lying_log_is_named() {
    for (file, text, expected) in LIES {
        let scratch = Scratch::new("lies");
        let program = race(&scratch, [0, 7]);
        scratch.write(file, text);
        let error = scratch.import(&program).unwrap_err();
        let said = error.to_string();
        assert_eq!(fault(&error), Fault::BadTrace, "{file}: {said}");
        for part in expected {
            assert!(said.contains(part), "{file}, {text:?}: `{part}` is not in: {said}");
        }
        assert!(!scratch.trace().exists(), "{file}: half a trace is left");
    }
    // Logs that are missing completely.
    let scratch = Scratch::new("missing");
    let program = race(&scratch, [0, 7]);
    std::fs::remove_file(scratch.0.path().join("trace_result.log")).unwrap();
    assert_eq!(fault(&scratch.import(&program).unwrap_err()), Fault::NoInput);
    race(&scratch, [0, 7]);
    assert_eq!(
        fault(&scratch.import(Path::new("no/such.erl")).unwrap_err()),
        Fault::NoInput
    );
    let other = scratch.write("other.erl", "-module(other).\n");
    assert_eq!(fault(&scratch.import(&other).unwrap_err()), Fault::Usage);
    let broken = scratch.write("m.erl", "-module(m).\n-export([main/0]).\nmain() ->");
    assert_eq!(fault(&scratch.import(&broken).unwrap_err()), Fault::Program);
}

#[test]
fn any_bytes_are_refused_without_a_panic() {
    // Every truncation and many changes of a good folder: an error or a trace, in bounded time.
    let mut state = 1_u64;
    let mut draw = |below: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let files = ["trace_result.log", "trace_80.log", "trace_90.log", "trace_91.log"];
    for round in 0..300 {
        let scratch = Scratch::new("fuzz");
        let program = race(&scratch, [0, 7]);
        let file = files[draw(files.len())];
        let mut bytes = std::fs::read(scratch.0.path().join(file)).unwrap();
        if round % 3 == 0 {
            bytes.truncate(draw(bytes.len()));
        } else {
            for _ in 0..=draw(3) {
                let at = draw(bytes.len());
                bytes[at] = b"{}[],.'\"019azAZ<>#$%\\\n \0\xff"[draw(24)];
            }
        }
        std::fs::write(scratch.0.path().join(file), &bytes).unwrap();
        if let Err(error) = scratch.import(&program) {
            assert!(!matches!(error, Error::Bug(_)), "{file}: {bytes:?}: {error}");
        }
    }
}

#[test]
fn arguments_and_the_old_format_are_understood() {
    let scratch = Scratch::new("arguments");
    let program = scratch.write(
        "m.erl",
        "-module(m).\n-export([add/2]).\nadd(N, #{'key one' := [X, \"text\", $c]}) ->\n    self() ! N + X,\n    receive M -> M end.\n",
    );
    scratch.write(
        "trace_result.log",
        "{call,{m,add,[2,#{'key one' => [3,\"text\",99]}]}}.\n{node,nonode@nohost}.\n{pid,81}.\n{result,{value,<0.81.0>}}.\n{tracing,success}.",
    );
    scratch.write("trace_81.log", "{send,0}.\n{deliver,0}.\n{'receive',0}.");
    let imported = import(scratch.0.path(), &[program], &[], &scratch.trace(), None).unwrap();
    assert!(
        imported.warnings.iter().any(|w| w.contains("trace_result.log, line 4")),
        "{:?}",
        imported.warnings
    );
    let trace = Trace::open(&scratch.trace()).unwrap();
    assert!(
        matches!(trace.run_end().unwrap(), Some(log_format::RunEnd::Returned(_))),
        "{:?}",
        trace.run_end()
    );
    assert_eq!(resolve(&trace, "rec:u0").unwrap().action.0, 2);
}

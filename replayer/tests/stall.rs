//! What `info`, `why` and `summary` say of the stall of a failure.

#![expect(clippy::unwrap_used, reason = "tests")]

use std::ffi::OsString;
use std::path::Path;

use replayer::exit::Exit;
use session::error::Error;
use session::record::Text;
use system::scheduler::{Jitter, Schedule};

fn replay(arguments: &[&str]) -> (Result<Exit, Error>, String) {
    let all: Vec<OsString> = std::iter::once("replay")
        .chain(arguments.iter().copied())
        .map(OsString::from)
        .collect();
    let mut sink = Vec::new();
    let (_, done) = replayer::run_with(all, &mut sink, None);
    (done, String::from_utf8(sink).unwrap())
}

/// What a command says of a trace, without the breaks of lines.
fn says(arguments: &[&str]) -> String {
    let (done, text) = replay(arguments);
    assert!(matches!(done, Ok(Exit::Success)), "{done:?}");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A trace of the program that fails, with delays of at most so many milliseconds.
fn failing(folder: &Path, body: &str, jitter: u64) -> String {
    let text = Text {
        path: "m.erl".to_owned(),
        source: format!("-module(m).\n-export([main/0]).\n{body}").into_bytes().into(),
        release: Default::default(),
    };
    let failing = (0..2_000).find_map(|seed| {
        let (scheduler, _) = Schedule::Walk.scheduler(seed, Jitter::up_to(jitter * 1_000_000));
        let bytes = text.record_under(scheduler, system::Delivery::Free).unwrap().1;
        let trace = log_format::Trace::from_bytes(bytes.clone()).unwrap();
        causality::failure(&trace).unwrap().map(|_| bytes)
    });
    let path = folder.join("m.bin");
    std::fs::write(&path, failing.unwrap()).unwrap();
    path.display().to_string()
}

const WATCHDOG: &str = "main() ->
    Me = self(),
    spawn(fun() -> work(Me) end),
    receive done -> ok
    after 500 -> exit(frozen) end.
work(Me) -> Me ! done.
";

#[test]
fn a_watchdog_is_said_to_need_a_stall() {
    let folder = tempfile::tempdir().unwrap();
    let trace = failing(folder.path(), WATCHDOG, 2_000);
    let right = "this run happens only if something stalls for 500 ms: done from 0.2.0 work/1 to 0.1.0, sent at m.erl:8 [sent:0.2.0/1], \
        until after 0.1.0 main/0 at m.erl:6 [timeout:0.1.0/1]";
    let text = says(&["why", &trace]);
    assert!(text.contains(&format!("Stall: {right}.")), "{text}");
    let text = says(&["info", &trace]);
    assert!(text.contains(&format!("stall {right} trace")), "{text}");
    let text = says(&["summary", &trace]);
    assert!(
        text.contains("**Stall:** this run happens only if something stalls for 500 ms: done from 0.2.0 work/1"),
        "{text}"
    );
    for command in ["why", "info"] {
        let view: serde_json::Value = serde_json::from_str(&replay(&[command, "--json", &trace]).1).unwrap();
        let stall = &view["stall"];
        assert_eq!(
            (&stall["ms"], &stall["at_least"], &stall["free_delivery"]),
            (&500.into(), &false.into(), &false.into())
        );
        assert_eq!(
            (&stall["held"]["what"], &stall["held"]["act"]["target"]),
            (&"signal".into(), &"sent:0.2.0/1".into())
        );
        assert_eq!(stall["held"]["after"]["target"], "timeout:0.1.0/1");
    }
    let (_, text) = replay(&["summary", "--json", &trace]);
    let parts: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(parts[0]["story"]["stall"]["ms"], 500);
}

#[test]
fn a_failure_that_needs_no_stall_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let trace = failing(folder.path(), "main() -> error(wrong).\n", 0);
    assert!(says(&["why", &trace]).contains("Stall: none is needed."));
    assert!(says(&["info", &trace]).contains("stall none is needed"));
}

#[test]
fn a_message_that_overtakes_its_cause_is_said_to_need_free_delivery() {
    let folder = tempfile::tempdir().unwrap();
    let body = "main() -> C = self(),
    B = spawn(fun() -> receive go -> C ! second end end),
    spawn(fun() -> C ! first, B ! go end),
    receive X -> first = X end.
";
    let trace = failing(folder.path(), body, 0);
    let right = "needs free delivery: second from 0.2.0 a fun in main/0 to 0.1.0, sent at m.erl:4 [sent:0.2.0/1] overtakes first from \
        0.3.0 a fun in main/0 to 0.1.0, sent at m.erl:5 [sent:0.3.0/1], which was sent before it, causally, to the same process of one node";
    let text = says(&["why", &trace]);
    assert!(
        text.contains(&format!("Stall: none is needed. Delivery: {right}.")),
        "{text}"
    );
    assert!(says(&["info", &trace]).contains(&format!("delivery {right}")));
}

#[test]
fn what_is_not_known_is_said_not_to_be() {
    let folder = tempfile::tempdir().unwrap();
    // A long run: `info` is quick, and --all measures.
    let body = "main() -> loop(11_000), error(wrong).
loop(0) -> ok;
loop(N) -> self() ! N, receive N -> loop(N - 1) end.
";
    let trace = failing(folder.path(), body, 0);
    let text = says(&["info", &trace]);
    assert!(text.contains("stall not known: of a run of 22,"), "{text}");
    assert!(says(&["info", "--all", &trace]).contains("stall none is needed"));
    // A slice holds only causes, and a stall is about what did not happen.
    let trace = failing(folder.path(), WATCHDOG, 2_000);
    let slice = folder.path().join("slice.bin").display().to_string();
    says(&["slice", "error", "-o", &slice, &trace]);
    let text = says(&["why", &slice]);
    assert!(text.contains("Stall: not known: the trace is a slice"), "{text}");
}

#[test]
fn what_is_no_failure_has_no_stall() {
    let folder = tempfile::tempdir().unwrap();
    let trace = failing(folder.path(), WATCHDOG, 2_000);
    assert!(!says(&["why", "sent:0.2.0/1", &trace]).contains("Stall:"));
    assert!(says(&["why", "exit:0.1.0", &trace]).contains("Stall: this run happens only if"));
}

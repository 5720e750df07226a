//! Bad input and bad luck: every case ends with a clear error and the documented exit code, without a panic and without data loss.

use std::process::Stdio;

use tests::{BinaryRun, Folder, fixture};

/// The documented exit codes.
const USAGE: i32 = 2;
const PROGRAM: i32 = 64;
const BAD_TRACE: i32 = 65;
const NO_INPUT: i32 = 66;
const NO_TARGET: i32 = 67;
const NO_OUTPUT: i32 = 73;

/// The header's wall-clock value, which no checksum covers (`log-format/FORMAT.md`).
const CLOCK: std::ops::Range<usize> = 16..24;

/// A folder with a good trace of the stock fixture in `trace.bin`.
fn recorded() -> Folder {
    let folder = Folder::new("bad-input");
    folder.record("stock", 1).expect(0);
    folder
}

#[test]
fn source_that_cannot_be_read() {
    let folder = Folder::new("source");
    folder
        .tracer(["run", "nowhere.erl"])
        .expect(NO_INPUT)
        .says(&["nowhere.erl"]);
    std::fs::create_dir(folder.path().join("folder.erl")).expect("a folder");
    folder
        .tracer(["run", "folder.erl"])
        .expect(NO_INPUT)
        .says(&["folder.erl", "directory"]);
    assert!(
        !folder.path().join("trace.bin").exists(),
        "nothing was run, so nothing is recorded"
    );
}

#[test]
fn source_that_does_not_compile() {
    let folder = Folder::new("compile");
    let cases: [(&str, &[u8]); 12] = [
        ("empty.erl", b""),
        ("blank.erl", b"\n\n  \n"),
        ("nonsense.erl", b"this is not erlang"),
        ("binary.erl", &[0, 159, 146, 150, 255, 254, 0, 1]),
        (
            "open_string.erl",
            b"-module(open_string).\n-export([main/0]).\nmain() -> \"abc\n",
        ),
        (
            "open_paren.erl",
            b"-module(open_paren).\n-export([main/0]).\nmain() -> foo(1, 2.",
        ),
        (
            "unbound.erl",
            b"-module(unbound).\n-export([main/0]).\nmain() -> X + 1.\n",
        ),
        (
            "undefined.erl",
            b"-module(undefined).\n-export([main/0]).\nmain() -> nothing_here(1).\n",
        ),
        (
            "twice.erl",
            b"-module(twice).\n-export([main/0]).\nmain() -> 1.\nmain() -> 2.\n",
        ),
        (
            "no_macro.erl",
            b"-module(no_macro).\n-export([main/0]).\nmain() -> ?NOT_DEFINED.\n",
        ),
        (
            "no_include.erl",
            b"-module(no_include).\n-include(\"no_such.hrl\").\n-export([main/0]).\nmain() -> ok.\n",
        ),
        (
            "head.erl",
            b"-module(head).\n-export([main/0]).\nmain() -> ok;\nother(1) -> no.\n",
        ),
    ];
    for (name, text) in cases {
        folder.write(name, text);
        let outcome = folder.tracer(["run", name]).expect(PROGRAM).says(&[name]);
        assert!(outcome.stdout.is_empty(), "{name} ran: {}", outcome.out());
        assert!(!folder.path().join("trace.bin").exists(), "{name} left a trace");
    }
    // An error names the line and quotes it.
    folder
        .tracer(["run", "unbound.erl"])
        .expect(PROGRAM)
        .says(&["unbound.erl:3:11", "main() -> X + 1.", "^"]);
}

#[test]
fn entry_that_does_not_exist() {
    let folder = Folder::new("entry");
    folder.write(
        "noentry.erl",
        "-module(noentry).\n-export([start/0]).\nstart() -> ok.\n",
    );
    folder
        .tracer(["run", "noentry.erl"])
        .expect(PROGRAM)
        .says(&["noentry:main"]);
    folder
        .tracer(["run", "--entry", "noentry:start", "noentry.erl"])
        .expect(0);
    folder
        .tracer(["run", "--entry", "noentry:stop", "noentry.erl"])
        .expect(PROGRAM)
        .says(&["noentry:stop"]);
    folder
        .tracer(["run", "--entry", "nonsense", "noentry.erl"])
        .expect(USAGE)
        .says(&["MOD:FUN"]);
}

#[test]
fn wrong_command_lines() {
    let folder = Folder::new("usage");
    for args in [
        &[][..],
        &["run"],
        &["walk", "x.erl"],
        &["run", "--seed", "x", "a.erl"],
        &["run", "--schedule", "fair", "a.erl"],
        &["run", "--no-such-option", "a.erl"],
    ] {
        folder.tracer(args).expect(USAGE);
    }
    for args in [
        &[][..],
        &["--until"],
        &["info"],
        &["--until", "rec:4"],
        &["info", "a", "b"],
        &["--format", "yaml", "info", "x"],
    ] {
        folder.replay(args).expect(USAGE);
    }
    for name in ["tracer", "replay"] {
        let run = |args: &[&str]| BinaryRun::new(name, folder.path(), args).run().expect(0);
        assert!(run(&["--help"]).out().contains("Usage"));
        let version = run(&["--version"]).out();
        assert!(
            version.contains(env!("CARGO_PKG_VERSION")) && version.contains("(traces of format 1."),
            "{version}"
        );
    }
}

#[test]
fn trace_that_is_none() {
    let folder = Folder::new("no-trace");
    let verbs = [&["info"][..], &["log"], &["--until", "rec:1"], &["verify"]];
    let with = |verb: &[&str], file: &str| folder.replay(verb.iter().copied().chain([file]));
    folder.write("empty.bin", "");
    folder.write("text.bin", "just some words\n".repeat(50));
    folder.write("short.bin", [0u8; 7]);
    std::fs::create_dir(folder.path().join("folder")).expect("a folder");
    for verb in verbs {
        with(verb, "nowhere.bin").expect(NO_INPUT).says(&["nowhere.bin"]);
        with(verb, "folder").expect(NO_INPUT).says(&["folder"]);
        with(verb, "empty.bin").expect(BAD_TRACE).says(&["empty.bin"]);
        with(verb, "text.bin").expect(BAD_TRACE).says(&["text.bin"]);
        with(verb, "short.bin").expect(BAD_TRACE).says(&["short.bin"]);
    }
}

#[test]
fn trace_of_another_version() {
    let folder = recorded();
    let path = folder.path().join("trace.bin");
    let good = std::fs::read(&path).expect("a trace");
    // The major version follows eight bytes of magic.
    let mut bytes = good;
    bytes[8] = 77;
    folder.write("other.bin", &bytes);
    for verb in [&["info"][..], &["log"], &["--until", "rec:4"], &["verify"]] {
        folder
            .replay(verb.iter().copied().chain(["other.bin"]))
            .expect(BAD_TRACE)
            .says(&["version", "77"]);
    }
}

/// A trace cut at any byte gives an error or a shorter replay, never a panic or a wrong answer presented as complete.
#[test]
fn trace_cut_anywhere() {
    let folder = recorded();
    let good = std::fs::read(folder.path().join("trace.bin")).expect("a trace");
    let step = (good.len() / 150).max(1);
    for length in (0..good.len()).step_by(step) {
        folder.write("cut.bin", &good[..length]);
        for verb in [&["info"][..], &["--until", "rec:4"]] {
            let outcome = folder.replay(verb.iter().copied().chain(["cut.bin"])).no_panic();
            assert!(
                [0, BAD_TRACE, NO_TARGET].contains(&outcome.code),
                "cut at {length}, {verb:?}: exit code {}\n{}",
                outcome.code,
                outcome.stderr
            );
            if outcome.code == 0 && verb == ["info"] {
                let text = outcome.out() + &outcome.stderr;
                // If only the index is cut off nothing is lost, and the tool says so.
                let said = ["incomplete", "cut off before anything was recorded", "without an index"]
                    .iter()
                    .any(|words| text.contains(words));
                assert!(said, "cut at {length} of {} and taken for whole:\n{text}", good.len());
            }
        }
    }
}

/// A trace with any bit flipped gives an error or the right answer.
#[test]
fn trace_flipped_anywhere() {
    let folder = recorded();
    let good = std::fs::read(folder.path().join("trace.bin")).expect("a trace");
    let right = folder.replay(["--until", "rec:4", "trace.bin"]).expect(0);
    let steady = |text: String| text.lines().skip(1).map(str::to_owned).collect::<Vec<_>>();
    let step = (good.len() / 150).max(1);
    for at in (0..good.len()).step_by(step) {
        let mut bytes = good.clone();
        bytes[at] ^= 1 << (at % 8);
        folder.write("trace-flipped.bin", &bytes);
        let outcome = folder.replay(["--until", "rec:4", "trace-flipped.bin"]).no_panic();
        assert!(
            [0, BAD_TRACE].contains(&outcome.code),
            "flipped at {at}: exit code {}\n{}",
            outcome.code,
            outcome.stderr
        );
        if outcome.code == 0 {
            // The first line holds the time taken.
            assert_eq!(
                steady(outcome.out().replace("trace-flipped.bin", "trace.bin")),
                steady(right.out()),
                "flipped at {at}"
            );
        }
        let checked = folder.replay(["verify", "trace-flipped.bin"]).no_panic();
        let clock = CLOCK.contains(&at);
        // A length that now ends behind the file looks like a file that was cut in its index, which is reported (docs/limitations.md).
        let cut = checked.code == 0 && format!("{}{}", checked.out(), checked.stderr).contains("the index was cut off");
        assert!(
            checked.code == BAD_TRACE || clock || cut,
            "verify overlooks a flip at {at}: exit code {}",
            checked.code
        );
        assert!(!cut || at > good.len() / 2, "a flip at {at} is no cut");
    }
}

#[test]
fn target_that_does_not_exist() {
    let folder = recorded();
    for target in [
        "rec:999",
        "send:999",
        "event:0.1.0/999",
        "event:0.99.0/1",
        "end:0.99.0",
        "exit:nobody",
        "error",
        "sent:0.1.0/999",
        "halt",
        "timeout:0.1.0/1",
    ] {
        let outcome = folder.replay(["--until", target, "trace.bin"]).expect(NO_TARGET);
        assert!(
            outcome.stderr.contains("replay "),
            "{target}: no hint how to list what there is:\n{}",
            outcome.stderr
        );
    }
    for target in [
        "",
        "rec",
        "rec:",
        "rec:x",
        "walk:3",
        "event:0.1.0/",
        "sent:0.1.0",
        "rec:-1",
        "rec:0",
        "rec:99999999999999999999999",
    ] {
        folder.replay(["--until", target, "trace.bin"]).expect(USAGE);
    }
}

#[test]
fn trace_that_cannot_be_written() {
    let folder = Folder::new("output");
    let stock = fixture("stock");
    let record = |output: &str| {
        let file = stock.to_string_lossy().into_owned();
        folder.tracer(["run", "--seed", "1", "-o", output, &file])
    };
    record("no/such/folder/trace.bin")
        .expect(NO_OUTPUT)
        .says(&["no/such/folder"]);
    std::fs::create_dir(folder.path().join("folder")).expect("a folder");
    record("folder").expect(NO_OUTPUT).says(&["folder"]);
    folder.write("precious.txt", "my notes");
    record("precious.txt").expect(NO_OUTPUT).says(&["precious.txt"]);
    assert_eq!(
        std::fs::read_to_string(folder.path().join("precious.txt")).expect("still there"),
        "my notes"
    );
    record("trace.bin").expect(0);
    record("trace.bin").expect(0);
}

#[cfg(target_os = "linux")]
#[test]
fn full_disk() {
    let folder = Folder::new("full");
    let stock = fixture("stock").to_string_lossy().into_owned();
    folder
        .tracer(["run", "--seed", "1", "-o", "/dev/full", &stock])
        .expect(NO_OUTPUT)
        .says(&["/dev/full"]);
    folder.record("stock", 1).expect(0);
    let full = || {
        Stdio::from(
            std::fs::OpenOptions::new()
                .write(true)
                .open("/dev/full")
                .expect("/dev/full"),
        )
    };
    let outcome = BinaryRun::new("replay", folder.path(), ["log", "trace.bin"])
        .stdout_to(full())
        .finish();
    outcome.expect(NO_OUTPUT);
    // A program whose output cannot be written also ends, and its trace is complete.
    let outcome = BinaryRun::new("tracer", folder.path(), ["run", "--seed", "1", &stock])
        .stdout_to(full())
        .finish()
        .no_panic();
    assert!([0, 1, NO_OUTPUT].contains(&outcome.code), "exit code {}", outcome.code);
    folder.replay(["verify", "trace.bin"]).expect(0);
}

/// A disk that fills up during a run: the program runs to its end, and the trace contains what was written.
#[cfg(target_os = "linux")]
#[test]
fn disk_that_fills_up() {
    let folder = Folder::new("fills-up");
    folder.write(
        "counting.erl",
        "-module(counting).\n-export([main/0]).\nmain() -> count(1000000).\n\
         count(0) -> io:format(\"done~n\");\ncount(N) -> self() ! N, receive N -> count(N - 1) end.\n",
    );
    // A limit on the size of files, in KiB, acts as a full disk when its signal is ignored.
    // The program's own result stands, unless the trace is required.
    for (option, code) in [
        ("", 0),
        ("--require-trace", NO_OUTPUT),
        ("--require-trace --quiet", NO_OUTPUT),
    ] {
        let script = format!(
            "ulimit -f 256; trap '' XFSZ; exec {} run --seed 1 {option} counting.erl",
            tests::binary("tracer").display()
        );
        let output = std::process::Command::new("bash")
            .args(["-c", &script])
            .current_dir(folder.path())
            .output()
            .expect("bash runs");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(String::from_utf8_lossy(&output.stdout), "done\n", "{stderr}");
        assert_eq!(output.status.code(), Some(code), "{option}: {stderr}");
        let last = stderr.lines().last().expect("it says something");
        assert!(
            last.contains("trace.bin is incomplete: it holds ") && last.contains(" of 2000002 actions"),
            "{option}: {stderr}"
        );
        // What was written completely is usable.
        let info = folder.replay(["info", "trace.bin"]).expect(0);
        assert!((info.out() + &info.stderr).contains("incomplete"));
        folder.replay(["--until", "rec:1000", "trace.bin"]).expect(0);
        folder.replay(["verify", "trace.bin"]).expect(0);
    }
}

/// A trace that is removed, moved or replaced while the program runs is lost, which is reported at the end.
#[cfg(unix)]
#[test]
fn trace_that_goes_away() {
    let folder = Folder::new("goes-away");
    let program = |what: &str| {
        let text = format!("-module(away).\n-export([main/0]).\nmain() -> {what}, io:format(\"done~n\").\n");
        folder.write("away.erl", text);
    };
    let gone = [
        "ok = file:delete(\"trace.bin\")",
        "ok = file:rename(\"trace.bin\", \"other.bin\")",
        "ok = file:delete(\"trace.bin\"), ok = file:write_file(\"trace.bin\", <<\"mine\">>)",
    ];
    for what in gone {
        program(what);
        for (option, code) in [("--quiet", 0), ("--require-trace", NO_OUTPUT)] {
            let _old = std::fs::remove_file(folder.path().join("trace.bin"));
            let outcome = folder.tracer(["run", option, "away.erl"]).expect(code);
            assert_eq!(outcome.out(), "done\n");
            let last = outcome.stderr.lines().last().unwrap_or_default();
            assert!(last.contains("trace.bin is lost"), "{what}: {}", outcome.stderr);
        }
    }
    let _mine = std::fs::remove_file(folder.path().join("trace.bin"));
    // In another directory the trace still exists; so does one behind a link, and a pipe never was a file.
    std::fs::create_dir(folder.path().join("sub")).expect("a folder");
    program("ok = file:set_cwd(\"sub\")");
    folder.tracer(["run", "--require-trace", "away.erl"]).expect(0);
    std::os::unix::fs::symlink("target.bin", folder.path().join("link.bin")).expect("a link");
    folder
        .tracer(["run", "--require-trace", "-o", "link.bin", "away.erl"])
        .expect(0);
    folder.replay(["verify", "target.bin"]).expect(0);
    folder
        .tracer(["run", "--require-trace", "-o", "/dev/null", "away.erl"])
        .expect(0);
}

/// A signal while a file is created leaves nothing behind, and the existing file at its place stays.
#[cfg(target_os = "linux")]
#[test]
fn interrupted_files_leave_nothing() {
    let folder = Folder::new("interrupted-files");
    folder.write(
        "counting.erl",
        "-module(counting).\n-export([main/0]).\nmain() -> count(1000000).\n\
         count(0) -> ok;\ncount(N) -> self() ! N, receive N -> count(N - 1) end.\n",
    );
    folder
        .tracer(["run", "--quiet", "--seed", "1", "counting.erl"])
        .expect(0);
    let files = || {
        let all = std::fs::read_dir(folder.path()).expect("a folder");
        let names = all.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned());
        let mut names: Vec<String> = names.collect();
        names.sort_unstable();
        names
    };
    let temporary = || files().iter().any(|name| name.ends_with(".tmp"));
    let before = files();
    let mut hit = 0;
    for args in [
        &["export", "-o", "o.json", "trace.bin"][..],
        &["slice", "rec:900000", "-o", "s.trace", "trace.bin"],
        &["scrub", "--part", "command", "-o", "c.trace", "trace.bin"],
    ] {
        for (name, code) in [("INT", 130), ("TERM", 143)] {
            let mut run = BinaryRun::new("replay", folder.path(), args).stdout_to(Stdio::null());
            let mut child = run.start();
            let ended = |child: &mut std::process::Child| child.try_wait().expect("a child can be asked").is_some();
            while !temporary() && !ended(&mut child) {
                std::thread::yield_now();
            }
            if !ended(&mut child) {
                signal(&child, name);
            }
            let outcome = tests::wait(child).no_panic();
            // A fast machine may finish first.
            if outcome.code == code {
                hit += 1;
                assert_eq!(files(), before, "{args:?}, SIG{name}");
            } else {
                outcome.expect(0);
                std::fs::remove_file(folder.path().join(args[args.len() - 2])).expect("it was made");
            }
        }
    }
    assert!(hit > 0, "no command was interrupted while it wrote");
}

#[cfg(unix)]
#[test]
fn closed_pipe_ends_quietly() {
    let folder = recorded();
    let mut run = BinaryRun::new("replay", folder.path(), ["log", "trace.bin"]).stdout_to(Stdio::piped());
    let mut child = run.start();
    drop(child.stdout.take());
    let outcome = tests::wait(child).no_panic();
    assert!(outcome.stderr.is_empty(), "{}", outcome.stderr);
    assert_eq!(outcome.code, 0);
}

#[cfg(unix)]
fn signal(child: &std::process::Child, name: &str) {
    let status = std::process::Command::new("kill")
        .args(["-s", name, &child.id().to_string()])
        .status()
        .expect("kill runs");
    assert!(status.success());
}

/// Waits until a trace that is being written has this many receives.
#[cfg(unix)]
fn until_recorded(folder: &Folder, receives: u64) {
    let path = folder.path().join("trace.bin");
    steady::until("for what is to be in the trace", || {
        let trace = log_format::Trace::open(&path).ok()?;
        (trace.totals().counts.receives >= receives).then_some(())
    });
}

#[cfg(unix)]
#[test]
fn interrupt_leaves_a_whole_trace() {
    use std::io::{BufRead, BufReader};
    let folder = Folder::new("interrupt");
    folder.write(
        "endless.erl",
        "-module(endless).\n-export([main/0]).\nmain() -> io:format(\"started~n\"), Me = self(), spawn(fun() -> ping(Me, 0) end), loop(0).\n\
         ping(P, N) -> P ! N, receive after 1 -> ping(P, N + 1) end.\nloop(N) -> receive K -> loop(N + K) end.\n",
    );
    for (name, code) in [("INT", 130), ("TERM", 143)] {
        let mut run = BinaryRun::new("tracer", folder.path(), ["run", "endless.erl"]).stdout_to(Stdio::piped());
        let mut child = run.start();
        let mut reader = BufReader::new(child.stdout.take().expect("stdout is piped"));
        let mut line = String::new();
        reader.read_line(&mut line).expect("a line");
        assert_eq!(line, "started\n");
        until_recorded(&folder, 2);
        signal(&child, name);
        tests::wait(child).expect(code);
        let info = folder.replay(["info", "trace.bin"]).expect(0).out();
        assert!(info.contains("interrupted"), "{info}");
        folder.replay(["verify", "trace.bin"]).expect(0);
        folder.replay(["--until", "rec:2", "trace.bin"]).expect(0);
    }
}

/// A killed recorder leaves a readable file, which is reported as incomplete.
#[cfg(unix)]
#[test]
fn kill_leaves_a_readable_trace() {
    use std::io::{BufRead, BufReader};
    let folder = Folder::new("kill");
    folder.write(
        "busy.erl",
        "-module(busy).\n-export([main/0]).\nmain() -> io:format(\"started~n\"), Me = self(), Me ! 0, loop().\nloop() -> receive K -> self() ! K + 1, loop() end.\n",
    );
    let mut run = BinaryRun::new("tracer", folder.path(), ["run", "busy.erl"]).stdout_to(Stdio::piped());
    let mut child = run.start();
    let mut reader = BufReader::new(child.stdout.take().expect("stdout is piped"));
    let mut line = String::new();
    reader.read_line(&mut line).expect("a line");
    until_recorded(&folder, 2);
    signal(&child, "KILL");
    tests::wait(child).expect(128 + 9);
    let info = folder.replay(["info", "trace.bin"]).expect(0);
    assert!((info.out() + &info.stderr).contains("incomplete"), "{}", info.out());
    folder.replay(["--until", "rec:2", "trace.bin"]).expect(0);
}

#[test]
fn limit_is_reached() {
    let folder = Folder::new("limit");
    folder.write(
        "endless.erl",
        "-module(endless).\n-export([main/0]).\nmain() -> receive after 10 -> main() end.\n",
    );
    folder
        .tracer(["run", "--seed", "1", "--max-time", "2s", "endless.erl"])
        .expect(81);
    folder.replay(["verify", "trace.bin"]).expect(0);
    folder.write("busy.erl", "-module(busy).\n-export([main/0]).\nmain() -> main().\n");
    folder.tracer(["run", "--max-time", "300ms", "busy.erl"]).expect(81);
}

/// Timers that no process waits for: time-outs of receives that got their message or were killed, timers for dead processes.
#[test]
fn a_run_does_not_wait_for_timers_that_nobody_waits_for() {
    let folder = Folder::new("linger");
    folder.write(
        "linger.erl",
        "-module(linger).\n-export([main/0]).\nmain() ->\n    S = self(),\n    P = spawn(fun() -> timer:sleep(600000) end),\n    \
         erlang:send_after(600000, P, x),\n    erlang:send_after(600000, S, x),\n    spawn(fun() -> timer:sleep(20), exit(P, kill), S ! go end),\n    \
         receive go -> ok after 600000 -> no end.\n",
    );
    folder.tracer(["run", "--max-time", "500s", "linger.erl"]).expect(0);
    folder.replay(["verify", "trace.bin"]).expect(0);
}

#[test]
fn memory_of_tables_is_limited() {
    let folder = Folder::new("table-memory");
    folder.write(
        "grows.erl",
        "-module(grows).\n-export([main/0]).\nmain() -> f(ets:new(t, []), 0).\nf(T, N) -> ets:insert(T, {N, lists:seq(1, 1000)}), f(T, N + 1).\n",
    );
    folder
        .tracer(["run", "--max-memory", "20", "--max-time", "600s", "grows.erl"])
        .expect(81)
        .says(&["memory (20 MB)"]);
    // A row takes 16 KB. A slice of thousands of insertions does not run to its end first.
    let log = folder.replay(["log", "trace.bin"]).expect(0).out();
    assert!(log.lines().count() < 1_400, "{} actions", log.lines().count());
    folder.replay(["verify", "trace.bin"]).expect(0);
}

#[test]
fn a_transform_that_is_not_there_is_named() {
    let folder = Folder::new("unsupported");
    folder.write(
        "transform.erl",
        "-module(transform).\n-compile({parse_transform, my_transform}).\n-export([main/0]).\nmain() -> ok.\n",
    );
    folder
        .tracer(["run", "transform.erl"])
        .expect(PROGRAM)
        .says(&["transform.erl:2", "my_transform"]);
}

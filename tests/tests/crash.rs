//! A recording that is cut short at any moment leaves a trace that opens, says how far it goes, and replays; and never changes the program's
//! behaviour.
//!
//! A deep run kills recorders more often, and cuts a trace at every byte instead of at a sample.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "helpers of tests, outside of test functions")]

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;
use std::time::{Duration, Instant};

use log_format::{Status, Trace};
use steady::{until, until_still, until_used, used_by};
use tests::generate::Draw;
use tests::{BinaryRun, CommandOutcome, Folder};

/// Eight workers and a server that run for ever; the server prints a line for every thousand messages received.
const BUSY: &str = "-module(busy).
-export([main/0]).
main() ->
    Me = self(),
    [spawn(fun() -> work(Me, N) end) || N <- lists:seq(1, 8)],
    io:format(\"started~n\"),
    serve(0).
serve(N) ->
    receive {From, K} -> From ! {ok, K} end,
    case N rem 1000 of 999 -> io:format(\"~w~n\", [N + 1]); _ -> ok end,
    serve(N + 1).
work(Server, K) ->
    Server ! {self(), K},
    receive {ok, K} -> work(Server, K + 1) end.
";

fn signal(child: &std::process::Child, name: &str) {
    let status = std::process::Command::new("kill")
        .args(["-s", name, &child.id().to_string()])
        .status()
        .unwrap();
    assert!(status.success());
}

/// Waits until a trace that is being written has this many receives.
fn until_recorded(folder: &Folder, receives: u64) {
    let path = folder.path().join("trace.bin");
    until("for what is to be in the trace", || {
        let trace = Trace::open(&path).ok()?;
        (trace.totals().counts.receives >= receives).then_some(())
    });
}

/// The number of the last receive that `info` names in an incomplete trace.
fn last_receive(folder: &Folder) -> u64 {
    let info = folder.replay(["info", "trace.bin"]).expect(0).out();
    assert!(info.contains("incomplete, last rec:"), "{info}");
    let rest = info.split("last rec:").nth(1).unwrap();
    let digits: String = rest.chars().take_while(|c| c.is_ascii_digit()).collect();
    digits.parse().unwrap()
}

/// The time of the processor that a running child has used.
fn work_of(child: &std::process::Child) -> Duration {
    used_by(child.id()).unwrap_or_default()
}

/// Killed at random moments: the trace opens, replays up to its last receive, and lacks at most one flush interval.
///
/// The moments, and the interval, are counted in the recorder's own time of the processor: how busy the machine is changes nothing.
#[test]
#[cfg(target_os = "linux")]
fn killed_at_random_moments() {
    let folder = Folder::new("killed");
    folder.write("busy.erl", BUSY);
    let mut random = Draw::new(7);
    for round in 0..seeds::many(3, 300) {
        let _fresh = std::fs::remove_file(folder.path().join("trace.bin"));
        let mut run = BinaryRun::new("tracer", folder.path(), ["run", "busy.erl"]).stdout_to(Stdio::piped());
        let mut child = run.start();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let pid = child.id();
        let reader = std::thread::spawn(move || {
            lines
                .map_while(Result::ok)
                .map(|line| (used_by(pid).unwrap_or(Duration::MAX), line))
                .collect::<Vec<_>>()
        });
        until_used(pid, Duration::from_millis(random.below(700)));
        // The system counts in steps of ten milliseconds; any moment between two of them.
        std::thread::sleep(Duration::from_micros(random.below(10_000)));
        let killed = work_of(&child);
        signal(&child, "KILL");
        // A child can be asked what it has used until it is waited for.
        let lines = reader.join().unwrap();
        tests::wait(child).expect(128 + 9);
        let path = folder.path().join("trace.bin");
        if std::fs::metadata(&path).map_or(0, |meta| meta.len()) < 32 {
            assert!(
                lines.is_empty(),
                "round {round}: the program ran before its trace was begun"
            );
            continue;
        }
        // The header and the program are written together; a kill in between leaves a file that is not a trace yet.
        let trace = match Trace::open(&path) {
            Err(error) if lines.is_empty() && error.is_bad_trace() => continue,
            opened => opened.unwrap(),
        };
        // The program may not have received anything yet.
        let last = trace.totals().counts.receives;
        if last > 0 {
            assert_eq!(last_receive(&folder), last);
        }
        // A line stands for a thousand receives of the server, and the workers receive as many. A flush is due every 100 ms.
        let old = lines
            .iter()
            .filter(|(at, _)| killed.saturating_sub(*at) > Duration::from_millis(400))
            .filter_map(|(_, line)| line.parse::<u64>().ok())
            .max();
        assert!(
            old.is_none_or(|old| last >= old),
            "round {round}: {old:?} received and {last} recorded"
        );
        if last > 0 {
            folder
                .replay(["--until", &format!("rec:{last}"), "trace.bin"])
                .expect(0);
        }
        if round % 3 == 0 {
            folder.replay(["verify", "trace.bin"]).expect(0).no_panic();
        }
    }
}

/// A trace of 50 to 200 KB with many cuts, cut at every byte: the remaining trace contains exactly its complete cuts.
#[test]
fn cut_at_every_byte() {
    let folder = Folder::new("every-byte");
    folder.write("busy.erl", BUSY);
    folder
        .tracer([
            "run",
            "--seed",
            "3",
            "--max-trace-bytes",
            "120K",
            "--max-time",
            "20ms",
            "--quiet",
            "busy.erl",
        ])
        .expect(81);
    let good = std::fs::read(folder.path().join("trace.bin")).unwrap();
    assert!((50_000..200_000).contains(&good.len()), "{} bytes", good.len());
    let whole = Trace::from_bytes(good.clone()).unwrap();
    assert!(whole.totals().cuts > 5, "{} cuts", whole.totals().cuts);
    let step = if seeds::deep() { 1 } else { good.len() / 400 };
    let (mut before, mut kept) = (0, Vec::new());
    for length in (0..good.len()).step_by(step) {
        let trace = match Trace::from_bytes(&good[..length]) {
            Ok(trace) => trace,
            Err(error) => {
                assert!(error.is_bad_trace() && before == 0, "cut at {length}: {error}");
                continue;
            }
        };
        let end = match trace.status() {
            Status::Complete => panic!("cut at {length} and taken for whole"),
            Status::Incomplete { end, lost, .. } => {
                assert_eq!(end + lost, length as u64);
                *end
            }
            Status::IndexRebuilt { end, .. } => *end,
        };
        let totals = trace.totals();
        assert!(
            totals.counts.actions >= before,
            "cut at {length}: fewer actions than with less"
        );
        if totals.counts.actions > before {
            trace.verify_sections().unwrap();
            kept.push((length, end, totals.counts.receives));
        }
        before = totals.counts.actions;
    }
    assert_eq!(
        before,
        whole.totals().counts.actions,
        "the last cuts only lack the index"
    );
    assert!(
        kept.len() as u64 >= whole.totals().cuts / 2,
        "{} of {} cuts",
        kept.len(),
        whole.totals().cuts
    );
    for (length, end, receives) in kept {
        folder.write("cut.bin", &good[..length]);
        if receives > 0 {
            let target = format!("rec:{receives}");
            folder.replay(["--until", &target, "cut.bin"]).expect(0);
        }
        assert!(end <= length as u64);
    }
}

const READS: &str = "-module(reads).\n-export([main/0]).\nmain() -> io:format(\"started~n\"), io:get_line(\"\").\n";
const SLEEPS: &str =
    "-module(sleeps).\n-export([main/0]).\nmain() -> io:format(\"started~n\"), timer:sleep(1000000).\n";
/// One native call that takes seconds, after some messages and a crash.
const SORTS: &str = "-module(sorts).\n-export([main/0]).\n\
    main() ->\n    Me = self(),\n    P = spawn(fun() -> echo() end),\n    spawn(fun() -> exit(oops) end),\n\
    \x20   [begin P ! {Me, N}, receive N -> ok end end || N <- lists:seq(1, 1000)],\n\
    \x20   receive after 150 -> ok end,\n\
    \x20   L = [(N * 7919) rem 1000003 || N <- lists:seq(1, 400000)],\n\
    \x20   io:format(\"started~n\"),\n    io:format(\"no end of line\"),\n    lists:foreach(fun(_) -> L -- L, L -- lists:reverse(L) end, L).\n\
    echo() -> receive {From, N} -> From ! N, echo() end.\n";
/// Prints more than the test reads.
const PRINTS: &str = "-module(prints).\n-export([main/0]).\n\
    main() -> io:format(\"started~n\"), more(lists:duplicate(1000, $x)).\nmore(L) -> io:format(\"~s~n\", [L]), more(L).\n";

/// A hundred thousand live processes, each with its own heap.
const CROWD: &str = "-module(crowd).\n-export([main/0]).\n\
    main() -> S = self(), Ps = [spawn(fun() -> serve(S) end) || _ <- lists:seq(1, 100000)], io:format(\"started~n\"), go(list_to_tuple(Ps), 1).\n\
    serve(S) -> receive X -> S ! X, serve(S) end.\n\
    go(T, I) -> element(1 + (I * 7919) rem 100000, T) ! x, receive x -> ok end, go(T, I + 1).\n";

/// What a program does after it has printed `started`.
#[derive(Clone, Copy, PartialEq)]
enum Doing {
    /// It works.
    Works,
    /// It stands still.
    Waits,
    /// It prints what nobody reads, and so stands still.
    Prints,
}

/// Terminates a run by a signal: how long the processor worked on that, and what the run had printed (if somebody reads that, everything;
/// otherwise one line).
fn ended_by(folder: &Folder, file: &str, name: &str, code: i32, doing: Doing) -> (Duration, String) {
    let mut command = std::process::Command::new(tests::binary("tracer"));
    let mut child = command
        .args(["run", file])
        .current_dir(folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Kept open: the program waits for input that never comes.
    let input = child.stdin.take();
    let mut lines = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    lines.read_line(&mut line).unwrap();
    assert_eq!(line, "started\n");
    let (drain, unread) = if doing == Doing::Prints {
        (None, Some(lines))
    } else {
        let drain = std::thread::spawn(move || {
            let mut rest = Vec::new();
            std::io::Read::read_to_end(&mut lines, &mut rest).unwrap();
            String::from_utf8_lossy(&rest).into_owned()
        });
        (Some(drain), None)
    };
    match doing {
        Doing::Works => until_used(child.id(), Duration::from_millis(100)),
        Doing::Waits | Doing::Prints => until_still(child.id()),
    }
    let before = work_of(&child);
    signal(&child, name);
    let outcome = tests::wait(child);
    let took = outcome.work.saturating_sub(before);
    outcome.expect(code);
    drop((input, unread));
    (took, drain.map_or(line, |drain| drain.join().unwrap()))
}

/// Whatever a run does, a signal ends it within 100 ms and its trace is finished: while it computes, waits for input, sleeps, is in one step
/// that takes seconds, or writes what nobody reads. These are milliseconds of the processor.
#[test]
#[cfg(target_os = "linux")]
fn terminated_whatever_it_does() {
    let folder = Folder::new("terminated");
    for (file, text) in [
        ("busy.erl", BUSY),
        ("reads.erl", READS),
        ("sleeps.erl", SLEEPS),
        ("sorts.erl", SORTS),
        ("prints.erl", PRINTS),
        ("crowd.erl", CROWD),
    ] {
        folder.write(file, text);
    }
    for (file, name, code, doing) in [
        ("busy.erl", "TERM", 143, Doing::Works),
        ("reads.erl", "TERM", 143, Doing::Waits),
        ("sleeps.erl", "TERM", 143, Doing::Waits),
        ("reads.erl", "INT", 130, Doing::Waits),
        ("sorts.erl", "TERM", 143, Doing::Works),
        ("sorts.erl", "INT", 130, Doing::Works),
        ("prints.erl", "TERM", 143, Doing::Prints),
        ("crowd.erl", "TERM", 143, Doing::Works),
    ] {
        // A machine whose processors share their caches takes more of their time when it is busy: the least of several runs counts.
        let mut least = Duration::MAX;
        let mut printed = String::new();
        for _ in 0..8 {
            let (took, said) = ended_by(&folder, file, name, code, doing);
            least = least.min(took);
            printed = said;
            if least <= Duration::from_millis(100) {
                break;
            }
        }
        eprintln!("{file}: ended after {least:?} of work for SIG{name}");
        // The operating system also has to free the memory of the crowd; without an index its trace is as complete.
        let crowd = file == "crowd.erl";
        let budget = if crowd { 250 } else { 100 };
        assert!(least <= Duration::from_millis(budget), "{file}: {least:?}");
        let info = folder.replay(["info", "trace.bin"]).expect(0).out();
        assert!(info.contains("interrupted by"), "{file}: {info}");
        let trace = Trace::open(&folder.path().join("trace.bin")).unwrap();
        // The crowd's trace had no index: `info` has added it.
        assert_eq!(*trace.status(), Status::Complete, "{file}");
        if crowd {
            // Verifying a crowd takes minutes.
            folder.replay(["--until", "rec:1000", "trace.bin"]).expect(0);
        } else {
            folder.replay(["verify", "trace.bin"]).expect(0);
        }
        if file == "sorts.erl" {
            assert!(info.contains("during a step that takes long"), "{info}");
            assert!(info.contains("exit:0.3.0"), "the crash is told: {info}");
            assert_eq!(printed, "no end of line");
            let last = trace.totals().counts.receives;
            assert!(last >= 1000, "{last}");
            folder
                .replay(["--until", &format!("rec:{last}"), "trace.bin"])
                .expect(0);
        }
    }
}

/// Signals that are sent within this time are one request. The recorder's own limit is half a second.
const AT_ONCE: Duration = Duration::from_millis(400);

/// One request that arrives as two signals, as from `timeout -s INT 1 tracer run …`, which signals its child and then the group, counts as one:
/// the trace is finished. A second request later aborts.
#[test]
fn two_signals_at_once_are_one() {
    let folder = Folder::new("two-signals");
    folder.write("busy.erl", BUSY);
    folder.write("crowd.erl", CROWD.replace("100000", "20000"));
    let mut random = Draw::new(3);
    let mut round = 0;
    while round < 6 {
        let file = ["busy.erl", "crowd.erl"][round % 2];
        let mut run = BinaryRun::new("tracer", folder.path(), ["run", file]).stdout_to(Stdio::piped());
        let mut child = run.start();
        let mut lines = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        lines.read_line(&mut line).unwrap();
        let drain = std::thread::spawn(move || {
            let mut rest = Vec::new();
            std::io::Read::read_to_end(&mut lines, &mut rest).unwrap();
        });
        until_used(child.id(), Duration::from_millis(50));
        let (first, second, code) = [("INT", "INT", 130), ("TERM", "HUP", 143)][round / 2 % 2];
        let pause = Duration::from_micros(random.below(6_000));
        let both = format!(
            "kill -s {first} {pid}; sleep {pause}; kill -s {second} {pid}; true",
            pid = child.id(),
            pause = pause.as_secs_f64(),
        );
        let start = Instant::now();
        std::process::Command::new("sh")
            .args(["-c", &both])
            .stderr(Stdio::null())
            .status()
            .unwrap();
        let apart = start.elapsed();
        let outcome = tests::wait(child);
        drain.join().unwrap();
        // On a busy machine they may come so late that they are two requests: again.
        if apart >= AT_ONCE {
            continue;
        }
        round += 1;
        // The last one names the signal.
        assert!(
            [code, 129].contains(&outcome.code),
            "{}: {}",
            outcome.code,
            outcome.stderr
        );
        let trace = Trace::open(&folder.path().join("trace.bin")).unwrap();
        assert_eq!(
            *trace.status(),
            Status::Complete,
            "round {round}, {file}, {pause:?} apart"
        );
    }
}

/// The recorder blocks while finishing, because nobody reads the pipe that the trace goes to: a second signal later aborts.
#[test]
fn a_second_signal_later_aborts() {
    let folder = Folder::new("second-signal");
    folder.write(
        "reads.erl",
        "-module(reads).\n-export([main/0]).\nmain() -> {ok, _} = file:read_file(\"data\"), ok.\n",
    );
    let mut random = Draw::new(1);
    folder.write(
        "data",
        (0..300_000).map(|_| random.below(256) as u8).collect::<Vec<_>>(),
    );
    let pipe = folder.path().join("pipe");
    assert!(
        std::process::Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    let args = ["run", "--virtual-time", "--quiet", "-o", "pipe", "reads.erl"];
    loop {
        let mut child = BinaryRun::new("tracer", folder.path(), args)
            .stdout_to(Stdio::null())
            .start();
        // Not read any further: more data follows than a pipe holds.
        let mut reader = std::fs::File::open(&pipe).unwrap();
        std::io::Read::read_exact(&mut reader, &mut [0; 32]).unwrap();
        until_still(child.id());
        let start = Instant::now();
        for _ in 0..2 {
            assert!(child.try_wait().unwrap().is_none(), "it waits for room in the pipe");
            signal(&child, "INT");
            std::thread::sleep(Duration::from_millis(20));
        }
        // On a busy machine the second one may come so late that it counts: again.
        if start.elapsed() >= AT_ONCE {
            drop(reader);
            let _ended = child.kill();
            tests::wait(child);
            continue;
        }
        until_still(child.id());
        assert!(
            child.try_wait().unwrap().is_none(),
            "the second one came too early to count"
        );
        // Once the recorder's time for one request is over, each signal counts.
        until("for the end after another signal", || {
            signal(&child, "INT");
            std::thread::sleep(Duration::from_millis(100));
            child.try_wait().unwrap()
        });
        tests::wait(child).expect(130);
        return;
    }
}

const COUNTING: &str = "-module(counting).\n-export([main/0]).\nmain() -> count(200000), halt(7).\n\
    count(0) -> io:format(\"done~n\");\ncount(N) -> self() ! N, receive N -> count(N - 1) end.\n";

/// A trace that reaches its size limit ends at a consistent cut, and says so; the program runs on to its own end.
#[test]
fn recording_stops_at_a_limit() {
    let folder = Folder::new("limit");
    folder.write("counting.erl", COUNTING);
    let run = |limit: &str| -> CommandOutcome {
        folder.tracer(["run", "--seed", "1", "--max-trace-bytes", limit, "counting.erl"])
    };
    let whole = run("1G").expect(7);
    assert!(!whole.stderr.contains("recording stopped"), "{}", whole.stderr);
    for limit in [20_000, 50_000] {
        let outcome = run(&limit.to_string()).expect(7).says(&["recording stopped"]);
        assert_eq!(outcome.out(), "done\n");
        let length = std::fs::metadata(folder.path().join("trace.bin")).unwrap().len();
        assert!(length <= limit + 4096, "{length} bytes");
        let info = folder.replay(["info", "trace.bin"]).expect(0).out();
        assert!(
            info.contains("recording stopped early") && info.contains("halted with status 7"),
            "{info}"
        );
        let trace = Trace::open(&folder.path().join("trace.bin")).unwrap();
        assert_eq!(trace.status(), &Status::Complete);
        let last = trace.totals().counts.receives;
        assert!(last > 1000, "{last}");
        folder
            .replay(["--until", &format!("rec:{last}"), "trace.bin"])
            .expect(0);
        folder.replay(["verify", "trace.bin"]).expect(0);
    }
    // The trace does not contain how the run ended: there is no failure to explain.
    let failing = COUNTING.replace("halt(7)", "error(over)");
    assert_ne!(failing, COUNTING);
    folder.write("counting.erl", failing);
    run("20000").expect(1).says(&["next: replay info trace.bin"]);
    run("1G").expect(1).says(&["next: replay why trace.bin"]);
}

/// `--sync` changes only when the bytes reach the disk.
#[test]
fn synced_traces_are_the_same() {
    let folder = Folder::new("sync");
    folder.write("counting.erl", COUNTING);
    let record = |options: &[&str]| {
        let fixed = ["run", "--seed", "1", "--quiet", "counting.erl"];
        folder.tracer(fixed.iter().chain(options)).expect(7);
        Trace::open(&folder.path().join("trace.bin")).unwrap()
    };
    let plain = record(&[]).totals();
    assert_eq!(record(&["--sync"]).totals(), plain);
}

/// A module that is loaded late is in the trace of a killed recorder.
#[test]
fn modules_loaded_late_are_kept() {
    let folder = Folder::new("late");
    folder.write(
        "early.erl",
        "-module(early).\n-export([main/0]).\nmain() -> io:format(\"started~n\"), late:go(self()), wait().\n\
         wait() -> receive done -> self() ! done, wait() end.\n",
    );
    folder.write("late.erl", "-module(late).\n-export([go/1]).\ngo(To) -> To ! done.\n");
    let mut run = BinaryRun::new("tracer", folder.path(), ["run", "early.erl"]).stdout_to(Stdio::piped());
    let mut child = run.start();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap())
        .read_line(&mut line)
        .unwrap();
    until_recorded(&folder, 1);
    signal(&child, "KILL");
    tests::wait(child).expect(128 + 9);
    let last = last_receive(&folder);
    assert!(last > 0);
    folder
        .replay(["--until", &format!("rec:{last}"), "trace.bin"])
        .expect(0);
    let trace = Trace::open(&folder.path().join("trace.bin")).unwrap();
    let modules: Vec<String> = trace.program().unwrap().sources.into_iter().map(|s| s.module).collect();
    assert!(modules.iter().any(|module| module == "late"), "{modules:?}");
}

/// Wherever the end of a trace is cut off: if it has all its actions, it also has the modules of the library that performed them.
#[test]
fn the_library_comes_before_what_it_did() {
    let folder = Folder::new("library-first");
    folder.write(
        "served.erl",
        "-module(served).\n-export([main/0, init/1, handle_call/3, handle_cast/2]).\n\
         main() -> {ok, S} = gen_server:start_link(?MODULE, [], []), hello = gen_server:call(S, hello).\n\
         init(_) -> {ok, none}.\nhandle_call(Q, _, S) -> {reply, Q, S}.\nhandle_cast(_, S) -> {noreply, S}.\n",
    );
    BinaryRun::new("tracer", folder.path(), ["run", "served.erl"])
        .run()
        .expect(0);
    let whole = std::fs::read(folder.path().join("trace.bin")).unwrap();
    let actions = |bytes: &[u8]| {
        let trace = Trace::from_bytes(bytes.to_vec()).ok()?;
        let program = trace.program().unwrap();
        let named = |name: &str| program.sources.iter().any(|source| source.module == name);
        Some((
            trace.totals().counts.actions,
            named("gen_server") && named("proc_lib") && named("gen"),
        ))
    };
    let (all, has) = actions(&whole).unwrap();
    assert!(has && all > 10, "{all} actions");
    let mut cut = 0;
    for length in (32..whole.len()).rev() {
        match actions(&whole[..length]) {
            Some((n, has)) if n == all => assert!(has, "cut at {length} of {}", whole.len()),
            _ => break,
        }
        cut += 1;
    }
    assert!(cut > 0, "nothing lies behind the last cut");
}

/// Some messages, a printed line, and then a block of one kind.
const STILL: &str = "-module(still).
-export([main/1]).
main([How]) ->
    [begin self() ! N, receive N -> ok end end || N <- lists:seq(1, 20)],
    io:format(\"started~n\"),
    case How of
        \"command\" -> os:cmd(\"for i in $(seq 6000); do [ -e still.erl ] || exit; sleep 0.1; done\");
        \"line\" -> io:get_line(\"\");
        \"sleep\" -> timer:sleep(600000)
    end.
";

/// Starts `STILL`, waits until it blocks and all before that is in the trace, and ends it. It must exit with this code.
fn killed_still(folder: &Folder, options: &[&str], how: &str, name: &str, code: i32) {
    let mut command = std::process::Command::new(tests::binary("tracer"));
    let mut child = command
        .arg("run")
        .args(options)
        .args(["still.erl", "--", how])
        .current_dir(folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let input = child.stdin.take();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap())
        .read_line(&mut line)
        .unwrap();
    assert_eq!(line, "started\n");
    until_recorded(folder, 20);
    signal(&child, name);
    tests::wait(child).expect(code);
    drop(input);
}

fn ignores_hangups() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    ignored
        .and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .is_some_and(|mask| mask & 1 == 1)
}

/// Everything before a block is in the trace, whatever ends the run: nothing stays unwritten for longer than the flush interval.
#[test]
fn killed_while_it_stands_still() {
    let folder = Folder::new("still");
    folder.write("still.erl", STILL);
    for how in ["command", "line", "sleep"] {
        killed_still(&folder, &[], how, "KILL", 128 + 9);
        let last = last_receive(&folder);
        assert!(last >= 20, "{how}: {last} receives");
        folder.replay(["verify", "trace.bin"]).expect(0);
        // A test that was started by nohup inherits that SIGHUP is ignored, and so does the tracer.
        if ignores_hangups() {
            eprintln!("SIGHUP is ignored here: not tried");
            continue;
        }
        killed_still(&folder, &[], how, "HUP", 129);
        let trace = Trace::open(&folder.path().join("trace.bin")).unwrap();
        assert_eq!(trace.status(), &Status::Complete, "{how}");
        assert!(trace.totals().counts.receives >= 20, "{how}");
        folder.replay(["verify", "trace.bin"]).expect(0);
    }
}

/// The same under virtual time, where only the program's own actions determine when a cut is made: equal runs give equal files, however long
/// external calls take.
#[test]
fn killed_while_it_stands_still_under_virtual_time() {
    let folder = Folder::new("still-virtual");
    folder.write("still.erl", STILL);
    for how in ["command", "line"] {
        killed_still(&folder, &["--seed", "1"], how, "KILL", 128 + 9);
        let last = last_receive(&folder);
        assert!(last >= 20, "{how}: {last} receives");
        folder.replay(["verify", "trace.bin"]).expect(0);
    }
    folder.write(
        "asks.erl",
        "-module(asks).\n-export([main/0]).\nmain() ->\n    P = spawn(fun Echo() -> receive {From, X} -> From ! X, Echo() end end),\n    \
         [begin P ! {self(), N}, receive N -> ok end, io:get_line(\"\"), os:cmd(\"sleep 0.\" ++ os:getenv(\"TENTHS\")) end || N <- lists:seq(1, 5)],\n    ok.\n",
    );
    let cuts = |pause: &str, file: &str| {
        let mut child = std::process::Command::new(tests::binary("tracer"))
            .args(["run", "--quiet", "--seed", "1", "--redact-input", "env", "asks.erl"])
            .env("TENTHS", pause)
            .current_dir(folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        for _ in 0..5 {
            std::thread::sleep(Duration::from_millis(20 * pause.parse::<u64>().unwrap()));
            input.write_all(b"a line\n").unwrap();
        }
        drop(input);
        tests::wait(child).expect(0);
        // The trace contains its name.
        std::fs::rename(folder.path().join("trace.bin"), folder.path().join(file)).unwrap();
        Trace::open(&folder.path().join(file)).unwrap()
    };
    let (fast, slow) = (cuts("0", "fast.trace"), cuts("2", "slow.trace"));
    assert!(fast.totals().cuts >= 10, "{:?}", fast.totals());
    assert!(fast.equal_ignoring_clock(&slow).unwrap());
}

/// `nohup tracer run …` continues when the terminal is gone.
#[test]
fn who_ignores_a_hang_up_goes_on() {
    let folder = Folder::new("nohup");
    folder.write(
        "naps.erl",
        "-module(naps).\n-export([main/0]).\nmain() -> io:format(\"started~n\"), io:get_line(\"\"), io:format(\"ended~n\").\n",
    );
    let mut command = std::process::Command::new("/bin/sh");
    let script = "trap '' HUP; exec \"$0\" run --quiet naps.erl";
    let mut child = command
        .args(["-c", script, &tests::binary("tracer").to_string_lossy()])
        .current_dir(folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    lines.read_line(&mut line).unwrap();
    signal(&child, "HUP");
    until_still(child.id());
    child.stdin.take().unwrap().write_all(b"on\n").unwrap();
    let mut rest = String::new();
    std::io::Read::read_to_string(&mut lines, &mut rest).unwrap();
    assert_eq!(rest, "ended\n");
    tests::wait(child).expect(0);
}

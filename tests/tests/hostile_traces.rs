//! Traces made by a stranger, and files that several commands use: none of them disturbs the terminal, exhausts memory, or causes silent loss.

#![expect(clippy::unwrap_used, reason = "helpers of tests, outside of test functions")]

use std::path::Path;

use log_format::mutate;
use log_format::simulate::Random;
use log_format::{
    Access, Action, ActionId, ExitClass, Header, Kind, ModuleSource, Node, Pid, ProcLog, Program, Resource, RunEnd,
    RunOutcome, SendNo, TraceWriter, Version,
};
use tests::Folder;

const BAD_TRACE: i32 = 65;
const NO_OUTPUT: i32 = 73;
const LIMIT: i32 = 81;
const DIVERGED: i32 = 82;

/// A trace of a program of one module `m` with these processes, which have no parents.
fn make(file: &Path, path: &str, text: &str, processes: &[(u64, Vec<Action>)]) {
    let header = Header {
        tool: "another recorder".to_owned(),
        entry: "m:main/0".to_owned(),
        node: "nonode@nohost".to_owned(),
        ..Header::default()
    };
    let program = Program {
        sources: vec![ModuleSource {
            module: "m".to_owned(),
            path: path.to_owned(),
            format: "erl".to_owned(),
            bytes: text.as_bytes().to_vec(),
            options: Vec::new(),
        }],
        ..Program::default()
    };
    let mut writer = TraceWriter::create(file, &header, &program, 0).unwrap();
    let mut logs: Vec<ProcLog> = Vec::new();
    for (pid, actions) in processes {
        let mut log = ProcLog::entry(Pid(*pid), Node(0));
        actions.iter().for_each(|action| log.action(action));
        logs.push(log);
    }
    let outcome = RunOutcome {
        run: RunEnd::Returned(String::new()),
        processes: Vec::new(),
    };
    writer.cut(&mut logs).unwrap();
    writer.finish(&mut logs, &outcome).unwrap();
}

fn exit() -> Action {
    Action::new(Kind::Exit {
        class: ExitClass::Normal,
    })
}

/// Names that come from a trace are escaped when printed, in answers and in errors.
#[test]
fn names_of_files_do_not_reach_the_terminal() {
    let folder = Folder::new("hostile-names");
    let path = "pa/th\u{1b}]0;pwn\u{7}\u{1b}[31m\u{202e}cod\r\nm\u{200b}.erl";
    let text = "-module(m).\n-export([main/0]).\nmain() ->\n    self() ! x,\n    receive x -> ok end,\n    f(1).\nf(X) -> X + undefined_here.\n";
    make(
        &folder.path().join("t.trace"),
        path,
        text,
        &[(1, vec![Action::new(Kind::Send), Action::new(Kind::After), exit()])],
    );
    let hidden = |c: char| c != '\n' && log_format::is_hidden(c);
    for (line, code) in [
        ("run t.trace", DIVERGED),
        ("why t.trace", -1),
        ("--until error t.trace", -1),
        ("--until event:0.1.0/2 t.trace", DIVERGED),
        ("state end:0.1.0 t.trace", DIVERGED),
        ("check t.trace", -1),
        ("verify t.trace", DIVERGED),
        ("info t.trace", 0),
        ("info --json t.trace", 0),
        ("log t.trace", 0),
        ("--until line:x:1 t.trace", 67),
        ("--until event:0.1.0/1 t.trace", 0),
    ] {
        let outcome = folder.replay(line.split(' ')).no_panic();
        let shown = outcome.out() + &outcome.stderr;
        assert!(!shown.contains(hidden), "{line}: {shown:?}");
        assert!(
            !shown.contains("cod\r") && !shown.contains("cod\nm"),
            "{line}: {shown:?}"
        );
        if code >= 0 {
            assert_eq!(outcome.code, code, "{line}: {shown}");
        }
        if line.contains("event:0.1.0/2") || line.contains("line:x") {
            assert!(shown.contains("pa/th\\x{1B}]0;pwn\\x{7}"), "{line}: {shown}");
        }
    }
}

/// The same for names on the recorder's command line.
#[cfg(unix)]
#[test]
fn names_on_the_command_line_do_not_reach_the_terminal() {
    let folder = Folder::new("hostile-arguments");
    let name = "a\u{1b}[31m\u{202e}b";
    let file = format!("{name}.erl");
    folder.write(&file, "-module(m).\n-export([main/0]).\nmain() -> error(x).\n");
    let out = format!("{name}.trace");
    let nowhere = format!("nowhere/{name}");
    for args in [
        vec!["run", "--entry", "m:main", "-o", &out, &file],
        vec!["run", "nothing\u{1b}[31m.erl"],
        vec!["run", "-o", &nowhere, &file],
        vec!["run", "-o", &file, &file],
        vec!["run", "--entry", "x\u{1b}:y", &file],
    ] {
        let outcome = folder.tracer(args.clone()).no_panic();
        assert_ne!(outcome.code, 0, "{args:?}");
        // The report of the crash is the program's own.
        let ours = outcome.stderr.lines().filter(|line| line.starts_with("tracer:"));
        let ours: String = ours.collect();
        assert!(!ours.is_empty(), "{args:?}: {}", outcome.stderr);
        assert!(!ours.contains(log_format::is_hidden), "{args:?}: {ours:?}");
    }
}

/// An error about the command line does not pass on what could affect the terminal.
#[test]
fn wrong_command_lines_do_not_reach_the_terminal() {
    let folder = Folder::new("hostile-usage");
    let hidden = |c: char| c != '\n' && log_format::is_hidden(c);
    for args in [["\u{1b}[31m", "t\u{202e}.bin"], ["info", "--t\u{202e}.bin"]] {
        for outcome in [folder.replay(args), folder.tracer(args)] {
            let outcome = outcome.no_panic().expect(2);
            assert!(!outcome.stderr.contains(hidden), "{:?}", outcome.stderr);
        }
    }
    let outcome = folder.replay(["info", "--t\u{202e}.bin"]).expect(2);
    assert!(outcome.stderr.contains("\\x{202E}"), "{:?}", outcome.stderr);
}

/// The memory of a trace's program is bounded, however it is allocated.
#[test]
fn memory_of_a_replayed_program_is_bounded() {
    let folder = Folder::new("hostile-memory");
    for (name, body) in [
        ("heap", "main() -> l([]).\nl(L) -> l([L | L])."),
        ("stack", "main() -> 1 + main()."),
        (
            "fresh",
            "main() -> l(0, []).\nl(N, L) -> l(N + 1, [integer_to_list(N) | L]).",
        ),
    ] {
        let file = folder.path().join(format!("{name}.trace"));
        let text = format!("-module(m).\n-export([main/0]).\n{body}\n");
        make(&file, "m.erl", &text, &[(1, vec![exit()])]);
        let file = file.to_string_lossy().into_owned();
        for verb in [
            &["run"][..],
            &["verify"],
            &["--until", "exit:0.1.0"],
            &["state", "end:0.1.0"],
        ] {
            let args = verb.iter().copied().chain(["--max-memory", "50", &file]);
            folder
                .replay(args)
                .no_panic()
                .expect(LIMIT)
                .says(&["memory (50 MB)", "--max-memory"]);
        }
    }
}

/// A value in a log is never compressed: it could expand to any amount of memory.
#[test]
fn compressed_values_are_refused() {
    let folder = Folder::new("hostile-values");
    let text = "-module(m).\n-export([main/0]).\nmain() -> os:getenv(\"X\").\n";
    // The class `env`; then the empty list, compressed, or as it is.
    let compressed = [
        5, 0x83, 0x50, 0x00, 0x00, 0x00, 0x01, 0x78, 0x9c, 0xcb, 0x02, 0x00, 0x00, 0x6b, 0x00, 0x6b,
    ];
    for (value, code) in [(&compressed[..], DIVERGED), (&[5, 0x83, 0x6a][..], 0)] {
        let input = Action::new(Kind::Input { value: value.to_vec() });
        make(
            &folder.path().join("t.trace"),
            "m.erl",
            text,
            &[(1, vec![input, exit()])],
        );
        let outcome = folder.replay(["run", "t.trace"]).no_panic().expect(code);
        if code != 0 {
            outcome.says(&["the logged value is damaged"]);
        }
    }
}

/// Processes that nobody starts are damage, not a bug of the tool.
#[test]
fn processes_that_nobody_starts() {
    let folder = Folder::new("hostile-orphans");
    let text = "-module(m).\n-export([main/0]).\nmain() -> ok.\n";
    for pids in [&[7][..], &[u64::MAX], &[1, 7]] {
        let processes: Vec<_> = pids.iter().map(|pid| (*pid, vec![exit()])).collect();
        make(&folder.path().join("t.trace"), "m.erl", text, &processes);
        for verb in ["run", "verify"] {
            folder.replay([verb, "t.trace"]).no_panic().expect(BAD_TRACE);
        }
    }
}

/// A process: its pid, the spawn that it claims to be born of, and its actions.
type Born = (u64, Option<(u64, u64)>, Vec<Action>);

/// A trace of a program of one module.
fn make_born(file: &Path, text: &str, processes: &[Born]) {
    let header = Header {
        tool: "another recorder".to_owned(),
        entry: "m:main/0".to_owned(),
        node: "nonode@nohost".to_owned(),
        ..Header::default()
    };
    let program = Program {
        sources: vec![ModuleSource {
            module: "m".to_owned(),
            path: "m.erl".to_owned(),
            format: "erl".to_owned(),
            bytes: text.as_bytes().to_vec(),
            options: Vec::new(),
        }],
        ..Program::default()
    };
    let mut writer = TraceWriter::create(file, &header, &program, 0).unwrap();
    let mut logs: Vec<ProcLog> = Vec::new();
    for (pid, parent, actions) in processes {
        let parent = parent.map(|(pid, action)| (ActionId::new(Pid(pid), action), SendNo(0)));
        let mut log = ProcLog::born(Pid(*pid), Node(0), parent);
        actions.iter().for_each(|action| log.action(action));
        logs.push(log);
    }
    let outcome = RunOutcome {
        run: RunEnd::Crashed {
            class: "error".to_owned(),
            reason: "x".to_owned(),
        },
        processes: Vec::new(),
    };
    writer.cut(&mut logs).unwrap();
    writer.finish(&mut logs, &outcome).unwrap();
}

/// Births that form a cycle: no command loops for ever.
#[test]
fn births_that_form_a_circle() {
    let folder = Folder::new("hostile-births");
    let text = "-module(m).\n-export([main/0]).\nmain() -> F = fun F() -> spawn(F), receive x -> F() end end, spawn(F), receive x -> ok end.\n";
    let spawn = |child| {
        Action::new(Kind::Spawn {
            child: Pid(child),
            node: None,
        })
    };
    let crash = || {
        Action::new(Kind::Exit {
            class: ExitClass::Error,
        })
    };
    let reads = |pid, action| {
        let by = Some(ActionId::new(Pid(pid), action));
        let mut read = Action::new(Kind::Access);
        read.accesses
            .push(Access::read(Resource::Alive(Pid(pid)), Version(1), by));
        read
    };
    // A process that spawns itself; one that spawns its parent; an unreachable cycle, and a process that read what it did.
    let itself = vec![
        (1, None, vec![spawn(2), crash()]),
        (2, Some((1, 1)), vec![spawn(2), crash()]),
    ];
    let parent = vec![
        (1, None, vec![spawn(2), crash()]),
        (2, Some((1, 1)), vec![spawn(3), crash()]),
        (3, Some((2, 1)), vec![spawn(2), crash()]),
    ];
    let apart = vec![
        (1, None, vec![spawn(2), reads(5, 2), reads(6, 2), crash()]),
        (2, Some((1, 1)), vec![crash()]),
        (5, Some((6, 1)), vec![spawn(6), reads(7, 2), crash()]),
        (6, Some((7, 1)), vec![spawn(5), reads(5, 2), crash()]),
        (7, Some((5, 1)), vec![spawn(6), reads(6, 2), crash()]),
    ];
    for (name, processes, pids) in [
        ("itself", itself, [2, 2]),
        ("parent", parent, [3, 3]),
        ("apart", apart, [1, 5]),
    ] {
        let file = format!("{name}.trace");
        make_born(&folder.path().join(&file), text, &processes);
        folder.replay(["verify", &file]).no_panic().expect(BAD_TRACE);
        for pid in pids {
            let last = format!("event:0.{pid}.0/2");
            let slice = folder.replay(["slice", &last, "-o", "s.trace", &file]).no_panic();
            let said = &slice.expect(BAD_TRACE).stderr;
            assert!(said.contains("born") || said.contains("births"), "{said}");
            for verb in [
                &["--until", &last][..],
                &["why", &last],
                &["report", &last],
                &["bundle", &last],
                &["state", &last],
                &["consequences", &last],
            ] {
                let outcome = folder.replay(verb.iter().copied().chain(["--max-memory", "100", &file]));
                let outcome = outcome.no_panic();
                assert_ne!(outcome.code, 70, "{name}, {verb:?}: {}", outcome.stderr);
                assert!(outcome.stderr.len() < 10_000, "{name}, {verb:?}: {}", outcome.stderr);
            }
            let script = format!("until {last}\nback {last}\n");
            for verb in ["debug", "check", "run", "info", "log", "export"] {
                let args = [verb, "--max-memory", "100", &file];
                let run = tests::BinaryRun::new("replay", folder.path(), args).input(script.as_str());
                let outcome = run.run().no_panic();
                assert_ne!(outcome.code, 70, "{name}, {verb}: {}", outcome.stderr);
            }
        }
    }
}

/// Totals that do not add up, and repeated chunks, with correct checksums: reported as damage with a place, not as a bug of the tool.
#[test]
fn what_no_recorder_says_is_no_bug_of_ours() {
    let folder = Folder::new("hostile-sections");
    folder.record("stock", 1).expect(0);
    let good = std::fs::read(folder.path().join("trace.bin")).unwrap();
    folder.write("total.trace", mutate::with_total(&good, 1, |old| old + (1 << 33)));
    folder.write("again.trace", mutate::cuts_twice(&good));
    folder.write("twice.trace", mutate::twice(&good));
    for (file, verb) in [
        ("total.trace", &["run"][..]),
        ("total.trace", &["verify"]),
        ("again.trace", &["run"]),
        ("again.trace", &["verify"]),
        ("again.trace", &["state", "end:0.1.0"]),
        ("again.trace", &["--until", "end:0.1.0"]),
        ("twice.trace", &["verify"]),
    ] {
        let outcome = folder.replay(verb.iter().copied().chain([file])).no_panic();
        outcome.expect(BAD_TRACE).says(&["at byte"]);
    }
    // What follows an outcome is not used.
    for verb in [&["run"][..], &["--until", "end:0.1.0"]] {
        let outcome = folder.replay(verb.iter().copied().chain(["twice.trace"]));
        outcome.no_panic().expect(0);
    }
}

/// Whatever the sections contain, no command treats it as a bug of the tool. `HOSTILE` sets how many traces are made.
#[test]
fn sections_that_no_recorder_makes() {
    let folder = Folder::new("hostile-mutated");
    folder.record("stock", 1).expect(0);
    let good = std::fs::read(folder.path().join("trace.bin")).unwrap();
    let mut random = Random(11);
    let rounds = seeds::many(60, 2_000);
    for round in 0..rounds {
        let file = format!("{round}.trace");
        let bytes = mutate::mutated(&good, &mut random);
        folder.write(&file, bytes);
        let verbs = [
            &["run"][..],
            &["verify"],
            &["why"],
            &["report", "end:0.1.0"],
            &["state", "end:0.1.0"],
            &["--until", "rec:1"],
            &["check"],
            &["info", "--all"],
        ];
        let verb = verbs[random.below(verbs.len() as u64) as usize];
        let outcome = folder.replay(verb.iter().copied().chain([file.as_str()])).no_panic();
        assert_ne!(outcome.code, 70, "{file}, {verb:?}: {}", outcome.stderr);
        assert!(
            !outcome.stderr.contains("bug of replay"),
            "{file}, {verb:?}: {}",
            outcome.stderr
        );
        std::fs::remove_file(folder.path().join(&file)).unwrap();
    }
}

/// The file of a killed recorder verifies; one that was changed since does not, and every command says that a part is not used.
#[test]
fn verify_tells_damage_from_a_cut() {
    let folder = Folder::new("verify-damage");
    folder.write(
        "pairs.erl",
        "-module(pairs).\n-export([main/0]).\nmain() -> go(100000).\n\
         go(0) -> ok;\ngo(N) -> self() ! N, _ = put(N rem 7, N), receive N -> go(N - 1) end.\n",
    );
    folder
        .tracer(["run", "--quiet", "--seed", "1", "--max-trace-bytes", "10M", "pairs.erl"])
        .expect(0);
    let whole = std::fs::read(folder.path().join("trace.bin")).unwrap();
    // Sections by kind and offset.
    let (mut sections, mut at) = (Vec::new(), 32);
    while at < whole.len() {
        let length = u32::from_le_bytes(whole[at + 4..at + 8].try_into().unwrap()) as usize;
        sections.push((whole[at], at));
        at += 12 + length;
    }
    let cuts: Vec<usize> = sections
        .iter()
        .filter(|(kind, _)| *kind == 6)
        .map(|(_, at)| *at)
        .collect();
    assert!(cuts.len() >= 2, "{sections:?}");
    let index = sections.iter().find(|(kind, _)| *kind == 9).unwrap().1;
    let killed = &whole[..cuts[cuts.len() - 1] + 5];
    folder.write("killed.trace", killed);
    let said = folder.replay(["verify", "killed.trace"]).expect(0);
    assert!(said.out().contains("the recording was cut off"), "{}", said.out());
    assert!(!said.stderr.contains("cannot be"), "{}", said.stderr);
    let mut flipped = killed.to_vec();
    flipped[cuts[0] + 12 + 30] ^= 1;
    folder.write("flipped.trace", &flipped);
    folder
        .replay(["verify", "flipped.trace"])
        .expect(BAD_TRACE)
        .says(&["cannot be used"]);
    folder.replay(["info", "flipped.trace"]).expect(0);
    folder
        .replay(["log", "-n", "1", "flipped.trace"])
        .expect(0)
        .says(&["only the actions up to byte"]);
    // A missing index is not damage; a damaged one is rebuilt, and `verify` says so.
    folder.write("noindex.trace", &whole[..index]);
    let said = folder.replay(["verify", "noindex.trace"]).expect(0).out();
    assert!(said.contains("every byte is as written, without an index"), "{said}");
    let said = folder.replay(["info", "noindex.trace"]).expect(0).out();
    assert!(
        said.replace('\n', " ").contains("without an index") && !said.contains("bytes ["),
        "{said}"
    );
    // The file of a recorder that is killed while it writes the index is not damaged either, wherever that was.
    let directory = sections.iter().find(|(kind, _)| *kind == 10).unwrap().1;
    for length in [
        index + 5,
        index + 30,
        directory + 3,
        directory + 40,
        whole.len() - 20,
        whole.len() - 1,
    ] {
        folder.write("part.trace", &whole[..length]);
        let said = folder.replay(["verify", "part.trace"]).expect(0).out();
        let expected = format!("every byte up to the index (byte {index}) is as written, and the index was cut off");
        assert!(said.contains(&expected), "{length}: {said}");
    }
    // Bytes after the end are none of the recorder's.
    folder.write("more.trace", [&whole[..], b"garbage"].concat());
    let expected = format!(
        "at byte {}: expected the end of the file, found 7 more bytes",
        whole.len()
    );
    folder
        .replay(["verify", "more.trace"])
        .expect(BAD_TRACE)
        .says(&[&expected, "the index is damaged"]);
    folder.replay(["--until", "rec:1", "more.trace"]).expect(0);
    // What the advice makes of it is sound.
    let json = folder.replay(["export", "more.trace", "-o", "more.json"]).expect(0);
    drop(json);
    folder.replay(["import", "more.json", "-o", "sound.trace"]).expect(0);
    folder.replay(["verify", "sound.trace"]).expect(0);
    // A file that ends before its program does holds nothing, wherever that is; with the program, it is a recording that was cut off.
    let program = sections.iter().find(|(kind, _)| *kind == 2).unwrap().1;
    for length in [4, 20, 40, program, program + 5, program + 300] {
        folder.write("start.trace", &whole[..length]);
        let nothing = ["the file was cut off before anything was recorded"];
        folder
            .replay(["verify", "start.trace"])
            .expect(BAD_TRACE)
            .says(&nothing);
        folder
            .replay(["--until", "error", "start.trace"])
            .expect(BAD_TRACE)
            .says(&nothing);
    }
    let said = folder.replay(["info", "start.trace"]).expect(0).out();
    assert!(said.contains("cut off before anything was recorded"), "{said}");
    let mut flipped = whole.clone();
    flipped[index + 14] ^= 1;
    folder.write("page.trace", &flipped);
    folder
        .replay(["verify", "page.trace"])
        .expect(BAD_TRACE)
        .says(&["the index is damaged"]);
    folder.replay(["info", "page.trace"]).expect(0);
    folder.replay(["--until", "rec:5", "page.trace"]).expect(0);
}

/// Two recordings into one file: the second one is refused. A trace that is being read stays unchanged.
#[cfg(unix)]
#[test]
fn two_recordings_do_not_meet_in_a_file() {
    use std::io::{BufRead, BufReader};
    let folder = Folder::new("two-recordings");
    folder.write(
        "endless.erl",
        "-module(endless).\n-export([main/0]).\nmain() -> io:format(\"started~n\"), loop(0).\n\
         loop(N) -> self() ! N, receive N -> ok after 5 -> ok end, loop(N + 1).\n",
    );
    folder.write("short.erl", "-module(short).\n-export([main/0]).\nmain() -> ok.\n");
    folder.tracer(["run", "-o", "t.trace", "short.erl"]).expect(0);
    let old = std::fs::File::open(folder.path().join("t.trace")).unwrap();
    let length = old.metadata().unwrap().len();
    let mut run = tests::BinaryRun::new("tracer", folder.path(), ["run", "-o", "t.trace", "endless.erl"])
        .stdout_to(std::process::Stdio::piped());
    let mut child = run.start();
    let mut line = String::new();
    let mut reader = BufReader::new(child.stdout.take().unwrap());
    reader.read_line(&mut line).unwrap();
    for _ in 0..2 {
        folder
            .tracer(["run", "-o", "t.trace", "short.erl"])
            .expect(NO_OUTPUT)
            .says(&["another recording"]);
    }
    steady::until("for a receive in the trace", || {
        let trace = log_format::Trace::open(&folder.path().join("t.trace")).ok()?;
        (trace.totals().counts.receives > 0).then_some(())
    });
    let status = std::process::Command::new("kill")
        .args(["-s", "TERM", &child.id().to_string()])
        .status();
    assert!(status.unwrap().success());
    tests::wait(child).expect(143);
    folder.replay(["verify", "t.trace"]).expect(0);
    assert!(folder.replay(["info", "t.trace"]).expect(0).out().contains("endless"));
    assert_eq!(old.metadata().unwrap().len(), length, "what was read is not written to");
    let names: Vec<String> = std::fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .filter(|name| name.ends_with(".tmp"))
        .collect();
    assert_eq!(names, [""; 0]);
}

/// No command replaces a file that it would not have created, and a failed command leaves nothing behind.
#[test]
fn files_of_others_are_kept() {
    let folder = Folder::new("kept-files");
    folder.record("stock", 1).expect(0);
    folder.write("mine.erl", "mine");
    for args in [
        &["export", "-o", "mine.erl", "trace.bin"][..],
        &["slice", "rec:1", "-o", "mine.erl", "trace.bin"],
        &["report", "rec:1", "-o", "mine.erl", "trace.bin"],
        &["bundle", "rec:1", "-o", "mine.erl", "trace.bin"],
        &["scrub", "--part", "command", "-o", "mine.erl", "trace.bin"],
    ] {
        folder.replay(args.iter().copied()).expect(NO_OUTPUT);
        assert_eq!(std::fs::read_to_string(folder.path().join("mine.erl")).unwrap(), "mine");
    }
    // Its own files are replaced, and an empty file.
    folder.write("o.json", "");
    folder.write("s.trace", "");
    for _ in 0..2 {
        folder.replay(["export", "-o", "o.json", "trace.bin"]).expect(0);
        folder
            .replay(["slice", "rec:1", "-o", "s.trace", "trace.bin"])
            .expect(0);
    }
    // Damage that is found while the slice is written.
    let good = std::fs::read(folder.path().join("trace.bin")).unwrap();
    let mut at = 32;
    while good[at] != 2 {
        at += 12 + u32::from_le_bytes(good[at + 4..at + 8].try_into().unwrap()) as usize;
    }
    let mut bad = good;
    bad[at + 20] ^= 1;
    folder.write("bad.trace", bad);
    folder
        .replay(["scrub", "--part", "command", "-o", "new.trace", "bad.trace"])
        .expect(BAD_TRACE);
    assert!(!folder.path().join("new.trace").exists());
    folder
        .replay(["scrub", "--part", "command", "-o", "s.trace", "bad.trace"])
        .expect(BAD_TRACE);
    folder.replay(["verify", "s.trace"]).expect(0);
}

/// `verify` notices a program that prints different text, or ends for different reasons, than the trace says.
#[test]
fn verify_compares_texts_and_reasons() {
    let folder = Folder::new("verify-texts");
    folder.write(
        "says.erl",
        "-module(says).\n-export([main/0]).\nmain() -> io:format(\"hello~n\"), P = self(), spawn(fun() -> P ! 1, exit(boom) end), receive 1 -> ok end.\n",
    );
    folder.tracer(["run", "--quiet", "--seed", "1", "says.erl"]).expect(0);
    folder.replay(["verify", "trace.bin"]).expect(0);
    folder.replay(["export", "-o", "good.json", "trace.bin"]).expect(0);
    let good = std::fs::read_to_string(folder.path().join("good.json")).unwrap();
    for (from, to, words) in [
        ("\"bytes\":6", "\"bytes\":7", "expected 7 bytes, found 6"),
        ("boom\"", "bomm\"", "found boom, expected bomm"),
    ] {
        let changed = good.replace(from, to);
        assert_ne!(changed, good, "{from}: {good}");
        folder.write("changed.json", changed);
        folder
            .replay(["import", "changed.json", "-o", "changed.trace"])
            .expect(0);
        folder
            .replay(["verify", "changed.trace"])
            .expect(DIVERGED)
            .says(&[words]);
    }
}

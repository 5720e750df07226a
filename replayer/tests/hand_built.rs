//! The commands that need no execution, on a trace built by hand, and on files that are not traces.

#![expect(clippy::unwrap_used, reason = "tests")]

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use log_format::{
    Access, Action, ActionId, Device, ExitClass, FinalState, Header, Kind, ModuleSource, Node, Pid, ProcLog,
    ProcessOutcome, Program, Resource, RunEnd, RunOutcome, SendNo, Tag, TraceWriter, Version,
};
use replayer::exit::Exit;
use session::error::Error;

const fn sent(by: u64, k: u64) -> Tag {
    Tag::Sent {
        by: Pid(by),
        k: SendNo(k),
    }
}

/// A separate folder for each test.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&path).unwrap();
    path
}

/// The proxy race: 0.1.0 spawns a server and a proxy, sends to both; the server receives the wrong message first and crashes. `padding`: number
/// of plain sends of the proxy that nobody receives.
fn proxy_race(path: &Path, padding: u64) {
    let header = Header {
        tool: "tracer 0.1.0".into(),
        command: ["tracer", "run", "proxy.erl"].map(str::to_owned).to_vec(),
        entry: "proxy:main/0".into(),
        node: "nonode@nohost".into(),
        schedule: "random".into(),
        seed: Some(3),
        virtual_time: true,
        ..Header::default()
    };
    let source = ModuleSource {
        module: "proxy".into(),
        path: "proxy.erl".into(),
        format: "erl".into(),
        bytes: b"-module(proxy).\n".to_vec(),
        options: Vec::new(),
    };
    let program = Program {
        sources: vec![source],
        natives: vec![],
        used: vec![],
    };
    let mut writer = TraceWriter::create(path, &header, &program, 1_577_836_800_000_000).unwrap();
    let name = writer.text("server");
    let mut main = ProcLog::entry(Pid(1), Node(0));
    main.spawn(Pid(2), None);
    let mut server = ProcLog::child(Pid(2), Node(0), &main);
    main.spawn(Pid(3), None);
    let mut proxy = ProcLog::child(Pid(3), Node(0), &main);
    main.action(&Action::new(Kind::Access).with_accesses(vec![
        Access::read(Resource::Alive(Pid(2)), Version(1), Some(ActionId::new(Pid(1), 1))),
        Access::write(Resource::Name(name), Version(1)),
    ]));
    main.send();
    main.send();
    proxy.rec(sent(1, 1));
    for _ in 0..padding {
        proxy.send();
    }
    proxy.action(&Action::new(Kind::Output {
        device: Device::Stdout,
        bytes: 7,
    }));
    server.rec(sent(1, 2));
    server.exit(ExitClass::Error);
    let outcome = RunOutcome {
        run: RunEnd::Deadlock,
        processes: vec![
            ProcessOutcome {
                pid: Pid(1),
                state: FinalState::Waiting {
                    location: "proxy.erl:38:5".into(),
                },
                mailbox: 0,
                tags: vec![],
            },
            ProcessOutcome {
                pid: Pid(2),
                state: FinalState::Ended {
                    reason: "{{unexpected,2},\u{1b}[31m}".into(),
                    stack: String::new(),
                },
                mailbox: 1,
                tags: vec![sent(3, 1)],
            },
        ],
    };
    writer.finish([&mut main, &mut server, &mut proxy], &outcome).unwrap();
}

fn replay(arguments: &[&str], file: &Path) -> (Result<Exit, Error>, String) {
    let mut all: Vec<OsString> = std::iter::once("replay")
        .chain(arguments.iter().copied())
        .map(OsString::from)
        .collect();
    all.push(file.into());
    let mut sink = Vec::new();
    let (_, done) = replayer::run_with(all, &mut sink, None);
    (done, String::from_utf8(sink).unwrap())
}

fn code(done: &Result<Exit, Error>) -> u8 {
    match done {
        Ok(exit) => exit.code(),
        Err(error) => Exit::from(error).code(),
    }
}

#[test]
fn info_tells_what_went_wrong_and_what_to_type_next() {
    let file = folder("info").join("trace.bin");
    proxy_race(&file, 3);
    let (done, text) = replay(&["info"], &file);
    assert_eq!(code(&done), 0, "{done:?}");
    for expected in [
        "deadlock: the entry waits for ever",
        "2020-01-01 00:00:00 UTC, by tracer 0.1.0",
        "random, seed 3, virtual time",
        "2 (rec:1 to rec:2)",
        "5 send, 2 rec, 2 spawn, 1 access, 1 exit, 1 output",
        "exit:0.2.0  {{unexpected,2},\\x{1B}[31m} (1 message not received)",
        "end:0.1.0  waits at proxy.erl:38:5",
        "replay --until error ",
        "replay --until rec:2 ",
    ] {
        assert!(text.contains(expected), "no `{expected}` in:\n{text}");
    }
    let (_, json) = replay(&["info", "--json"], &file);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["extent"]["actions"], 12);
    assert_eq!(json["crashes"][0]["target"], "exit:0.2.0");
}

#[test]
fn log_lists_actions_as_targets() {
    let file = folder("log").join("trace.bin");
    proxy_race(&file, 1);
    let (done, text) = replay(&["log"], &file);
    assert_eq!(code(&done), 0, "{done:?}");
    let targets: Vec<&str> = text
        .lines()
        .map(|line| line.split_whitespace().nth(2).unwrap())
        .collect();
    let expected = [
        "spawn:0.2.0",
        "spawn:0.3.0",
        "event:0.1.0/3",
        "sent:0.1.0/1",
        "sent:0.1.0/2",
        "rec:1",
        "exit:0.2.0",
        "rec:2",
        "sent:0.3.0/1",
        "output:0.3.0",
    ];
    // A first output is `output:P/1`.
    let normal: Vec<&str> = targets
        .iter()
        .map(|t| {
            t.strip_suffix("0/1")
                .filter(|_| t.starts_with("output"))
                .map_or(*t, |_| "output:0.3.0")
        })
        .collect();
    assert_eq!(normal, expected, "{text}");
    assert!(
        text.contains("reads alive(0.2.0), last written by event:0.1.0/1; writes name(server)"),
        "{text}"
    );
    for (filter, lines) in [
        (&["log", "-k", "rec"][..], 2),
        (&["log", "-p", "0.1.0"], 5),
        (&["log", "-p", "server"], 2),
        (&["log", "-p", "0.1.0", "--from", "4"], 2),
        (&["log", "-n", "3"], 3),
    ] {
        let (done, text) = replay(filter, &file);
        assert_eq!((code(&done), text.lines().count()), (0, lines), "{filter:?}\n{text}");
    }
    let (_, json) = replay(&["log", "--json", "-k", "rec"], &file);
    let first: serde_json::Value = serde_json::from_str(json.lines().next().unwrap()).unwrap();
    assert_eq!(
        (&first["target"], &first["signal"]),
        (&"rec:1".into(), &"sent:0.1.0/2".into())
    );
    assert_eq!(code(&replay(&["log", "-k", "rex"], &file).0), 2);
    assert_eq!(code(&replay(&["log", "-p", "0.9.0"], &file).0), 67);
    assert_eq!(code(&replay(&["log", "-p", "+"], &file).0), 2);
}

#[test]
fn causes_are_all_and_only_what_leads_to_the_target() {
    let file = folder("causes").join("trace.bin");
    proxy_race(&file, 1);
    let (done, text) = replay(&["causes", "--all", "error"], &file);
    assert_eq!(code(&done), 0, "{done:?}");
    let targets: Vec<&str> = text
        .lines()
        .map(|line| line.split_whitespace().find(|w| w.contains(':')).unwrap())
        .collect();
    let expected = [
        "spawn:0.2.0",
        "spawn:0.3.0",
        "event:0.1.0/3",
        "sent:0.1.0/1",
        "sent:0.1.0/2",
        "rec:1",
        "exit:0.2.0",
    ];
    assert_eq!(targets, expected, "{text}");
    assert!(
        text.lines().last().unwrap().starts_with("> "),
        "the target is marked:\n{text}"
    );
}

#[test]
fn long_stretches_are_folded_and_unfolded() {
    let file = folder("fold").join("trace.bin");
    proxy_race(&file, 5000);
    let (done, text) = replay(&["causes", "output:0.3.0"], &file);
    assert_eq!(code(&done), 0, "{done:?}");
    assert!(text.lines().count() < 60, "{text}");
    assert!(text.contains("more actions of "), "{text}");
    assert!(text.contains("> 0.3.0"), "{text}");
    let shown: u64 = text.lines().filter(|l| !l.contains('…')).count() as u64;
    let folded: u64 = text
        .lines()
        .filter_map(|l| {
            l.trim()
                .strip_prefix("… ")?
                .split(' ')
                .next()?
                .replace(',', "")
                .parse::<u64>()
                .ok()
        })
        .sum();
    let (_, all) = replay(&["causes", "output:0.3.0", "--all"], &file);
    assert_eq!(shown + folded, all.lines().count() as u64);
    assert_eq!(all.lines().count(), 4 + 5002);
}

#[test]
fn what_is_not_there_is_told_with_what_there_is() {
    let file = folder("targets").join("trace.bin");
    proxy_race(&file, 1);
    for (target, expected, says) in [
        ("rec:3", 67, "rec:1 to rec:2"),
        ("event:0.1.0/6", 67, "actions 1 to 5"),
        ("exit:0.1.0", 67, "had not ended"),
        ("exit:nobody", 67, "no process was registered as nobody"),
        ("end:0.7.0", 67, "0.1.0 to 0.3.0"),
        ("rec:x", 2, "rec:42"),
        ("frobnicate", 2, "rec:42"),
    ] {
        let (done, _) = replay(&["causes", target], &file);
        assert_eq!(code(&done), expected, "{target}: {done:?}");
        let text = done.unwrap_err().to_string();
        assert!(text.contains(says), "{target}: {text}");
    }
}

#[test]
fn what_is_no_trace_is_refused() {
    let folder = folder("bad");
    let good = folder.join("good.bin");
    proxy_race(&good, 1);
    let bytes = std::fs::read(&good).unwrap();
    let write = |name: &str, bytes: &[u8]| {
        let path = folder.join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    };
    for (file, expected) in [
        (folder.join("missing.bin"), 66),
        (folder.clone(), 66),
        (write("empty.bin", b""), 65),
        (write("text.bin", b"-module(x).\n"), 65),
        (write("short.bin", &bytes[..20]), 65),
    ] {
        for verb in ["info", "log", "causes", "run", "verify", "state"] {
            let (done, _) = replay(&[verb], &file);
            assert_eq!(code(&done), expected, "{verb} {}: {done:?}", file.display());
            let text = done.unwrap_err().to_string();
            let name = file.file_name().unwrap().to_str().unwrap();
            assert!(text.contains(name), "the file is named: {text}");
        }
    }
}

#[test]
fn no_damage_makes_a_command_panic() {
    let folder = folder("damage");
    let good = folder.join("good.bin");
    proxy_race(&good, 20);
    let bytes = std::fs::read(&good).unwrap();
    let file = folder.join("damaged.bin");
    let all: &[&[&str]] = &[
        &["info"],
        &["log"],
        &["causes", "error"],
        &["causes", "rec:2"],
        &["verify"],
    ];
    // The reader has its own tests for every byte; every third byte is enough here to hit every section.
    for at in (0..bytes.len()).step_by(3) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x55;
        std::fs::write(&file, &damaged).unwrap();
        for arguments in all {
            let (done, _) = replay(arguments, &file);
            assert!(
                matches!(code(&done), 0 | 64 | 65 | 67 | 70 | 82),
                "byte {at}, {arguments:?}: {done:?}"
            );
        }
        std::fs::write(&file, &bytes[..at]).unwrap();
        for arguments in all {
            let (done, _) = replay(arguments, &file);
            assert!(
                matches!(code(&done), 0 | 64 | 65 | 67 | 82),
                "cut at {at}, {arguments:?}: {done:?}"
            );
        }
    }
}

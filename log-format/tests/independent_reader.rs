//! `reader.py`, written from FORMAT.md alone, reads the same actions as this crate: the document is exact.

#![expect(clippy::unwrap_used, reason = "helpers of tests, outside of test functions")]

use std::fmt::Write;
use std::process::Command;

use log_format::simulate::{Plan, simulate};
use log_format::{Access, Action, ActionId, Device, Kind, Resource, TestNote, Trace};

fn value(bytes: &[u8]) -> String {
    if bytes.is_empty() {
        "-".to_owned()
    } else {
        bytes.iter().map(|b| format!("{b:02x}")).collect()
    }
}

fn access(access: &Access) -> String {
    let resource = match access.resource {
        Resource::Node(node) => format!("node {node}"),
        Resource::Name(text) => format!("name {text}"),
        Resource::Alive(pid) => format!("alive {pid}"),
        Resource::Table(table) => format!("table {table}"),
        Resource::TableContents(table) => format!("contents {table}"),
        Resource::TableKey { table, key } => format!("key {table} {key}"),
        Resource::Persistent(key) => format!("persistent {key}"),
        Resource::Env(key) => format!("env {key}"),
        Resource::Counter { array, index } => format!("counter {array} {index}"),
        Resource::Module(text) => format!("module {text}"),
        Resource::Atom(text) => format!("atom {text}"),
        Resource::GroupLeader(pid) => format!("leader {pid}"),
        Resource::Other(text) => format!("other {text}"),
    };
    let mode = if access.write { "write" } else { "read" };
    let by = access
        .by
        .map_or("none".to_owned(), |ActionId { pid, number }| format!("{pid} {number}"));
    format!("[{mode} {resource} {} by {by}]", access.version)
}

fn words(action: &Action) -> String {
    let word = action.kind.word();
    let mut text = match &action.kind {
        Kind::Spawn { child, node: None } => format!("{word} {child}"),
        Kind::Spawn {
            child,
            node: Some(node),
        }
        | Kind::SpawnFailed { child, node } => format!("{word} {child} on {node}"),
        Kind::Rec(tag) => format!("{word} {tag}"),
        Kind::Signal { tag, events, waiting } => {
            format!("{word} {tag} {events} {}", if *waiting { "waiting" } else { "running" })
        }
        Kind::Drop { tag: None, value: v } => format!("{word} none {}", value(v)),
        Kind::Drop {
            tag: Some(tag),
            value: v,
        } => format!("{word} {tag} {}", value(v)),
        Kind::Start { node, ok } => format!("{word} {node} {}", if *ok { "ok" } else { "failed" }),
        Kind::Observe { of: None, value: v } | Kind::Input { value: v } => format!("{word} {}", value(v)),
        Kind::Observe {
            of: Some(ActionId { pid, number: n }),
            value: v,
        } => format!("{word} {pid} {n} {}", value(v)),
        Kind::Output {
            device: Device::Stdout,
            bytes,
        } => format!("{word} stdout {bytes}"),
        Kind::Output {
            device: Device::Stderr,
            bytes,
        } => format!("{word} stderr {bytes}"),
        Kind::Output {
            device: Device::Other(text),
            bytes,
        } => format!("{word} other {bytes} {text}"),
        Kind::Version { events } => format!("{word} {events}"),
        Kind::Halt { code } => format!("{word} {code}"),
        Kind::Exit { class } => format!("{word} {}", class.word()),
        Kind::Test { of, name, note } => {
            let texts = match note {
                TestNote::Failed { reason, stack } => {
                    format!(" {} {}", value(reason.as_bytes()), value(stack.as_bytes()))
                }
                _ => String::new(),
            };
            format!("{word} {of} {name} {}{texts}", note.word())
        }
        Kind::Send | Kind::After | Kind::Access | Kind::Nodes => word.to_owned(),
    };
    for one in &action.accesses {
        write!(text, " {}", access(one)).unwrap();
    }
    text
}

/// The same listing as `reader.py` makes.
fn listing(trace: &Trace) -> String {
    let mut text = String::new();
    for process in trace.processes() {
        let process = process.unwrap();
        let mut number = process.base;
        for action in trace.log(process.pid).unwrap() {
            let (n, action) = action.unwrap();
            let received = matches!(action.kind, Kind::Rec(_));
            number += u64::from(received);
            let shown = if received { number.to_string() } else { "-".to_owned() };
            writeln!(text, "{} {n} {shown} {} {}", process.pid, action.sends, words(&action)).unwrap();
        }
    }
    text
}

#[test]
fn the_document_is_exact() {
    if !steady::has("python3") {
        return;
    }
    let plans = [
        Plan {
            seed: 1,
            actions: 0,
            processes: 1,
            cut_every: 10,
            messages_only: false,
        },
        Plan {
            seed: 2,
            actions: 20_000,
            processes: 30,
            cut_every: 700,
            messages_only: false,
        },
        Plan {
            seed: 3,
            actions: 60_000,
            processes: 300,
            cut_every: 20_000,
            messages_only: true,
        },
        Plan {
            seed: 4,
            actions: 30_000,
            processes: 3,
            cut_every: 20_000,
            messages_only: true,
        },
        Plan {
            seed: 5,
            actions: 60_000,
            processes: 3_000,
            cut_every: 50_000,
            messages_only: true,
        },
    ];
    for plan in plans {
        let run = simulate(plan);
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(&file, &run.bytes).unwrap();
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/reader.py");
        let output = Command::new("python3").arg(script).arg(file.path()).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let (found, expected) = (
            String::from_utf8(output.stdout).unwrap(),
            listing(&Trace::from_bytes(run.bytes).unwrap()),
        );
        for (found, expected) in found.lines().zip(expected.lines()) {
            assert_eq!(found, expected);
        }
        assert_eq!(found.lines().count(), expected.lines().count());
    }
}

//! Imports of CauDEr's logs: logs made from our own runs (the import gives the same causal log back), hand-written ones, and hostile ones.

#![expect(clippy::unwrap_used, reason = "tests")]

mod come_back;
mod refused;
mod written;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use cauder::import;
use log_format::{ActionId, ActionNo, Kind, Pid, SendNo, Tag, Trace};
use rustc_hash::{FxHashMap, FxHashSet};
use session::error::Error;
use session::record::Text;
use session::{Goal, Session};
use system::observer::{ActionEvent, Detail, Ending, Observer};
use tempfile::TempDir;

/// Who is responsible for an error.
#[derive(PartialEq, Eq, Debug)]
enum Fault {
    BadTrace,
    NoInput,
    NoTarget,
    Program,
    Usage,
    Other,
}

fn fault(error: &Error) -> Fault {
    match error {
        Error::BadInput { .. } | Error::Trace { .. } => Fault::BadTrace,
        Error::Input { .. } => Fault::NoInput,
        Error::NoTarget(_) => Fault::NoTarget,
        Error::Program(_) => Fault::Program,
        Error::Usage(_) | Error::Target(_) => Fault::Usage,
        _ => Fault::Other,
    }
}

/// A folder that is removed at the end.
struct Scratch(TempDir);

impl Scratch {
    fn new(name: &str) -> Self {
        Self(TempDir::with_prefix(format!("replay-cauder-{name}-")).unwrap())
    }
    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    }
    fn trace(&self) -> PathBuf {
        self.0.path().join("trace.bin")
    }
    fn import(&self, program: &Path) -> Result<Trace, Error> {
        import(self.0.path(), &[program.to_path_buf()], &[], &self.trace(), None)?;
        Ok(Trace::open(&self.trace()).unwrap())
    }
}

/// Writes what CauDEr's tracer would write while one of our runs is made. As there, a send decides whether it comes too late.
#[derive(Default)]
struct Tracer {
    logs: BTreeMap<u64, Vec<String>>,
    uids: FxHashMap<Tag, u64>,
    sends: FxHashMap<Pid, u64>,
    living: FxHashSet<Pid>,
}

impl Tracer {
    fn line(&mut self, pid: Pid, line: String) {
        self.logs.entry(pid.0).or_default().push(line);
    }
    fn write(&self, scratch: &Scratch, module: &str) {
        let tracing = if self.living.is_empty() { "success" } else { "timeout" };
        scratch.write(
            "trace_result.log",
            &format!("{{call,{{{module},main,[]}}}}.\n{{comp,1}}.\n{{exec,2}}.\n{{node,nonode@nohost}}.\n{{pid,1}}.\n{{return,none}}.\n{{tracing,{tracing}}}."),
        );
        for (pid, lines) in &self.logs {
            scratch.write(&format!("trace_{pid}.log"), &lines.join("\n"));
        }
    }
}

impl Observer for Tracer {
    type Log = ();
    fn born(&mut self, pid: Pid, _: Option<&()>, _: u16) {
        self.living.insert(pid);
    }
    fn action(&mut self, (): &mut (), event: &ActionEvent<'_>) {
        let pid = event.pid;
        let sends = self.sends.entry(pid).or_default();
        *sends += u64::from(event.action.sends);
        let tag = Tag::Sent {
            by: pid,
            k: SendNo(*sends),
        };
        match (&event.action.kind, event.detail) {
            (Kind::Send, Detail::Sent { to: Some(to), .. }) if self.living.contains(&to) => {
                let uid = self.uids.len() as u64;
                self.uids.insert(tag, uid);
                self.line(pid, format!("{{trace_send,{uid}}}."));
            }
            (Kind::Rec(tag), _) => {
                let uid = self.uids[tag];
                self.line(pid, format!("{{trace_receive,{uid}}}."));
            }
            (Kind::Spawn { child, .. }, _) => {
                self.line(pid, format!("{{trace_spawn,nonode@nohost,{},true}}.", child.0))
            }
            _ => {}
        }
    }
    fn ended(&mut self, (): &mut (), ending: &Ending<'_>) {
        self.living.remove(&ending.pid);
    }
}

fn text(path: &Path) -> Text {
    Text {
        path: path.display().to_string(),
        source: std::fs::read(path).unwrap().into(),
        release: Default::default(),
    }
}

/// Whether these are the same step, apart from values.
fn same(a: &Kind, b: &Kind) -> bool {
    match (a, b) {
        (Kind::Input { .. }, Kind::Input { .. })
        | (Kind::Observe { .. }, Kind::Observe { .. })
        | (Kind::Output { .. }, Kind::Output { .. }) => true,
        (Kind::Signal { tag: a, .. }, Kind::Signal { tag: b, .. }) => a == b,
        (a, b) => a == b,
    }
}

/// The import equals the run or, if not all processes ended, a prefix of it that contains everything in the log.
fn agrees(recorded: &Trace, imported: &Trace, name: &str) {
    let ended = recorded.processes().all(|p| p.unwrap().ended);
    for process in recorded.processes() {
        let process = process.unwrap();
        let pid = process.pid;
        let Ok(found) = imported.process(pid) else {
            assert!(!ended, "{name}: {pid} is missing");
            continue;
        };
        let count = found.counts.actions;
        if ended {
            assert_eq!(count, process.counts.actions, "{name}: {pid}");
        }
        for n in 1..=process.counts.actions {
            let action = recorded.action(pid, ActionNo(n)).unwrap().kind;
            if n <= count {
                let other = imported.action(pid, ActionNo(n)).unwrap().kind;
                assert!(
                    same(&action, &other),
                    "{name}: {pid}/{n}: {action:?}, imported {other:?}"
                );
            } else {
                let named = matches!(action, Kind::Spawn { .. } | Kind::Rec(_));
                assert!(!named, "{name}: {pid}/{n} is missing: {action:?}");
            }
        }
    }
}

/// A folder that CauDEr's tracer wrote, and its program.
fn traced(name: &str) -> (PathBuf, PathBuf) {
    let all = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cauder");
    (all.join(name), all.join(format!("programs/{name}.erl")))
}

/// Imports such a folder.
fn import_traced(name: &str, untraced: &[&str]) -> (cauder::Imported, Trace) {
    let (folder, program) = traced(name);
    let scratch = Scratch::new(name);
    let untraced: Vec<PathBuf> = untraced.iter().map(|name| traced(name).1).collect();
    let imported =
        import(&folder, &[program], &untraced, &scratch.trace(), None).unwrap_or_else(|e| panic!("{name}: {e}"));
    (imported, Trace::open(&scratch.trace()).unwrap())
}

const RESULT: &str =
    "{call,{m,main,[]}}.\n{comp,1}.\n{exec,2}.\n{node,nonode@nohost}.\n{pid,80}.\n{return,none}.\n{tracing,success}.\n";

/// Two processes send; the entry receives both, and then sends to the first, which has ended.
const RACE: &str = "-module(m).
-export([main/0]).
main() ->
    Me = self(),
    A = spawn(fun() -> Me ! a end),
    spawn(fun() -> Me ! b end),
    First = receive X -> X end,
    Second = receive Y -> Y end,
    A ! late,
    {First, Second}.
";

fn race(scratch: &Scratch, order: [u64; 2]) -> PathBuf {
    scratch.write("trace_result.log", RESULT);
    scratch.write(
        "trace_80.log",
        &format!(
            "{{trace_spawn,nonode@nohost,90,true}}.\n{{trace_spawn,nonode@nohost,91,true}}.\n{{trace_receive,{}}}.\n{{trace_receive,{}}}.",
            order[0], order[1]
        ),
    );
    scratch.write("trace_90.log", "{trace_send,0}.");
    scratch.write("trace_91.log", "{trace_send,7}.");
    scratch.write("m.erl", RACE)
}

/// The point that a target names by the log alone.
fn resolve(trace: &Trace, target: &str) -> Result<causality::Point, Error> {
    Ok(target.parse::<causality::Target>()?.resolve(trace)?)
}

//! Imports of CauDEr's logs: logs made from our own runs (the import gives the same causal log back), hand-written ones, and hostile ones.

#![expect(clippy::unwrap_used, reason = "tests")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use cauder::import;
use log_format::{ActionId, ActionNo, Kind, Pid, SendNo, Tag, Trace};
use rustc_hash::{FxHashMap, FxHashSet};
use session::error::Error;
use session::record::Text;
use session::targets::resolve;
use session::{Goal, Session};
use system::observer::{Detail, Ending, Event, Observer};
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
        Error::Usage(_) => Fault::Usage,
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
    fn action(&mut self, (): &mut (), event: &Event<'_>) {
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

#[test]
fn runs_of_the_real_tracer_come_back() {
    // The import's other messages; a different run (another return value, processes that do not end) would also be a warning.
    let nothing: &[&str] = &[];
    for (name, warnings) in [
        ("sleep_race", nothing),
        ("retry", nothing),
        ("heartbeat", nothing),
        ("sleepers", nothing),
        ("nobody_there", &["2 sends with a uid to a name that nobody had"][..]),
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
        let began = std::time::Instant::now();
        let imported = import(scratch.0.path(), &[program], &[], &scratch.trace(), None).unwrap();
        assert_eq!((imported.processes as u64, imported.entries as u64), (n + 1, 5 * n));
        began.elapsed().as_secs_f64()
    };
    // Not quadratic: eight times the processes would then take sixty-four times as long.
    let (few, many) = (seconds(250).max(0.02), seconds(2000));
    assert!(many < 30.0 * few, "{few} s, {many} s");
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

#[test]
fn the_log_decides_and_uids_are_targets() {
    for order in [[0, 7], [7, 0]] {
        let scratch = Scratch::new(&format!("race-{}", order[0]));
        let program = race(&scratch, order);
        let imported = import(scratch.0.path(), &[program], &[], &scratch.trace(), None).unwrap();
        assert!(
            imported.warnings.iter().any(|w| w.contains("have no uid")),
            "the late send is told: {:?}",
            imported.warnings
        );
        assert_eq!(imported.renamed, [(80, "0.1.0".to_owned())]);
        let trace = Trace::open(&scratch.trace()).unwrap();
        let first = resolve(&trace, &format!("rec:u{}", order[0])).unwrap();
        let second = resolve(&trace, &format!("rec:u{}", order[1])).unwrap();
        assert_eq!((first.pid, first.action.0), (Pid(1), 3));
        assert_eq!((second.pid, second.action.0), (Pid(1), 4));
        let sent = resolve(&trace, "send:u7").unwrap();
        assert_eq!((sent.pid, sent.action.0), (Pid(91), 1));
        let error = resolve(&trace, "rec:u1").unwrap_err();
        assert_eq!(fault(&error), Fault::NoTarget, "{error}");
    }
}

#[test]
fn a_late_send_that_reached_nobody_is_read_both_ways() {
    // The entry process sends twice to a process that ends; one of the two was too late, and the log does not say which.
    let scratch = Scratch::new("both");
    scratch.write("trace_result.log", RESULT);
    scratch.write("m.erl", "");
    let program = scratch.write(
        "m.erl",
        "-module(m).
-export([main/0]).
main() ->
    Me = self(),
    A = spawn(fun() -> Me ! up end),
    B = spawn(fun() -> receive go -> Me ! down end end),
    receive up -> ok end,
    A ! one,
    B ! go,
    A ! two,
    receive down -> ok end.
",
    );
    scratch.write(
        "trace_80.log",
        "{trace_spawn,_,90,true}.".replace('_', "nonode@nohost").as_str(),
    );
    let log = |sends: &str| {
        format!(
            "{{trace_spawn,nonode@nohost,90,true}}.\n{{trace_spawn,nonode@nohost,91,true}}.\n{{trace_receive,0}}.\n{sends}{{trace_receive,3}}."
        )
    };
    scratch.write("trace_90.log", "{trace_send,0}.");
    scratch.write("trace_91.log", "{trace_receive,2}.\n{trace_send,3}.");
    // Both had uids; only the first (not distinguishable from only the second if the receiver of `go` decides); none.
    for sends in [
        "{trace_send,1}.\n{trace_send,2}.\n{trace_send,4}.\n",
        "{trace_send,1}.\n{trace_send,2}.\n",
        "{trace_send,2}.\n{trace_send,4}.\n",
        "{trace_send,2}.\n",
    ] {
        scratch.write("trace_80.log", &log(sends));
        let trace = scratch
            .import(&program)
            .unwrap_or_else(|error| panic!("{sends}: {error}"));
        assert!(trace.processes().all(|p| p.unwrap().ended), "{sends}");
    }
    // One send too many matches no interpretation.
    scratch.write(
        "trace_80.log",
        &log("{trace_send,1}.\n{trace_send,2}.\n{trace_send,4}.\n{trace_send,5}.\n"),
    );
    let error = scratch.import(&program).unwrap_err();
    assert_eq!(fault(&error), Fault::BadTrace);
    let text = error.to_string();
    assert!(
        text.contains("trace_80.log") && text.contains("line 7") && text.contains("{trace_send,5}"),
        "{text}"
    );
}

#[test]
fn nodes_start_when_the_log_says() {
    // Two processes try to start one node; a third reads the list of nodes before and after.
    let scratch = Scratch::new("nodes");
    let program = scratch.write(
        "m.erl",
        "-module(m).
-export([main/0, try_start/2, look/1]).
main() ->
    A = spawn(?MODULE, try_start, [self(), a]),
    B = spawn(?MODULE, try_start, [self(), b]),
    C = spawn(?MODULE, look, [self()]),
    [receive {P, R} -> {N, R} end || {N, P} <- [{a, A}, {b, B}, {c, C}]].
try_start(To, Name) ->
    R = slave:start(site, other),
    Seen = case R of
        {ok, Node} -> P = spawn(Node, fun() -> receive {from, Q} -> Q ! node() end end), P ! {from, self()}, receive N -> N end;
        {error, _} -> taken
    end,
    To ! {self(), {Name, Seen}}.
look(To) -> One = nodes(), Two = nodes(), To ! {self(), {One, Two}}.
",
    );
    scratch.write("trace_result.log", &RESULT.replace("nonode@nohost", "hub@site"));
    for (winner, loser) in [(90, 91), (91, 90)] {
        scratch.write(
            "trace_80.log",
            "{trace_spawn,hub@site,90,true}.\n{trace_spawn,hub@site,91,true}.\n{trace_spawn,hub@site,92,true}.\n{trace_receive,10}.\n{trace_receive,11}.\n{trace_receive,12}.",
        );
        let result = |pid| if pid == 90 { 10 } else { 11 };
        scratch.write(
            &format!("trace_{winner}.log"),
            &format!(
                "{{trace_start,other@site,true}}.\n{{trace_spawn,other@site,95,true}}.\n{{trace_send,1}}.\n{{trace_receive,2}}.\n{{trace_send,{}}}.",
                result(winner)
            ),
        );
        scratch.write(
            &format!("trace_{loser}.log"),
            &format!("{{trace_start,other@site,false}}.\n{{trace_send,{}}}.", result(loser)),
        );
        scratch.write(
            "trace_92.log",
            "{trace_nodes,[]}.\n{trace_nodes,[other@site]}.\n{trace_send,12}.",
        );
        scratch.write("trace_95.log", "{trace_receive,1}.\n{trace_send,2}.");
        let trace = scratch.import(&program).unwrap();
        // Before its start, it may read what the start requires.
        let start = |pid: u64| {
            let mut kinds = trace.log(Pid(pid)).unwrap().map(|item| item.unwrap().1.kind);
            kinds.find(|kind| matches!(kind, Kind::Start { .. })).unwrap()
        };
        assert!(
            matches!(start(winner), Kind::Start { ok: true, .. }),
            "{:?}",
            start(winner)
        );
        assert!(
            matches!(start(loser), Kind::Start { ok: false, .. }),
            "{:?}",
            start(loser)
        );
        let session = Session::of(Arc::new(trace)).unwrap();
        session.replay(&Goal::everything(), system::observer::Nobody).unwrap();
    }
    // A list that is impossible: the node before it could have been started is accepted, another one is not.
    scratch.write(
        "trace_92.log",
        "{trace_nodes,[nobody@site]}.\n{trace_nodes,[other@site]}.\n{trace_send,12}.",
    );
    let error = scratch.import(&program).unwrap_err();
    assert!(error.to_string().contains("trace_92.log"), "{error}");
    assert_eq!(fault(&error), Fault::BadTrace);
}

#[test]
fn several_nodes_and_what_each_saw() {
    // A spawn on a node that has not started yet; two nodes, the second started from the first; processes of all three read the list and
    // report. The logs determine the order of the reports and the lists.
    let scratch = Scratch::new("several-nodes");
    let program = scratch.write(
        "m.erl",
        "-module(m).
-export([main/0, first/1, look/1]).
main() ->
    spawn(two@site, fun() -> ok end),
    {ok, One} = slave:start(site, one),
    spawn(One, ?MODULE, first, [self()]),
    Seen = nodes(),
    [receive {Node, L} -> {Node, L} end || _ <- [1, 2], Seen =/= none].
first(To) ->
    {ok, Two} = slave:start(site, two),
    spawn(Two, ?MODULE, look, [To]),
    To ! {node(), nodes()}.
look(To) -> To ! {node(), nodes()}.
",
    );
    scratch.write("trace_result.log", &RESULT.replace("nonode@nohost", "hub@site"));
    for (order, seen) in [
        ([31, 41], "one@site"),
        ([41, 31], "one@site"),
        ([41, 31], "one@site,two@site"),
    ] {
        scratch.write(
            "trace_80.log",
            &format!(
                "{{trace_spawn,two@site,85,false}}.\n{{trace_start,one@site,true}}.\n{{trace_spawn,one@site,90,true}}.\n{{trace_nodes,[{seen}]}}.\n\
                 {{trace_receive,{}}}.\n{{trace_receive,{}}}.",
                order[0], order[1]
            ),
        );
        scratch.write(
            "trace_90.log",
            "{trace_start,two@site,true}.\n{trace_spawn,two@site,95,true}.\n{trace_nodes,[hub@site,two@site]}.\n{trace_send,31}.",
        );
        scratch.write("trace_95.log", "{trace_nodes,[hub@site,one@site]}.\n{trace_send,41}.");
        let trace = scratch
            .import(&program)
            .unwrap_or_else(|error| panic!("{order:?}, {seen}: {error}"));
        let kinds = |pid: u64| -> Vec<Kind> {
            let count = trace.process(Pid(pid)).unwrap().counts.actions;
            (1..=count)
                .map(|n| trace.action(Pid(pid), ActionNo(n)).unwrap().kind)
                .collect()
        };
        let entry = kinds(1);
        assert!(matches!(entry[0], Kind::SpawnFailed { .. }), "{entry:?}");
        assert!(
            entry.iter().any(|kind| matches!(kind, Kind::Start { ok: true, .. })),
            "{entry:?}"
        );
        // Each process is on its node, and the first message received is as logged.
        let names = trace.nodes().unwrap();
        let node = |pid: u64| names[usize::from(trace.process(Pid(pid)).unwrap().node.0)].clone();
        assert_eq!(
            (node(1), node(90), node(95)),
            ("hub@site".into(), "one@site".into(), "two@site".into())
        );
        let place = |uid: u64| resolve(&trace, &format!("rec:u{uid}")).unwrap().action;
        assert!(place(order[0]) < place(order[1]));
        // The start of the second node is a cause of what its process did, and a target.
        let start = resolve(&trace, "start:two@site").unwrap();
        assert_eq!(start.pid, Pid(90));
        let sent = resolve(&trace, "send:u41").unwrap();
        let causes = causality::causes(
            &trace,
            ActionId {
                pid: sent.pid,
                number: sent.action,
            },
        )
        .unwrap();
        assert!(causes.contains(ActionId {
            pid: start.pid,
            number: start.action
        }));
        let session = Session::of(Arc::new(trace)).unwrap();
        session.replay(&Goal::everything(), system::observer::Nobody).unwrap();
        // Going back before that start undoes what its node did, and not the first node.
        let whole: Vec<ActionId> = session
            .trace()
            .processes()
            .map(|p| p.unwrap())
            .map(|p| ActionId::new(p.pid, p.counts.actions))
            .collect();
        let mut player = session::player::Player::new(&session, 0).unwrap();
        player.forward_to(whole).unwrap();
        player.undo(&[start.id()]).unwrap();
        assert_eq!((player.done(Pid(95)), player.done(Pid(90))), (0, start.action.0 - 1));
        assert!(player.done(Pid(1)) >= 3);
    }
    // An impossible observation is refused where it is found.
    scratch.write("trace_95.log", "{trace_nodes,[hub@site]}.\n{trace_send,41}.");
    let error = scratch.import(&program).unwrap_err();
    let said = error.to_string();
    assert!(said.contains(".log: line ") && said.contains("@site"), "{said}");
    assert_eq!(fault(&error), Fault::BadTrace, "{said}");
}

#[test]
fn a_run_that_was_cut_stops_where_the_log_ends() {
    let scratch = Scratch::new("cut");
    let program = race(&scratch, [0, 7]);
    scratch.write("trace_result.log", &RESULT.replace("success", "timeout"));
    // The tracer was stopped before it wrote the second receive and the send of uid 7.
    scratch.write(
        "trace_80.log",
        "{trace_spawn,nonode@nohost,90,true}.\n{trace_spawn,nonode@nohost,91,true}.\n{trace_receive,0}.",
    );
    std::fs::remove_file(scratch.0.path().join("trace_91.log")).unwrap();
    let trace = scratch.import(&program).unwrap();
    assert_eq!(trace.process(Pid(1)).unwrap().counts.actions, 3);
    assert_eq!(trace.process(Pid(91)).unwrap().counts.actions, 0);
    assert!(matches!(
        trace.run_end().unwrap(),
        Some(log_format::RunEnd::Interrupted(_))
    ));
    // The receive was written, the send was not: the receiver is cut there, with a warning.
    race(&scratch, [7, 0]);
    scratch.write("trace_result.log", &RESULT.replace("success", "timeout"));
    std::fs::remove_file(scratch.0.path().join("trace_91.log")).unwrap();
    let imported = import(
        scratch.0.path(),
        std::slice::from_ref(&program),
        &[],
        &scratch.trace(),
        None,
    )
    .unwrap();
    assert!(
        imported.warnings[0].contains("trace_80.log, line 3"),
        "{:?}",
        imported.warnings
    );
    // If all processes ended, that is a contradiction.
    scratch.write("trace_result.log", RESULT);
    let error = scratch.import(&program).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("line 3: expected a message that some log says was sent"),
        "{error}"
    );
}

#[test]
fn a_lying_log_is_named() {
    // The content of the logs, and what the error has to contain.
    for (file, text, expected) in [
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
    ] {
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

//! Cost and size of a trace: nanoseconds for each action written and read, bytes for each action beside the measured entropy, time
//! to open and to ask. `cargo bench -p retell-log-format`; the tables come first, then the timings.

use std::collections::{BTreeMap, VecDeque};
use std::hint::black_box;
use std::time::Instant;

use log_format::Memory;
use log_format::simulate::Random;
use log_format::{
    Access, Action, ActionId, ExitClass, Header, Kind, LogStep, Node, Pid, ProcLog, Program, RecNo, Resource, RunEnd,
    RunOutcome, SendNo, Tag, Trace, TraceWriter, Version,
};

/// What a process does, by its place.
#[derive(Clone, Debug)]
enum Op {
    Spawn(usize),
    Send(usize),
    Rec(usize, Tag),
    After(usize),
    Exit(usize),
    Other(usize, Action),
}

/// Makes a workload: processes with mailboxes in arrival order.
#[derive(Default)]
struct Workload {
    ops: Vec<Op>,
    sends: Vec<u64>,
    mailboxes: Vec<VecDeque<Tag>>,
}

const ENTRY: u64 = 100;

fn pid(at: usize) -> Pid {
    Pid(ENTRY + at as u64)
}

impl Workload {
    /// With these processes alive, spawned by the first.
    fn with(processes: usize) -> Self {
        let mut workload = Self::default();
        workload.sends.push(0);
        workload.mailboxes.push(VecDeque::new());
        for _ in 1..processes {
            workload.spawn(0);
        }
        workload
    }

    fn spawn(&mut self, parent: usize) -> usize {
        self.ops.push(Op::Spawn(parent));
        self.sends.push(0);
        self.mailboxes.push(VecDeque::new());
        self.sends.len() - 1
    }

    fn send(&mut self, from: usize, to: usize) {
        self.sends[from] += 1;
        self.ops.push(Op::Send(from));
        self.mailboxes[to].push_back(Tag::Sent {
            by: pid(from),
            k: SendNo(self.sends[from]),
        });
    }

    fn rec(&mut self, at: usize) -> Option<usize> {
        let tag = self.mailboxes[at].pop_front()?;
        self.ops.push(Op::Rec(at, tag));
        tag.sender().map(|by| (by.0 - ENTRY) as usize)
    }
}

fn random(processes: usize, actions: usize, free: bool) -> Workload {
    let (mut workload, mut random) = (Workload::with(processes), Random(1));
    let mut any = || random.below(processes as u64) as usize;
    for at in 0..processes {
        let to = any();
        workload.send(at, to);
    }
    while workload.ops.len() < actions {
        let at = any();
        if free && any() % 2 == 0 || workload.rec(at).is_some() {
            let to = any();
            workload.send(at, to);
        }
    }
    workload
}

fn ping_pong(actions: usize) -> Workload {
    let mut workload = Workload::with(2);
    workload.send(0, 1);
    while workload.ops.len() < actions {
        for at in [1, 0] {
            workload.rec(at);
            workload.send(at, 1 - at);
        }
    }
    workload
}

fn ring(actions: usize) -> Workload {
    let mut workload = Workload::with(100);
    workload.send(0, 1);
    for at in (1..100).chain(0..1).cycle() {
        workload.rec(at);
        workload.send(at, (at + 1) % 100);
        if workload.ops.len() >= actions {
            return workload;
        }
    }
    workload
}

/// One server, clients that call it in random order and wait for the answer.
fn server(clients: usize, actions: usize) -> Workload {
    let (mut workload, mut random) = (Workload::with(clients + 1), Random(2));
    for client in 1..=clients {
        workload.send(client, 0);
    }
    while workload.ops.len() < actions {
        let at = random.below(clients as u64) as usize + 1;
        if workload.mailboxes[at].is_empty() {
            if let Some(client) = workload.rec(0) {
                workload.send(0, client);
            }
        } else {
            workload.rec(at);
            workload.send(at, 0);
        }
    }
    workload
}

fn fan_in(actions: usize) -> Workload {
    let (mut workload, mut random) = (Workload::with(101), Random(3));
    while workload.ops.len() < actions {
        let from = random.below(100) as usize + 1;
        workload.send(from, 0);
        if random.below(4) > 0 {
            workload.rec(0);
        }
    }
    workload
}

/// Children that get a message, answer and end.
fn storm(actions: usize) -> Workload {
    let (mut workload, mut random) = (Workload::with(1), Random(4));
    let mut alive = Vec::new();
    while workload.ops.len() < actions {
        if alive.len() < 50 {
            let child = workload.spawn(0);
            workload.send(0, child);
            alive.push(child);
        } else {
            let child = alive.swap_remove(random.below(alive.len() as u64) as usize);
            workload.rec(child);
            workload.send(child, 0);
            workload.ops.push(Op::Exit(child));
            workload.rec(0);
        }
    }
    workload
}

/// Clients that send to a registered name, with a timeout now and then.
fn named(actions: usize) -> Workload {
    let mut workload = server(10, actions);
    let access = Access::read(
        Resource::Name(log_format::TextId(0)),
        Version(1),
        Some(ActionId::new(pid(0), 3)),
    );
    let action = Action::new(Kind::Send).with_accesses(vec![access]);
    let mut n = 0;
    for op in &mut workload.ops {
        if let Op::Send(at @ 1..) = op {
            *op = Op::Other(*at, action.clone());
        }
    }
    workload.ops = workload
        .ops
        .into_iter()
        .flat_map(|op| {
            n += 1;
            let timeout = if n % 50 == 0 { Some(Op::After(1)) } else { None };
            [Some(op), timeout].into_iter().flatten()
        })
        .collect();
    workload
}

/// Nanoseconds on a processor, as the system counts them for this thread; else of the clock.
fn processor_time(since: Instant) -> f64 {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let counted = stat.split_whitespace().next().and_then(|ns| ns.parse().ok());
    counted.unwrap_or(since.elapsed().as_nanos() as f64)
}

fn perform(logs: &mut Vec<ProcLog>, op: &Op) {
    match op {
        Op::Send(at) => logs[*at].send(),
        Op::Rec(at, tag) => logs[*at].rec(*tag),
        Op::After(at) => logs[*at].after(),
        Op::Exit(at) => logs[*at].exit(ExitClass::Normal),
        Op::Other(at, action) => logs[*at].action(action),
        Op::Spawn(parent) => {
            let child = pid(logs.len());
            logs[*parent].spawn(child, None);
            logs.push(ProcLog::child(child, Node(0), &logs[*parent]));
        }
    }
}

/// Records a workload: the file, and nanoseconds for each action, with and without flushing.
fn record(workload: &Workload) -> (Vec<u8>, f64, f64) {
    let memory = Memory::default();
    let mut writer = TraceWriter::new(Box::new(memory.clone()), &Header::default(), &Program::default(), 0)
        .expect("memory takes everything");
    writer.text("server");
    let mut logs = vec![ProcLog::entry(Pid(ENTRY), Node(0))];
    let zero = Instant::now();
    let (mut encoding, mut flushing) = (0.0, 0.0);
    for part in workload.ops.chunks(50_000) {
        let start = processor_time(zero);
        for op in part {
            perform(&mut logs, op);
        }
        let encoded = processor_time(zero);
        writer.cut(&mut logs).expect("memory takes everything");
        encoding += encoded - start;
        flushing += processor_time(zero) - encoded;
    }
    let outcome = RunOutcome {
        run: RunEnd::Returned("ok".into()),
        processes: Vec::new(),
    };
    let start = processor_time(zero);
    writer.finish(&mut logs, &outcome).expect("memory takes everything");
    flushing += processor_time(zero) - start;
    let actions = workload.ops.len() as f64;
    (memory.bytes(), encoding / actions, (encoding + flushing) / actions)
}

/// Entropy of a workload in bytes for each action: of the sender and of the gap of each receive, given the receiver, as counted (what the budget
/// means); and with how many plain sends follow each other, and corrected for few observations [Miller-Madow], which is closer to the least that
/// any code takes.
fn entropy(workload: &Workload) -> (f64, f64) {
    type Counts<K> = BTreeMap<usize, BTreeMap<K, f64>>;
    let (mut senders, mut gaps, mut runs): (Counts<Pid>, Counts<u64>, Counts<u64>) = Default::default();
    let mut last: BTreeMap<(usize, Pid), u64> = BTreeMap::new();
    let mut run: BTreeMap<usize, u64> = BTreeMap::new();
    for op in &workload.ops {
        let at = match op {
            Op::Send(at) => {
                *run.entry(*at).or_default() += 1;
                continue;
            }
            Op::Spawn(at) | Op::Rec(at, _) | Op::After(at) | Op::Exit(at) | Op::Other(at, _) => *at,
        };
        let sends = run.remove(&at).unwrap_or_default();
        *runs.entry(at).or_default().entry(sends).or_default() += 1.0;
        if let Op::Rec(at, Tag::Sent { by, k }) = op {
            let gap = k.0 - last.insert((*at, *by), k.0).unwrap_or(0);
            *senders.entry(*at).or_default().entry(*by).or_default() += 1.0;
            *gaps.entry(*at).or_default().entry(gap).or_default() += 1.0;
        }
    }
    // Bits of all observations, as counted, and the correction.
    fn bits<K>(counts: Counts<K>) -> (f64, f64) {
        let (mut counted, mut correction) = (0.0, 0.0);
        for of_one in counts.into_values() {
            let all: f64 = of_one.values().sum();
            counted -= of_one.values().map(|n| n * (n / all).log2()).sum::<f64>();
            correction += (of_one.len() as f64 - 1.0) / 2.0 * std::f64::consts::LOG2_E;
        }
        (counted, correction)
    }
    let (senders, gaps, runs) = (bits(senders), bits(gaps), bits(runs));
    let actions = workload.ops.len() as f64 * 8.0;
    let received = senders.0 + gaps.0;
    let all = received + senders.1 + gaps.1 + runs.0 + runs.1;
    (received / actions, all / actions)
}

fn workloads(actions: usize) -> Vec<(&'static str, Workload)> {
    vec![
        ("100 at random", random(100, actions, false)),
        ("100 at random, sends apart", random(100, actions, true)),
        ("1000 at random", random(1000, 8 * actions, false)),
        ("ping-pong", ping_pong(actions)),
        ("ring of 100", ring(actions)),
        ("server, 10 clients", server(10, actions)),
        ("server, 1000 clients", server(1000, actions)),
        ("fan-in of 100", fan_in(actions)),
        ("spawn storm", storm(actions)),
        ("named server, timeouts", named(actions)),
    ]
}

fn read_all(trace: &Trace) -> u64 {
    let mut actions = 0;
    for process in trace.processes() {
        let process = process.expect("the trace is good");
        let mut log = trace.log(process.pid).expect("the trace is good").without_values();
        while let Some(step) = log.step(u64::MAX).expect("the trace is good") {
            actions += match step {
                LogStep::Sends(n) => n,
                LogStep::Action(action) => {
                    black_box(action);
                    1
                }
            };
        }
    }
    actions
}

type Make<'a> = Box<dyn FnMut(u64) -> Action + 'a>;

fn received(by: u64, k: u64) -> Kind {
    Kind::Rec(Tag::Sent {
        by: pid(by as usize),
        k: SendNo(k),
    })
}

/// The kinds that are measured, each with what makes its n-th action.
fn samples<'a>(from_many: &'a mut dyn FnMut(u64) -> Action) -> Vec<(&'static str, Make<'a>)> {
    let name = |version| {
        Access::read(
            Resource::Name(log_format::TextId(0)),
            Version(version),
            Some(ActionId::new(pid(0), 3)),
        )
    };
    let alive = |n: u64| {
        Access::read(
            Resource::Alive(pid(n as usize)),
            Version(1),
            Some(ActionId::new(pid(0), n)),
        )
    };
    let table = log_format::ObjectId { creator: pid(0), k: 1 };
    vec![
        ("send", Box::new(|_| Action::new(Kind::Send))),
        ("rec, one sender", Box::new(|n| Action::new(received(1, n + 1)))),
        ("rec, 100 senders at random", Box::new(from_many)),
        ("after", Box::new(|_| Action::new(Kind::After))),
        (
            "spawn",
            Box::new(|n| {
                Action::new(Kind::Spawn {
                    child: pid(n as usize + 1),
                    node: None,
                })
            }),
        ),
        (
            "send to a name",
            Box::new(move |_| Action::new(Kind::Send).with_accesses(vec![name(1)])),
        ),
        (
            "link or monitor of another process",
            Box::new(move |n| Action::new(Kind::Access).with_accesses(vec![alive(n + 1)])),
        ),
        (
            "write of another key of a table",
            Box::new(move |n| {
                let resource = Resource::TableKey {
                    table,
                    key: n.wrapping_mul(0x9e37_79b9_7f4a_7c15),
                };
                Action::new(Kind::Access).with_accesses(vec![Access::write(resource, Version(n + 1))])
            }),
        ),
        (
            "input of 10 bytes",
            Box::new(|_| Action::new(Kind::Input { value: vec![1; 10] })),
        ),
        (
            "output",
            Box::new(|_| {
                Action::new(Kind::Output {
                    device: log_format::Device::Stdout,
                    bytes: 20,
                })
            }),
        ),
        (
            "'DOWN' of another process",
            Box::new(|n| {
                Action::new(Kind::Rec(Tag::EndRef {
                    by: pid(n as usize + 1),
                    owner: pid(0),
                    k: n + 1,
                }))
            }),
        ),
    ]
}

/// Bytes of blocks for a thousand actions of one kind, as a process that does nothing else would log them, and nanoseconds for each. With `only`, this
/// kind alone is made (and logged, if said) so many times and nothing is printed: for counting instructions.
fn kinds(only: Option<(&str, u64, bool)>) {
    let mut random = Random(9);
    let mut draws: Vec<u64> = Vec::new();
    draws.resize_with(1 << 20, || random.below(100));
    let mut last = [0u64; 100];
    let mut from_many = |n: u64| {
        let by = draws[n as usize];
        last[by as usize] += 1;
        Action::new(received(by + 1, last[by as usize]))
    };
    let kinds = samples(&mut from_many);
    if let Some((wanted, times, log_them)) = only {
        let mut log = ProcLog::entry(pid(0), Node(0));
        for (_, mut make) in kinds.into_iter().filter(|(name, _)| *name == wanted) {
            for n in 0..times {
                let action = black_box(make(n));
                if log_them {
                    log_one(&mut log, &action);
                }
            }
        }
        black_box(log);
        return;
    }
    println!("{:<40}{:>10}{:>10}", "kind, repeated", "bytes", "ns");
    for (name, make) in kinds {
        measure_kind(name, make);
    }
}

fn measure_kind(name: &str, make: Make<'_>) {
    const MANY: u64 = 1000;
    let actions: Vec<Action> = (0..MANY * 100).map(make).collect();
    let zero = Instant::now();
    // The system counts a thread's time by ticks of some milliseconds.
    let ns = (0..5).map(|_| {
        let start = processor_time(zero);
        for _ in 0..40 {
            let mut log = ProcLog::entry(pid(0), Node(0));
            actions.iter().for_each(|action| log_one(&mut log, action));
            black_box(log);
        }
        (processor_time(zero) - start) / (40 * actions.len()) as f64
    });
    let ns = ns.fold(f64::INFINITY, f64::min);
    let memory = Memory::default();
    let mut writer = TraceWriter::new(Box::new(memory.clone()), &Header::default(), &Program::default(), 0)
        .expect("memory takes everything");
    writer.text("server");
    let mut log = ProcLog::entry(pid(0), Node(0));
    actions
        .iter()
        .take(MANY as usize)
        .for_each(|action| log_one(&mut log, action));
    let outcome = RunOutcome {
        run: RunEnd::Deadlock,
        processes: Vec::new(),
    };
    writer.finish([&mut log], &outcome).expect("memory takes everything");
    let trace = Trace::from_bytes(memory.bytes()).expect("the trace is good");
    println!("{name:<40}{:>10.2}{ns:>10.1}", trace.sizes().0 as f64 / MANY as f64);
}

/// As a recorder does: what is most frequent needs no action.
fn log_one(log: &mut ProcLog, action: &Action) {
    match &action.kind {
        Kind::Send if action.accesses.is_empty() => log.send(),
        Kind::Rec(tag) if action.accesses.is_empty() => log.rec(*tag),
        _ => log.action(action),
    }
}

fn tables() {
    // `CODEC_KIND='after,100000,log'` (or `,make`) under callgrind: the difference of the two is what logging costs.
    if let Ok(text) = std::env::var("CODEC_KIND") {
        let parts: Vec<&str> = text.rsplitn(3, ',').collect();
        if let [mode, times, kind] = parts[..] {
            kinds(Some((kind, times.parse().expect("a number"), mode == "log")));
        }
        std::process::exit(0);
    }
    kinds(None);
    println!(
        "{:<28}{:>9}{:>11}{:>8}{:>8}{:>9}{:>9}{:>8}{:>8}",
        "workload", "actions", "bytes/act", "blocks", "index", "entropy", "of all", "ns enc", "ns all"
    );
    for (name, workload) in workloads(1_000_000) {
        // The least of several: the machine may be busy with other things.
        let (mut bytes, mut encoding, mut all) = record(&workload);
        for _ in 0..6 {
            let again = record(&workload);
            bytes = again.0;
            encoding = encoding.min(again.1);
            all = all.min(again.2);
        }
        let actions = workload.ops.len() as f64;
        let trace = Trace::from_bytes(bytes).expect("the trace is good");
        assert_eq!(read_all(&trace), workload.ops.len() as u64);
        let (blocks, index) = trace.sizes();
        let (floor, all_entropy) = entropy(&workload);
        let size = (blocks + index) as f64 / actions;
        println!(
            "{name:<28}{actions:>9}{size:>11.3}{:>8.3}{:>8.3}{floor:>9.3}{all_entropy:>9.3}{encoding:>8.1}{all:>8.1}",
            blocks as f64 / actions,
            index as f64 / actions,
        );
        if name == "spawn storm" {
            let processes = trace.totals().processes as f64;
            let parent = trace.process(Pid(ENTRY)).expect("the trace is good").counts;
            println!(
                "    {:.2} bytes for each process of 3 actions, the parent's {} actions among them",
                (blocks + index) as f64 / processes,
                parent.actions
            );
        }
    }
    let workload = random(100, 20_000_000, false);
    let (bytes, ..) = record(&workload);
    let path = std::env::temp_dir().join("log-format-bench.trace");
    std::fs::write(&path, &bytes).expect("the temporary directory can be written");
    let start = Instant::now();
    let trace = Trace::open(&path).expect("the trace is good");
    let opened = start.elapsed();
    let start = Instant::now();
    let last = trace.totals().counts.receives;
    for number in 1..=1000 {
        black_box(trace.rec(RecNo(last * number / 1000)).expect("the trace is good"));
    }
    let asked = start.elapsed() / 1000;
    let mut cut = bytes;
    cut.truncate(cut.len() - 1);
    let length = cut.len();
    let start = Instant::now();
    black_box(Trace::from_bytes(cut).expect("the trace is good"));
    let rebuilt = start.elapsed();
    println!(
        "{} MB: open {opened:?}, rec:N {asked:?} each, index made again in {rebuilt:?}",
        length >> 20
    );
    std::fs::remove_file(&path).expect("it was written");
}

fn timings() {
    for (name, workload) in workloads(200_000) {
        let actions = workload.ops.len() as u64;
        steady::print_speed(&format!("write {name}"), actions, || {
            let mut logs = vec![ProcLog::entry(Pid(ENTRY), Node(0))];
            workload.ops.iter().for_each(|op| perform(&mut logs, op));
            logs
        });
        let trace = Trace::from_bytes(record(&workload).0).expect("the trace is good");
        steady::print_speed(&format!("read {name}"), actions, || read_all(&trace));
    }
}

fn main() {
    tables();
    timings();
}

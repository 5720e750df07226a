//! Cost of causes and orders: for each cause, and with how large a trace they lie in. `cargo bench -p retell-causality`.

use std::time::Instant;

use causality::{causal_order, causes, consequences};
use log_format::Memory;
use log_format::{
    ActionId, Cut, Header, Node, Pid, ProcLog, Program, RunEnd, RunOutcome, SendNo, Tag, Trace, TraceWriter,
};

/// Groups of a server and nine clients that call it in turn; `calls` for each group. Every group is independent of the others.
fn groups(groups: u64, calls: u64) -> Vec<u8> {
    let memory = Memory::default();
    let mut writer = TraceWriter::new(Box::new(memory.clone()), &Header::default(), &Program::default(), 0)
        .expect("memory takes everything");
    let mut logs = vec![ProcLog::entry(Pid(1), Node(0))];
    for n in 0..groups * 10 {
        let child = Pid(2 + n);
        logs[0].spawn(child, None);
        let log = ProcLog::child(child, Node(0), &logs[0]);
        logs.push(log);
    }
    for part in 0..calls.div_ceil(100) {
        for group in 0..groups {
            let first = 1 + group as usize * 10;
            for call in part * 100..calls.min((part + 1) * 100) {
                let (server, client) = (first, first + 1 + call as usize % 9);
                logs[client].send();
                let tag = Tag::Sent {
                    by: logs[client].pid(),
                    k: logs[client].last_send(),
                };
                logs[server].rec(tag);
                logs[server].send();
                let tag = Tag::Sent {
                    by: logs[server].pid(),
                    k: SendNo(call + 1),
                };
                logs[client].rec(tag);
            }
        }
        writer.cut(&mut logs).expect("memory takes everything");
    }
    let outcome = RunOutcome {
        run: RunEnd::Deadlock,
        processes: Vec::new(),
    };
    writer.finish(&mut logs, &outcome).expect("memory takes everything");
    memory.bytes()
}

fn open(bytes: Vec<u8>) -> Trace {
    Trace::from_bytes(bytes).expect("the trace is good")
}

fn tables() {
    println!("one group, calls one after the other: all is a cause");
    println!(
        "{:>10}{:>12}{:>14}{:>14}{:>14}",
        "actions", "causes", "causes ns", "order ns", "future ns"
    );
    for calls in [250, 2_500, 25_000, 250_000, 2_500_000] {
        let trace = open(groups(1, calls));
        let server = Pid(2);
        let last = trace.process(server).expect("it is there").counts.last_action();
        let start = Instant::now();
        let slice = causes(
            &trace,
            ActionId {
                pid: server,
                number: last,
            },
        )
        .expect("the trace is good");
        let caused = start.elapsed();
        let start = Instant::now();
        let ordered = causal_order(&trace, &slice).expect("the slice is good").count();
        let order = start.elapsed();
        assert!(ordered > 0);
        let start = Instant::now();
        let future = consequences(&trace, ActionId::new(Pid(1), 1)).expect("the trace is good");
        let forward = start.elapsed();
        assert!(future.actions() > calls);
        let each = |time: std::time::Duration, n: u64| time.as_nanos() as f64 / n as f64;
        println!(
            "{:>10}{:>12}{:>14.1}{:>14.1}{:>14.1}",
            trace.totals().counts.actions,
            slice.actions(),
            each(caused, slice.actions()),
            each(order, slice.actions()),
            each(forward, trace.totals().counts.actions)
        );
    }
    println!("1,000 causes in a growing trace of independent groups");
    println!("{:>10}{:>12}{:>10}{:>14}", "actions", "bytes", "causes", "µs");
    for n in [10, 100, 1_000, 10_000] {
        let server = Pid(2 + (n / 2) * 10);
        let path = std::env::temp_dir().join(format!("causality-bench-{n}.trace"));
        std::fs::write(&path, groups(n, 1_000)).expect("the temporary directory can be written");
        let start = Instant::now();
        let trace = Trace::open(&path).expect("the trace is good");
        let slice = causes(&trace, ActionId::new(server, 400)).expect("the trace is good");
        let time = start.elapsed();
        // The spawns of the groups before are causes too: one action for each process.
        let without = slice.iter().filter(|last| last.pid != Pid(1)).collect::<Cut>();
        println!(
            "{:>10}{:>12}{:>10}{:>14}",
            trace.totals().counts.actions,
            trace.bytes(),
            without.actions(),
            time.as_micros()
        );
        std::fs::remove_file(&path).expect("it was written");
    }
}

fn main() {
    tables();
    let trace = open(groups(100, 1_000));
    steady::print_speed("causes of 1,000 actions", 1, || {
        causes(&trace, ActionId::new(Pid(2), 400)).expect("the trace is good")
    });
}

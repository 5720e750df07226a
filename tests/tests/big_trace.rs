//! A big trace opens immediately, and a request costs as much as its causes: a real run of many independent groups.
//!
//! A trace of about 6 MB; in a deep run one of 1 GB. Prints its measurements; a deep run also asserts the budgets of work and memory.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "helpers of tests, outside of test functions")]

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use log_format::{Status, Trace};
use tests::{BinaryRun, Folder, binary, root};

/// Approximate number of bytes for a hundred groups.
const HUNDRED: u64 = 232_000;

/// Runs `replay ARGS…` five times: the least time of the processor in milliseconds, and the largest resident memory in MB (0 if unavailable).
fn cost(folder: &Path, args: &[&str]) -> (f64, f64) {
    let (mut least, mut memory) = (f64::INFINITY, 0f64);
    let timer = Path::new("/usr/bin/time").exists();
    for _ in 0..5 {
        let outcome = BinaryRun::new("replay", folder, args).run().expect(0);
        least = least.min(outcome.work.as_secs_f64() * 1e3);
    }
    if timer {
        let output = Command::new("/usr/bin/time")
            .args(["-f", "%M"])
            .arg(binary("replay"))
            .args(args)
            .current_dir(folder)
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        let kilobytes: f64 = text.lines().last().unwrap_or_default().trim().parse().unwrap_or(0.0);
        memory = kilobytes / 1024.0;
    }
    (least, memory)
}

#[test]
fn a_big_trace_opens_at_once() {
    let megabytes = seeds::many(6, 1_000);
    let folder = Folder::new("big");
    let hundreds = (megabytes * 1_000_000 / HUNDRED).max(2).to_string();
    let program = root().join("benches/programs/groups.erl");
    let start = Instant::now();
    let run = Command::new(binary("tracer"))
        .args(["run", "--virtual-time", "--quiet", "-o", "big.bin"])
        .arg(program)
        .args(["--", &hundreds])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let path = folder.path().join("big.bin");
    let length = std::fs::metadata(&path).unwrap().len();
    let trace = Trace::open(&path).unwrap();
    let totals = trace.totals();
    let (blocks, index) = trace.sizes();
    println!(
        "recorded in {:.1} s: {length} bytes, {} actions of {} processes; {:.3} bytes an action in blocks, {:.3} in the index",
        start.elapsed().as_secs_f64(),
        totals.counts.actions,
        totals.processes,
        blocks as f64 / totals.counts.actions as f64,
        index as f64 / totals.counts.actions as f64,
    );
    // A server in the middle of the run, at its 150th request, which has about a thousand causes.
    let processes = totals.processes;
    let middle = (processes / 2..)
        .map(log_format::Pid)
        .find(|pid| trace.process(*pid).unwrap().counts.actions > 2000)
        .unwrap();
    let target = format!("event:{middle}/300");
    drop(trace);
    let big = seeds::deep();
    for args in [
        &["info", "big.bin"][..],
        &["causes", &target, "big.bin"],
        &["--until", &target, "big.bin"],
    ] {
        let (ms, mb) = cost(folder.path(), args);
        println!("replay {}: {ms:.0} ms of work, {mb:.1} MB resident", args.join(" "));
        assert!(!big || mb < 64.0, "{args:?} took {mb:.1} MB");
        // The budget is 50 ms; a busy machine has smaller caches.
        assert!(!big || ms < 250.0, "{args:?} took {ms:.1} ms");
    }
    // Without its index.
    let file = std::fs::OpenOptions::new().write(true).open(&path).unwrap();
    file.set_len(length - 1).unwrap();
    let start = Instant::now();
    let trace = Trace::open(&path).unwrap();
    let took = start.elapsed().as_secs_f64();
    println!(
        "index made again in {took:.2} s, {:.0} MB/s",
        length as f64 / 1e6 / took
    );
    assert!(matches!(trace.status(), Status::IndexRebuilt { .. }));
    assert_eq!(trace.totals(), totals);
}

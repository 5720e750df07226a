//! Reads a trace: what was run, its processes, and the signals that each received.
//!
//! `cargo run -p retell-log-format --example read_trace -- fixtures/traces/1.0/account.trace`

use std::process::ExitCode;

use log_format::{Kind, Pid, Result, Trace};

fn main() -> ExitCode {
    let Some(path) = std::env::args_os().nth(1) else {
        eprintln!("usage: read_trace TRACE");
        return ExitCode::FAILURE;
    };
    match Trace::open(path.as_ref()).and_then(|trace| show(&trace)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{}: {error}", path.display());
            ExitCode::FAILURE
        }
    }
}

fn show(trace: &Trace) -> Result<()> {
    let totals = trace.totals();
    println!(
        "{}: {} processes, {}",
        trace.header().entry,
        totals.processes,
        totals.counts
    );
    for process in trace.processes() {
        let process = process?;
        match process.parent {
            Some(spawn) => println!("{} was spawned by {spawn}", process.pid),
            None => println!("{} is the entry process", process.pid),
        }
        received(trace, process.pid)?;
    }
    Ok(())
}

fn received(trace: &Trace, pid: Pid) -> Result<()> {
    for action in trace.log(pid)? {
        let (number, action) = action?;
        let Kind::Rec(tag) = action.kind else { continue };
        match trace.find_send(tag)? {
            Some(send) => println!("  event:{pid}/{number} received {tag}, sent by {send}"),
            None => println!("  event:{pid}/{number} received {tag}, sent by the runtime"),
        }
    }
    Ok(())
}

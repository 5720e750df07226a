//! Prints the causes of an action, or of anything else that `replay --until` takes, in an order in which they can happen.
//!
//! `cargo run -p retell-causality --example causes -- fixtures/traces/1.0/account.trace rec:5`

use std::error::Error;
use std::process::ExitCode;

use causality::{Target, causal_order};
use log_format::Trace;

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let (Some(path), Some(target)) = (args.next(), args.next()) else {
        eprintln!("usage: causes TRACE TARGET");
        return ExitCode::FAILURE;
    };
    match show(&path, &target) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{path}: {error}");
            ExitCode::FAILURE
        }
    }
}

fn show(path: &str, target: &str) -> Result<(), Box<dyn Error>> {
    let trace = Trace::open(path.as_ref())?;
    let target: Target = target.parse()?;
    let causes = target.resolve(&trace)?.causes(&trace)?;
    println!("{} actions of {} processes", causes.actions(), causes.processes());
    for stretch in causal_order(&trace, &causes)? {
        for action in stretch?.iter() {
            let word = trace.action(action.pid, action.number)?.kind.word();
            println!("{action} {word}");
        }
    }
    Ok(())
}

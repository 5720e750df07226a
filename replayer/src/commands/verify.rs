//! `replay verify`: every byte of a trace, and that its program still does what was recorded.

use log_format::Status;
use serde::Serialize;
use system::observer::Nobody;

use crate::cli::{ShowArgs, VerifyArgs};
use crate::commands::{Out, open};
use crate::error::Error;
use crate::exit::Exit;
use crate::session::{Goal, Session};
use crate::words::{count, duration};

#[derive(Serialize)]
struct Verified {
    actions: u64,
    processes: u64,
    complete: bool,
    seconds: f64,
}

/// Runs `replay verify`.
///
/// # Errors
/// The trace is damaged; its program diverges from it.
pub fn run(args: &VerifyArgs, out: &mut Out<'_>) -> Result<Exit, Error> {
    let trace = open(&args.trace)?;
    trace.verify_sections().map_err(|e| Error::from(e).about(&args.trace))?;
    if let Status::IndexRebuilt { end, why } = trace.status() {
        let found = format!("a damaged one ({why}); the actions before it are whole and can be replayed");
        return Err(Error::from(log_format::Error::damaged(*end, "an index", found)).about(&args.trace));
    }
    let started = std::time::Instant::now();
    let session = Session::of(trace).map_err(|e| e.about(&args.trace))?;
    let system = session.replay(&Goal::everything(), Nobody)?;
    let view = Verified {
        actions: system.total_actions,
        processes: system.table().born() as u64,
        complete: !matches!(session.trace().status(), Status::Incomplete { .. }),
        seconds: started.elapsed().as_secs_f64(),
    };
    let show = ShowArgs {
        all: false,
        width: None,
    };
    out.view(&view, show, |sink, view, _| {
        let part = if view.complete {
            ""
        } else {
            "; the trace is incomplete, what is there is whole"
        };
        writeln!(
            sink,
            "every byte is as written; {} of {} replayed as recorded, in {}{part}",
            count(view.actions, "action"),
            count(view.processes, "process"),
            duration(view.seconds)
        )
    })?;
    Ok(Exit::Success)
}

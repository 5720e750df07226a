//! `replay log`: recorded actions, process by process, each as a target that can be pasted.

use log_format::{Action, ActionNo, Kind, Pid, SendNo, Tag, Trace};
use rustc_hash::FxHashMap;

use crate::cli::shared::Format;
use crate::commands::{Out, open};
use crate::exchange;
use crate::exit::Exit;
use crate::view::{Act, ActKind};
use clap::Args;
use session::error::Error;
use session::name::ActionTally;
use std::path::PathBuf;
use system::whole_number;

/// `replay log`.
#[derive(Args, Debug)]
#[command(after_help = "Example: replay log --pid 0.7.0 --kind rec my.bin")]
pub struct LogArgs {
    /// The trace
    #[arg(value_name = "TRACE")]
    pub trace: PathBuf,
    /// Only this process, such as 0.7.0 or a registered name; may be repeated
    #[arg(short, long = "pid", alias = "process", value_name = "PID")]
    pub processes: Vec<String>,
    /// Only actions of this kind; may be repeated
    #[arg(short, long = "kind", value_name = "KIND", help = format!("Only actions of this kind; may be repeated. Kinds: {}", log_format::Kind::WORDS.join(", ")))]
    pub kinds: Vec<String>,
    /// Begin at this action of each process
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true, value_parser = whole_number(0..=u64::MAX))]
    pub from: u64,
    /// End after this action of each process
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole_number(0..=u64::MAX))]
    pub to: Option<u64>,
    /// End after this many lines
    #[arg(short = 'n', long, value_name = "N", allow_negative_numbers = true, value_parser = whole_number(0..=u64::MAX))]
    pub limit: Option<u64>,
}

/// Runs `replay log`.
///
/// # Errors
/// The file cannot be read or is not a trace; there is no such process or kind; standard output cannot be written.
pub fn run(args: &LogArgs, out: &mut Out<'_>) -> Result<Exit, Error> {
    if let Some(kind) = args.kinds.iter().find(|kind| !Kind::WORDS.contains(&kind.as_str())) {
        let kind = kind.escape_debug();
        return Err(Error::Usage(format!(
            "`{kind}` is not a kind of action: expected one of {}",
            Kind::WORDS.join(", ")
        )));
    }
    let trace = open(&args.trace)?;
    if out.csv {
        writeln!(out.sink, "{COLUMNS}")?;
    }
    list(&trace, args, out).map_err(|e| e.about(&args.trace))?;
    out.sink.flush()?;
    Ok(Exit::Success)
}

fn list(trace: &Trace, args: &LogArgs, out: &mut Out<'_>) -> Result<(), Error> {
    let mut left = args.limit.unwrap_or(u64::MAX);
    let wanted: Option<Vec<Pid>> = match args.processes.as_slice() {
        [] => None,
        names => Some(
            names
                .iter()
                .map(|name| Ok(name.parse::<causality::ProcessRef>()?.resolve(trace)?))
                .collect::<Result<_, Error>>()?,
        ),
    };
    let uids = causality::uids(trace);
    let each = |pid: Pid, left: &mut u64, out: &mut Out<'_>| one(trace, pid, &uids, args, left, out);
    match wanted {
        Some(pids) => pids.into_iter().try_for_each(|pid| each(pid, &mut left, out)),
        None => {
            for process in trace.processes() {
                each(process?.pid, &mut left, out)?;
                if left == 0 {
                    break;
                }
            }
            Ok(())
        }
    }
}

/// CauDEr's uid of the message that an action sends or receives.
fn uid(uids: &FxHashMap<Tag, u64>, pid: Pid, action: &Action, tally: &ActionTally) -> Option<u64> {
    let tag = match action.kind {
        Kind::Rec(tag) => tag,
        Kind::Send => Tag::Sent {
            by: pid,
            k: SendNo(tally.counts.sends),
        },
        _ => return None,
    };
    uids.get(&tag).copied()
}

fn one(
    trace: &Trace,
    pid: Pid,
    uids: &FxHashMap<Tag, u64>,
    args: &LogArgs,
    left: &mut u64,
    out: &mut Out<'_>,
) -> Result<(), Error> {
    let base = trace.process(pid)?.base;
    let mut tally = ActionTally::default();
    let mut log = trace.log(pid)?;
    if out.format != Format::Json {
        log = log.without_values();
    }
    for item in log {
        let (number, action) = item?;
        tally.add(&action);
        if number < ActionNo(args.from)
            || !(args.kinds.is_empty() || args.kinds.iter().any(|k| k == action.kind.word()))
        {
            continue;
        }
        if *left == 0 || args.to.is_some_and(|to| number > ActionNo(to)) {
            return Ok(());
        }
        *left -= 1;
        let target = || session::name::target(pid, &action, &tally, base);
        match out.format {
            Format::Json => exchange::write::line(trace, pid, number.0, &target(), &action, out.sink)?,
            Format::Text if out.csv => {
                let act = session::act::from_log(trace, pid, &action, &tally, base);
                writeln!(out.sink, "{}", row(&act, action.sends))?;
            }
            Format::Text => {
                let act = session::act::from_log(trace, pid, &action, &tally, base);
                match uid(uids, pid, &action, &tally) {
                    Some(uid) => writeln!(out.sink, "{}; u{uid}", line(&act, out))?,
                    None => writeln!(out.sink, "{}", line(&act, out))?,
                }
            }
        }
    }
    Ok(())
}

/// The names of the columns of [`row`].
const COLUMNS: &str = "pid,number,target,kind,peer,signal,sends,content,accesses";

/// One row of a table (RFC 4180).
fn row(act: &Act, sends: u32) -> String {
    let fields = [
        act.pid.to_string(),
        act.number.to_string(),
        act.target.clone(),
        act.kind.word().to_owned(),
        act.peer.map_or_else(String::new, |pid| pid.to_string()),
        act.signal.map_or_else(String::new, |tag| tag.to_string()),
        sends.to_string(),
        act.content.as_deref().unwrap_or_default().to_owned(),
        session::shared::joined(&act.accesses),
    ];
    fields.map(|field| cell(&field)).join(",")
}

/// A cell, quoted if necessary. A text that a spreadsheet would take for a formula gets a quote in front.
pub(crate) fn cell(text: &str) -> String {
    let text = if text.starts_with(['=', '+', '-', '@']) {
        format!("'{text}")
    } else {
        text.to_owned()
    };
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text
    }
}

/// One line: process, number, target, and what the log says about it.
fn line(act: &Act, out: &Out<'_>) -> String {
    let paint = out.paint;
    let number = act.number.to_string();
    let mut words = match (act.kind, &act.signal) {
        (ActKind::Rec | ActKind::Signal | ActKind::Drop, Some(signal)) => format!("{} {signal}", act.kind.word()),
        _ => {
            let parts = [
                Some(act.kind.word().to_owned()),
                act.peer.map(|pid| pid.to_string()),
                act.content.as_deref().map(str::to_owned),
            ];
            parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
        }
    };
    if !act.accesses.is_empty() {
        words.push_str(&format!("; {}", session::shared::joined(&act.accesses)));
    }
    format!(
        "{:<10} {number:>6}  {:<20}  {words}",
        act.pid.to_string(),
        paint.strong(&act.target)
    )
    .trim_end()
    .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_quoted() {
        for (text, expected) in [
            ("plain", "plain"),
            ("a,b", "\"a,b\""),
            ("say \"x\"", "\"say \"\"x\"\"\""),
            ("=1+1", "'=1+1"),
            ("", ""),
        ] {
            assert_eq!(cell(text), expected);
        }
    }
}

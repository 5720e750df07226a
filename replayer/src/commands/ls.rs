//! `replay ls` and `replay prune`: the traces of a folder.

use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use log_format::{RunEnd, Status, Trace};
use serde::Serialize;

use crate::cli::shared::Format;
use crate::commands::Out;
use crate::exit::Exit;
use crate::render;
use crate::store::{self, Kept, ListedBy};
use crate::words::{bytes, count, path_argument, safe};
use clap::Args;
use session::error::Error;
use std::path::PathBuf;
use system::whole_number;

/// `replay ls`.
#[derive(Args, Debug)]
#[command(after_help = "Example: replay ls _traces")]
pub struct LsArgs {
    /// The folder
    #[arg(value_name = "DIR", default_value = crate::store::FOLDER)]
    pub folder: PathBuf,
}

/// `replay prune`.
#[derive(Args, Debug)]
#[command(after_help = "Example: replay prune --keep 20 --dry-run _traces")]
pub struct PruneArgs {
    /// The folder
    #[arg(value_name = "DIR", default_value = crate::store::FOLDER)]
    pub folder: PathBuf,
    /// Keep the newest N, whatever their age [default: 50; 0 if --older-than is given]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole_number(0..=usize::MAX))]
    pub keep: Option<usize>,
    /// Remove only traces that are older than this, for example 30d or 12h
    #[arg(long, value_name = "TIME", allow_negative_numbers = true, value_parser = system::duration)]
    pub older_than: Option<u64>,
    /// Only list what would be removed
    #[arg(long)]
    pub dry_run: bool,
}

/// An empty file that is younger may belong to a recorder that has just begun.
const YOUNG: Duration = Duration::from_secs(60);

/// One trace of the list.
#[derive(Serialize)]
struct ListedTrace {
    trace: String,
    test: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    bytes: u64,
    /// Seconds since 1970.
    written: u64,
    outcome: String,
}

/// Runs `replay ls`.
///
/// # Errors
/// The folder cannot be read; standard output cannot be written.
pub fn ls(args: &LsArgs, out: &mut Out<'_>) -> Result<Exit, Error> {
    let entries: Vec<ListedTrace> = kept(&args.folder, ListedBy::ByNameOrContents)?
        .iter()
        .map(entry)
        .collect();
    if out.format == Format::Json {
        render::json::write(out.sink, &entries)?;
    } else {
        let widest = entries
            .iter()
            .map(|e| e.test.chars().count())
            .max()
            .unwrap_or(0)
            .min(40);
        for entry in &entries {
            writeln!(
                out.sink,
                "{:<8}  {:<widest$}  {:>10}  {}  {}",
                entry.id.as_deref().unwrap_or("-"),
                entry.test,
                bytes(entry.bytes),
                moment(entry.written),
                entry.outcome
            )?;
        }
    }
    out.sink.flush()?;
    if entries.is_empty() {
        tell(&format!("no traces in {}", path_argument(&args.folder)));
    }
    Ok(Exit::Success)
}

/// Runs `replay prune`.
///
/// # Errors
/// The folder cannot be read; a trace cannot be removed.
pub fn prune(args: &PruneArgs, out: &mut Out<'_>) -> Result<Exit, Error> {
    let now = SystemTime::now();
    let age = |kept: &Kept| now.duration_since(kept.written).unwrap_or(Duration::ZERO);
    let too_old = |kept: &Kept| {
        args.older_than
            .is_none_or(|time| age(kept) > Duration::from_nanos(time))
    };
    let keep = args.keep.unwrap_or(if args.older_than.is_some() { 0 } else { 50 });
    let mut all = kept(&args.folder, ListedBy::ByName)?;
    // A symbolic link is another name of a trace: it is not counted and not removed.
    all.retain(|kept| !kept.is_link);
    // Only traces count. A recorder that was killed at once leaves an empty file, which goes; what somebody else wrote stays.
    let (traces, others): (Vec<&Kept>, Vec<&Kept>) = all.iter().partition(|kept| log_format::is_trace(&kept.path));
    let (empty, left): (Vec<&Kept>, Vec<&Kept>) = others.into_iter().partition(|kept| kept.bytes == 0);
    let old = traces.into_iter().skip(keep).filter(|kept| too_old(kept));
    let old: Vec<&Kept> = old.collect();
    // A recorder may have just begun a young one.
    let empty = empty.into_iter().filter(|kept| age(kept) > YOUNG && too_old(kept));
    let empty: Vec<&Kept> = empty.collect();
    let gone = [old.as_slice(), empty.as_slice()].concat();
    for kept in &gone {
        if !args.dry_run {
            std::fs::remove_file(&kept.path).map_err(|e| Error::Output {
                path: kept.path.clone(),
                error: e.to_string(),
            })?;
        }
        if out.format == Format::Text {
            writeln!(out.sink, "{}", path_argument(&kept.path))?;
        }
    }
    if out.format == Format::Json {
        let paths: Vec<_> = gone.iter().map(|kept| kept.path.to_string_lossy()).collect();
        render::json::write(out.sink, &paths)?;
    }
    out.sink.flush()?;
    let verb = if args.dry_run { "would be removed" } else { "removed" };
    let freed = old.iter().map(|kept| kept.bytes).sum();
    let also = match empty.len() as u64 {
        0 => String::new(),
        n => format!(", and {}", count(n, "empty file")),
    };
    tell(&format!(
        "{} {verb}, {}{also}",
        count(old.len() as u64, "trace"),
        bytes(freed)
    ));
    if !left.is_empty() {
        tell(&format!(
            "{} not removed: no trace inside, or damaged at the beginning",
            count(left.len() as u64, "file")
        ));
    }
    Ok(Exit::Success)
}

fn tell(text: &str) {
    use std::io::Write as _;
    // If standard error is closed, there is nobody to tell.
    let _ = writeln!(std::io::stderr(), "replay: {text}");
}

fn kept(folder: &Path, listed: ListedBy) -> Result<Vec<Kept>, Error> {
    store::list(folder, listed).map_err(|error| {
        let error = match error.kind() {
            std::io::ErrorKind::NotFound => "there is no such folder; name another one".to_owned(),
            _ => error.to_string(),
        };
        let path = folder.to_path_buf();
        Error::Input { path, error }
    })
}

fn entry(kept: &Kept) -> ListedTrace {
    ListedTrace {
        trace: kept.path.to_string_lossy().into_owned(),
        test: safe(&kept.test),
        id: kept.id.clone(),
        bytes: kept.bytes,
        written: kept.written.duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs()),
        outcome: match Trace::open(&kept.path) {
            Ok(trace) => outcome(&trace),
            Err(error) => safe(&error.to_string()),
        },
    }
}

fn outcome(trace: &Trace) -> String {
    if let Status::Incomplete { .. } = trace.status() {
        return format!("incomplete, last rec:{}", trace.totals().counts.receives);
    }
    match causality::tests(trace).map(|tests| tests.iter().filter(|test| test.failed().is_some()).count()) {
        Ok(0) => {}
        Ok(1) => return "a test failed".to_owned(),
        Ok(n) => return format!("{n} tests failed"),
        Err(error) => return safe(&error.to_string()),
    }
    match trace.run_end() {
        Ok(Some(RunEnd::Crashed { class, reason })) => {
            crate::words::cut(&format!("crashed: {} {}", safe(&class), safe(&reason)), 60)
        }
        Ok(Some(RunEnd::Deadlock)) => "deadlock".to_owned(),
        Ok(Some(RunEnd::Returned(_))) => "returned".to_owned(),
        Ok(Some(RunEnd::Limit(_))) => "limit".to_owned(),
        Ok(Some(RunEnd::Halted(code))) => format!("halted with status {code}"),
        Ok(Some(RunEnd::Interrupted(_))) => "interrupted".to_owned(),
        Ok(Some(RunEnd::Unrecorded { .. })) => "recording stopped early".to_owned(),
        Ok(None) => "unknown".to_owned(),
        Err(error) => safe(&error.to_string()),
    }
}

fn moment(seconds: u64) -> String {
    let [year, month, day, hour, minute, _] = system::civil_time(i64::try_from(seconds).unwrap_or(0));
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}")
}

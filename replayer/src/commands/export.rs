//! `replay export` and `replay import`: a trace as JSON, and back.

use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::Path;

use crate::cli::{ExportArgs, ImportArgs, ShowArgs};
use crate::commands::{Out, open};
use crate::exchange::{self, read::Problem};
use crate::exit::Exit;
use crate::memory;
use crate::render::text::{Layout, wrap};
use crate::words::{bytes, count, path_argument, safe};
use ::cauder::{self, Imported};
use session::error::Error;

/// Runs `replay export`.
///
/// # Errors
/// The trace cannot be read or is damaged; the answer cannot be written.
pub fn export(args: &ExportArgs, out: &mut Out<'_>) -> Result<Exit, Error> {
    let trace = open(&args.trace)?;
    let Some(path) = &args.output else {
        exchange::write::document(&trace, out.sink).map_err(|e| e.about(&args.trace))?;
        out.sink.flush()?;
        return Ok(Exit::Success);
    };
    let failed = |error: std::io::Error| Error::Output {
        path: path.clone(),
        error: error.to_string(),
    };
    if is_something_else(path, |start| start.starts_with(exchange::write::START)) {
        return Err(Error::Output {
            path: path.clone(),
            error: "it exists and is not a trace as JSON; remove it, or name another file with -o".to_owned(),
        });
    }
    let place = crate::unfinished::aside(path).map_err(failed)?;
    let mut file = BufWriter::new(place.handle().map_err(failed)?);
    match exchange::write::document(&trace, &mut file) {
        Ok(()) => {}
        Err(Error::Sink(error)) => return Err(failed(error)),
        Err(error) => return Err(error.about(&args.trace)),
    }
    file.flush().map_err(failed)?;
    place.keep().map_err(failed)?;
    Ok(Exit::Success)
}

/// Runs `replay import`.
///
/// # Errors
/// The text cannot be read or is not a trace; the trace cannot be written.
pub fn import(args: &ImportArgs, out: &mut Out<'_>) -> Result<Exit, Error> {
    may_replace(&args.output)?;
    if let Some(folder) = &args.cauder {
        return match cauder::import(folder, &args.program, &args.untraced, &args.output, memory::limit()) {
            Ok(imported) => {
                let show = ShowArgs::default();
                out.view(&imported, show, |out, view, layout| {
                    imported_text(out, view, layout, &args.output)
                })?;
                Ok(Exit::Success)
            }
            Err(error) => {
                remove_half(&args.output, &error);
                Err(error)
            }
        };
    }
    let Some(file) = &args.file else {
        return Err(Error::Usage(
            "nothing to import: expected FILE.json, or --cauder DIR".to_owned(),
        ));
    };
    let read = if file == Path::new("-") {
        exchange::read::document(std::io::stdin().lock(), &args.output)
    } else {
        let opened = File::open(file).map_err(|error| Error::Input {
            path: file.clone(),
            error: error.to_string(),
        })?;
        exchange::read::document(BufReader::new(opened), &args.output)
    };
    match read {
        Ok(length) => {
            let written = log_format::Trace::open(&args.output).map_err(|e| Error::from(e).about(&args.output))?;
            let actions = written.totals().counts.actions;
            let view = serde_json::json!({
                "file": args.output.to_string_lossy(),
                "actions": actions,
                "bytes": length,
            });
            out.view(&view, ShowArgs::default(), |sink, _, _| {
                let (file, actions) = (path_argument(&args.output), count(actions, "action"));
                writeln!(sink, "{actions} written to {file}, {}", bytes(length))?;
                writeln!(sink, "  replay info {file}")
            })?;
            Ok(Exit::Success)
        }
        Err(Problem::Text(error)) => Err(Error::BadInput {
            path: file.clone(),
            error,
        }),
        Err(Problem::Output(error)) => Err(Error::Output {
            path: args.output.clone(),
            error,
        }),
    }
}

/// Removes the output after an error during writing: half a trace is of no use. After an earlier error, an older trace stays.
fn remove_half(output: &Path, error: &Error) {
    if matches!(error, Error::Output { .. } | Error::Bug(_)) && log_format::is_trace(output) {
        let _ = std::fs::remove_file(output);
    }
}

fn imported_text(out: &mut dyn Write, view: &Imported, layout: &Layout, output: &Path) -> std::io::Result<()> {
    let Imported {
        call,
        finished,
        alive,
        processes,
        entries,
        messages,
        example,
        actions,
        renamed,
        warnings,
    } = view;
    let how = match (finished, alive) {
        (true, 0) => "all processes ended",
        (true, _) => "some processes did not end",
        (false, _) => "cut off by the timeout of CauDEr's tracer; every process stops at its last entry",
    };
    let said = format!(
        "{}, {how}: {}, {} with uids, {} of the logs",
        safe(call),
        count(*processes as u64, "process"),
        count(*messages as u64, "message"),
        count(*entries as u64, "line"),
    );
    writeln!(out, "{}", wrap(&said, layout.width))?;
    writeln!(
        out,
        "  written to {}: {}",
        path_argument(output),
        count(*actions, "action")
    )?;
    let shown: Vec<String> = renamed
        .iter()
        .take(10)
        .map(|(n, pid)| format!("{n} is {pid}"))
        .collect();
    let more = if renamed.len() > shown.len() { ", …" } else { "" };
    let targets = example.map_or_else(String::new, |uid| {
        format!("; uids are targets: rec:u{uid}, send:u{uid}")
    });
    writeln!(
        out,
        "{}",
        wrap(
            &format!(
                "  processes keep their numbers, but {}{more}{targets}",
                shown.join(", ")
            ),
            layout.width
        )
    )?;
    for warning in warnings {
        writeln!(out, "{}", wrap(&format!("  warning: {}", safe(warning)), layout.width))?;
    }
    Ok(())
}

/// An existing file is replaced only if it is a trace.
///
/// # Errors
/// It is not a trace.
pub fn may_replace(path: &Path) -> Result<(), Error> {
    if is_something_else(path, |_| log_format::is_trace(path)) {
        return Err(Error::Output {
            path: path.to_path_buf(),
            error: "it exists and is not a trace; remove it, or name another file".to_owned(),
        });
    }
    Ok(())
}

/// Is there a file that we must not overwrite? An empty one may be overwritten.
pub(crate) fn is_something_else(path: &Path, is_ours: impl FnOnce(&[u8]) -> bool) -> bool {
    let Ok(meta) = std::fs::metadata(path) else {
        return false;
    };
    if !meta.is_file() || meta.len() == 0 {
        return false;
    }
    let mut start = Vec::new();
    // A file that cannot be read is not ours.
    let read = File::open(path).and_then(|file| file.take(64).read_to_end(&mut start));
    read.is_err() || !is_ours(&start)
}

/// Do two paths name the same file?
#[must_use]
pub fn same_file(a: &Path, b: &Path) -> bool {
    match (a.canonicalize(), b.canonicalize()) {
        (Ok(a), Ok(b)) => a == b,
        _ => false,
    }
}

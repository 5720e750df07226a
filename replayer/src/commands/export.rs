//! `replay export` and `replay import`: a trace as JSON, and back.

use std::fs::File;
use std::io::{BufReader, BufWriter, Write};
use std::path::Path;

use crate::cli::shared::PlaceArgs;
use crate::cli::shared::{FormatWord, ShowArgs};
use crate::commands::{Out, open, open_session};
use crate::diagram::{self, Diagram, Marks, WantedDiagram};
use crate::exchange::{self, read::Problem};
use crate::exit::Exit;
use crate::memory;
use crate::render::text::{Layout, wrap};
use crate::unfinished::is_something_else;
use crate::words::{bytes, count, path_argument, safe};
use ::cauder::{self, Imported};
use clap::Args;
use session::Session;
use session::error::Error;
use session::subject::ShownBounds;
use std::path::PathBuf;
use system::whole_number;

/// `replay export`.
#[derive(Args, Debug)]
#[command(
    after_help = "--format says what is written:
  json      the whole trace; `replay import` reads it (without --format, this is meant)
  svg       a picture of the causes of TARGET: a lane for each process, an arrow for each message
  mermaid   the same as a sequence diagram, which GitHub and GitLab draw in Markdown
  perfetto  the same as trace events, for ui.perfetto.dev
  csv       four tables in the folder of -o: runs, processes, actions, messages; of several traces and folders, if there is no TARGET

Examples:
  replay export my.bin -o my.json
  replay export --format svg error my.bin -o error.svg
  replay export --format csv _traces -o tables",
    override_usage = "replay export [OPTIONS] [TARGET] TRACE|FOLDER…"
)]
pub struct ExportArgs {
    #[command(flatten)]
    pub place: PlaceArgs,
    /// Where to write [default: standard output]. For csv: a folder
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// For svg, mermaid and perfetto: at most so many actions, the nearest causes; what is left out is said [default: 200, 100, 100000]
    #[arg(short = 'n', long, value_name = "N", allow_negative_numbers = true, value_parser = whole_number(1..=10_000_000_u64))]
    pub limit: Option<u64>,
}

/// `replay import`.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  replay import my.json -o my.bin
  replay import --cauder trace --program barber.erl -o barber.bin")]
pub struct ImportArgs {
    /// What `replay export` wrote; - for standard input
    #[arg(value_name = "FILE.json", required_unless_present = "cauder")]
    pub file: Option<PathBuf>,
    /// Instead of JSON: a folder with logs of CauDEr's tracer (trace_result.log, trace_PID.log). The program is run again under these logs
    #[arg(long, value_name = "DIR", conflicts_with = "file", requires = "program")]
    pub cauder: Option<PathBuf>,
    /// The files of the program that CauDEr traced: the module of the call, and the instrumented modules
    #[arg(long, value_name = "FILE", num_args = 1.., requires = "cauder")]
    pub program: Vec<PathBuf>,
    /// Files of other modules of the program, which were not instrumented: their sends and receives are not in the logs
    #[arg(long, value_name = "FILE", num_args = 1.., requires = "cauder")]
    pub untraced: Vec<PathBuf>,
    /// Where to write the trace. A file that is not a trace is never replaced
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
}

/// Runs `replay export`.
///
/// # Errors
/// The trace cannot be read or is damaged; the answer cannot be written.
pub fn export(args: &ExportArgs, out: &mut Out<'_>) -> Result<Exit, Error> {
    match out.word {
        FormatWord::Text | FormatWord::Json => document(args, out),
        FormatWord::Csv => tables(args, out),
        word @ (FormatWord::Svg | FormatWord::Mermaid | FormatWord::Perfetto) => picture(args, word, out),
    }
}

/// The whole trace as JSON.
fn document(args: &ExportArgs, out: &mut Out<'_>) -> Result<Exit, Error> {
    if args.place.has_target() || args.limit.is_some() {
        return Err(Error::Usage(
            "the JSON of a trace is the whole trace: a TARGET and --limit go with --format svg, mermaid, perfetto or csv".to_owned(),
        ));
    }
    let (_, path) = args.place.parts()?;
    let trace = open(path)?;
    let Some(output) = &args.output else {
        exchange::write::document(&trace, out.sink).map_err(|e| e.about(path))?;
        out.sink.flush()?;
        return Ok(Exit::Success);
    };
    written(output, exchange::write::START, "a trace as JSON", |file| {
        exchange::write::document(&trace, file).map_err(|e| match e {
            Error::Sink(_) => e,
            e => e.about(path),
        })
    })?;
    Ok(Exit::Success)
}

/// Writes a file that appears when it is complete. One that is there already is replaced only if it begins as this one does.
fn written(
    path: &Path,
    start: &[u8],
    what: &str,
    write: impl FnOnce(&mut dyn Write) -> Result<(), Error>,
) -> Result<(), Error> {
    let refused = |error: String| Error::Output {
        path: path.to_path_buf(),
        error,
    };
    let failed = |error: std::io::Error| refused(error.to_string());
    if is_something_else(path, |found| {
        let length = found.len().min(start.len());
        length > 0 && found[..length] == start[..length]
    }) {
        return Err(refused(format!(
            "it exists and is not {what}; remove it, or name another file with -o"
        )));
    }
    let place = crate::unfinished::aside(path).map_err(failed)?;
    let mut file = BufWriter::new(place.handle().map_err(failed)?);
    match write(&mut file) {
        Ok(()) => {}
        Err(Error::Sink(error)) => return Err(failed(error)),
        Err(error) => return Err(error),
    }
    file.flush().map_err(failed)?;
    place.keep().map_err(failed)?;
    Ok(())
}

/// The causes of a target as a picture, a sequence diagram or a timeline.
fn picture(args: &ExportArgs, word: FormatWord, out: &mut Out<'_>) -> Result<Exit, Error> {
    let (target, path) = args.place.parts()?;
    let session = open_session(path)?;
    let (most, start, what) = match word {
        FormatWord::Svg => (200, diagram::SVG, "a picture that `replay export` wrote"),
        FormatWord::Mermaid => (100, diagram::MERMAID, "a diagram that `replay export` wrote"),
        _ => (100_000, diagram::TIMELINE, "a timeline that `replay export` wrote"),
    };
    let limit = args
        .limit
        .map_or(most, |limit| usize::try_from(limit).unwrap_or(usize::MAX));
    let draw = || -> Result<(String, Diagram), Error> {
        let found = session.find(target.parse::<causality::Target>()?)?;
        let marks = decisive(&session, &found)?;
        let wanted = WantedDiagram { limit, marks: &marks };
        let diagram = Diagram::of(&session, &found, wanted)?;
        let text = match word {
            FormatWord::Svg => diagram::svg(&diagram),
            FormatWord::Mermaid => diagram::mermaid(&diagram),
            _ => diagram::timeline(&diagram),
        };
        Ok((text, diagram))
    };
    let (text, diagram) = draw().map_err(|e| e.about(path))?;
    let Some(output) = &args.output else {
        out.sink.write_all(text.as_bytes())?;
        out.sink.flush()?;
        return Ok(Exit::Success);
    };
    written(output, start.as_bytes(), what, |file| {
        Ok(file.write_all(text.as_bytes())?)
    })?;
    let said = diagram
        .says_left_out()
        .unwrap_or_else(|| format!("all {}", count(diagram.of.actions, "cause")));
    writeln!(
        out.sink,
        "{said}; written to {}, {}",
        path_argument(output),
        bytes(text.len() as u64)
    )?;
    out.sink.flush()?;
    Ok(Exit::Success)
}

/// What is marked, if the target is a failure. Of a long run, it is not looked for: that takes many replays.
fn decisive(session: &Session, found: &causality::Point) -> Result<Marks, Error> {
    const LONGEST: u64 = 20_000;
    if session.trace().totals().counts.actions > LONGEST {
        return Ok(Marks::default());
    }
    let bounds = ShownBounds {
        chars: 200,
        frames: 1,
        items: 1,
    };
    let why = ::why::explain(session, found, &bounds, false)?;
    Ok(Marks::of(&why))
}

/// Whole traces, or the causes of a target in one, as tables.
fn tables(args: &ExportArgs, out: &mut Out<'_>) -> Result<Exit, Error> {
    let (target, places) = args.place.several()?;
    if args.limit.is_some() {
        return Err(Error::Usage("--limit is not for csv: the tables are whole".to_owned()));
    }
    let Some(folder) = &args.output else {
        return Err(Error::Usage(
            "csv is written as four files: name a folder for them with -o".to_owned(),
        ));
    };
    let traces = crate::store::at(&places)?;
    let sliced = args.place.has_target();
    if sliced && traces.len() > 1 {
        return Err(Error::Usage("a TARGET goes with one trace".to_owned()));
    }
    let failed = |error: std::io::Error| Error::Output {
        path: folder.clone(),
        error: error.to_string(),
    };
    std::fs::create_dir_all(folder).map_err(failed)?;
    let mut files = Vec::new();
    for (name, columns) in exchange::tables::TABLES {
        let path = folder.join(format!("{name}.csv"));
        if is_something_else(&path, |found| {
            let length = found.len().min(columns.len());
            found[..length] == columns.as_bytes()[..length]
        }) {
            return Err(Error::Output {
                path,
                error:
                    "it exists and is not a table that `replay export` wrote; remove it, or name another folder with -o"
                        .to_owned(),
            });
        }
        let place = crate::unfinished::aside(&path).map_err(failed)?;
        let mut file = BufWriter::new(place.handle().map_err(failed)?);
        writeln!(file, "{columns}").map_err(failed)?;
        files.push((place, file));
    }
    let mut left_out = Vec::new();
    for path in &traces {
        let write = |sinks: &mut exchange::tables::Sinks<'_>| -> Result<(), Error> {
            let session = open_session(path)?;
            let slice = match sliced {
                true => {
                    let found = session.find(target.parse::<causality::Target>()?)?;
                    Some(session::shown::slice_of(session.trace(), &found)?)
                }
                false => None,
            };
            exchange::tables::rows(&session, &path.to_string_lossy(), slice, sinks).map_err(|e| match e {
                Error::Sink(_) => e,
                e => e.about(path),
            })
        };
        let [a, b, c, d] = files.as_mut_slice() else {
            return Err(Error::Bug("there are four tables".to_owned()));
        };
        match write(&mut [&mut a.1, &mut b.1, &mut c.1, &mut d.1]) {
            Ok(()) => {}
            Err(Error::Sink(error)) => return Err(failed(error)),
            // Of several, the others are written.
            Err(error) if traces.len() > 1 => left_out.push(error.to_string()),
            Err(error) => return Err(error),
        }
    }
    for (place, mut file) in files {
        file.flush().map_err(failed)?;
        drop(file);
        place.keep().map_err(failed)?;
    }
    let done = traces.len() - left_out.len();
    writeln!(
        out.sink,
        "{} written to {}",
        count(done as u64, "trace"),
        path_argument(folder)
    )?;
    for error in &left_out {
        writeln!(out.sink, "  left out, or only in part: {}", safe(error))?;
    }
    out.sink.flush()?;
    Ok(if done == 0 { Exit::NoInput } else { Exit::Success })
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

/// Do two paths name the same file?
#[must_use]
pub fn same_file(a: &Path, b: &Path) -> bool {
    match (a.canonicalize(), b.canonicalize()) {
        (Ok(a), Ok(b)) => a == b,
        _ => false,
    }
}

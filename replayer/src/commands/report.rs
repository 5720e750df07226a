//! `replay report`: a page that shows what led to a target.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use log_format::RunEnd;

use crate::cli::mistyped::MistypedArgument;
use crate::cli::shared::{PlaceArgs, TARGETS, TimeArgs};
use crate::commands::export::same_file;
use crate::commands::{Out, Working, info, open_session, slice, why};
use crate::exit::Exit;
use crate::render;
use crate::unfinished::is_something_else;
use crate::universes;
use crate::words::{bytes, count, path_argument};
use ::why::story::Why;
use causality::{Point, Target};
use clap::Args;
use decisive::Limits;
use report::{About, Input, Report, Title};
use session::Session;
use session::error::Error;
use session::subject::ShownBounds;
use session::view::ActKind;

/// `replay report`.
#[derive(Args, Debug)]
#[command(
    after_help = format!("{TARGETS}\n\nExample: replay report my.bin -o report.html"),
    override_usage = "replay report [OPTIONS] [TARGET] TRACE"
)]
pub struct ReportArgs {
    #[command(flatten)]
    pub time: TimeArgs,
    #[command(flatten)]
    pub place: PlaceArgs,
    /// Where to write the page; `-` for standard output [default: the name of the trace, with .html]. A file that is not a report is never replaced
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// The page holds at most about N actions; `all` for all causes [default: 20000]
    #[arg(long, value_name = "N", value_parser = actions)]
    pub actions: Option<u64>,
}

/// A number of actions, or `all`.
fn actions(text: &str) -> Result<u64, MistypedArgument> {
    match text {
        "all" => Ok(u64::MAX),
        text => text.parse().map_err(|_| MistypedArgument::Actions),
    }
}

/// Limits of what the page tells of the process that is explained.
const BOUNDS: ShownBounds = ShownBounds {
    chars: 2_000,
    frames: 6,
    items: 20,
};

/// Runs `replay report`.
///
/// # Errors
/// There is no such target; the trace is damaged; the replay diverges; the page cannot be written, or would replace a file that is not a report.
pub fn run(args: &ReportArgs, out: &mut Out<'_>) -> Result<Exit, Error> {
    let (target, path) = args.place.parts()?;
    // A short name may mean another trace after the next run.
    let file = crate::store::resolve(path.as_os_str())?;
    let output = args.output.clone().unwrap_or_else(|| beside(&file));
    if universes::is_database(&file) {
        return graph(&file, &output, out);
    }
    let actions = args.actions.unwrap_or(report::ACTIONS);
    let limits = args.time.limits();
    if output == Path::new("-") {
        let session = open_session(path)?;
        let report = make(&session, (target, limits), &file, actions).map_err(|e| e.about(path))?;
        out.sink.write_all(report.html.as_bytes())?;
        out.sink.flush()?;
        return Ok(Exit::Success);
    }
    may_replace(&output)?;
    let failed = |error: String| Error::Output {
        path: output.clone(),
        error,
    };
    if same_file(&file, &output) {
        return Err(failed("it is the trace; name another file with -o".to_owned()));
    }
    let session = open_session(path)?;
    let working = Working::begin();
    let report = make(&session, (target, limits), &file, actions).map_err(|e| e.about(path))?;
    drop(working);
    let refused = |error: std::io::Error| failed(error.to_string());
    let place = crate::unfinished::aside(&output).map_err(refused)?;
    let mut file = place.handle().map_err(refused)?;
    file.write_all(report.html.as_bytes()).map_err(refused)?;
    drop(file);
    place.keep().map_err(refused)?;
    tell(&report, &output, out)
}

/// The page of a graph of universes.
fn graph(file: &Path, output: &Path, out: &mut Out<'_>) -> Result<Exit, Error> {
    let page = universes::page(&universes::read(file)?);
    if output == Path::new("-") {
        out.sink.write_all(page.as_bytes())?;
        out.sink.flush()?;
        return Ok(Exit::Success);
    }
    may_replace(output)?;
    let failed = |error: std::io::Error| Error::Output {
        path: output.to_owned(),
        error: error.to_string(),
    };
    let place = crate::unfinished::aside(output).map_err(failed)?;
    let written = place.handle().and_then(|mut file| file.write_all(page.as_bytes()));
    written.and_then(|()| place.keep()).map_err(failed)?;
    let length = page.len() as u64;
    match out.format {
        crate::cli::shared::Format::Text => writeln!(
            out.sink,
            "the graph of universes is shown in {}, {}; any browser opens it",
            path_argument(output),
            bytes(length)
        )?,
        crate::cli::shared::Format::Json => {
            let view = serde_json::json!({ "file": output.to_string_lossy(), "bytes": length });
            crate::render::json::write(out.sink, &view)?;
        }
    }
    out.sink.flush()?;
    Ok(Exit::Success)
}

/// Says what was written.
fn tell(report: &Report, output: &Path, out: &mut Out<'_>) -> Result<Exit, Error> {
    let length = report.html.len() as u64;
    match out.format {
        crate::cli::shared::Format::Text => {
            let file = path_argument(output);
            writeln!(
                out.sink,
                "{} shown in {file}, {}; any browser opens it",
                count(report.actions, "action"),
                bytes(length)
            )?;
            for line in &report.left_out {
                writeln!(out.sink, "{line}")?;
            }
        }
        crate::cli::shared::Format::Json => {
            let view = serde_json::json!({
                "file": output.to_string_lossy(),
                "actions": report.actions,
                "bytes": length,
                "left_out": report.left_out,
            });
            crate::render::json::write(out.sink, &view)?;
        }
    }
    out.sink.flush()?;
    Ok(Exit::Success)
}

/// The report of a target.
///
/// # Errors
/// There is no such target; the trace is damaged; the replay diverges.
pub(crate) fn make(
    session: &Session,
    (target, limits): (&str, Limits),
    path: &Path,
    actions: u64,
) -> Result<Report, Error> {
    let found = session.find(target.parse::<causality::Target>()?)?;
    let story = why::story(session, (target, limits), path, &BOUNDS, false)?;
    let (mut title, words) = render::why::lines(&story)?;
    // Such a target is no action: the process did this one last before it.
    if let Some(line) = target.strip_prefix("line:") {
        let place = line.split('@').next().unwrap_or(line);
        title
            .happened
            .push_str(&format!(", its last action before {}", session::words::safe(place)));
    }
    let about = about(session, (&found, target), &story, path, title)?;
    let causes = slice::held(session.trace(), &found)?;
    report::make(Input {
        session,
        found: &found,
        causes: &causes,
        why: &story,
        words: &words,
        about: &about,
        actions,
    })
}

/// `named`: the target as it was typed.
fn about(
    session: &Session,
    (found, named): (&Point, &str),
    story: &Why,
    path: &Path,
    title: Title,
) -> Result<About, Error> {
    let trace = session.trace();
    let name = path.file_name().unwrap_or(path.as_os_str());
    let file = path_argument(Path::new(name));
    let (outcome, calm) = outcome(story, found, trace.run_end()?.as_ref());
    let info = info::gather(trace, path, false)?;
    let is_error = matches!(found.target, Target::Error | Target::Test(..));
    Ok(About {
        calm,
        target: (!is_error).then(|| session::words::safe(named)),
        trouble: (!info.complete).then(|| format!("The recording is not whole: {}.", info.status)),
        command: format!(
            "replay --until {} {file}",
            session::words::quoted(found.target.to_string().as_ref())
        ),
        file,
        title,
        outcome: outcome.to_owned(),
        recorded: match info.virtual_time {
            true => "in simulated time".to_owned(),
            false => info.recorded,
        },
        recorder: info.recorder,
        // One without switches ends so.
        schedule: info.schedule.trim_end_matches(':').to_owned(),
        seed: info.seed,
        entry: info.entry,
    })
}

/// What is explained, in a word, and whether it is no failure. Other processes may have failed: that says nothing of this one.
fn outcome(story: &Why, found: &Point, end: Option<&RunEnd>) -> (&'static str, bool) {
    let said = story.happened.content.as_deref().unwrap_or("normal");
    match story.happened.kind {
        _ if story.test.is_some() => ("Test failed", false),
        ActKind::Wait if found.target == Target::Error && end == Some(&RunEnd::Deadlock) => ("Deadlock", false),
        ActKind::Wait => ("Waits", found.target != Target::Error),
        ActKind::Halt if said == "0" => ("Halted", true),
        ActKind::Halt => ("Halted", false),
        ActKind::Exit | ActKind::Signal if story.happened.peaceful => ("Ended", true),
        ActKind::Exit | ActKind::Signal => ("Crashed", false),
        _ => ("Reached", true),
    }
}

/// The name of the trace, with `.html`, in the current folder.
fn beside(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or(path.as_os_str());
    Path::new(name).with_extension("html")
}

/// An existing file is replaced only if it is a report.
fn may_replace(path: &Path) -> Result<(), Error> {
    if is_something_else(path, report::is_report) {
        return Err(Error::Output {
            path: path.to_path_buf(),
            error: "it exists and is not a report; remove it, or name another file".to_owned(),
        });
    }
    Ok(())
}

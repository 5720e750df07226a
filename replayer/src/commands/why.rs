//! `replay why` and `replay consequences`.

use std::path::Path;

use log_format::{ActionId, ActionNo, Kind, RunEnd, Trace};
use rustc_hash::FxHashMap;

use crate::cli::shared::Format;
use crate::cli::shared::{PlaceArgs, ShowArgs, TARGETS, TimeArgs, ViewArgs};
use crate::commands::{Out, Working, open, open_session, run};
use crate::diagram::{Marks, Style};
use crate::exit::Exit;
use crate::render;
use crate::render::text::wrap;
use crate::view::{Act, Consequences, Extent, NextCommand, Suffix};
use crate::words::{cut, path_argument};
use ::why::Begun;
use ::why::story::{Opening, Why};
use causality::Point;
use clap::Args;
use session::Session;
use session::called::ProcessNames;
use session::error::Error;
use session::shown;
use session::subject::ShownBounds;

/// `replay why`.
#[derive(Args, Debug)]
#[command(
    after_help = format!("{TARGETS}\n\nExample: replay why rec:42 my.bin"),
    override_usage = "replay why [OPTIONS] [TARGET] TRACE"
)]
pub struct WhyArgs {
    #[command(flatten)]
    pub place: PlaceArgs,
    #[command(flatten)]
    pub time: TimeArgs,
    #[command(flatten)]
    pub view: ViewArgs,
    #[command(flatten)]
    pub show: ShowArgs,
}

/// `replay consequences`.
#[derive(Args, Debug)]
#[command(
    after_help = format!("{TARGETS}\n\nExample: replay consequences send:42 my.bin"),
    override_usage = "replay consequences [OPTIONS] [TARGET] TRACE"
)]
pub struct ConsequencesArgs {
    #[command(flatten)]
    pub place: PlaceArgs,
    #[command(flatten)]
    pub show: ShowArgs,
}

/// Runs `replay why`.
///
/// # Errors
/// Everything of [`Error`].
pub fn run(args: &WhyArgs, out: &mut Out<'_>) -> Result<Exit, Error> {
    let (target, path) = args.place.parts()?;
    let session = open_session(path)?;
    let bounds = run::bounds(out, args.show);
    let layout = out.layout(args.show);
    let is_written = args.view.view.is_none() && matches!(out.format, Format::Text);
    let working = Working::begin();
    // What happened is known long before other choices have been tried.
    let mut begun = |opening: &Opening<'_>| {
        if is_written {
            render::why::opening(out.sink, opening, &layout)?;
            out.sink.flush()?;
        }
        Ok(())
    };
    let limits = (args.time.limits(), &mut begun as Begun<'_>);
    let view = story_begun(&session, (target, limits), path, &bounds, args.show.all);
    drop(working);
    let view = view.map_err(|e| e.about(path))?;
    if args.view.view.is_some() {
        super::is_text(out)?;
        return drawn(&session, &view, args, out).map_err(|e| e.about(path));
    }
    out.view(&view, args.show, render::why::why_it_happened)?;
    Ok(Exit::Success)
}

/// What decided, in words, and the causes as a diagram.
fn drawn(session: &Session, view: &Why, args: &WhyArgs, out: &mut Out<'_>) -> Result<Exit, Error> {
    let style = Style::of(out, args.view, args.show);
    let wrapped = |text: &str| wrap(text, style.width).replace('\n', "\n  ");
    let said = format!("{}: {}", view.target, render::why::title(view));
    writeln!(out.sink, "{}", wrapped(&cut(&said, 3 * style.width)))?;
    for one in render::why::heading(view) {
        writeln!(out.sink, "{}", wrapped(&one.to_string()))?;
    }
    writeln!(out.sink)?;
    let found = session.find(view.target.parse::<causality::Target>()?)?;
    run::draw(session, &found, &Marks::of(view), style, out)?;
    Ok(Exit::Success)
}

/// The answer to `why` for a target, with commands to type next. `limits`: how far other choices are tried.
///
/// # Errors
/// There is no such target; the trace is damaged; the replay diverges.
pub fn story(
    session: &Session,
    (target, limits): (&str, decisive::Limits),
    path: &Path,
    bounds: &ShownBounds,
    all: bool,
) -> Result<Why, Error> {
    story_begun(session, (target, (limits, &mut |_| Ok(()))), path, bounds, all)
}

fn story_begun(
    session: &Session,
    (target, limits): (&str, (decisive::Limits, Begun<'_>)),
    path: &Path,
    bounds: &ShownBounds,
    all: bool,
) -> Result<Why, Error> {
    let found = session.find(target.parse::<causality::Target>()?)?;
    let mut view = ::why::explain_within(session, &found, limits, bounds, all)?;
    view.next = next(path, &found);
    if target == "error" {
        view.next.extend(entry_failed(session.trace(), path, &found)?);
    }
    Ok(view)
}

fn next(path: &Path, found: &Point) -> Vec<NextCommand> {
    let file = path_argument(path);
    // The name of a test may have blanks in it.
    let target = session::words::quoted(found.target.to_string().as_ref());
    let command = |command: String, what: &str| NextCommand {
        command,
        what: what.to_owned(),
    };
    vec![
        command(
            format!("replay --until {target} {file}"),
            "the process at that point, and what was printed",
        ),
        command(
            format!("replay slice {target} -o slice.bin {file}"),
            "a trace with only the causes",
        ),
    ]
}

/// If the entry itself failed, but the story explains the failure of another process, perhaps an expected one: the command that explains the
/// entry's.
fn entry_failed(trace: &Trace, path: &Path, found: &Point) -> Result<Option<NextCommand>, Error> {
    let Some(entry) = trace.processes().next().transpose()? else {
        return Ok(None);
    };
    // It may have done nothing that is logged.
    let failed = matches!(trace.run_end()?, Some(RunEnd::Crashed { .. })) && entry.ended && entry.pid != found.pid;
    if !failed {
        return Ok(None);
    }
    let last = trace.action(entry.pid, entry.counts.last_action())?;
    let word = match last.kind {
        Kind::Exit { .. } => "exit",
        Kind::Signal { .. } => "signal",
        _ => return Ok(None),
    };
    Ok(Some(NextCommand {
        command: format!("replay why {word}:{} {}", entry.pid, path_argument(path)),
        what: "why the entry itself failed".to_owned(),
    }))
}

/// Limits: processes that are listed, and actions of each.
const PROCESSES: usize = 20;

/// Runs `replay consequences`.
///
/// # Errors
/// Everything of [`Error`] but divergence: nothing is replayed.
pub fn consequences(args: &ConsequencesArgs, out: &mut Out<'_>) -> Result<Exit, Error> {
    let (target, path) = args.place.parts()?;
    let trace = open(path)?;
    let gather = || -> Result<Consequences, Error> {
        let found = super::find(&trace, target)?;
        consequences_of(&trace, &found, args.show.all)
    };
    let view = gather().map_err(|e| e.about(path))?;
    out.view(&view, args.show, render::text::consequences)?;
    Ok(Exit::Success)
}

/// The consequences of a target.
///
/// # Errors
/// The process did nothing; the trace is damaged.
pub(crate) fn consequences_of(trace: &Trace, found: &Point, all: bool) -> Result<Consequences, Error> {
    if found.action == ActionNo(0) && trace.process(found.pid)?.parent.is_none() {
        return Err(Error::NoTarget(format!(
            "{} did nothing that is logged, so it has no consequences",
            found.pid
        )));
    }
    if found.action == ActionNo(0) {
        return Err(Error::NoTarget(format!(
            "{} did nothing that is logged; `replay consequences spawn:{} TRACE` lists the consequences of its creation",
            found.pid, found.pid
        )));
    }
    let future = causality::consequences(
        trace,
        ActionId {
            pid: found.pid,
            number: found.action,
        },
    )?;
    let limit = if all { usize::MAX } else { PROCESSES };
    let mut processes = Vec::new();
    for suffix in future.iter().take(limit) {
        processes.push(Suffix {
            pid: suffix.pid.to_string(),
            first: act(trace, suffix.pid, suffix.first)?,
            actions: suffix.actions(),
            last: suffix.ends().1.to_string(),
        });
    }
    Ok(Consequences {
        target: found.target.to_string(),
        consequences: Extent {
            actions: future.actions(),
            processes: future.iter().len() as u64,
        },
        of: run::whole_run(trace),
        more: (future.iter().len() - processes.len()) as u64,
        processes,
    })
}

/// An action with its name, from the log.
fn act(trace: &Trace, pid: log_format::Pid, number: ActionNo) -> Result<Act, Error> {
    let mut teller = shown::Teller::new(trace);
    shown::act(
        &mut teller,
        pid,
        number.0,
        None,
        &FxHashMap::default(),
        &ProcessNames::default(),
    )
}

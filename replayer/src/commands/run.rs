//! `replay run`, which is `replay --until`: the controlled replay of a target, and the view at the target.

use std::path::Path;
use std::time::Instant;

use causality::Target;
use log_format::{Pid, Trace};
use rustc_hash::FxHashMap;
use system::System;

use crate::cli::shared::ShowArgs;
use crate::cli::shared::{PlaceArgs, TARGETS, ViewArgs};
use crate::commands::{Out, open, open_session};
use crate::diagram::{self, Diagram, Marks, Style, WantedDiagram};
use crate::exit::Exit;
use crate::render;
use crate::view::{ActionRow, Extent, NextCommand, Replay};
use crate::words::path_argument;
use clap::Args;
use session::called::ProcessNames;
use session::digests;
use session::error::Error;
use session::notes;
use session::shown;
use session::subject::ShownBounds;
use session::watch::{Watcher, Wish};
use session::{Goal, Session};
use std::path::PathBuf;
use system::whole_number;

const BACK: &str = "Targets of --back. Without a process, the process of the last target is meant:
  3  step:0.7.0+3          three steps back
  rec:42, or another action
                           to just before that action
  birth  birth:0.7.0       to the creation of the process (spawn:0.7.0: to before the spawn)
  line:server.erl:42       to the last time it was about to evaluate that line
  var:X  var:X@0.7.0       to where the variable last got its value
  mailbox  mailbox:0.7.0   to before the last change of the mailbox";

/// `replay run`.
#[derive(Args, Debug)]
#[command(after_help = format!("{TARGETS}\n{BACK}\n\nExample: replay --until rec:42 --back 3 my.bin"))]
pub struct RunArgs {
    /// Go forward to this target; may be repeated
    #[arg(long, value_name = "TARGET")]
    pub until: Vec<String>,
    /// Go back to just before this action: undo it and its consequences, and nothing else; may be repeated, in any order with --until
    #[arg(long, value_name = "TARGET", requires = "until", allow_negative_numbers = true)]
    pub back: Vec<String>,
    /// All `--until` and `--back` in the order in which they were given.
    #[arg(skip)]
    pub moves: Vec<Move>,
    /// Starting at the first target, stop at the next action of the same process and kind where this Erlang expression is true; it may use
    /// the process's variables
    #[arg(long, value_name = "EXPR", requires = "until")]
    pub when: Option<String>,
    /// Starting at the first target, stop at the next action of the same process and kind whose message matches this Erlang pattern; a
    /// guard is allowed
    #[arg(long = "where", value_name = "PATTERN", requires = "until")]
    pub pattern: Option<String>,
    /// Memory for checkpoints, in MB
    #[arg(long, value_name = "MB", default_value_t = 256, allow_negative_numbers = true, value_parser = whole_number(0..=usize::MAX >> 20))]
    pub checkpoint_memory: usize,
    /// The trace
    #[arg(value_name = "TRACE")]
    pub trace: PathBuf,
    #[command(flatten)]
    pub view: ViewArgs,
    #[command(flatten)]
    pub show: ShowArgs,
}

/// One move of `replay run`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Move {
    /// `--until`.
    Until(String),
    /// `--back`.
    Back(String),
}

impl std::fmt::Display for Move {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Until(target) => write!(f, "until {target}"),
            Self::Back(target) => write!(f, "back {target}"),
        }
    }
}

/// `replay causes`.
#[derive(Args, Debug)]
#[command(
    after_help = format!("{TARGETS}\n\nExample: replay causes rec:42 my.bin"),
    override_usage = "replay causes [OPTIONS] [TARGET] TRACE"
)]
pub struct CausesArgs {
    #[command(flatten)]
    pub place: PlaceArgs,
    #[command(flatten)]
    pub show: ShowArgs,
}

/// `replay state`.
#[derive(Args, Debug)]
#[command(
    after_help = format!("{TARGETS}\n\nExample: replay state rec:42 my.bin"),
    override_usage = "replay state [OPTIONS] [TARGET] TRACE"
)]
pub struct StateArgs {
    #[command(flatten)]
    pub place: PlaceArgs,
    #[command(flatten)]
    pub show: ShowArgs,
}

/// Bytes of output that are kept for a process.
const OUTPUT: usize = 16 << 10;
/// Limit: characters of a term in JSON.
const JSON_CHARS: usize = 10_000;
/// Limits: frames that are shown, and lines of source around the innermost.
const FRAMES: usize = 6;
/// Limit: messages, links and the like that are shown.
const ITEMS: usize = 20;

/// Runs `replay run`.
///
/// # Errors
/// Everything of [`Error`].
pub fn run(args: &RunArgs, out: &mut Out<'_>) -> Result<Exit, Error> {
    let session = open_session(&args.trace)?;
    if args.view.view.is_some() {
        return drawn(&session, args, out).map_err(|e| e.about(&args.trace));
    }
    let moves = args.when.is_some() || args.pattern.is_some() || !args.back.is_empty();
    let view = match args.until.first() {
        Some(text) if moves || text.starts_with("step:") || text.starts_with("line:") => {
            super::travel::travel(&session, text, args, out)
        }
        Some(text) => until(&session, text, &args.trace, out, args.show),
        None => whole(&session, out, args.show),
    };
    out.view(
        &view.map_err(|e| e.about(&args.trace))?,
        args.show,
        render::text::replay,
    )?;
    Ok(Exit::Success)
}

/// `--view`: the causes of the target as a diagram.
fn drawn(session: &Session, args: &RunArgs, out: &mut Out<'_>) -> Result<Exit, Error> {
    let [target] = args.until.as_slice() else {
        return Err(Error::Usage("--view goes with one --until TARGET".to_owned()));
    };
    if args.when.is_some() || args.pattern.is_some() || !args.back.is_empty() {
        return Err(Error::Usage(
            "--view does not go with --back, --when and --where".to_owned(),
        ));
    }
    super::is_text(out)?;
    let found = session.find(target.parse::<Target>()?)?;
    draw(
        session,
        &found,
        &Marks::default(),
        Style::of(out, args.view, args.show),
        out,
    )?;
    Ok(Exit::Success)
}

/// Actions in a diagram in the terminal.
const DRAWN: usize = 40;

/// Draws the causes of a point.
pub(crate) fn draw(
    session: &Session,
    found: &causality::Point,
    marks: &Marks,
    style: Style,
    out: &mut Out<'_>,
) -> Result<(), Error> {
    let diagram = Diagram::of(session, found, WantedDiagram { limit: DRAWN, marks })?;
    diagram::lanes(out.sink, &diagram, style)?;
    out.sink.flush()?;
    Ok(())
}

/// More actions than this are shown in the order of the replay; fewer in that of [`causality::causal_order`], which groups actions of one
/// process but takes a third of the time of a replay.
const ORDERED: u64 = 10_000;

/// Runs `replay state`.
///
/// # Errors
/// Everything of [`Error`].
pub fn state(args: &StateArgs, out: &mut Out<'_>) -> Result<Exit, Error> {
    let (target, path) = args.place.parts()?;
    let session = open_session(path)?;
    let gather = || match target.parse::<Target>()? {
        place if place.is_place() => super::travel::at_place(&session, place, &bounds(out, args.show)),
        _ => until(&session, target, path, out, args.show),
    };
    let view = gather().map_err(|e| e.about(path))?;
    let process = view.process.unwrap_or_default();
    out.view(&process, args.show, |sink, process, layout| {
        render::text::process(sink, process, layout)?;
        render::text::notes(sink, &view.notes, layout)
    })?;
    Ok(Exit::Success)
}

/// Runs `replay causes`.
///
/// # Errors
/// Everything of [`Error`] but divergence: nothing is replayed.
pub fn causes(args: &CausesArgs, out: &mut Out<'_>) -> Result<Exit, Error> {
    let (target, path) = args.place.parts()?;
    let trace = open(path)?;
    let gather = || -> Result<Vec<ActionRow>, Error> {
        let found = super::find(&trace, target)?;
        let slice = shown::slice_of(&trace, &found)?;
        let picked = shown::picked(&trace, &slice, &found, args.show.all)?;
        shown::rows(
            &trace,
            &slice,
            &picked,
            Some(&found),
            &FxHashMap::default(),
            &ProcessNames::default(),
        )
    };
    let rows = gather().map_err(|e| e.about(path))?;
    out.view(&rows, args.show, |sink, rows, layout| {
        if rows.is_empty() {
            return writeln!(sink, "nothing that is logged led to it");
        }
        render::text::rows(sink, rows, layout)
    })?;
    Ok(Exit::Success)
}

pub(crate) fn bounds(out: &Out<'_>, show: ShowArgs) -> ShownBounds {
    let chars = match (out.format, show.all) {
        (crate::cli::shared::Format::Text, false) => out.layout(show).width,
        _ => JSON_CHARS,
    };
    let (frames, items) = if show.all {
        (usize::MAX, usize::MAX)
    } else {
        (FRAMES, ITEMS)
    };
    ShownBounds { chars, frames, items }
}

/// Replays to a target and shows the process there.
fn until(session: &Session, text: &str, path: &Path, out: &Out<'_>, show: ShowArgs) -> Result<Replay, Error> {
    let trace = session.trace();
    let started = Instant::now();
    let found = text.parse::<Target>()?.resolve(trace)?;
    let slice = shown::slice_of(trace, &found)?;
    let mut seconds = started.elapsed();
    let picked = shown::picked(trace, &slice, &found, show.all)?;
    let bounds = bounds(out, show);
    let wish = Wish {
        acts: picked.clone(),
        subject: Some(found.pid),
        chars: bounds.chars,
        output: if show.all { usize::MAX / 4 } else { OUTPUT },
        frames: bounds.frames,
        ..Wish::default()
    };
    let mut goal = Goal::causes(slice.clone());
    goal.runs_on = found.runs_on.then_some(found.pid);
    let started = Instant::now();
    let mut system = session.replay(&goal, Watcher::comparing(wish, session.digests()?))?;
    seconds += started.elapsed();
    compared(
        trace,
        &mut system,
        goal.runs_on.map_or(Comparable::Nobody, Comparable::One),
    )?;
    let outputs = shown::outputs(&mut system);
    let mut shown = shown::shown_pids(&system, &outputs);
    shown.insert(found.pid);
    let names = shown::names_of(&system, &shown);
    let rows = if slice.actions() <= ORDERED || show.all {
        shown::rows(trace, &slice, &picked, Some(&found), &system.observer.seen, &names)?
    } else {
        shown::replayed_rows(trace, Some(&found), &system.observer, &names)?
    };
    let process = shown::process(session, &system, &found, &names, &bounds)?;
    forget(system);
    Ok(Replay {
        target: Some(found.target.to_string()),
        replayed: Extent {
            actions: slice.actions(),
            processes: slice.processes() as u64,
        },
        of: whole_run(trace),
        seconds: seconds.as_secs_f64(),
        way: vec![],
        undone: vec![],
        causes: rows,
        next: next(path, process.next.as_deref()),
        process: Some(process),
        output: shown::printed(outputs, &names),
        notes: notes::all(trace, &found)?
            .into_iter()
            .chain(notes::node_note(trace)?)
            .collect(),
    })
}

/// Does not free a system: the command ends soon, and freeing hundreds of thousands of processes would take a tenth of its time.
fn forget(system: System<Watcher>) {
    std::mem::forget(system);
}

/// Which processes' final states can be compared.
enum Comparable {
    Nobody,
    One(Pid),
    All,
}

/// Fails if contents differ from the recorder's digests.
fn compared(trace: &Trace, system: &mut System<Watcher>, waiting: Comparable) -> Result<(), Error> {
    let mut contents = std::mem::take(&mut system.observer.contents);
    match waiting {
        Comparable::Nobody => {}
        Comparable::One(pid) => contents.all_wait(trace, system, Some(pid))?,
        Comparable::All => contents.all_wait(trace, system, None)?,
    }
    contents.agree(trace)
}

/// Replays the whole run and shows what it printed.
fn whole(session: &Session, out: &Out<'_>, show: ShowArgs) -> Result<Replay, Error> {
    let trace = session.trace();
    let wish = Wish {
        output: if show.all { usize::MAX / 4 } else { OUTPUT },
        chars: bounds(out, show).chars,
        ..Wish::default()
    };
    let started = Instant::now();
    let recorded = session.digests()?;
    let mut goal = Goal::everything();
    goal.all_run_on = !recorded.is_empty() && digests::waited(trace)?;
    let mut system = session.replay(&goal, Watcher::comparing(wish, recorded))?;
    let seconds = started.elapsed().as_secs_f64();
    compared(trace, &mut system, Comparable::All)?;
    let outputs = shown::outputs(&mut system);
    let shown = shown::shown_pids(&system, &outputs);
    let names = shown::names_of(&system, &shown);
    let of = whole_run(trace);
    let output = shown::printed(outputs, &names);
    forget(system);
    Ok(Replay {
        target: None,
        replayed: of,
        of,
        seconds,
        way: vec![],
        undone: vec![],
        causes: vec![],
        process: None,
        output,
        notes: vec![],
        next: vec![],
    })
}

pub(crate) fn whole_run(trace: &Trace) -> Extent {
    let totals = trace.totals();
    Extent {
        actions: totals.counts.actions,
        processes: totals.processes,
    }
}

pub(crate) fn next(path: &Path, action: Option<&str>) -> Vec<NextCommand> {
    let file = path_argument(path);
    let command = |command: String, what: &str| NextCommand {
        command,
        what: what.to_owned(),
    };
    action
        .map(|target| {
            command(
                format!("replay --until {target} {file}"),
                "the next action of this process",
            )
        })
        .into_iter()
        .collect()
}

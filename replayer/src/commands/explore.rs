//! `replay explore`: every way a program could go, and what comes of each.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use multiverse::outcome::End;
use multiverse::search::{Bound, Cut, Gap};
use multiverse::{Bounds, Explorer, Outcome, Summary, Universe};
use serde::Serialize;

use crate::cli::{ExploreArgs, Format};
use crate::commands::{Out, is_program, open_explored, open_session};
use crate::exit::Exit;
use crate::interrupt::Interrupt;
use crate::render;
use crate::render::text::{Layout, wrap};
use crate::words::{count, path_argument, safe};
use session::{Error, Session};

/// Limits: outcomes, and lines of one, that are shown.
const SHOWN: usize = 20;
const LINES: usize = 8;

/// The answer.
#[derive(Serialize)]
struct View {
    universes: u64,
    /// Are these all of them?
    complete: bool,
    runs: u64,
    seconds: f64,
    /// How many runs were left out because something must be held up for longer, each at the first choice that needs it.
    stalled: u64,
    /// Why there can be more, if there can.
    notes: Vec<String>,
    /// The most frequent last; failures first.
    outcomes: Vec<Told>,
}

/// An outcome, and the universes that have it.
#[derive(Serialize)]
struct Told {
    outcome: String,
    failure: bool,
    details: Vec<String>,
    universes: u64,
    /// The number of actions of the shortest one.
    shortest: u64,
    /// Its trace, if traces are written.
    #[serde(skip_serializing_if = "Option::is_none")]
    trace: Option<String>,
}

/// The universes with one outcome.
struct Kind {
    universes: u64,
    shortest: u64,
    trace: Option<Vec<u8>>,
}

type Kinds = BTreeMap<Outcome, Kind>;

/// The search stops by itself between two steps. If a step takes longer than this, the answer is given without waiting for it.
const GRACE: Duration = Duration::from_millis(250);
/// How often the search is looked at.
const TICK: Duration = Duration::from_millis(25);

/// Runs `replay explore`.
///
/// # Errors
/// The program cannot be read or does not compile; a trace cannot be written.
pub fn run(args: &ExploreArgs, out: &mut Out<'_>) -> Result<Exit, Error> {
    let began = Instant::now();
    let interrupt = Interrupt::watch();
    let session = match is_program(&args.program) {
        true => open_explored(args)?,
        false if args.entry.is_some() || !args.defines.is_empty() || !args.includes.is_empty() => {
            return Err(Error::Usage(
                "--entry, -D and -I are for a program FILE.erl: a trace holds how its program was compiled and started"
                    .to_owned(),
            ));
        }
        false => open_session(&args.program)?,
    };
    let (summary, kinds, interrupt) = search(args, &session, began, interrupt).map_err(|e| e.about(&args.program))?;
    interrupt.let_go();
    let view = view(args, &summary, kinds, began.elapsed())?;
    let failed = view.outcomes.iter().any(|told| told.failure);
    match out.format {
        Format::Json => render::json::write(out.sink, &view)?,
        Format::Text => {
            let layout = out.layout(args.show);
            text(out.sink, &view, &layout)?;
        }
    }
    out.sink.flush()?;
    Ok(match interrupt.exit() {
        _ if failed => Exit::Different,
        Some(exit) => exit,
        None => Exit::Success,
    })
}

/// Searches on another thread, and does not wait for it much longer than `--time` or a signal allows.
fn search(
    args: &ExploreArgs,
    session: &Session,
    began: Instant,
    mut interrupt: Interrupt,
) -> Result<(Summary, Kinds, Interrupt), Error> {
    let time = args.time.map(Duration::from_nanos);
    let bounds = Bounds {
        universes: args.universes,
        time: time.map(|time| time.saturating_sub(began.elapsed())),
        steps: args.steps,
        delivery: args.delivery,
        stall: args.max_stall.0,
    };
    let explorer = Explorer::new(session, bounds, Arc::clone(&interrupt.flag))?;
    let so_far = explorer.so_far();
    let kinds: Arc<Mutex<Kinds>> = Arc::default();
    let noted = Arc::clone(&kinds);
    let keep = args.traces.is_some();
    let (done, comes) = channel();
    let work = move || {
        let summary = explorer.run(|universe| note(&noted, universe, keep).map(|()| true));
        // Nobody listens any more if it came too late.
        let _late = done.send(summary);
    };
    std::thread::Builder::new()
        .name("explore".to_owned())
        .stack_size(STACK)
        .spawn(work)
        .map_err(|error| Error::Bug(format!("no thread for the search: {error}")))?;
    let limit = time.map(|time| time + GRACE);
    let found = |so_far: &Mutex<Summary>| so_far.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let summary = match wait(&comes, began, limit, &mut interrupt, || found(&so_far).universes)? {
        Some(summary) => summary,
        None => Summary {
            stopped: Some(match interrupt.since() {
                Some(_) => Bound::Caller,
                None => Bound::Time,
            }),
            ..found(&so_far)
        },
    };
    let kinds = std::mem::take(&mut *kinds.lock().unwrap_or_else(PoisonError::into_inner));
    Ok((summary, kinds, interrupt))
}

/// The stack of the searching thread: as large as that of a first thread.
const STACK: usize = 8 << 20;

/// Waits for the end of the search, but not longer than up to the limit, or than a moment after a signal.
fn wait(
    comes: &Receiver<Result<Summary, Error>>,
    began: Instant,
    limit: Option<Duration>,
    interrupt: &mut Interrupt,
    universes: impl Fn() -> u64,
) -> Result<Option<Summary>, Error> {
    let mut progress = Progress::default();
    loop {
        match comes.recv_timeout(TICK) {
            Ok(summary) => return summary.map(Some),
            Err(RecvTimeoutError::Disconnected) => return Err(Error::Bug("the search has crashed".to_owned())),
            Err(RecvTimeoutError::Timeout) => {}
        }
        let late = limit.is_some_and(|limit| began.elapsed() >= limit);
        if late || interrupt.since().is_some_and(|since| since >= GRACE) {
            return Ok(None);
        }
        progress.show(universes());
    }
}

fn note(kinds: &Mutex<Kinds>, universe: &Universe<'_>, keep: bool) -> Result<(), Error> {
    let lock = || kinds.lock().unwrap_or_else(PoisonError::into_inner);
    let is_shortest = |kinds: &Kinds| {
        let known = kinds.get(&universe.outcome);
        known.is_none_or(|kind| universe.actions < kind.shortest)
    };
    // Making a trace can take long, and nobody must wait for the lock meanwhile.
    let shortest = is_shortest(&lock());
    let mut trace = None;
    if shortest && keep {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let clock = now.map_or(0, |since| i64::try_from(since.as_micros()).unwrap_or(i64::MAX));
        trace = Some(universe.player.save(clock)?);
    }
    let mut kinds = lock();
    let kind = kinds.entry(universe.outcome.clone()).or_insert(Kind {
        universes: 0,
        shortest: u64::MAX,
        trace: None,
    });
    kind.universes += 1;
    if shortest {
        kind.shortest = universe.actions;
        kind.trace = trace;
    }
    Ok(())
}

fn view(args: &ExploreArgs, summary: &Summary, kinds: Kinds, time: Duration) -> Result<View, Error> {
    let mut outcomes = Vec::new();
    let mut kinds: Vec<(Outcome, Kind)> = kinds.into_iter().collect();
    kinds.sort_by_key(|(outcome, kind)| (!outcome.is_failure(), kind.universes));
    for ((outcome, kind), number) in kinds.into_iter().zip(1..) {
        let trace = match (&args.traces, kind.trace) {
            (Some(folder), Some(bytes)) => Some(write(folder, &args.program, &outcome, number, &bytes)?),
            _ => None,
        };
        outcomes.push(Told {
            outcome: ending(&outcome.end),
            failure: outcome.is_failure(),
            details: details(&outcome),
            universes: kind.universes,
            shortest: kind.shortest,
            trace: trace.map(|path| path_argument(&path)),
        });
    }
    Ok(View {
        universes: summary.universes,
        complete: summary.is_complete(),
        runs: summary.runs,
        stalled: summary.stalled,
        seconds: time.as_secs_f64(),
        notes: notes(args, summary),
        outcomes,
    })
}

/// Writes the trace of a universe. Its name says which program and what comes of it.
fn write(folder: &Path, program: &Path, outcome: &Outcome, number: usize, bytes: &[u8]) -> Result<PathBuf, Error> {
    let stem = program.file_stem().unwrap_or_default().to_string_lossy();
    let word = match outcome.end {
        End::Crashed(_) => "crashed",
        End::Deadlock(_) => "deadlock",
        End::Halted(_) => "halted",
        End::Returned(_) => "returned",
        End::Cut(_) => "cut",
    };
    let path = folder.join(format!("{stem}-{word}-{number}.trace"));
    let failed = |error: std::io::Error| Error::Output {
        path: path.clone(),
        error: error.to_string(),
    };
    std::fs::create_dir_all(folder).map_err(failed)?;
    let place = crate::unfinished::aside(&path).map_err(failed)?;
    let written = place.handle().and_then(|mut file| file.write_all(bytes));
    written.and_then(|()| place.keep()).map_err(failed)?;
    Ok(path)
}

fn ending(end: &End) -> String {
    match end {
        End::Crashed(reason) => format!("the entry crashed: {}", safe(reason)),
        End::Deadlock(_) => "the entry waits for ever".to_owned(),
        End::Halted(status) => format!("halt({status})"),
        End::Returned(value) => format!("returned {}", safe(value)),
        End::Cut(Cut::Steps) => "did not end within --steps".to_owned(),
        End::Cut(Cut::Computes) => "a process computes without end, or for very long".to_owned(),
    }
}

fn details(outcome: &Outcome) -> Vec<String> {
    let mut lines = Vec::new();
    for (pid, reason) in &outcome.crashes {
        lines.push(format!("{pid} ended: {}", safe(reason)));
    }
    if let End::Deadlock(waits) = &outcome.end {
        lines.extend(
            waits
                .iter()
                .map(|(pid, place)| format!("{pid} waits at {}", safe(place))),
        );
    }
    for (pid, text) in &outcome.printed {
        lines.extend(text.lines().map(|line| format!("{pid} printed {}", safe(line))));
    }
    for (pid, left) in &outcome.unreceived {
        lines.push(format!("{pid} did not receive {}", count(*left, "message")));
    }
    lines
}

fn notes(args: &ExploreArgs, summary: &Summary) -> Vec<String> {
    let mut notes = Vec::new();
    let why = match summary.stopped {
        Some(Bound::Universes) => Some("it stopped at --universes"),
        Some(Bound::Time) => Some("it stopped at --time"),
        Some(Bound::Caller) => Some("it was interrupted"),
        None => None,
    };
    if let Some(why) = why {
        let under_way = summary.under_way.map_or_else(String::new, |actions| {
            format!(" The run that was under way had made {}.", count(actions, "action"))
        });
        notes.push(format!("There can be more: {why}.{under_way}"));
    }
    if summary.stalled > 0 {
        notes.push(format!(
            "Left out: what happens only if something is held up for more than {} (--max-stall).",
            args.max_stall
        ));
    }
    for (why, cut) in &summary.cut {
        let they = if *cut == 1 { "it" } else { "they" };
        let why = match why {
            Cut::Steps => format!("{they} did not end within {} (--steps)", count(args.steps, "step")),
            Cut::Computes => "a process computed for very long without an action, perhaps for ever".to_owned(),
        };
        notes.push(format!(
            "{} cut: {why}. What would have come after that is not known.",
            count(*cut, "universe")
        ));
    }
    for (gap, place) in &summary.gaps {
        let what = match gap {
            Gap::Input => {
                "reads the time, a random number or another input: each run has one value of it, and others are not tried"
            }
            Gap::State => {
                "looks at its own state, such as its mailbox: only what must have come is seen, and not what could have"
            }
            Gap::Other => {
                "looks into another process, which can be anywhere between two of its actions: only one state of it is seen"
            }
            Gap::Cancel => {
                "cancels a timer of another process: the case where its message was received before is not tried"
            }
            Gap::Runtime => "sends a message to a process of the runtime, which answers under Erlang/OTP and not here",
        };
        notes.push(format!(
            "Not every way was tried: the program {what} ({}).",
            safe(place)
        ));
    }
    notes
}

fn text(out: &mut dyn Write, view: &View, layout: &Layout) -> std::io::Result<()> {
    let all = match view.complete {
        true => ": these are all".to_owned(),
        false => ", and there can be more".to_owned(),
    };
    writeln!(
        out,
        "{}{all} ({} in {:.1} s)",
        layout.paint.strong(&count(view.universes, "universe")),
        count(view.runs, "run"),
        view.seconds
    )?;
    for note in &view.notes {
        writeln!(out, "{}", wrap(&format!("  {note}"), layout.width))?;
    }
    let shown = if layout.all { usize::MAX } else { SHOWN };
    for told in view.outcomes.iter().take(shown) {
        let outcome = match told.failure {
            true => layout.paint.bad(&told.outcome),
            false => told.outcome.clone(),
        };
        writeln!(
            out,
            "\n{:>8}  {outcome}  (shortest: {})",
            told.universes,
            count(told.shortest, "action")
        )?;
        let lines = if layout.all { usize::MAX } else { LINES };
        for line in told.details.iter().take(lines) {
            writeln!(out, "            {line}")?;
        }
        if told.details.len() > lines {
            writeln!(
                out,
                "            … and {} (--all)",
                count((told.details.len() - lines) as u64, "line")
            )?;
        }
        if let Some(trace) = &told.trace {
            let command = if told.failure { "why" } else { "info" };
            writeln!(out, "            replay {command} {trace}")?;
        }
    }
    if view.outcomes.len() > shown {
        let left = (view.outcomes.len() - shown) as u64;
        writeln!(out, "\n… and {} (--all)", count(left, "outcome"))?;
    }
    Ok(())
}

/// How many universes were found, on standard error, if it takes longer than half a second and standard error is a terminal.
#[derive(Default)]
struct Progress {
    began: Option<Instant>,
    bar: Option<indicatif::ProgressBar>,
}

impl Progress {
    fn show(&mut self, universes: u64) {
        let began = *self.began.get_or_insert_with(Instant::now);
        if self.bar.is_none() && began.elapsed() < super::PATIENCE {
            return;
        }
        let bar = self.bar.get_or_insert_with(indicatif::ProgressBar::new_spinner);
        bar.set_message(count(universes, "universe"));
        bar.tick();
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

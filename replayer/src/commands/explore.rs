//! `replay explore`: every way a program could go, and what comes of each.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use multiverse::outcome::End;
use multiverse::search::{Bound, Gap};
use multiverse::{Bounds, Explorer, Outcome, Summary, Universe};
use serde::Serialize;

use crate::cli::{ExploreArgs, Format};
use crate::commands::{Out, is_program, open_program, open_session};
use crate::exit::Exit;
use crate::render;
use crate::render::text::{Layout, wrap};
use crate::words::{count, path_argument, safe};
use session::Error;

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

/// Runs `replay explore`.
///
/// # Errors
/// The program cannot be read or does not compile; a trace cannot be written.
pub fn run(args: &ExploreArgs, out: &mut Out<'_>) -> Result<Exit, Error> {
    let session = match is_program(&args.program) {
        true => open_program(&args.program, None, None)?,
        false => open_session(&args.program)?,
    };
    let bounds = Bounds {
        universes: args.universes,
        time: args.time.map(Duration::from_secs),
        actions: args.actions,
    };
    let began = Instant::now();
    let mut kinds: BTreeMap<Outcome, Kind> = BTreeMap::new();
    let mut progress = Progress::default();
    let explorer = Explorer::new(&session, bounds).map_err(|e| e.about(&args.program))?;
    let summary = explorer.run(|universe| {
        progress.show(universe.number);
        note(&mut kinds, universe, args.traces.is_some())?;
        Ok(true)
    });
    drop(progress);
    let summary = summary.map_err(|e| e.about(&args.program))?;
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
    Ok(if failed { Exit::Different } else { Exit::Success })
}

fn note(kinds: &mut BTreeMap<Outcome, Kind>, universe: &Universe<'_>, keep: bool) -> Result<(), Error> {
    let kind = kinds.entry(universe.outcome.clone()).or_insert(Kind {
        universes: 0,
        shortest: u64::MAX,
        trace: None,
    });
    kind.universes += 1;
    if universe.actions < kind.shortest {
        kind.shortest = universe.actions;
        if keep {
            let now = SystemTime::now().duration_since(UNIX_EPOCH);
            let clock = now.map_or(0, |since| i64::try_from(since.as_micros()).unwrap_or(i64::MAX));
            kind.trace = Some(universe.player.save(clock)?);
        }
    }
    Ok(())
}

fn view(args: &ExploreArgs, summary: &Summary, kinds: BTreeMap<Outcome, Kind>, time: Duration) -> Result<View, Error> {
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
        End::Cut => "cut",
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
        End::Cut => "did not end within the bounds".to_owned(),
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
    match summary.stopped {
        Some(Bound::Universes) => notes.push("There are more: it stopped at --universes.".to_owned()),
        Some(Bound::Time) => notes.push("There are more: it stopped at --time.".to_owned()),
        Some(Bound::Caller) | None => {}
    }
    if summary.cut > 0 {
        notes.push(format!(
            "{} cut: {} did not end within {} (--actions). What would have come after that is not known.",
            count(summary.cut, "universe"),
            if summary.cut == 1 { "it" } else { "they" },
            count(args.actions, "action")
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
            Gap::Link => {
                "uses a process that has ended and to which it could have had a link: whether it had heard of the end is not tried"
            }
            Gap::Cancel => {
                "cancels a timer, a monitor or an alias: that what it cancels has come just before is not tried"
            }
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

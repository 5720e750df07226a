//! `replay explore`: every way a program could go, and what comes of each.

pub mod arguments;
mod bounds;
mod breaks;
mod folder;
mod graph;
mod groups;
mod paused;
mod shell;
mod tell;
mod units;

use std::ffi::OsStr;
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use multiverse::debugger::UniversePoint;
use multiverse::map::Book;
use multiverse::summary::{Bound, Cut, Gap};
use multiverse::{Checks, Explorer, Normal, RecordedPoint, Sampled, SearchBounds, Summary, Universe};

use crate::cli::shared::Format;
use crate::commands::explore::arguments::{CheckedArgs, ExploreArgs, ExploredDelivery};
use crate::commands::{Out, is_program, open_explored, open_session};
use crate::diagram::Style;
use crate::exit::Exit;
use crate::interrupt::Interrupt;
use crate::render;
use crate::universes::{self, GraphFileKind};
use crate::words::{count, number, safe};
use groups::GroupedUniverses;
use session::invariant::Invariant;
use session::{Error, Session};

/// The search stops by itself between two steps. If a step takes longer than this, the answer is given without waiting for it.
const GRACE: Duration = Duration::from_millis(250);
/// How often the search is looked at.
const TICK: Duration = Duration::from_millis(25);

/// The kind of graph that is written, before anything is explored.
fn kind_of_graph(args: &ExploreArgs) -> Result<Option<GraphFileKind>, Error> {
    let Some(path) = &args.graph else { return Ok(None) };
    let kind = GraphFileKind::of(path)?;
    universes::may_replace(kind, path)?;
    Ok(Some(kind))
}

/// How the universes of a file of Elixir are visited: only a run of it knows its modules. `None`: it is none.
fn of_elixir(path: &Path) -> Option<String> {
    let kind = path.extension().and_then(OsStr::to_str)?;
    let shown = log_format::quoted(path.as_os_str());
    let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
    let run = match kind {
        "exs" if name.ends_with("_test.exs") => format!("tracer test --keep all {shown}` and `replay explore latest"),
        "exs" => format!("tracer run -o t.trace {shown}` and `replay explore t.trace"),
        "ex" => format!("tracer run -o t.trace --entry MODULE.FUNCTION {shown}` and `replay explore t.trace"),
        _ => return None,
    };
    Some(format!(
        "{shown} is a program in Elixir, of which a recorded run is explored: `{run}` visit its universes"
    ))
}

/// The trace, or what a program is before it does anything.
fn opened(args: &ExploreArgs) -> Result<Session, Error> {
    if let Some(how) = of_elixir(&args.program) {
        return Err(Error::Usage(how));
    }
    match is_program(&args.program) {
        true => open_explored(args),
        false if args.entry.is_some() || !args.defines.is_empty() || !args.includes.is_empty() => Err(Error::Usage(
            "--entry, -D and -I are for a program FILE.erl: a trace holds how its program was compiled and started"
                .to_owned(),
        )),
        false if args.checks.random_choices.is_some() => Err(Error::Usage(
            "--random-choices is for a program FILE.erl: a trace holds the module `rand` that its program used"
                .to_owned(),
        )),
        false => open_session(&args.program),
    }
}

/// Runs `replay explore`.
///
/// # Errors
/// The program cannot be read or does not compile; a trace cannot be written.
pub fn run(args: &ExploreArgs, out: &mut Out<'_>) -> Result<Exit, Error> {
    let began = Instant::now();
    let mut interrupt = Interrupt::watch();
    let kind = kind_of_graph(args)?;
    let session = opened(args)?;
    let from = from(args, &session).map_err(|e| e.about(&args.program))?;
    if args.units.is_used() {
        let other = match (args.interactive, &args.from) {
            (true, _) => Some("--interactive"),
            (false, Some(_)) => Some("--from"),
            (false, None) if args.graph.is_some() => Some("--graph"),
            (false, None) if !args.bounds.bounds.is_empty() => Some("--bound"),
            (false, None) if args.bounds.sample.is_some() => Some("--sample"),
            (false, None) if !args.checks.invariants.is_empty() => Some("--invariant"),
            (false, None) if !args.checks.normal.is_empty() => Some("--normal-reason"),
            (false, None) => None,
        };
        if let Some(other) = other {
            return Err(Error::Usage(format!(
                "{other} does not go with a search in parts (--out, --resume, --merge)"
            )));
        }
    }
    if args.interactive {
        if args.graph.is_some() {
            return Err(Error::Usage(
                "--graph does not go with --interactive: the universes that are paused have no end yet".to_owned(),
            ));
        }
        if !args.bounds.bounds.is_empty() || args.bounds.sample.is_some() {
            return Err(Error::Usage(
                "--bound and --sample do not go with --interactive: a universe that stops has not gone its whole way"
                    .to_owned(),
            ));
        }
        let from = from.map_or_else(UniversePoint::default, |from| from.point());
        return shell::run(args, session, from, interrupt, out);
    }
    let style = args.view.view.map(|_| Style::of(out, args.view, args.show));
    if style.is_some() {
        super::is_text(out)?;
    }
    let view = if args.units.is_used() {
        let answer = units::run(args, &session, began, &mut interrupt).map_err(|e| e.about(&args.program))?;
        let mut notes = notes(args, &answer.summary);
        notes.extend(answer.notes);
        let time = Duration::try_from_secs_f64(answer.seconds).unwrap_or_default();
        let failing = answer.found.failing;
        let found = (answer.found.into_groups(), failing);
        let view = tell::view(args, (&answer.summary, None), found, notes, (time, style))?;
        view.with_left(answer.left)
    } else {
        let ((summary, sampled), found, book, watched) =
            search(args, &session, from, began, interrupt).map_err(|e| e.about(&args.program))?;
        interrupt = watched;
        let notes = notes(args, &summary);
        let found = (found.failing, found.into_groups());
        if let (Some(path), Some(kind)) = (&args.graph, kind)
            && !book.is_empty()
        {
            let map = graph::map(book, &args.program, &summary, &notes, &found.1);
            universes::write(&map, kind, path)?;
        }
        tell::view(
            args,
            (&summary, sampled.as_ref()),
            (found.1, found.0),
            notes,
            (began.elapsed(), style),
        )?
    };
    interrupt.let_go();
    let failed = view.failing > 0;
    match out.format {
        Format::Json => render::json::write(out.sink, &view)?,
        Format::Text => {
            let layout = out.layout(args.show);
            tell::text(out.sink, &view, &layout)?;
        }
    }
    out.sink.flush()?;
    Ok(match interrupt.exit() {
        _ if failed => Exit::Different,
        Some(exit) => exit,
        None => Exit::Success,
    })
}

/// The point of `--from`.
fn from(args: &ExploreArgs, session: &Session) -> Result<Option<RecordedPoint>, Error> {
    let Some(text) = &args.from else { return Ok(None) };
    if is_program(&args.program) {
        return Err(Error::Usage(
            "--from names a point of a recorded run: it needs a trace, not a program FILE.erl".to_owned(),
        ));
    }
    let (text, before) = match text.strip_prefix("before:") {
        Some(rest) => (rest, true),
        None => (text.as_str(), false),
    };
    let point = session.find(text.parse::<causality::Target>()?)?;
    Ok(Some(RecordedPoint::of(session, &point, before)?))
}

/// What was found; and of random walks, what they estimate.
type ExploreAnswer = (Summary, Option<Sampled>);

/// Searches on another thread, and does not wait for it much longer than `--time` or a signal allows.
fn search(
    args: &ExploreArgs,
    session: &Session,
    from: Option<RecordedPoint>,
    began: Instant,
    mut interrupt: Interrupt,
) -> Result<(ExploreAnswer, GroupedUniverses, Book, Interrupt), Error> {
    let time = args.time.map(Duration::from_nanos);
    let bounds = SearchBounds {
        universes: args.universes,
        time: time.map(|time| time.saturating_sub(began.elapsed())),
        steps: args.steps,
        delays: bounds::delays(&args.bounds),
        preemptions: bounds::preemptions(&args.bounds),
        delivery: args.delivery.of_session(),
        at_send: args.delivery == ExploredDelivery::AtSend,
        stall: args.max_stall.0,
    };
    let jobs = args
        .jobs
        .unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    let checks = checks(&args.checks, session)?;
    let normal = checks.normal();
    let mut explorer = Explorer::new(session, bounds, Arc::clone(&interrupt.flag))?.with_checks(checks);
    if let Some(from) = from {
        explorer = explorer.from(from);
    }
    if args.graph.is_some() {
        explorer = explorer.telling();
    }
    let book: Arc<Mutex<Book>> = Arc::default();
    let (writes, keeps_book) = (Arc::clone(&book), args.graph.is_some());
    let so_far = explorer.so_far();
    let found: Arc<Mutex<GroupedUniverses>> = Arc::default();
    let noted = Arc::clone(&found);
    let keep = args.traces.is_some() || args.view.view.is_some();
    let (done, comes) = channel();
    let walks = args.bounds.sample;
    let work = move || {
        let note = |universe: &Universe<'_>| {
            if universe.number == 1 {
                *locked(&noted) = GroupedUniverses::default();
            }
            if keeps_book {
                locked(&writes).note(universe)?;
            }
            let trace = || universe.player()?.save(now());
            groups::note(|| locked(&noted), universe, &normal, keep.then_some(&trace)).map(|()| true)
        };
        let summary = match walks {
            None => explorer.run_together(jobs, note).map(|summary| (summary, None)),
            Some(walks) => explorer
                .sample(walks, note)
                .map(|(summary, sampled)| (summary, Some(sampled))),
        };
        // Nobody listens any more if it came too late.
        let _late = done.send(summary);
    };
    std::thread::Builder::new()
        .name("explore".to_owned())
        .stack_size(STACK)
        .spawn(work)
        .map_err(|error| Error::Bug(format!("no thread for the search: {error}")))?;
    let limit = time.map(|time| time + GRACE);
    let known = || locked(&so_far).clone();
    let says = || progress(&locked(&so_far), locked(&found).failing);
    let (summary, sampled) = match wait(&comes, began, limit, &mut interrupt, says)? {
        Some(answer) => answer,
        None => {
            let stopped = Some(match interrupt.since() {
                Some(_) => Bound::Caller,
                None => Bound::Time,
            });
            (Summary { stopped, ..known() }, None)
        }
    };
    let found = std::mem::take(&mut *locked(&found));
    let book = std::mem::take(&mut *locked(&book));
    Ok(((summary, sampled), found, book, interrupt))
}

fn checks(args: &CheckedArgs, session: &Session) -> Result<Checks, Error> {
    let invariants = args.invariants.iter().map(|text| Invariant::of(session, text));
    let invariants = invariants.collect::<Result<_, Error>>()?;
    Ok(Checks::new(invariants, Normal::of(session, &args.normal)?))
}

fn locked<T>(one: &Mutex<T>) -> MutexGuard<'_, T> {
    one.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Microseconds since 1970.
fn now() -> i64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map_or(0, |since| i64::try_from(since.as_micros()).unwrap_or(i64::MAX))
}

/// The stack of the searching thread: as large as that of a first thread.
const STACK: usize = 8 << 20;

/// Waits for the end of the search, but not longer than up to the limit, or than a moment after a signal.
fn wait(
    comes: &Receiver<Result<ExploreAnswer, Error>>,
    began: Instant,
    limit: Option<Duration>,
    interrupt: &mut Interrupt,
    says: impl Fn() -> String,
) -> Result<Option<ExploreAnswer>, Error> {
    let mut progress = SearchProgress::default();
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
        progress.show(&says);
    }
}

fn notes(args: &ExploreArgs, summary: &Summary) -> Vec<String> {
    let mut notes = Vec::new();
    let why = match summary.stopped {
        Some(Bound::Universes) => Some("it stopped at --universes"),
        Some(Bound::Time) => Some("it stopped at --time"),
        Some(Bound::Caller) => Some("it was interrupted"),
        Some(Bound::Units) if summary.open == 0 => None,
        Some(Bound::Units) => Some("units of the search are left, with which --unit and --resume go on"),
        Some(Bound::Walks) | None => None,
    };
    if let Some(why) = why {
        let under_way = summary.under_way.map_or_else(String::new, |actions| {
            format!(" The run that was under way had made {}.", count(actions, "action"))
        });
        let open = match summary.open {
            0 => String::new(),
            1 => " 1 way is known and was not gone.".to_owned(),
            open => format!(" {} ways are known and were not gone.", number(open)),
        };
        notes.push(format!("There can be more: {why}.{under_way}{open}"));
    }
    bounds::notes(&args.bounds, summary, &mut notes);
    if summary.stalled > 0 {
        notes.push(format!(
            "Left out: what happens only if something is held up for more than {} (--max-stall).",
            args.max_stall
        ));
    }
    for (why, cut) in &summary.cut {
        let why = match why {
            Cut::Steps => format!("a process did not end within {} (--steps)", count(args.steps, "step")),
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
                "cancels or reads a timer of another process: the case where its message was received before is not tried"
            }
            Gap::Lists => "lists registered names or tables: only those that were there in one order are seen",
            Gap::Halts => "halts while much else can happen: not every set of crashes was tried that can come before",
            Gap::Crossing => "sends exit signals that cross, and looks at who is ended by them",
            Gap::Named => "sets a timer that sends to a name: who has the name when it fires is not tried",
            Gap::Dropped => {
                "gives up aliases or monitors to which much was sent: not every way was tried in which that was dropped"
            }
            Gap::Links => {
                "links and unlinks two processes from both sides: the other order of these calls is not tried"
            }
            Gap::Registers => {
                "registers a process that another one registers, too: not every order of such calls was tried"
            }
            Gap::Runtime => "sends a message to a process of the runtime, which answers under Erlang/OTP and not here",
        };
        let place = match place.is_empty() {
            true => String::new(),
            false => format!(" ({})", safe(place)),
        };
        notes.push(format!("Not every way was tried: the program {what}{place}."));
    }
    notes
}

/// How far the search is.
fn progress(summary: &Summary, failing: u64) -> String {
    let fail = if failing == 1 { "fails" } else { "fail" };
    format!(
        "{}, {} {fail}, {} open",
        count(summary.universes, "universe"),
        number(failing),
        count(summary.open, "way")
    )
}

/// How far the search is, on standard error, if it takes longer than half a second and standard error is a terminal.
#[derive(Default)]
struct SearchProgress {
    began: Option<Instant>,
    bar: Option<indicatif::ProgressBar>,
}

impl SearchProgress {
    fn show(&mut self, says: impl Fn() -> String) {
        let began = *self.began.get_or_insert_with(Instant::now);
        if self.bar.is_none() && began.elapsed() < super::PATIENCE {
            return;
        }
        let bar = self.bar.get_or_insert_with(indicatif::ProgressBar::new_spinner);
        bar.set_message(says());
        bar.tick();
    }
}

impl Drop for SearchProgress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_says_what_is_done_found_and_open() {
        let summary = Summary {
            universes: 12_345,
            open: 1,
            ..Summary::default()
        };
        assert_eq!(progress(&summary, 1), "12,345 universes, 1 fails, 1 way open");
        assert_eq!(progress(&Summary::default(), 0), "0 universes, 0 fail, 0 ways open");
    }
}

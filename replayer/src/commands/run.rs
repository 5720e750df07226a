//! `replay run`, which is `replay --until`: the controlled replay of a target, and what it looks like there.

use std::collections::hash_map::Entry;
use std::path::Path;
use std::time::Instant;

use causality::Slice;
use log_format::{Action, ActionNo, Kind, LogReader, Pid, PidMap, Trace};
use rustc_hash::{FxHashMap, FxHashSet};
use system::System;
use system::ids;

use crate::act::{self, Names};
use crate::cli::{CausesArgs, RunArgs, ShowArgs, StateArgs};
use crate::commands::{Out, open};
use crate::contents;
use crate::error::Error;
use crate::exit::Exit;
use crate::name::{self, Tally};
use crate::pick::{self, Picked};
use crate::render;
use crate::session::{Goal, Session};
use crate::subject::{self, Bounds};
use crate::targets::{self, Found};
use crate::view::{Act, Command, Extent, Printed, Process, Replay, Row};
use crate::watch::{Seen, Watcher, Wish};
use crate::words::{path_argument, safe};

/// Bytes of output of a process that are kept.
const OUTPUT: usize = 16 << 10;
/// Characters of a term in JSON.
const JSON_CHARS: usize = 10_000;
/// Frames that are shown, and lines of source around the innermost.
const FRAMES: usize = 6;
const AROUND: u32 = 2;
/// Messages, links and the like that are shown.
const ITEMS: usize = 20;

/// Runs `replay run`.
///
/// # Errors
/// Everything of [`Error`].
pub fn run(args: &RunArgs, out: &mut Out<'_>) -> Result<Exit, Error> {
    let session = Session::open(&args.trace)?;
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

/// What is shown of more actions comes in the order in which they were replayed; of fewer, in that of [`causality::causal_order`], which keeps
/// stretches of a process together, but takes a third of the time of a replay to find.
const ORDERED: u64 = 10_000;

/// Runs `replay state`.
///
/// # Errors
/// Everything of [`Error`].
pub fn state(args: &StateArgs, out: &mut Out<'_>) -> Result<Exit, Error> {
    let (target, path) = args.place.parts()?;
    let session = Session::open(path)?;
    let gather = || match target.parse() {
        Ok(causality::Target::Step(..) | causality::Target::Line { .. }) => {
            super::travel::at_place(&session, target, &bounds(out, args.show))
        }
        _ => until(&session, target, path, out, args.show),
    };
    let view = gather().map_err(|e| e.about(path))?;
    let process = view.process.unwrap_or_default();
    out.view(&process, args.show, render::text::process)?;
    Ok(Exit::Success)
}

/// Runs `replay causes`.
///
/// # Errors
/// Everything of [`Error`] but divergence: nothing is replayed.
pub fn causes(args: &CausesArgs, out: &mut Out<'_>) -> Result<Exit, Error> {
    let (target, path) = args.place.parts()?;
    let trace = open(path)?;
    let gather = || -> Result<Vec<Row>, Error> {
        let found = super::travel::find(&trace, target)?;
        let slice = slice_of(&trace, &found)?;
        let picked = picked(&trace, &slice, &found, args.show.all)?;
        rows(
            &trace,
            &slice,
            &picked,
            Some(&found),
            &FxHashMap::default(),
            &Names::default(),
        )
    };
    let rows = gather().map_err(|e| e.about(path))?;
    out.view(&rows, args.show, |sink, rows, layout| {
        render::text::rows(sink, rows, layout)
    })?;
    Ok(Exit::Success)
}

/// The causes of a target, itself included.
pub(crate) fn slice_of(trace: &Trace, found: &Found) -> Result<Slice, Error> {
    Ok(causality::causes(trace, found.pid, found.action)?)
}

pub(crate) fn prefixes(slice: &Slice) -> PidMap<u64> {
    slice.processes().map(|(pid, last)| (pid, last.0)).collect()
}

pub(crate) fn picked(trace: &Trace, slice: &Slice, found: &Found, all: bool) -> Result<Picked, Error> {
    let upto = prefixes(slice);
    if all {
        Ok(pick::all(&upto))
    } else {
        Ok(pick::pick(trace, &upto, (found.pid, found.action.0))?)
    }
}

pub(crate) fn bounds(out: &Out<'_>, show: ShowArgs) -> Bounds {
    let chars = match (out.format, show.all) {
        (crate::cli::Format::Text, false) => out.layout(show).width,
        _ => JSON_CHARS,
    };
    let (frames, items) = if show.all {
        (usize::MAX, usize::MAX)
    } else {
        (FRAMES, ITEMS)
    };
    Bounds { chars, frames, items }
}

/// Replays to a target and shows it.
fn until(session: &Session, text: &str, path: &Path, out: &Out<'_>, show: ShowArgs) -> Result<Replay, Error> {
    let trace = session.trace();
    let started = Instant::now();
    let found = targets::resolve(trace, text)?;
    let slice = slice_of(trace, &found)?;
    let mut seconds = started.elapsed();
    let picked = picked(trace, &slice, &found, show.all)?;
    let bounds = bounds(out, show);
    let wish = Wish {
        acts: picked.clone(),
        subject: Some(found.pid),
        chars: bounds.chars,
        output: if show.all { usize::MAX / 4 } else { OUTPUT },
        frames: bounds.frames,
        ..Wish::default()
    };
    let mut goal = Goal::causes(prefixes(&slice));
    goal.runs_on = found.runs_on.then_some(found.pid);
    let started = Instant::now();
    let mut system = session.replay(&goal, Watcher::comparing(wish, session.digests()?))?;
    seconds += started.elapsed();
    compared(trace, &mut system, goal.runs_on.map_or(Waiting::Nobody, Waiting::One))?;
    let outputs = outputs(&mut system);
    let mut shown = shown_pids(&system, &outputs);
    shown.insert(found.pid);
    let names = names_of(&system, &shown);
    let rows = if slice.len() <= ORDERED || show.all {
        rows(trace, &slice, &picked, Some(&found), &system.observer.seen, &names)?
    } else {
        replayed_rows(trace, Some(&found), &system.observer, &names)?
    };
    let process = process(session, &system, &found, &names, &bounds)?;
    leave(system);
    Ok(Replay {
        target: Some(found.target.clone()),
        replayed: Extent {
            actions: slice.len(),
            processes: slice.processes().len() as u64,
        },
        of: of(trace),
        seconds: seconds.as_secs_f64(),
        way: vec![],
        undone: vec![],
        causes: rows,
        next: next(path, process.next.as_deref()),
        process: Some(process),
        output: printed(outputs, &names),
        notes: found.notes.into_iter().chain(targets::of_nodes(trace)?).collect(),
    })
}

/// A command ends with its replay: giving back what hundreds of thousands of processes hold would take a tenth of its time.
fn leave(system: System<Watcher>) {
    std::mem::forget(system);
}

/// Whose final states are there to be compared.
enum Waiting {
    Nobody,
    One(Pid),
    All,
}

/// Fails if contents differ from what the recorder noted of them.
fn compared(trace: &Trace, system: &mut System<Watcher>, waiting: Waiting) -> Result<(), Error> {
    let mut contents = std::mem::take(&mut system.observer.contents);
    match waiting {
        Waiting::Nobody => {}
        Waiting::One(pid) => contents.all_wait(trace, system, Some(pid))?,
        Waiting::All => contents.all_wait(trace, system, None)?,
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
    goal.all_run_on = !recorded.is_empty() && contents::waited(trace)?;
    let mut system = session.replay(&goal, Watcher::comparing(wish, recorded))?;
    let seconds = started.elapsed().as_secs_f64();
    compared(trace, &mut system, Waiting::All)?;
    let outputs = outputs(&mut system);
    let shown = shown_pids(&system, &outputs);
    let names = names_of(&system, &shown);
    let of = of(trace);
    let output = printed(outputs, &names);
    leave(system);
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

pub(crate) fn of(trace: &Trace) -> Extent {
    let totals = trace.totals();
    Extent {
        actions: totals.counts.actions,
        processes: totals.processes,
    }
}

/// Takes what the processes printed out of the system, by pid.
pub(crate) fn outputs(system: &mut System<Watcher>) -> Vec<(Pid, crate::watch::Output)> {
    let table = system.table();
    let told = system.observer.told.iter();
    let living = told.filter_map(|pid| table.by_pid(interpreter::term::Pid::new(0, pid.0)));
    let living: Vec<_> = living.map(|p| p.log.clone()).collect();
    for watch in &living {
        system.observer.take(watch);
    }
    let mut all = std::mem::take(&mut system.observer.outputs);
    all.sort_by_key(|(pid, _)| *pid);
    all
}

/// The processes that are named where actions and output are shown: those that did them, and their peers.
fn shown_pids(system: &System<Watcher>, outputs: &[(Pid, crate::watch::Output)]) -> FxHashSet<Pid> {
    let seen = &system.observer.seen;
    let acted = seen.iter().flat_map(|((pid, _), seen)| [Some(*pid), seen.peer]);
    acted.flatten().chain(outputs.iter().map(|(pid, _)| *pid)).collect()
}

/// Registered names, or the functions that processes run.
pub(crate) fn names(system: &System<Watcher>) -> Names {
    name(system, system.table().iter())
}

/// The same of some: there may be very many.
fn names_of(system: &System<Watcher>, wanted: &FxHashSet<Pid>) -> Names {
    let wanted = wanted.iter();
    name(
        system,
        wanted.filter_map(|pid| system.table().by_pid(interpreter::term::Pid::new(0, pid.0))),
    )
}

fn name<'s>(
    system: &'s System<Watcher>,
    processes: impl Iterator<Item = &'s system::process::Process<crate::watch::Watch>>,
) -> Names {
    let mut names: Names = system.observer.labels.clone();
    for p in processes {
        let (_, function, arity) = p.initial_call;
        let pid = ids::to_log(p.pid);
        match p.rare.names.first() {
            Some(name) => {
                names.insert(pid, name.as_str().to_owned());
            }
            None => {
                names.entry(pid).or_insert_with(|| {
                    let called = || crate::words::function(&format!("{}/{arity}", function.as_str()));
                    let started = crate::watch::started(&p.machine);
                    let runs = started.and_then(|_| crate::watch::runs(&p.machine, &system.program));
                    runs.unwrap_or_else(called)
                });
            }
        }
    }
    names
}

pub(crate) fn printed(outputs: Vec<(Pid, crate::watch::Output)>, names: &Names) -> Vec<Printed> {
    let view = |(pid, output): (Pid, crate::watch::Output)| {
        let text = String::from_utf8_lossy(&output.kept);
        Printed {
            pid: pid.to_string(),
            name: names.get(&pid).map(|name| safe(name)),
            bytes: output.total,
            left_out: output.total - output.kept.len() as u64,
            text: text.lines().map(|line| safe(line) + "\n").collect(),
        }
    };
    outputs.into_iter().map(view).collect()
}

/// Reads actions of processes in ascending order, and counts them on the way.
pub(crate) struct Teller<'t> {
    trace: &'t Trace,
    readers: FxHashMap<Pid, (LogReader<'t>, Tally, u64)>,
}

impl<'t> Teller<'t> {
    pub(crate) fn new(trace: &'t Trace) -> Self {
        Self {
            trace,
            readers: FxHashMap::default(),
        }
    }

    /// Reads one action, without counting those before it.
    fn read(&self, pid: Pid, number: u64) -> Result<Action, Error> {
        let mut reader = self.trace.log(pid)?.without_values();
        reader.seek(ActionNo(number))?;
        match reader.next() {
            Some(item) => Ok(item?.1),
            None => Err(shorter(pid, number)),
        }
    }

    fn tell(&mut self, pid: Pid, number: u64) -> Result<(Action, Tally, u64), Error> {
        let (reader, tally, base) = match self.readers.entry(pid) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => {
                let reader = self.trace.log(pid)?.without_values();
                entry.insert((reader, Tally::default(), self.trace.process(pid)?.base))
            }
        };
        for item in reader.by_ref() {
            let (at, action) = item?;
            tally.add(&action);
            if at.0 == number {
                return Ok((action, *tally, *base));
            }
        }
        Err(shorter(pid, number))
    }
}

fn shorter(pid: Pid, number: u64) -> Error {
    Error::Bug(format!("event:{pid}/{number} was picked, but its log is shorter"))
}

/// So many stretches that are not shown are named.
const STRETCHES: usize = 100;

/// Actions that are not shown.
#[derive(Default)]
struct Folded {
    actions: u64,
    processes: FxHashSet<Pid>,
    stretches: Vec<(Pid, u64, u64)>,
}

impl Folded {
    /// Those of a process from one action to before another.
    fn add(&mut self, pid: Pid, from: u64, to: u64) {
        if from >= to {
            return;
        }
        self.actions += to - from;
        self.processes.insert(pid);
        let room = self.stretches.len() < STRETCHES;
        match self.stretches.last_mut() {
            Some((last, _, end)) if *last == pid && *end == from => *end = to,
            _ if room => self.stretches.push((pid, from, to)),
            _ => {}
        }
    }

    fn row(self) -> Option<Row> {
        let event = |pid, n| crate::watch::event_target(pid, ActionNo(n));
        let stretches = self.stretches.into_iter();
        let named = stretches.map(|(pid, from, to)| (event(pid, from), event(pid, to - 1)));
        (self.actions > 0).then(|| Row::Folded {
            folded_actions: self.actions,
            folded_processes: self.processes.len() as u64,
            folded: named.collect(),
        })
    }
}

/// The picked actions of a slice in causal order, and how many lie between them.
pub(crate) fn rows(
    trace: &Trace,
    slice: &Slice,
    picked: &Picked,
    target: Option<&Found>,
    seen: &FxHashMap<(Pid, u64), Seen>,
    names: &Names,
) -> Result<Vec<Row>, Error> {
    let mut teller = Teller::new(trace);
    let mut rows = Vec::new();
    let mut folded = Folded::default();
    let fold = |rows: &mut Vec<Row>, folded: &mut Folded| rows.extend(std::mem::take(folded).row());
    for stretch in causality::causal_order(trace, slice)? {
        let stretch = stretch?;
        let (first, last) = (stretch.first.0, stretch.last.0);
        let list = picked.get(&stretch.pid).map_or(&[][..], |list| list.as_ref());
        let inside = &list[list.partition_point(|&n| n < first)..list.partition_point(|&n| n <= last)];
        let mut at = first;
        for &n in inside {
            folded.add(stretch.pid, at, n);
            fold(&mut rows, &mut folded);
            rows.push(Row::Act(Box::new(shown(
                &mut teller,
                stretch.pid,
                n,
                target,
                seen,
                names,
            )?)));
            at = n + 1;
        }
        folded.add(stretch.pid, at, last + 1);
    }
    fold(&mut rows, &mut folded);
    Ok(rows)
}

/// The actions that were rendered, in the order in which they were replayed, and how many lie between them.
fn replayed_rows(trace: &Trace, target: Option<&Found>, observer: &Watcher, names: &Names) -> Result<Vec<Row>, Error> {
    let mut teller = Teller::new(trace);
    let mut rows = Vec::new();
    for one in &observer.order {
        if one.actions > 0 {
            rows.push(Row::Folded {
                folded_actions: one.actions,
                folded_processes: one.processes,
                folded: Vec::new(),
            });
        }
        let act = shown(&mut teller, one.pid, one.number, target, &observer.seen, names)?;
        rows.push(Row::Act(Box::new(act)));
    }
    Ok(rows)
}

pub(crate) fn shown(
    teller: &mut Teller<'_>,
    pid: Pid,
    number: u64,
    target: Option<&Found>,
    seen: &FxHashMap<(Pid, u64), Seen>,
    names: &Names,
) -> Result<Act, Error> {
    let seen = seen.get(&(pid, number));
    let (action, tally, base) = match seen {
        // It was counted when it was replayed.
        Some(seen) => (teller.read(pid, number)?, seen.tally, teller.trace.process(pid)?.base),
        None => teller.tell(pid, number)?,
    };
    let mut act = act::from_log(teller.trace, pid, &action, &tally, base);
    if let Some(seen) = seen {
        act::add_seen(&mut act, seen);
    }
    act::add_names(&mut act, pid, names);
    act.is_target = target.is_some_and(|t| (t.pid, t.action.0) == (pid, number));
    Ok(act)
}

/// The process of the target, as it stands.
pub(crate) fn process(
    session: &Session,
    system: &System<Watcher>,
    found: &Found,
    names: &Names,
    bounds: &Bounds,
) -> Result<Process, Error> {
    let trace = session.trace();
    let of_actions = trace.process(found.pid)?.counts.actions;
    let handle = interpreter::term::Pid::new(0, found.pid.0);
    let mut view = match (system.table().by_pid(handle), &system.observer.end) {
        (Some(p), _) => subject::living(system, p, bounds),
        (None, Some(end)) => subject::ended(found.pid, of_actions, end),
        (None, None) => return Err(session.fault(format!("{} is not there after its replay", found.pid))),
    };
    view.of_actions = of_actions;
    view.name = names.get(&found.pid).map(|name| safe(name));
    quote(session, &mut view, bounds);
    view.next = next_action(trace, found.pid, view.actions)?;
    Ok(view)
}

/// Puts the source beside the frames.
pub(crate) fn quote(session: &Session, view: &mut Process, bounds: &Bounds) {
    let around = if bounds.frames == usize::MAX {
        AROUND * 2
    } else {
        AROUND
    };
    for (i, frame) in view.frames.iter_mut().enumerate() {
        if let Some(place) = &frame.place {
            let around = if i == 0 { around } else { 0 };
            frame.source = session.sources().quote(&place.file, place.line, around);
        }
    }
}

/// The action after the first `done` of a process, as a target.
pub(crate) fn next_action(trace: &Trace, pid: Pid, done: u64) -> Result<Option<String>, Error> {
    let process = trace.process(pid)?;
    if done >= process.counts.actions {
        return Ok(None);
    }
    let mut log = trace.log(pid)?.without_values();
    let before = log.seek(ActionNo(done + 1))?;
    let Some(item) = log.next() else { return Ok(None) };
    let action = item?.1;
    // Kinds that are counted one by one are named by their place in the log: counting them would need the whole log before.
    if matches!(action.kind, Kind::After | Kind::Output { .. }) {
        return Ok(Some(crate::watch::event_target(pid, ActionNo(done + 1))));
    }
    let mut tally = Tally {
        counts: before,
        ..Tally::default()
    };
    tally.add(&action);
    Ok(Some(name::target(pid, &action, &tally, process.base)))
}

pub(crate) fn next(path: &Path, action: Option<&str>) -> Vec<Command> {
    let file = path_argument(path);
    let command = |command: String, what: &str| Command {
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

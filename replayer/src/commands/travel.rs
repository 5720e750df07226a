//! `replay run --until T --back T2 …`: forward to actions, steps, lines and conditions, and back again.

use std::time::Instant;

use log_format::{ActionNo, Pid};
use rustc_hash::FxHashMap;

use crate::cli::{Move, RunArgs};
use crate::commands::{Out, run};
use crate::view::{Extent, Process, Replay, Suffix};
use crate::words::{count, safe};
use session::act::Names;
use session::error::Error;
use session::pick;
use session::player::{Player, Stopped, Stretch, handle};
use session::shown;
use session::subject::{self, Bounds};
use session::targets::{self, Found};
use session::watch::{Watcher, Wish};
use session::{Goal, Session};

/// Goes where the command line says.
///
/// # Errors
/// Everything of [`Error`].
pub fn travel(session: &Session, text: &str, args: &RunArgs, out: &Out<'_>) -> Result<Replay, Error> {
    let started = Instant::now();
    let mut conditions = session::travel::Conditions::of(session, args.when.as_deref(), args.pattern.as_deref())?;
    let mut player = Player::new(session, args.checkpoint_memory.saturating_mul(1 << 20))?;
    let (mut subject, mut notes) = session::travel::forward(&mut player, text, &mut conditions)?;
    let mut undone: Vec<Stretch> = Vec::new();
    let mut last = Some(text);
    for step in args.moves.iter().skip(1) {
        match step {
            Move::Until(text) => {
                let (pid, more) =
                    session::travel::forward(&mut player, text, &mut session::travel::Conditions::default())?;
                subject = pid;
                notes.extend(more);
                last = Some(text);
            }
            Move::Back(text) => {
                last = None;
                let moved = session::travel::back_there(&mut player, subject, text)?;
                if moved.stopped == Stopped::Beginning {
                    notes.push(format!("--back {text}: there is nothing earlier"));
                }
                undone.extend(moved.undone);
            }
        }
    }
    let seconds = started.elapsed().as_secs_f64();
    let bounds = run::bounds(out, args.show);
    let mut view = show(session, &player, subject, &bounds, args.show.all)?;
    view.target = last.map(str::to_owned);
    view.way = args.moves.iter().map(Move::to_string).collect();
    view.seconds = seconds;
    view.undone = roll_log(&player, &undone)?;
    view.notes.extend(notes);
    let next = view.process.as_ref().and_then(|process| process.next.clone());
    view.next = run::next(&args.trace, next.as_deref());
    Ok(view)
}

/// What was undone, each with its first action.
///
/// # Errors
/// If the trace is damaged there.
pub fn roll_log(player: &Player, undone: &[Stretch]) -> Result<Vec<Suffix>, Error> {
    let mut merged: FxHashMap<Pid, Stretch> = FxHashMap::default();
    for one in undone {
        let all = merged.entry(one.pid).or_insert(*one);
        all.first = all.first.min(one.first);
        all.last = all.last.max(one.last);
    }
    let mut stretches: Vec<Stretch> = merged.into_values().collect();
    stretches.sort_unstable();
    stretches
        .into_iter()
        .map(|Stretch { pid, first, last }| {
            Ok(Suffix {
                pid: pid.to_string(),
                first: act(player, pid, first.0)?,
                actions: last.0 + 1 - first.0,
                last: format!("event:{pid}/{last}"),
            })
        })
        .collect()
}

fn act(player: &Player, pid: Pid, n: u64) -> Result<crate::view::Act, Error> {
    let trace = player.session().trace();
    if player.history().left_at(pid).is_some_and(|left| n > left) {
        let action = player.history().action(pid, n)?;
        let mut tally = session::name::Tally::default();
        tally.counts.actions = n;
        tally.counts.sends = player.history().sends(pid, n)?;
        let mut act = session::act::from_log(trace, pid, &action, &tally, 0);
        // What is counted in the trace has no number beyond it.
        if matches!(act.kind, "rec" | "after" | "output") {
            act.target = format!("event:{pid}/{n}");
        }
        return Ok(act);
    }
    let mut teller = shown::Teller::new(trace);
    shown::shown(&mut teller, pid, n, None, &FxHashMap::default(), &Names::default())
}

/// A session at a step or a line.
///
/// # Errors
/// As [`forward`].
pub fn at_place(session: &Session, text: &str, bounds: &Bounds) -> Result<Replay, Error> {
    let mut player = Player::new(session, 0)?;
    let (subject, notes) = session::travel::forward(&mut player, text, &mut session::travel::Conditions::default())?;
    let mut view = show(session, &player, subject, bounds, false)?;
    view.notes.extend(notes);
    Ok(view)
}

/// A session as it stands: the causes of where it is, and a process.
///
/// # Errors
/// If the trace is damaged there.
pub fn show(session: &Session, player: &Player, subject: Pid, bounds: &Bounds, all: bool) -> Result<Replay, Error> {
    let trace = session.trace();
    let slice = player.position().cut;
    let last = slice.get(subject);
    let picked = if all {
        pick::all(&slice)
    } else {
        pick::pick(trace, &slice, (subject, last))?
    };
    let wish = Wish {
        acts: picked.clone(),
        subject: None,
        chars: bounds.chars,
        output: if all { usize::MAX / 4 } else { 4096 },
        ..Wish::default()
    };
    let mut system = session.replay(&Goal::causes(slice.clone()), Watcher::new(wish))?;
    let outputs = shown::outputs(&mut system);
    let names = shown::names(&system);
    let found = Found {
        target: String::new(),
        pid: subject,
        action: ActionNo(last),
        runs_on: false,
        notes: Vec::new(),
    };
    let causes = shown::rows(trace, &slice, &picked, Some(&found), &system.observer.seen, &names)?;
    let mut notes: Vec<String> = targets::of_nodes(trace)?.into_iter().collect();
    let process = process(session, player, subject, &names, bounds)?;
    if process.is_none() {
        notes.push(format!("{subject} is not there: its creation is undone"));
    }
    if let Some((pid, steps)) = player.position().steps.filter(|(_, steps)| *steps > 0) {
        notes.push(format!("{pid} stands {} after its last action", count(steps, "step")));
    }
    Ok(Replay {
        target: None,
        replayed: Extent {
            actions: slice.actions(),
            processes: slice.processes() as u64,
        },
        of: run::of(trace),
        seconds: 0.0,
        way: Vec::new(),
        undone: Vec::new(),
        causes,
        process,
        output: shown::printed(outputs, &names),
        notes,
        next: Vec::new(),
    })
}

/// A process as it stands; none if it is not there.
///
/// # Errors
/// If the trace is damaged there.
pub fn process(
    session: &Session,
    player: &Player,
    pid: Pid,
    names: &Names,
    bounds: &Bounds,
) -> Result<Option<Process>, Error> {
    let living = player.look(|system| {
        let p = system.table().by_pid(handle(pid))?;
        Some(subject::living(system, p, bounds))
    });
    let ended = || -> Result<Option<Process>, Error> {
        let end = player.end_of(pid)?;
        Ok(end.map(|end| subject::ended(pid, player.done(pid), &end)))
    };
    let view = living.map_or_else(ended, |view| Ok(Some(view)))?;
    let Some(mut view) = view else { return Ok(None) };
    let length = player.history().length(pid)?.unwrap_or(0);
    view.of_actions = length;
    view.name = names.get(&pid).map(|name| safe(name));
    shown::quote(session, &mut view, bounds);
    if session.trace().has(pid)? {
        view.next = shown::next_action(session.trace(), pid, view.actions)?;
    }
    Ok(Some(view))
}

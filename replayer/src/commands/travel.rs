//! `replay run --until T --back T2 …`: forward to actions, steps, lines and conditions, and back again.

use std::time::Instant;

use log_format::{ActionId, Pid};

use crate::commands::run::{Move, RunArgs};
use crate::commands::{Out, run};
use crate::view::{Extent, Replay};
use crate::words::count;
use causality::{Point, Target};
use session::conditions::Conditions;
use session::error::Error;
use session::notes;
use session::pick;
use session::player::{Back, Moved, Player, Silent, Stopped, Stretch};
use session::shown;
use session::subject::ShownBounds;
use session::watch::{Watcher, Wish};
use session::{Goal, Session};

/// Makes the moves of the command line.
///
/// # Errors
/// Everything of [`Error`].
pub fn travel(session: &Session, text: &str, args: &RunArgs, out: &Out<'_>) -> Result<Replay, Error> {
    let started = Instant::now();
    let mut conditions = Conditions::of(session, args.when.as_deref(), args.pattern.as_deref())?;
    let mut player = Player::new(session, args.checkpoint_memory.saturating_mul(1 << 20))?;
    let (mut subject, mut notes) = forward(&mut player, text, &mut conditions)?;
    let mut undone: Vec<Stretch> = Vec::new();
    let mut last = Some(text);
    for step in args.moves.iter().skip(1) {
        match step {
            Move::Until(text) => {
                let (pid, more) = forward(&mut player, text, &mut Conditions::default())?;
                subject = pid;
                notes.extend(more);
                last = Some(text);
            }
            Move::Back(text) => {
                last = None;
                let moved = back_to_known(&mut player, subject, &text.parse()?)?;
                if moved.stopped == Stopped::Beginning {
                    notes.push(format!("--back {text}: this is the beginning of {subject}"));
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
    view.undone = shown::roll_log(&player, &undone)?;
    view.notes.extend(notes);
    let next = view.process.as_ref().and_then(|process| process.next.clone());
    view.next = run::next(&args.trace, next.as_deref());
    Ok(view)
}

/// The view of a session at a step or a line.
///
/// # Errors
/// As [`Player::go_to`].
pub fn at_place(session: &Session, place: Target, bounds: &ShownBounds) -> Result<Replay, Error> {
    let mut player = Player::new(session, 0)?;
    let arrival = player.go_to(place)?;
    show(session, &player, arrival.pid, bounds, false)
}

/// Goes to a target. Returns its process, and notes for the user.
fn forward(player: &mut Player, text: &str, conditions: &mut Conditions) -> Result<(Pid, Vec<String>), Error> {
    let arrival = player.go_to_where(text.parse::<Target>()?, conditions)?;
    let notes = arrival.point.map(|point| player.notes(&point)).transpose()?;
    Ok((arrival.pid, notes.unwrap_or_default()))
}

/// Goes back. A variable or line that does not occur before is an error: it may be mistyped.
///
/// # Errors
/// As [`Player::back_to`].
pub fn back_to_known(player: &mut Player, subject: Pid, way: &Back) -> Result<Moved, Error> {
    let moved = player.back_to(subject, way)?;
    if moved.stopped != Stopped::Beginning {
        return Ok(moved);
    }
    match way {
        Back::Target(Target::Line { file, line, who, .. }) => {
            let pid = player.named(subject, who.as_ref())?;
            let file = crate::words::safe(file);
            Err(Error::NoTarget(format!("{pid} was not at {file}:{line} before")))
        }
        Back::Variable(name, who) => {
            let pid = player.named(subject, who.as_ref())?;
            let known: Vec<String> = player.variables(pid).into_iter().map(|one| one.name).collect();
            let here = match known.as_slice() {
                [] => "it has none here".to_owned(),
                names => format!("here it has {}", names.join(", ")),
            };
            let name = crate::words::safe(name);
            Err(Error::NoTarget(format!("{name} had no value in {pid} before: {here}")))
        }
        _ => Ok(moved),
    }
}

/// The view of a session: the causes of its position, and a process.
///
/// # Errors
/// If the trace is damaged there.
pub fn show(
    session: &Session,
    player: &Player,
    subject: Pid,
    bounds: &ShownBounds,
    all: bool,
) -> Result<Replay, Error> {
    let trace = session.trace();
    let slice = player.position().cut;
    let last = slice.get(subject);
    let picked = if all {
        pick::all(&slice)
    } else {
        pick::pick(trace, &slice, ActionId::new(subject, last))?
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
    let found = Point::from(ActionId::new(subject, last));
    let causes = shown::rows(trace, &slice, &picked, Some(&found), &system.observer.seen, &names)?;
    let mut notes: Vec<String> = notes::node_note(trace)?.into_iter().collect();
    let process = shown::standing(player, subject, &names, bounds)?;
    if process.is_none() {
        notes.push(format!("{subject} does not exist here: its creation is undone"));
    }
    if let Some(Silent { pid, steps }) = player.position().steps.filter(|ahead| ahead.steps > 0) {
        let past = match slice.get(pid) {
            0 => "its creation".to_owned(),
            n => ActionId::new(pid, n).to_string(),
        };
        notes.push(format!("{pid} is {} past {past}", count(steps, "step")));
    }
    Ok(Replay {
        target: None,
        replayed: Extent {
            actions: slice.actions(),
            processes: slice.processes() as u64,
        },
        of: run::whole_run(trace),
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

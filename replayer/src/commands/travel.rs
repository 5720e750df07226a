//! `replay run --until T --back T2 …`: forward to actions, steps, lines and conditions, and back again.

use std::time::Instant;

use log_format::{ActionId, ActionNo, Pid};

use crate::cli::{Move, RunArgs};
use crate::commands::{Out, run};
use crate::view::{Extent, Replay};
use crate::words::count;
use session::error::Error;
use session::pick;
use session::player::{Player, Silent, Stopped, Stretch};
use session::shown;
use session::subject::Bounds;
use session::targets::{self, Found};
use session::watch::{Watcher, Wish};
use session::{Goal, Session};

/// Makes the moves of the command line.
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
                let moved = session::travel::back_to_known(&mut player, subject, text)?;
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
/// As `session::travel::forward`.
pub fn at_place(session: &Session, text: &str, bounds: &Bounds) -> Result<Replay, Error> {
    let mut player = Player::new(session, 0)?;
    let (subject, notes) = session::travel::forward(&mut player, text, &mut session::travel::Conditions::default())?;
    let mut view = show(session, &player, subject, bounds, false)?;
    view.notes.extend(notes);
    Ok(view)
}

/// The view of a session: the causes of its position, and a process.
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
    let found = Found {
        target: String::new(),
        pid: subject,
        action: ActionNo(last),
        runs_on: false,
        others: Vec::new(),
        notes: Vec::new(),
    };
    let causes = shown::rows(trace, &slice, &picked, Some(&found), &system.observer.seen, &names)?;
    let mut notes: Vec<String> = targets::node_note(trace)?.into_iter().collect();
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

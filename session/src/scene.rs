//! What a replay observed of some actions, in the program's terms: places in its own modules, and processes by what they do.

use std::cmp::Reverse;

use interpreter::print::Terms;
use log_format::{ActionId, ActionNo, Cut, Pid, Trace};
use rustc_hash::FxHashMap;
use system::System;

use crate::act;
use crate::called::{Called, CalledAfter, ProcessName, ProcessNames};
use crate::error::Error;
use crate::numbers::Numbers;
use crate::program::Sources;
use crate::session::{Goal, Session};
use crate::shown::names;
use crate::subject::ShownBounds;
use crate::view::{Act, FunctionName, SourcePlace};
use crate::watch::{SeenAction, SeenFrame, Watcher, Wish, ascending};
use crate::words::{LocalFunction, MadeOf};
use causality::Point;

/// Limit: activations that are searched for those of the program. A library call may be several deep.
pub const FRAMES: usize = 16;
/// How many of the actions that may be shown, the nearest, get their variables even if stacks are very deep.
const NEAR: usize = 40;

/// What a replay observed of the actions that may be shown.
pub struct Scene<'a> {
    /// The trace.
    pub trace: &'a Trace,
    /// The sources of its program.
    pub sources: &'a Sources,
    /// The observations.
    pub seen: &'a FxHashMap<ActionId, SeenAction>,
    /// Names of processes.
    pub names: &'a ProcessNames,
    /// If actions have the names of another trace: its numbers.
    pub numbers: Option<&'a Numbers>,
    /// The names that processes have in one answer.
    called: &'a Called,
}

impl<'a> Scene<'a> {
    /// From what this replay of the session's trace observed.
    pub fn new(session: &'a Session, system: &'a System<Watcher>, names: &'a ProcessNames) -> Self {
        Self {
            trace: session.trace(),
            sources: session.sources(),
            seen: &system.observer.seen,
            names,
            numbers: session.numbers(),
            called: session.called(),
        }
    }

    /// The language that the program is shown in.
    #[must_use]
    pub const fn terms(&self) -> Terms {
        self.sources.terms()
    }

    /// An action for display; `None` if the replay did not do it.
    pub fn act(&self, pid: Pid, n: u64) -> Result<Option<Act>, Error> {
        let Some(seen) = self.seen.get(&ActionId::new(pid, n)) else {
            return Ok(None);
        };
        let action = self.trace.action(pid, ActionNo(n))?;
        let base = self.trace.process(pid)?.base;
        let mut act = act::shown(self.trace, pid, &action, &seen.tally, base, Some(seen));
        act::add_names(&mut act, self.names);
        if let Some(numbers) = self.numbers {
            numbers.rename(&mut act)?;
        }
        // The program's own place: what the library does there is routine.
        act.place = self.own_place(seen).cloned();
        if self.in_library(pid, n) {
            // A look of the library's, as after a call that timed out, is nothing that the program does.
            act.purpose = None;
        }
        act.name = self.name(pid, Some(seen));
        Ok(Some(act))
    }

    /// The innermost place in the program; for an end, in its stack trace.
    pub fn own_place<'s>(&self, seen: &'s SeenAction) -> Option<&'s SourcePlace> {
        let frame = self.own_frame(seen).and_then(|frame| frame.place.as_ref());
        frame.or_else(|| seen.raised.iter().find(|place| self.sources.owns(&place.file)))
    }

    /// Are there library functions between the program and this action?
    pub fn in_library(&self, pid: Pid, n: u64) -> bool {
        let place = self
            .seen
            .get(&ActionId::new(pid, n))
            .and_then(|seen| seen.place.as_ref());
        place.is_some_and(|place| !self.sources.owns(&place.file))
    }

    /// A process with its name, as it was at an action.
    pub fn who(&self, pid: Pid, n: Option<u64>) -> String {
        let name = self.name_at(pid, n);
        name.map_or_else(|| pid.to_string(), |name| format!("{pid} {name}"))
    }

    /// The name of a process, as it was at an action.
    pub fn name_at(&self, pid: Pid, n: Option<u64>) -> Option<ProcessName> {
        let seen = n.and_then(|n| self.seen.get(&ActionId::new(pid, n)));
        self.name(pid, seen)
    }

    /// The name of a process, as it was when this was seen of it.
    fn name(&self, pid: Pid, seen: Option<&SeenAction>) -> Option<ProcessName> {
        self.called.name(pid, || {
            let known = self.names.get(&pid);
            if let Some(name) = known.filter(|name| name.is_lasting()) {
                return Some(name.clone());
            }
            // What it does most often says what it is there for; then what it did first.
            let own = self.seen.iter().filter(|(id, _)| id.pid == pid);
            let mut runs: FxHashMap<FunctionName, (usize, Reverse<ActionNo>, &SourcePlace)> = FxHashMap::default();
            for (id, place) in own.filter_map(|(id, seen)| Some((id, self.outermost(seen)?))) {
                let known = runs.entry(place.function).or_insert((0, Reverse(id.number), place));
                *known = (known.0 + 1, known.1.max(Reverse(id.number)), known.2);
            }
            let most = runs.into_values().max_by_key(|(times, first, _)| (*times, *first));
            let running = match most {
                Some((.., place)) => Some(LocalFunction::of(&place.function.local(), place.terms)),
                None => seen.and_then(|seen| self.inside(pid, seen)),
            };
            running.map(ProcessName::of_function).or_else(|| known.cloned())
        })
    }

    /// The places of the program at an action, the innermost first.
    fn own_places<'s>(&self, seen: &'s SeenAction) -> impl DoubleEndedIterator<Item = &'s SourcePlace> {
        let places = seen.frames.iter().filter_map(|frame| frame.place.as_ref());
        places.filter(|place| self.sources.owns(&place.file))
    }

    /// The outermost activation of a function that is written as one.
    fn outermost<'s>(&self, seen: &'s SeenAction) -> Option<&'s SourcePlace> {
        self.own_places(seen)
            .rev()
            .find(|place| place.function.written_in().is_none())
    }

    /// What a process runs that runs only what is written inside another function: that function, if it calls it itself, or else a fun.
    fn inside(&self, pid: Pid, seen: &SeenAction) -> Option<LocalFunction> {
        let place = self.own_places(seen).next_back().or_else(|| self.own_place(seen))?;
        let around = place.function.written_in();
        let birth = self.trace.process(pid).ok().and_then(|process| process.parent);
        let spawn = birth
            .and_then(|birth| self.seen.get(&birth))
            .and_then(|seen| self.own_place(seen));
        let made_in = spawn.map(|place| place.function.written_in().unwrap_or_else(|| place.function.local()));
        let name = LocalFunction::running(&place.function.local(), place.terms);
        // A comprehension of a function runs in a fun of that function, if its process was created there.
        Some(
            match around.is_some() && made_in == around && Some(name.to_string()) == around {
                true => LocalFunction {
                    made_of: Some(MadeOf::Fun),
                    ..name
                },
                false => name,
            },
        )
    }

    /// The innermost activation of a function of the program.
    pub fn own_frame<'s>(&self, seen: &'s SeenAction) -> Option<&'s SeenFrame> {
        let own = |frame: &&SeenFrame| frame.place.as_ref().is_some_and(|p| self.sources.owns(&p.file));
        seen.frames.iter().find(own)
    }

    /// A process for people: its registered name, or the program's function that it runs, `account/1`.
    pub fn doing(&self, pid: Pid, place: Option<&SourcePlace>) -> Option<ProcessName> {
        self.called.name(pid, || {
            let known = self.names.get(&pid);
            if let Some(name) = known.filter(|name| name.is_lasting()) {
                return Some(name.clone());
            }
            let Some(place) = place.filter(|place| self.sources.owns(&place.file)) else {
                return known.filter(|name| name.after == CalledAfter::Task).cloned();
            };
            // A comprehension runs where it is written.
            Some(ProcessName::of_function(LocalFunction::running(
                &place.function.local(),
                place.terms,
            )))
        })
    }

    /// The source line of a place.
    pub fn line(&self, place: &SourcePlace) -> Option<String> {
        let line = self.sources.quote_at(place, 0).pop()?;
        Some(line.text.trim().to_owned())
    }
}

/// Replays the causes and keeps what may be shown.
///
/// # Errors
/// The trace is damaged; the replay diverges.
pub fn replay(
    session: &Session,
    found: &Point,
    upto: Cut,
    candidates: &[ActionId],
    bounds: &ShownBounds,
) -> Result<System<Watcher>, Error> {
    let inside = candidates.iter().filter(|one| one.number.0.max(1) <= upto.get(one.pid));
    let mut acts: FxHashMap<Pid, Vec<u64>> = FxHashMap::default();
    for one in inside {
        acts.entry(one.pid).or_default().push(one.number.0);
    }
    let wish = Wish {
        acts: ascending(acts),
        subject: Some(found.pid),
        chars: bounds.chars,
        output: 0,
        frames: bounds.frames,
        variables: FRAMES,
        near: candidates.iter().take(NEAR).copied().collect(),
        terms: true,
        ..Wish::default()
    };
    let mut goal = Goal::causes(upto);
    goal.runs_on = found.runs_on.then_some(found.pid);
    session.replay(&goal, Watcher::new(wish))
}

/// Replays these actions for their contents.
///
/// # Errors
/// The trace is damaged; the replay diverges.
pub fn acts(session: &Session, actions: &[ActionId], bounds: &ShownBounds) -> Result<Vec<Option<Act>>, Error> {
    let trace = session.trace();
    let slice = causality::causes_of_all(trace, actions.iter().copied())?;
    let found = Point::from(actions[0]);
    let system = replay(session, &found, slice.clone(), actions, bounds)?;
    let names = names(&system);
    let scene = Scene::new(session, &system, &names);
    actions.iter().map(|one| scene.act(one.pid, one.number.0)).collect()
}

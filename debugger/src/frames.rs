//! Processes and their activations, as a debugger shows them.

use interpreter::print::{Style, Terms};
use interpreter::vm::Frame;
use log_format::Pid;
use session::player::handle;
use session::predicate::{Own, Scope};
use session::view::SourcePlace;
use session::words::{module, safe};
use session::{Error, PlayedProcess, ProcessState};

use crate::debug::Debugger;
use crate::values::ValueLine;

/// A process in the list of all.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Listed {
    /// Which one, and what it is doing.
    pub process: PlayedProcess,
    /// Its registered name, or what it runs.
    pub name: Option<String>,
}

/// An activation of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Activation {
    /// Its number, from 0 for the innermost.
    pub number: usize,
    /// Where it stands.
    pub place: Option<SourcePlace>,
    /// Is it of a module of the program, and not of a library?
    pub is_own: bool,
}

impl Debugger {
    /// The processes that exist or have existed here, those first that matter most: the current one, those that have failed, those that stand in
    /// the program. At most `limit`, and how many more there are.
    ///
    /// # Errors
    /// The trace is damaged.
    pub fn processes(&self, limit: usize) -> Result<(Vec<Listed>, usize), Error> {
        let mut known: Vec<(u8, Pid)> = Vec::new();
        let sources = self.session().sources();
        self.player.look(|system| {
            for &pid in &system.observer.failed {
                known.push((1, pid));
            }
            for process in system.table().iter() {
                let own = process
                    .machine
                    .find_location(&system.program, |at| sources.owns(at.file))
                    .is_some();
                known.push((if own { 2 } else { 3 }, system::ids::to_log(process.pid)));
            }
        });
        known.push((0, self.pid));
        known.sort_unstable();
        let mut seen = rustc_hash::FxHashSet::default();
        known.retain(|(_, pid)| seen.insert(*pid));
        let more = known.len().saturating_sub(limit);
        let mut listed = Vec::new();
        for (_, pid) in known.into_iter().take(limit) {
            listed.push(Listed {
                process: self.player.process(pid)?,
                name: self.name(pid),
            });
        }
        Ok((listed, more))
    }

    /// What a process is called: by a name that it holds, or else by what it runs.
    #[must_use]
    pub fn name(&self, pid: Pid) -> Option<String> {
        self.player.look(|system| {
            let process = system.table().by_pid(handle(pid))?;
            let terms = system.program.terms();
            if let Some(name) = process.rare.names.first() {
                return Some(safe(module(name.as_str(), terms)));
            }
            session::watch::runs(&process.machine, &system.program).map(|name| name.to_string())
        })
    }

    /// The activations of a process, innermost first, from the `from`-th on, at most `limit`; and how many there are. Of a process that has ended,
    /// those at its end.
    ///
    /// # Errors
    /// There is no such process; the trace is damaged.
    pub fn activations(&self, pid: Pid, from: usize, limit: usize) -> Result<(Vec<Activation>, usize), Error> {
        let sources = self.session().sources();
        let listed = |places: Vec<Option<SourcePlace>>| {
            let numbered = places.into_iter().zip(from..);
            let activation = |(place, number): (Option<SourcePlace>, usize)| Activation {
                number,
                is_own: place.as_ref().is_some_and(|place| sources.owns(&place.file)),
                place,
            };
            numbered.map(activation).collect()
        };
        let living = self.player.look(|system| {
            let process = system.table().by_pid(handle(pid))?;
            let frames = process.machine.frames(&system.program);
            let place = |frame: &Frame<'_>| Some(session::watch::place(frame.location?, system.program.terms()));
            let some = frames.iter().skip(from).take(limit).map(place);
            Some((listed(some.collect()), frames.len()))
        });
        if let Some(found) = living {
            return Ok(found);
        }
        if self.player.process(pid)?.state != ProcessState::Ended {
            return Ok((Vec::new(), 0));
        }
        let Some(end) = self.player.end_of(pid)? else {
            return Ok((Vec::new(), 0));
        };
        let some = end
            .frames
            .iter()
            .skip(from)
            .take(limit)
            .map(|frame| frame.place.clone());
        Ok((listed(some.collect()), end.depth))
    }

    /// The number of the innermost activation of a function of the program; 0 if there is none.
    #[must_use]
    pub fn own_activation(&self, pid: Pid) -> usize {
        let sources = self.session().sources();
        let found = self.player.look(|system| {
            let process = system.table().by_pid(handle(pid))?;
            let frames = process.machine.frames(&system.program);
            frames
                .iter()
                .position(|frame| frame.location.is_some_and(|at| sources.owns(at.file)))
        });
        found.unwrap_or(0)
    }

    /// The variables of an activation, in the order in which they were bound. `None` in place of a value: it is no longer kept.
    #[must_use]
    pub fn variables(&self, pid: Pid, number: usize) -> Vec<ValueLine> {
        let living = self.player.look(|system| {
            let process = system.table().by_pid(handle(pid))?;
            let frames = process.machine.frames(&system.program);
            let style = Style::shown(&*system.program);
            let known = session::named::variables(&frames.get(number)?.variables, style.terms);
            let shown = known.map(|(name, value)| match value {
                Some(value) => ValueLine::of(name, &process.machine.heap, value, &style),
                None => ValueLine::lost(name),
            });
            Some(shown.collect())
        });
        living.unwrap_or_else(|| {
            let end = self.player.end_of(pid).ok().flatten();
            let frame = end.as_ref().and_then(|end| end.frames.get(number));
            let known = frame.map_or(&[][..], |frame| frame.variables.as_slice());
            known
                .iter()
                .map(|variable| ValueLine::text(variable.name.clone(), variable.value.clone().unwrap_or_default()))
                .collect()
        })
    }

    /// What an expression evaluated in an activation can use.
    #[must_use]
    pub(crate) fn scope(&self, pid: Pid, number: usize) -> Scope {
        let living = self.player.look(|system| {
            let process = system.table().by_pid(handle(pid))?;
            let frames = process.machine.frames(&system.program);
            let known = session::named::variables(&frames.get(number)?.variables, system.program.terms());
            let export = |(name, value): (String, Option<interpreter::term::Term>)| {
                Some((name, process.machine.heap.export_own(value?)))
            };
            Some(Scope {
                variables: known.filter_map(export).collect(),
                own: Some(Own::of(&process.machine)),
            })
        });
        living.unwrap_or_else(|| self.player.scope(pid))
    }

    /// The language that the program is shown in.
    #[must_use]
    pub fn terms(&self) -> Terms {
        self.session().terms()
    }
}

//! Breakpoints on lines: where a process comes to one between two of its actions.

use interpreter::vm::{self, Program};
use log_format::Pid;
use session::player::lines::StackLines;
use session::view::SourcePlace;
use session::watch;

use crate::stops::{At, Stops};

/// Limit: places that are noted between two actions of a process.
const NOTED: usize = 1000;

/// A process has come to a line with a breakpoint, and would go on from there to its next action.
#[derive(Clone, Debug)]
pub(super) struct Stand {
    pub pid: Pid,
    /// Steps since its last action.
    pub steps: u64,
    pub breakpoint: usize,
    pub place: SourcePlace,
}

/// The lines that a process has come to.
#[derive(Clone, Default)]
pub(super) struct Track {
    visited: StackLines,
    stepped: StackLines,
    steps: u64,
    noted: usize,
}

impl Track {
    /// The process is about to execute code of another place than before. The breakpoints that it may meet there go into `found`: whether it fulfils
    /// their conditions is seen when it stands.
    pub fn comes_to(
        &mut self,
        pid: Pid,
        program: &Program,
        (pc, depth): (vm::Pc, usize),
        stops: &Stops,
        found: &mut Vec<Stand>,
    ) {
        let Some(location) = program.location(pc) else { return };
        if location.line == 0 || !stops.sources().holds(location.file) {
            return;
        }
        // As in a session: when a function is entered, its arguments have not been matched yet.
        if program.is_entry(pc) {
            self.visited.enter(depth);
            self.stepped.enter(depth);
            return;
        }
        let visit = self.visited.is_new(depth, location.line);
        if self.stepped.is_new(depth, location.line) {
            self.steps += 1;
        }
        if visit {
            self.meets(pid, (program, location), stops, found);
        }
    }

    /// The process has done an action, and a receive is now at the line of a clause.
    pub fn acted(
        &mut self,
        pid: Pid,
        (program, machine): (&Program, &vm::Process),
        receives: bool,
        stops: &Stops,
        found: &mut Vec<Stand>,
    ) {
        self.steps = 0;
        self.noted = 0;
        self.stepped.clear();
        let Some(location) = machine.location(program).filter(|_| receives) else {
            return;
        };
        if stops.sources().holds(location.file) && self.visited.is_new(machine.frame_start(), location.line) {
            self.meets(pid, (program, location), stops, found);
        }
    }

    fn meets(
        &mut self,
        pid: Pid,
        (program, location): (&Program, vm::SourceLocation<'_>),
        stops: &Stops,
        found: &mut Vec<Stand>,
    ) {
        let is_here = |at: &At| match at {
            At::Line { file, line } => location.line == *line && location.file == file.as_ref(),
            _ => false,
        };
        if self.noted >= NOTED {
            return;
        }
        for (_, breakpoint) in stops.kinds().iter().zip(0..).filter(|(at, _)| is_here(at)) {
            self.noted += 1;
            found.push(Stand {
                pid,
                steps: self.steps,
                breakpoint,
                place: watch::place(location, program.terms()),
            });
        }
    }
}

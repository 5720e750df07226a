//! What a player shows of a process: where it stands, and its variables.

use std::fmt;

use interpreter::print::Terms;

use log_format::Pid;
use system::process::{Lookup, ProcessActivity};

use super::{Player, handle};
use crate::error::Error;
use crate::value::Value;
use crate::view::SourcePlace;

/// A process where the player stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayedProcess {
    /// Which one.
    pub pid: Pid,
    /// What it is doing.
    pub state: ProcessState,
    /// Where it stands: its innermost activation. `None` if it has not begun to run, or has ended.
    pub place: Option<SourcePlace>,
    /// How many actions it has done.
    pub done: u64,
    /// How many actions its log has.
    pub of: u64,
    /// How many steps it has gone beyond the last action that it has done.
    pub steps: u64,
}

/// What a process is doing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProcessState {
    /// It has not been created, where the player stands.
    Unborn,
    /// It can go on.
    Running,
    /// It waits in a receive.
    Waiting,
    /// It has ended; [`Player::end_of`] says how.
    Ended,
}

impl fmt::Display for ProcessState {
    /// `runs`, `waits`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Unborn => "does not exist yet",
            Self::Running => "runs",
            Self::Waiting => "waits",
            Self::Ended => "has ended",
        })
    }
}

/// A variable and its value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Its value. Of a large one, only the beginning.
    pub value: Value,
    /// The language that it is shown in.
    pub terms: Terms,
}

impl fmt::Display for Variable {
    /// `Balance = 100`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {}", self.name, self.value.shown(self.terms))
    }
}

impl Player {
    /// All processes of the logs, also those that have not been created yet, ascending.
    ///
    /// # Errors
    /// If the trace is damaged.
    pub fn processes(&self) -> Result<Vec<Pid>, Error> {
        Ok(self.history.processes()?)
    }

    /// A process where the player stands.
    ///
    /// # Errors
    /// There is no such process: [`Error::NoTarget`]. The trace is damaged.
    pub fn process(&self, pid: Pid) -> Result<PlayedProcess, Error> {
        let state = self.look(|system| match system.table().find(handle(pid)) {
            Lookup::Unborn => ProcessState::Unborn,
            Lookup::Dead(_) => ProcessState::Ended,
            Lookup::Alive(_) => match system.table().by_pid(handle(pid)) {
                Some(process) if process.state == ProcessActivity::Waiting => ProcessState::Waiting,
                _ => ProcessState::Running,
            },
        });
        let of = match (self.history.length(pid)?, state) {
            (Some(length), _) => length,
            (None, ProcessState::Unborn) => return Err(self.nobody(pid)?),
            (None, _) => 0,
        };
        Ok(PlayedProcess {
            pid,
            state,
            place: self.place(pid),
            done: self.done(pid),
            of,
            steps: self.steps_of(pid),
        })
    }

    /// Where a process stands: its innermost activation. `None` if it has not begun to run, or has ended.
    #[must_use]
    pub fn place(&self, pid: Pid) -> Option<SourcePlace> {
        self.look(|system| {
            let process = system.table().by_pid(handle(pid))?;
            crate::watch::here(&process.machine, &system.program)
        })
    }

    /// The variables of the innermost activation of a function of the program, in the order in which they were bound; if the process has ended,
    /// those at its end.
    #[must_use]
    pub fn variables(&self, pid: Pid) -> Vec<Variable> {
        let program = self.look(|system| std::sync::Arc::clone(&system.program));
        let known = self.values(pid).into_iter();
        known
            .map(|(name, value)| Variable {
                name,
                value: Value::of_fragment(&value, &program),
                terms: program.terms(),
            })
            .collect()
    }
}

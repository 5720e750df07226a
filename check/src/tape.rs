//! The trace of a run of the changed program: what was found in that run can be measured, and looked at.

use std::sync::Arc;

use interpreter::vm;
use log_format::{Memory, Trace};
use session::Session;
use session::error::Error;
use session::program::RunEntry;
use system::observer::Nobody;
use system::recorder::{self, Along, Recorder, Records, RunFacts};
use system::{RunEnd, System};

use crate::listener::Listener;

/// What follows a run: a listener that names what happens, and a recorder.
pub type Ears = Along<Listener>;

/// A trace in memory, while it is written.
pub(crate) struct Tape {
    facts: RunFacts,
    bytes: Memory,
    /// Has the program, which is not written.
    session: Session,
}

fn lost(error: impl ToString) -> Error {
    Error::Bug(format!("memory cannot be written: {}", error.to_string()))
}

impl Tape {
    /// An empty trace of a program.
    pub(crate) fn of(session: &Session, entry: &RunEntry, program: &vm::Program) -> Self {
        let header = session.trace().header();
        Self {
            facts: RunFacts {
                tool: concat!("replay ", env!("CARGO_PKG_VERSION")).to_owned(),
                command: header.command.clone(),
                entry: (entry.module, entry.function),
                arguments: entry.arguments.clone(),
                without_arguments: false,
                node: header.node.clone(),
                schedule: "driven".to_owned(),
                seed: header.seed,
                virtual_time: true,
                facts: header.facts.clone(),
                sources: Vec::new(),
                natives: recorder::natives(program),
                read: None,
            },
            bytes: Memory::default(),
            session: session.clone(),
        }
    }

    /// The recorder that writes it.
    pub(crate) fn recorder(&self) -> Result<Recorder<Nobody>, Error> {
        Recorder::new(Box::new(self.bytes.clone()), 0, &self.facts, Nobody).map_err(lost)
    }

    /// Ends it: a session of the run.
    pub(crate) fn finish<R: Records>(self, system: &mut System<R>) -> Result<Session, Error> {
        let end = session::record::verdict(system, &RunEnd::Quiescent);
        self.end(system, &end)
    }

    /// Ends it before the first step: a session in which nothing has been done yet.
    pub(crate) fn blank<R: Records>(self, system: &mut System<R>) -> Result<Session, Error> {
        let end = log_format::RunEnd::Unrecorded {
            why: "nothing was run: all that can happen is tried".to_owned(),
            then: "it has not begun".to_owned(),
        };
        self.end(system, &end)
    }

    fn end<R: Records>(self, system: &mut System<R>, end: &log_format::RunEnd) -> Result<Session, Error> {
        recorder::finish(system, &[], end).map_err(lost)?;
        self.session.on(Arc::new(Trace::from_bytes(self.bytes.take())?))
    }
}

//! A step of a process: what it expects of its log, what it does in the world, what is logged, and which signals it sends.

mod log;
mod resource;
pub(crate) mod stop;
mod value;

use interpreter::native::Raise;
use log_format::Tag;

use crate::feed::Divergence;
use crate::process::{Process, State};
use crate::sink::Sink;
use crate::world::World;

pub use log::here;

/// A process that makes a step, the world in which it does so, and the sink.
pub(crate) struct Step<'a> {
    pub world: &'a mut World,
    /// The process. It is out of the table.
    pub process: &'a mut Process,
    pub sink: &'a mut dyn Sink,
}

impl Step<'_> {
    /// A step of another process that is out of the table.
    pub(crate) fn on<'s>(&'s mut self, process: &'s mut Process) -> Step<'s> {
        Step {
            world: self.world,
            process,
            sink: self.sink,
        }
    }
}

/// Why a native cannot be completed now.
#[derive(Debug)]
pub(crate) enum Interrupt {
    /// It raises.
    Raise(Raise),
    /// Replay: a version that it reads has not been written yet; it is retried.
    Blocked(crate::resources::Wanted),
    /// Replay: the program is not the one that was recorded.
    Diverged(Box<Divergence>),
    /// The process waits for a line of standard input; the native is retried.
    Input,
    /// The process waits for the end of a command; the native is retried.
    Command,
    /// It hibernates until it has a message; the native is retried.
    Message,
    /// Replay: an exit signal ends the process while it waits for the outside.
    Killed(Tag),
    /// Replay: a signal that it is to drop has not been sent yet; it is retried when it has been.
    Awaiting,
    /// The whole system stopped in this step.
    Halted(i64),
    /// It is done, and the process goes on in another function, so it returns no value.
    Jumped,
}

impl From<Raise> for Interrupt {
    fn from(raise: Raise) -> Self {
        Self::Raise(raise)
    }
}

/// The state of a process after a slice.
pub(crate) enum After {
    Ready,
    Parked(State),
    Ended,
}

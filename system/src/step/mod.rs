//! A step of a process: what it expects of its log, what it does in the world, what is logged of it, and which signals it sends.

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

/// A process that makes a step, the world in which it does so, and who is told of it.
pub(crate) struct Step<'a> {
    pub world: &'a mut World,
    /// The process. It is out of the table.
    pub process: &'a mut Process,
    pub sink: &'a mut dyn Sink,
}

impl Step<'_> {
    /// The same for another process that is out of the table.
    pub(crate) fn on<'s>(&'s mut self, process: &'s mut Process) -> Step<'s> {
        Step {
            world: self.world,
            process,
            sink: self.sink,
        }
    }
}

/// Why a native could not be carried out now.
#[derive(Debug)]
pub(crate) enum Interrupt {
    /// It raises.
    Raise(Raise),
    /// Replay: a version that it reads has not been written yet; it is tried again.
    Blocked(crate::resources::Wanted),
    /// Replay: the program is not the one that was recorded.
    Diverged(Box<Divergence>),
    /// The process is waiting for a line of standard input; it is tried again.
    Input,
    /// The process is waiting for the end of a command; it is tried again.
    Command,
    /// It hibernates until it has a message; it is tried again.
    Message,
    /// Replay: an exit signal ends the process while it waits for the outside.
    Killed(Tag),
    /// Replay: a signal that it is to drop has not been sent yet; it is tried again when it is.
    Awaiting,
    /// The whole system stopped in this step.
    Halted(i64),
    /// It is done, and the process goes on in another function: there is nobody to answer.
    Jumped,
}

impl From<Raise> for Interrupt {
    fn from(raise: Raise) -> Self {
        Self::Raise(raise)
    }
}

/// What a slice left a process doing.
pub(crate) enum After {
    Ready,
    Parked(State),
    Ended,
}

//! A step of a process: what it expects of its log, what it does in the world, what is logged, and which signals it sends.

mod accesses;
pub(crate) mod log;
mod modules;
mod resource;
pub(crate) mod stop;
pub(crate) mod tracing;
mod value;

use interpreter::heap::Fragment;
use interpreter::native::Raise;
use interpreter::term::Pid;
use interpreter::vm::NativeId;
use log_format::Tag;

use crate::sink::Sink;
use crate::state::feed::Divergence;
use crate::state::order::AwaitedWrite;
use crate::state::process::{Process, ProcessActivity};
use crate::state::signal::Signal;
use crate::step::accesses::Accesses;
use crate::world::World;

/// What few steps come to. A step is made for every label, so it must cost little as long as it is empty.
#[derive(Default)]
pub(crate) struct Aside {
    /// Messages that its operation on tables sends, after the commit.
    pub ets_sends: Vec<(Pid, Fragment)>,
    /// Signals that others have sent to the process in this step, by their ends.
    pub incoming: Vec<(Tag, Signal)>,
    /// Messages about what is traced.
    pub traces: Option<tracing::Traces>,
    /// Changes of a process that is out of the table, too, by the end that is this step.
    pub deferred: Vec<Deferred>,
}

/// A process that makes a step, the world in which it does so, and the sink; and what the step has come to so far.
pub(crate) struct Step<'a> {
    pub world: &'a mut World,
    /// The process. It is out of the table.
    pub process: &'a mut Process,
    pub sink: &'a mut dyn Sink,
    /// The native for which the machine stopped.
    pub native: NativeId,
    /// Its accesses so far. The commit takes them.
    pub accesses: Accesses,
    /// What only few steps have.
    aside: Option<Box<Aside>>,
}

impl<'a> Step<'a> {
    /// A step that has not done anything.
    #[inline(always)]
    pub(crate) fn new(world: &'a mut World, process: &'a mut Process, sink: &'a mut dyn Sink) -> Self {
        Self {
            world,
            process,
            sink,
            native: NativeId(0),
            accesses: Accesses::default(),
            aside: None,
        }
    }

    /// What few steps come to, to add to it.
    #[cold]
    pub(crate) fn aside(&mut self) -> &mut Aside {
        self.aside.get_or_insert_default()
    }

    /// The messages that its operation on tables sends.
    pub(crate) fn take_ets_sends(&mut self) -> Vec<(Pid, Fragment)> {
        let aside = self.aside.as_mut();
        aside.map_or_else(Vec::new, |aside| std::mem::take(&mut aside.ets_sends))
    }

    /// Has it anything to tell of what is traced?
    #[inline(always)]
    pub(crate) const fn has_traces(&self) -> bool {
        match &self.aside {
            Some(aside) => aside.traces.is_some(),
            None => false,
        }
    }

    /// What has come to the process in this step arrives.
    #[inline]
    pub(crate) fn take_incoming(&mut self) {
        let Some(aside) = &mut self.aside else { return };
        for (tag, signal) in std::mem::take(&mut aside.incoming) {
            self.arrive_at(tag, signal);
        }
    }

    /// The end of another process is done; what it has set aside.
    pub(crate) fn into_aside(self) -> Aside {
        self.aside.map_or_else(Aside::default, |aside| *aside)
    }

    /// The next step of the process, after one that did not come to an action.
    pub(crate) fn next(&mut self) -> Step<'_> {
        Step::new(self.world, self.process, self.sink)
    }
}

/// A change that another process's end causes in the running one, which is out of the table. It is made after that end.
#[derive(Clone, Debug)]
pub(crate) enum Deferred {
    /// It has inherited a table.
    Table(interpreter::term::Reference),
    /// A monitor of it has been removed.
    Unwatched(interpreter::term::Reference),
}

/// Why a native cannot be completed now.
#[derive(Debug)]
pub(crate) enum Interrupt {
    /// It raises.
    Raise(Raise),
    /// Replay: what it depends on has not happened yet; it is retried.
    Blocked(AwaitedWrite),
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
    /// The whole system stopped in this step.
    Halted(i64),
    /// It has seen another version of a module, which is an action of its own; the native is tried again.
    Again,
    /// It is done, and the process goes on in another function, so it returns no value.
    Jumped,
    /// It is done and has answered; others that can run come first.
    Yielded,
}

impl From<Raise> for Interrupt {
    fn from(raise: Raise) -> Self {
        Self::Raise(raise)
    }
}

/// The state of a process after a slice.
pub(crate) enum After {
    Ready,
    Parked(ProcessActivity),
    Ended,
}

//! Observers of the steps of a system: the recorder, a view, a test. An observer changes nothing.

use std::ops::ControlFlow;

use interpreter::atom::Atom;
use interpreter::heap::Fragment;
use interpreter::otp::OtpName;
use interpreter::term::Term;
use interpreter::vm::{self, Program};
use log_format::{Action, ActionId, ActionNo, ExitClass, InputClass, Pid, SendNo, Tag};

use crate::state::rare::AliasMode;
use crate::state::signal::Signal;

/// What an action carried, besides what is logged. Terms are in the acting process's heap.
#[derive(Clone, Copy, Debug)]
pub enum Detail<'a> {
    /// Nothing more.
    None,
    /// A message was sent.
    Sent {
        /// The receiver; `None` if the destination does not exist.
        to: Option<Pid>,
        /// The message.
        message: Term,
    },
    /// A message was received; `None` unless the observer wants messages.
    Received {
        /// The message.
        message: Option<&'a Fragment>,
    },
    /// A receive timed out, after this many milliseconds.
    TimedOut(u64),
    /// Bytes were written to a device.
    Output(&'a [u8]),
    /// A value was obtained or a native answered.
    Value(Term),
    /// The process ended, with this reason.
    Ended(&'a Fragment),
}

/// One action, just done.
pub struct ActionEvent<'a> {
    /// The acting process.
    pub pid: Pid,
    /// Its number in that process.
    pub number: ActionNo,
    /// What is logged.
    pub action: &'a Action,
    /// What is not logged.
    pub detail: Detail<'a>,
    /// The process, stopped at the action.
    pub machine: &'a vm::Process,
    /// The code.
    pub program: &'a Program,
    /// The native of the step, with its arguments in `machine`. Undefined if the action is a receive, a timeout or an end.
    pub native: vm::NativeId,
}

impl ActionEvent<'_> {
    /// Its name.
    #[must_use]
    pub const fn id(&self) -> ActionId {
        ActionId {
            pid: self.pid,
            number: self.number,
        }
    }
}

/// The end of a process, for the outcome of the run.
pub struct Ending<'a> {
    /// The process.
    pub pid: Pid,
    /// `None`: by an exit signal.
    pub class: Option<ExitClass>,
    /// The reason.
    pub reason: &'a Fragment,
    /// The stack trace of an error, in the heap of `machine`.
    pub stacktrace: Option<Term>,
    /// Where it crashed and the logger of its node prints errors: the moment by the clock of the run, as OTP's logger writes it.
    pub when: Option<String>,
    /// Did another process have a link to it, or a monitor on it?
    pub is_watched: bool,
    /// Names that it held.
    pub names: &'a [Atom],
    /// The process, stopped where it ended.
    pub machine: &'a vm::Process,
    /// The code.
    pub program: &'a Program,
}

/// What a replay meets that the log does not hold, for [`Observer::learned`].
#[derive(Clone, Debug)]
pub enum Fact {
    /// A signal was sent.
    Sent {
        /// To whom. It may have ended.
        to: Pid,
        /// Its tag.
        tag: Tag,
        /// Is it an exit signal, which is a message only for a process that traps exits?
        exit: bool,
        /// Does it end a process that does not trap exits?
        deadly: bool,
        /// Does it end every process?
        kills: bool,
        /// What a receive sees of it.
        message: Fragment,
        /// If it was sent to an alias of the receiver: the number of the alias's reference, and what ends that.
        alias: Option<(u64, AliasMode)>,
    },
    /// A timer was set.
    Timer {
        /// The tag of its message.
        tag: Tag,
        /// Its reference: the process that made it, and its number.
        reference: (Pid, u64),
        /// Its milliseconds; `None`: it is set for a point of time.
        ms: Option<u64>,
        /// The milliseconds from now, by the run's clock.
        after: u64,
    },
    /// A timer was cancelled, or it was too late to; or it was read when it had expired.
    Cancelled {
        /// By this action.
        by: ActionId,
        /// The timer.
        reference: (Pid, u64),
    },
    /// A monitor was removed.
    Unwatched {
        /// After this action.
        by: ActionId,
        /// The number of the monitor's reference.
        k: u64,
        /// The monitored process, if its end was not known yet.
        of: Option<Pid>,
    },
    /// An alias of a process was closed.
    Unaliased {
        /// After this action.
        by: ActionId,
        /// The number of the alias's reference.
        number: u64,
    },
    /// A process began to trap exits.
    Traps {
        /// The process.
        pid: Pid,
    },
    /// A link was removed.
    Unlinked {
        /// After this action.
        by: ActionId,
        /// To this process.
        of: Pid,
    },
}

/// A message that a receive may have been able to take.
#[derive(Clone, Debug)]
pub struct Other {
    /// Its tag.
    pub tag: Tag,
    /// What a receive sees of it.
    pub message: Fragment,
    /// If it was sent to an alias of the receiver: the number of the alias's reference.
    pub alias: Option<u64>,
}

/// A receive that a process is in.
#[derive(Clone, Copy, Debug)]
pub struct CurrentReceive {
    /// The action that will end it.
    pub id: ActionId,
    /// For how long it waits.
    pub ms: Option<u64>,
    /// An exit signal ends the process before it is there: it would have come here next, without another action.
    pub next: bool,
    /// Does the process trap exits?
    pub traps: bool,
    /// Is it a sleep: one that takes no message?
    pub sleeps: bool,
}

/// Watches the steps of a system.
pub trait Observer {
    /// The observer's data for each process.
    type Log: Send;
    /// Does it need the contents of received messages (a copy of each)?
    const WANTS_MESSAGES: bool = false;

    /// Replay: does it need the contents of the message that this process is about to receive?
    #[inline]
    fn wants_message(&self, log: &Self::Log) -> bool {
        let _ = log;
        Self::WANTS_MESSAGES
    }

    /// Does it need the contents of received messages during a recording?
    fn wants_messages(&self) -> bool {
        false
    }
    /// Must the value of an input of this class be left out of the log?
    fn redacts(&self, class: InputClass) -> bool {
        let _ = class;
        false
    }

    /// Does it watch processes between actions? If false, the machine runs in a loop without observers.
    const STEPS: bool = false;

    /// Does it watch this process step by step now? Called only if [`Observer::STEPS`] is set.
    fn watches(&self, log: &Self::Log) -> bool {
        let _ = log;
        false
    }
    /// A watched process is about to execute code of another source place than before, in a frame that starts at `depth` words of stack.
    /// `Break` stops it there until `World::request` lets it go on.
    fn place(
        &mut self,
        log: &mut Self::Log,
        program: &Program,
        machine: &vm::Process,
        pc: vm::Pc,
        depth: usize,
    ) -> ControlFlow<()> {
        let _ = (log, program, machine, pc, depth);
        ControlFlow::Continue(())
    }
    /// A watched process has just done an action. `Break` stops it there.
    fn acted(&mut self, log: &mut Self::Log) -> ControlFlow<()> {
        let _ = log;
        ControlFlow::Continue(())
    }
    /// A process is created; `parent` is the data of the process that has just spawned it.
    fn born(&mut self, pid: Pid, parent: Option<&Self::Log>, node: u16) -> Self::Log;
    /// An action was done.
    fn action(&mut self, log: &mut Self::Log, event: &ActionEvent<'_>);
    /// Fast path: a plain send was done, with one signal and no access. Returns true if the observer needs no more than that; otherwise
    /// [`Observer::action`] is called.
    #[inline(always)]
    fn plain_send(&mut self, log: &mut Self::Log) -> bool {
        let _ = log;
        false
    }
    /// Fast path: a plain `rec` without accesses was done. As [`Observer::plain_send`].
    #[inline(always)]
    fn plain_rec(&mut self, log: &mut Self::Log, tag: Tag) -> bool {
        let _ = (log, tag);
        false
    }
    /// Fast path: while recording, the k-th signal of a process was received as a plain message.
    #[inline(always)]
    fn plain_rec_sent(&mut self, log: &mut Self::Log, by: Pid, k: SendNo) -> bool {
        self.plain_rec(log, Tag::Sent { by, k })
    }
    /// A process ended; called after its last action.
    fn ended(&mut self, log: &mut Self::Log, ending: &Ending<'_>) {
        let _ = (log, ending);
    }
    /// A function was called that OTP has and the library lacks; the call raises `undef`.
    fn missing(&mut self, function: (Atom, Atom, u8), known: OtpName) {
        let _ = (function, known);
    }
    /// Replay: will actions be undone ([`System::retract`](crate::System::retract))? Then the ends of processes are remembered.
    fn goes_back(&self) -> bool {
        false
    }
    /// Replay: the end of a process, or its birth, was undone.
    fn raised(&mut self, pid: Pid) {
        let _ = pid;
    }
    /// Replay: does it store what processes consume, to give it to them again?
    #[inline]
    fn retains(&self) -> bool {
        false
    }
    /// Replay: a process gets the signal that the action with this number consumes.
    fn given(&mut self, pid: Pid, number: ActionNo, tag: Tag, signal: &Signal) {
        let _ = (pid, number, tag, signal);
    }
    /// Replay: does it gather what the stall of the run depends on? Then it gets [`Fact`]s, and is asked for [`Observer::others`].
    fn probes(&self) -> bool {
        false
    }
    /// Replay: does it want to know what is sent, and what changes who gets it ([`Fact`])?
    fn hears_sends(&self) -> bool {
        self.probes()
    }
    /// Replay, for an observer that [probes](Observer::probes) or [hears](Observer::hears_sends).
    fn learned(&mut self, fact: Fact) {
        let _ = fact;
    }
    /// Replay, for an observer that [probes](Observer::probes): a process is in a receive, or comes to one after its last action. Which of these messages could it take?
    fn others(&mut self, at: CurrentReceive) -> Vec<Other> {
        let _ = at;
        Vec::new()
    }
    /// The answer to [`Observer::others`]. `closed`: those that it could take if their aliases were open. `words`: what was copied to find it.
    fn could_take(&mut self, at: CurrentReceive, tags: Vec<Tag>, closed: Vec<Tag>, words: usize) {
        let _ = (at, tags, closed, words);
    }
    /// A process that has ended is removed from the system.
    fn buried(&mut self, log: Self::Log) {
        drop(log);
    }
    /// Called now and then, between slices: must all logs be written as one consistent cut?
    fn wants_cut(&mut self, actions: u64) -> bool {
        let _ = actions;
        false
    }
    /// The number of actions at which [`Observer::wants_cut`] must be called at the latest.
    fn cut_due(&self) -> u64 {
        u64::MAX
    }
    /// As [`Observer::wants_cut`], before the run rests for this many nanoseconds, or for an unknown time.
    fn wants_cut_before_rest(&mut self, actions: u64, nanoseconds: Option<u64>) -> bool {
        let _ = (actions, nanoseconds);
        false
    }
    /// How many nanoseconds the run may rest before the question is asked again; `None`: any time.
    fn rests_at_most(&self, actions: u64) -> Option<u64> {
        let _ = actions;
        None
    }
    /// Writes the logs of all living processes as a cut; `texts` and `nodes` are the run's texts and nodes so far.
    fn cut(&mut self, logs: &mut dyn Iterator<Item = &mut Self::Log>, texts: &[String], nodes: &[Atom]) {
        let _ = (logs, texts, nodes);
    }
}

/// An observer that does nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nobody;

impl Observer for Nobody {
    type Log = ();
    fn born(&mut self, _: Pid, _: Option<&()>, _: u16) {}
    #[inline(always)]
    fn action(&mut self, (): &mut (), _: &ActionEvent<'_>) {}
    #[inline(always)]
    fn plain_send(&mut self, (): &mut ()) -> bool {
        true
    }
    #[inline(always)]
    fn plain_rec(&mut self, (): &mut (), _: Tag) -> bool {
        true
    }
}

//! One process as the system layer sees it, and the table of all processes.

pub use crate::flight::{Flight, Sender};
pub use crate::rare::{AliasMode, Monitor, Rare, Seldom, Watcher};
pub use crate::table::{Lookup, Table};

use interpreter::atom::Atom;
use interpreter::heap::Fragment;
use interpreter::term::{Pid, Reference};
use interpreter::vm;
use log_format::{SendNo, Tag};

use crate::ids;
use crate::mode::Mode;
use crate::pool::Pool;
use crate::reached::Reached;
use crate::world::Birth;

/// Position of a living process in the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct Slot(pub u32);

/// What a process is doing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum State {
    /// In the scheduler's queue, or running.
    Ready,
    /// In a receive without a matching message.
    Waiting,
    /// In a native that waits for the outside (a line of input).
    WaitingInput,
    /// Replay: what its log names next has not happened yet.
    Blocked,
    /// Replay: it has done all that was asked of it.
    Frozen,
    /// It is driven, and stands before a native or its end until the driver permits it (`World::gate`).
    Gated,
}

/// Something sent to a process that has arrived or will arrive.
#[derive(Clone, Debug)]
pub enum Signal {
    /// A message.
    Message(Fragment),
    /// A message sent to an alias: dropped on arrival if the alias is not active then.
    Aliased {
        /// The alias.
        alias: Reference,
        /// The message.
        message: Fragment,
    },
    /// A 'DOWN' message: dropped on arrival if the monitor has been removed.
    Down {
        /// The monitor.
        monitor: Reference,
        /// The message.
        message: Fragment,
    },
    /// An exit signal.
    Exit {
        /// Who sent it, or whose end emitted it.
        from: Pid,
        /// The reason.
        reason: Fragment,
        /// It came over a link (a reason `kill` is then an ordinary one).
        link: bool,
    },
}

impl Signal {
    /// Words that its message or reason takes.
    #[must_use]
    pub fn words(&self) -> usize {
        match self {
            Self::Message(value)
            | Self::Aliased { message: value, .. }
            | Self::Down { message: value, .. }
            | Self::Exit { reason: value, .. } => value.size(),
        }
    }
}

/// An exit signal that has arrived and takes effect at the next point.
#[derive(Clone, Debug)]
pub struct PendingExit {
    /// Its tag.
    pub tag: Tag,
    /// The reason with which the process ends.
    pub reason: Fragment,
    /// The message that it would be for a process that traps exits; none if it cannot be trapped.
    pub trapped: Option<Fragment>,
}

/// A living process.
#[derive(Clone)]
pub struct Process {
    /// The expression layer: heap, stack, mailbox.
    pub machine: vm::Process,
    /// Its identity.
    pub pid: Pid,
    /// Who spawned it, and with which action.
    pub parent: Option<(Pid, u64)>,
    /// What it is doing.
    pub state: State,
    /// Logged actions so far.
    pub actions: u64,
    /// Signals put in flight so far: the k of (p, k).
    pub sent: u64,
    /// Who decides what it does next.
    pub mode: Mode,
    /// Replay: signals that have been sent to it and not been consumed, by tag.
    pub pool: Pool,
    /// `process_flag(trap_exit, _)`.
    pub trap_exit: bool,
    /// An exit signal that takes effect at its next point.
    pub pending: Option<Box<PendingExit>>,
    /// When the current receive times out, if it has a finite timeout.
    pub deadline: Option<u64>,
    /// That deadline has passed.
    pub expired: bool,
    /// Its group leader.
    pub group_leader: Pid,
    /// What it was spawned to run.
    pub initial_call: (Atom, Atom, u8),
    /// It was spawned with a fun: to `process_info(_, initial_call)`, with `erlang:apply/2`.
    pub applied: bool,
    /// Counted events over its life.
    pub total_events: u64,
    /// How often others have suspended it and not resumed it. Beyond the log only: in replay others only wait longer.
    pub suspended: u32,
    /// Its turn came while it was suspended.
    pub held: bool,
    /// Replay: it is blocked in a receive, for the message that its log names. invariant: set only where the state is `Blocked`, or it was then.
    pub awaits_message: bool,
    /// It stands at a receive (or at a native that waits), not at a counted event.
    pub at_receive: bool,
    /// The native that it waits in, to be tried again.
    pub retry: Option<vm::NativeId>,
    /// It waited for input and its turn has come.
    pub may_read: bool,
    /// Words of its memory that the system's total holds.
    pub counted_words: usize,
    /// The version of its node in which it lives: another one when a node was stopped and started again.
    pub incarnation: u64,
    /// It has executed nothing since its last action (or its creation).
    pub standing: bool,
    /// Its own end, held at a gate.
    pub ending: Option<Box<vm::End>>,
    /// Replay: it has done all that was asked of it, has run silently on, and would do this next.
    pub label: Option<Label>,
    /// Replay: of each sender the last signal that it has consumed.
    pub reached: Reached,
    /// How many processes it has spawned, or tried to.
    pub spawned: u64,
    /// That its heap has outgrown its limit is reported.
    pub outgrown: bool,
    /// Where it is in the table.
    pub slot: Slot,
    /// Fields that few processes need.
    pub rare: Seldom,
}

impl Process {
    /// The tag of its next signal: (p, k).
    #[inline]
    pub(crate) fn next_tag(&mut self) -> Tag {
        self.sent += 1;
        Tag::Sent {
            by: ids::to_log(self.pid),
            k: SendNo(self.sent),
        }
    }

    /// A process that has just been born, and is ready.
    pub(crate) fn new(birth: Birth, mode: Mode) -> Self {
        Self {
            machine: birth.machine,
            pid: birth.pid,
            parent: birth.parent,
            state: State::Ready,
            actions: 0,
            sent: 0,
            mode,
            pool: Pool::default(),
            trap_exit: false,
            pending: None,
            deadline: None,
            expired: false,
            group_leader: birth.group_leader,
            initial_call: birth.call,
            applied: false,
            total_events: 0,
            suspended: 0,
            held: false,
            awaits_message: false,
            at_receive: false,
            retry: None,
            may_read: false,
            counted_words: 0,
            incarnation: birth.incarnation,
            standing: true,
            ending: None,
            label: None,
            reached: Reached::default(),
            spawned: 0,
            outgrown: false,
            slot: Slot(0),
            rare: Seldom::default(),
        }
    }
}

/// What a process comes to when it runs silently on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Label {
    /// A native of the system layer.
    Native(vm::NativeId),
    /// A receive, with its `after`.
    Receive(vm::Timeout),
    /// Its end.
    End,
}

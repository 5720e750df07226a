//! One process, as the system layer sees it.

use interpreter::atom::Atom;
use interpreter::term::Pid;
use interpreter::vm;
use log_format::{SendNo, Tag};

use crate::ids::{self, Slot};
use crate::state::mode::{Decides, Mode};
use crate::state::pool::Pool;
use crate::state::rare::Seldom;
use crate::state::reached::Reached;
use crate::state::signal::PendingExit;

/// What a process is doing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProcessActivity {
    /// In the scheduler's queue, or running.
    Ready,
    /// In a receive without a matching message.
    Waiting,
    /// In a native that waits for the outside (a line of input).
    WaitingInput,
    /// Replay: it waits for the next action of its log to become possible.
    Blocked,
    /// Replay: it has done all that was requested.
    Frozen,
    /// It is driven, and stops before a native or its end until the driver permits it (`World::gate`).
    Gated,
}

/// The spawn that made a process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parent {
    /// The process that spawned it.
    pub pid: Pid,
    /// The number of the action.
    pub spawn: u64,
}

/// The initial data of a process.
pub(crate) struct Birth {
    /// Its machine, just before its first call.
    pub machine: vm::Process,
    pub pid: Pid,
    /// What spawned it.
    pub parent: Option<Parent>,
    /// What it is spawned to run.
    pub call: (Atom, Atom, u8),
    pub group_leader: Pid,
    /// The version of its node.
    pub incarnation: u64,
}

/// A living process.
#[derive(Clone)]
pub struct Process {
    /// The expression layer: heap, stack, mailbox.
    pub machine: vm::Process,
    /// Its identity.
    pub pid: Pid,
    /// What spawned it.
    pub parent: Option<Parent>,
    /// What it is doing.
    pub state: ProcessActivity,
    /// Logged actions so far.
    pub actions: u64,
    /// Signals sent so far: the k of (p, k).
    pub sent: u64,
    /// What decides its next step.
    pub mode: Mode,
    /// Replay: signals that were sent to it and not consumed, by tag.
    pub pool: Pool,
    /// `process_flag(trap_exit, _)`.
    pub trap_exit: bool,
    /// An exit signal that takes effect at its next point.
    pub pending: Option<Box<PendingExit>>,
    /// When the current receive times out, if it has a finite timeout.
    pub deadline: Option<u64>,
    /// Has that deadline passed?
    pub expired: bool,
    /// Its group leader.
    pub group_leader: Pid,
    /// What it was spawned to run.
    pub initial_call: (Atom, Atom, u8),
    /// Was it spawned with a fun? To `process_info(_, initial_call)`, it then runs `erlang:apply/2`.
    pub applied: bool,
    /// Counted events over its life.
    pub total_events: u64,
    /// How often others have suspended it and not resumed it. Not in replay, where others merely wait longer.
    pub suspended: u32,
    /// Did its turn come while it was suspended?
    pub held: bool,
    /// Replay: is it blocked in a receive, waiting for the message that its log names? invariant: set only if the state is `Blocked`, or was
    /// when it was set.
    pub awaits_message: bool,
    /// Is it at a receive (or at a native that waits), and not at a counted event?
    pub at_receive: bool,
    /// The native that it waits in, which will be retried.
    pub retry: Option<vm::NativeId>,
    /// Did it wait for input, and is it now its turn?
    pub may_read: bool,
    /// Words of its memory, as counted in the system's total.
    pub counted_words: usize,
    /// The version of its node: a new one if the node was stopped and started again.
    pub incarnation: u64,
    /// Has it executed nothing since its last action (or its creation)?
    pub standing: bool,
    /// Its end, held at a gate.
    pub ending: Option<Box<vm::ProcessEnd>>,
    /// Replay: it has done all that was requested, has run on silently, and stopped before this.
    pub label: Option<Label>,
    /// Replay: for each sender, the last signal that it has consumed.
    pub reached: Reached,
    /// How many processes it has spawned, or tried to.
    pub spawned: u64,
    /// Has it been reported that its heap has outgrown its limit?
    pub outgrown: bool,
    /// Its place in the table.
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

    /// Can anything but its own code decide whether the process goes on to its next label: its log, a person, or an exit signal?
    #[inline(always)]
    pub(crate) fn is_disturbed(&self) -> bool {
        match self.mode.decides() {
            Decides::Record | Decides::Driven => self.pending.is_some(),
            // The log says when exit signals take effect.
            Decides::Follow(feed) => feed.is_due_at_labels(),
            Decides::Beyond { .. } => true,
        }
    }

    /// A new process, ready to run.
    pub(crate) fn new(birth: Birth, mode: Mode) -> Self {
        Self {
            machine: birth.machine,
            pid: birth.pid,
            parent: birth.parent,
            state: ProcessActivity::Ready,
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

/// Where a process stops when it runs on silently.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Label {
    /// A native of the system layer.
    Native(vm::NativeId),
    /// A receive, with its `after`.
    Receive(vm::Timeout),
    /// A call of a module of which it perhaps sees another version, or a question about it.
    Version(Atom),
    /// Its end.
    End,
}

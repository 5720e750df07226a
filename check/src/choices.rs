//! The choices of a run, under names that changed code also has: a process by its parent and what it was spawned to run (`kin`), a message by
//! its sender and its ordinal among the messages from that sender to the receiver, any other step by what it calls and the process or thing
//! that it names.

use std::hash::Hash;

use causality::{Future, Gravity};
use log_format::{ActionId, Pid};
use rustc_hash::FxHashMap;

use crate::kin::Id;
use crate::reason::ReasonKind;

/// The name of a signal to a process. It is the same in every run in which the sender sent it the same signals before.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SignalKey {
    /// A message from this process.
    Sent(Id, Nth),
    /// The n-th of the other signals from steps of this process: replies to its own calls, messages of tables and nodes.
    Made(Id, u64),
    /// The exit signal that the end of this process sent over a link.
    Link(Id),
    /// What the end of this process sent to a monitor, or to the heir of a table.
    Down(Id),
    /// The n-th of the rest: sent by the end of this process, or a timer of it.
    Other(Option<Id>, u64),
}

/// One of the messages from one process to another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Nth {
    /// The shape of the message; 0 if shapes are not used.
    pub shape: u64,
    /// Its ordinal among messages of this shape, from 1.
    pub n: u64,
}

/// For each message from one process to another, the recorded one; `None` if it is new.
pub type Alignment = FxHashMap<(Id, Id), Vec<Option<Nth>>>;
/// How messages are named.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Naming {
    /// By ordinal among all messages from one process to another: changed code may send the same in other words.
    #[default]
    Place,
    /// By ordinal among messages of one shape: changed code may send additional ones in between.
    Shape,
}

/// A hash of what a step calls and of the process or thing that it names.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Call(pub(crate) u64);

/// The end of a process by itself.
pub const END: Call = Call(0);

/// A step of a process that others can interact with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StepKind {
    /// Its receive takes this message.
    Rec(SignalKey),
    /// Its receive times out.
    After,
    /// This exit signal ends it.
    Signal(SignalKey),
    /// It calls a native.
    Do(Call),
}

impl StepKind {
    /// Is it a choice of a signal or timeout, and not a step of the process's own?
    #[must_use]
    pub const fn comes(self) -> bool {
        !matches!(self, Self::Do(_))
    }
}

/// The result of a process's own step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Given {
    /// The value of an input or an observation, as logged.
    Value(Vec<u8>),
    /// The number of a process.
    Pid(Pid),
}

/// A choice with its position in the run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordedChoice {
    /// The choice.
    pub what: StepKind,
    /// The action that made it.
    pub action: u64,
    /// Its position in an order in which the run can have happened.
    pub order: u64,
    /// Is it a cause of the failure?
    pub needed: bool,
    /// The result of the step.
    pub given: Option<Given>,
}

/// The choices of a run, by process.
pub type Choices = FxHashMap<Id, Vec<RecordedChoice>>;

/// How many messages of a shape a process has sent to another one.
pub type SentCounts = FxHashMap<(Id, Id, u64), u64>;

/// How long timers run, by receiver and message, in milliseconds.
pub type Lengths = FxHashMap<(Id, SignalKey), u64>;

/// An abnormal end, or a failed test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AbnormalEnd {
    /// Of a failed test: its name, and the action that noted the failure. Its process goes on.
    pub test: Option<(String, ActionId)>,
    /// The name of the process.
    pub id: Id,
    /// Its pid in that run.
    pub pid: Pid,
    /// Class and reason, without the parts that differ from run to run.
    pub reason: String,
    /// The same as Elixir tells it; empty for a program in Erlang.
    pub shown: String,
    /// The reason without its values.
    pub kind: ReasonKind,
    /// The place in the program.
    pub place: String,
    /// How grave it is.
    pub gravity: Gravity,
    /// What the process was spawned to run: `main/0` for the entry.
    pub does: String,
    /// Had the entry ended before?
    pub late: bool,
    /// Did another process receive a 'DOWN' message with this reason?
    pub awaited: bool,
}

/// For each process and position in its record, the timeout of the receive in which it waited there, in milliseconds.
pub type Waits = FxHashMap<(Id, usize), u64>;

/// Only the choices that are causes of the failure; in each process, these are the first ones.
#[must_use]
pub fn causes_only(choices: &Choices) -> Choices {
    let needed = |list: &[RecordedChoice]| list.iter().take_while(|choice| choice.needed).cloned().collect();
    choices.iter().map(|(id, list)| (*id, needed(list))).collect()
}

/// Without the choices that a failure led to: a program that does not fail cannot repeat them.
#[must_use]
pub fn without_effects(choices: &Choices, pids: &FxHashMap<Id, Pid>, effects: &Future, failure: ActionId) -> Choices {
    let stays = |id: &Id, choice: &RecordedChoice| {
        let action = pids.get(id).map(|pid| ActionId::new(*pid, choice.action));
        action.is_none_or(|action| action == failure || !effects.contains(action))
    };
    let before =
        |id: &Id, list: &[RecordedChoice]| list.iter().take_while(|choice| stays(id, choice)).cloned().collect();
    choices.iter().map(|(id, list)| (*id, before(id, list))).collect()
}

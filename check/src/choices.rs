//! The choices of a run, named so that changed code can meet them again: a process by its parent and what it was spawned to run (`kin`), a message
//! by its sender and its place among the messages from that sender to the receiver, any other step by what it calls and whom or what it names.

use std::hash::Hash;

use causality::{Conflicts, Gravity, Times};
use log_format::{ActionId, Cut, Pid, Trace};
use rustc_hash::FxHashMap;

use crate::kin::Id;
use crate::listener::Listener;
use session::error::Error;

/// A signal to a process, the same in every run in which its sender sent it the same signals before.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Key {
    /// One that this process sent to it.
    Sent(Id, Nth),
    /// The n-th of the other signals that steps of this process made: answers to its own calls, messages of tables and nodes.
    Made(Id, u64),
    /// What the end of this process sent over a link.
    Link(Id),
    /// What the end of this process sent to a monitor, or to the heir of a table.
    Down(Id),
    /// The n-th of the other ones: what the end of this process sent, or a timer of it.
    Other(Option<Id>, u64),
}

/// Which of the messages from one process to another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Nth {
    /// What messages of this kind look like; 0 where they are not told apart.
    pub shape: u64,
    /// The how many-th of this shape, from 1.
    pub n: u64,
}

/// Of the messages from one process to another which of the recorded ones they are; none: it is new.
pub type Alignment = FxHashMap<(Id, Id), Vec<Option<Nth>>>;
/// How messages are named.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Naming {
    /// By their places among all from one process to another: changed code may send the same in other words.
    #[default]
    Place,
    /// By their places among those of one shape: changed code may send more in between.
    Shape,
}

/// What a step calls, and whom or what it names, by a hash.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Call(pub(crate) u64);

/// The end of a process by itself.
pub const END: Call = Call(0);

/// A step of a process that others can have to do with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum What {
    /// Its receive takes this message.
    Rec(Key),
    /// Its receive times out.
    After,
    /// This exit signal ends it.
    Signal(Key),
    /// It calls a native.
    Do(Call),
}

impl What {
    /// Is it a choice of what comes to the process, as against a step of its own?
    #[must_use]
    pub const fn comes(self) -> bool {
        !matches!(self, Self::Do(_))
    }
}

/// What a step of its own is given.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Given {
    /// The value of an input or an observation, as logged.
    Value(Vec<u8>),
    /// The number of a process.
    Pid(Pid),
}

/// A choice with its place in the run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The choice.
    pub what: What,
    /// The action that made it.
    pub action: u64,
    /// Its place in an order in which the run can have happened.
    pub order: u64,
    /// Is it a cause of the failure?
    pub needed: bool,
    /// What it is given.
    pub given: Option<Given>,
}

/// The choices of a run, by process.
pub type Choices = FxHashMap<Id, Vec<Choice>>;

/// How many messages of a shape a process has sent to another one.
pub type Sent = FxHashMap<(Id, Id, u64), u64>;

/// How long timers run, by receiver and message, in milliseconds.
pub type Lengths = FxHashMap<(Id, Key), u64>;

/// An end that is not peaceful.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AbnormalEnd {
    /// The process, by its name.
    pub id: Id,
    /// In that run.
    pub pid: Pid,
    /// Class and reason, without what differs from run to run.
    pub reason: String,
    /// The place.
    pub place: String,
    /// How grave it is.
    pub gravity: Gravity,
    /// What the process was spawned to run: `main/0` for the entry.
    pub does: String,
    /// The entry had ended before.
    pub late: bool,
    /// Another process received the message of a monitor with it.
    pub awaited: bool,
}

/// The choices of a recorded run, by process.
///
/// `failure`: what is needed for it; `times`: how long timeouts and timers took.
///
/// # Errors
/// If the trace is damaged.
pub fn choices(trace: &Trace, heard: &Listener, failure: &Cut, times: Times) -> Result<Choices, Error> {
    let mut order: FxHashMap<ActionId, u64> = FxHashMap::default();
    let wanted: FxHashMap<Pid, Vec<u64>> = heard
        .ids
        .iter()
        .map(|(pid, id)| {
            let made = heard.made.get(id).map_or(&[][..], Vec::as_slice);
            (*pid, made.iter().map(|(n, _)| *n).collect())
        })
        .collect();
    let conflicts = Conflicts::scan(trace)?;
    for stretch in causality::conflict_order_in_time(trace, &conflicts, &Cut::whole(trace)?, times)? {
        let stretch = stretch?;
        let list = wanted.get(&stretch.pid).map_or(&[][..], Vec::as_slice);
        let first = list.partition_point(|&n| n < stretch.first.0);
        for &n in list[first..].iter().take_while(|&&n| n <= stretch.last.0) {
            let next = order.len() as u64;
            order.insert(ActionId::new(stretch.pid, n), next);
        }
    }
    let mut all = FxHashMap::default();
    for (pid, id) in &heard.ids {
        let made = heard.made.get(id).map_or(&[][..], Vec::as_slice);
        let list: Vec<Choice> = made
            .iter()
            .map(|&(action, what)| {
                let name = ActionId::new(*pid, action);
                Choice {
                    what,
                    action,
                    order: order.get(&name).copied().unwrap_or(u64::MAX),
                    needed: failure.contains(name),
                    given: heard.given.get(&(*id, action)).cloned(),
                }
            })
            .collect();
        all.insert(*id, list);
    }
    Ok(all)
}

/// Only those choices that are causes of the failure: the first ones of each process.
#[must_use]
pub fn causes_only(choices: &Choices) -> Choices {
    let needed = |list: &[Choice]| list.iter().take_while(|choice| choice.needed).cloned().collect();
    choices.iter().map(|(id, list)| (*id, needed(list))).collect()
}

//! What a driven run came to.

use crate::kin::Id;
use rustc_hash::{FxHashMap, FxHashSet};

/// A recorded choice without a counterpart.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct Divergence {
    /// The process in this run.
    pub pid: String,
    /// The process for people: its registered name, or what it runs.
    pub name: String,
    /// The recorded action, as a target of the trace.
    pub recorded: String,
    /// Where it waits, in the program.
    pub place: String,
    /// What the record says.
    pub expected: String,
    /// The recorded message.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// What is there.
    pub found: String,
    /// What has been sent to the process, and is withheld since the record has something else first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub withheld: Vec<String>,
}

/// How a driven run went.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ran {
    /// Nothing can happen any more; does the entry wait?
    ToTheEnd {
        /// It does.
        waiting: bool,
    },
    /// The program halted.
    Halted(i64),
    /// The bound was reached.
    Bound,
    /// A choice that is needed had no counterpart.
    Diverged,
}

/// What a drive found.
#[derive(Clone, Debug)]
pub struct Driven {
    /// How the run went.
    pub ran: Ran,
    /// Choices without a counterpart.
    pub divergences: Vec<Divergence>,
    /// Where processes waited, and how long at most.
    pub waits: Waits,
    /// Some wait for shorter times than when recorded.
    pub other_waits: bool,
    /// Recorded timeouts that were left to the clock.
    pub longer: Vec<Longer>,
    /// Recorded timeouts that came when nothing else could happen and nothing had been sent to who waited.
    pub vain: Timeouts,
    /// A recorded timeout, where who waited would have received what had been sent to it.
    pub taken_before_time: Option<(Id, usize)>,
    /// Recorded timeouts that ended a sleep.
    pub sleeps: Timeouts,
    /// The recorded steps that were done.
    pub done: FxHashSet<(Id, usize)>,
    /// Somebody who waited for an answer timed out while messages were withheld.
    pub lost_patience: bool,
    /// The program obtained something from outside that it had not put there itself.
    pub took_outside: bool,
    /// Recorded contents of a file were given that are not what the program had written into it.
    pub other_files: bool,
    /// Which of the messages that are received in the record, too, have other contents, and which processes end otherwise; where the trace has
    /// digests.
    pub contents: Option<crate::received::ChangedContents>,
}

/// Of each process and place among its recorded steps the timeout of the receive in which it waited there, in milliseconds.
pub type Waits = FxHashMap<(Id, usize), u64>;

/// Recorded timeouts, by process and place among its recorded steps.
pub type Timeouts = FxHashSet<(Id, usize)>;

/// A receive or a timer that ran out when recorded, and takes longer now.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct Longer {
    /// The process.
    pub pid: String,
    /// The place in the program.
    pub place: String,
    /// Is it a timer?
    pub timer: bool,
    /// Milliseconds then.
    pub recorded: u64,
    /// Milliseconds now.
    pub now: u64,
}

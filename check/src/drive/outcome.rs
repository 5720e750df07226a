//! The outcome of a driven run.

use crate::choices::Waits;
use crate::kin::Id;
use rustc_hash::FxHashSet;

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
    pub message: Option<session::content::Content>,
    /// What is there.
    pub found: String,
    /// What has been sent to the process and is withheld because the record has something else first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub withheld: Vec<String>,
}

/// How a driven run went.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ran {
    /// Nothing more can happen.
    ToTheEnd {
        /// Does the entry wait?
        waiting: bool,
    },
    /// The program halted.
    Halted(i64),
    /// The bound was reached.
    Bound,
    /// A needed choice had no counterpart.
    Diverged,
}

/// The outcome of a driven run.
#[derive(Clone, Debug)]
pub struct Driven {
    /// How the run went.
    pub ran: Ran,
    /// Choices without a counterpart.
    pub divergences: Vec<Divergence>,
    /// Where processes waited, and the longest time.
    pub waits: Waits,
    /// Some waits are shorter than recorded.
    pub other_waits: bool,
    /// Recorded timeouts that were left to the clock.
    pub longer: Vec<Longer>,
    /// Recorded timeouts that came when nothing else could happen and nothing had been sent to the process.
    pub vain: Timeouts,
    /// A recorded timeout whose receive would have taken what had been sent to it.
    pub taken_before_time: Option<(Id, usize)>,
    /// Recorded timeouts that ended a sleep.
    pub sleeps: Timeouts,
    /// The recorded steps that were done.
    pub done: FxHashSet<(Id, usize)>,
    /// A pending call timed out while messages were withheld.
    pub lost_patience: bool,
    /// It asked for an input that the record does not hold.
    pub invented: bool,
    /// How often a signal that was held back was looked at: the work of finding what to give.
    pub looks: u64,
    /// The program got something from outside that it had not put there itself.
    pub took_outside: bool,
    /// Recorded contents of a file were returned that differ from what the program had written.
    pub other_files: bool,
    /// If the trace has digests: which messages received in both runs have other contents, and which processes end differently.
    pub contents: Option<crate::received::ChangedContents>,
}

/// Recorded timeouts, by process and position in its record.
pub type Timeouts = FxHashSet<(Id, usize)>;

/// A receive or timer whose time was up in the record and which takes longer now.
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

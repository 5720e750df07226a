//! The answer to `check`.

use serde::Serialize;

use crate::drive::{Divergence, Longer};
use crate::received::ChangedContents;

/// What `check` found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckVerdict {
    /// The recorded failure did not occur, nor another one, and the run ended.
    Fixed,
    /// It does not occur as long as nothing is held up for longer than in the recorded run. With a longer delay it does.
    FixedUnlessDelayed,
    /// The recorded failure occurred.
    StillFails,
    /// Another failure occurred.
    FailsDifferently,
    /// A recorded choice had no counterpart before the failure.
    Diverged,
    /// The bound was reached, or the trace cannot be judged.
    Incomplete,
}

/// The answer to `check`.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Checked {
    /// The verdict.
    pub verdict: CheckVerdict,
    /// The failure of the trace.
    pub recorded: String,
    /// The test that failed, if it was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub test: Option<String>,
    /// What happened now.
    pub now: String,
    /// With [`CheckVerdict::FixedUnlessDelayed`]: the least delay that was found to bring the failure back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delay: Option<Delay>,
    /// With [`CheckVerdict::Fixed`]: the test waits so many milliseconds for a message. If something is held up for longer, it fails as recorded, but so
    /// it did before the change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub patience_ms: Option<u64>,
    /// Is the program the recorded one, byte for byte?
    pub unchanged: bool,
    /// Whether the code is the recorded one, apart from its place in the source. Then the log was followed step by step.
    pub same_code: bool,
    /// Files that differ from the recorded ones.
    pub changed: Vec<String>,
    /// Modules of the recorded run that the project no longer has.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub gone: Vec<String>,
    /// Recorded choices without a counterpart.
    pub divergences: Vec<Divergence>,
    /// Recorded timeouts that the clock decides now, since the receives wait longer than they did.
    pub timeouts: Vec<Longer>,
    /// The seed of a random schedule that led to the failure, if the recorded choices did not.
    pub schedule: Option<u64>,
    /// Random schedules that were tried, if none of them led to the failure.
    pub schedules: Option<Schedules>,
    /// Universes of the changed program that were visited, because neither the recorded choices nor random schedules decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub universes: Option<Universes>,
    /// Messages came in another order than recorded, because the changed program cannot keep the recorded order.
    pub other_order: bool,
    /// Files that the program had written itself were read with other contents than when recorded.
    pub own_files: bool,
    /// The changed program could not be led by the recorded choices to where the failure was, and the random schedules decided.
    pub by_rates: bool,
    /// The recorded program fails under none of them, so they prove nothing; and steps that raced in the record have no counterpart.
    pub no_power: bool,
    /// None were tried because the program read files that it had not written, or standard input, or ran commands.
    pub reads_outside: bool,
    /// If the recorded failure is fixed: other failures of the changed program under random schedules, which the recorded program has, too.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub remains: Vec<Remaining>,
    /// The check ended before everything was tried.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cut: Option<Cut>,
    /// Other abnormal ends of the record that may be meant, as targets.
    pub others: Vec<String>,
    /// If the trace has digests: which messages have other contents now, and which processes end differently.
    pub contents: Option<ChangedContents>,
    /// Actions done now.
    pub actions: u64,
    /// The recorded program fails again when the recorded choices are made again, and this one does not.
    pub by_choices: bool,
    /// Milliseconds: for how long something must be held up for the recorded failure to occur, if that is known. A failure of the changed program
    /// counts if it needs no more, so a run that needs no more and fails would refute `fixed`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recorded_stall_ms: Option<u64>,
    /// The order of delivery of all these runs: `causal` or `free`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delivery: Option<String>,
}

impl CheckVerdict {
    /// Has the changed program shown no failure as long as nothing is held up for longer than in the recorded run?
    #[must_use]
    pub const fn is_fixed(self) -> bool {
        matches!(self, Self::Fixed | Self::FixedUnlessDelayed)
    }
}

/// A delay that brings a failure back: a run of the changed program in which it does.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Delay {
    /// Milliseconds for which something must be held up in that run.
    pub ms: u64,
    /// Milliseconds for which something must be held up in the recorded run.
    pub recorded_ms: u64,
    /// The process that is held up, or the sender of the signal that is.
    pub pid: String,
    /// What it is: its registered name, or what it runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Is it a signal, on its way?
    pub signal: bool,
    /// Where in the changed program: what the process does when it goes on, or where the signal was sent.
    pub place: String,
}

/// A failure that is not the recorded one.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Remaining {
    /// What it is.
    pub failure: String,
    /// In how many runs it occurred.
    pub runs: u64,
    /// Of so many.
    pub of: u64,
}

/// What ended a check early.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Cut {
    /// Its time was up; otherwise the budget of work.
    pub by_time: bool,
    /// What was not tried, or not as often as it would have been.
    pub untried: Vec<String>,
}

/// Random schedules under which the program does not fail in the recorded way.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Schedules {
    /// How many the changed program ran under.
    pub tried: u64,
    /// How many the recorded program ran under.
    pub recorded: u64,
    /// Under how many of these it fails.
    pub recorded_fails: u64,
}

/// Universes of the changed program: the different ways in which it can go as long as nothing is held up for longer than in the recorded run.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Universes {
    /// How many were visited.
    pub visited: u64,
    /// Are these all of them?
    pub all: bool,
    /// Why they are not, if they are not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unvisited: Option<Unvisited>,
    /// The number of one that fails in the recorded way.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failing: Option<u64>,
}

/// Why not all universes were visited.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Unvisited {
    /// There are too many of them.
    Many,
    /// Some do not end.
    Endless,
    /// The program does something whose other results are not tried.
    Gap(String),
    /// One of them fails in another way than recorded.
    FailsDifferently(String),
}

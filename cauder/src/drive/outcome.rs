//! The outcome of an execution under a log.

use log_format::{Pid, Tag};
use rustc_hash::FxHashMap;
use system::RunEnd;

/// The n-th send of a process: from 0, counted over those with and without uid.
pub type Nth = (u64, u64);

/// How to interpret what the logs leave open.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reading {
    /// Sends happen in the order of their uids.
    pub by_uids: bool,
    /// Nanoseconds by which computing may come before waiting: the speed of the traced machine is not known.
    pub patience: u64,
    /// Does a send to a process that has ended in this run have a uid, if the log goes on with one that no process received?
    pub ended_has_uid: bool,
    /// The program calls `erlang:send/2` in other ways than by name: such sends are not instrumented.
    pub plain_sends: bool,
    /// For single sends that no process received: do they have a uid?
    pub has_uid: FxHashMap<Nth, bool>,
}

/// A message of the log in the run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LogMessage {
    /// Its tag.
    pub tag: Tag,
    /// Its receiver, if it is in the log.
    pub to: Option<Pid>,
}

/// Where the program and the log differ.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Misfit {
    /// CauDEr's number of the process.
    pub pid: u64,
    /// How many entries of its log fitted.
    pub fitted: usize,
    /// The place in the program.
    pub place: Option<String>,
    /// What the program does.
    pub found: String,
}

/// How the entry ended, if by itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EntryOutcome {
    /// It returned this, as `~p` writes it.
    Returned(String),
    /// An exception that it did not catch.
    Raised(String),
}

/// The outcome of a run under the log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Driven {
    /// Did all entries of all logs fit? If not, where not.
    pub result: Result<(), Misfit>,
    /// How the system stopped, if it did by itself.
    pub end: Option<RunEnd>,
    /// How the entry ended, if it ended by itself.
    pub outcome: Option<EntryOutcome>,
    /// The messages of the log, by uid.
    pub sent: FxHashMap<u64, LogMessage>,
    /// The processes of the log: CauDEr's numbers and ours.
    pub pids: FxHashMap<u64, Pid>,
    /// Sends that no process received, and whether they were taken to have a uid.
    pub doubtful: Vec<(Nth, bool)>,
    /// Sends without a uid, to processes that had ended.
    pub lost: u64,
    /// Sends with a uid to names that no process had.
    pub nameless: u64,
    /// Messages that CauDEr does not trace and that the program itself received.
    pub untraced: u64,
    /// Messages with a uid that were received by a library or a module that was not instrumented.
    pub stray: u64,
    /// Entries that were used.
    pub used: usize,
    /// Processes of the log that have not ended, by CauDEr's numbers, ascending.
    pub alive: Vec<u64>,
    /// A process ran without end.
    pub span: bool,
}

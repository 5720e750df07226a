//! What an execution under a log came to.

use log_format::{Pid, Tag};
use rustc_hash::FxHashMap;
use system::RunEnd;

/// A send, as the n-th of a process (from 0, those with and without uid).
pub type Nth = (u64, u64);

/// How what the logs leave open is read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reading {
    /// Sends happen in the order of their uids.
    pub by_uids: bool,
    /// Nanoseconds by which computing may go before waiting: how fast the traced machine was is not known.
    pub patience: u64,
    /// Has a send to a process that has ended in this run a uid, if the log goes on with one that nobody received?
    pub ended_has_uid: bool,
    /// The program calls `erlang:send/2` by other ways than by name: such sends are not instrumented.
    pub plain_sends: bool,
    /// Of single sends that nobody received: have they a uid?
    pub has_uid: FxHashMap<Nth, bool>,
}

/// A message of the log in the run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sent {
    /// Its tag.
    pub tag: Tag,
    /// Its receiver, if it is in the log.
    pub to: Option<Pid>,
}

/// Where the program and the log part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Misfit {
    /// CauDEr's number of the process.
    pub pid: u64,
    /// How many entries of its log fitted.
    pub fitted: usize,
    /// The place of the program.
    pub place: Option<String>,
    /// What the program does.
    pub found: String,
}

/// How the entry ended by itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// It returned this, as `~p` writes it.
    Returned(String),
    /// An exception that it did not catch.
    Raised(String),
}

/// What a run under the log was.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Driven {
    /// All entries of all logs fitted, or where not.
    pub result: Result<(), Misfit>,
    /// How the system stopped, if it did by itself.
    pub end: Option<RunEnd>,
    /// How the entry ended, if it came to that by itself.
    pub outcome: Option<Outcome>,
    /// The messages of the log, by uid.
    pub sent: FxHashMap<u64, Sent>,
    /// The processes of the log: CauDEr's numbers and ours.
    pub pids: FxHashMap<u64, Pid>,
    /// Sends that nobody received, and whether they were read as having a uid.
    pub doubtful: Vec<(Nth, bool)>,
    /// Sends without a uid, to processes that had ended.
    pub lost: u64,
    /// Sends with a uid to names that nobody had.
    pub nameless: u64,
    /// Messages that CauDEr does not trace and the program itself received.
    pub untraced: u64,
    /// Messages with a uid that a library was given, or a module that was not instrumented.
    pub stray: u64,
    /// Entries that were used.
    pub used: usize,
    /// Processes of the log that have not ended, by CauDEr's numbers, ascending.
    pub alive: Vec<u64>,
    /// A process ran on and on.
    pub span: bool,
}

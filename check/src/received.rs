//! Contents under changed code, compared by digests: each message that is received in both runs, and the end of each process that ended in the
//! record.

use std::sync::Arc;

use interpreter::heap::{Fragment, Heap};
use interpreter::term::Term;
use interpreter::vm::Program;
use log_format::{ExitClass, Pid};
use rustc_hash::FxHashMap;
use system::observer::Ending;
use system::{digest, terms};

use crate::choices::SignalKey;
use crate::kin::Id;

/// The digests of a recorded run.
#[derive(Clone, Debug, Default)]
pub struct ReceivedDigests {
    /// For each received message, by receiver and message: its digest, and where it was received.
    messages: FxHashMap<(Id, SignalKey), (u32, RecordedReceive)>,
    /// For each ended process: the digest of its final state, its pid, and the reason.
    ends: FxHashMap<Id, (u32, Pid, Box<str>)>,
}

/// A receive of the recorded run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RecordedReceive {
    /// The process.
    pub pid: Pid,
    /// Which of its receives, from 1.
    pub ordinal: u64,
}

/// How the contents differ now. Pids and references are part of a message, so a program that makes other ones has other contents.
#[derive(Clone, PartialEq, Eq, Debug, Default, serde::Serialize)]
pub struct ChangedContents {
    /// Messages that are received in both runs.
    pub compared: u64,
    /// How many of these have other contents.
    pub changed: u64,
    /// The receive of the first of these now, as a target.
    pub first: Option<String>,
    /// The process that received it in the record.
    pub receiver: Option<String>,
    /// Processes that ended in both runs.
    pub ends: u64,
    /// How many of these have another reason or process dictionary.
    pub ends_changed: u64,
    /// The first of these to end now.
    pub first_end: Option<OtherEnd>,
}

/// A process that ends differently.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct OtherEnd {
    /// The recorded process.
    pub pid: String,
    /// The recorded reason.
    pub recorded: String,
    /// The reason now. If it equals the recorded one, the process dictionary differs.
    pub now: String,
}

/// Notes or compares what is received.
#[derive(Clone, Debug, Default)]
pub enum Received {
    /// The record's contents are not known.
    #[default]
    Unknown,
    /// This is the recorded run.
    Noted(ReceivedDigests),
    /// Another run, to be compared.
    Compared {
        /// The contents of the record.
        recorded: Arc<ReceivedDigests>,
        /// How many were compared.
        compared: u64,
        /// How many differed.
        changed: u64,
        /// The first that differed.
        first: Option<RecordedReceive>,
        /// How many ends were compared.
        ends: u64,
        /// How many differed.
        ends_changed: u64,
        /// The first that differed.
        first_end: Option<OtherEnd>,
    },
}

impl Received {
    /// For a run that is compared with this record.
    #[must_use]
    pub fn beside(recorded: Arc<ReceivedDigests>) -> Self {
        if recorded.messages.is_empty() && recorded.ends.is_empty() {
            return Self::Unknown;
        }
        Self::Compared {
            recorded,
            compared: 0,
            changed: 0,
            first: None,
            ends: 0,
            ends_changed: 0,
            first_end: None,
        }
    }

    /// Is the message needed?
    #[must_use]
    pub const fn wants(&self) -> bool {
        !matches!(self, Self::Unknown)
    }

    /// A process has received a message.
    pub fn message(&mut self, by: (Id, RecordedReceive), key: SignalKey, program: &Program, message: &Fragment) {
        let (id, receive) = by;
        match self {
            Self::Unknown => {}
            Self::Noted(all) => {
                let found = digest::of_message(program, message);
                all.messages.insert((id, key), (found, receive));
            }
            Self::Compared {
                recorded,
                compared,
                changed,
                first,
                ..
            } => {
                let Some((expected, receive)) = recorded.messages.get(&(id, key)) else {
                    return;
                };
                *compared += 1;
                if *expected != digest::of_message(program, message) {
                    *changed += 1;
                    first.get_or_insert(*receive);
                }
            }
        }
    }

    /// A process has ended, with this reason in words.
    pub fn ended(&mut self, id: Id, ending: &Ending<'_>, reason: &str) {
        match self {
            Self::Unknown => {}
            Self::Noted(all) => {
                all.ends.insert(id, (end_digest(ending), ending.pid, reason.into()));
            }
            Self::Compared {
                recorded,
                ends,
                ends_changed,
                first_end,
                ..
            } => {
                let Some((expected, pid, then)) = recorded.ends.get(&id) else {
                    return;
                };
                *ends += 1;
                if *expected != end_digest(ending) {
                    *ends_changed += 1;
                    first_end.get_or_insert_with(|| OtherEnd {
                        pid: pid.to_string(),
                        recorded: then.to_string(),
                        now: reason.to_owned(),
                    });
                }
            }
        }
    }
}

/// The digest of reason and process dictionary. Unlike the recorder's, it leaves out the stack trace, because its lines differ in any changed
/// program.
fn end_digest(ending: &Ending<'_>) -> u32 {
    let mut heap = Heap::new(ending.program.literals().clone());
    let term = heap.import(ending.reason);
    let failed = matches!(ending.class, Some(ExitClass::Error | ExitClass::Throw));
    let reason = match heap.tuple(term) {
        Some(&[inner, stack]) if failed || is_stack(&heap, stack) => inner,
        _ => term,
    };
    let mut bytes = terms::encode(&heap, reason);
    let machine = ending.machine;
    for (key, value) in machine.local.dictionary.iter() {
        bytes.extend(terms::encode(&machine.heap, key));
        bytes.extend(terms::encode(&machine.heap, value));
    }
    log_format::digest(&bytes)
}

/// Is it a stack trace, as in the reason of an exit signal from a linked process?
fn is_stack(heap: &Heap, term: Term) -> bool {
    let frames = heap.list(term).unwrap_or_default();
    !frames.is_empty()
        && frames
            .iter()
            .all(|frame| heap.tuple(*frame).is_some_and(|frame| frame.len() == 4))
}

//! Contents under changed code: each message that is received in the record and now, and how each process ends that ended in the record, by
//! digests.

use std::sync::Arc;

use interpreter::heap::{Fragment, Heap};
use interpreter::term::Term;
use interpreter::vm::{EndClass, Program};
use log_format::Pid;
use rustc_hash::FxHashMap;
use system::observer::Ending;
use system::{digest, terms};

use crate::choices::Key;
use crate::kin::Id;

/// Of a run that was recorded with digests those of all that is compared.
#[derive(Clone, Debug, Default)]
pub struct Recorded {
    /// Of every received message: by receiver and message. Who it was, and which of its receives, from 1.
    messages: FxHashMap<(Id, Key), (u32, Pid, u64)>,
    /// Of every state in which a process ended. Who it was, and with what it ended.
    ends: FxHashMap<Id, (u32, Pid, Box<str>)>,
}

/// What of the received messages is another one now. Pids and references are parts of a message: a program that makes others has other
/// contents.
#[derive(Clone, PartialEq, Eq, Debug, Default, serde::Serialize)]
pub struct ChangedContents {
    /// Messages that are received in the record and now.
    pub compared: u64,
    /// Of these with other contents.
    pub changed: u64,
    /// The first of these as they came now, as a target.
    pub first: Option<String>,
    /// Who received it when recorded.
    pub receiver: Option<String>,
    /// Processes that have ended in the record and now.
    pub ends: u64,
    /// Of these with another reason or process dictionary.
    pub ends_changed: u64,
    /// The first of these to end now.
    pub first_end: Option<OtherEnd>,
}

/// A process that ends otherwise.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct OtherEnd {
    /// The recorded process.
    pub pid: String,
    /// With what it ended when recorded.
    pub recorded: String,
    /// With what it ends now. The same as recorded: its dictionary is another one.
    pub now: String,
}

/// Notes or compares what is received.
#[derive(Clone, Debug, Default)]
pub enum Received {
    /// Nothing is known of the record's.
    #[default]
    Unknown,
    /// It is the record that is listened to.
    Noted(Recorded),
    /// Another run, beside the record.
    Compared {
        /// The record's.
        recorded: Arc<Recorded>,
        /// How many were compared.
        compared: u64,
        /// How many were others.
        changed: u64,
        /// The first that was another.
        first: Option<(Pid, u64)>,
        /// How many ends were compared.
        ends: u64,
        /// How many were others.
        ends_changed: u64,
        /// The first that was another.
        first_end: Option<OtherEnd>,
    },
}

impl Received {
    /// To compare with these.
    #[must_use]
    pub fn beside(recorded: Arc<Recorded>) -> Self {
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

    /// Is it worth having the message?
    #[must_use]
    pub const fn wants(&self) -> bool {
        !matches!(self, Self::Unknown)
    }

    /// A process has received a message: its `place`-th one, from 1.
    pub fn message(&mut self, by: (Id, Pid, u64), key: Key, program: &Program, message: &Fragment) {
        let (id, pid, place) = by;
        match self {
            Self::Unknown => {}
            Self::Noted(all) => {
                let found = digest::of_message(program, message);
                all.messages.insert((id, key), (found, pid, place));
            }
            Self::Compared {
                recorded,
                compared,
                changed,
                first,
                ..
            } => {
                let Some((expected, pid, place)) = recorded.messages.get(&(id, key)) else {
                    return;
                };
                *compared += 1;
                if *expected != digest::of_message(program, message) {
                    *changed += 1;
                    first.get_or_insert((*pid, *place));
                }
            }
        }
    }

    /// A process has ended, with this in words.
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

/// The digest of reason and process dictionary. Not as the recorder makes it: without the stack trace, whose lines are others in any program that
/// was changed.
fn end_digest(ending: &Ending<'_>) -> u32 {
    let mut heap = Heap::new(ending.program.literals().clone());
    let term = heap.import(ending.reason);
    let failed = matches!(ending.class, Some(EndClass::Error | EndClass::Throw));
    let reason = match heap.tuple(term) {
        Some(&[inner, stack]) if failed || is_stack(&heap, stack) => inner,
        _ => term,
    };
    let mut bytes = terms::encode(ending.program, &heap, reason);
    let machine = ending.machine;
    for (key, value) in machine.local.dictionary.iter() {
        bytes.extend(terms::encode(ending.program, &machine.heap, key));
        bytes.extend(terms::encode(ending.program, &machine.heap, value));
    }
    log_format::digest(&bytes)
}

/// Is it a stack trace, as the reason has one that came from a linked process?
fn is_stack(heap: &Heap, term: Term) -> bool {
    let frames = heap.list(term).unwrap_or_default();
    !frames.is_empty()
        && frames
            .iter()
            .all(|frame| heap.tuple(*frame).is_some_and(|frame| frame.len() == 4))
}

//! Contents under changed code: each message that is received in the record and now, by its digest.

use std::sync::Arc;

use interpreter::heap::Fragment;
use interpreter::vm::Program;
use log_format::Pid;
use rustc_hash::FxHashMap;
use system::digest;

use super::choices::Key;
use super::kin::Id;

/// Of a run that was recorded with digests the digest of every received message: by receiver and message. Who it was, and which of its
/// receives, from 1.
pub type Recorded = FxHashMap<(Id, Key), (u32, Pid, u64)>;

/// What of the received messages is another one now. Pids and references are parts of a message: a program that makes others has other
/// contents.
#[derive(Clone, PartialEq, Eq, Debug, Default, serde::Serialize)]
pub struct Contents {
    /// Messages that are received in the record and now.
    pub compared: u64,
    /// Of these with other contents.
    pub changed: u64,
    /// The first of these as they came now, as a target.
    pub first: Option<String>,
    /// Who received it when recorded.
    pub receiver: Option<String>,
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
    },
}

impl Received {
    /// To compare with these.
    #[must_use]
    pub fn beside(recorded: Arc<Recorded>) -> Self {
        if recorded.is_empty() {
            return Self::Unknown;
        }
        Self::Compared {
            recorded,
            compared: 0,
            changed: 0,
            first: None,
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
                all.insert((id, key), (digest::of_message(program, message), pid, place));
            }
            Self::Compared {
                recorded,
                compared,
                changed,
                first,
            } => {
                let Some((expected, pid, place)) = recorded.get(&(id, key)) else {
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
}

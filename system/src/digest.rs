//! Short digests of contents, which the log itself does not contain. With them, a replay under changed code notices that a message or a final
//! state differs (semantics.md §7). Recorded only on request.

use std::fmt::Write as _;

use interpreter::heap::{Fragment, Heap};
use interpreter::vm::{self, Program};

use crate::terms;

/// The digest of a message: CRC-32 of its external term format (deterministic, minor version 2). Never 0.
#[must_use]
pub fn of_message(program: &Program, message: &Fragment) -> u32 {
    let mut heap = Heap::new(program.literals().clone());
    let term = heap.import(message);
    log_format::digest(&terms::encode(&heap, term))
}

/// The digest of the state of a process that has ended or waits: the reason of its end, or else the place where it waits; and its dictionary,
/// in insertion order. Never 0.
#[must_use]
pub fn of_state(program: &Program, machine: &vm::Process, reason: Option<&Fragment>) -> u32 {
    let mut bytes = Vec::new();
    match reason {
        Some(reason) => {
            let mut heap = Heap::new(program.literals().clone());
            let term = heap.import(reason);
            bytes.extend(terms::encode(&heap, term));
        }
        None => {
            let mut place = String::new();
            // Writing to a string cannot fail.
            let _ = write!(
                place,
                "{}",
                crate::step::log::here(machine, program).unwrap_or_default()
            );
            bytes.extend_from_slice(place.as_bytes());
        }
    }
    for (key, value) in machine.local.dictionary.iter() {
        bytes.extend(terms::encode(&machine.heap, key));
        bytes.extend(terms::encode(&machine.heap, value));
    }
    log_format::digest(&bytes)
}

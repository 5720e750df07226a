//! Short digests of contents, which the log itself does not contain. With them, a replay under changed code notices that a message or a final
//! state differs (semantics.md §7). Recorded only on request.

use std::fmt::Write as _;

use interpreter::heap::{Fragment, Heap};
use interpreter::term::Term;
use interpreter::vm::{self, Program};
use log_format::{ActionId, ObjectId, Resource};

use crate::observer::Observer;
use crate::state::resources::Value;
use crate::state::tables::contents::RowPlace;
use crate::state::tables::table::Table;
use crate::system::System;
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

/// The last write of a key of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KeyWrite {
    /// The key.
    pub resource: Resource,
    /// The version of the contents that it made.
    pub version: u64,
    /// Who wrote it.
    pub by: ActionId,
}

impl<O: Observer> System<O> {
    /// What a shared thing holds now, as a number: equal for equal values. `None`: it is no value that can be compared.
    #[must_use]
    pub fn shared_value(&self, resource: Resource) -> Option<u64> {
        let of = |values: &mut dyn Iterator<Item = &Fragment>| {
            let digests = values.map(|value| u64::from(of_message(&self.program, value)));
            digests.fold(0_u64, |all, one| all.rotate_left(9).wrapping_add(one))
        };
        Some(match resource {
            Resource::TableKey { table, key } => {
                let is_it = |one: &&Table| one.resource() == Resource::Table(table);
                match self.world.tables.values().find(is_it) {
                    Some(table) => of(&mut table.contents.newest(RowPlace(key)).objects.iter()),
                    None => u64::MAX,
                }
            }
            Resource::Counter { .. } | Resource::TableContents(_) => return None,
            _ => match self.world.resources.newest(resource) {
                Value::Absent => 0,
                Value::Pid(pid) => pid.0,
                Value::Term(term) => of(&mut std::iter::once(&term)),
                Value::Number(number) => number.cast_unsigned(),
                Value::Reference(_) | Value::Table(_) | Value::Code(_) => return None,
            },
        })
    }

    /// The keys of a table that were written last in a version of its contents or before it. `each` gets the key and its last write.
    pub fn last_writes(&self, table: ObjectId, upto: u64, each: &mut dyn FnMut(&Heap, Term, KeyWrite)) {
        let is_it = |one: &&Table| one.resource() == Resource::Table(table);
        let Some(table) = self.world.tables.values().find(is_it) else {
            return;
        };
        for (key, place, version, by) in table.contents.last_writes(upto) {
            let (heap, term) = key.value();
            let resource = table.key_resource(place);
            each(heap, term, KeyWrite { resource, version, by });
        }
    }
}

//! Exceptions that a process caught, for those who explain a run.

use std::collections::VecDeque;

use super::Pc;
use super::exception::{Exception, First};
use super::process::Process;
use super::program::Program;
use crate::heap::Fragment;
use crate::native::ExceptionClass;
use crate::term::Term;

/// So many of a process are kept: the last ones.
const KEPT: usize = 64;

/// An exception that a process caught.
#[derive(Clone, Debug)]
pub struct Catch {
    /// How many the process had caught before.
    pub number: u64,
    /// Its class.
    pub class: ExceptionClass,
    /// Its reason.
    pub reason: Fragment,
    /// Where it was raised, and the activations around that, innermost first.
    pub raised: Vec<Pc>,
    /// Where it was caught.
    pub handler: Pc,
}

/// The exceptions that a process caught.
#[derive(Clone, Debug, Default)]
pub(super) struct Catches {
    number: u64,
    last: VecDeque<Catch>,
}

impl Process {
    /// The last exceptions that it caught, in order, if the program notes them ([`Program::note_catches`]).
    pub fn catches(&self) -> impl Iterator<Item = &Catch> {
        self.catches.iter().flat_map(|all| &all.last)
    }

    /// Notes an exception that is about to be raised: one that has a stack already had been caught before, and was not for this handler.
    pub(super) fn note_raise(&mut self, e: &Exception) {
        if let (First::Whole(_), Some(all)) = (&e.first, &mut self.catches) {
            all.last.pop_back_if(|last| last.class == e.class);
        }
    }

    /// Notes an exception that is caught here. `raw`: its trace.
    pub(super) fn note_catch(&mut self, (class, reason): (ExceptionClass, Term), raw: Term, handler: u32) {
        let positions = self
            .heap
            .tuple(raw)
            .and_then(|words| words.get(1..))
            .unwrap_or_default();
        let raised = positions.iter().map(|pc| Pc(pc.small_value() as u32)).collect();
        let reason = self.heap.export_own(reason);
        let all = self.catches.get_or_insert_default();
        all.last.push_back(Catch {
            number: all.number,
            class,
            reason,
            raised,
            handler: Pc(handler),
        });
        all.number += 1;
        if all.last.len() > KEPT {
            all.last.pop_front();
        }
    }
}

impl Program {
    /// From now on, processes note which exceptions they catch, or no longer do. Changes nothing that a process can see.
    pub const fn note_catches(&mut self, notes: bool) {
        self.notes_catches = notes;
    }

    /// See [`Program::note_catches`].
    pub(super) const fn notes_catches(&self) -> bool {
        self.notes_catches
    }
}

//! Exceptions that a process caught, for those who explain a run.

use std::collections::VecDeque;

use super::program::Pc;
use crate::heap::Fragment;
use crate::native::ExceptionClass;

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

impl Catches {
    /// The last of them, in order.
    pub(super) fn last(&self) -> impl Iterator<Item = &Catch> {
        self.last.iter()
    }

    /// Takes the last one back if it is of this class.
    pub(super) fn take_back(&mut self, class: ExceptionClass) {
        self.last.pop_back_if(|last| last.class == class);
    }

    /// Notes one.
    pub(super) fn note(&mut self, (class, reason): (ExceptionClass, Fragment), raised: Vec<Pc>, handler: Pc) {
        self.last.push_back(Catch {
            number: self.number,
            class,
            reason,
            raised,
            handler,
        });
        self.number += 1;
        if self.last.len() > KEPT {
            self.last.pop_front();
        }
    }
}

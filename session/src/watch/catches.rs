//! Exceptions that processes caught, as a replay saw them.

use interpreter::native::ExceptionClass;
use interpreter::vm;

use super::places::place;
use crate::value::Value;
use crate::view::SourcePlace;

/// An exception that a process caught.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CaughtException {
    /// How many the process had caught before.
    pub number: u64,
    /// The word for its class.
    pub class: &'static str,
    /// Its reason.
    pub reason: Value,
    /// The places where it was raised, innermost first.
    pub raised: Vec<SourcePlace>,
    /// Where it was caught.
    pub caught: SourcePlace,
}

/// The exceptions that a process has caught from this number on, if they were noted.
#[must_use]
pub fn catches(machine: &vm::Process, program: &vm::Program, from: u64) -> Vec<CaughtException> {
    let located = |pc: vm::Pc| Some(place(program.location(pc)?, program.terms()));
    let new = machine.catches().filter(|one| one.number >= from);
    let seen = new.filter_map(|one| {
        Some(CaughtException {
            number: one.number,
            class: match one.class {
                ExceptionClass::Error => "error",
                ExceptionClass::Exit => "exit",
                ExceptionClass::Throw => "throw",
            },
            reason: Value::of_fragment(&one.reason, program),
            raised: one.raised.iter().filter_map(|pc| located(*pc)).collect(),
            caught: located(one.handler)?,
        })
    });
    seen.collect()
}

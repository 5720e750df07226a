//! Programs of the outside that run beside the program: what `open_port/2` starts (`retell_port`). What they write and how they end are inputs.

use interpreter::atom::Atom;
use interpreter::heap::Heap;
use interpreter::native::NativeClass;
use interpreter::term::{Pid, Port, Term};
use log_format::InputClass;

use crate::error::Posix;
use crate::ops::{ERROR, OK, OpResult, Operation, badarg};
use crate::outside::ProgramBeside;
use crate::state::mode::Decides;
use crate::step::Step;

pub(super) const OPERATIONS: &[Operation] = &[
    Operation::new("erlang", "$port_open", 1, NativeClass::Input, open),
    Operation::new("erlang", "$port_next", 1, NativeClass::Input, next),
    Operation::new("erlang", "$port_write", 2, NativeClass::Input, write),
    Operation::new("erlang", "$port_close", 1, NativeClass::Input, close),
];

/// The number of the port of the process with number 0; `retell_port` has the same. Sockets have lower ones.
const FIRST: u64 = 1_000_000;

/// The process that stands for a port.
pub(crate) fn process_of(port: Term) -> Option<Pid> {
    let Port(named) = port.as_port()?;
    Some(Pid::new(named.node(), named.number().checked_sub(FIRST)?))
}

/// `'$port_open'([Word, …])`: `{ok, Number, OsPid}` or `{error, Posix}`.
fn open(step: &mut Step<'_>) -> OpResult {
    let [words] = step.args();
    let wanted = wanted(&step.process.machine.heap, words).ok_or_else(badarg)?;
    // It may be a compiler.
    step.world.may_have_objects = true;
    step.input(InputClass::Command, |world, heap| match world.outside.open(&wanted) {
        Ok((number, process)) => heap.make_tuple(&[OK, Term::small(number as i64), small(process)]),
        Err(Posix(name)) => heap.make_tuple(&[ERROR, Term::atom(Atom::new(name))]),
    })
}

fn small(number: u32) -> Term {
    Term::small(i64::from(number))
}

/// What is to be started: words with their values behind them.
fn wanted(heap: &Heap, words: Term) -> Option<ProgramBeside> {
    let words: Option<Vec<Vec<u8>>> = heap
        .list(words)?
        .into_iter()
        .map(|word| Some(heap.bytes(word)?.into_owned()))
        .collect();
    let mut words = words?.into_iter();
    let mut wanted = ProgramBeside::default();
    while let Some(word) = words.next() {
        match word.as_slice() {
            b"shell" => (wanted.is_shell, wanted.program) = (true, words.next()?),
            b"program" => wanted.program = words.next()?,
            b"argument" => wanted.arguments.push(words.next()?),
            b"name" => wanted.name = Some(words.next()?),
            b"folder" => wanted.folder = Some(words.next()?),
            b"set" => wanted.variables.push((words.next()?, Some(words.next()?))),
            b"unset" => wanted.variables.push((words.next()?, None)),
            b"read" => wanted.is_read = true,
            b"written" => wanted.is_written = true,
            b"errors" => wanted.with_errors = true,
            _ => return None,
        }
    }
    let parts = wanted.arguments.iter().chain([&wanted.program]);
    let has_end = parts.into_iter().any(|part| part.contains(&0));
    (!has_end).then_some(wanted)
}

fn number(term: Term) -> Option<u64> {
    u64::try_from(term.as_small()?).ok()
}

/// `'$port_next'(Number)`: `{data, Bytes}`, `eof`, `{exit_status, N}`, `epipe`, or `closed`. The process waits until one of them has come.
fn next(step: &mut Step<'_>) -> OpResult {
    let [of] = step.args();
    let of = number(of).ok_or_else(badarg)?;
    step.lives_while_waiting()?;
    let event = match step.process.mode.decides() {
        Decides::Record | Decides::Beyond { .. } => step.event_of(of)?,
        // It gets the recorded one.
        Decides::Follow(_) | Decides::Driven => Vec::new(),
    };
    step.input(InputClass::Command, |_, heap| event_term(heap, &event))
}

fn event_term(heap: &mut Heap, event: &[u8]) -> Term {
    let word = |name: &str| Term::atom(Atom::new(name));
    match event {
        [ProgramBeside::DATA, bytes @ ..] => {
            let bytes = heap.make_binary(bytes);
            heap.make_tuple(&[word("data"), bytes])
        }
        [ProgramBeside::END, ..] => word("eof"),
        [ProgramBeside::STATUS, a, b, c, d] => {
            let status = u32::from_be_bytes([*a, *b, *c, *d]);
            heap.make_tuple(&[word("exit_status"), small(status)])
        }
        [ProgramBeside::NOT_WRITTEN, ..] => word("epipe"),
        _ => word("closed"),
    }
}

/// `'$port_write'(Number, Bytes)`.
fn write(step: &mut Step<'_>) -> OpResult {
    let [to, bytes] = step.args();
    let to = number(to).ok_or_else(badarg)?;
    let bytes = step.process.machine.heap.bytes(bytes).ok_or_else(badarg)?.into_owned();
    step.input(InputClass::Command, |world, _| {
        world.outside.give(to, &bytes);
        OK
    })
}

/// `'$port_close'(Number)`.
fn close(step: &mut Step<'_>) -> OpResult {
    let [of] = step.args();
    let of = number(of).ok_or_else(badarg)?;
    step.input(InputClass::Command, |world, _| {
        world.outside.close(of);
        OK
    })
}

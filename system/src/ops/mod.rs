//! The operations of the system layer, by topic. Each topic has a table; a new operation is a row of a table, and its function.
//!
//! An operation has four phases. It *expects* something of its log (`Step::expect`), *performs* it in the world, with values that it decides or
//! that the log contains (`Step::read`, `write`, `input`, `observe`), *commits* the action (`Step::commit`), and *delivers* the signals that
//! the action sends (`Step::deliver`).

pub(crate) mod alias;
mod amb;
mod app_env;
pub(crate) mod clock;
pub(crate) mod code;
pub(crate) mod control;
mod convert;
mod counter;
mod crash;
mod demonitor;
mod device;
pub(crate) mod env;
pub(crate) mod ets;
mod halt;
pub(crate) mod info;
mod io;
mod leader;
mod link;
mod modules;
pub(crate) mod monitor;
mod name;
pub(crate) mod nodes;
mod os;
pub(crate) mod persistent;
pub(crate) mod ports;
mod send;
mod spawn;
mod standing;
pub(crate) mod statistics;
mod system_info;
pub(crate) mod test;
mod timer;
mod trace;

use interpreter::atom::Atom;
use interpreter::heap::Heap;
use interpreter::native::{Native, NativeClass, RETIRED, Raise};
use interpreter::term::{Reference, Term};
use syntax::Release;

use crate::state::process::Process;
use crate::step::{Interrupt, Step};
pub(crate) use crate::terms::text;

/// The result of an operation: its value in the caller's heap.
pub(crate) type OpResult = Result<Term, Interrupt>;

/// A native that the system layer carries out.
#[derive(Clone, Copy)]
pub(crate) struct Operation {
    module: &'static str,
    name: &'static str,
    arity: u8,
    class: NativeClass,
    version: u16,
    /// Performs the operation.
    pub run: fn(&mut Step<'_>) -> OpResult,
    /// See [`Operation::often_silent`].
    pub is_often_silent: bool,
    /// See [`Operation::asks_module`].
    pub asks_module: bool,
}

impl Operation {
    /// A native with its first meaning.
    const fn new(
        module: &'static str,
        name: &'static str,
        arity: u8,
        class: NativeClass,
        run: fn(&mut Step<'_>) -> OpResult,
    ) -> Self {
        Self {
            module,
            name,
            arity,
            class,
            version: 1,
            run,
            is_often_silent: false,
            asks_module: false,
        }
    }

    /// Its meaning has changed since its first version.
    #[expect(dead_code, reason = "nothing is released: every native has its first meaning")]
    const fn version(mut self, version: u16) -> Self {
        self.version = version;
        self
    }

    /// No longer there, except for programs of older traces.
    const fn retired(mut self) -> Self {
        self.version = RETIRED;
        self
    }

    /// It often logs nothing, and it checks the log before it changes anything. So a process at the end of its log may try it.
    const fn often_silent(mut self) -> Self {
        self.is_often_silent = true;
        self
    }

    /// It asks about the module that its first argument names. If that was touched at run time, the first sight of a version is an action.
    const fn asks_module(mut self) -> Self {
        self.asks_module = true;
        self
    }

    const fn native(&self, number: u16) -> Native {
        Native {
            version: self.version,
            ..Native::system(self.module, self.name, self.arity, self.class, number)
        }
    }
}

/// All tables. Traces identify natives by their index in these tables, so another order makes other traces.
const TABLES: &[&[Operation]] = &[
    send::OPERATIONS,
    spawn::OPERATIONS,
    convert::OPERATIONS,
    spawn::ABANDON,
    link::OPERATIONS,
    monitor::OPERATIONS,
    demonitor::OPERATIONS,
    alias::OPERATIONS,
    control::OPERATIONS,
    name::OPERATIONS,
    info::OPERATIONS,
    leader::OPERATIONS,
    halt::OPERATIONS,
    timer::OPERATIONS,
    clock::OPERATIONS,
    statistics::OPERATIONS,
    io::OPERATIONS,
    env::OPERATIONS,
    os::OPERATIONS,
    nodes::OPERATIONS,
    crash::OPERATIONS,
    control::AWAIT,
    nodes::NEWS,
    persistent::OPERATIONS,
    app_env::OPERATIONS,
    counter::OPERATIONS,
    ets::OPERATIONS,
    code::OPERATIONS,
    test::OPERATIONS,
    modules::OPERATIONS,
    trace::OPERATIONS,
    standing::OPERATIONS,
    amb::OPERATIONS,
    ports::OPERATIONS,
];

const COUNT: usize = {
    let (mut count, mut table) = (0, 0);
    while table < TABLES.len() {
        count += TABLES[table].len();
        table += 1;
    }
    count
};

/// The rows of all tables, by the number in a native's label.
const OPERATIONS: [Operation; COUNT] = {
    let mut all = [TABLES[0][0]; COUNT];
    let (mut count, mut table) = (0, 0);
    while table < TABLES.len() {
        let mut row = 0;
        while row < TABLES[table].len() {
            all[count] = TABLES[table][row];
            count += 1;
            row += 1;
        }
        table += 1;
    }
    all
};

/// The natives that the interpreter passes to the system, in the order of their numbers.
pub(crate) const NATIVES: [Native; COUNT] = {
    let mut all = [OPERATIONS[0].native(0); COUNT];
    let mut number = 0;
    while number < COUNT {
        all[number] = OPERATIONS[number].native(number as u16);
        number += 1;
    }
    all
};

/// The operation of a number.
#[inline]
pub(crate) fn by_number(number: u16) -> &'static Operation {
    static ALL: [Operation; COUNT] = OPERATIONS;
    &ALL[usize::from(number)]
}

/// Is it the number of `!` or of `send/2`? They are the first rows of the first table.
#[inline]
pub(crate) const fn is_plain_send(number: u16) -> bool {
    number < 2
}

impl Step<'_> {
    /// The release of OTP of the program.
    pub(crate) fn release(&self) -> Release {
        self.world.program.release()
    }

    /// The arguments of the native at which the process stopped; missing ones are [`Term::NONE`].
    pub(crate) fn args<const N: usize>(&self) -> [Term; N] {
        args(self.process)
    }
}

/// See [`Step::args`].
pub(crate) fn args<const N: usize>(p: &Process) -> [Term; N] {
    let given = p.machine.args();
    std::array::from_fn(|i| given.get(i).copied().unwrap_or(Term::NONE))
}

pub(crate) const ERROR: Term = Term::atom(Atom::ERROR);
pub(crate) const FALSE: Term = Term::atom(Atom::FALSE);
pub(crate) const OK: Term = Term::atom(Atom::OK);
pub(crate) const TRUE: Term = Term::atom(Atom::TRUE);
pub(crate) const UNDEFINED: Term = Term::atom(Atom::UNDEFINED);

pub(crate) fn badarg() -> Interrupt {
    Interrupt::Raise(Raise::badarg())
}

/// `badarg` with a cause for `erl_stdlib_errors`.
pub(crate) fn badarg_because(cause: &str) -> Interrupt {
    Interrupt::Raise(Raise::badarg_because(cause))
}

/// `badarg` of an option.
pub(crate) fn badopt() -> Interrupt {
    badarg_because("badopt")
}

/// A fresh reference of a process.
pub(crate) fn new_reference(p: &mut Process) -> Reference {
    p.machine.local.references += 1;
    Reference {
        owner: p.pid,
        number: p.machine.local.references,
    }
}

/// A flat list of characters.
pub(crate) fn chars(heap: &Heap, t: Term) -> Option<String> {
    heap.list(t)?;
    text(heap, t)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn natives_are_distinct_and_their_numbers_name_their_operations() {
        let mut seen = std::collections::HashSet::new();
        for (number, native) in NATIVES.iter().enumerate() {
            let name = (native.module, native.name, native.arity);
            assert!(seen.insert(name), "{name:?}");
            let operation = by_number(number as u16);
            assert_eq!((operation.module, operation.name, operation.arity), name);
            let is_plain = matches!(name, ("erlang", "!" | "send", 2));
            assert_eq!(is_plain_send(number as u16), is_plain, "{name:?}");
        }
    }
}

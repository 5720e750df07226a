//! What the operations of all topics have in common: a row of a table, what an operation returns, and terms and errors that many need.

use interpreter::atom::Atom;
use interpreter::heap::Heap;
use interpreter::native::{Native, NativeClass, RETIRED, Raise};
use interpreter::term::{Reference, Term};
use syntax::Release;

use crate::state::process::Process;
use crate::step::{Interrupt, Step};
use crate::terms::text;

/// The result of an operation: its value in the caller's heap.
pub(crate) type OpResult = Result<Term, Interrupt>;

/// A native that the system layer carries out.
#[derive(Clone, Copy)]
pub(crate) struct Operation {
    pub(super) module: &'static str,
    pub(super) name: &'static str,
    pub(super) arity: u8,
    pub(super) class: NativeClass,
    pub(super) version: u16,
    /// Performs the operation.
    pub run: fn(&mut Step<'_>) -> OpResult,
    /// See [`Operation::often_silent`].
    pub is_often_silent: bool,
    /// See [`Operation::asks_module`].
    pub asks_module: bool,
}

impl Operation {
    /// A native with its first meaning.
    pub(super) const fn new(
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
    pub(super) const fn version(mut self, version: u16) -> Self {
        self.version = version;
        self
    }

    /// No longer there, except for programs of older traces.
    pub(super) const fn retired(mut self) -> Self {
        self.version = RETIRED;
        self
    }

    /// It often logs nothing, and it checks the log before it changes anything. So a process at the end of its log may try it.
    pub(super) const fn often_silent(mut self) -> Self {
        self.is_often_silent = true;
        self
    }

    /// It asks about the module that its first argument names. If that was touched at run time, the first sight of a version is an action.
    pub(super) const fn asks_module(mut self) -> Self {
        self.asks_module = true;
        self
    }

    pub(super) const fn native(&self, number: u16) -> Native {
        Native {
            version: self.version,
            ..Native::system(self.module, self.name, self.arity, self.class, number)
        }
    }
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

//! Conversions whose result depends on the existing atoms; and what the tool does not support.

use interpreter::atom::Atom;
use interpreter::heap::Heap;
use interpreter::native::{NativeClass, Raise};
use interpreter::natives::convert::Undecoded;
use interpreter::term::Term;

use crate::ops::{OpResult, Operation, TRUE, badarg, text};
use crate::settings::DEVICE;
use crate::step::{Interrupt, Step};
use crate::world::World;

pub(super) const OPERATIONS: &[Operation] = &[
    Operation::new(
        "erlang",
        "list_to_existing_atom",
        1,
        NativeClass::Observe,
        list_to_existing_atom,
    ),
    Operation::new(
        "erlang",
        "binary_to_existing_atom",
        1,
        NativeClass::Observe,
        binary_to_existing_atom,
    ),
    Operation::new(
        "erlang",
        "binary_to_existing_atom",
        2,
        NativeClass::Observe,
        binary_to_existing_atom,
    ),
    Operation::new("erlang", "binary_to_term", 1, NativeClass::Pure, |step| {
        let [binary] = step.args();
        Ok(decode(step, binary, false)?.0)
    }),
    Operation::new("erlang", "binary_to_term", 2, NativeClass::Observe, binary_to_term),
    Operation::new("erlang", "$unsupported", 2, NativeClass::Pure, unsupported),
];

/// Accepts only a list.
fn list_to_existing_atom(step: &mut Step<'_>) -> OpResult {
    existing_atom(step, true)
}

/// Accepts only a binary.
fn binary_to_existing_atom(step: &mut Step<'_>) -> OpResult {
    existing_atom(step, false)
}

/// Whether an atom exists depends on all processes, and the tool's own atoms exist too: the result is logged.
fn existing_atom(step: &mut Step<'_>, is_list: bool) -> OpResult {
    let args = step.process.machine.args().to_vec();
    if step.process.machine.heap.bytes(args[0]).is_some() == is_list {
        return Err(badarg());
    }
    let make = |sys: &World, heap: &mut Heap, create| {
        let mut cx = interpreter::native::Context {
            heap,
            local: &mut sys.scratch_local(),
            code: &*sys.program,
        };
        interpreter::natives::convert::atom_of_text(&mut cx, &args, create)
    };
    let exists = step.observe(None, |sys, heap| Term::boolean(make(sys, heap, false).is_ok()))?;
    if exists != TRUE {
        return Err(badarg());
    }
    make(step.world, &mut step.process.machine.heap, true).map_err(Interrupt::Raise)
}

/// `binary_to_term/2`. With `safe`, whether all atoms of the term exist is observed; if one does not, it is an error.
fn binary_to_term(step: &mut Step<'_>) -> OpResult {
    let [binary, options] = step.args();
    let (safe, used) = interpreter::natives::convert::decoding_options(&step.process.machine.heap, options)?;
    if safe {
        let exists = step.process.mode.log().is_none() && decode(step, binary, true).is_ok();
        if step.observe(None, |_, _| Term::boolean(exists))? != TRUE {
            return Err(badarg());
        }
    }
    let (term, bytes) = decode(step, binary, false)?;
    if !used {
        return Ok(term);
    }
    let heap = &mut step.process.machine.heap;
    Ok(heap.make_tuple(&[term, Term::small(bytes as i64)]))
}

/// The term in a binary. Modules of funs in it are loaded, so the term does not depend on earlier calls.
fn decode(step: &mut Step<'_>, binary: Term, safe: bool) -> Result<(Term, usize), Interrupt> {
    loop {
        let mut cx = interpreter::native::Context {
            heap: &mut step.process.machine.heap,
            local: &mut step.process.machine.local,
            code: &*step.world.program,
        };
        match interpreter::natives::convert::decode(&mut cx, binary, safe) {
            Ok(found) => return Ok(found),
            Err(Undecoded::Raise(raise)) => return Err(Interrupt::Raise(raise)),
            Err(Undecoded::Unloaded(module)) if step.world.load(module) => {}
            Err(Undecoded::Unloaded(_)) => return Err(badarg()),
        }
    }
}

/// `'$unsupported'(What, {M, F, Args})`: raises `undef` for what the tool does not support, and prints one line that says so (semantics.md §11).
fn unsupported(step: &mut Step<'_>) -> OpResult {
    let [what, _] = step.args();
    let what = text(&step.process.machine.heap, what).ok_or_else(badarg)?;
    step.refuse(&what)
}

impl World {
    /// For natives that need only the heap of a process.
    pub(crate) fn scratch_local(&self) -> interpreter::native::Local {
        interpreter::native::Local {
            pid: DEVICE,
            node: self.node_name(0),
            nodes: self.nodes.clone(),
            references: 0,
            dictionary: interpreter::dictionary::Dictionary::default(),
            charge: 0,
        }
    }
}

impl Step<'_> {
    /// As `'$unsupported'`, for what a native detects itself.
    pub(crate) fn refuse(&mut self, what: &str) -> OpResult {
        if self.process.mode.log().is_none() {
            self.world.outside.flush();
            self.world.outside.note(&format!("tracer: not supported: {what}\n"));
        }
        Err(Interrupt::Raise(Raise::error(Term::atom(Atom::UNDEF))))
    }
}

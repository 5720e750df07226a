//! Processes of the runtime, to those who call them: they run nothing, so they answer nothing.

use interpreter::atom::Atom;
use interpreter::native::NativeClass;
use interpreter::term::Term;

use crate::ops::{FALSE, OpResult, Operation};
use crate::step::Step;

pub(super) const OPERATIONS: &[Operation] = &[Operation::new(
    "erlang",
    "$runtime_name",
    1,
    NativeClass::Pure,
    runtime_name,
)];

/// `'$runtime_name'(Process)`: the name that a process of the runtime had when the run began; `false` for any other, and for what is no pid.
fn runtime_name(step: &mut Step<'_>) -> OpResult {
    let [process] = step.args();
    let name = process.as_pid().and_then(crate::runtime::name_of);
    Ok(name.map_or(FALSE, |name| Term::atom(Atom::new(name))))
}

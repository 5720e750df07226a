//! Existing modules.

use std::sync::Arc;

use interpreter::atom::Atom;
use interpreter::native::Class;
use interpreter::term::Term;

use crate::ops::{Answer, ERROR, FALSE, Operation, badarg};
use crate::step::Step;
use crate::world::World;

pub(super) const OPERATIONS: &[Operation] = &[
    Operation::new("erlang", "module_loaded", 1, Class::Pure, module_loaded),
    Operation::new("code", "ensure_loaded", 1, Class::Pure, ensure_loaded),
    Operation::new("code", "is_loaded", 1, Class::Pure, is_loaded),
];

fn module_loaded(step: &mut Step<'_>) -> Answer {
    let [module] = step.args();
    let module = module.as_atom().ok_or_else(badarg)?;
    Ok(Term::boolean(step.world.loads(module)))
}

fn ensure_loaded(step: &mut Step<'_>) -> Answer {
    let [name] = step.args();
    let module = name.as_atom().ok_or_else(badarg)?;
    let answer = match step.world.loads(module) {
        true => [Term::atom(Atom::new("module")), name],
        false => [ERROR, Term::atom(Atom::new("nofile"))],
    };
    Ok(step.process.machine.heap.make_tuple(&answer))
}

fn is_loaded(step: &mut Step<'_>) -> Answer {
    let [module] = step.args();
    let module = module.as_atom().ok_or_else(badarg)?;
    if !step.world.is_known(module) {
        return Ok(FALSE);
    }
    let heap = &mut step.process.machine.heap;
    let file = heap.make_string(&format!("{module}.beam"));
    Ok(heap.make_tuple(&[Term::atom(Atom::new("file")), file]))
}

impl World {
    /// Does this module exist, or can it be loaded?
    fn loads(&mut self, module: Atom) -> bool {
        self.is_known(module) || matches!(self.loader.load(module, Arc::make_mut(&mut self.program)), Ok(true))
    }

    /// Every module of the program and of the library counts as loaded, as in OTP's embedded mode, so the result does not depend on earlier calls.
    pub(crate) fn is_known(&self, module: Atom) -> bool {
        self.program.is_loaded(module)
            || interpreter::library::source(module.as_str()).is_some()
            || self.program.has_natives(module.as_str())
    }
}

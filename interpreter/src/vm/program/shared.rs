//! A compiled module for several programs: a check, a hunt and many tests load the same library modules again and again.

use std::cell::RefCell;

use super::*;

/// What the compiler made of a module. It can be loaded into every program that answers the compiler's questions in the same way.
pub struct CompiledModule {
    unit: Unit,
    keeps_variables: bool,
    /// The questions about natives, with the answers.
    asked: FxHashMap<Mfa, Option<u16>>,
}

/// Notes what the compiler asks a program.
struct NotedQuestions<'a> {
    program: &'a Program,
    asked: RefCell<FxHashMap<Mfa, Option<u16>>>,
}

impl Natives for NotedQuestions<'_> {
    fn pure(&self, module: Atom, function: Atom, arity: u8) -> Option<u16> {
        let answer = self.program.pure(module, function, arity);
        self.asked.borrow_mut().insert((module, function, arity), answer);
        answer
    }
    fn keeps_variables(&self) -> bool {
        self.program.keeps_variables
    }
    fn counts_lines(&self, _: Atom, _: &str) -> bool {
        false
    }
}

impl Program {
    /// Compiles a module for this program and others, without loading it.
    ///
    /// # Errors
    /// All errors of the compiler.
    pub fn compile_to_share(&self, module: &ast::Module) -> Result<CompiledModule, Vec<Diagnostic>> {
        let asking = NotedQuestions {
            program: self,
            asked: RefCell::default(),
        };
        let unit = compile::compile(module, &asking)?;
        self.verified(&unit)?;
        let asked = asking.asked.into_inner();
        Ok(CompiledModule {
            unit,
            keeps_variables: self.keeps_variables,
            asked,
        })
    }

    /// Loads a compiled module. False if it was compiled for a program that differs from this one; then nothing was loaded.
    pub fn load_compiled(&mut self, compiled: &CompiledModule) -> bool {
        // To ask also marks natives as used, as compiling does.
        let fits = compiled.keeps_variables == self.keeps_variables
            && self.has_room_for(&compiled.unit, 0)
            && compiled
                .asked
                .iter()
                .all(|(&(module, function, arity), &answer)| self.pure(module, function, arity) == answer);
        if fits {
            self.link(&compiled.unit);
        }
        fits
    }
}

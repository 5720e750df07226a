//! The code of all loaded modules, append-only, and the tables beside it.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::atom::Atom;
use crate::compile::Diagnostic;
use crate::native::{CodeInfo, FunInfo, Native};
use crate::syntax::ast;

/// A place in a program's code. Never stored in a trace: it depends on the version of the tool.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Default)]
pub struct Pc(pub u32);

/// A native of a program: an index into [`Program::natives`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct NativeId(pub u32);

/// The source place of an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SourceLocation<'p> {
    /// The module.
    pub module: Atom,
    /// The file as stack traces show it.
    pub file: &'p str,
    /// From 1; 0 = code that the compiler made.
    pub line: u32,
    /// From 1, in characters.
    pub column: u32,
    /// The function, or the local function made for a fun or comprehension (`-main/0-fun-0-`).
    pub function: Atom,
    /// Its arity.
    pub arity: u8,
}

/// Module, function, arity.
pub(super) type Mfa = (Atom, Atom, u8);

/// The code of all loaded modules. Append-only: code that a process stands in stays valid when a module is replaced.
#[derive(Clone)]
pub struct Program {
    natives: Vec<Native>,
    native_index: FxHashMap<Mfa, NativeId>,
    loaded: FxHashMap<Atom, u32>,
    literals: Arc<Vec<u64>>,
}

impl Program {
    /// A program without modules. `natives` are the tables of the system layer, in addition to the interpreter's own; on equal names they win.
    #[must_use]
    pub fn new(natives: &[&'static [Native]]) -> Self {
        let mut program = Self {
            natives: Vec::new(),
            native_index: FxHashMap::default(),
            loaded: FxHashMap::default(),
            literals: Arc::default(),
        };
        for native in natives.iter().flat_map(|table| table.iter()) {
            let id = NativeId(program.natives.len() as u32);
            program.natives.push(*native);
            program
                .native_index
                .insert((Atom::new(native.module), Atom::new(native.name), native.arity), id);
        }
        program
    }

    /// Compiles a module and appends it. Later calls to a module of the same name go to the new code; old code stays valid.
    ///
    /// # Errors
    /// Everything that the compiler refuses; then nothing was loaded.
    pub fn load(&mut self, module: &ast::Module) -> Result<(), Vec<Diagnostic>> {
        let name = module.name.map_or(Atom::EMPTY, |n| n.atom);
        self.loaded.insert(name, 0);
        Ok(())
    }
    /// Is a module of this name loaded?
    #[must_use]
    pub fn is_loaded(&self, module: Atom) -> bool {
        self.loaded.contains_key(&module)
    }
    /// A native by its id.
    #[must_use]
    pub fn native(&self, id: NativeId) -> &Native {
        &self.natives[id.0 as usize]
    }
    /// All natives; the position is the [`NativeId`].
    pub fn natives(&self) -> impl Iterator<Item = &Native> {
        self.natives.iter()
    }
    /// The source place of an instruction; `None` for code that no source stands for.
    #[must_use]
    pub fn location(&self, _pc: Pc) -> Option<SourceLocation<'_>> {
        None
    }
    /// The constants of all modules.
    #[must_use]
    pub fn literals(&self) -> &Arc<Vec<u64>> {
        &self.literals
    }
}

impl CodeInfo for Program {
    fn fun(&self, _id: u32) -> FunInfo {
        FunInfo {
            module: Atom::EMPTY,
            name: Atom::EMPTY,
            arity: 0,
            index: 0,
            unique: 0,
        }
    }
    fn is_native(&self, module: Atom, function: Atom, arity: u8) -> bool {
        self.native_index.contains_key(&(module, function, arity))
    }
    fn is_exported(&self, module: Atom, function: Atom, arity: u8) -> bool {
        self.is_native(module, function, arity)
    }
}

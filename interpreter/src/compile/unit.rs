//! The result of compiling a module: code with module-local indices, and the tables for it.

use crate::atom::Atom;
use crate::heap::Heap;
use crate::ops::exact_equal_across;
use crate::term::Term;
use crate::vm::instr::{Arities, Instr, Reg};
use syntax::ast::Loc;

/// A compiled module. Indices in its code are local; `Program::load` makes them global.
pub struct Unit {
    /// Its name.
    pub module: Atom,
    /// File names that locations refer to.
    pub files: Vec<Box<str>>,
    /// Functions, local ones for funs and comprehensions included.
    pub functions: Vec<FunctionCode>,
    /// Name, arity, index into `functions`.
    pub exports: Vec<(Atom, u8, u32)>,
    /// External functions that the code calls.
    pub imports: Vec<(Atom, Atom, u8)>,
    /// Constants: terms of `heap`.
    pub constants: Vec<Term>,
    /// Holds the constants. invariant: no shared binaries.
    pub heap: Heap,
    /// Positions that make funs.
    pub funs: Vec<FunDef>,
    /// Multi-way branches.
    pub switches: Vec<Switch>,
    /// Arity and first element of tagged tuples.
    pub tags: Vec<(u16, Atom)>,
    /// Attributes as constants: name and value (for `module_info`).
    pub attributes: Vec<(Atom, Term)>,
    /// The fields of the struct that a module of Elixir defines.
    pub struct_fields: Option<Vec<Atom>>,
    /// A hash of the module's tokens.
    pub fingerprint: u64,
    /// Expressions whose executions are counted, by number: their lines.
    pub marks: Vec<u32>,
}

/// One function.
#[derive(Debug, Default, Clone)]
pub struct FunctionCode {
    /// Name; local functions are named as OTP names them.
    pub name: Option<Atom>,
    /// Arguments, captured variables included.
    pub arity: u16,
    /// Where it is defined.
    pub loc: Loc,
    /// Starts with its `Enter`.
    pub code: Vec<Instr>,
    /// Regions with handlers, inner before outer. Positions are in `code`.
    pub handlers: Vec<Handler>,
    /// The source place of the code from this position on. Sorted.
    pub places: Vec<(u32, Loc)>,
    /// Where variables are.
    pub variables: Vec<Variable>,
    /// Single instructions out of line, sorted: position, and the position whose variables are in scope there.
    pub stubs: Vec<(u32, u32)>,
    /// Calls whose frames are not shown in stack traces: from position, up to position.
    pub hidden: Vec<(u32, u32)>,
    /// A fun that OTP merges into the function around it, or whose failing clauses it moves to another function.
    pub merged: Option<Merged>,
    /// Live sets too large for a `Live` word.
    pub live_sets: Vec<Box<[u64]>>,
}

/// How stack traces show a fun that is called where it is written, or that captures variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Merged {
    /// The name of the function around it, or its own.
    pub name: Atom,
    /// The arity of that function.
    pub arity: u16,
    /// If no clause of the fun matches, the trace begins with an entry of this name, with the arguments alone.
    pub clauses: Atom,
    /// The number of these arguments.
    pub params: u16,
}

/// A protected region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Handler {
    /// First position.
    pub start: u32,
    /// Behind the last position.
    pub end: u32,
    /// The position of the handler.
    pub target: u32,
    /// Register for the class, followed by those for reason and raw trace; 0: a guard, nothing is kept.
    pub base: Reg,
}

/// A variable's register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: Atom,
    /// Its register; 0: bound, but the value is gone.
    pub reg: Reg,
    /// Bound from this position on.
    pub start: u32,
    /// In scope until this position.
    pub end: u32,
}

/// A position that makes funs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FunDef {
    /// The function with its code.
    pub function: u32,
    /// Arity of the fun.
    pub arity: u8,
    /// Captured variables.
    pub captured: u16,
}

/// A multi-way branch by word value.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Switch {
    /// Function that it belongs to.
    pub function: u32,
    /// Sorted keys with positions in that function.
    pub cases: Vec<(u64, u32)>,
    /// Anything else.
    pub default: u32,
}

impl Unit {
    /// Does the code do the same, wherever it stands in its source? Names of variables, and what the compiler needs no code for, may differ.
    #[must_use]
    pub fn has_same_code(&self, other: &Self) -> bool {
        let all_same = |mine: &[Term], theirs: &[Term]| {
            let same = |(a, b): (&Term, &Term)| exact_equal_across(&self.heap, *a, &other.heap, *b);
            mine.len() == theirs.len() && mine.iter().zip(theirs).all(same)
        };
        self.module == other.module
            && self.exports == other.exports
            && self.imports == other.imports
            && self.funs == other.funs
            && self.switches == other.switches
            && self.tags == other.tags
            && all_same(&self.constants, &other.constants)
            && self.functions.len() == other.functions.len()
            && (self.functions.iter().zip(&other.functions)).all(|(mine, theirs)| mine.has_same_code(theirs))
    }
}

impl FunctionCode {
    fn has_same_code(&self, other: &Self) -> bool {
        self.name == other.name
            && self.arity == other.arity
            && self.code == other.code
            && self.handlers == other.handlers
            && self.live_sets == other.live_sets
    }
}

impl Arities for Unit {
    fn function(&self, target: u32) -> u16 {
        self.functions[target as usize].arity
    }
    fn import(&self, import: u32) -> u16 {
        u16::from(self.imports[import as usize].2)
    }
    fn captured(&self, fun: u32) -> u16 {
        self.funs[fun as usize].captured
    }
}

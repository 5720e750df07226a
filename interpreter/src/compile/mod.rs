//! The compiler: typed syntax tree to register bytecode.

use crate::syntax::ast::Loc;

/// Something that the compiler refuses, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The file as the module names it.
    pub file: Box<str>,
    /// The place in it.
    pub loc: Loc,
    /// What is refused, what was expected.
    pub message: String,
}

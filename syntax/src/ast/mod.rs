//! The typed syntax tree of a module, as written (nothing is desugared: the compiler handles records and comprehensions).
//!
//! Nodes have the location that `erl_parse` gives them, so that stack traces and abstract code agree with OTP's: an operator node is located at
//! its operator, a call at its first token, `M:F` at the colon. [`Expr::first_loc`] is where an expression starts.
//!
//! Trees can be very deep. [`Expr`], [`Pattern`] and [`Type`] drop and clone on a growing stack; code that recurses over them uses
//! [`with_stack`](super::stack::with_stack).

mod expr;
mod form;
mod node;
mod pattern;
mod types;

pub use self::expr::*;
pub use self::form::*;
pub use self::pattern::*;
pub use self::types::*;
use crate::atom::Atom;

/// A place in a source file.
#[derive(Copy, Clone, Debug, Default, Eq, PartialEq, Hash, PartialOrd, Ord)]
pub struct Loc {
    /// From 1; 0 = no place (code that the compiler made).
    pub line: u32,
    /// From 1, in characters (code points); stays at `u16::MAX` for longer lines.
    pub col: u16,
    /// Index into [`Module::files`].
    pub file: u16,
}

/// A name with its place.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct Name {
    /// Where it is written.
    pub loc: Loc,
    /// The name.
    pub atom: Atom,
}

/// A function's name and arity.
#[derive(Copy, Clone, Debug, Eq, PartialEq, Hash)]
pub struct FunId {
    /// Function name.
    pub name: Atom,
    /// Number of arguments.
    pub arity: u32,
}

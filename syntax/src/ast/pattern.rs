//! Patterns.

use num_bigint::BigInt;

use super::{Expr, ExprKind, List, Loc, RecordField, RecordIndex, Segment};
use crate::atom::Atom;

/// A pattern with its place.
#[derive(Debug)]
pub struct Pattern {
    /// As `erl_parse` gives it.
    pub loc: Loc,
    /// What it is.
    pub kind: PatternKind,
}

/// The kinds of pattern.
#[derive(Debug, Clone, Default)]
pub enum PatternKind {
    /// `_`
    #[default]
    Wildcard,
    /// A variable: bound here, or compared if it is bound already.
    Var(Atom),
    /// An atom.
    Atom(Atom),
    /// An integer that fits 64 bits.
    Integer(i64),
    /// A larger integer.
    BigInteger(Box<BigInt>),
    /// A finite float.
    Float(f64),
    /// `$c`.
    Char(char),
    /// A string literal.
    String(Box<str>),
    /// `[]`
    Nil,
    /// `[a, b | Tail]`
    List(List<Pattern>),
    /// `{…}`
    Tuple(Vec<Pattern>),
    /// `#{K := P}`
    Map(Vec<MapFieldPattern>),
    /// `#name{…}`
    Record(Box<RecordPattern>),
    /// `#name.field`: an integer known when the record is.
    RecordIndex(Box<RecordIndex>),
    /// `<<…>>`
    Binary(Vec<Segment<Pattern>>),
    /// `P1 = P2`: both must match.
    Match(Box<[Pattern; 2]>),
    /// `Prefix ++ Tail`; the prefix is `Nil`, a `String`, or a proper `List` of characters and integers.
    Append(Box<[Pattern; 2]>),
    /// Arithmetic on numbers, evaluated by the parser; or, beside an error, anything else that is no pattern.
    Const(Box<ConstPattern>),
}

/// Arithmetic in a pattern.
#[derive(Debug, Clone)]
pub struct ConstPattern {
    /// As written: an operator node.
    pub expr: Expr,
    /// Its value: `Integer`, `BigInteger` or `Float`; `None` when it cannot be evaluated (`1/0`), so that it never matches.
    pub value: Option<ExprKind>,
}

/// A field of a map pattern.
#[derive(Debug, Clone)]
pub struct MapFieldPattern {
    /// Of the arrow.
    pub loc: Loc,
    /// A guard expression over variables that are bound before.
    pub key: Expr,
    /// Value pattern.
    pub value: Pattern,
}

/// `#name{…}` as a pattern
#[derive(Debug, Clone)]
pub struct RecordPattern {
    /// Record name.
    pub name: Atom,
    /// Fields as written.
    pub fields: Vec<RecordField<Pattern>>,
}

//! Types.

use num_bigint::BigInt;

use super::{BinaryOp, Loc, MapOp, Name, UnaryOp};
use crate::atom::Atom;

/// `(Params) -> Result`
#[derive(Debug, Clone)]
pub struct FunType {
    /// Of `(`.
    pub loc: Loc,
    /// `None` for `(...)`.
    pub params: Option<Vec<Type>>,
    /// Result.
    pub result: Box<Type>,
}

/// A type with its place.
#[derive(Debug)]
pub struct Type {
    /// As `erl_parse` gives it.
    pub loc: Loc,
    /// What it is.
    pub kind: TypeKind,
}

/// The kinds of type.
#[derive(Debug, Clone, Default)]
pub enum TypeKind {
    /// A type variable, `_` included.
    Var(Atom),
    /// An atom.
    Atom(Atom),
    /// An integer.
    Integer(i64),
    /// A larger integer.
    BigInteger(Box<BigInt>),
    /// A character.
    Char(char),
    /// Arithmetic.
    Unary(UnaryOp, Box<Type>),
    /// Arithmetic.
    Binop(BinaryOp, Box<[Type; 2]>),
    /// `Name :: Type`
    Annotated(Name, Box<Type>),
    /// `A | B | …`
    Union(Vec<Type>),
    /// `A..B`
    Range(Box<[Type; 2]>),
    /// `[]`
    #[default]
    Nil,
    /// `[T]`
    List(Box<Type>),
    /// `[T, ...]`
    NonemptyList(Box<Type>),
    /// `#{…}`
    Map(Vec<MapFieldType>),
    /// `{…}`
    Tuple(Vec<Type>),
    /// `#name{…}`
    Record(Name, Vec<RecordFieldType>),
    /// `<<_:Base, _:_*Unit>>`
    Binary(Box<BinaryType>),
    /// `fun()`
    AnyFun,
    /// `fun((…) -> T)`
    Fun(FunType),
    /// `name(…)`: built in or of this module.
    Named(Atom, Vec<Type>),
    /// `module:name(…)`
    Remote(Name, Name, Vec<Type>),
}

/// A field of a map type.
#[derive(Debug, Clone)]
pub struct MapFieldType {
    /// Of the arrow.
    pub loc: Loc,
    /// `=>` or `:=`.
    pub op: MapOp,
    /// Key type.
    pub key: Type,
    /// Value type.
    pub value: Type,
}

/// A field of a record type.
#[derive(Debug, Clone)]
pub struct RecordFieldType {
    /// Field.
    pub name: Name,
    /// Its type.
    pub ty: Type,
}

/// Base and unit of a binary type; `None` = 0.
#[derive(Debug, Clone, Default)]
pub struct BinaryType {
    /// `_:Base`
    pub base: Option<Type>,
    /// `_:_*Unit`
    pub unit: Option<Type>,
}

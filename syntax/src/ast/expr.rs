//! Expressions and their clauses.

use num_bigint::BigInt;

use super::{FunClause, FunId, Loc, Name, Pattern};
use crate::atom::Atom;

/// Alternatives (`;`) of conjunctions (`,`). Empty = no guard, always true. Guard tests are ordinary expressions that lint has checked.
pub type Guard = Vec<Vec<Expr>>;

/// A clause with one pattern: of `case`, `receive`, the `of` part of `try`, the `else` part of `maybe`.
#[derive(Debug, Clone)]
pub struct Clause {
    /// Where the pattern starts.
    pub loc: Loc,
    /// The pattern.
    pub pattern: Pattern,
    /// Guard, empty if there is none.
    pub guard: Guard,
    /// At least one expression.
    pub body: Vec<Expr>,
}

/// A clause of `if`.
#[derive(Debug, Clone)]
pub struct IfClause {
    /// Where the guard starts.
    pub loc: Loc,
    /// Never empty.
    pub guard: Guard,
    /// At least one expression.
    pub body: Vec<Expr>,
}

/// A clause in the `catch` part of `try`.
#[derive(Debug, Clone)]
pub struct CatchClause {
    /// Where the clause starts.
    pub loc: Loc,
    /// The class before the first `:`.
    pub class: CatchClass,
    /// Pattern for the reason.
    pub reason: Pattern,
    /// Variable for the stack trace, if written (`_` is written too).
    pub stack: Option<Name>,
    /// The place that `erl_parse` gives the `_` which stands for an unwritten stack variable.
    pub stack_loc: Loc,
    /// Guard, empty if there is none.
    pub guard: Guard,
    /// At least one expression.
    pub body: Vec<Expr>,
}

/// The class of a catch clause.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum CatchClass {
    /// Not written: `throw`.
    Default,
    /// An atom. Lint accepts any; only `error`, `exit` and `throw` can match.
    Atom(Atom),
    /// A variable (`_` included).
    Var(Atom),
}

/// An expression with its place.
#[derive(Debug)]
pub struct Expr {
    /// As `erl_parse` gives it.
    pub loc: Loc,
    /// What it is.
    pub kind: ExprKind,
}

/// The kinds of expression.
#[derive(Debug, Clone, Default)]
pub enum ExprKind {
    /// A variable; [`Atom::WILDCARD`] where `_` was written (lint refuses it).
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
    /// A string literal, adjacent ones joined.
    String(Box<str>),
    /// `[]`
    #[default]
    Nil,
    /// `[a, b | Tail]`: at least one element.
    List(List<Expr>),
    /// `{…}`
    Tuple(Vec<Expr>),
    /// `#{…}`
    Map(Vec<MapField>),
    /// `M#{…}`
    MapUpdate(Box<Expr>, Vec<MapField>),
    /// `#name{…}`
    Record(Box<RecordExpr>),
    /// `R#name{…}`
    RecordUpdate(Box<RecordUpdate>),
    /// `R#name.field`
    RecordAccess(Box<RecordAccess>),
    /// `#name.field`: the position of the field, counted from 1 with the tag.
    RecordIndex(Box<RecordIndex>),
    /// `<<…>>`
    Binary(Vec<Segment<Expr>>),
    /// `[E || …]`
    ListComp(Box<Comprehension>),
    /// `<<E || …>>`
    BinaryComp(Box<Comprehension>),
    /// `#{K => V || …}`
    MapComp(Box<MapComprehension>),
    /// `Pattern = E`
    Match(Box<MatchExpr>),
    /// An operator with one operand.
    Unary(UnaryOp, Box<Expr>),
    /// A strict operator with two operands, `!` included.
    Binop(BinaryOp, Box<[Expr; 2]>),
    /// `A andalso B`
    AndAlso(Box<[Expr; 2]>),
    /// `A orelse B`
    OrElse(Box<[Expr; 2]>),
    /// A call.
    Call(Box<Call>),
    /// `fun (…) -> … end`: all clauses have one arity.
    Fun(Vec<FunClause>),
    /// `fun Name(…) -> … end`
    NamedFun(Atom, Vec<FunClause>),
    /// `fun name/arity`
    FunLocal(FunId),
    /// `fun M:F/A`, each an atom (an integer for the arity) or a variable.
    FunRemote(Box<[Expr; 3]>),
    /// `M:F` without arguments, at the colon: an expression for `erl_parse`, and for no later pass.
    Remote(Box<[Expr; 2]>),
    /// `begin … end`
    Block(Vec<Expr>),
    /// `if … end`
    If(Vec<IfClause>),
    /// `case … end`
    Case(Box<Expr>, Vec<Clause>),
    /// `receive … end`
    Receive(Box<Receive>),
    /// `try … end`
    Try(Box<Try>),
    /// `catch E`
    Catch(Box<Expr>),
    /// `maybe … else … end`
    Maybe(Box<Maybe>),
}

/// A list with at least one element before the bar.
#[derive(Debug, Clone)]
pub struct List<T> {
    /// Never empty.
    pub items: Vec<T>,
    /// After `|`; `None` = a proper list.
    pub tail: Option<Box<T>>,
    /// Of `]`.
    pub end: Loc,
}

/// A field of a map expression.
#[derive(Debug, Clone)]
pub struct MapField {
    /// Of the arrow.
    pub loc: Loc,
    /// `=>` or `:=`.
    pub op: MapOp,
    /// Key.
    pub key: Expr,
    /// Value.
    pub value: Expr,
}

/// The arrow of a map field.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum MapOp {
    /// `=>`
    Assoc,
    /// `:=`
    Exact,
}

/// `#name{…}`
#[derive(Debug, Clone)]
pub struct RecordExpr {
    /// Record name.
    pub name: Atom,
    /// Fields as written.
    pub fields: Vec<RecordField<Expr>>,
}

/// `R#name{…}`
#[derive(Debug, Clone)]
pub struct RecordUpdate {
    /// The record value.
    pub record: Expr,
    /// Record name.
    pub name: Atom,
    /// Fields as written.
    pub fields: Vec<RecordField<Expr>>,
}

/// `R#name.field`
#[derive(Debug, Clone)]
pub struct RecordAccess {
    /// The record value.
    pub record: Expr,
    /// Record name.
    pub name: Atom,
    /// Field.
    pub field: Name,
}

/// `#name.field`
#[derive(Debug, Clone, Copy)]
pub struct RecordIndex {
    /// Record name.
    pub name: Atom,
    /// Field.
    pub field: Name,
}

/// `field = value` inside a record expression or pattern.
#[derive(Debug, Clone)]
pub struct RecordField<T> {
    /// The field; [`Atom::WILDCARD`] for `_ = value` (all fields that are not named).
    pub name: Name,
    /// True when the name is the variable `_`, not the atom `'_'`.
    pub is_wildcard: bool,
    /// Value.
    pub value: T,
}

/// A segment of a binary expression or pattern.
#[derive(Debug, Clone)]
pub struct Segment<T> {
    /// Where the value starts.
    pub loc: Loc,
    /// Value.
    pub value: T,
    /// As written after `:`; `None` = the type's default (8 for integers, 64 for floats, the rest for binaries; utf types have no size).
    pub size: Option<Box<Expr>>,
    /// Resolved type.
    pub spec: SegmentSpec,
    /// As written after `/`, in order; empty if there was no `/`.
    pub written: Vec<SpecItem>,
}

/// The resolved type of a segment: defaults filled in.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct SegmentSpec {
    /// Type.
    pub ty: SegmentType,
    /// `signed`?
    pub signed: bool,
    /// Byte order.
    pub endian: Endian,
    /// 1-256: bits that `size` counts in; 1 for the utf types (which have none).
    pub unit: u16,
}

/// The type of a segment.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum SegmentType {
    /// `integer`
    Integer,
    /// `float`
    Float,
    /// `binary`, `bytes` (unit 8) and `bitstring`, `bits` (unit 1).
    Binary,
    /// `utf8`
    Utf8,
    /// `utf16`
    Utf16,
    /// `utf32`
    Utf32,
}

/// Byte order of a segment.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum Endian {
    /// `big`, the default.
    Big,
    /// `little`
    Little,
    /// `native` (the machine modelled is little-endian).
    Native,
}

/// One item of a written type list.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum SpecItem {
    /// `integer`, `signed`, `little`, …
    Name(Atom),
    /// `unit:N`
    Unit(Atom, i64),
}

/// A list or binary comprehension.
#[derive(Debug, Clone)]
pub struct Comprehension {
    /// What is made each time.
    pub template: Expr,
    /// At least one, in order.
    pub qualifiers: Vec<Qualifier>,
}

/// A map comprehension (OTP 26).
#[derive(Debug, Clone)]
pub struct MapComprehension {
    /// Of `=>`.
    pub arrow: Loc,
    /// Key made each time.
    pub key: Expr,
    /// Value made each time.
    pub value: Expr,
    /// At least one, in order.
    pub qualifiers: Vec<Qualifier>,
}

/// A part of a comprehension after `||`.
#[derive(Debug, Clone)]
pub enum Qualifier {
    /// What gives one element for each turn.
    Generator(Generator),
    /// `G1 && G2` (OTP 28): all take a step in each turn.
    Zip(Loc, Vec<Generator>),
    /// A condition: a guard if it is a valid one, else an expression that gives a boolean.
    Filter(Expr),
}

impl Qualifier {
    /// Its generators: none of a filter.
    pub fn generators(&self) -> &[Generator] {
        match self {
            Self::Generator(generator) => std::slice::from_ref(generator),
            Self::Zip(_, generators) => generators,
            Self::Filter(_) => &[],
        }
    }

    /// The expressions that it evaluates: those that its generators run over, or the condition.
    pub fn inputs(&self) -> impl Iterator<Item = &Expr> {
        let filter = match self {
            Self::Filter(filter) => Some(filter),
            _ => None,
        };
        self.generators().iter().map(|generator| &generator.expr).chain(filter)
    }

    /// Where it is: the arrow of a generator, of a zip what OTP's parser gives.
    pub fn loc(&self) -> Loc {
        match self {
            Self::Generator(generator) => generator.loc,
            Self::Zip(loc, _) => *loc,
            Self::Filter(filter) => filter.loc,
        }
    }

    /// Whether it is a filter.
    pub fn is_filter(&self) -> bool {
        matches!(self, Self::Filter(_))
    }
}

/// A generator of a comprehension.
#[derive(Debug, Clone)]
pub struct Generator {
    /// Of the arrow.
    pub loc: Loc,
    /// `<:-` or `<:=` (OTP 28): what does not match is an error. Otherwise it is skipped.
    pub strict: bool,
    /// What it takes apart, and how.
    pub element: Element,
    /// The list, the bitstring, or the map or iterator.
    pub expr: Expr,
}

/// The pattern of a generator.
#[derive(Debug, Clone)]
pub enum Element {
    /// `Pattern <- List`
    List(Pattern),
    /// `<<Pattern>> <= Binary`
    Binary(Pattern),
    /// `K := V <- Map` (OTP 26)
    Map {
        /// Of `:=`.
        arrow: Loc,
        /// Key and value.
        pair: Box<[Pattern; 2]>,
    },
}

impl Element {
    /// Its patterns: one, or those of key and value.
    pub fn patterns(&self) -> &[Pattern] {
        match self {
            Self::List(pattern) | Self::Binary(pattern) => std::slice::from_ref(pattern),
            Self::Map { pair, .. } => pair.as_slice(),
        }
    }
}

/// `Pattern = E`
#[derive(Debug, Clone)]
pub struct MatchExpr {
    /// Left side.
    pub pattern: Pattern,
    /// Right side.
    pub value: Expr,
}

/// Operators with one operand.
#[derive(Copy, Clone, Debug, Eq, PartialEq, Hash)]
pub enum UnaryOp {
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `bnot`
    Bnot,
    /// `not`
    Not,
}

/// Strict operators with two operands.
#[derive(Copy, Clone, Debug, Eq, PartialEq, Hash)]
#[expect(missing_docs, reason = "each is the operator of its name, see `as_str`")]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Slash,
    Div,
    Rem,
    Band,
    Bor,
    Bxor,
    Bsl,
    Bsr,
    And,
    Or,
    Xor,
    Append,
    Subtract,
    Eq,
    Ne,
    Le,
    Lt,
    Ge,
    Gt,
    ExactEq,
    ExactNe,
    Send,
}

impl UnaryOp {
    /// As written in Erlang, which is the name in module `erlang` too.
    pub fn as_str(self) -> &'static str {
        match self {
            UnaryOp::Plus => "+",
            UnaryOp::Minus => "-",
            UnaryOp::Bnot => "bnot",
            UnaryOp::Not => "not",
        }
    }

    /// The operator of this name.
    pub fn named(name: &str) -> Option<Self> {
        [UnaryOp::Plus, UnaryOp::Minus, UnaryOp::Bnot, UnaryOp::Not]
            .into_iter()
            .find(|op| op.as_str() == name)
    }
}

impl BinaryOp {
    /// All, each once.
    const ALL: [Self; 25] = [
        BinaryOp::Add,
        BinaryOp::Sub,
        BinaryOp::Mul,
        BinaryOp::Slash,
        BinaryOp::Div,
        BinaryOp::Rem,
        BinaryOp::Band,
        BinaryOp::Bor,
        BinaryOp::Bxor,
        BinaryOp::Bsl,
        BinaryOp::Bsr,
        BinaryOp::And,
        BinaryOp::Or,
        BinaryOp::Xor,
        BinaryOp::Append,
        BinaryOp::Subtract,
        BinaryOp::Eq,
        BinaryOp::Ne,
        BinaryOp::Le,
        BinaryOp::Lt,
        BinaryOp::Ge,
        BinaryOp::Gt,
        BinaryOp::ExactEq,
        BinaryOp::ExactNe,
        BinaryOp::Send,
    ];

    /// The operator of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|op| op.as_str() == name)
    }

    /// Is it allowed in a guard?
    pub fn in_guards(self) -> bool {
        !matches!(self, BinaryOp::Append | BinaryOp::Subtract | BinaryOp::Send)
    }

    /// As written in Erlang, which is the name in module `erlang` too.
    pub fn as_str(self) -> &'static str {
        match self {
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::Mul => "*",
            BinaryOp::Slash => "/",
            BinaryOp::Div => "div",
            BinaryOp::Rem => "rem",
            BinaryOp::Band => "band",
            BinaryOp::Bor => "bor",
            BinaryOp::Bxor => "bxor",
            BinaryOp::Bsl => "bsl",
            BinaryOp::Bsr => "bsr",
            BinaryOp::And => "and",
            BinaryOp::Or => "or",
            BinaryOp::Xor => "xor",
            BinaryOp::Append => "++",
            BinaryOp::Subtract => "--",
            BinaryOp::Eq => "==",
            BinaryOp::Ne => "/=",
            BinaryOp::Le => "=<",
            BinaryOp::Lt => "<",
            BinaryOp::Ge => ">=",
            BinaryOp::Gt => ">",
            BinaryOp::ExactEq => "=:=",
            BinaryOp::ExactNe => "=/=",
            BinaryOp::Send => "!",
        }
    }
}

/// A call.
#[derive(Debug, Clone)]
pub struct Call {
    /// What is called.
    pub callee: Callee,
    /// Arguments in order.
    pub args: Vec<Expr>,
}

/// What a call calls.
#[derive(Debug, Clone)]
pub enum Callee {
    /// `f(…)`: a function of this module, an imported one, or an auto-imported BIF (in that order).
    Local(Name),
    /// `M:F(…)`; both are atoms in most calls.
    Remote {
        /// Of the colon.
        loc: Loc,
        /// Module part.
        module: Expr,
        /// Function part.
        function: Expr,
    },
    /// `F(…)` where F is an expression that gives a fun.
    Dynamic(Expr),
}

/// `receive … after … end`
#[derive(Debug, Clone)]
pub struct Receive {
    /// Empty if there is only `after`.
    pub clauses: Vec<Clause>,
    /// Timeout and what to do then.
    pub after: Option<(Expr, Vec<Expr>)>,
}

/// `try … of … catch … after … end`
#[derive(Debug, Clone)]
pub struct Try {
    /// At least one expression.
    pub body: Vec<Expr>,
    /// Empty if there is no `of`.
    pub of: Vec<Clause>,
    /// Empty if there is no `catch`.
    pub catch: Vec<CatchClause>,
    /// Empty if there is no `after`.
    pub after: Vec<Expr>,
}

/// `maybe … else … end`
#[derive(Debug, Clone)]
pub struct Maybe {
    /// At least one step.
    pub body: Vec<MaybeStep>,
    /// Place of `else` and its clauses.
    pub otherwise: Option<(Loc, Vec<Clause>)>,
}

/// A step of a `maybe` block.
#[derive(Debug, Clone)]
pub enum MaybeStep {
    /// An ordinary expression.
    Expr(Expr),
    /// `Pattern ?= E`
    Match {
        /// Of `?=`.
        loc: Loc,
        /// Left side.
        pattern: Pattern,
        /// Right side.
        value: Expr,
    },
}

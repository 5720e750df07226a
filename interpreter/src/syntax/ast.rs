//! The typed syntax tree of a module, as written (nothing is desugared: records and comprehensions are the compiler's work).
//!
//! Nodes carry the location that `erl_parse` gives them, so that stack traces and abstract code agree with OTP's: an operator node stands at
//! its operator, a call at its first token, `M:F` at the colon. [`Expr::first_loc`] is where an expression starts.
//!
//! Trees can be very deep. [`Expr`], [`Pattern`] and [`Type`] drop and clone on a growing stack; code that recurses over them uses
//! [`with_stack`](super::stack::with_stack).

use num_bigint::BigInt;

use super::stack::with_stack;
use super::walk::{Node, children};
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

/// One module: every form, sorted by kind, each list in source order. [`Module::order`] is the order between kinds.
#[derive(Debug, Default)]
pub struct Module {
    /// From `-module`.
    pub name: Option<Name>,
    /// File names as `-file` and stack traces show them; `Loc::file` indexes this. The first is the module's own.
    pub files: Vec<Box<str>>,
    /// `-export`.
    pub exports: Vec<Export>,
    /// `-export_type`.
    pub export_types: Vec<Export>,
    /// `-import`.
    pub imports: Vec<Import>,
    /// `-record`, with defaults and types.
    pub records: Vec<RecordDef>,
    /// Every other attribute (`-behaviour`, `-compile`, `-vsn`, `-on_load`, user-defined, …) with its value as a constant expression.
    pub attributes: Vec<Attribute>,
    /// `-type` and `-opaque`.
    pub types: Vec<TypeDef>,
    /// `-spec` and `-callback`.
    pub specs: Vec<Spec>,
    /// Functions.
    pub functions: Vec<Function>,
    /// `-file` attributes: written ones and those that the preprocessor puts at the borders of included files.
    pub file_marks: Vec<FileMark>,
    /// All forms in source order.
    pub order: Vec<FormRef>,
    /// Where the file ends.
    pub eof: Loc,
}

/// A form by kind and index in the list of that kind in [`Module`].
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum FormRef {
    /// The `-module` attribute.
    Module,
    /// Index in `exports`.
    Export(usize),
    /// Index in `export_types`.
    ExportType(usize),
    /// Index in `imports`.
    Import(usize),
    /// Index in `records`.
    Record(usize),
    /// Index in `attributes`.
    Attribute(usize),
    /// Index in `types`.
    Type(usize),
    /// Index in `specs`.
    Spec(usize),
    /// Index in `functions`.
    Function(usize),
    /// Index in `file_marks`.
    File(usize),
}

/// One `-export` or `-export_type` attribute.
#[derive(Debug, Clone)]
pub struct Export {
    /// Of the attribute's name.
    pub loc: Loc,
    /// What is exported, each with the place of its entry.
    pub items: Vec<(Loc, FunId)>,
}

/// One `-import` attribute.
#[derive(Debug, Clone)]
pub struct Import {
    /// Of the attribute's name.
    pub loc: Loc,
    /// Imported module.
    pub module: Atom,
    /// What is imported.
    pub items: Vec<(Loc, FunId)>,
}

/// A record definition.
#[derive(Debug, Clone)]
pub struct RecordDef {
    /// Of the attribute's name.
    pub loc: Loc,
    /// Record name.
    pub name: Atom,
    /// Fields in order.
    pub fields: Vec<RecordFieldDef>,
}

/// A field in a record definition.
#[derive(Debug, Clone)]
pub struct RecordFieldDef {
    /// Of the field's name.
    pub loc: Loc,
    /// Field name.
    pub name: Atom,
    /// Default value; `None` means `undefined`.
    pub default: Option<Expr>,
    /// Declared type.
    pub ty: Option<Type>,
}

/// An attribute without a meaning for the parser.
#[derive(Debug, Clone)]
pub struct Attribute {
    /// Of the attribute's name.
    pub loc: Loc,
    /// Attribute name.
    pub name: Atom,
    /// A constant term; `f/1` inside is the tuple `{f, 1}` already.
    pub value: Expr,
}

/// A change of file.
#[derive(Debug, Clone)]
pub struct FileMark {
    /// Of the attribute's name; line 1 without column where the preprocessor made it.
    pub loc: Loc,
    /// Index into [`Module::files`].
    pub file: u16,
    /// Line that the file continues at.
    pub line: u32,
}

/// A function definition.
#[derive(Debug, Clone)]
pub struct Function {
    /// Of the first clause's name.
    pub loc: Loc,
    /// Function name.
    pub name: Atom,
    /// Number of arguments, the same in every clause.
    pub arity: u32,
    /// At least one.
    pub clauses: Vec<FunClause>,
}

/// A clause of a function or fun.
#[derive(Debug, Clone)]
pub struct FunClause {
    /// Of the clause's name, or of `(` for an unnamed fun.
    pub loc: Loc,
    /// Argument patterns.
    pub params: Vec<Pattern>,
    /// Guard, empty if there is none.
    pub guard: Guard,
    /// At least one expression.
    pub body: Vec<Expr>,
}

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
    /// `Pattern <- List`
    List {
        /// Of the arrow.
        loc: Loc,
        /// Elements that do not match are skipped.
        pattern: Pattern,
        /// The list.
        expr: Expr,
    },
    /// `<<Pattern>> <= Binary`
    Binary {
        /// Of the arrow.
        loc: Loc,
        /// A binary pattern.
        pattern: Pattern,
        /// The binary.
        expr: Expr,
    },
    /// `K := V <- Map` (OTP 26)
    Map {
        /// Of the arrow.
        loc: Loc,
        /// Of `:=`.
        arrow: Loc,
        /// Key pattern.
        key: Pattern,
        /// Value pattern.
        value: Pattern,
        /// The map or iterator.
        expr: Expr,
    },
    /// A condition: a guard if it is a valid one, else an expression that gives a boolean.
    Filter(Expr),
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
}

impl BinaryOp {
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
    /// Arithmetic on numbers, evaluated by the parser.
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

/// `-type` or `-opaque`
#[derive(Debug, Clone)]
pub struct TypeDef {
    /// Of the attribute's name.
    pub loc: Loc,
    /// `-opaque`?
    pub opaque: bool,
    /// Type name.
    pub name: Atom,
    /// Type variables.
    pub params: Vec<Name>,
    /// Definition.
    pub ty: Type,
}

/// `-spec` or `-callback`
#[derive(Debug, Clone)]
pub struct Spec {
    /// Of the attribute's name.
    pub loc: Loc,
    /// `-callback`?
    pub callback: bool,
    /// Module part if written.
    pub module: Option<Atom>,
    /// The function.
    pub id: FunId,
    /// At least one.
    pub sigs: Vec<Signature>,
}

/// One alternative of a spec.
#[derive(Debug, Clone)]
pub struct Signature {
    /// The function type.
    pub fun: FunType,
    /// After `when`.
    pub constraints: Vec<Constraint>,
}

/// `Var :: Type` after `when`
#[derive(Debug, Clone)]
pub struct Constraint {
    /// Of the variable.
    pub var: Name,
    /// Its type.
    pub ty: Type,
}

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

impl Loc {
    /// For code that has no place in a source.
    pub const NONE: Loc = Loc {
        line: 0,
        col: 0,
        file: 0,
    };
}

/// Most nodes that [`first_loc`] looks at: far more than places that are equal because one macro made them.
const FIRST_LOC_NODES: usize = 1000;

/// The least place reached from the root, from left to right, while places do not grow.
fn first_loc(root: Node<'_>) -> Loc {
    let mut first = root.loc();
    let mut todo = vec![root];
    let mut seen = 0;
    while let Some(node) = todo.pop() {
        let loc = node.loc();
        seen += 1;
        if (loc.line, loc.col) > (first.line, first.col) || seen > FIRST_LOC_NODES {
            break;
        }
        first = loc;
        let from = todo.len();
        children(node, &mut |child| todo.push(child));
        todo[from..].reverse();
    }
    first
}

impl Expr {
    /// Makes a node.
    pub fn new(loc: Loc, kind: ExprKind) -> Expr {
        Expr { loc, kind }
    }

    /// Takes the kind out (an `Expr` cannot be taken apart by pattern: it has a destructor).
    pub fn into_kind(mut self) -> ExprKind {
        std::mem::take(&mut self.kind)
    }

    /// Where the expression starts: for `A + B`, the start of `A`. Follows `erl_parse:first_anno/1`, which macros can make differ from the text.
    pub fn first_loc(&self) -> Loc {
        first_loc(Node::Expr(self))
    }

    fn is_leaf(&self) -> bool {
        matches!(
            self.kind,
            ExprKind::Var(_)
                | ExprKind::Atom(_)
                | ExprKind::Integer(_)
                | ExprKind::BigInteger(_)
                | ExprKind::Float(_)
                | ExprKind::Char(_)
                | ExprKind::String(_)
                | ExprKind::Nil
                | ExprKind::FunLocal(_)
        )
    }
}

impl Drop for Expr {
    fn drop(&mut self) {
        if !self.is_leaf() {
            let kind = std::mem::take(&mut self.kind);
            with_stack(move || drop(kind));
        }
    }
}

impl Clone for Expr {
    fn clone(&self) -> Expr {
        with_stack(|| Expr {
            loc: self.loc,
            kind: self.kind.clone(),
        })
    }
}

impl Pattern {
    /// Makes a node.
    pub fn new(loc: Loc, kind: PatternKind) -> Pattern {
        Pattern { loc, kind }
    }

    /// Takes the kind out.
    pub fn into_kind(mut self) -> PatternKind {
        std::mem::take(&mut self.kind)
    }

    /// Where the pattern starts: for `A ++ B` and arithmetic, the start of `A`.
    pub fn first_loc(&self) -> Loc {
        first_loc(Node::Pattern(self))
    }

    fn is_leaf(&self) -> bool {
        matches!(
            self.kind,
            PatternKind::Wildcard
                | PatternKind::Var(_)
                | PatternKind::Atom(_)
                | PatternKind::Integer(_)
                | PatternKind::BigInteger(_)
                | PatternKind::Float(_)
                | PatternKind::Char(_)
                | PatternKind::String(_)
                | PatternKind::Nil
        )
    }
}

impl Drop for Pattern {
    fn drop(&mut self) {
        if !self.is_leaf() {
            let kind = std::mem::take(&mut self.kind);
            with_stack(move || drop(kind));
        }
    }
}

impl Clone for Pattern {
    fn clone(&self) -> Pattern {
        with_stack(|| Pattern {
            loc: self.loc,
            kind: self.kind.clone(),
        })
    }
}

impl Type {
    /// Makes a node.
    pub fn new(loc: Loc, kind: TypeKind) -> Type {
        Type { loc, kind }
    }

    /// Takes the kind out.
    pub fn into_kind(mut self) -> TypeKind {
        std::mem::take(&mut self.kind)
    }

    /// Where the type starts.
    pub fn first_loc(&self) -> Loc {
        let mut first = self.loc;
        let mut node = self;
        while let Some(left) = match &node.kind {
            TypeKind::Binop(_, operands) | TypeKind::Range(operands) => Some(&operands[0]),
            TypeKind::Union(types) => types.first(),
            _ => None,
        } {
            if (left.loc.line, left.loc.col) > (first.line, first.col) {
                break;
            }
            first = left.loc;
            node = left;
        }
        first
    }

    fn is_leaf(&self) -> bool {
        matches!(
            self.kind,
            TypeKind::Var(_)
                | TypeKind::Atom(_)
                | TypeKind::Integer(_)
                | TypeKind::BigInteger(_)
                | TypeKind::Char(_)
                | TypeKind::Nil
                | TypeKind::AnyFun
        )
    }
}

impl Drop for Type {
    fn drop(&mut self) {
        if !self.is_leaf() {
            let kind = std::mem::take(&mut self.kind);
            with_stack(move || drop(kind));
        }
    }
}

impl Clone for Type {
    fn clone(&self) -> Type {
        with_stack(|| Type {
            loc: self.loc,
            kind: self.kind.clone(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tree 200,000 deep, on a small thread stack.
    #[test]
    fn deep_trees_drop_and_clone() {
        let run = || {
            let mut expr = Expr::new(Loc::NONE, ExprKind::Nil);
            for _ in 0..200_000 {
                expr = Expr::new(Loc::NONE, ExprKind::Catch(Box::new(expr)));
            }
            let copy = expr.clone();
            drop(expr);
            assert!(matches!(copy.kind, ExprKind::Catch(_)));
        };
        std::thread::Builder::new()
            .stack_size(256 * 1024)
            .spawn(run)
            .unwrap()
            .join()
            .unwrap();
    }
}

//! Modules and their forms.

use super::{Expr, FunId, FunType, Guard, Loc, Name, Pattern, Type};
use crate::atom::Atom;
use crate::release::Language;

/// One module: every form, sorted by kind, each list in source order. [`Module::order`] is the order between kinds.
#[derive(Debug, Default)]
pub struct Module {
    /// What it is written for.
    pub language: Language,
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
    /// `-type`, `-opaque` and `-nominal`.
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
    /// A hash of the tokens of all forms, with macros expanded. It does not depend on places, comments and layout.
    pub fingerprint: u64,
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

/// How a type is defined.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum TypeAttribute {
    /// `-type`
    Type,
    /// `-opaque`
    Opaque,
    /// `-nominal` (OTP 28)
    Nominal,
}

impl TypeAttribute {
    /// The name of the attribute.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Type => "type",
            Self::Opaque => "opaque",
            Self::Nominal => "nominal",
        }
    }

    /// The kind that an attribute of this name defines, if any.
    pub fn of_name(name: Atom) -> Option<Self> {
        let all = [Self::Type, Self::Opaque, Self::Nominal];
        all.into_iter().find(|kind| kind.as_str() == name.as_str())
    }
}

/// `-type`, `-opaque` or `-nominal`
#[derive(Debug, Clone)]
pub struct TypeDef {
    /// Of the attribute's name.
    pub loc: Loc,
    /// Which of them.
    pub kind: TypeAttribute,
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

//! OTP's abstract format in the external term format to the tree: the inverse of the writer. It takes what `compile:forms/2` takes and what parse
//! transforms give, not just what `erl_parse` makes, and refuses the rest with the place in the forms.
//!
//! What `erl_parse` and `erl_lint` refuse in a form of the right structure (an illegal pattern, a conflict of types in a binary) is a
//! diagnostic, as for a source. Patterns are read as expressions and converted as the parser does it.
//!
//! Left out: of an annotation all but line and column (`generated` silences warnings only, and stack traces take the file from `-file`); the
//! annotations of inner nodes that the tree does not have, such as a type's `product`.

mod clauses;
mod constant;
mod error;
mod expr;
mod form;
mod segment;
#[cfg(test)]
mod tests;
mod types;

use num_bigint::BigInt;
use rustc_hash::FxHashMap;

use self::error::{FormResult, Inside};
pub use self::error::{FormsError, Refusal};
use super::term::{Id, Term, Terms};
use crate::ast::{Expr, Loc, Module, Name, Pattern};
use crate::atom::Atom;
use crate::diagnostic::Diagnostic;
use crate::parse::{MAX_DEPTH, pattern_of};
use crate::release::{Language, Release};
use crate::stack::with_stack;

/// A module that was read from forms.
#[derive(Debug)]
pub struct Forms {
    /// The tree.
    pub module: Module,
    /// Errors and warnings by place in the forms: forms `{error, …}` and `{warning, …}`, and what the parser reports about a source beside its
    /// structure. Lint comes after this.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a module's forms: a list, as `term_to_binary/1` encodes it without compression.
///
/// # Errors
/// The first part that is no form, or none that the tree has a place for. Any bytes give a result; none makes it panic.
pub fn from_external(bytes: &[u8]) -> Result<Forms, FormsError> {
    let terms = Terms::decode(bytes).map_err(|(offset, why)| FormsError::external(offset, why))?;
    let mut reader = FormReader::new(&terms);
    match reader.forms(terms.root) {
        Ok(()) => {
            reader.finish();
            Ok(Forms {
                // Whoever made them knew the release.
                module: Module {
                    language: Language::of(Release::NEWEST),
                    ..reader.module
                },
                diagnostics: reader.diagnostics,
            })
        }
        Err(error) => Err(error.finish(&reader.module.files)),
    }
}

struct FormReader<'t> {
    terms: &'t Terms<'t>,
    module: Module,
    diagnostics: Vec<Diagnostic>,
    /// Index of the file that the last `-file` named.
    file: u16,
    file_index: FxHashMap<String, u16>,
    depth: u32,
    /// Is a term that no source can contain taken as a call that makes it of its bytes?
    carries: bool,
}

/// `{Tag, Anno, …}`
struct FormNode<'t> {
    tag: &'t str,
    loc: Loc,
    /// What follows the annotation; the first is element 3 of the tuple.
    args: &'t [Id],
}

impl<'t> FormReader<'t> {
    fn new(terms: &'t Terms<'t>) -> FormReader<'t> {
        FormReader {
            terms,
            module: Module::default(),
            diagnostics: Vec::new(),
            file: 0,
            file_index: FxHashMap::default(),
            depth: 0,
            carries: false,
        }
    }

    /// Runs a step one level of nesting deeper.
    fn nested<T>(&mut self, step: impl FnOnce(&mut Self) -> FormResult<T>) -> FormResult<T> {
        if self.depth >= MAX_DEPTH {
            return Err(FormsError::unsupported(format!("nesting deeper than {MAX_DEPTH}")));
        }
        self.depth += 1;
        let result = with_stack(|| step(self));
        self.depth -= 1;
        result
    }

    fn illegal(&self, id: Id, expected: &'static str) -> Box<FormsError> {
        FormsError::illegal(expected, error::shown(self.terms, id))
    }

    fn node(&self, id: Id, expected: &'static str) -> FormResult<FormNode<'t>> {
        let terms = self.terms;
        let Some([tag, anno, args @ ..]) = terms.tuple(id) else {
            return Err(self.illegal(id, expected));
        };
        let Some(tag) = terms.atom(*tag) else {
            return Err(self.illegal(id, expected));
        };
        Ok(FormNode {
            tag,
            loc: self.loc(*anno).inside(2)?,
            args,
        })
    }

    /// An annotation's place.
    fn loc(&self, id: Id) -> FormResult<Loc> {
        let (mut line, mut column) = (Some(0), Some(0));
        match self.terms.get(id) {
            Term::Integer(_) | Term::Tuple(_) => (line, column) = self.line_and_column(id),
            Term::Nil | Term::List(..) => {
                let items = self.terms.items(id).ok_or_else(|| self.illegal(id, ANNOTATION))?;
                for (index, item) in items.into_iter().enumerate() {
                    match (self.terms.get(item), self.terms.tuple(item)) {
                        (Term::Atom(_), _) => {}
                        (_, Some([key, value])) if self.terms.atom(*key) == Some("location") => {
                            (line, column) = self.line_and_column(*value);
                        }
                        (_, Some([key, _])) if self.terms.atom(*key).is_some() => {}
                        _ => return Err(self.illegal(item, ANNOTATION)).inside(index + 1),
                    }
                }
            }
            _ => (line, column) = (None, None),
        }
        let (Some(line), Some(column)) = (line, column) else {
            return Err(self.illegal(id, ANNOTATION));
        };
        let Ok(line) = u32::try_from(line) else {
            return Err(FormsError::unsupported(format!("line {line}")));
        };
        Ok(Loc {
            line,
            col: u16::try_from(column).unwrap_or(u16::MAX),
            file: self.file,
        })
    }

    /// `Line` or `{Line, Column}`; `None` where it is neither.
    fn line_and_column(&self, id: Id) -> (Option<u64>, Option<u64>) {
        let number = |id: Id| match self.terms.get(id) {
            Term::Integer(value) => u64::try_from(*value).ok(),
            _ => None,
        };
        match self.terms.tuple(id) {
            Some([line, column]) => (number(*line), number(*column)),
            Some(_) => (None, None),
            None => (number(id), Some(0)),
        }
    }

    fn atom(&self, id: Id, expected: &'static str) -> FormResult<Atom> {
        match self.terms.atom(id) {
            Some(name) => {
                Atom::try_new(name).ok_or_else(|| FormsError::unsupported("one atom more in this run".to_owned()))
            }
            None => Err(self.illegal(id, expected)),
        }
    }

    /// `{Tag, Anno, Atom}`
    fn leaf(&self, id: Id, wanted: &'static str, expected: &'static str) -> FormResult<Name> {
        let node = self.node(id, expected)?;
        match node.args {
            [name] if node.tag == wanted => Ok(Name {
                loc: node.loc,
                atom: self.atom(*name, "an atom").inside(3).near(node.loc)?,
            }),
            _ => Err(self.illegal(id, expected)),
        }
    }

    fn items(&self, id: Id, expected: &'static str) -> FormResult<Vec<Id>> {
        self.terms.items(id).ok_or_else(|| self.illegal(id, expected))
    }

    /// A proper list, read one by one.
    fn list<T>(
        &mut self,
        id: Id,
        expected: &'static str,
        mut each: impl FnMut(&mut Self, Id) -> FormResult<T>,
    ) -> FormResult<Vec<T>> {
        let items = self.items(id, expected)?;
        let read = |(index, item)| each(self, item).inside(index + 1);
        items.into_iter().enumerate().map(read).collect()
    }

    /// A list with at least one element.
    fn some<T>(
        &mut self,
        id: Id,
        expected: &'static str,
        each: impl FnMut(&mut Self, Id) -> FormResult<T>,
    ) -> FormResult<Vec<T>> {
        match self.terms.get(id) {
            Term::Nil => Err(self.illegal(id, expected)),
            _ => self.list(id, expected, each),
        }
    }

    /// A function's arity.
    fn arity(&self, id: Id) -> FormResult<u32> {
        match self.terms.get(id) {
            Term::Integer(value) => u32::try_from(*value).map_err(|_| self.illegal(id, "an arity")),
            _ => Err(self.illegal(id, "an arity")),
        }
    }

    fn character(&self, id: Id) -> FormResult<char> {
        let Term::Integer(code) = self.terms.get(id) else {
            return Err(self.illegal(id, "a character"));
        };
        let character = u32::try_from(*code).ok().and_then(char::from_u32);
        character.ok_or_else(|| FormsError::unsupported(format!("the character {code}, which Unicode does not have")))
    }

    /// A list of characters.
    fn text(&mut self, id: Id) -> FormResult<Box<str>> {
        let text = self.list(id, "a list of characters", |reader, item| reader.character(item))?;
        Ok(text.into_iter().collect::<String>().into())
    }

    fn pattern(&mut self, id: Id) -> FormResult<Pattern> {
        self.expr(id).map(|expr| self.as_pattern(expr))
    }

    fn as_pattern(&mut self, expr: Expr) -> Pattern {
        pattern_of(expr, &mut self.diagnostics)
    }
}

const ANNOTATION: &str = "an annotation: a line, {Line, Column}, or a list such as [{location, Line}]";

/// An integer of any size.
enum Integer {
    Small(i64),
    Big(Box<BigInt>),
}

impl FormReader<'_> {
    fn integer(&self, id: Id) -> FormResult<Integer> {
        match self.terms.get(id) {
            Term::Integer(value) => Ok(Integer::Small(*value)),
            Term::Big(value) => Ok(Integer::Big(value.clone())),
            _ => Err(self.illegal(id, "an integer")),
        }
    }
}

//! What is wrong with forms, and where.

use std::fmt;

use crate::abstract_code::term::{Id, Term, TermFault, Terms};
use crate::ast::Loc;
use crate::diagnostic::{Diagnostic, DiagnosticKind};

/// Why forms were not read.
#[derive(Clone, Debug, PartialEq)]
pub struct FormsError {
    /// What is wrong.
    pub why: Refusal,
    /// Where it is in the forms: the number of the form, then of the element of that tuple or list, and so on. All count from 1; a map's
    /// keys and values count in turn.
    pub path: Vec<usize>,
    /// The place in the source of the innermost node around it that has one.
    pub loc: Option<Loc>,
    /// Name of the file that `loc` is in, if `-file` named one.
    pub file: Box<str>,
}

/// What is wrong with forms.
#[derive(Clone, Debug, PartialEq)]
pub enum Refusal {
    /// The bytes are no term in the external format.
    External {
        /// Number of the byte, from 0.
        offset: usize,
        /// Why.
        why: TermFault,
    },
    /// The term is no form. OTP's compiler refuses it, too, or fails.
    Illegal {
        /// What belongs there, as a fragment.
        expected: &'static str,
        /// What is there, printed and cut.
        found: String,
    },
    /// A form that OTP's compiler may take, but that the tree cannot express.
    Unsupported {
        /// What it is, as a fragment.
        what: String,
    },
}

pub(super) type FormResult<T> = Result<T, Box<FormsError>>;

impl FormsError {
    pub(super) fn external(offset: usize, why: TermFault) -> FormsError {
        *FormsError::new(Refusal::External { offset, why })
    }

    pub(super) fn illegal(expected: &'static str, found: String) -> Box<FormsError> {
        FormsError::new(Refusal::Illegal { expected, found })
    }

    pub(super) fn unsupported(what: String) -> Box<FormsError> {
        FormsError::new(Refusal::Unsupported { what })
    }

    fn new(why: Refusal) -> Box<FormsError> {
        Box::new(FormsError {
            why,
            path: Vec::new(),
            loc: None,
            file: "".into(),
        })
    }

    /// The path was collected from the inside.
    pub(super) fn finish(mut self, files: &[Box<str>]) -> FormsError {
        self.path.reverse();
        if let Some(name) = self.loc.and_then(|loc| files.get(usize::from(loc.file))) {
            self.file.clone_from(name);
        }
        self
    }
}

/// Adds to an error where it is, on the way out.
pub(super) trait Inside {
    /// In this element of a tuple or list.
    fn inside(self, index: usize) -> Self;

    /// In a node at this place.
    fn near(self, loc: Loc) -> Self;
}

impl<T> Inside for FormResult<T> {
    fn inside(self, index: usize) -> Self {
        self.map_err(|mut error| {
            error.path.push(index);
            error
        })
    }

    fn near(self, loc: Loc) -> Self {
        self.map_err(|mut error| {
            if loc.line > 0 {
                error.loc.get_or_insert(loc);
            }
            error
        })
    }
}

/// Numbers of a path that a message prints: first and last ones of a deep one.
const PRINTED: usize = 12;

impl FormsError {
    /// As an error at its place in the source, which the message then need not name.
    #[must_use]
    pub fn diagnostic(&self) -> Diagnostic {
        let kind = match self.why {
            Refusal::External { .. } | Refusal::Illegal { .. } => DiagnosticKind::Parse,
            Refusal::Unsupported { .. } => DiagnosticKind::Unsupported,
        };
        let message = match self.position() {
            None => self.why.to_string(),
            Some(position) => format!("{} (at {position})", self.why),
        };
        let mut diagnostic = Diagnostic::error(kind, self.loc.unwrap_or(Loc::NONE), message);
        diagnostic.file = (&*self.file).into();
        diagnostic
    }

    /// `form 1, element 2.3`; `None` where that is the list of forms.
    fn position(&self) -> Option<String> {
        let (form, elements) = self.path.split_first()?;
        let numbers = |elements: &[usize]| {
            let numbers: Vec<String> = elements.iter().map(usize::to_string).collect();
            numbers.join(".")
        };
        let elements = match elements.len() {
            0 => return Some(format!("form {form}")),
            length if length > 2 * PRINTED => {
                let (first, last) = (&elements[..PRINTED], &elements[length - PRINTED..]);
                format!("{}.….{}", numbers(first), numbers(last))
            }
            _ => numbers(elements),
        };
        Some(format!("form {form}, element {elements}"))
    }
}

impl fmt::Display for Refusal {
    /// A fragment.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::External { offset, why } => write!(f, "byte {offset} of the forms: {why}"),
            Refusal::Illegal { expected, found } => write!(f, "illegal form: expected {expected}, found {found}"),
            Refusal::Unsupported { what } => write!(f, "unsupported form: {what}"),
        }
    }
}

impl fmt::Display for FormsError {
    /// One sentence without a full stop.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = if self.file.is_empty() {
            "line ".to_owned()
        } else {
            format!("{}:", self.file)
        };
        let place = self.loc.map(|loc| format!("{file}{}", loc.line));
        let position = self.position().map(|position| format!("at {position}"));
        let both: Vec<String> = position.into_iter().chain(place).collect();
        write!(f, "{}", self.why)?;
        match both.is_empty() {
            true => Ok(()),
            false => write!(f, " ({})", both.join(", ")),
        }
    }
}

impl std::error::Error for FormsError {}

/// Maximum number of bytes of a term that messages print, and of its levels.
const SHOWN: usize = 80;
const LEVELS: u32 = 5;

/// A term as Erlang writes it, cut.
pub(super) fn shown(terms: &Terms<'_>, id: Id) -> String {
    let mut text = String::new();
    show(terms, id, LEVELS, &mut text);
    if text.len() > SHOWN {
        let mut end = SHOWN;
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        text.truncate(end);
        text.push('…');
    }
    text
}

fn show(terms: &Terms<'_>, id: Id, levels: u32, out: &mut String) {
    if out.len() > SHOWN {
        return;
    }
    if levels == 0 {
        return out.push('…');
    }
    match terms.get(id) {
        Term::Atom(name) => {
            let plain = name.starts_with(|c: char| c.is_ascii_lowercase())
                && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '@');
            if plain {
                out.push_str(name);
            } else {
                let quoted = name.escape_debug();
                out.extend(std::iter::once('\'').chain(quoted).chain(std::iter::once('\'')));
            }
        }
        Term::Integer(value) => out.push_str(&value.to_string()),
        // Printing takes time that grows with the square of its length.
        Term::Big(value) if value.bits() > 256 => out.push_str("an integer of more than 256 bits"),
        Term::Big(value) => out.push_str(&value.to_string()),
        Term::Float(value) => out.push_str(&format!("{value:?}")),
        Term::Nil => out.push_str("[]"),
        Term::List(range, tail) => {
            out.push('[');
            show_all(terms, terms.slice(range), levels, out);
            if !matches!(terms.get(*tail), Term::Nil) {
                out.push('|');
                show(terms, *tail, levels - 1, out);
            }
            out.push(']');
        }
        Term::Tuple(range) => {
            out.push('{');
            show_all(terms, terms.slice(range), levels, out);
            out.push('}');
        }
        Term::Map(range) if range.is_empty() => out.push_str("#{}"),
        Term::Map(_) => out.push_str("#{…}"),
        Term::Bits([], _) => out.push_str("<<>>"),
        Term::Bits(..) => out.push_str("<<…>>"),
        Term::Fun(_) => out.push_str("a fun M:F/A"),
        Term::Other(what, _) => out.push_str(what),
    }
}

fn show_all(terms: &Terms<'_>, items: &[Id], levels: u32, out: &mut String) {
    for (index, item) in items.iter().enumerate() {
        if out.len() > SHOWN {
            return;
        }
        if index > 0 {
            out.push(',');
        }
        show(terms, *item, levels - 1, out);
    }
}

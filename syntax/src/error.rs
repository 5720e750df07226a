//! Why something cannot be read that is no module: an include file, or terms of a configuration. What is wrong with a module is a
//! [`Diagnostic`](crate::diagnostic::Diagnostic).

use std::error::Error;
use std::fmt::{self, Display, Formatter};
use std::io;

/// Why an include file cannot be had. As text, a fragment such as `not found in: a, b`.
#[derive(Debug)]
pub enum IncludeError {
    /// It is in none of these places.
    NotFound(Vec<String>),
    /// There are no include files.
    NoFiles,
    /// It is not one of the files that were recorded.
    NotInTrace,
    /// It is not one of the files that were read with the source.
    NotWithSource,
    /// The system refuses to read it.
    Unread(io::Error),
}

impl Display for IncludeError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFound(tried) => write!(f, "not found in: {}", tried.join(", ")),
            Self::NoFiles => f.write_str("there are no include files here"),
            Self::NotInTrace => f.write_str("not among the files of the trace"),
            Self::NotWithSource => f.write_str("not read with the source"),
            Self::Unread(error) => error.fmt(f),
        }
    }
}

impl Error for IncludeError {}

impl From<io::Error> for IncludeError {
    fn from(error: io::Error) -> Self {
        Self::Unread(error)
    }
}

/// The first thing that is wrong with a text of terms. As text, a fragment such as `line 3: invalid UTF-8`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TermsError {
    /// The line; `None`: that is not known.
    pub line: Option<u32>,
    /// What is wrong there.
    pub fault: TermsFault,
}

/// What is wrong with a text of terms.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TermsFault {
    /// It is no text.
    NotUtf8,
    /// A token or a term is none: the message of the scanner or of the parser.
    Syntax(String),
    /// Two terms without a dot between them.
    NoDot,
}

impl Display for TermsError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        f.write_str(match &self.fault {
            TermsFault::NotUtf8 => "invalid UTF-8",
            TermsFault::Syntax(message) => message,
            TermsFault::NoDot => "expected a dot after a term",
        })
    }
}

impl Error for TermsError {}

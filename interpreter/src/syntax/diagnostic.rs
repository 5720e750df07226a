//! What is wrong with a source, where, and what to do about it.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::ast::Loc;

/// Which part of the front end speaks.
#[derive(Copy, Clone, Debug, Eq, PartialEq, Hash)]
pub enum Kind {
    /// Bytes that are no text, or characters that are no token.
    Scan,
    /// Directives and macros.
    Preprocess,
    /// Structure.
    Parse,
    /// Structure is fine, meaning is not.
    Lint,
    /// Correct Erlang that this tool does not take.
    Unsupported,
    /// Not an error; shown with `-W`.
    Warning,
}

/// One error or warning.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic {
    /// Which part speaks.
    pub kind: Kind,
    /// Where.
    pub loc: Loc,
    /// Name of the file that `loc` is in.
    pub file: Arc<str>,
    /// One sentence without a full stop, in OTP's words where it has them.
    pub message: String,
    /// Stands at the caret: what was expected or found.
    pub label: Option<String>,
    /// What to do.
    pub hint: Option<String>,
    /// Other places that matter: where something was first defined, or where a macro was called.
    pub notes: Vec<(Loc, Arc<str>, String)>,
    /// The source line (without its end) at `loc`, if the file's text is known.
    pub source: Option<Arc<str>>,
}

impl Diagnostic {
    /// An error without label and hint.
    pub fn error(kind: Kind, loc: Loc, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            kind,
            loc,
            file: "".into(),
            message: message.into(),
            label: None,
            hint: None,
            notes: Vec::new(),
            source: None,
        }
    }

    /// A warning.
    pub fn warning(loc: Loc, message: impl Into<String>) -> Diagnostic {
        Diagnostic::error(Kind::Warning, loc, message)
    }

    /// Adds the text at the caret.
    pub fn label(mut self, label: impl Into<String>) -> Diagnostic {
        self.label = Some(label.into());
        self
    }

    /// Adds what to do.
    pub fn hint(mut self, hint: impl Into<String>) -> Diagnostic {
        self.hint = Some(hint.into());
        self
    }

    /// Adds another place.
    pub fn note(mut self, loc: Loc, text: impl Into<String>) -> Diagnostic {
        self.notes.push((loc, "".into(), text.into()));
        self
    }
}

impl Diagnostic {
    /// Fills in file names and the quoted line.
    pub(super) fn locate(&mut self, files: &[Box<str>], texts: &FxHashMap<u16, Arc<str>>) {
        let name = |file: u16| {
            files
                .get(usize::from(file))
                .map_or_else(|| "".into(), |name| Arc::from(&**name))
        };
        self.file = name(self.loc.file);
        for (loc, file, _) in &mut self.notes {
            *file = name(loc.file);
        }
        let text = texts.get(&self.loc.file);
        let index = (self.loc.line as usize).checked_sub(1);
        let line = text.zip(index).and_then(|(text, index)| text.lines().nth(index));
        self.source = line.map(Arc::from);
    }
}

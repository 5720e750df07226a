//! What a loader knows of parse transforms: their options, and somebody who runs them.

use std::sync::Arc;

use interpreter::atom::Atom;
use log_format::CompileOption;
use syntax::{Transformed, Transforms, Untransformed};

use super::LoadedFile;

/// The prefix of a compiler option (a feature of [`CompileOption`]) that only parse transforms read: a term follows.
const OPTION: &str = "option ";

/// An option for parse transforms alone.
#[must_use]
pub fn option(term: &str) -> CompileOption {
    CompileOption::Feature(format!("{OPTION}{term}"))
}

/// The option of a module that an installed Elixir has: it is not the program's own.
#[must_use]
pub fn of_elixir() -> CompileOption {
    option("of_elixir")
}

/// The term of an option for parse transforms.
pub(crate) fn term_of(feature: &str) -> Option<&str> {
    feature.strip_prefix(OPTION)
}

/// The module, if an option names a parse transform.
pub(crate) fn named_by(feature: &str) -> Option<String> {
    let terms = syntax::parse_terms(format!("{}.", term_of(feature)?).as_bytes()).ok()?;
    let [term] = &terms[..] else { return None };
    match &term.kind {
        syntax::ast::ExprKind::Tuple(parts) => match &parts[..] {
            [name, module] => match (&name.kind, &module.kind) {
                (syntax::ast::ExprKind::Atom(name), syntax::ast::ExprKind::Atom(module))
                    if name.as_str() == "parse_transform" =>
                {
                    Some(module.as_str().to_owned())
                }
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}

/// What comes out of a transform.
pub(crate) type TransformResult = Result<Transformed, Untransformed>;

/// Somebody who runs parse transforms.
pub trait RunsTransforms: Send + Sync {
    /// `Name:parse_transform(Forms, Options)` for a file. `stack`: what runs already.
    ///
    /// # Errors
    /// Why there are no forms.
    fn transform(
        self: Arc<Self>,
        stack: &Stack,
        name: Atom,
        file: &str,
        forms: &[u8],
        options: &[CompileOption],
    ) -> Result<Transformed, Untransformed>;
    /// The sources of the transforms that have run, and what they include.
    fn sources(&self) -> Vec<LoadedFile>;
}

/// A transform for a file: those that run, and for which, tell a circle.
pub type Stack = Vec<(Atom, String)>;

/// What a loader has to run transforms.
#[derive(Clone)]
pub(crate) struct TransformNeeds {
    pub runner: Arc<dyn RunsTransforms>,
    pub stack: Stack,
}

/// For one file.
pub(crate) struct ForFile<'a> {
    pub asking: Option<&'a TransformNeeds>,
    pub options: &'a [CompileOption],
}

impl Transforms for ForFile<'_> {
    fn transform(&self, name: Atom, file: &str, forms: Vec<u8>) -> TransformResult {
        match self.asking {
            Some(asking) => Arc::clone(&asking.runner).transform(&asking.stack, name, file, &forms, self.options),
            None => syntax::NoTransforms.transform(name, file, forms),
        }
    }
}

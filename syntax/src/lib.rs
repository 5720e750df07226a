//! The Erlang front end: source bytes to a typed tree, or diagnostics.
//!
//! [`parse_module`] does everything: `preprocess` handles directives and expands macros in the output of [`scan`], [`parse`] builds the [`ast`]
//! that the compiler reads.

pub mod abstract_code;
pub mod ast;
pub mod atom;
pub mod builtin;
pub mod diagnostic;
mod error;
pub mod lint;
mod newer;
pub mod parse;
mod preprocess;
mod release;
pub mod scan;
pub mod stack;
pub mod token;
mod transform;
pub mod walk;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use rustc_hash::FxHashMap;

use self::diagnostic::{Diagnostic, DiagnosticKind, Locator};
pub use self::error::{IncludeError, TermsError, TermsFault};
use self::preprocess::Session;
pub use self::release::{Feature, Language, Release, UnknownRelease};
pub use self::transform::{NoTransforms, Remark, Transformed, Transforms, Untransformed};

/// How to read a module.
#[derive(Clone, Debug)]
pub struct ReadOptions {
    /// Macros defined before the file: name, and value as source text (`None` = `true`).
    pub defines: Vec<(String, Option<String>)>,
    /// The release that the module is written for.
    pub language: Language,
    /// Whether to apply the built-in parse transforms that a module names.
    pub transforms: bool,
    /// Whether `maybe` and `else` are keywords from the start, whatever the release. If they are none, `maybe` is one where nothing else makes sense.
    pub maybe_expr: bool,
    /// Whether all functions are exported, as `-compile(export_all)` does.
    pub export_all: bool,
    /// Parse transforms that are applied before those that the module names.
    pub parse_transforms: Vec<String>,
}

impl ReadOptions {
    /// Are `maybe` and `else` keywords from the start?
    fn has_maybe(&self) -> bool {
        self.maybe_expr || self.language.has_maybe()
    }
}

impl Default for ReadOptions {
    fn default() -> ReadOptions {
        ReadOptions {
            defines: Vec::new(),
            language: Language::default(),
            transforms: true,
            maybe_expr: false,
            export_all: false,
            parse_transforms: Vec::new(),
        }
    }
}

/// The directive that names a file.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum IncludeKind {
    /// `-include`: relative to the including file, then on the include path.
    Include,
    /// `-include_lib`: as `-include`; failing that, the first component is an application's name, found without its version.
    IncludeLib,
}

/// An include file that was found.
#[derive(Clone, Debug)]
pub struct Included {
    /// Its name, as `?FILE` and messages print it; its own includes are looked up first in this file's folder.
    pub name: String,
    /// Its bytes.
    pub text: Arc<[u8]>,
}

/// Where include files come from: the caller's business, so that this crate touches no files.
pub trait Includes {
    /// The file that `name` means in the file `from` (the module's name as given to [`parse_module`], or an [`Included::name`]). A first
    /// component `$VAR` stands for an environment variable.
    ///
    /// # Errors
    /// Why it cannot be had.
    fn read(&self, kind: IncludeKind, name: &str, from: &str) -> Result<Included, IncludeError>;
}

/// No include files.
pub struct NoIncludes;

impl Includes for NoIncludes {
    fn read(&self, _: IncludeKind, _: &str, _: &str) -> Result<Included, IncludeError> {
        Err(IncludeError::NoFiles)
    }
}

/// Reads expressions separated by commas, as at a debugger's prompt; a final dot may be left out. Places count from the text's start.
///
/// # Errors
/// Every error found, at least one.
pub fn parse_expressions(source: &str) -> Result<Vec<ast::Expr>, Vec<Diagnostic>> {
    let mut tokens = Vec::new();
    let mut scanner = scan::Scanner::new(source, 0);
    let scanned = scanner.form(&mut tokens).and_then(|_| scanner.form(&mut tokens));
    let parsed = match scanned {
        Err(error) => {
            let mut diagnostic = Diagnostic::error(DiagnosticKind::Scan, error.loc, error.message);
            diagnostic.hint = error.hint;
            Err(vec![diagnostic])
        }
        Ok(_) => parse::parse_exprs(&tokens),
    };
    parsed.map_err(|mut diagnostics| {
        let texts = std::iter::once((0, Arc::from(source))).collect();
        let files = ["prompt".into()];
        let mut locator = Locator::new(&files, &texts);
        diagnostics.iter_mut().for_each(|diagnostic| locator.locate(diagnostic));
        diagnostics
    })
}

/// Reads terms that each end with a dot, as `file:consult/1` does, without evaluating anything.
///
/// # Errors
/// The first error.
pub fn parse_terms(source: &[u8]) -> Result<Vec<ast::Expr>, TermsError> {
    let text = preprocess::text::decode(source).map_err(|(line, _)| TermsError {
        line: Some(line),
        fault: TermsFault::NotUtf8,
    })?;
    let mut scanner = scan::Scanner::new(&text, 0);
    let mut terms = Vec::new();
    loop {
        let mut tokens = Vec::new();
        match scanner.form(&mut tokens) {
            Err(error) => {
                return Err(TermsError {
                    line: Some(error.loc.line),
                    fault: TermsFault::Syntax(error.message),
                });
            }
            Ok(false) => return Ok(terms),
            Ok(true) => {}
        }
        let parsed = parse::parse_exprs(&tokens).map_err(|diagnostics| {
            let first = diagnostics.into_iter().next();
            TermsError {
                line: first.as_ref().map(|error| error.loc.line),
                fault: TermsFault::Syntax(first.map_or_else(String::new, |error| error.message)),
            }
        })?;
        match <[ast::Expr; 1]>::try_from(parsed) {
            Ok([term]) => terms.push(term),
            Err(several) => {
                let line = several.get(1).map_or(1, |term| term.loc.line);
                return Err(TermsError {
                    line: Some(line),
                    fault: TermsFault::NoDot,
                });
            }
        }
    }
}

/// Whether two source files have the same tokens. They may then differ in comments and layout, and in the value of `?LINE`.
#[must_use]
pub fn has_same_tokens(one: &[u8], other: &[u8]) -> bool {
    let tokens = tokens_of(one);
    tokens.is_some() && tokens == tokens_of(other)
}

fn tokens_of(source: &[u8]) -> Option<Vec<token::Tok>> {
    let text = preprocess::text::decode(source).ok()?;
    let mut scanner = scan::Scanner::new(&text, 0);
    let mut tokens = Vec::new();
    while scanner.form(&mut tokens).ok()? {}
    Some(tokens.into_iter().map(|token| token.tok).collect())
}

/// A module without errors.
#[derive(Debug)]
pub struct Parsed {
    /// The tree.
    pub module: ast::Module,
    /// Shown with `-W`.
    pub warnings: Vec<Diagnostic>,
    /// The forms that came out of parse transforms, in the external term format, for [`parse_forms`]; none if only those ran that are built in.
    pub forms: Option<Vec<u8>>,
}

/// Reads a module: its file `name` with the bytes `source`, and what it includes. A parse transform that is not built in is an error.
///
/// # Errors
/// Every error found, by file and place, at least one, and among them the warnings. Any bytes give a result; none makes it panic.
pub fn parse_module(
    name: &str,
    source: &[u8],
    options: &ReadOptions,
    includes: &dyn Includes,
) -> Result<Parsed, Vec<Diagnostic>> {
    parse_transformed(name, source, options, includes, &NoTransforms)
}

/// As [`parse_module`], with somebody who runs parse transforms. They run only if there are no errors before.
///
/// # Errors
/// Those of [`parse_module`], and those of the transforms.
pub fn parse_transformed(
    name: &str,
    source: &[u8],
    options: &ReadOptions,
    includes: &dyn Includes,
    transforms: &dyn Transforms,
) -> Result<Parsed, Vec<Diagnostic>> {
    let mut session = Session::new(options, includes);
    session.run(name, source);
    let Session {
        mut module,
        mut diagnostics,
        texts,
        is_cut,
        ..
    } = session;
    let wanted = if options.transforms && !is_cut {
        transform::wanted(&module, options)
    } else {
        Vec::new()
    };
    if !wanted.iter().all(transform::is_built_in) {
        diagnostics.retain(|found| !transform::may_be_made_right(found));
        // Other errors may follow from what the transforms have not done.
        if is_wrong(&diagnostics) {
            return finished(module, diagnostics, &texts);
        }
        let changed = transform::apply_all(module, &wanted, options, texts, diagnostics, transforms);
        let mut module = changed.module;
        let mut diagnostics = changed.diagnostics;
        if changed.forms.is_some() {
            diagnostics.extend(lint::lint(&module, is_wrong(&diagnostics)));
            transform::funs::rewrite(&mut module);
        }
        let mut parsed = finished(module, diagnostics, &changed.texts)?;
        parsed.forms = changed.forms;
        return Ok(parsed);
    }
    if options.export_all {
        module.attributes.push(exports_all());
    }
    if !is_cut {
        for (name, _) in wanted {
            transform::apply_built_in(name, &mut module, &mut diagnostics);
        }
        diagnostics.extend(lint::lint(&module, is_wrong(&diagnostics)));
        if options.transforms {
            transform::funs::rewrite(&mut module);
        }
    }
    finished(module, diagnostics, &texts)
}

/// The forms of a module before its parse transforms, in the external term format, for a caller that runs them itself, and their names without those
/// that are built in: these were applied. Nothing else is checked than the syntax.
///
/// # Errors
/// Those of [`parse_module`] that no transform can make right.
pub fn before_transforms(
    name: &str,
    source: &[u8],
    options: &ReadOptions,
    includes: &dyn Includes,
) -> Result<(Vec<u8>, Vec<atom::Atom>), Vec<Diagnostic>> {
    let mut session = Session::new(options, includes);
    session.run(name, source);
    let Session {
        mut module,
        mut diagnostics,
        texts,
        ..
    } = session;
    let wanted = transform::wanted(&module, options);
    let (built_in, others): (Vec<_>, Vec<_>) = wanted.into_iter().partition(transform::is_built_in);
    diagnostics.retain(|found| !transform::may_be_made_right(found));
    transform::forget_wanted(&mut module);
    for (name, _) in built_in {
        transform::apply_built_in(name, &mut module, &mut diagnostics);
    }
    let forms = abstract_code::to_external(&module);
    finished(module, diagnostics, &texts)?;
    Ok((forms, others.into_iter().map(|(name, _)| name).collect()))
}

/// Reads a module from its forms in the external term format: what `compile:forms/2` takes, after all parse transforms. They are checked as
/// those of a source.
///
/// # Errors
/// Every error found, at least one, and among them the warnings: forms that are none at all, with their place in the list, and errors by place
/// in the source. Any bytes give a result; none makes it panic.
pub fn check_forms(external: &[u8]) -> Result<Parsed, Vec<Diagnostic>> {
    read_forms(external, lint::lint)
}

/// The same for forms that a compiler has checked before: warnings of clauses that are hidden by others are missing.
///
/// # Errors
/// As for [`check_forms`].
pub fn parse_forms(external: &[u8]) -> Result<Parsed, Vec<Diagnostic>> {
    read_forms(external, lint::lint_again)
}

fn read_forms(external: &[u8], lint: fn(&ast::Module, bool) -> Vec<Diagnostic>) -> Result<Parsed, Vec<Diagnostic>> {
    let forms = abstract_code::from_external(external).map_err(|error| vec![error.diagnostic()])?;
    let abstract_code::Forms {
        mut module,
        mut diagnostics,
    } = forms;
    diagnostics.extend(lint(&module, is_wrong(&diagnostics)));
    transform::funs::rewrite(&mut module);
    finished(module, diagnostics, &FxHashMap::default())
}

fn is_wrong(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(|found| found.kind != DiagnosticKind::Warning)
}

/// Orders the diagnostics, and tells a module without errors from others.
fn finished(
    module: ast::Module,
    mut diagnostics: Vec<Diagnostic>,
    texts: &FxHashMap<u16, Arc<str>>,
) -> Result<Parsed, Vec<Diagnostic>> {
    // Syntax errors come first: other errors may be consequences of them.
    let rank = |kind| match kind {
        DiagnosticKind::Scan | DiagnosticKind::Preprocess | DiagnosticKind::Parse => 0,
        DiagnosticKind::Lint | DiagnosticKind::Unsupported => 1,
        DiagnosticKind::Warning => 2,
    };
    diagnostics.sort_by_key(|Diagnostic { kind, loc, .. }| (rank(*kind), loc.file, loc.line, loc.col));
    let mut locator = Locator::new(&module.files, texts);
    diagnostics.iter_mut().for_each(|diagnostic| locator.locate(diagnostic));
    if is_wrong(&diagnostics) {
        Err(diagnostics)
    } else {
        Ok(Parsed {
            module,
            warnings: diagnostics,
            forms: None,
        })
    }
}

/// `-compile([export_all, nowarn_export_all])`, which the compiler was told beside the file.
fn exports_all() -> ast::Attribute {
    let atom = |name: &str| ast::Expr {
        loc: ast::Loc::default(),
        kind: ast::ExprKind::Atom(atom::Atom::new(name)),
    };
    ast::Attribute {
        loc: ast::Loc::default(),
        name: atom::Atom::COMPILE,
        value: ast::Expr {
            loc: ast::Loc::default(),
            kind: ast::ExprKind::List(ast::List {
                items: ["export_all", "nowarn_export_all"].map(atom).to_vec(),
                tail: None,
                end: ast::Loc::default(),
            }),
        },
    }
}

//! Parse transforms: what changes the forms of a module between parsing and lint.
//!
//! A module asks for them with `-compile({parse_transform, Name})`, often through a header; a project can ask for them for all its modules. Two are
//! built in: `eunit_autoexport` (eunit.hrl) and `ms_transform` (ms_transform.hrl). All others are modules of Erlang that the caller runs
//! ([`Transforms`]).

mod eunit;
pub(super) mod funs;
mod match_spec;

use std::fmt;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::abstract_code::{self, from_external, to_external};
use super::ast::*;
use super::diagnostic::{Diagnostic, DiagnosticKind};
use crate::ReadOptions;
use crate::atom::Atom;
use crate::token::quoted_atom;

/// The transforms that are built in.
const BUILT_IN: [&str; 2] = ["eunit_autoexport", "ms_transform"];

/// Runs parse transforms that are modules of Erlang.
pub trait Transforms {
    /// `Name:parse_transform(Forms, Options)`. The forms, of the file `file`, are in the external term format; so are those that come out.
    ///
    /// # Errors
    /// What the transform, or whoever runs it, says against the module.
    fn transform(&self, name: Atom, file: &str, forms: Vec<u8>) -> Result<Transformed, Untransformed>;
}

/// Nobody runs transforms here.
pub struct NoTransforms;

impl Transforms for NoTransforms {
    fn transform(&self, name: Atom, _: &str, _: Vec<u8>) -> Result<Transformed, Untransformed> {
        Err(Untransformed::Unsupported(format!(
            "parse transform {} is not supported here",
            quoted_atom(name)
        )))
    }
}

/// What a transform gives.
#[derive(Clone, Debug, Default)]
pub struct Transformed {
    /// Forms in the external term format.
    pub forms: Vec<u8>,
    /// Its warnings.
    pub warnings: Vec<Remark>,
}

/// Why there are no forms.
#[derive(Clone, Debug)]
pub enum Untransformed {
    /// Errors, at least one, and warnings.
    Wrong(Vec<Remark>, Vec<Remark>),
    /// Transforms are not run.
    Unsupported(String),
}

impl Untransformed {
    /// One error, at the place where the transform is asked for.
    pub fn because(message: impl Into<String>) -> Untransformed {
        let remark = Remark {
            file: String::new(),
            line: 0,
            col: 0,
            message: message.into(),
        };
        Untransformed::Wrong(vec![remark], Vec::new())
    }
}

/// The errors, without their places.
impl fmt::Display for Untransformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Untransformed::Wrong(errors, _) => {
                let messages: Vec<&str> = errors.iter().map(|error| &*error.message).collect();
                f.write_str(&messages.join("; "))
            }
            Untransformed::Unsupported(why) => f.write_str(why),
        }
    }
}

/// An error or warning of a transform.
#[derive(Clone, Debug, PartialEq)]
pub struct Remark {
    /// The file; empty where the transform was asked for.
    pub file: String,
    /// The line; 0 where there is none.
    pub line: u32,
    /// The column; 0 where there is none.
    pub col: u16,
    /// The text.
    pub message: String,
}

/// A transform that a module asks for, and where.
pub(super) type WantedTransform = (Atom, Loc);

/// Is it one that needs nobody to run it?
pub(super) fn is_built_in(wanted: &WantedTransform) -> bool {
    BUILT_IN.contains(&wanted.0.as_str())
}

/// Applies a transform that is built in.
pub(super) fn apply_built_in(name: Atom, module: &mut Module, diagnostics: &mut Vec<Diagnostic>) {
    match name.as_str() {
        "eunit_autoexport" => eunit::auto_export(module),
        "ms_transform" => match_spec::translate(module, diagnostics),
        _ => {}
    }
}

/// The transforms of a module in the order in which they are applied: those of the options, then its own. One that is built in is there once.
pub(super) fn wanted(module: &Module, options: &ReadOptions) -> Vec<WantedTransform> {
    fn collect(option: &Expr, names: &mut Vec<WantedTransform>) {
        match &option.kind {
            ExprKind::List(list) => list.items.iter().for_each(|item| collect(item, names)),
            _ => {
                if let Some(wanted) = asked_for(option)
                    && !(is_built_in(&wanted) && names.iter().any(|(known, _)| *known == wanted.0))
                {
                    names.push(wanted);
                }
            }
        }
    }
    let given = options.parse_transforms.iter();
    let mut names: Vec<WantedTransform> = given.map(|name| (Atom::new(name), Loc::NONE)).collect();
    for attribute in module
        .attributes
        .iter()
        .filter(|attribute| attribute.name == Atom::COMPILE)
    {
        collect(&attribute.value, &mut names);
    }
    names
}

/// `{parse_transform, Name}`
fn asked_for(option: &Expr) -> Option<WantedTransform> {
    let ExprKind::Tuple(parts) = &option.kind else {
        return None;
    };
    match &parts[..] {
        [
            Expr {
                kind: ExprKind::Atom(Atom::PARSE_TRANSFORM),
                ..
            },
            Expr {
                kind: ExprKind::Atom(name),
                loc,
            },
        ] => Some((*name, *loc)),
        _ => None,
    }
}

/// A module that transforms have changed.
pub(super) struct Changed {
    pub module: Module,
    pub diagnostics: Vec<Diagnostic>,
    /// The texts of its files.
    pub texts: FxHashMap<u16, Arc<str>>,
    /// The forms; none if there are errors.
    pub forms: Option<Vec<u8>>,
}

/// Applies all transforms to a module. `diagnostics`: its warnings so far.
pub(super) fn apply_all(
    mut module: Module,
    wanted: &[WantedTransform],
    options: &ReadOptions,
    texts: FxHashMap<u16, Arc<str>>,
    mut diagnostics: Vec<Diagnostic>,
    transforms: &dyn Transforms,
) -> Changed {
    forget_wanted(&mut module);
    let first_files = module.files.clone();
    let own = first_files.first().cloned().unwrap_or_default();
    name_files(&mut diagnostics, &first_files);
    let mut is_whole = true;
    for (name, place) in wanted.iter().copied() {
        let from = diagnostics.len();
        if BUILT_IN.contains(&name.as_str()) {
            apply_built_in(name, &mut module, &mut diagnostics);
            name_files(&mut diagnostics[from..], &module.files);
            continue;
        }
        let asked = first_files.get(usize::from(place.file)).map_or("", |name| &**name);
        let (forms, remarks) = outcome(transforms.transform(name, &own, to_external(&module)), name);
        diagnostics.extend(remarks.into_iter().map(|remark| remark.diagnostic(place, asked, &own)));
        match forms {
            Ok(forms) => {
                let found = forms.diagnostics.into_iter();
                diagnostics.extend(found.filter(|found| !may_be_made_right(found)));
                module = forms.module;
            }
            Err(error) => {
                diagnostics.extend(error);
                is_whole = false;
                break;
            }
        }
    }
    if options.export_all {
        module.order.push(FormRef::Attribute(module.attributes.len()));
        module.attributes.push(crate::exports_all());
    }
    let forms = is_whole.then(|| to_external(&module));
    // The tree is the one that a replay reads.
    if let Some(read) = forms.as_ref().and_then(|forms| from_external(forms).ok()) {
        module = read.module;
        diagnostics.extend(read.diagnostics.into_iter().filter(may_be_made_right));
    }
    number_files(&mut diagnostics, &mut module.files);
    Changed {
        texts: renumbered(&first_files, &module.files, texts),
        module,
        diagnostics,
        forms,
    }
}

/// Is it an error that a transform can make right? It can make patterns of calls, as merl's does.
pub(super) fn may_be_made_right(found: &Diagnostic) -> bool {
    found.kind == DiagnosticKind::Lint && found.message.starts_with("illegal pattern")
}

/// Something that a transform says, and whether it is an error, a warning, or that there are no transforms here.
struct Said(DiagnosticKind, Remark);

impl Said {
    /// `own`: the file of the module.
    fn diagnostic(self, asked: Loc, file: &str, own: &str) -> Diagnostic {
        let Self(kind, remark) = self;
        let (loc, file) = match remark.line {
            0 => (asked, file),
            line => {
                let (col, at) = (remark.col, 0);
                let file = if remark.file.is_empty() { own } else { &*remark.file };
                (Loc { line, col, file: at }, file)
            }
        };
        let mut diagnostic = Diagnostic::error(kind, loc, remark.message);
        diagnostic.file = file.into();
        diagnostic
    }
}

type TransformForms = Result<abstract_code::Forms, Option<Diagnostic>>;

/// The forms that a transform gave, and what it said. What is wrong with the forms is told with its name.
fn outcome(result: Result<Transformed, Untransformed>, name: Atom) -> (TransformForms, Vec<Said>) {
    let said = |kind, all: Vec<Remark>| all.into_iter().map(move |remark| Said(kind, remark));
    match result {
        Ok(Transformed { forms, warnings }) => {
            let forms = from_external(&forms).map_err(|error| {
                let of = format!("these are the forms that the parse transform {name} returned");
                Some(error.diagnostic().hint(of))
            });
            (forms, said(DiagnosticKind::Warning, warnings).collect())
        }
        Err(Untransformed::Unsupported(message)) => {
            let Untransformed::Wrong(all, _) = Untransformed::because(message) else {
                return (Err(None), Vec::new());
            };
            (Err(None), said(DiagnosticKind::Unsupported, all).collect())
        }
        Err(Untransformed::Wrong(errors, warnings)) => (
            Err(None),
            said(DiagnosticKind::Warning, warnings)
                .chain(said(DiagnosticKind::Lint, errors))
                .collect(),
        ),
    }
}

fn name_files(diagnostics: &mut [Diagnostic], files: &[Box<str>]) {
    let name = |loc: Loc| Arc::from(files.get(usize::from(loc.file)).map_or("", |name| &**name));
    for diagnostic in diagnostics {
        diagnostic.file = name(diagnostic.loc);
        for (loc, file, _) in &mut diagnostic.notes {
            *file = name(*loc);
        }
    }
}

/// Gives the files that diagnostics name their numbers among these, and adds those that are missing.
fn number_files(diagnostics: &mut [Diagnostic], files: &mut Vec<Box<str>>) {
    let mut number = |name: &str| {
        let known = files.iter().position(|file| **file == *name);
        let at = known.unwrap_or_else(|| {
            files.push(name.into());
            files.len() - 1
        });
        u16::try_from(at).unwrap_or(u16::MAX)
    };
    for diagnostic in diagnostics {
        diagnostic.loc.file = number(&diagnostic.file);
        for (loc, file, _) in &mut diagnostic.notes {
            loc.file = number(file);
        }
    }
}

/// As OTP's compiler does it, so that the options are not found in the forms again.
pub(super) fn forget_wanted(module: &mut Module) {
    let mut gone = Vec::new();
    for (index, attribute) in module.attributes.iter_mut().enumerate() {
        if attribute.name != Atom::COMPILE {
            continue;
        }
        if asked_for(&attribute.value).is_some() {
            gone.push(FormRef::Attribute(index));
        } else if let ExprKind::List(list) = &mut attribute.value.kind {
            list.items.retain(|option| asked_for(option).is_none());
            if list.items.is_empty() && list.tail.is_none() {
                attribute.value.kind = ExprKind::Nil;
            }
        }
    }
    module.order.retain(|form| !gone.contains(form));
}

/// The texts by the numbers that other forms give the files.
fn renumbered(old: &[Box<str>], new: &[Box<str>], texts: FxHashMap<u16, Arc<str>>) -> FxHashMap<u16, Arc<str>> {
    let number = |at: u16| {
        let name = old.get(usize::from(at))?;
        u16::try_from(new.iter().position(|other| other == name)?).ok()
    };
    texts
        .into_iter()
        .filter_map(|(at, text)| Some((number(at)?, text)))
        .collect()
}

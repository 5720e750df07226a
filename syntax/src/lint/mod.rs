//! What `erl_lint` checks: everything about meaning that can be known before a program runs.
//!
//! Errors are those of OTP 25, in its words; warnings are those that people rely on. Forms that do not parse are missing: a call of a function
//! that one of them defines is reported, as by `erlc`.

mod always;
mod covers;
mod expr;
mod format;
mod guard;
mod module;
mod obsolete;
mod pattern;
mod promises;
mod scope;
mod types;
mod unwanted;

use rustc_hash::{FxHashMap, FxHashSet};

pub use self::guard::is_guard_test;
use self::scope::Scope;
use super::ast::*;
use super::diagnostic::{Diagnostic, DiagnosticKind};
use super::token::quoted_atom;
use crate::atom::Atom;

/// Maximum number of arguments of a function.
const MAX_ARGUMENTS: u32 = 255;

/// Checks a module; errors and warnings in the order found. `is_wrong`: whether there are errors already.
pub fn lint(module: &Module, is_wrong: bool) -> Vec<Diagnostic> {
    let mut linter = Linter::new(module);
    linter.module();
    told(linter, is_wrong)
}

/// The same for a module of which a compiler has warned already: clauses are not compared with those before them.
pub fn lint_again(module: &Module, is_wrong: bool) -> Vec<Diagnostic> {
    let mut linter = Linter::new(module);
    linter.compares_clauses = false;
    linter.module();
    told(linter, is_wrong)
}

fn told(linter: Linter<'_>, is_wrong: bool) -> Vec<Diagnostic> {
    let Linter {
        mut diagnostics,
        remarks,
        ..
    } = linter;
    if !is_wrong && diagnostics.iter().all(|found| found.kind == DiagnosticKind::Warning) {
        diagnostics.extend(remarks);
    }
    diagnostics
}

struct Linter<'a> {
    module: &'a Module,
    diagnostics: Vec<Diagnostic>,
    /// Warnings of OTP's optimiser, which runs only for modules without errors.
    remarks: Vec<Diagnostic>,
    /// Warnings about a value that apply if the variable bound to it, given by its site, is unused.
    if_unused: Vec<(usize, Diagnostic)>,
    /// The function of `-on_load`.
    on_load: Option<FunId>,
    /// `-export` attributes after a function: an error, and otherwise without effect.
    late_exports: FxHashSet<usize>,
    /// Whether `erlang:load_nif/2` is called.
    loads_nif: bool,
    /// Records defined so far.
    records: FxHashMap<Atom, RecordInfo<'a>>,
    /// Functions defined in the module, in all forms.
    locals: FxHashSet<FunId>,
    imports: FxHashMap<FunId, Atom>,
    no_auto_import: NoAutoImport,
    /// All options of `-compile` attributes.
    options: Vec<&'a Expr>,
    /// Calls within the module: caller, callee and place.
    calls: Vec<(Option<FunId>, FunId, Loc)>,
    /// The function that is being checked.
    current: Option<FunId>,
    scope: Scope,
    /// Whether this is the default value of a record field, outside funs and comprehensions, where nothing may be bound.
    in_record_default: bool,
    types: types::Types,
    /// Whether clauses are warned of that an earlier one hides.
    compares_clauses: bool,
}

struct RecordInfo<'a> {
    def: &'a RecordDef,
    used: bool,
}

/// `-compile({no_auto_import, …})`
enum NoAutoImport {
    All,
    These(FxHashSet<FunId>),
}

impl<'a> Linter<'a> {
    fn new(module: &'a Module) -> Linter<'a> {
        let locals = module.functions.iter().map(|function| FunId {
            name: function.name,
            arity: function.arity,
        });
        Linter {
            module,
            diagnostics: Vec::new(),
            remarks: Vec::new(),
            if_unused: Vec::new(),
            on_load: None,
            late_exports: FxHashSet::default(),
            loads_nif: false,
            records: FxHashMap::default(),
            locals: locals.collect(),
            imports: FxHashMap::default(),
            no_auto_import: NoAutoImport::These(FxHashSet::default()),
            options: Vec::new(),
            calls: Vec::new(),
            current: None,
            scope: Scope::default(),
            in_record_default: false,
            types: types::Types::default(),
            compares_clauses: true,
        }
    }

    fn error(&mut self, loc: Loc, message: impl Into<String>) {
        self.diagnostics
            .push(Diagnostic::error(DiagnosticKind::Lint, loc, message));
    }

    fn hinted_error(&mut self, loc: Loc, message: impl Into<String>, hint: impl Into<String>) {
        self.diagnostics
            .push(Diagnostic::error(DiagnosticKind::Lint, loc, message).hint(hint));
    }

    fn warn(&mut self, loc: Loc, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::warning(loc, message));
    }

    fn remark(&mut self, loc: Loc, message: impl Into<String>) {
        self.remarks.push(Diagnostic::warning(loc, message));
    }

    fn is_auto_imported(&self, id: FunId) -> bool {
        let suppressed = match &self.no_auto_import {
            NoAutoImport::All => true,
            NoAutoImport::These(ids) => ids.contains(&id),
        };
        super::builtin::bif(id).is_some() && !suppressed
    }

    /// Reports an undefined record; returns whether it is defined.
    fn record(&mut self, loc: Loc, name: Atom) -> bool {
        match self.records.get_mut(&name) {
            Some(record) => {
                record.used = true;
                true
            }
            None => {
                let similar = similar(name, self.records.keys().copied());
                let message = format!("record {} undefined", quoted_atom(name));
                match similar {
                    Some(similar) => {
                        self.hinted_error(loc, message, format!("did you mean #{}?", quoted_atom(similar)))
                    }
                    None => self.error(loc, message),
                }
                false
            }
        }
    }

    /// Reports a field that is missing in its (defined) record.
    fn field(&mut self, record: Atom, field: Name) {
        let def = self.records[&record].def;
        if !def.fields.iter().any(|known| known.name == field.atom) {
            let message = format!(
                "field {} undefined in record {}",
                quoted_atom(field.atom),
                quoted_atom(record)
            );
            let mut error =
                Diagnostic::error(DiagnosticKind::Lint, field.loc, message).note(def.loc, "the record is defined here");
            if let Some(similar) = similar(field.atom, def.fields.iter().map(|field| field.name)) {
                error = error.hint(format!("did you mean {}?", quoted_atom(similar)));
            }
            self.diagnostics.push(error);
        }
    }
}

/// A name that differs by one letter or by case.
fn similar(name: Atom, known: impl Iterator<Item = Atom>) -> Option<Atom> {
    let close = |a: &str, b: &str| {
        if a.eq_ignore_ascii_case(b) {
            return true;
        }
        let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
        let prefix = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
        let suffix = a[prefix..]
            .iter()
            .rev()
            .zip(b[prefix..].iter().rev())
            .take_while(|(x, y)| x == y)
            .count();
        let longest = a.len().max(b.len());
        let differing = longest - prefix - suffix;
        let swapped = differing == 2 && a.len() == b.len() && a[prefix] == b[prefix + 1] && a[prefix + 1] == b[prefix];
        longest > 2 && (differing <= 1 || swapped)
    };
    let mut names: Vec<Atom> = known.filter(|other| close(name.as_str(), other.as_str())).collect();
    names.sort_unstable_by_key(|name| name.as_str());
    names.first().copied()
}

/// `name/arity` as messages print it.
fn shown(id: FunId) -> String {
    format!("{}/{}", quoted_atom(id.name), id.arity)
}

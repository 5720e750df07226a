//! The parse transforms that are built in, applied to the tree between parsing and lint.
//!
//! A module asks for them with `-compile({parse_transform, Name})`, usually through a header: `eunit_autoexport` (eunit.hrl) and
//! `ms_transform` (ms_transform.hrl). Lint refuses every other.

mod eunit;
pub(super) mod funs;
mod match_spec;

use super::ast::*;
use super::diagnostic::Diagnostic;
use crate::atom::Atom;

/// Applies the transforms that the module names; returns their errors.
pub(super) fn transform(module: &mut Module) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    for name in wanted(module) {
        match name.as_str() {
            "eunit_autoexport" => eunit::auto_export(module),
            "ms_transform" => match_spec::translate(module, &mut diagnostics),
            _ => {}
        }
    }
    diagnostics
}

fn wanted(module: &Module) -> Vec<Atom> {
    fn collect(option: &Expr, names: &mut Vec<Atom>) {
        match &option.kind {
            ExprKind::List(list) => list.items.iter().for_each(|item| collect(item, names)),
            ExprKind::Tuple(parts) => {
                if let [
                    Expr {
                        kind: ExprKind::Atom(Atom::PARSE_TRANSFORM),
                        ..
                    },
                    Expr {
                        kind: ExprKind::Atom(name),
                        ..
                    },
                ] = &parts[..]
                    && !names.contains(name)
                {
                    names.push(*name);
                }
            }
            _ => {}
        }
    }
    let mut names = Vec::new();
    for attribute in module
        .attributes
        .iter()
        .filter(|attribute| attribute.name == Atom::COMPILE)
    {
        collect(&attribute.value, &mut names);
    }
    names
}

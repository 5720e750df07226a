//! Attributes that make statements about functions: `-dialyzer`, `-deprecated`, `-removed`, `-nifs`.

use super::module::{flatten, fun_id};
use super::{Linter, shown};
use crate::ast::*;
use crate::atom::Atom;
use crate::stack::with_stack;
use crate::token::quoted_atom;

/// Options of `-dialyzer` for modules and functions (`erl_lint:is_module_dialyzer_option/1`).
const DIALYZER: [&str; 24] = [
    "no_return",
    "no_unused",
    "no_improper_lists",
    "no_fun_app",
    "no_match",
    "no_opaque",
    "no_opaque_union",
    "no_fail_call",
    "no_contracts",
    "no_behaviours",
    "no_undefined_callbacks",
    "unmatched_returns",
    "error_handling",
    "race_conditions",
    "no_missing_calls",
    "specdiffs",
    "overspecs",
    "underspecs",
    "unknown",
    "no_underspecs",
    "extra_return",
    "no_extra_return",
    "missing_return",
    "no_missing_return",
];

/// What an entry of `-deprecated` or `-removed` names.
enum Named {
    /// Every function.
    All,
    /// Every function of this name.
    Name(Atom),
    Function(FunId),
}

impl Named {
    fn of(name: &Expr, arity: &Expr) -> Option<Named> {
        match (&name.kind, &arity.kind) {
            (ExprKind::Atom(Atom::WILDCARD), ExprKind::Atom(Atom::WILDCARD)) => Some(Named::All),
            (ExprKind::Atom(name), ExprKind::Atom(Atom::WILDCARD)) => Some(Named::Name(*name)),
            (ExprKind::Atom(name), ExprKind::Integer(arity)) => Some(Named::Function(FunId {
                name: *name,
                arity: u32::try_from(*arity).ok()?,
            })),
            _ => None,
        }
    }

    fn covers(&self, id: FunId) -> bool {
        match self {
            Named::All => true,
            Named::Name(name) => id.name == *name,
            Named::Function(function) => id == *function,
        }
    }

    fn shown(&self) -> String {
        match self {
            Named::All => "'_'/'_'".to_owned(),
            Named::Name(name) => format!("{}/'_'", quoted_atom(*name)),
            Named::Function(id) => shown(*id),
        }
    }
}

impl<'a> Linter<'a> {
    pub(super) fn promises(&mut self) {
        for attribute in &self.module.attributes {
            let (loc, mut values) = (attribute.loc, Vec::new());
            flatten(&attribute.value, &mut values);
            match attribute.name.as_str() {
                "dialyzer" => self.dialyzer(loc, &values),
                "deprecated" => values.iter().for_each(|value| self.deprecated(loc, value)),
                "removed" => values.iter().for_each(|value| self.removed(loc, value)),
                "nifs" => self.nifs(loc, &values),
                _ => {}
            }
        }
    }

    fn dialyzer(&mut self, loc: Loc, values: &[&'a Expr]) {
        for value in values {
            match &value.kind {
                ExprKind::Tuple(parts) if parts.len() == 2 => {
                    let (mut options, mut ids) = (Vec::new(), Vec::new());
                    flatten(&parts[0], &mut options);
                    flatten(&parts[1], &mut ids);
                    for option in &options {
                        ids.iter().for_each(|id| self.dialyzer_function(loc, option, id));
                    }
                }
                ExprKind::Atom(option) if DIALYZER.contains(&option.as_str()) => {}
                ExprKind::Atom(option) => self.unknown_dialyzer(loc, *option),
                _ => bad_terms(value)
                    .iter()
                    .for_each(|term| self.error(loc, format!("badly formed dialyzer attribute: {term}"))),
            }
        }
    }

    fn dialyzer_function(&mut self, loc: Loc, option: &Expr, function: &Expr) {
        let (ExprKind::Atom(option), Some(id)) = (&option.kind, fun_id(function)) else {
            let shown = format!("{{{},{}}}", term(option), term(function));
            return self.error(loc, format!("badly formed dialyzer attribute: {shown}"));
        };
        if option.as_str() != "nowarn_function" && !DIALYZER.contains(&option.as_str()) {
            self.unknown_dialyzer(loc, *option);
        } else if !self.locals.contains(&id) {
            self.error(loc, format!("function {} undefined", shown(id)));
        }
    }

    fn unknown_dialyzer(&mut self, loc: Loc, option: Atom) {
        let option = quoted_atom(option);
        self.error(loc, format!("unknown dialyzer warning option: {option}"));
    }

    fn exports_any(&self, named: &Named) -> bool {
        let everything = self.is_silenced("export_all");
        let exported = self.module.exports.iter().flat_map(|export| &export.items);
        exported.map(|(_, id)| *id).any(|id| named.covers(id))
            || everything && self.locals.iter().any(|id| named.covers(*id))
    }

    fn deprecated(&mut self, loc: Loc, value: &Expr) {
        let badly = |shown: String| format!("badly formed deprecated attribute {shown}");
        let parts = match &value.kind {
            ExprKind::Atom(name) if name.as_str() == "module" => return,
            ExprKind::Tuple(parts) if (2..=3).contains(&parts.len()) => parts,
            _ => {
                return bad_terms(value)
                    .into_iter()
                    .for_each(|shown| self.error(loc, badly(shown)));
            }
        };
        let is_flag = |flag: &Expr| match &flag.kind {
            ExprKind::Atom(name) => matches!(name.as_str(), "next_version" | "next_major_release" | "eventually"),
            _ => is_text(flag),
        };
        if parts.get(2).is_some_and(|flag| !is_flag(flag)) {
            return self.error(loc, badly(term(value)));
        }
        match Named::of(&parts[0], &parts[1]) {
            None => self.error(loc, badly(format!("{{{},{}}}", term(&parts[0]), term(&parts[1])))),
            Some(Named::All) => {}
            Some(named) if self.exports_any(&named) => {}
            Some(named) => {
                let shown = named.shown();
                self.error(loc, format!("deprecated function {shown} undefined or not exported"));
            }
        }
    }

    fn removed(&mut self, loc: Loc, value: &Expr) {
        let badly = |shown: String| format!("badly formed removed attribute {shown}");
        let named = match &value.kind {
            ExprKind::Atom(name) if name.as_str() == "module" => Some(Named::All),
            ExprKind::Tuple(parts) if parts.len() == 2 || parts.len() == 3 && is_text(&parts[2]) => {
                let named = Named::of(&parts[0], &parts[1]);
                if named.is_none() {
                    return self.error(loc, badly(format!("{{{},{}}}", term(&parts[0]), term(&parts[1]))));
                }
                named
            }
            _ => None,
        };
        match named {
            None => bad_terms(value)
                .into_iter()
                .for_each(|shown| self.error(loc, badly(shown))),
            Some(named) if !self.exports_any(&named) => {}
            Some(named @ Named::Function(_)) => {
                let shown = named.shown();
                self.error(loc, format!("removed function {shown} is still exported"));
            }
            Some(named) => {
                let shown = named.shown();
                self.error(loc, format!("at least one function matching {shown} is still exported"));
            }
        }
    }

    fn nifs(&mut self, loc: Loc, values: &[&'a Expr]) {
        if !self.loads_nif && !values.is_empty() {
            self.warn(loc, "nifs defined, but no call to erlang:load_nif/2");
        }
        for id in values.iter().filter_map(|value| fun_id(value)) {
            if !self.locals.contains(&id) {
                self.error(loc, format!("nif {} undefined", shown(id)));
            }
        }
    }
}

/// Whether it is a list of characters.
fn is_text(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Nil | ExprKind::String(_) => true,
        ExprKind::List(list) => {
            let is_char = |item: &Expr| matches!(item.kind, ExprKind::Integer(_) | ExprKind::Char(_));
            list.tail.is_none() && list.items.iter().all(is_char)
        }
        _ => false,
    }
}

/// The terms that messages name for an invalid value; for a string, each of its characters.
fn bad_terms(value: &Expr) -> Vec<String> {
    match &value.kind {
        ExprKind::String(text) => text.chars().map(|c| u32::from(c).to_string()).collect(),
        _ => vec![term(value)],
    }
}

/// A constant as `~tw` prints it.
fn term(expr: &Expr) -> String {
    let join = |items: &[Expr]| items.iter().map(term).collect::<Vec<_>>().join(",");
    with_stack(|| match &expr.kind {
        ExprKind::Atom(name) => quoted_atom(*name),
        ExprKind::Integer(value) => value.to_string(),
        ExprKind::BigInteger(value) => value.to_string(),
        ExprKind::Char(c) => u32::from(*c).to_string(),
        ExprKind::Unary(op, operand) => format!("{}{}", op.as_str(), term(operand)),
        ExprKind::Nil => "[]".to_owned(),
        ExprKind::String(text) => {
            let chars: Vec<String> = text.chars().map(|c| u32::from(c).to_string()).collect();
            format!("[{}]", chars.join(","))
        }
        ExprKind::Tuple(items) => format!("{{{}}}", join(items)),
        ExprKind::List(list) => match &list.tail {
            Some(tail) => format!("[{}|{}]", join(&list.items), term(tail)),
            None => format!("[{}]", join(&list.items)),
        },
        _ => "…".to_owned(),
    })
}

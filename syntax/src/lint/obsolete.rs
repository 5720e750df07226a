//! Functions that are deprecated in OTP 25 or have been removed.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use super::Linter;
use super::module::flatten;
use crate::ast::{Expr, ExprKind, Loc};
use crate::atom::Atom;
use crate::token::quoted_atom;

const TABLE: &str = include_str!("obsolete.txt");

/// Lines of the table by module and function; `_` means all.
static OBSOLETE: LazyLock<FxHashMap<(&str, &str), Vec<Line>>> = LazyLock::new(|| {
    let mut lines: FxHashMap<(&str, &str), Vec<Line>> = FxHashMap::default();
    for line in TABLE.lines().filter(|line| !line.starts_with('#')) {
        let mut words = line.splitn(6, ' ');
        let mut word = || words.next().expect("six words a line");
        let (module, function) = (word(), word());
        let (arity, status, release, instead) = (word(), word(), word(), word());
        lines.entry((module, function)).or_default().push(Line {
            arity: arity.parse().ok(),
            status,
            release: (release != "-").then_some(release),
            instead,
        });
    }
    lines
});

struct Line {
    /// `None`: any.
    arity: Option<u32>,
    status: &'static str,
    release: Option<&'static str>,
    instead: &'static str,
}

impl Linter<'_> {
    /// Whether the function is named in `-compile({nowarn_deprecated_function, …})`.
    fn may_be_obsolete(&self, module: Atom, function: Atom, arity: u32) -> bool {
        let names = |item: &Expr| {
            let ExprKind::Tuple(parts) = &item.kind else {
                return false;
            };
            let kinds: Vec<&ExprKind> = parts.iter().map(|part| &part.kind).collect();
            matches!(kinds[..], [ExprKind::Atom(m), ExprKind::Atom(f), ExprKind::Integer(a)]
                if *m == module && *f == function && *a == i64::from(arity))
        };
        self.options.iter().any(|option| {
            let ExprKind::Tuple(parts) = &option.kind else {
                return false;
            };
            let [
                Expr {
                    kind: ExprKind::Atom(name),
                    ..
                },
                items,
            ] = &parts[..]
            else {
                return false;
            };
            let mut found = Vec::new();
            flatten(items, &mut found);
            name.as_str() == "nowarn_deprecated_function" && found.into_iter().any(names)
        })
    }

    pub(super) fn obsolete_call(&mut self, loc: Loc, module: Atom, function: Atom, arity: u32) {
        let fits = |line: &&Line| line.arity.is_none_or(|wanted| wanted == arity);
        let find = |function| OBSOLETE.get(&(module.as_str(), function))?.iter().find(fits);
        let Some(line) = find(function.as_str()).or_else(|| find("_")) else {
            return;
        };
        if self.is_silenced("nowarn_deprecated_function") || self.may_be_obsolete(module, function, arity) {
            return;
        }
        let call = format!("{}:{}/{arity}", quoted_atom(module), quoted_atom(function));
        let (status, instead) = (line.status, line.instead);
        match line.release {
            Some(release) => {
                let release = release.replace('_', " ");
                self.warn(
                    loc,
                    format!("{call} is {status} and will be removed in {release}; {instead}"),
                );
            }
            None => self.warn(loc, format!("{call} is {status}; {instead}")),
        }
    }
}

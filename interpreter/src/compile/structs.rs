//! The struct that a module of Elixir defines, as its `__info__/1` lists it: for those who print one.

use crate::atom::Atom;
use syntax::ast::{ExprKind, FunClause, Module, PatternKind};

/// The fields in the order of the definition; `None`: the module defines no struct, or is not of Elixir.
pub(super) fn fields(module: &Module) -> Option<Vec<Atom>> {
    let info = module
        .functions
        .iter()
        .find(|f| f.arity == 1 && f.name.as_str() == "__info__")?;
    let is_of_struct = |clause: &&FunClause| {
        let argument = clause.params.first().map(|pattern| &pattern.kind);
        matches!(argument, Some(PatternKind::Atom(name)) if name.as_str() == "struct")
    };
    let clause = info.clauses.iter().find(is_of_struct)?;
    let items = match &clause.body.last()?.kind {
        ExprKind::List(list) => &list.items[..],
        // A struct without fields.
        ExprKind::Nil => &[],
        _ => return None,
    };
    let field = |item: &syntax::ast::Expr| {
        let ExprKind::Map(pairs) = &item.kind else { return None };
        pairs.iter().find_map(|pair| match (&pair.key.kind, &pair.value.kind) {
            (ExprKind::Atom(key), ExprKind::Atom(name)) if key.as_str() == "field" => Some(*name),
            _ => None,
        })
    };
    let listed: Option<Vec<Atom>> = items.iter().map(field).collect();
    let is_own = |name: &Atom| !matches!(name.as_str(), "__struct__" | "__exception__");
    listed.map(|all| all.into_iter().filter(is_own).collect())
}

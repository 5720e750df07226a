//! `behaviour_info/1`, which a module with `-callback` has, as in OTP.

use crate::atom::Atom;
use syntax::ast::*;

/// The function, unless the module has no callbacks.
pub fn behaviour_info(module: &Module) -> Option<Function> {
    let callbacks: Vec<Expr> = module
        .specs
        .iter()
        .filter(|spec| spec.callback)
        .map(|spec| pair(spec.id))
        .collect();
    if callbacks.is_empty() {
        return None;
    }
    let optional = module
        .attributes
        .iter()
        .filter(|attribute| attribute.name.as_str() == "optional_callbacks")
        .filter_map(|attribute| match &attribute.value.kind {
            ExprKind::List(list) => Some(list.items.iter().cloned()),
            _ => None,
        })
        .flatten()
        .collect();
    Some(Function {
        loc: Loc::NONE,
        name: Atom::new("behaviour_info"),
        arity: 1,
        clauses: vec![clause("callbacks", callbacks), clause("optional_callbacks", optional)],
    })
}

fn clause(what: &str, pairs: Vec<Expr>) -> FunClause {
    let kind = match pairs.is_empty() {
        true => ExprKind::Nil,
        false => ExprKind::List(List {
            items: pairs,
            tail: None,
            end: Loc::NONE,
        }),
    };
    FunClause {
        loc: Loc::NONE,
        params: vec![Pattern::new(Loc::NONE, PatternKind::Atom(Atom::new(what)))],
        guard: Guard::default(),
        body: vec![Expr::new(Loc::NONE, kind)],
    }
}

fn pair(id: FunId) -> Expr {
    let name = Expr::new(Loc::NONE, ExprKind::Atom(id.name));
    let arity = Expr::new(Loc::NONE, ExprKind::Integer(i64::from(id.arity)));
    Expr::new(Loc::NONE, ExprKind::Tuple(vec![name, arity]))
}

//! Funs that OTP's compiler rewrites before compiling: `fun length/1` is `fun(X) -> length(X) end` (`erl_expand_records`), and `(fun
//! lists:map/2)(F, L)` calls `lists:map/2`. So `length` has no external fun here, and stack traces contain the fun.

use crate::ast::*;
use crate::atom::Atom;
use crate::builtin::bif;
use crate::stack::with_stack;
use crate::walk::expr_children_mut;

/// Rewrites them in the whole module. A BIF's name may refer to a function of the module; the call inside the fun finds it.
pub(crate) fn rewrite(module: &mut Module) {
    let bodies = module
        .functions
        .iter_mut()
        .flat_map(|function| &mut function.clauses)
        .flat_map(|clause| &mut clause.body);
    let defaults = module
        .records
        .iter_mut()
        .flat_map(|record| &mut record.fields)
        .filter_map(|field| field.default.as_mut());
    bodies.chain(defaults).for_each(rewrite_expr);
}

fn rewrite_expr(expr: &mut Expr) {
    with_stack(|| {
        expr_children_mut(expr, &mut rewrite_expr);
        match &mut expr.kind {
            ExprKind::FunLocal(id) if bif(*id).is_some() => expr.kind = ExprKind::Fun(vec![calling(expr.loc, *id)]),
            ExprKind::Call(call) => {
                if let Some(callee) = named(&call.callee, call.args.len()) {
                    call.callee = callee;
                }
            }
            _ => {}
        }
    });
}

/// The clause of a fun that calls the function. No variable of a program starts with a dash.
fn calling(loc: Loc, id: FunId) -> FunClause {
    let names: Vec<Atom> = (1..=id.arity).map(|n| Atom::new(&format!("-{n}"))).collect();
    let params = names.iter().map(|name| Pattern {
        loc,
        kind: PatternKind::Var(*name),
    });
    let args = names.iter().map(|name| Expr::new(loc, ExprKind::Var(*name)));
    let callee = Callee::Local(Name { loc, atom: id.name });
    FunClause {
        loc,
        params: params.collect(),
        guard: Vec::new(),
        body: vec![Expr::new(
            loc,
            ExprKind::Call(Box::new(Call {
                callee,
                args: args.collect(),
            })),
        )],
    }
}

/// The function that a call of `fun M:F/A` with A arguments calls.
fn named(callee: &Callee, args: usize) -> Option<Callee> {
    let Callee::Dynamic(Expr {
        loc,
        kind: ExprKind::FunRemote(parts),
    }) = callee
    else {
        return None;
    };
    match parts.each_ref() {
        [
            module @ Expr {
                kind: ExprKind::Atom(_),
                ..
            },
            function @ Expr {
                kind: ExprKind::Atom(_),
                ..
            },
            Expr {
                kind: ExprKind::Integer(arity),
                ..
            },
        ] if usize::try_from(*arity) == Ok(args) => Some(Callee::Remote {
            loc: *loc,
            module: module.clone(),
            function: function.clone(),
        }),
        _ => None,
    }
}

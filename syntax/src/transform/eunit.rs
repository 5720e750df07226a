//! `eunit_autoexport`: exports every test function, and adds `test/0`.

use crate::ast::*;
use crate::atom::Atom;

pub(super) fn auto_export(module: &mut Module) {
    let is_test = |name: Atom| name.as_str().ends_with("_test") || name.as_str().ends_with("_test_");
    let functions = module.functions.iter().filter(|function| function.arity == 0);
    let mut names: Vec<Atom> = functions
        .map(|function| function.name)
        .filter(|name| is_test(*name))
        .collect();
    let test = Atom::new("test");
    let has_test = module
        .functions
        .iter()
        .any(|function| function.name == test && function.arity == 0);
    if !has_test && let Some(own) = module.name {
        names.push(test);
        module.order.push(FormRef::Function(module.functions.len()));
        module.functions.push(test_function(test, own.atom));
    }
    let items = names
        .into_iter()
        .map(|name| (Loc::NONE, FunId { name, arity: 0 }))
        .collect();
    module.exports.push(Export { loc: Loc::NONE, items });
    let place = module
        .order
        .iter()
        .position(|form| *form == FormRef::Module)
        .map_or(0, |index| index + 1);
    module.order.insert(place, FormRef::Export(module.exports.len() - 1));
}

/// `test() -> eunit:test(Module).`
fn test_function(test: Atom, module: Atom) -> Function {
    let atom = |atom| Expr::new(Loc::NONE, ExprKind::Atom(atom));
    let callee = Callee::Remote {
        loc: Loc::NONE,
        module: atom(Atom::new("eunit")),
        function: atom(test),
    };
    let call = Expr::new(
        Loc::NONE,
        ExprKind::Call(Box::new(Call {
            callee,
            args: vec![atom(module)],
        })),
    );
    let clause = FunClause {
        loc: Loc::NONE,
        params: Vec::new(),
        guard: Vec::new(),
        body: vec![call],
    };
    Function {
        loc: Loc::NONE,
        name: test,
        arity: 0,
        clauses: vec![clause],
    }
}

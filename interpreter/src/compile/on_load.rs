//! `-on_load(F/0)`: who calls an exported function from outside waits until `F` has run. The functions behind the exports are made here:
//!
//! ```erlang
//! f(A, B) -> code:'$on_load'(m, f, [A, B], fun init/0), f(A, B).
//! ```
//!
//! Calls within the module do not come by here.

use crate::atom::Atom;
use syntax::ast::*;

/// The function that `code:ensure_loaded/1` calls, and the one of `code` that does the work.
pub const LOADING: &str = "$on_load";

/// The function that runs when the module is first called.
pub fn initial(module: &Module) -> Option<FunId> {
    let attribute = module
        .attributes
        .iter()
        .find(|attribute| attribute.name.as_str() == "on_load")?;
    let ExprKind::Tuple(parts) = &attribute.value.kind else {
        return None;
    };
    match &parts[..] {
        [
            Expr {
                kind: ExprKind::Atom(name),
                ..
            },
            Expr {
                kind: ExprKind::Integer(0),
                ..
            },
        ] => Some(FunId { name: *name, arity: 0 }),
        _ => None,
    }
}

/// A function for each exported one.
pub fn wrappers(module: &Module) -> Vec<Function> {
    let (Some(initial), Some(name)) = (initial(module), &module.name) else {
        return Vec::new();
    };
    let outer = module.functions.iter().filter(|function| {
        let is_initial = function.name == initial.name && function.arity == initial.arity;
        !is_initial
    });
    let mut all: Vec<Function> = outer.map(|function| wrapper(name.atom, function, initial)).collect();
    all.push(loading(name.atom, initial));
    all.push(initially(initial));
    all
}

/// What `code:ensure_loaded/1` calls: `'$on_load'() -> code:'$on_load'(m, '$on_load', [], fun init/0).`
fn loading(module: Atom, initial: FunId) -> Function {
    let name = Atom::new(LOADING);
    let run = run(module, name, ExprKind::Nil, initial);
    function(name, Vec::new(), vec![run])
}

/// What gives the function to who loads the module again: `'$on_load'(_) -> fun init/0.`
fn initially(initial: FunId) -> Function {
    function(
        Atom::new(LOADING),
        vec![Atom::new("_")],
        vec![expr(ExprKind::FunLocal(initial))],
    )
}

fn wrapper(module: Atom, of: &Function, initial: FunId) -> Function {
    let names: Vec<Atom> = (1..=of.arity).map(|n| Atom::new(&format!("A{n}"))).collect();
    let variables = || names.iter().map(|name| expr(ExprKind::Var(*name))).collect::<Vec<_>>();
    let list = match names.is_empty() {
        true => ExprKind::Nil,
        false => ExprKind::List(List {
            items: variables(),
            tail: None,
            end: Loc::NONE,
        }),
    };
    let go_on = Call {
        callee: Callee::Local(Name {
            loc: Loc::NONE,
            atom: of.name,
        }),
        args: variables(),
    };
    let body = vec![
        run(module, of.name, list, initial),
        expr(ExprKind::Call(Box::new(go_on))),
    ];
    function(of.name, names, body)
}

/// The call of `code:'$on_load'/4`.
fn run(module: Atom, name: Atom, arguments: ExprKind, initial: FunId) -> Expr {
    let call = Call {
        callee: Callee::Remote {
            loc: Loc::NONE,
            module: expr(ExprKind::Atom(Atom::new("code"))),
            function: expr(ExprKind::Atom(Atom::new(LOADING))),
        },
        args: vec![
            expr(ExprKind::Atom(module)),
            expr(ExprKind::Atom(name)),
            expr(arguments),
            expr(ExprKind::FunLocal(initial)),
        ],
    };
    expr(ExprKind::Call(Box::new(call)))
}

fn function(name: Atom, params: Vec<Atom>, body: Vec<Expr>) -> Function {
    let parameter = |name| Pattern::new(Loc::NONE, PatternKind::Var(name));
    Function {
        loc: Loc::NONE,
        name,
        arity: params.len() as u32,
        clauses: vec![FunClause {
            loc: Loc::NONE,
            params: params.into_iter().map(parameter).collect(),
            guard: Guard::default(),
            body,
        }],
    }
}

fn expr(kind: ExprKind) -> Expr {
    Expr::new(Loc::NONE, kind)
}

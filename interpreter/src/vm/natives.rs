//! Natives of the machine: raising, operators as functions, and facts about modules.

use super::program::Special;
use crate::arith;
use crate::atom::Atom;
use crate::heap::{Heap, TermView};
use crate::native::{Context, ExceptionClass, Native, NativeResult, Raise};
use crate::ops;
use crate::term::Term;

/// The table of this area.
pub(super) const NATIVES: &[Native] = &[
    Native::pure("erlang", "error", 1, |_, a| Err(Raise::error(a[0]))),
    Native::pure("erlang", "error", 2, |_, a| Err(Raise::error(a[0]))),
    Native::pure("erlang", "error", 3, |_, a| Err(Raise::error(a[0]))),
    Native::pure("erlang", "nif_error", 1, |_, a| Err(Raise::error(a[0]))),
    Native::pure("erlang", "nif_error", 2, |_, a| Err(Raise::error(a[0]))),
    Native::pure("erlang", "exit", 1, |_, a| Err(plain(ExceptionClass::Exit, a[0]))),
    Native::pure("erlang", "throw", 1, |_, a| Err(plain(ExceptionClass::Throw, a[0]))),
    Native::pure("erlang", "raise", 3, raise),
    Native::pure("erlang", "$raised_again", 2, |cx, args| Ok(raised_again(cx, args))),
    // The machine executes these itself; these functions are used only for their errors.
    Native::pure("erlang", "apply", 2, |_, _| Err(Raise::badarg())),
    Native::pure("erlang", "apply", 3, |_, _| Err(Raise::badarg())),
    Native::pure("erlang", "get_module_info", 1, module_info).retired(),
    Native::pure("erlang", "get_module_info", 2, module_info_item).retired(),
    Native::pure("erlang", "+", 1, |c, a| arith::plus(c.heap, a[0])),
    Native::pure("erlang", "-", 1, |c, a| arith::neg(c.heap, a[0])),
    Native::pure("erlang", "bnot", 1, |c, a| arith::bnot(c.heap, a[0])),
    Native::pure("erlang", "not", 1, |_, a| Ok(Term::boolean(!truth(a[0])?))),
    Native::pure("erlang", "and", 2, |_, a| {
        Ok(Term::boolean(truth(a[0])? & truth(a[1])?))
    }),
    Native::pure("erlang", "or", 2, |_, a| Ok(Term::boolean(truth(a[0])? | truth(a[1])?))),
    Native::pure("erlang", "xor", 2, |_, a| {
        Ok(Term::boolean(truth(a[0])? ^ truth(a[1])?))
    }),
    Native::pure("erlang", "+", 2, |c, a| arith::add(c.heap, a[0], a[1])),
    Native::pure("erlang", "-", 2, |c, a| arith::sub(c.heap, a[0], a[1])),
    Native::pure("erlang", "*", 2, |c, a| arith::mul(c.heap, a[0], a[1])),
    Native::pure("erlang", "/", 2, |c, a| arith::div(c.heap, a[0], a[1])),
    Native::pure("erlang", "div", 2, |c, a| arith::idiv(c.heap, a[0], a[1])),
    Native::pure("erlang", "rem", 2, |c, a| arith::rem(c.heap, a[0], a[1])),
    Native::pure("erlang", "band", 2, |c, a| arith::band(c.heap, a[0], a[1])),
    Native::pure("erlang", "bor", 2, |c, a| arith::bor(c.heap, a[0], a[1])),
    Native::pure("erlang", "bxor", 2, |c, a| arith::bxor(c.heap, a[0], a[1])),
    Native::pure("erlang", "bsl", 2, |c, a| arith::bsl(c.heap, a[0], a[1])),
    Native::pure("erlang", "bsr", 2, |c, a| arith::bsr(c.heap, a[0], a[1])),
    Native::pure("erlang", "==", 2, |c, a| {
        Ok(Term::boolean(ops::equal(c.heap, a[0], a[1])))
    }),
    Native::pure("erlang", "/=", 2, |c, a| {
        Ok(Term::boolean(!ops::equal(c.heap, a[0], a[1])))
    }),
    Native::pure("erlang", "=:=", 2, |c, a| {
        Ok(Term::boolean(ops::exact_equal(c.heap, a[0], a[1])))
    }),
    // The order of the keys of maps, in which 1 comes before 1.0.
    Native::pure("erts_internal", "cmp_term", 2, |c, a| {
        Ok(Term::small(ops::compare_exact(c.heap, a[0], a[1]) as i64))
    }),
    // Whether it is the same term in memory.
    Native::pure("erts_debug", "same", 2, |_, a| Ok(Term::boolean(a[0] == a[1]))),
    Native::pure("erlang", "=/=", 2, |c, a| {
        Ok(Term::boolean(!ops::exact_equal(c.heap, a[0], a[1])))
    }),
    Native::pure("erlang", "<", 2, |c, a| {
        Ok(Term::boolean(ops::compare(c.heap, a[0], a[1]).is_lt()))
    }),
    Native::pure("erlang", "=<", 2, |c, a| {
        Ok(Term::boolean(ops::compare(c.heap, a[0], a[1]).is_le()))
    }),
    Native::pure("erlang", ">", 2, |c, a| {
        Ok(Term::boolean(ops::compare(c.heap, a[0], a[1]).is_gt()))
    }),
    Native::pure("erlang", ">=", 2, |c, a| {
        Ok(Term::boolean(ops::compare(c.heap, a[0], a[1]).is_ge()))
    }),
    Native::pure("erlang", "$module_info", 2, module_info_item),
];

/// How the machine executes a native.
pub(super) fn special(native: &Native) -> Special {
    match (native.module, native.name, native.arity) {
        ("erlang", "error" | "exit" | "throw" | "nif_error", 1) | ("erlang", "raise", 3) => Special::Silent,
        ("erlang", "error", 2 | 3) | ("erlang", "nif_error", 2) => Special::ErrorArgs,
        ("erlang", "apply", 2 | 3) => Special::Apply,
        _ => Special::No,
    }
}

fn plain(class: ExceptionClass, reason: Term) -> Raise {
    Raise {
        class,
        reason,
        stacktrace: None,
        cause: None,
    }
}

fn truth(t: Term) -> Result<bool, Raise> {
    t.as_bool().ok_or(Raise::badarg())
}

/// `'$raised_again'(Reason, Stack)`: the stack trace of an exception that OTP raises again as it was caught. It keeps the arguments of a
/// function without a matching clause, and drops the function's location.
fn raised_again(cx: &mut Context<'_>, args: &[Term]) -> Term {
    let stack = args[1];
    if args[0] != Term::atom(Atom::FUNCTION_CLAUSE) {
        return stack;
    }
    let Some(entries) = cx.heap.list(stack).filter(|entries| !entries.is_empty()) else {
        return stack;
    };
    match cx.heap.tuple(entries[0]) {
        Some(&[module, function, arguments, _]) if arguments.is_list() => {
            let first = cx.heap.make_tuple(&[module, function, arguments, Term::NIL]);
            let rest = cx.heap.make_list(&entries[1..]);
            cx.heap.cons(first, rest)
        }
        _ => stack,
    }
}

/// An entry of a stack trace with a location: `{M, F, A}` and `{Fun, Args}` get an empty one.
fn with_location(heap: &mut Heap, entry: Term) -> Term {
    let parts = match heap.tuple(entry) {
        Some(&[fun, args]) => vec![fun, args, Term::NIL],
        Some(&[module, function, args]) if module.is_atom() => vec![module, function, args, Term::NIL],
        _ => return entry,
    };
    heap.make_tuple(&parts)
}

/// `erlang:raise/3`: returns `badarg` for a bad class or stack trace, as OTP does.
fn raise(cx: &mut Context<'_>, args: &[Term]) -> NativeResult {
    let class = match args[0].as_atom() {
        Some(Atom::ERROR) => ExceptionClass::Error,
        Some(Atom::EXIT_LOWER) => ExceptionClass::Exit,
        Some(Atom::THROW) => ExceptionClass::Throw,
        _ => return Ok(Term::atom(Atom::BADARG)),
    };
    let Some(entries) = cx.heap.list(args[2]) else {
        return Ok(Term::atom(Atom::BADARG));
    };
    let is_fun = |f| matches!(cx.heap.view(f), TermView::Fun { .. } | TermView::ExternalFun { .. });
    let good = entries.iter().all(|&e| match cx.heap.tuple(e) {
        Some(&[f, a]) => is_fun(f) && (a.is_list() || a.is_small()),
        Some(&[f, a, location]) if is_fun(f) => (a.is_list() || a.is_small()) && location.is_list(),
        Some(&[m, f, a]) => m.is_atom() && f.is_atom() && (a.is_list() || a.is_small()),
        Some(&[m, f, a, location]) => m.is_atom() && f.is_atom() && (a.is_list() || a.is_small()) && location.is_list(),
        _ => false,
    });
    if !good {
        return Ok(Term::atom(Atom::BADARG));
    }
    // An entry without a location gets an empty one.
    let is_short = |&e: &Term| match cx.heap.tuple(e) {
        Some(&[f, _, _]) => !is_fun(f),
        Some(entry) => entry.len() < 3,
        None => false,
    };
    let stacktrace = match entries.iter().any(is_short) {
        false => args[2],
        true => {
            let whole: Vec<Term> = entries.iter().map(|&e| with_location(cx.heap, e)).collect();
            cx.heap.make_list(&whole)
        }
    };
    Err(Raise {
        class,
        reason: args[1],
        stacktrace: Some(stacktrace),
        cause: None,
    })
}

fn exports(cx: &mut Context<'_>, module: Atom) -> Result<Term, Raise> {
    let exports = cx.code.exports(module).ok_or(Raise::badarg())?;
    let pairs: Vec<Term> = exports
        .iter()
        .filter(|(name, _)| !is_internal(*name))
        .map(|&(name, arity)| cx.heap.make_tuple(&[Term::atom(name), Term::small(i64::from(arity))]))
        .collect();
    Ok(cx.heap.make_list(&pairs))
}

/// The function of a module with `-on_load` that the library calls.
fn is_internal(name: Atom) -> bool {
    name.as_str() == crate::compile::on_load::LOADING
}

fn attributes(cx: &mut Context<'_>, module: Atom) -> Term {
    let pairs: Vec<Term> = cx
        .code
        .attributes(module)
        .iter()
        .map(|&(name, value)| cx.heap.make_tuple(&[Term::atom(name), value]))
        .collect();
    cx.heap.make_list(&pairs)
}

fn module_info_item(cx: &mut Context<'_>, args: &[Term]) -> NativeResult {
    let module = args[0].as_atom().ok_or(Raise::badarg())?;
    match args[1].as_atom().map(Atom::as_str) {
        Some("module") => Ok(args[0]),
        Some("exports" | "functions") => exports(cx, module),
        Some("attributes") => Ok(attributes(cx, module)),
        Some("compile" | "native_addresses" | "nifs") => Ok(Term::NIL),
        Some("native") => Ok(Term::boolean(false)),
        _ => Err(Raise::badarg()),
    }
}

fn module_info(cx: &mut Context<'_>, args: &[Term]) -> NativeResult {
    let module = args[0].as_atom().ok_or(Raise::badarg())?;
    let items = [
        ("module", args[0]),
        ("exports", exports(cx, module)?),
        ("attributes", attributes(cx, module)),
        ("compile", Term::NIL),
    ];
    let pairs: Vec<Term> = items
        .iter()
        .map(|&(k, v)| cx.heap.make_tuple(&[Term::atom(Atom::new(k)), v]))
        .collect();
    Ok(cx.heap.make_list(&pairs))
}

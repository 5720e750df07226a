//! Natives of the module `erlang` on numbers and on any term: operators as functions, type tests, rounding, hashes.

use num_bigint::BigInt;

use crate::arith::{self, Number, number, to_f64};
use crate::hash;
use crate::heap::TermView;
use crate::maps;
use crate::native::{Context, Native, NativeArgs, NativeResult, Raise};
use crate::ops;
use crate::term::{BoxKind, Term};

/// The table of this area.
pub const NATIVES: &[Native] = &[
    Native::pure("erlang", "+", 1, |cx, a| arith::plus(cx.heap, a[0])),
    Native::pure("erlang", "-", 1, |cx, a| arith::neg(cx.heap, a[0])),
    Native::pure("erlang", "+", 2, |cx, a| arith::add(cx.heap, a[0], a[1])),
    Native::pure("erlang", "-", 2, |cx, a| arith::sub(cx.heap, a[0], a[1])),
    Native::pure("erlang", "*", 2, |cx, a| arith::mul(cx.heap, a[0], a[1])),
    Native::pure("erlang", "/", 2, |cx, a| arith::div(cx.heap, a[0], a[1])),
    Native::pure("erlang", "div", 2, |cx, a| arith::idiv(cx.heap, a[0], a[1])),
    Native::pure("erlang", "rem", 2, |cx, a| arith::rem(cx.heap, a[0], a[1])),
    Native::pure("erlang", "band", 2, |cx, a| arith::band(cx.heap, a[0], a[1])),
    Native::pure("erlang", "bor", 2, |cx, a| arith::bor(cx.heap, a[0], a[1])),
    Native::pure("erlang", "bxor", 2, |cx, a| arith::bxor(cx.heap, a[0], a[1])),
    Native::pure("erlang", "bnot", 1, |cx, a| arith::bnot(cx.heap, a[0])),
    Native::pure("erlang", "bsl", 2, |cx, a| arith::bsl(cx.heap, a[0], a[1])),
    Native::pure("erlang", "bsr", 2, |cx, a| arith::bsr(cx.heap, a[0], a[1])),
    Native::pure("erlang", "and", 2, |_, a| logic(a, |x, y| x && y)),
    Native::pure("erlang", "or", 2, |_, a| logic(a, |x, y| x || y)),
    Native::pure("erlang", "xor", 2, |_, a| logic(a, |x, y| x != y)),
    Native::pure("erlang", "not", 1, |_, a| {
        a[0].as_bool().map(|x| Term::boolean(!x)).ok_or(Raise::badarg())
    }),
    Native::pure("erlang", "==", 2, |cx, a| yes(ops::equal(cx.heap, a[0], a[1]))),
    Native::pure("erlang", "/=", 2, |cx, a| yes(!ops::equal(cx.heap, a[0], a[1]))),
    Native::pure("erlang", "=:=", 2, |cx, a| yes(ops::exact_equal(cx.heap, a[0], a[1]))),
    Native::pure("erlang", "=/=", 2, |cx, a| yes(!ops::exact_equal(cx.heap, a[0], a[1]))),
    Native::pure("erlang", "<", 2, |cx, a| yes(ops::compare(cx.heap, a[0], a[1]).is_lt())),
    Native::pure(
        "erlang",
        "=<",
        2,
        |cx, a| yes(ops::compare(cx.heap, a[0], a[1]).is_le()),
    ),
    Native::pure("erlang", ">", 2, |cx, a| yes(ops::compare(cx.heap, a[0], a[1]).is_gt())),
    Native::pure(
        "erlang",
        ">=",
        2,
        |cx, a| yes(ops::compare(cx.heap, a[0], a[1]).is_ge()),
    ),
    Native::pure("erlang", "max", 2, |cx, a| {
        Ok(if ops::compare(cx.heap, a[0], a[1]).is_lt() {
            a[1]
        } else {
            a[0]
        })
    }),
    Native::pure("erlang", "min", 2, |cx, a| {
        Ok(if ops::compare(cx.heap, a[0], a[1]).is_gt() {
            a[1]
        } else {
            a[0]
        })
    }),
    Native::pure("erlang", "abs", 1, abs),
    Native::pure("erlang", "float", 1, float),
    Native::pure("erlang", "trunc", 1, |cx, a| whole(cx, a, f64::trunc)),
    Native::pure("erlang", "round", 1, |cx, a| whole(cx, a, f64::round)),
    Native::pure("erlang", "floor", 1, |cx, a| whole(cx, a, f64::floor)),
    Native::pure("erlang", "ceil", 1, |cx, a| whole(cx, a, f64::ceil)),
    Native::pure("erlang", "is_atom", 1, |_, a| yes(a[0].is_atom())),
    Native::pure("erlang", "is_boolean", 1, |_, a| yes(a[0].as_bool().is_some())),
    Native::pure("erlang", "is_integer", 1, |cx, a| yes(arith::is_integer(cx.heap, a[0]))),
    Native::pure("erlang", "is_float", 1, |cx, a| {
        yes(cx.heap.kind(a[0]) == Some(BoxKind::Float))
    }),
    Native::pure("erlang", "is_number", 1, |cx, a| yes(number(cx.heap, a[0]).is_some())),
    Native::pure("erlang", "is_list", 1, |_, a| yes(a[0].is_list())),
    Native::pure("erlang", "is_tuple", 1, |cx, a| {
        yes(cx.heap.kind(a[0]) == Some(BoxKind::Tuple))
    }),
    Native::pure("erlang", "is_map", 1, |cx, a| yes(maps::is_map(cx.heap, a[0]))),
    Native::pure("erlang", "is_pid", 1, |_, a| yes(a[0].is_pid())),
    Native::pure("erlang", "is_port", 1, |_, a| yes(a[0].as_port().is_some())),
    Native::pure("erlang", "is_reference", 1, |cx, a| {
        yes(cx.heap.kind(a[0]) == Some(BoxKind::Reference))
    }),
    Native::pure("erlang", "is_binary", 1, |cx, a| {
        yes(cx.heap.bits(a[0]).is_some_and(|b| b.len % 8 == 0))
    }),
    Native::pure("erlang", "is_bitstring", 1, |cx, a| yes(cx.heap.bits(a[0]).is_some())),
    Native::pure("erlang", "is_function", 1, |cx, a| yes(fun_arity(cx, a[0]).is_some())),
    Native::pure("erlang", "is_function", 2, is_function_2),
    Native::pure("erlang", "is_record", 2, is_record_2),
    Native::pure("erlang", "is_record", 3, is_record_3),
    Native::pure("erlang", "phash2", 1, |cx, a| {
        Ok(Term::small(i64::from(hash::phash2(cx.heap, a[0]) & 0x07ff_ffff)))
    }),
    Native::pure("erlang", "phash2", 2, phash2),
    Native::pure("erlang", "phash", 2, phash),
];

fn yes(answer: bool) -> NativeResult {
    Ok(Term::boolean(answer))
}

fn logic(args: NativeArgs<'_>, f: fn(bool, bool) -> bool) -> NativeResult {
    match (args[0].as_bool(), args[1].as_bool()) {
        (Some(x), Some(y)) => yes(f(x, y)),
        _ => Err(Raise::badarg()),
    }
}

fn abs(cx: &mut Context<'_>, args: NativeArgs<'_>) -> NativeResult {
    match number(cx.heap, args[0]) {
        Some(Number::Small(i)) => Ok(cx.heap.make_int(i.abs())),
        Some(Number::Big(true, _)) => arith::neg(cx.heap, args[0]),
        Some(Number::Big(false, _)) => Ok(args[0]),
        // As OTP: minus zero stays what it is.
        Some(Number::Float(x)) if x < 0.0 => Ok(cx.heap.make_float(-x)),
        Some(Number::Float(_)) => Ok(args[0]),
        None => Err(Raise::badarg()),
    }
}

fn float(cx: &mut Context<'_>, args: NativeArgs<'_>) -> NativeResult {
    match number(cx.heap, args[0]) {
        Some(Number::Float(_)) => Ok(args[0]),
        Some(n) => to_f64(n).map(|x| cx.heap.make_float(x)).ok_or(Raise::badarg()),
        None => Err(Raise::badarg()),
    }
}

/// An integral float as an integer.
pub(super) fn integer_of_float(cx: &mut Context<'_>, x: f64) -> NativeResult {
    if x.abs() < 9.0e18 {
        return Ok(cx.heap.make_int(x as i64));
    }
    let bits = x.to_bits();
    let mantissa = BigInt::from(bits & ((1 << 52) - 1) | 1 << 52) << ((bits >> 52 & 0x7ff) - 1075);
    arith::from_bigint(cx.heap, &if x < 0.0 { -mantissa } else { mantissa })
}

fn whole(cx: &mut Context<'_>, args: NativeArgs<'_>, f: fn(f64) -> f64) -> NativeResult {
    match number(cx.heap, args[0]) {
        Some(Number::Float(x)) => integer_of_float(cx, f(x)),
        Some(_) => Ok(args[0]),
        None => Err(Raise::badarg()),
    }
}

fn fun_arity(cx: &Context<'_>, t: Term) -> Option<u8> {
    if !t.is_box() {
        return None;
    }
    match cx.heap.view(t) {
        TermView::Fun { arity, .. } | TermView::ExternalFun { arity, .. } => Some(arity),
        _ => None,
    }
}

fn is_function_2(cx: &mut Context<'_>, args: NativeArgs<'_>) -> NativeResult {
    match number(cx.heap, args[1]) {
        Some(Number::Small(n)) if n >= 0 => yes(fun_arity(cx, args[0]).is_some_and(|arity| i64::from(arity) == n)),
        Some(Number::Big(false, _)) => yes(false),
        _ => Err(Raise::badarg()),
    }
}

fn is_record_2(cx: &mut Context<'_>, args: NativeArgs<'_>) -> NativeResult {
    if !args[1].is_atom() {
        return Err(Raise::badarg());
    }
    yes(cx.heap.tuple(args[0]).is_some_and(|t| t.first() == Some(&args[1])))
}

fn is_record_3(cx: &mut Context<'_>, args: NativeArgs<'_>) -> NativeResult {
    if !args[1].is_atom() || !arith::is_integer(cx.heap, args[2]) {
        return Err(Raise::badarg());
    }
    let size = args[2].as_small();
    yes(cx
        .heap
        .tuple(args[0])
        .is_some_and(|t| t.first() == Some(&args[1]) && Some(t.len() as i64) == size))
}

/// A range of 1 to 2^32.
fn range(args: NativeArgs<'_>) -> Result<i64, Raise> {
    args[1]
        .as_small()
        .filter(|r| (1..=1 << 32).contains(r))
        .ok_or(Raise::badarg())
}

fn phash2(cx: &mut Context<'_>, args: NativeArgs<'_>) -> NativeResult {
    let range = range(args)?;
    Ok(Term::small(i64::from(hash::phash2(cx.heap, args[0])) % range))
}

fn phash(cx: &mut Context<'_>, args: NativeArgs<'_>) -> NativeResult {
    let range = range(args)?;
    Ok(Term::small(i64::from(hash::phash(cx.heap, args[0])) % range + 1))
}

//! The module `math`. The functions are those of the `libm` crate, compiled with us, so that a result is the same on every
//! host (semantics.md §11); docs/limitations.md says where they differ from OTP's, which come from the C library it runs on.

use crate::arith::{from_f64, number, to_f64};
use crate::native::{Context, Native, Raise};
use crate::term::Term;

type Answer = Result<Term, Raise>;

macro_rules! unary {
    ($name:ident) => {
        Native::pure("math", stringify!($name), 1, |cx, a| one(cx, a[0], libm::$name))
    };
}

macro_rules! binary {
    ($name:ident) => {
        Native::pure("math", stringify!($name), 2, |cx, a| two(cx, a, libm::$name))
    };
}

/// The table of this area.
pub const NATIVES: &[Native] = &[
    Native::pure("math", "pi", 0, |cx, _| Ok(cx.heap.make_float(std::f64::consts::PI))),
    unary!(sin),
    unary!(cos),
    unary!(tan),
    unary!(asin),
    unary!(acos),
    unary!(atan),
    unary!(sinh),
    unary!(cosh),
    unary!(tanh),
    unary!(asinh),
    unary!(acosh),
    unary!(atanh),
    unary!(exp),
    unary!(log),
    unary!(log2),
    unary!(log10),
    unary!(sqrt),
    unary!(erf),
    unary!(erfc),
    unary!(ceil),
    unary!(floor),
    binary!(atan2),
    binary!(pow),
    binary!(fmod),
];

/// A number of any kind; integers are converted.
fn argument(cx: &Context<'_>, t: Term) -> Result<f64, Raise> {
    let number = number(cx.heap, t).ok_or(Raise::badarg())?;
    to_f64(number).ok_or(Raise::badarith())
}

fn one(cx: &mut Context<'_>, t: Term, f: fn(f64) -> f64) -> Answer {
    let x = argument(cx, t)?;
    from_f64(cx.heap, f(x))
}

fn two(cx: &mut Context<'_>, args: &[Term], f: fn(f64, f64) -> f64) -> Answer {
    let (x, y) = (argument(cx, args[0])?, argument(cx, args[1])?);
    from_f64(cx.heap, f(x, y))
}

//! The module `math`. Every function is compiled into the tool, so results are the same on every host (semantics.md §11). OTP's come from the C
//! library of its host. They are matched as closely as that allows (the test says how closely):
//! - correctly rounded (`pxfm`), as glibc's are too, except for one in many thousand results;
//! - hyperbolic functions and `log10` by the formulas that glibc took from fdlibm, over the functions above;
//! - `atanh`, `erf`, `erfc` (`libm`), also by fdlibm's.

use crate::arith::{from_f64, number, to_f64};
use crate::native::{Context, Native, NativeResult, Raise};
use crate::term::Term;

macro_rules! unary {
    ($name:ident) => {
        unary!($name, libm::$name)
    };
    ($name:ident, $function:expr) => {
        Native::pure("math", stringify!($name), 1, |cx, a| one(cx, a[0], $function))
    };
}

macro_rules! binary {
    ($name:ident) => {
        binary!($name, libm::$name)
    };
    ($name:ident, $function:expr) => {
        Native::pure("math", stringify!($name), 2, |cx, a| two(cx, a, $function))
    };
}

/// The table of this area.
pub const NATIVES: &[Native] = &[
    Native::pure("math", "pi", 0, |cx, _| Ok(cx.heap.make_float(std::f64::consts::PI))),
    unary!(sin, pxfm::f_sin),
    unary!(cos, pxfm::f_cos),
    unary!(tan, pxfm::f_tan),
    unary!(asin, pxfm::f_asin),
    unary!(acos, pxfm::f_acos),
    unary!(atan, pxfm::f_atan),
    unary!(sinh, sinh),
    unary!(cosh, cosh),
    unary!(tanh, tanh),
    unary!(asinh, asinh),
    unary!(acosh, acosh),
    unary!(atanh),
    unary!(exp, pxfm::f_exp),
    unary!(log, pxfm::f_log),
    unary!(log2, pxfm::f_log2),
    unary!(log10, log10),
    unary!(sqrt),
    unary!(erf),
    unary!(erfc),
    unary!(ceil),
    unary!(floor),
    binary!(atan2, pxfm::f_atan2),
    binary!(pow, pxfm::f_pow),
    binary!(fmod),
];

/// A number of any kind; integers are converted.
fn argument(cx: &Context<'_>, t: Term) -> Result<f64, Raise> {
    let number = number(cx.heap, t).ok_or(Raise::badarg())?;
    to_f64(number).ok_or(Raise::badarith())
}

fn one(cx: &mut Context<'_>, t: Term, f: fn(f64) -> f64) -> NativeResult {
    let x = argument(cx, t)?;
    from_f64(cx.heap, f(x))
}

fn two(cx: &mut Context<'_>, args: &[Term], f: fn(f64, f64) -> f64) -> NativeResult {
    let (x, y) = (argument(cx, args[0])?, argument(cx, args[1])?);
    from_f64(cx.heap, f(x, y))
}

/// log(2).
const LN2: f64 = std::f64::consts::LN_2;
/// Above it `exp` overflows, but half of it does not.
const EXP_LIMIT: f64 = 709.782_712_893_384;

/// exp(x) / 2 where exp(x) itself may overflow.
fn half_exp(x: f64) -> f64 {
    if x <= EXP_LIMIT {
        0.5 * pxfm::f_exp(x)
    } else {
        let root = pxfm::f_exp(0.5 * x);
        0.5 * root * root
    }
}

fn cosh(x: f64) -> f64 {
    let x = x.abs();
    if x < 0.5 * LN2 {
        let t = libm::expm1(x);
        let w = 1.0 + t;
        if x < 2.775_557_561_562_891_4e-17 {
            w
        } else {
            1.0 + t * t / (w + w)
        }
    } else if x < 22.0 {
        let t = pxfm::f_exp(x);
        0.5 * t + 0.5 / t
    } else {
        half_exp(x)
    }
}

fn sinh(x: f64) -> f64 {
    let (half, magnitude) = (0.5_f64.copysign(x), x.abs());
    if magnitude < 3.725_290_298_461_914e-9 {
        x
    } else if magnitude < 22.0 {
        let t = libm::expm1(magnitude);
        if magnitude < 1.0 {
            half * (2.0 * t - t * t / (t + 1.0))
        } else {
            half * (t + t / (t + 1.0))
        }
    } else {
        half_exp(magnitude).copysign(x)
    }
}

fn tanh(x: f64) -> f64 {
    let magnitude = x.abs();
    let z = if magnitude >= 22.0 {
        1.0
    } else if magnitude < 2.775_557_561_562_891_4e-17 {
        return x * (1.0 + x);
    } else if magnitude >= 1.0 {
        let t = libm::expm1(2.0 * magnitude);
        1.0 - 2.0 / (t + 2.0)
    } else {
        let t = libm::expm1(-2.0 * magnitude);
        -t / (t + 2.0)
    };
    z.copysign(x)
}

/// 2^28: from here on, adding one to the square of a number has no effect.
const LARGE: f64 = 268_435_456.0;

fn asinh(x: f64) -> f64 {
    let magnitude = x.abs();
    let w = if magnitude < 1.0 / LARGE {
        return x;
    } else if magnitude > LARGE {
        pxfm::f_log(magnitude) + LN2
    } else if magnitude > 2.0 {
        pxfm::f_log(2.0 * magnitude + 1.0 / ((x * x + 1.0).sqrt() + magnitude))
    } else {
        let t = x * x;
        libm::log1p(magnitude + t / (1.0 + (1.0 + t).sqrt()))
    };
    w.copysign(x)
}

fn acosh(x: f64) -> f64 {
    if x > LARGE {
        pxfm::f_log(x) + LN2
    } else if x > 2.0 {
        pxfm::f_log(2.0 * x - 1.0 / (x + (x * x - 1.0).sqrt()))
    } else if x < 1.0 {
        f64::NAN
    } else {
        let t = x - 1.0;
        libm::log1p(t + (2.0 * t + t * t).sqrt())
    }
}

fn log10(x: f64) -> f64 {
    // log10(2) in two parts, the first with zeros at its end, so that the product with an exponent is exact.
    const HIGH: f64 = 0.301_029_995_663_611_77;
    const LOW: f64 = 3.694_239_077_158_931e-13;
    if x <= 0.0 || !x.is_finite() {
        return pxfm::f_log(x);
    }
    let (x, scaled) = if x < f64::MIN_POSITIVE {
        (x * 18_014_398_509_481_984.0, -54)
    } else {
        (x, 0)
    };
    let exponent = (x.to_bits() >> 52) as i64 - 1023 + scaled;
    let up = i64::from(exponent < 0);
    let mantissa = f64::from_bits(x.to_bits() & ((1 << 52) - 1) | ((1023 - up) as u64) << 52);
    let exponent = (exponent + up) as f64;
    let z = exponent * LOW + std::f64::consts::LOG10_E * pxfm::f_log(mantissa);
    z + exponent * HIGH
}

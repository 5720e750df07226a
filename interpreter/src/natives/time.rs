//! Natives of the module `erlang` that compute with times and read no clock.

use num_bigint::BigInt;

use crate::arith;
use crate::atom::Atom;
use crate::heap::TermView;
use crate::native::{Context, Native, NativeResult, Raise};
use crate::term::Term;

/// The table of this area.
pub const NATIVES: &[Native] = &[
    Native::pure("erlang", "convert_time_unit", 3, convert_time_unit),
    Native::pure("erlang", "universaltime_to_posixtime", 1, to_posix),
    Native::pure("erlang", "posixtime_to_universaltime", 1, from_posix),
];

/// First year that `universaltime_to_posixtime` takes.
const FIRST_YEAR: i64 = 1600;

/// Parts of a second of a time unit; `native` and `perf_counter` are nanoseconds here, as in OTP on the usual systems.
fn parts_per_second(cx: &Context<'_>, unit: Term) -> Result<BigInt, Raise> {
    if let Some(parts) = arith::to_bigint(cx.heap, unit) {
        return if parts > BigInt::from(0) {
            Ok(parts)
        } else {
            Err(Raise::badarg())
        };
    }
    let parts = match unit.as_atom().map(Atom::as_str) {
        Some("second" | "seconds") => 1,
        Some("millisecond" | "milli_seconds") => 1_000,
        Some("microsecond" | "micro_seconds") => 1_000_000,
        Some("nanosecond" | "nano_seconds" | "native" | "perf_counter") => 1_000_000_000,
        _ => return Err(Raise::badarg()),
    };
    Ok(BigInt::from(parts))
}

/// Rounded down.
fn convert_time_unit(cx: &mut Context<'_>, args: &[Term]) -> NativeResult {
    let time = arith::to_bigint(cx.heap, args[0]).ok_or(Raise::badarg())?;
    let (from, to) = (parts_per_second(cx, args[1])?, parts_per_second(cx, args[2])?);
    let scaled = time * to;
    let quotient = &scaled / &from;
    let rounded_up = scaled < BigInt::from(0) && &quotient * &from != scaled;
    arith::from_bigint(cx.heap, &if rounded_up { quotient - 1 } else { quotient })
}

/// Days from 1970-01-01 to a date of the Gregorian calendar.
fn days(year: i64, month: i64, day: i64) -> i64 {
    // Years begin in March, so that the leap day is the last day of a year.
    let year = if month <= 2 { year - 1 } else { year };
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// The inverse of [`days`].
fn date(days: i64) -> (i64, i64, i64) {
    let shifted = days + 719_468;
    let (era, of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * of_year + 2) / 153;
    let month = (shifted_month + 2) % 12 + 1;
    let year = era * 400 + year_of_era + i64::from(month <= 2);
    (year, month, of_year - (153 * shifted_month + 2) / 5 + 1)
}

/// The integers of a tuple of three.
fn three(cx: &Context<'_>, t: Term) -> Option<[i64; 3]> {
    match cx.heap.view(t) {
        TermView::Tuple(&[a, b, c]) => Some([a.as_small()?, b.as_small()?, c.as_small()?]),
        _ => None,
    }
}

fn to_posix(cx: &mut Context<'_>, args: &[Term]) -> NativeResult {
    let parts = match cx.heap.tuple(args[0]) {
        Some(&[date, time]) => three(cx, date).zip(three(cx, time)),
        _ => None,
    };
    let ([year, month, day], [hour, minute, second]) = parts.ok_or(Raise::badarg())?;
    let in_range = (FIRST_YEAR..1 << 31).contains(&year)
        && (1..=12).contains(&month)
        && (0..24).contains(&hour)
        && (0..60).contains(&minute)
        && (0..60).contains(&second);
    if !in_range {
        return Err(Raise::badarg());
    }
    let next_month = if month == 12 {
        days(year + 1, 1, 1)
    } else {
        days(year, month + 1, 1)
    };
    if day < 1 || days(year, month, day) >= next_month {
        return Err(Raise::badarg());
    }
    Ok(cx
        .heap
        .make_int(days(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second))
}

fn from_posix(cx: &mut Context<'_>, args: &[Term]) -> NativeResult {
    let seconds = args[0].as_small().ok_or(Raise::badarg())?;
    let (year, month, day) = date(seconds.div_euclid(86_400));
    let of_day = seconds.rem_euclid(86_400);
    let three = |cx: &mut Context<'_>, parts: [i64; 3]| cx.heap.make_tuple(&parts.map(Term::small));
    let date = three(cx, [year, month, day]);
    let time = three(cx, [of_day / 3600, of_day / 60 % 60, of_day % 60]);
    Ok(cx.heap.make_tuple(&[date, time]))
}

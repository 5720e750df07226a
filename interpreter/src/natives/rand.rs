//! Natives for the module `rand`: one step of the generators with two words of 58 bits, and the tables for normal deviates.
//!
//! A state is `[S1 | S0]`, as in Erlang/OTP; the numbers are the same as OTP's bit for bit.

use super::lists::function_clause;
use super::ziggurat::{DENSITY, INSIDE, WIDTH};
use crate::native::{Context, Native, Raise};
use crate::term::Term;

/// The table of this area.
pub const NATIVES: &[Native] = &[
    Native::pure("rand", "$exsss_next", 1, exsss_next),
    Native::pure("rand", "exsp_next", 1, exsp_next),
    Native::pure("rand", "$exrop_next", 1, exrop_next),
    Native::pure("rand", "$layer", 1, layer),
];

const MASK: u64 = (1 << 58) - 1;

const fn shl(x: u64, n: u32) -> u64 {
    x << n & MASK
}

const fn rotl(x: u64, n: u32) -> u64 {
    shl(x, n) | x >> (58 - n)
}

/// The two words of a state, 58 bits of each.
///
/// # Errors
/// Those of OTP's `rand:exsp_next/1`: no clause takes what is no pair, and what is no number cannot be masked.
fn words(cx: &Context<'_>, state: Term) -> Result<(u64, u64), Raise> {
    let (head, tail) = cx.heap.cons_cell(state).ok_or_else(function_clause)?;
    match (head.as_small(), tail.as_small()) {
        (Some(a), Some(b)) => Ok((a as u64 & MASK, b as u64 & MASK)),
        _ => Err(Raise::badarith()),
    }
}

/// `{Value, [A | B]}`.
fn answer(cx: &mut Context<'_>, value: u64, a: u64, b: u64) -> Term {
    let state = cx.heap.cons(Term::small(a as i64), Term::small(b as i64));
    cx.heap.make_tuple(&[Term::small(value as i64), state])
}

/// Xorshift116: the new second word.
const fn step(s1: u64, s0: u64) -> u64 {
    let b = s1 ^ shl(s1, 24);
    b ^ s0 ^ b >> 11 ^ s0 >> 41
}

fn exsss_next(cx: &mut Context<'_>, args: &[Term]) -> Result<Term, Raise> {
    let (s1, s0) = words(cx, args[0])?;
    let five = s0.wrapping_add(shl(s0, 2)) & MASK;
    let rotated = rotl(five, 7);
    let value = rotated.wrapping_add(shl(rotated, 3)) & MASK;
    Ok(answer(cx, value, s0, step(s1, s0)))
}

fn exsp_next(cx: &mut Context<'_>, args: &[Term]) -> Result<Term, Raise> {
    let (s1, s0) = words(cx, args[0])?;
    let next = step(s1, s0);
    Ok(answer(cx, s0.wrapping_add(next) & MASK, s0, next))
}

/// Xoroshiro116+; here the state is `[S0 | S1]`.
fn exrop_next(cx: &mut Context<'_>, args: &[Term]) -> Result<Term, Raise> {
    let (s0, s1) = words(cx, args[0])?;
    let a = s1 ^ s0;
    Ok(answer(
        cx,
        s0.wrapping_add(s1) & MASK,
        rotl(s0, 24) ^ a ^ shl(a, 2),
        rotl(a, 35),
    ))
}

/// `{Inside, Width, Density, DensityBelow}` of a layer of the ziggurat, numbered from 0.
fn layer(cx: &mut Context<'_>, args: &[Term]) -> Result<Term, Raise> {
    let i = args[0]
        .as_small()
        .filter(|i| (0..256).contains(i))
        .ok_or_else(Raise::badarg)? as usize;
    let width = cx.heap.make_float(WIDTH[i]);
    // The table holds the density at the upper edge of each layer; layer 0 is the tail, where it is not used.
    let density = cx.heap.make_float(DENSITY[i.saturating_sub(1)]);
    let below = cx.heap.make_float(DENSITY[i]);
    Ok(cx.heap.make_tuple(&[Term::small(INSIDE[i]), width, density, below]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::natives::testing::{Machine, small};

    #[test]
    fn first_values_are_those_of_otp() {
        // rand:seed_s(exsss, 1), then exsss_next, exsp_next and exrop_next of that state in Erlang/OTP 25.
        let mut m = Machine::new();
        let state = m.heap.cons(small(SEED.0), small(SEED.1));
        for (native, value) in [
            (exsss_next as crate::native::PureFn, VALUES.0),
            (exsp_next, VALUES.1),
            (exrop_next, VALUES.2),
        ] {
            let r = m.call(native, &[state]).unwrap();
            assert_eq!(m.heap.tuple(r).unwrap()[0], small(value));
        }
    }

    const SEED: (i64, i64) = (74922837739199681, 210417531935976551);
    const VALUES: (i64, i64, i64) = (284482609428762731, 167794366072730002, 285340369675176232);
}

//! Natives of the module `lists`, and the list operators. Functions that take a fun are written in Erlang, in `lib/lists.erl`.

use crate::arith;
use crate::atom::Atom;
use crate::heap::Heap;
use crate::native::{Context, Native, Raise};
use crate::newer::Newer;
use crate::ops;
use crate::term::Term;

mod merge_sort;

/// The table of this area.
pub const NATIVES: &[Native] = &[
    Native::pure("lists", "reverse", 1, reverse_1),
    Native::pure("lists", "reverse", 2, reverse_2),
    Native::pure("lists", "member", 2, member),
    Native::pure("lists", "keyfind", 3, keyfind),
    Native::pure("lists", "keymember", 3, keymember),
    Native::pure("lists", "keysearch", 3, keysearch),
    Native::pure("lists", "sort", 1, sort),
    Native::pure("lists", "usort", 1, usort),
    Native::pure("lists", "$keysort", 2, keysort),
    Native::pure("lists", "$ukeysort", 2, ukeysort),
    Native::pure("lists", "seq", 2, seq_2),
    Native::pure("lists", "seq", 3, seq_3),
    Native::pure("lists", "duplicate", 2, duplicate),
    Native::pure("erlang", "++", 2, append),
    Native::pure("erlang", "--", 2, subtract),
    Native::pure("erlang", "append", 2, append),
    Native::pure("erlang", "subtract", 2, subtract),
    Native::pure("erlang", "length", 1, length),
    Native::pure("erlang", "hd", 1, hd),
    Native::pure("erlang", "tl", 1, tl),
];

/// Longest list that a native makes from a number alone.
const LENGTH_LIMIT: usize = 1 << 32;

pub(super) fn function_clause() -> Raise {
    Raise::error(Term::atom(Atom::FUNCTION_CLAUSE))
}

/// Charges reductions for a native that processed this many elements.
fn charge(cx: &mut Context<'_>, elements: usize) {
    cx.local.charge += (elements / 10) as u32;
}

fn reverse_onto(heap: &mut Heap, mut list: Term, mut tail: Term) -> Result<(Term, usize), Term> {
    let mut n = 0;
    while let Some((head, rest)) = heap.cons_cell(list) {
        tail = heap.cons(head, tail);
        list = rest;
        n += 1;
    }
    if list.is_nil() { Ok((tail, n)) } else { Err(list) }
}

fn reverse_1(cx: &mut Context<'_>, args: &[Term]) -> Result<Term, Raise> {
    match reverse_onto(cx.heap, args[0], Term::NIL) {
        Ok((reversed, n)) => {
            charge(cx, n);
            Ok(reversed)
        }
        Err(_) => {
            let second = cx.heap.cons_cell(args[0]).map(|(_, rest)| rest);
            Err(if second.is_some_and(Term::is_cons) {
                Raise::badarg()
            } else {
                function_clause()
            })
        }
    }
}

fn reverse_2(cx: &mut Context<'_>, args: &[Term]) -> Result<Term, Raise> {
    let (reversed, n) = reverse_onto(cx.heap, args[0], args[1]).map_err(|_| Raise::badarg())?;
    charge(cx, n);
    Ok(reversed)
}

fn member(cx: &mut Context<'_>, args: &[Term]) -> Result<Term, Raise> {
    let (wanted, mut list) = (args[0], args[1]);
    let immediate = wanted.is_immediate();
    let mut n = 0;
    while let Some((head, rest)) = cx.heap.cons_cell(list) {
        n += 1;
        if head == wanted || !immediate && ops::exact_equal(cx.heap, head, wanted) {
            charge(cx, n);
            return Ok(Term::boolean(true));
        }
        list = rest;
    }
    charge(cx, n);
    if list.is_nil() {
        Ok(Term::boolean(false))
    } else {
        Err(Raise::badarg())
    }
}

/// The first tuple whose element at `position` equals the key.
fn find_by_key(cx: &mut Context<'_>, key: Term, position: Term, mut list: Term) -> Result<Option<Term>, Raise> {
    let position = match position.as_small() {
        Some(n) if n >= 1 => n as usize,
        _ => return Err(Raise::badarg()),
    };
    // An atom equals only itself.
    let atom = key.is_atom();
    let mut n = 0;
    while let Some((head, rest)) = cx.heap.cons_cell(list) {
        n += 1;
        let found = match cx.heap.tuple(head).and_then(|t| t.get(position - 1)) {
            Some(&e) => e == key || !atom && ops::equal(cx.heap, e, key),
            None => false,
        };
        if found {
            charge(cx, n);
            return Ok(Some(head));
        }
        list = rest;
    }
    charge(cx, n);
    if list.is_nil() { Ok(None) } else { Err(Raise::badarg()) }
}

fn keyfind(cx: &mut Context<'_>, args: &[Term]) -> Result<Term, Raise> {
    let found = find_by_key(cx, args[0], args[1], args[2])?;
    Ok(found.unwrap_or(Term::boolean(false)))
}

fn keymember(cx: &mut Context<'_>, args: &[Term]) -> Result<Term, Raise> {
    let found = find_by_key(cx, args[0], args[1], args[2])?;
    Ok(Term::boolean(found.is_some()))
}

fn keysearch(cx: &mut Context<'_>, args: &[Term]) -> Result<Term, Raise> {
    Ok(match find_by_key(cx, args[0], args[1], args[2])? {
        Some(tuple) => cx.heap.make_tuple(&[Term::atom(Atom::VALUE), tuple]),
        None => Term::boolean(false),
    })
}

/// The elements, sorted; equal ones keep their order. `None` if it is not a proper list.
fn sorted(cx: &mut Context<'_>, list: Term) -> Option<Vec<Term>> {
    let mut elements = cx.heap.list(list)?;
    charge(cx, elements.len() * 10);
    if elements.iter().all(|t| t.is_small()) {
        elements.sort_by_key(|t| t.small_value());
    } else {
        let heap = &*cx.heap;
        elements.sort_by(|&a, &b| ops::compare(heap, a, b));
    }
    Some(elements)
}

fn sort(cx: &mut Context<'_>, args: &[Term]) -> Result<Term, Raise> {
    let mut elements = sorted(cx, args[0]).ok_or_else(function_clause)?;
    if Newer::StableSort.is_in(cx.code.release()) {
        return Ok(cx.heap.make_list(&elements));
    }
    let heap = &*cx.heap;
    let twins = |pair: &[Term]| ops::equal(heap, pair[0], pair[1]) && !ops::exact_equal(heap, pair[0], pair[1]);
    if elements.windows(2).any(twins) {
        // 1 and 1.0: which comes first depends on how OTP 25 merges.
        let list = heap.list(args[0]).ok_or_else(function_clause)?;
        elements = merge_sort::sort(list, |a, b| ops::compare(heap, a, b));
    }
    Ok(cx.heap.make_list(&elements))
}

fn usort(cx: &mut Context<'_>, args: &[Term]) -> Result<Term, Raise> {
    let mut elements = sorted(cx, args[0]).ok_or_else(function_clause)?;
    let heap = &*cx.heap;
    elements.dedup_by(|next, kept| ops::equal(heap, *next, *kept));
    Ok(cx.heap.make_list(&elements))
}

/// Pairs of key and tuple, sorted by key; equal ones keep their order. `None` if an element is not a tuple of that size.
fn sorted_by_key(cx: &mut Context<'_>, position: Term, list: Term) -> Option<Vec<(Term, Term)>> {
    let position = position.as_small().filter(|&n| n >= 1)? as usize;
    let elements = cx.heap.list(list)?;
    let heap = &*cx.heap;
    let mut keyed = elements
        .into_iter()
        .map(|t| Some((*heap.tuple(t)?.get(position - 1)?, t)))
        .collect::<Option<Vec<_>>>()?;
    keyed.sort_by(|a, b| ops::compare(heap, a.0, b.0));
    charge(cx, keyed.len() * 10);
    Some(keyed)
}

/// Returns `false` for invalid input; `lib/lists.erl` then finds out what is wrong with it.
fn keysort(cx: &mut Context<'_>, args: &[Term]) -> Result<Term, Raise> {
    Ok(match sorted_by_key(cx, args[0], args[1]) {
        Some(keyed) => {
            let tuples: Vec<Term> = keyed.into_iter().map(|(_, t)| t).collect();
            cx.heap.make_list(&tuples)
        }
        None => Term::boolean(false),
    })
}

/// As [`keysort`]; of equal keys, the first stays.
fn ukeysort(cx: &mut Context<'_>, args: &[Term]) -> Result<Term, Raise> {
    Ok(match sorted_by_key(cx, args[0], args[1]) {
        Some(mut keyed) => {
            let heap = &*cx.heap;
            keyed.dedup_by(|next, kept| ops::equal(heap, next.0, kept.0));
            let tuples: Vec<Term> = keyed.into_iter().map(|(_, t)| t).collect();
            cx.heap.make_list(&tuples)
        }
        None => Term::boolean(false),
    })
}

fn seq_2(cx: &mut Context<'_>, args: &[Term]) -> Result<Term, Raise> {
    seq(cx, args[0], args[1], Term::small(1), function_clause)
}

fn seq_3(cx: &mut Context<'_>, args: &[Term]) -> Result<Term, Raise> {
    seq(cx, args[0], args[1], args[2], Raise::badarg)
}

fn seq(cx: &mut Context<'_>, first: Term, last: Term, step: Term, refusal: fn() -> Raise) -> Result<Term, Raise> {
    let (Some(a), Some(b), Some(d)) = (
        arith::to_bigint(cx.heap, first),
        arith::to_bigint(cx.heap, last),
        arith::to_bigint(cx.heap, step),
    ) else {
        return Err(refusal());
    };
    let zero = num_bigint::BigInt::ZERO;
    if d == zero {
        return if a == b {
            Ok(cx.heap.make_list(&[first]))
        } else {
            Err(refusal())
        };
    }
    let before = &a - &d;
    let upward = d > zero;
    if upward && before > b || !upward && before < b {
        return Err(refusal());
    }
    let count = (&b - &a + &d) / &d;
    let count = usize::try_from(&count)
        .ok()
        .filter(|&n| n < LENGTH_LIMIT)
        .ok_or_else(Raise::system_limit)?;
    cx.needs(count.saturating_mul(16))?;
    charge(cx, count);
    let mut list = Term::NIL;
    if let (Some(a), Some(d)) = (first.as_small(), step.as_small()) {
        // From the last element to the first: then the list is in memory in reverse order, and no second pass is needed.
        for i in (0..count as i128).rev() {
            let value = arith::from_i128(cx.heap, i128::from(a) + i * i128::from(d));
            list = cx.heap.cons(value, list);
        }
    } else {
        for i in (0..count).rev() {
            let value = arith::from_bigint(cx.heap, &(&a + &d * i))?;
            list = cx.heap.cons(value, list);
        }
    }
    Ok(list)
}

fn duplicate(cx: &mut Context<'_>, args: &[Term]) -> Result<Term, Raise> {
    let n = args[0].as_small().filter(|&n| n >= 0).ok_or_else(function_clause)? as usize;
    if n >= LENGTH_LIMIT {
        return Err(Raise::system_limit());
    }
    cx.needs(n.saturating_mul(16))?;
    charge(cx, n);
    Ok((0..n).fold(Term::NIL, |list, _| cx.heap.cons(args[1], list)))
}

fn append(cx: &mut Context<'_>, args: &[Term]) -> Result<Term, Raise> {
    if args[0].is_nil() {
        return Ok(args[1]);
    }
    let elements = cx.heap.list(args[0]).ok_or_else(Raise::badarg)?;
    cx.needs(elements.len() * 16)?;
    charge(cx, elements.len());
    Ok(cx.heap.make_list_with_tail(&elements, args[1]))
}

fn subtract(cx: &mut Context<'_>, args: &[Term]) -> Result<Term, Raise> {
    let left = cx.heap.list(args[0]).ok_or_else(Raise::badarg)?;
    let mut right = cx.heap.list(args[1]).ok_or_else(Raise::badarg)?;
    charge(cx, left.len() + right.len());
    let heap = &*cx.heap;
    right.sort_by(|&a, &b| ops::compare_exact(heap, a, b));
    // An entry, and how many occurrences of it are left to remove.
    let mut counted: Vec<(Term, usize)> = Vec::with_capacity(right.len());
    for t in right {
        match counted.last_mut() {
            Some((last, n)) if ops::exact_equal(heap, *last, t) => *n += 1,
            _ => counted.push((t, 1)),
        }
    }
    let mut kept = Vec::with_capacity(left.len());
    for t in left {
        match counted.binary_search_by(|&(other, _)| ops::compare_exact(heap, other, t)) {
            Ok(i) if counted[i].1 > 0 => counted[i].1 -= 1,
            _ => kept.push(t),
        }
    }
    Ok(cx.heap.make_list(&kept))
}

fn length(cx: &mut Context<'_>, args: &[Term]) -> Result<Term, Raise> {
    let (mut n, mut list) = (0, args[0]);
    while let Some((_, rest)) = cx.heap.cons_cell(list) {
        n += 1;
        list = rest;
    }
    charge(cx, n);
    if list.is_nil() {
        Ok(Term::small(n as i64))
    } else {
        Err(Raise::badarg())
    }
}

fn hd(cx: &mut Context<'_>, args: &[Term]) -> Result<Term, Raise> {
    cx.heap
        .cons_cell(args[0])
        .map(|(head, _)| head)
        .ok_or_else(Raise::badarg)
}

fn tl(cx: &mut Context<'_>, args: &[Term]) -> Result<Term, Raise> {
    cx.heap
        .cons_cell(args[0])
        .map(|(_, tail)| tail)
        .ok_or_else(Raise::badarg)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::natives::testing::{Machine, atom, small};

    fn ints(m: &mut Machine, values: &[i64]) -> Term {
        let terms: Vec<Term> = values.iter().map(|&v| Term::small(v)).collect();
        m.heap.make_list(&terms)
    }

    #[test]
    fn usort_keeps_the_first() {
        let mut m = Machine::new();
        let one = m.heap.make_float(1.0);
        let list = m.heap.make_list(&[small(2), one, small(1)]);
        let sorted = m.call(sort, &[list]).unwrap();
        let elements = m.heap.list(sorted).unwrap();
        assert_eq!(elements, [one, small(1), small(2)]);
        let unique = m.call(usort, &[list]).unwrap();
        assert_eq!(m.heap.list(unique).unwrap(), [one, small(2)]);
        assert_eq!(m.reason(sort, &[small(1)]), atom("function_clause"));
    }

    #[test]
    fn seq_follows_its_edges() {
        let mut m = Machine::new();
        let mut run = |a: i64, b: i64, d: i64| {
            let r = m.call(seq_3, &[small(a), small(b), small(d)]).ok()?;
            Some(m.heap.list(r)?.iter().map(|t| t.small_value()).collect::<Vec<_>>())
        };
        assert_eq!(run(1, 3, 1), Some(vec![1, 2, 3]));
        assert_eq!(run(1, 0, 1), Some(vec![]));
        assert_eq!(run(1, -1, 1), None);
        assert_eq!(run(10, 1, -4), Some(vec![10, 6, 2]));
        assert_eq!(run(1, 4, -1), None);
        assert_eq!(run(2, 2, 0), Some(vec![2]));
        assert_eq!(run(2, 3, 0), None);
    }

    #[test]
    fn subtract_removes_first_occurrences_exactly() {
        let mut m = Machine::new();
        let one = m.heap.make_float(1.0);
        let left = m.heap.make_list(&[small(1), one, small(2), small(1), small(3)]);
        let right = ints(&mut m, &[1, 3, 9]);
        let r = m.call(subtract, &[left, right]).unwrap();
        assert_eq!(m.heap.list(r).unwrap(), [one, small(2), small(1)]);
    }

    #[test]
    fn keyfind_skips_what_is_no_tuple() {
        let mut m = Machine::new();
        let pair = m.heap.make_tuple(&[small(7), atom("x")]);
        let list = m.heap.make_list(&[atom("a"), pair]);
        let key = m.heap.make_float(7.0);
        assert_eq!(m.call(keyfind, &[key, small(1), list]).unwrap(), pair);
        assert_eq!(m.call(keyfind, &[key, small(3), list]).unwrap(), atom("false"));
        assert_eq!(m.reason(keyfind, &[key, small(0), list]), atom("badarg"));
    }

    #[test]
    fn order_of_small_integers_is_numeric() {
        let mut m = Machine::new();
        let list = ints(&mut m, &[5, -3, 0, 4]);
        let r = m.call(sort, &[list]).unwrap();
        let values: Vec<i64> = m.heap.list(r).unwrap().iter().map(|t| t.small_value()).collect();
        assert_eq!(values, [-3, 0, 4, 5]);
    }
}

//! Comparison of terms: Erlang's total order and its two equalities. Nothing here recurses on the host stack.
//!
//! Order: number < atom < reference < fun < port < pid < tuple < map < `[]` < non-empty list < bitstring. Numbers compare
//! by exact value, whatever their size; only where [`compare_exact`] is asked for is every integer less than every float.

use std::cmp::Ordering;

use crate::heap::{Heap, TermView};
use crate::maps;
use crate::term::{BoxKind, Pid, Term};

/// The standard order: `1` and `1.0` are equal.
#[inline]
#[must_use]
pub fn compare(heap: &Heap, a: Term, b: Term) -> Ordering {
    if a == b {
        return Ordering::Equal;
    }
    if a.is_small() && b.is_small() {
        return (a.0 as i64).cmp(&(b.0 as i64));
    }
    walk::<false, true>(heap, a, heap, b)
}

/// The order of map keys: as [`compare`], but every integer is less than every float, so that `1` and `1.0` are two keys.
#[inline]
#[must_use]
pub fn compare_exact(heap: &Heap, a: Term, b: Term) -> Ordering {
    if a == b {
        return Ordering::Equal;
    }
    if a.is_small() && b.is_small() {
        return (a.0 as i64).cmp(&(b.0 as i64));
    }
    walk::<true, true>(heap, a, heap, b)
}

/// `==`.
#[inline]
#[must_use]
pub fn equal(heap: &Heap, a: Term, b: Term) -> bool {
    if a == b {
        return true;
    }
    // Different immediates are different values; only a box can equal something that is another word.
    if a.is_immediate() && b.is_immediate() {
        return false;
    }
    walk::<false, false>(heap, a, heap, b).is_eq()
}

/// `=:=`, also the equality of patterns and map keys.
#[inline]
#[must_use]
pub fn exact_equal(heap: &Heap, a: Term, b: Term) -> bool {
    if a == b {
        return true;
    }
    // An immediate is exactly equal only to itself, and a cons cell only to a cons cell.
    if a.is_immediate() || (a.0 ^ b.0) & 7 != 0 {
        return false;
    }
    if let (Some((kind_a, x)), Some((kind_b, y))) = (heap.boxed(a), heap.boxed(b)) {
        // Most boxes can be compared without their parts: this path is used for keys of maps.
        match (kind_a, kind_b) {
            (BoxKind::Tuple, BoxKind::Tuple) if x.len() != y.len() => return false,
            (BoxKind::HeapBinary, BoxKind::HeapBinary)
            | (BoxKind::BigPositive, BoxKind::BigPositive)
            | (BoxKind::BigNegative, BoxKind::BigNegative)
            | (BoxKind::Reference, BoxKind::Reference) => return x == y,
            (BoxKind::Float, BoxKind::Float) => {
                return x[0] == y[0] || !heap.tells_zeros() && f64::from_bits(x[0]) == f64::from_bits(y[0]);
            }
            (BoxKind::HeapBinary, BoxKind::SharedBinary | BoxKind::SubBinary)
            | (
                BoxKind::SharedBinary | BoxKind::SubBinary,
                BoxKind::HeapBinary | BoxKind::SharedBinary | BoxKind::SubBinary,
            ) => {}
            (BoxKind::FlatMap, BoxKind::FlatMap) if x.len() != y.len() => return false,
            (BoxKind::FlatMap, BoxKind::HashMap) | (BoxKind::HashMap, BoxKind::FlatMap) => return false,
            (kind_a, kind_b) if kind_a != kind_b => return false,
            _ => {}
        }
    }
    walk::<true, false>(heap, a, heap, b).is_eq()
}

/// [`compare`] of terms that live in different heaps of one program.
#[must_use]
pub fn compare_across(heap_a: &Heap, a: Term, heap_b: &Heap, b: Term) -> Ordering {
    walk::<false, true>(heap_a, a, heap_b, b)
}

/// [`compare_exact`] of terms that live in different heaps of one program.
#[must_use]
pub fn compare_exact_across(heap_a: &Heap, a: Term, heap_b: &Heap, b: Term) -> Ordering {
    walk::<true, true>(heap_a, a, heap_b, b)
}

/// [`exact_equal`] of terms that live in different heaps of one program.
#[must_use]
pub fn exact_equal_across(heap_a: &Heap, a: Term, heap_b: &Heap, b: Term) -> bool {
    walk::<true, false>(heap_a, a, heap_b, b).is_eq()
}

/// What is left to compare after the current pair.
enum Rest<'a> {
    /// Two terms (tails of lists, values of large maps).
    Pair(Term, Term),
    /// Elements in parallel.
    Slices(&'a [Term], &'a [Term]),
    /// Keys of maps: compared as by [`compare_exact`], whatever was asked for.
    Keys(&'a [Term], &'a [Term]),
    /// Single pair of keys.
    Key(Term, Term),
}

/// `EXACT`: integers differ from floats. `ORDER`: the caller needs the order, not just whether they are equal (then a
/// difference may be reported as any unequal ordering).
#[expect(clippy::too_many_lines, reason = "one hot loop, whose state stays in registers")]
fn walk<'a, const EXACT: bool, const ORDER: bool>(heap_a: &'a Heap, a: Term, heap_b: &'a Heap, b: Term) -> Ordering {
    let same_heap = std::ptr::eq(heap_a, heap_b);
    let tells_zeros = heap_a.tells_zeros() || heap_b.tells_zeros();
    // The order of two terms if it does not depend on their parts: different types, or types without parts.
    let shallow = |a: Term, b: Term, exact: bool| -> Option<Ordering> {
        if a == b && (same_heap || a.is_immediate() || a.in_literals()) {
            return Some(Ordering::Equal);
        }
        if a.is_small() && b.is_small() {
            return Some((a.0 as i64).cmp(&(b.0 as i64)));
        }
        match (heap_a.view(a), heap_b.view(b)) {
            (TermView::Tuple(x), TermView::Tuple(y)) => (x.len() != y.len()).then(|| x.len().cmp(&y.len())),
            (TermView::Cons(..), TermView::Cons(..))
            | (TermView::Map, TermView::Map)
            | (TermView::Fun { .. }, TermView::Fun { .. }) => None,
            (TermView::Binary, TermView::Binary) => Some(compare_bits(heap_a, a, heap_b, b)),
            (TermView::Atom(x), TermView::Atom(y)) => Some(if ORDER {
                x.as_str().cmp(y.as_str())
            } else {
                x.index().cmp(&y.index())
            }),
            (TermView::Float(x), TermView::Float(y)) if exact && tells_zeros && x == y => {
                Some(y.is_sign_negative().cmp(&x.is_sign_negative()))
            }
            (view_a, view_b) => Some(leaf(view_a, view_b, exact)),
        }
    };
    // What follows the current pair; touched only where containers are nested.
    let mut rest: Vec<Rest<'a>> = Vec::new();
    let (mut a, mut b, mut exact) = (a, b, EXACT);
    'next: loop {
        if let Some(order) = shallow(a, b, exact) {
            if order.is_ne() {
                return order;
            }
        } else {
            let keys = exact && !EXACT;
            let elements: (&'a [Term], &'a [Term]) = match (heap_a.view(a), heap_b.view(b)) {
                (TermView::Cons(mut head_a, mut tail_a), TermView::Cons(mut head_b, mut tail_b)) => loop {
                    match shallow(head_a, head_b, exact) {
                        None => {
                            rest.push(if keys {
                                Rest::Key(tail_a, tail_b)
                            } else {
                                Rest::Pair(tail_a, tail_b)
                            });
                            (a, b) = (head_a, head_b);
                            continue 'next;
                        }
                        Some(Ordering::Equal) => {}
                        Some(order) => return order,
                    }
                    if same_heap && tail_a == tail_b {
                        break (&[], &[]);
                    }
                    match (heap_a.cons_cell(tail_a), heap_b.cons_cell(tail_b)) {
                        (Some((ha, ta)), Some((hb, tb))) => (head_a, head_b, tail_a, tail_b) = (ha, hb, ta, tb),
                        _ => {
                            (a, b) = (tail_a, tail_b);
                            continue 'next;
                        }
                    }
                },
                (TermView::Tuple(x), TermView::Tuple(y)) => (x, y),
                (
                    TermView::Fun {
                        name: fun_a, free: x, ..
                    },
                    TermView::Fun {
                        name: fun_b, free: y, ..
                    },
                ) => {
                    let by_module = || fun_a.module.as_str().cmp(fun_b.module.as_str());
                    let by_number = || (fun_a.index, fun_a.unique).cmp(&(fun_b.index, fun_b.unique));
                    let order = by_module().then_with(by_number).then(x.len().cmp(&y.len()));
                    if order.is_ne() {
                        return order;
                    }
                    (x, y)
                }
                (TermView::Map, TermView::Map) => {
                    let order = maps::size(heap_a, a).cmp(&maps::size(heap_b, b));
                    if order.is_ne() {
                        return order;
                    }
                    push_maps(heap_a, a, heap_b, b, keys, &mut rest);
                    (&[], &[])
                }
                _ => unreachable!("two containers of one type"),
            };
            if let Some(pair) = elements_from(elements.0, elements.1, |x, y| shallow(x, y, exact), keys, &mut rest) {
                match pair {
                    Ok(pair) => (a, b) = pair,
                    Err(order) => return order,
                }
                continue 'next;
            }
        }
        // The next pair.
        loop {
            let (x, y, keys) = match rest.pop() {
                None => return Ordering::Equal,
                Some(Rest::Pair(x, y)) => {
                    (a, b, exact) = (x, y, EXACT);
                    continue 'next;
                }
                Some(Rest::Key(x, y)) => {
                    (a, b, exact) = (x, y, true);
                    continue 'next;
                }
                Some(Rest::Slices(x, y)) => (x, y, false),
                Some(Rest::Keys(x, y)) => (x, y, true),
            };
            exact = EXACT || keys;
            match elements_from(x, y, |x, y| shallow(x, y, exact), exact && !EXACT, &mut rest) {
                None => {}
                Some(Ok(pair)) => {
                    (a, b) = pair;
                    continue 'next;
                }
                Some(Err(order)) => return order,
            }
        }
    }
}

/// Compares elements in parallel up to the first pair whose parts must be compared: that pair, with the elements after it pushed; or the first
/// difference; or `None` if all are equal.
fn elements_from<'a>(
    a: &'a [Term],
    b: &'a [Term],
    shallow: impl Fn(Term, Term) -> Option<Ordering>,
    keys: bool,
    rest: &mut Vec<Rest<'a>>,
) -> Option<Result<(Term, Term), Ordering>> {
    for (i, (x, y)) in a.iter().zip(b).enumerate() {
        match shallow(*x, *y) {
            Some(Ordering::Equal) => {}
            Some(order) => return Some(Err(order)),
            None => {
                if i + 1 < a.len() {
                    rest.push(slices(&a[i + 1..], &b[i + 1..], keys));
                }
                return Some(Ok((*x, *y)));
            }
        }
    }
    None
}

fn slices<'a>(a: &'a [Term], b: &'a [Term], keys: bool) -> Rest<'a> {
    if keys { Rest::Keys(a, b) } else { Rest::Slices(a, b) }
}

/// Maps of one size: all keys in term order first, then the values in the order of their keys.
fn push_maps<'a>(heap_a: &'a Heap, a: Term, heap_b: &'a Heap, b: Term, keys: bool, rest: &mut Vec<Rest<'a>>) {
    match (maps::flat(heap_a, a), maps::flat(heap_b, b)) {
        (Some((keys_a, values_a)), Some((keys_b, values_b))) => {
            rest.push(slices(values_a, values_b, keys));
            rest.push(Rest::Keys(keys_a, keys_b));
        }
        _ => {
            let (pairs_a, pairs_b) = (maps::sorted_pairs(heap_a, a), maps::sorted_pairs(heap_b, b));
            let both = || pairs_a.iter().zip(&pairs_b).rev();
            rest.extend(both().map(|(x, y)| {
                if keys {
                    Rest::Key(x.1, y.1)
                } else {
                    Rest::Pair(x.1, y.1)
                }
            }));
            rest.extend(both().map(|(x, y)| Rest::Key(x.0, y.0)));
        }
    }
}

/// Values without parts, and values of different types.
fn leaf(a: TermView<'_>, b: TermView<'_>, exact: bool) -> Ordering {
    match (a, b) {
        (TermView::Small(x), TermView::Small(y)) => x.cmp(&y),
        (TermView::Float(x), TermView::Float(y)) => x.partial_cmp(&y).expect("floats are finite"),
        (TermView::Big { negative: n, limbs: x }, TermView::Big { negative: m, limbs: y }) => match (n, m) {
            (false, false) => compare_limbs(x, y),
            (true, true) => compare_limbs(y, x),
            (false, true) => Ordering::Greater,
            (true, false) => Ordering::Less,
        },
        (TermView::Big { negative, .. }, TermView::Small(_)) => {
            if negative {
                Ordering::Less
            } else {
                Ordering::Greater
            }
        }
        (TermView::Small(_), TermView::Big { negative, .. }) => {
            if negative {
                Ordering::Greater
            } else {
                Ordering::Less
            }
        }
        (TermView::Small(_) | TermView::Big { .. }, TermView::Float(y)) => {
            if exact {
                Ordering::Less
            } else {
                compare_integer_float(a, y)
            }
        }
        (TermView::Float(x), TermView::Small(_) | TermView::Big { .. }) => {
            if exact {
                Ordering::Greater
            } else {
                compare_integer_float(b, x).reverse()
            }
        }
        (TermView::Pid(x), TermView::Pid(y)) => compare_pids(x, y),
        (TermView::Port(x), TermView::Port(y)) => compare_pids(x.0, y.0),
        (TermView::Reference(x), TermView::Reference(y)) => {
            compare_pids(x.owner, y.owner).then(x.number.cmp(&y.number))
        }
        (
            TermView::ExternalFun {
                module,
                function,
                arity,
            },
            TermView::ExternalFun {
                module: module_b,
                function: function_b,
                arity: arity_b,
            },
        ) => module
            .as_str()
            .cmp(module_b.as_str())
            .then_with(|| function.as_str().cmp(function_b.as_str()))
            .then(arity.cmp(&arity_b)),
        _ => rank(a).cmp(&rank(b)),
    }
}

/// As in OTP: the number decides before the node.
fn compare_pids(a: Pid, b: Pid) -> Ordering {
    a.number().cmp(&b.number()).then(a.node().cmp(&b.node()))
}

/// Position of a type in the standard order.
fn rank(view: TermView<'_>) -> u8 {
    match view {
        TermView::Small(_) | TermView::Big { .. } | TermView::Float(_) => 0,
        TermView::Atom(_) => 1,
        TermView::Reference(_) => 2,
        TermView::Fun { .. } => 3,
        TermView::ExternalFun { .. } => 4,
        TermView::Port(_) => 5,
        TermView::Pid(_) => 6,
        TermView::Tuple(_) => 7,
        TermView::Map => 8,
        TermView::Nil => 9,
        TermView::Cons(..) => 10,
        TermView::Binary => 11,
    }
}

/// Magnitudes without leading zero limbs.
pub(crate) fn compare_limbs(a: &[u64], b: &[u64]) -> Ordering {
    a.len().cmp(&b.len()).then_with(|| a.iter().rev().cmp(b.iter().rev()))
}

/// Exact, also where the float has no fraction bits or the integer has more than 53.
fn compare_integer_float(integer: TermView<'_>, float: f64) -> Ordering {
    match integer {
        TermView::Small(i) => {
            if float >= 9.3e18 {
                Ordering::Less
            } else if float <= -9.3e18 {
                Ordering::Greater
            } else {
                // Within i128 the truncation is exact; what is cut off decides a tie.
                let whole = float.trunc();
                i128::from(i)
                    .cmp(&(whole as i128))
                    .then(0.0.partial_cmp(&(float - whole)).expect("finite"))
            }
        }
        TermView::Big { negative, limbs } => {
            if negative != (float < 0.0) {
                return if negative { Ordering::Less } else { Ordering::Greater };
            }
            let order = compare_limbs_float(limbs, float.abs());
            if negative { order.reverse() } else { order }
        }
        _ => unreachable!("the caller passes an integer"),
    }
}

/// Compares a magnitude of at least 2^60 with a float that is not negative.
fn compare_limbs_float(limbs: &[u64], float: f64) -> Ordering {
    let bits = float.to_bits();
    let exponent = (bits >> 52) as i64 - 1075;
    if exponent < -52 {
        return Ordering::Greater;
    }
    let mantissa = bits & ((1 << 52) - 1) | 1 << 52;
    let length = |limbs: &[u64]| limbs.len() as i64 * 64 - i64::from(limbs.last().map_or(0, |l| l.leading_zeros()));
    let order = length(limbs).cmp(&(exponent + 53));
    if order.is_ne() {
        return order;
    }
    // Same bit length, so at least 60: the float is an integer.
    let exponent = exponent as usize;
    let mut other = vec![0; limbs.len()];
    let wide = u128::from(mantissa) << (exponent % 64);
    other[exponent / 64] = wide as u64;
    if let Some(high) = other.get_mut(exponent / 64 + 1) {
        *high = (wide >> 64) as u64;
    }
    limbs.iter().rev().cmp(other.iter().rev())
}

/// Bit by bit; a prefix is less.
fn compare_bits(heap_a: &Heap, a: Term, heap_b: &Heap, b: Term) -> Ordering {
    let (x, y) = (heap_a.bits(a).expect("a binary"), heap_b.bits(b).expect("a binary"));
    if let (Some(x), Some(y)) = (x.as_bytes(), y.as_bytes()) {
        return x.cmp(y);
    }
    let common = x.len.min(y.len);
    let mut at = 0;
    while at < common {
        let (mut p, mut q) = (x.byte_at(at), y.byte_at(at));
        if common - at < 8 {
            let mask = !(0xff_u16 >> (common - at)) as u8;
            (p, q) = (p & mask, q & mask);
        }
        if p != q {
            return p.cmp(&q);
        }
        at += 8;
    }
    x.len.cmp(&y.len)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use proptest::prelude::*;

    use super::*;
    use crate::atom::Atom;
    use crate::maps::from_pairs;

    fn heap() -> Heap {
        Heap::new(Arc::new(Vec::new()))
    }

    /// A description of a term, to build it in any heap.
    #[derive(Clone, Debug)]
    enum Sketch {
        Int(i64),
        Big(bool, u64, u64),
        Float(f64),
        Atom(u8),
        Bytes(Vec<u8>),
        Bits(u8),
        List(Vec<Sketch>),
        Tuple(Vec<Sketch>),
        Map(Vec<(Sketch, Sketch)>),
    }

    fn sketch() -> impl Strategy<Value = Sketch> {
        let leaf = prop_oneof![
            (-3..3_i64).prop_map(Sketch::Int),
            any::<i64>().prop_map(Sketch::Int),
            (any::<bool>(), any::<u64>(), 0..2_u64).prop_map(|(n, a, b)| Sketch::Big(n, a, b)),
            (-3..3_i64).prop_map(|i| Sketch::Float(i as f64)),
            any::<f64>()
                .prop_filter("finite", |x| x.is_finite())
                .prop_map(Sketch::Float),
            (0..4_u8).prop_map(Sketch::Atom),
            prop::collection::vec(0..3_u8, 0..4).prop_map(Sketch::Bytes),
            any::<u8>().prop_map(Sketch::Bits),
        ];
        leaf.prop_recursive(4, 40, 5, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..5).prop_map(Sketch::List),
                prop::collection::vec(inner.clone(), 0..5).prop_map(Sketch::Tuple),
                prop::collection::vec((inner.clone(), inner), 0..5).prop_map(Sketch::Map),
            ]
        })
    }

    fn build(heap: &mut Heap, sketch: &Sketch) -> Term {
        match sketch {
            Sketch::Int(i) => heap.make_int(*i),
            Sketch::Big(n, a, b) => heap.make_big(*n, &[*a, *b]),
            Sketch::Float(x) => heap.make_float(*x),
            Sketch::Atom(i) => Term::atom(Atom::new(["z", "a", "", "ab"][usize::from(*i)])),
            Sketch::Bytes(b) => heap.make_binary(b),
            Sketch::Bits(b) => {
                let whole = heap.make_binary(&[*b, 0xa5, 0x5a]);
                heap.make_sub_binary(whole, usize::from(*b & 3), usize::from(*b >> 4))
            }
            Sketch::List(items) => {
                let items: Vec<_> = items.iter().map(|i| build(heap, i)).collect();
                heap.make_list(&items)
            }
            Sketch::Tuple(items) => {
                let items: Vec<_> = items.iter().map(|i| build(heap, i)).collect();
                heap.make_tuple(&items)
            }
            Sketch::Map(pairs) => {
                let pairs: Vec<_> = pairs.iter().map(|(k, v)| (build(heap, k), build(heap, v))).collect();
                from_pairs(heap, &pairs)
            }
        }
    }

    proptest! {
        #[test]
        fn a_total_order(a in sketch(), b in sketch(), c in sketch()) {
            let mut h = heap();
            let [x, y, z] = [&a, &b, &c].map(|s| build(&mut h, s));
            for cmp in [compare, compare_exact] {
                prop_assert_eq!(cmp(&h, x, x), Ordering::Equal);
                prop_assert_eq!(cmp(&h, x, y), cmp(&h, y, x).reverse());
                if cmp(&h, x, y).is_le() && cmp(&h, y, z).is_le() {
                    prop_assert!(cmp(&h, x, z).is_le());
                }
            }
            prop_assert_eq!(equal(&h, x, y), compare(&h, x, y).is_eq());
            prop_assert_eq!(exact_equal(&h, x, y), compare_exact(&h, x, y).is_eq());
            if exact_equal(&h, x, y) {
                prop_assert!(equal(&h, x, y));
                prop_assert_eq!(crate::hash::internal(&h, x), crate::hash::internal(&h, y));
                prop_assert_eq!(crate::hash::phash2(&h, x), crate::hash::phash2(&h, y));
                prop_assert_eq!(crate::hash::phash(&h, x), crate::hash::phash(&h, y));
            }
        }

        #[test]
        fn a_copy_is_equal(a in sketch(), b in sketch()) {
            let (mut h, mut other) = (heap(), heap());
            other.make_tuple(&[Term::NIL]);
            let (x, y) = (build(&mut h, &a), build(&mut h, &b));
            let (copy, foreign) = (build(&mut h, &a), build(&mut other, &a));
            prop_assert!(exact_equal(&h, x, copy) && equal(&h, x, copy));
            prop_assert!(exact_equal_across(&h, x, &other, foreign));
            prop_assert_eq!(compare_across(&h, y, &other, foreign), compare(&h, y, x));
        }
    }

    #[test]
    fn deep_terms_need_no_stack() {
        let mut h = heap();
        let mut a = Term::NIL;
        for _ in 0..300_000 {
            a = h.cons(a, Term::NIL);
            a = h.make_tuple(&[a]);
            a = from_pairs(&mut h, &[(a, Term::NIL)]);
        }
        let copy = h.import(&h.export(a));
        assert!(exact_equal(&h, a, copy));
        assert_eq!(crate::hash::internal(&h, a), crate::hash::internal(&h, copy));
        assert_eq!(crate::hash::phash2(&h, a), crate::hash::phash2(&h, copy));
    }
}

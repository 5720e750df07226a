//! Maps. Up to [`FLAT_LIMIT`] keys: a sorted tuple of keys (shared between the versions of a map that have the same keys)
//! and the values. More: a hash array mapped trie (`hamt`), whose shape and so whose order is a function of the keys alone.

mod hamt;
mod listed;
#[cfg(test)]
mod tests;

use std::cmp::Ordering;

use crate::heap::{Heap, as_terms};
use crate::ops::{compare_exact, exact_equal};
use crate::term::{BoxKind, Term};

/// The largest number of keys of a flat map, as in OTP.
pub const FLAT_LIMIT: usize = 32;

/// Is it a map?
#[inline]
#[must_use]
pub fn is_map(heap: &Heap, t: Term) -> bool {
    matches!(heap.kind(t), Some(BoxKind::FlatMap | BoxKind::HashMap))
}

/// How many keys; 0 for anything but a map.
#[inline]
#[must_use]
pub fn size(heap: &Heap, map: Term) -> usize {
    match heap.boxed(map) {
        Some((BoxKind::FlatMap, p)) => p.len() - 1,
        Some((BoxKind::HashMap, p)) => Term(p[0]).small_value() as usize,
        _ => 0,
    }
}

/// Keys (in term order) and values of a flat map.
#[inline]
#[must_use]
pub fn flat(heap: &Heap, map: Term) -> Option<(&[Term], &[Term])> {
    match heap.boxed(map) {
        Some((BoxKind::FlatMap, p)) => Some((heap.tuple(Term(p[0])).expect("keys of a flat map"), as_terms(&p[1..]))),
        _ => None,
    }
}

/// The value of a key; `None` if it is absent or `map` is not a map.
#[inline]
#[must_use]
pub fn get(heap: &Heap, map: Term, key: Term) -> Option<Term> {
    match heap.boxed(map)? {
        (BoxKind::FlatMap, p) => {
            let keys = heap.tuple(Term(p[0])).expect("keys of a flat map");
            position(heap, keys, key).map(|i| Term(p[i + 1]))
        }
        (BoxKind::HashMap, p) => hamt::get(heap, Term(p[1]), key),
        _ => None,
    }
}

/// The index of the key among sorted keys.
#[inline]
fn position(heap: &Heap, keys: &[Term], key: Term) -> Option<usize> {
    if key.is_immediate() {
        keys.iter().position(|k| *k == key)
    } else if keys.len() <= 8 {
        keys.iter().position(|k| exact_equal(heap, *k, key))
    } else {
        keys.binary_search_by(|k| compare_exact(heap, *k, key)).ok()
    }
}

/// `Map#{Key => Value}`.
///
/// # Panics
/// If `map` is not a map.
pub fn put(heap: &mut Heap, map: Term, key: Term, value: Term) -> Term {
    if heap.kind(map) == Some(BoxKind::HashMap) {
        return hamt::put(heap, map, key, value, true).expect("a put that may add");
    }
    if let Some(updated) = update_exact(heap, map, key, value) {
        return updated;
    }
    let (keys, values) = flat(heap, map).expect("put into a map");
    let n = keys.len();
    let at = keys.partition_point(|k| compare_exact(heap, *k, key) == Ordering::Less);
    let (mut new_keys, mut new_values) = ([Term::NIL; FLAT_LIMIT + 1], [Term::NIL; FLAT_LIMIT + 1]);
    for (new, old, item) in [(&mut new_keys, keys, key), (&mut new_values, values, value)] {
        new[..at].copy_from_slice(&old[..at]);
        new[at] = item;
        new[at + 1..=n].copy_from_slice(&old[at..]);
    }
    if n < FLAT_LIMIT {
        let keys = heap.make_tuple(&new_keys[..=n]);
        return make_flat(heap, keys, &new_values[..=n]);
    }
    hamt::build(heap, new_keys.into_iter().zip(new_values))
}

/// `Map#{Key := Value}`: `None` if the key is absent (or `map` is not a map).
pub fn update_exact(heap: &mut Heap, map: Term, key: Term, value: Term) -> Option<Term> {
    match heap.boxed(map)? {
        (BoxKind::FlatMap, p) => {
            let keys = Term(p[0]);
            let i = position(heap, heap.tuple(keys).expect("keys of a flat map"), key)?;
            if Term(p[i + 1]) == value {
                return Some(map);
            }
            let n = p.len();
            let mut payload = [0; FLAT_LIMIT + 1];
            payload[..n].copy_from_slice(p);
            payload[i + 1] = value.0;
            Some(heap.make_box(BoxKind::FlatMap, &payload[..n]))
        }
        (BoxKind::HashMap, _) => hamt::put(heap, map, key, value, false),
        _ => None,
    }
}

/// The map without the key: the same map if it is absent.
pub fn remove(heap: &mut Heap, map: Term, key: Term) -> Term {
    let Some((keys, values)) = flat(heap, map) else {
        return hamt::remove(heap, map, key);
    };
    let Some(at) = position(heap, keys, key) else {
        return map;
    };
    let without = |items: &[Term]| {
        let mut left = items.to_vec();
        left.remove(at);
        left
    };
    let (keys, values) = (without(keys), without(values));
    let keys = heap.make_tuple(&keys);
    make_flat(heap, keys, &values)
}

/// The empty map.
pub fn empty(heap: &mut Heap) -> Term {
    let keys = heap.make_tuple(&[]);
    make_flat(heap, keys, &[])
}

/// A flat map over a tuple of at most [`FLAT_LIMIT`] distinct keys in [`compare_exact`] order: for literals and for
/// constructions whose keys are known.
pub fn make_flat(heap: &mut Heap, keys: Term, values: &[Term]) -> Term {
    debug_assert_eq!(
        heap.tuple(keys).map(<[Term]>::len),
        Some(values.len()),
        "one value a key"
    );
    let mut payload = [0; FLAT_LIMIT + 1];
    payload[0] = keys.0;
    for (word, value) in payload[1..].iter_mut().zip(values) {
        *word = value.0;
    }
    heap.make_box(BoxKind::FlatMap, &payload[..=values.len()])
}

/// A map of these pairs; of equal keys the last wins.
pub fn from_pairs(heap: &mut Heap, pairs: &[(Term, Term)]) -> Term {
    of_pairs(heap, pairs, true)
}

/// The map of a map expression, `#{K => V, …}`: as [`from_pairs`], but of equal keys (`0.0` and `-0.0` can be) it has the first, with the last value.
pub fn of_expression(heap: &mut Heap, pairs: &[(Term, Term)]) -> Term {
    of_pairs(heap, pairs, false)
}

fn of_pairs(heap: &mut Heap, pairs: &[(Term, Term)], takes_keys: bool) -> Term {
    let mut sorted = pairs.to_vec();
    let in_order = sorted
        .windows(2)
        .all(|w| compare_exact(heap, w[0].0, w[1].0) == Ordering::Less);
    if !in_order {
        sorted.sort_by(|a, b| compare_exact(heap, a.0, b.0));
        // The sort is stable.
        sorted.dedup_by(|next, kept| {
            let is_equal = exact_equal(heap, kept.0, next.0);
            match (is_equal, takes_keys) {
                (false, _) => {}
                (true, true) => *kept = *next,
                (true, false) => kept.1 = next.1,
            }
            is_equal
        });
    }
    from_sorted(heap, &sorted)
}

/// A map of pairs with distinct keys in [`compare_exact`] order.
fn from_sorted(heap: &mut Heap, pairs: &[(Term, Term)]) -> Term {
    if pairs.len() > FLAT_LIMIT {
        return hamt::build(heap, pairs.iter().copied());
    }
    let (keys, values): (Vec<_>, Vec<_>) = pairs.iter().copied().unzip();
    let keys = heap.make_tuple(&keys);
    make_flat(heap, keys, &values)
}

/// Keys and values in iteration order: term order for flat maps, a fixed function of the keys for larger ones.
#[must_use]
pub fn pairs(heap: &Heap, map: Term) -> Vec<(Term, Term)> {
    match heap.boxed(map) {
        Some((BoxKind::FlatMap, _)) => {
            let (keys, values) = flat(heap, map).expect("kind checked");
            keys.iter().copied().zip(values.iter().copied()).collect()
        }
        Some((BoxKind::HashMap, p)) => hamt::pairs(heap, Term(p[1]), size(heap, map)),
        _ => Vec::new(),
    }
}

/// Keys and values as a program lists them: in iteration order, but for small maps of programs of OTP 26 and newer (module `listed`).
#[must_use]
pub fn listed_pairs(heap: &Heap, map: Term) -> Vec<(Term, Term)> {
    let mut pairs = pairs(heap, map);
    if heap.lists_by_table() && heap.kind(map) == Some(BoxKind::FlatMap) {
        listed::sort(&mut pairs);
    }
    pairs
}

/// Keys and values in term order of the keys.
#[must_use]
pub fn sorted_pairs(heap: &Heap, map: Term) -> Vec<(Term, Term)> {
    let mut pairs = pairs(heap, map);
    if heap.kind(map) == Some(BoxKind::HashMap) {
        // Comparing keys comes back here when large maps are keys of large maps of…: the one place where depth needs a stack.
        stacker::maybe_grow(64 << 10, 1 << 20, || {
            pairs.sort_by(|a, b| compare_exact(heap, a.0, b.0))
        });
    }
    pairs
}

/// `maps:merge/2`: the pairs of `b` win.
pub fn merge(heap: &mut Heap, a: Term, b: Term) -> Term {
    let (small_a, small_b) = (size(heap, a), size(heap, b));
    if small_b == 0 {
        return a;
    }
    if small_a == 0 {
        return b;
    }
    if flat(heap, a).is_some() && flat(heap, b).is_some() || small_b > small_a / 4 {
        let mut all = pairs(heap, a);
        all.extend(pairs(heap, b));
        return from_pairs(heap, &all);
    }
    pairs(heap, b)
        .into_iter()
        .fold(a, |map, (key, value)| put(heap, map, key, value))
}

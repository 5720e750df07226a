//! Large maps: a hash array mapped trie of 16-way nodes over a 64-bit hash of the key's value, highest bits first.
//!
//! A `HashMap` box is `[count, root]`; a `HashNode` box is `[bitmap, child…]` with a child for each set bit, lowest bit first. A child is a
//! leaf (cons cell `[key | value]`) or a node. If two hashes agree in all bits, a node with bitmap −1 holds the leaves in key order. A node
//! below the root has at least two leaves under it, so the shape depends only on the set of keys.

use super::{FLAT_LIMIT, from_sorted};
use crate::hash::internal as hash_of;
use crate::heap::{Heap, as_terms};
use crate::ops::{compare_exact, exact_equal};
use crate::term::{BoxKind, Term};

/// Levels of four bits.
const LEVELS: usize = 16;
/// Bitmap of a node of equal hashes.
const COLLISION: i64 = -1;

fn nibble(hash: u64, level: usize) -> u32 {
    (hash >> (60 - 4 * level)) as u32 & 15
}

/// Bitmap and children.
fn node(heap: &Heap, t: Term) -> (i64, &[Term]) {
    match heap.boxed(t) {
        Some((BoxKind::HashNode, p)) => (Term(p[0]).small_value(), as_terms(&p[1..])),
        _ => unreachable!("a child that is no leaf is a node"),
    }
}

fn make_node(heap: &mut Heap, bitmap: i64, children: &[Term]) -> Term {
    if children.len() <= 16 {
        let mut payload = [0; 17];
        payload[0] = Term::small(bitmap).0;
        for (word, child) in payload[1..].iter_mut().zip(children) {
            *word = child.0;
        }
        return heap.make_box(BoxKind::HashNode, &payload[..=children.len()]);
    }
    let payload: Vec<u64> = std::iter::once(Term::small(bitmap))
        .chain(children.iter().copied())
        .map(|t| t.0)
        .collect();
    heap.make_box(BoxKind::HashNode, &payload)
}

fn make_map(heap: &mut Heap, count: usize, root: Term) -> Term {
    heap.make_box(BoxKind::HashMap, &[Term::small(count as i64).0, root.0])
}

fn count_and_root(heap: &Heap, map: Term) -> (usize, Term) {
    match heap.boxed(map) {
        Some((BoxKind::HashMap, p)) => (Term(p[0]).small_value() as usize, Term(p[1])),
        _ => unreachable!("the caller checked that it is a large map"),
    }
}

/// The value of a key under a root.
pub fn get(heap: &Heap, root: Term, key: Term) -> Option<Term> {
    let hash = hash_of(heap, key);
    let mut at = root;
    for level in 0..=LEVELS {
        let (bitmap, children) = node(heap, at);
        if bitmap == COLLISION {
            let cells = children.iter().filter_map(|c| heap.cons_cell(*c));
            return cells
                .into_iter()
                .find(|(k, _)| exact_equal(heap, *k, key))
                .map(|(_, v)| v);
        }
        let bit = 1_i64 << nibble(hash, level);
        if bitmap & bit == 0 {
            return None;
        }
        at = children[(bitmap & (bit - 1)).count_ones() as usize];
        if let Some((k, v)) = heap.cons_cell(at) {
            return exact_equal(heap, k, key).then_some(v);
        }
    }
    unreachable!("the last level is a node of equal hashes")
}

/// A copy of a node with one child changed, inserted or removed.
fn edit(heap: &mut Heap, at: Term, bitmap: i64, change: impl FnOnce(&mut Vec<Term>)) -> Term {
    let mut children = node(heap, at).1.to_vec();
    change(&mut children);
    make_node(heap, bitmap, &children)
}

/// A copy of a node with another child at one position: the fast path, without a vector.
fn replace(heap: &mut Heap, at: Term, position: usize, child: Term) -> Term {
    let (bitmap, children) = node(heap, at);
    let n = children.len();
    if n > 16 {
        return edit(heap, at, bitmap, |c| c[position] = child);
    }
    let mut copy = [Term::NIL; 16];
    copy[..n].copy_from_slice(children);
    copy[position] = child;
    make_node(heap, bitmap, &copy[..n])
}

/// The map with a key changed, or added if `add`; otherwise `None` when it is absent.
pub fn put(heap: &mut Heap, map: Term, key: Term, value: Term, add: bool) -> Option<Term> {
    let (count, root) = count_and_root(heap, map);
    let hash = hash_of(heap, key);
    let mut path = [(Term::NIL, 0); LEVELS + 1];
    let (mut level, mut at) = (0, root);
    let (mut new, added) = loop {
        let (bitmap, children) = node(heap, at);
        if bitmap == COLLISION {
            let keys: Vec<Term> = children
                .iter()
                .filter_map(|c| heap.cons_cell(*c))
                .map(|(k, _)| k)
                .collect();
            let found = keys.binary_search_by(|k| compare_exact(heap, *k, key));
            if found.is_err() && !add {
                return None;
            }
            let leaf = heap.cons(key, value);
            break match found {
                Ok(i) => (edit(heap, at, bitmap, |c| c[i] = leaf), false),
                Err(i) => (edit(heap, at, bitmap, |c| c.insert(i, leaf)), true),
            };
        }
        let bit = 1_i64 << nibble(hash, level);
        let position = (bitmap & (bit - 1)).count_ones() as usize;
        if bitmap & bit == 0 {
            if !add {
                return None;
            }
            let leaf = heap.cons(key, value);
            break (edit(heap, at, bitmap | bit, |c| c.insert(position, leaf)), true);
        }
        let child = children[position];
        if let Some((k, v)) = heap.cons_cell(child) {
            if exact_equal(heap, k, key) {
                if v == value {
                    return Some(map);
                }
                let leaf = heap.cons(k, value);
                break (replace(heap, at, position, leaf), false);
            }
            if !add {
                return None;
            }
            let leaf = heap.cons(key, value);
            let mut pair = [(hash_of(heap, k), child), (hash, leaf)];
            pair.sort_by(|a, b| a.0.cmp(&b.0).then_with(|| compare_leaves(heap, a.1, b.1)));
            let below = build_node(heap, &pair, level + 1);
            break (replace(heap, at, position, below), true);
        }
        path[level] = (at, position);
        level += 1;
        at = child;
    };
    for (above, position) in path[..level].iter().rev() {
        new = replace(heap, *above, *position, new);
    }
    Some(make_map(heap, count + usize::from(added), new))
}

/// The map without a key; a flat one when [`FLAT_LIMIT`] keys are left.
pub fn remove(heap: &mut Heap, map: Term, key: Term) -> Term {
    let (count, root) = count_and_root(heap, map);
    if get(heap, root, key).is_none() {
        return map;
    }
    if count == FLAT_LIMIT + 1 {
        let mut left = pairs(heap, root, count);
        left.retain(|(k, _)| !exact_equal(heap, *k, key));
        left.sort_by(|a, b| compare_exact(heap, a.0, b.0));
        return from_sorted(heap, &left);
    }
    let hash = hash_of(heap, key);
    let mut path = [(Term::NIL, 0); LEVELS + 1];
    let (mut level, mut at) = (0, root);
    let mut new = loop {
        let (bitmap, children) = node(heap, at);
        if bitmap == COLLISION {
            let mut left = children.to_vec();
            left.retain(|c| heap.cons_cell(*c).is_some_and(|(k, _)| !exact_equal(heap, k, key)));
            break make_node(heap, bitmap, &left);
        }
        let bit = 1_i64 << nibble(hash, level);
        let position = (bitmap & (bit - 1)).count_ones() as usize;
        let child = children[position];
        if child.is_cons() {
            break edit(heap, at, bitmap & !bit, |c| {
                c.remove(position);
            });
        }
        path[level] = (at, position);
        level += 1;
        at = child;
    };
    for (above, position) in path[..level].iter().rev() {
        // A lone leaf moves up, so that the shape does not depend on removed keys.
        if let [only] = *node(heap, new).1
            && only.is_cons()
        {
            new = only;
        }
        new = replace(heap, *above, *position, new);
    }
    make_map(heap, count - 1, new)
}

/// All pairs in the trie's order.
pub fn pairs(heap: &Heap, root: Term, count: usize) -> Vec<(Term, Term)> {
    let mut out = Vec::with_capacity(count);
    let mut stack = vec![root];
    while let Some(t) = stack.pop() {
        match heap.cons_cell(t) {
            Some(pair) => out.push(pair),
            None => stack.extend(node(heap, t).1.iter().rev()),
        }
    }
    out
}

fn compare_leaves(heap: &Heap, a: Term, b: Term) -> std::cmp::Ordering {
    let key = |leaf| heap.cons_cell(leaf).expect("leaves are cons cells").0;
    compare_exact(heap, key(a), key(b))
}

/// A large map of more than [`FLAT_LIMIT`] pairs with distinct keys.
pub fn build(heap: &mut Heap, pairs: impl Iterator<Item = (Term, Term)>) -> Term {
    let mut leaves: Vec<(u64, Term)> = pairs.map(|(k, v)| (hash_of(heap, k), heap.cons(k, v))).collect();
    leaves.sort_by(|a, b| a.0.cmp(&b.0).then_with(|| compare_leaves(heap, a.1, b.1)));
    let root = build_node(heap, &leaves, 0);
    make_map(heap, leaves.len(), root)
}

/// A node of leaves that are sorted by hash and agree in the bits above `level`. Recursion is at most [`LEVELS`] deep.
fn build_node(heap: &mut Heap, leaves: &[(u64, Term)], level: usize) -> Term {
    if level == LEVELS {
        let all: Vec<Term> = leaves.iter().map(|(_, leaf)| *leaf).collect();
        return make_node(heap, COLLISION, &all);
    }
    let (mut children, mut n, mut bitmap, mut rest) = ([Term::NIL; 16], 0, 0_i64, leaves);
    while let Some((first, _)) = rest.first() {
        let bits = nibble(*first, level);
        let (group, others) = rest.split_at(rest.partition_point(|(h, _)| nibble(*h, level) <= bits));
        children[n] = match group {
            [(_, leaf)] => *leaf,
            _ => build_node(heap, group, level + 1),
        };
        n += 1;
        bitmap |= 1 << bits;
        rest = others;
    }
    make_node(heap, bitmap, &children[..n])
}

/// The root of a trie whose keys are all given the hash 0.
#[cfg(test)]
pub fn build_with_equal_hashes(heap: &mut Heap, keys: &[Term]) -> Term {
    let leaves: Vec<(u64, Term)> = keys.iter().map(|k| (0, heap.cons(*k, *k))).collect();
    build_node(heap, &leaves, 0)
}

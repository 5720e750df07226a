//! Hashes of terms: our own for large maps, and those that Erlang programs see (`phash2`, `phash`), bit for bit OTP's.

mod phash;

pub use phash::{atom_value, phash, phash2};

use crate::heap::{Bits, Heap, TermView};
use crate::maps;
use crate::term::Term;

const K: u64 = 0x9e37_79b9_7f4a_7c15;

#[inline(always)]
fn mix(hash: u64, value: u64) -> u64 {
    (hash.rotate_left(5) ^ value).wrapping_mul(K)
}

#[inline(always)]
fn finish(hash: u64) -> u64 {
    let h = (hash ^ hash >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
    h ^ h >> 32
}

fn mix_bytes(hash: u64, bytes: &[u8]) -> u64 {
    bytes.chunks(8).fold(mix(hash, bytes.len() as u64), |hash, chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        mix(hash, u64::from_le_bytes(word))
    })
}

/// A hash for large maps: it depends only on the value (not on addresses, interning order or the host), and is equal for terms that are `=:=`.
/// Iterative.
#[must_use]
pub fn internal(heap: &Heap, t: Term) -> u64 {
    if t.is_small() {
        return finish(mix(1, t.0));
    }
    of_parts(heap, t, usize::MAX)
}

/// As [`internal`], for the first `parts` parts of a term only; the time does not grow with the rest (except for binaries).
#[must_use]
pub fn of_parts(heap: &Heap, t: Term, parts: usize) -> u64 {
    let mut left = parts;
    let mut hash = 0;
    let mut stack: Vec<&[Term]> = Vec::new();
    let mut pending: Vec<Term> = vec![t];
    loop {
        let t = if let Some(t) = pending.pop() {
            t
        } else if let Some(slice) = stack.pop() {
            match slice.split_first() {
                None => continue,
                Some((first, rest)) => {
                    if !rest.is_empty() {
                        stack.push(rest);
                    }
                    *first
                }
            }
        } else {
            return finish(hash);
        };
        if left == 0 {
            return finish(hash);
        }
        left -= 1;
        // `pending` is drained before `stack`, so parts of one term are always visited in the same order.
        hash = match heap.view(t) {
            TermView::Small(_) => mix(mix(hash, 1), t.0),
            TermView::Big { negative, limbs } => limbs
                .iter()
                .fold(mix(hash, 2 + u64::from(negative)), |hash, limb| mix(hash, *limb)),
            TermView::Float(x) => {
                let is_zero = x == 0.0 && !heap.tells_zeros();
                mix(mix(hash, 4), if is_zero { 0 } else { x.to_bits() })
            }
            TermView::Atom(a) => mix_bytes(mix(hash, 5), a.as_str().as_bytes()),
            TermView::Pid(p) => mix(mix(hash, 6), p.0),
            TermView::Port(p) => mix(mix(hash, 15), p.0.0),
            TermView::Reference(r) => mix(mix(mix(hash, 7), r.owner.0), r.number),
            TermView::Nil => mix(hash, 8),
            TermView::Cons(head, tail) => {
                pending.push(tail);
                pending.push(head);
                mix(hash, 9)
            }
            TermView::Tuple(elements) => {
                stack.push(elements);
                mix(mix(hash, 10), elements.len() as u64)
            }
            TermView::Map => {
                // In iteration order, which is a function of the keys.
                for (key, value) in maps::pairs(heap, t).into_iter().rev() {
                    pending.push(value);
                    pending.push(key);
                }
                mix(mix(hash, 11), maps::size(heap, t) as u64)
            }
            TermView::Binary => {
                let bits = heap.bits(t).expect("a binary");
                mix_bits(mix(hash, 12), bits)
            }
            TermView::Fun { name, arity, free, .. } => {
                stack.push(free);
                let hash = mix_bytes(mix(hash, 13), name.module.as_str().as_bytes());
                mix(mix(hash, u64::from(name.index)), u64::from(arity))
            }
            TermView::ExternalFun {
                module,
                function,
                arity,
            } => {
                let hash = mix_bytes(
                    mix_bytes(mix(hash, 14), module.as_str().as_bytes()),
                    function.as_str().as_bytes(),
                );
                mix(hash, u64::from(arity))
            }
        };
    }
}

fn mix_bits(hash: u64, bits: Bits<'_>) -> u64 {
    let hash = mix(hash, bits.len as u64);
    match bits.as_bytes() {
        Some(bytes) => mix_bytes(hash, bytes),
        None => mix_bytes(hash, &bits.to_vec()),
    }
}

/// A deterministic 64-bit hash of raw bytes (not one that Erlang programs see).
#[must_use]
pub fn bytes(data: &[u8]) -> u64 {
    finish(mix_bytes(0, data))
}

//! `erlang:phash2` and `erlang:phash`: portable hashes whose values programs store and compare, so they must be OTP's.
//!
//! Pids, references and local funs are hashed by our own numbers, so their values differ from OTP's (as they do between two runs of OTP).

use crate::atom::Atom;
use crate::heap::{Heap, TermView};
use crate::maps;
use crate::term::Term;

/// The golden ratio that `phash2` is built on; the n-th constant of a type is n times this.
const GOLDEN: u32 = 0x9e37_79b9;

const fn constant(n: u32) -> u32 {
    GOLDEN.wrapping_mul(n)
}

/// Bob Jenkins' mixing step (lookup2).
#[inline(always)]
fn mix(mut a: u32, mut b: u32, mut c: u32) -> (u32, u32, u32) {
    macro_rules! step {
        ($x:ident $y:ident $z:ident, $shifted:expr) => {
            $x = $x.wrapping_sub($y).wrapping_sub($z);
            $x ^= $shifted;
        };
    }
    step!(a b c, c >> 13);
    step!(b c a, a << 8);
    step!(c a b, b >> 13);
    step!(a b c, c >> 12);
    step!(b c a, a << 16);
    step!(c a b, b >> 5);
    step!(a b c, c >> 3);
    step!(b c a, a << 10);
    step!(c a b, b >> 15);
    (a, b, c)
}

#[inline(always)]
fn mix2(hash: u32, x: u32, y: u32, n: u32) -> u32 {
    mix(constant(n).wrapping_add(x), constant(n).wrapping_add(y), hash).2
}

#[inline(always)]
fn mix1(hash: u32, x: u32, n: u32) -> u32 {
    mix2(hash, x, 0, n)
}

fn block(bytes: &[u8], initial: u32) -> u32 {
    let word = |b: &[u8]| b.iter().rev().fold(0_u32, |w, byte| w << 8 | u32::from(*byte));
    let (mut a, mut b, mut c) = (GOLDEN, GOLDEN, initial);
    let mut chunks = bytes.chunks_exact(12);
    for k in &mut chunks {
        (a, b, c) = mix(
            a.wrapping_add(word(&k[..4])),
            b.wrapping_add(word(&k[4..8])),
            c.wrapping_add(word(&k[8..])),
        );
    }
    let k = chunks.remainder();
    let part = |from: usize, to: usize| word(&k[from.min(k.len())..to.min(k.len())]);
    a = a.wrapping_add(part(0, 4));
    b = b.wrapping_add(part(4, 8));
    // The lowest byte of c is for the length.
    c = c.wrapping_add(bytes.len() as u32).wrapping_add(part(8, 11) << 8);
    mix(a, b, c).2
}

/// The hash of an atom's name, a part of both hashes.
#[must_use]
pub fn atom_value(atom: Atom) -> u32 {
    let bytes = atom.as_str().as_bytes();
    let (mut hash, mut i) = (0_u32, 0);
    while i < bytes.len() {
        let mut v = bytes[i];
        i += 1;
        // Characters up to 255 count as their latin1 byte, for compatibility with old releases.
        if v & 0xfe == 0xc2 && bytes.get(i).is_some_and(|b| b & 0xc0 == 0x80) {
            v = v << 6 | bytes[i] & 0x3f;
            i += 1;
        }
        hash = (hash << 4).wrapping_add(u32::from(v));
        let high = hash & 0xf000_0000;
        if high != 0 {
            hash ^= high >> 24;
            hash ^= high;
        }
    }
    hash
}

enum HashWork<'a> {
    Term(Term),
    /// Elements still to hash, first to last.
    Terms(&'a [Term]),
    /// End of a key-value pair: its hash joins the pairs'.
    MapPair,
    /// End of a map: the outer hash and the outer pairs' hash.
    MapEnd(u32, u32),
}

/// The 32-bit hash under `phash2`; the caller reduces it to its range. Iterative.
#[must_use]
pub fn phash2(heap: &Heap, term: Term) -> u32 {
    if let Some(atom) = term.as_atom() {
        return atom_value(atom);
    }
    let mut hash = 0_u32;
    let mut pairs = 0_u32;
    let mut stack = vec![HashWork::Term(term)];
    while let Some(work) = stack.pop() {
        let t = match work {
            HashWork::Term(t) => t,
            HashWork::Terms(ts) => match ts.split_first() {
                None => continue,
                Some((first, rest)) => {
                    stack.push(HashWork::Terms(rest));
                    *first
                }
            },
            HashWork::MapPair => {
                pairs ^= hash;
                hash = 0;
                continue;
            }
            HashWork::MapEnd(outer, outer_pairs) => {
                hash = mix1(outer, pairs, 19);
                pairs = outer_pairs;
                continue;
            }
        };
        hash = match heap.view(t) {
            TermView::Small(i) => {
                if (-(1 << 27)..1 << 27).contains(&i) {
                    let y = i as i32;
                    let hash = if y < 0 {
                        mix1(hash, y.wrapping_neg() as u32, 1)
                    } else {
                        hash
                    };
                    mix1(hash, y as u32, 1)
                } else {
                    let m = i.unsigned_abs();
                    mix2(hash, m as u32, (m >> 32) as u32, if i < 0 { 10 } else { 11 })
                }
            }
            TermView::Big { negative, limbs } => big(limbs, negative, hash),
            TermView::Float(x) => {
                let bits = if x == 0.0 { 0 } else { x.to_bits() };
                mix2(hash, (bits >> 32) as u32, bits as u32, 12)
            }
            TermView::Atom(a) => {
                if hash == 0 {
                    atom_value(a)
                } else {
                    mix1(hash, atom_value(a), 3)
                }
            }
            TermView::Nil => {
                if hash == 0 {
                    3_468_870_702
                } else {
                    mix1(hash, 2, 2)
                }
            }
            TermView::Cons(..) => list(heap, t, hash, &mut stack),
            TermView::Tuple(elements) => {
                stack.push(HashWork::Terms(elements));
                mix1(hash, elements.len() as u32, 9)
            }
            TermView::Map => {
                let all = maps::pairs(heap, t);
                hash = mix1(hash, all.len() as u32, 16);
                if all.is_empty() {
                    hash
                } else {
                    // The order of pairs must not matter: each is hashed from 0, then the hashes are xored.
                    stack.push(HashWork::MapEnd(hash, pairs));
                    pairs = 0;
                    for (key, value) in all {
                        stack.extend([HashWork::MapPair, HashWork::Term(value), HashWork::Term(key)]);
                    }
                    0
                }
            }
            TermView::Binary => binary(heap, t, hash),
            TermView::Pid(p) => mix1(hash, p.number() as u32, 5),
            TermView::Port(p) => mix1(hash, p.0.number() as u32, 6),
            TermView::Reference(r) => mix2(mix1(hash, r.number as u32, 7), r.owner.number() as u32, 0, 7),
            TermView::ExternalFun {
                module,
                function,
                arity,
            } => {
                let hash = mix2(hash, u32::from(arity), atom_value(module), 1);
                mix1(hash, atom_value(function), 14)
            }
            TermView::Fun { name, free, .. } => {
                stack.push(HashWork::Terms(free));
                let hash = mix2(hash, free.len() as u32, atom_value(name.module), 1);
                mix2(hash, name.index, name.unique, 1)
            }
        };
    }
    hash
}

/// The elements of a list; those that are no bytes are left on the stack, with what follows.
fn list<'a>(heap: &'a Heap, mut t: Term, mut hash: u32, stack: &mut Vec<HashWork<'a>>) -> u32 {
    let (mut packed, mut n) = (0_u32, 0);
    let mut other_head = None;
    // Runs of bytes are hashed four at a time.
    while let Some((head, tail)) = heap.cons_cell(t) {
        let Some(byte) = head.as_small().filter(|b| (0..256).contains(b)) else {
            other_head = Some((head, tail));
            break;
        };
        packed = (packed << 8).wrapping_add(byte as u32);
        n += 1;
        if n == 4 {
            hash = mix1(hash, packed, 4);
            (packed, n) = (0, 0);
        }
        t = tail;
    }
    if n > 0 {
        hash = mix1(hash, packed, 4);
    }
    match other_head {
        Some((head, tail)) => stack.extend([HashWork::Term(tail), HashWork::Term(head)]),
        None => stack.push(HashWork::Term(t)),
    }
    hash
}

fn big(limbs: &[u64], negative: bool, hash: u32) -> u32 {
    let sign = if negative { 10 } else { 11 };
    let mix = |hash, limb: &u64| mix2(hash, *limb as u32, (limb >> 32) as u32, sign);
    limbs.iter().fold(hash, mix)
}

/// A binary, or a string of bits.
fn binary(heap: &Heap, t: Term, hash: u32) -> u32 {
    let bits = heap.bits(t).expect("a binary");
    let initial = constant(13).wrapping_add(hash);
    if bits.len == 0 {
        return initial;
    }
    let bytes = bits.to_vec();
    let (whole, left) = (bits.len / 8, bits.len % 8);
    let hash = block(&bytes[..whole], initial);
    if left > 0 {
        mix2(hash, left as u32, u32::from(bytes[whole] >> (8 - left)), 15)
    } else {
        hash
    }
}

const PRIMES: [u32; 14] = [
    268_440_163,
    268_439_161,
    268_435_459,
    268_436_141,
    268_438_633,
    268_437_017,
    268_438_039,
    268_437_511,
    268_439_627,
    268_440_479,
    268_440_577,
    268_440_581,
    268_440_593,
    268_440_611,
];

enum Old<'a> {
    Term(Term),
    Tail(Term),
    ListEnd,
    Elements(&'a [Term], u32),
    Free(&'a [Term]),
}

fn old_bytes(hash: u32, value: u32, prime: usize) -> u32 {
    value.to_le_bytes().iter().fold(hash, |hash, b| {
        hash.wrapping_mul(PRIMES[prime]).wrapping_add(u32::from(*b))
    })
}

const fn step(hash: u32, prime: usize, value: u32) -> u32 {
    hash.wrapping_mul(PRIMES[prime]).wrapping_add(value)
}

/// The bytes at the head of a list; what follows is left on the stack.
fn old_list(heap: &Heap, mut at: Term, mut hash: u32, stack: &mut Vec<Old<'_>>) -> u32 {
    while let Some((head, tail)) = heap.cons_cell(at) {
        let Some(byte) = head.as_small().filter(|b| (0..256).contains(b)) else {
            stack.extend([Old::Tail(tail), Old::Term(head)]);
            return hash;
        };
        hash = step(hash, 1, byte as u32);
        at = tail;
    }
    stack.extend([Old::ListEnd, Old::Term(at)]);
    hash
}

/// The 32-bit hash under the old `phash`; the caller reduces it to its range and adds one. Iterative.
#[must_use]
pub fn phash(heap: &Heap, term: Term) -> u32 {
    let mut hash = 0_u32;
    let mut stack = vec![Old::Term(term)];
    while let Some(work) = stack.pop() {
        let (t, in_tail) = match work {
            Old::Term(t) => (t, false),
            Old::Tail(t) => (t, true),
            Old::ListEnd => {
                hash = hash.wrapping_mul(PRIMES[7]);
                continue;
            }
            Old::Elements(ts, arity) => {
                match ts.split_first() {
                    None => hash = step(hash, 8, arity),
                    Some((first, rest)) => stack.extend([Old::Elements(rest, arity), Old::Term(*first)]),
                }
                continue;
            }
            Old::Free(ts) => match ts.split_first() {
                None => continue,
                Some((first, rest)) => {
                    stack.push(Old::Free(rest));
                    (*first, false)
                }
            },
        };
        if in_tail && !t.is_cons() {
            stack.push(Old::ListEnd);
        }
        hash = match heap.view(t) {
            TermView::Small(i) => {
                let m = i.unsigned_abs();
                hash = old_bytes(hash, m as u32, 1);
                if m >> 32 != 0 {
                    hash = old_bytes(hash, (m >> 32) as u32, 1);
                }
                hash.wrapping_mul(PRIMES[if i < 0 { 3 } else { 2 }])
            }
            TermView::Big { negative, limbs } => {
                for (i, limb) in limbs.iter().enumerate() {
                    hash = old_bytes(hash, *limb as u32, 1);
                    if i + 1 < limbs.len() || limb >> 32 != 0 {
                        hash = old_bytes(hash, (limb >> 32) as u32, 1);
                    }
                }
                hash.wrapping_mul(PRIMES[if negative { 3 } else { 2 }])
            }
            TermView::Float(x) => {
                let bits = if x == 0.0 { 0 } else { x.to_bits() };
                step(hash, 5, (bits >> 32) as u32 ^ bits as u32)
            }
            TermView::Atom(a) => step(hash, 0, atom_value(a)),
            TermView::Nil => step(hash, 2, 1),
            TermView::Cons(..) => old_list(heap, t, hash, &mut stack),
            TermView::Tuple(elements) => {
                stack.push(Old::Elements(elements, elements.len() as u32));
                hash
            }
            TermView::Map => step(hash, 12, PRIMES[13]).wrapping_add(phash2(heap, t)),
            TermView::Binary => {
                let bits = heap.bits(t).expect("a binary");
                let bytes = bits.to_vec();
                let (whole, left) = (bits.len / 8, bits.len % 8);
                let mut h = bytes[..whole].iter().fold(hash, |h, b| step(h, 0, u32::from(*b)));
                if left > 0 {
                    h = step(h, 0, u32::from(bytes[whole] >> (8 - left)));
                    h = step(h, 11, left as u32);
                }
                step(h, 3, whole as u32)
            }
            TermView::Pid(p) => old_bytes(hash, p.number() as u32, 4).wrapping_mul(PRIMES[5]),
            TermView::Port(p) => old_bytes(hash, p.0.number() as u32, 8).wrapping_mul(PRIMES[9]),
            TermView::Reference(r) => old_bytes(hash, r.number as u32, 8).wrapping_mul(PRIMES[9]),
            TermView::ExternalFun {
                module,
                function,
                arity,
            } => {
                let h = step(hash, 10, u32::from(arity));
                step(step(h, 0, atom_value(module)), 0, atom_value(function))
            }
            TermView::Fun { name, free, .. } => {
                stack.push(Old::Free(free));
                let h = step(step(hash, 9, free.len() as u32), 0, atom_value(name.module));
                step(step(h, 1, name.index), 1, name.unique)
            }
        };
    }
    hash
}

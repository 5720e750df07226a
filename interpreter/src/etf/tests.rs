use std::sync::Arc;

use proptest::prelude::*;

use super::*;
use crate::atom::Atom;
use crate::heap::Heap;
use crate::maps;
use crate::ops::exact_equal;
use crate::term::{Pid, Reference, Term};

fn heap() -> Heap {
    Heap::new(Arc::new(Vec::new()))
}

/// A term with every kind of part.
fn sample(h: &mut Heap) -> Term {
    let parts = [
        Term::small(255),
        Term::small(-1),
        h.make_int(1 << 40),
        h.make_big(true, &[u64::MAX; 40]),
        h.make_float(-1.5),
        Term::atom(Atom::new("é")),
        Term::atom(Atom::new("Ωmega")),
        Term::NIL,
        h.make_string("text"),
        h.make_binary(&[1, 2, 3]),
        h.make_bitstring(&[0xa0], 3),
        Term::pid(Pid::new(3, 1 << 33)),
        h.make_reference(Reference {
            owner: Pid::new(1, 80),
            number: 1 << 40,
        }),
        h.make_list_with_tail(&[Term::small(300)], Term::small(1)),
    ];
    let pairs: Vec<_> = parts.iter().map(|p| (*p, *p)).collect();
    let map = maps::from_pairs(h, &pairs);
    let list = h.make_list(&parts);
    let mut many = vec![map, list];
    many.extend((0..300).map(Term::small));
    let wide = h.make_tuple(&many);
    let large: Vec<_> = (0..100).map(|i| (Term::small(i), wide)).collect();
    maps::from_pairs(h, &large)
}

#[test]
fn everything_round_trips() {
    let mut h = heap();
    let t = sample(&mut h);
    for minor_version in 0..3 {
        for compression in [0, 6] {
            for deterministic in [false, true] {
                let options = EtfOptions {
                    minor_version,
                    compression,
                    deterministic,
                };
                let mut bytes = encode(&h, t, &options);
                let n = bytes.len();
                bytes.push(7);
                let (back, used) = decode(&mut h, &bytes, true, None).unwrap();
                assert_eq!(used, n);
                assert!(exact_equal(&h, t, back), "{minor_version} {compression}");
            }
        }
    }
}

#[test]
fn deep_terms_round_trip_without_recursion() {
    let mut h = heap();
    let mut t = Term::NIL;
    for i in 0..200_000 {
        let pair = h.make_tuple(&[t, Term::small(i)]);
        t = h.make_list(&[pair]);
    }
    let bytes = encode(&h, t, &EtfOptions::default());
    let (back, _) = decode(&mut h, &bytes, false, None).unwrap();
    assert!(exact_equal(&h, t, back));
}

#[test]
fn every_cut_and_many_flips_are_refused_or_read_without_panic() {
    let mut h = heap();
    let t = sample(&mut h);
    let t = maps::get(&h, t, Term::small(3)).unwrap();
    let bytes = encode(&h, t, &EtfOptions::default());
    for n in 0..bytes.len() {
        assert!(decode(&mut h, &bytes[..n], true, None).is_err(), "cut at {n}");
    }
    for i in 0..bytes.len() {
        for flip in [1, 0x40, 0xff] {
            let mut bad = bytes.clone();
            bad[i] ^= flip;
            let mut h = heap();
            if let Ok((t, used)) = decode(&mut h, &bad, true, None) {
                assert!(used <= bad.len());
                assert!(exact_equal(&h, t, t));
            }
        }
    }
}

#[test]
fn safe_makes_no_atoms() {
    let mut h = heap();
    let name = b"an atom that nothing else in the tests makes";
    let mut bytes = vec![VERSION, SMALL_ATOM_UTF8, name.len() as u8];
    bytes.extend_from_slice(name);
    assert_eq!(decode(&mut h, &bytes, true, None), Err(DecodeError::Unknown(1)));
    assert!(decode(&mut h, &bytes, false, None).is_ok());
    assert!(decode(&mut h, &bytes, true, None).is_ok());
}

#[test]
fn claims_of_size_are_not_believed() {
    let mut h = heap();
    for tag in [LARGE_TUPLE, LIST, MAP, BINARY, LARGE_BIG, BIT_BINARY] {
        let bytes = [VERSION, tag, 0xff, 0xff, 0xff, 0xff, NIL];
        assert_eq!(
            decode(&mut h, &bytes, true, None),
            Err(DecodeError::Malformed(2)),
            "tag {tag}"
        );
    }
    let bomb = [VERSION, COMPRESSED, 0xff, 0xff, 0xff, 0xff, 0x78, 0x9c];
    assert_eq!(decode(&mut h, &bomb, true, None), Err(DecodeError::Malformed(2)));
    assert!(h.len() < 100);
}

proptest! {
    #[test]
    fn any_bytes_are_read_without_panic(mut bytes in prop::collection::vec(any::<u8>(), 0..60)) {
        bytes.insert(0, VERSION);
        let mut h = heap();
        let first = decode(&mut h, &bytes, true, None);
        if let Ok((t, used)) = first {
            let again = encode(&h, t, &EtfOptions::default());
            let (back, n) = decode(&mut h, &again, true, None).unwrap();
            prop_assert_eq!(n, again.len());
            prop_assert!(used <= bytes.len());
            prop_assert!(exact_equal(&h, t, back));
        }
    }
}

/// As systems before OTP 24 wrote them: with one byte for the creation of the node.
#[test]
fn older_pids_and_references_are_read() {
    let node = [&[100, 0, 13][..], b"nonode@nohost"].concat();
    let read = |parts: &[&[u8]]| {
        let bytes = [&[131][..], &parts.concat()].concat();
        decode(&mut heap(), &bytes, false, None).map(|(term, _)| term)
    };
    let pid = read(&[&[103], &node, &[0, 0, 0, 5, 0, 0, 0, 0, 0]]);
    assert_eq!(pid.unwrap().as_pid(), Some(Pid::new(0, 5)));
    assert!(read(&[&[114, 0, 3], &node, &[0; 13]]).is_ok());
    assert!(read(&[&[101], &node, &[0, 0, 0, 7, 0]]).is_ok());
    // Cut off, of another system, or with too many words.
    assert!(read(&[&[103], &node, &[0, 0, 0, 5]]).is_err());
    assert!(read(&[&[103, 100, 0, 1, b'a'], &[0, 0, 0, 5, 0, 0, 0, 0, 0]]).is_err());
    assert!(read(&[&[114, 0, 9], &node, &[0; 40]]).is_err());
}

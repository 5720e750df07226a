use std::sync::Arc;

use num_bigint::BigInt;
use proptest::prelude::*;

use super::*;
use crate::arith::to_bigint;

fn heap() -> Heap {
    Heap::new(Arc::new(Vec::new()))
}

proptest! {
    #[test]
    fn what_is_built_is_matched(
        fields in prop::collection::vec((prop::collection::vec(any::<u64>(), 1..4), 0..200_usize, any::<[bool; 3]>()), 1..8),
        start in 0..9_usize,
    ) {
        let mut h = heap();
        let mut builder = Builder::new();
        builder.push(0x1ff, start);
        let mut expected = Vec::new();
        for (limbs, size, [little, signed, negative]) in fields {
            let term = h.make_big(negative, &limbs);
            builder.put_integer(&h, term, size, little).unwrap();
            // The value modulo 2^size, as the match will see it.
            let modulus = BigInt::from(1) << size;
            let value = to_bigint(&h, term).unwrap();
            let mut value: BigInt = ((value % &modulus) + &modulus) % &modulus;
            if signed && size > 0 && value >= (&modulus >> 1) {
                value -= &modulus;
            }
            expected.push((value, size, little, signed));
        }
        let t = builder.finish(&mut h);
        let mut at = start;
        for (value, size, little, signed) in expected {
            let got = match_integer(&mut h, t, at, size, little, signed).unwrap();
            prop_assert_eq!(to_bigint(&h, got).unwrap(), value);
            at += size;
        }
        prop_assert_eq!(len(&h, t), Some(at));
        prop_assert!(match_integer(&mut h, t, at, 1, false, false).is_none());
    }

    #[test]
    fn parts_join_to_the_whole(bytes in prop::collection::vec(any::<u8>(), 0..100), cuts in prop::collection::vec(0..40_usize, 0..20)) {
        let mut h = heap();
        let whole = h.make_binary(&bytes);
        let mut builder = Builder::new();
        let mut at = 0;
        for cut in cuts {
            let Some(part) = match_bits(&mut h, whole, at, cut) else { break };
            builder.put_all(&h, part, 1).unwrap();
            at += cut;
        }
        let rest = match_rest(&mut h, whole, at, 1).unwrap();
        builder.put_all(&h, rest, 1).unwrap();
        let joined = builder.finish(&mut h);
        prop_assert!(crate::ops::exact_equal(&h, whole, joined));
        prop_assert_eq!(crate::hash::internal(&h, whole), crate::hash::internal(&h, joined));
        prop_assert_eq!(h.bytes(joined).unwrap().into_owned(), bytes);
    }

    #[test]
    fn characters_round_trip(c in any::<char>(), before in 0..8_usize, little in any::<bool>()) {
        let mut h = heap();
        let code = Term::small(i64::from(u32::from(c)));
        let mut builder = Builder::new();
        builder.push(0, before);
        builder.put_utf8(code).unwrap();
        builder.put_utf16(code, little).unwrap();
        builder.put_utf32(code, little).unwrap();
        let t = builder.finish(&mut h);
        let (a, n) = match_utf8(&h, t, before).unwrap();
        let (b, m) = match_utf16(&h, t, before + n, little).unwrap();
        let (c, _) = match_utf32(&h, t, before + n + m, little).unwrap();
        prop_assert_eq!([a, b, c], [code; 3]);
    }

    #[test]
    fn every_half_round_trips(raw in any::<u16>()) {
        let value = half_to_f64(raw);
        if value.is_finite() {
            prop_assert_eq!(half_from_f64(value), raw);
        }
    }
}

#[test]
fn appending_shares_the_room_and_old_values_stay() {
    let mut h = heap();
    let mut t = h.make_binary(b"");
    let mut old = Vec::new();
    let mut words = 0;
    for i in 0..20_000_u32 {
        let mut builder = Builder::new();
        builder.put_all(&h, t, 8).unwrap();
        builder.push(u64::from(i), 16);
        t = builder.finish(&mut h);
        if i % 1000 == 0 {
            old.push((t, i as usize + 1));
        }
        words = h.len();
    }
    assert!(words < 20_000 * 5, "four words an append, not a copy");
    assert!(h.memory().1 < 400_000, "buffers double: {}", h.memory().1);
    old.push((t, 20_000));
    // Two continuations of one value do not see each other.
    let mut fork = |value: u64| {
        let mut builder = Builder::new();
        builder.put_all(&h, old[3].0, 8).unwrap();
        builder.push(value, 8);
        builder.finish(&mut h)
    };
    let (a, b) = (fork(1), fork(2));
    assert_eq!(h.bytes(a).unwrap().last(), Some(&1));
    assert_eq!(h.bytes(b).unwrap().last(), Some(&2));
    let expected: Vec<u8> = (0..20_000_u32).flat_map(|i| (i as u16).to_be_bytes()).collect();
    for (t, n) in old {
        assert_eq!(h.bytes(t).unwrap().as_ref(), &expected[..n * 2]);
    }
}

#[test]
fn appending_bits_shares_the_room_too() {
    let mut h = heap();
    let mut t = h.make_binary(b"");
    let mut old = Vec::new();
    for i in 0..20_000_u64 {
        let mut builder = Builder::new();
        builder.put_all(&h, t, 1).unwrap();
        builder.push(i, 3);
        t = builder.finish(&mut h);
        if i % 1001 == 0 {
            old.push((t, i as usize + 1));
        }
    }
    assert!(h.len() < 20_000 * 5, "four words an append, not a copy");
    assert!(h.memory().1 < 100_000, "buffers double: {}", h.memory().1);
    old.push((t, 20_000));
    // Continuations of one value inside its last byte do not see each other, nor does what was appended first.
    for (before, n) in old.clone() {
        let mut fork = |value: u64| {
            let mut builder = Builder::new();
            builder.put_all(&h, before, 1).unwrap();
            builder.push(value, 2);
            builder.finish(&mut h)
        };
        let (a, b) = (fork(1), fork(2));
        assert_eq!(match_integer(&mut h, a, n * 3, 2, false, false), Some(Term::small(1)));
        assert_eq!(match_integer(&mut h, b, n * 3, 2, false, false), Some(Term::small(2)));
    }
    for (t, n) in old {
        let bits = h.bits(t).unwrap();
        assert_eq!(bits.len, n * 3);
        assert!((0..n).all(|i| bits.byte_at(i * 3) >> 5 == i as u8 & 7));
    }
}

#[test]
fn bad_characters_do_not_match() {
    let mut h = heap();
    for bytes in [
        &[0x80][..],
        &[0xc0, 0x80],
        &[0xed, 0xa0, 0x80],
        &[0xf4, 0x90, 0x80, 0x80],
        &[0xe2, 0x82],
        &[0xff],
    ] {
        let t = h.make_binary(bytes);
        assert_eq!(match_utf8(&h, t, 0), None, "{bytes:?}");
    }
    let t = h.make_binary(&[0xdc, 0, 0, 0x11, 0, 0]);
    assert_eq!(match_utf16(&h, t, 0, false), None);
    assert_eq!(match_utf32(&h, t, 16, false), None);
}

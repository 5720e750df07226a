use std::collections::BTreeMap;
use std::sync::Arc;

use proptest::prelude::*;

use super::*;

fn heap() -> Heap {
    Heap::new(Arc::new(Vec::new()))
}

/// Checks size, order, lookups and shape of `map` against a model.
fn check(heap: &mut Heap, map: Term, model: &BTreeMap<i64, i64>) {
    assert_eq!(size(heap, map), model.len());
    assert_eq!(flat(heap, map).is_some(), model.len() <= FLAT_LIMIT);
    let expected: Vec<(Term, Term)> = model.iter().map(|(k, v)| (Term::small(*k), Term::small(*v))).collect();
    assert_eq!(sorted_pairs(heap, map), expected);
    for (k, v) in model {
        assert_eq!(get(heap, map, Term::small(*k)), Some(Term::small(*v)));
    }
    let rebuilt = from_pairs(heap, &expected);
    assert_eq!(
        pairs(heap, map),
        pairs(heap, rebuilt),
        "the order is a function of the keys"
    );
    assert!(exact_equal(heap, map, rebuilt));
    assert_eq!(crate::hash::internal(heap, map), crate::hash::internal(heap, rebuilt));
}

proptest! {
    #[test]
    fn agrees_with_a_btree(ops in prop::collection::vec((0..4_u8, 0..80_i64, 0..5_i64), 0..400)) {
        let mut heap = heap();
        let mut map = empty(&mut heap);
        let mut model = BTreeMap::new();
        let mut old = Vec::new();
        for (op, key, value) in ops {
            let (k, v) = (Term::small(key), Term::small(value));
            match op {
                0 => {
                    map = remove(&mut heap, map, k);
                    model.remove(&key);
                }
                1 => {
                    let updated = update_exact(&mut heap, map, k, v);
                    prop_assert_eq!(updated.is_some(), model.contains_key(&key));
                    if let Some(updated) = updated {
                        map = updated;
                        model.insert(key, value);
                    }
                }
                _ => {
                    map = put(&mut heap, map, k, v);
                    model.insert(key, value);
                }
            }
            if old.len() < 5 {
                old.push((map, model.clone()));
            }
        }
        check(&mut heap, map, &model);
        for (map, model) in old {
            check(&mut heap, map, &model);
        }
    }

    #[test]
    fn last_of_equal_keys_wins(keys in prop::collection::vec(0..60_i64, 0..200)) {
        let mut heap = heap();
        let pairs: Vec<_> = keys.iter().enumerate().map(|(i, k)| (Term::small(*k), Term::small(i as i64))).collect();
        let map = from_pairs(&mut heap, &pairs);
        let model = keys.iter().enumerate().map(|(i, k)| (*k, i as i64)).collect();
        check(&mut heap, map, &model);
    }
}

#[test]
fn many_keys_of_all_kinds() {
    let mut heap = heap();
    let mut map = empty(&mut heap);
    let mut keys = Vec::new();
    for i in 0..500_i64 {
        let float = heap.make_float(i as f64);
        let text = heap.make_string(&i.to_string());
        let binary = heap.make_binary(&i.to_le_bytes());
        let tuple = heap.make_tuple(&[Term::small(i), text]);
        let big = heap.make_big(i % 2 == 0, &[i as u64, 7]);
        keys.extend([Term::small(i), float, text, binary, tuple, big]);
    }
    for (i, k) in keys.iter().enumerate() {
        map = put(&mut heap, map, *k, Term::small(i as i64));
    }
    assert_eq!(size(&heap, map), keys.len());
    for (i, k) in keys.iter().enumerate() {
        assert_eq!(get(&heap, map, *k), Some(Term::small(i as i64)));
    }
    for k in keys.iter().skip(10) {
        map = remove(&mut heap, map, *k);
    }
    assert_eq!(size(&heap, map), 10);
    assert!(flat(&heap, map).is_some());
}

#[test]
fn equal_hashes_are_told_apart() {
    // Leaves forced under one hash: the trie falls back to a node of equal hashes.
    let mut heap = heap();
    let keys: Vec<Term> = (0..40).map(Term::small).collect();
    let root = hamt::build_with_equal_hashes(&mut heap, &keys);
    let found: Vec<Term> = hamt::pairs(&heap, root, 40).into_iter().map(|p| p.0).collect();
    assert_eq!(found, keys);
}

#[test]
fn updating_shares_the_keys() {
    let mut heap = heap();
    let map = from_pairs(&mut heap, &[(Term::small(1), Term::NIL), (Term::small(2), Term::NIL)]);
    let other = put(&mut heap, map, Term::small(2), Term::small(5));
    let keys = |m| Term(heap.boxed(m).unwrap().1[0]);
    assert_eq!(keys(map), keys(other));
}

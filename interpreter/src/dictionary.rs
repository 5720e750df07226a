//! The process dictionary: keys and values in insertion order, found by the hash of the key.

use rustc_hash::FxHashMap;

use crate::heap::Heap;
use crate::ops::exact_equal;
use crate::term::Term;

/// Up to this many keys, keys are compared one by one.
const LINEAR_KEYS: usize = 8;

/// A key that was set, or the empty slot of an erased one.
#[derive(Clone, Debug)]
struct Slot {
    hash: u64,
    pair: Option<(Term, Term)>,
}

/// Keys and values in insertion order.
#[derive(Clone, Debug, Default)]
pub struct Dictionary {
    slots: Vec<Slot>,
    /// The number of slots with a key.
    live: usize,
    /// The positions of keys. invariant: exists exactly if there are more than [`LINEAR_KEYS`] slots.
    index: Option<Box<DictionaryIndex>>,
}

#[derive(Clone, Debug, Default)]
struct DictionaryIndex {
    /// For each hash, the position of the first slot with it. invariant: contains every key that is not in `clashes`.
    places: FxHashMap<u64, u32>,
    /// Positions of keys with a hash that another key already had.
    clashes: Vec<u32>,
}

impl Dictionary {
    fn is(&self, heap: &Heap, place: usize, key: Term) -> bool {
        let pair = self.slots.get(place).and_then(|slot| slot.pair);
        pair.is_some_and(|(known, _)| known == key || exact_equal(heap, known, key))
    }

    fn position(&self, heap: &Heap, key: Term) -> Option<usize> {
        let Some(index) = &self.index else {
            return (0..self.slots.len()).find(|&place| self.is(heap, place, key));
        };
        let first = index.places.get(&crate::hash::internal(heap, key));
        let others = index.clashes.iter();
        first
            .into_iter()
            .chain(others)
            .map(|&place| place as usize)
            .find(|&place| self.is(heap, place, key))
    }

    /// Adds the slot at this position to the index.
    fn enter(&mut self, place: usize) {
        // A dictionary with four billion keys does not fit into memory.
        let place_in_index = u32::try_from(place).unwrap_or(u32::MAX);
        let index = self.index.get_or_insert_default();
        match index.places.entry(self.slots[place].hash) {
            std::collections::hash_map::Entry::Vacant(free) => {
                free.insert(place_in_index);
            }
            std::collections::hash_map::Entry::Occupied(_) => index.clashes.push(place_in_index),
        }
    }

    /// Drops the empty slots and rebuilds the index.
    fn tidy(&mut self) {
        self.slots.retain(|slot| slot.pair.is_some());
        self.index = None;
        if self.slots.len() > LINEAR_KEYS {
            (0..self.slots.len()).for_each(|place| self.enter(place));
        }
    }

    /// The value of a key.
    #[must_use]
    pub fn get(&self, heap: &Heap, key: Term) -> Option<Term> {
        let place = self.position(heap, key)?;
        self.slots[place].pair.map(|(_, value)| value)
    }

    /// Sets the value of a key; returns the previous one.
    pub fn put(&mut self, heap: &Heap, key: Term, value: Term) -> Option<Term> {
        if let Some(place) = self.position(heap, key)
            && let Some((_, old)) = &mut self.slots[place].pair
        {
            return Some(std::mem::replace(old, value));
        }
        self.slots.push(Slot {
            hash: crate::hash::internal(heap, key),
            pair: Some((key, value)),
        });
        self.live += 1;
        match self.slots.len() {
            0..=LINEAR_KEYS => {}
            n if n == LINEAR_KEYS + 1 => self.tidy(),
            n => self.enter(n - 1),
        }
        None
    }

    /// Removes a key and its value.
    pub fn erase(&mut self, heap: &Heap, key: Term) -> Option<Term> {
        let place = self.position(heap, key)?;
        let (_, value) = self.slots[place].pair.take()?;
        self.live -= 1;
        if let Some(index) = &mut self.index {
            let hash = self.slots[place].hash;
            if index.places.get(&hash).is_some_and(|&known| known as usize == place) {
                index.places.remove(&hash);
            } else {
                index.clashes.retain(|&known| known as usize != place);
            }
        }
        if self.slots.len() > 2 * self.live + LINEAR_KEYS || self.slots.len() <= LINEAR_KEYS {
            self.tidy();
        }
        Some(value)
    }

    /// The number of keys.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.live
    }

    /// Is it empty?
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.live == 0
    }

    /// Keys and values.
    pub fn iter(&self) -> impl Iterator<Item = (Term, Term)> {
        self.slots.iter().filter_map(|slot| slot.pair)
    }

    /// Keys and values, to be moved by the collector.
    pub fn roots(&mut self) -> impl Iterator<Item = &mut (Term, Term)> {
        self.slots.iter_mut().filter_map(|slot| slot.pair.as_mut())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn small(n: i64) -> Term {
        Term::small(n)
    }

    #[test]
    fn does_what_a_list_of_pairs_does() {
        let heap = Heap::new(std::sync::Arc::default());
        let mut dictionary = Dictionary::default();
        let mut plain: Vec<(i64, i64)> = Vec::new();
        let mut state = 7_u64;
        for step in 0..20_000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            // Few keys at times, many at others.
            let key = (state >> 33) as i64 % if step / 4000 % 2 == 0 { 12 } else { 300 };
            let known = plain.iter().position(|(k, _)| *k == key);
            match state >> 60 {
                0..=7 => {
                    let old = dictionary.put(&heap, small(key), small(step));
                    assert_eq!(old, known.map(|at| small(plain[at].1)));
                    match known {
                        Some(at) => plain[at].1 = step,
                        None => plain.push((key, step)),
                    }
                }
                8..=12 => {
                    let old = dictionary.erase(&heap, small(key));
                    assert_eq!(old, known.map(|at| small(plain.remove(at).1)));
                }
                _ => assert_eq!(dictionary.get(&heap, small(key)), known.map(|at| small(plain[at].1))),
            }
            assert_eq!(dictionary.len(), plain.len());
        }
        let pairs: Vec<_> = plain.iter().map(|&(k, v)| (small(k), small(v))).collect();
        assert_eq!(dictionary.iter().collect::<Vec<_>>(), pairs);
    }

    #[test]
    fn keys_of_one_hash_are_kept_apart() {
        let heap = Heap::new(std::sync::Arc::default());
        let mut dictionary = Dictionary::default();
        for n in 0..20 {
            dictionary.put(&heap, small(n), small(n));
        }
        // As if all hashes were equal.
        for slot in &mut dictionary.slots {
            slot.hash = crate::hash::internal(&heap, small(0));
        }
        dictionary.index = None;
        (0..20).for_each(|place| dictionary.enter(place));
        assert_eq!(dictionary.index.as_ref().map(|index| index.clashes.len()), Some(19));
        for n in (0..20).filter(|n| n % 2 == 0) {
            assert_eq!(dictionary.erase(&heap, small(n)), Some(small(n)));
            assert_eq!(dictionary.get(&heap, small(n)), None);
            assert_eq!(dictionary.get(&heap, small(n + 1)), Some(small(n + 1)));
        }
    }
}

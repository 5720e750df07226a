//! A hash map in two layers, so that a system and its copies share what none of them has changed since; see [`super::layers`].

use std::collections::hash_map::Entry;
use std::fmt;
use std::hash::Hash;

use rpds::HashTrieMapSync;
use rustc_hash::{FxBuildHasher, FxHashMap};

/// A map of no more entries is copied as a whole.
const SMALL: usize = 32;

/// The lower layer: what is shared and does not change, and which of it does not count any more.
#[derive(Clone)]
struct Below<K: Eq + Hash, V> {
    rest: HashTrieMapSync<K, V, FxBuildHasher>,
    /// invariant: keys of `rest` that were removed since. A key that was written since is in the upper layer.
    removed: FxHashMap<K, ()>,
    /// Entries of `rest` that are neither removed nor written since.
    seen: usize,
}

/// Values by key; see the module.
#[derive(Clone)]
pub struct Map<K: Eq + Hash, V> {
    /// What was written since the last copy.
    own: FxHashMap<K, V>,
    below: Option<Box<Below<K, V>>>,
}

impl<K: Eq + Hash, V> Default for Map<K, V> {
    fn default() -> Self {
        Self {
            own: FxHashMap::default(),
            below: None,
        }
    }
}

impl<K: Copy + Eq + Hash + fmt::Debug, V: Clone + fmt::Debug> fmt::Debug for Map<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

impl<K: Copy + Eq + Hash, V: Clone> Map<K, V> {
    /// The number of values.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.own.len() + self.below.as_ref().map_or(0, |below| below.seen)
    }
    /// Is it empty?
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// The value of a key in the lower layer, if it still counts. The upper layer has none.
    fn lower(&self, key: &K) -> Option<&V> {
        let below = self.below.as_ref()?;
        below.rest.get(key).filter(|_| !below.removed.contains_key(key))
    }
    /// The value of a key.
    #[inline]
    #[must_use]
    pub fn get(&self, key: &K) -> Option<&V> {
        match self.own.get(key) {
            None if self.below.is_some() => self.lower(key),
            found => found,
        }
    }
    /// Has it this key?
    #[inline]
    #[must_use]
    pub fn contains_key(&self, key: &K) -> bool {
        self.get(key).is_some()
    }
    /// Brings the value of a key to the upper layer.
    #[inline]
    fn raise(&mut self, key: &K) {
        if self.below.is_some() && !self.own.contains_key(key) {
            self.raise_shared(key);
        }
    }
    #[cold]
    fn raise_shared(&mut self, key: &K) {
        let Some(value) = self.lower(key).cloned() else { return };
        self.own.insert(*key, value);
        if let Some(below) = &mut self.below {
            below.seen -= 1;
        }
    }
    /// The value of a key, to be changed.
    #[inline]
    pub fn get_mut(&mut self, key: &K) -> Option<&mut V> {
        self.raise(key);
        self.own.get_mut(key)
    }
    /// The value of a key, to be changed; a new one if there is none.
    #[inline]
    pub fn get_or_default(&mut self, key: K) -> &mut V
    where
        V: Default,
    {
        self.raise(&key);
        self.own.entry(key).or_default()
    }
    /// Sets the value of a key.
    #[inline]
    pub fn insert(&mut self, key: K, value: V) {
        self.raise(&key);
        self.own.insert(key, value);
    }
    /// Removes a key and returns its value.
    #[inline]
    pub fn remove(&mut self, key: &K) -> Option<V> {
        if self.below.is_some() {
            return self.remove_shared(key);
        }
        self.own.remove(key)
    }
    #[cold]
    fn remove_shared(&mut self, key: &K) -> Option<V> {
        self.raise(key);
        let value = self.own.remove(key)?;
        self.hide(*key);
        Some(value)
    }
    /// All keys with their values, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = (&K, &V)> {
        let lower = self.below.iter().flat_map(|below| {
            let rest = below.rest.iter();
            rest.filter(|(key, _)| !below.removed.contains_key(key) && !self.own.contains_key(key))
        });
        self.own.iter().chain(lower)
    }
    /// All keys, in no particular order.
    pub fn keys(&self) -> impl Iterator<Item = &K> {
        self.iter().map(|(key, _)| key)
    }
    /// Removes the values that are not to be kept. `changes`: may `keep` remove or change this one? The others stay shared.
    pub fn retain(&mut self, changes: impl Fn(&K, &V) -> bool, mut keep: impl FnMut(&K, &mut V) -> bool) {
        let some: Vec<K> = self
            .iter()
            .filter(|(k, v)| changes(k, v))
            .map(|(key, _)| *key)
            .collect();
        for key in some {
            if self.get_mut(&key).is_some_and(|value| !keep(&key, value)) {
                self.remove(&key);
            }
        }
    }
    /// The value of a key, to be changed; a new one if there is none.
    #[inline]
    pub fn get_or_insert_with(&mut self, key: K, new: impl FnOnce() -> V) -> &mut V {
        self.raise(&key);
        self.own.entry(key).or_insert_with(new)
    }
    /// Changes a value, and removes it if `change` says so. Returns what `change` returned, and the removed value.
    #[inline]
    pub fn change<T>(&mut self, key: K, change: impl FnOnce(&mut V) -> (T, bool)) -> Option<(T, Option<V>)> {
        self.raise(&key);
        let Entry::Occupied(mut entry) = self.own.entry(key) else {
            return None;
        };
        let (found, goes) = change(entry.get_mut());
        let gone = goes.then(|| entry.remove());
        if gone.is_some() && self.below.is_some() {
            self.hide(key);
        }
        Some((found, gone))
    }
    /// A key that is no longer in the upper layer does not count in the lower one either.
    #[cold]
    fn hide(&mut self, key: K) {
        if let Some(below) = self.below.as_mut().filter(|below| below.rest.contains_key(&key)) {
            below.removed.insert(key, ());
        }
    }
    /// A copy, which shares the values until one of the two changes them.
    #[must_use]
    pub fn fork(&mut self) -> Self {
        self.settle();
        self.clone()
    }
    /// Moves what has changed to the lower layer, unless it is little: a clone then shares it.
    pub fn settle(&mut self) {
        if self.below.is_none() && self.own.len() <= SMALL {
            return;
        }
        let below = self.below.get_or_insert_with(|| {
            Box::new(Below {
                rest: HashTrieMapSync::new_with_hasher_and_ptr_kind(FxBuildHasher),
                removed: FxHashMap::default(),
                seen: 0,
            })
        });
        for (key, ()) in below.removed.drain() {
            below.rest.remove_mut(&key);
        }
        for (key, value) in self.own.drain() {
            below.rest.insert_mut(key, value);
        }
        below.seen = below.rest.size();
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Whatever is changed in it and in its copies, each is a map of its own.
        #[test]
        fn copies_do_not_see_each_others_changes(
            first in 0..60_u8,
            changes in proptest::collection::vec((0..3_usize, 0..90_u8, 0..5_u8, any::<bool>()), 0..200),
        ) {
            let mut all: Vec<(Map<u8, u8>, BTreeMap<u8, u8>)> = vec![Default::default()];
            for key in 0..first {
                all[0].0.insert(key, 0);
                all[0].1.insert(key, 0);
            }
            for (which, key, change, copy) in changes {
                let which = which % all.len();
                let (map, model) = &mut all[which];
                match change {
                    0 => {
                        map.insert(key, key);
                        model.insert(key, key);
                    }
                    1 => prop_assert_eq!(map.remove(&key), model.remove(&key)),
                    2 => {
                        *map.get_or_default(key) += 1;
                        *model.entry(key).or_default() += 1;
                    }
                    3 => prop_assert_eq!(map.get_mut(&key), model.get_mut(&key)),
                    _ => {
                        map.retain(|k, _| *k > 60, |k, _| *k < key);
                        model.retain(|k, _| *k <= 60 || *k < key);
                    }
                }
                if copy {
                    let copy = (map.fork(), model.clone());
                    all.truncate(2);
                    all.push(copy);
                }
                for (map, model) in &all {
                    let there: BTreeMap<u8, u8> = map.iter().map(|(key, value)| (*key, *value)).collect();
                    prop_assert_eq!(&there, model);
                    prop_assert_eq!((map.len(), map.keys().count()), (model.len(), model.len()));
                    prop_assert_eq!(map.get(&key), model.get(&key));
                }
            }
        }
    }
}

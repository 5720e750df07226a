//! A map from processes, fast if their numbers are consecutive.

use rustc_hash::FxHashMap;

use crate::Pid;

/// Spare entries for numbers without a value, in addition to as many as have one.
const SPARE: u64 = 1024;

/// Values by the number of the process: in a vector, as long as about every second number has a value. A trace may use any numbers, so the
/// others are in a hash map. If half a million processes come in order, each look-up finds what the previous one has brought into the cache; in
/// a hash map it never does.
#[derive(Clone, Debug)]
pub struct PidMap<V> {
    dense: Vec<Option<V>>,
    /// invariant: no key that has a value in `dense`.
    sparse: FxHashMap<u64, V>,
    len: usize,
}

impl<V> Default for PidMap<V> {
    fn default() -> Self {
        Self {
            dense: Vec::new(),
            sparse: FxHashMap::default(),
            len: 0,
        }
    }
}

impl<V> PidMap<V> {
    /// The number of values.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Is it empty?
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The value of a process.
    #[inline]
    #[must_use]
    pub fn get(&self, pid: Pid) -> Option<&V> {
        match self.dense.get(pid.0 as usize) {
            Some(Some(value)) => Some(value),
            _ if self.sparse.is_empty() => None,
            _ => self.sparse.get(&pid.0),
        }
    }

    /// The value of a process, for changes.
    #[inline]
    pub fn get_mut(&mut self, pid: Pid) -> Option<&mut V> {
        match self.dense.get_mut(pid.0 as usize) {
            Some(Some(value)) => Some(value),
            _ if self.sparse.is_empty() => None,
            _ => self.sparse.get_mut(&pid.0),
        }
    }

    /// Sets the value of a process, and returns the old one.
    pub fn insert(&mut self, pid: Pid, value: V) -> Option<V> {
        if let Some(there) = self.get_mut(pid) {
            return Some(std::mem::replace(there, value));
        }
        self.len += 1;
        if pid.0 > 2 * self.len as u64 + SPARE {
            return self.sparse.insert(pid.0, value);
        }
        let at = pid.0 as usize;
        if at >= self.dense.len() {
            self.dense.resize_with(at + 1, || None);
        }
        self.dense[at].replace(value)
    }

    /// Removes the value of a process.
    pub fn remove(&mut self, pid: Pid) -> Option<V> {
        let value = match self.dense.get_mut(pid.0 as usize) {
            Some(place @ Some(_)) => place.take(),
            _ => self.sparse.remove(&pid.0),
        };
        self.len -= usize::from(value.is_some());
        value
    }

    /// All values, ascending by process.
    pub fn iter(&self) -> impl Iterator<Item = (Pid, &V)> + '_ {
        let dense = self.dense.iter().enumerate();
        let mut dense = dense
            .filter_map(|(at, value)| Some((Pid(at as u64), value.as_ref()?)))
            .peekable();
        let mut sparse: Vec<_> = self
            .sparse
            .iter()
            .map(|(number, value)| (Pid(*number), value))
            .collect();
        sparse.sort_unstable_by_key(|(pid, _)| *pid);
        let mut sparse = sparse.into_iter().peekable();
        std::iter::from_fn(move || match (dense.peek(), sparse.peek()) {
            (Some((first, _)), Some((second, _))) if second < first => sparse.next(),
            (Some(_), _) => dense.next(),
            (None, _) => sparse.next(),
        })
    }
}

impl<V> FromIterator<(Pid, V)> for PidMap<V> {
    fn from_iter<I: IntoIterator<Item = (Pid, V)>>(values: I) -> Self {
        let values = values.into_iter();
        let mut map = Self::default();
        map.dense.reserve(values.size_hint().0);
        for (pid, value) in values {
            map.insert(pid, value);
        }
        map
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn it_is_a_map(values in proptest::collection::vec((prop_oneof![0..50_u64, 0..5_000_u64, any::<u64>()], any::<u8>()), 0..200)) {
            let mut map = PidMap::default();
            let mut model = std::collections::BTreeMap::new();
            for (number, value) in values {
                prop_assert_eq!(map.insert(Pid(number), value), model.insert(number, value));
                prop_assert_eq!(map.len(), model.len());
            }
            for number in model.keys().flat_map(|n| [*n, n.wrapping_add(1), n / 2]) {
                prop_assert_eq!(map.get(Pid(number)), model.get(&number));
                let copy = map.get(Pid(number)).copied();
                prop_assert_eq!(map.get_mut(Pid(number)).copied(), copy);
            }
            let all: Vec<_> = map.iter().map(|(pid, value)| (pid.0, *value)).collect();
            prop_assert_eq!(all, model.into_iter().collect::<Vec<_>>());
        }

        #[test]
        fn a_large_number_costs_no_memory(number in 2_000..u64::MAX) {
            let mut map = PidMap::default();
            map.insert(Pid(number), ());
            prop_assert!(map.dense.is_empty());
        }
    }
}

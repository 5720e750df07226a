//! A map from processes, fast if their numbers are consecutive, and copied in pages: two copies share what neither has changed.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::Pid;

/// Spare entries for numbers without a value, in addition to as many as have one.
const SPARE: u64 = 1024;

/// Values of a page. A change of a page that is shared copies it; a copy of the map costs one pointer for each page, once it is changed.
const PAGE: usize = 64;

/// The values of consecutive numbers.
type Page<V> = Arc<[Option<V>; PAGE]>;

/// Values by the number of the process: in pages, as long as about every second number has a value. A trace may use any numbers, so the
/// others are in a hash map. If half a million processes come in order, each look-up finds what the previous one has brought into the cache; in
/// a hash map it never does.
#[derive(Clone, Debug)]
pub struct PidMap<V> {
    /// invariant: no page is without a place in `dense`; `None` stands for a page without a value.
    dense: Arc<Vec<Option<Page<V>>>>,
    /// invariant: no key that has a value in `dense`.
    sparse: Arc<FxHashMap<u64, V>>,
    len: usize,
}

impl<V> Default for PidMap<V> {
    fn default() -> Self {
        Self {
            dense: Arc::default(),
            sparse: Arc::default(),
            len: 0,
        }
    }
}

/// The place of a number: its page, and where in it.
#[inline]
const fn place(pid: Pid) -> (usize, usize) {
    (pid.0 as usize / PAGE, pid.0 as usize % PAGE)
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
        let (page, at) = place(pid);
        match self.dense.get(page) {
            Some(Some(page)) if page[at].is_some() => page[at].as_ref(),
            _ if self.sparse.is_empty() => None,
            _ => self.sparse.get(&pid.0),
        }
    }

    /// The values of this map that another one may not have, ascending by process: all but those of pages that the two share.
    pub fn besides<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = (Pid, &'a V)> + 'a {
        let all_same = Arc::ptr_eq(&self.dense, &other.dense);
        let same = move |at: usize, page: &Page<V>| {
            let there = other.dense.get(at).and_then(Option::as_ref);
            all_same || there.is_some_and(|there| Arc::ptr_eq(there, page))
        };
        let pages = if all_same { &[][..] } else { self.dense.as_slice() };
        let sparse = self.sparse.iter().filter(|_| !Arc::ptr_eq(&self.sparse, &other.sparse));
        ascending(pages, same, sparse)
    }

    /// All values, ascending by process.
    pub fn iter(&self) -> impl Iterator<Item = (Pid, &V)> + '_ {
        ascending(&self.dense, |_, _| false, self.sparse.iter())
    }
}

/// The values of pages that are not left out, and others.
fn ascending<'a, V>(
    pages: &'a [Option<Page<V>>],
    left_out: impl Fn(usize, &Page<V>) -> bool + 'a,
    sparse: impl Iterator<Item = (&'a u64, &'a V)>,
) -> impl Iterator<Item = (Pid, &'a V)> + 'a {
    let pages = pages.iter().enumerate();
    let pages = pages.filter_map(move |(at, page)| Some((at, page.as_ref().filter(|page| !left_out(at, page))?)));
    let dense = pages.flat_map(|(page, values)| {
        let values = values.iter().enumerate();
        values.filter_map(move |(at, value)| Some((Pid((page * PAGE + at) as u64), value.as_ref()?)))
    });
    let mut dense = dense.peekable();
    let mut sparse: Vec<_> = sparse.map(|(number, value)| (Pid(*number), value)).collect();
    sparse.sort_unstable_by_key(|(pid, _)| *pid);
    let mut sparse = sparse.into_iter().peekable();
    std::iter::from_fn(move || match (dense.peek(), sparse.peek()) {
        (Some((first, _)), Some((second, _))) if second < first => sparse.next(),
        (Some(_), _) => dense.next(),
        (None, _) => sparse.next(),
    })
}

impl<V: Clone> PidMap<V> {
    /// The value of a process, for changes.
    #[inline]
    pub fn get_mut(&mut self, pid: Pid) -> Option<&mut V> {
        let (page, at) = place(pid);
        self.get(pid)?;
        if matches!(self.dense.get(page), Some(Some(page)) if page[at].is_some()) {
            let page = Arc::make_mut(&mut self.dense)[page].as_mut()?;
            return Arc::make_mut(page)[at].as_mut();
        }
        Arc::make_mut(&mut self.sparse).get_mut(&pid.0)
    }

    /// Sets the value of a process, and returns the old one.
    pub fn insert(&mut self, pid: Pid, value: V) -> Option<V> {
        let (page, at) = place(pid);
        // The usual case: there is a page for it, and so no entry elsewhere unless there are such.
        if self.sparse.is_empty()
            && let Some(Some(page)) = Arc::make_mut(&mut self.dense).get_mut(page)
        {
            let before = Arc::make_mut(page)[at].replace(value);
            self.len += usize::from(before.is_none());
            return before;
        }
        if let Some(there) = self.get_mut(pid) {
            return Some(std::mem::replace(there, value));
        }
        self.len += 1;
        if pid.0 > 2 * self.len as u64 + SPARE {
            return Arc::make_mut(&mut self.sparse).insert(pid.0, value);
        }
        let dense = Arc::make_mut(&mut self.dense);
        if page >= dense.len() {
            dense.resize_with(page + 1, || None);
        }
        let page = dense[page].get_or_insert_with(|| Arc::new([const { None }; PAGE]));
        Arc::make_mut(page)[at].replace(value)
    }

    /// Removes the value of a process.
    pub fn remove(&mut self, pid: Pid) -> Option<V> {
        self.get(pid)?;
        self.len -= 1;
        let (page, at) = place(pid);
        if matches!(self.dense.get(page), Some(Some(page)) if page[at].is_some()) {
            let page = Arc::make_mut(&mut self.dense)[page].as_mut()?;
            return Arc::make_mut(page)[at].take();
        }
        Arc::make_mut(&mut self.sparse).remove(&pid.0)
    }
}

impl<V: Clone> FromIterator<(Pid, V)> for PidMap<V> {
    fn from_iter<I: IntoIterator<Item = (Pid, V)>>(values: I) -> Self {
        let mut map = Self::default();
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
        fn a_copy_stays_and_shares_what_is_not_changed(before in proptest::collection::vec((0..3_000_u64, any::<u8>()), 0..300), changes in proptest::collection::vec((prop_oneof![0..3_000_u64, any::<u64>()], any::<Option<u8>>()), 0..20)) {
            let mut map: PidMap<u8> = before.into_iter().map(|(number, value)| (Pid(number), value)).collect();
            let copy = map.clone();
            let then: Vec<(Pid, u8)> = copy.iter().map(|(pid, value)| (pid, *value)).collect();
            for (number, value) in changes {
                match value {
                    Some(value) => map.insert(Pid(number), value),
                    None => map.remove(Pid(number)),
                };
            }
            prop_assert_eq!(copy.iter().map(|(pid, value)| (pid, *value)).collect::<Vec<_>>(), then);
            let besides: Vec<Pid> = map.besides(&copy).map(|(pid, _)| pid).collect();
            for (pid, value) in map.iter().filter(|(pid, value)| copy.get(*pid) != Some(value)) {
                prop_assert!(besides.contains(&pid), "{} has another value {}", pid, value);
            }
            prop_assert!(besides.iter().all(|pid| map.get(*pid).is_some()));
            prop_assert_eq!(copy.besides(&copy.clone()).count(), 0);
        }

        #[test]
        fn a_large_number_costs_no_memory(number in 2_000..u64::MAX) {
            let mut map = PidMap::default();
            map.insert(Pid(number), ());
            prop_assert!(map.dense.is_empty());
        }
    }
}

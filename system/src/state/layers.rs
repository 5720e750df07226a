//! Values by a small number, in two layers, so that a system and its copies share what none of them has changed since.
//!
//! A system that was never copied has only the upper layer, a vector, and pays nothing for the lower one. A copy begins with an empty upper layer
//! over a lower one that both share and nobody changes: a persistent vector. A value is copied up when it is about to change. Before the next
//! copy, the changed values are moved down; so a copy costs what changed since the last one, and not what there is.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use rpds::VectorSync;
use rustc_hash::FxHashMap;

/// Counts the bytes of all shared values of a system and its copies, each value once.
#[derive(Clone, Debug, Default)]
pub struct Meter(Arc<AtomicUsize>);

impl Meter {
    /// The bytes now.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }
}

/// A value that is shared and does not change any more.
struct Frozen<T> {
    value: T,
    bytes: usize,
    meter: Meter,
}

impl<T> Frozen<T> {
    fn new(value: T, bytes: usize, meter: &Meter) -> Self {
        meter.0.fetch_add(bytes, Ordering::Relaxed);
        Self {
            value,
            bytes,
            meter: meter.clone(),
        }
    }
}

impl<T> Drop for Frozen<T> {
    fn drop(&mut self) {
        self.meter.0.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

/// The names of all lists of places.
static NAMES: AtomicU64 = AtomicU64::new(1);
/// A list of places has at most so many for each place, and so many more.
const LISTED: (usize, usize) = (4, 1024);

/// Which places may have been changed, in the order in which that happened, some of them again and again.
struct Touched {
    /// A list that became too long begins anew, with another name.
    name: u64,
    /// The list of what this is a copy of, and how long that was then.
    of: Since,
    places: Vec<u64>,
    /// So much of it has been read by somebody.
    read: Cell<usize>,
}

impl Default for Touched {
    fn default() -> Self {
        Self {
            name: NAMES.fetch_add(1, Ordering::Relaxed),
            of: Since::default(),
            places: Vec::new(),
            read: Cell::new(0),
        }
    }
}

impl Touched {
    fn note(&mut self, place: u64, there: usize) {
        if self.places.last() == Some(&place) && self.places.len() > self.read.get() {
            return;
        }
        if self.places.len() > LISTED.0 * there + LISTED.1 {
            *self = Self::default();
        }
        self.places.push(place);
    }
    /// All that is in it is read.
    fn read(&self) -> Since {
        self.read.set(self.places.len());
        Since {
            name: self.name,
            read: self.places.len(),
        }
    }
}

/// Up to where somebody has read which places may have been changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Since {
    name: u64,
    read: usize,
}

/// The lower layer, and what was changed since it was made.
struct SharedLayer<T> {
    /// `None`: removed.
    changed: FxHashMap<usize, Option<T>>,
    rest: VectorSync<Option<Frozen<T>>>,
    /// How a value is copied up. A value that cannot be copied is never in a lower layer.
    copy: fn(&T) -> T,
    /// The number of places.
    len: usize,
    touched: Touched,
}

impl<T> SharedLayer<T> {
    fn below(&self, at: usize) -> Option<&T> {
        self.rest.get(at)?.as_ref().map(|frozen| &frozen.value)
    }
    fn get(&self, at: usize) -> Option<&T> {
        match self.changed.get(&at) {
            Some(value) => value.as_ref(),
            None => self.below(at),
        }
    }
    fn get_mut(&mut self, at: usize) -> Option<&mut T> {
        self.touched.note(at as u64, self.len);
        if !self.changed.contains_key(&at) {
            let copy = (self.copy)(self.below(at)?);
            self.changed.insert(at, Some(copy));
        }
        self.changed.get_mut(&at)?.as_mut()
    }
    fn take(&mut self, at: usize) -> Option<T> {
        self.touched.note(at as u64, self.len);
        match self.changed.insert(at, None) {
            Some(value) => value,
            None => self.below(at).map(self.copy),
        }
    }
    fn put(&mut self, at: usize, value: Option<T>) {
        self.len = self.len.max(at + 1);
        self.touched.note(at as u64, self.len);
        self.changed.insert(at, value);
    }
}

/// Values by number; see the module.
pub(crate) struct Slots<T> {
    /// All values of a system that was never copied. invariant: empty if there is a lower layer.
    own: Vec<Option<T>>,
    shared: Option<Box<SharedLayer<T>>>,
}

impl<T> Default for Slots<T> {
    fn default() -> Self {
        Self {
            own: Vec::new(),
            shared: None,
        }
    }
}

impl<T> Slots<T> {
    /// The number of places, empty ones included.
    pub fn len(&self) -> usize {
        self.shared.as_ref().map_or(self.own.len(), |shared| shared.len)
    }
    /// The value at a place.
    #[inline(always)]
    pub fn get(&self, at: usize) -> Option<&T> {
        match self.own.get(at) {
            Some(value) => value.as_ref(),
            None => self.get_shared(at),
        }
    }
    #[cold]
    fn get_shared(&self, at: usize) -> Option<&T> {
        self.shared.as_ref()?.get(at)
    }
    /// The value at a place, to be changed.
    #[inline(always)]
    pub fn get_mut(&mut self, at: usize) -> Option<&mut T> {
        match self.own.get_mut(at) {
            Some(value) => value.as_mut(),
            None => Self::get_shared_mut(&mut self.shared, at),
        }
    }
    #[cold]
    fn get_shared_mut(shared: &mut Option<Box<SharedLayer<T>>>, at: usize) -> Option<&mut T> {
        shared.as_mut()?.get_mut(at)
    }
    /// Takes a value out.
    #[inline]
    pub fn take(&mut self, at: usize) -> Option<T> {
        match self.own.get_mut(at) {
            Some(value) => value.take(),
            None => self.shared.as_mut()?.take(at),
        }
    }
    /// Sets the value at a place, which may be a new one.
    #[inline]
    pub fn put(&mut self, at: usize, value: T) {
        match self.own.get_mut(at) {
            Some(place) => *place = Some(value),
            None => self.put_new(at, Some(value)),
        }
    }
    /// A new place, which is empty.
    pub fn add(&mut self) -> usize {
        let at = self.len();
        self.put_new(at, None);
        at
    }
    fn put_new(&mut self, at: usize, value: Option<T>) {
        match &mut self.shared {
            Some(shared) => shared.put(at, value),
            None => {
                if at >= self.own.len() {
                    self.own.resize_with(at + 1, || None);
                }
                self.own[at] = value;
            }
        }
    }
    /// The values with their places, ascending.
    pub fn iter(&self) -> impl Iterator<Item = (usize, &T)> {
        let all = 0..self.len();
        all.filter_map(|at| Some((at, self.get(at)?)))
    }
    /// Is there a lower layer?
    pub const fn is_shared(&self) -> bool {
        self.shared.is_some()
    }
    /// Notes something among the places that may have been changed, if there is a lower layer.
    #[inline]
    pub fn note(&mut self, what: u64) {
        if let Some(shared) = &mut self.shared {
            shared.touched.note(what, shared.len);
        }
    }
    /// The places that may have been changed since somebody asked last, and what else was noted. `None`: that is not known.
    pub fn touched(&self, since: &mut Since) -> Option<&[u64]> {
        let Some(shared) = &self.shared else {
            *since = Since::default();
            return None;
        };
        let touched = &shared.touched;
        let before = std::mem::replace(since, touched.read());
        match before.name {
            0 => None,
            name if name == touched.name => touched.places.get(before.read..),
            _ => Some(touched.places.as_slice()).filter(|_| before == touched.of),
        }
    }
    /// The vector of all values, which are no longer shared.
    pub fn own_all(&mut self) -> &mut Vec<Option<T>> {
        if let Some(mut shared) = self.shared.take() {
            self.own = (0..shared.len).map(|at| shared.take(at)).collect();
        }
        &mut self.own
    }
    /// Moves all changed values to the lower layer. `bytes`: prepares a value for that, and returns its size.
    pub fn freeze(&mut self, meter: &Meter, mut bytes: impl FnMut(&mut T) -> usize)
    where
        T: Clone,
    {
        let mut freeze = |value: Option<T>| {
            value.map(|mut value| {
                let bytes = bytes(&mut value);
                Frozen::new(value, bytes, meter)
            })
        };
        let Some(shared) = &mut self.shared else {
            let all = std::mem::take(&mut self.own);
            let len = all.len();
            self.shared = Some(Box::new(SharedLayer {
                changed: FxHashMap::default(),
                rest: all.into_iter().map(freeze).collect(),
                copy: T::clone,
                len,
                touched: Touched::default(),
            }));
            return;
        };
        for (at, value) in shared.changed.drain() {
            while shared.rest.len() <= at {
                shared.rest.push_back_mut(None);
            }
            shared.rest.set_mut(at, freeze(value));
        }
    }
    /// A copy. invariant: frozen, and not changed since.
    pub fn fork(&self) -> Self {
        let shared = self.shared.as_ref().map(|shared| {
            debug_assert!(shared.changed.is_empty(), "what is copied was frozen");
            Box::new(SharedLayer {
                changed: FxHashMap::default(),
                rest: shared.rest.clone(),
                copy: shared.copy,
                len: shared.len,
                touched: Touched {
                    of: shared.touched.read(),
                    ..Touched::default()
                },
            })
        });
        Self {
            own: Vec::new(),
            shared,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Who reads now and then which places were touched, of values or of their copies, misses none.
        #[test]
        fn no_change_is_missed(changes in proptest::collection::vec((0..9_usize, 0..4_u8), 0..300)) {
            let mut slots: Slots<u8> = Slots::default();
            (0..9).for_each(|at| slots.put(at, 0));
            let mut since = Since::default();
            let mut seen: Vec<Option<u8>> = vec![None; 9];
            for (at, what) in changes {
                match what {
                    0 => *slots.get_mut(at).unwrap() += 1,
                    1 => {
                        let value = slots.take(at).unwrap();
                        slots.put(at, value.wrapping_add(1));
                    }
                    2 => {
                        slots.freeze(&Meter::default(), |_| 1);
                        slots = slots.fork();
                    }
                    _ => {
                        match slots.touched(&mut since) {
                            Some(places) => places.iter().for_each(|at| seen[*at as usize] = slots.get(*at as usize).copied()),
                            None => seen = (0..9).map(|at| slots.get(at).copied()).collect(),
                        }
                        prop_assert_eq!(&seen, &(0..9).map(|at| slots.get(at).copied()).collect::<Vec<_>>());
                    }
                }
            }
        }

        /// Whatever is changed in it and in its copies, each is a vector of its own.
        #[test]
        fn copies_do_not_see_each_others_changes(changes in proptest::collection::vec((0..3_usize, 0..70_usize, any::<Option<u8>>(), any::<bool>()), 0..200)) {
            let meter = Meter::default();
            let mut all: Vec<(Slots<u8>, Vec<Option<u8>>)> = vec![Default::default()];
            for (which, at, value, copy) in changes {
                let which = which % all.len();
                let (slots, model) = &mut all[which];
                match value {
                    Some(value) => {
                        if at >= model.len() {
                            model.resize(at + 1, None);
                        }
                        model[at] = Some(value);
                        slots.put(at, value);
                    }
                    None if at < model.len() => prop_assert_eq!(slots.take(at), model[at].take()),
                    None => prop_assert_eq!(slots.take(at), None),
                }
                if let (Some(value), Some(there)) = (slots.get_mut(at / 2), model.get_mut(at / 2)) {
                    *value = value.wrapping_add(1);
                    *there = Some(*value);
                }
                if copy {
                    slots.freeze(&meter, |_| 1);
                    let copy = (slots.fork(), model.clone());
                    all.truncate(2);
                    all.push(copy);
                }
                for (slots, model) in &all {
                    let there: Vec<(usize, u8)> = slots.iter().map(|(at, value)| (at, *value)).collect();
                    let model = model.iter().enumerate().filter_map(|(at, value)| Some((at, (*value)?)));
                    prop_assert_eq!(there, model.collect::<Vec<_>>());
                }
            }
            prop_assert!(meter.bytes() <= 3 * 70 * 2);
            for (slots, model) in &mut all {
                model.resize(slots.len().max(model.len()), None);
                slots.own_all().resize(model.len(), None);
                prop_assert_eq!(&*slots.own_all(), &*model);
            }
            drop(all);
            prop_assert_eq!(meter.bytes(), 0);
        }
    }
}

//! Values by a small number, in two layers, so that a system and its copies share what none of them has changed since.
//!
//! A system that was never copied has only the upper layer, a vector, and pays nothing for the lower one. A copy begins with an empty upper layer
//! over a lower one that both share and nobody changes: a persistent vector. A value is copied up when it is about to change. Before the next
//! copy, the changed values are moved down; so a copy costs what changed since the last one, and not what there is.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

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

/// The lower layer, and what was changed since it was made.
struct Shared<T> {
    /// `None`: removed.
    changed: FxHashMap<usize, Option<T>>,
    rest: VectorSync<Option<Frozen<T>>>,
    /// How a value is copied up. A value that cannot be copied is never in a lower layer.
    copy: fn(&T) -> T,
    /// The number of places.
    len: usize,
}

impl<T> Shared<T> {
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
        if !self.changed.contains_key(&at) {
            let copy = (self.copy)(self.below(at)?);
            self.changed.insert(at, Some(copy));
        }
        self.changed.get_mut(&at)?.as_mut()
    }
    fn take(&mut self, at: usize) -> Option<T> {
        match self.changed.insert(at, None) {
            Some(value) => value,
            None => self.below(at).map(self.copy),
        }
    }
    fn put(&mut self, at: usize, value: Option<T>) {
        self.len = self.len.max(at + 1);
        self.changed.insert(at, value);
    }
}

/// Values by number; see the module.
pub(crate) struct Slots<T> {
    /// All values of a system that was never copied. invariant: empty if there is a lower layer.
    own: Vec<Option<T>>,
    shared: Option<Box<Shared<T>>>,
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
    fn get_shared_mut(shared: &mut Option<Box<Shared<T>>>, at: usize) -> Option<&mut T> {
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
    /// The places that may have been changed since the lower layer was made, in no particular order; none if there is no lower layer.
    pub fn changed(&self) -> impl Iterator<Item = usize> + '_ {
        self.shared.iter().flat_map(|shared| shared.changed.keys().copied())
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
            self.shared = Some(Box::new(Shared {
                changed: FxHashMap::default(),
                rest: all.into_iter().map(freeze).collect(),
                copy: T::clone,
                len,
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
            Box::new(Shared {
                changed: FxHashMap::default(),
                rest: shared.rest.clone(),
                copy: shared.copy,
                len: shared.len,
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

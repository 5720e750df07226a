//! The accesses of the current step. Most steps have one or two; one that inserts a list has as many as the list has keys, so these are found
//! by an index.

use std::ops::{Deref, DerefMut};

use log_format::{Access, Resource};
use rustc_hash::FxHashMap;

/// Up to this many accesses are searched one by one.
const FEW: usize = 32;

/// See the module. Any change other than by [`Self::push`], [`Self::extend`] or [`Self::put`] rebuilds the index.
#[derive(Clone, Default, Debug)]
pub(crate) struct Accesses {
    list: Vec<Access>,
    index: Option<Box<AccessIndex>>,
}

/// Where the accesses to each resource stand.
#[derive(Clone, Default, Debug)]
struct AccessIndex {
    places: FxHashMap<Resource, usize>,
    /// It knows the accesses before this one.
    indexed: usize,
}

impl Accesses {
    /// One more.
    pub(crate) fn push(&mut self, access: Access) {
        self.list.push(access);
    }

    /// Some more.
    pub(crate) fn extend(&mut self, accesses: impl IntoIterator<Item = impl std::borrow::Borrow<Access>>) {
        self.list.extend(accesses.into_iter().map(|access| *access.borrow()));
    }

    /// Adds an access and removes others of this resource. (Among many, it takes the position of the first of them.)
    pub(crate) fn put(&mut self, access: Access) {
        if self.list.len() <= FEW {
            self.list.retain(|a| a.resource != access.resource);
            self.list.push(access);
            self.forget();
            return;
        }
        let index = self.index.get_or_insert_default();
        while index.indexed < self.list.len() {
            index
                .places
                .entry(self.list[index.indexed].resource)
                .or_insert(index.indexed);
            index.indexed += 1;
        }
        match index.places.get(&access.resource) {
            Some(&place) => self.list[place] = access,
            None => self.list.push(access),
        }
    }

    /// Takes all accesses.
    pub(crate) fn take(&mut self) -> Vec<Access> {
        self.forget();
        std::mem::take(&mut self.list)
    }

    fn forget(&mut self) {
        self.index = None;
    }
}

impl Deref for Accesses {
    type Target = Vec<Access>;
    fn deref(&self) -> &Vec<Access> {
        &self.list
    }
}

impl DerefMut for Accesses {
    fn deref_mut(&mut self) -> &mut Vec<Access> {
        self.forget();
        &mut self.list
    }
}

#[cfg(test)]
mod tests {
    use log_format::{TextId, Version};

    use super::*;

    fn write(key: u32, version: u64) -> Access {
        Access::write(Resource::Other(TextId(key)), Version(version))
    }

    #[test]
    fn the_last_access_of_a_resource_counts_however_many_there_are() {
        let mut accesses = Accesses::default();
        for version in 1..=3 {
            (0..100).for_each(|key| accesses.put(write(key, version)));
        }
        accesses.retain(|access| access.resource != Resource::Other(TextId(7)));
        accesses.put(write(7, 4));
        let mut keys: Vec<_> = accesses
            .take()
            .into_iter()
            .map(|access| (access.resource, access.version.0))
            .collect();
        keys.sort_by_key(|(_, version)| *version);
        assert_eq!(keys.len(), 100);
        assert!(keys[..99].iter().all(|(_, version)| *version == 3));
        assert_eq!(keys[99], (Resource::Other(TextId(7)), 4));
        assert!(accesses.is_empty());
    }
}

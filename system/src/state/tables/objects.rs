//! The objects of one key: a shared sequence. Appending to it costs about the same, however long it is, and a copy that is appended to shares
//! all that it had: a replay keeps each version of a bag.

use std::sync::{Arc, OnceLock};

use interpreter::heap::Fragment;

/// Limit: objects of a chunk. The first chunks are smaller: most keys have one object.
const CHUNK: usize = 64;

/// The objects of one key, oldest first. A copy costs nothing.
#[derive(Clone, Debug, Default)]
pub struct Objects {
    /// The last chunk; it leads to those before.
    last: Option<Arc<Chunk>>,
    /// How many objects of the last chunk belong to the sequence. Others may have been appended to a copy. invariant: 0 only without a chunk.
    used: usize,
}

#[derive(Debug)]
struct Chunk {
    before: Option<Arc<Self>>,
    /// Objects in the chunks before, and their words.
    start: usize,
    start_words: usize,
    /// invariant: those that some sequence uses are set, from the first on.
    objects: Box<[OnceLock<Fragment>]>,
}

impl Chunk {
    fn new(before: Option<Arc<Self>>, start: usize, start_words: usize, size: usize) -> Self {
        Self {
            before,
            start,
            start_words,
            objects: (0..size).map(|_| OnceLock::new()).collect(),
        }
    }
    fn some(&self, count: usize) -> impl Iterator<Item = &Fragment> {
        self.objects.iter().take(count).filter_map(OnceLock::get)
    }
}

/// Without recursion: there may be very many chunks.
impl Drop for Chunk {
    fn drop(&mut self) {
        let mut next = self.before.take();
        while let Some(mut chunk) = next.and_then(Arc::into_inner) {
            next = chunk.before.take();
        }
    }
}

impl Objects {
    /// One object.
    #[must_use]
    pub fn one(object: Fragment) -> Self {
        let mut one = Self::default();
        one.push(object);
        one
    }
    /// The number of objects.
    #[must_use]
    pub fn len(&self) -> usize {
        self.last.as_ref().map_or(0, |last| last.start) + self.used
    }
    /// Are there none?
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.used == 0
    }
    /// Their words.
    #[must_use]
    pub fn words(&self) -> usize {
        let words = |last: &Arc<Chunk>| last.start_words + last.some(self.used).map(Fragment::size).sum::<usize>();
        self.last.as_ref().map_or(0, words)
    }
    /// The oldest.
    #[must_use]
    pub fn first(&self) -> Option<&Fragment> {
        self.iter().next()
    }
    /// All, oldest first.
    pub fn iter(&self) -> impl Iterator<Item = &Fragment> {
        let last = self.last.as_deref();
        let mut before = Vec::new();
        let mut next = last.and_then(|last| last.before.as_deref());
        while let Some(chunk) = next {
            before.push(chunk);
            next = chunk.before.as_deref();
        }
        // A chunk has another one after it only once it is full.
        let full = before
            .into_iter()
            .rev()
            .flat_map(|chunk| chunk.some(chunk.objects.len()));
        full.chain(last.into_iter().flat_map(|last| last.some(self.used)))
    }
    /// Appends an object.
    pub fn push(&mut self, object: Fragment) {
        let Some(last) = &self.last else {
            return self.push_to(Chunk::new(None, 0, 0, 1), object);
        };
        let Some(place) = last.objects.get(self.used) else {
            let size = self.len().clamp(1, CHUNK);
            let chunk = Chunk::new(Some(Arc::clone(last)), self.len(), self.words(), size);
            return self.push_to(chunk, object);
        };
        match place.set(object) {
            Ok(()) => self.used += 1,
            // Something else was appended to a copy: from here on, the two differ.
            Err(object) => {
                let copy = Chunk::new(last.before.clone(), last.start, last.start_words, last.objects.len());
                for (place, known) in copy.objects.iter().zip(last.some(self.used)) {
                    place.get_or_init(|| known.clone());
                }
                let used = self.used;
                self.push_to(copy, object);
                self.used = used + 1;
            }
        }
    }
    /// Goes on in a new chunk, at its first free place.
    fn push_to(&mut self, chunk: Chunk, object: Fragment) {
        if let Some(place) = chunk.objects.iter().find(|place| place.get().is_none()) {
            place.get_or_init(|| object);
        }
        self.last = Some(Arc::new(chunk));
        self.used = 1;
    }
}

impl FromIterator<Fragment> for Objects {
    fn from_iter<I: IntoIterator<Item = Fragment>>(objects: I) -> Self {
        let mut all = Self::default();
        objects.into_iter().for_each(|object| all.push(object));
        all
    }
}

#[cfg(test)]
mod tests {
    use interpreter::term::Term;

    use super::*;

    #[test]
    fn what_is_pushed_comes_in_order_and_older_copies_stay() {
        let object = |n: usize| Fragment::immediate(Term::small(n as i64));
        let numbers = |objects: &Objects| -> Vec<i64> {
            let terms = objects.iter().map(|object| object.as_immediate().unwrap());
            terms.map(|term| term.as_small().unwrap()).collect()
        };
        let mut objects = Objects::default();
        assert!(objects.is_empty() && objects.first().is_none());
        let mut copies = Vec::new();
        for n in 0..3 * CHUNK + 2 {
            copies.push(objects.clone());
            objects.push(object(n));
        }
        for (n, copy) in copies.iter().enumerate() {
            assert_eq!((copy.len(), copy.is_empty()), (n, n == 0));
            assert_eq!(numbers(copy), (0..n as i64).collect::<Vec<_>>());
        }
        // A copy that goes on in another way.
        let mut other = copies[CHUNK + 3].clone();
        other.push(object(7));
        other.push(object(8));
        let expected: Vec<i64> = (0..CHUNK as i64 + 3).chain([7, 8]).collect();
        assert_eq!((numbers(&other), other.len()), (expected, CHUNK + 5));
        assert_eq!(numbers(&objects), (0..3 * CHUNK as i64 + 2).collect::<Vec<_>>());
        let again: Objects = objects.iter().cloned().collect();
        assert_eq!(numbers(&again), numbers(&objects));
        assert_eq!(numbers(&Objects::one(object(7))), [7]);
    }
}

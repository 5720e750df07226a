//! The objects of one key: a shared sequence. Appending to it costs about the same, however long it is.

use std::sync::Arc;

use interpreter::heap::Fragment;

/// Objects of a piece.
const PIECE: usize = 64;

/// The objects of one key, oldest first. A copy costs nothing.
#[derive(Clone, Debug, Default)]
pub struct Objects {
    /// Full pieces, if there are several.
    pieces: Option<Arc<Pieces>>,
    /// The rest. invariant: empty only if the whole sequence is; at most [`PIECE`] long.
    last: Arc<Vec<Fragment>>,
}

#[derive(Clone, Debug, Default)]
struct Pieces {
    all: Vec<Arc<Vec<Fragment>>>,
    words: usize,
}

impl Objects {
    /// One object.
    #[must_use]
    pub fn one(object: Fragment) -> Self {
        Self {
            pieces: None,
            last: Arc::new(vec![object]),
        }
    }
    /// The number of objects.
    #[must_use]
    pub fn len(&self) -> usize {
        self.pieces.as_ref().map_or(0, |pieces| pieces.all.len() * PIECE) + self.last.len()
    }
    /// Are there none?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.last.is_empty()
    }
    /// Their words.
    #[must_use]
    pub fn words(&self) -> usize {
        self.pieces.as_ref().map_or(0, |pieces| pieces.words) + words(&self.last)
    }
    /// The oldest.
    #[must_use]
    pub fn first(&self) -> Option<&Fragment> {
        self.iter().next()
    }
    /// All, oldest first.
    pub fn iter(&self) -> impl Iterator<Item = &Fragment> {
        let pieces = self.pieces.iter().flat_map(|pieces| &pieces.all);
        pieces.flat_map(|piece| piece.iter()).chain(self.last.iter())
    }
    /// Appends an object.
    pub fn push(&mut self, object: Fragment) {
        if self.last.len() < PIECE {
            Arc::make_mut(&mut self.last).push(object);
            return;
        }
        let full = std::mem::replace(&mut self.last, Arc::new(vec![object]));
        let pieces = Arc::make_mut(self.pieces.get_or_insert_default());
        pieces.words += words(&full);
        pieces.all.push(full);
    }
}

impl FromIterator<Fragment> for Objects {
    fn from_iter<I: IntoIterator<Item = Fragment>>(objects: I) -> Self {
        let mut all = Self::default();
        objects.into_iter().for_each(|object| all.push(object));
        all
    }
}

fn words(objects: &[Fragment]) -> usize {
    objects.iter().map(Fragment::size).sum()
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
        for n in 0..3 * PIECE + 2 {
            copies.push(objects.clone());
            objects.push(object(n));
        }
        for (n, copy) in copies.iter().enumerate() {
            assert_eq!((copy.len(), copy.is_empty()), (n, n == 0));
            assert_eq!(numbers(copy), (0..n as i64).collect::<Vec<_>>());
        }
        let again: Objects = objects.iter().cloned().collect();
        assert_eq!(numbers(&again), numbers(&objects));
        assert_eq!(numbers(&Objects::one(object(7))), [7]);
    }
}

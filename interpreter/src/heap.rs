//! One flat heap per process, addressed by index; copying collection; copies of terms between heaps.
//!
//! Allocation never collects: it appends (and may move the buffer, which is harmless because everything is an index). The machine collects at
//! counted events, when [`Heap::wants_collection`] says so, with the live registers as roots. So a native may keep terms of its heap while it
//! runs.

use std::sync::Arc;

use syntax::Release;

use crate::newer::Newer;
use crate::term::Term;

mod collect;
mod copy;
mod make;
mod read;
mod shared;
#[cfg(test)]
mod tests;

pub use copy::Fragment;
pub use make::HEAP_BINARY_LIMIT;
pub use read::{Bits, TermView};
pub use shared::{SharedBytes, bytes_outside};

/// Words of a fresh heap before the first collection is considered.
pub const FIRST_COLLECTION: usize = 4096;

/// Parts of at most this many bits are copied if they start at a byte.
const SMALL_PART: usize = 64;

/// The heap of one process.
#[derive(Clone)]
pub struct Heap {
    words: Vec<u64>,
    /// Constants of the program: never collected, shared by all processes.
    literals: Arc<Vec<u64>>,
    /// Shared bytes of this heap; a `SharedBinary` box names them by position, with a length and an offset in bits.
    binaries: Vec<HeldBytes>,
    /// Bytes held through `binaries`, so that garbage binaries cause a collection too.
    binary_bytes: usize,
    /// A collection is due when `words.len()` exceeds this.
    threshold: usize,
    /// A collection is due when `binary_bytes` exceeds this.
    binary_threshold: usize,
    /// Limit: bytes of its words and of everything outside the heaps, together.
    room: usize,
    /// An allocation was refused because it would have exceeded `room`.
    full: bool,
    /// The release of OTP of the program.
    release: Release,
    /// Number of collections. Between two of them, equal words are equal terms.
    collections: u32,
    /// Words that they gave back.
    reclaimed: usize,
}

/// Shared bytes, and how many of their bits the longest box over them uses; the rest is room to append ([`Heap::extend_binary`]).
#[derive(Clone, Debug)]
struct HeldBytes {
    bytes: SharedBytes,
    used: usize,
}

impl Heap {
    /// An empty heap over the program's literals.
    #[must_use]
    pub fn new(literals: Arc<Vec<u64>>) -> Self {
        Self::over(literals, Vec::new())
    }

    /// Terms are compared, and small maps are listed, as by programs of this release.
    pub const fn follow(&mut self, release: Release) {
        self.release = release;
    }
    /// The release of OTP of the program.
    #[must_use]
    pub const fn release(&self) -> Release {
        self.release
    }
    /// Are `0.0` and `-0.0` different terms, although they are numbers of the same size?
    #[inline]
    #[must_use]
    pub const fn tells_zeros(&self) -> bool {
        Newer::SignedZeros.is_in(self.release)
    }
    /// Are small maps listed in the order of BEAM's table of atoms ([`maps::listed_pairs`](crate::maps::listed_pairs))?
    #[must_use]
    pub const fn lists_by_table(&self) -> bool {
        Newer::SmallMapsByTable.is_in(self.release)
    }

    /// An empty heap over the same literals, for terms of the same program.
    #[must_use]
    pub fn beside(&self) -> Self {
        let mut other = Self::new(Arc::clone(&self.literals));
        other.release = self.release;
        other
    }

    /// Frees unused memory, if it is more than what is in use.
    pub(crate) fn shrink(&mut self) {
        if self.words.capacity() > 2 * self.words.len() {
            self.words.shrink_to_fit();
        }
    }

    /// Frees all unused memory.
    pub(crate) fn pack(&mut self) {
        self.words.shrink_to_fit();
    }

    /// An empty heap that uses this buffer. invariant: the buffer is empty.
    pub(crate) fn over(literals: Arc<Vec<u64>>, words: Vec<u64>) -> Self {
        debug_assert!(words.is_empty(), "a fresh heap is empty");
        Self {
            words,
            literals,
            binaries: Vec::new(),
            binary_bytes: 0,
            threshold: FIRST_COLLECTION,
            binary_threshold: 1 << 20,
            room: usize::MAX,
            full: false,
            release: Release::OLDEST,
            collections: 0,
            reclaimed: 0,
        }
    }

    /// Limits its words and all bytes outside the heaps, together, to this many bytes. A process that exceeds the limit stops at its next counted
    /// event, and a native refuses a result that would exceed it ([`Heap::has_room`]).
    #[inline]
    pub fn set_room(&mut self, bytes: usize) {
        self.room = bytes;
    }
    /// Is the limit exceeded, or was an allocation refused because it would have exceeded it?
    #[inline]
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.full || self.words.len() * 8 + bytes_outside() > self.room
    }
    /// Was an allocation refused because it would have exceeded the limit?
    #[must_use]
    pub const fn has_refused(&self) -> bool {
        self.full
    }
    /// May this many bytes be added? If not, the heap is full, and stays full: the run ends, so the exception that the native then raises is
    /// never seen.
    pub fn has_room(&mut self, bytes: usize) -> bool {
        let all = (self.words.len() * 8 + bytes_outside()).saturating_add(bytes);
        self.full |= all > self.room;
        !self.full
    }

    /// The number of bytes that may be added; `None`: no limit.
    #[must_use]
    pub fn room_left(&self) -> Option<usize> {
        let is_limited = self.room != usize::MAX;
        is_limited.then(|| self.room.saturating_sub(self.words.len() * 8 + bytes_outside()))
    }

    /// Its buffer, for another heap to use.
    pub(crate) fn into_words(self) -> Vec<u64> {
        self.words
    }

    /// The literal area in use.
    #[must_use]
    pub fn literals(&self) -> &Arc<Vec<u64>> {
        &self.literals
    }

    /// Replaces the literal area by a newer one (modules were loaded); older literals keep their positions.
    pub fn set_literals(&mut self, literals: &Arc<Vec<u64>>) {
        if !Arc::ptr_eq(&self.literals, literals) {
            debug_assert!(literals.len() >= self.literals.len(), "the literal area only grows");
            self.literals = Arc::clone(literals);
        }
    }

    /// Lets go of the literal area, which can then grow in place. invariant: the next use of this heap comes after [`Heap::set_literals`].
    pub fn release_literals(&mut self) {
        self.literals = Arc::default();
    }

    /// Words in use.
    #[inline(always)]
    #[must_use]
    pub fn len(&self) -> usize {
        self.words.len()
    }
    /// No words in use?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }
    /// Is it time to collect (at the next counted event)?
    #[inline(always)]
    #[must_use]
    pub fn wants_collection(&self) -> bool {
        self.words.len() > self.threshold
    }
    /// Counts bytes outside the heap: too many make a collection due.
    fn count_bytes(&mut self, bytes: usize) {
        self.binary_bytes += bytes;
        if self.binary_bytes > self.binary_threshold || bytes_outside() > self.room {
            self.threshold = 0;
        }
    }
    /// The raw words, for the machine's inner loop.
    #[inline(always)]
    pub fn words_mut(&mut self) -> &mut Vec<u64> {
        &mut self.words
    }
    /// The raw words and the literals, for the machine's inner loop.
    #[inline(always)]
    #[must_use]
    pub fn areas(&self) -> (&[u64], &[u64]) {
        (&self.words, &self.literals)
    }

    #[inline(always)]
    fn area(&self, t: Term) -> &[u64] {
        if t.in_literals() { &self.literals } else { &self.words }
    }
}

/// Words as terms.
#[expect(unsafe_code, reason = "Term is repr(transparent) over u64")]
#[inline(always)]
#[must_use]
pub fn as_terms(words: &[u64]) -> &[Term] {
    // SAFETY: `Term` is `repr(transparent)` over `u64`: same size, alignment and validity.
    unsafe { std::slice::from_raw_parts(words.as_ptr().cast(), words.len()) }
}

/// Terms as words.
#[expect(unsafe_code, reason = "Term is repr(transparent) over u64")]
#[inline(always)]
#[must_use]
pub fn as_words(terms: &[Term]) -> &[u64] {
    // SAFETY: `Term` is `repr(transparent)` over `u64`: same size, alignment and validity.
    unsafe { std::slice::from_raw_parts(terms.as_ptr().cast(), terms.len()) }
}

/// Words as the bytes they were made from.
#[expect(unsafe_code, reason = "any u64 is eight valid bytes")]
#[inline(always)]
#[must_use]
pub fn as_bytes(words: &[u64]) -> &[u8] {
    // SAFETY: every `u64` is eight initialised bytes, and `u8` needs no alignment.
    unsafe { std::slice::from_raw_parts(words.as_ptr().cast(), words.len() * 8) }
}

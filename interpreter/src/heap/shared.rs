//! Binaries outside the heaps: shared by all who hold them, and counted.

use std::sync::Arc;

thread_local! {
    /// How many bytes live outside the heaps. (What a thread makes, it drops: a system and its forks belong to one.)
    static OUTSIDE: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// How many bytes of binaries live outside the heaps, however many hold them.
#[inline]
#[must_use]
pub fn bytes_outside() -> usize {
    OUTSIDE.get()
}

/// Bytes outside the heaps, counted: how many hold them, and how many there are in all ([`bytes_outside`]).
#[derive(Clone, Debug)]
pub struct SharedBytes(Arc<[u8]>);

impl SharedBytes {
    fn new(bytes: Arc<[u8]>) -> Self {
        OUTSIDE.set(OUTSIDE.get().wrapping_add(bytes.len()));
        Self(bytes)
    }
    /// The bytes, to write into: when nobody else holds them.
    pub(super) fn get_mut(&mut self) -> Option<&mut [u8]> {
        Arc::get_mut(&mut self.0)
    }
    /// Are these the same bytes in memory?
    pub(super) fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl From<&[u8]> for SharedBytes {
    fn from(bytes: &[u8]) -> Self {
        Self::new(Arc::from(bytes))
    }
}

impl From<Vec<u8>> for SharedBytes {
    fn from(bytes: Vec<u8>) -> Self {
        Self::new(Arc::from(bytes))
    }
}

impl std::ops::Deref for SharedBytes {
    type Target = [u8];
    #[inline(always)]
    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl Drop for SharedBytes {
    #[inline]
    fn drop(&mut self) {
        if Arc::strong_count(&self.0) == 1 {
            // At the end of a thread nobody counts any more.
            let _gone = OUTSIDE.try_with(|outside| outside.set(outside.get().wrapping_sub(self.0.len())));
        }
    }
}

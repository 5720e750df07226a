//! Binaries outside the heaps: shared between heaps, and counted.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use triomphe::HeaderSlice;

thread_local! {
    /// Bytes outside the heaps that this thread allocated and that are still held. A system and its forks belong to one thread.
    static OUTSIDE: Arc<AtomicUsize> = Arc::default();
}

/// Bytes of binaries outside the heaps that this thread allocated; each binary counts once, however many handles it has.
#[inline]
#[must_use]
pub fn bytes_outside() -> usize {
    OUTSIDE.with(|count| count.load(Ordering::Relaxed))
}

/// An entry in the count of the allocating thread. It is removed when the last handle is dropped, on whichever thread.
#[derive(Debug)]
struct Counted {
    count: Arc<AtomicUsize>,
    bytes: usize,
}

impl Counted {
    fn new(bytes: usize) -> Self {
        let count = OUTSIDE.with(Arc::clone);
        count.fetch_add(bytes, Ordering::Relaxed);
        Self { count, bytes }
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.count.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

/// Bytes outside the heaps, counted ([`bytes_outside`]).
#[derive(Clone, Debug)]
pub struct SharedBytes(triomphe::Arc<HeaderSlice<Counted, [u8]>>);

impl SharedBytes {
    /// The bytes, for writing, if there is no other handle.
    pub(super) fn get_mut(&mut self) -> Option<&mut [u8]> {
        triomphe::Arc::get_mut(&mut self.0).map(|shared| &mut shared.slice)
    }
    /// Are these the same bytes in memory?
    pub(super) fn is(&self, other: &Self) -> bool {
        triomphe::Arc::ptr_eq(&self.0, &other.0)
    }
}

impl From<&[u8]> for SharedBytes {
    fn from(bytes: &[u8]) -> Self {
        let counted = Counted::new(bytes.len());
        Self(triomphe::Arc::from_header_and_slice(counted, bytes))
    }
}

impl From<Vec<u8>> for SharedBytes {
    fn from(bytes: Vec<u8>) -> Self {
        Self::from(&bytes[..])
    }
}

impl std::ops::Deref for SharedBytes {
    type Target = [u8];
    #[inline(always)]
    fn deref(&self) -> &[u8] {
        &self.0.slice
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;
    use std::thread;

    use super::*;

    #[test]
    fn bytes_that_another_thread_drops_leave_the_count_of_their_maker() {
        let before = bytes_outside();
        let bytes = SharedBytes::from(&[7; 1000][..]);
        assert_eq!(bytes_outside(), before + 1000);
        thread::spawn(move || {
            assert_eq!(bytes_outside(), 0);
            drop(bytes);
            assert_eq!(bytes_outside(), 0);
        })
        .join()
        .unwrap();
        assert_eq!(bytes_outside(), before);
    }

    #[test]
    fn holders_that_drop_at_once_are_counted_once() {
        let before = bytes_outside();
        let start = Barrier::new(2);
        for _ in 0..500 {
            let first = SharedBytes::from(vec![7; 100]);
            let second = first.clone();
            thread::scope(|scope| {
                for bytes in [first, second] {
                    scope.spawn(|| {
                        start.wait();
                        drop(bytes);
                    });
                }
            });
        }
        assert_eq!(bytes_outside(), before);
    }

    /// The thread that made the bytes may have ended.
    #[test]
    fn bytes_outlive_the_thread_that_made_them() {
        let bytes = thread::spawn(|| SharedBytes::from(&[1, 2, 3][..])).join().unwrap();
        assert_eq!(&*bytes, [1, 2, 3]);
    }
}

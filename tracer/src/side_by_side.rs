//! Runs at the same time in this process: each has a number of its own, so that names that a program makes with `os:getpid/0` stay apart.

use std::sync::{Mutex, PoisonError};

/// No process id of Linux is as large (`pid_max`).
const APART: u32 = 1 << 22;

/// The numbers that are taken.
static TAKEN: Mutex<Vec<bool>> = Mutex::new(Vec::new());

/// The number of a run, the lowest one that is free. It is free again when this is dropped.
#[derive(Debug)]
pub struct Number(usize);

impl Number {
    /// Takes a number.
    #[must_use]
    pub fn take() -> Self {
        let mut taken = TAKEN.lock().unwrap_or_else(PoisonError::into_inner);
        let number = taken.iter().position(|taken| !taken).unwrap_or(taken.len());
        match taken.get_mut(number) {
            Some(taken) => *taken = true,
            None => taken.push(true),
        }
        Self(number)
    }

    /// The process id that the program of this run sees: for the first one, the real one.
    #[must_use]
    pub fn process_id(&self) -> u32 {
        let apart = u32::try_from(self.0).unwrap_or(u32::MAX).wrapping_mul(APART);
        std::process::id().wrapping_add(apart)
    }
}

impl Drop for Number {
    fn drop(&mut self) {
        if let Some(taken) = TAKEN.lock().unwrap_or_else(PoisonError::into_inner).get_mut(self.0) {
            *taken = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_at_the_same_time_have_process_ids_of_their_own() {
        let (one, other) = (Number::take(), Number::take());
        assert_ne!(one.process_id(), other.process_id());
        let again = one.0;
        drop(one);
        let third = Number::take();
        assert_ne!(third.process_id(), other.process_id());
        assert!(third.0 <= again);
    }
}

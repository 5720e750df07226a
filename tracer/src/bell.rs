//! Wakes a resting run when something from outside has come that a process waits for.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

/// Rung by the threads that wait for the outside; the run listens.
#[derive(Clone, Debug, Default)]
pub struct Bell(Arc<(Mutex<bool>, Condvar)>);

impl Bell {
    /// Something has come.
    pub fn ring(&self) {
        let (rung, wake) = &*self.0;
        *rung.lock().unwrap_or_else(PoisonError::into_inner) = true;
        wake.notify_all();
    }

    /// Waits until it rings, at most this long. True if it has rung since the last call.
    pub fn hear(&self, patience: Duration) -> bool {
        let (rung, wake) = &*self.0;
        let quiet = rung.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = wake.wait_timeout_while(quiet, patience, |rung| !*rung);
        let (mut rung, _) = waited.unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *rung)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ring_is_heard_once_and_also_afterwards() {
        let bell = Bell::default();
        bell.ring();
        assert!(bell.hear(Duration::from_secs(60)));
        assert!(!bell.hear(Duration::ZERO));
        let far = bell.clone();
        let ringer = std::thread::spawn(move || far.ring());
        assert!(bell.hear(Duration::from_secs(60)));
        ringer.join().unwrap();
    }
}

//! Work that is not waited for longer than it may take: runs of a program that can do anything.
//!
//! A run looks between two slices whether it is to stop. A longer step, such as sorting a huge list, cannot be interrupted. So runs are made on
//! other threads. If one does not come back soon after it was told to stop, it is left alone, and the answer is given without it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use crate::error::HuntError;

/// How often the clock and the signals are looked at.
const TICK: Duration = Duration::from_millis(20);
/// A run that was told to stop is left alone after this time.
const GRACE: Duration = Duration::from_millis(250);

/// What makes work stop.
pub struct Patience {
    /// Set by a signal.
    pub interrupted: Arc<AtomicBool>,
    /// Tells runs to stop.
    pub stop: Arc<AtomicBool>,
}

impl Patience {
    /// Has a signal come?
    pub fn is_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }

    /// Does this work on another thread up to a moment, which can change meanwhile. `None`: it had to be left alone.
    ///
    /// # Errors
    /// There is no thread; the work panicked: our own fault.
    pub fn work<T: Send + 'static>(
        &self,
        until: impl Fn() -> Option<Instant>,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<Option<T>, HuntError> {
        let (done, comes) = channel();
        let run = move || {
            // Nobody listens any more if it came too late.
            let _late = done.send(work());
        };
        std::thread::Builder::new().spawn(run).map_err(HuntError::NoThread)?;
        let mut told: Option<Instant> = None;
        loop {
            match comes.recv_timeout(TICK) {
                Ok(result) => return Ok(Some(result)),
                Err(RecvTimeoutError::Disconnected) => return Err(HuntError::Crashed),
                Err(RecvTimeoutError::Timeout) => {}
            }
            let late = until().is_some_and(|until| Instant::now() >= until);
            if late || self.is_interrupted() {
                self.stop.store(true, Ordering::Relaxed);
                if told.get_or_insert_with(Instant::now).elapsed() >= GRACE {
                    return Ok(None);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn patience() -> Patience {
        Patience {
            interrupted: Arc::default(),
            stop: Arc::default(),
        }
    }

    #[test]
    fn work_that_does_not_stop_is_left_alone() {
        let past = Instant::now();
        let stuck = patience();
        let (_never, wait) = channel::<()>();
        let result = stuck.work(|| Some(past), move || wait.recv().is_ok());
        assert!(matches!(result, Ok(None)));
        assert!(stuck.stop.load(Ordering::Relaxed));
        assert_eq!(patience().work(|| None, || 7).unwrap(), Some(7));
    }

    #[test]
    fn a_signal_tells_the_work_to_stop() {
        let patience = patience();
        patience.interrupted.store(true, Ordering::Relaxed);
        let stop = Arc::clone(&patience.stop);
        let obeys = move || {
            while !stop.load(Ordering::Relaxed) {
                std::thread::yield_now();
            }
            "stopped"
        };
        assert_eq!(patience.work(|| None, obeys).unwrap(), Some("stopped"));
    }
}

//! The hint at `--exit-with-main`: the entry has ended, and other processes go on, perhaps with nothing but a heartbeat.

use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use crate::report;

/// The hint is given when other processes have gone on for so long.
const SOON: Duration = Duration::from_secs(4);
/// How often that is looked at.
const TICK: Duration = Duration::from_millis(500);

/// When the entry ended, once it has.
pub type Ended = Arc<OnceLock<Instant>>;

/// Watches a run until it is dropped.
pub struct Watch {
    _end: Option<Sender<()>>,
}

/// Begins to watch. `entry` is set when the entry has ended.
pub fn watch(entry: Ended) -> Watch {
    let (end, ends) = channel();
    let wait = move || {
        while ends.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
            if entry.get().is_some_and(|ended| ended.elapsed() >= SOON) {
                report::tell(&hint("the entry has ended, and other processes go on"));
                return;
            }
        }
    };
    // Without the thread, only the hint is missing.
    let started = std::thread::Builder::new().name("hint".to_owned()).spawn(wait);
    Watch {
        _end: started.ok().map(|_| end),
    }
}

/// The hint after these words.
pub fn hint(what: &str) -> String {
    format!("{what}; with --exit-with-main, a run ends when its entry has ended")
}

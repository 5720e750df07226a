//! Ctrl-C, SIGTERM and SIGHUP for a command that tells what it has found so far. The first signal asks for that; a later one ends the process as
//! it would without us.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::exit::Exit;

/// Signals within this time after the first belong to the same request: `timeout` sends two.
const SECOND_AFTER: Duration = Duration::from_millis(500);

/// Watches for signals.
pub struct Interrupt {
    /// A signal has come.
    pub flag: Arc<AtomicBool>,
    /// The number of the first signal.
    which: Arc<AtomicUsize>,
    /// The next signal aborts.
    aborts: Arc<AtomicBool>,
    since: Option<Instant>,
}

impl Interrupt {
    /// Begins to watch. If that is not possible, a signal ends the process, and a message says so.
    pub fn watch() -> Self {
        let interrupt = Self {
            flag: Arc::default(),
            which: Arc::default(),
            aborts: Arc::default(),
            since: None,
        };
        #[cfg(unix)]
        if let Err(error) = interrupt.register() {
            use std::io::Write as _;
            // If standard error is closed, there is nobody to tell.
            let _ = writeln!(
                std::io::stderr(),
                "replay: Ctrl-C will end the search without an answer: {error}"
            );
        }
        interrupt
    }

    #[cfg(unix)]
    fn register(&self) -> std::io::Result<()> {
        use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
        use signal_hook::flag;
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            // A `nohup replay …` must go on.
            if crate::unfinished::is_ignored(signal) {
                continue;
            }
            flag::register_conditional_default(signal, Arc::clone(&self.aborts))?;
            flag::register_usize(signal, Arc::clone(&self.which), signal.unsigned_abs() as usize)?;
            flag::register(signal, Arc::clone(&self.flag))?;
        }
        Ok(())
    }

    /// How long ago the first signal came, if one came. To be asked now and then: it also arms the second signal.
    pub fn since(&mut self) -> Option<Duration> {
        if !self.flag.load(Ordering::Relaxed) {
            return None;
        }
        let since = self.since.get_or_insert_with(Instant::now).elapsed();
        if since >= SECOND_AFTER {
            self.aborts.store(true, Ordering::Relaxed);
        }
        Some(since)
    }

    /// From now on, the next signal aborts.
    pub fn let_go(&self) {
        self.aborts.store(true, Ordering::Relaxed);
    }

    /// The exit code of the signal that came.
    #[must_use]
    pub fn exit(&self) -> Option<Exit> {
        match self.which.load(Ordering::Relaxed) {
            0 => None,
            1 => Some(Exit::HungUp),
            15 => Some(Exit::Terminated),
            _ => Some(Exit::Interrupted),
        }
    }
}

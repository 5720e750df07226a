//! Files that a command makes: Ctrl-C, SIGTERM and SIGHUP leave nothing half made behind.

use std::path::Path;
use std::sync::OnceLock;

use log_format::NewFile;

/// Begins a file that takes its place when it is kept. A signal that ends the process before removes it.
///
/// # Errors
/// It cannot be created; a recording that runs writes to the place.
pub fn aside(path: &Path) -> std::io::Result<NewFile> {
    static WATCHED: OnceLock<()> = OnceLock::new();
    WATCHED.get_or_init(|| {
        #[cfg(unix)]
        if let Err(error) = signals::watch() {
            use std::io::Write as _;
            // If standard error is gone nobody wants to know.
            let _ = writeln!(
                std::io::stderr(),
                "replay: Ctrl-C may leave a temporary file behind: {error}"
            );
        }
    });
    NewFile::aside(path)
}

#[cfg(unix)]
mod signals {
    use std::io::Read;
    use std::os::unix::net::UnixStream;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::{flag, low_level};

    /// Starts a thread that waits for a signal, removes what is not finished, and ends the process as the signal does.
    pub fn watch() -> std::io::Result<()> {
        let (mut read, write) = UnixStream::pair()?;
        let which = Arc::<AtomicUsize>::default();
        // `nohup replay …` is to go on.
        let signals = [SIGINT, SIGTERM, SIGHUP]
            .into_iter()
            .filter(|signal| !is_ignored(*signal));
        for signal in signals {
            flag::register_usize(signal, Arc::clone(&which), signal.unsigned_abs() as usize)?;
            low_level::pipe::register(signal, write.try_clone()?)?;
        }
        let wait = move || {
            if read.read_exact(&mut [0]).is_ok() {
                log_format::remove_unfinished();
                let signal = which.load(Ordering::Relaxed) as i32;
                if low_level::emulate_default_handler(signal).is_err() {
                    low_level::exit(128 + signal);
                }
            }
        };
        std::thread::Builder::new().name("signals".to_owned()).spawn(wait)?;
        Ok(())
    }

    /// Is a signal ignored, as by `nohup`? Told only where the system has a file that says so.
    fn is_ignored(signal: i32) -> bool {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
        mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
    }
}

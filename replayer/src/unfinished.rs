//! Output files of a command: Ctrl-C, SIGTERM and SIGHUP leave no half-written file behind.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;
use std::sync::OnceLock;

use log_format::NewFile;

/// So many bytes of a file tell what it is.
const START: u64 = 100;

/// Begins a file beside `path` that replaces it when it is complete. If a signal ends the process before, the file is removed.
///
/// # Errors
/// It cannot be created; a running recording writes to the same path.
pub fn aside(path: &Path) -> std::io::Result<NewFile> {
    static WATCHED: OnceLock<()> = OnceLock::new();
    WATCHED.get_or_init(|| {
        #[cfg(unix)]
        if let Err(error) = signals::watch() {
            use std::io::Write as _;
            // If standard error is closed, there is nobody to tell.
            let _ = writeln!(
                std::io::stderr(),
                "replay: Ctrl-C may leave a temporary file behind: {error}"
            );
        }
    });
    NewFile::aside(path)
}

/// Is there a file that we must not overwrite? An empty one may be overwritten.
pub fn is_something_else(path: &Path, is_ours: impl FnOnce(&[u8]) -> bool) -> bool {
    let Ok(meta) = std::fs::metadata(path) else {
        return false;
    };
    if !meta.is_file() || meta.len() == 0 {
        return false;
    }
    let mut start = Vec::new();
    // A file that cannot be read is not ours.
    let read = File::open(path).and_then(|file| file.take(START).read_to_end(&mut start));
    read.is_err() || !is_ours(&start)
}

#[cfg(unix)]
pub use signals::is_ignored;

#[cfg(unix)]
mod signals {
    use std::io::Read;
    use std::os::unix::net::UnixStream;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::{flag, low_level};

    /// Starts a thread that waits for a signal, removes unfinished files, and then ends the process as the signal would.
    pub fn watch() -> std::io::Result<()> {
        let (mut read, write) = UnixStream::pair()?;
        let which = Arc::<AtomicUsize>::default();
        // A `nohup replay …` must go on.
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

    /// Is a signal ignored, as by `nohup`? Known only on systems with `/proc/self/status`.
    pub fn is_ignored(signal: i32) -> bool {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
        mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
    }
}

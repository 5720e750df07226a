//! Writes what a session has done as a trace.

use std::io::Write;
use std::path::Path;

use session::error::Error;
use session::player::Player;

/// A written trace.
pub(super) struct Saved {
    pub(super) actions: u64,
    pub(super) bytes: u64,
}

/// Refuses a place that must not be written: the trace of the session, or a file that is no trace.
///
/// # Errors
/// It is one.
pub(super) fn check(path: &Path, input: &Path, same: &str) -> Result<(), Error> {
    let input = crate::store::resolve(input.as_os_str())?;
    let real = |path: &Path| std::fs::canonicalize(path).ok();
    if path.exists() && (real(path) == real(&input) || super::export::same_file(&input, path)) {
        return Err(Error::Output {
            path: path.to_path_buf(),
            error: same.to_owned(),
        });
    }
    super::export::may_replace(path)
}

/// Writes it. `command`: the name of the command that made it.
///
/// # Errors
/// It cannot be written; what was done cannot be repeated.
pub(super) fn write(player: &Player, path: &Path, command: &str) -> Result<Saved, Error> {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let clock = now.map_or(0, |since| i64::try_from(since.as_micros()).unwrap_or(i64::MAX));
    let bytes = player.save_by(clock, command)?;
    let failed = |error: std::io::Error| Error::Output {
        path: path.to_path_buf(),
        error: error.to_string(),
    };
    let place = crate::unfinished::aside(path).map_err(failed)?;
    let written = place.handle().and_then(|mut file| file.write_all(&bytes));
    written.and_then(|()| place.keep()).map_err(failed)?;
    Ok(Saved {
        actions: player.position().cut.actions(),
        bytes: bytes.len() as u64,
    })
}

//! The folder of kept traces: a trace is written under a temporary name, and gets its own name when it is kept.

use std::fs::{self, File};
use std::hash::{BuildHasher, Hasher};
use std::path::{Path, PathBuf};

use log_format::kept;

use crate::error::OutputError;

/// Makes the folder, and keeps what a killed run has left in it: it ends with its last cut.
///
/// # Errors
/// The folder cannot be made.
pub fn prepare(folder: &Path) -> Result<(), OutputError> {
    let path = || folder.to_owned();
    fs::create_dir_all(folder).map_err(|error| OutputError::TracesNotMade { path: path(), error })?;
    // Better said once than for each run.
    let probe = names(folder, "probe").aside;
    let written = File::create_new(&probe);
    // Another run may have taken it for what a killed run has left.
    let _ = fs::remove_file(&probe);
    written.map_err(|error| OutputError::TracesNotWritable { path: path(), error })?;
    let left = fs::read_dir(folder).into_iter().flatten().flatten();
    for path in left.map(|entry| entry.path()) {
        let Some(kept) = kept::of_running(&path) else { continue };
        // Whoever writes it holds a lock.
        let is_left = File::open(&path).is_ok_and(|file| file.try_lock().is_ok());
        if !is_left {
            continue;
        }
        // If that does not work, it is tried again by the next run.
        let _ = if log_format::is_trace(&path) {
            fs::rename(&path, kept)
        } else {
            fs::remove_file(&path)
        };
    }
    Ok(())
}

/// The paths of the trace of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Names {
    /// Where it is written.
    pub aside: PathBuf,
    /// Where it is kept.
    pub place: PathBuf,
}

/// New names for the trace of a run.
pub fn names(folder: &Path, module: &str) -> Names {
    loop {
        let id = std::collections::hash_map::RandomState::new().build_hasher().finish() as u32;
        let (aside, place) = (kept::running(folder, module, id), kept::path(folder, module, id));
        if !aside.exists() && !place.exists() {
            return Names { aside, place };
        }
    }
}

/// Removes the oldest traces, so that `most` are left.
///
/// # Errors
/// One of them cannot be removed.
pub fn remove_oldest(folder: &Path, most: usize) -> Result<(), OutputError> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut all: Vec<(std::time::SystemTime, PathBuf)> = entries
        .map(|entry| entry.path())
        .filter(|path| is_kept(path))
        .filter_map(|path| Some((fs::metadata(&path).ok()?.modified().ok()?, path)))
        .collect();
    all.sort();
    let excess = all.len().saturating_sub(most);
    for (_, path) in all.iter().take(excess) {
        match fs::remove_file(path) {
            // Another run has removed it.
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            result => result.map_err(|error| OutputError::OldTrace {
                path: path.clone(),
                error,
            })?,
        }
    }
    Ok(())
}

/// A trace that a test run has kept: the name has an id, and it is a trace. Nothing else is ever removed.
fn is_kept(path: &Path) -> bool {
    let stem = path.file_stem().and_then(std::ffi::OsStr::to_str).unwrap_or_default();
    kept::is_named(path) && kept::parts(stem).1.is_some() && !path.is_symlink() && log_format::is_trace(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_go_and_strangers_stay() {
        let folder = tempfile::tempdir().unwrap();
        let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/../fixtures/traces/1.0/crashed.trace");
        let mut clock = std::time::SystemTime::UNIX_EPOCH;
        for name in ["a-00000001.trace", "mine.trace", "b-00000002.trace", "c-00000003.trace"] {
            fs::copy(golden, folder.path().join(name)).unwrap();
            clock += std::time::Duration::from_secs(60);
            let file = File::options().write(true).open(folder.path().join(name)).unwrap();
            file.set_modified(clock).unwrap();
        }
        fs::write(folder.path().join("d-00000004.trace"), "not a trace").unwrap();
        remove_oldest(folder.path(), 1).unwrap();
        let mut left: Vec<String> = fs::read_dir(folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .collect();
        left.sort();
        assert_eq!(left, ["c-00000003.trace", "d-00000004.trace", "mine.trace"]);
    }

    #[test]
    fn what_a_killed_run_left_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/../fixtures/traces/1.0/crashed.trace");
        fs::copy(golden, kept::running(folder.path(), "bank", 7)).unwrap();
        fs::write(kept::running(folder.path(), "empty", 8), "").unwrap();
        let busy = File::create(kept::running(folder.path(), "busy", 9)).unwrap();
        busy.lock().unwrap();
        prepare(folder.path()).unwrap();
        assert!(kept::path(folder.path(), "bank", 7).exists());
        assert!(!kept::running(folder.path(), "empty", 8).exists());
        assert!(kept::running(folder.path(), "busy", 9).exists());
    }
}

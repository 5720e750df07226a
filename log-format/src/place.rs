//! Output files: the old file stays until the new one is complete, and no half-written file is left behind. A new file can be read by its owner
//! alone, unless it is for all: traces hold what a program read and was told.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Error, ErrorKind, Result};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A file that will replace the one at its destination. If it is dropped before [`NewFile::keep`], the old file stays.
///
/// The file is locked (advisory, where the system has such locks) until all its handles are closed, so that others notice a running recording
/// before they replace its file.
#[derive(Debug)]
pub struct NewFile {
    file: File,
    /// The current path of the file, if we have to remove it.
    ours: Option<PathBuf>,
    /// Its destination.
    place: Option<PathBuf>,
    /// The file to be replaced, locked until then.
    _old: Option<File>,
}

/// Files of this process that have to be removed because they were not kept yet.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes all files of this process that were not kept yet: for a process that is ended by a signal. From then on, no file can be begun or kept.
pub fn remove_unfinished() {
    let paths = unfinished();
    for path in paths.iter() {
        // Ignore errors: the process ends anyway.
        let _ = std::fs::remove_file(path);
    }
    // Kept locked.
    std::mem::forget(paths);
}

/// Who can read a new file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Readers {
    /// Its owner alone.
    Owner,
    /// Whom the system lets read new files.
    Usual,
}

/// Options to create a file that its owner alone can read, where the system has owners.
pub(crate) fn owner_only() -> OpenOptions {
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// Creates a new file, which [`remove_unfinished`] removes until it is kept.
fn create_new(path: &Path, readers: Readers) -> Result<File> {
    let mut options = match readers {
        Readers::Owner => owner_only(),
        Readers::Usual => OpenOptions::new(),
    };
    let mut unfinished = unfinished();
    let file = options.read(true).write(true).create_new(true).open(path)?;
    unfinished.push(path.to_owned());
    Ok(file)
}

/// From now on, [`remove_unfinished`] does not remove this file.
fn not_ours(path: &Path) {
    unfinished().retain(|other| other != path);
}

/// Limit: attempts if the destination keeps changing.
const TRIES: u32 = 100;
/// Limit: symbolic links that are followed in a row.
const LINKS: u32 = 40;

impl NewFile {
    /// Begins a file that replaces the one at `path` when it is kept. It has the permissions of that one; a new one can be read by its owner alone.
    ///
    /// # Errors
    /// It cannot be created; a running recording writes to `path`.
    pub fn aside(path: &Path) -> Result<Self> {
        Self::begin(path, true, Readers::Owner)
    }

    /// As [`NewFile::aside`], for a report that holds nothing of a run's inputs: all can read it whom the system lets read new files.
    ///
    /// # Errors
    /// As [`NewFile::aside`].
    pub fn for_all(path: &Path) -> Result<Self> {
        Self::begin(path, true, Readers::Usual)
    }

    /// Begins a file: directly at `path` if there is none yet, else as [`NewFile::aside`].
    ///
    /// # Errors
    /// As [`NewFile::aside`].
    pub fn at_once(path: &Path) -> Result<Self> {
        Self::begin(path, false, Readers::Owner)
    }

    fn begin(path: &Path, aside: bool, readers: Readers) -> Result<Self> {
        for _ in 0..TRIES {
            let Ok(meta) = std::fs::metadata(path) else {
                if aside {
                    let target = dangling(path);
                    return Self::beside(target.as_deref().unwrap_or(path), None, readers);
                }
                // A link to a file that does not exist: that file is created.
                let target = dangling(path);
                let path = target.as_deref().unwrap_or(path);
                match create_new(path, readers) {
                    Ok(file) => {
                        // Another process that finds the new file before it is locked may take it for an old one.
                        lock(&file).inspect_err(|_| not_ours(path))?;
                        return Ok(Self {
                            file,
                            ours: Some(path.to_owned()),
                            place: None,
                            _old: None,
                        });
                    }
                    Err(error) if error.kind() == ErrorKind::AlreadyExists && !path.is_symlink() => continue,
                    Err(error) => return Err(error),
                }
            };
            if !meta.is_file() {
                // A device or a pipe: nothing is replaced.
                let file = OpenOptions::new().write(true).open(path)?;
                return Ok(Self {
                    file,
                    ours: None,
                    place: None,
                    _old: None,
                });
            }
            // The target of a link is replaced, not the link.
            let path = std::fs::canonicalize(path)?;
            // It is not overwritten, so the handle is not used; but writing it must be allowed.
            let old = OpenOptions::new().append(true).open(&path)?;
            lock(&old)?;
            if !is_at(&old, &path) {
                continue;
            }
            return Self::beside(&path, Some(old), readers);
        }
        Err(ErrorKind::ResourceBusy.into())
    }

    /// Creates a file with a unique name in the same folder.
    fn beside(path: &Path, old: Option<File>, readers: Readers) -> Result<Self> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let name = path.file_name().ok_or(ErrorKind::InvalidFilename)?;
        let mut temporary = std::ffi::OsString::from(".");
        temporary.push(name);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        temporary.push(format!(".{}-{number}.tmp", std::process::id()));
        let ours = path.with_file_name(temporary);
        let made = create_new(&ours, readers);
        let file = match (made, &old) {
            (Ok(file), _) => file,
            // No file can be created in this folder, but the existing one may be writable; or the longer name is too long.
            (Err(error), Some(_))
                if matches!(error.kind(), ErrorKind::PermissionDenied | ErrorKind::InvalidFilename) =>
            {
                drop(old);
                let file = File::create(path)?;
                lock(&file)?;
                return Ok(Self {
                    file,
                    ours: None,
                    place: None,
                    _old: None,
                });
            }
            (Err(error), None) if error.kind() == ErrorKind::InvalidFilename => {
                let file = create_new(path, readers)?;
                return Ok(Self {
                    file,
                    ours: Some(path.to_owned()),
                    place: None,
                    _old: None,
                });
            }
            (Err(error), _) => return Err(error),
        };
        let new = Self {
            file,
            ours: Some(ours),
            place: Some(path.to_owned()),
            _old: old,
        };
        lock(&new.file)?;
        if let Some(old) = &new._old
            && let Ok(meta) = old.metadata()
        {
            // The new file gets the permissions of the old one; a file system without permissions has none to keep.
            let _ = new.file.set_permissions(meta.permissions());
        }
        Ok(new)
    }

    /// A handle to write with.
    ///
    /// # Errors
    /// The system has no more handles.
    pub fn handle(&self) -> Result<File> {
        self.file.try_clone()
    }

    /// Moves the file to its destination. All writes through handles must have reached the file.
    ///
    /// # Errors
    /// The system refuses; then nothing is left of the file.
    pub fn keep(mut self) -> Result<()> {
        if let Some(ours) = self.ours.take() {
            let mut unfinished = unfinished();
            if let Some(place) = &self.place
                && let Err(error) = std::fs::rename(&ours, place)
            {
                self.ours = Some(ours);
                return Err(error);
            }
            unfinished.retain(|path| *path != ours);
        }
        Ok(())
    }
}

/// A file at its destination that still grows.
#[derive(Debug)]
pub struct Placed {
    file: File,
    path: PathBuf,
}

impl Placed {
    /// The file behind a handle, which is now at a path.
    ///
    /// # Errors
    /// The path is empty.
    pub fn new(file: File, path: &Path) -> Result<Self> {
        // The recorded program may change the current directory.
        let path = std::path::absolute(path)?;
        Ok(Self { file, path })
    }

    /// Does its path still lead to it? While it is locked, no other recorder replaces the file, but anyone can remove or move it. For something
    /// that is not a file (a pipe, a device), the answer is yes.
    #[must_use]
    pub fn is_there(&self) -> bool {
        let is_file = self.file.metadata().is_ok_and(|meta| meta.is_file());
        !is_file || is_at(&self.file, &self.path)
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        if let Some(ours) = &self.ours {
            // Ignore errors: the reason why it was not kept matters more.
            let _ = std::fs::remove_file(ours);
            not_ours(ours);
        }
    }
}

/// The target of a link, if the target does not exist.
fn dangling(path: &Path) -> Option<PathBuf> {
    let mut at = path.to_owned();
    for _ in 0..LINKS {
        let Ok(next) = std::fs::read_link(&at) else { break };
        at = at.parent().unwrap_or(Path::new("")).join(next);
    }
    (at != path).then_some(at)
}

/// Locks a file. On systems without locks, this does nothing.
fn lock(file: &File) -> Result<()> {
    match file.try_lock() {
        Err(TryLockError::WouldBlock) if cfg!(unix) => Err(Error::new(
            ErrorKind::ResourceBusy,
            "another recording is writing to it",
        )),
        _ => Ok(()),
    }
}

/// Is this file still the one at this path?
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    match (file.metadata(), std::fs::metadata(path)) {
        (Ok(a), Ok(b)) => (a.dev(), a.ino()) == (b.dev(), b.ino()),
        _ => false,
    }
}

#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> bool {
    path.exists()
}

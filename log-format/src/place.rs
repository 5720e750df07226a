//! Files that are made: what was at their place stays until the new one can take it, and nothing half made is left behind.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Error, ErrorKind, Result};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A file on its way to its place. Dropped before [`NewFile::keep`], it leaves everything as it was.
///
/// It is locked (advisory, where the system has such locks) until all its handles are closed: so a recording that runs is noticed by who would
/// replace its file.
#[derive(Debug)]
pub struct NewFile {
    file: File,
    /// Where the file is now, if it is ours to remove.
    ours: Option<PathBuf>,
    /// Where it goes from there.
    place: Option<PathBuf>,
    /// What is replaced, locked until then.
    _old: Option<File>,
}

/// Files of this process that are ours to remove and were not kept yet.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes all files of this process that are on their way to their places: for the end of a process that a signal ends. From then on
/// no file can be begun or kept.
pub fn remove_unfinished() {
    let paths = unfinished();
    for path in paths.iter() {
        // Whether it can be removed or not: the process ends.
        let _ = std::fs::remove_file(path);
    }
    // Kept locked.
    std::mem::forget(paths);
}

/// Creates a file that must not be there, which [`remove_unfinished`] removes until it is kept.
fn create_new(path: &Path) -> Result<File> {
    let mut unfinished = unfinished();
    let file = OpenOptions::new().read(true).write(true).create_new(true).open(path)?;
    unfinished.push(path.to_owned());
    Ok(file)
}

/// [`remove_unfinished`] leaves this file alone from now on.
fn not_ours(path: &Path) {
    unfinished().retain(|other| other != path);
}

/// So often a place is looked at that changes meanwhile.
const TRIES: u32 = 100;
/// So many links are followed from one to the next.
const LINKS: u32 = 40;

impl NewFile {
    /// Begins a file that takes its place when it is kept.
    ///
    /// # Errors
    /// It cannot be created; a recording that runs writes to the place.
    pub fn aside(path: &Path) -> Result<Self> {
        Self::begin(path, true)
    }

    /// Begins a file that is at its place at once, where there is none yet; where there is one, when it is kept.
    ///
    /// # Errors
    /// As [`NewFile::aside`].
    pub fn at_once(path: &Path) -> Result<Self> {
        Self::begin(path, false)
    }

    fn begin(path: &Path, aside: bool) -> Result<Self> {
        for _ in 0..TRIES {
            let Ok(meta) = std::fs::metadata(path) else {
                if aside {
                    let target = dangling(path);
                    return Self::beside(target.as_deref().unwrap_or(path), None);
                }
                // A link whose target is not there: that is what is made.
                let target = dangling(path);
                let path = target.as_deref().unwrap_or(path);
                match create_new(path) {
                    Ok(file) => {
                        // Who finds the new file before it is locked may take it for an old one.
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
            // What a link points to is replaced, not the link.
            let path = std::fs::canonicalize(path)?;
            // Not to be overwritten: no handle for that is wanted, but it must be allowed.
            let old = OpenOptions::new().append(true).open(&path)?;
            lock(&old)?;
            if !is_at(&old, &path) {
                continue;
            }
            return Self::beside(&path, Some(old));
        }
        Err(ErrorKind::ResourceBusy.into())
    }

    /// A file with a name of its own in the same folder.
    fn beside(path: &Path, old: Option<File>) -> Result<Self> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let name = path.file_name().ok_or(ErrorKind::InvalidFilename)?;
        let mut temporary = std::ffi::OsString::from(".");
        temporary.push(name);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        temporary.push(format!(".{}-{number}.tmp", std::process::id()));
        let ours = path.with_file_name(temporary);
        let made = create_new(&ours);
        let file = match (made, &old) {
            (Ok(file), _) => file,
            // A folder in which nothing can be made may hold a file that can be written; and a name can be too long with more behind it.
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
                let file = create_new(path)?;
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
            // Who may read the old one may read the new one; on a file system without permissions there are none to keep.
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

    /// Puts the file at its place. What was written through handles must have reached the file.
    ///
    /// # Errors
    /// The system refuses; nothing is left of the file then.
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

/// A file at its place that still grows.
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
        // The program that is recorded may change the directory.
        let path = std::path::absolute(path)?;
        Ok(Self { file, path })
    }

    /// Does its name still lead to it? Nobody else can replace the file as long as they lock it, but anybody can remove or move it. Of what
    /// is no file (a pipe, a device) nothing is known: it is there.
    #[must_use]
    pub fn is_there(&self) -> bool {
        let is_file = self.file.metadata().is_ok_and(|meta| meta.is_file());
        !is_file || is_at(&self.file, &self.path)
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        if let Some(ours) = &self.ours {
            // Whether it can be removed or not: why it was not kept is what is told.
            let _ = std::fs::remove_file(ours);
            not_ours(ours);
        }
    }
}

/// Where a link leads whose target is not there.
fn dangling(path: &Path) -> Option<PathBuf> {
    let mut at = path.to_owned();
    for _ in 0..LINKS {
        let Ok(next) = std::fs::read_link(&at) else { break };
        at = at.parent().unwrap_or(Path::new("")).join(next);
    }
    (at != path).then_some(at)
}

/// Locks a file for us. Where the system has no locks, nobody is kept out.
fn lock(file: &File) -> Result<()> {
    match file.try_lock() {
        Err(TryLockError::WouldBlock) if cfg!(unix) => Err(Error::new(
            ErrorKind::ResourceBusy,
            "another recording is writing to it",
        )),
        _ => Ok(()),
    }
}

/// Is this still the file at a path?
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

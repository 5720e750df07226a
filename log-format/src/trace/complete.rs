//! A trace whose recorder had no time to write an index gets one when it is opened.
use std::fs::{File, OpenOptions};
use std::io::{Result, Seek, SeekFrom, Write};
use std::path::Path;

use super::{Status, Trace};
use crate::index::put_index;
use crate::source::TraceBytes;

/// The index of a smaller file is made again at each opening, in some milliseconds.
const WORTH_AN_INDEX: u64 = 1 << 20;

impl Trace {
    /// Appends the index to the file at `path`, from which this trace was opened, if nothing but the index is missing there and scanning the file
    /// takes a while. Returns whether it did; the caller may then open the file again. A file that may not be written, or that somebody else is
    /// writing, stays as it is. The time of its last change does, too: the recording is no younger.
    ///
    /// # Errors
    /// The file cannot be written to its end; it is then as before.
    pub fn complete(&self, path: &Path) -> Result<bool> {
        let Status::IndexRebuilt {
            end, damaged: false, ..
        } = self.status
        else {
            return Ok(false);
        };
        // The receives before a process are not in the blocks of a slice.
        if end != self.bytes() || end < WORTH_AN_INDEX || self.is_slice() {
            return Ok(false);
        }
        let TraceBytes::File(opened, _) = &self.source else {
            return Ok(false);
        };
        let Ok(mut file) = OpenOptions::new().read(true).write(true).open(path) else {
            return Ok(false);
        };
        let mut index = Vec::new();
        let built = put_index(&mut index, end, &mut self.directory.clone(), &self.rebuilt);
        // Without a lock, two readers could append one each.
        if built.is_err() || file.try_lock().is_err() || !is_same(&file, opened) {
            return Ok(false);
        }
        // What is marked as not to be written stays as it is, also for a superuser.
        let meta = file.metadata()?;
        if meta.len() != end || meta.permissions().readonly() {
            return Ok(false);
        }
        let changed = meta.modified();
        file.seek(SeekFrom::Start(end))?;
        if let Err(error) = file.write_all(&index) {
            file.set_len(end)?;
            return Err(error);
        }
        if let Ok(changed) = changed {
            file.set_modified(changed)?;
        }
        Ok(true)
    }
}

/// Are these the same file?
#[cfg(unix)]
fn is_same(a: &File, b: &File) -> bool {
    use std::os::unix::fs::MetadataExt;
    match (a.metadata(), b.metadata()) {
        (Ok(a), Ok(b)) => (a.dev(), a.ino()) == (b.dev(), b.ino()),
        _ => false,
    }
}

#[cfg(not(unix))]
fn is_same(a: &File, b: &File) -> bool {
    matches!((a.metadata(), b.metadata()), (Ok(a), Ok(b)) if a.len() == b.len())
}

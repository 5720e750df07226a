//! Where the bytes of a trace are read from. Files are read by position and never mapped: a file that is cut under us is then
//! always an error, while a map can only be checked before it is touched (docs/dependencies.md, memmap2).

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use crate::error::{Error, ErrorKind, Result};
use crate::section::MAGIC;

/// The bytes of a trace.
#[derive(Debug)]
pub(crate) enum Source {
    /// In memory.
    Bytes(Arc<[u8]>),
    /// A regular file, of this length when it was opened.
    File(File, u64),
}

impl Source {
    pub fn open(path: &Path) -> Result<Self> {
        let io = |error| Error::io(0, error);
        let mut file = File::open(path).map_err(io)?;
        let meta = file.metadata().map_err(io)?;
        if meta.is_dir() {
            return Err(io(std::io::ErrorKind::IsADirectory.into()));
        }
        if meta.is_file() {
            return Ok(Self::File(file, meta.len()));
        }
        // A stream may have no end: what does not begin as a trace does is not read to it.
        let mut bytes = Vec::new();
        (&mut file)
            .take(MAGIC.len() as u64)
            .read_to_end(&mut bytes)
            .map_err(io)?;
        if bytes == MAGIC {
            file.read_to_end(&mut bytes).map_err(io)?;
        }
        Ok(Self::Bytes(bytes.into()))
    }

    pub fn len(&self) -> u64 {
        match self {
            Self::Bytes(bytes) => bytes.len() as u64,
            Self::File(_, length) => *length,
        }
    }

    /// Reads `into.len()` bytes at `offset`.
    pub fn read_into(&self, offset: u64, into: &mut [u8]) -> Result<()> {
        let wanted = into.len() as u64;
        let Some(end) = offset.checked_add(wanted).filter(|end| *end <= self.len()) else {
            return Err(Error::cut(offset, format!("{wanted} bytes"), self.len()));
        };
        match self {
            Self::Bytes(bytes) => into.copy_from_slice(&bytes[offset as usize..end as usize]),
            Self::File(file, opened) => read_at(file, offset, into).map_err(|error| match error.kind() {
                std::io::ErrorKind::UnexpectedEof => Error::new(offset, ErrorKind::Shrunk { opened: *opened }),
                _ => Error::io(offset, error),
            })?,
        }
        Ok(())
    }

    /// Reads `length` bytes at `offset`. Allocates no more than the file is long.
    pub fn read(&self, offset: u64, length: u64) -> Result<Arc<[u8]>> {
        if offset.checked_add(length).is_none_or(|end| end > self.len()) {
            return Err(Error::cut(offset, format!("{length} bytes"), self.len()));
        }
        let mut bytes = vec![0; length as usize];
        self.read_into(offset, &mut bytes)?;
        Ok(bytes.into())
    }
}

#[cfg(unix)]
fn read_at(file: &File, offset: u64, into: &mut [u8]) -> std::io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, into, offset)
}

#[cfg(windows)]
fn read_at(file: &File, mut offset: u64, mut into: &mut [u8]) -> std::io::Result<()> {
    while !into.is_empty() {
        match std::os::windows::fs::FileExt::seek_read(file, into, offset)? {
            0 => return Err(std::io::ErrorKind::UnexpectedEof.into()),
            n => {
                offset += n as u64;
                into = &mut into[n..];
            }
        }
    }
    Ok(())
}

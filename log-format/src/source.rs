//! The source of a trace's bytes. All reading goes through here: a finished regular file is read from a map ([`crate::map`]), a file that may
//! still grow by position, anything else from memory. If a file is truncated while it is read, that is always an error.

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use crate::error::{Error, ErrorKind, Result};
#[cfg(unix)]
use crate::map::{Broken, Map};
use crate::section::MAGIC;

/// The bytes of a trace.
#[derive(Debug)]
pub(crate) enum TraceBytes {
    /// In memory.
    Bytes(Arc<[u8]>),
    /// A regular file, of this length when it was opened.
    File(File, u64),
    /// As [`TraceBytes::File`], mapped: sequential reads use the map, others are made by position.
    #[cfg(unix)]
    Mapped(File, Map),
}

impl TraceBytes {
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
        // A stream may be endless: it is not read to its end unless it begins like a trace.
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
            #[cfg(unix)]
            Self::Mapped(_, map) => map.len(),
        }
    }

    /// The file does not grow any more, so it can be mapped.
    pub fn finished(self) -> Self {
        #[cfg(unix)]
        if let Self::File(file, length) = self {
            return match Map::new(&file, length) {
                Some(map) => Self::Mapped(file, map),
                None => Self::File(file, length),
            };
        }
        self
    }

    /// Reads `into.len()` bytes at `offset`.
    pub fn read_into(&self, offset: u64, into: &mut [u8]) -> Result<()> {
        let wanted = into.len() as u64;
        let Some(end) = offset.checked_add(wanted).filter(|end| *end <= self.len()) else {
            return Err(Error::cut(offset, format!("{wanted} bytes"), self.len()));
        };
        match self {
            Self::Bytes(bytes) => into.copy_from_slice(&bytes[offset as usize..end as usize]),
            Self::File(file, opened) => from_file(file, *opened, offset, into)?,
            #[cfg(unix)]
            Self::Mapped(file, map) if map.goes_on(offset, end) => map
                .read_into(offset as usize, into)
                .map_err(|Broken| gone(file, map, offset))?,
            #[cfg(unix)]
            Self::Mapped(file, map) => from_file(file, map.len(), offset, into)?,
        }
        Ok(())
    }

    /// Replaces an error about wrong bytes if the cause is that the file became shorter. (The rest of the last page of a mapped file reads as
    /// zeros.)
    pub fn blame(&self, error: Error) -> Error {
        #[cfg(unix)]
        if let Self::Mapped(file, map) = self
            && file.metadata().is_ok_and(|meta| meta.len() < map.len())
        {
            return Error::new(error.offset, ErrorKind::Shrunk { opened: map.len() });
        }
        error
    }

    /// Reads `length` bytes at `offset`. Never allocates more than the length of the file.
    pub fn read(&self, offset: u64, length: u64) -> Result<Arc<[u8]>> {
        if offset.checked_add(length).is_none_or(|end| end > self.len()) {
            return Err(Error::cut(offset, format!("{length} bytes"), self.len()));
        }
        let mut bytes: Arc<[u8]> = std::iter::repeat_n(0, length as usize).collect();
        self.read_into(offset, Arc::get_mut(&mut bytes).expect("nobody else has it yet"))?;
        Ok(bytes)
    }
}

/// Reads by position from a file that had this length when it was opened.
fn from_file(file: &File, opened: u64, offset: u64, into: &mut [u8]) -> Result<()> {
    read_at(file, offset, into).map_err(|error| match error.kind() {
        std::io::ErrorKind::UnexpectedEof => Error::new(offset, ErrorKind::Shrunk { opened }),
        _ => Error::io(offset, error),
    })
}

/// The error for a missing page of a map: the file became shorter, or could not be read.
#[cfg(unix)]
fn gone(file: &File, map: &Map, offset: u64) -> Error {
    let opened = map.len();
    match file.metadata() {
        Ok(meta) if meta.len() >= opened => Error::io(offset, std::io::Error::other("a part of it cannot be read")),
        _ => Error::new(offset, ErrorKind::Shrunk { opened }),
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

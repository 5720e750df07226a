//! Open files of the program: handles of the operating system.

use std::fs::{self, File};
use std::io::{self, Read as _, Seek as _, Write as _};
use std::os::fd::AsRawFd as _;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};

use system::handles::{FileAccess, HandleAnswer, HandleRequest, Opened};

use crate::outside::info;

/// Bytes that are read at a time.
const PIECE: usize = 1 << 16;

/// Bytes in which the end of a line is looked for.
const LINE: usize = 1 << 10;

/// An open file.
pub struct Handle {
    file: File,
    /// How it was opened.
    pub access: FileAccess,
    /// Has it places? A pipe has none.
    has_places: bool,
}

impl Handle {
    /// Opens a file.
    ///
    /// # Errors
    /// Those of the operating system; it is a directory and should be none, or the other way round.
    pub fn open(path: &Path, access: FileAccess) -> io::Result<(Self, Opened)> {
        let mut options = fs::OpenOptions::new();
        options
            .read(access.read || !access.write)
            .write(access.write && !access.append)
            .append(access.append)
            .truncate(access.empties())
            .create(access.write)
            .create_new(access.write && (access.exclusive || !access.empties()));
        let (file, found) = match options.open(path) {
            Ok(file) if access.write && !access.empties() => (file, Opened::Made),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && !access.exclusive => {
                (options.create_new(false).open(path)?, Opened::There)
            }
            file => (file?, Opened::There),
        };
        let kind = file.metadata()?.file_type();
        match (kind.is_dir(), access.directory) {
            (true, false) => Err(io::ErrorKind::IsADirectory.into()),
            (false, true) => Err(io::ErrorKind::NotADirectory.into()),
            _ => {
                let has_places = kind.is_file() || kind.is_dir();
                let handle = Self {
                    file,
                    access,
                    has_places,
                };
                Ok((handle, found))
            }
        }
    }

    /// Performs a request. No answer has more than `most` bytes.
    ///
    /// # Errors
    /// Those of the operating system; the answer would be too large.
    pub fn perform(&self, request: HandleRequest<'_>, most: usize) -> io::Result<HandleAnswer> {
        let mut file = &self.file;
        Ok(match request {
            HandleRequest::Read { at, size } => HandleAnswer::Bytes(self.read(at, size, most)?),
            HandleRequest::Line(at) => HandleAnswer::Bytes(self.line(at, most)?),
            HandleRequest::Write(at, bytes) => {
                if self.has_places {
                    self.file.write_all_at(bytes, at)?;
                } else {
                    file.write_all(bytes)?;
                }
                HandleAnswer::Done
            }
            HandleRequest::Append(bytes) => {
                file.write_all(bytes)?;
                HandleAnswer::Size(if self.has_places { file.stream_position()? } else { 0 })
            }
            HandleRequest::Size => HandleAnswer::Size(self.file.metadata()?.len()),
            HandleRequest::SetSize(size) => {
                self.file.set_len(size)?;
                HandleAnswer::Done
            }
            HandleRequest::Info => {
                let path = PathBuf::from(format!("/dev/fd/{}", self.file.as_raw_fd()));
                HandleAnswer::Info(info(&path, &self.file.metadata()?))
            }
            HandleRequest::Made | HandleRequest::Close => HandleAnswer::Done,
        })
    }

    /// Bytes from a place; of what has no places, the next ones.
    fn some(&self, buffer: &mut [u8], at: u64) -> io::Result<usize> {
        loop {
            let read = if self.has_places {
                self.file.read_at(buffer, at)
            } else {
                (&self.file).read(buffer)
            };
            match read {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => return read,
            }
        }
    }

    fn read(&self, at: u64, size: u64, most: usize) -> io::Result<Vec<u8>> {
        let size = usize::try_from(size).unwrap_or(usize::MAX);
        let mut bytes = Vec::new();
        let mut piece = vec![0; size.min(PIECE)];
        while bytes.len() < size {
            let wanted = (size - bytes.len()).min(PIECE);
            let read = self.some(&mut piece[..wanted], at.saturating_add(bytes.len() as u64))?;
            bytes.extend_from_slice(&piece[..read]);
            if bytes.len() > most {
                return Err(io::ErrorKind::OutOfMemory.into());
            }
            // A pipe may have more later.
            if read == 0 || !self.has_places {
                break;
            }
        }
        Ok(bytes)
    }

    fn line(&self, at: u64, most: usize) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        // What follows the line in a pipe has to stay there.
        let mut piece = [0; LINE];
        let piece = &mut piece[..if self.has_places { LINE } else { 1 }];
        loop {
            let read = self.some(piece, at.saturating_add(bytes.len() as u64))?;
            let end = piece[..read].iter().position(|byte| *byte == b'\n');
            bytes.extend_from_slice(&piece[..end.map_or(read, |end| end + 1)]);
            if bytes.len() > most {
                return Err(io::ErrorKind::OutOfMemory.into());
            }
            if end.is_some() || read == 0 {
                return Ok(bytes);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOTH: FileAccess = FileAccess::BOTH;

    fn perform(handle: &Handle, request: HandleRequest<'_>) -> HandleAnswer {
        handle.perform(request, 1 << 20).expect("performed")
    }

    fn bytes(text: &str) -> HandleAnswer {
        HandleAnswer::Bytes(text.as_bytes().to_vec())
    }

    #[test]
    fn a_handle_is_not_a_path() {
        let folder = tempfile::tempdir().expect("a folder");
        let (one, other) = (folder.path().join("one"), folder.path().join("other"));
        let (handle, found) = Handle::open(&one, BOTH).expect("opened");
        assert_eq!(found, Opened::Made);
        assert_eq!(
            perform(&handle, HandleRequest::Write(0, b"ab\ncd\nef")),
            HandleAnswer::Done
        );
        fs::rename(&one, &other).expect("renamed");
        let (second, found) = Handle::open(&other, BOTH).expect("opened");
        assert_eq!(found, Opened::There);
        assert_eq!(perform(&second, HandleRequest::Write(3, b"CD")), HandleAnswer::Done);
        assert_eq!(perform(&handle, HandleRequest::Line(3)), bytes("CD\n"));
        assert_eq!(perform(&handle, HandleRequest::Line(6)), bytes("ef"));
        fs::remove_file(&other).expect("removed");
        assert_eq!(perform(&handle, HandleRequest::SetSize(4)), HandleAnswer::Done);
        let rest = HandleRequest::Read { at: 1, size: u64::MAX };
        assert_eq!(perform(&second, rest), bytes("b\nC"));
        assert!(handle.perform(rest, 2).is_err());
        assert!(!one.exists() && !other.exists());
    }

    #[test]
    fn what_is_appended_goes_to_the_end_that_the_file_has_then() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("log");
        let append = FileAccess {
            append: true,
            read: false,
            ..BOTH
        };
        let (one, two) = (Handle::open(&path, append), Handle::open(&path, append));
        let (one, two) = (one.expect("opened").0, two.expect("opened").0);
        assert_eq!(perform(&one, HandleRequest::Append(b"abc")), HandleAnswer::Size(3));
        assert_eq!(perform(&two, HandleRequest::Append(b"de")), HandleAnswer::Size(5));
        assert_eq!(perform(&one, HandleRequest::Append(b"f")), HandleAnswer::Size(6));
        assert_eq!(fs::read(&path).expect("read"), b"abcdef");
    }
}

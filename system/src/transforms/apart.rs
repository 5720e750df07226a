//! The world in which a parse transform runs: it may print, to standard error, and read files. What it writes is kept in memory and lost; it
//! starts nothing.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use crate::error::Posix;
use crate::files::{FileAnswer, FileInfo, FileRequest, FileType};
use crate::handles::{Disk, FileAccess, HandleAnswer, HandleRequest, Opened};
use crate::outside::{Device, Line, Outside, Touched};

/// What was told from inside.
pub type Answers = Arc<Mutex<Vec<Vec<String>>>>;

/// A world of which no more is allowed than reading and printing.
pub struct Apart {
    inner: Box<dyn Outside>,
    answers: Answers,
    /// What was written, by the names of the files.
    written: Disk,
}

impl Apart {
    pub fn new(inner: Box<dyn Outside>, answers: Answers) -> Self {
        Self {
            inner,
            answers,
            written: Disk::default(),
        }
    }
}

impl Apart {
    /// Says so, the first time. `keeps`: it has what the real file holds.
    fn begins_to_write(&mut self, path: &str, keeps: bool) {
        if self.written.get(path).is_some() {
            return;
        }
        let shown = path.escape_debug();
        self.inner.note(&format!(
            "tracer: a parse transform writes {shown}: the file is not changed\n"
        ));
        let before = if keeps { self.inner.read_file(path).ok() } else { None };
        *self.written.file(path) = before.unwrap_or_default();
    }
}

/// Limit: bytes of a file that is written.
const MOST_WRITTEN: usize = 64 << 20;

/// What a transform gets that asks for another change.
const REFUSED: Posix = Posix("eacces");

/// What it gets of a command.
const NO_COMMANDS: &[u8] = b"sh: a parse transform cannot run commands\n";

impl Outside for Apart {
    fn monotonic(&mut self) -> u64 {
        self.inner.monotonic()
    }
    fn system_time(&mut self) -> i64 {
        self.inner.system_time()
    }
    fn simulated_start(&self) -> i64 {
        self.inner.simulated_start()
    }
    fn zone_offset(&mut self, at: i64, zone: Option<&str>) -> i64 {
        self.inner.zone_offset(at, zone)
    }
    fn universal(&mut self, local: i64, is_dst: Option<bool>, zone: Option<&str>) -> i64 {
        self.inner.universal(local, is_dst, zone)
    }
    fn sleep(&mut self, until: Option<u64>) {
        self.inner.sleep(until);
    }
    /// The program's own output is not mixed with that of its compilation.
    fn write(&mut self, _: Device, bytes: &[u8]) -> io::Result<()> {
        self.inner.write(Device::Stderr, bytes)
    }
    fn set_encoding(&mut self, device: Device, unicode: bool) {
        self.inner.set_encoding(device, unicode);
    }
    fn is_unicode(&self, device: Device) -> bool {
        self.inner.is_unicode(device)
    }
    fn flush(&mut self) {
        self.inner.flush();
    }
    fn read_line(&mut self) -> Line {
        Line::Eof
    }
    fn rest(&mut self, until: Option<u64>) {
        self.inner.rest(until);
    }
    fn entropy(&mut self) -> u64 {
        self.inner.entropy()
    }
    fn variable(&mut self, name: &str) -> Option<String> {
        self.inner.variable(name)
    }
    fn set_variable(&mut self, name: &str, value: Option<&str>) {
        self.inner.set_variable(name, value);
    }
    fn variables(&mut self) -> Vec<(String, String)> {
        self.inner.variables()
    }
    fn read_file(&mut self, path: &str) -> Result<Vec<u8>, Posix> {
        match self.written.get(path) {
            Some(bytes) => Ok(bytes.clone()),
            None => self.inner.read_file(path),
        }
    }
    fn write_file(&mut self, path: &str, bytes: &[u8], append: bool) -> Result<(), Posix> {
        self.begins_to_write(path, append);
        let file = self.written.file(path);
        if !append {
            file.clear();
        }
        if file.len().saturating_add(bytes.len()) > MOST_WRITTEN {
            return Err(Posix("enospc"));
        }
        file.extend_from_slice(bytes);
        Ok(())
    }
    fn open_file(&mut self, key: &[u8], path: &str, access: FileAccess) -> Result<Opened, Posix> {
        if access.directory {
            return Err(REFUSED);
        }
        if access.write {
            let is_there = self.written.get(path).is_some() || self.inner.read_file(path).is_ok();
            if is_there && access.exclusive {
                return Err(Posix("eexist"));
            }
            self.begins_to_write(path, !access.empties());
            if access.empties() {
                self.written.file(path).clear();
            }
        }
        if self.written.get(path).is_some() {
            self.written.open(key, path);
        } else {
            self.written.open_bytes(key, self.inner.read_file(path)?);
        }
        Ok(Opened::There)
    }
    fn on_file(&mut self, key: &[u8], _: &str, request: HandleRequest<'_>) -> Result<HandleAnswer, Posix> {
        let end = match request {
            HandleRequest::Write(at, bytes) => at.saturating_add(bytes.len() as u64),
            HandleRequest::Append(bytes) => self.written.size(key) + bytes.len() as u64,
            HandleRequest::SetSize(size) => size,
            _ => 0,
        };
        if end > MOST_WRITTEN as u64 {
            return Err(Posix("enospc"));
        }
        self.written.perform(key, request, |size| FileInfo {
            size,
            kind: FileType::Regular,
            access: (true, true),
            times: [0; 3],
            mode: 0o100_644,
            numbers: [1, 0, 0, 0, 0],
        })
    }
    fn file(&mut self, request: FileRequest<'_>) -> Result<FileAnswer, Posix> {
        match request {
            FileRequest::List(_)
            | FileRequest::Info { .. }
            | FileRequest::ReadLink(_)
            | FileRequest::CurrentDir
            | FileRequest::SetCurrentDir(_) => self.inner.file(request),
            FileRequest::MakeDir(_)
            | FileRequest::DeleteDir(_)
            | FileRequest::Delete(_)
            | FileRequest::Rename(..)
            | FileRequest::Link(..)
            | FileRequest::Symlink(..)
            | FileRequest::SetMode(..)
            | FileRequest::SetTimes(..)
            | FileRequest::SetOwner(..) => Err(REFUSED),
        }
    }
    fn last_touched(&self) -> Touched {
        self.inner.last_touched()
    }
    fn command(&mut self, _: &str) -> Vec<u8> {
        NO_COMMANDS.to_vec()
    }
    fn begin(&mut self, _: &str) -> u64 {
        0
    }
    fn finished(&mut self, _: u64) -> Option<Vec<u8>> {
        Some(NO_COMMANDS.to_vec())
    }
    fn told(&mut self, words: Vec<String>) {
        self.answers.lock().unwrap_or_else(PoisonError::into_inner).push(words);
    }
    fn process_id(&mut self) -> u32 {
        self.inner.process_id()
    }
    fn interrupted(&self) -> bool {
        self.inner.interrupted()
    }
}

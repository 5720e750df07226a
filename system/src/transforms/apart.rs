//! The world in which a parse transform runs: it may print, to standard error, and read files. What it writes is kept in memory and lost; it
//! starts nothing.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use crate::error::Posix;
use crate::files::{FileAnswer, FileRequest};
use crate::outside::{Device, Line, Outside, Touched};

/// What was told from inside.
pub type Answers = Arc<Mutex<Vec<Vec<String>>>>;

/// A world of which no more is allowed than reading and printing.
pub struct Apart {
    inner: Box<dyn Outside>,
    answers: Answers,
    /// What was written, by the names of the files.
    written: BTreeMap<String, Vec<u8>>,
}

impl Apart {
    pub fn new(inner: Box<dyn Outside>, answers: Answers) -> Self {
        Self {
            inner,
            answers,
            written: BTreeMap::new(),
        }
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
        if !self.written.contains_key(path) {
            let shown = path.escape_debug();
            self.inner.note(&format!(
                "tracer: a parse transform writes {shown}: the file is not changed\n"
            ));
            let before = if append {
                self.inner.read_file(path).unwrap_or_default()
            } else {
                Vec::new()
            };
            self.written.insert(path.to_owned(), before);
        }
        let file = self.written.entry(path.to_owned()).or_default();
        if !append {
            file.clear();
        }
        if file.len().saturating_add(bytes.len()) > MOST_WRITTEN {
            return Err(Posix("enospc"));
        }
        file.extend_from_slice(bytes);
        Ok(())
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

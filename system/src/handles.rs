//! Open files: `erlang:'$open_file'(Path, Access, Key)` and `erlang:'$on_file'(Operation, Path, Where, Key, Bytes)`. Each is one input: of what is
//! read, the bytes are logged, and of what is written, the result.
//!
//! The program makes the key, so that the same file has the same one wherever the run is repeated.

use std::collections::BTreeMap;

use interpreter::atom::Atom;
use interpreter::heap::Heap;
use interpreter::term::Term;

use crate::error::Posix;
use crate::files::{FileAnswer, FileInfo, FileRequest, answer as file_answer};

/// How a file is opened.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct FileAccess {
    /// It is read.
    pub read: bool,
    /// It is written.
    pub write: bool,
    /// What is written goes to the end.
    pub append: bool,
    /// It must not be there.
    pub exclusive: bool,
    /// It is a directory.
    pub directory: bool,
}

impl FileAccess {
    /// It is read and written.
    pub const BOTH: Self = Self {
        read: true,
        write: true,
        append: false,
        exclusive: false,
        directory: false,
    };

    /// From the words of the program.
    #[must_use]
    pub fn of<'w>(words: impl IntoIterator<Item = &'w str>) -> Option<Self> {
        let mut access = Self::default();
        for word in words {
            match word {
                "read" => access.read = true,
                "write" => access.write = true,
                "append" => (access.write, access.append) = (true, true),
                "exclusive" => access.exclusive = true,
                "directory" => access.directory = true,
                _ => return None,
            }
        }
        Some(access)
    }

    /// Is the file emptied?
    #[must_use]
    pub const fn empties(self) -> bool {
        self.write && !self.read && !self.append
    }
}

/// How a file was found that is opened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Opened {
    /// It was there, or is emptied.
    There,
    /// It was made, to be read or appended to.
    Made,
}

/// A request to an open file. Places are bytes from its beginning.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HandleRequest<'a> {
    /// So many bytes from there, or fewer at the end.
    Read {
        /// From there.
        at: u64,
        /// At most so many.
        size: u64,
    },
    /// The bytes from there to the end of the line.
    Line(u64),
    /// Writes bytes there; what is between the end and there is filled with zeros.
    Write(u64, &'a [u8]),
    /// Writes bytes at the end; the answer is the new size.
    Append(&'a [u8]),
    /// How long is it?
    Size,
    /// Makes it so long.
    SetSize(u64),
    /// What the file is.
    Info,
    /// The program notes that it was [`Opened::Made`]. A simulated world knows by that what it holds.
    Made,
    /// It is not used any more.
    Close,
}

impl<'a> HandleRequest<'a> {
    /// The request with this name. `places`: one or two numbers.
    #[must_use]
    pub fn of(operation: &str, places: &[i64], bytes: Option<&'a [u8]>) -> Option<Self> {
        let place = |number: &i64| u64::try_from(*number).ok();
        Some(match (operation, places) {
            ("read", [at, size]) => Self::Read {
                at: place(at)?,
                size: place(size)?,
            },
            ("line", [at]) => Self::Line(place(at)?),
            ("write", [at]) => Self::Write(place(at)?, bytes?),
            ("append", []) => Self::Append(bytes?),
            ("size", []) => Self::Size,
            ("set_size", [size]) => Self::SetSize(place(size)?),
            ("info", []) => Self::Info,
            ("made", []) => Self::Made,
            ("close", []) => Self::Close,
            _ => return None,
        })
    }

    /// Does it only look?
    #[must_use]
    pub const fn only_looks(&self) -> bool {
        matches!(self, Self::Read { .. } | Self::Line(_) | Self::Size | Self::Info)
    }
}

/// The result of a request to an open file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum HandleAnswer {
    /// Done, without a value.
    Done,
    /// What was read; none at the end.
    Bytes(Vec<u8>),
    /// A size.
    Size(u64),
    /// See [`FileInfo`].
    Info(FileInfo),
}

/// `ok`, `new` or `{error, Posix}`.
pub(crate) fn opened(heap: &mut Heap, result: Result<Opened, Posix>) -> Term {
    match result {
        Ok(Opened::Made) => Term::atom(Atom::new("new")),
        result => answer(heap, result.map(|_| HandleAnswer::Done)),
    }
}

/// `ok`, `eof`, `{ok, Value}` or `{error, Posix}`.
pub(crate) fn answer(heap: &mut Heap, result: Result<HandleAnswer, Posix>) -> Term {
    let done = match result {
        Err(error) => Err(error),
        Ok(HandleAnswer::Done) => Ok(FileAnswer::Done),
        Ok(HandleAnswer::Info(info)) => Ok(FileAnswer::Info(info)),
        Ok(HandleAnswer::Bytes(bytes)) if bytes.is_empty() => return Term::atom(Atom::new("eof")),
        Ok(HandleAnswer::Bytes(bytes)) => {
            let bytes = heap.make_binary(&bytes);
            return heap.make_tuple(&[Term::atom(Atom::OK), bytes]);
        }
        Ok(HandleAnswer::Size(size)) => {
            let size = heap.make_int(size as i64);
            return heap.make_tuple(&[Term::atom(Atom::OK), size]);
        }
    };
    file_answer(heap, done, &FileRequest::CurrentDir)
}

/// Limit: bytes between the end of a file in memory and what is written after it.
const MOST_BETWEEN: u64 = 64 << 20;

/// A file in memory: names and handles can outlive each other.
type Node = u64;

#[derive(Clone, Debug, Default)]
struct Contents {
    bytes: Vec<u8>,
    /// So many names and handles has it.
    used: usize,
}

/// Files in memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Disk {
    names: BTreeMap<String, Node>,
    contents: BTreeMap<Node, Contents>,
    handles: BTreeMap<Vec<u8>, Node>,
    made: Node,
}

impl Disk {
    /// The names of all files.
    pub(crate) fn names(&self) -> impl Iterator<Item = &String> {
        self.names.keys()
    }

    /// The contents of a named file.
    pub(crate) fn get(&self, name: &str) -> Option<&Vec<u8>> {
        Some(&self.contents.get(self.names.get(name)?)?.bytes)
    }

    /// A file with one name or handle.
    fn make(&mut self, bytes: Vec<u8>) -> Node {
        self.made += 1;
        self.contents.insert(self.made, Contents { bytes, used: 1 });
        self.made
    }

    fn used_once_more(&mut self, node: Node) {
        if let Some(contents) = self.contents.get_mut(&node) {
            contents.used += 1;
        }
    }

    fn node(&mut self, name: &str) -> Node {
        match self.names.get(name) {
            Some(node) => *node,
            None => {
                let node = self.make(Vec::new());
                self.names.insert(name.to_owned(), node);
                node
            }
        }
    }

    /// The contents of a named file, which is made if it is not there.
    pub(crate) fn file(&mut self, name: &str) -> &mut Vec<u8> {
        let node = self.node(name);
        &mut self.contents.entry(node).or_default().bytes
    }

    /// A name is removed. Was there one?
    pub(crate) fn remove(&mut self, name: &str) -> bool {
        let node = self.names.remove(name);
        node.inspect(|node| self.forget(*node)).is_some()
    }

    /// A file gets another name. Was there one?
    pub(crate) fn rename(&mut self, from: &str, to: &str) -> bool {
        self.link(from, to) && (from == to || self.remove(from))
    }

    /// A file gets a second name. Was there one?
    pub(crate) fn link(&mut self, from: &str, to: &str) -> bool {
        let node = self.names.get(from).copied();
        node.inspect(|node| self.name(*node, to)).is_some()
    }

    fn name(&mut self, node: Node, name: &str) {
        self.used_once_more(node);
        if let Some(before) = self.names.insert(name.to_owned(), node) {
            self.forget(before);
        }
    }

    /// Contents without a name and a handle are gone.
    fn forget(&mut self, node: Node) {
        if let Some(contents) = self.contents.get_mut(&node) {
            contents.used -= 1;
            if contents.used == 0 {
                self.contents.remove(&node);
            }
        }
    }

    /// Is there such a handle?
    pub(crate) fn has_handle(&self, key: &[u8]) -> bool {
        self.handles.contains_key(key)
    }

    /// A named file is opened; it is made if it is not there.
    pub(crate) fn open(&mut self, key: &[u8], name: &str) {
        let node = self.node(name);
        self.used_once_more(node);
        self.hold(key, node);
    }

    fn hold(&mut self, key: &[u8], node: Node) {
        if let Some(before) = self.handles.insert(key.to_vec(), node) {
            self.forget(before);
        }
    }

    /// A file is opened that has no name here.
    pub(crate) fn open_bytes(&mut self, key: &[u8], bytes: Vec<u8>) {
        let node = self.make(bytes);
        self.hold(key, node);
    }

    /// The size of an open file.
    pub(crate) fn size(&self, key: &[u8]) -> u64 {
        let contents = self.handles.get(key).and_then(|node| self.contents.get(node));
        contents.map_or(0, |contents| contents.bytes.len() as u64)
    }

    /// A request to an open file. `info`: what a file of this size is.
    ///
    /// # Errors
    /// There is no such handle; the file would be too large.
    pub(crate) fn perform(
        &mut self,
        key: &[u8],
        request: HandleRequest<'_>,
        info: impl FnOnce(u64) -> FileInfo,
    ) -> Result<HandleAnswer, Posix> {
        let none = Posix("ebadf");
        let node = *self.handles.get(key).ok_or(none)?;
        if request == HandleRequest::Close {
            self.handles.remove(key);
            self.forget(node);
            return Ok(HandleAnswer::Done);
        }
        let contents = &mut self.contents.get_mut(&node).ok_or(none)?.bytes;
        let size = contents.len() as u64;
        let rest = |at: u64| &contents[usize::try_from(at.min(size)).unwrap_or(contents.len())..];
        if let HandleRequest::Write(at, _) | HandleRequest::SetSize(at) = request
            && at.saturating_sub(size) > MOST_BETWEEN
        {
            return Err(Posix("enospc"));
        }
        Ok(match request {
            HandleRequest::Read { at, size } => {
                let rest = rest(at);
                let size = usize::try_from(size).unwrap_or(usize::MAX).min(rest.len());
                HandleAnswer::Bytes(rest[..size].to_vec())
            }
            HandleRequest::Line(at) => {
                let rest = rest(at);
                let end = rest.iter().position(|byte| *byte == b'\n');
                HandleAnswer::Bytes(rest[..end.map_or(rest.len(), |end| end + 1)].to_vec())
            }
            HandleRequest::Write(at, bytes) => {
                let at = usize::try_from(at).map_err(|_| Posix("enospc"))?;
                let end = at + bytes.len();
                if contents.len() < end {
                    contents.resize(end, 0);
                }
                contents[at..end].copy_from_slice(bytes);
                HandleAnswer::Done
            }
            HandleRequest::Append(bytes) => {
                contents.extend_from_slice(bytes);
                HandleAnswer::Size(contents.len() as u64)
            }
            HandleRequest::Size => HandleAnswer::Size(size),
            HandleRequest::SetSize(size) => {
                contents.resize(usize::try_from(size).map_err(|_| Posix("enospc"))?, 0);
                HandleAnswer::Done
            }
            HandleRequest::Info => HandleAnswer::Info(info(size)),
            HandleRequest::Made | HandleRequest::Close => HandleAnswer::Done,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::FileType;

    fn info(size: u64) -> FileInfo {
        FileInfo {
            size,
            kind: FileType::Regular,
            access: (true, true),
            times: [0; 3],
            mode: 0,
            numbers: [0; 5],
        }
    }

    #[test]
    fn a_handle_outlives_the_name_of_its_file() {
        let mut disk = Disk::default();
        disk.file("a").extend_from_slice(b"hello");
        disk.open(b"1", "a");
        assert!(disk.rename("a", "b"));
        disk.open(b"2", "b");
        assert!(disk.remove("b"));
        let write = HandleRequest::Write(7, b"!");
        assert_eq!(disk.perform(b"1", write, info), Ok(HandleAnswer::Done));
        let read = HandleRequest::Read { at: 3, size: 99 };
        assert_eq!(
            disk.perform(b"2", read, info),
            Ok(HandleAnswer::Bytes(b"lo\0\0!".to_vec()))
        );
        assert_eq!(disk.names().count(), 0);
        for key in [b"1", b"2"] {
            assert_eq!(disk.perform(key, HandleRequest::Close, info), Ok(HandleAnswer::Done));
        }
        assert!(disk.contents.is_empty());
        assert_eq!(disk.perform(b"1", HandleRequest::Size, info), Err(Posix("ebadf")));
    }

    #[test]
    fn no_place_is_too_far() {
        let mut disk = Disk::default();
        disk.open(b"1", "a");
        for request in [HandleRequest::Write(u64::MAX, b"x"), HandleRequest::SetSize(1 << 40)] {
            assert_eq!(disk.perform(b"1", request, info), Err(Posix("enospc")));
        }
        for request in [
            HandleRequest::Read {
                at: u64::MAX,
                size: u64::MAX,
            },
            HandleRequest::Line(u64::MAX),
        ] {
            assert_eq!(disk.perform(b"1", request, info), Ok(HandleAnswer::Bytes(Vec::new())));
        }
    }

    #[test]
    fn requests_are_made_from_what_they_need() {
        assert_eq!(HandleRequest::of("read", &[1, -1], None), None);
        assert_eq!(HandleRequest::of("write", &[1], None), None);
        assert_eq!(
            HandleRequest::of("write", &[1], Some(b"a")),
            Some(HandleRequest::Write(1, b"a"))
        );
        assert_eq!(FileAccess::of(["read", "format"]), None);
        assert!(FileAccess::of(["write"]).is_some_and(FileAccess::empties));
        assert!(!FileAccess::of(["append"]).is_some_and(FileAccess::empties));
    }
}

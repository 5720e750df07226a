//! Reading a trace: opening it, finding processes and actions, checking everything that is read.

mod cache;
mod complete;
mod find;
mod rebuild;
mod records;
mod sections;
mod verify;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock};

use self::cache::Cache;
use self::rebuild::scan;
use self::sections::{check_pages, read_directory, section_of};
use crate::action::Counts;
use crate::error::Result;
use crate::ids::{ActionId, Node, Pid};
use crate::index::{Directory, Page, Totals};
use crate::record::{self, Header};
use crate::section::{FILE_HEADER, FileHeader, SECTION_HEADER, SLICE, SectionKind};
use crate::source::TraceBytes;

pub(crate) use cache::{ProcRef, bad_chunk, birth_in};

/// How complete a trace is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Status {
    /// Complete.
    Complete,
    /// All actions and the outcome are there; the index was damaged or missing and has been rebuilt.
    IndexRebuilt {
        /// Offset at which the outcome ends and the index should begin.
        end: u64,
        /// What was wrong with the index.
        why: String,
        /// Is the index damaged, and not just incomplete?
        damaged: bool,
    },
    /// The recording did not end, or the file was cut off: the trace ends at its last complete cut.
    Incomplete {
        /// Offset of the end of the usable part.
        end: u64,
        /// Bytes after it that were not used.
        lost: u64,
        /// The first error in them, if there are any.
        why: Option<String>,
        /// Are these bytes damaged, and not just a section that was not completely written?
        damaged: bool,
    },
}

/// The facts about a process without its actions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProcessFacts {
    /// Its pid.
    pub pid: Pid,
    /// The action that spawned it; `None` for an entry process.
    pub parent: Option<ActionId>,
    /// Its node.
    pub node: Node,
    /// How many actions, sends and receives its log has.
    pub counts: Counts,
    /// Receives of all processes before it: its first receive is the next number.
    pub base: u64,
    /// Is its last action its end?
    pub ended: bool,
}

/// An open trace. Reads only what is needed, and checks what it reads. Can be shared between threads.
#[derive(Debug)]
pub struct Trace {
    source: TraceBytes,
    file_header: FileHeader,
    header: Header,
    status: Status,
    directory: Directory,
    /// Pages of a rebuilt index; empty if they are in the file.
    rebuilt: Vec<Page>,
    texts: OnceLock<Vec<String>>,
    cache: Mutex<Cache>,
}

impl Trace {
    /// Opens a trace file.
    ///
    /// # Errors
    /// If the file cannot be read, is not a trace, is of another version, or is so damaged that not even its start can be read.
    pub fn open(path: &Path) -> Result<Self> {
        Self::open_with(path, &mut |_, _| {})
    }

    /// As [`Trace::open`]; `progress` is called while a missing index is rebuilt.
    ///
    /// # Errors
    /// As [`Trace::open`].
    pub fn open_with(path: &Path, progress: IndexProgress<'_>) -> Result<Self> {
        Self::from_source(TraceBytes::open(path)?, progress)
    }

    /// Opens a trace in memory.
    ///
    /// # Errors
    /// As [`Trace::open`].
    pub fn from_bytes(bytes: impl Into<Arc<[u8]>>) -> Result<Self> {
        Self::from_source(TraceBytes::Bytes(bytes.into()), &mut |_, _| {})
    }

    fn from_source(mut source: TraceBytes, progress: IndexProgress<'_>) -> Result<Self> {
        let length = source.len();
        let start = source.read(0, length.min(FILE_HEADER))?;
        let file_header = FileHeader::parse(&start)?;
        let first =
            section_of(&source, FILE_HEADER, SectionKind::Header).map_err(|error| error.at_the_start(length))?;
        let header = record::get_header(&first, FILE_HEADER + SECTION_HEADER)?;
        let read = read_directory(&source).and_then(|directory| check_pages(&source, directory));
        let (status, directory, rebuilt) = match read {
            Ok(directory) => {
                source = source.finished();
                (Status::Complete, directory, Vec::new())
            }
            Err(error) if !error.is_bad_trace() => return Err(error),
            Err(why) => scan(&source, &why, progress)?,
        };
        let (texts, cache) = (OnceLock::new(), Mutex::default());
        Ok(Self {
            source,
            file_header,
            header,
            status,
            directory,
            rebuilt,
            texts,
            cache,
        })
    }

    /// How the run was started.
    #[must_use]
    pub const fn header(&self) -> &Header {
        &self.header
    }

    /// When the recording began, in microseconds since 1970.
    #[must_use]
    pub const fn clock(&self) -> i64 {
        self.file_header.clock
    }

    /// The version of the format: major and minor.
    #[must_use]
    pub const fn version(&self) -> (u16, u16) {
        (crate::MAJOR, self.file_header.minor)
    }

    /// How complete the trace is.
    #[must_use]
    pub const fn status(&self) -> &Status {
        &self.status
    }

    /// Totals over all processes.
    #[must_use]
    pub const fn totals(&self) -> Totals {
        self.directory.totals
    }

    /// The length of the file in bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.source.len()
    }

    /// Bytes of action blocks, and of index and directory, without the headers of other sections. 0 for a rebuilt index.
    #[must_use]
    pub fn sizes(&self) -> (u64, u64) {
        let Directory {
            block_bytes,
            page_bytes,
            ..
        } = &self.directory;
        let index = if self.rebuilt.is_empty() && self.status == Status::Complete {
            page_bytes.saturating_add(SECTION_HEADER + self.directory.length())
        } else {
            0
        };
        (*block_bytes, index)
    }

    /// Is it a slice, whose receives have the numbers of the original trace?
    #[must_use]
    pub const fn is_slice(&self) -> bool {
        self.file_header.flags & SLICE != 0
    }
}

/// Called while an index is rebuilt: bytes done, bytes in all.
pub type IndexProgress<'a> = &'a mut dyn FnMut(u64, u64);

/// Does the file begin like a trace? Nothing more is read; false also if it cannot be read.
#[must_use]
pub fn is_trace(path: &Path) -> bool {
    use std::io::Read;
    let mut start = [0; 8];
    std::fs::File::open(path)
        .and_then(|mut file| file.read_exact(&mut start))
        .is_ok()
        && start == crate::section::MAGIC
}

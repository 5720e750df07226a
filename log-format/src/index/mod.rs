//! The index: for every process its chunks and receives, in pages sorted by process; and the directory with the positions of the pages and of
//! everything else (FORMAT.md, "Index").

mod build;
mod checkpoint;
mod chunk;
mod directory;
mod parse;
mod write;
use crate::action::Counts;

pub(crate) use self::build::{build, push_whole};
pub(crate) use self::checkpoint::{checkpoint, put_checkpoint};
pub(crate) use self::chunk::ChunkMeta;
pub(crate) use self::directory::Directory;
pub use self::directory::Totals;
pub(crate) use self::parse::{expanded, parse};
pub(crate) use self::write::put_index;

/// A page is closed when it has this length.
const PAGE_BYTES: usize = 1 << 10;

/// The pid is one more than that before.
const NEXT_PID: u8 = 1;

/// One chunk, a restart point.
const SINGLE: u8 = 2;

/// The chunk after the first chunk of the process before, in the same block.
const NEXT_SLOT: u8 = 4;

/// The number of receives before is given.
const BASE: u8 = 8;

/// A number follows: this many further processes are equal, each with the next pid, one chunk in the next slot and the same number of receives.
const ALIKE: u8 = 16;

/// Limit: processes of a page, so that a few bytes cannot stand for endless ones.
const PAGE_PROCESSES: u64 = 4096;

/// A page of the index, with its entry in the directory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Page {
    /// The first process in it.
    pub first_pid: u64,
    /// Receives of all processes before it.
    pub first_base: u64,
    pub bytes: Vec<u8>,
}

/// One chunk of a process, in the index.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ChunkRef {
    pub block: u32,
    pub slot: u32,
    pub restart: bool,
    /// The counts of the chunks before it.
    pub before: Counts,
}

/// The chunks of a process: nearly always one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Chunks {
    One(ChunkRef),
    /// More than one, and their total counts. invariant: not empty, the first is a restart point.
    Many(Vec<ChunkRef>, Counts),
}

/// The index entry of a process.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ProcIndex {
    pub pid: u64,
    /// Receives of all processes before it.
    pub base: u64,
    pub receives: u64,
    pub chunks: Chunks,
}

impl ProcIndex {
    pub fn chunks(&self) -> &[ChunkRef] {
        match &self.chunks {
            Chunks::One(chunk) => std::slice::from_ref(chunk),
            Chunks::Many(chunks, _) => chunks,
        }
    }

    /// The counts of all chunks before the one at `at`; at the end, of all chunks; `None` if they are only in the chunk itself.
    pub fn before(&self, at: usize) -> Option<Counts> {
        match &self.chunks {
            Chunks::One(_) => (at == 0).then(Counts::default),
            Chunks::Many(chunks, all) => Some(chunks.get(at).map_or(*all, |chunk| chunk.before)),
        }
    }

    /// The last restart point whose preceding counts satisfy `reached`.
    pub fn restart_before(&self, reached: impl Fn(&Counts) -> bool) -> usize {
        let chunks = self.chunks();
        let at = chunks.partition_point(|chunk| reached(&chunk.before));
        chunks[..at].iter().rposition(|chunk| chunk.restart).unwrap_or(0)
    }
}

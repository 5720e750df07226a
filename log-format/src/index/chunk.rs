//! A chunk of a log, as the index knows it.
use crate::action::Counts;

/// The position and the counts of a chunk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ChunkMeta {
    pub pid: u64,
    /// Number of its block, in the order of the file.
    pub block: u32,
    /// Its index in the block.
    pub slot: u32,
    pub restart: bool,
    /// The process ends in it.
    pub ended: bool,
    /// This many further processes are equal to this one: each with the next pid, one chunk in the next slot of the same block, and the same
    /// counts.
    pub alike: u32,
    pub counts: Counts,
}

impl ChunkMeta {
    /// The chunk of the i-th of the processes that are alike, from 0.
    pub(crate) fn nth(&self, i: u32) -> Self {
        Self {
            pid: self.pid.wrapping_add(u64::from(i)),
            slot: self.slot + i,
            alike: 0,
            ..*self
        }
    }
}

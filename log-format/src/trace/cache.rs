//! The cache of blocks and of pages of the index.
use std::collections::VecDeque;
use std::sync::{Arc, PoisonError};

use rustc_hash::FxHashMap;

use super::Trace;
use super::sections::{read_block, section_of};
use crate::block::{Block, Chunk};
use crate::error::{Error, Result};
use crate::ids::Pid;
use crate::index::{ProcIndex, parse};
use crate::model::Birth;
use crate::section::{SECTION_HEADER, SectionKind};

/// Limit: bytes of cached blocks.
const BLOCK_CACHE: usize = 24 << 20;

/// Limit: cached pages of the index.
const PAGE_CACHE: usize = 512;

#[derive(Debug, Default)]
pub(super) struct Cache {
    blocks: FxHashMap<u32, Arc<Block>>,
    /// In order of insertion.
    block_order: VecDeque<u32>,
    block_bytes: usize,
    pages: FxHashMap<usize, Arc<Vec<ProcIndex>>>,
    page_order: VecDeque<usize>,
}

/// A process in a page of the index.
#[derive(Clone, Debug)]
pub(crate) struct ProcRef {
    pub(super) page: Arc<Vec<ProcIndex>>,
    pub(super) at: usize,
}

impl std::ops::Deref for ProcRef {
    type Target = ProcIndex;

    fn deref(&self) -> &ProcIndex {
        &self.page[self.at]
    }
}

impl Trace {
    fn cache(&self) -> std::sync::MutexGuard<'_, Cache> {
        // A cache remains valid after a panic elsewhere.
        self.cache.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn page(&self, at: usize) -> Result<Arc<Vec<ProcIndex>>> {
        if let Some(page) = self.cache().pages.get(&at) {
            return Ok(Arc::clone(page));
        }
        let (first_pid, first_base, offset) = self.directory.pages[at];
        let blocks = u32::try_from(self.directory.blocks.len()).unwrap_or(u32::MAX);
        let page = match self.rebuilt.get(at) {
            Some(page) => parse(&page.bytes, first_pid, first_base, blocks),
            None => parse(
                &section_of(&self.source, offset, SectionKind::Index)?,
                first_pid,
                first_base,
                blocks,
            ),
        };
        let page = Arc::new(page.map_err(|error| Error::malformed(offset + SECTION_HEADER, &error))?);
        let mut cache = self.cache();
        if cache.pages.insert(at, Arc::clone(&page)).is_none() {
            cache.page_order.push_back(at);
        }
        if cache.pages.len() > PAGE_CACHE
            && let Some(old) = cache.page_order.pop_front()
        {
            cache.pages.remove(&old);
        }
        Ok(page)
    }

    pub(crate) fn block(&self, number: u32) -> Result<Arc<Block>> {
        if let Some(block) = self.cache().blocks.get(&number) {
            return Ok(Arc::clone(block));
        }
        let Some(offset) = self.directory.blocks.get(number as usize) else {
            return Err(Error::damaged(
                0,
                format!("block {number}"),
                format_args!("{} blocks", self.directory.blocks.len()),
            ));
        };
        let block = Arc::new(read_block(&self.source, *offset)?);
        let mut cache = self.cache();
        if cache.blocks.insert(number, Arc::clone(&block)).is_none() {
            cache.block_order.push_back(number);
            cache.block_bytes += block.payload.len();
        }
        while cache.block_bytes > BLOCK_CACHE && cache.block_order.len() > 1 {
            let Some(old) = cache.block_order.pop_front().and_then(|old| cache.blocks.remove(&old)) else {
                break;
            };
            cache.block_bytes -= old.payload.len();
        }
        Ok(block)
    }

    pub(crate) fn chunk<'b>(&self, block: &'b Block, pid: u64, slot: u32) -> Result<&'b crate::block::Chunk> {
        match block.chunks.get(slot as usize) {
            Some(chunk) if chunk.pid == pid => Ok(chunk),
            Some(chunk) => Err(Error::damaged(
                block.offset,
                format!("a chunk of {}", Pid(pid)),
                format_args!("one of {}", Pid(chunk.pid)),
            )),
            None => Err(Error::damaged(
                block.offset,
                format!("a chunk with number {slot}"),
                format_args!("{} chunks", block.chunks.len()),
            )),
        }
    }
}

/// The birth of the process whose first chunk this is.
pub(crate) fn birth_in(block: &Block, chunk: &Chunk) -> Result<Birth> {
    chunk.birth.ok_or_else(|| {
        let what = format!("the first chunk of {}", Pid(chunk.pid));
        Error::damaged(block.offset, what, "a later one")
    })
}

/// An error in the bytes of a chunk.
pub(crate) fn bad_chunk(block: &Block, chunk: &crate::block::Chunk, error: &crate::varint::Malformed) -> Error {
    Error::malformed(block.offset + chunk.start as u64, error)
}

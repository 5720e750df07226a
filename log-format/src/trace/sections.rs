//! Reading a section: its header, its checksum, its decompressed contents.
use std::sync::Arc;

use crate::block::Block;
use crate::error::{Error, Result};
use crate::index::Directory;
use crate::section::{FILE_HEADER, SECTION_HEADER, SectionHeader, SectionKind};
use crate::source::TraceBytes;

/// The header of the section at `offset`: its bytes, and parsed.
pub(super) fn section_header(source: &TraceBytes, offset: u64) -> Result<([u8; 12], SectionHeader)> {
    let mut raw = [0; SECTION_HEADER as usize];
    source.read_into(offset, &mut raw)?;
    let header = SectionHeader::parse(&raw, offset).map_err(|error| source.blame(error))?;
    Ok((raw, header))
}

/// The checked payload of the section at `offset`, not decompressed.
fn payload_of(source: &TraceBytes, offset: u64, raw: &[u8; 12], header: &SectionHeader) -> Result<Arc<[u8]>> {
    let payload = source.read(offset + SECTION_HEADER, u64::from(header.length))?;
    let checked = header.check(raw, &payload, offset);
    checked.map_err(|error| source.blame(error))?;
    Ok(payload)
}

/// Reads a section of this kind, checks and decompresses it.
pub(super) fn section_of(source: &TraceBytes, offset: u64, kind: SectionKind) -> Result<Arc<[u8]>> {
    let (raw, header) = section_header(source, offset)?;
    if header.kind != Some(kind) {
        let found = header.kind.map_or("one of another version", SectionKind::name);
        return Err(Error::damaged(
            offset,
            format!("a section of kind {}", kind.name()),
            found,
        ));
    }
    let payload = payload_of(source, offset, &raw, &header)?;
    if kind != SectionKind::Block {
        Room::of(source).take(offset, header.expanded(&payload))?;
    }
    match header.expand(&payload, offset)? {
        std::borrow::Cow::Borrowed(_) => Ok(payload),
        std::borrow::Cow::Owned(expanded) => Ok(expanded.into()),
    }
}

/// How much memory sections other than blocks may still take when decompressed. (Blocks are read one by one, and are small.) It grows with the
/// file, so a few bytes cannot stand for endless ones, neither in one section nor in many that are kept together.
pub(super) struct Room {
    left: u64,
    all: u64,
}

/// This much is always allowed, and this multiple of the file's length.
const ROOM: (u64, u64) = (128 << 20, 64);

impl Room {
    pub(super) fn of(source: &TraceBytes) -> Self {
        let all = ROOM.0.saturating_add(source.len().saturating_mul(ROOM.1));
        Self { left: all, all }
    }

    pub(super) fn take(&mut self, offset: u64, bytes: u64) -> Result<()> {
        match self.left.checked_sub(bytes) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => Err(Error::damaged(
                offset,
                format!(
                    "sections that need at most {} bytes of memory, for a file of this length",
                    self.all
                ),
                "more",
            )),
        }
    }
}

/// If all pages of an index have at most this length in all, they are checked when the trace is opened, and a damaged index is rebuilt. Pages
/// of a longer index are checked when they are used.
const CHECKED: u64 = 8 << 20;

pub(super) fn check_pages(source: &TraceBytes, directory: Directory) -> Result<Directory> {
    if directory.page_bytes <= CHECKED {
        for (_, _, offset) in &directory.pages {
            section_of(source, *offset, SectionKind::Index)?;
        }
    }
    Ok(directory)
}

pub(super) fn read_block(source: &TraceBytes, offset: u64) -> Result<Block> {
    let payload = section_of(source, offset, SectionKind::Block)?;
    let at = offset + SECTION_HEADER;
    Block::parse(payload, at).map_err(|error| Error::malformed(at, &error))
}

/// Reads the directory, which the last section points to.
pub(super) fn read_directory(source: &TraceBytes) -> Result<Directory> {
    let (end, offset, total) = end_section(source)?;
    let length = source.len();
    if total != length {
        return Err(Error::damaged(
            end,
            format!("the last section of a file of {length} bytes"),
            "that of another file",
        ));
    }
    Directory::parse(
        &section_of(source, offset, SectionKind::Directory)?,
        offset + SECTION_HEADER,
    )
}

/// The position of the last section, and its contents: the position of the directory and the length of the file.
pub(super) fn end_section(source: &TraceBytes) -> Result<(u64, u64, u64)> {
    let length = source.len();
    let Some(end) = length
        .checked_sub(SECTION_HEADER + 16)
        .filter(|end| *end >= FILE_HEADER)
    else {
        return Err(Error::damaged(length, "the last section", "the end of the file"));
    };
    let payload = section_of(source, end, SectionKind::End)?;
    let numbers = payload.split_first_chunk::<8>();
    let Some((offset, total)) = numbers.and_then(|(offset, rest)| Some((offset, rest.first_chunk::<8>()?))) else {
        return Err(Error::damaged(end, "a last section of 16 bytes", payload.len()));
    };
    Ok((end, u64::from_le_bytes(*offset), u64::from_le_bytes(*total)))
}

/// The section at `offset`, of any kind: its header and its checked payload, not decompressed.
pub(super) fn section_at(source: &TraceBytes, offset: u64) -> Result<(SectionHeader, Arc<[u8]>)> {
    let (raw, header) = section_header(source, offset)?;
    let payload = payload_of(source, offset, &raw, &header)?;
    Ok((header, payload))
}

//! The frame of the file: its first 32 bytes, and sections with kind, length and checksum (FORMAT.md, "File").

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::OnceLock;

use miniz_oxide::deflate::compress_to_vec_zlib;
use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;

use crate::error::{Error, ErrorKind, Result};
use crate::pack;

/// The first bytes of every trace. The first byte and the line ends reveal a copy made in text mode.
pub(crate) const MAGIC: [u8; 8] = [0x89, b'C', b'C', b'R', b'T', 0x0d, 0x0a, 0x1a];
/// The major version that this crate writes and reads.
pub const MAJOR: u16 = 1;
/// The minor version that this crate writes. What a minor version may add: FORMAT.md, "Versions".
pub const MINOR: u16 = 0;
/// What the tools say of their version: that of all packages, and that of the traces they write.
#[must_use]
pub fn version() -> &'static str {
    static TEXT: OnceLock<String> = OnceLock::new();
    TEXT.get_or_init(|| format!("{} (traces of format {MAJOR}.{MINOR})", env!("CARGO_PKG_VERSION")))
}

/// The length of the file header.
pub(crate) const FILE_HEADER: u64 = 32;
/// The length of a section header.
pub(crate) const SECTION_HEADER: u64 = 12;
/// The maximal length of a section, also when decompressed.
pub(crate) const SECTION_MAX: u64 = 1 << 30;

/// The maximal decompressed length of a compressed block.
pub(crate) const BLOCK_MAX: u64 = 1 << 24;

/// Shorter payloads are not compressed: setting up a compressor costs more than it saves.
const COMPRESSED_FROM: usize = 200;
/// The level of compression.
const LEVEL: u8 = 3;

/// Flag of a section: zlib, after 4 bytes with the length when decompressed.
const COMPRESSED: u8 = 1;
/// Flag of a section: a reader that does not know its kind must refuse the file.
const REQUIRED: u8 = 2;
/// Flag of a block: packed.
const PACKED: u8 = 4;

/// The kinds of sections.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(crate) enum SectionKind {
    /// How the run was started; the first section.
    Header = 1,
    /// Sources and natives of the program.
    Program = 2,
    /// Texts that have been given a number.
    Texts = 3,
    /// Nodes that have been given a number.
    Nodes = 4,
    /// Actions of several processes.
    Block = 5,
    /// A consistent cut ends here.
    Cut = 6,
    /// How the run ended.
    Outcome = 7,
    /// How processes ended.
    Processes = 8,
    /// A page of the index.
    Index = 9,
    /// The positions of everything.
    Directory = 10,
    /// The last section: the position of the directory.
    End = 11,
    /// Reserved for stored states.
    Snapshot = 12,
    /// Digests of received messages and final states. Can be skipped.
    Digests = 13,
    /// The index of the blocks since the last one, for traces that have no other. Can be skipped.
    Checkpoint = 14,
}

impl SectionKind {
    pub const fn of(byte: u8) -> Option<Self> {
        Some(match byte {
            1 => Self::Header,
            2 => Self::Program,
            3 => Self::Texts,
            4 => Self::Nodes,
            5 => Self::Block,
            6 => Self::Cut,
            7 => Self::Outcome,
            8 => Self::Processes,
            9 => Self::Index,
            10 => Self::Directory,
            11 => Self::End,
            12 => Self::Snapshot,
            13 => Self::Digests,
            14 => Self::Checkpoint,
            _ => return None,
        })
    }

    /// Can it not occur after the outcome?
    pub const fn is_of_the_run(self) -> bool {
        match self {
            Self::Header
            | Self::Program
            | Self::Texts
            | Self::Nodes
            | Self::Block
            | Self::Cut
            | Self::Outcome
            | Self::Processes
            | Self::Digests
            | Self::Checkpoint => true,
            Self::Index | Self::Directory | Self::End | Self::Snapshot => false,
        }
    }

    /// Does it say something of the run besides its actions, its cuts and its end?
    pub const fn is_of_the_run_itself(self) -> bool {
        matches!(
            self,
            Self::Header | Self::Program | Self::Texts | Self::Nodes | Self::Digests
        )
    }

    /// Its name in FORMAT.md.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Header => "header",
            Self::Program => "program",
            Self::Texts => "texts",
            Self::Nodes => "nodes",
            Self::Block => "block",
            Self::Cut => "cut",
            Self::Outcome => "outcome",
            Self::Processes => "processes",
            Self::Index => "index",
            Self::Directory => "directory",
            Self::End => "end",
            Self::Snapshot => "stored state",
            Self::Digests => "digests",
            Self::Checkpoint => "checkpoint",
        }
    }
}

/// The fields of a section header.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct SectionHeader {
    /// Its kind; `None` if a later minor version added it.
    pub kind: Option<SectionKind>,
    flags: u8,
    /// Length of what follows the header.
    pub length: u32,
    crc: u32,
}

impl SectionHeader {
    /// Parses the header at `offset` of the file. Fails for unknown kinds that must be known.
    pub fn parse(bytes: &[u8; 12], offset: u64) -> Result<Self> {
        let [kind, flags, z0, z1, l0, l1, l2, l3, c0, c1, c2, c3] = *bytes;
        let header = Self {
            kind: SectionKind::of(kind),
            flags,
            length: u32::from_le_bytes([l0, l1, l2, l3]),
            crc: u32::from_le_bytes([c0, c1, c2, c3]),
        };
        let packed = header.kind == Some(SectionKind::Block) && flags & COMPRESSED == 0;
        let known = COMPRESSED | REQUIRED | if packed { PACKED } else { 0 };
        // Compressing these would save nothing, and a reader that need not decompress them stays small.
        let plain = matches!(
            header.kind,
            Some(
                SectionKind::Cut
                    | SectionKind::Index
                    | SectionKind::Directory
                    | SectionKind::End
                    | SectionKind::Digests
                    | SectionKind::Checkpoint
            )
        );
        let known = if plain { known & !COMPRESSED } else { known };
        if kind == 0 || flags & !known != 0 || z0 != 0 || z1 != 0 {
            return Err(Error::damaged(
                offset,
                "the header of a section",
                format_args!("bytes {:02x?}", &bytes[..4]),
            ));
        }
        if u64::from(header.length) > SECTION_MAX {
            return Err(Error::damaged(offset, "a section of at most 2^30 bytes", header.length));
        }
        if header.kind.is_none() && flags & REQUIRED != 0 {
            let what = format!("sections of kind {kind}");
            return Err(Error::new(offset, ErrorKind::Later { what, minor: None }));
        }
        Ok(header)
    }

    /// Checks the payload against the checksum.
    pub fn check(&self, header: &[u8; 12], payload: &[u8], offset: u64) -> Result<()> {
        let found = checksum(&header[..8], payload);
        if found == self.crc {
            return Ok(());
        }
        Err(Error::damaged(
            offset,
            format!("a section with checksum {:08x}", self.crc),
            format_args!("{found:08x}"),
        ))
    }

    /// The decompressed length, as given in the payload.
    pub fn expanded(&self, payload: &[u8]) -> u64 {
        match payload.first_chunk::<4>() {
            Some(length) if self.flags & COMPRESSED != 0 => u64::from(u32::from_le_bytes(*length)),
            _ => payload.len() as u64,
        }
    }

    /// The decompressed payload, for sections that are read whole.
    pub fn expand<'a>(&self, payload: &'a [u8], offset: u64) -> Result<std::borrow::Cow<'a, [u8]>> {
        let at = offset + SECTION_HEADER;
        if self.flags & PACKED != 0 {
            return match pack::unpack(payload) {
                Ok(bytes) => Ok(bytes.into()),
                Err(error) => Err(Error::malformed(at, &error)),
            };
        }
        if self.flags & COMPRESSED == 0 {
            return Ok(payload.into());
        }
        let Some((length, packed)) = payload.split_first_chunk::<4>() else {
            return Err(Error::damaged(
                at,
                "the length of a compressed section",
                "the end of the section",
            ));
        };
        let length = u32::from_le_bytes(*length) as usize;
        let (most, words) = match self.kind {
            Some(SectionKind::Block) => (BLOCK_MAX, "a length of at most 2^24 bytes"),
            _ => (SECTION_MAX, "a length of at most 2^30 bytes"),
        };
        if length as u64 > most {
            return Err(Error::damaged(at, words, length));
        }
        match decompress_to_vec_zlib_with_limit(packed, length) {
            Ok(bytes) if bytes.len() == length => Ok(bytes.into()),
            Ok(bytes) => Err(Error::damaged(
                at,
                format!("{length} bytes when decompressed"),
                bytes.len(),
            )),
            Err(error) => Err(Error::damaged(
                at,
                format!("zlib data of {length} bytes"),
                format_args!("{:?}", error.status),
            )),
        }
    }
}

fn checksum(header: &[u8], payload: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(header);
    hasher.update(payload);
    hasher.finalize()
}

/// Appends a section. Sections of kinds that existed in x.0 are marked as required.
pub(crate) fn put_section(out: &mut Vec<u8>, kind: SectionKind, payload: &[u8]) -> Result<()> {
    put_framed(out, kind, REQUIRED, payload)
}

/// The length of the payload, and the payload compressed.
fn compressed(payload: &[u8]) -> Vec<u8> {
    let mut packed = (payload.len() as u32).to_le_bytes().to_vec();
    packed.extend(compress_to_vec_zlib(payload, LEVEL));
    packed
}

/// As [`compressed`], for a payload that this thread has perhaps compressed last. A hunt records one program a thousand times; compressing it
/// was more than half of the work.
fn compressed_again(payload: &[u8]) -> Rc<Vec<u8>> {
    thread_local! {
        /// The last payload and its compressed form.
        static LAST: RefCell<(Vec<u8>, Rc<Vec<u8>>)> = RefCell::default();
    }
    LAST.with_borrow_mut(|(last, packed)| {
        if last != payload {
            *packed = Rc::new(compressed(payload));
            last.clear();
            last.extend_from_slice(payload);
        }
        Rc::clone(packed)
    })
}

/// Appends a section, compressed if that makes it shorter.
pub(crate) fn put_compressed(out: &mut Vec<u8>, kind: SectionKind, payload: &[u8]) -> Result<()> {
    if payload.len() < COMPRESSED_FROM {
        return put_section(out, kind, payload);
    }
    let packed = if kind == SectionKind::Program {
        compressed_again(payload)
    } else {
        Rc::new(compressed(payload))
    };
    if packed.len() < payload.len() && payload.len() as u64 <= SECTION_MAX {
        put_framed(out, kind, REQUIRED | COMPRESSED, &packed)
    } else {
        put_section(out, kind, payload)
    }
}

/// Appends a block that has been packed.
pub(crate) fn put_packed(out: &mut Vec<u8>, payload: &[u8]) -> Result<()> {
    put_framed(out, SectionKind::Block, REQUIRED | PACKED, payload)
}

/// Appends a section that a reader may skip.
pub(crate) fn put_optional(out: &mut Vec<u8>, kind: SectionKind, payload: &[u8]) -> Result<()> {
    put_framed(out, kind, 0, payload)
}

fn put_framed(out: &mut Vec<u8>, kind: SectionKind, flags: u8, payload: &[u8]) -> Result<()> {
    let found = payload.len() as u64;
    if found > SECTION_MAX {
        let kind = ErrorKind::TooLarge {
            what: "a section (a value or a source)",
            found,
            limit: SECTION_MAX,
        };
        return Err(Error::new(0, kind));
    }
    let mut header = [kind as u8, flags, 0, 0, 0, 0, 0, 0];
    header[4..].copy_from_slice(&(payload.len() as u32).to_le_bytes());
    out.extend_from_slice(&header);
    out.extend_from_slice(&checksum(&header, payload).to_le_bytes());
    out.extend_from_slice(payload);
    Ok(())
}

/// The contents of the first 32 bytes of a trace.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct FileHeader {
    /// Minor version of the writer.
    pub minor: u16,
    /// Bit 0: a slice, with the receive numbers of the trace that it was taken from. Readers must know the flags in bits 1 to 15.
    pub flags: u32,
    /// When the recording began, in microseconds since 1970; ignored by comparisons and not part of the checksum.
    pub clock: i64,
}

/// Flag of the file header: a slice.
pub(crate) const SLICE: u32 = 1;
/// Flags of the file header that a reader must know; the others it may ignore.
const MUST_KNOW: u32 = 0xffff;
/// The flags of these that this crate knows.
const KNOWN: u32 = SLICE;

/// The position of the clock in the file header.
pub(crate) const CLOCK: std::ops::Range<usize> = 16..24;

impl FileHeader {
    pub fn to_bytes(self) -> [u8; FILE_HEADER as usize] {
        let mut bytes = [0; FILE_HEADER as usize];
        bytes[..8].copy_from_slice(&MAGIC);
        bytes[8..10].copy_from_slice(&MAJOR.to_le_bytes());
        bytes[10..12].copy_from_slice(&self.minor.to_le_bytes());
        bytes[12..16].copy_from_slice(&self.flags.to_le_bytes());
        bytes[CLOCK].copy_from_slice(&self.clock.to_le_bytes());
        let crc = crc32fast::hash(&bytes[..16]);
        bytes[24..28].copy_from_slice(&crc.to_le_bytes());
        bytes
    }

    /// Parses the start of a file (32 bytes, or all there are).
    pub fn parse(bytes: &[u8]) -> Result<Self> {
        let not = |found: &str| {
            Err(Error::new(
                0,
                ErrorKind::NotATrace {
                    found: found.to_owned(),
                },
            ))
        };
        if bytes.is_empty() {
            return not("an empty file");
        }
        let end = bytes.len() as u64;
        let cut_off = Err(Error::new(end, ErrorKind::Empty { end }));
        if bytes.len() < MAGIC.len() || bytes[..8] != MAGIC {
            if MAGIC.starts_with(bytes) {
                return cut_off;
            }
            let text = bytes.iter().all(|&b| b >= 0x20 || matches!(b, b'\t' | b'\n' | b'\r'));
            return not(if text {
                "what looks like text"
            } else {
                "other binary data"
            });
        }
        let Some(bytes) = bytes.first_chunk::<{ FILE_HEADER as usize }>() else {
            return cut_off;
        };
        let u16_at = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
        let u32_at = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        let (major, minor) = (u16_at(8), u16_at(10));
        if major != MAJOR {
            return Err(Error::new(8, ErrorKind::Version { major, minor }));
        }
        let (expected, found) = (u32_at(24), crc32fast::hash(&bytes[..16]));
        if expected != found {
            return Err(Error::damaged(
                0,
                format!("a file header with checksum {expected:08x}"),
                format_args!("{found:08x}"),
            ));
        }
        if bytes[28..] != [0; 4] {
            return Err(Error::damaged(
                28,
                "4 bytes of zero",
                format_args!("{:02x?}", &bytes[28..]),
            ));
        }
        let unknown = u32_at(12) & MUST_KNOW & !KNOWN;
        if unknown != 0 {
            let what = format!("what flag {} of the file stands for", unknown.trailing_zeros());
            return Err(Error::new(
                12,
                ErrorKind::Later {
                    what,
                    minor: Some(minor),
                },
            ));
        }
        let mut clock = [0; 8];
        clock.copy_from_slice(&bytes[CLOCK]);
        Ok(Self {
            minor,
            flags: u32_at(12),
            clock: i64::from_le_bytes(clock),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_payload_that_comes_again_is_compressed_in_the_same_way() {
        let (one, two) = (vec![1; 5000], vec![2; 6000]);
        for payload in [&one, &two, &two, &one, &one] {
            assert_eq!(*compressed_again(payload), compressed(payload));
        }
    }
}

//! What a later version may add and an older reader must do with it (FORMAT.md, "Versions").

#![expect(clippy::unwrap_used, reason = "helpers of tests, outside of test functions")]

use log_format::simulate::{Plan, simulate};
use log_format::{ErrorKind, MAJOR, MINOR, Status, Trace};

/// Kinds of sections (FORMAT.md, "File").
const HEADER: u8 = 1;
const BLOCK: u8 = 5;
const CUT: u8 = 6;
const DIRECTORY: u8 = 10;
const END: u8 = 11;
/// A kind that no version has, and one that is reserved for ever.
const UNKNOWN: [u8; 2] = [99, 200];
const COMPRESSED: u8 = 1;
const REQUIRED: u8 = 2;
const PACKED: u8 = 4;

/// A trace taken apart: file header, and sections with kind, flags and payload.
#[derive(Clone)]
struct Parts {
    start: [u8; 32],
    sections: Vec<(u8, u8, Vec<u8>)>,
    /// Where the sections were.
    offsets: Vec<u64>,
}

impl Parts {
    fn of(bytes: &[u8]) -> Self {
        let (mut sections, mut offsets, mut at) = (Vec::new(), Vec::new(), 32);
        while at < bytes.len() {
            let length = u32::from_le_bytes(bytes[at + 4..at + 8].try_into().unwrap()) as usize;
            offsets.push(at as u64);
            sections.push((bytes[at], bytes[at + 1], bytes[at + 12..at + 12 + length].to_vec()));
            at += 12 + length;
        }
        Self {
            start: bytes[..32].try_into().unwrap(),
            sections,
            offsets,
        }
    }

    /// The same sections with compressed blocks, and an index with their new offsets.
    fn with_compressed_blocks(&self) -> Vec<u8> {
        let mut packed = self.clone();
        let blocks = packed
            .sections
            .iter_mut()
            .filter(|(kind, flags, _)| (*kind, flags & PACKED) == (BLOCK, 0));
        for (kind, flags, payload) in blocks {
            assert_eq!((*kind, *flags & COMPRESSED), (BLOCK, 0));
            *flags |= COMPRESSED;
            let mut bytes = (payload.len() as u32).to_le_bytes().to_vec();
            bytes.extend(miniz_oxide::deflate::compress_to_vec_zlib(payload, 6));
            *payload = bytes;
        }
        let mut moved = std::collections::BTreeMap::new();
        let mut at = 32u64;
        for (old, (_, _, payload)) in self.offsets.iter().zip(&packed.sections) {
            moved.insert(*old, at);
            at += 12 + payload.len() as u64;
        }
        let blocks = packed.sections.iter().filter(|(kind, ..)| *kind == BLOCK);
        let length: u64 = blocks.map(|(_, _, payload)| 12 + payload.len() as u64).sum();
        let place = packed.place(DIRECTORY);
        let directory = &mut packed.sections[place].2;
        directory[8 * 5..][..8].copy_from_slice(&length.to_le_bytes());
        let number = |directory: &[u8], i: usize| u64::from_le_bytes(directory[8 * i..][..8].try_into().unwrap());
        let mut i = 7;
        // Lists of blocks, pages, outcomes and others: the last number of an entry is an offset.
        for width in [1, 3, 2, 1] {
            let count = number(directory, i) as usize;
            for entry in 0..count {
                let last = i + width * (entry + 1);
                let offset = moved[&number(directory, last)];
                directory[8 * last..][..8].copy_from_slice(&offset.to_le_bytes());
            }
            i += 1 + width * count;
        }
        packed.bytes()
    }

    /// With correct checksums, and a last section with the new offset of the directory.
    fn bytes(&self) -> Vec<u8> {
        let mut out = self.start.to_vec();
        let crc = crc32fast::hash(&out[..16]);
        out[24..28].copy_from_slice(&crc.to_le_bytes());
        let mut directory = 0u64;
        for (kind, flags, payload) in &self.sections {
            let mut payload = payload.clone();
            if *kind == DIRECTORY {
                directory = out.len() as u64;
            }
            if *kind == END {
                payload = directory.to_le_bytes().to_vec();
                payload.extend((out.len() as u64 + 28).to_le_bytes());
            }
            let mut head = vec![*kind, *flags, 0, 0];
            head.extend((payload.len() as u32).to_le_bytes());
            let mut hasher = crc32fast::Hasher::new();
            hasher.update(&head);
            hasher.update(&payload);
            out.extend(head);
            out.extend(hasher.finalize().to_le_bytes());
            out.extend(payload);
        }
        out
    }

    fn place(&self, kind: u8) -> usize {
        self.sections.iter().position(|(k, ..)| *k == kind).unwrap()
    }

    /// Without the index, which a change before it would invalidate.
    fn without_index(mut self) -> Self {
        self.sections.retain(|(kind, ..)| !(9..=11).contains(kind));
        self
    }
}

fn sample() -> Parts {
    let plan = Plan {
        seed: 5,
        actions: 2_000,
        processes: 12,
        cut_every: 400,
        messages_only: false,
    };
    Parts::of(&simulate(plan).bytes)
}

#[test]
fn taken_apart_and_put_together_it_is_the_same() {
    let plan = Plan {
        seed: 5,
        actions: 2_000,
        processes: 12,
        cut_every: 400,
        messages_only: false,
    };
    let bytes = simulate(plan).bytes;
    assert_eq!(Parts::of(&bytes).bytes(), bytes);
}

#[test]
fn a_later_minor_version_is_read() {
    let mut later = sample();
    later.start[10..12].copy_from_slice(&(MINOR + 7).to_le_bytes());
    // A flag with a meaning for newer readers only.
    later.start[15] = 0x80;
    let whole = Trace::from_bytes(sample().bytes()).unwrap();
    let trace = Trace::from_bytes(later.bytes()).unwrap();
    assert_eq!(trace.version(), (MAJOR, MINOR + 7));
    assert_eq!(trace.totals(), whole.totals());
    trace.verify_sections().unwrap();
}

#[test]
fn unknown_sections_are_skipped() {
    let whole = Trace::from_bytes(sample().bytes()).unwrap();
    for kind in UNKNOWN {
        let mut later = sample();
        later
            .sections
            .insert(later.place(DIRECTORY), (kind, 0, b"what a later version says".to_vec()));
        let trace = Trace::from_bytes(later.bytes()).unwrap();
        assert_eq!(trace.status(), &Status::Complete);
        assert_eq!(trace.totals(), whole.totals());
        trace.verify_sections().unwrap();
        // In the middle, and without an index.
        let mut later = sample().without_index();
        later.sections.insert(later.place(CUT), (kind, 0, vec![7; 300]));
        later.sections.insert(1, (kind, 1, vec![7; 300]));
        let trace = Trace::from_bytes(later.bytes()).unwrap();
        assert!(
            matches!(trace.status(), Status::IndexRebuilt { .. }),
            "{:?}",
            trace.status()
        );
        assert_eq!(trace.totals(), whole.totals());
        trace.verify_sections().unwrap();
    }
}

#[test]
fn unknown_sections_that_are_required_are_refused() {
    let mut later = sample().without_index();
    let place = later.place(CUT);
    later.sections.insert(place, (UNKNOWN[0], REQUIRED, vec![7; 300]));
    let error = Trace::from_bytes(later.bytes()).unwrap_err();
    assert!(matches!(error.kind, ErrorKind::Later { .. }), "{error}");
    for words in [
        "sections of kind 99".to_owned(),
        format!("version {MAJOR}.{MINOR}"),
        "use the release that wrote the trace".to_owned(),
    ] {
        assert!(error.to_string().contains(&words), "{words}: {error}");
    }
}

#[test]
fn unknown_flags_that_must_be_known_are_refused() {
    for bit in 1..16u32 {
        let mut later = sample();
        later.start[10..12].copy_from_slice(&(MINOR + 3).to_le_bytes());
        later.start[12..16].copy_from_slice(&(1u32 << bit).to_le_bytes());
        let error = Trace::from_bytes(later.bytes()).unwrap_err();
        assert!(matches!(error.kind, ErrorKind::Later { .. }), "{error}");
        for words in [
            format!("flag {bit} of the file"),
            format!("version {MAJOR}.{MINOR}"),
            format!("version {MAJOR}.{}", MINOR + 3),
            "use the release that wrote the trace".to_owned(),
        ] {
            assert!(error.to_string().contains(&words), "{words}: {error}");
        }
    }
}

#[test]
fn another_major_version_is_refused() {
    for major in [0u16, 1, 2, 77] {
        if major == MAJOR {
            continue;
        }
        let mut other = sample();
        other.start[8..10].copy_from_slice(&major.to_le_bytes());
        let error = Trace::from_bytes(other.bytes()).unwrap_err();
        assert!(matches!(error.kind, ErrorKind::Version { .. }), "{error}");
        for words in [
            format!("version {major}.{MINOR}"),
            format!("version {MAJOR}.x"),
            "use the release that wrote the trace".to_owned(),
        ] {
            assert!(error.to_string().contains(&words), "{words}: {error}");
        }
    }
}

#[test]
fn fields_behind_the_known_ones_are_skipped() {
    let whole = Trace::from_bytes(sample().bytes()).unwrap();
    let mut later = sample().without_index();
    for kind in [HEADER, 7] {
        let place = later.place(kind);
        assert_eq!(later.sections[place].1 & 1, 0, "not compressed");
        later.sections[place].2.extend([3, b'n', b'e', b'w']);
    }
    let trace = Trace::from_bytes(later.bytes()).unwrap();
    assert_eq!(trace.header(), whole.header());
    assert_eq!(trace.run_end().unwrap(), whole.run_end().unwrap());
    // Lists do not grow.
    let place = later.place(3);
    assert_eq!(later.sections[place].1 & 1, 0, "not compressed");
    later.sections[place].2.push(0);
    assert!(Trace::from_bytes(later.bytes()).unwrap().texts().is_err());
}

#[test]
fn compressed_blocks_are_read() {
    // Blocks of short cuts are not packed.
    let plan = Plan {
        seed: 5,
        actions: 2_000,
        processes: 12,
        cut_every: 30,
        messages_only: true,
    };
    let sample = || Parts::of(&simulate(plan).bytes);
    let plain = |parts: &Parts| {
        parts
            .sections
            .iter()
            .filter(|(kind, flags, _)| (*kind, flags & PACKED) == (BLOCK, 0))
            .count()
    };
    assert!(plain(&sample()) > 1);
    let whole = Trace::from_bytes(sample().bytes()).unwrap();
    let bytes = sample().with_compressed_blocks();
    let same = |trace: &Trace| {
        assert_eq!(trace.totals(), whole.totals());
        trace.verify_sections().unwrap();
        for process in whole.processes() {
            let pid = process.unwrap().pid;
            let log = |trace: &Trace| -> Vec<_> { trace.log(pid).unwrap().map(|action| action.unwrap().1).collect() };
            assert_eq!(log(trace), log(&whole));
        }
    };
    let trace = Trace::from_bytes(bytes.clone()).unwrap();
    assert_eq!(trace.status(), &Status::Complete);
    same(&trace);
    let trace = Trace::from_bytes(&bytes[..bytes.len() - 1]).unwrap();
    assert!(matches!(trace.status(), Status::IndexRebuilt { .. }));
    same(&trace);
    // A block that would become too long is not made.
    let mut bomb = sample().without_index();
    let place = bomb.place(BLOCK);
    let mut payload = (1u32 << 25).to_le_bytes().to_vec();
    payload.extend(miniz_oxide::deflate::compress_to_vec_zlib(&vec![0; 1 << 25], 6));
    bomb.sections[place] = (BLOCK, REQUIRED | COMPRESSED, payload);
    let trace = Trace::from_bytes(bomb.bytes()).unwrap();
    assert!(matches!(trace.status(), Status::Incomplete { why: Some(why), .. } if why.contains("2^24")));
}

/// A block is packed if it is long enough.
#[test]
fn long_blocks_are_packed() {
    let plan = Plan {
        seed: 5,
        actions: 20_000,
        processes: 12,
        cut_every: 10_000,
        messages_only: true,
    };
    let parts = Parts::of(&simulate(plan).bytes);
    let packed = |(kind, flags, _): &&(u8, u8, Vec<u8>)| (*kind, flags & PACKED) == (BLOCK, PACKED);
    assert!(parts.sections.iter().filter(packed).count() > 0);
    let trace = Trace::from_bytes(parts.bytes()).unwrap();
    trace.verify_sections().unwrap();
    // Neither a packed and compressed block, nor another packed section.
    for (kind, more) in [(BLOCK, PACKED | COMPRESSED), (CUT, PACKED)] {
        let mut wrong = parts.clone().without_index();
        let place = wrong.place(kind);
        wrong.sections[place].1 = REQUIRED | more;
        let trace = Trace::from_bytes(wrong.bytes()).unwrap();
        assert!(
            matches!(trace.status(), Status::Incomplete { why: Some(why), .. } if why.contains("header of a section")),
            "{:?}",
            trace.status()
        );
    }
}

const PROGRAM: u8 = 2;
const TEXTS: u8 = 3;
const OUTCOME: u8 = 7;
const PROCESSES: u8 = 8;
const INDEX: u8 = 9;
const DIGESTS: u8 = 13;

fn compressed(payload: &[u8]) -> Vec<u8> {
    let mut bytes = (payload.len() as u32).to_le_bytes().to_vec();
    bytes.extend(miniz_oxide::deflate::compress_to_vec_zlib(payload, 1));
    bytes
}

/// A length as in records, where it needs four bytes.
fn long(length: u32) -> Vec<u8> {
    let mut bytes = vec![252];
    bytes.extend(length.to_le_bytes());
    bytes
}

/// The memory for reading a file is bounded by its length: neither many small values in one section nor many large sections exceed that.
#[test]
fn few_bytes_cannot_stand_for_endless_memory() {
    let refused = |error: log_format::Error| {
        assert!(error.is_bad_trace(), "{error}");
        assert!(error.to_string().contains("memory"), "{error}");
    };
    // One byte of the section each, and 24 in memory.
    let mut texts = long(1 << 25);
    texts.resize(texts.len() + (1 << 25), 0);
    let mut bomb = sample().without_index();
    bomb.sections
        .insert(1, (TEXTS, REQUIRED | COMPRESSED, compressed(&texts)));
    let bytes = bomb.bytes();
    assert!(bytes.len() < 1 << 18);
    let trace = Trace::from_bytes(bytes).unwrap();
    refused(trace.texts().unwrap_err());
    refused(trace.verify_sections().unwrap_err());
    // Each of these is allowed alone, but not all together.
    let mut source = vec![1, 0, 0, 0];
    source.extend(long(60 << 20));
    source.resize(source.len() + (60 << 20) + 3, 0);
    let source = compressed(&source);
    for count in [1, 6] {
        let mut bomb = sample().without_index();
        for _ in 0..count {
            bomb.sections
                .insert(1, (PROGRAM, REQUIRED | COMPRESSED, source.clone()));
        }
        let trace = Trace::from_bytes(bomb.bytes()).unwrap();
        match trace.program() {
            Ok(program) => assert_eq!((count, program.sources[0].bytes.len()), (1, 60 << 20)),
            Err(error) => {
                assert_eq!(count, 6);
                refused(error);
            }
        }
    }
    // Digests have their minimum size.
    let mut bomb = sample().without_index();
    bomb.sections
        .insert(1, (DIGESTS, COMPRESSED, compressed(&vec![0; 1 << 20])));
    let trace = Trace::from_bytes(bomb.bytes()).unwrap();
    assert!(
        matches!(trace.status(), Status::Incomplete { why: Some(why), damaged: true, .. } if why.contains("header of a section")),
        "{:?}",
        trace.status()
    );
}

/// A killed recorder leaves an incomplete section; a complete one that is wrong is damage.
#[test]
fn damage_is_told_from_a_cut() {
    let mut parts = sample().without_index();
    parts.sections.retain(|(kind, ..)| ![OUTCOME, PROCESSES].contains(kind));
    let whole = parts.bytes();
    let state = |bytes: Vec<u8>| {
        let trace = Trace::from_bytes(bytes).unwrap();
        let Status::Incomplete { lost, damaged, .. } = *trace.status() else {
            panic!("{:?}", trace.status());
        };
        assert_eq!(trace.verify_sections().is_err(), damaged);
        (lost > 0, damaged)
    };
    assert_eq!(state(whole.clone()), (false, false));
    for less in [1, 5, 20, 100] {
        assert_eq!(state(whole[..whole.len() - less].to_vec()), (true, false), "{less}");
    }
    let middle = Parts::of(&whole);
    let block = middle.sections.iter().rposition(|(kind, ..)| *kind == BLOCK).unwrap();
    let mut flipped = whole;
    flipped[middle.offsets[block] as usize + 15] ^= 4;
    assert_eq!(state(flipped), (true, true));
}

/// A page of the index can be rebuilt, like the whole index.
#[test]
fn a_damaged_page_is_made_again() {
    let whole = sample();
    let mut bytes = whole.bytes();
    bytes[whole.offsets[whole.place(INDEX)] as usize + 13] ^= 1;
    let trace = Trace::from_bytes(bytes).unwrap();
    assert!(
        matches!(trace.status(), Status::IndexRebuilt { .. }),
        "{:?}",
        trace.status()
    );
    let whole = Trace::from_bytes(whole.bytes()).unwrap();
    assert_eq!(trace.totals(), whole.totals());
    for process in whole.processes() {
        let process = process.unwrap();
        assert_eq!(trace.process(process.pid).unwrap(), process);
    }
    // A missing page is not damage.
    let trace = Trace::from_bytes(sample().without_index().bytes()).unwrap();
    assert!(
        matches!(trace.status(), Status::IndexRebuilt { end, why, damaged: false } if *end == trace.bytes() && why == "it has none"),
        "{:?}",
        trace.status()
    );
}

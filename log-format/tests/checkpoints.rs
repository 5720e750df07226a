//! Checkpoints of the index: a trace whose recorder was killed is read from the last one on, with the same answers.

use log_format::simulate::{Plan, simulate};
use log_format::{Pid, RecNo, Status, Trace};

const FILE_HEADER: usize = 32;
const SECTION_HEADER: usize = 12;
const CHECKPOINT: u8 = 14;
const BLOCK: u8 = 5;

/// A run with many cuts.
fn sample(seed: u64) -> Vec<u8> {
    let plan = Plan {
        seed,
        actions: 120_000,
        processes: 300,
        cut_every: 3_000,
        messages_only: false,
    };
    simulate(plan).bytes
}

/// The whole sections of a file: where each begins, its kind, and where it ends.
fn sections(bytes: &[u8]) -> Vec<(usize, u8, usize)> {
    let (mut at, mut found) = (FILE_HEADER, Vec::new());
    while let Some(header) = bytes.get(at..at + SECTION_HEADER) {
        let length = u32::from_le_bytes([header[4], header[5], header[6], header[7]]) as usize;
        let end = at + SECTION_HEADER + length;
        found.push((at, header[0], end.min(bytes.len())));
        at = end;
    }
    found
}

/// The file without its checkpoints.
fn without_checkpoints(bytes: &[u8]) -> Vec<u8> {
    let mut out = bytes[..FILE_HEADER].to_vec();
    for (start, kind, end) in sections(bytes) {
        if kind != CHECKPOINT {
            out.extend_from_slice(&bytes[start..end]);
        }
    }
    out
}

/// What a reader is told: totals, processes, and some receives.
fn told(trace: &Trace) -> String {
    let processes: Vec<_> = trace.processes().collect::<Result<_, _>>().expect("processes");
    let receives = trace.totals().counts.receives;
    let some = (1..=receives).step_by(1 + receives as usize / 50);
    let some: Vec<_> = some.map(|n| trace.rec(RecNo(n)).expect("a receive")).collect();
    let end_of = |process: &log_format::ProcessFacts| {
        let mut log = trace.log(process.pid).expect("a log");
        let counts = log.seek(process.counts.last_action()).expect("its last action");
        format!("{counts:?} {:?}", log.next())
    };
    let ends: Vec<_> = processes.iter().step_by(40).map(end_of).collect();
    format!("{:?}\n{processes:?}\n{some:?}\n{ends:?}", trace.totals())
}

#[test]
fn a_killed_trace_says_the_same_with_checkpoints_and_without() {
    for seed in [1, 2] {
        let whole = sample(seed);
        let all = sections(&whole);
        let checkpoints = all.iter().filter(|(_, kind, _)| *kind == CHECKPOINT).count();
        assert!(checkpoints > 3, "{checkpoints} checkpoints in {} bytes", whole.len());
        let size: usize = all
            .iter()
            .filter(|(_, kind, _)| *kind == CHECKPOINT)
            .map(|(start, _, end)| end - start)
            .sum();
        assert!(size < whole.len() / 8, "{size} bytes of checkpoints in {}", whole.len());
        // Also in the middle of sections.
        let lengths = (1..40).map(|i| whole.len() * i / 40);
        for length in lengths.chain(
            all.iter()
                .filter(|(_, kind, _)| *kind == CHECKPOINT)
                .map(|(_, _, end)| *end),
        ) {
            let killed = &whole[..length];
            let (with, without) = (
                Trace::from_bytes(killed),
                Trace::from_bytes(without_checkpoints(killed)),
            );
            let (Ok(with), Ok(without)) = (with, without) else {
                panic!("cut at {length}");
            };
            assert!(!matches!(with.status(), Status::Complete));
            assert_eq!(told(&with), told(&without), "seed {seed}, cut at {length}");
            with.verify_sections().expect("a trace without damage");
        }
    }
}

#[test]
fn what_a_checkpoint_covers_is_not_read_again() {
    let whole = sample(3);
    let all = sections(&whole);
    let last = all
        .iter()
        .rposition(|(_, kind, _)| *kind == CHECKPOINT)
        .expect("a checkpoint");
    let killed = &whole[..all[last].2];
    let expected = Trace::from_bytes(killed).expect("a trace").totals();
    // Damage before it is noticed by who reads it, as in a finished trace.
    let (start, ..) = *all.iter().find(|(_, kind, _)| *kind == BLOCK).expect("a block");
    let mut damaged = killed.to_vec();
    damaged[start + SECTION_HEADER + 40] ^= 1;
    let trace = Trace::from_bytes(damaged).expect("a trace");
    assert_eq!(trace.totals(), expected);
    assert!(trace.verify_sections().is_err(), "a damaged block");
    assert!(trace.log(Pid(1)).is_err() || trace.processes().any(|process| process.is_err()));
}

/// Checkpoints that lie, with the right checksum.
#[test]
fn false_checkpoints_are_errors_or_harmless() {
    let whole = sample(4);
    let all = sections(&whole);
    for (start, _, end) in all.iter().filter(|(_, kind, _)| *kind == CHECKPOINT).take(2) {
        for at in (start + SECTION_HEADER..*end).step_by(301) {
            for value in [0, 0x7f, 0xff] {
                let mut damaged = whole[..whole.len() - 9].to_vec();
                damaged[at] = value;
                let mut sum = crc32fast::Hasher::new();
                sum.update(&damaged[*start..start + 8]);
                sum.update(&damaged[start + SECTION_HEADER..*end]);
                damaged[start + 8..start + SECTION_HEADER].copy_from_slice(&sum.finalize().to_le_bytes());
                if let Ok(trace) = Trace::from_bytes(damaged) {
                    let wrong = trace.processes().any(|process| process.is_err());
                    let found = trace.verify_sections();
                    assert!(!wrong || found.is_err(), "byte {at} is {value}");
                }
            }
        }
    }
}

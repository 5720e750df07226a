//! Reading any bytes gives an answer or an error: no panic and no endless loop.

#![expect(clippy::unwrap_used, reason = "helpers of tests, outside of test functions")]

use log_format::mutate;
use log_format::simulate::{Plan, Random, simulate};
use log_format::{ActionNo, ErrorKind, MINOR, Pid, RecNo, SendNo, Tag, Trace};

use crate::on_one_thread;

/// Reads everything in a trace. Errors are fine; panics and endless loops are not.
fn ask_all(bytes: &[u8]) -> Result<(), log_format::Error> {
    let trace = Trace::from_bytes(bytes)?;
    let _ = (
        trace.program(),
        trace.outcomes(),
        trace.run_end(),
        trace.nodes(),
        trace.sizes(),
    );
    let _ = (
        trace.digests(),
        trace.has_digests(),
        trace.texts().map(<[String]>::len),
        trace.last_pid(),
    );
    let mut pids = vec![Pid(0), Pid(83), Pid(u64::MAX)];
    let mut failed = None;
    for process in trace.processes().take(200) {
        match process {
            Ok(process) => pids.push(process.pid),
            Err(error) => failed = Some(error),
        }
    }
    for pid in pids {
        let mut budget = 200_000u64;
        if let Ok(mut log) = trace.log(pid) {
            while let Ok(Some(_)) = log.step(u64::MAX) {
                budget -= 1;
                if budget == 0 {
                    break;
                }
            }
        }
        let _ = (
            trace.outcome(pid),
            trace.action(pid, ActionNo(9)),
            trace.rec_no(pid, ActionNo(9)),
        );
        let _ = (
            trace.find_send(Tag::Sent { by: pid, k: SendNo(3) }),
            trace.find_send(Tag::EndTo { by: pid, to: pid }),
        );
    }
    let _ = (trace.rec(RecNo(1)), trace.rec(RecNo(40)), trace.rec(RecNo(u64::MAX)));
    let verified = trace.verify_sections();
    if verified.is_ok() && failed.is_none() {
        verified_is_right(&trace);
    }
    failed.map_or(verified, Err)
}

/// Readers find what was verified: the totals are right, and nothing follows an end.
fn verified_is_right(trace: &Trace) {
    let (mut processes, mut found) = (0, log_format::Counts::default());
    for process in trace.processes() {
        let process = process.unwrap();
        let mut log = trace.log(process.pid).unwrap();
        let mut ended = false;
        while let Some(step) = log.step(u64::MAX).unwrap() {
            assert!(!ended, "an action of {} after its end", process.pid);
            ended = matches!(step, log_format::LogStep::Action(action) if action.is_end());
        }
        assert_eq!(ended, process.ended, "the end of {}", process.pid);
        processes += 1;
        found.actions += log.counts().actions;
        found.sends += log.counts().sends;
        found.receives += log.counts().receives;
    }
    let totals = trace.totals();
    assert_eq!((totals.processes, totals.counts), (processes, found));
}

fn sample(seed: u64, actions: u64) -> Vec<u8> {
    simulate(Plan {
        seed,
        actions,
        processes: 8,
        cut_every: 60,
        messages_only: false,
    })
    .bytes
}

#[test]
fn cut_at_every_byte() {
    let bytes = sample(1, 300);
    assert!(ask_all(&bytes).is_ok());
    let mut opened = 0;
    for length in 0..bytes.len() {
        match Trace::from_bytes(&bytes[..length]) {
            Ok(trace) => {
                assert!(
                    !matches!(trace.status(), log_format::Status::Complete),
                    "cut at {length}"
                );
                opened += 1;
                assert!(
                    ask_all(&bytes[..length]).is_ok(),
                    "what is whole reads well: cut at {length}"
                );
            }
            Err(error) => assert!(error.is_bad_trace(), "{error}"),
        }
    }
    assert!(opened > bytes.len() / 2);
}

#[test]
fn every_byte_flipped_is_noticed_or_harmless() {
    let bytes = sample(2, 200);
    let whole = Trace::from_bytes(bytes.clone()).unwrap();
    for at in 0..bytes.len() {
        for bit in [0x01, 0x80] {
            let mut flipped = bytes.clone();
            flipped[at] ^= bit;
            // The clock is the only value without a checksum.
            if (16..24).contains(&at) {
                assert!(
                    whole
                        .equal_ignoring_clock(&Trace::from_bytes(flipped).unwrap())
                        .unwrap()
                );
                continue;
            }
            let noticed = match Trace::from_bytes(flipped.clone()) {
                Err(_) => true,
                Ok(trace) => {
                    trace.verify_sections().is_err() || !matches!(trace.status(), log_format::Status::Complete)
                }
            };
            assert!(noticed, "flip at {at}");
            let _ = ask_all(&flipped);
        }
    }
}

/// Corrects the checksum of every section, so that the data behind it is reached.
fn repair(bytes: &mut [u8]) {
    let mut at = 32;
    while at + 12 <= bytes.len() {
        let length = bytes[at + 4..at + 8]
            .iter()
            .rev()
            .fold(0, |length, &b| length << 8 | usize::from(b));
        let Some(end) = (at + 12).checked_add(length).filter(|end| *end <= bytes.len()) else {
            return;
        };
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(&bytes[at..at + 8]);
        hasher.update(&bytes[at + 12..end]);
        let crc = hasher.finalize();
        bytes[at + 8..at + 12].copy_from_slice(&crc.to_le_bytes());
        at = end;
    }
}

/// Small traces that together have every feature: `tests/corpus/`. `WRITE_CORPUS=1` makes them again after a change of the format, except
/// `digests.trace`, a recorded one, which is copied from `fixtures/traces/`.
fn corpus() -> Vec<Vec<u8>> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    if std::env::var_os("WRITE_CORPUS").is_some() {
        std::fs::create_dir_all(&folder).unwrap();
        for (name, plan) in [
            ("everything", (11, 400, 8, 60, false)),
            ("messages", (12, 2_000, 20, 300, true)),
            ("many-cuts", (13, 150, 3, 5, false)),
            ("many-processes", (14, 1_500, 400, 500, true)),
            ("empty", (15, 0, 1, 10, false)),
            ("packed", (16, 6_000, 10, 3_000, true)),
            ("keys", (17, 3_000, 6, 1_500, false)),
        ] {
            let (seed, actions, processes, cut_every, messages_only) = plan;
            let plan = Plan {
                seed,
                actions,
                processes,
                cut_every,
                messages_only,
            };
            std::fs::write(folder.join(name).with_extension("trace"), simulate(plan).bytes).unwrap();
        }
    }
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    paths.sort();
    let all: Vec<Vec<u8>> = paths.iter().map(|path| std::fs::read(path).unwrap()).collect();
    assert!(all.len() >= 5);
    all
}

/// The corpus is read without errors: it has the current version.
#[test]
fn the_corpus_is_good() {
    for bytes in corpus() {
        ask_all(&bytes).unwrap();
    }
}

/// The numbers of the run's first seed.
fn random(purpose: u64) -> Random {
    Random(seeds::seeds(1, 1).start * 256 + purpose)
}

fn rounds() -> u64 {
    seeds::many(2_000, 200_000)
}

#[test]
fn flips_behind_right_checksums() {
    let mut random = random(99);
    let rounds = rounds();
    let (mut refused, mut opened) = (0, 0);
    let mut slowest = (std::time::Duration::ZERO, 0);
    let started = std::time::Instant::now();
    let corpus = corpus();
    for round in 0..rounds {
        let mut bytes = match round % 3 {
            0 => corpus[(round / 3) as usize % corpus.len()].clone(),
            _ => sample(round % 7, 100 + 40 * (round % 5)),
        };
        for _ in 0..=random.below(4) {
            let at = 32 + random.below(bytes.len() as u64 - 32) as usize;
            // Lengths of sections stay; otherwise little would be reached.
            bytes[at] = match random.below(4) {
                0 => 0xff,
                1 => random.next() as u8,
                2 => bytes[at] ^ 1 << random.below(8),
                _ => bytes[at].wrapping_add(1),
            };
        }
        repair(&mut bytes);
        let start = std::time::Instant::now();
        refused += u64::from(ask_all(&bytes).is_err());
        slowest = slowest.max((start.elapsed(), bytes.len()));
        opened += u64::from(Trace::from_bytes(bytes).is_ok());
    }
    println!(
        "{rounds} executions in {:.1} s: {opened} opened, {refused} refused at some question; the slowest took {:?} for {} bytes",
        started.elapsed().as_secs_f64(),
        slowest.0,
        slowest.1
    );
    assert!(refused > rounds / 10, "{refused} of {rounds} were refused");
}

/// Sections that are valid one by one, but in an order that no recorder writes.
#[test]
fn sections_that_no_recorder_makes() {
    let mut random = random(7);
    let rounds = rounds();
    let mut refused = 0;
    let corpus = corpus();
    for round in 0..rounds {
        let mut bytes = match round % 3 {
            0 => corpus[(round / 3) as usize % corpus.len()].clone(),
            _ => sample(round % 7, 100 + 40 * (round % 5)),
        };
        for _ in 0..=random.below(2) {
            bytes = mutate::mutated(&bytes, &mut random);
        }
        refused += u64::from(ask_all(&bytes).is_err());
    }
    println!("{rounds} executions: {refused} refused at some question");
    assert!(refused > rounds / 4, "{refused} of {rounds} were refused");
}

/// Wrong totals and repeated chunks are damage with a place.
#[test]
fn totals_and_chunks_that_are_not_there() {
    let bytes = sample(5, 400);
    for place in 0..7 {
        let false_total = mutate::with_total(&bytes, place, |old| old + (1 << 33));
        let trace = Trace::from_bytes(false_total).unwrap();
        let error = trace.verify_sections().unwrap_err();
        assert!(error.is_bad_trace() && error.offset > 32, "{error}");
        assert!(error.to_string().contains("the totals of what there is"), "{error}");
    }
    // Data after an outcome belongs to nothing.
    let twice = Trace::from_bytes(mutate::twice(&bytes)).unwrap();
    let whole = Trace::from_bytes(bytes.clone()).unwrap();
    assert_eq!(twice.totals(), whole.totals());
    assert!(matches!(twice.status(), log_format::Status::IndexRebuilt { .. }));
    let again = Trace::from_bytes(mutate::cuts_twice(&bytes)).unwrap();
    let error = again.verify_sections().unwrap_err();
    assert!(error.is_bad_trace() && error.offset > 32, "{error}");
    let first = again.processes().next().unwrap().unwrap().pid;
    let mut log = again.log(first).unwrap();
    let error = log.find_map(Result::err).unwrap();
    assert!(error.is_bad_trace() && error.offset > 32, "{error}");
}

/// Twice the bytes take about twice the time, however they are arranged: many small sections, cuts, chunks of one process, processes, restarts.
#[test]
fn no_more_than_linear_time() {
    let time = |actions, processes, cut_every| {
        let bytes = simulate(Plan {
            seed: 21,
            actions,
            processes,
            cut_every,
            messages_only: true,
        })
        .bytes;
        // With the index, and without it.
        let cut = bytes[..bytes.len() - 1].to_vec();
        let mut least = std::time::Duration::MAX;
        for _ in 0..5 {
            let work = on_one_thread(|| {
                for bytes in [&bytes, &cut] {
                    Trace::from_bytes(bytes.clone()).unwrap().verify_sections().unwrap();
                }
            });
            least = least.min(work);
        }
        (least.as_secs_f64(), bytes.len() as f64)
    };
    for (processes, cut_every) in [(3, 4), (3, 100_000), (300, 20)] {
        let (one, length) = time(6_000, processes, cut_every);
        let (many, longer) = time(96_000, processes, cut_every);
        let ratio = (many / one) / (longer / length);
        println!(
            "{processes} processes, a cut every {cut_every} actions: {ratio:.2} times the time a byte at 16 times the length"
        );
        // Quadratic time would give 16; a busy machine disturbs the caches of both.
        assert!(ratio < 8.0, "{ratio}");
    }
}

#[test]
fn noise_behind_a_good_start() {
    let mut random = Random(4);
    let good = sample(3, 50);
    for _ in 0..2_000 {
        let mut bytes = good[..32 + random.below(good.len() as u64 - 32) as usize].to_vec();
        for _ in 0..random.below(300) {
            bytes.push(random.next() as u8);
        }
        let _ = ask_all(&bytes);
        let noise: Vec<u8> = (0..random.below(64)).map(|_| random.next() as u8).collect();
        assert!(matches!(
            Trace::from_bytes(noise).unwrap_err().kind,
            ErrorKind::NotATrace { .. }
        ));
    }
}

#[test]
fn other_files_are_named() {
    let found = |bytes: &[u8]| Trace::from_bytes(bytes).unwrap_err().to_string();
    assert_eq!(
        found(b""),
        "not a trace: expected a file made by `tracer run -o`, found an empty file"
    );
    assert_eq!(
        found(b"-module(m).\n"),
        "not a trace: expected a file made by `tracer run -o`, found what looks like text"
    );
    assert!(found(&[0x7f, b'E', b'L', b'F', 2, 1, 1, 0, 0]).contains("other binary data"));
    let mut later = sample(1, 10);
    later[8] = 2;
    let said = format!("version 2.{MINOR} of the trace format is not supported: this program reads version 1.x");
    assert!(found(&later).contains(&said));
    let dir = Trace::open(std::path::Path::new("/")).unwrap_err();
    assert!(matches!(dir.kind, ErrorKind::Io(_)), "{dir}");
}

#[test]
fn a_file_cut_under_the_reader_is_an_error() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let path = file.path();
    let run = simulate(Plan {
        seed: 1,
        actions: 200_000,
        processes: 30,
        cut_every: 5_000,
        messages_only: true,
    });
    let (pid, _) = run.actions.iter().max_by_key(|(_, actions)| actions.len()).unwrap();
    std::fs::write(path, &run.bytes).unwrap();
    let trace = Trace::open(path).unwrap();
    std::fs::OpenOptions::new()
        .write(true)
        .open(path)
        .unwrap()
        .set_len(5_000)
        .unwrap();
    let error = trace
        .log(*pid)
        .and_then(|mut log| log.try_for_each(|action| action.map(|_| ())))
        .unwrap_err();
    assert!(matches!(error.kind, ErrorKind::Shrunk { .. }), "{error}");
}

/// A reference to a key that was not defined is an error with its place in the file.
#[test]
fn a_key_that_was_not_named_is_damage() {
    use log_format::{Access, Action, Header, Kind, Node, ObjectId, ProcLog, Program, Resource, RunEnd, RunOutcome};
    use log_format::{Memory, TraceWriter, Version};
    let memory = Memory::default();
    let writer = TraceWriter::new(Box::new(memory.clone()), &Header::default(), &Program::default(), 7).unwrap();
    let mut log = ProcLog::entry(Pid(1), Node(0));
    let table = ObjectId { creator: Pid(1), k: 1 };
    let resource = Resource::TableKey { table, key: 77 };
    for _ in 0..2 {
        log.action(&Action::new(Kind::Access).with_accesses(vec![Access::read(resource, Version(0), None)]));
    }
    let outcome = RunOutcome {
        run: RunEnd::Deadlock,
        processes: Vec::new(),
    };
    writer.finish([&mut log], &outcome).unwrap();
    let mut bytes = memory.bytes();
    let known = [0xf8, 0x80, 0];
    let at = bytes.windows(3).position(|bytes| bytes == known).unwrap();
    bytes[at + 2] = 9;
    repair(&mut bytes);
    let trace = Trace::from_bytes(bytes.clone()).unwrap();
    let mut log = trace.log(Pid(1)).unwrap();
    assert!(matches!(log.next(), Some(Ok(_))));
    let error = log.next().unwrap().unwrap_err();
    assert!(error.is_bad_trace());
    assert_eq!(error.offset, at as u64 + 1);
    assert!(error.to_string().contains("the place of a known key"), "{error}");
    assert!(ask_all(&bytes).is_err());
}

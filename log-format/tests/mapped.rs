//! Files that change while they are read: a finished trace is mapped, and no change of the file may crash the program.

#![expect(clippy::unwrap_used, reason = "helpers of tests, outside of test functions")]

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use log_format::simulate::{Plan, simulate};
use log_format::{ErrorKind, Result, Status, Trace};

/// A trace of some hundred KB: more than the pages that one fault loads.
fn bytes(seed: u64) -> Vec<u8> {
    let plan = Plan {
        seed,
        actions: 120_000,
        processes: 60,
        cut_every: 3_000,
        messages_only: false,
    };
    simulate(plan).bytes
}

/// The bytes as a file in a temporary folder.
fn file(bytes: &[u8]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.trace");
    std::fs::write(&path, bytes).unwrap();
    (folder, path)
}

fn cut(path: &PathBuf, length: u64) {
    OpenOptions::new()
        .write(true)
        .open(path)
        .unwrap()
        .set_len(length)
        .unwrap();
}

/// Reads everything, up to the first error.
fn ask_all(trace: &Trace) -> Result<u64> {
    let mut actions = 0;
    for process in trace.processes() {
        let pid = process?.pid;
        for action in trace.log(pid)? {
            action?;
            actions += 1;
        }
    }
    trace.program()?;
    trace.outcomes()?;
    trace.texts()?;
    trace.verify_sections()?;
    Ok(actions)
}

/// The error says that the file became shorter, and nothing else.
#[track_caller]
fn became_shorter(error: &log_format::Error, opened: usize) {
    assert!(
        matches!(error.kind, ErrorKind::Shrunk { opened: said } if said == opened as u64),
        "{error}"
    );
    assert!(error.is_bad_trace());
}

#[test]
fn a_file_cut_under_an_open_reader_is_an_error() {
    let bytes = bytes(1);
    let length = bytes.len();
    assert!(length > 300_000, "{length}");
    let page = 4096;
    for left in [
        0,
        1,
        100,
        page - 1,
        page,
        page + 1,
        length / 3,
        length / 2,
        length - page,
        length - 300,
        length - 9,
    ] {
        let (_folder, path) = file(&bytes);
        let trace = Trace::open(&path).unwrap();
        assert_eq!(trace.status(), &Status::Complete);
        // Half of the log of one process was read before; the rest is read now.
        let longest = trace
            .processes()
            .map(Result::unwrap)
            .max_by_key(|process| process.counts.actions);
        let mut log = trace.log(longest.unwrap().pid).unwrap();
        for _ in 0..10 {
            log.next().unwrap().unwrap();
        }
        cut(&path, left as u64);
        for action in log {
            if let Err(error) = action {
                became_shorter(&error, length);
            }
        }
        became_shorter(&ask_all(&trace).unwrap_err(), length);
        // It remains so.
        became_shorter(&trace.verify_sections().unwrap_err(), length);
        // Another reader sees the rest.
        if let Ok(other) = Trace::open(&path) {
            assert_ne!(other.status(), &Status::Complete);
        }
    }
}

/// The rest of the last page of a map reads as zeros: if the file had zeros there, nothing read from the map is lost.
#[test]
fn a_cut_that_takes_a_zero_changes_no_answer() {
    let bytes = bytes(9);
    assert_eq!(bytes.last(), Some(&0));
    let (_folder, path) = file(&bytes);
    let trace = Trace::open(&path).unwrap();
    cut(&path, bytes.len() as u64 - 1);
    match ask_all(&trace) {
        Ok(actions) => assert_eq!(actions, trace.totals().counts.actions),
        Err(error) => became_shorter(&error, bytes.len()),
    }
}

#[test]
fn several_maps_and_many_threads_are_cut_at_once() {
    let bytes = bytes(2);
    let files: Vec<_> = (0..4).map(|_| file(&bytes)).collect();
    let (_folder, whole) = file(&bytes);
    let whole = Trace::open(&whole).unwrap();
    let traces: Vec<Trace> = files.iter().map(|(_, path)| Trace::open(path).unwrap()).collect();
    let cuts = AtomicBool::new(false);
    let begun = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        let (traces, whole, cuts, begun) = (&traces, &whole, &cuts, &begun);
        for thread in 0..8 {
            scope.spawn(move || {
                let trace = &traces[thread % traces.len()];
                begun.fetch_add(1, Ordering::SeqCst);
                loop {
                    let last = cuts.load(Ordering::SeqCst);
                    match trace.verify_sections() {
                        Ok(()) => assert!(!last, "nothing was missed"),
                        Err(error) => return became_shorter(&error, trace.bytes() as usize),
                    }
                }
            });
        }
        scope.spawn(move || assert!(ask_all(whole).is_ok(), "a file that nobody cuts"));
        steady::until("for the threads", || (begun.load(Ordering::SeqCst) == 8).then_some(()));
        for (i, (_, path)) in files.iter().enumerate() {
            cut(path, (bytes.len() * i / 5) as u64);
        }
        cuts.store(true, Ordering::SeqCst);
    });
    ask_all(&whole).unwrap();
}

#[test]
fn more_files_than_maps_are_read() {
    let bytes = simulate(Plan {
        seed: 3,
        actions: 100,
        processes: 4,
        cut_every: 10,
        messages_only: false,
    })
    .bytes;
    let files: Vec<_> = (0..150).map(|_| file(&bytes)).collect();
    let traces: Vec<Trace> = files.iter().map(|(_, path)| Trace::open(path).unwrap()).collect();
    for (trace, (_, path)) in traces.iter().zip(&files) {
        ask_all(trace).unwrap();
        cut(path, 40);
        became_shorter(&trace.verify_sections().unwrap_err(), bytes.len());
    }
}

#[test]
fn a_file_that_is_replaced_is_read_on() {
    let (old, new) = (bytes(4), bytes(5));
    let (folder, path) = file(&old);
    let trace = Trace::open(&path).unwrap();
    let beside = folder.path().join("new");
    std::fs::write(&beside, &new).unwrap();
    std::fs::rename(&beside, &path).unwrap();
    let expected = Trace::from_bytes(old).unwrap();
    assert_eq!(ask_all(&trace).unwrap(), ask_all(&expected).unwrap());
    assert!(trace.equal_ignoring_clock(&expected).unwrap());
    std::fs::remove_file(&path).unwrap();
    ask_all(&trace).unwrap();
}

/// Data overwritten in place, with the length kept, is damage.
#[test]
fn a_file_that_is_overwritten_is_damaged() {
    let bytes = bytes(6);
    let (_folder, path) = file(&bytes);
    let trace = Trace::open(&path).unwrap();
    std::fs::write(&path, vec![0xab; bytes.len()]).unwrap();
    let error = ask_all(&trace).unwrap_err();
    assert!(error.is_bad_trace(), "{error}");
}

#[test]
fn empty_files_pipes_and_growing_files_are_read_as_before() {
    let (_folder, path) = file(&[]);
    assert!(matches!(
        Trace::open(&path).unwrap_err().kind,
        ErrorKind::NotATrace { .. }
    ));
    let bytes = bytes(7);
    // A pipe.
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let trace = std::thread::scope(|scope| {
        let bytes = &bytes;
        let pipe = &pipe;
        scope.spawn(move || File::create(pipe).unwrap().write_all(bytes).unwrap());
        Trace::open(pipe).unwrap()
    });
    let all = ask_all(&trace).unwrap();
    // A recording in progress: what was there when it was opened.
    let (_folder, path) = file(&bytes[..bytes.len() / 2]);
    let growing = Trace::open(&path).unwrap();
    assert!(matches!(growing.status(), Status::Incomplete { .. }));
    let before = ask_all(&growing).unwrap();
    let mut file = OpenOptions::new().append(true).open(&path).unwrap();
    file.write_all(&bytes[bytes.len() / 2..]).unwrap();
    assert_eq!(ask_all(&growing).unwrap(), before);
    assert_eq!(ask_all(&Trace::open(&path).unwrap()).unwrap(), all);
    cut(&path, 1000);
    became_shorter(&ask_all(&growing).unwrap_err(), bytes.len() / 2);
}

/// A trace is open, so the handler is installed. Run only by the test below, because it crashes the program.
#[test]
#[ignore = "ends the program"]
#[expect(unsafe_code, reason = "a fault in memory that no trace is mapped to")]
fn child_that_faults() {
    let (_folder, path) = file(&bytes(8));
    let trace = Trace::open(&path).unwrap();
    ask_all(&trace).unwrap();
    let (_other, path) = file(&[1; 20_000]);
    let map = memmap2::MmapOptions::new()
        .map_raw_read_only(&File::open(&path).unwrap())
        .unwrap();
    cut(&path, 0);
    // SAFETY: within the map; the data there is gone, which is the purpose of the test.
    let byte = unsafe { map.as_ptr().add(10_000).read_volatile() };
    println!("still here, with {byte}");
}

#[test]
fn a_fault_that_is_not_ours_still_kills() {
    use std::os::unix::process::ExitStatusExt;
    let child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "mapped::child_that_faults", "--ignored", "--nocapture"])
        .output()
        .unwrap();
    assert_eq!(child.status.signal(), Some(libc::SIGBUS), "{child:?}");
}

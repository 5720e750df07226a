//! A trace that was left without an index gets one where it lies.

use std::fs::File;
use std::path::Path;
use std::time::{Duration, SystemTime};

use log_format::{Header, Memory, Node, Pid, ProcLog, Program, RunEnd, RunOutcome, Status, Trace, TraceWriter};

/// The bytes of a trace of about so many bytes, and where its index begins.
fn trace(bytes: usize) -> (Vec<u8>, usize) {
    let memory = Memory::default();
    let mut writer = TraceWriter::new(Box::new(memory.clone()), &Header::default(), &Program::default(), 0)
        .expect("the scratch folder and memory can be written");
    let mut first = ProcLog::entry(Pid(1), Node(0));
    let mut second = ProcLog::entry(Pid(2), Node(0));
    let mut random = 1_u64;
    for _ in 0..bytes / 2000 {
        for log in [&mut first, &mut second] {
            let value: Vec<u8> = (0..125)
                .flat_map(|_| {
                    random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    random.to_be_bytes()
                })
                .collect();
            log.input(&value);
            log.send();
        }
        writer
            .cut([&mut first, &mut second])
            .expect("the scratch folder and memory can be written");
    }
    let outcome = RunOutcome {
        run: RunEnd::Deadlock,
        processes: Vec::new(),
    };
    writer
        .finish([&mut first, &mut second], &outcome)
        .expect("the scratch folder and memory can be written");
    let whole = memory.bytes();
    let cut =
        Trace::from_bytes(whole[..whole.len() - 1].to_vec()).expect("the scratch folder and memory can be written");
    let Status::IndexRebuilt { end, .. } = *cut.status() else {
        panic!("{:?}", cut.status())
    };
    (whole, end as usize)
}

fn write(path: &Path, bytes: &[u8]) -> SystemTime {
    std::fs::write(path, bytes).expect("the scratch folder and memory can be written");
    let then = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
    File::options()
        .write(true)
        .open(path)
        .expect("the scratch folder and memory can be written")
        .set_modified(then)
        .expect("the scratch folder and memory can be written");
    then
}

#[test]
fn a_long_trace_gets_its_index_when_it_is_opened_first() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("long.bin");
    let (whole, end) = trace(1 << 21);
    let then = write(&path, &whole[..end]);
    let opened = Trace::open(&path).unwrap();
    assert!(matches!(opened.status(), Status::IndexRebuilt { damaged: false, .. }));
    assert!(opened.complete(&path).unwrap());
    // A second reader that had opened it too adds nothing.
    assert!(!opened.complete(&path).unwrap());
    let again = Trace::open(&path).unwrap();
    assert_eq!(again.status(), &Status::Complete);
    assert_eq!(again.totals(), opened.totals());
    again.verify_sections().unwrap();
    again.verify_index().unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), whole);
    assert_eq!(std::fs::metadata(&path).unwrap().modified().unwrap(), then);
    assert!(!again.complete(&path).unwrap());
}

#[test]
fn what_is_short_incomplete_or_another_file_stays_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.bin");
    let (short, short_end) = trace(10_000);
    let (whole, end) = trace(1 << 21);
    for bytes in [
        &short[..short_end],
        // A part of the index is there: somebody may be copying the file.
        &whole[..end + 40],
        // The run has not ended.
        &whole[..end - 40],
    ] {
        write(&path, bytes);
        let opened = Trace::open(&path).unwrap();
        assert!(!opened.complete(&path).unwrap());
        assert!(std::fs::read(&path).unwrap() == bytes);
    }
    // It was replaced meanwhile.
    write(&path, &whole[..end]);
    let opened = Trace::open(&path).unwrap();
    let other = folder.path().join("other.bin");
    write(&other, &whole[..end]);
    assert!(!opened.complete(&other).unwrap());
    // Somebody else is writing it.
    let busy = File::options().write(true).open(&path).unwrap();
    busy.try_lock().unwrap();
    assert!(!opened.complete(&path).unwrap());
    drop(busy);
    // It is marked as not to be written.
    let mut permissions = std::fs::metadata(&path).unwrap().permissions();
    permissions.set_readonly(true);
    std::fs::set_permissions(&path, permissions).unwrap();
    assert!(!opened.complete(&path).unwrap());
    assert_eq!(std::fs::metadata(&path).unwrap().len(), end as u64);
}

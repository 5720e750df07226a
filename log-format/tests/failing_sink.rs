//! A full disk during a recording: an error, no panic, and what was written completely stays readable.

use std::io::{Error, ErrorKind, Write};

use log_format::Memory;
use log_format::{Header, Node, Pid, ProcLog, Program, RunEnd, RunOutcome, Status, Trace, TraceWriter};

/// Accepts this many bytes and then no more.
struct Disk {
    memory: Memory,
    left: usize,
}

impl Write for Disk {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        if self.left == 0 {
            return Err(Error::from(ErrorKind::StorageFull));
        }
        let n = bytes.len().min(self.left);
        self.left -= n;
        self.memory.write(&bytes[..n])
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_full_disk_leaves_whole_cuts() {
    for room in (200..3_000).step_by(97) {
        let memory = Memory::default();
        let disk = Disk {
            memory: memory.clone(),
            left: room,
        };
        let mut writer = TraceWriter::new(Box::new(disk), &Header::default(), &Program::default(), 0).unwrap();
        let mut log = ProcLog::entry(Pid(1), Node(0));
        let (mut whole, mut failed) = (0, false);
        for _ in 0..100 {
            for _ in 0..10 {
                log.after();
            }
            match writer.cut([&mut log]) {
                Ok(()) => {
                    assert!(!failed, "no cut after an error");
                    whole += 10;
                }
                Err(error) => {
                    failed = true;
                    assert!(!error.is_bad_trace(), "{error}");
                }
            }
        }
        assert!(failed);
        let outcome = RunOutcome {
            run: RunEnd::Returned("ok".into()),
            processes: Vec::new(),
        };
        assert!(writer.finish([&mut log], &outcome).is_err());
        let trace = Trace::from_bytes(memory.bytes()).unwrap();
        assert!(matches!(trace.status(), Status::Incomplete { .. }));
        assert_eq!(trace.totals().counts.actions, whole);
        assert_eq!(trace.run_end().unwrap(), None);
        trace.verify_sections().unwrap();
    }
}

#[test]
fn logs_and_traces_can_be_sent() {
    fn send<T: Send>() {}
    fn share<T: Send + Sync>() {}
    send::<ProcLog>();
    send::<TraceWriter>();
    share::<Trace>();
}

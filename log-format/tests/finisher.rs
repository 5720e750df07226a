//! A trace can be finished by another thread, after its last cut.

use std::time::Duration;

use log_format::Memory;
use log_format::{
    FinalState, Header, Node, Pid, ProcLog, ProcessOutcome, Program, RunEnd, RunOutcome, Status, Trace, TraceWriter,
};

#[test]
fn what_was_cut_is_finished() {
    let memory = Memory::default();
    let mut writer = TraceWriter::new(Box::new(memory.clone()), &Header::default(), &Program::default(), 0).unwrap();
    let finisher = writer.finisher();
    let mut log = ProcLog::entry(Pid(1), Node(0));
    log.after();
    let ended = |reason: &str| ProcessOutcome {
        pid: Pid(1),
        state: FinalState::Ended {
            reason: reason.to_owned(),
            stack: String::new(),
        },
        mailbox: 0,
        tags: Vec::new(),
    };
    writer.ended(ended("told with the cut"));
    writer.cut([&mut log]).unwrap();
    log.after();
    writer.ended(ended("told after it"));
    let end = RunEnd::Interrupted("a test".to_owned());
    let other = finisher.clone();
    let finished = std::thread::spawn(move || other.finish(&end, Duration::ZERO)).join();
    assert!(finished.unwrap().unwrap());
    // Nothing is added to a finished file.
    assert!(!finisher.finish(&RunEnd::Deadlock, Duration::ZERO).unwrap());
    assert!(writer.cut([&mut log]).is_err());
    let outcome = RunOutcome {
        run: RunEnd::Deadlock,
        processes: Vec::new(),
    };
    assert!(writer.finish([&mut log], &outcome).is_err());
    let trace = Trace::from_bytes(memory.bytes()).unwrap();
    assert_eq!(trace.status(), &Status::Complete);
    assert_eq!(trace.totals().counts.actions, 1);
    assert_eq!(trace.run_end().unwrap(), Some(RunEnd::Interrupted("a test".to_owned())));
    assert_eq!(trace.outcomes().unwrap(), [ended("told with the cut")]);
    trace.verify_sections().unwrap();
}

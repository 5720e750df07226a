//! A copy of a writer goes on as the trace of another run, with another header.

use log_format::{Header, Memory, Node, Pid, ProcLog, Program, RunEnd, RunOutcome, Trace, TraceWriter};

fn header(command: &str) -> Header {
    Header {
        command: vec![command.to_owned()],
        ..Header::default()
    }
}

fn begun(header: &Header) -> (TraceWriter, Memory) {
    let memory = Memory::default();
    let writer = TraceWriter::new(Box::new(memory.clone()), header, &Program::default(), 7);
    (writer.expect("memory can be written"), memory)
}

/// Cuts with values that cannot be packed; so there are checkpoints.
fn go_on(writer: &mut TraceWriter, log: &mut ProcLog, cuts: u64) {
    for cut in 0..cuts {
        let value: Vec<u8> = (0..4000_u64)
            .map(|n| ((n + 1) * (cut + 3)).wrapping_mul(0x9e37_79b9_7f4a_7c15).to_be_bytes()[0])
            .collect();
        log.input(&value);
        log.send();
        writer.cut([&mut *log]).expect("memory can be written");
    }
}

fn finished(writer: TraceWriter, memory: &Memory) -> Vec<u8> {
    let outcome = RunOutcome {
        run: RunEnd::Deadlock,
        processes: Vec::new(),
    };
    writer.finish([], &outcome).expect("memory can be written");
    memory.bytes()
}

#[test]
fn a_copy_is_what_would_have_been_written_with_its_header() {
    let (mut first, so_far) = begun(&header("first"));
    let mut log = ProcLog::entry(Pid(1), Node(0));
    go_on(&mut first, &mut log, 12);
    for (command, more) in [("x", 0), ("the second run, which is longer", 9), ("first", 3)] {
        let memory = Memory::default();
        let copy = first.copy(&header(command), &so_far.bytes(), Box::new(memory.clone()));
        let mut copy = copy.expect("memory can be written");
        go_on(&mut copy, &mut log.clone(), more);
        let copied = finished(copy, &memory);
        let (mut direct, memory) = begun(&header(command));
        let mut own = ProcLog::entry(Pid(1), Node(0));
        go_on(&mut direct, &mut own, 12);
        go_on(&mut direct, &mut own, more);
        assert!(copied == finished(direct, &memory), "{command}");
        let trace = Trace::from_bytes(copied).expect("a whole trace");
        trace.verify_index().expect("a whole index");
        trace.verify_sections().expect("whole sections");
        assert_eq!(trace.header().command, [command]);
        assert_eq!(trace.totals().cuts, 12 + more);
    }
}

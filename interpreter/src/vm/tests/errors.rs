//! Errors as a real Erlang/OTP shows them, captured by `errors.sh`.

use super::{add, drive};
use crate::atom::Atom;
use crate::print::{PrettyOptions, Style, pretty};
use crate::term::Pid;
use crate::vm::{EndClass, Process, Program};

#[test]
fn errors_are_those_of_otp() {
    let mut program = Program::new(&[]);
    add(&mut program, "errors.erl", include_str!("errors.erl"));
    let mut process = Process::new(&program, Pid::new(0, 1), Atom::NONODE_NOHOST);
    process.start_call(Atom::new("errors"), Atom::new("go"), &[]);
    let end = drive(&mut program, &mut process);
    assert_eq!(end.class, EndClass::Normal);
    let options = PrettyOptions::new(Style::latin1(&program));
    let items = process.heap.list(end.reason).unwrap();
    let mut rest = include_str!("errors.txt");
    for item in items {
        let ours = pretty(&process.heap, item, &options) + "\n";
        let theirs = &rest[..ours.len().min(rest.len())];
        assert_eq!(ours, theirs, "OTP goes on with:\n{}", &rest[..rest.len().min(400)]);
        rest = &rest[ours.len()..];
    }
    assert_eq!(rest, "", "OTP has more");
}

//! Files, commands, and the operating system.

use interpreter::atom::Atom;
use interpreter::native::NativeClass;
use interpreter::term::Term;
use log_format::InputClass;

use crate::error::Posix;
use crate::files::{self, FileRequest};
use crate::ops::{ERROR, OK, OpResult, Operation, badarg, text};
use crate::state::mode::Decides;
use crate::step::Step;

/// How the names of object files end.
pub(super) const OBJECT: &str = ".beam";

pub(super) const OPERATIONS: &[Operation] = &[
    Operation::new("erlang", "$read_file", 1, NativeClass::Input, read_file),
    Operation::new("erlang", "$write_file", 3, NativeClass::Input, write_file),
    Operation::new("erlang", "$file", 3, NativeClass::Input, file),
    Operation::new("erlang", "$command", 1, NativeClass::Input, command),
    Operation::new("os", "getpid", 0, NativeClass::Input, getpid),
];

fn read_file(step: &mut Step<'_>) -> OpResult {
    let [path] = step.args();
    let path = text(&step.process.machine.heap, path).ok_or_else(badarg)?;
    step.input(InputClass::File, |world, heap| match world.outside.read_file(&path) {
        Ok(bytes) => {
            let bytes = heap.make_binary(&bytes);
            heap.make_tuple(&[OK, bytes])
        }
        Err(Posix(name)) => heap.make_tuple(&[ERROR, Term::atom(Atom::new(name))]),
    })
}

fn write_file(step: &mut Step<'_>) -> OpResult {
    let [path, bytes, append] = step.args();
    let path = text(&step.process.machine.heap, path).ok_or_else(badarg)?;
    let bytes = step.process.machine.heap.bytes(bytes).ok_or_else(badarg)?.into_owned();
    let append = append.as_bool().ok_or_else(badarg)?;
    step.world.may_have_objects |= path.ends_with(OBJECT);
    step.input(InputClass::File, |world, heap| {
        match world.outside.write_file(&path, &bytes, append) {
            Ok(()) => OK,
            Err(Posix(name)) => heap.make_tuple(&[ERROR, Term::atom(Atom::new(name))]),
        }
    })
}

/// `'$file'(Operation, Path, Extra)`: other requests to the file system.
fn file(step: &mut Step<'_>) -> OpResult {
    let [operation, path, extra] = step.args();
    let operation = operation.as_atom().ok_or_else(badarg)?;
    let number = extra.as_small();
    let path = text(&step.process.machine.heap, path).ok_or_else(badarg)?;
    let extra = text(&step.process.machine.heap, extra);
    let request = FileRequest::of(operation.as_str(), &path, extra.as_deref(), number).ok_or_else(badarg)?;
    step.world.may_have_objects |= match request {
        FileRequest::Rename(_, to) | FileRequest::Link(_, to) | FileRequest::Symlink(_, to) => to.ends_with(OBJECT),
        FileRequest::SetCurrentDir(_) => true,
        _ => false,
    };
    step.input(InputClass::File, |world, heap| {
        let result = world.outside.file(request);
        files::answer(heap, result, &request)
    })
}

/// The output of a shell command. The process waits until the command has ended.
fn command(step: &mut Step<'_>) -> OpResult {
    let [command] = step.args();
    let command = text(&step.process.machine.heap, command).ok_or_else(badarg)?;
    step.lives_while_waiting()?;
    let output = match step.process.mode.decides() {
        Decides::Record | Decides::Beyond { .. } => step.output_for(&command)?,
        // It gets the recorded output.
        Decides::Follow(_) | Decides::Driven => Vec::new(),
    };
    // It may have been a compiler.
    step.world.may_have_objects |= command.contains("erl") || command.contains(OBJECT);
    step.input(InputClass::Command, |_, heap| heap.make_binary(&output))
}

fn getpid(step: &mut Step<'_>) -> OpResult {
    step.input(InputClass::System, |world, heap| {
        let id = world.outside.process_id().to_string();
        heap.make_string(&id)
    })
}

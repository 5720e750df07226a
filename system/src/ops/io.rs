//! Standard input and output.

use interpreter::atom::Atom;
use interpreter::heap::Heap;
use interpreter::native::NativeClass;
use interpreter::term::Term;
use log_format::{InputClass, Kind, Resource};

use crate::observer::Detail;
use crate::ops::{OK, OpResult, Operation, badarg};
use crate::outside::{Device, Line};
use crate::state::process::ProcessActivity;
use crate::state::resources::Value;
use crate::step::{Interrupt, Step};

pub(super) const OPERATIONS: &[Operation] = &[
    Operation::new("erlang", "$put_chars", 2, NativeClass::Output, put_chars),
    Operation::new("erlang", "$get_line", 1, NativeClass::Input, get_line),
    Operation::new("erlang", "$device", 1, NativeClass::Pure, device),
    Operation::new("erlang", "$unread", 1, NativeClass::Pure, unread),
    Operation::new("erlang", "$set_encoding", 2, NativeClass::Output, set_encoding),
    Operation::new("erlang", "$get_encoding", 1, NativeClass::Observe, get_encoding),
];

fn put_chars(step: &mut Step<'_>) -> OpResult {
    let [device, chars] = step.args();
    let bytes = step.process.machine.heap.bytes(chars).ok_or_else(badarg)?.into_owned();
    let own = device.as_atom().map(Atom::as_str) == Some("$own");
    // A look: if the leader is a process of the program, the step reads it in another way.
    let device = if own {
        Term::pid(step.next().use_leader()?)
    } else {
        device
    };
    let Some(device) = step.device_written(device)? else {
        if own {
            return step.own_protocol();
        }
        if !step.accesses.is_empty() {
            step.expect(
                |k| matches!(k, Kind::Access),
                || "find that a device is a process".to_owned(),
            )?;
            step.commit(Kind::Access, 0, Detail::None);
        }
        return Ok(Term::atom(Atom::new("protocol")));
    };
    if own {
        step.use_leader()?;
    }
    step.expect(|k| matches!(k, Kind::Output { .. }), || "write to a device".to_owned())?;
    let logged = match device {
        Device::Stdout => log_format::Device::Stdout,
        Device::Stderr => log_format::Device::Stderr,
    };
    if step.process.mode.log().is_none() {
        // A closed pipe must not change what the program does.
        let _ = step.world.outside.write(device, &bytes);
        step.world.work.bytes_written += bytes.len() as u64;
    }
    let kind = Kind::Output {
        device: logged,
        bytes: bytes.len() as u64,
    };
    step.commit(kind, 0, Detail::Output(&bytes));
    Ok(OK)
}

/// `'$set_encoding'(Device, latin1 | unicode)`: the encoding of characters beyond ASCII; `binary | list`: the type of lines of standard input.
/// The type is logged with each line.
fn set_encoding(step: &mut Step<'_>) -> OpResult {
    let [device, encoding] = step.args();
    let device = device_of(device)?.ok_or_else(badarg)?;
    let unicode = match encoding.as_atom().map(Atom::as_str) {
        Some(mode @ ("binary" | "list")) if device == Device::Stdout => {
            step.world.binary_input = mode == "binary";
            return Ok(OK);
        }
        Some("latin1") => false,
        Some("unicode" | "utf8") => true,
        _ => return Err(badarg()),
    };
    step.world.outside.set_encoding(device, unicode);
    Ok(OK)
}

fn get_line(step: &mut Step<'_>) -> OpResult {
    if step.process.rare.unread.is_empty() {
        step.lives_while_waiting()?;
    }
    // What the process put back comes first: that is its own state, not an input.
    let reads = step.process.rare.unread.is_empty() && step.process.mode.log().is_none();
    let prompts = if reads {
        step.turn_to_read()?
    } else {
        step.process.mode.log().is_none()
    };
    let [prompt] = step.args();
    if prompts
        && let Some(prompt) = step
            .process
            .machine
            .heap
            .bytes(prompt)
            .map(std::borrow::Cow::into_owned)
        && !prompt.is_empty()
    {
        let _ = step.world.outside.write(Device::Stdout, &prompt);
        step.world.outside.flush();
    }
    let line = if reads { step.world.line_for_turn()? } else { Line::Eof };
    step.process.state = ProcessActivity::Ready;
    if !step.process.rare.unread.is_empty() {
        let bytes = step.process.rare.take(|rare| &mut rare.unread);
        let heap = &mut step.process.machine.heap;
        let rest = heap.make_binary(&bytes);
        return Ok(if step.process.rare.unread_binary {
            binary_line(heap, rest)
        } else {
            rest
        });
    }
    if line == Line::Interrupted {
        step.world.check_limits();
        return Err(Interrupt::Input);
    }
    step.has_read();
    let line = step.input(InputClass::Stdin, |sys, heap| match line {
        Line::Text(bytes) => {
            let text = heap.make_binary(&bytes);
            if sys.binary_input {
                binary_line(heap, text)
            } else {
                text
            }
        }
        Line::Eof | Line::Interrupted => Term::atom(Atom::new("eof")),
        Line::Failed(reason) => {
            let reason = Term::atom(Atom::new(&reason));
            heap.make_tuple(&[Term::atom(Atom::ERROR), reason])
        }
    })?;
    step.process.rare.unread_binary =
        matches!(step.process.machine.heap.tuple(line), Some(&[word, _]) if word != Term::atom(Atom::ERROR));
    Ok(line)
}

fn get_encoding(step: &mut Step<'_>) -> OpResult {
    let [device] = step.args();
    if device == Term::atom(Atom::new("binary")) {
        return step.observe(None, |world, _| Term::boolean(world.binary_input));
    }
    let device = device_of(device)?.ok_or_else(badarg)?;
    step.observe(None, |world, _| {
        let unicode = world.outside.is_unicode(device);
        Term::atom(Atom::new(if unicode { "unicode" } else { "latin1" }))
    })
}

impl Step<'_> {
    /// As [`device_of`], for output. The names of the devices can be given to other processes; where they were, the step reads them.
    fn device_written(&mut self, device: Term) -> Result<Option<Device>, Interrupt> {
        let name = device.as_atom().filter(|name| is_name_of_device(*name));
        let is_moved = match self.logged_accesses() {
            Some(accesses) => accesses
                .iter()
                .any(|access| matches!(access.resource, Resource::Name(_))),
            None => self.world.devices_moved,
        };
        let Some(name) = name.filter(|_| is_moved) else {
            return device_of(device);
        };
        let resource = self.world.name_resource(name, self.process.pid.node());
        Ok(match self.read(resource)? {
            Value::Pid(holder) => crate::runtime::device_of(holder),
            _ => None,
        })
    }

    /// Output goes to a group leader that is a process of the program; which one is logged.
    pub(crate) fn own_protocol(&mut self) -> OpResult {
        self.expect(
            |k| matches!(k, Kind::Access),
            || "write to its group leader, a process".to_owned(),
        )?;
        let leader = self.read_leader()?;
        self.commit(Kind::Access, 0, Detail::None);
        Ok(self
            .process
            .machine
            .heap
            .make_tuple(&[Term::atom(Atom::new("protocol")), Term::pid(leader)]))
    }
}

/// The names that the devices have in the beginning.
pub(crate) fn is_name_of_device(name: Atom) -> bool {
    matches!(name.as_str(), "user" | "standard_error")
}

/// The system's device that a term names; `None` for a process of the program, or the name of one, which gets messages instead.
pub(crate) fn device_of(device: Term) -> Result<Option<Device>, Interrupt> {
    if let Some(device) = device.as_pid().and_then(crate::runtime::device_of) {
        return Ok(Some(device));
    }
    match device.as_atom().map(Atom::as_str) {
        Some("standard_error" | "$stderr") => Ok(Some(Device::Stderr)),
        Some("standard_io" | "user") => Ok(Some(Device::Stdout)),
        _ if device.is_pid() || device.is_atom() => Ok(None),
        _ => Err(badarg()),
    }
}

/// `'$device'(Device)`: `ok` for a device of the system, `protocol` for a process.
fn device(step: &mut Step<'_>) -> OpResult {
    let [device] = step.args();
    Ok(match device_of(device)? {
        Some(_) => OK,
        None => Term::atom(Atom::new("protocol")),
    })
}

/// A line of standard input for a program that wants binaries.
pub(crate) fn binary_line(heap: &mut Heap, text: Term) -> Term {
    heap.make_tuple(&[Term::atom(Atom::new("binary")), text])
}

/// `'$unread'(Binary)`: puts back what was read and not used, for the next read of this process.
fn unread(step: &mut Step<'_>) -> OpResult {
    let [rest] = step.args();
    let p = &mut *step.process;
    let bytes = p.machine.heap.bytes(rest).ok_or_else(badarg)?.into_owned();
    p.rare.unread.splice(0..0, bytes);
    Ok(OK)
}

//! Sending: `!`, `send`, `send_nosuspend`.

use interpreter::atom::Atom;
use interpreter::heap::TermView;
use interpreter::native::NativeClass;
use interpreter::term::{Pid, Reference, Term};
use log_format::{Kind, Resource};

use crate::ids;
use crate::observer::Detail;
use crate::ops::{OK, OpResult, Operation, TRUE, badarg, badopt, ports};
use crate::state::mode::Decides;
use crate::state::resources::Value;
use crate::state::signal::Signal;
use crate::step::{Interrupt, Step};

pub(super) const OPERATIONS: &[Operation] = &[
    Operation::new("erlang", "!", 2, NativeClass::Effect, send),
    Operation::new("erlang", "send", 2, NativeClass::Effect, send),
    Operation::new("erlang", "send", 3, NativeClass::Effect, send_with_options),
    Operation::new("erlang", "send_nosuspend", 2, NativeClass::Effect, send_nosuspend),
    Operation::new("erlang", "send_nosuspend", 3, NativeClass::Effect, send_nosuspend),
];

/// `!` and `send/2`: the value is the message.
fn send(step: &mut Step<'_>) -> OpResult {
    let [to, message] = step.args();
    step.send_to(to, message)?;
    Ok(message)
}

/// `send/3`.
fn send_with_options(step: &mut Step<'_>) -> OpResult {
    let [to, message, options] = step.args();
    let urgent = check_options(step, options)?;
    step.send_with(to, message, urgent)?;
    Ok(OK)
}

/// `send_nosuspend/2,3`: a sender is never suspended.
fn send_nosuspend(step: &mut Step<'_>) -> OpResult {
    let [to, message, options] = step.args();
    let urgent = check_options(step, options)?;
    step.send_with(to, message, urgent)?;
    Ok(TRUE)
}

/// Is it to be a priority message?
fn check_options(step: &Step<'_>, options: Term) -> Result<bool, Interrupt> {
    if options == Term::NONE {
        return Ok(false);
    }
    let mut urgent = false;
    for option in step.process.machine.heap.list(options).ok_or_else(badopt)? {
        match option.as_atom().map(Atom::as_str) {
            Some("nosuspend" | "noconnect") => {}
            Some("priority") if step.has_priority_messages() => urgent = true,
            _ => return Err(badopt()),
        }
    }
    Ok(urgent)
}

/// Where a message goes.
#[derive(Clone, Copy)]
pub(crate) enum Destination {
    /// To a process.
    Pid(Pid),
    /// To the holder of this name on another node when the message arrives there.
    Remote(Resource),
    /// Nowhere.
    Nobody,
}

impl Step<'_> {
    /// Sends a message to any destination of `!`.
    fn send_to(&mut self, to: Term, message: Term) -> Result<(), Interrupt> {
        self.send_with(to, message, false)
    }

    /// As [`Self::send_to`]. `urgent`: as a priority message, if it goes to an alias that accepts them.
    fn send_with(&mut self, to: Term, message: Term, urgent: bool) -> Result<(), Interrupt> {
        if self.io_request(to, message)? {
            // The device has handled the request.
            return Ok(());
        }
        if let Some(pid) = to.as_pid() {
            return self.send_message(Destination::Pid(pid), None, message, false);
        }
        if let Some(pid) = ports::process_of(to) {
            return self.send_message(Destination::Pid(pid), None, message, false);
        }
        if let TermView::Reference(alias) = self.process.machine.heap.view(to) {
            return self.send_message(Destination::Pid(alias.owner), Some(alias), message, urgent);
        }
        let target = self.destination(to)?;
        self.send_message(target, None, message, false)
    }

    /// The destination that a term names. Raises `badarg` as `!` does.
    pub(crate) fn destination(&mut self, to: Term) -> Result<Destination, Interrupt> {
        if let Some(pid) = to.as_pid() {
            return Ok(Destination::Pid(pid));
        }
        if let Some(name) = to.as_atom() {
            let resource = self.world.name_resource(name, self.process.pid.node());
            return match self.read(resource)? {
                Value::Pid(pid) => Ok(Destination::Pid(pid)),
                _ => {
                    self.expect(
                        |k| matches!(k, Kind::Access),
                        || "read a registered name and fail".to_owned(),
                    )?;
                    self.commit(Kind::Access, 0, Detail::None);
                    Err(badarg())
                }
            };
        }
        if let Some(&[name, node]) = self.process.machine.heap.tuple(to)
            && let (Some(name), Some(node)) = (name.as_atom(), node.as_atom())
        {
            if node != self.process.machine.local.node {
                let node = self.world.node_index(node)?;
                return Ok(Destination::Remote(self.world.name_resource(name, node)));
            }
            let resource = self.world.name_resource(name, self.process.pid.node());
            return Ok(match self.read(resource)? {
                Value::Pid(pid) => Destination::Pid(pid),
                _ => Destination::Nobody,
            });
        }
        Err(badarg())
    }

    #[inline]
    pub(crate) fn send_message(
        &mut self,
        to: Destination,
        alias: Option<Reference>,
        message: Term,
        urgent: bool,
    ) -> Result<(), Interrupt> {
        self.expect(|k| matches!(k, Kind::Send), || "send a message".to_owned())?;
        let tag = self.process.next_tag();
        let fragment = self.process.machine.heap.export(message);
        self.commit(
            Kind::Send,
            1,
            Detail::Sent {
                to: match to {
                    Destination::Pid(pid) => Some(ids::to_log(pid)),
                    Destination::Remote(_) | Destination::Nobody => None,
                },
                message,
            },
        );
        let signal = match alias {
            None => Signal::Message(fragment),
            Some(alias) => Signal::Aliased {
                alias,
                message: fragment,
                urgent,
            },
        };
        match to {
            Destination::Pid(to) => self.deliver(to, tag, signal),
            Destination::Remote(name) => match self.process.mode.decides() {
                // The log of the name's holder says whether it arrives.
                Decides::Follow(_) | Decides::Beyond { .. } => {
                    self.world.resources.afloat.insert(tag, (signal, name));
                    self.world.wake_afloat(tag);
                }
                Decides::Record | Decides::Driven => {
                    if let Some(to) = self.world.resources.arrives_at(name, tag) {
                        self.deliver(to, tag, signal);
                    }
                }
            },
            Destination::Nobody => {}
        }
        Ok(())
    }
}

//! Requests to the devices of the system, as messages.

use interpreter::atom::Atom;
use interpreter::heap::Heap;
use interpreter::native::Context;
use interpreter::term::{Pid, Term};
use log_format::{InputClass, Kind};

use crate::ids;
use crate::observer::Detail;
use crate::outside::{Device, Line};
use crate::runtime::device_of;
use crate::state::process::ProcessActivity;
use crate::state::resources::Value;
use crate::state::signal::Signal;
use crate::step::{Interrupt, Step};

/// The reply of a device to a request that writes nothing.
pub(crate) fn refusal(heap: &mut Heap, request: Term) -> Term {
    let word = |text: &str| Term::atom(Atom::new(text));
    let name = request.as_atom().or_else(|| heap.tuple(request)?.first()?.as_atom());
    let reason = match name.map(Atom::as_str) {
        Some("setopts") => return Term::atom(Atom::OK),
        Some("getopts") => {
            let binary = heap.make_tuple(&[word("binary"), Term::boolean(false)]);
            let encoding = heap.make_tuple(&[word("encoding"), word("latin1")]);
            return heap.make_list(&[binary, encoding]);
        }
        Some("get_geometry" | "get_line" | "get_chars" | "get_until" | "get_password") => word("enotsup"),
        Some("put_chars" | "requests") => word("put_chars"),
        _ => heap.make_tuple(&[word("request"), request]),
    };
    heap.make_tuple(&[Term::atom(Atom::ERROR), reason])
}

/// A request to read standard input.
pub(crate) struct Question {
    prompt: Term,
    /// This many characters; `None`: a line.
    count: Option<usize>,
}

/// Parses `{get_line, Prompt}` and `{get_chars, Prompt, N}`, with or without an encoding. (`get_until` calls a function of the program, which
/// is done in `io`.)
pub(crate) fn question(heap: &Heap, request: Term) -> Option<Question> {
    let parts = heap.tuple(request)?;
    let name = parts.first()?.as_atom()?.as_str();
    let known = |encoding: Term| matches!(encoding.as_atom().map(Atom::as_str), Some("latin1" | "unicode"));
    let (prompt, count) = match (name, &parts[1..]) {
        ("get_line", &[prompt]) => (prompt, None),
        ("get_line", &[encoding, prompt]) if known(encoding) => (prompt, None),
        ("get_chars", &[prompt, count]) => (prompt, Some(count)),
        ("get_chars", &[encoding, prompt, count]) if known(encoding) => (prompt, Some(count)),
        _ => return None,
    };
    let count = match count {
        Some(count) => Some(usize::try_from(count.as_small()?).ok()?),
        None => None,
    };
    Some(Question { prompt, count })
}

impl Step<'_> {
    /// Reads standard input and sends the reply in one step: an input whose value is the reply and what is left over. The process waits until
    /// there is enough.
    pub(crate) fn answer_question(&mut self, from: Pid, reply_as: Term, question: &Question) -> Result<(), Interrupt> {
        self.lives_while_waiting()?;
        let length = |unread: &[u8]| match question.count {
            Some(count) => (unread.len() >= count).then_some(count),
            None => unread.iter().position(|&b| b == b'\n').map(|at| at + 1),
        };
        let mut failed = None;
        if self.process.mode.log().is_none() && length(&self.process.rare.unread).is_none() {
            if self.turn_to_read()? && self.process.rare.unread.is_empty() {
                self.prompt(question.prompt);
            }
            match self.world.line_for_turn()? {
                Line::Text(bytes) => self.process.rare.unread.extend(bytes),
                Line::Interrupted => self.world.check_limits(),
                Line::Eof => failed = Some("eof".to_owned()),
                Line::Failed(reason) => failed = Some(reason),
            }
            if failed.is_none() && length(&self.process.rare.unread).is_none() {
                return Err(Interrupt::Input);
            }
            self.has_read();
        }
        self.process.state = ProcessActivity::Ready;
        let mut bytes = self.process.rare.take(|rare| &mut rare.unread);
        let rest = bytes.split_off(length(&bytes).unwrap_or(bytes.len()));
        let value = self.input_and_send(InputClass::Stdin, 2, |_, heap| {
            let answer = match failed {
                Some(reason) if bytes.is_empty() && reason == "eof" => Term::atom(Atom::new("eof")),
                Some(reason) if bytes.is_empty() => {
                    let reason = Term::atom(Atom::new(&reason));
                    heap.make_tuple(&[Term::atom(Atom::ERROR), reason])
                }
                _ => {
                    let bytes: Vec<Term> = bytes.iter().map(|&b| Term::small(i64::from(b))).collect();
                    heap.make_list(&bytes)
                }
            };
            let rest = heap.make_binary(&rest);
            heap.make_tuple(&[answer, rest])
        })?;
        let heap = &mut self.process.machine.heap;
        let Some(&[answer, rest]) = heap.tuple(value) else {
            return Err(crate::ops::badarg());
        };
        self.process.rare.unread = heap.bytes(rest).map(std::borrow::Cow::into_owned).unwrap_or_default();
        let reply = heap.make_tuple(&[Term::atom(Atom::new("io_reply")), reply_as, answer]);
        let reply = heap.export(reply);
        let _ = self.process.next_tag();
        let tag = self.process.next_tag();
        self.deliver(from, tag, Signal::Message(reply));
        Ok(())
    }

    pub(crate) fn prompt(&mut self, prompt: Term) {
        let words = ["put_chars", "unicode"].map(|word| Term::atom(Atom::new(word)));
        let request = self.process.machine.heap.make_tuple(&[words[0], words[1], prompt]);
        let mut context = Context {
            heap: &mut self.process.machine.heap,
            local: &mut self.process.machine.local,
            code: &*self.world.program,
        };
        let text = match prompt.as_atom() {
            Some(name) => Some(name.as_str().as_bytes().to_vec()),
            None => interpreter::natives::io_lib::request_text(&mut context, request),
        };
        if let Some(text) = text.filter(|text| !text.is_empty()) {
            // A closed pipe must not change what the program does.
            let _ = self.world.outside.write(Device::Stdout, &text);
            self.world.outside.flush();
        }
    }

    /// Handles `Device ! {io_request, From, ReplyAs, Request}` to a device of the system, by its pid or name, including the reply, in one step.
    /// False if it is not such a request.
    pub(crate) fn io_request(&mut self, to: Term, message: Term) -> Result<bool, Interrupt> {
        if to.as_pid().is_some_and(|pid| device_of(pid).is_none()) {
            return Ok(false);
        }
        let Some(&[mark, from, reply_as, request]) = self.process.machine.heap.tuple(message) else {
            return Ok(false);
        };
        if mark.as_atom().is_none_or(|a| a.as_str() != "io_request") {
            return Ok(false);
        }
        let Some(from) = from.as_pid() else { return Ok(false) };
        // Every request is an action: if the log has none except a kill, the process waited here.
        self.lives_while_waiting()?;
        let target = match (to.as_pid(), to.as_atom()) {
            (Some(pid), _) => pid,
            (_, Some(name)) => {
                let resource = self.world.name_resource(name, self.process.pid.node());
                // If it is no such request, this look is not part of the step.
                match self.next().read(resource)? {
                    Value::Pid(pid) if device_of(pid).is_some() => {
                        self.read(resource)?;
                        pid
                    }
                    _ => return Ok(false),
                }
            }
            _ => return Ok(false),
        };
        let Some(device) = device_of(target) else {
            return Ok(false);
        };
        if device == Device::Stdout
            && let Some(question) = question(&self.process.machine.heap, request)
        {
            self.answer_question(from, reply_as, &question)?;
            return Ok(true);
        }
        let mut context = Context {
            heap: &mut self.process.machine.heap,
            local: &mut self.process.machine.local,
            code: &*self.world.program,
        };
        let text = interpreter::natives::io_lib::request_text(&mut context, request);
        self.expect(
            |k| matches!(k, Kind::Output { .. } | Kind::Send),
            || "ask a device of the system".to_owned(),
        )?;
        let heap = &mut self.process.machine.heap;
        let answer = match &text {
            Some(_) => Term::atom(Atom::OK),
            None => refusal(heap, request),
        };
        let answer = heap.make_tuple(&[Term::atom(Atom::new("io_reply")), reply_as, answer]);
        let answer = heap.export(answer);
        match &text {
            Some(bytes) => {
                if self.process.mode.log().is_none() {
                    let _ = self.world.outside.write(device, bytes);
                    self.world.work.bytes_written += bytes.len() as u64;
                }
                let kind = Kind::Output {
                    device: match device {
                        Device::Stdout => log_format::Device::Stdout,
                        Device::Stderr => log_format::Device::Stderr,
                    },
                    bytes: bytes.len() as u64,
                };
                self.commit(kind, 2, Detail::Output(bytes));
            }
            None => {
                let to = Some(ids::to_log(target));
                self.commit(Kind::Send, 2, Detail::Sent { to, message });
            }
        }
        let _ = self.process.next_tag();
        let tag = self.process.next_tag();
        self.deliver(from, tag, Signal::Message(answer));
        Ok(true)
    }
}

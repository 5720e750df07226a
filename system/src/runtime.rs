//! Processes of the runtime: what `whereis(user)`, `whereis(init)` and their like lead to. They live as long as their node, run nothing, and
//! what is sent to them is gone. Their names were there before the run began, so they are version 1 of the names; the processes are the same
//! in every run, so that nothing of them is logged.

use interpreter::atom::Atom;
use interpreter::heap::Heap;
use interpreter::native::Context;
use interpreter::term::{Pid, Term};
use log_format::{InputClass, Kind, Resource};

use crate::ids;
use crate::observer::{Detail, Observer};
use crate::outside::{Device, Line};
use crate::process::{Process, Signal, State};
use crate::resources::Value;
use crate::system::{DEVICE, Interrupt, System, due_waiting};

/// What OTP 25 has registered when it runs without a shell, and is no process of the library here.
const NAMES: &[&str] = &[
    "user",
    "standard_error",
    "code_server",
    "erl_prim_loader",
    "erl_signal_server",
    "erts_code_purger",
    "file_server_2",
    "global_group",
    "global_group_check",
    "inet_db",
    "init",
    "kernel_refc",
    "kernel_safe_sup",
    "kernel_sup",
    "logger",
    "logger_handler_watcher",
    "logger_proxy",
    "logger_std_h_default",
    "logger_sup",
    "rex",
    "socket_registry",
    "standard_error_sup",
];

/// The same where the node is alive.
const ALIVE_NAMES: &[&str] = &["auth", "erl_epmd", "net_kernel", "net_sup"];

/// The same, but not to traces of tools that gave these names to processes of the library (`erlang:whereis/1` of version 1).
const LATER_NAMES: &[&str] = &["application_controller", "global_name_server"];

/// The number of the first; no process of a program comes to have it.
const FIRST: u64 = 1 << 39;

/// Is it a process of the runtime?
pub(crate) const fn is_runtime(pid: Pid) -> bool {
    pid.number() == DEVICE.number() || pid.number() >= FIRST
}

fn names() -> impl Iterator<Item = &'static str> {
    NAMES.iter().chain(ALIVE_NAMES).chain(LATER_NAMES).copied()
}

/// The process that has a name of the runtime on a node.
fn process_of(name: &str, node: u16) -> Option<Pid> {
    let at = names().position(|known| known == name)?;
    Some(match (at, node) {
        (0, 0) => DEVICE,
        _ => Pid::new(node, FIRST + at as u64),
    })
}

/// The device that a process of the runtime stands for.
pub(crate) fn device_of(pid: Pid) -> Option<Device> {
    match pid.number().checked_sub(FIRST) {
        _ if pid == DEVICE => Some(Device::Stdout),
        Some(0) => Some(Device::Stdout),
        Some(1) => Some(Device::Stderr),
        _ => None,
    }
}

/// An item of `process_info/2` of a process of the runtime, which waits in a receive.
pub(crate) fn item(heap: &mut Heap, pid: Pid, item: &str) -> Term {
    let word = |text: &str| Term::atom(Atom::new(text));
    let at = pid.number().saturating_sub(FIRST) as usize;
    let call = |heap: &mut Heap| heap.make_tuple(&[word("gen_server"), word("loop"), Term::small(7)]);
    match item {
        "registered_name" => names().nth(at).map_or(Term::NIL, word),
        "status" => word("waiting"),
        "priority" => Term::atom(Atom::NORMAL),
        "trap_exit" => Term::atom(Atom::TRUE),
        "error_handler" => word("error_handler"),
        "group_leader" => Term::pid(pid),
        "current_function" | "initial_call" => call(heap),
        "message_queue_data" => word("on_heap"),
        "message_queue_len" | "catchlevel" | "fullsweep_after" | "min_bin_vheap_size" | "suspended" => Term::small(0),
        "heap_size" | "total_heap_size" | "min_heap_size" | "reductions" => Term::small(233),
        "memory" => Term::small(2688),
        "stack_size" => Term::small(10),
        _ => Term::NIL,
    }
}

/// What a device answers to a request that writes nothing.
fn refusal(heap: &mut Heap, request: Term) -> Term {
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

/// What a request reads of standard input.
struct Question {
    prompt: Term,
    /// So many bytes; none: a line.
    count: Option<usize>,
}

/// `{get_line, Prompt}` and `{get_chars, Prompt, N}`, with or without an encoding. (What `get_until` reads, a function of the program decides:
/// that is done in `io`.)
fn question(heap: &Heap, request: Term) -> Option<Question> {
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

impl<O: Observer> System<O> {
    /// Standard input is read, and what was read is answered, in one step: an input whose value is the answer and what is left over. Until
    /// there is enough, the process waits.
    fn answer_question(
        &mut self,
        p: &mut Process<O::Log>,
        from: Pid,
        reply_as: Term,
        question: &Question,
    ) -> Result<(), Interrupt> {
        if let Some(tag) = due_waiting(p) {
            return Err(Interrupt::Killed(tag));
        }
        let length = |unread: &[u8]| match question.count {
            Some(count) => (unread.len() >= count).then_some(count),
            None => unread.iter().position(|&b| b == b'\n').map(|at| at + 1),
        };
        let mut failed = None;
        if p.feed.is_none() && length(&p.rare.unread).is_none() {
            if self.turn_to_read(p)? && p.rare.unread.is_empty() {
                self.prompt(p, question.prompt);
            }
            match self.line_for_turn()? {
                Line::Text(bytes) => p.rare.unread.extend(bytes),
                Line::Interrupted => self.check_limits(),
                Line::Eof => failed = Some("eof".to_owned()),
                Line::Failed(reason) => failed = Some(reason),
            }
            if failed.is_none() && length(&p.rare.unread).is_none() {
                return Err(Interrupt::Input);
            }
            self.has_read(p);
        }
        p.state = State::Ready;
        let mut bytes = p.rare.take(|rare| &mut rare.unread);
        let rest = bytes.split_off(length(&bytes).unwrap_or(bytes.len()));
        let value = self.input_and_send(p, InputClass::Stdin, 2, |_, heap| {
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
        let heap = &mut p.machine.heap;
        let Some(&[answer, rest]) = heap.tuple(value) else {
            return Err(crate::effects::badarg());
        };
        p.rare.unread = heap.bytes(rest).map(std::borrow::Cow::into_owned).unwrap_or_default();
        let reply = heap.make_tuple(&[Term::atom(Atom::new("io_reply")), reply_as, answer]);
        let reply = heap.export(reply);
        let _ = self.next_tag(p);
        let tag = self.next_tag(p);
        self.deliver(p, from, tag, Signal::Message(reply));
        Ok(())
    }

    fn prompt(&mut self, p: &mut Process<O::Log>, prompt: Term) {
        let words = ["put_chars", "unicode"].map(|word| Term::atom(Atom::new(word)));
        let request = p.machine.heap.make_tuple(&[words[0], words[1], prompt]);
        let mut context = Context {
            heap: &mut p.machine.heap,
            local: &mut p.machine.local,
            code: &*self.program,
        };
        let text = match prompt.as_atom() {
            Some(name) => Some(name.as_str().as_bytes().to_vec()),
            None => interpreter::natives::io_lib::request_text(&mut context, request),
        };
        if let Some(text) = text.filter(|text| !text.is_empty()) {
            // A closed pipe is no reason to change what the program does.
            let _ = self.outside.write(Device::Stdout, &text);
            self.outside.flush();
        }
    }

    /// Is it a process of the runtime to this step? To a trace of an older tool they were processes that never lived.
    pub(crate) fn is_runtime(&self, p: &Process<O::Log>, pid: Pid) -> bool {
        let logged = || Resource::Alive(ids::to_log(pid));
        is_runtime(pid) && p.feed.as_ref().is_none_or(|feed| feed.access(logged()).is_none())
    }

    /// `Device ! {io_request, From, ReplyAs, Request}` to a device of the system, by its pid or name: it is done, and answered, in one step.
    /// False: it is none.
    pub(crate) fn io_request(&mut self, p: &mut Process<O::Log>, to: Term, message: Term) -> Result<bool, Interrupt> {
        if to.as_pid().is_some_and(|pid| device_of(pid).is_none()) {
            return Ok(false);
        }
        let Some(&[mark, from, reply_as, request]) = p.machine.heap.tuple(message) else {
            return Ok(false);
        };
        if mark.as_atom().is_none_or(|a| a.as_str() != "io_request") {
            return Ok(false);
        }
        let Some(from) = from.as_pid() else { return Ok(false) };
        // Whatever it asks is an action: where the log has none but a kill, this is where it waited.
        if let Some(tag) = due_waiting(p) {
            return Err(Interrupt::Killed(tag));
        }
        let target = match (to.as_pid(), to.as_atom()) {
            (Some(pid), _) => pid,
            (_, Some(name)) => {
                let resource = self.name_resource(name, p.pid.node());
                let logged = p.feed.as_ref().is_none_or(|feed| feed.access(resource).is_some());
                match logged.then(|| self.read(p, resource)).transpose()? {
                    Some(Value::Pid(pid)) if device_of(pid).is_some() => pid,
                    _ => {
                        self.accesses.clear();
                        return Ok(false);
                    }
                }
            }
            _ => return Ok(false),
        };
        let Some(device) = device_of(target) else {
            return Ok(false);
        };
        // Older tools sent the message to nobody.
        if let Some(head) = p.feed.as_ref().and_then(|feed| feed.head())
            && head.sends == 1
        {
            self.accesses.clear();
            return Ok(false);
        }
        let older = p
            .feed
            .as_ref()
            .is_some_and(|feed| !matches!(feed.head_kind(), Some(Kind::Input { .. })));
        if device == Device::Stdout
            && !older
            && let Some(question) = question(&p.machine.heap, request)
        {
            self.answer_question(p, from, reply_as, &question)?;
            return Ok(true);
        }
        let mut context = Context {
            heap: &mut p.machine.heap,
            local: &mut p.machine.local,
            code: &*self.program,
        };
        let text = interpreter::natives::io_lib::request_text(&mut context, request);
        self.expect(
            p,
            |k| matches!(k, Kind::Output { .. } | Kind::Send),
            || "ask a device of the system".to_owned(),
        )?;
        let heap = &mut p.machine.heap;
        let answer = match &text {
            Some(_) => Term::atom(Atom::OK),
            None => refusal(heap, request),
        };
        let answer = heap.make_tuple(&[Term::atom(Atom::new("io_reply")), reply_as, answer]);
        let answer = heap.export(answer);
        match &text {
            Some(bytes) => {
                if p.feed.is_none() {
                    let _ = self.outside.write(device, bytes);
                }
                let kind = Kind::Output {
                    device: match device {
                        Device::Stdout => log_format::Device::Stdout,
                        Device::Stderr => log_format::Device::Stderr,
                    },
                    bytes: bytes.len() as u64,
                };
                self.commit(p, kind, 2, Detail::Output(bytes));
            }
            None => {
                let to = Some(ids::to_log(target));
                self.commit(p, Kind::Send, 2, Detail::Sent { to, message });
            }
        }
        let _ = self.next_tag(p);
        let tag = self.next_tag(p);
        self.deliver(p, from, tag, Signal::Message(answer));
        Ok(true)
    }

    /// A name that was there before the run began gets its process.
    pub(crate) fn give_runtime_name(&mut self, name: Atom, node: u16, resource: Resource) {
        if self.resources.was_written(resource) {
            return;
        }
        let name = name.as_str();
        if let Some(pid) = process_of(name, node)
            && (self.alive() || !ALIVE_NAMES.contains(&name))
            && (!LATER_NAMES.contains(&name) || self.knows_later_names())
        {
            self.resources.given(resource, Value::Pid(pid));
        }
    }

    fn knows_later_names(&self) -> bool {
        let mut natives = self.program.natives();
        natives.any(|n| (n.module, n.name, n.version) == ("erlang", "whereis", 2))
    }

    /// The same for all names of a node, for a list of them.
    pub(crate) fn give_runtime_names(&mut self, node: u16) {
        for name in names() {
            self.name_resource(Atom::new(name), node);
        }
    }
}

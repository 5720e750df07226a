//! Natives that ask the outside or the system: clocks, input, output, environment, files, introspection.

use interpreter::atom::Atom;
use interpreter::heap::{Heap, View};
use interpreter::native::Raise;
use interpreter::term::{Pid, Term};
use log_format::{ActionId, InputClass, Kind, Resource};

use crate::effects::{Answer, OK, TRUE, UNDEFINED, args, badarg};
use crate::feed::REDACTED;
use crate::files::{self, FileRequest};
use crate::ids;
use crate::natives::Op;
use crate::observer::{Detail, Observer};
use crate::outside::Touched;
use crate::outside::{Device, Line};
use crate::process::{Process, State};
use crate::resources::{Life, Value};
use crate::system::{Clock, DEVICE, Interrupt, System, due_waiting};
use crate::terms;

impl<O: Observer> System<O> {
    pub(crate) fn carry_out_other(&mut self, p: &mut Process<O::Log>, op: Op) -> Answer {
        match op {
            Op::ProcessFlag => crate::control::op_process_flag(p),
            Op::ProcessFlagOf => self.op_process_flag_of(p),
            Op::CrashReports => {
                let [wanted] = args(p);
                match wanted.as_bool().ok_or_else(badarg)? {
                    true => self.silent_nodes.remove(&p.pid.node()),
                    false => self.silent_nodes.insert(p.pid.node()),
                };
                Ok(TRUE)
            }
            Op::CrashProxy => {
                let [proxy] = args(p);
                match proxy.as_pid() {
                    // It says so itself, so that its log can be followed without that of who made it one.
                    Some(proxy) if proxy == p.pid => {
                        self.crash_hearers.insert(proxy);
                        None
                    }
                    Some(proxy) => self.crash_proxies.insert(p.pid.node(), proxy),
                    None => self.crash_proxies.remove(&p.pid.node()),
                };
                Ok(TRUE)
            }
            Op::Suspend => self.op_suspend(p),
            Op::Resume => self.op_resume(p),
            Op::Hibernate => self.op_hibernate(p),
            Op::Await => self.op_await(p),
            Op::GroupLeader => self.op_group_leader(p),
            Op::SetGroupLeader => self.op_set_group_leader(p),
            Op::Yield => Ok(TRUE),
            Op::IsAlive
            | Op::Nodes
            | Op::NodeStart
            | Op::NodeStop
            | Op::NodeUp
            | Op::NodeOrigin
            | Op::FirstNode
            | Op::MonitorNode
            | Op::MonitorNodes => self.op_node(p, op),
            Op::Halt => self.op_halt(p),
            Op::PutChars => self.op_put_chars(p),
            Op::GetLine => self.op_get_line(p),
            Op::IsDevice => op_device(p),
            Op::Unread => op_unread(p),
            Op::SetEncoding => self.op_set_encoding(p),
            Op::GetEncoding => {
                let [device] = args(p);
                if device == Term::atom(Atom::new("binary")) {
                    return self.observe(p, None, |sys, _| Term::boolean(sys.binary_input));
                }
                let device = device_of(device)?.ok_or_else(badarg)?;
                self.observe(p, None, |sys, _| {
                    let unicode = sys.outside.is_unicode(device);
                    Term::atom(Atom::new(if unicode { "unicode" } else { "latin1" }))
                })
            }
            Op::Processes => {
                let node = p.pid.node();
                self.observe(p, None, |sys, heap| {
                    let pids = sys.table.pids().into_iter().filter(|pid| pid.node() == node);
                    let pids: Vec<Term> = pids.map(Term::pid).collect();
                    heap.make_list(&pids)
                })
            }
            Op::Registered => {
                let node = p.pid.node();
                self.give_runtime_names(node);
                self.read_names(p, node)?;
                self.observe(p, None, |sys, heap| {
                    let names = sys.resources.held_names(node, &sys.on_node(node));
                    let names: Vec<Term> = names.into_iter().map(Term::atom).collect();
                    heap.make_list(&names)
                })
            }
            Op::ProcessInfo => self.op_process_info(p),
            Op::ReadTimer => self.op_read_timer(p),
            Op::PersistentAll => self.op_persistent_all(p),
            Op::PersistentGet | Op::PersistentPut | Op::PersistentErase => self.op_persistent(p, op),
            Op::EnvGet | Op::EnvSet | Op::EnvUnset | Op::EnvAll => self.op_env(p, op),
            Op::CounterNew | Op::CounterInfo | Op::CounterGet | Op::CounterAdd | Op::CounterPut | Op::CounterSwap => {
                self.op_counter(p, op)
            }
            Op::Ets => self.op_ets(p),
            Op::ModuleLoaded | Op::EnsureLoaded => self.op_loaded(p, op),
            Op::Unsupported => self.op_unsupported(p),
            Op::ExistingAtom => self.op_existing_atom(p),
            Op::BinaryToTerm => self.op_binary_to_term(p),
            _ => self.op_input(p, op),
        }
    }

    /// All names of a node that a process was ever registered by are read: those that are free, too.
    fn read_names(&mut self, p: &Process<O::Log>, node: u16) -> Result<(), Interrupt> {
        let names: Vec<Resource> = match &p.feed {
            Some(feed) => {
                let all = feed.head().map_or(&[][..], |action| &action.accesses).iter();
                all.map(|access| access.resource).collect()
            }
            None => self.resources.used_names(node, &self.on_node(node)),
        };
        for name in names {
            self.read(p, name)?;
        }
        Ok(())
    }

    // ---- logged values -------------------------------------------------------------------------------------------

    /// A value from outside: made now, or taken from the log.
    fn input(
        &mut self,
        p: &mut Process<O::Log>,
        class: InputClass,
        make: impl FnOnce(&mut Self, &mut Heap) -> Term,
    ) -> Answer {
        self.input_and_send(p, class, 0, make)
    }

    /// The same by a step that also sends so many signals.
    pub(crate) fn input_and_send(
        &mut self,
        p: &mut Process<O::Log>,
        class: InputClass,
        sends: u32,
        make: impl FnOnce(&mut Self, &mut Heap) -> Term,
    ) -> Answer {
        self.expect(
            p,
            |k| matches!(k, Kind::Input { .. }),
            || "obtain a value from outside".to_owned(),
        )?;
        if let Some(Kind::Input { value }) = p.feed.as_ref().and_then(|f| f.head_kind()) {
            let value = value.clone();
            let again = matches!(class, InputClass::File | InputClass::Env);
            if again && p.feed.as_ref().is_some_and(crate::feed::Feed::is_beyond) {
                // What it did beyond the log to its simulated world is done again; the answer is the logged one.
                make(self, &mut p.machine.heap);
            }
            let term = match InputClass::split(&value) {
                Some((_, Some(bytes))) => self.decode(p, bytes)?,
                Some((class, None)) => {
                    let found = format!("it was left out of the trace (an input of class {})", class.word());
                    return Err(Interrupt::Diverged(self.divergence(p, REDACTED.to_owned(), found)));
                }
                None => self.decode(p, &[])?,
            };
            self.commit(p, Kind::Input { value }, sends, Detail::Value(term));
            return Ok(term);
        }
        let given = self.given();
        if let Some(value) = &given
            && let Some((_, Some(bytes))) = InputClass::split(value)
        {
            // What the program does to files and environment is done in the simulated world too.
            let made = matches!(class, InputClass::File | InputClass::Env).then(|| make(self, &mut p.machine.heap));
            let world = match class {
                InputClass::File | InputClass::Env => self.outside.last_touched(),
                _ => Touched::Unknown,
            };
            let other = made
                .filter(|_| world == Touched::Found)
                .is_some_and(|made| terms::encode(&self.program, &p.machine.heap, made) != bytes);
            let term = self.decode(p, bytes)?;
            let value = value.clone();
            if let Some(held) = &mut self.held_back {
                held.took_outside |= world == Touched::Unknown
                    && matches!(class, InputClass::File | InputClass::Stdin | InputClass::Command);
                held.other_files |= other;
            }
            self.commit(p, Kind::Input { value }, sends, Detail::Value(term));
            return Ok(term);
        }
        let term = make(self, &mut p.machine.heap);
        if let Some(held) = &mut self.held_back
            && class.is_of_the_outside()
            && (!matches!(class, InputClass::File | InputClass::Env) || self.outside.last_touched() == Touched::Unknown)
        {
            held.invented = Some(p.pid);
        }
        let value = if self.observer.redacts(class) {
            class.redacted()
        } else {
            class.wrap(&terms::encode(&self.program, &p.machine.heap, term))
        };
        self.commit(p, Kind::Input { value }, sends, Detail::Value(term));
        Ok(term)
    }

    /// A value that others can change: read now, or taken from the log.
    pub(crate) fn observe(
        &mut self,
        p: &mut Process<O::Log>,
        of: Option<log_format::ActionId>,
        make: impl FnOnce(&mut Self, &mut Heap) -> Term,
    ) -> Answer {
        self.observe_and_send(p, of, 0, make)
    }

    /// The same by a step that also sends so many signals.
    fn observe_and_send(
        &mut self,
        p: &mut Process<O::Log>,
        of: Option<log_format::ActionId>,
        sends: u32,
        make: impl FnOnce(&mut Self, &mut Heap) -> Term,
    ) -> Answer {
        self.expect(
            p,
            |k| matches!(k, Kind::Observe { .. }),
            || "look at the state of the system".to_owned(),
        )?;
        if let Some(Kind::Observe { of, value }) = p.feed.as_ref().and_then(|f| f.head_kind()) {
            let (of, value) = (*of, value.clone());
            let term = self.decode(p, &value)?;
            self.commit(p, Kind::Observe { of, value }, sends, Detail::Value(term));
            return Ok(term);
        }
        if let Some(value) = self.given() {
            let term = self.decode(p, &value)?;
            self.commit(p, Kind::Observe { of, value }, sends, Detail::Value(term));
            return Ok(term);
        }
        let term = make(self, &mut p.machine.heap);
        let value = terms::encode(&self.program, &p.machine.heap, term);
        self.commit(p, Kind::Observe { of, value }, sends, Detail::Value(term));
        Ok(term)
    }

    fn decode(&self, p: &mut Process<O::Log>, value: &[u8]) -> Answer {
        match terms::decode(&self.program, &mut p.machine.heap, value) {
            Some(term) => Ok(term),
            None if value.is_empty() => Err(Interrupt::Diverged(self.divergence(
                p,
                REDACTED.to_owned(),
                "it was left out of the trace (an observation)".to_owned(),
            ))),
            None => Err(Interrupt::Diverged(self.divergence(
                p,
                "use the logged value".to_owned(),
                "the logged value is damaged".to_owned(),
            ))),
        }
    }

    // ---- flags and introspection ---------------------------------------------------------------------------------

    /// The group leader of a process: the one it was born with, until somebody sets another.
    fn leader_resource(p: &Process<O::Log>) -> Resource {
        Resource::GroupLeader(ids::to_log(p.pid))
    }

    fn read_leader(&mut self, p: &Process<O::Log>) -> Result<Pid, Interrupt> {
        Ok(match self.read(p, Self::leader_resource(p))? {
            Value::Pid(leader) => leader,
            _ => p.group_leader,
        })
    }

    /// The same for a step that is logged anyway: nothing is read as long as nobody has set it.
    pub(crate) fn use_leader(&mut self, p: &Process<O::Log>) -> Result<Pid, Interrupt> {
        let resource = Self::leader_resource(p);
        let set = match &p.feed {
            Some(feed) => feed.access(resource).is_some(),
            None => self.resources.was_written(resource),
        };
        if set { self.read_leader(p) } else { Ok(p.group_leader) }
    }

    /// As it is now, for those who look at the process.
    pub(crate) fn leader_now(&self, p: &Process<O::Log>) -> Pid {
        self.resources
            .holder(Self::leader_resource(p))
            .unwrap_or(p.group_leader)
    }

    fn op_group_leader(&mut self, p: &mut Process<O::Log>) -> Answer {
        self.expect(
            p,
            |k| matches!(k, Kind::Access),
            || "ask for its group leader".to_owned(),
        )?;
        let leader = self.read_leader(p)?;
        self.commit(p, Kind::Access, 0, Detail::None);
        Ok(Term::pid(leader))
    }

    fn op_set_group_leader(&mut self, p: &mut Process<O::Log>) -> Answer {
        let [leader, target] = args(p);
        let leader = leader.as_pid().ok_or_else(badarg)?;
        let target = target.as_pid().ok_or_else(badarg)?;
        self.expect(p, |k| matches!(k, Kind::Access), || "set a group leader".to_owned())?;
        if target != p.pid && self.read_life(p, target)? != Life::Alive {
            self.commit(p, Kind::Access, 0, Detail::None);
            return Err(badarg());
        }
        let resource = Resource::GroupLeader(ids::to_log(target));
        self.write(p, resource, Value::Pid(leader), false)?;
        self.commit(p, Kind::Access, 0, Detail::None);
        Ok(TRUE)
    }

    fn op_process_info(&mut self, p: &mut Process<O::Log>) -> Answer {
        let [target, what] = args(p);
        let target = target
            .as_pid()
            .filter(|t| t.node() == p.pid.node())
            .ok_or_else(badarg)?;
        let items: Vec<Term> = if what == Term::NONE {
            [
                "registered_name",
                "current_function",
                "initial_call",
                "status",
                "message_queue_len",
                "links",
                "dictionary",
                "trap_exit",
                "error_handler",
                "priority",
                "group_leader",
                "total_heap_size",
                "heap_size",
                "stack_size",
                "reductions",
                "garbage_collection",
                "suspending",
            ]
            .iter()
            .map(|n| Term::atom(Atom::new(n)))
            .collect()
        } else if what.is_atom() {
            vec![what]
        } else {
            p.machine.heap.list(what).ok_or_else(badarg)?
        };
        for item in &items {
            let known = item.as_atom().is_some_and(|a| crate::info::ITEMS.contains(&a.as_str()));
            if !known {
                return Err(badarg());
            }
        }
        let single = what.is_atom();
        let all = what == Term::NONE;
        if self.is_runtime(p, target) {
            let heap = &mut p.machine.heap;
            let mut list = Vec::with_capacity(items.len());
            for name in items {
                let value = crate::runtime::item(heap, target, name.as_atom().map_or("", Atom::as_str));
                list.push(heap.make_tuple(&[name, value]));
            }
            return Ok(match list[..] {
                [one] if single => one,
                _ => heap.make_list(&list),
            });
        }
        if target == p.pid {
            let facts = crate::info::facts(self, p, true, &items);
            return self.observe(p, None, |_, heap| {
                crate::info::render(heap, &facts, &items, single, all)
            });
        }
        if p.feed.is_none() {
            // It is asked by a signal, which comes after all that the asker has sent.
            self.settle_all(p, target);
        }
        let facts = match self.table.by_pid(target) {
            Some(q) if p.feed.is_none() => Some((crate::info::facts(self, q, false, &items), q.actions)),
            _ => None,
        };
        let of = facts.as_ref().map(|(_, n)| ActionId::new(ids::to_log(target), *n));
        self.observe(p, of, |_, heap| match &facts {
            Some((facts, _)) => crate::info::render(heap, facts, &items, single, all),
            None => UNDEFINED,
        })
    }

    fn op_read_timer(&mut self, p: &mut Process<O::Log>) -> Answer {
        let [timer, options] = args(p);
        let View::Reference(reference) = p.machine.heap.view(timer) else {
            return Err(badarg());
        };
        let mut asynchronous = false;
        if options != Term::NONE && self.native_version() > 1 {
            for option in p.machine.heap.list(options).ok_or_else(badarg)? {
                match p.machine.heap.tuple(option) {
                    Some(&[key, value]) if key.as_atom() == Some(Atom::new("async")) => {
                        asynchronous = value.as_bool().ok_or_else(badarg)?;
                    }
                    _ => return Err(badarg()),
                }
            }
        }
        let driven = self.driven.as_ref().and_then(|_| self.timed_for(p, reference));
        let left = self.observe_and_send(p, None, u32::from(asynchronous), |sys, heap| {
            if let Some((_, left)) = driven {
                return heap.make_int(i64::try_from(left).unwrap_or(i64::MAX));
            }
            let now = sys.now();
            match sys.timer_set(reference) {
                Some(timer) => heap.make_int((timer.deadline.saturating_sub(now) / 1_000_000) as i64),
                None => Term::boolean(false),
            }
        })?;
        if !asynchronous {
            return Ok(left);
        }
        self.answer_of_timer(p, "read_timer", reference, left.as_small());
        Ok(OK)
    }

    // ---- halt, output, input -------------------------------------------------------------------------------------

    fn op_halt(&mut self, p: &mut Process<O::Log>) -> Answer {
        let [status, options] = args(p);
        if options != Term::NONE {
            let flush = |option: Term| match p.machine.heap.tuple(option) {
                Some(&[key, on]) => key.as_atom() == Some(Atom::new("flush")) && on.as_bool().is_some(),
                _ => false,
            };
            let known = p
                .machine
                .heap
                .list(options)
                .is_some_and(|list| list.into_iter().all(flush));
            if !known && self.native_version() > 1 {
                return Err(crate::effects::badarg_because("badopt"));
            }
        }
        let code = if status == Term::NONE {
            0
        } else if let Some(code) = status.as_small().filter(|&c| c >= 0) {
            code & 0xff
        } else if status.as_atom().map(Atom::as_str) == Some("abort") {
            134
        } else if let Some(list) = p.machine.heap.list(status) {
            // A slogan: OTP writes a crash dump and exits with status 1.
            let text: String = list
                .iter()
                .filter_map(|c| c.as_small().and_then(|c| char::from_u32(c as u32)))
                .collect();
            if p.feed.is_none() {
                let _ = self.outside.write(Device::Stderr, format!("{text}\n").as_bytes());
            }
            1
        } else {
            return Err(badarg());
        };
        if p.pid.node() != 0 {
            // It stops its own node.
            return self.node_stops(p, p.pid.node(), false);
        }
        self.expect(p, |k| matches!(k, Kind::Halt { .. }), || format!("halt({code})"))?;
        self.commit(p, Kind::Halt { code }, 0, Detail::None);
        Err(Interrupt::Halted(code))
    }

    /// Whether an atom exists is what all processes decide, and the tool's own atoms exist too: the answer is logged.
    fn op_existing_atom(&mut self, p: &mut Process<O::Log>) -> Answer {
        let args = p.machine.args().to_vec();
        // `list_to_existing_atom` takes no binary, the others take nothing else.
        let is_list = self.program.native(self.native).name.starts_with("list");
        if p.machine.heap.bytes(args[0]).is_some() == is_list {
            return Err(badarg());
        }
        let make = |sys: &Self, heap: &mut Heap, create| {
            let mut cx = interpreter::native::Context {
                heap,
                local: &mut sys.scratch_local(),
                code: &*sys.program,
            };
            interpreter::natives::convert::atom_of_text(&mut cx, &args, create)
        };
        let exists = self.observe(p, None, |sys, heap| Term::boolean(make(sys, heap, false).is_ok()))?;
        if exists != TRUE {
            return Err(badarg());
        }
        make(self, &mut p.machine.heap, true).map_err(Interrupt::Raise)
    }

    /// `binary_to_term/2`. With `safe` it asks whether all atoms of the term exist: that is observed. A term that holds others is an error.
    fn op_binary_to_term(&mut self, p: &mut Process<O::Log>) -> Answer {
        let [binary, options] = args(p);
        let (safe, used) = interpreter::natives::convert::decoding_options(&p.machine.heap, options)?;
        let decode = |sys: &Self, p: &mut Process<O::Log>, safe: bool| {
            let mut cx = interpreter::native::Context {
                heap: &mut p.machine.heap,
                local: &mut p.machine.local,
                code: &*sys.program,
            };
            interpreter::natives::convert::decode(&mut cx, binary, safe, used)
        };
        let head = p.feed.as_ref().map(crate::feed::Feed::head_kind);
        // Traces of older tools do not hold it.
        let unlogged = head.is_some_and(|head| !matches!(head, Some(Kind::Observe { of: None, .. })));
        if !safe || unlogged {
            return decode(self, p, safe).map_err(Interrupt::Raise);
        }
        let exists = p.feed.is_none() && decode(self, p, true).is_ok();
        if self.observe(p, None, |_, _| Term::boolean(exists))? == TRUE {
            decode(self, p, false).map_err(Interrupt::Raise)
        } else {
            Err(badarg())
        }
    }

    /// For natives that need nothing of a process but its heap.
    fn scratch_local(&self) -> interpreter::native::Local {
        interpreter::native::Local {
            pid: DEVICE,
            node: self.node_name(0),
            nodes: self.nodes.clone(),
            references: 0,
            dictionary: interpreter::dictionary::Dictionary::default(),
            charge: 0,
        }
    }

    /// `'$unsupported'(What, {M, F, Args})`: what the tool does not do is `undef`, with one line that says so (semantics.md §11).
    fn op_unsupported(&mut self, p: &mut Process<O::Log>) -> Answer {
        let [what, _] = args(p);
        let what = text(&p.machine.heap, what).ok_or_else(badarg)?;
        self.refuse(p, &what)
    }

    /// The same for what a native finds.
    pub(crate) fn refuse(&mut self, p: &Process<O::Log>, what: &str) -> Answer {
        if p.feed.is_none() {
            self.outside.flush();
            self.outside.note(&format!("tracer: not supported: {what}\n"));
        }
        Err(Interrupt::Raise(Raise::error(Term::atom(Atom::UNDEF))))
    }

    fn op_put_chars(&mut self, p: &mut Process<O::Log>) -> Answer {
        let [device, chars] = args(p);
        let bytes = p.machine.heap.bytes(chars).ok_or_else(badarg)?.into_owned();
        let own = device.as_atom().map(Atom::as_str) == Some("$own");
        let device = if own { Term::pid(self.use_leader(p)?) } else { device };
        let Some(device) = device_of(device)? else {
            if own {
                return self.own_protocol(p);
            }
            return Ok(Term::atom(Atom::new("protocol")));
        };
        self.expect(
            p,
            |k| matches!(k, Kind::Output { .. }),
            || "write to a device".to_owned(),
        )?;
        let logged = match device {
            Device::Stdout => log_format::Device::Stdout,
            Device::Stderr => log_format::Device::Stderr,
        };
        if p.feed.is_none() {
            // A closed pipe is no reason to change what the program does.
            let _ = self.outside.write(device, &bytes);
        }
        let kind = Kind::Output {
            device: logged,
            bytes: bytes.len() as u64,
        };
        self.commit(p, kind, 0, Detail::Output(&bytes));
        Ok(OK)
    }

    /// Output goes to a group leader that is a process: which one it is, is logged.
    fn own_protocol(&mut self, p: &mut Process<O::Log>) -> Answer {
        self.accesses.clear();
        self.expect(
            p,
            |k| matches!(k, Kind::Access),
            || "write to its group leader, a process".to_owned(),
        )?;
        let leader = self.read_leader(p)?;
        self.commit(p, Kind::Access, 0, Detail::None);
        Ok(p.machine
            .heap
            .make_tuple(&[Term::atom(Atom::new("protocol")), Term::pid(leader)]))
    }

    /// `'$set_encoding'(Device, latin1 | unicode)`: how characters beyond ASCII leave the tool; `binary | list`: what lines of standard input are
    /// to be. With each line it is logged what it is.
    fn op_set_encoding(&mut self, p: &mut Process<O::Log>) -> Answer {
        let [device, encoding] = args(p);
        let device = device_of(device)?.ok_or_else(badarg)?;
        let unicode = match encoding.as_atom().map(Atom::as_str) {
            Some(mode @ ("binary" | "list")) if device == Device::Stdout => {
                self.binary_input = mode == "binary";
                return Ok(OK);
            }
            Some("latin1") => false,
            Some("unicode" | "utf8") => true,
            _ => return Err(badarg()),
        };
        self.outside.set_encoding(device, unicode);
        Ok(OK)
    }

    fn op_get_line(&mut self, p: &mut Process<O::Log>) -> Answer {
        if let Some(tag) = due_waiting(p)
            && p.rare.unread.is_empty()
        {
            return Err(Interrupt::Killed(tag));
        }
        // What the process put back comes first: that is its own state, no input.
        let reads = p.rare.unread.is_empty() && p.feed.is_none();
        let prompts = if reads { self.turn_to_read(p)? } else { p.feed.is_none() };
        let [prompt] = args(p);
        if prompts
            && let Some(prompt) = p.machine.heap.bytes(prompt).map(std::borrow::Cow::into_owned)
            && !prompt.is_empty()
        {
            let _ = self.outside.write(Device::Stdout, &prompt);
            self.outside.flush();
        }
        let line = if reads { self.line_for_turn()? } else { Line::Eof };
        p.state = State::Ready;
        if !p.rare.unread.is_empty() {
            let bytes = p.rare.take(|rare| &mut rare.unread);
            let heap = &mut p.machine.heap;
            let rest = heap.make_binary(&bytes);
            return Ok(if p.rare.unread_binary {
                binary_line(heap, rest)
            } else {
                rest
            });
        }
        if line == Line::Interrupted {
            self.check_limits();
            return Err(Interrupt::Input);
        }
        self.has_read(p);
        let line = self.input(p, InputClass::Stdin, |sys, heap| match line {
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
        p.rare.unread_binary =
            matches!(p.machine.heap.tuple(line), Some(&[word, _]) if word != Term::atom(Atom::ERROR));
        Ok(line)
    }

    /// Every module of the program and of the library counts as loaded, as in OTP's embedded mode: that does not depend on who called what
    /// before.
    fn is_known(&self, module: Atom) -> bool {
        self.program.is_loaded(module)
            || interpreter::library::source(module.as_str()).is_some()
            || self.native_version() > 1 && self.program.has_natives(module.as_str())
    }

    fn op_loaded(&mut self, p: &mut Process<O::Log>, op: Op) -> Answer {
        let [module] = args(p);
        let module = module.as_atom().ok_or_else(badarg)?;
        let name = match p.machine.args().len() {
            1 if op == Op::ModuleLoaded => None,
            _ => Some(module),
        };
        if self.program.native(self.native).name == "is_loaded" {
            let known = self.is_known(module);
            if !known {
                return Ok(Term::boolean(false));
            }
            let file = p.machine.heap.make_string(&format!("{module}.beam"));
            return Ok(p.machine.heap.make_tuple(&[Term::atom(Atom::new("file")), file]));
        }
        let loaded = self.is_known(module)
            || matches!(
                self.loader.load(module, std::sync::Arc::make_mut(&mut self.program)),
                Ok(true)
            );
        Ok(match (name, loaded) {
            (None, loaded) => Term::boolean(loaded),
            (Some(m), true) => p
                .machine
                .heap
                .make_tuple(&[Term::atom(Atom::new("module")), Term::atom(m)]),
            (Some(_), false) => p
                .machine
                .heap
                .make_tuple(&[Term::atom(Atom::ERROR), Term::atom(Atom::new("nofile"))]),
        })
    }

    // ---- clocks and other inputs ---------------------------------------------------------------------------------

    /// Nanoseconds of the program's monotonic clock.
    pub(crate) fn monotonic_ns(&mut self) -> i64 {
        // OTP's monotonic time starts far below zero, so that programs do not rely on its sign.
        self.now() as i64 - MONOTONIC_OFFSET
    }

    /// The run's clock at a moment given in milliseconds of the program's monotonic clock.
    pub(crate) fn run_clock_at(&mut self, ms: i64) -> u64 {
        u64::try_from(ms.saturating_mul(1_000_000).saturating_add(MONOTONIC_OFFSET)).unwrap_or(0)
    }

    /// Replay: the clocks of what comes beyond the log are later than what the log told.
    fn not_before(&mut self, op: Op, told: i64, unit: i64) {
        let ns = i128::from(told) * 1_000_000_000 / i128::from(unit.max(1));
        let run = match op {
            Op::MonotonicTime => ns + i128::from(MONOTONIC_OFFSET),
            Op::SystemTime | Op::OsSystemTime => ns - i128::from(self.outside.simulated_start()),
            _ => return,
        };
        if let Clock::Virtual(now) = &mut self.clock {
            *now = u64::try_from(run).unwrap_or(0).max(*now);
        }
    }

    /// A moment of the run's clock as `erlang:timestamp/0` tells it, or in the program's monotonic time.
    pub(crate) fn time_of(&mut self, heap: &mut Heap, moment: u64, as_timestamp: bool) -> Term {
        if !as_timestamp {
            return heap.make_int(moment as i64 - MONOTONIC_OFFSET);
        }
        let ago = self.now().saturating_sub(moment) as i64;
        let us = (self.system_ns() - ago) / 1000;
        let parts = [us / 1_000_000_000_000, us / 1_000_000 % 1_000_000, us % 1_000_000].map(Term::small);
        heap.make_tuple(&parts)
    }

    fn system_ns(&mut self) -> i64 {
        match self.clock {
            Clock::Real => self.outside.system_time(),
            Clock::Virtual(now) => self.outside.simulated_start() + now as i64,
        }
    }

    fn op_input(&mut self, p: &mut Process<O::Log>, op: Op) -> Answer {
        let [first, second, third] = args(p);
        let name = self.program.native(self.native).name;
        match op {
            Op::MonotonicTime | Op::SystemTime | Op::OsSystemTime | Op::TimeOffset => {
                let unit = if first == Term::NONE {
                    1_000_000_000
                } else {
                    unit(&p.machine.heap, first)?
                };
                let answer = self.input(p, InputClass::Clock, |sys, heap| {
                    let ns = match op {
                        Op::MonotonicTime => sys.monotonic_ns(),
                        Op::TimeOffset => sys.system_ns() - sys.monotonic_ns(),
                        _ => sys.system_ns(),
                    };
                    let scaled = (i128::from(ns) * i128::from(unit)).div_euclid(1_000_000_000);
                    heap.make_int(i64::try_from(scaled).unwrap_or(i64::MAX))
                })?;
                if let Some(told) = answer.as_small().filter(|_| p.feed.is_some()) {
                    self.not_before(op, told, unit);
                }
                Ok(answer)
            }
            Op::Timestamp | Op::OsTimestamp => self.input(p, InputClass::Clock, |sys, heap| {
                let mut us = sys.system_ns() / 1000;
                if name == "now" {
                    // Each answer is later than the one before.
                    us = us.max(sys.last_now + 1);
                    sys.last_now = us;
                }
                let parts = [us / 1_000_000_000_000, us / 1_000_000 % 1_000_000, us % 1_000_000].map(Term::small);
                heap.make_tuple(&parts)
            }),
            Op::LocalTime => self.input(p, InputClass::Clock, |sys, heap| {
                let offset = if name == "universaltime" {
                    0
                } else {
                    i64::from(sys.zone_offset())
                };
                let seconds = sys.system_ns().div_euclid(1_000_000_000) + offset;
                let [y, mo, d, h, mi, s] = civil(seconds).map(Term::small);
                match name {
                    "date" => heap.make_tuple(&[y, mo, d]),
                    "time" => heap.make_tuple(&[h, mi, s]),
                    _ => {
                        let date = heap.make_tuple(&[y, mo, d]);
                        let time = heap.make_tuple(&[h, mi, s]);
                        heap.make_tuple(&[date, time])
                    }
                }
            }),
            Op::ToLocalTime => {
                let strict = self.native_version() > 1;
                let seconds = seconds_of(&p.machine.heap, first, strict).ok_or_else(badarg)?;
                // A zone here has one offset: summer time is what the argument says, an hour ahead.
                let summer = match second.as_atom().map(Atom::as_str) {
                    _ if !strict || second == Term::NONE => 0,
                    Some("true") => 3600,
                    Some("false" | "undefined") => 0,
                    _ => return Err(badarg()),
                };
                self.input(p, InputClass::Clock, |sys, heap| {
                    let offset = i64::from(sys.zone_offset());
                    let there = if name == "universaltime_to_localtime" {
                        offset
                    } else {
                        -offset - summer
                    };
                    let [y, mo, d, h, mi, s] = civil(seconds + there).map(Term::small);
                    let date = heap.make_tuple(&[y, mo, d]);
                    let time = heap.make_tuple(&[h, mi, s]);
                    heap.make_tuple(&[date, time])
                })
            }
            Op::UniqueInteger => {
                let options = if first == Term::NONE {
                    Vec::new()
                } else {
                    p.machine.heap.list(first).ok_or_else(badarg)?
                };
                let mut positive = false;
                for option in options {
                    match option.as_atom().map(Atom::as_str) {
                        Some("positive") => positive = true,
                        Some("monotonic") => {}
                        _ => return Err(badarg()),
                    }
                }
                self.input(p, InputClass::Unique, |sys, heap| {
                    sys.unique += 1;
                    heap.make_int(if positive {
                        sys.unique
                    } else {
                        sys.unique - UNIQUE_OFFSET
                    })
                })
            }
            Op::RandomSeed if self.driven.is_some() => {
                let seed = self.driven_seed(p.pid, p.actions) >> 6;
                self.input(p, InputClass::Random, |_, heap| heap.make_int(seed as i64))
            }
            Op::RandomSeed => self.input(p, InputClass::Random, |sys, heap| {
                let seed = sys.outside.entropy() >> 6;
                heap.make_int(seed as i64)
            }),
            Op::Statistics => self.op_statistics(p, name, first),
            Op::SystemInfo => self.op_system_info(p, first),
            Op::GetEnv => {
                if first == Term::NONE {
                    return self.input(p, InputClass::Env, |sys, heap| {
                        let all = sys.outside.variables();
                        let list: Vec<Term> = all.iter().map(|(k, v)| heap.make_string(&format!("{k}={v}"))).collect();
                        heap.make_list(&list)
                    });
                }
                if first.is_atom() && self.native_version() > 1 {
                    return Err(badarg());
                }
                let key = match self.native_version() {
                    0..3 => text(&p.machine.heap, first),
                    _ => variable_name(&p.machine.heap, first),
                };
                let key = key.ok_or_else(badarg)?;
                let default = if second == Term::NONE {
                    Term::boolean(false)
                } else {
                    second
                };
                let found = self.input(p, InputClass::Env, |sys, heap| match sys.outside.variable(&key) {
                    Some(value) => heap.make_string(&value),
                    None => Term::boolean(false),
                })?;
                Ok(if found == Term::boolean(false) { default } else { found })
            }
            Op::PutEnv => {
                let (key, value) = match self.native_version() {
                    1 => (text(&p.machine.heap, first), text(&p.machine.heap, second)),
                    _ => (variable_name(&p.machine.heap, first), chars(&p.machine.heap, second)),
                };
                let key = key.ok_or_else(badarg)?;
                let value = if name == "unsetenv" {
                    None
                } else {
                    Some(value.ok_or_else(badarg)?)
                };
                self.input(p, InputClass::Env, |sys, _| {
                    sys.outside.set_variable(&key, value.as_deref());
                    TRUE
                })
            }
            Op::Arguments => self.op_arguments(p, name, first),
            Op::ReadFile => {
                let path = text(&p.machine.heap, first).ok_or_else(badarg)?;
                self.input(p, InputClass::File, |sys, heap| match sys.outside.read_file(&path) {
                    Ok(bytes) => {
                        let bytes = heap.make_binary(&bytes);
                        heap.make_tuple(&[OK, bytes])
                    }
                    Err(posix) => heap.make_tuple(&[Term::atom(Atom::ERROR), Term::atom(Atom::new(&posix))]),
                })
            }
            Op::WriteFile => {
                let path = text(&p.machine.heap, first).ok_or_else(badarg)?;
                let bytes = p.machine.heap.bytes(second).ok_or_else(badarg)?.into_owned();
                let append = third.as_bool().ok_or_else(badarg)?;
                self.input(p, InputClass::File, |sys, heap| {
                    match sys.outside.write_file(&path, &bytes, append) {
                        Ok(()) => OK,
                        Err(posix) => heap.make_tuple(&[Term::atom(Atom::ERROR), Term::atom(Atom::new(&posix))]),
                    }
                })
            }
            Op::File => {
                let operation = first.as_atom().ok_or_else(badarg)?;
                let path = text(&p.machine.heap, second).ok_or_else(badarg)?;
                let extra = text(&p.machine.heap, third);
                let request = FileRequest::of(operation.as_str(), &path, extra.as_deref(), third.as_small())
                    .ok_or_else(badarg)?;
                self.input(p, InputClass::File, |sys, heap| {
                    let result = sys.outside.file(request);
                    files::answer(heap, result, &request)
                })
            }
            Op::Command => {
                let command = text(&p.machine.heap, first).ok_or_else(badarg)?;
                if let Some(tag) = due_waiting(p) {
                    return Err(Interrupt::Killed(tag));
                }
                // A driven process is told what the record holds.
                let recorded = p.feed.is_some() || self.held_back.is_some();
                let output = match recorded {
                    true => Vec::new(),
                    false => self.output_for(p, &command)?,
                };
                self.input(p, InputClass::Command, |_, heap| heap.make_binary(&output))
            }
            Op::ProcessId => self.input(p, InputClass::System, |sys, heap| {
                let id = sys.outside.process_id().to_string();
                heap.make_string(&id)
            }),
            _ => Err(Interrupt::Raise(Raise::badarg())),
        }
    }

    /// The moment, as OTP's logger writes it.
    pub(crate) fn stamp(&mut self) -> String {
        let now = self.system_ns();
        let offset = i64::from(self.zone_offset());
        let [year, month, day, hour, minute, second] = civil(now.div_euclid(1_000_000_000) + offset);
        let months = [
            "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
        ];
        let month = months[(month - 1) as usize % 12];
        let micros = now.rem_euclid(1_000_000_000) / 1000;
        format!("{day}-{month}-{year}::{hour:02}:{minute:02}:{second:02}.{micros:06}")
    }

    fn zone_offset(&mut self) -> i32 {
        match self.clock {
            Clock::Real => self.outside.zone_offset(),
            Clock::Virtual(_) => 0,
        }
    }

    fn op_statistics(&mut self, p: &mut Process<O::Log>, name: &str, what: Term) -> Answer {
        let key = what.as_atom().map(Atom::as_str);
        if name == "memory" {
            let single = key.is_some();
            let known = |t: &Term| t.as_atom().is_some_and(|key| MEMORY.contains(&key.as_str()));
            let all = MEMORY.iter().map(|key| Term::atom(Atom::new(key))).collect();
            let asked: Vec<Term> = match what {
                _ if self.native_version() < 2 => all,
                Term::NONE => all,
                one if single => vec![one],
                list => p.machine.heap.list(list).ok_or_else(badarg)?,
            };
            if !asked.iter().all(known) {
                return Err(badarg());
            }
            return self.input(p, InputClass::System, |sys, heap| {
                let words: usize = sys.table.iter().map(|q| q.machine.heap.len()).sum();
                let bytes = Term::small(words as i64 * 8);
                if single {
                    return bytes;
                }
                let rows: Vec<Term> = asked.iter().map(|key| heap.make_tuple(&[*key, bytes])).collect();
                heap.make_list(&rows)
            });
        }
        match key {
            Some("runtime" | "wall_clock") => self.input(p, InputClass::System, |sys, heap| {
                let total = (sys.now() / 1_000_000) as i64;
                let last = std::mem::replace(&mut sys.last_statistics, total);
                heap.make_tuple(&[Term::small(total), Term::small(total - last)])
            }),
            Some("reductions" | "exact_reductions") => self.input(p, InputClass::System, |sys, heap| {
                let total = Term::small(sys.total_actions as i64);
                heap.make_tuple(&[total, total])
            }),
            Some("run_queue" | "total_run_queue_lengths") => self.input(p, InputClass::System, |_, _| Term::small(0)),
            Some("context_switches") => self.input(p, InputClass::System, |sys, heap| {
                heap.make_tuple(&[Term::small(sys.total_actions as i64), Term::small(0)])
            }),
            Some("garbage_collection") => {
                self.input(p, InputClass::System, |_, heap| heap.make_tuple(&[Term::small(0); 3]))
            }
            Some("scheduler_wall_time" | "scheduler_wall_time_all") => {
                let key = ["system_flag", "scheduler_wall_time"].map(|word| Term::atom(Atom::new(word)));
                let key = p.machine.heap.make_tuple(&key);
                let flag = self.env_resource(p, Term::atom(Atom::new("$system")), Some(key));
                self.input(p, InputClass::System, |sys, heap| {
                    let on = matches!(sys.resources.newest(flag), Value::Term(value) if heap.import(&value) == TRUE);
                    if !on {
                        return UNDEFINED;
                    }
                    // The one scheduler is always at work.
                    let now = Term::small(sys.now() as i64);
                    let row = heap.make_tuple(&[Term::small(1), now, now]);
                    heap.make_list(&[row])
                })
            }
            Some("io") => self.input(p, InputClass::System, |_, heap| {
                let input = heap.make_tuple(&[Term::atom(Atom::new("input")), Term::small(0)]);
                let output = heap.make_tuple(&[Term::atom(Atom::new("output")), Term::small(0)]);
                heap.make_tuple(&[input, output])
            }),
            _ => Err(badarg()),
        }
    }

    fn op_system_info(&mut self, p: &mut Process<O::Log>, what: Term) -> Answer {
        let key = what.as_atom().ok_or_else(badarg)?.as_str();
        let limit = self.limits.processes as i64;
        self.input_or_badarg(p, |sys, heap| {
            Some(match key {
                "otp_release" => heap.make_string("25"),
                "version" => heap.make_string("13.1.5"),
                "system_version" => heap.make_string("Erlang/OTP 25 [erts-13.1.5] [tracer]\n"),
                "system_architecture" => heap.make_string("tracer"),
                "machine" => heap.make_string("BEAM"),
                "wordsize" => Term::small(8),
                "schedulers"
                | "schedulers_online"
                | "logical_processors"
                | "logical_processors_available"
                | "logical_processors_online"
                | "dirty_cpu_schedulers"
                | "dirty_cpu_schedulers_online"
                | "scheduler_id" => Term::small(1),
                "dirty_io_schedulers" => Term::small(10),
                "process_count" => Term::small(sys.table.living() as i64),
                "process_limit" => Term::small(limit),
                "atom_limit" => Term::small(1_048_576),
                "port_limit" => Term::small(65_536),
                "ets_limit" => Term::small(8192),
                "port_count" => Term::small(0),
                "atom_count" => Term::small(Atom::count() as i64),
                "smp_support" | "threads" => Term::boolean(true),
                "tolerant_timeofday" => Term::atom(Atom::new("enabled")),
                "time_warp_mode" => Term::atom(Atom::new("no_time_warp")),
                "emu_flavor" | "emu_type" => Term::atom(Atom::new("emu")),
                _ => return None,
            })
        })
    }

    fn input_or_badarg(
        &mut self,
        p: &mut Process<O::Log>,
        make: impl FnOnce(&mut Self, &mut Heap) -> Option<Term>,
    ) -> Answer {
        let refused = Term::atom(Atom::new("$badarg"));
        let value = self.input(p, InputClass::System, |sys, heap| make(sys, heap).unwrap_or(refused))?;
        if value == refused { Err(badarg()) } else { Ok(value) }
    }

    fn op_arguments(&mut self, p: &mut Process<O::Log>, name: &str, flag: Term) -> Answer {
        let arguments = self.arguments.clone();
        let _ = flag;
        self.input(p, InputClass::Arguments, |_, heap| match name {
            "get_plain_arguments" => {
                let list: Vec<Term> = arguments.iter().map(|a| heap.make_string(a)).collect();
                heap.make_list(&list)
            }
            "get_arguments" => Term::NIL,
            _ => Term::atom(Atom::ERROR),
        })
    }
}

/// What `erlang:memory/1` knows.
const MEMORY: [&str; 9] = [
    "total",
    "processes",
    "processes_used",
    "system",
    "atom",
    "atom_used",
    "binary",
    "code",
    "ets",
];

/// How far the program's monotonic clock starts below zero: about as far as OTP's.
const MONOTONIC_OFFSET: i64 = 576_460_752_303_423_488;
/// How far unique integers start below zero.
const UNIQUE_OFFSET: i64 = 576_460_752_303_423_488;

/// Parts per second of a time unit.
fn unit(heap: &Heap, t: Term) -> Result<i64, Interrupt> {
    if let Some(n) = t.as_small().filter(|&n| n > 0) {
        return Ok(n);
    }
    let _ = heap;
    match t.as_atom().map(Atom::as_str) {
        Some("second" | "seconds") => Ok(1),
        Some("millisecond" | "milli_seconds") => Ok(1000),
        Some("microsecond" | "micro_seconds") => Ok(1_000_000),
        Some("nanosecond" | "nano_seconds" | "native" | "perf_counter") => Ok(1_000_000_000),
        _ => Err(badarg()),
    }
}

/// A string or binary as text.
/// The name of an environment variable: a list of characters with no `=` but the first.
fn variable_name(heap: &Heap, t: Term) -> Option<String> {
    chars(heap, t).filter(|name| !name.chars().skip(1).any(|c| c == '='))
}

/// A flat list of characters.
fn chars(heap: &Heap, t: Term) -> Option<String> {
    heap.list(t)?;
    text(heap, t)
}

fn text(heap: &Heap, t: Term) -> Option<String> {
    if let Some(bytes) = heap.bytes(t) {
        return String::from_utf8(bytes.into_owned()).ok();
    }
    if let Some(atom) = t.as_atom() {
        return Some(atom.as_str().to_owned());
    }
    heap.list(t)?
        .iter()
        .map(|c| c.as_small().and_then(|c| char::from_u32(u32::try_from(c).ok()?)))
        .collect()
}

/// Year, month, day, hour, minute, second of seconds since 1970 (proleptic Gregorian calendar).
pub fn civil(seconds: i64) -> [i64; 6] {
    let (days, rest) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    // Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", civil_from_days.
    let z = days + 719_468;
    let era = z.div_euclid(146_097);
    let doe = z.rem_euclid(146_097);
    let yoe = (doe - doe / 1460 + doe / 36_524 - doe / 146_096) / 365;
    let doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
    let mp = (5 * doy + 2) / 153;
    let day = doy - (153 * mp + 2) / 5 + 1;
    let month = if mp < 10 { mp + 3 } else { mp - 9 };
    let year = yoe + era * 400 + i64::from(month <= 2);
    [year, month, day, rest / 3600, rest / 60 % 60, rest % 60]
}

/// Seconds since 1970 of `{{Y,M,D},{H,Mi,S}}`. Strictly: only of a date and a time that exist, in a year that OTP converts.
fn seconds_of(heap: &Heap, t: Term, strict: bool) -> Option<i64> {
    let &[date, time] = heap.tuple(t)? else { return None };
    let numbers = |t: Term| -> Option<[i64; 3]> {
        let &[a, b, c] = heap.tuple(t)? else { return None };
        Some([a.as_small()?, b.as_small()?, c.as_small()?])
    };
    let [y, m, d] = numbers(date)?;
    let [h, mi, s] = numbers(time)?;
    if !(1..=12).contains(&m) || !(1..=31).contains(&d) {
        return None;
    }
    if strict {
        let leap = y % 4 == 0 && y % 100 != 0 || y % 400 == 0;
        let days = match m {
            2 => 28 + i64::from(leap),
            4 | 6 | 9 | 11 => 30,
            _ => 31,
        };
        let years = 1902..i64::from(i32::MAX);
        if d > days || !years.contains(&y) || !(0..24).contains(&h) || !(0..60).contains(&mi) || !(0..60).contains(&s) {
            return None;
        }
    } else if !(0..=9999).contains(&y) {
        return None;
    }
    // Howard Hinnant, days_from_civil.
    let y = if m <= 2 { y - 1 } else { y };
    let era = y.div_euclid(400);
    let yoe = y.rem_euclid(400);
    let doy = (153 * (if m > 2 { m - 3 } else { m + 9 }) + 2) / 5 + d - 1;
    let doe = yoe * 365 + yoe / 4 - yoe / 100 + doy;
    Some((era * 146_097 + doe - 719_468) * 86_400 + h * 3600 + mi * 60 + s)
}

/// The system's device that a term names; `None` for a process of the program, or the name of one: it is asked by messages.
fn device_of(device: Term) -> Result<Option<Device>, Interrupt> {
    if let Some(device) = device.as_pid().and_then(crate::runtime::device_of) {
        return Ok(Some(device));
    }
    match device.as_atom().map(Atom::as_str) {
        Some("standard_error") => Ok(Some(Device::Stderr)),
        Some("standard_io" | "user") => Ok(Some(Device::Stdout)),
        _ if device.is_pid() || device.is_atom() => Ok(None),
        _ => Err(badarg()),
    }
}

/// `'$device'(Device)`: `ok` for a device of the system's, `protocol` for a process.
fn op_device<L>(p: &mut Process<L>) -> Answer {
    let [device] = args(p);
    Ok(match device_of(device)? {
        Some(_) => OK,
        None => Term::atom(Atom::new("protocol")),
    })
}

/// A line of standard input for a program that wants binaries.
fn binary_line(heap: &mut Heap, text: Term) -> Term {
    heap.make_tuple(&[Term::atom(Atom::new("binary")), text])
}

/// `'$unread'(Binary)`: what was read and not used goes back, for the next read of this process.
fn op_unread<L>(p: &mut Process<L>) -> Answer {
    let [rest] = args(p);
    let bytes = p.machine.heap.bytes(rest).ok_or_else(badarg)?.into_owned();
    p.rare.unread.splice(0..0, bytes);
    Ok(OK)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_calendar_is_right_around_leap_days() {
        for (seconds, expected) in [
            (0, [1970, 1, 1, 0, 0, 0]),
            (951_782_399, [2000, 2, 28, 23, 59, 59]),
            (951_782_400, [2000, 2, 29, 0, 0, 0]),
            (4_107_542_400, [2100, 3, 1, 0, 0, 0]),
            (-1, [1969, 12, 31, 23, 59, 59]),
        ] {
            assert_eq!(civil(seconds), expected);
        }
    }
}

//! Tracing (`erlang:trace/3`): messages about what a process does, sent with the actions that this is.
//!
//! What is traced is a value of the environment of the node, which `lib/erlang.erl` makes: `{Processes, New, Calls}`. A step that sends such a message,
//! or makes a process that is traced, reads it. Other steps do not depend on it, so nothing is logged of it as long as nothing is traced.

use interpreter::atom::Atom;
use interpreter::heap::{Fragment, Heap};
use interpreter::term::{Pid, Term};
use log_format::{Access, Resource};

use crate::ops::ets::matching::Spec;
use crate::state::rare::Traced;
use crate::state::resources::Value;
use crate::state::signal::Signal;
use crate::step::{Interrupt, Step};

/// The flags that a traced process can have, and their bits.
pub(crate) const FLAGS: [(&str, u8); 4] = [("arity", 1), ("call", 2), ("procs", 4), ("set_on_spawn", 8)];
const ARITY: u8 = 1;
const CALL: u8 = 2;
const PROCS: u8 = 4;
const SET_ON_SPAWN: u8 = 8;

/// Something that the flag `procs` tells.
pub(crate) enum ProcessEvent<'a> {
    /// It has made a process, which runs this (in the heap of the one that acts).
    Spawn(Pid, [Term; 3]),
    /// It was made by a process.
    Spawned(Pid, [Term; 3]),
    Register(Atom),
    Unregister(Atom),
    Exit(&'a Fragment),
}

/// The messages of a step about what is traced, and the access that they follow from.
pub(crate) struct Traces {
    access: Access,
    messages: Vec<(Pid, Fragment)>,
}

/// What is traced on a node.
struct Tracing {
    access: Access,
    /// Where the terms are.
    heap: Heap,
    /// `{Pid, [{add, Flags, Tracer} | {remove, Flags}]}`, the oldest change first.
    processes: Vec<Term>,
    /// What processes that are born from now on have: `{Flags, Tracer}`, or `none`.
    new: Term,
    /// `{{M, F, A}, Spec, Given}`. A match specification is one for tables, on the arguments as a tuple; `[]` stands for one that takes all.
    calls: Vec<Term>,
}

fn word(text: &str) -> Term {
    Term::atom(Atom::new(text))
}

/// The bits of a list of flags.
fn bits(heap: &Heap, flags: Term) -> u8 {
    let names = heap.list(flags).unwrap_or_default();
    let names = names.iter().filter_map(|name| name.as_atom());
    let bit = |name: Atom| FLAGS.iter().find(|(known, _)| *known == name.as_str());
    names.filter_map(bit).fold(0, |all, (_, bit)| all | bit)
}

impl Tracing {
    /// How a process is traced, if it is. `inherited`: what it was born with.
    fn of(&self, pid: Pid, inherited: Option<Traced>) -> Option<Traced> {
        let mut traced = inherited;
        for entry in &self.processes {
            let Some(&[of, changes]) = self.heap.tuple(*entry) else {
                continue;
            };
            if of.as_pid() != Some(pid) {
                continue;
            }
            for change in self.heap.list(changes).unwrap_or_default() {
                match self.heap.tuple(change) {
                    Some(&[_, flags, tracer]) => {
                        let before = traced.map_or(0, |traced| traced.flags);
                        let flags = before | bits(&self.heap, flags);
                        traced = tracer.as_pid().map(|tracer| Traced { flags, tracer });
                    }
                    Some(&[_, flags]) => {
                        let gone = bits(&self.heap, flags);
                        traced = traced.map(|traced| Traced {
                            flags: traced.flags & !gone,
                            ..traced
                        });
                    }
                    _ => {}
                }
            }
        }
        traced.filter(|traced| traced.flags != 0)
    }

    fn of_new(&self) -> Option<Traced> {
        let &[flags, tracer] = self.heap.tuple(self.new)? else {
            return None;
        };
        let (flags, tracer) = (bits(&self.heap, flags), tracer.as_pid()?);
        Some(Traced { flags, tracer })
    }

    fn message(&mut self, of: Pid, parts: &[Term]) -> Fragment {
        let all: Vec<Term> = [word("trace"), Term::pid(of)].iter().chain(parts).copied().collect();
        let message = self.heap.make_tuple(&all);
        self.heap.export(message)
    }
}

impl Step<'_> {
    /// What is traced on this node.
    pub(crate) fn tracing_key(&mut self) -> Resource {
        self.env_resource(word("$system"), Some(word("trace")))
    }

    /// The same, if the step may depend on it.
    fn tracing_resource(&mut self) -> Option<Resource> {
        let is_read = |access: &Access| !access.write && matches!(access.resource, Resource::Env(_));
        match self.logged_accesses() {
            Some(accesses) if accesses.iter().any(is_read) => {
                let key = self.tracing_key();
                self.logged_access(key).filter(|access| !access.write).map(|_| key)
            }
            Some(_) => None,
            None => self.world.is_tracing.then(|| self.tracing_key()),
        }
    }

    fn tracing(&mut self) -> Result<Option<Tracing>, Interrupt> {
        let Some(key) = self.tracing_resource() else {
            return Ok(None);
        };
        let (access, value) = match self.process.mode.order() {
            None => {
                let (version, by) = self.world.resources.last_write(key);
                (Access::read(key, version, by), self.world.resources.newest(key))
            }
            Some(order) => {
                let read = order.reads(key, &self.world.resources);
                read.map_err(|held| self.held(held, "be traced"))?
            }
        };
        let Value::Term(value) = value else { return Ok(None) };
        let mut heap = Heap::new(self.world.program.literals().clone());
        let all = heap.import(&value);
        let Some(&[processes, new, calls]) = heap.tuple(all) else {
            return Ok(None);
        };
        Ok(Some(Tracing {
            access,
            processes: heap.list(processes).unwrap_or_default(),
            new,
            calls: heap.list(calls).unwrap_or_default(),
            heap,
        }))
    }

    /// What a process of this node was born with.
    fn inherited(&self, pid: Pid) -> Option<Traced> {
        if pid == self.process.pid {
            return self.process.rare.traced;
        }
        self.world.table.by_pid(pid).and_then(|q| q.rare.traced)
    }

    fn note_trace(&mut self, access: Access, message: Option<(Pid, Fragment)>) {
        let messages = Vec::new();
        let traces = self.aside().traces.get_or_insert(Traces { access, messages });
        traces.messages.extend(message);
    }

    /// An event of a process of this node: if the process is traced so, the action that this step becomes sends a message.
    pub(crate) fn traces(&mut self, of: Pid, event: ProcessEvent<'_>) -> Result<(), Interrupt> {
        let Some(tracing) = self.tracing()? else { return Ok(()) };
        let traced = tracing.of(of, self.inherited(of));
        self.tells(tracing, of, traced, event);
        Ok(())
    }

    fn tells(&mut self, mut tracing: Tracing, of: Pid, traced: Option<Traced>, event: ProcessEvent<'_>) {
        let Some(traced) = traced.filter(|traced| traced.flags & PROCS != 0 && traced.tracer != of) else {
            return;
        };
        let message = match event {
            ProcessEvent::Spawn(child, call) => {
                let call = self.call_term(&mut tracing.heap, call);
                tracing.message(of, &[word("spawn"), Term::pid(child), call])
            }
            ProcessEvent::Spawned(parent, call) => {
                let call = self.call_term(&mut tracing.heap, call);
                tracing.message(of, &[word("spawned"), Term::pid(parent), call])
            }
            ProcessEvent::Register(name) => tracing.message(of, &[word("register"), Term::atom(name)]),
            ProcessEvent::Unregister(name) => tracing.message(of, &[word("unregister"), Term::atom(name)]),
            ProcessEvent::Exit(reason) => {
                let reason = tracing.heap.import(reason);
                tracing.message(of, &[word("exit"), reason])
            }
        };
        self.note_trace(tracing.access, Some((traced.tracer, message)));
    }

    /// What a process is spawned to run, as `{M, F, Args}`.
    fn call_term(&self, heap: &mut Heap, [module, function, args]: [Term; 3]) -> Term {
        let args = heap.import(&self.process.machine.heap.export(args));
        let args = match heap.list(args) {
            Some(_) => args,
            None => heap.make_list(&[args, Term::NIL]),
        };
        heap.make_tuple(&[module, function, args])
    }

    /// A process is spawned on this node. How the new one is traced: as its parent, if that passes its flags on, or as all new ones.
    pub(crate) fn traces_spawn(&mut self, child: Pid, call: [Term; 3]) -> Result<Option<Traced>, Interrupt> {
        let Some(tracing) = self.tracing()? else {
            return Ok(None);
        };
        let me = self.process.pid;
        let own = tracing.of(me, self.process.rare.traced);
        let born = own
            .filter(|own| own.flags & SET_ON_SPAWN != 0)
            .or_else(|| tracing.of_new());
        if born.is_some() {
            self.note_trace(tracing.access, None);
        }
        self.tells(tracing, me, own, ProcessEvent::Spawn(child, call));
        if born.is_some()
            && let Some(tracing) = self.tracing()?
        {
            self.tells(tracing, child, born, ProcessEvent::Spawned(me, call));
        }
        Ok(born)
    }

    /// The process ends, and loses its names.
    pub(crate) fn traces_end(&mut self, reason: &Fragment) -> Result<(), Interrupt> {
        if self.tracing_resource().is_none() {
            return Ok(());
        }
        let me = self.process.pid;
        self.traces(me, ProcessEvent::Exit(reason))?;
        for name in self.names_lost() {
            self.traces(me, ProcessEvent::Unregister(name))?;
        }
        Ok(())
    }

    /// The names that the process has at its end; in a replay, those that the log frees.
    fn names_lost(&self) -> Vec<Atom> {
        let Some(accesses) = self.logged_accesses() else {
            return self.process.rare.names.clone();
        };
        let node = self.world.on_node(self.process.pid.node());
        let texts = self.world.resources.texts();
        let name_of = |access: &Access| match access.resource {
            Resource::Name(text) if access.write => {
                let text = texts.get(text.0 as usize)?;
                Some(Atom::new(text.strip_suffix(node.as_str()).unwrap_or(text)))
            }
            _ => None,
        };
        accesses.iter().filter_map(name_of).collect()
    }

    /// The process calls a native of the system: if such calls of it are traced, the action sends a message.
    pub(crate) fn traces_call(&mut self) -> Result<(), Interrupt> {
        let Some(mut tracing) = self.tracing()? else {
            return Ok(());
        };
        let me = self.process.pid;
        let traced = tracing.of(me, self.process.rare.traced);
        let Some(traced) = traced.filter(|traced| traced.flags & CALL != 0 && traced.tracer != me) else {
            return Ok(());
        };
        let native = self.world.program.native(self.native);
        let function = [
            word(native.module),
            word(native.name),
            Term::small(i64::from(native.arity)),
        ];
        let spec = tracing.calls.iter().find_map(|call| {
            let &[of, spec, _] = tracing.heap.tuple(*call)? else {
                return None;
            };
            (tracing.heap.tuple(of)? == function).then_some(spec)
        });
        let Some(spec) = spec else { return Ok(()) };
        let args = self.process.machine.args().iter();
        let args = args.map(|arg| tracing.heap.import(&self.process.machine.heap.export(*arg)));
        let args: Vec<Term> = args.collect();
        let object = tracing.heap.make_tuple(&args);
        let release = self.release();
        let local = &mut self.process.machine.local;
        let fits = match Spec::read(&tracing.heap, spec, release) {
            Some(spec) => spec
                .run(&mut tracing.heap, &*self.world.program, local, object)
                .is_some(),
            None => true,
        };
        let message = fits.then(|| {
            let args = match traced.flags & ARITY {
                0 => tracing.heap.make_list(&args),
                _ => function[2],
            };
            let call = tracing.heap.make_tuple(&[function[0], function[1], args]);
            (traced.tracer, tracing.message(me, &[word("call"), call]))
        });
        self.note_trace(tracing.access, message);
        Ok(())
    }

    /// The messages of this step about what is traced, before it is committed: how many there are.
    #[cold]
    pub(crate) fn counts_traces(&mut self) -> u32 {
        let Some(traces) = &self.aside().traces else { return 0 };
        let (access, count) = (traces.access, traces.messages.len());
        self.accesses.push(access);
        count as u32
    }

    /// Sends them, after the commit.
    #[cold]
    pub(crate) fn sends_traces(&mut self) {
        let traces = self.aside().traces.take();
        for (to, message) in traces.into_iter().flat_map(|traces| traces.messages) {
            let tag = self.process.next_tag();
            self.deliver(to, tag, Signal::Message(message));
        }
    }
}

//! Spawning a process.

mod failed;
pub(super) mod options;
mod request;

use interpreter::atom::Atom;
use interpreter::heap::TermView;
use interpreter::native::{NativeClass, Raise};
use interpreter::term::{Pid, Reference, Term};
use interpreter::vm;
use log_format::{Kind, Node, Resource};

use crate::ids;
use crate::ids::Slot;
use crate::observer::Detail;
use crate::ops::spawn::options::{Replies, SpawnOptions, spawn_options};
use crate::ops::{OK, OpResult, Operation, badarg, new_reference};
use crate::state::flags::Flags;
use crate::state::mode::Decides;
use crate::state::process::Birth;
use crate::state::process::Parent;
use crate::state::rare::Monitor;
use crate::step::{Interrupt, Step};

pub(super) const OPERATIONS: &[Operation] = &[
    Operation::new("erlang", "spawn", 1, NativeClass::Effect, spawn),
    Operation::new("erlang", "spawn", 2, NativeClass::Effect, spawn),
    Operation::new("erlang", "spawn", 3, NativeClass::Effect, spawn),
    Operation::new("erlang", "spawn", 4, NativeClass::Effect, spawn),
    Operation::new("erlang", "spawn_link", 1, NativeClass::Effect, spawn_link),
    Operation::new("erlang", "spawn_link", 2, NativeClass::Effect, spawn_link),
    Operation::new("erlang", "spawn_link", 3, NativeClass::Effect, spawn_link),
    Operation::new("erlang", "spawn_link", 4, NativeClass::Effect, spawn_link),
    Operation::new("erlang", "spawn_monitor", 1, NativeClass::Effect, spawn_monitor),
    Operation::new("erlang", "spawn_monitor", 2, NativeClass::Effect, spawn_monitor),
    Operation::new("erlang", "spawn_monitor", 3, NativeClass::Effect, spawn_monitor),
    Operation::new("erlang", "spawn_monitor", 4, NativeClass::Effect, spawn_monitor),
    Operation::new("erlang", "spawn_opt", 2, NativeClass::Effect, spawn_opt),
    Operation::new("erlang", "spawn_opt", 3, NativeClass::Effect, spawn_opt),
    Operation::new("erlang", "spawn_opt", 4, NativeClass::Effect, spawn_opt),
    Operation::new("erlang", "spawn_opt", 5, NativeClass::Effect, spawn_opt),
    Operation::new(
        "erlang",
        "spawn_request",
        1,
        NativeClass::Effect,
        request::spawn_request,
    ),
    Operation::new(
        "erlang",
        "spawn_request",
        2,
        NativeClass::Effect,
        request::spawn_request,
    ),
    Operation::new(
        "erlang",
        "spawn_request",
        3,
        NativeClass::Effect,
        request::spawn_request,
    ),
    Operation::new(
        "erlang",
        "spawn_request",
        4,
        NativeClass::Effect,
        request::spawn_request,
    ),
    Operation::new(
        "erlang",
        "spawn_request",
        5,
        NativeClass::Effect,
        request::spawn_request,
    ),
];

pub(super) const ABANDON: &[Operation] = &[Operation::new(
    "erlang",
    "spawn_request_abandon",
    1,
    NativeClass::Pure,
    request::spawn_request_abandon,
)];

fn spawn(step: &mut Step<'_>) -> OpResult {
    spawn_with(step, SpawnOptions::default())
}

fn spawn_link(step: &mut Step<'_>) -> OpResult {
    let options = SpawnOptions {
        link: true,
        shown: "[link]".to_owned(),
        ..SpawnOptions::default()
    };
    spawn_with(step, options)
}

fn spawn_monitor(step: &mut Step<'_>) -> OpResult {
    let options = SpawnOptions {
        monitor: true,
        fun_of_no_arguments: true,
        shown: "[monitor]".to_owned(),
        ..SpawnOptions::default()
    };
    spawn_with(step, options)
}

fn spawn_with(step: &mut Step<'_>, options: SpawnOptions) -> OpResult {
    let call = step.process.machine.args().to_vec();
    step.spawn_with(&call, &options)
}

fn spawn_opt(step: &mut Step<'_>) -> OpResult {
    let given = step.process.machine.args().to_vec();
    let (&list, call) = given.split_last().expect("spawn_opt has arguments");
    let is_fun = |t: &Term| {
        matches!(
            step.process.machine.heap.view(*t),
            TermView::Fun { .. } | TermView::ExternalFun { .. }
        )
    };
    if call.len() < 3 && !call.last().is_some_and(is_fun) {
        return Err(badarg());
    }
    let release = step.release();
    let mut options = spawn_options(step.process, list, false, release)?;
    if list != Term::NIL {
        let style = interpreter::print::Style::unicode(&*step.world.program);
        options.shown = interpreter::print::write(&step.process.machine.heap, list, -1, &style);
    }
    step.spawn_with(call, &options)
}

impl Step<'_> {
    pub(crate) fn spawn_with(&mut self, call: &[Term], options: &SpawnOptions) -> OpResult {
        match *call {
            [fun] => self.spawn_fun(None, fun, options),
            [node, fun] => self.spawn_fun(Some(node), fun, options),
            [m, f, a] => self.spawn_call(None, [m, f, a], options),
            [node, m, f, a] => self.spawn_call(Some(node), [m, f, a], options),
            _ => Err(badarg()),
        }
    }

    pub(crate) fn spawn_fun(&mut self, node: Option<Term>, fun: Term, options: &SpawnOptions) -> OpResult {
        let call = match self.process.machine.heap.view(fun) {
            TermView::Fun { id, arity: 0, .. } => {
                let info = interpreter::native::CodeInfo::fun(&*self.world.program, id);
                (info.name.module, info.function, 0)
            }
            TermView::ExternalFun {
                module,
                function,
                arity: 0,
            } => (module, function, 0),
            // The call fails in the new process; only `spawn_monitor` checks first.
            TermView::Fun { .. } | TermView::ExternalFun { .. } if !options.fun_of_no_arguments => {
                let args = self.process.machine.heap.make_list(&[fun, Term::NIL]);
                let (module, function) = (Term::atom(Atom::ERLANG), Term::atom(Atom::APPLY));
                return self.spawn_call(node, [module, function, args], options);
            }
            _ => return Err(badarg()),
        };
        let fragment = self.process.machine.heap.export(fun);
        let shown = [Term::atom(Atom::ERLANG), Term::atom(Atom::APPLY), fun];
        self.spawn(node, options, call, shown, |machine| {
            let fun = machine.heap.import(&fragment);
            machine.start_fun(fun, &[]);
        })
    }

    pub(crate) fn spawn_call(&mut self, node: Option<Term>, [m, f, a]: [Term; 3], options: &SpawnOptions) -> OpResult {
        let (module, function) = (m.as_atom().ok_or_else(badarg)?, f.as_atom().ok_or_else(badarg)?);
        let count = self.process.machine.heap.list(a).ok_or_else(badarg)?.len();
        let arity = u8::try_from(count).map_err(|_| Interrupt::Raise(Raise::system_limit()))?;
        let fragment = self.process.machine.heap.export(a);
        self.spawn(node, options, (module, function, arity), [m, f, a], |machine| {
            let list = machine.heap.import(&fragment);
            let args = machine.heap.list(list).expect("checked in the parent");
            machine.start_call(module, function, &args);
        })
    }

    pub(crate) fn spawn(
        &mut self,
        node: Option<Term>,
        options: &SpawnOptions,
        call: (Atom, Atom, u8),
        shown: [Term; 3],
        start: impl FnOnce(&mut vm::Process),
    ) -> OpResult {
        let node = self.other_node(node)?;
        self.room_for_another()?;
        self.expect(
            |k| match *k {
                Kind::Spawn { node: logged, .. } => logged == node.map(Node),
                Kind::SpawnFailed { node: logged, .. } => Some(logged.0) == node,
                _ => false,
            },
            || format!("spawn {}:{}/{}", call.0, call.1, call.2),
        )?;
        let present = match node {
            None => true,
            Some(node) => self.read_node(node)?,
        };
        let home = node.filter(|_| present).unwrap_or(self.process.pid.node());
        let child = Pid::new(home, self.number_of_child());
        if let Some(node) = node
            && !present
        {
            return self.spawn_failed(child, node, options, shown);
        }
        let reply = options
            .request
            .as_ref()
            .filter(|(replies, _)| matches!(replies, Replies::All | Replies::Successes));
        let incarnation = match self.accesses.first() {
            Some(access) if node.is_some() => access.version.0,
            _ => self.process.incarnation,
        };
        let leader = self.use_leader()?;
        let traced = match node {
            None => self.traces_spawn(child, shown)?,
            Some(_) => None,
        };
        self.commit(
            Kind::Spawn {
                child: ids::to_log(child),
                node: node.map(Node),
            },
            u32::from(reply.is_some()),
            Detail::None,
        );
        let mut machine = self.world.machine(child);
        start(&mut machine);
        let birth = Birth {
            machine,
            pid: child,
            parent: Some(Parent {
                pid: self.process.pid,
                spawn: self.process.actions,
            }),
            call,
            group_leader: leader,
            incarnation,
        };
        let slot = self.world.birth(self.sink, birth);
        if traced.is_some()
            && let Some(q) = self.world.table.get_mut(slot)
        {
            q.rare.traced = traced;
        }
        let is_apply = shown[1].as_atom() == Some(Atom::APPLY);
        let reference = self.equip(child, slot, is_apply, options);
        let alive = Resource::Alive(ids::to_log(child));
        self.world.wake(crate::state::order::AwaitedWrite::Version(
            alive,
            log_format::Version(1),
        ));
        let pid = Term::pid(child);
        if let (Some((_, word)), Some(reference)) = (reply, reference) {
            self.answer_request(reference, word.as_ref(), OK, pid);
        }
        let Some(reference) = reference else { return Ok(pid) };
        let reference = self.process.machine.heap.make_reference(reference);
        Ok(match options.request {
            Some(_) => reference,
            None => self.process.machine.heap.make_tuple(&[pid, reference]),
        })
    }

    /// The node that was asked for, where it is not the own one.
    fn other_node(&mut self, node: Option<Term>) -> Result<Option<u16>, Interrupt> {
        let Some(node) = node else { return Ok(None) };
        let node = node.as_atom().ok_or_else(badarg)?;
        if node == self.process.machine.local.node {
            return Ok(None);
        }
        Ok(Some(self.world.node_index(node)?))
    }

    fn number_of_child(&mut self) -> u64 {
        match self.process.mode.decides() {
            Decides::Follow(feed) => match feed.head_kind() {
                Some(Kind::Spawn { child, .. } | Kind::SpawnFailed { child, .. }) => child.0,
                _ => 0,
            },
            Decides::Beyond { .. } => self.world.number_of_child(self.process.pid, self.process.spawned + 1),
            Decides::Record | Decides::Driven => {
                self.world.next_pid += 1;
                self.world.next_pid - 1
            }
        }
    }

    /// Gives a new process its flags, and links and monitors it as the options say. The reference of the monitor or request, if there is one.
    fn equip(&mut self, child: Pid, slot: Slot, is_apply: bool, options: &SpawnOptions) -> Option<Reference> {
        let reference = (options.monitor || options.request.is_some()).then(|| new_reference(self.process));
        if let Some(reference) = reference
            && let Some(mode) = options.alias
        {
            self.opens(reference, mode);
        }
        let Some(q) = self.world.table.get_mut(slot) else {
            return reference;
        };
        if options.flags != Flags::default() {
            q.rare.flags = options.flags.clone();
        }
        q.applied = is_apply;
        if options.link {
            q.rare.links.insert(self.process.pid);
            self.process.rare.links.insert(child);
            if options.urgent[0] {
                self.process.rare.urgent_links.insert(child);
            }
        }
        if let Some(reference) = reference
            && options.monitor
        {
            let monitor = Monitor {
                target: child,
                name: None,
                tag: options.tag.clone(),
                over: false,
            };
            q.rare.watchers.insert(reference, monitor.watcher(self.process.pid));
            self.process.rare.monitors.insert(reference, monitor);
            if options.urgent[1] {
                self.process.rare.urgent_downs.insert(reference);
            }
        }
        reference
    }
}

/// The logged value of a spawn beyond the limit of processes: the atom `system_limit` in the external format.
const FULL: &[u8] = b"\x83w\x0csystem_limit";

impl Step<'_> {
    /// A spawn beyond the limit of processes raises `system_limit`. The number of living processes depends on others, so this is logged.
    pub(crate) fn room_for_another(&mut self) -> Result<(), Interrupt> {
        let full = match self.process.mode.order() {
            Some(order) => order.is_next(|kind| crate::state::feed::is_observed(kind, FULL)),
            None => self.world.table.living() >= self.world.limits.processes,
        };
        if !full {
            return Ok(());
        }
        let value = FULL.to_vec();
        self.commit(Kind::Observe { of: None, value }, 0, Detail::None);
        Err(Interrupt::Raise(Raise::system_limit()))
    }
}

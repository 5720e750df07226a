//! Processes of the runtime: the processes behind `whereis(user)`, `whereis(init)` and their like. They live as long as their node and run
//! nothing; messages to them are dropped. Their names existed before the run began, so they are version 1 of these names. The processes are the
//! same in every run, so nothing about them is logged.

use interpreter::atom::Atom;
use interpreter::heap::Heap;
use interpreter::term::{Pid, Term};
use log_format::Resource;

use crate::outside::Device;
use crate::settings::DEVICE;
use crate::state::resources::Value;
use crate::world::World;

/// Names that OTP 25 registers when it runs without a shell, and that are not processes of the library here.
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

/// More names, registered when the node is alive.
const ALIVE_NAMES: &[&str] = &["auth", "erl_epmd", "net_kernel", "net_sup"];

/// More names like those in `NAMES`; their numbers come last.
const MORE_NAMES: &[&str] = &["application_controller", "global_name_server"];

/// The processes that `kernel_sup` has started.
const CHILDREN: &[&str] = &[
    "erl_signal_server",
    "code_server",
    "file_server_2",
    "global_name_server",
    "inet_db",
    "kernel_refc",
    "kernel_safe_sup",
    "logger_sup",
    "rex",
    "standard_error_sup",
];

/// The number of the first; processes of a program have lower numbers.
const FIRST: u64 = interpreter::term::FIRST_OF_RUNTIME;

/// Is it a process of the runtime?
pub(crate) const fn is_runtime(pid: Pid) -> bool {
    pid.number() == DEVICE.number() || pid.number() >= FIRST
}

fn names() -> impl Iterator<Item = &'static str> {
    NAMES.iter().chain(ALIVE_NAMES).chain(MORE_NAMES).copied()
}

/// The process that a name of the runtime stands for on a node.
fn process_of(name: &str, node: u16) -> Option<Pid> {
    let at = names().position(|known| known == name)?;
    Some(match (at, node) {
        (0, 0) => DEVICE,
        _ => Pid::new(node, FIRST + at as u64),
    })
}

/// Is this the name that a process of the runtime had when the run began?
pub(crate) fn is_named(pid: Pid, name: Atom) -> bool {
    process_of(name.as_str(), pid.node()) == Some(pid)
}

/// The name that a process of the runtime had when the run began.
pub(crate) fn name_of(pid: Pid) -> Option<&'static str> {
    match pid.number().checked_sub(FIRST) {
        _ if pid == DEVICE => names().next(),
        Some(at) => names().nth(usize::try_from(at).ok()?),
        None => None,
    }
}

/// The processes that those of the runtime are linked to: a supervisor to all that it starts, in words of OTP.
fn links(heap: &mut Heap, pid: Pid) -> Term {
    let linked: Vec<Term> = match name_of(pid) {
        Some("kernel_sup") => CHILDREN
            .iter()
            .filter_map(|name| process_of(name, pid.node()).map(Term::pid))
            .collect(),
        _ => Vec::new(),
    };
    heap.make_list(&linked)
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
        "links" => links(heap, pid),
        "current_function" | "initial_call" => call(heap),
        "message_queue_data" => word("on_heap"),
        "message_queue_len" | "catchlevel" | "fullsweep_after" | "min_bin_vheap_size" | "suspended" => Term::small(0),
        "heap_size" | "total_heap_size" | "min_heap_size" | "reductions" => Term::small(233),
        "memory" => Term::small(2688),
        "stack_size" => Term::small(10),
        _ => Term::NIL,
    }
}

impl World {
    /// Registers a name that existed before the run began.
    pub(crate) fn give_runtime_name(&mut self, name: Atom, node: u16, resource: Resource) {
        if self.resources.was_written(resource) {
            return;
        }
        let name = name.as_str();
        if let Some(pid) = process_of(name, node)
            && (self.alive() || !ALIVE_NAMES.contains(&name))
        {
            self.resources.given(resource, Value::Pid(pid));
        }
    }

    /// Registers all such names of a node, for a list of them.
    pub(crate) fn give_runtime_names(&mut self, node: u16) {
        for name in names() {
            self.name_resource(Atom::new(name), node);
        }
    }
}

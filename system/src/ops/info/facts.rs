//! The items of `process_info`.

use interpreter::atom::Atom;
use interpreter::heap::{Fragment, Heap};
use interpreter::newer::Newer;
use interpreter::term::{Pid, Reference, Term};
use syntax::Release;

use syntax::token::quoted_atom;

use crate::ops::monitor::CLOCK;
use crate::settings::DEVICE;
use crate::state::process::{Process, ProcessActivity};
use crate::world::World;

/// The items of `process_info/2`.
pub const ITEMS: &[&str] = &[
    "backtrace",
    "binary",
    "catchlevel",
    "current_function",
    "current_location",
    "current_stacktrace",
    "dictionary",
    "error_handler",
    "fullsweep_after",
    "garbage_collection",
    "garbage_collection_info",
    "group_leader",
    "heap_size",
    "initial_call",
    "last_calls",
    "links",
    "max_heap_size",
    "memory",
    "message_queue_data",
    "message_queue_len",
    "messages",
    "min_bin_vheap_size",
    "min_heap_size",
    "monitored_by",
    "monitors",
    "parent",
    "priority",
    "reductions",
    "registered_name",
    "sequential_trace_token",
    "stack_size",
    "status",
    "suspending",
    "total_heap_size",
    "trace",
    "trap_exit",
];

/// Is this an item of the release?
pub fn is_item(heap: &Heap, item: Term, release: Release) -> bool {
    match (item.as_atom().map(Atom::as_str), heap.tuple(item)) {
        (Some("async_dist"), _) => Newer::AsyncDistribution.is_in(release),
        (Some("label"), _) => Newer::Labels.is_in(release),
        (Some("priority_messages"), _) => Newer::PriorityMessages.is_in(release),
        (Some(name), _) => ITEMS.contains(&name),
        (None, Some(&[key, _])) => {
            Newer::DictionaryItem.is_in(release) && key.as_atom() == Some(Atom::new("dictionary"))
        }
        (None, _) => false,
    }
}

/// Does one of these items tell what is in the mailbox?
pub(crate) fn of_mailbox(items: &[Term]) -> bool {
    let tells = |item: &Term| {
        item.as_atom()
            .is_some_and(|name| ["message_queue_len", "messages"].contains(&name.as_str()))
    };
    items.iter().any(tells)
}

/// The items that tell of the stack.
const STACK_ITEMS: [&str; 5] = [
    "backtrace",
    "current_function",
    "current_location",
    "current_stacktrace",
    "stack_size",
];

/// A snapshot of what others can see of a process.
pub struct Facts {
    name: Option<Atom>,
    current: (Atom, Atom, u8),
    stack: Vec<(Atom, Atom, u8, String, u32)>,
    initial: (Atom, Atom, u8),
    status: &'static str,
    queue: usize,
    /// `None` if they are not needed.
    messages: Vec<Fragment>,
    links: Vec<Pid>,
    dictionary: Vec<(Fragment, Fragment)>,
    trap_exit: bool,
    flags: crate::state::flags::Flags,
    suspending: Vec<(Pid, u32)>,
    group_leader: Pid,
    words: usize,
    reductions: u64,
    monitors: Vec<(Pid, Option<Atom>, Atom)>,
    monitored_by: Vec<Pid>,
    parent: Option<Pid>,
    parent_missing: bool,
    priority_messages: bool,
    release: Release,
}

/// All of these, if they are wanted.
fn taken<T>(wanted: bool, all: impl Iterator<Item = T>) -> Vec<T> {
    if wanted { all.collect() } else { Vec::new() }
}

/// Takes the snapshot. What grows with the program (mailbox, links, dictionary, stack, …) is taken only if one of these items needs it.
///
/// `beyond`: the caller is beyond its log, where a mailbox contains only what must have arrived. `of_itself`: it asks about itself.
pub fn facts(system: &World, p: &Process, [beyond, of_itself]: [bool; 2], items: &[Term], release: Release) -> Facts {
    let wants = |names: &[&str]| {
        let is_one = |item: &Term| item.as_atom().is_some_and(|name| names.contains(&name.as_str()));
        items.iter().any(is_one)
    };
    let wants_messages = wants(&["messages"]);
    let wants_dictionary = wants(&["dictionary", "label"]) || items.iter().any(|item| item.as_atom().is_none());
    let wants_stack = wants(&STACK_ITEMS);
    let messages: Vec<Fragment> = match beyond {
        true => system.arrived(p),
        false if wants_messages => p.machine.mailbox.entries().map(|e| e.fragment().clone()).collect(),
        false => Vec::new(),
    };
    let queue = match beyond {
        true => messages.len(),
        false => p.machine.mailbox.len(),
    };
    let mut links: Vec<Pid> = taken(wants(&["links"]), p.rare.links.iter().copied());
    links.sort_unstable();
    let active = p.rare.monitors.iter().filter(|(_, m)| !m.over);
    let active = active.map(|(&r, m)| (r, m.target, m.name));
    let mut monitors: Vec<(Reference, Pid, Option<Atom>)> = taken(wants(&["monitors"]), active);
    monitors.sort_unstable_by_key(|(r, ..)| *r);
    // A hibernating process has no call stack.
    let hibernates = system.hibernates(p);
    let frames = match wants_stack && !hibernates {
        true => p.machine.frames(&system.program),
        false => Vec::new(),
    };
    let stack: Vec<_> = frames
        .into_iter()
        .filter_map(|f| f.location)
        .map(|l| (l.module, l.function, l.arity, l.file.to_owned(), l.line))
        .collect();
    let heap = &p.machine.heap;
    let initial = match p.applied {
        true => (Atom::ERLANG, Atom::APPLY, 2),
        false => p.initial_call,
    };
    Facts {
        name: p.rare.names.first().copied(),
        current: match stack.first() {
            _ if hibernates => (Atom::ERLANG, Atom::new("hibernate"), 3),
            Some((m, f, a, ..)) => (*m, *f, *a),
            None => initial,
        },
        stack,
        initial,
        status: match p.state {
            _ if of_itself => "running",
            _ if p.suspended > 0 => "suspended",
            ProcessActivity::Ready | ProcessActivity::Gated => "runnable",
            ProcessActivity::Waiting
            | ProcessActivity::WaitingInput
            | ProcessActivity::Blocked
            | ProcessActivity::Frozen => "waiting",
        },
        queue,
        messages,
        links,
        dictionary: taken(
            wants_dictionary,
            p.machine
                .local
                .dictionary
                .iter()
                .map(|(k, v)| (heap.export(k), heap.export(v))),
        ),
        trap_exit: p.trap_exit,
        flags: p.rare.flags.clone(),
        suspending: p.rare.suspending.iter().map(|(pid, n)| (*pid, *n)).collect(),
        group_leader: system.leader_now(p),
        words: heap.len().max(233),
        reductions: p.total_events,
        monitors: monitors
            .into_iter()
            .map(|(_, t, n)| (t, n, p.machine.local.node))
            .collect(),
        monitored_by: taken(wants(&["monitored_by"]), p.rare.watchers.values().map(|w| w.pid)),
        parent: p.parent.map(|parent| parent.pid),
        parent_missing: p.parent.is_none(),
        release,
        priority_messages: [
            p.rare.urgent.len(),
            p.rare.urgent_downs.len(),
            p.rare.urgent_links.len(),
        ] != [0; 3],
    }
}

/// The result of `process_info`: one pair, or a list of pairs.
pub fn render(heap: &mut Heap, facts: &Facts, items: &[Term], single: bool, all: bool) -> Term {
    let mut pairs = Vec::with_capacity(items.len());
    for &item in items {
        let Some(name) = item.as_atom() else {
            let value = entry(heap, facts, item);
            pairs.push(heap.make_tuple(&[item, value]));
            continue;
        };
        if all && name.as_str() == "registered_name" && facts.name.is_none() {
            continue;
        }
        let value = value(heap, facts, name.as_str());
        if single && name.as_str() == "registered_name" && facts.name.is_none() {
            return Term::NIL;
        }
        pairs.push(heap.make_tuple(&[item, value]));
    }
    if single { pairs[0] } else { heap.make_list(&pairs) }
}

/// The value of the item `{dictionary, Key}`.
fn entry(heap: &mut Heap, facts: &Facts, item: Term) -> Term {
    let key = heap.tuple(item).and_then(|item| item.get(1)).copied();
    let key = key.filter(|_| !facts.flags.is_sensitive());
    let mut entries = facts.dictionary.iter();
    let found = key.and_then(|key| {
        entries.find(|(own, _)| {
            let own = heap.import(own);
            interpreter::ops::exact_equal(heap, own, key)
        })
    });
    found.map_or(Term::atom(Atom::UNDEFINED), |(_, value)| heap.import(value))
}

pub(crate) fn mfa(heap: &mut Heap, (m, f, a): (Atom, Atom, u8)) -> Term {
    heap.make_tuple(&[Term::atom(m), Term::atom(f), Term::small(i64::from(a))])
}

/// The calls of a process as OTP's machine shows them, innermost first. There are no addresses here, and no values.
fn backtrace(facts: &Facts) -> String {
    const NOWHERE: &str = "0x0000000000000000";
    let shown = |m: Atom, f: Atom, a: u8| format!("{}:{}/{a} + 0", quoted_atom(m), quoted_atom(f));
    let (m, f, a) = facts.current;
    let mut text = format!("Program counter: {NOWHERE} ({})\n", shown(m, f, a));
    for &(m, f, a, ..) in facts.stack.iter().skip(1) {
        text += &format!("\n{NOWHERE} Return addr {NOWHERE} ({})\n", shown(m, f, a));
    }
    text + &format!("\n{NOWHERE} Return addr {NOWHERE} (<terminate process normally>)\n")
}

pub(crate) fn value(heap: &mut Heap, facts: &Facts, name: &str) -> Term {
    let word = |s: &str| Term::atom(Atom::new(s));
    match name {
        "registered_name" => facts.name.map_or(Term::NIL, Term::atom),
        "current_function" => mfa(heap, facts.current),
        "current_location" => match facts.stack.first() {
            Some(frame) => location(heap, frame),
            None => {
                let (m, f, a) = facts.current;
                let (m, f, a) = (Term::atom(m), Term::atom(f), Term::small(i64::from(a)));
                heap.make_tuple(&[m, f, a, Term::NIL])
            }
        },
        "backtrace" if facts.flags.is_sensitive() => heap.make_binary(b""),
        "backtrace" => {
            let text = backtrace(facts);
            heap.make_binary(text.as_bytes())
        }
        "current_stacktrace" => {
            let frames: Vec<Term> = facts.stack.iter().take(8).map(|f| location(heap, f)).collect();
            heap.make_list(&frames)
        }
        "initial_call" => mfa(heap, facts.initial),
        "status" => word(facts.status),
        "message_queue_len" => Term::small(facts.queue as i64),
        "messages" | "dictionary" if facts.flags.is_sensitive() => Term::NIL,
        "messages" => {
            let all: Vec<Term> = facts.messages.iter().map(|m| heap.import(m)).collect();
            heap.make_list(&all)
        }
        "links" => {
            let all: Vec<Term> = facts.links.iter().map(|&p| Term::pid(p)).collect();
            heap.make_list(&all)
        }
        "dictionary" => {
            let all: Vec<Term> = facts
                .dictionary
                .iter()
                .map(|(k, v)| {
                    let pair = [heap.import(k), heap.import(v)];
                    heap.make_tuple(&pair)
                })
                .collect();
            heap.make_list(&all)
        }
        "label" => {
            let key = word("$process_label");
            let item = heap.make_tuple(&[word("dictionary"), key]);
            entry(heap, facts, item)
        }
        "priority_messages" => Term::boolean(facts.priority_messages),
        "trap_exit" => Term::boolean(facts.trap_exit),
        "group_leader" => Term::pid(facts.group_leader),
        "memory" => Term::small(facts.words as i64 * 8),
        "total_heap_size" | "heap_size" => Term::small(facts.words as i64),
        "stack_size" => Term::small(facts.stack.len() as i64),
        "reductions" => Term::small(facts.reductions as i64),
        "monitors" => {
            let all: Vec<Term> = facts
                .monitors
                .iter()
                .map(|&(pid, name, node)| {
                    let item = match name {
                        Some(name) if pid == DEVICE && name.as_str() == CLOCK => {
                            return heap.make_tuple(&[word("time_offset"), Term::atom(name)]);
                        }
                        Some(name) => heap.make_tuple(&[Term::atom(name), Term::atom(node)]),
                        None => Term::pid(pid),
                    };
                    heap.make_tuple(&[Term::atom(Atom::PROCESS), item])
                })
                .collect();
            heap.make_list(&all)
        }
        "monitored_by" => {
            let all: Vec<Term> = facts.monitored_by.iter().map(|&p| Term::pid(p)).collect();
            heap.make_list(&all)
        }
        "parent" => match facts.parent {
            Some(pid) if !facts.parent_missing => Term::pid(pid),
            _ => Term::atom(Atom::UNDEFINED),
        },
        "suspending" => {
            let all: Vec<Term> = facts
                .suspending
                .iter()
                .map(|&(pid, times)| heap.make_tuple(&[Term::pid(pid), Term::small(i64::from(times)), Term::small(0)]))
                .collect();
            heap.make_list(&all)
        }
        "catchlevel" | "trace" => Term::small(0),
        "last_calls" => Term::boolean(false),
        _ => facts.flags.item(heap, name, facts.release).unwrap_or(Term::NIL),
    }
}

pub(crate) fn location(heap: &mut Heap, (m, f, a, file, line): &(Atom, Atom, u8, String, u32)) -> Term {
    let file = heap.make_string(file);
    let file = heap.make_tuple(&[Term::atom(Atom::new("file")), file]);
    let line = heap.make_tuple(&[Term::atom(Atom::new("line")), Term::small(i64::from(*line))]);
    let list = heap.make_list(&[file, line]);
    heap.make_tuple(&[Term::atom(*m), Term::atom(*f), Term::small(i64::from(*a)), list])
}

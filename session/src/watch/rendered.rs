//! Terms of a replay as text.

use std::sync::Arc;

use crate::native::NativeName;
use crate::shared::{KeyTerm, SharedName};
use crate::value::Value;
use crate::view::SourcePlace;
use crate::watch::TimerName;
use interpreter::heap::{Fragment, Heap, TermView};
use interpreter::native::ExceptionClass;
use interpreter::print::elixir::Banner;
use interpreter::print::{self, Style, Terms};
use interpreter::term::Term;
use interpreter::vm;
use log_format::{ExitClass, Kind, ObjectId, Resource};
use rustc_hash::FxHashMap;
use system::observer::{ActionEvent, Detail};
use system::{TableKind, table_key_hash};

/// The name of the file that an input comes from, if its native takes one.
pub(super) fn file(event: &ActionEvent<'_>, chars: usize) -> Option<String> {
    let native = event.program.native(event.native);
    let is_file = native.module == "file" || native.module == "prim_file" || native.name.contains("file");
    let heap = &event.machine.heap;
    let args = event.machine.args().iter().filter(|_| is_file);
    // The name is an atom, a list of characters or a binary; otherwise it is an open file.
    let style = Style::unicode(event.program);
    args.map(|arg| print::short(heap, *arg, chars, &style))
        .map(|text| match text.strip_prefix("<<\"") {
            Some(rest) => format!("\"{}", rest.trim_end_matches(">>")),
            None => text,
        })
        .find(|text| text.starts_with('"'))
}

/// The class of the exception that failed a test, and the places of its stack trace: in the last argument of the native that notes it.
pub(super) fn caught(event: &ActionEvent<'_>) -> (String, Vec<SourcePlace>) {
    let heap = &event.machine.heap;
    let note = event.machine.args().last().and_then(|note| heap.tuple(*note));
    match note {
        Some(&[_, class, _, stack]) => {
            let class = class.as_atom().map_or("", interpreter::atom::Atom::as_str);
            (
                class.to_owned(),
                super::places::stack(heap, stack, event.program.terms()).collect(),
            )
        }
        _ => (String::new(), Vec::new()),
    }
}

/// The keys that an action used, by their hashes in the log. They are found among the arguments of the native.
pub(super) fn keys(event: &ActionEvent<'_>, chars: usize) -> Vec<(u64, Arc<[KeyTerm]>)> {
    let native = event.program.native(event.native);
    let accesses = event.action.accesses.iter().rev();
    let (hash, terms) = match (native.module, native.name) {
        ("ets", _) => return keys_of_tables(event, chars),
        ("persistent_term", "get" | "put" | "erase") => {
            let mut used = accesses.filter_map(|access| match access.resource {
                Resource::Persistent(hash) => Some(hash),
                _ => None,
            });
            (used.next(), 1)
        }
        // The list of an application's keys comes before the key.
        ("erlang", "$env_get" | "$env_set" | "$env_unset") => {
            let mut used = accesses.filter_map(|access| match access.resource {
                Resource::Env(hash) => Some(hash),
                _ => None,
            });
            (used.next(), 2)
        }
        _ => return Vec::new(),
    };
    let (Some(hash), Some(terms)) = (hash, event.machine.args().get(..terms)) else {
        return Vec::new();
    };
    let key = |term: &Term| key_term(event, *term, chars);
    vec![(hash, terms.iter().map(key).collect())]
}

/// Limit: entries of a process dictionary.
const ENTRIES: usize = 32;

/// The process dictionary as a map, without what the library notes there.
pub(super) fn dictionary(event: &ActionEvent<'_>) -> Option<Value> {
    let (heap, style) = (&event.machine.heap, Style::shown(event.program));
    let is_own = |key: &Term| !key.as_atom().is_some_and(|atom| atom.as_str().starts_with('$'));
    let pairs = event.machine.local.dictionary.iter().filter(|(key, _)| is_own(key));
    let mut pairs: Vec<(Value, Value)> = pairs
        .take(ENTRIES)
        .map(|(key, value)| (Value::of(heap, key, &style), Value::of(heap, value, &style)))
        .collect();
    pairs.sort();
    (!pairs.is_empty()).then(|| Value::Map(pairs.into()))
}

/// What a native wrote: an object of a table, or a list of them, or a value, or the bytes of a file.
pub(super) fn written(event: &ActionEvent<'_>) -> Option<Value> {
    let native = event.program.native(event.native);
    let args = event.machine.args();
    let appends = || args.get(2).copied().and_then(Term::as_bool) == Some(true);
    let at = match (native.module, native.name) {
        ("ets", "insert" | "insert_new") | ("persistent_term", "put" | "put_new") => 1,
        ("erlang", "$write_file") if !appends() => 1,
        // After what is to be updated, there can be what is inserted if it is missing.
        ("ets", "update_element") | ("erlang", "$env_set") => 2,
        _ => return None,
    };
    let term = args.get(at)?;
    let written = Value::of(&event.machine.heap, *term, &Style::shown(event.program));
    // Of one element, the value.
    Some(match written.tuple() {
        [_, value] if native.name == "update_element" => value.clone(),
        _ => written,
    })
}

fn key_term(event: &ActionEvent<'_>, term: Term, chars: usize) -> KeyTerm {
    let (heap, style) = (&event.machine.heap, Style::shown(event.program));
    KeyTerm {
        value: Value::of(heap, term, &style),
        text: print::short(heap, term, chars.min(KEY_CHARS), &style),
    }
}

/// The keys of tables that an action used.
fn keys_of_tables(event: &ActionEvent<'_>, chars: usize) -> Vec<(u64, Arc<[KeyTerm]>)> {
    let used = event.action.accesses.iter().filter_map(|access| match access.resource {
        Resource::TableKey { key, .. } => Some(key),
        _ => None,
    });
    let used: Vec<u64> = used.collect();
    let (heap, args) = (&event.machine.heap, event.machine.args());
    if used.is_empty() {
        return Vec::new();
    }
    let Some(&given) = args.get(1) else { return Vec::new() };
    // A key, an object, or a list of objects.
    let objects = heap.list(given).unwrap_or_default();
    let objects = std::iter::once(given).chain(objects.into_iter().take(KEYS));
    let elements = objects.flat_map(|object| {
        let inside = heap.tuple(object).map(<[Term]>::to_vec).unwrap_or_default();
        std::iter::once(object).chain(inside)
    });
    let mut found: Vec<(u64, Arc<[KeyTerm]>)> = Vec::new();
    for term in elements {
        let hashes = [TableKind::Set, TableKind::OrderedSet].map(|kind| table_key_hash(heap, term, kind));
        for hash in hashes {
            if used.contains(&hash) && !found.iter().any(|(known, _)| *known == hash) {
                found.push((hash, Arc::new([key_term(event, term, chars)])));
            }
        }
    }
    found
}

/// The names that tables have got: those by which a program can use them.
pub(super) type TableNames = FxHashMap<ObjectId, SharedName>;

/// The table that an action used.
fn used_table(event: &ActionEvent<'_>) -> Option<ObjectId> {
    let table = |access: &log_format::Access| match access.resource {
        Resource::Table(id) | Resource::TableContents(id) | Resource::TableKey { table: id, .. } => Some(id),
        _ => None,
    };
    event.action.accesses.iter().find_map(table)
}

/// Notes the name that an action gave to a table.
pub(super) fn note_name(event: &ActionEvent<'_>, names: &mut TableNames) {
    let Some(id) = used_table(event) else { return };
    let native = event.program.native(event.native);
    let (heap, args) = (&event.machine.heap, event.machine.args());
    let at = match (native.module, native.name, args) {
        ("ets", "new", [_, options]) => {
            let options = heap.list(*options).unwrap_or_default();
            let is_named = |one: &Term| one.as_atom().is_some_and(|atom| atom.as_str() == "named_table");
            options.iter().any(is_named).then_some(0)
        }
        ("ets", "rename", [table, _]) => (table.as_atom().is_some() || names.contains_key(&id)).then_some(1),
        _ => None,
    };
    if let Some(name) = at.and_then(|at: usize| args[at].as_atom()) {
        names.insert(id, SharedName::new(name.as_str()));
    }
}

/// The name of the table that a native used.
pub(super) fn table(event: &ActionEvent<'_>, names: &TableNames) -> Option<SharedName> {
    if event.program.native(event.native).module != "ets" {
        return None;
    }
    let id = used_table(event)?;
    let by_name = || Some(SharedName::new(event.machine.args().first()?.as_atom()?.as_str()));
    names.get(&id).cloned().or_else(by_name)
}

/// The timer that a native set, cancelled or read.
pub(super) fn timer(event: &ActionEvent<'_>, native: NativeName) -> Option<TimerName> {
    let machine = event.machine;
    if native.sets_timer() {
        // Its reference is the last that the process made.
        return Some(TimerName {
            by: event.pid,
            number: machine.local.references,
        });
    }
    if !(native.is_erlang("cancel_timer") || native.is_erlang("read_timer")) {
        return None;
    }
    let TermView::Reference(reference) = machine.heap.view(*machine.args().first()?) else {
        return None;
    };
    Some(TimerName {
        by: system::ids::to_log(reference.owner),
        number: reference.number,
    })
}

/// A message and the elements of its tuples down to the second level.
pub(super) fn parts(message: &Value) -> Vec<Value> {
    let first = message.tuple();
    let second = first.iter().flat_map(Value::tuple);
    std::iter::once(message).chain(first).chain(second).cloned().collect()
}

/// A term outside any heap.
#[must_use]
pub fn fragment(fragment: &Fragment, program: &vm::Program, chars: usize) -> String {
    let mut heap = Heap::new(program.literals().clone());
    let term = heap.import(fragment);
    print::short(&heap, term, chars, &Style::shown(program))
}

pub(super) fn ended(
    action: &log_format::Action,
    reason: &Fragment,
    program: &vm::Program,
    chars: usize,
) -> Option<String> {
    let class = match &action.kind {
        Kind::Exit {
            class: ExitClass::Normal,
        } => return None,
        Kind::Exit { class } => Some(*class),
        _ => None,
    };
    Some(self::reason(class, reason, program, chars))
}

/// The reason of an end, with its class; for an error without the stack.
pub fn reason(class: Option<ExitClass>, reason: &Fragment, program: &vm::Program, chars: usize) -> String {
    reason_in(program.terms(), class, reason, program, chars)
}

/// The same in this language.
pub fn reason_in(
    terms: Terms,
    class: Option<ExitClass>,
    reason: &Fragment,
    program: &vm::Program,
    chars: usize,
) -> String {
    let mut heap = Heap::new(program.literals().clone());
    let term = heap.import(reason);
    let style = Style {
        terms,
        ..Style::unicode(program)
    };
    let inner = |i: usize| heap.tuple(term).and_then(|t| t.get(i).copied());
    let nested = |t: Term| heap.tuple(t).filter(|t| t.len() == 2).map_or(t, |t| t[1]);
    let first = inner(0).unwrap_or(term);
    match class {
        None | Some(ExitClass::Normal) => print::short(&heap, term, chars, &style),
        Some(class @ ExitClass::Exit) => raised_as(&heap, class, term, None, &style, chars),
        Some(class @ ExitClass::Error) => raised_as(&heap, class, first, inner(1), &style, chars),
        // An uncaught throw is `{nocatch, Value}` with a stack.
        Some(class @ ExitClass::Throw) => raised_as(&heap, class, nested(first), None, &style, chars),
    }
}

/// An exception as the program's language tells it: `error {badmatch,1}`, `** (MatchError) no match of right hand side value: 1`.
pub(crate) fn raised_as(
    heap: &Heap,
    class: ExitClass,
    reason: Term,
    stack: Option<Term>,
    style: &Style<'_>,
    chars: usize,
) -> String {
    let (word, exception) = match class {
        ExitClass::Error => ("error ", ExceptionClass::Error),
        ExitClass::Exit => ("exit ", ExceptionClass::Exit),
        ExitClass::Throw => ("throw ", ExceptionClass::Throw),
        ExitClass::Normal => return print::short(heap, reason, chars, style),
    };
    match style.terms {
        Terms::Erlang => format!("{word}{}", print::short(heap, reason, chars, style)),
        Terms::Elixir => {
            let banner = Banner { heap, style, chars };
            let text = banner.banner(exception, reason, stack);
            // Of a process that ended with an exception, the exception is what counts.
            let own = text.strip_prefix("** (exit) an exception was raised: ");
            let text = crate::words::safe(own.unwrap_or(&text));
            crate::words::cut(&text, chars.max(word.len()))
        }
    }
}

/// What failed, as Elixir tells it: of the end of a process, and of a test.
pub fn banner(event: &ActionEvent<'_>, chars: usize) -> Option<String> {
    if event.program.terms() != Terms::Elixir {
        return None;
    }
    if let Detail::Ended(reason) = event.detail {
        let is_exit = matches!(event.action.kind, Kind::Exit { .. });
        return is_exit
            .then(|| ended(event.action, reason, event.program, chars))
            .flatten();
    }
    let heap = &event.machine.heap;
    let note = event.machine.args().last().and_then(|note| heap.tuple(*note));
    let Some(&[_, class, reason, stack]) = note.filter(|_| matches!(event.action.kind, Kind::Test { .. })) else {
        return None;
    };
    let class = match class.as_atom()?.as_str() {
        "exit" => ExitClass::Exit,
        "throw" => ExitClass::Throw,
        _ => ExitClass::Error,
    };
    let style = Style::shown(event.program);
    Some(raised_as(heap, class, reason, Some(stack), &style, chars))
}

/// Is it an end that is no failure?
pub(super) fn is_peaceful(event: &ActionEvent<'_>) -> bool {
    use ExitClass::{Exit, Normal};
    match (&event.action.kind, event.detail) {
        (Kind::Exit { class: Normal }, _) => true,
        (Kind::Exit { class: Exit } | Kind::Signal { .. }, Detail::Ended(reason)) => {
            Value::of_fragment(reason, event.program).is_peaceful()
        }
        _ => false,
    }
}

/// Class and reason of an end as terms: for those who look into them.
pub(super) fn plain(
    action: &log_format::Action,
    reason: &Fragment,
    program: &vm::Program,
    chars: usize,
) -> Option<String> {
    if program.terms() == Terms::Erlang {
        return ended(action, reason, program, chars);
    }
    let word = match &action.kind {
        Kind::Exit {
            class: ExitClass::Normal,
        } => return None,
        Kind::Exit { class } => format!("{} ", class.word()),
        _ => String::new(),
    };
    let mut heap = Heap::new(program.literals().clone());
    let term = heap.import(reason);
    let is_exit = matches!(&action.kind, Kind::Exit { class: ExitClass::Exit }) || word.is_empty();
    let inner = heap.tuple(term).and_then(|t| t.first().copied());
    let term = inner.filter(|_| !is_exit).unwrap_or(term);
    Some(word + &print::short(&heap, term, chars, &Style::shown(program)))
}

/// The reason of an end as a term, without the stack that the runtime adds to an error.
#[must_use]
pub fn without_stack(class: Option<ExitClass>, reason: &Fragment, program: &vm::Program) -> Value {
    let value = Value::of_fragment(reason, program);
    match (class, value.tuple()) {
        (Some(ExitClass::Error | ExitClass::Throw), [inner, _]) => inner.clone(),
        _ => value,
    }
}

/// Bytes as a text in double quotes, on one line.
pub(super) fn quoted(bytes: &[u8], chars: usize) -> String {
    // A character has at most four bytes.
    let head = &bytes[..bytes.len().min(chars.saturating_mul(4))];
    let text = crate::words::safe(&String::from_utf8_lossy(head).replace('\\', "\\\\").replace('"', "\\\""));
    let cut = crate::words::cut(&text, chars);
    format!("\"{cut}\"")
}

/// Limits: objects that are searched for their keys, and characters of a key.
pub(super) const KEYS: usize = 64;

pub(super) const KEY_CHARS: usize = 40;

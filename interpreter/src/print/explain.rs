//! Explanations of the wrong arguments of a failed call of an `erlang` function: `erl_erts_errors:format_error/2`.

use super::Explanation;
use crate::atom::Atom;
use crate::heap::{Heap, TermView};
use crate::term::Term;

/// The check of one argument, in the order of the arguments.
#[derive(Clone, Copy)]
enum Check {
    /// Nothing is said about it.
    Any,
    /// Always wrong.
    Wrong(&'static str),
    /// Wrong if not of this kind.
    Is(ArgKind),
    /// Wrong in the first way if not of this kind, else in the second.
    Else(ArgKind, &'static str),
    /// Options: wrong if they are not a list, or if nothing before them was wrong.
    Options,
}

/// Kinds of arguments.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ArgKind {
    Atom,
    Binary,
    Base,
    Float,
    Fun,
    Integer,
    List,
    Map,
    NonNegative,
    Pid,
    Positive,
    ProperList,
    Reference,
    Tuple,
}

use Check::{Any, Else, Is, Options, Wrong};

const NOT_NUMBER: Check = Wrong("not a number");
const NOT_ATOM: Check = Wrong("not an atom");
const NOT_BITSTRING: Check = Wrong("not a bitstring");
const NOT_FLOAT: Check = Wrong("not a float");
const NOT_FUN: Check = Wrong("not a fun");
const NOT_INTEGER: Check = Wrong("not an integer");
const NOT_IODATA: Check = Wrong("not an iodata term");
const NOT_LIST: Check = Wrong("not a list");
const NOT_MAP: Check = Wrong("not a map");
const NOT_PID: Check = Wrong("not a pid");
const NOT_REFERENCE: Check = Wrong("not a reference");
const NOT_TUPLE: Check = Wrong("not a tuple");
const NOT_CONS: Check = Wrong("not a nonempty list");
const BAD_DESTINATION: Check = Wrong("invalid destination");
const BAD_TIME_UNIT: Check = Wrong("invalid time unit");
const MFA: &[Check] = &[Is(ArgKind::Atom), Is(ArgKind::Atom), Is(ArgKind::ProperList)];

/// Functions whose explanation needs only a check of each argument.
const CHECKS: &[(&str, &[Check])] = &[
    ("abs", &[NOT_NUMBER]),
    ("adler32", &[NOT_IODATA]),
    ("append_element", &[NOT_TUPLE, Any]),
    ("apply", MFA),
    ("atom_to_binary", &[NOT_ATOM]),
    ("atom_to_list", &[NOT_ATOM]),
    (
        "binary_to_float",
        &[Else(ArgKind::Binary, "not a textual representation of a float")],
    ),
    (
        "binary_to_integer",
        &[Else(ArgKind::Binary, "not a textual representation of an integer")],
    ),
    ("binary_to_list", &[Wrong("not a binary")]),
    (
        "binary_to_term",
        &[Else(ArgKind::Binary, "invalid external representation of a term")],
    ),
    ("bit_size", &[NOT_BITSTRING]),
    ("bitstring_to_list", &[NOT_BITSTRING]),
    ("bump_reductions", &[Is(ArgKind::NonNegative)]),
    ("byte_size", &[NOT_BITSTRING]),
    ("cancel_timer", &[NOT_REFERENCE]),
    ("cancel_timer", &[Is(ArgKind::Reference), Options]),
    ("ceil", &[NOT_NUMBER]),
    ("crc32", &[NOT_IODATA]),
    ("demonitor", &[NOT_REFERENCE]),
    ("demonitor", &[Is(ArgKind::Reference), Options]),
    ("exit", &[NOT_PID, Any]),
    ("float", &[NOT_NUMBER]),
    ("float_to_binary", &[NOT_FLOAT]),
    ("float_to_binary", &[Is(ArgKind::Float), Options]),
    ("float_to_list", &[NOT_FLOAT]),
    ("float_to_list", &[Is(ArgKind::Float), Options]),
    ("floor", &[NOT_NUMBER]),
    ("fun_info", &[NOT_FUN]),
    ("fun_info", &[Else(ArgKind::Fun, ""), Wrong("invalid item")]),
    ("fun_to_list", &[NOT_FUN]),
    (
        "function_exported",
        &[Is(ArgKind::Atom), Is(ArgKind::Atom), Is(ArgKind::NonNegative)],
    ),
    ("group_leader", &[Is(ArgKind::Pid), Is(ArgKind::Pid)]),
    ("halt", &[Wrong("invalid status")]),
    ("hd", &[NOT_CONS]),
    ("hibernate", MFA),
    ("integer_to_binary", &[NOT_INTEGER]),
    ("integer_to_binary", &[Is(ArgKind::Integer), Is(ArgKind::Base)]),
    ("integer_to_list", &[NOT_INTEGER]),
    ("integer_to_list", &[Is(ArgKind::Integer), Is(ArgKind::Base)]),
    ("iolist_size", &[NOT_IODATA]),
    ("iolist_to_binary", &[NOT_IODATA]),
    ("iolist_to_iovec", &[NOT_IODATA]),
    ("is_function", &[Any, Else(ArgKind::Integer, "out of range")]),
    ("is_map_key", &[Any, NOT_MAP]),
    ("is_process_alive", &[NOT_PID]),
    ("is_record", &[NOT_ATOM, Any]),
    ("is_record", &[Any, Is(ArgKind::Atom), Is(ArgKind::Integer)]),
    ("length", &[NOT_LIST]),
    (
        "link",
        &[Else(ArgKind::Pid, "the pid does not refer to an existing process")],
    ),
    ("list_to_atom", &[Else(ArgKind::ProperList, "not a list of characters")]),
    ("list_to_binary", &[Wrong("not an iolist term")]),
    ("list_to_bitstring", &[Wrong("not a bitstring list")]),
    (
        "list_to_float",
        &[Else(ArgKind::List, "not a textual representation of a float")],
    ),
    (
        "list_to_integer",
        &[Else(ArgKind::List, "not a textual representation of an integer")],
    ),
    (
        "list_to_pid",
        &[Else(ArgKind::List, "not a textual representation of a pid")],
    ),
    (
        "list_to_ref",
        &[Else(ArgKind::List, "not a textual representation of a reference")],
    ),
    ("list_to_tuple", &[NOT_LIST]),
    (
        "make_fun",
        &[Is(ArgKind::Atom), Is(ArgKind::Atom), Is(ArgKind::NonNegative)],
    ),
    ("make_tuple", &[Wrong("out of range"), Any]),
    ("make_tuple", &[Is(ArgKind::NonNegative), Any, Options]),
    ("map_size", &[NOT_MAP]),
    ("md5", &[NOT_IODATA]),
    ("module_loaded", &[NOT_ATOM]),
    ("monotonic_time", &[BAD_TIME_UNIT]),
    ("node", &[NOT_PID]),
    ("pid_to_list", &[NOT_PID]),
    ("process_info", &[Is(ArgKind::Pid)]),
    (
        "process_info",
        &[Else(ArgKind::Pid, ""), Wrong("invalid item or item list")],
    ),
    ("read_timer", &[NOT_REFERENCE]),
    ("read_timer", &[Is(ArgKind::Reference), Options]),
    ("ref_to_list", &[NOT_REFERENCE]),
    ("round", &[NOT_NUMBER]),
    ("send", &[BAD_DESTINATION, Any]),
    ("send", &[BAD_DESTINATION, Any, Any]),
    ("send_nosuspend", &[BAD_DESTINATION, Any]),
    ("size", &[Wrong("not tuple or binary")]),
    ("spawn", &[NOT_FUN]),
    ("spawn", &[Is(ArgKind::Atom), Is(ArgKind::Fun)]),
    ("spawn", MFA),
    ("spawn_link", &[NOT_FUN]),
    ("spawn_link", &[Is(ArgKind::Atom), Is(ArgKind::Fun)]),
    ("spawn_link", MFA),
    ("spawn_monitor", &[NOT_FUN]),
    ("spawn_monitor", &[Is(ArgKind::Atom), Is(ArgKind::Fun)]),
    ("spawn_monitor", MFA),
    ("statistics", &[Wrong("invalid statistics item")]),
    ("subtract", &[Is(ArgKind::ProperList), Is(ArgKind::ProperList)]),
    ("append", &[NOT_LIST, Any]),
    ("system_info", &[Wrong("invalid system info item")]),
    ("system_time", &[BAD_TIME_UNIT]),
    (
        "term_to_binary",
        &[Any, Else(ArgKind::ProperList, "invalid option in list")],
    ),
    ("time_offset", &[BAD_TIME_UNIT]),
    ("tl", &[NOT_CONS]),
    ("trunc", &[NOT_NUMBER]),
    ("tuple_size", &[NOT_TUPLE]),
    ("tuple_to_list", &[NOT_TUPLE]),
    ("unlink", &[NOT_PID]),
    ("unique_integer", &[Else(ArgKind::ProperList, "invalid modifier")]),
    ("unregister", &[NOT_PID]),
    ("whereis", &[NOT_ATOM]),
];

/// Why `module:function(args…)` failed with `reason`; empty if unknown.
#[must_use]
pub fn explain(heap: &Heap, module: Atom, function: Atom, args: &[Term], reason: Term) -> Explanation {
    let mut explanation = Explanation::default();
    if reason != Term::atom(Atom::SYSTEM_LIMIT)
        && reason != Term::atom(Atom::BADARITH)
        && reason != Term::atom(Atom::UNDEF)
        && module == Atom::ERLANG
    {
        explanation.arguments =
            special(heap, function.as_str(), args).unwrap_or_else(|| checked(heap, function.as_str(), args));
    }
    explanation
}

fn checked(heap: &Heap, function: &str, args: &[Term]) -> Vec<(usize, String)> {
    let found = CHECKS
        .iter()
        .find(|(name, checks)| *name == function && checks.len() == args.len());
    let mut wrong = Vec::new();
    for (i, (&check, &arg)) in found.map_or(&[][..], |f| f.1).iter().zip(args).enumerate() {
        let text = match check {
            Any => "",
            Wrong(text) => text,
            Is(kind) => not(heap, kind, arg),
            Else(kind, text) => match not(heap, kind, arg) {
                "" if text.is_empty() => "",
                // If there is nothing more to say about it, later arguments are not checked.
                other if text.is_empty() => return vec![(i + 1, other.to_owned())],
                "" => text,
                other => other,
            },
            Options => match not(heap, ArgKind::ProperList, arg) {
                "" if wrong.is_empty() => "invalid option in list",
                other => other,
            },
        };
        if !text.is_empty() {
            wrong.push((i + 1, text.to_owned()));
        }
    }
    wrong
}

/// What the argument is not; empty if it is of the kind.
fn not(heap: &Heap, kind: ArgKind, t: Term) -> &'static str {
    let view = heap.view(t);
    let sign = match view {
        TermView::Small(n) => Some(n.signum()),
        TermView::Big { negative, .. } => Some(if negative { -1 } else { 1 }),
        _ => None,
    };
    let at_least = |least| match sign {
        None => "not an integer",
        Some(s) if s < least => "out of range",
        Some(_) => "",
    };
    let unless = |ok, text| if ok { "" } else { text };
    match kind {
        ArgKind::Atom => unless(t.is_atom(), "not an atom"),
        ArgKind::Binary => unless(heap.bits(t).is_some_and(|b| b.len % 8 == 0), "not a binary"),
        ArgKind::Base => unless(
            t.as_small().is_some_and(|n| (2..=36).contains(&n)),
            "not an integer in the range 2 through 36",
        ),
        ArgKind::Float => unless(matches!(view, TermView::Float(_)), "not a float"),
        ArgKind::Fun => unless(
            matches!(view, TermView::Fun { .. } | TermView::ExternalFun { .. }),
            "not a fun",
        ),
        ArgKind::Integer => unless(sign.is_some(), "not an integer"),
        ArgKind::List => unless(heap.list(t).is_some(), "not a list"),
        ArgKind::ProperList if !t.is_list() => "not a list",
        ArgKind::ProperList => unless(heap.list(t).is_some(), "not a proper list"),
        ArgKind::Map => unless(matches!(view, TermView::Map), "not a map"),
        ArgKind::NonNegative => at_least(0),
        ArgKind::Positive => at_least(1),
        ArgKind::Pid => unless(t.is_pid(), "not a pid"),
        ArgKind::Reference => unless(matches!(view, TermView::Reference(_)), "not a reference"),
        ArgKind::Tuple => unless(matches!(view, TermView::Tuple(_)), "not a tuple"),
    }
}

/// Functions whose arguments are checked together.
fn special(heap: &Heap, function: &str, args: &[Term]) -> Option<Vec<(usize, String)>> {
    let texts: Vec<&str> = match (function, args) {
        ("element" | "delete_element", &[index, tuple]) | ("setelement" | "insert_element", &[index, tuple, _]) => {
            let size = heap.tuple(tuple).map(<[Term]>::len);
            let index = match not(heap, ArgKind::Positive, index) {
                "" if size.is_some_and(|n| index.as_small().is_none_or(|i| i > n as i64)) => "out of range",
                text => text,
            };
            vec![index, not(heap, ArgKind::Tuple, tuple)]
        }
        ("map_get", &[_, map]) => match not(heap, ArgKind::Map, map) {
            "" => vec!["not present in map"],
            text => vec!["", text],
        },
        // Only the second argument, as in OTP.
        ("phash2", &[_, range]) => vec![not(heap, ArgKind::Positive, range)],
        ("binary_part", &[binary, position, length]) => part(heap, binary, position, length).to_vec(),
        ("binary_part", &[binary, pair]) => match heap.tuple(pair) {
            Some(&[p, l]) if not(heap, ArgKind::Integer, p).is_empty() && not(heap, ArgKind::Integer, l).is_empty() => {
                match part(heap, binary, p, l) {
                    [first, "", ""] => vec![first],
                    [first, _, _] => vec![first, "out of range"],
                }
            }
            _ => vec![not(heap, ArgKind::Binary, binary), "not a valid {Pos,Length} tuple"],
        },
        ("split_binary", &[binary, position]) => {
            let texts = [
                not(heap, ArgKind::Binary, binary),
                not(heap, ArgKind::NonNegative, position),
            ];
            let size = heap.bits(binary).map_or(0, |b| b.len / 8) as i64;
            match texts {
                ["", ""] if position.as_small().is_none_or(|p| p > size) => vec!["", "out of range"],
                texts => texts.to_vec(),
            }
        }
        ("binary_to_integer" | "list_to_integer", &[text, base]) => to_integer(heap, function, text, base),
        ("binary_to_atom" | "binary_to_existing_atom", &[binary, ref rest @ ..]) => {
            binary_to_atom(heap, function, binary, rest.first())
        }
        ("atom_to_binary", &[atom, encoding]) => {
            let known = ["latin1", "unicode", "utf8"]
                .map(|e| Term::atom(Atom::new(e)))
                .contains(&encoding);
            vec![
                match not(heap, ArgKind::Atom, atom) {
                    "" if encoding == Term::atom(Atom::LATIN1) => "contains a character not expressible in latin1",
                    text => text,
                },
                if known { "" } else { "is an invalid encoding option" },
            ]
        }
        ("binary_to_term", &[binary, options]) => binary_to_term(heap, binary, options),
        ("list_to_existing_atom", &[list]) => {
            let characters = heap.list(list).is_some_and(|l| {
                l.iter().all(|c| {
                    c.as_small()
                        .and_then(|c| char::from_u32(u32::try_from(c).ok()?))
                        .is_some()
                })
            });
            vec![match not(heap, ArgKind::ProperList, list) {
                "" if characters => "not an already existing atom",
                "" => "not a list of characters",
                text => text,
            }]
        }
        ("register", &[name, pid]) => {
            let name = if name == Term::atom(Atom::UNDEFINED) {
                "'undefined' is not a valid name"
            } else {
                not(heap, ArgKind::Atom, name)
            };
            let pid = if pid.is_pid() { "" } else { "not a pid or port" };
            match (name, pid) {
                ("", "") => vec!["name is in use"],
                _ => vec![name, pid],
            }
        }
        ("send_after" | "start_timer", &[time, destination, _, ref rest @ ..]) => {
            let destination = if destination.is_pid() || destination.is_atom() {
                ""
            } else {
                "not a pid or an atom"
            };
            let options = rest.first().map_or("", |&o| not(heap, ArgKind::ProperList, o));
            vec![not(heap, ArgKind::NonNegative, time), destination, "", options]
        }
        ("monitor", &[kind, item]) => match kind.as_atom() {
            Some(Atom::PROCESS) => vec!["", not(heap, ArgKind::Pid, item)],
            _ => vec!["invalid monitor type"],
        },
        ("process_flag", &[flag, _]) => match flag.as_atom() {
            Some(a) if PROCESS_FLAGS.contains(&a.as_str()) => vec!["", "invalid value for this process flag"],
            _ => vec!["invalid process flag"],
        },
        ("binary_to_list", &[binary, start, stop]) => binary_to_list(heap, binary, start, stop),
        _ => return None,
    };
    let wrong = texts.into_iter().enumerate().filter(|(_, text)| !text.is_empty());
    Some(wrong.map(|(i, text)| (i + 1, text.to_owned())).collect())
}

const PROCESS_FLAGS: [&str; 12] = [
    "trap_exit",
    "priority",
    "error_handler",
    "min_heap_size",
    "min_bin_vheap_size",
    "max_heap_size",
    "message_queue_data",
    "save_calls",
    "sensitive",
    "fullsweep_after",
    "async_dist",
    "monitor_nodes",
];

fn to_integer(heap: &Heap, function: &str, text: Term, base: Term) -> Vec<&'static str> {
    let of_text = if function == "binary_to_integer" {
        ArgKind::Binary
    } else {
        ArgKind::ProperList
    };
    match not(heap, ArgKind::Base, base) {
        "" => match not(heap, of_text, text) {
            "" => vec!["not a textual representation of an integer"],
            text => vec![text],
        },
        base => vec![not(heap, of_text, text), base],
    }
}

fn binary_to_atom(heap: &Heap, function: &str, binary: Term, encoding: Option<&Term>) -> Vec<&'static str> {
    let encoding = encoding.map_or(Some("utf8"), |e| e.as_atom().map(Atom::as_str));
    let missing = if function == "binary_to_atom" {
        ""
    } else {
        "not an already existing atom"
    };
    let of_binary = not(heap, ArgKind::Binary, binary);
    let valid = || heap.bytes(binary).is_some_and(|b| std::str::from_utf8(&b).is_ok());
    match encoding {
        Some("latin1") if of_binary.is_empty() => vec![missing],
        Some("utf8" | "unicode") if of_binary.is_empty() => {
            vec![if valid() {
                "not an already existing atom"
            } else {
                "invalid UTF8 encoding"
            }]
        }
        Some("latin1" | "utf8" | "unicode") => vec![of_binary],
        _ => vec![of_binary, "not one of the atoms: latin1, utf8, or unicode"],
    }
}

/// Wrong options hide everything else that is wrong with a binary.
fn binary_to_term(heap: &Heap, binary: Term, options: Term) -> Vec<&'static str> {
    let known = |option: &Term| matches!(option.as_atom().map(Atom::as_str), Some("safe" | "used"));
    let wrong = match heap.list(options) {
        None => "not a list",
        Some(options) if !options.iter().all(known) => "invalid option in list",
        Some(_) => "",
    };
    let safe = Term::atom(Atom::new("safe"));
    match (not(heap, ArgKind::Binary, binary), wrong) {
        ("", "") if heap.list(options).is_some_and(|options| options.contains(&safe)) => {
            vec!["invalid or unsafe external representation of a term"]
        }
        ("", "") => vec!["invalid external representation of a term"],
        texts => vec![texts.0, texts.1],
    }
}

fn binary_to_list(heap: &Heap, binary: Term, start: Term, stop: Term) -> Vec<&'static str> {
    let texts = [
        not(heap, ArgKind::Binary, binary),
        not(heap, ArgKind::Positive, start),
        not(heap, ArgKind::Positive, stop),
    ];
    let size = heap.bits(binary).map_or(0, |b| b.len / 8) as i64;
    let number = |t: Term| t.as_small().unwrap_or(i64::MAX);
    let range = |n: i64| if n > size { "out of range" } else { "" };
    match texts {
        ["", "", ""] if number(start) > number(stop) => vec!["", "start position greater than stop position"],
        ["", "", ""] => vec!["", range(number(start)), range(number(stop))],
        texts => texts.to_vec(),
    }
}

fn part(heap: &Heap, binary: Term, position: Term, length: Term) -> [&'static str; 3] {
    let texts = [
        not(heap, ArgKind::Binary, binary),
        not(heap, ArgKind::NonNegative, position),
        not(heap, ArgKind::Integer, length),
    ];
    if texts != ["", "", ""] {
        return texts;
    }
    let size = heap.bits(binary).map_or(0, |b| b.len / 8) as i64;
    if position.as_small().is_none_or(|p| p > size) {
        ["", "out of range", ""]
    } else {
        ["", "", "out of range"]
    }
}

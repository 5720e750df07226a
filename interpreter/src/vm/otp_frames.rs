//! How OTP implements the functions that are natives here: as functions of its machine (BIFs), or in Erlang. The first entry of a stack trace
//! shows the difference: a function in Erlang that is called in tail position replaces its caller's frame; its entry has a file; and most of
//! these modules give no `error_info`.

use syntax::Release;

use crate::atom::Atom;
use crate::heap::Heap;
use crate::newer::Newer;
use crate::term::Term;

/// Functions that are natives here, and in OTP only call another one, which fails: the form of that call in a stack trace.
pub(super) fn shown_as(
    heap: &mut Heap,
    release: Release,
    (module, name): (&str, &str),
    args: &[Term],
) -> Option<(Atom, Vec<Term>)> {
    if let ("io_lib", "format" | "fwrite", &[format, data, _]) = (module, name, args) {
        return Some((Atom::new("format"), vec![format, data]));
    }
    if let ("binary", "decode_hex", &[hex]) = (module, name, args)
        && !Newer::HexFrames.is_in(release)
    {
        let bytes = heap.bytes(hex)?.into_owned();
        let wrong = bytes
            .chunks_exact(2)
            .find(|pair| !pair.iter().all(u8::is_ascii_hexdigit))?;
        let pair = heap.make_binary(wrong);
        return (bytes.len() % 2 == 0).then(|| (Atom::new("unhex"), vec![pair]));
    }
    if module != "ets" {
        return None;
    }
    let undefined = Term::atom(Atom::UNDEFINED);
    let anything = Term::atom(Atom::new("_"));
    Some(match (name, args) {
        ("delete_all_objects", &[table]) => (Atom::new("internal_delete_all"), vec![table, undefined]),
        ("tab2list", &[table]) => (Atom::new("match_object"), vec![table, anything]),
        ("match_delete", &[table, pattern]) if pattern == anything => {
            (Atom::new("internal_delete_all"), vec![table, undefined])
        }
        ("select_delete", &[table, spec]) if is_everything(heap, spec) => {
            (Atom::new("internal_delete_all"), vec![table, undefined])
        }
        ("select_delete", args) => (Atom::new("internal_select_delete"), args.to_vec()),
        ("match_delete", &[table, pattern]) => {
            let body = heap.make_list(&[Term::atom(Atom::TRUE)]);
            let clause = heap.make_tuple(&[pattern, Term::NIL, body]);
            let spec = heap.make_list(&[clause]);
            (Atom::new("internal_select_delete"), vec![table, spec])
        }
        ("match_spec_run", &[list, spec]) => (Atom::new("match_spec_run_r"), vec![list, spec, Term::NIL]),
        _ => return None,
    })
}

/// Is it `[{'_', [], [true]}]`?
fn is_everything(heap: &Heap, spec: Term) -> bool {
    let clause = heap
        .list(spec)
        .filter(|clauses| clauses.len() == 1)
        .and_then(|clauses| heap.tuple(clauses[0]));
    let Some(&[head, guards, body]) = clause else {
        return false;
    };
    let body = heap.list(body).unwrap_or_default();
    head == Term::atom(Atom::new("_")) && guards.is_nil() && body == [Term::atom(Atom::TRUE)]
}

/// Natives of these modules are BIFs in OTP, except those listed ([`erlang:system_info(snifs)`]).
const WRITTEN: &[(&str, &[(&str, u8)])] = &[
    (
        "binary",
        &[
            ("bin_to_list", 1),
            ("bin_to_list", 2),
            ("bin_to_list", 3),
            ("decode_hex", 1),
            ("encode_hex", 1),
            ("encode_hex", 2),
            ("replace", 3),
            ("replace", 4),
        ],
    ),
    (
        "lists",
        &[
            ("duplicate", 2),
            ("reverse", 1),
            ("seq", 2),
            ("seq", 3),
            ("sort", 1),
            ("usort", 1),
        ],
    ),
    (
        "maps",
        &[
            ("get", 3),
            ("intersect", 2),
            ("iterator", 1),
            ("new", 0),
            ("next", 1),
            ("size", 1),
            ("to_list", 1),
            ("with", 2),
            ("without", 2),
        ],
    ),
    (
        "unicode",
        &[
            ("bom_to_encoding", 1),
            ("characters_to_binary", 1),
            ("characters_to_binary", 3),
            ("characters_to_list", 1),
            ("characters_to_nfc_binary", 1),
            ("characters_to_nfc_list", 1),
            ("characters_to_nfd_binary", 1),
            ("characters_to_nfd_list", 1),
            ("characters_to_nfkc_binary", 1),
            ("characters_to_nfkc_list", 1),
            ("characters_to_nfkd_binary", 1),
            ("characters_to_nfkd_list", 1),
            ("encoding_to_bom", 1),
        ],
    ),
];

/// Modules that are written completely in Erlang in OTP.
const ALL_WRITTEN: &[&str] = &[
    "erl_parse",
    "erl_scan",
    "io_lib",
    "io_lib_pretty",
    "proplists",
    "rand",
    "string",
];

/// Is this native written in Erlang in OTP?
pub(super) fn written_in_erlang(module: &str, name: &str, arity: u8) -> bool {
    let listed = |&(m, functions): &(&str, &[(&str, u8)])| m == module && functions.contains(&(name, arity));
    // Our own helpers correspond to no function of OTP.
    !name.starts_with('$')
        && (ALL_WRITTEN.contains(&module)
            && (module, name, arity) != ("string", "list_to_integer", 1)
            && (module, name, arity) != ("string", "list_to_float", 1)
            || WRITTEN.iter().any(listed))
}

/// Functions of `erlang` that are written in Erlang in OTP, by their arities. That module is part of OTP's machine: their entries have no file.
const PRELOADED: &[(&str, &[u8])] = &[
    ("atom_to_binary", &[1]),
    ("binary_to_atom", &[1]),
    ("binary_to_existing_atom", &[1]),
    ("convert_time_unit", &[3]),
    ("fun_info", &[1]),
    ("group_leader", &[2]),
    ("halt", &[0, 1]),
    ("localtime_to_universaltime", &[1]),
    ("memory", &[0, 1]),
    ("process_flag", &[3]),
    ("send_nosuspend", &[2, 3]),
    ("spawn", &[1, 2, 4]),
    ("spawn_link", &[1, 2, 4]),
    ("spawn_monitor", &[1, 2, 3, 4]),
    ("spawn_opt", &[2, 3, 5]),
    ("spawn_request", &[1, 2, 3, 4, 5]),
    ("suspend_process", &[1, 2]),
];

/// Functions that are written in Erlang here and belong to the machine in OTP, by their arities.
const MACHINE: &[(&str, &str, &[u8])] = &[
    ("atomics", "add", &[3]),
    ("atomics", "add_get", &[3]),
    ("atomics", "compare_exchange", &[4]),
    ("atomics", "exchange", &[3]),
    ("atomics", "get", &[2]),
    ("atomics", "info", &[1]),
    ("atomics", "put", &[3]),
    ("erlang", "display_string", &[1]),
    ("erlang", "port_to_list", &[1]),
    ("erlang", "system_flag", &[2]),
    ("erts_debug", "flat_size", &[1]),
    ("ets", "is_compiled_ms", &[1]),
    ("re", "compile", &[1, 2]),
    ("re", "inspect", &[2]),
    ("re", "run", &[2, 3]),
    ("string", "list_to_float", &[1]),
    ("string", "list_to_integer", &[1]),
];

/// Does the caller of this function stay on the stack even for a tail call? A part of OTP's machine returns to it.
pub(crate) fn keeps_caller(module: &str, name: &str, arity: usize) -> bool {
    let listed = |&(m, n, arities): &(&str, &str, &[u8])| {
        m == module && n == name && arities.iter().any(|a| usize::from(*a) == arity)
    };
    MACHINE.iter().any(listed)
}

/// Does this native, in tail position, replace its caller's frame, like a function in Erlang?
pub(crate) fn replaces_caller(module: &str, name: &str, arity: u8) -> bool {
    let listed = |&(known, arities): &(&str, &[u8])| known == name && arities.contains(&arity);
    written_in_erlang(module, name, arity) || module == "erlang" && PRELOADED.iter().any(listed)
}

/// Does the entry of a native in a stack trace have an `error_info`?
pub(super) fn explained(module: &str, name: &str, written: bool) -> bool {
    if written {
        matches!((module, name), ("binary" | "maps" | "unicode", _) | ("lists", "seq"))
    } else {
        !ALL_WRITTEN.contains(&module)
    }
}

//! How OTP has the functions that are natives here: as functions of its machine (BIFs), or in Erlang. The first entry of a stack trace tells
//! them apart. A function in Erlang that is called last takes the place of its caller's frame; its entry has a file; and most of these
//! modules give no `error_info`.

/// Natives of these modules are BIFs in OTP, but for those listed ([`erlang:system_info(snifs)`]).
const WRITTEN: &[(&str, &[(&str, u8)])] = &[
    (
        "binary",
        &[
            ("bin_to_list", 1),
            ("bin_to_list", 2),
            ("bin_to_list", 3),
            ("decode_hex", 1),
            ("encode_hex", 1),
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

/// Modules that are all Erlang in OTP.
const ALL_WRITTEN: &[&str] = &[
    "erl_parse",
    "erl_scan",
    "io_lib",
    "io_lib_pretty",
    "proplists",
    "rand",
    "string",
];

/// Is this native a function in Erlang in OTP?
pub(super) fn written_in_erlang(module: &str, name: &str, arity: u8) -> bool {
    let listed = |&(m, functions): &(&str, &[(&str, u8)])| m == module && functions.contains(&(name, arity));
    // The helpers of our own stand for no function of OTP.
    !name.starts_with('$')
        && (ALL_WRITTEN.contains(&module)
            && (module, name, arity) != ("string", "list_to_integer", 1)
            && (module, name, arity) != ("string", "list_to_float", 1)
            || WRITTEN.iter().any(listed))
}

/// Does the entry of a native in a stack trace have an `error_info`?
pub(super) fn explained(module: &str, name: &str, written: bool) -> bool {
    if written {
        matches!((module, name), ("binary" | "maps" | "unicode", _) | ("lists", "seq"))
    } else {
        !ALL_WRITTEN.contains(&module)
    }
}

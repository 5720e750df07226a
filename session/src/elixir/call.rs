//! Functions of `Kernel` that an expression may call.

/// The call in Erlang; `None`: it is not one of them.
pub(super) fn kernel(name: &str, arguments: &[String]) -> Option<String> {
    const SAME: [(&str, usize); 33] = [
        ("abs", 1),
        ("binary_part", 3),
        ("bit_size", 1),
        ("byte_size", 1),
        ("ceil", 1),
        ("floor", 1),
        ("hd", 1),
        ("tl", 1),
        ("is_atom", 1),
        ("is_binary", 1),
        ("is_bitstring", 1),
        ("is_boolean", 1),
        ("is_float", 1),
        ("is_function", 1),
        ("is_function", 2),
        ("is_integer", 1),
        ("is_list", 1),
        ("is_map", 1),
        ("is_number", 1),
        ("is_pid", 1),
        ("is_port", 1),
        ("is_reference", 1),
        ("is_tuple", 1),
        ("length", 1),
        ("map_size", 1),
        ("node", 0),
        ("node", 1),
        ("round", 1),
        ("self", 0),
        ("trunc", 1),
        ("tuple_size", 1),
        ("max", 2),
        ("min", 2),
    ];
    let arity = arguments.len();
    if SAME.contains(&(name, arity)) {
        let module = if matches!(name, "max" | "min") { "erlang:" } else { "" };
        return Some(format!("{module}{name}({})", arguments.join(", ")));
    }
    Some(match (name, arguments) {
        ("is_nil", [x]) => format!("({x} =:= nil)"),
        ("elem", [tuple, index]) => format!("element(({index}) + 1, {tuple})"),
        ("is_map_key", [map, key]) => format!("is_map_key({key}, {map})"),
        ("div", [a, b]) => format!("({a} div {b})"),
        ("rem", [a, b]) => format!("({a} rem {b})"),
        ("is_struct", [x]) => format!("'$struct'({x})"),
        ("is_struct", [x, name]) => format!("'$struct'({x}, {name})"),
        _ => return None,
    })
}

/// Of them, those that are named when another one is refused.
pub(super) const NAMED: &str =
    "is_nil, is_map, is_list, is_binary, length, map_size, elem, hd, abs, max, min, div, rem";

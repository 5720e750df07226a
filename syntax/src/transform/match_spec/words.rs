//! The words of match specifications.

use super::*;

pub(super) fn language_element(kind: &ExprKind) -> &'static str {
    match kind {
        ExprKind::ListComp(_) => "list comprehension",
        ExprKind::BinaryComp(_) => "binary comprehension",
        ExprKind::MapComp(_) => "map comprehension",
        ExprKind::Block(_) => "begin/end block",
        ExprKind::If(_) => "if",
        ExprKind::Case(..) => "case",
        ExprKind::Receive(_) => "receive",
        ExprKind::Try(_) => "try",
        ExprKind::Catch(_) => "catch",
        ExprKind::Fun(_) | ExprKind::FunLocal(_) | ExprKind::FunRemote(_) => "fun",
        ExprKind::NamedFun(..) => "named_fun",
        ExprKind::MapUpdate(..) => "map",
        ExprKind::Maybe(_) => "maybe",
        _ => "expression",
    }
}

pub(super) fn old_test(name: &str, arity: usize) -> Option<&'static str> {
    Some(match (name, arity) {
        ("atom", 1) => "is_atom",
        ("float", 1) => "is_float",
        ("integer", 1) => "is_integer",
        ("list", 1) => "is_list",
        ("number", 1) => "is_number",
        ("pid", 1) => "is_pid",
        ("port", 1) => "is_port",
        ("reference", 1) => "is_reference",
        ("tuple", 1) => "is_tuple",
        ("binary", 1) => "is_binary",
        ("function", 1) => "is_function",
        ("record", 2) => "is_record",
        _ => return None,
    })
}

pub(super) fn is_guard(name: &str, arity: usize) -> bool {
    GUARDS.contains(&(name, arity))
}

pub(super) fn is_operator(name: &str, arity: usize) -> bool {
    match arity {
        1 => UnaryOp::named(name).is_some(),
        2 => matches!(name, "andalso" | "orelse") || BinaryOp::named(name).is_some_and(BinaryOp::in_guards),
        _ => false,
    }
}

pub(super) fn is_erlang(name: &str, arity: usize) -> bool {
    is_operator(name, arity) || is_guard(name, arity) && !matches!(name, "get_tcw" | "is_seq_trace")
}

/// Functions of match specifications, in guards and bodies.
pub(super) const GUARDS: &[(&str, usize)] = &[
    ("is_atom", 1),
    ("is_float", 1),
    ("is_integer", 1),
    ("is_list", 1),
    ("is_number", 1),
    ("is_pid", 1),
    ("is_port", 1),
    ("is_reference", 1),
    ("is_tuple", 1),
    ("is_map", 1),
    ("is_map_key", 2),
    ("is_binary", 1),
    ("is_function", 1),
    ("is_record", 2),
    ("is_seq_trace", 0),
    ("abs", 1),
    ("element", 2),
    ("hd", 1),
    ("length", 1),
    ("node", 0),
    ("node", 1),
    ("round", 1),
    ("size", 1),
    ("bit_size", 1),
    ("byte_size", 1),
    ("map_size", 1),
    ("map_get", 2),
    ("binary_part", 2),
    ("binary_part", 3),
    ("tl", 1),
    ("trunc", 1),
    ("self", 0),
    ("float", 1),
    ("get_tcw", 0),
];

/// Functions of match specifications in bodies only.
pub(super) const ACTIONS: &[(&str, usize)] = &[
    ("set_seq_token", 2),
    ("get_seq_token", 0),
    ("message", 1),
    ("return_trace", 0),
    ("exception_trace", 0),
    ("process_dump", 0),
    ("enable_trace", 1),
    ("enable_trace", 2),
    ("disable_trace", 1),
    ("disable_trace", 2),
    ("display", 1),
    ("caller", 0),
    ("set_tcw", 1),
    ("silent", 1),
    ("trace", 2),
    ("trace", 3),
];

//! Terms of configurations.

use syntax::ast::{Expr, ExprKind, UnaryOp};
use syntax::atom::Atom;

/// The atom that a term is.
pub fn atom(term: &Expr) -> Option<&'static str> {
    match term.kind {
        ExprKind::Atom(name) => Some(name.as_str()),
        _ => None,
    }
}

/// The elements of a proper list; none for another term.
pub fn list(term: &Expr) -> &[Expr] {
    match &term.kind {
        ExprKind::List(list) if list.tail.is_none() => &list.items,
        _ => &[],
    }
}

/// The elements of a tuple; none for another term.
pub fn tuple(term: &Expr) -> &[Expr] {
    match &term.kind {
        ExprKind::Tuple(items) => items,
        _ => &[],
    }
}

/// A text: a string, or an atom or binary that stands for one.
pub fn text(term: &Expr) -> Option<String> {
    match &term.kind {
        ExprKind::String(text) => Some(text.to_string()),
        ExprKind::Atom(name) => Some(name.as_str().to_owned()),
        ExprKind::Binary(parts) => match &parts[..] {
            [part] => text(&part.value),
            _ => None,
        },
        _ => None,
    }
}

/// Is it a string, rather than a list of other things?
pub fn is_string(term: &Expr) -> bool {
    matches!(term.kind, ExprKind::String(_))
}

/// The values of all pairs with this key, in order. `key` alone counts as `{key, true}`, which has no value here.
pub fn values<'a>(terms: &'a [Expr], key: &'a str) -> impl Iterator<Item = &'a Expr> {
    terms.iter().filter_map(move |term| match tuple(term) {
        [name, value] if atom(name) == Some(key) => Some(value),
        _ => None,
    })
}

/// A term as source text. Configurations hold no others than these.
pub fn source(term: &Expr) -> Option<String> {
    let several = |items: &[Expr]| {
        let all: Option<Vec<String>> = items.iter().map(source).collect();
        all.map(|all| all.join(","))
    };
    Some(match &term.kind {
        ExprKind::Atom(name) => quoted(*name),
        ExprKind::Integer(n) => n.to_string(),
        ExprKind::BigInteger(n) => n.to_string(),
        ExprKind::Float(x) => syntax::token::float_text(*x),
        ExprKind::Char(c) => (*c as u32).to_string(),
        ExprKind::String(text) => {
            let escaped: String = text.chars().flat_map(escaped).collect();
            format!("\"{escaped}\"")
        }
        ExprKind::Nil => "[]".to_owned(),
        ExprKind::List(list) => match &list.tail {
            None => format!("[{}]", several(&list.items)?),
            Some(tail) => format!("[{}|{}]", several(&list.items)?, source(tail)?),
        },
        ExprKind::Tuple(items) => format!("{{{}}}", several(items)?),
        ExprKind::Unary(UnaryOp::Minus, number) => format!("-{}", source(number)?),
        ExprKind::Binary(parts) => match &parts[..] {
            [] => "<<>>".to_owned(),
            [part] if is_string(&part.value) => format!("<<{}>>", source(&part.value)?),
            _ => return None,
        },
        _ => return None,
    })
}

/// A term for messages.
pub fn shown(term: &Expr) -> String {
    source(term).unwrap_or_else(|| "…".to_owned())
}

fn quoted(name: Atom) -> String {
    syntax::token::quoted_atom(name)
}

fn escaped(c: char) -> Vec<char> {
    match c {
        '"' | '\\' => vec!['\\', c],
        c if c.is_control() => format!("\\x{{{:X}}}", c as u32).chars().collect(),
        c => vec![c],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_read_back_as_themselves() {
        let text = r#"{a,'B c',"q\"\\",[1,-2|x],<<"z">>,[],1.5}."#;
        let terms = syntax::parse_terms(text.as_bytes()).unwrap();
        assert_eq!(source(&terms[0]).unwrap() + ".", text);
    }
}

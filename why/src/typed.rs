//! Terms as they are typed in tests.

use session::value::Value;

/// A term as Erlang writes it: atoms, numbers, pids, references, texts, tuples, lists and maps.
pub(crate) fn term(text: &str) -> Value {
    let mut rest = text.trim();
    let value = read(&mut rest);
    assert!(rest.trim().is_empty(), "{text}: {rest}");
    value
}

fn read(rest: &mut &str) -> Value {
    let first = rest.chars().next().unwrap_or(' ');
    match first {
        '{' => Value::Tuple(items(rest, '}').into()),
        '[' => Value::List(items(rest, ']').into(), None),
        '#' if rest.starts_with("#{") => {
            *rest = &rest[1..];
            let list = items(rest, '}');
            let mut pairs: Vec<(Value, Value)> =
                list.chunks(2).map(|pair| (pair[0].clone(), pair[1].clone())).collect();
            pairs.sort();
            Value::Map(pairs.into())
        }
        '<' | '#' => {
            let end = rest.find('>').map_or(rest.len(), |end| end + 1);
            let text = upto(rest, end);
            match text.trim_matches(['<', '>']).parse() {
                Ok(pid) if first == '<' => Value::Pid(pid),
                _ => Value::Reference(text.into()),
            }
        }
        '"' | '\'' => {
            let end = rest[1..].find(first).map_or(rest.len(), |end| end + 2);
            let text = upto(rest, end);
            match first {
                '"' => Value::Text(text.into()),
                _ => Value::Atom(text[1..text.len() - 1].into()),
            }
        }
        _ => {
            let end = rest.find([',', '}', ']', ' ']).unwrap_or(rest.len());
            let text = upto(rest, end);
            match first.is_ascii_digit() || first == '-' {
                true => Value::Number(text.into()),
                false => Value::Atom(text.into()),
            }
        }
    }
}

/// So many bytes; the rest begins after them.
fn upto<'t>(rest: &mut &'t str, end: usize) -> &'t str {
    let (text, after) = rest.split_at(end);
    *rest = after;
    text
}

/// Items up to a closing bracket, parted by commas or arrows.
fn items(rest: &mut &str, close: char) -> Vec<Value> {
    let mut list = Vec::new();
    *rest = &rest[1..];
    while !rest.starts_with(close) {
        list.push(read(rest));
        let parted = rest.strip_prefix(',').or_else(|| rest.strip_prefix(" => "));
        *rest = parted.unwrap_or(rest);
    }
    *rest = &rest[1..];
    list
}

//! Terms in the external format, decoded and encoded by the tests' own means.

/// A term. Lists of small numbers and other lists are the same.
#[derive(Clone, Debug, PartialEq)]
pub enum Term {
    Atom(String),
    Integer(i64),
    /// Other terms without elements, with their tag, as they are.
    Bytes(u8, Vec<u8>),
    List(Vec<Term>, Option<Box<Term>>),
    Tuple(Vec<Term>),
    /// Keys and values in turn.
    Map(Vec<Term>),
    Fun(Vec<Term>),
}

/// Decodes what both writers make: Erlang's and ours.
pub fn decode(bytes: &[u8]) -> Term {
    assert_eq!(bytes[0], 131, "a term begins with its version");
    let mut rest = &bytes[1..];
    let term = one(&mut rest);
    assert!(rest.is_empty(), "{} bytes follow the term", rest.len());
    term
}

fn take<'a>(rest: &mut &'a [u8], count: usize) -> &'a [u8] {
    let (taken, after) = rest.split_at(count);
    *rest = after;
    taken
}

fn number(rest: &mut &[u8], bytes: usize) -> usize {
    take(rest, bytes)
        .iter()
        .fold(0, |sum, byte| sum << 8 | usize::from(*byte))
}

fn some(rest: &mut &[u8], count: usize) -> Vec<Term> {
    (0..count).map(|_| one(rest)).collect()
}

fn one(rest: &mut &[u8]) -> Term {
    syntax::stack::with_stack(|| {
        let tag = number(rest, 1) as u8;
        match tag {
            97 => Term::Integer(number(rest, 1) as i64),
            98 => Term::Integer(i64::from(number(rest, 4) as u32 as i32)),
            70 => Term::Bytes(tag, take(rest, 8).to_vec()),
            110 | 111 => {
                let length = number(rest, if tag == 110 { 1 } else { 4 });
                Term::Bytes(110, take(rest, length + 1).to_vec())
            }
            100 | 115 => {
                let length = number(rest, if tag == 100 { 2 } else { 1 });
                Term::Atom(take(rest, length).iter().map(|byte| char::from(*byte)).collect())
            }
            118 | 119 => {
                let length = number(rest, if tag == 118 { 2 } else { 1 });
                Term::Atom(String::from_utf8(take(rest, length).to_vec()).expect("UTF-8"))
            }
            109 => {
                let length = number(rest, 4);
                Term::Bytes(tag, take(rest, length).to_vec())
            }
            77 => {
                let length = number(rest, 4);
                Term::Bytes(tag, take(rest, length + 1).to_vec())
            }
            104 | 105 => {
                let count = number(rest, if tag == 104 { 1 } else { 4 });
                Term::Tuple(some(rest, count))
            }
            106 => Term::List(Vec::new(), None),
            107 => {
                let length = number(rest, 2);
                let items = take(rest, length).iter().map(|byte| Term::Integer(i64::from(*byte)));
                Term::List(items.collect(), None)
            }
            108 => {
                let count = number(rest, 4);
                let items = some(rest, count);
                match one(rest) {
                    Term::List(empty, None) if empty.is_empty() => Term::List(items, None),
                    tail => Term::List(items, Some(Box::new(tail))),
                }
            }
            113 => Term::Fun(some(rest, 3)),
            116 => {
                let count = number(rest, 4);
                Term::Map(some(rest, 2 * count))
            }
            _ => panic!("a term with the tag {tag}"),
        }
    })
}

pub fn encode(term: &Term) -> Vec<u8> {
    let mut out = vec![131];
    write(term, &mut out);
    out
}

fn write(term: &Term, out: &mut Vec<u8>) {
    let count = |out: &mut Vec<u8>, tag: u8, items: usize| {
        out.push(tag);
        out.extend((items as u32).to_be_bytes());
    };
    match term {
        Term::Atom(name) => {
            out.push(118);
            out.extend((name.len() as u16).to_be_bytes());
            out.extend(name.bytes());
        }
        Term::Integer(value) => match i32::try_from(*value) {
            Ok(value) => {
                out.push(98);
                out.extend(value.to_be_bytes());
            }
            Err(_) => {
                out.extend([110, 8, u8::from(*value < 0)]);
                out.extend(value.unsigned_abs().to_le_bytes());
            }
        },
        Term::Bytes(tag, bytes) => {
            match tag {
                110 => count(out, 111, bytes.len() - 1),
                109 => count(out, 109, bytes.len()),
                77 => count(out, 77, bytes.len() - 1),
                _ => out.push(*tag),
            }
            out.extend(bytes);
        }
        Term::List(items, tail) => {
            if !items.is_empty() {
                count(out, 108, items.len());
                items.iter().for_each(|item| write(item, out));
            }
            match tail {
                Some(tail) => write(tail, out),
                None => out.push(106),
            }
        }
        Term::Tuple(items) => {
            count(out, 105, items.len());
            items.iter().for_each(|item| write(item, out));
        }
        Term::Map(items) => {
            count(out, 116, items.len() / 2);
            items.iter().for_each(|item| write(item, out));
        }
        Term::Fun(items) => {
            out.push(113);
            items.iter().for_each(|item| write(item, out));
        }
    }
}

impl Term {
    pub fn tag(&self) -> Option<&str> {
        match self {
            Term::Tuple(items) => match items.first() {
                Some(Term::Atom(name)) => Some(name),
                _ => None,
            },
            _ => None,
        }
    }

    /// The terms directly inside.
    pub fn parts_mut(&mut self) -> Vec<&mut Term> {
        match self {
            Term::Atom(_) | Term::Integer(_) | Term::Bytes(..) => Vec::new(),
            Term::List(items, tail) => items.iter_mut().chain(tail.as_deref_mut()).collect(),
            Term::Tuple(items) | Term::Map(items) | Term::Fun(items) => items.iter_mut().collect(),
        }
    }
}

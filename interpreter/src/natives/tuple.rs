//! Natives of the module `erlang` on tuples.

use crate::native::{Context, Native, NativeArgs, NativeResult, Raise};
use crate::term::Term;

/// The largest size of a tuple, as in OTP.
const SIZE_LIMIT: usize = (1 << 24) - 1;

/// The table of this area.
pub const NATIVES: &[Native] = &[
    Native::pure("erlang", "element", 2, element),
    Native::pure("erlang", "setelement", 3, setelement),
    Native::pure("erlang", "append_element", 2, append_element),
    Native::pure("erlang", "delete_element", 2, delete_element),
    Native::pure("erlang", "insert_element", 3, insert_element),
    Native::pure("erlang", "make_tuple", 2, |cx, a| make_tuple(cx, a, Term::NIL)),
    Native::pure("erlang", "make_tuple", 3, |cx, a| make_tuple(cx, a, a[2])),
    Native::pure("erlang", "tuple_size", 1, |cx, a| {
        let elements = cx.heap.tuple(a[0]).ok_or(Raise::badarg())?;
        Ok(Term::small(elements.len() as i64))
    }),
    Native::pure("erlang", "tuple_to_list", 1, |cx, a| {
        let elements = elements(cx, a[0])?;
        Ok(cx.heap.make_list(&elements))
    }),
    Native::pure("erlang", "list_to_tuple", 1, |cx, a| {
        let elements = cx.heap.list(a[0]).ok_or(Raise::badarg())?;
        make(cx, &elements)
    }),
];

fn elements(cx: &Context<'_>, t: Term) -> Result<Vec<Term>, Raise> {
    cx.heap.tuple(t).map(<[Term]>::to_vec).ok_or(Raise::badarg())
}

fn make(cx: &mut Context<'_>, elements: &[Term]) -> NativeResult {
    if elements.len() > SIZE_LIMIT {
        Err(Raise::system_limit())
    } else {
        Ok(cx.heap.make_tuple(elements))
    }
}

/// A position from 1 to `last`, counted from 0.
fn position(t: Term, last: usize) -> Result<usize, Raise> {
    match t.as_small() {
        Some(n) if n >= 1 && n as usize <= last => Ok(n as usize - 1),
        _ => Err(Raise::badarg()),
    }
}

fn element(cx: &mut Context<'_>, args: NativeArgs<'_>) -> NativeResult {
    let elements = cx.heap.tuple(args[1]).ok_or(Raise::badarg())?;
    Ok(elements[position(args[0], elements.len())?])
}

fn setelement(cx: &mut Context<'_>, args: NativeArgs<'_>) -> NativeResult {
    let mut elements = elements(cx, args[1])?;
    let at = position(args[0], elements.len())?;
    elements[at] = args[2];
    make(cx, &elements)
}

fn append_element(cx: &mut Context<'_>, args: NativeArgs<'_>) -> NativeResult {
    let mut elements = elements(cx, args[0])?;
    elements.push(args[1]);
    make(cx, &elements)
}

fn delete_element(cx: &mut Context<'_>, args: NativeArgs<'_>) -> NativeResult {
    let mut elements = elements(cx, args[1])?;
    let at = position(args[0], elements.len())?;
    elements.remove(at);
    make(cx, &elements)
}

fn insert_element(cx: &mut Context<'_>, args: NativeArgs<'_>) -> NativeResult {
    let mut elements = elements(cx, args[1])?;
    let at = position(args[0], elements.len() + 1)?;
    elements.insert(at, args[2]);
    make(cx, &elements)
}

fn make_tuple(cx: &mut Context<'_>, args: NativeArgs<'_>, initial: Term) -> NativeResult {
    let size = args[0]
        .as_small()
        .and_then(|n| usize::try_from(n).ok())
        .ok_or(Raise::badarg())?;
    if size > SIZE_LIMIT {
        return Err(Raise::badarg());
    }
    cx.needs(size * 16)?;
    let mut elements = vec![args[1]; size];
    for item in cx.heap.list(initial).ok_or(Raise::badarg())? {
        match cx.heap.tuple(item) {
            Some(&[at, value]) => elements[position(at, size)?] = value,
            _ => return Err(Raise::badarg()),
        }
    }
    make(cx, &elements)
}

//! Natives of the module `erlang` that convert between types of terms.

use crate::atom::Atom;
use crate::binary::Builder;
use crate::etf;
use crate::heap::{Heap, TermView};
use crate::native::{Context, Native, NativeArgs, NativeResult, Raise};
use crate::newer::Newer;
use crate::number;
use crate::print;
use crate::term::{Pid, Reference, Term};

/// The table of this area.
pub const NATIVES: &[Native] = &[
    Native::pure("erlang", "fun_to_list", 1, |cx, a| match cx.heap.view(a[0]) {
        TermView::Fun { .. } | TermView::ExternalFun { .. } => Ok(shown(cx, a[0])),
        _ => Err(Raise::badarg()),
    }),
    Native::pure("erlang", "ref_to_list", 1, |cx, a| match cx.heap.view(a[0]) {
        TermView::Reference(_) => Ok(shown(cx, a[0])),
        _ => Err(Raise::badarg()),
    }),
    Native::pure("erlang", "list_to_ref", 1, list_to_ref),
    Native::pure("erlang", "atom_to_list", 1, atom_to_list),
    Native::pure("erlang", "list_to_atom", 1, |cx, a| {
        characters(cx, a[0]).and_then(|name| make_atom(&name, true))
    }),
    Native::pure("erlang", "atom_to_binary", 1, |cx, a| {
        atom_to_binary(cx, a[0], Term::atom(Atom::UTF8))
    }),
    Native::pure("erlang", "atom_to_binary", 2, |cx, a| atom_to_binary(cx, a[0], a[1])),
    Native::pure("erlang", "binary_to_atom", 1, |cx, a| {
        binary_to_atom(cx, a[0], Term::atom(Atom::UTF8), true)
    }),
    Native::pure("erlang", "binary_to_atom", 2, |cx, a| {
        binary_to_atom(cx, a[0], a[1], true)
    }),
    Native::pure("erlang", "integer_to_list", 1, |cx, a| {
        integer_text(cx, a[0], 10, false)
    }),
    Native::pure("erlang", "integer_to_list", 2, |cx, a| {
        base(a[1]).and_then(|b| integer_text(cx, a[0], b, false))
    }),
    Native::pure("erlang", "integer_to_binary", 1, |cx, a| {
        integer_text(cx, a[0], 10, true)
    }),
    Native::pure("erlang", "integer_to_binary", 2, |cx, a| {
        base(a[1]).and_then(|b| integer_text(cx, a[0], b, true))
    }),
    Native::pure("erlang", "list_to_integer", 1, |cx, a| {
        text(cx, a[0]).and_then(|t| integer(cx, &t, 10))
    }),
    Native::pure("erlang", "list_to_integer", 2, |cx, a| {
        let base = base(a[1])?;
        text(cx, a[0]).and_then(|t| integer(cx, &t, base))
    }),
    Native::pure("erlang", "binary_to_integer", 1, |cx, a| {
        bytes(cx, a[0]).and_then(|t| integer(cx, &t, 10))
    }),
    Native::pure("erlang", "binary_to_integer", 2, |cx, a| {
        let base = base(a[1])?;
        bytes(cx, a[0]).and_then(|t| integer(cx, &t, base))
    }),
    Native::pure("erlang", "float_to_list", 1, |cx, a| {
        float_text(cx, a[0], Term::NIL, false)
    }),
    Native::pure("erlang", "float_to_list", 2, |cx, a| float_text(cx, a[0], a[1], false)),
    Native::pure("erlang", "float_to_binary", 1, |cx, a| {
        float_text(cx, a[0], Term::NIL, true)
    }),
    Native::pure("erlang", "float_to_binary", 2, |cx, a| float_text(cx, a[0], a[1], true)),
    Native::pure("erlang", "list_to_float", 1, |cx, a| {
        text(cx, a[0]).and_then(|t| float(cx, &t))
    }),
    Native::pure("erlang", "binary_to_float", 1, |cx, a| {
        let text = bytes(cx, a[0])?;
        float(cx, &text)
    }),
    Native::pure("string", "list_to_integer", 1, string_to_integer),
    Native::pure("string", "list_to_float", 1, string_to_float),
    Native::pure("erlang", "list_to_binary", 1, |cx, a| {
        if a[0].is_list() {
            iolist_to_binary(cx, a[0])
        } else {
            Err(Raise::badarg())
        }
    }),
    Native::pure("erlang", "iolist_to_binary", 1, |cx, a| iolist_to_binary(cx, a[0])),
    Native::pure("erlang", "iolist_to_iovec", 1, iolist_to_iovec),
    Native::pure("erlang", "iolist_size", 1, iolist_size),
    Native::pure("erlang", "list_to_bitstring", 1, list_to_bitstring),
    Native::pure("erlang", "binary_to_list", 1, |cx, a| {
        let bytes = bytes(cx, a[0])?;
        cx.needs(bytes.len().saturating_mul(16))?;
        Ok(byte_list(cx.heap, &bytes, Term::NIL))
    }),
    Native::pure("erlang", "binary_to_list", 3, binary_to_list_3),
    Native::pure("erlang", "bitstring_to_list", 1, bitstring_to_list),
    Native::pure("erlang", "term_to_binary", 1, |cx, a| {
        term_to_binary(cx, a[0], Term::NIL)
    }),
    Native::pure("erlang", "term_to_binary", 2, |cx, a| term_to_binary(cx, a[0], a[1])),
    Native::pure("erlang", "term_to_iovec", 1, |cx, a| term_to_iovec(cx, a[0], Term::NIL)),
    Native::pure("erlang", "term_to_iovec", 2, |cx, a| term_to_iovec(cx, a[0], a[1])),
    Native::pure("erlang", "external_size", 1, |cx, a| external_size(cx, a[0], Term::NIL)),
    Native::pure("erlang", "external_size", 2, |cx, a| external_size(cx, a[0], a[1])),
];

/// Limit: characters of an atom's name.
const ATOM_LENGTH: usize = 255;

/// The bytes of a binary argument.
pub(super) fn bytes(cx: &Context<'_>, t: Term) -> Result<Vec<u8>, Raise> {
    cx.heap
        .bytes(t)
        .map(std::borrow::Cow::into_owned)
        .ok_or(Raise::badarg())
}

/// A list of these bytes ending in `tail`.
pub(super) fn byte_list(heap: &mut Heap, bytes: &[u8], tail: Term) -> Term {
    bytes
        .iter()
        .rev()
        .fold(tail, |tail, b| heap.cons(Term::small(i64::from(*b)), tail))
}

/// The characters of a flat list; `badarg` for anything else.
fn characters(cx: &Context<'_>, t: Term) -> Result<String, Raise> {
    let mut out = String::new();
    let mut at = t;
    while let Some((head, tail)) = cx.heap.cons_cell(at) {
        let code = head
            .as_small()
            .and_then(|c| u32::try_from(c).ok())
            .and_then(char::from_u32);
        out.push(code.ok_or(Raise::badarg())?);
        at = tail;
    }
    if at.is_nil() { Ok(out) } else { Err(Raise::badarg()) }
}

/// The bytes of a flat list of bytes, for numbers.
fn text(cx: &Context<'_>, t: Term) -> Result<Vec<u8>, Raise> {
    let mut out = Vec::new();
    let mut at = t;
    while let Some((head, tail)) = cx.heap.cons_cell(at) {
        out.push(
            head.as_small()
                .and_then(|c| u8::try_from(c).ok())
                .ok_or(Raise::badarg())?,
        );
        at = tail;
    }
    if at.is_nil() { Ok(out) } else { Err(Raise::badarg()) }
}

/// The text of a term as `~w` writes it.
fn shown(cx: &mut Context<'_>, t: Term) -> Term {
    let text = print::write(cx.heap, t, -1, &print::Style::latin1(cx.code));
    cx.heap.make_string(&text)
}

/// Reads what `ref_to_list` wrote.
fn list_to_ref(cx: &mut Context<'_>, args: NativeArgs<'_>) -> NativeResult {
    let text = characters(cx, args[0])?;
    let numbers = text
        .strip_prefix("#Ref<")
        .and_then(|t| t.strip_suffix(">"))
        .ok_or(Raise::badarg())?;
    let numbers: Result<Vec<u64>, _> = numbers.split('.').map(str::parse).collect();
    match numbers.ok().as_deref() {
        Some(&[node, owner, number, 0]) if node <= u64::from(u16::MAX) && owner < 1 << 40 => {
            let owner = Pid::new(node as u16, owner);
            let reference = cx.heap.make_reference(Reference { owner, number });
            // Only texts that `ref_to_list` would write.
            let again = print::write(cx.heap, reference, -1, &print::Style::latin1(cx.code));
            if again == text {
                Ok(reference)
            } else {
                Err(Raise::badarg())
            }
        }
        _ => Err(Raise::badarg()),
    }
}

/// The native `list_to_existing_atom/1` or `binary_to_existing_atom/1,2` with these arguments; with `create`, the functions that make the atom.
/// Which atoms exist depends on all processes, so the system layer registers these natives.
///
/// # Errors
/// `badarg`: the arguments do not name an atom, or none that exists.
pub fn atom_of_text(cx: &mut Context<'_>, args: NativeArgs<'_>, create: bool) -> NativeResult {
    match *args {
        [text] if cx.heap.bytes(text).is_none() => characters(cx, text).and_then(|name| make_atom(&name, create)),
        [text] => binary_to_atom(cx, text, Term::atom(Atom::UTF8), create),
        [text, encoding] => binary_to_atom(cx, text, encoding, create),
        _ => Err(Raise::badarg()),
    }
}

fn make_atom(name: &str, create: bool) -> NativeResult {
    if name.chars().count() > ATOM_LENGTH {
        return Err(if create { Raise::system_limit() } else { Raise::badarg() });
    }
    let atom = if create {
        Atom::try_new(name).ok_or(Raise::system_limit())
    } else {
        Atom::existing(name).ok_or(Raise::badarg())
    };
    atom.map(Term::atom)
}

fn atom_to_list(cx: &mut Context<'_>, args: NativeArgs<'_>) -> NativeResult {
    let atom = args[0].as_atom().ok_or(Raise::badarg())?;
    Ok(cx.heap.make_string(atom.as_str()))
}

/// Is the encoding latin1? Otherwise it is UTF-8.
fn is_latin1(encoding: Term) -> Result<bool, Raise> {
    match encoding.as_atom() {
        Some(Atom::LATIN1) => Ok(true),
        Some(Atom::UTF8 | Atom::UNICODE) => Ok(false),
        _ => Err(Raise::badarg()),
    }
}

fn atom_to_binary(cx: &mut Context<'_>, t: Term, encoding: Term) -> NativeResult {
    let name = t.as_atom().ok_or(Raise::badarg())?.as_str();
    if is_latin1(encoding)? {
        let bytes: Result<Vec<u8>, _> = name.chars().map(|c| u8::try_from(u32::from(c))).collect();
        return Ok(cx.heap.make_binary(&bytes.map_err(|_| Raise::badarg())?));
    }
    Ok(cx.heap.make_binary(name.as_bytes()))
}

fn binary_to_atom(cx: &mut Context<'_>, t: Term, encoding: Term, create: bool) -> NativeResult {
    let latin1 = is_latin1(encoding)?;
    let bytes = bytes(cx, t)?;
    let name = if latin1 {
        bytes.iter().map(|b| char::from(*b)).collect()
    } else {
        String::from_utf8(bytes).map_err(|_| Raise::badarg())?
    };
    make_atom(&name, create)
}

fn base(t: Term) -> Result<u32, Raise> {
    t.as_small()
        .filter(|b| (2..=36).contains(b))
        .map(|b| b as u32)
        .ok_or(Raise::badarg())
}

/// A list of characters or a binary.
fn give(heap: &mut Heap, text: &str, binary: bool) -> Term {
    if binary {
        heap.make_binary(text.as_bytes())
    } else {
        heap.make_string(text)
    }
}

fn integer_text(cx: &mut Context<'_>, t: Term, base: u32, binary: bool) -> NativeResult {
    let text = number::integer_to_text(cx.heap, t, base).ok_or(Raise::badarg())?;
    Ok(give(cx.heap, &text, binary))
}

fn integer(cx: &mut Context<'_>, text: &[u8], base: u32) -> NativeResult {
    number::parse_integer(cx.heap, text, base)?.ok_or(Raise::badarg())
}

fn float(cx: &mut Context<'_>, text: &[u8]) -> NativeResult {
    // OTP accepts a comma as the decimal point.
    let text: Vec<u8> = text.iter().map(|b| if *b == b',' { b'.' } else { *b }).collect();
    number::parse_float(&text)
        .map(|x| cx.heap.make_float(x))
        .ok_or(Raise::badarg())
}

enum FloatForm {
    Scientific(usize),
    Decimals(usize),
    Short,
}

fn float_text(cx: &mut Context<'_>, t: Term, options: Term, binary: bool) -> NativeResult {
    let TermView::Float(x) = cx.heap.view(t) else {
        return Err(Raise::badarg());
    };
    let (mut form, mut compact) = (FloatForm::Scientific(20), false);
    for option in cx.heap.list(options).ok_or(Raise::badarg())? {
        match cx.heap.view(option) {
            TermView::Atom(a) if a.as_str() == "compact" => compact = true,
            TermView::Atom(a) if a.as_str() == "short" => form = FloatForm::Short,
            TermView::Tuple(&[name, value]) => {
                let name = name.as_atom().ok_or(Raise::badarg())?.as_str();
                form = match (name, value.as_small()) {
                    ("decimals", Some(n @ 0..=253)) => FloatForm::Decimals(n as usize),
                    ("scientific", Some(n @ 0..=249)) => FloatForm::Scientific(n as usize),
                    _ => return Err(Raise::badarg()),
                };
            }
            _ => return Err(Raise::badarg()),
        }
    }
    let text = match form {
        FloatForm::Scientific(n) => {
            // OTP's buffer holds 255 characters.
            let text = number::float_scientific(x, n);
            if text.len() > 255 {
                return Err(Raise::badarg());
            }
            text
        }
        FloatForm::Decimals(n) => number::float_decimals(x, n, compact).ok_or(Raise::badarg())?,
        FloatForm::Short => number::float_to_text(x),
    };
    Ok(give(cx.heap, &text, binary))
}

fn error_tuple(heap: &mut Heap, reason: &str) -> Term {
    heap.make_tuple(&[Term::atom(Atom::ERROR), Term::atom(Atom::new(reason))])
}

/// The beginning of a list that looks like part of a number, and the rest of the list after each of its characters.
fn number_front(heap: &Heap, list: Term, accept: impl Fn(&[u8], u8) -> bool) -> (Vec<u8>, Vec<Term>) {
    let (mut front, mut rests, mut at) = (Vec::new(), vec![list], list);
    while let Some((head, tail)) = heap.cons_cell(at) {
        let Some(byte) = head
            .as_small()
            .and_then(|c| u8::try_from(c).ok())
            .filter(|b| accept(&front, *b))
        else {
            break;
        };
        front.push(byte);
        rests.push(tail);
        at = tail;
    }
    (front, rests)
}

fn string_to_integer(cx: &mut Context<'_>, args: NativeArgs<'_>) -> NativeResult {
    if !args[0].is_list() {
        return Ok(error_tuple(cx.heap, "not_a_list"));
    }
    let (front, rests) = number_front(cx.heap, args[0], |front, b| {
        b.is_ascii_digit() || front.is_empty() && matches!(b, b'+' | b'-')
    });
    match number::parse_integer(cx.heap, &front, 10)? {
        Some(value) => Ok(cx.heap.make_tuple(&[value, rests[front.len()]])),
        None => Ok(error_tuple(cx.heap, "no_integer")),
    }
}

fn string_to_float(cx: &mut Context<'_>, args: NativeArgs<'_>) -> NativeResult {
    if !args[0].is_list() {
        return Ok(error_tuple(cx.heap, "not_a_list"));
    }
    let (front, rests) = number_front(cx.heap, args[0], |_, b| b.is_ascii_digit() || b"+-.,eE".contains(&b));
    // The longest beginning that is a float.
    for n in (3..=front.len()).rev() {
        let mut text = front[..n].to_vec();
        if let Some(comma) = text.iter().position(|b| *b == b',') {
            text[comma] = b'.';
        }
        if let Some(x) = number::parse_float(&text) {
            let value = cx.heap.make_float(x);
            return Ok(cx.heap.make_tuple(&[value, rests[n]]));
        }
    }
    Ok(error_tuple(cx.heap, "no_float"))
}

/// What a list that becomes a binary may contain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flatten {
    /// Bytes and binaries.
    Bytes,
    /// Bytes, binaries and bitstrings.
    Bits,
}

/// The bytes (and the number of bits) of an iolist; `None` if it is not one. Iterative.
#[must_use]
pub fn flatten(heap: &Heap, t: Term, kind: Flatten) -> Option<(Vec<u8>, usize)> {
    let mut out = Builder::new();
    let mut stack = vec![];
    let mut at = t;
    loop {
        if let Some((head, tail)) = heap.cons_cell(at) {
            // Along the list; only nested lists need the stack.
            match head.as_small() {
                Some(byte) => {
                    out.push(u64::from(u8::try_from(byte).ok()?), 8);
                    at = tail;
                }
                None => {
                    stack.push(tail);
                    at = head;
                }
            }
            continue;
        }
        if !at.is_nil() {
            let bits = heap.bits(at)?;
            if kind == Flatten::Bytes && bits.len % 8 != 0 {
                return None;
            }
            out.put_bits(heap, at, bits.len).ok()?;
        }
        match stack.pop() {
            Some(next) => at = next,
            None => return Some(out.into_parts()),
        }
    }
}

fn iolist_to_binary(cx: &mut Context<'_>, t: Term) -> NativeResult {
    if let Some(bits) = cx.heap.bits(t) {
        return if bits.len % 8 == 0 { Ok(t) } else { Err(Raise::badarg()) };
    }
    needs_flat(cx, t)?;
    let (bytes, _) = flatten(cx.heap, t, Flatten::Bytes).ok_or(Raise::badarg())?;
    cx.local.charge += (bytes.len() / 20) as u32;
    Ok(cx.heap.make_binary(&bytes))
}

/// If memory is limited, checks that there is room for the bytes of an iolist. Parts of the list can be shared, so it can be much smaller than
/// its bytes.
fn needs_flat(cx: &mut Context<'_>, t: Term) -> Result<(), Raise> {
    let Some(most) = cx.heap.room_left() else { return Ok(()) };
    let (mut bytes, mut stack, mut at) = (0_usize, Vec::new(), t);
    while bytes <= most {
        if let Some((head, tail)) = cx.heap.cons_cell(at) {
            stack.push(tail);
            at = head;
            continue;
        }
        bytes += cx.heap.bits(at).map_or(1, |bits| bits.len / 8);
        match stack.pop() {
            Some(next) => at = next,
            None => break,
        }
    }
    cx.needs(bytes)
}

fn iolist_to_iovec(cx: &mut Context<'_>, args: NativeArgs<'_>) -> NativeResult {
    let whole = iolist_to_binary(cx, args[0])?;
    let empty = crate::binary::len(cx.heap, whole) == Some(0);
    Ok(if empty {
        Term::NIL
    } else {
        cx.heap.cons(whole, Term::NIL)
    })
}

fn iolist_size(cx: &mut Context<'_>, args: NativeArgs<'_>) -> NativeResult {
    let (bytes, _) = flatten(cx.heap, args[0], Flatten::Bytes).ok_or(Raise::badarg())?;
    Ok(Term::small(bytes.len() as i64))
}

fn list_to_bitstring(cx: &mut Context<'_>, args: NativeArgs<'_>) -> NativeResult {
    if !args[0].is_list() {
        return Err(Raise::badarg());
    }
    needs_flat(cx, args[0])?;
    let (bytes, bits) = flatten(cx.heap, args[0], Flatten::Bits).ok_or(Raise::badarg())?;
    Ok(cx.heap.make_bitstring(&bytes, bits))
}

fn binary_to_list_3(cx: &mut Context<'_>, args: NativeArgs<'_>) -> NativeResult {
    let bytes = bytes(cx, args[0])?;
    match (args[1].as_small(), args[2].as_small()) {
        (Some(from), Some(to)) if 1 <= from && from <= to && to as usize <= bytes.len() => {
            cx.needs((to - from) as usize * 16)?;
            Ok(byte_list(cx.heap, &bytes[from as usize - 1..to as usize], Term::NIL))
        }
        _ => Err(Raise::badarg()),
    }
}

fn bitstring_to_list(cx: &mut Context<'_>, args: NativeArgs<'_>) -> NativeResult {
    let length = cx.heap.bits(args[0]).ok_or(Raise::badarg())?.len;
    cx.needs(length.saturating_mul(2))?;
    let bits = cx.heap.bits(args[0]).ok_or(Raise::badarg())?;
    let (bytes, whole, left) = (bits.to_vec(), bits.len / 8, bits.len % 8);
    let tail = if left > 0 {
        let last = cx.heap.make_bitstring(&bytes[whole..], left);
        cx.heap.cons(last, Term::NIL)
    } else {
        Term::NIL
    };
    Ok(byte_list(cx.heap, &bytes[..whole], tail))
}

/// The options of `term_to_binary/2`.
fn etf_options(heap: &Heap, options: Term) -> Result<etf::EtfOptions, Raise> {
    let mut out = etf::EtfOptions {
        minor_version: if Newer::Utf8Atoms.is_in(heap.release()) { 2 } else { 1 },
        ..etf::EtfOptions::default()
    };
    for option in heap.list(options).ok_or(Raise::badarg())? {
        match heap.view(option) {
            TermView::Atom(a) => match a.as_str() {
                "compressed" => out.compression = 6,
                "deterministic" => out.deterministic = true,
                _ => return Err(Raise::badarg()),
            },
            TermView::Tuple(&[name, value]) => match (name.as_atom().map(Atom::as_str), value.as_small()) {
                (Some("minor_version"), Some(n @ 0..=2)) => out.minor_version = n as u8,
                (Some("compressed"), Some(n @ 0..=9)) => out.compression = n as u8,
                _ => return Err(Raise::badarg()),
            },
            _ => return Err(Raise::badarg()),
        }
    }
    Ok(out)
}

fn encoded(cx: &mut Context<'_>, t: Term, options: Term) -> Result<Vec<u8>, Raise> {
    let options = etf_options(cx.heap, options)?;
    let bytes = etf::encode(cx.heap, t, &options);
    cx.local.charge += (bytes.len() / 20) as u32;
    Ok(bytes)
}

fn term_to_binary(cx: &mut Context<'_>, t: Term, options: Term) -> NativeResult {
    let bytes = encoded(cx, t, options)?;
    Ok(cx.heap.make_binary(&bytes))
}

fn term_to_iovec(cx: &mut Context<'_>, t: Term, options: Term) -> NativeResult {
    let whole = term_to_binary(cx, t, options)?;
    Ok(cx.heap.cons(whole, Term::NIL))
}

fn external_size(cx: &mut Context<'_>, t: Term, options: Term) -> NativeResult {
    let n = encoded(cx, t, options)?.len();
    Ok(Term::small(n as i64))
}

/// The options of `binary_to_term/2`: `safe`, `used`.
///
/// # Errors
/// `badarg`: there are other options.
pub fn decoding_options(heap: &Heap, options: Term) -> Result<(bool, bool), Raise> {
    let (mut safe, mut used) = (false, false);
    for option in heap.list(options).ok_or_else(|| Raise::badarg_because("badopt"))? {
        match option.as_atom().map(Atom::as_str) {
            Some("safe") => safe = true,
            Some("used") => used = true,
            _ => return Err(Raise::badarg_because("badopt")),
        }
    }
    Ok((safe, used))
}

/// `binary_to_term/2`: the term, and the number of bytes read. With `safe` it creates no atoms, so its result depends on which atoms exist.
///
/// # Errors
/// `badarg`, or `system_limit` for a term that is too large; or the module that has to be loaded first.
pub fn decode(cx: &mut Context<'_>, t: Term, safe: bool) -> Result<(Term, usize), Undecoded> {
    let bytes = bytes(cx, t).map_err(Undecoded::Raise)?;
    cx.local.charge += (bytes.len() / 20) as u32;
    etf::decode(cx.heap, &bytes, safe, Some(cx.code)).map_err(|error| match error {
        etf::DecodeError::SystemLimit => Undecoded::Raise(Raise::system_limit()),
        etf::DecodeError::Unloaded(module) => Undecoded::Unloaded(module),
        _ => Undecoded::Raise(Raise::badarg()),
    })
}

/// Why [`decode`] returns no term.
#[derive(Clone, Copy, Debug)]
pub enum Undecoded {
    /// It fails.
    Raise(Raise),
    /// It holds a fun of a module that is not loaded.
    Unloaded(Atom),
}

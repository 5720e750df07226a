//! Natives of `io_lib` and of the printing half of `io`.

use crate::atom::Atom;
use crate::heap::{Heap, TermView};
use crate::native::{Context, Native, NativeResult, Raise};
use crate::newer::Newer;
use crate::print::text::{self, CHAR_MAX, Text};
use crate::print::{self, Encoding, Escape, MapOrder, PrettyOptions, Style, is_printable};
use crate::term::Term;
use syntax::Feature;

/// This area's natives.
pub const NATIVES: &[Native] = &[
    Native::pure("io_lib", "format", 2, format),
    Native::pure("io_lib", "fwrite", 2, format),
    Native::pure("io_lib", "format", 3, format_limited),
    Native::pure("io_lib", "fwrite", 3, format_limited),
    Native::pure("io_lib", "$text", 2, format_text),
    Native::pure("io_lib", "$chars", 1, chars_text),
    Native::pure("io_lib", "write", 1, write),
    Native::pure("io_lib", "write", 2, write_with),
    Native::pure("io_lib", "print", 1, print_default),
    Native::pure("io_lib", "print", 4, print_at),
    Native::pure("io_lib_pretty", "print", 1, print_default),
    Native::pure("io_lib_pretty", "print", 2, print_options),
    Native::pure("io_lib_pretty", "print", 4, print_at),
    Native::pure("io_lib", "write_atom", 1, write_atom),
    Native::pure("io_lib", "write_atom_as_latin1", 1, write_atom_as_latin1),
    Native::pure("io_lib", "write_string", 1, write_string),
    Native::pure("io_lib", "write_string", 2, write_string),
    Native::pure("io_lib", "write_string_as_latin1", 1, write_string_as_latin1),
    Native::pure("io_lib", "write_string_as_latin1", 2, write_string_as_latin1),
    Native::pure("io_lib", "write_latin1_string", 1, write_latin1_string),
    Native::pure("io_lib", "write_latin1_string", 2, write_latin1_string),
    Native::pure("io_lib", "write_char", 1, write_char),
    Native::pure("io_lib", "write_char_as_latin1", 1, write_char_as_latin1),
    Native::pure("io_lib", "write_latin1_char", 1, write_latin1_char),
    Native::pure("io_lib", "quote_atom", 2, quote_atom),
    Native::pure("io_lib", "char_list", 1, char_list),
    Native::pure("io_lib", "latin1_char_list", 1, latin1_char_list),
    Native::pure("io_lib", "deep_char_list", 1, deep_char_list),
    Native::pure("io_lib", "deep_latin1_char_list", 1, deep_latin1_char_list),
    Native::pure("io_lib", "printable_list", 1, printable_latin1_list),
    Native::pure("io_lib", "printable_latin1_list", 1, printable_latin1_list),
    Native::pure("io_lib", "printable_unicode_list", 1, printable_unicode_list),
    Native::pure("io_lib", "chars_length", 1, chars_length),
    Native::pure("io_lib", "indentation", 2, indentation),
    Native::pure("io", "printable_range", 0, printable_range),
];

fn format(cx: &mut Context<'_>, args: &[Term]) -> NativeResult {
    let out = print::format(cx.heap, cx.code, args[0], args[1])?;
    cx.needs(out.text.size().saturating_mul(16))?;
    cx.local.charge += (out.text.size() / 32) as u32;
    Ok(out.to_list(cx.heap))
}

fn format_limited(cx: &mut Context<'_>, args: &[Term]) -> NativeResult {
    let limit = option(cx.heap, args[2], "chars_limit")?.map_or(Ok(-1), |t| integer(cx.heap, t))?;
    let out = print::format_limited(cx.heap, cx.code, args[0], args[1], limit)?;
    Ok(out.to_list(cx.heap))
}

/// `$text(Format, Args)`: the formatted characters as a UTF-8 binary, or `error`.
fn format_text(cx: &mut Context<'_>, args: &[Term]) -> NativeResult {
    let text = match print::format(cx.heap, cx.code, args[0], args[1]) {
        Ok(out) => out.text,
        Err(raise) if raise.reason == Term::atom(Atom::BADARG) => return Ok(Term::atom(Atom::ERROR)),
        Err(raise) => return Err(raise),
    };
    cx.local.charge += (text.size() / 32) as u32;
    Ok(match text.to_str() {
        Some(s) => cx.heap.make_binary(s.as_bytes()),
        None => Term::atom(Atom::ERROR),
    })
}

/// The characters of an output request of the I/O protocol, as UTF-8; `None` if it is not such a request, or has no characters.
pub fn request_text(cx: &mut Context<'_>, request: Term) -> Option<Vec<u8>> {
    let parts = cx.heap.tuple(request)?.to_vec();
    let word = |t: &Term| t.as_atom().map(Atom::as_str);
    let text = match (parts.first().and_then(word)?, &parts[1..]) {
        ("requests", &[list]) => {
            let mut all = Vec::new();
            for one in cx.heap.list(list)? {
                all.extend(request_text(cx, one)?);
            }
            return Some(all);
        }
        ("put_chars", &[chars] | &[_, chars]) => chars_text(cx, &[chars]),
        ("put_chars", &[module, function, args] | &[_, module, function, args]) if word(&module) == Some("io_lib") => {
            let args = cx.heap.list(args)?;
            match (word(&function)?, &args[..]) {
                ("format" | "fwrite", &[format, args]) => format_text(cx, &[format, args]),
                ("write", &[term]) => {
                    let (format, args) = (cx.heap.make_string("~w"), cx.heap.make_list(&[term]));
                    format_text(cx, &[format, args])
                }
                ("nl", []) => Ok(cx.heap.make_binary(b"\n")),
                _ => return None,
            }
        }
        _ => return None,
    };
    let text = text.ok()?;
    cx.heap.bytes(text).map(|bytes| bytes.into_owned())
}

/// `$chars(Chardata)`: Unicode character data as a UTF-8 binary, or `error`.
fn chars_text(cx: &mut Context<'_>, args: &[Term]) -> NativeResult {
    if let Some(bytes) = cx.heap.bytes(args[0]) {
        let valid = std::str::from_utf8(&bytes).is_ok();
        return Ok(if valid { args[0] } else { Term::atom(Atom::ERROR) });
    }
    let mut out = Text::new();
    let mut stack = vec![args[0]];
    let mut complete = args[0].is_list();
    while let Some(t) = stack.pop() {
        if let Some((head, tail)) = cx.heap.cons_cell(t) {
            stack.push(tail);
            match head.as_small() {
                Some(c @ 0..=0x10_ffff) => out.push(c as u32),
                Some(_) => complete = false,
                None => stack.push(head),
            }
        } else if let Some(bytes) = cx.heap.bytes(t) {
            // Joined before they are checked: a character may be split over two binaries.
            out.push_slice(&bytes);
        } else if !t.is_nil() {
            complete = false;
        }
        if !complete {
            break;
        }
    }
    cx.local.charge += (out.size() / 32) as u32;
    Ok(match out.to_str() {
        Some(s) if complete => cx.heap.make_binary(s.as_bytes()),
        _ => Term::atom(Atom::ERROR),
    })
}

fn to_list(heap: &mut Heap, out: &Text) -> Term {
    print::chars_list(heap, out.as_bytes(), Term::NIL)
}

fn write(cx: &mut Context<'_>, args: &[Term]) -> NativeResult {
    write_text(cx, args[0], -1, -1, Encoding::Latin1, MapOrder::Usual)
}

/// `write(Term, Depth | Options)`.
fn write_with(cx: &mut Context<'_>, args: &[Term]) -> NativeResult {
    if !args[1].is_list() {
        let depth = integer(cx.heap, args[1])?;
        return write_text(cx, args[0], depth, -1, Encoding::Latin1, MapOrder::Usual);
    }
    let number = |heap: &Heap, name| option(heap, args[1], name)?.map_or(Ok(-1), |t| integer(heap, t));
    let (depth, limit) = (number(cx.heap, "depth")?, number(cx.heap, "chars_limit")?);
    let encoding = encoding_option(cx.heap, args[1])?;
    let order = order_option(cx, args[1])?;
    write_text(cx, args[0], depth, limit, encoding, order)
}

/// `{maps_order, Order}`, which has come with OTP 26.
fn order_option(cx: &Context<'_>, options: Term) -> Result<MapOrder, Raise> {
    match option(cx.heap, options, "maps_order")? {
        Some(word) if Newer::MapOrders.is_in(cx.code.release()) => print::map_order(word).ok_or(Raise::badarg()),
        _ => Ok(MapOrder::Usual),
    }
}

fn write_text(
    cx: &mut Context<'_>,
    t: Term,
    depth: i64,
    limit: i64,
    encoding: Encoding,
    order: MapOrder,
) -> NativeResult {
    let mut out = Text::new();
    let style = Style {
        encoding,
        order,
        ..Style::latin1(cx.code)
    };
    print::push_write(&mut out, cx.heap, t, depth, limit, &style);
    Ok(to_list(cx.heap, &out))
}

fn print_default(cx: &mut Context<'_>, args: &[Term]) -> NativeResult {
    print_text(cx, args[0], |options| options.style.encoding = Encoding::Unicode)
}

/// `print(Term, Column, LineLength, Depth)`.
fn print_at(cx: &mut Context<'_>, args: &[Term]) -> NativeResult {
    let [column, line, depth] = [args[1], args[2], args[3]].map(|t| integer(cx.heap, t));
    let (column, line_length, depth) = (column?, line?, depth?);
    print_text(cx, args[0], |options| {
        (options.column, options.line_length, options.depth) = (column, line_length, depth);
    })
}

/// `io_lib_pretty:print(Term, Options)`; a record print fun cannot be called from here and is refused.
fn print_options(cx: &mut Context<'_>, args: &[Term]) -> NativeResult {
    if !args[1].is_list() || option(cx.heap, args[1], "record_print_fun")?.is_some() {
        return Err(Raise::badarg());
    }
    let number = |name, default| option(cx.heap, args[1], name)?.map_or(Ok(default), |t| integer(cx.heap, t));
    let (column, line_length) = (number("column", 1)?, number("line_length", 80)?);
    let (depth, limit) = (number("depth", -1)?, number("chars_limit", -1)?);
    let line_max_chars = number("line_max_chars", -1)?;
    let encoding = encoding_option(cx.heap, args[1])?;
    let strings = option(cx.heap, args[1], "strings")?.is_none_or(|t| t == Term::boolean(true));
    let order = order_option(cx, args[1])?;
    print_text(cx, args[0], |options| {
        (options.column, options.line_length) = (column, line_length);
        (options.depth, options.chars_limit, options.line_max_chars) = (depth, limit, line_max_chars);
        (options.style.encoding, options.style.strings, options.style.order) = (encoding, strings, order);
    })
}

fn print_text(cx: &mut Context<'_>, t: Term, set: impl FnOnce(&mut PrettyOptions<'_>)) -> NativeResult {
    let mut options = PrettyOptions::new(Style::latin1(cx.code));
    set(&mut options);
    let mut out = Text::new();
    print::push_pretty(&mut out, cx.heap, t, &options);
    Ok(to_list(cx.heap, &out))
}

/// `proplists`-free lookup of `{Name, Value}`.
fn option(heap: &Heap, options: Term, name: &str) -> Result<Option<Term>, Raise> {
    let options = heap.list(options).ok_or(Raise::badarg())?;
    let name = Term::atom(Atom::new(name));
    Ok(options.into_iter().find_map(|o| match heap.tuple(o) {
        Some(&[key, value]) if key == name => Some(value),
        _ => None,
    }))
}

fn encoding_option(heap: &Heap, options: Term) -> Result<Encoding, Raise> {
    let found = option(heap, options, "encoding")?;
    Ok(if found == Some(Term::atom(Atom::LATIN1)) {
        Encoding::Latin1
    } else {
        Encoding::Unicode
    })
}

fn integer(heap: &Heap, t: Term) -> Result<i64, Raise> {
    match heap.view(t) {
        TermView::Small(n) => Ok(n),
        TermView::Big { negative, .. } => Ok(if negative { -1 } else { i64::MAX }),
        _ => Err(Raise::badarg()),
    }
}

fn character(t: Term, max: i64) -> Result<u32, Raise> {
    t.as_small()
        .filter(|c| (0..=max).contains(c))
        .map(|c| c as u32)
        .ok_or(Raise::badarg())
}

fn atom_text(cx: &mut Context<'_>, t: Term, encoding: Encoding) -> NativeResult {
    let atom = t.as_atom().ok_or(Raise::badarg())?;
    let mut out = Text::new();
    out.follow(cx.code.release());
    print::push_atom(&mut out, atom.as_str(), encoding);
    Ok(to_list(cx.heap, &out))
}

fn write_atom(cx: &mut Context<'_>, args: &[Term]) -> NativeResult {
    atom_text(cx, args[0], Encoding::Unicode)
}

fn write_atom_as_latin1(cx: &mut Context<'_>, args: &[Term]) -> NativeResult {
    atom_text(cx, args[0], Encoding::Latin1)
}

/// OTP's function is written in Erlang, and has no clause for this input.
fn no_clause(_: Raise) -> Raise {
    Raise::error(Term::atom(Atom::FUNCTION_CLAUSE))
}

/// A string between quotes (the second argument; `"` by default), its characters at most `max`.
fn quoted(cx: &mut Context<'_>, args: &[Term], max: i64, escape: Escape) -> NativeResult {
    let quote = match args.get(1) {
        Some(&q) => char::from_u32(character(q, 0x10_ffff)?).ok_or(Raise::badarg())?,
        None => '"',
    };
    let mut out = Text::new();
    out.push(quote as u32);
    for c in cx.heap.list(args[0]).ok_or(no_clause(Raise::badarg()))? {
        let c = character(c, max).map_err(no_clause)?;
        print::push_char(&mut out, c, Some(quote), escape);
    }
    out.push(quote as u32);
    Ok(to_list(cx.heap, &out))
}

fn write_string(cx: &mut Context<'_>, args: &[Term]) -> NativeResult {
    quoted(cx, args, i64::from(CHAR_MAX), Escape::Unicode)
}

fn write_string_as_latin1(cx: &mut Context<'_>, args: &[Term]) -> NativeResult {
    quoted(cx, args, i64::from(CHAR_MAX), Escape::UnicodeAsLatin1)
}

fn write_latin1_string(cx: &mut Context<'_>, args: &[Term]) -> NativeResult {
    quoted(cx, args, 0xff, Escape::Unicode)
}

fn char_text(cx: &mut Context<'_>, c: u32, space: bool, escape: Escape) -> NativeResult {
    let mut out = Text::new();
    out.push_ascii(b'$');
    if space && c == 0x20 {
        out.push_str("\\s");
    } else {
        print::push_char(&mut out, c, None, escape);
    }
    Ok(to_list(cx.heap, &out))
}

fn write_char(cx: &mut Context<'_>, args: &[Term]) -> NativeResult {
    let c = character(args[0], i64::from(CHAR_MAX)).map_err(no_clause)?;
    char_text(cx, c, true, Escape::Unicode)
}

fn write_char_as_latin1(cx: &mut Context<'_>, args: &[Term]) -> NativeResult {
    let c = character(args[0], i64::from(CHAR_MAX)).map_err(no_clause)?;
    char_text(cx, c, false, Escape::UnicodeAsLatin1)
}

fn write_latin1_char(cx: &mut Context<'_>, args: &[Term]) -> NativeResult {
    let c = character(args[0], 0xff).map_err(no_clause)?;
    char_text(cx, c, false, Escape::Unicode)
}

/// `quote_atom(Atom, Chars)`: both are the same name, as in OTP.
fn quote_atom(cx: &mut Context<'_>, args: &[Term]) -> NativeResult {
    let atom = args[0].as_atom().ok_or(Raise::badarg())?;
    let newer = Feature::MaybeKeyword.is_in(cx.code.release()) && print::is_newer_keyword(atom.as_str());
    Ok(Term::boolean(newer || print::needs_quotes(atom.as_str())))
}

/// Is it a proper list whose elements are all characters of this kind?
fn all_chars(heap: &Heap, mut t: Term, is: impl Fn(u32) -> bool) -> Term {
    while let Some((head, tail)) = heap.cons_cell(t) {
        if !head.as_small().and_then(|c| u32::try_from(c).ok()).is_some_and(&is) {
            return Term::boolean(false);
        }
        t = tail;
    }
    Term::boolean(t.is_nil())
}

/// As [`all_chars`], for lists of lists.
fn all_deep_chars(heap: &Heap, t: Term, is: impl Fn(u32) -> bool) -> Term {
    let mut stack = vec![t];
    while let Some(t) = stack.pop() {
        if let Some((head, tail)) = heap.cons_cell(t) {
            stack.push(tail);
            if head.is_list() {
                stack.push(head);
            } else if !head.as_small().and_then(|c| u32::try_from(c).ok()).is_some_and(&is) {
                return Term::boolean(false);
            }
        } else if !t.is_nil() {
            return Term::boolean(false);
        }
    }
    Term::boolean(true)
}

fn is_char(c: u32) -> bool {
    char::from_u32(c).is_some_and(|c| !matches!(c, '\u{fffe}' | '\u{ffff}'))
}

fn char_list(cx: &mut Context<'_>, args: &[Term]) -> NativeResult {
    Ok(all_chars(cx.heap, args[0], is_char))
}

fn latin1_char_list(cx: &mut Context<'_>, args: &[Term]) -> NativeResult {
    Ok(all_chars(cx.heap, args[0], |c| c <= 0xff))
}

fn deep_char_list(cx: &mut Context<'_>, args: &[Term]) -> NativeResult {
    Ok(all_deep_chars(cx.heap, args[0], is_char))
}

fn deep_latin1_char_list(cx: &mut Context<'_>, args: &[Term]) -> NativeResult {
    Ok(all_deep_chars(cx.heap, args[0], |c| c <= 0xff))
}

fn printable_latin1_list(cx: &mut Context<'_>, args: &[Term]) -> NativeResult {
    Ok(all_chars(cx.heap, args[0], |c| is_printable(c, Encoding::Latin1)))
}

fn printable_unicode_list(cx: &mut Context<'_>, args: &[Term]) -> NativeResult {
    Ok(all_chars(cx.heap, args[0], |c| is_printable(c, Encoding::Unicode)))
}

/// The characters of a deep list.
fn flat_chars(heap: &Heap, t: Term) -> Result<Text, Raise> {
    let mut out = Text::new();
    let mut stack = vec![t];
    while let Some(t) = stack.pop() {
        if let Some((head, tail)) = heap.cons_cell(t) {
            stack.push(tail);
            match head.as_small() {
                Some(_) => out.push(character(head, i64::from(CHAR_MAX))?),
                None => stack.push(head),
            }
        } else if let Some(bytes) = heap.bytes(t) {
            match std::str::from_utf8(&bytes) {
                Ok(s) => out.push_str(s),
                Err(_) => bytes.iter().for_each(|&b| out.push(u32::from(b))),
            }
        } else if !t.is_nil() {
            return Err(Raise::badarg());
        }
    }
    Ok(out)
}

fn chars_length(cx: &mut Context<'_>, args: &[Term]) -> NativeResult {
    let chars = flat_chars(cx.heap, args[0])?;
    Ok(cx.heap.make_int(text::length(chars.as_bytes()) as i64))
}

fn indentation(cx: &mut Context<'_>, args: &[Term]) -> NativeResult {
    let chars = flat_chars(cx.heap, args[0])?;
    let start = usize::try_from(integer(cx.heap, args[1])?).map_err(|_| Raise::badarg())?;
    Ok(cx.heap.make_int(text::column_after(chars.as_bytes(), start) as i64))
}

/// Lists are strings if they are Latin-1 (`+pc latin1`, the default of `erl`).
fn printable_range(_: &mut Context<'_>, _: &[Term]) -> NativeResult {
    Ok(Term::atom(Atom::LATIN1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::natives::testing::{Machine, atom, small};

    fn string(m: &Machine, t: Term) -> String {
        let mut out = Text::new();
        let mut stack = vec![t];
        while let Some(t) = stack.pop() {
            if let Some((head, tail)) = m.heap.cons_cell(t) {
                stack.push(tail);
                match head.as_small() {
                    Some(c) => out.push(c as u32),
                    None => stack.push(head),
                }
            }
        }
        out.into_string_lossy()
    }

    #[test]
    fn format_makes_one_element_of_each_term() {
        let mut m = Machine::new();
        let f = m.heap.make_string("a~wb~s~~");
        let s = m.heap.make_string("xy");
        let args = m.heap.make_list(&[small(12), s]);
        let t = m.call(format, &[f, args]).unwrap();
        assert_eq!(string(&m, t), "a12bxy~");
        let elements = m.heap.list(t).unwrap();
        assert_eq!(elements.len(), 5);
        assert_eq!(elements[3], s, "characters are passed on as they are");
    }

    #[test]
    fn bad_formats_are_badarg() {
        let mut m = Machine::new();
        let f = m.heap.make_string("~w");
        assert_eq!(m.reason(format, &[f, Term::NIL]), atom("badarg"));
        let two = m.heap.make_list(&[small(1), small(2)]);
        assert_eq!(m.reason(format, &[f, two]), atom("badarg"));
        assert_eq!(m.reason(format, &[small(1), Term::NIL]), atom("badarg"));
        assert_eq!(m.call(format_text, &[f, Term::NIL]).unwrap(), atom("error"));
    }

    #[test]
    fn character_data_becomes_utf8() {
        let mut m = Machine::new();
        let b = m.heap.make_binary("é".as_bytes());
        let t = m.heap.make_list_with_tail(&[small(0x3bb), b], b);
        let r = m.call(chars_text, &[t]).unwrap();
        assert_eq!(m.heap.bytes(r).unwrap().as_ref(), "λéé".as_bytes());
        for bad in [small(0xd800), small(-1), atom("x"), Term::small(0x11_0000)] {
            let t = m.heap.make_list(&[bad]);
            assert_eq!(m.call(chars_text, &[t]).unwrap(), atom("error"));
        }
        let half = m.heap.make_binary(&[0xc3]);
        assert_eq!(m.call(chars_text, &[half]).unwrap(), atom("error"));
        assert_eq!(m.call(chars_text, &[atom("x")]).unwrap(), atom("error"));
    }

    #[test]
    fn strings_and_characters_are_quoted() {
        let mut m = Machine::new();
        let s = m.heap.make_string("a\"'\n\u{3bb}");
        let t = m.call(write_string, &[s]).unwrap();
        assert_eq!(string(&m, t), "\"a\\\"'\\n\u{3bb}\"");
        let t = m.call(write_string_as_latin1, &[s, small(0x27)]).unwrap();
        assert_eq!(string(&m, t), "'a\"\\'\\n\\x{3BB}'");
        assert_eq!(m.reason(write_latin1_string, &[s]), atom("function_clause"));
        let t = m.call(write_char, &[small(32)]).unwrap();
        assert_eq!(string(&m, t), "$\\s");
        let t = m.call(write_atom, &[atom("A b")]).unwrap();
        assert_eq!(string(&m, t), "'A b'");
    }

    #[test]
    fn lists_of_characters_are_told_apart() {
        let mut m = Machine::new();
        let s = m.heap.make_string("aé\n");
        let deep = m.heap.make_list(&[s, small(98)]);
        assert_eq!(m.call(printable_latin1_list, &[s]).unwrap(), atom("true"));
        assert_eq!(m.call(char_list, &[deep]).unwrap(), atom("false"));
        assert_eq!(m.call(deep_char_list, &[deep]).unwrap(), atom("true"));
        let high = m.heap.make_list(&[small(0x3bb)]);
        assert_eq!(m.call(printable_latin1_list, &[high]).unwrap(), atom("false"));
        assert_eq!(m.call(printable_unicode_list, &[high]).unwrap(), atom("true"));
        assert_eq!(m.call(latin1_char_list, &[high]).unwrap(), atom("false"));
        assert_eq!(m.call(deep_latin1_char_list, &[deep]).unwrap(), atom("true"));
        assert_eq!(m.call(chars_length, &[deep]).unwrap(), small(4));
        assert_eq!(m.call(indentation, &[deep, small(5)]).unwrap(), small(1));
    }
}

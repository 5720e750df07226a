//! `io_lib:format/2`: format strings and their control sequences.

use super::text::{self, CHAR_MAX, Text};
use super::{Encoding, MapOrder, PrettyOptions, Style, float, grapheme, sub};
use crate::heap::{Heap, TermView};
use crate::native::{CodeInfo, Raise};
use crate::newer::Newer;
use crate::number::integer_to_text;
use crate::term::Term;

mod chardata;
mod fields;
mod source;

pub use chardata::Chardata;
use chardata::{cut_chardata, push_chardata};
use fields::{float_digits, integer, pad_term, prefix, repeated, string_field};
use source::{Element, FormatSource, char_of};

/// The output of a format: the characters, and which runs of them are one element of the list that `io_lib:format/2` returns.
#[derive(Clone, Debug, Default)]
pub struct Output {
    /// All characters.
    pub text: Text,
    /// The runs that are single elements, in order; between them, every character is an element.
    pub pieces: Vec<Piece>,
}

/// A run of characters that is a single element; see [`Output::pieces`].
#[derive(Clone, Copy, Debug)]
pub struct Piece {
    /// First byte.
    pub from: usize,
    /// After the last byte.
    pub to: usize,
    /// The element, if it is a given term; otherwise it is the list of the characters.
    pub term: Option<Term>,
}

impl Output {
    /// The list that `io_lib:format/2` returns.
    pub fn to_list(&self, heap: &mut Heap) -> Term {
        let bytes = self.text.as_bytes();
        let mut list = Term::NIL;
        let mut end = bytes.len();
        for piece in self.pieces.iter().rev() {
            list = chars_list(heap, &bytes[piece.to..end], list);
            let element = match piece.term {
                Some(term) => term,
                None => chars_list(heap, &bytes[piece.from..piece.to], Term::NIL),
            };
            list = heap.cons(element, list);
            end = piece.from;
        }
        chars_list(heap, &bytes[..end], list)
    }
}

/// The characters as a list with this tail.
pub fn chars_list(heap: &mut Heap, slice: &[u8], tail: Term) -> Term {
    let mut list = tail;
    if slice.is_ascii() {
        for &b in slice.iter().rev() {
            list = heap.cons(Term::small(i64::from(b)), list);
        }
    } else {
        let all: Vec<u32> = text::chars(slice).collect();
        for &c in all.iter().rev() {
            list = heap.cons(Term::small(i64::from(c)), list);
        }
    }
    list
}

/// Limit: characters of padding or repetition.
const WIDTH_MAX: i64 = 1 << 28;

/// Most control characters take one argument, some two or none.
#[derive(Clone, Copy, Debug)]
struct Spec {
    control: u8,
    width: Option<i64>,
    left: bool,
    precision: Option<i64>,
    pad: u32,
    unicode: bool,
    strings: bool,
    order: MapOrder,
    args: [Term; 2],
}

impl Spec {
    fn encoding(&self) -> Encoding {
        if self.unicode {
            Encoding::Unicode
        } else {
            Encoding::Latin1
        }
    }
}

/// The order of the pairs of maps that this word stands for. A fun cannot be called from here.
pub fn map_order(word: Term) -> Option<MapOrder> {
    match word.as_atom()?.as_str() {
        "undefined" => Some(MapOrder::Usual),
        "ordered" => Some(MapOrder::Ordered),
        "reversed" => Some(MapOrder::Reversed),
        _ => None,
    }
}

/// An invalid format: the error is always `badarg`, so no details are kept.
struct Bad;

/// `io_lib:format/2`.
///
/// # Errors
/// `badarg`, or `system_limit` for absurd field widths.
pub fn format(heap: &Heap, code: &dyn CodeInfo, format: Term, args: Term) -> Result<Output, Raise> {
    format_limited(heap, code, format, args, -1)
}

/// `io_lib:format/3` with the option `chars_limit` (negative: none).
///
/// # Errors
/// `badarg`, or `system_limit` for absurd field widths.
pub fn format_limited(
    heap: &Heap,
    code: &dyn CodeInfo,
    format: Term,
    args: Term,
    chars_limit: i64,
) -> Result<Output, Raise> {
    let mut formatter = Formatter {
        heap,
        code,
        args,
        out: Output::default(),
        held: Vec::new(),
        limited: chars_limit >= 0,
        huge: false,
    };
    match formatter.run(format, chars_limit) {
        Ok(()) => Ok(formatter.out),
        Err(Bad) if formatter.huge => Err(Raise::system_limit()),
        Err(Bad) => Err(Raise::badarg()),
    }
}

struct Formatter<'a> {
    heap: &'a Heap,
    code: &'a dyn CodeInfo,
    args: Term,
    out: Output,
    /// With a limit: the parts that wait until the rest is counted, and their positions in the text.
    held: Vec<(usize, HeldText)>,
    limited: bool,
    huge: bool,
}

enum HeldText {
    Spec(Spec),
    Nested(Term),
}

impl Formatter<'_> {
    fn run(&mut self, format: Term, chars_limit: i64) -> Result<(), Bad> {
        let mut source = match self.heap.view(format) {
            TermView::Atom(a) => {
                FormatSource::Chars(a.as_str().chars().map(u32::from).collect::<Vec<_>>().into_iter(), None)
            }
            TermView::Binary => {
                let bytes = self.heap.bytes(format).ok_or(Bad)?;
                FormatSource::Chars(
                    bytes.iter().map(|&b| u32::from(b)).collect::<Vec<_>>().into_iter(),
                    None,
                )
            }
            TermView::Nil | TermView::Cons(..) => FormatSource::List(self.heap, format),
            _ => return Err(Bad),
        };
        if !self.args.is_list() {
            return Err(Bad);
        }
        loop {
            match source.next()? {
                Element::End => break,
                Element::Char(0x7e) => self.sequence(&mut source)?,
                Element::Char(c) => self.out.text.push(c),
                Element::Nested(term) => {
                    if self.limited {
                        self.held.push((self.out.text.size(), HeldText::Nested(term)));
                    } else {
                        self.nested(term)?;
                    }
                }
            }
        }
        if !self.args.is_nil() {
            return Err(Bad);
        }
        if self.limited {
            self.release(chars_limit)
        } else {
            Ok(())
        }
    }

    fn arg(&mut self) -> Result<Term, Bad> {
        let (head, tail) = self.heap.cons_cell(self.args).ok_or(Bad)?;
        self.args = tail;
        Ok(head)
    }

    /// A number in the format, or `*` and an integer argument.
    fn value(&mut self, source: &mut FormatSource<'_>) -> Result<Option<i64>, Bad> {
        if source.peek() == Some(u32::from(b'*'))
            && let Some((head, _)) = self.heap.cons_cell(self.args)
            && let Some(n) = head.as_small()
        {
            source.skip();
            self.arg()?;
            return Ok(Some(n));
        }
        let mut number = None;
        while let Some(c @ 0x30..=0x39) = source.peek() {
            source.skip();
            let n = number
                .unwrap_or(0_i64)
                .saturating_mul(10)
                .saturating_add(i64::from(c - 0x30));
            number = Some(n);
        }
        Ok(number)
    }

    fn sequence(&mut self, source: &mut FormatSource<'_>) -> Result<(), Bad> {
        let minus = source.take(b'-');
        let mut width = self.value(source)?;
        if minus {
            width = Some(width.ok_or(Bad)?.checked_neg().ok_or(Bad)?);
        }
        let left = width.is_some_and(|w| w < 0);
        let width = width.map(i64::abs);
        let precision = if source.take(b'.') { self.value(source)? } else { None };
        let mut pad = u32::from(b' ');
        if source.take(b'.') {
            if source.take(b'*') {
                pad = char_of(self.arg()?).ok_or(Bad)?;
            } else {
                let Element::Char(c) = source.next()? else {
                    return Err(Bad);
                };
                pad = c;
            }
        }
        let mut spec = Spec {
            control: 0,
            width,
            left,
            precision,
            pad,
            unicode: false,
            strings: true,
            order: MapOrder::Usual,
            args: [Term::NIL; 2],
        };
        self.modifiers(source, &mut spec)?;
        let Element::Char(control) = source.next()? else {
            return Err(Bad);
        };
        spec.control = u8::try_from(control).map_err(|_| Bad)?;
        match spec.control {
            b'w' | b'p' | b's' | b'e' | b'f' | b'g' | b'b' | b'B' | b'+' | b'#' | b'c' | b'i' => {
                spec.args[0] = self.arg()?;
            }
            b'W' | b'P' | b'x' | b'X' => spec.args = [self.arg()?, self.arg()?],
            b'~' | b'n' => {}
            _ => return Err(Bad),
        }
        if width.is_some_and(|w| w > WIDTH_MAX) || precision.is_some_and(|p| p > WIDTH_MAX) {
            self.huge = true;
            return Err(Bad);
        }
        if matches!(spec.control, b'w' | b'p' | b'W' | b'P') || spec.control == b's' && !spec.args[0].is_atom() {
            if self.limited {
                self.held.push((self.out.text.size(), HeldText::Spec(spec)));
                return Ok(());
            }
            return self.big(&spec, -1);
        }
        self.small(&spec)
    }

    /// What stands before the control character. `k` and `K` have come with OTP 26.
    fn modifiers(&mut self, source: &mut FormatSource<'_>, spec: &mut Spec) -> Result<(), Bad> {
        let has_orders = Newer::MapOrders.is_in(self.code.release());
        loop {
            if source.take(b't') {
                spec.unicode = true;
            } else if source.take(b'l') {
                spec.strings = false;
            } else if has_orders && source.take(b'k') {
                spec.order = MapOrder::Ordered;
            } else if has_orders && source.take(b'K') {
                spec.order = map_order(self.arg()?).ok_or(Bad)?;
            } else {
                return Ok(());
            }
        }
    }

    /// Control sequences whose output counts as part of the format.
    fn small(&mut self, spec: &Spec) -> Result<(), Bad> {
        let heap = self.heap;
        let out = &mut self.out.text;
        let start = out.size();
        let arg = spec.args[0];
        match spec.control {
            b's' => {
                let name = arg.as_atom().ok_or(Bad)?.as_str();
                if !spec.unicode && name.chars().any(|c| c as u32 > 0xff) {
                    return Err(Bad);
                }
                out.push_str(name);
                string_field(out, start, spec, spec.width)
            }
            b'e' | b'f' | b'g' => {
                let TermView::Float(x) = heap.view(arg) else {
                    return Err(Bad);
                };
                out.push_str(&float_digits(x, spec)?);
                pad_term(out, start, spec.width, spec.left, spec.width, spec.pad)
            }
            b'b' | b'B' | b'x' | b'X' | b'+' | b'#' => {
                let base = spec.precision.unwrap_or(10);
                let base = u32::try_from(base).ok().filter(|b| (2..=36).contains(b)).ok_or(Bad)?;
                let mut digits = integer_to_text(heap, arg, base).ok_or(Bad)?;
                if matches!(spec.control, b'b' | b'x' | b'+') {
                    digits.make_ascii_lowercase();
                }
                let digits = match digits.strip_prefix('-') {
                    Some(rest) => {
                        out.push_ascii(b'-');
                        rest
                    }
                    None => &digits,
                };
                match spec.control {
                    b'x' | b'X' => prefix(out, heap, spec.args[1])?,
                    b'+' | b'#' => out.push_str(&format!("{base}#")),
                    _ => {}
                }
                out.push_str(digits);
                pad_term(out, start, spec.width, spec.left, None, spec.pad)
            }
            b'c' => {
                let c = match heap.view(arg) {
                    TermView::Small(c) if spec.unicode => {
                        u32::try_from(c).ok().filter(|&c| c <= CHAR_MAX).ok_or(Bad)?
                    }
                    TermView::Small(c) => (c & 255) as u32,
                    TermView::Big { negative, limbs } if !spec.unicode => {
                        let low = (limbs[0] & 255) as u8;
                        u32::from(if negative { low.wrapping_neg() } else { low })
                    }
                    _ => return Err(Bad),
                };
                repeated(out, start, c, spec)
            }
            b'~' => repeated(out, start, u32::from(b'~'), spec),
            b'n' => match spec.width {
                None => {
                    out.push_ascii(b'\n');
                    Ok(())
                }
                Some(w) if !spec.left => {
                    out.push_times(u32::from(b'\n'), w as usize);
                    Ok(())
                }
                Some(_) => Err(Bad),
            },
            b'i' => Ok(()),
            _ => Err(Bad),
        }
    }

    /// `~w`, `~p`, `~W`, `~P` and `~s`: each is a single element of the result.
    fn big(&mut self, spec: &Spec, chars_limit: i64) -> Result<(), Bad> {
        let arg = spec.args[0];
        let out = &mut self.out.text;
        let start = out.size();
        let style = Style {
            encoding: spec.encoding(),
            order: spec.order,
            ..Style::latin1(self.code)
        };
        let depth = match spec.control {
            b'W' | b'P' => integer(self.heap, spec.args[1])?,
            _ => -1,
        };
        let mut term = None;
        match spec.control {
            b's' => {
                // If the limit is shorter than the field, the string is cut first.
                let cut = chars_limit >= 0 && spec.width.is_none_or(|w| chars_limit < w);
                let plain = if cut {
                    cut_chardata(out, self.heap, arg, spec.encoding(), sub(chars_limit, 3) as usize)?;
                    false
                } else {
                    push_chardata(out, self.heap, arg, spec.encoding(), usize::MAX)? == Chardata::Chars
                };
                if plain && spec.width.is_none() && spec.precision.is_none() {
                    term = Some(arg);
                }
                let width = match spec.width {
                    Some(w) if chars_limit >= 0 => Some(w.min(chars_limit).max(3)),
                    width => width,
                };
                string_field(out, start, spec, width)?;
            }
            b'w' | b'W' => {
                super::push_write(out, self.heap, arg, depth, chars_limit, &style);
                pad_term(out, start, spec.width, spec.left, spec.precision, spec.pad)?;
            }
            _ => {
                if spec.left {
                    return Err(Bad);
                }
                let column = match spec.precision {
                    Some(p) => p,
                    None => out.column() as i64 + 1,
                };
                let options = PrettyOptions {
                    style: Style {
                        strings: spec.strings,
                        ..style
                    },
                    column,
                    line_length: spec.width.unwrap_or(80),
                    depth,
                    line_max_chars: -1,
                    chars_limit,
                };
                super::push_pretty(out, self.heap, arg, &options);
            }
        }
        self.out.pieces.push(Piece {
            from: start,
            to: self.out.text.size(),
            term,
        });
        Ok(())
    }

    /// An element of the format that is itself a list or binary: written unchanged.
    fn nested(&mut self, term: Term) -> Result<(), Bad> {
        let start = self.out.text.size();
        push_chardata(&mut self.out.text, self.heap, term, Encoding::Unicode, usize::MAX)?;
        self.out.pieces.push(Piece {
            from: start,
            to: self.out.text.size(),
            term: Some(term),
        });
        Ok(())
    }

    /// Inserts the held parts at their positions, and divides the rest of the limit among them.
    fn release(&mut self, chars_limit: i64) -> Result<(), Bad> {
        let held = std::mem::take(&mut self.held);
        let fixed = std::mem::take(&mut self.out.text);
        let mut used = text::count(fixed.as_bytes()) as i64;
        for (_, part) in &held {
            if let HeldText::Nested(term) = part {
                let mut chars = Text::new();
                push_chardata(&mut chars, self.heap, *term, Encoding::Unicode, usize::MAX)?;
                used += text::length(chars.as_bytes()) as i64;
            }
        }
        let mut room = sub(chars_limit, used);
        let mut count = held.iter().filter(|(_, h)| matches!(h, HeldText::Spec(_))).count() as i64;
        let mut at = 0;
        for (place, part) in held {
            self.out.text.push_slice(&fixed.as_bytes()[at..place]);
            at = place;
            match part {
                HeldText::Nested(term) => self.nested(term)?,
                HeldText::Spec(spec) => {
                    let start = self.out.text.size();
                    self.big(&spec, room / count)?;
                    count -= 1;
                    room = sub(room, text::length(&self.out.text.as_bytes()[start..]) as i64);
                }
            }
        }
        self.out.text.push_slice(&fixed.as_bytes()[at..]);
        Ok(())
    }
}

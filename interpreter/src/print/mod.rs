//! Terms and exceptions as text, exactly as OTP 25 prints them: `~w`, `~p` and the other control sequences of `io_lib`,
//! and a bounded rendering for the debugger's views. Nothing here recurses on the host stack.

mod binary;
pub mod elixir;
mod exception;
mod explain;
mod float;
mod format;
pub mod grapheme;
mod grapheme_table;
mod limit;
mod name;
mod pretty;
pub mod read;
mod short;
pub mod text;
mod tree;
mod write;

pub use exception::{Explanation, Layout, crash_report, exception};
pub use explain::explain;
pub use format::{Output, Piece, chars_list, format, format_limited, map_order};
pub use name::{Escape, is_newer_keyword, is_printable, needs_quotes, push_atom, push_char, push_string};
pub use short::short;
pub use text::Text;

use crate::atom::Atom;
use crate::heap::{Heap, TermView, as_terms};
use crate::maps;
use crate::native::{CodeInfo, FunInfo};
use crate::term::{BoxKind, FunName, Term};

/// Which characters are written without escapes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Encoding {
    /// Up to 255 (without `t` modifier).
    #[default]
    Latin1,
    /// All (with `t`).
    Unicode,
}

/// The language that terms are written in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Terms {
    /// As Erlang/OTP prints them.
    #[default]
    Erlang,
    /// As `inspect` of Elixir prints them.
    Elixir,
}

/// In which order the pairs of a map are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum MapOrder {
    /// That of `maps:iterator/1`.
    #[default]
    Usual,
    /// The order of the keys (`~k`).
    Ordered,
    /// The same, turned around (`~K` with `reversed`).
    Reversed,
}

/// The field names of the record with this name and number of fields, if it is known.
pub type Records<'a> = &'a dyn Fn(Atom, usize) -> Option<Vec<Atom>>;

/// The form of terms, apart from the layout.
#[derive(Clone, Copy)]
pub struct Style<'a> {
    /// Names of funs.
    pub code: &'a dyn CodeInfo,
    /// Characters that are written without escapes.
    pub encoding: Encoding,
    /// Are lists of characters printed as strings?
    pub strings: bool,
    /// Which lists are strings under the `t` modifier (`+pc`; Latin-1 by default).
    pub range: Encoding,
    /// Tuples that are printed as records.
    pub records: Option<Records<'a>>,
    /// The order of pairs.
    pub order: MapOrder,
    /// Are integers with very many digits shown by their size? (Never in OTP's own output.)
    pub brief: bool,
    /// The language, for [`short`].
    pub terms: Terms,
}

impl<'a> Style<'a> {
    /// `~w` and `~p` without modifiers.
    #[must_use]
    pub const fn latin1(code: &'a dyn CodeInfo) -> Self {
        Self {
            code,
            encoding: Encoding::Latin1,
            strings: true,
            range: Encoding::Latin1,
            records: None,
            order: MapOrder::Usual,
            brief: false,
            terms: Terms::Erlang,
        }
    }
    /// With the `t` modifier.
    #[must_use]
    pub const fn unicode(code: &'a dyn CodeInfo) -> Self {
        Self {
            encoding: Encoding::Unicode,
            ..Self::latin1(code)
        }
    }
    /// For the views of a debugger: in the language that the program is shown in.
    #[must_use]
    pub fn shown(code: &'a dyn CodeInfo) -> Self {
        Self {
            terms: code.terms(),
            ..Self::unicode(code)
        }
    }
}

/// The layout of [`pretty`]: the options of `io_lib_pretty:print/2`.
#[derive(Clone, Copy)]
pub struct PrettyOptions<'a> {
    /// The form of terms.
    pub style: Style<'a>,
    /// Column of the first character, from 1.
    pub column: i64,
    /// Length of a line; 0: no line breaks.
    pub line_length: i64,
    /// Levels of nesting that are shown; −1: all.
    pub depth: i64,
    /// Limit: characters on a line, not counting indentation; −1: as the line allows.
    pub line_max_chars: i64,
    /// Approximate limit of characters in all; −1: none.
    pub chars_limit: i64,
}

impl<'a> PrettyOptions<'a> {
    /// From column 1, lines of 80, everything.
    #[must_use]
    pub const fn new(style: Style<'a>) -> Self {
        Self {
            style,
            column: 1,
            line_length: 80,
            depth: -1,
            line_max_chars: -1,
            chars_limit: -1,
        }
    }
}

/// `~w`: the term on one line; `depth` as for `~W` (−1: everything).
#[must_use]
pub fn write(heap: &Heap, t: Term, depth: i64, style: &Style<'_>) -> String {
    let mut out = Text::new();
    out.follow(style.code.release());
    write::push_term(&mut out, heap, t, depth, (style.encoding, style.order), usize::MAX);
    out.into_string_lossy()
}

/// `~p`: the term broken into lines.
#[must_use]
pub fn pretty(heap: &Heap, t: Term, options: &PrettyOptions<'_>) -> String {
    let mut out = Text::new();
    push_pretty(&mut out, heap, t, options);
    out.into_string_lossy()
}

/// [`pretty`] into a text.
pub fn push_pretty(out: &mut Text, heap: &Heap, t: Term, options: &PrettyOptions<'_>) {
    out.follow(options.style.code.release());
    if options.depth == 0 || options.chars_limit == 0 {
        return out.push_str("...");
    }
    match heap.view(t) {
        TermView::Nil | TermView::Cons(..) | TermView::Tuple(_) | TermView::Map | TermView::Binary => {}
        TermView::Atom(a) => return push_atom(out, a.as_str(), options.style.encoding),
        _ => return write::push_atomic(out, heap, t, Encoding::Latin1),
    }
    let mut tree = tree::Tree::new(heap, &options.style);
    let root = if options.chars_limit < 0 {
        tree.build(t, options.depth, -1)
    } else {
        limit::build(&mut tree, t, options.depth, options.chars_limit)
    };
    pretty::push_pretty(
        out,
        &tree,
        root,
        options.column.max(1),
        options.line_length,
        options.line_max_chars,
    );
}

/// `io_lib:write/2`: [`write()`] into a text, of about `chars_limit` characters if that is not negative.
pub fn push_write(out: &mut Text, heap: &Heap, t: Term, depth: i64, chars_limit: i64, style: &Style<'_>) {
    out.follow(style.code.release());
    if depth == 0 || chars_limit == 0 {
        out.push_str("...");
    } else if chars_limit < 0 {
        write::push_term(out, heap, t, depth, (style.encoding, style.order), usize::MAX);
    } else {
        let style = Style {
            strings: false,
            records: None,
            ..*style
        };
        let mut tree = tree::Tree::new(heap, &style);
        let root = limit::build(&mut tree, t, depth, chars_limit);
        pretty::push_line(out, &tree, root);
    }
}

/// The first `limit` pairs of a map (see `maps` for how large maps are stored).
fn map_pairs(heap: &Heap, t: Term, limit: usize, order: MapOrder) -> Vec<(Term, Term)> {
    if order != MapOrder::Usual {
        let mut pairs = crate::maps::sorted_pairs(heap, t);
        if order == MapOrder::Reversed {
            pairs.reverse();
        }
        pairs.truncate(limit);
        return pairs;
    }
    let mut pairs = Vec::new();
    match heap.boxed(t) {
        Some((BoxKind::FlatMap, _)) => {
            pairs = maps::listed_pairs(heap, t);
            pairs.truncate(limit);
        }
        Some((BoxKind::HashMap, payload)) => {
            let mut stack = vec![Term(payload[1])];
            while pairs.len() < limit
                && let Some(t) = stack.pop()
            {
                match heap.cons_cell(t) {
                    Some(pair) => pairs.push(pair),
                    None => {
                        let (_, node) = heap.boxed(t).expect("a child that is no leaf is a node");
                        stack.extend(as_terms(&node[1..]).iter().rev());
                    }
                }
            }
        }
        _ => unreachable!("the caller saw that it is a map"),
    }
    pairs
}

/// `left − n`, at least 0; negative allowances stay (no limit).
fn sub(left: i64, n: i64) -> i64 {
    if left < 0 { left } else { (left - n).max(0) }
}

/// Code without any information.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoCode;

impl CodeInfo for NoCode {
    fn fun(&self, id: u32) -> FunInfo {
        FunInfo {
            name: FunName {
                module: Atom::ERLANG,
                index: id,
                unique: 0,
            },
            function: Atom::FUN,
            arity: 0,
        }
    }
    fn is_native(&self, _: Atom, _: Atom, _: u8) -> bool {
        false
    }
    fn is_exported(&self, _: Atom, _: Atom, _: u8) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    fn heap() -> Heap {
        Heap::new(Arc::new(Vec::new()))
    }

    fn nested(heap: &mut Heap, depth: usize) -> Term {
        let mut t = Term::atom(Atom::OK);
        for i in 0..depth {
            t = match i % 3 {
                0 => heap.make_tuple(&[Term::atom(Atom::OK), t]),
                1 => heap.make_list_with_tail(&[t], Term::small(1)),
                _ => {
                    let keys = heap.make_tuple(&[Term::small(1)]);
                    heap.make_box(BoxKind::FlatMap, &[keys.0, t.0])
                }
            };
        }
        t
    }

    #[test]
    fn deep_nesting_needs_no_host_stack() {
        let mut heap = heap();
        let t = nested(&mut heap, 99_999);
        let style = Style::latin1(&NoCode);
        assert!(write(&heap, t, -1, &style).len() > 500_000);
        let options = PrettyOptions {
            line_length: 0,
            ..PrettyOptions::new(style)
        };
        assert_eq!(pretty(&heap, t, &options), write(&heap, t, -1, &style));
        let limited = PrettyOptions {
            chars_limit: 1000,
            line_length: 0,
            ..PrettyOptions::new(style)
        };
        assert!(pretty(&heap, t, &limited).len() < 3000);
        // Lines of deep terms are mostly indentation: quadratic in size, so a smaller one.
        let t = nested(&mut heap, 3_000);
        assert!(pretty(&heap, t, &PrettyOptions::new(style)).lines().count() > 1_000);
    }

    #[test]
    fn short_is_bounded_and_harmless() {
        let mut heap = heap();
        let style = Style::unicode(&NoCode);
        let deep = nested(&mut heap, 99_999);
        assert_eq!(short(&heap, deep, 20, &style).chars().count(), 20);
        let long: Vec<Term> = (0..100_000).map(Term::small).collect();
        let list = heap.make_list(&long);
        assert_eq!(short(&heap, list, 12, &style), "[0,1,2,3,...");
        let big = heap.make_big(false, &[1; 10_000]);
        assert_eq!(short(&heap, big, 40, &style), "(integer of 640000 bits)");
        let bidi = Term::atom(Atom::new("a\u{202e}b"));
        assert_eq!(short(&heap, bidi, 40, &style), "'a\\x{202E}b'");
        assert_eq!(short(&heap, Term::small(12345), 4, &style), "1...");
        assert_eq!(short(&heap, Term::small(1234), 4, &style), "1234");
    }

    #[test]
    fn identifiers() {
        let mut heap = heap();
        let pid = crate::term::Pid::new(0, 84);
        let r = heap.make_reference(crate::term::Reference { owner: pid, number: 7 });
        let name = FunName {
            module: Atom::ERLANG,
            index: 3,
            unique: 77,
        };
        let f = heap.make_box(BoxKind::Fun, &name.words(12, 2));
        let t = heap.make_tuple(&[Term::pid(pid), r, f]);
        assert_eq!(
            write(&heap, t, -1, &Style::latin1(&NoCode)),
            "{<0.84.0>,#Ref<0.84.7.0>,#Fun<erlang.3.77>}"
        );
    }

    #[test]
    fn records_are_shown_by_name_when_known() {
        let mut heap = heap();
        let fields = |name: Atom, n: usize| {
            (name.as_str() == "state" && n == 2).then(|| vec![Atom::new("count"), Atom::new("Waiting list")])
        };
        let long = heap.make_list(&[Term::atom(Atom::UNDEFINED); 9]);
        let t = heap.make_tuple(&[Term::atom(Atom::new("state")), Term::small(1), long]);
        let style = Style {
            records: Some(&fields),
            ..Style::latin1(&NoCode)
        };
        let wide = PrettyOptions {
            line_length: 200,
            ..PrettyOptions::new(style)
        };
        let list = "[undefined,undefined,undefined,undefined,undefined,undefined,undefined,undefined,undefined]";
        assert_eq!(
            pretty(&heap, t, &wide),
            format!("#state{{count = 1,'Waiting list' = {list}}}")
        );
        assert_eq!(
            pretty(
                &heap,
                t,
                &PrettyOptions {
                    line_length: 60,
                    ..PrettyOptions::new(style)
                }
            ),
            "#state{count = 1,\n       \
             'Waiting list' = [undefined,undefined,undefined,\n                         \
             undefined,undefined,undefined,\n                         undefined,undefined,undefined]}"
        );
    }
}

//! One line of limited length, for the debugger's views.

use super::text::{self, Text};
use super::{Style, Terms, elixir, tree};
use crate::heap::Heap;
use crate::term::Term;

/// Deeper than any term whose text would fit.
const DEPTH: i64 = 1 << 20;

/// Integers of more 64-bit limbs are shown by their size.
pub(super) const LIMBS: usize = 64;

/// The term on one line, at most `max_chars` characters (at least 3), strings as strings; a text that was cut ends in `...`.
///
/// The work is at most a fixed multiple of `max_chars`, whatever the size of the term. Controls, bidirectional marks and other invisible
/// characters are escaped as `\x{…}`; integers of more than 4,096 bits are shown by their size.
#[must_use]
pub fn short(heap: &Heap, t: Term, max_chars: usize, style: &Style<'_>) -> String {
    let style = Style { brief: true, ..*style };
    if style.terms == Terms::Elixir {
        let mut out = Text::new();
        elixir::push_term(&mut out, heap, t, &style, max_chars.saturating_mul(4));
        return cut(out.as_bytes(), max_chars);
    }
    let mut tree = tree::Tree::new(heap, &style);
    let root = tree.build(t, DEPTH, max_chars as i64);
    let mut out = Text::new();
    super::pretty::push_line(&mut out, &tree, root);
    cut(out.as_bytes(), max_chars)
}

fn cut(text: &[u8], max_chars: usize) -> String {
    let mut line = String::new();
    let mut room = max_chars;
    let mut it = text::chars(text);
    while let Some(c) = it.next() {
        let shown = visible(c);
        let width = shown.chars().count();
        let more = !it.rest().is_empty();
        if width > room || (more && width + 3 > room && text::count(it.rest()) + width > room) {
            line.push_str(&"..."[..room.min(3)]);
            break;
        }
        line.push_str(&shown);
        room -= width;
    }
    line
}

/// The character, or its code if it is invisible or would change the look of others.
fn visible(c: u32) -> String {
    match char::from_u32(c) {
        Some(ch) if !is_hidden(c) => ch.to_string(),
        _ => format!("\\x{{{c:X}}}"),
    }
}

/// Controls, formatting and bidirectional marks, private use, variation selectors, tags.
fn is_hidden(c: u32) -> bool {
    matches!(
        c,
        0..=0x1f | 0x7f..=0x9f | 0xad | 0x34f | 0x61c | 0x115f | 0x1160 | 0x17b4 | 0x17b5 | 0x180b..=0x180f
            | 0x200b..=0x200f | 0x2028..=0x202e | 0x2060..=0x206f | 0x3164 | 0xe000..=0xf8ff | 0xfe00..=0xfe0f
            | 0xfeff | 0xffa0 | 0xfff0..=0xfffb | 0x1_bca0..=0x1_bca3 | 0x1_d173..=0x1_d17a | 0xe_0000..
    )
}

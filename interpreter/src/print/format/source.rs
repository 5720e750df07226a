//! A format, character by character.

use super::*;

/// The format string, in any representation.
pub(super) enum FormatSource<'a> {
    List(&'a Heap, Term),
    Chars(std::vec::IntoIter<u32>, Option<u32>),
}

pub(super) enum Element {
    Char(u32),
    Nested(Term),
    End,
}

impl FormatSource<'_> {
    pub(super) fn next(&mut self) -> Result<Element, Bad> {
        match self {
            Self::Chars(chars, peeked) => Ok(peeked
                .take()
                .or_else(|| chars.next())
                .map_or(Element::End, Element::Char)),
            Self::List(heap, rest) => {
                let Some((head, tail)) = heap.cons_cell(*rest) else {
                    return if rest.is_nil() { Ok(Element::End) } else { Err(Bad) };
                };
                *rest = tail;
                Ok(match char_of(head) {
                    Some(c) => Element::Char(c),
                    None => Element::Nested(head),
                })
            }
        }
    }

    /// The next character, if it is one.
    pub(super) fn peek(&mut self) -> Option<u32> {
        match self {
            Self::Chars(chars, peeked) => {
                if peeked.is_none() {
                    *peeked = chars.next();
                }
                *peeked
            }
            Self::List(heap, rest) => heap.cons_cell(*rest).and_then(|(head, _)| char_of(head)),
        }
    }

    pub(super) fn skip(&mut self) {
        match self {
            Self::Chars(chars, peeked) => {
                if peeked.take().is_none() {
                    chars.next();
                }
            }
            Self::List(heap, rest) => {
                if let Some((_, tail)) = heap.cons_cell(*rest) {
                    *rest = tail;
                }
            }
        }
    }

    pub(super) fn take(&mut self, c: u8) -> bool {
        let found = self.peek() == Some(u32::from(c));
        if found {
            self.skip();
        }
        found
    }
}

pub(super) fn char_of(t: Term) -> Option<u32> {
    t.as_small()
        .and_then(|c| u32::try_from(c).ok())
        .filter(|&c| c <= CHAR_MAX)
}

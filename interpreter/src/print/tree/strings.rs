//! Lists that are strings, and binaries.

use super::*;

impl Tree<'_> {
    /// The list as a string, if it is printable.
    pub(super) fn string(&mut self, list: Term, room: i64) -> Option<NodeId> {
        let range = match self.style.encoding {
            Encoding::Latin1 => Encoding::Latin1,
            Encoding::Unicode => self.style.range,
        };
        let from = self.text.size();
        let (chars, dots) = if room < 0 {
            (printable(self.heap, list, range, usize::MAX).whole()?, false)
        } else {
            let n = sub(room, 2) as usize;
            match self.style.encoding {
                Encoding::Latin1 => match printable(self.heap, list, Encoding::Latin1, n) {
                    Printable::Whole(chars) => (chars, false),
                    Printable::More(chars) => (chars, true),
                    Printable::Not => return None,
                },
                Encoding::Unicode => self.unicode_prefix(list, n)?,
            }
        };
        // A list like [8, 9] is shown as numbers, although its characters can be written.
        if self.style.brief && !chars.as_bytes().iter().any(|byte| *byte >= b' ') {
            return None;
        }
        let escape = match self.style.encoding {
            Encoding::Latin1 => Escape::UnicodeAsLatin1,
            Encoding::Unicode => Escape::Unicode,
        };
        name::push_string(&mut self.text, chars.as_bytes(), escape);
        let len = text::length(&self.text.as_bytes()[from..]) as i64;
        if dots {
            self.text.push_str("...");
        }
        let id = self.add(Shape::Leaf, from);
        self.nodes[id as usize].len = len + if dots { 3 } else { 0 };
        Some(id)
    }

    /// The first `n` grapheme clusters of a list of characters, and whether more follow; `None` if these are not printable.
    fn unicode_prefix(&self, list: Term, n: usize) -> Option<(Text, bool)> {
        let mut chars = Text::new();
        let mut rest = list;
        // Clusters rarely have more than one character: read in steps, only as far as needed.
        let mut wanted = n.saturating_add(1);
        loop {
            let mut ended = false;
            while text::count(chars.as_bytes()) < wanted {
                if rest.is_nil() {
                    ended = true;
                    break;
                }
                let (head, tail) = self.heap.cons_cell(rest)?;
                let c = head.as_small().filter(|c| (0..=0x10_ffff).contains(c))?;
                chars.push(c as u32);
                rest = tail;
            }
            let prefix = grapheme::first(chars.as_bytes(), n).len();
            if prefix == 0 {
                return None;
            }
            if prefix < chars.size() || ended {
                let whole = prefix == chars.size() && ended;
                chars.truncate(prefix);
                let printable = text::chars(chars.as_bytes()).all(|c| name::is_printable(c, self.style.range));
                return printable.then_some((chars, !whole));
            }
            wanted *= 2;
        }
    }

    pub(super) fn binary(&mut self, t: Term, depth: i64, room: i64) -> NodeId {
        let bits = self.heap.bits(t).expect("the view says binary");
        if bits.len == 0 {
            return self.fixed("<<>>");
        }
        if depth == 1 {
            return self.short("<<...>>", More::Term(t, depth));
        }
        let from = self.text.size();
        if self.style.strings
            && bits.len.is_multiple_of(8)
            && let Some(found) =
                crate::print::binary::printable(&whole_bytes(bits), depth - 1, sub(room, 6), self.style)
        {
            self.text.push_str("<<");
            name::push_string(&mut self.text, found.chars.as_bytes(), Escape::Unicode);
            if found.utf8 {
                self.text.push_str("/utf8");
            }
            self.text.push_str(if found.cut { "...>>" } else { ">>" });
            let id = self.leaf(from);
            if found.cut {
                self.nodes[id as usize].dots = 3;
                self.remember(id, More::Term(t, depth));
            }
            return id;
        }
        let whole = push_binary(&mut self.text, bits, depth, room);
        let id = self.add(Shape::Bytes, from);
        self.nodes[id as usize].len = (self.text.size() - from) as i64;
        if !whole {
            self.nodes[id as usize].dots = 3;
            self.remember(id, More::Term(t, depth));
        }
        id
    }
}

fn whole_bytes(bits: Bits<'_>) -> std::borrow::Cow<'_, [u8]> {
    match bits.as_bytes() {
        Some(bytes) => bytes.into(),
        None => bits.to_vec().into(),
    }
}

/// Is a list printable?
enum Printable {
    Whole(Text),
    /// The first characters are, as many as asked for, and more elements follow.
    More(Text),
    Not,
}

impl Printable {
    fn whole(self) -> Option<Text> {
        match self {
            Self::Whole(chars) => Some(chars),
            Self::More(_) | Self::Not => None,
        }
    }
}

fn printable(heap: &Heap, mut list: Term, range: Encoding, limit: usize) -> Printable {
    let mut chars = Text::new();
    let mut n = 0;
    while let Some((head, tail)) = heap.cons_cell(list) {
        if n == limit {
            return Printable::More(chars);
        }
        match head.as_small() {
            Some(c @ 0..=0x10_ffff) if name::is_printable(c as u32, range) => chars.push(c as u32),
            _ => return Printable::Not,
        }
        n += 1;
        list = tail;
    }
    if list.is_nil() {
        Printable::Whole(chars)
    } else {
        Printable::Not
    }
}

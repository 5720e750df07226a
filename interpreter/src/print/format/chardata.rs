//! Characters from nested lists and binaries.

use super::*;

/// The parts of character data.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Chardata {
    /// Lists of characters alone.
    Chars,
    /// Binaries as well.
    Binaries,
}

/// The first characters of a list as `~s` takes them: deep lists of characters (up to 255 without `t`) and binaries.
pub(super) fn push_chardata(
    out: &mut Text,
    heap: &Heap,
    t: Term,
    encoding: Encoding,
    limit: usize,
) -> Result<Chardata, Bad> {
    let mut found = Chardata::Chars;
    let mut n = 0;
    let mut stack = Vec::new();
    let mut t = t;
    loop {
        if n >= limit {
            return Ok(found);
        }
        if let Some((head, tail)) = heap.cons_cell(t) {
            if let Some(c) = head.as_small() {
                let max = if encoding == Encoding::Latin1 {
                    0xff
                } else {
                    i64::from(CHAR_MAX)
                };
                if !(0..=max).contains(&c) {
                    return Err(Bad);
                }
                out.push(c as u32);
                n += 1;
                t = tail;
            } else {
                if !tail.is_nil() {
                    stack.push(tail);
                }
                t = head;
                if !t.is_list() && heap.bits(t).is_none() {
                    return Err(Bad);
                }
            }
            continue;
        }
        if !t.is_nil() {
            let bytes = heap.bytes(t).ok_or(Bad)?;
            found = Chardata::Binaries;
            n += push_bytes(out, &bytes, encoding);
        }
        match stack.pop() {
            Some(next) => t = next,
            None => return Ok(found),
        }
    }
}

/// A binary as characters: UTF-8 if it is and may be, else byte by byte.
pub(super) fn push_bytes(out: &mut Text, bytes: &[u8], encoding: Encoding) -> usize {
    if bytes.is_ascii() || encoding == Encoding::Unicode && std::str::from_utf8(bytes).is_ok() {
        out.push_slice(bytes);
        text::count(bytes)
    } else {
        bytes.iter().for_each(|&b| out.push(u32::from(b)));
        bytes.len()
    }
}

/// At most `room` characters (clusters under Unicode) and three dots, or up to three characters more.
pub(super) fn cut_chardata(out: &mut Text, heap: &Heap, t: Term, encoding: Encoding, room: usize) -> Result<(), Bad> {
    let mut chars = Text::new();
    let mut read = room.saturating_add(4);
    loop {
        chars.truncate(0);
        push_chardata(&mut chars, heap, t, encoding, read)?;
        let slice = chars.as_bytes();
        let (head, all) = match encoding {
            Encoding::Latin1 => (text::first_chars(slice, room), text::count(slice)),
            Encoding::Unicode => (grapheme::first(slice, room), grapheme::count(slice)),
        };
        if all < room + 4 && text::count(slice) >= read {
            // Clusters of several characters: more must be read.
            read = read.saturating_mul(2);
            continue;
        }
        if all <= room + 3 {
            out.push_slice(slice);
        } else {
            out.push_slice(head);
            out.push_str("...");
        }
        return Ok(());
    }
}

//! Binaries that `~p` prints as strings.

use super::name::is_printable;
use super::text::Text;
use super::{Encoding, Style};

/// A binary as a string.
pub struct BinaryText {
    /// Its characters.
    pub chars: Text,
    /// Is it written with `/utf8`?
    pub utf8: bool,
    /// Is only the beginning shown?
    pub cut: bool,
}

/// A binary in the form of a string; `None`: as numbers. `depth` and `room` limit it if they are not negative.
#[must_use]
pub fn printable(bytes: &[u8], depth: i64, room: i64, style: &Style<'_>) -> Option<BinaryText> {
    let size = bytes.len() as i64;
    let len = if depth >= 0 {
        // A level of depth counts as four characters.
        let chars = size.min(depth.saturating_mul(4));
        if room >= 0 { room.min(chars) } else { chars }
    } else if room < 0 {
        size
    } else {
        room
    };
    if len == 0 {
        return None;
    }
    if style.encoding == Encoding::Unicode
        && let Some((decoded, all)) = decode(bytes, len as usize)
    {
        return unicode(&decoded, all, bytes.len(), len, depth, style.range);
    }
    latin1(bytes, len as usize, depth)
}

/// The first `n` characters and their positions, and whether that is everything; `None` if they are not UTF-8.
fn decode(bytes: &[u8], n: usize) -> Option<(Vec<(usize, char)>, bool)> {
    let prefix = &bytes[..bytes.len().min(n.saturating_mul(4))];
    let valid = match std::str::from_utf8(prefix) {
        Ok(s) => s,
        Err(e) => std::str::from_utf8(&prefix[..e.valid_up_to()]).expect("valid up to there"),
    };
    let decoded: Vec<_> = valid.char_indices().take(n).collect();
    let end = decoded.last().map_or(0, |&(at, c)| at + c.len_utf8());
    let all = end == bytes.len();
    (all || decoded.len() == n).then_some((decoded, all))
}

fn unicode(
    decoded: &[(usize, char)],
    all: bool,
    size: usize,
    len: i64,
    depth: i64,
    range: Encoding,
) -> Option<BinaryText> {
    let mut chars = Text::new();
    let shown = decoded
        .iter()
        .take_while(|&&(_, c)| is_printable(c as u32, range))
        .count();
    decoded[..shown].iter().for_each(|&(_, c)| chars.push(c as u32));
    if all && shown == decoded.len() {
        return Some(BinaryText {
            utf8: size != shown,
            chars,
            cut: false,
        });
    }
    let consumed = decoded[..shown].last().map_or(0, |&(at, c)| at + c.len_utf8());
    (depth > 0 && shown as i64 >= depth && len >= shown as i64).then_some(BinaryText {
        utf8: consumed != shown,
        chars,
        cut: true,
    })
}

fn latin1(bytes: &[u8], len: usize, depth: i64) -> Option<BinaryText> {
    let plain = |slice: &[u8], cut| {
        let mut chars = Text::new();
        slice.iter().for_each(|&b| chars.push(u32::from(b)));
        Some(BinaryText {
            chars,
            utf8: false,
            cut,
        })
    };
    let is_plain = |b: &u8| is_printable(u32::from(*b), Encoding::Latin1);
    // OTP checks the first 20 bytes separately, and then shows a short beginning even if depth alone would not.
    let head = len.min(20);
    let shown = bytes[..head].iter().take_while(|b| is_plain(b)).count();
    if shown == head {
        if head == bytes.len() {
            return plain(bytes, false);
        }
        if head == len {
            return plain(&bytes[..head], true);
        }
        let shown = bytes[..len].iter().take_while(|b| is_plain(b)).count();
        if shown == len && bytes.len() == len {
            return plain(bytes, false);
        }
        return if depth > 0 && shown as i64 >= depth {
            plain(&bytes[..shown], true)
        } else {
            None
        };
    }
    if depth > 0 && shown as i64 >= depth {
        plain(&bytes[..shown], true)
    } else {
        None
    }
}

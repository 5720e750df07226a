//! Escaping for terminals: everything from a trace, a file name or a command line is shown through here.

/// A text as one line: characters that are invisible, or change the look of others, are escaped.
#[must_use]
pub fn safe(text: &str) -> String {
    if text.chars().all(|c| !is_hidden(c)) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if is_hidden(c) => out.push_str(&format!("\\x{{{:X}}}", u32::from(c))),
            c => out.push(c),
        }
    }
    out
}

/// As [`safe`], for a text of several lines: line feeds stay.
#[must_use]
pub fn safe_lines(text: &str) -> String {
    let lines: Vec<String> = text.split('\n').map(safe).collect();
    lines.join("\n")
}

/// A message as it is printed: safe, and without the numbers that the system gives its errors.
#[must_use]
pub fn safe_message(text: &str) -> String {
    const NUMBER: &str = " (os error ";
    let text = safe_lines(text);
    let mut out = String::with_capacity(text.len());
    let mut parts = text.split(NUMBER);
    out.extend(parts.next());
    for part in parts {
        match part.split_once(')') {
            Some((number, rest)) if number.bytes().all(|b| b.is_ascii_digit()) => out.push_str(rest),
            _ => out.extend([NUMBER, part]),
        }
    }
    out
}

/// A path for people.
#[must_use]
pub fn safe_path(path: &std::path::Path) -> String {
    safe(&path.to_string_lossy())
}

/// A word of a command line for a POSIX shell: quoted if necessary.
///
/// A name that is not UTF-8 is written in the `$'…'` form with its bytes.
#[must_use]
pub fn quoted(word: &std::ffi::OsStr) -> String {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"_-./:,@%+=".contains(&b);
    match word.to_str() {
        Some(text) if !text.is_empty() && text.bytes().all(plain) => text.to_owned(),
        Some(text) if text.chars().all(|c| !is_hidden(c)) => format!("'{}'", text.replace('\'', r"'\''")),
        _ => {
            let mut out = "$'".to_owned();
            for &b in word.as_encoded_bytes() {
                match b {
                    b'\'' | b'\\' => {
                        out.push('\\');
                        out.push(char::from(b));
                    }
                    0x20..=0x7e => out.push(char::from(b)),
                    _ => out.push_str(&format!("\\x{b:02x}")),
                }
            }
            out.push('\'');
            out
        }
    }
}

/// Controls, bidirectional marks, zero-width and other invisible characters.
#[must_use]
pub const fn is_hidden(c: char) -> bool {
    matches!(
        c as u32,
        0..=0x1f | 0x7f..=0x9f | 0xad | 0x34f | 0x61c | 0x115f | 0x1160 | 0x17b4 | 0x17b5 | 0x180b..=0x180f
            | 0x200b..=0x200f | 0x2028..=0x202e | 0x2060..=0x206f | 0x3164 | 0xe000..=0xf8ff | 0xfe00..=0xfe0f
            | 0xfeff | 0xffa0 | 0xfff0..=0xfffb | 0x1_bca0..=0x1_bca3 | 0x1_d173..=0x1_d17a | 0xe_0000..
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_cannot_disturb_a_terminal() {
        assert_eq!(safe("plain ä 日本"), "plain ä 日本");
        assert_eq!(safe("\x1b[2J\u{202e}x\n"), "\\x{1B}[2J\\x{202E}x\\n");
        assert_eq!(safe_lines("a\x07\nb\r\n"), "a\\x{7}\nb\\r\n");
    }
}

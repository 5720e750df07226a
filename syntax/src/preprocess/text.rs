//! Source bytes to text: UTF-8, or Latin-1 if the first two lines declare it.

use std::borrow::Cow;

/// The text of a source file, without byte order mark.
///
/// # Errors
/// Line and column (characters) of the first byte that is not UTF-8.
pub(crate) fn decode(source: &[u8]) -> Result<Cow<'_, str>, (u32, u16)> {
    let source = source.strip_prefix(b"\xef\xbb\xbf").unwrap_or(source);
    if says_latin1(source) {
        return Ok(source.iter().map(|&byte| char::from(byte)).collect::<String>().into());
    }
    match std::str::from_utf8(source) {
        Ok(text) => Ok(text.into()),
        Err(error) => {
            let good = std::str::from_utf8(&source[..error.valid_up_to()]).expect("valid up to here");
            let line = good.matches('\n').count() + 1;
            let col = good.rsplit('\n').next().map_or(0, |last| last.chars().count()) + 1;
            Err((
                u32::try_from(line).unwrap_or(u32::MAX),
                u16::try_from(col).unwrap_or(u16::MAX),
            ))
        }
    }
}

/// Whether the first two lines have a comment with `coding: latin-1`, as in `epp:read_encoding/2`.
fn says_latin1(source: &[u8]) -> bool {
    source
        .split(|&byte| byte == b'\n')
        .take(2)
        .filter_map(coding)
        .next()
        .is_some_and(|name| name == "latin-1")
}

fn coding(line: &[u8]) -> Option<String> {
    let comment = &line[line.iter().position(|&byte| byte == b'%')?..];
    let comment = String::from_utf8_lossy(comment).to_ascii_lowercase();
    comment.match_indices("coding").find_map(|(at, word)| {
        let rest = comment[at + word.len()..].trim_start();
        let rest = rest.strip_prefix([':', '='])?.trim_start();
        let name: String = rest
            .chars()
            .take_while(|c| c.is_ascii_alphanumeric() || *c == '-')
            .collect();
        ["latin-1", "utf-8"]
            .into_iter()
            .find(|known| name.starts_with(known))
            .map(str::to_owned)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings() {
        assert_eq!(
            decode(b"%% -*- coding: latin-1 -*-\n\xe9").unwrap(),
            "%% -*- coding: latin-1 -*-\n\u{e9}"
        );
        assert_eq!(decode(b"%% coding: utf-8\n%% coding: latin-1\nx").unwrap().len(), 37);
        assert_eq!(decode(b"\xef\xbb\xbfa").unwrap(), "a");
        assert_eq!(decode(b"ab\nc\xff"), Err((2, 2)));
        assert_eq!(decode("%%\n\né\u{e9}".as_bytes()).unwrap(), "%%\n\néé");
    }
}

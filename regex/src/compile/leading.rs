//! Settings at the start of a pattern.

use super::super::{Newline, Settings};

/// Settings at the start of the pattern, like `(*UTF8)`; how many bytes they take.
pub(super) fn leading(pattern: &[u8], settings: &mut Settings) -> usize {
    let mut at = 0;
    loop {
        let Some(rest) = pattern[at..].strip_prefix(b"(*") else {
            return at;
        };
        let end = rest.iter().position(|&b| b == b')').unwrap_or(rest.len());
        if end == rest.len() {
            return at;
        }
        let word = &rest[..end];
        let limit = |prefix: &[u8]| {
            let digits = word.strip_prefix(prefix)?;
            let mut n = 0_u32;
            for &d in digits {
                if !d.is_ascii_digit() || n > u32::MAX / 10 - 1 {
                    return None;
                }
                n = n * 10 + u32::from(d - b'0');
            }
            Some(n)
        };
        match word {
            b"UTF8" | b"UTF" => settings.utf = true,
            b"UCP" => settings.ucp = true,
            b"NO_AUTO_POSSESS" => {}
            b"NO_START_OPT" => settings.no_start_optimize = true,
            b"CR" => settings.newline = Newline::Cr,
            b"LF" => settings.newline = Newline::Lf,
            b"CRLF" => settings.newline = Newline::CrLf,
            b"ANY" => settings.newline = Newline::Any,
            b"ANYCRLF" => settings.newline = Newline::AnyCrLf,
            b"BSR_ANYCRLF" => (settings.bsr_anycrlf, settings.bsr_unicode) = (true, false),
            b"BSR_UNICODE" => (settings.bsr_anycrlf, settings.bsr_unicode) = (false, true),
            _ => {
                if let Some(n) = limit(b"LIMIT_MATCH=") {
                    settings.match_limit = Some(settings.match_limit.map_or(n, |m| m.min(n)));
                } else if let Some(n) = limit(b"LIMIT_RECURSION=") {
                    settings.recursion_limit = Some(settings.recursion_limit.map_or(n, |m| m.min(n)));
                } else {
                    return at;
                }
            }
        }
        if matches!(word, b"CR" | b"LF" | b"CRLF" | b"ANY" | b"ANYCRLF") {
            settings.clashing_newlines = false;
        }
        at += 2 + end + 1;
    }
}

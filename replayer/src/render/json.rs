//! Views as JSON: one value, indented, with a line break at its end. Characters that could disturb a terminal are escaped: `\\u202e`.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::{CompactFormatter, Formatter, PrettyFormatter, Serializer};

use crate::words::is_hidden;

/// Writes a view.
///
/// # Errors
/// Those of the sink.
pub fn write(out: &mut dyn Write, view: &impl Serialize) -> io::Result<()> {
    let mut serializer = Serializer::with_formatter(&mut *out, Safe(PrettyFormatter::new()));
    view.serialize(&mut serializer).map_err(io::Error::from)?;
    out.write_all(b"\n")
}

/// Writes a view on one line, without a line break.
///
/// # Errors
/// Those of the sink.
pub fn write_part(out: &mut dyn Write, view: &impl Serialize) -> io::Result<()> {
    let mut serializer = Serializer::with_formatter(out, Safe(CompactFormatter));
    view.serialize(&mut serializer).map_err(io::Error::from)
}

/// A formatter that also escapes what JSON would let through and a terminal would obey.
struct Safe<F>(F);

impl<F: Formatter> Formatter for Safe<F> {
    fn write_string_fragment<W: ?Sized + Write>(&mut self, out: &mut W, fragment: &str) -> io::Result<()> {
        let mut rest = fragment;
        while let Some((at, hidden)) = rest.char_indices().find(|(_, c)| is_hidden(*c)) {
            out.write_all(&rest.as_bytes()[..at])?;
            for unit in hidden.encode_utf16(&mut [0; 2]) {
                write!(out, "\\u{unit:04x}")?;
            }
            rest = &rest[at + hidden.len_utf8()..];
        }
        out.write_all(rest.as_bytes())
    }
    fn begin_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.begin_array(out)
    }
    fn end_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_array(out)
    }
    fn begin_array_value<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.0.begin_array_value(out, first)
    }
    fn end_array_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_array_value(out)
    }
    fn begin_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.begin_object(out)
    }
    fn end_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_object(out)
    }
    fn begin_object_key<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.0.begin_object_key(out, first)
    }
    fn begin_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.begin_object_value(out)
    }
    fn end_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_object_value(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_disturbs_a_terminal_is_escaped_and_reads_back() {
        let text = "a\u{202e}b\u{1b}[31m\u{9b}c\u{e0001}d\n\"\u{e9}";
        for pretty in [false, true] {
            let mut out = Vec::new();
            if pretty {
                write(&mut out, &[text]).unwrap();
            } else {
                write_part(&mut out, &[text]).unwrap();
            }
            let written = String::from_utf8(out).unwrap();
            assert!(
                written.trim_end().chars().all(|c| c == '\n' || !is_hidden(c)),
                "{written:?}"
            );
            assert!(
                written.contains("\\u202e") && written.contains("\\udb40\\udc01"),
                "{written}"
            );
            assert_eq!(serde_json::from_str::<[String; 1]>(&written).unwrap()[0], text);
        }
    }
}

//! Views as JSON: one value, indented, with a line break at its end.

use std::io::{self, Write};

use serde::Serialize;

/// Writes a view.
///
/// # Errors
/// Those of the sink.
pub fn write(out: &mut dyn Write, view: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, view).map_err(io::Error::from)?;
    out.write_all(b"\n")
}

/// Writes a view on one line.
///
/// # Errors
/// Those of the sink.
pub fn write_line(out: &mut dyn Write, view: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, view).map_err(io::Error::from)?;
    out.write_all(b"\n")
}

//! Commands that are typed, one on each line: at a terminal, on standard input, or in a script.

use std::io::{BufRead, BufReader, IsTerminal};
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::cli::shared::Format;
use crate::commands::Out;
use session::Error;

/// An error, as JSON.
#[derive(Serialize)]
struct FailedLine {
    error: String,
}

/// The lines of a session.
pub(super) struct SessionLines {
    lines: std::io::Lines<Box<dyn BufRead>>,
    /// A script ends at the first command that fails.
    strict: bool,
    asks: bool,
    from: PathBuf,
}

impl SessionLines {
    /// Of a script, or of standard input.
    ///
    /// # Errors
    /// The script cannot be read.
    pub fn open(script: Option<&Path>) -> Result<Self, Error> {
        let (reader, strict): (Box<dyn BufRead>, bool) = match script {
            Some(path) => {
                let file = std::fs::File::open(path).map_err(|error| Error::Input {
                    path: path.to_owned(),
                    error: error.to_string(),
                })?;
                (Box::new(BufReader::new(file)), true)
            }
            None => (Box::new(BufReader::new(std::io::stdin())), false),
        };
        Ok(Self {
            lines: reader.lines(),
            strict,
            asks: !strict && std::io::stdin().is_terminal(),
            from: script.map_or_else(|| PathBuf::from("standard input"), Path::to_path_buf),
        })
    }

    /// The next command; empty lines and comments are skipped. At a terminal, it is asked for with `prompt`.
    ///
    /// # Errors
    /// It cannot be read; standard output cannot be written.
    pub fn next(&mut self, prompt: &str, out: &mut Out<'_>) -> Result<Option<String>, Error> {
        loop {
            if self.asks {
                write!(out.sink, "{} ", out.paint.strong(&format!("{prompt}>")))?;
                out.sink.flush()?;
            }
            let Some(line) = self.lines.next() else { return Ok(None) };
            let line = line.map_err(|error| Error::Input {
                path: self.from.clone(),
                error: error.to_string(),
            })?;
            let line = line.trim();
            if !line.is_empty() && !line.starts_with('#') {
                return Ok(Some(line.to_owned()));
            }
        }
    }

    /// After a command: an error of a script ends it, others are shown.
    ///
    /// # Errors
    /// That error, or one of standard output.
    pub fn done(&self, result: Result<(), Error>, out: &mut Out<'_>) -> Result<(), Error> {
        match result {
            Ok(()) => {}
            Err(error @ Error::Sink(_)) => return Err(error),
            Err(error) if self.strict => return Err(error),
            Err(error) => {
                let text = log_format::safe_message(&error.to_string());
                match out.format {
                    Format::Text => writeln!(out.sink, "{}", out.paint.bad(&text))?,
                    Format::Json => crate::render::json::write(out.sink, &FailedLine { error: text })?,
                }
            }
        }
        Ok(out.sink.flush()?)
    }
}

/// Is it a command that ends a session?
pub(super) fn quits(line: &str) -> bool {
    matches!(line, "quit" | "q" | "exit")
}

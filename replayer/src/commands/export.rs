//! `replay export` and `replay import`: a trace as JSON, and back.

use std::fs::File;
use std::io::{BufReader, BufWriter, Write};
use std::path::Path;

use crate::cli::{ExportArgs, ImportArgs};
use crate::commands::{Out, open};
use crate::error::Error;
use crate::exchange::{self, read::Problem};
use crate::exit::Exit;

/// Runs `replay export`.
///
/// # Errors
/// The trace cannot be read or is damaged; the answer cannot be written.
pub fn export(args: &ExportArgs, out: &mut Out<'_>) -> Result<Exit, Error> {
    let trace = open(&args.trace)?;
    let Some(path) = &args.output else {
        exchange::write::document(&trace, out.sink).map_err(|e| e.about(&args.trace))?;
        out.sink.flush()?;
        return Ok(Exit::Success);
    };
    let failed = |error: std::io::Error| Error::Output {
        path: path.clone(),
        error: error.to_string(),
    };
    let mut file = BufWriter::new(File::create(path).map_err(failed)?);
    match exchange::write::document(&trace, &mut file) {
        Ok(()) => {}
        Err(Error::Stdout(error)) => return Err(failed(error)),
        Err(error) => return Err(error.about(&args.trace)),
    }
    file.flush().map_err(failed)?;
    Ok(Exit::Success)
}

/// Runs `replay import`.
///
/// # Errors
/// The text cannot be read or is no trace; the trace cannot be written.
pub fn import(args: &ImportArgs) -> Result<Exit, Error> {
    may_replace(&args.output)?;
    let read = if args.file == Path::new("-") {
        exchange::read::document(std::io::stdin().lock(), &args.output)
    } else {
        let file = File::open(&args.file).map_err(|error| Error::Input {
            path: args.file.clone(),
            error: error.to_string(),
        })?;
        exchange::read::document(BufReader::new(file), &args.output)
    };
    match read {
        Ok(_) => Ok(Exit::Success),
        Err(problem) => {
            // Half a trace is of no use to anybody; whether it is there or not, the error is told.
            if log_format::is_trace(&args.output) {
                let _ = std::fs::remove_file(&args.output);
            }
            Err(match problem {
                Problem::Text(error) => Error::BadInput {
                    path: args.file.clone(),
                    error,
                },
                Problem::Output(error) => Error::Output {
                    path: args.output.clone(),
                    error,
                },
            })
        }
    }
}

/// A file that is there is replaced only if it is a trace.
///
/// # Errors
/// It is none.
pub fn may_replace(path: &Path) -> Result<(), Error> {
    match std::fs::metadata(path) {
        Ok(meta) if meta.is_file() && meta.len() > 0 && !log_format::is_trace(path) => Err(Error::Output {
            path: path.to_path_buf(),
            error: "it exists and is not a trace; remove it, or name another file with -o".to_owned(),
        }),
        _ => Ok(()),
    }
}

//! `replay bundle`: a trace with its page, its summary and the command to type, in one file for a bug report.

use std::io::{Cursor, Write as _};
use std::path::Path;
use std::sync::Arc;

use log_format::Trace;
use serde::Serialize;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::cli::shared::{PlaceArgs, TARGETS};
use crate::commands::scrub::Part;
use crate::commands::scrub::{self, Removed};
use crate::commands::{Out, open, report, summary};
use crate::exit::Exit;
use crate::spoken::ready;
use crate::unfinished::is_something_else;
use crate::words::{bytes, path_argument};
use clap::Args;
use session::Session;
use session::error::Error;
use std::path::PathBuf;

/// `replay bundle`.
#[derive(Args, Debug)]
#[command(
    after_help = format!("{TARGETS}\n\nExample: replay bundle my.bin -o case.zip"),
    override_usage = "replay bundle [OPTIONS] [TARGET] TRACE"
)]
pub struct BundleArgs {
    #[command(flatten)]
    pub place: PlaceArgs,
    /// Where to write the zip file [default: the name of the trace, with .zip]. A file that is not a zip file is never replaced
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Take out the values of these inputs first, as `replay scrub` does
    #[arg(long, value_name = "CLASS,…", value_delimiter = ',', value_parser = system::input_class)]
    pub input: Vec<log_format::InputClass>,
    /// Take out these parts first, as `replay scrub` does
    #[arg(long = "part", value_name = "PART,…", value_delimiter = ',', value_enum)]
    pub parts: Vec<Part>,
}

/// How a zip file begins.
const ZIP: &[u8] = b"PK\x03\x04";

/// A file of the bundle.
struct File {
    name: String,
    bytes: Vec<u8>,
}

/// What was written.
#[derive(Serialize)]
struct BundleWritten {
    file: String,
    bytes: u64,
    files: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    without_page: Option<String>,
}

/// Runs `replay bundle`.
///
/// # Errors
/// There is no such target; the trace is damaged; the replay diverges; the file cannot be written, or would replace one that is not a zip file.
pub fn run(args: &BundleArgs, out: &mut Out<'_>) -> Result<Exit, Error> {
    let (target, path) = args.place.parts()?;
    let path = &crate::store::resolve(path.as_os_str())?;
    let name = path.file_name().unwrap_or(path.as_os_str());
    let output = args
        .output
        .clone()
        .unwrap_or_else(|| Path::new(name).with_extension("zip"));
    let failed = |error: String| Error::Output {
        path: output.clone(),
        error,
    };
    if is_something_else(&output, |start| start.starts_with(ZIP)) {
        return Err(failed(
            "it exists and is not a zip file; remove it, or name another file".to_owned(),
        ));
    }
    let (files, without_page) = gather(args, target, path).map_err(|e| e.about(path))?;
    let packed = pack(Path::new(name), &files).map_err(|error| failed(error.to_string()))?;
    let refused = |error: std::io::Error| failed(error.to_string());
    let place = crate::unfinished::aside(&output).map_err(refused)?;
    let mut file = place.handle().map_err(refused)?;
    file.write_all(&packed).map_err(refused)?;
    drop(file);
    place.keep().map_err(refused)?;
    let view = BundleWritten {
        file: path_argument(&output),
        bytes: packed.len() as u64,
        files: files.into_iter().map(|file| file.name).collect(),
        without_page,
    };
    match out.format {
        crate::cli::shared::Format::Json => crate::render::json::write(out.sink, &view)?,
        crate::cli::shared::Format::Text => {
            writeln!(
                out.sink,
                "{} written, {}: {}",
                view.file,
                bytes(view.bytes),
                view.files.join(", ")
            )?;
            if let Some(why) = &view.without_page {
                writeln!(out.sink, "without a page: {why}")?;
            }
        }
    }
    out.sink.flush()?;
    Ok(Exit::Success)
}

/// The files, and why there is no page, if so.
fn gather(args: &BundleArgs, target: &str, path: &Path) -> Result<(Vec<File>, Option<String>), Error> {
    let trace = open(path)?;
    let removed = Removed {
        input: &args.input,
        parts: &args.parts,
    };
    let is_scrubbed = !args.input.is_empty() || !args.parts.is_empty();
    let content = match is_scrubbed {
        true => scrub::without(&trace, &removed)?,
        false => std::fs::read(path).map_err(|error| Error::Input {
            path: path.to_path_buf(),
            error: error.to_string(),
        })?,
    };
    let trace = Arc::new(Trace::from_bytes(content.clone())?);
    let name = path.file_name().unwrap_or(path.as_os_str());
    let file = path_argument(Path::new(name));
    let mut files = Vec::new();
    let page = Session::of(Arc::clone(&trace)).and_then(|session| {
        let session = ready(session);
        let page = report::make(
            &session,
            (target, decisive::Limits::default()),
            Path::new(name),
            ::report::ACTIONS,
        )?;
        Ok((page.html, summary::of(&session, target, Path::new(name))))
    });
    let without = match page {
        Ok((html, summary)) => {
            files.push(text("report.html", html));
            files.push(text("summary.md", summary));
            None
        }
        // What was taken out may be needed for a replay. Without that, it is an error as in any command.
        Err(error) if is_scrubbed && !matches!(error, Error::NoTarget(_)) => Some(error.to_string()),
        Err(error) => return Err(error),
    };
    files.push(text("README.txt", readme(&trace, target, &file, without.as_deref())?));
    files.push(File {
        name: name.to_string_lossy().into_owned(),
        bytes: content,
    });
    Ok((files, without))
}

fn text(name: &str, text: String) -> File {
    File {
        name: name.to_owned(),
        bytes: text.into_bytes(),
    }
}

/// What is in the bundle, and what to type.
fn readme(trace: &Trace, target: &str, file: &str, without: Option<&str>) -> Result<String, Error> {
    let header = trace.header();
    let (major, minor) = trace.version();
    let release = system::recorder::release(header)?.number();
    let pages = match without {
        None => "report.html  the run as a page that any browser opens\nsummary.md   the same as Markdown\n".to_owned(),
        Some(why) => format!("There is no page of it: {why}\n"),
    };
    Ok(format!(
        "A recorded run of an Erlang program. It is replayed, with its causes only, by\n\n    replay why {target} {file}\n\n{pages}{file}  the \
         trace, with the program\n\nRecorded by {} as Erlang/OTP {release}; format {major}.{minor}. Packed by replay {}.\n",
        log_format::safe(&header.tool),
        log_format::version(),
    ))
}

/// One folder with all files, the same bytes each time.
fn pack(name: &Path, files: &[File]) -> zip::result::ZipResult<Vec<u8>> {
    let folder = name.file_stem().unwrap_or(name.as_os_str()).to_string_lossy();
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for file in files {
        writer.start_file(format!("{folder}/{}", file.name), SimpleFileOptions::default())?;
        writer.write_all(&file.bytes)?;
    }
    Ok(writer.finish()?.into_inner())
}

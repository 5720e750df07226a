//! Files with a graph of universes: SQLite, JSON, DOT for pictures, and a page.

mod dot;
mod json;
mod page;
mod say;
mod store;

pub(crate) use say::{Words, end_so};

use std::io::{Read as _, Write as _};
use std::path::Path;

use multiverse::map::Map;
use session::Error;

use crate::unfinished::is_something_else;

/// How a database begins.
const SQLITE: &[u8; 16] = b"SQLite format 3\0";

/// A kind of file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum GraphFileKind {
    /// A database.
    Sqlite,
    /// Everything, as text.
    Json,
    /// A picture, for Graphviz.
    Dot,
    /// A page with a picture, for any browser.
    Html,
}

impl GraphFileKind {
    /// By the name of a file.
    ///
    /// # Errors
    /// It is none of these.
    pub fn of(path: &Path) -> Result<Self, Error> {
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("sqlite" | "sqlite3" | "db") => Ok(Self::Sqlite),
            Some("json") => Ok(Self::Json),
            Some("dot" | "gv") => Ok(Self::Dot),
            Some("html" | "htm") => Ok(Self::Html),
            _ => Err(Error::Usage(format!(
                "{}: the name of a graph ends with .sqlite, .json, .dot or .html, which says what is written",
                path.display()
            ))),
        }
    }
}

/// An existing file is replaced only if it is a graph of the same kind.
///
/// # Errors
/// It is something else.
pub(crate) fn may_replace(kind: GraphFileKind, path: &Path) -> Result<(), Error> {
    let is_ours = |start: &[u8]| match kind {
        GraphFileKind::Sqlite => store::is_ours(start),
        GraphFileKind::Json => start.starts_with(json::START.as_bytes()),
        GraphFileKind::Dot => start.starts_with(dot::START.as_bytes()),
        GraphFileKind::Html => report::is_report(start),
    };
    if is_something_else(path, is_ours) {
        return Err(Error::Output {
            path: path.to_owned(),
            error: "it exists and is not a graph of universes of this kind; remove it, or name another file".to_owned(),
        });
    }
    Ok(())
}

/// Writes a graph.
///
/// # Errors
/// The file cannot be written, or would replace something else.
pub(crate) fn write(map: &Map, kind: GraphFileKind, path: &Path) -> Result<(), Error> {
    may_replace(kind, path)?;
    let failed = |error: String| Error::Output {
        path: path.to_owned(),
        error,
    };
    let bytes = match kind {
        GraphFileKind::Sqlite => store::bytes(map).map_err(|error| failed(error.to_string()))?,
        GraphFileKind::Json => json::bytes(map).map_err(|error| failed(error.to_string()))?,
        GraphFileKind::Dot => dot::text(map).into_bytes(),
        GraphFileKind::Html => page::html(map).into_bytes(),
    };
    let failed = |error: std::io::Error| failed(error.to_string());
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    let place = crate::unfinished::aside(path).map_err(failed)?;
    let written = place.handle().and_then(|mut file| file.write_all(&bytes));
    written.and_then(|()| place.keep()).map_err(failed)
}

/// Is a file a database?
pub(crate) fn is_database(path: &Path) -> bool {
    let mut start = [0; SQLITE.len()];
    let read = std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut start));
    read.is_ok() && &start == SQLITE
}

/// A graph as a page.
pub(crate) fn page(map: &Map) -> String {
    page::html(map)
}

/// Reads a graph from a database.
///
/// # Errors
/// It cannot be read, or it is not such a graph.
pub(crate) fn read(path: &Path) -> Result<Map, Error> {
    if !path.is_file() {
        return Err(Error::Input {
            path: path.to_owned(),
            error: match path.exists() {
                true => "it is not a file".to_owned(),
                false => "there is no such file".to_owned(),
            },
        });
    }
    store::read(path).map_err(|error| Error::BadInput {
        path: path.to_owned(),
        error: error.to_string(),
    })
}

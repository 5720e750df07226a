//! Traces of test runs: `_traces/<test>-<8 hex>.trace`, and the short names for them.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fmt::{self, Display, Formatter};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

pub use log_format::kept::FOLDER;
use log_format::kept::{is_id, is_named, parts};
use session::error::Error;

/// A trace file in a folder.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Kept {
    /// The file.
    pub path: PathBuf,
    /// The name of the recorded test; the whole name if it does not end in an id.
    pub test: String,
    /// Its id.
    pub id: Option<String>,
    /// Its length in bytes.
    pub bytes: u64,
    /// When it was written.
    pub written: SystemTime,
    /// Is the name a symbolic link to a trace?
    pub is_link: bool,
}

/// What the files of a folder are told by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ListedBy {
    /// Files named `*.trace`, whatever is inside.
    ByName,
    /// These, and all other files that hold a trace.
    ByNameOrContents,
}

/// The traces of a folder, newest first; of the same age, by name.
///
/// # Errors
/// The folder cannot be read.
pub fn list(folder: &Path, listed: ListedBy) -> std::io::Result<Vec<Kept>> {
    let mut all = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        // A file that has disappeared in the meantime is not listed.
        let Ok(meta) = std::fs::metadata(&path) else { continue };
        if !meta.is_file() {
            continue;
        }
        let is_named = is_named(&path);
        // One that is being written has no name yet.
        if log_format::kept::of_running(&path).is_some() {
            continue;
        }
        if !is_named && (listed == ListedBy::ByName || !log_format::is_trace(&path)) {
            continue;
        }
        let name = if is_named { path.file_stem() } else { path.file_name() };
        let stem = name.unwrap_or_default().to_string_lossy().into_owned();
        let (test, id) = parts(&stem);
        let (test, id) = (test.to_owned(), id.map(str::to_owned));
        all.push(Kept {
            test,
            id,
            bytes: meta.len(),
            written: meta.modified().unwrap_or(SystemTime::UNIX_EPOCH),
            is_link: path.is_symlink(),
            path,
        });
    }
    all.sort_by(|a, b| b.written.cmp(&a.written).then_with(|| a.path.cmp(&b.path)));
    Ok(all)
}

/// A short name that several traces have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ManyIds {
    /// The folder of the traces.
    pub folder: PathBuf,
    /// Their ids.
    pub ids: Vec<String>,
}

impl Display for ManyIds {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (folder, ids) = (log_format::safe_path(&self.folder), self.ids.join(", "));
        write!(f, "several traces in {folder} have an id that begins like that: {ids}")
    }
}

impl From<ManyIds> for Error {
    fn from(error: ManyIds) -> Self {
        Self::Usage(error.to_string())
    }
}

/// The file that a word of the command line names: a file of that name, or among the traces in `_traces`, `latest` or the first digits of an id.
///
/// # Errors
/// Several ids begin with these digits: lists them.
pub fn resolve(word: &OsStr) -> Result<PathBuf, ManyIds> {
    resolve_in(word, Path::new(FOLDER))
}

/// The trace files at these places: a file, a short name, or a folder with all its traces in the order of their names. None is repeated.
///
/// # Errors
/// A folder cannot be read or holds no trace; a short name is not clear.
pub fn at(places: &[impl AsRef<Path>]) -> Result<Vec<PathBuf>, Error> {
    let mut all = Vec::new();
    for place in places.iter().map(AsRef::as_ref) {
        if !place.is_dir() {
            all.push(resolve(place.as_os_str())?);
            continue;
        }
        let unreadable = |error: String| Error::Input {
            path: place.to_path_buf(),
            error,
        };
        let listed = list(place, ListedBy::ByNameOrContents).map_err(|error| unreadable(error.to_string()))?;
        let mut files: Vec<PathBuf> = listed.into_iter().map(|kept| kept.path).collect();
        if files.is_empty() {
            return Err(unreadable("there is no trace in this folder".to_owned()));
        }
        files.sort();
        all.extend(files);
    }
    let mut seen = BTreeSet::new();
    all.retain(|path: &PathBuf| seen.insert(path.clone()));
    Ok(all)
}

/// A place for traces that holds none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bare {
    /// It does not exist.
    Absent,
    /// An empty folder, as a run leaves it that kept no trace.
    Empty,
    /// A folder with other files.
    Other,
}

/// Is there no trace at this place? `None`: there are some, or a file that may be one.
///
/// # Errors
/// The folder cannot be read.
pub fn bare(place: &Path) -> Result<Option<Bare>, Error> {
    let unreadable = |error: std::io::Error| Error::Input {
        path: place.to_path_buf(),
        error: error.to_string(),
    };
    if !place.is_dir() {
        let is_folder_like = resolve(place.as_os_str()).is_ok_and(|path| path == place && !path.exists());
        return Ok((is_folder_like && !is_named(place)).then_some(Bare::Absent));
    }
    if !list(place, ListedBy::ByNameOrContents).map_err(unreadable)?.is_empty() {
        return Ok(None);
    }
    // What version control needs to keep an empty folder.
    let is_kept = |name: &OsStr| name == ".gitignore" || name == ".gitkeep";
    let mut entries = std::fs::read_dir(place).map_err(unreadable)?.flatten();
    Ok(Some(match entries.all(|entry| is_kept(&entry.file_name())) {
        true => Bare::Empty,
        false => Bare::Other,
    }))
}

/// Why there is no trace where a short name, or an option's place, was given; none where that is said better by what the system says.
#[must_use]
pub fn why_not(path: &Path) -> Option<&'static str> {
    let word = path.to_str().filter(|_| !path.exists())?;
    match word {
        "-" => Some("a trace is read from a file, not from standard input"),
        "latest" => Some("there is no such file, and no trace in _traces"),
        _ if is_id(word) => Some("there is no such file, and no trace in _traces has an id that begins like that"),
        _ => None,
    }
}

fn resolve_in(word: &OsStr, folder: &Path) -> Result<PathBuf, ManyIds> {
    let path = PathBuf::from(word);
    let Some(text) = word.to_str().filter(|text| *text == "latest" || is_id(text)) else {
        return Ok(path);
    };
    if path.exists() {
        return Ok(path);
    }
    let Ok(all) = list(folder, ListedBy::ByName) else {
        return Ok(path);
    };
    if text == "latest" {
        // A recorder that was killed at once leaves an empty file.
        let newest = all.into_iter().find(|kept| log_format::is_trace(&kept.path));
        return Ok(newest.map_or(path, |kept| kept.path));
    }
    let found: Vec<Kept> = all
        .into_iter()
        .filter(|kept| kept.id.as_deref().is_some_and(|id| id.starts_with(text)))
        .collect();
    match found.as_slice() {
        [] => Ok(path),
        [one] => Ok(one.path.clone()),
        several => {
            let folder = folder.to_owned();
            let ids = several.iter().filter_map(|kept| kept.id.clone()).collect();
            Err(ManyIds { folder, ids })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/../fixtures/traces/1.0/crashed.trace");
        let mut clock = SystemTime::UNIX_EPOCH;
        for name in [
            "a_test-0123abcd.trace",
            "b-01ff0000.trace",
            "odd.trace",
            "note.txt",
            "c-d-deadbeef.trace",
        ] {
            std::fs::copy(golden, folder.join(name)).unwrap();
            let file = std::fs::File::options().write(true).open(folder.join(name)).unwrap();
            clock += std::time::Duration::from_secs(60);
            file.set_modified(clock).unwrap();
        }
        let all = list(folder, ListedBy::ByName).unwrap();
        let names: Vec<(&str, Option<&str>)> = all.iter().map(|k| (k.test.as_str(), k.id.as_deref())).collect();
        assert_eq!(
            names,
            [
                ("c-d", Some("deadbeef")),
                ("odd", None),
                ("b", Some("01ff0000")),
                ("a_test", Some("0123abcd"))
            ]
        );
        let name = |word: &str| resolve_in(OsStr::new(word), folder);
        assert_eq!(name("latest"), Ok(folder.join("c-d-deadbeef.trace")));
        assert_eq!(name("012"), Ok(folder.join("a_test-0123abcd.trace")));
        assert!(name("01").unwrap_err().ids.contains(&"0123abcd".to_owned()));
        // What is not a trace is never the latest.
        std::fs::write(folder.join("e-00000000.trace"), "").unwrap();
        std::fs::write(folder.join("f-00000001.trace"), "mine, not a trace").unwrap();
        assert_eq!(name("latest"), Ok(folder.join("c-d-deadbeef.trace")));
        std::fs::copy(golden, folder.join("trace.bin")).unwrap();
        let names = |listed| list(folder, listed).unwrap().into_iter().map(|kept| kept.test);
        assert!(names(ListedBy::ByNameOrContents).any(|name| name == "trace.bin"));
        assert!(!names(ListedBy::ByName).any(|name| name == "trace.bin"));
        // A word that is not the id of a trace is a path.
        for word in ["77", "trace.bin", "Latest", "012g", ""] {
            assert_eq!(name(word), Ok(PathBuf::from(word)), "{word}");
        }
    }
}

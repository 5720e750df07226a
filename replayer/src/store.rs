//! Traces of test runs: `_traces/<test>-<8 hex>.trace`, and the short names for them.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The folder in which traces of test runs are kept.
pub const FOLDER: &str = "_traces";
/// The extension of their names.
const EXTENSION: &str = "trace";
/// Number of digits of an id.
const DIGITS: usize = 8;

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

/// The traces of a folder, newest first; of the same age, by name.
///
/// # Errors
/// The folder cannot be read.
pub fn list(folder: &Path) -> std::io::Result<Vec<Kept>> {
    let mut all = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension() != Some(OsStr::new(EXTENSION)) {
            continue;
        }
        // A file that has disappeared in the meantime is not listed.
        let Ok(meta) = std::fs::metadata(&path) else { continue };
        if !meta.is_file() {
            continue;
        }
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let (test, id) = match stem.rsplit_once('-') {
            Some((test, id)) if is_id(id) && id.len() == DIGITS => (test.to_owned(), Some(id.to_owned())),
            _ => (stem, None),
        };
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

fn is_id(text: &str) -> bool {
    !text.is_empty() && text.len() <= DIGITS && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
}

/// The file that a word of the command line names: a file of that name, or among the traces in `_traces`, `latest` or the first digits of an id.
///
/// # Errors
/// Several ids begin with these digits: lists them.
pub fn resolve(word: &OsStr) -> Result<PathBuf, String> {
    resolve_in(word, Path::new(FOLDER))
}

fn resolve_in(word: &OsStr, folder: &Path) -> Result<PathBuf, String> {
    let path = PathBuf::from(word);
    let Some(text) = word.to_str().filter(|text| *text == "latest" || is_id(text)) else {
        return Ok(path);
    };
    if path.exists() {
        return Ok(path);
    }
    let Ok(all) = list(folder) else { return Ok(path) };
    if text == "latest" {
        return Ok(all.into_iter().next().map_or(path, |kept| kept.path));
    }
    let found: Vec<Kept> = all
        .into_iter()
        .filter(|kept| kept.id.as_deref().is_some_and(|id| id.starts_with(text)))
        .collect();
    match found.as_slice() {
        [] => Ok(path),
        [one] => Ok(one.path.clone()),
        several => {
            let ids: Vec<&str> = several.iter().filter_map(|kept| kept.id.as_deref()).collect();
            Err(format!(
                "several traces in {} have an id that begins like that: {}",
                log_format::safe_path(folder),
                ids.join(", ")
            ))
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
        let mut clock = SystemTime::UNIX_EPOCH;
        for name in [
            "a_test-0123abcd.trace",
            "b-01ff0000.trace",
            "odd.trace",
            "note.txt",
            "c-d-deadbeef.trace",
        ] {
            let file = std::fs::File::create(folder.join(name)).unwrap();
            clock += std::time::Duration::from_secs(60);
            file.set_modified(clock).unwrap();
        }
        let all = list(folder).unwrap();
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
        assert!(name("01").unwrap_err().contains("0123abcd"));
        // A word that is not the id of a trace is a path.
        for word in ["77", "trace.bin", "Latest", "012g", ""] {
            assert_eq!(name(word), Ok(PathBuf::from(word)), "{word}");
        }
    }
}

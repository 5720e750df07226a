//! Names of the traces that test runs leave in a folder: `_traces/TEST-ID.trace`. The recorder gives them, and the replayer finds them.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// The folder in which traces of test runs are kept, unless another one is named.
pub const FOLDER: &str = "_traces";
/// The extension of their names.
pub const EXTENSION: &str = "trace";
/// Number of hexadecimal digits of an id.
pub const DIGITS: usize = 8;
/// The extension of a trace that is being written and may be removed again; its name begins with a dot.
const RUNNING: &str = "running";

/// The path of a kept trace. Characters of the test's name that do not belong in a file name become `_`.
#[must_use]
pub fn path(folder: &Path, test: &str, id: u32) -> PathBuf {
    folder.join(format!("{}-{id:0width$x}.{EXTENSION}", plain(test), width = DIGITS))
}

/// The path at which the same trace is written until it is known whether it is kept.
#[must_use]
pub fn running(folder: &Path, test: &str, id: u32) -> PathBuf {
    folder.join(format!(".{}-{id:0width$x}.{RUNNING}", plain(test), width = DIGITS))
}

/// Where a trace is kept that was being written at `running`; `None`: that is not such a name.
#[must_use]
pub fn of_running(running: &Path) -> Option<PathBuf> {
    let stem = running
        .file_name()?
        .to_str()?
        .strip_prefix('.')?
        .strip_suffix(RUNNING)?;
    let stem = stem.strip_suffix('.')?;
    parts(stem).1?;
    Some(running.with_file_name(format!("{stem}.{EXTENSION}")))
}

/// The name of the test and the id in the name of a file without its extension.
#[must_use]
pub fn parts(stem: &str) -> (&str, Option<&str>) {
    match stem.rsplit_once('-') {
        Some((test, id)) if id.len() == DIGITS && is_id(id) => (test, Some(id)),
        _ => (stem, None),
    }
}

/// Is it an id, or the beginning of one?
#[must_use]
pub fn is_id(text: &str) -> bool {
    !text.is_empty() && text.len() <= DIGITS && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
}

/// Is it named as a kept trace? A trace that is being written is not.
#[must_use]
pub fn is_named(path: &Path) -> bool {
    path.extension() == Some(OsStr::new(EXTENSION))
}

/// Limit: characters of a test's name in a file name.
const LONGEST: usize = 100;

fn plain(test: &str) -> String {
    let fits = |c: char| c.is_alphanumeric() || "_-.@".contains(c);
    let name: String = test
        .chars()
        .take(LONGEST)
        .map(|c| if fits(c) { c } else { '_' })
        .collect();
    // It must not be hidden, nor look like an option.
    match name.strip_prefix(['.', '-']) {
        Some(rest) => format!("_{rest}"),
        None => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_running_trace_knows_its_place() {
        let folder = Path::new("_traces");
        let kept = path(folder, "bank:a/b test", 0x1f);
        assert_eq!(kept, Path::new("_traces/bank_a_b_test-0000001f.trace"));
        assert_eq!(of_running(&running(folder, "bank:a/b test", 0x1f)), Some(kept.clone()));
        assert!(is_named(&kept) && !is_named(&running(folder, "bank", 1)));
        assert_eq!(parts("bank_a_b_test-0000001f"), ("bank_a_b_test", Some("0000001f")));
        assert_eq!(parts("c-d"), ("c-d", None));
        for other in [
            "_traces/a.running",
            "_traces/.a-1f.running",
            "_traces/.a-0000001frunning",
            ".running",
        ] {
            assert_eq!(of_running(Path::new(other)), None, "{other}");
        }
        assert_eq!(path(folder, "-x", 1), Path::new("_traces/_x-00000001.trace"));
    }
}

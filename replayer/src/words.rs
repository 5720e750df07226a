//! Words for people: those of [`session::words`], and paths as they are typed after a verb.

use std::path::Path;

pub use session::words::*;

/// A path as a shell argument: quoted, and never mistaken for a verb or an option.
#[must_use]
pub fn path_argument(path: &Path) -> String {
    if path
        .to_str()
        .is_some_and(|path| crate::cli::verbs::VERBS.contains(&path))
    {
        return quoted(Path::new(".").join(path).as_os_str());
    }
    session::words::path_argument(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_no_verb() {
        assert_eq!(path_argument(Path::new("info")), "./info");
        assert_eq!(path_argument(Path::new("-x")), "./-x");
        assert_eq!(path_argument(Path::new("dir/info")), "dir/info");
    }
}

//! Folders that a build of rebar3 would make: the program is told of `_build/test/lib/APP`, as under OTP, and what it asks for there is looked for in
//! the application's own folder. Nothing is built, and nothing is written there.

use std::path::{Component, Path, PathBuf};

/// The folders of one project.
#[derive(Clone, Debug, Default)]
pub struct Built {
    /// As the build has it, and the application's own. Both are absolute.
    folders: Vec<(PathBuf, PathBuf)>,
}

impl Built {
    /// These folders: of the build, and the application's own.
    #[must_use]
    pub const fn new(folders: Vec<(PathBuf, PathBuf)>) -> Self {
        Self { folders }
    }

    /// Where a path really leads. What is not in such a folder, or is there only as the build made it, stays as it is.
    #[must_use]
    pub fn real(&self, path: PathBuf) -> PathBuf {
        let is_of_build = !self.folders.is_empty() && path.to_string_lossy().contains("_build/test");
        if !is_of_build {
            return path;
        }
        let Ok(absolute) = std::path::absolute(&path) else {
            return path;
        };
        let clean = without_dots(&absolute);
        let own = self
            .folders
            .iter()
            .find_map(|(built, own)| Some(own.join(clean.strip_prefix(built).ok()?)));
        let is_there = |path: &Path| path.symlink_metadata().is_ok();
        match own {
            Some(own) if is_there(&own) => own,
            // A file that is to be made.
            Some(own) if !is_there(&path) && own.parent().is_some_and(is_there) => own,
            None if clean != absolute && !is_there(&path) => clean,
            _ => path,
        }
    }
}

/// Without `..`, as if no folder on the way were a link: some of them do not exist.
fn without_dots(path: &Path) -> PathBuf {
    let mut clean = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                clean.pop();
            }
            Component::CurDir => {}
            part => clean.push(part),
        }
    }
    clean
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_build_would_have_is_found_in_the_sources() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        std::fs::create_dir_all(root.join("apps/shop/priv")).unwrap();
        std::fs::write(root.join("apps/shop/priv/list"), "x").unwrap();
        std::fs::write(root.join("top"), "x").unwrap();
        let own = root.join("apps/shop");
        let built = root.join("_build/test/lib/shop");
        let all = Built::new(vec![(built.clone(), own.clone())]);
        for (asked, real) in [
            (built.clone(), own.clone()),
            (built.join("priv/list"), own.join("priv/list")),
            (built.join("ebin/../priv/list"), own.join("priv/list")),
            (built.join("priv/new"), own.join("priv/new")),
            (built.join("../../../../top"), root.join("top")),
            (built.join("nowhere/new"), built.join("nowhere/new")),
            (root.join("top"), root.join("top")),
        ] {
            assert_eq!(all.real(asked.clone()), real, "{}", asked.display());
        }
    }
}

//! Files of the project as they are now: what the changed program reads of them, wherever it runs. A path of the recorded run is looked for where the
//! project's own configuration says its application is now, and nothing outside of these folders is read, whatever a trace names.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use rustc_hash::FxHashSet;
use system::error::Posix;
use system::files::{FileAnswer, FileInfo, FileRequest, FileType};
use system::outside::Ground;

/// Limit: bytes of a file.
pub(crate) const LARGEST: u64 = 64 << 20;

/// What tools write into a project: none of it is a project's own.
const MADE: &[&str] = &["_build", "_traces", ".git", "logs"];

/// The folders of a project when recorded and now.
#[derive(Default)]
pub(crate) struct ProjectFolders {
    /// Folders as the recorded program named them, and where they are now; the longest first.
    pairs: Vec<(PathBuf, PathBuf)>,
    /// The folders that may be read: absolute, without links.
    roots: Vec<PathBuf>,
    /// The folder of the project, where its program begins.
    here: PathBuf,
}

/// What reading a file gives.
type Contents = Result<Vec<u8>, Posix>;

/// The project's files.
pub(crate) struct Project {
    places: ProjectFolders,
    /// Files that the recorded run has made or changed itself.
    wrote: FxHashSet<String>,
    /// Files that the recorded run has read.
    had: FxHashSet<String>,
    read: Mutex<BTreeMap<String, Option<Contents>>>,
}

/// What words of an entry of `tracer test` say of applications: `application=NAME=FOLDER`, `built=NAME=…=FOLDER`.
fn folders<'a>(words: &'a [String], kind: &str) -> BTreeMap<&'a str, &'a str> {
    let parts = words
        .iter()
        .filter_map(|word| word.strip_prefix(kind)?.strip_prefix('='));
    let pairs = parts.filter_map(|rest| {
        let (name, rest) = rest.split_once('=')?;
        Some((name, if kind == "built" { rest.split_once('=')?.1 } else { rest }))
    });
    pairs.collect()
}

/// Two paths without the end that they have in common.
pub(crate) fn without_common_end(then: &Path, now: &Path) -> (PathBuf, PathBuf) {
    let (mut then, mut now) = (then.to_path_buf(), now.to_path_buf());
    while then.file_name().is_some() && then.file_name() == now.file_name() {
        then.pop();
        now.pop();
    }
    (then, now)
}

impl ProjectFolders {
    /// `recorded`, `now`: what is known of the project; `here`: the folder of the project, which is the current one.
    pub(crate) fn new(recorded: &[String], now: &[String], here: &Path) -> Self {
        let here = here.canonicalize().unwrap_or_else(|_| here.to_path_buf());
        let (then, built, now) = (
            folders(recorded, "application"),
            folders(recorded, "built"),
            folders(now, "application"),
        );
        let mut places = Self::default();
        for (name, folder) in &now {
            let folder = PathBuf::from(folder);
            if let Some(built) = built.get(name) {
                places.pair(PathBuf::from(built), folder.clone());
            }
            if let Some(then) = then.get(name) {
                places.pair(PathBuf::from(then), folder.clone());
                let (then, now) = without_common_end(Path::new(then), &folder);
                // The project as a whole.
                if here.starts_with(&now) || now.starts_with(&here) {
                    let rest = here.strip_prefix(&now).unwrap_or(Path::new(""));
                    places.pair(then.join(rest), here.clone());
                }
            }
            places.pair(folder.clone(), folder.clone());
            places.roots.extend(folder.canonicalize());
        }
        places.pair(here.clone(), here.clone());
        places.roots.push(here.clone());
        places.here = here;
        places
            .pairs
            .sort_by_key(|(then, _)| std::cmp::Reverse(then.components().count()));
        places
    }

    fn pair(&mut self, then: PathBuf, now: PathBuf) {
        // What is above everything says nothing.
        let is_known = self.pairs.iter().any(|(known, _)| *known == then);
        if then.components().count() > 1 && !is_known {
            self.pairs.push((then, now));
        }
    }

    /// Where a path leads now, if that is in one of the folders and no tool has made it.
    pub(crate) fn at(&self, path: &str) -> Option<PathBuf> {
        let path = clean(path)?;
        if path.is_relative() {
            return self.checked(&self.here, &path);
        }
        let inside =
            |(then, now): &(PathBuf, PathBuf)| Some((now.clone(), path.strip_prefix(then).ok()?.to_path_buf()));
        let (now, rest) = self.pairs.iter().find_map(inside)?;
        self.checked(&now, &rest)
    }

    fn checked(&self, folder: &Path, rest: &Path) -> Option<PathBuf> {
        let is_made =
            |part: Component<'_>| matches!(part, Component::Normal(name) if MADE.iter().any(|made| name == *made));
        if rest.components().next().is_some_and(is_made) {
            return None;
        }
        let at = folder.join(rest);
        self.may_read(&at).then_some(at)
    }

    /// Is it in one of the folders, links included? What is not there is where its folder is.
    fn may_read(&self, path: &Path) -> bool {
        let real = path.ancestors().find_map(|above| above.canonicalize().ok());
        real.is_some_and(|real| self.roots.iter().any(|root| real.starts_with(root)))
    }
}

/// The path without `.` and `..`; none if it leads above its start.
fn clean(path: &str) -> Option<PathBuf> {
    let mut clean = PathBuf::new();
    for part in Path::new(path).components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                if !matches!(clean.components().next_back(), Some(Component::Normal(_))) {
                    return None;
                }
                clean.pop();
            }
            part => clean.push(part),
        }
    }
    Some(clean)
}

/// Reads a regular file of a size that is not too large.
///
/// # Errors
/// It cannot be read, or is no such file.
pub(crate) fn read_regular(path: &Path) -> io::Result<Vec<u8>> {
    let about = std::fs::metadata(path)?;
    let refused = |why: String| Err(io::Error::new(io::ErrorKind::InvalidInput, why));
    if about.is_dir() {
        return refused("it is a folder".to_owned());
    }
    if !about.is_file() {
        return refused("it is no regular file".to_owned());
    }
    if about.len() > LARGEST {
        return refused(format!("it has more than {} MB", LARGEST >> 20));
    }
    std::fs::read(path)
}

impl Project {
    /// The files of a project at these places. `wrote`, `had`: files that the recorded run has made, and that it has read.
    pub(crate) fn new(places: ProjectFolders, wrote: FxHashSet<String>, had: FxHashSet<String>) -> Self {
        Self {
            places,
            wrote,
            had,
            read: Mutex::default(),
        }
    }

    fn read_now(&self, path: &str) -> Option<Result<Vec<u8>, Posix>> {
        let at = self.places.at(path).filter(|_| !self.wrote.contains(path))?;
        match read_regular(&at) {
            Ok(bytes) => Some(Ok(bytes)),
            // What was there may not be part of the project: a checkout need not have it.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                (!self.had.contains(path)).then_some(Err(Posix("enoent")))
            }
            Err(_) if at.is_dir() => Some(Err(Posix("eisdir"))),
            Err(_) => None,
        }
    }

    /// The files among these that have other contents now than the values that were read.
    pub(crate) fn changed<'a>(&self, read: impl Iterator<Item = (&'a str, bool, &'a [u8])>) -> Vec<String> {
        let mut changed = BTreeSet::new();
        for (path, was_there, contents) in read {
            let differs = match self.read(path) {
                Some(Ok(now)) => !was_there || now != contents,
                Some(Err(Posix("enoent"))) => was_there,
                _ => false,
            };
            if differs {
                changed.insert(path.to_owned());
            }
        }
        changed.into_iter().collect()
    }
}

impl Ground for Project {
    fn read(&self, path: &str) -> Option<Result<Vec<u8>, Posix>> {
        let mut all = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        // All runs read the same.
        all.entry(path.to_owned())
            .or_insert_with(|| self.read_now(path))
            .clone()
    }

    fn look(&self, request: FileRequest<'_>) -> Option<Result<FileAnswer, Posix>> {
        let (FileRequest::List(path) | FileRequest::Info { path, .. }) = request else {
            return None;
        };
        let at = self.places.at(path).filter(|_| !self.wrote.contains(path))?;
        let gone = || (!self.had.contains(path)).then_some(Err(Posix("enoent")));
        if let FileRequest::List(_) = request {
            let Ok(entries) = std::fs::read_dir(&at) else {
                return gone();
            };
            let mut names: Vec<String> = entries
                .filter_map(Result::ok)
                .filter_map(|entry| entry.file_name().into_string().ok())
                .collect();
            names.sort();
            return Some(Ok(FileAnswer::Names(names)));
        }
        match std::fs::metadata(&at) {
            Ok(about) => Some(Ok(FileAnswer::Info(info(&about)))),
            Err(_) => gone(),
        }
    }
}

fn info(about: &std::fs::Metadata) -> FileInfo {
    FileInfo {
        size: about.len(),
        kind: match () {
            () if about.is_file() => FileType::Regular,
            () if about.is_dir() => FileType::Directory,
            () => FileType::Other,
        },
        access: (true, !about.permissions().readonly()),
        times: [about.atime(), about.mtime(), about.ctime()],
        mode: about.mode(),
        numbers: [
            about.nlink(),
            0,
            about.ino(),
            u64::from(about.uid()),
            u64::from(about.gid()),
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        folder
    }

    fn places(folder: &Path) -> ProjectFolders {
        let then = [
            "application=tiny=/ci/work/tiny",
            "built=tiny=test=/ci/work/tiny/_build/test/lib/tiny",
        ];
        let now = [format!("application=tiny={}", folder.canonicalize().unwrap().display())];
        ProjectFolders::new(&then.map(str::to_owned), &now, folder)
    }

    #[test]
    fn a_recorded_path_leads_to_the_project_as_it_is_now() {
        let folder = folder(&[
            ("src/tiny.app.src", "now"),
            ("priv/list", "x"),
            ("_build/test/x", "old"),
        ]);
        let files = Project::new(places(folder.path()), FxHashSet::default(), FxHashSet::default());
        let read = |path: &str| files.read(path).map(|read| read.map_err(|Posix(name)| name));
        for path in [
            "/ci/work/tiny/src/tiny.app.src",
            "/ci/work/tiny/_build/test/lib/tiny/src/tiny.app.src",
            "src/tiny.app.src",
            "./priv/../src/tiny.app.src",
        ] {
            assert_eq!(read(path), Some(Ok(b"now".to_vec())), "{path}");
        }
        assert_eq!(read("/ci/work/tiny/src/other.app.src"), Some(Err("enoent")));
        assert_eq!(read("/ci/work/tiny/src"), Some(Err("eisdir")));
        assert_eq!(read("_build/test/x"), None);
        assert_eq!(read("/etc/hostname"), None);
        assert_eq!(read("../x"), None);
    }

    #[test]
    fn a_link_that_leads_out_of_the_project_is_not_followed() {
        let outside = folder(&[("secret", "s")]);
        let inside = folder(&[("src/a", "")]);
        std::os::unix::fs::symlink(outside.path(), inside.path().join("priv")).unwrap();
        let files = Project::new(places(inside.path()), FxHashSet::default(), FxHashSet::default());
        assert_eq!(files.read("priv/secret"), None);
        assert_eq!(files.read("/ci/work/tiny/priv/secret"), None);
    }

    #[test]
    fn what_the_run_made_itself_is_no_file_of_the_project() {
        let folder = folder(&[("data/out", "of an earlier run")]);
        let wrote = std::iter::once("data/out".to_owned()).collect();
        let had = std::iter::once("data/in".to_owned()).collect();
        let files = Project::new(places(folder.path()), wrote, had);
        assert_eq!(files.read("data/out"), None);
        // It was read when recorded and is not here: a checkout need not have it.
        assert_eq!(files.read("data/in"), None);
    }

    #[test]
    fn only_regular_files_of_some_size_are_read() {
        let folder = folder(&[("a", "x")]);
        assert_eq!(read_regular(&folder.path().join("a")).unwrap(), b"x");
        let refused = |path: &Path| read_regular(path).unwrap_err().to_string();
        assert_eq!(refused(folder.path()), "it is a folder");
        assert_eq!(refused(Path::new("/dev/null")), "it is no regular file");
        let large = folder.path().join("large");
        std::fs::File::create(&large).unwrap().set_len(LARGEST + 1).unwrap();
        assert_eq!(refused(&large), "it has more than 64 MB");
    }
}

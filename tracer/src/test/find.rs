//! Where tests are: files, folders, projects with `src`, `test` and `include`, and projects of rebar3 and mix.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};

use crate::elixir::is_elixir;
use crate::error::FindError;
use crate::project::{Application, Project, Settings, tidy};

/// How the tests of a module are run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// By EUnit.
    Unit,
    /// By Common Test.
    Suite,
    /// By `mix test`: all tests of a project in Elixir.
    Mix,
}

/// A module that has tests.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unit {
    /// Its name, which is that of its file.
    pub module: String,
    /// Its file.
    pub path: PathBuf,
    /// How its tests are run.
    pub kind: Kind,
    /// Its tests that are known before it runs, as `module:function`.
    pub tests: Vec<String>,
    /// Does it run although it, or a MODULE of which it is the MODULE_tests, has run it before? So does rebar3 with some.
    pub is_again: bool,
}

/// What was found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Found {
    /// The modules with tests, in order; before they have been looked at, all that may have some.
    pub units: Vec<Unit>,
    /// Modules that were looked at and have no tests.
    pub without: Vec<String>,
    /// Folders of sources.
    pub sources: Vec<PathBuf>,
    /// Folders of header files.
    pub includes: Vec<PathBuf>,
    /// The applications of projects with a configuration, and those that they need.
    pub applications: Vec<Application>,
    /// What the configuration says about tests.
    pub settings: Settings,
    /// What of the configuration is not done.
    pub notes: Vec<String>,
    /// For `mix test`: files, folders and places in them; none: all.
    pub words: Vec<String>,
    /// For `mix test`: options.
    pub options: Vec<String>,
    /// Do tests in Elixir run?
    pub is_mix: bool,
}

/// Finds the modules that may have tests, in files, folders and modules.
///
/// # Errors
/// One of them cannot be found or read, or there are no modules.
pub fn find(what: &[OsString]) -> Result<Found, FindError> {
    let mut found = Found::default();
    for word in what {
        let path = Path::new(word);
        if found.of_mix(word) {
            continue;
        }
        if path.is_dir() {
            found.folder(path)?;
        } else if path.extension() == Some(OsStr::new("erl")) || path.is_file() {
            found.file(path)?;
        } else {
            found.module(word)?;
        }
    }
    found.settle_mix();
    if found.units.is_empty() {
        let notes = found.notes;
        return Err(none(what, 0, notes));
    }
    Ok(found)
}

impl Found {
    /// What there is in the current folder and at these places of it, whether or not it has tests. Places that are gone are left out: the project around
    /// them is not.
    ///
    /// # Errors
    /// A configuration cannot be read.
    pub fn around(what: &[OsString]) -> Result<Self, FindError> {
        let mut found = Self::default();
        found.folder(Path::new("."))?;
        for word in what {
            let path = Path::new(word);
            if path.is_dir() {
                found.folder(path)?;
            } else if path.is_file() && is_source(path) {
                found.file(path)?;
            }
        }
        Ok(found)
    }
}

/// That there are no tests, with the number of modules that were looked at, and what was not done of a configuration.
pub fn none(what: &[OsString], looked: usize, notes: Vec<String>) -> FindError {
    let places = what.iter().map(PathBuf::from).collect();
    FindError::NoTests { places, looked, notes }
}

impl Found {
    fn file(&mut self, path: &Path) -> Result<(), FindError> {
        if is_elixir(path) {
            return Err(FindError::Elixir(path.to_owned()));
        }
        if path.extension() != Some(OsStr::new("erl")) {
            return Err(FindError::NotSource(path.to_owned()));
        }
        fs::File::open(path).map_err(|error| FindError::Unread {
            path: path.to_owned(),
            error,
        })?;
        let folder = match path.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        };
        if !self.configured(folder)? {
            self.project(&root_of(folder));
        }
        self.add_source(folder);
        self.add(path);
        Ok(())
    }

    fn module(&mut self, word: &OsStr) -> Result<(), FindError> {
        let here = Path::new(".");
        let mut place = Self::default();
        if !place.configured(here)? {
            place.project(here);
        }
        place.add_source(here);
        let file = Path::new(word).with_extension("erl");
        let paths: Vec<PathBuf> = place.sources.iter().map(|folder| tidy(folder.join(&file))).collect();
        match paths.iter().find(|path| path.is_file()) {
            Some(path) if Path::new(word).components().count() == 1 => self.file(path),
            _ => Err(FindError::NoModule {
                word: PathBuf::from(word),
                folders: place.sources,
            }),
        }
    }

    /// All modules of a folder that have tests.
    fn folder(&mut self, folder: &Path) -> Result<(), FindError> {
        if let Some(project) = Project::read(folder)? {
            let is_whole = Project::around(folder).is_none_or(|root| tidy(root) == tidy(folder.to_owned()));
            if is_whole {
                return self.whole(project);
            }
        }
        if self.configured(folder)? {
            let here = tidy(folder.to_owned());
            let application = self.applications.iter().find(|one| one.root == here);
            let inside = application.map_or_else(|| vec![here.clone()], |one| one.sources.clone());
            inside.iter().for_each(|folder| self.add_source(folder));
            return inside.iter().try_for_each(|folder| self.scan(folder));
        }
        let before = self.sources.len();
        self.project(folder);
        if self.sources.len() == before {
            self.project(&root_of(folder));
            self.add_source(folder);
            return self.scan(folder);
        }
        for folder in self.sources.split_off(before) {
            self.scan(&folder)?;
            self.add_source(&folder);
        }
        Ok(())
    }

    pub(super) fn scan(&mut self, folder: &Path) -> Result<(), FindError> {
        for path in entries(folder)? {
            if is_source(&path) {
                self.add(&path);
            }
        }
        Ok(())
    }

    /// The folders of a project, and of the applications in its `apps`.
    fn project(&mut self, root: &Path) {
        let apps = root.join("apps");
        let mut roots = vec![root.to_owned()];
        roots.extend(
            entries(&apps)
                .unwrap_or_default()
                .into_iter()
                .filter(|path| path.is_dir()),
        );
        for root in roots {
            let src = root.join("src");
            if src.is_dir() {
                self.below(&src, 0);
            }
            if root.join("test").is_dir() {
                self.add_source(&root.join("test"));
            }
            for folder in ["include", "src"] {
                let folder = tidy(root.join(folder));
                if folder.is_dir() && !self.includes.contains(&folder) {
                    self.includes.push(folder);
                }
            }
        }
    }

    /// A folder of sources and the folders in it, as rebar3 reads `src`.
    fn below(&mut self, folder: &Path, depth: usize) {
        /// Limit: a link to an outer folder does not lead around for ever.
        const DEEPEST: usize = 8;
        self.add_source(folder);
        if depth < DEEPEST {
            for path in entries(folder).unwrap_or_default() {
                if path.is_dir() {
                    self.below(&path, depth + 1);
                }
            }
        }
    }

    pub(super) fn add_source(&mut self, folder: &Path) {
        let folder = tidy(folder.to_owned());
        if !self.sources.contains(&folder) {
            self.sources.push(folder);
        }
    }

    pub(super) fn add(&mut self, path: &Path) {
        let unit = unit_of(path);
        if self.units.iter().all(|other| other.path != unit.path) {
            self.units.push(unit);
        }
    }

    /// A module that runs once more.
    pub(super) fn add_again(&mut self, path: &Path) {
        let is_again = true;
        self.units.push(Unit {
            is_again,
            ..unit_of(path)
        });
    }

    /// No module runs twice.
    pub fn run_once(&mut self) {
        self.units.retain(|unit| !unit.is_again);
    }
}

fn unit_of(path: &Path) -> Unit {
    let path = tidy(path.to_owned());
    Unit {
        module: path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
        kind: if is_suite(&path) { Kind::Suite } else { Kind::Unit },
        path,
        tests: Vec::new(),
        is_again: false,
    }
}

/// The project that a folder belongs to: the folder around `src` or `test`.
fn root_of(folder: &Path) -> PathBuf {
    let absolute = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    match absolute.file_name().and_then(OsStr::to_str) {
        Some("src" | "test") => match folder.components().count() {
            0 | 1 if folder == Path::new(".") => PathBuf::from(".."),
            1 => PathBuf::from("."),
            _ => folder.parent().unwrap_or(Path::new(".")).to_owned(),
        },
        _ => folder.to_owned(),
    }
}

/// The entries of a folder, sorted, so that runs are in the same order everywhere.
pub(super) fn entries(folder: &Path) -> Result<Vec<PathBuf>, FindError> {
    let all = fs::read_dir(folder).map_err(|error| FindError::UnreadFolder {
        path: folder.to_owned(),
        error,
    })?;
    let mut all: Vec<PathBuf> = all.flatten().map(|entry| entry.path()).collect();
    all.sort();
    Ok(all)
}

pub(super) fn is_source(path: &Path) -> bool {
    path.extension() == Some(OsStr::new("erl"))
}

pub(super) fn is_suite(path: &Path) -> bool {
    path.file_stem()
        .is_some_and(|stem| stem.to_string_lossy().ends_with("_SUITE"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn project(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        folder
    }

    fn modules(found: &Found) -> Vec<(&str, Kind)> {
        found
            .units
            .iter()
            .map(|unit| (unit.module.as_str(), unit.kind))
            .collect()
    }

    #[test]
    fn a_project_has_units_suites_and_headers() {
        let folder = project(&[
            ("src/a.erl", "a_test() -> ok."),
            ("src/deep/b.erl", "b() -> ok."),
            ("test/a_tests.erl", "more_test () -> ok."),
            ("test/b_tests.erl", "gen_test_() -> []."),
            ("test/c_SUITE.erl", "all() -> []."),
            ("test/helper.erl", "help(X) -> the_test(X)."),
            ("include/a.hrl", ""),
        ]);
        let found = find(&[folder.path().as_os_str().to_owned()]).unwrap();
        assert_eq!(
            modules(&found),
            [
                ("a", Kind::Unit),
                ("b", Kind::Unit),
                ("a_tests", Kind::Unit),
                ("b_tests", Kind::Unit),
                ("c_SUITE", Kind::Suite),
                ("helper", Kind::Unit)
            ]
        );
        assert!(found.sources.contains(&folder.path().join("src/deep")));
        assert!(found.includes.contains(&folder.path().join("include")));
        // One file of it: the others are still found when they are called.
        let one = find(&[folder.path().join("test/b_tests.erl").into_os_string()]).unwrap();
        assert_eq!(modules(&one), [("b_tests", Kind::Unit)]);
        assert!(one.sources.contains(&folder.path().join("src/deep")));
    }

    #[test]
    fn modules_without_tests_are_counted_and_companions_run_with_their_owner() {
        use super::super::looked::Look;
        let files = [
            "a.erl",
            "a_tests.erl",
            "b.erl",
            "b_tests.erl",
            "c.erl",
            "d.erl",
            "d_tests.erl",
        ];
        let folder = project(&files.map(|file| (file, "")));
        let looks = |all: &[&[&str]]| -> Vec<Look> {
            let tests = |tests: &&[&str]| Look::Tests(tests.iter().map(|test| (*test).to_owned()).collect());
            all.iter().map(tests).collect()
        };
        let mut found = find(&[folder.path().as_os_str().to_owned()]).unwrap();
        let mut seen = looks(&[
            &["a:x_test", "a_tests:y_test"],
            &["a_tests:y_test"],
            &[],
            &["b_tests:z_test_"],
            &[],
            &[],
            &["d_tests:w_test"],
        ]);
        // Without its owner, which does not compile, it has a run of its own.
        seen[5] = Look::DoesNotCompile;
        found.settle(seen);
        let names: Vec<&str> = found.units.iter().map(|unit| unit.module.as_str()).collect();
        assert_eq!(names, ["a", "b_tests", "d", "d_tests"]);
        assert_eq!(found.without, ["b", "c"]);
    }

    #[test]
    fn a_flat_folder_and_nothing() {
        let flat = project(&[("x.erl", "x_test() -> ok."), ("y.erl", "y() -> ok.")]);
        let found = find(&[flat.path().as_os_str().to_owned()]).unwrap();
        assert_eq!(modules(&found), [("x", Kind::Unit), ("y", Kind::Unit)]);
        let none = project(&[("y.txt", "y() -> ok.")]);
        let found = find(&[none.path().as_os_str().to_owned()]);
        assert!(matches!(found, Err(FindError::NoTests { looked: 0, .. })), "{found:?}");
        let found = find(&["no_such_module".into()]);
        assert!(matches!(found, Err(FindError::NoModule { .. })), "{found:?}");
    }
}

//! The folders of an application.

use std::path::{Path, PathBuf};

use log_format::CompileOption;

use crate::built::Built;

use super::{entries, folders, has_extension, tidy};

/// Limit: a link to an outer folder does not lead around for ever.
const DEEPEST: usize = 8;

/// An application: one of the project, or one that it needs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Application {
    /// Its name.
    pub name: String,
    /// Its folder.
    pub root: PathBuf,
    /// Folders of sources, the application's own before those of its tests.
    pub sources: Vec<PathBuf>,
    /// How many of them are the application's own.
    pub owned: usize,
    /// Those of the application's own that are so only in runs of tests.
    pub only_for_tests: Vec<PathBuf>,
    /// Those of them that are compiled beside `ebin`: folders of tests, as they are named.
    pub tests: Vec<String>,
    /// The folder that a build of rebar3 would make for it.
    pub built: Option<PathBuf>,
    /// Further folders of Common Test's suites.
    pub suites: Vec<PathBuf>,
    /// Folders of header files.
    pub includes: Vec<PathBuf>,
    /// How its modules are compiled.
    pub options: Vec<CompileOption>,
    /// Are its tests those of the project?
    pub is_own: bool,
    /// The options of `leex` and of `yecc`, as text.
    pub generators: [String; 2],
}

impl Application {
    /// The application in a folder. `source_folders` and `test_folders` are in it, with all folders inside them.
    pub fn new(root: &Path, source_folders: &[String], test_folders: &[(String, bool)], is_own: bool) -> Self {
        let mut sources = Vec::new();
        for folder in source_folders {
            below(&root.join(folder), 0, &mut sources);
        }
        let owned = sources.len();
        if is_own {
            for (folder, is_deep) in test_folders {
                let start = if *is_deep { 0 } else { DEEPEST };
                below(&root.join(folder), start, &mut sources);
            }
        }
        let mut includes: Vec<PathBuf> = Vec::new();
        let usual = ["include".to_owned(), "src".to_owned()];
        for folder in usual.iter().chain(source_folders).chain([&String::from(".")]) {
            let folder = tidy(root.join(folder));
            if folder.is_dir() && !includes.contains(&folder) {
                includes.push(folder);
            }
        }
        Self {
            name: name(root, &sources),
            root: tidy(root.to_owned()),
            sources,
            owned,
            only_for_tests: Vec::new(),
            tests: test_folders.iter().map(|(folder, _)| folder.clone()).collect(),
            built: None,
            suites: Vec::new(),
            includes,
            options: Vec::new(),
            is_own,
            generators: ["[]".to_owned(), "[]".to_owned()],
        }
    }

    /// The options of one of OTP's generators.
    pub fn generator_options(&self, generator: &str) -> &str {
        let [leex, yecc] = &self.generators;
        if generator == "leex" { leex } else { yecc }
    }

    /// Is there an application in this folder?
    pub fn is_in(root: &Path, source_folders: &[String]) -> bool {
        source_folders
            .iter()
            .chain([&"ebin".to_owned()])
            .any(|folder| description(&root.join(folder)).is_some())
    }

    /// Does it have a description, an `.app.src` or an `.app`?
    #[must_use]
    pub fn is_described(&self) -> bool {
        let ebin = self.root.join("ebin");
        self.sources
            .iter()
            .chain([&ebin])
            .any(|folder| description(folder).is_some())
    }

    /// Its folder, from the root of the file system.
    #[must_use]
    pub fn whole(&self) -> PathBuf {
        let absolute = std::path::absolute(&self.root).unwrap_or_else(|_| self.root.clone());
        absolute.canonicalize().unwrap_or(absolute)
    }

    /// The folders whose modules are the application's.
    pub fn own_sources(&self) -> &[PathBuf] {
        &self.sources[..self.owned]
    }

    /// Does it have this source file?
    #[must_use]
    pub fn has(&self, path: &Path) -> bool {
        let mut folders = self.sources.iter().chain(&self.suites);
        path.parent().is_some_and(|folder| folders.any(|own| own == folder))
    }
}

/// A folder of sources and the folders in it.
fn below(folder: &Path, depth: usize, into: &mut Vec<PathBuf>) {
    let folder = tidy(folder.to_owned());
    if !folder.is_dir() || into.contains(&folder) {
        return;
    }
    let inside = folders(&folder);
    into.push(folder);
    if depth < DEEPEST {
        for path in inside {
            // Files of a suite are data.
            let is_data = path.to_string_lossy().ends_with("_SUITE_data");
            if !is_data {
                below(&path, depth + 1, into);
            }
        }
    }
}

/// The description `NAME.app.src` or `NAME.app` in a folder.
fn description(folder: &Path) -> Option<PathBuf> {
    let is_it = |path: &PathBuf| has_extension(path, "app") || path.to_string_lossy().ends_with(".app.src");
    entries(folder).into_iter().find(is_it)
}

/// What the description is named after; else the folder's name.
fn name(root: &Path, sources: &[PathBuf]) -> String {
    let described = sources.iter().cloned().chain([root.join("ebin")]);
    let file = described.filter_map(|folder| description(&folder)).next();
    let file = file
        .as_deref()
        .and_then(Path::file_name)
        .map(|name| name.to_string_lossy().into_owned());
    match file.as_deref().and_then(|name| name.split('.').next()) {
        Some(name) => name.to_owned(),
        None => super::last(root).unwrap_or_default(),
    }
}

/// What the library's runners have to know of applications: where they are, where a build would put them, and which folders have their modules.
#[must_use]
pub fn words(all: &[Application]) -> Vec<String> {
    let mut words: Vec<String> = all
        .iter()
        .map(|one| format!("application={}={}", one.name, one.whole().display()))
        .collect();
    for one in all {
        if let Some(folder) = &one.built {
            let tests = one.tests.join(":");
            words.push(format!("built={}={tests}={}", one.name, folder.display()));
        }
        let sources: Vec<String> = one
            .own_sources()
            .iter()
            .map(|folder| folder.strip_prefix(&one.root).unwrap_or(folder).display().to_string())
            .collect();
        if !matches!(&sources[..], [only] if only == "src") {
            words.push(format!("sources={}={}", one.name, sources.join(":")));
        }
    }
    words
}

/// The folders that a build would make, and where what is in them really is.
#[must_use]
pub fn built(all: &[Application]) -> Built {
    Built::new(
        all.iter()
            .filter_map(|one| Some((one.built.clone()?, one.whole())))
            .collect(),
    )
}

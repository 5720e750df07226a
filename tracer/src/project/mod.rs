//! Projects of rebar3, mix and erlang.mk: their applications, those that they need, and what their configuration says about tests.
//!
//! Nothing is compiled or fetched, and no code of a configuration is run. What it asks for and is not done, is said ([`Project::notes`]).

mod application;
mod erl_opts;
mod libraries;
mod make;
mod mix;
mod rebar;
mod settings;
mod spec;
mod terms;

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use crate::error::ConfigError;

use syntax::Release;

pub use application::{Application, built, words};

/// Limit: folders above a file that may be a project's.
const HIGHEST: usize = 12;

/// A module, folder or application that the configuration names for tests.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Selection {
    /// A module.
    Module(String),
    /// All modules of an application.
    Application(String),
    /// All modules of a folder.
    Folder(PathBuf),
    /// A file.
    File(PathBuf),
}

/// What a test specification says of a suite.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Chosen {
    /// Its file.
    pub suite: PathBuf,
    /// A term for the library's runner: `all`, `{cases,…}`, `{groups,…}` or what is skipped.
    pub what: String,
}

/// What the configuration says about runs of tests.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Settings {
    /// The tests of `eunit_tests`; all, if there is none.
    pub eunit: Vec<Selection>,
    /// Folders of suites (`ct_opts`).
    pub suites: Vec<PathBuf>,
    /// Is every test shown?
    pub verbose: bool,
    /// Options for the runner: EUnit's options and files with environments of applications, as the library reads them.
    pub eunit_words: Vec<String>,
    /// The same for suites.
    pub suite_words: Vec<String>,
    /// Files with configuration variables of Common Test.
    pub configs: Vec<PathBuf>,
    /// Is there a test specification? Then no other suites run than those that it names.
    pub is_specified: bool,
    /// What it says.
    pub chosen: Vec<Chosen>,
    /// The release of OTP that it asks for at least (`minimum_otp_vsn`): the newest that is known, if it is a newer one.
    pub minimum_otp: Option<Release>,
    /// The name of the node that `dist_node` asks for.
    pub node: Option<String>,
}

impl Settings {
    /// Does a module run without its MODULE_tests?
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.eunit_words.iter().any(|word| word == "exact_execution=true")
    }
}

/// A project.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Project {
    /// Its folder.
    pub root: PathBuf,
    /// Its applications and those that it needs.
    pub applications: Vec<Application>,
    /// About runs of tests.
    pub settings: Settings,
    /// What is not done, to be told.
    pub notes: Vec<String>,
}

impl Project {
    /// The project in this folder, if it has a configuration.
    ///
    /// # Errors
    /// The configuration cannot be read.
    pub fn read(root: &Path) -> Result<Option<Self>, ConfigError> {
        if root.join(rebar::FILE).is_file() {
            rebar::read(root).map(Some)
        } else if root.join(mix::FILE).is_file() {
            mix::read(root).map(Some)
        } else if root.join(make::FILE).is_file() {
            make::read(root).map(Some)
        } else if has_checkouts(root) {
            rebar::read(root).map(Some)
        } else {
            Ok(None)
        }
    }

    /// The folder of the project that a folder belongs to: the nearest one above that has a configuration, or the umbrella around it.
    #[must_use]
    pub fn around(folder: &Path) -> Option<PathBuf> {
        let has = |folder: &Path| {
            [rebar::FILE, mix::FILE, make::FILE]
                .iter()
                .any(|file| folder.join(file).is_file())
                || has_checkouts(folder)
        };
        let mut up = above(folder);
        let nearest = up.by_ref().find(|folder| has(folder))?;
        // apps/NAME may have a configuration of its own.
        let is_part = |folder: &Path| matches!(last(folder).as_deref(), Some("apps" | "lib" | "_checkouts"));
        match (up.next(), up.next()) {
            (Some(parts), Some(whole)) if is_part(&parts) && has(&whole) => Some(whole),
            _ => Some(nearest),
        }
    }

    /// Its own applications.
    pub fn own(&self) -> impl Iterator<Item = &Application> {
        self.applications.iter().filter(|application| application.is_own)
    }
}

/// Is what it needs checked out beside it? Then it is a project without a configuration.
fn has_checkouts(folder: &Path) -> bool {
    folder.join("_checkouts").is_dir()
}

/// A folder and those around it, named as it is: relative, if it is.
fn above(folder: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    let absolute = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    let steps = absolute.components().count().min(HIGHEST);
    let mut at = Some(folder.to_owned());
    (0..steps).map_while(move |_| {
        let here = at.take()?;
        at = Some(match here.components().next_back() {
            None | Some(std::path::Component::CurDir) => PathBuf::from(".."),
            Some(std::path::Component::ParentDir) => here.join(".."),
            Some(_) if here.parent() == Some(Path::new("")) => PathBuf::from("."),
            Some(_) => here.parent()?.to_owned(),
        });
        Some(here)
    })
}

/// The name of a folder, however it is given.
fn last(folder: &Path) -> Option<String> {
    let absolute = folder.canonicalize().ok()?;
    Some(absolute.file_name()?.to_str()?.to_owned())
}

/// The entries of a folder, sorted, so that runs are in the same order everywhere; none if it cannot be read.
pub fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut all: Vec<PathBuf> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .collect();
    all.sort();
    all
}

/// The folders in a folder, sorted. Hidden ones are not a project's.
#[must_use]
pub fn folders(folder: &Path) -> Vec<PathBuf> {
    let is_hidden = |path: &Path| {
        path.file_name()
            .is_none_or(|name| name.to_string_lossy().starts_with('.'))
    };
    let mut all = entries(folder);
    all.retain(|path| !is_hidden(path) && path.is_dir());
    all
}

/// Without a leading `./`, so that messages show short paths.
#[must_use]
pub fn tidy(path: PathBuf) -> PathBuf {
    match path.strip_prefix(".") {
        Ok(rest) if rest != Path::new("") => rest.to_owned(),
        _ => path,
    }
}

/// Is it such a file?
fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension() == Some(OsStr::new(extension))
}

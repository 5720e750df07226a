//! Options that are passed on to `mix test`, and projects that are not in the current folder.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::Args;

use super::TestArgs;
use super::mix::{self, FILE};
use crate::elixir;
use crate::error::UsageError;
use crate::options::Compiling;

/// Options of `mix test`.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Options for projects of mix")]
pub struct Passed {
    /// Run only tests with this tag. Can be repeated, as the next two
    #[arg(long = "only", value_name = "TAG[:VALUE]")]
    pub tagged: Vec<String>,
    /// Run tests with this tag, too, although they are excluded
    #[arg(long, value_name = "TAG[:VALUE]")]
    pub include: Vec<String>,
    /// Do not run tests with this tag
    #[arg(long, value_name = "TAG[:VALUE]")]
    pub exclude: Vec<String>,
    /// Stop after N failures
    #[arg(long, value_name = "N", value_parser = system::whole_number(1..=u32::MAX))]
    pub max_failures: Option<u32>,
    /// Show each test when it runs; tests of modules that are async run one after the other, without time limit
    #[arg(long)]
    pub trace: bool,
    /// Run only test files that changed, or that use a module that changed
    #[arg(long)]
    pub stale: bool,
    /// Run only tests that failed when they last ran
    #[arg(long)]
    pub failed: bool,
    /// Show the N slowest tests
    #[arg(long, value_name = "N")]
    pub slowest: Option<u32>,
    /// Further words for mix test
    #[arg(last = true, value_name = "ARGS")]
    pub words: Vec<String>,
}

impl Passed {
    /// As `mix test` takes them.
    pub fn options(&self) -> Vec<String> {
        let mut all = Vec::new();
        let many = [
            ("--only", &self.tagged),
            ("--include", &self.include),
            ("--exclude", &self.exclude),
        ];
        for (option, values) in many {
            all.extend(values.iter().flat_map(|value| [option.to_owned(), value.clone()]));
        }
        for (option, number) in [("--max-failures", self.max_failures), ("--slowest", self.slowest)] {
            all.extend(number.into_iter().flat_map(|n| [option.to_owned(), n.to_string()]));
        }
        for (option, is_given) in [
            ("--trace", self.trace),
            ("--stale", self.stale),
            ("--failed", self.failed),
        ] {
            all.extend(is_given.then(|| option.to_owned()));
        }
        all.extend(self.words.iter().cloned());
        all
    }
}

/// A project of mix, and what is to be tested in it.
#[derive(PartialEq, Eq, Debug)]
pub struct Elsewhere {
    /// Its folder.
    pub root: PathBuf,
    /// Files, folders and places, as they are named in that folder.
    pub what: Vec<OsString>,
}

/// The project that these words are in, if that is not the current folder.
///
/// # Errors
/// They are in several.
pub fn elsewhere(what: &[OsString]) -> Result<Option<Elsewhere>, UsageError> {
    if elixir::all().is_empty() {
        return Ok(None);
    }
    let mut found: Option<Elsewhere> = None;
    let mut others = Vec::new();
    for word in what {
        let Some((root, inside)) = place(word) else {
            others.push(word);
            continue;
        };
        let elsewhere = found.get_or_insert_with(|| Elsewhere {
            root: root.clone(),
            what: Vec::new(),
        });
        if elsewhere.root != root {
            return Err(UsageError::SeveralProjects(elsewhere.root.clone(), root));
        }
        elsewhere.what.push(inside);
    }
    match (&found, &others[..]) {
        (Some(elsewhere), [other, ..]) => Err(UsageError::SeveralProjects(
            elsewhere.root.clone(),
            PathBuf::from(other),
        )),
        _ => Ok(found),
    }
}

/// The folder of the project of a word about tests in Elixir, and the word as it is named there; `None` if that is the current folder.
fn place(word: &OsString) -> Option<(PathBuf, OsString)> {
    let text = word.to_string_lossy();
    let path = mix::without_lines(&text);
    let lines = text.strip_prefix(path).unwrap_or_default().to_owned();
    let is_project = |folder: &Path| folder.join(FILE).is_file();
    let path = Path::new(path).canonicalize().ok()?;
    let here = std::env::current_dir().ok()?.canonicalize().ok()?;
    let is_script = path.is_file() && path.extension().is_some_and(|kind| kind == "exs");
    let root = match is_project(&path) {
        true => path.clone(),
        false if is_script || mix::has_scripts(&path, 0) => {
            path.ancestors().find(|folder| is_project(folder))?.to_owned()
        }
        false => return None,
    };
    let is_inside = path != root && path.file_name().is_some_and(|name| name != FILE);
    let is_of_umbrella = root.parent() == Some(&here.join("apps"));
    if root == here || is_project(&here) && root.starts_with(&here) && (is_inside || is_of_umbrella) {
        return None;
    }
    let inside = path.strip_prefix(&root).unwrap_or(&path);
    let inside = match inside.as_os_str().is_empty() || inside == Path::new(FILE) {
        true => OsString::from("."),
        false => OsString::from(format!("{}{lines}", inside.display())),
    };
    Some((root, inside))
}

/// Paths of the command line stay what they are when the current folder becomes another one.
pub fn held(paths: &mut dyn Iterator<Item = &mut PathBuf>) {
    for path in paths {
        if let Ok(absolute) = std::path::absolute(&*path) {
            *path = absolute;
        }
    }
}

/// The paths of how a program is compiled.
pub fn paths(compiling: &mut Compiling) -> impl Iterator<Item = &mut PathBuf> {
    let stubs = compiling.stubs.iter_mut().map(|stub| &mut stub.path);
    compiling.includes.iter_mut().chain(&mut compiling.objects).chain(stubs)
}

impl TestArgs {
    /// The same in another folder.
    pub(super) fn moved(&self, what: Vec<OsString>) -> Self {
        let mut args = self.clone();
        args.what = what;
        let files = args.output.iter_mut().chain(&mut args.junit).chain(&mut args.configs);
        held(
            &mut files
                .chain(std::iter::once(&mut args.traces))
                .chain(paths(&mut args.compiling)),
        );
        args
    }
}

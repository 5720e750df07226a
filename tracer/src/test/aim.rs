//! The tests that a hunt aims at: those that `tracer test -k TEXT` runs. A run of a hunt is a run of one module, so they have to be in one.

use std::ffi::OsString;
use std::path::PathBuf;

use log_format::safe_path;
use tempfile::TempDir;

use super::find::{self, Found, Kind, Unit};
use super::load::{Loading, Style};
use super::{looked, meant, mix, words};
use crate::execute::Loaded;
use crate::exit::Exit;
use crate::options::Compiling;
use crate::report::{say, tell};
use crate::signals::Signals;

/// Modules that an error names.
const NAMED: usize = 8;

/// What was asked for.
#[derive(Clone, Copy)]
pub struct Wanted<'a> {
    /// Files, folders and modules; this folder if there are none.
    pub what: &'a [OsString],
    /// Parts of names; at least one.
    pub only: &'a [String],
    /// How modules are compiled.
    pub compiling: &'a Compiling,
    /// Signals.
    pub signals: &'a Signals,
    /// Is nothing said but errors?
    pub quiet: bool,
    /// Has the node been named on the command line?
    pub has_name: bool,
}

/// The tests, ready to run.
pub struct Aim {
    /// The program of each run.
    pub loaded: Loaded,
    /// The file of their module: what `tracer test` is to be given.
    pub path: PathBuf,
    /// The folder that a suite may write to.
    pub private: Option<TempDir>,
    /// The name of their node, if they make it alive or the project's settings name it.
    pub node: Option<String>,
    /// The names of all tests that are known before they run.
    pub known: Vec<String>,
}

/// Nothing to aim at: why, and with what the tool ends.
pub struct Miss(pub Exit, pub String);

impl Aim {
    /// Finds the tests and compiles their module.
    ///
    /// # Errors
    /// No test, or those of several modules, have such a name; a file cannot be read; the module does not compile.
    pub fn at(wanted: Wanted<'_>) -> Result<Self, Miss> {
        let here = [OsString::from(".")];
        let what = if wanted.what.is_empty() { &here } else { wanted.what };
        let no_input = |text| Miss(Exit::NoInput, text);
        let mut found = find::find(what).map_err(no_input)?;
        if !wanted.quiet {
            found.notes.iter().for_each(|note| tell(note));
        }
        found.run_once();
        if found.is_mix {
            mix::compile(wanted.compiling, wanted.signals)
                .map_err(|exit| Miss(exit, "it does not compile".to_owned()))?;
        }
        let looks = looked::at(&wanted.loading(&found), &wanted.signals.interrupted);
        found.settle(looks);
        if found.units.is_empty() {
            return Err(no_input(find::none(what, found.without.len())));
        }
        let all = found.units.clone();
        found.narrow(wanted.only);
        let unit = wanted.one(&found, &all)?;
        let known = meant::known(&wanted.loading(&found), &all);
        // As the command that repeats a run finds it.
        let mut alone = find::find(&[unit.path.clone().into_os_string()]).map_err(no_input)?;
        alone.units = vec![unit.clone()];
        alone.words = found.words;
        let private = match unit.kind {
            Kind::Unit | Kind::Mix => Ok(None),
            Kind::Suite => tempfile::Builder::new().prefix("tracer-").tempdir().map(Some),
        };
        let private = private.map_err(|error| {
            no_input(format!(
                "cannot make a folder for the files of {}: {error}",
                unit.module
            ))
        })?;
        let folder = private.as_ref().map(TempDir::path);
        let named = alone.settings.node.clone();
        let named = named.or_else(|| super::alive::name(&unit.path, &alone.sources));
        let node = named
            .filter(|_| !wanted.has_name)
            .map(|name| super::alive::whole(&name));
        let loaded = wanted
            .loading(&alone)
            .load(&unit, folder, node.is_some())
            .map_err(|diagnostics| {
                say(&diagnostics);
                Miss(Exit::Program, format!("{} does not compile", unit.module))
            })?;
        Ok(Self {
            loaded,
            node,
            known,
            path: unit.path,
            private,
        })
    }
}

impl<'a> Wanted<'a> {
    /// As a run of `tracer test` without further options.
    fn loading(&self, found: &'a Found) -> Loading<'a> {
        Loading {
            compiling: self.compiling,
            only: self.only,
            configs: &[],
            found,
            counts: None,
            style: if found.settings.verbose {
                Style::Verbose
            } else {
                Style::Plain
            },
        }
    }

    /// The module that has the tests. `all`: also those that the words cannot mean.
    fn one(&self, found: &Found, all: &[Unit]) -> Result<Unit, Miss> {
        let mut fitting = Vec::new();
        for unit in &found.units {
            // Its tests are not known before they run.
            if unit.kind == Kind::Mix && !self.only.is_empty() {
                fitting.push(unit);
                continue;
            }
            let cases = match unit.kind {
                Kind::Unit | Kind::Mix => Ok(unit.tests.clone()),
                Kind::Suite => looked::cases(&self.loading(found), unit),
            };
            // What does not compile has no names; that is said if it is the only module.
            if cases.unwrap_or_default().iter().any(|test| self.names(test)) {
                fitting.push(unit);
            }
        }
        if fitting.is_empty() {
            // A test that one of its generators makes, perhaps.
            fitting = found
                .units
                .iter()
                .filter(|unit| words::is_of(self.only, unit))
                .collect();
        }
        let texts: Vec<String> = self
            .only
            .iter()
            .map(|text| format!("`{}`", text.escape_debug()))
            .collect();
        let texts = texts.join(" or ");
        match (&fitting[..], &found.units[..]) {
            // Perhaps a description has the text.
            ([unit], _) => Ok((*unit).clone()),
            ([], [unit]) => Ok(unit.clone()),
            ([], _) => Err(Miss(
                Exit::NoInput,
                format!(
                    "{}; if the description of a test has it, name its module, too: tracer hunt -k TEXT MODULE",
                    words::nothing(self.only, meant::known(&self.loading(found), all))
                ),
            )),
            (several, _) => {
                let mut all: Vec<String> = several.iter().take(NAMED).map(|unit| safe_path(&unit.path)).collect();
                if several.len() > NAMED {
                    all.push(format!("{} more", several.len() - NAMED));
                }
                Err(Miss(
                    Exit::Usage,
                    format!(
                        "tests of several modules have {texts} in their names ({}); a hunt makes runs of one: name the module, too, as in -k {}:TEXT",
                        all.join(", "),
                        several[0].module
                    ),
                ))
            }
        }
    }

    /// Is a test, `module:function`, asked for?
    fn names(&self, test: &str) -> bool {
        words::for_runner(self.only).iter().any(|word| words::names(word, test))
    }
}

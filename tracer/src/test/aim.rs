//! The tests that a hunt aims at: those that `tracer test -k TEXT` runs. A run of a hunt is a run of one module, so they have to be in one.

use std::ffi::OsString;
use std::path::PathBuf;

use tempfile::TempDir;

use super::find::{self, Found, Kind, Unit};
use super::load::{Loading, Style};
use super::{looked, meant, mix, words};
use crate::error::{Error, InputError, MixError, ProgramError, UsageError};
use crate::execute::Loaded;
use crate::options::Compiling;
use crate::report::tell;
use crate::signals::Signals;

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
    /// The file of their module, or of mix what was named: what `tracer test` is to be given.
    pub what: Vec<PathBuf>,
    /// The folder that a suite may write to.
    pub private: Option<TempDir>,
    /// The name of their node, if they make it alive or the project's settings name it.
    pub node: Option<String>,
    /// The names of all tests that are known before they run.
    pub known: Vec<String>,
}

impl Aim {
    /// Finds the tests and compiles their module.
    ///
    /// # Errors
    /// No test, or those of several modules, have such a name; a file cannot be read; the module does not compile.
    pub fn at(wanted: Wanted<'_>) -> Result<Self, Error> {
        let here = [OsString::from(".")];
        let what = if wanted.what.is_empty() { &here } else { wanted.what };
        let mut found = find::find(what)?;
        if !wanted.quiet {
            found.notes.iter().for_each(|note| tell(note));
        }
        found.run_once();
        if found.is_mix {
            mix::compile(wanted.compiling, wanted.signals).map_err(|error| match error {
                MixError::Refused => ProgramError::Project.into(),
                other => Error::from(other),
            })?;
        }
        let looks = looked::at(&wanted.loading(&found), &wanted.signals.interrupted);
        found.settle(looks);
        if found.units.is_empty() {
            return Err(find::none(what, found.without.len(), Vec::new()).into());
        }
        let all = found.units.clone();
        found.narrow(wanted.only);
        let unit = wanted.one(&found, &all)?;
        let known = meant::known(&wanted.loading(&found), &all);
        // As the command that repeats a run finds it.
        let mut alone = find::find(&[unit.path.clone().into_os_string()])?;
        alone.units = vec![unit.clone()];
        alone.words.clone_from(&found.words);
        let private = match unit.kind {
            Kind::Unit | Kind::Mix => Ok(None),
            Kind::Suite => tempfile::Builder::new().prefix("tracer-").tempdir().map(Some),
        };
        let private = private.map_err(|error| InputError::SuiteFolder {
            module: unit.module.clone(),
            error,
        })?;
        let folder = private.as_ref().map(TempDir::path);
        let named = alone.settings.node.clone();
        let named = named.or_else(|| super::alive::of(&unit, &alone, wanted.only));
        let node = named
            .filter(|_| !wanted.has_name)
            .map(|name| super::alive::whole(&name));
        let loaded = wanted
            .loading(&alone)
            .load(&unit, folder, node.is_some())
            .map_err(|error| ProgramError::Tests {
                error,
                module: unit.module.clone(),
            })?;
        Ok(Self {
            loaded,
            node,
            known,
            what: match (unit.kind, found.words.as_slice()) {
                (Kind::Mix, words @ [_, ..]) => words.iter().map(PathBuf::from).collect(),
                _ => vec![unit.path],
            },
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
    fn one(&self, found: &Found, all: &[Unit]) -> Result<Unit, Error> {
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
        match (&fitting[..], &found.units[..]) {
            // Perhaps a description has the text.
            ([unit], _) => Ok((*unit).clone()),
            ([], [unit]) => Ok(unit.clone()),
            ([], _) => Err(InputError::NoNamedTest {
                only: self.only.to_vec(),
                known: meant::known(&self.loading(found), all),
                names_module: true,
            }
            .into()),
            (several, _) => Err(UsageError::SeveralModules {
                only: self.only.to_vec(),
                files: several.iter().map(|unit| unit.path.clone()).collect(),
                module: several[0].module.clone(),
            }
            .into()),
        }
    }

    /// Is a test, `module:function`, asked for?
    fn names(&self, test: &str) -> bool {
        words::for_runner(self.only).iter().any(|word| words::names(word, test))
    }
}

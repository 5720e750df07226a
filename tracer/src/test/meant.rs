//! Which words of `-k` have meant a test, when the tests have run.

use std::collections::BTreeSet;

use super::case::ModuleRun;
use super::find::{Kind, Unit};
use super::load::Loading;
use super::looked;
use super::one::Runner;
use super::words::missed;
use crate::error::InputError;
use crate::exit::Exit;

/// The names of all tests that are known before they run.
pub fn known(loading: &Loading<'_>, units: &[Unit]) -> Vec<String> {
    let of = |unit: &Unit| match unit.kind {
        Kind::Suite => looked::cases(loading, unit).unwrap_or_default(),
        Kind::Unit | Kind::Mix => unit.tests.clone(),
    };
    units.iter().flat_map(of).collect()
}

/// What runs have shown of the names of tests.
#[derive(Default)]
pub struct Reached {
    /// Tests that ran, words that are in descriptions.
    names: BTreeSet<String>,
    meant: BTreeSet<String>,
    /// Tests that were left out.
    others: BTreeSet<String>,
    /// A run did not come to all its tests.
    is_short: bool,
}

impl Reached {
    /// Takes in a run.
    pub fn note(&mut self, run: &ModuleRun) {
        self.names.extend(run.cases.iter().map(|case| case.name.clone()));
        self.meant.extend(run.meant.iter().cloned());
        self.others.extend(run.others.iter().cloned());
        self.is_short |= run.does_not_compile || run.cases.iter().any(|case| case.is_of_the_run);
    }

    /// What is said of tests that were not found: none at all, or none for one of the words. `all`: also those modules that no word can mean.
    pub fn unmeant(&self, runner: &Runner<'_>, all: &[Unit]) -> Option<Unmeant> {
        let only = &runner.args.only;
        if self.is_short {
            return None;
        }
        if only.is_empty() && self.names.is_empty() {
            let error = InputError::NoTestRan;
            return Some(Unmeant { error, is_all: true });
        }
        let missed = missed(only, |form| {
            self.meant.contains(form) || self.names.iter().any(|name| name.contains(form))
        });
        if missed.is_empty() {
            return None;
        }
        let known = known(&runner.loading(), all).into_iter();
        Some(Unmeant {
            is_all: missed.len() == only.len(),
            error: InputError::NoNamedTest {
                only: missed,
                known: known.chain(self.others.iter().cloned()).collect(),
                names_module: false,
            },
        })
    }
}

/// Words that meant no test.
pub struct Unmeant {
    /// What is said of them.
    pub error: InputError,
    /// All of them: nothing that was asked for has run. A setup that failed is one of tests with other names.
    pub is_all: bool,
}

impl Unmeant {
    /// The exit code: that of the runs, unless they all passed or nothing was run that was asked for.
    pub fn exit(&self, of_runs: Exit) -> Exit {
        match of_runs {
            Exit::Success => Exit::NoInput,
            Exit::TestsFailed if self.is_all => Exit::NoInput,
            other => other,
        }
    }
}

//! Which modules have tests. Each is compiled as for a run, and its exports are looked at: names can be quoted, come from a macro or a header, or be
//! made by a parse transform, so its text says nothing.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use interpreter::atom::Atom;
use interpreter::native::CodeInfo;
use interpreter::vm::Program;
use system::loader::Loader;

use super::find::{Found, Kind, Unit};
use super::load::Loading;
use crate::error::CompileError;

/// What was seen of a module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Look {
    /// Its tests, and those of its MODULE_tests, as `module:function`.
    Tests(Vec<String>),
    /// It does not compile. Whether it has tests is not known, so its run says so.
    DoesNotCompile,
    /// It needs this transform, which is not there, and no test is seen in its text.
    NotRead(String),
}

/// Looks at all modules, several at once.
pub fn at(loading: &Loading<'_>, interrupted: &AtomicBool) -> Vec<Look> {
    let units = &loading.found.units;
    let looks = Mutex::new(vec![Look::DoesNotCompile; units.len()]);
    let next = AtomicUsize::new(0);
    let work = || {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(unit) = units.get(at) else { return };
            if interrupted.load(Ordering::Relaxed) {
                return;
            }
            let look = one(loading, unit);
            looks.lock().unwrap_or_else(PoisonError::into_inner)[at] = look;
        }
    };
    let jobs = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 1..jobs.min(units.len()) {
            scope.spawn(work);
        }
        work();
    });
    looks.into_inner().unwrap_or_else(PoisonError::into_inner)
}

fn one(loading: &Loading<'_>, unit: &Unit) -> Look {
    // What a suite runs is said by its all/0.
    if unit.kind != Kind::Unit {
        return Look::Tests(Vec::new());
    }
    let mut compiled = match loading.compile(unit) {
        Ok(compiled) => compiled,
        Err(error) => return unread(&error.to_string(), unit).map_or(Look::DoesNotCompile, Look::NotRead),
    };
    let mut tests = own(&compiled.program, compiled.module);
    if !unit.module.ends_with("_tests") && !loading.found.settings.is_exact() {
        let companion = Atom::new(&format!("{}_tests", compiled.module));
        // One that does not compile is told when it is run.
        if compiled.loader.load(companion, &mut compiled.program) == Ok(true) {
            tests.extend(own(&compiled.program, companion));
        }
    }
    Look::Tests(tests)
}

/// The transform for want of which a module does not compile that shows no tests: generators of properties and the like.
fn unread(diagnostics: &str, unit: &Unit) -> Option<String> {
    let (_, rest) = diagnostics.split_once("undefined parse transform '")?;
    let (name, _) = rest.split_once('\'')?;
    let bytes = std::fs::read(&unit.path).ok()?;
    let shows_tests = ["_test(", "_test_(", "_test'(", "_test_'("].map(str::as_bytes);
    let shows = |wanted: &&[u8]| bytes.windows(wanted.len()).any(|part| part == *wanted);
    (!shows_tests.iter().any(shows)).then(|| name.to_owned())
}

/// The tests of a loaded module, as EUnit finds them.
fn own(program: &Program, module: Atom) -> Vec<String> {
    let exports = program.exports(module).unwrap_or_default();
    let is_test = |(function, arity): &(Atom, u8)| {
        let name = function.as_str();
        *arity == 0 && (name.ends_with("_test") || name.ends_with("_test_"))
    };
    let tests = exports.into_iter().filter(is_test);
    tests.map(|(function, _)| format!("{module}:{function}")).collect()
}

/// The test cases that a suite may have, as `suite:case`.
///
/// # Errors
/// It does not compile: the diagnostics, rendered.
pub fn cases(loading: &Loading<'_>, suite: &Unit) -> Result<Vec<String>, CompileError> {
    let compiled = loading.compile(suite)?;
    let exports = compiled.program.exports(compiled.module).unwrap_or_default();
    let is_case = |(name, arity): &(Atom, u8)| {
        let of_suite = ["init_per_", "end_per_", "module_info"];
        *arity == 1 && !of_suite.iter().any(|start| name.as_str().starts_with(start)) && name.as_str() != "group"
    };
    let cases = exports.into_iter().filter(is_case);
    Ok(cases.map(|(case, _)| format!("{}:{case}", compiled.module)).collect())
}

impl Found {
    /// Takes in what was seen: modules without tests are left out and counted, and a MODULE_tests that runs with its MODULE has no run of its own.
    pub fn settle(&mut self, looks: Vec<Look>) {
        let mut kept: Vec<Unit> = Vec::new();
        for (mut unit, look) in std::mem::take(&mut self.units).into_iter().zip(looks) {
            let has_tests = match look {
                Look::Tests(tests) => {
                    unit.tests = tests;
                    unit.kind != Kind::Unit || !unit.tests.is_empty()
                }
                Look::DoesNotCompile => true,
                Look::NotRead(transform) => {
                    let module = &unit.module;
                    self.notes.push(format!(
                        "{module} is not read: it needs the parse transform {transform}, which is not there; no tests are seen in its text"
                    ));
                    false
                }
            };
            if has_tests {
                kept.push(unit);
            } else if !unit.is_again {
                self.without.push(unit.module);
            }
        }
        let runs_with = |unit: &Unit| {
            let owner = unit.module.strip_suffix("_tests");
            let of = |other: &&Unit| other.kind == Kind::Unit && Some(other.module.as_str()) == owner;
            let owner = kept.iter().find(of);
            let prefix = format!("{}:", unit.module);
            // The owner brings its tests along only if it was seen to.
            let brings = |owner: &Unit| owner.tests.iter().any(|test| test.starts_with(&prefix));
            unit.kind == Kind::Unit && !unit.is_again && owner.is_some_and(brings)
        };
        self.units = kept.iter().filter(|unit| !runs_with(unit)).cloned().collect();
        let again = self.units.iter().filter(|unit| unit.is_again).count();
        if again > 0 {
            let modules = crate::report::plural(again, "module runs", "modules run");
            self.notes.push(format!(
                "{modules} twice, as under rebar3: as part of the application, and as tests"
            ));
        }
        // A module whose only tests are those of its MODULE_tests: it is that module that has them.
        let ran: Vec<&str> = self.units.iter().map(|unit| unit.module.as_str()).collect();
        self.without.retain(|module| !ran.contains(&module.as_str()));
    }
}

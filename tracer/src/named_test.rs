//! A test as the entry of a run: what is printed as its name names it, as for `-k`. To call a generator, or a test case of a suite, would run no test.

use std::path::Path;
use std::sync::Arc;

use interpreter::atom::Atom;
use interpreter::native::CodeInfo;
use interpreter::vm::Program;
use system::loader::{Loader, SourceLoader};

use crate::error::{Error, InputError};
use crate::test;

/// How the test is run that an entry names.
enum Runner {
    /// All tests of this generator.
    Generator(Atom),
    /// Those of the module with this name.
    Unit,
    /// Test cases and groups of the suite with this name.
    Suite,
}

/// Which test an entry names: `name` is all that follows the module. `None`: it is a function to call.
fn runner(program: &Program, module: Atom, name: &str) -> Option<Runner> {
    let is_exported = |name: &str, arity| program.is_exported(module, Atom::new(name), arity);
    let whole = name.strip_suffix("/0").unwrap_or(name);
    if whole.ends_with("_test_") && is_exported(whole, 0) {
        return Some(Runner::Generator(Atom::new(whole)));
    }
    if is_exported(whole, 0) {
        return None;
    }
    let is_generator = |(function, arity): &(Atom, u8)| *arity == 0 && function.as_str().ends_with("_test_");
    if module.as_str().ends_with("_SUITE") && is_exported("all", 0) {
        return Some(Runner::Suite);
    }
    let called = whole.split_once('/').map_or(whole, |(function, _)| function);
    let has_generators = program.exports(module).unwrap_or_default().iter().any(is_generator);
    (has_generators && !is_exported(called, 1)).then_some(Runner::Unit)
}

/// The program that runs the test that an entry names; `None`: the entry is a function to call. `file`: that of the module.
///
/// # Errors
/// The library's runner, or a folder for a suite, cannot be had.
pub fn load(
    program: &mut Program,
    loader: &mut SourceLoader,
    (module, name): (Atom, &str),
    file: &Path,
) -> Result<Option<Entry>, Error> {
    let Some(runner) = runner(program, module, name) else {
        return Ok(None);
    };
    let of_library = Atom::new("retell_test");
    loader.load(of_library, program).map_err(Error::Library)?;
    let words = test::for_runner(&[format!("{module}:{name}")]);
    let mut arguments = vec![module.as_str().to_owned()];
    let mut private = None;
    let by_name = !matches!(runner, Runner::Generator(_));
    let function = match runner {
        Runner::Generator(generator) => {
            arguments.push(generator.as_str().to_owned());
            "generator"
        }
        Runner::Unit => {
            arguments.extend(["plain", "alone", "1", "must=yes"].map(str::to_owned));
            arguments.extend(words);
            "eunit"
        }
        Runner::Suite => {
            let folder = tempfile::Builder::new().prefix("tracer-").tempdir();
            let folder = folder.map_err(|error| InputError::SuiteFolder {
                module: module.as_str().to_owned(),
                error,
            })?;
            arguments.extend(["plain", "alone", "1", "must=yes"].map(str::to_owned));
            arguments.extend(test::folders(file, module.as_str(), folder.path()));
            // A group has a name without the suite.
            arguments.push(name.to_owned());
            arguments.extend(words);
            private = Some(Arc::new(folder));
            "suite"
        }
    };
    Ok(Some(Entry {
        function: (of_library, Atom::new(function)),
        arguments,
        by_name,
        private,
    }))
}

/// The entry that runs a test.
pub struct Entry {
    /// The function.
    pub function: (Atom, Atom),
    /// Its arguments.
    pub arguments: Vec<String>,
    /// A name that no test has is a mistake. (A generator that makes no tests fails by itself.)
    pub by_name: bool,
    /// The folder that a suite may write to.
    pub private: Option<Arc<tempfile::TempDir>>,
}

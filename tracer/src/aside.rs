//! Functions of the library that run aside, unrecorded and unseen: what a project needs before its tests run. No code of the project is run
//! elsewhere than in the interpreter.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};

use interpreter::atom::Atom;
use syntax::Language;
use system::loader::{Loader as _, SourceLoader};

use crate::error::GeneratorError;
use crate::execute::{self, Loaded, Rest};
use crate::files::Disk;
use crate::installed::Installed;
use crate::options::Running;
use crate::outside::Real;
use crate::report::Reporter;
use crate::test::Told;

/// Limit, in nanoseconds: a script that does not end is given up.
const LONGEST: u64 = 120_000_000_000;

/// The terms of a configuration after its script, as text.
///
/// # Errors
/// The script fails or does not end.
pub fn script(root: &Path, config: &Path, script: &Path) -> Result<String, GeneratorError> {
    run("script", [root, config, script].map(absolute).to_vec())
}

/// The module that OTP's `leex` or `yecc` makes of a file. `options`: a list of options, as text.
///
/// # Errors
/// There is no OTP with sources, or the file has errors.
pub fn generated(generator: &str, source: &Path, options: &str) -> Result<String, GeneratorError> {
    let folder = tempfile::Builder::new()
        .prefix("tracer-")
        .tempdir()
        .map_err(GeneratorError::Folder)?;
    let shown = source.with_extension("erl");
    let target = folder.path().join(shown.file_name().unwrap_or_default());
    let words = [
        generator.to_owned(),
        source.display().to_string(),
        target.display().to_string(),
        options.to_owned(),
    ];
    let text = run("generator", words.to_vec())?;
    // The text names its file, which is not there any more.
    Ok(text.replace(&target.display().to_string(), &shown.display().to_string()))
}

fn absolute(path: &Path) -> String {
    let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    whole.display().to_string()
}

/// Runs a function of `retell_made`, which tells one answer.
fn run(function: &str, arguments: Vec<String>) -> Result<String, GeneratorError> {
    let module = Atom::new("retell_made");
    let installed = Installed::from_environment();
    let disk = Disk {
        language: Language::of(installed.release()),
        source_folders: Vec::<PathBuf>::new(),
        include_folders: Vec::new(),
        object_folders: Vec::new(),
        installed,
        options: Vec::new(),
        applications: Vec::new(),
        stubs: Vec::new(),
    };
    let language = disk.language;
    let mut loader = SourceLoader::new(Box::new(disk)).of(language);
    let mut program = system::natives::program(loader.release());
    loader.load(module, &mut program).map_err(GeneratorError::Library)?;
    let mut loaded = Loaded::new(program, loader, (module, Atom::new(function)), arguments);
    let told: Arc<Mutex<Told>> = Arc::default();
    let mut outside = Box::new(Real::new(Arc::new(AtomicBool::new(false)), None, None));
    outside.hears(Arc::clone(&told));
    outside.prints_nothing();
    let rest = Rest {
        arguments: Vec::new(),
        exit_with_entry: true,
    };
    drop(execute::run(
        &Running::aside(LONGEST),
        &mut loaded,
        rest,
        outside,
        Reporter::new(true),
    ));
    let made = told.lock().unwrap_or_else(PoisonError::into_inner).made();
    match made {
        Some((true, text)) => Ok(text),
        Some((false, text)) => Err(GeneratorError::Said(text)),
        None => Err(GeneratorError::NoAnswer),
    }
}

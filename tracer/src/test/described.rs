//! The project in the current folder as it is now, for `replay check`: what `tracer test` knows of it, and the sources of its modules. None of them has
//! to compile: who calls one that does not says so.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

use clap::Parser as _;
use interpreter::atom::Atom;
use system::loader::SourceLoader;

use super::find::{Found, Kind, entries};
use super::load::{Loading, Style};
use crate::cli::{Cli, Command};
use crate::error::FindError;
use crate::execute::Loaded;
use crate::named::{self, Named};
use crate::options::{Compiling, with_paths};
use crate::project;
use crate::report::tell;
use crate::script;

/// What is to be described.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Described {
    /// A project, as for its EUnit tests
    Unit,
    /// A project, as for its Common Test suites
    Suite,
    /// The files that are named, and what is beside them
    Files,
}

/// What is asked for.
pub struct Asked<'a> {
    /// What is to be described.
    pub what: Described,
    /// The recorded command line.
    pub recorded: &'a [String],
    /// How modules are compiled, beyond what was recorded.
    pub compiling: &'a Compiling,
    /// The files of [`Described::Files`].
    pub files: &'a [PathBuf],
    /// Other modules.
    pub modules: &'a [String],
}

/// The program with all that was asked for, and what the library's runners have to know of the project.
///
/// # Errors
/// The configuration of the project cannot be read.
pub fn read(asked: &Asked<'_>) -> Result<(Loaded, Vec<String>), FindError> {
    let (what, compiling) = recorded(asked.recorded);
    let compiling = with(compiling, asked.compiling);
    let (mut loader, names, words) = match asked.what {
        Described::Files => (beside(asked.files, &compiling), BTreeSet::new(), Vec::new()),
        Described::Unit => project(&what, &compiling, Kind::Unit)?,
        Described::Suite => project(&what, &compiling, Kind::Suite)?,
    };
    let program = system::natives::program(loader.release());
    for name in names.iter().chain(asked.modules) {
        loader.takes(Atom::new(name));
    }
    let entry = (Atom::new(script::RUNNER), Atom::new("test"));
    Ok((Loaded::new(program, loader, entry, words.clone()), words))
}

/// A loader of files and of what is beside them, as for `tracer run`.
fn beside(files: &[PathBuf], compiling: &Compiling) -> SourceLoader {
    let named = Named {
        files,
        entry: None,
        arguments: &[],
        compiling,
    };
    named::beside(&named).0
}

/// A loader of the project, the names of its modules, and what is known of it.
fn project(
    what: &[OsString],
    compiling: &Compiling,
    kind: Kind,
) -> Result<(SourceLoader, BTreeSet<String>, Vec<String>), FindError> {
    let found = Found::around(what)?;
    let loading = Loading {
        compiling,
        only: &[],
        configs: &[],
        found: &found,
        style: Style::Plain,
        counts: None,
    };
    let is_module = |path: &PathBuf| {
        let kind = path.extension().and_then(|kind| kind.to_str());
        matches!(kind, Some("erl" | "xrl" | "yrl"))
    };
    let of_suites = found.applications.iter().flat_map(|one| &one.suites);
    let own = found.sources.iter().chain(of_suites);
    let files = own
        .flat_map(|folder| entries(folder).unwrap_or_default())
        .filter(is_module);
    let names = files.filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()));
    let loader = crate::transforms::loader(loading.disk(kind, None));
    Ok((loader, names.collect(), project::words(&found.applications)))
}

/// The recorded command line: what was tested, and how it was compiled. It comes from a trace, so only what is in the current folder counts.
fn recorded(command: &[String]) -> (Vec<OsString>, Compiling) {
    let words: Vec<OsString> = command.iter().map(OsString::from).collect();
    let (mut what, mut compiling) = match Cli::try_parse_from(with_paths(&words)).map(|cli| cli.command) {
        Ok(Command::Test(args)) => (args.what, args.compiling),
        Ok(Command::Hunt(args)) => (
            args.files.into_iter().map(PathBuf::into_os_string).collect(),
            args.compiling,
        ),
        Ok(Command::Run(args)) => (Vec::new(), args.compiling),
        _ => (Vec::new(), Compiling::default()),
    };
    what.retain(|word| is_inside(Path::new(word)));
    compiling.includes.retain(|folder| is_inside(folder));
    compiling.objects.retain(|folder| is_inside(folder));
    compiling.stubs.retain(|stub| is_inside(&stub.path));
    (what, compiling)
}

/// Does a path stay in the current folder, links included?
fn is_inside(path: &Path) -> bool {
    let (Ok(here), Ok(real)) = (Path::new(".").canonicalize(), path.canonicalize()) else {
        return path.is_relative() && path.components().all(|part| part != Component::ParentDir);
    };
    let is_it = real.starts_with(here);
    if !is_it {
        tell(&format!(
            "{} is not in this folder; if it is to be read, name it here",
            log_format::safe_path(path)
        ));
    }
    is_it
}

/// What was recorded, and what is asked for now: of two macros of one name, the new one counts.
fn with(mut recorded: Compiling, now: &Compiling) -> Compiling {
    let name = |text: &str| text.split('=').next().unwrap_or_default().to_owned();
    let new: Vec<String> = now.defines.iter().map(|text| name(text)).collect();
    recorded.defines.retain(|text| !new.contains(&name(text)));
    recorded.defines.extend(now.defines.iter().cloned());
    recorded
        .stubs
        .retain(|old| now.stubs.iter().all(|stub| stub.module != old.module));
    recorded.stubs.extend(now.stubs.iter().cloned());
    recorded.includes.extend(now.includes.iter().cloned());
    recorded.objects.extend(now.objects.iter().cloned());
    recorded.otp = now.otp.or(recorded.otp);
    for feature in &now.features {
        if !recorded.features.contains(feature) {
            recorded.features.push(feature.clone());
        }
    }
    recorded
}

//! `tracer test` in a project of mix: mix itself runs in the interpreter, from the installed Elixir. What is to be compiled is compiled first, unrecorded,
//! into a folder of its own (`_build/retell`): OTP's machine does not take these beam files. Then `mix test` runs, recorded.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use interpreter::atom::Atom;

use super::find::{Found, Kind, Unit};
use crate::elixir;
use crate::execute::{self, Loaded, Rest};
use crate::exit::Exit;
use crate::options::{Compiling, Running};
use crate::outside::Real;
use crate::project::{entries, folders};
use crate::report::{self, Reporter, tell};
use crate::script;
use crate::signals::Signals;

/// The configuration of a project.
const FILE: &str = "mix.exs";
/// Where its modules are compiled to.
const BUILD: &str = "_build/retell";
/// The file that says that they are.
const STAMP: &str = "_build/retell/.tracer";
/// Limit: folders in folders that are looked into.
const DEEPEST: usize = 12;

impl Found {
    /// Takes in a word of the command line that is about tests in Elixir. True: about nothing else.
    pub(super) fn of_mix(&mut self, word: &OsStr) -> bool {
        let text = word.to_string_lossy();
        let path = Path::new(match text.rsplit_once(':') {
            Some((path, line)) if line.parse::<u32>().is_ok() => path,
            _ => &text,
        });
        if elixir::all().is_empty() || !Path::new(FILE).is_file() {
            return false;
        }
        if path == Path::new(FILE) {
            self.is_mix = true;
            return true;
        }
        if path == Path::new(".") {
            self.is_mix |= has_tests();
            return false;
        }
        let is_script = path.is_file() && path.extension() == Some(OsStr::new("exs"));
        let is_folder_of_tests = path.is_dir() && has_scripts(path, 0) && !path.join(FILE).is_file();
        if !is_script && !is_folder_of_tests {
            return false;
        }
        self.is_mix = true;
        self.words.push(text.into_owned());
        true
    }

    /// The unit of all tests in Elixir, before all others.
    pub(super) fn settle_mix(&mut self) {
        if !self.is_mix {
            return;
        }
        let unit = Unit {
            module: name(),
            path: PathBuf::from(FILE),
            kind: Kind::Mix,
            tests: Vec::new(),
            is_again: false,
        };
        self.units.insert(0, unit);
    }
}

/// What the run of all tests is called: as the folder of the project.
fn name() -> String {
    let here = std::env::current_dir().unwrap_or_default();
    here.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Are there tests in Elixir, here or in the applications of an umbrella?
fn has_tests() -> bool {
    let apps = folders(Path::new("apps"));
    apps.iter()
        .map(|app| app.join("test"))
        .chain([PathBuf::from("test")])
        .any(|folder| has_scripts(&folder, 0))
}

fn has_scripts(folder: &Path, depth: usize) -> bool {
    depth < DEEPEST
        && entries(folder).iter().any(|path| match path.is_dir() {
            true => has_scripts(path, depth + 1),
            false => path.to_string_lossy().ends_with("_test.exs"),
        })
}

/// What is the same for each run of mix.
fn variables() -> Vec<(String, String)> {
    let build = std::path::absolute(BUILD).unwrap_or_else(|_| PathBuf::from(BUILD));
    let mut all = vec![("MIX_BUILD_PATH".to_owned(), build.display().to_string())];
    for (name, value) in [("MIX_ENV", "test"), ("HEX_OFFLINE", "1")] {
        if std::env::var_os(name).is_none() {
            all.push((name.to_owned(), value.to_owned()));
        }
    }
    all
}

/// Compiles what has changed since the last time. The output is mix's own.
///
/// # Errors
/// It does not compile; that was told.
pub fn compile(compiling: &Compiling, signals: &Signals) -> Result<(), Exit> {
    let made = fs::metadata(STAMP).and_then(|meta| meta.modified()).ok();
    let is_of_this = fs::read_to_string(STAMP).is_ok_and(|text| text == stamp());
    if let Some(made) = made
        && is_of_this
        && !has_newer(Path::new("."), made, 0)
    {
        return Ok(());
    }
    if !is_of_this
        && let Err(error) = fs::remove_dir_all(BUILD)
        && error.kind() != std::io::ErrorKind::NotFound
    {
        tell(&format!("cannot remove the folder {BUILD}: {error}"));
        return Err(Exit::NoOutput);
    }
    let began = SystemTime::now();
    let loaded = program(compiling, &[], &[], &["compile".to_owned()]).map_err(|text| {
        report::say(&text);
        Exit::Bug
    })?;
    let outside = Box::new(Real::new(Arc::clone(&signals.interrupted), None, None));
    signals.prints_to(outside.stdout());
    let running = Running::aside(LONGEST);
    let (system, end, _) = execute::run(&running, loaded, rest(), outside, Reporter::new(true));
    let verdict = report::verdict(&system, &end);
    match verdict.exit {
        Exit::Halt(0) | Exit::Success => {
            let written = fs::write(STAMP, stamp())
                .and_then(|()| fs::File::options().write(true).open(STAMP)?.set_modified(began));
            if let Err(error) = written {
                tell(&format!(
                    "cannot write {STAMP}: {error}; all is compiled again next time"
                ));
            }
            Ok(())
        }
        Exit::Halt(_) => Err(Exit::Program),
        exit => {
            tell(&format!("mix compile: {}", verdict.text));
            Err(exit)
        }
    }
}

/// Limit, in nanoseconds: a compilation that does not end is given up.
const LONGEST: u64 = 3_600_000_000_000;

/// Of which tool and which Elixir the compiled modules are.
fn stamp() -> String {
    let elixir = elixir::all().first().map(|folder| folder.display().to_string());
    format!("tracer {}\n{}\n", env!("CARGO_PKG_VERSION"), elixir.unwrap_or_default())
}

/// Has a file that could be compiled changed since then?
fn has_newer(folder: &Path, than: SystemTime, depth: usize) -> bool {
    let is_changed = |path: &Path| {
        let modified = fs::symlink_metadata(path).and_then(|meta| meta.modified());
        modified.is_ok_and(|time| time >= than)
    };
    depth < DEEPEST
        && entries(folder).iter().any(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if path.is_dir() {
                let is_other = name.starts_with('.') || matches!(&*name, "_build" | "node_modules" | "cover" | "doc");
                return !is_other && !path.is_symlink() && has_newer(path, than, depth + 1);
            }
            let is_test = name.ends_with("_test.exs") || name == "test_helper.exs";
            let is_source = path.extension().is_some_and(|kind| {
                ["ex", "exs", "eex", "heex", "erl", "hrl", "xrl", "yrl", "lock"]
                    .iter()
                    .any(|known| kind == *known)
            });
            is_source && !is_test && is_changed(path)
        })
}

const fn rest() -> Rest {
    Rest {
        arguments: Vec::new(),
        exit_with_entry: true,
    }
}

/// The program that runs the tests. `only`: texts of which one is in the name of each test that runs; none: all run. `words`: for `mix test`.
///
/// # Errors
/// The library does not load.
pub fn load(compiling: &Compiling, only: &[String], words: &[String]) -> Result<Loaded, String> {
    let mut all = vec![
        "test".to_owned(),
        "--no-compile".to_owned(),
        "--no-deps-check".to_owned(),
    ];
    all.extend(words.iter().cloned());
    let mut objects = Vec::new();
    for app in folders(&Path::new(BUILD).join("lib")) {
        objects.extend(["consolidated", "ebin"].map(|folder| app.join(folder)));
    }
    objects.retain(|folder| folder.is_dir());
    // Consolidated protocols stand before others.
    objects.sort_by_key(|folder| folder.ends_with("ebin"));
    let mut loaded = program(compiling, only, &objects, &all)?;
    let apps = folders(Path::new("apps"));
    for root in apps.iter().map(PathBuf::as_path).chain([Path::new("")]) {
        note_texts(&mut loaded, root, &root.join("test"), 0);
    }
    Ok(loaded)
}

/// Test files have no modules in the trace before they run, and people want to see them. mix names them from the folder of their application.
fn note_texts(loaded: &mut Loaded, root: &Path, folder: &Path, depth: usize) {
    for path in entries(folder) {
        if path.is_dir() && depth < DEEPEST {
            note_texts(loaded, root, &path, depth + 1);
        } else if path.extension() == Some(OsStr::new("exs"))
            && let Ok(text) = fs::read(&path)
        {
            let named = path.strip_prefix(root).unwrap_or(&path).display().to_string();
            loaded.loader.note_text(named, text.into(), script::RUNNER);
        }
    }
}

fn program(compiling: &Compiling, only: &[String], objects: &[PathBuf], words: &[String]) -> Result<Loaded, String> {
    let compiling = Compiling {
        objects: compiling.objects.iter().chain(objects).cloned().collect(),
        ..compiling.clone()
    };
    let (program, loader) = script::runner(&compiling)?;
    let mut arguments = vec![only.len().to_string()];
    arguments.extend(only.iter().cloned());
    arguments.push(elixir::all().len().to_string());
    arguments.extend(elixir::all().iter().map(|folder| folder.display().to_string()));
    arguments.extend(["-e", "Mix.start(); Mix.CLI.main()", "--"].map(str::to_owned));
    arguments.extend(words.iter().cloned());
    let module = Atom::new(script::RUNNER);
    Ok(Loaded {
        named: Atom::new(&name()),
        variables: variables(),
        ..Loaded::new(program, loader, (module, Atom::new("test")), arguments)
    })
}

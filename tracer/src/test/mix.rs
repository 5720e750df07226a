//! `tracer test` in a project of mix: mix itself runs in the interpreter, from the installed Elixir. What is to be compiled is compiled first, unrecorded,
//! into a folder of its own (`_build/retell`): OTP's machine does not take these beam files. Then `mix test` runs, recorded.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use interpreter::atom::Atom;
use syntax::Release;
use system::error::Unloadable;
use system::loader::transforms::of_elixir;
use system::loader::{Role, SourceLoader, compile_ahead};

use super::find::{Found, Kind, Unit};
use super::taken;
use crate::elixir;
use crate::error::MixError;
use crate::execute::{self, Loaded, Rest};
use crate::exit::Exit;
use crate::installed::Installed;
use crate::kept;
use crate::options::{Compiling, Running, Stub, stubbed};
use crate::outside::Real;
use crate::project::{entries, folders};
use crate::report::{self, Reporter, tell};
use crate::script;
use crate::signals::Signals;

/// The configuration of a project.
pub const FILE: &str = "mix.exs";
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
        let path = Path::new(without_lines(&text));
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
        // An application of an umbrella.
        if path.is_dir() && path.join(FILE).is_file() && path.parent() == Some(Path::new("apps")) {
            self.is_mix = true;
            self.words.push(path.join("test").display().to_string());
            return true;
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

/// A word of the command line without the lines behind it: `a_test.exs:3:7`.
pub fn without_lines(word: &str) -> &str {
    match word.rsplit_once(':') {
        Some((rest, line)) if line.parse::<u32>().is_ok() => without_lines(rest),
        _ => word,
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

pub fn has_scripts(folder: &Path, depth: usize) -> bool {
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
/// It does not compile.
pub fn compile(compiling: &Compiling, signals: &Signals) -> Result<(), MixError> {
    let made = fs::metadata(STAMP).and_then(|meta| meta.modified()).ok();
    let stamp = stamp(compiling.language(&Installed::from_environment(), None).release);
    let is_of_this = fs::read_to_string(STAMP).is_ok_and(|text| text == stamp);
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
        return Err(MixError::Unwritable { path: BUILD, error });
    }
    taken::over(BUILD);
    let began = SystemTime::now();
    let words = arguments("only", &[], &["compile".to_owned()], &[]);
    let mut loaded = program(compiling, &[], words).map_err(MixError::Library)?;
    let outside = Box::new(Real::new(Arc::clone(&signals.interrupted), None, None));
    signals.prints_to(outside.stdout());
    let running = Running::aside(LONGEST);
    let (system, end, _) = execute::run(&running, &mut loaded, rest(), outside, Reporter::new(true));
    let verdict = report::verdict(&system, &end);
    match verdict.exit {
        Exit::Halt(0) | Exit::Success => {
            let written = fs::write(STAMP, &stamp)
                .and_then(|()| fs::File::options().write(true).open(STAMP)?.set_modified(began));
            if let Err(error) = written {
                tell(&format!(
                    "cannot write {STAMP}: {error}; all is compiled again next time"
                ));
            }
            Ok(())
        }
        Exit::Halt(_) => Err(MixError::Refused),
        exit => Err(MixError::Ended {
            exit,
            text: verdict.text,
        }),
    }
}

/// Limit, in nanoseconds: a compilation that does not end is given up.
const LONGEST: u64 = 3_600_000_000_000;

/// Of which tool, which Elixir and which release of OTP the compiled modules are: mix throws away what it finds of another one.
fn stamp(release: Release) -> String {
    let elixir = elixir::all().first().map(|folder| folder.display().to_string());
    let version = elixir::version().map(ToString::to_string);
    format!(
        "tracer {}\n{}\n{}\nOTP {release}\n",
        env!("CARGO_PKG_VERSION"),
        elixir.unwrap_or_default(),
        version.unwrap_or_default()
    )
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
                let is_other = name.starts_with(['.', '_']) || matches!(&*name, "node_modules" | "cover" | "doc");
                // A folder is newer if a file in it is gone.
                let is_newer = || is_changed(path) || has_newer(path, than, depth + 1);
                return !is_other && !path.is_symlink() && is_newer();
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
pub fn load(compiling: &Compiling, only: &[String], words: &[String]) -> Result<Loaded, Unloadable> {
    let all = arguments(
        "only",
        only,
        &[&TASK.map(str::to_owned), words].concat(),
        &compiling.stubs,
    );
    let loaded = program(compiling, &compiled(), all)?;
    for stub in compiling.stubs.iter().filter(|stub| stub.is_elixir()) {
        let text = fs::read(&stub.path).unwrap_or_default();
        let named = stub.path.display().to_string();
        loaded.loader().note_text(named, text.into(), script::RUNNER);
    }
    note_tests(&mut loaded.loader());
    Ok(loaded)
}

/// The folders of compiled modules, in the order in which they are looked into.
pub(super) fn compiled() -> Vec<PathBuf> {
    let mut objects = Vec::new();
    for app in folders(&Path::new(BUILD).join("lib")) {
        objects.extend(["consolidated", "ebin"].map(|folder| app.join(folder)));
    }
    objects.retain(|folder| folder.is_dir());
    // Consolidated protocols stand before others.
    objects.sort_by_key(|folder| folder.ends_with("ebin"));
    objects
}

/// Test files have no modules in the trace before they run, and people want to see them. mix names them from the folder of their application.
pub(super) fn note_tests(loader: &mut SourceLoader) {
    let apps = folders(Path::new("apps"));
    for root in apps.iter().map(PathBuf::as_path).chain([Path::new("")]) {
        note_texts(loader, root, &root.join("test"), 0);
    }
}

fn note_texts(loader: &mut SourceLoader, root: &Path, folder: &Path, depth: usize) {
    for path in entries(folder) {
        if path.is_dir() && depth < DEEPEST {
            note_texts(loader, root, &path, depth + 1);
        } else if path.extension() == Some(OsStr::new("exs"))
            && let Ok(text) = fs::read(&path)
        {
            let named = path.strip_prefix(root).unwrap_or(&path).display().to_string();
            loader.note_text(named, text.into(), script::RUNNER);
        }
    }
}

/// The task of mix that runs the tests.
const TASK: [&str; 3] = ["test", "--no-compile", "--no-deps-check"];

/// The first word for the library's runner, if the node has its name from the start, and the tests will make it alive.
pub const ALIVE: &str = "alive";

/// What the library's runner is given. `names`: those of the tests that run, or parts of them, as `how` says; none: all run. `words`: for mix.
fn arguments(how: &str, names: &[String], words: &[String], stubs: &[Stub]) -> Vec<String> {
    let mut all = vec![how.to_owned(), names.len().to_string()];
    all.extend(names.iter().cloned());
    let mut folders = elixir::all().to_vec();
    folders.extend(asked_for());
    all.push(folders.len().to_string());
    all.extend(folders.iter().map(|folder| folder.display().to_string()));
    all.extend(stubbed(stubs));
    all.extend(["-e", "Mix.start(); Mix.CLI.main()", "--"].map(str::to_owned));
    all.extend(words.iter().cloned());
    all
}

/// The applications of OTP that mix looks for in the code path, from 1.15 on: those of the compilers `yecc` and `leex`, and of coverage.
fn asked_for() -> impl Iterator<Item = PathBuf> {
    let installed = Installed::from_environment();
    ["parsetools", "tools"].into_iter().filter_map(move |app| {
        let described = installed.find(app, &Path::new("ebin").join(format!("{app}.app")))?;
        Some(described.parent()?.to_owned())
    })
}

/// The order of the tests, too, is drawn from the seed of the run, unless it has a seed of its own.
pub fn seeded(loaded: &mut Loaded, seed: Option<u64>) {
    if let (Some(seed), Some(words)) = (seed, &mut loaded.arguments)
        && !words.iter().any(|word| word == SEED || word.starts_with("--seed="))
    {
        words.extend([SEED.to_owned(), seed.to_string()]);
    }
}

/// The option of mix that says the order of the tests.
const SEED: &str = "--seed";

/// What the library's runner is given, so that one test of this file runs in the order of this seed.
pub fn alone(name: &str, file: &str, order: Option<u64>, options: &[String], stubs: &[Stub]) -> Vec<String> {
    let mut words: Vec<String> = TASK.map(str::to_owned).to_vec();
    words.push(file.to_owned());
    let mut rest = options.iter();
    while let Some(option) = rest.next() {
        match option.as_str() {
            // Those that change how a test runs, and not which ones do.
            "--trace" | "--no-start" => words.push(option.clone()),
            "--timeout" => words.extend(std::iter::once(option.clone()).chain(rest.next().cloned())),
            _ if option.starts_with("--timeout=") => words.push(option.clone()),
            _ => {}
        }
    }
    if let Some(seed) = order {
        words.extend([SEED.to_owned(), seed.to_string()]);
    }
    arguments("alone", &[name.to_owned()], &words, stubs)
}

/// A path as it is named in the folder of the project.
pub fn shown(path: &Path) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    path.strip_prefix(&here).unwrap_or(path).display().to_string()
}

/// Notes which modules of Elixir a run has loaded: the next one compiles them ahead.
pub fn note_modules(loaded: &Loaded) {
    let read = loaded.read();
    let own = read.iter().filter_map(|source| match &source.role {
        Role::Module(name) if source.options.contains(&of_elixir()) => Some(name.as_str()),
        _ => None,
    });
    let own: std::collections::BTreeSet<&str> = own.collect();
    let forms = read.iter().filter_map(|source| match &source.role {
        Role::Forms(name) if own.contains(name.as_str()) => Some((source.text.len(), name.as_str())),
        _ => None,
    });
    let mut forms: Vec<(usize, &str)> = forms.collect();
    forms.sort_unstable_by(|one, other| other.cmp(one));
    kept::note_modules(&forms.into_iter().map(|(_, name)| name).collect::<Vec<_>>());
}

/// What mix keeps of the tests that failed last, for `--failed`.
pub struct Failures(Vec<(PathBuf, Vec<u8>)>);

impl Failures {
    /// As they are now.
    pub fn now() -> Self {
        let apps = folders(&Path::new(BUILD).join("lib"));
        let files = apps.into_iter().map(|app| app.join(".mix/.mix_test_failures"));
        Self(
            files
                .filter_map(|file| Some((file.clone(), fs::read(file).ok()?)))
                .collect(),
        )
    }

    /// As they were, whatever has run since.
    pub fn put_back(self) {
        for (file, text) in self.0 {
            // Without it, `--failed` runs all.
            let _ = fs::write(file, text);
        }
    }
}

fn program(compiling: &Compiling, objects: &[PathBuf], arguments: Vec<String>) -> Result<Loaded, Unloadable> {
    let compiling = Compiling {
        objects: compiling.objects.iter().chain(objects).cloned().collect(),
        ..compiling.clone()
    };
    let (program, loader) = script::runner(&compiling)?;
    let names = kept::modules();
    if !names.is_empty() && std::thread::available_parallelism().is_ok_and(|many| many.get() > 1) {
        let (_, other) = script::runner(&compiling)?;
        let empty = system::natives::program(other.release());
        compile_ahead(other, empty, names);
    }
    let module = Atom::new(script::RUNNER);
    Ok(Loaded {
        runs_tests: true,
        named: Atom::new(&name()),
        variables: variables(),
        is_of_mix: true,
        ..Loaded::new(program, loader, (module, Atom::new("test")), arguments)
    })
}

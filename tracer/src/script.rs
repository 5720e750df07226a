//! Scripts and modules of Elixir (`.exs`, `.ex`), for `tracer run`: an installed Elixir's own compiler runs in the interpreter and is recorded with the
//! rest.

use std::path::{Path, PathBuf};

use interpreter::atom::Atom;
use interpreter::vm::Program;
use log_format::safe_path;
use system::loader::{Loader as _, SourceLoader};

use crate::elixir;
use crate::elixir::is_elixir;
use crate::execute::Loaded;
use crate::exit::Exit;
use crate::named::{self, Named};
use crate::options::{Compiling, stubbed};
use crate::report;

/// The module of the library that starts Elixir.
pub const RUNNER: &str = "retell_script";

/// Loads what is needed to run the files. The first one of Elixir is the script, and the others are required before it.
pub fn load(args: &Named<'_>) -> Result<Loaded, Exit> {
    let (scripts, others): (Vec<PathBuf>, Vec<PathBuf>) = args.files.iter().cloned().partition(|file| is_elixir(file));
    let Some((script, required)) = scripts.split_first() else {
        return Err(Exit::Bug);
    };
    for file in &scripts {
        if !file.is_file() {
            report::tell(&format!("cannot read {}: it is not a file", safe_path(file)));
            return Err(Exit::NoInput);
        }
    }
    let folders = elixir::all();
    if folders.is_empty() {
        report::tell(&format!(
            "cannot run {}: no Elixir is installed (`elixir` is not in the PATH)",
            safe_path(script)
        ));
        return Err(Exit::NoInput);
    }
    let mut words: Vec<String> = stubbed(&args.compiling.stubs).collect();
    for file in required {
        words.extend(["-r".to_owned(), shown(file)]);
    }
    match args.entry {
        None => words.push(shown(script)),
        Some(entry) => {
            words.extend([
                "-r".to_owned(),
                shown(script),
                "-e".to_owned(),
                call(entry)?,
                "--".to_owned(),
            ]);
        }
    }
    words.extend(args.arguments.iter().cloned());
    let (mut loader, mut program, _) = named::files(args, &others)?;
    if let Err(text) = load_runner(&mut loader, &mut program) {
        report::say(&text);
        return Err(Exit::Bug);
    }
    for stub in args.compiling.stubs.iter().filter(|stub| stub.is_elixir()) {
        let text = std::fs::read(&stub.path).unwrap_or_default();
        loader.note_text(shown(&stub.path), text.into(), RUNNER);
    }
    for file in &scripts {
        loader.note_text(shown(file), std::fs::read(file).unwrap_or_default().into(), RUNNER);
    }
    let path: Vec<String> = folders
        .iter()
        .chain(&args.compiling.objects)
        .map(|folder| shown(folder))
        .collect();
    let mut arguments = vec![path.len().to_string()];
    arguments.extend(path);
    arguments.extend(words);
    let module = Atom::new(RUNNER);
    Ok(Loaded {
        named: script
            .file_stem()
            .map_or(module, |stem| Atom::new(&stem.to_string_lossy())),
        ..Loaded::new(program, loader, (module, Atom::new("main")), arguments)
    })
}

fn load_runner(loader: &mut SourceLoader, program: &mut Program) -> Result<(), String> {
    let loaded = loader.load(Atom::new(RUNNER), program);
    loaded.map(|_| ()).map_err(|error| error.to_string())
}

/// A program that has no modules but that which starts Elixir.
///
/// # Errors
/// The library does not load.
pub fn runner(compiling: &Compiling) -> Result<(Program, SourceLoader), String> {
    let none = Named {
        files: &[],
        entry: None,
        arguments: &[],
        compiling,
    };
    let (mut loader, mut program, _) =
        named::files(&none, &[]).map_err(|_| "the program cannot be loaded: a bug of the tool".to_owned())?;
    load_runner(&mut loader, &mut program)?;
    Ok((program, loader))
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

/// The expression that calls an entry. `MOD:FUN`, as in Erlang, or `Mod.fun`, as in Elixir.
fn call(entry: &str) -> Result<String, Exit> {
    let (module, function) = entry
        .split_once(':')
        .or_else(|| entry.rsplit_once('.'))
        .unwrap_or_default();
    let is_name = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || "_.?!".contains(c));
    if !is_name(module) || !is_name(function) {
        report::tell(&format!(
            "--entry takes MOD:FUN, for example Stock:main, found `{}`",
            entry.escape_debug()
        ));
        return Err(Exit::Usage);
    }
    let module = match module.chars().next() {
        Some(first) if first.is_lowercase() => format!(":{module}"),
        _ => module.to_owned(),
    };
    Ok(format!("{module}.{function}()"))
}

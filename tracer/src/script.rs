//! Scripts and modules of Elixir (`.exs`, `.ex`), for `tracer run`: an installed Elixir's own compiler runs in the interpreter and is recorded with the
//! rest.

use std::path::{Path, PathBuf};

use interpreter::atom::Atom;
use interpreter::print::Terms;
use interpreter::vm::Program;
use system::error::Unloadable;
use system::loader::{Loader as _, SourceLoader};

use crate::elixir;
use crate::elixir::is_elixir;
use crate::error::{Error, InputError, UsageError};
use crate::execute::Loaded;
use crate::named::{self, Named};
use crate::options::{Compiling, stubbed};

/// The module of the library that starts Elixir.
pub const RUNNER: &str = "retell_script";

/// Loads what is needed to run the files. The first one of Elixir is the script, and the others are required before it.
///
/// # Errors
/// There is no Elixir; a file cannot be read or does not compile; the entry is none.
pub fn load(args: &Named<'_>) -> Result<Loaded, Error> {
    let (scripts, others): (Vec<PathBuf>, Vec<PathBuf>) = args.files.iter().cloned().partition(|file| is_elixir(file));
    let (script, required) = scripts.split_first().expect("one of the files is a script");
    if let Some(file) = scripts.iter().find(|file| !file.is_file()) {
        return Err(InputError::NotAFile(file.clone()).into());
    }
    let folders = elixir::all();
    if folders.is_empty() {
        return Err(InputError::NoElixirFor(script.clone()).into());
    }
    elixir::is_about_to_run();
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
    loader.load(Atom::new(RUNNER), &mut program).map_err(Error::Library)?;
    program.speak(Terms::Elixir);
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

/// A program that has no modules but that which starts Elixir.
///
/// # Errors
/// The library does not load.
pub fn runner(compiling: &Compiling) -> Result<(Program, SourceLoader), Unloadable> {
    elixir::is_about_to_run();
    let none = Named {
        files: &[],
        entry: None,
        arguments: &[],
        compiling,
    };
    let (mut loader, mut program) = named::beside(&none);
    loader.load(Atom::new(RUNNER), &mut program)?;
    program.speak(Terms::Elixir);
    Ok((program, loader))
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

/// The expression that calls an entry. `MOD:FUN`, as in Erlang, or `Mod.fun`, as in Elixir.
fn call(entry: &str) -> Result<String, UsageError> {
    let (module, function) = entry
        .split_once(':')
        .or_else(|| entry.rsplit_once('.'))
        .unwrap_or_default();
    let is_name = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || "_.?!".contains(c));
    if !is_name(module) || !is_name(function) {
        return Err(UsageError::Entry {
            text: entry.to_owned(),
            example: "Stock:main",
        });
    }
    let module = match module.chars().next() {
        Some(first) if first.is_lowercase() => format!(":{module}"),
        _ => module.to_owned(),
    };
    Ok(format!("{module}.{function}()"))
}

//! What a recorded run was of, which of its modules can change, and where the files are that it names.

use std::path::{Component, Path, PathBuf};

use interpreter::otp;
use session::Session;
use session::program::RunEntry;
use system::loader::{LoadedFile, Role};

use crate::options::{Of, Options};

/// What a run of mix is started with.
const MIX: &str = "Mix.start(); Mix.CLI.main()";

/// Is it a run of mix?
pub(crate) fn is_of_mix(session: &Session) -> bool {
    session.trace().header().arguments.iter().any(|word| word == MIX)
}

/// Is it a file that Elixir's compiler reads?
pub(crate) fn is_elixir(path: &str) -> bool {
    [".ex", ".exs"].iter().any(|end| path.ends_with(end))
}

/// Is it a file whose contents now count: one of Elixir, or what mix has written of an application of the project?
pub(crate) fn is_read_anew(path: &str) -> bool {
    is_elixir(path) || is_of_application(path)
}

/// Has mix written it when it compiled the project? It says which settings the code was compiled with.
pub(crate) fn is_of_application(path: &str) -> bool {
    path.ends_with(".app") && path.contains("_build/retell/lib/")
}

/// What a recorded run of tests was of, if it was one.
pub(crate) fn of_tests(session: &Session) -> Option<Of> {
    let entry = RunEntry::of(session.trace().header()).ok()?;
    match (entry.module.as_str(), entry.function.as_str()) {
        ("retell_test", "eunit") => Some(Of::Unit),
        ("retell_test", "suite") => Some(Of::Suite),
        _ => None,
    }
}

/// Is it a module of the program, or of what that needs, and not of OTP or of the tool?
pub(crate) fn can_change(name: &str) -> bool {
    !is_of_otp(name)
}

/// Is it a module of OTP or of the library, which no program changes?
pub(crate) fn is_of_otp(module: &str) -> bool {
    module == otp::FRONT_END || otp::portable(module).is_some() || interpreter::library::source(module).is_some()
}

/// The files of the program that are here: beside them, further modules are looked for.
pub(crate) fn beside(session: &Session, options: &Options) -> Vec<PathBuf> {
    let recorded = session.sources().all().iter();
    let is_own = |source: &&LoadedFile| matches!(source.role, Role::Module(_)) && session.sources().owns(&source.path);
    let here = recorded.filter(is_own).filter_map(|source| at_hand(&source.path));
    let here = here.filter(|path| may_be_read(path, options));
    options.program.iter().cloned().chain(here).collect()
}

/// May a file be read that a trace names? It is in the current folder, or in one that was named.
pub(crate) fn may_be_read(path: &Path, options: &Options) -> bool {
    let inside = |folder: &Path| {
        let absolute = std::path::absolute(folder.join(path)).ok()?;
        let folder = std::path::absolute(folder).ok()?;
        let is_upwards = path.components().any(|part| part == Component::ParentDir);
        (!is_upwards && absolute.starts_with(&folder)).then_some(())
    };
    let real = || {
        let real = path.canonicalize().ok()?;
        options
            .folders
            .iter()
            .filter_map(|folder| folder.canonicalize().ok())
            .chain(Path::new(".").canonicalize().ok())
            .any(|folder| real.starts_with(folder))
            .then_some(())
    };
    inside(Path::new(".")).or_else(real).is_some()
}

/// Resolves a recorded path. U+FFFD in it matches any byte that is not UTF-8; a path that then matches several files is not resolved.
pub(crate) fn at_hand(recorded: &str) -> Option<PathBuf> {
    let path = PathBuf::from(recorded);
    if path.exists() {
        return Some(path);
    }
    if !recorded.contains(char::REPLACEMENT_CHARACTER) {
        return None;
    }
    let folder = match path.parent().and_then(Path::to_str) {
        None | Some("") => PathBuf::from("."),
        Some(folder) => at_hand(folder)?,
    };
    let name = path.file_name()?.to_str()?;
    let entries = std::fs::read_dir(&folder).ok()?.filter_map(Result::ok);
    let mut alike = entries.filter(|entry| entry.file_name().to_string_lossy() == name);
    match (alike.next(), alike.next()) {
        (Some(entry), None) => Some(entry.path()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_compiler_of_otp_is_no_module_of_a_program() {
        for name in [otp::FRONT_END, "lists", "erl_lint"] {
            assert!(is_of_otp(name), "{name}");
        }
        assert!(!is_of_otp("my_server"));
    }

    #[test]
    fn a_trace_leads_to_no_file_elsewhere() {
        let options = Options::default();
        let may = |path: &str| may_be_read(Path::new(path), &options);
        // Tests run in the folder of the crate.
        assert!(may("src/lib.rs") && may("./src/lib.rs"));
        assert!(may(&format!("{}/src/lib.rs", env!("CARGO_MANIFEST_DIR"))));
        assert!(!may("/etc/passwd") && !may("../Cargo.toml") && !may("src/../../Cargo.toml"));
        let named = Options {
            folders: vec![PathBuf::from("..")],
            ..options
        };
        assert!(may_be_read(Path::new("../Cargo.toml"), &named));
    }
}

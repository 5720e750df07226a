//! An Elixir that is installed: its modules are beam files, whose forms its own `elixir_erl` makes.

mod hooks;
mod version;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Once, OnceLock};

use log_format::CompileOption;
use system::loader::ModuleFile;
use system::loader::transforms::of_elixir;

use crate::report;
use hooks::COMPILER;
use version::Version;

/// The module of the library that makes forms of what is in a beam file of Elixir.
pub const MAKER: &str = "retell_elixir";

/// The folders of an installed Elixir that may have this module: none, unless its name is of Elixir.
pub fn folders(module: &str) -> &'static [PathBuf] {
    match is_named_so(module) {
        true => all(),
        false => &[],
    }
}

/// The folders with the modules of an installed Elixir; none if there is no Elixir.
pub fn all() -> &'static [PathBuf] {
    static ALL: OnceLock<Vec<PathBuf>> = OnceLock::new();
    ALL.get_or_init(installed)
}

/// The version of the installed Elixir.
pub fn version() -> Option<&'static Version> {
    static VERSION: OnceLock<Option<Version>> = OnceLock::new();
    VERSION.get_or_init(|| Version::of(all())).as_ref()
}

/// Says once, before it runs, what is not known of the installed Elixir.
pub fn is_about_to_run() {
    static SAID: Once = Once::new();
    SAID.call_once(|| {
        if let Some(sentence) = hooks::sentence(version(), all()) {
            report::tell(&sentence);
        }
    });
}

/// The options of a module in this beam file.
pub fn options_of(object: &Path) -> Vec<CompileOption> {
    let is_installed = object
        .parent()
        .is_some_and(|folder| all().iter().any(|own| own == folder));
    is_installed.then(of_elixir).into_iter().collect()
}

/// Does the library change a function of this module, which is written in Erlang (`retell_exunit`)?
pub fn is_hooked(module: &str, object: &Path) -> bool {
    module == "elixir_compiler" && !options_of(object).is_empty()
}

/// A module of Elixir in whose place the tool has one of its own.
pub fn own(module: &str) -> Option<ModuleFile> {
    let text = include_str!("elixir_erl_compiler.erl");
    let inherits = version().and_then(Version::minor).is_some_and(|minor| minor >= (1, 19));
    (module == COMPILER).then(|| ModuleFile {
        options: std::iter::once(of_elixir())
            .chain(inherits.then(|| CompileOption::define("INHERITS_ERROR_HANDLER")))
            .collect(),
        ..ModuleFile::plain(format!("{COMPILER}.erl"), text.as_bytes())
    })
}

fn is_named_so(module: &str) -> bool {
    module == "elixir" || module == "iex" || module.starts_with("Elixir.") || module.starts_with("elixir_")
}

/// `lib/*/ebin` of the first Elixir in the path. A command `elixir` that only starts another one, as those of version managers, has none beside it.
fn installed() -> Vec<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let lib = std::env::split_paths(&path).find_map(|folder| {
        let elixir = fs::canonicalize(folder.join("elixir")).ok()?;
        let lib = elixir.parent()?.parent()?.join("lib");
        lib.join("elixir/ebin").is_dir().then_some(lib)
    });
    let folders = lib.map_or_else(Vec::new, |lib| crate::project::folders(&lib));
    folders
        .into_iter()
        .map(|app| app.join("ebin"))
        .filter(|ebin| ebin.is_dir())
        .collect()
}

/// Is it a source file of Elixir?
#[must_use]
pub fn is_elixir(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| extension == "ex" || extension == "exs")
}

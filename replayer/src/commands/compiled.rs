//! Modules as they are now, which `tracer compile` makes with the installed Elixir: those of the project of mix in the current folder, and others by name.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};

use log_format::{Trace, safe_lines, safe_path};
use session::error::Error;
use session::program::Sources;
use system::loader::Source;

/// Returns the modules that are named, as far as there are such. `is_project`: compiles the project first, and returns its own modules, too.
///
/// # Errors
/// `tracer` cannot be run; the project does not compile.
pub fn modules(names: &[&str], is_project: bool) -> Result<Vec<Source>, Error> {
    // Of several traces, one after the other: they share the folder of the project.
    static ONE: Mutex<()> = Mutex::new(());
    let _alone = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    let tracer = tracer();
    let no_folder = |error: std::io::Error| Error::Usage(format!("cannot make a temporary folder: {error}"));
    let folder = tempfile::tempdir().map_err(no_folder)?;
    let answer = folder.path().join("program.bin");
    let mut command = Command::new(&tracer);
    command.args(["compile", "-o"]).arg(&answer);
    command.args((!is_project).then_some("--no-project"));
    // A trace can name anything: what is no name of a file is no module.
    command
        .arg("--")
        .args(names.iter().filter(|name| !name.contains(['/', '\\', '\0'])));
    let ran = command.stdin(Stdio::null()).output().map_err(|error| {
        Error::Usage(format!(
            "cannot run {}: {error}; replay looks for it beside itself, and then in the PATH",
            safe_path(&tracer)
        ))
    })?;
    if !ran.status.success() {
        let said = [&ran.stdout[..], &ran.stderr[..]].map(|text| safe_lines(&String::from_utf8_lossy(text)));
        let said = match said.concat() {
            said if said.trim().is_empty() => format!("tracer compile ended with {}, and said nothing\n", ran.status),
            said => said,
        };
        return Err(Error::Changed(match is_project {
            true => format!("the project does not compile:\n{said}"),
            false => said,
        }));
    }
    let trace = Trace::open(&answer).map_err(|error| Error::from(error).about(&answer))?;
    Ok(Sources::of(&trace)?.all().to_vec())
}

/// `tracer`, which is installed with `replay`.
fn tracer() -> PathBuf {
    let beside = std::env::current_exe()
        .ok()
        .map(|replay| replay.with_file_name("tracer"));
    beside
        .filter(|path| path.is_file())
        .unwrap_or_else(|| PathBuf::from("tracer"))
}

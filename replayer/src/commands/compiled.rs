//! The modules of the project of mix in the current folder, as they are now: `tracer compile` makes them, with the installed Elixir.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};

use log_format::{Trace, safe_lines, safe_path};
use session::error::Error;
use session::program::Sources;
use system::loader::Source;

/// The folder in which the answer is put for a moment.
const FOLDER: &str = "_build";

/// A file that is removed again.
struct Passing(PathBuf);

impl Drop for Passing {
    fn drop(&mut self) {
        // `tracer` may not have made it.
        let _ = std::fs::remove_file(&self.0);
    }
}

/// Compiles the project, and returns its modules, and those of others that are named.
///
/// # Errors
/// `tracer` cannot be run; the project does not compile.
pub fn modules(names: &[&str], is_project: bool) -> Result<Vec<Source>, Error> {
    // Of several traces, one after the other: they share the folder.
    static ONE: Mutex<()> = Mutex::new(());
    let _alone = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    let tracer = tracer();
    let name = format!(".retell-{}.bin", std::process::id());
    let answer = Passing(match is_project {
        true => Path::new(FOLDER).join(name),
        false => std::env::temp_dir().join(name),
    });
    let mut command = Command::new(&tracer);
    command.args(["compile", "-o"]).arg(&answer.0);
    command.args((!is_project).then_some("--no-project"));
    // A trace can name anything: what is no name of a file is no module.
    command
        .arg("--")
        .args(names.iter().filter(|name| !name.contains(['/', '\\', '\0'])));
    let ran = command.stdin(Stdio::null()).output().map_err(|error| {
        Error::Usage(format!(
            "cannot run {}: {error}; it is looked for beside replay, and in the PATH",
            safe_path(&tracer)
        ))
    })?;
    if !ran.status.success() {
        let said = [&ran.stdout[..], &ran.stderr[..]].map(|text| safe_lines(&String::from_utf8_lossy(text)));
        let said = match said.concat() {
            said if said.trim().is_empty() => format!("mix ended with {}, and said nothing\n", ran.status),
            said => said,
        };
        return Err(Error::Changed(format!("the project does not compile:\n{said}")));
    }
    let trace = Trace::open(&answer.0).map_err(|error| Error::from(error).about(&answer.0))?;
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

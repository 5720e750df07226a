//! A program as it is now, of which `tracer compile` knows: the project in the current folder, and modules by name.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};

use ::check::{self, CompiledProgram, Of, WantedProgram};
use log_format::{CompileOption, Trace, safe_lines, safe_path};
use session::error::Error;
use session::program::Sources;

/// Returns the modules that are named, as far as there are such, with the project's own or what was named.
///
/// # Errors
/// `tracer` cannot be run; the project does not compile.
pub fn modules(wanted: &WantedProgram<'_>) -> Result<CompiledProgram, Error> {
    // Of several traces, one after the other: they share the folder of the project.
    static ONE: Mutex<()> = Mutex::new(());
    let _alone = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    let tracer = tracer();
    let no_folder = |error: std::io::Error| Error::Usage(format!("cannot make a temporary folder: {error}"));
    let folder = tempfile::tempdir().map_err(no_folder)?;
    let answer = folder.path().join("program.bin");
    let mut command = Command::new(&tracer);
    command.args(["compile", "-o"]).arg(&answer);
    command.args(words(wanted)?);
    // A trace can name anything: what is no name of a file is no module.
    let modules = wanted.modules.iter().filter(|name| !name.contains(['/', '\\', '\0']));
    command.arg("--").args(modules);
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
        return Err(Error::Changed(match wanted.of {
            Of::Mix => format!("the project does not compile:\n{said}"),
            Of::Unit | Of::Suite => format!("the project cannot be read:\n{said}"),
            Of::Modules | Of::Files => said,
        }));
    }
    let trace = Trace::open(&answer).map_err(|error| Error::from(error).about(&answer))?;
    Ok(CompiledProgram {
        sources: Sources::of(&trace)?.all().to_vec(),
        words: trace.header().arguments.clone(),
    })
}

/// What `tracer compile` is told.
fn words(wanted: &WantedProgram<'_>) -> Result<Vec<OsString>, Error> {
    let mut words: Vec<OsString> = Vec::new();
    let release = release(wanted.recorded).map(|release| format!("--otp={release}").into());
    let what = match wanted.of {
        Of::Mix => return Ok(release.into_iter().collect()),
        Of::Modules => return Ok(release.into_iter().chain(["--no-project".into()]).collect()),
        Of::Unit => "unit",
        Of::Suite => "suite",
        Of::Files => "files",
    };
    words.push(format!("--describe={what}").into());
    words.extend(wanted.recorded.iter().map(|word| format!("--recorded={word}").into()));
    for option in wanted.defined {
        if let CompileOption::Define { name, value } = option {
            let value = value.as_ref().map_or_else(String::new, |value| format!("={value}"));
            words.push(format!("-D{name}{value}").into());
        }
    }
    for file in wanted.files {
        words.extend(["--file".into(), file.clone().into_os_string()]);
    }
    for path in wanted.program {
        if let Some(module) = check::named_module(path)? {
            let mut word = OsString::from(format!("--stub={module}="));
            word.push(path);
            words.push(word);
        }
    }
    Ok(words)
}

/// The release of OTP that a recorded command line asks for.
fn release(recorded: &[String]) -> Option<&str> {
    let own = recorded.split(|word| word == "--").next().unwrap_or_default();
    own.iter().enumerate().find_map(|(at, word)| match word.as_str() {
        "--otp" => own.get(at + 1).map(String::as_str),
        _ => word.strip_prefix("--otp="),
    })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_release_is_that_of_the_recorded_command() {
        let of = |line: &str| {
            let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
            release(&words).map(str::to_owned)
        };
        assert_eq!(of("tracer test --otp 28 --seed 1").as_deref(), Some("28"));
        assert_eq!(of("tracer run --otp=27 a.exs").as_deref(), Some("27"));
        assert_eq!(of("tracer run a.exs -- --otp 26"), None);
    }
}

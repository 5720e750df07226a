//! `tracer compare`: a program under an installed Erlang/OTP and under `tracer run`, and the first difference between the two.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;

use crate::cli::CompareArgs;
use crate::exit::Exit;

/// What a run showed.
struct Shown {
    stdout: Vec<u8>,
    /// Error reports on standard error, without times and pids.
    reports: String,
    status: i32,
    /// What the tool itself said on standard error.
    notes: Vec<String>,
    /// Ended because it took too long.
    killed: bool,
}

impl Shown {
    /// The exit status, for people.
    fn ended(&self) -> String {
        if self.killed {
            "none (killed: it did not end in the time given by --max-time)".to_owned()
        } else {
            self.status.to_string()
        }
    }
}

/// Runs the program under `erl` as `tracer run` does: its output alone on standard output, reports on standard error, 1 for a crash.
const HARNESS: &str = include_str!("compare_harness.erl");
const HARNESS_NAME: &str = "tracer_compare_harness";

/// Runs `tracer compare`.
pub fn compare(args: &CompareArgs) -> Exit {
    if let Some(input) = &args.input
        && let Err(error) = fs::File::open(input)
    {
        eprintln!(
            "tracer: cannot read {}: {error}; --input names the file that both runs read",
            input.display()
        );
        return Exit::NoInput;
    }
    let work = match Folder::new() {
        Ok(folder) => folder,
        Err(error) => {
            eprintln!("tracer: cannot make a folder for the compiled program: {error}");
            return Exit::NoOutput;
        }
    };
    let otp = match under_otp(args, &work.0) {
        Ok(shown) => shown,
        Err((exit, text)) => {
            eprintln!("tracer: {text}");
            return exit;
        }
    };
    let ours = match under_tracer(args) {
        Ok(shown) => shown,
        Err(error) => {
            eprintln!("tracer: cannot run the program: {error}");
            return Exit::Bug;
        }
    };
    match difference(&otp, &ours) {
        None => {
            println!(
                "same: {} bytes of standard output, {} of error reports, exit status {}",
                ours.stdout.len(),
                ours.reports.len(),
                ours.status
            );
            Exit::Success
        }
        Some(text) => {
            print!("{text}");
            Exit::Different
        }
    }
}

/// A folder of our own, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new() -> io::Result<Self> {
        let path = std::env::temp_dir().join(format!("tracer-compare-{}", std::process::id()));
        fs::create_dir_all(&path)?;
        Ok(Self(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What is left in a temporary folder is no reason to fail.
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn no_erl(program: &str, error: &io::Error) -> (Exit, String) {
    let text = if error.kind() == io::ErrorKind::NotFound {
        format!("`{program}` is not installed or not in PATH; `tracer compare` needs an Erlang/OTP 25 to compare with")
    } else {
        format!("cannot run `{program}`: {error}")
    };
    (Exit::NoInput, text)
}

/// Compiles with `erlc`, runs with `erl`.
fn under_otp(args: &CompareArgs, work: &Path) -> Result<Shown, (Exit, String)> {
    let harness = work.join(format!("{HARNESS_NAME}.erl"));
    fs::write(&harness, HARNESS).map_err(|e| (Exit::NoOutput, format!("cannot write {}: {e}", harness.display())))?;
    let mut files: Vec<PathBuf> = args.files.clone();
    files.extend(beside(&args.files));
    for (i, file) in files.iter().chain([&harness]).enumerate() {
        let mut erlc = Command::new("erlc");
        // From the folder that holds it, so that stack traces name the file as `tracer run` does.
        let folder = file.parent().filter(|p| !p.as_os_str().is_empty());
        if let Some(folder) = folder {
            erlc.current_dir(folder);
        }
        let name = file.file_name().unwrap_or_default();
        let here = std::env::current_dir().unwrap_or_default();
        for include in &args.includes {
            erlc.arg("-I").arg(here.join(include));
        }
        erlc.arg("-o").arg(work).arg(name);
        let output = erlc.output().map_err(|e| no_erl("erlc", &e))?;
        // Modules that were not named may be programs of their own: only what is named has to compile.
        let named = i < args.files.len() || i >= files.len();
        if !output.status.success() && named {
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            return Err((
                Exit::Program,
                format!("erlc refuses {}:\n{}", file.display(), text.trim_end()),
            ));
        }
    }
    let first = args.files[0].file_stem().unwrap_or_default();
    let (module, function) = match args.entry.as_deref().and_then(|e| e.split_once(':')) {
        Some((m, f)) => (OsString::from(m), OsString::from(f)),
        None => (first.to_owned(), OsString::from("main")),
    };
    let mut erl = Command::new("erl");
    erl.args(["-noshell", "-kernel", "logger"])
        .arg("[{handler,default,logger_std_h,#{config=>#{type=>standard_error}}}]")
        .arg("-pa")
        .arg(work)
        .args(["-s", HARNESS_NAME, "run"])
        .args([&module, &function])
        .arg("-extra")
        .args(&args.arguments);
    let output = timed(&mut erl, args).map_err(|e| no_erl("erl", &e))?;
    Ok(shown(&output))
}

/// Further modules of the program lie beside the named ones: those whose names the named ones call are compiled too.
fn beside(files: &[PathBuf]) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = Vec::new();
    let mut queue: Vec<PathBuf> = files.to_vec();
    while let Some(file) = queue.pop() {
        let Ok(text) = fs::read(&file) else { continue };
        let text = String::from_utf8_lossy(&text).into_owned();
        let folder = file.parent().unwrap_or(Path::new("")).to_path_buf();
        for (at, _) in text.match_indices(':') {
            let word: String = text[..at]
                .chars()
                .rev()
                .take_while(|c| c.is_ascii_alphanumeric() || *c == '_' || *c == '@')
                .collect();
            let word: String = word.chars().rev().collect();
            let path = folder.join(format!("{word}.erl"));
            if !word.is_empty() && path.is_file() && !files.contains(&path) && !found.contains(&path) {
                found.push(path.clone());
                queue.push(path);
            }
        }
    }
    found.sort();
    found
}

fn under_tracer(args: &CompareArgs) -> io::Result<Shown> {
    let mut run = Command::new(std::env::current_exe()?);
    run.args(["run", "--no-trace"]).args(&args.files);
    if let Some(entry) = &args.entry {
        run.arg("--entry").arg(entry);
    }
    for include in &args.includes {
        run.arg("-I").arg(include);
    }
    if !args.arguments.is_empty() {
        run.arg("--").args(&args.arguments);
    }
    timed(&mut run, args).map(|output| shown(&output))
}

/// Runs a command with the input that was asked for; after so many seconds it is ended.
fn timed(command: &mut Command, args: &CompareArgs) -> io::Result<Output> {
    let seconds = args.max_time;
    let input = match &args.input {
        Some(path) => Stdio::from(fs::File::open(path)?),
        None => Stdio::null(),
    };
    let mut child = command
        .stdin(input)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let (done, ended) = std::sync::mpsc::channel::<()>();
    let id = child.id().to_string();
    let watch = std::thread::spawn(move || {
        // Ended by itself: the other end of the channel is gone.
        if ended.recv_timeout(Duration::from_secs(seconds)) == Err(RecvTimeoutError::Timeout) {
            // The only portable way to a child that another thread waits for.
            let _ = Command::new("kill").arg("-9").arg(&id).status();
        }
    });
    let mut stdout = child.stdout.take().expect("it is piped");
    let reader = std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = io::Read::read_to_end(&mut stdout, &mut bytes);
        bytes
    });
    let mut stderr = Vec::new();
    let mut pipe = child.stderr.take().expect("it is piped");
    io::Read::read_to_end(&mut pipe, &mut stderr)?;
    let stdout = reader.join().unwrap_or_default();
    let status = child.wait()?;
    drop(done);
    let _ = watch.join();
    Ok(Output { status, stdout, stderr })
}

fn shown(output: &Output) -> Shown {
    use std::os::unix::process::ExitStatusExt;
    let stderr = String::from_utf8_lossy(&output.stderr);
    Shown {
        stdout: output.stdout.clone(),
        reports: normalise(&stderr),
        notes: stderr.lines().filter(|l| is_note(l)).map(str::to_owned).collect(),
        killed: output.status.signal() == Some(9),
        status: output
            .status
            .code()
            .unwrap_or_else(|| 128 + output.status.signal().unwrap_or_default()),
    }
}

/// A line of the tool that says more than exit status and error reports do.
fn is_note(line: &str) -> bool {
    line.strip_prefix("tracer: ")
        .is_some_and(|text| !text.starts_with("ok;") && !text.starts_with("crashed:") && !text.starts_with("halted"))
}

/// Error reports without what differs from run to run: times, pids, references, numbers of funs, lines of library modules, sizes.
fn normalise(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        if line.starts_with("tracer: ") || line.starts_with("  0.") {
            continue;
        }
        let line = match line.split_once("REPORT==== ") {
            Some((head, _)) => format!("{head}REPORT===="),
            None => line.to_owned(),
        };
        let sizes = ["    heap_size: ", "    stack_size: ", "    reductions: "];
        match sizes.iter().find(|s| line.starts_with(**s)) {
            Some(size) => out += size,
            None => out += &without_numbers(&line),
        }
        out.push('\n');
    }
    out
}

/// `<0.80.0>`, `#Ref<…>`, `#Fun<m.1.2>`, `-fun-3-`, `{line,12}` and `line 12)` without their numbers.
fn without_numbers(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some(c) = rest.chars().next() {
        if let Some(name) = rest.strip_prefix("#Fun<") {
            let end = name.find('>').unwrap_or(name.len());
            let module = name[..end].split('.').next().unwrap_or_default();
            out += "#Fun<";
            out += module;
            rest = &name[end..];
            continue;
        }
        let marks = ["<0.", "#Ref<", "-fun-", "{line,", ", line "];
        if let Some(mark) = marks.iter().find(|m| rest.starts_with(**m)) {
            out += mark;
            rest = rest[mark.len()..].trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
            continue;
        }
        out.push(c);
        rest = &rest[c.len_utf8()..];
    }
    out
}

/// The first difference, for people.
fn difference(otp: &Shown, ours: &Shown) -> Option<String> {
    let mut text = first_line("standard output", &otp.stdout, &ours.stdout);
    if otp.status != ours.status {
        text += &format!("exit status: erl {}, tracer {}\n", otp.ended(), ours.ended());
    }
    if text.is_empty() || otp.reports != ours.reports {
        text += &first_line("error report", otp.reports.as_bytes(), ours.reports.as_bytes());
    }
    if !text.is_empty() {
        // What the tool says of the run: that nothing can happen any more, or that a function is missing.
        ours.notes.iter().for_each(|note| text += &format!("{note}\n"));
    }
    (!text.is_empty()).then_some(text)
}

fn first_line(what: &str, otp: &[u8], ours: &[u8]) -> String {
    let key = |line: Option<&[u8]>| line.map(|bytes| without_numbers(&String::from_utf8_lossy(bytes)));
    let (mut left, mut right) = (otp.split(|&b| b == b'\n'), ours.split(|&b| b == b'\n'));
    let mut number = 1;
    loop {
        match (left.next(), right.next()) {
            (None, None) => return String::new(),
            (a, b) if key(a) == key(b) => number += 1,
            (a, b) => {
                return format!(
                    "{what}, line {number}:\n  erl    {}\n  tracer {}\n",
                    line_text(a),
                    line_text(b)
                );
            }
        }
    }
}

fn line_text(line: Option<&[u8]>) -> String {
    match line {
        Some(bytes) => String::from_utf8_lossy(bytes).into_owned(),
        None => "(no more lines)".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(stdout: &str, reports: &str, status: i32) -> Shown {
        Shown {
            stdout: stdout.as_bytes().to_vec(),
            reports: reports.to_owned(),
            status,
            notes: Vec::new(),
            killed: false,
        }
    }

    #[test]
    fn the_first_difference_is_shown() {
        assert_eq!(difference(&shown("a\nb\n", "", 0), &shown("a\nb\n", "", 0)), None);
        assert_eq!(
            difference(&shown("a\nb\n", "", 0), &shown("a\nc\n", "", 0)).as_deref(),
            Some("standard output, line 2:\n  erl    b\n  tracer c\n")
        );
        assert_eq!(
            difference(&shown("a\n", "x\n", 0), &shown("a\n", "", 1)).as_deref(),
            Some("exit status: erl 0, tracer 1\nerror report, line 1:\n  erl    x\n  tracer \n")
        );
        // Numbers of pids, references and funs differ in every run.
        assert_eq!(
            difference(&shown("<0.80.0>\n", "", 0), &shown("<0.1.0>\n", "", 0)),
            None
        );
    }

    #[test]
    fn reports_are_compared_without_what_differs_from_run_to_run() {
        assert_eq!(
            normalise(
                "=ERROR REPORT==== 21-Nov-2026::18:40:16.5 ===\nError in process <0.80.0> with #Fun<m.1.23>\n{line,12} (m.erl, line 3)\n    heap_size: 12\ntracer: note\n"
            ),
            "=ERROR REPORT====\nError in process <0.> with #Fun<m>\n{line,} (m.erl, line )\n    heap_size: \n"
        );
    }

    #[test]
    fn a_run_that_did_not_end_and_the_notes_of_the_tool_are_told() {
        let otp = Shown {
            killed: true,
            ..shown("", "", 137)
        };
        let ours = Shown {
            notes: vec!["tracer: nothing can happen any more".to_owned()],
            ..shown("", "", 80)
        };
        assert_eq!(
            difference(&otp, &ours).as_deref(),
            Some(
                "exit status: erl none (killed: it did not end in the time given by --max-time), tracer 80\n\
                 tracer: nothing can happen any more\n"
            )
        );
    }
}

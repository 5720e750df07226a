//! `tracer compare`: a program under an installed Erlang/OTP and under `tracer run`, and the first difference between the two.

use std::collections::HashSet;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;

use interpreter::{library, otp};
use tempfile::TempDir;

use crate::cli::CompareArgs;
use crate::error::{Error, InputError, OutputError, ProgramError, UsageError};
use crate::exit::Exit;
use crate::installed::{self, Installed};
use crate::{map_order, report};

/// The results of a run.
struct Shown {
    stdout: Vec<u8>,
    /// Error reports on standard error, without times and pids.
    reports: String,
    status: i32,
    /// The tool's own messages on standard error.
    notes: Vec<String>,
    /// Ended because it took too long.
    killed: bool,
}

impl Shown {
    /// The exit status, for people.
    fn ended(&self) -> String {
        if self.killed {
            "none (killed: it took longer than --max-time)".to_owned()
        } else {
            self.status.to_string()
        }
    }
}

/// Runs the program under `erl` as `tracer run` does: only its own output goes to standard output, reports go to standard error, and the status
/// is 1 for a crash.
const HARNESS: &str = include_str!("compare_harness.erl");
const HARNESS_NAME: &str = "tracer_compare_harness";

/// Runs `tracer compare`.
pub fn compare(args: &CompareArgs) -> Exit {
    let function = args.entry.as_deref().and_then(|entry| entry.split('/').next());
    if let Some(entry) = function.filter(|name| name.ends_with("_test_")) {
        return Error::from(UsageError::Generator(entry.to_owned())).told();
    }
    if let Some(input) = &args.input
        && let Err(error) = fs::File::open(input)
    {
        let path = input.clone();
        return Error::from(InputError::UnreadInput { path, error }).told();
    }
    if let Some(root) = args.otp_root.as_deref().filter(|root| !root.join("bin/erl").is_file()) {
        return Error::from(InputError::NoOtp(root.to_owned())).told();
    }
    let work = match TempDir::with_prefix("tracer-compare-") {
        Ok(folder) => folder,
        Err(error) => return Error::from(OutputError::CompareFolder(error)).told(),
    };
    for file in args.files.iter().chain(&args.input) {
        if let Err(error) = fs::File::open(file) {
            let path = file.clone();
            return Error::from(InputError::Unread { path, error }).told();
        }
    }
    let otp = match under_otp(args, work.path()) {
        Ok(shown) => shown,
        Err(error) => return error.told(),
    };
    let ours = match under_tracer(args) {
        Ok(shown) => shown,
        Err(error) => return Error::Itself(error).told(),
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

/// The program of an installed OTP: in the folder that was named, or in the path.
fn program(args: &CompareArgs, name: &str) -> OsString {
    match &args.otp_root {
        Some(root) if name != "erlc" || Installed::at(root).compiles() => root.join("bin").join(name).into(),
        _ => name.into(),
    }
}

fn no_erl(program: &'static str, error: io::Error) -> InputError {
    match error.kind() {
        io::ErrorKind::NotFound => InputError::NotInstalled(program),
        _ => InputError::NotRun { program, error },
    }
}

/// Compiles with `erlc`, runs with `erl`.
fn under_otp(args: &CompareArgs, work: &Path) -> Result<Shown, Error> {
    let harness = work.join(format!("{HARNESS_NAME}.erl"));
    fs::write(&harness, HARNESS).map_err(|error| OutputError::CompareFile {
        path: harness.clone(),
        error,
    })?;
    let mut files: Vec<PathBuf> = args.files.clone();
    let beside = beside(&args.files);
    files.extend(beside.modules);
    for (name, description) in beside.applications {
        // `erl` looks for it in a folder of its code path.
        fs::copy(&description, work.join(format!("{name}.app"))).map_err(|error| OutputError::CompareCopy {
            path: description.clone(),
            error,
        })?;
    }
    for (i, file) in files.iter().chain([&harness]).enumerate() {
        let mut erlc = Command::new(program(args, "erlc"));
        let here = std::env::current_dir().unwrap_or_default();
        for include in &args.includes {
            erlc.arg("-I").arg(here.join(include));
        }
        // Under the given path, which stack traces then show.
        erlc.arg("-o").arg(work).arg(file);
        let output = erlc.output().map_err(|error| no_erl("erlc", error))?;
        // Modules that were not named may be programs of their own: only named files have to compile.
        let named = i < args.files.len() || i >= files.len();
        if !output.status.success() && named {
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            let other = match &args.otp_root {
                Some(root) if !Installed::at(root).compiles() => {
                    format!(" (that in the path: {} has no compiler)", log_format::safe_path(root))
                }
                _ => String::new(),
            };
            let file = log_format::safe_path(file);
            let text = format!("erlc{other} refuses {file}:\n{}", text.trim_end());
            return Err(ProgramError::Refused(text).into());
        }
    }
    let first = args.files[0].file_stem().unwrap_or_default();
    let (module, function) = match args.entry.as_deref().and_then(|e| e.split_once(':')) {
        Some((m, f)) => (OsString::from(m), OsString::from(f)),
        None => (first.to_owned(), OsString::from("main")),
    };
    let mut erl = Command::new(program(args, "erl"));
    // A module that uses a feature cannot be loaded unless the feature is enabled.
    let has_feature = |file: &PathBuf| fs::read(file).is_ok_and(|text| text.windows(9).any(|at| at == b"-feature("));
    if files.iter().any(has_feature) {
        erl.args(["-enable-feature", "all"]);
    }
    erl.args(["-noshell", "-kernel", "logger"])
        .arg("[{handler,default,logger_std_h,#{config=>#{type=>standard_error}}}]")
        .arg("-pa")
        .arg(work)
        .args(["-s", HARNESS_NAME, "run"])
        .args([&module, &function])
        .arg("-extra")
        .args(&args.arguments);
    let output = timed(&mut erl, args).map_err(|error| no_erl("erl", error))?;
    Ok(shown(&output))
}

/// Files of the program besides the named ones.
#[derive(Default)]
struct Beside {
    /// Modules to compile.
    modules: Vec<PathBuf>,
    /// Descriptions of applications, each with the name under which it is found.
    applications: Vec<(String, PathBuf)>,
}

/// All files that the given files, and those found, mention by name. A module may occur in a call, in a child specification, in the description
/// of an application, or in a string that is turned into an atom.
fn beside(files: &[PathBuf]) -> Beside {
    let mut found = Beside::default();
    let mut seen: HashSet<(PathBuf, String)> = HashSet::new();
    let mut queue: Vec<PathBuf> = files.to_vec();
    while let Some(file) = queue.pop() {
        let Ok(text) = fs::read(&file) else { continue };
        let text = String::from_utf8_lossy(&text).into_owned();
        let folder = file.parent().unwrap_or(Path::new("")).to_path_buf();
        let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '@';
        for word in text.split(|c| !is_part(c)).filter(|word| !word.is_empty()) {
            if !seen.insert((folder.clone(), word.to_owned())) {
                continue;
            }
            let module = folder.join(format!("{word}.erl"));
            // As in `tracer run`, modules of the library are never taken from the program.
            if module.is_file()
                && (library::source(word).is_none() || !otp::is_old(word))
                && !files.contains(&module)
                && !found.modules.contains(&module)
            {
                found.modules.push(module.clone());
                queue.push(module);
            }
            if let Some(description) = application(&folder, word)
                && !found.applications.iter().any(|(name, _)| name == word)
            {
                found.applications.push((word.to_owned(), description.clone()));
                queue.push(description);
            }
        }
    }
    found.modules.sort();
    found
}

/// The description of an application: in the working folder, where `application:load/1` looks for it, or in the program's folder.
fn application(folder: &Path, name: &str) -> Option<PathBuf> {
    let candidates = [
        format!("{name}.app"),
        format!("ebin/{name}.app"),
        format!("src/{name}.app"),
        format!("src/{name}.app.src"),
        format!("{name}.app.src"),
    ];
    [Path::new(""), folder]
        .iter()
        .flat_map(|folder| candidates.iter().map(|candidate| folder.join(candidate)))
        .find(|path| path.is_file())
}

fn under_tracer(args: &CompareArgs) -> io::Result<Shown> {
    let mut run = Command::new(std::env::current_exe()?);
    run.args(["run", "--no-trace"]).args(&args.files);
    if let Some(root) = &args.otp_root {
        run.env(installed::VARIABLE, root).env_remove(installed::RELEASE);
    }
    if let Some(entry) = &args.entry {
        run.arg("--entry").arg(entry);
    }
    for include in &args.includes {
        run.arg("-I").arg(include);
    }
    if !args.arguments.is_empty() {
        run.arg("--").args(&args.arguments);
    }
    timed(&mut run, args).map(|output| {
        let mut shown = shown(&output);
        let is_told = |note: &String| note.strip_prefix("tracer: ").is_some_and(report::says_tests_failed);
        // `erl` does not say so with its status.
        if let Some(told) = shown.notes.iter().position(is_told)
            && shown.status == i32::from(Exit::TestsFailed.code())
        {
            shown.notes.remove(told);
            shown.status = 0;
        }
        shown
    })
}

/// Runs a command with the given input, and kills it after this many seconds.
fn timed(command: &mut Command, args: &CompareArgs) -> io::Result<Output> {
    let most = Duration::from_nanos(args.max_time);
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
        // If it has ended by itself, the other end of the channel is closed.
        if ended.recv_timeout(most) == Err(RecvTimeoutError::Timeout) {
            // The only portable way to kill a child that another thread waits for.
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

/// Is this a message of the tool that says more than exit status and error reports do?
fn is_note(line: &str) -> bool {
    line.strip_prefix("tracer: ")
        .is_some_and(|text| !text.starts_with("ok;") && !text.starts_with("crashed:") && !text.starts_with("halted"))
}

/// Error reports without what differs between runs: times, pids, references, numbers of funs, lines of library modules, sizes.
fn normalise(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        // `erl` says where its crash dump is; `tracer run` writes none.
        let dump = line.starts_with("Crash dump is being written to: ");
        if line.starts_with("tracer: ") || line.starts_with("  0.") || dump {
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
        // EUnit shows the time of a test that took a millisecond or more.
        if let Some(after) = rest
            .strip_prefix('[')
            .and_then(seconds)
            .and_then(|rest| rest.strip_prefix(" s] "))
        {
            rest = after;
            continue;
        }
        if let Some(time) = rest.strip_prefix(" in ").and_then(seconds)
            && time.starts_with(" s")
        {
            out += " in";
            rest = time;
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

/// The text after a number of seconds with three decimals.
fn seconds(text: &str) -> Option<&str> {
    let digits = |c: char| c.is_ascii_digit();
    let (whole, rest) = text.split_once('.')?;
    let behind = rest.trim_start_matches(digits);
    (!whole.is_empty() && whole.chars().all(digits) && rest.len() - behind.len() == 3).then_some(behind)
}

/// The first difference, for people.
fn difference(otp: &Shown, ours: &Shown) -> Option<String> {
    let mut text = first_line("standard output", &otp.stdout, &ours.stdout, false);
    if otp.status != ours.status {
        text += &format!("exit status: erl {}, tracer {}\n", otp.ended(), ours.ended());
    }
    if text.is_empty() || otp.reports != ours.reports {
        text += &first_line("error report", otp.reports.as_bytes(), ours.reports.as_bytes(), true);
    }
    if !text.is_empty() {
        // The tool's messages about the run: that nothing more can happen, or that a function is missing.
        ours.notes.iter().for_each(|note| text += &format!("{note}\n"));
    }
    (!text.is_empty()).then(|| text + only_maps(otp, ours))
}

/// What is said if only the order of keys in printed maps differs.
fn only_maps(otp: &Shown, ours: &Shown) -> &'static str {
    let sorted = |shown: &Shown| {
        let stdout = String::from_utf8_lossy(&shown.stdout);
        map_order::sorted(&without_numbers(&stdout)) + &map_order::sorted(&shown.reports)
    };
    match otp.status == ours.status && sorted(otp) == sorted(ours) {
        true => {
            "only the order of keys in printed maps differs: from OTP 26 on, it is that of BEAM's table of atoms, which depends on what was loaded before\n"
        }
        false => "",
    }
}

/// If numbers that are not compared differ in length, the line breaks of their term move: at most this many lines are joined for comparison.
const MOVED: usize = 24;

/// The first differing line. `shifted`: numbers of different lengths have already been removed.
fn first_line(what: &str, otp: &[u8], ours: &[u8], mut shifted: bool) -> String {
    let lines = |bytes: &[u8]| -> Vec<String> {
        let lines = bytes.split(|&b| b == b'\n');
        lines.map(|line| String::from_utf8_lossy(line).into_owned()).collect()
    };
    let (left, right) = (lines(otp), lines(ours));
    let (mut i, mut j) = (0, 0);
    while i < left.len() || j < right.len() {
        let key = |line: Option<&String>| line.map(|line| without_numbers(line));
        let (a, b) = (left.get(i), right.get(j));
        shifted |= key(a).as_ref() != a && a.map(String::len) != b.map(String::len);
        if key(a) == key(b) {
            (i, j) = (i + 1, j + 1);
        } else if let Some((of_left, of_right)) = shifted.then(|| moved(&left[i..], &right[j..])).flatten() {
            (i, j) = (i + of_left, j + of_right);
        } else {
            return format!(
                "{what}, line {}:\n  erl    {}\n  tracer {}\n",
                i + 1,
                line_text(a),
                line_text(b)
            );
        }
    }
    String::new()
}

/// The fewest lines of both that are equal except for blanks and line breaks.
fn moved(left: &[String], right: &[String]) -> Option<(usize, usize)> {
    let bare = |lines: &[String]| -> Vec<(usize, String)> {
        let mut text = String::new();
        let lines = lines.iter().take(MOVED).enumerate();
        lines
            .map(|(i, line)| {
                text.extend(without_numbers(line).chars().filter(|c| !c.is_ascii_whitespace()));
                (i + 1, text.clone())
            })
            .collect()
    };
    let right = bare(right);
    bare(left).into_iter().find_map(|(i, text)| {
        let same = right.iter().find(|(_, other)| !text.is_empty() && *other == text)?;
        Some((i, same.0))
    })
}

fn line_text(line: Option<&String>) -> &str {
    line.map_or("(no more lines)", String::as_str)
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
    fn the_order_of_maps_is_told_from_other_differences() {
        let text = difference(&shown("#{b => 1,a => 2}\n", "", 0), &shown("#{a => 2,b => 1}\n", "", 0)).unwrap();
        assert!(text.contains("only the order of keys"), "{text}");
        let text = difference(&shown("#{b => 1,a => 2}\n", "", 0), &shown("#{a => 2,b => 2}\n", "", 0)).unwrap();
        assert!(!text.contains("only the order of keys"), "{text}");
        let text = difference(&shown("#{b => 1,a => 2}\n", "", 0), &shown("#{a => 2,b => 1}\n", "", 1)).unwrap();
        assert!(!text.contains("only the order of keys"), "{text}");
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
        // Times of EUnit.
        let timed = "m: a_test...[0.001 s] ok\n  [done in 0.012 s]\nFinished in 0.012 seconds\n";
        let untimed = "m: a_test...ok\n  [done in 0.003 s]\nFinished in 0.003 seconds\n";
        assert_eq!(difference(&shown(timed, "", 0), &shown(untimed, "", 0)), None);
        assert!(difference(&shown("[0.5 s] ok\n", "", 0), &shown("ok\n", "", 0)).is_some());
        // Lines that shifted because of numbers of different lengths are equal; other blanks count.
        assert_eq!(
            difference(
                &shown("{a,[{line,240}],\n              b}\n", "", 0),
                &shown("{a,[{line,64}],\n             b}\n", "", 0)
            ),
            None
        );
        assert_eq!(
            difference(
                &shown("x\n", "  [pp,2,<0.>,\n   {a,b}]\nlast\n", 1),
                &shown("x\n", "  [pp,2,<0.>,{a,b}]\nlast\n", 1)
            ),
            None
        );
        assert_eq!(
            difference(
                &shown("[<0.80.0>,\n  b]\nc\n", "", 0),
                &shown("[<0.1.0>,b]\nd\n", "", 0)
            )
            .as_deref(),
            Some("standard output, line 3:\n  erl    c\n  tracer d\n")
        );
        assert!(difference(&shown("a  b\n", "", 0), &shown("a b\n", "", 0)).is_some());
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
                "exit status: erl none (killed: it took longer than --max-time), tracer 80\n\
                 tracer: nothing can happen any more\n"
            )
        );
    }
}

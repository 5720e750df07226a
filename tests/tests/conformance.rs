//! Every program of `tests/conformance/` under `tracer run`, compared with what Erlang/OTP 25 and 28 did.
//!
//! `tests/capture.sh` made the expected files: `NAME.out` of 25, and `NAME.out28` of 28 where it differs or there is none of 25. `uncaptured28.txt` lists
//! the programs that have not been run under 28, `differences28.txt` those that differ there. `unsupported.txt` lists the programs that must be refused, with words of the refusal;
//! `differences.txt` those that differ, with the reason. A program that behaves as under OTP has to be removed from the lists.
//! `CONFORMANCE=lists cargo test -p retell-tests -p retell-tracer conformance::` runs the programs whose path contains a word.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use tests::{BinaryRun, root};

/// Programs in which tests of EUnit fail. `erl` ends with status 0 all the same, `tracer run` with 1.
const TESTS_FAIL: &[&str] = &["misc/eunit_run"];

/// One program with its expected results.
struct Program {
    /// `area/name`.
    name: String,
    /// The module, then the further modules it needs.
    files: Vec<String>,
    folder: PathBuf,
    /// The node that it asks for.
    node: Option<String>,
    /// The release of OTP that it is of.
    release: Release,
    /// Has that release a result of its own?
    own_result: bool,
    stdout: Vec<u8>,
    status: i32,
    /// Standard error, without the times and pids of crash reports.
    stderr: String,
}

/// The reference, or the newest release.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Release {
    Otp25,
    Otp28,
}

impl Release {
    fn number(self) -> &'static str {
        match self {
            Self::Otp25 => "25",
            Self::Otp28 => "28",
        }
    }

    /// The file with what is expected of a program (`out`, `status` or `err`): what 25 does, unless there is another file for the release.
    fn expected(self, source: &Path, kind: &str) -> PathBuf {
        let own = source.with_extension(format!("{kind}{}", self.number()));
        match self {
            Self::Otp28 if own.exists() => own,
            _ => source.with_extension(kind),
        }
    }
}

fn programs(release: Release) -> Vec<Program> {
    let folder = root().join("tests/conformance");
    let uncaptured = match release {
        Release::Otp25 => BTreeMap::new(),
        Release::Otp28 => list("uncaptured28.txt"),
    };
    let mut found = Vec::new();
    for area in entries(&folder).into_iter().filter(|path| path.is_dir()) {
        for source in entries(&area)
            .into_iter()
            .filter(|path| path.extension().is_some_and(|e| e == "erl"))
        {
            let out = release.expected(&source, "out");
            let name = format!("{}/{}", file_name(&area), file_name(&source).trim_end_matches(".erl"));
            if !out.exists() || uncaptured.contains_key(&name) {
                continue;
            }
            let text = std::fs::read_to_string(&source).unwrap_or_else(|e| panic!("{}: {e}", source.display()));
            let mut files = vec![file_name(&source)];
            if let Some(more) = text.lines().next().and_then(|line| line.strip_prefix("%% with: ")) {
                files.extend(more.split_whitespace().map(str::to_owned));
            }
            let status = std::fs::read_to_string(release.expected(&source, "status"))
                .map_or(0, |text| text.trim().parse().expect("a status is a number"));
            found.push(Program {
                name,
                files,
                release,
                own_result: ["out", "status", "err"]
                    .iter()
                    .any(|kind| source.with_extension(format!("{kind}{}", release.number())).exists()),
                node: tests::node_of(&text),
                folder: area.clone(),
                stdout: std::fs::read(&out).expect("an expected output can be read"),
                stderr: expected_stderr(&release.expected(&source, "err")),
                status,
            });
        }
    }
    found
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap_or_else(|error| panic!("cannot list {}: {error}", folder.display()))
        .map(|entry| entry.expect("a folder entry").path())
        .collect();
    paths.sort();
    paths
}

fn file_name(path: &Path) -> String {
    path.file_name()
        .expect("a file has a name")
        .to_string_lossy()
        .into_owned()
}

/// `area/name: words`, one per line.
fn list(name: &str) -> BTreeMap<String, String> {
    let path = root().join("tests/conformance").join(name);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.lines()
        .filter(|line| !line.trim().is_empty() && !line.starts_with('#'))
        .map(|line| {
            let (name, words) = line.split_once(": ").unwrap_or_else(|| panic!("no `: ` in {line:?}"));
            (name.to_owned(), words.to_owned())
        })
        .collect()
}

/// Runs one program; the difference from what is expected, if any.
fn check(program: &Program, refusal: Option<&String>, differs: bool) -> Result<(), String> {
    let mut args = ["run", "--no-trace", "--quiet", "--virtual-time"]
        .map(str::to_owned)
        .to_vec();
    if let Some(node) = &program.node {
        args.extend(["--sname".to_owned(), node.clone()]);
    }
    args.extend(program.files.iter().cloned());
    let run = || BinaryRun::new("tracer", &program.folder, &args).env("TRACER_RELEASE", program.release.number());
    let outcome = std::panic::catch_unwind(|| run().run()).map_err(|_| "it did not end".to_owned())?;
    if outcome.stderr.contains("panicked at") {
        return Err(format!("a panic:\n{}", outcome.stderr));
    }
    let reports = normalise(&outcome.stderr);
    let status = match program.status {
        0 if TESTS_FAIL.contains(&program.name.as_str()) => 1,
        status => status,
    };
    let same = outcome.code == status && outcome.stdout == program.stdout && reports == program.stderr;
    if same && (refusal.is_some() || differs) {
        return Err("it behaves as under OTP: take it off unsupported.txt or differences.txt".to_owned());
    }
    if differs {
        return Ok(());
    }
    if let Some(words) = refusal {
        if !outcome.stderr.contains(words.as_str()) {
            return Err(format!(
                "it is to be refused with {words:?}, but exit code {} and:\n{}",
                outcome.code, outcome.stderr
            ));
        }
        return Ok(());
    }
    if same {
        return Ok(());
    }
    let mut text = String::new();
    if outcome.code != status {
        text += &format!("exit code {}, expected {status}\n", outcome.code);
    }
    text += &first_difference("stdout", &program.stdout, &outcome.stdout);
    text += &first_difference("stderr", program.stderr.as_bytes(), reports.as_bytes());
    Err(text)
}

/// Standard error under OTP, if there was any. It may be Latin-1.
fn expected_stderr(path: &Path) -> String {
    match std::fs::read(path) {
        Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(error) => panic!("{}: {error}", path.display()),
    }
}

/// Removes from crash reports what differs between runs or machines, as `tests/capture.sh` does.
fn normalise(stderr: &str) -> String {
    let mut text = String::new();
    // A line of a terminal may end with a carriage return, too.
    for line in stderr.split_terminator('\n') {
        if let Some((start, _)) = line.split_once("REPORT==== ") {
            text += &format!("{start}REPORT====\n");
            continue;
        }
        let line = replace_between(line, "<0.", ".0>", is_number, "<pid>");
        let line = replace_between(
            &line,
            "#Ref<",
            ">",
            |n| n.chars().all(|c| c.is_ascii_digit() || c == '.'),
            "<ref>",
        );
        // Funs are numbered differently in OTP (docs/limitations.md).
        let mut line = replace_between(&line, "-fun-", "-", is_number, "-fun-N-");
        for size in ["heap_size: ", "stack_size: ", "reductions: "] {
            if let Some((start, rest)) = line.split_once(size)
                && is_number(rest)
            {
                line = format!("{start}{size}N");
            }
        }
        for module in library() {
            // The second form is that of OTP 28.
            for before in [format!("({module}.erl, line "), format!("({module}.erl:")] {
                line = replace_between(&line, &before, ")", is_number, &format!("{before}N)"));
            }
            line = replace_between(
                &line,
                &format!("{{file,\"{module}.erl\"}},{{line,"),
                "}",
                is_number,
                &format!("{{file,\"{module}.erl\"}},{{line,N}}"),
            );
        }
        text += &line;
        text.push('\n');
    }
    // Lines of OTP's library have more digits, so that OTP breaks the line before the file.
    for module in library() {
        let file = format!("[{{file,\"{module}.erl\"}}");
        let mut parts = text.split(&file);
        let mut joined = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            if let Some(before) = joined.trim_end_matches(' ').strip_suffix(",\n") {
                joined.truncate(before.len() + 1);
            }
            joined += &file;
            joined += part;
        }
        text = joined;
    }
    // References are longer in OTP, so that OTP breaks the line beside them.
    let mut parts = text.split("{<pid>,");
    let mut joined = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        joined += "{<pid>,";
        let Some(rest) = after_break(part).strip_prefix("[alias|<ref>]}") else {
            joined += part;
            continue;
        };
        joined += "[alias|<ref>]}";
        let (brace, rest) = rest.strip_prefix('}').map_or(("", rest), |rest| ("}", rest));
        joined += brace;
        match rest.strip_prefix(',') {
            Some(rest) => {
                joined.push(',');
                joined += after_break(rest);
            }
            None => joined += rest,
        }
    }
    joined
}

/// The text without a leading line break and the spaces after it.
fn after_break(text: &str) -> &str {
    text.strip_prefix('\n').unwrap_or(text).trim_start_matches(' ')
}

/// The modules of the library that are written in Erlang.
fn library() -> &'static [String] {
    static MODULES: std::sync::OnceLock<Vec<String>> = std::sync::OnceLock::new();
    MODULES.get_or_init(|| {
        entries(&root().join("interpreter/lib"))
            .iter()
            .filter_map(|path| file_name(path).strip_suffix(".erl").map(str::to_owned))
            .collect()
    })
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_digit())
}

/// Inserts `new` wherever `start`, a text that satisfies `wanted`, and `end` follow each other.
fn replace_between(line: &str, start: &str, end: &str, wanted: impl Fn(&str) -> bool, new: &str) -> String {
    let mut parts = line.split(start);
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_once(end) {
            Some((middle, rest)) if wanted(middle) => {
                text += new;
                text += rest;
            }
            _ => {
                text += start;
                text += part;
            }
        }
    }
    text
}

fn first_difference(what: &str, expected: &[u8], found: &[u8]) -> String {
    let (expected, found) = (String::from_utf8_lossy(expected), String::from_utf8_lossy(found));
    let (mut left, mut right) = (expected.lines(), found.lines());
    for number in 1.. {
        match (left.next(), right.next()) {
            (None, None) => break,
            (a, b) if a == b => {}
            (a, b) => {
                return format!(
                    "{what} line {number}:\n  expected {}\n  found    {}\n",
                    shown(a),
                    shown(b)
                );
            }
        }
    }
    String::new()
}

fn shown(line: Option<&str>) -> String {
    line.map_or_else(|| "(nothing)".to_owned(), |text| text.chars().take(400).collect())
}

#[test]
fn programs_behave_as_under_otp() {
    behave(programs(Release::Otp25), &list("differences.txt"));
}

#[test]
fn programs_behave_as_under_otp_28() {
    let all = programs(Release::Otp28);
    let mut differences = list("differences.txt");
    differences.retain(|name, _| all.iter().any(|program| program.name == *name));
    differences.extend(list("differences28.txt"));
    behave(all, &differences);
}

fn behave(all: Vec<Program>, differences: &BTreeMap<String, String>) {
    // Programs write files in their folders, so only one release at a time runs them.
    static RELEASE: Mutex<()> = Mutex::new(());
    let _one = RELEASE.lock().unwrap_or_else(PoisonError::into_inner);
    let filter = std::env::var("CONFORMANCE").unwrap_or_default();
    let mut unsupported = list("unsupported.txt");
    unsupported.retain(|name, _| all.iter().any(|program| program.name == *name) || all[0].release == Release::Otp25);
    assert!(all.len() > 100, "only {} programs found", all.len());
    for name in unsupported.keys().chain(differences.keys()) {
        assert!(
            all.iter().any(|program| &program.name == name),
            "a list names {name}, which does not exist"
        );
    }
    let named = |program: &&Program| program.name.contains(&filter);
    let chosen: Vec<&Program> = match all[0].release {
        Release::Otp25 => all.iter().filter(named).collect(),
        // Of the many that do the same under both, a share in a quick run.
        Release::Otp28 => {
            let listed =
                |program: &Program| unsupported.contains_key(&program.name) || differences.contains_key(&program.name);
            let (special, same): (Vec<_>, Vec<_>) = all
                .iter()
                .filter(named)
                .partition(|program| program.own_result || listed(program));
            special
                .into_iter()
                .chain(seeds::share(same, if filter.is_empty() { 5 } else { 1 }))
                .collect()
        }
    };
    let next = AtomicUsize::new(0);
    let failures = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(|| {
                while let Some(program) = chosen.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Err(text) = check(
                        program,
                        unsupported.get(&program.name),
                        differences.contains_key(&program.name),
                    ) {
                        failures
                            .lock()
                            .expect("no check panics")
                            .push(format!("{}: {text}", program.name));
                    }
                }
            });
        }
    });
    let mut failures = failures.into_inner().expect("no check panics");
    failures.sort();
    assert!(
        failures.is_empty(),
        "{} of {} programs differ from OTP:\n\n{}",
        failures.len(),
        chosen.len(),
        failures.join("\n")
    );
}

#[test]
fn expected_output_names_no_pid_reference_or_fun() {
    for program in programs(Release::Otp25) {
        let text = String::from_utf8_lossy(&program.stdout);
        for sign in ["<0.", "#Ref<", "#Port<"] {
            assert!(!text.contains(sign), "{} prints {sign}", program.name);
        }
    }
}

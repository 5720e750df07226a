//! Helpers of the end-to-end tests: where the binaries and the Erlang programs are, and how to run them.
//!
//! The tests run the real binaries on the programs in the tree. They need neither an installed Erlang nor the network.

#![forbid(unsafe_code)]

pub mod generate;
pub mod goldens;
pub mod growth;
pub mod laws;
pub mod memory;
pub mod modules;
pub mod session_bench;

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// How long a command may work, in time of the processor, before the test kills it and fails. It guards against hanging, and measures nothing.
const WORK: Duration = Duration::from_secs(120);
/// How long a command may stand still before the test kills it and fails: on the busiest machine, one that can work does so in this time.
const IDLE: Duration = Duration::from_secs(120);
/// How long a command may take that works now and then, and where the processor's time is not known.
const PATIENCE: Duration = Duration::from_secs(1_200);

/// The root of the repository.
pub fn root() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().expect("the package lies in the workspace").to_owned()
}

/// The entry file of a fixture: `fixtures/NAME/NAME.erl`.
pub fn fixture(name: &str) -> PathBuf {
    root().join("fixtures").join(name).join(format!("{name}.erl"))
}

/// The names of all fixtures, sorted.
pub fn fixtures() -> Vec<String> {
    let folder = root().join("fixtures");
    let entries =
        std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("cannot list {}: {error}", folder.display()));
    let mut names: Vec<String> = entries
        .map(|entry| entry.expect("a folder entry").path())
        .filter(|path| path.is_dir())
        .map(|path| {
            path.file_name()
                .expect("a folder has a name")
                .to_string_lossy()
                .into_owned()
        })
        .filter(|name| fixture(name).exists())
        .collect();
    names.sort();
    names
}

/// The node that a program asks for: `%% node: NAME@HOST` in its first line.
#[must_use]
pub fn node_of(source: &str) -> Option<String> {
    let line = source.lines().next()?;
    Some(line.strip_prefix("%% node: ")?.trim().to_owned())
}

/// The path of a binary of this workspace (`tracer` or `replay`) in the folder that the running test or benchmark was built into.
///
/// # Panics
/// When it is not there, or older than its source: Cargo builds the binaries of a package only together with the tests of that package.
pub fn binary(name: &str) -> PathBuf {
    static CHECKED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    let running = std::env::current_exe().expect("a running test has a path");
    // A test is …/target/PROFILE/deps/TEST, the bench program …/target/PROFILE/bench.
    let mut folder = running.parent().expect("an executable lies in a folder");
    if folder.ends_with("deps") {
        folder = folder.parent().expect("deps lies in a folder");
    }
    let path = folder.join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    let mut checked = CHECKED.lock().unwrap_or_else(PoisonError::into_inner);
    if !checked.contains(&path) {
        if let Some(problem) = out_of_date(&path) {
            panic!(
                "{} {problem}. Build it with the tests: cargo test -p retell-tests -p retell-tracer -p retell-replayer [--profile …] [FILTER]",
                path.display()
            );
        }
        checked.insert(path.clone());
    }
    path
}

/// What is wrong with a binary, if anything: it was not built, or a source file that Cargo's list beside it names has changed since.
fn out_of_date(binary: &Path) -> Option<String> {
    let modified = |path: &Path| std::fs::metadata(path).and_then(|data| data.modified()).ok();
    let Some(built) = modified(binary) else {
        return Some("was not built".to_owned());
    };
    // `cargo build` writes the list; `cargo test` of the whole workspace builds the binary itself and writes none.
    let list = std::fs::read_to_string(binary.with_extension("d")).unwrap_or_default();
    let (_, sources) = list.split_once(": ")?;
    // A space in a name is written `\ `.
    let sources = sources.replace("\\ ", "\0");
    sources
        .split_whitespace()
        .map(|source| PathBuf::from(source.replace('\0', " ")))
        .find(|source| modified(source).is_none_or(|changed| changed > built))
        .map(|source| format!("is older than {}", source.display()))
}

/// The result of a command.
#[derive(Debug, Clone)]
pub struct CommandOutcome {
    /// The exit code; `128 + signal` if a signal terminated it.
    pub code: i32,
    /// Standard output, byte for byte.
    pub stdout: Vec<u8>,
    /// Standard error.
    pub stderr: String,
    /// The time of the processor that the command used; zero where that is not known. What a busy machine cannot change.
    pub work: Duration,
}

impl CommandOutcome {
    /// Standard output as text.
    pub fn out(&self) -> String {
        String::from_utf8_lossy(&self.stdout).into_owned()
    }

    /// Fails unless the exit code is `code`; shows what was printed.
    #[track_caller]
    pub fn expect(self, code: i32) -> Self {
        assert_eq!(
            self.code,
            code,
            "exit code\n-- stdout:\n{}\n-- stderr:\n{}",
            self.out(),
            self.stderr
        );
        self.no_panic()
    }

    /// Fails if the tool panicked.
    #[track_caller]
    pub fn no_panic(self) -> Self {
        assert!(
            !self.stderr.contains("panicked at") && self.code != 101,
            "a panic:\n{}",
            self.stderr
        );
        self
    }

    /// Fails unless standard output contains each of `words`.
    #[track_caller]
    pub fn prints(self, words: &[&str]) -> Self {
        let out = self.out();
        for word in words {
            assert!(out.contains(word), "standard output does not say {word:?}:\n{out}");
        }
        self
    }

    /// Fails unless standard error contains each of `words`.
    #[track_caller]
    pub fn says(self, words: &[&str]) -> Self {
        for word in words {
            assert!(
                self.stderr.contains(word),
                "stderr does not say {word:?}:\n{}",
                self.stderr
            );
        }
        self
    }
}

/// A command of one of our binaries, run in its own folder.
#[derive(Debug)]
pub struct BinaryRun {
    command: Command,
    input: Option<Vec<u8>>,
}

impl BinaryRun {
    /// `binary ARGS…`, in `folder`.
    pub fn new<I, A>(name: &str, folder: &Path, args: I) -> Self
    where
        I: IntoIterator<Item = A>,
        A: AsRef<OsStr>,
    {
        let binary = binary(name);
        let cache = binary.with_file_name("kept");
        let mut command = Command::new(binary);
        command.args(args).current_dir(folder).stdin(Stdio::null());
        // The test must not depend on what is installed on this machine.
        // Expected output is that of OTP 25, where nothing else is said.
        command
            .env("TRACER_OTP", "")
            .env("TRACER_RELEASE", "25")
            .env("TRACER_CACHE", cache)
            .env_remove("ERL_LIBS");
        Self { command, input: None }
    }

    /// Sets an environment variable.
    pub fn env(mut self, key: &str, value: &str) -> Self {
        self.command.env(key, value);
        self
    }

    /// Sets the command's standard input.
    pub fn input(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.input = Some(bytes.into());
        self
    }

    /// Sends standard output to `sink` instead of collecting it.
    pub fn stdout_to(mut self, sink: Stdio) -> Self {
        self.command.stdout(sink);
        self
    }

    /// Runs to the end.
    pub fn run(mut self) -> CommandOutcome {
        self.command.stdout(Stdio::piped());
        self.finish()
    }

    /// Runs to the end with the standard output set by [`BinaryRun::stdout_to`].
    pub fn finish(mut self) -> CommandOutcome {
        let mut child = self.start();
        if let Some(bytes) = self.input.take() {
            let mut pipe = child.stdin.take().expect("stdin is piped");
            // The command may exit without reading all of it.
            let _unread = pipe.write_all(&bytes);
        }
        wait(child)
    }

    /// Starts the command, for tests that do something while it runs; finish with [`wait`].
    pub fn start(&mut self) -> Child {
        if self.input.is_some() {
            self.command.stdin(Stdio::piped());
        }
        self.command.stderr(Stdio::piped());
        let shown = format!("{:?}", self.command);
        self.command
            .spawn()
            .unwrap_or_else(|error| panic!("cannot start {shown}: {error}"))
    }
}

/// Waits for a started command and collects what it printed.
///
/// # Panics
/// When the command does not end in time.
pub fn wait(mut child: Child) -> CommandOutcome {
    let stdout = child.stdout.take().map(read_all);
    let stderr = child.stderr.take().map(read_all);
    let start = Instant::now();
    // What it has used, and when it last used more.
    let (mut work, mut worked) = (Duration::ZERO, start);
    let status = loop {
        // A child that has ended can be asked what it has used until it is waited for.
        let ended = steady::ended(child.id());
        if let Some(used) = steady::used_by(child.id()).filter(|used| *used > work) {
            (work, worked) = (used, Instant::now());
        }
        if ended.unwrap_or(true)
            && let Some(status) = child.try_wait().expect("a child can be waited for")
        {
            break status;
        }
        if work > WORK || worked.elapsed() > IDLE || start.elapsed() > PATIENCE {
            let _gone = child.kill();
            panic!(
                "the command did not end: it worked for {work:?}, and {:?} ago for the last time",
                worked.elapsed()
            );
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    let take = |reader: Option<std::thread::JoinHandle<Vec<u8>>>| {
        reader
            .map(|handle| handle.join().expect("the reader does not panic"))
            .unwrap_or_default()
    };
    CommandOutcome {
        code: code(status),
        stdout: take(stdout),
        stderr: String::from_utf8_lossy(&take(stderr)).into_owned(),
        work,
    }
}

fn read_all(mut pipe: impl Read + Send + 'static) -> std::thread::JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        pipe.read_to_end(&mut bytes).expect("a pipe can be read");
        bytes
    })
}

#[cfg(unix)]
fn code(status: std::process::ExitStatus) -> i32 {
    use std::os::unix::process::ExitStatusExt;
    status
        .code()
        .unwrap_or_else(|| 128 + status.signal().expect("ended by a code or a signal"))
}

#[cfg(not(unix))]
fn code(status: std::process::ExitStatus) -> i32 {
    status.code().expect("a code")
}

/// A test's own folder, removed at the end unless the test failed.
#[derive(Debug)]
pub struct Folder(TempDir);

impl Folder {
    /// Creates an empty folder whose name starts with `name`.
    pub fn new(name: &str) -> Self {
        let folder = TempDir::with_prefix(format!("{name}-"));
        Self(folder.unwrap_or_else(|error| panic!("cannot create a folder for {name}: {error}")))
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Writes a file into the folder, or a folder in it, and returns its path.
    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path().join(name);
        let made = path.parent().map_or(Ok(()), std::fs::create_dir_all);
        made.and_then(|()| std::fs::write(&path, bytes))
            .unwrap_or_else(|error| panic!("cannot write {}: {error}", path.display()));
        path
    }

    /// Runs `tracer ARGS…` in the folder.
    pub fn tracer<I, A>(&self, args: I) -> CommandOutcome
    where
        I: IntoIterator<Item = A>,
        A: AsRef<OsStr>,
    {
        BinaryRun::new("tracer", self.path(), args).run()
    }

    /// Runs `replay ARGS…` in the folder.
    pub fn replay<I, A>(&self, args: I) -> CommandOutcome
    where
        I: IntoIterator<Item = A>,
        A: AsRef<OsStr>,
    {
        BinaryRun::new("replay", self.path(), args).run()
    }

    /// Records a fixture under a seed into `trace.bin`; the outcome is the run's.
    pub fn record(&self, name: &str, seed: u64) -> CommandOutcome {
        let file = fixture(name);
        let mut args = ["run", "--schedule=random", &format!("--seed={seed}"), "-o", "trace.bin"]
            .map(OsString::from)
            .to_vec();
        let source = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        if let Some(node) = node_of(&source) {
            args.push(format!("--name={node}").into());
        }
        args.push(file.into());
        self.tracer(args)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        self.0.disable_cleanup(std::thread::panicking());
    }
}

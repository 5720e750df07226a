//! The real world outside a program: files, clocks, environment, standard input and output.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use interpreter::print::text::to_latin1;
use system::outside::{Device, Line, Outside};

/// The machine that we run on.
pub struct Real {
    started: Instant,
    stdout: io::BufWriter<io::Stdout>,
    /// Variables that the program has set or removed, for itself only.
    changed: BTreeMap<String, Option<String>>,
    interrupted: Arc<AtomicBool>,
    /// Entropy that was asked for by `--seed`.
    seed: Option<u64>,
    /// Do standard output and standard error take UTF-8?
    unicode: [bool; 2],
}

impl Real {
    /// The real outside; `interrupted` is set by a signal handler. With a seed, entropy is a function of it.
    #[must_use]
    pub fn new(interrupted: Arc<AtomicBool>, seed: Option<u64>) -> Self {
        Self {
            started: Instant::now(),
            stdout: io::BufWriter::with_capacity(1 << 16, io::stdout()),
            changed: BTreeMap::new(),
            interrupted,
            seed,
            // As `erl -noshell` and `escript` of OTP 25 have it.
            unicode: [true; 2],
        }
    }
}

impl Outside for Real {
    fn monotonic(&mut self) -> u64 {
        self.started.elapsed().as_nanos() as u64
    }
    fn system_time(&mut self) -> i64 {
        match SystemTime::now().duration_since(UNIX_EPOCH) {
            Ok(d) => d.as_nanos() as i64,
            Err(e) => -(e.duration().as_nanos() as i64),
        }
    }
    fn zone_offset(&mut self) -> i32 {
        // The standard library knows no time zones; `date` does, and it is asked at most once a run.
        static OFFSET: std::sync::OnceLock<i32> = std::sync::OnceLock::new();
        *OFFSET.get_or_init(|| {
            let Ok(output) = std::process::Command::new("date").arg("+%z").output() else {
                return 0;
            };
            let text = String::from_utf8_lossy(&output.stdout);
            let text = text.trim();
            let Some((sign, digits)) = text.split_at_checked(1) else {
                return 0;
            };
            let Ok(number) = digits.parse::<i32>() else { return 0 };
            let seconds = (number / 100) * 3600 + (number % 100) * 60;
            if sign == "-" { -seconds } else { seconds }
        })
    }
    fn sleep(&mut self, until: Option<u64>) {
        // In pieces, so that Ctrl-C is noticed.
        loop {
            if self.interrupted() {
                return;
            }
            let now = self.monotonic();
            let left = match until {
                Some(until) if until <= now => return,
                Some(until) => until - now,
                None => u64::MAX,
            };
            std::thread::sleep(Duration::from_nanos(left.min(20_000_000)));
        }
    }
    fn write(&mut self, device: Device, bytes: &[u8]) -> io::Result<()> {
        let bytes = &*if self.unicode[usize::from(device == Device::Stderr)] {
            bytes.into()
        } else {
            to_latin1(bytes)
        };
        match device {
            Device::Stdout => {
                self.stdout.write_all(bytes)?;
                // A line is shown when it is complete, as a terminal user expects; the buffer serves the rest.
                if bytes.contains(&b'\n') {
                    self.stdout.flush()
                } else {
                    Ok(())
                }
            }
            Device::Stderr => {
                self.stdout.flush()?;
                io::stderr().write_all(bytes)
            }
        }
    }
    fn set_encoding(&mut self, device: Device, unicode: bool) {
        self.unicode[usize::from(device == Device::Stderr)] = unicode;
    }
    fn flush(&mut self) {
        // A closed pipe must not stop the program.
        let _ = self.stdout.flush();
    }
    fn read_line(&mut self) -> Line {
        self.flush();
        let mut line = Vec::new();
        match io::stdin().lock().read_until(b'\n', &mut line) {
            Ok(0) => Line::Eof,
            Ok(_) => Line::Text(line),
            Err(e) => Line::Failed(posix(&e).to_owned()),
        }
    }
    fn entropy(&mut self) -> u64 {
        if let Some(seed) = &mut self.seed {
            *seed = system::scheduler::mix(seed.wrapping_add(0x9e37_79b9_7f4a_7c15));
            return *seed;
        }
        use std::hash::{BuildHasher, Hasher};
        std::collections::hash_map::RandomState::new().build_hasher().finish()
    }
    fn variable(&mut self, name: &str) -> Option<String> {
        match self.changed.get(name) {
            Some(value) => value.clone(),
            None if name.is_empty() || name.contains(['=', '\0']) => None,
            None => std::env::var_os(name).map(|v| v.to_string_lossy().into_owned()),
        }
    }
    fn set_variable(&mut self, name: &str, value: Option<&str>) {
        self.changed.insert(name.to_owned(), value.map(str::to_owned));
    }
    fn variables(&mut self) -> Vec<(String, String)> {
        let mut all: BTreeMap<String, String> = std::env::vars_os()
            .map(|(k, v)| (k.to_string_lossy().into_owned(), v.to_string_lossy().into_owned()))
            .collect();
        for (key, value) in &self.changed {
            match value {
                Some(v) => all.insert(key.clone(), v.clone()),
                None => all.remove(key),
            };
        }
        all.into_iter().collect()
    }
    fn read_file(&mut self, path: &str) -> Result<Vec<u8>, String> {
        fs::read(path).map_err(|e| posix(&e).to_owned())
    }
    fn write_file(&mut self, path: &str, bytes: &[u8], append: bool) -> Result<(), String> {
        let mut options = fs::OpenOptions::new();
        if append {
            options.append(true).create(true);
        } else {
            options.write(true).create(true).truncate(true);
        }
        options
            .open(path)
            .and_then(|mut f| f.write_all(bytes))
            .map_err(|e| posix(&e).to_owned())
    }
    fn interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }
}

/// The POSIX name of an error, as Erlang gives it.
fn posix(error: &io::Error) -> &'static str {
    use io::ErrorKind as K;
    match error.kind() {
        K::NotFound => "enoent",
        K::PermissionDenied => "eacces",
        K::AlreadyExists => "eexist",
        K::IsADirectory => "eisdir",
        K::NotADirectory => "enotdir",
        K::StorageFull => "enospc",
        K::InvalidInput => "einval",
        K::ReadOnlyFilesystem => "erofs",
        K::BrokenPipe => "epipe",
        K::WouldBlock => "eagain",
        K::Interrupted => "eintr",
        K::QuotaExceeded => "edquot",
        K::FileTooLarge => "efbig",
        _ => "eio",
    }
}

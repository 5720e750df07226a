//! The one door to the world outside the program: every effect goes through [`Outside`], where it is performed, simulated or refused.

use std::io;

use crate::files::{FileAnswer, FileInfo, FileRequest, FileType};

/// A device that a program writes to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Device {
    /// Standard output.
    Stdout,
    /// Standard error.
    Stderr,
}

impl Device {
    /// The number used in traces.
    #[must_use]
    pub const fn number(self) -> u8 {
        match self {
            Self::Stdout => 1,
            Self::Stderr => 2,
        }
    }
}

/// What a line read from standard input gave.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Line {
    /// A line with its line break (the last one may lack it).
    Text(Vec<u8>),
    /// Nothing more.
    Eof,
    /// It could not be read; the text says why.
    Failed(String),
    /// The person asked to stop while it was waited for.
    Interrupted,
}

/// The world outside the program.
///
/// Implemented for real by the recorder and by [`Simulated`] for replay, exploration and what-if.
pub trait Outside: Send {
    /// Nanoseconds since an arbitrary start, never going back.
    fn monotonic(&mut self) -> u64;
    /// Nanoseconds since 1970-01-01 UTC.
    fn system_time(&mut self) -> i64;
    /// Seconds east of UTC of the local time zone at this moment.
    fn zone_offset(&mut self) -> i32;
    /// Waits until [`Self::monotonic`] reaches `until` (for ever if `None`), or earlier when interrupted.
    fn sleep(&mut self, until: Option<u64>);
    /// Writes a text (UTF-8) to a device.
    ///
    /// # Errors
    /// Those of the device.
    fn write(&mut self, device: Device, bytes: &[u8]) -> io::Result<()>;
    /// How characters beyond ASCII leave through a device from now on: as UTF-8, or as Latin-1 with `\\x{…}` for what has none (the default of
    /// `erl`). What is written is UTF-8 in any case.
    fn set_encoding(&mut self, device: Device, unicode: bool);
    /// What [`Outside::set_encoding`] has set: is it UTF-8?
    fn is_unicode(&self, device: Device) -> bool;
    /// Makes sure that everything written has left the process.
    fn flush(&mut self);
    /// One line of standard input.
    fn read_line(&mut self) -> Line;
    /// A seed that differs from run to run.
    fn entropy(&mut self) -> u64;
    /// The value of an environment variable.
    fn variable(&mut self, name: &str) -> Option<String>;
    /// Sets (or with `None` removes) an environment variable, for this program only.
    fn set_variable(&mut self, name: &str, value: Option<&str>);
    /// All environment variables, sorted by name.
    fn variables(&mut self) -> Vec<(String, String)>;
    /// Reads a whole file.
    ///
    /// # Errors
    /// The POSIX name of the error, for example `enoent`.
    fn read_file(&mut self, path: &str) -> Result<Vec<u8>, String>;
    /// Writes a whole file, or appends to it.
    ///
    /// # Errors
    /// The POSIX name of the error.
    fn write_file(&mut self, path: &str, bytes: &[u8], append: bool) -> Result<(), String>;
    /// Does something with the file system.
    ///
    /// # Errors
    /// The POSIX name of the error.
    fn file(&mut self, request: FileRequest<'_>) -> Result<FileAnswer, String>;
    /// Has the operating system's shell carry out a command; what that wrote to standard output and standard error.
    fn command(&mut self, command: &str) -> Vec<u8>;
    /// The operating system's number of this process.
    fn process_id(&mut self) -> u32;
    /// Has the person asked to stop (Ctrl-C, SIGTERM)?
    fn interrupted(&self) -> bool;
    /// The same outside once more, for a checkpoint; none where it cannot be had twice (the real one).
    fn snapshot(&self) -> Option<Box<dyn Outside>> {
        None
    }
}

/// A world of its own: clocks that only move when told, nothing to read, output kept in memory.
#[derive(Clone, Debug, Default)]
pub struct Simulated {
    now: u64,
    /// What the program wrote, in order.
    pub written: Vec<(u8, Vec<u8>)>,
    variables: std::collections::BTreeMap<String, String>,
    files: std::collections::BTreeMap<String, Vec<u8>>,
    seed: u64,
    unicode: [bool; 2],
}

impl Simulated {
    /// A world whose entropy is a function of `seed`.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self {
            seed,
            ..Self::default()
        }
    }
}

/// The moment at which simulated system time starts: 2020-01-01 00:00:00 UTC, in nanoseconds since 1970.
pub const SIMULATED_EPOCH: i64 = 1_577_836_800_000_000_000;

impl Outside for Simulated {
    fn monotonic(&mut self) -> u64 {
        self.now
    }
    fn system_time(&mut self) -> i64 {
        SIMULATED_EPOCH + self.now as i64
    }
    fn zone_offset(&mut self) -> i32 {
        0
    }
    fn sleep(&mut self, until: Option<u64>) {
        if let Some(until) = until {
            self.now = self.now.max(until);
        }
    }
    fn write(&mut self, device: Device, bytes: &[u8]) -> io::Result<()> {
        self.written.push((device.number(), bytes.to_vec()));
        Ok(())
    }
    fn set_encoding(&mut self, device: Device, unicode: bool) {
        self.unicode[usize::from(device == Device::Stderr)] = unicode;
    }
    fn is_unicode(&self, device: Device) -> bool {
        self.unicode[usize::from(device == Device::Stderr)]
    }
    fn flush(&mut self) {}
    fn read_line(&mut self) -> Line {
        Line::Eof
    }
    fn entropy(&mut self) -> u64 {
        self.seed = crate::scheduler::mix(self.seed);
        self.seed
    }
    fn variable(&mut self, name: &str) -> Option<String> {
        self.variables.get(name).cloned()
    }
    fn set_variable(&mut self, name: &str, value: Option<&str>) {
        match value {
            Some(v) => self.variables.insert(name.to_owned(), v.to_owned()),
            None => self.variables.remove(name),
        };
    }
    fn variables(&mut self) -> Vec<(String, String)> {
        self.variables.iter().map(|(k, v)| (k.clone(), v.clone())).collect()
    }
    fn read_file(&mut self, path: &str) -> Result<Vec<u8>, String> {
        self.files.get(path).cloned().ok_or_else(|| "enoent".to_owned())
    }
    fn write_file(&mut self, path: &str, bytes: &[u8], append: bool) -> Result<(), String> {
        let file = self.files.entry(path.to_owned()).or_default();
        if !append {
            file.clear();
        }
        file.extend_from_slice(bytes);
        Ok(())
    }
    /// Files have names and contents; there are no directories but the root.
    fn file(&mut self, request: FileRequest<'_>) -> Result<FileAnswer, String> {
        let none = || "enoent".to_owned();
        match request {
            FileRequest::List(_) => Ok(FileAnswer::Names(self.files.keys().cloned().collect())),
            FileRequest::Info { path, .. } => {
                let size = self.files.get(path).ok_or_else(none)?.len() as u64;
                Ok(FileAnswer::Info(FileInfo {
                    size,
                    kind: FileType::Regular,
                    access: (true, true),
                    times: [SIMULATED_EPOCH / 1_000_000_000; 3],
                    mode: 0o100_644,
                    numbers: [1, 0, 0, 0, 0],
                }))
            }
            FileRequest::Delete(path) => self.files.remove(path).map(|_| FileAnswer::Done).ok_or_else(none),
            FileRequest::Rename(from, to) => {
                let bytes = self.files.remove(from).ok_or_else(none)?;
                self.files.insert(to.to_owned(), bytes);
                Ok(FileAnswer::Done)
            }
            FileRequest::Link(from, to) => {
                let bytes = self.files.get(from).cloned().ok_or_else(none)?;
                self.files.insert(to.to_owned(), bytes);
                Ok(FileAnswer::Done)
            }
            FileRequest::SetMode(path, _) => self.files.get(path).map(|_| FileAnswer::Done).ok_or_else(none),
            FileRequest::CurrentDir => Ok(FileAnswer::Names(vec!["/".to_owned()])),
            FileRequest::ReadLink(_) => Err("einval".to_owned()),
            FileRequest::MakeDir(_)
            | FileRequest::DeleteDir(_)
            | FileRequest::Symlink(..)
            | FileRequest::SetCurrentDir(_) => Err("enotsup".to_owned()),
        }
    }
    fn command(&mut self, _: &str) -> Vec<u8> {
        Vec::new()
    }
    fn process_id(&mut self) -> u32 {
        1
    }
    fn interrupted(&self) -> bool {
        false
    }
    fn snapshot(&self) -> Option<Box<dyn Outside>> {
        Some(Box::new(self.clone()))
    }
}

//! The one door to the world outside the program: every effect goes through [`Outside`], where it is performed, simulated or refused.

use std::io;
use std::sync::Arc;

use interpreter::newer::Newer;
use syntax::Release;

use crate::error::Posix;
use crate::files::{FileAnswer, FileInfo, FileRequest, FileType};
use crate::handles::{Disk, FileAccess, HandleAnswer, HandleRequest, Opened};

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

/// Does a program of this release begin with UTF-8 on its devices? Before 26, `erl -noshell` began with Latin-1 in any locale; since then, with the
/// encoding of the locale, which is that of the captured output.
#[must_use]
pub fn has_unicode_output(release: Release) -> bool {
    Newer::Utf8Devices.is_in(release)
}

/// The result of reading a line from standard input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Line {
    /// A line with its line break (the last one may lack it).
    Text(Vec<u8>),
    /// Nothing more.
    Eof,
    /// It could not be read; the text says why.
    Failed(String),
    /// The user asked to stop while waiting for it.
    Interrupted,
}

/// A program that is to run beside the program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ProgramBeside {
    /// Is it a command for the shell, and not a file?
    pub is_shell: bool,
    /// The file or the command.
    pub program: Vec<u8>,
    /// The name that it is given for itself.
    pub name: Option<Vec<u8>>,
    /// Its arguments.
    pub arguments: Vec<Vec<u8>>,
    /// Where it runs.
    pub folder: Option<Vec<u8>>,
    /// Variables of the environment that are set or removed.
    pub variables: Vec<(Vec<u8>, Option<Vec<u8>>)>,
    /// Is its standard output read?
    pub is_read: bool,
    /// Is there something to be written to it?
    pub is_written: bool,
    /// Does its standard error go to its standard output?
    pub with_errors: bool,
}

impl ProgramBeside {
    /// The first byte of an event: it has written what follows.
    pub const DATA: u8 = 0;
    /// It has closed its standard output.
    pub const END: u8 = 1;
    /// It has ended; the status follows as four bytes.
    pub const STATUS: u8 = 2;
    /// It takes no more.
    pub const NOT_WRITTEN: u8 = 3;
    /// Nothing more comes.
    pub const CLOSED: u8 = 4;
}

/// What a request for a file or a variable found in a simulated world.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Touched {
    /// Something that the program has not made: the real contents are not known.
    #[default]
    Unknown,
    /// Something that the program has made, changed or removed itself.
    Found,
    /// Nothing was read: something was made, changed or removed.
    Changed,
    /// Something of the ground on which the world stands.
    Ground,
}

/// Files on which a simulated world stands: those of a project as they are now. They are only read.
pub trait Ground: Send + Sync {
    /// The contents of a file. `None`: it is not one of these.
    fn read(&self, path: &str) -> Option<Result<Vec<u8>, Posix>>;
    /// The names in a folder, or what a file is. `None`: it is not one of these, or something else is asked for.
    fn look(&self, request: FileRequest<'_>) -> Option<Result<FileAnswer, Posix>>;
}

/// The ground of a world, if it has one.
#[derive(Clone, Default)]
struct WorldGround(Option<Arc<dyn Ground>>);

impl std::fmt::Debug for WorldGround {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if self.0.is_some() { "a ground" } else { "no ground" })
    }
}

/// The world outside the program.
///
/// Implemented for real by the recorder and by [`Simulated`] for replay, exploration and what-if.
pub trait Outside: Send {
    /// Nanoseconds since an arbitrary start, never going back.
    fn monotonic(&mut self) -> u64;
    /// Nanoseconds since 1970-01-01 UTC.
    fn system_time(&mut self) -> i64;
    /// The system time at the start of a run with a virtual clock.
    fn simulated_start(&self) -> i64 {
        SIMULATED_EPOCH
    }
    /// The offset of local time from UTC in seconds (east is positive) at a moment, in seconds since 1970. `zone`: as in the variable `TZ`; none is
    /// that of the machine. 0 unless the outside knows time zones.
    fn zone_offset(&mut self, _at: i64, _zone: Option<&str>) -> i64 {
        0
    }
    /// The moment at which clocks show a local time (given in seconds since 1970 as if it were UTC): in summer time, in standard time, or in
    /// whichever applies.
    fn universal(&mut self, local: i64, is_dst: Option<bool>, _zone: Option<&str>) -> i64 {
        without_summer_time(local, is_dst)
    }
    /// Waits until [`Self::monotonic`] reaches `until` (for ever if `None`), or earlier when interrupted.
    fn sleep(&mut self, until: Option<u64>);
    /// Writes a text (UTF-8) to a device.
    ///
    /// # Errors
    /// Those of the device.
    fn write(&mut self, device: Device, bytes: &[u8]) -> io::Result<()>;
    /// Writes a message of the tool, in any encoding that the program has set.
    fn note(&mut self, text: &str) {
        let unicode = self.is_unicode(Device::Stderr);
        self.set_encoding(Device::Stderr, true);
        // A closed pipe must not change what the program does.
        let _ = self.write(Device::Stderr, text.as_bytes());
        self.set_encoding(Device::Stderr, unicode);
    }
    /// Sets the encoding of a device for characters beyond ASCII: UTF-8, or Latin-1 with `\\x{…}` for others (the default of `erl`). The text
    /// passed to [`Outside::write`] is UTF-8 in any case.
    fn set_encoding(&mut self, device: Device, unicode: bool);
    /// What [`Outside::set_encoding`] has set: is it UTF-8?
    fn is_unicode(&self, device: Device) -> bool;
    /// Makes sure that all output has left the process.
    fn flush(&mut self);
    /// One line of standard input; waits for it.
    fn read_line(&mut self) -> Line;
    /// Can [`Outside::read_line`] return without waiting? If not, a line is requested, and [`Outside::rest`] ends when it has come.
    fn has_line(&mut self) -> bool {
        true
    }
    /// Waits like [`Outside::sleep`], or until something requested has come: a line, or the end of a command.
    fn rest(&mut self, until: Option<u64>) {
        self.sleep(until);
    }
    /// A seed that differs from run to run.
    fn entropy(&mut self) -> u64;
    /// From here on, what depends on a seed depends on this number, too, and the clock of a run with a virtual one is less than a millisecond ahead.
    fn draws_anew(&mut self, _draw: u64) {}
    /// The value of an environment variable.
    fn variable(&mut self, name: &str) -> Option<String>;
    /// Sets (or with `None` removes) an environment variable, for this program only.
    fn set_variable(&mut self, name: &str, value: Option<&str>);
    /// All environment variables, sorted by name.
    fn variables(&mut self) -> Vec<(String, String)>;
    /// Reads a whole file.
    ///
    /// # Errors
    /// Why not.
    fn read_file(&mut self, path: &str) -> Result<Vec<u8>, Posix>;
    /// Writes a whole file, or appends to it.
    ///
    /// # Errors
    /// Why not.
    fn write_file(&mut self, path: &str, bytes: &[u8], append: bool) -> Result<(), Posix>;
    /// Performs an operation on the file system.
    ///
    /// # Errors
    /// Why not.
    fn file(&mut self, request: FileRequest<'_>) -> Result<FileAnswer, Posix>;
    /// Opens a file; the program names it by `key`.
    ///
    /// # Errors
    /// Why not.
    fn open_file(&mut self, key: &[u8], path: &str, access: FileAccess) -> Result<Opened, Posix>;
    /// Performs an operation on an open file. `path`: what it was opened by.
    ///
    /// # Errors
    /// Why not.
    fn on_file(&mut self, key: &[u8], path: &str, request: HandleRequest<'_>) -> Result<HandleAnswer, Posix>;
    /// A process has made a request to an open file.
    fn file_is_used(&mut self, _key: &[u8], _process: u64) {}
    /// A process has ended: what files it used last are closed.
    fn process_has_ended(&mut self, _process: u64) {}
    /// What the last request for a file or a variable found: only in a simulated world.
    fn last_touched(&self) -> Touched {
        Touched::Unknown
    }
    /// Runs a command in the operating system's shell; returns its standard output and standard error.
    fn command(&mut self, command: &str) -> Vec<u8>;
    /// Starts a command that runs beside the program. Returns its number, for [`Outside::finished`].
    fn begin(&mut self, command: &str) -> u64;
    /// The output of a command that has ended; returned once. [`Outside::rest`] ends when it has ended.
    fn finished(&mut self, number: u64) -> Option<Vec<u8>>;
    /// Starts a program that runs beside the program. Returns its number, for [`Outside::finished`], which gives what has come from it, one event after
    /// the other (the first byte says what: [`ProgramBeside::DATA`] and others), and the operating system's number of it.
    ///
    /// # Errors
    /// Why not. In a simulated world, no program can be started.
    fn open(&mut self, _wanted: &ProgramBeside) -> Result<(u64, u32), Posix> {
        Err(Posix("enotsup"))
    }
    /// Writes to the standard input of such a program.
    fn give(&mut self, _number: u64, _bytes: &[u8]) {}
    /// Closes the standard input of such a program, and reads no more from it.
    fn close(&mut self, _number: u64) {}
    /// A test runner tells its caller something about a test: the first word says what, the others are its parts. Ignored unless the caller of
    /// the run asked for it.
    fn told(&mut self, _about_a_test: Vec<String>) {}
    /// The operating system's number of this process.
    fn process_id(&mut self) -> u32;
    /// What the program has printed, if that was kept.
    fn printed(&self) -> Option<Vec<u8>> {
        None
    }
    /// What test runners have told ([`Self::told`]), if that was kept.
    fn heard(&self) -> &[Vec<String>] {
        &[]
    }
    /// Has the user asked to stop (Ctrl-C, SIGTERM)?
    fn interrupted(&self) -> bool;
    /// A copy of the outside, for a checkpoint; `None` if there can be no copy (of the real one).
    fn snapshot(&self) -> Option<Box<dyn Outside>> {
        None
    }
}

/// [`Outside::universal`] for UTC. If a zone has no summer time, summer time is taken to be an hour ahead, as in the C library.
#[must_use]
pub fn without_summer_time(local: i64, is_dst: Option<bool>) -> i64 {
    local - if is_dst == Some(true) { 3600 } else { 0 }
}

/// A simulated world: clocks that only move when told, nothing to read, output kept in memory.
#[derive(Clone, Debug, Default)]
pub struct Simulated {
    now: u64,
    /// What the program wrote, in order.
    pub written: Vec<(u8, Vec<u8>)>,
    variables: std::collections::BTreeMap<String, String>,
    files: Disk,
    /// What open files were found to be.
    opened: std::collections::BTreeMap<Vec<u8>, Touched>,
    directories: std::collections::BTreeSet<String>,
    /// Names of files, directories and variables that the program has made, changed or removed.
    known: std::collections::BTreeSet<String>,
    touched: Touched,
    seed: u64,
    /// The seed's offset to the start of the clock.
    shift: i64,
    unicode: [bool; 2],
    ground: WorldGround,
}

impl Simulated {
    /// A world whose entropy depends only on `seed`.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self {
            seed,
            shift: seed_shift(seed),
            ..Self::default()
        }
    }

    /// The same world on this ground.
    #[must_use]
    pub fn on(mut self, ground: Option<Arc<dyn Ground>>) -> Self {
        self.ground = WorldGround(ground);
        self
    }

    /// What the ground says of something that the program has not made itself.
    fn of_ground<T>(&mut self, ask: impl FnOnce(&dyn Ground) -> Option<T>) -> Option<T> {
        if self.touched != Touched::Unknown {
            return None;
        }
        let found = ask(self.ground.0.as_deref()?)?;
        self.touched = Touched::Ground;
        Some(found)
    }

    /// Notes a request for this name.
    fn asked(&mut self, name: &str) {
        self.touched = if self.known.contains(name) {
            Touched::Found
        } else {
            Touched::Unknown
        };
    }

    /// Notes a change of this name.
    fn changed(&mut self, name: &str) {
        self.known.insert(name.to_owned());
        self.touched = Touched::Changed;
    }

    /// The names in a directory.
    fn names_in(&self, directory: &str) -> Vec<String> {
        let within = plain(directory);
        let inside = |path: &String| match within.as_str() {
            "" => Some(path.clone()),
            within => path.strip_prefix(within)?.strip_prefix('/').map(str::to_owned),
        };
        let all = self.files.names().chain(&self.directories);
        let names = all
            .filter_map(inside)
            .filter(|name| !name.is_empty() && !name.contains('/'));
        let mut names: Vec<String> = names.collect();
        names.sort();
        names.dedup();
        names
    }
}

/// What a file of a simulated world is.
const fn simulated_info(size: u64, kind: FileType, mode: u32) -> FileInfo {
    FileInfo {
        size,
        kind,
        access: (true, true),
        times: [SIMULATED_EPOCH / 1_000_000_000; 3],
        mode,
        numbers: [1, 0, 0, 0, 0],
    }
}

/// The name of a file as it is kept: relative to the root, which is the current directory too.
fn plain(path: &str) -> String {
    let parts: Vec<&str> = path.split('/').filter(|part| !matches!(*part, "" | ".")).collect();
    parts.join("/")
}

/// The moment at which simulated system time starts: 2020-01-01 00:00:00 UTC, in nanoseconds since 1970.
pub const SIMULATED_EPOCH: i64 = 1_577_836_800_000_000_000;

/// Nanoseconds by which a virtual clock starts later under a seed, less than a millisecond: programs that seed their random numbers from the
/// time, as `rand` does, get different numbers under different seeds.
#[must_use]
pub fn seed_shift(seed: u64) -> i64 {
    (crate::hash::mix(seed) % 1_000_000) as i64
}

impl Outside for Simulated {
    fn monotonic(&mut self) -> u64 {
        self.now
    }
    fn system_time(&mut self) -> i64 {
        self.simulated_start() + self.now as i64
    }
    fn simulated_start(&self) -> i64 {
        SIMULATED_EPOCH + self.shift
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
        self.seed = crate::hash::mix(self.seed);
        self.seed
    }
    fn variable(&mut self, name: &str) -> Option<String> {
        self.asked(&format!("${name}"));
        self.variables.get(name).cloned()
    }
    fn set_variable(&mut self, name: &str, value: Option<&str>) {
        self.changed(&format!("${name}"));
        match value {
            Some(v) => self.variables.insert(name.to_owned(), v.to_owned()),
            None => self.variables.remove(name),
        };
    }
    fn variables(&mut self) -> Vec<(String, String)> {
        self.touched = Touched::Unknown;
        self.variables.iter().map(|(k, v)| (k.clone(), v.clone())).collect()
    }
    fn read_file(&mut self, path: &str) -> Result<Vec<u8>, Posix> {
        let named = path;
        let path = plain(path);
        self.asked(&path);
        if let Some(found) = self.of_ground(|ground| ground.read(named)) {
            return found;
        }
        if self.directories.contains(&path) {
            return Err(Posix("eisdir"));
        }
        self.files.get(&path).cloned().ok_or(Posix("enoent"))
    }
    fn write_file(&mut self, path: &str, bytes: &[u8], append: bool) -> Result<(), Posix> {
        let path = plain(path);
        // After appending to a file that only the outside knows, its contents are unknown.
        if append && !self.known.contains(&path) {
            self.touched = Touched::Changed;
        } else {
            self.changed(&path);
        }
        let file = self.files.file(&path);
        if !append {
            file.clear();
        }
        file.extend_from_slice(bytes);
        Ok(())
    }
    /// There are only files with contents; the current directory is the root.
    fn file(&mut self, request: FileRequest<'_>) -> Result<FileAnswer, Posix> {
        let none = Posix("enoent");
        match request {
            FileRequest::List(path) => {
                self.asked(&plain(path));
                if self.names_in(path).is_empty()
                    && let Some(found) = self.of_ground(|ground| ground.look(request))
                {
                    return found;
                }
                Ok(FileAnswer::Names(self.names_in(path)))
            }
            FileRequest::Info { path, .. } => {
                let path = plain(path);
                self.asked(&path);
                if !self.directories.contains(&path)
                    && let Some(found) = self.of_ground(|ground| ground.look(request))
                {
                    return found;
                }
                if path.is_empty() || self.directories.contains(&path) {
                    return Ok(FileAnswer::Info(simulated_info(4096, FileType::Directory, 0o040_755)));
                }
                let size = self.files.get(&path).ok_or(none)?.len() as u64;
                Ok(FileAnswer::Info(simulated_info(size, FileType::Regular, 0o100_644)))
            }
            FileRequest::Delete(path) => {
                let path = plain(path);
                self.changed(&path);
                self.files.remove(&path).then_some(FileAnswer::Done).ok_or(none)
            }
            FileRequest::Rename(from, to) => {
                let (from, to) = (plain(from), plain(to));
                let was_known = self.known.contains(&from);
                self.changed(&from);
                if !self.files.rename(&from, &to) {
                    return Err(none);
                }
                if was_known {
                    self.changed(&to);
                } else {
                    self.known.remove(&to);
                }
                Ok(FileAnswer::Done)
            }
            FileRequest::Link(from, to) => {
                let (from, to) = (plain(from), plain(to));
                self.touched = Touched::Changed;
                if !self.files.link(&from, &to) {
                    return Err(none);
                }
                self.changed(&to);
                Ok(FileAnswer::Done)
            }
            FileRequest::SetMode(path, _) | FileRequest::SetTimes(path, _) | FileRequest::SetOwner(path, _) => {
                self.touched = Touched::Changed;
                self.files.get(&plain(path)).map(|_| FileAnswer::Done).ok_or(none)
            }
            FileRequest::MakeDir(path) => {
                let path = plain(path);
                self.changed(&path);
                if self.files.get(&path).is_some() || !self.directories.insert(path) {
                    return Err(Posix("eexist"));
                }
                Ok(FileAnswer::Done)
            }
            FileRequest::DeleteDir(path) => {
                let path = plain(path);
                self.changed(&path);
                if !self.names_in(&path).is_empty() {
                    return Err(Posix("eexist"));
                }
                match self.directories.remove(&path) {
                    true => Ok(FileAnswer::Done),
                    false => Err(none),
                }
            }
            FileRequest::CurrentDir => {
                self.touched = Touched::Unknown;
                Ok(FileAnswer::Names(vec!["/".to_owned()]))
            }
            FileRequest::ReadLink(_) => {
                self.touched = Touched::Unknown;
                Err(Posix("einval"))
            }
            FileRequest::Symlink(..) | FileRequest::SetCurrentDir(_) => {
                self.touched = Touched::Unknown;
                Err(Posix("enotsup"))
            }
        }
    }
    fn open_file(&mut self, key: &[u8], path: &str, access: FileAccess) -> Result<Opened, Posix> {
        let name = plain(path);
        self.asked(&name);
        if self.directories.contains(&name) {
            return if access.directory {
                Ok(Opened::There)
            } else {
                Err(Posix("eisdir"))
            };
        }
        if !access.empties() {
            let found = self.of_ground(|ground| ground.read(path));
            match found {
                Some(Ok(_)) if access.exclusive && access.write => return Err(Posix("eexist")),
                Some(Ok(bytes)) if access.write => *self.files.file(&name) = bytes,
                Some(Ok(bytes)) => {
                    self.files.open_bytes(key, bytes);
                    self.opened.insert(key.to_vec(), Touched::Ground);
                    return Ok(Opened::There);
                }
                Some(Err(error)) if !access.write => return Err(error),
                Some(Err(_)) | None => {}
            }
        }
        let is_there = self.files.get(&name).is_some();
        if is_there && access.write && access.exclusive {
            return Err(Posix("eexist"));
        }
        if !access.write && !is_there {
            return Err(Posix("enoent"));
        }
        if access.empties() {
            self.files.file(&name).clear();
        }
        let is_known = access.empties() || self.touched != Touched::Unknown;
        if access.write && is_known {
            self.changed(&name);
        }
        self.files.open(key, &name);
        let found = if is_known { Touched::Found } else { Touched::Unknown };
        self.opened.insert(key.to_vec(), found);
        Ok(if is_there || access.empties() {
            Opened::There
        } else {
            Opened::Made
        })
    }
    /// A file that was opened in the log alone is opened again by its path.
    fn on_file(&mut self, key: &[u8], path: &str, request: HandleRequest<'_>) -> Result<HandleAnswer, Posix> {
        let name = plain(path);
        if !self.files.has_handle(key) {
            if request == HandleRequest::Close {
                self.touched = Touched::Changed;
                return Ok(HandleAnswer::Done);
            }
            self.asked(&name);
            self.opened.insert(key.to_vec(), self.touched);
            self.files.open(key, &name);
        }
        let found = self.opened.get(key).copied().unwrap_or_default();
        self.touched = if request.only_looks() { found } else { Touched::Changed };
        if request == HandleRequest::Made {
            self.changed(&name);
            self.opened.insert(key.to_vec(), Touched::Found);
        }
        if request == HandleRequest::Close {
            self.opened.remove(key);
        }
        self.files
            .perform(key, request, |size| simulated_info(size, FileType::Regular, 0o100_644))
    }
    fn last_touched(&self) -> Touched {
        self.touched
    }
    fn command(&mut self, _: &str) -> Vec<u8> {
        Vec::new()
    }
    fn begin(&mut self, _: &str) -> u64 {
        0
    }
    fn finished(&mut self, _: u64) -> Option<Vec<u8>> {
        Some(Vec::new())
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

#[cfg(test)]
mod tests {
    use super::*;

    const BOTH: FileAccess = FileAccess::BOTH;

    #[test]
    fn a_simulated_world_knows_what_it_has_of_an_open_file() {
        let mut world = Simulated::new(1);
        // It may be there outside.
        assert_eq!(world.open_file(b"1", "a", BOTH), Ok(Opened::Made));
        assert_eq!(world.last_touched(), Touched::Unknown);
        assert_eq!(world.on_file(b"1", "a", HandleRequest::Size), Ok(HandleAnswer::Size(0)));
        assert_eq!(world.last_touched(), Touched::Unknown);
        // It was not.
        assert_eq!(world.on_file(b"1", "a", HandleRequest::Made), Ok(HandleAnswer::Done));
        let write = HandleRequest::Write(0, b"abc");
        assert_eq!(world.on_file(b"1", "a", write), Ok(HandleAnswer::Done));
        assert_eq!(world.last_touched(), Touched::Changed);
        assert_eq!(world.read_file("a"), Ok(b"abc".to_vec()));
        assert_eq!(world.file(FileRequest::Delete("a")), Ok(FileAnswer::Done));
        let read = HandleRequest::Read { at: 1, size: 9 };
        assert_eq!(world.on_file(b"1", "a", read), Ok(HandleAnswer::Bytes(b"bc".to_vec())));
        assert_eq!(world.last_touched(), Touched::Found);
        assert_eq!(world.read_file("a"), Err(Posix("enoent")));
    }

    #[test]
    fn a_file_that_was_opened_in_the_log_is_opened_again_by_its_path() {
        let mut world = Simulated::new(1);
        let read = HandleRequest::Read { at: 1, size: 9 };
        assert_eq!(world.on_file(b"1", "a", read), Ok(HandleAnswer::Bytes(Vec::new())));
        assert_eq!(world.last_touched(), Touched::Unknown);
        assert_eq!(world.on_file(b"1", "a", HandleRequest::Close), Ok(HandleAnswer::Done));
        assert_eq!(world.on_file(b"1", "a", HandleRequest::Close), Ok(HandleAnswer::Done));
    }
}

//! The real world outside a program: files, clocks, environment, standard input and output.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs;
use std::io::{self, BufRead, Read, Write};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use interpreter::print::text::to_latin1;
use log_format::Memory;
use system::error::Posix;
use system::files::{FileAnswer, FileInfo, FileRequest, FileType};
use system::handles::{FileAccess, HandleAnswer, HandleRequest, Opened};
use system::outside::{Device, Line, Outside, ProgramBeside, SIMULATED_EPOCH, seed_shift};

use crate::bell::Bell;
use crate::beside::{self, Programs};
use crate::built::Built;
use crate::handles::Handle;
use crate::side_by_side::Number;
use crate::signals::Stdout;
use crate::test::Told;
use crate::zone;

/// Where output goes that nobody sees.
enum Hidden {
    /// It is kept.
    Kept(Memory),
    /// It goes to the caller.
    Given(Box<dyn Write + Send>),
}

impl Write for Hidden {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Kept(printed) => printed.write(bytes),
            Self::Given(sink) => sink.write(bytes),
        }
    }
    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Kept(printed) => printed.flush(),
            Self::Given(sink) => sink.flush(),
        }
    }
}

/// The real machine.
pub struct Real {
    started: Instant,
    /// Shared with the signal handler, which flushes it if a run does not end.
    stdout: Stdout,
    /// Variables that the program has set or removed; only the program sees this.
    changed: BTreeMap<String, Option<String>>,
    interrupted: Arc<AtomicBool>,
    input: crate::stdin::Lines,
    /// Maximum number of bytes of a line or a file.
    most: usize,
    /// Rung by the threads of `input` and `commands`.
    bell: Bell,
    /// Commands that were started, by number, and the channels for their output.
    commands: BTreeMap<u64, Receiver<Vec<u8>>>,
    begun: u64,
    /// Programs that run beside.
    programs: Programs,
    /// The source of entropy, if `--seed` is given.
    seed: Option<u64>,
    /// The seed's offset to the start of a virtual clock.
    shift: i64,
    /// Do standard output and standard error take UTF-8?
    unicode: [bool; 2],
    /// Where output goes instead of standard output and standard error. Then there is no standard input either.
    hidden: Option<Hidden>,
    /// Of a run beside which others go on.
    number: Option<Arc<Number>>,
    /// The program's standard output goes to standard error.
    is_aside: bool,
    /// What test runners tell.
    hears: Option<Arc<Mutex<Told>>>,
    /// All that they have told, of a run that nobody sees.
    heard: Vec<Vec<String>>,
    /// Set when the program changes a file, or starts a program that could.
    writes: Arc<AtomicBool>,
    /// Open files, by the program's keys.
    handles: BTreeMap<Vec<u8>, Arc<Handle>>,
    /// Which process has used an open file last, by the file and by the process: with its end, the file is closed.
    users: BTreeMap<Vec<u8>, u64>,
    used: BTreeSet<(u64, Vec<u8>)>,
    /// The program's current directory, once it has changed it. The tool's own does not change.
    current: Option<PathBuf>,
    /// Folders that the program is told of, and that are elsewhere.
    built: Built,
}

impl Real {
    /// The real outside; `interrupted` is set by a signal handler. With a seed, entropy is a function of it. A line or a file may have `most`
    /// bytes; a longer one is the error `enomem`.
    #[must_use]
    pub fn new(interrupted: Arc<AtomicBool>, seed: Option<u64>, most: Option<usize>) -> Self {
        let bell = Bell::default();
        let most = most.unwrap_or(usize::MAX);
        Self {
            started: Instant::now(),
            stdout: Arc::new(Mutex::new(io::BufWriter::with_capacity(1 << 16, io::stdout()))),
            changed: BTreeMap::new(),
            interrupted,
            input: crate::stdin::Lines::new(bell.clone(), most),
            most,
            bell,
            commands: BTreeMap::new(),
            begun: 0,
            programs: Programs::default(),
            seed,
            shift: seed.map_or(0, seed_shift),
            // As in `erl -noshell` and `escript` of OTP 25, whatever the locale and the device are.
            unicode: [false; 2],
            hidden: None,
            number: None,
            is_aside: false,
            hears: None,
            heard: Vec::new(),
            writes: Arc::default(),
            handles: BTreeMap::new(),
            users: BTreeMap::new(),
            used: BTreeSet::new(),
            current: None,
            built: Built::default(),
        }
    }

    /// As [`Real::new`] with a seed, but nobody sees what the program prints: it is kept. Standard input is empty. Other runs may go on at the same
    /// time.
    pub fn hidden(interrupted: Arc<AtomicBool>, seed: u64, most: Option<usize>) -> Self {
        Self {
            hidden: Some(Hidden::Kept(Memory::default())),
            number: Some(Arc::new(Number::take())),
            ..Self::new(interrupted, Some(seed), most)
        }
    }
}

impl Real {
    /// How long to wait next, in pieces short enough to notice Ctrl-C; `None`: the time is up.
    fn piece(&mut self, until: Option<u64>) -> Option<Duration> {
        if self.interrupted() {
            return None;
        }
        let left = match until {
            Some(until) => until.checked_sub(self.monotonic()).filter(|&left| left > 0)?,
            None => u64::MAX,
        };
        Some(Duration::from_nanos(left.min(20_000_000)))
    }

    /// The shell that runs a command.
    fn shell(&mut self, command: &str) -> std::process::Command {
        self.flush();
        self.writes.store(true, Ordering::Relaxed);
        // As in OTP: one stream for all output, and no input.
        let text = format!("({command}\n) 2>&1 </dev/null; printf '\\004'");
        let mut shell = std::process::Command::new("/bin/sh");
        shell.arg("-c").arg(text).env_clear().envs(self.variables());
        if let Some(directory) = &self.current {
            shell.current_dir(directory);
        }
        shell.stdin(std::process::Stdio::null());
        shell
    }

    /// What the program asks for in these folders is looked for where it really is.
    pub fn has_built(&mut self, built: Built) {
        self.built = built;
    }

    /// What the program prints goes there. Standard input is empty.
    pub fn prints_to(&mut self, printed: impl Write + Send + 'static) {
        self.hidden = Some(Hidden::Given(Box::new(printed)));
    }

    /// What test runners tell is passed on.
    pub fn hears(&mut self, told: Arc<Mutex<Told>>) {
        self.hears = Some(told);
    }

    /// This is set when the program changes a file outside of `_build`, or starts a program, which could.
    pub fn notes_writes(&mut self, writes: Arc<AtomicBool>) {
        self.writes = writes;
    }

    fn note_write(&self, path: &Path) {
        if !path.components().any(|part| part.as_os_str() == "_build") {
            self.writes.store(true, Ordering::Relaxed);
        }
    }

    /// The program's standard output goes to standard error.
    pub const fn prints_aside(&mut self) {
        self.is_aside = true;
    }

    /// What the program prints goes nowhere, and its standard input is empty.
    pub fn prints_nothing(&mut self) {
        self.hidden = Some(Hidden::Given(Box::new(io::sink())));
    }

    /// Standard output of the program.
    pub fn stdout(&self) -> Stdout {
        Arc::clone(&self.stdout)
    }

    /// Is a file open to be written?
    fn is_writing(&self) -> bool {
        self.handles.values().any(|handle| handle.access.write)
    }

    fn printer(&self) -> MutexGuard<'_, io::BufWriter<io::Stdout>> {
        self.stdout.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A path of the program, relative to the program's current directory.
    fn at(&self, path: &str) -> PathBuf {
        self.built.real(match &self.current {
            Some(current) => current.join(path),
            None => PathBuf::from(path),
        })
    }

    fn directory(&self) -> io::Result<PathBuf> {
        match &self.current {
            Some(current) => Ok(current.clone()),
            None => std::env::current_dir(),
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
    fn simulated_start(&self) -> i64 {
        SIMULATED_EPOCH + self.shift
    }
    fn zone_offset(&mut self, at: i64, zone: Option<&str>) -> i64 {
        zone.map_or_else(|| zone::offset(at), |zone| zone::offset_in(zone, at))
    }
    fn universal(&mut self, local: i64, is_dst: Option<bool>, zone: Option<&str>) -> i64 {
        match zone {
            Some(zone) => zone::universal_in(zone, local, is_dst),
            None => zone::universal(local, is_dst),
        }
    }
    fn sleep(&mut self, until: Option<u64>) {
        while let Some(piece) = self.piece(until) {
            std::thread::sleep(piece);
        }
    }
    fn rest(&mut self, until: Option<u64>) {
        while let Some(piece) = self.piece(until) {
            if self.bell.hear(piece) {
                return;
            }
        }
    }
    fn write(&mut self, device: Device, bytes: &[u8]) -> io::Result<()> {
        let bytes = &*if self.unicode[usize::from(device == Device::Stderr)] {
            bytes.into()
        } else {
            to_latin1(bytes)
        };
        if let Some(hidden) = &mut self.hidden {
            return hidden.write_all(bytes);
        }
        match device {
            Device::Stdout if self.is_aside => io::stderr().write_all(bytes),
            Device::Stdout => {
                let mut stdout = self.printer();
                stdout.write_all(bytes)?;
                // A complete line is shown at once, as a terminal user expects; the rest is buffered.
                if bytes.contains(&b'\n') { stdout.flush() } else { Ok(()) }
            }
            Device::Stderr => {
                self.printer().flush()?;
                io::stderr().write_all(bytes)
            }
        }
    }
    fn set_encoding(&mut self, device: Device, unicode: bool) {
        self.unicode[usize::from(device == Device::Stderr)] = unicode;
    }
    fn is_unicode(&self, device: Device) -> bool {
        self.unicode[usize::from(device == Device::Stderr)]
    }
    fn flush(&mut self) {
        // A closed pipe must not stop the program.
        let _ = self.printer().flush();
    }
    fn read_line(&mut self) -> Line {
        if self.hidden.is_some() {
            return Line::Eof;
        }
        self.flush();
        self.input.next(&self.interrupted)
    }
    fn has_line(&mut self) -> bool {
        self.hidden.is_some() || self.input.ready()
    }
    fn entropy(&mut self) -> u64 {
        if let Some(seed) = &mut self.seed {
            *seed = system::scheduler::mix(seed.wrapping_add(0x9e37_79b9_7f4a_7c15));
            return *seed;
        }
        use std::hash::{BuildHasher, Hasher};
        std::collections::hash_map::RandomState::new().build_hasher().finish()
    }
    fn draws_anew(&mut self, draw: u64) {
        if let Some(seed) = &mut self.seed {
            *seed = system::scheduler::mix(*seed ^ system::scheduler::mix(draw));
            self.shift += seed_shift(*seed);
        }
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
    fn read_file(&mut self, path: &str) -> Result<Vec<u8>, Posix> {
        let read = || {
            let file = fs::File::open(self.at(path))?;
            let mut bytes = Vec::new();
            let most = (self.most as u64).saturating_add(1);
            if file.take(most).read_to_end(&mut bytes)? > self.most {
                return Err(io::ErrorKind::OutOfMemory.into());
            }
            Ok(bytes)
        };
        read().map_err(|error: io::Error| Posix(posix(&error)))
    }
    fn write_file(&mut self, path: &str, bytes: &[u8], append: bool) -> Result<(), Posix> {
        let mut options = fs::OpenOptions::new();
        if append {
            options.append(true).create(true);
        } else {
            options.write(true).create(true).truncate(true);
        }
        let path = self.at(path);
        self.note_write(&path);
        options
            .open(path)
            .and_then(|mut f| f.write_all(bytes))
            .map_err(|e| Posix(posix(&e)))
    }
    fn file(&mut self, request: FileRequest<'_>) -> Result<FileAnswer, Posix> {
        let done = |result: io::Result<()>| result.map(|()| FileAnswer::Done);
        let name = |path: PathBuf| FileAnswer::Names(vec![path.to_string_lossy().into_owned()]);
        if let Some(path) = changed_by(&request) {
            self.note_write(&self.at(path));
        }
        let answer = match request {
            FileRequest::List(path) => fs::read_dir(self.at(path)).and_then(|entries| {
                let names: io::Result<Vec<String>> = entries
                    .map(|entry| entry.map(|e| e.file_name().to_string_lossy().into_owned()))
                    .collect();
                names.map(FileAnswer::Names)
            }),
            FileRequest::Info { path, follow } => {
                let path = self.at(path);
                let found = if follow {
                    fs::metadata(&path)
                } else {
                    fs::symlink_metadata(&path)
                };
                found.map(|meta| FileAnswer::Info(info(&path, &meta)))
            }
            FileRequest::ReadLink(path) => fs::read_link(self.at(path)).map(name),
            FileRequest::MakeDir(path) => done(fs::create_dir(self.at(path))),
            FileRequest::DeleteDir(path) => done(fs::remove_dir(self.at(path))),
            FileRequest::Delete(path) => {
                let path = self.at(path);
                // Linux returns EISDIR for `unlink` of a directory; the error has no portable name.
                if fs::symlink_metadata(&path).is_ok_and(|meta| meta.is_dir()) {
                    return Err(Posix("eperm"));
                }
                done(fs::remove_file(path))
            }
            FileRequest::Rename(from, to) => done(fs::rename(self.at(from), self.at(to))),
            FileRequest::Link(from, to) => done(fs::hard_link(self.at(from), self.at(to))),
            FileRequest::Symlink(from, to) => done(std::os::unix::fs::symlink(from, self.at(to))),
            FileRequest::SetMode(path, mode) => {
                use std::os::unix::fs::PermissionsExt;
                done(fs::set_permissions(self.at(path), fs::Permissions::from_mode(mode)))
            }
            FileRequest::SetTimes(path, [access, change]) => done(set_times(&self.at(path), access, change)),
            FileRequest::SetOwner(path, [user, group]) => done(std::os::unix::fs::chown(self.at(path), user, group)),
            FileRequest::CurrentDir => self.directory().map(name),
            FileRequest::SetCurrentDir(path) => {
                let path = self.at(path);
                fs::metadata(&path).and_then(|meta| {
                    if !meta.is_dir() {
                        return Err(io::ErrorKind::NotADirectory.into());
                    }
                    self.current = Some(path.canonicalize()?);
                    Ok(FileAnswer::Done)
                })
            }
        };
        answer.map_err(|e| Posix(posix(&e)))
    }
    fn open_file(&mut self, key: &[u8], path: &str, access: FileAccess) -> Result<Opened, Posix> {
        let path = self.at(path);
        if access.write {
            self.note_write(&path);
        }
        let (handle, found) = Handle::open(&path, access).map_err(|error| Posix(posix(&error)))?;
        self.handles.insert(key.to_vec(), Arc::new(handle));
        Ok(found)
    }
    fn on_file(&mut self, key: &[u8], _: &str, request: HandleRequest<'_>) -> Result<HandleAnswer, Posix> {
        if request == HandleRequest::Close {
            self.handles.remove(key);
            if let Some(user) = self.users.remove(key) {
                self.used.remove(&(user, key.to_vec()));
            }
            return Ok(HandleAnswer::Done);
        }
        let handle = self.handles.get(key).ok_or(Posix("ebadf"))?;
        handle.perform(request, self.most).map_err(|error| Posix(posix(&error)))
    }
    fn file_is_used(&mut self, key: &[u8], process: u64) {
        if self.users.get(key) == Some(&process) || !self.handles.contains_key(key) {
            return;
        }
        if let Some(earlier) = self.users.insert(key.to_vec(), process) {
            self.used.remove(&(earlier, key.to_vec()));
        }
        self.used.insert((process, key.to_vec()));
    }
    fn process_has_ended(&mut self, process: u64) {
        let of_it = (process, Vec::new())..(process + 1, Vec::new());
        while let Some(one) = self.used.range(of_it.clone()).next().cloned() {
            self.used.remove(&one);
            self.users.remove(&one.1);
            self.handles.remove(&one.1);
        }
    }
    fn command(&mut self, command: &str) -> Vec<u8> {
        output_of(self.shell(command))
    }
    fn begin(&mut self, command: &str) -> u64 {
        let shell = self.shell(command);
        let (give, output) = channel();
        let bell = self.bell.clone();
        std::thread::spawn(move || {
            // The process that asked may have been killed in the meantime.
            let _unwanted = give.send(output_of(shell));
            bell.ring();
        });
        self.begun += 1;
        self.commands.insert(self.begun, output);
        self.begun
    }
    fn finished(&mut self, number: u64) -> Option<Vec<u8>> {
        if self.programs.has(number) {
            return self.programs.event(number);
        }
        let output = match self.commands.get(&number)?.try_recv() {
            Ok(output) => output,
            Err(TryRecvError::Empty) => return None,
            Err(TryRecvError::Disconnected) => Vec::new(),
        };
        self.commands.remove(&number);
        Some(output)
    }
    fn open(&mut self, wanted: &ProgramBeside) -> Result<(u64, u32), Posix> {
        self.flush();
        self.writes.store(true, Ordering::Relaxed);
        let mut wanted = wanted.clone();
        if !wanted.is_shell {
            let named = Path::new(OsStr::from_bytes(&wanted.program));
            let file = std::path::absolute(self.directory().unwrap_or_default().join(named));
            let file = file.and_then(|file| beside::may_run(&file).map(|()| file));
            let file = file.map_err(|error| Posix(posix(&error)))?;
            let typed = std::mem::replace(&mut wanted.program, file.into_os_string().into_vec());
            wanted.name.get_or_insert(typed);
        }
        let wanted = &wanted;
        let shows_errors = self.hidden.is_none();
        let variables = self.variables();
        let command = beside::command(wanted, self.current.as_deref(), variables, shows_errors);
        self.begun += 1;
        let started = self.programs.start(self.begun, command, wanted, &self.bell);
        started
            .map(|process| (self.begun, process))
            .map_err(|error| Posix(posix(&error)))
    }
    fn give(&mut self, number: u64, bytes: &[u8]) {
        self.programs.give(number, bytes);
    }
    fn close(&mut self, number: u64) {
        self.programs.close(number, &self.bell);
    }
    fn told(&mut self, about_a_test: Vec<String>) {
        if let Some(told) = &self.hears {
            told.lock().unwrap_or_else(PoisonError::into_inner).hear(&about_a_test);
        } else if matches!(self.hidden, Some(Hidden::Kept(_))) {
            self.heard.push(about_a_test);
        }
    }
    fn heard(&self) -> &[Vec<String>] {
        &self.heard
    }
    fn process_id(&mut self) -> u32 {
        self.number.as_deref().map_or_else(std::process::id, Number::process_id)
    }
    fn printed(&self) -> Option<Vec<u8>> {
        match &self.hidden {
            Some(Hidden::Kept(printed)) => Some(printed.bytes()),
            Some(Hidden::Given(_)) | None => None,
        }
    }
    fn interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }
    /// Only of a run that nobody sees, while nothing runs beside it. Files are those of the machine: a copy would write to what the other one writes, so
    /// there is none while a file is open to be written.
    fn snapshot(&self) -> Option<Box<dyn Outside>> {
        let printed = self.printed()?;
        let seed = self.seed?;
        if !self.commands.is_empty() || self.programs.are_running() || self.is_writing() {
            return None;
        }
        let copy = Self {
            hidden: Some(Hidden::Kept(Memory::of(printed))),
            started: self.started,
            changed: self.changed.clone(),
            begun: self.begun,
            shift: self.shift,
            unicode: self.unicode,
            current: self.current.clone(),
            built: self.built.clone(),
            handles: self.handles.clone(),
            users: self.users.clone(),
            used: self.used.clone(),
            // What came before may have asked for it.
            number: self.number.clone(),
            heard: self.heard.clone(),
            writes: Arc::clone(&self.writes),
            ..Self::hidden(Arc::clone(&self.interrupted), seed, Some(self.most))
        };
        Some(Box::new(copy))
    }
}

/// The file that a request changes, if it changes one.
const fn changed_by<'a>(request: &FileRequest<'a>) -> Option<&'a str> {
    match request {
        FileRequest::MakeDir(path)
        | FileRequest::DeleteDir(path)
        | FileRequest::Delete(path)
        | FileRequest::Rename(path, _)
        | FileRequest::Link(_, path)
        | FileRequest::Symlink(_, path)
        | FileRequest::SetMode(path, _)
        | FileRequest::SetTimes(path, _)
        | FileRequest::SetOwner(path, _) => Some(path),
        FileRequest::List(_)
        | FileRequest::Info { .. }
        | FileRequest::ReadLink(_)
        | FileRequest::CurrentDir
        | FileRequest::SetCurrentDir(_) => None,
    }
}

/// The byte that the shell writes when the command has ended, as under OTP: processes that the command left running may still hold the pipe.
const END_OF_COMMAND: u8 = 4;

/// The output of a shell until its command had ended.
fn output_of(mut shell: std::process::Command) -> Vec<u8> {
    // A shell that goes on after the run must not hold what we inherited: who reads our output waits for its end.
    shell.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = match shell.spawn() {
        Ok(child) => child,
        Err(error) => return format!("{error}\n").into_bytes(),
    };
    let mut output = Vec::new();
    if let Some(pipe) = child.stdout.take() {
        let mut pipe = io::BufReader::new(pipe);
        // An unreadable file counts as missing.
        let _unread = pipe.read_until(END_OF_COMMAND, &mut output);
        output.pop_if(|last| *last == END_OF_COMMAND);
    }
    let _status = child.wait();
    output
}

/// Sets the times of the last access and change of a file or directory.
fn set_times(path: &Path, access: i64, change: i64) -> io::Result<()> {
    let time = |seconds: i64| {
        let length = Duration::from_secs(seconds.unsigned_abs());
        let epoch = std::time::UNIX_EPOCH;
        let time = if seconds < 0 {
            epoch.checked_sub(length)
        } else {
            epoch.checked_add(length)
        };
        time.ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))
    };
    let times = fs::FileTimes::new()
        .set_accessed(time(access)?)
        .set_modified(time(change)?);
    fs::File::open(path)?.set_times(times)
}

/// The data of `stat` for a file.
pub fn info(path: &Path, meta: &fs::Metadata) -> FileInfo {
    use std::os::unix::fs::{FileTypeExt, MetadataExt};
    let kind = meta.file_type();
    FileInfo {
        size: meta.len(),
        kind: if kind.is_file() {
            FileType::Regular
        } else if kind.is_dir() {
            FileType::Directory
        } else if kind.is_symlink() {
            FileType::Symlink
        } else if kind.is_block_device() || kind.is_char_device() {
            FileType::Device
        } else {
            FileType::Other
        },
        access: access(path, meta),
        times: [meta.atime(), meta.mtime(), meta.ctime()],
        mode: meta.mode(),
        numbers: [
            meta.nlink(),
            meta.dev(),
            meta.ino(),
            u64::from(meta.uid()),
            u64::from(meta.gid()),
        ],
    }
}

/// May we read it, may we write it? Determined by opening it, so that only the operating system decides.
fn access(path: &Path, meta: &fs::Metadata) -> (bool, bool) {
    if meta.is_file() {
        let read = fs::File::open(path).is_ok();
        (read, fs::OpenOptions::new().append(true).open(path).is_ok())
    } else if meta.is_dir() {
        (fs::read_dir(path).is_ok(), !meta.permissions().readonly())
    } else {
        // Opening a device or a pipe could have an effect or block.
        (true, !meta.permissions().readonly())
    }
}

/// The POSIX name of an error, as Erlang gives it.
pub fn posix(error: &io::Error) -> &'static str {
    use io::ErrorKind as K;
    match error.kind() {
        K::NotFound => "enoent",
        K::PermissionDenied => "eacces",
        K::AlreadyExists => "eexist",
        K::IsADirectory => "eisdir",
        K::NotADirectory => "enotdir",
        K::StorageFull => "enospc",
        K::InvalidInput => "einval",
        K::BrokenPipe => "epipe",
        K::WouldBlock => "eagain",
        K::Interrupted => "eintr",
        K::QuotaExceeded => "edquot",
        K::FileTooLarge => "efbig",
        K::DirectoryNotEmpty => "eexist",
        K::CrossesDevices => "exdev",
        K::TooManyLinks => "emlink",
        K::ReadOnlyFilesystem => "erofs",
        K::OutOfMemory => "enomem",
        _ => match error.raw_os_error() {
            Some(9) => "ebadf",
            Some(23) => "enfile",
            Some(24) => "emfile",
            Some(29) => "espipe",
            _ => "eio",
        },
    }
}

//! Programs that run beside a run: what `open_port/2` starts. One thread reads what a program writes and waits for its end, and one gives it what is
//! written to it.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::io::{Read as _, Write as _};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::MetadataExt as _;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};

use system::outside::ProgramBeside;

use crate::bell::Bell;

/// Limit: bytes that are read at once.
const MOST: usize = 64 << 10;

/// Programs that were started, by number.
#[derive(Default)]
pub struct Programs {
    all: BTreeMap<u64, Program>,
}

struct Program {
    events: Receiver<Vec<u8>>,
    /// Takes what is to be written to it.
    input: Option<Sender<Vec<u8>>>,
    is_closed: Arc<AtomicBool>,
}

impl Programs {
    /// Starts one.
    ///
    /// # Errors
    /// Of the operating system.
    pub fn start(
        &mut self,
        number: u64,
        mut command: Command,
        wanted: &ProgramBeside,
        bell: &Bell,
    ) -> std::io::Result<u32> {
        let mut child = command.spawn()?;
        let id = child.id();
        let (event, events) = channel();
        let is_closed: Arc<AtomicBool> = Arc::default();
        let input = child.stdin.take().filter(|_| wanted.is_written).map(|pipe| {
            let (input, texts) = channel();
            let (event, bell) = (event.clone(), bell.clone());
            std::thread::spawn(move || feed(pipe, &texts, &event, &bell));
            input
        });
        let (closed, bell) = (Arc::clone(&is_closed), bell.clone());
        std::thread::spawn(move || follow(child, &event, &closed, &bell));
        self.all.insert(
            number,
            Program {
                events,
                input,
                is_closed,
            },
        );
        Ok(id)
    }

    /// What has come from one since the last call; `None`: nothing yet, or there is no such program.
    pub fn event(&mut self, number: u64) -> Option<Vec<u8>> {
        let program = self.all.get(&number)?;
        if program.is_closed.load(Ordering::Relaxed) {
            return Some(vec![ProgramBeside::CLOSED]);
        }
        match program.events.try_recv() {
            Ok(event) => Some(event),
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => Some(vec![ProgramBeside::CLOSED]),
        }
    }

    /// Is any program there that may still run?
    pub fn are_running(&self) -> bool {
        !self.all.is_empty()
    }

    /// Is there such a program?
    pub fn has(&self, number: u64) -> bool {
        self.all.contains_key(&number)
    }

    /// Writes to one.
    pub fn give(&mut self, number: u64, bytes: &[u8]) {
        if let Some(input) = self.all.get(&number).and_then(|program| program.input.as_ref()) {
            // Who writes has ended if the program takes nothing more: that has been told.
            let _untaken = input.send(bytes.to_vec());
        }
    }

    /// Closes its standard input, and reads no more from it.
    pub fn close(&mut self, number: u64, bell: &Bell) {
        if let Some(program) = self.all.get_mut(&number) {
            program.input = None;
            program.is_closed.store(true, Ordering::Relaxed);
            bell.ring();
        }
    }
}

/// Is it a file that may run? Under OTP, the folders of `PATH` are not searched.
///
/// # Errors
/// It is not.
pub fn may_run(file: &Path) -> std::io::Result<()> {
    match std::fs::metadata(file)?.mode() & 0o111 {
        0 => Err(std::io::ErrorKind::PermissionDenied.into()),
        _ => Ok(()),
    }
}

/// The command that starts a program.
pub fn command(
    wanted: &ProgramBeside,
    folder: Option<&Path>,
    variables: Vec<(String, String)>,
    shows_errors: bool,
) -> Command {
    let text = |bytes: &[u8]| OsStr::from_bytes(bytes).to_owned();
    let place = wanted.folder.as_deref().map(|bytes| {
        let named = Path::new(OsStr::from_bytes(bytes));
        folder.map_or_else(|| named.to_owned(), |folder| folder.join(named))
    });
    let is_lost = place.as_ref().is_some_and(|place| !place.is_dir());
    let mut command = if wanted.is_shell || is_lost {
        let mut shell = Command::new("/bin/sh");
        // Under OTP, the program has begun, and cannot enter the folder.
        let line = match is_lost {
            true => b"printf 'spawn: Could not cd to %s\\r\\n' \"$1\" >&2; exit 2".to_vec(),
            false => [b"exec ", wanted.program.as_slice()].concat(),
        };
        // What it means together with standard error, a redirection of the whole shell says.
        let line = match wanted.with_errors {
            true => [b"exec 2>&1; ", line.as_slice()].concat(),
            false => line,
        };
        shell.arg0("sh").arg("-c").arg(text(&line));
        if is_lost {
            shell.arg("sh").arg(text(wanted.folder.as_deref().unwrap_or_default()));
        }
        shell
    } else if wanted.with_errors {
        // One pipe for both, in the order in which it writes.
        let mut shell = Command::new("/bin/sh");
        shell
            .args(["-c", "exec 2>&1; exec \"$0\" \"$@\""])
            .arg(text(&wanted.program));
        shell.args(wanted.arguments.iter().map(|argument| text(argument)));
        shell
    } else {
        let mut program = Command::new(text(&wanted.program));
        program.args(wanted.arguments.iter().map(|argument| text(argument)));
        if let Some(name) = &wanted.name {
            program.arg0(text(name));
        }
        program
    };
    command.env_clear().envs(variables);
    for (name, value) in &wanted.variables {
        match value {
            Some(value) => command.env(text(name), text(value)),
            None => command.env_remove(text(name)),
        };
    }
    match place.filter(|_| !is_lost).as_deref().or(folder) {
        Some(place) => command.current_dir(place),
        None => &mut command,
    };
    let pipe = |is_used: bool| if is_used { Stdio::piped() } else { Stdio::null() };
    command.stdin(pipe(wanted.is_written)).stdout(pipe(wanted.is_read));
    command.stderr(if shows_errors { Stdio::inherit() } else { Stdio::null() });
    command
}

/// Tells what a program writes, and how it ends.
fn follow(mut child: Child, event: &Sender<Vec<u8>>, is_closed: &AtomicBool, bell: &Bell) {
    let tell = |what: Vec<u8>| {
        let is_heard = event.send(what).is_ok() && !is_closed.load(Ordering::Relaxed);
        bell.ring();
        is_heard
    };
    if let Some(mut pipe) = child.stdout.take() {
        let mut bytes = vec![0; MOST];
        loop {
            match pipe.read(&mut bytes) {
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Ok(0) | Err(_) => break,
                Ok(count) => {
                    let data = std::iter::once(ProgramBeside::DATA).chain(bytes[..count].iter().copied());
                    if !tell(data.collect()) {
                        break;
                    }
                }
            }
        }
        tell(vec![ProgramBeside::END]);
    }
    let status = child.wait().map_or(1, status_of);
    let mut told = vec![ProgramBeside::STATUS];
    told.extend(status.to_be_bytes());
    tell(told);
}

/// As a shell says it: of a signal, 128 more.
fn status_of(status: ExitStatus) -> u32 {
    let signal = || status.signal().map_or(1, |signal| 128 + signal);
    u32::try_from(status.code().unwrap_or_else(signal)).unwrap_or(1)
}

/// Writes what comes, until nobody gives more; the program's standard input is closed then.
fn feed(mut pipe: ChildStdin, texts: &Receiver<Vec<u8>>, event: &Sender<Vec<u8>>, bell: &Bell) {
    for text in texts {
        if pipe.write_all(&text).and_then(|()| pipe.flush()).is_err() {
            let _unheard = event.send(vec![ProgramBeside::NOT_WRITTEN]);
            bell.ring();
            return;
        }
    }
}

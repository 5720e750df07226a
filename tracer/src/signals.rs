//! Ctrl-C, SIGTERM and SIGHUP: the first one ends the run and the trace is finished, one that comes half a second later or more aborts.
//!
//! One request often arrives as two signals: `timeout -s INT 1 tracer run …` signals its child and then the whole group, and a terminal may
//! send SIGHUP besides SIGTERM. So a second signal counts only after the first has had time to act.
//!
//! A run notices a flag between two slices. A step that takes longer (sorting a huge list, collecting a huge heap, writing to a pipe that nobody
//! reads) cannot be interrupted safely; so a thread of its own waits a moment, and if the run still goes on, finishes the trace behind its last
//! cut and exits.

use std::io::Write;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use log_format::RunEnd;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use system::recorder::Finisher;

use crate::exit::Exit;

/// A run that has not ended so long after a signal is ended without it. The budget from the signal to the exit is 100 ms.
const PATIENCE: Duration = Duration::from_millis(50);
/// So long a cut that is being written may take then, and the words that we have to say.
const LAST_WORDS: Duration = Duration::from_millis(20);
/// A signal that comes so long after the first, or later, aborts. Earlier ones belong to the same request.
const SECOND_AFTER: Duration = Duration::from_millis(500);

/// The signals that end a run, the exit code of each, and what we call it.
const SIGNALS: [(i32, Exit, &str); 3] = [
    (SIGINT, Exit::Interrupted, "Ctrl-C"),
    (SIGTERM, Exit::Terminated, "SIGTERM"),
    (SIGHUP, Exit::HungUp, "SIGHUP"),
];

/// What the last signal was.
fn came(which: &AtomicUsize) -> (Exit, &'static str) {
    let number = which.load(Ordering::Relaxed);
    let found = SIGNALS
        .iter()
        .find(|(signal, ..)| signal.unsigned_abs() as usize == number);
    found.map_or((Exit::Interrupted, "Ctrl-C"), |(_, exit, name)| (*exit, name))
}

/// Is a signal ignored, as by `nohup`? Told only where the system has a file that says so.
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

/// Standard output of the program.
pub type Stdout = Arc<Mutex<std::io::BufWriter<std::io::Stdout>>>;

/// What has to be done in place of a run that does not end.
#[derive(Default)]
struct Unfinished {
    trace: Option<Finisher>,
    /// A trace that cannot be finished decides the exit code.
    require_trace: bool,
    stdout: Option<Stdout>,
    /// The program runs.
    begun: bool,
    /// The run has ended by itself.
    ended: bool,
}

/// Watches for signals.
pub struct Signals {
    /// A signal has come.
    pub interrupted: Arc<AtomicBool>,
    /// Which was the last one.
    which: Arc<AtomicUsize>,
    unfinished: Arc<Mutex<Unfinished>>,
}

impl Signals {
    /// Begins to watch.
    pub fn watch() -> Self {
        let signals = Self {
            interrupted: Arc::default(),
            which: Arc::default(),
            unfinished: Arc::default(),
        };
        if let Err(error) = signals.register() {
            eprintln!("tracer: Ctrl-C will end the run without finishing the trace: {error}");
        }
        signals
    }

    fn register(&self) -> std::io::Result<()> {
        use signal_hook::flag;
        /// `signal-hook` does not name it; the same on Linux and the BSDs.
        #[cfg(unix)]
        const SIGXFSZ: i32 = 25;
        // Up once the next signal aborts.
        let aborts = Arc::<AtomicBool>::default();
        #[cfg(unix)]
        let mut bell = self.wait_beside(Arc::clone(&aborts))?;
        for (signal, exit, _) in SIGNALS {
            // `nohup tracer run …` is to go on.
            if signal == SIGHUP && is_ignored(signal) {
                continue;
            }
            flag::register_conditional_shutdown(signal, exit.code().into(), Arc::clone(&aborts))?;
            flag::register_usize(signal, Arc::clone(&self.which), signal.unsigned_abs() as usize)?;
            flag::register(signal, Arc::clone(&self.interrupted))?;
            // Last: who is woken asks which signal came.
            #[cfg(unix)]
            signal_hook::low_level::pipe::register(signal, bell.try_clone()?)?;
        }
        // One that came before there was a bell to ring.
        #[cfg(unix)]
        if self.interrupted.load(Ordering::Relaxed) {
            bell.write_all(&[0])?;
        }
        // A file that would grow beyond a limit of the system is an error of the write, no end of the program.
        #[cfg(unix)]
        flag::register(SIGXFSZ, Arc::default())?;
        Ok(())
    }

    /// Starts the thread that ends a run that does not end, and raises `aborts` when a second signal counts. A byte written to what it answers
    /// wakes the thread.
    #[cfg(unix)]
    fn wait_beside(&self, aborts: Arc<AtomicBool>) -> std::io::Result<std::os::unix::net::UnixStream> {
        use std::io::Read;
        use std::os::unix::net::UnixStream;
        let (mut read, write) = UnixStream::pair()?;
        let (unfinished, which) = (Arc::clone(&self.unfinished), Arc::clone(&self.which));
        let wait = move || {
            if read.read_exact(&mut [0]).is_err() {
                return;
            }
            // A thread of its own: finishing the trace may hang, and then the second signal is needed most.
            let later = Arc::clone(&aborts);
            let armed = std::thread::Builder::new().spawn(move || {
                std::thread::sleep(SECOND_AFTER);
                later.store(true, Ordering::Relaxed);
            });
            if armed.is_err() {
                aborts.store(true, Ordering::Relaxed);
            }
            std::thread::sleep(PATIENCE);
            let left = unfinished.lock().unwrap_or_else(PoisonError::into_inner);
            if !left.ended {
                let (exit, name) = came(&which);
                // Kept locked: a run that ends now waits for us.
                std::process::exit(left.finish(exit, name).into());
            }
        };
        std::thread::Builder::new().name("signals".to_owned()).spawn(wait)?;
        Ok(write)
    }

    /// Where the program prints, so that what it has printed is shown in any case.
    pub fn prints_to(&self, stdout: Stdout) {
        self.unfinished().stdout = Some(stdout);
    }

    /// The trace that has to be finished; where it is required, the exit code says when it cannot be.
    pub fn records(&self, trace: Option<Finisher>, require: bool) {
        let mut unfinished = self.unfinished();
        unfinished.trace = trace;
        unfinished.require_trace = require;
    }

    /// The program begins to run.
    pub fn begins(&self) {
        self.unfinished().begun = true;
    }

    /// The run has ended: the trace is finished by who began it.
    pub fn ended(&self) {
        self.unfinished().ended = true;
    }

    fn unfinished(&self) -> std::sync::MutexGuard<'_, Unfinished> {
        self.unfinished.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// An interrupted run says by which signal.
    pub fn tell_apart(&self, exit: Exit) -> Exit {
        match exit {
            Exit::Interrupted => came(&self.which).0,
            exit => exit,
        }
    }
}

impl Unfinished {
    /// Ends what the run has begun. Answers the exit code.
    fn finish(&self, exit: Exit, name: &str) -> u8 {
        let when = match self.begun {
            true => "during a step that takes long",
            false => "before the program began",
        };
        let mut words = format!("tracer: {name} came {when}");
        let mut exit = exit;
        if let Some(trace) = &self.trace {
            let end = RunEnd::Interrupted(format!("{name} {when}; what came after the last cut is not recorded"));
            let finished = trace.finish(&end, LAST_WORDS);
            if self.require_trace && !matches!(finished, Ok(true)) {
                exit = Exit::NoOutput;
            }
            match finished {
                Ok(true) => words += "; the trace ends with its last cut",
                Ok(false) => words += "; the trace was being written and is incomplete",
                Err(error) => words += &format!("; the trace is incomplete: {error}"),
            }
        }
        let stdout = self.stdout.clone();
        // Nobody may be reading; then there is nobody to wait for.
        let (done, wait) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            if let Some(stdout) = stdout
                && let Ok(mut stdout) = stdout.try_lock()
            {
                let _closed = stdout.flush();
            }
            eprintln!("{words}");
            let _late = done.send(());
        });
        let _late = wait.recv_timeout(LAST_WORDS);
        // A trace that has not replaced the old one yet.
        log_format::remove_unfinished();
        exit.code()
    }
}

//! Ctrl-C, SIGTERM and SIGHUP. The first signal ends the run, and the trace is finished. A signal half a second later or more aborts.
//!
//! One request often arrives as two signals: `timeout -s INT 1 tracer run …` signals its child and then the whole group, and a terminal may
//! send SIGHUP as well as SIGTERM. So a second signal counts only after the first has had time to act.
//!
//! A run checks the flag between two slices. A longer step (sorting a huge list, collecting a huge heap, a blocked write to a pipe) cannot be
//! interrupted safely. So a separate thread gives the run a moment; if it still goes on, that thread finishes the trace after its last cut and exits.
//! Only time in which the run could go on counts: on a busy machine it may not get a processor for long.

use std::collections::HashMap;
use std::io::Write;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::ThreadId;
use std::time::{Duration, Instant};

use log_format::RunEnd;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use system::recorder::Finisher;

use crate::exit::Exit;
use crate::patience::{Spent, TimeHad, WatchedThread};
use crate::test::Names;

/// If a run has had this much time since a signal and has not ended, the process exits without waiting for it. The budget from the signal to the exit is
/// 100 ms.
const PATIENCE: Duration = Duration::from_millis(50);
/// How often the run is looked at.
const LOOK: Duration = Duration::from_millis(5);
/// Limit: so long after a signal the process exits even if the run has had less time, because the machine is busy.
const LONGEST: Duration = Duration::from_secs(3);
/// How long a cut that is being written, and our last message, may then take.
const LAST_WORDS: Duration = Duration::from_millis(20);
/// A signal this long after the first, or later, aborts. Earlier ones belong to the same request.
const SECOND_AFTER: Duration = Duration::from_millis(500);

/// The signals that end a run, with their exit codes and names.
const SIGNALS: [(i32, Exit, &str); 3] = [
    (SIGINT, Exit::Interrupted, "Ctrl-C"),
    (SIGTERM, Exit::Terminated, "SIGTERM"),
    (SIGHUP, Exit::HungUp, "SIGHUP"),
];

/// The last signal.
fn came(which: &AtomicUsize) -> (Exit, &'static str) {
    let number = which.load(Ordering::Relaxed);
    let found = SIGNALS
        .iter()
        .find(|(signal, ..)| signal.unsigned_abs() as usize == number);
    found.map_or((Exit::Interrupted, "Ctrl-C"), |(_, exit, name)| (*exit, name))
}

/// Is a signal ignored, as by `nohup`? Known only on systems with `/proc/self/status`.
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

/// Standard output of the program.
pub type Stdout = Arc<Mutex<std::io::BufWriter<std::io::Stdout>>>;

/// What is to be done if runs do not end.
#[derive(Default)]
struct Unfinished {
    /// The last run of each thread.
    runs: HashMap<ThreadId, Unended>,
    stdout: Option<Stdout>,
}

/// What is to be done if a run does not end.
#[derive(Default)]
struct Unended {
    trace: Option<Finisher>,
    /// If the trace cannot be finished, that decides the exit code.
    require_trace: bool,
    /// Where the trace is written, and the name that it gets when it is finished.
    names: Option<Names>,
    /// The program is running.
    begun: bool,
    /// The run has ended by itself.
    ended: bool,
    /// The thread that runs it.
    thread: WatchedThread,
}

/// Why a run has not ended after a signal.
enum Unheard {
    /// It has had its time, and spent it so.
    Had(Spent),
    /// It got no processor.
    Busy,
}

/// Watches for signals.
pub struct Signals {
    /// A signal has come.
    pub interrupted: Arc<AtomicBool>,
    /// The number of the last signal.
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
            crate::report::tell(&format!("Ctrl-C will end the run without finishing the trace: {error}"));
        }
        signals
    }

    fn register(&self) -> std::io::Result<()> {
        use signal_hook::flag;
        /// Not in `signal-hook`; the number is the same on Linux and the BSDs.
        #[cfg(unix)]
        const SIGXFSZ: i32 = 25;
        // Set once the next signal aborts.
        let aborts = Arc::<AtomicBool>::default();
        #[cfg(unix)]
        let mut bell = self.wait_beside(Arc::clone(&aborts))?;
        for (signal, exit, _) in SIGNALS {
            // A `nohup tracer run …` must go on.
            if signal == SIGHUP && is_ignored(signal) {
                continue;
            }
            flag::register_conditional_shutdown(signal, exit.code().into(), Arc::clone(&aborts))?;
            flag::register_usize(signal, Arc::clone(&self.which), signal.unsigned_abs() as usize)?;
            flag::register(signal, Arc::clone(&self.interrupted))?;
            // Last, because the woken thread asks which signal came.
            #[cfg(unix)]
            signal_hook::low_level::pipe::register(signal, bell.try_clone()?)?;
        }
        // One that came before there was a bell to ring.
        #[cfg(unix)]
        if self.interrupted.load(Ordering::Relaxed) {
            bell.write_all(&[0])?;
        }
        // If a file would grow beyond a limit of the system, the write fails; the program must not be killed.
        #[cfg(unix)]
        flag::register(SIGXFSZ, Arc::default())?;
        Ok(())
    }

    /// Starts the thread that ends a run that does not end by itself, and raises `aborts` when a second signal counts. A byte written to the
    /// returned stream wakes the thread.
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
            // On a separate thread: finishing the trace may hang, and then the second signal is needed most.
            let later = Arc::clone(&aborts);
            let armed = std::thread::Builder::new().spawn(move || {
                std::thread::sleep(SECOND_AFTER);
                later.store(true, Ordering::Relaxed);
            });
            if armed.is_err() {
                aborts.store(true, Ordering::Relaxed);
            }
            let Some((left, why)) = not_heard(&unfinished) else {
                return;
            };
            let (exit, name) = came(&which);
            // The lock is kept, so a run that ends now waits for us.
            std::process::exit(left.finish(exit, name, &why).into());
        };
        std::thread::Builder::new().name("signals".to_owned()).spawn(wait)?;
        Ok(write)
    }

    /// Sets where the program prints, so that its output is flushed in any case.
    pub fn prints_to(&self, stdout: Stdout) {
        self.unfinished().stdout = Some(stdout);
    }

    /// Sets the trace of this thread's run, to be finished; if it is required, the exit code says when it cannot be finished. `names`: it is
    /// written aside.
    pub fn records(&self, trace: Option<Finisher>, require: bool, names: Option<Names>) {
        self.run(|run| {
            run.trace = trace;
            run.names = names;
            run.require_trace = require;
        });
    }

    /// The program of this thread's run begins to run.
    pub fn begins(&self) {
        self.run(|run| {
            run.begun = true;
            run.ended = false;
        });
    }

    /// The run of this thread has ended: whoever began the trace finishes it.
    pub fn ended(&self) {
        self.run(|run| run.ended = true);
    }

    fn run(&self, change: impl FnOnce(&mut Unended)) {
        let begun = || Unended {
            thread: WatchedThread::current(),
            ..Unended::default()
        };
        change(
            self.unfinished()
                .runs
                .entry(std::thread::current().id())
                .or_insert_with(begun),
        );
    }

    fn unfinished(&self) -> MutexGuard<'_, Unfinished> {
        self.unfinished.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Turns the exit code of an interrupted run into that of its signal.
    pub fn tell_apart(&self, exit: Exit) -> Exit {
        match exit {
            Exit::Interrupted => came(&self.which).0,
            exit => exit,
        }
    }
}

/// A signal has come: gives the runs their time to end. Returns what they have left open, and why they did not end; `None` if they did.
fn not_heard(unfinished: &Mutex<Unfinished>) -> Option<(MutexGuard<'_, Unfinished>, Unheard)> {
    let lock = || unfinished.lock().unwrap_or_else(PoisonError::into_inner);
    let mut had: HashMap<ThreadId, TimeHad> = HashMap::new();
    // Before there is a run, the first thread reads the command line and the program.
    let mut before = TimeHad::of(WatchedThread::first());
    let start = Instant::now();
    loop {
        let looked = Instant::now();
        std::thread::sleep(LOOK);
        let passed = looked.elapsed();
        let left = lock();
        if left.has_ended() {
            return None;
        }
        before.passes(passed);
        // The run that has had the least time.
        let mut least: Option<&TimeHad> = left.runs.is_empty().then_some(&before);
        had.retain(|id, _| left.runs.get(id).is_some_and(|run| !run.ended));
        for (id, run) in left.runs.iter().filter(|(_, run)| !run.ended) {
            let time = had.entry(*id).or_insert_with(|| TimeHad::of(run.thread.clone()));
            time.passes(passed);
        }
        least = had.values().chain(least).min_by_key(|time| time.had());
        match least {
            Some(time) if time.had() >= PATIENCE => return Some((left, Unheard::Had(time.spent()))),
            _ if start.elapsed() >= LONGEST => return Some((left, Unheard::Busy)),
            _ => {}
        }
    }
}

impl Unfinished {
    fn has_ended(&self) -> bool {
        !self.runs.is_empty() && self.runs.values().all(|run| run.ended)
    }

    /// Finishes what the runs have begun. Returns the exit code.
    fn finish(&self, exit: Exit, name: &str, why: &Unheard) -> u8 {
        let open: Vec<&Unended> = self.runs.values().filter(|run| !run.ended).collect();
        let when = match (open.iter().any(|run| run.begun), why) {
            (false, _) => "before the program began",
            (true, Unheard::Had(Spent::Computing)) => "during a step that takes long",
            (true, Unheard::Had(Spent::Waiting)) => "while the run waited for the outside",
            (true, Unheard::Busy) => "while the machine was too busy to let the run end",
        };
        let mut words = format!("tracer: {name} came {when}");
        let mut exit = exit;
        for run in open {
            let Some(trace) = &run.trace else { continue };
            let end = RunEnd::Interrupted(format!("{name} {when}; what came after the last cut is not recorded"));
            let finished = trace.finish(&end, LAST_WORDS);
            if run.require_trace && !matches!(finished, Ok(true)) {
                exit = Exit::NoOutput;
            }
            match finished {
                Ok(true) => words += "; the trace ends with its last cut",
                Ok(false) => words += "; the trace was being written and is incomplete",
                Err(error) => words += &format!("; the trace is incomplete: {error}"),
            }
            if let Some(Names { aside, place }) = &run.names {
                match std::fs::rename(aside, place) {
                    Ok(()) => words += &format!("; it is {}", log_format::safe_path(place)),
                    Err(error) => words += &format!("; it is {}: {error}", log_format::safe_path(aside)),
                }
            }
        }
        let stdout = self.stdout.clone();
        // If standard output is blocked, do not wait for it.
        let (done, wait) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            if let Some(stdout) = stdout
                && let Ok(mut stdout) = stdout.try_lock()
            {
                let _closed = stdout.flush();
            }
            crate::report::say(&format!("{words}\n"));
            let _late = done.send(());
        });
        let _late = wait.recv_timeout(LAST_WORDS);
        // A trace that has not replaced the old file yet.
        log_format::remove_unfinished();
        exit.code()
    }
}

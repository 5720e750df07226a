//! Imports traces of CauDEr (<https://github.com/mistupv/cauder>): runs the program again under its logs, and records that run as a trace of ours.

mod absent;
mod drive;
pub mod log;
mod misfit;
mod steps;
pub mod text;
mod uids;
mod value;

use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError};

use interpreter::atom::Atom;
use interpreter::vm::Program;
use log_format::Pid;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;
use syntax::{IncludeError, IncludeKind, Included};
use system::loader::{Files, LoadedFile, Loader, ModuleFile, SourceLoader};
use system::observer::{ActionEvent, Ending, Nobody, Observer};
use system::outside::Simulated;
use system::recorder::{self, Recorder, RunFacts};
use system::scheduler::RoundRobin;
use system::{Limits, RunClock, Settings, System};

use drive::{Driven, EntryOutcome, Misfit, Nth, Reading};
use log::{LogFolder, Returned};
use session::error::Error;

/// Limit: interpretations of sends to ended processes that are tried.
const READINGS: usize = 200;

/// Nanoseconds by which computing may come before waiting, in the first guess.
const PATIENCE_NS: u64 = 100_000_000;

/// Limit: processes that are listed.
const MAX_LISTED: usize = 20;

/// Limit: characters of the reason of the entry's end.
const REASON: usize = 2000;

/// Observes how the entry ends.
#[derive(Default)]
struct EntryEnd {
    reason: String,
}

impl Observer for EntryEnd {
    type Log = ();
    fn born(&mut self, _: Pid, _: Option<&()>, _: u16) {}
    fn action(&mut self, (): &mut (), _: &ActionEvent<'_>) {}
    fn ended(&mut self, (): &mut (), ending: &Ending<'_>) {
        if ending.pid.0 == system::FIRST_PID {
            let shown = session::watch::reason(ending.class, ending.reason, ending.program, REASON);
            // The class of an end is kept separately.
            self.reason = match shown.split_once(' ') {
                Some((_, reason)) if ending.class.is_some() => reason.to_owned(),
                _ => shown,
            };
        }
    }
}

/// The module that makes a call with arguments. No program can use this name by accident.
const CALLER: &str = "$cauder_call";

/// The result of an import.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Imported {
    /// The call.
    pub call: String,
    /// Did all processes end before the tracer's time was up?
    pub finished: bool,
    /// Processes that have not ended here.
    pub alive: usize,
    /// Processes of the log.
    pub processes: usize,
    /// Entries of the logs.
    pub entries: usize,
    /// Messages with a uid.
    pub messages: usize,
    /// The uid of some received message.
    pub example: Option<u64>,
    /// Actions of the trace.
    pub actions: u64,
    /// Processes whose number is not CauDEr's: CauDEr's and ours.
    pub renamed: Vec<(u64, String)>,
    /// Warnings for the user.
    pub warnings: Vec<String>,
}

/// The named files, by module. Their include files are read from disk.
#[derive(Clone)]
struct Named {
    modules: Vec<(String, String, Arc<[u8]>)>,
}

impl Files for Named {
    fn module(&mut self, name: &str) -> Option<ModuleFile> {
        let (_, path, text) = self.modules.iter().find(|(module, _, _)| module == name)?;
        Some(ModuleFile::plain(&**path, Arc::clone(text)))
    }
    fn include(&mut self, kind: IncludeKind, name: &str, from: &str) -> Result<Included, IncludeError> {
        let beside = Path::new(from)
            .parent()
            .map_or_else(|| PathBuf::from(name), |dir| dir.join(name));
        let read = match kind {
            IncludeKind::Include => std::fs::read(&beside).map(|text| Included {
                name: beside.display().to_string(),
                text: text.into(),
            }),
            IncludeKind::IncludeLib => Err(std::io::Error::from(std::io::ErrorKind::NotFound)),
        };
        match (read, name.split_once('/')) {
            (Ok(included), _) => Ok(included),
            (Err(error), None) => Err(error.into()),
            (Err(error), Some((app, rest))) => match interpreter::library::header(app, rest) {
                Some(text) => Ok(Included {
                    name: name.to_owned(),
                    text: Arc::from(text.as_bytes()),
                }),
                None => Err(error.into()),
            },
        }
    }
}

/// Does a source name `erlang:send/2` as a value: `fun erlang:send/2`, `apply(erlang, send, …)`?
fn names_send(source: &[u8]) -> bool {
    let text: String = String::from_utf8_lossy(source).split_whitespace().collect();
    text.contains("erlang:send/2") || text.contains("erlang,send,")
}

/// The program that is to be run under the logs.
struct DrivenProgram {
    files: Named,
    /// Modules of the program that the tracer instrumented.
    modules: FxHashSet<Atom>,
    /// It may call `erlang:send/2` in other ways than by name.
    plain_sends: bool,
    /// What the entry process calls, with no arguments.
    entry: (Atom, Atom),
    /// Limit: bytes that it may hold.
    memory: Option<usize>,
}

impl DrivenProgram {
    fn read(logs: &LogFolder, traced: &[PathBuf], untraced: &[PathBuf], memory: Option<usize>) -> Result<Self, Error> {
        let read = |path: &PathBuf| {
            let text = std::fs::read(path).map_err(|error| Error::Input {
                path: path.clone(),
                error: error.to_string(),
            })?;
            let stem = path.file_stem().map(|s| s.to_string_lossy().into_owned());
            let module = session::program::module_of(&text).or(stem).unwrap_or_default();
            Ok((module, path.display().to_string(), Arc::from(text)))
        };
        let mut modules = traced
            .iter()
            .map(read)
            .collect::<Result<Vec<(String, String, Arc<[u8]>)>, Error>>()?;
        let (m, f) = &logs.call;
        if !modules.iter().any(|(module, _, _)| module == m) {
            return Err(Error::Usage(format!(
                "the logs are of a call of {m}:{f}/{}: name the file of the module {m} with --program",
                logs.arguments.len()
            )));
        }
        let names = modules.iter().map(|(module, _, _)| Atom::new(module)).collect();
        let plain_sends = modules.iter().any(|(_, _, text)| names_send(text));
        for path in untraced {
            modules.push(read(path)?);
        }
        let entry = if logs.arguments.is_empty() {
            (Atom::new(m), Atom::new(f))
        } else {
            let atom = |name: &str| text::Word::Atom(name.to_owned()).to_string();
            let text = format!(
                "%% The call that CauDEr traced.\n-module('{CALLER}').\n-export([main/0]).\nmain() -> {}:{}({}).\n",
                atom(m),
                atom(f),
                logs.arguments.join(", ")
            );
            modules.push((CALLER.to_owned(), format!("{CALLER}.erl"), Arc::from(text.into_bytes())));
            (Atom::new(CALLER), Atom::new("main"))
        };
        Ok(Self {
            files: Named { modules },
            modules: names,
            plain_sends,
            entry,
            memory,
        })
    }

    /// A loader, and the program with the module of the entry.
    fn load(&self) -> Result<(SourceLoader, Program), Error> {
        let mut loader = SourceLoader::new(Box::new(self.files.clone()));
        let mut program = system::natives::program(loader.release());
        program.keep_variables();
        match loader.load(self.entry.0, &mut program) {
            Ok(true) => Ok((loader, program)),
            Ok(false) => Err(Error::Program(format!("there is no module {}", self.entry.0.as_str()))),
            Err(error) => Err(Error::Program(error.to_string())),
        }
    }

    fn system<O: Observer>(&self, logs: &LogFolder, program: Program, loader: SourceLoader, observer: O) -> System<O> {
        let settings = Settings {
            scheduler: Box::new(RoundRobin::default()),
            outside: Box::new(Simulated::new(0)),
            loader: Box::new(loader),
            clock: RunClock::Virtual(0),
            delivery: system::Delivery::Free,
            limits: Limits {
                memory: self.memory,
                ..Limits::default()
            },
            arguments: Vec::new(),
            exit_with_entry: false,
        };
        let mut system = System::new(Arc::new(program), observer, settings, None);
        if logs.node != system::NO_NODE {
            system.name_node(&logs.node);
        }
        system.gate();
        system.start(self.entry.0, self.entry.1, None);
        system
    }

    /// Runs the program under the logs, without an observer.
    fn try_out(&self, logs: &LogFolder, reading: &Reading) -> Result<Driven, Error> {
        let (loader, program) = self.load()?;
        let mut system = self.system(logs, program, loader, Nobody);
        let driven = drive::drive(&mut system, logs, &self.modules, reading);
        match &driven.end {
            Some(system::RunEnd::Limit(limit)) if driven.result.is_err() => Err(Error::Limit(limit.clone())),
            _ => Ok(driven),
        }
    }
}

/// The interpretations that are tried first, the likeliest first. By its tracer's rules, a send to a process that has ended has no uid. But the
/// guess whether it had ended may be wrong, and logs may be older than these rules.
fn readings(plain_sends: bool) -> impl Iterator<Item = Reading> {
    let all = [
        (true, PATIENCE_NS, false),
        (true, 0, false),
        (true, PATIENCE_NS, true),
        (true, 0, true),
        (false, PATIENCE_NS, false),
        (false, PATIENCE_NS, true),
    ];
    all.into_iter().map(move |(by_uids, patience, ended_has_uid)| Reading {
        plain_sends,
        by_uids,
        patience,
        ended_has_uid,
        has_uid: FxHashMap::default(),
    })
}

/// Finds the interpretation that fits, and the run with it.
fn fitting(subject: &DrivenProgram, logs: &LogFolder) -> Result<(Driven, Reading), Error> {
    let mut best: Option<(Driven, Reading)> = None;
    let mut tried = 0;
    for reading in readings(subject.plain_sends) {
        let driven = subject.try_out(logs, &reading)?;
        tried += 1;
        if driven.result.is_ok() && differs(logs, &driven).is_none() {
            return Ok((driven, reading));
        }
        // Another interpretation would run as long.
        let hopeless = driven.span;
        let better = best
            .as_ref()
            .is_none_or(|(known, _)| known.result.is_err() && (driven.result.is_ok() || driven.used > known.used));
        if better {
            best = Some((driven, reading));
        }
        if hopeless {
            break;
        }
    }
    let Some((mut best, mut reading)) = best else {
        return Err(Error::Bug("no reading of the logs was tried".to_owned()));
    };
    'better: while let Err(misfit) = &best.result
        && !best.span
    {
        // The sends of the process that fails to fit first, latest first.
        let mut doubtful: Vec<(Nth, bool)> = best.doubtful.clone();
        doubtful.reverse();
        doubtful.sort_by_key(|((pid, _), _)| *pid != misfit.pid);
        for (send, had_uid) in doubtful {
            if tried >= READINGS {
                break 'better;
            }
            tried += 1;
            let mut other = reading.clone();
            other.has_uid.insert(send, !had_uid);
            let driven = subject.try_out(logs, &other)?;
            let further = match &driven.result {
                Ok(()) => true,
                Err(found) => driven.used > best.used || (found.pid == misfit.pid && found.fitted > misfit.fitted),
            };
            if further {
                (best, reading) = (driven, other);
                continue 'better;
            }
        }
        break;
    }
    if let Err(misfit) = &best.result {
        return Err(misfits(logs, misfit, tried - 1));
    }
    Ok((best, reading))
}

/// How the ends that the tracer saw differ from those here.
fn differs(logs: &LogFolder, driven: &Driven) -> Option<String> {
    if logs.finished && driven.result.is_ok() && !driven.alive.is_empty() {
        let shown: Vec<String> = driven.alive.iter().take(MAX_LISTED).map(u64::to_string).collect();
        let more = if driven.alive.len() > MAX_LISTED { ", …" } else { "" };
        return Some(format!(
            "all processes ended in CauDEr's run, but here these have not: {}{more}; this is another run, although every entry of the logs fits",
            shown.join(", ")
        ));
    }
    let (returned, line) = logs.returned.as_ref()?;
    let file = log_format::safe_path(&logs.folder.join("trace_result.log"));
    let here = match (returned, &driven.outcome) {
        (Returned::Value(value), Some(EntryOutcome::Returned(here))) if value::same(value, here) == Some(false) => {
            format!("returned {}", session::words::cut(&session::words::safe(here), REASON))
        }
        (Returned::Nothing, Some(EntryOutcome::Returned(here))) if logs.finished => {
            format!("returned {}", session::words::cut(&session::words::safe(here), REASON))
        }
        (Returned::Value(_), Some(EntryOutcome::Raised(how))) => format!("did not return: {how}"),
        (Returned::Value(_), None) if logs.finished => "did not return: an exit signal ended its process".to_owned(),
        _ => return None,
    };
    let there = match returned {
        Returned::Nothing => "did not return".to_owned(),
        Returned::Value(value) => {
            format!(
                "returned {}",
                session::words::cut(&session::words::safe(&text::show(value)), REASON)
            )
        }
    };
    Some(format!(
        "{file}, line {line}: in CauDEr's run the call {there}, but here it {here}; this is another run, although every entry of the logs fits"
    ))
}

/// The error for a misfit.
fn misfits(logs: &LogFolder, misfit: &Misfit, readings: usize) -> Error {
    let file = logs.file(misfit.pid);
    let log = logs.processes.get(&misfit.pid);
    let entry = log.and_then(|log| log.entries.get(misfit.fitted));
    let (line, expected) = match entry {
        Some((entry, line)) => (format!("line {line}"), entry.show()),
        None => (
            "the end".to_owned(),
            "nothing more of process".to_owned() + &format!(" {}", misfit.pid),
        ),
    };
    let place = misfit
        .place
        .as_ref()
        .map_or_else(String::new, |place| format!(" at {place}"));
    let readings = match readings {
        0 => String::new(),
        n => format!("; {n} other readings of the logs do not fit either"),
    };
    Error::BadInput {
        path: if file.exists() { file } else { logs.folder.clone() },
        error: format!(
            "{line}: the program does not fit the log: expected {expected}, found that process {}{place}: {}{readings}",
            misfit.pid, misfit.found
        ),
    }
}

/// Imports the logs in a folder, and writes the trace. `program`: the files of the modules that the tracer instrumented; `untraced`: other
/// files; `memory`: how many bytes the program may hold.
///
/// # Errors
/// A file cannot be read or is none of CauDEr's; the program does not compile, or does not fit the logs; the trace cannot be written.
pub fn import(
    folder: &Path,
    program: &[PathBuf],
    untraced: &[PathBuf],
    output: &Path,
    memory: Option<usize>,
) -> Result<Imported, Error> {
    let logs = log::load(folder)?;
    let subject = DrivenProgram::read(&logs, program, untraced, memory)?;
    let (tried, reading) = fitting(&subject, &logs)?;
    // Runs it once more, recorded, now that the uids are known.
    let (loader, program) = subject.load()?;
    let read = loader.shared_list();
    let shown = format!("{}:{}({})", logs.call.0, logs.call.1, logs.arguments.join(", "));
    let list = || -> Vec<LoadedFile> { read.lock().unwrap_or_else(PoisonError::into_inner).clone() };
    let facts = RunFacts {
        tool: concat!("replay ", env!("CARGO_PKG_VERSION")).to_owned(),
        command: ["replay", "import", "--cauder"].map(str::to_owned).to_vec(),
        entry: subject.entry,
        arguments: None,
        without_arguments: false,
        node: logs.node.clone(),
        schedule: "the logs of CauDEr".to_owned(),
        seed: Some(0),
        virtual_time: true,
        facts: uids::facts(&logs, &tried),
        sources: list(),
        natives: recorder::natives(&program),
        read: Some(Arc::clone(&read)),
    };
    let failed = |error: String| Error::Output {
        path: output.to_path_buf(),
        error,
    };
    let recorder = Recorder::create(output, &facts, recorder::RecordOptions::default(), EntryEnd::default())
        .map_err(|error| failed(error.to_string()))?;
    let mut system = subject.system(&logs, program, loader, recorder);
    let driven = drive::drive(&mut system, &logs, &subject.modules, &reading);
    if driven.result != tried.result || driven.sent != tried.sent {
        return Err(Error::Bug(
            "the run under the logs went another way when it was recorded".to_owned(),
        ));
    }
    let mut end = match &driven.end {
        Some(end) => session::record::verdict(&system, end),
        None if !logs.finished => log_format::RunEnd::Interrupted("the timeout of CauDEr's tracer".to_owned()),
        None => session::record::verdict(&system, &system::RunEnd::Quiescent),
    };
    if let log_format::RunEnd::Crashed { reason, .. } = &mut end {
        reason.clone_from(&system.observer.inner().reason);
    }
    let actions = system.total_actions;
    Recorder::finish(&mut system, &list(), &end).map_err(|lost| failed(lost.to_string()))?;
    Ok(Imported {
        call: shown,
        finished: logs.finished,
        alive: driven.alive.len(),
        processes: driven.pids.len(),
        entries: driven.used,
        messages: driven.sent.len(),
        example: driven
            .sent
            .keys()
            .copied()
            .filter(|uid| logs.receivers.contains_key(uid))
            .max(),
        actions,
        renamed: renamed(&driven),
        warnings: warnings(&logs, &driven, &reading),
    })
}

/// Processes that have another number here.
fn renamed(driven: &Driven) -> Vec<(u64, String)> {
    let mut all: Vec<(u64, Pid)> = driven.pids.iter().map(|(&n, &pid)| (n, pid)).collect();
    all.retain(|(n, pid)| pid.0 != *n);
    all.sort_unstable();
    all.into_iter().map(|(n, pid)| (n, pid.to_string())).collect()
}

fn warnings(logs: &LogFolder, driven: &Driven, reading: &Reading) -> Vec<String> {
    let count = session::words::count;
    let mut all = logs.warnings.clone();
    all.extend(differs(logs, driven));
    if driven.lost > 0 {
        let sends = count(driven.lost, "send");
        all.push(format!(
            "{sends} to processes that had ended have no uid: CauDEr's tracer leaves them out"
        ));
    }
    if driven.nameless > 0 {
        let sends = count(driven.nameless, "send");
        all.push(format!(
            "{sends} with a uid to a name that no process held: these uids cannot be targets"
        ));
    }
    let mut single: Vec<(&Nth, &bool)> = reading.has_uid.iter().collect();
    single.sort_unstable();
    for ((pid, n), has_uid) in single {
        let what = if *has_uid {
            "with a uid, before its receiver had ended"
        } else {
            "to a process that had ended"
        };
        all.push(format!(
            "send {} of process {pid} is read as one {what}; otherwise the logs do not fit",
            n + 1
        ));
    }
    if driven.untraced > 0 {
        let messages = count(driven.untraced, "message");
        all.push(format!(
            "{messages} that CauDEr does not trace (of timers, monitors, links or libraries) were received when nothing else fitted"
        ));
    }
    if driven.stray > 0 {
        let messages = count(driven.stray, "message");
        all.push(format!(
            "{messages} with uids were received by modules that were not instrumented; in CauDEr's run they were {{{{stamp,_}},Message}}"
        ));
    }
    all
}

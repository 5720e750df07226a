//! The logs of CauDEr's tracer: a folder with `trace_result.log` and a `trace_PID.log` for every process that did something
//! (`cauder_tracer:write_trace/2` of CauDEr 2 and 3). All of it is hostile input.

use std::path::{Path, PathBuf};

use rustc_hash::FxHashMap;

use super::text::{Form, Malformed, Placed, TermReader, Word, show};
use session::error::Error;

/// Limit: bytes of a file.
const LONGEST_FILE: u64 = 256 << 20;
/// Limit: bytes of all files together.
const LONGEST_FOLDER: u64 = 1 << 30;
/// Limit: processes of a folder.
const MOST_PROCESSES: usize = 1 << 20;

/// What a process did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LogEntry {
    /// `{trace_spawn,Node,Pid,Success}`.
    Spawn {
        /// On this node.
        node: String,
        /// The N of `<0.N.0>`.
        pid: u64,
        /// Was the node there?
        ok: bool,
    },
    /// `{trace_send,Uid}`.
    Send(u64),
    /// `{trace_receive,Uid}`.
    Receive(u64),
    /// `{trace_start,Node,Success}`.
    Start {
        /// The node.
        node: String,
        /// Was it started?
        ok: bool,
    },
    /// `{trace_nodes,Nodes}`.
    Nodes(Vec<String>),
}

impl LogEntry {
    /// As CauDEr writes it.
    #[must_use]
    pub fn show(&self) -> String {
        let atom = |name: &str| Word::Atom(name.to_owned()).to_string();
        match self {
            Self::Spawn { node, pid, ok } => format!("{{trace_spawn,{},{pid},{ok}}}", atom(node)),
            Self::Send(uid) => format!("{{trace_send,{uid}}}"),
            Self::Receive(uid) => format!("{{trace_receive,{uid}}}"),
            Self::Start { node, ok } => format!("{{trace_start,{},{ok}}}", atom(node)),
            Self::Nodes(nodes) => {
                let nodes: Vec<String> = nodes.iter().map(|n| atom(n)).collect();
                format!("{{trace_nodes,[{}]}}", nodes.join(","))
            }
        }
    }
}

/// The log of a process.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct ProcessLog {
    /// Its entries, with the lines of its file.
    pub entries: Vec<(LogEntry, u32)>,
}

/// How the call ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Returned {
    /// It did not return, or not in time.
    Nothing,
    /// It returned this.
    Value(Vec<Placed>),
}

/// The contents of a folder.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LogFolder {
    /// The folder.
    pub folder: PathBuf,
    /// The first node.
    pub node: String,
    /// The entry process.
    pub pid: u64,
    /// Module and function of the call.
    pub call: (String, String),
    /// Its arguments, as source text.
    pub arguments: Vec<String>,
    /// Did all processes end before the tracer's time was up?
    pub finished: bool,
    /// What the call returned, and the line of the log with it.
    pub returned: Option<(Returned, u32)>,
    /// By pid.
    pub processes: FxHashMap<u64, ProcessLog>,
    /// The receiver of each message, by uid.
    pub receivers: FxHashMap<u64, u64>,
    /// The sender of each message, by uid.
    pub senders: FxHashMap<u64, u64>,
    /// Warnings for the user.
    pub warnings: Vec<String>,
}

impl LogFolder {
    /// The file of a process.
    #[must_use]
    pub fn file(&self, pid: u64) -> PathBuf {
        self.folder.join(format!("trace_{pid}.log"))
    }
}

/// An error at a place of a file.
fn at(path: &Path, line: u32, expected: &str, found: &str) -> Error {
    Error::BadInput {
        path: path.to_path_buf(),
        error: format!(
            "line {line}: expected {expected}, found {}",
            session::words::safe(&short(found))
        ),
    }
}

/// The first characters of a text.
fn short(text: &str) -> String {
    session::words::cut(text, 120)
}

fn malformed(path: &Path) -> impl Fn(Malformed) -> Error + '_ {
    move |Malformed { line, expected, found }| at(path, line, expected, &found)
}

/// Reads a file of bounded length.
fn read(path: &Path, total: &mut u64) -> Result<String, Error> {
    let input = |error: String| Error::Input {
        path: path.to_path_buf(),
        error,
    };
    let meta = std::fs::metadata(path).map_err(|e| input(e.to_string()))?;
    if !meta.is_file() {
        return Err(input("it is not a file".to_owned()));
    }
    *total = total.saturating_add(meta.len());
    let refuse = |what: &str, limit: u64| Error::BadInput {
        path: path.to_path_buf(),
        error: format!("{what}: expected at most {limit} bytes, found {}", meta.len()),
    };
    if meta.len() > LONGEST_FILE {
        return Err(refuse("the file is too long", LONGEST_FILE));
    }
    if *total > LONGEST_FOLDER {
        return Err(refuse("the folder holds too much, with this file", LONGEST_FOLDER));
    }
    let bytes = std::fs::read(path).map_err(|e| input(e.to_string()))?;
    if bytes.len() as u64 > LONGEST_FILE {
        return Err(refuse("the file grew while it was read", LONGEST_FILE));
    }
    // OTP reads a file without an encoding comment as UTF-8; old ones are Latin-1.
    Ok(String::from_utf8(bytes).unwrap_or_else(|e| e.into_bytes().iter().map(|&b| char::from(b)).collect()))
}

/// Reads a folder.
///
/// # Errors
/// A file cannot be read, or is not one of CauDEr's; the files contradict each other.
pub fn load(folder: &Path) -> Result<LogFolder, Error> {
    let mut total = 0;
    let mut logs = result(&folder.join("trace_result.log"), &mut total)?;
    logs.folder = folder.to_path_buf();
    let listed = std::fs::read_dir(folder).map_err(|error| Error::Input {
        path: folder.to_path_buf(),
        error: error.to_string(),
    })?;
    let mut files: Vec<(u64, PathBuf)> = Vec::new();
    for file in listed.flatten() {
        let name = file.file_name();
        let Some(number) = name
            .to_str()
            .and_then(|name| name.strip_prefix("trace_")?.strip_suffix(".log"))
        else {
            continue;
        };
        if number.is_empty() || !number.bytes().all(|b| b.is_ascii_digit()) {
            continue;
        }
        let Ok(pid) = number.parse() else {
            return Err(Error::BadInput {
                path: file.path(),
                error: format!("the name of the file: expected the number of a process, found {number}"),
            });
        };
        files.push((pid, file.path()));
        if files.len() > MOST_PROCESSES {
            return Err(Error::BadInput {
                path: folder.to_path_buf(),
                error: format!("the folder: expected logs of at most {MOST_PROCESSES} processes, found more"),
            });
        }
    }
    files.sort();
    for (pid, path) in files {
        let log = process(&path, &mut total)?;
        if logs.processes.insert(pid, log).is_some() {
            return Err(Error::BadInput {
                path,
                error: format!("the name of the file: expected one log of process {pid}, found two"),
            });
        }
    }
    agree(&mut logs)?;
    Ok(logs)
}

fn atom_of(words: &[Placed]) -> Option<&str> {
    match words {
        [(Word::Atom(name), _)] => Some(name),
        _ => None,
    }
}

fn number_of(words: &[Placed]) -> Option<u64> {
    match words {
        [(Word::Number(n), _)] => Some(*n),
        _ => None,
    }
}

/// Reads `trace_result.log`.
fn result(path: &Path, total: &mut u64) -> Result<LogFolder, Error> {
    let text = read(path, total)?;
    let mut reader = TermReader::new(&text);
    let (mut call, mut node, mut pid, mut tracing) = (None, None, None, None);
    let (mut warnings, mut returned) = (Vec::new(), None);
    while let Some(form) = reader.form().map_err(malformed(path))? {
        let line = form.line();
        let refuse = |expected: &str| Err(at(path, line, expected, &show(&form.words)));
        let elements = Form::elements(&form.words, '{').unwrap_or_default();
        let [key, value] = elements[..] else {
            return refuse("a pair such as {pid,209}");
        };
        let Some(key) = atom_of(key) else {
            return refuse("a pair that begins with an atom, such as {pid,209}");
        };
        match key {
            "call" => {
                let parts = Form::elements(value, '{').unwrap_or_default();
                let [m, f, args] = parts[..] else {
                    return refuse("{call,{Module,Function,Arguments}}");
                };
                let (Some(m), Some(f), Some(args)) = (atom_of(m), atom_of(f), Form::elements(args, '[')) else {
                    return refuse("{call,{Module,Function,Arguments}}");
                };
                if let Some((word, line)) = args
                    .iter()
                    .flat_map(|a| a.iter())
                    .find(|w| matches!(w.0, Word::Opaque(_)))
                {
                    let expected = "arguments that can be written in a source file";
                    return Err(at(path, *line, expected, &word.to_string()));
                }
                let args: Vec<String> = args.iter().map(|a| show(a)).collect();
                call = Some(((m.to_owned(), f.to_owned()), args));
            }
            "node" => match atom_of(value) {
                Some(name) => node = Some(name.to_owned()),
                None => return refuse("{node,Name}"),
            },
            "pid" => match number_of(value) {
                Some(n) => pid = Some(n),
                None => return refuse("{pid,N}"),
            },
            "tracing" => match atom_of(value) {
                Some("success") => tracing = Some(true),
                Some("timeout") => tracing = Some(false),
                _ => return refuse("{tracing,success} or {tracing,timeout}"),
            },
            // What the call returned, and times. Even CauDEr cannot read back a value that contains a pid.
            "return" | "result" => {
                returned = match (atom_of(value), Form::elements(value, '{').as_deref()) {
                    (Some("none"), _) => Some((Returned::Nothing, line)),
                    (_, Some([key, value])) if atom_of(key) == Some("value") => {
                        Some((Returned::Value(value.to_vec()), line))
                    }
                    _ => None,
                };
                if value.iter().any(|(word, _)| matches!(word, Word::Opaque(_))) {
                    warnings.push(format!(
                        "{}, line {line}: the result holds a pid, a reference or a fun as text; it is not compared",
                        log_format::safe_path(path)
                    ));
                }
            }
            "comp" | "exec" => {}
            _ => return refuse("one of call, node, pid, tracing, return, comp, exec"),
        }
    }
    let lacks = |what: &str| Error::BadInput {
        path: path.to_path_buf(),
        error: format!("the end of the file: expected {what} before it, found none"),
    };
    let ((call, arguments), node, pid, finished) = (
        call.ok_or_else(|| lacks("{call,{Module,Function,Arguments}}."))?,
        node.ok_or_else(|| lacks("{node,Name}."))?,
        pid.ok_or_else(|| lacks("{pid,N}."))?,
        tracing.ok_or_else(|| lacks("{tracing,success}. or {tracing,timeout}."))?,
    );
    Ok(LogFolder {
        folder: PathBuf::new(),
        node,
        pid,
        call,
        arguments,
        finished,
        returned,
        processes: FxHashMap::default(),
        receivers: FxHashMap::default(),
        senders: FxHashMap::default(),
        warnings,
    })
}

/// Reads the log of a process.
fn process(path: &Path, total: &mut u64) -> Result<ProcessLog, Error> {
    let text = read(path, total)?;
    let mut reader = TermReader::new(&text);
    let mut entries = Vec::new();
    while let Some(form) = reader.form().map_err(malformed(path))? {
        let elements = Form::elements(&form.words, '{').unwrap_or_default();
        let entry = elements
            .split_first()
            .and_then(|(key, rest)| entry_of(atom_of(key)?, rest));
        match entry {
            Some(Some(entry)) => entries.push((entry, form.line())),
            Some(None) => {}
            None => {
                let expected = "one of {trace_spawn,Node,Pid,true|false}, {trace_send,Uid}, {trace_receive,Uid}, \
                                {trace_start,Node,true|false}, {trace_nodes,[Node,…]}";
                return Err(at(path, form.line(), expected, &show(&form.words)));
            }
        }
    }
    Ok(ProcessLog { entries })
}

/// Parses an entry, as CauDEr 3 writes it or as the first versions of its tracer did. `Some(None)`: an entry that means nothing here (deliveries).
fn entry_of(key: &str, rest: &[&[Placed]]) -> Option<Option<LogEntry>> {
    let ok = |words| match atom_of(words)? {
        "true" | "success" => Some(true),
        "false" | "failure" => Some(false),
        _ => None,
    };
    let name = |words| atom_of(words).map(str::to_owned);
    Some(Some(match (key, rest) {
        ("trace_spawn", [node, pid, success]) => LogEntry::Spawn {
            node: name(node)?,
            pid: number_of(pid)?,
            ok: ok(success)?,
        },
        ("spawn", [place, success]) => {
            let parts = Form::elements(place, '{')?;
            let [node, pid] = parts[..] else { return None };
            LogEntry::Spawn {
                node: name(node)?,
                pid: number_of(pid)?,
                ok: ok(success)?,
            }
        }
        ("trace_send" | "send", [uid]) => LogEntry::Send(number_of(uid)?),
        ("trace_receive" | "receive", [uid]) => LogEntry::Receive(number_of(uid)?),
        ("deliver", [uid]) => {
            number_of(uid)?;
            return Some(None);
        }
        ("trace_start" | "start", [node, success]) => LogEntry::Start {
            node: name(node)?,
            ok: ok(success)?,
        },
        ("trace_nodes" | "nodes", [nodes]) => {
            let nodes = Form::elements(nodes, '[')?;
            LogEntry::Nodes(nodes.into_iter().map(name).collect::<Option<_>>()?)
        }
        _ => return None,
    }))
}

/// Checks that the files fit together, and fills in senders and receivers.
fn agree(logs: &mut LogFolder) -> Result<(), Error> {
    let mut pids: Vec<u64> = logs.processes.keys().copied().collect();
    pids.sort_unstable();
    let mut parents: FxHashMap<u64, u64> = FxHashMap::default();
    let (mut senders, mut receivers) = (FxHashMap::default(), FxHashMap::default());
    for &pid in &pids {
        for (entry, line) in &logs.processes[&pid].entries {
            let twice = |what: String, other: u64| {
                let found = format!("{} again (first in trace_{other}.log)", entry.show());
                Err(at(&logs.file(pid), *line, &what, &found))
            };
            match entry {
                LogEntry::Spawn { pid: child, .. } => {
                    if *child == logs.pid {
                        let expected = format!("any process but {child}, which makes the call");
                        return Err(at(&logs.file(pid), *line, &expected, &entry.show()));
                    }
                    if let Some(other) = parents.insert(*child, pid) {
                        return twice(
                            "each process to be spawned once (a log mixes up processes of different nodes that have one N)".to_owned(),
                            other,
                        );
                    }
                }
                LogEntry::Send(uid) => {
                    if let Some(other) = senders.insert(*uid, pid) {
                        return twice("each uid to be sent once".to_owned(), other);
                    }
                }
                LogEntry::Receive(uid) => {
                    if let Some(other) = receivers.insert(*uid, pid) {
                        return twice("each uid to be received once".to_owned(), other);
                    }
                }
                LogEntry::Start { .. } | LogEntry::Nodes(_) => {}
            }
        }
    }
    for &pid in pids.iter().filter(|&&pid| pid != logs.pid) {
        if !parents.contains_key(&pid) {
            return Err(Error::BadInput {
                path: logs.file(pid),
                error: format!(
                    "the file: expected a {{trace_spawn,_,{pid},true}} in the log of some process, found none"
                ),
            });
        }
    }
    (logs.senders, logs.receivers) = (senders, receivers);
    unsent(logs, &pids)
}

/// Limit: cut logs that are listed one by one.
const MAX_LISTED: usize = 20;

/// Messages that were received and never sent: the tracer's time was up before it had written the send. The receiver's log is cut there, and so
/// is all that depends on it.
fn unsent(logs: &mut LogFolder, pids: &[u64]) -> Result<(), Error> {
    let mut places: FxHashMap<u64, (u64, usize)> = FxHashMap::default();
    let mut cuts: Vec<(u64, usize)> = Vec::new();
    for &pid in pids {
        for (i, (entry, line)) in logs.processes[&pid].entries.iter().enumerate() {
            let LogEntry::Receive(uid) = entry else { continue };
            places.insert(*uid, (pid, i));
            if logs.senders.contains_key(uid) {
                continue;
            }
            if logs.finished {
                let expected = "a message that some log says was sent";
                return Err(at(&logs.file(pid), *line, expected, &entry.show()));
            }
            cuts.push((pid, i));
        }
    }
    let mut told = 0;
    while let Some((pid, from)) = cuts.pop() {
        let file = logs.file(pid);
        let Some(log) = logs.processes.get_mut(&pid) else {
            continue;
        };
        let Some((entry, line)) = log.entries.get(from).cloned() else {
            continue;
        };
        told += 1;
        if told <= MAX_LISTED {
            logs.warnings.push(format!(
                "{}, line {line}: what leads to {} is in no log; process {pid} is followed up to there",
                log_format::safe_path(&file),
                entry.show()
            ));
        }
        for (entry, _) in log.entries.drain(from..) {
            match entry {
                LogEntry::Send(uid) => {
                    logs.senders.remove(&uid);
                    cuts.extend(places.get(&uid));
                }
                LogEntry::Receive(uid) => {
                    logs.receivers.remove(&uid);
                }
                LogEntry::Spawn { pid: child, .. } => cuts.push((child, 0)),
                LogEntry::Start { .. } | LogEntry::Nodes(_) => {}
            }
        }
    }
    if told > MAX_LISTED {
        logs.warnings.push(format!(
            "{} more processes are followed up to such a place",
            told - MAX_LISTED
        ));
    }
    Ok(())
}

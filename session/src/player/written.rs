//! Writes the logs of a session as a trace of its own, so commands that read traces also work on what was done beyond one.

use std::sync::Arc;

use interpreter::heap::Heap;
use interpreter::print::{self, Style};
use log_format::{
    ActionNo, ExitClass, FinalState, Header, Kind, Memory, Node, Pid, ProcLog, ProcessOutcome, RunEnd, RunOutcome,
    SendNo, Tag, Trace, TraceWriter,
};
use rustc_hash::FxHashMap;
use system::feed::LogSource;
use system::observer::{ActionEvent, Ending, Observer};

use super::history::History;
use super::{Player, handle};
use crate::error::Error;
use crate::numbers::Numbers;
use crate::session::{Goal, Session};

impl Player {
    /// A session on all logs of this one, done or not; the same session if it follows its trace only.
    ///
    /// # Errors
    /// If the trace is damaged.
    pub fn told(&self) -> Result<Session, Error> {
        if !self.history.has_branches() {
            return Ok(self.session.clone());
        }
        let outcome = RunOutcome {
            run: RunEnd::Interrupted("the session stands here".to_owned()),
            processes: standing(self.session.trace(), &self.history)?,
        };
        let header = self.session.trace().header();
        let program = self.session.trace().program()?;
        let clock = self.session.trace().clock();
        let bytes = write(self.session.trace(), &self.history, header, &program, clock, &outcome)?;
        let trace = Arc::new(Trace::from_bytes(bytes)?);
        let mut kept = FxHashMap::default();
        for pid in self.history.processes()? {
            kept.extend(self.history.left_at(pid).map(|n| (pid, n)));
        }
        let numbers = Numbers {
            trace: Arc::clone(self.session.trace()),
            kept,
        };
        self.session.with(trace, Arc::new(numbers))
    }

    /// A session on what has been done, as a run of its own that ends here: how it ended is known.
    ///
    /// # Errors
    /// The trace is damaged; what was done cannot be repeated.
    pub fn ended(&self) -> Result<Session, Error> {
        let trace = Trace::from_bytes(self.save(self.session.trace().clock())?)?;
        let numbers = Numbers {
            trace: Arc::clone(self.session.trace()),
            kept: FxHashMap::default(),
        };
        self.session.with(Arc::new(trace), Arc::new(numbers))
    }

    /// Writes what has been done as a trace of its own: a recording that ends at the current position. Its receives are numbered anew; `clock`
    /// is the time, in microseconds since 1970.
    ///
    /// # Errors
    /// The trace is damaged; what was done cannot be repeated.
    pub fn save(&self, clock: i64) -> Result<Vec<u8>, Error> {
        self.save_by(clock, "replay debug")
    }

    /// As [`Player::save`], for a command of this name.
    ///
    /// # Errors
    /// As [`Player::save`].
    pub fn save_by(&self, clock: i64, command: &str) -> Result<Vec<u8>, Error> {
        let trace = self.session.trace();
        let cut = self.position().cut;
        let mut history = self.history.clone();
        for pid in history.processes()? {
            let done = cut.get(pid);
            if history.length(pid)?.is_some_and(|length| length > done) {
                history.truncate(pid, done)?;
            }
        }
        let mut header = trace.header().clone();
        if history.has_branches() {
            header.schedule = format!("by hand, in {command}");
            header.seed = None;
        }
        // Beyond the trace, more modules of the library may have been called: they are written too.
        let mut program = trace.program()?;
        for source in self.session.library_loaded() {
            if !program.sources.iter().any(|known| known.module == source.module) {
                program.sources.push(source);
            }
        }
        // How processes ended beyond the trace is known only from a replay.
        let unknown = RunOutcome {
            run: RunEnd::Interrupted(saved(command)),
            processes: standing(trace, &history)?,
        };
        let draft = Arc::new(Trace::from_bytes(write(
            trace, &history, &header, &program, clock, &unknown,
        )?)?);
        let numbers = Numbers {
            trace: Arc::clone(trace),
            kept: FxHashMap::default(),
        };
        let session = self.session.with(draft, Arc::new(numbers))?;
        let ends = session
            .replay(&Goal::everything(), Ends::default())?
            .into_observer()
            .list;
        let outcome = self.outcome(&history, ends, command)?;
        write(trace, &history, &header, &program, clock, &outcome)
    }

    /// The outcome of the processes and of the run.
    fn outcome(&self, history: &History, ends: Vec<SeenEnd>, command: &str) -> Result<RunOutcome, Error> {
        let mut processes = Vec::new();
        let (mut goes_on, mut entry) = (false, None);
        for pid in history.processes()? {
            let first = *entry.get_or_insert(pid) == pid;
            if has_ended(history, pid)? {
                if let Some(end) = ends.iter().find(|end| end.pid == pid) {
                    processes.push(ProcessOutcome {
                        pid,
                        state: FinalState::Ended {
                            reason: end.reason.clone(),
                            stack: end.stack.clone(),
                        },
                        mailbox: 0,
                        tags: Vec::new(),
                    });
                }
                continue;
            }
            let mut probe = self.clone();
            let can = !probe.choices(pid)?.is_empty();
            goes_on |= can;
            let one = probe.look(|system| {
                let p = system.table().by_pid(handle(pid))?;
                let location = crate::watch::here(&p.machine, &system.program).map_or_else(String::new, |place| {
                    format!("{}:{}:{}", place.file, place.line, place.column)
                });
                let arrived = p.machine.mailbox.tags().map(system::ids::unpack);
                let waiting = p.waiting().into_iter().map(|(tag, _)| tag);
                let mut tags: Vec<Tag> = waiting.chain(arrived).collect();
                tags.sort_unstable();
                let mailbox = tags.len() as u64;
                tags.truncate(log_format::MAILBOX_TAGS);
                let state = if can || first && system.observer.halted.is_some() {
                    FinalState::Running { location }
                } else {
                    FinalState::Waiting { location }
                };
                Some(ProcessOutcome {
                    pid,
                    state,
                    mailbox,
                    tags,
                })
            });
            processes.extend(one);
        }
        let class_of = |pid: Pid| ends.iter().find(|end| end.pid == pid);
        let halted = self.look(|system| system.observer.halted);
        let run = match (halted, entry) {
            (Some(code), _) => RunEnd::Halted(code),
            (None, Some(entry)) if !goes_on && has_ended(history, entry)? => match class_of(entry) {
                Some(end) => RunEnd::Crashed {
                    class: end.class.to_owned(),
                    reason: end.reason.clone(),
                },
                None => RunEnd::Returned(String::new()),
            },
            (None, Some(_)) if !goes_on => RunEnd::Deadlock,
            _ => RunEnd::Interrupted(saved(command)),
        };
        Ok(RunOutcome { run, processes })
    }
}

/// The outcome of a run that could have gone on.
fn saved(command: &str) -> String {
    format!("save, in {command}")
}

/// Limit: characters of a reason.
const CHARS: usize = 2000;

/// An abnormal end.
struct SeenEnd {
    pid: Pid,
    class: &'static str,
    reason: String,
    stack: String,
}

/// Notes the abnormal ends of a replay, as a recorder does.
#[derive(Default)]
struct Ends {
    list: Vec<SeenEnd>,
}

impl Observer for Ends {
    type Log = ();
    fn born(&mut self, _: Pid, _: Option<&()>, _: u16) {}
    fn action(&mut self, (): &mut (), _: &ActionEvent<'_>) {}
    fn ended(&mut self, (): &mut (), ending: &Ending<'_>) {
        let class = match ending.class {
            Some(ExitClass::Normal) => return,
            Some(class) => class.word(),
            None => "signal",
        };
        let style = Style::shown(ending.program);
        let mut heap = Heap::new(ending.program.literals().clone());
        let reason = heap.import(ending.reason);
        let stack = ending
            .stacktrace
            .map(|stack| print::short(&ending.machine.heap, stack, CHARS, &style));
        self.list.push(SeenEnd {
            pid: ending.pid,
            class,
            reason: print::short(&heap, reason, CHARS, &style),
            stack: stack.unwrap_or_default(),
        });
    }
}

/// Writes logs as a trace.
fn write(
    trace: &Trace,
    history: &History,
    header: &Header,
    program: &log_format::Program,
    clock: i64,
    outcome: &RunOutcome,
) -> Result<Vec<u8>, Error> {
    let sink = Memory::default();
    let bytes = sink.clone();
    let mut writer = TraceWriter::new(Box::new(sink), header, program, clock)?;
    for text in history.texts() {
        writer.text(&text);
    }
    for node in history.nodes() {
        writer.node(&node);
    }
    let pids = history.processes()?;
    let mut logs = Vec::with_capacity(pids.len());
    for pid in pids {
        let parent = match history.parent(pid)? {
            Some(spawn) => Some((spawn, SendNo(history.sends(spawn.pid, spawn.number.0)?))),
            None => None,
        };
        let mut log = ProcLog::born(pid, node(trace, history, pid)?, parent);
        let length = history.length(pid)?.unwrap_or(0);
        if let Some(mut cursor) = history.open(pid, ActionNo(0))? {
            while log.last_action().0 < length {
                let Some(action) = cursor.next()? else {
                    break;
                };
                log.action(&action);
            }
        }
        logs.push(log);
    }
    writer.finish(&mut logs, outcome)?;
    Ok(bytes.take())
}

/// How processes ended, as far as the trace says; of the others, only whether they ended is known.
fn standing(trace: &Trace, history: &History) -> Result<Vec<ProcessOutcome>, Error> {
    let mut list = Vec::new();
    for pid in history.processes()? {
        let told = if history.left_at(pid).is_none() {
            trace.outcome(pid)?
        } else {
            None
        };
        let state = match told.map(|outcome| outcome.state) {
            Some(state @ FinalState::Ended { .. }) => Some(state),
            _ if has_ended(history, pid)? => None,
            _ => Some(FinalState::Running {
                location: String::new(),
            }),
        };
        list.extend(state.map(|state| ProcessOutcome {
            pid,
            state,
            mailbox: 0,
            tags: Vec::new(),
        }));
    }
    Ok(list)
}

fn has_ended(history: &History, pid: Pid) -> Result<bool, Error> {
    let last = history.length(pid)?.unwrap_or(0);
    Ok(last > 0 && history.action(pid, last)?.kind.is_end())
}

/// The node of a process.
fn node(trace: &Trace, history: &History, of: Pid) -> Result<Node, Error> {
    let mut pid = of;
    loop {
        if trace.has(pid)? {
            return Ok(trace.process(pid)?.node);
        }
        // The entry of a run that has not begun is on the first node.
        let Some(spawn) = history.parent(pid)? else {
            return Ok(Node(0));
        };
        if let Kind::Spawn { node: Some(node), .. } = history.action(spawn.pid, spawn.number.0)?.kind {
            return Ok(node);
        }
        pid = spawn.pid;
    }
}

//! Traces as tables, for DuckDB, a spreadsheet or anything else that reads CSV (RFC 4180): one row for each run, process, action and message. A
//! trace is replayed once, and only messages on their way are kept.

use std::io::Write;

use log_format::{Cut, Kind, Tag, Trace};
use rustc_hash::FxHashMap;
use session::error::Error;
use session::name;
use session::watch::{DoneAction, Every};
use session::{Goal, Session};

use crate::words::safe;

/// Limit: characters of a content.
const CHARS: usize = 400;

/// The tables, each with the names of its columns.
pub const TABLES: [(&str, &str); 4] = [
    ("runs", "trace,processes,actions,sends,receives,failed,outcome"),
    (
        "processes",
        "trace,pid,name,parent,spawned_by,actions,sends,receives,ended",
    ),
    (
        "actions",
        "trace,pid,number,step,target,kind,peer,signal,sends,content,accesses,file,line,function",
    ),
    (
        "messages",
        "trace,signal,sent,sender,receiver,received,sent_step,received_step,content",
    ),
];

/// One sink for each table.
pub type Sinks<'s> = [&'s mut dyn Write; 4];

/// A message that has not been received yet.
struct OnItsWay {
    sent: String,
    step: u64,
    receiver: String,
    content: String,
}

/// Writes the rows of a trace, or of a slice of it.
///
/// # Errors
/// The trace is damaged; the replay diverges; the sinks cannot be written.
pub fn rows(session: &Session, trace_name: &str, slice: Option<Cut>, sinks: &mut Sinks<'_>) -> Result<(), Error> {
    let trace = session.trace();
    let run = cell(trace_name);
    let goal = slice.clone().map_or_else(Goal::everything, Goal::causes);
    let mut writing = Writing {
        trace,
        run: &run,
        step: 0,
        bases: FxHashMap::default(),
        names: FxHashMap::default(),
        open: FxHashMap::default(),
        failed: None,
        sinks,
    };
    let tell = |told: &DoneAction<'_>| {
        if writing.failed.is_none()
            && let Err(error) = writing.action(told)
        {
            writing.failed = Some(error);
        }
    };
    drop(session.replay(&goal, Every { tell })?);
    if let Some(error) = writing.failed.take() {
        return Err(error);
    }
    writing.never_received()?;
    writing.processes(slice.as_ref())?;
    let totals = trace.totals();
    let (outcome, failed) = crate::commands::info::outcome_of(trace)?;
    let counts = totals.counts;
    let (actions, processes) = slice.as_ref().map_or((counts.actions, totals.processes), |slice| {
        (slice.actions(), slice.processes() as u64)
    });
    writeln!(
        writing.sinks[0],
        "{run},{processes},{actions},{},{},{failed},{}",
        counts.sends,
        counts.receives,
        cell(&outcome)
    )?;
    Ok(())
}

struct Writing<'w, 's, 'o> {
    trace: &'w Trace,
    /// The first cell of each row.
    run: &'w str,
    /// Actions so far.
    step: u64,
    bases: FxHashMap<log_format::Pid, u64>,
    names: FxHashMap<log_format::Pid, String>,
    open: FxHashMap<Tag, OnItsWay>,
    failed: Option<Error>,
    sinks: &'o mut Sinks<'s>,
}

impl Writing<'_, '_, '_> {
    fn action(&mut self, told: &DoneAction<'_>) -> Result<(), Error> {
        self.step += 1;
        let event = told.event;
        let pid = event.pid;
        let base = match self.bases.get(&pid) {
            Some(base) => *base,
            None => {
                let base = self.trace.process(pid)?.base;
                self.bases.insert(pid, base);
                if let Some(name) = told.runs() {
                    self.names.insert(pid, name);
                }
                base
            }
        };
        let target = name::target(pid, event.action, &told.tally, base);
        let act = session::act::from_log(self.trace, pid, event.action, &told.tally, base);
        let content = told.content(CHARS).or(act.content).unwrap_or_default();
        let content = cell(&content);
        let peer = told.peer().map_or_else(String::new, |pid| pid.to_string());
        let signal = event.action.kind.consumed();
        let place = told.place();
        let (file, line, function) = place.map_or_else(Default::default, |place| {
            (
                cell(&place.file),
                place.line.to_string(),
                cell(&place.function.to_string()),
            )
        });
        writeln!(
            self.sinks[2],
            "{},{pid},{},{},{target},{},{peer},{},{},{content},{},{file},{line},{function}",
            self.run,
            event.number.0,
            self.step,
            event.action.kind.word(),
            signal.map_or_else(String::new, |tag| tag.to_string()),
            event.action.sends,
            cell(&session::shared::joined(&act.accesses)),
        )?;
        if let Some(tag) = told.sent() {
            let sent = OnItsWay {
                sent: target.clone(),
                step: self.step,
                receiver: peer.clone(),
                content: content.clone(),
            };
            self.open.insert(tag, sent);
        }
        if let (Kind::Rec(_), Some(tag)) = (&event.action.kind, signal) {
            let known = self.open.remove(&tag);
            let sender = tag.sender().map_or_else(String::new, |pid| pid.to_string());
            let (sent, at) = known.map_or_else(Default::default, |one| (one.sent, one.step.to_string()));
            writeln!(
                self.sinks[3],
                "{},{tag},{sent},{sender},{pid},{target},{at},{},{content}",
                self.run, self.step
            )?;
        }
        Ok(())
    }

    fn never_received(&mut self) -> Result<(), Error> {
        let mut left: Vec<(Tag, OnItsWay)> = std::mem::take(&mut self.open).into_iter().collect();
        left.sort_unstable_by_key(|(_, one)| one.step);
        for (tag, one) in left {
            let sender = tag.sender().map_or_else(String::new, |pid| pid.to_string());
            writeln!(
                self.sinks[3],
                "{},{tag},{},{sender},{},,{},,{}",
                self.run, one.sent, one.receiver, one.step, one.content
            )?;
        }
        Ok(())
    }

    fn processes(&mut self, slice: Option<&Cut>) -> Result<(), Error> {
        for process in self.trace.processes() {
            let process = process?;
            if slice.is_some_and(|slice| slice.get(process.pid) == 0) {
                continue;
            }
            let actions = slice.map_or(process.counts.actions, |slice| slice.get(process.pid));
            let ended = process.ended && actions == process.counts.actions;
            let (parent, spawned) = process.parent.map_or_else(Default::default, |parent| {
                (parent.pid.to_string(), format!("spawn:{}", process.pid))
            });
            let name = self.names.get(&process.pid).map_or_else(String::new, |name| cell(name));
            writeln!(
                self.sinks[1],
                "{},{},{name},{parent},{spawned},{actions},{},{},{ended}",
                self.run, process.pid, process.counts.sends, process.counts.receives
            )?;
        }
        Ok(())
    }
}

/// A cell; nothing in it disturbs a terminal.
fn cell(text: &str) -> String {
    crate::commands::log::cell(&safe(text))
}

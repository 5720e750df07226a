//! Reads a trace from JSON. The text is not trusted: everything is checked.

use std::io::Read;
use std::path::Path;

use log_format::{
    ActionId, Header, Kind, NativeVersion, Node, Pid, ProcLog, Program, RunEnd, RunOutcome, SendNo, TraceWriter,
};
use rustc_hash::FxHashMap;

use super::action::{Wrong, from_record, parse_pid};
use super::document::{Document, ProcessRecord, VERSION};

/// Why a trace could not be made.
#[derive(Debug)]
pub enum Problem {
    /// The text is not a trace in this form: where, and what was expected.
    Text(String),
    /// The trace cannot be written.
    Output(String),
}

/// Reads a document and writes the trace that it describes. Returns the length of the trace in bytes.
///
/// # Errors
/// See [`Problem`]. Then no part of the trace is left, and an older file stays.
pub fn document(text: impl Read, to: &Path) -> Result<u64, Problem> {
    let document: Document = serde_json::from_reader(text).map_err(|error| Problem::Text(not_ours(&error)))?;
    if document.exchange != VERSION {
        return Err(Problem::Text(format!(
            "version {} of traces as JSON is not supported: expected {VERSION}",
            document.exchange
        )));
    }
    let output = |e: log_format::Error| Problem::Output(e.to_string());
    let header = Header::from(document.header);
    let sources: Result<Vec<_>, Wrong> = document.sources.into_iter().map(|file| file.source()).collect();
    let natives = document
        .natives
        .into_iter()
        .map(|(name, version)| NativeVersion { name, version })
        .collect();
    let program = Program {
        sources: sources.map_err(expected)?,
        natives,
        used: document.used,
    };
    let standing: Result<Vec<_>, Wrong> = document.standing.into_iter().map(|s| s.outcome()).collect();
    let standing = standing.map_err(expected)?;
    let refused = |e: std::io::Error| Problem::Output(e.to_string());
    let place = crate::unfinished::aside(to).map_err(refused)?;
    let sink = Box::new(std::io::BufWriter::new(place.handle().map_err(refused)?));
    let make = if document.slice {
        TraceWriter::slice
    } else {
        TraceWriter::new
    };
    let mut writer = make(sink, &header, &program, document.clock).map_err(output)?;
    for text in &document.texts {
        writer.text(text);
    }
    for name in &document.nodes {
        writer
            .node(name)
            .ok_or_else(|| expected("at most 65,536 nodes".to_owned()))?;
    }
    let mut logs = logs(&document.processes, &mut writer, document.nodes.len().max(1)).map_err(expected)?;
    let Some(run) = document.outcome.map(RunEnd::from) else {
        // The recording had not ended, so this trace does not end either.
        writer.cut(&mut logs).map_err(output)?;
        place.keep().map_err(refused)?;
        return Ok(writer.bytes());
    };
    let outcome = RunOutcome {
        run,
        processes: standing,
    };
    let length = writer.finish(&mut logs, &outcome).map_err(output)?;
    place.keep().map_err(refused)?;
    Ok(length)
}

fn expected(wrong: Wrong) -> Problem {
    let wrong = wrong.strip_prefix("expected ").unwrap_or(&wrong);
    Problem::Text(format!("not a trace as JSON: expected {wrong}"))
}

/// Why a text is not a document, in words of its own where it is JSON.
fn not_ours(error: &serde_json::Error) -> String {
    use serde_json::error::Category;
    match error.classify() {
        Category::Io => format!("cannot be read: {error}"),
        Category::Syntax | Category::Eof => format!("not JSON: {error}"),
        Category::Data => {
            let text = error.to_string();
            let text = text.split(" at line ").next().unwrap_or_default();
            let text = match text.strip_prefix("missing field ") {
                Some(field) => format!("it has no field {field}"),
                None => text.to_owned(),
            };
            format!("JSON, but not as `replay export` writes it: {text}; export the trace again")
        }
    }
}

/// Encodes the logs of all processes.
fn logs(lives: &[ProcessRecord], writer: &mut TraceWriter, nodes: usize) -> Result<Vec<ProcLog>, Wrong> {
    let mut spawns: FxHashMap<ActionId, SendNo> = FxHashMap::default();
    let mut all = Vec::with_capacity(lives.len());
    let mut last: Option<Pid> = None;
    for life in lives {
        let pid = parse_pid(Some(&life.pid), || "`pid` of a process".to_owned())?;
        if last.is_some_and(|last| pid <= last) {
            return Err(format!("processes in ascending order, found {pid}"));
        }
        last = Some(pid);
        let mut log = Vec::with_capacity(life.log.len());
        let (mut sends, mut ended) = (0u64, false);
        for (number, record) in (1u64..).zip(&life.log) {
            let place = |wrong: Wrong| format!("{wrong}, in action {number} of {pid}");
            let action = from_record(record, &mut |text| writer.text(text)).map_err(place)?;
            if ended {
                return Err(place("nothing after an end".to_owned()));
            }
            ended = action.is_end();
            sends += u64::from(action.sends);
            if let Kind::Spawn { node: Some(node), .. } | Kind::SpawnFailed { node, .. } | Kind::Start { node, .. } =
                &action.kind
                && usize::from(node.0) >= nodes
            {
                return Err(place(format!("a node below {nodes}")));
            }
            if matches!(action.kind, Kind::Spawn { .. }) {
                spawns.insert(ActionId::new(pid, number), SendNo(sends));
            }
            log.push(action);
        }
        all.push((pid, life, log));
    }
    let mut logs = Vec::with_capacity(all.len());
    for (pid, life, actions) in all {
        let parent = match &life.parent {
            None => None,
            Some((text, action)) => {
                let parent = parse_pid(Some(text), || format!("`parent` of {pid}"))?;
                let spawn = ActionId::new(parent, *action);
                let sends = spawns.get(&spawn).copied();
                let sends =
                    sends.ok_or_else(|| format!("a spawn as action {action} of {parent}, the parent of {pid}"))?;
                Some((spawn, sends))
            }
        };
        if usize::from(life.node) >= nodes {
            return Err(format!("a node below {nodes} for {pid}"));
        }
        let mut log = ProcLog::born(pid, Node(life.node), parent);
        actions.iter().for_each(|action| log.action(action));
        if let Some(base) = life.base {
            writer.set_base(pid, base);
        }
        writer.digests(pid, &life.digests, life.last_digest);
        logs.push(log);
    }
    Ok(logs)
}

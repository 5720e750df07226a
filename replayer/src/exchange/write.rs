//! Writes a trace as JSON, one process at a time: only one is in memory.

use std::io::{self, Write};

use log_format::{ActionId, Pid, TextId, Trace};
use serde::Serialize;

use super::action::{Record, to_record};
use super::document::{ExchangeEnd, File, ProcessRecord, ProcessStanding, Start, VERSION};
use session::error::Error;

/// The beginning of the document.
pub const START: &[u8] = b"{\n\"exchange\":";

/// Writes the document.
///
/// # Errors
/// The trace is damaged; the sink cannot be written.
pub fn document(trace: &Trace, out: &mut dyn Write) -> Result<(), Error> {
    let (major, minor) = trace.version();
    let program = trace.program()?;
    out.write_all(b"{\n")?;
    field(out, "exchange", &VERSION)?;
    field(out, "format", &format!("{major}.{minor}"))?;
    field(out, "clock", &trace.clock())?;
    field(out, "slice", &trace.is_slice())?;
    field(out, "header", &Start::from(trace.header()))?;
    let sources: Vec<File> = program.sources.iter().map(File::from).collect();
    field(out, "sources", &sources)?;
    let natives: Vec<(&str, u16)> = program.natives.iter().map(|n| (n.name.as_str(), n.version)).collect();
    field(out, "natives", &natives)?;
    field(out, "used", &program.used)?;
    field(out, "texts", &trace.texts()?)?;
    field(out, "nodes", &trace.nodes()?)?;
    let mut digests = trace.digests()?;
    write!(out, "\"processes\":[")?;
    let mut first = true;
    for process in trace.processes() {
        let process = process?;
        let mut life = ProcessRecord {
            pid: process.pid.to_string(),
            parent: process
                .parent
                .map(|ActionId { pid, number: action }| (pid.to_string(), action.0)),
            node: process.node.0,
            base: trace.is_slice().then_some(process.base),
            ..ProcessRecord::default()
        };
        if let Some(digests) = digests.remove(&process.pid.0) {
            (life.digests, life.last_digest) = (digests.received, digests.last);
        }
        for action in trace.log(process.pid)? {
            life.log.push(record(trace, &action?.1)?);
        }
        out.write_all(if first { b"\n" } else { b",\n" })?;
        first = false;
        json(out, &life)?;
    }
    out.write_all(b"\n],\n")?;
    field(out, "outcome", &trace.run_end()?.map(ExchangeEnd::from))?;
    let standing: Vec<ProcessStanding> = trace.outcomes()?.into_iter().map(ProcessStanding::from).collect();
    write!(out, "\"standing\":")?;
    json(out, &standing)?;
    out.write_all(b"\n}\n")?;
    Ok(())
}

fn record(trace: &Trace, action: &log_format::Action) -> Result<Record, Error> {
    Ok(to_record(action, &|id: TextId| trace.text(id).map(str::to_owned))?)
}

fn field(out: &mut dyn Write, name: &str, value: &impl Serialize) -> io::Result<()> {
    write!(out, "\"{name}\":")?;
    json(out, value)?;
    out.write_all(b",\n")
}

fn json(out: &mut dyn Write, value: &impl Serialize) -> io::Result<()> {
    crate::render::json::write_part(out, value)
}

/// An action in a list of actions.
#[derive(Serialize)]
struct Line<'a> {
    pid: String,
    number: u64,
    target: &'a str,
    #[serde(flatten)]
    record: Record,
}

/// Writes one action on one line: its process, number and target, and its record.
///
/// # Errors
/// The trace is damaged; the sink cannot be written.
pub fn line(
    trace: &Trace,
    pid: Pid,
    number: u64,
    target: &str,
    action: &log_format::Action,
    out: &mut dyn Write,
) -> Result<(), Error> {
    let line = Line {
        pid: pid.to_string(),
        number,
        target,
        record: record(trace, action)?,
    };
    json(out, &line)?;
    out.write_all(b"\n")?;
    Ok(())
}

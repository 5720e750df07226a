//! The contents of a trace besides actions: the program, outcomes, digests, texts, nodes.
use rustc_hash::FxHashMap;

use super::Trace;
use super::sections::{Room, section_header, section_of};
use crate::error::{Error, Result};
use crate::ids::{Pid, TextId};
use crate::record::{self, Digests, FinalState, ProcessOutcome, Program, RunEnd};
use crate::section::{SECTION_HEADER, SectionKind};

impl Trace {
    /// The program: sources and natives in the order in which they were loaded.
    ///
    /// # Errors
    /// If it is damaged.
    pub fn program(&self) -> Result<Program> {
        let mut program = Program::default();
        let mut room = Room::of(&self.source);
        self.others(SectionKind::Program, |payload, offset| {
            let Program { sources, natives, used } = record::get_program(payload, offset)?;
            let held = size_of_val(&sources[..]) + size_of_val(&natives[..]) + size_of_val(&used[..]);
            room.take(offset, held as u64)?;
            program.sources.extend(sources);
            program.natives.extend(natives);
            program.used.extend(used);
            Ok(())
        })?;
        Ok(program)
    }

    /// How the run ended; `None` if the trace is incomplete.
    ///
    /// # Errors
    /// If it is damaged.
    pub fn run_end(&self) -> Result<Option<RunEnd>> {
        let mut end = None;
        self.others(SectionKind::Outcome, |payload, offset| {
            end = Some(record::get_run_end(payload, offset)?);
            Ok(())
        })?;
        Ok(end)
    }

    /// The outcomes of processes at the end of the run, by pid. Those that ended normally may be missing.
    ///
    /// # Errors
    /// If it is damaged.
    pub fn outcomes(&self) -> Result<Vec<ProcessOutcome>> {
        let mut all: Vec<ProcessOutcome> = Vec::new();
        let mut room = Room::of(&self.source);
        for (_, offset) in &self.directory.outcomes {
            let more = self.outcome_section(*offset)?;
            let texts = more.iter().map(|outcome| match &outcome.state {
                FinalState::Ended { reason, stack } => reason.len() + stack.len(),
                FinalState::Running { location } | FinalState::Waiting { location } => location.len(),
            });
            room.take(*offset, (size_of_val(&more[..]) + texts.sum::<usize>()) as u64)?;
            all.extend(more);
        }
        Ok(all)
    }

    /// The outcome of one process at the end of the run.
    ///
    /// # Errors
    /// If it is damaged.
    pub fn outcome(&self, pid: Pid) -> Result<Option<ProcessOutcome>> {
        let at = self.directory.outcomes.partition_point(|(first, _)| *first <= pid.0);
        let Some((_, offset)) = at.checked_sub(1).and_then(|at| self.directory.outcomes.get(at)) else {
            return Ok(None);
        };
        Ok(self
            .outcome_section(*offset)?
            .into_iter()
            .find(|outcome| outcome.pid == pid))
    }

    fn outcome_section(&self, offset: u64) -> Result<Vec<ProcessOutcome>> {
        let payload = section_of(&self.source, offset, SectionKind::Processes)?;
        record::get_processes(&payload, offset + SECTION_HEADER)
    }

    /// Digests of received messages and final states, by process; empty if they were not recorded.
    ///
    /// # Errors
    /// If they are damaged.
    pub fn digests(&self) -> Result<FxHashMap<u64, Digests>> {
        let mut all = FxHashMap::default();
        self.others(SectionKind::Digests, |payload, offset| {
            record::get_digests(payload, offset, &mut all)
        })?;
        Ok(all)
    }

    /// The text with a number.
    ///
    /// # Errors
    /// If the texts are damaged or there is none with this number.
    pub fn text(&self, id: TextId) -> Result<&str> {
        let texts = self.texts()?;
        let text = texts.get(id.0 as usize).map(String::as_str);
        text.ok_or_else(|| Error::absent(format!("text {id}"), format!("it has {} texts", texts.len())))
    }

    /// Were digests recorded?
    ///
    /// # Errors
    /// If a section header is damaged.
    pub fn has_digests(&self) -> Result<bool> {
        self.has_section(SectionKind::Digests)
    }

    pub(super) fn has_section(&self, kind: SectionKind) -> Result<bool> {
        for offset in &self.directory.others {
            if section_header(&self.source, *offset)?.1.kind == Some(kind) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// All texts, in the order of their numbers.
    ///
    /// # Errors
    /// If they are damaged.
    pub fn texts(&self) -> Result<&[String]> {
        if let Some(texts) = self.texts.get() {
            return Ok(texts);
        }
        let mut texts = Vec::new();
        let mut room = Room::of(&self.source);
        self.others(SectionKind::Texts, |payload, offset| {
            let more = record::get_texts(payload, offset)?;
            room.take(offset, size_of_val(&more[..]) as u64)?;
            texts.extend(more);
            Ok(())
        })?;
        Ok(self.texts.get_or_init(|| texts))
    }

    /// The names of all nodes, in the order of their numbers.
    ///
    /// # Errors
    /// If they are damaged.
    pub fn nodes(&self) -> Result<Vec<String>> {
        let mut nodes = vec![self.header.node.clone()];
        let mut room = Room::of(&self.source);
        self.others(SectionKind::Nodes, |payload, offset| {
            let more = record::get_texts(payload, offset)?;
            room.take(offset, size_of_val(&more[..]) as u64)?;
            nodes.extend(more);
            Ok(())
        })?;
        Ok(nodes)
    }

    /// Reads the sections of one kind.
    fn others(&self, wanted: SectionKind, mut found: impl FnMut(&[u8], u64) -> Result<()>) -> Result<()> {
        let mut room = Room::of(&self.source);
        for offset in &self.directory.others {
            if section_header(&self.source, *offset)?.1.kind == Some(wanted) {
                let payload = section_of(&self.source, *offset, wanted)?;
                room.take(*offset, payload.len() as u64)?;
                found(&payload, offset + SECTION_HEADER)?;
            }
        }
        Ok(())
    }
}

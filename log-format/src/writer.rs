//! Writing a trace: an append-only sink, in numbered consistent cuts.

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::{Arc, Mutex};

use rustc_hash::FxHashMap;

use crate::encode::{ProcLog, WaitingPieces};
use crate::error::{Error, Result};
use crate::growing::{Finisher, Growing, lock};
use crate::ids::{Node, Pid, TextId};
use crate::index::Totals;
use crate::place::owner_only;
use crate::record::{self, Header, ProcessOutcome, Program, RunOutcome};
use crate::section::{SLICE, SectionKind};
use crate::stream::Stream;

/// Limit: bytes of sources in one section.
const PROGRAM_PART: usize = 4 << 20;

/// Writes a trace. After the first error nothing more is written, and every later call returns an error; complete cuts before it remain readable.
pub struct TraceWriter {
    /// The file so far. Locked during a cut, never while an action is logged.
    file: Arc<Mutex<Growing>>,
    texts: FxHashMap<String, TextId>,
    new_texts: Vec<String>,
    /// Digests to be written, encoded.
    new_digests: Vec<u8>,
    nodes: Vec<String>,
    /// The number of nodes that are written.
    nodes_written: usize,
    /// How processes have ended since the last cut, if that is noted.
    ended: Vec<ProcessOutcome>,
    /// The contents of the next cut: the logs of processes that have ended since the last one; during a cut, all others too.
    waiting: WaitingPieces,
    /// As `waiting`, for processes that were also born since the last cut.
    stream: Stream,
    /// The order in which [`Self::waiting`] is written; kept for its memory.
    order: Vec<(Pid, u32)>,
    /// The maximal length of the file.
    max_bytes: Option<u64>,
    full: bool,
}

impl std::fmt::Debug for TraceWriter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TraceWriter")
            .field("written", &self.bytes())
            .field("totals", &self.totals())
            .finish_non_exhaustive()
    }
}

impl TraceWriter {
    /// Creates the file, readable by its owner alone, or empties an existing one, and writes the header.
    ///
    /// `clock` is the time at which the recording began, in microseconds since 1970: the only value that comparisons ignore.
    ///
    /// # Errors
    /// If the file cannot be created or written.
    pub fn create(path: &Path, header: &Header, program: &Program, clock: i64) -> Result<Self> {
        let file = owner_only().write(true).create(true).truncate(true).open(path);
        let file = file.map_err(|error| Error::io(0, error))?;
        Self::new(Box::new(file), header, program, clock)
    }

    /// As [`TraceWriter::create`], for any sink.
    ///
    /// # Errors
    /// If the sink cannot be written.
    pub fn new(sink: Box<dyn Write + Send>, header: &Header, program: &Program, clock: i64) -> Result<Self> {
        Self::with_flags(sink, header, program, clock, 0)
    }

    /// As [`TraceWriter::new`], for a slice of another trace, which keeps the numbers of its receives: see [`TraceWriter::set_base`].
    ///
    /// # Errors
    /// If the sink cannot be written.
    pub fn slice(sink: Box<dyn Write + Send>, header: &Header, program: &Program, clock: i64) -> Result<Self> {
        Self::with_flags(sink, header, program, clock, SLICE)
    }

    fn with_flags(
        sink: Box<dyn Write + Send>,
        header: &Header,
        program: &Program,
        clock: i64,
        flags: u32,
    ) -> Result<Self> {
        let mut writer = Self {
            file: Arc::new(Mutex::new(Growing::new(sink, flags, clock))),
            texts: FxHashMap::default(),
            new_texts: Vec::new(),
            new_digests: Vec::new(),
            nodes: vec![header.node.clone()],
            nodes_written: 1,
            ended: Vec::new(),
            waiting: WaitingPieces::default(),
            stream: Stream::default(),
            order: Vec::new(),
            max_bytes: None,
            full: false,
        };
        lock(&writer.file).header(header)?;
        writer.program(program)?;
        lock(&writer.file).write()?;
        Ok(writer)
    }

    /// A copy that goes on in another sink, with another header: another run that has begun in the same way. `so_far`: what this one has written. To be
    /// called right after a cut.
    ///
    /// # Errors
    /// If the sink cannot be written.
    pub fn copy(&self, header: &Header, so_far: &[u8], sink: Box<dyn Write + Send>) -> Result<Self> {
        Ok(Self {
            file: Arc::new(Mutex::new(lock(&self.file).copy(header, so_far, sink)?)),
            texts: self.texts.clone(),
            new_texts: self.new_texts.clone(),
            new_digests: self.new_digests.clone(),
            nodes: self.nodes.clone(),
            nodes_written: self.nodes_written,
            ended: self.ended.clone(),
            waiting: WaitingPieces::default(),
            stream: Stream::default(),
            order: Vec::new(),
            max_bytes: self.max_bytes,
            full: self.full,
        })
    }

    /// From now on, every cut reaches the disk before [`TraceWriter::cut`] returns. `file` is the file of the sink.
    pub fn sync_to(&mut self, file: File) {
        lock(&self.file).sync = Some(file);
    }

    /// Limits the length of the file, index included: the first cut that would not fit is left out, with all later ones
    /// ([`TraceWriter::is_full`]). The outcome and modules loaded since are added by [`TraceWriter::finish`] all the same.
    pub const fn limit(&mut self, bytes: u64) {
        self.max_bytes = Some(bytes);
    }

    /// Has a cut been left out because of the limit?
    #[must_use]
    pub const fn is_full(&self) -> bool {
        self.full
    }

    /// Adds modules that were loaded during the run. Written with the next cut.
    ///
    /// # Errors
    /// If a source is longer than a section can be.
    pub fn program(&mut self, program: &Program) -> Result<()> {
        let mut file = lock(&self.file);
        let Program { sources, natives, used } = program;
        // As few sections as possible: each needs its own compressor.
        let mut part = Program {
            sources: Vec::new(),
            natives: natives.clone(),
            used: used.clone(),
        };
        let mut bytes = 0;
        for source in sources {
            if bytes > 0 && bytes + source.bytes.len() > PROGRAM_PART {
                file.other(SectionKind::Program, &record::put_program(&part), true)?;
                part = Program::default();
                bytes = 0;
            }
            bytes += source.bytes.len();
            part.sources.push(source.clone());
        }
        if part != Program::default() {
            file.other(SectionKind::Program, &record::put_program(&part), true)?;
        }
        Ok(())
    }

    /// The number of a text in this trace.
    pub fn text(&mut self, text: &str) -> TextId {
        if let Some(id) = self.texts.get(text) {
            return *id;
        }
        let id = TextId(u32::try_from(self.texts.len()).expect("fewer than 2^32 texts fit into memory"));
        self.texts.insert(text.to_owned(), id);
        self.new_texts.push(text.to_owned());
        id
    }

    /// The number of a node in this trace; `None` if there are 65,536 others.
    pub fn node(&mut self, name: &str) -> Option<Node> {
        let at = self.nodes.iter().position(|known| known == name).unwrap_or_else(|| {
            self.nodes.push(name.to_owned());
            self.nodes.len() - 1
        });
        u16::try_from(at).ok().map(Node)
    }

    /// Takes over the contents of the log of a process that has ended; they become part of the next cut. The log can then be reused for another
    /// process ([`ProcLog::renew_child`]).
    pub fn retire(&mut self, log: &mut ProcLog) {
        if !self.full && !self.stream.add(log) {
            log.drain(&mut self.waiting);
        }
    }

    /// Adds how a process has ended, or its state at the end of the run, to the outcome.
    pub fn ended(&mut self, outcome: ProcessOutcome) {
        if !self.full {
            self.ended.push(outcome);
        }
    }

    /// A handle to finish the file from any thread, instead of this writer.
    #[must_use]
    pub fn finisher(&self) -> Finisher {
        Finisher::of(&self.file)
    }

    /// Adds digests of messages that a process has received since the last call for it, in the order of its receives, and of its final state.
    /// Written with the next cut.
    pub fn digests(&mut self, pid: Pid, received: &[u32], last: Option<u32>) {
        if !self.full && (!received.is_empty() || last.is_some()) {
            record::put_digests(&mut self.new_digests, pid, received, last);
        }
    }

    /// For a slice: sets the number of receives before a process in the original trace.
    pub fn set_base(&mut self, pid: Pid, receives_before: u64) {
        lock(&self.file).bases.insert(pid.0, receives_before);
    }

    /// Bytes written so far.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        lock(&self.file).written
    }

    /// Totals of what has been written so far.
    #[must_use]
    pub fn totals(&self) -> Totals {
        lock(&self.file).directory.totals
    }

    /// Writes the contents of the given logs and of the retired ones as one consistent cut. To be called between actions, with every log that
    /// is dirty (also new ones): otherwise the cut is inconsistent.
    ///
    /// # Errors
    /// If the sink cannot be written. The file is then readable up to the cut before.
    pub fn cut<'a>(&mut self, logs: impl IntoIterator<Item = &'a mut ProcLog>) -> Result<()> {
        if self.full {
            return Ok(());
        }
        for log in logs {
            if log.is_dirty() {
                log.drain(&mut self.waiting);
            }
        }
        let mut file = lock(&self.file);
        let before = file.mark();
        let (new_texts, new_nodes) = (self.new_texts.len(), self.nodes_written);
        if new_texts > 0 {
            file.other(SectionKind::Texts, &record::put_texts(&self.new_texts), true)?;
            self.new_texts.clear();
        }
        if new_nodes < self.nodes.len() {
            file.other(
                SectionKind::Nodes,
                &record::put_texts(&self.nodes[new_nodes..].to_vec()),
                false,
            )?;
            self.nodes_written = self.nodes.len();
        }
        if !self.new_digests.is_empty() {
            file.digests(&std::mem::take(&mut self.new_digests))?;
        }
        file.stream(&mut self.stream)?;
        file.blocks(&mut self.waiting, &mut self.order)?;
        file.end_cut()?;
        if self.max_bytes.is_some_and(|max| file.estimate() > max) {
            self.full = true;
            file.back_to(before);
        } else {
            file.ended.append(&mut self.ended);
        }
        file.write()
    }

    /// Writes a last cut with these logs, the outcome and the index. Returns the length of the file.
    ///
    /// # Errors
    /// If the sink cannot be written.
    pub fn finish<'a>(mut self, logs: impl IntoIterator<Item = &'a mut ProcLog>, outcome: &RunOutcome) -> Result<u64> {
        for log in logs {
            if log.is_dirty() {
                self.retire(log);
            }
        }
        let more = self.nodes_written < self.nodes.len() || !self.new_texts.is_empty() || !self.ended.is_empty();
        if more
            || !self.new_digests.is_empty()
            || !self.waiting.pieces.is_empty()
            || !self.stream.is_empty()
            || self.totals().cuts == 0
        {
            self.cut([])?;
        }
        let mut file = lock(&self.file);
        file.ended.extend_from_slice(&outcome.processes);
        file.finish(&outcome.run)
    }
}

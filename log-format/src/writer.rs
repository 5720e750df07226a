//! Writing a trace: a sink that is only appended to, in numbered consistent cuts.

use std::fs::File;
use std::io::Write;
use std::path::Path;

use rustc_hash::FxHashMap;

use crate::action::Counts;
use crate::block::BlockBuilder;
use crate::encode::{ProcLog, Waiting};
use crate::error::{Error, ErrorKind, Result};
use crate::ids::{Node, Pid, TextId};
use crate::index::{ChunkMeta, Directory, Totals, build};
use crate::record::{self, Header, Outcome, ProcessOutcome, Program};
use crate::section::{
    FileHeader, MINOR, SECTION_HEADER, SLICE, SectionKind, put_compressed, put_optional, put_section,
};
use crate::varint::put;

/// Sources go into one section up to so many bytes.
const PROGRAM_PART: usize = 4 << 20;
/// Outcomes of so many processes go into one section.
const OUTCOMES_PER_SECTION: usize = 512;

/// Writes a trace. After the first error nothing more is written, and every later call gives an error too; what was whole before
/// stays readable.
pub struct TraceWriter {
    sink: Box<dyn Write + Send>,
    /// The same file as the sink, where its contents must reach the disk at every cut.
    sync: Option<File>,
    /// Bytes written.
    written: u64,
    /// What the next write will append.
    pending: Vec<u8>,
    failed: Option<std::io::ErrorKind>,
    texts: FxHashMap<String, TextId>,
    new_texts: Vec<String>,
    /// Digests that are not written yet, as they are stored.
    new_digests: Vec<u8>,
    nodes: Vec<String>,
    /// How many of the nodes are written.
    nodes_written: usize,
    chunks: Vec<ChunkMeta>,
    /// What goes into the next cut: the logs of processes that have ended since the last one, and during a cut all others.
    waiting: Waiting,
    /// The order in which [`Self::waiting`] is written; kept for its memory.
    order: Vec<(Pid, u32)>,
    /// The file is not to grow longer.
    max_bytes: Option<u64>,
    full: bool,
    bases: FxHashMap<u64, u64>,
    directory: Directory,
}

impl std::fmt::Debug for TraceWriter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self {
            written,
            failed,
            directory,
            ..
        } = self;
        f.debug_struct("TraceWriter")
            .field("written", written)
            .field("failed", failed)
            .field("totals", &directory.totals)
            .finish_non_exhaustive()
    }
}

impl TraceWriter {
    /// Creates the file, empties it if it is there, and writes the header.
    ///
    /// `clock` is the time at which the recording began, in microseconds since 1970: the one value that comparisons leave out.
    ///
    /// # Errors
    /// If the file cannot be created or written.
    pub fn create(path: &Path, header: &Header, program: &Program, clock: i64) -> Result<Self> {
        let file = File::create(path).map_err(|error| Error::io(0, error))?;
        Self::new(Box::new(file), header, program, clock)
    }

    /// The same into any sink.
    ///
    /// # Errors
    /// If the sink refuses.
    pub fn new(sink: Box<dyn Write + Send>, header: &Header, program: &Program, clock: i64) -> Result<Self> {
        Self::with_flags(sink, header, program, clock, 0)
    }

    /// The same for a slice of another trace, which keeps the numbers of its receives: see [`TraceWriter::set_base`].
    ///
    /// # Errors
    /// If the sink refuses.
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
            sink,
            sync: None,
            written: 0,
            pending: FileHeader {
                minor: MINOR,
                flags,
                clock,
            }
            .to_bytes()
            .to_vec(),
            failed: None,
            texts: FxHashMap::default(),
            new_texts: Vec::new(),
            new_digests: Vec::new(),
            nodes: vec![header.node.clone()],
            nodes_written: 1,
            chunks: Vec::new(),
            waiting: Waiting::default(),
            order: Vec::new(),
            max_bytes: None,
            full: false,
            bases: FxHashMap::default(),
            directory: Directory::default(),
        };
        writer.other(SectionKind::Header, &record::put_header(header), true)?;
        writer.program(program)?;
        writer.write()?;
        Ok(writer)
    }

    /// From now on every cut reaches the disk before [`TraceWriter::cut`] returns. `file` is the file behind the sink.
    pub fn sync_to(&mut self, file: File) {
        self.sync = Some(file);
    }

    /// The file is not to grow beyond this length, index included: the first cut that would not fit any more is left out with all that come
    /// after it ([`TraceWriter::is_full`]). What [`TraceWriter::finish`] adds for the outcome and for modules loaded since comes on top.
    pub const fn limit(&mut self, bytes: u64) {
        self.max_bytes = Some(bytes);
    }

    /// Has a cut been left out because the file would have grown too long?
    #[must_use]
    pub const fn is_full(&self) -> bool {
        self.full
    }

    /// More of the program: modules loaded during the run. Written with the next cut.
    ///
    /// # Errors
    /// If a source is longer than a section can be.
    pub fn program(&mut self, program: &Program) -> Result<()> {
        let Program { sources, natives, used } = program;
        // Few sections: each costs the setting up of a compressor.
        let mut part = Program {
            sources: Vec::new(),
            natives: natives.clone(),
            used: used.clone(),
        };
        let mut bytes = 0;
        for source in sources {
            if bytes > 0 && bytes + source.bytes.len() > PROGRAM_PART {
                self.other(SectionKind::Program, &record::put_program(&part), true)?;
                part = Program::default();
                bytes = 0;
            }
            bytes += source.bytes.len();
            part.sources.push(source.clone());
        }
        if part != Program::default() {
            self.other(SectionKind::Program, &record::put_program(&part), true)?;
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

    /// The number of a node in this trace; none if there are 65,536 others.
    pub fn node(&mut self, name: &str) -> Option<Node> {
        let at = self.nodes.iter().position(|known| known == name).unwrap_or_else(|| {
            self.nodes.push(name.to_owned());
            self.nodes.len() - 1
        });
        u16::try_from(at).ok().map(Node)
    }

    /// Takes over what the log of a process that has ended holds; it is part of the next cut. The log can then be used for another
    /// process ([`ProcLog::renew_child`]).
    pub fn retire(&mut self, log: &mut ProcLog) {
        if self.failed.is_none() && !self.full {
            log.drain(&mut self.waiting);
        }
    }

    /// Digests of messages that a process has received since the last call for it, in the order of its receives, and of its state at its end or
    /// at that of the run. Written with the next cut.
    pub fn digests(&mut self, pid: Pid, received: &[u32], last: Option<u32>) {
        if !self.full && (!received.is_empty() || last.is_some()) {
            record::put_digests(&mut self.new_digests, pid, received, last);
        }
    }

    /// For a slice: the number of receives before a process in the trace that the slice is taken from.
    pub fn set_base(&mut self, pid: Pid, receives_before: u64) {
        self.bases.insert(pid.0, receives_before);
    }

    /// Bytes written so far.
    #[must_use]
    pub const fn bytes(&self) -> u64 {
        self.written
    }

    /// What has been written so far.
    #[must_use]
    pub const fn totals(&self) -> Totals {
        self.directory.totals
    }

    /// Writes all that the given logs and the retired ones hold, as one consistent cut. To be called between actions, with every
    /// log that is dirty (new ones included): what is left out would make the cut inconsistent.
    ///
    /// # Errors
    /// If the sink refuses. The file is then readable up to the cut before.
    pub fn cut<'a>(&mut self, logs: impl IntoIterator<Item = &'a mut ProcLog>) -> Result<()> {
        if self.full {
            return Ok(());
        }
        for log in logs {
            if log.is_dirty() {
                log.drain(&mut self.waiting);
            }
        }
        let before = (
            self.pending.len(),
            self.chunks.len(),
            self.directory.blocks.len(),
            self.directory.others.len(),
            self.directory.totals,
            self.directory.block_bytes,
        );
        self.texts_and_nodes()?;
        if !self.new_digests.is_empty() {
            let digests = std::mem::take(&mut self.new_digests);
            self.directory.others.push(self.position());
            put_optional(&mut self.pending, SectionKind::Digests, &digests)?;
        }
        self.blocks()?;
        self.end_cut()?;
        let estimate = self.position() + self.index_estimate();
        if self.max_bytes.is_some_and(|max| estimate > max) {
            self.full = true;
            let (pending, chunks, blocks, others, totals, block_bytes) = before;
            self.pending.truncate(pending);
            self.chunks.truncate(chunks);
            self.directory.blocks.truncate(blocks);
            self.directory.others.truncate(others);
            self.directory.totals = totals;
            self.directory.block_bytes = block_bytes;
        }
        self.write()
    }

    /// Turns all that waits into blocks.
    fn blocks(&mut self) -> Result<()> {
        let mut waiting = std::mem::take(&mut self.waiting);
        let mut order = std::mem::take(&mut self.order);
        order.extend(waiting.pieces.iter().enumerate().map(|(i, (pid, ..))| (*pid, i as u32)));
        order.sort_unstable();
        let mut builder = BlockBuilder::default();
        for &(pid, at) in &order {
            let start = (at as usize)
                .checked_sub(1)
                .map_or(0, |before| waiting.pieces[before].2.end);
            let (_, birth, piece) = &waiting.pieces[at as usize];
            if builder.is_full() {
                self.block(&mut builder)?;
            }
            let slot = builder.add(pid, birth, piece, &waiting.bytes[start..piece.end]);
            let block = self.directory.blocks.len() as u32;
            self.chunks.push(ChunkMeta {
                pid: pid.0,
                block,
                slot,
                restart: piece.restart,
                counts: piece.counts,
            });
            let Totals {
                processes,
                counts:
                    Counts {
                        actions,
                        sends,
                        receives,
                    },
                cuts: _,
            } = &mut self.directory.totals;
            *processes += u64::from(piece.first);
            *actions += piece.counts.actions;
            *sends += piece.counts.sends;
            *receives += piece.counts.receives;
        }
        if !builder.is_empty() {
            self.block(&mut builder)?;
        }
        order.clear();
        self.order = order;
        waiting.pieces.clear();
        waiting.bytes.clear();
        self.waiting = waiting;
        Ok(())
    }

    /// How long index, directory and end would be, more or less.
    fn index_estimate(&self) -> u64 {
        (self.chunks.len() * 4 + self.directory.blocks.len() * 8 + 1024) as u64
    }

    fn end_cut(&mut self) -> Result<()> {
        self.directory.totals.cuts += 1;
        let mut payload = Vec::new();
        let Totals {
            processes,
            counts: Counts {
                actions,
                sends,
                receives,
            },
            cuts,
        } = self.directory.totals;
        for value in [cuts, processes, actions, sends, receives] {
            put(&mut payload, value);
        }
        put_section(&mut self.pending, SectionKind::Cut, &payload)
    }

    /// Writes a last cut of these logs, the outcome and the index. Returns the length of the file.
    ///
    /// # Errors
    /// If the sink refuses.
    pub fn finish<'a>(mut self, logs: impl IntoIterator<Item = &'a mut ProcLog>, outcome: &Outcome) -> Result<u64> {
        for log in logs {
            if log.is_dirty() {
                self.retire(log);
            }
        }
        let more = self.nodes_written < self.nodes.len() || !self.new_texts.is_empty();
        if more || !self.new_digests.is_empty() || !self.waiting.pieces.is_empty() || self.directory.totals.cuts == 0 {
            self.cut([])?;
        }
        let mut processes: Vec<&ProcessOutcome> = outcome.processes.iter().collect();
        processes.sort_by_key(|process| process.pid);
        for part in processes.chunks(OUTCOMES_PER_SECTION) {
            self.directory.outcomes.push((part[0].pid.0, self.position()));
            put_compressed(&mut self.pending, SectionKind::Processes, &record::put_processes(part))?;
        }
        self.other(SectionKind::Outcome, &record::put_run_end(&outcome.run), false)?;
        // Chunks of one process are already in the order of its actions.
        self.chunks.sort_by_key(|chunk| chunk.pid);
        for page in build(&self.chunks, |pid| self.bases.get(&pid).copied()) {
            self.directory
                .pages
                .push((page.first_pid, page.first_base, self.position()));
            self.directory.page_bytes += SECTION_HEADER + page.bytes.len() as u64;
            put_section(&mut self.pending, SectionKind::Index, &page.bytes)?;
        }
        let directory = self.position();
        put_section(&mut self.pending, SectionKind::Directory, &self.directory.to_bytes())?;
        let length = self.position() + SECTION_HEADER + 16;
        let mut end = directory.to_le_bytes().to_vec();
        end.extend_from_slice(&length.to_le_bytes());
        put_section(&mut self.pending, SectionKind::End, &end)?;
        self.write()?;
        Ok(self.written)
    }

    /// Where the next section will begin.
    const fn position(&self) -> u64 {
        self.written + self.pending.len() as u64
    }

    fn other(&mut self, kind: SectionKind, payload: &[u8], compress: bool) -> Result<()> {
        let position = self.position();
        if compress {
            put_compressed(&mut self.pending, kind, payload)?;
        } else {
            put_section(&mut self.pending, kind, payload)?;
        }
        self.directory.others.push(position);
        Ok(())
    }

    fn texts_and_nodes(&mut self) -> Result<()> {
        if !self.new_texts.is_empty() {
            let texts = std::mem::take(&mut self.new_texts);
            self.other(SectionKind::Texts, &record::put_texts(&texts), true)?;
        }
        if self.nodes_written < self.nodes.len() {
            let new = self.nodes[self.nodes_written..].to_vec();
            self.nodes_written = self.nodes.len();
            self.other(SectionKind::Nodes, &record::put_texts(&new), false)?;
        }
        Ok(())
    }

    fn block(&mut self, builder: &mut BlockBuilder) -> Result<()> {
        self.directory.blocks.push(self.position());
        let payload = builder.finish();
        self.directory.block_bytes += SECTION_HEADER + payload.len() as u64;
        put_section(&mut self.pending, SectionKind::Block, &payload)
    }

    /// Writes what is pending, in one call.
    fn write(&mut self) -> Result<()> {
        if let Some(kind) = self.failed {
            return Err(Error::new(self.written, ErrorKind::Io(kind.into())));
        }
        let sink = &mut self.sink;
        let done = sink.write_all(&self.pending).and_then(|()| sink.flush());
        let done = done.and_then(|()| self.sync.as_ref().map_or(Ok(()), File::sync_data));
        if let Err(error) = done {
            self.failed = Some(error.kind());
            return Err(Error::io(self.written, error));
        }
        self.written += self.pending.len() as u64;
        self.pending.clear();
        Ok(())
    }
}

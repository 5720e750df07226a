//! Verifying a whole trace: every section against its checksum, every action against the totals.
use std::sync::Arc;

use super::cache::{ProcRef, bad_chunk};
use super::sections::{end_section, section_at};
use super::{Status, Trace};
use crate::action::{Action, Counts};
use crate::decode::{Decoded, Decoder};
use crate::error::{Error, ErrorKind, Result};
use crate::ids::Pid;
use crate::index::Totals;
use crate::kinds::Kind;
use crate::model::Model;
use crate::section::{CLOCK, FILE_HEADER, SECTION_HEADER, SectionKind};

impl Trace {
    /// Are two traces equal byte by byte, except for the time of recording?
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn equal_ignoring_clock(&self, other: &Self) -> Result<bool> {
        const STEP: u64 = 1 << 20;
        if self.source.len() != other.source.len() {
            return Ok(false);
        }
        let clock = CLOCK.end as u64;
        let mut at = 0;
        while at < self.source.len() {
            let end = if at < clock {
                clock
            } else {
                self.source.len().min(at + STEP)
            };
            let (a, b) = (self.source.read(at, end - at)?, other.source.read(at, end - at)?);
            let compared = if at < clock { 0..CLOCK.start } else { 0..a.len() };
            if a[compared.clone()] != b[compared] {
                return Ok(false);
            }
            at = end;
        }
        Ok(true)
    }

    /// Calls `see` with all bytes of the file, in order.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn each_part(&self, mut see: impl FnMut(&[u8])) -> Result<()> {
        const STEP: u64 = 1 << 20;
        let mut at = 0;
        while at < self.source.len() {
            let length = STEP.min(self.source.len() - at);
            see(&self.source.read(at, length)?);
            at += length;
        }
        Ok(())
    }

    /// Is the program there, with which each file begins?
    ///
    /// # Errors
    /// The file was cut off before.
    pub fn verify_start(&self) -> Result<()> {
        if matches!(self.status, Status::Incomplete { damaged: false, .. })
            && !self.has_section(SectionKind::Program)?
        {
            let end = self.source.len();
            return Err(Error::new(end, ErrorKind::Empty { end }));
        }
        Ok(())
    }

    /// Is the index as it was written, if there is more than a part of one?
    ///
    /// # Errors
    /// It is damaged.
    pub fn verify_index(&self) -> Result<()> {
        match &self.status {
            Status::IndexRebuilt {
                end,
                why,
                damaged: true,
            } => Err(Error::new(*end, ErrorKind::Index { why: why.clone() })),
            _ => Ok(()),
        }
    }

    /// Checks every section of the file against its checksum, and decodes every action. If the recording did not end, up to its last complete cut.
    ///
    /// # Errors
    /// The first damage found; also after the last complete cut, unless that is a section that was not completely written.
    pub fn verify_sections(&self) -> Result<()> {
        if let Status::Incomplete {
            end,
            lost,
            damaged: true,
            ..
        } = self.status
        {
            let found = format_args!("{lost} bytes that cannot be used");
            return Err(Error::damaged(end, "the rest of the recording", found));
        }
        let mut offset = FILE_HEADER;
        let end = match &self.status {
            Status::Incomplete { end, .. } | Status::IndexRebuilt { end, .. } => *end,
            Status::Complete => self.source.len(),
        };
        // Numbers of cuts; bytes of blocks and of pages.
        let (mut cuts, mut blocks, mut pages) = (0, 0, 0);
        while offset < end {
            let (header, _) = section_at(&self.source, offset)?;
            let length = SECTION_HEADER + u64::from(header.length);
            match header.kind {
                Some(SectionKind::Cut) => cuts += 1,
                Some(SectionKind::Block) => blocks += length,
                Some(SectionKind::Index) => pages += length,
                _ => {}
            }
            offset += length;
        }
        let said = &self.directory;
        if self.status == Status::Complete
            && (cuts, blocks, pages) != (said.totals.cuts, said.block_bytes, said.page_bytes)
        {
            let told = |cuts, blocks, pages| format!("{cuts} cuts, {blocks} bytes of blocks and {pages} of an index");
            return Err(Error::damaged(
                end_section(&self.source)?.1,
                format!("the totals of what there is, {}", told(cuts, blocks, pages)),
                told(said.totals.cuts, said.block_bytes, said.page_bytes),
            ));
        }
        self.verify_actions()?;
        self.program()?;
        self.outcomes()?;
        self.run_end()?;
        self.texts()?;
        self.nodes().map(|_| ())
    }

    /// Decodes every action, and compares the counts with the totals. Goes through the blocks in order, so that each is read once for
    /// [`VERIFIED`] processes. Going through one process after the other would read a block again for every chunk in it.
    fn verify_actions(&self) -> Result<()> {
        let mut processes: Vec<Verifying> = Vec::new();
        let mut found = Totals {
            cuts: self.directory.totals.cuts,
            ..Totals::default()
        };
        for at in 0..self.directory.pages.len() {
            let page = self.page(at)?;
            processes.extend((0..page.len()).map(|at| {
                let process = ProcRef {
                    page: Arc::clone(&page),
                    at,
                };
                Verifying {
                    decoder: Decoder::new(Model::at_restart(Pid(process.pid))),
                    process,
                    counts: Counts::default(),
                    ended: false,
                }
            }));
            if processes.len() >= VERIFIED || at + 1 == self.directory.pages.len() {
                self.verify_processes(&mut processes)?;
                for Verifying { counts, .. } in processes.drain(..) {
                    found.processes += 1;
                    found.counts.actions = found.counts.actions.saturating_add(counts.actions);
                    found.counts.sends = found.counts.sends.saturating_add(counts.sends);
                    found.counts.receives = found.counts.receives.saturating_add(counts.receives);
                }
            }
        }
        let said = self.directory.totals;
        if found != said {
            let told = |totals: Totals| format!("{} processes with {}", totals.processes, totals.counts);
            // If the index was rebuilt, the totals are sums over the blocks.
            let place = match self.status {
                Status::Complete => end_section(&self.source)?.1,
                _ => 0,
            };
            let expected = format!("the totals of what there is, {}", told(found));
            return Err(Error::damaged(place, expected, told(said)));
        }
        Ok(())
    }

    fn verify_processes(&self, processes: &mut [Verifying]) -> Result<()> {
        // Block, process, index of the chunk: those of one process stay in order.
        let mut chunks: Vec<(u32, u32, u32)> = Vec::new();
        for (i, Verifying { process, .. }) in processes.iter().enumerate() {
            let of_one = process.chunks().iter().enumerate();
            chunks.extend(of_one.map(|(at, chunk)| (chunk.block, i as u32, at as u32)));
        }
        chunks.sort_unstable();
        let mut action = Action::new(Kind::After);
        for in_block in chunks.chunk_by(|a, b| a.0 == b.0) {
            let block = self.block(in_block[0].0)?;
            for (_, process, at) in in_block {
                let Verifying {
                    process,
                    decoder,
                    counts,
                    ended,
                } = &mut processes[*process as usize];
                let at = *at as usize;
                let before = *counts;
                let reference = process.chunks()[at];
                let chunk = self.chunk(&block, process.pid, reference.slot)?;
                let wrong = |what: String, found: String| Err(Error::damaged(block.offset, what, found));
                if chunk.restart != reference.restart || chunk.birth.is_some() != (at == 0) {
                    return wrong(
                        format!("the chunks of {} as the index has them", Pid(process.pid)),
                        "others".to_owned(),
                    );
                }
                match &chunk.birth {
                    Some(birth) => *decoder = Decoder::new(Model::at_birth(Pid(process.pid), birth)),
                    None if chunk.restart => decoder.restart(),
                    None => decoder.next_chunk(),
                }
                loop {
                    let found = decoder.step(block.bytes(chunk), counts.actions, &mut action, false);
                    let found = found.map_err(|error| bad_chunk(&block, chunk, &error))?;
                    if *ended && found != Decoded::End {
                        let number = counts.actions + 1;
                        return wrong(
                            format!("nothing after the end of {}", Pid(process.pid)),
                            format!("action {number} after it"),
                        );
                    }
                    match found {
                        Decoded::End => break,
                        Decoded::Sends(n) => {
                            counts.actions += n;
                            counts.sends += n;
                        }
                        Decoded::Action => {
                            counts.add(&action);
                            *ended = action.is_end();
                        }
                    }
                }
                if chunk.ended != *ended {
                    let what = |ended| if ended { "the end of" } else { "no end of" };
                    let pid = Pid(process.pid);
                    return wrong(
                        format!("{} {pid} in a chunk, as its flags say", what(chunk.ended)),
                        format!("{} it", what(*ended)),
                    );
                }
                let sum = |said: Counts| Counts {
                    actions: before.actions.wrapping_add(said.actions),
                    sends: before.sends.wrapping_add(said.sends),
                    receives: before.receives.wrapping_add(said.receives),
                };
                if let Some(said) = chunk.counts
                    && sum(said) != *counts
                {
                    let what = format!("a chunk of {} with {said}, as the block says", Pid(process.pid));
                    return wrong(what, format!("{counts} up to its end"));
                }
                match process.before(at + 1) {
                    Some(expected) if expected != *counts => {
                        let what = format!("{expected} up to the end of a chunk of {}", Pid(process.pid));
                        return wrong(what, counts.to_string());
                    }
                    None if counts.receives != process.receives => {
                        return wrong(
                            format!("{} receives of {}", process.receives, Pid(process.pid)),
                            counts.receives.to_string(),
                        );
                    }
                    _ => {}
                }
            }
        }
        Ok(())
    }
}

/// A process whose log is being verified.
struct Verifying {
    process: ProcRef,
    decoder: Decoder,
    counts: Counts,
    /// Was its end read?
    ended: bool,
}

/// How many processes are decoded at a time.
const VERIFIED: usize = 1 << 16;

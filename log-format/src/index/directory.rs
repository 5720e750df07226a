//! The directory: the positions of everything, and totals.
use crate::action::Counts;
use crate::error::{Error, Result};

/// Totals of a run, or of the recorded part of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Totals {
    /// Processes.
    pub processes: u64,
    /// Actions, sends and receives of all of them.
    pub counts: Counts,
    /// Consistent cuts.
    pub cuts: u64,
}

/// The positions of everything in the file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Directory {
    pub totals: Totals,
    /// Length of all blocks, with their headers.
    pub block_bytes: u64,
    /// Length of all pages of the index, with their headers.
    pub page_bytes: u64,
    /// Offsets of the blocks.
    pub blocks: Vec<u64>,
    /// For each page of the index: the first process, receives before it, offset.
    pub pages: Vec<(u64, u64, u64)>,
    /// For each section of process outcomes: the first process and the offset.
    pub outcomes: Vec<(u64, u64)>,
    /// Offsets of all other sections that are read: header, program, texts, nodes, outcome.
    pub others: Vec<u64>,
}

impl Directory {
    pub fn to_bytes(&self) -> Vec<u8> {
        let Self {
            totals,
            block_bytes,
            page_bytes,
            blocks,
            pages,
            outcomes,
            others,
        } = self;
        let Totals {
            processes,
            counts: Counts {
                actions,
                sends,
                receives,
            },
            cuts,
        } = totals;
        let mut out = Vec::new();
        let mut number = |value: u64| out.extend_from_slice(&value.to_le_bytes());
        for value in [
            *processes,
            *actions,
            *sends,
            *receives,
            *cuts,
            *block_bytes,
            *page_bytes,
        ] {
            number(value);
        }
        number(blocks.len() as u64);
        blocks.iter().for_each(|offset| number(*offset));
        number(pages.len() as u64);
        for (pid, base, offset) in pages {
            number(*pid);
            number(*base);
            number(*offset);
        }
        number(outcomes.len() as u64);
        for (pid, offset) in outcomes {
            number(*pid);
            number(*offset);
        }
        number(others.len() as u64);
        others.iter().for_each(|offset| number(*offset));
        out
    }

    /// The length of [`Directory::to_bytes`].
    pub const fn length(&self) -> u64 {
        let numbers = 11 + self.blocks.len() + 3 * self.pages.len() + 2 * self.outcomes.len() + self.others.len();
        numbers as u64 * 8
    }

    /// Reads the directory whose payload begins at `offset`.
    pub fn parse(bytes: &[u8], offset: u64) -> Result<Self> {
        let mut at = 0usize;
        let mut number = |left: &mut usize| -> Result<u64> {
            let Some(value) = bytes.get(at..).and_then(|rest| rest.first_chunk::<8>()) else {
                return Err(Error::damaged(
                    offset + at as u64,
                    "a number of 8 bytes",
                    "the end of the directory",
                ));
            };
            at += 8;
            *left = bytes.len() - at;
            Ok(u64::from_le_bytes(*value))
        };
        let mut left = bytes.len();
        let mut totals = [0; 7];
        for total in &mut totals {
            *total = number(&mut left)?;
        }
        let [processes, actions, sends, receives, cuts, block_bytes, page_bytes] = totals;
        let count = |value: u64, left: usize, size: u64| -> Result<u64> {
            if value > left as u64 / size {
                return Err(Error::damaged(
                    offset,
                    format!("a directory with {value} entries"),
                    format_args!("{left} bytes"),
                ));
            }
            Ok(value)
        };
        let mut directory = Self {
            totals: Totals {
                processes,
                counts: Counts {
                    actions,
                    sends,
                    receives,
                },
                cuts,
            },
            block_bytes,
            page_bytes,
            ..Self::default()
        };
        for _ in 0..count(number(&mut left)?, left, 8)? {
            directory.blocks.push(number(&mut left)?);
        }
        for _ in 0..count(number(&mut left)?, left, 24)? {
            directory
                .pages
                .push((number(&mut left)?, number(&mut left)?, number(&mut left)?));
        }
        for _ in 0..count(number(&mut left)?, left, 16)? {
            directory.outcomes.push((number(&mut left)?, number(&mut left)?));
        }
        for _ in 0..count(number(&mut left)?, left, 8)? {
            directory.others.push(number(&mut left)?);
        }
        if left != 0 {
            return Err(Error::damaged(
                offset,
                "the end of the directory",
                format_args!("{left} bytes more"),
            ));
        }
        let ascending = directory.pages.is_sorted_by(|a, b| a.0 < b.0 && a.1 <= b.1)
            && directory.outcomes.is_sorted_by(|a, b| a.0 <= b.0)
            && directory.blocks.is_sorted_by(|a, b| a < b);
        if !ascending {
            return Err(Error::damaged(
                offset,
                "a directory in ascending order",
                "another order",
            ));
        }
        Ok(directory)
    }
}

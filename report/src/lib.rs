//! `replay report`: a run as one self-contained page, with a space-time diagram of the causes.
//!
//! A report is made in four steps, each a module: which actions the page holds (`pick`); one replay that sees all of them (`watch`); who
//! caused what, and in which order it is drawn (`graph`); the page (`page`). What is told in words comes from `why`, as [`Words`].

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod columns;
mod files;
mod gather;
mod graph;
mod head;
mod model;
mod page;
mod pick;
mod processes;
mod script;
pub mod universes;
mod watch;

use log_format::Cut;

use causality::Point;
use session::Session;
use session::error::Error;
use why::story::Why;

pub use head::{
    About, BesideKind, BesideWords, Evidence, EvidenceKind, LeadKind, LeadWords, StepWords, StoryStep, Title, Words,
};
pub use pick::ACTIONS;

/// What a report is made of.
#[derive(Clone, Copy)]
pub struct Input<'a> {
    /// The trace and its program.
    pub session: &'a Session,
    /// What is explained.
    pub found: &'a Point,
    /// Its causes.
    pub causes: &'a Cut,
    /// What `why` found.
    pub why: &'a Why,
    /// The same in words.
    pub words: &'a Words,
    /// The run, for the head of the page.
    pub about: &'a About,
    /// The page holds at most about this many actions.
    pub actions: u64,
}

/// A report.
pub struct Report {
    /// The page.
    pub html: String,
    /// How many actions it holds.
    pub actions: u64,
    /// What it does not hold, in sentences.
    pub left_out: Vec<String>,
}

/// Makes a report: one replay of what the page holds.
///
/// # Errors
/// The trace is damaged; the replay diverges.
pub fn make(input: Input<'_>) -> Result<Report, Error> {
    let mut model = model::gather(&input)?;
    let (head, bulk) = model.encode(&input)?;
    Ok(Report {
        html: page::page(&plain(&input), &head, &bulk),
        actions: model.actions(),
        left_out: model.left_out,
    })
}

/// What a browser without scripts shows.
fn plain(input: &Input<'_>) -> Vec<String> {
    let about = input.about;
    let mut lines = vec![format!(
        "{}: {}",
        about.outcome,
        session::words::safe(&about.title.to_string())
    )];
    let lead = input.words.lead.iter();
    lines.extend(lead.map(|one| session::words::safe(&one.to_string())));
    lines.push(format!("{} shows where it happened.", about.command));
    lines
}

/// Does a file begin as a report does? Only such a file is replaced.
#[must_use]
pub fn is_report(start: &[u8]) -> bool {
    start.starts_with(page::START.as_bytes())
}

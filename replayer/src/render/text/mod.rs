//! The answer to `--until` as text: heading, causes, the process at the target, what was printed.

use std::io::{self, Write};

mod acts;
mod process;
mod runs;

pub use acts::{rows, uses, words};
pub use process::process;
pub use runs::{consequences, diff, suffixes};

use acts::pad;
use process::output;

use crate::paint::Paint;
use crate::view::Replay;
use crate::words::{count, duration, number, safe};

/// The layout of text.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    /// Colours.
    pub paint: Paint,
    /// Characters on a line.
    pub width: usize,
    /// Is everything shown in full?
    pub all: bool,
}
/// Writes the answer to `--until`.
///
/// # Errors
/// Those of the sink.
pub fn replay(out: &mut dyn Write, view: &Replay, layout: &Layout) -> io::Result<()> {
    heading(out, view, layout)?;
    if !view.undone.is_empty() {
        writeln!(out)?;
        writeln!(out, "{}", layout.paint.strong("Undone on the way back:"))?;
        suffixes(out, &view.undone, layout)?;
    }
    if !view.causes.is_empty() {
        writeln!(out)?;
        writeln!(out, "{}", layout.paint.strong("Causes, in causal order:"))?;
        rows(out, &view.causes, layout)?;
    }
    if let Some(subject) = &view.process {
        writeln!(out)?;
        process(out, subject, layout)?;
    }
    output(out, &view.output, layout)?;
    notes(out, &view.notes, layout)?;
    if !view.next.is_empty() {
        writeln!(out)?;
        commands(out, &view.next, layout)?;
    }
    Ok(())
}

/// What else the person should know.
///
/// # Errors
/// Those of the sink.
pub fn notes(out: &mut dyn Write, notes: &[String], layout: &Layout) -> io::Result<()> {
    for note in notes {
        writeln!(out, "\n{}", wrap(&sentence(note), layout.width))?;
    }
    Ok(())
}

fn heading(out: &mut dyn Write, view: &Replay, layout: &Layout) -> io::Result<()> {
    let Replay { replayed, of, .. } = view;
    let what = match (&view.target, view.way.as_slice()) {
        (_, [_, _, ..]) => format!("Replayed {}", safe(&view.way.join(", then "))),
        (Some(target), _) => format!("Replayed up to {target}"),
        (None, _) => "Replayed the whole run".to_owned(),
    };
    writeln!(
        out,
        "{}: {} of {}, {} of {}, in {}",
        layout.paint.strong(&what),
        number(replayed.actions),
        count(of.actions, "action"),
        number(replayed.processes),
        count(of.processes, "process"),
        duration(view.seconds)
    )
}

/// Writes commands to type next.
///
/// # Errors
/// Those of the sink.
pub fn commands(out: &mut dyn Write, commands: &[crate::view::NextCommand], layout: &Layout) -> io::Result<()> {
    let longest = commands
        .iter()
        .map(|c| c.command.chars().count())
        .max()
        .unwrap_or(0)
        .min(layout.width / 2 + 10);
    for command in commands {
        writeln!(
            out,
            "  {}  {}",
            pad(&command.command, longest),
            layout.paint.faint(&format!("# {}", command.what))
        )?;
    }
    Ok(())
}

/// A text as a sentence: its first word gets a capital letter, unless it is a target or another name.
#[must_use]
pub fn sentence(text: &str) -> String {
    let word = text.split(' ').next().unwrap_or_default();
    if !word.bytes().all(|b| b.is_ascii_lowercase()) {
        return text.to_owned();
    }
    let (first, rest) = text.split_at(word.len().min(1));
    first.to_ascii_uppercase() + rest
}

/// Breaks a text into lines at spaces.
#[must_use]
pub fn wrap(text: &str, width: usize) -> String {
    let indent = text.len() - text.trim_start_matches(' ').len();
    let mut out = text[..indent].to_owned();
    let mut column = indent;
    for word in text[indent..].split(' ') {
        let length = word.chars().count();
        if column > indent && column + 1 + length > width {
            out.push('\n');
            out.push_str(&text[..indent]);
            column = indent;
        } else if column > indent {
            out.push(' ');
            column += 1;
        }
        out.push_str(word);
        column += length;
    }
    out
}

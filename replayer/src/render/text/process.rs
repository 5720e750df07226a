//! A process as text: its place, variables, mailbox, and what it printed.

use super::Layout;
use super::acts::{named, pad};
use crate::view::{Printed, ProcessView, ShownFrame, Variable};
use crate::words::{count, cut, number};
use std::io::{self, Write};

/// Limit: lines of output that are shown for one process.
pub(super) const OUTPUT_LINES: usize = 20;

/// Writes a process.
///
/// # Errors
/// Those of the sink.
pub fn process(out: &mut dyn Write, view: &ProcessView, layout: &Layout) -> io::Result<()> {
    let paint = layout.paint;
    let title = format!("process {}", named(&view.pid, view.name.as_deref()));
    let after = format!(
        "after {} of its {}",
        number(view.actions),
        count(view.of_actions, "action")
    );
    writeln!(out, "{}, {after}: {}", paint.strong(&title), view.state)?;
    if let Some(reason) = &view.reason {
        writeln!(
            out,
            "  {}",
            paint.bad(&limited(&format!("reason: {reason}"), layout, 2))
        )?;
    }
    for (i, f) in view.frames.iter().enumerate() {
        frame(out, f, i == 0, layout)?;
    }
    let hidden = view.depth.saturating_sub(view.frames.len() as u64);
    if hidden > 0 {
        let text = format!(
            "  … called through {}; --all shows them",
            count(hidden, "more function")
        );
        writeln!(out, "{}", paint.faint(&text))?;
    }
    if view.state != "ended" {
        mailbox(out, view, layout)?;
    }
    let facts = [
        ("registered as", &view.names),
        ("linked to", &view.links),
        ("monitors", &view.monitors),
    ];
    for (what, list) in facts {
        if !list.is_empty() {
            writeln!(out, "  {}", limited(&format!("{what}: {}", list.join(", ")), layout, 2))?;
        }
    }
    if view.trap_exit {
        writeln!(out, "  traps exits")?;
    }
    if !view.dictionary.is_empty() {
        writeln!(out, "  process dictionary:")?;
        variables(out, &view.dictionary, layout)?;
    }
    Ok(())
}

pub(super) fn limited(text: &str, layout: &Layout, indent: usize) -> String {
    if layout.all {
        text.to_owned()
    } else {
        cut(text, layout.width.saturating_sub(indent))
    }
}

pub(super) fn frame(out: &mut dyn Write, frame: &ShownFrame, innermost: bool, layout: &Layout) -> io::Result<()> {
    let paint = layout.paint;
    match &frame.place {
        Some(place) => {
            let word = if innermost { "in" } else { "called from" };
            writeln!(out, "  {word} {}, {}", paint.strong(&place.called()), place.at())?;
        }
        None => writeln!(out, "  in code without a source")?,
    }
    let digits = frame.source.iter().map(|l| l.line.to_string().len()).max().unwrap_or(0);
    for line in &frame.source {
        let text = limited(&line.text, layout, digits + 9);
        if line.here {
            writeln!(
                out,
                "  {} {:>digits$} | {}",
                paint.target(">"),
                line.line,
                paint.strong(&text)
            )?;
        } else {
            writeln!(
                out,
                "{}",
                paint.faint(format!("    {:>digits$} | {text}", line.line).trim_end())
            )?;
        }
    }
    variables(out, &frame.variables, layout)
}

pub(super) fn variables(out: &mut dyn Write, variables: &[Variable], layout: &Layout) -> io::Result<()> {
    let longest = variables
        .iter()
        .map(|v| v.name.chars().count())
        .max()
        .unwrap_or(0)
        .min(20);
    for Variable { name, value } in variables {
        let value = value.as_deref().map_or_else(
            || layout.paint.faint("(no longer known)"),
            |v| limited(v, layout, longest + 9),
        );
        writeln!(out, "      {} = {value}", pad(name, longest))?;
    }
    Ok(())
}

pub(super) fn mailbox(out: &mut dyn Write, view: &ProcessView, layout: &Layout) -> io::Result<()> {
    if view.mailbox_length == 0 {
        return writeln!(out, "  mailbox: empty");
    }
    writeln!(out, "  mailbox: {}", count(view.mailbox_length, "signal"))?;
    let longest = view.mailbox.iter().map(|m| m.signal.len()).max().unwrap_or(0);
    for message in &view.mailbox {
        let content = match message.kind {
            "message" => message.content.to_string(),
            kind => format!("{kind}: {}", message.content),
        };
        writeln!(
            out,
            "      {}  {}",
            pad(&message.signal, longest),
            limited(&content, layout, longest + 8)
        )?;
    }
    let hidden = view.mailbox_length - view.mailbox.len() as u64;
    if hidden > 0 {
        writeln!(
            out,
            "{}",
            layout
                .paint
                .faint(&format!("      … {} more; --all shows them", number(hidden)))
        )?;
    }
    Ok(())
}

pub(super) fn output(out: &mut dyn Write, printed: &[Printed], layout: &Layout) -> io::Result<()> {
    if printed.is_empty() {
        return Ok(());
    }
    writeln!(out)?;
    for Printed {
        pid,
        name,
        bytes,
        left_out,
        text,
    } in printed
    {
        let title = format!("Printed by {}", named(pid, name.as_deref()));
        writeln!(out, "{}:", layout.paint.strong(&title))?;
        if *left_out > 0 {
            let text = format!(
                "  … {} of {} bytes left out at the start; --all shows them",
                number(*left_out),
                number(*bytes)
            );
            writeln!(out, "{}", layout.paint.faint(&text))?;
        }
        let lines: Vec<&str> = text.lines().collect();
        let skip = if layout.all {
            0
        } else {
            lines.len().saturating_sub(OUTPUT_LINES)
        };
        if skip > 0 {
            let text = format!("  … {}; --all shows them", count(skip as u64, "earlier line"));
            writeln!(out, "{}", layout.paint.faint(&text))?;
        }
        for line in &lines[skip..] {
            writeln!(out, "  | {}", limited(line, layout, 4))?;
        }
    }
    Ok(())
}

//! The answer to `info` as text.

use std::io::{self, Write};

use interpreter::print::Terms;

use crate::render::text::{Layout, commands, wrap};
use crate::view::{Info, Trouble};
use crate::words::{bytes, count, cut, number};

/// Writes the answer to `info`.
///
/// # Errors
/// Those of the sink.
pub fn info(out: &mut dyn Write, view: &Info, layout: &Layout) -> io::Result<()> {
    let paint = layout.paint;
    let outcome = if view.failed {
        paint.bad(&view.outcome)
    } else {
        paint.good(&view.outcome)
    };
    line(out, "outcome", &outcome)?;
    if let Some(stall) = &view.stall {
        wrapped(out, "stall", &stall.text, layout)?;
        wrapped(out, "delivery", stall.delivery.as_deref().unwrap_or_default(), layout)?;
    }
    line(
        out,
        "trace",
        &format!("{} ({}, {})", view.argument, bytes(view.bytes), view.status),
    )?;
    line(
        out,
        "recorded",
        &format!("{}, by {}, format {}", view.recorded, view.recorder, view.format),
    )?;
    line(
        out,
        "entry",
        &format!("{}{}", view.entry, list(&view.arguments, " with ")),
    )?;
    line(out, "release", &format!("OTP {}", view.otp))?;
    let seed = view.seed.map(|seed| format!(", seed {seed}")).unwrap_or_default();
    let clock = if view.virtual_time { ", virtual time" } else { "" };
    line(out, "schedule", &format!("{}{seed}{clock}", view.schedule))?;
    line(out, "processes", &number(view.extent.processes))?;
    let size = view
        .bytes_per_action
        .map(|b| format!(" ({b:.2} bytes each)"))
        .unwrap_or_default();
    line(out, "actions", &format!("{}{size}", number(view.extent.actions)))?;
    if !view.kinds.is_empty() {
        let kinds: Vec<String> = view
            .kinds
            .iter()
            .map(|(kind, n)| format!("{} {kind}", number(*n)))
            .collect();
        wrapped(out, "", &kinds.join(", "), layout)?;
    }
    match view.receive_numbers {
        None => line(out, "receives", "none")?,
        Some((first, last)) => {
            let n = view.receives;
            let gaps = if last - first + 1 == n {
                ""
            } else {
                ", with gaps: a slice keeps the numbers"
            };
            line(
                out,
                "receives",
                &format!("{} (rec:{first} to rec:{last}{gaps})", number(n)),
            )?;
        }
    }
    let program: Vec<String> = view
        .program
        .iter()
        .map(|(path, size)| format!("{path} ({})", bytes(*size)))
        .collect();
    wrapped(out, "program", &program.join(", "), layout)?;
    if !view.options.is_empty() {
        wrapped(out, "compiled with", &view.options.join(" "), layout)?;
    }
    for (module, changes) in &view.modules {
        let module = crate::words::module(module, Terms::Elixir);
        let text = format!("{module} changed by {}", changes.join(", "));
        wrapped(out, "modules", &text, layout)?;
    }
    if let Some(more) = view.more_modules {
        let text = format!("and {}; --all shows them", count(more, "more module"));
        wrapped(out, "modules", &text, layout)?;
    }
    wrapped(out, "could be private", &view.private.join(", "), layout)?;
    troubles(out, "Failed tests", &view.failed_tests, layout)?;
    troubles(out, "Ended abnormally", &view.crashes, layout)?;
    troubles(out, "Still running", &view.running, layout)?;
    let waiting = if view.stopped { "Waiting" } else { "Waiting for ever" };
    troubles(out, waiting, &view.waiting, layout)?;
    if view.more_trouble > 0 {
        let text = format!("  … and {}; --all shows them", count(view.more_trouble, "more process"));
        writeln!(out, "{}", paint.faint(&text))?;
    }
    if !view.next.is_empty() {
        writeln!(out)?;
        commands(out, &view.next, layout)?;
    }
    Ok(())
}

fn list(words: &[String], prefix: &str) -> String {
    if words.is_empty() {
        String::new()
    } else {
        format!("{prefix}{}", words.join(" "))
    }
}

fn line(out: &mut dyn Write, name: &str, value: &str) -> io::Result<()> {
    writeln!(out, "{name:<18}{value}")
}

fn wrapped(out: &mut dyn Write, name: &str, value: &str, layout: &Layout) -> io::Result<()> {
    if value.is_empty() {
        return Ok(());
    }
    let text = wrap(value, layout.width.saturating_sub(18).max(20));
    let mut lines = text.lines();
    line(out, name, lines.next().unwrap_or_default())?;
    lines.try_for_each(|rest| line(out, "", rest))
}

fn troubles(out: &mut dyn Write, title: &str, troubles: &[Trouble], layout: &Layout) -> io::Result<()> {
    if troubles.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{}", layout.paint.strong(&format!("{title}:")))?;
    let longest = troubles.iter().map(|t| t.target.len()).max().unwrap_or(0);
    for Trouble {
        target,
        what,
        unreceived,
        ..
    } in troubles
    {
        let rest = match unreceived {
            0 => String::new(),
            n => format!(" ({} not received)", count(*n, "message")),
        };
        let room = if layout.all {
            usize::MAX
        } else {
            layout.width.saturating_sub(longest + 4 + rest.len())
        };
        writeln!(out, "  {target:<longest$}  {}{rest}", cut(what, room))?;
    }
    Ok(())
}

//! The answers to `consequences` and `diff` as text.

use super::acts::{count_more, pad, words};
use super::process::limited;
use super::{Layout, wrap};
use crate::render::races;
use crate::view::{Act, Consequences, Decided, Diff};
use crate::words::{count, number, safe};
use std::io::{self, Write};

/// Limit: processes that are shown with undone or dependent actions.
pub(super) const SUFFIXES: usize = 20;

/// Writes the answer to `consequences`.
///
/// # Errors
/// Those of the sink.
pub fn consequences(out: &mut dyn Write, view: &Consequences, layout: &Layout) -> io::Result<()> {
    let Consequences {
        target,
        consequences,
        of,
        processes,
        more,
    } = view;
    let title = format!("Consequences of {target}");
    writeln!(
        out,
        "{}, with the target itself: {} of {}, {} of {}",
        layout.paint.strong(&title),
        number(consequences.actions),
        count(of.actions, "action"),
        number(consequences.processes),
        count(of.processes, "process")
    )?;
    suffixes(out, processes, layout)?;
    if *more > 0 {
        let text = format!("  … {}; --all shows them", count(*more, "more process"));
        writeln!(out, "{}", layout.paint.faint(&text))?;
    }
    Ok(())
}

/// Writes the answer to `diff`.
///
/// # Errors
/// Those of the sink.
pub fn diff(out: &mut dyn Write, view: &Diff, layout: &Layout) -> io::Result<()> {
    let Diff {
        decided,
        other_code,
        equal_actions,
        equal_processes,
        differences,
        more,
        follow,
        printed,
    } = view;
    if !other_code.is_empty() {
        writeln!(
            out,
            "The programs of the two runs differ: {}",
            safe(&other_code.join(", "))
        )?;
    }
    if differences.is_empty() {
        writeln!(
            out,
            "The runs are the same: {} of {}",
            count(*equal_actions, "action"),
            count(*equal_processes, "process")
        )?;
        return printed_otherwise(out, printed, layout);
    }
    if let Some(decided) = decided {
        what_decided(out, decided, layout)?;
    }
    let title = "The runs first differ here:";
    writeln!(out, "{}", layout.paint.strong(title))?;
    for difference in differences {
        let side = |act: &Option<Act>| match act {
            Some(act) => {
                let signal = act.signal.as_ref().map(|s| format!(" ({s})")).unwrap_or_default();
                let place = act.place.as_ref().map(|place| {
                    let file = place.file_name();
                    format!("  {file}:{}", place.line)
                });
                format!("{}  {}{signal}{}", act.target, words(act), place.unwrap_or_default())
            }
            None => "does nothing more".to_owned(),
        };
        writeln!(out, "  {}, action {}", difference.pid, number(difference.number))?;
        writeln!(out, "    first   {}", limited(&side(&difference.a), layout, 12))?;
        writeln!(out, "    second  {}", limited(&side(&difference.b), layout, 12))?;
        for note in &difference.notes {
            writeln!(out, "    {}", limited(&safe(note), layout, 4))?;
        }
    }
    if *more > 0 {
        let text = format!("  … in {}; --all shows them", count(*more, "more process"));
        writeln!(out, "{}", layout.paint.faint(&text))?;
    }
    let text = format!(
        "before that, {} {} equal; {} {} not differ; {} {} only as a consequence",
        count(*equal_actions, "action"),
        if *equal_actions == 1 { "is" } else { "are" },
        count(*equal_processes, "process"),
        if *equal_processes == 1 { "does" } else { "do" },
        number(*follow),
        if *follow == 1 { "differs" } else { "differ" }
    );
    writeln!(out, "{}", layout.paint.faint(&text))?;
    printed_otherwise(out, printed, layout)
}

fn what_decided(out: &mut dyn Write, decided: &Decided, layout: &Layout) -> io::Result<()> {
    let other = match decided.fails {
        "first" => "second",
        _ => "first",
    };
    let mut text = format!(
        "The {} run fails, the {other} does not. Decisive (tried): {}",
        decided.fails,
        races::sentence(&decided.flip)
    );
    if decided.other_took_it == Some(true) {
        let (noun, _) = races::message(&decided.flip.instead);
        text.push_str(&format!(" In the {other} run, {noun} came first."));
    }
    writeln!(out, "{}\n", layout.paint.strong(&wrap(&text, layout.width)))
}

/// Writes the printed texts that differ in length where the runs are equal.
pub(super) fn printed_otherwise(
    out: &mut dyn Write,
    printed: &[crate::view::Difference],
    layout: &Layout,
) -> io::Result<()> {
    for difference in printed {
        let (Some(a), Some(b)) = (&difference.a, &difference.b) else {
            continue;
        };
        let bytes = |act: &Act| act.content.clone().unwrap_or_default();
        let text = format!(
            "{} prints texts of different length: {}, and {}",
            a.target,
            bytes(a),
            bytes(b)
        );
        writeln!(out, "{}", limited(&text, layout, 0))?;
    }
    if !printed.is_empty() {
        let text = "the cause may be different input values: --values counts both as differences";
        writeln!(out, "{}", layout.paint.faint(text))?;
    }
    Ok(())
}

/// Writes stretches of logs.
///
/// # Errors
/// Those of the sink.
pub fn suffixes(out: &mut dyn Write, processes: &[crate::view::Suffix], layout: &Layout) -> io::Result<()> {
    let shown = if layout.all {
        processes.len()
    } else {
        SUFFIXES.min(processes.len())
    };
    let (shown, folded) = processes.split_at(shown);
    let longest = shown.iter().map(|p| p.first.target.chars().count()).max().unwrap_or(0);
    for suffix in shown {
        let text = format!(
            "  {:<10}  from {}  {}",
            suffix.pid,
            pad(&suffix.first.target, longest),
            count(suffix.actions, "action")
        );
        writeln!(out, "{text}  {}", layout.paint.faint(&words(&suffix.first)))?;
    }
    if !folded.is_empty() {
        let actions = folded.iter().map(|suffix| suffix.actions).sum();
        let text = format!(
            "  … {} of {}; --all shows them",
            count_more(actions),
            count(folded.len() as u64, "process")
        );
        writeln!(out, "{}", layout.paint.faint(&text))?;
    }
    Ok(())
}

//! The answer to `what-if` as text.

use std::io::{self, Write};

use decisive::{Alternative, Class, Outcome, Verdict};

use crate::commands::whatif::{Differs, NewRun, WhatIfAnswer};
use crate::render::races::{self, MESSAGE, message, place_of, use_of, who};
use crate::render::text::{Layout, commands, words, wrap};
use crate::view::Act;
use crate::words::{bytes, count, cut, number, path_argument};

/// Limit: processes that are shown.
const SHOWN: usize = 10;
/// Limit: choices that are shown.
const CHOICES: usize = 20;

/// Writes the answer.
///
/// # Errors
/// Those of the sink.
pub fn answer(out: &mut dyn Write, view: &WhatIfAnswer, layout: &Layout) -> io::Result<()> {
    let paint = layout.paint;
    match &view.run {
        Some(run) => new_run(out, view, run, layout)?,
        None => {
            let why = match &view.failure {
                Some(_) => "none of them avoids the failure",
                None => "name one",
            };
            let title = format!(
                "{}: {}; {why}.",
                view.target,
                count(view.choices.len() as u64, "other choice")
            );
            writeln!(out, "{}", paint.strong(&title))?;
            choices(out, &view.choices, layout)?;
            let (target, first) = (&view.target, view.choices.first().map_or(1, |one| one.number));
            writeln!(
                out,
                "Name one by its number, or by a part of its text: {target}={first}"
            )?;
        }
    }
    commands(out, &view.next, layout)
}

fn choices(out: &mut dyn Write, all: &[Alternative], layout: &Layout) -> io::Result<()> {
    let shown = if layout.all { all.len() } else { CHOICES };
    for one in all.iter().take(shown) {
        writeln!(out, "{}", wrap(&line(one), layout.width))?;
    }
    if all.len() > shown {
        writeln!(
            out,
            "      … and {} more; --all shows them",
            number((all.len() - shown) as u64)
        )?;
    }
    Ok(())
}

/// A choice with its number: `  2  {put,20} (0.4.0 dep/2, lost.erl:12)`.
#[must_use]
pub fn line(one: &Alternative) -> String {
    let verdict = match one.verdict {
        Some(Verdict::Passes) => "  [does not fail]",
        Some(Verdict::Moved) => "  [the failure moves]",
        Some(Verdict::Same) => "  [fails, too]",
        Some(Verdict::Another) => "  [fails otherwise]",
        Some(Verdict::Cut) => "  [did not end]",
        None => "",
    };
    format!("  {:>2}  {}{verdict}", one.number, instead(one))
}

/// What would come instead.
fn instead(one: &Alternative) -> String {
    let (noun, by) = message(&one.instead);
    match one.class {
        Class::Message | Class::MessageForTimeout => format!("receive {noun}{by}"),
        Class::TimeoutForMessage => match one.instead.after {
            Some(ms) => format!("the timeout of {ms} ms"),
            None => "the timeout".to_owned(),
        },
        Class::Signal => format!("the exit signal of {noun}{by}"),
        Class::NoSignal => "go on; the exit signal comes later".to_owned(),
        Class::Access => match &one.instead.act {
            Some(act) => format!(
                "{} first {} ({})",
                who(act),
                use_of(act, None),
                place_of(&one.instead, act)
            ),
            None => "the other use first".to_owned(),
        },
        Class::Later => "later: only after all that the others can do".to_owned(),
        Class::MessageLast => "last: only after all other messages that can come".to_owned(),
        Class::Input => "another value".to_owned(),
    }
}

fn new_run(out: &mut dyn Write, view: &WhatIfAnswer, run: &NewRun, layout: &Layout) -> io::Result<()> {
    let paint = layout.paint;
    let text = wrap(&races::sentence(&run.flip), layout.width);
    writeln!(out, "{}", paint.strong(&text))?;
    match view.choices.len() {
        1 => {}
        all if view.is_named => writeln!(out, "\nChoice {} of {}", run.choice, number(all as u64))?,
        all => {
            writeln!(out, "\nChoice {} of {}:", run.choice, number(all as u64))?;
            choices(out, &view.choices, layout)?;
        }
    }
    writeln!(out)?;
    let before = match &view.test {
        Some(test) => format!("{} fails", causality::test_said(test)),
        None => ending(&view.before),
    };
    let after = match (&view.failure, run.verdict) {
        (Some(_), Verdict::Passes) => "it does not fail",
        (Some(_), Verdict::Moved) => "the failure moves: the same kind, elsewhere",
        (Some(_), Verdict::Same) => "it fails as recorded",
        (Some(_), Verdict::Another) => "it fails in another way",
        (None, Verdict::Another) => "now it fails",
        (None, Verdict::Cut) | (Some(_), Verdict::Cut) => "it was cut",
        (None, _) => "it does not fail, either",
    };
    writeln!(out, "{}", wrap(&format!("recorded  {before}"), layout.width))?;
    writeln!(
        out,
        "{}",
        wrap(&format!("now       {}: {after}", ending(&run.after)), layout.width)
    )?;
    if !run.rests && run.verdict != Verdict::Cut {
        writeln!(out, "          other processes go on; they were cut")?;
    }
    differ(out, run, layout)?;
    if let (Some(file), Some(length)) = (&run.file, run.bytes) {
        let file = path_argument(std::path::Path::new(file));
        writeln!(
            out,
            "{} written to {file}, {}",
            count(run.actions, "action"),
            bytes(length)
        )?;
    }
    Ok(())
}

fn differ(out: &mut dyn Write, run: &NewRun, layout: &Layout) -> io::Result<()> {
    let paint = layout.paint;
    if run.differ.is_empty() {
        writeln!(out, "\nAll processes do as recorded; only the order is another one.")?;
        return Ok(());
    }
    let title = format!("The logs of {} differ:", count(run.differ.len() as u64, "process"));
    writeln!(out, "\n{}", paint.strong(&title))?;
    let shown = if layout.all { run.differ.len() } else { SHOWN };
    for one in run.differ.iter().take(shown) {
        process(out, one, layout)?;
    }
    if run.differ.len() > shown {
        let text = format!("  … and {} more; --all shows them", run.differ.len() - shown);
        writeln!(out, "{}", paint.faint(&text))?;
    }
    if run.equal > 0 {
        let does = if run.equal == 1 { "does" } else { "do" };
        writeln!(
            out,
            "{}",
            paint.faint(&format!("{} {does} as recorded", count(run.equal, "process")))
        )?;
    }
    Ok(())
}

fn process(out: &mut dyn Write, one: &Differs, layout: &Layout) -> io::Result<()> {
    let name = one.was.as_ref().or(one.is.as_ref()).and_then(|act| act.name.clone());
    let name = name.map_or_else(String::new, |name| format!(" {name}"));
    let pid = one.pid.as_ref().or(one.recorded.as_ref()).map_or("", String::as_str);
    match (&one.pid, &one.recorded) {
        (Some(new), Some(old)) if new != old => {
            writeln!(
                out,
                "  {new}{name} (recorded as {old}), from action {}",
                number(one.number)
            )?;
        }
        (Some(_), None) => writeln!(out, "  {pid}{name}: only now")?,
        (None, _) => {
            writeln!(out, "  {pid}{name}: only recorded")?;
            return Ok(());
        }
        _ => writeln!(out, "  {pid}{name}, from action {}", number(one.number))?,
    }
    let side = |act: &Option<Act>| act.as_ref().map_or_else(|| "nothing more".to_owned(), phrase);
    if one.recorded.is_some() {
        writeln!(
            out,
            "    recorded  {}",
            cut(&side(&one.was), layout.width.saturating_sub(14))
        )?;
    }
    writeln!(
        out,
        "    now       {}",
        cut(&side(&one.is), layout.width.saturating_sub(14))
    )
}

fn phrase(act: &Act) -> String {
    let place = act
        .place
        .as_ref()
        .map_or_else(String::new, |place| format!("  {}", races::at(place)));
    let signal = act.signal.as_ref().map(|s| format!(" ({s})")).unwrap_or_default();
    format!("{}{signal}{place}", words(act))
}

/// How a run ends.
fn ending(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Returned(value) if value.is_empty() => "the run ends well".to_owned(),
        Outcome::Returned(value) => format!("the run returns {}", cut(value, MESSAGE)),
        Outcome::Crashed { pid, reason } => format!("{pid} fails: {reason}"),
        Outcome::Waits => "the run waits for ever".to_owned(),
        Outcome::Halted(status) => format!("the run halts with {status}"),
        Outcome::TestPasses(test) => format!("{} passes", causality::test_said(test)),
        Outcome::Lacks(name) => format!("it is not known how the run ends: it calls {name}, which the trace has not"),
        Outcome::GoesOn => "the run goes on without the failure; it was not followed to its end".to_owned(),
        Outcome::Unknown => "the run does not end within the limits".to_owned(),
    }
}

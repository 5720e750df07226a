//! The paragraphs beside the steps: messages not received, overtaken or late; other failures; what else was required.

use super::waits::named_at;
use super::{limited, who};
use crate::render::text::{Layout, uses, words, wrap};
use crate::view::{Act, ActKind};
use crate::words::number;
use ::why::story::{Overtaken, Unseen, Why};
use std::io::{self, Write};

/// Limit: other lost updates of one thing that are shown.
const LOSSES: usize = 6;

pub(super) fn unseen(out: &mut dyn Write, view: &Why, spoken: bool, layout: &Layout) -> io::Result<()> {
    for one in view.unseen.iter().filter(|one| one.spoken == spoken) {
        let Unseen {
            what,
            spoken: _,
            in_step: _,
            first_read,
            first,
            second_read,
            second,
            line,
            values,
            others,
        } = one;
        let what = what.noun();
        writeln!(out, "\n{}", layout.paint.strong("Lost update:"))?;
        let looked = match first_read {
            Some(read) => format!(
                "{} and {} both read {what} {} {}, then both wrote it.",
                who(first),
                who(second),
                named_at(read),
                named_at(second_read)
            ),
            None => format!(
                "{} read {what} {}, and wrote it later without reading it again.",
                who(second),
                named_at(second_read)
            ),
        };
        let undone = format!(
            "{} wrote in between {}; that value was overwritten {}",
            first.pid,
            named_at(first),
            named_at(second)
        );
        let values = match values {
            Some(values) => format!(
                ": it wrote {} over {}, computed from the {} that it had read",
                values.wrote, values.over, values.read
            ),
            None => String::new(),
        };
        let mut others: Vec<String> = others
            .iter()
            .map(|other| {
                let values = &other.values;
                format!(
                    " {} wrote {} over {}, computed from {} {}.",
                    who(&other.second),
                    values.wrote,
                    values.over,
                    values.read,
                    named_at(&other.second)
                )
            })
            .collect();
        if !layout.all && others.len() > LOSSES {
            let more = others.split_off(LOSSES).len();
            others.push(format!(" … and {} more; --all shows them", number(more as u64)));
        }
        let text = format!("{looked} {undone}{values}.{}", others.concat());
        let text = wrap(&text, layout.width.saturating_sub(2));
        for part in text.lines() {
            writeln!(out, "  {part}")?;
        }
        if let Some(line) = line {
            writeln!(out, "    {}", limited(line, 4, layout))?;
        }
    }
    Ok(())
}

pub(super) fn overtaken(out: &mut dyn Write, view: &Why, layout: &Layout) -> io::Result<()> {
    if view.overtaken.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{}", layout.paint.strong("Received out of order:"))?;
    for one in &view.overtaken {
        let Overtaken {
            receive,
            sent,
            earlier,
            received,
        } = one;
        let said = |act: &Act| act.speech(true).noun();
        let then = match received {
            Some(later) => format!("received later [{later}]"),
            None => "never received".to_owned(),
        };
        let text = format!(
            "{} from {} [{receive}] was received before {}, which was sent first [{}] and {then}",
            said(sent),
            who(sent),
            said(earlier),
            earlier.target
        );
        let text = wrap(&text, layout.width.saturating_sub(4));
        writeln!(out, "  {}", text.replace('\n', "\n    "))?;
    }
    Ok(())
}

pub(super) fn failed(out: &mut dyn Write, view: &Why, layout: &Layout) -> io::Result<()> {
    if view.failed.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{}", layout.paint.strong("Earlier failures among the causes:"))?;
    for act in &view.failed {
        let name = named_at(act);
        let text = format!("  {} {}", who(act), words(act));
        writeln!(
            out,
            "{} {}",
            limited(&text, name.len() + 1, layout),
            layout.paint.faint(&name)
        )?;
    }
    Ok(())
}

pub(super) fn instead(out: &mut dyn Write, view: &Why, layout: &Layout) -> io::Result<()> {
    if view.instead.is_empty() {
        return Ok(());
    }
    let title = "These messages could have come first, if the receive accepts them:";
    writeln!(out, "\n{}", layout.paint.strong(&wrap(title, layout.width)))?;
    for one in &view.instead {
        let (receive, act) = (&one.target, &one.sent);
        let text = match act.kind {
            ActKind::Exit | ActKind::Signal => format!("  before {receive}: the report of the end of {}", who(act)),
            _ => {
                let content = act.speech(true).noun();
                format!("  before {receive}: {content} from {}", who(act))
            }
        };
        let name = layout.paint.faint(&format!("[{}]", act.target));
        writeln!(out, "{} {name}", limited(&text, act.target.len() + 3, layout))?;
    }
    Ok(())
}

pub(super) fn never(out: &mut dyn Write, view: &Why, layout: &Layout) -> io::Result<()> {
    if view.never.is_empty() {
        return Ok(());
    }
    let title = "Never received, because the receiver had ended:";
    writeln!(out, "\n{}", layout.paint.strong(&wrap(title, layout.width)))?;
    for (receiver, act) in &view.never {
        let said = act.speech(true).noun();
        let text = format!("  to {receiver}: {said} from {}", who(act));
        let name = layout.paint.faint(&format!("[{}]", act.target));
        writeln!(out, "{} {name}", limited(&text, act.target.len() + 3, layout))?;
    }
    Ok(())
}

pub(super) fn required(out: &mut dyn Write, view: &Why, layout: &Layout) -> io::Result<()> {
    if view.required.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{}", layout.paint.strong("Also required:"))?;
    // Equal actions are put on one line.
    let mut lines: Vec<(String, bool, Vec<&str>)> = Vec::new();
    for act in &view.required {
        let mut parts = Vec::new();
        if act.kind != ActKind::Access {
            let mut act = act.clone();
            act.content = act.content.map(|content| content.noun(false).into());
            parts.push(words(&act));
        }
        parts.extend(session::shared::told(uses(act).into_iter()));
        let text = format!("  {} {}", who(act), parts.join("; "));
        match lines.iter_mut().find(|(known, ..)| *known == text) {
            Some((.., names)) => names.push(&act.target),
            None => {
                let has_writer = uses(act).into_iter().any(|used| used.names_writer());
                lines.push((text, has_writer, vec![&act.target]));
            }
        }
    }
    for (text, has_writer, names) in lines {
        let name = format!("[{}]", names.join(", "));
        let paint = |text: &str| layout.paint.faint(text);
        // The name of an action is never cut.
        let fits = text.chars().count() + name.len() < layout.width;
        match (has_writer || names.len() > 1) && !fits && !layout.all {
            false => writeln!(out, "{} {}", limited(&text, name.len() + 1, layout), paint(&name))?,
            true => {
                let lines = wrap(&format!("{} {name}", text.trim()), layout.width.saturating_sub(6));
                writeln!(out, "  {}", lines.replace('\n', "\n      "))?;
            }
        }
    }
    if view.more_required > 0 {
        let text = format!("  … {} more; --all shows them", number(view.more_required));
        writeln!(out, "{}", layout.paint.faint(&text))?;
    }
    Ok(())
}

//! The answer to `why` as text: what happened, the steps back, what could have come instead, what else had to be there.

use std::io::{self, Write};

use crate::render::text::{Layout, commands, words, wrap};
use crate::view::{Act, Place};
use crate::why::story::{Because, Link, Sent, Wait, Why};
use crate::words::{count, cut, number};

/// Characters of the variables of one place.
const STATE: usize = 240;
/// Characters of a value that changed.
const VALUE: usize = 60;

/// Writes the answer to `why`.
///
/// # Errors
/// Those of the sink.
pub fn why(out: &mut dyn Write, view: &Why, layout: &Layout) -> io::Result<()> {
    happened(out, view, layout)?;
    waits(out, view, layout)?;
    if !view.links.is_empty() {
        let title = if view.waits.is_empty() {
            "because:"
        } else {
            "it came there so:"
        };
        writeln!(out, "\n{}", layout.paint.strong(title))?;
    }
    for (i, one) in view.links.iter().enumerate() {
        link(out, i + 1, one, layout)?;
    }
    if view.cut {
        let text = "    … and further back; --all tells more";
        writeln!(out, "{}", layout.paint.faint(text))?;
    }
    instead(out, view, layout)?;
    required(out, view, layout)?;
    for note in &view.notes {
        writeln!(out, "\n{}", wrap(note, layout.width))?;
    }
    let text = format!(
        "{} of the {} of the run are causes, in {}",
        number(view.causes),
        count(view.of_actions, "action"),
        count(view.processes, "process")
    );
    writeln!(out, "\n{}", layout.paint.faint(&text))?;
    commands(out, &view.next, layout)
}

fn who(act: &Act) -> String {
    match &act.name {
        Some(name) => format!("{} {name}", act.pid),
        None => act.pid.clone(),
    }
}

fn at(place: &Place) -> String {
    format!(
        "{}:{}",
        place.file.rsplit('/').next().unwrap_or(&place.file),
        place.line
    )
}

fn limited(text: &str, indent: usize, layout: &Layout) -> String {
    if layout.all {
        text.to_owned()
    } else {
        cut(text, layout.width.saturating_sub(indent))
    }
}

fn happened(out: &mut dyn Write, view: &Why, layout: &Layout) -> io::Result<()> {
    let paint = layout.paint;
    let process = &view.process;
    let subject = match &process.name {
        Some(name) => format!("{} {name}", process.pid),
        None => process.pid.clone(),
    };
    let what = if view.happened.kind == "wait" && !view.waits.is_empty() {
        "waits for ever: nothing can happen any more".to_owned()
    } else if view.happened.kind == "wait" {
        "waits".to_owned()
    } else {
        words(&view.happened)
    };
    let line = limited(&format!("{}: {subject} {what}", view.target), 0, layout);
    writeln!(out, "{}", paint.bad(&line))?;
    if let Some(frame) = process.frames.first() {
        if let Some(place) = &frame.place {
            writeln!(out, "  in {}, {}:{}", place.function, place.file, place.line)?;
        }
        for line in &frame.source {
            let text = limited(&format!("{:>5} | {}", line.line, line.text), 4, layout);
            if line.here {
                writeln!(out, "  {} {}", paint.target(">"), paint.strong(&text))?;
            } else {
                writeln!(out, "    {}", paint.faint(text.trim_end()))?;
            }
        }
        let known = frame.variables.iter();
        let state: Vec<(String, String)> = known.filter_map(|v| Some((v.name.clone(), v.value.clone()?))).collect();
        if !state.is_empty() {
            writeln!(out, "  {}", limited(&variables(&state), 2, layout))?;
        }
    }
    if process.mailbox_length > 0 && process.state != "ended" {
        let contents: Vec<&str> = process.mailbox.iter().map(|m| m.content.as_str()).collect();
        let text = format!("in its mailbox: {}", contents.join(", "));
        writeln!(out, "  {}", limited(&text, 2, layout))?;
    }
    Ok(())
}

fn variables(state: &[(String, String)]) -> String {
    let all: Vec<String> = state.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    cut(&all.join(", "), STATE)
}

fn link(out: &mut dyn Write, number: usize, link: &Link, layout: &Layout) -> io::Result<()> {
    let paint = layout.paint;
    let act = &link.act;
    let place = act
        .place
        .as_ref()
        .map(|place| format!(", {}", at(place)))
        .unwrap_or_default();
    let name = paint.faint(&format!("[{}{place}]", act.target));
    let content = act.content.as_deref().unwrap_or("a message");
    let from = match &link.sent {
        Some(sent) => format!(" from {}", who(&sent.act)),
        None => act
            .peer
            .as_deref()
            .map(|peer| format!(" from {peer}"))
            .unwrap_or_default(),
    };
    let text = match link.because {
        Because::Received => format!("{} received {content}{from}", who(act)),
        Because::Answered => {
            let question = link.question.as_deref().unwrap_or("its question");
            format!("{} received {content}{from}, in answer to {question}", who(act))
        }
        Because::Signal => format!("{} was ended by an exit signal{from}: {content}", who(act)),
        Because::State => {
            let changes: Vec<String> = link
                .changes
                .iter()
                .map(|c| {
                    format!(
                        "{} became {} (was {})",
                        c.name,
                        cut(&c.after, VALUE),
                        cut(&c.before, VALUE)
                    )
                })
                .collect();
            format!("{} had received {content}{from}: {}", who(act), changes.join(", "))
        }
        Because::Spawned => {
            let child = act.peer.as_deref().unwrap_or("a process");
            format!("{} spawned {child}", who(act))
        }
    };
    let shown = limited(&text, 6 + act.target.len() + place.len() + 3, layout);
    writeln!(out, " {number:>2}. {shown} {name}")?;
    if let Some(sent) = &link.sent
        && link.because != Because::Spawned
    {
        sender(out, sent, layout)?;
    }
    Ok(())
}

fn sender(out: &mut dyn Write, sent: &Sent, layout: &Layout) -> io::Result<()> {
    let Sent {
        act,
        place,
        line,
        state,
    } = sent;
    let mut text = match (place, act.kind) {
        (Some(place), "send") => format!("sent at {}", at(place)),
        (Some(place), "exit" | "signal") => format!("when it ended at {}", at(place)),
        (Some(place), _) => format!("at {}", at(place)),
        (None, _) => format!("by {}", act.target),
    };
    if let (Some(line), "send") = (line, act.kind) {
        text.push_str(&format!(": {line}"));
    }
    writeln!(out, "       {}", limited(&text, 7, layout))?;
    if !state.is_empty() {
        let text = format!("where {}", variables(state));
        writeln!(out, "       {}", limited(&text, 7, layout))?;
    }
    Ok(())
}

fn waits(out: &mut dyn Write, view: &Why, layout: &Layout) -> io::Result<()> {
    if view.waits.is_empty() {
        return Ok(());
    }
    let title = if view.circular {
        "who waits, in a circle:"
    } else {
        "who waits:"
    };
    writeln!(out, "\n{}", layout.paint.strong(title))?;
    for wait in &view.waits {
        let Wait {
            pid,
            name,
            state,
            target,
            line: _,
            variables: known,
            mailbox,
            asked,
            fate,
        } = wait;
        let name = name.as_ref().map(|name| format!(" {name}")).unwrap_or_default();
        let target = layout.paint.faint(&format!("[{target}]"));
        writeln!(out, "  {pid}{name} {state} {target}")?;
        if !known.is_empty() {
            writeln!(
                out,
                "       {}",
                limited(&format!("where {}", variables(known)), 7, layout)
            )?;
        }
        if !mailbox.is_empty() {
            let text = format!("in its mailbox: {}", mailbox.join(", "));
            writeln!(out, "       {}", limited(&text, 7, layout))?;
        }
        if let Some(asked) = asked {
            let mut text = format!("it had last sent {}", asked.content.as_deref().unwrap_or("a message"));
            if let Some(peer) = &asked.peer {
                text.push_str(&format!(" to {peer}"));
            }
            if let Some(fate) = fate {
                text.push_str(&format!("; {fate}"));
            }
            writeln!(out, "       {}", limited(&text, 7, layout))?;
        }
    }
    Ok(())
}

fn instead(out: &mut dyn Write, view: &Why, layout: &Layout) -> io::Result<()> {
    if view.instead.is_empty() {
        return Ok(());
    }
    let title = "it hung on the order of messages; where the receive takes it, this could have come first:";
    writeln!(out, "\n{}", layout.paint.strong(&wrap(title, layout.width)))?;
    for (receive, act) in &view.instead {
        let content = act.content.as_deref().unwrap_or("a message");
        let text = format!("  before {receive}: {content} from {}", who(act));
        let name = layout.paint.faint(&format!("[{}]", act.target));
        writeln!(out, "{} {name}", limited(&text, act.target.len() + 3, layout))?;
    }
    Ok(())
}

fn required(out: &mut dyn Write, view: &Why, layout: &Layout) -> io::Result<()> {
    if view.required.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{}", layout.paint.strong("also required:"))?;
    for act in &view.required {
        let mut parts = Vec::new();
        if act.kind != "access" {
            parts.push(words(act));
        }
        parts.extend(act.accesses.iter().cloned());
        let text = format!("  {} {}", who(act), parts.join("; "));
        let name = layout.paint.faint(&format!("[{}]", act.target));
        writeln!(out, "{} {name}", limited(&text, act.target.len() + 3, layout))?;
    }
    if view.more_required > 0 {
        let text = format!("  … {} more; --all shows them", number(view.more_required));
        writeln!(out, "{}", layout.paint.faint(&text))?;
    }
    Ok(())
}

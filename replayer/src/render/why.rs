//! The answer to `why` as text: what happened, the steps back, what could have come instead, what else had to be there.

use std::io::{self, Write};

use crate::render::text::{Layout, commands, uses, words, wrap};
use crate::view::{Act, Place};
use crate::why::story::{Because, Link, Sent, Wait, Why};
use crate::words::{count, cut, number};

/// Characters of the variables of one place.
const STATE: usize = 240;
/// Characters of a value that changed.
const VALUE: usize = 60;
/// A message is cut to no less than so many characters.
const LEAST: usize = 24;
/// Lines of the variables of the process that is asked about.
const LINES: usize = 3;

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
    let all = count(view.of_actions, "action");
    let of = match view.causes {
        n if n == view.of_actions => format!("all {all} of the run are causes"),
        1 => format!("1 of the {all} of the run is a cause"),
        n => format!("{} of the {all} of the run are causes", number(n)),
    };
    let text = format!("{of}, in {}", count(view.processes, "process"));
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
            let text = wrap(&variables(&state), layout.width.saturating_sub(2));
            for line in text.lines().take(LINES) {
                writeln!(out, "  {line}")?;
            }
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
    let content = act.content.as_deref().unwrap_or("a message");
    let answer = link.sent.as_ref().is_some_and(|sent| is_answer(act, sent));
    let from = match &link.sent {
        Some(_) if answer => " from the runtime".to_owned(),
        Some(sent) => format!(" from {}", who(&sent.act)),
        None => act
            .peer
            .as_deref()
            .map(|peer| format!(" from {peer}"))
            .unwrap_or_default(),
    };
    // What does not fit on the line of the step has a line of its own.
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
    let (joint, more) = match (link.because, &link.question) {
        (Because::Answered, question) => (
            ", in answer to ",
            question.clone().unwrap_or_else(|| "its question".to_owned()),
        ),
        _ if changes.is_empty() => ("", String::new()),
        _ => (": ", changes.join(", ")),
    };
    let line = |content: &str| match link.because {
        Because::Received | Because::Answered => format!("{} received {content}{from}", who(act)),
        Because::Signal => format!("{} was ended by an exit signal{from}: {content}", who(act)),
        Because::State => format!("{} had received {content}{from}", who(act)),
        Because::Read => {
            let what = link.read.as_deref().unwrap_or("what was there");
            let by = link.sent.as_ref().map(|sent| who(&sent.act));
            format!("{} read {what} as {} had left it", who(act), by.unwrap_or_default())
        }
        Because::Spawned => {
            let child = act.peer.as_deref().unwrap_or("a process");
            format!("{} spawned {child}", who(act))
        }
    };
    let length = |text: &str| text.chars().count();
    let room = |name: &str| layout.width.saturating_sub(6 + length(name));
    let (long, short) = (format!("[{}{place}]", act.target), format!("[{}]", act.target));
    let whole = line(content);
    let fits = layout.all || length(&whole) + length(joint) + length(&more) <= room(&long);
    // The place gives way to the message; of what is still too long the message is cut, not who sent it.
    let name = if layout.all || length(&whole) <= room(&long) {
        long
    } else {
        short
    };
    let left = room(&name).saturating_sub(length(&line(""))).max(LEAST);
    let mut text = if layout.all { whole } else { line(&cut(content, left)) };
    if fits {
        text = format!("{text}{joint}{more}");
    }
    let text = limited(&text, 6 + length(&name), layout);
    writeln!(out, " {number:>2}. {text} {}", paint.faint(&name))?;
    if !fits && !more.is_empty() {
        let word = if joint == ": " { "" } else { "in answer to " };
        writeln!(out, "       {}", limited(&format!("{word}{more}"), 7, layout))?;
    }
    if let Some(sent) = &link.sent
        && link.because != Because::Spawned
    {
        let word = match (link.because, answer) {
            (Because::Read, _) => "written",
            (_, true) => "for what it did",
            _ => "sent",
        };
        sender(out, sent, word, layout)?;
    }
    Ok(())
}

/// Is what a process received an answer of the runtime to a call of its own?
fn is_answer(act: &Act, sent: &Sent) -> bool {
    act.pid == sent.act.pid && sent.act.kind != "send"
}

fn sender(out: &mut dyn Write, sent: &Sent, word: &str, layout: &Layout) -> io::Result<()> {
    let Sent {
        act,
        place,
        line,
        state,
    } = sent;
    let mut text = match (place, act.kind) {
        (Some(place), "exit" | "signal") => format!("when it ended at {}", at(place)),
        (Some(place), _) => format!("{word} at {}", at(place)),
        (None, _) => format!("by {}", act.target),
    };
    if let (Some(line), false) = (line, matches!(act.kind, "exit" | "signal")) {
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
            ended,
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
        for one in ended {
            writeln!(out, "       {}", limited(one, 7, layout))?;
        }
    }
    if view.more_waits > 0 {
        let text = format!("  … and {} more; `replay info` lists them", number(view.more_waits));
        writeln!(out, "{}", layout.paint.faint(&text))?;
    }
    Ok(())
}

fn instead(out: &mut dyn Write, view: &Why, layout: &Layout) -> io::Result<()> {
    if view.instead.is_empty() {
        return Ok(());
    }
    let title = "it hung on the order of messages: these could have come first, where the receive takes them";
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
        parts.extend(uses(act).into_iter().map(str::to_owned));
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

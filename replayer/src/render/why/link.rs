//! One step of a story, as text.

use super::waits::waited_for;
use super::{LEAST, VALUE, at, limited, variables, who, whole};
use crate::render::text::{Layout, words};
use crate::view::{Act, ActKind};
use crate::words::{apart, cut};
use ::why::changes::ABSENT;
use ::why::reads::Found;
use ::why::story::{Because, Link, Lost, Sent};
use log_format::Pid;
use session::content::Speech;
use std::io::{self, Write};

pub(super) fn link(out: &mut dyn Write, number: usize, link: &Link, layout: &Layout) -> io::Result<()> {
    let paint = layout.paint;
    let act = &link.act;
    let place = act
        .place
        .as_ref()
        .map(|place| format!(", {}", at(place)))
        .unwrap_or_default();
    let said = act.speech(is_routine(link));
    let content = said.body();
    // Of a large map, only what the failure mentions is shown.
    let is_long = !layout.all && content.chars().count() > VALUE;
    let content = link.spoken.as_deref().filter(|_| is_long).unwrap_or(content);
    let (joint, more) = joined(link, said);
    let line = |content: &str| step(link, said, content);
    let length = |text: &str| text.chars().count();
    let room = |name: &str| layout.width.saturating_sub(6 + length(name));
    let (long, short) = (format!("[{}{place}]", act.target), format!("[{}]", act.target));
    let whole = line(content);
    let fits = layout.all || length(&whole) + length(joint) + length(&more) <= room(&long);
    // If the line is too long, first the place is left out; then the message is cut, never its sender.
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
        let word = joint.trim_start_matches([',', ':', ' ']);
        writeln!(out, "       {}", limited(&format!("{word}{more}"), 7, layout))?;
    }
    below(out, link, layout)
}

/// What is told under the line of a step.
fn below(out: &mut dyn Write, link: &Link, layout: &Layout) -> io::Result<()> {
    let act = &link.act;
    if let Some(waited) = &link.waited {
        waited_for(out, act, waited, layout)?;
    }
    if let Some(sent) = &link.sent
        && !matches!(link.because, Because::Spawned | Because::Started)
    {
        let word = match link.because {
            Because::Read if link.read.as_ref().is_some_and(|read| read.found == Found::Data) => "written",
            Because::Read => "done",
            _ if is_answer(act, sent) => "caused by its own call",
            _ => "sent",
        };
        sender(out, sent, word, layout)?;
    }
    if let Some(before) = &link.free_before {
        let name = layout.paint.faint(&format!("[{before}]"));
        writeln!(out, "       it had found the name free before {name}")?;
    }
    match &link.lost {
        Some(lost) => undone(out, lost, layout),
        None => Ok(()),
    }
}

/// What follows the line of a step, or stands below it where that is too long, and how it is joined to it.
fn joined(link: &Link, said: Speech<'_>) -> (&'static str, String) {
    if link.because == Because::Answered {
        let question = link.question.as_ref();
        let question = question.map_or(Speech::Plain("its request"), |question| question.speech(true));
        // The news of an end is no reply, and a reply asks for none.
        let end = link.sent.as_ref().map(|sent| sent.act.kind);
        return match (said, question) {
            // A call and its reply are one line.
            (Speech::Reply(_), Speech::Call(request)) => (", to its call ", request.to_owned()),
            (_, question) if matches!(end, Some(ActKind::Exit | ActKind::Signal)) => (", after ", question.noun()),
            (_, question @ Speech::Reply(_)) => (", after ", question.noun()),
            (_, question) => (", in reply to ", question.noun()),
        };
    }
    let changes: Vec<String> = link
        .changes
        .iter()
        .map(|c| {
            let (after, before) = apart(&c.after, &c.before, VALUE);
            match (c.after.as_str(), c.before.as_str()) {
                (ABSENT, _) => format!("{} was removed (was {before})", c.name),
                (_, ABSENT) => format!("{} was added: {after}", c.name),
                _ => format!("{} became {after} (was {before})", c.name),
            }
        })
        .collect();
    match changes.is_empty() {
        true => ("", String::new()),
        false => (": ", changes.join(", ")),
    }
}

/// The line of a step, with so much of the message.
fn step(link: &Link, said: Speech<'_>, content: &str) -> String {
    let act = &link.act;
    let who = who(act);
    let from = match &link.sent {
        Some(sent) if is_answer(act, sent) => " from the runtime".to_owned(),
        Some(sent) => format!(" from {}", super::who(&sent.act)),
        None => act.peer.map(|peer| format!(" from {peer}")).unwrap_or_default(),
    };
    match link.because {
        Because::Received | Because::Answered | Because::State | Because::Collected => {
            let had = match link.because {
                Because::State | Because::Collected => " had",
                _ => "",
            };
            let what = match said {
                Speech::Call(_) => "the call ",
                Speech::Cast(_) => "the cast ",
                Speech::Reply(_) => "the reply ",
                _ => "",
            };
            format!("{who}{had} received {what}{content}{from}")
        }
        Because::Signal => format!("{who} was ended by an exit signal{from}: {content}"),
        Because::Read => match &link.read {
            Some(read) => format!("{who} {read}"),
            None => format!("{who} read what was there"),
        },
        Because::TimedOut => match said {
            Speech::Timer(kind) => format!("{who} waited until its timer {kind} expired"),
            _ => format!("{who} timed out in a receive"),
        },
        Because::Started => {
            let child = link.sent.as_ref().and_then(|sent| sent.act.peer);
            format!("{who} started {}: {content}", process_or_any(child))
        }
        Because::Spawned => format!("{who} spawned {}", process_or_any(act.peer)),
    }
}

/// Writes a lost update.
pub(super) fn undone(out: &mut dyn Write, lost: &Lost, layout: &Layout) -> io::Result<()> {
    let named = |act: &Act| {
        let place = act
            .place
            .as_ref()
            .map_or_else(String::new, |place| format!(", {}", at(place)));
        format!("[{}{place}]", act.target)
    };
    let text = format!(
        "this write overwrote a value that its process had not seen: {} last read at {}, then {} wrote at {}",
        lost.read.pid,
        named(&lost.read),
        who(&lost.lost),
        named(&lost.lost)
    );
    whole(out, &text, layout)?;
    match &lost.line {
        Some(line) => writeln!(out, "         {}", limited(line, 9, layout)),
        None => Ok(()),
    }
}

/// Did the library send or receive the message, so that the program has no place there?
pub(super) fn is_routine(link: &Link) -> bool {
    let at = |act: &Act| act.place.is_none();
    link.because == Because::TimedOut
        || link.because == Because::Started
        || at(&link.act)
        || link.sent.as_ref().is_some_and(|sent| at(&sent.act))
        || link
            .question
            .as_ref()
            .is_some_and(|question| matches!(question.speech(false), Speech::Call(_)))
}

/// Is the received message a reply of the runtime to the process's own call?
pub(super) fn is_answer(act: &Act, sent: &Sent) -> bool {
    act.pid == sent.act.pid && sent.act.kind != ActKind::Send
}

pub(super) fn sender(out: &mut dyn Write, sent: &Sent, word: &str, layout: &Layout) -> io::Result<()> {
    let Sent {
        act,
        place,
        line,
        state,
    } = sent;
    let mut text = match (place, act.kind) {
        (Some(place), ActKind::Exit | ActKind::Signal) => {
            format!("at {} [{}]: it {}", at(place), act.target, words(act))
        }
        (None, ActKind::Exit | ActKind::Signal) => format!("[{}]: it {}", act.target, words(act)),
        (Some(place), _) => format!("{word} at {}", at(place)),
        (None, _) => format!("by {}", act.target),
    };
    if let (Some(line), false) = (line, matches!(act.kind, ActKind::Exit | ActKind::Signal)) {
        text.push_str(&format!(": {line}"));
    }
    writeln!(out, "       {}", limited(&text, 7, layout))?;
    if !state.is_empty() {
        let text = format!("where {}", variables(state));
        writeln!(out, "       {}", limited(&text, 7, layout))?;
    }
    Ok(())
}

pub(super) fn process_or_any(pid: Option<Pid>) -> String {
    pid.map_or_else(|| "a process".to_owned(), |pid| pid.to_string())
}

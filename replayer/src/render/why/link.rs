//! One step of a story, as text.

use super::lines::made;
use super::waits::waited_for;
use super::{LEAST, VALUE, at, limited, variables, who, whole};
use crate::render::text::{Layout, words};
use crate::view::{Act, ActKind};
use crate::words::{apart, cut};
use ::why::changes::ABSENT;
use ::why::reads::Found;
use ::why::story::{Because, Link, Lost, Sent};
use log_format::Pid;
use report::{Evidence, EvidenceKind, StepWords};
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
    let content = shown(link, said, layout);
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

/// A step for a page, which shows its target and what it changed beside the words.
pub(super) fn of_page(link: &Link, layout: &Layout) -> io::Result<StepWords> {
    let said = link.act.speech(is_routine(link));
    let mut text = step(link, said, shown(link, said, layout));
    if link.because == Because::Answered {
        let (joint, more) = joined(link, said);
        text = format!("{text}{joint}{more}");
    }
    let facts = |make: &dyn Fn(&mut Vec<u8>) -> io::Result<()>| -> io::Result<Vec<Evidence>> {
        Ok(made(make)?.into_iter().map(Evidence::fact).collect())
    };
    let mut evidence = facts(&|out| match &link.waited {
        Some(waited) => waited_for(out, &link.act, waited, layout),
        None => Ok(()),
    })?;
    if let Some((sent, kind)) = sending(link) {
        evidence.extend(sent_at(sent, kind));
        if !sent.state.is_empty() {
            evidence.push(Evidence::fact(format!("where {}", variables(&sent.state))));
        }
    }
    evidence.extend(facts(&|out| before(out, link, layout))?);
    Ok(StepWords { text, evidence })
}

/// Where something was done, as a page shows it: what was sent without a place, the page shows as an arrow.
fn sent_at(sent: &Sent, kind: EvidenceKind) -> Option<Evidence> {
    let Sent { act, place, line, .. } = sent;
    let is_end = matches!(act.kind, ActKind::Exit | ActKind::Signal);
    match place {
        Some(place) if !is_end => Some(Evidence {
            kind,
            place: Some(at(place)),
            text: line.clone(),
        }),
        None if act.kind == ActKind::Send => None,
        _ => Some(Evidence::fact(sender_text(sent, kind))),
    }
}

/// The other side of a step, if it is told below it, and what it is.
fn sending(link: &Link) -> Option<(&Sent, EvidenceKind)> {
    let sent = link.sent.as_ref()?;
    let kind = match link.because {
        Because::Spawned | Because::Started => return None,
        Because::Read if link.read.as_ref().is_some_and(|read| read.found == Found::Data) => EvidenceKind::Written,
        Because::Read => EvidenceKind::Done,
        _ if is_answer(&link.act, sent) => EvidenceKind::OwnCall,
        _ => EvidenceKind::Sent,
    };
    Some((sent, kind))
}

/// What is shown of the message. Of a large map, that is only what the failure mentions.
fn shown<'l>(link: &'l Link, said: Speech<'l>, layout: &Layout) -> &'l str {
    let content = said.body();
    let is_long = !layout.all && content.chars().count() > VALUE;
    link.spoken.as_deref().filter(|_| is_long).unwrap_or(content)
}

/// What is told under the line of a step.
fn below(out: &mut dyn Write, link: &Link, layout: &Layout) -> io::Result<()> {
    let act = &link.act;
    if let Some(waited) = &link.waited {
        waited_for(out, act, waited, layout)?;
    }
    if let Some((sent, kind)) = sending(link) {
        sender(out, sent, kind, layout)?;
    }
    before(out, link, layout)
}

/// What the process had seen before a step, and did not see.
fn before(out: &mut dyn Write, link: &Link, layout: &Layout) -> io::Result<()> {
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
        return match (said, question) {
            // A call and its reply are one line.
            (Speech::Reply(_), Speech::Call(request)) => (", to its call ", request.to_owned()),
            (_, question) if link.request().is_none() => (", after ", question.noun()),
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

/// Where something was done, in words.
fn sender_text(sent: &Sent, kind: EvidenceKind) -> String {
    let Sent { act, place, line, .. } = sent;
    let mut text = match (place, act.kind) {
        (Some(place), ActKind::Exit | ActKind::Signal) => {
            format!("at {} [{}]: it {}", at(place), act.target, words(act))
        }
        (None, ActKind::Exit | ActKind::Signal) => format!("[{}]: it {}", act.target, words(act)),
        (Some(place), _) => format!("{} at {}", kind.words(), at(place)),
        (None, _) => format!("by {}", act.target),
    };
    if let (Some(line), false) = (line, matches!(act.kind, ActKind::Exit | ActKind::Signal)) {
        text.push_str(&format!(": {line}"));
    }
    text
}

fn sender(out: &mut dyn Write, sent: &Sent, kind: EvidenceKind, layout: &Layout) -> io::Result<()> {
    writeln!(out, "       {}", limited(&sender_text(sent, kind), 7, layout))?;
    if !sent.state.is_empty() {
        let text = format!("where {}", variables(&sent.state));
        writeln!(out, "       {}", limited(&text, 7, layout))?;
    }
    Ok(())
}

pub(super) fn process_or_any(pid: Option<Pid>) -> String {
    pid.map_or_else(|| "a process".to_owned(), |pid| pid.to_string())
}

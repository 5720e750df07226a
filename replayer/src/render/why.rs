//! The answer to `why` as text: what happened, the steps back, what could have come instead, what else had to be there.

use std::io::{self, Write};

use log_format::Pid;

use crate::render::text::{Layout, commands, uses, words, wrap};
use crate::view::{Act, ActKind, Place};
use crate::words::{apart, count, cut, function, number};
use ::why::changes::spoken_entries;
use ::why::routine::{Speech, speech};
use ::why::story::{Because, GaveUp, Link, Lost, Overtaken, Sent, Stuck, Unseen, Wait, Waited, Why};

/// Characters of the variables of one place.
const STATE: usize = 240;
/// Where somebody waits for ever, they are what is looked for.
const STATE_OF_A_WAIT: usize = 600;
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
    // What the failure speaks of comes first.
    unseen(out, view, true, layout)?;
    gave_up(out, view, true, layout)?;
    if !view.links.is_empty() {
        let title = if view.waits.is_empty() {
            "because:"
        } else {
            "it came there so:"
        };
        writeln!(out, "\n{}", layout.paint.strong(title))?;
    }
    for (i, one) in view.links.iter().enumerate() {
        link(
            out,
            i + 1,
            one,
            view.happened.content.as_deref().unwrap_or_default(),
            layout,
        )?;
    }
    if view.cut {
        let text = "    … and further back; --all tells more";
        writeln!(out, "{}", layout.paint.faint(text))?;
    }
    unseen(out, view, false, layout)?;
    gave_up(out, view, false, layout)?;
    overtaken(out, view, layout)?;
    failed(out, view, layout)?;
    instead(out, view, layout)?;
    never(out, view, layout)?;
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
        None => act.pid.to_string(),
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
    let what = if view.happened.kind == ActKind::Wait && !view.waits.is_empty() {
        "waits for ever: nothing can happen any more".to_owned()
    } else if view.happened.kind == ActKind::Wait {
        "waits".to_owned()
    } else {
        words(&view.happened)
    };
    let line = limited(&format!("{}: {subject} {what}", view.target), 0, layout);
    writeln!(out, "{}", paint.bad(&line))?;
    if let Some(frame) = process.frames.first() {
        if let Some(place) = &frame.place {
            writeln!(out, "  in {}, {}:{}", function(&place.function), place.file, place.line)?;
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
        let contents: Vec<String> = process
            .mailbox
            .iter()
            .map(|m| speech(&m.content, false).noun())
            .collect();
        let text = format!("in its mailbox: {}", contents.join(", "));
        writeln!(out, "  {}", limited(&text, 2, layout))?;
    }
    Ok(())
}

fn variables(state: &[(String, String)]) -> String {
    let all: Vec<String> = state.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    cut(&all.join(", "), STATE)
}

fn link(out: &mut dyn Write, number: usize, link: &Link, reason: &str, layout: &Layout) -> io::Result<()> {
    let paint = layout.paint;
    let act = &link.act;
    let place = act
        .place
        .as_ref()
        .map(|place| format!(", {}", at(place)))
        .unwrap_or_default();
    let answer = link.sent.as_ref().is_some_and(|sent| is_answer(act, sent));
    let said = speech(act.content.as_deref().unwrap_or("a message"), is_routine(link));
    let content = said.body();
    // Of a large map what the failure speaks of is shown.
    let spoken = (!layout.all && content.chars().count() > VALUE)
        .then(|| spoken_entries(content, reason))
        .flatten();
    let content = spoken.as_deref().unwrap_or(content);
    let from = |word: &str| match &link.sent {
        Some(_) if answer => " from the runtime".to_owned(),
        Some(sent) => format!(" {word} {}", who(&sent.act)),
        None => act.peer.map(|peer| format!(" {word} {peer}")).unwrap_or_default(),
    };
    // What does not fit on the line of the step has a line of its own.
    let changes: Vec<String> = link
        .changes
        .iter()
        .map(|c| {
            let (after, before) = apart(&c.after, &c.before, VALUE);
            format!("{} became {after} (was {before})", c.name)
        })
        .collect();
    let (joint, more) = match (link.because, &link.question) {
        (Because::Answered, question) => {
            let question = question.as_deref().unwrap_or("its question");
            match (said, speech(question, true)) {
                // A call and its reply are one line.
                (Speech::Reply(_), Speech::Call(request)) => (", to its call ", request.to_owned()),
                (_, question) => (", in answer to ", question.noun()),
            }
        }
        _ if changes.is_empty() => ("", String::new()),
        _ => (": ", changes.join(", ")),
    };
    let line = |content: &str| match link.because {
        Because::Received | Because::Answered | Because::State | Because::Collected => {
            let had = match link.because {
                Because::State | Because::Collected => " had",
                _ => "",
            };
            match said {
                Speech::Call(_) => format!("{}{had} received the call {content}{}", who(act), from("of")),
                Speech::Cast(_) => format!("{}{had} received the cast {content}{}", who(act), from("of")),
                Speech::Reply(_) => format!("{}{had} received the reply {content}{}", who(act), from("of")),
                _ => format!("{}{had} received {content}{}", who(act), from("from")),
            }
        }
        Because::Signal => format!("{} was ended by an exit signal{}: {content}", who(act), from("from")),
        Because::Read => format!("{} {}", who(act), link.read.as_deref().unwrap_or("read what was there")),
        Because::TimedOut => match said {
            Speech::Timer(kind) => format!("{} waited until its timer {kind} ran out", who(act)),
            _ => format!("{} waited in vain", who(act)),
        },
        Because::Started => {
            let child = link.sent.as_ref().and_then(|sent| sent.act.peer);
            format!("{} started {}: {content}", who(act), process_or_any(child))
        }
        Because::Spawned => {
            format!("{} spawned {}", who(act), process_or_any(act.peer))
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
        let word = joint.trim_start_matches([',', ':', ' ']);
        writeln!(out, "       {}", limited(&format!("{word}{more}"), 7, layout))?;
    }
    if let Some(waited) = &link.waited {
        waited_for(out, act, waited, layout)?;
    }
    if let Some(sent) = &link.sent
        && !matches!(link.because, Because::Spawned | Because::Started)
    {
        let word = match (link.because, answer) {
            (Because::Read, _) if link.read.as_deref().is_some_and(|read| read.starts_with("read ")) => "written",
            (Because::Read, _) => "done",
            (_, true) => "for what it did",
            _ => "sent",
        };
        sender(out, sent, word, layout)?;
    }
    if let Some(before) = &link.free_before {
        writeln!(
            out,
            "       it had found it free before {}",
            paint.faint(&format!("[{before}]"))
        )?;
    }
    if let Some(lost) = &link.lost {
        undone(out, lost, layout)?;
    }
    Ok(())
}

/// A write that was lost.
fn undone(out: &mut dyn Write, lost: &Lost, layout: &Layout) -> io::Result<()> {
    let named = |act: &Act| {
        let place = act
            .place
            .as_ref()
            .map_or_else(String::new, |place| format!(", {}", at(place)));
        format!("[{}{place}]", act.target)
    };
    let text = format!(
        "it undid what it had not seen: {} had looked at {}, and in between {} wrote at {}",
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

/// Did the library send or take the message: has the program no place there?
fn is_routine(link: &Link) -> bool {
    let at = |act: &Act| act.place.is_none();
    link.because == Because::TimedOut
        || link.because == Because::Started
        || at(&link.act)
        || link.sent.as_ref().is_some_and(|sent| at(&sent.act))
        || link
            .question
            .as_deref()
            .is_some_and(|question| matches!(speech(question, false), Speech::Call(_)))
}

/// What a process waited for, and what became of its question.
fn waited_for(out: &mut dyn Write, act: &Act, waited: &Waited, layout: &Layout) -> io::Result<()> {
    let Waited {
        asked,
        not_last,
        receiver,
        taken,
        then,
        receiver_then,
        answered: was_answered,
        stuck,
        others,
    } = waited;
    let named = |act: &Act| {
        let place = act.place.as_ref().map(|place| format!(", {}", at(place)));
        layout
            .paint
            .faint(&format!("[{}{}]", act.target, place.unwrap_or_default()))
    };
    let mut line = |text: &str, act: Option<&Act>| {
        let name = act.map(|act| format!(" {}", named(act))).unwrap_or_default();
        let room = 7 + act.map_or(0, |act| act.target.len() + 20);
        writeln!(out, "       {}{name}", limited(text, room, layout))
    };
    let Some(asked) = asked else {
        line("it had asked nobody since its creation, or long before", None)?;
        return others_sent(out, act, others, layout);
    };
    let said = speech(asked.content.as_deref().unwrap_or("a message"), true).noun();
    let to = receiver.clone().unwrap_or_else(|| receiver_of(asked));
    let last = if *not_last { "" } else { "last " };
    line(&format!("it had {last}sent {said} to {to}"), Some(asked))?;
    let who = receiver.as_deref().unwrap_or("the receiver");
    match taken {
        Some(taken) if taken.kind == ActKind::Signal => line(&format!("that ended {who}"), Some(taken))?,
        Some(taken) => line(&format!("{who} received that"), Some(taken))?,
        None => {
            let then = receiver_then.as_deref().map(|then| format!(": it {then}"));
            if receiver.is_some() {
                line(&format!("{who} never received that{}", then.unwrap_or_default()), None)?;
            }
        }
    }
    let mut answered = false;
    for one in then {
        let content = speech(one.content.as_deref().unwrap_or("a message"), true).noun();
        let is_answer = one.kind == ActKind::Send && (one.peer == Some(act.pid) || is_reply_to(one, asked));
        answered |= is_answer;
        let text = match one.kind {
            ActKind::Send if is_answer && was_answered.is_some() => format!("  and sent {content}"),
            ActKind::Send if is_answer => format!("  and sent {content}, too late"),
            ActKind::Send => format!("  and sent {content} to {}", receiver_of(one)),
            ActKind::After if one.content.is_some() => "  and slept".to_owned(),
            ActKind::After => "  and waited itself, in vain".to_owned(),
            ActKind::Rec if answered => continue,
            ActKind::Rec => format!("  and waited itself, until it received {content}"),
            _ => format!("  and {}", words(one)),
        };
        line(&text, Some(one))?;
    }
    let ended = then
        .iter()
        .any(|one| matches!(one.kind, ActKind::Exit | ActKind::Signal | ActKind::Halt));
    if let (Some(_), Some(then), false) = (taken, receiver_then, answered || ended) {
        line(&format!("  and {then}"), None)?;
    }
    if let Some(receive) = was_answered {
        let text = format!(
            "{} had received what {who} sent by then: it waited for something else",
            act.pid
        );
        writeln!(out, "       {text} {}", layout.paint.faint(&format!("[{receive}]")))?;
    }
    if let Some(Stuck { sent, fate, end }) = stuck {
        if let Some(sent) = sent {
            let content = speech(sent.content.as_deref().unwrap_or("a message"), true).noun();
            let to = receiver_of(sent);
            let text = format!("{who} sent nothing back: at last it sent {content} to {to}");
            let name = format!("[{}]", sent.target);
            writeln!(
                out,
                "       {} {}",
                limited(&text, 8 + name.len(), layout),
                layout.paint.faint(&name)
            )?;
        }
        if let Some(fate) = fate {
            whole(out, fate, layout)?;
        }
        if let Some(end) = end {
            whole(out, &format!("{who} {end}"), layout)?;
        }
    }
    others_sent(out, act, others, layout)
}

/// What else had been sent to a process that waited.
fn others_sent(out: &mut dyn Write, act: &Act, others: &[Act], layout: &Layout) -> io::Result<()> {
    for other in others {
        let content = speech(other.content.as_deref().unwrap_or("a message"), true).noun();
        let text = format!(
            "also sent to {}, not received by then: {content} from {}",
            act.pid,
            who(other)
        );
        let name = layout.paint.faint(&format!("[{}]", other.target));
        writeln!(out, "       {} {name}", limited(&text, 8 + other.target.len(), layout))?;
    }
    Ok(())
}

/// Is this the reply to a call? Both carry one reference; the alias of a call that has timed out is nobody's.
fn is_reply_to(reply: &Act, call: &Act) -> bool {
    let reference = |text: &str| {
        let at = text.find("#Ref<")?;
        let end = text[at..].find('>')?;
        Some(text[at..=at + end].to_owned())
    };
    let of = |act: &Act| reference(act.content.as_deref()?);
    of(call).is_some() && of(call) == of(reply)
}

fn process_or_any(pid: Option<Pid>) -> String {
    pid.map_or_else(|| "a process".to_owned(), |pid| pid.to_string())
}

/// Who gets what was sent.
fn receiver_of(sent: &Act) -> String {
    let nobody = || "nobody that is there".to_owned();
    sent.peer.map_or_else(nobody, |pid| pid.to_string())
}

/// Is what a process received an answer of the runtime to a call of its own?
fn is_answer(act: &Act, sent: &Sent) -> bool {
    act.pid == sent.act.pid && sent.act.kind != ActKind::Send
}

fn sender(out: &mut dyn Write, sent: &Sent, word: &str, layout: &Layout) -> io::Result<()> {
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

/// A text under the line of a process, on as many lines as it needs.
fn whole(out: &mut dyn Write, text: &str, layout: &Layout) -> io::Result<()> {
    for line in wrap(text, layout.width.saturating_sub(7)).lines() {
        writeln!(out, "       {line}")?;
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
    let mut circle = view.circular;
    for wait in &view.waits {
        if circle && !wait.in_circle {
            writeln!(out, "{}", layout.paint.strong("who else waits:"))?;
        }
        circle = wait.in_circle;
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
            in_circle: _,
        } = wait;
        let name = name.as_ref().map(|name| format!(" {name}")).unwrap_or_default();
        let target = layout.paint.faint(&format!("[{target}]"));
        writeln!(out, "  {pid}{name} {state} {target}")?;
        if !known.is_empty() {
            let all: Vec<String> = known.iter().map(|(name, value)| format!("{name} = {value}")).collect();
            whole(out, &format!("where {}", cut(&all.join(", "), STATE_OF_A_WAIT)), layout)?;
        }
        if !mailbox.is_empty() {
            let mailbox: Vec<String> = mailbox.iter().map(|text| speech(text, false).noun()).collect();
            let text = format!("in its mailbox: {}", mailbox.join(", "));
            writeln!(out, "       {}", limited(&text, 7, layout))?;
        }
        if let Some(asked) = asked {
            let said = speech(asked.content.as_deref().unwrap_or("a message"), true);
            let mut text = format!("it had last sent {}", said.noun());
            if let Some(peer) = &asked.peer {
                text.push_str(&format!(" to {peer}"));
            }
            if let Some(fate) = fate {
                text.push_str(&format!("; {fate}"));
            }
            whole(out, &text, layout)?;
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

/// An action with its place, as it is named after what it did.
fn named_at(act: &Act) -> String {
    let place = act.place.as_ref().map(|place| format!(", {}", at(place)));
    format!("[{}{}]", act.target, place.unwrap_or_default())
}

fn unseen(out: &mut dyn Write, view: &Why, spoken: bool, layout: &Layout) -> io::Result<()> {
    for one in view.unseen.iter().filter(|one| one.spoken == spoken) {
        let Unseen {
            what,
            spoken: _,
            first_read,
            first,
            second_read,
            second,
            line,
        } = one;
        writeln!(out, "\n{}", layout.paint.strong("a lost update:"))?;
        let looked = match first_read {
            Some(read) => format!(
                "{} and {} both read {what} {} {}, and both wrote it then:",
                who(first),
                who(second),
                named_at(read),
                named_at(second_read)
            ),
            None => format!(
                "{} read {what} {} and wrote it later, without having read it again:",
                who(second),
                named_at(second_read)
            ),
        };
        let undone = format!(
            "what {} wrote in between {} was undone {}",
            first.pid,
            named_at(first),
            named_at(second)
        );
        let text = wrap(&format!("{looked} {undone}"), layout.width.saturating_sub(2));
        for part in text.lines() {
            writeln!(out, "  {part}")?;
        }
        if let Some(line) = line {
            writeln!(out, "    {}", limited(line, 4, layout))?;
        }
    }
    Ok(())
}

fn gave_up(out: &mut dyn Write, view: &Why, first: bool, layout: &Layout) -> io::Result<()> {
    let mut fitting = view.gave_up.iter().filter(|one| one.first == first).peekable();
    if fitting.peek().is_none() {
        return Ok(());
    }
    let title = "answered when who had asked had given up:";
    writeln!(out, "\n{}", layout.paint.strong(title))?;
    for one in fitting {
        let GaveUp {
            timeout,
            asked,
            late,
            holds,
            first: _,
        } = one;
        let said = |act: &Act| {
            let noun = speech(act.content.as_deref().unwrap_or("a message"), true).noun();
            cut(&noun, VALUE)
        };
        let text = format!(
            "{} waited for an answer to {} [{}] in vain {}; {} sent {} after that [{}]{}",
            who(timeout),
            said(asked),
            asked.target,
            named_at(timeout),
            who(late),
            said(late),
            late.target,
            if *holds {
                format!(", and still has {} in its state", timeout.pid)
            } else {
                String::new()
            }
        );
        let text = wrap(&text, layout.width.saturating_sub(4));
        writeln!(out, "  {}", text.replace('\n', "\n    "))?;
    }
    Ok(())
}

fn overtaken(out: &mut dyn Write, view: &Why, layout: &Layout) -> io::Result<()> {
    if view.overtaken.is_empty() {
        return Ok(());
    }
    writeln!(
        out,
        "\n{}",
        layout
            .paint
            .strong("received before what the same process had sent before:")
    )?;
    for one in &view.overtaken {
        let Overtaken {
            receive,
            sent,
            earlier,
            received,
        } = one;
        let said = |act: &Act| speech(act.content.as_deref().unwrap_or("a message"), true).noun();
        let then = match received {
            Some(later) => format!("was received later [{later}]"),
            None => "was never received".to_owned(),
        };
        let text = format!(
            "{} from {} [{receive}]; {}, sent before it [{}], {then}",
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

fn failed(out: &mut dyn Write, view: &Why, layout: &Layout) -> io::Result<()> {
    if view.failed.is_empty() {
        return Ok(());
    }
    writeln!(
        out,
        "\n{}",
        layout.paint.strong("ended abnormally before, and is among the causes:")
    )?;
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

fn instead(out: &mut dyn Write, view: &Why, layout: &Layout) -> io::Result<()> {
    if view.instead.is_empty() {
        return Ok(());
    }
    let title = "it hung on the order of messages: these could have come first, where the receive takes them";
    writeln!(out, "\n{}", layout.paint.strong(&wrap(title, layout.width)))?;
    for (receive, act) in &view.instead {
        let text = match act.kind {
            ActKind::Exit | ActKind::Signal => format!("  before {receive}: the news of the end of {}", who(act)),
            _ => {
                let content = speech(act.content.as_deref().unwrap_or("a message"), true).noun();
                format!("  before {receive}: {content} from {}", who(act))
            }
        };
        let name = layout.paint.faint(&format!("[{}]", act.target));
        writeln!(out, "{} {name}", limited(&text, act.target.len() + 3, layout))?;
    }
    Ok(())
}

fn never(out: &mut dyn Write, view: &Why, layout: &Layout) -> io::Result<()> {
    if view.never.is_empty() {
        return Ok(());
    }
    let title = "sent to one of these processes, and never received: it had ended";
    writeln!(out, "\n{}", layout.paint.strong(&wrap(title, layout.width)))?;
    for (receiver, act) in &view.never {
        let said = speech(act.content.as_deref().unwrap_or("a message"), true).noun();
        let text = format!("  to {receiver}: {said} from {}", who(act));
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
    // The same thing done several times is one line.
    let mut lines: Vec<(String, Vec<&str>)> = Vec::new();
    for act in &view.required {
        let mut parts = Vec::new();
        if act.kind != ActKind::Access {
            let mut act = act.clone();
            act.content = act.content.map(|text| speech(&text, false).noun());
            parts.push(words(&act));
        }
        parts.extend(uses(act).into_iter().map(str::to_owned));
        let text = format!("  {} {}", who(act), parts.join("; "));
        match lines.iter_mut().find(|(known, _)| *known == text) {
            Some((_, names)) => names.push(&act.target),
            None => lines.push((text, vec![&act.target])),
        }
    }
    for (text, names) in lines {
        let name = format!("[{}]", names.join(", "));
        let paint = |text: &str| layout.paint.faint(text);
        // What names an action is not cut.
        let fits = text.chars().count() + name.len() < layout.width;
        match (text.contains(" as event:") || names.len() > 1) && !fits && !layout.all {
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

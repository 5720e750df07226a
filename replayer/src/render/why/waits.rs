//! Waiting processes, what they wait for, and timeouts, as text.

use super::{VALUE, at, limited, receiver_of, who, whole};
use crate::render::text::{Layout, words, wrap};
use crate::view::{Act, ActKind};
use crate::words::{cut, number};
use ::why::story::{GaveUp, Stuck, Wait, Waited, Why};
use std::io::{self, Write};

/// Writes what a process waited for, and what became of its request.
pub(super) fn waited_for(out: &mut dyn Write, act: &Act, waited: &Waited, layout: &Layout) -> io::Result<()> {
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
        known,
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
        line("it had sent no message before, or only long before", None)?;
        for one in known {
            line(&format!("it knew {}", one.text), None)?;
        }
        return others_sent(out, act, others, layout);
    };
    let said = asked.speech(true).noun();
    let to = receiver.clone().unwrap_or_else(|| receiver_of(asked));
    let last = if *not_last { "" } else { "last " };
    line(&format!("it had {last}sent {said} to {to}"), Some(asked))?;
    let who = receiver.as_deref().unwrap_or("the receiver");
    match taken {
        Some(taken) if taken.kind == ActKind::Signal => line(&format!("{who} was ended by it"), Some(taken))?,
        Some(taken) => line(&format!("{who} received it"), Some(taken))?,
        None => {
            let then = receiver_then.as_deref().map(|then| format!(": it {then}"));
            if receiver.is_some() {
                line(&format!("{who} never received it{}", then.unwrap_or_default()), None)?;
            }
        }
    }
    let mut answered = false;
    for one in then {
        let content = one.speech(true).noun();
        let is_answer = one.kind == ActKind::Send && (one.peer == Some(act.pid) || is_reply_to(one, asked));
        answered |= is_answer;
        let text = match one.kind {
            ActKind::Send if is_answer && was_answered.is_some() => format!("  and sent {content}"),
            ActKind::Send if is_answer => format!("  and sent {content}, too late"),
            ActKind::Send => format!("  and sent {content} to {}", receiver_of(one)),
            ActKind::After if one.content.is_some() => "  and slept".to_owned(),
            ActKind::After => "  and timed out in a receive".to_owned(),
            ActKind::Rec if answered => continue,
            ActKind::Rec => format!("  and waited until it received {content}"),
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
            "{} had received a message of {who} by then: it waited for something else",
            act.pid
        );
        writeln!(out, "       {text} {}", layout.paint.faint(&format!("[{receive}]")))?;
    }
    if let Some(Stuck { sent, fate, end }) = stuck {
        if let Some(sent) = sent {
            let content = sent.speech(true).noun();
            let to = receiver_of(sent);
            let text = format!("{who} sent nothing back; its last message was {content} to {to}");
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

/// Writes what else had been sent to a waiting process.
pub(super) fn others_sent(out: &mut dyn Write, act: &Act, others: &[Act], layout: &Layout) -> io::Result<()> {
    for other in others {
        let content = other.speech(true).noun();
        let text = format!(
            "also sent to {}, but not received by then: {content} from {}",
            act.pid,
            who(other)
        );
        let name = layout.paint.faint(&format!("[{}]", other.target));
        writeln!(out, "       {} {name}", limited(&text, 8 + other.target.len(), layout))?;
    }
    Ok(())
}

/// Is this the reply to a call? Both contain one reference; the alias of a call that has timed out belongs to no process.
pub(super) fn is_reply_to(reply: &Act, call: &Act) -> bool {
    let of = |act: &Act| act.content.as_ref()?.reference;
    of(call).is_some() && of(call) == of(reply)
}

pub(super) fn waits(out: &mut dyn Write, view: &Why, layout: &Layout) -> io::Result<()> {
    if view.waits.is_empty() {
        return Ok(());
    }
    let title = if view.circular {
        "Wait cycle:"
    } else {
        "Waiting processes:"
    };
    writeln!(out, "\n{}", layout.paint.strong(title))?;
    let mut circle = view.circular;
    for wait in &view.waits {
        if circle && !wait.in_circle {
            writeln!(out, "{}", layout.paint.strong("Also waiting:"))?;
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
            at: _,
            in_circle: _,
            starting,
            stopping,
        } = wait;
        let name = name.as_ref().map(|name| format!(" {name}")).unwrap_or_default();
        let target = layout.paint.faint(&format!("[{target}]"));
        writeln!(out, "  {pid}{name} {state} {target}")?;
        if !known.is_empty() {
            let all: Vec<String> = known.iter().map(|(name, value)| format!("{name} = {value}")).collect();
            whole(out, &format!("where {}", cut(&all.join(", "), STATE_OF_A_WAIT)), layout)?;
        }
        if !mailbox.is_empty() {
            let mailbox: Vec<String> = mailbox.iter().map(|one| one.noun(false)).collect();
            let text = format!("mailbox: {}", mailbox.join(", "));
            writeln!(out, "       {}", limited(&text, 7, layout))?;
        }
        if let Some(child) = starting {
            whole(
                out,
                &format!("it is starting {child}, which has not said that it runs"),
                layout,
            )?;
        }
        if let Some(other) = stopping {
            whole(
                out,
                &format!("it waits for the end of {other}, which it has asked to stop"),
                layout,
            )?;
        }
        if let Some(asked) = asked {
            let said = asked.speech(true);
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
            writeln!(out, "       {}", limited(&one.text, 7, layout))?;
        }
    }
    if view.more_waits > 0 {
        let text = format!("  … and {} more; `replay info` lists them", number(view.more_waits));
        writeln!(out, "{}", layout.paint.faint(&text))?;
    }
    Ok(())
}

pub(super) fn gave_up(out: &mut dyn Write, view: &Why, first: bool, layout: &Layout) -> io::Result<()> {
    let mut fitting = view.gave_up.iter().filter(|one| one.first == first).peekable();
    if fitting.peek().is_none() {
        return Ok(());
    }
    let title = "Reply sent after the caller had timed out:";
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
            let noun = act.speech(true).noun();
            cut(&noun, VALUE)
        };
        let text = format!(
            "{} sent {} [{}] and timed out waiting for the reply {}; {} sent {} after that [{}]{}",
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

/// An action with its place, for a sentence about what it did.
pub(super) fn named_at(act: &Act) -> String {
    let place = act.place.as_ref().map(|place| format!(", {}", at(place)));
    format!("[{}{}]", act.target, place.unwrap_or_default())
}

/// Limit: characters of the variables of a process that waits for ever. They are what one looks for, so there are more.
pub(super) const STATE_OF_A_WAIT: usize = 600;

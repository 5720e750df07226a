//! Breakpoints of all universes, as they are typed.

use multiverse::stops::{At, Breakpoint};
use session::predicate::Predicate;
use session::{Error, ProcessRef, Session};

use crate::words::safe;

/// The words that say more of a breakpoint, each with one word after it.
const MORE: [&str; 4] = ["by", "from", "to", "in"];

/// Reads a breakpoint: `receive by server in handle/2 when N > 3 where {add, _}`.
///
/// # Errors
/// It is none; an expression is not Erlang.
pub(super) fn parse(text: &str, session: &Session) -> Result<Breakpoint, Error> {
    let (rest, pattern) = cut(text, "where");
    let (rest, when) = cut(rest, "when");
    let mut words = rest.split_whitespace();
    let at = match words.next() {
        Some("receive" | "turn") => At::Receive,
        Some("send") => At::Send,
        Some("timeout") => At::Timeout,
        Some("exit") => At::Exit,
        Some("line") => line(words.next(), session)?,
        other => {
            return Err(Error::Usage(format!(
                "`{}` is no place for a breakpoint: expected receive, send, timeout, exit or line FILE:LINE",
                safe(other.unwrap_or_default())
            )));
        }
    };
    let mut breakpoint = Breakpoint::new(at);
    while let Some(word) = words.next() {
        let Some(value) = words.next().filter(|_| MORE.contains(&word)) else {
            return Err(Error::Usage(format!(
                "`{}` is not understood: expected by PROC, from PROC, to PROC, in FUN, when EXPR or where PATTERN",
                safe(word)
            )));
        };
        more(&mut breakpoint, word, value)?;
    }
    if let Some(text) = when {
        breakpoint.when = Some(Predicate::of_program(text, session.program(), session.sources())?);
    }
    if let Some(text) = pattern {
        if !matches!(breakpoint.at, At::Receive | At::Send | At::Exit) {
            return Err(Error::Usage(
                "`where` matches messages, and the reasons of ends: it goes with receive, send and exit".to_owned(),
            ));
        }
        breakpoint.pattern = Some(Predicate::pattern(text, session.program(), session.sources())?);
    }
    Ok(breakpoint)
}

/// The text before a word, and after it.
fn cut<'a>(text: &'a str, word: &str) -> (&'a str, Option<&'a str>) {
    let found = text.split_once(&format!(" {word} "));
    found.map_or((text, None), |(before, after)| (before, Some(after.trim())))
}

fn more(breakpoint: &mut Breakpoint, word: &str, value: &str) -> Result<(), Error> {
    let who = || -> Result<ProcessRef, Error> {
        let who: ProcessRef = value.parse()?;
        match &who {
            ProcessRef::Name { holder, .. } if *holder != 1 => Err(Error::Usage(format!(
                "`{}`: in many universes, the number of a holder of a name says nothing; name the process by its pid",
                safe(value)
            ))),
            _ => Ok(who),
        }
    };
    match (word, &breakpoint.at) {
        ("by", _) => breakpoint.by = Some(who()?),
        ("from", At::Receive) | ("to", At::Send) => breakpoint.peer = Some(who()?),
        // Who receives it, or sends it.
        ("to", At::Receive) | ("from", At::Send) => breakpoint.by = Some(who()?),
        ("in", _) => breakpoint.within = Some(value.to_owned()),
        _ => {
            return Err(Error::Usage(format!(
                "`{word}` is about a message: it goes with receive and send"
            )));
        }
    }
    Ok(())
}

/// `FILE:LINE`.
fn line(text: Option<&str>, session: &Session) -> Result<At, Error> {
    let found = text.and_then(|text| text.rsplit_once(':'));
    let place = found.and_then(|(file, line)| Some((file, line.parse::<u32>().ok().filter(|line| *line > 0)?)));
    let Some((file, line)) = place else {
        return Err(Error::Usage(format!(
            "`{}` is no line: expected FILE:LINE, such as line server.erl:42",
            safe(text.unwrap_or_default())
        )));
    };
    let file = session.sources().find_file(file)?;
    if let Some(lines) = session.code_lines(&file)?
        && !lines.contains(&line)
    {
        let near = |lines: &mut dyn Iterator<Item = u32>| lines.next().map(|line| format!("line {line}"));
        let before = near(&mut lines.range(..line).rev().copied());
        let after = near(&mut lines.range(line..).copied());
        let near: Vec<String> = before.into_iter().chain(after).collect();
        return Err(Error::Usage(format!(
            "there is no code on line {line} of {}; there is on {}",
            safe(&file),
            near.join(" and ")
        )));
    }
    Ok(At::Line { file, line })
}

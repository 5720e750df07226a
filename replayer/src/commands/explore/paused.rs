//! Paused universes as they are shown: what each is about to do, and what tells it from the others.

use std::collections::{BTreeMap, BTreeSet};

use log_format::Pid;
use multiverse::debugger::Paused;
use multiverse::stops::Doing;
use serde::Serialize;
use session::Error;

use crate::commands::Out;
use crate::words::{count, number, safe};

/// The answer to a command that lets universes go on, and to `list`.
#[derive(Serialize)]
pub(super) struct PausedAnswer {
    pub paused: Vec<ShownUniverse>,
    /// Universes that have ended: with this command, and in all.
    pub ended: u64,
    pub ended_in_all: usize,
    pub notes: Vec<String>,
}

/// A paused universe.
#[derive(Serialize)]
pub(super) struct ShownUniverse {
    pub number: usize,
    pub process: String,
    pub function: String,
    pub place: String,
    /// What it is about to do.
    pub about_to: String,
    pub breakpoint: Option<usize>,
    /// The choices that tell it from the others.
    pub differs: Vec<String>,
}

/// For each paused universe: the choices that tell it from the others.
pub(super) fn differences(paused: &[(usize, Paused)]) -> Vec<Vec<String>> {
    let mut told = vec![Vec::new(); paused.len()];
    let ways: Vec<PausedWay<'_>> = paused
        .iter()
        .map(|(_, one)| PausedWay {
            places: one.choices.iter().map(|one| (one.pid, one.number)).collect(),
            chose: one
                .choices
                .iter()
                .map(|one| ((one.pid, one.number), one.what.as_str()))
                .collect(),
        })
        .collect();
    split(&ways, &(0..ways.len()).collect::<Vec<_>>(), &mut told);
    // Those that made the same choices differ in what has happened.
    let same = |one: usize, other: usize| told[one] == told[other] && looks_like(paused, one, other);
    let unclear: Vec<usize> = (0..told.len())
        .filter(|one| (0..told.len()).any(|other| other != *one && same(*one, other)))
        .collect();
    let done: Vec<BTreeMap<Pid, u64>> = paused.iter().map(|(_, one)| one.done()).collect();
    for one in &unclear {
        let differs = |pid: &Pid| unclear.iter().any(|other| done[*other].get(pid) != done[*one].get(pid));
        let all: BTreeSet<Pid> = unclear.iter().flat_map(|one| done[*one].keys().copied()).collect();
        for pid in all.into_iter().filter(differs) {
            let number = done[*one].get(&pid).copied().unwrap_or(0);
            told[*one].push(format!("{} of {pid}", count(number, "action")));
        }
    }
    told
}

/// Are these two at the same place, about to do the same?
fn looks_like(paused: &[(usize, Paused)], one: usize, other: usize) -> bool {
    let (one, other) = (&paused[one].1, &paused[other].1);
    (one.pid, &one.place, &one.doing) == (other.pid, &other.place, &other.doing)
}

/// The choices that led to a paused universe. A place is a process and the number of its event.
struct PausedWay<'a> {
    /// In the order in which they were made.
    places: Vec<(Pid, u32)>,
    chose: BTreeMap<(Pid, u32), &'a str>,
}

/// Tells these paused universes apart: by the first place where they made different choices, and then those that made the same one by the next.
fn split(ways: &[PausedWay<'_>], among: &[usize], told: &mut [Vec<String>]) {
    let Some(first) = among.first().filter(|_| among.len() > 1) else {
        return;
    };
    // A place where all of them have chosen says more than one that some have not come to.
    let mut best: Option<(usize, (Pid, u32))> = None;
    for place in &ways[*first].places {
        let chose: BTreeSet<&str> = among
            .iter()
            .filter_map(|one| ways[*one].chose.get(place).copied())
            .collect();
        let absent = among
            .iter()
            .filter(|one| !ways[**one].chose.contains_key(place))
            .count();
        let differs = chose.len() > 1 || absent > 0;
        if differs && best.is_none_or(|(known, _)| absent < known) {
            best = Some((absent, *place));
        }
    }
    let others = among[1..].iter().flat_map(|one| ways[*one].places.iter());
    let place = match best {
        Some((_, place)) => Some(place),
        None => others.copied().find(|place| !ways[*first].chose.contains_key(place)),
    };
    let Some(place) = place else { return };
    let mut parts: BTreeMap<Option<&str>, Vec<usize>> = BTreeMap::new();
    for one in among {
        parts
            .entry(ways[*one].chose.get(&place).copied())
            .or_default()
            .push(*one);
    }
    for (choice, part) in parts {
        for one in &part {
            told[*one].extend(choice.map(|choice| format!("{} {}", place.0, safe(choice))));
        }
        split(ways, &part, told);
    }
}

/// Limit: paused universes that are listed after a command.
const LISTED: usize = 20;
/// Limit: choices that are shown of one paused universe.
const SHOWN: usize = 4;
/// What a process is about to do, as words.
pub(super) fn about_to(doing: &Doing) -> String {
    match doing {
        Doing::Send { to, message, .. } => match to {
            Some(to) => format!("is about to send {} to {to}", safe(message)),
            None => format!("is about to send {} to nobody", safe(message)),
        },
        Doing::Receive { from, message, .. } => match from {
            Some(from) => format!("is about to receive {} from {from}", safe(message)),
            None => format!("is about to receive {}", safe(message)),
        },
        Doing::Timeout => "is about to time out".to_owned(),
        Doing::Exit { reason } => format!("is about to end: {}", safe(reason)),
        Doing::Line => "is about to evaluate this line".to_owned(),
        Doing::Other(word) => format!("is about to do this: {word}"),
        Doing::Waits => "has come to a receive".to_owned(),
    }
}

pub(super) fn told(answer: &PausedAnswer, out: &mut Out<'_>) -> Result<(), Error> {
    let paused = answer.paused.len() as u64;
    let are = if paused == 1 { "is" } else { "are" };
    let new = match answer.ended {
        0 => String::new(),
        new if new == answer.ended_in_all as u64 => String::new(),
        new => format!(", {} just now", number(new)),
    };
    let ended = match answer.ended_in_all {
        1 => "1 has ended".to_owned(),
        ended => format!("{} have ended", number(ended as u64)),
    };
    let text = format!("{} {are} paused; {ended}{new}", count(paused, "universe"));
    writeln!(out.sink, "{}", out.paint.strong(&text))?;
    for one in answer.paused.iter().take(LISTED) {
        let at = match one.place.as_str() {
            "" => String::new(),
            place => format!("  {place}"),
        };
        writeln!(out.sink, "{:>3}  {} {}{at}", one.number, one.process, one.about_to)?;
        for choice in one.differs.iter().take(SHOWN) {
            writeln!(out.sink, "       after {choice}")?;
        }
        if one.differs.len() > SHOWN {
            let more = count((one.differs.len() - SHOWN) as u64, "more choice");
            writeln!(out.sink, "       and {more} (show {})", one.number)?;
        }
    }
    if answer.paused.len() > LISTED {
        writeln!(out.sink, "  and {} more", number((answer.paused.len() - LISTED) as u64))?;
    }
    for note in &answer.notes {
        writeln!(out.sink, "{note}")?;
    }
    Ok(())
}

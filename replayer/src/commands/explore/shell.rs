//! `replay explore --interactive`: universes stop at breakpoints, and go on one by one or all together.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use log_format::Pid;
use multiverse::debugger::{Debugger, Known, Paused, Point};
use multiverse::stops::{At, Breakpoint, Doing};
use multiverse::{Bounds, Normal, Summary};
use serde::Serialize;

use super::breaks;
use super::groups::{self, Found};
use super::{notes, tell};
use crate::cli::{EXPLORE_COMMANDS, ExploreArgs, Format};
use crate::commands::Out;
use crate::commands::debug;
use crate::commands::lines::{self, Lines};
use crate::exit::Exit;
use crate::interrupt::Interrupt;
use crate::render;
use crate::words::{count, function, number, safe};
use multiverse::summary::Bound;
use session::{Error, Session};

/// Limit: choices that are shown of one paused universe.
const SHOWN: usize = 4;
/// Limit: paused universes that are listed after a command.
const LISTED: usize = 20;

/// Talks with the user.
///
/// # Errors
/// The program cannot be started; of a script, the first command that fails; standard output cannot be written.
pub(super) fn run(
    args: &ExploreArgs,
    session: Session,
    from: Point,
    mut interrupt: Interrupt,
    out: &mut Out<'_>,
) -> Result<Exit, Error> {
    let bounds = Bounds {
        universes: args.universes,
        time: args.time.map(std::time::Duration::from_nanos),
        steps: args.steps,
        delivery: args.delivery,
        stall: args.max_stall.0,
        delays: None,
        preemptions: None,
    };
    let jobs = args
        .jobs
        .unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    if !args.checks.invariants.is_empty() {
        return Err(Error::Usage(
            "--invariant does not go with --interactive: explore without it, and look at the traces that --traces writes".to_owned(),
        ));
    }
    let normal = Normal::of(&session, &args.checks.normal)?;
    let debugger = Debugger::new(&session, bounds, jobs, Arc::clone(&interrupt.flag))?.with_normal(normal.clone());
    let mut shell = Shell {
        args,
        session,
        debugger,
        from,
        normal,
        breakpoints: Vec::new(),
        paused: Vec::new(),
        numbers: 0,
        known: Known::default(),
        found: Found::default(),
        summary: Summary::default(),
        began: Instant::now(),
        has_run: false,
    };
    let mut lines = Lines::open(args.script.as_deref())?;
    while let Some(line) = lines.next("explore", out)? {
        if lines::quits(&line) {
            break;
        }
        let result = shell.command(&line, &mut lines, out);
        lines.done(result, out)?;
        if interrupt.exit().is_some() && interrupt.since().is_some() {
            interrupt.flag.store(false, Ordering::Relaxed);
        }
    }
    Ok(match shell.found.failing {
        0 => Exit::Success,
        _ => Exit::Different,
    })
}

struct Shell<'a> {
    args: &'a ExploreArgs,
    session: Session,
    debugger: Debugger,
    /// Where it all begins.
    from: Point,
    normal: Normal,
    /// The breakpoints, as typed, with their numbers.
    breakpoints: Vec<(usize, String)>,
    paused: Vec<(usize, Paused)>,
    /// The last number of a paused universe.
    numbers: usize,
    /// The universes that have ended.
    known: Known,
    found: Found,
    summary: Summary,
    began: Instant,
    /// Has something come of `run`?
    has_run: bool,
}

/// The answer to a command that lets universes go on, and to `list`.
#[derive(Serialize)]
struct Answer {
    paused: Vec<Shown>,
    /// Universes that have ended: with this command, and in all.
    ended: u64,
    ended_in_all: usize,
    notes: Vec<String>,
}

/// A paused universe.
#[derive(Serialize)]
struct Shown {
    number: usize,
    process: String,
    function: String,
    place: String,
    /// What it is about to do.
    about_to: String,
    breakpoint: Option<usize>,
    /// The choices that tell it from the others.
    differs: Vec<String>,
}

impl Shell<'_> {
    fn command(&mut self, line: &str, lines: &mut Lines, out: &mut Out<'_>) -> Result<(), Error> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let nothing = matches!(
            word,
            "help" | "h" | "run" | "r" | "breaks" | "list" | "l" | "ends" | "e" | "quit" | "q"
        );
        if nothing && !rest.is_empty() {
            return Err(Error::Usage(format!(
                "`{word}` takes no argument, found `{}`",
                safe(rest)
            )));
        }
        match word {
            "help" | "h" => writeln!(out.sink, "{EXPLORE_COMMANDS}")?,
            "break" | "b" => self.add(rest, out)?,
            "breaks" => self.breaks(out)?,
            "delete" => self.delete(rest, out)?,
            "run" | "r" => {
                self.paused.clear();
                self.known.clear();
                self.found = Found::default();
                self.summary = Summary::default();
                self.numbers = 0;
                self.go(vec![(self.from.clone(), Vec::new())], out)?;
            }
            "resume" | "c" => self.resume(rest, out, |_| Ok(Vec::new()))?,
            "step" | "s" => self.resume(rest, out, |one| Ok(vec![Breakpoint::of(one.pid, At::Action)]))?,
            "turn" | "t" => self.resume(rest, out, |one| {
                Ok(vec![
                    Breakpoint::of(one.pid, At::Receive),
                    Breakpoint::of(one.pid, At::Timeout),
                ])
            })?,
            "next" | "n" => self.resume(rest, out, |one| Ok(vec![waits(one, one.pid, None)]))?,
            "over" | "o" => self.resume(rest, out, over)?,
            "list" | "l" => self.list(0, out)?,
            "show" => self.show(rest, out)?,
            "open" => self.open(rest, lines, out)?,
            "ends" | "e" => self.ends(out)?,
            _ => {
                return Err(Error::Usage(format!(
                    "`{}` is not a command: expected one of break, breaks, delete, run, resume, step, turn, next, over, list, show, open, \
                     ends, help, quit",
                    safe(word)
                )));
            }
        }
        Ok(())
    }

    /// `break …`.
    fn add(&mut self, rest: &str, out: &mut Out<'_>) -> Result<(), Error> {
        // It is compiled now, so that an error is told now, and again for each search.
        breaks::parse(rest, &self.session)?;
        let number = self.breakpoints.last().map_or(1, |(number, _)| number + 1);
        self.breakpoints.push((number, rest.to_owned()));
        self.say(out, &format!("breakpoint {number}: {}", safe(rest)))
    }

    fn breaks(&self, out: &mut Out<'_>) -> Result<(), Error> {
        if out.format == Format::Json {
            let all: Vec<Listed<'_>> = self
                .breakpoints
                .iter()
                .map(|(number, text)| Listed {
                    number: *number,
                    breakpoint: text,
                })
                .collect();
            return Ok(render::json::write(out.sink, &all)?);
        }
        if self.breakpoints.is_empty() {
            writeln!(out.sink, "there are no breakpoints; `break receive` sets one")?;
        }
        for (number, text) in &self.breakpoints {
            writeln!(out.sink, "{number:>3}  {}", safe(text))?;
        }
        Ok(())
    }

    fn delete(&mut self, rest: &str, out: &mut Out<'_>) -> Result<(), Error> {
        let before = self.breakpoints.len();
        match rest {
            "all" => self.breakpoints.clear(),
            text => {
                let number = text.parse().unwrap_or(0);
                self.breakpoints.retain(|(one, _)| *one != number);
                if self.breakpoints.len() == before {
                    return Err(Error::Usage(format!(
                        "there is no breakpoint `{}`; `breaks` lists them",
                        safe(text)
                    )));
                }
            }
        }
        let deleted = before - self.breakpoints.len();
        self.say(out, &format!("{} removed", count(deleted as u64, "breakpoint")))
    }

    /// One line, in text only.
    fn say(&self, out: &mut Out<'_>, text: &str) -> Result<(), Error> {
        match out.format {
            Format::Text => writeln!(out.sink, "{text}")?,
            Format::Json => render::json::write(out.sink, &Said { said: text })?,
        }
        Ok(())
    }

    /// The paused universes with these numbers; all, if there are none.
    fn chosen(&self, rest: &str) -> Result<Vec<usize>, Error> {
        let mut all = Vec::new();
        for word in rest.split_whitespace() {
            let number = word.parse().unwrap_or(0);
            if self.paused.iter().all(|(one, _)| *one != number) {
                return Err(Error::Usage(format!(
                    "there is no paused universe `{}`; `list` lists them",
                    safe(word)
                )));
            }
            all.push(number);
        }
        if all.is_empty() {
            all.extend(self.paused.iter().map(|(number, _)| *number));
        }
        if all.is_empty() {
            return Err(Error::Usage("no universe is paused; `run` starts".to_owned()));
        }
        Ok(all)
    }

    /// Lets some go on, each with more breakpoints of its own.
    fn resume(
        &mut self,
        rest: &str,
        out: &mut Out<'_>,
        more: impl Fn(&Paused) -> Result<Vec<Breakpoint>, Error>,
    ) -> Result<(), Error> {
        let chosen = self.chosen(rest)?;
        let mut begin = Vec::new();
        for (number, one) in &self.paused {
            if chosen.contains(number) {
                begin.push((one.beyond(), more(one)?));
            }
        }
        let kept = self.paused.clone();
        self.paused.retain(|(number, _)| !chosen.contains(number));
        let went = self.go(begin, out);
        if went.is_err() {
            self.paused = kept;
        }
        went
    }

    /// Lets universes go on from these points.
    fn go(&mut self, begin: Vec<(Point, Vec<Breakpoint>)>, out: &mut Out<'_>) -> Result<(), Error> {
        let mut ended = 0;
        let mut notes = BTreeSet::new();
        let mut came: Vec<(Paused, Option<usize>)> = Vec::new();
        for (point, more) in begin {
            let mut stops = Vec::new();
            for (_, text) in &self.breakpoints {
                stops.push(breaks::parse(text, &self.session)?);
            }
            stops.extend(more);
            let (known, found) = (&mut self.known, std::sync::Mutex::new(&mut self.found));
            let went = self.debugger.go_on(&point, stops, |name, universe| {
                if !known.insert(name) {
                    return Ok(());
                }
                ended += 1;
                let lock = || Locked(super::locked(&found));
                let trace = || universe.player()?.save(super::now());
                let keep = self.args.traces.is_some();
                groups::note(lock, universe, &self.normal, keep.then_some(&trace))
            })?;
            notes.extend(super::notes(self.args, &went.summary));
            self.summary.gaps.extend(went.summary.gaps);
            self.summary.stalled += went.summary.stalled;
            self.summary.stopped = self.summary.stopped.or(went.summary.stopped);
            for (why, cut) in went.summary.cut {
                *self.summary.cut.entry(why).or_default() += cut;
            }
            for one in went.paused {
                let is_new = self.paused.iter().all(|(_, known)| known.name != one.name)
                    && came.iter().all(|(known, _)| known.name != one.name);
                let number = self.breakpoints.get(one.breakpoint).map(|(number, _)| *number);
                if is_new {
                    came.push((one, number));
                }
            }
        }
        self.has_run = true;
        for (one, _) in came {
            self.numbers += 1;
            self.paused.push((self.numbers, one));
        }
        self.answer(ended, notes.into_iter().collect(), out)
    }

    fn list(&self, ended: u64, out: &mut Out<'_>) -> Result<(), Error> {
        self.answer(ended, Vec::new(), out)
    }

    fn answer(&self, ended: u64, notes: Vec<String>, out: &mut Out<'_>) -> Result<(), Error> {
        let differs = self.differences();
        let shown = self.paused.iter().zip(differs).map(|((number, one), differs)| Shown {
            number: *number,
            process: one.pid.to_string(),
            function: one.function.clone(),
            place: one.place.clone(),
            about_to: about_to(&one.doing),
            breakpoint: self.breakpoints.get(one.breakpoint).map(|(number, _)| *number),
            differs,
        });
        let answer = Answer {
            paused: shown.collect(),
            ended,
            ended_in_all: self.known.len(),
            notes,
        };
        match out.format {
            Format::Json => Ok(render::json::write(out.sink, &answer)?),
            Format::Text => told(&answer, out),
        }
    }

    /// For each paused universe: the choices that tell it from the others.
    fn differences(&self) -> Vec<Vec<String>> {
        let mut told = vec![Vec::new(); self.paused.len()];
        let ways: Vec<Way<'_>> = self
            .paused
            .iter()
            .map(|(_, one)| Way {
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
        let same = |one: usize, other: usize| told[one] == told[other] && self.looks_like(one, other);
        let unclear: Vec<usize> = (0..told.len())
            .filter(|one| (0..told.len()).any(|other| other != *one && same(*one, other)))
            .collect();
        let done: Vec<BTreeMap<Pid, u64>> = self.paused.iter().map(|(_, one)| one.done()).collect();
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
    fn looks_like(&self, one: usize, other: usize) -> bool {
        let (one, other) = (&self.paused[one].1, &self.paused[other].1);
        (one.pid, &one.place, &one.doing) == (other.pid, &other.place, &other.doing)
    }

    fn one(&self, rest: &str, word: &str) -> Result<&Paused, Error> {
        let number: usize = rest.parse().map_err(|_| {
            Error::Usage(format!(
                "`{word}` needs the number of a paused universe: {word} 1; `list` lists them"
            ))
        })?;
        let found = self.paused.iter().find(|(one, _)| *one == number);
        found
            .map(|(_, one)| one)
            .ok_or_else(|| Error::Usage(format!("there is no paused universe `{number}`; `list` lists them")))
    }

    /// `show N`.
    fn show(&self, rest: &str, out: &mut Out<'_>) -> Result<(), Error> {
        let one = self.one(rest, "show")?;
        if out.format == Format::Json {
            let all: Vec<Choice<'_>> = one
                .choices
                .iter()
                .map(|one| Choice {
                    process: one.pid.to_string(),
                    chose: &one.what,
                })
                .collect();
            return Ok(render::json::write(out.sink, &all)?);
        }
        writeln!(
            out.sink,
            "{} {}, {} {}",
            one.pid,
            about_to(&one.doing),
            function(&one.function),
            one.place
        )?;
        for choice in &one.choices {
            writeln!(out.sink, "  {} {}", choice.pid, safe(&choice.what))?;
        }
        Ok(())
    }

    /// `open N`.
    fn open(&self, rest: &str, lines: &mut Lines, out: &mut Out<'_>) -> Result<(), Error> {
        let one = self.one(rest, "open")?;
        let player = self.debugger.player(&one.point)?;
        let mut shell = debug::Shell::new(
            &self.args.program,
            self.session.clone(),
            player,
            one.pid,
            self.args.show,
        );
        let steps = match one.doing {
            Doing::Line => Some(one.steps()),
            _ => None,
        };
        shell.enter(self.args.delivery, steps, out)?;
        shell.talk(lines, out)?;
        self.say(out, "back among the universes")
    }

    /// `ends`.
    fn ends(&self, out: &mut Out<'_>) -> Result<(), Error> {
        if !self.has_run {
            return Err(Error::Usage("nothing has run yet; `run` starts".to_owned()));
        }
        let ended = self.known.len() as u64;
        let mut summary = self.summary.clone();
        summary.universes = ended;
        summary.runs = ended;
        let mut notes = notes(self.args, &summary);
        if !self.paused.is_empty() {
            summary.stopped = Some(Bound::Caller);
            let paused = count(self.paused.len() as u64, "universe");
            notes.insert(
                0,
                format!(
                    "{paused} paused: what comes of {} is not known yet.",
                    match self.paused.len() {
                        1 => "it",
                        _ => "them",
                    }
                ),
            );
        }
        let view = tell::view(
            self.args,
            (&summary, None),
            (self.found.clone().into_groups(), self.found.failing),
            notes,
            (self.began.elapsed(), None),
        )?;
        match out.format {
            Format::Json => render::json::write(out.sink, &view)?,
            Format::Text => {
                let layout = out.layout(self.args.show);
                tell::text(out.sink, &view, &layout)?;
            }
        }
        Ok(())
    }
}

/// The choices that led to a paused universe. A place is a process and the number of its event.
struct Way<'a> {
    /// In the order in which they were made.
    places: Vec<(Pid, u32)>,
    chose: BTreeMap<(Pid, u32), &'a str>,
}

/// Tells these paused universes apart: by the first place where they made different choices, and then those that made the same one by the next.
fn split(ways: &[Way<'_>], among: &[usize], told: &mut [Vec<String>]) {
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

/// What was found, behind a lock.
struct Locked<'a, 'b>(std::sync::MutexGuard<'a, &'b mut Found>);

impl std::ops::Deref for Locked<'_, '_> {
    type Target = Found;
    fn deref(&self) -> &Found {
        &self.0
    }
}

impl std::ops::DerefMut for Locked<'_, '_> {
    fn deref_mut(&mut self) -> &mut Found {
        &mut self.0
    }
}

#[derive(Serialize)]
struct Said<'a> {
    said: &'a str,
}

#[derive(Serialize)]
struct Listed<'a> {
    number: usize,
    breakpoint: &'a str,
}

#[derive(Serialize)]
struct Choice<'a> {
    process: String,
    chose: &'a str,
}

/// Stops where a process has come to its next receive.
fn waits(one: &Paused, pid: Pid, after: Option<log_format::Tag>) -> Breakpoint {
    let since = if pid == one.pid { one.events() } else { 0 };
    Breakpoint::of(pid, At::Waits { since, after })
}

/// Stops where a message was handled: its receiver has come to its next receive, or is about to end.
fn over(one: &Paused) -> Result<Vec<Breakpoint>, Error> {
    let (receiver, tag) = match &one.doing {
        Doing::Send {
            to: Some(to),
            tag: Some(tag),
            ..
        } => (*to, *tag),
        Doing::Receive { tag, .. } => (one.pid, *tag),
        _ => {
            return Err(Error::Usage(format!(
                "`over` is for a message: {} {}; `step` and `turn` go on from there",
                one.pid,
                about_to(&one.doing)
            )));
        }
    };
    Ok(vec![
        waits(one, receiver, Some(tag)),
        Breakpoint::of(receiver, At::Exit),
    ])
}

/// What a process is about to do, as words.
fn about_to(doing: &Doing) -> String {
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

fn told(answer: &Answer, out: &mut Out<'_>) -> Result<(), Error> {
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

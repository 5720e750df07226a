//! `replay explore --interactive`: universes stop at breakpoints, and go on one by one or all together.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use log_format::Pid;
use multiverse::debugger::{Debugger, Paused, ToldUniverses, UniversePoint};
use multiverse::stops::{At, Breakpoint, Doing};
use multiverse::{Normal, SearchBounds, Summary};
use serde::Serialize;

use super::breaks;
use super::groups::{self, GroupedUniverses};
use super::paused::{PausedAnswer, ShownUniverse, about_to, differences, told};
use super::{notes, tell};
use crate::cli::shared::Format;
use crate::commands::Out;
use crate::commands::debug;
use crate::commands::explore::arguments::{EXPLORE_COMMANDS, ExploreArgs, ExploredDelivery};
use crate::commands::lines::{self, SessionLines};
use crate::exit::Exit;
use crate::interrupt::Interrupt;
use crate::render;
use crate::words::{count, function, safe};
use multiverse::summary::Bound;
use session::{Error, Session};

/// Talks with the user.
///
/// # Errors
/// The program cannot be started; of a script, the first command that fails; standard output cannot be written.
pub(super) fn run(
    args: &ExploreArgs,
    session: Session,
    from: UniversePoint,
    mut interrupt: Interrupt,
    out: &mut Out<'_>,
) -> Result<Exit, Error> {
    let bounds = SearchBounds {
        universes: args.universes,
        time: args.time.map(std::time::Duration::from_nanos),
        steps: args.steps,
        delivery: args.delivery.of_session(),
        at_send: args.delivery == ExploredDelivery::AtSend,
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
        known: ToldUniverses::default(),
        found: GroupedUniverses::default(),
        summary: Summary::default(),
        began: Instant::now(),
        has_run: false,
    };
    let mut lines = SessionLines::open(args.script.as_deref(), EXPLORE_COMMANDS)?;
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
    from: UniversePoint,
    normal: Normal,
    /// The breakpoints, as typed, with their numbers.
    breakpoints: Vec<(usize, String)>,
    paused: Vec<(usize, Paused)>,
    /// The last number of a paused universe.
    numbers: usize,
    /// The universes that have ended.
    known: ToldUniverses,
    found: GroupedUniverses,
    summary: Summary,
    began: Instant,
    /// Has something come of `run`?
    has_run: bool,
}

impl Shell<'_> {
    fn command(&mut self, line: &str, lines: &mut SessionLines, out: &mut Out<'_>) -> Result<(), Error> {
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
                self.found = GroupedUniverses::default();
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
            let all: Vec<ListedUniverse<'_>> = self
                .breakpoints
                .iter()
                .map(|(number, text)| ListedUniverse {
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
    fn go(&mut self, begin: Vec<(UniversePoint, Vec<Breakpoint>)>, out: &mut Out<'_>) -> Result<(), Error> {
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
        let differs = differences(&self.paused);
        let shown = self
            .paused
            .iter()
            .zip(differs)
            .map(|((number, one), differs)| ShownUniverse {
                number: *number,
                process: one.pid.to_string(),
                function: one.function.clone(),
                place: one.place.clone(),
                about_to: about_to(&one.doing),
                breakpoint: self.breakpoints.get(one.breakpoint).map(|(number, _)| *number),
                differs,
            });
        let answer = PausedAnswer {
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
            let all: Vec<ShellChoice<'_>> = one
                .choices
                .iter()
                .map(|one| ShellChoice {
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
            function(&one.function, self.session.terms()),
            one.place
        )?;
        for choice in &one.choices {
            writeln!(out.sink, "  {} {}", choice.pid, safe(&choice.what))?;
        }
        Ok(())
    }

    /// `open N`.
    fn open(&self, rest: &str, lines: &mut SessionLines, out: &mut Out<'_>) -> Result<(), Error> {
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
        shell.enter(self.args.delivery.of_session(), steps, out)?;
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

/// What was found, behind a lock.
struct Locked<'a, 'b>(std::sync::MutexGuard<'a, &'b mut GroupedUniverses>);

impl std::ops::Deref for Locked<'_, '_> {
    type Target = GroupedUniverses;
    fn deref(&self) -> &GroupedUniverses {
        &self.0
    }
}

impl std::ops::DerefMut for Locked<'_, '_> {
    fn deref_mut(&mut self) -> &mut GroupedUniverses {
        &mut self.0
    }
}

#[derive(Serialize)]
struct Said<'a> {
    said: &'a str,
}

#[derive(Serialize)]
struct ListedUniverse<'a> {
    number: usize,
    breakpoint: &'a str,
}

#[derive(Serialize)]
struct ShellChoice<'a> {
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

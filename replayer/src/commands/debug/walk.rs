//! The commands of `replay debug` that go on and back to breakpoints, failures and lines.

use debugger::{Failing, Halt, HitRule, Report, Way, Wish};
use session::Error;
use session::player::places::Reach;

use super::{Shell, times};
use crate::commands::Out;
use crate::words::{count, safe};

impl Shell {
    /// `continue`, `reverse-continue`.
    pub(super) fn go_on(&mut self, way: Way, out: &mut Out<'_>) -> Result<(), Error> {
        let report = self.at.run(way)?;
        self.reported(&report, out)
    }

    /// `next [N]`, `finish` and their like, back with [`Way::Back`].
    pub(super) fn lines(&mut self, rest: &str, reach: Reach, way: Way, out: &mut Out<'_>) -> Result<(), Error> {
        let mut report = None;
        for _ in 0..times(rest)? {
            let one = self.at.step(reach, way)?;
            let goes_on = one.halt == Halt::There;
            report = Some(one);
            if !goes_on {
                break;
            }
        }
        match report {
            Some(report) => self.reported(&report, out),
            None => Ok(()),
        }
    }

    /// `failure`: to the line of the program that raised.
    pub(super) fn failure_line(&mut self, out: &mut Out<'_>) -> Result<(), Error> {
        let (report, point) = self.at.go_to_failure()?;
        self.reported(&report, out)?;
        for note in self.at.player.notes(&point)? {
            writeln!(out.sink, "{note}")?;
        }
        Ok(())
    }

    /// What was said on the way, why it stopped, and where.
    fn reported(&mut self, report: &Report, out: &mut Out<'_>) -> Result<(), Error> {
        self.frame = None;
        for said in &report.said {
            writeln!(out.sink, "{said}")?;
        }
        match &report.halt {
            Halt::Breakpoints(ids) => {
                let met = self.at.breakpoints().iter().filter(|one| ids.contains(&one.id));
                for one in met {
                    writeln!(out.sink, "breakpoint {}, {}", one.id, safe(&one.at))?;
                }
            }
            Halt::Failure { reason } => writeln!(out.sink, "{} is about to end: {reason}", self.at.pid)?,
            Halt::End => writeln!(out.sink, "all that was recorded is done")?,
            Halt::Beginning => writeln!(out.sink, "this is the beginning")?,
            Halt::There | Halt::Rests(_) => {}
        }
        let mut moved = report.moved.clone();
        if let Halt::Rests(stopped) = &report.halt {
            moved.stopped = stopped.clone();
        }
        self.told(&moved, out)
    }

    /// `break PLACE [when EXPR] [where PATTERN] [hits N] [say TEXT]`; without a place, the list.
    pub(super) fn breakpoint(&mut self, rest: &str, out: &mut Out<'_>) -> Result<(), Error> {
        if rest.is_empty() {
            return self.breakpoints(out);
        }
        let (rest, log) = cut(rest, "say");
        let (rest, hits) = cut(rest, "hits");
        let (rest, when) = cut(rest, "when");
        let (place, pattern) = cut(rest, "where");
        // The guard of a pattern belongs to it.
        let (place, when) = match (when, place.starts_with("rec:") || pattern.is_some()) {
            (Some(guard), true) => match pattern {
                Some(pattern) => (format!("rec:{pattern} when {guard}"), None),
                None => (format!("{place} when {guard}"), None),
            },
            (when, _) => match pattern {
                Some(pattern) => (format!("rec:{pattern}"), when),
                None => (place.to_owned(), when),
            },
        };
        let wish = Wish {
            when: when.map(str::to_owned),
            hits: hits.map_or(Ok(HitRule::Each), HitRule::parse)?,
            log: log.map(str::to_owned),
            ..Wish::default()
        };
        let one = self.at.add_breakpoint(&place, wish)?;
        writeln!(out.sink, "breakpoint {}, {}", one.id, safe(&one.at))?;
        Ok(())
    }

    /// `breakpoints`: all of them.
    fn breakpoints(&self, out: &mut Out<'_>) -> Result<(), Error> {
        if self.at.breakpoints().is_empty() {
            writeln!(out.sink, "there are no breakpoints; `break server.erl:12` sets one")?;
        }
        for one in self.at.breakpoints() {
            let when = one
                .wish
                .when
                .as_ref()
                .map_or_else(String::new, |when| format!(" when {when}"));
            let off = if one.enabled { "" } else { ", disabled" };
            let text = format!("{:>3}  {}{when}{off}, met {}", one.id, one.at, count(one.hits, "time"));
            writeln!(out.sink, "{}", safe(&text))?;
        }
        Ok(())
    }

    /// `delete N`, `enable N`, `disable N`.
    pub(super) fn change_breakpoint(&mut self, word: &str, rest: &str) -> Result<(), Error> {
        let number = u32::try_from(times(rest)?).unwrap_or(u32::MAX);
        let found = match word {
            "delete" => self.at.remove_breakpoint(number),
            word => self.at.enable_breakpoint(number, word == "enable"),
        };
        match found {
            true => Ok(()),
            false => Err(Error::Usage(format!(
                "there is no breakpoint {number}; `break` lists them"
            ))),
        }
    }

    /// `catch all | none | error | exit | throw …`.
    pub(super) fn catch(&mut self, rest: &str) -> Result<(), Error> {
        let mut failures = Vec::new();
        for word in rest.split_whitespace() {
            match word {
                "all" => failures.extend(Failing::ALL),
                "none" => failures.clear(),
                "error" => failures.push(Failing::Error),
                "exit" => failures.push(Failing::Exit),
                "throw" => failures.push(Failing::Throw),
                word => {
                    return Err(Error::Usage(format!(
                        "`{}` is no failure: expected all, none, error, exit or throw",
                        safe(word)
                    )));
                }
            }
        }
        if rest.is_empty() {
            failures.extend(Failing::ALL);
        }
        self.at.stop_at_failures(failures);
        Ok(())
    }
}

/// The text before a word, and after it.
fn cut<'a>(text: &'a str, word: &str) -> (&'a str, Option<&'a str>) {
    let found = text.split_once(&format!(" {word} "));
    found.map_or((text, None), |(before, after)| (before.trim(), Some(after.trim())))
}

//! The session: where it stands, and how it moves.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::breaks::{self, Breakpoint, CodeLines, Failing, Wish};
use causality::Point;
use log_format::{ActionId, Cut, Pid};
use session::conditions::Conditions;
use session::player::places::Reach;
use session::player::spots::{Spot, SpotPlace, SpotVisit, Spots};
use session::player::tracker::Sought;
use session::predicate::Predicate;
use session::words::safe;
use session::{Arrival, Error, Moved, Player, ProcessRef, ProcessState, Session, Stopped, Target};

/// Which way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    /// Forward in the run.
    Forward,
    /// Back.
    Back,
}

/// Why the session stands where it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Halt {
    /// At these breakpoints.
    Breakpoints(Vec<u32>),
    /// Before an end by a failure.
    Failure {
        /// Its reason, as people are shown it.
        reason: String,
    },
    /// After a step, or where it was asked to go.
    There,
    /// There is nothing more to come: all that was recorded is done.
    End,
    /// There is nothing before.
    Beginning,
    /// The current process can go no further: why.
    Rests(Stopped),
}

/// What an operation did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// Why it stopped.
    pub halt: Halt,
    /// What was done and undone.
    pub moved: Moved,
    /// What breakpoints said that only say something, in order.
    pub said: Vec<String>,
}

impl Report {
    fn there(moved: Moved) -> Self {
        let halt = match &moved.stopped {
            Stopped::Reached => Halt::There,
            Stopped::Beginning => Halt::Beginning,
            other => Halt::Rests(other.clone()),
        };
        Self {
            halt,
            moved,
            said: Vec::new(),
        }
    }
}

/// A session on a trace. See the crate.
#[derive(Clone)]
pub struct Debugger {
    session: Session,
    /// The position. It can also be moved by itself: breakpoints that are passed so are not counted.
    pub player: Player,
    /// The current process.
    pub pid: Pid,
    breakpoints: Vec<Breakpoint>,
    failures: Vec<Failing>,
    last_id: u32,
    lines: CodeLines,
}

impl Debugger {
    /// At the beginning of a trace. `checkpoint_memory`: bytes for checkpoints.
    ///
    /// # Errors
    /// The trace is damaged.
    pub fn new(session: Session, checkpoint_memory: usize) -> Result<Self, Error> {
        let player = Player::new(&session, checkpoint_memory)?;
        let first = session.trace().processes().next().transpose()?;
        let pid = first.map_or(Pid(1), |process| process.pid);
        let mut debugger = Self::at(session, player, pid);
        debugger.player.observe(pid)?;
        Ok(debugger)
    }

    /// Where a player stands. `pid`: the current process.
    #[must_use]
    pub fn at(session: Session, player: Player, pid: Pid) -> Self {
        Self {
            session,
            player,
            pid,
            breakpoints: Vec::new(),
            failures: Vec::new(),
            last_id: 0,
            lines: CodeLines::default(),
        }
    }

    /// The trace and its program.
    #[must_use]
    pub const fn session(&self) -> &Session {
        &self.session
    }

    /// Makes another process the current one.
    ///
    /// # Errors
    /// There is no such process.
    pub fn choose_process(&mut self, who: &ProcessRef) -> Result<Pid, Error> {
        self.pid = self.player.find_process(who)?;
        self.player.observe(self.pid)?;
        Ok(self.pid)
    }

    /// The lines of a file on which there is code; `None`: its module is not there as text.
    ///
    /// # Errors
    /// There is no such file; a module does not compile.
    pub fn code_lines(&mut self, file: &str) -> Result<Option<&BTreeSet<u32>>, Error> {
        let file = self.session.sources().find_file(file)?;
        self.lines.of(&self.session, &file)
    }

    // ---- breakpoints ---------------------------------------------------------------------------------------------

    /// All breakpoints, in the order in which they were set.
    #[must_use]
    pub fn breakpoints(&self) -> &[Breakpoint] {
        &self.breakpoints
    }

    /// Sets a breakpoint where a text says: `server.erl:12`, `server:handle/2`, `rec:{add, _}@server`, `timeout`, `error`, `exit`, `throw`, `signal`.
    ///
    /// # Errors
    /// It is no such place; an expression is not one of the language.
    pub fn add_breakpoint(&mut self, place: &str, mut wish: Wish) -> Result<&Breakpoint, Error> {
        let (kind, at, line) = breaks::place(place, &self.session, &mut self.lines, &mut wish)?;
        let who = match &wish.who {
            Some(who) => Some(self.player.find_process(who)?),
            None => None,
        };
        let (spot, trouble) = breaks::spot(kind, who, &wish, &self.session)?;
        self.last_id += 1;
        let at = match &wish.who {
            Some(who) => format!("{at}@{who}"),
            None => at,
        };
        self.breakpoints.push(Breakpoint {
            id: self.last_id,
            at,
            line,
            wish,
            enabled: true,
            hits: 0,
            spot,
            trouble,
        });
        Ok(&self.breakpoints[self.breakpoints.len() - 1])
    }

    /// Removes a breakpoint. False if there is none of this number.
    pub fn remove_breakpoint(&mut self, id: u32) -> bool {
        let before = self.breakpoints.len();
        self.breakpoints.retain(|one| one.id != id);
        self.breakpoints.len() < before
    }

    /// Turns a breakpoint on or off. False if there is none of this number.
    pub fn enable_breakpoint(&mut self, id: u32, enabled: bool) -> bool {
        let found = self.breakpoints.iter_mut().find(|one| one.id == id);
        found.map(|one| one.enabled = enabled).is_some()
    }

    /// Before which failures of processes the run stops.
    pub fn stop_at_failures(&mut self, failures: Vec<Failing>) {
        self.failures = failures;
    }

    // ---- moving --------------------------------------------------------------------------------------------------

    /// Goes to the next breakpoint or failure, of whichever process; or, if there is none, to the end or the beginning of the run.
    ///
    /// # Errors
    /// The replay diverges; the trace is damaged; a condition cannot be evaluated.
    pub fn run(&mut self, way: Way) -> Result<Report, Error> {
        let active: Vec<usize> = (0..self.breakpoints.len())
            .filter(|i| self.breakpoints[*i].enabled)
            .collect();
        let mut all: Vec<Spot> = active.iter().map(|i| self.breakpoints[*i].spot.clone()).collect();
        if !self.failures.is_empty() {
            all.push(breaks::failing(&self.failures));
        }
        let spots = Spots(all.into());
        let before = self.player.position().cut;
        let mut said = Vec::new();
        loop {
            let visits = match (way, spots.0.is_empty()) {
                (_, true) => Vec::new(),
                (Way::Forward, _) => self.player.next_spots(&spots)?,
                (Way::Back, _) => self.player.last_spots(&spots)?,
            };
            self.trouble()?;
            let Some(first) = visits.first().copied() else {
                let halt = self.run_out(way)?;
                return Ok(Report {
                    halt,
                    moved: self.since(&before),
                    said,
                });
            };
            match way {
                Way::Forward => self.player.go_to_spot(&first)?,
                Way::Back => self.player.go_back_to_spot(&first, self.pid)?,
            };
            self.pid = first.pid;
            let (stops, failed) = self.met(&visits, &active, way, &mut said)?;
            if stops.is_empty() && !failed {
                continue;
            }
            let reason = match first.place {
                SpotPlace::BeforeEnd(number) => self.stand_where_raised(number)?,
                SpotPlace::Step { .. } => String::new(),
            };
            let halt = match stops.is_empty() {
                true => Halt::Failure { reason },
                false => Halt::Breakpoints(stops),
            };
            return Ok(Report {
                halt,
                moved: self.since(&before),
                said,
            });
        }
    }

    /// Counts the breakpoints that are met, and says what they say. Which stop, and is a failure met?
    fn met(
        &mut self,
        visits: &[SpotVisit],
        active: &[usize],
        way: Way,
        said: &mut Vec<String>,
    ) -> Result<(Vec<u32>, bool), Error> {
        let mut stops = Vec::new();
        let mut failed = false;
        for visit in visits {
            let Some(&index) = active.get(visit.spot) else {
                failed = true;
                continue;
            };
            let one = &mut self.breakpoints[index];
            let number = match way {
                Way::Forward => {
                    one.hits += 1;
                    one.hits
                }
                Way::Back => {
                    let number = one.hits.max(1);
                    one.hits = one.hits.saturating_sub(1);
                    number
                }
            };
            if !one.wish.hits.stops(number) {
                continue;
            }
            match one.wish.log.clone() {
                Some(text) => said.push(self.filled_in(&text)),
                None => stops.push(one.id),
            }
        }
        Ok((stops, failed))
    }

    /// A text with the values of the expressions that stand in braces.
    fn filled_in(&self, text: &str) -> String {
        let mut out = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('{') {
            out.push_str(before);
            // An expression can hold braces.
            let mut depth = 1;
            let end = after.char_indices().find_map(|(at, c)| {
                depth += match c {
                    '{' => 1,
                    '}' => -1,
                    _ => 0,
                };
                (depth == 0).then_some(at)
            });
            let Some(end) = end else {
                out.push('{');
                rest = after;
                break;
            };
            match self.evaluate(&after[..end], self.pid, self.own_activation(self.pid)) {
                Ok(value) => out.push_str(&value),
                Err(error) => out.push_str(&format!("<{error}>")),
            }
            rest = &after[end + 1..];
        }
        out.push_str(rest);
        safe(&out)
    }

    /// What went wrong in a condition, once.
    fn trouble(&self) -> Result<(), Error> {
        for one in &self.breakpoints {
            let told = one
                .trouble
                .lock()
                .unwrap_or_else(std::sync::PoisonError::into_inner)
                .take();
            if let Some(text) = told {
                return Err(Error::Usage(format!("the condition of breakpoint {}: {text}", one.id)));
            }
        }
        Ok(())
    }

    /// To the end of the recorded run, or to its beginning.
    fn run_out(&mut self, way: Way) -> Result<Halt, Error> {
        match way {
            Way::Forward => {
                let mut ends = Vec::new();
                for pid in self.player.processes()? {
                    ends.push(ActionId::new(pid, self.player.history().length(pid)?.unwrap_or(0)));
                }
                self.player.forward_to(ends)?;
                Ok(Halt::End)
            }
            Way::Back => {
                self.player.go_to_cut(&Cut::default(), &[])?;
                for one in &mut self.breakpoints {
                    one.hits = 0;
                }
                if let Some(first) = self.player.processes()?.first() {
                    self.pid = *first;
                    self.player.observe(self.pid)?;
                }
                Ok(Halt::Beginning)
            }
        }
    }

    fn since(&self, before: &Cut) -> Moved {
        let now = self.player.position().cut;
        Moved {
            done: session::player::between(before, &now),
            undone: session::player::between(&now, before),
            ..Moved::default()
        }
    }

    /// Goes to another line of the current process, and does or undoes what that needs.
    ///
    /// # Errors
    /// The replay diverges; the trace is damaged.
    pub fn step(&mut self, reach: Reach, way: Way) -> Result<Report, Error> {
        let moved = match way {
            Way::Forward => self.player.next_line(self.pid, reach)?,
            Way::Back => self.player.last_line(self.pid, reach)?,
        };
        Ok(Report::there(moved))
    }

    /// Goes forward to a target, with only its causes.
    ///
    /// # Errors
    /// There is no such target; the replay diverges; the trace is damaged.
    pub fn go_to(&mut self, target: &Target, conditions: &mut Conditions) -> Result<(Report, Arrival), Error> {
        let arrival = self.player.go_to_where(target.clone(), conditions)?;
        self.pid = arrival.pid;
        Ok((Report::there(arrival.moved.clone()), arrival))
    }

    /// The current process goes forward to the next time that it comes to a line; if it does not come there again, back to the last time.
    ///
    /// # Errors
    /// It never comes there; there is no such file; the replay diverges; the trace is damaged.
    pub fn go_to_line(&mut self, file: &str, line: u64) -> Result<Report, Error> {
        let file = self.session.sources().find_file(file)?;
        let line = u32::try_from(line).unwrap_or(u32::MAX);
        let before = self.player.clone();
        let moved = self.player.to_line(self.pid, &file, line, 1, None)?;
        if moved.stopped == Stopped::Reached {
            return Ok(Report::there(moved));
        }
        self.player = before;
        let past = Sought::Line {
            file: Arc::clone(&file),
            line,
        };
        let moved = self.player.back_to_past(self.pid, &past)?;
        if moved.stopped == Stopped::Beginning {
            return Err(Error::NoTarget(format!(
                "{} never comes to line {line} of {}",
                self.pid,
                safe(&file)
            )));
        }
        Ok(Report::there(moved))
    }

    /// Goes back to the beginning of the run.
    ///
    /// # Errors
    /// The trace is damaged.
    pub fn restart(&mut self) -> Result<(), Error> {
        self.run_out(Way::Back)?;
        Ok(())
    }

    /// Goes back to before a target, and undoes only its consequences.
    ///
    /// # Errors
    /// There is no such target, or it has not happened; the replay diverges; the trace is damaged.
    pub fn undo(&mut self, target: &Target) -> Result<Report, Error> {
        let found = self.player.happened(target)?;
        let moved = self.player.undo(&[found.id()])?;
        self.pid = found.pid;
        self.player.observe(self.pid)?;
        Ok(Report::there(moved))
    }

    /// Goes to where the run failed, in the program's own code: to the line that raised, even if a library has caught it there.
    ///
    /// # Errors
    /// The run has no failure; the replay diverges; the trace is damaged.
    pub fn go_to_failure(&mut self) -> Result<(Report, Point), Error> {
        let before = self.player.position().cut;
        let point = self.player.find(Target::Error)?;
        self.pid = point.pid;
        self.player.observe(point.pid)?;
        let number = point.action.0;
        let end = SpotVisit {
            spot: 0,
            pid: point.pid,
            place: SpotPlace::BeforeEnd(number),
        };
        let ends = number > 0 && self.player.history().action(point.pid, number)?.kind.is_end();
        if ends && !point.rests {
            self.player.go_to_spot(&end)?;
            self.stand_where_raised(number)?;
        } else {
            self.player.go_to_where(Target::Error, &mut Conditions::default())?;
            self.stand_where_test_failed(&point)?;
        }
        let moved = self.since(&before);
        Ok((Report::there(moved), point))
    }

    /// The current process stands before its end, its `number`-th action. It goes back to the line of the program that raised, or else to the last
    /// one. Returns the reason.
    fn stand_where_raised(&mut self, number: u64) -> Result<String, Error> {
        let mut beside = self.player.clone();
        beside.observe(self.pid)?;
        beside.pull(self.pid, number)?;
        let end = beside.end_of(self.pid)?;
        let sources = self.session.sources();
        let raised = end
            .as_ref()
            .and_then(|end| end.raised.iter().find(|place| sources.owns(&place.file)));
        let raised = raised.map(|place| (Arc::from(place.file.as_str()), place.line));
        self.player.stand_before_end(self.pid, &raised_at(raised))?;
        Ok(end.map_or_else(String::new, |end| end.reason.clone()))
    }

    /// The same, where a runner of tests has caught it: its note has the stack trace.
    fn stand_where_test_failed(&mut self, point: &Point) -> Result<(), Error> {
        let tests = causality::failed_tests(self.session.trace())?;
        let test = tests
            .iter()
            .find(|test| test.failed().is_some_and(|(noted, ..)| noted == point.id()));
        let Some((_, _, stack)) = test.and_then(causality::Test::failed) else {
            return Ok(());
        };
        // `cart:price_test/0 (cart.erl:18)`
        let places = stack
            .lines()
            .filter_map(|line| session::view::located(line.rsplit_once('(')?.1.trim_end_matches(')')));
        let sources = self.session.sources();
        let own = places.filter_map(|(file, line)| Some((sources.find_file(file).ok()?, line)));
        let raised = own.into_iter().find(|(file, _)| sources.owns(file));
        self.player.back_to_past(self.pid, &raised_at(raised))?;
        Ok(())
    }

    // ---- looking -------------------------------------------------------------------------------------------------

    /// The value of an expression on the variables of an activation, as text.
    ///
    /// # Errors
    /// It is no expression; a variable has no value there; it raises, or would have an effect.
    pub fn evaluate(&self, text: &str, pid: Pid, activation: usize) -> Result<String, Error> {
        let mut expression = Predicate::condition(text, self.session.program(), self.session.sources())?;
        expression.value(&self.scope(pid, activation))
    }

    /// Has the process ended?
    ///
    /// # Errors
    /// There is no such process; the trace is damaged.
    pub fn has_ended(&self, pid: Pid) -> Result<bool, Error> {
        Ok(self.player.process(pid)?.state == ProcessState::Ended)
    }
}

/// The last visit of the line that raised; if that is not known, of any line of the program.
fn raised_at(line: Option<(Arc<str>, u32)>) -> Sought {
    line.map_or(Sought::Depth(usize::MAX), |(file, line)| Sought::Line { file, line })
}

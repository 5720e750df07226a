//! The runs of a hunt, several at once.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use log_format::{RunEnd, Trace};
use system::scheduler::Schedule;

use crate::error::HuntError;
use crate::hunt::HuntArgs;
use crate::hunt::figures::{self, Figures};
use crate::hunt::need::{Gauge, Need};
use crate::hunt::once::{Prey, Ran, RunKind};
use crate::hunt::patience::Patience;
use crate::hunt::plan::{Plan, Took};
use crate::hunt::tell;

/// A schedule to try.
#[derive(Clone, Debug)]
pub struct Lure {
    /// The schedule.
    pub schedule: Schedule,
    /// Are its steps to be those of the first run?
    pub fits: bool,
}

/// A hunt.
pub struct Search {
    /// The program.
    pub prey: Prey,
    /// What was typed.
    pub args: HuntArgs,
    /// How long runs are waited for.
    pub patience: Arc<Patience>,
    /// When the hunt began.
    pub began: Instant,
    /// The first seed.
    pub seed: u64,
    /// At most this many runs.
    pub runs: u64,
    /// Are runs to begin where the first test does?
    pub from_test: bool,
    /// Does the run under the usual schedule count as the first?
    pub usual_first: bool,
    /// When to stop.
    pub deadline: Option<Instant>,
    /// Schedules, in turn.
    pub lures: Vec<Lure>,
    /// It measures what failing runs need.
    pub gauge: Gauge,
    /// A failing run that needs more is put aside.
    pub most: Need,
}

/// A run that failed.
pub struct Found {
    /// Its number, from 1.
    pub number: u64,
    /// When it had ended, since the hunt began.
    pub after: Duration,
    /// Its schedule.
    pub schedule: Schedule,
    /// Its seed.
    pub seed: u64,
    /// What it was.
    pub ran: Ran,
    /// What it needs, if that is known.
    pub need: Option<Need>,
}

/// What a hunt found.
pub struct Hunted {
    /// All runs together.
    pub figures: Figures,
    /// How long they took.
    pub time: Duration,
    /// The first failed run of each sort, and how many there were.
    pub found: Vec<(Found, u64)>,
    /// The failing run that needs least, of those that need too much.
    pub aside: Option<Found>,
    /// How many there were.
    pub put_aside: u64,
    /// The first limit that was reached.
    pub limit: Option<String>,
    /// How many runs continued a copy from where the test begins.
    pub copies: u64,
    /// In how many runs other processes went on up to a limit, after the entry had ended.
    pub lives_on: u64,
    /// Steps of the scheduler of the runs that were needed.
    pub steps: u64,
    /// Was it ended by a signal?
    pub interrupted: bool,
    /// Why its runs say nothing.
    pub refused: Option<Refused>,
}

/// Why runs say nothing, whether they fail or not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refused {
    /// A module that the program calls does not compile: the diagnostics.
    DoesNotCompile(String),
    /// No test has run. The names of those that were left out.
    NoTests(Vec<String>),
}

/// What the threads share.
#[derive(Default)]
struct Board {
    figures: Figures,
    found: BTreeMap<String, (Found, u64)>,
    aside: Option<Found>,
    put_aside: u64,
    limit: Option<String>,
    copies: u64,
    lives_on: u64,
    /// Steps of each run.
    steps: Vec<(u64, u64)>,
    /// The sorts of failures that came from the start of a run, too.
    confirmed: BTreeSet<String>,
    error: Option<HuntError>,
    refused: Option<Refused>,
    /// The first run came to its end and ran no test: the names of those that were left out.
    left_out: Option<Vec<String>>,
    told: Duration,
    told_of_exit: bool,
}

impl Board {
    /// A failure: of each sort, the first is kept.
    fn add(&mut self, sort: String, found: Found) {
        match self.found.get_mut(&sort) {
            None => {
                self.found.insert(sort, (found, 1));
            }
            Some((first, n)) => {
                *n += 1;
                if found.number < first.number {
                    *first = found;
                }
            }
        }
    }

    /// A failing run that needs too much: the one that needs least is kept.
    fn put_aside(&mut self, found: Found) {
        self.put_aside += 1;
        let needs = |found: &Found| (found.need, found.number);
        if self.aside.as_ref().is_none_or(|known| needs(&found) < needs(known)) {
            self.aside = Some(found);
        }
    }
}

/// How often a hunt that has not found anything says so.
const PROGRESS: Duration = Duration::from_secs(10);
/// When it says that runs go on after their entry, if it has not ended before.
const SOON: Duration = Duration::from_secs(3);

impl Search {
    /// Hunts.
    ///
    /// # Errors
    /// A trace cannot be made: our own fault.
    pub fn run(self: &Arc<Self>) -> Result<Hunted, HuntError> {
        let shared: Arc<Mutex<Board>> = Arc::default();
        let (search, board) = (Arc::clone(self), Arc::clone(&shared));
        let until = || self.until(!lock(&shared).found.is_empty());
        if let Some(result) = self.patience.work(until, move || search.all(&board))? {
            result?;
            // What follows, making failures simpler, has its own time. (But runs that were left alone shall not go on.)
            self.prey.stop.store(false, Ordering::Relaxed);
        }
        let board = std::mem::take(&mut *lock(&shared));
        if let Some(error) = board.error {
            return Err(error);
        }
        let mut found: Vec<(Found, u64)> = board.found.into_values().collect();
        found.sort_by_key(|(found, _)| found.number);
        let mut last = u64::MAX;
        if !self.args.keep_going {
            // Of runs at the same time, the first one: so the result does not depend on the number of jobs.
            found.truncate(1);
            last = found.first().map_or(last, |(found, _)| found.number);
        }
        let needed = board.steps.iter().filter(|(number, _)| *number <= last);
        Ok(Hunted {
            figures: board.figures,
            time: self.began.elapsed(),
            found,
            aside: board.aside,
            put_aside: board.put_aside,
            limit: board.limit,
            copies: board.copies,
            lives_on: board.lives_on,
            steps: needed.map(|(_, steps)| steps).sum(),
            interrupted: self.patience.is_interrupted(),
            refused: board.refused,
        })
    }

    /// When the search has to stop. With --keep-going, a quarter of the time is left for making failures simpler.
    fn until(&self, has_found: bool) -> Option<Instant> {
        let time = Duration::from_nanos(self.args.time?);
        let for_search = if has_found && self.args.keep_going {
            time * 3 / 4
        } else {
            time
        };
        Some(self.began + for_search)
    }

    /// Is the time up?
    pub fn is_late(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// All runs. If one that continued a copy went another way than from the start, they are made anew, each from its start.
    fn all(&self, board: &Mutex<Board>) -> Result<(), HuntError> {
        self.each(board)?;
        if self.prey.has_given_up() && lock(board).error.is_none() && !self.patience.is_interrupted() {
            *lock(board) = Board::default();
            if !self.args.quiet {
                tell::gives_up_copies();
            }
            self.each(board)?;
        }
        Ok(())
    }

    fn each(&self, board: &Mutex<Board>) -> Result<(), HuntError> {
        let had_given_up = self.prey.has_given_up();
        // It compiles what the program needs, and says how long a run is.
        let first = self.one(0, Plan::default(), board)?;
        let is_refused = self.is_refused(board);
        if is_refused {
            return Ok(());
        }
        let plan = Plan::after(first, self.prey.has_beginning());
        let next = AtomicU64::new(1);
        // Runs from this one on are not needed.
        let end = AtomicU64::new(self.runs.saturating_add(1 - self.counted(0)));
        if !self.args.keep_going && !lock(board).found.is_empty() {
            end.store(0, Ordering::Relaxed);
        }
        let work = |goes_on: &dyn Fn() -> bool| {
            while goes_on() {
                let number = next.fetch_add(1, Ordering::Relaxed);
                // A short run ends before it notices that it is to stop.
                let stops = self.prey.stop.load(Ordering::Relaxed)
                    || self.patience.is_interrupted()
                    || self.prey.has_given_up() != had_given_up;
                if number >= end.load(Ordering::Relaxed) || stops {
                    return;
                }
                if let Err(error) = self.one(number, plan, board) {
                    lock(board).error.get_or_insert(error);
                    return;
                }
                if !self.args.keep_going
                    && lock(board)
                        .found
                        .values()
                        .any(|(found, _)| found.number <= self.counted(number))
                {
                    end.fetch_min(number, Ordering::Relaxed);
                }
            }
        };
        let jobs = self
            .args
            .jobs
            .unwrap_or_else(|| std::thread::available_parallelism().map_or(1, |n| n.get() as u64));
        // Files are those of the machine: two runs that change them would meet there.
        let is_apart = || !self.prey.has_written();
        if jobs > 1 && !is_apart() && !self.args.quiet {
            tell::one_after_the_other();
        }
        let (work, is_apart) = (&work, &is_apart);
        std::thread::scope(|scope| {
            for _ in 1..jobs {
                scope.spawn(move || work(is_apart));
            }
            work(&|| true);
        });
        Ok(())
    }

    /// Says the first run that nothing can be said?
    fn is_refused(&self, board: &Mutex<Board>) -> bool {
        let mut board = lock(board);
        if self.prey.runs_tests
            && !self.patience.is_interrupted()
            && !self.prey.stop.load(Ordering::Relaxed)
            && let Some(names) = board.left_out.take()
        {
            board.refused.get_or_insert(Refused::NoTests(names));
        }
        board.refused.is_some()
    }

    /// The number of a run for people, from 1; 0 for one that does not count.
    const fn counted(&self, number: u64) -> u64 {
        number + self.usual_first as u64
    }

    /// The schedule of a run, and its seed.
    fn schedule(&self, number: u64, plan: Plan) -> (Schedule, u64) {
        let own = self.seed.wrapping_add(number);
        let Some(turn) = number.checked_sub(1) else {
            return match self.from_test && !self.prey.has_given_up() {
                true => (Schedule::usual().since_test(own), own),
                false => (Schedule::usual(), own),
            };
        };
        let (turn, is_whole) = plan.turn(turn);
        let lure = &self.lures[(turn % self.lures.len() as u64) as usize];
        let schedule = lure.schedule.clone();
        let schedule = match lure.fits {
            true => schedule.within(plan.steps(is_whole)),
            false => schedule,
        };
        // What comes before the test is that of the first run, with its seed.
        match !is_whole && schedule.at_test().is_none() {
            true => (schedule.since_test(own), self.seed),
            false => (schedule, own),
        }
    }

    /// One run; returns what it took.
    fn one(&self, number: u64, plan: Plan, board: &Mutex<Board>) -> Result<Option<Took>, HuntError> {
        let (schedule, seed) = self.schedule(number, plan);
        let ran = self
            .prey
            .run(&schedule, seed, tell::command(&self.args, &schedule, seed))?;
        if let Some(text) = self.prey.broken() {
            lock(board).refused.get_or_insert(Refused::DoesNotCompile(text));
            self.prey.stop.store(true, Ordering::Relaxed);
            return Ok(None);
        }
        if ran.stopped {
            return Ok(None);
        }
        if number == 0 && !ran.told.has_any() {
            let ran_nothing = match &ran.verdict.run {
                RunEnd::Returned(_) => true,
                RunEnd::Crashed { reason, .. } => reason.starts_with("{no_tests,") || reason.starts_with("{{no_tests,"),
                // `mix test` halts when it has no tests.
                RunEnd::Halted(_) => self.prey.is_of_mix,
                _ => false,
            };
            lock(board).left_out = ran_nothing.then(|| ran.told.clone().others().0);
        }
        let steps = ran.made.as_ref().map(|made| made.steps);
        let took = Some(Took { steps, work: ran.work });
        if self.counted(number) == 0 {
            return Ok(took);
        }
        let trace = Trace::from_bytes(ran.trace.clone())?;
        let log = figures::digest(&trace)?;
        let need = ran.failure.as_ref().and_then(|_| self.gauge.need(&ran));
        // What is not known is no reason to keep a failure back.
        let counts = need.is_none_or(|need| need.is_within(self.most));
        if counts && !self.is_confirmed(&ran, &schedule, seed, board)? {
            self.prey.give_up_copies();
            return Ok(None);
        }
        let mut board = lock(board);
        board.steps.push((self.counted(number), steps.unwrap_or(0)));
        board.lives_on += u64::from(ran.lives_on);
        board.copies += u64::from(ran.is_copy);
        let limit = match &ran.verdict.run {
            RunEnd::Limit(limit) => Some(limit.clone()),
            _ => None,
        };
        board.figures.add(log, ran.failure.is_some() && counts, limit.is_some());
        if board.limit.is_none() {
            board.limit = limit;
        }
        let after = self.began.elapsed();
        if let Some(failure) = &ran.failure {
            let sort = failure.sort.clone();
            let found = Found {
                number: self.counted(number),
                after,
                schedule,
                seed,
                ran,
                need,
            };
            if counts {
                board.add(sort, found);
            } else {
                board.put_aside(found);
            }
        }
        if !self.args.quiet && after > board.told + PROGRESS {
            board.told = after;
            tell::progress(&board.figures, after);
        }
        if !self.args.quiet && board.lives_on > 0 && after > SOON && !board.told_of_exit {
            board.told_of_exit = true;
            tell::lives_on(board.lives_on);
        }
        Ok(took)
    }
}

impl Search {
    /// Does a run that continued a copy fail in this way from its start, too? Otherwise it failed on what an earlier run had left outside: in a file, for
    /// example. The first run of each sort of failure is looked at.
    fn is_confirmed(&self, ran: &Ran, schedule: &Schedule, seed: u64, board: &Mutex<Board>) -> Result<bool, HuntError> {
        let Some(failure) = ran.failure.as_ref().filter(|_| ran.is_copy) else {
            return Ok(true);
        };
        if lock(board).confirmed.contains(&failure.sort) {
            return Ok(true);
        }
        let command = tell::command(&self.args, schedule, seed);
        let again = self
            .prey
            .run_within(self.prey.limits.steps, schedule, seed, command, RunKind::AFRESH)?;
        let is_same = again.failure.is_some_and(|again| again.sort == failure.sort);
        // One that was told to stop says nothing.
        if is_same {
            lock(board).confirmed.insert(failure.sort.clone());
        }
        Ok(is_same || again.stopped)
    }
}

fn lock(board: &Mutex<Board>) -> MutexGuard<'_, Board> {
    board.lock().unwrap_or_else(PoisonError::into_inner)
}

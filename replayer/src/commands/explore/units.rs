//! `replay explore` in parts: units of work in files, shares of the whole, and one answer for all results.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use multiverse::units::{SearchIdentity, Units, Work};
use multiverse::{Explorer, Normal, SearchBounds, Summary};
use session::{Error, Session};

use super::folder::{self, Folders, KnownParts};
use super::groups::{self, GroupedUniverses};
use super::{STACK, SearchProgress, TICK, locked, now};
use crate::commands::explore::arguments::{ExploreArgs, ExploredDelivery, UnitArgs};
use crate::interrupt::Interrupt;
use crate::words::{count, number, path_argument};

/// In a share, and with --resume: what was found is written so often.
const SLICE: Duration = Duration::from_secs(30);

/// What was found in parts.
pub(super) struct UnitsAnswer {
    pub summary: Summary,
    pub found: GroupedUniverses,
    pub seconds: f64,
    /// What is to be said besides.
    pub notes: Vec<String>,
    /// The files of units that are left.
    pub left: Vec<String>,
}

impl UnitArgs {
    /// Is the search made in parts?
    pub fn is_used(&self) -> bool {
        self.out.is_some() || self.resume.is_some() || !self.merge.is_empty()
    }

    /// The folders of results; new ones are written into the first one.
    fn folders(&self) -> Vec<PathBuf> {
        let own = self.out.iter().chain(&self.resume);
        own.chain(&self.merge).cloned().collect()
    }
}

/// Explores a part, or as much as is wanted of what is left; or only gathers what was found.
///
/// # Errors
/// A file cannot be read or written, or is of another search; the program cannot be explored in units.
pub(super) fn run(
    args: &ExploreArgs,
    session: &Session,
    began: Instant,
    interrupt: &mut Interrupt,
) -> Result<UnitsAnswer, Error> {
    let bounds = SearchBounds {
        universes: None,
        time: None,
        steps: args.steps,
        delivery: args.delivery.of_session(),
        at_send: args.delivery == ExploredDelivery::AtSend,
        stall: args.max_stall.0,
        delays: None,
        preemptions: None,
    };
    let search = SearchIdentity::of(session, &args.program, bounds)?;
    let folders = args.units.folders();
    if let Some(out) = folders.first().filter(|_| args.units.merge.is_empty()) {
        std::fs::create_dir_all(out).map_err(|error| Error::Output {
            path: out.clone(),
            error: error.to_string(),
        })?;
    }
    let folders = Folders::read(search.clone(), &folders)?;
    let mut worker = Worker {
        args,
        session,
        bounds,
        search,
        folders,
        began,
        found: 0,
        interrupt,
    };
    let mut notes = Vec::new();
    let known = match &args.units {
        UnitArgs { shard: Some(share), .. } => {
            let name = folder::share_name(*share);
            if !worker.folders.has(&name) {
                worker.part(&name, Work::Share(*share), None)?;
            }
            worker.rest(&[name])?
        }
        UnitArgs { out: Some(_), unit, .. } => worker.one(unit.as_deref(), &mut notes)?,
        UnitArgs { resume: Some(_), .. } => {
            let (roots, _) = worker.folders.roots()?;
            worker.rest(&roots)?
        }
        _ => {
            let (roots, missing) = worker.folders.roots()?;
            if !roots.iter().any(|root| worker.folders.has(root)) {
                return Err(Error::Usage(
                    "there is no result of the start of the program: expected whole.result.json, or share-I-of-N.result.json"
                        .to_owned(),
                ));
            }
            let known = worker.folders.known(&roots);
            if missing > 0 {
                notes.push(format!("{MORE}: {} no result here.", have(missing, "share")));
            }
            let unused = worker.folders.unused(&known);
            if unused > 0 {
                notes.push(format!(
                    "{} not used: no other result here has left these units.",
                    match unused {
                        1 => "1 result was".to_owned(),
                        _ => format!("{} results were", number(unused)),
                    }
                ));
            }
            known
        }
    };
    if args.units.unit.is_some() || args.units.shard.is_some_and(|share| share.of > 1) {
        notes.push(PART.to_owned());
    }
    let is_short = notes.iter().any(|note| note == PART || note.starts_with(MORE));
    let left = known.open.iter().filter(|(name, _)| name != folder::WHOLE);
    let left: Result<Vec<String>, Error> = left
        .map(|(name, _)| Ok(path_argument(&worker.folders.unit(name)?)))
        .collect();
    let left = left?;
    let (mut summary, mut found, seconds) = worker.folders.merged(&known)?;
    if is_short && summary.stopped.is_none() {
        summary.stopped = Some(multiverse::summary::Bound::Units);
    }
    let keep = args.traces.is_some() || args.view.view.is_some();
    found.follow(|way| match keep {
        true => multiverse::follow(session, bounds, way)?.save(now()).map(Some),
        false => Ok(None),
    })?;
    Ok(UnitsAnswer {
        summary,
        found,
        seconds,
        notes,
        left,
    })
}

/// How a note begins that says why there can be more.
const MORE: &str = "There can be more";
const PART: &str = "This is a part of the search. --merge gives the answer for all parts.";

fn have(n: u64, what: &str) -> String {
    format!("{} {}", count(n, what), if n == 1 { "has" } else { "have" })
}

/// One who explores parts.
struct Worker<'a> {
    args: &'a ExploreArgs,
    session: &'a Session,
    bounds: SearchBounds,
    search: SearchIdentity,
    folders: Folders,
    began: Instant,
    /// Universes that it has found.
    found: u64,
    interrupt: &'a mut Interrupt,
}

impl Worker<'_> {
    /// The time that is left.
    fn time(&self) -> Option<Duration> {
        let all = self.args.time.map(Duration::from_nanos);
        all.map(|all| all.saturating_sub(self.began.elapsed()))
    }

    /// The universes that are left to find.
    fn budget(&self) -> Option<u64> {
        self.args.units.budget.map(|all| all.saturating_sub(self.found))
    }

    fn is_over(&self) -> bool {
        self.interrupt.flag.load(Ordering::Relaxed)
            || self.time().is_some_and(|time| time.is_zero())
            || self.budget() == Some(0)
    }

    /// One part, once.
    fn one(&mut self, unit: Option<&Path>, notes: &mut Vec<String>) -> Result<KnownParts, Error> {
        let (name, work) = match unit {
            None => (folder::WHOLE.to_owned(), None),
            Some(path) => {
                let (name, units) = folder::read_units(path, &self.search)?;
                (name, Some((units, path)))
            }
        };
        match self.folders.has(&name) {
            true => notes.push("This part was explored before: its result is in the folder.".to_owned()),
            false => {
                let work = work.map_or(Work::Whole, |(units, path)| Work::Units(units, path));
                self.part(&name, work, self.time())?;
            }
        }
        Ok(self.folders.only(&name))
    }

    /// All that is left of these parts, as far as the bounds allow.
    fn rest(&mut self, roots: &[String]) -> Result<KnownParts, Error> {
        loop {
            let known = self.folders.known(roots);
            let Some((name, _)) = known.open.last().filter(|_| !self.is_over()) else {
                return Ok(known);
            };
            let time = self.time().map_or(SLICE, |time| time.min(SLICE));
            match name == folder::WHOLE {
                true => self.part(name, Work::Whole, Some(time))?,
                false => {
                    let path = self.folders.unit(name)?;
                    let (_, units) = folder::read_units(&path, &self.search)?;
                    self.part(name, Work::Units(units, &path), Some(time))?;
                }
            }
        }
    }

    /// Explores a part, and writes what comes of it.
    fn part(&mut self, name: &str, work: Work<'_>, time: Option<Duration>) -> Result<(), Error> {
        let began = Instant::now();
        let bounds = SearchBounds { time, ..self.bounds };
        let jobs = self
            .args
            .jobs
            .unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
        let pieces = if self.args.units.resume.is_some() || self.args.units.shard.is_some() {
            1
        } else {
            self.args.units.split
        };
        let explorer = Explorer::new(self.session, bounds, Arc::clone(&self.interrupt.flag))?;
        let so_far = explorer.so_far();
        let found: Mutex<GroupedUniverses> = Mutex::default();
        let (budget, enough, number) = (self.budget(), AtomicBool::new(false), AtomicU64::new(0));
        let tell = |universe: &multiverse::Universe<'_>| {
            let count = number.fetch_add(1, Ordering::Relaxed) + 1;
            if budget.is_some_and(|budget| count >= budget) {
                enough.store(true, Ordering::Relaxed);
            }
            let way = || {
                universe
                    .way()
                    .ok_or_else(|| Error::Bug("a universe without a way".to_owned()))
            };
            groups::note(|| locked(&found), universe, &Normal::default(), Some(&way))
        };
        let (done, comes) = channel();
        let interrupt = &mut *self.interrupt;
        let ran = std::thread::scope(|scope| {
            let thread = std::thread::Builder::new().name("explore".to_owned()).stack_size(STACK);
            let work = || {
                let ran = explorer.run_units(work, (jobs, pieces), &enough, tell);
                // Somebody listens until it is over.
                let _late = done.send(ran);
            };
            thread
                .spawn_scoped(scope, work)
                .map_err(|error| Error::Bug(format!("no thread for the search: {error}")))?;
            let mut progress = SearchProgress::default();
            loop {
                match comes.recv_timeout(TICK) {
                    Ok(ran) => return ran,
                    Err(RecvTimeoutError::Disconnected) => return Err(Error::Bug("the search has crashed".to_owned())),
                    Err(RecvTimeoutError::Timeout) => {}
                }
                // The second signal aborts.
                interrupt.since();
                progress.show(|| super::progress(&locked(&so_far), locked(&found).failing));
            }
        })?;
        let left = ran.left(&self.search);
        let count = |file: &[u8]| Units::read(file, &self.search).map_or(0, |units| units.count());
        self.found = self.found.saturating_add(ran.summary.universes);
        let found = std::mem::take(&mut *locked(&found));
        self.folders
            .add(name, (ran.summary, began.elapsed().as_secs_f64()), found, &left, &count)
    }
}

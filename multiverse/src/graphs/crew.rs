//! Several who search at once. Each goes its own way, and gives some of its work to those who have none.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use log_format::wire::Writer;
use session::{Error, Session};
use system::hash::mix;

use super::branch::ProcessIndexes;
use super::state::State;
use super::visit::{FoundUniverse, Graphs, ReadUnits, Unit, Units};
use crate::debugger::UniversePoint;
use crate::stops::Stops;
use crate::summary::{Gap, SearchBounds};

/// What a search has found out besides the universes.
#[derive(Default)]
pub(crate) struct SearchFindings {
    /// Branches that were not gone.
    pub open: u64,
    /// How often something was left out because it needs a longer stall.
    pub stalled: u64,
    /// What was not explored, with the first place.
    pub gaps: BTreeMap<Gap, String>,
    /// How many ways were left out because they take another way than the first one too often.
    pub bounded: u64,
    /// How many runs halted while processes had made all their steps.
    pub spent: u64,
    /// Something was met that is not explored in this way.
    pub beyond: bool,
    /// Where, if that is known.
    pub beyond_at: Option<String>,
    /// The branches that were not gone.
    pub(super) left: Vec<Unit>,
}

/// Where a search begins, how far it goes, and where universes stop.
#[derive(Clone)]
pub(crate) struct Begin {
    pub bounds: SearchBounds,
    pub point: Arc<UniversePoint>,
    pub stops: Option<Arc<Stops>>,
    /// Is it asked for the steps of universes?
    pub tells: bool,
}

impl Begin {
    /// At the start of the program.
    pub fn at_start(bounds: SearchBounds) -> Self {
        Self {
            bounds,
            point: Arc::default(),
            stops: None,
            tells: false,
        }
    }
}

/// Does who searches go on after a universe was found?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum GoesOn {
    On,
    /// No more is wanted.
    Last,
    /// No more was wanted, and this one was not told.
    Not,
}

/// The others, as one who searches sees them.
pub(super) trait Crew {
    /// Is the search to stop?
    fn is_over(&self) -> bool;
    /// Ends the search.
    fn stop(&self);
    /// Tells a universe, found by one who has so many open branches.
    ///
    /// # Errors
    /// Whatever who hears of it returns.
    fn found(&self, one: &FoundUniverse<'_>, open: usize) -> Result<GoesOn, Error>;
    /// Has somebody nothing to do?
    fn is_one_idle(&self) -> bool;
    /// Gives work to those who have none.
    fn give(&self, units: Vec<Unit>);
    /// Waits for work. `None`: there is none any more.
    fn take(&self) -> Option<Unit>;
}

/// What the searchers share.
struct CrewShared<'a, F> {
    work: Mutex<CrewWork>,
    comes: Condvar,
    /// How many have nothing to do.
    idle: AtomicUsize,
    /// The search is to stop.
    stop: AtomicBool,
    /// Every universe that is found is told, even if the search is to stop.
    hears_all: bool,
    late: &'a (dyn Fn() -> bool + Sync),
    found: Mutex<F>,
}

/// The newest code and names. Every state has these, or had them when they were fewer.
#[derive(Clone)]
pub(super) struct Code(Arc<Mutex<State>>);

impl Code {
    pub fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct CrewWork {
    units: Vec<Unit>,
    /// How many search, or wait for work.
    searchers: usize,
    waiting: usize,
}

/// Visits all universes. `tells`: with what is said of their actions. `found` is called with each, and with the number of open branches; it returns false if no more is wanted. `late`: is the
/// search to stop?
///
/// # Errors
/// The program cannot be started; whatever `found` returns.
pub(crate) fn search<F>(
    session: &Session,
    begin: &Begin,
    found: F,
    late: &(dyn Fn() -> bool + Sync),
) -> Result<SearchFindings, Error>
where
    F: FnMut(&FoundUniverse<'_>, usize) -> Result<bool, Error>,
{
    let mut searchers = begun(session, begin)?.searchers(1)?;
    let shared = CrewShared::new(vec![Unit::default()], 1, found, late);
    let mut told = SearchFindings::default();
    if let Some(alone) = searchers.pop() {
        told.add(shared.ends(alone))?;
    }
    Ok(told)
}

/// Goes so many times down the tree at random. `each` is called after every walk.
///
/// # Errors
/// As [`search`].
pub(crate) fn sample<F>(
    session: &Session,
    begin: &Begin,
    walks: u64,
    found: F,
    mut each: impl FnMut(),
    late: &(dyn Fn() -> bool + Sync),
) -> Result<SearchFindings, Error>
where
    F: FnMut(&FoundUniverse<'_>, usize) -> Result<bool, Error>,
{
    let mut searchers = begun(session, begin)?.searchers(1)?;
    let shared = CrewShared::new(Vec::new(), 1, found, late);
    let mut told = SearchFindings::default();
    if let Some(mut one) = searchers.pop() {
        for _ in 0..walks {
            one.sample(&shared)?;
            if shared.is_over() || one.is_beyond() {
                break;
            }
            each();
        }
        told.add(one.tells())?;
    }
    Ok(told)
}

/// As [`search`], with so many threads.
pub(crate) fn search_together<F>(
    session: &Session,
    begin: &Begin,
    jobs: usize,
    found: F,
    late: &(dyn Fn() -> bool + Sync),
) -> Result<SearchFindings, Error>
where
    F: FnMut(&FoundUniverse<'_>, usize) -> Result<bool, Error> + Send,
{
    let searchers = begun(session, begin)?.searchers(jobs)?;
    let shared = CrewShared::new(vec![Unit::default()], searchers.len(), found, late);
    together(shared, searchers)
}

/// As [`search_together`], from these units on; `None`: from the start of the program. Every universe that is found is told. Returns what is left as
/// so many pieces at most.
///
/// # Errors
/// As [`search`]; a unit does not fit the program.
pub(crate) fn search_units<F>(
    session: &Session,
    (bounds, jobs, pieces): (SearchBounds, usize, usize),
    from: Option<(ReadUnits, &Path)>,
    found: F,
    late: &(dyn Fn() -> bool + Sync),
) -> Result<(SearchFindings, Vec<Writer>), Error>
where
    F: FnMut(&FoundUniverse<'_>, usize) -> Result<bool, Error> + Send,
{
    let begin = Begin::at_start(bounds);
    let mut beginning = begun(session, &begin)?;
    let units = match from {
        Some((written, path)) => written.into_units(&mut beginning.root, path),
        None => vec![Unit::default()],
    };
    let (searchers, code) = beginning.searchers_with_code(jobs)?;
    let mut shared = CrewShared::new(units, searchers.len(), found, late);
    shared.hears_all = true;
    let mut told = together(shared, searchers)?;
    let left = std::mem::take(&mut told.left);
    let pieces = written(&left, pieces, code.lock().system.texts());
    Ok((told, pieces))
}

/// The first universes of a search, and then the units of one share of so many. `found` is called with the universes of the share; of what was found
/// out besides, the first share tells how much was left out.
///
/// # Errors
/// As [`search`].
pub(crate) fn share_of<F>(
    session: &Session,
    bounds: SearchBounds,
    share: Share,
    mut found: F,
    late: &(dyn Fn() -> bool + Sync),
) -> Result<(SearchFindings, Vec<Writer>), Error>
where
    F: FnMut(&FoundUniverse<'_>, usize) -> Result<bool, Error>,
{
    let (mut searchers, code) = begun(session, &Begin::at_start(bounds))?.searchers_with_code(1)?;
    let mut number = 0_u64;
    let own = |one: &FoundUniverse<'_>, open: usize| {
        let is_own = share.has(number);
        number += 1;
        if is_own { found(one, open) } else { Ok(true) }
    };
    let shared = CrewShared::new(Vec::new(), 1, own, late);
    let mut told = SearchFindings::default();
    if let Some(alone) = searchers.first_mut() {
        told.add(alone.expand(&shared, UNITS.saturating_mul(share.of as usize)))?;
    }
    if share.number > 1 {
        told.stalled = 0;
    }
    // Units that are alike come one after another, or in turns: they are mixed.
    let mut units: Vec<(u64, Unit)> = (0..).map(mix).zip(std::mem::take(&mut told.left)).collect();
    units.sort_by_key(|(order, _)| *order);
    let dealt = (0..).zip(units).filter(|(at, _)| share.has(*at));
    let left: Vec<Unit> = dealt.map(|(_, (_, unit))| unit).collect();
    told.open = left.len() as u64;
    let pieces = written(&left, 1, code.lock().system.texts());
    Ok((told, pieces))
}

/// So many units are made for each share, so that the shares are about equally large.
const UNITS: usize = 128;

/// A share of the work, from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Share {
    /// Its number, from 1.
    pub number: u64,
    /// How many there are.
    pub of: u64,
}

impl Share {
    /// Is what has this number, from 0, of this share?
    const fn has(self, number: u64) -> bool {
        number % self.of + 1 == self.number
    }
}

/// Units as so many pieces at most, each with some of the oldest.
fn written(units: &[Unit], pieces: usize, texts: &[String]) -> Vec<Writer> {
    let pieces = pieces.clamp(1, units.len().max(1));
    let piece = |first: usize| {
        let mut out = Units::new(texts);
        for unit in units.iter().skip(first).step_by(pieces) {
            out.add(unit);
        }
        out.finish()
    };
    match units.is_empty() {
        true => Vec::new(),
        false => (0..pieces).map(piece).collect(),
    }
}

/// Lets all of them search at the same time.
fn together<F>(shared: CrewShared<'_, F>, searchers: Vec<Graphs>) -> Result<SearchFindings, Error>
where
    F: FnMut(&FoundUniverse<'_>, usize) -> Result<bool, Error> + Send,
{
    let crew = &shared;
    let results: Vec<Result<SearchFindings, Error>> = std::thread::scope(|scope| {
        let threads: Vec<_> = searchers
            .into_iter()
            .map(|one| {
                let thread = std::thread::Builder::new().stack_size(STACK);
                thread.spawn_scoped(scope, move || crew.ends(one))
            })
            .collect();
        let result =
            |thread: std::io::Result<std::thread::ScopedJoinHandle<'_, Result<SearchFindings, Error>>>| match thread
                .map(|one| one.join())
            {
                Ok(Ok(told)) => told,
                _ => Err(Error::Bug("a thread of the search has crashed".to_owned())),
            };
        threads.into_iter().map(result).collect()
    });
    let mut told = SearchFindings::default();
    for one in results {
        told.add(one)?;
    }
    let mut left = std::mem::take(&mut shared.work().units);
    told.open += left.len() as u64;
    // Those that were given away are the oldest.
    left.append(&mut told.left);
    told.left = left;
    Ok(told)
}

/// The start of the program, and where the search begins.
struct Beginning<'a> {
    root: State,
    begin: &'a Begin,
}

fn begun<'a>(session: &Session, begin: &'a Begin) -> Result<Beginning<'a>, Error> {
    let mut root = State::new(session, begin.stops.clone())?;
    root.system.observer.tells = begin.tells;
    root.settle();
    if begin.point.deeds.is_empty() {
        root.pass(&begin.point);
    }
    Ok(Beginning { root, begin })
}

impl Beginning<'_> {
    /// So many who search.
    fn searchers(self, jobs: usize) -> Result<Vec<Graphs>, Error> {
        Ok(self.searchers_with_code(jobs)?.0)
    }

    fn searchers_with_code(mut self, jobs: usize) -> Result<(Vec<Graphs>, Code), Error> {
        let places = ProcessIndexes::default();
        let code = Code(Arc::new(Mutex::new(self.root.fork()?)));
        let one = |number| {
            Ok(Graphs::new(
                self.root.fork()?,
                code.clone(),
                places.clone(),
                self.begin,
                number,
            ))
        };
        let searchers: Result<Vec<Graphs>, Error> = (0..jobs.max(1)).map(one).collect();
        Ok((searchers?, code))
    }
}

impl SearchFindings {
    /// Adds what another one has found out.
    fn add(&mut self, other: Result<Self, Error>) -> Result<(), Error> {
        let other = other?;
        self.open += other.open;
        self.stalled += other.stalled;
        self.bounded += other.bounded;
        self.spent += other.spent;
        self.beyond |= other.beyond;
        self.beyond_at = self.beyond_at.take().or(other.beyond_at);
        self.left.extend(other.left);
        for (gap, place) in other.gaps {
            let known = self.gaps.entry(gap).or_insert_with(|| place.clone());
            if place < *known {
                *known = place;
            }
        }
        Ok(())
    }
}

/// The stack of a searching thread: as large as that of a first thread.
const STACK: usize = 8 << 20;

impl<'a, F> CrewShared<'a, F> {
    fn new(units: Vec<Unit>, searchers: usize, found: F, late: &'a (dyn Fn() -> bool + Sync)) -> Self {
        Self {
            work: Mutex::new(CrewWork {
                units,
                searchers,
                waiting: 0,
            }),
            comes: Condvar::new(),
            idle: AtomicUsize::new(0),
            stop: AtomicBool::new(false),
            hears_all: false,
            late,
            found: Mutex::new(found),
        }
    }

    fn work(&self) -> MutexGuard<'_, CrewWork> {
        self.work.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<F> CrewShared<'_, F>
where
    F: FnMut(&FoundUniverse<'_>, usize) -> Result<bool, Error>,
{
    /// Lets one search to the end; if that is an error, all end.
    fn ends(&self, mut one: Graphs) -> Result<SearchFindings, Error> {
        let stops = StopsAll(self);
        let told = one.run(self)?;
        std::mem::forget(stops);
        Ok(told)
    }
}

/// When one ends by an error or a crash, all end.
struct StopsAll<'a>(&'a dyn Crew);

impl Drop for StopsAll<'_> {
    fn drop(&mut self) {
        self.0.stop();
    }
}

impl<F> Crew for CrewShared<'_, F>
where
    F: FnMut(&FoundUniverse<'_>, usize) -> Result<bool, Error>,
{
    fn is_over(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || (self.late)()
    }

    fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
        drop(self.work());
        self.comes.notify_all();
    }

    fn found(&self, one: &FoundUniverse<'_>, open: usize) -> Result<GoesOn, Error> {
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(match self.stop.load(Ordering::Relaxed) && !self.hears_all {
            true => GoesOn::Not,
            false if found(one, open)? => GoesOn::On,
            false => GoesOn::Last,
        })
    }

    fn is_one_idle(&self) -> bool {
        self.idle.load(Ordering::Relaxed) > 0
    }

    fn give(&self, units: Vec<Unit>) {
        self.work().units.extend(units);
        self.comes.notify_all();
    }

    fn take(&self) -> Option<Unit> {
        let mut work = self.work();
        if let Some(unit) = work.units.pop() {
            return Some(unit);
        }
        work.waiting += 1;
        self.idle.fetch_add(1, Ordering::Relaxed);
        let unit = loop {
            if work.waiting == work.searchers || self.stop.load(Ordering::Relaxed) {
                break None;
            }
            work = self.comes.wait(work).unwrap_or_else(PoisonError::into_inner);
            if let Some(unit) = work.units.pop() {
                break Some(unit);
            }
        };
        self.idle.fetch_sub(1, Ordering::Relaxed);
        match unit {
            Some(_) => work.waiting -= 1,
            // All are done.
            None => self.comes.notify_all(),
        }
        unit
    }
}

//! Several who search at once. Each goes its own way, and gives some of its work to those who have none.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use session::{Error, Session};

use super::branch::Places;
use super::state::State;
use super::visit::{Found, Graphs, Unit};
use crate::summary::{Bounds, Gap};

/// What a search has found out besides the universes.
#[derive(Default)]
pub(crate) struct Told {
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
}

/// The others, as one who searches sees them.
pub(super) trait Crew {
    /// Is the search to stop?
    fn is_over(&self) -> bool;
    /// Ends the search.
    fn stop(&self);
    /// Tells a universe, found by one who has so many open branches. False: no more is wanted.
    ///
    /// # Errors
    /// Whatever who hears of it returns.
    fn found(&self, one: &Found<'_>, open: usize) -> Result<bool, Error>;
    /// Has somebody nothing to do?
    fn is_one_idle(&self) -> bool;
    /// Gives work to those who have none.
    fn give(&self, units: Vec<Unit>);
    /// Waits for work. `None`: there is none any more.
    fn take(&self) -> Option<Unit>;
}

/// What the searchers share.
struct Shared<'a, F> {
    work: Mutex<Work>,
    comes: Condvar,
    /// How many have nothing to do.
    idle: AtomicUsize,
    /// The search is to stop.
    stop: AtomicBool,
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

struct Work {
    units: Vec<Unit>,
    /// How many search, or wait for work.
    searchers: usize,
    waiting: usize,
}

/// Visits all universes. `found` is called with each, and with the number of open branches; it returns false if no more is wanted. `late`: is the
/// search to stop?
///
/// # Errors
/// The program cannot be started; whatever `found` returns.
pub(crate) fn search<F>(
    session: &Session,
    bounds: Bounds,
    found: F,
    late: &(dyn Fn() -> bool + Sync),
) -> Result<Told, Error>
where
    F: FnMut(&Found<'_>, usize) -> Result<bool, Error>,
{
    let mut searchers = searchers(session, bounds, 1)?;
    let shared = Shared::new(1, found, late);
    let mut told = Told::default();
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
    bounds: Bounds,
    walks: u64,
    found: F,
    mut each: impl FnMut(),
    late: &(dyn Fn() -> bool + Sync),
) -> Result<Told, Error>
where
    F: FnMut(&Found<'_>, usize) -> Result<bool, Error>,
{
    let mut searchers = searchers(session, bounds, 1)?;
    let shared = Shared::new(1, found, late);
    let mut told = Told::default();
    if let Some(mut one) = searchers.pop() {
        for _ in 0..walks {
            one.sample(&shared)?;
            if shared.is_over() || one.is_beyond() {
                break;
            }
            each();
        }
        told.add(Ok(one.told()))?;
    }
    Ok(told)
}

/// As [`search`], with so many threads.
pub(crate) fn search_together<F>(
    session: &Session,
    bounds: Bounds,
    jobs: usize,
    found: F,
    late: &(dyn Fn() -> bool + Sync),
) -> Result<Told, Error>
where
    F: FnMut(&Found<'_>, usize) -> Result<bool, Error> + Send,
{
    let searchers = searchers(session, bounds, jobs)?;
    let shared = Shared::new(searchers.len(), found, late);
    let crew = &shared;
    let results: Vec<Result<Told, Error>> = std::thread::scope(|scope| {
        let threads: Vec<_> = searchers
            .into_iter()
            .map(|one| {
                let thread = std::thread::Builder::new().stack_size(STACK);
                thread.spawn_scoped(scope, move || crew.ends(one))
            })
            .collect();
        let result = |thread: std::io::Result<std::thread::ScopedJoinHandle<'_, Result<Told, Error>>>| match thread
            .map(|one| one.join())
        {
            Ok(Ok(told)) => told,
            _ => Err(Error::Bug("a thread of the search has crashed".to_owned())),
        };
        threads.into_iter().map(result).collect()
    });
    let mut told = Told::default();
    for one in results {
        told.add(one)?;
    }
    told.open += shared.work().units.len() as u64;
    Ok(told)
}

/// So many who search; the first one begins at the start of the program.
fn searchers(session: &Session, bounds: Bounds, jobs: usize) -> Result<Vec<Graphs>, Error> {
    let mut root = State::new(session)?;
    root.settle();
    let places = Places::default();
    let code = Code(Arc::new(Mutex::new(root.fork()?)));
    let one = |number| Ok(Graphs::new(root.fork()?, code.clone(), places.clone(), bounds, number));
    (0..jobs.max(1)).map(one).collect()
}

impl Told {
    /// Adds what another one has found out.
    fn add(&mut self, other: Result<Self, Error>) -> Result<(), Error> {
        let other = other?;
        self.open += other.open;
        self.stalled += other.stalled;
        self.bounded += other.bounded;
        self.spent += other.spent;
        self.beyond |= other.beyond;
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

impl<'a, F> Shared<'a, F> {
    fn new(searchers: usize, found: F, late: &'a (dyn Fn() -> bool + Sync)) -> Self {
        Self {
            work: Mutex::new(Work {
                units: Vec::new(),
                searchers,
                waiting: 0,
            }),
            comes: Condvar::new(),
            idle: AtomicUsize::new(0),
            stop: AtomicBool::new(false),
            late,
            found: Mutex::new(found),
        }
    }

    fn work(&self) -> MutexGuard<'_, Work> {
        self.work.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<F> Shared<'_, F>
where
    F: FnMut(&Found<'_>, usize) -> Result<bool, Error>,
{
    /// Lets one search to the end; if that is an error, all end.
    fn ends(&self, mut one: Graphs) -> Result<Told, Error> {
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

impl<F> Crew for Shared<'_, F>
where
    F: FnMut(&Found<'_>, usize) -> Result<bool, Error>,
{
    fn is_over(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || (self.late)()
    }

    fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
        drop(self.work());
        self.comes.notify_all();
    }

    fn found(&self, one: &Found<'_>, open: usize) -> Result<bool, Error> {
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        match self.stop.load(Ordering::Relaxed) {
            true => Ok(false),
            false => found(one, open),
        }
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

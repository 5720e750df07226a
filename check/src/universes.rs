//! Every way in which the changed program can go, if there are not too many: where neither the recorded choices nor random schedules decide.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use interpreter::vm;
use log_format::Trace;
use multiverse::outcome::UniverseEnd;
use multiverse::summary::{Bound, Gap};
use multiverse::{Explorer, SearchBounds, Summary, Universe};
use session::error::Error;
use session::{Goal, Session};
use system::recorder::Along;
use system::scheduler::RoundRobin;

use crate::answer::{Universes, Unvisited};
use crate::failure::CheckFailure;
use crate::runs::{LEAST, Runs};
use crate::search::{RandomRun, Tested};
use crate::start::system_of;
use crate::tape::Tape;
use crate::tried::Tried;

/// Limit: universes.
const MANY: u64 = 2_000;
/// Limit: the work of these, in actions. What a universe takes is not only its own actions: it is found, measured and told.
const WORK: u64 = 2_000_000;
const ONE: u64 = 4;
/// A net: time that no search of so much work should take.
const LONG: Duration = Duration::from_secs(20);
/// The same where something else has decided already, and a universe that fails would contradict it.
const SOME: u64 = 200;
const SHORT: Duration = Duration::from_secs(4);

/// How far to go.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Extent {
    /// It is to decide.
    Deciding,
    /// It can contradict.
    Contradicting,
}

/// What the universes of a program have shown.
#[derive(Clone, Debug, Default)]
pub(crate) struct Visited {
    /// What is said of them.
    pub told: Universes,
    /// The number of one that fails in the recorded way, and the failure.
    pub found: Option<(u64, CheckFailure)>,
    /// Failures of other kinds.
    pub others: Tried,
    /// How many runs were left out because something must be held up for longer.
    pub stalled: u64,
}

/// A session of a program in which nothing has been done.
fn blank(runs: &Runs<'_>) -> Result<Session, Error> {
    let program: Arc<vm::Program> = runs.now.program();
    let tape = Tape::of(&runs.now, runs.now.entry(), &program);
    let ears = Along::new(runs.listener(Tested::Changed), tape.recorder()?);
    let scheduler = Box::new(RoundRobin::default());
    let mut system = system_of(&runs.now, &runs.searched.missing, program, ears, scheduler, 0)?;
    let session = tape.blank(&mut system)?;
    Ok(session)
}

/// Visits the universes of a changed program in which nothing is held up for longer than this (milliseconds; `None`: for any time), until one fails
/// in the recorded way.
pub(crate) fn visit(runs: &Runs<'_>, extent: Extent, stall: Option<u64>) -> Result<Visited, Error> {
    let budget = &runs.searched.budget;
    if !budget.allows("universes") {
        return Ok(Visited::default());
    }
    let (universes, time, most) = match extent {
        Extent::Deciding => (MANY, LONG, WORK),
        Extent::Contradicting => (SOME, SHORT, WORK / 10),
    };
    let most = most.min(budget.left());
    let mut spent = 0;
    let bounds = SearchBounds {
        universes: Some(universes),
        time: Some(budget.time().map_or(time, |left| left.min(time))),
        steps: runs.bound,
        delivery: runs.session.delivery(),
        stall,
        ..SearchBounds::default()
    };
    let explorer = Explorer::new(&blank(runs)?, bounds, Arc::default())?;
    let mut visited = Visited::default();
    let summary = explorer.run(|universe| {
        runs.options.doing(&format!(
            "running the changed program in every way: universe {}",
            universe.number
        ));
        spent += universe.actions.max(LEAST / 100) * ONE;
        if spent >= most {
            return Ok(false);
        }
        if let Some((found, is_recorded)) = failure_of(universe, runs, &visited.others)? {
            if is_recorded {
                visited.found = Some((universe.number, found));
                return Ok(false);
            }
            visited.others.others.push((universe.number, found));
        }
        Ok(true)
    })?;
    budget.spend(spent);
    visited.stalled = summary.stalled;
    visited.told = told(&summary);
    if visited.found.is_none() && summary.stopped == Some(Bound::Caller) {
        visited.told.unvisited = Some(Unvisited::Many);
    }
    // What it lacks is said of the whole check.
    if spent >= most {
        budget.allows("universes");
    }
    if runs.now.around().lacked.load(Ordering::Relaxed) {
        visited.told.all = false;
        visited.told.unvisited = Some(Unvisited::Gap(
            "a read of something that the trace does not hold".to_owned(),
        ));
    }
    Ok(visited)
}

fn told(summary: &Summary) -> Universes {
    let unvisited = match summary.stopped {
        Some(Bound::Caller) => None,
        Some(Bound::Universes | Bound::Time | Bound::Units | Bound::Walks) => Some(Unvisited::Many),
        None if !summary.cut.is_empty() => Some(Unvisited::Endless),
        None => summary.gaps.iter().next().map(|(gap, place)| {
            let what = match gap {
                Gap::Input => "an input",
                Gap::State => "a look at its own state",
                Gap::Other => "a look into another process",
                Gap::Cancel => "the end of a timer of another process",
                Gap::Lists => "a list of names or tables",
                Gap::Registers => "`register/2`",
                Gap::Links => "a link that both processes make and break",
                Gap::Runtime => "a message to a process of the runtime",
                Gap::Halts => "a halt against many crashes",
                Gap::Crossing => "exit signals that cross",
                Gap::Named => "a timer that sends to a name",
                Gap::Dropped => "messages to aliases that were given up",
            };
            Unvisited::Gap(match place.is_empty() {
                true => what.to_owned(),
                false => format!("{what} at {place}"),
            })
        }),
    };
    Universes {
        visited: summary.universes,
        all: summary.is_complete(),
        unvisited,
        failing: None,
    }
}

/// The failure of a universe of the changed program, if it has one that is not known yet and costs no more than the recorded one; and whether it
/// is the recorded one.
fn failure_of(universe: &Universe<'_>, runs: &Runs<'_>, known: &Tried) -> Result<Option<(CheckFailure, bool)>, Error> {
    let is_of_a_test = matches!(runs.failure, CheckFailure::End(end) if end.test.is_some());
    let went_well = matches!(universe.outcome.end, UniverseEnd::Returned(_) | UniverseEnd::Halted(0));
    let player = universe.player()?;
    if went_well && !is_of_a_test && player.ends().is_empty() {
        return Ok(None);
    }
    // It asked for something that nobody can answer.
    if player.lacks_inputs() {
        return Ok(None);
    }
    let session = runs.now.on(Arc::new(Trace::from_bytes(player.save(0)?)?))?;
    let listener = runs.listener(Tested::Changed);
    let heard = session.replay(&Goal::everything(), listener)?.into_observer();
    let run = RandomRun::of(
        heard,
        universe.actions,
        matches!(universe.outcome.end, UniverseEnd::Deadlock(_)),
    );
    let Some(found) = run.new_failure(runs, known) else {
        return Ok(None);
    };
    let price = runs.price_of(&session, &found, Tested::Changed)?;
    if runs.exceeds(price, &found) {
        return Ok(None);
    }
    let is_recorded = run.fails_as(runs.failure, &runs.heard.ends).is_some();
    Ok(Some((found, is_recorded)))
}

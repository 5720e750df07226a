//! A found run is made simpler and written to a file.

use std::sync::Arc;

use causality::Target;
use delay::Told;
use log_format::Trace;
use system::scheduler::{Schedule, Switch};

use crate::error::HuntError;
use crate::hunt::once::{Ran, RunKind};
use crate::hunt::search::{Found, Search};
use crate::hunt::shrink::{Tried, shrink};
use crate::hunt::tell;

/// Runs spent on making one failure simpler.
const MOST_RUNS: usize = 400;
/// Steps of the scheduler that this may take, however little the search cost.
const FREE_STEPS: u64 = 100_000;

/// A failure, as simple as it could be made.
pub struct Simpler {
    /// Its schedule.
    pub schedule: Schedule,
    /// The run.
    pub ran: Ran,
}

/// What came of making a failure simpler.
pub struct Attempt {
    /// The simpler run, if there is one.
    pub simpler: Option<Simpler>,
    /// How many switches the found run had, and how many runs were made to need fewer.
    pub from: (usize, usize),
    /// Why it stopped before each switch that is left was seen to be needed.
    pub early: Option<&'static str>,
    /// If no switch is needed: does the usual schedule fail in this way too, with the seed of this run and with that of the hunt's first run?
    pub usual_fails: bool,
}

/// Makes a found run simpler; that costs about as much as the search at most. `None` if that is not possible.
///
/// # Errors
/// A trace cannot be made.
pub fn simpler(search: &Arc<Search>, found: &Found, share: u64) -> Result<Option<Attempt>, HuntError> {
    // To measure a run costs as much as all that comes before its test, so there only the last one is measured first.
    if found.schedule.at_test().is_some() {
        let attempt = shrunk(search, found, share, false)?;
        let Some(simpler) = attempt.as_ref().and_then(|attempt| attempt.simpler.as_ref()) else {
            return Ok(attempt);
        };
        // One that fails only as a copy fails on what an earlier run has left outside.
        if !fails_from_start(search, found, &simpler.schedule)? {
            return Ok(None);
        }
        if is_no_dearer(search, found, &simpler.ran)? {
            return Ok(attempt);
        }
    }
    shrunk(search, found, share, true)
}

/// See [`simpler`]. `measures`: a run that needs more than the one that was found is not taken.
fn shrunk(search: &Arc<Search>, found: &Found, share: u64, measures: bool) -> Result<Option<Attempt>, HuntError> {
    let (Some(made), Some(failure)) = (&found.ran.made, &found.ran.failure) else {
        return Ok(None);
    };
    if found.schedule.with_switches(Vec::new()).is_none() {
        return Ok(None);
    }
    let budget = share.max(FREE_STEPS);
    let mut best: Option<(Vec<Switch>, Simpler)> = None;
    let (mut spent, mut runs) = (0, 0);
    let mut early = None;
    let shrunk = shrink(made.switches.clone(), |list| {
        early = match () {
            () if search.patience.is_interrupted() => Some("interrupted"),
            () if search.is_late() => Some("the time was up"),
            () if spent >= budget => Some("that had cost as much as the search"),
            () if runs >= MOST_RUNS => Some("that were many"),
            () => None,
        };
        let Some(schedule) = found.schedule.with_switches(list.to_vec()) else {
            return Ok(Tried::Passes);
        };
        if early.is_some() {
            return Ok(Tried::Enough);
        }
        // A run that takes another turn can be much longer.
        let steps = (budget - spent).max(made.steps.saturating_mul(2));
        runs += 1;
        let Some(ran) = again(search, &schedule, found.seed, steps, RunKind::default())? else {
            early = Some(match search.patience.is_interrupted() {
                true => "interrupted",
                false => "the time was up",
            });
            return Ok(Tried::Enough);
        };
        let Some(choices) = ran.made.clone() else {
            return Ok(Tried::Passes);
        };
        spent += choices.steps;
        if ran.failure.as_ref().is_none_or(|again| again.sort != failure.sort) {
            return Ok(Tried::Passes);
        }
        if measures && !is_no_dearer(search, found, &ran)? {
            return Ok(Tried::Passes);
        }
        best = Some((list.to_vec(), Simpler { schedule, ran }));
        Ok::<_, HuntError>(Tried::Fails(choices.switches))
    })?;
    let mut simpler = best;
    // A run can make fewer switches than its list has, and perhaps all are needed. The run with exactly these is then made, too.
    let is_of_list = simpler.as_ref().is_some_and(|(list, _)| *list == shrunk.list);
    if !is_of_list
        && let Some(schedule) = found.schedule.with_switches(shrunk.list.clone())
        && let Some(ran) = again(search, &schedule, found.seed, u64::MAX, RunKind::default())?
        && ran.failure.as_ref().is_some_and(|again| again.sort == failure.sort)
        && (!measures || is_no_dearer(search, found, &ran)?)
    {
        simpler = Some((shrunk.list.clone(), Simpler { schedule, ran }));
    }
    let needs_none = simpler.as_ref().is_some_and(|(list, _)| list.is_empty());
    Ok(Some(Attempt {
        usual_fails: needs_none && usual_fails(search, found, &failure.sort)?,
        simpler: simpler.map(|(_, simpler)| simpler),
        from: (made.switches.len(), shrunk.runs),
        early: early.filter(|_| !shrunk.is_complete),
    }))
}

/// Does the run of a schedule fail as the one that was found if it continues no copy?
fn fails_from_start(search: &Arc<Search>, found: &Found, schedule: &Schedule) -> Result<bool, HuntError> {
    let ran = again(search, schedule, found.seed, u64::MAX, RunKind::AFRESH)?;
    let sort = |ran: &Ran| ran.failure.as_ref().map(|failure| failure.sort.clone());
    Ok(ran.is_some_and(|ran| sort(&ran) == sort(&found.ran)))
}

/// Does a simpler run need no more of the machine than the run that was found?
fn is_no_dearer(search: &Arc<Search>, found: &Found, ran: &Ran) -> Result<bool, HuntError> {
    let Some(most) = found.need else { return Ok(true) };
    let (of, ran) = (Arc::clone(search), ran.clone());
    let need = search.patience.work(|| search.deadline, move || of.gauge.need(&ran))?;
    // Without an answer in time, it is not known.
    Ok(need.is_some_and(|need| need.is_none_or(|need| need.is_within(most))))
}

/// What the failure of a run needs, in words.
///
/// # Errors
/// It cannot be measured: our own fault.
pub fn needs(search: &Arc<Search>, ran: &Ran) -> Result<Told, HuntError> {
    let (of, ran) = (Arc::clone(search), ran.clone());
    let told = search.patience.work(|| search.deadline, move || of.gauge.told(&ran))?;
    Ok(told.unwrap_or_else(|| Told::unknown("the time was up".to_owned())))
}

/// One more run; `None` if it was stopped.
fn again(
    search: &Arc<Search>,
    schedule: &Schedule,
    seed: u64,
    steps: u64,
    kind: RunKind,
) -> Result<Option<Ran>, HuntError> {
    let most = search.prey.limits.steps;
    let steps = u32::try_from(steps).map_or(most, |steps| steps.min(most));
    let command = tell::command(&search.args, schedule, seed);
    let (search, schedule) = (Arc::clone(search), schedule.clone());
    let patience = Arc::clone(&search.patience);
    let deadline = search.deadline;
    let run = move || search.prey.run_within(steps, &schedule, seed, command, kind);
    let ran = patience.work(|| deadline, run)?.transpose()?;
    Ok(ran.filter(|ran| !ran.stopped))
}

/// The same run with a trace that holds also what no process has called. `None`: it has one, or there was no time for it, or the run went another way.
///
/// # Errors
/// The trace cannot be made.
pub fn whole(search: &Arc<Search>, schedule: &Schedule, seed: u64, ran: &Ran) -> Result<Option<Ran>, HuntError> {
    if ran.is_whole {
        return Ok(None);
    }
    // A copy, if the run was one: a program that begins anew here has the modules that earlier runs have loaded.
    let whole = again(search, schedule, seed, u64::MAX, RunKind::WHOLE)?;
    Ok(match whole {
        Some(whole) if whole.is_as(ran)? => Some(whole),
        _ => None,
    })
}

/// Does the usual schedule fail in this way, whatever the random numbers are: with this seed, and with that of the first run of the hunt?
fn usual_fails(search: &Arc<Search>, found: &Found, sort: &str) -> Result<bool, HuntError> {
    let usual = Schedule::usual();
    let mut all = match found.schedule.at_test() {
        None => vec![(usual.clone(), found.seed), (usual, search.seed)],
        Some((draw, _)) => [draw, search.seed]
            .map(|draw| (usual.clone().since_test(draw), found.seed))
            .to_vec(),
    };
    all.dedup();
    for (schedule, seed) in all {
        let ran = again(search, &schedule, seed, u64::MAX, RunKind::default())?;
        let failure = ran.and_then(|ran| ran.failure);
        if failure.is_none_or(|failure| failure.sort != sort) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// How many actions the failure's causes are, and how many there are in all.
///
/// # Errors
/// The trace is damaged, or has no such failure.
pub fn causes(ran: &Ran) -> Result<(u64, u64), HuntError> {
    let trace = Trace::from_bytes(ran.trace.clone())?;
    let target = ran.failure.as_ref().and_then(|failure| failure.target.as_deref());
    let target: Target = target.unwrap_or("error").parse()?;
    let resolved = target.resolve(&trace)?;
    let cut = resolved.causes(&trace)?;
    Ok((cut.actions(), trace.totals().counts.actions))
}

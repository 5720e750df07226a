//! What a diagnosis reads of a run before it is replayed: the last actions of its processes.

use causality::Point;
use log_format::{ActionId, ActionNo, Cut, FinalState, Kind, Pid, SendNo, Tag, Trace};
use rustc_hash::{FxHashMap, FxHashSet};
use session::error::Error;
use session::of_elixir::machinery;
use session::subject::ShownBounds;
use session::watch::{Watcher, Wish, ascending};
use session::{Goal, Session};
use system::System;

use super::run::{CHARS, Does, Process, Step};
use crate::tested::Tested;

/// So many actions are looked at in all, and of each process, its last ones, at least and at most so many.
const ACTIONS: u64 = 6000;
const LEAST: u64 = 24;
const MOST: u64 = 1000;
/// Of Elixir's own actions, those among so many last ones of a process are looked at.
const LATE: usize = 400;
/// So many processes are looked at, three quarters of them those of the causes, if there are as many.
const PROCESSES: usize = 256;
/// Of those from which the process that failed had received something among its last so many actions, so many are.
const RECEIVED: u64 = 4096;
const PARTNERS: usize = 64;
/// What was read of a run before it is replayed.
pub(crate) struct Log {
    pub(super) processes: Vec<Process>,
    /// Group leaders of tests.
    pub(super) leaders: FxHashSet<Pid>,
}

impl Log {
    /// Reads what is to be looked at: of the process that failed, of those of these causes, and of others.
    /// Of a failed test, nothing of what belongs to other tests.
    pub(crate) fn read(trace: &Trace, of: Pid, slice: &Cut, tested: Option<(&Tested, &Point)>) -> Result<Self, Error> {
        let mut others = Vec::new();
        for process in trace.processes() {
            let pid = process?.pid;
            if slice.get(pid) == 0 {
                others.push(pid);
            }
        }
        // Who did not send what was waited for is among the others.
        let kept = others.len().min(PROCESSES / 4);
        let mut pids = partners(trace, of)?;
        let causes = slice.iter().map(|id| id.pid).filter(|pid| !pids.contains(pid));
        let causes = first_and_last(causes.collect(), PROCESSES - kept - pids.len());
        pids.extend(causes);
        let left = PROCESSES - pids.len();
        pids.extend(first_and_last(others, left));
        pids.push(of);
        pids.sort_unstable();
        pids.dedup();
        let leaders = crate::tested::leaders(trace)?;
        let mut lengths = Vec::with_capacity(pids.len());
        for pid in &pids {
            lengths.push(trace.process(*pid)?.counts.actions);
        }
        let of_each = of_each(lengths).clamp(LEAST, MOST);
        let mut processes = Vec::new();
        for pid in pids {
            if leaders.contains(&pid) {
                continue;
            }
            if let Some((tested, found)) = tested
                && !belongs(trace, tested, found, pid)?
            {
                continue;
            }
            let upto = tested
                .filter(|(_, found)| found.pid == pid)
                .map(|(_, found)| found.action);
            processes.push(read(trace, pid, of_each, upto, &leaders)?);
        }
        if let Some((tested, found)) = tested
            && let Ok(at) = processes.binary_search_by_key(&found.pid, |process| process.pid)
        {
            processes[at].keep_test(tested, found);
        }
        for outcome in trace.outcomes()? {
            if let FinalState::Waiting { location } = outcome.state
                && let Ok(at) = processes.binary_search_by_key(&outcome.pid, |process| process.pid)
            {
                processes[at].waits = Some(location);
            }
        }
        Ok(Self { processes, leaders })
    }

    /// Leaves out what this action has led to: an effect is not a cause.
    pub(crate) fn without_effects(&mut self, trace: &Trace, of: ActionId) -> Result<(), Error> {
        let future = causality::consequences(trace, of)?;
        for process in self.processes.iter_mut().filter(|process| process.pid != of.pid) {
            // That it was ended with the failing one says nothing of its own steps.
            let ended_by_it = |first: ActionNo| {
                let last = process.steps.last();
                last.is_some_and(|step| step.number == first.0 && matches!(step.does, Does::EndedBy(..)))
            };
            let Some(first) = future.first(process.pid) else {
                continue;
            };
            process.effects = first.0;
            if !ended_by_it(first) {
                process.steps.retain(|step| step.number < first.0);
                process.waits = None;
            }
        }
        Ok(())
    }

    /// Replays the run, and keeps what was done, and where processes were created; `None` if that is not possible, see
    /// [`crate::scene::whole_run`].
    pub(crate) fn replay(&self, session: &Session, bounds: &ShownBounds) -> Option<System<Watcher>> {
        let machinery = machinery(session);
        let mut acts: FxHashMap<Pid, Vec<u64>> = FxHashMap::default();
        for process in &self.processes {
            // What Elixir itself did holds large terms, and what it did long before tells nothing.
            let late = process.steps.len().saturating_sub(LATE);
            let is_wanted = |at: usize, number: u64| at >= late || !machinery.has(ActionId::new(process.pid, number));
            let numbers = process.steps.iter().map(|step| step.number).enumerate();
            let numbers = numbers.filter_map(|(at, number)| is_wanted(at, number).then_some(number));
            acts.entry(process.pid).or_default().extend(numbers);
            if let Some(parent) = process.parent {
                acts.entry(parent.pid).or_default().push(parent.number.0);
            }
        }
        let wish = Wish {
            acts: ascending(acts),
            chars: bounds.chars.min(4 * CHARS),
            frames: bounds.frames,
            variables: session::scene::FRAMES,
            terms: true,
            ..Wish::default()
        };
        let goal = Goal {
            notes_catches: true,
            // In a slice, a process's log need not reach its end.
            waiting_run_on: !session.trace().is_slice(),
            ..Goal::everything()
        };
        session.replay(&goal, Watcher::new(wish)).ok()
    }
}

impl Process {
    /// Of the process that ran a test, only the test: its failure is the end.
    fn keep_test(&mut self, tested: &Tested, found: &Point) {
        let began = tested.began.map_or(0, |began| began.number.0);
        self.steps
            .retain(|step| step.number > began && step.number <= found.action.0);
        self.waits.clone_from(&tested.waits_at);
        if let Some(last) = self.steps.last_mut()
            && last.number == found.action.0
            && !found.runs_on
            && last.does == Does::Other
        {
            last.does = Does::Ended { failed: true };
        }
    }
}

/// Can a process have to do with a test? Not if it had ended before the test began, or if a later or another test created it. Nor can the
/// keepers of the test runner: they create the processes that run tests.
fn belongs(trace: &Trace, tested: &Tested, found: &Point, pid: Pid) -> Result<bool, Error> {
    const GENERATIONS: usize = 64;
    if tested.had_ended(trace, pid)? {
        return Ok(false);
    }
    let entry = |pid: Pid| -> Result<bool, Error> { Ok(trace.process(pid)?.parent.is_none()) };
    let mut keeper = trace.process(found.pid)?.parent.map(|spawn| spawn.pid);
    for _ in 0..GENERATIONS {
        let Some(one) = keeper else { break };
        if one == pid {
            return entry(pid);
        }
        let task = trace.process(one)?.parent;
        keeper = match task {
            Some(task) => trace.process(task.pid)?.parent.map(|spawn| spawn.pid),
            None => None,
        };
    }
    let mut at = pid;
    for _ in 0..GENERATIONS {
        match trace.process(at)?.parent {
            Some(spawn) if spawn.pid == found.pid => return Ok(spawn.number <= found.action),
            Some(spawn) => at = spawn.pid,
            None => break,
        }
    }
    Ok(true)
}

/// Those from which a process has received something, the last ones: in a long run, many others were created before and after them.
fn partners(trace: &Trace, pid: Pid) -> Result<Vec<Pid>, Error> {
    let mut log = trace.log(pid)?.without_values();
    log.seek(ActionNo(
        trace.process(pid)?.counts.actions.saturating_sub(RECEIVED) + 1,
    ))?;
    let mut found = Vec::new();
    while let Some(step) = log.step(u64::MAX)? {
        let log_format::LogStep::Action(action) = step else {
            continue;
        };
        found.extend(action.kind.consumed().and_then(Tag::sender));
    }
    let mut known = FxHashSet::default();
    let last = found
        .into_iter()
        .rev()
        .filter(|pid| known.insert(*pid) && trace.process(*pid).is_ok());
    Ok(last.take(PARTNERS).collect())
}

/// Those that were created first, servers mostly, and those that were created last: so many.
fn first_and_last(mut pids: Vec<Pid>, most: usize) -> Vec<Pid> {
    pids.sort_unstable();
    if pids.len() > most {
        let late = pids.len() - most / 2;
        pids.drain(most - most / 2..late);
    }
    pids
}

/// Of processes with so many actions, how many are looked at of each, so that all are looked at of the short ones.
fn of_each(mut lengths: Vec<u64>) -> u64 {
    lengths.sort_unstable();
    let mut left = ACTIONS;
    for (others, length) in (1..=lengths.len() as u64).rev().zip(lengths) {
        if length > left / others {
            return left / others;
        }
        left -= length;
    }
    ACTIONS
}

/// Its last actions, up to this one if it is given.
fn read(
    trace: &Trace,
    pid: Pid,
    most: u64,
    upto: Option<ActionNo>,
    leaders: &FxHashSet<Pid>,
) -> Result<Process, Error> {
    let entry = trace.process(pid)?;
    let mut process = Process {
        pid,
        parent: entry.parent,
        steps: Vec::new(),
        waits: None,
        effects: u64::MAX,
    };
    let mut log = trace.log(pid)?.without_values();
    let last = upto.map_or(entry.counts.actions, |upto| upto.0);
    log.seek(ActionNo(last.saturating_sub(most) + 1))?;
    loop {
        let left = last.saturating_sub(log.counts().actions);
        if left == 0 {
            break;
        }
        let (accesses, does) = match log.step(left)? {
            None => break,
            Some(log_format::LogStep::Sends(n)) => {
                let counts = log.counts();
                for back in (0..n).rev() {
                    let k = SendNo(counts.sends - back);
                    process.steps.push(Step {
                        number: counts.actions - back,
                        does: Does::Send(Tag::Sent { by: pid, k }),
                        accesses: Vec::new(),
                    });
                }
                continue;
            }
            Some(log_format::LogStep::Action(action)) => (action.accesses.clone(), action.kind.clone()),
        };
        let counts = log.counts();
        let from = |tag| trace.find_send(tag);
        let does = match does {
            Kind::Spawn { child, .. } => Does::Spawn(child),
            Kind::Send => Does::Send(Tag::Sent {
                by: pid,
                k: SendNo(counts.sends),
            }),
            Kind::Rec(tag) if tag.sender().is_some_and(|by| leaders.contains(&by)) => Does::Other,
            Kind::Rec(tag) => Does::Got(tag, from(tag)?),
            Kind::Signal { tag, .. } => Does::EndedBy(tag, from(tag)?),
            Kind::After => Does::Timeout,
            Kind::Drop { tag: None, .. } => Does::DroppedNothing,
            Kind::Exit { class } => Does::Ended {
                failed: class != log_format::ExitClass::Normal,
            },
            _ => Does::Other,
        };
        process.steps.push(Step {
            number: counts.actions,
            does,
            accesses,
        });
    }
    Ok(process)
}

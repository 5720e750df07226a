//! Actions as rows: the picked ones of a slice with what a replay observed of them, and the number of actions in between.

use std::collections::hash_map::Entry;

use log_format::{Action, ActionId, ActionNo, Cut, LogReader, Pid, Trace};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::act;
use crate::called::ProcessNames;
use crate::error::Error;
use crate::name::ActionTally;
use crate::pick::{self, Picked};
use crate::view::{Act, ActionRow};
use crate::watch::{SeenAction, Watcher};
use causality::Point;

/// The causes of a target, itself included.
pub fn slice_of(trace: &Trace, found: &Point) -> Result<Cut, Error> {
    Ok(causality::causes(
        trace,
        ActionId {
            pid: found.pid,
            number: found.action,
        },
    )?)
}

/// The actions of a slice that are shown: all of them, or those that lead to the target.
///
/// # Errors
/// If the trace is damaged where it is read.
pub fn picked(trace: &Trace, slice: &Cut, found: &Point, all: bool) -> Result<Picked, Error> {
    if all {
        Ok(pick::all(slice))
    } else {
        Ok(pick::pick(trace, slice, found.id())?)
    }
}

/// Reads actions of processes in ascending order, and counts them on the way.
pub struct Teller<'t> {
    trace: &'t Trace,
    readers: FxHashMap<Pid, (LogReader<'t>, ActionTally, u64)>,
}

impl<'t> Teller<'t> {
    /// A reader that has read nothing yet.
    #[must_use]
    pub fn new(trace: &'t Trace) -> Self {
        Self {
            trace,
            readers: FxHashMap::default(),
        }
    }

    /// Reads one action, without counting those before it.
    fn read(&self, pid: Pid, number: u64) -> Result<Action, Error> {
        let mut reader = self.trace.log(pid)?.without_values();
        reader.seek(ActionNo(number))?;
        match reader.next() {
            Some(item) => Ok(item?.1),
            None => Err(shorter(pid, number)),
        }
    }

    fn tell(&mut self, pid: Pid, number: u64) -> Result<(Action, ActionTally, u64), Error> {
        let (reader, tally, base) = match self.readers.entry(pid) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => {
                let reader = self.trace.log(pid)?.without_values();
                entry.insert((reader, ActionTally::default(), self.trace.process(pid)?.base))
            }
        };
        for item in reader.by_ref() {
            let (at, action) = item?;
            tally.add(&action);
            if at.0 == number {
                return Ok((action, *tally, *base));
            }
        }
        Err(shorter(pid, number))
    }
}

fn shorter(pid: Pid, number: u64) -> Error {
    Error::Bug(format!(
        "{} was picked, but its log is shorter",
        ActionId::new(pid, number)
    ))
}

/// Limit: folded stretches that are listed.
const STRETCHES: usize = 100;

/// Actions that are not shown.
#[derive(Default)]
struct Folded {
    actions: u64,
    processes: FxHashSet<Pid>,
    stretches: Vec<(Pid, u64, u64)>,
}

impl Folded {
    /// Adds the actions of a process from one up to, but not including, another.
    fn add(&mut self, pid: Pid, from: u64, to: u64) {
        if from >= to {
            return;
        }
        self.actions += to - from;
        self.processes.insert(pid);
        let room = self.stretches.len() < STRETCHES;
        match self.stretches.last_mut() {
            Some((last, _, end)) if *last == pid && *end == from => *end = to,
            _ if room => self.stretches.push((pid, from, to)),
            _ => {}
        }
    }

    fn row(self) -> Option<ActionRow> {
        let event = |pid, n| ActionId::new(pid, n).to_string();
        let stretches = self.stretches.into_iter();
        let named = stretches.map(|(pid, from, to)| (event(pid, from), event(pid, to - 1)));
        (self.actions > 0).then(|| ActionRow::Folded {
            folded_actions: self.actions,
            folded_processes: self.processes.len() as u64,
            folded: named.collect(),
        })
    }
}

/// The picked actions of a slice in causal order, with the number of actions in between.
pub fn rows(
    trace: &Trace,
    slice: &Cut,
    picked: &Picked,
    target: Option<&Point>,
    seen: &FxHashMap<ActionId, SeenAction>,
    names: &ProcessNames,
) -> Result<Vec<ActionRow>, Error> {
    let mut teller = Teller::new(trace);
    let mut rows = Vec::new();
    let mut folded = Folded::default();
    let fold = |rows: &mut Vec<ActionRow>, folded: &mut Folded| rows.extend(std::mem::take(folded).row());
    for stretch in causality::causal_order(trace, slice)? {
        let stretch = stretch?;
        let (first, last) = (stretch.first.0, stretch.last.0);
        let list = picked.get(&stretch.pid).map_or(&[][..], |list| list.as_ref());
        let inside = &list[list.partition_point(|&n| n < first)..list.partition_point(|&n| n <= last)];
        let mut at = first;
        for &n in inside {
            folded.add(stretch.pid, at, n);
            fold(&mut rows, &mut folded);
            rows.push(ActionRow::Act(Box::new(act(
                &mut teller,
                stretch.pid,
                n,
                target,
                seen,
                names,
            )?)));
            at = n + 1;
        }
        folded.add(stretch.pid, at, last + 1);
    }
    fold(&mut rows, &mut folded);
    Ok(rows)
}

/// The rendered actions in the order of the replay, with the number of actions in between.
pub fn replayed_rows(
    trace: &Trace,
    target: Option<&Point>,
    observer: &Watcher,
    names: &ProcessNames,
) -> Result<Vec<ActionRow>, Error> {
    let mut teller = Teller::new(trace);
    let mut rows = Vec::new();
    for one in &observer.order {
        if one.actions > 0 {
            rows.push(ActionRow::Folded {
                folded_actions: one.actions,
                folded_processes: one.processes,
                folded: Vec::new(),
            });
        }
        let row = act(&mut teller, one.pid, one.number, target, &observer.seen, names)?;
        rows.push(ActionRow::Act(Box::new(row)));
    }
    Ok(rows)
}

/// One action for display, with what a replay observed of it.
///
/// # Errors
/// If the trace is damaged there, or its log is shorter.
pub fn act(
    teller: &mut Teller<'_>,
    pid: Pid,
    number: u64,
    target: Option<&Point>,
    seen: &FxHashMap<ActionId, SeenAction>,
    names: &ProcessNames,
) -> Result<Act, Error> {
    let seen = seen.get(&ActionId::new(pid, number));
    let (action, tally, base) = match seen {
        // It was counted when it was replayed.
        Some(seen) => (teller.read(pid, number)?, seen.tally, teller.trace.process(pid)?.base),
        None => teller.tell(pid, number)?,
    };
    let mut act = act::shown(teller.trace, pid, &action, &tally, base, seen);
    act::add_names(&mut act, names);
    act.is_target = target.is_some_and(|t| (t.pid, t.action.0) == (pid, number));
    Ok(act)
}

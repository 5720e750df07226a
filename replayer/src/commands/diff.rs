//! `replay diff`: the causally first actions in which two runs of one program differ.

use std::sync::Arc;

use log_format::{Access, Action, ActionId, ActionNo, Kind, Pid, Resource, Step, Trace};
use rustc_hash::FxHashMap;

use crate::cli::DiffArgs;
use crate::commands::{Out, open};
use crate::exit::Exit;
use crate::memory;
use crate::render;
use crate::view::{Act, Diff, Difference};
use session::Session;
use session::act::{self, Names};
use session::error::Error;
use session::name::{self, Tally};
use session::subject::Bounds;

/// Limit: differences that are shown.
const SHOWN: usize = 10;

/// Runs `replay diff`.
///
/// # Errors
/// A file cannot be read or is not a trace.
pub fn run(args: &DiffArgs, out: &mut Out<'_>) -> Result<Exit, Error> {
    let a = open(&args.a)?;
    let b = open(&args.b)?;
    let limit = if args.show.all { usize::MAX } else { SHOWN };
    let mut view = diff(&a, &b, args.values, limit)?;
    let bounds = crate::commands::run::bounds(out, args.show);
    let acts = view.differences.iter_mut().chain(&mut view.printed);
    let (in_a, in_b): (Vec<_>, Vec<_>) = acts.map(|one| (&mut one.a, &mut one.b)).unzip();
    fill(&a, in_a, &bounds);
    fill(&b, in_b, &bounds);
    out.view(&view, args.show, render::text::diff)?;
    Ok(if view.differences.is_empty() {
        Exit::Success
    } else {
        Exit::Different
    })
}

/// Adds contents and places from a replay. If that is not possible (the trace has no program, say) or would take long, the log alone is shown.
fn fill(trace: &Arc<Trace>, acts: Vec<&mut Option<Act>>, bounds: &Bounds) {
    const SMALL: u64 = 1_000_000;
    let wanted: Vec<ActionId> = acts
        .iter()
        .filter_map(|act| act.as_ref().map(|act| ActionId::new(act.pid, act.number)))
        .collect();
    if wanted.is_empty() || trace.totals().counts.actions > SMALL {
        return;
    }
    let Ok(seen) = Session::of(Arc::clone(trace))
        .and_then(|session| session::scene::acts(&session.with_memory(memory::limit()), &wanted, bounds))
    else {
        return;
    };
    for (act, seen) in acts.into_iter().filter(|act| act.is_some()).zip(seen) {
        if seen.is_some() {
            *act = seen;
        }
    }
}

/// Where the logs of a process differ.
struct Parting {
    pid: Pid,
    number: ActionNo,
    in_a: Option<(Action, Tally, u64)>,
    in_b: Option<(Action, Tally, u64)>,
}

/// The result of comparing two logs of a process.
struct Compared {
    /// How many actions at the beginning are equal.
    equal: u64,
    /// The first of these that prints another number of bytes, if that does not count as a difference.
    printed: Option<Parting>,
    /// The first difference.
    parting: Option<Parting>,
}

/// Compares two traces. By [LPV19, Theorem 1], runs are equal up to the order of independent steps exactly if their logs are.
///
/// `values`: values of inputs and observations count too, and so do lengths of printed texts, which follow from values. Execution points of
/// exit signals never count (semantics.md §2).
///
/// # Errors
/// If a trace is damaged.
pub fn diff(a: &Trace, b: &Trace, values: bool, limit: usize) -> Result<Diff, Error> {
    let mut partings: FxHashMap<Pid, Parting> = FxHashMap::default();
    let mut pids: Vec<Pid> = Vec::new();
    for process in a.processes() {
        pids.push(process?.pid);
    }
    for process in b.processes() {
        let pid = process?.pid;
        if !a.has(pid)? {
            pids.push(pid);
        }
    }
    let (mut equal, mut processes) = (0, 0);
    let mut printed = Vec::new();
    let ranks = (ranks(a)?, ranks(b)?);
    for &pid in &pids {
        let compared = part((a, &ranks.0), (b, &ranks.1), pid, values)?;
        equal += compared.equal;
        let parting = compared.parting;
        printed.extend(compared.printed);
        processes += u64::from(parting.is_none());
        if let Some(parting) = parting {
            partings.insert(pid, parting);
        }
    }
    // A difference comes first if its causes are the same in both runs; one with another difference in its past only follows from it. If each
    // has another one before it in one of the runs (each run took a message that only the other's choice explains), those count that are first
    // in either run.
    let (mut first, mut in_one) = (Vec::new(), Vec::new());
    for parting in partings.values() {
        match (
            is_first(a, parting, &partings, true)?,
            is_first(b, parting, &partings, false)?,
        ) {
            (true, true) => first.push(parting),
            (false, false) => {}
            _ => in_one.push(parting),
        }
    }
    if first.is_empty() {
        first = in_one;
    }
    first.sort_by_key(|parting| parting.pid);
    let follow = (partings.len() - first.len()) as u64;
    let more = first.len().saturating_sub(limit) as u64;
    let difference = |parting: &Parting| Difference {
        pid: parting.pid.to_string(),
        number: parting.number.0,
        a: view(a, parting.pid, parting.in_a.as_ref()),
        b: view(b, parting.pid, parting.in_b.as_ref()),
    };
    Ok(Diff {
        other_code: other_code(a, b)?,
        equal_actions: equal,
        equal_processes: processes,
        differences: first.into_iter().take(limit).map(difference).collect(),
        more,
        follow,
        printed: printed.iter().take(limit).map(difference).collect(),
    })
}

/// The modules whose sources differ. A module that only one run loaded says nothing about the program, unless it is the entry's.
fn other_code(a: &Trace, b: &Trace) -> Result<Vec<String>, Error> {
    let (in_a, in_b) = (&a.program()?.sources, &b.program()?.sources);
    let entry = |trace: &Trace| trace.header().entry.split(':').next().map(str::to_owned);
    let mut modules = Vec::new();
    for source in in_a {
        let same_name = in_b
            .iter()
            .filter(|other| (&other.module, &other.format) == (&source.module, &source.format));
        let mut other = same_name.filter(|other| other.format == "erl" || other.path == source.path);
        if other
            .next()
            .is_some_and(|other| (&other.bytes, &other.options) != (&source.bytes, &source.options))
        {
            modules.push(source.module.clone());
        }
    }
    if entry(a) != entry(b) {
        modules.extend(entry(a));
        modules.extend(entry(b));
    }
    modules.sort();
    modules.dedup();
    Ok(modules)
}

fn view(trace: &Trace, pid: Pid, action: Option<&(Action, Tally, u64)>) -> Option<Act> {
    let (action, tally, base) = action?;
    let mut act = act::from_log(trace, pid, action, tally, *base);
    act::add_names(&mut act, &Names::default());
    Some(act)
}

/// For each key of a table, the versions that were written, ascending. The keys of a table share one count, which depends on the order of
/// independent writes, so a version of a key is identified by its index in this list.
type Ranks = FxHashMap<Resource, Vec<u64>>;

fn ranks(trace: &Trace) -> Result<Ranks, Error> {
    let mut ranks = Ranks::default();
    for process in trace.processes() {
        let mut log = trace.log(process?.pid)?.without_values();
        while let Some(step) = log.step(u64::MAX)? {
            let Step::Action(action) = step else { continue };
            for access in &action.accesses {
                if access.write && matches!(access.resource, Resource::TableKey { .. }) {
                    ranks.entry(access.resource).or_default().push(access.version.0);
                }
            }
        }
    }
    ranks.values_mut().for_each(|versions| versions.sort_unstable());
    Ok(ranks)
}

/// The version of an access, the same in all runs that differ only in the order of independent steps. What a read of a table saw is identified
/// by the writer.
fn version(ranks: &Ranks, access: &Access) -> u64 {
    match access.resource {
        Resource::TableKey { .. } if access.write => {
            let versions = ranks.get(&access.resource).map_or(&[][..], Vec::as_slice);
            versions.partition_point(|version| *version < access.version.0) as u64
        }
        Resource::TableKey { .. } | Resource::TableContents(_) => 0,
        _ => access.version.0,
    }
}

/// How many actions of a process at the beginning are equal, and its first difference.
fn part(
    (a, in_first): (&Trace, &Ranks),
    (b, in_second): (&Trace, &Ranks),
    pid: Pid,
    values: bool,
) -> Result<Compared, Error> {
    let open = |trace: &Trace| -> Result<_, Error> {
        match trace.has(pid)? {
            true => Ok(Some((trace.process(pid)?.base, trace.process(pid)?.counts.actions))),
            false => Ok(None),
        }
    };
    let (in_a, in_b) = (open(a)?, open(b)?);
    let mut logs = (
        in_a.map(|_| a.log(pid)).transpose()?,
        in_b.map(|_| b.log(pid)).transpose()?,
    );
    let mut tallies = (Tally::default(), Tally::default());
    let mut equal = 0;
    let mut printed = None;
    let base = |entry: Option<(u64, u64)>| entry.map_or(0, |(base, _)| base);
    let with = |action: Option<Action>, mut tally: Tally, base: u64| {
        action.map(|action| {
            tally.add(&action);
            (action, tally, base)
        })
    };
    loop {
        let next_a = logs.0.as_mut().and_then(Iterator::next).transpose()?;
        let next_b = logs.1.as_mut().and_then(Iterator::next).transpose()?;
        let (next_a, next_b) = (next_a.map(|(_, action)| action), next_b.map(|(_, action)| action));
        match (&next_a, &next_b) {
            (None, None) => {
                return Ok(Compared {
                    equal,
                    printed,
                    parting: None,
                });
            }
            (Some(x), Some(y)) if same((a, in_first, x), (b, in_second, y), values) => {
                if printed.is_none() && matches!(x.kind, Kind::Output { .. }) && x.kind != y.kind {
                    printed = Some(Parting {
                        pid,
                        number: ActionNo(equal + 1),
                        in_a: with(Some(x.clone()), tallies.0, base(in_a)),
                        in_b: with(Some(y.clone()), tallies.1, base(in_b)),
                    });
                }
                tallies.0.add(x);
                tallies.1.add(y);
                equal += 1;
            }
            _ => {
                return Ok(Compared {
                    equal,
                    printed,
                    parting: Some(Parting {
                        pid,
                        number: ActionNo(equal + 1),
                        in_a: with(next_a, tallies.0, base(in_a)),
                        in_b: with(next_b, tallies.1, base(in_b)),
                    }),
                });
            }
        }
    }
}

/// The number of bytes in the value of a cancelled timer that had not fired.
const LEFT: usize = 8;

/// Are two actions equal? Texts are compared by contents, and replay data is ignored.
fn same(
    (a, in_first, x): (&Trace, &Ranks, &Action),
    (b, in_second, y): (&Trace, &Ranks, &Action),
    values: bool,
) -> bool {
    let kinds = match (&x.kind, &y.kind) {
        (Kind::Signal { tag: s, .. }, Kind::Signal { tag: t, .. }) => s == t,
        (Kind::Input { .. }, Kind::Input { .. }) if !values => true,
        (Kind::Output { device: d, .. }, Kind::Output { device: e, .. }) if !values => {
            name::device(a, *d) == name::device(b, *e)
        }
        (Kind::Observe { of: p, .. }, Kind::Observe { of: q, .. }) if !values => p == q,
        // How many milliseconds a cancelled timer had left depends on the clock.
        (Kind::Drop { tag: s, value: v }, Kind::Drop { tag: t, value: w }) if !values && v.len() == LEFT => {
            s == t && w.len() == LEFT
        }
        (p, q) => p == q,
    };
    if !kinds || x.sends != y.sends || x.accesses.len() != y.accesses.len() {
        return false;
    }
    x.accesses.iter().zip(&y.accesses).all(|(p, q)| {
        p.write == q.write
            && version(in_first, p) == version(in_second, q)
            && p.by == q.by
            && (p.resource == q.resource && std::ptr::eq(a, b)
                || session::name::access(a, p) == session::name::access(b, q))
    })
}

/// Is there no other difference in the past of this one, in this trace?
fn is_first(trace: &Trace, parting: &Parting, all: &FxHashMap<Pid, Parting>, in_a: bool) -> Result<bool, Error> {
    let there = if in_a {
        parting.in_a.is_some()
    } else {
        parting.in_b.is_some()
    };
    // If the log only ends earlier, its last action counts.
    let number = if there { parting.number.0 } else { parting.number.0 - 1 };
    if !trace.has(parting.pid)? || number == 0 {
        return Ok(true);
    }
    let past = causality::causes(trace, ActionId::new(parting.pid, number))?;
    let first = past
        .iter()
        .all(|last| last.pid == parting.pid || all.get(&last.pid).is_none_or(|other| last.number < other.number));
    Ok(first)
}

//! `replay diff`: the causally first actions in which two runs of one program differ.

use std::sync::Arc;

use log_format::{Access, Action, ActionId, ActionNo, Kind, LogStep, Pid, Resource, Trace};
use rustc_hash::FxHashMap;

mod decided;
mod identity;

use identity::{Kin, Labels};

use crate::cli::shared::{ShowArgs, TimeArgs};
use crate::commands::{Out, open};
use crate::exit::Exit;
use crate::render;
use crate::spoken::ready;
use crate::view::{Act, Diff, Difference};
use clap::Args;
use session::Session;
use session::act;
use session::called::ProcessNames;
use session::error::Error;
use session::name::{self, ActionTally};
use session::shared::{SeenNames, SharedUse};
use session::subject::ShownBounds;
use std::path::PathBuf;

/// `replay diff`.
#[derive(Args, Debug)]
#[command(after_help = "Exit code 1: the runs differ.\n\nExample: replay diff good.bin bad.bin")]
pub struct DiffArgs {
    /// The first trace
    #[arg(value_name = "A")]
    pub a: PathBuf,
    /// The second trace
    #[arg(value_name = "B")]
    pub b: PathBuf,
    /// Values of inputs and observations, such as clocks and random numbers, count too
    #[arg(long)]
    pub values: bool,
    #[command(flatten)]
    pub time: TimeArgs,
    #[command(flatten)]
    pub show: ShowArgs,
}

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
    let run = (identity::labels(&a), identity::labels(&b));
    let mut view = compare((&a, &run.0), (&b, &run.1), args.values, limit)?;
    let bounds = crate::commands::run::bounds(out, args.show);
    if !view.differences.is_empty() && view.other_code.is_empty() {
        let kin = Kin::of(&a, &b, (&run.0, &run.1))?;
        view.decided = decided::decided(&a, &b, (&kin, args.time.limits()), &bounds);
    }
    let acts = view.differences.iter_mut().chain(&mut view.printed);
    let (in_a, in_b): (Vec<_>, Vec<_>) = acts.map(|one| (&mut one.a, &mut one.b)).unzip();
    fill(&a, in_a, &bounds);
    fill(&b, in_b, &bounds);
    for difference in view.differences.iter_mut().chain(&mut view.printed) {
        if !look_alike(difference) {
            difference.notes.clear();
        }
    }
    out.view(&view, args.show, render::text::diff)?;
    Ok(if view.differences.is_empty() {
        Exit::Success
    } else {
        Exit::Different
    })
}

/// Adds contents and places from a replay. If that is not possible (the trace has no program, say) or would take long, the log alone is shown.
fn fill(trace: &Arc<Trace>, acts: Vec<&mut Option<Act>>, bounds: &ShownBounds) {
    const SMALL: u64 = 1_000_000;
    let wanted: Vec<ActionId> = acts
        .iter()
        .filter_map(|act| act.as_ref().map(|act| ActionId::new(act.pid, act.number)))
        .collect();
    if wanted.is_empty() || trace.totals().counts.actions > SMALL {
        return;
    }
    let Ok(seen) =
        Session::of(Arc::clone(trace)).and_then(|session| session::scene::acts(&ready(session), &wanted, bounds))
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
    /// The process as the first run names it, or the second where only that has it.
    pid: Pid,
    /// What it is in each of the runs.
    pids: (Option<Pid>, Option<Pid>),
    number: ActionNo,
    in_a: Option<(Action, ActionTally, u64)>,
    in_b: Option<(Action, ActionTally, u64)>,
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

/// Compares two traces. By [LPV19, Theorem 1] the runs are equal up to the order of independent steps exactly when the logs are. Processes are the
/// same where they are the j-th children of the same parents.
///
/// `values`: values of inputs and observations count too, and so do lengths of printed texts, which follow from values. Execution points of
/// exit signals never count (semantics.md §2).
///
/// # Errors
/// If a trace is damaged.
pub fn diff(a: &Trace, b: &Trace, values: bool, limit: usize) -> Result<Diff, Error> {
    let nothing = Labels::default();
    compare((a, &nothing), (b, &nothing), values, limit)
}

/// The same, where it is known what the processes run.
fn compare(
    (a, run_in_a): (&Trace, &Labels),
    (b, run_in_b): (&Trace, &Labels),
    values: bool,
    limit: usize,
) -> Result<Diff, Error> {
    let kin = Kin::of(a, b, (run_in_a, run_in_b))?;
    let mut pids: Vec<(Option<Pid>, Option<Pid>)> = Vec::new();
    for process in a.processes() {
        let pid = process?.pid;
        pids.push((Some(pid), kin.in_second(pid)));
    }
    for process in b.processes() {
        let pid = process?.pid;
        if !kin.is_in_both(pid) {
            pids.push((None, Some(pid)));
        }
    }
    let (mut equal, mut processes) = (0, 0);
    let (mut printed, mut partings) = (Vec::new(), Vec::new());
    let ranks = (ranks(a)?, ranks(b)?);
    let second = Second {
        trace: b,
        ranks: &ranks.1,
        kin: &kin,
    };
    for &pids in &pids {
        let compared = part((a, &ranks.0), &second, pids, values)?;
        equal += compared.equal;
        printed.extend(compared.printed);
        processes += u64::from(compared.parting.is_none());
        partings.extend(compared.parting);
    }
    let all = partings.len();
    let mut first = firsts(a, b, partings)?;
    first.sort_by_key(|parting| parting.pid);
    let follow = (all - first.len()) as u64;
    let more = first.len().saturating_sub(limit) as u64;
    let difference = |parting: &Parting| Difference {
        pid: parting.pid.to_string(),
        number: parting.number.0,
        a: view(a, parting.pids.0, parting.in_a.as_ref()),
        b: view(b, parting.pids.1, parting.in_b.as_ref()),
        notes: notes((a, &ranks.0), &second, parting),
    };
    Ok(Diff {
        decided: None,
        other_code: other_code(a, b)?,
        equal_actions: equal,
        equal_processes: processes,
        differences: first.iter().take(limit).map(difference).collect(),
        more,
        follow,
        printed: printed.iter().take(limit).map(difference).collect(),
    })
}

/// First are those whose causes are the same in both runs: a parting that has another one in its past only follows from it. Where each is preceded
/// by another in one of the runs (each run took a message that only the other's choice explains), those that are first in either.
fn firsts(a: &Trace, b: &Trace, partings: Vec<Parting>) -> Result<Vec<Parting>, Error> {
    let in_a = are_first(a, &partings, |one| (one.pids.0, one.in_a.is_some()))?;
    let in_b = are_first(b, &partings, |one| (one.pids.1, one.in_b.is_some()))?;
    let in_both = in_a.iter().zip(&in_b).any(|(a, b)| *a && *b);
    let wanted = |(a, b): (&bool, &bool)| if in_both { *a && *b } else { *a || *b };
    let wanted: Vec<bool> = in_a.iter().zip(&in_b).map(wanted).collect();
    let list = partings.into_iter().zip(wanted);
    Ok(list.filter_map(|(parting, wanted)| wanted.then_some(parting)).collect())
}

/// Which partings have no other one in their past, in this trace? One pass over it.
fn are_first(
    trace: &Trace,
    partings: &[Parting],
    here: impl Fn(&Parting) -> (Option<Pid>, bool),
) -> Result<Vec<bool>, Error> {
    let there = |parting: &Parting| {
        let (pid, there) = here(parting);
        Some(ActionId::new(pid.filter(|_| there)?, parting.number.0))
    };
    let spread = causality::first_of_all(trace, partings.iter().filter_map(there))?;
    let is_first = |parting: &Parting| match (here(parting), there(parting)) {
        (_, Some(id)) => spread.first.contains(&id),
        // Of a log that only ends earlier, what it did last is looked at.
        ((Some(pid), false), None) => spread.future.first(pid).is_none_or(|first| first >= parting.number),
        _ => true,
    };
    Ok(partings.iter().map(is_first).collect())
}

/// The modules whose sources differ. A module that only one run came to load says nothing about the program, unless it is the entry's.
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

/// Would both sides be the same words?
fn look_alike(difference: &Difference) -> bool {
    match (&difference.a, &difference.b) {
        (Some(a), Some(b)) => render::text::words(a) == render::text::words(b) && a.signal == b.signal,
        _ => false,
    }
}

/// What differs between two actions that may look alike.
fn notes((a, in_first): (&Trace, &Ranks), second: &Second<'_>, parting: &Parting) -> Vec<String> {
    let (Some((x, ..)), Some((y, ..))) = (&parting.in_a, &parting.in_b) else {
        return Vec::new();
    };
    let mut notes = Vec::new();
    for pid in Kin::named(y) {
        if !second.kin.is_in_both(pid) {
            notes.push(format!("{pid} of the second run is not in the first"));
        } else if second.kin.in_first(pid) != pid {
            let there = second.kin.in_first(pid);
            notes.push(format!("{pid} of the second run is {there} of the first"));
        }
    }
    match (&x.kind, &y.kind) {
        (Kind::Rec(s), Kind::Rec(t)) if *s != second.kin.translated_tag(*t) => {
            notes.push(format!("it comes from {s} in the first run, from {t} in the second"));
        }
        (Kind::Rec(_), Kind::Rec(_)) => {}
        (p, q) if p.word() == q.word() && *p != *q && notes.is_empty() => {
            notes.push("the recorded values differ".to_owned());
        }
        _ => {}
    }
    let unseen = SeenNames::default();
    for (p, q) in x.accesses.iter().zip(&y.accesses) {
        let (one, other) = (SharedUse::of(a, p, unseen), SharedUse::of(second.trace, q, unseen));
        if !one.is_like(&other) {
            notes.push(format!("the first {one}, the second {other}"));
        } else if version(in_first, p) != version(second.ranks, q) {
            notes.push(format!("it {one} after another number of changes"));
        }
    }
    if notes.is_empty() && x.sends != y.sends {
        notes.push(format!(
            "it sends {} signals in the first run, {} in the second",
            x.sends, y.sends
        ));
    }
    notes
}

fn view(trace: &Trace, pid: Option<Pid>, action: Option<&(Action, ActionTally, u64)>) -> Option<Act> {
    let (action, tally, base) = action?;
    let mut act = act::from_log(trace, pid?, action, tally, *base);
    act::add_names(&mut act, &ProcessNames::default());
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
            let LogStep::Action(action) = step else { continue };
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

/// The second of two runs, and what its processes are in the first.
struct Second<'t> {
    trace: &'t Trace,
    ranks: &'t Ranks,
    kin: &'t Kin,
}

/// A log that is read up to where it parts from another one.
struct Side<'t> {
    log: Option<log_format::LogReader<'t>>,
    tally: ActionTally,
    base: u64,
}

impl<'t> Side<'t> {
    fn of(trace: &'t Trace, pid: Option<Pid>) -> Result<Self, Error> {
        Ok(Self {
            log: pid.map(|pid| trace.log(pid)).transpose()?,
            tally: ActionTally::default(),
            base: pid.map_or(Ok(0), |pid| trace.process(pid).map(|process| process.base))?,
        })
    }

    fn next(&mut self) -> Result<Option<Action>, Error> {
        let next = self.log.as_mut().and_then(Iterator::next).transpose()?;
        Ok(next.map(|(_, action)| action))
    }

    /// An action as the next one of this log.
    fn with(&self, action: Option<Action>) -> Option<(Action, ActionTally, u64)> {
        let action = action?;
        let mut tally = self.tally;
        tally.add(&action);
        Some((action, tally, self.base))
    }
}

/// How many first actions of a process are equal, and where it parts.
fn part(
    (a, in_first): (&Trace, &Ranks),
    second: &Second<'_>,
    pids: (Option<Pid>, Option<Pid>),
    values: bool,
) -> Result<Compared, Error> {
    let mut sides = (Side::of(a, pids.0)?, Side::of(second.trace, pids.1)?);
    let mut compared = Compared {
        equal: 0,
        printed: None,
        parting: None,
    };
    let Some(pid) = pids.0.or(pids.1) else {
        return Ok(compared);
    };
    loop {
        let (x, y) = (sides.0.next()?, sides.1.next()?);
        let parting = |x, y, equal| Parting {
            pid,
            pids,
            number: ActionNo(equal + 1),
            in_a: sides.0.with(x),
            in_b: sides.1.with(y),
        };
        match (&x, &y) {
            (None, None) => return Ok(compared),
            (Some(one), Some(other)) if same((a, in_first, one), (second, other), values) => {
                if compared.printed.is_none() && matches!(one.kind, Kind::Output { .. }) && one.kind != other.kind {
                    compared.printed = Some(parting(x.clone(), y.clone(), compared.equal));
                }
                sides.0.tally.add(one);
                sides.1.tally.add(other);
                compared.equal += 1;
            }
            _ => {
                compared.parting = Some(parting(x, y, compared.equal));
                return Ok(compared);
            }
        }
    }
}

/// The number of bytes in the value of a cancelled timer that had not fired.
const LEFT: usize = 8;

/// Are two actions equal? Texts are compared by what they say, and replay data is left out.
fn same((a, in_first, x): (&Trace, &Ranks, &Action), (second, y): (&Second<'_>, &Action), values: bool) -> bool {
    let (b, kin) = (second.trace, second.kin);
    let named = kin.translated(y);
    let kinds = match (&x.kind, &named.kind) {
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
    let mut ours: Vec<&Access> = x.accesses.iter().collect();
    let mut theirs: Vec<(&Access, &Access)> = y.accesses.iter().zip(&named.accesses).collect();
    // A scan lists the writers of what it saw in the order of their numbers.
    if ours.len() > 1
        && ours
            .iter()
            .all(|access| matches!(access.resource, Resource::TableContents(_)))
    {
        ours.sort_by_key(|access| access.by);
        theirs.sort_by_key(|(_, access)| access.by);
    }
    let unseen = SeenNames::default();
    ours.into_iter().zip(theirs).all(|(p, (own, q))| {
        p.write == q.write
            && version(in_first, p) == version(second.ranks, own)
            && p.by == q.by
            && (p.resource == q.resource && std::ptr::eq(a, b)
                || SharedUse::of(a, p, unseen).is_like(&SharedUse::of(b, q, unseen)))
    })
}

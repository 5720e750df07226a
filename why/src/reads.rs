//! Reads that explain: what a process found in a shared resource because of an action of another process.

use log_format::{Access, Action, ActionId, ActionNo, Kind, OtherResource, Pid, Resource, Trace};

use session::error::Error;
use session::name;
use session::shared::{NamedResource, SeenNames, SharedName};
use session::view::Act;

/// How many reads of a process are shown between two of its receives.
pub const READS: usize = 3;

/// What a read found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Found {
    /// Data that another process had written.
    Data,
    /// The name that it wanted to register was held by another process.
    Taken,
    /// A name whose holder had unregistered it, or had ended.
    Freed,
    /// A name that no process had registered yet.
    Never,
    /// A process that had ended.
    Ended,
    /// A table that was deleted.
    Gone,
    /// A module that another process had loaded, deleted or purged.
    Code,
}

/// A read that is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Read {
    /// The number of the action that read.
    pub number: u64,
    /// What was read.
    pub resource: Resource,
    /// The write that it saw; `None` if there was none.
    pub by: Option<ActionId>,
    /// What it found.
    pub found: Found,
    /// Did it also write it, as a counter does?
    pub update: bool,
    /// How many other processes had written it.
    pub writers: usize,
}

/// What a process found in a shared resource, for people.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadFact {
    /// What it found.
    pub found: Found,
    /// Where.
    pub resource: NamedResource,
    /// The other process, as it is named.
    pub by: Option<String>,
    /// Did that one leave it so by its end?
    pub by_end: bool,
    /// How many other processes had written it.
    pub writers: usize,
    /// Of a name that was free: who took it later, with which action, as a target.
    pub later: Option<(Pid, String)>,
    /// Of data: what was read, if a replay saw it written.
    pub value: Option<String>,
    /// Of the name of a table that is gone: the name that the other process gave to the table.
    pub renamed: Option<SharedName>,
}

/// What a process found since its last receive that others had done, latest first. `registers` says whether an action is a call of `register`.
/// `failed`: the number of the failing action, if the action to be explained failed because a process was missing.
pub fn reads(
    trace: &Trace,
    pid: Pid,
    others: &[(u64, Action)],
    registers: impl Fn(u64) -> bool,
    failed: Option<u64>,
) -> Vec<Read> {
    let mut list = Vec::new();
    for (number, action) in others.iter().rev() {
        let fitting = action
            .accesses
            .iter()
            .filter(|access| !access.write || access.resource.is_data());
        for access in fitting {
            let Some(found) = found(
                trace,
                pid,
                action,
                access,
                registers(*number),
                failed == Some(*number + 1),
            ) else {
                continue;
            };
            let (access, writers) = match found {
                Found::Data => newest(trace, pid, action, access),
                _ => (access, 1),
            };
            list.push(Read {
                number: *number,
                resource: access.resource,
                by: access.by.filter(|by| by.number > ActionNo(0)),
                found,
                update: access.write,
                writers,
            });
            // A call makes one read that matters.
            break;
        }
    }
    list.truncate(READS);
    list
}

/// The latest of the writes to one resource that an action saw, as far as births tell their order; and how many writers there were.
fn newest<'a>(trace: &Trace, pid: Pid, action: &'a Action, first: &'a Access) -> (&'a Access, usize) {
    let by_another = |access: &&Access| {
        access
            .by
            .is_some_and(|ActionId { pid: by, number: n }| by != pid && n.0 > 0)
    };
    let fitting = action
        .accesses
        .iter()
        .filter(|access| access.resource == first.resource);
    let all: Vec<&Access> = fitting.filter(|access| is_data(access)).filter(by_another).collect();
    let is_older = |one: &Access| {
        let later = |other: &&Access| comes_before(trace, one.by, other.by);
        all.iter().any(later)
    };
    let last = all.iter().rev().find(|access| !is_older(access));
    (last.copied().unwrap_or(first), all.len())
}

/// Was one action certainly done before another: by the same process, or by an ancestor of the other's process?
fn comes_before(trace: &Trace, one: Option<ActionId>, other: Option<ActionId>) -> bool {
    let (Some(one), Some(other)) = (one, other) else {
        return false;
    };
    // If the trace is damaged, nothing is certain.
    let mut line = std::iter::once(other).chain(causality::ancestors(trace, other.pid).map_while(Result::ok));
    line.find(|at| at.pid == one.pid)
        .is_some_and(|at| one.number < at.number)
}

fn found(trace: &Trace, pid: Pid, action: &Action, access: &Access, registers: bool, failed: bool) -> Option<Found> {
    let other = access
        .by
        .filter(|ActionId { pid: by, number: n }| *by != pid && n.0 > 0);
    if is_data(access) {
        return other.map(|_| Found::Data);
    }
    if access.write {
        return None;
    }
    let is_held = access.version.0 % 2 == 1;
    match access.resource {
        Resource::Module(_) if matches!(action.kind, Kind::Version { .. }) => other.map(|_| Found::Code),
        Resource::Name(name) => {
            let refused = registers
                && !action
                    .accesses
                    .iter()
                    .any(|a| a.write && a.resource == Resource::Name(name));
            match (is_held, other) {
                (true, Some(_)) if refused => Some(Found::Taken),
                (false, Some(_)) => Some(Found::Freed),
                (false, None) if failed && access.by.is_none() => Some(Found::Never),
                _ => None,
            }
        }
        Resource::Alive(q) => other
            .filter(|ActionId { pid: by, number: n }| *by == q && ended_with(trace, q, *n))
            .map(|_| Found::Ended),
        Resource::Table(_) if !is_held => other.map(|_| Found::Gone),
        // The name of a table.
        Resource::Other(_) if !is_held && is_name_of_table(trace, access.resource) => match other {
            Some(_) => Some(Found::Gone),
            None => (failed && access.by.is_none()).then_some(Found::Never),
        },
        _ => None,
    }
}

fn is_name_of_table(trace: &Trace, resource: Resource) -> bool {
    let Resource::Other(id) = resource else { return false };
    matches!(trace.text(id).map(OtherResource::of), Ok(OtherResource::TableName(_)))
}

fn ended_with(trace: &Trace, pid: Pid, n: ActionNo) -> bool {
    let process = trace.process(pid);
    process.is_ok_and(|process| process.ended && process.counts.last_action() == n)
}

/// Does a read of this return data, and not only whether something exists? A write that depends on what it found is also a read.
const fn is_data(access: &Access) -> bool {
    access.resource.is_data() && (!access.write || access.by.is_some())
}

/// What an action used, as a noun: `key hits of the table cache`.
#[must_use]
pub fn noun(act: &Act, resource: Resource) -> Option<String> {
    let used = act.accesses.iter().find(|used| used.access.resource == resource)?;
    Some(used.resource.noun())
}

/// A read of a story as a fact; `words.rs` says it. `written`: the write that it saw; `by`: how the other process is named. `None`: the action does not use
/// that.
#[must_use]
pub fn fact(trace: &Trace, (act, written): (&Act, Option<&Act>), read: &Read, by: Option<String>) -> Option<ReadFact> {
    let used = act.accesses.iter();
    let resource = used.clone().find(|used| used.access.resource == read.resource);
    // Of a whole table it read a key that only its writer names.
    let resource = resource.map(|used| used.resource.clone()).or_else(|| {
        let mut used = used.chain(&written?.accesses);
        let used = used.find(|used| used.access.resource == read.resource)?;
        Some(used.resource.clone())
    })?;
    let writer = read.by.map(|by| trace.action(by.pid, by.number));
    Some(ReadFact {
        found: read.found,
        by,
        by_end: matches!(&writer, Some(Ok(action)) if action.is_end()),
        writers: read.writers,
        later: None,
        value: None,
        renamed: match (&resource, writer) {
            (NamedResource::TableName(_), Some(Ok(action))) => renamed_to(trace, &action, read.resource),
            _ => None,
        },
        resource,
    })
}

/// The name that an action gave to a table instead of the name `old`.
fn renamed_to(trace: &Trace, action: &Action, old: Resource) -> Option<SharedName> {
    let mut given = action
        .accesses
        .iter()
        .filter(|access| access.write && access.version.0 % 2 == 1 && access.resource != old);
    given.find_map(
        |access| match NamedResource::of(trace, access.resource, SeenNames::default()) {
            NamedResource::TableName(name) => Some(name),
            _ => None,
        },
    )
}

/// The first action that registered a name, if any.
///
/// # Errors
/// If the trace is damaged.
pub fn first_registered(trace: &Trace, resource: Resource) -> Result<Option<ActionId>, Error> {
    for process in trace.processes() {
        let pid = process?.pid;
        let mut log = trace.log(pid)?.without_values();
        while let Some(step) = log.step(u64::MAX)? {
            let log_format::LogStep::Action(action) = step else {
                continue;
            };
            let first = |a: &Access| a.write && a.resource == resource && a.version.0 == 1;
            if action.accesses.iter().any(first) {
                return Ok(Some(ActionId::new(pid, log.counts().actions)));
            }
        }
    }
    Ok(None)
}

/// The action that registered a name first, or created a table of this name, as a target.
///
/// # Errors
/// If the trace is damaged there.
pub fn later(trace: &Trace, resource: Resource) -> Result<Option<(Pid, String)>, Error> {
    let Some(ActionId { pid, number }) = first_registered(trace, resource)? else {
        return Ok(None);
    };
    let action = trace.action(pid, number)?;
    let mut tally = name::ActionTally::default();
    tally.counts.actions = number.0;
    Ok(Some((pid, name::target(pid, &action, &tally, 0))))
}

//! What the steps of a story do not show: writes that another process overwrote without having read them, and messages whose receiver had ended.

use log_format::{Access, Action, ActionId, ActionNo, Kind, LogStep, Pid, Resource, Trace, Version};
use rustc_hash::FxHashMap;

use crate::late;
use crate::scene::{Scene, whole_run};
use crate::story::{Link, Lost, OtherLoss, Overwritten, Unseen};
use session::Session;
use session::error::Error;
use session::shared::{KeyTerm, NamedResource, SharedKey};
use session::shown;
use session::subject::ShownBounds;
use session::value::Value;
use session::view::Act;
use session::watch::Wish;

/// Limits: how many writes of a story, and how many of its processes, are examined.
const WRITES: usize = 3;
const PROCESSES: usize = 4;
/// How many messages that no process received are shown.
const MESSAGES: usize = 4;
/// How many lost updates are shown besides those in the steps.
const UPDATES: usize = 2;
/// How many lost updates are rendered; those that the failure mentions are then shown.
const LOOKED_AT: usize = 24;

/// Characters of a value.
const VALUE: usize = 40;

/// A write that a step shows: the step, the resource, and the action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Write {
    /// The index of the step.
    pub link: usize,
    /// What was written.
    pub resource: Resource,
    /// The process and the action that wrote it.
    pub by: ActionId,
}

/// A write by another process, between a process's read and its own write.
struct Between {
    link: usize,
    read: ActionId,
    lost: ActionId,
}

/// Adds lost updates to the steps of a story: writes that the ones in the steps overwrote unread.
///
/// # Errors
/// The trace is damaged; the replay diverges.
pub fn explain(session: &Session, links: &mut [Link], writes: &[Write], bounds: &ShownBounds) -> Result<(), Error> {
    let trace = session.trace();
    let mut found = Vec::new();
    for write in writes.iter().take(WRITES) {
        found.extend(between(trace, write)?);
    }
    if found.is_empty() {
        return Ok(());
    }
    let wanted: Vec<ActionId> = found.iter().flat_map(|one| [one.read, one.lost]).collect();
    let acts = session::scene::acts(session, &wanted, bounds)?;
    for (one, pair) in found.iter().zip(acts.chunks(2)) {
        let (Some(link), [Some(read), Some(lost)]) = (links.get_mut(one.link), pair) else {
            continue;
        };
        link.lost = Some(Lost {
            read: read.clone(),
            lost: lost.clone(),
            line: lost.place.as_ref().and_then(|place| {
                let line = session.sources().quote_at(place, 0).pop()?;
                Some(line.text.trim().to_owned())
            }),
        });
    }
    Ok(())
}

/// An action that used one resource, with the version that it saw or made.
type Use = (ActionId, u64);

/// The last read of a resource by a process: the action, and the version that it read.
type Look = (u64, u64);

/// Two processes that both read a resource and then both wrote it, the second without having read what the first wrote.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Update {
    resource: Resource,
    /// The first process: its last read before its write, if it read the same version as the second, and its write.
    first: (Option<ActionId>, ActionId),
    /// The second process: its read and its write.
    second: (ActionId, ActionId),
    /// The writes of what was read, and of what was there when the second wrote.
    made: (Option<ActionId>, Option<ActionId>),
    /// Does the second write depend on what it found?
    depends: bool,
}

/// The uses of one resource.
#[derive(Debug, Default)]
struct Uses {
    writes: Vec<Use>,
    /// Writes by a process that had not read the current version: its last read, the action that wrote, the version that it made, and whether it depends
    /// on what it found.
    blind: Vec<(Use, (u64, u64), bool)>,
    /// For each process and version that it wrote in this way, its last read before.
    looks: FxHashMap<(Pid, Version), (u64, u64)>,
}

/// The lost updates among these actions, latest first; those in which both read the same version come before others.
fn updates(trace: &Trace, upto: &log_format::Cut) -> Result<Vec<Update>, Error> {
    let mut uses: FxHashMap<Resource, Uses> = FxHashMap::default();
    for ActionId {
        pid,
        number: ActionNo(last),
    } in upto.iter()
    {
        let mut log = trace.log(pid)?.without_values();
        // What the process read last of each resource.
        let mut seen: FxHashMap<Resource, Look> = FxHashMap::default();
        while log.counts().actions < last {
            let left = last - log.counts().actions;
            let Some(step) = log.step(left)? else { break };
            let LogStep::Action(action) = step else { continue };
            let accesses: Vec<Access> = action.accesses.clone();
            let number = log.counts().actions;
            // A scan has read all keys; the version of each is not in the log.
            for access in accesses.iter().filter(|access| !access.write) {
                if let Resource::TableContents(all) = access.resource {
                    seen.retain(|known, _| !matches!(known, Resource::TableKey { table, .. } if *table == all));
                }
            }
            // Data that a write replaces. Additions to counters commute.
            for access in accesses.iter().filter(|access| access.resource.has_key()) {
                let version = access.version.0;
                if !access.write {
                    seen.insert(access.resource, (number, version));
                    continue;
                }
                let of = uses.entry(access.resource).or_default();
                of.writes.push((ActionId::new(pid, number), version));
                // A write that depends on the old value has read it, unless it only looks whether there is one.
                let reads_too = accesses
                    .iter()
                    .any(|other| !other.write && other.resource == access.resource);
                if let Some((read, saw)) = seen.remove(&access.resource).filter(|_| !reads_too) {
                    let depends = access.by.is_some();
                    if !depends {
                        of.looks.insert((pid, access.version), (read, saw));
                    }
                    of.blind
                        .push(((ActionId::new(pid, read), saw), (number, version), depends));
                }
            }
        }
    }
    let mut found: Vec<(bool, bool, u64, Update)> = Vec::new();
    for (resource, mut of) in uses {
        of.writes.sort_unstable_by_key(|(_, version)| *version);
        for ((read, saw), (write, version), depends) in of.blind {
            let pid = read.pid;
            let place = |version: u64| of.writes.partition_point(|(_, v)| *v < version);
            let between = of
                .writes
                .get(place(saw.saturating_add(1))..place(version))
                .unwrap_or_default();
            let between = between.iter().rev().filter(|(other, _)| other.pid != pid);
            let of_same = |use_: &&Use| {
                of.looks
                    .get(&(use_.0.pid, Version(use_.1)))
                    .is_some_and(|(_, other)| *other == saw)
            };
            let Some(&(wrote, v)) = between.clone().find(of_same).or_else(|| between.clone().next()) else {
                continue;
            };
            let look = of
                .looks
                .get(&(wrote.pid, Version(v)))
                .filter(|(_, other)| *other == saw);
            let made = |version: u64| {
                let write = of.writes.get(place(version))?;
                (write.1 == version).then_some(write.0)
            };
            let update = Update {
                resource,
                first: (look.map(|(n, _)| ActionId::new(wrote.pid, *n)), wrote),
                second: (read, ActionId::new(pid, write)),
                made: (made(saw), made(version - 1)),
                depends,
            };
            found.push((depends, look.is_none(), u64::MAX - version, update));
        }
    }
    found.sort_unstable_by_key(|(depends, other, back, update)| (*depends, *other, *back, update.second.1));
    Ok(found.into_iter().map(|(.., update)| update).collect())
}

/// The lost updates among the causes of an action that its steps do not show: first those whose key these values mention.
///
/// # Errors
/// The trace is damaged; the replay diverges.
pub fn unseen(
    session: &Session,
    upto: &log_format::Cut,
    links: &[Link],
    known: &[&Value],
    bounds: &ShownBounds,
) -> Result<Vec<Unseen>, Error> {
    let trace = session.trace();
    let mut list = updates(trace, upto)?;
    list.truncate(LOOKED_AT);
    let mut wanted: Vec<ActionId> = Vec::new();
    for one in &list {
        wanted.extend([one.first.1, one.second.0, one.second.1]);
        wanted.extend(one.first.0.into_iter().chain(one.made.0).chain(one.made.1));
    }
    let Some(first) = wanted.first() else {
        return Ok(Vec::new());
    };
    let found = causality::Point::from(*first);
    let upto = causality::causes_of_all(trace, wanted.iter().copied())?;
    let system = session::scene::replay(session, &found, upto, &wanted, bounds)?;
    let names = shown::names(&system);
    let scene = Scene::new(session, &system, &names);
    let mut told: Vec<(bool, Unseen)> = Vec::new();
    // It looks only whether there is an object.
    let replaces = |id: &ActionId| {
        let native = scene.seen.get(id).and_then(|seen| seen.native);
        native.is_some_and(|native| (native.module, native.name) == ("ets", "update_element"))
    };
    for one in list.iter().filter(|one| !one.depends || replaces(&one.second.1)) {
        let act = |id: ActionId| scene.act(id.pid, id.number.0);
        let (Some(first), Some(read), Some(second)) = (act(one.first.1)?, act(one.second.0)?, act(one.second.1)?)
        else {
            continue;
        };
        let told_by = |link: &Link| link.lost.as_ref().is_some_and(|lost| lost.read.target == read.target);
        let in_step = links.iter().any(told_by);
        let used = read.accesses.iter().find(|used| used.access.resource == one.resource);
        let Some(used) = used.map(|used| used.resource.clone()) else {
            continue;
        };
        let key = match &used {
            NamedResource::TableKey { key, .. } => key.terms(),
            _ => &[],
        };
        let spoken = key.iter().any(|key| known.iter().any(|value| value.holds(&key.value)));
        let values = overwritten(&scene, one, key);
        // Once for each thing that was written.
        if let Some((_, other)) = told.iter_mut().find(|(_, other)| other.what == used) {
            if let Some(values) = values {
                other.others.push(OtherLoss { second, values });
            }
            continue;
        }
        let line = second.place.as_ref().and_then(|place| scene.line(place));
        told.push((
            !(spoken || in_step),
            Unseen {
                what: used,
                spoken,
                in_step,
                first_read: one.first.0.map(act).transpose()?.flatten(),
                first,
                second_read: read,
                second,
                line,
                values,
                others: Vec::new(),
            },
        ));
    }
    told.sort_by_key(|(other, _)| *other);
    told.truncate(UPDATES);
    // They were found from the last one backwards.
    told.iter_mut().for_each(|(_, one)| one.others.reverse());
    Ok(told.into_iter().map(|(_, one)| one).collect())
}

/// The values of a lost update, for people.
fn overwritten(scene: &Scene<'_>, one: &Update, key: &[KeyTerm]) -> Option<Overwritten> {
    let text = |by: Option<ActionId>| written_at(scene, by?, key);
    Some(Overwritten {
        read: text(one.made.0)?,
        over: text(one.made.1)?,
        wrote: text(Some(one.second.1))?,
    })
}

/// What an action wrote to a key, or to something shared that has none, for people.
pub(crate) fn written_to(scene: &Scene<'_>, by: ActionId, key: Option<&SharedKey>) -> Option<String> {
    written_at(scene, by, key.map_or(&[], SharedKey::terms))
}

fn written_at(scene: &Scene<'_>, by: ActionId, key: &[KeyTerm]) -> Option<String> {
    let value = value_of_key(scene.seen.get(&by)?.written.as_ref()?, key);
    Some(session::words::cut(&value.shown(scene.terms()).to_string(), VALUE))
}

/// What an object, or one of several, has besides its key. It is shown whole if it is not a pair.
fn value_of_key<'v>(written: &'v Value, key: &[KeyTerm]) -> &'v Value {
    let Some(key) = key.first() else { return written };
    let of_key = |object: &&Value| object.tuple().contains(&key.value);
    let object = match written {
        Value::List(objects, None) => objects.iter().find(of_key).unwrap_or(written),
        _ => written,
    };
    match object.tuple() {
        [first, value] if *first == key.value => value,
        _ => object,
    }
}

fn access(action: &Action, resource: Resource) -> Option<&Access> {
    action.accesses.iter().find(|access| access.resource == resource)
}

/// The last write by another process between the writer's last read and its write.
fn between(trace: &Trace, write: &Write) -> Result<Option<Between>, Error> {
    let pid = write.by.pid;
    let action = trace.action(pid, write.by.number)?;
    let Some(own) = access(&action, write.resource).filter(|access| access.write && access.by.is_none()) else {
        return Ok(None);
    };
    let version = own.version.0;
    let Some((read, seen)) = last_read(trace, write.by, write.resource)? else {
        return Ok(None);
    };
    // Its own writes since do not count.
    let mut lost = None;
    for process in trace.processes() {
        let other = process?.pid;
        if other == pid {
            continue;
        }
        let mut log = trace.log(other)?.without_values();
        while let Some(step) = log.step(u64::MAX)? {
            let LogStep::Action(action) = step else { continue };
            let wrote = access(action, write.resource).filter(|access| access.write);
            if let Some(wrote) = wrote.map(|access| access.version.0)
                && (seen + 1..version).contains(&wrote)
                && lost.as_ref().is_none_or(|(known, _)| wrote > *known)
            {
                lost = Some((wrote, ActionId::new(other, log.counts().actions)));
            }
        }
    }
    Ok(lost.map(|(_, lost)| Between {
        link: write.link,
        read: ActionId::new(pid, read),
        lost,
    }))
}

/// The last action of a process before this one that read a resource, and the version that it read.
fn last_read(trace: &Trace, before: ActionId, resource: Resource) -> Result<Option<(u64, u64)>, Error> {
    let n = before.number.0;
    let mut log = trace.log(before.pid)?.without_values();
    let mut found = None;
    while log.counts().actions + 1 < n {
        let left = n - 1 - log.counts().actions;
        match log.step(left)? {
            None => break,
            Some(LogStep::Sends(_)) => {}
            Some(LogStep::Action(action)) => {
                let read = access(action, resource).filter(|access| !access.write);
                let is_scan = |access: &Access| match (access.resource, resource) {
                    (Resource::TableContents(all), Resource::TableKey { table, .. }) => all == table,
                    _ => false,
                };
                if let Some(version) = read.map(|access| access.version.0) {
                    found = Some((log.counts().actions, version));
                } else if action.accesses.iter().any(is_scan) {
                    // The version of the key that it read is not in the log.
                    found = None;
                }
            }
        }
    }
    Ok(found)
}

/// If a process found a name taken: its own earlier look at that name, when no process had it.
///
/// # Errors
/// The trace is damaged.
pub fn free_before(trace: &Trace, pid: Pid, n: u64, resource: Resource) -> Result<Option<u64>, Error> {
    let seen = last_read(trace, ActionId::new(pid, n), resource)?;
    Ok(seen.filter(|(_, version)| version % 2 == 0).map(|(read, _)| read))
}

/// Messages to the processes of a story that were never received because these had ended normally.
///
/// # Errors
/// The trace is damaged; the replay diverges.
pub fn never_received(session: &Session, pids: &[Pid], bounds: &ShownBounds) -> Result<Vec<(String, Act)>, Error> {
    let trace = session.trace();
    let mut mail = FxHashMap::default();
    for &pid in pids {
        if mail.len() >= PROCESSES {
            break;
        }
        let process = trace.process(pid)?;
        if !process.ended || mail.contains_key(&pid) {
            continue;
        }
        let last = process.counts.last_action();
        let by_itself = Kind::Exit {
            class: log_format::ExitClass::Normal,
        };
        if trace.action(pid, last)?.kind == by_itself {
            mail.insert(pid, late::received(trace, pid, last.0)?);
        }
    }
    if mail.is_empty() {
        return Ok(Vec::new());
    }
    let receivers: Vec<Pid> = mail.keys().copied().collect();
    let wish = Wish {
        chars: bounds.chars,
        variables: session::scene::FRAMES,
        mail,
        ..Wish::default()
    };
    let Some(system) = whole_run(session, wish) else {
        return Ok(Vec::new());
    };
    let names = shown::names(&system);
    let scene = Scene::new(session, &system, &names);
    let mut told = Vec::new();
    for &ActionId {
        pid,
        number: ActionNo(n),
    } in &system.observer.mailed
    {
        let to = system
            .observer
            .seen
            .get(&ActionId::new(pid, n))
            .and_then(|seen| seen.peer);
        let Some(to) = to.filter(|to| receivers.contains(to) && *to != pid) else {
            continue;
        };
        // The library's own replies (a late reply) are not worth showing.
        if told.len() < MESSAGES
            && !scene.is_routine(pid, n)
            && let Some(act) = scene.act(pid, n)?
        {
            told.push((scene.who(to, None), act));
        }
    }
    Ok(told)
}

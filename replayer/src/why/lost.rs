//! What a story of causes leaves out: a write that another one undid without having seen it, and messages that came to nobody because their
//! receiver had ended.

use log_format::{Access, Action, ActionNo, Kind, Pid, Resource, Step, Trace};
use rustc_hash::FxHashMap;

use super::late;
use super::story::{Link, Lost};
use super::tell::Scene;
use crate::commands::run;
use crate::error::Error;
use crate::session::{Goal, Session};
use crate::subject::Bounds;
use crate::view::Act;
use crate::watch::{Watcher, Wish};

/// So many of the writes of a story are looked into, and so many processes of it.
const WRITES: usize = 3;
const PROCESSES: usize = 4;
/// So many messages that nobody received are told.
const MESSAGES: usize = 4;

/// A write that a story tells of: which link does, what was written, and with which action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Write {
    /// The place of the link.
    pub link: usize,
    /// What was written.
    pub resource: Resource,
    /// By whom.
    pub by: (Pid, u64),
}

/// What another process wrote after a process had read and before it wrote itself.
struct Between {
    link: usize,
    read: (Pid, u64),
    lost: (Pid, u64),
}

/// Adds to the links of a story the writes that those they tell of undid unseen: lost updates.
///
/// # Errors
/// The trace is damaged; the replay diverges.
pub fn explain(session: &Session, links: &mut [Link], writes: &[Write], bounds: &Bounds) -> Result<(), Error> {
    let trace = session.trace();
    let mut found = Vec::new();
    for write in writes.iter().take(WRITES) {
        found.extend(between(trace, write)?);
    }
    if found.is_empty() {
        return Ok(());
    }
    let wanted: Vec<(Pid, u64)> = found.iter().flat_map(|one| [one.read, one.lost]).collect();
    let acts = super::sends(session, &wanted, bounds)?;
    for (one, pair) in found.iter().zip(acts.chunks(2)) {
        let (Some(link), [Some(read), Some(lost)]) = (links.get_mut(one.link), pair) else {
            continue;
        };
        link.lost = Some(Lost {
            read: read.clone(),
            lost: lost.clone(),
            line: lost.place.as_ref().and_then(|place| {
                let line = session.sources().quote(&place.file, place.line, 0).pop()?;
                Some(line.text.trim().to_owned())
            }),
        });
    }
    Ok(())
}

fn access(action: &Action, resource: Resource) -> Option<&Access> {
    action.accesses.iter().find(|access| access.resource == resource)
}

/// The last write by another process between the last look of who wrote and the write itself.
fn between(trace: &Trace, write: &Write) -> Result<Option<Between>, Error> {
    let (pid, n) = write.by;
    let action = trace.action(pid, ActionNo(n))?;
    let Some(own) = access(&action, write.resource).filter(|access| access.write && access.by.is_none()) else {
        return Ok(None);
    };
    let version = own.version.0;
    let Some((read, seen)) = last_read(trace, (pid, n), write.resource)? else {
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
            let Step::Action(action) = step else { continue };
            let wrote = access(action, write.resource).filter(|access| access.write);
            if let Some(wrote) = wrote.map(|access| access.version.0)
                && (seen + 1..version).contains(&wrote)
                && lost.as_ref().is_none_or(|(known, _)| wrote > *known)
            {
                lost = Some((wrote, (other, log.counts().actions)));
            }
        }
    }
    Ok(lost.map(|(_, lost)| Between {
        link: write.link,
        read: (pid, read),
        lost,
    }))
}

/// The last action of a process before this one that read a resource, and the version that it saw.
fn last_read(trace: &Trace, (pid, n): (Pid, u64), resource: Resource) -> Result<Option<(u64, u64)>, Error> {
    let mut log = trace.log(pid)?.without_values();
    let mut found = None;
    while log.counts().actions + 1 < n {
        let left = n - 1 - log.counts().actions;
        match log.step(left)? {
            None => break,
            Some(Step::Sends(_)) => {}
            Some(Step::Action(action)) => {
                let read = access(action, resource).filter(|access| !access.write);
                if let Some(version) = read.map(|access| access.version.0) {
                    found = Some((log.counts().actions, version));
                }
            }
        }
    }
    Ok(found)
}

/// Where a process found a name taken: its own earlier look at it, when nobody had it.
///
/// # Errors
/// The trace is damaged.
pub fn free_before(trace: &Trace, pid: Pid, n: u64, resource: Resource) -> Result<Option<u64>, Error> {
    let seen = last_read(trace, (pid, n), resource)?;
    Ok(seen.filter(|(_, version)| version % 2 == 0).map(|(read, _)| read))
}

/// Messages to the processes of a story that nobody received, since these had ended by themselves, as they should.
///
/// # Errors
/// The trace is damaged; the replay diverges.
pub fn never_received(session: &Session, pids: &[Pid], bounds: &Bounds) -> Result<Vec<(String, Act)>, Error> {
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
        variables: super::FRAMES,
        mail,
        ..Wish::default()
    };
    let system = session.replay(&Goal::everything(), Watcher::new(wish))?;
    let names = run::names(&system);
    let scene = Scene::new(session, &system, &names);
    let mut told = Vec::new();
    for &(pid, n) in &system.observer.mailed {
        let to = system.observer.seen.get(&(pid, n)).and_then(|seen| seen.peer);
        let Some(to) = to.filter(|to| receivers.contains(to) && *to != pid) else {
            continue;
        };
        // The library's own answers (a late reply) are no news.
        if told.len() < MESSAGES
            && !scene.is_routine(pid, n)
            && let Some(act) = scene.act(pid, n)?
        {
            told.push((scene.who(to, None), act));
        }
    }
    Ok(told)
}

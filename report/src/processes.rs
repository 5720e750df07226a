//! The lanes of a page: processes in the order of the spawn tree, each below its parent, with names for people.

use std::collections::BTreeMap;

use log_format::{Node, Pid, Trace};
use rustc_hash::FxHashMap;

use crate::head;
use crate::pick::Picked;
use crate::watch::Scene;
use log_format::ActionId;
use serde::{Serialize, Serializer};
use session::called::ProcessName;
use session::program::Sources;
use session::watch::{SeenAction, SeenFrame};
use session::words::{LocalFunction, MadeOf};
use why::story::Why;

/// Limit: ancestors of a process that are followed to find its place.
const ANCESTORS: usize = 100_000;

/// A process of a page.
pub struct Lane {
    /// The process.
    pub pid: Pid,
    /// What it is called, if that is known.
    pub name: Option<ProcessName>,
    /// The index of its parent.
    pub parent: i32,
    /// How many actions it did in the run.
    pub actions: u64,
    /// Its node, if that is not the one on which the run began.
    pub node: Option<String>,
}

/// The name of a lane in parts, so that the page can make it shorter: `["fun", "main", "/0"]`, or a name that is not made shorter.
pub enum LaneName<'a> {
    /// A registered name, a behaviour, or what is not known.
    Whole(&'a str),
    /// A function that it runs.
    Function(&'a LocalFunction),
}

impl<'a> LaneName<'a> {
    /// The name of a lane.
    pub fn of(lane: &'a Lane) -> Self {
        match &lane.name {
            None => Self::Whole(""),
            Some(name) => name.function().map_or(Self::Whole(&name.text), Self::Function),
        }
    }
}

impl Serialize for LaneName<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Whole(name) => name.serialize(serializer),
            Self::Function(function) => {
                let made_of = function.made_of.map_or("", MadeOf::word);
                (made_of, &function.name, &function.arity).serialize(serializer)
            }
        }
    }
}

/// The processes of a page, parents first.
///
/// # Errors
/// The trace is damaged.
pub fn lanes(
    trace: &Trace,
    picked: &Picked,
    peers: &[Pid],
    scene: &Scene,
    sources: &Sources,
) -> log_format::Result<Vec<Lane>> {
    let mut parents: BTreeMap<Pid, Option<Pid>> = BTreeMap::new();
    let mut wanted: BTreeMap<Pid, ()> = BTreeMap::new();
    for pid in picked.keys().chain(peers) {
        if !trace.has(*pid)? {
            continue;
        }
        wanted.insert(*pid, ());
        let mut at = *pid;
        for _ in 0..ANCESTORS {
            if parents.contains_key(&at) {
                break;
            }
            let parent = trace.process(at)?.parent.map(|spawn| spawn.pid);
            parents.insert(at, parent);
            match parent {
                Some(parent) if trace.has(parent)? => at = parent,
                _ => break,
            }
        }
    }
    let mut children: BTreeMap<Option<Pid>, Vec<Pid>> = BTreeMap::new();
    for (pid, parent) in &parents {
        let parent = parent.filter(|parent| parents.contains_key(parent));
        children.entry(parent).or_default().push(*pid);
    }
    let mut open: Vec<(Pid, i32)> = roots(&mut children, None, -1);
    let mut lanes: Vec<Lane> = Vec::new();
    while let Some((pid, above)) = open.pop() {
        let mut parent = above;
        if wanted.contains_key(&pid) {
            let process = trace.process(pid)?;
            let is_elsewhere = process.node != Node(0);
            lanes.push(Lane {
                node: is_elsewhere.then(|| session::name::node_name(trace, process.node)),
                pid,
                name: name(pid, picked, scene, sources),
                parent: above,
                actions: process.counts.actions,
            });
            parent = lanes.len() as i32 - 1;
        }
        open.extend(roots(&mut children, Some(pid), parent));
    }
    Ok(lanes)
}

/// The children of a process, the first at the end.
fn roots(children: &mut BTreeMap<Option<Pid>, Vec<Pid>>, of: Option<Pid>, parent: i32) -> Vec<(Pid, i32)> {
    let list = children.remove(&of).unwrap_or_default();
    list.into_iter().rev().map(|pid| (pid, parent)).collect()
}

/// The indices of processes.
pub fn indices(lanes: &[Lane]) -> FxHashMap<Pid, i32> {
    lanes
        .iter()
        .enumerate()
        .map(|(at, lane)| (lane.pid, at as i32))
        .collect()
}

/// How many actions of a process are looked at for its name.
const LOOKED_AT: usize = 8;

/// A fun that only calls a function is called by the name of that function, and a process of the library that calls the program, such as that of a
/// test, by the program's function.
fn name(pid: Pid, picked: &Picked, scene: &Scene, sources: &Sources) -> Option<ProcessName> {
    let known = scene.names.get(&pid).cloned();
    if known.as_ref().is_some_and(ProcessName::is_lasting) {
        return known;
    }
    let list = picked.get(&pid).map(Vec::as_slice).unwrap_or_default();
    let mut acts = list
        .iter()
        .filter_map(|number| scene.seen.get(&ActionId::new(pid, *number)));
    let is_own = |frame: &&SeenFrame| frame.place.as_ref().is_some_and(|place| sources.owns(&place.file));
    // The program's innermost activation comes first; the others follow from the outermost on.
    let others = |seen: &'_ SeenAction| -> Vec<SeenFrame> {
        let all = seen.frames.as_slice();
        let rest = all
            .split_first()
            .map_or(all, |(head, rest)| if is_own(&head) { rest } else { all });
        rest.to_vec()
    };
    let looked_at: Vec<Vec<SeenFrame>> = acts
        .clone()
        .take(LOOKED_AT)
        .map(others)
        .filter(|rest| !rest.is_empty())
        .collect();
    let is_of_program = looked_at.iter().any(|rest| rest.first().as_ref().is_some_and(is_own));
    let made_of = known.as_ref().and_then(|name| name.function()?.made_of);
    if matches!(made_of, Some(MadeOf::Fun | MadeOf::Fn)) && is_of_program {
        let called = looked_at.iter().filter_map(|rest| {
            let mut names = rest.iter().filter(is_own).filter_map(function);
            names.find(|name| name.made_of.is_none())
        });
        return most_frequent(called).map(ProcessName::of_function).or(known);
    }
    if looked_at.is_empty() || is_of_program {
        return known;
    }
    // The library's outermost function says nothing: the program's first one does.
    let own = acts.find_map(|seen| seen.frames.first().filter(is_own).and_then(function));
    own.map(|name| ProcessName::of_function(name.written())).or(known)
}

/// Calls processes as the story does, and those of a function by the name that they had: a process that ended has none.
pub fn rename(lanes: &mut [Lane], why: &Why, registered: &BTreeMap<Pid, String>) {
    let mut names: FxHashMap<String, ProcessName> = FxHashMap::default();
    let acts = why.links.iter().flat_map(|link| {
        let sent = link.sent.as_ref().map(|sent| &sent.act);
        std::iter::once(&link.act).chain(sent)
    });
    let decided = why.decided.iter().flat_map(head::flips);
    let decided = decided.flat_map(|flip| {
        let sides = [flip.made.act.as_ref(), flip.instead.act.as_ref()];
        sides.into_iter().flatten().chain([&flip.at])
    });
    let told = acts.chain(decided).map(|act| (act.pid.to_string(), act.name.clone()));
    let waits = why.waits.iter().map(|wait| (wait.pid.clone(), wait.name.clone()));
    let own = (why.process.pid.clone(), why.process.name.clone());
    let told = told.chain(waits).chain([own]);
    let told = told.filter_map(|(pid, name)| Some((pid, name?)));
    let had = registered
        .iter()
        .map(|(pid, name)| (pid.to_string(), ProcessName::registered(name)));
    for (pid, name) in told.chain(had).filter(|(_, name)| name.is_lasting()) {
        names.entry(pid).or_insert(name);
    }
    let lasts = |lane: &Lane| lane.name.as_ref().is_some_and(ProcessName::is_lasting);
    for lane in lanes.iter_mut().filter(|lane| !lasts(lane)) {
        if let Some(name) = names.remove(&lane.pid.to_string()) {
            lane.name = Some(name);
        }
    }
}

/// The function of an activation, without its module.
fn function(frame: &SeenFrame) -> Option<LocalFunction> {
    let place = frame.place.as_ref()?;
    Some(LocalFunction::of(&place.function.local(), place.terms))
}

/// The most frequent of some names; of several, the one that came first.
fn most_frequent(names: impl Iterator<Item = LocalFunction>) -> Option<LocalFunction> {
    let mut counts: Vec<(LocalFunction, usize)> = Vec::new();
    for name in names {
        match counts.iter_mut().find(|(known, _)| *known == name) {
            Some((_, count)) => *count += 1,
            None => counts.push((name, 1)),
        }
    }
    let most = counts.iter().map(|(_, count)| *count).max()?;
    counts
        .into_iter()
        .find(|(_, count)| *count == most)
        .map(|(name, _)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    use interpreter::print::Terms;

    #[test]
    fn the_name_of_a_lane_is_in_parts() {
        let lane = |name| Lane {
            pid: Pid(4),
            name,
            parent: -1,
            actions: 1,
            node: None,
        };
        let json = |name| serde_json::to_string(&LaneName::of(&lane(name))).expect("it is JSON");
        let function = |name| ProcessName::of_function(LocalFunction::of(name, Terms::Erlang));
        assert_eq!(json(None), r#""""#);
        assert_eq!(json(Some(ProcessName::registered("a/b"))), r#""'a/b'""#);
        assert_eq!(json(Some(function("loop/2"))), r#"["","loop","/2"]"#);
        assert_eq!(json(Some(function("-main/0-fun-1-/3"))), r#"["fun","main","/0"]"#);
    }
}

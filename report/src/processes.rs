//! The lanes of a page: processes in the order of the spawn tree, each below its parent, with names for people.

use std::collections::BTreeMap;

use log_format::{Pid, Trace};
use rustc_hash::FxHashMap;

use crate::pick::Picked;
use crate::watch::Scene;
use log_format::ActionId;
use session::program::Sources;
use session::watch::SeenFrame;
use session::words;

/// Limit: ancestors of a process that are followed to find its place.
const ANCESTORS: usize = 100_000;

/// A process of a page.
pub struct Lane {
    /// The process.
    pub pid: Pid,
    /// What it is called.
    pub name: String,
    /// The index of its parent.
    pub parent: i32,
    /// How many actions it did in the run.
    pub actions: u64,
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
            lanes.push(Lane {
                pid,
                name: name(pid, picked, scene, sources),
                parent: above,
                actions: trace.process(pid)?.counts.actions,
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

/// A fun that only calls a function is called by the name of that function, and a process of the library that calls the program, such as that of a
/// test, by the program's function.
fn name(pid: Pid, picked: &Picked, scene: &Scene, sources: &Sources) -> String {
    let known = scene.names.get(&pid).map(|name| words::safe(name)).unwrap_or_default();
    // A registered name, or the module of a behaviour.
    if !known.is_empty() && !known.contains('/') {
        return known;
    }
    let list = picked.get(&pid).map(Vec::as_slice).unwrap_or_default();
    let mut acts = list
        .iter()
        .filter_map(|number| scene.seen.get(&ActionId::new(pid, *number)));
    let mut all = acts.clone();
    let first = all.next().map_or(&[][..], |seen| seen.frames.as_slice());
    // The first frame is the program's innermost; the others follow from the outermost on.
    let is_own = |frame: &&SeenFrame| frame.place.as_ref().is_some_and(|place| sources.owns(&place.file));
    let rest = first
        .split_first()
        .map_or(&[][..], |(head, rest)| if is_own(&head) { rest } else { first });
    let function = |frame: &SeenFrame| {
        let place = frame.place.as_ref()?;
        let name = place
            .function
            .split_once(':')
            .map_or(place.function.as_str(), |(_, rest)| rest);
        Some(name.to_owned())
    };
    if known.starts_with("a fun in ") && rest.first().as_ref().is_some_and(is_own) {
        let mut called = rest.iter().filter(is_own).filter_map(function);
        return called.find(|name| words::function(name) == *name).unwrap_or(known);
    }
    if rest.first().as_ref().is_none_or(is_own) {
        return known;
    }
    // The library's outermost function says nothing: the program's first one does.
    let own = acts.find_map(|seen| seen.frames.first().filter(is_own).and_then(function));
    own.map_or(known, |name| {
        let shown = words::function(&name);
        shown.trim_start_matches("a fun in ").to_owned()
    })
}

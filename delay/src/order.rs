//! Causal delivery: of two messages to one process, the one that was sent causally before the other arrives first.

use std::rc::Rc;

use log_format::{ActionId, Pid, Tag};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::build::{Built, Point, act, consumed};
use crate::graph::{Graph, Node};
use crate::probe::Probe;

/// Limit: entries of clocks that are merged or looked up.
const WORK: u64 = 300_000_000;

/// What a process knows of the others: for each, the number of its last action in the past. Its own is left out.
type Clock = Rc<Vec<u32>>;

/// What was sent from one process to another: number of the sending action, and arrival.
type Channel = Vec<(u64, Node)>;

/// Adds the edges of causal delivery. `⇒` runs through sends, receives, spawns, program order and what was read from others; but the signals of an
/// end come before nothing that others sent. `None`: it would take too long.
pub(crate) fn causal(probe: &Probe, built: &Built) -> Option<Graph> {
    let mut graph = built.graph.clone();
    let places: FxHashMap<Pid, usize> = probe.processes.iter().copied().zip(0..).collect();
    let mut channels: FxHashMap<Pid, FxHashMap<usize, Channel>> = FxHashMap::default();
    let mut sends: FxHashMap<ActionId, Vec<(Tag, Pid, Node)>> = FxHashMap::default();
    let node_of = |pid: Pid| probe.births.get(&pid).map_or(0, |birth| birth.1);
    for (tag, arrival) in &built.arrivals {
        let Some(sender) = probe.sender(*tag) else { continue };
        let Some(Point::Arrival(_, to)) = built.points.get(*arrival as usize).copied() else {
            continue;
        };
        sends.entry(sender).or_default().push((*tag, to, *arrival));
        // The signals of an end leave one after the other: who has received one can send before another one leaves.
        if matches!(tag, Tag::Sent { .. })
            && !probe.timers.contains_key(tag)
            && node_of(sender.pid) == node_of(to)
            && sender.pid != to
        {
            let channel = channels.entry(to).or_default().entry(*places.get(&sender.pid)?);
            channel.or_default().push((sender.number.0, *arrival));
        }
    }
    for channel in channels.values_mut().flat_map(FxHashMap::values_mut) {
        channel.sort_unstable();
    }
    let mut all: Vec<(u32, ActionId)> = Vec::new();
    for (pid, acts) in &probe.acts {
        all.extend((1..=acts.len() as u64).map(|n| {
            let id = ActionId::new(*pid, n);
            (probe.place(id), id)
        }));
    }
    all.sort_unstable();
    let mut children: FxHashMap<ActionId, Pid> = FxHashMap::default();
    for (child, (parent, _)) in &probe.births {
        if let Some(parent) = parent {
            children.insert(*parent, *child);
        }
    }
    let mut reads: FxHashMap<ActionId, Vec<ActionId>> = FxHashMap::default();
    let mut written: FxHashMap<ActionId, Option<(Clock, u32)>> = FxHashMap::default();
    let observed: FxHashSet<(ActionId, ActionId)> = probe.observed.iter().copied().collect();
    for (from, to) in &probe.read {
        if !children.contains_key(from) && !observed.contains(&(*from, *to)) {
            reads.entry(*to).or_default().push(*from);
            written.insert(*from, None);
        }
    }
    let mut clocks: Vec<Clock> = vec![Rc::default(); probe.processes.len()];
    let mut flying: FxHashMap<Tag, (Clock, u32)> = FxHashMap::default();
    let mut work = 0;
    for (_, id) in all {
        let me = *places.get(&id.pid)?;
        let now = u32::try_from(id.number.0).ok()?;
        if let Some(tag) = consumed(act(probe, id))
            && let Some((clock, sent)) = flying.remove(&tag)
            && let Some(sender) = tag.sender().and_then(|by| places.get(&by))
        {
            work += merge(&mut clocks[me], &clock, *sender, sent);
        }
        for from in reads.get(&id).into_iter().flatten() {
            if let (Some(Some((clock, at))), Some(writer)) = (written.get(from), places.get(&from.pid))
                && from.pid != id.pid
            {
                work += merge(&mut clocks[me], clock, *writer, *at);
            }
        }
        if let (true, Some(node)) = (reads.contains_key(&id), built.node(probe, id)) {
            // What it now knows to have been sent to it is there.
            for (by, channel) in channels.get(&id.pid).into_iter().flatten() {
                work += 1;
                if let Some(last) = last_known(channel, clocks[me].get(*by)) {
                    graph.edge(last, node, 0, true);
                }
            }
        }
        if let Some(one) = written.get_mut(&id) {
            *one = Some((Rc::clone(&clocks[me]), now));
        }
        if let Some(child) = children.get(&id).and_then(|child| places.get(child)) {
            let clock = Rc::clone(&clocks[me]);
            work += merge(&mut clocks[*child], &clock, me, now);
        }
        for (tag, to, arrival) in sends.get(&id).into_iter().flatten() {
            flying.insert(*tag, (Rc::clone(&clocks[me]), now));
            if probe.timers.contains_key(tag) || node_of(id.pid) != node_of(*to) {
                continue;
            }
            for (by, channel) in channels.get(to).into_iter().flatten() {
                work += 1;
                if *by == me {
                    continue;
                }
                if let Some(last) = last_known(channel, clocks[me].get(*by)) {
                    graph.edge(last, *arrival, 0, true);
                }
            }
        }
        if work > WORK {
            return None;
        }
    }
    Some(graph)
}

/// The arrival of the last signal in a channel that was sent up to this action of its sender.
fn last_known(channel: &Channel, known: Option<&u32>) -> Option<Node> {
    let known = u64::from(*known?);
    let before = channel.partition_point(|(number, _)| *number <= known);
    before
        .checked_sub(1)
        .and_then(|at| channel.get(at))
        .map(|(_, last)| *last)
}

/// Takes over what another clock knows, and the action `number` of its process. Returns what that cost.
fn merge(mine: &mut Clock, other: &Clock, process: usize, number: u32) -> u64 {
    if mine.get(process).is_some_and(|known| *known >= number) {
        return 1;
    }
    let cost = mine.len().max(other.len()) as u64 + 1;
    let clock = Rc::make_mut(mine);
    if clock.len() < other.len().max(process + 1) {
        clock.resize(other.len().max(process + 1), 0);
    }
    for (mine, other) in clock.iter_mut().zip(other.iter()) {
        *mine = (*mine).max(*other);
    }
    clock[process] = clock[process].max(number);
    cost
}

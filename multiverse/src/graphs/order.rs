//! Can the events of a graph happen, and for how long must something be held up for that? (semantics.md §10)
//!
//! The order of arrival is not part of a graph. A graph can happen if the edges between its events and the arrivals of its signals form no cycle:
//! what `delay` says of whole runs, for a part of one.

use delay::graph::{Graph, Node};
use log_format::{Pid, Resource, Tag};
use rustc_hash::FxHashMap;
use session::player::free::Choice;
use system::Delivery;

use super::event::{Event, Place};
use super::state::Sent;

/// What is allowed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rules {
    pub delivery: Delivery,
    /// The longest stall, in milliseconds.
    pub stall: Option<u64>,
}

/// What is said of some events.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Verdict {
    /// They can happen.
    Possible,
    /// Only if something is held up for too long.
    Stalls,
    /// No order of arrival explains them.
    Impossible,
}

/// The arrival of a signal.
#[derive(Clone, Copy)]
struct Arrival<'e> {
    node: Node,
    sent: &'e Sent,
    by: &'e Event,
    taken: Option<u32>,
}

/// A limit of time for an event: so long after another one.
struct Due {
    node: Node,
    from: Node,
    ms: u64,
}

struct Build<'e> {
    graph: Graph,
    /// What only makes it impossible, and takes no time.
    extra: Vec<(Node, Node)>,
    dues: Vec<Due>,
    events: &'e [&'e Event],
    of: FxHashMap<Pid, Vec<u32>>,
    mail: FxHashMap<Pid, Vec<Arrival<'e>>>,
}

/// Can these events happen? They are in an order in which they could, but for the arrivals. `takes`: would the receive of this event take that signal?
pub(super) fn judge(events: &[&Event], rules: Rules, mut takes: impl FnMut(&Event, &Event, &Sent) -> bool) -> Verdict {
    let mut build = Build {
        graph: Graph::default(),
        extra: Vec::new(),
        dues: Vec::new(),
        events,
        of: FxHashMap::default(),
        mail: FxHashMap::default(),
    };
    build.events();
    build.receives(&mut takes);
    build.resources();
    build.kills();
    let timed = rules.stall.is_some()
        && events
            .iter()
            .any(|e| e.choice == Choice::Timeout && e.after.is_some_and(|ms| ms > 0));
    let stalls = timed && !build.is_within(rules.stall.unwrap_or(u64::MAX));
    if rules.delivery == Delivery::Causal {
        build.causal();
    }
    for (from, to) in std::mem::take(&mut build.extra) {
        build.graph.edge(from, to, 0, true);
    }
    match build.graph.solve() {
        Err(_) => Verdict::Impossible,
        Ok(_) if stalls => Verdict::Stalls,
        Ok(_) => Verdict::Possible,
    }
}

impl<'e> Build<'e> {
    /// Program order, births, and sends.
    fn events(&mut self) {
        let events = self.events;
        self.graph.add(events.len() as u32);
        let mut taken: FxHashMap<Tag, u32> = FxHashMap::default();
        let mut births: FxHashMap<Pid, u32> = FxHashMap::default();
        for (event, at) in events.iter().zip(0_u32..) {
            if let Some(tag) = event.consumed() {
                taken.insert(tag, at);
            }
        }
        let mut pairs: FxHashMap<(Pid, Pid), Node> = FxHashMap::default();
        for (event, at) in events.iter().zip(0_u32..) {
            let own = self.of.entry(event.pid).or_default();
            let before = own.last().copied().or_else(|| births.get(&event.pid).copied());
            own.push(at);
            let ms = match event.choice {
                Choice::Timeout => event.after.unwrap_or(0),
                _ => 0,
            };
            if let Some(before) = before {
                self.graph.edge(before, at, ms, true);
                if let (Some(ms), true) = (event.after, event.choice != Choice::Timeout) {
                    self.dues.push(Due {
                        node: at,
                        from: before,
                        ms,
                    });
                }
            }
            if let Some(child) = event.spawned() {
                births.insert(child, at);
            }
            for sent in &event.sent {
                let node = if sent.to == event.pid { at } else { self.graph.node() };
                self.graph.edge(at, node, 0, true);
                if let Some(last) = pairs.get(&(event.pid, sent.to)) {
                    self.graph.edge(*last, node, 0, true);
                }
                if matches!(sent.tag, Tag::Sent { .. }) {
                    pairs.insert((event.pid, sent.to), node);
                }
                self.mail.entry(sent.to).or_default().push(Arrival {
                    node,
                    sent,
                    by: event,
                    taken: taken.get(&sent.tag).copied(),
                });
            }
        }
    }

    /// What receives took, and what they could have taken.
    fn receives(&mut self, takes: &mut impl FnMut(&Event, &Event, &Sent) -> bool) {
        for (event, at) in self.events.iter().zip(0_u32..) {
            let node = at;
            let mail = self.mail.get(&event.pid).map_or(&[][..], Vec::as_slice);
            let first = event
                .arrived()
                .and_then(|tag| mail.iter().find(|one| one.sent.tag == tag));
            if let Some(first) = first {
                let enables = event.is_receive();
                self.graph.edge(first.node, node, 0, enables);
            }
            if let (Some(asks), Choice::Step) = (event.asks, event.choice) {
                // What it asks about had not arrived.
                let open = |one: &&Arrival<'_>| asks.is_about(one.sent) && one.taken.is_none_or(|taken| taken > at);
                for one in mail.iter().filter(open) {
                    self.graph.edge(node, one.node, 0, false);
                }
            }
            if !event.is_receive() {
                continue;
            }
            let own = self.of.get(&event.pid).map_or(&[][..], Vec::as_slice);
            let open = |one: &&Arrival<'_>| {
                let closed = |by: &u32| *by < at && self.events[*by as usize].closes_for(one.sent);
                !one.sent.exit && one.taken.is_none_or(|taken| taken > at) && !own.iter().any(closed)
            };
            for one in mail.iter().filter(open) {
                if !takes(event, one.by, one.sent) {
                    continue;
                }
                match (event.choice, first) {
                    (Choice::Timeout, _) => self.graph.edge(node, one.node, 0, false),
                    (Choice::Message(_), Some(first)) => self.graph.edge(first.node, one.node, 0, false),
                    (Choice::Signal(_), _) => self.dues.push(Due {
                        node,
                        from: one.node,
                        ms: 0,
                    }),
                    _ => {}
                }
            }
        }
    }

    /// The order of the uses of each resource.
    fn resources(&mut self) {
        let mut all: FxHashMap<Resource, (Option<Node>, Vec<Node>)> = FxHashMap::default();
        for (event, node) in self.events.iter().zip(0_u32..) {
            for one in &event.uses {
                let (written, read) = all.entry(one.resource).or_default();
                if let Some(written) = *written {
                    self.graph.edge(written, node, 0, false);
                }
                if one.writes {
                    for reader in read.drain(..) {
                        self.graph.edge(reader, node, 0, false);
                    }
                    *written = Some(node);
                } else {
                    read.push(node);
                }
            }
        }
    }

    /// An exit signal that did not end its receiver came after all that this received, and after its waits. But who computes can come to its end with
    /// one that has arrived.
    fn kills(&mut self) {
        for (pid, mail) in &self.mail {
            let Some(own) = self.of.get(pid) else { continue };
            let kills = mail.iter().filter(|one| one.sent.deadly && one.sent.to != one.by.pid);
            for kill in kills {
                for at in own {
                    let event = self.events[*at as usize];
                    let before = match event.choice {
                        Choice::Timeout if event.after.is_some_and(|ms| ms > 0) => *at,
                        Choice::Message(tag) | Choice::Arrived(tag) if kill.taken.is_none() => {
                            match mail.iter().find(|one| one.sent.tag == tag) {
                                Some(first) => first.node,
                                None => continue,
                            }
                        }
                        _ => continue,
                    };
                    self.graph.edge(before, kill.node, 0, false);
                }
            }
            // Who looks whether it lives sees the signals that it knows to have been sent to it.
            for kill in mail.iter().filter(|one| one.sent.deadly) {
                for (event, at) in self.events.iter().zip(0_u32..) {
                    let looks = event
                        .uses
                        .iter()
                        .any(|one| one.resource == Resource::Alive(*pid) && !one.writes);
                    if looks && event.pid != *pid && event.number > kill.by.number && event.pid == kill.by.pid {
                        self.extra.push((kill.node, at));
                    }
                }
            }
        }
    }

    fn is_within(&self, most: u64) -> bool {
        let Ok(times) = self.graph.solve() else { return false };
        let held = times
            .time
            .iter()
            .zip(&times.ready)
            .any(|(time, ready)| time.saturating_sub(*ready) > most);
        let late = self.dues.iter().any(|due| {
            let ready = times.time[due.from as usize].saturating_add(due.ms);
            times.time[due.node as usize].saturating_sub(ready) > most
        });
        !held && !late
    }

    /// Inside a node, what was sent causally before arrives before.
    fn causal(&mut self) {
        for (pid, mail) in &self.mail {
            // By sender, the numbered signals in the order of sending.
            let mut channels: FxHashMap<Place, Vec<(u32, Node)>> = FxHashMap::default();
            for one in mail {
                if matches!(one.sent.tag, Tag::Sent { .. }) && one.by.pid != *pid {
                    channels
                        .entry(one.by.place)
                        .or_default()
                        .push((one.by.number, one.node));
                }
            }
            let known = |channel: &[(u32, Node)], knows: u32| {
                let before = channel.partition_point(|(number, _)| *number <= knows);
                before.checked_sub(1).map(|at| channel[at].1)
            };
            for one in mail {
                for (by, channel) in &channels {
                    if *by == one.by.place {
                        continue;
                    }
                    if let Some(first) = known(channel, one.by.knows.get(*by)) {
                        self.extra.push((first, one.node));
                    }
                }
            }
            for at in self.of.get(pid).into_iter().flatten() {
                let event = self.events[*at as usize];
                if !event.reads() {
                    continue;
                }
                for (by, channel) in &channels {
                    if let Some(first) = known(channel, event.knows.get(*by)) {
                        self.extra.push((first, *at));
                    }
                }
            }
        }
    }
}

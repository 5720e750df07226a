//! Can the events of a graph happen, and for how long must something be held up for that? (semantics.md §10)
//!
//! The order of arrival is not part of a graph. A graph can happen if the edges between its events and the arrivals of its signals form no cycle:
//! what `delay` says of whole runs, for a part of one.

use std::rc::Rc;

use delay::graph::{Graph, Node};
use log_format::{Pid, Resource, Tag};
use rustc_hash::FxHashMap;
use session::player::free::Choice;
use system::Delivery;

use super::event::{Asks, EventUse, GraphEvent, ProcessNumber, is_group};
use super::state::{SentSignal, is_numbered};

/// What is allowed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rules {
    pub delivery: Delivery,
    /// What is sent arrives at once, but for what comes of timers and ends.
    pub at_send: bool,
    /// The longest stall, in milliseconds.
    pub stall: Option<u64>,
}

/// What is said of some events.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum OrderVerdict {
    /// They can happen.
    Possible,
    /// Only if something is held up for too long.
    Stalls,
    /// No order of arrival explains them.
    Impossible,
    /// There are too many ways to try.
    Unclear,
}

/// Edges that go together.
type EdgesTogether = Vec<(Node, Node)>;

/// A process traps exits, or does not, from one of its events to another.
struct Stretch {
    traps: bool,
    from: Option<Node>,
    to: Option<Node>,
}

impl Stretch {
    /// A node lies in it.
    fn around(&self, node: Node) -> EdgesTogether {
        let from = self.from.map(|from| (from, node));
        from.into_iter().chain(self.to.map(|to| (node, to))).collect()
    }
}

/// Timers of one process that were set in this order fire in this order, if the first one is not longer.
fn is_due_before(one: &SentSignal, other: &SentSignal) -> bool {
    match (one.timer, other.timer) {
        (Some(ms), Some(later)) => ms <= later && one.tag.sender() == other.tag.sender() && one.tag < other.tag,
        _ => false,
    }
}

/// Limit: combinations of reasons why signals were not seen.
const WAYS: usize = 1 << 10;

/// The arrival of a signal.
#[derive(Clone, Copy)]
struct Arrival<'e> {
    node: Node,
    sent: &'e SentSignal,
    by: &'e GraphEvent,
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
    /// In each of these, one of several ways is gone.
    eithers: Vec<Vec<EdgesTogether>>,
    dues: Vec<Due>,
    /// Points between two actions of a process, by the position of the first.
    after: FxHashMap<u32, Node>,
    events: &'e [&'e GraphEvent],
    causal: bool,
    at_send: bool,
    of: FxHashMap<Pid, Vec<u32>>,
    mail: FxHashMap<Pid, Rc<Vec<Arrival<'e>>>>,
}

/// Can these events happen? They are in an order in which they could, but for the arrivals. `takes`: would the receive of this event take that signal?
pub(super) fn judge(
    events: &[&GraphEvent],
    rules: Rules,
    mut takes: impl FnMut(&GraphEvent, &GraphEvent, &SentSignal) -> bool,
) -> OrderVerdict {
    let mut build = Build {
        graph: Graph::default(),
        extra: Vec::new(),
        eithers: Vec::new(),
        dues: Vec::new(),
        after: FxHashMap::default(),
        events,
        causal: rules.delivery == Delivery::Causal,
        at_send: rules.at_send,
        of: FxHashMap::default(),
        mail: FxHashMap::default(),
    };
    build.events();
    build.timers();
    build.receives(&mut takes);
    build.resources();
    build.kills();
    let timed = events.iter().any(|event| event.waits() > 0);
    if rules.delivery == Delivery::Causal {
        build.causal();
    }
    build.verdict(rules.stall.filter(|_| timed))
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
                if let Some(after) = self.after.get(&before)
                    && events[before as usize].pid == event.pid
                {
                    self.graph.edge(*after, at, ms, true);
                }
                if let (Some(ms), true) = (event.after, event.choice != Choice::Timeout) {
                    self.dues.push(Due {
                        node: at,
                        from: before,
                        ms,
                    });
                }
            }
            if !event.closes_after.is_empty() {
                let after = self.graph.node();
                self.graph.edge(at, after, 0, true);
                self.after.insert(at, after);
            }
            if let Some(child) = event.spawned() {
                births.insert(child, at);
            }
            for sent in &event.sent {
                let node = match sent.timer {
                    None if sent.to == event.pid || self.at_send && is_numbered(sent.tag) => at,
                    _ => self.graph.node(),
                };
                self.graph.edge(at, node, sent.timer.unwrap_or(0), true);
                if sent.timer.is_none()
                    && let Some(last) = pairs.get(&(event.pid, sent.to))
                    && *last != node
                {
                    self.graph.edge(*last, node, 0, true);
                }
                // The signals of an end have an order, but for tables for heirs.
                if !matches!(sent.tag, Tag::EndTable { .. }) && sent.timer.is_none() {
                    pairs.insert((event.pid, sent.to), node);
                }
                Rc::make_mut(self.mail.entry(sent.to).or_default()).push(Arrival {
                    node,
                    sent,
                    by: event,
                    taken: taken.get(&sent.tag).copied(),
                });
            }
        }
    }

    /// The order in which timers fire: those of one process, and those that a process sets for itself against what it waits for.
    fn timers(&mut self) {
        let mut edges = Vec::new();
        for (pid, mail) in &self.mail {
            let timers: Vec<Arrival<'_>> = mail.iter().filter(|one| one.sent.timer.is_some()).copied().collect();
            for (one, at) in timers.iter().zip(1..) {
                let later = timers[at..].iter().filter(|other| is_due_before(one.sent, other.sent));
                edges.extend(later.map(|other| (one.node, other.node)));
            }
            if timers.iter().any(|one| one.by.pid == *pid) {
                self.waits(*pid, &timers, &mut edges);
            }
        }
        for (from, to) in edges {
            self.graph.edge(from, to, 0, false);
        }
    }

    /// What a process has waited tells which of its timers have fired. Times are in half milliseconds: of two at one time, either can come first.
    fn waits(&self, pid: Pid, timers: &[Arrival<'_>], edges: &mut Vec<(Node, Node)>) {
        let mut waited = 0_u64;
        // When each timer is due, in the same measure.
        let mut due: Vec<(u64, &Arrival<'_>)> = Vec::new();
        for at in self.until(pid, Node::MAX) {
            let event = self.events[at as usize];
            let before = waited;
            match (event.choice, event.after) {
                (Choice::Timeout, Some(ms)) => waited = waited.saturating_add(ms.saturating_mul(2)),
                (Choice::Message(tag), _) => {
                    let rang = due.iter().find(|(_, one)| one.sent.tag == tag);
                    waited = rang.map_or(waited, |(due, _)| waited.max(due.saturating_add(1)));
                }
                _ => {}
            }
            if waited > before {
                let over = due
                    .iter()
                    .filter(|(due, one)| *due < waited && one.taken.is_none_or(|taken| taken >= at));
                edges.extend(over.map(|(_, one)| (one.node, at)));
            }
            let set = timers.iter().filter(|one| std::ptr::eq(one.by, event));
            due.extend(set.map(|one| {
                (
                    waited.saturating_add(one.sent.timer.unwrap_or(0).saturating_mul(2)),
                    one,
                )
            }));
        }
    }

    /// Is a signal dropped for sure when it arrives at the event at this position, or later, of its receiver? A monitor or an alias was given up, or
    /// another signal has ended it.
    fn is_shut(&self, pid: Pid, at: u32, one: &Arrival<'_>) -> bool {
        if !one.sent.is_fickle() {
            return false;
        }
        if one.sent.is_lost() {
            return true;
        }
        if self
            .until(pid, at)
            .any(|by| by < at && self.events[by as usize].closes_for(one.sent))
        {
            return true;
        }
        self.enders(pid, one).any(|other| {
            let found = |by: u32| self.events[by as usize].choice == Choice::Arrived(other.sent.tag);
            other.taken.is_some_and(|taken| taken <= at) || self.is_before(other, one) || self.until(pid, at).any(found)
        })
    }

    /// The positions of the events of a process up to this one.
    fn until(&self, pid: Pid, at: u32) -> impl Iterator<Item = u32> + use<'_, 'e> {
        let own = self.of.get(&pid).into_iter().flatten().copied();
        own.take_while(move |by| *by <= at)
    }

    /// The signals that can come before another one, which is dropped then.
    fn enders<'a>(&'a self, pid: Pid, one: &'a Arrival<'e>) -> impl Iterator<Item = &'a Arrival<'e>> {
        let mail = self.mail.get(&pid).into_iter().flat_map(|mail| mail.iter());
        mail.filter(|other| one.sent.is_fickle() && other.sent.shuts(one.sent) && !self.is_before(one, other))
    }

    /// Where the receiver of a signal has given up what it was sent to, before the event at this position, without saying whether it had come.
    fn closings(&self, pid: Pid, at: u32, one: &Arrival<'_>) -> Vec<Node> {
        if !one.sent.is_fickle() {
            return Vec::new();
        }
        let own = self.until(pid, at).filter(|by| *by < at).flat_map(|by| {
            let event = self.events[by as usize];
            let after = event
                .is_closed_after(one.sent)
                .then(|| self.after.get(&by).copied())
                .flatten();
            event.may_close_for(one.sent).then_some(by).into_iter().chain(after)
        });
        own.collect()
    }

    /// Does one signal arrive before another one for sure?
    fn is_before(&self, one: &Arrival<'_>, other: &Arrival<'_>) -> bool {
        match (one.sent.tag, other.sent.tag) {
            _ if one.sent.timer.is_some() || other.sent.timer.is_some() => is_due_before(one.sent, other.sent),
            (Tag::Sent { by, k }, Tag::Sent { by: of, k: l }) if by == of => k < l,
            (Tag::Sent { .. }, _) if one.by.place == other.by.place => true,
            (Tag::Sent { .. }, _) => {
                let is_own = one.sent.to == one.by.pid;
                self.causal && !is_own && other.by.knows.get(one.by.place) >= one.by.number
            }
            (first, then) => first.leaves_before(then),
        }
    }

    /// What receives took, and what they could have taken.
    fn receives(&mut self, takes: &mut impl FnMut(&GraphEvent, &GraphEvent, &SentSignal) -> bool) {
        for (event, at) in self.events.iter().zip(0_u32..) {
            let node = at;
            let Some(mail) = self.mail.get(&event.pid).cloned() else {
                continue;
            };
            if let Some(cancelled) = mail
                .iter()
                .find(|one| one.sent.timer.is_some() && one.taken == Some(at))
                && event.choice == Choice::Step
            {
                // It never fires.
                self.graph.edge(node, cancelled.node, 0, false);
            }
            let first = event
                .arrived()
                .and_then(|tag| mail.iter().find(|one| one.sent.tag == tag))
                .copied();
            if let Some(first) = first {
                let enables = event.is_receive();
                self.graph.edge(first.node, node, 0, enables);
                self.accepted(event, at, first);
            }
            if let Some(asks) = event.asks {
                for (from, to) in self.asked(asks, at, first) {
                    self.graph.edge(from, to, 0, false);
                }
            }
            if !event.is_receive() {
                continue;
            }
            for one in mail.iter() {
                let consumed = one.taken.is_some_and(|taken| taken <= at);
                if !one.sent.is_message(event.traps[0]) || consumed || self.is_shut(event.pid, at, one) {
                    continue;
                }
                if !takes(event, one.by, one.sent) {
                    continue;
                }
                let ways = self.ways_to_miss(event, at, one, takes);
                match (event.choice, first) {
                    (Choice::Timeout, _) if event.is_stuck() => self.choose(ways),
                    (Choice::Timeout, _) => self.either(node, one.node, ways),
                    (Choice::Message(_), Some(first)) => self.either(first.node, one.node, ways),
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

    /// A signal that was accepted had come before its monitor or alias was given up, and before what ends these; an exit signal that is a message,
    /// while its receiver trapped exits.
    fn accepted(&mut self, event: &GraphEvent, at: u32, one: Arrival<'e>) {
        if one.sent.is_fickle() {
            let mut later = self.closings(event.pid, at, &one);
            later.extend(self.enders(event.pid, &one).map(|other| other.node));
            for node in later {
                self.graph.edge(one.node, node, 0, false);
            }
        }
        if one.sent.exit && matches!(event.choice, Choice::Message(_)) {
            let traps = self.stretches(event.pid).into_iter().filter(|stretch| stretch.traps);
            let ways = traps
                .filter(|stretch| stretch.from < Some(at))
                .map(|stretch| stretch.around(one.node));
            let ways = ways.collect();
            self.choose(ways);
        }
    }

    /// While a process traps exits, and while it does not.
    fn stretches(&self, pid: Pid) -> Vec<Stretch> {
        let turns = self
            .until(pid, Node::MAX)
            .filter(|at| self.events[*at as usize].turns());
        let mut all = vec![Stretch {
            traps: false,
            from: None,
            to: None,
        }];
        for at in turns {
            if let Some(last) = all.last_mut() {
                last.to = Some(at);
            }
            all.push(Stretch {
                traps: self.events[at as usize].traps[1],
                from: Some(at),
                to: None,
            });
        }
        all
    }

    /// A signal that a receive does not see has not come, or was dropped: the ways in which it can have been.
    fn ways_to_miss(
        &self,
        event: &GraphEvent,
        at: u32,
        one: &Arrival<'e>,
        takes: &mut impl FnMut(&GraphEvent, &GraphEvent, &SentSignal) -> bool,
    ) -> Vec<EdgesTogether> {
        // The first closing comes before the others.
        let mut after = self.closings(event.pid, at, one);
        after.truncate(1);
        // What the receive would see, too, does not help.
        let enders = self
            .enders(event.pid, one)
            .filter(|other| !takes(event, other.by, other.sent));
        after.extend(enders.map(|other| other.node));
        let mut ways: Vec<EdgesTogether> = after.into_iter().map(|node| vec![(node, one.node)]).collect();
        if one.sent.exit && !one.sent.deadly {
            let stretches = self.stretches(event.pid).into_iter();
            let ignored = stretches.filter(|stretch| !stretch.traps && stretch.to.is_some_and(|to| to < at));
            ways.extend(ignored.map(|stretch| stretch.around(one.node)));
        }
        ways
    }

    /// An arrival comes after this, or it comes in one of these ways.
    fn either(&mut self, from: Node, to: Node, mut ways: Vec<EdgesTogether>) {
        ways.insert(0, vec![(from, to)]);
        self.choose(ways);
    }

    /// One of these ways is gone.
    fn choose(&mut self, ways: Vec<EdgesTogether>) {
        match ways.as_slice() {
            [way] => way.iter().for_each(|(from, to)| self.graph.edge(*from, *to, 0, false)),
            _ => self.eithers.push(ways),
        }
    }

    /// An exit signal comes after what its receiver received since some event, and after its waits.
    fn after_waits(&self, pid: Pid, start: Option<Node>, kill: &Arrival<'_>, mail: &[Arrival<'_>]) -> EdgesTogether {
        let mut way = Vec::new();
        for at in self.until(pid, Node::MAX).filter(|at| start < Some(*at)) {
            let event = self.events[at as usize];
            let before = match event.choice {
                Choice::Timeout if event.after.is_some() => Some(at),
                Choice::Message(tag) | Choice::Arrived(tag) if kill.taken.is_none() => {
                    mail.iter().find(|one| one.sent.tag == tag).map(|first| first.node)
                }
                _ => None,
            };
            way.extend(before.map(|before| (before, kill.node)));
        }
        way
    }

    /// A step that gives up a monitor or an alias: what has not arrived, of what ends that, after what. `first`: what has.
    fn asked(&self, asks: Asks, at: u32, first: Option<Arrival<'_>>) -> Vec<(Node, Node)> {
        let event = self.events[at as usize];
        let mail = self.mail.get(&event.pid).map_or(&[][..], |mail| mail.as_slice());
        let ended = |one: &Arrival<'_>| first.filter(|first| first.sent.shuts(one.sent));
        let open = |one: &&Arrival<'_>| {
            asks.is_about(one.sent)
                && one.taken.is_none_or(|taken| taken > at)
                && !self
                    .until(event.pid, at)
                    .any(|by| self.events[by as usize].choice == Choice::Arrived(one.sent.tag))
                && (ended(one).is_some() || !self.is_shut(event.pid, at, one))
        };
        let after = |one: &Arrival<'_>| ended(one).map_or(at, |first| first.node);
        mail.iter().filter(open).map(|one| (after(one), one.node)).collect()
    }

    /// The order of the uses of each resource.
    fn resources(&mut self) {
        let mut all: FxHashMap<Resource, (Option<Node>, Vec<Node>)> = FxHashMap::default();
        // Of things of many writers: what has written and what has scanned, since something did both.
        let mut groups: FxHashMap<Resource, (Vec<Node>, Vec<Node>)> = FxHashMap::default();
        for (event, node) in self.events.iter().zip(0_u32..) {
            for one in &event.uses {
                if is_group(one.resource()) {
                    let (writers, scans) = groups.entry(one.resource()).or_default();
                    let writers_before = writers.iter().filter(|_| one.scans);
                    let scans_before = scans.iter().filter(|_| one.writes);
                    for before in writers_before.chain(scans_before) {
                        self.graph.edge(*before, node, 0, false);
                    }
                    if one.scans && one.writes {
                        writers.clear();
                        scans.clear();
                    }
                    writers.extend(one.writes.then_some(node));
                    scans.extend(one.scans.then_some(node));
                    continue;
                }
                let (written, read) = all.entry(one.resource()).or_default();
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

    /// An exit signal that did not end its receiver came after all that this received, and after its waits, or while it trapped exits. But who computes
    /// can come to its end with one that has arrived.
    fn kills(&mut self) {
        let pids: Vec<Pid> = self.mail.keys().copied().collect();
        for pid in pids {
            let Some(mail) = self.mail.get(&pid).cloned() else {
                continue;
            };
            if !mail.iter().any(|one| one.sent.deadly) {
                continue;
            }
            let stretches = self.stretches(pid);
            let is_stuck = self.until(pid, Node::MAX).any(|at| self.events[at as usize].is_stuck());
            let kills = mail.iter().filter(|one| one.sent.deadly && one.sent.to != one.by.pid);
            for kill in kills {
                if self.is_taken_as_message(kill) {
                    continue;
                }
                let mut ways = Vec::new();
                // In the last stretch, if it can end the process there.
                let ends = |stretch: &&Stretch| stretch.to.is_none() && kill.sent.ends(stretch.traps);
                if let Some(last) = stretches.iter().find(ends).filter(|_| !is_stuck) {
                    let start = last.from.filter(|_| !kill.sent.kills);
                    let mut way = self.after_waits(pid, start, kill, &mail);
                    way.extend(start.map(|start| (start, kill.node)));
                    ways.push(way);
                }
                if kill.taken.is_none() && !kill.sent.kills {
                    let traps = stretches.iter().filter(|stretch| stretch.traps);
                    ways.extend(traps.map(|stretch| stretch.around(kill.node)));
                    // Or the link was broken first.
                    let closed = self.closings(pid, Node::MAX, kill).into_iter().take(1);
                    ways.extend(closed.map(|node| vec![(node, kill.node)]));
                }
                self.choose(ways);
            }
            self.looks(pid, &mail);
        }
    }

    fn is_taken_as_message(&self, one: &Arrival<'_>) -> bool {
        let choice = one.taken.map(|taken| self.events[taken as usize].choice);
        choice == Some(Choice::Message(one.sent.tag))
    }

    /// Who looks whether a process lives sees the exit signals that it has sent to it before.
    fn looks(&mut self, pid: Pid, mail: &[Arrival<'_>]) {
        let looks = |one: &EventUse| one.resource() == Resource::Alive(pid) && !one.writes;
        for (event, at) in self.events.iter().zip(0_u32..) {
            if event.pid == pid || !event.uses.iter().any(looks) {
                continue;
            }
            let before =
                |one: &&Arrival<'_>| one.sent.deadly && one.by.pid == event.pid && one.by.number < event.number;
            self.extra.extend(mail.iter().filter(before).map(|one| (one.node, at)));
        }
    }

    /// `most`: the longest stall.
    fn verdict(&mut self, most: Option<u64>) -> OrderVerdict {
        let ways = self.eithers.iter().map(Vec::len);
        let all = ways.fold(1_usize, usize::saturating_mul);
        if all > WAYS {
            return OrderVerdict::Unclear;
        }
        if self.eithers.is_empty() {
            let graph = std::mem::take(&mut self.graph);
            return self.verdict_of(graph, most);
        }
        let mut best = OrderVerdict::Impossible;
        for mut way in 0..all {
            let mut graph = self.graph.clone();
            for ways in &self.eithers {
                for (from, to) in &ways[way % ways.len()] {
                    graph.edge(*from, *to, 0, false);
                }
                way /= ways.len();
            }
            match self.verdict_of(graph, most) {
                OrderVerdict::Possible => return OrderVerdict::Possible,
                OrderVerdict::Stalls => best = OrderVerdict::Stalls,
                OrderVerdict::Impossible | OrderVerdict::Unclear => {}
            }
        }
        best
    }

    fn verdict_of(&self, mut graph: Graph, most: Option<u64>) -> OrderVerdict {
        let stalls = most.is_some_and(|most| !self.is_within(&graph, most));
        for (from, to) in &self.extra {
            graph.edge(*from, *to, 0, true);
        }
        match graph.solve() {
            Err(_) => OrderVerdict::Impossible,
            Ok(_) if stalls => OrderVerdict::Stalls,
            Ok(_) => OrderVerdict::Possible,
        }
    }

    fn is_within(&self, graph: &Graph, most: u64) -> bool {
        let Ok(times) = graph.solve() else { return false };
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
            let mut channels: FxHashMap<ProcessNumber, Vec<(u32, Node)>> = FxHashMap::default();
            for one in mail.iter() {
                if is_numbered(one.sent.tag) && one.sent.timer.is_none() && one.by.pid != *pid {
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
            for one in mail.iter() {
                for (by, channel) in &channels {
                    if *by == one.by.place || one.sent.timer.is_some() {
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

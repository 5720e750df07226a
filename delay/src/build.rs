//! The graph of a run, from what a replay gathered.

use log_format::{ActionId, ActionNo, Pid, Resource, SendNo, Tag};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::graph::{Graph, Node};
use crate::probe::{Act, Probe, Sent, number};

/// What a node stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Point {
    Action(ActionId),
    Arrival(Tag, Pid),
    /// Only for other edges to meet in.
    Meeting,
}

/// Something that had to happen before a moment, if nothing was held up: no edge says so, because it does not make later things later.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Due {
    pub node: Node,
    pub from: Node,
    pub ms: u64,
}

/// The graph of a run.
pub(crate) struct Built {
    pub graph: Graph,
    pub points: Vec<Point>,
    first: FxHashMap<Pid, Node>,
    pub arrivals: FxHashMap<Tag, Node>,
    pub dues: Vec<Due>,
    /// The action that consumed a signal.
    pub eaten: FxHashMap<Tag, ActionId>,
    /// Messages of timers that were cancelled, or of which it is not known when they were due: nothing is said about their arrival.
    loose: FxHashSet<Tag>,
    start: Node,
    /// Is a longer run asked about, too?
    bound: bool,
    /// How many nodes, edges and dues there are without what receives could have taken.
    base: (Node, usize, usize),
}

impl Built {
    /// `bound`: leave out what a longer run could take back: timers that were not received.
    pub fn of(probe: &Probe, bound: bool) -> Self {
        let mut built = Self {
            graph: Graph::default(),
            points: Vec::new(),
            first: FxHashMap::default(),
            arrivals: FxHashMap::default(),
            dues: Vec::new(),
            eaten: FxHashMap::default(),
            loose: FxHashSet::default(),
            start: 0,
            bound,
            base: (0, 0, 0),
        };
        built.start = built.point(Point::Meeting);
        for pid in &probe.processes {
            let acts = probe.acts.get(pid).map_or(&[][..], Vec::as_slice);
            built.first.insert(*pid, built.graph.nodes());
            for (n, act) in (1..).zip(acts) {
                let id = ActionId::new(*pid, n);
                built.point(Point::Action(id));
                if let Some(tag) = consumed(*act) {
                    built.eaten.insert(tag, id);
                }
            }
        }
        built.loose(probe, bound);
        built.arrive(probe);
        for pid in &probe.processes {
            let acts = probe.acts.get(pid).map_or(&[][..], Vec::as_slice);
            built.process(probe, *pid, acts);
        }
        built.late_cancels(probe);
        built.late_exits(probe);
        built.early_demonitors(probe);
        built.late_downs(probe);
        built.orders(probe);
        built.resources(probe);
        built.base = (built.graph.nodes(), built.graph.edges(), built.dues.len());
        built
    }

    fn point(&mut self, point: Point) -> Node {
        self.points.push(point);
        self.graph.node()
    }

    /// The node of an action. Number 0, of a process that had done nothing: its birth.
    pub fn node(&self, probe: &Probe, id: ActionId) -> Option<Node> {
        if id.number == ActionNo(0) {
            return self.birth(probe, id.pid);
        }
        let count = probe.acts.get(&id.pid)?.len() as u64;
        let first = *self.first.get(&id.pid)?;
        let known = id.number.0 <= count;
        known.then(|| first + u32::try_from(id.number.0 - 1).unwrap_or(u32::MAX))
    }

    /// The send of the signal whose arrival this is.
    pub fn send(&self, probe: &Probe, arrival: Node) -> Option<ActionId> {
        match self.points.get(arrival as usize)? {
            Point::Arrival(tag, _) => probe.sender(*tag),
            Point::Action(_) | Point::Meeting => None,
        }
    }

    fn birth(&self, probe: &Probe, pid: Pid) -> Option<Node> {
        match probe.births.get(&pid)?.0 {
            Some(spawn) if spawn.pid != pid => self.node(probe, spawn),
            _ => Some(self.start),
        }
    }

    fn loose(&mut self, probe: &Probe, bound: bool) {
        for (tag, ms) in &probe.timers {
            let eater = self.eaten.get(tag);
            let cancelled = eater.is_some_and(|id| !matches!(act(probe, *id), Act::Rec(_)));
            if ms.is_none() || cancelled || bound && eater.is_none() {
                self.loose.insert(*tag);
            }
        }
    }

    /// The arrivals, each after what sent it, and those of one pair in their order.
    fn arrive(&mut self, probe: &Probe) {
        let mut all: Vec<(Tag, Pid)> = probe.sent.iter().map(|one| (one.tag, one.to)).collect();
        all.extend(self.eaten.iter().map(|(tag, by)| (*tag, by.pid)));
        all.sort_unstable();
        all.dedup_by_key(|(tag, _)| *tag);
        let mut pairs: FxHashMap<(Pid, Pid), Node> = FxHashMap::default();
        let mut ends = Vec::new();
        // Sorted by tag: those of one sender in the order of sending, and what its end sent after them.
        for (tag, to) in all {
            let Some(sender) = probe.sender(tag) else { continue };
            let Some(send) = self.node(probe, sender) else { continue };
            let node = self.point(Point::Arrival(tag, to));
            self.arrivals.insert(tag, node);
            if let Some(ms) = probe.timers.get(&tag) {
                self.graph.edge(send, node, ms.unwrap_or(0), true);
                continue;
            }
            self.graph.edge(send, node, 0, true);
            match number(tag) {
                Some(_) => {
                    if let Some(last) = pairs.insert((sender.pid, to), node) {
                        self.graph.edge(last, node, 0, true);
                    }
                }
                None => ends.push((sender.pid, to, node)),
            }
        }
        for (by, to, node) in ends {
            if let Some(last) = pairs.get(&(by, to)) {
                self.graph.edge(*last, node, 0, true);
            }
        }
    }

    fn process(&mut self, probe: &Probe, pid: Pid, acts: &[Act]) {
        let mut before = self.birth(probe, pid).unwrap_or(self.start);
        let mut waited = None;
        for (n, act) in (1..).zip(acts) {
            let id = ActionId::new(pid, n);
            let Some(node) = self.node(probe, id) else { continue };
            let wait = probe.waits.get(&id);
            let deadline = wait.and_then(|wait| wait.ms);
            let ms = match act {
                Act::After(ms) => *ms,
                _ => 0,
            };
            self.graph.edge(before, node, ms, true);
            match act {
                Act::After(_) => waited = Some(node),
                Act::Rec(tag) => {
                    if let Some(arrival) = self.arrivals.get(tag) {
                        self.graph.edge(*arrival, node, 0, true);
                    }
                    self.due(node, before, deadline);
                }
                Act::Signal { tag, waiting } => {
                    // A process that waits is ended when the signal comes; one that computes was held up until then.
                    if let Some(arrival) = self.arrivals.get(tag).copied() {
                        self.graph.edge(arrival, node, 0, *waiting || wait.is_some());
                        if let Some(waited) = waited {
                            self.graph.edge(waited, arrival, 0, false);
                        }
                    }
                    self.due(node, before, deadline);
                }
                Act::Drop(Some(tag)) => match (probe.timers.get(tag), self.arrivals.get(tag)) {
                    (Some(ms), _) => {
                        let set = probe.sender(*tag).and_then(|set| self.node(probe, set));
                        self.due(node, set.unwrap_or(self.start), *ms);
                    }
                    (None, Some(arrival)) => self.graph.edge(*arrival, node, 0, false),
                    (None, None) => {}
                },
                _ => {}
            }
            before = node;
        }
    }

    fn due(&mut self, node: Node, from: Node, ms: Option<u64>) {
        if let Some(ms) = ms {
            self.dues.push(Due { node, from, ms });
        }
    }

    /// A timer that came too late to be cancelled, or that had expired when it was read, had come before, if it comes at all.
    fn late_cancels(&mut self, probe: &Probe) {
        for (by, reference) in &probe.cancels {
            // It was cancelled in time.
            if matches!(act(probe, *by), Act::Drop(Some(_))) {
                continue;
            }
            let Some(tag) = probe.timer(*reference).filter(|tag| !self.loose.contains(tag)) else {
                continue;
            };
            let (Some(arrival), Some(node)) = (self.arrivals.get(&tag).copied(), self.node(probe, *by)) else {
                continue;
            };
            let of = match self.points.get(arrival as usize) {
                Some(Point::Arrival(_, to)) => *to,
                _ => continue,
            };
            // The end of the receiver cancels it, too. A longer run could still show that somebody else had cancelled it.
            let last = ActionId::new(of, probe.acts.get(&of).map_or(0, |acts| acts.len() as u64));
            let lived = |built: &Self| {
                !probe.ended.contains(&of)
                    || built
                        .node(probe, last)
                        .is_some_and(|end| built.graph.reaches(node, end))
            };
            let expired = of == by.pid || !self.bound && lived(self);
            if self.eaten.contains_key(&tag) || expired {
                self.graph.edge(arrival, node, 0, false);
            }
        }
    }

    /// An exit signal that would have ended a process came after all that the process received, and after its waits: signals take effect in the
    /// order in which they arrive. But who computes can come to its end with one that has arrived.
    fn late_exits(&mut self, probe: &Probe) {
        let mut meetings: FxHashMap<Pid, Node> = FxHashMap::default();
        for (one, arrival) in self.without_effect(probe) {
            if !probe.ended.contains(&one.to) {
                continue;
            }
            let meeting = match meetings.get(&one.to) {
                Some(meeting) => *meeting,
                None => {
                    let meeting = self.waits_of(probe, one.to);
                    meetings.insert(one.to, meeting);
                    meeting
                }
            };
            self.graph.edge(meeting, arrival, 0, false);
        }
    }

    /// Where all waits of a process are over.
    fn waits_of(&mut self, probe: &Probe, pid: Pid) -> Node {
        let meeting = self.point(Point::Meeting);
        let acts = probe.acts.get(&pid).map_or(&[][..], Vec::as_slice);
        for (n, act) in (1..).zip(acts) {
            let over = match act {
                Act::After(_) => self.node(probe, ActionId::new(pid, n)),
                Act::Rec(tag) => self.arrivals.get(tag).copied(),
                _ => None,
            };
            if let Some(over) = over {
                self.graph.edge(over, meeting, 0, true);
            }
        }
        meeting
    }

    /// The exit signals that would have ended their receivers, had they arrived, with their arrivals.
    pub fn without_effect<'p>(&self, probe: &'p Probe) -> Vec<(&'p Sent, Node)> {
        // The last signal of a sender that a process consumed: all before it had arrived.
        let mut arrived: FxHashMap<(Pid, Pid), SendNo> = FxHashMap::default();
        for (tag, by) in &self.eaten {
            if let (Tag::Sent { by: sender, k }, false) = (*tag, probe.timers.contains_key(tag)) {
                let last = arrived.entry((sender, by.pid)).or_insert(k);
                *last = k.max(*last);
            }
        }
        let has_arrived = |one: &Sent| match one.tag {
            Tag::Sent { by, k } => arrived.get(&(by, one.to)).is_some_and(|last| *last > k),
            _ => false,
        };
        let last = |pid: Pid| probe.acts.get(&pid).map_or(0, |acts| acts.len() as u64) + 1;
        let sent = probe.sent.iter().filter(|one| {
            let kills = one.kills || one.deadly && !probe.traps.contains(&one.to);
            kills
                && one.tag.sender() != Some(one.to)
                && !self.eaten.contains_key(&one.tag)
                && !has_arrived(one)
                && !probe.is_unwatched(one.tag, ActionId::new(one.to, last(one.to)))
        });
        sent.filter_map(|one| Some((one, *self.arrivals.get(&one.tag)?)))
            .collect()
    }

    /// Who gave up a monitor without its 'DOWN' did so before that came, or before the other one ended.
    fn early_demonitors(&mut self, probe: &Probe) {
        // A part of a run need not hold it.
        if self.bound {
            return;
        }
        for (by, k, of) in &probe.dropped {
            let tag = Tag::EndRef {
                by: *of,
                owner: by.pid,
                k: *k,
            };
            let gave_up = act(probe, *by) == Act::Drop(None) && probe.active.contains(by);
            if !gave_up || self.eaten.contains_key(&tag) {
                continue;
            }
            let count = probe.acts.get(of).map_or(0, |acts| acts.len() as u64);
            let end = match self.arrivals.get(&tag) {
                Some(arrival) => Some(*arrival),
                None if probe.ended.contains(of) => self.node(probe, ActionId::new(*of, count)),
                None => None,
            };
            if let (Some(end), Some(node)) = (end, self.node(probe, *by)) {
                self.graph.edge(node, end, 0, false);
            }
        }
    }

    /// A 'DOWN' that is received although its monitor had been given up had arrived before that, and so before all that came later.
    fn late_downs(&mut self, probe: &Probe) {
        let mut late: Vec<(Node, Node)> = Vec::new();
        for (tag, by) in &self.eaten {
            let Tag::EndRef { k, .. } = *tag else { continue };
            let gave_up = probe.gave_up(by.pid, k).filter(|number| *number < by.number.0);
            let gave_up = gave_up.and_then(|number| self.node(probe, ActionId::new(by.pid, number)));
            late.extend(self.arrivals.get(tag).copied().zip(gave_up));
        }
        for (arrival, gave_up) in late {
            self.graph.edge(arrival, gave_up, 0, false);
        }
    }

    /// What was read, and what was observed before it changed.
    fn orders(&mut self, probe: &Probe) {
        for (from, to) in &probe.read {
            if let (Some(from), Some(to)) = (self.node(probe, *from), self.node(probe, *to)) {
                self.graph.edge(from, to, 0, false);
            }
        }
        for (of, by) in &probe.observed {
            let next = self.node(probe, ActionId::new(of.pid, of.number.0.saturating_add(1)));
            if let (Some(by), Some(next)) = (self.node(probe, *by), next) {
                self.graph.edge(by, next, 0, false);
            }
        }
    }

    /// The order of the uses of each resource: a write comes after all uses of the version before, a read after the write of its version.
    fn resources(&mut self, probe: &Probe) {
        let mut names: Vec<&Resource> = probe.uses.keys().collect();
        names.sort_unstable();
        for name in names {
            let mut uses = probe.uses[name].clone();
            uses.sort_unstable_by_key(|(access, id)| (access.version, !access.write, *id));
            let commute = causality::writes_commute(*name);
            // Who reads all of a table and then changes some of it is after what it read, and not before its own write.
            let writers: FxHashSet<ActionId> = uses
                .iter()
                .filter(|(access, _)| access.write)
                .map(|(_, id)| *id)
                .collect();
            // Meetings: of all writes, and of all reads, up to a version.
            let mut written: Option<Node> = None;
            let mut read: Option<Node> = None;
            for version in uses.chunk_by(|a, b| a.0.version == b.0.version) {
                let writes = version.partition_point(|(access, _)| access.write);
                let (writes, reads) = version.split_at(writes);
                if !writes.is_empty() {
                    let meeting = self.point(Point::Meeting);
                    for (_, id) in writes {
                        let Some(node) = self.node(probe, *id) else { continue };
                        if let Some(read) = read {
                            self.graph.edge(read, node, 0, false);
                        }
                        if let Some(written) = written.filter(|_| !commute) {
                            self.graph.edge(written, node, 0, false);
                        }
                        self.graph.edge(node, meeting, 0, true);
                    }
                    if let Some(written) = written {
                        self.graph.edge(written, meeting, 0, true);
                    }
                    written = Some(meeting);
                }
                if !reads.is_empty() {
                    let meeting = self.point(Point::Meeting);
                    for (_, id) in reads {
                        let Some(node) = self.node(probe, *id) else { continue };
                        if let Some(written) = written {
                            self.graph.edge(written, node, 0, false);
                        }
                        if !writers.contains(id) {
                            self.graph.edge(node, meeting, 0, true);
                        }
                    }
                    if let Some(read) = read {
                        self.graph.edge(read, meeting, 0, true);
                    }
                    read = Some(meeting);
                }
            }
        }
    }

    /// Adds what the receives could have taken: it came later.
    pub fn matches(&mut self, probe: &Probe) {
        let (nodes, edges, dues) = self.base;
        self.graph.cut_back(nodes, edges);
        self.points.truncate(nodes as usize);
        self.dues.truncate(dues);
        for (id, tags) in &probe.matches {
            let Some(node) = self.node(probe, *id) else { continue };
            let taken = act(probe, *id);
            for tag in tags {
                let Some(arrival) = self.arrivals.get(tag).copied() else {
                    continue;
                };
                if self.loose.contains(tag) || self.may_be_dropped(probe, id.pid, *tag) {
                    continue;
                }
                match taken {
                    Act::After(_) => self.graph.edge(node, arrival, 0, false),
                    Act::Signal { .. } => self.due(node, arrival, Some(0)),
                    Act::Rec(first) => {
                        if let Some(first) = self.arrivals.get(&first).copied() {
                            self.graph.edge(first, arrival, 0, false);
                        }
                    }
                    _ => {}
                }
            }
        }
        if !self.bound {
            self.closed(probe);
        }
    }

    /// Is it an exit signal with `normal`, which may have come before the process trapped exits?
    fn may_be_dropped(&self, probe: &Probe, to: Pid, tag: Tag) -> bool {
        let Some(before) = probe.traps_after.get(&to) else {
            return false;
        };
        let is_normal = probe.sent_to(to, tag).is_some_and(|one| one.exit && !one.deadly);
        let first = self.node(probe, ActionId::new(to, before + 1));
        let send = probe.sender(tag).and_then(|send| self.node(probe, send));
        match (is_normal, first, send) {
            (true, Some(first), Some(send)) => !self.graph.reaches(first, send),
            (is_normal, ..) => is_normal,
        }
    }

    /// A message to an alias that a receive would have taken, and that did not come before it timed out, came when the alias was closed.
    fn closed(&mut self, probe: &Probe) {
        for (id, tags) in &probe.closed {
            if !matches!(act(probe, *id), Act::After(_)) {
                continue;
            }
            for tag in tags {
                let by = probe.closing(id.pid, *tag).and_then(|by| self.node(probe, by));
                if let (Some(by), Some(arrival)) = (by, self.arrivals.get(tag).copied())
                    && !self.eaten.contains_key(tag)
                {
                    self.graph.edge(by, arrival, 0, false);
                }
            }
        }
    }

    pub fn is_loose(&self, tag: Tag) -> bool {
        self.loose.contains(&tag)
    }
}

/// What an action is.
pub(crate) fn act(probe: &Probe, id: ActionId) -> Act {
    let at = usize::try_from(id.number.0).ok().and_then(|n| n.checked_sub(1));
    let acts = probe.acts.get(&id.pid);
    at.zip(acts)
        .and_then(|(at, acts)| acts.get(at).copied())
        .unwrap_or(Act::Other)
}

/// The signal that it consumed.
pub(crate) const fn consumed(act: Act) -> Option<Tag> {
    match act {
        Act::Rec(tag) | Act::Signal { tag, .. } | Act::Drop(Some(tag)) => Some(tag),
        Act::Drop(None) | Act::After(_) | Act::Other => None,
    }
}

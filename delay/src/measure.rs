//! The measure: replays, the graph, and the answer.

use std::collections::BTreeSet;

use log_format::{ActionId, Pid, Tag};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;

use crate::build::{Built, Point, act, consumed};
use crate::graph::{Node, Times};
use crate::order;
use crate::probe::{Act, Probe};

/// Limit: messages that are tried for one receive.
const TRIED: usize = 48;
/// Limit: replays that try messages. What they find makes times later, so that other messages may matter.
const ROUNDS: usize = 4;

/// A measured run.
pub struct Measure {
    probe: Probe,
    built: Built,
    times: Times,
    extent: Extent,
    complete: bool,
    needs_free: Option<bool>,
    overtaken: Option<(ActionId, ActionId)>,
}

/// What is measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    /// As much as there is, whatever came then.
    Part,
    /// The least that any run with this beginning needs.
    Bound,
    /// A run that had come to its end. Who could have gone on then, and did not, was held up, too.
    Ended,
}

/// What is said of a run whose choices were made one by one.
pub enum Judged {
    /// It can happen; perhaps with free delivery only.
    Measured(Box<Measure>),
    /// No order of arrival explains it, whatever the delivery.
    Impossible,
    /// It was not measured.
    TooLong,
}

impl Judged {
    fn measured(self) -> Option<Measure> {
        match self {
            Self::Measured(measure) => Some(*measure),
            Self::Impossible | Self::TooLong => None,
        }
    }
}

/// A receive of a process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InReceive {
    /// Milliseconds after which it gives up, if it does.
    pub ms: Option<u64>,
    /// Is it a sleep: one that takes no message?
    pub sleeps: bool,
}

/// How long something must have been held up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Stall {
    /// Milliseconds.
    pub ms: u64,
    /// What was held up the longest.
    pub held: Option<Held>,
}

/// What was held up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Held {
    /// What.
    pub what: What,
    /// The action: of the process that was held up, or the send of the signal that was.
    #[serde(skip)]
    pub id: ActionId,
    /// What it came after, although it need not have.
    #[serde(skip)]
    pub after: Option<ActionId>,
}

/// Which sort of thing was held up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum What {
    /// A process, before this action.
    Process,
    /// A signal, on its way from this action.
    Signal,
    /// A process, after this action, up to the end of the run.
    Rest,
}

impl Measure {
    /// Measures a run. `replay` replays it for an observer, and gives the observer back. `None`: the run is too long.
    ///
    /// # Errors
    /// A replay fails.
    pub fn of<E>(replay: impl FnMut(Probe) -> Result<Probe, E>) -> Result<Option<Self>, E> {
        Ok(Self::judge(replay, Extent::Part)?.measured())
    }

    /// Measures a run up to its end. Who could have gone on then, and did not, was held up, too.
    ///
    /// # Errors
    /// A replay fails.
    pub fn ended<E>(replay: impl FnMut(Probe) -> Result<Probe, E>) -> Result<Option<Self>, E> {
        Ok(Self::judge(replay, Extent::Ended)?.measured())
    }

    /// Measures a prefix of a run: the least that any run with this prefix needs.
    ///
    /// # Errors
    /// A replay fails.
    pub fn bound<E>(replay: impl FnMut(Probe) -> Result<Probe, E>) -> Result<Option<Self>, E> {
        Ok(Self::judge(replay, Extent::Bound)?.measured())
    }

    /// Judges a run whose choices were made one by one.
    ///
    /// # Errors
    /// A replay fails.
    pub fn judge<E>(mut replay: impl FnMut(Probe) -> Result<Probe, E>, extent: Extent) -> Result<Judged, E> {
        let mut probe = replay(Probe::default())?;
        if probe.too_long {
            return Ok(Judged::TooLong);
        }
        let mut built = Built::of(&probe, extent == Extent::Bound);
        let mut complete = true;
        // Without what receives could have taken, the graph has no cycle: it is a part of the order of the recording.
        let Ok(mut times) = built.graph.solve() else {
            return Ok(Judged::Impossible);
        };
        let mut asked: FxHashSet<(ActionId, usize)> = FxHashSet::default();
        for round in 0..=ROUNDS {
            let mut asks = choose(&probe, &built, &times, extent, &mut complete);
            asks.retain(|id, list| {
                list.retain(|one| asked.insert((*id, *one)));
                !list.is_empty()
            });
            if asks.is_empty() {
                break;
            }
            if round == ROUNDS {
                complete = false;
                break;
            }
            probe = replay(probe.ask(asks))?;
            built.matches(&probe);
            let Ok(found) = built.graph.solve() else {
                return Ok(Judged::Impossible);
            };
            times = found;
        }
        let (mut needs_free, mut overtaken) = (None, None);
        if let Some(graph) = order::causal(&probe, &built) {
            let cycle = graph.solve().err();
            needs_free = Some(cycle.is_some());
            overtaken = cycle.and_then(|cycle| {
                // The edges of causal delivery were added last.
                let place = cycle.edges.into_iter().find(|place| *place >= built.graph.edges())?;
                let edge = graph.edge_at(place)?;
                Some((built.send(&probe, edge.from)?, built.send(&probe, edge.to)?))
            });
        }
        complete &= !probe.cut && needs_free.is_some();
        Ok(Judged::Measured(Box::new(Self {
            probe,
            built,
            times,
            extent,
            complete,
            needs_free,
            overtaken,
        })))
    }

    /// Was everything looked at? Otherwise a limit was reached, and the stall is a lower bound.
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        self.complete
    }

    /// Does a message overtake another one that was sent causally before it, to the same process of the same node? `None`: too much to look at.
    #[must_use]
    pub const fn needs_free_delivery(&self) -> Option<bool> {
        self.needs_free
    }

    /// If it needs free delivery: the send of a message that came too late, and that of one that overtook it.
    #[must_use]
    pub const fn overtaken(&self) -> Option<(ActionId, ActionId)> {
        self.overtaken
    }

    /// When an action was done, at the earliest, in milliseconds from the start.
    #[must_use]
    pub fn time(&self, id: ActionId) -> Option<u64> {
        let node = self.built.node(&self.probe, id)?;
        self.times.time.get(node as usize).copied()
    }

    /// The receive, or the sleep, in which a process was when it did this action next. If it did not do it: in which it still was.
    #[must_use]
    pub fn receive(&self, next: ActionId) -> Option<InReceive> {
        let wait = self.probe.waits.get(&next)?;
        Some(InReceive {
            ms: wait.ms,
            sleeps: wait.sleeps,
        })
    }

    /// When a signal that was sent arrived, at the earliest, in milliseconds from the start.
    #[must_use]
    pub fn arrival(&self, tag: Tag) -> Option<u64> {
        let node = *self.built.arrivals.get(&tag)?;
        self.times.time.get(node as usize).copied()
    }

    /// For how long a process had waited for a message when it went on without one, if it received nothing after that and before this action.
    /// A sleep waits for no message.
    #[must_use]
    pub fn patience(&self, pid: Pid, before: ActionId) -> Option<u64> {
        let acts = self.probe.acts.get(&pid)?;
        let many = match before.pid == pid {
            true => usize::try_from(before.number.0).ok()?.min(acts.len()),
            false => acts.len(),
        };
        let last = acts[..many].iter().enumerate().rev().find_map(|(at, act)| match act {
            Act::Rec(_) => Some(None),
            Act::After(ms) if *ms > 0 => Some(Some((at as u64 + 1, *ms))),
            _ => None,
        });
        let (n, ms) = last??;
        let sleeps = self
            .probe
            .waits
            .get(&ActionId::new(pid, n))
            .is_none_or(|wait| wait.sleeps);
        (!sleeps).then_some(ms)
    }

    /// The stall of the run, up to an action if one is given.
    #[must_use]
    pub fn stall(&self, upto: Option<ActionId>) -> Stall {
        self.stall_since(0, upto)
    }

    /// As [`Measure::stall`], of what was held up after this time, in milliseconds from the start. What was held up before makes all later times later,
    /// and the time between them no longer.
    #[must_use]
    pub fn stall_since(&self, since: u64, upto: Option<ActionId>) -> Stall {
        let end = upto.and_then(|id| self.time(id)).unwrap_or(u64::MAX);
        let mut most = Stall::default();
        let mut more = |node: Node, ready: u64, by: Option<Node>| {
            let time = self.times.time[node as usize].min(end);
            let ms = time.saturating_sub(ready);
            if time > since
                && ms > most.ms
                && let Some(held) = self.held(node, by)
            {
                most = Stall { ms, held: Some(held) };
            }
        };
        for (node, ready) in (0..).zip(&self.times.ready) {
            let by = self.times.by[node as usize];
            // A meeting is no event.
            if self.built.points[node as usize] != Point::Meeting {
                more(node, *ready, by);
            }
        }
        for due in &self.built.dues {
            let ready = self.times.time[due.from as usize].saturating_add(due.ms);
            // What came too late, not from where the deadline was counted.
            let came = match self.built.points[due.node as usize] {
                Point::Action(id) => consumed(act(&self.probe, id)).and_then(|tag| self.built.arrivals.get(&tag)),
                Point::Arrival(..) | Point::Meeting => None,
            };
            more(due.node, ready, self.times.by[due.node as usize].or(came.copied()));
        }
        if self.extent == Extent::Ended {
            self.rest(end, upto, &mut most);
        }
        most
    }

    /// Processes that could have gone on when the run ended, and did not, or that an exit signal should have ended.
    fn rest(&self, end: u64, upto: Option<ActionId>, most: &mut Stall) {
        let last = || self.times.time.iter().copied().max().unwrap_or(0);
        let end = if end == u64::MAX { last() } else { end };
        for (one, arrival) in self.built.without_effect(&self.probe) {
            let ms = end.saturating_sub(self.times.time[arrival as usize]);
            let what = What::Signal;
            if let Some(id) = self.probe.sender(one.tag)
                && !self.probe.ended.contains(&one.to)
                && ms > most.ms
            {
                let held = Some(Held { what, id, after: upto });
                *most = Stall { ms, held };
            }
        }
        for pid in &self.probe.processes {
            let acts = self.probe.acts.get(pid).map_or(0, |acts| acts.len() as u64);
            let id = ActionId::new(*pid, acts);
            let Some(since) = self.time(id).filter(|_| !self.probe.ended.contains(pid)) else {
                continue;
            };
            let (ready, what, id) = match self.probe.waits.get(&ActionId::new(*pid, acts + 1)) {
                // It had something to do.
                None => (since, What::Rest, id),
                Some(wait) => {
                    let matches = self.probe.matches.get(&wait.id).into_iter().flatten();
                    let message = matches.filter_map(|tag| {
                        let arrival = self.times.time[*self.built.arrivals.get(tag)? as usize];
                        Some((arrival.max(since), What::Signal, self.probe.sender(*tag)?))
                    });
                    let timeout = wait.ms.map(|ms| (since.saturating_add(ms), What::Rest, id));
                    let Some(first) = message.chain(timeout).min_by_key(|(ready, ..)| *ready) else {
                        continue;
                    };
                    first
                }
            };
            let ms = end.saturating_sub(ready);
            if ms > most.ms {
                *most = Stall {
                    ms,
                    held: Some(Held { what, id, after: upto }),
                };
            }
        }
    }

    fn held(&self, node: Node, by: Option<Node>) -> Option<Held> {
        let (what, id) = match self.built.points.get(node as usize)? {
            Point::Action(id) => (What::Process, *id),
            Point::Arrival(tag, _) => (What::Signal, self.probe.sender(*tag)?),
            Point::Meeting => return None,
        };
        // What came of the arrival of a signal came of its send.
        let sent = |by: Node| self.built.send(&self.probe, by);
        let after = by.and_then(|by| self.action(by).filter(|after| *after != id).or_else(|| sent(by)));
        Some(Held { what, id, after })
    }

    /// The action that a node is about.
    fn action(&self, mut node: Node) -> Option<ActionId> {
        loop {
            match self.built.points.get(node as usize)? {
                Point::Action(id) => return Some(*id),
                Point::Arrival(tag, _) => return self.built.eaten.get(tag).copied().or(self.probe.sender(*tag)),
                Point::Meeting => node = self.times.by[node as usize]?,
            }
        }
    }
}

/// Which messages to try in which receives: those that had been sent when the receive ended, and were not taken before. A message that was sent
/// later than what a receive took came later anyway.
fn choose(
    probe: &Probe,
    built: &Built,
    times: &Times,
    extent: Extent,
    complete: &mut bool,
) -> FxHashMap<ActionId, Vec<usize>> {
    let time = |node: Node| times.time[node as usize];
    let sent_at = |tag: Tag| {
        let send = built.node(probe, probe.sender(tag)?)?;
        // A timer's message cannot be there before its time.
        Some(time(send).saturating_add(probe.timers.get(&tag).copied().flatten().unwrap_or(0)))
    };
    let mut to: FxHashMap<Pid, Vec<(u64, u32, usize)>> = FxHashMap::default();
    let mut place_of: FxHashMap<Tag, (u64, u32, usize)> = FxHashMap::default();
    for (at, one) in probe.sent.iter().enumerate() {
        let Some(sent) = sent_at(one.tag).filter(|_| !built.is_loose(one.tag)) else {
            continue;
        };
        let key = (sent, one.place, at);
        to.entry(one.to).or_default().push(key);
        place_of.insert(one.tag, key);
    }
    let mut asks: FxHashMap<ActionId, Vec<usize>> = FxHashMap::default();
    for (pid, all) in to {
        let mut waiting: BTreeSet<(u64, u32, usize)> = all.into_iter().collect();
        let acts = probe.acts.get(&pid).map_or(&[][..], Vec::as_slice);
        // After the last action, a process can be in one more receive.
        let rest = (extent == Extent::Ended && !probe.ended.contains(&pid)).then_some(None);
        for (n, one) in (1..).zip(acts.iter().map(Some).chain(rest)) {
            let id = ActionId::new(pid, n);
            if let Some(key) = one.and_then(|one| consumed(*one)).and_then(|tag| place_of.get(&tag)) {
                waiting.remove(key);
            }
            if !probe.waits.contains_key(&id) {
                continue;
            }
            let Some(node) = built.node(probe, if one.is_none() { ActionId::new(pid, n - 1) } else { id }) else {
                continue;
            };
            let until = match act(probe, id) {
                Act::Rec(tag) => {
                    let place = place_of.get(&tag).map_or(0, |key| key.1);
                    let arrival = built.arrivals.get(&tag).copied().unwrap_or(node);
                    (time(arrival), place, 0)
                }
                Act::After(_) => (time(node), probe.place(id), 0),
                _ if one.is_none() => (u64::MAX, u32::MAX, 0),
                _ => (time(node), 0, 0),
            };
            let mut list = Vec::new();
            for (_, _, at) in waiting.range(..until) {
                let Some(one) = probe.sent.get(*at) else { continue };
                // It comes no more, unless it had come before.
                if probe.is_unwatched(one.tag, id) && !built.eaten.contains_key(&one.tag) {
                    continue;
                }
                if list.len() == TRIED {
                    *complete = false;
                    break;
                }
                list.push(*at);
            }
            if !list.is_empty() {
                asks.insert(id, list);
            }
        }
    }
    asks
}

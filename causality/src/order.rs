//! Linearisations: the actions of a slice in an order in which they can be performed, with consecutive actions of one process grouped.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use log_format::{
    ActionId, ActionNo, Counts, Cut, Error, LogStep, Pid, ProcessFacts, Resource, Result, SendNo, Tag, Trace,
};
use rustc_hash::FxHashMap;

use crate::causes::READERS_AT_HAND;
use crate::conflicts::{Conflicts, accesses, precedes};
use crate::direct::{CauseNeed, end_of, needs};
use crate::reading::Reading;

/// Consecutive actions of one process; at least one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct Stretch {
    /// The process.
    pub pid: Pid,
    /// The first of them.
    pub first: ActionNo,
    /// The last of them.
    pub last: ActionNo,
}

impl std::fmt::Display for Stretch {
    /// `event:0.7.0/3 to event:0.7.0/5`, or the one action.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.ends() {
            (first, last) if first == last => first.fmt(f),
            (first, last) => write!(f, "{first} to {last}"),
        }
    }
}

impl Stretch {
    /// How many actions it has.
    #[must_use]
    pub const fn actions(&self) -> u64 {
        self.last.0 + 1 - self.first.0
    }

    /// Its first and its last action.
    #[must_use]
    pub const fn ends(&self) -> (ActionId, ActionId) {
        (
            ActionId {
                pid: self.pid,
                number: self.first,
            },
            ActionId {
                pid: self.pid,
                number: self.last,
            },
        )
    }

    /// Its actions, in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = ActionId> + use<> {
        let pid = self.pid;
        (self.first.0..=self.last.0).map(move |number| ActionId::new(pid, number))
    }
}

/// A causal order of a slice, in stretches. The same slice always gives the same order.
///
/// # Errors
/// If the slice is not of this trace, or the trace is damaged.
pub fn causal_order<'t>(trace: &'t Trace, slice: &Cut) -> Result<CausalOrder<'t>> {
    CausalOrder::new(trace, slice, None)
}

/// An order of a slice that respects the conflict order `→`, as far as the log determines it. The slice must be closed under `→`.
///
/// # Errors
/// As [`causal_order`].
pub fn conflict_order<'t>(trace: &'t Trace, conflicts: &'t Conflicts, slice: &Cut) -> Result<CausalOrder<'t>> {
    CausalOrder::new(trace, slice, Some(conflicts))
}

/// How long timeouts and timers take, in milliseconds. The log does not say when they fired, only what they fired before.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct WaitTimes {
    /// Receives that timed out, by process and action.
    pub timeouts: FxHashMap<ActionId, u64>,
    /// Timers, by the tags of their messages.
    pub timers: FxHashMap<Tag, u64>,
}

/// As [`conflict_order`], with timeouts and timer messages at the time when a simulated clock would fire them. The clock stands still while
/// anything else can happen.
///
/// # Errors
/// As [`causal_order`].
pub fn conflict_order_in_time<'t>(
    trace: &'t Trace,
    conflicts: &'t Conflicts,
    slice: &Cut,
    times: WaitTimes,
) -> Result<CausalOrder<'t>> {
    let mut order = CausalOrder::new(trace, slice, Some(conflicts))?;
    order.times = times;
    Ok(order)
}

/// A process, and how many of its actions have been performed.
#[derive(Debug)]
struct Performer<'t> {
    reader: Reading<'t>,
    process: ProcessFacts,
    /// How many of its actions are in the slice.
    limit: u64,
    /// What has been performed. If the next action waits for something, the reader is one action further.
    done: Counts,
    /// What the action read last needs.
    needs: Vec<CauseNeed>,
    /// Its accesses, if conflicts matter.
    accesses: Vec<log_format::Access>,
    /// What it still waits for.
    waits: Vec<OrderedWait>,
    /// Processes that wait for an action of this one, by its number.
    for_action: BinaryHeap<Reverse<(u64, u32)>>,
    /// Processes that wait for a signal of this one, by its k.
    for_send: BinaryHeap<Reverse<(u64, u32)>>,
    /// The time of its last action.
    since: u64,
    /// Is the timeout that it has come to due?
    due: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum OrderedWait {
    Need(CauseNeed),
    /// All uses of a resource in an earlier version; for a read, also the writes of its version.
    Uses(log_format::Access),
}

/// What was done in one go: some sends, or one action.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DoneTogether {
    /// The index of the process.
    pub at: usize,
    /// Its counts before.
    pub before: Counts,
    /// The number of the last action done.
    pub last: ActionNo,
}

/// The iterator of [`causal_order`] and its like. After an error it returns nothing more.
#[derive(Debug)]
pub struct CausalOrder<'t> {
    trace: &'t Trace,
    conflicts: Option<&'t Conflicts>,
    performers: Vec<Performer<'t>>,
    places: FxHashMap<Pid, u32>,
    /// Processes that can go on, first come first served.
    ready: VecDeque<u32>,
    /// The process that goes on now.
    current: Option<u32>,
    /// How many uses of each resource have been performed.
    used: FxHashMap<Resource, Used>,
    left: u64,
    /// How long timeouts and timers take, and the time of the simulated clock.
    times: WaitTimes,
    now: u64,
    /// When each timer was set.
    set_at: FxHashMap<Tag, u64>,
    /// Processes that wait for the clock: until when, and the action that they then go on with.
    deferred: BinaryHeap<Reverse<(u64, u32, u64)>>,
    /// The current stretch.
    stretch: Option<Stretch>,
    failed: bool,
}

/// The uses of one resource, as they are performed.
#[derive(Debug, Default)]
struct Used {
    done: rustc_hash::FxHashSet<(ActionId, bool, u64)>,
    /// All uses before this index have been performed.
    complete: usize,
    /// All writes before this index have been performed.
    writes: usize,
    waiting: Vec<u32>,
}

impl<'t> CausalOrder<'t> {
    fn new(trace: &'t Trace, slice: &Cut, conflicts: Option<&'t Conflicts>) -> Result<Self> {
        let mut order = Self {
            trace,
            conflicts,
            performers: Vec::new(),
            places: FxHashMap::default(),
            ready: VecDeque::new(),
            current: None,
            used: FxHashMap::default(),
            left: slice.actions(),
            times: WaitTimes::default(),
            now: 0,
            set_at: FxHashMap::default(),
            deferred: BinaryHeap::new(),
            stretch: None,
            failed: false,
        };
        for ActionId { pid, number: last } in slice.iter() {
            let process = trace.process(pid)?;
            if last.0 > process.counts.actions {
                let range = format!("its log has {} actions", process.counts.actions);
                return Err(Error::absent(format!("action {last} of {pid}"), range));
            }
            let at = order.performers.len() as u32;
            order.places.insert(pid, at);
            order.ready.push_back(at);
            order.performers.push(Performer {
                reader: Reading::default(),
                process,
                limit: last.0,
                done: Counts::default(),
                needs: Vec::new(),
                accesses: Vec::new(),
                waits: process
                    .parent
                    .map(|spawn| OrderedWait::Need(CauseNeed::Action(spawn)))
                    .into_iter()
                    .collect(),
                for_action: BinaryHeap::new(),
                for_send: BinaryHeap::new(),
                since: 0,
                due: false,
            });
        }
        Ok(order)
    }

    /// How many processes there are.
    pub(crate) const fn len(&self) -> usize {
        self.performers.len()
    }

    /// The process at an index.
    pub(crate) fn process(&self, at: usize) -> &ProcessFacts {
        &self.performers[at].process
    }

    /// The action that created a process, even if it does nothing in this slice.
    pub(crate) fn parent(&self, pid: Pid) -> Option<ActionId> {
        match self.place(pid) {
            Some(at) => self.process(at).parent,
            None => self.trace.process(pid).ok()?.parent,
        }
    }

    /// What the last action of a process needed.
    pub(crate) fn needs(&self, at: usize) -> &[CauseNeed] {
        &self.performers[at].needs
    }

    /// What the last action of a process used, if conflicts matter.
    pub(crate) fn accesses(&self, at: usize) -> &[log_format::Access] {
        &self.performers[at].accesses
    }

    /// The index of a process.
    pub(crate) fn place(&self, pid: Pid) -> Option<usize> {
        self.places.get(&pid).map(|at| *at as usize)
    }

    /// Performs one action, or a run of sends; `None` when everything is done.
    pub(crate) fn perform(&mut self) -> Result<Option<DoneTogether>> {
        loop {
            let next = self.current.or_else(|| self.ready.pop_front());
            let Some(at) = next.or_else(|| self.let_time_pass()) else {
                if self.left == 0 {
                    return Ok(None);
                }
                let found = format_args!("{} actions that wait for one another", self.left);
                return Err(Error::damaged(0, "logs that some run can have", found));
            };
            self.current = Some(at);
            if let Some(done) = self.go_on(at)? {
                return Ok(Some(done));
            }
            self.current = None;
            let many = self.performers.len() > READERS_AT_HAND;
            let performer = &mut self.performers[at as usize];
            if performer.done.actions == performer.limit {
                performer.reader.close();
            } else if many {
                performer.reader.park();
            }
        }
    }

    /// Performs the next action of a process, unless it has to wait or is at its end.
    fn go_on(&mut self, at: u32) -> Result<Option<DoneTogether>> {
        loop {
            let performer = &self.performers[at as usize];
            let (before, limit) = (performer.done, performer.limit);
            if before.actions == limit {
                return Ok(None);
            }
            while let Some(wait) = self.performers[at as usize].waits.last().copied() {
                if self.must_wait(wait, at)? {
                    return Ok(None);
                }
                self.performers[at as usize].waits.pop();
            }
            if self.performers[at as usize].reader.counts().actions > before.actions {
                if self.waits_for_the_clock(at) {
                    return Ok(None);
                }
                return Ok(Some(self.done(at)));
            }
            let performer = &mut self.performers[at as usize];
            if before == Counts::default() {
                performer.since = self.now;
            }
            let most = if self.conflicts.is_some() {
                1
            } else {
                limit - before.actions
            };
            let Performer {
                reader,
                process,
                needs: needed,
                accesses: used,
                ..
            } = performer;
            needed.clear();
            used.clear();
            match reader.step(self.trace, process.pid, most)? {
                None => {
                    let expected = format!("{limit} actions of {}", process.pid);
                    return Err(Error::damaged(0, expected, before.actions));
                }
                Some(LogStep::Sends(_)) => {}
                Some(LogStep::Action(action)) => {
                    needs(action, needed);
                    if self.conflicts.is_some() {
                        used.extend(accesses(process.pid, action));
                    }
                }
            }
            if self.conflicts.is_none() {
                // Most actions need nothing, or one message that has nearly always been sent by now.
                let clear = match needed[..] {
                    [] => true,
                    [CauseNeed::Sent(by, k)] => {
                        let place = self.places.get(&by).copied();
                        place.is_some_and(|place| self.performers[place as usize].done.sends >= k.0)
                    }
                    _ => false,
                };
                if clear {
                    return Ok(Some(self.done(at)));
                }
            }
            let Performer {
                process,
                needs: needed,
                accesses: used,
                reader,
                waits,
                ..
            } = &mut self.performers[at as usize];
            waits.extend(needed.iter().map(|need| OrderedWait::Need(*need)));
            if let Some(conflicts) = self.conflicts {
                let name = ActionId::new(process.pid, reader.counts().actions);
                waits.extend(used.iter().map(|access| OrderedWait::Uses(*access)));
                waits.extend(
                    conflicts
                        .observers(name)
                        .map(|by| OrderedWait::Need(CauseNeed::Action(by))),
                );
            }
        }
    }

    /// Is the action that was read last a timeout or timer message that is due later than now?
    fn waits_for_the_clock(&mut self, at: u32) -> bool {
        let performer = &mut self.performers[at as usize];
        if std::mem::take(&mut performer.due) {
            return false;
        }
        let number = performer.reader.counts().actions;
        let timeout = self.times.timeouts.get(&ActionId::new(performer.process.pid, number));
        let until = timeout.map(|ms| performer.since.saturating_add(*ms)).or_else(|| {
            let [CauseNeed::Sent(by, k)] = performer.needs[..] else {
                return None;
            };
            let tag = Tag::Sent { by, k };
            Some(self.set_at.get(&tag)?.saturating_add(*self.times.timers.get(&tag)?))
        });
        let Some(until) = until.filter(|until| *until > self.now) else {
            return false;
        };
        self.deferred.push(Reverse((until, at, number)));
        true
    }

    /// Nothing else can happen: advances the clock and returns the process that goes on first.
    fn let_time_pass(&mut self) -> Option<u32> {
        while let Some(Reverse((until, at, number))) = self.deferred.pop() {
            let performer = &mut self.performers[at as usize];
            if performer.done.actions < number {
                self.now = self.now.max(until);
                performer.due = true;
                return Some(at);
            }
        }
        None
    }

    /// Performs the action that was read last.
    fn done(&mut self, at: u32) -> DoneTogether {
        let performer = &mut self.performers[at as usize];
        let before = performer.done;
        let now = performer.reader.counts();
        performer.done = now;
        performer.since = self.now;
        self.left -= now.actions - before.actions;
        if !self.times.timers.is_empty() {
            let by = performer.process.pid;
            let tags = (before.sends + 1..=now.sends).map(|k| Tag::Sent { by, k: SendNo(k) });
            let set = tags.filter(|tag| self.times.timers.contains_key(tag));
            self.set_at.extend(set.map(|tag| (tag, self.now)));
        }
        for (waiting, reached) in [
            (&mut performer.for_action, now.actions),
            (&mut performer.for_send, now.sends),
        ] {
            while let Some(Reverse((number, _))) = waiting.peek()
                && *number <= reached
            {
                if let Some(Reverse((_, other))) = waiting.pop() {
                    self.ready.push_back(other);
                }
            }
        }
        if self.conflicts.is_some() {
            self.mark_used(at, now.last_action());
        }
        DoneTogether {
            at: at as usize,
            before,
            last: now.last_action(),
        }
    }

    /// Must the process wait for this? If so, it is woken when that may have changed.
    fn must_wait(&mut self, wait: OrderedWait, at: u32) -> Result<bool> {
        let need = match wait {
            OrderedWait::Uses(access) => return Ok(self.must_wait_for_uses(&access, at)),
            OrderedWait::Need(need) => need,
        };
        let pid = need.pid();
        let Some(place) = self.places.get(&pid).copied() else {
            if let CauseNeed::Action(ActionId {
                number: ActionNo(0), ..
            }) = need
            {
                // A process that does nothing in this slice: only its birth counts.
                return match self.trace.process(pid)?.parent {
                    Some(spawn) => self.must_wait(OrderedWait::Need(CauseNeed::Action(spawn)), at),
                    None => Ok(false),
                };
            }
            return Err(Error::damaged(
                0,
                "a slice that is closed under its causes",
                format_args!("one without {pid}"),
            ));
        };
        let performer = &mut self.performers[place as usize];
        let (waiting, number, reached) = match need {
            CauseNeed::Action(ActionId {
                number: ActionNo(0), ..
            }) => match performer.process.parent {
                Some(spawn) if performer.done.actions == 0 => {
                    return self.must_wait(OrderedWait::Need(CauseNeed::Action(spawn)), at);
                }
                _ => return Ok(false),
            },
            CauseNeed::Action(action) => (&mut performer.for_action, action.number.0, performer.done.actions),
            CauseNeed::Sent(_, k) => (&mut performer.for_send, k.0, performer.done.sends),
            CauseNeed::End(_) => (
                &mut performer.for_action,
                end_of(&performer.process)?.0,
                performer.done.actions,
            ),
        };
        if number <= reached {
            return Ok(false);
        }
        if matches!(need, CauseNeed::Action(..) | CauseNeed::End(_)) && number > performer.limit {
            return Err(Error::damaged(
                0,
                "a slice that is closed under its causes",
                format_args!("one without action {number} of {pid}"),
            ));
        }
        waiting.push(Reverse((number, at)));
        Ok(true)
    }

    fn must_wait_for_uses(&mut self, access: &log_format::Access, at: u32) -> bool {
        let Some(conflicts) = self.conflicts else {
            return false;
        };
        let before = conflicts.before(access).len();
        let name = {
            let performer = &self.performers[at as usize];
            ActionId::new(performer.process.pid, performer.reader.counts().actions)
        };
        let used = self.used.entry(access.resource).or_default();
        let uses = conflicts.uses.get(&access.resource).map_or(&[][..], Vec::as_slice);
        let key = |one: &crate::conflicts::ResourceUse| (one.action, one.read, one.version.0);
        // An action does not wait for its own uses.
        let passed = |one: &crate::conflicts::ResourceUse| one.action == name || used.done.contains(&key(one));
        while used.writes < uses.len() && (uses[used.writes].read || used.done.contains(&key(&uses[used.writes]))) {
            used.writes += 1;
        }
        while used.complete < uses.len() && used.done.contains(&key(&uses[used.complete])) {
            used.complete += 1;
        }
        let done = if access.write { used.complete } else { used.writes };
        let clear = uses[done.min(before)..before]
            .iter()
            .all(|one| !precedes(one, access) || passed(one));
        if !clear {
            used.waiting.push(at);
        }
        !clear
    }

    fn mark_used(&mut self, at: u32, number: ActionNo) {
        let Performer { process, accesses, .. } = &self.performers[at as usize];
        for access in accesses {
            let used = self.used.entry(access.resource).or_default();
            used.done.insert((
                ActionId {
                    pid: process.pid,
                    number,
                },
                !access.write,
                access.version.0,
            ));
            self.ready.extend(used.waiting.drain(..));
        }
    }
}

impl Iterator for CausalOrder<'_> {
    type Item = Result<Stretch>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.failed {
            match self.perform() {
                Err(error) => {
                    self.failed = true;
                    return Some(Err(error));
                }
                Ok(None) => return self.stretch.take().map(Ok),
                Ok(Some(done)) => {
                    let pid = self.performers[done.at].process.pid;
                    match &mut self.stretch {
                        Some(stretch) if stretch.pid == pid => stretch.last = done.last,
                        stretch => {
                            let new = Stretch {
                                pid,
                                first: ActionNo(done.before.actions + 1),
                                last: done.last,
                            };
                            if let Some(whole) = stretch.replace(new) {
                                return Some(Ok(whole));
                            }
                        }
                    }
                }
            }
        }
        None
    }
}

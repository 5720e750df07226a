//! The recorded run as a continuation uses it: when each action was done, as far as waits tell, and which process has which part.

mod chronicle;

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use log_format::{Action, ActionId, Cut, LogStep, Pid, Resource, SendNo, Tag, Trace};
use rustc_hash::{FxHashMap, FxHashSet};
use session::Goal;
use session::Session;
use session::error::Error;
use session::machinery::Machinery;
use session::of_elixir::machinery;
use session::player::history::History;

use crate::story::{Run, Sort, Uses};
pub use chronicle::Content;
use chronicle::{Chronicle, Done, holds, place_of};

/// The uses of shared things, each with the version that it read or made.
type Versions = RefCell<FxHashMap<Resource, Rc<[(ActionId, u64)]>>>;

/// The recorded run.
pub struct Record {
    /// Its logs.
    pub history: History,
    /// All actions, in an order in which they could have been done: by time, then as they depend on each other.
    pub order: Vec<ActionId>,
    ranks: FxHashMap<Pid, Vec<u32>>,
    done: FxHashMap<Pid, Vec<Done>>,
    /// The children of a process, each with the action that created it.
    children: FxHashMap<Pid, Vec<(u64, Pid)>>,
    waits: FxHashMap<ActionId, u64>,
    /// The waits of some length, in this order.
    long: Vec<ActionId>,
    /// By receiver: signals that were never consumed, with their senders.
    left: FxHashMap<Pid, Vec<(Pid, u64)>>,
    /// Processes that set timers.
    timed: FxHashSet<Pid>,
    /// Processes that may hear of the end of another one.
    tied: FxHashSet<Pid>,
    /// What a process received, once somebody asked.
    received: RefCell<FxHashMap<Pid, Rc<Received>>>,
    sorts: FxHashMap<Pid, Vec<Sort>>,
    many: Vec<u32>,
    /// The uses of each shared thing, in this order.
    uses: FxHashMap<Resource, Rc<[ActionId]>>,
    /// The versions of these, once somebody asked.
    versions: Versions,
    incoming: RefCell<FxHashMap<Pid, Rc<Incoming>>>,
    /// What each action of each process did, as [`session::doing::Doing::with`].
    steps: FxHashMap<Pid, Vec<u64>>,
    /// What each process sent, by its ordinal.
    contents: FxHashMap<Pid, Vec<Content>>,
    machinery: Arc<Machinery>,
}

/// The signals for a process, by sender, in the order in which they were sent.
struct Incoming {
    senders: Vec<(Pid, Vec<Signal>)>,
    /// What came of the ends of others, with the actions that consumed it.
    ends: FxHashMap<Pid, u64>,
}

/// A signal for a process.
struct Signal {
    k: u64,
    /// The action that consumed it; `u64::MAX`: none.
    taken: u64,
    /// The greatest of these up to here.
    latest: u64,
}

/// Two things are far apart if more milliseconds of waits lie between them.
pub(crate) const FAR: u64 = 15;
/// A wait of more milliseconds comes in a continuation only when nothing else can happen.
pub(crate) const LONG: u64 = 20;
/// More senders than these are not looked at one by one.
const SENDERS: usize = 200;

/// Which action of a process consumed each signal.
#[derive(Default)]
pub struct Received {
    all: FxHashMap<Tag, u64>,
    /// By sender: the numbers of its signals, ascending, each with the first action that consumed it or a later one.
    later: FxHashMap<Pid, Vec<(SendNo, u64)>>,
}

impl Received {
    fn of(trace: &Trace, pid: Pid) -> Result<Self, Error> {
        let mut received = Self::default();
        let mut log = trace.log(pid)?.without_values();
        let mut number = 0;
        while let Some(step) = log.step(u64::MAX)? {
            let action = match step {
                LogStep::Sends(many) => {
                    number += many;
                    continue;
                }
                LogStep::Action(action) => action,
            };
            number += 1;
            let Some(tag) = action.kind.consumed() else {
                continue;
            };
            received.all.insert(tag, number);
            if let Tag::Sent { by, k } = tag {
                received.later.entry(by).or_default().push((k, number));
            }
        }
        for list in received.later.values_mut() {
            list.sort_unstable();
            let mut first = u64::MAX;
            for (_, number) in list.iter_mut().rev() {
                first = first.min(*number);
                *number = first;
            }
        }
        Ok(received)
    }

    /// The action that consumed this signal.
    #[must_use]
    pub fn at(&self, tag: Tag) -> Option<u64> {
        self.all.get(&tag).copied()
    }

    /// The first action that consumed this signal or a later one of its sender.
    #[must_use]
    pub fn from(&self, by: Pid, k: SendNo) -> Option<u64> {
        let list = self.later.get(&by)?;
        let at = list.partition_point(|(known, _)| *known < k);
        list.get(at).map(|(_, number)| *number)
    }
}

impl Record {
    /// Replays the run once.
    ///
    /// # Errors
    /// The replay diverges; the trace is damaged.
    pub fn of(session: &Session) -> Result<Self, Error> {
        let chronicle = Chronicle {
            // Nothing was chosen there.
            many: vec![0],
            ..Chronicle::default()
        };
        let system = session.replay(&Goal::everything(), chronicle)?;
        let Chronicle {
            mut order,
            done,
            sends,
            children,
            waits,
            timers: _,
            timed,
            tied,
            sorts,
            numbers: _,
            many,
            uses,
            steps,
            contents,
        } = system.into_observer();
        let mut left: FxHashMap<Pid, Vec<(Pid, u64)>> = FxHashMap::default();
        for (by, sent) in &sends {
            let to = contents.get(by).map_or(&[][..], Vec::as_slice);
            for (k, (_, Content { to, .. })) in (1..).zip(sent.iter().zip(to)).filter(|(_, (sent, _))| sent.left) {
                left.entry(*to).or_default().push((*by, k));
            }
        }
        // A stable sort: what depends on something is not earlier, and comes later in the replay.
        order.sort_by_key(|(time, _)| *time);
        let order: Vec<ActionId> = order.into_iter().map(|(_, id)| id).collect();
        let is_long = |id: &&ActionId| waits.get(*id).is_some_and(|wait| *wait > LONG);
        let long = order.iter().filter(is_long).copied().collect();
        let mut ranks: FxHashMap<Pid, Vec<u32>> = FxHashMap::default();
        for (id, rank) in order.iter().zip(0_u32..) {
            ranks.entry(id.pid).or_default().push(rank);
        }
        let rank = |id: &ActionId| {
            ranks
                .get(&id.pid)
                .zip(place_of(id.number.0))
                .and_then(|(ranks, at)| ranks.get(at))
        };
        let in_order = |(resource, mut uses): (Resource, Vec<ActionId>)| {
            uses.sort_by_key(rank);
            (resource, Rc::from(uses))
        };
        let uses = uses.into_iter().map(in_order).collect();
        Ok(Self {
            history: session::player::history::History::of(Arc::clone(session.trace()), session.logs().clone()),
            order,
            ranks,
            done,
            children,
            waits,
            long,
            left,
            timed,
            tied,
            received: RefCell::default(),
            sorts,
            many,
            uses,
            versions: Versions::default(),
            incoming: RefCell::default(),
            steps,
            contents,
            machinery: Arc::clone(machinery(session)),
        })
    }

    /// The uses of a shared thing, each with the version that it read or made.
    ///
    /// # Errors
    /// The trace is damaged.
    pub fn versions(&self, resource: Resource) -> Result<Rc<[(ActionId, u64)]>, Error> {
        if let Some(known) = self.versions.borrow().get(&resource) {
            return Ok(Rc::clone(known));
        }
        let mut versions = Vec::new();
        for id in self.uses.get(&resource).map_or(&[][..], |uses| uses) {
            let action = self.history.action(id.pid, id.number.0)?;
            let of_it = causality::accesses(id.pid, &action).filter(|access| access.resource == resource);
            versions.extend(of_it.map(|access| (*id, access.version.0)));
        }
        let versions: Rc<[(ActionId, u64)]> = versions.into();
        self.versions.borrow_mut().insert(resource, Rc::clone(&versions));
        Ok(versions)
    }

    /// What an action did: see [`session::doing::Doing::with`].
    #[must_use]
    pub fn step(&self, pid: Pid, n: u64) -> Option<u64> {
        let steps = self.steps.get(&pid).zip(place_of(n));
        steps.and_then(|(steps, at)| steps.get(at)).copied()
    }

    /// The signals that a process sent after its first `after` ones, up to its action `n`.
    #[must_use]
    pub fn sent(&self, pid: Pid, after: u64, n: u64) -> &[Content] {
        let done = self.done.get(&pid).zip(place_of(n));
        let upto = done
            .and_then(|(done, at)| done.get(at))
            .map_or(0, |done| done.sends as usize);
        let all = self.contents.get(&pid).map_or(&[][..], Vec::as_slice);
        let from = usize::try_from(after).unwrap_or(usize::MAX).min(upto);
        all.get(from..upto.min(all.len())).unwrap_or_default()
    }

    /// What a signal holds, as a number.
    #[must_use]
    pub fn content(&self, tag: Tag) -> u64 {
        holds(&self.contents, tag)
    }

    /// Did Elixir itself do this?
    #[must_use]
    pub fn is_of_elixir(&self, action: ActionId) -> bool {
        self.machinery.has(action)
    }

    /// What a process received.
    ///
    /// # Errors
    /// The trace is damaged.
    pub fn received(&self, pid: Pid) -> Result<Rc<Received>, Error> {
        if let Some(known) = self.received.borrow().get(&pid) {
            return Ok(Rc::clone(known));
        }
        let received = match self.history.trace() {
            Some(trace) if self.has(pid) => Received::of(trace, pid)?,
            _ => Received::default(),
        };
        let received = Rc::new(received);
        self.received.borrow_mut().insert(pid, Rc::clone(&received));
        Ok(received)
    }

    /// How many processes a process created with its first `n` actions.
    #[must_use]
    pub fn children(&self, pid: Pid, n: u64) -> usize {
        let all = self.children.get(&pid);
        all.map_or(0, |all| all.partition_point(|(at, _)| *at <= n))
    }

    /// Is it a process of the record?
    #[must_use]
    pub fn has(&self, pid: Pid) -> bool {
        self.ranks.contains_key(&pid)
    }

    /// An action of the record.
    ///
    /// # Errors
    /// The trace is damaged.
    pub fn action(&self, pid: Pid, n: u64) -> Result<Option<Action>, Error> {
        let there = self
            .ranks
            .get(&pid)
            .is_some_and(|ranks| (1..=ranks.len() as u64).contains(&n));
        Ok(match there {
            true => Some(self.history.action(pid, n)?),
            false => None,
        })
    }

    /// The place of an action in the order; greater than all for one that was not recorded.
    #[must_use]
    pub fn rank(&self, pid: Pid, n: u64) -> u64 {
        let place = usize::try_from(n.max(1) - 1).unwrap_or(usize::MAX);
        let ranks = self.ranks.get(&pid);
        ranks
            .and_then(|ranks| ranks.get(place))
            .map_or(u64::MAX, |rank| u64::from(*rank))
    }

    /// When an action was done, in milliseconds of waits.
    #[must_use]
    pub fn time(&self, id: ActionId) -> u64 {
        match (place_of(id.number.0), self.done.get(&id.pid)) {
            (Some(at), Some(done)) => done.get(at).or(done.last()).map_or(0, |done| u64::from(done.time)),
            _ => 0,
        }
    }

    /// The signals for a process.
    fn incoming(&self, pid: Pid) -> Result<Rc<Incoming>, Error> {
        if let Some(known) = self.incoming.borrow().get(&pid) {
            return Ok(Rc::clone(known));
        }
        let mut by_sender: FxHashMap<Pid, Vec<Signal>> = FxHashMap::default();
        let mut ends = FxHashMap::default();
        let mut put = |by: Pid, k: u64, taken: u64| {
            let signal = Signal {
                k,
                taken,
                latest: taken,
            };
            by_sender.entry(by).or_default().push(signal);
        };
        for (tag, taken) in &self.received(pid)?.all {
            match *tag {
                Tag::Sent { by, k } => put(by, k.0, *taken),
                tag => ends.extend(tag.sender().map(|by| (by, *taken))),
            }
        }
        for (by, k) in self.left.get(&pid).into_iter().flatten() {
            put(*by, *k, u64::MAX);
        }
        let mut senders: Vec<(Pid, Vec<Signal>)> = by_sender.into_iter().collect();
        senders.sort_unstable_by_key(|(by, _)| *by);
        for (_, all) in &mut senders {
            all.sort_unstable_by_key(|signal| signal.k);
            let mut latest = 0;
            for signal in all {
                latest = latest.max(signal.taken);
                signal.latest = latest;
            }
        }
        let incoming = Rc::new(Incoming { senders, ends });
        self.incoming.borrow_mut().insert(pid, Rc::clone(&incoming));
        Ok(incoming)
    }

    /// The recorded signal that stands for one of another run. The numbers of its sender may be others there (a monitor of a process that has ended
    /// counts as a signal, one of a living process does not); of those for the receiver it is then the first that it had not consumed in its first
    /// `n` actions.
    ///
    /// # Errors
    /// The trace is damaged.
    pub fn counterpart(&self, receiver: Pid, n: u64, tag: Tag) -> Result<Tag, Error> {
        let Tag::Sent { by, k } = tag else { return Ok(tag) };
        let incoming = self.incoming(receiver)?;
        let signals = incoming.senders.iter().find(|(sender, _)| *sender == by);
        let signals = signals.map_or(&[][..], |(_, signals)| signals);
        if signals.iter().any(|signal| signal.k == k.0) {
            return Ok(tag);
        }
        let next = signals.iter().find(|signal| signal.taken > n);
        Ok(next.map_or(tag, |signal| Tag::Sent {
            by,
            k: SendNo(signal.k),
        }))
    }

    /// Could a receive have got something else, of what is sent in a part of the run? If this is `false`, nothing else can be there but its timeout.
    /// `made`: what it received, if it did not time out.
    ///
    /// # Errors
    /// The trace is damaged.
    pub fn could_get_another(&self, id: ActionId, made: Option<Tag>, kept: &Cut) -> Result<bool, Error> {
        let incoming = self.incoming(id.pid)?;
        if incoming.senders.len() > SENDERS {
            return Ok(true);
        }
        let n = id.number.0;
        for (by, signals) in &incoming.senders {
            // Of one sender, the first one comes first, unless it is a timer.
            if made.is_some_and(|made| made.sender() == Some(*by)) && !self.timed.contains(by) {
                continue;
            }
            let first = signals.partition_point(|signal| signal.latest <= n);
            let sent = self.done.get(by).zip(place_of(kept.get(*by)));
            let sent = sent.and_then(|(done, at)| done.get(at)).map_or(0, |done| done.sends);
            if signals.get(first).is_some_and(|signal| signal.k <= u64::from(sent)) {
                return Ok(true);
            }
        }
        if !self.tied.contains(&id.pid) && incoming.ends.is_empty() {
            return Ok(false);
        }
        let mut looked_at = 0;
        for (by, done) in &self.done {
            let over = kept.get(*by) >= done.len() as u64;
            if over && *by != id.pid && incoming.ends.get(by).is_none_or(|taken| *taken > n) {
                return Ok(true);
            }
            looked_at += 1;
            if looked_at > SENDERS {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Did anything wait for some time?
    #[must_use]
    pub fn is_timed(&self) -> bool {
        self.waits.values().any(|wait| *wait > 0)
    }

    /// The timeouts and the receipts of timers' messages that took more than a few milliseconds, in the recorded order.
    #[must_use]
    pub fn long_waits(&self) -> &[ActionId] {
        &self.long
    }

    /// For how long a receive waited that timed out, or a timer ran whose message it took; in milliseconds.
    #[must_use]
    pub fn waited(&self, id: ActionId) -> Option<u64> {
        self.waits.get(&id).copied()
    }

    /// The `j`-th process that a process created, from 1.
    #[must_use]
    pub fn child(&self, parent: Pid, j: usize) -> Option<Pid> {
        self.children
            .get(&parent)?
            .get(j.checked_sub(1)?)
            .map(|(_, child)| *child)
    }

    /// How many actions of a process were recorded.
    #[must_use]
    pub fn length(&self, pid: Pid) -> u64 {
        self.ranks.get(&pid).map_or(0, |ranks| ranks.len() as u64)
    }
}

impl Run for Record {
    type Error = Error;

    fn processes(&self) -> Vec<Pid> {
        let mut all: Vec<Pid> = self.ranks.keys().copied().collect();
        all.sort_unstable();
        all
    }

    fn actions(&self, pid: Pid) -> u64 {
        self.length(pid)
    }

    fn sort(&self, id: ActionId) -> Sort {
        let sorts = self.sorts.get(&id.pid).zip(place_of(id.number.0));
        sorts.and_then(|(sorts, at)| sorts.get(at)).copied().unwrap_or(0)
    }

    fn many(&self, sort: Sort) -> u32 {
        self.many.get(sort as usize).copied().unwrap_or(0)
    }

    fn sources(&self, id: ActionId) -> Result<Vec<ActionId>, Error> {
        let Some(action) = self.action(id.pid, id.number.0)? else {
            return Ok(Vec::new());
        };
        let mut sources: Vec<ActionId> = action.read_from().collect();
        match action.kind.consumed() {
            Some(Tag::Sent { by, k: SendNo(k) }) => {
                let done = self.done.get(&by).map_or(&[][..], Vec::as_slice);
                let before = done.partition_point(|done| u64::from(done.sends) < k);
                sources.push(ActionId::new(by, before as u64 + 1));
            }
            Some(Tag::EndTo { by, .. } | Tag::EndRef { by, .. } | Tag::EndTable { by, .. }) => {
                sources.push(ActionId::new(by, self.length(by)));
            }
            Some(Tag::Limit { .. }) | None => {}
        }
        if id.number.0 == 1 {
            sources.extend(self.history.parent(id.pid)?);
        }
        Ok(sources)
    }

    fn uses(&self, id: ActionId) -> Result<Vec<Uses>, Error> {
        let Some(action) = self.action(id.pid, id.number.0)? else {
            return Ok(Vec::new());
        };
        let rank = |id: &ActionId| self.rank(id.pid, id.number.0);
        let of = |access: log_format::Access| {
            let uses = self.uses.get(&access.resource)?;
            Some((Rc::clone(uses), uses.partition_point(|one| rank(one) < rank(&id))))
        };
        Ok(causality::accesses(id.pid, &action).filter_map(of).collect())
    }
}

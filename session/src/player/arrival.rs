//! Which messages a receive may take beyond the log: those for which some order of arrival explains all choices so far (semantics.md §10).
//!
//! The order of arrival is a partial order with (i) the sending order of each pair, and causal order inside a node unless delivery is free; (ii) a consumed message before every unconsumed one that
//! matches the same receive; (iii) a timeout before the arrival of every unconsumed match; (iv) what is in the mailbox when the process does
//! something arrived before what the process causes later. A choice closes a cycle only if a matching message has been *passed over*: it must
//! have arrived, because a later one of its sender has been consumed (or because it is the process's own). Only then is a closer check needed.

use std::sync::Arc;

use interpreter::heap::Fragment;
use interpreter::vm::Timeout;
use log_format::{ActionId, ActionNo, Cut, Pid, SendNo, Tag};
use rustc_hash::{FxHashMap, FxHashSet};

use super::bounds::ReceiveBounds;
use super::history::History;
use super::known::KnownSignals;
use super::tracker::Tracker;
use super::{Player, handle};
use crate::error::Error;
use system::beyond::Window;
use system::delivery::VectorClock;
use system::process::{Label, Process, SeenLength};
use system::{System, World};

/// In tests, what is kept of up to so many messages is compared with what is judged anew.
pub(super) const COMPARED: usize = 64;
/// The same for what is found without reading the logs of a run of so many actions.
const SHORT: u64 = 500;

/// What a process can receive at its current position.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Receivable {
    /// The messages that it may take, by tag.
    pub messages: Vec<Tag>,
    /// May the receive time out now?
    pub timeout: bool,
    /// Of the messages, those that may also have been dropped when they arrived.
    pub optional: Vec<Tag>,
}

/// Signals, each with its receiver.
type Arriving = Vec<(Pid, Tag)>;

/// In which order some signals to one process arrive, as far as that is certain.
#[derive(Clone, Debug, Default)]
pub(super) struct ArrivalOrder {
    /// Messages of timers, with their delays.
    timed: FxHashMap<Tag, u64>,
    /// Those sent on the node of the receiver, with what was known of other signals when they were sent.
    local: FxHashMap<Tag, VectorClock>,
    /// What the receiver knows to have been sent, so that it has arrived.
    arrived: FxHashSet<Tag>,
    /// The receiver: what it sent to itself comes before nothing of others.
    to: Option<Pid>,
}

impl ArrivalOrder {
    /// Does one signal arrive before another one: by the sending order of the pair, the deadlines of two timers, or causal delivery?
    pub(super) fn comes_before(&self, one: Tag, other: Tag) -> bool {
        comes_before(one, other, &self.timed) || self.is_causally_before(one, other)
    }

    /// Does the receiver know that this signal was sent, so that it has arrived?
    pub(super) fn has_arrived(&self, tag: Tag) -> bool {
        self.arrived.contains(&tag)
    }

    /// Were both sent on the node of the receiver, by different senders, and one causally before the other?
    fn is_causally_before(&self, one: Tag, other: Tag) -> bool {
        one.sender() != other.sender()
            && one.sender() != self.to
            && self.local.contains_key(&one)
            && self.local.get(&other).is_some_and(|clock| clock.has(one))
    }

    /// Of some signals, those before which no other one of them arrives. The cost grows with what is known of senders, not with the pairs.
    pub(super) fn first(&self, tags: &[Tag]) -> Vec<Tag> {
        // Of each sender, the first numbered signal that no timer sends; and of those sent on the node.
        let mut earliest: FxHashMap<Pid, u64> = FxHashMap::default();
        let mut sources: FxHashMap<Pid, u64> = FxHashMap::default();
        let timers: Vec<Tag> = tags
            .iter()
            .copied()
            .filter(|tag| self.timed.contains_key(tag))
            .collect();
        // Of each end, the signal that leaves first.
        let mut ends: FxHashMap<Pid, Tag> = FxHashMap::default();
        for tag in tags
            .iter()
            .filter(|tag| matches!(tag, Tag::EndTo { .. } | Tag::EndRef { .. }))
        {
            let Some(by) = tag.sender() else { continue };
            let first = ends.entry(by).or_insert(*tag);
            if tag.leaves_before(*first) {
                *first = *tag;
            }
        }
        for tag in tags.iter().filter(|tag| !self.timed.contains_key(tag)) {
            let Tag::Sent { by, k: SendNo(k) } = *tag else { continue };
            let first = earliest.entry(by).or_insert(k);
            *first = k.min(*first);
            if self.local.contains_key(tag) && Some(by) != self.to {
                let first = sources.entry(by).or_insert(k);
                *first = k.min(*first);
            }
        }
        let is_first = |tag: &Tag| {
            let own = tag.sender().and_then(|by| earliest.get(&by)).copied();
            let end = tag.sender().and_then(|by| ends.get(&by));
            let own_before = match (*tag, self.timed.contains_key(tag)) {
                (_, true) => timers.iter().any(|other| comes_before(*other, *tag, &self.timed)),
                (Tag::Sent { k: SendNo(k), .. }, _) => own.is_some_and(|first| first < k),
                (_, _) => own.is_some() || end.is_some_and(|first| first.leaves_before(*tag)),
            };
            let known = |by: &Pid, k: u64, sent: u64| k <= sent && Some(*by) != tag.sender();
            let others_before = self
                .local
                .get(tag)
                .is_some_and(|clock| match clock.len() <= sources.len() {
                    true => clock
                        .iter()
                        .any(|(by, sent)| sources.get(&by).is_some_and(|k| known(&by, *k, sent))),
                    false => sources
                        .iter()
                        .any(|(by, k)| clock.sent(*by).is_some_and(|sent| known(by, *k, sent))),
                });
            !own_before && !others_before
        };
        tags.iter().copied().filter(is_first).collect()
    }
}

impl Player {
    /// The order of arrival of signals that were sent to a process and not consumed.
    pub(super) fn order(&mut self, pid: Pid, tags: &[Tag]) -> Result<ArrivalOrder, Error> {
        let mut order = ArrivalOrder {
            to: Some(pid),
            ..ArrivalOrder::default()
        };
        let local = self.look(|system| {
            let timed = tags.iter().filter_map(|tag| Some((*tag, system.timed(*tag)?)));
            order.timed = timed.collect();
            let local = tags.iter().copied().filter(|tag| !order.timed.contains_key(tag));
            local.filter(|tag| is_local(system, pid, *tag)).collect::<Vec<Tag>>()
        });
        if local.is_empty() {
            return Ok(order);
        }
        let Some(known) = self.known()? else { return Ok(order) };
        let arrived = local
            .iter()
            .filter(|one| one.sender() != Some(pid) && known.knows(pid, **one));
        order.arrived = arrived.copied().collect();
        order.local = local.into_iter().map(|tag| (tag, known.known_at(tag))).collect();
        Ok(order)
    }

    /// What a process that waits in a receive may receive. `times_out`: the receive has an `after`. `one`: of the messages, the first one is enough.
    pub(super) fn receivable(&mut self, pid: Pid, times_out: bool, one: bool) -> Result<Receivable, Error> {
        let Some(kept) = self.kept_receivable(pid, times_out, one)? else {
            return self.judge_all(pid, times_out);
        };
        if cfg!(debug_assertions) && self.look(|system| system.pending(pid)).0 <= COMPARED {
            let judged = self.beyond.judged;
            let mut all = self.judge_all(pid, times_out)?;
            all.messages.truncate(if one { 1 } else { usize::MAX });
            assert_eq!(kept, all, "{pid}");
            self.beyond.judged = judged;
        }
        Ok(kept)
    }

    fn judge_all(&mut self, pid: Pid, times_out: bool) -> Result<Receivable, Error> {
        let (held, mut matching, urgent) = self.look(|system| {
            let mut held = system.messages(pid);
            held.extend(system.accepted_before(pid));
            let matching = system.takes(pid, &held);
            let p = system.table().by_pid(handle(pid));
            let urgent = |tag: &Tag| p.is_some_and(|p| system.is_urgent(p, *tag));
            let urgent: Vec<Tag> = matching.iter().copied().filter(urgent).collect();
            (held, matching, urgent)
        });
        self.beyond.judged += held.len() as u64;
        let mut past = Past {
            pid,
            held,
            receives: None,
        };
        // What woke it up is there, and is among those that it takes.
        let woken = self.look(|system| {
            let p = system.table().by_pid(handle(pid));
            p.is_some_and(|p| p.rare.past.woken)
        }) && matching.len() == past.held.len();
        let optional = self.fates(&mut past, &mut matching)?;
        let order = match matching.len() {
            1 if !times_out => ArrivalOrder::default(),
            0 => ArrivalOrder::default(),
            _ => self.order(pid, &matching)?,
        };
        let (mut passed, rings) = self.look(|system| {
            let p = system.table().by_pid(handle(pid));
            let arrived = |tag: &Tag| p.is_some_and(|p| system.has_arrived(p, *tag));
            let rings = p.and_then(|p| match p.label {
                Some(Label::Receive(Timeout::Millis(ms))) => {
                    Some(matching.iter().any(|tag| system.rings_within(p, *tag, ms)))
                }
                _ => None,
            });
            let passed: Vec<Tag> = matching.iter().copied().filter(arrived).collect();
            (passed, rings.unwrap_or_default())
        });
        passed.extend(&order.arrived);
        passed.extend(past.seen(self, &matching)?);
        passed.sort_unstable();
        passed.dedup();
        passed.retain(|tag| !optional.contains(tag));
        let mut messages = order.first(&matching);
        if !urgent.is_empty() {
            // Ordinary messages that have arrived do not stop a priority message, which stops them.
            let ordinary = |tag: &Tag| !urgent.contains(tag) && !passed.iter().any(|one| urgent.contains(one));
            messages.retain(ordinary);
            messages.extend(order.first(&urgent));
            messages.sort_unstable();
        }
        if !passed.is_empty() && messages.len() > 1 {
            let mut allowed = Vec::new();
            for tag in messages {
                let mut fits = true;
                let before = |other: &&Tag| **other != tag && (!urgent.contains(&tag) || urgent.contains(other));
                for other in passed.iter().filter(before) {
                    fits &= !past.of().leads(self, *other, tag)?;
                }
                if fits {
                    allowed.push(tag);
                }
            }
            messages = allowed;
        }
        Ok(Receivable {
            timeout: times_out && passed.is_empty() && !rings && !woken,
            optional: messages.iter().copied().filter(|tag| optional.contains(tag)).collect(),
            messages,
        })
    }

    /// Of the messages that a receive would take, removes those that were dropped when they arrived, whatever the order; returns those that may
    /// have been.
    fn fates(&mut self, past: &mut Past, matching: &mut Vec<Tag>) -> Result<Vec<Tag>, Error> {
        let pid = past.pid;
        let fickle = self.look(|system| {
            let of = matching
                .iter()
                .filter_map(|tag| Some((*tag, system.windows(pid, *tag)?)));
            of.collect::<Vec<(Tag, Vec<Window>)>>()
        });
        let mut optional = Vec::new();
        for (tag, windows) in fickle {
            let (mut there, mut gone) = (false, false);
            for (from, to, accepts) in windows {
                if past.of().arrives_within(self, tag, from, to)? {
                    there |= accepts;
                    gone |= !accepts;
                }
            }
            if !there {
                matching.retain(|one| *one != tag);
            } else if gone {
                optional.push(tag);
            }
        }
        Ok(optional)
    }

    /// Of the messages that a process could receive now, those that may have been dropped when they arrived.
    ///
    /// # Errors
    /// The trace is damaged.
    pub fn optional(&mut self, pid: Pid) -> Result<Vec<Tag>, Error> {
        self.sync()?;
        let label = self.change(|system| system.look_ahead(pid, super::PATIENCE))?;
        let fickle = self.look(|system| {
            system
                .table()
                .by_pid(handle(pid))
                .is_some_and(system::beyond::has_turned)
        });
        match label {
            Some(Label::Receive(timeout)) if fickle => {
                Ok(self.receivable(pid, timeout != Timeout::Infinity, false)?.optional)
            }
            _ => Ok(Vec::new()),
        }
    }

    /// A message that may have been dropped when it arrived was dropped.
    ///
    /// # Errors
    /// A bug of ours.
    pub fn lose(&mut self, pid: Pid, tag: Tag) -> Result<(), Error> {
        self.change(|system| system.was_dropped(pid, tag))
    }

    /// What the next step of a process can find to have arrived, or not: in an order in which it can arrive, each with its receiver.
    pub(super) fn findable(&mut self, pid: Pid) -> Result<Vec<(Pid, Tag)>, Error> {
        Ok(self.findable_after_forced(pid)?.1)
    }

    /// The same, after what the step has to find.
    fn findable_after_forced(&mut self, pid: Pid) -> Result<(Arriving, Arriving), Error> {
        let found = self.look(|system| system.finds(pid));
        let Some(&(to, _)) = found.first() else {
            return Ok(Default::default());
        };
        let is_known = |system: &System<Tracker>, tag: Tag| {
            let p = system.table().by_pid(handle(to));
            tag.sender() == Some(pid) && system.timed(tag).is_none() || p.is_some_and(|p| system.has_arrived(p, tag))
        };
        let mut tags: Vec<Tag> = self.look(|system| {
            let all = found.iter().map(|(_, tag)| *tag);
            all.filter(|tag| !is_known(system, *tag)).collect()
        });
        let sure = self.surely_there(pid, to, &tags)?;
        tags.retain(|tag| !sure.contains(tag));
        let there = (found.len() - tags.len()) as u64;
        let deadly = self.look(|system| system.deadly(to));
        let mut all: Vec<Tag> = tags.iter().chain(&deadly).copied().collect();
        let order = match all.len() {
            0 | 1 => ArrivalOrder::default(),
            _ => self.order(to, &all)?,
        };
        tags.retain(|tag| !deadly.iter().any(|signal| order.comes_before(*signal, *tag)));
        all.clone_from(&tags);
        let mut sorted = Vec::new();
        while !all.is_empty() {
            let mut first = order.first(&all);
            first.sort_unstable();
            let Some(next) = first.first().copied() else { break };
            all.retain(|tag| *tag != next);
            sorted.push((to, next));
        }
        let forced = match to == pid {
            true => 0,
            false => self.left_of_seen(pid, to)?.saturating_sub(there),
        };
        let rest = sorted.split_off(sorted.len().min(forced as usize));
        Ok((sorted, rest))
    }

    /// At least so many messages are in a mailbox, because so many more than were taken out since were seen there, as another process knows.
    fn left_of_seen(&self, who: Pid, of: Pid) -> Result<u64, Error> {
        let seen = self.look(|system| system.mailbox_seen(of));
        if seen.is_empty() {
            return Ok(0);
        }
        let known = past(&self.history, ActionId::new(who, self.done(who)))?;
        let mut left = 0;
        for SeenLength { at, count, .. } in seen.into_iter().filter(|one| known.contains(one.by)) {
            let mut taken = 0;
            self.history.walk(of, at, self.done(of), |_, _, action| {
                taken += u64::from(action.kind.consumed().is_some());
                None::<()>
            })?;
            left = left.max(count.saturating_sub(taken));
        }
        Ok(left)
    }

    /// Of these signals to a process, those of which another process knows that they were sent, so that they have arrived when it looks.
    fn surely_there(&mut self, who: Pid, to: Pid, tags: &[Tag]) -> Result<Vec<Tag>, Error> {
        if tags.is_empty() {
            return Ok(Vec::new());
        }
        let local: Vec<Tag> = self.look(|system| {
            let local = tags.iter().filter(|tag| is_local(system, to, **tag));
            local.filter(|tag| system.timed(**tag).is_none()).copied().collect()
        });
        let Some(known) = self.known()? else {
            return Ok(Vec::new());
        };
        Ok(local.into_iter().filter(|tag| known.knows(who, *tag)).collect())
    }

    /// Before a step: what of that which was sent has arrived where the step can look, because the process knows that it was sent. `found`: this
    /// one too, with all that comes before it.
    pub(super) fn let_arrive(&mut self, pid: Pid, found: Option<Tag>) -> Result<(), Error> {
        // What it could do was perhaps found out in a copy of the session.
        self.change(|system| system.look_ahead(pid, super::PATIENCE))?;
        let asked = self.look(|system| system.finds(pid));
        let was_seen = |(to, _): &(Pid, Tag)| *to != pid && !self.look(|system| system.mailbox_seen(*to)).is_empty();
        let (forced, findable) = match found.is_some() || asked.first().is_some_and(was_seen) {
            true => self.findable_after_forced(pid)?,
            false => Default::default(),
        };
        let upto = findable.iter().position(|(_, tag)| Some(*tag) == found);
        let chosen = findable.into_iter().take(upto.map_or(0, |at| at + 1));
        let mut arrived: FxHashSet<(Pid, Tag)> = forced.into_iter().chain(chosen).collect();
        self.look(|system| {
            let own = |(_, tag): &&(Pid, Tag)| tag.sender() == Some(pid) && system.timed(*tag).is_none();
            arrived.extend(asked.iter().filter(own));
        });
        if let Some((to, _)) = asked.first() {
            let tags: Vec<Tag> = asked.iter().map(|(_, tag)| *tag).collect();
            let sure = self.surely_there(pid, *to, &tags)?;
            arrived.extend(sure.into_iter().map(|tag| (*to, tag)));
        }
        let (own, exits) = self.look(|system| {
            let table = system.table();
            let looks = looks_into_mailboxes(system, pid);
            // Of most steps, nothing but exit signals matters.
            let others: Vec<Pid> = if looks {
                let holding = table.holding().into_iter().filter_map(|slot| table.get(slot));
                let holding = holding.filter(|q| !q.pool.is_empty());
                holding.map(|q| system::ids::to_log(q.pid)).collect()
            } else {
                let with_exits = table.with_exits().into_iter();
                with_exits.map(|q| system::ids::to_log(q.pid)).collect()
            };
            let of = |to: Pid| -> Vec<Tag> {
                match table.by_pid(handle(to)) {
                    Some(q) if looks => q.pool.iter().map(|(tag, _)| tag).collect(),
                    _ => system.deadly(to),
                }
            };
            let own = of(pid);
            let others = others.into_iter().filter(|to| *to != pid);
            let exits = others.flat_map(|to| of(to).into_iter().map(move |tag| (to, tag)));
            (own, exits.collect::<Vec<(Pid, Tag)>>())
        });
        if !own.is_empty() || !exits.is_empty() {
            let mine = own.into_iter().map(|tag| (pid, tag));
            let all: Vec<(Pid, Tag)> = self.look(|system| {
                let local = mine.chain(exits).filter(|(to, tag)| is_local(system, *to, *tag));
                local.filter(|(_, tag)| system.timed(*tag).is_none()).collect()
            });
            if let Some(known) = self.known()? {
                let all: Vec<(Pid, Tag)> = all.into_iter().filter(|(_, tag)| known.knows(pid, *tag)).collect();
                // Of exit signals, the first one ends a process.
                let is_later = |(to, tag): &(Pid, Tag)| {
                    *to != pid && all.iter().any(|(q, one)| q == to && known.is_before(*one, *tag))
                };
                arrived.extend(all.iter().filter(|one| !is_later(one)));
            }
        }
        self.change(|system| system.let_arrive_before_step(arrived))
    }
}

/// Is the next step of a process one that can look into the mailboxes of others?
fn looks_into_mailboxes(system: &system::System<super::tracker::Tracker>, pid: Pid) -> bool {
    let label = system.table().by_pid(handle(pid)).and_then(|p| p.label);
    match label {
        Some(Label::Native(id)) => system.program.native(id).name == "process_info",
        _ => false,
    }
}

/// Was this signal sent on the node of its receiver?
pub(super) fn is_local(system: &World, to: Pid, tag: Tag) -> bool {
    let node = |pid: Pid| system.table().known(pid).map(|pid| pid.node());
    tag.sender().is_some_and(|by| node(by) == node(to))
}

/// Does one message arrive before another, by the sending order of the pair or by the deadlines of two timers?
fn comes_before(one: Tag, other: Tag, timed: &FxHashMap<Tag, u64>) -> bool {
    let Tag::Sent { by, k } = one else {
        return one.leaves_before(other);
    };
    if Some(by) != other.sender() {
        return false;
    }
    match (timed.get(&one), timed.get(&other), other) {
        // Set earlier, and for a deadline that is not later.
        (Some(a), Some(b), Tag::Sent { k: l, .. }) => k < l && a <= b,
        (None, None, Tag::Sent { k: l, .. }) => k < l,
        // What an end sends comes after all that the process sent.
        (None, None, _) => true,
        _ => false,
    }
}

/// What is asked about the past of a process that waits in a receive.
struct Past {
    pid: Pid,
    /// The messages that were sent to it and not consumed.
    held: Vec<(Tag, Fragment)>,
    receives: Option<PastReceives>,
}

impl Past {
    /// It is found when it is needed.
    fn of(&mut self) -> &mut PastReceives {
        let held = &mut self.held;
        self.receives
            .get_or_insert_with(|| PastReceives::of(self.pid, std::mem::take(held)))
    }
}

impl Past {
    /// Of these messages, those that must have arrived because another process has seen so many in the mailbox that all that could be there were.
    fn seen(&mut self, player: &mut Player, tags: &[Tag]) -> Result<Vec<Tag>, Error> {
        let seen = player.look(|system| system.mailbox_seen(self.pid));
        if seen.is_empty() {
            return Ok(Vec::new());
        }
        let receives = self.of();
        let bounds = Arc::clone(&receives.logs(player)?.bounds);
        let held: Vec<Tag> = receives.held.iter().map(|(tag, _)| *tag).collect();
        for SeenLength { at, count, by } in seen {
            let later = bounds.consumed.iter().filter(|(n, ..)| *n > at);
            let mut there = Vec::new();
            for tag in later.map(|(_, tag, _)| *tag).chain(held.iter().copied()) {
                if let Some(send) = player.history().find_send(tag)?
                    && !past(player.history(), send)?.contains(by)
                {
                    there.push(tag);
                }
            }
            if there.len() as u64 == count {
                for tag in there {
                    let first = receives.seen.entry(tag).or_insert(at + 1);
                    *first = (*first).min(at + 1);
                }
            }
        }
        Ok(tags
            .iter()
            .filter(|tag| receives.seen.contains_key(tag))
            .copied()
            .collect())
    }
}

/// The receives of a process, to search for a path in the order of arrival.
struct PastReceives {
    pid: Pid,
    /// The messages that were sent to it and not consumed.
    held: Vec<(Tag, Fragment)>,
    /// What the logs say. They are read when that is needed, which is rare: a long run is not read for each message that may have been dropped.
    logs: Option<PastLogs>,
    /// For each earlier receive, the messages that it would have taken, as far as this is known.
    taken: FxHashMap<u64, Vec<Tag>>,
    /// What the process knew after one of its actions.
    knew: FxHashMap<u64, KnownSignals>,
    /// Messages that others have seen in the mailbox, by the process's next action then.
    seen: FxHashMap<Tag, u64>,
}

/// What the logs of all processes say of one of them.
#[derive(Clone)]
struct PastLogs {
    /// Its receives, and what of its past is in the past of others.
    bounds: Arc<ReceiveBounds>,
    /// What processes know of signals, also of consumed ones, with causal delivery.
    known: Option<Arc<KnownSignals>>,
}

impl PastLogs {
    fn of(player: &mut Player, pid: Pid) -> Result<Self, Error> {
        let now = player.look(super::cut_of);
        let mut read = 0;
        let known = match player.delivers_causally() {
            true => {
                let known = Arc::make_mut(&mut player.beyond.known_once);
                let before = known.read;
                known.at(&player.history, &now)?;
                read += known.read - before;
                Some(Arc::clone(&player.beyond.known_once))
            }
            false => None,
        };
        let bounds = player.beyond.bounds.entry(pid);
        let bounds = bounds.or_insert_with(|| Arc::new(ReceiveBounds::of(pid)));
        let own = Arc::make_mut(bounds);
        read += now.actions().saturating_sub(own.actions());
        own.read_to(&player.history, &now)?;
        let bounds = Arc::clone(bounds);
        player.count_read(read);
        if player.history.total() > SHORT || !cfg!(debug_assertions) {
            player.beyond.logs_read += 1;
        }
        Ok(Self { bounds, known })
    }

    /// Does one message to a process arrive before another one?
    fn comes_before(&self, player: &Player, to: Pid, one: Tag, other: Tag) -> bool {
        if player.look(|system| system.timed(one)).is_some() {
            return false;
        }
        comes_before(one, other, &FxHashMap::default())
            || self
                .known
                .as_ref()
                .is_some_and(|known| known.knowledge().is_before(one, other))
                && one.sender() != Some(to)
                && player.look(|system| [one, other].into_iter().all(|tag| is_local(system, to, tag)))
    }

    /// The action that consumed a message.
    fn consumed_at(&self, tag: Tag) -> Option<u64> {
        let mut all = self.bounds.consumed.iter();
        all.find(|(_, one, _)| *one == tag).map(|(n, ..)| *n)
    }
}

impl PastReceives {
    fn of(pid: Pid, held: Vec<(Tag, Fragment)>) -> Self {
        Self {
            pid,
            held,
            logs: None,
            taken: FxHashMap::default(),
            knew: FxHashMap::default(),
            seen: FxHashMap::default(),
        }
    }

    fn logs(&mut self, player: &mut Player) -> Result<&PastLogs, Error> {
        let logs = match self.logs.take() {
            Some(logs) => logs,
            None => PastLogs::of(player, self.pid)?,
        };
        Ok(self.logs.insert(logs))
    }

    /// Is there a path in the order of arrival from a message that was passed over to one that could be received now?
    fn leads(&mut self, player: &mut Player, from: Tag, target: Tag) -> Result<bool, Error> {
        let arrived = player.look(|system| system.arrived_by(self.pid, from));
        let since = match arrived.or(self.seen.get(&from).copied()) {
            // It had arrived when the process did this.
            Some(at) => at,
            // A message to itself has arrived when the process does anything more.
            None if from.sender() == Some(self.pid) => {
                let send = player.history().find_send(from)?;
                send.map_or(u64::MAX, |send| send.number.0)
            }
            None => u64::MAX,
        };
        self.has_path(player, Some(from), since, target)
    }

    /// Is there a path in the order of arrival from a message, or from one of the process's own actions on, to another message?
    fn has_path(&mut self, player: &mut Player, from: Option<Tag>, mut since: u64, target: Tag) -> Result<bool, Error> {
        if self.is_known_cause(player, since, target)? {
            debug_assert!(
                player.history().total() > SHORT || self.bound(player, target)? >= since,
                "what the sender knows is not in the past of its message"
            );
            return Ok(true);
        }
        let bound = self.bound(player, target)?;
        // Messages from which the path goes on; and `since`, the first of the process's own actions on it.
        let mut next: Vec<Tag> = from.into_iter().collect();
        let mut seen: FxHashSet<Tag> = FxHashSet::default();
        loop {
            if since <= bound {
                return Ok(true);
            }
            let logs = self.logs(player)?.clone();
            // A message that a receive on this path, which timed out, would have taken arrived after that.
            let timeouts = logs.bounds.timeouts.iter();
            let late: Vec<u64> = timeouts.copied().filter(|at| *at >= since).collect();
            for at in late {
                next.extend(self.taken(player, at)?);
            }
            let caused = logs.bounds.consumed.iter().filter(|(.., bound)| *bound >= since);
            next.extend(caused.map(|(_, tag, _)| *tag));
            next.retain(|tag| !seen.contains(tag));
            let Some(one) = next.pop() else {
                return Ok(false);
            };
            seen.insert(one);
            if Some(one) != from && (one == target || logs.comes_before(player, self.pid, one, target)) {
                return Ok(true);
            }
            if let Some(at) = logs.consumed_at(one) {
                // What matches the same receive and was left arrives later; and so does what is sent because of it.
                next.extend(self.taken(player, at)?);
                since = since.min(at);
            }
            // What was sent after it has no less of the process in its past. That is known of all, and most that was consumed was sent long before.
            let least = self.bound(player, one)?;
            for (_, other, bound) in &logs.bounds.consumed {
                let is_next = |other: Tag| !seen.contains(&other) && logs.comes_before(player, self.pid, one, other);
                if *bound >= least && is_next(*other) {
                    next.push(*other);
                }
                debug_assert!(
                    *bound >= least || player.history().total() > SHORT || !is_next(*other),
                    "what was sent after a message has less of the process in its past"
                );
            }
        }
    }

    /// Can a signal have arrived after so many actions of the process, and before it had done more than so many?
    fn arrives_within(&mut self, player: &mut Player, tag: Tag, from: u64, to: u64) -> Result<bool, Error> {
        if from > 0 && self.arrives_before(player, tag, from)? {
            return Ok(false);
        }
        Ok(to == u64::MAX || !self.has_path(player, None, to + 1, tag)?)
    }

    /// Must a signal have arrived when the process did this action?
    fn arrives_before(&mut self, player: &mut Player, tag: Tag, at: u64) -> Result<bool, Error> {
        if player
            .look(|system| system.arrived_by(self.pid, tag))
            .is_some_and(|by| by <= at)
        {
            return Ok(true);
        }
        let (is_timed, is_local) = player.look(|system| (system.timed(tag).is_some(), is_local(system, self.pid, tag)));
        if is_timed {
            return Ok(false);
        }
        if !is_local || !player.delivers_causally() {
            // Only what the same process sent later shows it.
            let mut consumed = self.logs(player)?.bounds.consumed.iter();
            let none = FxHashMap::default();
            return Ok(consumed.any(|(n, one, _)| *n <= at && comes_before(tag, *one, &none)));
        }
        // With a signal, the process learns all that comes before it. What it does not know now, it did not know then. Of the signals of an end,
        // which have no numbers, a later one tells.
        let passed = |p: &Process, system: &World| tag.is_of_an_end() && system.has_arrived(p, tag);
        let knows = player.known()?.is_some_and(|known| known.knows(self.pid, tag))
            || player.look(|system| {
                let p = system.table().by_pid(handle(self.pid));
                p.is_some_and(|p| passed(p, system))
            });
        if !knows && tag.sender() != Some(self.pid) {
            debug_assert!(
                player.history().total() > SHORT || !self.knew(player, tag, at)?,
                "a process has forgotten a signal"
            );
            return Ok(false);
        }
        self.knew(player, tag, at)
    }

    /// Did the process know of a signal after this action?
    fn knew(&mut self, player: &mut Player, tag: Tag, at: u64) -> Result<bool, Error> {
        let none = FxHashMap::default();
        let mut consumed = self.logs(player)?.bounds.consumed.iter();
        if consumed.any(|(n, one, _)| *n <= at && comes_before(tag, *one, &none)) {
            return Ok(true);
        }
        if !self.knew.contains_key(&at) {
            let cut = past(player.history(), ActionId::new(self.pid, at))?;
            let mut known = KnownSignals::default();
            known.at(player.history(), &cut)?;
            player.count_read(known.read);
            self.knew.insert(at, known);
        }
        let knew = self.knew.get(&at);
        Ok(knew.is_some_and(|knew| knew.knowledge().knows(self.pid, tag)))
    }

    /// Does the sender of a message that was not consumed know of a signal that the process sent with this action or later? Then the action is in the
    /// past of the message, and no log need be read.
    fn is_known_cause(&self, player: &mut Player, since: u64, target: Tag) -> Result<bool, Error> {
        let Some(before) = since.checked_sub(1).filter(|_| since != u64::MAX) else {
            return Ok(false);
        };
        let done = player.history().length(self.pid)?.unwrap_or(0);
        let sent = player.history().sends(self.pid, before.min(done))?;
        let pid = self.pid;
        let known = player.known()?.and_then(|known| known.known_at(target).sent(pid));
        Ok(before < done && known.is_some_and(|known| known > sent))
    }

    /// The last action of the process in the past of a message's send.
    fn bound(&mut self, player: &mut Player, tag: Tag) -> Result<u64, Error> {
        let Some(send) = player.history().find_send(tag)? else {
            return Ok(0);
        };
        Ok(self.logs(player)?.bounds.before(send))
    }

    /// Which of the messages that were not consumed by then would an earlier receive have taken, had they been there?
    fn taken(&mut self, player: &mut Player, at: u64) -> Result<Vec<Tag>, Error> {
        if let Some(known) = self.taken.get(&at) {
            return Ok(known.clone());
        }
        let mut probe = player.clone();
        let mut cut = match at {
            1 => Cut::default(),
            _ => past(player.history(), ActionId::new(self.pid, at - 1))?,
        };
        // What was consumed later; what was sent because of this receive or of later actions has come after it anyway.
        let bounds = Arc::clone(&self.logs(player)?.bounds);
        let later = bounds.consumed.iter().filter(|(n, _, bound)| *n > at && *bound < at);
        for tag in later.map(|(_, tag, _)| *tag) {
            if let Some(send) = player.history().find_send(tag)? {
                for last in past(player.history(), send)?.iter() {
                    cut.extend_to(last);
                }
            }
        }
        probe.go_to_cut(&cut, &[self.pid])?;
        probe.pull(self.pid, at - 1)?;
        let (pid, mut held) = (self.pid, self.held.clone());
        let found = probe.change(|system| {
            system.look_ahead(pid, super::PATIENCE);
            for (tag, message) in system.messages(pid) {
                if !held.iter().any(|(known, _)| *known == tag) {
                    held.push((tag, message));
                }
            }
            system.takes(pid, &held)
        })?;
        player.replayed = player.replayed.max(probe.replayed);
        self.taken.insert(at, found.clone());
        Ok(found)
    }
}

/// The ⇒-past of an action over a whole history, as a cut.
///
/// # Errors
/// If the trace is damaged.
pub fn past(history: &History, of: ActionId) -> Result<Cut, Error> {
    let mut read: FxHashMap<Pid, u64> = FxHashMap::default();
    let mut next = vec![of];
    while let Some(ActionId {
        pid,
        number: ActionNo(n),
    }) = next.pop()
    {
        let there = read.get(&pid).copied();
        if there.is_some_and(|there| there >= n) {
            continue;
        }
        if there.is_none()
            && let Some(parent) = history.parent(pid)?
        {
            next.push(parent);
        }
        let damage = history.walk(pid, there.unwrap_or(0), n, |_, _, action| {
            next.extend(action.read_from());
            match action.kind.consumed().map_or(Ok(None), |tag| history.find_send(tag)) {
                Ok(send) => {
                    next.extend(send);
                    None
                }
                Err(error) => Some(error),
            }
        })?;
        if let Some(error) = damage {
            return Err(error.into());
        }
        read.insert(pid, n);
    }
    Ok(read.into_iter().map(|(pid, n)| ActionId::new(pid, n)).collect())
}

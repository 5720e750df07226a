//! Which messages a receive may take beyond the log: those for which some order of arrival explains all choices so far (semantics.md §10).
//!
//! The order of arrival is a partial order with (i) the sending order of each pair; (ii) a consumed message before every unconsumed one that
//! matches the same receive; (iii) a timeout before the arrival of every unconsumed match; (iv) what is in the mailbox when the process does
//! something arrived before what the process causes later. A choice closes a cycle only if a matching message has been *passed over*: it must
//! have arrived, because a later one of its sender has been consumed (or because it is the process's own). Only then is a closer check needed.

use interpreter::heap::Fragment;
use log_format::{ActionId, ActionNo, Cut, Kind, Pid, SendNo, Tag};
use rustc_hash::{FxHashMap, FxHashSet};

use super::history::History;
use super::{Player, handle};
use crate::error::Error;

/// What a process can receive at its current position.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Receivable {
    /// The messages that it may take, by tag.
    pub messages: Vec<Tag>,
    /// May the receive time out now?
    pub timeout: bool,
}

impl Player {
    /// What a process that waits in a receive may receive. `times_out`: the receive has an `after`.
    pub(super) fn receivable(&mut self, pid: Pid, times_out: bool) -> Result<Receivable, Error> {
        let (held, matching, passed, timed) = self.look(|system| {
            let held = system.messages(pid);
            let matching = system.takes(pid, &held);
            let p = system.table().by_pid(handle(pid));
            let arrived = |tag: &Tag| p.is_some_and(|p| system.has_arrived(p, *tag));
            let passed: Vec<Tag> = matching.iter().copied().filter(arrived).collect();
            let timed: FxHashMap<Tag, u64> = matching
                .iter()
                .filter_map(|tag| Some((*tag, system.timed(*tag)?)))
                .collect();
            (held, matching, passed, timed)
        });
        let first = |tag: &Tag| !matching.iter().any(|other| comes_before(*other, *tag, &timed));
        let mut messages: Vec<Tag> = matching.iter().copied().filter(first).collect();
        if !passed.is_empty() && messages.len() > 1 {
            let mut past = PastReceives::of(self, pid, held)?;
            let mut allowed = Vec::new();
            for tag in messages {
                let mut fits = true;
                for other in passed.iter().filter(|other| **other != tag) {
                    fits &= !past.leads(self, *other, tag)?;
                }
                if fits {
                    allowed.push(tag);
                }
            }
            messages = allowed;
        }
        Ok(Receivable {
            messages,
            timeout: times_out && passed.is_empty(),
        })
    }
}

/// Does one signal arrive before another one for the same process, because one process has sent both in this order?
pub(super) fn is_before(one: Tag, other: Tag) -> bool {
    comes_before(one, other, &FxHashMap::default())
}

/// Does one message arrive before another, by the sending order of the pair or by the deadlines of two timers?
fn comes_before(one: Tag, other: Tag, timed: &FxHashMap<Tag, u64>) -> bool {
    let (Tag::Sent { by, k }, by_other) = (one, other.sender()) else {
        return false;
    };
    if Some(by) != by_other {
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

/// The receives of a process, to search for a path in the order of arrival.
struct PastReceives {
    pid: Pid,
    /// Its own actions that consumed a message, by number.
    consumed: Vec<(u64, Tag)>,
    /// Its own actions that are timeouts, by number.
    timeouts: Vec<u64>,
    /// The messages that were sent to it and not consumed.
    held: Vec<(Tag, Fragment)>,
    /// For each earlier receive, the messages that it would have taken, as far as this is known.
    known: FxHashMap<u64, Vec<Tag>>,
    /// For each message, the last of the process's own actions in the past of its send.
    bounds: FxHashMap<Tag, u64>,
}

impl PastReceives {
    fn of(player: &Player, pid: Pid, held: Vec<(Tag, Fragment)>) -> Result<Self, Error> {
        let entries = player.history().stretch(pid, 0, player.done(pid))?;
        let consumed = entries.iter().filter_map(|entry| match entry.action.kind {
            Kind::Rec(tag) => Some((entry.number, tag)),
            _ => None,
        });
        let timeouts = entries.iter().filter(|entry| entry.action.kind == Kind::After);
        Ok(Self {
            pid,
            consumed: consumed.collect(),
            timeouts: timeouts.map(|entry| entry.number).collect(),
            held,
            known: FxHashMap::default(),
            bounds: FxHashMap::default(),
        })
    }

    /// Is there a path in the order of arrival from a message that was passed over to one that could be received now?
    fn leads(&mut self, player: &Player, from: Tag, target: Tag) -> Result<bool, Error> {
        let bound = self.bound(player, target)?;
        // Messages from which the path goes on, and the first of the process's own actions on it.
        let mut next = vec![from];
        let mut seen: FxHashSet<Tag> = FxHashSet::default();
        let mut since = match from {
            // A message to itself has arrived when the process does anything more.
            Tag::Sent { by, k: SendNo(k) } if by == self.pid => {
                player.history().find_send(from)?.map_or(k, |send| send.number.0)
            }
            _ => u64::MAX,
        };
        while let Some(one) = next.pop() {
            if !seen.insert(one) {
                continue;
            }
            if one != from && comes_before(one, target, &FxHashMap::default()) {
                return Ok(true);
            }
            let at = self.consumed.iter().find(|(_, tag)| *tag == one).map(|(n, _)| *n);
            if let Some(at) = at {
                // What matches the same receive and was left arrives later; and so does what is sent because of it.
                next.extend(self.taken(player, at)?);
                since = since.min(at);
            }
            if one == target || since <= bound {
                return Ok(true);
            }
            // A message that a receive on this path, which timed out, would have taken arrived after that.
            let late: Vec<u64> = self.timeouts.iter().copied().filter(|at| *at >= since).collect();
            for at in late {
                next.extend(self.taken(player, at)?);
            }
            let consumed = self.consumed.clone();
            for (_, other) in consumed {
                let follows = comes_before(one, other, &FxHashMap::default());
                if !seen.contains(&other) && (follows || self.bound(player, other)? >= since) {
                    next.push(other);
                }
            }
        }
        Ok(false)
    }

    /// The last action of the process in the past of a message's send.
    fn bound(&mut self, player: &Player, tag: Tag) -> Result<u64, Error> {
        if let Some(known) = self.bounds.get(&tag) {
            return Ok(*known);
        }
        let bound = match player.history().find_send(tag)? {
            Some(send) => past(player.history(), send)?.get(self.pid),
            None => 0,
        };
        self.bounds.insert(tag, bound);
        Ok(bound)
    }

    /// Which of the messages in the mailbox would an earlier receive have taken, had they been there?
    fn taken(&mut self, player: &Player, at: u64) -> Result<Vec<Tag>, Error> {
        if let Some(known) = self.known.get(&at) {
            return Ok(known.clone());
        }
        let mut probe = player.clone();
        let mut cut = past(player.history(), ActionId::new(self.pid, at - 1))?;
        if at == 1 {
            cut = Cut::default();
        }
        probe.go(&cut, &[self.pid])?;
        probe.pull(self.pid, at - 1)?;
        let (pid, held) = (self.pid, &self.held);
        let found = probe.change(|system| {
            system.look_ahead(pid, super::free::PATIENCE);
            system.takes(pid, held)
        })?;
        self.known.insert(at, found.clone());
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
        for entry in history.stretch(pid, there.unwrap_or(0), n)? {
            if let Some(tag) = entry.action.kind.consumed() {
                next.extend(history.find_send(tag)?);
            }
            next.extend(entry.action.read_from());
        }
        read.insert(pid, n);
    }
    Ok(read.into_iter().map(|(pid, n)| ActionId::new(pid, n)).collect())
}

//! Signals in flight: sent, and not arrived yet. And which of them may arrive next.

use std::collections::{BTreeSet, VecDeque};

use interpreter::term::Pid;
use log_format::{SendNo, Tag};
use rustc_hash::FxHashMap;

use crate::ids;
use crate::state::clock::VectorClock;
use crate::state::delivery::{Causality, Delivery};
use crate::state::signal::{Sender, Signal};

/// Signals that were sent and have not arrived: only under schedulers that keep signals in flight.
///
/// With causal delivery, the oldest signal of a pair may not arrive as long as another one is in flight to the same process that was sent causally
/// before it, inside the node.
#[derive(Clone, Default)]
pub struct Flight {
    queues: FxHashMap<Pair, VecDeque<(Tag, Signal)>>,
    /// Pairs with signals in flight, in the order in which their queues became non-empty.
    pairs: Vec<Pair>,
    /// By receiver: the processes that have sent it something that is in flight.
    senders: FxHashMap<Pid, BTreeSet<Pid>>,
    /// Words of the signals.
    words: usize,
    /// What is known of signals since something is in flight. `None`: signals of different senders arrive in any order.
    causality: Option<Box<Causality>>,
    /// Pairs whose oldest signal may not arrive yet, with one whose oldest signal comes before.
    early: FxHashMap<Pair, Pair>,
    /// The same, from that one.
    waiting: FxHashMap<Pair, Vec<Pair>>,
    /// How often it was looked whether a pair comes before another one.
    #[cfg(test)]
    looks: std::cell::Cell<u64>,
}

/// A sender and a receiver.
type Pair = (Sender, Pid);

/// Overhead of a signal in flight, in words.
const FLIGHT_WORDS: usize = std::mem::size_of::<(Tag, Signal)>() / 8;

impl Flight {
    /// Nothing is in flight.
    #[must_use]
    pub fn new(delivery: Delivery) -> Self {
        Self {
            causality: match delivery {
                Delivery::Causal => Some(Box::default()),
                Delivery::Free => None,
            },
            ..Self::default()
        }
    }
    /// In which order signals of different senders arrive.
    #[must_use]
    pub const fn delivery(&self) -> Delivery {
        match self.causality {
            Some(_) => Delivery::Causal,
            None => Delivery::Free,
        }
    }
    /// Is nothing in flight?
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }
    /// The pairs with signals in flight, in the order in which their queues became non-empty.
    #[must_use]
    pub fn list(&self) -> &[(Sender, Pid)] {
        &self.pairs
    }
    /// How many pairs have signals in flight.
    #[must_use]
    pub fn pairs(&self) -> usize {
        self.pairs.len()
    }
    /// May the oldest signal of this pair arrive?
    #[must_use]
    pub fn may_arrive(&self, pair: (Sender, Pid)) -> bool {
        self.early.is_empty() || !self.early.contains_key(&pair)
    }
    /// The place of the first pair from the `i`-th on, in a circle, whose oldest signal may arrive.
    #[must_use]
    pub fn first_from(&self, i: usize) -> usize {
        let n = self.pairs.len();
        let mut others = (0..n).map(|j| (i + j) % n);
        // Causal order has no cycles, so there is one.
        others.find(|j| self.may_arrive(self.pairs[*j])).unwrap_or(i)
    }
    /// Does this pair have signals in flight?
    #[must_use]
    pub fn has(&self, from: Sender, to: Pid) -> bool {
        self.queues.contains_key(&(from, to))
    }
    /// Adds a signal after those of its pair.
    pub fn push(&mut self, from: Sender, to: Pid, tag: Tag, signal: Signal) {
        let queue = self.queues.entry((from, to)).or_default();
        let is_first = queue.is_empty();
        self.words += FLIGHT_WORDS + signal.words();
        queue.push_back((tag, signal));
        if is_first {
            self.pairs.push((from, to));
            if let Sender::Process(by) = from {
                self.senders.entry(to).or_default().insert(by);
            }
            self.judge((from, to));
        }
    }
    /// Approximate size in words.
    #[must_use]
    pub const fn words(&self) -> usize {
        self.words
    }
    /// Takes the oldest signal of the `i`-th pair.
    pub fn pop(&mut self, i: usize) -> Option<(Pid, Tag, Signal)> {
        let pair = *self.pairs.get(i)?;
        self.pop_pair(pair.0, pair.1)
    }
    /// Takes the message of a timer to this process.
    pub fn pop_timer(&mut self, to: Pid) -> Option<(Pid, Tag, Signal)> {
        let is_timer = |(from, q): &&(Sender, Pid)| *q == to && matches!(from, Sender::Timer(_));
        let (from, to) = *self.pairs.iter().find(is_timer)?;
        self.pop_pair(from, to)
    }
    /// Takes the oldest signal of this pair.
    pub fn pop_pair(&mut self, from: Sender, to: Pid) -> Option<(Pid, Tag, Signal)> {
        let queue = self.queues.get_mut(&(from, to))?;
        let (tag, signal) = queue.pop_front().expect("invariant: queues in the map are not empty");
        self.words -= FLIGHT_WORDS + signal.words();
        if queue.is_empty() {
            self.queues.remove(&(from, to));
            self.pairs.retain(|&p| p != (from, to));
            if let Sender::Process(by) = from
                && let Some(senders) = self.senders.get_mut(&to)
            {
                senders.remove(&by);
                if senders.is_empty() {
                    self.senders.remove(&to);
                }
            }
        }
        self.has_moved((from, to));
        Some((to, tag, signal))
    }

    // ---- causal order ------------------------------------------------------------------------------------------------

    /// A process sends a signal while something is in flight, or one that will be. `sent`: how many it has sent, with this one.
    pub fn note_send(&mut self, by: Pid, tag: Tag, sent: u64) {
        if let Some(causality) = &mut self.causality {
            if self.pairs.is_empty() {
                // Whatever was known has arrived.
                causality.clear();
            }
            causality.sends(ids::to_log(by), tag, sent);
        }
    }

    /// What is known of signals in flight. `None` if they arrive in any order.
    pub fn causality(&mut self) -> Option<&mut Causality> {
        self.causality.as_deref_mut()
    }

    /// Is something in flight to this process that was sent causally before this signal, by another process?
    #[must_use]
    pub fn is_early(&self, from: Sender, to: Pid, tag: Tag) -> bool {
        self.before(from, to, tag).is_some()
    }

    /// A pair to this process whose oldest signal was sent causally before this one.
    fn before(&self, from: Sender, to: Pid, tag: Tag) -> Option<Pair> {
        let causality = self.causality.as_ref()?;
        match from {
            Sender::Process(from) if from.node() == to.node() => {}
            // Timers are senders of their own.
            Sender::Process(_) | Sender::Timer(_) => return None,
        }
        let known = causality.known_to_signal(tag)?;
        self.find_known(known, to, |pair| pair.0 != from)
    }

    /// The first pair to this process, by its sender, whose oldest signal is known to this clock, and that is wanted. The cost grows with what is in
    /// flight to the process, or with what is known, whichever is less.
    fn find_known(&self, known: &VectorClock, to: Pid, wanted: impl Fn(&Pair) -> bool) -> Option<Pair> {
        let senders = self.senders.get(&to)?;
        let oldest = |(by, sent)| self.oldest_of(by, sent, to).filter(&wanted);
        if known.len() <= senders.len() {
            return known.iter().find_map(oldest);
        }
        let mut own = senders.iter().filter(|by| by.node() == to.node());
        own.find_map(|by| {
            let by = ids::to_log(*by);
            oldest((by, known.sent(by)?))
        })
    }

    /// The pair of these two if its oldest signal is among the first `sent` of its sender.
    fn oldest_of(&self, by: log_format::Pid, sent: u64, to: Pid) -> Option<Pair> {
        #[cfg(test)]
        self.looks.set(self.looks.get() + 1);
        let pair = (Sender::Process(Pid::new(to.node(), by.0)), to);
        match self.queues.get(&pair)?.front()?.0 {
            Tag::Sent { k: SendNo(k), .. } if k <= sent => Some(pair),
            _ => None,
        }
    }

    /// A pair to `to` whose oldest signal may arrive, and this process has sent it, or knows of it. The signals of an end do not count.
    #[must_use]
    pub fn known_to(&self, pid: Pid, to: Pid) -> Option<(Sender, Pid)> {
        let own = (Sender::Process(pid), to);
        let has_own = self.oldest_is_numbered(own);
        if has_own && self.may_arrive(own) {
            return Some(own);
        }
        let known = self
            .causality
            .as_ref()
            .filter(|_| pid.node() == to.node() && !self.is_empty());
        let known = known.map(|causality| causality.clock(ids::to_log(pid)));
        let others = known.and_then(|known| self.find_known(&known, to, |pair| self.may_arrive(*pair)));
        // What comes before its own signals is known to it.
        others.or(has_own.then_some(own))
    }

    fn oldest_is_numbered(&self, pair: Pair) -> bool {
        let oldest = self.queues.get(&pair).and_then(|queue| queue.front());
        oldest.is_some_and(|(tag, _)| matches!(tag, Tag::Sent { .. }))
    }

    /// May the oldest signal of this pair arrive? Looked at whenever that can have changed.
    fn judge(&mut self, pair: Pair) {
        if self.causality.is_none() {
            return;
        }
        let Some(tag) = self
            .queues
            .get(&pair)
            .and_then(|queue| queue.front())
            .map(|(tag, _)| *tag)
        else {
            return;
        };
        if let Some(before) = self.before(pair.0, pair.1, tag) {
            self.early.insert(pair, before);
            self.waiting.entry(before).or_default().push(pair);
        }
    }

    /// The oldest signal of a pair has been taken.
    fn has_moved(&mut self, pair: Pair) {
        if self.causality.is_none() {
            return;
        }
        if let Some(before) = self.early.remove(&pair)
            && let Some(waiting) = self.waiting.get_mut(&before)
        {
            waiting.retain(|one| *one != pair);
        }
        self.judge(pair);
        for one in self.waiting.remove(&pair).unwrap_or_default() {
            self.early.remove(&one);
            self.judge(one);
        }
    }
}

#[cfg(test)]
mod tests {
    use interpreter::heap::Fragment;
    use interpreter::term::Term;

    use super::*;

    const N: u64 = 6;

    /// Whichever way it is looked for, a signal is early if another one in flight to its receiver was sent causally before it.
    #[test]
    fn a_signal_is_early_if_one_before_it_is_in_flight() {
        let mut state = 1_u64;
        let mut draw = |below: u64| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        let (mut flight, mut sent, mut seen) = (Flight::new(Delivery::Causal), [0_u64; N as usize], [0, 0]);
        for _ in 0..4000 {
            if draw(2) == 0 && !flight.is_empty() {
                let i = usize::try_from(draw(flight.pairs() as u64)).unwrap_or(0);
                let i = flight.first_from(i);
                let Some((to, tag, _)) = flight.pop(i) else { continue };
                let causality = flight.causality().expect("it is causal");
                causality.consumes(ids::to_log(to), tag);
                continue;
            }
            let (from, to) = (draw(N), draw(N));
            if from == to {
                continue;
            }
            sent[from as usize] += 1;
            let k = sent[from as usize];
            let (by, to) = (Pid::new(0, from), Pid::new(0, to));
            let tag = Tag::Sent {
                by: ids::to_log(by),
                k: SendNo(k),
            };
            flight.note_send(by, tag, k);
            let causality = flight.causality.as_deref().expect("it is causal");
            let before = flight
                .pairs
                .iter()
                .filter(|(other, q)| *q == to && *other != Sender::Process(by));
            let mut before = before.filter_map(|pair| flight.queues[pair].front());
            let expected = before.any(|(other, _)| causality.is_before(*other, tag));
            assert_eq!(flight.is_early(Sender::Process(by), to, tag), expected);
            seen[usize::from(expected)] += 1;
            flight.push(
                Sender::Process(by),
                to,
                tag,
                Signal::Message(Fragment::immediate(Term::small(1))),
            );
        }
        assert!(seen.iter().all(|times| *times > 100), "{seen:?}");
    }

    /// Many send to one, and the first sender has heard of none of them, or of all: each signal is judged by the smaller of the two numbers.
    #[test]
    fn a_signal_is_not_judged_by_all_that_is_in_flight() {
        const MANY: u64 = 1_000;
        let (receiver, other) = (Pid::new(0, MANY + 1), Pid::new(0, MANY + 2));
        let tag = |by: u64, k: u64| Tag::Sent {
            by: log_format::Pid(by),
            k: SendNo(k),
        };
        let message = || Signal::Message(Fragment::immediate(Term::small(1)));
        let mut flight = Flight::new(Delivery::Causal);
        let send = |flight: &mut Flight, by: u64, k: u64, to: Pid| {
            flight.note_send(Pid::new(0, by), tag(by, k), k);
            flight.push(Sender::Process(Pid::new(0, by)), to, tag(by, k), message());
        };
        // It stays in flight, so what is known is kept.
        send(&mut flight, MANY + 3, 1, Pid::new(0, MANY + 4));
        for by in 1..=MANY {
            // Each knows of one other sender.
            let known = tag(MANY + 3, 1);
            flight
                .causality()
                .expect("it is causal")
                .consumes(log_format::Pid(by), known);
            send(&mut flight, by, 1, receiver);
        }
        assert!(flight.looks.get() <= 2 * MANY, "{} looks", flight.looks.get());
        while let Some(by) = flight.senders.get(&receiver).and_then(|all| all.first().copied()) {
            flight.pop_pair(Sender::Process(by), receiver);
            let consumed = tag(by.number(), 1);
            let causality = flight.causality().expect("it is causal");
            causality.consumes(ids::to_log(receiver), consumed);
        }
        // Who has heard of all of them sends to a process that has got nothing else.
        let before = flight.looks.get();
        (1..=MANY).for_each(|k| send(&mut flight, receiver.number(), k, other));
        let looks = flight.looks.get() - before;
        assert!(looks <= 2 * MANY, "{looks} looks");
    }
}

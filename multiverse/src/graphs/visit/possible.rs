//! What can be chosen: the order in which signals arrive, and what a receive or a step can find.

use std::sync::Arc;

use interpreter::vm;
use log_format::{Pid, Tag};
use session::player::free::Choice;
use system::Delivery;

use super::super::branch::{Branch, BranchNode, Mail};
use super::super::event::{Asks, EventClock, GraphEvent, ProcessNumber, Stamps, Uid};
use super::super::order::{self, OrderVerdict};
use super::super::state::{SentSignal, WaitingReceive, is_numbered};
use super::{Graphs, REMEMBERED};
use crate::summary::Gap;

/// A receive of which it is asked what can come.
pub(super) struct AskedReceive<'a> {
    place: ProcessNumber,
    pid: Pid,
    /// In the receive. `None`: it is a step that asks.
    machine: Option<&'a Arc<vm::Process>>,
    asks: Option<Asks>,
    uid: Option<Uid>,
    after: Option<u64>,
    number: u32,
    traps: bool,
}

impl<'a> AskedReceive<'a> {
    /// What comes next of a process that waits in a receive?
    pub fn by_receive(branch: &mut Branch, wait: &'a WaitingReceive) -> Self {
        let place = branch.place(wait.pid);
        Self {
            place,
            pid: wait.pid,
            machine: Some(&wait.machine),
            asks: None,
            uid: None,
            after: wait.after,
            number: branch.next_number(place),
            traps: branch.traps(place, branch.next_number(place)),
        }
    }

    /// What does the next step of a process find?
    pub fn by_step(branch: &mut Branch, pid: Pid, asks: Asks) -> Self {
        let place = branch.place(pid);
        Self {
            place,
            pid,
            machine: None,
            asks: Some(asks),
            uid: None,
            after: None,
            number: branch.next_number(place),
            traps: branch.traps(place, branch.next_number(place)),
        }
    }

    /// What could have come instead of an event?
    pub fn again(event: &'a GraphEvent) -> Self {
        Self {
            place: event.place,
            pid: event.pid,
            machine: event.machine.as_ref(),
            asks: event.asks,
            uid: Some(event.uid),
            after: event.after,
            number: event.number,
            traps: event.traps[0],
        }
    }
}

impl Graphs {
    /// Does one signal to a process arrive before another one, for sure?
    pub(super) fn comes_before(&self, to: ProcessNumber, one: Tag, other: Tag) -> bool {
        let (Some(a), Some(b)) = (self.branch.mail_of(one), self.branch.mail_of(other)) else {
            return false;
        };
        self.is_before(to, a, b)
    }

    fn is_before(&self, to: ProcessNumber, a: &Mail, b: &Mail) -> bool {
        let timers = (self.branch.sent(a).timer, self.branch.sent(b).timer);
        match timers {
            (None, None) => self.goes_before(to, (self.branch.event(a.by), a.tag), (self.branch.event(b.by), b.tag)),
            (Some(_), None) | (None, Some(_)) => false,
            (Some(one), Some(other)) => one <= other && a.tag.sender() == b.tag.sender() && a.tag < b.tag,
        }
    }

    /// The same, of signals of these events.
    fn goes_before(&self, to: ProcessNumber, (by, one): (&GraphEvent, Tag), (then, other): (&GraphEvent, Tag)) -> bool {
        if !is_numbered(one) {
            return one.leaves_before(other);
        }
        if by.place == then.place {
            return match (one, other) {
                (Tag::Sent { k, .. }, Tag::Sent { k: l, .. }) => k < l,
                _ => true,
            };
        }
        self.rules.delivery == Delivery::Causal && by.place != to && then.knows.get(by.place) >= by.number
    }

    /// Would the receive of one event take what another one sent?
    pub(super) fn takes(&mut self, uid: Option<Uid>, machine: &vm::Process, by: Uid, sent: &SentSignal) -> bool {
        let Some(uid) = uid else {
            return self.root.system.would_take(machine, sent.message.clone());
        };
        if self.answers.len() > REMEMBERED {
            self.answers.clear();
        }
        let key = (uid, by, sent.tag);
        if let Some(known) = self.answers.get(&key) {
            return *known;
        }
        let takes = self.root.system.would_take(machine, sent.message.clone());
        self.answers.insert(key, takes);
        takes
    }

    /// Can a process make this choice now?
    pub(super) fn can_next(&mut self, asked: &AskedReceive<'_>, choice: Choice) -> bool {
        let len = self.branch.len();
        self.can(asked, choice, &|at| at < len)
    }

    /// Can a process that waits make this choice, in the part of the current graph with these events?
    pub(super) fn can(&mut self, asked: &AskedReceive<'_>, choice: Choice, has: &dyn Fn(u32) -> bool) -> bool {
        let place = asked.place;
        let is_timed = self.rules.stall.is_some()
            && (self.branch.waits > 0 || choice == Choice::Timeout && asked.after.is_some_and(|ms| ms > 0));
        let tag = match choice {
            Choice::Message(tag) | Choice::Signal(tag) | Choice::Arrived(tag) => Some(tag),
            Choice::Timeout | Choice::Step | Choice::Pick(_) => None,
        };
        // What was sent to it and not consumed before.
        let here: Vec<Mail> = self.branch.mail[place as usize]
            .iter()
            .filter(|mail| has(mail.by))
            .filter(|mail| {
                mail.taken
                    .is_none_or(|taken| !has(taken) || self.branch.event(taken).number >= asked.number)
            })
            .filter(|mail| {
                let by = self.branch.event(mail.by);
                !self.is_closed(place, asked.number, by, self.branch.sent(mail), has)
            })
            .copied()
            .collect();
        if tag.is_some_and(|tag| here.iter().all(|mail| mail.tag != tag)) {
            return false;
        }
        let knows = self.branch.knows_at(place, asked.number);
        if choice == Choice::Timeout && self.has_to_wait(asked, &here, has) {
            return false;
        }
        let has_arrived = |branch: &Branch, mail: &Mail| {
            let by = branch.event(mail.by);
            let was_found = || {
                let mut own = branch.of(place).iter().map(|at| branch.event(*at));
                own.any(|event| event.number < asked.number && event.choice == Choice::Arrived(mail.tag))
            };
            // When the message of a timer arrives is not known.
            if self.branch.sent(mail).timer.is_some() {
                return was_found();
            }
            if by.place == place || was_found() {
                return true;
            }
            // Of one sender, a later one has been consumed, or was found.
            let is_over = |one: &Mail| {
                let consumed = one
                    .taken
                    .is_some_and(|taken| has(taken) && branch.event(taken).number < asked.number);
                consumed && branch.event(one.by).place == by.place && self.is_before(place, mail, one)
            };
            if self.rules.delivery == Delivery::Causal && is_numbered(mail.tag) {
                return knows.get(by.place) >= by.number;
            }
            branch.mail[place as usize].iter().any(is_over)
        };
        let passed = here.iter().any(|mail| {
            let sent = self.branch.sent(mail);
            Some(mail.tag) != tag && has_arrived(&self.branch, mail) || self.is_doubtful(place, asked.number, sent)
        });
        if let Choice::Signal(tag) = choice
            && let Some(mail) = self.branch.mail_of(tag)
            && self
                .branch
                .could_end_before(place, asked.number, self.branch.sent(mail))
        {
            return false;
        }
        let is_stuck = choice == Choice::Timeout && asked.after.is_none();
        if !passed && !is_timed && !is_stuck && !self.rules.at_send {
            let Some(mail) = here.iter().find(|mail| Some(mail.tag) == tag).copied() else {
                return tag.is_none();
            };
            let first = here
                .iter()
                .filter(|one| one.tag != mail.tag && self.is_before(place, one, &mail));
            let first: Vec<Mail> = first.copied().collect();
            return !first.iter().any(|one| {
                let by = &self.branch.path[one.by as usize];
                let by = Arc::clone(by);
                let sent = &by.event.sent[one.at as usize];
                match sent.is_message(asked.traps) {
                    false => sent.deadly,
                    // A step that asks looks at one signal.
                    true => match asked.machine {
                        Some(machine) if !matches!(choice, Choice::Signal(_)) => {
                            self.takes(asked.uid, machine, by.event.uid, sent)
                        }
                        _ => false,
                    },
                }
            });
        }
        self.judges(asked, choice, has)
    }

    /// Is this signal of an event not accepted when its receiver does the action with this number? It has given up a monitor or an alias, and has
    /// said that nothing had come; or another signal has ended it.
    pub(super) fn is_closed(
        &self,
        place: ProcessNumber,
        number: u32,
        by: &GraphEvent,
        sent: &SentSignal,
        has: &dyn Fn(u32) -> bool,
    ) -> bool {
        if !sent.is_fickle() {
            return false;
        }
        if sent.is_lost() {
            return true;
        }
        if self.earlier(place, number).any(|event| event.closes_for(sent)) {
            return true;
        }
        let mail = self.branch.mail[place as usize].iter();
        mail.filter(|other| has(other.by)).any(|other| {
            let of = self.branch.event(other.by);
            let one = &of.sent[other.at as usize];
            let taken = |at: u32| has(at) && self.branch.event(at).number < number;
            let found = |event: &GraphEvent| event.choice == Choice::Arrived(one.tag);
            one.shuts(sent)
                && !self.goes_before(place, (by, sent.tag), (of, one.tag))
                && (other.taken.is_some_and(taken)
                    || self.goes_before(place, (of, one.tag), (by, sent.tag))
                    || self.earlier(place, number).any(found))
        })
    }

    /// Where nobody waits for a time, one of these messages would have to be held up for too long until a timeout.
    fn has_to_wait(&mut self, asked: &AskedReceive<'_>, here: &[Mail], has: &dyn Fn(u32) -> bool) -> bool {
        let is_too_long = asked
            .after
            .is_some_and(|after| self.rules.stall.is_some_and(|most| after > most));
        if !is_too_long || self.branch.waits > 0 || self.branch.stuck > 0 {
            return false;
        }
        let Some(machine) = asked.machine else { return false };
        for mail in here {
            let by = Arc::clone(&self.branch.path[mail.by as usize]);
            let sent = &by.event.sent[mail.at as usize];
            if self.is_plain(asked, sent, has) && self.takes(asked.uid, machine, by.event.uid, sent) {
                // One that has arrived for sure is not held up.
                let knows = self.branch.knows_at(asked.place, asked.number);
                let may_be_late = by.event.place != asked.place && knows.get(by.event.place) < by.event.number;
                self.told.stalled += u64::from(may_be_late);
                return true;
            }
        }
        false
    }

    /// Is it a message, whenever it arrives, that nothing drops?
    fn is_plain(&self, asked: &AskedReceive<'_>, sent: &SentSignal, has: &dyn Fn(u32) -> bool) -> bool {
        let others = || {
            self.branch.mail[asked.place as usize]
                .iter()
                .filter(|other| has(other.by))
        };
        sent.is_message(asked.traps)
            && !self.is_doubtful(asked.place, asked.number, sent)
            && (!sent.is_fickle() || !others().any(|other| self.branch.sent(other).shuts(sent)))
    }

    /// Has the receiver of this signal given up a monitor or an alias, or begun to trap exits, before its action with this number, so that the time when
    /// the signal arrives matters?
    fn is_doubtful(&self, place: ProcessNumber, number: u32, sent: &SentSignal) -> bool {
        let closes = |event: &GraphEvent| event.may_close_for(sent) || event.is_closed_after(sent);
        sent.timer.is_some()
            || sent.exit && self.branch.has_turned(place, number)
            || sent.is_fickle() && self.earlier(place, number).any(closes)
    }

    /// Can all that a receive would take have been dropped?
    pub(super) fn may_miss(&mut self, wait: &WaitingReceive) -> bool {
        let place = self.branch.place(wait.pid);
        let number = self.branch.next_number(place);
        wait.deadly.is_empty()
            && wait.matching.iter().all(|tag| {
                let sent = self.branch.mail_of(*tag).map(|mail| (mail.by, mail.at));
                sent.is_some_and(|(by, at)| self.is_doubtful(place, number, &self.branch.event(by).sent[at as usize]))
            })
    }

    /// The actions of a process before the one with this number.
    fn earlier(&self, place: ProcessNumber, number: u32) -> impl Iterator<Item = &GraphEvent> {
        let own = self.branch.of(place).iter().map(|at| self.branch.event(*at));
        own.take_while(move |event| event.number < number)
    }

    /// As [`Self::can`], by all that is known of the order of arrival.
    fn judges(&mut self, asked: &AskedReceive<'_>, choice: Choice, has: &dyn Fn(u32) -> bool) -> bool {
        let nodes: Vec<Arc<BranchNode>> = self
            .branch
            .path
            .iter()
            .zip(0..)
            .filter(|(node, at)| has(*at) && (node.event.place != asked.place || node.event.number < asked.number))
            .map(|(node, _)| Arc::clone(node))
            .collect();
        let next = GraphEvent {
            uid: asked.uid.unwrap_or(0),
            pid: asked.pid,
            place: asked.place,
            number: asked.number,
            choice,
            stamps: Stamps::default(),
            traps: [asked.traps; 2],
            actions: Vec::new(),
            said: Vec::new(),
            uses: Vec::new(),
            sent: Vec::new(),
            machine: asked.machine.cloned(),
            after: asked.after,
            asks: asked.asks,
            linked: None,
            closes: Vec::new(),
            closes_after: Vec::new(),
            past: EventClock::default(),
            knows: EventClock::default(),
            time: 0,
            age: 0,
            stop: None,
            kept: false,
        };
        let mut events: Vec<&GraphEvent> = nodes.iter().map(|node| &node.event).collect();
        events.push(&next);
        self.allows(&events)
    }

    /// Is the current graph possible? Only what takes time could have made it impossible.
    pub(super) fn fits(&mut self) -> bool {
        let is_timed = self.rules.stall.is_some() && self.branch.waits > 0;
        if self.branch.stuck == 0 && !is_timed && !self.rules.at_send {
            return true;
        }
        let nodes = self.branch.path.clone();
        let events: Vec<&GraphEvent> = nodes.iter().map(|node| &node.event).collect();
        self.allows(&events)
    }

    pub(super) fn allows(&mut self, events: &[&GraphEvent]) -> bool {
        let rules = self.rules;
        let verdict = order::judge(events, rules, |event, by, sent| match &event.machine {
            Some(machine) => {
                let uid = (event.uid > 0).then_some(event.uid);
                self.takes(uid, machine, by.uid, sent)
            }
            None => false,
        });
        self.told.stalled += u64::from(verdict == OrderVerdict::Stalls);
        if verdict == OrderVerdict::Unclear {
            self.told.gaps.entry(Gap::Dropped).or_default();
        }
        verdict == OrderVerdict::Possible
    }
}

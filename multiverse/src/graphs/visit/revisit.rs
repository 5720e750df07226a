//! After an event was added: the earlier choices that could have been it, and what else it could have been.

use std::sync::Arc;

use session::player::free::Choice;

use super::super::branch::Mail;
use super::super::event::{GraphEvent, Stamp, Uid, WasRead, WriterKey, is_group};
use super::super::state::SentSignal;
use super::possible::AskedReceive;
use super::{Again, Graphs, Partial, Unit};
use crate::summary::Gap;

/// A part of an event that was decided at one time.
#[derive(Clone, Copy)]
pub(super) enum EventPart {
    Choice,
    Read(usize),
    /// Of a scan: whether it sees this writer.
    Sees(usize, WriterKey),
    /// What it does; of a receive, also its choice.
    Effect,
}

/// Of the event at a position: is it needed by what is new?
type Needs<'a> = &'a dyn Fn(u32, &GraphEvent) -> bool;

/// An earlier choice that could have been another one.
struct RevisitTarget {
    stamp: Stamp,
    at: u32,
    to: To,
}

/// What it could have been.
#[derive(Clone, Copy)]
enum To {
    /// Of a receive, or whether an exit signal ends the process.
    Choice(Choice),
    /// This use reads what the new event wrote.
    Read(usize),
    /// This scan sees the new event.
    Sees(usize),
}

impl Graphs {
    /// After an event was added: notes what else it could have been, and which earlier choices could have been this instead. `decided`: so many
    /// of its uses are not free.
    pub(super) fn after_event(&mut self, at: u32, decided: (usize, Option<WriterKey>)) {
        let node = Arc::clone(&self.branch.path[at as usize]);
        let event = &node.event;
        if event.uses.is_empty() && event.sent.is_empty() {
            return;
        }
        self.older_from(event, at, decided, &[]);
        self.revisits(event, at, &[]);
    }

    /// Puts aside: the last event reads an older version of what was not decided. `decided`: of its first uses; if the last of these is a scan, what
    /// is before this writer.
    pub(super) fn older_from(
        &mut self,
        event: &GraphEvent,
        at: u32,
        (decided, below): (usize, Option<WriterKey>),
        also: &[Uid],
    ) {
        if let (Some(below), Some(scan)) = (below, decided.checked_sub(1)) {
            self.older(event, at, (scan, below), also);
        }
        for place in decided..event.uses.len() {
            self.older(event, at, (place, 0), also);
        }
    }

    /// Puts aside: the last event reads an older version of its use at this place; if that is a scan, it does not see one of its writers, from this one
    /// on. `also`: it comes before these writes, too.
    fn older(&mut self, event: &GraphEvent, at: u32, (place, from): (usize, WriterKey), also: &[Uid]) {
        let resource = event.uses[place].resource();
        // From the version that it reads on.
        let uses = self.branch.uses(resource).iter().rev();
        let writers = uses.filter(|one| one.writes && one.by != at).map(|one| one.by);
        let source = event.uses[place].read.source;
        let writers: Vec<u32> = writers
            .skip_while(|by| Some(self.branch.event(*by).uid) != source)
            .collect();
        // What the event depends on without this use and later ones.
        let (mut past, _, _) = self.branch.start_at(event.place, event.number);
        if let Some(tag) = event.arrived()
            && let Some(mail) = self.branch.mail_of(tag)
        {
            let by = self.branch.event(mail.by);
            past.learn(&by.past, by.place, by.number);
        }
        let mut sources: Vec<WasRead> = event.uses[..place].iter().map(|one| one.read.clone()).collect();
        let read = |read: &WasRead| {
            read.source
                .into_iter()
                .chain(read.seen.iter().map(|(_, uid)| *uid))
                .collect::<Vec<_>>()
        };
        for uid in sources.iter().flat_map(read) {
            if let Some(source) = self.branch.find(uid) {
                let by = self.branch.event(source);
                past.learn(&by.past, by.place, by.number);
            }
        }
        if is_group(resource) {
            let seen = event.uses[place].read.seen.iter();
            let mut sees = WasRead {
                resource,
                source: None,
                seen: Vec::new(),
            };
            for (key, uid) in seen {
                let Some(writer) = self.branch.find(*uid) else { continue };
                let by = self.branch.event(writer);
                let known = by.is_fixed() || by.place == event.place || past.get(by.place) >= by.number;
                if *key >= from && !known {
                    let mut before = also.to_vec();
                    before.push(by.uid);
                    let below = key + 1;
                    sources.push(sees.clone());
                    let then = Partial {
                        pid: event.pid,
                        choice: event.choice,
                        stamps: event.stamps.first((place + 1, Some(below))),
                        sources: sources.clone(),
                        below: Some(below),
                        before,
                        sure: false,
                        uid: None,
                    };
                    sources.pop();
                    self.put_aside_at(at, then);
                }
                let by = self.branch.event(writer);
                past.learn(&by.past, by.place, by.number);
                sees.seen.push((*key, *uid));
            }
            return;
        }
        for writer in writers {
            let by = self.branch.event(writer);
            if by.is_fixed() || by.place == event.place || past.get(by.place) >= by.number {
                break;
            }
            let mut before = also.to_vec();
            before.push(by.uid);
            let then = Partial {
                pid: event.pid,
                choice: event.choice,
                stamps: event.stamps.first((place + 1, None)),
                sources: sources.clone(),
                below: None,
                before,
                sure: false,
                uid: None,
            };
            self.put_aside_at(at, then);
        }
    }

    fn put_aside_at(&mut self, at: u32, then: Partial) {
        let base = at
            .checked_sub(1)
            .map(|last| Arc::clone(&self.branch.path[last as usize]));
        self.aside(Unit {
            delays: 0,
            base,
            way: None,
            again: Vec::new(),
            then: vec![then],
        });
    }

    /// Puts aside: earlier choices, before this position, that could have been this event instead.
    pub(super) fn revisits(&mut self, event: &GraphEvent, upto: u32, before: &[Uid]) {
        let targets = self.targets(event, upto);
        let Some(least) = targets.iter().map(|target| target.stamp).min() else {
            return;
        };
        let mut parts: Vec<(Stamp, u32, EventPart)> = Vec::new();
        for (node, at) in self.branch.path[..upto as usize].iter().zip(0_u32..) {
            let one = &node.event;
            if Stamp::of(one.stamps.effect) < least || event.has(one) {
                continue;
            }
            self.parts_of(at, &mut parts);
        }
        parts.sort_unstable_by_key(|(stamp, ..)| std::cmp::Reverse(*stamp));
        let mut parts = parts.into_iter().peekable();
        for target in targets {
            while let Some((stamp, at, part)) = parts.next_if(|(stamp, ..)| *stamp >= target.stamp) {
                let needs = |_, one: &GraphEvent| event.has(one);
                if !self.is_canonical(&needs, stamp, at, part) {
                    return;
                }
            }
            self.revisit(event, upto, before, &target);
        }
    }

    /// The parts of an event, each with when it was decided.
    pub(super) fn parts_of(&self, at: u32, parts: &mut Vec<(Stamp, u32, EventPart)>) {
        let one = self.branch.event(at);
        parts.push((Stamp::of(one.stamps.effect), at, EventPart::Effect));
        if one.stamps.effect != one.stamps.choice {
            parts.push((Stamp::of(one.stamps.choice), at, EventPart::Choice));
        }
        for (used, i) in one.uses.iter().zip(0..one.stamps.reads.len()) {
            match is_group(used.resource()) {
                false => parts.push((one.stamps.read(i), at, EventPart::Read(i))),
                true if used.scans => {
                    let writers = self.branch.writers(used.resource()).into_iter();
                    let writers = writers.filter(|(_, by)| *by != at);
                    parts.extend(writers.map(|(key, _)| (one.stamps.scan(i, key), at, EventPart::Sees(i, key))));
                }
                true => {}
            }
        }
    }

    /// The choices that could have been this event instead, the latest first.
    fn targets(&mut self, event: &GraphEvent, upto: u32) -> Vec<RevisitTarget> {
        let mut targets = Vec::new();
        for sent in &event.sent {
            let to = self.branch.place(sent.to);
            if to == event.place {
                continue;
            }
            let known = event.past.get(to) as usize;
            let own: Vec<u32> = self.branch.of(to).get(known..).unwrap_or_default().to_vec();
            for at in own.into_iter().filter(|at| *at < upto) {
                let node = Arc::clone(&self.branch.path[at as usize]);
                let earlier = &node.event;
                self.note_dropped(earlier, event, sent);
                let asks = earlier.asks.is_some_and(|asks| asks.is_about(sent));
                let choice = match &earlier.machine {
                    _ if asks => Choice::Arrived(sent.tag),
                    _ if sent.ends(earlier.traps[0]) => {
                        if self.branch.could_end_before(to, earlier.number, sent) {
                            continue;
                        }
                        Choice::Signal(sent.tag)
                    }
                    Some(machine)
                        if sent.is_message(earlier.traps[0])
                            && self.takes(Some(earlier.uid), machine, event.uid, sent) =>
                    {
                        Choice::Message(sent.tag)
                    }
                    _ => continue,
                };
                if self.is_closed(to, earlier.number, event, sent, &|at| at < upto) {
                    break;
                }
                targets.push(RevisitTarget {
                    stamp: Stamp::of(earlier.stamps.choice),
                    at,
                    to: To::Choice(choice),
                });
            }
        }
        for one in event.uses.iter().filter(|one| one.writes) {
            let is_group = is_group(one.resource());
            for used in self.branch.uses(one.resource()).iter().filter(|used| used.by < upto) {
                let (earlier, place) = (self.branch.event(used.by), used.at as usize);
                if event.has(earlier) || is_group && !used.scans {
                    continue;
                }
                let (stamp, to) = match is_group {
                    true => (earlier.stamps.scan(place, event.key()), To::Sees(place)),
                    false => (earlier.stamps.read(place), To::Read(place)),
                };
                targets.push(RevisitTarget { stamp, at: used.by, to });
            }
        }
        // What belongs to the point where the search begins stays as it is.
        targets.retain(|target| target.stamp.0 > 0);
        targets.sort_unstable_by_key(|target| std::cmp::Reverse(target.stamp));
        targets
    }

    /// A receive took a message that would have been dropped if the new signal had come before, and would not have taken that: what it does then is not
    /// explored.
    fn note_dropped(&mut self, earlier: &GraphEvent, event: &GraphEvent, sent: &SentSignal) {
        let (Choice::Message(tag), Some(machine), true) = (earlier.choice, &earlier.machine, sent.is_fickle()) else {
            return;
        };
        let Some(mail) = self.branch.mail_of(tag).copied() else {
            return;
        };
        let ends = sent.shuts(self.branch.sent(&mail)) && !self.comes_before(earlier.place, tag, sent.tag);
        if ends && !self.takes(Some(earlier.uid), machine, event.uid, sent) {
            self.told.gaps.entry(Gap::Dropped).or_default();
        }
    }

    /// Is this part of an event what the search would choose first, with all that was decided before it and what the new event depends on?
    pub(super) fn is_canonical(&mut self, needs: Needs<'_>, stamp: Stamp, at: u32, part: EventPart) -> bool {
        let stalled = self.told.stalled;
        let is_canonical = self.is_first(needs, stamp, at, part);
        self.told.stalled = stalled;
        is_canonical
    }

    fn is_first(&mut self, needs: Needs<'_>, stamp: Stamp, at: u32, part: EventPart) -> bool {
        let node = Arc::clone(&self.branch.path[at as usize]);
        let event = &node.event;
        match part {
            EventPart::Effect if event.is_plain() => self.chooses_first(needs, stamp, event),
            EventPart::Choice => self.chooses_first(needs, stamp, event),
            EventPart::Read(i) => {
                let one = &event.uses[i];
                let uses = self.branch.uses(one.resource()).iter().rev();
                let last = uses.filter(|used| used.writes && used.by != at).find(|used| {
                    let by = self.branch.event(used.by);
                    Stamp::of(by.stamps.effect) <= stamp || needs(used.by, by)
                });
                last.map(|used| self.branch.event(used.by).uid) == one.read.source
            }
            EventPart::Sees(i, key) => {
                let writers = self.branch.writers(event.uses[i].resource());
                let Ok(writer) = writers.binary_search_by_key(&key, |(key, _)| *key) else {
                    return true;
                };
                let writer = writers[writer].1;
                let by = self.branch.event(writer);
                let is_there = Stamp::of(by.stamps.effect) <= stamp || needs(writer, by);
                let seen = event.uses[i].has_read(by.uid);
                is_there == seen || is_there && self.is_forced(at, stamp, writer)
            }
            EventPart::Effect => {
                let consumed = event.sent.iter().any(|sent| {
                    let taken = self.branch.mail_of(sent.tag).and_then(|mail| mail.taken);
                    taken.is_some_and(|taken| Stamp::of(self.branch.event(taken).stamps.choice) <= stamp)
                });
                let read = event.uses.iter().filter(|one| one.writes).any(|one| {
                    self.branch.uses(one.resource()).iter().any(|used| {
                        let (by, place) = (self.branch.event(used.by), used.at as usize);
                        let read = match used.scans {
                            true => by.stamps.scan(place, event.key()),
                            false => by.stamps.read(place),
                        };
                        by.uses[place].has_read(event.uid) && read <= stamp
                    })
                });
                !consumed && !read
            }
        }
    }

    /// Can the scan of the event at a position not see a writer, because it comes before another one, as was decided before, on which that one depends?
    fn is_forced(&self, at: u32, stamp: Stamp, writer: u32) -> bool {
        let event = self.branch.event(at);
        let len = self.branch.len();
        let mut later = vec![false; len as usize];
        let mut first = len;
        for (used, i) in event.uses.iter().zip(0..event.stamps.reads.len()) {
            let after = self
                .branch
                .uses(used.resource())
                .iter()
                .filter(|one| one.writes && one.by > at);
            for one in after {
                let decided = match is_group(used.resource()) {
                    true if !used.scans => continue,
                    true => event.stamps.scan(i, self.branch.event(one.by).key()),
                    false => event.stamps.read(i),
                };
                if decided < stamp {
                    later[one.by as usize] = true;
                    first = first.min(one.by);
                }
            }
        }
        for at in first..=writer.min(len.saturating_sub(1)) {
            later[at as usize] |= self.depends(at, &later);
        }
        first < len && later[writer as usize]
    }

    fn chooses_first(&mut self, needs: Needs<'_>, stamp: Stamp, event: &GraphEvent) -> bool {
        match event.choice {
            Choice::Timeout if !event.is_stuck() => return true,
            Choice::Step => return true,
            Choice::Pick(number) => return number == 0,
            // A step goes on, if it can.
            Choice::Signal(tag) if event.machine.is_none() => return tag.sender() == Some(event.pid),
            Choice::Message(_) | Choice::Signal(_) | Choice::Arrived(_) | Choice::Timeout => {}
        }
        let asked = AskedReceive::again(event);
        let path: Vec<bool> = self
            .branch
            .path
            .iter()
            .zip(0..)
            .map(|(node, at)| {
                Stamp::of(node.event.stamps.effect) <= stamp && node.event.uid != event.uid || needs(at, &node.event)
            })
            .collect();
        let has = |at: u32| path.get(at as usize).copied().unwrap_or(false);
        if event.machine.is_none() && self.can(&asked, Choice::Step, &has) {
            return false;
        }
        if event.after.is_some() && self.can(&asked, Choice::Timeout, &has) {
            return false;
        }
        let mut mail: Vec<Mail> = self.branch.mail[event.place as usize].clone();
        mail.retain(|mail| {
            let open = |taken: u32| !has(taken) || self.branch.event(taken).number >= event.number;
            has(mail.by) && mail.taken.is_none_or(open)
        });
        mail.sort_unstable_by_key(|mail| mail.tag);
        for one in mail {
            let by = Arc::clone(&self.branch.path[one.by as usize]);
            let sent = &by.event.sent[one.at as usize];
            let choice = match (event.choice, !sent.is_message(event.traps[0])) {
                (Choice::Message(tag), false) if one.tag < tag => Choice::Message(one.tag),
                (Choice::Signal(_) | Choice::Timeout, false) => Choice::Message(one.tag),
                (Choice::Timeout, true) if sent.deadly => Choice::Signal(one.tag),
                (Choice::Signal(tag), true) if sent.deadly && one.tag < tag => Choice::Signal(one.tag),
                (Choice::Arrived(tag), false) if one.tag < tag => Choice::Arrived(one.tag),
                _ => continue,
            };
            let matches = match (&event.machine, event.asks) {
                (Some(machine), _) => {
                    matches!(choice, Choice::Signal(_)) || self.takes(Some(event.uid), machine, by.event.uid, sent)
                }
                (None, Some(asks)) => asks.is_about(sent),
                (None, None) => false,
            };
            if matches && self.can(&asked, choice, &has) {
                return false;
            }
        }
        true
    }

    /// Puts aside: an earlier choice is this event instead.
    fn revisit(&mut self, event: &GraphEvent, upto: u32, before: &[Uid], target: &RevisitTarget) {
        let mut base = None;
        let mut again = Vec::new();
        let mut middle = Vec::new();
        let mut whole = true;
        let mut then = None;
        for (node, at) in self.branch.path[..upto as usize].iter().zip(0_u32..) {
            let one = &node.event;
            if at != target.at && (event.has(one) || Stamp::of(one.stamps.effect) <= target.stamp) {
                if whole {
                    base = Some(node);
                } else {
                    again.push(Again::of(one));
                }
                continue;
            }
            whole = false;
            if at != target.at && Stamp::of(one.stamps.choice) > target.stamp {
                continue;
            }
            let (choice, decided) = match target.to {
                To::Choice(choice) if at == target.at => (choice, (0, None)),
                To::Read(i) if at == target.at => (one.choice, (i + 1, None)),
                To::Sees(i) if at == target.at => (one.choice, (i + 1, Some(event.key() + 1))),
                _ => (one.choice, one.stamps.decided(target.stamp)),
            };
            let mut sources: Vec<WasRead> = one.uses[..decided.0].iter().map(|one| one.read.clone()).collect();
            if let (Some(below), Some(last)) = (decided.1, sources.last_mut()) {
                *last = last.clone().below(below);
            }
            if let (true, Some(last)) = (at == target.at, sources.last_mut()) {
                match target.to {
                    To::Choice(_) => {}
                    To::Read(_) => last.source = Some(event.uid),
                    To::Sees(_) => last.seen.push((event.key(), event.uid)),
                }
            }
            let partial = Partial {
                pid: one.pid,
                choice,
                stamps: one.stamps.first(decided),
                sources,
                below: decided.1,
                before: Vec::new(),
                sure: at != target.at,
                uid: None,
            };
            match at == target.at {
                true => then = Some(partial),
                false => middle.push(partial),
            }
        }
        let Some(then) = then else { return };
        // The new event; it comes before some writes, if it did so here.
        let new = Partial {
            pid: event.pid,
            choice: event.choice,
            stamps: event.stamps.clone(),
            sources: event.uses.iter().map(|one| one.read.clone()).collect(),
            below: None,
            before: before.to_vec(),
            sure: true,
            uid: Some(event.uid),
        };
        middle.splice(0..0, [new, then]);
        self.aside(Unit {
            delays: 0,
            base: base.cloned(),
            way: None,
            again,
            then: middle,
        });
    }
}

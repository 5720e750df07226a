//! Forward to the end of a run: the first possible choice at each place, and the others put aside.

use log_format::{Pid, Tag};
use session::Error;
use session::player::free::Choice;

use super::super::crew::{Crew, GoesOn};
use super::super::event::ProcessNumber;
use super::super::event::{Asks, Stamps};
use super::super::state::{State, WaitingReceive};
use super::possible::AskedReceive;
use super::{FoundUniverse, Graphs, Partial, Unit, Went};
use crate::outcome::RunEnded;
use crate::summary::{Cut, Gap, IDLE};

impl Graphs {
    /// Goes on to the end of a run.
    pub(super) fn forward(&mut self, mut state: State, crew: &dyn Crew) -> Result<Went, Error> {
        loop {
            if std::mem::take(&mut self.dead) {
                return Ok(Went::On);
            }
            if self.told.beyond || crew.is_over() {
                return Ok(Went::Within);
            }
            if self.is_put_off() {
                return Ok(Went::On);
            }
            let known = self.units.len();
            self.spent = false;
            let ended = if let Some(code) = state.halted() {
                RunEnded::Halted(code)
            } else if state.tired >= IDLE && state.halting.is_empty() {
                RunEnded::Cut(Cut::Computes)
            } else if state.tired < IDLE && (self.step(&mut state)? || self.receive(&mut state)?) {
                match self.part_ways(Some(state), known)? {
                    Some(next) => state = next,
                    None => return Ok(Went::On),
                }
                continue;
            } else if self.halts_now(&state) {
                self.told.spent += u64::from(self.spent);
                return self.halts(&mut state, crew);
            } else if self.spent {
                RunEnded::Cut(Cut::Steps)
            } else if self.is_stuck(&state) {
                // Exit signals cross, and each of some processes needs the end of another one first: there is no such run.
                self.told
                    .gaps
                    .entry(Gap::Crossing)
                    .or_insert_with(|| state.place_of_first());
                return Ok(Went::On);
            } else if self.dies(&state) {
                // It was ended before, which is told elsewhere.
                return Ok(Went::On);
            } else {
                RunEnded::Quiet
            };
            self.ends();
            let stopped = self.stopped(&state);
            let one = FoundUniverse {
                state: &state,
                branch: &self.branch,
                ended,
                stopped,
                weight: self.order.sample.unwrap_or(1.0),
            };
            let heard = crew.found(&one, self.units.len())?;
            if heard != GoesOn::On {
                crew.stop();
            }
            self.spare = state.system.take_spare();
            return Ok(match heard {
                GoesOn::On => Went::On,
                GoesOn::Last => Went::Stop,
                GoesOn::Not => Went::Within,
            });
        }
    }

    /// Does the next step of a process that does not wait. False: there is none.
    fn step(&mut self, state: &mut State) -> Result<bool, Error> {
        let mut at = 0;
        while let Some(pid) = state.steps.get(at).copied() {
            at += 1;
            if self.has_stopped(state, pid) || self.is_spent(pid) {
                continue;
            }
            let deadly = self.deadly(state, pid);
            let own = deadly.iter().copied().find(|tag| tag.sender() == Some(pid));
            if let Some(tag) = own {
                self.kill(state, pid, tag)?;
                return Ok(true);
            }
            let choices = self.step_choices(state, pid);
            let Some((first, others)) = choices.split_first() else {
                continue;
            };
            let units = self.units.len();
            let alternatives = state.system.alternatives(pid).unwrap_or(1);
            if !deadly.is_empty() || !others.is_empty() || alternatives > 1 {
                self.keep(state, true)?;
                let stamp = self.branch.clock() + 1;
                for tag in deadly {
                    self.put(pid, Choice::Signal(tag), stamp);
                }
                for choice in others {
                    self.put(pid, *choice, stamp);
                }
                self.put_alternative(pid, 1, alternatives, stamp);
            }
            match self.go(state, pid, *first, None, None)? {
                Some(event) => {
                    self.after_event(event, (0, None));
                    self.dead = !self.fits();
                    return Ok(true);
                }
                // The run is cut here; what was put aside is not.
                None if state.tired >= IDLE => return Ok(true),
                None => {
                    self.units.truncate(units);
                    if state.tired > 0 {
                        return Ok(true);
                    }
                }
            }
        }
        Ok(false)
    }

    /// Has a process that could go on made all its steps?
    fn is_spent(&mut self, pid: Pid) -> bool {
        let place = self.branch.place(pid);
        let is_spent = self.branch.of(place).len() as u64 >= self.steps;
        self.spent |= is_spent;
        is_spent
    }

    /// What a step of a process can find: usually there is nothing to choose.
    pub(super) fn step_choices(&mut self, state: &State, pid: Pid) -> Vec<Choice> {
        if state.system.alternatives(pid).is_some() {
            return vec![Choice::Pick(0)];
        }
        let Some(asks) = state.asks(pid) else {
            return vec![Choice::Step];
        };
        let found = match asks {
            Asks::Timer(tag) => vec![tag],
            Asks::Ends(_) => {
                let mut found = state.system.gives_up(pid).map(|(_, found)| found).unwrap_or_default();
                // What it has sent to itself is there.
                found.retain(|tag| tag.sender() != Some(pid));
                found
            }
        };
        let asked = AskedReceive::by_step(&mut self.branch, pid, asks);
        let mut choices = vec![Choice::Step];
        choices.extend(found.into_iter().map(Choice::Arrived));
        choices.retain(|choice| self.can_next(&asked, *choice));
        choices
    }

    /// Puts an alternative of `amb` aside, which stands for those after it: there can be many, and each would be kept.
    pub(super) fn put_alternative(&mut self, pid: Pid, number: u32, of: u32, stamp: u64) {
        // A sample has to know how many there are.
        let last = if self.order.sample.is_some() {
            of
        } else {
            of.min(number + 1)
        };
        for number in number..last {
            self.put(pid, Choice::Pick(number), stamp);
        }
    }

    /// Puts another choice aside.
    pub(super) fn put(&mut self, pid: Pid, choice: Choice, stamp: u64) {
        self.aside(Unit {
            delays: 0,
            base: self.branch.path.last().cloned(),
            way: None,
            again: Vec::new(),
            then: vec![Partial {
                pid,
                choice,
                stamps: Stamps {
                    choice: stamp,
                    ..Stamps::default()
                },
                sources: Vec::new(),
                below: None,
                before: Vec::new(),
                sure: true,
                uid: None,
            }],
        });
    }

    /// An exit signal ends a process.
    fn kill(&mut self, state: &mut State, pid: Pid, tag: Tag) -> Result<(), Error> {
        if let Some(event) = self.go(state, pid, Choice::Signal(tag), None, None)? {
            self.after_event(event, (0, None));
            self.dead = !self.fits();
        }
        Ok(())
    }

    /// The exit signals that can end a process now: those before which no other one comes.
    pub(super) fn deadly(&mut self, state: &State, pid: Pid) -> Vec<Tag> {
        let mut all = state.system.deadly(pid);
        if all.is_empty() {
            return all;
        }
        let place = self.branch.place(pid);
        let number = self.branch.next_number(place);
        let mail = |tag: &Tag| self.branch.mail_of(*tag).map(|mail| self.branch.sent(mail));
        all.retain(|tag| !mail(tag).is_some_and(|sent| self.branch.could_end_before(place, number, sent)));
        let first = |tag: &Tag| {
            !all.iter()
                .any(|other| other != tag && self.comes_before(place, *other, *tag))
        };
        all.iter().copied().filter(first).collect()
    }

    /// When the first thing can be there that ends a wait, and whether that is its timeout. It stays so while the wait does not change: who waits has
    /// no later time, and what was sent no other one.
    fn first_of(&self, wait: &WaitingReceive, place: ProcessNumber) -> (u64, bool) {
        let now = self.branch.time_at(place);
        let tags = wait.matching.iter().chain(&wait.deadly);
        let mail = tags.filter_map(|tag| self.branch.mail_of(*tag));
        let first = mail.map(|mail| self.branch.time_of(mail).max(now)).min();
        let late = wait.after.map(|ms| now.saturating_add(ms));
        match (first, late) {
            (Some(first), Some(late)) if late < first => (late, true),
            (Some(first), _) => (first, false),
            (None, late) => (late.unwrap_or(now), true),
        }
    }

    /// Lets a process receive. False: none can.
    fn receive(&mut self, state: &mut State) -> Result<bool, Error> {
        // A run that halts ends before that.
        let until = self.halting(state);
        // What can happen first happens first: so the order of time adds no stall.
        let mut last = None;
        while let Some((first, wait)) = state.next_wait(last, |wait| {
            let place = self.branch.place(wait.pid);
            self.first_of(wait, place)
        }) {
            last = Some(first);
            let (at, _, pid) = first;
            if until.is_some_and(|until| at > until) {
                break;
            }
            if self.has_stopped(state, pid) {
                continue;
            }
            if self.is_spent(pid) {
                continue;
            }
            let choices = self.choices(state, &wait);
            let Some((first, others)) = choices.split_first() else {
                continue;
            };
            let stamp = self.branch.clock() + 1;
            self.keep(state, !others.is_empty())?;
            for choice in others.iter().rev() {
                self.put(pid, *choice, stamp);
            }
            if let Some(event) = self.go(state, pid, *first, None, None)? {
                self.after_event(event, (0, None));
                self.dead = matches!(first, Choice::Signal(_)) && !self.fits();
            }
            return Ok(true);
        }
        Ok(false)
    }

    /// What can come of a receive, in canonical order: its timeout, messages, exit signals; or nothing, for ever.
    fn choices(&mut self, state: &State, wait: &WaitingReceive) -> Vec<Choice> {
        let mut all = Vec::with_capacity(wait.matching.len() + 1);
        if wait.after.is_some() {
            all.push(Choice::Timeout);
        }
        all.extend(wait.matching.iter().copied().map(Choice::Message));
        all.extend(self.deadly(state, wait.pid).into_iter().map(Choice::Signal));
        // All that it could take was perhaps dropped.
        if wait.after.is_none() && self.may_miss(wait) {
            all.push(Choice::Timeout);
        }
        let asked = AskedReceive::by_receive(&mut self.branch, wait);
        all.retain(|choice| self.can_next(&asked, *choice));
        all
    }
}

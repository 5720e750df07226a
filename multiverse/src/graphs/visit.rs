//! One who searches: forward, and back to what could have been otherwise.

use std::sync::Arc;

use interpreter::vm;
use log_format::{Access, Action, Pid, Resource, Tag};
use rustc_hash::{FxHashMap, FxHashSet};
use session::Error;
use session::player::free::Choice;
use system::Delivery;
use system::beyond::Blind;

use super::branch::{Branch, Mail, Node, Places};
use super::crew::{Code, Crew, Told};
use super::event::{Asks, Clock, Event, Place, Stamps, Uid, Use};
use super::order::{self, Rules, Verdict};
use super::state::{Done, Sent, State, Wait};
use crate::outcome::{Ended, Names, Outcome};
use crate::search::{Bounds, Cut, Gap};

/// Steps without an action after which a run that does nothing but compute is cut.
const IDLE: u32 = 16;
/// How far a kept state may be away: so many events are repeated at most.
const APART: u32 = 16;
/// On the way to the current graph, about so many states are kept besides those at choices.
const KEPT: u32 = 64;
/// Limit: answers that are remembered.
const REMEMBERED: usize = 1 << 16;

/// An event that is repeated in another graph.
#[derive(Clone)]
struct Again {
    uid: Uid,
    pid: Pid,
    choice: Choice,
    stamps: Stamps,
}

/// An action of which some parts were decided: whether it is a step or an exit signal ends the process, and what it read first.
#[derive(Clone)]
struct Partial {
    pid: Pid,
    choice: Choice,
    /// Of the parts that were decided; the others are not set.
    stamps: Stamps,
    /// What it read first, by the writers.
    sources: Vec<Option<Uid>>,
    /// It comes before these writes.
    before: Vec<Uid>,
    /// Is it known that it can be done?
    sure: bool,
    /// It was decided as a whole before: this is its name.
    uid: Option<Uid>,
}

/// Work: a part of a graph, and what is done from there.
pub(super) struct Unit {
    base: Option<Arc<Node>>,
    again: Vec<Again>,
    /// What comes next, in this order.
    then: Vec<Partial>,
}

/// What is done in a run: who does what.
pub(crate) type Steps = Vec<(Pid, Choice, Option<Pid>)>;

/// A universe.
pub(crate) struct Found<'a> {
    state: &'a State,
    path: &'a [Arc<Node>],
    ended: Ended,
}

impl Found<'_> {
    pub fn actions(&self) -> u64 {
        self.path.iter().map(|node| node.event.actions.len() as u64).sum()
    }

    pub fn outcome(&self, names: &mut dyn Names) -> Outcome {
        self.state.outcome(self.ended, names)
    }

    /// What was done, in an order in which it can be done: the process, its choice, and the process that it made.
    pub fn steps(&self) -> Steps {
        let steps = self.path.iter().map(|node| {
            let event = &node.event;
            (event.pid, event.choice, event.spawned())
        });
        steps.collect()
    }
}

/// Does the search go on?
enum Went {
    On,
    Stop,
}

/// One who searches.
pub(super) struct Graphs {
    rules: Rules,
    steps: u64,
    branch: Branch,
    root: State,
    code: Code,
    units: Vec<Unit>,
    uid: Uid,
    answers: FxHashMap<(Uid, Uid, Tag), bool>,
    /// Memory of the last run.
    spare: vm::Spare,
    /// What was done last needs too long a stall.
    dead: bool,
    told: Told,
}

/// Each searcher has so many names of its own.
const NAMES: Uid = 1 << 48;

impl Graphs {
    /// The searcher with this number, from 0.
    pub fn new(root: State, code: Code, places: Places, bounds: Bounds, number: usize) -> Self {
        Self {
            rules: Rules {
                delivery: bounds.delivery,
                stall: bounds.stall,
            },
            steps: bounds.steps,
            branch: Branch::new(places),
            root,
            code,
            units: Vec::new(),
            uid: NAMES * number as Uid,
            answers: FxHashMap::default(),
            spare: vm::Spare::default(),
            dead: false,
            told: Told::default(),
        }
    }

    /// Visits universes as long as there is work. The first one begins at the start of the program, the others take work from it.
    ///
    /// # Errors
    /// A step cannot be repeated; whatever who hears of universes returns.
    pub fn run(&mut self, crew: &dyn Crew) -> Result<Told, Error> {
        let mut state = match self.uid {
            0 => Some(self.root.fork()?),
            _ => None,
        };
        loop {
            if let Some(state) = state.take()
                && let Went::Stop = self.forward(state, crew)?
            {
                break;
            }
            if crew.is_one_idle() && self.units.len() > 1 {
                let half = self.units.len() / 2;
                crew.give(self.units.drain(..half).collect());
            }
            let Some(unit) = self.units.pop().or_else(|| crew.take()) else {
                break;
            };
            if self.told.beyond || crew.is_over() {
                self.units.push(unit);
                break;
            }
            state = self.begin(unit)?;
        }
        if self.told.beyond || !self.units.is_empty() {
            crew.stop();
        }
        self.told.open = self.units.len() as u64;
        Ok(std::mem::take(&mut self.told))
    }

    fn next_uid(&mut self) -> Uid {
        self.uid += 1;
        self.uid
    }

    // ---- states ------------------------------------------------------------------------------------------------------

    /// The state at the end of the current graph.
    fn state_here(&mut self) -> Result<State, Error> {
        let kept = self.branch.path.iter().rposition(|node| {
            let after = node.after.lock();
            after.is_ok_and(|state| state.is_some())
        });
        let mut state = match kept {
            Some(at) => {
                let mut after = self.branch.path[at]
                    .after
                    .lock()
                    .unwrap_or_else(std::sync::PoisonError::into_inner);
                match after.as_mut() {
                    Some(state) => state.fork()?,
                    None => return Err(Error::Bug("a kept state is gone".to_owned())),
                }
            }
            None => self.root.fork()?,
        };
        // Modules that were loaded meanwhile are at the same places in all states, and names have the same numbers.
        self.root.system.share_code(&self.code.lock().system);
        state.system.share_code(&self.root.system);
        state.system.give_spare(std::mem::take(&mut self.spare));
        for node in &self.branch.path[kept.map_or(0, |at| at + 1)..] {
            state.go(node.event.pid, node.event.choice, FxHashSet::default())?;
        }
        Ok(state)
    }

    /// Lets all others have what a step has loaded or named. False: somebody else has loaded or named something since the last look.
    fn share_code(&mut self, state: &State) -> bool {
        let mut newest = self.code.lock();
        if !newest.system.has_code_of(&self.root.system) {
            return false;
        }
        newest.system.share_code(&state.system);
        self.root.system.share_code(&state.system);
        true
    }

    /// Keeps a state of the current graph, if none is near.
    fn keep(&mut self, state: &mut State, always: bool) -> Result<(), Error> {
        let Some(node) = self.branch.path.last() else {
            return Ok(());
        };
        // Of a long run, as many states are kept as of a short one.
        let apart = APART.max(self.branch.len() / KEPT);
        let near = self.branch.path.iter().rev().take(apart as usize);
        let is_kept = |node: &Arc<Node>| node.after.lock().is_ok_and(|state| state.is_some());
        if is_kept(node) || !always && near.into_iter().any(is_kept) {
            return Ok(());
        }
        let copy = state.fork()?;
        if let Ok(mut after) = node.after.lock() {
            *after = Some(copy);
        }
        Ok(())
    }

    // ---- events ------------------------------------------------------------------------------------------------------

    /// Makes an event of what was done, and puts it on the path.
    fn add(&mut self, pid: Pid, choice: Choice, done: Done, wait: Option<Arc<Wait>>, uid: Uid, stamps: Stamps) -> u32 {
        let place = self.branch.place(pid);
        let (mut past, mut knows, mut time) = self.branch.start(place);
        let number = self.branch.of(place).len() as u32 + 1;
        let Done {
            actions,
            sent,
            closes,
            asks,
            ..
        } = done;
        let actions: Vec<Action> = actions.into_iter().map(|(_, action)| action).collect();
        if choice == Choice::Timeout {
            time = time.saturating_add(wait.as_ref().and_then(|wait| wait.after).unwrap_or(0));
        }
        if let Choice::Message(tag) | Choice::Signal(tag) | Choice::Arrived(tag) = choice
            && let Some(mail) = self.branch.mail_of(tag)
        {
            let by = self.branch.event(mail.by);
            if by.place != place {
                past.learn(&by.past, by.place, by.number);
                knows.learn(&by.knows, by.place, by.number);
            }
            time = time.max(by.time);
        }
        let mut uses: Vec<Use> = Vec::new();
        for access in uses_of(pid, actions.iter()) {
            let source = self.branch.last_write(access.resource);
            if let Some(at) = source {
                let by = self.branch.event(at);
                if by.place != place {
                    past.learn(&by.past, by.place, by.number);
                    if access.by.is_some() {
                        knows.learn(&by.knows, by.place, by.number);
                    }
                }
                time = time.max(by.time);
            }
            uses.push(Use {
                resource: access.resource,
                writes: access.write,
                source: source.map(|at| self.branch.event(at).uid),
            });
        }
        let (machine, after) = match wait {
            Some(wait) => (Some(Arc::clone(&wait.machine)), wait.after),
            None => (None, None),
        };
        self.branch.push(Event {
            uid,
            pid,
            place,
            number,
            choice,
            stamps,
            actions,
            uses,
            sent,
            machine,
            after,
            asks,
            closes,
            past,
            knows,
            time,
        });
        self.branch.len() - 1
    }

    /// The exit signals to others that a process knows to have been sent: they have arrived before its step.
    fn arrived(&mut self, state: &State, pid: Pid) -> FxHashSet<(Pid, Tag)> {
        let mut all = FxHashSet::default();
        if self.rules.delivery == Delivery::Free {
            return all;
        }
        let with_exits: Vec<Pid> = state
            .system
            .table()
            .with_exits()
            .iter()
            .map(|q| system::ids::to_log(q.pid))
            .collect();
        if with_exits.is_empty() {
            return all;
        }
        let place = self.branch.place(pid);
        let (_, knows, _) = self.branch.start(place);
        for to in with_exits.into_iter().filter(|to| *to != pid) {
            for tag in state.system.deadly(to) {
                let Some(mail) = self.branch.mail_of(tag) else { continue };
                let by = self.branch.event(mail.by);
                if by.place != place && matches!(tag, Tag::Sent { .. }) && knows.get(by.place) >= by.number {
                    all.insert((to, tag));
                }
            }
        }
        all
    }

    /// Lets a process go on, and adds the event. `None`: it did nothing, or the ends of others have to come first.
    fn go(
        &mut self,
        state: &mut State,
        pid: Pid,
        choice: Choice,
        uid: Option<Uid>,
        stamps: Option<Stamps>,
    ) -> Result<Option<u32>, Error> {
        let wait = state.wait_of(pid).cloned();
        let is_step = matches!(choice, Choice::Step | Choice::Arrived(_));
        let mut arrived = match is_step {
            true => self.arrived(state, pid),
            false => FxHashSet::default(),
        };
        if let Choice::Arrived(tag) = choice {
            arrived.insert((pid, tag));
        }
        if is_step {
            self.note_gaps(state, pid);
            // What it sees of others, or of an old link, is not explored here.
            self.told.beyond |= state.asks(pid).is_none() && !state.system.finds(pid).is_empty();
        }
        let may_let_end = is_step && !state.system.table().with_exits().is_empty();
        let mut before = match may_let_end {
            true => Some(state.fork()?),
            false => None,
        };
        let Some(done) = state.go(pid, choice, arrived)? else {
            return Ok(None);
        };
        if state.system.unanswered().is_some() {
            self.told
                .gaps
                .entry(Gap::Runtime)
                .or_insert_with(|| state.place_of(pid));
        }
        // An alias or a monitor that is given up without asking.
        self.told.beyond |= is_step && done.asks.is_none() && !done.closes.is_empty();
        if let Some((k, of)) = done.gave_up {
            // A monitor ended with the reply of the process that was monitored: its end comes later. Otherwise it was asked about.
            let replied = matches!(choice, Choice::Message(tag) if tag.sender() == Some(of));
            let asked = done.asks.is_some_and(|asks| asks.number == k);
            self.told.beyond |= !replied && !asked;
        }
        self.told.beyond |= state.is_beyond();
        if !state.system.has_code_of(&self.root.system) && !self.share_code(state) {
            // Somebody else has loaded or named something at the same time: the step is made again, with that.
            *state = self.state_here()?;
            return self.go(state, pid, choice, uid, stamps);
        }
        if done.actions.is_empty() || done.actions.iter().any(|(who, _)| *who != pid) {
            match before.take() {
                Some(before) => *state = before,
                None => self.told.beyond = true,
            }
            return Ok(None);
        }
        // It has ended itself by an exit signal: another one could have come first.
        self.told.beyond |= done.actions.len() > 1;
        let mut accesses = done.actions.iter().flat_map(|(_, action)| &action.accesses);
        let is_received = matches!(choice, Choice::Message(_));
        // Names of tables, what was taken from a process, and lists of names. (Of persistent terms, the key decides.)
        let has_key = |one: &Access| matches!(one.resource, Resource::Persistent(_));
        let is_other = |one: &Access| matches!(one.resource, Resource::Other(_));
        let all = || done.actions.iter().flat_map(|(_, action)| &action.accesses);
        self.told.beyond |= all().any(is_other) && !all().any(has_key);
        self.told.beyond |= accesses.any(|one| is_received || matches!(one.resource, Resource::TableContents(_)));
        let uid = match uid {
            Some(uid) => uid,
            None => self.next_uid(),
        };
        let stamps = match stamps {
            Some(stamps) => stamps,
            None if matches!(choice, Choice::Message(_) | Choice::Timeout) => {
                let stamp = self.branch.clock() + 1;
                Stamps {
                    choice: stamp,
                    reads: Vec::new(),
                    effect: stamp,
                }
            }
            None => self.fresh_stamps(pid, &done),
        };
        Ok(Some(self.add(pid, choice, done, wait, uid, stamps)))
    }

    /// Notes what the next step of a process does that has other results, which are not explored.
    fn note_gaps(&mut self, state: &State, pid: Pid) {
        if let Some(blind) = state.blind(pid) {
            let gap = match blind {
                Blind::State => Gap::State,
                Blind::Other => Gap::Other,
                Blind::Timer => Gap::Cancel,
            };
            self.told.gaps.entry(gap).or_insert_with(|| state.place_of(pid));
        }
    }

    /// Stamps for what is done now: for the choice, for the version of each resource, and for what it does.
    fn fresh_stamps(&self, pid: Pid, done: &Done) -> Stamps {
        let uses = uses_of(pid, done.actions.iter().map(|(_, action)| action)).len();
        let choice = self.branch.clock() + 1;
        let reads: Vec<u64> = (choice + 1..).take(uses).collect();
        Stamps {
            choice,
            effect: choice + 1 + reads.len() as u64,
            reads,
        }
    }

    // ---- forward -----------------------------------------------------------------------------------------------------

    /// Goes on to the end of a run.
    fn forward(&mut self, mut state: State, crew: &dyn Crew) -> Result<Went, Error> {
        loop {
            if self.told.beyond || crew.is_over() {
                return Ok(Went::Stop);
            }
            if std::mem::take(&mut self.dead) {
                return Ok(Went::On);
            }
            let ended = if let Some(code) = state.halted() {
                Ended::Halted(code)
            } else if u64::from(self.branch.len()) >= self.steps {
                Ended::Cut(Cut::Steps)
            } else if state.tired >= IDLE {
                Ended::Cut(Cut::Computes)
            } else if self.step(&mut state)? || self.receive(&mut state)? {
                continue;
            } else {
                Ended::Quiet
            };
            let one = Found {
                state: &state,
                path: &self.branch.path,
                ended,
            };
            let goes_on = crew.found(&one, self.units.len())?;
            if !goes_on {
                crew.stop();
            }
            self.spare = state.system.take_spare();
            return Ok(if goes_on { Went::On } else { Went::Stop });
        }
    }

    /// Does the next step of a process that does not wait. False: there is none.
    fn step(&mut self, state: &mut State) -> Result<bool, Error> {
        let mut at = 0;
        while let Some(pid) = state.steps.get(at).copied() {
            at += 1;
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
            if !deadly.is_empty() || !others.is_empty() {
                self.keep(state, true)?;
                let stamp = self.branch.clock() + 1;
                for tag in deadly {
                    self.put(pid, Choice::Signal(tag), stamp);
                }
                for choice in others {
                    self.put(pid, *choice, stamp);
                }
            }
            match self.go(state, pid, *first, None, None)? {
                Some(event) => {
                    self.after_event(event, 0);
                    self.dead = !self.fits();
                    return Ok(true);
                }
                None if state.tired > 0 => return Ok(true),
                None => self.units.truncate(units),
            }
        }
        Ok(false)
    }

    /// What a step of a process can find: usually there is nothing to choose.
    fn step_choices(&mut self, state: &State, pid: Pid) -> Vec<Choice> {
        let Some(asks) = state.asks(pid) else {
            return vec![Choice::Step];
        };
        // What it has sent to itself is there.
        let mut found = state.system.finds(pid);
        found.retain(|(_, tag)| tag.sender() != Some(pid));
        self.told.beyond |= found.len() > 1;
        let place = self.branch.place(pid);
        let asked = Asked {
            place,
            pid,
            machine: None,
            asks: Some(asks),
            uid: None,
            after: None,
            number: self.branch.of(place).len() as u32 + 1,
        };
        let mut choices = vec![Choice::Step];
        choices.extend(found.into_iter().map(|(_, tag)| Choice::Arrived(tag)));
        let len = self.branch.len();
        choices.retain(|choice| self.can(&asked, *choice, &|at| at < len));
        choices
    }

    /// Puts another choice aside.
    fn put(&mut self, pid: Pid, choice: Choice, stamp: u64) {
        self.units.push(Unit {
            base: self.branch.path.last().cloned(),
            again: Vec::new(),
            then: vec![Partial {
                pid,
                choice,
                stamps: Stamps {
                    choice: stamp,
                    ..Stamps::default()
                },
                sources: Vec::new(),
                before: Vec::new(),
                sure: true,
                uid: None,
            }],
        });
    }

    /// An exit signal ends a process.
    fn kill(&mut self, state: &mut State, pid: Pid, tag: Tag) -> Result<(), Error> {
        if let Some(event) = self.go(state, pid, Choice::Signal(tag), None, None)? {
            self.after_event(event, 0);
            self.dead = !self.fits();
        }
        Ok(())
    }

    /// The exit signals that can end a process now: those before which no other one comes.
    fn deadly(&mut self, state: &State, pid: Pid) -> Vec<Tag> {
        let all = state.system.deadly(pid);
        if all.len() < 2 {
            return all;
        }
        let place = self.branch.place(pid);
        let first = |tag: &Tag| {
            !all.iter()
                .any(|other| other != tag && self.comes_before(place, *other, *tag))
        };
        all.iter().copied().filter(first).collect()
    }

    /// Lets a process receive. False: none can.
    fn receive(&mut self, state: &mut State) -> Result<bool, Error> {
        // What can happen first happens first: so the order of time adds no stall.
        let mut order: Vec<(u64, u8, Pid)> = Vec::new();
        for wait in &state.waits {
            let place = self.branch.place(wait.pid);
            let (_, _, now) = self.branch.start(place);
            let mail = wait
                .matching
                .iter()
                .chain(&wait.deadly)
                .filter_map(|tag| self.branch.mail_of(*tag));
            let first = mail.map(|mail| self.branch.event(mail.by).time.max(now)).min();
            let late = wait.after.map(|ms| now.saturating_add(ms));
            order.push(match (first, late) {
                (Some(first), Some(late)) if late < first => (late, 1, wait.pid),
                (Some(first), _) => (first, 0, wait.pid),
                (None, late) => (late.unwrap_or(now), 1, wait.pid),
            });
        }
        order.sort_unstable();
        for (_, _, pid) in order {
            let Some(wait) = state.wait_of(pid).cloned() else {
                continue;
            };
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
                self.after_event(event, 0);
                self.dead = matches!(first, Choice::Signal(_)) && !self.fits();
            }
            return Ok(true);
        }
        Ok(false)
    }

    /// What can come of a receive, in canonical order: its timeout, messages, exit signals.
    fn choices(&mut self, state: &State, wait: &Wait) -> Vec<Choice> {
        let place = self.branch.place(wait.pid);
        let mut all = Vec::with_capacity(wait.matching.len() + 1);
        if wait.after.is_some() {
            all.push(Choice::Timeout);
        }
        all.extend(wait.matching.iter().copied().map(Choice::Message));
        all.extend(self.deadly(state, wait.pid).into_iter().map(Choice::Signal));
        let last = self.branch.len();
        let asked = Asked {
            place,
            pid: wait.pid,
            machine: Some(&wait.machine),
            asks: None,
            uid: None,
            after: wait.after,
            number: self.branch.of(place).len() as u32 + 1,
        };
        all.retain(|choice| self.can(&asked, *choice, &|at| at < last));
        all
    }

    /// Does one signal to a process arrive before another one, for sure?
    fn comes_before(&self, to: Place, one: Tag, other: Tag) -> bool {
        let (Some(a), Some(b)) = (self.branch.mail_of(one), self.branch.mail_of(other)) else {
            return false;
        };
        self.is_before(to, a, b)
    }

    fn is_before(&self, to: Place, a: &Mail, b: &Mail) -> bool {
        let (by, then) = (self.branch.event(a.by), self.branch.event(b.by));
        if !matches!(a.tag, Tag::Sent { .. }) {
            return false;
        }
        if by.place == then.place {
            return match (a.tag, b.tag) {
                (Tag::Sent { k, .. }, Tag::Sent { k: l, .. }) => k < l,
                _ => true,
            };
        }
        self.rules.delivery == Delivery::Causal && by.place != to && then.knows.get(by.place) >= by.number
    }

    /// Would the receive of one event take what another one sent?
    fn takes(&mut self, uid: Option<Uid>, machine: &vm::Process, by: Uid, sent: &Sent) -> bool {
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

    /// Can a process that waits make this choice, in the part of the current graph with these events?
    fn can(&mut self, asked: &Asked<'_>, choice: Choice, has: &dyn Fn(u32) -> bool) -> bool {
        let place = asked.place;
        let is_timed = self.rules.stall.is_some()
            && (self.branch.waits > 0 || choice == Choice::Timeout && asked.after.is_some_and(|ms| ms > 0));
        let tag = match choice {
            Choice::Message(tag) | Choice::Signal(tag) | Choice::Arrived(tag) => Some(tag),
            Choice::Timeout | Choice::Step => None,
        };
        // What was sent to it and not consumed before.
        let here: Vec<Mail> = self.branch.mail[place as usize]
            .iter()
            .filter(|mail| has(mail.by))
            .filter(|mail| {
                mail.taken
                    .is_none_or(|taken| !has(taken) || self.branch.event(taken).number >= asked.number)
            })
            .filter(|mail| !self.is_closed(place, asked.number, mail))
            .copied()
            .collect();
        let (_, knows, _) = self.branch.start_at(place, asked.number);
        let has_arrived = |branch: &Branch, mail: &Mail| {
            let by = branch.event(mail.by);
            let was_found = || {
                let mut own = branch.of(place).iter().map(|at| branch.event(*at));
                own.any(|event| event.number < asked.number && event.choice == Choice::Arrived(mail.tag))
            };
            if by.place == place || was_found() {
                return true;
            }
            match self.rules.delivery {
                Delivery::Causal => matches!(mail.tag, Tag::Sent { .. }) && knows.get(by.place) >= by.number,
                Delivery::Free => branch.mail[place as usize].iter().any(|one| {
                    let consumed = one
                        .taken
                        .is_some_and(|taken| has(taken) && branch.event(taken).number < asked.number);
                    consumed && branch.event(one.by).place == by.place && self.is_before(place, mail, one)
                }),
            }
        };
        let passed = here
            .iter()
            .any(|mail| Some(mail.tag) != tag && has_arrived(&self.branch, mail));
        if !passed && !is_timed {
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
                match sent.exit {
                    true => sent.deadly,
                    // A step that asks looks at one signal.
                    false => match asked.machine {
                        Some(machine) if !choice_is_kill(choice) => self.takes(asked.uid, machine, by.event.uid, sent),
                        _ => false,
                    },
                }
            });
        }
        self.judges(asked, choice, has)
    }

    /// Is this signal not accepted any more when its receiver does the action with this number?
    fn is_closed(&self, place: Place, number: u32, mail: &Mail) -> bool {
        let sent = &self.branch.event(mail.by).sent[mail.at as usize];
        if sent.alias.is_none() && !matches!(sent.tag, Tag::EndRef { .. }) {
            return false;
        }
        let mut own = self.branch.of(place).iter().map(|at| self.branch.event(*at));
        own.any(|event| event.number < number && event.closes_for(sent))
    }

    /// As [`Self::can`], by all that is known of the order of arrival.
    fn judges(&mut self, asked: &Asked<'_>, choice: Choice, has: &dyn Fn(u32) -> bool) -> bool {
        let nodes: Vec<Arc<Node>> = self
            .branch
            .path
            .iter()
            .zip(0..)
            .filter(|(node, at)| has(*at) && (node.event.place != asked.place || node.event.number < asked.number))
            .map(|(node, _)| Arc::clone(node))
            .collect();
        let next = Event {
            uid: asked.uid.unwrap_or(0),
            pid: asked.pid,
            place: asked.place,
            number: asked.number,
            choice,
            stamps: Stamps::default(),
            actions: Vec::new(),
            uses: Vec::new(),
            sent: Vec::new(),
            machine: asked.machine.cloned(),
            after: asked.after,
            asks: asked.asks,
            closes: Vec::new(),
            past: Clock::default(),
            knows: Clock::default(),
            time: 0,
        };
        let mut events: Vec<&Event> = nodes.iter().map(|node| &node.event).collect();
        events.push(&next);
        self.allows(&events)
    }

    /// Is the current graph possible? Only what takes time could have made it impossible.
    fn fits(&mut self) -> bool {
        if self.rules.stall.is_none() || self.branch.waits == 0 {
            return true;
        }
        let nodes = self.branch.path.clone();
        let events: Vec<&Event> = nodes.iter().map(|node| &node.event).collect();
        self.allows(&events)
    }

    fn allows(&mut self, events: &[&Event]) -> bool {
        let rules = self.rules;
        let verdict = order::judge(events, rules, |event, by, sent| match &event.machine {
            Some(machine) => {
                let uid = (event.uid > 0).then_some(event.uid);
                self.takes(uid, machine, by.uid, sent)
            }
            None => false,
        });
        self.told.stalled += u64::from(verdict == Verdict::Stalls);
        verdict == Verdict::Possible
    }

    // ---- other ways --------------------------------------------------------------------------------------------------

    /// After an event was added: notes what else it could have been, and which earlier choices could have been this instead. `decided`: so many
    /// of its uses are not free.
    fn after_event(&mut self, at: u32, decided: usize) {
        let node = Arc::clone(&self.branch.path[at as usize]);
        let event = &node.event;
        if event.uses.is_empty() && event.sent.is_empty() {
            return;
        }
        for place in decided..event.uses.len() {
            self.older(event, at, place, &[]);
        }
        self.revisits(event, at, &[]);
    }

    /// Puts aside: the last event reads an older version of its use at this place. `also`: it comes before these writes, too.
    fn older(&mut self, event: &Event, at: u32, place: usize, also: &[Uid]) {
        let resource = event.uses[place].resource;
        // From the version that it reads on.
        let uses = self.branch.uses(resource).iter().rev();
        let writers = uses.filter(|one| one.writes && one.by != at).map(|one| one.by);
        let source = event.uses[place].source;
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
        let sources: Vec<Option<Uid>> = event.uses[..place].iter().map(|one| one.source).collect();
        for uid in sources.iter().flatten() {
            if let Some(source) = self.branch.find(*uid) {
                let by = self.branch.event(source);
                past.learn(&by.past, by.place, by.number);
            }
        }
        let base = at
            .checked_sub(1)
            .map(|last| Arc::clone(&self.branch.path[last as usize]));
        for writer in writers {
            let by = self.branch.event(writer);
            if by.place == event.place || past.get(by.place) >= by.number {
                break;
            }
            let mut before = also.to_vec();
            before.push(by.uid);
            self.units.push(Unit {
                base: base.clone(),
                again: Vec::new(),
                then: vec![Partial {
                    pid: event.pid,
                    choice: event.choice,
                    stamps: Stamps {
                        choice: event.stamps.choice,
                        reads: event.stamps.reads[..=place].to_vec(),
                        effect: 0,
                    },
                    sources: sources.clone(),
                    before,
                    sure: false,
                    uid: None,
                }],
            });
        }
    }

    /// Puts aside: earlier choices, before this position, that could have been this event instead.
    fn revisits(&mut self, event: &Event, upto: u32, before: &[Uid]) {
        let targets = self.targets(event, upto);
        let Some(least) = targets.iter().map(|target| target.stamp).min() else {
            return;
        };
        let mut parts: Vec<(u64, u32, Part)> = Vec::new();
        for (node, at) in self.branch.path[..upto as usize].iter().zip(0_u32..) {
            let one = &node.event;
            if one.stamps.effect < least || event.has(one) {
                continue;
            }
            parts.push((one.stamps.effect, at, Part::Effect));
            if one.stamps.effect != one.stamps.choice {
                parts.push((one.stamps.choice, at, Part::Choice));
            }
            for (stamp, i) in one.stamps.reads.iter().zip(0..) {
                parts.push((*stamp, at, Part::Read(i)));
            }
        }
        parts.sort_unstable_by_key(|(stamp, ..)| std::cmp::Reverse(*stamp));
        let mut parts = parts.into_iter().peekable();
        for target in targets {
            while let Some((stamp, at, part)) = parts.next_if(|(stamp, ..)| *stamp >= target.stamp) {
                if !self.is_canonical(event, stamp, at, part) {
                    return;
                }
            }
            self.revisit(event, upto, before, &target);
        }
    }

    /// The choices that could have been this event instead, the latest first.
    fn targets(&mut self, event: &Event, upto: u32) -> Vec<Target> {
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
                let asks = earlier.asks.is_some_and(|asks| asks.is_about(sent));
                let choice = match &earlier.machine {
                    _ if asks => Choice::Arrived(sent.tag),
                    _ if sent.deadly => Choice::Signal(sent.tag),
                    Some(machine) if !sent.exit && self.takes(Some(earlier.uid), machine, event.uid, sent) => {
                        Choice::Message(sent.tag)
                    }
                    _ => continue,
                };
                let closed = |one: u32| self.branch.event(one).closes_for(sent);
                if self.branch.of(to)[..earlier.number as usize - 1]
                    .iter()
                    .any(|one| closed(*one))
                {
                    break;
                }
                targets.push(Target {
                    stamp: earlier.stamps.choice,
                    at,
                    to: To::Choice(choice),
                });
            }
        }
        self.given_up(event, upto, &mut targets);
        for one in event.uses.iter().filter(|one| one.writes) {
            for used in self.branch.uses(one.resource).iter().filter(|used| used.by < upto) {
                let earlier = self.branch.event(used.by);
                if !event.has(earlier) {
                    targets.push(Target {
                        stamp: earlier.stamps.reads[used.at as usize],
                        at: used.by,
                        to: To::Read(used.at as usize),
                    });
                }
            }
        }
        targets.sort_unstable_by_key(|target| std::cmp::Reverse(target.stamp));
        targets
    }

    /// The end of a process: who gave up a monitor on it could have done so after its 'DOWN' had come.
    fn given_up(&self, event: &Event, upto: u32, targets: &mut Vec<Target>) {
        let ends = |one: &Use| one.writes && one.resource == Resource::Alive(event.pid);
        if !event.uses.iter().any(ends) {
            return;
        }
        for (node, at) in self.branch.path[..upto as usize].iter().zip(0_u32..) {
            let earlier = &node.event;
            if let Some(Asks {
                number: k,
                of: Some(of),
            }) = earlier.asks
                && of == event.pid
                && !event.has(earlier)
                && !event
                    .sent
                    .iter()
                    .any(|sent| sent.to == earlier.pid && earlier.asks.is_some_and(|asks| asks.is_about(sent)))
            {
                let tag = Tag::EndRef {
                    by: event.pid,
                    owner: earlier.pid,
                    k,
                };
                targets.push(Target {
                    stamp: earlier.stamps.choice,
                    at,
                    to: To::Choice(Choice::Arrived(tag)),
                });
            }
        }
    }

    /// Is this part of an event what the search would choose first, with all that was decided before it and what the new event depends on?
    fn is_canonical(&mut self, new: &Event, stamp: u64, at: u32, part: Part) -> bool {
        let stalled = self.told.stalled;
        let is_canonical = self.is_first(new, stamp, at, part);
        self.told.stalled = stalled;
        is_canonical
    }

    fn is_first(&mut self, new: &Event, stamp: u64, at: u32, part: Part) -> bool {
        let node = Arc::clone(&self.branch.path[at as usize]);
        let event = &node.event;
        match part {
            Part::Effect if event.is_plain() => self.chooses_first(new, stamp, event),
            Part::Choice => self.chooses_first(new, stamp, event),
            Part::Read(i) => {
                let one = event.uses[i];
                let uses = self.branch.uses(one.resource).iter().rev();
                let last = uses.filter(|used| used.writes && used.by != at).find(|used| {
                    let by = self.branch.event(used.by);
                    by.stamps.effect <= stamp || new.has(by)
                });
                last.map(|used| self.branch.event(used.by).uid) == one.source
            }
            Part::Effect => {
                let consumed = event.sent.iter().any(|sent| {
                    let taken = self.branch.mail_of(sent.tag).and_then(|mail| mail.taken);
                    taken.is_some_and(|taken| self.branch.event(taken).stamps.choice <= stamp)
                });
                let read = event.uses.iter().filter(|one| one.writes).any(|one| {
                    self.branch.uses(one.resource).iter().any(|used| {
                        let by = self.branch.event(used.by);
                        by.uses[used.at as usize].source == Some(event.uid)
                            && by.stamps.reads[used.at as usize] <= stamp
                    })
                });
                !consumed && !read
            }
        }
    }

    fn chooses_first(&mut self, new: &Event, stamp: u64, event: &Event) -> bool {
        match event.choice {
            Choice::Timeout | Choice::Step => return true,
            // A step goes on, if it can.
            Choice::Signal(tag) if event.machine.is_none() => return tag.sender() == Some(event.pid),
            Choice::Message(_) | Choice::Signal(_) | Choice::Arrived(_) => {}
        }
        let asked = Asked {
            place: event.place,
            pid: event.pid,
            machine: event.machine.as_ref(),
            asks: event.asks,
            uid: Some(event.uid),
            after: event.after,
            number: event.number,
        };
        let path: Vec<bool> = self
            .branch
            .path
            .iter()
            .map(|node| node.event.stamps.effect <= stamp && node.event.uid != event.uid || new.has(&node.event))
            .collect();
        let has = |at: u32| path.get(at as usize).copied().unwrap_or(false);
        let Some(machine) = &event.machine else {
            return !self.can(&asked, Choice::Step, &has);
        };
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
            let choice = match (event.choice, sent.exit) {
                (Choice::Message(tag), false) if one.tag < tag => Choice::Message(one.tag),
                (Choice::Signal(_), false) => Choice::Message(one.tag),
                (Choice::Signal(tag), true) if sent.deadly && one.tag < tag => Choice::Signal(one.tag),
                _ => continue,
            };
            let matches = sent.exit || self.takes(Some(event.uid), machine, by.event.uid, sent);
            if matches && self.can(&asked, choice, &has) {
                return false;
            }
        }
        true
    }

    /// Puts aside: an earlier choice is this event instead.
    fn revisit(&mut self, event: &Event, upto: u32, before: &[Uid], target: &Target) {
        let mut base = None;
        let mut again = Vec::new();
        let mut middle = Vec::new();
        let mut whole = true;
        let mut then = None;
        for (node, at) in self.branch.path[..upto as usize].iter().zip(0_u32..) {
            let one = &node.event;
            if at != target.at && (event.has(one) || one.stamps.effect <= target.stamp) {
                if whole {
                    base = Some(node);
                } else {
                    again.push(Again::of(one));
                }
                continue;
            }
            whole = false;
            if at != target.at && one.stamps.choice > target.stamp {
                continue;
            }
            let (choice, decided) = match target.to {
                To::Choice(choice) if at == target.at => (choice, 0),
                To::Read(i) if at == target.at => (one.choice, i),
                _ => (
                    one.choice,
                    one.stamps.reads.iter().filter(|stamp| **stamp <= target.stamp).count(),
                ),
            };
            let mut sources: Vec<Option<Uid>> = one.uses[..decided].iter().map(|one| one.source).collect();
            let mut reads = one.stamps.reads[..decided].to_vec();
            if let (To::Read(i), true) = (target.to, at == target.at) {
                sources.push(Some(event.uid));
                reads.push(one.stamps.reads[i]);
            }
            let partial = Partial {
                pid: one.pid,
                choice,
                stamps: Stamps {
                    choice: one.stamps.choice,
                    reads,
                    effect: 0,
                },
                sources,
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
            sources: event.uses.iter().map(|one| one.source).collect(),
            before: before.to_vec(),
            sure: true,
            uid: Some(event.uid),
        };
        middle.splice(0..0, [new, then]);
        self.units.push(Unit {
            base: base.cloned(),
            again,
            then: middle,
        });
    }

    // ---- beginning a unit --------------------------------------------------------------------------------------------

    /// Goes to where a unit begins. `None`: there is nothing.
    fn begin(&mut self, unit: Unit) -> Result<Option<State>, Error> {
        let Unit { base, again, then } = unit;
        self.branch.go_to(base.as_ref());
        let mut state = self.state_here()?;
        if !self.repeats(&mut state, &again)? {
            return Ok(None);
        }
        for partial in then {
            match self.decide(state, partial)? {
                Some(next) => state = next,
                None => return Ok(None),
            }
        }
        Ok(Some(state))
    }

    /// Repeats events. False: they cannot be repeated so.
    fn repeats(&mut self, state: &mut State, events: &[Again]) -> Result<bool, Error> {
        for one in events {
            let done = self.go(state, one.pid, one.choice, Some(one.uid), Some(one.stamps.clone()))?;
            if done.is_none() || self.told.beyond {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Does an action of which some parts were decided.
    fn decide(&mut self, mut state: State, mut then: Partial) -> Result<Option<State>, Error> {
        // What it read first, it reads again: it comes before the next writes of these.
        if then.before.is_empty() && then.sources.len() > 1 && then.uid.is_none() {
            then.before = self.next_writes(&then);
        }
        let is_here = |branch: &Branch, uid: &Uid| branch.find(*uid).is_some();
        then.before.retain(|uid| is_here(&self.branch, uid));
        if !then.before.is_empty() {
            return self.decide_before(&then);
        }
        if !then.sure && !self.can_decide(&mut state, &then) {
            return Ok(None);
        }
        let Some(at) = self.go_on(&mut state, &then)? else {
            return Ok(None);
        };
        if !self.reads_so(at, &then) {
            return Ok(None);
        }
        if then.uid.is_none() {
            self.after_event(at, then.stamps.reads.len());
            if !self.fits() {
                return Ok(None);
            }
        }
        Ok(Some(state))
    }

    /// Can the choice be made?
    fn can_decide(&mut self, state: &mut State, then: &Partial) -> bool {
        let place = self.branch.place(then.pid);
        if let Choice::Signal(tag) = then.choice
            && !self.deadly(state, then.pid).contains(&tag)
        {
            return false;
        }
        if let Choice::Step | Choice::Arrived(_) = then.choice {
            return self.step_choices(state, then.pid).contains(&then.choice);
        }
        let Some(wait) = state.wait_of(then.pid).cloned() else {
            return matches!(then.choice, Choice::Signal(_));
        };
        if let Choice::Message(tag) = then.choice
            && !wait.matching.contains(&tag)
        {
            return false;
        }
        let asked = Asked {
            place,
            pid: then.pid,
            machine: Some(&wait.machine),
            asks: None,
            uid: None,
            after: wait.after,
            number: self.branch.of(place).len() as u32 + 1,
        };
        let len = self.branch.len();
        self.can(&asked, then.choice, &|at| at < len)
    }

    /// Does it, with the stamps that it has and new ones.
    fn go_on(&mut self, state: &mut State, then: &Partial) -> Result<Option<u32>, Error> {
        let whole = then.uid.map(|_| then.stamps.clone());
        let is_whole = whole.is_some();
        let Some(at) = self.go(state, then.pid, then.choice, then.uid, whole)? else {
            return Ok(None);
        };
        if !is_whole {
            self.branch.restamp(&then.stamps);
        }
        Ok(Some(at))
    }

    /// Did it read what it had to read?
    fn reads_so(&self, at: u32, then: &Partial) -> bool {
        let uses = &self.branch.event(at).uses;
        then.sources.len() <= uses.len() && then.sources.iter().zip(uses).all(|(source, one)| *source == one.source)
    }

    /// The writes that came after what an action read first, and before which it has to come.
    fn next_writes(&self, then: &Partial) -> Vec<Uid> {
        let mut next = Vec::new();
        // The last source is what was written last.
        for source in then.sources.iter().rev().skip(1).flatten() {
            let Some(at) = self.branch.find(*source) else { continue };
            for one in self.branch.event(at).uses.iter().filter(|one| one.writes) {
                let uses = self.branch.uses(one.resource).iter();
                let later = uses
                    .filter(|used| used.writes && used.by > at)
                    .map(|used| used.by)
                    .next();
                next.extend(later.map(|at| self.branch.event(at).uid));
            }
        }
        next
    }

    /// Does an action before some writes, and then these again, with what depends on them.
    fn decide_before(&mut self, then: &Partial) -> Result<Option<State>, Error> {
        let whole = self.branch.path.last().cloned();
        let len = self.branch.len();
        let mut later = vec![false; len as usize];
        let mut first = len;
        for uid in &then.before {
            let Some(at) = self.branch.find(*uid) else { continue };
            later[at as usize] = true;
            first = first.min(at);
        }
        for at in first..len {
            later[at as usize] |= self.depends(at, &later);
        }
        let place = self.branch.place(then.pid);
        let needs = self.branch.last(place).is_some_and(|at| later[at as usize]);
        let sources = then.sources.iter().flatten().filter_map(|uid| self.branch.find(*uid));
        if needs || sources.into_iter().any(|at| later[at as usize]) {
            return Ok(None);
        }
        let nodes: Vec<Arc<Node>> = self.branch.path[first as usize..].to_vec();
        let (rest, before): (Vec<_>, Vec<_>) = nodes.into_iter().zip(first..).partition(|(_, at)| later[*at as usize]);
        let again =
            |nodes: &[(Arc<Node>, u32)]| nodes.iter().map(|(node, _)| Again::of(&node.event)).collect::<Vec<_>>();
        let base = first
            .checked_sub(1)
            .map(|at| Arc::clone(&self.branch.path[at as usize]));
        self.branch.go_to(base.as_ref());
        let mut state = self.state_here()?;
        if !self.repeats(&mut state, &again(&before))? {
            return Ok(None);
        }
        let Some(at) = self.go_on(&mut state, then)? else {
            return Ok(None);
        };
        if !self.reads_so(at, then) {
            return Ok(None);
        }
        // The stamps that are new come after all others.
        let clock = whole.as_ref().map_or(0, |node| node.clock);
        if then.uid.is_none() {
            self.branch.restamp_after(&then.stamps, clock);
        }
        let done = Arc::clone(&self.branch.path[at as usize]);
        let forward = self.repeats_same(&mut state, &rest)?;
        let graph = self.branch.path.last().cloned();
        let nodes = self.branch.path.clone();
        let events: Vec<&Event> = nodes.iter().map(|node| &node.event).collect();
        let possible = forward && self.allows(&events);
        // What else it could have been, and what could have been it: in the graph without it.
        if then.uid.is_some() {
            return Ok(possible.then_some(state));
        }
        self.branch.go_to(whole.as_ref());
        let event = &done.event;
        let decided = then.stamps.reads.len();
        for place in decided..event.uses.len() {
            self.older(event, len, place, &then.before);
        }
        self.revisits(event, len, &then.before);
        if !possible {
            return Ok(None);
        }
        self.branch.go_to(graph.as_ref());
        Ok(Some(state))
    }

    /// Repeats events that must read the same as before.
    fn repeats_same(&mut self, state: &mut State, events: &[(Arc<Node>, u32)]) -> Result<bool, Error> {
        for (node, _) in events {
            let one = Again::of(&node.event);
            let Some(at) = self.go(state, one.pid, one.choice, Some(one.uid), Some(one.stamps))? else {
                return Ok(false);
            };
            let same = self.branch.event(at).uses.iter().map(|one| one.source);
            if self.told.beyond || !same.eq(node.event.uses.iter().map(|one| one.source)) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Does the event at a position depend on one of these?
    fn depends(&self, at: u32, on: &[bool]) -> bool {
        let event = self.branch.event(at);
        if self.branch.before(at).is_some_and(|before| on[before as usize]) {
            return true;
        }
        if let Some(tag) = event.arrived()
            && self.branch.mail_of(tag).is_some_and(|mail| on[mail.by as usize])
        {
            return true;
        }
        event.uses.iter().any(|one| {
            let earlier = self.branch.uses(one.resource).iter().filter(|used| used.by < at);
            earlier
                .into_iter()
                .any(|used| (used.writes || one.writes) && on[used.by as usize])
        })
    }
}

impl Again {
    fn of(event: &Event) -> Self {
        Self {
            uid: event.uid,
            pid: event.pid,
            choice: event.choice,
            stamps: event.stamps.clone(),
        }
    }
}

/// A part of an event that was decided at one time.
#[derive(Clone, Copy)]
enum Part {
    Choice,
    Read(usize),
    /// What it does; of a receive, also its choice.
    Effect,
}

/// A receive of which it is asked what can come.
struct Asked<'a> {
    place: Place,
    pid: Pid,
    /// In the receive. `None`: it is a step that asks.
    machine: Option<&'a Arc<vm::Process>>,
    asks: Option<Asks>,
    uid: Option<Uid>,
    after: Option<u64>,
    number: u32,
}

/// An earlier choice that could have been another one.
struct Target {
    stamp: u64,
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
}

const fn choice_is_kill(choice: Choice) -> bool {
    matches!(choice, Choice::Signal(_))
}

/// The uses of an action, each with whether it writes, in an order in which each is determined by what those before it read. Writes of different
/// keys of a table have no order, and nobody looks at all of one.
fn uses_of<'a>(pid: Pid, actions: impl Iterator<Item = &'a Action>) -> Vec<Access> {
    let mut all: Vec<Access> = Vec::new();
    for access in actions.flat_map(|action| causality::accesses(pid, action)) {
        match all.iter_mut().find(|one| one.resource == access.resource) {
            Some(known) => known.write |= access.write,
            None if matches!(access.resource, Resource::TableContents(_)) => {}
            None => all.push(access),
        }
    }
    // Whether the set of keys changes depends on the key.
    all.sort_by_key(|access| matches!(access.resource, Resource::Other(_)));
    all
}

//! One who searches: forward, and back to what could have been otherwise.

use std::sync::Arc;

use interpreter::vm;
use log_format::{Action, Pid, Tag};
use rustc_hash::{FxHashMap, FxHashSet};
use session::Error;
use session::player::free::Choice;
use system::Delivery;
use system::beyond::Blind;

use super::branch::{Branch, BranchNode, ProcessIndexes};
use super::crew::{Begin, Code, Crew, SearchFindings};
use super::event::{
    EventClock, EventUse, GraphEvent, Linked, Met, ProcessNumber, Stamps, Stop, Uid, WasRead, Who, WriterKey, is_group,
};
use super::order::Rules;
use super::state::{DoneStep, State, WaitingReceive, is_numbered};
use crate::debugger::UniversePoint;
use crate::normal::Normal;
use crate::outcome::{Names, RunEnded, UniverseOutcome};
use crate::stops::Stops;
use crate::summary::{Gap, IDLE};

mod begin;
mod checked;
mod forward;
mod halt;
mod order;
mod possible;
mod preempted;
mod revisit;
mod share;
mod stop;
mod tell;
mod uses;
mod way;
mod written;

use order::VisitOrder;
use stop::Stopped;
pub(crate) use stop::misfit;
pub(super) use uses::UseOf;
use uses::{is_beyond, uses_of};
use way::WayFromStart;
pub(super) use written::Units;
pub(crate) use written::{ReadUnits, get_choice, put_choice};

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
    /// What it read first, with the writers. If the last of these is a scan of which only a part was decided: that is before this writer.
    sources: Vec<WasRead>,
    below: Option<WriterKey>,
    /// It comes before these writes.
    before: Vec<Uid>,
    /// Is it known that it can be done?
    sure: bool,
    /// It was decided as a whole before: this is its name.
    uid: Option<Uid>,
}

/// Work: a part of a graph, and what is done from there.
#[derive(Default)]
pub(super) struct Unit {
    base: Option<Arc<BranchNode>>,
    /// Of a unit that was read from a file, in the place of the base: the way to it.
    way: Option<WayFromStart>,
    again: Vec<Again>,
    /// What comes next, in this order.
    then: Vec<Partial>,
    /// How often another way was taken than the first one, from the start of the program to here.
    delays: u32,
}

impl Unit {
    /// Is it the beginning of the search?
    fn is_beginning(&self) -> bool {
        self.base.is_none() && self.way.is_none() && self.again.is_empty() && self.then.is_empty()
    }
}

/// What is done in a run: who does what, in an order in which it can be done.
pub(crate) type Steps = Vec<UniverseStep>;

/// One step of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct UniverseStep {
    pub pid: Pid,
    pub choice: Choice,
    /// Is it logged? Otherwise it begins to trap exits, or ceases to.
    pub acts: bool,
    /// The time or the number that it gets.
    pub drawn: Option<Action>,
}

/// A universe, or where one has stopped at breakpoints.
pub(crate) struct FoundUniverse<'a> {
    state: &'a State,
    branch: &'a Branch,
    ended: RunEnded,
    /// Processes that have stopped, and why.
    stopped: Vec<(Pid, Stopped)>,
    /// In a sample: how many universes it stands for.
    pub weight: f64,
}

impl FoundUniverse<'_> {
    pub fn actions(&self) -> u64 {
        let path = self.branch.path.iter();
        path.map(|node| node.event.actions.len() as u64).sum()
    }

    pub fn outcome(&self, normal: &Normal, names: &mut dyn Names) -> UniverseOutcome {
        self.state.outcome(self.ended, normal, names)
    }

    /// Is it no universe, because processes have stopped at breakpoints?
    pub fn is_stopped(&self) -> bool {
        !self.stopped.is_empty()
    }

    /// What was done.
    pub fn steps(&self) -> Steps {
        let events = self.branch.path.iter().map(|node| &node.event);
        let steps = events.filter(|event| !event.is_stuck()).map(|event| UniverseStep {
            pid: event.pid,
            choice: event.choice,
            acts: !event.actions.is_empty(),
            drawn: event.drawn().cloned(),
        });
        steps.collect()
    }
}

/// Does the search go on?
enum Went {
    On,
    Stop,
    /// It ends, and the current graph is not at its end.
    Within,
}

/// One who searches.
pub(super) struct Graphs {
    rules: Rules,
    /// Limits: the steps of a process, and the delays.
    steps: u64,
    most: Option<u32>,
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
    /// The stamps of an event that is repeated are not those of such an event.
    misfit: bool,
    /// Some processes have made all their steps, and could make more.
    spent: bool,
    /// Of the current run.
    delays: u32,
    order: VisitOrder,
    told: SearchFindings,
    point: Arc<UniversePoint>,
    stops: Option<Arc<Stops>>,
    /// The point is not reached yet.
    fixes: bool,
    /// The time or the number that the next step gets, as in the recorded run.
    drawn: Option<Action>,
}

/// Each searcher has so many names of its own.
const NAMES: Uid = 1 << 48;

impl Graphs {
    /// The searcher with this number, from 0.
    pub fn new(root: State, code: Code, places: ProcessIndexes, begin: &Begin, number: usize) -> Self {
        let bounds = begin.bounds;
        Self {
            rules: Rules {
                delivery: bounds.delivery,
                at_send: bounds.at_send,
                stall: bounds.stall,
            },
            steps: bounds.steps,
            most: bounds.delays,
            branch: Branch::new(places),
            root,
            code,
            units: Vec::new(),
            uid: NAMES * number as Uid,
            answers: FxHashMap::default(),
            spare: vm::Spare::default(),
            dead: false,
            misfit: false,
            spent: false,
            delays: 0,
            order: VisitOrder::new(number),
            told: SearchFindings::default(),
            point: Arc::clone(&begin.point),
            stops: begin.stops.clone(),
            fixes: false,
            drawn: None,
        }
    }

    /// Visits universes as long as there is work.
    ///
    /// # Errors
    /// A step cannot be repeated; whatever who hears of universes returns.
    pub fn run(&mut self, crew: &dyn Crew) -> Result<SearchFindings, Error> {
        let mut state = None;
        loop {
            if let Some(state) = state.take() {
                match self.forward(state, crew)? {
                    Went::On => {}
                    Went::Stop => break,
                    Went::Within => {
                        self.put_back();
                        break;
                    }
                }
            }
            if crew.is_one_idle() && self.units.len() > 1 {
                let half = self.units.len() / 2;
                crew.give(self.units.drain(..half).collect());
            }
            let Some(unit) = self.next_unit().or_else(|| crew.take()) else {
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
        self.tells()
    }

    /// Was something met that is not explored in this way?
    pub const fn is_beyond(&self) -> bool {
        self.told.beyond
    }

    fn next_uid(&mut self) -> Uid {
        self.uid += 1;
        self.uid
    }

    // ---- states ------------------------------------------------------------------------------------------------------

    /// The state at the end of the current graph.
    fn state_here(&mut self) -> Result<State, Error> {
        let kept = self.branch.path.iter().rposition(|node| node.is_kept());
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
        for at in kept.map_or(0, |at| at + 1)..self.branch.path.len() {
            let node = Arc::clone(&self.branch.path[at]);
            loop {
                let arrived = self.arrived(&state, &node.event.who(), &state.with_exits());
                let moment = self.branch.moment(node.event.pid, node.event.place, node.event.number);
                let done = state.go(node.event.choice, moment, arrived, node.event.drawn())?;
                // It computes for long before it acts.
                if done.is_some() || state.tired == 0 || state.tired >= IDLE {
                    break;
                }
            }
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
        if node.is_kept() || !always && near.into_iter().any(|node| node.is_kept()) {
            return Ok(());
        }
        let copy = state.fork()?;
        if let Ok(mut after) = node.after.lock() {
            *after = Some(copy);
            node.is_kept.store(true, std::sync::atomic::Ordering::Release);
        }
        Ok(())
    }

    // ---- events ------------------------------------------------------------------------------------------------------

    /// Makes an event of what was done, and puts it on the path.
    fn add(
        &mut self,
        pid: Pid,
        choice: Choice,
        done: DoneStep,
        (wait, met): (Option<Arc<WaitingReceive>>, Option<Arc<Met>>),
        (uid, stamps): (Uid, Option<Stamps>),
        state: &State,
    ) -> u32 {
        let place = self.branch.place(pid);
        let (mut past, mut knows, mut time) = self.branch.start(place);
        let number = self.branch.next_number(place);
        let mut age = self.branch.moment(pid, place, number).known;
        let DoneStep {
            actions,
            said,
            sent,
            closes,
            closes_after,
            asks,
            traps,
            linked,
            adds,
            ..
        } = done;
        let mut stop = None;
        let trapped = self.branch.traps(place, number);
        let actions: Vec<Action> = actions.into_iter().map(|(_, action)| action).collect();
        if choice == Choice::Timeout {
            time = time.saturating_add(wait.as_ref().and_then(|wait| wait.after).unwrap_or(0));
        }
        if let Choice::Message(tag) | Choice::Signal(tag) | Choice::Arrived(tag) = choice
            && let Some(mail) = self.branch.mail_of(tag)
        {
            let by = self.branch.event(mail.by);
            if by.stop.is_some() {
                stop = Some(Stop::After);
            }
            if by.place != place {
                past.learn(&by.past, by.place, by.number);
                knows.learn(&by.knows, by.place, by.number);
            }
            time = time.max(self.branch.time_of(mail));
            age = age.max(by.age);
        }
        let accesses = uses_of(pid, &actions, adds, &state.system);
        if self.branch.registers_again(pid, &accesses, &state.system) {
            self.told.gaps.entry(Gap::Registers).or_default();
        }
        self.told.beyond |= self.branch.fixes_again(pid, &accesses, &state.system);
        let fresh = self.fresh_stamps(choice, accesses.len());
        self.misfit |= stamps
            .as_ref()
            .is_some_and(|stamps| stamps.reads.len() != fresh.reads.len());
        let stamps = stamps.unwrap_or(fresh);
        let mut uses: Vec<EventUse> = Vec::with_capacity(accesses.len());
        for access in accesses {
            uses.push(self.use_of(place, &access, (&mut past, &mut knows), (&mut time, &mut age)));
            if self.stops.is_some() && uses.last().is_some_and(|one| self.follows_stop(one)) {
                stop = Some(Stop::After);
            }
        }
        self.branch.learn_from_adders(&actions, &mut knows);
        let (machine, after) = match wait {
            Some(wait) => (Some(Arc::clone(&wait.machine)), wait.after),
            None => (None, None),
        };
        self.branch.push(GraphEvent {
            uid,
            pid,
            place,
            number,
            choice,
            stamps,
            traps: [trapped, traps.unwrap_or(trapped)],
            actions,
            said,
            uses,
            sent,
            machine,
            after,
            linked,
            asks,
            closes,
            closes_after,
            past,
            knows,
            time,
            age: age + 1,
            // What comes of a stop is none of its own.
            stop: stop.or(met.map(Stop::Before)),
            kept: false,
        });
        self.branch.len() - 1
    }

    /// A use by the next event of a process, which learns from what it reads.
    fn use_of(
        &self,
        place: ProcessNumber,
        access: &UseOf,
        (past, knows): (&mut EventClock, &mut EventClock),
        (time, age): (&mut u64, &mut u64),
    ) -> EventUse {
        let is_group = is_group(access.resource);
        let source = self.branch.last_write(access.resource).filter(|_| !is_group);
        let seen = match access.scans {
            true => self.branch.writers(access.resource),
            false => Vec::new(),
        };
        for at in source.into_iter().chain(seen.iter().map(|(_, at)| *at)) {
            let by = self.branch.event(at);
            if by.place != place && past.get(by.place) < by.number {
                past.learn(&by.past, by.place, by.number);
            }
            if by.place != place && access.caused && !is_group {
                knows.learn(&by.knows, by.place, by.number);
            }
            *time = by.time.max(*time);
            *age = by.age.max(*age);
        }
        let uid_of = |at: u32| self.branch.event(at).uid;
        EventUse {
            read: WasRead {
                resource: access.resource,
                source: source.map(uid_of),
                seen: seen.into_iter().map(|(key, at)| (key, uid_of(at))).collect(),
            },
            writes: access.writes,
            scans: access.scans,
        }
    }

    /// What has arrived before a step: what its choice says, and the exit signals to others that the process knows to have been sent.
    /// `with_exits`: for whom exit signals wait.
    fn arrived(&self, state: &State, step: &Who, with_exits: &[Pid]) -> FxHashSet<(Pid, Tag)> {
        let mut all = FxHashSet::default();
        match step.choice {
            Choice::Step | Choice::Pick(_) => {}
            Choice::Arrived(tag) => _ = all.insert((step.pid, tag)),
            Choice::Message(_) | Choice::Signal(_) | Choice::Timeout => return all,
        }
        if self.rules.delivery == Delivery::Free || with_exits.is_empty() {
            return all;
        }
        let knows = self.branch.knows_at(step.place, step.number);
        for to in with_exits.iter().copied().filter(|to| *to != step.pid) {
            for tag in state.system.deadly(to) {
                let Some(mail) = self.branch.mail_of(tag) else { continue };
                let by = self.branch.event(mail.by);
                if by.place != step.place && is_numbered(tag) && knows.get(by.place) >= by.number {
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
        let is_step = matches!(choice, Choice::Step | Choice::Arrived(_) | Choice::Pick(_));
        let place = self.branch.place(pid);
        let number = self.branch.next_number(place);
        let step = Who {
            pid,
            place,
            number,
            choice,
        };
        let with_exits = if is_step { state.with_exits() } else { Vec::new() };
        let arrived = self.arrived(state, &step, &with_exits);
        if is_step {
            self.note_gaps(state, pid);
            // What it sees of others, or of an old link, is not explored here.
            self.told.beyond |= state.asks(pid).is_none() && !state.system.finds(pid).is_empty();
            self.told.beyond |= state.system.wakes(pid).is_some();
        }
        // The step may let these end.
        let mut before = match with_exits.is_empty() {
            true => None,
            false => Some(state.fork()?),
        };
        let ahead = self.foresee(state, &step);
        let moment = self.branch.moment(pid, place, number);
        let drawn = self.drawn.take();
        let Some(done) = state.go(choice, moment, arrived, drawn.as_ref())? else {
            return Ok(None);
        };
        self.note_met(state, pid, &done);
        if !state.system.has_code_of(&self.root.system) && !self.share_code(state) {
            // Somebody else has loaded or named something at the same time: the step is made again, with that.
            *state = self.state_here()?;
            self.drawn = drawn;
            return self.go(state, pid, choice, uid, stamps);
        }
        let waits_for_ever = choice == Choice::Timeout && wait.as_ref().is_some_and(|wait| wait.after.is_none());
        let acts = done.traps.is_none() && !waits_for_ever;
        if acts && done.actions.is_empty() || done.actions.iter().any(|(who, _)| *who != pid) {
            match before.take() {
                Some(before) => *state = before,
                None => self.told.beyond = true,
            }
            return Ok(None);
        }
        self.told.beyond |= is_beyond(&state.system, choice, &done);
        let uid = match uid {
            Some(uid) => uid,
            None => self.next_uid(),
        };
        let met = ahead.and_then(|ahead| self.meets(state, &step, &done, &ahead));
        Ok(Some(self.add(pid, choice, done, (wait, met), (uid, stamps), state)))
    }

    /// Notes what a step met that is not explored, or not here.
    fn note_met(&mut self, state: &mut State, pid: Pid, done: &DoneStep) {
        if let Some(place) = state.take_drew() {
            self.told.gaps.entry(Gap::Input).or_insert(place);
        }
        if state.system.unanswered().is_some() {
            self.told
                .gaps
                .entry(Gap::Runtime)
                .or_insert_with(|| state.place_of(pid));
        }
        // The order of exit signals and of several changes is not explored.
        self.told.beyond |= done.traps == Some(false);
        if state.has_named() {
            self.told.gaps.entry(Gap::Named).or_insert_with(|| state.place_of(pid));
            self.told.beyond = true;
        }
        if state.system.raced_link().is_some() {
            self.told.gaps.entry(Gap::Links).or_insert_with(|| state.place_of(pid));
        }
        self.told.beyond |= state.is_beyond() || done.linked.is_some_and(|linked| self.has_broken(pid, linked));
    }

    /// Was the link that a process makes or breaks broken before, or does it break one that the other process has made? The order of such calls is not
    /// explored.
    fn has_broken(&mut self, pid: Pid, linked: Linked) -> bool {
        let (own, other) = (self.branch.place(pid), self.branch.place(linked.with));
        let calls = |place: ProcessNumber, with: Pid| {
            let events = self.branch.of(place).iter().map(|at| self.branch.event(*at));
            events.filter_map(move |event| event.linked.filter(|linked| linked.with == with))
        };
        calls(own, linked.with).any(|call| !call.on && linked.on)
            || calls(other, pid).any(|call| !call.on || !linked.on)
    }

    /// Notes what the next step of a process does that has other results, which are not explored.
    fn note_gaps(&mut self, state: &State, pid: Pid) {
        if let Some(blind) = state.blind(pid) {
            let gap = match blind {
                Blind::State => Gap::State,
                Blind::Other => Gap::Other,
                Blind::Timer => Gap::Cancel,
                Blind::Lists => Gap::Lists,
            };
            self.told.gaps.entry(gap).or_insert_with(|| state.place_of(pid));
        }
    }

    /// Stamps for what is done now: for the choice, for the version of each resource, and for what it does.
    fn fresh_stamps(&self, choice: Choice, uses: usize) -> Stamps {
        let first = self.branch.clock() + 1;
        if matches!(choice, Choice::Message(_) | Choice::Timeout) {
            return Stamps {
                choice: first,
                effect: first,
                ..Stamps::default()
            };
        }
        let reads: Vec<u64> = (first + 1..).take(uses).collect();
        Stamps {
            choice: first,
            effect: first + 1 + reads.len() as u64,
            reads,
            ..Stamps::default()
        }
    }
}

impl Again {
    fn of(event: &GraphEvent) -> Self {
        Self {
            uid: event.uid,
            pid: event.pid,
            choice: event.choice,
            stamps: event.stamps.clone(),
        }
    }
}

//! A system in which the search decides what happens next: it can be copied at any time, and each copy goes its own way.
//!
//! The state after some actions depends on these and on their choices only, not on the order in which independent ones were made. So the state of
//! any part of a universe can be made by repeating its choices, from any copy that has made some of them.

use std::collections::BTreeSet;
use std::ops::Bound::{Excluded, Unbounded};
use std::sync::{Arc, OnceLock};

use interpreter::atom::Atom;
use interpreter::native::NativeClass;
use interpreter::vm::{self, Timeout};
use log_format::{Action, ActionNo, Kind, Pid, Tag};
use rustc_hash::FxHashSet;
use session::player::free::{Choice, picks};
use session::player::{PATIENCE, handle};
use session::program::Sources;
use session::source::births;
use session::watch;
use session::{Error, Session};
use system::System;
use system::beyond::{Blind, Drove, Moment, has_turned};
use system::feed::{Births, Cursor, LogSource, Plan, Quota};
use system::process::{Label, Process};

use super::event::{Asks, Linked};
use super::stands::Stand;
pub(super) use super::watch::{BranchWatch, DoneStep, SentSignal, is_numbered};
use super::watch::{NextInput, only_reports};
use crate::checks;
use crate::debugger::{Passed, UniversePoint};
use crate::normal::Normal;
use crate::outcome::{Names, RunEnded, SeenAtEnd, UniverseOutcome};
use crate::stops::{StoppedProcess, Stops};

/// There are no logs: every step is beyond them.
struct NoLogs {
    /// New processes get larger numbers than those of the recorded run.
    last: Pid,
    /// Processes that a recorded run had, too, have the same numbers.
    births: Arc<Births>,
    texts: Vec<String>,
    nodes: Vec<String>,
}

impl LogSource for NoLogs {
    fn open(&self, _: Pid, _: ActionNo) -> Result<Option<Box<dyn Cursor>>, log_format::Error> {
        Ok(None)
    }
    fn last_pid(&self) -> Pid {
        self.last
    }
    fn births(&self) -> Option<Arc<Births>> {
        Some(Arc::clone(&self.births))
    }
    fn texts(&self) -> Vec<String> {
        self.texts.clone()
    }
    fn nodes(&self) -> Vec<String> {
        self.nodes.clone()
    }
}

/// A process that waits in a receive, and could do something.
#[derive(Clone)]
pub(super) struct WaitingReceive {
    pub pid: Pid,
    /// How long it waits, in milliseconds.
    pub after: Option<u64>,
    /// The machine at the receive.
    pub machine: Arc<vm::Process>,
    /// Messages that were sent to it and that the receive matches, in the order of their tags.
    pub matching: Vec<Tag>,
    /// Exit signals that would end it.
    pub deadly: Vec<Tag>,
    /// When the first of all this can be there, once somebody asked.
    first: FoundChoices,
}

/// When the first can be there that ends a wait, and whether that is its timeout.
pub(super) type First = (u64, bool, Pid);

/// What was found about a wait, as long as it does not change: a changed copy is asked anew.
#[derive(Default)]
pub(super) struct FoundChoices(OnceLock<First>);

impl Clone for FoundChoices {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl WaitingReceive {
    fn is_armed(&self) -> bool {
        self.after.is_some() || !self.matching.is_empty() || !self.deadly.is_empty()
    }
}

/// A system, and what its processes can do next.
pub(super) struct State {
    pub system: System<BranchWatch>,
    session: Session,
    /// Processes of which it is not known what they do next.
    unknown: Vec<Pid>,
    /// Those that stand before something else than a receive, ascending.
    pub steps: Vec<Pid>,
    /// Those that would halt the run next, ascending.
    pub halting: Vec<Pid>,
    /// Those that wait in a receive and could do something, ascending.
    waits: Vec<Arc<WaitingReceive>>,
    /// Of these, those of which it is known when the first of all this can be there; and the others, in any order.
    order: BTreeSet<First>,
    unordered: Vec<Pid>,
    /// Those that wait for ever, though something was sent to them: it was dropped.
    stuck: Vec<Pid>,
    /// Those that compute without an action.
    pub tired: u32,
    /// Where processes stand at breakpoints on lines, on the way to their next actions.
    pub stands: Vec<Stand>,
}

impl State {
    /// At the start of the program of a session.
    pub fn new(session: &Session, stops: Option<Arc<Stops>>) -> Result<Self, Error> {
        let logs = session.logs();
        let source = NoLogs {
            last: logs.last_pid(),
            births: Arc::new(births(session.trace())?),
            texts: Vec::new(),
            nodes: logs.nodes(),
        };
        let plan = Plan::new(Arc::new(source), Quota::Some(Arc::default()));
        let watch = BranchWatch {
            stops,
            knows_files: session.around().answers.is_some(),
            ..BranchWatch::default()
        };
        let mut system = session.system(watch, Some(plan));
        system.be_driven(0);
        system.stand_at_traps();
        system.join_sums();
        let entry = system::ids::to_log(system.entry());
        Ok(Self {
            system,
            session: session.clone(),
            unknown: vec![entry],
            steps: Vec::new(),
            halting: Vec::new(),
            waits: Vec::new(),
            order: BTreeSet::new(),
            unordered: Vec::new(),
            stuck: Vec::new(),
            tired: 0,
            stands: Vec::new(),
        })
    }

    /// A copy.
    pub fn fork(&mut self) -> Result<Self, Error> {
        let copy = self.system.fork(self.session.scheduler(), self.session.loader());
        Ok(Self {
            system: copy.ok_or_else(|| Error::Bug("a simulated outside cannot be copied".to_owned()))?,
            session: self.session.clone(),
            unknown: self.unknown.clone(),
            steps: self.steps.clone(),
            halting: self.halting.clone(),
            waits: self.waits.clone(),
            order: self.order.clone(),
            unordered: self.unordered.clone(),
            stuck: self.stuck.clone(),
            tired: self.tired,
            stands: self.stands.clone(),
        })
    }

    /// The status with which the program has halted.
    pub fn halted(&self) -> Option<i64> {
        self.system.observer.halted
    }

    /// What came of the run, which ends here.
    pub fn outcome(&self, ended: RunEnded, normal: &Normal, names: &mut dyn Names) -> UniverseOutcome {
        let living = self.system.table().pids().into_iter().map(system::ids::to_log);
        let observer = &self.system.observer;
        let seen = SeenAtEnd {
            world: &self.system,
            sources: self.session.sources(),
            ended,
            normal,
            ends: observer.ends.as_ref().clone(),
            printed: observer.outputs(living.filter_map(|pid| self.system.log(pid))),
            // Test runners do what this search cannot explore.
            tests: Vec::new(),
        };
        seen.outcome(names)
    }

    /// The sources of the program.
    pub const fn sources(&self) -> &Sources {
        self.session.sources()
    }

    /// The name of a process, or the one that it had when it ended.
    pub fn name_of(&self, pid: Pid) -> Option<Atom> {
        match checks::living(&self.system, pid) {
            Some(p) => checks::name_of(p),
            None => {
                let mut ended = self.system.observer.named_ends.iter();
                ended.find(|(of, _)| *of == pid).map(|(_, name)| *name)
            }
        }
    }

    /// The processes that wait in a receive.
    pub fn waiting(&self) -> impl Iterator<Item = (Pid, &vm::Process)> {
        let living = self.system.table().pids().into_iter();
        living.filter_map(|pid| {
            let p = self.system.table().by_pid(pid)?;
            matches!(p.label, Some(Label::Receive(_))).then_some((system::ids::to_log(pid), &p.machine))
        })
    }

    /// What the next step of a process asks of signals: whether they have arrived.
    pub fn asks(&self, pid: Pid) -> Option<Asks> {
        let p = self.system.table().by_pid(handle(pid))?;
        let Some(Label::Native(id)) = p.label else { return None };
        let native = self.system.program.native(id);
        match (native.module, native.name) {
            ("erlang", "demonitor" | "unalias") => self.system.gives_up(pid).map(|(number, _)| Asks::Ends(number)),
            ("erlang", "cancel_timer" | "read_timer") => self.system.asks_timer(pid).map(Asks::Timer),
            _ => None,
        }
    }

    /// What is known of the input that a process reads next?
    fn input(&self, pid: Pid) -> NextInput {
        let p = self.system.table().by_pid(handle(pid));
        let Some((p, Label::Native(id))) = p.and_then(|p| Some((p, p.label?))) else {
            return NextInput::Unknown;
        };
        let native = self.system.program.native(id);
        NextInput::of((native.module, native.name), p)
    }

    /// Does the next step of a process add to a counter, and does not ask what that comes to?
    fn adds(&self, pid: Pid) -> bool {
        let p = self.system.table().by_pid(handle(pid));
        let Some((p, Label::Native(id))) = p.and_then(|p| Some((p, p.label?))) else {
            return false;
        };
        let &[_, _, _, tell] = p.machine.args() else {
            return false;
        };
        self.system.program.native(id).name == "$counter_add" && tell.as_bool() != Some(true)
    }

    /// The link that the next step of a process makes or breaks.
    pub fn links(&self, pid: Pid) -> Option<Linked> {
        let p = self.system.table().by_pid(handle(pid))?;
        let Some(Label::Native(id)) = p.label else { return None };
        let on = match self.system.program.native(id).name {
            "link" => true,
            "unlink" => false,
            _ => return None,
        };
        let with = p.machine.args().first()?.as_pid()?;
        Some(Linked {
            with: system::ids::to_log(with),
            on,
        })
    }

    /// Does the next step of a process have other results that are no choices, and that can decide something?
    pub fn blind(&self, pid: Pid) -> Option<Blind> {
        match self.class(pid)? {
            NativeClass::Observe => {
                let p = self.system.table().by_pid(handle(pid))?;
                match only_reports(p, &self.system) {
                    Some(decides) => decides.then_some(Blind::Other),
                    None => self.system.is_blind(pid),
                }
            }
            NativeClass::Drop => self.system.is_blind(pid),
            NativeClass::Access => self.system.is_blind(pid).filter(|blind| *blind == Blind::Lists),
            _ => None,
        }
    }

    /// The class of the native that a process stands before.
    pub fn class(&self, pid: Pid) -> Option<NativeClass> {
        let p = self.system.table().by_pid(handle(pid))?;
        match p.label {
            Some(Label::Native(id)) => Some(self.system.program.native(id).class),
            _ => None,
        }
    }

    /// Where the first one that stands before a step is.
    pub fn place_of_first(&self) -> String {
        self.steps.first().map_or_else(String::new, |pid| self.place_of(*pid))
    }

    /// The processes for which exit signals wait.
    pub fn with_exits(&self) -> Vec<Pid> {
        let all = self.system.table().with_exits();
        all.iter().map(|p| system::ids::to_log(p.pid)).collect()
    }

    /// The program.
    pub fn program(&self) -> &vm::Program {
        &self.system.program
    }

    /// Where in the program a process is.
    pub fn place_of(&self, pid: Pid) -> String {
        let p = self.system.table().by_pid(handle(pid));
        let here = p.and_then(|p| watch::here(&p.machine, &self.system.program));
        here.map_or_else(String::new, |place| format!("{}:{}", place.file, place.line))
    }

    /// Is it a file of the program, and not of the library?
    pub fn owns(&self, file: &str) -> bool {
        self.session.sources().owns(file)
    }

    /// Where in the program a process is, and in which function.
    pub fn stands_at(&self, pid: Pid) -> (String, String) {
        let p = self.system.table().by_pid(handle(pid));
        let here = p.and_then(|p| watch::here(&p.machine, &self.system.program));
        here.map_or_else(Default::default, |here| {
            (format!("{}:{}", here.file, here.line), here.function.to_string())
        })
    }

    /// At the point where a search begins, processes have passed some places where breakpoints are.
    pub fn pass(&mut self, point: &UniversePoint) {
        self.stands.retain(|stand| {
            let own = point.deeds.iter().filter(|deed| deed.pid == stand.pid).count();
            let passed = |one: &Passed| one.pid == stand.pid && one.events == own && one.steps >= stand.steps;
            !point.passed.iter().any(passed)
        });
    }

    /// Was a timer set that sends to a name?
    pub const fn has_named(&self) -> bool {
        self.system.observer.named
    }

    /// Where the last step got a time or a number.
    pub const fn take_drew(&mut self) -> Option<String> {
        self.system.observer.drew.take()
    }

    /// Has something been done that this search does not explore?
    pub fn is_beyond(&self) -> bool {
        self.system.observer.beyond
    }

    /// Finds out what all processes do next.
    pub fn settle(&mut self) {
        self.meet_lines();
        while let Some(pid) = self.unknown.pop() {
            if self.system.table().by_pid(handle(pid)).is_none() {
                continue;
            }
            let mut label = self.system.look_ahead(pid, PATIENCE);
            while self.meet_lines() {
                label = self.system.look_ahead(pid, PATIENCE);
            }
            match label {
                Some(Label::Receive(timeout)) => self.waits_at(pid, timeout),
                _ => {
                    let list = match self.system.halts_next(pid) {
                        true => &mut self.halting,
                        false => &mut self.steps,
                    };
                    if let Err(place) = list.binary_search(&pid) {
                        list.insert(place, pid);
                    }
                }
            }
        }
    }

    /// Where a process stands now, it meets these breakpoints on lines. False: it does not stand at one.
    fn meet_lines(&mut self) -> bool {
        let observer = &mut self.system.observer;
        let Some(stops) = observer.stops.clone().filter(|_| !observer.stands.is_empty()) else {
            return false;
        };
        for stand in std::mem::take(&mut observer.stands) {
            let Some(p) = self.system.table().by_pid(handle(stand.pid)) else {
                continue;
            };
            let who = StoppedProcess {
                pid: stand.pid,
                machine: &p.machine,
                program: &self.system.program,
                world: &self.system,
            };
            let is_known = |one: &Stand| (one.pid, one.steps) == (stand.pid, stand.steps);
            if !self.stands.iter().any(is_known) && stops.is_met_by(stand.breakpoint, &who) {
                self.stands.push(stand);
            }
        }
        true
    }

    fn waits_at(&mut self, pid: Pid, timeout: Timeout) {
        let after = match timeout {
            Timeout::Millis(ms) => Some(ms),
            Timeout::Infinity => None,
        };
        let is_idle = |p: &Process| p.pool.is_empty() && after.is_none();
        if self.system.table().by_pid(handle(pid)).is_none_or(is_idle) {
            return;
        }
        let Some(machine) = self.system.machine_of(pid) else {
            return;
        };
        let Some(p) = self.system.table().by_pid(handle(pid)) else {
            return;
        };
        let takes = |tag: &Tag| {
            let message = self.system.welcome(p, *tag);
            message.is_some_and(|message| self.system.would_take(&machine, message))
        };
        let mut matching: Vec<Tag> = p.pool.tags().filter(takes).collect();
        // What had perhaps come before it was not accepted any more.
        let before = self.system.accepted_before(pid).into_iter();
        matching.extend(
            before
                .filter(|(_, message)| self.system.would_take(&machine, message.clone()))
                .map(|(tag, _)| tag),
        );
        matching.sort_unstable();
        matching.dedup();
        let deadly = self.system.deadly(pid);
        self.put_wait(WaitingReceive {
            pid,
            after,
            machine: Arc::new(machine),
            matching,
            deadly,
            first: FoundChoices::default(),
        });
    }

    fn put_wait(&mut self, wait: WaitingReceive) {
        self.remove_wait(wait.pid);
        if wait.is_armed()
            && let Err(at) = self.waits.binary_search_by_key(&wait.pid, |one| one.pid)
        {
            self.unordered.push(wait.pid);
            self.waits.insert(at, Arc::new(wait));
        }
    }

    fn remove_wait(&mut self, pid: Pid) {
        if let Ok(at) = self.waits.binary_search_by_key(&pid, |one| one.pid) {
            let wait = self.waits.remove(at);
            if let Some(first) = wait.first.0.get() {
                self.order.remove(first);
            }
        }
    }

    /// The wait that can end first, of those after one. `find` says when one that has changed can.
    pub fn next_wait(
        &mut self,
        after: Option<First>,
        mut find: impl FnMut(&WaitingReceive) -> (u64, bool),
    ) -> Option<(First, Arc<WaitingReceive>)> {
        for pid in std::mem::take(&mut self.unordered) {
            if let Some(wait) = self.wait_of(pid) {
                let first = wait.first.0.get_or_init(|| {
                    let (at, times_out) = find(wait);
                    (at, times_out, pid)
                });
                let first = *first;
                self.order.insert(first);
            }
        }
        let next = match after {
            Some(after) => self.order.range((Excluded(after), Unbounded)).next(),
            None => self.order.first(),
        };
        let first = *next?;
        Some((first, Arc::clone(self.wait_of(first.2)?)))
    }

    /// The receive that a process waits in, if it could do something.
    pub fn wait_of(&self, pid: Pid) -> Option<&Arc<WaitingReceive>> {
        let at = self.waits.binary_search_by_key(&pid, |one| one.pid).ok()?;
        self.waits.get(at)
    }

    /// A signal was sent to a process.
    fn was_sent(&mut self, sent: &SentSignal) {
        let Some(p) = self.system.table().by_pid(handle(sent.to)) else {
            return;
        };
        let Some(Label::Receive(timeout)) = p.label else { return };
        if self.stuck.contains(&sent.to) {
            return;
        }
        let mut wait = match self.wait_of(sent.to) {
            Some(known) => WaitingReceive::clone(known),
            None => {
                // It is in the pool.
                self.waits_at(sent.to, timeout);
                return;
            }
        };
        let message = match sent.is_fickle() && has_turned(p) {
            true => Some(sent.message.clone()),
            false => self.system.welcome(p, sent.tag),
        };
        let takes = message.is_some_and(|message| self.system.would_take(&wait.machine, message));
        if takes && let Err(at) = wait.matching.binary_search(&sent.tag) {
            wait.matching.insert(at, sent.tag);
        }
        if sent.exit {
            wait.deadly = self.system.deadly(sent.to);
        }
        if takes || sent.exit {
            self.put_wait(wait);
        }
    }

    /// The message of a timer was taken back.
    fn was_cancelled(&mut self, tag: Tag) {
        let has = |wait: &&Arc<WaitingReceive>| wait.matching.contains(&tag);
        if let Some(mut wait) = self.waits.iter().find(has).map(|wait| WaitingReceive::clone(wait)) {
            wait.matching.retain(|one| *one != tag);
            self.put_wait(wait);
        }
    }

    /// Lets a process make this choice. `arrived`: signals to others that it knows to have been sent.
    /// `drawn`: the time or the number that it gets, if it has got one before.
    pub fn go(
        &mut self,
        choice: Choice,
        moment: Moment,
        arrived: FxHashSet<(Pid, Tag)>,
        drawn: Option<&Action>,
    ) -> Result<Option<DoneStep>, Error> {
        let pid = moment.pid;
        // Nothing was sent to it: a timeout is nothing there.
        if choice == Choice::Timeout && self.wait_of(pid).is_none() {
            return Ok(None);
        }
        let before = self.system.table().actions(handle(pid));
        let waits_for_ever = self.wait_of(pid).is_some_and(|wait| wait.after.is_none());
        for list in [&mut self.steps, &mut self.halting] {
            if let Ok(at) = list.binary_search(&pid) {
                list.remove(at);
            }
        }
        self.remove_wait(pid);
        let follows = |system: &mut System<BranchWatch>, action: Action| {
            system.instruct(pid, action);
            system.run();
            match system.table().actions(handle(pid)) > before {
                true => Drove::Acted,
                false => Drove::Refused,
            }
        };
        let (asks, adds) = (self.asks(pid), self.adds(pid));
        self.system.observer.input = self.input(pid);
        let linked = self.links(pid).filter(|_| choice == Choice::Step);
        if choice == Choice::Timeout && waits_for_ever {
            self.stuck.push(pid);
            return Ok(Some(DoneStep::default()));
        }
        if choice == Choice::Step
            && let Some(traps) = self.system.let_trap(pid)
        {
            self.tired = 0;
            self.stands.retain(|stand| stand.pid != pid);
            self.unknown.push(pid);
            return Ok(Some(self.done(Some(traps))));
        }
        self.system.stand_in(moment);
        let drove = match (choice, drawn) {
            (Choice::Step, Some(drawn)) => follows(&mut self.system, drawn.clone()),
            (Choice::Step | Choice::Arrived(_), _) => {
                self.system.let_arrive_before_step(arrived);
                self.system.drive(pid, PATIENCE)
            }
            (Choice::Signal(tag), _) => self.system.end_by(pid, tag),
            (Choice::Message(tag), _) => follows(&mut self.system, Action::new(Kind::Rec(tag))),
            (Choice::Timeout, _) => follows(&mut self.system, Action::new(Kind::After)),
            (Choice::Pick(number), _) => follows(&mut self.system, picks(number)),
        };
        if let Some(divergence) = self.system.divergence.take() {
            return Err(self.session.diverged(divergence));
        }
        let observer = &mut self.system.observer;
        // The timer sends to a name, which is read when it fires.
        observer.named |= observer.timer.take().is_some();
        let mut done = std::mem::take(&mut observer.done);
        done.asks = asks;
        done.adds = adds;
        match drove {
            Drove::Acted => {}
            Drove::Running => {
                self.unknown.push(pid);
                self.settle();
                self.tired += 1;
                return Ok(None);
            }
            // An exit signal has come in between.
            Drove::Waits(_) | Drove::Refused => return Ok(Some(DoneStep::default())),
        }
        self.tired = 0;
        self.stands.retain(|stand| stand.pid != pid);
        if let Some((_, action)) = done.actions.first()
            && let Some(child) = action.kind.spawned()
        {
            self.unknown.push(child);
        }
        self.unknown.push(pid);
        for sent in &done.sent {
            self.was_sent(sent);
        }
        if let Some((
            _,
            Action {
                kind: Kind::Drop { tag: Some(tag), .. },
                ..
            },
        )) = done.actions.first()
        {
            self.was_cancelled(*tag);
        }
        Ok(Some(DoneStep {
            linked,
            closes_after: self.done(None).closes_after,
            ..done
        }))
    }

    /// Finds out what comes next, and what happens on the way.
    fn done(&mut self, traps: Option<bool>) -> DoneStep {
        self.settle();
        let after = std::mem::take(&mut self.system.observer.done);
        DoneStep {
            traps,
            closes_after: after.closes,
            ..DoneStep::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use log_format::Trace;
    use session::record::Text;

    /// Processes that sleep for different times: which of them wakes up first is kept, and not looked for among all of them each time.
    #[test]
    fn the_first_wait_is_not_looked_for_among_all() {
        const SLEEPERS: u64 = 300;
        let text = Text {
            path: "m.erl".to_owned(),
            source: format!(
                "-module(m).\n-export([main/0]).\n\
                 main() -> [spawn(fun() -> receive after 10 * I -> ok end end) || I <- lists:seq(1, {SLEEPERS})], ok.\n"
            )
            .into_bytes()
            .into(),
            release: Default::default(),
        };
        let bytes = text.blank().expect("a program");
        let session = Session::of(Arc::new(Trace::from_bytes(bytes).expect("a trace"))).expect("a session");
        let mut state = State::new(&session, None).expect("a start");
        state.settle();
        let (mut looks, mut woken) = (0, Vec::new());
        loop {
            let next = match state.steps.first() {
                Some(pid) => Some((*pid, Choice::Step)),
                None => {
                    let first = state.next_wait(None, |wait| {
                        looks += 1;
                        (wait.after.unwrap_or(0), true)
                    });
                    first.map(|(_, wait)| (wait.pid, Choice::Timeout))
                }
            };
            let Some((pid, choice)) = next else { break };
            if choice == Choice::Timeout {
                woken.push(pid);
            }
            let moment = Moment {
                pid,
                ..Moment::default()
            };
            state.go(choice, moment, FxHashSet::default(), None).expect("a step");
        }
        assert_eq!(woken.len() as u64, SLEEPERS);
        assert!(woken.is_sorted(), "they wake up in the order of their times");
        assert!(looks <= 2 * SLEEPERS, "{looks} looks for {SLEEPERS} who wait");
    }
}

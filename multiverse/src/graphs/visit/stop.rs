//! Breakpoints: a process that meets one does not go on, and neither does what depends on it. So the search explores the program as it is up to
//! there: what comes before is the same as without breakpoints. And the point at which a search begins, which it does not take back.

use std::sync::Arc;

use log_format::{Kind, Pid, Resource, Tag};
use session::Error;
use session::player::free::Choice;
use session::player::handle;
use session::watch;
use system::process::Label;

use super::super::event::{EventUse, GraphEvent, Met, Stop, Who, is_group};
use super::super::stands::Stand;
use super::super::state::{DoneStep, State};
use super::{FoundUniverse, Graphs};
use crate::debugger::{Chosen, Deed, Passed, Paused, UniversePoint};
use crate::identity::Name;
use crate::stops::{At, Doing, StoppedProcess, text};

/// Why a process does not go on.
pub(super) enum Stopped {
    /// It meets a breakpoint with its last event, or depends on such an event.
    Event,
    /// It stands at a line.
    Line(Stand),
    /// It has come to a receive, which meets this breakpoint.
    Waits(usize),
}

/// What is known of a step before it is done.
pub(super) struct Ahead {
    place: String,
    function: String,
    /// The breakpoints that its process fulfils.
    of: Vec<usize>,
}

impl Graphs {
    /// The state at the point where the search begins. `None`: what led there cannot be repeated here.
    pub(super) fn start(&mut self) -> Result<Option<State>, Error> {
        let mut state = self.root.fork()?;
        let point = Arc::clone(&self.point);
        self.fixes = true;
        for (deed, number) in point.deeds.iter().zip(0..) {
            if self.performs(&mut state, deed, number < point.kept)?.is_none() {
                self.told.beyond = true;
                return Ok(None);
            }
        }
        self.fixes = false;
        if !self.fits() {
            return Err(misfit());
        }
        state.pass(&point);
        self.keep(&mut state, true)?;
        Ok(Some(state))
    }

    /// Does what was done on the way to the point. `None`: it comes otherwise.
    fn performs(&mut self, state: &mut State, deed: &Deed, kept: bool) -> Result<Option<u32>, Error> {
        let pid = deed.pid;
        loop {
            // That a process begins to trap exits, or ceases to, is a step here, and in no log.
            let first = deed.acts && state.steps.binary_search(&pid).is_ok();
            let choice = match deed.choice {
                Choice::Message(_) | Choice::Timeout if first => Choice::Step,
                choice => choice,
            };
            if choice == Choice::Step {
                self.drawn.clone_from(&deed.drawn);
            }
            let Some(at) = self.go(state, pid, choice, None, None)? else {
                return Ok(None);
            };
            self.branch.fix(kept);
            if self.told.beyond {
                return Ok(None);
            }
            let acted = self.branch.event(at).actions.first().map(|action| action.kind.word());
            match (deed.acts, acted) {
                (true, None) => {}
                (false, None) => return Ok(Some(at)),
                (_, Some(acted)) => {
                    let same = deed.acts && deed.word.is_none_or(|word| word == acted);
                    return Ok(same.then_some(at));
                }
            }
        }
    }

    /// Which breakpoints can the next event of a process meet?
    pub(super) fn foresee(&self, state: &State, step: &Who) -> Option<Ahead> {
        let stops = self.stops.as_ref().filter(|_| !self.fixes)?;
        let p = state.system.table().by_pid(handle(step.pid))?;
        let who = StoppedProcess {
            pid: step.pid,
            machine: &p.machine,
            program: &state.system.program,
            world: &state.system,
        };
        let can = |at: &At| match (at, step.choice) {
            (At::Action, _) => true,
            (At::Receive, choice) => matches!(choice, Choice::Message(_)),
            (At::Timeout, choice) => choice == Choice::Timeout,
            (At::Send, choice) => matches!(choice, Choice::Step | Choice::Arrived(_)),
            (At::Exit, choice) => !matches!(choice, Choice::Message(_) | Choice::Timeout),
            (At::Line { .. } | At::Waits { .. }, _) => false,
        };
        let kinds = stops.kinds().iter().zip(0..).filter(|(at, _)| can(at));
        let of: Vec<usize> = kinds
            .map(|(_, number)| number)
            .filter(|number| stops.is_met_by(*number, &who))
            .collect();
        if of.is_empty() {
            return None;
        }
        let here = watch::here(&p.machine, &state.system.program);
        let (place, function) = here.map_or_else(Default::default, |here| {
            (format!("{}:{}", here.file, here.line), here.function.to_string())
        });
        Some(Ahead { place, function, of })
    }

    /// The breakpoint that an event meets, now that it is known what it does.
    pub(super) fn meets(&self, state: &State, step: &Who, done: &DoneStep, ahead: &Ahead) -> Option<Arc<Met>> {
        let first = done.actions.first().map(|(_, action)| &action.kind);
        // It may also end itself.
        let end = done.actions.iter().skip(1).find(|(_, action)| action.is_end());
        let first = self.meets_with(state, step, (done, first), ahead);
        first.or_else(|| self.meets_with(state, step, (done, Some(&end?.1.kind)), ahead))
    }

    /// The same, of one of its actions.
    fn meets_with(
        &self,
        state: &State,
        step: &Who,
        (done, kind): (&DoneStep, Option<&Kind>),
        ahead: &Ahead,
    ) -> Option<Arc<Met>> {
        let stops = self.stops.as_ref()?;
        let program = &state.system.program;
        let (doing, message, peer) = match (step.choice, kind) {
            (Choice::Message(tag), _) => {
                let mail = self.branch.mail_of(tag)?;
                let sent = self.branch.sent(mail);
                let doing = Doing::Receive {
                    from: tag.sender(),
                    message: text(&sent.message, program),
                    tag,
                };
                (doing, Some(&sent.message), tag.sender())
            }
            (Choice::Timeout, Some(_)) => (Doing::Timeout, None, None),
            (_, Some(Kind::Send)) => {
                let (to, message) = done
                    .told
                    .as_ref()
                    .map_or((None, None), |(to, message)| (*to, Some(message)));
                let doing = Doing::Send {
                    to,
                    message: message.map_or_else(String::new, |message| text(message, program)),
                    tag: done.sent.first().map(|sent| sent.tag),
                };
                (doing, message, to)
            }
            (_, Some(Kind::Exit { .. } | Kind::Signal { .. })) => {
                let reason = done.ended.as_ref();
                let doing = Doing::Exit {
                    reason: reason.map_or_else(|| "normal".to_owned(), |reason| text(reason, program)),
                };
                (doing, reason, None)
            }
            (Choice::Arrived(tag), Some(kind)) => {
                let from = tag.sender().map_or_else(String::new, |pid| format!(" from {pid}"));
                (
                    Doing::Other(format!("{}, too late: it has come{from}", kind.word())),
                    None,
                    None,
                )
            }
            (_, Some(kind)) => (Doing::Other(kind.word().to_owned()), None, None),
            (_, None) => return None,
        };
        let message = message.map(|message| message.own(program.literals()));
        let is_about = |number: &usize| {
            let fits = matches!(
                (&stops.kinds()[*number], &doing),
                (At::Action, _)
                    | (At::Receive, Doing::Receive { .. })
                    | (At::Timeout, Doing::Timeout)
                    | (At::Send, Doing::Send { .. })
                    | (At::Exit, Doing::Exit { .. })
            );
            fits && stops.is_about(*number, message.as_ref(), peer, &state.system)
        };
        let breakpoint = ahead.of.iter().copied().find(is_about)?;
        Some(Arc::new(Met {
            breakpoint,
            place: ahead.place.clone(),
            function: ahead.function.clone(),
            doing,
        }))
    }

    /// Does a use of the next event come after what stops at a breakpoint?
    pub(super) fn follows_stop(&self, one: &EventUse) -> bool {
        let next = self.branch.len();
        let mut before = self.branch.uses_before(one, next, 0);
        before.any(|at| self.branch.event(at).stop.is_some())
    }

    /// Does a process not go on?
    pub(super) fn has_stopped(&mut self, state: &State, pid: Pid) -> bool {
        self.stop_of(state, pid).is_some()
    }

    fn stop_of(&mut self, state: &State, pid: Pid) -> Option<Stopped> {
        self.stops.as_ref()?;
        let place = self.branch.place(pid);
        let last = self.branch.last(place);
        if last.is_some_and(|at| self.branch.event(at).stop.is_some()) {
            return Some(Stopped::Event);
        }
        let stand = state.stands.iter().find(|stand| stand.pid == pid);
        if let Some(stand) = stand {
            return Some(Stopped::Line(stand.clone()));
        }
        self.waits_at(state, pid).map(Stopped::Waits)
    }

    /// The breakpoint that a process meets because it has come to a receive.
    fn waits_at(&mut self, state: &State, pid: Pid) -> Option<usize> {
        let stops = Arc::clone(self.stops.as_ref()?);
        let waits = |at: &At| matches!(at, At::Waits { .. });
        if !stops.kinds().iter().any(waits) {
            return None;
        }
        let p = state.system.table().by_pid(handle(pid))?;
        if !matches!(p.label, Some(Label::Receive(_))) {
            return None;
        }
        let place = self.branch.place(pid);
        let own = self.branch.of(place);
        let last = own
            .iter()
            .rev()
            .map(|at| self.branch.event(*at))
            .find(|event| event.is_receive());
        let met = stops.kinds().iter().zip(0..).find(|(at, number)| {
            let At::Waits { since, after } = at else { return false };
            let goes_on = own.len() as u64 > *since;
            let took = after.is_none_or(|tag| last.is_some_and(|event| event.consumed() == Some(tag)));
            goes_on && took && stops.is_of(*number, pid, &state.system)
        });
        met.map(|(_, number)| number)
    }

    /// The processes that have stopped at breakpoints, or because of that.
    pub(super) fn stopped(&mut self, state: &State) -> Vec<(Pid, Stopped)> {
        if self.stops.is_none() {
            return Vec::new();
        }
        let living = state.system.table().pids().into_iter().map(system::ids::to_log);
        let mut all = Vec::new();
        for pid in living {
            all.extend(self.stop_of(state, pid).map(|why| (pid, why)));
        }
        let mut ended: Vec<Pid> = Vec::new();
        for node in &self.branch.path {
            let pid = node.event.pid;
            if node.event.stop.is_some() && !ended.contains(&pid) && all.iter().all(|(one, _)| *one != pid) {
                ended.push(pid);
            }
        }
        all.extend(ended.into_iter().map(|pid| (pid, Stopped::Event)));
        all
    }

    /// Would a process halt the run next?
    pub(super) fn halts_now(&mut self, state: &State) -> bool {
        !self.who_halts(state).is_empty()
    }

    /// The processes that would halt the run next.
    pub(super) fn who_halts(&mut self, state: &State) -> Vec<Pid> {
        let mut all = state.halting.clone();
        all.retain(|pid| !self.has_stopped(state, *pid));
        all
    }

    /// Does a process stand before a step that it cannot do?
    pub(super) fn is_stuck(&mut self, state: &State) -> bool {
        state.steps.iter().any(|pid| !self.has_stopped(state, *pid))
    }

    /// Is there an exit signal that ends a process?
    pub(super) fn dies(&mut self, state: &State) -> bool {
        let with = state.with_exits().into_iter();
        with.filter(|pid| !state.system.deadly(*pid).is_empty())
            .any(|pid| !self.has_stopped(state, pid))
    }
}

impl FoundUniverse<'_> {
    /// Where it has stopped: at each breakpoint that is met first. What came before is all that the process depends on there.
    pub fn paused(&self, from: &UniversePoint) -> Vec<Paused> {
        let names = self.names();
        let mut all = Vec::new();
        for (node, at) in self.branch.path.iter().zip(0_u32..) {
            let event = &node.event;
            let Some(Stop::Before(met)) = &event.stop else { continue };
            let mut needed = self.needed(at);
            needed[at as usize] = false;
            let before = Paused {
                breakpoint: met.breakpoint,
                pid: event.pid,
                place: met.place.clone(),
                function: met.function.clone(),
                doing: met.doing.clone(),
                next: Some(deed(event)),
                ..self.at_cut(&names, &needed, from)
            };
            let name = before.name.then_name(names[at as usize]);
            all.push(Paused { name, ..before });
        }
        for (pid, stand) in &self.stopped {
            // The last thing that it did, or its birth.
            let last = self.branch.known_place(*pid).and_then(|place| self.branch.last(place));
            let needed = last.map_or_else(Vec::new, |last| self.needed(last));
            let (breakpoint, doing, place, steps) = match stand {
                Stopped::Event => continue,
                Stopped::Line(stand) => {
                    let place = (
                        format!("{}:{}", stand.place.file, stand.place.line),
                        stand.place.function.to_string(),
                    );
                    (stand.breakpoint, Doing::Line, place, stand.steps)
                }
                Stopped::Waits(breakpoint) => (*breakpoint, Doing::Waits, self.state.stands_at(*pid), u64::MAX),
            };
            let before = self.at_cut(&names, &needed, from);
            let own = self.branch.path.iter().filter(|node| node.event.pid == *pid);
            all.push(Paused {
                breakpoint,
                pid: *pid,
                place: place.0,
                function: place.1,
                doing,
                name: before.name.then(pid.0).then(steps),
                stands: Some(Passed {
                    pid: *pid,
                    events: own.count(),
                    steps,
                }),
                ..before
            });
        }
        all
    }

    /// What must have happened before the event at this position, by position, and the event itself: what it depends on, and what read before something
    /// that is written. Then nothing else can come in between.
    fn needed(&self, at: u32) -> Vec<bool> {
        let mut needed = vec![false; self.branch.path.len()];
        needed[at as usize] = true;
        for at in (0..=at).rev() {
            if !needed[at as usize] {
                continue;
            }
            let event = self.branch.event(at);
            if let Some(before) = self.branch.before(at) {
                needed[before as usize] = true;
            }
            if let Some(mail) = event.arrived().and_then(|tag| self.branch.mail_of(tag)) {
                needed[mail.by as usize] = true;
            }
            for (one, number) in event.uses.iter().zip(0..) {
                for by in self.branch.uses_before(one, at, number) {
                    needed[by as usize] = true;
                }
            }
        }
        needed
    }

    /// The point after these events and those at the beginning.
    fn at_cut(&self, names: &[Name], needed: &[bool], from: &UniversePoint) -> Paused {
        let nodes = self.branch.path.iter().zip(names).zip(0..);
        let kept: Vec<(&GraphEvent, &Name)> = nodes
            .filter(|((node, _), at)| node.event.is_fixed() || needed.get(*at).copied().unwrap_or(false))
            .map(|((node, name), _)| (&node.event, name))
            .collect();
        let name = kept.iter().fold(Name::of(0), |all, (_, name)| all.and(**name));
        Paused {
            breakpoint: 0,
            pid: Pid(0),
            place: String::new(),
            function: String::new(),
            doing: Doing::Waits,
            next: None,
            stands: None,
            name,
            is_timed: kept.iter().any(|(event, _)| event.waits() > 0),
            choices: kept.iter().filter_map(|(event, _)| self.chose(event)).collect(),
            point: UniversePoint {
                deeds: kept.iter().map(|(event, _)| deed(event)).collect(),
                passed: from.passed.clone(),
                kept: from.kept,
            },
        }
    }

    /// What an event chose, for people. `None`: there was nothing to choose.
    fn chose(&self, event: &GraphEvent) -> Option<Chosen> {
        let program = &self.state.system.program;
        let from = |tag: Tag| match tag.sender() {
            Some(pid) => format!(" from {pid}"),
            None => String::new(),
        };
        let mut what = match event.choice {
            Choice::Message(tag) => {
                let mail = self.branch.mail_of(tag)?;
                let message = text(&self.branch.sent(mail).message, program);
                format!("received {message}{}", from(tag))
            }
            Choice::Timeout if event.is_stuck() => return None,
            Choice::Timeout => "timed out".to_owned(),
            Choice::Signal(tag) => format!("was ended by an exit signal{}", from(tag)),
            Choice::Arrived(tag) => format!("gave up too late what had come{}", from(tag)),
            Choice::Pick(which) => format!("chose element {}", which + 1),
            Choice::Step => {
                // The process that it makes is its own.
                if event.spawned().is_some() {
                    return None;
                }
                let one = event.uses.iter().find(|one| self.is_shared(event, one))?;
                let writer = one.read.source.or(one.read.seen.last().map(|(_, uid)| *uid));
                let writer = writer.and_then(|uid| self.branch.find(uid));
                let writer = writer.map(|at| self.branch.event(at).pid);
                // What nobody wrote, and what it wrote itself, says nothing.
                let writer = writer.filter(|writer| *writer != event.pid);
                let what = shared(one.resource());
                let verb = if one.writes { "changed" } else { "looked at" };
                match writer {
                    Some(writer) => format!("{verb} {what} after {writer} had changed it"),
                    None => format!("{verb} {what} before another process changed it"),
                }
            }
        };
        if let Some(machine) = &event.machine
            && let Some(place) = watch::here(machine, program)
            && self.state.owns(&place.file)
        {
            what.push_str(&format!(", {}:{}", place.file, place.line));
        }
        Some(Chosen {
            pid: event.pid,
            number: event.number,
            what,
        })
    }

    /// Do others use it too, so that there is an order?
    fn is_shared(&self, event: &GraphEvent, one: &EventUse) -> bool {
        let others = self.branch.uses(one.resource()).iter();
        let mut others = others.filter(|used| self.branch.event(used.by).pid != event.pid);
        others.any(|used| one.conflicts(used.writes, used.scans))
    }

    /// A name for this universe, whatever order its events were made in.
    pub fn name(&self) -> Name {
        let names = self.names();
        let nodes = self.branch.path.iter().zip(names);
        let acts = nodes.filter(|(node, _)| !node.event.actions.is_empty());
        acts.fold(Name::of(0), |all, (_, name)| all.and(name))
    }

    /// A name for each event, which says what it did and all that it depends on.
    fn names(&self) -> Vec<Name> {
        let mut names: Vec<Name> = Vec::with_capacity(self.branch.path.len());
        for (node, at) in self.branch.path.iter().zip(0..) {
            let event = &node.event;
            let mut name = Name::of(event.pid.0).then(u64::from(event.number));
            if let Some(before) = self.branch.before(at) {
                name = name.then_name(names[before as usize]);
            }
            name = name.then(match event.choice {
                Choice::Step => 0,
                Choice::Message(_) => 1,
                Choice::Timeout => 2,
                Choice::Signal(_) => 3,
                Choice::Arrived(_) => 4,
                Choice::Pick(which) => 5 + which as u64,
            });
            if let Some(mail) = event.arrived().and_then(|tag| self.branch.mail_of(tag)) {
                name = name.then_name(names[mail.by as usize]).then(u64::from(mail.at));
            }
            for one in &event.uses {
                if is_group(one.resource()) {
                    let seen = one.read.seen.iter().filter_map(|(_, uid)| self.branch.find(*uid));
                    let seen = seen.filter_map(|at| names.get(at as usize));
                    name = name.then_name(seen.fold(Name::of(2), |all, name| all.and(*name)));
                    continue;
                }
                let source = one.read.source.and_then(|uid| self.branch.find(uid));
                name = match source.and_then(|at| names.get(at as usize)) {
                    Some(source) => name.then_name(*source),
                    None => name.then(1),
                };
            }
            names.push(name);
        }
        names
    }
}

/// What led to a point does not fit the bounds.
pub(crate) fn misfit() -> Error {
    Error::Usage(
        "what happened up to that point is outside of the bounds: it needs a longer stall than --max-stall allows, or --delivery free".to_owned(),
    )
}

fn deed(event: &GraphEvent) -> Deed {
    Deed {
        pid: event.pid,
        choice: event.choice,
        acts: !event.actions.is_empty(),
        word: None,
        drawn: event.drawn().cloned(),
    }
}

/// A word for something shared.
fn shared(resource: Resource) -> String {
    match resource {
        Resource::Name(_) => "a name".to_owned(),
        Resource::Alive(pid) => format!("the life of {pid}"),
        Resource::Table(_) => "a table".to_owned(),
        Resource::TableKey { .. } => "a key of a table".to_owned(),
        Resource::TableContents(_) => "the contents of a table".to_owned(),
        Resource::Persistent(_) => "a persistent term".to_owned(),
        Resource::Env(_) => "a setting".to_owned(),
        Resource::Counter { .. } => "a counter".to_owned(),
        _ => "something shared".to_owned(),
    }
}

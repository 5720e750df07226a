//! The run as a diagnosis sees it: what each process did, with the terms that a replay saw. Also what is no cause: what did not happen has none.

use std::cell::RefCell;

use log_format::{Access, ActionId, LogStep, Pid, Resource, Tag, Trace};
use rustc_hash::{FxHashMap, FxHashSet};

use super::log::Log;
use crate::scene::Scene;
use session::content::Speech;
use session::value::Value;
use session::view::Purpose;
use session::view::SourcePlace;
use session::watch::{CaughtException, SeenAction, Watcher};
use session::words::{cut, safe};
use system::System;

/// Characters of a line of source in a sentence.
const LINE: usize = 60;
/// Characters of a term in a sentence.
pub(super) const CHARS: usize = 48;

/// What a process did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Does {
    /// It created another one.
    Spawn(Pid),
    /// It sent a signal.
    Send(Tag),
    /// It received a message, sent with this action.
    Got(Tag, Option<ActionId>),
    /// A receive timed out.
    Timeout,
    /// It wanted to take a signal back, and there was none.
    DroppedNothing,
    /// It ended by itself; did it fail?
    Ended { failed: bool },
    /// An exit signal ended it, sent with this action.
    EndedBy(Tag, Option<ActionId>),
    /// Anything else.
    Other,
}

/// An action.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub(crate) number: u64,
    pub(crate) does: Does,
    pub(crate) accesses: Vec<Access>,
}

/// A process, with its last actions.
#[derive(Clone, Debug)]
pub(crate) struct Process {
    pub(crate) pid: Pid,
    /// The action that created it.
    pub(crate) parent: Option<ActionId>,
    pub(crate) steps: Vec<Step>,
    /// Where it waits for ever: `file:line:column`.
    pub(crate) waits: Option<String>,
    /// The first of its actions that came of the failure; `u64::MAX`: none did.
    pub(super) effects: u64,
}

impl Process {
    /// Is all known that it did?
    fn is_whole(&self) -> bool {
        self.steps.first().is_none_or(|step| step.number == 1)
    }
}

/// The run, and what a replay saw of it.
pub(crate) struct Run<'a> {
    pub(crate) scene: &'a Scene<'a>,
    processes: Vec<Process>,
    by_pid: FxHashMap<Pid, usize>,
    consumed: FxHashMap<Tag, ActionId>,
    /// All that was taken in by processes of which only the last actions are known, once somebody asked.
    taken: RefCell<FxHashMap<Pid, FxHashSet<Tag>>>,
    /// Of those that wait for ever: the exceptions that they caught after their last action.
    late_catches: FxHashMap<Pid, Vec<CaughtException>>,
    /// The names under which processes were registered, also those that have ended.
    names: FxHashMap<Pid, String>,
    /// Actions that were named in words since this was last asked.
    told: RefCell<Vec<ActionId>>,
    /// These, and those that were named without their place, with these names.
    named: RefCell<Vec<(ActionId, String)>>,
}

impl<'a> Run<'a> {
    pub(crate) fn new(log: Log, scene: &'a Scene<'a>, system: &System<Watcher>) -> Self {
        let Log { mut processes, leaders } = log;
        // What a test prints is sent to its group leader.
        let prints = |id: &ActionId| {
            let seen = scene.seen.get(id).and_then(|seen| seen.peer);
            seen.is_some_and(|peer| leaders.contains(&peer))
        };
        for process in &mut processes {
            for step in &mut process.steps {
                if matches!(step.does, Does::Send(_)) && prints(&ActionId::new(process.pid, step.number)) {
                    step.does = Does::Other;
                }
            }
        }
        let by_pid = processes.iter().enumerate().map(|(i, one)| (one.pid, i)).collect();
        let mut consumed = FxHashMap::default();
        for process in &processes {
            for step in &process.steps {
                if let Does::Got(tag, _) | Does::EndedBy(tag, _) = step.does {
                    consumed.insert(tag, ActionId::new(process.pid, step.number));
                }
            }
        }
        let names = registered(scene.trace, &processes);
        let late_catches = late_catches(scene, system, &processes);
        Self {
            scene,
            processes,
            by_pid,
            consumed,
            taken: RefCell::default(),
            names,
            late_catches,
            told: RefCell::default(),
            named: RefCell::default(),
        }
    }

    /// A place with its line: `pool.erl:19 ({noreply, S})`.
    pub(crate) fn quoted(&self, place: &SourcePlace) -> String {
        match self.scene.line(place) {
            Some(line) => format!("{} ({})", place.short(), session::words::line(&line, LINE)),
            None => place.short(),
        }
    }

    /// Forgets which actions were named.
    pub(crate) fn forget_names(&self) {
        self.told.borrow_mut().clear();
        self.named.borrow_mut().clear();
    }

    /// The actions that were named with their places since they were last forgotten.
    pub(crate) fn placed_actions(&self) -> Vec<ActionId> {
        self.told.borrow().clone()
    }

    /// All actions that were named since they were last forgotten, but for those of sentences that were given up for this one.
    pub(crate) fn named_in(&self, sentence: &str) -> Vec<ActionId> {
        let named = self.named.borrow();
        let kept = named.iter().filter(|(_, name)| sentence.contains(name.as_str()));
        kept.map(|(id, _)| *id).collect()
    }

    /// The name under which a process was registered.
    pub(crate) fn name(&self, pid: Pid) -> Option<&str> {
        self.names.get(&pid).map(String::as_str)
    }

    pub(crate) fn processes(&self) -> &[Process] {
        &self.processes
    }

    pub(crate) fn process(&self, pid: Pid) -> Option<&Process> {
        Some(&self.processes[*self.by_pid.get(&pid)?])
    }

    /// What a process did, in order.
    pub(crate) fn steps(&self, pid: Pid) -> &[Step] {
        self.process(pid).map_or(&[], |process| &process.steps)
    }

    /// Did the failure lead to this action?
    pub(crate) fn is_effect(&self, id: ActionId) -> bool {
        self.process(id.pid)
            .is_some_and(|process| process.effects <= id.number.0)
    }

    /// The exceptions that a process caught between this action and the one before.
    pub(crate) fn catches(&self, id: ActionId) -> &[CaughtException] {
        self.seen(id).map_or(&[], |seen| &seen.catches)
    }

    /// The exceptions that a process caught before it waited for ever, after its last action.
    pub(crate) fn last_catches(&self, pid: Pid) -> &[CaughtException] {
        self.late_catches.get(&pid).map_or(&[], Vec::as_slice)
    }

    /// Has a process received anything that this other one had sent?
    pub(crate) fn has_heard_of(&self, pid: Pid, other: Pid) -> bool {
        let is_of = |step: &Step| matches!(step.does, Does::Got(_, Some(from)) if from.pid == other);
        self.steps(pid).iter().any(is_of)
    }

    /// What it did before an action.
    pub(crate) fn before(&self, id: ActionId) -> &[Step] {
        let steps = self.steps(id.pid);
        &steps[..steps.partition_point(|step| step.number < id.number.0)]
    }

    /// What it did after an action.
    pub(crate) fn after(&self, id: ActionId) -> &[Step] {
        let steps = self.steps(id.pid);
        &steps[steps.partition_point(|step| step.number <= id.number.0)..]
    }

    /// What a process sent in the turn in which it took a message, and to whom.
    pub(crate) fn sent_in_turn(&self, taken: ActionId) -> impl Iterator<Item = (ActionId, Pid)> {
        let turn = self.after(taken).iter();
        let turn = turn.take_while(|step| !matches!(step.does, Does::Got(..)));
        turn.filter_map(move |step| {
            let id = ActionId::new(taken.pid, step.number);
            Some((id, self.receiver(id)?))
        })
    }

    pub(crate) fn step(&self, id: ActionId) -> Option<&Step> {
        let steps = self.steps(id.pid);
        let at = steps.binary_search_by_key(&id.number.0, |step| step.number).ok()?;
        Some(&steps[at])
    }

    /// The message that a process had received last before an action, and who had sent it.
    pub(crate) fn last_got(&self, id: ActionId) -> Option<(ActionId, ActionId)> {
        let mut steps = self.before(id).iter().rev();
        let got = steps.find_map(|step| match step.does {
            Does::Got(_, from) => Some((step.number, from)),
            _ => None,
        });
        let (number, from) = got?;
        Some((ActionId::new(id.pid, number), from?))
    }

    /// The action that took a signal in.
    pub(crate) fn receipt(&self, tag: Tag) -> Option<ActionId> {
        self.consumed.get(&tag).copied()
    }

    /// Was a signal to this process never taken in? Of a long run, only the last actions of a process are kept: then its log is read.
    pub(crate) fn is_untaken(&self, tag: Tag, by: Pid) -> bool {
        if self.receipt(tag).is_some() {
            return false;
        }
        self.is_whole(by) || {
            let mut taken = self.taken.borrow_mut();
            let taken = taken.entry(by).or_insert_with(|| all_taken(self.scene.trace, by));
            !taken.contains(&tag)
        }
    }

    /// Is all known that a process did?
    pub(crate) fn is_whole(&self, pid: Pid) -> bool {
        self.process(pid).is_none_or(Process::is_whole)
    }

    /// Did an action send something? Of a long run, only the last actions of a process are kept: then its log is read.
    pub(crate) fn is_send(&self, id: ActionId) -> bool {
        match self.step(id) {
            Some(step) => matches!(step.does, Does::Send(_)),
            None => {
                let action = self.scene.trace.action(id.pid, id.number);
                action.is_ok_and(|action| matches!(action.kind, log_format::Kind::Send))
            }
        }
    }

    /// Who had sent what a process received last before an action, also if only its log tells that.
    pub(crate) fn asked_by(&self, id: ActionId) -> Option<ActionId> {
        /// So many actions before it are looked at.
        const TURN: u64 = 64;
        if self.step(id).is_some() {
            return self.last_got(id).map(|(_, from)| from);
        }
        let numbers = (id.number.0.saturating_sub(TURN).max(1)..id.number.0).rev();
        let mut actions = numbers.map_while(|n| self.scene.trace.action(id.pid, log_format::ActionNo(n)).ok());
        let tag = actions.find_map(|action| match action.kind {
            log_format::Kind::Rec(tag) => Some(tag),
            _ => None,
        })?;
        self.scene.trace.find_send(tag).ok().flatten()
    }

    /// The signal that an action sent.
    pub(crate) fn sent(&self, id: ActionId) -> Option<Tag> {
        match self.step(id)?.does {
            Does::Send(tag) => Some(tag),
            _ => None,
        }
    }

    pub(crate) fn seen(&self, id: ActionId) -> Option<&SeenAction> {
        self.scene.seen.get(&id)
    }

    /// What was sent, received, or the reason of an end.
    pub(crate) fn value(&self, id: ActionId) -> Option<&Value> {
        self.seen(id)?.term.as_ref()
    }

    /// To whom something was sent.
    pub(crate) fn receiver(&self, id: ActionId) -> Option<Pid> {
        self.sent(id)?;
        self.seen(id)?.peer
    }

    /// Did the action set a timer?
    pub(crate) fn sets_timer(&self, id: ActionId) -> bool {
        self.seen(id).is_some_and(SeenAction::sets_timer)
    }

    /// The end of a process.
    pub(crate) fn end(&self, pid: Pid) -> Option<&Step> {
        let last = self.steps(pid).last()?;
        matches!(last.does, Does::Ended { .. } | Does::EndedBy(..)).then_some(last)
    }

    /// The place of the program at an action.
    pub(crate) fn place(&self, id: ActionId) -> Option<&SourcePlace> {
        self.scene.own_place(self.seen(id)?)
    }

    /// What a receive that timed out was there for.
    pub(crate) fn purpose(&self, id: ActionId) -> Purpose {
        self.scene.purpose(id.pid, id.number.0)
    }

    /// A process for people, as it was at an action.
    pub(crate) fn who(&self, id: ActionId) -> String {
        self.scene.who(id.pid, Some(id.number.0))
    }

    /// A process for people.
    pub(crate) fn named(&self, pid: Pid) -> String {
        self.scene.who(pid, self.named_at(pid))
    }

    /// The name of a process, if it has one.
    pub(crate) fn called(&self, pid: Pid) -> Option<session::called::ProcessName> {
        self.scene.name_at(pid, self.named_at(pid))
    }

    /// The action at which it was what it is called.
    fn named_at(&self, pid: Pid) -> Option<u64> {
        let steps = self.steps(pid);
        // Where it spoke or listened last it was what it is called.
        let at = steps.iter().rev().find(|step| {
            let id = ActionId::new(pid, step.number);
            !matches!(step.does, Does::Ended { .. } | Does::EndedBy(..)) && self.place(id).is_some()
        });
        at.or(steps.last()).map(|step| step.number)
    }

    /// What an action said, as a noun: `the call get`.
    pub(crate) fn said(&self, id: ActionId) -> String {
        let content = self.seen(id).and_then(|seen| seen.content.as_ref());
        let library = self.scene.in_library(id.pid, id.number.0);
        let speech = content.map_or(Speech::Plain("a message"), |content| content.speech(library));
        let body = cut(speech.body(), CHARS);
        match speech {
            Speech::Call(_) => format!("the call {body}"),
            Speech::Cast(_) => format!("the cast {body}"),
            Speech::Reply(_) => format!("the reply {body}"),
            Speech::Timer(_) => format!("its timer {body}"),
            Speech::Plain(_) => body,
        }
    }

    /// Did it ask for something, as `gen_server:call` does?
    pub(crate) fn asks(&self, id: ActionId) -> bool {
        let content = self.seen(id).and_then(|seen| seen.content.as_ref());
        let library = self.scene.in_library(id.pid, id.number.0);
        content.is_some_and(|content| matches!(content.speech(library), Speech::Call(_)))
    }

    /// Did it receive the reply to a call? A receive that waits for that takes nothing else.
    pub(crate) fn is_reply(&self, id: ActionId) -> bool {
        let content = self.seen(id).and_then(|seen| seen.content.as_ref());
        let library = self.scene.in_library(id.pid, id.number.0);
        content.is_some_and(|content| matches!(content.speech(library), Speech::Reply(_)))
    }

    /// The name of an action, with its place: `[rec:5, pool.erl:12]`.
    pub(crate) fn at(&self, id: ActionId) -> String {
        self.told.borrow_mut().push(id);
        let name = self.placed_name(id);
        self.named.borrow_mut().push((id, name.clone()));
        name
    }

    fn placed_name(&self, id: ActionId) -> String {
        let act = self.scene.act(id.pid, id.number.0).ok().flatten();
        let Some(act) = act else {
            return format!("[{id}]");
        };
        if let Some(place) = &act.place {
            return format!("[{}, {}]", act.target, place.short());
        }
        // Where the library received it, the line that sent it says more.
        let sent = match self.step(id).map(|step| &step.does) {
            Some(Does::Got(_, Some(from))) => self.place(*from),
            _ => None,
        };
        match sent {
            Some(place) => format!("[{}, sent at {}]", act.target, place.short()),
            None => format!("[{}]", act.target),
        }
    }

    /// The name of an action alone.
    pub(crate) fn target(&self, id: ActionId) -> String {
        let act = self.scene.act(id.pid, id.number.0).ok().flatten();
        let target = act.map_or_else(|| id.to_string(), |act| act.target);
        self.named.borrow_mut().push((id, format!("[{target}]")));
        target
    }

    /// Where a process waits for ever, in the program: from where it waits, or from what it did last.
    pub(crate) fn waits_at(&self, pid: Pid) -> Option<Receive> {
        let process = self.process(pid)?;
        let (file, line) = session::view::located(process.waits.as_deref()?)?;
        if self.scene.sources.owns(file) {
            return Some(Receive {
                file: file.to_owned(),
                line,
            });
        }
        let last = process.steps.last()?;
        let place = self.place(ActionId::new(pid, last.number))?;
        Some(Receive {
            file: place.file.clone(),
            line: place.line,
        })
    }

    /// The receive with which a process got a message, or waited in vain. A call of the library is one, too.
    pub(crate) fn receive_of(&self, id: ActionId) -> Option<Receive> {
        let place = self.place(id)?;
        let line = if self.scene.in_library(id.pid, id.number.0) {
            place.line
        } else {
            self.receive_line(place)
        };
        Some(Receive {
            file: place.file.clone(),
            line,
        })
    }

    /// The line of the `receive` that a clause belongs to.
    fn receive_line(&self, place: &SourcePlace) -> u32 {
        let line = place.line;
        const ABOVE: u32 = 40;
        let lines = self.scene.sources.quote_at(place, ABOVE);
        let mut above = lines.iter().filter(|one| one.line <= line).rev();
        above
            .find(|one| session::predicate::has_word(&one.text, "receive", self.scene.terms()))
            .map_or(line, |one| one.line)
    }
}

/// What processes that wait for ever caught after their last action.
fn late_catches(
    scene: &Scene<'_>,
    system: &System<Watcher>,
    processes: &[Process],
) -> FxHashMap<Pid, Vec<CaughtException>> {
    let waiting = processes.iter().filter(|process| process.waits.is_some());
    let late = waiting.filter_map(|process| {
        let last = |step: &Step| {
            let seen = scene.seen.get(&ActionId::new(process.pid, step.number))?;
            Some(seen.catches.last()?.number + 1)
        };
        let from = process.steps.iter().rev().find_map(last).unwrap_or(0);
        let p = system.table().by_pid(interpreter::term::Pid::new(0, process.pid.0))?;
        let caught = session::watch::catches(&p.machine, &system.program, from);
        (!caught.is_empty()).then_some((process.pid, caught))
    });
    late.collect()
}

/// All signals that a process took in, as far as its log can be read.
fn all_taken(trace: &Trace, pid: Pid) -> FxHashSet<Tag> {
    let mut taken = FxHashSet::default();
    let Ok(log) = trace.log(pid) else { return taken };
    let mut log = log.without_values();
    while let Ok(Some(step)) = log.step(u64::MAX) {
        if let LogStep::Action(action) = step {
            taken.extend(action.kind.consumed());
        }
    }
    taken
}

/// The names under which processes were registered, the first of each.
fn registered(trace: &Trace, processes: &[Process]) -> FxHashMap<Pid, String> {
    let mut names = FxHashMap::default();
    for process in processes {
        for step in &process.steps {
            let name = step.accesses.iter().find_map(|access| match access.resource {
                Resource::Name(id) if access.write && access.version.0 % 2 == 1 => Some(id),
                _ => None,
            });
            let Some(Ok(name)) = name.map(|id| trace.text(id)) else {
                continue;
            };
            // To register a process is to see that it lives.
            let holder = step.accesses.iter().find_map(|access| match access.resource {
                Resource::Alive(pid) => Some(pid),
                _ => None,
            });
            let called = || session::called::ProcessName::registered(name).text;
            names.entry(holder.unwrap_or(process.pid)).or_insert_with(called);
        }
    }
    names
}

/// A `receive` of the program, or a call of the library that receives.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Receive {
    file: String,
    line: u32,
}

impl Receive {
    /// Is it at this line?
    pub(crate) fn is_at(&self, file: &str, line: u32) -> bool {
        self.file == file && self.line == line
    }
}

impl std::fmt::Display for Receive {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", safe(session::view::file_name(&self.file)), self.line)
    }
}

/// What sort of message it is: its tag, if it has one, and how many elements.
pub(crate) fn sort_of(value: &Value) -> (Option<&Value>, usize) {
    match value {
        Value::Tuple(elements) => {
            let tag = elements.first().filter(|first| matches!(first, Value::Atom(_)));
            (tag, elements.len())
        }
        Value::Atom(_) => (Some(value), 0),
        _ => (None, 0),
    }
}

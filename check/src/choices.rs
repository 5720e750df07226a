//! The choices of a run, named so that changed code can meet them again: a process by its parent and what it was spawned to run (`kin`), a message
//! by its sender and its place among the messages from that sender to the receiver, any other step by what it calls and whom or what it names.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use causality::{Conflicts, Gravity, Times};
use interpreter::atom::Atom;
use interpreter::heap::{Heap, View};
use interpreter::native::Native;
use interpreter::term::Term;
use interpreter::vm;
use log_format::{ActionId, Cut, Kind, Pid, SendNo, Tag, Trace};
use rustc_hash::FxHashMap;
use system::observer::{Detail, Ending, Event, Observer};

use super::kin::{Id, Kin, Shapes, Spawned};
use super::received::Received;
use session::contents::Contents;
use session::error::Error;

/// A signal to a process, the same in every run in which its sender sent it the same signals before.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Key {
    /// One that this process sent to it.
    Sent(Id, Nth),
    /// The n-th of the other signals that steps of this process made: answers to its own calls, messages of tables and nodes.
    Made(Id, u64),
    /// What the end of this process sent over a link.
    Link(Id),
    /// What the end of this process sent to a monitor, or to the heir of a table.
    Down(Id),
    /// The n-th of the other ones: what the end of this process sent, or a timer of it.
    Other(Option<Id>, u64),
}

/// Which of the messages from one process to another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Nth {
    /// What messages of this kind look like; 0 where they are not told apart.
    pub shape: u64,
    /// The how many-th of this shape, from 1.
    pub n: u64,
}

/// Of the messages from one process to another which of the recorded ones they are; none: it is new.
pub type Alignment = FxHashMap<(Id, Id), Vec<Option<Nth>>>;

/// Numbers from here on are those of messages that the record does not have.
const NEW: u64 = 1 << 32;
/// So many messages on either side are aligned behind those that are the same.
const ALIGNED: usize = 2_000;

/// How messages are named.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Naming {
    /// By their places among all from one process to another: changed code may send the same in other words.
    #[default]
    Place,
    /// By their places among those of one shape: changed code may send more in between.
    Shape,
}

/// What a step calls, and whom or what it names, by a hash.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Call(u64);

/// The end of a process by itself.
pub const END: Call = Call(0);

/// A step of a process that others can have to do with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum What {
    /// Its receive takes this message.
    Rec(Key),
    /// Its receive times out.
    After,
    /// This exit signal ends it.
    Signal(Key),
    /// It calls a native.
    Do(Call),
}

impl What {
    /// Is it a choice of what comes to the process, as against a step of its own?
    #[must_use]
    pub const fn comes(self) -> bool {
        !matches!(self, Self::Do(_))
    }
}

/// What a step of its own is given.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Given {
    /// The value of an input or an observation, as logged.
    Value(Vec<u8>),
    /// The number of a process.
    Pid(Pid),
}

/// A choice with its place in the run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The choice.
    pub what: What,
    /// The action that made it.
    pub action: u64,
    /// Its place in an order in which the run can have happened.
    pub order: u64,
    /// Is it a cause of the failure?
    pub needed: bool,
    /// What it is given.
    pub given: Option<Given>,
}

/// The choices of a run, by process.
pub type Choices = FxHashMap<Id, Vec<Choice>>;

/// How many messages of a shape a process has sent to another one.
pub type Sent = FxHashMap<(Id, Id, u64), u64>;

/// How long timers run, by receiver and message, in milliseconds.
pub type Lengths = FxHashMap<(Id, Key), u64>;

/// An end that is not peaceful.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AbnormalEnd {
    /// Whose.
    pub id: Id,
    /// In that run.
    pub pid: Pid,
    /// Class and reason, without what differs from run to run.
    pub reason: String,
    /// The place.
    pub place: String,
    /// How grave it is.
    pub gravity: Gravity,
    /// What the process was spawned to run: `main/0` for the entry.
    pub does: String,
    /// The entry had ended before.
    pub late: bool,
    /// Another process received the message of a monitor with it.
    pub awaited: bool,
}

/// Listens to a run, and names what happens in it.
#[derive(Default)]
pub struct Listener {
    /// Who is who.
    pub kin: Kin,
    naming: Naming,
    /// Which of the recorded messages those of this run are, as far as another run has shown it.
    pub alignment: Arc<Alignment>,
    /// How messages were named, where that is by their shapes: by sender and receiver.
    named: FxHashMap<(Id, Pid), Vec<Nth>>,
    /// By pid of this run.
    pub ids: FxHashMap<Pid, Id>,
    pids: FxHashMap<Id, Pid>,
    /// What the process that is about to be born was spawned to run.
    spawning: Spawned,
    /// Compares what is received with what the recorder noted.
    pub contents: Contents,
    /// Notes what is received, or compares it with what another run received.
    pub received: Received,
    /// Signals of this run whose receiver is known when they are sent.
    keys: FxHashMap<Tag, (Pid, Key)>,
    sent: FxHashMap<(Id, Pid, u64), u64>,
    others: FxHashMap<(Option<Id>, Pid), u64>,
    others_made: FxHashMap<Id, u64>,
    /// The messages of timers: their tags.
    pub timers: FxHashMap<(Pid, Key), Tag>,
    /// How long these timers run, in milliseconds, where that is a small number.
    pub lengths: FxHashMap<(Pid, Key), u64>,
    /// The steps of each process, with their actions.
    pub made: FxHashMap<Id, Vec<(u64, What)>>,
    /// What they were given, by process and action.
    pub given: FxHashMap<(Id, u64), Given>,
    /// Tables of this run by reference (process and number) or name.
    tables: FxHashMap<TableName, u32>,
    /// Has a name of a table come to mean another one since this was last asked?
    renamed: bool,
    /// Receivers of timers that were set since this was last asked.
    timers_set: Vec<Pid>,
    /// What the code of funs is, as far as it was asked for.
    shapes: Shapes,
    /// Ends that are not peaceful, in the order in which they came.
    pub ends: Vec<AbnormalEnd>,
    /// The status that the program halted with.
    pub halted: Option<i64>,
    entry_is_over: bool,
}

/// How a program speaks of a table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum TableName {
    Reference(u64, u64),
    Name(Atom),
}

/// What is kept for each process.
#[derive(Clone, Copy, Debug)]
pub struct Heard {
    id: Id,
    sends: u64,
    receives: u64,
    /// The signal that has ended it.
    signal: Option<Tag>,
}

impl Listener {
    /// One that names processes and messages so.
    #[must_use]
    pub fn new(kin: Kin, naming: Naming) -> Self {
        Self {
            kin,
            naming,
            ..Self::default()
        }
    }

    /// The name of a signal that has arrived at a process.
    pub fn key(&mut self, to: Pid, tag: Tag) -> Key {
        if let Some((receiver, key)) = self.keys.get(&tag)
            && (*receiver == to || matches!(key, Key::Made(..)))
        {
            return *key;
        }
        let sender = tag.sender().and_then(|pid| self.ids.get(&pid).copied());
        match (tag, sender) {
            (Tag::EndTo { .. }, Some(sender)) => return Key::Link(sender),
            (Tag::EndRef { .. } | Tag::EndTable { .. }, Some(sender)) => return Key::Down(sender),
            _ => {}
        }
        let n = self.others.entry((sender, to)).or_default();
        *n += 1;
        let key = Key::Other(sender, *n);
        self.keys.insert(tag, (to, key));
        key
    }

    /// The spawn of a process that a process is about to make, or has made; none if the native is another one.
    #[must_use]
    pub fn spawn(&self, pid: Pid, native: &Native, machine: &vm::Process, program: &vm::Program) -> Option<Call> {
        let parent = self.ids.get(&pid).filter(|_| Spawned::is_by(native))?;
        let child = self
            .kin
            .child(Some(*parent), Spawned::of(native, machine, program, &self.shapes));
        let mut hasher = rustc_hash::FxHasher::default();
        (4, child.0).hash(&mut hasher);
        Some(Call(hasher.finish().max(1)))
    }

    /// What a process is about to call or has called: the native, and its first argument where that is an atom, a process or a small
    /// number; of operations on tables the key too.
    #[must_use]
    pub fn call(&self, native: &Native, machine: &vm::Process) -> Call {
        let mut hasher = rustc_hash::FxHasher::default();
        (native.module, native.name, native.arity).hash(&mut hasher);
        let args = machine.args();
        let of_tables = native.module == "ets";
        let named = if of_tables { 2 } else { 1 };
        if of_tables && native.name == "new" {
            return Call(hasher.finish().max(1));
        }
        for (i, arg) in args.iter().take(named).enumerate() {
            if of_tables
                && i == 0
                && let Some(table) = table_name(machine, *arg).and_then(|name| self.tables.get(&name))
            {
                (5, table).hash(&mut hasher);
            } else if let Some(pid) = arg.as_pid() {
                let id = self.ids.get(&Pid(pid.number())).map(|id| id.0);
                (1, id).hash(&mut hasher);
            } else if let Some(atom) = arg.as_atom() {
                (2, self.kin.recorded_name(atom).as_str()).hash(&mut hasher);
            } else if let Some(n) = arg.as_small() {
                (3, n).hash(&mut hasher);
            }
        }
        // The answer to one question is none to another: what is asked of a process, and which variable of the environment.
        let question = match (native.module, native.name) {
            ("erlang", "process_info") => args.get(1),
            ("os", _) => args.first(),
            _ => None,
        };
        if let Some(question) = question {
            hash_question(&machine.heap, *question, &mut hasher, 2);
        }
        Call(hasher.finish().max(1))
    }

    /// Notes the tables and names that a step makes.
    fn note_names(&mut self, by: Id, event: &Event<'_>) {
        let native = event.program.native(event.native);
        let args = event.machine.args();
        let atom = |i: usize| args.get(i).and_then(|arg| arg.as_atom());
        match (native.module, native.name) {
            ("ets", "new") => {
                let Some(name) = atom(0) else { return };
                let options = args
                    .get(1)
                    .and_then(|list| event.machine.heap.list(*list))
                    .unwrap_or_default();
                let named = options
                    .iter()
                    .any(|o| o.as_atom().is_some_and(|o| o.as_str() == "named_table"));
                let table = self.kin.table(by, name);
                let called = if named {
                    TableName::Name(name)
                } else {
                    TableName::Reference(event.pid.0, event.machine.local.references)
                };
                self.name_table(called, table);
            }
            ("ets", "rename") => {
                if let (Some(table), Some(name)) = (args.first().and_then(|t| table_name(event.machine, *t)), atom(1))
                    && let Some(table) = self.tables.get(&table)
                {
                    self.name_table(TableName::Name(name), *table);
                }
            }
            ("erlang", "register") => {
                if let Some(name) = atom(0) {
                    self.kin.registered(by, name);
                }
            }
            _ => {}
        }
    }

    fn name_table(&mut self, name: TableName, table: u32) {
        self.renamed |= self.tables.insert(name, table) != Some(table);
    }

    /// What may make the next move of a process another one though it has not run: timers for these were set; or else, if a name of a table means
    /// another one, that of any process. Since the last call.
    pub fn take_changes(&mut self) -> (Vec<Pid>, bool) {
        (std::mem::take(&mut self.timers_set), std::mem::take(&mut self.renamed))
    }

    fn name_message(&mut self, by: Id, to: Pid, shape: u64) -> Nth {
        let count = self.sent.entry((by, to, shape)).or_default();
        if self.naming == Naming::Place {
            *count += 1;
            return Nth { shape, n: *count };
        }
        let named = self.named.entry((by, to)).or_default();
        let known = self.ids.get(&to).and_then(|to| self.alignment.get(&(by, *to)));
        let nth = match known.and_then(|known| known.get(named.len())) {
            // It is another message than in the run that has shown this.
            Some(Some(nth)) if nth.shape != shape => None,
            Some(Some(nth)) => Some(*nth),
            Some(None) => Some(Nth {
                shape,
                n: NEW + named.len() as u64,
            }),
            None => None,
        };
        let nth = nth.unwrap_or(Nth { shape, n: *count + 1 });
        if nth.n < NEW {
            *count = nth.n;
        }
        named.push(nth);
        nth
    }

    /// Has this run shown that messages are others of the recorded ones than they were named? That is noted.
    pub fn is_misaligned(&self, recorded: &Self, alignment: &mut Arc<Alignment>) -> bool {
        let mut found = Alignment::default();
        let mut differs = false;
        for (&(by, to), named) in &self.named {
            let Some(&to) = self.ids.get(&to) else { continue };
            let then = recorded.pid(to).and_then(|to| recorded.named.get(&(by, to)));
            let aligned = align(then.map_or(&[][..], Vec::as_slice), named);
            let is_other = |(found, nth): (&Option<Nth>, &Nth)| found.map_or(nth.n < NEW, |found| found != *nth);
            differs |= aligned.iter().zip(named).any(is_other);
            found.insert((by, to), aligned);
        }
        if differs {
            *alignment = Arc::new(found);
        }
        differs
    }

    /// How many messages each process has sent to each.
    #[must_use]
    pub fn sent_to(&self) -> Sent {
        let known = |(&(by, to, shape), &n): (&(Id, Pid, u64), &u64)| Some(((by, *self.ids.get(&to)?, shape), n));
        self.sent.iter().filter_map(known).collect()
    }

    /// How long the timers ran, by receiver.
    #[must_use]
    pub fn timer_lengths(&self) -> Lengths {
        let known = |(&(to, key), &length): (&(Pid, Key), &u64)| Some(((*self.ids.get(&to)?, key), length));
        self.lengths.iter().filter_map(known).collect()
    }

    /// How long the recorded timers ran, and the recorded timeouts of these places.
    #[must_use]
    pub fn times(&self, choices: &Choices, waits: &super::drive::Waits) -> Times {
        let is_timeout = |(id, at): &(Id, usize)| {
            let choice = choices.get(id)?.get(*at).filter(|choice| choice.what == What::After)?;
            Some(ActionId::new(self.pid(*id)?, choice.action))
        };
        let timer = |(key, tag): (&(Pid, Key), &Tag)| Some((*tag, *self.lengths.get(key)?));
        Times {
            timeouts: waits
                .iter()
                .filter_map(|(place, ms)| Some((is_timeout(place)?, *ms)))
                .collect(),
            timers: self.timers.iter().filter_map(timer).collect(),
        }
    }

    /// A process of this run by its name.
    #[must_use]
    pub fn pid(&self, id: Id) -> Option<Pid> {
        self.pids.get(&id).copied()
    }
}

impl Observer for Listener {
    type Log = Heard;

    fn wants_messages(&self) -> bool {
        self.received.wants()
    }

    fn wants_message(&self, _: &Heard) -> bool {
        self.contents.are_recorded() || self.received.wants()
    }

    fn born(&mut self, pid: Pid, parent: Option<&Heard>, _: u16) -> Heard {
        let parent = parent.map(|heard| heard.id);
        let id = self.kin.born(parent, std::mem::take(&mut self.spawning));
        self.ids.insert(pid, id);
        self.pids.insert(id, pid);
        Heard {
            id,
            sends: 0,
            receives: 0,
            signal: None,
        }
    }

    fn action(&mut self, log: &mut Heard, event: &Event<'_>) {
        let before = log.sends;
        log.sends += u64::from(event.action.sends);
        let number = event.number.0;
        let what = match &event.action.kind {
            Kind::Rec(tag) => {
                log.receives += 1;
                let key = self.key(event.pid, *tag);
                if let Detail::Received { message: Some(message) } = event.detail {
                    self.contents.received(event.pid, log.receives, event.program, message);
                    let by = (log.id, event.pid, log.receives);
                    self.received.message(by, key, event.program, message);
                }
                if let Key::Down(ended) = key {
                    let ends = self.ends.iter_mut().filter(|end| end.id == ended);
                    ends.for_each(|end| end.awaited = true);
                }
                What::Rec(key)
            }
            Kind::After => What::After,
            Kind::Signal { tag, .. } => {
                log.signal = Some(*tag);
                What::Signal(self.key(event.pid, *tag))
            }
            Kind::Exit { .. } => What::Do(END),
            kind => {
                match kind {
                    Kind::Input { value } | Kind::Observe { value, .. } => {
                        self.given.insert((log.id, number), Given::Value(value.clone()));
                    }
                    Kind::Spawn { child, .. } | Kind::SpawnFailed { child, .. } => {
                        self.given.insert((log.id, number), Given::Pid(*child));
                    }
                    Kind::Halt { code } => self.halted = Some(*code),
                    _ => {}
                }
                let native = event.program.native(event.native);
                let mut spawn = None;
                if matches!(kind, Kind::Spawn { .. }) {
                    self.spawning = Spawned::of(native, event.machine, event.program, &self.shapes);
                    spawn = self.spawn(event.pid, native, event.machine, event.program);
                }
                let call = spawn.unwrap_or_else(|| self.call(native, event.machine));
                self.note_names(log.id, event);
                What::Do(call)
            }
        };
        self.made.entry(log.id).or_default().push((number, what));
        if matches!(event.action.kind, Kind::Exit { .. } | Kind::Signal { .. }) {
            return;
        }
        if event.action.sends == 1
            && let Detail::Sent { to: Some(to), message } = event.detail
        {
            let shape = match self.naming {
                Naming::Place => 0,
                Naming::Shape => shape(&event.machine.heap, message),
            };
            let nth = self.name_message(log.id, to, shape);
            let tag = Tag::Sent {
                by: event.pid,
                k: SendNo(log.sends),
            };
            let key = Key::Sent(log.id, nth);
            self.keys.insert(tag, (to, key));
            if matches!(event.program.native(event.native).name, "send_after" | "start_timer") {
                self.timers.insert((to, key), tag);
                self.timers_set.push(to);
                let length = event.machine.args().first().and_then(|arg| arg.as_small());
                if let Some(length) = length.and_then(|n| u64::try_from(n).ok()) {
                    self.lengths.insert((to, key), length);
                }
            }
            return;
        }
        for k in before + 1..=log.sends {
            let n = self.others_made.entry(log.id).or_default();
            *n += 1;
            let tag = Tag::Sent {
                by: event.pid,
                k: SendNo(k),
            };
            self.keys.insert(tag, (event.pid, Key::Made(log.id, *n)));
        }
    }

    fn ended(&mut self, log: &mut Heard, ending: &Ending<'_>) {
        self.contents.ended(ending);
        let late = self.entry_is_over;
        self.entry_is_over |= log.id == Id(0);
        let reason = session::watch::reason(ending.class, ending.reason, ending.program, 500);
        self.received.ended(log.id, ending, &reason);
        let peaceful = ending.class == Some(interpreter::vm::EndClass::Normal)
            || matches!(reason.strip_prefix("exit ").unwrap_or(&reason), "normal" | "shutdown")
            || reason
                .strip_prefix("exit ")
                .unwrap_or(&reason)
                .starts_with("{shutdown,");
        if peaceful {
            return;
        }
        let place = ending.machine.location(ending.program);
        let gravity = Gravity::of(ending.pid, log.signal, log.id == Id(0));
        self.ends.push(AbnormalEnd {
            id: log.id,
            pid: ending.pid,
            gravity,
            late,
            awaited: false,
            does: session::watch::label(ending.machine, ending.program).unwrap_or_default(),
            reason: without_names(&reason),
            place: place.map_or_else(String::new, |l| format!("{}:{}", l.file, l.line)),
        });
    }
}

/// Which of the recorded messages those of another run are: with the fewest that are new or left out, whatever the record has behind the last one.
fn align(recorded: &[Nth], now: &[Nth]) -> Vec<Option<Nth>> {
    let same = recorded.iter().zip(now).take_while(|(a, b)| a.shape == b.shape).count();
    let mut found: Vec<Option<Nth>> = recorded[..same].iter().copied().map(Some).collect();
    let then = &recorded[same..recorded.len().min(same + ALIGNED)];
    let rest = &now[same..now.len().min(same + ALIGNED)];
    // cost[i][j]: of the first i of these and the first j of those.
    let width = then.len() + 1;
    let mut cost = vec![0_u32; (rest.len() + 1) * width];
    for (at, cell) in cost[..width].iter_mut().enumerate() {
        *cell = at as u32;
    }
    for (i, one) in (1..).zip(rest) {
        cost[i * width] = i as u32;
        for (j, other) in (1..).zip(then) {
            let (above, left, before) = (
                cost[(i - 1) * width + j],
                cost[i * width + j - 1],
                cost[(i - 1) * width + j - 1],
            );
            let apart = above.min(left) + 1;
            cost[i * width + j] = if one.shape == other.shape {
                before.min(apart)
            } else {
                apart
            };
        }
    }
    let last = &cost[rest.len() * width..];
    // Of several ways the one that goes further in the record, which has more of it.
    let mut j = (0..width).rev().min_by_key(|&j| last[j]).unwrap_or(0);
    let mut behind = vec![None; rest.len()];
    for i in (1..=rest.len()).rev() {
        while j > 0 && cost[i * width + j] == cost[i * width + j - 1] + 1 {
            j -= 1;
        }
        if j > 0 && rest[i - 1].shape == then[j - 1].shape && cost[i * width + j] == cost[(i - 1) * width + j - 1] {
            behind[i - 1] = Some(then[j - 1]);
            j -= 1;
        }
    }
    found.extend(behind);
    found
}

/// What a message looks like: what kind of term it is; of an atom which; of a tuple its size, its tag and the atom behind it. Of the messages of
/// `gen_server` and its like, and of answers that begin with a reference or a pid, it is what they carry that counts.
fn shape(heap: &Heap, message: Term) -> u64 {
    let mut hasher = rustc_hash::FxHasher::default();
    let mut term = message;
    // What is wrapped deeper than that is all alike.
    for _ in 0..4 {
        let View::Tuple(elements) = heap.view(term) else { break };
        elements.len().hash(&mut hasher);
        let first = elements.first().map(|tag| (*tag, tag.as_atom()));
        match (first, elements) {
            (Some((_, Some(tag))), [_, _, request]) if tag.as_str() == "$gen_call" => term = *request,
            (Some((_, Some(tag))), [_, request]) if tag.as_str() == "$gen_cast" => term = *request,
            (Some((_, Some(tag))), _) => {
                tag.as_str().hash(&mut hasher);
                let second = elements.get(1).and_then(|second| second.as_atom());
                second.map(Atom::as_str).hash(&mut hasher);
                return hasher.finish().max(1);
            }
            (Some((_, None)), [_, answer]) => term = *answer,
            _ => break,
        }
    }
    match (term.as_atom(), heap.view(term)) {
        (Some(atom), _) => atom.as_str().hash(&mut hasher),
        (None, view) => std::mem::discriminant(&view).hash(&mut hasher),
    }
    hasher.finish().max(1)
}

/// What tells a question from another one: its atoms and numbers, also those in lists and tuples.
fn hash_question(heap: &Heap, term: Term, hasher: &mut impl Hasher, depth: u32) {
    if let Some(atom) = term.as_atom() {
        atom.as_str().hash(hasher);
    } else if let Some(n) = term.as_small() {
        n.hash(hasher);
    } else if depth > 0 {
        let inside = match heap.view(term) {
            View::Tuple(elements) => elements.to_vec(),
            _ => heap.list(term).unwrap_or_default(),
        };
        inside
            .iter()
            .for_each(|one| hash_question(heap, *one, hasher, depth - 1));
    }
}

fn table_name(machine: &vm::Process, table: Term) -> Option<TableName> {
    if let Some(name) = table.as_atom() {
        return Some(TableName::Name(name));
    }
    match machine.heap.view(table) {
        View::Reference(reference) => Some(TableName::Reference(reference.owner.number(), reference.number)),
        _ => None,
    }
}

/// A text without the numbers of pids, references, ports and funs, and without the lines of stack frames.
#[must_use]
pub fn without_names(text: &str) -> String {
    const LINE: &str = "{line,";
    let mut text = text.to_owned();
    let mut from = 0;
    while let Some(at) = text[from..].find(LINE).map(|at| from + at + LINE.len()) {
        let digits = text[at..].bytes().take_while(u8::is_ascii_digit).count();
        text.replace_range(at..at + digits, "_");
        from = at;
    }
    without_numbers(&text)
}

fn without_numbers(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        let (before, from) = rest.split_at(at + 1);
        out.push_str(before);
        match from.find('>') {
            Some(end) if from[..end].chars().all(|c| c.is_ascii_digit() || c == '.') => {
                out.push('_');
                rest = &from[end..];
            }
            _ => rest = from,
        }
    }
    out.push_str(rest);
    out
}

/// The choices of a recorded run, by process.
///
/// `failure`: what is needed for it; `times`: how long timeouts and timers took.
///
/// # Errors
/// If the trace is damaged.
pub fn choices(trace: &Trace, heard: &Listener, failure: &Cut, times: Times) -> Result<Choices, Error> {
    let mut order: FxHashMap<(Pid, u64), u64> = FxHashMap::default();
    let wanted: FxHashMap<Pid, Vec<u64>> = heard
        .ids
        .iter()
        .map(|(pid, id)| {
            let made = heard.made.get(id).map_or(&[][..], Vec::as_slice);
            (*pid, made.iter().map(|(n, _)| *n).collect())
        })
        .collect();
    let conflicts = Conflicts::scan(trace)?;
    for stretch in causality::conflict_order_in_time(trace, &conflicts, &Cut::whole(trace)?, times)? {
        let stretch = stretch?;
        let list = wanted.get(&stretch.pid).map_or(&[][..], Vec::as_slice);
        let first = list.partition_point(|&n| n < stretch.first.0);
        for &n in list[first..].iter().take_while(|&&n| n <= stretch.last.0) {
            let next = order.len() as u64;
            order.insert((stretch.pid, n), next);
        }
    }
    let mut all = FxHashMap::default();
    for (pid, id) in &heard.ids {
        let made = heard.made.get(id).map_or(&[][..], Vec::as_slice);
        let list: Vec<Choice> = made
            .iter()
            .map(|&(action, what)| Choice {
                what,
                action,
                order: order.get(&(*pid, action)).copied().unwrap_or(u64::MAX),
                needed: failure.contains(ActionId::new(*pid, action)),
                given: heard.given.get(&(*id, action)).cloned(),
            })
            .collect();
        all.insert(*id, list);
    }
    Ok(all)
}

/// Only those choices that are causes of the failure: the first ones of each process.
#[must_use]
pub fn causes_only(choices: &Choices) -> Choices {
    let needed = |list: &[Choice]| list.iter().take_while(|choice| choice.needed).cloned().collect();
    choices.iter().map(|(id, list)| (*id, needed(list))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_aligned_with_the_fewest_that_are_new_or_left_out() {
        let list = |shapes: &str| -> Vec<Nth> {
            let mut seen = FxHashMap::<u64, u64>::default();
            let nth = |c: char| {
                let n = seen.entry(c as u64).or_default();
                *n += 1;
                Nth { shape: c as u64, n: *n }
            };
            shapes.chars().map(nth).collect()
        };
        let aligned = |recorded: &str, now: &str| -> String {
            let found = align(&list(recorded), &list(now)).into_iter();
            found
                .map(|nth| nth.map_or("-".to_owned(), |nth| nth.n.to_string()))
                .collect()
        };
        assert_eq!(aligned("ppggi", "ppggi"), "11221".replace("1122", "1212"));
        // A question more, in words that come later too; also where no more was seen than that.
        assert_eq!(aligned("pppgggi", "ipppgggi"), "-1231231");
        assert_eq!(aligned("pppgggi", "i"), "-");
        assert_eq!(aligned("pppgggi", "ipp"), "-12");
        // One less; another one in the place of one; nothing recorded; nothing now.
        assert_eq!(aligned("pgpg", "ppg"), "122");
        assert_eq!(aligned("pgp", "pxp"), "1-2");
        assert_eq!(aligned("", "ab"), "--");
        assert_eq!(aligned("ab", ""), "");
    }

    #[test]
    fn reasons_are_compared_without_names() {
        assert_eq!(
            without_names("error {badmatch,<0.12.0>,#Ref<0.1.2.3>}"),
            "error {badmatch,<_>,#Ref<_>}"
        );
        assert_eq!(without_names("a < b <0.x> <0.1.0"), "a < b <0.x> <0.1.0");
        assert_eq!(
            without_names("exit {undef,[{m,f,1,[{file,\"m.erl\"},{line,48}]},{m,g,0,[{line,7}]}]}"),
            "exit {undef,[{m,f,1,[{file,\"m.erl\"},{line,_}]},{m,g,0,[{line,_}]}]}"
        );
    }
}

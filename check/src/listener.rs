//! Observes a run, and gives names to what happens in it.

use crate::choices::{
    AbnormalEnd, Alignment, Choices, END, Given, Lengths, Naming, Nth, RecordedChoice, SentCounts, SignalKey, StepKind,
    Waits,
};
use crate::kin::{Id, Kin, Shapes, Spawned};
use crate::lines::TestLines;
use crate::project::is_read_anew;
use crate::reason::ReasonKind;
use crate::received::{Received, RecordedReceive};
use crate::shape::{shape, without_names};
use causality::{Conflicts, Gravity, WaitTimes};
use interpreter::atom::Atom;
use interpreter::print::{self, Style, Terms};
use interpreter::term::Term;
use log_format::{ActionId, Cut, ExitClass, InputClass, Kind, Pid, SendNo, Tag, Trace};
use rustc_hash::{FxHashMap, FxHashSet};
use session::digests::DigestCheck;
use session::error::Error;
use session::value::Value;
use std::hash::Hash;
use std::sync::Arc;
use system::answers::{self, RecordedInputs};
use system::observer::{ActionEvent, Detail, Ending, Observer};
use system::terms;

/// Observes a run, and gives names to what happens in it.
#[derive(Clone, Default)]
pub struct Listener {
    /// Names the processes.
    pub kin: Kin,
    pub(crate) naming: Naming,
    /// For each message of this run, the recorded one, as far as an earlier run has shown it.
    pub alignment: Arc<Alignment>,
    /// The names of messages, if they are named by shape: by sender and receiver.
    pub(crate) named: FxHashMap<(Id, Pid), Vec<Nth>>,
    /// The names of processes, by pid of this run.
    pub ids: FxHashMap<Pid, Id>,
    pub(crate) pids: FxHashMap<Id, Pid>,
    /// What the process that is about to be created was spawned to run.
    pub(crate) spawning: Spawned,
    /// Compares received contents with the recorder's digests.
    pub contents: DigestCheck,
    /// Notes what is received, or compares it with what another run received.
    pub received: Received,
    /// Signals of this run whose receiver is known when they are sent.
    pub(crate) keys: FxHashMap<Tag, (Pid, SignalKey)>,
    pub(crate) sent: FxHashMap<(Id, Pid, u64), u64>,
    pub(crate) others: FxHashMap<(Option<Id>, Pid), u64>,
    pub(crate) others_made: FxHashMap<Id, u64>,
    /// The tags of timer messages.
    pub timers: FxHashMap<(Pid, SignalKey), Tag>,
    /// How long these timers run, in milliseconds, if that is a small number.
    pub lengths: FxHashMap<(Pid, SignalKey), u64>,
    /// The steps of each process, with their actions.
    pub made: FxHashMap<Id, Vec<(u64, StepKind)>>,
    /// Questions to the outside, with the values that came.
    answers: Vec<(u64, Vec<u8>)>,
    /// Files of Elixir that were read, by question.
    pub(crate) files: FxHashMap<u64, String>,
    /// All files that were read, by question.
    pub(crate) read: FxHashMap<u64, String>,
    /// Files and folders that were made, changed or removed.
    pub(crate) wrote: FxHashSet<String>,
    /// Modules that were called in vain, if that was asked.
    pub(crate) missed: std::collections::BTreeSet<String>,
    /// The questions about these files, by process and action.
    pub(crate) asked: FxHashMap<(Id, u64), u64>,
    /// The results of steps, by process and action.
    pub given: FxHashMap<(Id, u64), Given>,
    /// Tables of this run by reference (process and number) or name.
    pub(crate) tables: FxHashMap<TableName, u32>,
    /// Has the name of a table come to mean another table since the last call of [`Self::take_changes`]?
    pub(crate) renamed: bool,
    /// Receivers of timers that were set since the last call.
    pub(crate) timers_set: Vec<Pid>,
    /// Hashes of the code of funs, computed when needed.
    pub(crate) shapes: Shapes,
    /// Abnormal ends, in the order in which they came.
    pub ends: Vec<AbnormalEnd>,
    /// The status that the program halted with.
    pub halted: Option<i64>,
    pub(crate) entry_is_over: bool,
    /// Other lines of tests, in a changed program.
    pub(crate) lines: Arc<TestLines>,
    /// Names of tests that began.
    pub(crate) tests_begun: FxHashSet<String>,
    /// Names of tests that passed.
    pub(crate) tests_passed: FxHashSet<String>,
    /// So many actions have been done.
    actions: u64,
    /// A test that is waited for.
    pub(crate) awaits: Option<String>,
    /// With this action of the whole run, it began.
    pub(crate) began: Option<u64>,
}

/// Characters of a reason.
const REASON: usize = 500;

/// How a program refers to a table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum TableName {
    Reference(u64, u64),
    Name(Atom),
}

/// What is kept for each process.
#[derive(Clone, Copy, Debug)]
pub struct HeardProcess {
    id: Id,
    sends: u64,
    receives: u64,
    /// The signal that ended it.
    signal: Option<Tag>,
}

impl Listener {
    /// A listener that names processes and messages in this way.
    #[must_use]
    pub fn new(kin: Kin, naming: Naming) -> Self {
        Self {
            kin,
            naming,
            ..Self::default()
        }
    }

    /// Hears names of tests of a changed program.
    pub(crate) fn with_lines(mut self, lines: &Arc<TestLines>) -> Self {
        self.lines = Arc::clone(lines);
        self
    }

    /// Processes whose next move may have changed since the last call although they did not run: their timers were set. The flag: a table name
    /// changed its meaning, so any process may be affected.
    pub fn take_changes(&mut self) -> (Vec<Pid>, bool) {
        (std::mem::take(&mut self.timers_set), std::mem::take(&mut self.renamed))
    }

    /// Forgets what only [`Self::choices`] and [`Self::answers`] tell: a run that goes on in copies makes no choices of its own.
    pub(crate) fn forget_choices(&mut self) {
        self.made.clear();
        self.given.clear();
        self.answers.clear();
        self.files.clear();
        self.read.clear();
        self.wrote.clear();
        self.asked.clear();
    }

    /// The values of inputs, by question.
    #[must_use]
    pub fn answers(&self) -> RecordedInputs {
        let mut known = RecordedInputs::default();
        for (question, value) in &self.answers {
            known.entry(*question).or_default().push(value.clone());
        }
        known
    }

    /// How many messages each process has sent to each other one.
    #[must_use]
    pub fn sent_to(&self) -> SentCounts {
        let known = |(&(by, to, shape), &n): (&(Id, Pid, u64), &u64)| Some(((by, *self.ids.get(&to)?, shape), n));
        self.sent.iter().filter_map(known).collect()
    }

    /// How long the timers ran, by receiver.
    #[must_use]
    pub fn timer_lengths(&self) -> Lengths {
        let known = |(&(to, key), &length): (&(Pid, SignalKey), &u64)| Some(((*self.ids.get(&to)?, key), length));
        self.lengths.iter().filter_map(known).collect()
    }

    /// The choices of a recorded run, by process.
    ///
    /// `failure`: the causes of the failure, whose choices are needed; `times`: how long timeouts and timers took.
    ///
    /// # Errors
    /// If the trace is damaged.
    pub fn choices(&self, trace: &Trace, failure: &Cut, times: WaitTimes) -> Result<Choices, Error> {
        let mut order: FxHashMap<ActionId, u64> = FxHashMap::default();
        let wanted: FxHashMap<Pid, Vec<u64>> = self
            .ids
            .iter()
            .map(|(pid, id)| {
                let made = self.made.get(id).map_or(&[][..], Vec::as_slice);
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
                order.insert(ActionId::new(stretch.pid, n), next);
            }
        }
        let mut all = FxHashMap::default();
        for (pid, id) in &self.ids {
            let made = self.made.get(id).map_or(&[][..], Vec::as_slice);
            let list: Vec<RecordedChoice> = made
                .iter()
                .map(|&(action, what)| {
                    let name = ActionId::new(*pid, action);
                    RecordedChoice {
                        what,
                        action,
                        order: order.get(&name).copied().unwrap_or(u64::MAX),
                        needed: failure.contains(name),
                        given: self.given.get(&(*id, action)).cloned(),
                    }
                })
                .collect();
            all.insert(*id, list);
        }
        Ok(all)
    }

    /// How long the recorded timers ran, and the timeouts at these positions.
    #[must_use]
    pub fn times(&self, choices: &Choices, waits: &Waits) -> WaitTimes {
        let is_timeout = |(id, at): &(Id, usize)| {
            let choice = choices
                .get(id)?
                .get(*at)
                .filter(|choice| choice.what == StepKind::After)?;
            Some(ActionId::new(self.pid(*id)?, choice.action))
        };
        let timer = |(key, tag): (&(Pid, SignalKey), &Tag)| Some((*tag, *self.lengths.get(key)?));
        WaitTimes {
            timeouts: waits
                .iter()
                .filter_map(|(place, ms)| Some((is_timeout(place)?, *ms)))
                .collect(),
            timers: self.timers.iter().filter_map(timer).collect(),
        }
    }

    /// Names what a step has put in flight. `before`: how many signals its process had sent before.
    fn note_sends(&mut self, log: &HeardProcess, event: &ActionEvent<'_>, before: u64) {
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
            let key = SignalKey::Sent(log.id, nth);
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
            self.keys.insert(tag, (event.pid, SignalKey::Made(log.id, *n)));
        }
    }

    /// Notes the value of an input, for all who ask the same.
    fn note_answer(&mut self, by: Id, event: &ActionEvent<'_>, value: &[u8]) {
        let native = event.program.native(event.native);
        if matches!(event.action.kind, Kind::Input { .. })
            && matches!(InputClass::split(value), Some((class, Some(_))) if answers::is_answered(class))
            && let Some(question) = answers::question(native, event.machine)
        {
            self.answers.push((question, value.to_vec()));
            self.note_file(by, event, question);
        }
    }

    /// Notes which file a question is about.
    fn note_file(&mut self, by: Id, event: &ActionEvent<'_>, question: u64) {
        let heap = &event.machine.heap;
        let native = event.program.native(event.native).name;
        let text = |at: usize| terms::text(heap, *event.machine.args().get(at)?);
        match native {
            "$read_file" => {
                let Some(path) = text(0) else { return };
                if is_read_anew(&path) {
                    self.files.insert(question, path.clone());
                    self.asked.insert((by, event.number.0), question);
                }
                self.read.insert(question, path);
            }
            "$write_file" => self.wrote.extend(text(0)),
            "$open_file" => {
                let words = event.machine.args().get(1).and_then(|words| heap.list(*words));
                let is_write = |word: &Term| {
                    word.as_atom()
                        .is_some_and(|word| ["write", "append"].contains(&word.as_str()))
                };
                if words.is_some_and(|words| words.iter().any(is_write)) {
                    self.wrote.extend(text(0));
                }
            }
            "$file" => {
                let operation = event.machine.args().first().and_then(|term| term.as_atom());
                let only_looks = ["list", "info", "link_info", "read_link", "cwd"];
                if operation.is_some_and(|name| !only_looks.contains(&name.as_str())) {
                    self.wrote.extend(text(1));
                    self.wrote.extend(text(2));
                }
            }
            _ => {}
        }
    }

    /// A test runner noted something of a test that a process runs: if it failed, that counts like an end.
    fn note_test(&mut self, of: Pid, event: &ActionEvent<'_>) {
        let heap = &event.machine.heap;
        let style = Style::unicode(event.program);
        let (&[_, name, note], Some(&id)) = (event.machine.args(), self.ids.get(&of)) else {
            return;
        };
        let text = |term| print::short(heap, term, REASON, &style);
        let name = text(name).trim_matches(['<', '>', '"']).to_owned();
        let name = self.lines.as_recorded(name);
        let Some(&[_, class, reason, stack]) = heap.tuple(note) else {
            match note.as_atom().map(Atom::as_str) {
                Some("began") => {
                    if self.awaits.as_ref() == Some(&name) {
                        self.began.get_or_insert(self.actions);
                    }
                    self.tests_begun.insert(name);
                }
                Some("passed") => {
                    self.tests_passed.insert(name);
                }
                _ => {}
            }
            return;
        };
        let kind = ReasonKind::of(
            match class.as_atom().map(Atom::as_str) {
                Some("exit") => Some(ExitClass::Exit),
                Some("throw") => Some(ExitClass::Throw),
                _ => Some(ExitClass::Error),
            },
            &Value::of(heap, reason, &style),
        );
        let reason = format!("{} {}", text(class), text(reason));
        let place = session::watch::stack(heap, stack, style.terms).next();
        self.ends.push(AbnormalEnd {
            does: name.clone(),
            test: Some((name, event.id())),
            id,
            pid: of,
            gravity: Gravity::Failed,
            late: self.entry_is_over,
            awaited: false,
            kind,
            reason: without_names(&reason),
            shown: session::watch::banner(event, REASON).map_or_else(String::new, |text| without_names(&text)),
            place: place.map_or_else(String::new, |place| format!("{}:{}", place.file, place.line)),
        });
    }

    /// A process of this run by its name.
    #[must_use]
    pub fn pid(&self, id: Id) -> Option<Pid> {
        self.pids.get(&id).copied()
    }
}

impl Observer for Listener {
    type Log = HeardProcess;

    fn wants_messages(&self) -> bool {
        self.received.wants()
    }

    fn wants_message(&self, _: &HeardProcess) -> bool {
        self.contents.are_recorded() || self.received.wants()
    }

    fn born(&mut self, pid: Pid, parent: Option<&HeardProcess>, _: u16) -> HeardProcess {
        let parent = parent.map(|heard| heard.id);
        let id = self.kin.born(parent, std::mem::take(&mut self.spawning));
        self.ids.insert(pid, id);
        self.pids.insert(id, pid);
        HeardProcess {
            id,
            sends: 0,
            receives: 0,
            signal: None,
        }
    }

    fn action(&mut self, log: &mut HeardProcess, event: &ActionEvent<'_>) {
        self.actions += 1;
        // Which version of a module a process sees follows from when it calls it: nobody can choose it.
        if matches!(event.action.kind, Kind::Version { .. }) {
            return;
        }
        let before = log.sends;
        log.sends += u64::from(event.action.sends);
        let number = event.number.0;
        let what = match &event.action.kind {
            Kind::Rec(tag) => {
                log.receives += 1;
                let key = self.key(event.pid, *tag);
                if let Detail::Received { message: Some(message) } = event.detail {
                    self.contents.received(event.pid, log.receives, event.program, message);
                    let receive = RecordedReceive {
                        pid: event.pid,
                        ordinal: log.receives,
                    };
                    self.received.message((log.id, receive), key, event.program, message);
                }
                if let SignalKey::Down(ended) = key {
                    let ends = self.ends.iter_mut().filter(|end| end.id == ended && end.test.is_none());
                    ends.for_each(|end| end.awaited = true);
                }
                StepKind::Rec(key)
            }
            Kind::After => StepKind::After,
            Kind::Signal { tag, .. } => {
                log.signal = Some(*tag);
                StepKind::Signal(self.key(event.pid, *tag))
            }
            Kind::Exit { .. } => StepKind::Do(END),
            kind => {
                match kind {
                    Kind::Input { value } | Kind::Observe { value, .. } => {
                        self.note_answer(log.id, event, value);
                        self.given.insert((log.id, number), Given::Value(value.clone()));
                    }
                    Kind::Spawn { child, .. } | Kind::SpawnFailed { child, .. } => {
                        self.given.insert((log.id, number), Given::Pid(*child));
                    }
                    Kind::Halt { code } => self.halted = Some(*code),
                    Kind::Test { of, .. } => self.note_test(*of, event),
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
                StepKind::Do(call)
            }
        };
        self.made.entry(log.id).or_default().push((number, what));
        if !matches!(event.action.kind, Kind::Exit { .. } | Kind::Signal { .. }) {
            self.note_sends(log, event, before);
        }
    }

    fn ended(&mut self, log: &mut HeardProcess, ending: &Ending<'_>) {
        self.contents.ended(ending);
        let late = self.entry_is_over;
        self.entry_is_over |= log.id == Id(0);
        let told = |terms| session::watch::reason_in(terms, ending.class, ending.reason, ending.program, REASON);
        let reason = told(Terms::Erlang);
        self.received.ended(log.id, ending, &reason);
        let term = session::watch::without_stack(ending.class, ending.reason, ending.program);
        let class = ending.class;
        // What was thrown is in a tuple of its own.
        let term = match (class, term.tuple()) {
            (Some(ExitClass::Throw), [_, thrown]) => thrown.clone(),
            _ => term,
        };
        // Nobody told the entry to end: its `shutdown` is a failure, as it is for `error`.
        let peaceful = match (log.id, class) {
            (_, Some(ExitClass::Error | ExitClass::Throw)) => false,
            (Id(0), _) => term.is_atom("normal"),
            _ => term.is_peaceful(),
        };
        if peaceful || class == Some(ExitClass::Normal) {
            return;
        }
        let place = ending.machine.location(ending.program);
        // So the runner of suites gets the result of what it runs apart.
        let is_of_the_runner = place
            .as_ref()
            .is_some_and(|place| place.module.as_str() == "retell_suite");
        if is_of_the_runner && term.tuple().first().is_some_and(|tag| tag.is_atom("$apart")) {
            return;
        }
        let gravity = Gravity::of(ending.pid, log.signal, log.id == Id(0));
        self.ends.push(AbnormalEnd {
            test: None,
            id: log.id,
            pid: ending.pid,
            gravity,
            late,
            awaited: false,
            does: session::watch::label(ending.machine, ending.program).unwrap_or_default(),
            kind: ReasonKind::of(class, &term),
            reason: without_names(&reason),
            shown: match ending.program.terms() {
                Terms::Erlang => String::new(),
                Terms::Elixir => without_names(&told(Terms::Elixir)),
            },
            place: place.map_or_else(String::new, |l| format!("{}:{}", l.file, l.line)),
        });
    }
}

//! The observer of a replay: renders the actions that will be shown, and only these; keeps printed output.

use std::sync::Arc;

use interpreter::print::{self, Style, Terms};
use interpreter::term::Term;
use interpreter::vm;
use log_format::{ActionId, Kind, Pid, SendNo, Tag, TestNote, TextId};
use rustc_hash::{FxHashMap, FxHashSet};
use system::observer::{ActionEvent, Detail, Ending, Observer};

use crate::called::ProcessName;
use crate::content::Content;
use crate::digests::{DigestCheck, RecordedDigests};
use crate::name::{self, ActionTally};
use crate::native::NativeName;
use crate::value::Value;
use crate::view::Purpose;

mod catches;
mod every;
mod places;
mod rendered;
mod seen;

pub use catches::{CaughtException, catches};
pub use every::{DoneAction, Every};
pub use places::{TASKS, here, is_task, label, place, raised_by, runs, stack, started};
pub(crate) use rendered::raised_as;
pub use rendered::{banner, fragment, reason, reason_in, without_stack};
pub use seen::{Output, SeenAction, SeenEnd, SeenFrame, SeenVariable, TimerName};

use places::{caught_before, raised};
use rendered::{TableNames, caught, file, keys, note_name, parts, quoted, table};

/// What is to be rendered.
#[derive(Clone, Debug, Default)]
pub struct Wish {
    /// By process, the numbers of the actions that will be shown, ascending.
    pub acts: FxHashMap<Pid, Arc<[u64]>>,
    /// The process whose end is of interest.
    pub subject: Option<Pid>,
    /// Characters of a rendered term, at most.
    pub chars: usize,
    /// Bytes of output that are kept for a process: the last ones.
    pub output: usize,
    /// Frames of a process that are rendered.
    pub frames: usize,
    /// Innermost activations whose variables are rendered with each action.
    pub variables: usize,
    /// Are contents and variables kept as terms, too?
    pub terms: bool,
    /// Of processes whose stacks are very deep the variables are rendered with these actions only: each costs a walk over the whole stack.
    pub near: FxHashSet<ActionId>,
    /// If given: with an action only the innermost activation in one of these files is rendered, and its variables only if the action is `near`.
    /// The first actions of a process also have the places of all others.
    pub own: Option<Arc<FxHashSet<String>>>,
    /// Processes to which every message is rendered, too.
    pub mail: FxHashMap<Pid, Mail>,
}

/// Numbers of actions as a [`Wish`] needs them: ascending, without duplicates.
#[must_use]
pub fn ascending(acts: FxHashMap<Pid, Vec<u64>>) -> FxHashMap<Pid, Arc<[u64]>> {
    let sorted = acts.into_iter().map(|(pid, mut list)| {
        list.sort_unstable();
        list.dedup();
        (pid, list.into())
    });
    sorted.collect()
}

/// Messages to a process that need not be rendered.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Mail {
    /// Messages that are already known.
    pub known: FxHashSet<Tag>,
}
const MAIL: usize = 10_000;
/// Activations of an ended process whose values are kept.
const MAX_ACTIVATIONS: usize = 12;
/// So many actions of a process have the places of all their activations, where only the program's own are rendered.
const FIRST_ACTIONS: u64 = 8;
/// A stack with this many activations is deep.
const DEEP_STACK: usize = 1000;

/// What is kept for each process.
#[derive(Clone, Debug)]
pub struct ProcessWatch {
    pid: Pid,
    /// The next action to render; `u64::MAX`: none.
    next: u64,
    tally: ActionTally,
    /// The number of shown actions at the time of its last action.
    epoch: u32,
    /// Fields that few processes need.
    rare: Option<Box<Rare>>,
}

/// What is kept for a process of which something is shown, or that prints.
#[derive(Clone, Debug, Default)]
struct Rare {
    /// The index in `shown`.
    at: usize,
    shown: Option<Arc<[u64]>>,
    /// What it printed.
    output: Output,
    label: Option<ProcessName>,
    /// How many exceptions it had caught, as far as that is known.
    catches: u64,
}

impl Rare {
    /// Does it contain anything that [`Watcher::take`] keeps?
    const fn tells(&self) -> bool {
        self.output.total > 0 || self.label.is_some()
    }
}

impl ProcessWatch {
    /// Changes the rarely used fields; on the first change, adds the process to `told`.
    fn tell(&mut self, told: &mut Vec<Pid>, change: impl FnOnce(&mut Rare)) {
        let rare = self.rare.get_or_insert_default();
        let before = rare.tells();
        change(rare);
        if rare.tells() && !before {
            told.push(self.pid);
        }
    }

    /// Will the next action be rendered?
    #[inline]
    const fn is_next(&self) -> bool {
        self.tally.counts.actions + 1 == self.next
    }
}

/// A rendered action, and what was done since the one rendered before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ShownAction {
    /// The process.
    pub pid: Pid,
    /// The number of the action.
    pub number: u64,
    /// Number of actions in between.
    pub actions: u64,
    /// Number of processes that did them.
    pub processes: u64,
}

/// Renders the actions that will be shown.
#[derive(Debug, Default)]
pub struct Watcher {
    wish: Wish,
    /// What was rendered, in the order in which it was replayed: a causal order.
    pub order: Vec<ShownAction>,
    /// Actions since the last of these, and the processes that did them.
    since: u64,
    acted: u64,
    epoch: u32,
    /// Compares contents with the recorder's digests.
    pub contents: DigestCheck,
    /// The actions that were rendered.
    pub seen: FxHashMap<ActionId, SeenAction>,
    /// Messages that were rendered because of their receiver.
    pub mailed: Vec<ActionId>,
    /// Processes of which [`Watcher::take`] keeps something, in the order in which they got it, so that very many processes need not be searched.
    pub told: Vec<Pid>,
    /// Processes of which something was rendered, with the functions that they run.
    pub labels: FxHashMap<Pid, ProcessName>,
    /// Output of processes that have ended.
    pub outputs: Vec<(Pid, Output)>,
    /// The end of the subject.
    pub end: Option<SeenEnd>,
    /// The names of tables.
    tables: TableNames,
    /// The tests of processes of ExUnit, each of which runs one.
    pub tests: FxHashMap<Pid, TextId>,
}

impl Watcher {
    /// An observer with this wish.
    #[must_use]
    pub fn new(wish: Wish) -> Self {
        Self {
            wish,
            ..Self::default()
        }
    }

    /// An observer that also compares contents with the recorder's digests.
    #[must_use]
    pub fn comparing(wish: Wish, recorded: RecordedDigests) -> Self {
        Self {
            contents: DigestCheck::of(recorded),
            ..Self::new(wish)
        }
    }

    /// Counts an action that is not shown.
    #[inline]
    const fn pass(&mut self, log: &mut ProcessWatch) {
        self.since += 1;
        if log.epoch != self.epoch {
            log.epoch = self.epoch;
            self.acted += 1;
        }
    }

    fn keep(&mut self, watch: ProcessWatch) {
        let Some(rare) = watch.rare else { return };
        let Rare { mut output, label, .. } = *rare;
        output.trim(self.wish.output);
        if output.total > 0 {
            self.outputs.push((watch.pid, output));
        }
        if let Some(label) = label {
            self.labels.insert(watch.pid, label);
        }
    }

    /// Takes over what is kept for a process that is alive at the end.
    pub fn take(&mut self, watch: &ProcessWatch) {
        self.keep(watch.clone());
    }
}

impl Observer for Watcher {
    type Log = ProcessWatch;
    const WANTS_MESSAGES: bool = true;

    fn born(&mut self, pid: Pid, _: Option<&ProcessWatch>, _: u16) -> ProcessWatch {
        let shown = self.wish.acts.get(&pid).cloned();
        let next = shown.as_ref().and_then(|s| s.first().copied()).unwrap_or(u64::MAX);
        let rare = |shown| Rare {
            shown: Some(shown),
            ..Rare::default()
        };
        ProcessWatch {
            pid,
            next,
            tally: ActionTally::default(),
            epoch: u32::MAX,
            rare: shown.map(|shown| Box::new(rare(shown))),
        }
    }

    #[inline]
    fn wants_message(&self, log: &ProcessWatch) -> bool {
        log.is_next() || self.contents.are_recorded()
    }

    #[inline]
    fn plain_send(&mut self, log: &mut ProcessWatch) -> bool {
        if log.is_next() || !self.wish.mail.is_empty() {
            return false;
        }
        log.tally.counts.actions += 1;
        log.tally.counts.sends += 1;
        self.pass(log);
        true
    }

    #[inline]
    fn plain_rec(&mut self, log: &mut ProcessWatch, _: Tag) -> bool {
        if log.is_next() || self.contents.are_recorded() {
            return false;
        }
        log.tally.counts.actions += 1;
        log.tally.counts.receives += 1;
        self.pass(log);
        true
    }

    #[inline]
    fn action(&mut self, log: &mut ProcessWatch, event: &ActionEvent<'_>) {
        log.tally.add(event.action);
        note_name(event, &mut self.tables);
        if let Kind::Test {
            of,
            name,
            note: TestNote::Began,
        } = event.action.kind
            && event.program.terms() == Terms::Elixir
        {
            self.tests.entry(of).or_insert(name);
        }
        if let Detail::Output(bytes) = event.detail {
            log.tell(&mut self.told, |rare| rare.output.push(bytes, self.wish.output));
        }
        if self.contents.are_recorded()
            && let (Kind::Rec(_), Detail::Received { message: Some(message) }) = (&event.action.kind, event.detail)
        {
            self.contents
                .received(log.pid, log.tally.counts.receives, event.program, message);
        }
        let mailed = !self.wish.mail.is_empty() && self.is_mail(log, event);
        if mailed {
            self.mailed.push(event.id());
        }
        if event.number.0 == log.next {
            self.render(log, event);
        } else {
            if mailed {
                self.see(log, event);
            }
            self.pass(log);
        }
    }

    fn ended(&mut self, _: &mut ProcessWatch, ending: &Ending<'_>) {
        self.contents.ended(ending);
        if self.wish.subject != Some(ending.pid) {
            return;
        }
        self.end = Some(SeenEnd::of(ending, self.wish.frames, self.wish.chars));
    }

    fn buried(&mut self, log: ProcessWatch) {
        self.keep(log);
    }
}

impl Watcher {
    #[cold]
    fn render(&mut self, log: &mut ProcessWatch, event: &ActionEvent<'_>) {
        self.order.push(ShownAction {
            pid: event.pid,
            number: event.number.0,
            actions: std::mem::take(&mut self.since),
            processes: std::mem::take(&mut self.acted),
        });
        self.epoch += 1;
        log.next = log.rare.as_mut().map_or(u64::MAX, |rare| {
            rare.at += 1;
            let next = rare.shown.as_ref().and_then(|s| s.get(rare.at).copied());
            next.unwrap_or(u64::MAX)
        });
        self.see(log, event);
    }

    /// Is it a message to one of the processes in `mail`?
    fn is_mail(&self, log: &ProcessWatch, event: &ActionEvent<'_>) -> bool {
        let Detail::Sent { to: Some(to), .. } = event.detail else {
            return false;
        };
        let tag = Tag::Sent {
            by: event.pid,
            k: SendNo(log.tally.counts.sends),
        };
        let mail = self.wish.mail.get(&to);
        mail.is_some_and(|mail| !mail.known.contains(&tag)) && self.mailed.len() < MAIL
    }

    fn see(&mut self, log: &mut ProcessWatch, event: &ActionEvent<'_>) {
        let style = Style::shown(event.program);
        let chars = self.wish.chars;
        let heap = &event.machine.heap;
        let (peer, content) = (peer(event), content(event, chars));
        let is_test = matches!(event.action.kind, Kind::Test { .. });
        let kept = (self.wish.terms || is_test).then(|| match event.detail {
            Detail::Sent { message, .. } | Detail::Value(message) => Some(Value::of(heap, message, &style)),
            Detail::Received { message } => message.map(|m| Value::of_fragment(m, event.program)),
            Detail::Ended(reason) => {
                let class = match event.action.kind {
                    Kind::Exit { class } => Some(class),
                    _ => None,
                };
                Some(without_stack(class, reason, event.program))
            }
            Detail::None | Detail::TimedOut(_) | Detail::Output(_) => None,
        });
        if log.rare.as_ref().is_none_or(|rare| rare.label.is_none()) {
            let label = runs(event.machine, event.program);
            log.tell(&mut self.told, |rare| rare.label = label);
        }
        let native = native(event);
        let known = log.rare.as_ref().map_or(0, |rare| rare.catches);
        let catches = catches::catches(event.machine, event.program, known);
        if let Some(last) = catches.last() {
            let number = last.number + 1;
            log.tell(&mut self.told, |rare| rare.catches = number);
        }
        let seen = SeenAction {
            catches,
            peer,
            content,
            said: rendered::banner(event, chars),
            peaceful: rendered::is_peaceful(event),
            term: kept.flatten(),
            input: event.action.kind.input_class(),
            purpose: match event.detail {
                Detail::TimedOut(0) => Some(Purpose::Look),
                Detail::TimedOut(_) if event.machine.sleeps(event.program) => Some(Purpose::Sleep),
                Detail::TimedOut(_) => Some(Purpose::Wait),
                _ => None,
            },
            place: here(event.machine, event.program),
            tally: log.tally,
            frames: match &self.wish.own {
                Some(own) => self.own_frames(event, own, event.number.0 <= FIRST_ACTIONS),
                None => self.frames(event),
            },
            keys: keys(event, chars),
            table: table(event, &self.tables),
            file: matches!(event.action.kind.input_class(), Some(log_format::InputClass::File))
                .then(|| file(event, chars))
                .flatten(),
            written: self.wish.terms.then(|| rendered::written(event)).flatten(),
            dictionary: self.wish.terms.then(|| rendered::dictionary(event)).flatten(),
            native,
            timer: native.and_then(|native| rendered::timer(event, native)),
            raised: match event.detail {
                // The reason of an exit signal comes from another process, and so does a stack trace in it.
                Detail::Ended(reason) if !matches!(event.action.kind, Kind::Signal { .. }) => {
                    let places = raised(reason, event.program);
                    let fails = |class| class != log_format::ExitClass::Normal;
                    match places.is_empty() && matches!(event.action.kind, Kind::Exit { class } if fails(class)) {
                        true => caught_before(event.machine, event.program),
                        false => places,
                    }
                }
                _ if is_test => caught(event).1,
                _ => Vec::new(),
            },
        };
        self.seen.insert(event.id(), seen);
    }
}

/// The native function that did it.
fn native(event: &ActionEvent<'_>) -> Option<NativeName> {
    let by_itself = matches!(
        event.action.kind,
        Kind::Rec(_) | Kind::After | Kind::Signal { .. } | Kind::Exit { .. } | Kind::Version { .. }
    );
    (!by_itself).then(|| {
        let native = event.program.native(event.native);
        NativeName {
            module: native.module,
            name: native.name,
            arity: native.arity,
        }
    })
}

/// The other process of an action.
fn peer(event: &ActionEvent<'_>) -> Option<Pid> {
    match event.detail {
        Detail::Sent { to, .. } => to,
        _ => name::peer(event.action),
    }
}

/// What was sent, received, obtained, written, or the reason of an end.
fn content(event: &ActionEvent<'_>, chars: usize) -> Option<Content> {
    let style = Style::shown(event.program);
    let term = |t: Term| Content::of(&event.machine.heap, t, &style, chars);
    let content = match event.detail {
        Detail::None | Detail::TimedOut(_) => None,
        Detail::Sent { message, .. } => Some(term(message)),
        Detail::Received { message } => message.map(|m| Content::of_fragment(m, event.program, chars)),
        Detail::Output(bytes) => Some(quoted(bytes, chars).into()),
        Detail::Value(value) => Some(term(value)),
        Detail::Ended(fragment) => rendered::plain(event.action, fragment, event.program, chars).map(Content::from),
    };
    match &event.action.kind {
        Kind::Halt { code } => Some(code.to_string().into()),
        Kind::Test { .. } => content.map(|content| format!("{} {content}", caught(event).0).into()),
        Kind::Input { .. } => content.map(|content| match file(event, chars) {
            Some(file) => format!("{content} (file {file})").into(),
            None => content,
        }),
        _ => content,
    }
}

impl Watcher {
    /// The innermost activation of the program's own code at an action; `all`: and the places of the others.
    fn own_frames(&self, event: &ActionEvent<'_>, own: &FxHashSet<String>, all: bool) -> Vec<SeenFrame> {
        let is_near = self.wish.near.contains(&event.id());
        let terms = event.program.terms();
        let bare = |place: Option<vm::SourceLocation<'_>>| SeenFrame {
            place: place.map(|place| places::place(place, terms)),
            variables: Vec::new(),
        };
        if event.machine.depth(DEEP_STACK) >= DEEP_STACK && !is_near {
            let here = here(event.machine, event.program);
            let owned = here.filter(|place| own.contains(&place.file));
            return owned.map_or_else(Vec::new, |place| {
                vec![SeenFrame {
                    place: Some(place),
                    variables: Vec::new(),
                }]
            });
        }
        let style = Style::shown(event.program);
        let frames = event.machine.frames(event.program);
        let is_own = |frame: &&vm::Frame<'_>| frame.location.is_some_and(|l| own.contains(l.file));
        let mut list = Vec::new();
        if let Some(frame) = frames.iter().find(is_own) {
            let value = |(name, term): (String, Option<Term>)| {
                Some(SeenVariable {
                    name,
                    value: print::short(&event.machine.heap, term?, self.wish.chars, &style),
                    ..SeenVariable::default()
                })
            };
            list.push(SeenFrame {
                variables: match is_near {
                    true => crate::named::variables(&frame.variables, terms)
                        .filter_map(value)
                        .collect(),
                    false => Vec::new(),
                },
                ..bare(frame.location)
            });
        }
        if all {
            let rest = frames.iter().rev().take(MAX_ACTIVATIONS);
            list.extend(rest.map(|frame| bare(frame.location)));
        }
        list
    }

    /// The innermost activations at an action.
    fn frames(&self, event: &ActionEvent<'_>) -> Vec<SeenFrame> {
        if self.wish.variables == 0 {
            return Vec::new();
        }
        let is_near = || self.wish.near.contains(&event.id());
        if event.machine.depth(DEEP_STACK) >= DEEP_STACK && !is_near() {
            return vec![SeenFrame {
                place: here(event.machine, event.program),
                variables: Vec::new(),
            }];
        }
        let style = Style::shown(event.program);
        let chars = self.wish.chars;
        let parts = match event.detail {
            Detail::Received { message: Some(message) } => parts(&Value::of_fragment(message, event.program)),
            _ => Vec::new(),
        };
        let heap = &event.machine.heap;
        let frames = event.machine.frames(event.program).into_iter();
        frames
            .filter(|frame| frame.location.is_some())
            .take(self.wish.variables)
            .map(|frame| {
                let known = |(name, term): (String, Option<Term>)| {
                    let term = term?;
                    let value = (self.wish.terms || !parts.is_empty()).then(|| Value::of(heap, term, &style));
                    Some(SeenVariable {
                        name,
                        value: print::short(heap, term, chars, &style),
                        of_message: value.as_ref().is_some_and(|value| parts.contains(value)),
                        term: value.filter(|_| self.wish.terms),
                    })
                };
                SeenFrame {
                    place: frame.location.map(|location| place(location, style.terms)),
                    variables: crate::named::variables(&frame.variables, style.terms)
                        .filter_map(known)
                        .collect(),
                }
            })
            .collect()
    }
}

//! The observer of a replay: renders the actions that will be shown, and only these; keeps what was printed.

use std::sync::Arc;

use interpreter::heap::{Fragment, Heap};
use interpreter::print::{self, Style};
use interpreter::term::Term;
use interpreter::vm;
use log_format::{ActionNo, Kind, Pid, SendNo, Tag};
use rustc_hash::{FxHashMap, FxHashSet};
use system::observer::{Detail, Ending, Event, Observer};
use system::{TableKind, table_key_hash, table_value_hash};

use crate::contents::{Contents, Recorded};
use crate::name::{self, Tally};
use crate::view::Place;

/// What is to be rendered.
#[derive(Clone, Debug, Default)]
pub struct Wish {
    /// By process, the numbers of the actions that will be shown, ascending.
    pub acts: FxHashMap<Pid, Arc<[u64]>>,
    /// The process whose end is of interest.
    pub subject: Option<Pid>,
    /// Characters of a rendered term, at most.
    pub chars: usize,
    /// Bytes of output that are kept of a process, the last ones.
    pub output: usize,
    /// Frames of a process that are rendered.
    pub frames: usize,
    /// Innermost activations whose variables are rendered with each action.
    pub variables: usize,
    /// Of processes whose stacks are very deep the variables are rendered with these actions only: each costs a walk over the whole stack.
    pub near: FxHashSet<(Pid, u64)>,
    /// Processes for which every message that is sent to them is rendered, too.
    pub mail: FxHashMap<Pid, Mail>,
}

/// Numbers of actions as a [`Wish`] wants them: ascending, each once.
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
    /// They are known already.
    pub known: FxHashSet<Tag>,
}

/// An action as it was seen.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Seen {
    /// The other process.
    pub peer: Option<Pid>,
    /// Message, value, bytes or reason.
    pub content: Option<String>,
    /// Where.
    pub place: Option<Place>,
    /// Actions of its kind up to here.
    pub tally: Tally,
    /// The innermost activations, if they were wished for.
    pub frames: Vec<SeenFrame>,
    /// Keys of tables that it used, by their numbers in the log.
    pub keys: Vec<(u64, String)>,
    /// The name of the table that it used, where it was used by its name.
    pub table: Option<String>,
    /// Is it a call of `register`?
    pub registers: bool,
    /// Does it set a timer, whose message comes when it expires?
    pub timer: bool,
    /// At an end: the places of the stack trace in its reason, the innermost first.
    pub raised: Vec<Place>,
}

/// An activation as it was seen at an action.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SeenFrame {
    /// Where it stood.
    pub place: Option<Place>,
    /// Its variables, in order of binding.
    pub variables: Vec<SeenVariable>,
}

/// A variable as it was seen at an action.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SeenVariable {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: String,
    /// Is the value the message just received, or a part of it?
    pub of_message: bool,
}

/// The end of the subject.
#[derive(Clone, Debug)]
pub struct SeenEnd {
    /// `None`: by an exit signal.
    pub class: Option<vm::EndClass>,
    /// The reason.
    pub reason: String,
    /// Its activations, innermost first.
    pub frames: Vec<crate::view::Frame>,
    /// How many there were.
    pub depth: usize,
    /// Its process dictionary.
    pub dictionary: Vec<crate::view::Variable>,
    /// The places of the stack trace in its reason, the innermost first.
    pub raised: Vec<Place>,
    /// The values of its variables, by activation, with the file of each.
    values: Vec<(String, crate::subject::Values)>,
}

impl SeenEnd {
    /// The variables of the innermost activation of a function of the program, or of any.
    #[must_use]
    pub fn variables(&self, owns: impl Fn(&str) -> bool) -> crate::subject::Values {
        let own = self.values.iter().find(|(file, _)| owns(file));
        own.or_else(|| self.values.first())
            .map_or_else(Vec::new, |(_, known)| known.clone())
    }

    /// What is shown of an end: so many activations, and so many characters of a value.
    #[must_use]
    pub fn of(ending: &Ending<'_>, frames: usize, chars: usize) -> Self {
        let style = Style::unicode(ending.program);
        let (frames, depth) = crate::subject::frames(ending.machine, ending.program, frames, chars);
        Self {
            class: ending.class,
            reason: reason(ending.class, ending.reason, ending.program, chars),
            frames,
            depth,
            dictionary: crate::subject::dictionary(ending.machine, &style, chars),
            raised: raised(ending.reason, ending.program),
            values: crate::subject::all_values(ending.machine, ending.program, VALUES),
        }
    }
}

/// So many places of a stack trace are read, and so many messages to a process rendered.
const RAISED: usize = 16;
const MAIL: usize = 10_000;
/// Of so many activations of a process that has ended the values are kept.
const VALUES: usize = 12;

/// So many objects are looked at for their keys, and so many characters of a key are shown.
const KEYS: usize = 64;
const KEY_CHARS: usize = 40;

/// A stack of so many activations is deep.
const DEEP: usize = 1000;

/// What a process printed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Output {
    /// How much, in bytes.
    pub total: u64,
    /// The last bytes of it.
    pub kept: Vec<u8>,
}

impl Output {
    /// Adds bytes; keeps at least the last `limit` of all.
    pub fn push(&mut self, bytes: &[u8], limit: usize) {
        self.total += bytes.len() as u64;
        self.kept.extend_from_slice(bytes);
        if self.kept.len() > limit.saturating_mul(2) {
            self.trim(limit);
        }
    }
    /// Keeps the last `limit` bytes.
    pub fn trim(&mut self, limit: usize) {
        let skip = self.kept.len().saturating_sub(limit);
        self.kept.drain(..skip);
    }
}

/// What is kept of each process.
#[derive(Clone, Debug)]
pub struct Watch {
    pid: Pid,
    /// The next action to render; `u64::MAX`: none.
    next: u64,
    tally: Tally,
    /// After how many shown actions it acted last.
    epoch: u32,
    /// What most processes do not have.
    rare: Option<Box<Rare>>,
}

/// What is kept of a process of which something is shown, or that prints.
#[derive(Clone, Debug, Default)]
struct Rare {
    /// Where in `shown`.
    at: usize,
    shown: Option<Arc<[u64]>>,
    /// What it printed.
    output: Output,
    label: Option<String>,
}

impl Rare {
    /// Is there anything in it that [`Watcher::take`] keeps?
    const fn tells(&self) -> bool {
        self.output.total > 0 || self.label.is_some()
    }
}

impl Watch {
    /// What most do not have, to be changed; its process is noted in `told` when this is the first time that it tells of something.
    fn tell(&mut self, told: &mut Vec<Pid>, change: impl FnOnce(&mut Rare)) {
        let rare = self.rare.get_or_insert_default();
        let before = rare.tells();
        change(rare);
        if rare.tells() && !before {
            told.push(self.pid);
        }
    }

    /// Is the action that comes now to be rendered?
    #[inline]
    const fn is_next(&self) -> bool {
        self.tally.counts.actions + 1 == self.next
    }
}

/// An action that was rendered, and what was done between the one rendered before and it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shown {
    /// The process.
    pub pid: Pid,
    /// The number of the action.
    pub number: u64,
    /// So many actions in between.
    pub actions: u64,
    /// Of so many processes.
    pub processes: u64,
}

/// Renders what will be shown.
#[derive(Debug, Default)]
pub struct Watcher {
    wish: Wish,
    /// What was rendered, in the order in which it was replayed: a causal order.
    pub order: Vec<Shown>,
    /// Actions since the last of these, and the processes that did them.
    since: u64,
    acted: u64,
    epoch: u32,
    /// Compares with what the recorder noted of contents.
    pub contents: Contents,
    /// The actions that were rendered.
    pub seen: FxHashMap<(Pid, u64), Seen>,
    /// Messages that were rendered because of whom they were sent to.
    pub mailed: Vec<(Pid, u64)>,
    /// Processes of which [`Watcher::take`] keeps something, in the order in which they came to it: among very many they need not be looked for.
    pub told: Vec<Pid>,
    /// Processes of which something was rendered, with the function that they run.
    pub labels: FxHashMap<Pid, String>,
    /// Output of processes that have ended.
    pub outputs: Vec<(Pid, Output)>,
    /// The end of the subject.
    pub end: Option<SeenEnd>,
}

impl Watcher {
    /// An observer that renders this.
    #[must_use]
    pub fn new(wish: Wish) -> Self {
        Self {
            wish,
            ..Self::default()
        }
    }

    /// One that also compares with what the recorder noted of contents.
    #[must_use]
    pub fn comparing(wish: Wish, recorded: Recorded) -> Self {
        Self {
            contents: Contents::of(recorded),
            ..Self::new(wish)
        }
    }

    /// An action that is not shown.
    #[inline]
    const fn pass(&mut self, log: &mut Watch) {
        self.since += 1;
        if log.epoch != self.epoch {
            log.epoch = self.epoch;
            self.acted += 1;
        }
    }

    fn keep(&mut self, watch: Watch) {
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

    /// Takes over what is kept of a process that lives at the end.
    pub fn take(&mut self, watch: &Watch) {
        self.keep(watch.clone());
    }
}

impl Observer for Watcher {
    type Log = Watch;
    const WANTS_MESSAGES: bool = true;

    fn born(&mut self, pid: Pid, _: Option<&Watch>, _: u16) -> Watch {
        let shown = self.wish.acts.get(&pid).cloned();
        let next = shown.as_ref().and_then(|s| s.first().copied()).unwrap_or(u64::MAX);
        let rare = |shown| Rare {
            shown: Some(shown),
            ..Rare::default()
        };
        Watch {
            pid,
            next,
            tally: Tally::default(),
            epoch: u32::MAX,
            rare: shown.map(|shown| Box::new(rare(shown))),
        }
    }

    #[inline]
    fn wants_message(&self, log: &Watch) -> bool {
        log.is_next() || self.contents.are_recorded()
    }

    #[inline]
    fn plain_send(&mut self, log: &mut Watch) -> bool {
        if log.is_next() || !self.wish.mail.is_empty() {
            return false;
        }
        log.tally.counts.actions += 1;
        log.tally.counts.sends += 1;
        self.pass(log);
        true
    }

    #[inline]
    fn plain_rec(&mut self, log: &mut Watch, _: Tag) -> bool {
        if log.is_next() || self.contents.are_recorded() {
            return false;
        }
        log.tally.counts.actions += 1;
        log.tally.counts.receives += 1;
        self.pass(log);
        true
    }

    #[inline]
    fn action(&mut self, log: &mut Watch, event: &Event<'_>) {
        log.tally.add(event.action);
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
            self.mailed.push((event.pid, event.number.0));
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

    fn ended(&mut self, _: &mut Watch, ending: &Ending<'_>) {
        self.contents.ended(ending);
        if self.wish.subject != Some(ending.pid) {
            return;
        }
        self.end = Some(SeenEnd::of(ending, self.wish.frames, self.wish.chars));
    }

    fn buried(&mut self, log: Watch) {
        self.keep(log);
    }
}

impl Watcher {
    #[cold]
    fn render(&mut self, log: &mut Watch, event: &Event<'_>) {
        self.order.push(Shown {
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

    /// Is it a message to one of those whose messages are rendered?
    fn is_mail(&self, log: &Watch, event: &Event<'_>) -> bool {
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

    fn see(&mut self, log: &mut Watch, event: &Event<'_>) {
        let style = Style::unicode(event.program);
        let chars = self.wish.chars;
        let heap = &event.machine.heap;
        let term = |t: Term| print::short(heap, t, chars, &style);
        let mut peer = name::peer(event.action);
        let content = match event.detail {
            Detail::None => None,
            Detail::Sent { to, message } => {
                peer = to;
                Some(term(message))
            }
            Detail::Received { message } => message.map(|m| fragment(m, event.program, chars)),
            Detail::Output(bytes) => Some(quoted(bytes, chars)),
            Detail::Value(value) => Some(term(value)),
            Detail::Ended(fragment) => ended(event.action, fragment, event.program, chars),
        };
        let content = match &event.action.kind {
            Kind::Halt { code } => Some(code.to_string()),
            Kind::Input { .. } => content.map(|content| match file(event, chars) {
                Some(file) => format!("{content} (file {file})"),
                None => content,
            }),
            _ => content,
        };
        if log.rare.as_ref().is_none_or(|rare| rare.label.is_none()) {
            let label = runs(event.machine, event.program);
            log.tell(&mut self.told, |rare| rare.label = label);
        }
        let seen = Seen {
            peer,
            content,
            place: here(event.machine, event.program),
            tally: log.tally,
            frames: self.frames(event),
            keys: keys(event, chars),
            table: table(event),
            registers: matches!(event.action.kind, Kind::Access) && {
                let native = event.program.native(event.native);
                native.module == "erlang" && native.name == "register"
            },
            timer: matches!(event.action.kind, Kind::Send)
                && matches!(event.program.native(event.native).name, "send_after" | "start_timer"),
            raised: match event.detail {
                Detail::Ended(reason) => raised(reason, event.program),
                _ => Vec::new(),
            },
        };
        self.seen.insert((event.pid, event.number.0), seen);
    }
}

impl Watcher {
    /// The innermost activations at an action.
    fn frames(&self, event: &Event<'_>) -> Vec<SeenFrame> {
        if self.wish.variables == 0 {
            return Vec::new();
        }
        let is_near = || self.wish.near.contains(&(event.pid, event.number.0));
        if event.machine.depth(DEEP) >= DEEP && !is_near() {
            return vec![SeenFrame {
                place: here(event.machine, event.program),
                variables: Vec::new(),
            }];
        }
        let style = Style::unicode(event.program);
        let chars = self.wish.chars;
        let parts = match event.detail {
            Detail::Received { message: Some(message) } => parts(message, event.program, chars),
            _ => Vec::new(),
        };
        let heap = &event.machine.heap;
        let frames = event.machine.frames(event.program).into_iter();
        frames
            .filter(|frame| frame.location.is_some())
            .take(self.wish.variables)
            .map(|frame| {
                let known = |(name, term): (interpreter::atom::Atom, Option<Term>)| {
                    let value = print::short(heap, term?, chars, &style);
                    Some(SeenVariable {
                        name: crate::words::safe(name.as_str()),
                        of_message: parts.contains(&value),
                        value,
                    })
                };
                SeenFrame {
                    place: frame.location.map(place),
                    variables: frame.variables.into_iter().filter_map(known).collect(),
                }
            })
            .collect()
    }
}

/// The name of the file that an input is about, where its native takes one.
fn file(event: &Event<'_>, chars: usize) -> Option<String> {
    let native = event.program.native(event.native);
    let is_file = native.module == "file" || native.module == "prim_file" || native.name.contains("file");
    let heap = &event.machine.heap;
    let args = event.machine.args().iter().filter(|_| is_file);
    // As an atom or a list of characters, or a binary; else it is a file that is open.
    let style = Style::unicode(event.program);
    args.map(|arg| print::short(heap, *arg, chars, &style))
        .map(|text| match text.strip_prefix("<<\"") {
            Some(rest) => format!("\"{}", rest.trim_end_matches(">>")),
            None => text,
        })
        .find(|text| text.starts_with('"'))
}

/// The keys of tables that an action used, by their numbers in the log: they are among the arguments of the native.
fn keys(event: &Event<'_>, chars: usize) -> Vec<(u64, String)> {
    let used = event.action.accesses.iter().filter_map(|access| match access.resource {
        log_format::Resource::TableKey { key, .. } => Some(key),
        _ => None,
    });
    let used: Vec<u64> = used.collect();
    let (heap, args) = (&event.machine.heap, event.machine.args());
    if used.is_empty() || event.program.native(event.native).module != "ets" {
        return Vec::new();
    }
    let Some(&given) = args.get(1) else { return Vec::new() };
    // A key, an object, or some objects.
    let objects = heap.list(given).unwrap_or_default();
    let objects = std::iter::once(given).chain(objects.into_iter().take(KEYS));
    let elements = objects.flat_map(|object| {
        let inside = heap.tuple(object).map(<[Term]>::to_vec).unwrap_or_default();
        std::iter::once(object).chain(inside)
    });
    let style = Style::unicode(event.program);
    let mut found: Vec<(u64, String)> = Vec::new();
    for term in elements {
        let hashes = [TableKind::Set, TableKind::OrderedSet].map(|kind| table_key_hash(heap, term, kind));
        for hash in hashes.into_iter().chain([table_value_hash(heap, term)]) {
            if used.contains(&hash) && !found.iter().any(|(known, _)| *known == hash) {
                found.push((hash, print::short(heap, term, chars.min(KEY_CHARS), &style)));
            }
        }
    }
    found
}

/// The name of the table that a native used, where that is how the program names it.
fn table(event: &Event<'_>) -> Option<String> {
    let table = |access: &log_format::Access| {
        matches!(
            access.resource,
            log_format::Resource::Table(_)
                | log_format::Resource::TableKey { .. }
                | log_format::Resource::TableContents(_)
        )
    };
    if !event.action.accesses.iter().any(table) || event.program.native(event.native).module != "ets" {
        return None;
    }
    let name = event.machine.args().first()?.as_atom()?;
    Some(crate::words::cut(&crate::words::safe(name.as_str()), KEY_CHARS))
}

/// The places of the first stack trace in the reason of an end: `{badarith,[{stock,take,2,[{file,"stock.erl"},{line,7}]},…]}`.
fn raised(reason: &Fragment, program: &vm::Program) -> Vec<Place> {
    let mut heap = Heap::new(program.literals().clone());
    let mut level = vec![heap.import(reason)];
    // The reason of a process that a behaviour runs may hold that of another.
    for _ in 0..4 {
        for term in &level {
            let places: Vec<Place> = stack(&heap, *term).collect();
            if !places.is_empty() {
                return places;
            }
        }
        let inside = |t: &Term| heap.tuple(*t).map(<[Term]>::to_vec).unwrap_or_default();
        level = level.iter().flat_map(inside).take(RAISED).collect();
    }
    Vec::new()
}

/// The entries of a stack trace that have a place.
fn stack(heap: &Heap, term: Term) -> impl Iterator<Item = Place> {
    let entries = heap.list(term).unwrap_or_default();
    entries.into_iter().take(RAISED).filter_map(move |entry| {
        let &[module, function, arity, info] = heap.tuple(entry)? else {
            return None;
        };
        let (module, function) = (module.as_atom()?, function.as_atom()?);
        let arity = match arity.as_small() {
            Some(n) => usize::try_from(n).ok()?,
            None => heap.list(arity)?.len(),
        };
        let pairs = heap.list(info)?;
        let value = |key: &str| {
            pairs.iter().find_map(|pair| match heap.tuple(*pair)? {
                &[name, value] if name.as_atom()?.as_str() == key => Some(value),
                _ => None,
            })
        };
        let characters = heap.list(value("file")?)?;
        let file: Option<String> = characters
            .into_iter()
            .map(|c| char::from_u32(u32::try_from(c.as_small()?).ok()?))
            .collect();
        Some(Place {
            file: crate::words::safe(&file?),
            line: u32::try_from(value("line")?.as_small()?).ok()?,
            column: 1,
            function: crate::words::safe(&format!("{}:{}/{arity}", module.as_str(), function.as_str())),
        })
    })
}

/// A message and the elements of its tuples down to the second level, as they are printed.
fn parts(message: &Fragment, program: &vm::Program, chars: usize) -> Vec<String> {
    let mut heap = Heap::new(program.literals().clone());
    let term = heap.import(message);
    let style = Style::unicode(program);
    let elements = |t: Term| heap.tuple(t).map(<[Term]>::to_vec).unwrap_or_default();
    let first = elements(term);
    let second: Vec<Term> = first.iter().flat_map(|t| elements(*t)).collect();
    let all = std::iter::once(term).chain(first).chain(second);
    all.map(|t| print::short(&heap, t, chars, &style)).collect()
}

/// What a process runs, for people: what `proc_lib` started it for (the module, where it is a behaviour's), or its outermost function.
pub fn runs(machine: &vm::Process, program: &vm::Program) -> Option<String> {
    let text = match started(machine) {
        Some((module, "init", 1)) => module.to_owned(),
        Some(("supervisor", module, _)) => format!("supervisor {module}"),
        Some((_, function, arity)) => crate::words::function(&format!("{function}/{arity}")),
        None => {
            let frames = machine.frames(program);
            let place = frames.iter().rev().find_map(|f| f.location)?;
            crate::words::function(&format!("{}/{}", place.function.as_str(), place.arity))
        }
    };
    Some(crate::words::cut(&crate::words::safe(&text), 28))
}

/// What `proc_lib` noted of how it started a process.
pub fn started(machine: &vm::Process) -> Option<(&'static str, &'static str, i64)> {
    let pairs = machine.local.dictionary.iter();
    let heap = &machine.heap;
    let call = pairs
        .filter(|(key, _)| key.as_atom().is_some_and(|atom| atom.as_str() == "$initial_call"))
        .find_map(|(_, value)| heap.tuple(value).map(<[Term]>::to_vec))?;
    match call.as_slice() {
        &[module, function, arity] => Some((
            module.as_atom()?.as_str(),
            function.as_atom()?.as_str(),
            arity.as_small()?,
        )),
        _ => None,
    }
}

/// The outermost function of a process, `server/0`.
pub fn label(machine: &vm::Process, program: &vm::Program) -> Option<String> {
    let frames = machine.frames(program);
    let place = frames.iter().rev().find_map(|f| f.location)?;
    Some(crate::words::cut(
        &crate::words::safe(&format!("{}/{}", place.function.as_str(), place.arity)),
        24,
    ))
}

/// Where a process stands: the innermost place in a module of the program, not of the library, if there is one.
#[must_use]
pub fn here(machine: &vm::Process, program: &vm::Program) -> Option<Place> {
    machine.location(program).map(place)
}

/// A place for people.
#[must_use]
pub fn place(location: vm::SourceLocation<'_>) -> Place {
    let vm::SourceLocation {
        module,
        file,
        line,
        column,
        function,
        arity,
    } = location;
    Place {
        file: crate::words::safe(file),
        line,
        column,
        function: crate::words::safe(&format!("{}:{}/{arity}", module.as_str(), function.as_str())),
    }
}

/// A term that is in no heap.
#[must_use]
pub fn fragment(fragment: &Fragment, program: &vm::Program, chars: usize) -> String {
    let mut heap = Heap::new(program.literals().clone());
    let term = heap.import(fragment);
    print::short(&heap, term, chars, &Style::unicode(program))
}

fn ended(action: &log_format::Action, reason: &Fragment, program: &vm::Program, chars: usize) -> Option<String> {
    let class = match &action.kind {
        Kind::Exit {
            class: log_format::ExitClass::Normal,
        } => return None,
        Kind::Exit {
            class: log_format::ExitClass::Error,
        } => Some(vm::EndClass::Error),
        Kind::Exit {
            class: log_format::ExitClass::Exit,
        } => Some(vm::EndClass::Exit),
        Kind::Exit {
            class: log_format::ExitClass::Throw,
        } => Some(vm::EndClass::Throw),
        _ => None,
    };
    Some(self::reason(class, reason, program, chars))
}

/// The reason of an end, with its class; of an error without the stack.
pub fn reason(class: Option<vm::EndClass>, reason: &Fragment, program: &vm::Program, chars: usize) -> String {
    let mut heap = Heap::new(program.literals().clone());
    let term = heap.import(reason);
    let style = Style::unicode(program);
    let inner = |i: usize| heap.tuple(term).and_then(|t| t.get(i).copied()).unwrap_or(term);
    let nested = |t: Term| heap.tuple(t).filter(|t| t.len() == 2).map_or(t, |t| t[1]);
    match class {
        None | Some(vm::EndClass::Normal) => print::short(&heap, term, chars, &style),
        Some(vm::EndClass::Exit) => format!("exit {}", print::short(&heap, term, chars, &style)),
        Some(vm::EndClass::Error) => format!("error {}", print::short(&heap, inner(0), chars, &style)),
        // A throw that nobody catches is `{nocatch, Value}` with a stack.
        Some(vm::EndClass::Throw) => format!("throw {}", print::short(&heap, nested(inner(0)), chars, &style)),
    }
}

/// Bytes as a text in double quotes, on one line.
fn quoted(bytes: &[u8], chars: usize) -> String {
    // A character has at most four bytes.
    let head = &bytes[..bytes.len().min(chars.saturating_mul(4))];
    let text = crate::words::safe(&String::from_utf8_lossy(head).replace('\\', "\\\\").replace('"', "\\\""));
    let cut = crate::words::cut(&text, chars);
    format!("\"{cut}\"")
}

/// The action with its number, for tests and errors.
#[must_use]
pub fn event_target(pid: Pid, number: ActionNo) -> String {
    format!("event:{pid}/{number}")
}

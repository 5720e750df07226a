//! The way from the log and the replay to the columns of a page.

use interpreter::print::Terms;
use log_format::{Action, ActionId, Kind, Pid, Resource, Tag, TestNote, Trace, Version};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::Input;
use crate::columns::{ListedUse, Texts, UseLists};
use crate::files::{File, Files, PlaceRow};
use crate::graph::{Graph, NONE};
use crate::pick::{PageContents, Picked};
use crate::processes::{self, Lane};
use crate::watch::Scene;
use session::act;
use session::content::Content;
use session::error::Error;
use session::view::{Act, ActKind, FunctionName, SourcePlace};
use session::watch::SeenAction;

/// Targets are kept as text in a page of at most so many actions. In a larger one, all are `event:PID/N`, which needs no text.
const NAMED: usize = 60_000;
/// Limit: bytes of all texts of a page, after which only actions that are told get their variables.
const TEXTS: usize = 4_000_000;
/// It is no cause of what is explained.
pub const NO_CAUSE: i32 = 1;
/// It is routine: not shown unless something is told of it.
const ROUTINE: i32 = 2;
/// No function of the program was active. Not told to the page.
const NO_OWN: i32 = 8;
/// It was done by a function of the library.
const LIBRARY: i32 = 4;
/// It ends something, and is a failure.
const FAILURE: i32 = 16;
/// It writes something shared.
const WRITE: i32 = 32;

/// One column each, before actions are ordered.
#[derive(Default)]
pub struct Rows {
    /// Index of the process.
    pub lane: Vec<i32>,
    /// Number of the action in its process.
    pub number: Vec<i32>,
    /// Kind.
    pub kind: Vec<i32>,
    /// Index of the other process.
    pub peer: Vec<i32>,
    /// Place in the source.
    pub place: Vec<i32>,
    /// Text of the content.
    pub content: Vec<i32>,
    /// Text of what is shown of it, if that is less.
    pub label: Vec<i32>,
    /// List of what it used.
    pub uses: Vec<i32>,
    /// Text of the target, if it has a name of its own.
    pub target: Vec<i32>,
    /// Flags.
    pub flags: Vec<i32>,
    /// Variables: action, name, value.
    pub variables: Vec<(i32, i32, i32)>,
}

/// What was gathered.
pub struct Gathered {
    /// The actions, by process.
    pub rows: Rows,
    /// Their causes.
    pub graph: Graph,
    /// The processes.
    pub lanes: Vec<Lane>,
    /// All texts.
    pub texts: Texts,
    /// Lists of uses.
    pub uses: UseLists,
    /// The kinds.
    pub kinds: Texts,
    /// Places in the source.
    pub places: Vec<PlaceRow>,
    /// The files.
    pub files: Vec<File>,
    /// Which actions there are.
    pub held: PageActions,
    /// Waits, by process.
    pub waits: FxHashMap<String, i32>,
    /// Are there actions whose variables did not fit?
    pub without_variables: bool,
}

/// The way from the log and the replay to the columns.
pub struct Gathering<'a> {
    input: &'a Input<'a>,
    trace: &'a Trace,
    scene: &'a Scene,
    picked: &'a Picked,
    lanes: Vec<Lane>,
    lane_of: FxHashMap<Pid, i32>,
    files: Files<'a>,
    places: FxHashMap<(i32, u32, FunctionName), i32>,
    place_list: Vec<PlaceRow>,
    texts: Texts,
    use_lists: UseLists,
    kinds: Texts,
    rows: Rows,
    named: bool,
    held: PageActions,
    /// Processes in which the program's own code ran.
    own_lanes: FxHashSet<i32>,
    /// By process: signals sent up to each of its actions.
    sends: FxHashMap<Pid, Vec<u64>>,
    signals: Vec<Option<Tag>>,
    reads: Vec<(i32, ActionId)>,
    /// Uses of each shared thing: the version, whether it was only read, and the action.
    uses: FxHashMap<Resource, Vec<(Version, bool, i32)>>,
    /// Who looked at a process, and up to which of its actions.
    observed: Vec<(i32, ActionId)>,
    without_variables: bool,
}

impl<'a> Gathering<'a> {
    /// Nothing is gathered yet.
    ///
    /// # Errors
    /// The trace is damaged.
    pub fn new(input: &'a Input<'a>, choice: &'a PageContents, scene: &'a Scene) -> Result<Self, Error> {
        let trace = input.session.trace();
        let sources = input.session.sources();
        let mut peers: Vec<Pid> = scene.seen.values().filter_map(|seen| seen.peer).collect();
        peers.push(input.found.pid);
        peers.extend(input.why.waits.iter().filter_map(|wait| wait.pid.parse::<Pid>().ok()));
        let lanes = processes::lanes(trace, &choice.picked, &peers, scene, sources)?;
        let total: usize = choice.picked.values().map(Vec::len).sum();
        Ok(Self {
            input,
            trace,
            scene,
            picked: &choice.picked,
            lane_of: processes::indices(&lanes),
            lanes,
            files: Files::new(sources),
            places: FxHashMap::default(),
            place_list: Vec::new(),
            texts: Texts::default(),
            use_lists: UseLists::default(),
            kinds: Texts::default(),
            rows: Rows::default(),
            named: total <= NAMED,
            held: FxHashMap::default(),
            own_lanes: FxHashSet::default(),
            sends: FxHashMap::default(),
            signals: Vec::new(),
            reads: Vec::new(),
            uses: FxHashMap::default(),
            observed: Vec::new(),
            without_variables: false,
        })
    }

    /// Gathers all.
    ///
    /// # Errors
    /// The trace is damaged.
    pub fn run(mut self, told: &[ActionId]) -> Result<Gathered, Error> {
        for (pid, list) in self.picked {
            self.process(*pid, list, told)?;
        }
        self.fold_plumbing();
        processes::rename(&mut self.lanes, self.input.why, &causality::first_names(self.trace)?);
        let waits = self.waits();
        let graph = self.graph()?;
        Ok(Gathered {
            files: self.files.finish(&self.scene.lines, &self.place_list),
            rows: self.rows,
            graph,
            lanes: self.lanes,
            texts: self.texts,
            uses: self.use_lists,
            kinds: self.kinds,
            places: self.place_list,
            held: self.held,
            without_variables: self.without_variables,
            waits,
        })
    }

    /// Processes that run nothing of the program, such as a test runner's, are routine, and so is what others tell them. Processes of behaviours
    /// are named by their module, and do the program's work.
    fn fold_plumbing(&mut self) {
        let is_plumbing = |lane: i32| {
            let known = usize::try_from(lane).ok().and_then(|lane| self.lanes.get(lane));
            !self.own_lanes.contains(&lane)
                && known.is_some_and(|lane| lane.name.as_ref().is_some_and(|name| !name.is_lasting()))
        };
        for at in 0..self.rows.lane.len() {
            let flags = &mut self.rows.flags[at];
            if *flags & NO_OWN != 0 && (is_plumbing(self.rows.lane[at]) || is_plumbing(self.rows.peer[at])) {
                *flags |= ROUTINE;
            }
            *flags &= !NO_OWN;
        }
    }

    /// The actions of a process.
    fn process(&mut self, pid: Pid, list: &[u64], told: &[ActionId]) -> Result<(), Error> {
        let base = self.trace.process(pid)?.base;
        let first = self.rows.lane.len() as i32;
        let mut sends = Vec::with_capacity(list.len());
        let mut wanted = list.iter().copied().peekable();
        let mut held = Vec::with_capacity(list.len());
        for item in self.trace.log(pid)?.without_values() {
            let Some(next) = wanted.peek() else { break };
            let (number, action) = item?;
            if number.0 != *next {
                continue;
            }
            wanted.next();
            let id = ActionId::new(pid, number.0);
            let Some(seen) = self.scene.seen.get(&id) else { continue };
            held.push(number.0);
            sends.push(seen.tally.counts.sends);
            let mut act = act::shown(self.trace, pid, &action, &seen.tally, base, Some(seen));
            act::add_names(&mut act, &self.scene.names);
            self.row(&act, &action, seen, told.binary_search(&id).is_ok());
        }
        self.held.insert(pid, (first, held));
        self.sends.insert(pid, sends);
        Ok(())
    }

    fn row(&mut self, act: &Act, action: &Action, seen: &SeenAction, is_told: bool) {
        let at = self.rows.lane.len() as i32;
        let sources = self.input.session.sources();
        let frame = seen.frames.first();
        let own = frame.filter(|frame| frame.place.as_ref().is_some_and(|place| sources.owns(&place.file)));
        let raised = seen.raised.iter().find(|place| sources.owns(&place.file));
        let place = own
            .and_then(|frame| frame.place.as_ref())
            .or(raised)
            .or(seen.place.as_ref());
        let in_library = seen.place.as_ref().is_some_and(|place| !sources.owns(&place.file));
        let said = act
            .content
            .as_ref()
            .map(|content| (content, label(act, content, in_library)));
        let mut flags = 0;
        if act.number > self.input.causes.get(act.pid) {
            flags |= NO_CAUSE;
        }
        if in_library {
            flags |= LIBRARY;
        }
        if is_failure(act, action) {
            flags |= FAILURE;
        }
        if act.accesses.iter().any(|one| one.access.write) {
            flags |= WRITE;
        }
        if !is_told && is_routine(self.trace, act.kind, action, in_library) {
            flags |= ROUTINE;
        }
        let place = place.map_or(NONE, |place| self.place(place));
        let uses = session::shared::texts(&act.accesses).into_iter().map(|one| ListedUse {
            text: self.texts.number(&one.text),
            brief: self.texts.maybe(one.brief.as_deref()),
        });
        let uses = uses.collect();
        let uses = self.use_lists.number(uses);
        let lane = self.lane_of.get(&act.pid).copied().unwrap_or(NONE);
        if own.is_some() || raised.is_some() {
            self.own_lanes.insert(lane);
        } else if !is_told {
            flags |= NO_OWN;
        }
        let rows = &mut self.rows;
        rows.lane.push(lane);
        rows.number.push(i32::try_from(act.number).unwrap_or(i32::MAX));
        rows.kind.push(self.kinds.number(act.kind.word()));
        rows.peer.push(
            act.peer
                .and_then(|peer| self.lane_of.get(&peer).copied())
                .unwrap_or(NONE),
        );
        rows.place.push(place);
        rows.content.push(self.texts.maybe(act.content.as_deref()));
        let label = said.and_then(|(content, label)| (label != content.text).then_some(label));
        rows.label.push(self.texts.maybe(label.as_deref()));
        rows.uses.push(uses);
        // Any other is `event:PID/N`.
        let target =
            (self.named && act.target != ActionId::new(act.pid, act.number).to_string()).then_some(act.target.as_str());
        rows.target.push(self.texts.maybe(target));
        rows.flags.push(flags);
        // Of large states, those of actions that are told are kept.
        let has_room = is_told || self.texts.bytes() < TEXTS;
        let own_variables = own.iter().filter(|_| has_room);
        self.without_variables |= own.is_some_and(|frame| !frame.variables.is_empty()) && !has_room;
        for variable in own_variables.flat_map(|frame| &frame.variables) {
            let pair = (self.texts.number(&variable.name), self.texts.number(&variable.value));
            rows.variables.push((at, pair.0, pair.1));
        }
        self.signals.push(action.kind.consumed());
        self.reads.extend(action.read_from().map(|by| (at, by)));
        for access in causality::accesses(act.pid, action) {
            let uses = self.uses.entry(access.resource).or_default();
            uses.push((access.version, !access.write, at));
        }
        if let Kind::Observe { of: Some(of), .. } = action.kind {
            self.observed.push((at, of));
        }
    }

    fn place(&mut self, place: &SourcePlace) -> i32 {
        let file = self.files.number(&place.file);
        let key = (file, place.line, place.function);
        if let Some(number) = self.places.get(&key) {
            return *number;
        }
        let number = self.place_list.len() as i32;
        let module = session::words::safe(session::words::module(place.function.module.as_str(), place.terms));
        let function = match place.terms {
            Terms::Erlang => place.function.local(),
            Terms::Elixir => place.called(),
        };
        self.place_list.push((file, place.line, module, function));
        self.places.insert(key, number);
        number
    }

    /// Processes that wait for ever get a last row, although waiting is no action.
    fn waits(&mut self) -> FxHashMap<String, i32> {
        let why = self.input.why;
        let mut waits = FxHashMap::default();
        let mut list: Vec<(Pid, String)> = Vec::new();
        if self.input.found.runs_on {
            list.push((self.input.found.pid, "waits".to_owned()));
        }
        for wait in &why.waits {
            if let Ok(pid) = wait.pid.parse::<Pid>() {
                match list.iter_mut().find(|(known, _)| *known == pid) {
                    Some((_, text)) => wait.state.clone_into(text),
                    None => list.push((pid, wait.state.clone())),
                }
            }
        }
        for (pid, text) in list {
            let Some(lane) = self.lane_of.get(&pid).copied() else {
                continue;
            };
            let frames = why.process.frames.first().filter(|_| pid == self.input.found.pid);
            let place = frames.and_then(|frame| frame.place.as_ref());
            let place = place.map_or(NONE, |place| self.place(place));
            let rows = &mut self.rows;
            waits.insert(pid.to_string(), rows.lane.len() as i32);
            rows.lane.push(lane);
            rows.number
                .push(i32::try_from(self.lanes[lane as usize].actions + 1).unwrap_or(i32::MAX));
            rows.kind.push(self.kinds.number(ActKind::Wait.word()));
            rows.peer.push(NONE);
            rows.place.push(place);
            rows.content.push(self.texts.number(&text));
            rows.label.push(NONE);
            rows.uses.push(NONE);
            rows.target.push(self.texts.number(&format!("end:{pid}")));
            rows.flags.push(0);
            self.signals.push(None);
        }
        waits
    }

    /// Names of actions as indices.
    fn graph(&mut self) -> Result<Graph, Error> {
        let count = self.rows.lane.len();
        let mut graph = Graph {
            before: vec![NONE; count],
            signal: vec![NONE; count],
            reads: Vec::new(),
            uses: self.earlier(),
        };
        let index = |held: &PageActions, id: ActionId| index_of(held, id);
        for (pid, (first, numbers)) in &self.held {
            let parent = self.trace.process(*pid)?.parent;
            for (k, _) in numbers.iter().enumerate() {
                graph.before[*first as usize + k] = match k {
                    0 => parent.map_or(NONE, |spawn| index(&self.held, spawn)),
                    _ => first + k as i32 - 1,
                };
            }
        }
        // A wait follows the last action of its process.
        let real: usize = self.held.values().map(|(_, numbers)| numbers.len()).sum();
        for at in real..count {
            let pid = self.lanes[self.rows.lane[at] as usize].pid;
            graph.before[at] = last_of(&self.held, pid);
        }
        for (at, tag) in self.signals.iter().enumerate() {
            graph.signal[at] = tag.map_or(NONE, |tag| self.sender(tag));
        }
        for (at, by) in &self.reads {
            let id = match by.number.0 {
                0 => self.trace.process(by.pid)?.parent,
                _ => Some(*by),
            };
            let writer = id.map_or(NONE, |id| index(&self.held, id));
            if writer != NONE && writer != graph.before[*at as usize] {
                graph.reads.push((*at, writer));
            }
        }
        graph.reads.sort_unstable();
        graph.reads.dedup();
        Ok(graph)
    }

    /// What used a shared thing before another action wrote it, and what looked at a process before it went on: the earlier one is no cause, but
    /// stands above.
    fn earlier(&mut self) -> Vec<(i32, i32)> {
        let mut earlier = Vec::new();
        for uses in self.uses.values_mut() {
            uses.sort_unstable();
            let (mut written, mut read) = (NONE, Vec::new());
            for (_, is_read, at) in uses.iter().copied() {
                if written != NONE {
                    earlier.push((at, written));
                }
                if is_read {
                    read.push(at);
                } else {
                    earlier.extend(read.drain(..).map(|one| (at, one)));
                    written = at;
                }
            }
        }
        for (at, of) in &self.observed {
            let next = of.number.0.saturating_add(1);
            earlier.push((index_of(&self.held, ActionId::new(of.pid, next)), *at));
        }
        earlier.retain(|(later, one)| *later != NONE && later != one);
        earlier.sort_unstable();
        earlier.dedup();
        earlier
    }

    /// The index of the action that sent a signal.
    fn sender(&self, tag: Tag) -> i32 {
        let found = |by: &Pid| self.held.get(by).filter(|(_, numbers)| !numbers.is_empty());
        match tag {
            Tag::Sent { by, k } => {
                let (Some((first, _)), Some(sends)) = (found(&by), self.sends.get(&by)) else {
                    return NONE;
                };
                let at = sends.partition_point(|sent| *sent < k.0);
                // In a page with gaps, the send may be between two of its actions.
                let id = |at: usize| first + at as i32;
                match sends.get(at) {
                    Some(_) if at == 0 || self.is_next(by, at) || sends[at - 1] + 1 == sends[at] => id(at),
                    _ => NONE,
                }
            }
            Tag::EndTo { by, .. } | Tag::EndRef { by, .. } | Tag::EndTable { by, .. } => {
                let last = self
                    .lane_of
                    .get(&by)
                    .map_or(0, |lane| self.lanes[*lane as usize].actions);
                index_of(&self.held, ActionId::new(by, last))
            }
            Tag::Limit { .. } => NONE,
        }
    }

    /// Does the action at this place follow the one before it, without a gap?
    fn is_next(&self, pid: Pid, at: usize) -> bool {
        let numbers = self.held.get(&pid).map(|(_, numbers)| numbers);
        numbers.is_some_and(|numbers| numbers[at] == numbers[at - 1] + 1)
    }
}

/// Actions of a page by process: the first index, and the numbers.
pub type PageActions = FxHashMap<Pid, (i32, Vec<u64>)>;

/// The index of an action; none if the page does not hold it.
pub fn index_of(held: &PageActions, id: ActionId) -> i32 {
    let found = held.get(&id.pid).and_then(|(first, numbers)| {
        let at = numbers.binary_search(&id.number.0).ok()?;
        Some(first + at as i32)
    });
    found.unwrap_or(NONE)
}

/// The index of the last action of a process; none if the page holds none of it.
pub fn last_of(held: &PageActions, pid: Pid) -> i32 {
    let found = held.get(&pid).filter(|(_, numbers)| !numbers.is_empty());
    found.map_or(NONE, |(first, numbers)| first + numbers.len() as i32 - 1)
}

/// What a program said, without what a behaviour wraps around it.
fn label(act: &Act, content: &Content, in_library: bool) -> String {
    match (act.kind, content.speech(in_library)) {
        (ActKind::Send | ActKind::Rec, speech) => speech.brief(),
        _ => content.to_string(),
    }
}

/// Does it end something, and is that a failure?
const fn is_failure(act: &Act, action: &Action) -> bool {
    match &action.kind {
        Kind::Exit { .. } => !act.peaceful,
        Kind::Halt { code } => *code != 0,
        Kind::Test { note, .. } => matches!(note, TestNote::Failed { .. }),
        _ => false,
    }
}

/// Is it a step that says nothing to the program's author?
fn is_routine(trace: &Trace, kind: ActKind, action: &Action, in_library: bool) -> bool {
    match kind {
        ActKind::Drop | ActKind::Observe => true,
        ActKind::Access | ActKind::Input | ActKind::After | ActKind::Nodes | ActKind::Version => {
            in_library || session::pick::is_bookkeeping(trace, action)
        }
        _ => false,
    }
}

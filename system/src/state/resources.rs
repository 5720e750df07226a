//! Shared resources and their versions (semantics.md §4), and how a step uses them: the same code when recording, when following a log, and
//! beyond it.

use std::collections::BTreeMap;
use std::sync::Arc;

use interpreter::atom::Atom;
use interpreter::heap::Fragment;
use interpreter::term::Pid;
use log_format::{Access, ActionId, Resource, Tag, TextId, Version};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::state::map::Map;
use crate::state::signal::Signal;

/// The value of a version of a resource.
#[derive(Clone, Debug, Default)]
pub enum Value {
    /// Nothing was ever written, or it was removed.
    #[default]
    Absent,
    /// A process.
    Pid(Pid),
    /// A term.
    Term(Fragment),
    /// A number.
    Number(i64),
    /// A table.
    Reference(interpreter::term::Reference),
    /// The holding of a table.
    Table(Arc<crate::state::tables::table::Holding>),
    /// What the name of a module stands for.
    Code(Arc<crate::state::modules::ModuleStanding>),
}

#[derive(Clone, Debug, Default)]
struct History {
    version: u64,
    by: Option<ActionId>,
    current: Value,
    /// Replay: all versions so far, so that old ones can still be read.
    old: BTreeMap<u64, Value>,
}

/// Replay: a timer whose message was not consumed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Timed {
    /// The timer.
    pub reference: interpreter::term::Reference,
    /// Its time, in milliseconds.
    pub after: u64,
    /// What its process had waited when it set it: `Past::waited`.
    pub set: u64,
}

/// All versioned resources.
pub struct Resources {
    /// Keep old versions (replay).
    keep: bool,
    map: Map<Resource, History>,
    texts: Arc<Vec<String>>,
    text_ids: Arc<FxHashMap<String, TextId>>,
    /// The ids of names of modules of the first node, so that a call of a disturbed module makes no text.
    modules: FxHashMap<Atom, TextId>,
    /// Replay: signals to processes that have not been created yet.
    pub early: Map<Pid, crate::state::pool::Pool>,
    /// Replay: messages of timers, and from other nodes, that are sent to a name; the receiver reads the name.
    pub afloat: Map<Tag, (Signal, Resource)>,
    /// Replay: messages of timers that were not consumed.
    pub timed: Map<Tag, Timed>,
    /// Replay: aliases to which something was sent, and aliases whose first message had come when they were closed.
    pub sent_to: FxHashSet<interpreter::term::Reference>,
    /// See `sent_to`.
    pub answered: Vec<interpreter::term::Reference>,
    /// For an observer that hears of what is sent: the aliases that processes had when they ended, as [`crate::state::rare::Past::aliases`].
    pub(crate) aliases: Map<Pid, Map<u64, crate::state::rare::AliasMode>>,
    /// A message to a process of the runtime, which answers nothing.
    pub unanswered: Option<Tag>,
    /// Replay: who has called `link` and `unlink` about a partner: the caller, the partner, and whether it linked and unlinked.
    pub(crate) link_calls: FxHashMap<(Pid, Pid), [bool; 2]>,
    /// Replay: the first such call whose order against one of the partner matters.
    pub(crate) raced_link: Option<log_format::ActionId>,
    /// Replay: reasons of processes that ended with another reason than `normal`, for links and monitors that come later.
    pub abnormal_ends: Map<Pid, Fragment>,
    /// Recording: for messages that were sent to a name, the access to the name at their arrival: part of their `rec`, in `→` only.
    pub(crate) arrivals: FxHashMap<Tag, Access>,
    /// Keys of persistent terms that were ever put, by node and its incarnation.
    pub(crate) persistent: FxHashMap<(u16, u64), BTreeMap<Resource, Fragment>>,
    /// Links that were broken, by the two processes.
    pub(crate) pairs: Map<(Pid, Pid), crate::state::pair::Pair>,
    /// Counters.
    pub(crate) tallies: Map<Resource, crate::state::tally::CounterTally>,
    /// Words of all values.
    words: usize,
}

/// Overhead of a resource, or of an old version, in words.
const VERSION_WORDS: usize = 12;

impl Value {
    fn words(&self) -> usize {
        match self {
            Self::Term(term) => term.size(),
            _ => 0,
        }
    }
}

impl Resources {
    /// The text that names a resource; empty if none does.
    #[must_use]
    pub fn text_of(&self, resource: Resource) -> &str {
        match resource {
            Resource::Other(text) => self.texts.get(text.0 as usize).map_or("", String::as_str),
            _ => "",
        }
    }

    /// No resource is written yet. `keep` old versions for replay.
    #[must_use]
    pub fn new(keep: bool) -> Self {
        Self {
            keep,
            map: Map::default(),
            texts: Arc::default(),
            text_ids: Arc::default(),
            modules: FxHashMap::default(),
            early: Map::default(),
            afloat: Map::default(),
            timed: Map::default(),
            sent_to: FxHashSet::default(),
            answered: Vec::new(),
            aliases: Map::default(),
            unanswered: None,
            link_calls: FxHashMap::default(),
            raced_link: None,
            abnormal_ends: Map::default(),
            arrivals: FxHashMap::default(),
            persistent: FxHashMap::default(),
            pairs: Map::default(),
            tallies: Map::default(),
            words: 0,
        }
    }
    /// A copy, which shares all that neither of the two changes.
    pub(crate) fn fork(&mut self) -> Self {
        Self {
            keep: self.keep,
            map: self.map.fork(),
            texts: Arc::clone(&self.texts),
            text_ids: Arc::clone(&self.text_ids),
            modules: self.modules.clone(),
            early: self.early.fork(),
            afloat: self.afloat.fork(),
            timed: self.timed.fork(),
            sent_to: self.sent_to.clone(),
            answered: self.answered.clone(),
            aliases: self.aliases.fork(),
            unanswered: self.unanswered,
            link_calls: self.link_calls.clone(),
            raced_link: self.raced_link,
            abnormal_ends: self.abnormal_ends.fork(),
            arrivals: self.arrivals.clone(),
            persistent: self.persistent.clone(),
            pairs: self.pairs.fork(),
            tallies: self.tallies.fork(),
            words: self.words,
        }
    }
    /// Approximate size in words.
    #[inline]
    pub(crate) fn words(&self) -> usize {
        let signals = self.early.len() + self.afloat.len() + self.timed.len() + self.abnormal_ends.len();
        self.words + (self.map.len() + self.pairs.len() + signals) * VERSION_WORDS
    }
    /// Takes over the list of texts of a recorded run.
    pub fn set_texts(&mut self, texts: Vec<String>) {
        self.text_ids = texts
            .iter()
            .enumerate()
            .map(|(i, t)| (t.clone(), TextId(i as u32)))
            .collect::<FxHashMap<String, TextId>>()
            .into();
        self.texts = Arc::new(texts);
        self.modules.clear();
    }
    /// Takes over the list of texts of another run of the same program, which begins with this one's.
    pub(crate) fn share_texts(&mut self, other: &Self) {
        if self.texts.len() < other.texts.len() {
            self.texts = Arc::clone(&other.texts);
            self.text_ids = other.text_ids.clone();
        }
    }
    /// A module of the first node.
    pub(crate) fn module(&mut self, name: Atom) -> Resource {
        if let Some(&id) = self.modules.get(&name) {
            return Resource::Module(id);
        }
        let id = self.text(name.as_str());
        self.modules.insert(name, id);
        Resource::Module(id)
    }
    /// Are old versions kept?
    pub(crate) const fn keeps(&self) -> bool {
        self.keep
    }
    /// Approximate size in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.words() * 8
    }
    /// The id of a text.
    pub fn text(&mut self, text: &str) -> TextId {
        if let Some(&id) = self.text_ids.get(text) {
            return id;
        }
        let id = TextId(self.texts.len() as u32);
        Arc::make_mut(&mut self.texts).push(text.to_owned());
        Arc::make_mut(&mut self.text_ids).insert(text.to_owned(), id);
        id
    }
    /// The id of a text, if it has one.
    #[must_use]
    pub fn known_text(&self, text: &str) -> Option<TextId> {
        self.text_ids.get(text).copied()
    }
    /// All texts, by id.
    #[must_use]
    pub fn texts(&self) -> &[String] {
        &self.texts
    }
    /// All that were ever used, with their current values.
    pub(crate) fn current(&self) -> impl Iterator<Item = (Resource, &Value)> {
        self.map.iter().map(|(resource, history)| (*resource, &history.current))
    }
    /// The current holder of a name.
    #[must_use]
    pub fn holder(&self, name: Resource) -> Option<Pid> {
        match self.map.get(&name)?.current {
            Value::Pid(pid) => Some(pid),
            _ => None,
        }
    }
    /// The current holder of a name for which a message arrives.
    pub(crate) fn arrives_at(&mut self, name: Resource, tag: Tag) -> Option<Pid> {
        let holder = self.holder(name)?;
        if !self.keep {
            let access = Access::read(name, Version(self.version(name)), None);
            self.arrivals.insert(tag, access);
        }
        Some(holder)
    }
    /// The names currently held on a node, sorted. `suffix`: what [`World::on_node`](crate::world::World) adds to names there.
    #[must_use]
    pub fn held_names(&self, node: u16, suffix: &str) -> Vec<Atom> {
        let held = |history: &History| matches!(history.current, Value::Pid(pid) if pid.node() == node);
        let mut names: Vec<&str> = self
            .map
            .iter()
            .filter(|(_, history)| held(history))
            .filter_map(|(resource, _)| match resource {
                Resource::Name(id) => self.texts.get(id.0 as usize).map(String::as_str),
                _ => None,
            })
            .map(|name| name.strip_suffix(suffix).unwrap_or(name))
            // Names that the library uses itself.
            .filter(|name| !name.starts_with('$'))
            .collect();
        names.sort_unstable();
        names.into_iter().map(Atom::new).collect()
    }
    /// Names of a node, held or free, that some action has written, sorted. `suffix`: as for [`Self::held_names`].
    pub(crate) fn used_names(&self, node: u16, suffix: &str) -> Vec<Resource> {
        let is_there = |resource: &Resource, history: &History| match (resource, &history.current) {
            (_, Value::Pid(pid)) => pid.node() == node,
            (Resource::Name(id), _) => self.texts.get(id.0 as usize).is_some_and(|text| match suffix {
                "" => !text.contains('@'),
                suffix => text.ends_with(suffix),
            }),
            _ => false,
        };
        let written = |(resource, history): (&Resource, &History)| {
            let is_name = matches!(resource, Resource::Name(_)) && history.by.is_some();
            (is_name && is_there(resource, history)).then_some(*resource)
        };
        let mut names: Vec<Resource> = self.map.iter().filter_map(written).collect();
        names.sort_unstable();
        names
    }
    /// Was it ever written?
    #[must_use]
    pub fn was_written(&self, resource: Resource) -> bool {
        self.map.contains_key(&resource)
    }
    /// The newest value.
    #[must_use]
    pub fn newest(&self, resource: Resource) -> Value {
        self.map.get(&resource).map(|h| h.current.clone()).unwrap_or_default()
    }
    /// Sets version 1 of a resource that existed before the run began.
    pub fn given(&mut self, resource: Resource, value: Value) {
        let history = History {
            version: 1,
            by: None,
            current: value.clone(),
            old: BTreeMap::from([(1, value)]),
        };
        self.map.insert(resource, history);
    }
    /// The newest version of a resource.
    #[must_use]
    pub fn version(&self, resource: Resource) -> u64 {
        self.map.get(&resource).map_or(0, |history| history.version)
    }
    /// The newest version, and its writer.
    #[inline]
    pub(crate) fn last_write(&self, resource: Resource) -> (Version, Option<ActionId>) {
        match self.map.get(&resource) {
            Some(history) => (Version(history.version), history.by),
            None => (Version(0), None),
        }
    }
    /// Notes that an action has written a version.
    #[inline]
    pub(crate) fn put(&mut self, resource: Resource, version: Version, value: Value, by: ActionId) {
        let history = self.map.get_or_default(resource);
        self.words += value.words();
        if self.keep {
            self.words += VERSION_WORDS;
            history.old.insert(version.0, value.clone());
        } else {
            self.words -= history.current.words();
        }
        if version.0 > history.version {
            history.version = version.0;
            history.by = Some(by);
            history.current = value;
        }
    }
    pub(crate) fn at(&self, resource: Resource, version: Version) -> Option<Value> {
        if version.0 == 0 {
            return Some(Value::Absent);
        }
        self.map.get(&resource)?.old.get(&version.0).cloned()
    }
}

/// The result of reading whether a process is alive.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Aliveness {
    /// Not created yet.
    Unborn,
    /// Alive.
    Alive,
    /// Ended.
    Dead,
}

impl Aliveness {
    /// A version of `alive(pid)`.
    pub(crate) const fn of(version: Version) -> Self {
        match version.0 {
            0 => Self::Unborn,
            1 => Self::Alive,
            _ => Self::Dead,
        }
    }
}

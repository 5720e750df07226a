//! Shared resources and their versions (semantics.md §4), and how a step uses them: the same code when recording, when following a
//! log, and beyond it.

use std::collections::BTreeMap;

use interpreter::atom::Atom;
use interpreter::heap::Fragment;
use interpreter::term::Pid;
use log_format::{Access, ActionId, Resource, Tag, TextId, Version};
use rustc_hash::FxHashMap;

use crate::ids;
use crate::observer::Observer;
use crate::process::{Lookup, Process, Signal};
use crate::system::{Interrupt, System};

/// What a step waits for in replay.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Wanted {
    /// A version of a resource.
    Version(Resource, Version),
    /// A write of a counter by this action.
    Written(Resource, log_format::ActionId),
    /// A write of the contents of a table by this action.
    Contents(log_format::ObjectId, crate::ets::Writer),
}

/// The value of a version.
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
    /// Who holds a table, and how.
    Table(std::sync::Arc<crate::ets::Holding>),
}

#[derive(Clone, Debug, Default)]
struct History {
    version: u64,
    by: Option<log_format::ActionId>,
    current: Value,
    /// Replay: all versions written so far, so that a read of an old one stays possible.
    old: BTreeMap<u64, Value>,
}

/// All versioned resources.
#[derive(Clone)]
pub struct Resources {
    /// Keep old versions (replay).
    keep: bool,
    map: FxHashMap<Resource, History>,
    texts: Vec<String>,
    text_ids: FxHashMap<String, TextId>,
    /// Replay: signals to processes that have not been born again yet.
    pub early: FxHashMap<Pid, crate::pool::Pool>,
    /// Replay: messages of timers, and from other nodes, whose receiver is a name; the name is read by who receives them.
    pub afloat: FxHashMap<Tag, (Signal, Resource)>,
    /// Replay: messages of timers that were not consumed, with the milliseconds after which each was to come.
    pub timed: FxHashMap<Tag, (interpreter::term::Reference, u64)>,
    /// Replay: reasons of processes that have ended otherwise than with `normal`, for links and monitors that come later.
    pub abnormal_ends: FxHashMap<Pid, Fragment>,
    /// Recording: messages that came to a name, with the name as it was read when they arrived: part of their `rec`, in `→` only.
    pub(crate) arrivals: FxHashMap<Tag, Access>,
    /// Keys of persistent terms that were ever put, by node and its incarnation.
    pub(crate) persistent: FxHashMap<(u16, u64), BTreeMap<Resource, Fragment>>,
    /// Links that were broken, by the two processes.
    pub(crate) pairs: FxHashMap<(Pid, Pid), crate::pairs::Pair>,
    /// Counters.
    pub(crate) tallies: FxHashMap<Resource, crate::tally::Tally>,
    /// Words of the values that are kept.
    words: usize,
}

/// Words of a resource, or of an old version, besides those of its value.
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
    /// Nothing was written yet. `keep` old versions for replay.
    #[must_use]
    pub fn new(keep: bool) -> Self {
        Self {
            keep,
            map: FxHashMap::default(),
            texts: Vec::new(),
            text_ids: FxHashMap::default(),
            early: FxHashMap::default(),
            afloat: FxHashMap::default(),
            timed: FxHashMap::default(),
            abnormal_ends: FxHashMap::default(),
            arrivals: FxHashMap::default(),
            persistent: FxHashMap::default(),
            pairs: FxHashMap::default(),
            tallies: FxHashMap::default(),
            words: 0,
        }
    }
    /// Words of memory that resources and their values take, about.
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
            .collect();
        self.texts = texts;
    }
    /// Are old versions kept?
    pub(crate) const fn keeps(&self) -> bool {
        self.keep
    }
    /// About how many bytes it takes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let versions: usize = self.map.values().map(|history| 1 + history.old.len()).sum();
        (versions + self.pairs.len()) * 64
            + (self.early.len() + self.afloat.len() + self.timed.len() + self.abnormal_ends.len()) * 96
    }
    /// The id of a text.
    pub fn text(&mut self, text: &str) -> TextId {
        if let Some(&id) = self.text_ids.get(text) {
            return id;
        }
        let id = TextId(self.texts.len() as u32);
        self.texts.push(text.to_owned());
        self.text_ids.insert(text.to_owned(), id);
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
    /// Who holds a name now.
    #[must_use]
    pub fn holder(&self, name: Resource) -> Option<Pid> {
        match self.map.get(&name)?.current {
            Value::Pid(pid) => Some(pid),
            _ => None,
        }
    }
    /// Who holds a name now that a message for it arrives.
    pub(crate) fn arrives_at(&mut self, name: Resource, tag: Tag) -> Option<Pid> {
        let holder = self.holder(name)?;
        if !self.keep {
            let access = Access::read(name, Version(self.version(name)), None);
            self.arrivals.insert(tag, access);
        }
        Some(holder)
    }
    /// Names that are held now on a node, sorted. `suffix`: what `System::on_node` adds there.
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
            // Names of the library's own.
            .filter(|name| !name.starts_with('$'))
            .collect();
        names.sort_unstable();
        names.into_iter().map(Atom::new).collect()
    }
    /// Names of a node, held or free, that some action wrote, sorted. `suffix`: what `System::on_node` adds there.
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
    /// A resource that was there before the run began, in version 1.
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
    /// Replay: what a logged write has read, or the version that is missing.
    ///
    /// # Errors
    /// If that was not written yet.
    pub fn before(&self, write: &Access) -> Result<Value, Wanted> {
        let version = Version(write.version.0.saturating_sub(1));
        self.at(write.resource, version)
            .ok_or(Wanted::Version(write.resource, version))
    }
    fn at(&self, resource: Resource, version: Version) -> Option<Value> {
        if version.0 == 0 {
            return Some(Value::Absent);
        }
        self.map.get(&resource)?.old.get(&version.0).cloned()
    }
}

/// What a step learns of the liveness of a process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Life {
    /// Not born when looked at.
    Unborn,
    /// Alive when looked at.
    Alive,
    /// Dead when looked at.
    Dead,
}

impl Life {
    /// A version of `alive(pid)`.
    const fn of(version: Version) -> Self {
        match version.0 {
            0 => Self::Unborn,
            1 => Self::Alive,
            _ => Self::Dead,
        }
    }
}

impl<O: Observer> System<O> {
    /// Reads a resource: the newest version, or the one that the log names.
    pub(crate) fn read(&mut self, p: &Process<O::Log>, resource: Resource) -> Result<Value, Interrupt> {
        if let Some(feed) = &p.feed {
            let Some(access) = feed.access(resource) else {
                return Err(Interrupt::Diverged(self.divergence(
                    p,
                    feed.describe_head(),
                    "it reads a shared resource that the recorded step did not use".to_owned(),
                )));
            };
            // What a write reads is the version before it.
            let version = Version(access.version.0 - u64::from(access.write && access.version.0 > 0));
            return match self.resources.at(resource, version) {
                Some(value) => {
                    if !access.write {
                        self.accesses.push(access);
                    }
                    Ok(value)
                }
                None => Err(Interrupt::Blocked(Wanted::Version(resource, version))),
            };
        }
        match self.resources.map.get(&resource) {
            Some(history) => {
                self.accesses
                    .push(Access::read(resource, Version(history.version), history.by));
                Ok(history.current.clone())
            }
            None => {
                self.accesses.push(Access::read(resource, Version(0), None));
                Ok(Value::Absent)
            }
        }
    }

    /// Writes a resource. `reads`: its value or the result of the step depends on the version before (which a call of [`Self::read`]
    /// gave, whose access this replaces).
    pub(crate) fn write(
        &mut self,
        p: &Process<O::Log>,
        resource: Resource,
        value: Value,
        reads: bool,
    ) -> Result<(), Interrupt> {
        let me = ActionId::new(ids::to_log(p.pid), p.actions + 1);
        let logged = self.logged_write(p, resource, "a shared resource")?;
        self.accesses.retain(|a| a.resource != resource);
        let keep = self.resources.keep;
        let history = self.resources.map.entry(resource).or_default();
        let access = logged.unwrap_or_else(|| {
            let version = Version(history.version + 1);
            if reads {
                Access::update(resource, version, history.by)
            } else {
                Access::write(resource, version)
            }
        });
        let version = access.version;
        self.resources.words += value.words();
        if keep {
            self.resources.words += VERSION_WORDS;
            history.old.insert(version.0, value.clone());
        } else {
            self.resources.words -= history.current.words();
        }
        if version.0 > history.version {
            history.version = version.0;
            history.by = Some(me);
            history.current = value;
        }
        self.accesses.push(access);
        self.wake(Wanted::Version(resource, version));
        Ok(())
    }

    /// Replay: the logged write of this resource by the step at hand; none when recording.
    ///
    /// # Errors
    /// [`Interrupt::Diverged`]: the recorded step did not write it.
    pub(crate) fn logged_write(
        &self,
        p: &Process<O::Log>,
        resource: Resource,
        what: &str,
    ) -> Result<Option<Access>, Interrupt> {
        let Some(feed) = &p.feed else { return Ok(None) };
        match feed.access(resource) {
            Some(access) if access.write => Ok(Some(access)),
            _ => Err(Interrupt::Diverged(self.divergence(
                p,
                feed.describe_head(),
                format!("it writes {what} that the recorded step did not write"),
            ))),
        }
    }

    /// Processes that wait for this can go on.
    pub(crate) fn wake(&mut self, wanted: Wanted) {
        if self.blocked.is_empty() {
            return;
        }
        for slot in self.blocked.remove(&wanted).unwrap_or_default() {
            if let Some(q) = self.table.get_mut(slot) {
                q.state = crate::process::State::Ready;
                self.scheduler.ready(slot);
            }
        }
    }

    /// Reads whether a process is alive: now, or as the log says. Earlier signals of the reader to it take effect first.
    pub(crate) fn read_life(&mut self, p: &mut Process<O::Log>, target: Pid) -> Result<Life, Interrupt> {
        if target != p.pid && p.feed.is_none() && !self.is_runtime(p, target) {
            self.settle_all(p, target);
            // What it sent before it ended came before anybody saw that it has.
            if matches!(self.table.find(target), Lookup::Dead(_)) {
                self.settle(target, p.pid);
                self.take_incoming(p);
            }
        }
        self.read_life_as_it_is(p, target)
    }

    /// The same, but signals of the reader that are on their way stay there.
    pub(crate) fn read_life_as_it_is(&mut self, p: &Process<O::Log>, target: Pid) -> Result<Life, Interrupt> {
        let resource = Resource::Alive(ids::to_log(target));
        if self.is_runtime(p, target) {
            return Ok(Life::Alive);
        }
        if let Some(feed) = &p.feed {
            let Some(access) = feed.access(resource) else {
                return Err(Interrupt::Diverged(self.divergence(
                    p,
                    feed.describe_head(),
                    format!(
                        "it depends on whether {} is alive, the recorded step did not",
                        ids::to_log(target)
                    ),
                )));
            };
            let reached = match self.table.find(target) {
                Lookup::Unborn => 0,
                Lookup::Alive(_) => 1,
                Lookup::Dead(_) => 2,
            };
            if reached < access.version.0 && target != p.pid {
                return Err(Interrupt::Blocked(Wanted::Version(resource, access.version)));
            }
            self.accesses.push(access);
            return Ok(Life::of(access.version));
        }
        let (life, version, by) = match self.table.find(target) {
            Lookup::Unborn => (Life::Unborn, 0, None),
            Lookup::Alive(slot) => {
                let parent = if target == p.pid {
                    p.parent
                } else {
                    self.table.get(slot).and_then(|q| q.parent)
                };
                (Life::Alive, 1, parent)
            }
            Lookup::Dead(actions) => (Life::Dead, 2, Some((target, actions))),
        };
        let by = by.map(|(pid, n)| ActionId::new(ids::to_log(pid), n));
        self.accesses.push(Access::read(resource, Version(version), by));
        Ok(life)
    }

    /// Notes whether a process is alive, in `→` only: the step comes before or after its end, and depends on neither.
    pub(crate) fn glance_at_life(&mut self, p: &Process<O::Log>, target: Pid) -> Life {
        let resource = Resource::Alive(ids::to_log(target));
        let logged = p.feed.as_ref().and_then(|feed| feed.access(resource));
        let access = logged.unwrap_or_else(|| {
            let version = match self.table.find(target) {
                Lookup::Unborn => 0,
                Lookup::Alive(_) => 1,
                Lookup::Dead(_) => 2,
            };
            Access::read(resource, Version(version), None)
        });
        self.accesses.push(access);
        Life::of(access.version)
    }

    /// Signals of `p` to `target` arrive and an exit signal among them takes effect, before `p` looks whether `target` lives.
    pub(crate) fn settle_all(&mut self, p: &mut Process<O::Log>, target: Pid) {
        self.settle(p.pid, target);
        if self.driven.is_some() {
            self.due_from(p.pid, target);
        }
        self.end_now(p, target);
    }
}

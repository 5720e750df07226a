//! Fields that few processes need: links, monitors, names, tables.

use std::collections::BTreeMap;
use std::ops::{Deref, DerefMut};
use std::sync::LazyLock;

use interpreter::atom::Atom;
use interpreter::heap::Fragment;
use interpreter::term::{Pid, Reference};
use log_format::Tag;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::state::map::Map;
use crate::state::nodes::NodeNews;
use crate::state::turns::Turns;

/// When an alias stops accepting messages, besides `unalias`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AliasMode {
    /// Never by itself.
    Explicit,
    /// With the first message.
    Reply,
    /// With the end of its monitor.
    Demonitor,
    /// It has stopped; `unalias` returns that.
    Spent,
    /// With the first message, which ends the monitor too, or with the end of the monitor.
    ReplyDemonitor,
}

/// A monitor, on the side of the process that set it.
#[derive(Clone, Debug)]
pub struct Monitor {
    /// The monitored process.
    pub target: Pid,
    /// The name by which it was monitored, which the 'DOWN' message then contains.
    pub name: Option<Atom>,
    /// First element of the message, instead of `'DOWN'`.
    pub tag: Option<Fragment>,
    /// Has it ended without the process having removed it? Not in replay, where the log says so.
    pub over: bool,
}

/// A monitor, on the side of the monitored process.
#[derive(Clone, Debug)]
pub struct Watcher {
    /// The process that set it.
    pub pid: Pid,
    /// As in [`Monitor`].
    pub name: Option<Atom>,
    /// As in [`Monitor`].
    pub tag: Option<Fragment>,
}

impl Monitor {
    /// The monitored process's side of it.
    #[must_use]
    pub fn watcher(&self, pid: Pid) -> Watcher {
        Watcher {
            pid,
            name: self.name,
            tag: self.tag.clone(),
        }
    }
}

/// How a process is traced.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Traced {
    /// The bits of its flags.
    pub flags: u8,
    /// Who gets the messages.
    pub tracer: Pid,
}

/// Fields that few processes need.
#[derive(Clone, Debug, Default)]
pub struct Rare {
    /// How it was traced when it was born.
    pub traced: Option<Traced>,
    /// Replay, with an observer that watches: the last message that was put into the mailbox.
    pub handed: Option<(Tag, Fragment)>,
    /// Linked processes. invariant: symmetric, as long as nothing is in flight.
    pub links: FxHashSet<Pid>,
    /// Recording: processes to which it has, or had, a link that was once broken, as long as both are alive.
    pub unlinked: FxHashSet<Pid>,
    /// Monitors that it has set, until it removes them or has received their 'DOWN'.
    pub monitors: FxHashMap<Reference, Monitor>,
    /// Monitors on it.
    pub watchers: BTreeMap<Reference, Watcher>,
    /// Monitors of its own that have ended and whose 'DOWN' may be in the mailbox, with its tag.
    pub fired: FxHashMap<Reference, Tag>,
    /// Names registered for it.
    pub names: Vec<Atom>,
    /// Has another process taken a name or a table away from it?
    pub robbed: bool,
    /// Aliases that still accept messages.
    pub aliases: FxHashMap<Reference, AliasMode>,
    /// Those of its aliases whose messages may come before ordinary ones.
    pub urgent: FxHashSet<Reference>,
    /// Those of its monitors whose messages come before ordinary ones.
    pub urgent_downs: FxHashSet<Reference>,
    /// Linked processes whose exit signals, as messages, come before ordinary ones.
    pub urgent_links: FxHashSet<Pid>,
    /// Tables that it owns.
    pub tables: Vec<Reference>,
    /// Tables that it has fixed.
    pub fixes: Vec<Reference>,
    /// What `process_flag/2` sets, besides `trap_exit`.
    pub flags: crate::state::flags::Flags,
    /// Processes that it has suspended, and how often.
    pub suspending: BTreeMap<Pid, u32>,
    /// Standard input that was read and not used; the next read starts with it.
    pub unread: Vec<u8>,
    /// Did the last read ask for binaries?
    pub unread_binary: bool,
    /// Nodes that it monitors, one entry for every call of `monitor_node/2`.
    pub node_monitors: Vec<u16>,
    /// How often it has asked for `{nodeup, _}` and `{nodedown, _}` of every node.
    pub node_events: u32,
    /// The contents of these messages, and of those of `monitor_node/2`, besides the name; `None` before it has asked for any.
    pub node_news: Option<NodeNews>,
    /// What it has seen of the modules that were loaded, deleted or purged at run time.
    pub modules: crate::state::modules::Views,
    /// The scheduler has seen that it stands before a call of such a module.
    pub stands_at_call: bool,
    /// Beyond its log: it has seen the module about which it stands at a question.
    pub has_asked: bool,
    /// Replay: what came of time and of order, for what can arrive beyond the log.
    pub past: Past,
}

/// Replay: what the actions of a process say about when signals arrived at it. Its own actions are numbered.
#[derive(Clone, Debug, Default)]
pub struct Past {
    /// The least time that has passed for it while a timer was set, in half milliseconds.
    pub waited: u64,
    /// Signals that had arrived when it did one of its actions.
    pub arrived: Map<Tag, u64>,
    /// Since which of its actions signals of some sort are accepted, or are not.
    pub turns: Turns,
    /// What others have seen of its mailbox.
    pub seen: Vec<SeenLength>,
    /// For an observer that hears of what is sent: the aliases that it has ever had, by number, with what ends each.
    pub aliases: Map<u64, AliasMode>,
    /// It has hibernated since it last received a message, and a message woke it up.
    pub woken: bool,
}

impl Past {
    /// An alias accepts nothing, from its beginning on.
    pub fn ends_alias(&mut self, number: u64) {
        if let Some(mode) = self.aliases.get_mut(&number) {
            *mode = AliasMode::Spent;
        }
    }

    /// What ends an alias that the process has, or had.
    #[must_use]
    pub fn alias(&self, number: u64) -> Option<AliasMode> {
        self.aliases.get(&number).copied()
    }

    /// Before its process is shared: from now on, a copy shares what does not change.
    pub fn settle(&mut self) {
        self.turns.settle();
        self.aliases.settle();
        self.arrived.settle();
    }
}

/// Another process has seen how many messages a process had in its mailbox.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SeenLength {
    /// After so many actions of the process.
    pub at: u64,
    /// So many messages.
    pub count: u64,
    /// The observation.
    pub by: log_format::ActionId,
}

impl Rare {
    /// A monitor or an alias has gone: when both have, none of its messages comes first.
    pub fn forget_urgent(&mut self, reference: Reference) {
        if !self.aliases.contains_key(&reference) && !self.monitors.contains_key(&reference) {
            self.urgent.remove(&reference);
            self.urgent_downs.remove(&reference);
        }
    }
}

/// A [`Rare`] that takes memory only once it is changed. Without one, a process that lives for four actions is a third smaller.
#[derive(Clone, Debug, Default)]
pub struct Seldom(Option<Box<Rare>>);

impl Seldom {
    /// The flag `max_heap_size`, if the heap is limited.
    #[inline]
    #[must_use]
    pub fn heap_limit(&self) -> Option<&crate::state::flags::MaxHeap> {
        self.0.as_deref().and_then(|rare| rare.flags.heap_limit())
    }

    /// Does it take memory?
    #[must_use]
    pub const fn is_there(&self) -> bool {
        self.0.is_some()
    }

    /// The number of links, monitors and aliases.
    #[inline]
    #[must_use]
    pub fn relations(&self) -> usize {
        let count = |rare: &Rare| rare.links.len() + rare.monitors.len() + rare.watchers.len() + rare.aliases.len();
        self.0.as_deref().map_or(0, count)
    }

    /// Before its process is shared: from now on, a copy shares what does not change.
    pub fn settle(&mut self) {
        if let Some(rare) = self.0.as_deref_mut() {
            rare.past.settle();
        }
    }

    /// Takes a part out of it, without allocating memory if there is none.
    pub fn take<T: Default>(&mut self, part: impl FnOnce(&mut Rare) -> &mut T) -> T {
        self.0
            .as_deref_mut()
            .map(|rare| std::mem::take(part(rare)))
            .unwrap_or_default()
    }
}

impl Deref for Seldom {
    type Target = Rare;
    #[inline]
    fn deref(&self) -> &Rare {
        static NONE: LazyLock<Rare> = LazyLock::new(Rare::default);
        self.0.as_deref().unwrap_or_else(|| &NONE)
    }
}

impl DerefMut for Seldom {
    fn deref_mut(&mut self) -> &mut Rare {
        self.0.get_or_insert_default()
    }
}

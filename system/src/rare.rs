//! What few processes have: links, monitors, names, tables.

use std::collections::BTreeMap;
use std::ops::{Deref, DerefMut};
use std::sync::LazyLock;

use interpreter::atom::Atom;
use interpreter::heap::Fragment;
use interpreter::term::{Pid, Reference};
use log_format::Tag;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::ops::nodes::NodeNews;

/// When an alias stops accepting messages, besides `unalias`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AliasMode {
    /// Never by itself.
    Explicit,
    /// With the first message.
    Reply,
    /// With the end of its monitor.
    Demonitor,
    /// It has stopped; `unalias` will say so.
    Spent,
    /// With the first message, which ends the monitor too, or with the end of the monitor.
    ReplyDemonitor,
}

/// A monitor held by the process that watches.
#[derive(Clone, Debug)]
pub struct Monitor {
    /// Who is watched.
    pub target: Pid,
    /// The name it was watched by, which the 'DOWN' message then carries.
    pub name: Option<Atom>,
    /// First element of the message, instead of `'DOWN'`.
    pub tag: Option<Fragment>,
    /// Has it ended without the process having asked for it? Beyond the log only: in replay the log tells.
    pub over: bool,
}

/// A monitor as the process that is watched knows it.
#[derive(Clone, Debug)]
pub struct Watcher {
    /// Who watches.
    pub pid: Pid,
    /// As in [`Monitor`].
    pub name: Option<Atom>,
    /// As in [`Monitor`].
    pub tag: Option<Fragment>,
}

impl Monitor {
    /// How the watched process knows it.
    #[must_use]
    pub fn watcher(&self, pid: Pid) -> Watcher {
        Watcher {
            pid,
            name: self.name,
            tag: self.tag.clone(),
        }
    }
}

/// Fields that few processes need.
#[derive(Clone, Debug, Default)]
pub struct Rare {
    /// Replay with a watching observer: the message that was last put into the mailbox.
    pub handed: Option<(Tag, Fragment)>,
    /// Linked processes. invariant: symmetric, as long as nothing is in flight.
    pub links: FxHashSet<Pid>,
    /// Recording: with whom it has a link that one of them has broken once, as long as both live.
    pub unlinked: FxHashSet<Pid>,
    /// Monitors that it holds, until it removes them or has received their 'DOWN'.
    pub monitors: FxHashMap<Reference, Monitor>,
    /// Monitors on it.
    pub watchers: BTreeMap<Reference, Watcher>,
    /// Monitors of its own that are no more and whose 'DOWN' may wait in the mailbox, with its tag.
    pub fired: FxHashMap<Reference, Tag>,
    /// Names registered for it.
    pub names: Vec<Atom>,
    /// Aliases that still accept messages.
    pub aliases: FxHashMap<Reference, AliasMode>,
    /// Tables that it owns.
    pub tables: Vec<Reference>,
    /// Tables that it has fixed.
    pub fixes: Vec<Reference>,
    /// What `process_flag/2` sets, besides `trap_exit`.
    pub flags: crate::flags::Flags,
    /// Whom it has suspended, and how often.
    pub suspending: BTreeMap<Pid, u32>,
    /// What it read of standard input and did not use: the next line that it reads.
    pub unread: Vec<u8>,
    /// What it has read last was for a program that wants binaries.
    pub unread_binary: bool,
    /// Nodes that it monitors, once for every call of `monitor_node/2`.
    pub node_monitors: Vec<u16>,
    /// How often it has asked for `{nodeup, _}` and `{nodedown, _}` of every node.
    pub node_events: u32,
    /// What these messages, and those of `monitor_node/2`, hold besides the name; none before it has asked for any.
    pub node_news: Option<NodeNews>,
}

/// A [`Rare`] that takes memory when it is first changed. A process that lives for four actions is a third smaller without one.
#[derive(Clone, Debug, Default)]
pub struct Seldom(Option<Box<Rare>>);

impl Seldom {
    /// The flag `max_heap_size`, if the heap is limited.
    #[inline]
    #[must_use]
    pub fn heap_limit(&self) -> Option<&crate::flags::MaxHeap> {
        self.0.as_deref().and_then(|rare| rare.flags.heap_limit())
    }

    /// Does it take memory?
    #[must_use]
    pub const fn is_there(&self) -> bool {
        self.0.is_some()
    }

    /// How many links, monitors and aliases there are.
    #[inline]
    #[must_use]
    pub fn relations(&self) -> usize {
        let count = |rare: &Rare| rare.links.len() + rare.monitors.len() + rare.watchers.len() + rare.aliases.len();
        self.0.as_deref().map_or(0, count)
    }

    /// Takes a part of it away, without giving memory to one that has nothing.
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

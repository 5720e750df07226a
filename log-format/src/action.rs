//! Actions (semantics.md §2): the logged steps, each with its accesses and sends. The one event type of the project: written by the recorder,
//! read by replay, printers and exporters.

use crate::ids::{ActionId, ActionNo, Node, ObjectId, Pid, SendNo, TextId, Version};
use crate::kinds::{Kind, TestNote};
use crate::record::REMOVED;

/// What a process observes (as an atom) that ends because its start is refused: the one that started it has been told (`proc_lib:init_ack/2`).
pub const START_REFUSED: &str = "$start_refused";

/// One atomic step of a process, as logged.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct Action {
    /// What kind of step it is.
    pub kind: Kind,
    /// How many signals of the sender's counter k it sent: 1 for [`Kind::Send`], 0 for most others, but a native of any kind may send (a link,
    /// an exit signal, a timer, a reply of the runtime). Signals of an end with other names (`Tag::EndTo` and its like) are not counted here.
    pub sends: u32,
    /// The shared resources that it used, in order.
    pub accesses: Vec<Access>,
}

impl Action {
    /// An action without accesses: one send for [`Kind::Send`], none for all others.
    #[must_use]
    pub const fn new(kind: Kind) -> Self {
        let sends = matches!(kind, Kind::Send) as u32;
        Self {
            kind,
            sends,
            accesses: Vec::new(),
        }
    }

    /// The actions that this one depends on because of what it read: the writers of the versions that it read, and the last action of a process
    /// that it observed (semantics.md §3, rules 4 and 5). Number 0 is the birth of a process.
    pub fn read_from(&self) -> impl Iterator<Item = ActionId> + '_ {
        let observed = match self.kind {
            Kind::Observe { of, .. } => of,
            _ => None,
        };
        self.accesses.iter().filter_map(|access| access.by).chain(observed)
    }

    /// This action with these accesses.
    #[must_use]
    pub fn with_accesses(mut self, accesses: Vec<Access>) -> Self {
        self.accesses = accesses;
        self
    }

    /// This action with this number of sends.
    #[must_use]
    pub const fn with_sends(mut self, sends: u32) -> Self {
        self.sends = sends;
        self
    }

    /// Takes out why a test failed. Returns how many values that were.
    pub fn leave_reason_out(&mut self) -> u64 {
        match &mut self.kind {
            Kind::Test {
                note: TestNote::Failed { reason, stack },
                ..
            } if reason != REMOVED => {
                REMOVED.clone_into(reason);
                stack.clear();
                1
            }
            _ => 0,
        }
    }

    /// Is it the last action of its process?
    #[must_use]
    pub const fn is_end(&self) -> bool {
        self.kind.is_end()
    }
}

/// One use of a shared resource (semantics.md §4).
///
/// - A **read** has `write: false`, the version that was read, and in `by` the action that wrote that version: the cause.
///   `by` is `None` where there is none (version 0) or where the read orders but does not cause (`→` only).
///   A scan, a size or a sum that sees several writes lists one read for each write it sees.
/// - A **blind write** has `write: true`, the version that it made, and `by: None`.
/// - A write that also **reads** what was there has in `by` the action that wrote the version before.
/// - Writes of one resource with the *same* version number commute (`counters:add`): neither is before the other. The first read
///   after them ends that version: the next write makes a new one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct Access {
    /// What was used.
    pub resource: Resource,
    /// The version that was read, or made.
    pub version: Version,
    /// Was it written?
    pub write: bool,
    /// The writer of the version that was read, as process and action.
    pub by: Option<ActionId>,
}

impl Access {
    /// A read of a version written by `by`.
    #[must_use]
    pub const fn read(resource: Resource, version: Version, by: Option<ActionId>) -> Self {
        Self {
            resource,
            version,
            write: false,
            by,
        }
    }

    /// A blind write that makes `version`.
    #[must_use]
    pub const fn write(resource: Resource, version: Version) -> Self {
        Self {
            resource,
            version,
            write: true,
            by: None,
        }
    }

    /// A write that makes `version` and has read the one before, written by `by`.
    #[must_use]
    pub const fn update(resource: Resource, version: Version, by: Option<ActionId>) -> Self {
        Self {
            resource,
            version,
            write: true,
            by,
        }
    }
}

/// The shared resources. Keys that are terms are identified by a hash that the recorder computes from the term alone; two keys with the same
/// hash are one resource.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Resource {
    /// `node(nid)`: odd versions are present, even ones absent.
    Node(Node),
    /// `name(atom)`: a registered name.
    Name(TextId),
    /// `alive(pid)`: version 0 unborn, 1 alive, 2 dead. A spawn writes version 1 of its child and an end version 2 of its process;
    /// these two writes are implied and not listed.
    Alive(Pid),
    /// A table as a whole: its existence, its owner and its heir.
    Table(ObjectId),
    /// The contents of a table, for scans and sizes. Its versions are those of its keys: version n is the result of the first n writes of keys,
    /// so no step writes it directly. A read lists one access for every process that wrote part of what was read, with its last such action; or
    /// one access without a writer.
    TableContents(ObjectId),
    /// One key of a table. All keys of a table share one count of versions: a write makes the next version of the contents.
    TableKey {
        /// The table.
        table: ObjectId,
        /// Hash of the key.
        key: u64,
    },
    /// A persistent term, by the hash of its key.
    Persistent(u64),
    /// A key of the application environment, by the hash of application and key.
    Env(u64),
    /// One counter of an array of `counters` or `atomics`.
    Counter {
        /// The array.
        array: ObjectId,
        /// Its index in the array, from 1.
        index: u64,
    },
    /// Whether a module is loaded, and in which version.
    Module(TextId),
    /// Whether an atom exists.
    Atom(TextId),
    /// The group leader of a process.
    GroupLeader(Pid),
    /// Anything else, by a name that the recorder gives.
    Other(TextId),
}

impl Resource {
    /// Does it contain the hash of a key?
    #[must_use]
    pub const fn has_key(&self) -> bool {
        matches!(self, Self::TableKey { .. } | Self::Persistent(_) | Self::Env(_))
    }

    /// Does it hold data: values that a program writes there and reads again?
    #[must_use]
    pub const fn is_data(&self) -> bool {
        self.has_key() || matches!(self, Self::TableContents(_) | Self::Counter { .. })
    }

    /// The same resource with another key, if it has one.
    #[must_use]
    pub const fn with_key(self, key: u64) -> Self {
        match self {
            Self::TableKey { table, .. } => Self::TableKey { table, key },
            Self::Persistent(_) => Self::Persistent(key),
            Self::Env(_) => Self::Env(key),
            other => other,
        }
    }
}

/// Counts over the first actions of a log.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default)]
pub struct Counts {
    /// Actions.
    pub actions: u64,
    /// Signals sent: the last k.
    pub sends: u64,
    /// Receives (`rec` actions).
    pub receives: u64,
}

impl std::fmt::Display for Counts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self {
            actions,
            sends,
            receives,
        } = self;
        write!(f, "{actions} actions, {sends} sends and {receives} receives")
    }
}

impl Counts {
    /// Counts one more action.
    #[inline]
    pub fn add(&mut self, action: &Action) {
        // The counts of earlier chunks come from a file.
        self.actions = self.actions.wrapping_add(1);
        self.sends = self.sends.wrapping_add(u64::from(action.sends));
        self.receives = self
            .receives
            .wrapping_add(u64::from(matches!(action.kind, Kind::Rec(_))));
    }

    /// The number of the last action counted.
    #[must_use]
    pub const fn last_action(&self) -> ActionNo {
        ActionNo(self.actions)
    }

    /// The k of the last signal counted.
    #[must_use]
    pub const fn last_send(&self) -> SendNo {
        SendNo(self.sends)
    }
}

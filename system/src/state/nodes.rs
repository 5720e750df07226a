//! Nodes: which are present, and what becomes of their changes.

use log_format::Tag;

/// The name of the only node of a system that is not alive.
pub const NO_NODE: &str = "nonode@nohost";

/// Replay: signals sent by a start or stop of a node. The logs of the receivers say which of them gets which, by tag.
#[derive(Clone, Copy, Debug)]
pub struct NodeChange {
    pub(crate) by: log_format::Pid,
    /// The first k of these signals.
    pub(crate) from: u64,
    /// The first k after them.
    pub(crate) to: u64,
    pub(crate) node: u16,
    pub(crate) up: bool,
    /// The version of the node while it is present.
    pub(crate) connection: u64,
    /// The node that gave up the connection, if one did: the reason is then another one.
    pub(crate) disconnected: Option<u16>,
}

impl NodeChange {
    pub(crate) fn sent(&self, tag: Tag) -> bool {
        matches!(tag, Tag::Sent { by, k } if by == self.by && (self.from..self.to).contains(&k.0))
    }
}

/// The contents of `{nodeup, Node, Info}` and `{nodedown, Node, Info}`; without options there is no `Info`. A process has only one kind: the
/// log contains only the tag of such a message, so two kinds in one process could not be distinguished.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NodeNews {
    /// No `Info`.
    Plain,
    /// `Info` as requested by options, in a list or a map.
    With {
        /// `Info` is a map.
        map: bool,
        /// Does it contain the type of the node?
        node_type: bool,
        /// Does it contain the reason why the node is down?
        reason: bool,
        /// Does it contain the number of the connection?
        connection: bool,
    },
}

/// The set of present nodes, as a resource of its own. A list that lacks a node depends on this, in `→` only, whichever node is started later.
/// Changes of different nodes commute.
#[derive(Clone, Copy, Debug)]
pub struct Membership {
    pub(crate) version: u64,
    /// This version was read, so the next change makes a new one.
    pub(crate) read: bool,
}

impl Default for Membership {
    fn default() -> Self {
        Self { version: 0, read: true }
    }
}

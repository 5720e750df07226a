//! Uses of shared resources as facts: what the log holds, with the names and keys that a replay saw. Sentences are made of them in `Display` alone.

use std::fmt;
use std::sync::Arc;

use log_format::{Access, Action, ActionId, ObjectId, OtherResource, Pid, Resource, TextId, Trace};
use serde::{Serialize, Serializer};

use crate::value::Value;

/// A use of a shared resource by an action.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SharedUse {
    /// What the log holds of it.
    pub access: Access,
    /// What was used.
    pub resource: NamedResource,
    /// Is it a read of a process's life, after its end?
    pub after_end: bool,
}

/// A shared resource, with its name or key for people as far as they are known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NamedResource {
    /// A node.
    Node(String),
    /// A registered name.
    Name(SharedName),
    /// The life of a process.
    Alive(Pid),
    /// A table: whether it exists, and whose it is.
    Table(TableName),
    /// All that a table holds.
    TableContents(TableName),
    /// One key of a table.
    TableKey {
        /// The table.
        table: TableName,
        /// The key.
        key: SharedKey,
    },
    /// Which table has this name.
    TableName(SharedName),
    /// The list of all tables.
    Tables,
    /// Whether a table is fixed.
    TableFixed(String),
    /// A persistent term.
    Persistent(SharedKey),
    /// A key of the environment of an application: both, if they are known.
    Env(SharedKey),
    /// A counter of an array.
    Counter {
        /// The array.
        array: ObjectId,
        /// From 1.
        index: u64,
    },
    /// A module.
    Module(SharedName),
    /// An atom: whether it exists.
    Atom(SharedName),
    /// The group leader of a process.
    GroupLeader(Pid),
    /// Anything else, by its name in the log.
    Other(String),
}

/// A name that is an atom. As a text, it is quoted if it could be taken for something else in a sentence.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct SharedName(pub Arc<str>);

/// A table: its identity, and its name if it was used by that.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TableName {
    /// The action that created it.
    pub id: ObjectId,
    /// Its name.
    pub name: Option<SharedName>,
}

/// What a hash in the log stands for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SharedKey {
    /// No replay saw it.
    Hash(u64),
    /// A term, or an application and a key.
    Known(Arc<[KeyTerm]>),
}

/// What a replay saw of the names and keys that an action used. Nothing, if none saw it.
#[derive(Clone, Copy, Debug, Default)]
pub struct SeenNames<'a> {
    /// Keys of tables, persistent terms and environments, by their hashes in the log.
    pub keys: &'a [(u64, Arc<[KeyTerm]>)],
    /// The name of the table, if it was used by that.
    pub table: Option<&'a SharedName>,
}

/// A term that is a key.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeyTerm {
    /// The term.
    pub value: Value,
    /// The same for people, of bounded length.
    pub text: String,
}

/// Characters of the name of a table.
const TABLE_CHARS: usize = 40;

impl SharedName {
    /// With this name.
    #[must_use]
    pub fn new(name: &str) -> Self {
        Self(name.into())
    }

    fn of_text(trace: &Trace, id: TextId) -> Self {
        trace
            .text(id)
            .map_or_else(|_| Self(format!("text {id}").into()), Self::new)
    }
}

impl fmt::Display for SharedName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&crate::words::safe_name(&self.0))
    }
}

impl fmt::Display for TableName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.name {
            Some(name) => f.write_str(&crate::words::cut(&name.to_string(), TABLE_CHARS)),
            None => self.id.fmt(f),
        }
    }
}

impl SharedKey {
    fn of(hash: u64, seen: SeenNames<'_>) -> Self {
        let known = seen.keys.iter().find(|(known, _)| *known == hash);
        known.map_or(Self::Hash(hash), |(_, terms)| Self::Known(Arc::clone(terms)))
    }

    /// The terms, if they are known.
    #[must_use]
    pub fn terms(&self) -> &[KeyTerm] {
        match self {
            Self::Hash(_) => &[],
            Self::Known(terms) => terms,
        }
    }
}

impl fmt::Display for SharedKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hash(hash) => write!(f, "{hash:x}"),
            Self::Known(terms) => {
                for (i, term) in terms.iter().enumerate() {
                    write!(f, "{}{}", if i == 0 { "" } else { ", " }, term.text)?;
                }
                Ok(())
            }
        }
    }
}

impl NamedResource {
    /// A resource of a trace, with what a replay saw of it.
    #[must_use]
    pub fn of(trace: &Trace, resource: Resource, seen: SeenNames<'_>) -> Self {
        let name = |id| SharedName::of_text(trace, id);
        let table = |id| TableName {
            id,
            name: seen.table.cloned(),
        };
        let key = |hash| SharedKey::of(hash, seen);
        match resource {
            Resource::Node(node) => Self::Node(crate::name::node_name(trace, node)),
            Resource::Name(id) => Self::Name(name(id)),
            Resource::Alive(pid) => Self::Alive(pid),
            Resource::Table(id) => Self::Table(table(id)),
            Resource::TableContents(id) => Self::TableContents(table(id)),
            Resource::TableKey { table: id, key: hash } => Self::TableKey {
                table: table(id),
                key: key(hash),
            },
            Resource::Persistent(hash) => Self::Persistent(key(hash)),
            Resource::Env(hash) => Self::Env(key(hash)),
            Resource::Counter { array, index } => Self::Counter { array, index },
            Resource::Module(id) => Self::Module(name(id)),
            Resource::Atom(id) => Self::Atom(name(id)),
            Resource::GroupLeader(pid) => Self::GroupLeader(pid),
            Resource::Other(id) => match trace.text(id) {
                Err(_) => Self::Other(format!("text {id}")),
                Ok(text) => Self::other(text),
            },
        }
    }

    /// A resource that has only a name.
    fn other(text: &str) -> Self {
        match OtherResource::of(text) {
            OtherResource::TableName(name) => Self::TableName(SharedName::new(name)),
            OtherResource::Tables => Self::Tables,
            OtherResource::TableFixed(table) => Self::TableFixed(crate::words::safe(table)),
            OtherResource::Named(name) => Self::Other(crate::words::safe(name)),
        }
    }

    /// The table that it is about.
    #[must_use]
    pub const fn table(&self) -> Option<&TableName> {
        match self {
            Self::Table(table) | Self::TableContents(table) | Self::TableKey { table, .. } => Some(table),
            _ => None,
        }
    }

    /// Its key, if it has one.
    #[must_use]
    pub const fn key(&self) -> Option<&SharedKey> {
        match self {
            Self::TableKey { key, .. } | Self::Persistent(key) | Self::Env(key) => Some(key),
            _ => None,
        }
    }

    /// As a noun, if it holds data: `key hits of the table cache`.
    #[must_use]
    pub fn noun(&self) -> String {
        match self {
            Self::TableKey { table, key } => format!("key {key} of the table {table}"),
            Self::Table(table) | Self::TableContents(table) => format!("the table {table}"),
            Self::TableName(name) => format!("the table {name}"),
            Self::Persistent(key) => format!("the persistent term {key}"),
            Self::Env(key) => match key.terms() {
                [application, key] => format!("the variable {} of the application {}", key.text, application.text),
                _ => self.to_string(),
            },
            Self::Name(name) | Self::Module(name) => name.to_string(),
            _ => self.to_string(),
        }
    }
}

impl fmt::Display for NamedResource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Node(name) => write!(f, "node({name})"),
            Self::Name(name) => write!(f, "name({name})"),
            Self::Alive(pid) => write!(f, "alive({pid})"),
            Self::Table(table) => write!(f, "table({table})"),
            Self::TableContents(table) => write!(f, "contents({table})"),
            Self::TableKey { table, key } => write!(f, "table({table}, key {key})"),
            Self::TableName(name) => write!(f, "ets:{name}"),
            Self::Tables => f.write_str("ets:all"),
            Self::TableFixed(table) => write!(f, "ets:fixed:{table}"),
            Self::Persistent(key) => write!(f, "persistent({key})"),
            Self::Env(key) => write!(f, "env({key})"),
            Self::Counter { array, index } => write!(f, "counter({array}, {index})"),
            Self::Module(name) => write!(f, "module({name})"),
            Self::Atom(name) => write!(f, "atom({name})"),
            Self::GroupLeader(pid) => write!(f, "group_leader({pid})"),
            Self::Other(name) => f.write_str(name),
        }
    }
}

impl SharedUse {
    /// A use by an action of a trace, with what a replay saw of that action.
    #[must_use]
    pub fn of(trace: &Trace, access: &Access, seen: SeenNames<'_>) -> Self {
        let ended_with = |last: ActionId| {
            let process = trace.process(last.pid);
            process.is_ok_and(|process| process.ended && process.counts.last_action() == last.number)
        };
        let is_life = |by: &ActionId| access.resource == Resource::Alive(by.pid);
        Self {
            access: *access,
            resource: NamedResource::of(trace, access.resource, seen),
            after_end: !access.write && access.by.filter(is_life).is_some_and(ended_with),
        }
    }

    /// All uses by an action.
    #[must_use]
    pub fn all(trace: &Trace, action: &Action, seen: SeenNames<'_>) -> Vec<Self> {
        let accesses = action.accesses.iter();
        accesses.map(|access| Self::of(trace, access, seen)).collect()
    }

    /// Is the other one the same, but for the number of changes before?
    #[must_use]
    pub fn is_like(&self, other: &Self) -> bool {
        let told = |one: &Self| (one.access.write, one.access.by, one.after_end);
        told(self) == told(other) && self.resource == other.resource
    }

    /// The action that wrote what was read; the birth of a process is none.
    #[must_use]
    pub fn writer(&self) -> Option<ActionId> {
        self.access.by.filter(|by| by.number.0 > 0)
    }

    /// Does its text name the action that wrote what was read?
    #[must_use]
    pub fn names_writer(&self) -> bool {
        let is_named = |by: ActionId| !self.access.write || by.number.0 > 0;
        self.access.by.is_some_and(is_named) && !self.after_end
    }

    /// Does it only see that a table is there? A use of what is in the table says as much.
    #[must_use]
    pub const fn only_finds_table(&self) -> bool {
        match self.resource {
            NamedResource::Table(_) => !self.access.write || self.access.by.is_some(),
            NamedResource::TableName(_) | NamedResource::Tables | NamedResource::TableFixed(_) => !self.access.write,
            _ => false,
        }
    }
}

impl fmt::Display for SharedUse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            access,
            resource,
            after_end,
        } = self;
        match (access.write, access.by) {
            (true, Some(by)) if by.number.0 > 0 => write!(f, "reads {resource}, last written by {by}, and writes it"),
            (true, _) => write!(f, "writes {resource}"),
            (false, Some(by)) if *after_end => write!(f, "reads {resource}, which ended with {by}"),
            (false, Some(by)) => write!(f, "reads {resource}, last written by {by}"),
            (false, None) => write!(f, "reads {resource}"),
        }
    }
}

impl Serialize for SharedUse {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Uses as one text.
#[must_use]
pub fn joined(uses: &[SharedUse]) -> String {
    let texts: Vec<String> = uses.iter().map(SharedUse::to_string).collect();
    texts.join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_no_atoms_are_not_quoted() {
        for (text, shown) in [
            ("registered_name(0.4.0)", "registered_name(0.4.0)"),
            ("ets:cache", "ets:cache"),
            ("ets:a b", "ets:'a b'"),
            ("ets:all", "ets:all"),
            ("nodes", "nodes"),
        ] {
            assert_eq!(NamedResource::other(text).to_string(), shown);
        }
        assert_eq!(NamedResource::other("ets:all"), NamedResource::Tables);
        assert_eq!(
            NamedResource::other("ets:'all"),
            NamedResource::TableName(SharedName::new("all"))
        );
    }
}

//! Uses of shared resources as facts: what the log holds, with the names and keys that a replay saw. Sentences are made of them in `Display` alone.

use std::fmt;
use std::sync::Arc;

use log_format::{Access, Action, ActionId, ObjectId, OtherResource, Pid, Resource, TextId, Trace};
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use crate::native::NativeName;
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
    /// What was done with it.
    pub deed: Deed,
}

/// What an action does with something shared.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Deed {
    /// It looks what is there.
    Reads,
    /// It looks for something that does not exist.
    Misses,
    /// It would have changed something that does not exist.
    Fails,
    /// It writes.
    Writes,
    /// It writes what depends on what it found.
    Updates,
    /// It creates a table.
    Creates,
    /// It takes away what was there.
    Removes,
    /// It gives a table to another process.
    GivesAway,
    /// It registers a name.
    Registers,
    /// It gives a name up.
    Frees,
}

impl Deed {
    fn of(access: &Access, native: Option<NativeName>) -> Self {
        let is_there = access.version.0 % 2 == 1;
        let removes = || native.is_some_and(removes);
        let changes = |native: NativeName| {
            let words = ["insert", "insert_new", "update_element", "update_counter"];
            removes_from_table(native.name) || words.contains(&native.name)
        };
        match (access.resource, access.write) {
            (Resource::Name(_), true) => match is_there {
                true => Self::Registers,
                false => Self::Frees,
            },
            (Resource::Table(_), true) if access.version.0 == 1 => Self::Creates,
            (Resource::Table(_), true) if native.is_some_and(|native| is_of_ets(native, &["give_away"])) => {
                Self::GivesAway
            }
            // What it is called and who may use it is written, too.
            (Resource::Table(_), true) if native.is_some_and(|native| is_of_ets(native, &["rename", "setopts"])) => {
                Self::Updates
            }
            (Resource::Table(_), true) if !is_there => Self::Removes,
            (Resource::Other(_), true) if native.is_some_and(|native| native.module == "ets") => match is_there {
                true => Self::Creates,
                false => Self::Removes,
            },
            (Resource::Alive(_), false) if access.version.0 > 1 => Self::Misses,
            (Resource::Name(_), false) if !is_there => Self::Misses,
            (Resource::Table(_) | Resource::Other(_), false)
                if !is_there && native.is_some_and(|native| native.module == "ets") =>
            {
                match native.is_some_and(changes) {
                    true => Self::Fails,
                    false => Self::Misses,
                }
            }
            (_, true) if removes() => Self::Removes,
            (_, true) if access.by.is_some_and(|by| by.number.0 > 0) => Self::Updates,
            (_, true) => Self::Writes,
            (_, false) => Self::Reads,
        }
    }

    /// Does it find nothing?
    #[must_use]
    pub const fn finds_nothing(self) -> bool {
        matches!(self, Self::Misses | Self::Fails)
    }

    /// What it does with a thing, as a verb phrase: `writes key k of the table m`.
    #[must_use]
    pub fn words(self, thing: &NamedResource) -> String {
        let what = thing.called();
        let missing = match thing {
            NamedResource::Name(_) => "which nobody has",
            _ => "which does not exist",
        };
        match self {
            Self::Reads => match thing {
                NamedResource::Name(_) => format!("looks up {what}"),
                NamedResource::Alive(pid) => format!("sees that {pid} lives"),
                _ => format!("reads {what}"),
            },
            Self::Misses => match thing {
                NamedResource::Alive(pid) => format!("finds that {pid} has ended"),
                _ => format!("looks for {what}, {missing}"),
            },
            Self::Fails => format!("fails to write to {what}, {missing}"),
            Self::Writes => format!("writes {what}"),
            Self::Updates => format!("reads and writes {what}"),
            Self::Creates => format!("creates {what}"),
            Self::Removes => match thing {
                NamedResource::TableContents(_) => format!("removes objects of {what}"),
                NamedResource::Table(_) | NamedResource::TableName(_) => format!("deletes {what}"),
                _ => format!("removes {what}"),
            },
            Self::GivesAway => format!("gives {what} away"),
            Self::Registers => format!("registers {what}"),
            Self::Frees => format!("unregisters {what}"),
        }
    }
}

/// Is it one of these native functions of the module `ets`?
fn is_of_ets(native: NativeName, names: &[&str]) -> bool {
    native.module == "ets" && names.contains(&native.name)
}

/// Does this native function take away what was there?
#[must_use]
pub fn removes(native: NativeName) -> bool {
    match native.module {
        "ets" => removes_from_table(native.name),
        "persistent_term" => native.name == "erase",
        "erlang" => native.name == "$env_unset",
        "code" => native.name == "$delete",
        _ => false,
    }
}

/// Does this native function of the module `ets` take objects away?
fn removes_from_table(name: &str) -> bool {
    let words = [
        "delete",
        "delete_object",
        "delete_all_objects",
        "match_delete",
        "select_delete",
        "take",
    ];
    words.contains(&name)
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

/// A table: its identity, and the name by which a program can use it.
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
    /// The name of the table, if a program can use it by that.
    pub table: Option<&'a SharedName>,
    /// The native function that used them.
    pub native: Option<NativeName>,
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

    /// As a noun that says what sort of thing it is: `the name server`, `key hits of the table cache`.
    #[must_use]
    pub fn called(&self) -> String {
        match self {
            Self::Name(name) => format!("the name {name}"),
            Self::Module(name) => format!("the module {name}"),
            Self::Alive(pid) => format!("whether {pid} lives"),
            Self::Tables => "the list of all tables".to_owned(),
            Self::TableFixed(table) => format!("whether the table {table} is fixed"),
            Self::Counter { array, index } => format!("counter {index} of the array {array}"),
            Self::GroupLeader(pid) => format!("the group leader of {pid}"),
            Self::Atom(name) => format!("the atom {name}"),
            Self::Node(name) => format!("the node {name}"),
            _ => self.noun(),
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
            deed: Deed::of(access, seen.native),
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
        let told = |one: &Self| (one.deed, one.access.by, one.after_end);
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

    /// Is it written, rather than left so?
    const fn is_written(&self) -> bool {
        self.access.resource.is_data() || matches!(self.resource, NamedResource::Other(_))
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
            deed,
        } = self;
        match (deed, access.by) {
            (Deed::Misses, Some(by)) if *after_end => write!(f, "finds that {} has ended with {by}", by.pid),
            // Who created a process is told elsewhere.
            (Deed::Reads, Some(_)) if matches!(resource, NamedResource::Alive(_)) => f.write_str(&deed.words(resource)),
            (Deed::Updates, Some(by)) if by.number.0 > 0 => {
                write!(f, "reads {}, last written by {by}, and writes it", resource.called())
            }
            (Deed::Reads, Some(by)) if self.is_written() => write!(f, "{}, last written by {by}", deed.words(resource)),
            (Deed::Reads, Some(by)) => write!(f, "{}, as {by} left it", deed.words(resource)),
            (Deed::Misses | Deed::Fails, Some(by)) => write!(f, "{} after {by}", deed.words(resource)),
            _ => f.write_str(&deed.words(resource)),
        }
    }
}

impl Serialize for SharedUse {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("SharedUse", 6)?;
        out.serialize_field("deed", &self.deed)?;
        out.serialize_field("write", &self.access.write)?;
        out.serialize_field("resource", &self.resource.to_string())?;
        out.serialize_field("version", &self.access.version.0)?;
        out.serialize_field("by", &self.access.by.map(|by| by.to_string()))?;
        out.serialize_field("text", &self.to_string())?;
        out.end()
    }
}

/// Uses as one text.
#[must_use]
pub fn joined(uses: &[SharedUse]) -> String {
    told(uses.iter()).join("; ")
}

/// A use as a text; or several that are counted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UseText {
    /// With who left it so.
    pub text: String,
    /// Only what was done; none if another use says as much.
    pub brief: Option<String>,
}

/// The uses of an action as texts.
#[must_use]
pub fn texts(uses: &[SharedUse]) -> Vec<UseText> {
    let all_find = uses.iter().all(SharedUse::only_finds_table);
    let says_more = |one: &SharedUse| all_find || !one.only_finds_table();
    each(uses.iter(), |one, text| UseText {
        brief: match one {
            Some(one) => says_more(one).then(|| one.deed.words(&one.resource)),
            None => Some(text.clone()),
        },
        text,
    })
}

/// Each use as a text. Several keys of one table of which only the hashes are known are counted.
#[must_use]
pub fn told<'u>(uses: impl Iterator<Item = &'u SharedUse> + Clone) -> Vec<String> {
    each(uses, |_, text| text)
}

/// The same. `made`: of a use, or none if several were counted, and its text.
fn each<'u, T>(
    uses: impl Iterator<Item = &'u SharedUse> + Clone,
    made: impl Fn(Option<&SharedUse>, String) -> T,
) -> Vec<T> {
    let of_many = |one: &SharedUse| match &one.resource {
        NamedResource::TableKey {
            table,
            key: SharedKey::Hash(_),
        } => Some((table.clone(), one.deed)),
        _ => None,
    };
    let mut texts = Vec::new();
    let mut counted: Vec<(TableName, Deed)> = Vec::new();
    for one in uses.clone() {
        let Some(many) = of_many(one) else {
            texts.push(made(Some(one), one.to_string()));
            continue;
        };
        let count = uses
            .clone()
            .filter(|other| of_many(other).as_ref() == Some(&many))
            .count();
        if count == 1 {
            texts.push(made(Some(one), one.to_string()));
        } else if !counted.contains(&many) {
            let verb = match many.1 {
                Deed::Removes => "removes",
                Deed::Reads | Deed::Misses | Deed::Fails => "reads",
                Deed::Updates => "reads and writes",
                _ => "writes",
            };
            texts.push(made(None, format!("{verb} {count} keys of the table {}", many.0)));
            counted.push(many);
        }
    }
    texts
}

#[cfg(test)]
mod tests {
    use log_format::Version;

    use super::*;

    #[test]
    fn what_is_done_is_told_by_the_whole_name_of_the_native() {
        let table = ObjectId { creator: Pid(1), k: 1 };
        let key = Resource::TableKey { table, key: 7 };
        let deed = |resource, module, name| {
            let access = Access {
                resource,
                write: true,
                version: Version(3),
                by: None,
            };
            let native = NativeName { module, name, arity: 2 };
            Deed::of(&access, Some(native))
        };
        assert_eq!(deed(Resource::Env(7), "erlang", "$env_unset"), Deed::Removes);
        assert_eq!(deed(Resource::Env(7), "erlang", "$env_set"), Deed::Writes);
        assert_eq!(deed(Resource::Persistent(7), "persistent_term", "erase"), Deed::Removes);
        assert_eq!(deed(key, "ets", "take"), Deed::Removes);
        assert_eq!(deed(key, "ets", "delete_object"), Deed::Removes);
        assert_eq!(deed(key, "ets", "insert"), Deed::Writes);
        // Only what begins alike.
        assert_eq!(deed(key, "shop", "deleted"), Deed::Writes);
    }

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

//! One action as JSON, and back.

use log_format::{
    Access, Action, ActionId, Device, ExitClass, Kind, Node, ObjectId, Pid, Resource, Tag, TextId, Version,
};
use serde::{Deserialize, Serialize};

use super::hex;

/// An action. Which fields there are follows from `kind`; pids, signals and objects are written as everywhere else in the tool.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// `spawn`, `send`, `rec`, …
    pub kind: String,
    /// The new process of a spawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub child: Option<String>,
    /// The node of a spawn that names one, or that is started.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node: Option<u16>,
    /// The signal that is received, dropped, or ends the process.
    #[serde(rename = "signal", default, skip_serializing_if = "Option::is_none")]
    pub tag: Option<String>,
    /// Of a signal: counted events since the action before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub events: Option<u64>,
    /// Of a signal: did the process wait?
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waiting: Option<bool>,
    /// A logged value, in hexadecimal digits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// The process observed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<String>,
    /// Its last action then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of_action: Option<u64>,
    /// `stdout`, `stderr`, or the name of another device.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device: Option<String>,
    /// Bytes written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
    /// The status of a halt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<i64>,
    /// `normal`, `error`, `exit`, `throw`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<String>,
    /// Was the node started?
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ok: Option<bool>,
    /// Signals put in flight, where it is not 1 for a send and 0 for others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sends: Option<u32>,
    /// Shared resources used.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub accesses: Vec<AccessRecord>,
}

/// An access.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AccessRecord {
    /// The kind of resource: `name`, `alive`, `table`, …
    pub resource: String,
    /// The process: of `alive` and `group_leader`; the creator of a table or of counters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pid: Option<String>,
    /// A name: of `name`, `module`, `atom`, `other`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The number of the table or array among the references of its creator; the place of a node.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<u64>,
    /// The hash of a key, or the place in an array.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<u64>,
    /// The version.
    pub version: u64,
    /// Was it written?
    pub write: bool,
    /// The writer of the version that was read, and its action.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<(String, u64)>,
}

/// The texts of a trace, by number.
pub type Texts<'a> = dyn Fn(TextId) -> log_format::Result<String> + 'a;

/// An action for JSON.
///
/// # Errors
/// It names a text that is not there.
pub fn to_record(action: &Action, text: &Texts<'_>) -> log_format::Result<Record> {
    let mut record = Record {
        kind: action.kind.word().to_owned(),
        ..Record::default()
    };
    match &action.kind {
        Kind::Spawn { child, node } => {
            record.child = Some(child.to_string());
            record.node = node.map(|node| node.0);
        }
        Kind::SpawnFailed { child, node } => {
            record.child = Some(child.to_string());
            record.node = Some(node.0);
        }
        Kind::Send | Kind::After | Kind::Access | Kind::Nodes => {}
        Kind::Rec(tag) => record.tag = Some(tag.to_string()),
        Kind::Signal { tag, events, waiting } => {
            record.tag = Some(tag.to_string());
            record.events = Some(*events);
            record.waiting = Some(*waiting);
        }
        Kind::Drop { tag, value } => {
            record.tag = tag.map(|tag| tag.to_string());
            record.value = Some(hex::text(value));
        }
        Kind::Start { node, ok } => {
            record.node = Some(node.0);
            record.ok = Some(*ok);
        }
        Kind::Observe { of, value } => {
            record.of = of.map(|ActionId { pid, .. }| pid.to_string());
            record.of_action = of.map(|ActionId { number, .. }| number.0);
            record.value = Some(hex::text(value));
        }
        Kind::Input { value } => record.value = Some(hex::text(value)),
        Kind::Output { device, bytes } => {
            record.device = Some(match device {
                Device::Stdout => "stdout".to_owned(),
                Device::Stderr => "stderr".to_owned(),
                Device::Other(name) => format!("other:{}", text(*name)?),
            });
            record.bytes = Some(*bytes);
        }
        Kind::Halt { code } => record.code = Some(*code),
        Kind::Exit { class } => record.class = Some(class.word().to_owned()),
    }
    let usual = u32::from(matches!(action.kind, Kind::Send));
    record.sends = (action.sends != usual).then_some(action.sends);
    for access in &action.accesses {
        record.accesses.push(to_access(access, text)?);
    }
    Ok(record)
}

fn to_access(access: &Access, text: &Texts<'_>) -> log_format::Result<AccessRecord> {
    let mut record = AccessRecord {
        version: access.version.0,
        write: access.write,
        by: access.by.map(|ActionId { pid, number }| (pid.to_string(), number.0)),
        ..AccessRecord::default()
    };
    let mut object = |object: ObjectId| {
        record.pid = Some(object.creator.to_string());
        record.number = Some(object.k);
    };
    let (mut name, mut key, mut pid, mut number) = (None, None, None, None);
    let word = match access.resource {
        Resource::Node(node) => {
            number = Some(u64::from(node.0));
            "node"
        }
        Resource::Name(id) => {
            name = Some(text(id)?);
            "name"
        }
        Resource::Alive(of) => {
            pid = Some(of);
            "alive"
        }
        Resource::Table(table) => {
            object(table);
            "table"
        }
        Resource::TableContents(table) => {
            object(table);
            "contents"
        }
        Resource::TableKey { table, key: hash } => {
            object(table);
            key = Some(hash);
            "key"
        }
        Resource::Persistent(hash) => {
            key = Some(hash);
            "persistent"
        }
        Resource::Env(hash) => {
            key = Some(hash);
            "env"
        }
        Resource::Counter { array, index } => {
            object(array);
            key = Some(index);
            "counter"
        }
        Resource::Module(id) => {
            name = Some(text(id)?);
            "module"
        }
        Resource::Atom(id) => {
            name = Some(text(id)?);
            "atom"
        }
        Resource::GroupLeader(of) => {
            pid = Some(of);
            "group_leader"
        }
        Resource::Other(id) => {
            name = Some(text(id)?);
            "other"
        }
    };
    record.resource = word.to_owned();
    record.name = name;
    record.key = key;
    record.pid = pid.map(|pid| pid.to_string()).or(record.pid);
    record.number = number.or(record.number);
    Ok(record)
}

/// What a record lacks or has wrong.
pub type Wrong = String;

/// The action of a record. `text` gives a text its number.
///
/// # Errors
/// A field is missing or wrong: which one, and what was expected.
pub fn from_record(record: &Record, text: &mut dyn FnMut(&str) -> TextId) -> Result<Action, Wrong> {
    let kind = kind_of(record, text)?;
    let accesses: Result<Vec<Access>, Wrong> = record.accesses.iter().map(|access| from_access(access, text)).collect();
    let mut action = Action::new(kind).with_accesses(accesses?);
    if let Some(sends) = record.sends {
        action.sends = sends;
    }
    Ok(action)
}

fn kind_of(record: &Record, text: &mut dyn FnMut(&str) -> TextId) -> Result<Kind, Wrong> {
    let missing = |field: &str| format!("`{field}` of a `{}`", record.kind.escape_debug());
    let tag = || -> Result<Tag, Wrong> {
        let tag = record.tag.as_deref().ok_or_else(|| missing("signal"))?;
        tag.parse().map_err(|e: log_format::ParseError| e.to_string())
    };
    let node = || record.node.map(Node).ok_or_else(|| missing("node"));
    let child = || parse_pid(record.child.as_deref(), || missing("child"));
    let value = || {
        let text = record.value.as_deref().ok_or_else(|| missing("value"))?;
        hex::bytes(text).ok_or_else(|| format!("hexadecimal digits as `value` of a `{}`", record.kind))
    };
    Ok(match record.kind.as_str() {
        "spawn" => Kind::Spawn {
            child: child()?,
            node: record.node.map(Node),
        },
        "spawn_failed" => Kind::SpawnFailed {
            child: child()?,
            node: node()?,
        },
        "send" => Kind::Send,
        "rec" => Kind::Rec(tag()?),
        "after" => Kind::After,
        "signal" => Kind::Signal {
            tag: tag()?,
            events: record.events.ok_or_else(|| missing("events"))?,
            waiting: record.waiting.ok_or_else(|| missing("waiting"))?,
        },
        "drop" => Kind::Drop {
            tag: if record.tag.is_some() { Some(tag()?) } else { None },
            value: value()?,
        },
        "access" => Kind::Access,
        "start" => Kind::Start {
            node: node()?,
            ok: record.ok.ok_or_else(|| missing("ok"))?,
        },
        "nodes" => Kind::Nodes,
        "observe" => Kind::Observe {
            of: match (&record.of, record.of_action) {
                (None, _) => None,
                (Some(pid), number) => Some(ActionId::new(
                    parse_pid(Some(pid), || missing("of"))?,
                    number.ok_or_else(|| missing("of_action"))?,
                )),
            },
            value: value()?,
        },
        "input" => Kind::Input { value: value()? },
        "output" => Kind::Output {
            device: match record.device.as_deref() {
                Some("stdout") => Device::Stdout,
                Some("stderr") => Device::Stderr,
                Some(other) => Device::Other(text(other.strip_prefix("other:").ok_or_else(|| missing("device"))?)),
                None => return Err(missing("device")),
            },
            bytes: record.bytes.ok_or_else(|| missing("bytes"))?,
        },
        "halt" => Kind::Halt {
            code: record.code.ok_or_else(|| missing("code"))?,
        },
        "exit" => Kind::Exit {
            class: match record.class.as_deref() {
                Some("normal") => ExitClass::Normal,
                Some("error") => ExitClass::Error,
                Some("exit") => ExitClass::Exit,
                Some("throw") => ExitClass::Throw,
                _ => return Err(missing("class")),
            },
        },
        other => return Err(format!("a kind of action, found `{}`", other.escape_debug())),
    })
}

fn from_access(record: &AccessRecord, text: &mut dyn FnMut(&str) -> TextId) -> Result<Access, Wrong> {
    let word = record.resource.as_str();
    let missing = |field: &str| format!("`{field}` of an access to `{}`", word.escape_debug());
    let pid = || parse_pid(record.pid.as_deref(), || missing("pid"));
    let number = || record.number.ok_or_else(|| missing("number"));
    let key = || record.key.ok_or_else(|| missing("key"));
    let object = || -> Result<ObjectId, Wrong> {
        Ok(ObjectId {
            creator: pid()?,
            k: number()?,
        })
    };
    let mut name = || -> Result<TextId, Wrong> { Ok(text(record.name.as_deref().ok_or_else(|| missing("name"))?)) };
    let resource = match word {
        "node" => Resource::Node(Node(u16::try_from(number()?).map_err(|_| missing("number"))?)),
        "name" => Resource::Name(name()?),
        "alive" => Resource::Alive(pid()?),
        "table" => Resource::Table(object()?),
        "contents" => Resource::TableContents(object()?),
        "key" => Resource::TableKey {
            table: object()?,
            key: key()?,
        },
        "persistent" => Resource::Persistent(key()?),
        "env" => Resource::Env(key()?),
        "counter" => Resource::Counter {
            array: object()?,
            index: key()?,
        },
        "module" => Resource::Module(name()?),
        "atom" => Resource::Atom(name()?),
        "group_leader" => Resource::GroupLeader(pid()?),
        "other" => Resource::Other(name()?),
        _ => return Err(format!("a kind of resource, found `{}`", word.escape_debug())),
    };
    let by = match &record.by {
        None => None,
        Some((pid, action)) => Some(ActionId::new(parse_pid(Some(pid), || missing("by"))?, *action)),
    };
    Ok(Access {
        resource,
        version: Version(record.version),
        write: record.write,
        by,
    })
}

/// A pid of a record.
///
/// # Errors
/// It is missing, or none.
pub fn parse_pid(text: Option<&str>, missing: impl Fn() -> Wrong) -> Result<Pid, Wrong> {
    let text = text.ok_or_else(&missing)?;
    text.parse().map_err(|e: log_format::ParseError| e.to_string())
}

//! One action as JSON, and back.

use log_format::{
    Access, Action, ActionId, Device, ExitClass, Kind, Node, ObjectId, Pid, Resource, Tag, TestNote, TextId, Version,
};
use serde::{Deserialize, Serialize};

use super::hex;

/// The kinds of actions as JSON, each with its own fields and the common ones.
macro_rules! records {
    ($($(#[$of_kind:meta])* $kind:ident { $($(#[$of_field:meta])* $field:ident: $type:ty,)* })*) => {
        /// An action. The fields depend on `kind`; pids, signals and objects are written as everywhere else in the tool.
        #[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
        #[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
        pub enum Record {
            $($(#[$of_kind])* $kind {
                $($(#[$of_field])* $field: $type,)*
                /// Number of signals sent, if it is not 1 for a send and 0 for others.
                #[serde(default, skip_serializing_if = "Option::is_none")]
                sends: Option<u32>,
                /// Shared resources used.
                #[serde(default, skip_serializing_if = "Vec::is_empty")]
                accesses: Vec<AccessRecord>,
            },)*
        }

        impl Record {
            /// The common fields: number of signals sent, and accesses.
            fn common(&self) -> (Option<u32>, &[AccessRecord]) {
                match self {
                    $(Self::$kind { sends, accesses, .. } => (*sends, accesses),)*
                }
            }
        }
    };
}

records! {
    /// A process is created.
    Spawn {
        /// The new process.
        child: String,
        /// The node, if the spawn names one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        node: Option<u16>,
    }
    /// A spawn on an absent node fails.
    SpawnFailed {
        /// The pid that it would have had.
        child: String,
        /// The node.
        node: u16,
    }
    /// A signal is sent.
    Send {}
    /// A message is received.
    Rec {
        /// The signal of the message.
        signal: String,
    }
    /// A receive times out.
    After {}
    /// An exit signal ends the process.
    Signal {
        /// The exit signal.
        signal: String,
        /// Counted events since the action before.
        events: u64,
        /// Did the process wait?
        waiting: bool,
    }
    /// A signal is dropped, if there is one.
    Drop {
        /// The signal, if there is one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        signal: Option<String>,
        /// The result, in hexadecimal digits.
        value: String,
    }
    /// Shared resources are used.
    Access {}
    /// A node is started.
    Start {
        /// The node.
        node: u16,
        /// Was it started?
        ok: bool,
    }
    /// Another version of a module is seen.
    Version {
        /// Counted events since the last action.
        events: u64,
    }
    /// Nodes are listed.
    Nodes {}
    /// Another process is observed.
    Observe {
        /// The result, in hexadecimal digits.
        value: String,
        /// The process.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        of: Option<String>,
        /// Its last action at that time.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        of_action: Option<u64>,
    }
    /// A value from outside is read.
    Input {
        /// The value, in hexadecimal digits.
        value: String,
    }
    /// Something is written.
    Output {
        /// `stdout`, `stderr`, or the name of another device.
        device: String,
        /// Bytes written.
        bytes: u64,
    }
    /// The program halts.
    Halt {
        /// The status.
        code: i64,
    }
    /// A test runner noted that a test began, or how it ended.
    Test {
        /// The process that runs the test.
        of: String,
        /// The name of the test.
        name: String,
        /// What was noted.
        note: Note,
        /// If it failed: class and reason.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
        /// If it failed: the stack trace.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        stack: Option<String>,
    }
    /// The process ends by itself.
    Exit {
        /// How.
        class: OwnEnd,
    }
}

/// What was noted of a test.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "as [`TestNote`]")]
pub enum Note {
    Began,
    Passed,
    Skipped,
    Failed,
}

/// How a process ended by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "as [`ExitClass`]")]
pub enum OwnEnd {
    Normal,
    Error,
    Exit,
    Throw,
}

/// An access.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AccessRecord {
    /// The kind of resource: `name`, `alive`, `table`, …
    pub resource: String,
    /// The process: for `alive` and `group_leader`, that process; for a table or counters, the creator.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pid: Option<String>,
    /// The name: for `name`, `module`, `atom`, `other`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The number of the table or array among the references of its creator; the number of a node.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<u64>,
    /// The hash of a key, or the index in an array.
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

/// The record of an action.
///
/// # Errors
/// It names a text that the trace does not have.
pub fn to_record(action: &Action, text: &Texts<'_>) -> log_format::Result<Record> {
    let usual = u32::from(matches!(action.kind, Kind::Send));
    let sends = (action.sends != usual).then_some(action.sends);
    let accesses = action.accesses.iter().map(|access| to_access(access, text));
    let accesses = accesses.collect::<log_format::Result<Vec<_>>>()?;
    macro_rules! record {
        ($kind:ident $($field:ident: $value:expr),*) => {
            Record::$kind { $($field: $value,)* sends, accesses }
        };
    }
    Ok(match &action.kind {
        Kind::Spawn { child, node } => record!(Spawn child: child.to_string(), node: node.map(|node| node.0)),
        Kind::SpawnFailed { child, node } => record!(SpawnFailed child: child.to_string(), node: node.0),
        Kind::Send => record!(Send),
        Kind::Rec(tag) => record!(Rec signal: tag.to_string()),
        Kind::After => record!(After),
        Kind::Signal { tag, events, waiting } => {
            record!(Signal signal: tag.to_string(), events: *events, waiting: *waiting)
        }
        Kind::Drop { tag, value } => {
            record!(Drop signal: tag.map(|tag| tag.to_string()), value: hex::text(value))
        }
        Kind::Access => record!(Access),
        Kind::Version { events } => record!(Version events: *events),
        Kind::Start { node, ok } => record!(Start node: node.0, ok: *ok),
        Kind::Nodes => record!(Nodes),
        Kind::Observe { of, value } => record!(
            Observe value: hex::text(value), of: of.map(|of| of.pid.to_string()), of_action: of.map(|of| of.number.0)
        ),
        Kind::Input { value } => record!(Input value: hex::text(value)),
        Kind::Output { device, bytes } => {
            let device = match device {
                Device::Stdout => "stdout".to_owned(),
                Device::Stderr => "stderr".to_owned(),
                Device::Other(name) => format!("other:{}", text(*name)?),
            };
            record!(Output device: device, bytes: *bytes)
        }
        Kind::Halt { code } => record!(Halt code: *code),
        Kind::Test { of, name, note } => {
            let (word, reason, stack) = match note {
                TestNote::Began => (Note::Began, None, None),
                TestNote::Passed => (Note::Passed, None, None),
                TestNote::Skipped => (Note::Skipped, None, None),
                TestNote::Failed { reason, stack } => (Note::Failed, Some(reason.clone()), Some(stack.clone())),
            };
            record!(Test of: of.to_string(), name: text(*name)?, note: word, reason: reason, stack: stack)
        }
        Kind::Exit { class } => {
            let class = match class {
                ExitClass::Normal => OwnEnd::Normal,
                ExitClass::Error => OwnEnd::Error,
                ExitClass::Exit => OwnEnd::Exit,
                ExitClass::Throw => OwnEnd::Throw,
            };
            record!(Exit class: class)
        }
    })
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

/// What is missing or wrong in a record.
pub type Wrong = String;

/// The action of a record. `text` returns the number of a text.
///
/// # Errors
/// A field is wrong: names it, and what was expected.
pub fn from_record(record: &Record, text: &mut dyn FnMut(&str) -> TextId) -> Result<Action, Wrong> {
    let kind = kind_of(record, text)?;
    let (sends, accesses) = record.common();
    let accesses: Result<Vec<Access>, Wrong> = accesses.iter().map(|access| from_access(access, text)).collect();
    let mut action = Action::new(kind).with_accesses(accesses?);
    if let Some(sends) = sends {
        action.sends = sends;
    }
    Ok(action)
}

fn kind_of(record: &Record, text: &mut dyn FnMut(&str) -> TextId) -> Result<Kind, Wrong> {
    let tag = |tag: &str| tag.parse::<Tag>().map_err(|e| e.to_string());
    let pid = |pid: &str| parse_pid(Some(pid), String::new);
    let bytes = |kind: &str, digits: &str| {
        hex::bytes(digits).ok_or_else(|| format!("hexadecimal digits as `value` of a `{kind}`"))
    };
    Ok(match record {
        Record::Spawn { child, node, .. } => Kind::Spawn {
            child: pid(child)?,
            node: node.map(Node),
        },
        Record::SpawnFailed { child, node, .. } => Kind::SpawnFailed {
            child: pid(child)?,
            node: Node(*node),
        },
        Record::Send { .. } => Kind::Send,
        Record::Rec { signal, .. } => Kind::Rec(tag(signal)?),
        Record::After { .. } => Kind::After,
        Record::Signal {
            signal,
            events,
            waiting,
            ..
        } => Kind::Signal {
            tag: tag(signal)?,
            events: *events,
            waiting: *waiting,
        },
        Record::Drop { signal, value, .. } => Kind::Drop {
            tag: signal.as_deref().map(tag).transpose()?,
            value: bytes("drop", value)?,
        },
        Record::Access { .. } => Kind::Access,
        Record::Version { events, .. } => Kind::Version { events: *events },
        Record::Start { node, ok, .. } => Kind::Start {
            node: Node(*node),
            ok: *ok,
        },
        Record::Nodes { .. } => Kind::Nodes,
        Record::Observe {
            of, of_action, value, ..
        } => Kind::Observe {
            of: match (of, of_action) {
                (None, _) => None,
                (Some(of), Some(number)) => Some(ActionId::new(pid(of)?, *number)),
                (Some(_), None) => return Err("`of_action` of an `observe`".to_owned()),
            },
            value: bytes("observe", value)?,
        },
        Record::Input { value, .. } => Kind::Input {
            value: bytes("input", value)?,
        },
        Record::Output { device, bytes, .. } => Kind::Output {
            device: match device.as_str() {
                "stdout" => Device::Stdout,
                "stderr" => Device::Stderr,
                other => match other.strip_prefix("other:") {
                    Some(name) => Device::Other(text(name)),
                    None => return Err("`device` of an `output`".to_owned()),
                },
            },
            bytes: *bytes,
        },
        Record::Halt { code, .. } => Kind::Halt { code: *code },
        Record::Test {
            of,
            name,
            note,
            reason,
            stack,
            ..
        } => Kind::Test {
            of: pid(of)?,
            name: text(name),
            note: match note {
                Note::Began => TestNote::Began,
                Note::Passed => TestNote::Passed,
                Note::Skipped => TestNote::Skipped,
                Note::Failed => TestNote::Failed {
                    reason: reason.clone().unwrap_or_default(),
                    stack: stack.clone().unwrap_or_default(),
                },
            },
        },
        Record::Exit { class, .. } => Kind::Exit {
            class: match class {
                OwnEnd::Normal => ExitClass::Normal,
                OwnEnd::Error => ExitClass::Error,
                OwnEnd::Exit => ExitClass::Exit,
                OwnEnd::Throw => ExitClass::Throw,
            },
        },
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
/// It is missing or not valid.
pub fn parse_pid(text: Option<&str>, missing: impl Fn() -> Wrong) -> Result<Pid, Wrong> {
    let text = text.ok_or_else(&missing)?;
    text.parse().map_err(|e: log_format::ParseError| e.to_string())
}

//! The parts of the JSON document of a trace.

use log_format::{CompileOption, FinalState, Header, ProcessOutcome, RunEnd};
use serde::{Deserialize, Serialize};

use super::action::{Record, Wrong, parse_pid};
use super::hex;

/// The value of `"exchange"`: the version of this JSON form.
pub const VERSION: u32 = 1;

/// How the run was started.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Start {
    tool: String,
    command: Vec<String>,
    entry: String,
    arguments: Vec<String>,
    node: String,
    schedule: String,
    seed: Option<u64>,
    virtual_time: bool,
    facts: Vec<(String, String)>,
}

impl From<&Header> for Start {
    fn from(header: &Header) -> Self {
        let Header {
            tool,
            command,
            entry,
            arguments,
            node,
            schedule,
            seed,
            virtual_time,
            facts,
        } = header.clone();
        Self {
            tool,
            command,
            entry,
            arguments,
            node,
            schedule,
            seed,
            virtual_time,
            facts,
        }
    }
}

impl From<Start> for Header {
    fn from(start: Start) -> Self {
        let Start {
            tool,
            command,
            entry,
            arguments,
            node,
            schedule,
            seed,
            virtual_time,
            facts,
        } = start;
        Self {
            tool,
            command,
            entry,
            arguments,
            node,
            schedule,
            seed,
            virtual_time,
            facts,
        }
    }
}

/// One file of the program.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct File {
    /// The module; for an include, the name in the directive.
    pub module: String,
    /// Its path.
    pub path: String,
    /// What it is.
    pub format: String,
    /// Its text, if it is UTF-8.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Its bytes in hexadecimal digits, if it is not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<String>,
    /// Macros that were defined before it was read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub macros: Vec<Macro>,
    /// Features of the language that were enabled.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub features: Vec<String>,
}

/// A macro of the command line.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Macro {
    /// Its name.
    pub name: String,
    /// Its value as source text; `true` if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
}

impl From<&log_format::ModuleSource> for File {
    fn from(source: &log_format::ModuleSource) -> Self {
        let text = std::str::from_utf8(&source.bytes).ok().map(str::to_owned);
        let (mut macros, mut features) = (Vec::new(), Vec::new());
        for option in source.options.iter().cloned() {
            match option {
                CompileOption::Define { name, value } => macros.push(Macro { name, value }),
                CompileOption::Feature(name) => features.push(name),
            }
        }
        Self {
            macros,
            features,
            module: source.module.clone(),
            path: source.path.clone(),
            format: source.format.clone(),
            bytes: text.is_none().then(|| hex::text(&source.bytes)),
            text,
        }
    }
}

impl File {
    /// The source of a trace.
    ///
    /// # Errors
    /// It has neither text nor bytes.
    pub fn source(self) -> Result<log_format::ModuleSource, Wrong> {
        let bytes = match (self.text, self.bytes) {
            (Some(text), None) => text.into_bytes(),
            (None, Some(digits)) => hex::bytes(&digits).ok_or("hexadecimal digits as `bytes` of a source")?,
            _ => return Err("either `text` or `bytes` of a source".to_owned()),
        };
        let define = |Macro { name, value }| CompileOption::Define { name, value };
        let macros = self.macros.into_iter().map(define);
        Ok(log_format::ModuleSource {
            module: self.module,
            path: self.path,
            format: self.format,
            bytes,
            options: macros
                .chain(self.features.into_iter().map(CompileOption::Feature))
                .collect(),
        })
    }
}

/// How the run ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "run", rename_all = "snake_case", deny_unknown_fields)]
pub enum ExchangeEnd {
    /// See [`RunEnd`].
    Returned { value: String },
    /// See [`RunEnd`].
    Crashed { class: String, reason: String },
    /// See [`RunEnd`].
    Deadlock,
    /// See [`RunEnd`].
    Limit { limit: String },
    /// See [`RunEnd`].
    Halted { code: i64 },
    /// See [`RunEnd`].
    Interrupted { by: String },
    /// See [`RunEnd`].
    Unrecorded { why: String, then: String },
}

impl From<RunEnd> for ExchangeEnd {
    fn from(end: RunEnd) -> Self {
        match end {
            RunEnd::Returned(value) => Self::Returned { value },
            RunEnd::Crashed { class, reason } => Self::Crashed { class, reason },
            RunEnd::Deadlock => Self::Deadlock,
            RunEnd::Limit(limit) => Self::Limit { limit },
            RunEnd::Halted(code) => Self::Halted { code },
            RunEnd::Interrupted(by) => Self::Interrupted { by },
            RunEnd::Unrecorded { why, then } => Self::Unrecorded { why, then },
        }
    }
}

impl From<ExchangeEnd> for RunEnd {
    fn from(end: ExchangeEnd) -> Self {
        match end {
            ExchangeEnd::Returned { value } => Self::Returned(value),
            ExchangeEnd::Crashed { class, reason } => Self::Crashed { class, reason },
            ExchangeEnd::Deadlock => Self::Deadlock,
            ExchangeEnd::Limit { limit } => Self::Limit(limit),
            ExchangeEnd::Halted { code } => Self::Halted(code),
            ExchangeEnd::Interrupted { by } => Self::Interrupted(by),
            ExchangeEnd::Unrecorded { why, then } => Self::Unrecorded { why, then },
        }
    }
}

/// The state of a process at the end of the run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProcessStanding {
    pid: String,
    /// `ended`, `running` or `waiting`.
    state: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    reason: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    stack: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    location: String,
    mailbox: u64,
    tags: Vec<String>,
}

impl From<ProcessOutcome> for ProcessStanding {
    fn from(outcome: ProcessOutcome) -> Self {
        let (mut reason, mut stack, mut location) = Default::default();
        let state = match outcome.state {
            FinalState::Ended { reason: r, stack: s } => {
                (reason, stack) = (r, s);
                "ended"
            }
            FinalState::Running { location: l } => {
                location = l;
                "running"
            }
            FinalState::Waiting { location: l } => {
                location = l;
                "waiting"
            }
        };
        Self {
            pid: outcome.pid.to_string(),
            state: state.to_owned(),
            reason,
            stack,
            location,
            mailbox: outcome.mailbox,
            tags: outcome.tags.iter().map(ToString::to_string).collect(),
        }
    }
}

impl ProcessStanding {
    /// The outcome of a trace.
    ///
    /// # Errors
    /// A pid, a tag or the state is not valid.
    pub fn outcome(self) -> Result<ProcessOutcome, Wrong> {
        let state = match self.state.as_str() {
            "ended" => FinalState::Ended {
                reason: self.reason,
                stack: self.stack,
            },
            "running" => FinalState::Running {
                location: self.location,
            },
            "waiting" => FinalState::Waiting {
                location: self.location,
            },
            other => {
                return Err(format!(
                    "ended, running or waiting as `state`, found `{}`",
                    other.escape_debug()
                ));
            }
        };
        let tags: Result<Vec<log_format::Tag>, log_format::ParseError> =
            self.tags.iter().map(|tag| tag.parse()).collect();
        Ok(ProcessOutcome {
            pid: parse_pid(Some(&self.pid), || "`pid` of an outcome".to_owned())?,
            state,
            mailbox: self.mailbox,
            tags: tags.map_err(|e| e.to_string())?,
        })
    }
}

/// A process with its log.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProcessRecord {
    /// The process.
    pub pid: String,
    /// Its parent and the number of the parent's spawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<(String, u64)>,
    /// Its node.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub node: u16,
    /// In a slice: the number of receives of all processes before this one, in the trace that the slice was taken from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<u64>,
    /// Digests of its received messages.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub digests: Vec<u32>,
    /// The digest of its last state.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_digest: Option<u32>,
    /// Its actions.
    pub log: Vec<Record>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the shape that serde asks for")]
const fn is_zero(n: &u16) -> bool {
    *n == 0
}

/// A whole trace. Written part by part, read at once.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Document {
    /// The version of this JSON form.
    pub exchange: u32,
    /// The version of the trace format that it was exported from, for people.
    #[serde(rename = "format")]
    pub _format: String,
    /// When the recording began, in microseconds since 1970.
    pub clock: i64,
    /// Is it a slice?
    pub slice: bool,
    /// How the run was started.
    pub header: Start,
    /// The files of the program.
    pub sources: Vec<File>,
    /// Natives and their versions.
    pub natives: Vec<(String, u16)>,
    /// Those that were used.
    pub used: Vec<u32>,
    /// All texts, in the order of their numbers.
    pub texts: Vec<String>,
    /// The names of all nodes.
    pub nodes: Vec<String>,
    /// All processes, by pid.
    pub processes: Vec<ProcessRecord>,
    /// How the run ended; none if that is not known.
    pub outcome: Option<ExchangeEnd>,
    /// The states of processes at the end.
    pub standing: Vec<ProcessStanding>,
}

//! What is shown, before it is text or JSON: one set of types for both.
//!
//! Every string here is already bounded and holds no character that could disturb a terminal; every `target` can be pasted.

use std::fmt::Display;
use std::sync::Arc;

use interpreter::atom::Atom;
use interpreter::print::Terms;
use log_format::{Kind, Pid, Tag};
use serde::{Serialize, Serializer};

use crate::called::ProcessName;
use crate::content::{Content, Speech};
use crate::native::NativeName;
use crate::shared::SharedUse;

/// The last part of a path.
#[must_use]
pub fn file_name(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

/// File and line of a place as the log has it, `file:line:column`.
#[must_use]
pub fn located(place: &str) -> Option<(&str, u32)> {
    let (rest, _column) = place.rsplit_once(':')?;
    let (file, line) = rest.rsplit_once(':')?;
    Some((file, line.parse().ok()?))
}

/// A place in the source.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct SourcePlace {
    /// The file as stack traces show it.
    pub file: String,
    /// From 1.
    pub line: u32,
    /// From 1, in characters.
    pub column: u32,
    /// The function; in JSON `module:function/arity`.
    pub function: FunctionName,
    /// Code that was loaded at run time: the text of the file as it was then; empty if it is not known.
    #[serde(skip)]
    pub loaded: Option<Arc<str>>,
    /// The language that its function is named in.
    #[serde(skip)]
    pub terms: Terms,
}

impl SourcePlace {
    /// `file:line:column`; code of Elixir has no columns.
    #[must_use]
    pub fn at(&self) -> String {
        match self.column {
            0 => format!("{}:{}", self.file, self.line),
            column => format!("{}:{}:{column}", self.file, self.line),
        }
    }

    /// The function as the code has it, `module:function/arity`; for a program in Elixir, as [`SourcePlace::called`].
    #[must_use]
    pub fn in_full(&self) -> String {
        match self.terms {
            Terms::Erlang => self.function.to_string(),
            Terms::Elixir => self.called(),
        }
    }

    /// The name of the file, without its folders.
    #[must_use]
    pub fn file_name(&self) -> &str {
        file_name(&self.file)
    }

    /// The same with the line: `account.erl:11`.
    #[must_use]
    pub fn short(&self) -> String {
        format!("{}:{}", self.file_name(), self.line)
    }

    /// Is it in a module of the library that is built in?
    #[must_use]
    pub fn is_built_in(&self) -> bool {
        interpreter::library::source(self.function.module.as_str()).is_some()
    }

    /// The function, for people.
    #[must_use]
    pub fn called(&self) -> String {
        self.function.called(self.terms)
    }
}

/// A function of a module.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct FunctionName {
    /// Its module.
    pub module: Atom,
    /// Its name. A fun, or a comprehension, has one that begins with `-`.
    pub name: Atom,
    /// How many arguments it takes.
    pub arity: u8,
}

impl FunctionName {
    /// Is it this function?
    #[must_use]
    pub fn is(&self, module: &str, name: &str, arity: u8) -> bool {
        self.module.as_str() == module && self.name.as_str() == name && self.arity == arity
    }

    /// Without its module: `loop/2`.
    #[must_use]
    pub fn local(&self) -> String {
        crate::words::safe(&format!("{}/{}", self.name.as_str(), self.arity))
    }

    /// If the compiler made it of a fun or a comprehension: the function in which that is written, as `decide/2`.
    #[must_use]
    pub fn written_in(&self) -> Option<String> {
        crate::words::inner_function(&self.local()).map(|(_, outer)| outer.to_owned())
    }

    /// For people, with its module.
    #[must_use]
    pub fn called(&self, terms: Terms) -> String {
        crate::words::function(&self.to_string(), terms)
    }
}

impl Display for FunctionName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", crate::words::safe(self.module.as_str()), self.local())
    }
}

impl Serialize for FunctionName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// One action.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Act {
    /// The process, `0.7.0`.
    #[serde(serialize_with = "as_text")]
    pub pid: Pid,
    /// The process for people: its registered name or the function that it was spawned with, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<ProcessName>,
    /// The number of the action in its process, from 1.
    pub number: u64,
    /// The action as a target.
    pub target: String,
    /// `rec`, `send`, …
    pub kind: ActKind,
    /// The other process: receiver, sender, child.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "known_as_text")]
    pub peer: Option<Pid>,
    /// The signal that was consumed.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "known_as_text")]
    pub signal: Option<Tag>,
    /// For an input: its class, if the log was read with values.
    #[serde(skip)]
    pub input: Option<log_format::InputClass>,
    /// Of a receive that timed out: what it was for, if a replay told that.
    #[serde(skip)]
    pub purpose: Option<Purpose>,
    /// What was sent, received, obtained, written, or the reason of an end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<Content>,
    /// Of an end: is its reason no failure?
    #[serde(skip)]
    pub peaceful: bool,
    /// The native function that did it, if a replay saw that.
    #[serde(skip)]
    pub native: Option<NativeName>,
    /// Shared resources that were used; in JSON each as `reads name(server)`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub accesses: Vec<SharedUse>,
    /// Where in the source.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<SourcePlace>,
    /// Is it the target?
    #[serde(skip_serializing_if = "is_false")]
    pub is_target: bool,
}

impl Act {
    /// What was said, as its program means it. `in_library`: a function of the library sent or received it.
    #[must_use]
    pub fn speech(&self, in_library: bool) -> Speech<'_> {
        let content = self.content.as_ref();
        content.map_or(Speech::Plain("a message"), |content| content.speech(in_library))
    }
}

/// The purpose of a receive that timed out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// It waited for a message.
    Wait,
    /// It takes no message: a sleep.
    Sleep,
    /// It does not wait: it looks whether such a message is there.
    Look,
}

macro_rules! act_kinds {
    ($($kind:ident $word:literal $meaning:literal,)*) => {
        /// What an action does: the kinds of the log, and a wait.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
        #[serde(rename_all = "snake_case")]
        pub enum ActKind {
            $(#[doc = $meaning] $kind,)*
            /// The process waits: no action of the log.
            Wait,
        }

        impl ActKind {
            /// The word that the log and JSON have for it.
            #[must_use]
            pub const fn word(self) -> &'static str {
                match self {
                    $(Self::$kind => $word,)*
                    Self::Wait => "wait",
                }
            }
        }

        impl From<&Kind> for ActKind {
            fn from(kind: &Kind) -> Self {
                match kind {
                    $(Kind::$kind { .. } => Self::$kind,)*
                }
            }
        }
    };
}

log_format::for_each_kind!(act_kinds);

fn as_text<S: Serializer>(value: &impl Display, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

fn known_as_text<S: Serializer>(value: &Option<impl Display>, serializer: S) -> Result<S::Ok, S::Error> {
    match value {
        Some(value) => serializer.collect_str(value),
        None => serializer.serialize_none(),
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the shape that serde asks for")]
const fn is_false(b: &bool) -> bool {
    !*b
}

/// One line of a list of actions.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(untagged)]
pub enum ActionRow {
    /// An action.
    Act(Box<Act>),
    /// Actions that are not shown.
    Folded {
        /// Number of actions.
        folded_actions: u64,
        /// Number of processes.
        folded_processes: u64,
        /// Each as the first and the last action of a stretch of one process, in causal order.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        folded: Vec<(String, String)>,
    },
}

/// How much of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Extent {
    /// Actions.
    pub actions: u64,
    /// Processes.
    pub processes: u64,
}

/// A variable and its value.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Its value; `None` if it is bound but no longer kept.
    pub value: Option<String>,
}

/// A line of source.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct SourceLine {
    /// From 1.
    pub line: u32,
    /// Its text.
    pub text: String,
    /// Is the process at this line?
    #[serde(skip_serializing_if = "is_false")]
    pub here: bool,
}

/// One activation of a function.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ShownFrame {
    /// Its place in the source.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<SourcePlace>,
    /// The source around it, if it is shown.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub source: Vec<SourceLine>,
    /// Its variables in order of binding.
    pub variables: Vec<Variable>,
}

/// A signal that a process has not consumed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct WaitingSignal {
    /// The signal as a target.
    pub signal: String,
    /// `message` or `exit signal`.
    pub kind: &'static str,
    /// What it carries.
    pub content: Content,
}

/// What a process printed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Printed {
    /// The process.
    pub pid: String,
    /// The name of the process, for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<ProcessName>,
    /// How many bytes it wrote.
    pub bytes: u64,
    /// How many bytes at the start are left out of `text`.
    pub left_out: u64,
    /// What it wrote; bytes that are not UTF-8 are shown as U+FFFD.
    pub text: String,
}

/// A process at one moment of a run.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct ProcessView {
    /// The process.
    pub pid: String,
    /// The process for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<ProcessName>,
    /// How many actions it has done.
    pub actions: u64,
    /// How many it did in the recorded run.
    pub of_actions: u64,
    /// `stands after its last replayed action`, `waits in a receive`, `ended`, …
    pub state: String,
    /// The reason of its end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Its activations, innermost first.
    pub frames: Vec<ShownFrame>,
    /// How many activations there are.
    pub depth: u64,
    /// Signals sent to it and not consumed.
    pub mailbox: Vec<WaitingSignal>,
    /// How many there are.
    pub mailbox_length: u64,
    /// Registered names.
    pub names: Vec<String>,
    /// Linked processes.
    pub links: Vec<String>,
    /// Processes that it monitors.
    pub monitors: Vec<String>,
    /// Does it trap exits?
    pub trap_exit: bool,
    /// Its process dictionary.
    pub dictionary: Vec<Variable>,
    /// The next action of its log, as a target.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

/// A command that can be typed next.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct NextCommand {
    /// As it is typed.
    pub command: String,
    /// What the command shows.
    pub what: String,
}

/// The last actions of a process, from `first` on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Suffix {
    /// The process.
    pub pid: String,
    /// The first of them.
    pub first: Act,
    /// How many there are.
    pub actions: u64,
    /// The last of them, as a target.
    pub last: String,
}

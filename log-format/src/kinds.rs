//! The kinds of actions: what they hold, what they are called, and how they are written. All of a kind that this crate knows is in this file.
//!
//! "Adding an action kind" in CONTRIBUTING.md says what else a new kind needs.

use crate::ids::{ActionId, Node, Pid, Tag, TextId};
use crate::input::InputClass;

/// Calls a macro with a row for each kind of action: the variant of [`Kind`], its word in logs and JSON, and what it means.
#[macro_export]
macro_rules! for_each_kind {
    ($callback:ident) => {
        $callback! {
            Spawn "spawn" "A process is created.",
            SpawnFailed "spawn_failed" "A spawn failed: the node is absent.",
            Send "send" "A signal is sent.",
            Rec "rec" "A message is received.",
            After "after" "A receive times out.",
            Signal "signal" "An exit signal ends the process.",
            Drop "drop" "A signal is dropped.",
            Access "access" "Shared resources are used.",
            Version "version" "Another version of a module is seen.",
            Start "start" "A node is started.",
            Nodes "nodes" "Nodes are listed.",
            Observe "observe" "Another process is looked at.",
            Input "input" "Something is obtained from outside.",
            Output "output" "Something is written.",
            Halt "halt" "The program halts.",
            Test "test" "A test runner notes that a test began, or how it ended.",
            Exit "exit" "The process ends by itself.",
        }
    };
}

/// The numbers of actions in full (FORMAT.md, "Actions in full"). Each row is a number, the kind with what the number says of it, and the fields
/// that follow, in order: what the pattern binds, and its type in `fields.rs`. New numbers come at the end; old ones never change.
macro_rules! for_each_number {
    ($callback:ident) => {
        $callback! {
            0 (Kind::Spawn { child, node: None }) [child: pid];
            1 (Kind::Spawn { child, node: Some(node) }) [child: pid, node: node];
            2 (Kind::SpawnFailed { child, node }) [child: pid, node: node];
            3 (Kind::Send) [];
            4 (Kind::Rec(tag)) [tag: tag];
            5 (Kind::After) [];
            6 (Kind::Signal { tag, events, waiting }) [tag: tag, events: events, waiting: flag];
            7 (Kind::Drop { tag: None, value }) [value: value];
            8 (Kind::Drop { tag: Some(tag), value }) [tag: tag, value: value];
            9 (Kind::Access) [];
            10 (Kind::Start { node, ok: false }) [node: node];
            11 (Kind::Start { node, ok: true }) [node: node];
            12 (Kind::Nodes) [];
            13 (Kind::Observe { of: None, value }) [value: value];
            14 (Kind::Observe { of: Some(ActionId { pid, number }), value }) [pid: pid, number: action, value: value];
            15 (Kind::Input { value }) [value: value];
            16 (Kind::Output { device: Device::Stdout, bytes }) [bytes: length];
            17 (Kind::Output { device: Device::Stderr, bytes }) [bytes: length];
            18 (Kind::Output { device: Device::Other(name), bytes }) [bytes: length, name: text];
            19 (Kind::Halt { code }) [code: status];
            20 (Kind::Exit { class: ExitClass::Normal }) [];
            21 (Kind::Exit { class: ExitClass::Error }) [];
            22 (Kind::Exit { class: ExitClass::Exit }) [];
            23 (Kind::Exit { class: ExitClass::Throw }) [];
            24 (Kind::Test { of, name, note: TestNote::Began }) [of: pid, name: text];
            25 (Kind::Test { of, name, note: TestNote::Passed }) [of: pid, name: text];
            26 (Kind::Test { of, name, note: TestNote::Skipped }) [of: pid, name: text];
            27 (Kind::Test { of, name, note: TestNote::Failed { reason, stack } })
                [of: pid, name: text, reason: words, stack: words];
            28 (Kind::Version { events }) [events: events];
        }
    };
}

pub(crate) use for_each_number;

/// The kinds of actions, with the data that a replay needs to repeat them.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub enum Kind {
    /// `spawn(q)`.
    Spawn {
        /// The new process.
        child: Pid,
        /// Its node if the call names one; otherwise that of its parent.
        node: Option<Node>,
    },
    /// `spawn_failed(q, nid)`: the node was absent; the pid is used up all the same.
    SpawnFailed {
        /// The pid that was returned. No process has it.
        child: Pid,
        /// The absent node.
        node: Node,
    },
    /// `send(ℓ)`. ℓ is (p, k) with the next k of the process.
    Send,
    /// `rec(ℓ)`.
    Rec(Tag),
    /// `after`.
    After,
    /// `signal(ℓ)`: an end.
    Signal {
        /// The exit signal.
        tag: Tag,
        /// Counted events since the last action (semantics.md §5). Replay data, not identity.
        events: u64,
        /// Did it take effect at a waiting point? Replay data, not identity.
        waiting: bool,
    },
    /// `drop(ℓ)` with the tag, `drop(none, v)` without.
    Drop {
        /// The signal that was removed or disabled.
        tag: Option<Tag>,
        /// The logged result; opaque to this crate.
        value: Vec<u8>,
    },
    /// Accesses alone: `whereis`, `register`, `link`, a look-up in a table, …
    Access,
    /// `version`: the process sees, for the first time, this version of a module: by a call or a question. The read of the module is in
    /// `accesses`.
    Version {
        /// Counted events since the last action (semantics.md §5). Replay data, not identity: calls before it saw an older version.
        events: u64,
    },
    /// `start(nid, ok or failed)`; the access to the node is in `accesses`.
    Start {
        /// The node.
        node: Node,
        /// Was it started?
        ok: bool,
    },
    /// `nodes(Ω)`: the accesses are reads of every node, those present first, in the order of Ω.
    Nodes,
    /// `observe(q/n, v)` or `observe(v)`.
    Observe {
        /// The observed process and its last action then (`ActionNo(0)` if it had none); `None` for the process's own state.
        of: Option<ActionId>,
        /// What was read; opaque to this crate.
        value: Vec<u8>,
    },
    /// `input(v)`.
    Input {
        /// The value; opaque to this crate.
        value: Vec<u8>,
    },
    /// `output(dev)`.
    Output {
        /// The device.
        device: Device,
        /// How many bytes were written. The bytes themselves are computed again in replay.
        bytes: u64,
    },
    /// `halt(code)`.
    Halt {
        /// The exit status asked for.
        code: i64,
    },
    /// `test(q, name, note)`: a test runner noted something about a test.
    Test {
        /// The process that runs the test; not always the one that notes it.
        of: Pid,
        /// The name of the test, `bank_tests:transfer_test`.
        name: TextId,
        /// What was noted.
        note: TestNote,
    },
    /// `exit(class)`: an end.
    Exit {
        /// How the process ended by itself.
        class: ExitClass,
    },
}

impl Kind {
    /// Is it an end (the last action of a process)?
    #[must_use]
    pub const fn is_end(&self) -> bool {
        matches!(self, Self::Signal { .. } | Self::Exit { .. })
    }

    /// The signal that the action consumed, if any: its send is a cause.
    #[must_use]
    pub const fn consumed(&self) -> Option<Tag> {
        match self {
            Self::Rec(tag) | Self::Signal { tag, .. } | Self::Drop { tag: Some(tag), .. } => Some(*tag),
            _ => None,
        }
    }

    /// The process that the action created, if any.
    #[must_use]
    pub const fn spawned(&self) -> Option<Pid> {
        match self {
            Self::Spawn { child, .. } => Some(*child),
            _ => None,
        }
    }

    /// The class of an input, if its value is known.
    #[must_use]
    pub fn input_class(&self) -> Option<InputClass> {
        match self {
            Self::Input { value } => InputClass::split(value).map(|(class, _)| class),
            _ => None,
        }
    }
}

macro_rules! words {
    ($($kind:ident $word:literal $meaning:literal,)*) => {
        impl Kind {
            /// The words of all kinds.
            pub const WORDS: &[&str] = &[$($word),*];

            /// Its word in logs and JSON: one of [`Kind::WORDS`].
            #[must_use]
            pub const fn word(&self) -> &'static str {
                match self {
                    $(Self::$kind { .. } => $word,)*
                }
            }
        }
    };
}

for_each_kind!(words);

impl Kind {
    /// What a process was to do, in words.
    #[must_use]
    pub fn describe(&self) -> String {
        match self {
            Self::Spawn { child, .. } => format!("spawn {child}"),
            Self::SpawnFailed { child, .. } => format!("fail to spawn {child} on a missing node"),
            Self::Send => "send a signal".to_owned(),
            Self::Rec(tag) => format!("receive the message {tag}"),
            Self::After => "time out in a receive".to_owned(),
            Self::Signal { tag, .. } => format!("end by the exit signal {tag}"),
            Self::Drop { tag: Some(tag), .. } => format!("cancel a monitor, alias or timer, and drop {tag}"),
            Self::Drop { tag: None, .. } => "cancel a monitor, alias or timer, with nothing to drop".to_owned(),
            Self::Access => "use a shared resource".to_owned(),
            Self::Version { .. } => "see another version of a module".to_owned(),
            Self::Start { .. } => "start a node".to_owned(),
            Self::Nodes => "list the nodes".to_owned(),
            Self::Observe { .. } => "observe the state of a process".to_owned(),
            Self::Input { .. } => "read an input".to_owned(),
            Self::Output { .. } => "write to a device".to_owned(),
            Self::Halt { .. } => "halt the system".to_owned(),
            Self::Exit { class } => format!("end ({})", class.word()),
            Self::Test { note, .. } => format!("note that a test {}", note.word()),
        }
    }
}

/// What a test runner notes of a test.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub enum TestNote {
    /// It begins.
    Began,
    /// It passed.
    Passed,
    /// It was skipped on purpose.
    Skipped,
    /// It failed: an exception was caught, the time was up, or its process was ended.
    Failed {
        /// Class and reason of the exception as text, `error {badmatch,2}`. For people only.
        reason: String,
        /// The stack trace as text, a line for each function, `bank:transfer/2 (bank.erl:12)`. For people only.
        stack: String,
    },
}

impl TestNote {
    /// `began`, `passed`, `skipped` or `failed`.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Began => "began",
            Self::Passed => "passed",
            Self::Skipped => "skipped",
            Self::Failed { .. } => "failed",
        }
    }
}

/// How a process ended by itself.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum ExitClass {
    /// Its function returned, or it called `exit(normal)`.
    Normal,
    /// An uncaught `error`.
    Error,
    /// An uncaught `exit` with another reason than `normal`.
    Exit,
    /// An uncaught `throw`.
    Throw,
}

impl ExitClass {
    /// `normal`, `error`, `exit` or `throw`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Normal => "normal",
            Self::Error => "error",
            Self::Exit => "exit",
            Self::Throw => "throw",
        }
    }
}

/// The destination of output.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Device {
    /// Standard output.
    Stdout,
    /// Standard error.
    Stderr,
    /// A file or another device, by name.
    Other(TextId),
}

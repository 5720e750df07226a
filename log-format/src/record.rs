//! Records about the run: how it was started, its program, how it ended. Only this module uses bincode, so that it is easy to replace: the
//! crate is unmaintained (RUSTSEC-2025-0141); `bincode-next` and `wincode` are alternatives.

use bincode::config::{Configuration, Limit, standard};
use bincode::error::DecodeError;
use bincode::{Decode, Encode};
use rustc_hash::FxHashMap;

use crate::decode::get_tag;
use crate::encode::put_tag;
use crate::error::{Error, Result};
use crate::ids::{Pid, Tag};
use crate::varint::{Malformed, get, put};

/// How a run was started.
#[derive(Clone, PartialEq, Eq, Debug, Default, Encode, Decode)]
pub struct Header {
    /// The recorder and its version.
    pub tool: String,
    /// The command line, argument by argument.
    pub command: Vec<String>,
    /// The entry: module, function, arity, as `stock:main/0`.
    pub entry: String,
    /// The arguments that the program got.
    pub arguments: Vec<String>,
    /// The name of the node on which the run started: `Node(0)`.
    pub node: String,
    /// The scheduler.
    pub schedule: String,
    /// Its seed, if it had one.
    pub seed: Option<u64>,
    /// Were the clocks simulated?
    pub virtual_time: bool,
    /// Further facts for a replay, by name.
    pub facts: Vec<(String, String)>,
}

/// The text in place of something that was left out of a header or an outcome.
pub const REMOVED: &str = "(removed)";
/// The text in place of a reason that told a process to shut down.
pub const REMOVED_SHUTDOWN: &str = "{shutdown,(removed)}";

/// Is this the reason of an exit that is not a failure?
#[must_use]
pub fn is_peaceful(reason: &str) -> bool {
    matches!(reason, "normal" | "shutdown") || reason.starts_with("{shutdown,")
}

/// What remains of the reason of an end if it is left out: only whether it was a failure, which the target `error` needs.
#[must_use]
pub fn without_reason(reason: &str) -> &str {
    match reason {
        "" | "normal" | "shutdown" => reason,
        _ if is_peaceful(reason) => REMOVED_SHUTDOWN,
        _ => REMOVED,
    }
}

impl RunEnd {
    /// Leaves out the reason or the value with which the run ended. Returns how many values were left out.
    pub fn leave_reason_out(&mut self) -> u64 {
        match self {
            // The outcome of a run that was not recorded to its end is a text, which contains the reason too.
            Self::Crashed { reason: text, .. } | Self::Returned(text) | Self::Unrecorded { then: text, .. } => {
                let left = without_reason(text);
                let removed = u64::from(left != text);
                *text = left.to_owned();
                removed
            }
            Self::Deadlock | Self::Limit(_) | Self::Halted(_) | Self::Interrupted(_) => 0,
        }
    }
}

/// The header's fact that the arguments were left out.
const LEFT_OUT: (&str, &str) = ("left out", "arguments");
/// The header's fact that keys are numbers and not hashes.
const KEYS_LEFT_OUT: (&str, &str) = ("left out", "keys");

impl Header {
    /// Leaves out the command line and the arguments. Returns how many there were.
    pub fn leave_arguments_out(&mut self) -> u64 {
        if self.command == [REMOVED] {
            return 0;
        }
        let count = self.command.len() + self.arguments.len();
        self.command = vec![REMOVED.to_owned()];
        if !self.arguments.is_empty() {
            self.arguments = vec![REMOVED.to_owned()];
            self.facts.push((LEFT_OUT.0.to_owned(), LEFT_OUT.1.to_owned()));
        }
        count as u64
    }

    /// Notes that the keys of accesses are numbers from now on.
    pub fn leave_keys_out(&mut self) {
        if !self.keys_left_out() {
            self.facts
                .push((KEYS_LEFT_OUT.0.to_owned(), KEYS_LEFT_OUT.1.to_owned()));
        }
    }

    /// Are the keys of accesses numbers, and not hashes?
    #[must_use]
    pub fn keys_left_out(&self) -> bool {
        let is = |(name, what): &(String, String)| (name.as_str(), what.as_str()) == KEYS_LEFT_OUT;
        self.facts.iter().any(is)
    }

    /// Were there arguments that were left out?
    #[must_use]
    pub fn arguments_left_out(&self) -> bool {
        let is = |(name, what): &(String, String)| (name.as_str(), what.as_str()) == LEFT_OUT;
        self.facts.iter().any(is)
    }
}

/// One module of the program.
#[derive(Clone, PartialEq, Eq, Debug, Encode, Decode)]
pub struct ModuleSource {
    /// The module's name.
    pub module: String,
    /// The path from which it was read, as the user wrote it.
    pub path: String,
    /// The type of `bytes`: `erl` for source text, `include` or `include_lib` for an included file.
    pub format: String,
    /// The contents.
    pub bytes: Vec<u8>,
    /// The compiler options.
    pub options: Vec<CompileOption>,
}

/// A compiler option of a module.
#[derive(Clone, PartialEq, Eq, Debug, Encode, Decode)]
pub enum CompileOption {
    /// A macro is defined before the file is read.
    Define {
        /// Its name.
        name: String,
        /// Its value as source text; `None`: `true`.
        value: Option<String>,
    },
    /// A feature of the language is enabled.
    Feature(String),
}

impl CompileOption {
    /// The macro that `NAME` or `NAME=VALUE` defines.
    #[must_use]
    pub fn define(text: &str) -> Self {
        let (name, value) = match text.split_once('=') {
            Some((name, value)) => (name, Some(value.to_owned())),
            None => (text, None),
        };
        Self::Define {
            name: name.to_owned(),
            value,
        }
    }
}

impl std::fmt::Display for CompileOption {
    /// As written on the command line of `tracer run`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Define { name, value: None } => write!(f, "-D{name}"),
            Self::Define {
                name,
                value: Some(value),
            } => write!(f, "-D{name}={value}"),
            Self::Feature(name) => write!(f, "--enable-feature={name}"),
        }
    }
}

/// A native function that the program may use.
#[derive(Clone, PartialEq, Eq, Debug, Encode, Decode)]
pub struct NativeVersion {
    /// `module:function/arity`.
    pub name: String,
    /// The version of its meaning.
    pub version: u16,
}

/// The program, or the part of it that was loaded at one time.
#[derive(Clone, PartialEq, Eq, Debug, Default, Encode, Decode)]
pub struct Program {
    /// Sources, the entry's module first.
    pub sources: Vec<ModuleSource>,
    /// All natives that the recorder had.
    pub natives: Vec<NativeVersion>,
    /// The used natives, by their index in the list of all natives of the trace: natives named by loaded code, or by a name made at run time.
    /// Known when the run has ended, but for [`TEST_NATIVE`]: that is listed before the first cut with a test.
    pub used: Vec<u32>,
}

/// The native that notes tests. A run that has not used it has no tests.
pub const TEST_NATIVE: &str = "erlang:$test/3";

/// How a run ended.
#[derive(Clone, PartialEq, Eq, Debug, Encode, Decode)]
pub enum RunEnd {
    /// The entry process returned this value (as text) and nothing more could happen.
    Returned(String),
    /// The entry process ended abnormally.
    Crashed {
        /// `error`, `exit` or `throw`, or `signal`.
        class: String,
        /// The reason, as text.
        reason: String,
    },
    /// The entry process waits, and nothing more can happen.
    Deadlock,
    /// A limit was reached; its name, for people.
    Limit(String),
    /// A process called `halt` with this status.
    Halted(i64),
    /// Stopped from outside; by what, for people.
    Interrupted(String),
    /// The recording ended before the run, at a consistent cut. What the trace contains is right; what came after is not known.
    Unrecorded {
        /// Why it ended, for people.
        why: String,
        /// How the run ended later, for people.
        then: String,
    },
}

/// The outcome of a run. Processes that ended normally need not be listed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunOutcome {
    /// How the run ended.
    pub run: RunEnd,
    /// The processes, in any order.
    pub processes: Vec<ProcessOutcome>,
}

/// The state of a process at the end of the run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProcessOutcome {
    /// The process.
    pub pid: Pid,
    /// Its state.
    pub state: FinalState,
    /// How many messages its mailbox held.
    pub mailbox: u64,
    /// The tags of the first messages in it, at most [`MAILBOX_TAGS`].
    pub tags: Vec<Tag>,
}

/// Limit: tags of a mailbox that are kept.
pub const MAILBOX_TAGS: usize = 100;

/// The final state of a process.
#[derive(Clone, PartialEq, Eq, Debug, Encode, Decode)]
pub enum FinalState {
    /// It had ended.
    Ended {
        /// The reason, as text.
        reason: String,
        /// The stack, as text; empty if there is none.
        stack: String,
    },
    /// It could have gone on.
    Running {
        /// Its position: `file:line`, function.
        location: String,
    },
    /// It waited for a message.
    Waiting {
        /// The position of its receive.
        location: String,
    },
}

/// [`ProcessOutcome`] as stored.
#[derive(Encode, Decode)]
struct StoredOutcome {
    pid: u64,
    state: FinalState,
    mailbox: u64,
    /// The tags as in actions, one after the other.
    tags: Vec<u8>,
}

/// Encodes a record. Writing to memory does not fail.
fn encode<T: Encode>(record: &T) -> Vec<u8> {
    bincode::encode_to_vec(record, standard()).expect("records have no type that bincode refuses")
}

/// Decodes a record of a section whose payload begins at `offset`. It allocates at most in proportion to the length of the bytes. A record that
/// `grows` may have fields after the known ones, which a later minor version has added.
fn decode<T: Decode<()>>(bytes: &[u8], offset: u64, grows: bool) -> Result<T> {
    const fn limit<const N: usize>() -> Configuration<bincode::config::LittleEndian, bincode::config::Varint, Limit<N>>
    {
        standard().with_limit::<N>()
    }
    let decoded = match bytes.len() {
        0..0x1_0000 => bincode::decode_from_slice(bytes, limit::<{ 1 << 22 }>()),
        0x1_0000..0x40_0000 => bincode::decode_from_slice(bytes, limit::<{ 1 << 27 }>()),
        0x40_0000..0x400_0000 => bincode::decode_from_slice(bytes, limit::<{ 1 << 28 }>()),
        _ => bincode::decode_from_slice(bytes, limit::<{ 1 << 30 }>()),
    };
    match decoded {
        Ok((record, used)) if grows || used == bytes.len() => Ok(record),
        Ok((_, used)) => Err(Error::damaged(
            offset + used as u64,
            "the end of the record",
            format_args!("{} bytes more", bytes.len() - used),
        )),
        Err(error) => Err(Error::damaged(offset, "a record", in_words(&error))),
    }
}

/// The error of a record, in words.
fn in_words(error: &DecodeError) -> String {
    match error {
        DecodeError::UnexpectedEnd { .. } => "its end".to_owned(),
        DecodeError::LimitExceeded | DecodeError::OutsideUsizeRange(_) => {
            "one that needs more memory than its bytes can say".to_owned()
        }
        DecodeError::UnexpectedVariant { found, .. } => format!("a variant {found} that there is not"),
        DecodeError::Utf8 { .. } | DecodeError::InvalidCharEncoding(_) => "a text that is not UTF-8".to_owned(),
        DecodeError::InvalidBooleanValue(byte) => format!("{byte} where there is yes or no"),
        DecodeError::InvalidIntegerType { .. } => "a number that is too large for its field".to_owned(),
        _ => "bytes that are none".to_owned(),
    }
}

/// Implements reading and writing of records.
macro_rules! stored {
    ($($put:ident $get:ident $type:ty, $grows:literal);* $(;)?) => {$(
        pub(crate) fn $put(record: &$type) -> Vec<u8> {
            encode(record)
        }

        pub(crate) fn $get(bytes: &[u8], offset: u64) -> Result<$type> {
            decode(bytes, offset, $grows)
        }
    )*};
}

stored! {
    put_header get_header Header, true;
    put_program get_program Program, true;
    put_run_end get_run_end RunEnd, true;
    put_texts get_texts Vec<String>, false;
}

pub(crate) fn put_processes(outcomes: &[&ProcessOutcome]) -> Vec<u8> {
    let stored: Vec<StoredOutcome> = outcomes
        .iter()
        .map(|outcome| {
            let ProcessOutcome {
                pid,
                state,
                mailbox,
                tags,
            } = outcome;
            let mut bytes = Vec::new();
            for tag in tags.iter().take(MAILBOX_TAGS) {
                put_tag(&mut bytes, pid.0, *tag);
            }
            StoredOutcome {
                pid: pid.0,
                state: state.clone(),
                mailbox: *mailbox,
                tags: bytes,
            }
        })
        .collect();
    encode(&stored)
}

pub(crate) fn get_processes(bytes: &[u8], offset: u64) -> Result<Vec<ProcessOutcome>> {
    let stored: Vec<StoredOutcome> = decode(bytes, offset, false)?;
    let outcome = |StoredOutcome {
                       pid,
                       state,
                       mailbox,
                       tags: bytes,
                   }| {
        let (mut tags, mut at) = (Vec::new(), 0);
        while at < bytes.len() {
            tags.push(get_tag(&bytes, &mut at, pid).map_err(|error| Error::malformed(offset, &error))?);
        }
        Ok(ProcessOutcome {
            pid: Pid(pid),
            state,
            mailbox,
            tags,
        })
    };
    stored.into_iter().map(outcome).collect()
}

/// Digests of one process.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Digests {
    /// For each of its receives, the digest of the message.
    pub received: Vec<u32>,
    /// Of its final state: at its end, or at the end of the run if it waited then.
    pub last: Option<u32>,
}

/// Appends digests of one process (FORMAT.md, "Digests").
pub(crate) fn put_digests(out: &mut Vec<u8>, pid: Pid, received: &[u32], last: Option<u32>) {
    put(out, pid.0);
    put(out, (received.len() as u64) << 1 | u64::from(last.is_some()));
    for digest in received.iter().chain(&last) {
        out.extend_from_slice(&digest.to_le_bytes());
    }
}

/// Reads a section of digests and adds them to `into`.
pub(crate) fn get_digests(bytes: &[u8], offset: u64, into: &mut FxHashMap<u64, Digests>) -> Result<()> {
    let mut at = 0;
    let wrong = |error: Malformed| Error::malformed(offset, &error);
    while at < bytes.len() {
        let pid = get(bytes, &mut at, "a pid").map_err(wrong)?;
        let start = at;
        let count = get(bytes, &mut at, "a number of digests").map_err(wrong)?;
        let with_last = count & 1 == 1;
        let received = count >> 1;
        if received + u64::from(with_last) > (bytes.len() - at) as u64 / 4 {
            return Err(wrong(Malformed {
                at: start,
                expected: "no more digests than bytes",
                found: received,
            }));
        }
        let mut next = || {
            let digest = bytes[at..].first_chunk::<4>().map_or(0, |b| u32::from_le_bytes(*b));
            at += 4;
            digest
        };
        let digests = into.entry(pid).or_default();
        digests.received.extend((0..received).map(|_| next()));
        if with_last {
            digests.last = Some(next());
        }
    }
    Ok(())
}

/// The digest of some bytes: CRC-32, with 1 in place of 0, which means an unknown digest.
#[must_use]
pub fn digest(bytes: &[u8]) -> u32 {
    crc32fast::hash(bytes).max(1)
}

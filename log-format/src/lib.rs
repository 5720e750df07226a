//! The trace: ids, actions, the codec, the trace file (see `FORMAT.md`). Knows nothing of Erlang terms or of execution.
//!
//! Writing: a [`ProcLog`] for each process takes its actions; a [`TraceWriter`] puts what they hold into the file, cut by cut.
//! Reading: a [`Trace`] answers questions, reading only what they need; a [`LogReader`] goes through the log of one process.
//! A file is hostile input: nothing in it is trusted, and no bytes make this crate panic.

#![forbid(unsafe_code)]

mod action;
mod block;
mod cut;
mod decode;
mod encode;
mod error;
mod growing;
mod ids;
mod index;
mod input;
mod keys;
mod model;
mod pack;
mod pids;
mod place;
mod reader;
mod record;
mod section;

#[cfg(any(test, feature = "simulate"))]
pub mod mutate;
#[cfg(any(test, feature = "simulate"))]
pub mod simulate;
mod source;
mod stream;
mod trace;
mod varint;
mod visible;
mod writer;

pub use action::{Access, Action, Counts, Device, ExitClass, Kind, Resource};
pub use cut::Cut;
pub use encode::ProcLog;
pub use error::{Error, ErrorKind, Result};
pub use growing::Finisher;
pub use ids::{ActionId, ActionNo, Node, ObjectId, ParseError, Pid, RecNo, SendNo, Tag, TextId, Version};
pub use index::Totals;
pub use input::InputClass;
pub use pids::PidMap;
pub use place::NewFile;
pub use reader::{LogPlace, LogReader, Reader, SharedLogReader, Step};
pub use record::{
    Digests, FinalState, Header, MAILBOX_TAGS, NativeVersion, Outcome, ProcessOutcome, Program, REMOVED,
    REMOVED_SHUTDOWN, RunEnd, Source, digest, is_peaceful, without_reason,
};
pub use section::{MAJOR, MINOR};
pub use trace::{Process, Progress, Status, Trace, is_trace};
pub use visible::{is_hidden, quoted, safe, safe_lines, safe_path};
pub use writer::TraceWriter;

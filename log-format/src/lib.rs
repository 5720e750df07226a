//! The trace: ids, actions, the codec, the trace file (see `FORMAT.md`). Knows nothing of Erlang terms or of execution.
//!
//! Writing: a [`ProcLog`] for each process takes its actions; a [`TraceWriter`] puts what they hold into the file, cut by cut.
//! Reading: a [`Trace`] answers questions, reading only what they need; a [`LogReader`] goes through the log of one process.
//! A file is hostile input: nothing in it is trusted, and no bytes make this crate panic.
//!
//! # Reading a trace
//!
//! ```
//! use log_format::{Kind, RecNo, Trace};
//!
//! # fn main() -> log_format::Result<()> {
//! # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../fixtures/traces/1.0/account.trace");
//! let trace = Trace::open(path.as_ref())?;
//! assert_eq!(trace.totals().processes, 5);
//!
//! // The whole log of every process.
//! let mut actions = 0;
//! for process in trace.processes() {
//!     for action in trace.log(process?.pid)? {
//!         let (_number, _action) = action?;
//!         actions += 1;
//!     }
//! }
//! assert_eq!(actions, trace.totals().counts.actions);
//!
//! // One action: the third receive of the run, and who sent what it received.
//! let received = trace.rec(RecNo(3))?;
//! let Kind::Rec(tag) = trace.action(received.pid, received.number)?.kind else {
//!     panic!("`rec:3` is a receive");
//! };
//! let sent = trace.find_send(tag)?;
//! assert_eq!(sent.map(|send| send.pid), tag.sender());
//! # Ok(())
//! # }
//! ```
//!
//! A longer one is `examples/read_trace.rs`.

#![deny(missing_docs, unsafe_code)]

mod action;
mod block;
mod codec;
mod cut;
mod decode;
mod encode;
mod error;
mod fields;
mod growing;
mod ids;
mod index;
mod input;
pub mod kept;
mod keys;
mod kinds;
#[cfg(unix)]
mod map;
mod memory;
mod model;
mod near;
mod other;
mod pack;
mod part;
mod pids;
mod place;
mod reader;
mod record;
mod section;

#[doc(hidden)]
pub mod mutate;
#[doc(hidden)]
pub mod simulate;
mod source;
mod stream;
mod trace;
mod varint;
mod visible;
pub mod wire;
mod writer;

pub use action::{Access, Action, Counts, Resource, START_REFUSED};
pub use cut::Cut;
pub use encode::ProcLog;
pub use error::{Error, ErrorKind, Result};
pub use growing::Finisher;
pub use ids::{ActionId, ActionNo, Node, ObjectId, ParseError, Pid, RecNo, SendNo, Tag, TextId, Version};
pub use index::Totals;
pub use input::InputClass;
pub use kinds::{Device, ExitClass, Kind, TestNote};
pub use memory::Memory;
pub use near::{distance, nearest};
pub use other::OtherResource;
pub use pids::PidMap;
pub use place::{NewFile, Placed, remove_unfinished};
pub use reader::{ActionReader, LogPlace, LogReader, LogStep, SharedLogReader};
pub use record::{
    CompileOption, Digests, FinalState, Header, MAILBOX_TAGS, ModuleSource, NativeVersion, ProcessOutcome, Program,
    REMOVED, REMOVED_SHUTDOWN, RunEnd, RunOutcome, TEST_NATIVE, digest, is_peaceful, without_reason,
};
pub use section::{MAJOR, MINOR, version};
pub use trace::{IndexProgress, ProcessFacts, Status, Trace, is_trace};
pub use visible::{is_hidden, quoted, safe, safe_lines, safe_message, safe_path};
pub use writer::TraceWriter;

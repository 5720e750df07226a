//! The trace: ids, actions, the codec, the trace file (see `FORMAT.md`). Knows nothing of Erlang terms or of execution.

mod action;
mod ids;

pub use action::{Access, Action, Counts, Device, ExitClass, Kind, Resource};
pub use ids::{ActionNo, Node, ObjectId, ParseError, Pid, RecNo, SendNo, Tag, TextId, Version};

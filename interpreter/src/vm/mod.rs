//! The virtual machine: the code of a program and processes that run it until a label.
//!
//! A [`Program`] is the compiled code of all loaded modules; a [`Process`] is one flat heap, one flat stack and a mailbox.
//! [`Process::run`] executes until it needs something that the process cannot compute alone and says so by a [`Stop`]
//! (the labels of semantics.md §1). The machine knows no other process, clock, log or scheduler.

mod catches;
mod debug;
mod exception;
mod fuse;
pub mod instr;
mod judge;
mod lines;
mod listing;
mod liveness;
mod mailbox;
mod natives;
mod otp_frames;
pub(crate) use self::otp_frames::{keeps_caller, replaces_caller};
mod process;
mod program;
mod run;
mod slow;
mod spare;
#[cfg(test)]
mod tests;
mod verify;

pub use catches::Catch;
pub use judge::{Judge, JudgedBy};
pub use lines::{CoveredModule, LineCounts};
pub use mailbox::{Mailbox, MailboxEntry, MessageTag};
pub use process::{EndClass, Frame, FunFate, Observer, Process, ProcessEnd, Stop, Timeout};
pub use program::{CompiledModule, LoadedTexts, NativeId, Pc, Program, SourceLocation, VersionId, heap_of};
pub use spare::Spare;

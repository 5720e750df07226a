//! The session core of `replay`: a trace with its program, controlled replay of any part of it, and a player that moves in it.
//!
//! It never links the real outside: nothing that a replayed program does reaches the world. It knows no terminal and prints nothing: what a
//! caller should know is returned.

#![forbid(unsafe_code)]

pub mod act;
pub mod consistency;
pub mod contents;
pub mod error;
pub mod fingerprint;
pub mod name;
pub mod natives;
pub mod pick;
pub mod player;
pub mod predicate;
pub mod program;
pub mod record;
pub mod scene;
mod session;
pub mod shown;
pub mod source;
pub mod subject;
pub mod targets;
pub mod travel;
pub mod view;
pub mod watch;
pub mod words;

pub use crate::error::Error;
pub use crate::session::{Goal, Session, born, done};

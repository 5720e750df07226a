//! The session core of `replay`: a trace with its program, controlled replay of any part of it, and a player that moves in it.
//!
//! It never links the real outside: nothing that a replayed program does reaches the world. It knows no terminal and no socket, and prints
//! nothing: whatever a caller should know is returned. The command line of `replay` is one caller; an adapter for an editor would be another.
//!
//! | to | use |
//! |---|---|
//! | open a trace and compile its program | [`Session::open`], [`Session::of`] |
//! | replay some actions with only their causes, once | [`Session::replay`] with a [`Goal`] and an observer, such as [`watch::Watcher`] |
//! | go forward and backward | [`player::Player`], and [`travel`] for targets as people type them |
//! | see a process or an action | [`shown`], which makes the types of [`view`] |
//! | write what was done as a new trace | [`player::Player::save`] |
//!
//! # A session, step by step
//!
//! ```
//! use log_format::ActionId;
//! use session::player::{CHECKPOINT_MEMORY, Player};
//! use session::record::Text;
//! use session::travel::{Conditions, forward};
//! use session::{Error, Session};
//!
//! # fn main() -> Result<(), Error> {
//! // A trace: of a program that is run here and touches nothing outside, or `Session::open(path)`.
//! let program = Text {
//!     path: "m.erl".to_owned(),
//!     source: (*b"-module(m).\n-export([main/0]).\nmain() ->\n    X = 1,\n    self() ! {got, X},\n    receive {got, 2} -> ok end.\n").into(),
//! };
//! let (_, bytes) = program.record_bytes(1)?;
//! let trace = log_format::Trace::from_bytes(bytes)?;
//! let session = Session::of(trace.into())?;
//!
//! // Forward to where the run got stuck, and one action back.
//! let mut player = Player::new(&session, CHECKPOINT_MEMORY)?;
//! let (pid, _) = forward(&mut player, "error", &mut Conditions::default())?;
//! assert_eq!(player.done(pid), 1);
//! let variables: Vec<String> = player.variables(pid).into_iter().map(|(name, _)| name).collect();
//! assert_eq!(variables, ["X"]);
//! player.undo(&[ActionId::new(pid, 1)])?;
//! assert_eq!(player.done(pid), 0);
//! # Ok(())
//! # }
//! ```

#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod act;
pub mod consistency;
pub mod digests;
pub mod error;
pub mod fingerprint;
pub mod name;
pub mod natives;
pub mod numbers;
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
pub mod value;
pub mod view;
pub mod watch;
pub mod words;

pub use crate::error::Error;
pub use crate::session::{Goal, Session, born, done};

//! The session core of `replay`: a trace with its program, controlled replay of any part of it, and a player that moves in it.
//!
//! It never links the real outside: nothing that a replayed program does reaches the world. It knows no terminal and no socket, and prints
//! nothing: whatever a caller should know is returned. The command line of `replay` is one caller; an adapter for an editor would be another.
//!
//! | to | use |
//! |---|---|
//! | open a trace and compile its program | [`Session::open`], [`Session::of`] |
//! | find what a text such as `error`, `rec:42` or `line:server.erl:12` names | [`Target`], [`Session::find`] |
//! | list causes, in an order in which they can happen | [`Session::causes`] |
//! | go forward to a target, a step, or where a condition holds | [`Player::go_to`], [`Player::step`], [`Player::go_to_where`] |
//! | go back | [`Player::back`], [`Player::back_to`], [`Player::undo`] |
//! | see where a process stands, and its variables | [`Player::process`], [`Player::variables`] |
//! | go another way than the trace | [`Player::choices`], [`Player::choose`] |
//! | write what was done as a new trace | [`Player::save`] |
//! | replay some actions with only their causes, once | [`Session::replay`] with a [`Goal`] and an observer, such as [`watch::Watcher`] |
//! | the same for people, as text and numbers | [`shown`], which makes the types of [`view`]; [`notes`] |
//!
//! # Open a trace, list the causes of the error, step through them, print variables
//!
//! ```
//! use session::record::Text;
//! use session::{Error, ProcessState, Session, Stopped, Target};
//!
//! # fn main() -> Result<(), Error> {
//! // A trace of a program that is run here and touches nothing outside; or `Session::open(path)`.
//! let source = "-module(m).\n-export([main/0]).\nmain() ->\n    Me = self(),\n    spawn(fun() -> Me ! {got, 1} end),\n    \
//!               receive {got, N} ->\n        1 / (N - 1)\n    end.\n";
//! let (_, bytes) = Text::new("m.erl", source).record_bytes(1)?;
//! let session = Session::of(log_format::Trace::from_bytes(bytes)?.into())?;
//!
//! // What led to the error.
//! let error = session.find(Target::Error)?;
//! let mut causes = Vec::new();
//! for stretch in session.causes(&error)? {
//!     causes.extend(stretch?.iter());
//! }
//! let names: Vec<String> = causes.iter().map(|action| action.to_string()).collect();
//! assert_eq!(names, ["event:0.1.0/1", "event:0.2.0/1", "event:0.1.0/2", "event:0.1.0/3"]);
//!
//! // Through them, one by one.
//! let mut player = session.player()?;
//! for action in causes {
//!     let arrival = player.go_to(action)?;
//!     let at = arrival.place.map_or_else(String::new, |place| format!(" at {}:{}", place.file, place.line));
//!     println!("{action}{at}");
//!     for variable in player.variables(action.pid) {
//!         println!("    {variable}");
//!     }
//! }
//! assert_eq!(player.process(error.pid)?.state, ProcessState::Ended);
//!
//! // Back to where N got its value, and on by one step.
//! let moved = player.back_to(error.pid, &"var:N".parse()?)?;
//! assert_eq!((moved.stopped, moved.undone.len()), (Stopped::Reached, 1));
//! player.step(error.pid, 1)?;
//! assert_eq!(player.process(error.pid)?.place.map(|place| place.line), Some(7));
//! assert_eq!(player.variables(error.pid)[1].to_string(), "N = 1");
//! # Ok(())
//! # }
//! ```
//!
//! A program of its own is `examples/step.rs`.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod act;
mod aside;
pub mod called;
pub mod conditions;
pub mod consistency;
pub mod content;
pub mod digests;
pub mod doing;
mod elixir;
pub mod error;
pub mod fingerprint;
pub mod invariant;
pub mod machinery;
pub mod name;
pub mod named;
pub mod native;
pub mod natives;
pub mod notes;
pub mod numbers;
pub mod of_elixir;
pub mod pick;
pub mod player;
pub mod predicate;
pub mod program;
pub mod record;
pub mod scene;
mod session;
pub mod shared;
pub mod shown;
pub mod source;
pub mod subject;
pub mod targets;
pub mod value;
pub mod view;
pub mod watch;
pub mod words;

pub use crate::error::Error;
pub use crate::player::{Arrival, Back, Moved, PlayedProcess, Player, ProcessState, Stopped, Variable};
pub use crate::session::{Around, Goal, Session, born, done};
pub use causality::{Point, ProcessRef, Stretch, Target};
pub use log_format::{ActionId, Pid};

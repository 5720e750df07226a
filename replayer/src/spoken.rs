//! The language that a command shows terms, functions and variables in, if `--terms` names one.

use std::sync::OnceLock;

use clap::ValueEnum;
use interpreter::print::Terms;
use session::Session;

/// A language of `--terms`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Language {
    /// `{ok,<<"text">>}`
    Erlang,
    /// `{:ok, "text"}`
    Elixir,
}

static CHOSEN: OnceLock<Terms> = OnceLock::new();

/// From now on, all that this command shows is in this language.
pub fn choose(language: Option<Language>) {
    let terms = match language {
        Some(Language::Erlang) => Terms::Erlang,
        Some(Language::Elixir) => Terms::Elixir,
        None => return,
    };
    // The first call counts: a command line is read once.
    let _ = CHOSEN.set(terms);
}

/// The session with what the command line says of all sessions: its language, and how much memory a replay may take.
pub fn ready(session: Session) -> Session {
    let session = session.with_memory(crate::memory::limit());
    match CHOSEN.get() {
        Some(terms) => session.shown_in(*terms),
        None => session,
    }
}

//! What a replay observed: actions, the end of the subject, and printed output.

use std::sync::Arc;

use super::rendered::reason;
use super::{CaughtException, MAX_ACTIVATIONS};
use crate::content::{Content, Speech};
use crate::name::ActionTally;
use crate::native::NativeName;
use crate::shared::{KeyTerm, SeenNames, SharedName};
use crate::value::Value;
use crate::view::{Purpose, SourcePlace};
use interpreter::heap::Fragment;
use interpreter::print::Style;
use log_format::{ExitClass, Pid};
use system::observer::Ending;

/// An action, as observed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SeenAction {
    /// The other process.
    pub peer: Option<Pid>,
    /// Message, value, bytes or reason.
    pub content: Option<Content>,
    /// In place of that, what people are told of a failure, if the program is in Elixir.
    pub said: Option<String>,
    /// Of an end: is its reason no failure?
    pub peaceful: bool,
    /// Message, value or reason as a term, if that was wished for. Of an error without the stack.
    pub term: Option<Value>,
    /// Of an input: what it was read from.
    pub input: Option<log_format::InputClass>,
    /// Of a receive that timed out: what it was for.
    pub purpose: Option<Purpose>,
    /// The place in the source.
    pub place: Option<SourcePlace>,
    /// Counts of actions up to this one.
    pub tally: ActionTally,
    /// The innermost activations, if they were asked for.
    pub frames: Vec<SeenFrame>,
    /// Keys of tables, persistent terms and environments (application and key) that it used, by their hashes in the log.
    pub keys: Vec<(u64, Arc<[KeyTerm]>)>,
    /// The name of the table that it used, if a program can use it by that.
    pub table: Option<SharedName>,
    /// The native function that did it; none did a receive, a timeout or an end.
    pub native: Option<NativeName>,
    /// Of an input from a file: its name, in quotes.
    pub file: Option<String>,
    /// What it wrote to something shared or to a file, if terms were wished for: an object of a table, or a list of them, or a value.
    pub written: Option<Value>,
    /// The process dictionary, without what the library notes there, if terms were wished for.
    pub dictionary: Option<Value>,
    /// The timer that it set, cancelled or read.
    pub timer: Option<TimerName>,
    /// For an end: the places of the stack trace in its reason, innermost first.
    pub raised: Vec<SourcePlace>,
    /// The exceptions that the process had caught since its action that was seen before, if they were noted.
    pub catches: Vec<CaughtException>,
}

impl SeenAction {
    /// The names and keys that it used.
    #[must_use]
    pub fn names(&self) -> SeenNames<'_> {
        SeenNames {
            keys: &self.keys,
            table: self.table.as_ref(),
            native: self.native,
        }
    }

    /// Did this native function of the module `erlang` do it?
    #[must_use]
    pub fn is_erlang(&self, name: &str) -> bool {
        self.native.is_some_and(|native| native.is_erlang(name))
    }

    /// Does it set a timer?
    #[must_use]
    pub fn sets_timer(&self) -> bool {
        self.native.is_some_and(NativeName::sets_timer)
    }

    /// The message as its program means it, as a term: without what a behaviour of OTP has put around it.
    #[must_use]
    pub fn meant(&self, in_library: bool) -> Option<&Value> {
        let term = self.term.as_ref()?;
        match self.content.as_ref().map(|content| content.speech(in_library)) {
            None | Some(Speech::Plain(_)) => Some(term),
            Some(_) => term.tuple().last(),
        }
    }

    /// The contents, as people are told them.
    #[must_use]
    pub fn told(&self) -> Option<&str> {
        self.said.as_deref().or(self.content.as_deref())
    }
}

/// A timer: the number of its reference among those that its process made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimerName {
    /// The process that set it.
    pub by: Pid,
    /// The number.
    pub number: u64,
}

/// An activation at an observed action.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SeenFrame {
    /// Its place.
    pub place: Option<SourcePlace>,
    /// Its variables, in order of binding.
    pub variables: Vec<SeenVariable>,
}

/// A variable at an observed action.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SeenVariable {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: String,
    /// Its value as a term, if that was wished for.
    pub term: Option<Value>,
    /// Is the value the message just received, or a part of it?
    pub of_message: bool,
}

/// The end of the subject.
#[derive(Clone, Debug)]
pub struct SeenEnd {
    /// `None`: by an exit signal.
    pub class: Option<ExitClass>,
    /// The reason.
    pub reason: String,
    /// The reason as a term, without the stack.
    pub term: Value,
    /// The reason as it was.
    pub whole: Fragment,
    /// Its activations, innermost first.
    pub frames: Vec<crate::view::ShownFrame>,
    /// How many there were.
    pub depth: usize,
    /// Its process dictionary.
    pub dictionary: Vec<crate::view::Variable>,
    /// The places of the stack trace in its reason, the innermost first.
    pub raised: Vec<SourcePlace>,
    /// The same, of an exit signal: it was raised in another process.
    pub raised_elsewhere: Vec<SourcePlace>,
    /// The values of its variables, by activation, with the file of each.
    values: Vec<(String, crate::subject::Values)>,
}

/// What a process printed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Output {
    /// How much, in bytes.
    pub total: u64,
    /// The last bytes of it.
    pub kept: Vec<u8>,
}

impl SeenEnd {
    /// The variables of the innermost activation of a function of the program, or of any.
    #[must_use]
    pub fn variables(&self, owns: impl Fn(&str) -> bool) -> crate::subject::Values {
        let own = self.values.iter().find(|(file, _)| owns(file));
        own.or_else(|| self.values.first())
            .map_or_else(Vec::new, |(_, known)| known.clone())
    }

    /// Makes the view of an end, with at most this many frames and characters of a value.
    #[must_use]
    pub fn of(ending: &Ending<'_>, frames: usize, chars: usize) -> Self {
        let style = Style::shown(ending.program);
        let (frames, depth) = crate::subject::frames(ending.machine, ending.program, frames, chars);
        let places = super::raised_by(ending);
        let (raised, raised_elsewhere) = match ending.class {
            Some(_) => (places, Vec::new()),
            None => (Vec::new(), places),
        };
        Self {
            class: ending.class,
            reason: reason(ending.class, ending.reason, ending.program, chars),
            term: super::rendered::without_stack(ending.class, ending.reason, ending.program),
            whole: ending.reason.own(ending.program.literals()),
            frames,
            depth,
            dictionary: crate::subject::dictionary(ending.machine, &style, chars),
            raised,
            raised_elsewhere,
            values: crate::subject::all_values(ending.machine, ending.program, MAX_ACTIVATIONS),
        }
    }
}

impl Output {
    /// Adds bytes; keeps at least the last `limit` of all.
    pub fn push(&mut self, bytes: &[u8], limit: usize) {
        self.total += bytes.len() as u64;
        self.kept.extend_from_slice(bytes);
        if self.kept.len() > limit.saturating_mul(2) {
            self.trim(limit);
        }
    }
    /// Keeps the last `limit` bytes.
    pub fn trim(&mut self, limit: usize) {
        let skip = self.kept.len().saturating_sub(limit);
        self.kept.drain(..skip);
    }
}

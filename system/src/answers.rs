//! Recorded values of inputs for a run that is no replay: the same question gets the recorded values in their order, whoever asks, and the last one
//! again when they are used up. What the program has changed itself is not asked here.

use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use interpreter::native::{Native, NativeClass};
use interpreter::vm;
use log_format::InputClass;
use rustc_hash::{FxHashMap, FxHasher};

use crate::terms;
use crate::terms::text;

/// The recorded values for each question, in their order.
pub type RecordedInputs = FxHashMap<u64, Vec<Vec<u8>>>;

/// Answers to questions of one run.
#[derive(Clone, Default)]
pub struct Answers {
    known: Arc<RecordedInputs>,
    /// How many values of each question have been given.
    given: FxHashMap<u64, usize>,
    /// Nobody knows who asks first: a question that has several values has none.
    is_orderless: bool,
    /// A file or a command was asked for that the record does not have.
    lacks: bool,
    /// Set when that happens in any of the runs that share it.
    lacked: Option<Arc<AtomicBool>>,
}

/// What an input asks for: the native, and what it names. `None` for natives that get no input, and for those whose answers are not the same for
/// all who ask.
#[must_use]
pub fn question(native: &Native, machine: &vm::Process) -> Option<u64> {
    if native.class != NativeClass::Input {
        return None;
    }
    // What is written does not change whether it can be written; `os:getenv/2` asks for the same as `os:getenv/1`.
    let named = match (native.module, native.name) {
        ("os", "getenv") | ("init", "get_argument") | ("erlang", "$read_file" | "$write_file" | "$command") => 1,
        // Of one program, one after the other.
        ("erlang", "$port_open" | "$port_next" | "$port_write" | "$port_close") => 1,
        ("init", "get_plain_arguments" | "get_arguments") => 0,
        ("erlang", "$file") => usize::MAX,
        ("erlang", "$open_file") => 2,
        ("erlang", "$on_file") => 3,
        _ => return None,
    };
    let mut hasher = FxHasher::default();
    (native.module, native.name).hash(&mut hasher);
    for arg in machine
        .args()
        .iter()
        .take(named)
        .filter(|arg| **arg != interpreter::term::Term::NONE)
    {
        match text(&machine.heap, *arg) {
            Some(text) => text.hash(&mut hasher),
            None => terms::encode(&machine.heap, *arg).hash(&mut hasher),
        }
    }
    Some(hasher.finish())
}

/// Are there values of this class?
#[must_use]
pub const fn is_answered(class: InputClass) -> bool {
    matches!(
        class,
        InputClass::Env | InputClass::File | InputClass::Arguments | InputClass::Command
    )
}

impl Answers {
    /// No question has been asked yet.
    #[must_use]
    pub fn new(known: Arc<RecordedInputs>) -> Self {
        Self {
            known,
            ..Self::default()
        }
    }

    /// The same for runs of which no order is the right one: a question that has had several values has no answer.
    #[must_use]
    pub fn without_order(mut self, lacked: Arc<AtomicBool>) -> Self {
        self.is_orderless = true;
        self.lacked = Some(lacked);
        self
    }

    /// Was this question asked when recorded?
    pub(crate) fn knows(&self, question: Option<u64>) -> bool {
        question.is_some_and(|question| self.known.contains_key(&question))
    }

    /// One of the values of this question was given by somebody else.
    pub(crate) fn note(&mut self, question: Option<u64>) {
        if let Some(question) = question {
            *self.given.entry(question).or_default() += 1;
        }
    }

    /// The value for a question.
    pub(crate) fn answer(&mut self, question: Option<u64>, class: InputClass) -> Option<Vec<u8>> {
        let list = question.and_then(|question| self.known.get(&question));
        let given = question.map_or(0, |question| self.given.get(&question).copied().unwrap_or(0));
        // A command does something each time.
        let last = list
            .and_then(|list| list.last())
            .filter(|_| class != InputClass::Command);
        let value = list.and_then(|list| list.get(given)).or(last).cloned();
        let differ = |list: &Vec<Vec<u8>>| list.iter().any(|one| Some(one) != list.first());
        self.lacks |= self.is_orderless && list.is_some_and(differ);
        self.note(question);
        let matters = self.is_orderless || matches!(class, InputClass::File | InputClass::Stdin | InputClass::Command);
        self.lacks |= value.is_none() && matters;
        if self.lacks
            && let Some(lacked) = &self.lacked
        {
            lacked.store(true, Ordering::Relaxed);
        }
        value
    }

    /// Was something of the outside asked for that the record does not have?
    #[must_use]
    pub const fn lacks(&self) -> bool {
        self.lacks
    }
}

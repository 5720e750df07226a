//! Reasons of ends without their values.

use std::sync::Arc;

use log_format::ExitClass;
use session::value::Value;

/// Words of the runtime that stand for many failures.
const GENERIC: &[&str] = &[
    "badarg",
    "badarity",
    "badfun",
    "badkey",
    "badmap",
    "badmatch",
    "badrecord",
    "case_clause",
    "error",
    "nocatch",
    "nodedown",
    "noproc",
    "shutdown",
    "timeout",
    "try_clause",
    "undef",
];

/// A reason without its values: the class, and the first word, with the number of tuples around it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct ReasonKind {
    /// How the process ended by itself; `None`: by an exit signal.
    pub class: Option<ExitClass>,
    /// How many tuples the word is the beginning of.
    pub depth: usize,
    /// An atom or a number; `None`: the reason begins otherwise.
    pub word: Option<Arc<str>>,
}

impl ReasonKind {
    /// Of a reason without its stack.
    pub fn of(class: Option<ExitClass>, reason: &Value) -> Self {
        let (mut depth, mut at) = (0, reason);
        while let Value::Tuple(items) = at {
            depth += 1;
            let Some(first) = items.first() else { break };
            at = first;
        }
        let word = match at {
            Value::Atom(word) | Value::Number(word) => Some(Arc::clone(word)),
            _ => None,
        };
        Self { class, depth, word }
    }

    /// Is its word one of the runtime, which stands for many failures? The rest of the reason then says what failed.
    pub(crate) fn is_generic(&self) -> bool {
        self.word.as_deref().is_none_or(|word| GENERIC.contains(&word))
    }
}

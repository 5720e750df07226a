//! What a request comes to: an answer, or why it is not done.

use serde_json::Value;
use session::Error;

/// What a request comes to: the body of its response, and what is told after it.
pub(crate) type Done = Result<Answer, Refusal>;

#[derive(Default)]
pub(crate) struct Answer {
    pub(crate) body: Value,
    /// Events after the response: names and bodies.
    pub(crate) after: Vec<(&'static str, Value)>,
}

impl From<Value> for Answer {
    fn from(body: Value) -> Self {
        Self {
            body,
            after: Vec::new(),
        }
    }
}

/// Why a request is not done, in words for the editor.
#[derive(Debug)]
pub(crate) struct Refusal(pub(crate) String);

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        Self(error.to_string())
    }
}

impl From<causality::TargetError> for Refusal {
    fn from(error: causality::TargetError) -> Self {
        Self(error.to_string())
    }
}

impl From<String> for Refusal {
    fn from(why: String) -> Self {
        Self(why)
    }
}

impl From<&str> for Refusal {
    fn from(why: &str) -> Self {
        Self(why.to_owned())
    }
}

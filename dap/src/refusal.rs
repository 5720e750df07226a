//! Why a request is not done.

use session::Error;

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

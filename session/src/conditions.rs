//! The conditions of `--when` and `--where`.

use crate::error::Error;
use crate::predicate::Predicate;
use crate::session::Session;

/// Conditions on the point to go to; none by default.
#[derive(Default)]
pub struct Conditions {
    /// On variables.
    pub when: Option<Predicate>,
    /// On messages.
    pub pattern: Option<Predicate>,
}

impl Conditions {
    /// Compiles the conditions: an expression on variables, and a pattern for messages.
    ///
    /// # Errors
    /// The text is not Erlang.
    pub fn of(session: &Session, when: Option<&str>, pattern: Option<&str>) -> Result<Self, Error> {
        let program = || session.program();
        Ok(Self {
            when: when
                .map(|text| Predicate::of_program(text, program(), session.sources()))
                .transpose()?,
            pattern: pattern
                .map(|text| Predicate::pattern(text, program(), session.sources()))
                .transpose()?,
        })
    }

    /// Is there one?
    #[must_use]
    pub const fn any(&self) -> bool {
        self.when.is_some() || self.pattern.is_some()
    }
}

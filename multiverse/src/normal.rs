//! Exits that count as normal.

use log_format::ExitClass;
use std::sync::{Arc, Mutex, PoisonError};

use session::predicate::Predicate;
use session::watch::SeenEnd;
use session::{Error, Session};

/// Reasons with which a process may exit: patterns.
#[derive(Clone, Default)]
pub struct Normal(Arc<Mutex<Vec<Predicate>>>);

impl Normal {
    /// Reasons that match one of these patterns.
    ///
    /// # Errors
    /// One is not an Erlang pattern.
    pub fn of(session: &Session, patterns: &[String]) -> Result<Self, Error> {
        let one = |text: &String| Predicate::pattern(text, session.program(), session.sources());
        let all: Vec<Predicate> = patterns.iter().map(one).collect::<Result<_, Error>>()?;
        Ok(Self(Arc::new(Mutex::new(all))))
    }

    /// Does an end count as normal? Only exits do.
    #[must_use]
    pub fn has(&self, seen: &SeenEnd) -> bool {
        if seen.class != Some(ExitClass::Exit) {
            return false;
        }
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.iter_mut().any(|one| one.matches(&seen.whole))
    }
}

//! Targets in a session: a log tells most of them, and a replay finds steps and lines.

use causality::{CausalOrder, NoSuchTarget, Point, Target};
use log_format::{ActionId, ErrorKind, Tag, Trace};

use crate::error::Error;
use crate::player::Player;
use crate::session::Session;

impl Session {
    /// Finds the point that a target names. A step or a line is found by a replay; the point is then the last action of its process before it.
    ///
    /// # Errors
    /// There is no such point: [`Error::NoTarget`]. The trace is damaged; the replay diverges.
    pub fn find(&self, target: impl Into<Target>) -> Result<Point, Error> {
        let target = target.into();
        if !target.is_place() {
            return Ok(target.resolve(self.trace())?);
        }
        let mut player = Player::new(self, 0)?;
        let pid = player.go_to(&target)?.pid;
        let done = player.done(pid);
        let last = match (done, self.trace().process(pid)?.parent) {
            (0, None) => {
                return Err(Error::NoTarget(format!(
                    "{target} is reached before the first action of the run, so it has no causes and no consequences; `replay state {} TRACE` shows the process",
                    crate::words::quoted(std::ffi::OsStr::new(&target.to_string()))
                )));
            }
            // Before its first action, the creation of the process is meant.
            (0, Some(spawn)) => spawn,
            (done, _) => ActionId::new(pid, done),
        };
        Ok(Point {
            place: Some(target),
            ..Point::from(last)
        })
    }

    /// The causes of a point, its action included, in an order in which they can be performed.
    ///
    /// # Errors
    /// If the trace is damaged.
    pub fn causes(&self, point: &Point) -> Result<CausalOrder<'_>, Error> {
        let causes = point.causes(self.trace())?;
        Ok(causality::causal_order(self.trace(), &causes)?)
    }
}

impl From<NoSuchTarget> for Error {
    fn from(error: NoSuchTarget) -> Self {
        match error {
            NoSuchTarget::Absent { .. } | NoSuchTarget::NoProcess { .. } => {
                Self::NoTarget(crate::words::safe(&error.to_string()))
            }
            NoSuchTarget::ByReplay(_) => Self::Usage(error.to_string()),
            NoSuchTarget::Trace(error) => error.into(),
        }
    }
}

/// The action that sent a signal, if it is in the trace: a slice names messages whose sends it does not contain.
///
/// # Errors
/// If the trace is damaged there.
pub fn sender_of(trace: &Trace, tag: Tag) -> Result<Option<ActionId>, Error> {
    match trace.find_send(tag) {
        Err(error) if trace.is_slice() && matches!(error.kind, ErrorKind::Absent { .. }) => Ok(None),
        sent => Ok(sent?),
    }
}
